"""The measures, one file a family, as the documentation lists them. Importing this registers them with ir-measures."""

from typing import TYPE_CHECKING, Any

from ir_segmeasures.measures.base import NAMES as _NAMES, RowMeasure as RowMeasure
from ir_segmeasures.measures.base import SegmentMeasure as SegmentMeasure, SpanMeasure as SpanMeasure
from ir_segmeasures.measures.t2i import *
from ir_segmeasures.measures.search_length import *
from ir_segmeasures.measures.watching import *
from ir_segmeasures.measures.agp import *
from ir_segmeasures.measures.passages import *
from ir_segmeasures.measures.documents import *
from ir_segmeasures.measures.overlap import *
from ir_segmeasures.measures.bins import *
from ir_segmeasures.measures.coverage import *
from ir_segmeasures.measures.sets import *
from ir_segmeasures.measures.contingency import *
from ir_segmeasures.measures.aspects import *
from ir_segmeasures.measures.moments import *
from ir_segmeasures.measures.saliency import *
from ir_segmeasures.measures.elements.inex2002 import *
from ir_segmeasures.measures.elements.xcg import *
from ir_segmeasures.measures.elements.prum import *
from ir_segmeasures.measures.samples import *
from ir_segmeasures.measures.elements.base import register_quantisation as register_quantisation
from ir_segmeasures.measures.elements.recall_base import ideal_recall_base as ideal_recall_base

if not TYPE_CHECKING:  # type checkers read the names above
    def __getattr__(name: str) -> Any:
        # Asked for anew each time, so that measures of other packages, declared later, are here as well.
        if name == '__all__':
            return ['SegmentMeasure', 'SpanMeasure', 'RowMeasure', *_NAMES, 'register_quantisation',
                    'register_navigation', 'ideal_recall_base']
        if name in _NAMES:
            return _NAMES[name]
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
