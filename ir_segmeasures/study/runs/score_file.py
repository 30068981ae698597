"""The file of the scores: finished runs stand in it, and are not evaluated again.

It is CSV, a row for each value. The rows of a run are appended together as soon as it is finished, while a lock on a
hidden file beside it is held, so that several processes may write into one file. A process that is killed may leave the
rows of one run half-written; these are dropped on reading, and the run is evaluated anew. On a network file system the
lock holds as far as that of its server does. Digests tell contents of runs and qrels apart.
"""

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ir_segmeasures.formats import SUFFIXES
from ir_segmeasures.formats.files.reading import files_of
from ir_segmeasures.formats.files.writing import whole_file
from ir_segmeasures.segments.basics import bare_cell, cell_of, joined, needed, quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.version import __version__

# Query → the value of each measure, None where a host's measure has none; the query None is the mean over all.
Values = dict[str | None, list[float | None]]


class KeptRun(NamedTuple):
    """A run in the file.

    Attributes:
        digest: of its content
        release: the release that computed its values
        values: query → the value of each measure
    """
    digest: str
    release: str
    values: Values


_HALF_WRITTEN = KeptRun('', '', {})


class ScoreFile:
    """The finished runs of a file.

    Args:
        path: of the file
        measures: in the order of the values of runs
        by_query: whether each query has its values
        qrels: a digest of the qrels

    Attributes:
        runs: run → what the file has of it

    Raises:
        ValueError: the name has another suffix, or the file holds scores of other measures or qrels, or no scores
        OSError: the file cannot be read or written
        ImportError: filelock is not installed
    """

    def __init__(self, path: str | os.PathLike[str], measures: list[Measure], by_query: bool, qrels: str):
        self.path = os.fspath(path)
        if not self.path.lower().endswith('.csv'):
            raise ValueError(f'{self.path}: scores are CSV, but the name does not end in .csv: give it this ending')
        folder, name = os.path.split(os.path.realpath(self.path))  # of one file, whatever links lead to it
        open(self.path, 'ab').close()  # its errors come before the work
        self._measures, self._qrels, self._by_query = list(map(str, measures)), qrels, by_query
        self._columns = ['run', *(['query_id'] if by_query else []), 'measure', 'value', 'rows', 'qrels', 'digest',
                         'release']  # the last four are the same in all rows of a run
        filelock = needed('filelock', 'files of scores are locked with filelock', 'scale')
        self._lock = filelock.FileLock(os.path.join(folder, f'.{name}.lock'), poll_interval=.01)
        self.runs: dict[str, KeptRun] = {}
        self._anew: list[str] = []
        self._known, self._end = 0, 0  # the number of the file that was read, and its bytes that were
        with self._lock:
            self._read()

    def finished(self, run: str, digest: str) -> Values:
        """The values of a run with this content by this release; empty where it is to be evaluated."""
        kept = self.runs.get(run, _HALF_WRITTEN)
        if digest and kept[:2] == (digest, __version__):
            return kept.values
        self._anew += [run] if kept.release else []
        return {}

    def tell_changed(self) -> None:
        """Warns of runs that the file had, and that were to be evaluated anew."""
        if self._anew:
            warn_user(f'{self.path}: {len(self._anew)} of the runs had another content or values of another release, '
                      f'and the values are computed anew: {joined(self._anew)}')

    def add(self, run: str, digest: str, values: Values) -> None:
        """Appends the rows of a run; those of another content or release, which the file may have, are taken out.

        Raises:
            ValueError: another process has begun the file with other measures or qrels
            OSError: the file cannot be written; it has the runs that it had
        """
        kept = KeptRun(digest, __version__, values)
        with self._lock:
            self._read()
            before = self.runs.get(run)
            if before is not None and before[:2] == kept[:2]:  # another process was faster
                return
            self.runs[run] = kept
            if before is not None:
                with whole_file(self.path) as file:
                    file.write(self._text(self.runs, True))
            else:
                try:
                    with open(self.path, 'ab') as file:
                        file.truncate(self._end)
                        file.write(self._text({run: kept}, not self._end))
                except OSError as error:
                    with suppress(OSError):
                        os.truncate(self.path, self._end)
                    raise type(error)(error.errno, error.strerror, self.path) from None
            found = os.stat(self.path)
            self._known, self._end = found.st_ino, found.st_size

    def _text(self, runs: Mapping[str, KeptRun], head: bool) -> bytes:
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator='\n')
        writer.writerows([self._columns] * head)
        for run, kept in runs.items():
            rows = [(*([] if query is None else [cell_of(query)]), measure, value)
                    for query, values in kept.values.items()
                    for measure, value in zip(self._measures, values) if value is not None]
            writer.writerows([cell_of(run), *row, len(rows), self._qrels, *kept[:2]] for row in rows)
        return lines.getvalue().encode()

    def _read(self) -> None:
        """Reads what the file has beyond what was read; all of it where it was replaced."""
        found = os.stat(self.path)
        if found.st_ino != self._known or found.st_size < self._end:
            self.runs, self._known, self._end = {}, found.st_ino, 0
        with open(self.path, 'rb') as file:
            file.seek(self._end)
            content = file.read()
        content = content[:content.rfind(b'\n') + 1]  # a process may have been ended while it wrote
        try:
            rows = list(csv.reader(io.StringIO(content.decode(), newline='')))
        except (csv.Error, UnicodeError) as error:
            raise ValueError(f'{self.path}: it holds no scores that can be read ({error}): remove it') from None
        if rows and not self._end and (columns := rows.pop(0)) != self._columns:
            raise self._other(f'{self.path}: the columns are {joined(columns)}, but those of scores are '
                              + joined(self._columns))
        for run, of_run in groupby(rows, lambda row: bare_cell(row[0])):
            self.runs[run] = self._kept(run, list(of_run))
        self._end += len(content)

    def _kept(self, run: str, rows: list[list[str]]) -> KeptRun:
        """The run of some rows; without values, if they are half-written."""
        values: Values = {}
        try:
            number, qrels, digest, release = rows[-1][-4:]
            if qrels != self._qrels:
                raise self._other('the scores are of other qrels')
            finished, names = len(rows) == int(number), [row[-6] for row in rows]
            if set(names) - set(self._measures) or (finished and set(self._measures) - set(names)):
                raise self._other(f'the scores are of {joined(dict.fromkeys(names))}, not of {joined(self._measures)}')
            for row in rows if finished else ():
                scores = values.setdefault(bare_cell(row[1]) if self._by_query else None, [None] * len(self._measures))
                scores[self._measures.index(row[-6])] = float(row[-5])
        except (IndexError, ValueError) as error:
            raise ValueError(f'{self.path}, run {quoted(run)}: {error}') from None
        return KeptRun(digest, release, values) if finished else _HALF_WRITTEN

    def _other(self, what: str) -> ValueError:
        return ValueError(f'{what}: give the measures, qrels and by_query that the file was begun with, or another '
                          'name')


def paths_of(source: Any) -> list[str]:
    """The files of a run: one, or those of a folder."""
    return [os.fspath(path) for path in files_of(source, tuple(SUFFIXES))]


def digest_of_run(source: Any, format: str | None) -> str:
    """A digest of the content of a run: of the bytes of its files, or of its rows in their order; empty for what has no
    shape of a run.

    Raises:
        OSError: a file cannot be opened
    """
    digest = blake2b(digest_size=16)
    if isinstance(source, (str, os.PathLike)):
        for path in paths_of(source):
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
