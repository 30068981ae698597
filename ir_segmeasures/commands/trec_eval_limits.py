"""The limits of trec_eval: rows and parameters at which it fails, or crashes the process that asks it."""

from collections.abc import Iterable, Sequence
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.columns import RowError

__all__ = ['refuse_parameters', 'refuse_rows']

_LARGEST = 10_000  # trec_eval counts the items of each grade, which takes time
_LONGEST = 10 ** 9  # of rankings


def refuse_rows(rows: Sequence[Any], kind: str, measures: Iterable[Measure]) -> None:
    """Raises RowError for a row that trec_eval cannot take, where it computes one of the measures, or that no program
    of measures of documents can, all of which write files.

    Args:
        rows: of a file or a dataset
        kind: ``'run'`` or ``'qrels'``
        measures: one of which at least is of documents
    """
    trec_eval = ir_measures.providers.registry['pytrec_eval']
    documents = [measure for measure in measures if not isinstance(measure, SegmentMeasure)]
    name = next(filter(trec_eval.supports, documents), None)
    gdeval = ir_measures.providers.registry['gdeval']
    numbered = next((measure for measure in documents if gdeval.supports(measure)), None)
    for number, row in enumerate(rows):
        if numbered is not None and not (row.query_id.isascii() and row.query_id.isdigit()):
            raise RowError(kind, number, f'the query is {quoted(row.query_id)}, and gdeval, which computes {numbered}, '
                                         'takes whole numbers alone: number the queries, or leave the measure out')
        for field in ('query_id', 'doc_id'):
            id = getattr(row, field)
            if not id.isascii() and any('\ud800' <= sign <= '\udfff' for sign in id):
                raise RowError(kind, number, f'the {field} {quoted(id)} holds half of a surrogate pair, which '
                                             f'{documents[0]} cannot take: correct the id')
        if name is not None and kind == 'qrels' and not (
                isinstance(row.relevance, int) and -1 <= row.relevance <= _LARGEST):
            raise RowError(kind, number, f'the relevance {quoted(row.relevance)} is no whole number from -1 to '
                                         f'{_LARGEST:,}, and {name} takes these alone: correct it, or measure segments')


def refuse_parameters(measure: Measure) -> None:
    """Raises ValueError for a parameter of a measure of documents that it cannot take, or cannot do without."""
    for name, param in measure.SUPPORTED_PARAMS.items():
        if param.required and name not in measure.params:
            raise ValueError(f'{measure.NAME} has no {name}, which it needs: write {measure.NAME}({name}=…)')
    cutoff, rel, gains = (measure.params.get(name, 1) for name in ('cutoff', 'rel', 'gains'))
    for name, least, most, values in (
            ('cutoff', 1, _LONGEST, [cutoff]), ('rel', 1, _LARGEST, [rel]),
            ('gains', -1, _LARGEST, [*gains, *gains.values()] if isinstance(gains, dict) else [])):
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise ValueError(f'{measure.NAME} has {name}={quoted(value)}: {name} is a whole number from {least} to '
                                 f'{most:,}')
