"""Parameters of measures, and the means and the order of systems over a range of one parameter.

Source: this project. Users differ, so a tolerance, a bin or a weight is an assumption. Where the order of the systems
stays the same over a range of it, a result does not depend on that assumption.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.study.scores import parse_measures, relevant_scores
from ir_segmeasures.study.statistics import kendall, mean

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
        parameter, values: the parameter that varies and its values, such as ``'tau'`` and ``(5, 10, 15, 30, 60)``
        qrels: in any shape of ir-measures
        runs: name of a system → its run, in any shape of ir-measures
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: no value, no run, a parameter or value that the measure does not have, or no query with a relevant
            judgement
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import sensitivity
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> for setting in sensitivity('T2I_MAP', 'tau', [5, 30], qrels, runs):
        ...     print(setting.value, *(round(mean, 3) for mean in setting.means.values()), setting.kendall)
        5 0.454 0.08 1.0
        30 0.552 0.164 1.0
    """
    default, = parse_measures(measure)
    settings = [(value, default(**{parameter: value})) for value in values]
    if not settings:
        raise ValueError(f'there is no value of {parameter} to try: give at least one')
    scores = relevant_scores(parse_measures([default, *(varied for _, varied in settings)]), qrels, runs, rel,
                             progress=progress)
    means = {measure: {name: mean(values.values()) for name, values in systems.items()}
             for measure, systems in scores.items()}
    return [Setting(value, varied, means[varied], kendall(list(means[default].values()), list(means[varied].values())))
            for value, varied in settings]
