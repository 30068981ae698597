"""The measures, one file a family. Importing this registers them with ir-measures."""

from ir_segmeasures.measures.agp import AgP, MAgP, gP, gR, igP
from ir_segmeasures.measures.aisp import ASP, MASP, AiSP, MAiSP, iSP
from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.coverage import P_cov, R_cov
from ir_segmeasures.measures.elements.inex2002 import I3_P, I3_R, I2_Precall
from ir_segmeasures.measures.elements.prum import PRUM, register_navigation
from ir_segmeasures.measures.elements.quantisation import register_quantisation
from ir_segmeasures.measures.elements.xcg import XCG, MAnXCG, nXCG
from ir_segmeasures.measures.inex import AgP_bep, AgP_reading, AiP, MAiP, gP_bep, gP_reading, iP
from ir_segmeasures.measures.moments import IoU_AP, IoU_R, mIoU_AP
from ir_segmeasures.measures.overlap import AP_bin, AP_over, Judged_bin, Judged_over, MAP_bin, MAP_over, P_bin, P_over
from ir_segmeasures.measures.passage import CharAP, CharMAP, PassageAP
from ir_segmeasures.measures.sets import (
    SegF,
    SegFallout,
    SegGenerality,
    SegIoU,
    SegMiss,
    SegNoise,
    SegP,
    SegR,
)
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
from ir_segmeasures.measures.xinfap import xinfAP

__all__ = [
    'SegmentMeasure',
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
]
