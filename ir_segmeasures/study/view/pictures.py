"""Pictures of one query of a run, for a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import isinf
from typing import Any

from ir_measures import Measure

from ir_segmeasures.segments.quoting import abbreviated, format_number, quoted
from ir_segmeasures.study.view.colours import LEGEND
from ir_segmeasures.study.view.page_data import DEFAULT_MEASURES, PageData, read_page_data
from ir_segmeasures.study.view.timelines import DocumentTimeline, stack

__all__ = ['Timeline', 'show']

DOCUMENTS = 8
_LEFT, _WIDTH, _RIGHT, _ROW, _BAR, _THIN = 150, 560, 60, 20, 8, 3  # pixels


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
    data = read_page_data(qrels, {'run': run}, measures)
    place = next((i for i, judged in enumerate(data.queries) if judged.query_id == query), None)
    if place is None:
        raise ValueError(f'the qrels have no judgement of query {quoted(query)}: give the id of a judged query')
    return Timeline(data, place, documents)


class Timeline:
    """A query of a run: ``print`` it, or let a notebook show it."""

    def __init__(self, data: PageData, place: int = 0, documents: int = DOCUMENTS):
        self._data, self._place = data, place
        self._query = data.queries[place]
        self._documents, self._left_out = self._query.picture(documents)

    def __repr__(self) -> str:
        query = self._query
        lines = [f'query {query.query_id}: {self._values()}',
                 f'{query.R} relevant spans, {len(query.ranked[0].document)} items']
        drawn = {document.document for document in self._documents}
        lines += [f'{" " * 6}relevant  {self._at(span.document, span.start, span.end)}'
                  for span in query.judged if span.relevant and span.document in drawn]
        for item, place in sorted((item, document.document) for document in self._documents
                                  for item in document.runs[0]):
            new, repeated = (sum(part.end - part.start for part in item.parts if part.new == kind)
                             for kind in (True, False))
            found = ', '.join(f'{length:.6g} {name}' for length, name in ((new, 'new'), (repeated, 'seen before'))
                              if length)
            lines.append(f'{item.rank:6}  item      {self._at(place, item.start, item.end)}'
                         + (f'  {found}' if found else ''))
        if self._left_out:
            lines.append(f'and {self._left_out} more documents')
        return '\n'.join(lines)

    def _repr_html_(self) -> str:
        return f'<div style="max-width:{_LEFT + _WIDTH + _RIGHT + 10}px;overflow-x:auto">{self.svg()}</div>'

    def svg(self) -> str:
        """The picture as SVG, in colours for light and dark."""
        y, body = 62.0, list[str]()
        for document in self._documents:
            y += _ROW
            rows, drawn = self._lanes(document, y)
            body += drawn
            y += _ROW * max(1, rows) + 6
        if self._left_out:
            y += _ROW
            body.append(_text(0, y + 8, f'and {self._left_out} more documents', size=11))
        height, width = y + 22, _LEFT + _WIDTH + _RIGHT
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" '
                f'height="{height:g}" role="img" font-family="system-ui,sans-serif" fill="currentColor">'
                f'<title>query {escape(self._query.query_id)}</title>'
                + _text(0, 14, f'{self._query.query_id}: {self._values()}', size=13) + _legend(32)
                + ''.join(body) + '</svg>')

    def _lanes(self, document: DocumentTimeline, y: float) -> tuple[int, list[str]]:
        """The number of rows of items, and the lanes of a document, whose first begins at ``y``."""
        name, extent = self._data.documents[document.document], document.extent or 1
        scale = _WIDTH / extent
        drawn = [_text(_LEFT + _WIDTH + 6, y + 8, format_number(extent) if document.extent else '', size=9),
                 _text(0, y + 8, abbreviated(name, 19), title=name)]

        def bar(kind: str, start: float, end: float, top: float, title: str, height: int = _BAR) -> str:
            left, right = _LEFT + start * scale, _LEFT + min(end, extent) * scale
            return (f'<rect x="{left:.1f}" y="{top:g}" width="{max(right - left, 1.5):.1f}" height="{height}" rx="1.5" '
                    f'fill="{LEGEND[kind].colour}"><title>{escape(title)}</title></rect>')
        for span in document.judged:
            title = f'judged {"" if span.relevant else "not "}relevant: ' \
                    f'{self._at(span.document, span.start, span.end)}'
            drawn.append(bar('relevant', span.start, span.end, y, title) if span.relevant else
                         bar('irrelevant', span.start, span.end, y + _BAR + 1, title, _THIN))
        rows = 0
        for item, row, label in stack(document.runs[0], extent, _WIDTH):
            top, rows = y + _ROW * (row + 1), max(rows, row + 1)
            title = f'rank {item.rank}: {self._at(document.document, item.start, item.end)}'
            drawn.append(bar('rest', item.start, item.end, top, title))
            drawn += [bar(part.kind, part.start, part.end, top, title) for part in item.parts]
            drawn.append(_text(_LEFT + label, top - 1, str(item.rank), size=9))
        if not document.runs[0]:
            drawn.append(_text(_LEFT, y + _ROW + 6, 'not retrieved', size=10))
        return rows, drawn

    def _values(self) -> str:
        return ', '.join(f'{self._data.asked[measure]} {values[0][self._place]:.4f}'
                         for measure, values in self._data.values.items())

    def _at(self, document: int, start: float, end: float) -> str:
        stop = '' if isinf(end) else format_number(end)
        return f'{self._data.documents[document]} {format_number(start)}–{stop}'


def _text(x: float, y: float, text: str, size: float = 12, title: str = '') -> str:
    note = f'<title>{escape(title)}</title>' if title else ''
    return f'<text x="{x:.1f}" y="{y:g}" font-size="{size:g}">{escape(text)}{note}</text>'


def _legend(y: float) -> str:
    x, signs = 0., list[str]()
    for label, colour in LEGEND.values():
        if x + 21 + 6.2 * len(label) > _LEFT + _WIDTH + _RIGHT:
            x, y = 0, y + 16
        signs.append(f'<rect x="{x:g}" y="{y - 8:g}" width="16" height="{_BAR}" rx="1.5" fill="{colour}"/>')
        signs.append(_text(x + 21, y, label, size=11))
        x += 40 + 6.2 * len(label)
    return ''.join(signs)
