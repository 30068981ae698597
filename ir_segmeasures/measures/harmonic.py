"""Sums of reciprocals of consecutive whole numbers, in constant time."""

from math import log1p

__all__ = ['FEW_TERMS', 'harmonic_difference']

FEW_TERMS = 1000  # so many terms are added one by one as quickly, and exactly as by hand


def harmonic_difference(d: float, L: float) -> float:
    """Return ``H(d + L) - H(d) = Σ_{i=1..L} 1 / (d + i)`` for whole d and L, with H the harmonic numbers.

    Examples:
        >>> from ir_segmeasures.measures.harmonic import harmonic_difference
        >>> round(harmonic_difference(2, 2), 6)  # 1/3 + 1/4
        0.583333
    """
    total = 0.0
    while d < 16 and L > 0:  # the expansion is exact to double precision from here on
        d, L = d + 1, L - 1
        total += 1 / d
    return total + log1p(L / d) + _harmonic(d + L) - _harmonic(d) if L else total


def _harmonic(n: float) -> float:
    # H(n) without the constant and log(n): the expansion of digamma(n + 1) at infinity.
    s = 1 / (n * n)
    return 1 / (2 * n) - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))))
