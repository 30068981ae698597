"""The file of the scores, ``.csv`` or ``.parquet``: finished runs stand in it, and are not evaluated again.

While runs are evaluated, each finished run is a line of a journal beside the file. At the end, also after an error or
Ctrl-C, the file is written as a whole and the journal is removed. If the process was killed, the next call reads the
journal.

Several processes may write into one file. They share the journal, and take turns by a lock on a hidden file beside it:
each adds lines while it holds the lock, and each reads file and journal again before it replaces the file. On a network
file system this holds as far as the locks of its server do.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.formats.files.replacement import whole_file
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.documentation import describe
from ir_segmeasures.segments.quoting import joined, quoted, truncated
from ir_segmeasures.study.runs.worker import Job, Values
from ir_segmeasures.study.scores import parse_measures

if TYPE_CHECKING:
    import pandas

__all__ = ['KeptRun', 'ScoreFile', 'frame_of']

_ROUNDING = 1e-9  # by which a value may leave the range of its measure


def frame_of(values: dict[str, Values], measures: list[str], by_query: bool) -> pandas.DataFrame:
    """The values as a frame, one row each."""
    import pandas
    rows = [(run, query, measure, value) for run, queries in values.items() for query, row in queries.items()
            for measure, value in zip(measures, row) if value is not None]
    frame = pandas.DataFrame(rows, columns=['run', 'query_id', 'measure', 'value'])
    frame['value'] = frame['value'].astype(float)
    return frame if by_query else frame.drop(columns='query_id')


class KeptRun(NamedTuple):
    """A finished run.

    Attributes:
        digest: of its content; empty where that is not known
        values: query → the value of each measure
    """
    digest: str
    values: Values


class ScoreFile:
    """The finished runs of a file.

    Args:
        path: of the file
        job: the measures, the judged queries, and whether each query has a row
        qrels: a digest of the qrels, which stands in the file's column ``qrels``

    Attributes:
        kept: run → its digest and values

    Raises:
        ValueError: the name has another suffix or that of no folder, or the file holds scores of other measures or
            qrels, none, or values that no measure has
        OSError: the file cannot be read, or the file or its folder cannot be written
        ImportError: filelock is not installed
    """

    def __init__(self, path: str | os.PathLike[str], job: Job, qrels: str):
        self.path = os.fspath(path)
        if not self.path.lower().endswith(('.csv', '.parquet')):
            raise ValueError(f'{self.path}: the name ends in neither .csv nor .parquet, which tells how scores are '
                             'written: give it one of them')
        folder, name = os.path.split(os.path.realpath(self.path))  # of one file, whatever links lead to it
        if os.path.isdir(self.path) or not os.path.isdir(folder):
            fault = 'it is a folder' if os.path.isdir(self.path) else f'there is no folder {folder}'
            raise ValueError(f'{self.path} cannot be written, since {fault}: give another name')
        for place in (folder, self.path):  # before the work
            if os.path.exists(place) and not os.access(place, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)
        self._journal_path = os.path.join(folder, f'{name}.journal')
        self._measures, self._job, self._qrels = [repr(measure) for measure in job.measures], job, qrels
        self._names = list(map(str, job.measures))  # as asked for, which is not the same in all processes
        self._ranges = [_range_of(measure) for measure in job.measures]
        self._added: set[str] = set()
        self._last_state: tuple[int, int, int] | None = None
        self._lock = _lock_of(os.path.join(folder, f'.{name}.lock'))
        with self._locked():
            self.kept = self._read()

    def add(self, run: str, digest: str, values: Values) -> None:
        """Keep a finished run.

        Raises:
            ValueError: another process has begun the file with other measures or qrels
            OSError: the journal cannot be written; the run is written by :meth:`finish`, if that can be
        """
        self.kept[run] = KeptRun(digest, values)
        self._added.add(run)
        line = json.dumps([self._qrels, self._measures, self._job.by_query, run, list(values.items()), digest])
        with self._locked():
            if self._state() != self._last_state:  # another process has replaced the file, or made it
                self._read()
            else:  # all lines of a journal are alike
                for qrels, measures, by_query, *_ in islice(self._journal_lines(), 1):
                    self._check({qrels}, measures, by_query)
            with open(self._journal_path, 'a+b') as journal:
                end = _end_of_lines(journal)
                journal.truncate(end)
                try:
                    journal.write(f'{line}\n'.encode())
                    journal.flush()
                except OSError as error:
                    with suppress(OSError):
                        journal.truncate(end)
                    raise type(error)(error.errno, error.strerror, self._journal_path) from None

    def finish(self, runs: Iterable[str]) -> None:
        """Write the file, the named runs first, and those that it has beside them, also from other processes, after
        these."""
        with self._locked():
            if not self._added and not os.path.exists(self._journal_path) and os.path.exists(self.path):
                return
            kept = {**self._read(), **{run: self.kept[run] for run in self._added}}
            order = dict.fromkeys([*(run for run in runs if run in kept), *kept])
            frame = frame_of({run: kept[run].values for run in order}, self._names, self._job.by_query)
            frame['qrels'] = self._qrels
            frame['digest'] = [kept[run].digest for run in frame['run']]
            with whole_file(self.path) as file:
                if self.path.lower().endswith('.csv'):
                    file.write(frame.to_csv(index=False, na_rep='nan').encode())
                else:
                    frame.to_parquet(file, index=False)
            if os.path.exists(self._journal_path):
                os.remove(self._journal_path)
            self.kept = kept

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """A context in which no other process reads or writes the file and its journal."""
        try:
            lock = self._lock.acquire(poll_interval=0.01)
        except OSError as error:
            folder = os.path.dirname(self._journal_path)
            raise type(error)(error.errno, error.strerror, folder) from None
        with lock:
            yield

    def _state(self) -> tuple[int, int, int] | None:
        """The number, time and size of the file, by which a change is known; None if there is no file."""
        with suppress(FileNotFoundError):
            found = os.stat(self.path)
            return found.st_ino, found.st_mtime_ns, found.st_size
        return None

    def _read(self) -> dict[str, KeptRun]:
        """The runs of the file and of the journal."""
        kept: dict[str, KeptRun] = {}
        if os.path.exists(self.path):
            self._read_file(kept)
        self._read_journal(kept)
        self._last_state = self._state()
        return kept

    def _read_file(self, kept: dict[str, KeptRun]) -> None:
        import pandas
        try:
            if self.path.lower().endswith('.csv'):
                frame = pandas.read_csv(self.path, dtype=str, keep_default_na=False)
            else:
                frame = pandas.read_parquet(self.path)
            missing = [name for name in ('run', 'measure', 'value', 'qrels') if name not in frame]
            numbers = [] if missing else [float(value) for value in frame['value']]
        except (OSError, OverflowError, TypeError, ValueError) as error:  # also pandas' and Arrow's own
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise self._no_scores(self.path, error) from None
        if missing:
            raise ValueError(f'{self.path}: the file lacks {", ".join(map(repr, missing))}, which files of scores '
                             'have: give another name, or remove the file')
        known = {name: _first_name(name) for name in dict.fromkeys(frame['measure'])}
        frame['measure'] = frame['measure'].map(known)
        self._check(set(frame['qrels']), list(dict.fromkeys(known.values())), 'query_id' in frame)
        place = {measure: i for i, measure in enumerate(self._measures)}
        queries: Iterable[str | None] = frame['query_id'] if self._job.by_query else [None] * len(frame)
        digests: Iterable[str] = frame['digest'] if 'digest' in frame else [''] * len(frame)
        columns = (frame['run'], digests, queries, frame['measure'], numbers)
        for number, (run, digest, query, measure, value) in enumerate(zip(*columns), 1):
            if run not in kept:
                kept[run] = KeptRun(str(digest), {})
            row, i = kept[run].values.setdefault(query, [None] * len(place)), place[measure]
            if row[i] is not None:
                raise self._wrong(self.path, run, f'row {number}: {_value_of(measure, query)} stands there twice')
            self._check_value(self.path, f'row {number}', run, query, i, value)
            row[i] = value
        self._check_complete(self.path, kept)

    def _read_journal(self, kept: dict[str, KeptRun]) -> None:
        found: dict[str, KeptRun] = {}
        for number, (qrels, measures, by_query, run, values, digest) in enumerate(list(self._journal_lines()), 1):
            self._check({qrels}, measures, by_query)
            order = [measures.index(measure) for measure in self._measures]
            for query, row in values.items():
                for i, value in enumerate(row[i] for i in order):
                    if value is not None:
                        self._check_value(self._journal_path, f'line {number}', run, query, i, value)
            found[run] = KeptRun(digest, {query: [row[i] for i in order] for query, row in values.items()})
        self._check_complete(self._journal_path, found)
        kept.update(found)

    def _journal_lines(self) -> Iterator[tuple[str, list[str], bool, str, Values, str]]:
        if not os.path.exists(self._journal_path):
            return
        try:
            with open(self._journal_path, encoding='utf-8') as file:
                for text in file:
                    if not text.endswith('\n'):  # the process was ended while it wrote
                        break
                    qrels, measures, by_query, run, values, *digest = json.loads(text)
                    rows = {query: [None if value is None else float(value) for value in row] for query, row in values}
                    if not measures or any(len(row) != len(measures) for row in rows.values()):
                        raise ValueError('a value has no measure')
                    line = (str(qrels), list(map(str, measures)), bool(by_query), str(run), rows, ''.join(digest))
                    yield line
        except (OverflowError, RecursionError, TypeError, ValueError) as error:
            raise self._no_scores(self._journal_path, error) from None

    @staticmethod
    def _no_scores(path: str, error: Exception) -> ValueError:
        reason = type(error).__name__ if isinstance(error, TypeError) else truncated(str(error).partition('\n')[0])
        return ValueError(f'{path}: the file holds no scores that can be read ({reason}): give another name, or remove '
                          'the file')

    def _check(self, qrels: set[str], measures: list[str], by_query: bool) -> None:
        if qrels - {self._qrels}:
            what, repair = 'of other qrels', 'qrels'
        elif measures and set(measures) != set(self._measures):
            what, repair = f'of {joined(measures)}, not of {joined(self._measures)}', 'measures'
        elif by_query != self._job.by_query:
            what = f'{"of each query" if by_query else "over all queries"}, and by_query is {self._job.by_query}'
            repair = 'by_query'
        else:
            return
        raise ValueError(f'{self.path}: the file has scores {what}, but runs in one file are scored alike: give '
                         f'another name, or the {repair} that the file was begun with')

    def _check_value(self, path: str, where: str, run: str, query: str | None, i: int, value: float) -> None:
        low, high, may_be_nan = self._ranges[i]
        within = low - _ROUNDING <= value <= high + _ROUNDING
        if (math.isfinite(value) and within) or (math.isnan(value) and may_be_nan):
            return
        rule = f'lie between {low} and {high}' if math.isfinite(value) else 'are finite numbers'
        raise self._wrong(path, run, f'{where}: {_value_of(self._measures[i], query)} is {value}, but values of this '
                                     f'measure {rule}')

    def _check_complete(self, path: str, kept: dict[str, KeptRun]) -> None:
        """Raise an error for a run that lacks a value; measures of a host need not have one for every query."""
        if not kept:
            return
        queries = self._job.judged if self._job.by_query else [None]
        for run, (_, values) in kept.items():
            for query in queries:
                lacks = [measure for i, measure in enumerate(self._measures) if query not in values
                         or (values[query][i] is None and (self._job.tables or query is None))]
                if lacks:
                    raise self._wrong(path, run, f'there is no {_value_of(lacks[0], query).removeprefix("the ")}')

    @staticmethod
    def _wrong(path: str, run: str, sentence: str) -> ValueError:
        return ValueError(f'{path}, run {quoted(run)}, {sentence}: take out all lines of this run, and it is evaluated '
                          'anew')


def _first_name(measure: str) -> str:
    """A measure as it is written without its aliases; what is no measure, as it is."""
    try:
        return repr(parse_measures(measure)[0])
    except (TypeError, ValueError):
        return measure


def _value_of(measure: str, query: str | None) -> str:
    return f'the value of {measure}' + ('' if query is None else f' for query {quoted(query)}')


def _range_of(measure: Measure) -> tuple[float, float, bool]:
    """The least and the greatest value of a measure as its page states them, and whether NaN is one of its values."""
    if not isinstance(measure, SegmentMeasure) or 'tool' in measure.params:  # programs have quirks
        return -math.inf, math.inf, True
    try:
        text = describe(measure).range
    except ValueError:  # python -OO leaves out what the pages say
        text = ''
    bounds = re.findall(r'[\[({](-∞|0), (1|∞|R)[\])}]', text)  # a parameter may choose one of several
    low = 0 if bounds and all(low == '0' for low, _ in bounds) else -math.inf
    return low, 1 if bounds and all(high == '1' for _, high in bounds) else math.inf, False


def _end_of_lines(journal: IO[bytes]) -> int:
    """The place after the last whole line: a process may have been ended while it wrote one."""
    size = journal.seek(0, os.SEEK_END)
    journal.seek(max(0, size - 1))
    if journal.read(1) in (b'', b'\n'):
        return size
    journal.seek(0)
    return journal.read().rfind(b'\n') + 1


def _lock_of(path: str) -> Any:
    try:
        from filelock import FileLock
    except ImportError as error:
        raise ImportError(f'files of scores are locked with filelock, which cannot be imported ({error}): install '
                          "'ir_segmeasures[scale]'") from error
    return FileLock(path)
