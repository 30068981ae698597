"""Datasets of anybody's own files, in any format there is. The files are copied to a folder in the ir_datasets home, so
that they are known wherever :mod:`ir_segmeasures.datasets` is imported."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import ir_datasets

from ir_segmeasures.datasets import lengths
from ir_segmeasures.datasets.base import (
    DATASETS,
    CampaignDocs,
    CampaignQrels,
    CampaignQueries,
    Documentation,
    register_dataset,
)
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.ir_datasets_private import unregister
from ir_segmeasures.datasets.list_formats import DOCS_FORMATS, QUERIES_FORMATS, DurationDoc, LengthDoc
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats import FORMATS
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['DOCS_FORMATS', 'QUERIES_FORMATS', 'DurationDoc', 'LengthDoc', 'add', 'register_all', 'remove']

FOLDER = 'ir_segmeasures'
_REPLACED = '.replaced'  # the end of the name of a copy that another is to replace
_FORMATS = 'formats.json'  # of the files, in each dataset's folder
NAME = re.compile(r'[a-z0-9][a-z0-9._-]*(?:/[a-z0-9][a-z0-9._-]*)*')


_READERS: Mapping[str, Callable[[str], Any]] = {
    'qrels': SegmentQrels, 'queries': lambda format: QUERIES_FORMATS[format].read,
    'docs': lambda format: DOCS_FORMATS[format].read}
_KNOWN: dict[str, Mapping[str, Any]] = {'qrels': FORMATS, 'queries': QUERIES_FORMATS, 'docs': DOCS_FORMATS}


def add(name: str, qrels: Any = None, queries: Any = None, docs: Any = None, *, qrels_format: str = 'trec',
        queries_format: str = 'tsv', docs_format: str = 'tsv', replace: bool = False) -> Any:
    """Makes a dataset of files, which are checked and copied to the ir_datasets home.

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
        OSError: a file cannot be read or copied
    """
    given = {kind: (path, format) for kind, path, format in (
        ('qrels', qrels, qrels_format), ('queries', queries, queries_format), ('docs', docs, docs_format)) if path}
    _added()  # so that nothing is replaced that is only half replaced
    folder = _folder(name)
    if not NAME.fullmatch(name):
        raise ValueError(f'{quoted(name)} is no name of a dataset, which has lower-case letters, digits, ".", "-" and '
                         '"_", and "/" between its parts: give it another')
    if folder.exists() and not replace:
        raise ValueError(f'there is a dataset {quoted(name)} already: give another name, or replace it')
    if not folder.exists() and name in set(ir_datasets.registry):
        raise ValueError(f'{quoted(name)} is a dataset that comes with a package: give another name')
    if not given:
        raise ValueError('a dataset has qrels, queries or docs: give at least one file')
    for kind, (path, format) in given.items():
        if format not in _KNOWN[kind]:
            raise ValueError(f'unknown format {quoted(format)} of {kind} (there are: {", ".join(_KNOWN[kind])})')
        if not (os.path.isdir(path) or os.path.isfile(path)) and os.path.exists(path):
            raise ValueError(f'{path} is no file that can be copied: save it, and give the name of the file')
        rows = _READERS[kind](format)(path)
        if not rows:
            raise ValueError(f'{path} has no {kind}: give a file that has some')
        if kind == 'qrels':
            _check(rows)
    paths = {**_others(folder, given), **{kind: os.fspath(path) for kind, (path, _) in given.items()}}
    formats = {kind: given[kind][1] if kind in given else _formats_of(folder)[kind] for kind in paths}
    _keep(folder, paths, formats)
    _forget(name)
    _register(name, formats)
    return DATASETS[name]


def _others(folder: Path, given: Iterable[str]) -> dict[str, str]:
    """The files of a dataset that are not replaced; none where it is damaged, or there is none."""
    try:
        kinds = _formats_of(folder).keys() - set(given)
    except (OSError, ValueError, RecursionError):
        return {}
    found = ((kind, path) for kind in sorted(kinds) for path in (folder / kind, folder / f'{kind}.gz'))
    return {kind: os.fspath(path) for kind, path in found if path.exists()}


def _check(judged: Sequence[Any]) -> None:
    """Raises the errors that the first evaluation would."""
    table = SegmentTable.from_qrels(judged, elements=True)
    for row in range(len(table)):
        if table.value[row] > 0 and table.start[row] == table.end[row]:
            raise table.error(row, 'it is judged relevant and has no content: give the judgement an end after its '
                                   'start')


def remove(name: str) -> None:
    """Removes a dataset that was added, with its copies. Raises a ValueError if none was added under this name.

    Examples:
        >>> from ir_segmeasures import datasets
        >>> datasets.remove('my/talks')
        Traceback (most recent call last):
        ...
        ValueError: 'my/talks' is no dataset that was added (there are none)
    """
    if not NAME.fullmatch(name) or not _folder(name).exists():
        added = f'those are: {", ".join(_added())}' if _added() else 'there are none'
        raise ValueError(f'{quoted(name)} is no dataset that was added ({added})')
    _discard(_folder(name))
    _forget(name)


def register_all() -> None:
    """Registers what was added before."""
    for name in _added():
        if name in DATASETS:
            continue
        try:
            _register(name, _formats_of(_folder(name)))
        except (OSError, ValueError, RecursionError):
            warn_user(f'{_folder(name)} is damaged, which holds the dataset {quoted(name)}: remove this folder, '
                      'and add the dataset once more')


def _formats_of(folder: Path) -> dict[str, str]:
    formats = json.loads((folder / _FORMATS).read_text(encoding='utf-8'))
    if not isinstance(formats, dict) or not formats or not all(
            isinstance(format, str) and format in _KNOWN.get(kind, ()) for kind, format in formats.items()):
        raise ValueError(f'{quoted(formats)} names no formats')
    return formats


def _register(name: str, formats: Mapping[str, str]) -> None:
    def files(kind: str) -> list[CampaignFile]:
        # The name without .gz: the file is looked for with and without it.
        return [CampaignFile(f'{FOLDER}/{_folder(name).name}', kind,
                             how=f'add {name} once more, from the files that it was made of')]

    handlers: list[Any] = []
    if 'docs' in formats:
        docs = DOCS_FORMATS[formats['docs']]
        handlers.append(CampaignDocs(docs.read, files('docs'), docs.cls, namespace=name))
    if 'queries' in formats:
        queries = QUERIES_FORMATS[formats['queries']]
        handlers.append(CampaignQueries(queries.read, files('queries'), queries.cls, namespace=name))
    if 'qrels' in formats:
        run_format = formats['qrels'] if FORMATS[formats['qrels']].run else 'trec'
        handlers.append(CampaignQrels(SegmentQrels(formats['qrels']), files('qrels'), run_format=run_format))
    register_dataset(name, Documentation(name, 'A dataset of local files.', how='its files are here'), *handlers)


def _forget(name: str) -> None:
    lengths.forget()
    DATASETS.pop(name, None)
    unregister(name)


def _folder(name: str) -> Path:
    return Path(ir_datasets.util.home_path()) / FOLDER / name.replace('/', '%2F')


def _added() -> list[str]:
    home = _folder('.')
    for old in home.glob(f'.*{_REPLACED}'):  # of a process that was killed
        folder = home / old.name[1:].removesuffix(_REPLACED)
        if not folder.exists():
            with suppress(OSError):  # another process has done it
                old.rename(folder)
    folders = sorted(folder.name for folder in home.iterdir()) if home.is_dir() else []
    return [folder.replace('%2F', '/') for folder in folders if not folder.startswith('.')]


def _keep(folder: Path, paths: Mapping[str, str], formats: Mapping[str, str]) -> None:
    """Copies the files, all or none."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new, old = _hidden(folder), folder.with_name(f'.{folder.name}{_REPLACED}')
    try:
        new.mkdir()
        for kind, path in paths.items():
            if os.path.isdir(path):
                _copy(path, new / kind)
            else:
                shutil.copyfile(path, new / f'{kind}{".gz" if path.endswith(".gz") else ""}')
        (new / _FORMATS).write_text(json.dumps(formats), encoding='utf-8')
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    except BaseException:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    finally:
        _sweep(new, old)


def _copy(source: str, target: Path) -> None:
    """Copies a folder: files and folders, as readers walk them. Links to folders, which may go round, are not followed,
    and pipes are not read."""
    for folder, _, names in os.walk(source):
        inside = target / os.path.relpath(folder, source)
        inside.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                shutil.copyfile(path, inside / name)


def _discard(folder: Path) -> None:
    """Removes a folder: to others, all of it at once."""
    old = _hidden(folder)
    try:
        folder.rename(old)
    finally:
        _sweep(old)


def _sweep(*folders: Path) -> None:
    try:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
    finally:  # what an interruption has left of them
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def _hidden(folder: Path) -> Path:
    return folder.with_name(f'.{os.urandom(8).hex()}')
