"""Measures of the aspects of a topic, or of the nuggets of an answer, that retrieved segments have. The column
``aspects`` of the qrels has, for each relevant segment, the names of its aspects with ``|`` between them.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Flag, Number, SpanMeasure, register_measure
from ir_segmeasures.segments.arrays import Array
from ir_segmeasures.segments.spans import first_ending_after, first_over, least_in, merged_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['AspectAP', 'NuggetRecall', 'alpha_nDCG_seg']

Place = tuple[int, float, float]  # document, start, end
Aspects = tuple[str, ...]  # of a segment, or of all that an item meets: each once, in order

_VITAL = 2  # the relevance of a vital nugget, at least


def aspects_of(relevant: RelevantSpans) -> Array[Any]:
    """The aspects of each relevant judged segment (``relevant.judged``)."""
    @cache
    def read(names: str) -> Aspects:
        return tuple(sorted(set(filter(None, map(str.strip, names.split('|'))))))
    names = relevant.column('aspects')
    return np.fromiter(map(read, names), object, len(names))


def aspects_of_queries(relevant: RelevantSpans) -> list[list[Aspects]]:
    """The aspects of the relevant judged segments of each query, in the order of the judgements."""
    return relevant.of_queries(relevant.cached(aspects_of))


def number_of_aspects(relevant: RelevantSpans) -> list[int]:
    """For each query, the number of its aspects."""
    return [len(set().union(*of_query)) for of_query in relevant.cached(aspects_of_queries)]


class _AspectMeasure(SpanMeasure):
    NEEDS = ('aspects',)


def aspects_of_first_segments(run: RunItems) -> list[list[tuple[int, Aspects]]]:
    """For each query, the items that share content with relevant segments, by rank: the rank, and the aspects of the
    first such segment, in the order of the judgements."""
    items, intervals = run.overlapping_items, run.elementary_intervals
    first = first_over(intervals.first, intervals.stop, intervals.n)
    segment = least_in(first, intervals.item_first, intervals.item_stop)
    found = list(zip(items.rank.tolist(), run.relevant.cached(aspects_of)[segment]))
    return [found[low:high] for low, high in pairwise(items.bounds.tolist())]


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

    def compute(self, topic: Topic) -> float:
        every = topic.computed_on_qrels(number_of_aspects)
        found: set[str] = set()
        n = skipped = 0
        total = 0.0
        for rank, aspects in topic.computed_on_run(aspects_of_first_segments):
            if rank > self.cutoff:
                break
            new = len(found.union(aspects)) - len(found)
            if new:
                n, d = n + 1, rank - skipped
                total += new * n / d
                found.update(aspects)
            elif aspects:
                skipped += 1
        return total / every if every else 0.0


AspectAP = register_measure(_AspectAP())


def new_aspects(run: RunItems) -> list[list[tuple[int, Aspects]]]:
    """For each query, the items that share content with relevant segments which no earlier item does, by rank: the
    rank, and the aspects of these segments."""
    items, intervals, aspects = run.overlapping_items, run.elementary_intervals, run.relevant.cached(aspects_of)
    first = first_over(intervals.item_first, intervals.item_stop, intervals.n)
    item = least_in(first, intervals.first, intervals.stop)
    order = np.argsort(item, kind='stable')[:int((item < len(items.rank)).sum())]
    met: dict[int, Aspects] = {}
    for one, names in zip(item[order].tolist(), aspects[order]):
        met[one] = tuple(sorted({*met[one], *names})) if one in met else names
    found = list(zip(items.rank[list(met)].tolist(), met.values()))
    return [found[low:high] for low, high in pairwise(np.searchsorted(list(met), items.bounds).tolist())]


def discounted_gains(items: Iterable[tuple[int, Aspects]], alpha: float, k: float) -> float:
    """The discounted gains of items up to rank ``k``, each with its rank and aspects."""
    seen: dict[str, int] = {}
    total = 0.0
    for rank, aspects in items:
        if rank > k:
            break
        total += sum([(1 - alpha) ** seen.get(aspect, 0) for aspect in aspects]) / log2(rank + 1)
        for aspect in aspects:
            seen[aspect] = seen.get(aspect, 0) + 1
    return total


def best_order(items: Sequence[Aspects], alpha: float, k: float) -> list[int]:
    """At most ``k`` items in an order that is greedily the best; of equally good ones, the first comes first."""
    seen: dict[str, int] = {}
    rest, order = list(range(len(items))), list[int]()
    while rest and len(order) < k:
        gains = [sum([(1 - alpha) ** seen.get(aspect, 0) for aspect in items[item]]) for item in rest]
        order.append(rest.pop(gains.index(max(gains))))
        for aspect in items[order[-1]]:
            seen[aspect] = seen.get(aspect, 0) + 1
    return order


def share_content(one: Place, other: Place) -> bool:
    """Whether two places have content in common."""
    return one[0] == other[0] and min(one[2], other[2]) > max(one[1], other[1])


def best_gains(relevant: RelevantSpans, alpha: float, k: float) -> list[float]:
    """For each query, the discounted gains of its segments as items, in an order that is greedily the best."""
    gains = []
    for query, aspects in enumerate(relevant.cached(aspects_of_queries)):
        if relevant.R[query] == len(aspects):  # none shares content with another
            items = [aspects[item] for item in best_order(aspects, alpha, k)]
        else:
            items, rest, places = [], list(zip(relevant.segments(query), aspects)), dict[Place, set[str]]()
            for place, names in rest:  # a segment is one item, however often it is judged
                places.setdefault(place, set()).update(names)
            order = best_order([tuple(sorted(names)) for names in places.values()], alpha, k)
            for item in map(list(places).__getitem__, order):
                met = set[str]().union(*(names for place, names in rest if share_content(place, item)))
                items.append(tuple(sorted(met)))
                rest = [(place, names) for place, names in rest if not share_content(place, item)]
        gains.append(discounted_gains(enumerate(items, 1), alpha, k))
    return gains


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

    def compute(self, topic: Topic) -> float:
        alpha, k = self['alpha'], self.cutoff
        gains = discounted_gains(topic.computed_on_run(new_aspects), alpha, k)
        return gains / topic.computed_on_qrels(best_gains, alpha, k) if gains else 0.0


alpha_nDCG_seg = register_measure(_alpha_nDCG_seg())


def relevances(relevant: RelevantSpans) -> list[list[float]]:
    """The relevance of the relevant judged segments of each query, in the order of the judgements."""
    return relevant.of_queries(relevant.column('relevance'))


def supports(run: RunItems, k: float) -> list[list[float]]:
    """For each query, in the order of the judgements, whether the first ``k`` items together have its relevant
    segments: 1 for a whole one, 0.5 for some of its content, else 0."""
    items, (_, group, start, end) = run.overlapping_items, run.relevant.judged
    read = items.rank <= k
    parts = merged_spans(items.group[read], items.start[read], items.end[read])
    first = first_ending_after(parts, group, start)
    here = np.append(parts.group, -1)[first] == group
    begin, stop = np.append(parts.start, 0)[first], np.append(parts.end, 0)[first]
    part, whole = here & (begin < end), here & (begin <= start) & (end <= stop)
    return run.relevant.of_queries((part + 1.0 * whole) / 2)


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

    def compute(self, topic: Topic) -> float:
        weights, supported = dict[str, float](), dict[str, float]()
        for nuggets, relevance, support in zip(
                topic.computed_on_qrels(aspects_of_queries), topic.computed_on_qrels(relevances),
                topic.computed_on_run(supports, self.cutoff)):
            weight = 1.0 if relevance >= _VITAL else self['okay']
            support = support if support == 1 or not self['strict'] else 0.0
            for nugget in nuggets:
                weights[nugget] = max(weights.get(nugget, 0.0), weight)
                supported[nugget] = max(supported.get(nugget, 0.0), support)
        total = sum(weights.values())
        return sum(weights[nugget] * support for nugget, support in supported.items()) / total if total else 0.0


NuggetRecall = register_measure(_NuggetRecall())
