"""Comparisons and roundings that give, on floats, the results of exact arithmetic on the decimals as written."""

from math import floor, isclose
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints

__all__ = ['TOLERANCE', 'lowest_reaching', 'reached', 'round_down', 'round_each_up']

TOLERANCE = 1e-9  # relative


def reached(value: float, threshold: float) -> bool:
    """Whether ``value >= threshold``, for sums and products of decimals.

    Examples:
        >>> from ir_segmeasures.measures.rounding import reached
        >>> 0.1 + 0.7 >= 0.8, reached(0.1 + 0.7, 0.8)
        (False, True)
    """
    return value >= lowest_reaching(threshold)


def lowest_reaching(threshold: Any) -> Any:
    """The lowest value that is taken to reach a threshold, for sums and products of decimals."""
    return threshold * (1 - TOLERANCE)


def round_each_up(values: Floats) -> Ints:
    """The ceiling of each value, for quotients and products of decimals that are 0 or more."""
    nearest = np.rint(values)
    is_close = np.abs(values - nearest) <= TOLERANCE * np.maximum(values, nearest)
    return np.where(is_close, nearest, np.ceil(values)).astype(np.intp)


def round_down(value: float) -> int:
    """Return ``floor(value)``, for quotients of decimals.

    Examples:
        >>> from ir_segmeasures.measures.rounding import round_down
        >>> 0.3 / 0.1, round_down(0.3 / 0.1)
        (2.9999999999999996, 3)
    """
    nearest = round(value)
    return nearest if isclose(value, nearest, rel_tol=TOLERANCE) else floor(value)
