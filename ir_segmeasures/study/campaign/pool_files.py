"""Files of pools: CSV for people and spreadsheets, qrels of TREC with -1, JSON lines, and tasks of Label Studio, which
are units with their queries, texts and recordings, without runs and ranks, since assessors must not see these.
"""

import json
import mimetypes
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf
from typing import Any, NamedTuple
from urllib.parse import quote

from ir_segmeasures.formats.annotations import UNJUDGED
from ir_segmeasures.formats.files.reading import FormatError, StrPath, open_bytes, read_text
from ir_segmeasures.formats.files.sheets import read_sheets
from ir_segmeasures.segments.basics import bare_cell, loads, plain_number, quoted
from ir_segmeasures.segments.segment import Segment, parse_segment, unquote_id
from ir_segmeasures.study.campaign.pools import JudgingUnit, Pool
from ir_segmeasures.study.tables import render
from ir_segmeasures.texts.cutting import segment_texts, text_extent

__all__ = ['POOL_FORMATS', 'pool_text', 'read_pool']


class JudgingTask(NamedTuple):
    """A unit that is judged for a query, as an assessor sees it.

    Attributes:
        query_id, query: the query and its text
        unit: the id of the unit as a segment
        segment: the unit
        context: the segment that is shown, which the unit lies in
        text, context_text: what is written or spoken there; None without texts
        media: the address of the recording; None without one
        document: the text of the whole document, or the lines of its transcript; None without texts
    """
    query_id: str
    query: str
    unit: str
    segment: Segment
    context: Segment
    text: str | None
    context_text: str | None
    media: str | None
    document: Any


def tasks_of_units(units: Iterable[JudgingUnit], queries: Mapping[str, str], docs: Any = None,
                   media: str | None = None) -> list[JudgingTask]:
    """The tasks of units, in their order.

    Args:
        units: such as a :class:`~ir_segmeasures.study.Pool`
        queries: query → its text
        docs: document → its text, or the lines of its transcript, by a method ``get``; the lines that share any moment
            with a unit are its text
        media: the address of a recording, which holds ``{document}``

    Raises:
        ValueError: a query or a document without text, a unit that is not a segment, or one that its text has not

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool
        >>> from ir_segmeasures.study.campaign.pool_files import tasks_of_units
        >>> units = pool({'a': [ScoredDoc('q', 'd#char=5,10', 1)]}, depth=1, margin=5)
        >>> task, = tasks_of_units(units, {'q': 'bees'}, {'d': 'Bees dance.'})
        >>> task.text, task.context_text, task.context.end
        ('dance', 'Bees dance.', 11)
    """
    tasks, value_of = [], cache(lambda document: None if docs is None else docs.get(document))  # read once
    for unit in units:
        if unit.query_id not in queries:
            raise ValueError(f'query {quoted(unit.query_id)} has no text, which the assessor needs: add it to the '
                             'queries')
        segment = parse_segment(unit.doc_id)
        if segment.unit is None:
            raise ValueError(f'the unit {quoted(unit.doc_id)} of query {quoted(unit.query_id)} is not a segment: pool '
                             'runs with segment ids')
        document, end = segment.document, unit.context_end
        value = value_of(document)
        if docs is not None and value is None:
            raise ValueError(f'document {quoted(document)} has no text: add it, or leave the texts out')
        if isinstance(value, str) and segment.unit not in ('t', 'page'):
            end = max(unit.end, min(end, text_extent(value, segment.unit)))
        context = Segment(document, unit.context_start, end, segment.unit)
        text = context_text = None
        if value is not None:
            try:
                text, context_text = (segment_texts(value, {unit.doc_id: each}, 'overlap')[0]
                                      for each in (segment, context))
            except ValueError as error:
                raise ValueError(f'document {quoted(document)}: {error}') from None
        address = None if media is None or segment.unit != 't' else media_address(media, document)
        tasks.append(JudgingTask(unit.query_id, queries[unit.query_id], unit.doc_id, segment, context, text,
                                 context_text, address, value))
    return tasks


def media_address(media: str, document: str) -> str:
    """The address of the recording of a document, whose file has the name that the document's id stands for.

    Examples:
        >>> from ir_segmeasures.study.campaign.pool_files import media_address
        >>> media_address('videos/{document}.mp4', 'day%201/100%25')
        'videos/day%201/100%25.mp4'
    """
    return media.replace('{document}', quote(unquote_id(document), safe="/!~*'()"))


def label_studio_text(tasks: Sequence[JudgingTask]) -> str:
    """The text of a file with tasks of Label Studio: the audio, the video or the text of the context, and the unit as a
    prediction.

    Raises:
        ValueError: a unit lacks its text or its recording, or counts neither seconds nor characters
    """
    records = []
    for number, task in enumerate(tasks, 1):
        data: dict[str, Any] = {'query_id': task.query_id, 'query': task.query, 'unit': task.unit,
                                'offset': task.context.start}
        value: dict[str, Any] = {'start': task.segment.start, 'end': task.segment.end, 'labels': [UNJUDGED]}
        name = 'audio'  # of a video its sound, as in the template for timelines
        if task.segment.unit == 't':
            if task.media is None:
                raise ValueError(f'the unit {quoted(task.unit)} is a part of a recording: say where recordings are, '
                                 'with media')
            kind = (mimetypes.guess_type(task.media)[0] or '').partition('/')[0]
            data['video' if kind == 'video' else 'audio'] = task.media
        elif task.text is None or task.segment.unit != 'char':
            raise ValueError(f'the unit {quoted(task.unit)} ' + (
                'has no text: give the texts or transcripts of the documents' if task.text is None else
                'does not count characters, as annotations of texts do: pool runs with characters'))
        else:
            name, shift, data['text'] = 'text', int(task.context.start), task.context_text
            value |= {'start': task.segment.start - shift, 'end': task.segment.end - shift, 'text': task.text}
        result = {'id': f'unit-{number}', 'from_name': 'grade', 'to_name': name, 'type': 'labels', 'value': value}
        records.append({'data': data, 'predictions': [{'model_version': 'pool', 'result': [result]}]})
    return json.dumps(records, ensure_ascii=False, indent=1) + '\n'


