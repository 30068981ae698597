"""Gains of cumulated gain for XML, by Eq. 6 to 9, which xcg.py has in words: those of a ranking and of the ideal recall
base.
"""


from itertools import accumulate
from math import isnan

from ir_segmeasures.measures.base import RowTopic
from ir_segmeasures.measures.elements.quantisation import Worth, element_forest, worth
from ir_segmeasures.measures.elements.recall_base import ideal_base
from ir_segmeasures.measures.elements.trees import Forest, Node, Seen

__all__ = ['cumulated_gains', 'ideal_gains']


def cumulated_gains(topic: RowTopic, quant: str, specificity: str, method: str, alpha: float,
                    cutoff: int) -> list[float]:
    """The gain cumulated after each rank (Eq. 6), up to ``cutoff``.

    Raises:
        ValueError: an element was seen in part, and offsets that Eq. 8 needs are not known
    """
    found = element_forest(topic, specificity, quant)
    values = _RelevanceValues(found, topic.cached(worth, quant, specificity), alpha)
    left = dict(topic.cached(ideal_base, quant, specificity, method))  # of the worth of each ideal element
    gains = list[float]()
    for node in found.ranking[:cutoff]:
        gain = values.gain(node)
        nested = (node,) if method == 'full' else (node, *node.around())
        limit = next((around for around in nested if around in left), None)
        if limit is not None:
            gain = min(gain, left[limit])
            left[limit] -= gain
        gains.append(gain)
        values.seen.read(node)
    return list(accumulate(gains))


class _RelevanceValues:
    """The relevance values of elements, rv (Eq. 7 and 8)."""

    def __init__(self, elements: Forest, worths: Worth, alpha: float):
        self._elements, self._worths, self._alpha = elements, worths, alpha
        self.seen = Seen()

    def gain(self, node: Node) -> float:
        """The relevance value of an element, with what has been seen until now."""
        q, part = self._worths.get(node, 0.), self.seen.part(node)
        if self._alpha == 0:
            return q
        if self.seen.whole(node):
            return (1 - self._alpha) * q
        if not part:
            return q
        inside = 0.0
        if node.parts:
            self._elements.check_offsets((node, *node.parts), 'and what has been seen in part gains by sizes')
            if isnan(part) and self._alpha < 1:  # with 1, what fills it leaves nothing inside either
                raise self._elements.error(node, f'some of {node} was retrieved before it in elements without offsets, '
                                                 'so that nobody knows how much: resolve() the run with a table of the '
                                                 'offsets')
            inside = sum(self.gain(child) * child.ticks for child in node.parts) / node.ticks
        return self._alpha * inside + (1 - self._alpha) * q


def ideal_gains(topic: RowTopic, quant: str, specificity: str, method: str) -> list[float]:
    """The gain of the ideal recall base after each rank, best elements first."""
    return list(accumulate(sorted(topic.cached(ideal_base, quant, specificity, method).values(), reverse=True)))
