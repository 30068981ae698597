"""
The PyTerrier side, which ``import pyterrier`` binds as ``pt.segments``.

The measures are here and in ``pt.measures``, so that an experiment needs no other import:
``pt.Experiment(systems, topics, qrels, [pt.segments.MAiSP, pt.segments.MAgP])``.
"""

from ir_measures import Measure
from pyterrier import measures as _pt_measures

from ir_segmeasures import measures as _measures
from ir_segmeasures.measures import (
    ESD,
    ESL,
    ESLRF,
    T2I_AP,
    T2I_MAP,
    T2I_P,
    AgP,
    AiSP,
    AP_tol,
    MAgP,
    MAiSP,
    MAP_tol,
    P_tol,
    Precall,
    gP,
    gR,
    igP,
    iSP,
)

__all__ = [
    'T2I_AP', 'T2I_MAP', 'AP_tol', 'MAP_tol', 'P_tol', 'T2I_P', 'ESL', 'ESLRF', 'ESD', 'Precall',
    'AiSP', 'MAiSP', 'iSP',
    'AgP', 'MAgP', 'gP', 'gR', 'igP',
]

# pt.measures is a snapshot of the registry from before this import.
for _name in _measures.__all__:
    if isinstance(getattr(_measures, _name), Measure):
        setattr(_pt_measures, _name, getattr(_measures, _name))