_COLUMNS = JudgingUnit._fields[:-1]


def pool_text(pool: Pool, format: str = 'csv', queries: Mapping[str, str] | None = None, docs: Any = None,
              media: str | None = None) -> str:
    """The text of a file with a pool, a line for each unit, in the order in which units are judged.

    Args:
        pool: from :func:`~ir_segmeasures.study.pool`
        format: ``'csv'``, with the fields of :class:`~ir_segmeasures.study.JudgingUnit` as columns, and in the column
            ``runs`` each run with its ranks, such as ``good:1,4 poor:2``; ``'trec'``, qrels whose relevance is -1;
            ``'jsonl'``, the fields as an object of JSON; ``'label-studio'``, tasks without runs and ranks
        queries, docs, media: of tasks (:func:`~ir_segmeasures.study.campaign.pool_files.tasks_of_units`)

    Raises:
        ValueError: another format, or a task lacks its query, its text or its recording

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool, pool_text
        >>> run = [ScoredDoc('q1', 'talk#t=10,30', 2), ScoredDoc('q1', 'talk#t=20,60', 1)]
        >>> units = pool({'a': run}, depth=2, margin=5)
        >>> print(pool_text(units), end='')
        query_id,doc_id,start,end,context_start,context_end,runs
        q1,"talk#t=10,60",10,60,5,65,"a:1,2"
        >>> print(pool_text(units, 'trec'), end='')
        q1 0 talk#t=10,60 -1
    """
    if format == 'label-studio':
        return label_studio_text(tasks_of_units(pool, queries or {}, docs, media))
    if format not in _TEXTS:
        raise ValueError(f'format={format!r} is not a format of pools: take {" or ".join(map(repr, POOL_FORMATS))}')
    return _TEXTS[format](pool)


def read_pool(path: StrPath) -> list[JudgingUnit]:
    """The units of a pool in a file that :func:`pool_text` made, CSV (also as a spreadsheet program saved it, with
    semicolons and decimal commas) or JSON lines, by its ending ``.jsonl``. Their runs and ranks are not read.

    Raises:
        FormatError: the file is not such a pool
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool, pool_text, read_pool
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'pool.csv'
        >>> _ = path.write_text(pool_text(pool({'a': [ScoredDoc('q1', 'talk#t=10,30', 2)]}, depth=1)))
        >>> read_pool(path)[0].doc_id
        'talk#t=10,30'
    """
    units = []
    try:
        for row in _records(path):
            query_id, doc_id, *positions = (row[name] for name in _COLUMNS)
            start, end, low, high = map(_position, positions)
            if not (isinstance(query_id, str) and isinstance(doc_id, str) and 0 <= low <= start < end <= high < inf):
                raise ValueError(f'{quoted(doc_id)} is not a unit with a start, an end and a context around them')
            units.append(JudgingUnit._make([query_id, doc_id, start, end, low, high, {}]))
    except FormatError:
        raise
    except (ArithmeticError, KeyError, TypeError, ValueError) as error:
        what = f'there is no column {error}' if isinstance(error, KeyError) else str(error)
        raise FormatError(f'behind {len(units)} units, this is not a pool in csv or JSON lines ({what}): write it once '
                          'more with pool', path) from None
    return units


def is_pool(path: StrPath) -> bool:
    """Tells whether a file is a pool in CSV or JSON lines, by the columns or keys of its first line."""
    with open_bytes(path) as file:
        return b'context_start' in file.read(1 << 12).split(b'\n')[0]


def _records(path: StrPath) -> Iterator[Mapping[str, Any]]:
    if os.fspath(path).removesuffix('.gz').endswith('.jsonl'):
        yield from map(loads, filter(str.strip, read_text(path).split('\n')))
    else:
        lines = read_sheets(path, lambda cells: _COLUMNS[0] in cells, such_as=','.join(_COLUMNS))[0].lines
        for _, cells in lines[1:]:
            yield dict(zip(lines[0][1], map(bare_cell, cells)))


def _position(value: Any) -> float:
    return plain_number(float(value.replace(',', '.') if isinstance(value, str) else value))


def _csv(pool: Pool) -> str:
    records = [{**dict(zip(_COLUMNS, unit)), 'runs': ' '.join(
        f'{name}:{",".join(map(str, ranks))}' for name, ranks in unit.ranks.items())} for unit in pool]
    return render(records, 'csv') if records else ','.join([*_COLUMNS, 'runs\n'])


_TEXTS: dict[str, Callable[[Pool], str]] = {
    'csv': _csv,
    'trec': lambda pool: ''.join(f'{row.query_id} 0 {row.doc_id} {row.relevance}\n' for row in pool.judgements()),
    'jsonl': lambda pool: ''.join(json.dumps(unit._asdict(), ensure_ascii=False) + '\n' for unit in pool),
}
POOL_FORMATS = (*_TEXTS, 'label-studio')
