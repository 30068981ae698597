"""The provider ``qvhighlights``: recall and average precision of moments as the program of QVHighlights has them."""

from ir_measures import providers

from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.qvhighlights_figures import FIGURES

__all__ = ['QVHighlightsProvider', 'qvhighlights']


class QVHighlightsProvider(ToolProvider):
    """The program of QVHighlights (moment_detr, standalone_eval; Lei, Berg & Bansal, NeurIPS 2021):
    ``IoU_R(iou=0.7, tool='qvhighlights')@1``, ``IoU_AP(iou=0.5, tool='qvhighlights')`` and
    ``mIoU_AP(tool='qvhighlights')``.

    Its numbers differ from the definition in known ways, all kept:

    - recall looks at the item that is listed first, whatever its score is: the first of the query in the input;
    - average precision looks at the first ten items as listed, and then orders them by score;
    - it computes in double precision: an IoU at a threshold can fall on either side;
    - of true windows that fit an item equally well, the one judged last is matched first.
    """
    NAME = 'qvhighlights'
    FIGURES = FIGURES


qvhighlights = providers.register(QVHighlightsProvider())
