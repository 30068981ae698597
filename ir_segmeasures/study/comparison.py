"""Comparison of systems: means beside those of a baseline, paired tests by query, wins and losses, measure by measure.

The tests are those of pt.Experiment, whose figures come out: over all judged queries, paired by query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.study import statistics
from ir_segmeasures.study.scores import is_best, lower_is_better, names_as_asked, query_scores, refuse_unnamed
from ir_segmeasures.study.statistics import CORRECTIONS, TESTS, ByQuery, check_choice, differences, mean
from ir_segmeasures.study.tables import Cell, Column, Report, Table, figure, interval_figure, p_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ['CORRECTIONS', 'TESTS', 'Beside', 'SystemComparison', 'checked_baseline', 'compare', 'compare_scores']

SIGNIFICANT = 0.05
_NOTE, _UNCORRECTED = f'* p < {SIGNIFICANT} after the correction', 'p not corrected'
_NOT_COMPUTABLE = 'p is nan where the t-test cannot be computed: one query, or the same difference in all of them'


class Beside(NamedTuple):
    """A system beside the baseline, by one measure. For the baseline itself all from ``difference`` to ``ties`` is
    None.

    Attributes:
        system: its name
        measure: the measure
        mean: over all judged queries
        difference: this mean less the baseline's
        p: of the paired test, two-sided, in [0, 1]
        p_corrected: ``p``, corrected for the number of systems that are tested by this measure
        wins, losses, ties: numbers of queries for which the system is better, worse, and neither; for measures of
            effort the lower value is the better one. Values that differ by no more than rounding are ties.
        low, high: the bootstrap interval of the mean; None unless asked for
    """
    system: str
    measure: Measure
    mean: float
    difference: float | None = None
    p: float | None = None
    p_corrected: float | None = None
    wins: int | None = None
    losses: int | None = None
    ties: int | None = None
    low: float | None = None
    high: float | None = None

    @property
    def significant(self) -> bool:
        """Tells whether the corrected p-value is below 0.05."""
        return self.p_corrected is not None and self.p_corrected < SIGNIFICANT

    @property
    def percent(self) -> float | None:
        """The difference in per cent of the baseline's mean; None where that is 0."""
        base = 0 if self.difference is None else self.mean - self.difference
        return 100 * (self.difference or 0) / base if base else None


