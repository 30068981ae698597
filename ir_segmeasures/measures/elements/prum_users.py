"""The users of PRUM: how probable it is that they want to see more elements, and what they expect to have seen.

The user who knows which units are relevant stops when enough is found, or at the end of the list. The other user goes
on until enough is expected to have been seen, if need be through the rest of the collection. What follows from that is
in prum.py.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from typing import NamedTuple

import numpy as np

from ir_segmeasures.measures.stops import RECALL_TOLERANCE, lowest_reaching
from ir_segmeasures.segments.basics import Floats, Ints


class Sight(NamedTuple):
    """The units that the user may see at a rank (from 1) for the first time: places, with probabilities above 0."""
    rank: int
    units: dict[int, float]


class _Joint(NamedTuple):
    """How probable it is that so many relevant units have been seen (rows) and so many not (columns), from the numbers
    ``seen`` and ``unseen`` on.
    """
    p: Floats
    seen: int
    unseen: int

    def grown(self, irrelevant: float, seen: float, unseen: float) -> _Joint:
        """The joint with one more unit, which adds a row if it is relevant and seen, a column if it is relevant and not
        seen.
        """
        rows, columns = self.p.shape
        p = np.zeros((rows + (seen > 0), columns + (unseen > 0)))
        np.multiply(self.p, irrelevant, out=p[:rows, :columns])
        if seen:
            p[1:, :columns] += self.p * seen
        if unseen:
            p[:rows, 1:] += self.p * unseen
        return self._replace(p=p)

    def trimmed(self, negligible: float) -> _Joint:
        """The joint without its outer rows and columns: on each of four sides those that together are at most as
        probable as ``negligible``.
        """
        rows, columns = self.p.sum(1), self.p.sum(0)
        (top, bottom), (left, right) = ((int((line.cumsum() <= negligible).sum()),
                                         len(line) - int((line[::-1].cumsum() <= negligible).sum()))
                                        for line in (rows, columns))
        return _Joint(self.p[top:bottom, left:right], self.seen + top, self.unseen + left)


@lru_cache(maxsize=16)
def _needs(levels: tuple[float, ...], units: int) -> Ints:
    """For each level l and each number a of relevant units seen, from how many unseen ones b on the user wants more:
    a < l·(a + b), or b > a·(1 - l)/l.
    """
    level = np.array(levels)[:, None]
    found: Ints = np.floor(np.arange(units + 1) * (1 - level) / level * (1 + RECALL_TOLERANCE)).astype(np.intp) + 1
    return found


class StoppingUser:
    """How probable it is that the user wants to see more, rank by rank. Units are relevant independently.

    Args:
        worths: the probability of each unit to be relevant
        in_sight: what may be seen, by rank
        levels: the shares of the relevant units that the user may want
    """

    def __init__(self, worths: list[float], in_sight: list[Sight], levels: tuple[float, ...]):
        self._worths, self._sights = worths, in_sight
        self._need = _needs(levels, len(worths))
        self._seen = [0.] * len(worths)  # how probable it is that each unit has been seen
        # So little cannot be noticed: the elements consulted are at least the probability that anything is relevant.
        self._negligible = 1e-25 * -float(np.expm1(np.log1p(-np.minimum(worths, 1 - 1e-16)).sum()))

    def walk(self) -> Iterator[tuple[Floats, Floats]]:
        """For each sight, and once more after the last, for each level: how probable it is that the user wants to see
        more, and that this is so and nothing relevant is in sight.
        """
        return self._walk([*self._sights, Sight(0, {})], _Joint(np.ones((1, 1)), 0, 0), range(len(self._worths)))

    def _walk(self, sights: list[Sight], joint: _Joint, others: Iterable[int]) -> Iterator[tuple[Floats, Floats]]:
        """The walk for some of the sights; ``joint`` has all units but ``others``.

        Sights are halved until one is left, and units in no sight of a half go into its joint first: so no unit is ever
        taken out of a joint, by a division that would lose digits.
        """
        open = {place for sight in sights for place in sight.units}
        for place in others:
            if place not in open:
                joint = self._with(joint, place, 0)
        joint = joint.trimmed(self._negligible)
        if len(sights) > 1:
            half = len(sights) // 2
            yield from self._walk(sights[:half], joint, open)
            yield from self._walk(sights[half:], joint, open)
            return
        now = then = joint
        for place, p in sights[0].units.items():
            now, then = self._with(now, place, 0), self._with(then, place, p)
        yield self._wants(now), self._wants(then)
        for place, p in sights[0].units.items():
            self._seen[place] += (1 - self._seen[place]) * p

    def _with(self, joint: _Joint, place: int, p: float) -> _Joint:
        """The joint with one more unit, for the case that the unit is not both relevant and in sight for the first
        time; it is in sight with probability ``p``.
        """
        q, seen = self._worths[place], self._seen[place]
        return joint.grown(1 - q, q * seen, q * (1 - seen) * (1 - p))

    def _wants(self, joint: _Joint) -> Floats:
        rows, columns = joint.p.shape
        tails = np.zeros((rows, columns + 1))  # [a, b]: how probable it is that a have been seen and b or more have not
        tails[:, :columns] = joint.p[:, ::-1].cumsum(1)[:, ::-1]
        need = self._need[:, joint.seen:joint.seen + rows] - joint.unseen
        return tails[np.arange(rows), np.clip(need, 0, columns)].sum(1)


class ExpectingUser:
    """The user who goes on until so many relevant units are expected to have been seen, if need be through the whole
    collection.

    Args:
        worths: the probability of each unit to be relevant
        in_sight: what may be seen, by rank
        consulted: how many elements of the list
        listed: whether each unit is one of them
        rest: how many elements of the collection are none of them
    """

    def __init__(self, worths: list[float], in_sight: list[Sight], consulted: int, listed: list[bool], rest: int):
        self._total = np.ones(1)  # how probable each number of relevant units is
        for worth in worths:
            self._total = np.convolve(self._total, [1 - worth, worth])
        # For each sight its rank, how probably it leads to an unseen relevant unit, and how many more are seen.
        self._ranks, self._leads, more = [sight.rank for sight in in_sight], list[float](), list[float]()
        seen = [0.] * len(worths)
        for _, units in in_sight:
            new = {place: (1 - seen[place]) * p for place, p in units.items()}
            more.append(sum(worths[place] * p for place, p in new.items()))
            self._leads.append(1 - prod(1 - worths[place] * p for place, p in new.items()))
            for place, p in new.items():
                seen[place] += p
        self._leading, self._expected = ([0., *accumulate(each)] for each in (self._leads, more))
        self._consulted, self._rest = consulted, rest
        self._left = sum(worth * (1 - p) for worth, p, there in zip(worths, seen, listed) if not there)

    def precision(self, level: float) -> float:
        """At a recall level, the mean over the numbers of relevant units, of which there is one at least."""
        any_relevant = float(self._total[1:].sum())
        n = np.ceil(lowest_reaching(level * np.arange(len(self._total)))).astype(np.intp)
        p = np.bincount(n[1:], self._total[1:], len(n))
        return sum((p * self._precisions).tolist()) / any_relevant if any_relevant else 0.

    @cached_property
    def _precisions(self) -> list[float]:
        """The precision for each number of units that the user may want; 0 for none."""
        return [0., *map(self._precision_at, range(1, len(self._total)))]

    def _precision_at(self, n: int) -> float:
        last = bisect_left(self._expected, lowest_reaching(n), 1)
        if last < len(self._expected):
            lacking = n - self._expected[last - 1]
            return (self._leading[last - 1] + min(self._leads[last - 1], lacking)) / self._ranks[last - 1]
        # Random search, as in Raghavan's precall (Eq. 1).
        leading, lacking, left, rest = self._leading[-1], n - self._expected[-1], self._left, self._rest
        if left and left >= lowest_reaching(lacking):
            return (leading + lacking) / (self._consulted + lacking + lacking * (rest - left) / (left + 1))
        return (leading + left) / (self._consulted + rest) if rest or self._consulted else 0.
