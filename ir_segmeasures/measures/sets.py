"""Retrieved and relevant content as sets, for measures that do not look at the order of the items: Pehcevski & Thom
2007, section 3 (Eq. 1-3, at the level of the query); IoU and the budget as in studies of how text is cut for language
models. The other ratios of the contingency table stand in contingency.py.

A measure of chunks, whatever retrieves them: Smith & Troynikov. Evaluating Chunking Strategies for Retrieval. Chroma
Technical Report, 2024.
"""

from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, share, sums
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.measures.parameters import CUTOFF, REL, Number, required
from ir_segmeasures.measures.stops import Outcome
from ir_segmeasures.measures.walks import meeting, read_ends, reading
from ir_segmeasures.segments.basics import Ints, quoted

__all__ = ['SegP', 'SegR', 'SegF', 'SegIoU', 'Judged_content', 'SegP_omega']

READ_PARAMS: dict[str, Any] = {'cutoff': CUTOFF, 'budget': Number(
    'content that the user reads, in the unit of the medium, the last item cut there', above=0, in_unit=True),
    'rel': REL}


def read_content(run: RunOnAxis, cutoff: float, budget: float | None) -> Cover:
    """The content that is read of the items of each query: see :func:`~ir_segmeasures.measures.walks.read_ends`."""
    end = read_ends(run, cutoff, budget)
    read = np.flatnonzero(run.start < end)
    return Cover.union(run.start[read], end[read])


def length_in(run: RunOnAxis, parts: Cover, others: Cover | None = None) -> Ints:
    """For each query the length of its parts, or of what they have in common with others, in ticks."""
    length = others.common(parts.start, parts.end) if others else parts.end - parts.start
    return sums(length, run.query_of[run.stretch_at(parts.start)], run.queries)


class ContentMeasure(SpanMeasure):
    """A ratio of lengths of content."""
    EVERYWHERE = True
    COUNTS = True
    SUPPORTED_PARAMS: Any = READ_PARAMS
    RATIO: tuple[str, str]  # the two lengths whose quotient the measure is; it is 0 where the second is 0
    IN_TICKS = True  # whether :meth:`sides` are

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, (part, whole) = run.cached(reading, self.cutoff, self.params.get('budget')), self.sides(run)
        values, ticks = share(part, whole), run.scale if self.IN_TICKS else 1
        return Outcome(values, walk, {}, lambda query: (
            f'The lengths are {part[query] / ticks:.10g} / {whole[query] / ticks:.10g} = {values[query]:.4f}.'))

    def values(self, run: RunOnAxis) -> Any:
        return share(*self.sides(run))

    def parts(self, run: RunOnAxis) -> Any:
        """The content that is read, a :class:`Cover`."""
        return run.cached(read_content, self.cutoff, self.params.get('budget'))

    def sides(self, run: RunOnAxis) -> tuple[Any, Any]:
        """The two lengths of each query, of what is read.

        Raises:
            ValueError: the whole collection, ``D``, is not longer than its relevant content, or its irrelevant content
                is shorter than the irrelevant content that is retrieved
        """
        parts = self.parts(run)
        retrieved, common, relevant = length_in(run, parts), length_in(run, parts, run.spans), run.T_rel
        noise = retrieved - common
        lengths = {'retrieved': retrieved, 'common': common, 'relevant': relevant, 'noise': noise,
                   'missed': relevant - common, 'union': noise + relevant}
        if 'D' in self.SUPPORTED_PARAMS:
            everything = self.irrelevant(run)
            for query in np.flatnonzero((noise > everything) & (run.R > 0))[:1]:
                raise ValueError(
                    f'query {quoted(run.query_ids[query])} has {noise[query] / run.scale:.12g} of irrelevant content '
                    f'retrieved, but in {self} the whole collection is D={quoted(self.D)}, of which '
                    f'{everything[query] / run.scale:.12g} is irrelevant: give the length of the whole collection')
            lengths |= {'irrelevant': everything, 'rejected': everything - noise}
        return lengths[self.RATIO[0]], lengths[self.RATIO[1]]


class _SegP(ContentMeasure):
    """Precision of content: the share of the retrieved content that is relevant.

    ``SegP = |retrieved ∩ relevant| / |retrieved|``, 0 if nothing is retrieved.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 1; HiXEval (Pehcevski & Thom 2006).

    Examples:
        >>> from ir_segmeasures import SegP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 30 s, 10 of them relevant
        >>> round(SegP.calc_aggregate(qrels, run), 4)
        0.3333
        >>> SegP(budget=30).calc_aggregate(qrels, run)  # 0-20 and 10-20: the second item is cut after 10 s
        0.25
    """
    RATIO = 'common', 'retrieved'