class SystemComparison(Report):
    """Systems beside a baseline. A notebook shows it as a table, and :func:`~ir_segmeasures.study.tables.render`
    writes it in every format of tables.

    Attributes:
        rows: a :class:`Beside` for each system and measure, measure by measure, systems in the order of the runs
        measures, systems: in this order
        baseline: the system that the others are compared to
        by_query: system → measure → query → value
        names: measure → its name, as it was asked for
        method: the test, its number of queries, the correction and the baseline, as a paper names them
    """

    def __init__(self, rows: Sequence[Beside], baseline: str, by_query: Mapping[str, Mapping[Measure, ByQuery]],
                 names: Mapping[Measure, str], method: str = ''):
        self.rows, self.baseline, self.by_query, self.names = list(rows), baseline, by_query, names
        self.method, self.systems, self.measures = method, list(by_query), list(names)

    def row(self, system: str, measure: Measure) -> Beside:
        """The row of a system and a measure."""
        return next(row for row in self.rows if (row.system, row.measure) == (system, measure))

    def best(self, measure: Measure) -> list[str]:
        """The systems with the best mean; more than one where they differ by no more than rounding."""
        means = {row.system: row.mean for row in self.rows if row.measure == measure}
        return [system for system, mean in means.items() if is_best(measure, mean, means.values())]

    def top(self, number: int) -> list[dict[str, Any]]:
        """The queries for which systems differ most from the baseline: for each measure and system so many records, by
        the size of the difference, ties in the order of the qrels. Queries without a difference are left out.
        """
        found = []
        for measure in self.measures:
            base = self.by_query[self.baseline][measure]
            for system in self.systems:
                values = self.by_query[system][measure]
                gains = [(query, gain) for query, gain in differences(values, base).items() if gain]
                found += [{'measure': self.names[measure], 'system': system, 'query': query, 'value': values[query],
                           self.baseline: base[query], 'difference': gain}
                          for query, gain in sorted(gains, key=lambda gain: -abs(gain[1]))[:number]]
        return found

    def moved(self, other: SystemComparison, places: int) -> list[str]:
        """The means and p-values that another comparison of the same systems has otherwise, such as one in which tied
        items stand in the opposite order, a sentence each.
        """
        found = []
        for row, moved in zip(self.rows, other.rows):
            before, after = (f'{figure(each.mean, places)} (p {p_figure(each.p_corrected, places)})'
                             .removesuffix(' (p )') for each in (row, moved))
            if before != after:
                found.append(f'{self.names[row.measure]} of {row.system} is {after} instead of {before}')
        return found

    @property
    def frame(self) -> pd.DataFrame:
        """The records as a frame."""
        import pandas as pd
        return pd.DataFrame(self.records())

    def records(self) -> list[dict[str, Any]]:
        """A record for each system and measure, with the fields of :class:`Beside`; intervals only where there are
        some.
        """
        fields = [name for name in Beside._fields if self._intervals or name not in ('low', 'high')]
        return [{name: self.names[value] if isinstance(value, Measure) else value
                 for name in fields for value in (getattr(row, name),)} for row in self.rows]

    def tables(self, places: int, wide: bool) -> list[Table]:
        """A table for each measure, with a row for each system; or a wide one of systems and measures, with the mean,
        its interval, and its difference to the baseline in each cell.
        """
        if wide:
            rows = [[Cell(str(system)), *(self._cell(self.row(system, measure), places) for measure in self.measures)]
                    for system in self.systems]
            return [Table([Column('system', text=True), *map(Column, self.names.values())], rows, note=self._note)]
        columns = [*map(Column, ('mean', *['interval'] * self._intervals, 'difference', '%', 'p')),
                   Column('p corrected', starred=True), *map(Column, ('wins', 'losses', 'ties'))]
        tables = [Table([Column(self.names[measure], text=True), *columns],
                        [self._cells(row, places) for row in self.rows if row.measure == measure])
                  for measure in self.measures]
        return [*tables[:-1], tables[-1]._replace(note=self._note)]

    def _cells(self, row: Beside, places: int) -> list[Cell]:
        return [Cell(str(row.system)), Cell(figure(row.mean, places), best=row.system in self.best(row.measure)),
                *([Cell(interval_figure(row, places))] if self._intervals else []),
                Cell(figure(row.difference, places, sign=True)), Cell(figure(row.percent, 1, sign=True)),
                Cell(p_figure(row.p, places)), Cell(p_figure(row.p_corrected, places), star=row.significant),
                *(Cell(figure(count)) for count in row[6:9])]

    def _cell(self, row: Beside, places: int) -> Cell:
        rest = '' if row.low is None else f' {interval_figure(row, places)}'
        rest += '' if row.difference is None else f' ({figure(row.difference, places, sign=True)})'
        return Cell(figure(row.mean, places), row.system in self.best(row.measure), row.significant, rest)

    @property
    def _intervals(self) -> bool:
        return any(row.low is not None for row in self.rows)

    @property
    def _note(self) -> str:
        star = _NOTE.replace(' after the correction', '') if _UNCORRECTED in self.method else _NOTE
        notes = {star: any(row.significant for row in self.rows), _NOT_COMPUTABLE: any(
            row.p is not None and isnan(row.p) and not isnan(row.difference or 0.) for row in self.rows)}
        return '; '.join(note for note, holds in notes.items() if holds)


