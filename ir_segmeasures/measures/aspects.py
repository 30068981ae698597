"""Measures of the aspects of a topic, or of the nuggets of an answer, that retrieved segments have. The column
``aspects`` of the qrels has, for each relevant segment, the names of its aspects with ``|`` between them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from ir_segmeasures.measures.base import CUTOFF, REL, Flag, Number, SpanMeasure, register_measure

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['AspectAP', 'NuggetRecall', 'alpha_nDCG_seg']

_VITAL = 2  # the relevance of a vital nugget, at least


class Passage(NamedTuple):
    """A passage: judged, with its aspects, or of a run, without any."""
    document: int
    start: float
    end: float
    aspects: frozenset[str] = frozenset()

    def overlaps(self, other: 'Passage') -> bool:
        """Whether two passages have content in common."""
        return self.document == other.document and min(self.end, other.end) > max(self.start, other.start)


def aspect_sets(relevant: 'RelevantSpans') -> list[list[frozenset[str]]]:
    """The aspects of the relevant judged segments of each query, in the order of the judgements."""
    return [[frozenset(filter(None, map(str.strip, names.split('|')))) for names in of_query]
            for of_query in relevant.column('aspects')]


def relevances(relevant: 'RelevantSpans') -> list[list[float]]:
    """The relevance of the relevant judged segments of each query, in the order of the judgements."""
    return relevant.column('relevance')


class _AspectMeasure(SpanMeasure):
    NEEDS = ('aspects',)

    @staticmethod
    def _judged(topic: 'Topic') -> list[Passage]:
        return [Passage(*segment, aspects)
                for segment, aspects in zip(topic.segments, topic.computed_on_qrels(aspect_sets))]

    def _items(self, topic: 'Topic') -> Iterable[Passage]:
        """The items of the ranking up to the cutoff."""
        return islice(map(Passage, *topic.ranking), self.params.get('cutoff'))


class _AspectAP(_AspectMeasure):
    """Average precision of aspects (ASPECT). An item has the aspects of the first relevant segment, in the order of the
    judgements, that it shares content with. One with new aspects adds 1 to n and to d, and then ``n/d`` once for each
    new aspect. One whose aspects are all known is skipped. Any other item adds 1 to d.

    ``AspectAP = Σ new aspects · n/d / aspects of the topic``.

    Range [0, 1], higher is better. The qrels have a column ``aspects``. Source: Hersh et al. 2007 (ASPECT).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import AspectAP
        >>> qrels = pd.DataFrame({'query_id': ['q', 'q'], 'doc_id': ['d#char=0,9', 'e#char=0,9'], 'relevance': [1, 1],
        ...                       'aspects': ['x|y', 'z']})
        >>> run = {'q': {'d#char=5,9': 3, 'd#char=0,5': 2, 'f#char=0,5': 1}}  # two new aspects, then none
        >>> round(AspectAP.calc_aggregate(qrels, run), 4)
        0.6667
    """
    PRETTY_NAME = 'Average Precision of aspects'
    SHORT_DESC = 'AP over items that have aspects of the topic which no earlier item has.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        judged = self._judged(topic)
        of_document: dict[int, list[Passage]] = {}
        for passage in judged:
            of_document.setdefault(passage.document, []).append(passage)
        found: set[str] = set()
        n = d = 0
        total = 0.0
        for item in self._items(topic):
            aspects = next((passage.aspects for passage in of_document.get(item.document, ())
                            if passage.overlaps(item)), frozenset[str]())
            new = aspects - found
            if new or not aspects:
                n, d = n + bool(new), d + 1
                total += len(new) * n / d
                found |= new
        every = frozenset[str]().union(*(passage.aspects for passage in judged))
        return total / len(every) if every else 0.0


AspectAP = register_measure(_AspectAP())


def discounted_gains(items: Iterable[Passage], judged: Sequence[Passage], alpha: float) -> float:
    """The discounted gains of items. An item has the aspects of the judged segments that it shares content with and no
    earlier item does."""
    unmet: dict[int, list[Passage]] = {}
    for passage in judged:
        unmet.setdefault(passage.document, []).append(passage)
    seen, total = Counter[str](), 0.0
    for rank, item in enumerate(items, 1):
        rest = unmet.get(item.document)
        if rest:
            met = [passage for passage in rest if passage.overlaps(item)]
            unmet[item.document] = [passage for passage in rest if not passage.overlaps(item)]
            aspects = frozenset[str]().union(*(passage.aspects for passage in met))
            total += sum((1 - alpha) ** seen[aspect] for aspect in sorted(aspects)) / log2(rank + 1)
            seen.update(aspects)
    return total


def ideal_order(judged: Sequence[Passage], alpha: float, k: float) -> list[Passage]:
    """The judged segments in an order that is greedily the best, at most ``k``; of equally good ones, the first of the
    judgements comes first."""
    aspects: dict[Passage, frozenset[str]] = {}
    for passage in judged:  # a segment is one item, however often it is judged
        place = passage._replace(aspects=frozenset())
        aspects[place] = aspects.get(place, frozenset()) | passage.aspects
    seen, order = Counter[str](), list[Passage]()
    while aspects and len(order) < k:
        best = max(aspects, key=lambda place: sum((1 - alpha) ** seen[aspect] for aspect in sorted(aspects[place])))
        order.append(best)
        seen.update(aspects.pop(best))
    return order


class _alpha_nDCG_seg(_AspectMeasure):
    """Alpha-nDCG over segments: gains of aspects, discounted by ranks and by how often an aspect was there before.

    An item has the aspects of the relevant segments that it shares content with and no earlier item does. Each of them
    gains ``(1 - alpha)^r``, where r earlier items have the aspect, and DCG divides the sum of these gains by
    ``log2(rank + 1)`` and adds up all items.

    ``alpha_nDCG_seg = DCG / DCG of the relevant segments in a greedy best order``. Of equally good segments, the first
    of the judgements comes first. Where items are relevant segments and none of these overlap, the value is pyndeval's,
    which takes the last id of equally good ones.

    Range [0, ∞), higher is better; 1 at most where an item meets one relevant segment. The qrels have a column
    ``aspects``. Source: Clarke et al. Novelty and Diversity in Information Retrieval Evaluation. SIGIR 2008.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import alpha_nDCG_seg
        >>> qrels = pd.DataFrame({'query_id': ['q', 'q'], 'doc_id': ['d#char=0,9', 'e#char=0,9'], 'relevance': [1, 1],
        ...                       'aspects': ['x|y', 'y']})
        >>> run = {'q': {'e#char=0,5': 2, 'd#char=5,9': 1}}  # 1 + (1 + 0.5) / log2(3), of 2 + 0.5 / log2(3)
        >>> round(alpha_nDCG_seg.calc_aggregate(qrels, run), 4)
        0.8406
    """
    PRETTY_NAME = 'Alpha-nDCG over segments'
    SHORT_DESC = 'Gains of aspects, discounted by rank and by how often an aspect was there before.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL, 'alpha': Number(
        'how little an aspect counts that was there before', low=0, high=1, default=0.5)}

    def compute(self, topic: 'Topic') -> float:
        judged, alpha = self._judged(topic), self['alpha']
        best = discounted_gains(ideal_order(judged, alpha, self.cutoff), judged, alpha)
        return discounted_gains(self._items(topic), judged, alpha) / best if best else 0.0


alpha_nDCG_seg = register_measure(_alpha_nDCG_seg())


class _NuggetRecall(_AspectMeasure):
    """Recall of the nuggets of an answer, which are the aspects of relevant segments. A nugget is supported if the
    items together have a whole segment of it, and partly supported if they have some of its content.

    ``NuggetRecall = Σ weight · support / Σ weight``. Support is 1, or 0.5 for a part, which is 0 with ``strict``. The
    weight is 1 for vital nuggets, which have a segment of relevance 2 or more, and ``okay`` for others: with 1 the
    value is the "all" score of AutoNuggetizer, with 0 its "vital" score.

    Range [0, 1], higher is better. The qrels have a column ``aspects``. Source: Pradeep et al. Initial Nugget
    Evaluation Results for the TREC 2024 RAG Track with the AutoNuggetizer Framework. arXiv:2411.09607.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import NuggetRecall
        >>> qrels = pd.DataFrame({'query_id': ['q', 'q'], 'doc_id': ['d#char=0,9', 'e#char=0,9'], 'relevance': [2, 1],
        ...                       'aspects': ['bees dance', 'wasps do not']})
        >>> run = {'q': {'d#char=0,20': 2, 'e#char=5,9': 1}}  # the vital nugget, and a part of the other
        >>> [round(measure.calc_aggregate(qrels, run), 4) for measure in (NuggetRecall, NuggetRecall(strict=True))]
        [0.8333, 0.6667]
    """
    PRETTY_NAME = 'Recall of nuggets'
    SHORT_DESC = 'The share of nuggets, by weight, of which a segment is retrieved, wholly or in part.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL, 'strict': Flag('whether parts count nothing', default=False),
                        'okay': Number('the weight of nuggets that are not vital', low=0, high=1, default=0.5)}

    def compute(self, topic: 'Topic') -> float:
        retrieved: dict[int, list[Passage]] = {}
        for item in sorted(self._items(topic)):  # merged where they touch
            merged = retrieved.setdefault(item.document, [])
            if merged and item.start <= merged[-1].end:
                merged[-1] = merged[-1]._replace(end=max(item.end, merged[-1].end))
            else:
                merged.append(item)
        weights, supports = dict[str, float](), dict[str, float]()
        for passage, relevance in zip(self._judged(topic), topic.computed_on_qrels(relevances)):
            items = retrieved.get(passage.document, [])
            support = 1.0 if any(item.start <= passage.start and passage.end <= item.end for item in items) else (
                0.5 * any(map(passage.overlaps, items)) * (not self['strict']))
            for nugget in passage.aspects:
                weights[nugget] = max(weights.get(nugget, 0.0), 1.0 if relevance >= _VITAL else self['okay'])
                supports[nugget] = max(supports.get(nugget, 0.0), support)
        total = sum(weights.values())
        return sum(weights[nugget] * support for nugget, support in supports.items()) / total if total else 0.0


NuggetRecall = register_measure(_NuggetRecall())
