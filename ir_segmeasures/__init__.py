"""ir_segmeasures: evaluation of retrieval without a predefined unit, for ir-measures, ir_datasets and PyTerrier.

Importing it registers the measures and the provider ``segmeasures`` with ir-measures.
"""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ir_segmeasures import measures as measures, providers as providers
from ir_segmeasures.measures import *
from ir_segmeasures.measures.ir_measures_private import mend_parsing as _mend_parsing
from ir_segmeasures.providers import *
from ir_segmeasures.segments.version import __version__ as __version__

if TYPE_CHECKING:
    from ir_segmeasures.ids.documents import align as align, to_documents as to_documents
    from ir_segmeasures.ids.encoding import with_ids as with_ids, within_lengths as within_lengths
    from ir_segmeasures.ids.resolving import resolve as resolve
    from ir_segmeasures.ids.ties import break_ties as break_ties
    from ir_segmeasures.segments.segment import (
        Segment as Segment,
        format_segment as format_segment,
        parse_segment as parse_segment,
        quote_id as quote_id,
        unquote_id as unquote_id,
    )
    from ir_segmeasures.segments.tables.table import SegmentTable as SegmentTable
    from ir_segmeasures.segments.user_warnings import SegmentWarning as SegmentWarning
    from ir_segmeasures.study.explanations import explain as explain
    from ir_segmeasures.study.official_figures import official as official
    from ir_segmeasures.study.runs import evaluate_runs as evaluate_runs
    from ir_segmeasures.study.view import show as show
    from ir_segmeasures.texts import chunks as chunks
    from ir_segmeasures.texts.answers import windows_in as windows_in
    from ir_segmeasures.texts.locating.index import locate as locate

_OTHERS = ('measures', 'providers', 'segmeasures', 'sh_eval', 'inex_eval', 'sample_eval', 'chunking_evaluation',
           'legalbenchrag', 'tvr', 'qvhighlights', 'tvr_ranking', '__version__')
# What registering the measures does not need is imported when it is first used.
_LATER = {'align': 'ids.documents', 'to_documents': 'ids.documents', 'with_ids': 'ids.encoding',
          'break_ties': 'ids.ties', 'within_lengths': 'ids.encoding', 'resolve': 'ids.resolving', 'show': 'study.view',
          'evaluate_runs': 'study.runs', 'explain': 'study.explanations', 'official': 'study.official_figures',
          'chunks': 'texts.chunks', 'windows_in': 'texts.answers', 'locate': 'texts.locating.index',
          **dict.fromkeys(('Segment', 'parse_segment', 'format_segment', 'quote_id', 'unquote_id'), 'segments.segment'),
          'SegmentTable': 'segments.tables.table', 'SegmentWarning': 'segments.user_warnings'}


measures.SegmentMeasure.find_datasets = partial(import_module, f'{__name__}.datasets')
_mend_parsing()

if not TYPE_CHECKING:  # type checkers read the names above
    def __getattr__(name: str) -> Any:
        if name == '__all__':
            return __dir__()
        if name in _LATER:
            module = import_module(f'{__name__}.{_LATER[name]}')
            return module if _LATER[name].endswith(f'.{name}') else getattr(module, name)
        if name in measures.__all__:  # declared after this import
            return getattr(measures, name)
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def __dir__() -> list[str]:
    return [*measures.__all__, *_OTHERS, *_LATER]  # type: ignore[attr-defined]  # of what was declared until now
