"""Tasks of workers: a run in memory or a file is one task, a folder of Parquet files one for each file."""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ir_segmeasures import formats
from ir_segmeasures.formats.files.folders import files_of
from ir_segmeasures.formats.files.parts import is_large
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

__all__ = ['Task', 'digest_of', 'named_runs', 'read_task', 'tables_by_query', 'tasks_of', 'with_place']

_BLOCK = 1 << 20  # bytes of a file
# Controls, line ends among them, and what Python makes of bytes that are not UTF-8.
_UNWRITTEN = re.compile('[\x00-\x1f\x7f-\x9f\ud800-\udfff]')


class Task(NamedTuple):
    """A run, or a part of one, that a worker evaluates.

    Attributes:
        run: name of the run
        source: the run in any shape, or the path of its file
        format: of the file; None where ``source`` is no path
        part: the number of this part of the run, from 0
        parts: the number of files of the run, each query whole in one; None if the run is not cut
    """
    run: str
    source: Any
    format: str | None
    part: int = 0
    parts: int | None = None


def named_runs(runs: Any) -> Iterable[tuple[str, Any]]:
    """The runs with their names: the items of a mapping, pairs, or files. A file gives its name without the suffix.

    Raises:
        ValueError: no file matches a pattern, or two runs have one name
        TypeError: a run has no name and is no file
    """
    if isinstance(runs, (str, os.PathLike)):
        runs = _files(os.fspath(runs))
    elif isinstance(runs, Mapping):
        runs = runs.items()
    elif not isinstance(runs, Iterable) or hasattr(runs, 'itertuples'):
        raise TypeError(f'the runs are a {type(runs).__name__}: give a mapping of names and runs, files, or a pattern '
                        "such as 'runs/*.txt'")
    pairs = _unique(map(_pair, runs))
    # Runs that are made one by one may be larger than memory together.
    return pairs if isinstance(runs, Iterator) else list(pairs)


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


def _unique(pairs: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for name, run in pairs:
        if _UNWRITTEN.search(name):
            raise ValueError(f'a run is named {quoted(name)}, which no line of text holds: rename its file, or give a '
                             'mapping of names and runs')
        if name in seen:
            raise ValueError(f'two runs are named {quoted(name)}, but scores are told apart by the names: give a '
                             'mapping of names and runs')
        seen.add(name)
        yield name, run


def tasks_of(name: str, run: Any, format: str | None) -> list[Task]:
    """The tasks of a run: one, or one for each file of a folder. Raises ``ValueError`` if the folder has no file."""
    if not isinstance(run, (str, os.PathLike)):
        return [Task(name, run, None)]
    path = os.fspath(run)
    if not os.path.isdir(path):
        return [Task(name, path, formats.format_at(path, format or 'trec'))]
    files = files_of(path, tuple(formats.SUFFIXES))
    return [Task(name, os.fspath(file), formats.format_at(file), part, len(files)) for part, file in enumerate(files)]


def digest_of(run: Any, tasks: Iterable[Task]) -> str:
    """A digest of the content of a run: of the bytes of its files, or of its rows. Empty for what has no shape of a
    run.

    Raises:
        OSError: a file cannot be opened
    """
    from hashlib import blake2b
    digest = blake2b(digest_size=16)
    if isinstance(run, (str, os.PathLike)):
        for task in tasks:
            digest.update(f'{task.format} {os.path.getsize(task.source)}\n'.encode())
            with open(task.source, 'rb') as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
        return digest.hexdigest()
    if isinstance(run, SegmentTable):
        import joblib
        return str(joblib.hash(run))
    try:
        rows = adapter_of(run, 'run')
        for name in sorted(map(str, rows.names)):
            digest.update(f'{name} {rows.values(name)!r}\n'.encode(errors='surrogatepass'))
    except (TypeError, ValueError, ImportError):  # whoever evaluates the run has the sentence
        return ''
    return digest.hexdigest()


def read_task(task: Task, tables: bool, elements: bool) -> Any:
    """The run of a task, or its part.

    Args:
        tables: whether to make a table of it
        elements: whether ids may be those of elements without offsets

    Raises:
        FormatError: the file, or a row of it, is wrong; the error names both
        RowError, ValueError, TypeError: the run can be no table
        OSError: the file cannot be opened
    """
    if task.format is None:
        return SegmentTable.from_run(task.source, elements) if tables else task.source
    rows: Any = formats.read_run(task.source, task.format)
    if not tables:
        return rows
    try:
        return SegmentTable.from_run(rows, elements)
    except RowError as error:
        raise formats.in_file(error, task.source, formats.format_of(task.format), rows) from None
    except (TypeError, ValueError) as error:
        raise formats.FormatError(str(error), task.source) from None


def with_place(error: RowError, task: Task) -> Exception:
    """The error about a row of the run with its file and line, where it has a file."""
    if task.format is None or error.kind != 'run':
        return error
    rows = formats.read_run(task.source, task.format)
    return formats.in_file(error, task.source, formats.format_of(task.format), rows)


def tables_by_query(path: str, format: str) -> Iterator[SegmentTable] | None:
    """The tables of a large file, a few queries in each; None if the file is not large, or its format is read whole.

    Raises:
        ValueError: while the tables are walked: the file has to be read whole
    """
    files = formats.format_of(format).run
    if files is None or files.read_by_query is None or not is_large(path):
        return None
    return map(SegmentTable.from_run, files.read_by_query(path))
