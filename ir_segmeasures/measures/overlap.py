"""The measures of overlap of MediaEval Search & Hyperlinking: Aly, Eskevich, Ordelman, Jones. Adapting Binary
Information Retrieval Evaluation Metrics for Segment-based Retrieval Tasks. arXiv:1312.1913, 2013; criticised in Racca &
Jones 2015. An item is relevant if it shares content with a relevant span.

The measures of bins of the same source are in bins.py, those of tolerance (``tol``) in t2i.py.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure, required

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['AP_over', 'MAP_over', 'P_over', 'Judged_over']


def overlapping_ranks(run: RunItems) -> list[list[int]]:
    """For each query, the ranks of the items that share content with a relevant span, in order."""
    items = run.overlapping_items
    return [items.rank[low:high].tolist() for low, high in pairwise(items.bounds.tolist())]


class OverlapMeasure(SpanMeasure):
    """A measure of the items that share content with a relevant span.

    Attributes:
        KIND: the kind of the spans, in sentences
    """
    KIND = 'relevant'

    def ranks(self, topic: Topic) -> list[int]:
        """The ranks of these items, up to the cut-off."""
        ranks = topic.computed_on_run(overlapping_ranks)
        return ranks[:bisect_right(ranks, self.cutoff)]

    def item_steps(self, topic: Topic, adds: list[float], sentence: str) -> Steps:
        """The items as steps; ``adds`` is the part of the value that each of the first is."""
        from ir_segmeasures.measures.steps import relevant_items  # imported when it is needed
        return relevant_items(topic, self.ranks(topic), adds, sentence)


class _AP_over(OverlapMeasure):
    """Average precision over overlap (MAP-over): an item is relevant if it shares content with a relevant span.

    ``AP_over = (1/R) · Σ_k rel_k · P@k``, with R the number of relevant spans.

    Range [0, ∞), higher is better. An item is rewarded even if earlier items share content with the same span, so the
    value can exceed 1. This flaw is known, and kept. Source: Aly et al. 2013; Racca & Jones 2015, section 2.1.

    Examples:
        >>> from ir_segmeasures import AP_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=22,24': 1}}
        >>> round(AP_over.calc_aggregate(qrels, run), 4)  # (1/1 + 2/3) / 2
        0.8333
    """
    PRETTY_NAME = 'Average Precision over overlap'
    SHORT_DESC = 'AP with every item relevant that overlaps relevant content. Rewards redundancy.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def _precisions(self, topic: Topic) -> list[float]:
        return [hits / rank for hits, rank in enumerate(self.ranks(topic), 1)]

    def compute(self, topic: Topic) -> float:
        return sum(self._precisions(topic)) / topic.R

    def steps(self, topic: Topic) -> Steps:
        precisions = self._precisions(topic)
        total = f'{sum(precisions):.4f}'
        return self.item_steps(topic, [precision / topic.R for precision in precisions],
                               f'The precisions at the items that overlap relevant content sum to {total}, and {total} '
                               f'/ {topic.R} = {self.compute(topic):.4f}.')


AP_over = register_measure(_AP_over(), ['MAP_over'])
MAP_over = AP_over.called('MAP_over')


class _P_over(OverlapMeasure):
    """Precision at k over overlap: the share of the first k items that share content with a relevant span.

    ``P_over@k = Σ_{i<=k} rel_i / k``

    Range [0, 1], higher is better. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import P_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=22,24': 1}}
        >>> (P_over@2).calc_aggregate(qrels, run)
        0.5
    """
    PRETTY_NAME = 'Precision at k over overlap'
    SHORT_DESC = 'The share of the top k items that overlap relevant content.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: Topic) -> float:
        return len(self.ranks(topic)) / self['cutoff']

    def steps(self, topic: Topic) -> Steps:
        ranks, k = self.ranks(topic), self['cutoff']
        return self.item_steps(topic, [1 / k] * len(ranks),
                               f'{len(ranks)} of the first {k} items share content with {self.KIND} segments: '
                               f'{self.compute(topic):.4f}.')


P_over = register_measure(_P_over())


# The judgement rate is the precision over spans of judged segments: it has no rel.
class _Judged_over(_P_over):
    """Judgement rate at k over overlap: the share of the first k items that share content with a judged segment of any
    relevance.

    ``Judged_over@k = Σ_{i<=k} judged_i / k``

    Range [0, 1]. The rate says how far the values of other measures can be trusted, so it is computed for queries
    without relevant spans as well, as ir-measures' Judged is. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import Judged_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=50,60': 0}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=55,58': 1}}
        >>> round((Judged_over@3).calc_aggregate(qrels, run), 4)  # the first and the third item
        0.6667
    """
    PRETTY_NAME = 'Judgement rate at k over overlap'
    SHORT_DESC = 'The share of the top k items that overlap a judged segment.'
    KIND = 'judged'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF)}


Judged_over = register_measure(_Judged_over())
