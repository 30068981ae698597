"""Pictures of one query of a run, for a notebook."""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib import import_module
from math import isinf
from typing import Any, NamedTuple

import ir_measures
from ir_measures import Measure

from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import unquote_id
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.view.html_page import DEFAULT_MEASURES, checked_measures
from ir_segmeasures.study.view.timelines import build_timelines

DOCUMENTS = 8


def show(qrels: Any, run: Any, query: str,
         measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES, documents: int = DOCUMENTS) -> Timeline:
    """One query of a run as a timeline, document by document in order of rank, that a notebook shows as a picture.

    Args:
        qrels, run: in any shape of ir-measures, or frames of PyTerrier, with segments
        query: the id of a judged query
        measures: one or more, whose values stand above it
        documents: how many documents to draw at most; those with relevant content have room first

    Raises:
        ValueError: a query that is not judged, or qrels or a run that measures cannot be computed on

    Examples:
        >>> from ir_segmeasures import formats, sample, show
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> run = formats.read_run(sample.path('good.run'))
        >>> show(qrels, run, 'q1', 'MAiSP', documents=1)
        query q1: MAiSP 0.7904
        2 relevant spans, 20 items
              relevant  bees-01 31.2–94
             1  item      bees-01 77.1–101.7  16.9 new
             2  item      bees-01 50.6–76.4  25.8 new
             3  item      bees-01 15.7–40.3  9.1 new
             6  item      bees-01 102.2–126
        and 7 more documents
    """
    judged, retrieved = (SegmentTable.from_qrels(from_pyterrier(qrels)), SegmentTable.from_run(from_pyterrier(run)))
    if query not in judged.query_ids:
        raise ValueError(f'the qrels have no judgement of query {quoted(query)}: give the id of a judged query')
    names = checked_measures(measures)
    values = {metric.measure: metric.value for metric in ir_measures.iter_calc(list(names), judged, retrieved)
              if metric.query_id == query}
    return Timeline(judged.of_queries([query]), retrieved.of_queries([query]), query, documents,
                    ', '.join(f'{name} {values[measure]:.4f}' for measure, name in names.items()),
                    next((measure['rel'] for measure in names if 'rel' in measure.SUPPORTED_PARAMS), 1))


class Timeline(NamedTuple):
    """A query of a run: ``print`` it, or let a notebook show it."""
    qrels: SegmentTable
    run: SegmentTable
    query: str
    documents: int
    values: str
    rel: float

    def __repr__(self) -> str:
        timelines = build_timelines(self.qrels, [('run', self.run)], self.rel)
        query, = timelines.queries
        documents, left_out = query.documents(self.documents)
        lines = [f'query {query.query_id}: {self.values}',
                 f'{sum(span.relevant for span in query.judged)} relevant spans, {len(query.ranked[0].document)} items']

        def at(document: int, start: float, end: float) -> str:
            name, stop = unquote_id(timelines.documents[document]), '' if isinf(end) else format_number(end)
            return f'{name} {format_number(start)}–{stop}'
        lines += [f'{" " * 6}relevant  {at(*span[:3])}' for document in documents for span in document.relevant]
        for item, place in sorted((item, document.document) for document in documents for item in document.runs[0]):
            new, repeated = (sum(part.end - part.start for part in item.parts if (part.kind != 'repeated') == kind)
                             for kind in (True, False))
            found = ', '.join(f'{length:.6g} {name}' for length, name in ((new, 'new'), (repeated, 'seen before'))
                              if length)
            lines.append(f'{item.rank:6}  item      {at(place, item.start, item.end)}  {found}'.rstrip())
        return '\n'.join([*lines, *([f'and {left_out} more documents'] if left_out else [])])

    def svg(self) -> str:
        """The picture as SVG. Raises an ImportError where matplotlib is not installed."""
        from ir_segmeasures.study import plots
        axes = plots.timeline(self.qrels, self.run, self.query, self.documents, 100, self.rel, width=170)
        axes.set_title(f'{self.query}: {self.values}', fontsize='medium')
        written = io.BytesIO()
        plots.save(axes, written, 'svg')
        import_module('matplotlib.pyplot').close(axes.figure)
        return written.getvalue().decode()

    def _repr_html_(self) -> str | None:
        try:
            picture = self.svg()
        except ImportError:  # a notebook then shows the text
            return None
        return f'<div style="max-width:100%;overflow-x:auto;background:white">{picture[picture.index("<svg"):]}</div>'
