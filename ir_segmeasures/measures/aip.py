"""Focused retrieval, the interpolated precision of content of the INEX ad hoc track, 2007 to 2010: Kamps, Pehcevski,
Kazai, Lalmas, Robertson. INEX 2007 Evaluation Measures. INEX 2007.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content, and
recall levels have no bins. An item that is a document without a passage (``X`` in INEX runs) has no content. The
program's own numbers are ``tool='inex_eval'``.
"""


from ir_segmeasures.evaluation.axis import running
from ir_segmeasures.measures.base import CUTOFF, REL, Choice, Number, RunOnAxis, register_measure
from ir_segmeasures.measures.interpolation import AtLevel, InterpolatedMeasure, OverLevels, Recalled
from ir_segmeasures.measures.unread_content import check_no_passage, check_no_repeats
from ir_segmeasures.measures.walks import Walk, reading

__all__ = ['iP', 'AiP', 'MAiP']

_LEVELS = 101
_FOCUSED = {
    'overlap': Choice("what happens to an item that repeats content of an earlier item of its document: the repeated "
                      "content does not count ('trim'), or the run is refused ('error')", 'trim', 'error',
                      default='trim'),
    'rel': REL,
}


class _FocusedMeasure(InterpolatedMeasure):
    EVERYWHERE = True

    def recalled(self, run: RunOnAxis) -> Recalled:
        run.cached(check_no_passage)
        if self['overlap'] == 'error':
            check_no_repeats(run, self.cutoff, str(self))
        walk: Walk = run.cached(reading)
        walk = walk.up_to(self.cutoff)
        relevant = running(walk.gain, walk.query)
        return Recalled(walk, relevant / walk.total[walk.query], relevant / walk.cost, 'The items have')


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
    PRETTY_NAME = 'Interpolated Precision at recall'
    SHORT_DESC = 'The share of the retrieved content that is relevant, at a recall level.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('recall level, a share of the relevant content', low=0, high=1, required=True),
        **_FOCUSED,
        'cutoff': CUTOFF,
    }
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
    PRETTY_NAME = 'Average interpolated Precision'
    SHORT_DESC = 'The share of the retrieved content that is relevant, averaged over recall.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_FOCUSED}
    HIGHEST = 'precision', 'items', 'item'

    def levels(self) -> int:
        return _LEVELS


AiP = register_measure(_AiP(), ['MAiP'])
MAiP = AiP.called('MAiP')
