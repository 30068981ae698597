"""Gates before changes are merged: the measures by which a system is worse than a baseline, or falls short of a least
value.
"""

from collections.abc import Iterable, Mapping
from math import isfinite, isnan
from typing import NamedTuple

from ir_measures import Measure

from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.study.comparison import Beside, SystemComparison
from ir_segmeasures.study.scores import lower_is_better, names_as_asked
from ir_segmeasures.study.statistics import check_level, corrected_p, nearly_equal, p_value
from ir_segmeasures.study.tables import figure, p_figure, render

__all__ = ['Regression', 'Shortfall', 'least_value', 'regressions', 'shortfalls', 'summary']


class Regression(NamedTuple):
    """A measure by which a system is worse than the baseline.

    Attributes:
        system: its name
        measure: the name of the measure, as it was asked for
        base, mean: the means of the baseline and of the system; for measures of effort the higher one is worse
        p: of the paired test over the queries, two-sided, corrected for all systems and measures of the gate
        reason: what it is worse by: ``'p 0.0012 < 0.05'``, ``'more than 0.02'``, or ``'it finds nothing'``
    """
    system: str
    measure: str
    base: float
    mean: float
    p: float
    reason: str

    def __str__(self) -> str:
        return (f'{self.system} is worse by {self.measure}: {figure(self.mean, 4)} after {figure(self.base, 4)} '
                f'({figure(self.mean - self.base, 4, sign=True)}, {self.reason})')


def regressions(comparison: SystemComparison, measures: Iterable[Measure | str] = (), alpha: float = 0.05,
                tolerance: float | None = None, correction: str = 'holm') -> list[Regression]:
    """The measures by which systems are worse than the baseline: significantly, or by more than is tolerated.

    The p-values are those of the comparison, corrected for all systems and measures that are looked at, so that two
    equal systems pass with a probability of ``1 - alpha`` at least. Where the t-test cannot be computed, since all
    queries have the same difference, the randomisation test takes its place. A system that has 0 for all of several
    queries is worse whatever the test says; where the baseline has, nothing was measured.

    Args:
        comparison: of the systems with their baseline
        measures: those that count, of the comparison; not given: all
        alpha: the level of significance
        tolerance: a difference of means, from 0 up, above which a system is worse without significance, too; not
            given: none
        correction: of the p-values, as for :func:`~ir_segmeasures.study.compare`

    Raises:
        ValueError: the comparison has no such measure, nothing was measured by one, its mean is NaN, or ``alpha`` or
            ``tolerance`` is out of its range

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import compare, regressions
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> comparison = compare(['T2I_MAP', 'MAiSP'], formats.read_qrels(sample.path('qrels.txt')), runs)
        >>> for found in regressions(comparison, ['MAiSP']):
        ...     print(found)
        poor is worse by MAiSP: 0.2774 after 0.6131 (-0.3357, p 0.0008 < 0.05)
    """
    check_level('alpha', alpha, 0.05)
    if tolerance is not None and not 0 <= tolerance < float('inf'):
        raise ValueError(f'tolerance={quoted(tolerance)} is not a difference that can be tolerated: take a number from '
                         '0 up')
    wanted = names_as_asked(measures) if (measures := list(measures)) else comparison.names
    for measure, name in wanted.items():
        _check_measured(comparison, measure, name)
    rows = [row for row in comparison.rows if row.measure in wanted and row.system != comparison.baseline]
    found = []
    for row, p in zip(rows, corrected_p([_p(row, comparison) for row in rows], correction)):
        base = comparison.row(comparison.baseline, row.measure).mean
        if isnan(row.mean - base):
            raise ValueError(f'the mean of {comparison.names[row.measure]} is NaN for {row.system} or '
                             f'{comparison.baseline}, so that nobody can say which is worse: take another measure')
        loss = row.mean - base if lower_is_better(row.measure) else base - row.mean
        reasons = []
        if loss > 0 and not nearly_equal(row.mean, base):
            if p < alpha:
                reasons.append(f'p {p_figure(p)} < {alpha:g}')
            if tolerance is not None and loss > tolerance and not nearly_equal(loss, tolerance):
                reasons.append(f'more than {tolerance:g}')
            values = comparison.by_query[row.system][row.measure].values()
            if not lower_is_better(row.measure) and len(values) > 1 and not any(values):
                reasons.append('it finds nothing')
        if reasons:
            found.append(Regression(row.system, comparison.names[row.measure], base, row.mean, p, ', '.join(reasons)))
    return found


class Shortfall(NamedTuple):
    """A measure by which a system falls short: its name, that of the measure, its mean and the least that is asked for.
    """
    system: str
    measure: str
    mean: float
    least: float

    def __str__(self) -> str:
        return f'{self.system} falls short by {self.measure}: {figure(self.mean, 4)} is below {self.least:g}'


