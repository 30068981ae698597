"""Runs with their names, in memory or in files: how they are read, and the digest of their content."""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np

from ir_segmeasures import formats
from ir_segmeasures.formats.files.reading import files_of
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

# Controls, line ends among them, and characters that Python makes of bytes that are not UTF-8.
_UNWRITTEN = re.compile('[\x00-\x1f\x7f-\x9f\ud800-\udfff]')


def named_runs(runs: Any) -> Iterator[tuple[str, Any]]:
    """The runs with their names: the items of a mapping, pairs, or files. A file gives its name without the suffix.

    Raises:
        ValueError: no file matches a pattern, or two runs have one name
        TypeError: a run has no name and is not a file
    """
    if isinstance(runs, (str, os.PathLike)):
        runs = _files(os.fspath(runs))
    elif isinstance(runs, Mapping):
        runs = runs.items()
    elif not isinstance(runs, Iterable) or hasattr(runs, 'itertuples'):
        raise TypeError(f'the runs are a {type(runs).__name__}: give a mapping of names and runs, files, or a pattern '
                        "such as 'runs/*.txt'")
    repair = 'give a mapping of names and runs'
    seen: set[str] = set()
    for name, run in map(_pair, runs):
        if _UNWRITTEN.search(name):
            raise ValueError(f'a run is named {quoted(name)}, which no line of text holds: rename its file, or '
                             f'{repair}')
        if name in seen:
            raise ValueError(f'two runs are named {quoted(name)}, but scores are told apart by the names: {repair}')
        seen.add(name)
        yield name, run


def _files(path: str) -> list[str]:
    if os.path.exists(path) or not glob.has_magic(path):
        return [path]
    paths = sorted(glob.glob(path, recursive=True))
    if not paths:
        raise ValueError(f'no file matches {quoted(path)}: check the pattern')
    return paths


def _pair(run: Any) -> tuple[str, Any]:
    if isinstance(run, (str, os.PathLike)):
        name = os.path.basename(os.path.normpath(os.fspath(run)))
        return os.path.splitext(name[:-3] if name.lower().endswith('.gz') else name)[0], run
    if isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], str):
        return run
    raise TypeError(f'a {type(run).__name__} stands among the runs, which has no name: give a mapping of names and '
                    'runs, or pairs of both')


def read_source(source: Any, format: str | None, tables: bool, elements: bool) -> Any:
    """The run of a source, which is a run in any shape, the path of a file, or that of a folder of files.

    Args:
        source: the run
        format: of files; ``'parquet'`` by the suffix, else ``'trec'``
        tables: whether to make a table of it
        elements: whether ids may be those of elements without offsets

    Raises:
        FormatError: the file is wrong
        RowError, ValueError, TypeError: the run can be no table; :func:`in_source` names the file
        OSError: the file cannot be opened
    """
    rows = _rows_of_file(source, format) if isinstance(source, (str, os.PathLike)) else source
    return SegmentTable.from_run(rows, elements) if tables else rows


def in_source(error: Exception, source: Any, format: str | None) -> Exception:
    """The error with the file of the run, and with the line where it is about a row; as it is without a file."""
    if not (isinstance(source, (str, os.PathLike)) and isinstance(error, (TypeError, ValueError))) or isinstance(
            error, formats.FormatError) or (isinstance(error, RowError) and error.kind != 'run'):
        return error
    if not isinstance(error, RowError) or len(_paths(source)) > 1:
        return formats.FormatError(str(error), source)
    name = formats.format_at(source, format or 'trec')
    return formats.in_file(error, os.fspath(source), formats.format_of(name), _rows_of_file(source, format))


def _rows_of_file(source: Any, format: str | None) -> Any:
    rows = [formats.read_run(path, format or 'trec') for path in _paths(source)]
    return rows[0] if len(rows) == 1 else [row for part in rows for row in part]


def _paths(source: Any) -> Sequence[str]:
    return [os.fspath(path) for path in files_of(source, tuple(formats.SUFFIXES))]


def digest_of_run(source: Any, format: str | None) -> str:
    """A digest of the content of a run: of the bytes of its files, or of its rows in their order; empty for what has no
    shape of a run.

    Raises:
        OSError: a file cannot be opened
    """
    digest = blake2b(digest_size=16)
    if isinstance(source, (str, os.PathLike)):
        for path in _paths(source):
            digest.update(f'{format} {os.path.getsize(path)}\n'.encode())
            with open(path, 'rb') as file:
                while block := file.read(1 << 20):
                    digest.update(block)
        return digest.hexdigest()
    try:
        for row in _rows(source, 'run'):
            digest.update(row.encode(errors='surrogatepass'))
    except (TypeError, ValueError, ImportError):  # evaluation has the sentence
        return ''
    return digest.hexdigest()


def digest_of_qrels(qrels: Any) -> str:
    """A digest of judgements, the same for each order of rows and for each shape; where measures of segments take a
    table, columns without a unit are those of seconds."""
    if isinstance(qrels, SegmentTable):
        qrels = replace(qrels, unit=np.maximum(qrels.unit, 0))
    return blake2b('\n'.join(sorted(_rows(qrels, 'qrels'))).encode(errors='surrogatepass'), digest_size=16).hexdigest()


def _rows(given: Any, kind: str) -> Iterator[str]:
    """Each row of a table as a string."""
    table = SegmentTable.from_run(given, True) if kind == 'run' else SegmentTable.from_qrels(given, True)
    columns: list[Iterable[Any]] = [
        map(table.query_ids.__getitem__, table.query.tolist()),
        map(table.document_ids.__getitem__, table.document.tolist()),
        *(column.tolist() for column in (table.start, table.end, table.unit, table.value)),
        *(table.extra[name].tolist() for name in sorted(table.extra)), *([table.paths] if table.paths else [])]
    return map(repr, zip(*columns))
