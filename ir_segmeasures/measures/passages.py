"""Measures of passages: interpolated precision of focused retrieval, and average precision over characters and over
passages.

Focused retrieval, the interpolated precision of content of the INEX ad hoc track, 2007 to 2010: Kamps, Pehcevski,
Kazai, Lalmas, Robertson. INEX 2007 Evaluation Measures. INEX 2007.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content, and
recall levels have no bins. An item that is a document without a passage (``X`` in INEX runs) has no content. The
program's own numbers are ``tool='inex_eval'``.

The passage measures of TREC Genomics 2007: Hersh, Cohen, Ruslen, Roberts. TREC 2007 Genomics Track Overview; as the
track's official scorer computes them.
"""

import numpy as np

from ir_segmeasures.evaluation.axis import running
from ir_segmeasures.evaluation.outcomes import Outcome, Walk
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import CUTOFF, REL, Choice, Number
from ir_segmeasures.measures.stops import AtLevel, InterpolatedMeasure, OverLevels, added, harmonic_difference
from ir_segmeasures.measures.walks import check_no_passage, first_segments, item_walk, reading, refuse_repeats, watching
from ir_segmeasures.segments.basics import quoted

__all__ = ['iP', 'AiP', 'MAiP', 'CharAP', 'CharMAP', 'PassageAP']

_FOCUSED = {'overlap': Choice(
    "what happens to an item that repeats content of an earlier item of its document: the repeated content does not "
    "count ('trim'), or the run is refused ('error')", 'trim', 'error', default='trim'), 'rel': REL}


class _FocusedMeasure(InterpolatedMeasure):
    EVERYWHERE = True
    WALK = (reading,)
    SEEN = 'The items have'

    def walk(self, run: RunOnAxis) -> Walk:
        run.cached(check_no_passage)
        if self['overlap'] == 'error':
            refuse_repeats(run, self.cutoff, str(self))
        return super().walk(run)


class _iP(_FocusedMeasure, AtLevel):
    """Interpolated precision at recall x, of content: the best precision at this recall or a higher one.

    ``iP@x = max{ P_k : R_k >= x }``, 0 if there is none: after item k, ``P_k`` is the share of the content retrieved so
    far that is relevant, ``R_k`` the share of the relevant content that is retrieved. Content that an item repeats of
    earlier items of its document counts in neither of them (``overlap='trim'``).

    Range [0, 1], higher is better; the unit of the medium cancels out. Unlike in ``iSP@x``, items are read as a whole,
    and no content is read twice. Source: Kamps et al. 2007 (iP[x]).

    Examples:
        >>> from ir_segmeasures import iP
        >>> qrels = {'q': {'d#char=100,200': 1}}
        >>> run = {'q': {'d#char=100,150': 2, 'd#char=140,240': 1}}  # 50/50, then 100/140
        >>> [round((iP@level).calc_aggregate(qrels, run), 4) for level in (0.5, 1)]
        [1.0, 0.7143]
    """
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {'recall': Number('recall level, a share of the relevant content', low=0, high=1, required=True),
                        **_FOCUSED, 'cutoff': CUTOFF}
    HIGHEST = 'precision'


iP = register_measure(_iP())


class _AiP(_FocusedMeasure, OverLevels):
    """Average interpolated precision (MAiP): the mean of iP over 101 recall levels.

    ``AiP = (1/101) · Σ_{i=0..100} iP(i / 100)``

    Range [0, 1], higher is better; the unit of the medium cancels out. ``overlap='error'`` refuses runs with items that
    share content, as INEX' focused task does. By default only the content of an item counts that no earlier item has,
    in every document (INEX' thorough task). Source: Kamps et al. 2007 (AiP, MAiP).

    Examples:
        >>> from ir_segmeasures import AiP
        >>> qrels = {'q': {'d#char=100,200': 1}}
        >>> run = {'q': {'d#char=100,150': 2, 'd#char=140,240': 1}}  # 1 up to recall 0.5: (51 * 1 + 50 * 100/140) / 101
        >>> round(AiP.calc_aggregate(qrels, run), 4)
        0.8586
    """
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_FOCUSED}
    HIGHEST = 'precision', 'items', 'item'


AiP, MAiP = register_named(_AiP(), 'MAiP')