def shortfalls(comparison: SystemComparison, least: Mapping[Measure | str, float]) -> list[Shortfall]:
    """The measures by which systems fall short of least values: those of all systems but the baseline, or of the only
    one.

    Args:
        comparison: of the systems
        least: measure of the comparison → the mean that each system has to reach

    Raises:
        ValueError: the comparison has no such measure, its lower values are the better ones, or its mean is NaN

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import compare, shortfalls
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> comparison = compare(['T2I_MAP', 'MAiSP'], formats.read_qrels(sample.path('qrels.txt')), runs)
        >>> for found in shortfalls(comparison, {'MAiSP': 0.5}):
        ...     print(found)
        poor falls short by MAiSP: 0.2774 is below 0.5
    """
    found = []
    for asked, value in least.items():
        (measure, name), = names_as_asked(asked).items()
        if lower_is_better(measure):
            raise ValueError(f'{name} has no least value, since lower values are better: take another measure')
        _check_measured(comparison, measure, name, False)
        for system in [system for system in comparison.systems if system != comparison.baseline] or comparison.systems:
            mean = comparison.row(system, measure).mean
            if isnan(mean):
                raise ValueError(f'the mean of {name} is NaN for {system}, so that nobody can say whether it falls '
                                 'short: take another measure')
            if mean < value and not nearly_equal(mean, value):
                found.append(Shortfall(system, name, mean, value))
    return found


def least_value(text: str) -> tuple[str, float]:
    """The measure and its least value of a text such as ``'SegR(budget=2000)=0.85'``.

    Raises:
        ValueError: the text is not of this form

    Examples:
        >>> from ir_segmeasures.study.gate import least_value
        >>> least_value('SegR(budget=2000)=0.85')
        ('SegR(budget=2000)', 0.85)
    """
    measure, _, value = text.rpartition('=')
    try:
        if measure and isfinite(number := float(value)):
            return measure, number
    except ValueError:
        pass
    raise ValueError(f'{quoted(text)} is not a measure and its least value: write both as MAiSP=0.5')


def _check_measured(comparison: SystemComparison, measure: Measure, name: str, of_baseline: bool = True) -> None:
    """Raises a ValueError where a measure is not compared, or nothing was measured by it."""
    if measure not in comparison.names:
        raise ValueError(f'{name} is none of the measures that are compared: add it to them')
    if lower_is_better(measure):
        found = {value for by_measure in comparison.by_query.values() for value in by_measure[measure].values()}
        nothing, whose = len(found) == 1 and found != {0.} and len(comparison.systems) > 1, 'one value for all systems'
    else:
        systems = [comparison.baseline] if of_baseline else comparison.systems
        nothing = not any(value for system in systems for value in comparison.by_query[system][measure].values())
        whose = f'0 for {joined(systems)}'
    if nothing:
        raise ValueError(f'nothing was measured: {name} is {whose} in all queries, so that nobody can say what is '
                         'worse: check that runs and qrels have the same ids, and that something is judged relevant')


def _p(row: Beside, comparison: SystemComparison) -> float:
    assert row.p is not None
    if not isnan(row.p):
        return row.p
    values, base = (comparison.by_query[system][row.measure] for system in (row.system, comparison.baseline))
    return p_value('randomisation', values, base, 0)


def summary(comparison: SystemComparison, verdict: str = '', places: int | None = None, queries: int = 5,
            warnings: Iterable[str] = ()) -> str:
    r"""A comparison in Markdown, for the page of a change: the verdict, the warnings, the table, and the queries that
    differ most.

    Args:
        comparison: of the systems with their baseline
        verdict: a sentence about them, which stands first
        places: decimals of numbers; not given: 4
        queries: how many queries are listed for each measure and system
        warnings: of the evaluation, a line each

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import compare
        >>> from ir_segmeasures.study.gate import summary
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> comparison = compare('MAiSP', formats.read_qrels(sample.path('qrels.txt')), runs)
        >>> print(*summary(comparison, 'poor is worse').splitlines()[:6], sep='\n')
        **poor is worse**
        <BLANKLINE>
        | system | MAiSP |
        |---|---:|
        | good | **0.6131** |
        | poor | 0.2774\* (-0.3357) |
    """
    parts = [f'**{_plain(verdict)}**\n'] if verdict else []
    parts += [''.join(f'- {_plain(warning)}\n' for warning in warnings)] if (warnings := list(warnings)) else []
    parts.append(render(comparison, 'markdown', places))
    top = [{'measure': comparison.names[measure], 'system': system, 'query': query, 'value': value,
            comparison.baseline: base, 'difference': value - base}
           for measure, system, query, value, base in comparison.top(queries)]
    if top:
        parts.append('<details><summary>Queries that differ most</summary>\n\n' + render(top, 'markdown', places)
                     + '\n</details>\n')
    return '\n'.join(parts)


def _plain(text: str) -> str:
    return ''.join(f'\\{sign}' if sign in '\\*_`<>[]|' else sign for sign in text)
