"""Which system is better, for which queries, and how sure one can be: systems beside a baseline, measure by measure.

The tests are those of pt.Experiment, whose figures come out: over all judged queries, paired by query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import gt, lt
from typing import Any

import numpy as np
from ir_measures import Measure

from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.study.scores import ByQuery, lower_is_better, mean, parsed, same, scores, statistics
from ir_segmeasures.study.tables import Beside, SystemComparison

__all__ = ['CORRECTIONS', 'TESTS', 'Beside', 'SystemComparison', 'compare']

TESTS = ('t', 'randomisation')
CORRECTIONS = ('holm', 'bonferroni', 'none')
_RESAMPLES = 9_999  # of the randomisation test and of the bootstrap


def compare(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Mapping[str, Any],
            baseline: str | None = None, test: str = 't', correction: str = 'holm',
            confidence: float | None = None, seed: int = 0, progress: bool = False) -> SystemComparison:
    """Systems beside a baseline: means, differences, a paired test by query, wins and losses.

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
    """
    asked = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    if not runs:
        raise ValueError('there is no run to compare: give at least one, and two or more for differences')
    _refuse(runs, baseline, test, correction, confidence)  # before the work
    found = scores(parsed(asked), qrels, runs, progress)
    return compare_scores(asked, found, baseline, test, correction, confidence, seed)


def compare_scores(measures: Iterable[Measure | str] | Measure | str,
                   found: Mapping[str, Mapping[Measure, ByQuery]], baseline: str | None = None, test: str = 't',
                   correction: str = 'holm', confidence: float | None = None, seed: int = 0) -> SystemComparison:
    """As :func:`compare`, of values that are there already: ``found`` is system → measure → judged query → value."""
    asked = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    measures = parsed(asked)
    baseline = _refuse(found, baseline, test, correction, confidence)
    if not found[baseline][measures[0]]:
        raise ValueError('the qrels judge no query, so there is nothing to compare by: give other qrels')
    rows = []
    for measure in measures:
        others = [system for system in found if system != baseline]
        base = found[baseline][measure]
        p = [p_value(test, found[system][measure], base, seed) for system in others]
        beside = {baseline: Beside(baseline, measure, mean(base.values()))}
        for system, uncorrected, corrected in zip(others, p, _corrected(p, correction)):
            values = found[system][measure]
            wins, losses, ties = _counts(values, base, lower_is_better(measure))
            average = mean(values.values())
            beside[system] = Beside(system, measure, average, average - beside[baseline].mean, uncorrected, corrected,
                                    wins, losses, ties)
        if confidence is not None:
            for system, row in beside.items():
                low, high = _interval(list(found[system][measure].values()), confidence, seed)
                beside[system] = row._replace(low=low, high=high)
        rows += [beside[system] for system in found]
    names = {parsed(measure)[0]: str(measure) for measure in reversed(asked)}
    return SystemComparison(rows, baseline, found, {measure: names[measure] for measure in measures})


def _refuse(systems: Iterable[str], baseline: str | None, test: str, correction: str, confidence: float | None) -> str:
    """The baseline. Raises ValueError for what is none of those that there are."""
    systems = list(systems)
    baseline = systems[0] if baseline is None else baseline
    for name, value, known in (('baseline', baseline, systems), ('test', test, TESTS),
                               ('correction', correction, CORRECTIONS)):
        if value not in known:
            raise ValueError(f'{name}={shown(value)} is none of those that there are: take '
                             f'{" or ".join(map(repr, known))}')
    if confidence is not None and not 0 < confidence < 1:
        raise ValueError(f'confidence={shown(confidence)} is no level: take a number between 0 and 1, such as 0.95')
    return baseline


def _counts(values: ByQuery, base: ByQuery, lower: bool) -> tuple[int, int, int]:
    differing = [query for query in base if not same(values[query], base[query])]
    above, below = (sum(compared(values[query], base[query]) for query in differing) for compared in (gt, lt))
    ties = len(base) - above - below  # where one is NaN, neither is better
    return (below, above, ties) if lower else (above, below, ties)


def p_value(test: str, values: ByQuery, base: ByQuery, seed: int) -> float:
    """The two-sided p-value of the paired test; 1 where no query makes a difference, NaN where a value is NaN or there
    is one query only."""
    differences = np.array([0. if same(values[query], base[query]) else values[query] - base[query] for query in base])
    if np.isnan(differences).any():
        return float('nan')
    if not differences.any() or (len(differences) < 2 and test == 'randomisation'):
        return 1.
    if test == 't':
        if len(differences) < 2:
            return float('nan')
        if same(differences.min(), differences.max()):
            return 0.  # SciPy says so with a warning
        return float(statistics().ttest_1samp(differences, 0).pvalue)
    return float(statistics().permutation_test((differences,), np.mean, permutation_type='samples', vectorized=True,
                                               n_resamples=_RESAMPLES, rng=np.random.default_rng(seed)).pvalue)


def _corrected(p: Sequence[float], correction: str) -> list[float]:
    """The p-values, corrected for their number (Bonferroni; Holm 1979, step by step from the smallest)."""
    values, number = np.array(p, float), len(p)
    if correction == 'bonferroni':
        values = np.minimum(1, number * values)
    elif correction == 'holm':
        order = np.argsort(values, kind='stable')
        values[order] = np.minimum(1, np.maximum.accumulate(values[order] * np.arange(number, 0, -1)))
    return values.tolist()


def _interval(values: Sequence[float], confidence: float, seed: int) -> tuple[float, float]:
    if np.isnan(values).any():
        return float('nan'), float('nan')
    if np.ptp(values) == 0 or len(values) < 2:
        return values[0], values[0]
    found = statistics().bootstrap((values,), np.mean, confidence_level=confidence, method='percentile',
                                   n_resamples=_RESAMPLES, rng=np.random.default_rng(seed)).confidence_interval
    return float(found.low), float(found.high)