def compare(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Mapping[str, Any],
            baseline: str | None = None, test: str = 't', correction: str = 'holm',
            confidence: float | None = None, seed: int = 0, progress: bool = False) -> SystemComparison:
    """The comparison of systems with a baseline: means, differences, a paired test by query, wins and losses.

    Args:
        measures: one or more, as objects or strings
        qrels: in any shape of ir-measures, or a frame of PyTerrier
        runs: name of a system → its run, in any of these shapes
        baseline: the name of the system that the others are compared to; not given: the first
        test: ``'t'`` (Student's, as pt.Experiment) or ``'randomisation'`` (of the signs of the differences, exact where
            there are few queries, else of 9,999 samples)
        correction: of the p-values over the systems of a measure: ``'holm'``, ``'bonferroni'`` or ``'none'``
        confidence: the level of a bootstrap interval of each mean (percentiles of 9,999 samples of the queries), such
            as 0.95; not given: none
        seed: of the samples, so that the same input gives the same figures
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: no measure, no run, an unknown baseline, test or correction, a level outside (0, 1), no judged query
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import compare
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('poor', 'good')}
        >>> comparison = compare(['T2I_MAP', 'MAiSP'], qrels, runs)
        >>> row = comparison.rows[1]
        >>> row.system, round(row.mean, 4), round(row.difference, 4), round(row.p, 4), row.wins, row.losses
        ('good', 0.479, 0.3242, 0.0062, 9, 1)

        :func:`~ir_segmeasures.study.tables.render` writes it as a table:

        >>> from ir_segmeasures.study.tables import render
        >>> print(render(comparison, 'markdown', places=3), end='')
        | system | T2I\\_MAP | MAiSP |
        |---|---:|---:|
        | poor | 0.155 | 0.277 |
        | good | **0.479**\\* (+0.324) | **0.613**\\* (+0.336) |
        <BLANKLINE>
        \\* p < 0.05 after the correction
    """
    names = names_as_asked(measures)
    refuse_unnamed(runs)
    if not runs:
        raise ValueError('there is no run to compare: give at least one, and two or more for differences')
    checked_baseline(runs, baseline, test, correction, confidence)  # before the work
    found = query_scores(list(names), qrels, runs, progress)
    return compare_scores(names.values(), found, baseline, test, correction, confidence, seed)


def compare_scores(measures: Iterable[Measure | str] | Measure | str,
                   found: Mapping[str, Mapping[Measure, ByQuery]], baseline: str | None = None, test: str = 't',
                   correction: str = 'holm', confidence: float | None = None, seed: int = 0) -> SystemComparison:
    """The comparison of systems from values that are there already.

    Args:
        found: system → measure → judged query → value
        measures, baseline, test, correction, confidence, seed: see :func:`compare`
    """
    names = names_as_asked(measures)
    baseline = checked_baseline(found, baseline, test, correction, confidence)
    if not found[baseline][next(iter(names))]:
        raise ValueError('the qrels judge no query, so there is nothing to compare by: give other qrels')
    others = [system for system in found if system != baseline]
    tests = iter(statistics.p_values(test, [(found[system][measure], found[baseline][measure])
                                            for measure in names for system in others], seed))
    rows = []
    for measure in names:
        values, base = {system: found[system][measure] for system in found}, found[baseline][measure]
        p = [nan if test == 't' and values[system] != base and statistics.equal_differences(values[system], base)
             else of_test for system, of_test in zip(others, tests)]
        of_system = dict(zip(others, zip(p, statistics.corrected_p(p, correction))))
        for system in found:
            row = Beside(system, measure, mean(values[system].values()))
            if system != baseline:
                gains = list(differences(values[system], base).values())
                above, below = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
                won = (below, above) if lower_is_better(measure) else (above, below)
                row = Beside(*row[:3], row.mean - mean(base.values()), *of_system[system], *won,
                             len(gains) - above - below)  # where one is NaN, neither is better
            if confidence is not None:
                row = Beside(*row[:9], *statistics.bootstrap_interval(list(values[system].values()), confidence, seed))
            rows.append(row)
    tested, queries = len(found) - 1, len(found[baseline][next(iter(names))])
    how = {'t': 'two-sided paired t-test', 'randomisation': 'two-sided randomisation test'}[test]
    systems, change = ('systems', '') if tested > 1 else ('system', ': no change')
    corrected = (_UNCORRECTED if correction == 'none' else
                 f'p corrected for {tested} {systems} ({correction.capitalize()}{change})')
    method = f'baseline {baseline}; {how} over {queries} quer{"y" if queries == 1 else "ies"}, {corrected}'
    return SystemComparison(rows, baseline, found, names, method if tested else '')


def checked_baseline(systems: Iterable[str], baseline: str | None, test: str, correction: str,
                     confidence: float | None) -> str:
    """The baseline, by settings of :func:`compare`. Raises ValueError for one that is none of those that there are."""
    systems = list(systems)
    check_choice('test', test, TESTS)
    check_choice('correction', correction, CORRECTIONS)
    statistics.check_level('confidence', confidence, 0.95)
    return systems[0] if baseline is None else check_choice('baseline', baseline, systems)
