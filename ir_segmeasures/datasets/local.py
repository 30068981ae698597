"""Datasets of anybody's own files, in any format there is. A file of settings in the ir_datasets home says which these
are, so that they are known wherever :mod:`ir_segmeasures.datasets` is imported. The files stay where they are."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import ir_datasets
import msgspec

from ir_segmeasures.datasets import base, lengths
from ir_segmeasures.datasets.files import CampaignFile, ir_datasets_home
from ir_segmeasures.datasets.ir_datasets_private import unregister
from ir_segmeasures.datasets.list_formats import DOCS_FORMATS, QUERIES_FORMATS
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats import FORMATS
from ir_segmeasures.formats.files.writing import whole_file
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user

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
        files = [CampaignFile(*os.path.split(path), how=f'put it there again, or add {name} once more')]
        if kind == 'qrels':
            found[kind] = base.CampaignQrels(SegmentQrels(format), files)
        else:
            read, cls = _KNOWN[kind][format]
            make = base.CampaignDocs if kind == 'docs' else base.CampaignQueries
            found[kind] = make(read, files, cls, namespace=name)
    return found


def _forget(name: str) -> None:
    lengths.forget()
    base.DATASETS.pop(name, None)
    unregister(name)


def _settings() -> str:
    return os.path.join(ir_datasets_home(), 'ir_segmeasures', 'datasets.json')


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
