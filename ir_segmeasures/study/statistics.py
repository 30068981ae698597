"""Statistics of values of measures: means, rank correlations, paired tests, corrections, bootstrap intervals.

SciPy, of the extra ``study``, is imported when it is first needed.
"""

from collections.abc import Iterable, Sequence
from math import fsum, isclose, nan
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import Floats, needed, quoted

TESTS = ('t', 'randomisation')
CORRECTIONS = ('holm', 'bonferroni', 'none')
RESAMPLES = 9_999  # of the randomisation test and of the bootstrap
_AT_ONCE = 1_000_000  # values of resamples: SciPy draws the same ones in batches, and needs 32 MB for each million

ByQuery = dict[str, float]  # query → value of a measure


def check_choice(name: str, value: Any, choices: Iterable[Any]) -> Any:
    """The value of a setting, if it is one of the choices. Raises a ValueError for another."""
    if value not in (choices := list(choices)):
        raise ValueError(f'{name}={quoted(value)} is none of those that there are: take '
                         f'{" or ".join(map(repr, choices))}')
    return value


def check_setting(name: str, value: Any, right: bool, repair: str) -> None:
    """Raises a ValueError for the value of a setting that is not right; ``repair`` says what is."""
    if not right:
        raise ValueError(f'{name}={quoted(value)} cannot be: give {repair}')


def check_level(name: str, value: float | None, example: float) -> None:
    """Raises a ValueError for a level of significance or confidence that is given and not between 0 and 1."""
    check_setting(name, value, value is None or 0 < value < 1, f'a number between 0 and 1, such as {example}')


def scipy_module(name: str) -> Any:
    """A module of SciPy, such as ``'stats'``.

    Raises:
        ImportError: SciPy is not installed
    """
    return needed(f'scipy.{name}', 'the studies need SciPy', 'study')


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean of at least one value."""
    values = list(values)
    return fsum(values) / len(values)


def nearly_equal(a: float, b: float) -> bool:
    """Tells whether two values of a measure differ by no more than rounding."""
    return isclose(a, b, abs_tol=1e-12)


def differences(values: ByQuery, base: ByQuery) -> ByQuery:
    """The difference of each query, 0 where both differ by no more than rounding."""
    return {query: 0. if nearly_equal(values[query], base[query]) else values[query] - base[query] for query in base}


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r of two columns, in [-1, 1]; None where one of them is constant."""
    return _correlation('pearsonr', first, second)


def kendall(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau (tau-b, which corrects for ties) of two columns, in [-1, 1]; None where one of them is constant."""
    return _correlation('kendalltau', first, second)


def _correlation(name: str, first: Sequence[float], second: Sequence[float]) -> float | None:
    # Values that differ by rounding are a tie.
    first, second = ([float(f'{value:.10g}') for value in column] for column in (first, second))
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return float(getattr(scipy_module('stats'), name)(first, second).statistic)


def p_value(test: str, values: ByQuery, base: ByQuery, seed: int) -> float:
    """The two-sided p-value of a paired test: see :func:`p_values`."""
    return p_values(test, [(values, base)], seed)[0]


def p_values(test: str, pairs: Iterable[tuple[ByQuery, ByQuery]], seed: int) -> list[float]:
    """The two-sided p-values of a paired test, of one pair after another.

    Args:
        test: one of ``TESTS``: Student's t-test, or the randomisation test of the signs of the differences, exact where
            there are few queries, else of 9,999 samples
        pairs: query → value of two systems, both for the same queries
        seed: of the samples, which are the same ones for all pairs

    Returns:
        numbers in [0, 1]: 1 where no query makes a difference; NaN where a value is NaN, or there is one query
        for the t-test; 0 where all differences are equal, as SciPy says: see :func:`equal_differences`
    """
    gains = [np.array(list(differences(values, base).values())) for values, base in pairs]
    p = np.array([nan if np.isnan(found).any() else 1. for found in gains])
    tested = [row for row, found in enumerate(gains) if p[row] == 1 and found.any()]
    if test == 't':
        for row in tested:
            found, equal = gains[row], nearly_equal(gains[row].min(), gains[row].max())  # SciPy says 0 with a warning
            p[row] = nan if len(found) < 2 else 0. if equal else scipy_module('stats').ttest_1samp(found, 0).pvalue
        return p.tolist()
    for queries in {len(gains[row]) for row in tested} - {1}:  # at once, since the samples take most of the time
        rows = [row for row in tested if len(gains[row]) == queries]
        p[rows] = _randomisation_p(np.array([gains[row] for row in rows]), seed)
    return p.tolist()


def _randomisation_p(differences: Floats, seed: int) -> list[float]:
    """The p-value of each row of differences, of :func:`scipy.stats.permutation_test` to the last digit. That would
    make all samples of all rows, of which a product of matrices needs the signs alone."""
    queries = differences.shape[1]
    if 2 ** queries <= RESAMPLES:
        found: list[float] = scipy_module('stats').permutation_test(
            (differences,), np.mean, permutation_type='samples', vectorized=True, axis=1).pvalue.tolist()
        return found
    draws, rng = _batch(queries), np.random.default_rng(seed)
    totals = differences.sum(1)
    rounding = 100 * np.finfo(float).eps * abs(totals)
    below = above = np.ones(len(differences), int)  # what was found itself is a sample
    for first in range(0, RESAMPLES, draws):
        # A pair of signs that Generator.permuted shuffles changes places where the last of 32 bits is 0.
        kept = rng.integers(2 ** 32, size=(draws, queries), dtype=np.uint32) & 1
        sums = (2. * kept[:RESAMPLES - first] - 1) @ differences.T
        below = below + (sums <= totals + rounding).sum(0)
        above = above + (sums >= totals - rounding).sum(0)
    return np.minimum(1, 2 * np.minimum(below, above) / (RESAMPLES + 1)).tolist()


def equal_differences(values: ByQuery, base: ByQuery) -> bool:
    """Tells whether all queries have the same difference, by whose spread of 0 the t-test would divide."""
    found = [values[query] - base[query] for query in base]
    return nearly_equal(min(found), max(found))


def corrected_p(p: Sequence[float], correction: str) -> list[float]:
    """The p-values, corrected for their number.

    Args:
        p: the p-values, in any order
        correction: one of ``CORRECTIONS``: Holm's of 1979, step by step from the smallest, Bonferroni's, or none
    """
    values, number = np.array(p, float), len(p)
    if correction == 'bonferroni':
        values = np.minimum(1, number * values)
    elif correction == 'holm':
        order = np.argsort(values, kind='stable')
        values[order] = np.minimum(1, np.maximum.accumulate(values[order] * np.arange(number, 0, -1)))
    return values.tolist()


def bootstrap_interval(values: Sequence[float], confidence: float, seed: int) -> tuple[float, float]:
    """The bootstrap interval of the mean of the values: percentiles of the means of 9,999 samples.

    Returns:
        its low and its high end, both NaN where a value is NaN
    """
    if np.isnan(values).any():
        return nan, nan
    if np.ptp(values) == 0 or len(values) < 2:
        return values[0], values[0]
    found = scipy_module('stats').bootstrap((values,), np.mean, confidence_level=confidence, method='percentile',
                                    n_resamples=RESAMPLES, batch=_batch(len(values)),
                                    rng=np.random.default_rng(seed)).confidence_interval
    return float(found.low), float(found.high)


def _batch(n: int) -> int:
    """How many resamples of so many values are made at once."""
    return min(RESAMPLES, max(1, _AT_ONCE // n))
