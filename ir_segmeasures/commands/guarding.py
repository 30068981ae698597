"""What measures of documents are not given: rows at which trec_eval, in the process that asks it, fails or crashes."""

from collections.abc import Iterable, Sequence
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.columns import RowError
from ir_segmeasures.segments.shown import shown

__all__ = ['guard']

_LARGEST = 10_000  # trec_eval counts the items of each grade, which takes time


def guard(rows: Sequence[Any], kind: str, measures: Iterable[Measure]) -> None:
    """Raises RowError for a row that trec_eval cannot take, where it computes one of the measures.

    Args:
        rows: of a file or a dataset
        kind: ``'run'`` or ``'qrels'``
    """
    trec_eval = ir_measures.providers.registry['pytrec_eval']
    name = next((measure for measure in measures
                 if not isinstance(measure, SegmentMeasure) and trec_eval.supports(measure)), None)
    if name is None:
        return
    for number, row in enumerate(rows):
        for field in ('query_id', 'doc_id'):
            id = getattr(row, field)
            if not id.isascii() and any('\ud800' <= sign <= '\udfff' for sign in id):
                raise RowError(kind, number, f'the {field} {shown(id)} holds half of a surrogate pair, which {name} '
                                             'cannot take: correct the id')
        if kind == 'qrels' and not (isinstance(row.relevance, int) and -1 <= row.relevance <= _LARGEST):
            raise RowError(kind, number, f'the relevance {shown(row.relevance)} is no whole number from -1 to '
                                         f'{_LARGEST:,}, and {name} takes these alone: correct it, or measure segments')
