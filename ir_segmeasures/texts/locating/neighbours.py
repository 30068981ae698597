"""Chunks in the order of their document: which of the places of each fits the places of its neighbours best."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ['Places', 'likeliest']

_NEAR = 16  # letters between two chunks that touch each other, at most
_APART, _BACK = 1.0, 2.0  # what it costs if a chunk follows without touching, and if it does not begin and end later
_SAME = 1e-9  # a difference of costs that is none, since sums are rounded


class Places(NamedTuple):
    """The places at which a chunk may stand, sorted by their starts and by their ends.

    Attributes:
        starts, ends: in characters
        first, last: how many letters of the text stand before the start and before the end
        costs: how much each place lacks, from 0 to less than 1
    """
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    costs: NDArray[np.float64]


def likeliest(chain: Sequence[Places]) -> list[NDArray[np.bool_]]:
    """The places of each chunk that are in a reading of the chain with the least cost, as masks.

    A reading takes one place for each chunk. It costs nothing if each touches or overlaps the one before, and more for
    each that does not, or that does not begin and end behind the one before.
    """
    forward = [chain[0].costs]
    for here, following in pairwise(chain):
        costs = forward[-1]
        earlier = np.minimum(np.searchsorted(here.starts, following.starts), np.searchsorted(here.ends, following.ends))
        touching = np.searchsorted(here.last, following.first - _NEAR)
        apart = np.append(np.inf, np.minimum.accumulate(costs))[earlier]
        forward.append(following.costs + _least(costs, apart, touching, earlier))
    backward = [np.zeros(len(chain[-1].costs))]
    for following, here in pairwise(chain[::-1]):
        costs = backward[-1] + following.costs
        later = np.maximum(np.searchsorted(following.starts, here.starts, 'right'),
                           np.searchsorted(following.ends, here.ends, 'right'))
        touching = np.searchsorted(following.first, here.last + _NEAR, 'right')
        apart = np.append(np.minimum.accumulate(costs[::-1])[::-1], np.inf)[later]
        backward.append(_least(costs, apart, later, touching))
    totals = [before + behind for before, behind in zip(forward, reversed(backward))]
    return [total <= total.min() + _SAME for total in totals]


def _least(costs: NDArray[np.float64], apart: NDArray[np.float64], first: NDArray[np.int64], last: NDArray[np.int64],
           ) -> NDArray[np.float64]:
    """The least cost of coming from a neighbour's place: from one that touches, one apart, or any.

    Args:
        costs: of the neighbour's places
        apart: the least of those on the right side
        first, last: from and to which of them touch
    """
    bounds = np.stack([first, np.maximum(first, last)], axis=1).ravel()
    touching = np.where(first < last, np.minimum.reduceat(np.append(costs, np.inf), bounds)[::2], np.inf)
    return np.minimum(np.minimum(costs.min() + _BACK, apart + _APART), touching)
