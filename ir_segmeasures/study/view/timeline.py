"""The picture of one query of a run, for a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import inf, isinf
from typing import Any

from ir_measures import Measure

from ir_segmeasures.segments.quoting import format_number, shortened, shown
from ir_segmeasures.study.view.model import DEFAULT_MEASURES, Data, DocumentPart, Ranked, read

__all__ = ['Timeline', 'show']

DOCUMENTS = 8
_COLOURS = {'relevant': '#7a8699', 'new': '#17997a', 'repeated': '#d9a02c', 'rest': '#b4bac5'}
_LABELS = {'relevant': 'judged relevant', 'new': 'relevant and new', 'repeated': 'seen before', 'rest': 'not relevant'}
_LEFT, _WIDTH, _ROW, _BAR = 150, 560, 20, 8  # pixels


def show(qrels: Any, run: Any, query: str,
         measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES, documents: int = DOCUMENTS) -> Timeline:
    """One query of a run as a timeline, document by document in order of rank, that a notebook shows as a picture.

    Args:
        qrels, run: in any shape of ir-measures, or frames of PyTerrier, with segments
        query: the id of a judged query
        measures: one or more, whose values stand above it
        documents: how many documents to draw at most

    Raises:
        ValueError: a query that is not judged, or what measures cannot be computed on
    """
    data = read(qrels, {'run': run}, measures)
    place = next((i for i, judged in enumerate(data.queries) if judged.query_id == query), None)
    if place is None:
        raise ValueError(f'the qrels have no judgement of query {shown(query)}: give the id of a judged query')
    return Timeline(data, place, documents)


class Timeline:
    """A query of a run: ``print`` it, or let a notebook show it."""

    def __init__(self, data: Data, place: int = 0, documents: int = DOCUMENTS):
        self._data, self._place = data, place
        self._query = data.queries[place]
        self._ranked = self._query.ranked[0]
        relevant = dict.fromkeys(span.document for span in self._query.judged if span.relevant)
        order = list(dict.fromkeys([*self._ranked.document, *relevant]))
        # Where there is no room for all, those with relevant content say most.
        kept = set(sorted(order, key=lambda document: document not in relevant)[:documents])
        self._documents, self._left_out = [document for document in order if document in kept], len(order) - len(kept)

    def __repr__(self) -> str:
        query = self._query
        lines = [f'query {query.query_id}: {self._values()}',
                 f'{query.R} relevant spans, {len(self._ranked.document)} items']
        lines += [f'{" " * 6}judged  {self._at(span.document, span.start, span.end)}'
                  for span in query.judged if span.relevant and span.document in self._documents]
        by_rank = _by_rank(self._ranked)
        for rank, (document, start, end) in enumerate(_items(self._ranked), 1):
            if document in self._documents:
                new, repeated = (sum(part.end - part.start for part in by_rank.get(rank, ()) if part.new == kind)
                                 for kind in (True, False))
                found = ', '.join(f'{length:.6g} {name}' for length, name in ((new, 'new'), (repeated, 'seen before'))
                                  if length)
                lines.append(f'{rank:6}  item    {self._at(document, start, end)}' + (f'  {found}' if found else ''))
        if self._left_out:
            lines.append(f'and {self._left_out} more documents')
        return '\n'.join(lines)

    def _repr_html_(self) -> str:
        return f'<div style="max-width:{_LEFT + _WIDTH + 70}px;overflow-x:auto">{self.svg()}</div>'

    def svg(self) -> str:
        """The picture as SVG, in colours for light and dark."""
        y, body = 46.0, list[str]()
        by_rank = _by_rank(self._ranked)
        for document in self._documents:
            spans = [span for span in self._query.judged if span.document == document and span.relevant]
            items = [(start, end, rank) for rank, (at, start, end) in enumerate(_items(self._ranked), 1)
                     if at == document]
            ends = [position for start, end in [*((s.start, s.end) for s in spans), *(item[:2] for item in items)]
                    for position in (start, end) if position < inf]
            scale = _WIDTH / (max(ends, default=0) or 1)
            y += _ROW
            last = max(ends, default=0)
            body.append(_text(_LEFT + _WIDTH + 6, y + 8, format_number(last) if last else '', size=9))
            name = self._data.documents[document]
            body.append(_text(0, y + 8, shortened(name, 19), title=name))
            for span in spans:
                body.append(_bar('relevant', span.start, span.end, y, scale, f'judged relevant: '
                                 f'{self._at(document, span.start, span.end)}'))
            rows: list[float] = []
            for start, end, rank in sorted(items):
                room = max((min(end, _WIDTH / scale) - start) * scale, 7 * len(str(rank)) + 4)
                row = next((i for i, reach in enumerate(rows) if reach <= start * scale + .5), len(rows))
                rows[row:row + 1] = [start * scale + room]
                top = y + _ROW * (row + 1)
                title = f'rank {rank}: {self._at(document, start, end)}'
                body.append(_bar('rest', start, end, top, scale, title))
                body += [_bar('new' if part.new else 'repeated', part.start, part.end, top, scale, title)
                         for part in by_rank.get(rank, ())]
                body.append(_text(_LEFT + start * scale, top - 1, str(rank), size=9))
            if not items:
                body.append(_text(_LEFT, y + _ROW + 6, 'not retrieved', size=10))
            y += _ROW * max(1, len(rows)) + 6
        if self._left_out:
            y += _ROW
            body.append(_text(0, y + 8, f'and {self._left_out} more documents', size=11))
        height, width = y + 22, _LEFT + _WIDTH + 60
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" '
                f'height="{height:g}" role="img" font-family="system-ui,sans-serif" fill="currentColor">'
                f'<title>query {escape(self._query.query_id)}</title>'
                + _text(0, 14, f'{self._query.query_id}: {self._values()}', size=13) + _legend(32)
                + ''.join(body) + '</svg>')

    def _values(self) -> str:
        return ', '.join(f'{self._data.asked[measure]} {values[0][self._place]:.4f}'
                         for measure, values in self._data.values.items())

    def _at(self, document: int, start: float, end: float) -> str:
        stop = '' if isinf(end) else format_number(end)
        return f'{self._data.documents[document]} {format_number(start)}–{stop}'


def _items(ranked: Ranked) -> Iterable[tuple[int, float, float]]:
    return zip(ranked.document, ranked.start, ranked.end)


def _by_rank(ranked: Ranked) -> dict[int, list[DocumentPart]]:
    by_rank: dict[int, list[DocumentPart]] = {}
    for part in ranked.parts:
        by_rank.setdefault(part.rank, []).append(part)
    return by_rank


def _bar(kind: str, start: float, end: float, y: float, scale: float, title: str) -> str:
    stop = min(end, _WIDTH / scale)
    return (f'<rect x="{_LEFT + start * scale:.1f}" y="{y:g}" width="{max((stop - start) * scale, 1.5):.1f}" '
            f'height="{_BAR}" rx="1.5" fill="{_COLOURS[kind]}"><title>{escape(title)}</title></rect>')


def _text(x: float, y: float, text: str, size: float = 12, title: str = '') -> str:
    note = f'<title>{escape(title)}</title>' if title else ''
    return f'<text x="{x:.1f}" y="{y:g}" font-size="{size:g}">{escape(text)}{note}</text>'


def _legend(y: float) -> str:
    x, signs = 0., list[str]()
    for kind, label in _LABELS.items():
        signs.append(f'<rect x="{x:g}" y="{y - 8:g}" width="16" height="{_BAR}" rx="1.5" fill="{_COLOURS[kind]}"/>')
        signs.append(_text(x + 21, y, label, size=11))
        x += 40 + 6.2 * len(label)
    return ''.join(signs)

