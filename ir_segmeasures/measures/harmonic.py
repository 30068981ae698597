"""Sums of reciprocals of consecutive whole numbers, in constant time."""

from typing import Any

import numpy as np

__all__ = ['harmonic_difference']

_EXACT = 16  # from here on the expansion is exact to double precision


def harmonic_difference(d: Any, L: Any) -> Any:
    """Return ``H(d + L) - H(d) = Σ_{i=1..L} 1 / (d + i)`` for whole d and L, numbers or arrays, with H the harmonic
    numbers.

    Examples:
        >>> from ir_segmeasures.measures.harmonic import harmonic_difference
        >>> round(float(harmonic_difference(2, 2)), 6)  # 1/3 + 1/4
        0.583333
    """
    d, L = np.asarray(d, float), np.asarray(L, float)
    total = np.zeros(np.broadcast(d, L).shape)
    for _ in range(_EXACT):
        by_hand = (d < _EXACT) & (L > 0)
        if not by_hand.any():
            break
        d, L = d + by_hand, L - by_hand
        total += by_hand / np.maximum(d, 1)
    d, rest = np.maximum(d, 1), np.maximum(L, 0)
    return total + np.log1p(rest / d) + np.where(rest > 0, _harmonic(d + rest) - _harmonic(d), 0)


def _harmonic(n: Any) -> Any:
    # H(n) without the constant and log(n): the expansion of digamma(n + 1) at infinity.
    s = 1 / (n * n)
    return 1 / (2 * n) - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))))
