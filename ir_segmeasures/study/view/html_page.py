"""The page for the browser: one HTML file that holds the data, the scripts and the style."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from math import isfinite
from typing import Any
from urllib.parse import urlsplit

from ir_measures import Measure

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.t2i_user import T2IMeasure
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.study.explanations import has_steps
from ir_segmeasures.study.view.page_data import DEFAULT_MEASURES, PageData, read_page_data
from ir_segmeasures.study.view.texts import DocumentTexts
from ir_segmeasures.study.view.timelines import LEGEND, QueryTimeline, RankedItems

__all__ = ['page']

TEXTS_FROM_TOP = 20  # of the items of a run, whose texts are on the page beside those of relevant documents
SCRIPTS = ('state', 'queries', 'explanations', 'documents', 'texts', 'item', 'actions')  # one script, in this order
_WORDS, _PAUSE = 12, 2  # of a line of a transcript that has the times of words: at most so many, without such a silence
TITLES = {  # of the columns of steps, as the page shows them
    'rank': 'rank', 'document': 'document', 'start': 'segment', 'entry': 'entry', 'bep': 'best entry point',
    'document_rank': 'document rank', 'bin_rank': 'bin rank', 'waste': 'after', 'timeouts': 'timeouts',
    'V': 'V (new)', 'W': 'W (watched)', 'relevant': 'relevant', 'retrieved': 'retrieved', 'recall': 'recall',
    'bins': 'bins', 'hits': 'hits', 'P': 'P', 'R': 'R', 'F': 'F', 'score': 'score', 'precision': 'precision',
    'levels': 'recall levels', 'gP': 'gP', 'gain': 'gain', 'tau': 'patience tau', 'value': 'value', 'adds': 'adds'}
_PLACES = 3  # decimals of a position: less than a millisecond, or a character, cannot be seen
# A data block ends where the parser of HTML says, and a script where the one of JavaScript does.
_UNSAFE = re.compile('[<>&\u2028\u2029\ud800-\udfff]')


def page(qrels: Any, runs: Mapping[str, Any], measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES, *,
         queries: Mapping[str, str] | None = None, docs: DocumentTexts | None = None, media: str | None = None,
         unit: str | None = None, title: str = 'Runs and judgements', unlocated: Sequence[str] = ()) -> str:
    """A self-contained HTML page to look at runs query by query.

    Args:
        qrels: in any shape of ir-measures, or a frame of PyTerrier, with segments
        runs: name → run, in any of these shapes
        measures: one or more, of segments, or strings that ir-measures parses; content is relevant if it has the
            ``rel`` of the first
        queries: query id → its text
        docs: document id → its text, of which the page shows passages (where segments are in characters, words or
            lines); for recordings, the lines of its transcript, (start, end, text) in seconds
        media: where documents can be opened, a URL that holds ``{document}``; ``#t=`` is added to it
        unit: of bare columns, ``'t'`` (seconds), ``'char'`` or ``'word'``: for labels, it changes no value
        title: of the page
        unlocated: sentences about quotes and chunks that have no place in the texts, to be listed below the queries

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
    try:
        from jinja2 import Environment, PackageLoader
    except ImportError as error:
        raise ImportError(f"the page needs Jinja2, which cannot be imported ({error}): install "
                          "'ir_segmeasures[view]'") from error
    if media is not None:
        _check_media(media)
    data = read_page_data(qrels, runs, measures, unit)
    texts = {} if docs is None else _texts(data, docs)
    files = resources.files(__package__) / 'files'
    style = (files / 'page.css').read_text(encoding='utf-8')
    script = ''.join((files / f'{name}.js').read_text(encoding='utf-8') for name in SCRIPTS)
    lengths = {document: len(text) for document, text in texts.items()
               if isinstance(text, str) and data.units[document] == 'char'}
    places = {document: place for place, document in enumerate(data.documents)}
    blocks: dict[str, Any] = {'head': _head(data, queries or {}, media, title)}
    blocks |= {f'query-{i}': _query_block(query, list(data.values), lengths, places)
               for i, query in enumerate(data.queries)}
    blocks |= {f'{"text" if isinstance(text, str) else "lines"}-{document}': text for document, text in texts.items()}
    environment = Environment(loader=PackageLoader(__package__, 'files'), autoescape=True, trim_blocks=True)
    return environment.get_template('page.html').render(
        title=title.encode(errors='replace').decode(), style=style, script=script, unlocated=unlocated,
        style_hash=_hash(style), script_hash=_hash(script), legend=LEGEND,
        blocks={name: embedded(block) for name, block in blocks.items()})