class _CharAP(SpanMeasure):
    """Average Precision over characters (PASSAGE2, character-level MAP): AP with every character an item, repeated
    relevant ones skipped. The characters of the items are read in rank order. A relevant character that is new adds 1
    to n and to d, and then n/d to the sum. A relevant character that was read before is skipped. Any other character
    adds 1 to d.

    ``CharAP = Σ n/d over the new relevant characters / |relevant|``. Over a stretch of L new relevant characters the
    sum is ``Σ_{i=1..L} (n + i) / (d + i) = L - (d - n) · (H(d + L) - H(d))``, with H the harmonic numbers.

    Range [0, 1], higher is better. Positions are counted in whole units, so they must be whole numbers: characters,
    words, or whole seconds. Source: Hersh et al. 2007 (PASSAGE2).

    Examples:
        >>> from ir_segmeasures import CharAP
        >>> qrels = {'q': {'d#char=10,14': 1}}
        >>> run = {'q': {'d#char=8,12': 1}}  # two characters that are not relevant, then two that are: (1/3 + 2/4) / 4
        >>> round(CharAP.calc_aggregate(qrels, run), 4)
        0.2083
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        run.match.run.refuse((run.match.query >= 0) & run.match.run.fractions(), (
            f'the segment has fractions, but {self} counts characters: give whole positions'))
        for query in run.span_query[(run.spans.start % run.scale > 0) | (run.spans.end % run.scale > 0)][:1]:
            raise ValueError(f'query {quoted(run.query_ids[query])} has judgements with fractions, but {self} counts '
                             'characters: give whole ones')
        walk: Walk = run.cached(watching, 'ret').up_to(self.cutoff)
        relevant = run.spans.common(run.start, run.end)
        passed = running(relevant, run.query) - relevant  # relevant characters of earlier items, each time again
        n = running(walk.gain, walk.query) - walk.gain
        irrelevant = (walk.cost - walk.gain - passed[walk.item]
                      - run.spans.common(run.start[walk.item], walk.start)) // run.scale
        L, d = walk.gain // run.scale, n // run.scale + irrelevant
        return added(walk, L - irrelevant * harmonic_difference(d, L), lambda query, value: (
            f'The shares of the stretches sum to {value:.4f}.'), run.T_rel // run.scale)


CharAP, CharMAP = register_named(_CharAP(), 'CharMAP')


class _PassageAP(SpanMeasure):
    """Average Precision over passages (PASSAGE): AP over items that overlap a relevant passage, by the share of what is
    read that is relevant. An item counts by how much of it is relevant.

    ``PassageAP = Σ n/d / (relevant items + relevant segments without a matched item)``. Item by item, d grows by
    the length of the item. An item that overlaps relevant judged segments is relevant and is matched with the first of
    these segments, in the order of the judgements: n grows by their common length, and n/d is added to the sum. So the
    value depends on the order of the judgements where an item overlaps several. A segment that is judged twice counts
    once.

    Range [0, 1], higher is better. Segments are not merged. Source: Hersh et al. 2007 (PASSAGE).

    Examples:
        >>> from ir_segmeasures import PassageAP
        >>> qrels = {'q': {'d#char=10,20': 1}}
        >>> run = {'q': {'d#char=5,15': 2, 'd#char=15,20': 1}}  # 5/10 after the first item, 10/15 after the second
        >>> round(PassageAP.calc_aggregate(qrels, run), 4)
        0.5833
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        item, segment = run.cached(first_segments)
        start, end = run.start[item], run.end[item]
        common = np.minimum(end, run.segments.end[segment]) - np.maximum(start, run.segments.start[segment])
        precision = running(common, run.query[item]) / (run.before[item] + end - start)
        read = run.rank[item] <= self.cutoff
        walk, segment = item_walk(run, item[read], run.R), segment[read]
        distinct = np.lexsort((run.segments.end, run.segments.start))
        new = (np.diff(run.segments.start[distinct], prepend=-1) != 0) | (
            np.diff(run.segments.end[distinct], prepend=-1) != 0)
        number = np.bincount(run.segments.query[distinct[new]], minlength=run.queries)
        matched = np.bincount(run.segments.query[np.flatnonzero(np.bincount(segment))], minlength=run.queries)
        whole = np.bincount(walk.query, minlength=run.queries) + number - matched
        return added(walk, precision[read], lambda query, value: (
            f'The precisions over {whole[query]} sum to {value:.4f}.'), whole, precision=precision[read])


PassageAP = register_measure(_PassageAP())
