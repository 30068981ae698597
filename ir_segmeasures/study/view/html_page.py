"""The page for the browser, one HTML file that holds the data, the scripts and the style; and pictures of one query
for a notebook.
"""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from math import isfinite, isinf
from typing import Any, NamedTuple

import ir_measures
import numpy as np
from ir_measures import Measure

from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.parameters import CUTOFF
from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import unquote_id
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import SegmentNote, collected_warnings, naming_run, warn, with_run_name
from ir_segmeasures.study.explanations import explain, has_steps
from ir_segmeasures.study.scores import names_as_asked
from ir_segmeasures.study.view.html import check_media, media_sources, page_templates, rendered_page
from ir_segmeasures.study.view.timelines import LEGEND, QueryTimeline, Timelines, build_timelines

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')
TEXTS_FROM_TOP = 20  # of the items of a run, whose texts are on the page beside those of relevant documents
MOST_STEPS = 2_000  # of an explanation
# One script, in this order.
SCRIPTS = ('state', 'queries', 'explanations', 'documents', 'sides', 'texts', 'item', 'player', 'actions')
_WORDS, _PAUSE = 12, 2  # of a line of a transcript that has the times of words: at most so many, without such a silence
_TITLES = {'start': 'segment', 'bep': 'best entry point', 'document_rank': 'document rank', 'bin_rank': 'bin rank',
           'waste': 'after', 'V': 'V (new)', 'W': 'W (watched)', 'levels': 'recall levels', 'tau': 'patience tau',
           'best': 'best from here', 'iou': 'IoU', 'not_relevant_before': 'not relevant before'}
_PLACES = 3  # decimals of a position: less than a millisecond, or a character, cannot be seen


def page(qrels: Any, runs: Mapping[str, Any], measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES, *,
         queries: Mapping[str, str] | None = None, docs: Any = None, media: str | None = None,
         unit: str | None = None, title: str = 'Runs and judgements', unlocated: Iterable[str] = (),
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
            ``media`` without ``{document}``, or that is not a link
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
    check_media(media)
    names = checked_measures(measures)
    if not runs:
        raise ValueError('there is no run to look at: give at least one')
    elements = any(isinstance(measure, RowMeasure) for measure in names)
    judged = SegmentTable.from_qrels(from_pyterrier(qrels), elements)
    rel = next((measure['rel'] for measure in names if 'rel' in measure.SUPPORTED_PARAMS), 1)
    evaluator = ir_measures.evaluator(list(names), judged)
    values: list[dict[tuple[str, Measure], float]] = []  # for each run
    explained: list[dict[int, dict[str, Any]]] = []  # for each run: the number of a measure → query → explanation

    def evaluated() -> Iterator[tuple[str, SegmentTable]]:
        for name in runs:
            table = SegmentTable.from_run(from_pyterrier(runs[name]), elements)
            yield name, table
            try:
                with collected_warnings() as warnings, naming_run(name):
                    values.append({(each.query_id, each.measure): each.value for each in evaluator.iter_calc(table)})
                    explained.append({number: {row.query_id: row for row in explain(measure, judged, table)}
                                      for number, measure in enumerate(names) if has_steps(measure)})
            finally:
                warn(with_run_name(warning, name) for warning in warnings)
    timelines = build_timelines(judged, evaluated(), rel, unit)
    places = {document: place for place, document in enumerate(timelines.documents)}
    texts = {} if docs is None else _texts(timelines, docs)
    content = {
        'head': {
            'title': title, 'media': media, 'legend': {kind: entry.label for kind, entry in LEGEND.items()},
            'runs': timelines.names, 'documents': timelines.documents, 'units': timelines.units,
            'lengths': _lengths(timelines, texts, lengths or {}), 'titles': _TITLES, 'mostSteps': MOST_STEPS,
            'items': sum(len(ranked.document) for query in timelines.queries for ranked in query.ranked),
            'measures': [{'name': name, 'text': each.SHORT_DESC, 'tau': _user_tolerance(each), 'params': each.params,
                          'lower': each.LOWER_IS_BETTER, 'budget': each.BUDGET, 'items': each.SUPPORTED_PARAMS.get(
                              'cutoff', CUTOFF).desc == CUTOFF.desc} for each, name in names.items()],
            'queries': judged.query_ids, 'texts': [(queries or {}).get(query, '') for query in judged.query_ids],
            'values': [[[_number(found[query, measure], 6) or 0 for query in judged.query_ids] for found in values]
                       for measure in names]},
        'queries': [_query(query, explained, places) for query in timelines.queries], 'texts': texts}
    return rendered_page(templates, 'page', title, SCRIPTS, media_sources(media), legend=LEGEND,
                         unlocated=list(unlocated), data=_packed(content))


def checked_measures(measures: Iterable[Measure | str] | Measure | str) -> dict[SegmentMeasure, str]:
    """The measures (or the only one), each once, with their names as they are asked for."""
    found: dict[SegmentMeasure, str] = {}
    for measure, name in names_as_asked(measures).items():
        if not isinstance(measure, SegmentMeasure):
            raise ValueError(f'{measure} is a measure of documents: take one of segments, see ir_segmeasures measures')
        measure.check_params()
        found[measure] = name
    return found


def _packed(content: dict[str, Any]) -> str:
    """Data as JSON in a blob of gzip, which may stand in a script wherever they come from."""
    text = json.dumps(content, separators=(',', ':'), allow_nan=False, default=float)  # fractions are floats
    # Repeats of few digits, which come by chance, cost more than they save.
    packing = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 9, zlib.Z_FILTERED)
    return base64.b64encode(packing.compress(text.encode()) + packing.flush()).decode()


