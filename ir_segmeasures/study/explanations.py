"""Explanations: how the value of a measure comes about for each query, as the steps of the walk that computes it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.outcomes import Outcome
from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.formats.files.row_types import row_type_of
from ir_segmeasures.measures.base import DECLARED, SegmentMeasure, SpanMeasure
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.scores import parse_measures


class Explanation(NamedTuple):
    """How the value of a measure came about for a query.

    Attributes:
        query_id: the query
        value: the value of the measure
        steps: a named tuple for each step, in order. For most measures the value is the sum of their fields ``adds``
        sentence: how the value follows from the steps
    """
    query_id: str
    value: float
    steps: Sequence[Any]
    sentence: str


def explain(measure: Measure | str, qrels: Any, run: Any) -> list[Explanation]:
    """How the value of a measure comes about, query by query, as the steps of the walk that computes it.

    Args:
        measure: a measure that has steps, or its name: T2I_AP, P_tol, T2I_P, ESL, AiSP, ASP, AgP, AigP, AiP, AP_over,
            AP_bin and others of their families, with any parameters
        qrels, run: in any shape of ir-measures, or frames of PyTerrier, with segments

    Returns:
        an explanation for each judged query, in the order of the qrels. A query without relevant content has no steps

    Raises:
        ValueError: a measure without steps, a figure of an official program, or what evaluation raises

    Examples:
        >>> from ir_segmeasures import explain
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=20,40': 1}}
        >>> explanation, = explain('AP_over', qrels, run)
        >>> for step in explanation.steps:
        ...     print(step)
        RelevantItem(rank=1, document='v', start=0.0, end=20.0, hits=1, precision=1.0, adds=0.5)
        RelevantItem(rank=2, document='v', start=20.0, end=40.0, hits=2, precision=1.0, adds=0.5)
        >>> explanation.value, explanation.sentence
        (1.0, 'The precisions at the items that overlap relevant content sum to 2.0000, and 2.0000 / 2 = 1.0000.')
    """
    wanted = parse_measures([measure])[0]
    if isinstance(wanted, SegmentMeasure):
        wanted.check_params()
    if not has_steps(wanted):
        others = ', '.join(known.NAME for known in DECLARED if has_steps(known))
        raise ValueError(f'{wanted} has no steps that could be shown: take one of {others}, without a tool, and with '
                         'lists that are not condensed')
    judged = SegmentTable.from_qrels(from_pyterrier(qrels))
    found: list[Explanation] = []
    for _, queries, outcome in SpanEvaluator([wanted], judged).outcomes(from_pyterrier(run)):
        found += [Explanation(judged.query_ids[query], value, [] if steps is None else steps, sentence)
                  for query, (value, steps, sentence) in enumerate(explanations_of(outcome, queries), queries.start)]
    return found


def explanations_of(outcome: Outcome, queries: slice) -> Iterator[tuple[float, Rows[Any] | None, str]]:
    """For each of some queries the value, the looks of the walk as rows, and the sentence about them; None for rows
    where nothing is relevant. A row has the rank of the item, the columns of the walk, then those of the stop."""
    walk, sentence = outcome.walk, outcome.sentence
    assert walk is not None and sentence is not None
    columns: dict[str, Any] = {}
    if walk.item is not None:
        stretch = walk.run.stretch[walk.item]
        columns = {'rank': walk.run.rank[walk.item], 'document': walk.run.document_ids(stretch)}
        if walk.start is not None:
            columns |= {name: walk.run.positions(stretch, x) for name, x in (('start', walk.start), ('end', walk.end))}
    columns |= {**walk.shown(walk), **outcome.columns}
    kind = row_type_of(tuple(columns), walk.kind)
    first = np.searchsorted(walk.query, np.arange(queries.start, queries.stop + 1)).tolist()
    for query, low, high in zip(range(queries.start, queries.stop), first, first[1:]):
        if walk.run.R[query]:
            yield float(outcome.values[query]), Rows(kind, [column[low:high] for column in columns.values()]), (
                sentence(query))
        else:
            value = float(outcome.values[query])
            yield value, None, f'The query has no relevant content, so the value is {value:g}.'


def has_steps(measure: Measure) -> TypeGuard[SpanMeasure]:
    """Tells whether a measure can be explained: its walk is shown, the figure of no official program is asked for, and
    positions are those of the documents, not of condensed ones.
    """
    return (isinstance(measure, SpanMeasure) and type(measure).outcome is not SpanMeasure.outcome
            and 'tool' not in measure.params and not measure.params.get('condensed'))
