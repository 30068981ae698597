"""The formats of the queries and of the documents that anybody's own dataset may have, with their readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ir_datasets.formats import GenericDoc, GenericQuery

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.reading import numbered_rows, refuse_twice
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics
from ir_segmeasures.formats.mediaeval import lists as mediaeval
from ir_segmeasures.segments.quoting import quoted

__all__ = ['DOCS_FORMATS', 'QUERIES_FORMATS', 'DurationDoc', 'LengthDoc', 'TitledDoc']


class DurationDoc(NamedTuple):
    """A document of which only the duration is known, in seconds."""
    doc_id: str
    duration: float


class LengthDoc(NamedTuple):
    """A document of which only the length is known, in characters."""
    doc_id: str
    length: int


class TitledDoc(NamedTuple):
    """A document of BEIR."""
    doc_id: str
    text: str
    title: str


def _beir_queries(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats.text_benchmarks import read_texts
    return [GenericQuery(text.id, text.text) for text in read_texts(path)]


def _beir_docs(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats.text_benchmarks import read_texts
    return list(map(TitledDoc._make, read_texts(path)))


def _tabs(line: str) -> list[str]:
    return line.split('\t', 1) if line.strip() else []


def _pair(fields: list[str], what: str) -> tuple[str, str]:
    if len(fields) != 2:
        raise ValueError(f'the line has no tab, but each {what} is an id, a tab and its text: put a tab behind the id')
    if fields[0].split() != [fields[0]]:
        raise ValueError(f'the id {quoted(fields[0])} is empty or holds white space, at which runs and judgements are '
                         'split: give it another')
    return fields[0], fields[1]


def _length(fields: list[str], cls: Any, unit: str) -> Any:
    number = finite_number(fields[1]) if len(fields) == 2 else None
    if number is None or number < 0 or (cls is LengthDoc and not number.is_integer()):
        raise ValueError(f'{quoted(" ".join(fields))} is no id with a length, but each line is an id and a number of '
                         f'{unit} from 0 up: give both')
    return cls(fields[0], int(number) if number.is_integer() else number)


def _read_texts(path: Any, cls: Any, what: str) -> list[Any]:
    numbers, rows = numbered_rows(path, lambda fields: cls(*_pair(fields, what)), _tabs)
    refuse_twice(path, numbers, (row[0] for row in rows), what)
    return rows


def _read_lengths(path: Any, cls: Any, unit: str) -> list[Any]:
    numbers, rows = numbered_rows(path, partial(_length, cls=cls, unit=unit))
    refuse_twice(path, numbers, (row.doc_id for row in rows), 'document')
    return rows


class _Kind(NamedTuple):
    read: Callable[[Any], Sequence[Any]]
    cls: Any


def _video_topics(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats.trecvid.topics import read_topics
    return [GenericQuery(topic.query_id, topic.text) for topic in read_topics(path)]


def _avs_topics(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats.trecvid.topics import qrels_topic, read_topics
    return [GenericQuery(topic.query_id, topic.text) for topic in read_topics(path, qrels_topic)]


def _podcast_topics(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats.podcasts import read_topics
    return [GenericQuery(topic.query_id, topic.query) for topic in read_topics(path)]


def _vbs_tasks(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats.trecvid.vbs_tasks import read_vbs_tasks
    return [GenericQuery(task.query_id, task.text) for task in read_vbs_tasks(path)]


QUERIES_FORMATS = {
    'tsv': _Kind(partial(_read_texts, cls=GenericQuery, what='query'), GenericQuery),
    'sh-queries': _Kind(mediaeval.read_queries, mediaeval.SearchQuery),
    'sh-anchors': _Kind(mediaeval.read_anchors, mediaeval.Anchor),
    'inex-topics': _Kind(read_topics, InexTopic),
    'trecvid-topics': _Kind(_video_topics, GenericQuery),
    'avs-topics': _Kind(_avs_topics, GenericQuery),
    'podcasts-topics': _Kind(_podcast_topics, GenericQuery),
    'vbs-tasks': _Kind(_vbs_tasks, GenericQuery),
    'beir': _Kind(_beir_queries, GenericQuery),
}
DOCS_FORMATS = {
    'tsv': _Kind(partial(_read_texts, cls=GenericDoc, what='document'), GenericDoc),
    'videos': _Kind(mediaeval.read_videos, mediaeval.Video),
    'durations': _Kind(partial(_read_lengths, cls=DurationDoc, unit='seconds'), DurationDoc),
    'lengths': _Kind(partial(_read_lengths, cls=LengthDoc, unit='characters'), LengthDoc),
    'beir': _Kind(_beir_docs, TitledDoc),
}