def embedded(value: Any) -> str:
    """The value as JSON that can stand in a page wherever it comes from."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'), allow_nan=False)
    return _UNSAFE.sub(lambda sign: f'\\u{ord(sign[0]):04x}', text)


def _head(data: PageData, queries: Mapping[str, str], media: str | None, title: str) -> dict[str, Any]:
    """The data of the list of queries, and of the page as a whole."""
    units = set(data.units)
    return {
        'title': title, 'media': media, 'legend': {kind: entry.label for kind, entry in LEGEND.items()},
        'runs': data.names, 'documents': data.documents,
        'units': units.pop() if len(units) == 1 else data.units,
        'measures': [{'name': data.asked[measure], 'text': measure.SHORT_DESC,
                      'tau': _user_tolerance(measure),
                      'on': measure.params.get('keepviewing', False), 'cutoff': measure.params.get('cutoff'),
                      'lower': measure.LOWER_IS_BETTER}
                     for measure in data.values],
        'titles': TITLES,
        'queries': [query.query_id for query in data.queries],
        'texts': [queries.get(query.query_id, '') for query in data.queries],
        'values': [[[round(value, 6) for value in run] for run in by_run] for by_run in data.values.values()],
    }


def _query_block(query: QueryTimeline, measures: list[SegmentMeasure], lengths: Mapping[int, int],
                 places: Mapping[str, int]) -> dict[str, Any]:
    """A query, as columns.

    Args:
        lengths: the lengths of texts, which reach at least as far as the judged spans in them
        places: document → its place in the list of all documents
    """
    extents = query.extents()
    return {
        'R': query.R, 'T': _number(query.T_rel),
        'documents': {'document': list(extents), 'extent': [_number(max(extent, lengths.get(document, 0)))
                                                            for document, extent in extents.items()]},
        'judged': {'document': [span.document for span in query.judged],
                   'start': [_number(span.start) for span in query.judged],
                   'end': [_number(span.end) for span in query.judged],
                   'relevant': [int(span.relevant) for span in query.judged]},
        'runs': [_run(ranked, measures, places) for ranked in query.ranked],
    }


def _user_tolerance(measure: SegmentMeasure) -> float | None:
    """The tolerance of the one T2I user whose finds are the steps of a measure, or None."""
    finds = isinstance(measure, T2IMeasure) and 'keepviewing' in measure.SUPPORTED_PARAMS and has_steps(measure)
    return float(measure['tau']) if finds and not isinstance(measure['tau'], str) else None


def _run(ranked: RankedItems, measures: list[SegmentMeasure], places: Mapping[str, int]) -> dict[str, Any]:
    explained = {}
    for i, measure in enumerate(measures):
        if measure in ranked.explanations:
            rows, sentence = ranked.explanations[measure]
            explained[i] = {'sentence': sentence, 'columns': {
                name: [places[value] if name == 'document' else _number(value, 6) for value in column]
                for name, column in rows.columns.items()}}
    return {
        'document': ranked.document,
        'start': [_number(start) for start in ranked.start],
        'length': [_number(end - start) for start, end in zip(ranked.start, ranked.end)],
        'parts': {'rank': [part.rank for part in ranked.parts], 'start': [_number(part.start) for part in ranked.parts],
                  'end': [_number(part.end) for part in ranked.parts], 'new': [int(part.new) for part in ranked.parts]},
        'explained': explained,
    }


def _texts(data: PageData, docs: DocumentTexts) -> dict[int, str | dict[str, Any]]:
    """The texts of documents with relevant content and of the best items, where segments are parts of a text, and the
    transcripts as columns, where they are in seconds."""
    wanted: dict[int, None] = {}
    for query in data.queries:
        wanted |= dict.fromkeys(span.document for span in query.judged if span.relevant)
        for ranked in query.ranked:
            wanted |= dict.fromkeys(ranked.document[:TEXTS_FROM_TOP])
    found: dict[int, str | dict[str, Any]] = {}
    for document in wanted:
        text = docs.get(data.documents[document])
        of_text = data.units[document] in ('char', 'word', 'line')
        if isinstance(text, str) and of_text:
            found[document] = text
        elif text is not None and not isinstance(text, str) and not of_text:
            lines = _readable(text)
            found[document] = {'start': [_number(start) for start, _, _ in lines],
                               'end': [_number(end) for _, end, _ in lines], 'text': [text for _, _, text in lines]}
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


def _number(value: float, places: int = _PLACES) -> float | None:
    if not isfinite(value):
        return None
    return int(value) if value == int(value) else round(value, places)


def _hash(text: str) -> str:
    return 'sha256-' + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _check_media(media: str) -> None:
    if '{document}' not in media:
        raise ValueError(f"the address {quoted(media)} does not hold '{{document}}', where the document's id goes: add "
                         "it")
    if media != media.strip() or not media.isprintable():
        raise ValueError(f'the address {quoted(media)} begins or ends with a blank, or holds a character that nobody '
                         'sees: take it out')
    try:
        parts = urlsplit(media)
        parts.port  # noqa: B018 -- raises for one that cannot be
        if ' ' in parts.netloc:
            raise ValueError('there is a blank in it')
    except ValueError as error:
        raise ValueError(f'the address {quoted(media)} has a broken host ({error}): correct it') from None
    if parts.scheme in ('http', 'https') and not parts.hostname:
        raise ValueError(f'the address {quoted(media)} names no host: write it behind {parts.scheme}://')
    if media.replace('\\', '/').startswith('//'):
        raise ValueError(f'the address {quoted(media)} begins with //, which is another host where it looks like a '
                         'folder: begin it with https: or file:, or with one /')
    if parts.scheme not in ('', 'http', 'https', 'file'):
        raise ValueError(f'the address {quoted(media)} is no link to a file: begin it with https:, http: or file:, or '
                         'give a relative one')
