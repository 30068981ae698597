"""Measures of the aspects of a topic, or of the nuggets of an answer, that retrieved segments have. The column
``aspects`` of the qrels has, for each relevant segment, the names of its aspects with ``|`` between them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from heapq import heappop, heapreplace
from itertools import pairwise
from math import inf, log2
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import Cover
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.measures.parameters import CUTOFF, REL, Flag, Number
from ir_segmeasures.measures.stops import Outcome, added
from ir_segmeasures.measures.walks import Walk, first_items, first_segments, item_walk

__all__ = ['AspectAP', 'NuggetRecall', 'alpha_nDCG_seg']

Aspects = tuple[str, ...]  # of a segment, or of all that an item meets: each once, in order

_VITAL = 2  # the relevance of a vital nugget, at least


def aspects_of(run: RunOnAxis) -> list[Aspects]:
    """The aspects of each relevant segment (``run.segments``)."""
    @cache
    def read(names: str) -> Aspects:
        return tuple(sorted(set(filter(None, map(str.strip, names.split('|'))))))
    return [*map(read, run.match.qrels.beside('aspects')[run.segments.row])]


def segments_by_query(run: RunOnAxis) -> list[list[int]]:
    """The relevant segments of each query, in the order of the judgements."""
    order = np.argsort(run.segments.query, kind='stable')
    bounds = np.searchsorted(run.segments.query[order], np.arange(run.queries + 1)).tolist()
    return [order[low:high].tolist() for low, high in pairwise(bounds)]


def with_names(run: RunOnAxis, looks: list[tuple[int, str, float]], whole: Any, summed: str) -> Outcome:
    """The outcome whose values are sums over looks: an item, the names of its aspects, and what it adds to the whole.
    """
    item, aspects, parts = np.array(looks, object).reshape(-1, 3).T
    return added(item_walk(run, item.astype(np.int64), run.R), parts.astype(float), lambda query, value: (
        f'{summed}, over {whole[query]:.6g}, sum to {value:.4f}.'), whole, aspects=aspects)


class _AspectMeasure(SpanMeasure):
    NEEDS = ('aspects',)


class _AspectAP(_AspectMeasure):
    """Average Precision of aspects (ASPECT): AP over items that have aspects of the topic which no earlier item has. An
    item has the aspects of the first relevant segment, in the order of the judgements, that it shares content with. One
    with new aspects adds 1 to n and to d, and then ``n/d`` once for each new aspect. One whose aspects are all known is
    skipped. Any other item adds 1 to d.

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

    def outcome(self, run: RunOnAxis) -> Outcome:
        aspects, (item, segment) = run.cached(aspects_of), run.cached(first_segments)
        every = [len({name for segment in of_query for name in aspects[segment]})
                 for of_query in run.cached(segments_by_query)]
        found: list[set[str]] = [set() for _ in every]
        n, skipped, looks = [0] * run.queries, [0] * run.queries, list[tuple[int, str, float]]()
        for place, query, rank, names in zip(item.tolist(), run.query[item].tolist(), run.rank[item].tolist(),
                                             map(aspects.__getitem__, segment.tolist())):
            if rank > self.cutoff:
                continue
            new = [name for name in names if name not in found[query]]
            if new:
                n[query] += 1
                looks.append((place, ', '.join(new), len(new) * n[query] / (rank - skipped[query])))
                found[query].update(new)
            elif names:
                skipped[query] += 1
        return with_names(run, looks, np.maximum(every, 1), 'The precisions, once for each new aspect')


AspectAP = register_measure(_AspectAP())


def new_aspects(run: RunOnAxis) -> list[list[tuple[int, Aspects]]]:
    """For each query, the items that share content with relevant segments which no earlier item does, by rank: the
    item, and the aspects of these segments."""
    met: dict[int, set[str]] = {}
    for item, names in zip(run.cached(first_items).tolist(), run.cached(aspects_of)):
        met.setdefault(item, set()).update(names)
    found: list[list[tuple[int, Aspects]]] = [[] for _ in range(run.queries)]
    for item in sorted(met.keys() - {len(run.row)}):
        found[run.query[item]].append((item, tuple(sorted(met[item]))))
    return found


def gain(aspects: Aspects, seen: Counter[str], alpha: float) -> float:
    """The gain of an item whose aspects were seen so often before."""
    return sum([(1 - alpha) ** seen[aspect] for aspect in aspects])


def discounted_gains(items: Iterable[tuple[int, Aspects]], alpha: float, k: float) -> Iterator[float]:
    """The discounted gain of each item up to rank ``k``, given with its rank and aspects."""
    seen = Counter[str]()
    for rank, aspects in items:
        if rank > k:
            break
        yield gain(aspects, seen, alpha) / log2(rank + 1)
        seen.update(aspects)


