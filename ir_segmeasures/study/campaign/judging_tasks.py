"""Judging tasks: the units of a pool with their queries, texts and recordings, without runs and ranks, since assessors
must not see these.
"""

import json
import mimetypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from ir_segmeasures.formats.annotations.marks import UNJUDGED
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, parse_segment, unquote_id
from ir_segmeasures.study.campaign.pools import JudgingUnit
from ir_segmeasures.texts.cutting import text_extent
from ir_segmeasures.texts.slices import segment_texts

__all__ = ['JudgingTask', 'label_studio_text', 'media_address', 'tasks_of_units']


class JudgingTask(NamedTuple):
    """A unit that is judged for a query, as an assessor sees it.

    Attributes:
        query_id, query: the query and its text
        unit: the id of the unit as a segment
        segment: the unit
        context: the segment that is shown, which the unit lies in
        text, context_text: what is written or spoken there; None without texts
        media: the address of the recording; None without one
    """
    query_id: str
    query: str
    unit: str
    segment: Segment
    context: Segment
    text: str | None
    context_text: str | None
    media: str | None


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
        >>> from ir_segmeasures.study.campaign.judging_tasks import tasks_of_units
        >>> units = pool({'a': [ScoredDoc('q', 'd#char=5,10', 1)]}, depth=1, margin=5)
        >>> task, = tasks_of_units(units, {'q': 'bees'}, {'d': 'Bees dance.'})
        >>> task.text, task.context_text, task.context.end
        ('dance', 'Bees dance.', 11)
    """
    tasks, values = [], dict[str, Any]()
    for unit in units:
        if unit.query_id not in queries:
            raise ValueError(f'query {quoted(unit.query_id)} has no text, which the assessor needs: add it to the '
                             'queries')
        segment = parse_segment(unit.doc_id)
        if segment.unit is None:
            raise ValueError(f'the unit {quoted(unit.doc_id)} of query {quoted(unit.query_id)} is not a segment: pool '
                             'runs with segment ids')
        document = segment.document
        if docs is not None and document not in values:
            values[document] = docs.get(document)
            if values[document] is None:
                raise ValueError(f'document {quoted(document)} has no text: add it, or leave the texts out')
        value, end = values.get(document), unit.context_end
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
                                 context_text, address))
    return tasks


def media_address(media: str, document: str) -> str:
    """The address of the recording of a document, whose file has the name that the document's id stands for.

    Examples:
        >>> from ir_segmeasures.study.campaign.judging_tasks import media_address
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
        if task.segment.unit != 't':
            name, shift = 'text', int(task.context.start)
            data['text'] = _context(task)
            value |= {'start': task.segment.start - shift, 'end': task.segment.end - shift, 'text': task.text}
        elif task.media is None:
            raise ValueError(f'the unit {quoted(task.unit)} is a part of a recording: say where recordings are, with '
                             'media')
        else:
            kind = (mimetypes.guess_type(task.media)[0] or '').partition('/')[0]
            data['video' if kind == 'video' else 'audio'] = task.media
        result = {'id': f'unit-{number}', 'from_name': 'grade', 'to_name': name, 'type': 'labels', 'value': value}
        records.append({'data': data, 'predictions': [{'model_version': 'pool', 'result': [result]}]})
    return json.dumps(records, ensure_ascii=False, indent=1) + '\n'


def _context(task: JudgingTask) -> str:
    if task.text is None:
        raise ValueError(f'the unit {quoted(task.unit)} has no text: give the texts or transcripts of the documents')
    if task.segment.unit != 'char':
        raise ValueError(f'the unit {quoted(task.unit)} does not count characters, as annotations of texts do: pool '
                         'runs with characters')
    return task.context_text or ''
