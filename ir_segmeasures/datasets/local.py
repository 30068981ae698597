"""Datasets of anybody's own files, in any format there is. A file of settings in the ir_datasets home says which these
are, so that they are known wherever :mod:`ir_segmeasures.datasets` is imported. The files stay where they are.

:data:`QUERIES_FORMATS` and :data:`DOCS_FORMATS` are the formats of queries and documents, with their readers.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import ir_datasets
import msgspec
from ir_datasets.formats import GenericDoc, GenericQuery

from ir_segmeasures.datasets import base
from ir_segmeasures.datasets.ir_datasets_private import unregister
from ir_segmeasures.datasets.trecvid import read_avs_queries, read_text_queries
from ir_segmeasures.formats import FORMATS, mediaeval, podcasts
from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.lines import pairs_of_lines
from ir_segmeasures.formats.files.writing import whole_file
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics
from ir_segmeasures.formats.texts import read_tabs, read_texts
from ir_segmeasures.formats.trecvid.vbs import read_vbs_tasks
from ir_segmeasures.ids.resolving import lengths_and_unit
from ir_segmeasures.segments.basics import plain_number, quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user


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


def _length_of(text: str, cls: Any) -> Any:
    number = finite_number(text)
    if number is None or number < 0 or (cls is LengthDoc and not number.is_integer()):
        raise ValueError(f'{quoted(text)} is not a number of {_UNITS[cls]} from 0 up, but each document is an id and '
                         'its length: correct it')
    return plain_number(number)


def _lengths(path: Any, cls: Any) -> list[tuple[str, Any]]:
    return pairs_of_lines(path, 'document', 'id length', partial(_length_of, cls=cls))


class _Kind(NamedTuple):
    """A kind of files: a reader, the first fields of whose rows are those of the rows that a dataset has."""
    rows: Callable[[Any], Sequence[Any]]
    cls: Any

    def read(self, path: Any) -> list[Any]:
        return [self.cls(*row[:len(self.cls._fields)]) for row in self.rows(path)]


QUERIES_FORMATS = {
    'tsv': _Kind(partial(read_tabs, what='query'), GenericQuery),
    'sh-queries': _Kind(mediaeval.read_queries, mediaeval.SearchQuery),
    'sh-anchors': _Kind(mediaeval.read_anchors, mediaeval.Anchor),
    'inex-topics': _Kind(read_topics, InexTopic),
    'trecvid-topics': _Kind(read_text_queries, GenericQuery),
    'avs-topics': _Kind(read_avs_queries, GenericQuery),
    'podcasts-topics': _Kind(podcasts.read_topics, GenericQuery),
    'vbs-tasks': _Kind(read_vbs_tasks, GenericQuery),
    'beir': _Kind(read_texts, GenericQuery),
}
DOCS_FORMATS = {
    'tsv': _Kind(partial(read_tabs, what='document'), GenericDoc),
    'videos': _Kind(mediaeval.read_videos, mediaeval.Video),
    'durations': _Kind(partial(_lengths, cls=DurationDoc), DurationDoc),
    'lengths': _Kind(partial(_lengths, cls=LengthDoc), LengthDoc),
    'beir': _Kind(read_texts, TitledDoc),
}


NAME = re.compile(r'[a-z0-9][a-z0-9._-]*(?:/[a-z0-9][a-z0-9._-]*)*')
_KNOWN: dict[str, Mapping[str, Any]] = {'docs': DOCS_FORMATS, 'queries': QUERIES_FORMATS, 'qrels': FORMATS}

_Files = dict[str, tuple[str, str]]  # kind → path and format


def add(name: str, qrels: Any = None, queries: Any = None, docs: Any = None, *, qrels_format: str = 'trec',
        queries_format: str = 'tsv', docs_format: str = 'tsv', replace: bool = False) -> Any:
    """Make a dataset of files, which are checked. They stay where they are: a dataset is read from there.

    Args:
        name: its id: lower case, digits, ``.``, ``-``, ``_``, with ``/`` between parts
        qrels, queries, docs: paths of files, packed if they end in ``.gz``, or of folders where the format takes them;
            at least one
        qrels_format: one of ``ir_segmeasures.formats.FORMATS``
        queries_format: one of :data:`QUERIES_FORMATS`
        docs_format: one of :data:`DOCS_FORMATS`; with durations or lengths, ``D`` of the effort measures takes the name
        replace: whether a dataset that was added under this name before may be replaced; it keeps the kinds of files
            that are not given

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import datasets
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'qrels'
        >>> _ = path.write_text('q1 0 talk#t=60,90 1\\n')
        >>> mine = datasets.add('my/judgements', qrels=path)
        >>> next(mine.qrels_iter())
        TrecQrel(query_id='q1', doc_id='talk#t=60,90', relevance=1, iteration='0')
        >>> datasets.remove('my/judgements')

    Returns:
        the dataset, as ``ir_datasets.load`` gives it from now on

    Raises:
        FormatError: a file breaks a rule of its format
        ValueError: a name that cannot be used, no file, an empty one, or an unknown format; nothing has changed
        OSError: a file cannot be read, or the settings cannot be written
    """
    given: _Files = {kind: (os.path.abspath(path), format) for kind, path, format in (
        ('qrels', qrels, qrels_format), ('queries', queries, queries_format), ('docs', docs, docs_format)) if path}
    added = _added()
    if not NAME.fullmatch(name):
        raise ValueError(f'{quoted(name)} is not a name of a dataset, which has lower-case letters, digits, ".", "-" '
                         'and "_", and "/" between its parts: give it another')
    if name in added and not replace:
        raise ValueError(f'there is a dataset {quoted(name)} already: give another name, or replace it '
                         '(replace=True, --force)')
    if name not in added and name in set(ir_datasets.registry):
        raise ValueError(f'{quoted(name)} is a dataset that comes with a package: give another name')
    if not given:
        raise ValueError('a dataset has qrels, queries or docs: give at least one file')
    for kind, (_, format) in given.items():
        if format not in _KNOWN[kind]:
            raise ValueError(f'unknown format {quoted(format)} of {kind} (there are: {", ".join(_KNOWN[kind])})')
    handlers = _handlers(name, {**added.get(name, {}), **given})
    for kind, (path, _) in given.items():
        rows = handlers[kind].read(path)
        if not rows:
            raise ValueError(f'{path} has no {kind}: give a file that has some')
        if kind == 'qrels':
            _check(rows)
    added[name] = {**added.get(name, {}), **given}
    _keep(added)
    _forget(name)
    base.register_dataset(name, *handlers.values())
    return base.DATASETS[name]


def _check(judged: Sequence[Any]) -> None:
    """Raise the errors that the first evaluation would."""
    table = SegmentTable.from_qrels(judged, elements=True)
    empty = (table.value > 0) & (table.start == table.end)
    if empty.any():
        raise table.error(int(empty.argmax()), 'it is judged relevant and has no content: give the judgement an end '
                                               'after its start')


def remove(name: str) -> None:
    """Remove a dataset that was added; its files stay. Raises a ValueError if none was added under this name.

    Examples:
        >>> from ir_segmeasures import datasets
        >>> datasets.remove('my/talks')
        Traceback (most recent call last):
        ...
        ValueError: 'my/talks' is not a dataset that was added (there are none)
    """
    added = _added()
    if name not in added:
        known = f'those are: {", ".join(added)}' if added else 'there are none'
        raise ValueError(f'{quoted(name)} is not a dataset that was added ({known})')
    del added[name]
    _keep(added)
    _forget(name)


def register_all() -> None:
    """Register what was added before."""
    try:
        added = _added()
    except ValueError as error:
        warn_user(str(error))
        return
    for name, files in added.items():
        base.register_dataset(name, *_handlers(name, files).values())


def _handlers(name: str, formats: _Files) -> dict[str, Any]:
    """The handlers of docs, queries and qrels."""
    found: dict[str, Any] = {}
    for kind, (path, format) in formats.items():
        files = [base.CampaignFile(*os.path.split(path), how=f'put it there again, or add {name} once more')]
        if kind == 'qrels':
            found[kind] = base.CampaignQrels(format, files)
        else:
            make = base.CampaignDocs if kind == 'docs' else base.CampaignQueries
            found[kind] = make(_KNOWN[kind][format].read, files, _KNOWN[kind][format].cls, namespace=name)
    return found


def _forget(name: str) -> None:
    _length.cache_clear()
    base.DATASETS.pop(name, None)
    unregister(name)


def _settings() -> str:
    return os.path.join(base.ir_datasets_home(), 'ir_segmeasures', 'datasets.json')


def _added() -> dict[str, _Files]:
    """Name → files of the datasets that were added. Raises a ValueError where the settings are damaged."""
    path = _settings()
    if not os.path.exists(path):
        return {}
    try:
        with open(path, 'rb') as file:
            added = msgspec.json.decode(file.read(), type=dict[str, _Files])
        for kind, (_, format) in (pair for files in added.values() for pair in files.items()):
            if format not in _KNOWN.get(kind, ()):
                raise ValueError(f'{quoted(format)} is not a format of {kind}')
    except (ValueError, msgspec.MsgspecError) as error:
        raise ValueError(f'{path} is damaged, which says what datasets were added ({error}): remove it, and add them '
                         'once more') from None
    return added


def _keep(added: Mapping[str, _Files]) -> None:
    os.makedirs(os.path.dirname(_settings()), exist_ok=True)
    with whole_file(_settings()) as file:
        file.write(msgspec.json.format(msgspec.json.encode(dict(sorted(added.items()))), indent=1))


def length(id: str) -> float:
    """The length of all documents of a dataset, in the unit of its segments.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import datasets
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'durations'
        >>> _ = path.write_text('talk 1800\\nlecture 2700.5\\n')
        >>> mine = datasets.add('my/talks', docs=path, docs_format='durations')
        >>> datasets.length('my/talks')
        4500.5
        >>> datasets.remove('my/talks')

    Raises:
        ValueError: there is no such dataset, or its documents have no ``duration`` (seconds) or ``length`` (characters)
        OSError: its documents are not here and cannot be downloaded
    """
    return _length(id, str(ir_datasets.util.home_path()))


@lru_cache(maxsize=64)
def _length(id: str, home: str) -> float:
    found = lengths_and_unit(base.load(id))
    if found is None:
        raise ValueError(f'the documents of {quoted(id)} do not tell their length, so that it cannot stand for D: give '
                         'a number')
    return sum(found[0].values())
