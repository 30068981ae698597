"""``ir_segmeasures study``: what measures and their parameters do, on the runs at hand."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ir_measures import Measure

from ir_segmeasures.commands import inputs, options
from ir_segmeasures.commands.parser import UsageError, option
from ir_segmeasures.commands.plot import figure_path, write_figure
from ir_segmeasures.commands.runs import Runs, for_measures, named_measures, naming_files
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.segments.segment import Segment
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study import agreement, fidelity, holes, order_agreement, power, sensitivity
from ir_segmeasures.study.missing_judgements import SHARES
from ir_segmeasures.study.tables import render


class _Printed(options.Reading, options.Tabled):
    """Options of studies, whose records are printed as one table."""
    UNUSED: ClassVar[tuple[str, ...]] = ()  # the columns that a table for people leaves out
    qrels: str = options.qrels()
    measures: tuple[str, ...] = options.measures()

    def show(self, result: Sequence[Mapping[str, Any]], note: str = '') -> None:
        unused = () if self.output_format in ('csv', 'json') else self.UNUSED
        super().show([{name: value for name, value in row.items() if name not in unused} for row in result], note)


class _Study(_Printed):
    """Studies of several runs.

    Args:
        runs: two or more runs (also packed as .gz; - is standard input)
    """
    runs: tuple[str, ...] = options.runs()

    def run(self) -> None:
        names = named_measures(self.measures, check=not hasattr(self, 'vary'))
        runs = self.runs_beside(self.qrels, self.runs, names)
        with naming_files(runs):
            rows = self.rows(names, runs)
        self.show([{name: names[value] if isinstance(value, Measure) else value for name, value in row.items()}
                   for row in (row if isinstance(row, dict) else row._asdict() for row in rows)])

    def rows(self, names: Mapping[Measure, str], runs: Runs) -> Sequence[Any]:
        """The rows of the table, named tuples or dictionaries."""
        raise NotImplementedError


class Fidelity(options.Sized, _Printed):
    """Tell which expected orders of simulated runs a measure keeps (Pehcevski & Thom 2007).

    Args:
        elements: the elements of the documents, lines "id document start end": runs of elements are simulated, too
    """
    EXAMPLE = 'study fidelity qrels.txt -m T2I_MAP MAgP MAiSP'
    UNUSED = 'separated', 'pairs'  # numbers that all rows of a measure share
    elements: str | None = option(metavar='TABLE')

    def run(self) -> None:
        names = named_measures(self.measures)
        elements: dict[str, list[Segment]] = {}
        for element in read_extents(self.elements).values() if self.elements is not None else ():
            elements.setdefault(element.document, []).append(element)
        qrels = inputs.read_qrels(self.requests(self.qrels, ())[0])
        with naming_files(qrels):
            found = fidelity(names.values(), qrels.rows, elements=elements or None,
                             sizes=inputs.lengths_of(self.lengths, qrels), progress=True)
        records = found.records()
        self.show(records)
        lines = [f'{row["measure"]}: {row["separated"]} of {row["pairs"]} pairs of runs differ significantly (paired '
                 't-test, p < 0.05)' for row in records]
        if self.output_format == 'text':
            means = [{'run': ' '.join(run), **{names[measure]: mean for measure, mean in means.items()}}
                     for run, means in found.means.items()]  # Table 1
            print('', render(means, 'text', self.places), *dict.fromkeys(lines), sep='\n')


class Agreement(_Study):
    """Pearson's r and Kendall's tau between measures (Racca & Jones 2015), or how two files of judgements agree on the
    order of the systems.

    Args:
        over: the values that are correlated: those of each query of each system (rankings, the default), or the
            means of the systems (systems)
        other: other judgements of the same queries, such as a language model's: for each measure, Kendall's tau
            and tau_ap between the orders of the systems by both, with bootstrap intervals
    """
    EXAMPLE = 'study agreement qrels.txt a.run b.run c.run -m MAiSP MAgP T2I_MAP'
    over: str = option('rankings', choices=('rankings', 'systems'))
    other: str | None = option(metavar='QRELS')

    def rows(self, names: Mapping[Measure, str], runs: Runs) -> Sequence[Any]:
        if self.other is None:
            return agreement(list(names), runs.judgements, runs, self.over, progress=True)
        other = inputs.read_qrels(replace(runs.qrels.request, path=self.other))
        with naming_files(other):
            judged = for_measures(other, list(names), runs.format)
            SegmentTable.from_qrels(judged)  # an error about a row names this file
        return order_agreement(list(names), runs.judgements, judged, runs, progress=True)


class Sensitivity(_Study):
    """How the values of a parameter change the means, and the order of the systems."""
    EXAMPLE = 'study sensitivity qrels.txt a.run b.run -m T2I_MAP --vary tau=5:60:5'
    vary: tuple[str, list[Any]] = options.vary(required=True)

    def rows(self, names: Mapping[Measure, str], runs: Runs) -> Sequence[Any]:
        parameter, values = self.vary
        return [{'measure': measure, parameter: row.value,
                 **{f'{run} (run)' if run in ('measure', parameter, 'p', 'kendall') else run: value
                    for run, value in row.means.items()}, 'kendall': row.kendall}
                for measure in names
                for row in sensitivity(measure, parameter, values, runs.judgements, runs, progress=True)]


class Power(_Study):
    """How many pairs of systems a measure tells apart, and its ASL curve (Sakai 2006)."""
    EXAMPLE = 'study power qrels.txt a.run b.run c.run -m MAiSP MAgP'
    UNUSED = ('asl',)  # a curve is not a cell

    def rows(self, names: Mapping[Measure, str], runs: Runs) -> Sequence[Any]:
        return power(list(names), runs.judgements, runs, progress=True)


class Holes(options.Seeded, options.Parallel, _Study):
    """How values, the order of the systems and significance move where judgements are missing (Buckley & Voorhees
    2004).

    Args:
        drop: the shares of the judgements that are dropped (default: 0.1 0.2 … 0.9)
        leave_out_teams: drop what one team alone returned, one team after the other
        team: with --leave-out-teams: the part of a run's name that its team is called by, as a regular
            expression, such as '[^-]+' (default: each run is a team of its own)
        depth: with --leave-out-teams: how many results of a run went into the pool (default: all)
        repeats: how many samples are drawn for each share (default: 20)
        plot: draw the table, too; the name ends in .pdf, .png, .svg or .pgf
    """
    EXAMPLE = 'study holes qrels.txt a.run b.run c.run -m MAiSP bpref_seg --drop 0.3 0.6'
    drop: tuple[float, ...] | None = options.several(metavar='SHARE', either='holes')
    leave_out_teams: bool = option(False, either='holes')
    team: str | None = option(metavar='PATTERN', needs='leave_out_teams')
    depth: int | None = option(metavar='K', needs='leave_out_teams')
    repeats: int = option(20, metavar='N')
    plot: str | None = option(type=figure_path, writes=None, metavar='FILE')

    def rows(self, names: Mapping[Measure, str], runs: Runs) -> Sequence[Any]:
        try:
            teams = {name: found[0] for name in runs if self.team and (found := re.search(self.team, name))}
        except re.error as error:
            raise UsageError(f'--team: {self.team} is not a regular expression ({error}): correct it') from None
        effects = holes(list(names), runs.judgements, runs, 'teams' if self.leave_out_teams else self.drop or SHARES,
                        self.repeats, teams, self.depth, seed=self.seed, n_jobs=self.jobs, progress=True)
        if self.plot is not None:
            write_figure(lambda plots: plots.hole_effects(effects, names), self.plot)
        unused = ['lowest'] if self.leave_out_teams else ['left_out', 'ranks_lost']
        return [{name: value for name, value in row._asdict().items() if name not in unused}
                | {'judgements': round(row.judgements)} for row in effects]  # a count


COMMANDS = {'fidelity': Fidelity, 'agreement': Agreement, 'sensitivity': Sensitivity, 'power': Power, 'holes': Holes}
