"""Separation of systems by measures: the discriminative power, the share of the pairs that a measure tells apart.

Source: Sakai. Evaluating Evaluation Metrics based on the Bootstrap. SIGIR 2006. Its p-values are of a bootstrap test;
here they are of the paired tests of :func:`~ir_segmeasures.study.compare`.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.study.scores import parse_measures, relevant_scores
from ir_segmeasures.study.statistics import TESTS, check_choice, check_level, p_values

__all__ = ['Power', 'power']


class Power(NamedTuple):
    """The discriminative power of a measure.

    Attributes:
        measure: the measure
        share: of the pairs, those with p below the level, in [0, 1]
        separated, pairs: the number of these pairs, and of all pairs
        asl: the p-value (achieved significance level) of each pair, from the highest: Sakai's ASL curve
    """
    measure: Measure
    share: float
    separated: int
    pairs: int
    asl: list[float]


def power(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Mapping[str, Any], test: str = 't',
          level: float = 0.05, rel: float = 1, seed: int = 0, progress: bool = False) -> list[Power]:
    """The discriminative power of each measure.

    Args:
        measures: one or more
        qrels, runs: in any shape of ir-measures; two runs or more, by name
        test, seed: as for :func:`~ir_segmeasures.study.compare`; no correction
        level: p below it separates two systems
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: fewer than two runs, an unknown test, a level outside (0, 1), or no query with a relevant judgement
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import power
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> runs['half'] = runs['good'][::2]
        >>> for row in power(['T2I_MAP', 'MAiSP'], qrels, runs):
        ...     print(row.measure, row.separated, row.pairs, [round(p, 3) for p in row.asl])
        T2I_MAP 2 3 [0.794, 0.006, 0.005]
        MAiSP 2 3 [0.148, 0.007, 0.001]
    """
    measures = parse_measures(measures)
    check_choice('test', test, TESTS)
    check_level('level', level, 0.05)
    answer = []
    for measure, values in relevant_scores(measures, qrels, runs, rel, 2, progress).items():
        asl = sorted(p_values(test, combinations(values.values(), 2), seed),
                     key=lambda p: (p != p, -p))  # NaN, of one query only, last
        separated = sum(p < level for p in asl)
        answer.append(Power(measure, separated / len(asl), separated, len(asl), asl))
    return answer
