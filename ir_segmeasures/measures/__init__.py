"""The measures, one file a family. Importing this registers them with ir-measures."""

from ir_segmeasures.measures.agp import AgP, MAgP, gP, gR, igP
from ir_segmeasures.measures.aisp import AiSP, MAiSP, iSP
from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.overlap import AP_bin, AP_over, Judged_bin, Judged_over, MAP_bin, MAP_over, P_bin, P_over
from ir_segmeasures.measures.t2i import (
    ESD,
    ESL,
    ESLRF,
    T2I_AP,
    T2I_MAP,
    T2I_P,
    AP_tol,
    Judged_tol,
    MAP_tol,
    P_tol,
    Precall,
)

__all__ = [
    'SegmentMeasure',
    'T2I_AP', 'T2I_MAP', 'AP_tol', 'MAP_tol', 'P_tol', 'T2I_P', 'ESL', 'ESLRF', 'ESD', 'Precall',
    'AiSP', 'MAiSP', 'iSP',
    'AgP', 'MAgP', 'gP', 'gR', 'igP',
    'AP_over', 'MAP_over', 'P_over', 'AP_bin', 'MAP_bin', 'P_bin',
    'Judged_over', 'Judged_bin', 'Judged_tol',
]
