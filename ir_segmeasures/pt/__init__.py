"""The measures and transformers for PyTerrier. ``import pyterrier`` binds this package as ``pt.segments``.

The measures are here and in ``pt.measures``, so that an experiment needs no other import:
``pt.Experiment(systems, topics, qrels, [pt.segments.MAiSP, pt.segments.MAgP])``.

The transformers are used as in ``bm25 >> pt.segments.no_overlap()``. Each is imported when it is first used, since
every ``import pyterrier`` loads this package.
"""

from importlib import import_module as _import_module
from typing import Any

from pyterrier import measures as _pt_measures

from ir_segmeasures import measures as _measures
from ir_segmeasures.measures import *  # noqa: F403
from ir_segmeasures.measures.base import NAMES as _NAMES
from ir_segmeasures.segments.tables.batches import set_experiment as _set_experiment

_MEASURES = [*_NAMES, 'register_quantisation', 'register_navigation']

# The module of each transformer.
_TRANSFORMERS = {
    'no_overlap': 'rankings', 'merge': 'rankings', 'in_context': 'rankings', 'cut_effort': 'rankings',
    'break_ties': 'rankings',
    'expand': 'bounds', 'snap': 'bounds', 'entry_points': 'bounds',
    'sliding': 'cutters', 'by_boundaries': 'cutters', 'lines': 'cutters', 'turns': 'cutters',
    'paragraphs': 'cutters', 'sentences': 'cutters', 'xml_elements': 'elements',
    'transcript_documents': 'transcripts', 'read_transcripts': 'transcripts',
    'encode': 'ids', 'decode': 'ids', 'resolve': 'ids', 'locate': 'locating', 'align': 'ids', 'to_documents': 'ids',
    'get_text': 'texts', 'within': 'retrieval', 'with_document_score': 'retrieval',
    'read_run': 'files', 'read_qrels': 'files', 'read_topics': 'files', 'write_run': 'files', 'write_qrels': 'files',
    'rows_of': 'files', 'check_measures': 'experiments', 'experiment': 'experiments', 'grid_search': 'experiments',
}

__all__ = [name for names in (_MEASURES, _TRANSFORMERS) for name in names]

# pt.measures is a snapshot of the registry from before this import.
for _name in _MEASURES:
    setattr(_pt_measures, _name, getattr(_measures, _name))


def _current_experiment() -> Any:
    from ir_segmeasures.pt.pyterrier_private import current_experiment
    return current_experiment()


_set_experiment(_current_experiment)


def __getattr__(name: str) -> Any:
    if name in _NAMES:  # declared after this import
        return _NAMES[name]
    if name not in _TRANSFORMERS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    transformer = globals()[name] = getattr(_import_module(f'{__name__}.{_TRANSFORMERS[name]}'), name)
    return transformer


def __dir__() -> list[str]:
    return sorted({*globals(), *_TRANSFORMERS})