SegP = register_measure(_SegP())


class _SegR(ContentMeasure):
    """Recall of content: the share of the relevant content that is retrieved.

    ``SegR = |retrieved ∩ relevant| / |relevant|``

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 2; HiXEval (Pehcevski & Thom 2006).

    Examples:
        >>> from ir_segmeasures import SegR
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 10 of 15 relevant seconds
        >>> round(SegR.calc_aggregate(qrels, run), 4)
        0.6667
    """
    RATIO = 'common', 'relevant'


SegR = register_measure(_SegR())


class _SegF(_SegP):
    """F of content: the harmonic mean of SegP and SegR, weighted by ``beta``.

    ``SegF = (1 + β²) · SegP · SegR / (β² · SegP + SegR)``, 0 if both are 0.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 3.

    Examples:
        >>> from ir_segmeasures import SegF
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # SegP = 1/3, SegR = 2/3
        >>> round(SegF.calc_aggregate(qrels, run), 4)
        0.4444
    """
    IN_TICKS = False  # the last digit has no scale
    SUPPORTED_PARAMS = {**READ_PARAMS, 'beta': Number('weight of recall against precision', low=0, default=1)}

    def sides(self, run: RunOnAxis) -> tuple[Any, Any]:
        common, retrieved, relevant = map(run.units, (*super().sides(run), run.T_rel))
        weight = self['beta'] ** 2
        return (1 + weight) * common, weight * relevant + retrieved


SegF = register_measure(_SegF())


class _SegIoU(ContentMeasure):
    """Intersection over Union of content: the length of the content that is retrieved and relevant, over that of the
    content that is either.

    ``SegIoU = |retrieved ∩ relevant| / |retrieved ∪ relevant|``

    Range [0, 1], higher is better; never above SegF. Source: the Jaccard index, as studies of chunking report it.

    Examples:
        >>> from ir_segmeasures import SegIoU
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 10 s in both, 35 in either
        >>> round(SegIoU.calc_aggregate(qrels, run), 4)
        0.2857
    """
    RATIO = 'common', 'union'


SegIoU = register_measure(_SegIoU())


# The judgement rate is the precision of judged segments: it has no rel.
class _Judged_content(_SegP):
    """Judgement rate at k of content: the share of the content of the first k items that lies in a judged segment of
    any relevance.

    ``Judged_content@k = |retrieved@k ∩ judged| / |retrieved@k|``, 0 if nothing is retrieved.

    Range [0, 1]. The rate says how far the values of other measures can be trusted, so it is computed for queries
    without relevant spans as well, as ``Judged_over``. Source: Aly et al. 2013 (Judged_over), on content.

    Examples:
        >>> from ir_segmeasures import Judged_content
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 0}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 10 of 30 s are judged
        >>> round((Judged_content@2).calc_aggregate(qrels, run), 4)
        0.3333
    """
    SILENCE = False
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF)}


Judged_content = register_measure(_Judged_content())


class _SegP_omega(SpanMeasure):
    """Precision of content for a perfect retriever: the precision of content if exactly the items that share content
    with relevant segments were retrieved, whatever their ranks. Give all chunks of the texts as the run.

    ``SegP_omega = |C ∩ relevant| / |C ∪ relevant|``, with C the content of all items that share content with relevant
    segments.

    Relevant content that no item has lowers the value, since no retriever can return it.

    Range [0, 1], higher is better. Source: Smith & Troynikov 2024 (precision Ω).

    Examples:
        >>> from ir_segmeasures import SegP_omega
        >>> qrels = {'q': {'d#char=90,130': 1}}
        >>> chunks = {'q': {'d#char=0,100': 3, 'd#char=100,200': 2, 'd#char=200,300': 1}}
        >>> SegP_omega.calc_aggregate(qrels, chunks)  # 40 of the 200 characters of the first two chunks
        0.2
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting).up_to(self.cutoff)
        content = Cover.union(walk.start, walk.end)
        retrieved, common = length_in(run, content), length_in(run, content, run.spans)
        values = share(common, retrieved + run.T_rel - common)
        return Outcome(values, walk, {}, lambda query: (
            f'Of the content that is relevant or in these items, the share that is both is {values[query]:.4f}.'))


SegP_omega = register_measure(_SegP_omega())
