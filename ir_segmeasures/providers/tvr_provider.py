"""The provider ``tvr``: recall of moments as the program of TVR has it."""

from ir_measures import providers

from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.tvr_figures import FIGURES

__all__ = ['TVRProvider', 'tvr']


class TVRProvider(ToolProvider):
    """The program of TVR (jayleicn/TVRetrieval; Lei, Yu, Berg & Bansal, ECCV 2020): ``IoU_R(iou=0.7, tool='tvr')@5`` on
    its predictions of VCMR (moments of all videos) and SVMR (moments of the query's video).

    Its numbers differ from the definition in known ways, all kept:

    - it computes in single precision: an IoU of 0.5 or 0.7 to some 10^-7 can fall on either side;
    - it looks at the first 100 items, and at no others.

    In SVMR the program leaves out what is of other videos than that of the query before it counts ranks: the commands
    do so with ``--task SVMR``, and
    :func:`ir_segmeasures.measures.judged_videos.items_of_judged_videos` does so with rows.

    Its figures of videos (VR) are ``Success@k`` of ir-measures on runs and qrels made documents
    (:func:`~ir_segmeasures.to_documents`).
    """
    NAME = 'tvr'
    FIGURES = FIGURES


tvr = providers.register(TVRProvider())
