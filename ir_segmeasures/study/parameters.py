"""What a parameter of a measure changes: the means of the systems, and their order.

Source: this project's own. Users differ, so a tolerance, a bin or a weight is an assumption; that the order of the
systems holds over a range of it is what makes a result independent of it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.study.scores import kendall, mean, parsed, relevant_queries, scores

__all__ = ['Setting', 'sensitivity']


class Setting(NamedTuple):
    """A measure with one value of the parameter.

    Attributes:
        value: of the parameter
        measure: the measure with it
        means: name of a system → its mean over the queries with relevant content
        kendall: Kendall's tau (tau-b) in [-1, 1] between these means and those of the measure as it was given; None
            where either gives all systems the same mean, or where there is one system only
    """
    value: Any
    measure: Measure
    means: dict[str, float]
    kendall: float | None


def sensitivity(measure: Measure | str, parameter: str, values: Iterable[Any], qrels: Any, runs: Mapping[str, Any],
                rel: float = 1, progress: bool = False) -> list[Setting]:
    """The means of the systems for each value of one parameter, and how far they keep the order of the default.

    Args:
        measure: the default, such as ``T2I_AP`` or ``'T2I_AP(keepviewing=True)'``
        parameter, values: what varies, such as ``'tau'`` and ``(5, 10, 15, 30, 60)``
        qrels: in any shape of ir-measures
        runs: name of a system → its run, in any shape of ir-measures
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: no value, no run, a parameter or value that the measure does not have, or no query with a relevant
            judgement
        ImportError: SciPy is not installed
    """
    default, = parsed(measure)
    settings = [(value, default(**{parameter: value})) for value in values]
    if not settings:
        raise ValueError(f'there is no value of {parameter} to try: give at least one')
    if not runs:
        raise ValueError('there is no run to measure: give at least one, and two or more for a rank correlation')
    qrels, queries = relevant_queries(qrels, rel)
    found = scores(parsed([default, *(varied for _, varied in settings)]), qrels, runs, progress)

    def means(measure: Measure) -> dict[str, float]:
        return {name: mean(found[name][measure][query] for query in queries) for name in runs}

    usual = list(means(default).values())
    return [Setting(value, varied, by_system, kendall(usual, list(by_system.values())))
            for value, varied in settings for by_system in (means(varied),)]
