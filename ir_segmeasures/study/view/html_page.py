"""The page for the browser: one HTML file that holds the data, the scripts and the style."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import inf, isfinite
from typing import Any

import numpy as np
from ir_measures import Measure

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.t2i_user import T2IMeasure
from ir_segmeasures.segments.arrays import Array, Floats, Ints
from ir_segmeasures.study.explanations import has_steps
from ir_segmeasures.study.view.blocks import packed_block, readable_block
from ir_segmeasures.study.view.colours import LEGEND
from ir_segmeasures.study.view.media import check_media, media_sources
from ir_segmeasures.study.view.page_data import DEFAULT_MEASURES, PageData, read_page_data
from ir_segmeasures.study.view.templates import page_templates, rendered_page
from ir_segmeasures.study.view.texts import DocumentTexts
from ir_segmeasures.study.view.timelines import JudgedSpan, QueryTimeline, RankedItems

__all__ = ['page']

TEXTS_FROM_TOP = 20  # of the items of a run, whose texts are on the page beside those of relevant documents
SCRIPTS = (  # one script, in this order
    'state', 'queries', 'explanations', 'documents', 'sides', 'texts', 'item', 'player', 'actions')
_WORDS, _PAUSE = 12, 2  # of a line of a transcript that has the times of words: at most so many, without such a silence
TITLES = {  # of the columns of steps, as the page shows them
    'rank': 'rank', 'document': 'document', 'start': 'segment', 'entry': 'entry', 'bep': 'best entry point',
    'document_rank': 'document rank', 'bin_rank': 'bin rank', 'waste': 'after', 'timeouts': 'timeouts',
    'V': 'V (new)', 'W': 'W (watched)', 'relevant': 'relevant', 'retrieved': 'retrieved', 'recall': 'recall',
    'hits': 'hits', 'P': 'P', 'R': 'R', 'F': 'F', 'score': 'score', 'precision': 'precision',
    'levels': 'recall levels', 'best': 'best from here', 'not_relevant_before': 'not relevant before',
    'gP': 'gP', 'gain': 'gain', 'gained': 'gained', 'tau': 'patience tau', 'value': 'value', 'adds': 'adds'}
_PLACES = 3  # decimals of a position: less than a millisecond, or a character, cannot be seen
_PARTS = ('new', 'continued', 'repeated')  # of items, by their numbers on the page
_TOGETHER = 5  # queries in a block, in which compression finds what they have in common
_READABLE = 20_000  # items of all runs, up to which the data are JSON that people can read


def page(qrels: Any, runs: Mapping[str, Any], measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES, *,
         queries: Mapping[str, str] | None = None, docs: DocumentTexts | None = None, media: str | None = None,
         unit: str | None = None, title: str = 'Runs and judgements', unlocated: Sequence[str] = (),
         lengths: Mapping[str, float] | None = None) -> str:
    """A self-contained HTML page to look at runs query by query.

    Args:
        qrels: in any shape of ir-measures, or a frame of PyTerrier, with segments
        runs: name → run, in any of these shapes. A mapping that reads a run when it is asked for saves memory: the page
            asks for each once, in order
        measures: one or more, of segments, or strings that ir-measures parses; content is relevant if it has the
            ``rel`` of the first
        queries: query id → its text
        docs: document id → its text, of which the page shows passages (where segments are in characters, words or
            lines); for recordings, the lines of its transcript, (start, end, text) in seconds
        media: where documents can be opened and played, a URL that holds ``{document}``, the name that the id
            of a document stands for; ``#t=`` is added to it
        unit: of bare columns, ``'t'`` (seconds), ``'char'`` or ``'word'``: for labels, it changes no value
        title: of the page
        unlocated: sentences about quotes and chunks that have no place in the texts, to be listed below the queries;
            looked at after the runs
        lengths: document → its length; its axis ends there, or at its last segment, or where its text ends

    Raises:
        ValueError: no run, no measure, or a measure of documents; qrels or runs that measures cannot be computed on; a
            ``media`` without ``{document}``, or that is no link
        ImportError: Jinja2 is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study.view import page
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> html = page(qrels, runs, ['T2I_MAP', 'MAiSP'], title='Two runs')
        >>> html.count('<title>Two runs</title>')
        1
    """
    templates = page_templates()
    if media is not None:
        check_media(media)
    data = read_page_data(qrels, runs, measures, unit)
    texts = {} if docs is None else _texts(data, docs)
    places = {document: place for place, document in enumerate(data.documents)}
    known = {places[document]: float(length) for document, length in (lengths or {}).items() if document in places}
    block = readable_block if _count_items(data) <= _READABLE else packed_block
    blocks = {'head': block(_head(data, queries or {}, media, title, _lengths(data, texts, known)))}
    blocks |= {f'queries-{i}': block([_query_columns(query, list(data.values), places)
                                      for query in data.queries[i:i + _TOGETHER]])
               for i in range(0, len(data.queries), _TOGETHER)}
    blocks |= {f'{"text" if isinstance(text, str) else "lines"}-{document}': readable_block(text)
               for document, text in texts.items()}
    return rendered_page(templates, 'page', title, SCRIPTS, media_sources(media), unlocated=unlocated, legend=LEGEND,
                         blocks=blocks)


def _count_items(data: PageData) -> int:
    return sum(len(ranked.document) for query in data.queries for ranked in query.ranked)


def _lengths(data: PageData, texts: Mapping[int, Any], known: Mapping[int, float]) -> dict[int, float | None]:
    """Document → its length, as far as it is known, of itself or by its text."""
    found = dict(known)
    for document, text in texts.items():
        if not isinstance(text, str):
            ends = text['end']
            found[document] = max(found.get(document, 0), ends.max(initial=0))
        elif data.units[document] == 'char':
            found[document] = len(text)
    return {document: _number(length) for document, length in found.items()}


def _head(data: PageData, queries: Mapping[str, str], media: str | None, title: str,
          lengths: Mapping[int, float | None]) -> dict[str, Any]:
    """The data of the list of queries, and of the page as a whole."""
    units = set(data.units)
    return {
        'title': title, 'media': media, 'legend': {kind: entry.label for kind, entry in LEGEND.items()},
        'runs': data.names, 'documents': data.documents, 'lengths': lengths, 'items': _count_items(data),
        'units': units.pop() if len(units) == 1 else data.units,
        'measures': [{'name': data.asked[measure], 'text': measure.SHORT_DESC,
                      'tau': _user_tolerance(measure),
                      'on': measure.params.get('keepviewing', False), 'cutoff': measure.params.get('cutoff'),
                      'lower': measure.LOWER_IS_BETTER}
                     for measure in data.values],
        'titles': TITLES, 'parts': _PARTS, 'together': _TOGETHER,
        'queries': [query.query_id for query in data.queries],
        'texts': [queries.get(query.query_id, '') for query in data.queries],
        'values': [[_rounded(run, 6) for run in by_run] for by_run in data.values.values()],
    }


def _query_columns(query: QueryTimeline, measures: list[SegmentMeasure], places: Mapping[str, int]) -> dict[str, Any]:
    """A query, as columns. Each segment that runs return stands there once, in the order of its first item.

    Args:
        places: document → its place in the list of all documents
    """
    segments, seen = _segments(query.ranked)
    document, start, end = segments.T
    return {
        'R': query.R, 'T': _number(query.T_rel),
        'judged': {'document': np.array([span.document for span in query.judged]),
                   'start': _rounded([span.start for span in query.judged]),
                   'end': _rounded([span.end for span in query.judged]),
                   'relevant': np.array([int(span.relevant) for span in query.judged])},
        'segments': {'document': document, 'start': _rounded(start), 'length': _rounded(end - start)},
        'runs': [_run(ranked, before, query.judged, measures, places) for ranked, before in zip(query.ranked, seen)],
    }


def _segments(ranked: Sequence[RankedItems]) -> tuple[Floats, list[Ints]]:
    """The document, start and end of each segment of some runs, in the order of first items; and for each item which
    segment it is, -1 for a new one, else its place among those of the items before in the order of their last items:
    runs that rank alike find the next one near the first place.
    """
    items = np.concatenate([np.stack([run.document, run.start, run.end], axis=1) for run in ranked])
    segments, first, segment = np.unique(items, axis=0, return_index=True, return_inverse=True)
    places, last, seen = np.full(len(items), -1), dict[int, int](), list[int]()
    for item, code in enumerate(segment.ravel().tolist()):
        if code in last:
            place = bisect_left(seen, last[code])
            del seen[place]
            places[item] = place
        last[code] = item
        seen.append(item)
    return segments[np.argsort(first)], np.split(places, np.cumsum([len(run.document) for run in ranked])[:-1])


def _user_tolerance(measure: SegmentMeasure) -> float | None:
    """The tolerance of the one T2I user whose finds are the steps of a measure, or None."""
    finds = isinstance(measure, T2IMeasure) and 'keepviewing' in measure.SUPPORTED_PARAMS and has_steps(measure)
    return float(measure['tau']) if finds and not isinstance(measure['tau'], str) else None


def _run(ranked: RankedItems, seen: Ints, judged: Sequence[JudgedSpan], measures: list[SegmentMeasure],
         places: Mapping[str, int]) -> dict[str, Any]:
    def numbers(name: str, column: Any) -> Array[Any]:
        if name == 'document':
            return np.array([places[id] for id in column], int)
        return _rounded(column, 6 if name == 'adds' else 4)  # which are summed, and which are shown
    explained = {}
    for i, measure in enumerate(measures):
        if measure in ranked.explanations:
            rows, sentence = ranked.explanations[measure]
            columns: dict[str, Any] = {name: numbers(name, column) for name, column in rows.columns.items()}
            if 'document' in columns and (
                    columns['document'] == ranked.document[columns['rank'].astype(int) - 1]).all():
                columns['document'] = None  # those of the items at these ranks
            explained[i] = {'sentence': sentence, 'columns': columns}
    start, end = _part_bounds(ranked, judged)
    return {
        'seen': (seen >= 0).astype(int), 'place': seen[seen >= 0],
        'parts': {'rank': np.array([part.rank for part in ranked.parts], int), 'start': start, 'end': end,
                  'kind': np.array([_PARTS.index(part.kind) for part in ranked.parts])},
        'explained': explained,
    }


def _part_bounds(ranked: RankedItems, judged: Sequence[JudgedSpan]) -> Floats:
    """The starts and ends of the parts of items, infinite, and so null on the page, where the next relevant span in the
    item starts and ends, or the item does: the page knows both."""
    spans: dict[int, tuple[list[float], list[float]]] = {}
    for span, (start, end) in zip(judged, _rounded([span[1:3] for span in judged]).tolist()):
        if span.relevant:
            starts, ends = spans.setdefault(span.document, ([], []))
            starts.append(start)
            ends.append(end)
    parts = _rounded([part[1:3] for part in ranked.parts]).reshape(-1, 2)
    item = np.array([part.rank for part in ranked.parts], int) - 1
    columns = (ranked.document[item], _rounded(ranked.start)[item], _rounded(ranked.end)[item], parts[:, 1])
    known, last, place = [], -1, 0.0
    for number, document, start, end, until in zip(item.tolist(), *(column.tolist() for column in columns)):
        place = place if number == last else start
        starts, ends = spans[document]
        i = bisect_right(ends, place)
        known.append((max(place, starts[i]), min(end, ends[i])) if i < len(ends) else (inf, inf))
        last, place = number, until
    return np.where(parts == np.reshape(known, (-1, 2)), np.inf, parts).T


def _texts(data: PageData, docs: DocumentTexts) -> dict[int, str | dict[str, Any]]:
    """The texts of documents with relevant content and of the best items, where segments are parts of a text, and the
    transcripts as columns, where they are in seconds."""
    wanted: dict[int, None] = {}
    for query in data.queries:
        wanted |= dict.fromkeys(span.document for span in query.judged if span.relevant)
        for ranked in query.ranked:
            wanted |= dict.fromkeys(ranked.document[:TEXTS_FROM_TOP].tolist())
    found: dict[int, str | dict[str, Any]] = {}
    for document in wanted:
        text = docs.get(data.documents[document])
        of_text = data.units[document] in ('char', 'word', 'line')
        if isinstance(text, str) and of_text:
            found[document] = text
        elif text is not None and not isinstance(text, str) and not of_text:
            lines = _readable(text)
            found[document] = {'start': _rounded([start for start, _, _ in lines]),
                               'end': _rounded([end for _, end, _ in lines]), 'text': [text for _, _, text in lines]}
    return found


def _readable(lines: Iterable[Any]) -> list[tuple[float, float, str]]:
    """The lines of a transcript; those of one word each are put together."""
    found: list[tuple[float, float, str]] = []
    words = 0
    for start, end, text, *_ in lines:
        one = len(text.split()) == 1
        if one and 0 < words < _WORDS and start - found[-1][1] < _PAUSE:
            found[-1] = (found[-1][0], max(end, found[-1][1]), f'{found[-1][2]} {text.strip()}')
            words += 1
        else:
            found.append((float(start), float(end), text.strip()))
            words = 1 if one else 0
    return found


def _rounded(values: Any, places: int = _PLACES) -> Floats:
    return np.round(np.asarray(values, float), places)


def _number(value: float) -> float | None:
    return None if not isfinite(value) else int(value) if value == int(value) else round(value, _PLACES)