def _query(query: QueryTimeline, explained: Sequence[Mapping[int, Mapping[str, Any]]], places: Mapping[str, int],
           ) -> dict[str, Any]:
    """A query: its judged spans and the columns of its items and of their parts, in whole numbers of the scale.

    Args:
        query: the query
        explained: for each run, the number of a measure → query → explanation
        places: document → its place in the list of all documents
    """
    positions = np.concatenate([np.ravel([span[1:3] for span in query.judged]), *(
        column for run in query.ranked for column in run[1:3])])
    scale = next((scale for scale in (1, 10, 100) if np.array_equal(
        np.round(positions, _PLACES), np.round(positions * scale) / scale)), 10 ** _PLACES)

    def columns(things: Sequence[Any]) -> dict[str, Any]:
        start, end = (np.round(np.multiply(column, scale)) for column in things)
        return {'start': _numbers(start, 0), 'length': _numbers(end - start, 0)}
    return {'scale': scale, 'judged': [[span.document, *_numbers(np.multiply(span[1:3], scale), 0), int(span.relevant)]
                                       for span in query.judged],
            'runs': [{'known': run.known, 'document': run.document.tolist(), **columns(run[1:3]), 'parts': {
                'rank': [part.rank for part in run.parts], 'kind': [part.kind[0] for part in run.parts],
                **columns([[part[place] for part in run.parts] for place in (1, 2)])}, 'explained': {
                number: _explanation(found[query.query_id], places) for number, found in explained[place].items()
                if query.query_id in found}} for place, run in enumerate(query.ranked)]}


def _explanation(explanation: Any, places: Mapping[str, int]) -> dict[str, Any]:
    steps = explanation.steps[:MOST_STEPS]
    columns = {name: [places[value] for value in column] if name == 'document' else list(column) if isinstance(
        column[0], str) else _numbers(column, 6 if name == 'adds' else 4)
        for name, column in zip(steps[0]._fields, zip(*steps))} if steps else {}
    return {'sentence': explanation.sentence, 'number': len(explanation.steps), 'columns': columns}


def _user_tolerance(measure: SegmentMeasure) -> float | None:
    """The tolerance of the one T2I user whose finds are the steps of a measure, or None."""
    finds = 'keepviewing' in measure.SUPPORTED_PARAMS and has_steps(measure)
    return float(measure['tau']) if finds and not isinstance(measure['tau'], str) else None


def _lengths(timelines: Timelines, texts: Mapping[int, Any], lengths: Mapping[str, float]) -> dict[int, float | None]:
    """Document → its length, as far as it is known, of itself or by its text."""
    known = {place: [lengths[document]] for place, document in enumerate(timelines.documents) if document in lengths}
    for place, text in texts.items():
        if not isinstance(text, str):
            known.setdefault(place, []).append(max((line[1] for line in text), default=0))
        elif timelines.units[place] == 'char':
            known.setdefault(place, []).append(len(text))
    return {place: _number(max(ends)) for place, ends in sorted(known.items())}


def _texts(timelines: Timelines, docs: Any) -> dict[int, Any]:
    """The texts of documents with relevant content and of the best items, where segments are parts of a text, and the
    lines of transcripts, where they are in seconds."""
    found, lacking = dict[int, Any](), list[str]()
    for document in dict.fromkeys(document for query in timelines.queries for documents in (
            [span.document for span in query.judged if span.relevant],
            *(ranked.document[:TEXTS_FROM_TOP].tolist() for ranked in query.ranked)) for document in documents):
        text = docs.get(timelines.documents[document])
        of_text = timelines.units[document] in ('char', 'word', 'line')
        if text is not None and isinstance(text, str) == of_text:
            found[document] = text if isinstance(text, str) else _readable(text)
        elif text is None:
            lacking.append(timelines.documents[document])
    warn([f'the page has no texts for {len(lacking)} of its documents, such as {quoted(lacking[0])}: name texts as '
          'judgements and runs do' if lacking else None], category=SegmentNote)
    return found


def _readable(lines: Iterable[Any]) -> list[tuple[Any, Any, str]]:
    """The lines of a transcript; those of one word each are put together."""
    found: list[tuple[Any, Any, str]] = []
    words = 0
    for start, end, text, *_ in lines:
        one = len(text.split()) == 1
        if one and 0 < words < _WORDS and start - found[-1][1] < _PAUSE:
            found[-1] = (found[-1][0], max(_number(end), found[-1][1]), f'{found[-1][2]} {text.strip()}')
            words += 1
        else:
            found.append((_number(start), _number(end), text.strip()))
            words = 1 if one else 0
    return found


def _numbers(values: Any, places: int = _PLACES) -> list[float | None]:
    return [_number(value, places) for value in values]


def _number(value: Any, places: int = _PLACES) -> Any:
    """A number as short as it can be written; None for one that is not finite."""
    value = round(float(value), places)
    return None if not isfinite(value) else int(value) if value.is_integer() else value


def show(qrels: Any, run: Any, query: str,
         measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES, documents: int = 8) -> Timeline:
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
        left_out = axes.get_title().partition('\nin ')[1:]
        axes.set_title(''.join((f'{self.query}: {self.values}', *left_out)), fontsize='medium')
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
