"""Gates before changes are merged: the measures by which a system is worse than a baseline, or falls short of a least
value.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf, isfinite, isnan
from typing import NamedTuple

from ir_measures import Measure

from ir_segmeasures.segments.basics import joined, quoted
from ir_segmeasures.study.comparison import Beside, SystemComparison
from ir_segmeasures.study.scores import lower_is_better, names_as_asked
from ir_segmeasures.study.statistics import ByQuery, check_level, check_setting, corrected_p, nearly_equal, p_value
from ir_segmeasures.study.tables import MARKDOWN, figure, p_figure, render

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
                tolerance: float | None = None, correction: str = 'holm',
                nothing: Mapping[Measure, ByQuery] | None = None) -> list[Regression]:
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
        nothing: measure → query → the value of a baseline that finds nothing, by which it is seen that nothing was
            measured where lower values are better

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
    check_setting('tolerance', tolerance, tolerance is None or 0 <= tolerance < inf, 'a difference, a number from 0 up')
    wanted = names_as_asked(measures) if (measures := list(measures)) else comparison.names
    for measure, name in wanted.items():
        _check_measured(comparison, measure, name, [comparison.baseline], (nothing or {}).get(measure))
    rows = [row for row in comparison.rows if row.measure in wanted and row.system != comparison.baseline]
    found = []
    for row, p in zip(rows, corrected_p([_p(row, comparison) for row in rows], correction)):
        name, lower = comparison.names[row.measure], lower_is_better(row.measure)
        mean, base = (_checked_mean(comparison, system, row.measure, name)
                      for system in (row.system, comparison.baseline))
        loss = mean - base if lower else base - mean
        values = comparison.by_query[row.system][row.measure].values()
        reasons = {f'p {p_figure(p)} < {alpha:g}': p < alpha,
                   f'more than {tolerance or 0:g}': tolerance is not None and loss > tolerance and not nearly_equal(
                       loss, tolerance),
                   'it finds nothing': not lower and len(values) > 1 and not any(values)}
        if loss > 0 and not nearly_equal(mean, base) and any(reasons.values()):
            found.append(Regression(row.system, name, base, mean, p, ', '.join(
                reason for reason, holds in reasons.items() if holds)))
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
        _check_measured(comparison, measure, name, comparison.systems)
        for system in [system for system in comparison.systems if system != comparison.baseline] or comparison.systems:
            mean = _checked_mean(comparison, system, measure, name)
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
    with suppress(ValueError):
        if measure and isfinite(number := float(value)):
            return measure, number
    raise ValueError(f'{quoted(text)} is not a measure and its least value: write both as MAiSP=0.5')


def _check_measured(comparison: SystemComparison, measure: Measure, name: str, systems: Sequence[str],
                    nothing: ByQuery | None = None) -> None:
    """Raises a ValueError where a measure is not compared, or all of the systems have the values of finding nothing."""
    if measure not in comparison.names:
        raise ValueError(f'{name} is none of the measures that are compared, {", ".join(comparison.names.values())}: '
                         'add it to them')
    values, lower = [comparison.by_query[system][measure] for system in systems], lower_is_better(measure)
    if all(found == (nothing if lower else dict.fromkeys(found, 0)) for found in values):
        value = 'as if nothing were found' if lower else '0'
        raise ValueError(f'nothing was measured: {name} is {value} for {joined(systems)} in all queries: check that '
                         'runs and qrels have the same ids, and that something is judged relevant')


def _checked_mean(comparison: SystemComparison, system: str, measure: Measure, name: str) -> float:
    mean = comparison.row(system, measure).mean
    if isnan(mean):
        raise ValueError(f'the mean of {name} is NaN for {system}, so that nobody can say which is worse: take another '
                         'measure')
    return mean


def _p(row: Beside, comparison: SystemComparison) -> float:
    values, base = (comparison.by_query[system][row.measure] for system in (row.system, comparison.baseline))
    return p_value('randomisation', values, base, 0) if row.p is None or isnan(row.p) else row.p


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
    top = render(found, 'markdown', places) if (found := comparison.top(queries)) else ''
    return '\n'.join(filter(None, (
        f'**{verdict.translate(MARKDOWN)}**\n' if verdict else '',
        ''.join(f'- {warning.translate(MARKDOWN)}\n' for warning in warnings), render(
            comparison, 'markdown', places, note=comparison.method),
        f'<details><summary>Queries that differ most</summary>\n\n{top}\n</details>\n' if top else '')))
