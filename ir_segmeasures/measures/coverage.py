"""The coverage filter of TRECVID 2001, as described by de Vries, Kazai, Lalmas. Tolerance to Irrelevance. RIAO 2004,
sections 3.1 and 3.2: an item hits a reference segment that it covers enough of, if not too much of the item lies
outside.
"""

from bisect import bisect_left
from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CUTOFF, REL, Number, SpanMeasure, reached, register

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['P_cov', 'R_cov']

_COVER = {
    'ki': Number('share of a reference that must be in the item', above=0, high=1, default=1 / 3),
    'ri': Number('share of the item that must be in a reference', above=0, high=1, default=2 / 3),
}


def covered(topic: 'Topic', ki: float, ri: float) -> list[tuple[int, list[int]]]:
    """The items that hit, by rank, each with the references that it hits (as places in ``topic.segments``)."""
    references = {document: sorted(segments) for document, segments in topic.segments_of.items()}
    longest = {document: max(end - start for start, end, _ in segments) for document, segments in references.items()}
    hits = []
    items = topic.items
    for rank, start, end, document in zip(items.rank, items.start, items.end, items.document):
        if start == end:
            continue
        segments = references[document]
        # Nothing that begins earlier reaches the item, nothing that begins later begins in it.
        low, high = (bisect_left(segments, (bound,)) for bound in (start - longest[document], end))
        found = []
        for first, last, place in segments[low:high]:
            common = min(end, last) - max(start, first)
            if common > 0 and reached(common, ki * (last - first)) and reached(common, ri * (end - start)):
                found.append(place)
        if found:
            hits.append((rank, found))
    return hits


class _Covering(SpanMeasure):
    def _covered(self, topic: 'Topic') -> list[list[int]]:
        cutoff = self.params.get('cutoff', inf)
        return [found for rank, found in topic.once(covered, self['ki'], self['ri']) if rank <= cutoff]


class _P_cov(_Covering):
    """Precision with the coverage filter: the items that hit a reference, a judged segment that is relevant, over all
    items.

    An item hits a reference if ``|item ∩ reference| >= ki · |reference|`` and ``|item ∩ reference| >= ri · |item|``.
    ``P_cov = hitting items / items``; ``P_cov@k = hitting items in the first k / k``. References are not merged.

    Range [0, 1], higher is better. Repeated hits of one reference all count, which rewards redundancy: that is the
    measure. Source: TRECVID 2001; de Vries, Kazai & Lalmas 2004, sections 3.1 and 3.2.
    """
    __name__ = 'P_cov'
    NAME = __name__
    PRETTY_NAME = 'Precision with coverage'
    SHORT_DESC = 'The share of the items that cover a relevant segment well enough. Rewards redundancy.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_COVER, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        n = self.params.get('cutoff', topic.n)
        return len(self._covered(topic)) / n if n else 0.0


P_cov = register(_P_cov())


class _R_cov(_Covering):
    """Recall with the coverage filter: the references that an item hits, over all references.

    ``R_cov = references hit / references``, a reference being a judged segment that is relevant, and hit as in
    ``P_cov``.

    Range [0, 1], higher is better. A reference counts once. Source: TRECVID 2001; de Vries, Kazai & Lalmas 2004,
    sections 3.1 and 3.2.
    """
    __name__ = 'R_cov'
    NAME = __name__
    PRETTY_NAME = 'Recall with coverage'
    SHORT_DESC = 'The share of the relevant segments that an item covers well enough.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_COVER, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return len({place for found in self._covered(topic) for place in found}) / len(topic.segments)


R_cov = register(_R_cov())
