"""
The PyTerrier side, which ``import pyterrier`` binds as ``pt.segments``.

The measures are here and in ``pt.measures``, so that an experiment needs no other import:
``pt.Experiment(systems, topics, qrels, [pt.segments.MAiSP, pt.segments.MAgP])``.
"""

from pyterrier import measures as _pt_measures

from ir_segmeasures import measures as _measures
from ir_segmeasures.measures import *  # noqa: F403

__all__ = [name for name in _measures.__all__ if name != 'SegmentMeasure']

# pt.measures is a snapshot of the registry from before this import.
for _name in __all__:
    setattr(_pt_measures, _name, getattr(_measures, _name))
