"""``ir_segmeasures compare``: which system is better, by which measure, for which queries, and how sure one can be."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ir_measures import Measure

from ir_segmeasures.commands import inputs, options, streams
from ir_segmeasures.commands.evaluate import Scoring, scored
from ir_segmeasures.commands.parser import UsageError, option
from ir_segmeasures.commands.runs import Runs, for_measures, is_measure, named_measures, naming_files, run_names
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import collected_warnings
from ir_segmeasures.study import comparison, diagnose, tables
from ir_segmeasures.study.gate import least_value, regressions, shortfalls, summary
from ir_segmeasures.study.scores import lower_is_better, query_scores
from ir_segmeasures.study.statistics import CORRECTIONS, TESTS

GATE = 'gate for pull requests'


class Compare(options.Named, options.Parallel, Scoring, options.Tabled, options.Writing):
    """Compare systems with a baseline, the first run unless --baseline names another: for each measure the mean, its
    difference, the p-value of a paired test over the queries, also corrected for the number of systems, and for how
    many queries a system wins, loses and ties.

    Args:
        words: the judgements, a file (- is standard input) or a dataset; runs; measures
        baseline: the system that the others are compared with, by its name or file
        test: t (Student's, paired; the default) or randomisation
        correction: of the p-values of a measure: holm (the default), bonferroni or none
        confidence: add the bootstrap interval of each mean at this level, such as 0.95
        top: with -o text: list the N queries that differ most from the baseline
        diagnose: print means by the length, third of the video and number of true moments
        fail_if_worse: exit with 1 if a system is worse by one of these measures (default: all), significantly or by
            more than --tolerance, and with 2 for errors
        min: exit with 1 if the mean of a system beside the baseline is below
        alpha: the level of significance (default: 0.05)
        tolerance: fail also if a mean is worse by more than this
        summary: write the result as Markdown (standard output as -)
    """
    EXAMPLE = 'compare qrels.txt baseline.run new.run -m MAiSP -m T2I_MAP'
    baseline: str | None = option(metavar='NAME')
    test: str = option('t', choices=TESTS, metavar='HOW')
    correction: str = option('holm', choices=CORRECTIONS, metavar='HOW')
    confidence: float | None = option(metavar='LEVEL')
    top: int | None = option(type=options.count, metavar='N')
    diagnose: bool = option(False)
    fail_if_worse: tuple[str, ...] | None = option(nargs='*', action='extend', more=is_measure, metavar='MEASURE',
                                                   group=GATE)
    min: tuple[str, ...] = option((), more=lambda word: '=' in word, metavar='MEASURE=VALUE', group=GATE)
    alpha: float = option(0.05, metavar='LEVEL', group=GATE, needs='fail_if_worse')
    tolerance: float | None = option(metavar='DIFFERENCE', group=GATE, needs='fail_if_worse')
    summary: str | None = option(metavar='FILE', group=GATE, writes=streams.begins(r'((\*\*|- ).*\n+)*\| system '))

    @property
    def ERROR_CODE(self) -> int:  # type: ignore[override]  # 1 is for systems that are worse
        return 1 if self.fail_if_worse is None and not self.min else 2

    def run(self) -> int:
        least: dict[Measure | str, float] = dict(map(least_value, self.min))
        measured = {} if self.measures or any(map(is_measure, self.words)) else {'measures': tuple(map(str, least))}
        path, run_paths, names = replace(self, **measured).asked()
        if self.top is not None and self.output_format != 'text':
            raise UsageError('--top only goes with -o text, since the other formats are one table')
        if self.fail_if_worse is not None and len(run_paths) < 2:
            raise UsageError('--fail-if-worse takes two runs or more, the baseline and others: name them')
        named_measures(self.fail_if_worse or names.values())  # for its error
        judgements, requests = self.requests(path, run_paths)
        qrels, systems = self.judged(judgements, names), run_names(run_paths, self.names)
        called = {**{file: name for name, path in systems.items() for file in (path, os.path.basename(path))},
                  **dict(zip(systems, systems))}
        if self.baseline not in (None, *called):
            raise UsageError(f'--baseline: there is no run {quoted(self.baseline)}; there is {", ".join(systems)}')
        settings: dict[str, Any] = {'baseline': called.get(self.baseline or ''), 'test': self.test,
                                    'correction': self.correction, 'confidence': self.confidence}
        comparison.checked_baseline(systems, **settings)  # before the work
        scores, tied = scored(
            requests, names, qrels, self.align, partial(query_scores, progress=True) if self.jobs is None
            else partial(_side_by_side, jobs=self.jobs), self.names)
        compared = comparison.compare_scores(names.values(), scores, **settings)
        opposite = comparison.compare_scores(
            names.values(), {name: tied.get(name, ('', values))[1] for name, values in scores.items()},
            **{**settings, 'confidence': None}) if tied else compared
        if moved := compared.moved(opposite, 4 if self.places is None else self.places):
            more = [f'{len(moved) - 4} more'] * (len(moved) > 4)
            streams.note(f'with tied items in the opposite order {"; ".join(moved[:4] + more)}: --ties decides')
        worse: list[Any] = []
        passed: list[str] = []
        try:
            if self.fail_if_worse is not None:
                worse += regressions(compared, self.fail_if_worse, self.alpha, self.tolerance, self.correction,
                                     _of_nothing(names, qrels, requests[list(systems).index(compared.baseline)]))
                gated = ', '.join(self.fail_if_worse or names.values())
                how = 'significantly ' * (self.tolerance is None)
                passed.append(f'nothing is {how}worse than {compared.baseline} by {gated}'
                              + ' (--tolerance says how much a mean may lose)' * bool(how))
            if self.min:
                worse += shortfalls(compared, least)
                passed.append(f'nothing falls short of {", ".join(self.min)}')
        except ValueError as error:
            if self.summary is not None:
                streams.write_out(summary(compared, str(error), self.places, warnings=streams.WARNED), self.summary)
            raise
        verdict = '; '.join(map(str, worse or passed))
        if not self.diagnose or self.output_format == 'text':
            self.show(compared, compared.method)
        if self.diagnose:
            with naming_files(qrels):
                diagnosis = diagnose(compared, for_measures(qrels, list(names), requests[0].true_format),
                                     inputs.durations_of(qrels))
            print('\n' * (self.output_format == 'text'), end='')
            self.show(diagnosis)
        if self.top is not None:
            print('\n' + tables.render(compared.top(self.top), 'text', self.places), end='')
        if self.summary is not None:
            streams.write_out(summary(compared, verdict, self.places, warnings=streams.WARNED), self.summary)
        if verdict:
            sys.stdout.flush()  # the reason stands last
            streams.note(verdict)
        return 1 if worse else 0


def _of_nothing(names: Mapping[Measure, str], qrels: inputs.Source, request: ReadRequest) -> dict[Measure, Any]:
    """The values that a baseline would have in other documents, for measures of which lower values are better."""
    lower = {measure: name for measure, name in names.items() if lower_is_better(measure)}
    if not lower:
        return {}
    runs = Runs([request], lower, qrels)
    with collected_warnings(wanted=False):
        (run,) = runs.values()
        table = SegmentTable.from_run(run, elements=True)
        elsewhere = replace(table, document_ids=[f'{id}#elsewhere' for id in table.document_ids])
        return query_scores(list(lower), runs.judgements, {'': elsewhere})['']


def _side_by_side(measures: Sequence[Measure], qrels: Any, runs: Mapping[str, Any], jobs: int) -> dict[str, Any]:
    """The values of the runs, as of :func:`query_scores`, evaluated in several processes."""
    from ir_segmeasures.study.runs import evaluate_runs
    frame = evaluate_runs(measures, qrels, runs.items(), by_query=True, n_jobs=jobs)
    called = {str(measure): measure for measure in measures}
    found: dict[str, Any] = {name: {measure: {} for measure in measures} for name in runs}
    for name, query, measure, value in frame.itertuples(index=False):
        found[name][called[measure]][query] = float(value)
    return found
