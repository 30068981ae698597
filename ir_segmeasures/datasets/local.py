"""
Datasets of anybody's own files, in any format there is. The files are copied to the ir_datasets home, with a list that
makes them known wherever :mod:`ir_segmeasures.datasets` is imported.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import ir_datasets
from ir_datasets.formats import GenericDoc, GenericQuery

from ir_segmeasures.datasets.base import (
    DATASETS,
    CampaignDocs,
    CampaignFile,
    CampaignQrels,
    CampaignQueries,
    Documentation,
    SegmentQrels,
    register,
)
from ir_segmeasures.formats import mediaeval
from ir_segmeasures.formats.base import FormatError, finite_number, numbered_rows

__all__ = ['DOCS_FORMATS', 'QUERIES_FORMATS', 'Recording', 'Text', 'add', 'register_all', 'remove']

FOLDER = 'ir_segmeasures'
_LIST = 'datasets.json'
_NAME = re.compile(r'[a-z0-9][a-z0-9._-]*(?:/[a-z0-9][a-z0-9._-]*)*')


class Recording(NamedTuple):
    """A document of which only the duration is known, in seconds."""
    doc_id: str
    duration: float


class Text(NamedTuple):
    """A document of which only the length is known, in characters."""
    doc_id: str
    length: int


def _tabs(line: str) -> list[str]:
    return line.split('\t', 1) if line.strip() else []


def _pair(fields: list[str], what: str) -> tuple[str, str]:
    if len(fields) != 2:
        raise ValueError(f'the line has no tab, but each {what} is an id, a tab and its text (put a tab behind the id)')
    if fields[0].split() != [fields[0]]:
        raise ValueError(f'the id {fields[0]!r} is empty or holds white space, at which runs and judgements are split '
                         '(give it another)')
    return fields[0], fields[1]


def _length(fields: list[str], cls: Any, unit: str) -> Any:
    number = finite_number(fields[1]) if len(fields) == 2 else None
    if number is None or number < 0:
        raise ValueError(f'{" ".join(fields)!r} is no id with a length, but each line is an id and a number of {unit} '
                         'from 0 up (give both)')
    return cls(fields[0], int(number) if number.is_integer() else number)


def _once(path: Any, rows: Sequence[tuple[int, Any]], field: str) -> list[Any]:
    lines: dict[str, int] = {}
    for line, row in rows:
        id = getattr(row, field)
        if lines.setdefault(id, line) != line:
            raise FormatError(f'{id!r} stands on line {lines[id]} already, but each id has one line (remove one)', path,
                              line)
    return [row for _, row in rows]


def _read_texts(path: Any, cls: Any, field: str, what: str) -> list[Any]:
    return _once(path, list(zip(*numbered_rows(path, lambda fields: cls(*_pair(fields, what)), _tabs))), field)


def _read_lengths(path: Any, cls: Any, unit: str) -> list[Any]:
    return _once(path, list(zip(*numbered_rows(path, partial(_length, cls=cls, unit=unit)))), 'doc_id')


class _Kind(NamedTuple):
    read: Callable[[Any], Sequence[Any]]
    cls: Any
    description: str


def _inex_topics(path: Any) -> Sequence[Any]:
    from ir_segmeasures.formats import inex_xml
    return [GenericQuery(topic.query_id, topic.title) for topic in inex_xml.read_topics(path)]


QUERIES_FORMATS = {
    'tsv': _Kind(partial(_read_texts, cls=GenericQuery, field='query_id', what='query'), GenericQuery,
                 'one a line: id, tab, text'),
    'sh-queries': _Kind(mediaeval.read_queries, mediaeval.Query, 'XML of Search & Hyperlinking: queries'),
    'sh-anchors': _Kind(mediaeval.read_anchors, mediaeval.Anchor, 'XML of hyperlinking: anchors'),
    'inex-topics': _Kind(_inex_topics, GenericQuery, 'XML of INEX: topics, by their titles'),
}
DOCS_FORMATS = {
    'tsv': _Kind(partial(_read_texts, cls=GenericDoc, field='doc_id', what='document'), GenericDoc,
                 'one a line: id, tab, text'),
    'videos': _Kind(mediaeval.read_videos, mediaeval.Video, 'one a line: id and duration as HH:MM:SS'),
    'durations': _Kind(partial(_read_lengths, cls=Recording, unit='seconds'), Recording,
                       'one a line: id and duration in seconds'),
    'lengths': _Kind(partial(_read_lengths, cls=Text, unit='characters'), Text,
                     'one a line: id and length in characters'),
}
_READERS: Mapping[str, Callable[[str], Any]] = {
    'qrels': SegmentQrels, 'queries': lambda format: QUERIES_FORMATS[format].read,
    'docs': lambda format: DOCS_FORMATS[format].read}


def add(name: str, qrels: Any = None, queries: Any = None, docs: Any = None, *, qrels_format: str = 'trec',
        queries_format: str = 'tsv', docs_format: str = 'tsv', replace: bool = False) -> Any:
    """
    Make a dataset of files, which are checked and copied to the ir_datasets home.

    Args:
        name: its id: lower case, digits, ``.``, ``-``, ``_``, with ``/`` between parts
        qrels, queries, docs: paths of files, packed if they end in ``.gz``; at least one
        qrels_format: one of ``ir_segmeasures.formats.FORMATS``
        queries_format: one of :data:`QUERIES_FORMATS`
        docs_format: one of :data:`DOCS_FORMATS`; with durations or lengths, ``D`` of the effort measures takes the name
        replace: whether a dataset that was added under this name before may be replaced

    Returns:
        the dataset, as ``ir_datasets.load`` gives it from now on

    Raises:
        FormatError: a file breaks a rule of its format
        ValueError: a name that cannot be used, no file, or an unknown format; nothing has changed
        OSError: a file cannot be read or copied
    """
    added = _added()
    given = {kind: (path, format) for kind, path, format in (
        ('qrels', qrels, qrels_format), ('queries', queries, queries_format), ('docs', docs, docs_format)) if path}
    if not _NAME.fullmatch(name):
        raise ValueError(f'{name!r} is no name of a dataset, which has lower-case letters, digits, ".", "-" and "_", '
                         'and "/" between its parts: give it another')
    if name in added and not replace:
        raise ValueError(f'there is a dataset {name!r} already: give another name, or replace it')
    if name not in added and name in set(ir_datasets.registry):
        raise ValueError(f'{name!r} is a dataset that comes with a package: give another name')
    if not given:
        raise ValueError('a dataset has qrels, queries or docs: give at least one file')
    for kind, known in (('queries', QUERIES_FORMATS), ('docs', DOCS_FORMATS)):
        if kind in given and given[kind][1] not in known:
            raise ValueError(f'unknown format {given[kind][1]!r} of {kind} (there are: {", ".join(known)})')
    for kind, (path, format) in given.items():
        _READERS[kind](format)(path)
    entry = {kind: {'file': f'{kind}{".gz" if os.fspath(path).endswith(".gz") else ""}', 'format': format}
             for kind, (path, format) in given.items()}
    folder = _home() / name
    folder.mkdir(parents=True, exist_ok=True)
    for kind, (path, _) in given.items():
        copy = folder / f'.{kind}.new'
        shutil.copyfile(path, copy)
        for old in (folder / kind, folder / f'{kind}.gz'):
            if old != folder / entry[kind]['file']:
                old.unlink(missing_ok=True)
        copy.replace(folder / entry[kind]['file'])
    _keep({**added, name: entry})
    _forget(name)
    _register(name, entry)
    return DATASETS[name]


def remove(name: str) -> None:
    """Remove a dataset that was added, with its copies. Raises a ValueError if none was added under this name."""
    added = _added()
    if name not in added:
        own = f'those are: {", ".join(added)}' if added else 'there are none'
        raise ValueError(f'{name!r} is no dataset that was added ({own})')
    _keep({other: entry for other, entry in added.items() if other != name})
    for kind in added[name].values():
        (_home() / name / kind['file']).unlink(missing_ok=True)
    _forget(name)


def register_all() -> None:
    """Register what was added before."""
    for name, entry in _added().items():
        if name not in set(ir_datasets.registry):  # a package may have come to use the name
            _register(name, entry)


def _register(name: str, entry: Mapping[str, Any]) -> None:
    def files(kind: str) -> list[CampaignFile]:
        # The name without .gz: the file is looked for with and without it.
        return [CampaignFile(f'{FOLDER}/{name}', kind, how=f'add {name} once more, from the files that it was made of')]

    handlers: list[Any] = []
    if 'docs' in entry:
        docs = DOCS_FORMATS[entry['docs']['format']]
        handlers.append(CampaignDocs(docs.read, files('docs'), docs.cls, namespace=name))
    if 'queries' in entry:
        queries = QUERIES_FORMATS[entry['queries']['format']]
        handlers.append(CampaignQueries(queries.read, files('queries'), queries.cls, namespace=name))
    if 'qrels' in entry:
        handlers.append(CampaignQrels(SegmentQrels(entry['qrels']['format']), files('qrels')))
    register(name, Documentation(name, 'A dataset of local files.', how='its files are here'), *handlers)


def _forget(name: str) -> None:
    DATASETS.pop(name, None)
    ir_datasets.registry._registered.pop(name, None)  # ir_datasets has no call for this


def _home() -> Path:
    return Path(ir_datasets.util.home_path()) / FOLDER


def _added() -> dict[str, Any]:
    path = _home() / _LIST
    try:
        return json.loads(path.read_text(encoding='utf-8'))
    except FileNotFoundError:
        return {}
    except ValueError:
        raise ValueError(f'{path} is damaged, which lists the datasets that were added: remove it, and add them once '
                         'more') from None


def _keep(added: Mapping[str, Any]) -> None:
    path = _home() / _LIST
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f'.{_LIST}.new')
    new.write_text(json.dumps(added, indent=1, sort_keys=True), encoding='utf-8')
    new.replace(path)
