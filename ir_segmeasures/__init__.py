"""
ir_segmeasures: evaluation of retrieval without a predefined unit, for ir-measures, ir_datasets and PyTerrier.

Importing it registers the measures and the provider ``segmeasures`` with ir-measures.
"""

from typing import TYPE_CHECKING, Any

from ir_segmeasures import measures, providers
from ir_segmeasures.ids.resolving import resolve
from ir_segmeasures.measures import (
    ASP,
    ESD,
    ESL,
    ESLRF,
    I3_P,
    I3_R,
    MASP,
    PRUM,
    T2I_AP,
    T2I_MAP,
    T2I_P,
    XCG,
    AgP,
    AgP_bep,
    AgP_reading,
    AiP,
    AiSP,
    AP_bin,
    AP_over,
    AP_tol,
    CharAP,
    CharMAP,
    I2_Precall,
    IoU_AP,
    IoU_R,
    Judged_bin,
    Judged_over,
    Judged_tol,
    MAgP,
    MAiP,
    MAiSP,
    MAnXCG,
    MAP_bin,
    MAP_over,
    MAP_tol,
    P_bin,
    P_cov,
    P_over,
    P_tol,
    PassageAP,
    Precall,
    R_cov,
    SegF,
    SegFallout,
    SegGenerality,
    SegIoU,
    SegMiss,
    SegNoise,
    SegP,
    SegR,
    gP,
    gP_bep,
    gP_reading,
    gR,
    igP,
    iP,
    iSP,
    mIoU_AP,
    nXCG,
    register_navigation,
    register_quantisation,
    xinfAP,
)
from ir_segmeasures.providers import inex_eval, sample_eval, segmeasures, sh_eval
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.table import SegmentTable

if TYPE_CHECKING:
    from ir_segmeasures.ids.documents import align, to_documents, with_ids

__version__ = '0.1.0'

__all__ = [
    'measures', 'providers',
    'T2I_AP', 'T2I_MAP', 'AP_tol', 'MAP_tol', 'P_tol', 'T2I_P', 'ESL', 'ESLRF', 'ESD', 'Precall',
    'AiSP', 'MAiSP', 'iSP', 'ASP', 'MASP',
    'AgP', 'MAgP', 'gP', 'gR', 'igP',
    'AiP', 'MAiP', 'iP', 'AgP_bep', 'gP_bep', 'AgP_reading', 'gP_reading',
    'AP_over', 'MAP_over', 'P_over', 'AP_bin', 'MAP_bin', 'P_bin',
    'Judged_over', 'Judged_bin', 'Judged_tol',
    'P_cov', 'R_cov',
    'SegP', 'SegR', 'SegF', 'SegIoU', 'SegFallout', 'SegMiss', 'SegNoise', 'SegGenerality',
    'CharAP', 'CharMAP', 'PassageAP',
    'IoU_AP', 'mIoU_AP', 'IoU_R',
    'I2_Precall', 'I3_R', 'I3_P', 'XCG', 'nXCG', 'MAnXCG', 'PRUM', 'register_quantisation', 'register_navigation',
    'xinfAP',
    'segmeasures', 'sh_eval', 'inex_eval', 'sample_eval',
    'Segment', 'parse_segment', 'format_segment', 'SegmentTable', 'resolve',
    'align', 'to_documents', 'with_ids',
    '__version__',
]


def __getattr__(name: str) -> Any:
    # What evaluation itself does not need is imported when it is first used.
    if name in ('align', 'to_documents', 'with_ids'):
        from ir_segmeasures.ids import documents
        return getattr(documents, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
