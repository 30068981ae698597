"""The measures and transformers for PyTerrier. ``import pyterrier`` binds this package as ``pt.segments``.

The measures are here and in ``pt.measures``, so that an experiment needs no other import:
``pt.Experiment(systems, topics, qrels, [pt.segments.MAiSP, pt.segments.MAgP])``.

The transformers are used as in ``bm25 >> pt.segments.no_overlap()``. Each is imported when it is first used, since
every ``import pyterrier`` loads this package.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from ir_segmeasures import measures as _measures
from ir_segmeasures.measures import *  # noqa: F403
from ir_segmeasures.measures.base import NAMES as _NAMES
from ir_segmeasures.segments.basics import needed as _needed
from ir_segmeasures.segments.user_warnings import set_experiment as _set_experiment

_pt_measures = _needed('pyterrier.measures', 'the transformers are for PyTerrier', 'pyterrier')
_MEASURES = [*_NAMES, 'register_quantisation', 'register_navigation']

# The transformers and functions of each module.
_TRANSFORMERS = {name: module for module, names in {
    'artifacts': ('SegmentTable',),
    'bounds': ('expand', 'snap', 'entry_points'),
    'cutters': ('sliding', 'by_boundaries', 'lines', 'turns', 'paragraphs', 'sentences', 'xml_elements'),
    'experiments': ('check_measures', 'experiment', 'grid_search'),
    'files': ('read_run', 'read_qrels', 'read_topics', 'write_run', 'write_qrels', 'rows_of'),
    'ids': ('encode', 'decode', 'resolve', 'align', 'to_documents', 'locate'),
    'rankings': ('no_overlap', 'merge', 'in_context', 'cut_effort', 'break_ties'),
    'retrieval': ('within', 'with_document_score'),
    'texts': ('get_text', 'transcript_documents', 'read_transcripts'),
}.items() for name in names}

if TYPE_CHECKING:  # for editors
    from ir_segmeasures.pt.artifacts import SegmentTable as SegmentTable
    from ir_segmeasures.pt.bounds import *  # noqa: F403
    from ir_segmeasures.pt.cutters import *  # noqa: F403
    from ir_segmeasures.pt.experiments import *  # noqa: F403
    from ir_segmeasures.pt.files import *  # noqa: F403
    from ir_segmeasures.pt.ids import *  # noqa: F403
    from ir_segmeasures.pt.rankings import *  # noqa: F403
    from ir_segmeasures.pt.retrieval import *  # noqa: F403
    from ir_segmeasures.pt.texts import *  # noqa: F403

__all__ = [name for names in (_MEASURES, _TRANSFORMERS) for name in names]

# pt.measures is a snapshot of the registry from before this import.
for _name in _MEASURES:
    setattr(_pt_measures, _name, getattr(_measures, _name))
_set_experiment(lambda: _import_module(f'{__name__}.pyterrier_private').current_experiment())


def __getattr__(name: str) -> Any:
    if name in _NAMES:  # declared after this import
        return _NAMES[name]
    if name not in _TRANSFORMERS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    transformer = globals()[name] = getattr(_import_module(f'{__name__}.{_TRANSFORMERS[name]}'), name)
    return transformer


def __dir__() -> list[str]:
    return sorted({*globals(), *_TRANSFORMERS})
