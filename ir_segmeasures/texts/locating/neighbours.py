"""Chunks in the order of their document: which of the places of each fits the places of its neighbours best."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Array, Bools, Floats

__all__ = ['Places', 'likeliest']

_NEAR = 16  # letters between two chunks that touch each other, at most
_CLOSE = 200  # letters between two that may have lost some, at most
_LOST, _APART, _BACK = 0.3, 1.0, 2.0  # what it costs if a chunk follows so closely, farther away, or not at all
_OMITTED, _MOST_OMITTED = 1.2, 2  # what it costs to leave a chunk out, and how many are left out in a row
_SAME = 1e-9  # a difference of costs that is none, since sums are rounded


class Places(NamedTuple):
    """The places at which a chunk may stand, sorted by their starts and by their ends.

    Attributes:
        starts, ends: in characters
        first, last: how many letters of the text stand before the start and before the end
        costs: how much each place lacks, from 0 to less than 1
    """
    starts: Array[np.int64]
    ends: Array[np.int64]
    first: Array[np.int64]
    last: Array[np.int64]
    costs: Floats


def likeliest(chain: Sequence[Places]) -> list[Bools]:
    """The places of each chunk that are in a reading of the chain with the least cost, as masks.

    A reading takes one place for each chunk, or leaves up to two in a row out. It costs nothing if each touches or
    overlaps the one before, and more for each that does not, that does not begin and end behind the one before, or that
    is left out.
    """
    forward: list[Floats] = []
    for number, places in enumerate(chain):
        ways = [np.full(len(places.costs), number * _OMITTED)] if number <= _MOST_OMITTED else []
        ways += [_following(forward[other], chain[other], places) + (number - other - 1) * _OMITTED
                 for other in range(max(0, number - _MOST_OMITTED - 1), number)]
        forward.append(places.costs + np.minimum.reduce(ways))
    count = len(chain)
    backward: list[Floats] = [np.empty(0)] * count  # without the costs of the place itself
    for number in range(count - 1, -1, -1):
        places, left = chain[number], count - 1 - number
        ways = [np.full(len(places.costs), left * _OMITTED)] if left <= _MOST_OMITTED else []
        ways += [(other - number - 1) * _OMITTED
                 + _preceding(backward[other] + chain[other].costs, chain[other], places)
                 for other in range(number + 1, min(count, number + _MOST_OMITTED + 2))]
        backward[number] = np.minimum.reduce(ways)
    totals = [before + behind for before, behind in zip(forward, backward)]
    least = min(total.min() for total in totals)
    return [total <= least + _SAME for total in totals]


def _following(costs: Floats, here: Places, following: Places) -> Floats:
    """The least cost of coming to each of the following places from the places here, which cost so much."""
    earlier = np.minimum(np.searchsorted(here.starts, following.starts), np.searchsorted(here.ends, following.ends))
    apart = np.append(np.inf, np.minimum.accumulate(costs))[earlier]
    near, close = (_within(costs, np.searchsorted(here.last, following.first - letters), earlier)
                   for letters in (_NEAR, _CLOSE))
    return _least(costs, apart, near, close)


def _preceding(costs: Floats, following: Places, here: Places) -> Floats:
    """The least cost of going on from each of the places here to the following ones, which cost so much."""
    later = np.maximum(np.searchsorted(following.starts, here.starts, 'right'),
                       np.searchsorted(following.ends, here.ends, 'right'))
    apart = np.append(np.minimum.accumulate(costs[::-1])[::-1], np.inf)[later]
    near, close = (_within(costs, later, np.searchsorted(following.first, here.last + letters, 'right'))
                   for letters in (_NEAR, _CLOSE))
    return _least(costs, apart, near, close)


def _least(costs: Floats, apart: Floats, near: Floats, close: Floats) -> Floats:
    """The least cost of coming from a neighbour's place: from any, or one that is apart, close or touches."""
    return np.minimum.reduce([np.broadcast_to(costs.min() + _BACK, apart.shape), apart + _APART, close + _LOST, near])


def _within(costs: Floats, first: Array[np.int64], last: Array[np.int64]) -> Floats:
    """The least of the costs from each first to each last, infinite where there are none."""
    bounds = np.stack([first, np.maximum(first, last)], axis=1).ravel()
    return np.where(first < last, np.minimum.reduceat(np.append(costs, np.inf), bounds)[::2], np.inf)