def best_items(run: RunOnAxis, alpha: float, k: float) -> Iterator[list[Aspects]]:
    """For each query, at most ``k`` of its segments as items, in an order that is greedily the best by their own
    aspects, of equally good ones the first: the new aspects of each."""
    places, aspects = list(zip(run.segments.start.tolist(), run.segments.end.tolist())), run.cached(aspects_of)
    spans = run.spans.first_after(run.segments.start).tolist()  # segments of two spans share nothing
    span_of = dict(zip(places, spans))
    for of_query in run.cached(segments_by_query):
        names_of: dict[tuple[int, int], set[str]] = {}
        rest: dict[int, set[int]] = {}  # what is in no item yet, of each span
        for segment in of_query:  # a segment is one item, however often it is judged
            names_of.setdefault(places[segment], set()).update(aspects[segment])
            rest.setdefault(spans[segment], set()).add(segment)
        items, seen, left = list[Aspects](), Counter[str](), len(of_query)
        # Gains only fall, so that the best item is one whose gain of before is still the greatest and is unchanged.
        alike: dict[Aspects, list[tuple[int, tuple[int, int]]]] = {}
        for i, place in reversed(list(enumerate(names_of))):
            alike.setdefault(tuple(sorted(names_of[place])), []).append((i, place))
        best = sorted((-inf, of_names[-1][0], names) for names, of_names in alike.items())
        while left and len(items) < k:
            before, i, names = best[0]
            if (now := -gain(names, seen, alpha)) > before:
                heapreplace(best, (now, i, names))
                continue
            _, (start, end) = alike[names].pop()
            if alike[names]:
                heapreplace(best, (now, alike[names][-1][0], names))
            else:
                heappop(best)
            seen.update(names)
            of_span = rest[span_of[start, end]]
            here = {segment for segment in of_span if max(start, places[segment][0]) < min(end, places[segment][1])}
            items.append(tuple(sorted({name for segment in here for name in aspects[segment]})))
            of_span -= here
            left -= len(here)
        yield items


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
    SILENCE = False
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL, 'alpha': Number(
        'how little an aspect counts that was there before', low=0, high=1, default=0.5)}

    def outcome(self, run: RunOnAxis) -> Outcome:
        alpha, k = self['alpha'], self.cutoff
        looks = [(item, ', '.join(names), gain) for items in run.cached(new_aspects) for (item, names), gain in zip(
            items, discounted_gains([(int(run.rank[item]), names) for item, names in items], alpha, k))]
        best = [sum(discounted_gains(enumerate(items, 1), alpha, k)) for items in best_items(run, alpha, k)]
        return with_names(run, looks, best, 'The discounted gains')


alpha_nDCG_seg = register_measure(_alpha_nDCG_seg())


class _NuggetRecall(_AspectMeasure):
    """Recall of nuggets: the share of nuggets, by weight, of which a segment is retrieved, wholly or in part. A nugget
    is supported if the items together have a whole segment of it, and partly supported if they have some of its
    content.

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
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL, 'strict': Flag('whether parts count nothing', default=False),
                        'okay': Number('the weight of nuggets that are not vital', low=0, high=1, default=0.5)}

    def outcome(self, run: RunOnAxis) -> Outcome:
        segments, aspects, read = run.segments, run.cached(aspects_of), run.rank <= self.cutoff
        common = Cover.union(run.start[read], run.end[read]).common(segments.start, segments.end)
        support = np.where(common == segments.end - segments.start, 1., np.where(common > 0, not self['strict'], 0) / 2)
        weight = np.where(run.match.qrels.value[segments.row] >= _VITAL, 1, self['okay'])
        rows, total = list[tuple[int, str, float, float]](), np.zeros(run.queries)
        for query, of_query in enumerate(run.cached(segments_by_query)):
            weights, supported = dict[str, float](), dict[str, float]()
            for segment in of_query:
                for nugget in aspects[segment]:
                    weights[nugget] = max(weights.get(nugget, 0.), weight[segment])
                    supported[nugget] = max(supported.get(nugget, 0.), support[segment])
            rows += [(query, nugget, weights[nugget], part) for nugget, part in supported.items()]
            total[query] = sum(weights.values())
        place, nuggets, weight, part = np.array(rows, object).reshape(-1, 4).T
        walk = Walk('Nugget', run, place.astype(np.int64), None, None, None, None, None, None, run.R)
        return added(walk, (weight * part).astype(float), lambda query, value: (
            f'The supports, by weight, sum to {value:.4f}.'), total, nugget=nuggets, weight=weight, support=part)


NuggetRecall = register_measure(_NuggetRecall())
