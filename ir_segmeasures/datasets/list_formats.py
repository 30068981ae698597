"""The formats of the queries and of the documents that anybody's own dataset may have, with their readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ir_datasets.formats import GenericDoc, GenericQuery

from ir_segmeasures.datasets.trecvid import read_avs_queries, read_text_queries
from ir_segmeasures.formats import mediaeval, podcasts
from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.lines import pairs_of_lines
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics
from ir_segmeasures.formats.texts import read_tabs, read_texts
from ir_segmeasures.formats.trecvid.vbs import read_vbs_tasks
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import plain_number


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


_UNITS = {DurationDoc: 'seconds', LengthDoc: 'characters'}


def _generic_queries(path: Any, read: Callable[[Any], Sequence[Any]]) -> list[GenericQuery]:
    """The ids and texts of queries of any reader, which are their first two fields."""
    return [GenericQuery(*query[:2]) for query in read(path)]


def _beir_docs(path: Any) -> Sequence[Any]:
    return list(map(TitledDoc._make, read_texts(path)))


def _length(text: str, cls: Any) -> Any:
    number = finite_number(text)
    if number is None or number < 0 or (cls is LengthDoc and not number.is_integer()):
        raise ValueError(f'{quoted(text)} is not a number of {_UNITS[cls]} from 0 up, but each document is an id and '
                         'its length: correct it')
    return plain_number(number)


def _texts(path: Any, cls: Any, what: str) -> list[Any]:
    return [cls(*fields) for fields in read_tabs(path, what)]


def _lengths(path: Any, cls: Any) -> list[Any]:
    return list(map(cls._make, pairs_of_lines(path, 'document', 'id length', partial(_length, cls=cls))))


class _Kind(NamedTuple):
    read: Callable[[Any], Sequence[Any]]
    cls: Any


QUERIES_FORMATS = {
    'tsv': _Kind(partial(_texts, cls=GenericQuery, what='query'), GenericQuery),
    'sh-queries': _Kind(mediaeval.read_queries, mediaeval.SearchQuery),
    'sh-anchors': _Kind(mediaeval.read_anchors, mediaeval.Anchor),
    'inex-topics': _Kind(read_topics, InexTopic),
    'trecvid-topics': _Kind(read_text_queries, GenericQuery),
    'avs-topics': _Kind(read_avs_queries, GenericQuery),
    'podcasts-topics': _Kind(partial(_generic_queries, read=podcasts.read_topics), GenericQuery),
    'vbs-tasks': _Kind(partial(_generic_queries, read=read_vbs_tasks), GenericQuery),
    'beir': _Kind(partial(_generic_queries, read=read_texts), GenericQuery),
}
DOCS_FORMATS = {
    'tsv': _Kind(partial(_texts, cls=GenericDoc, what='document'), GenericDoc),
    'videos': _Kind(mediaeval.read_videos, mediaeval.Video),
    'durations': _Kind(partial(_lengths, cls=DurationDoc), DurationDoc),
    'lengths': _Kind(partial(_lengths, cls=LengthDoc), LengthDoc),
    'beir': _Kind(_beir_docs, TitledDoc),
}
