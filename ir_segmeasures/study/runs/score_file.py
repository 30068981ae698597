"""The file of the scores, ``.csv`` or ``.parquet``: finished runs stand in it, and are not evaluated again.

While runs are evaluated, each finished run is a line of a journal beside the file. At the end, also after an error or
Ctrl-C, the file is written as a whole and the journal is removed. If the process was killed, the next call reads the
journal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from ir_segmeasures.formats.files.writing import whole_file
from ir_segmeasures.segments.quoting import truncated
from ir_segmeasures.study.runs.worker import Values

if TYPE_CHECKING:
    import pandas

__all__ = ['ScoreFile', 'frame_of']


def frame_of(values: dict[str, Values], measures: list[str], by_query: bool) -> pandas.DataFrame:
    """The values as a frame, one row each."""
    import pandas
    rows = [(run, query, measure, value) for run, queries in values.items() for query, row in queries.items()
            for measure, value in zip(measures, row) if value is not None]
    frame = pandas.DataFrame(rows, columns=['run', 'query_id', 'measure', 'value'])
    frame['value'] = frame['value'].astype(float)
    return frame if by_query else frame.drop(columns='query_id')


class ScoreFile:
    """The finished runs of a file.

    Args:
        path: of the file
        measures: as strings, in their order
        qrels: a digest of the qrels, which stands in the file's column ``qrels``
        by_query: whether each query has a row

    Attributes:
        values: run → its values

    Raises:
        ValueError: the name has another suffix or that of no folder, or the file holds scores of other measures or
            qrels, or none
        OSError: the file cannot be read
    """

    def __init__(self, path: str | os.PathLike[str], measures: Sequence[str], qrels: str, by_query: bool):
        self.path, self._journal_path = os.fspath(path), f'{os.fspath(path)}.journal'
        if not self.path.lower().endswith(('.csv', '.parquet')):
            raise ValueError(f'{self.path}: the name ends in neither .csv nor .parquet, which tells how scores are '
                             'written: give it one of them')
        folder = os.path.dirname(os.path.realpath(self.path))
        if os.path.isdir(self.path) or not os.path.isdir(folder):
            fault = 'it is a folder' if os.path.isdir(self.path) else f'there is no folder {folder}'
            raise ValueError(f'{self.path} cannot be written, since {fault}: give another name')
        self._measures, self._qrels, self._by_query = list(measures), qrels, by_query
        self.values: dict[str, Values] = {}
        self._journal: IO[bytes] | None = None
        if os.path.exists(self.path):
            self._read_file()
        if os.path.exists(self._journal_path):
            self._read_journal()

    def add(self, run: str, values: Values) -> None:
        """Keep a finished run."""
        self.values[run] = values
        if self._journal is None:
            # A new journal holds all that an old one held, which may end in half a line.
            with whole_file(self._journal_path) as file:
                file.writelines(map(self._line, self.values))
            self._journal = open(self._journal_path, 'ab')  # noqa: SIM115 -- closed by finish()
        else:
            self._journal.write(self._line(run))
            self._journal.flush()

    def _line(self, run: str) -> bytes:
        line = [self._qrels, self._measures, self._by_query, run, list(self.values[run].items())]
        return f'{json.dumps(line)}\n'.encode()

    def finish(self, runs: Iterable[str]) -> None:
        """Write the file, the named runs first, and those that it has beside them after these."""
        if self._journal is None and not os.path.exists(self._journal_path) and os.path.exists(self.path):
            return
        order = dict.fromkeys([*(run for run in runs if run in self.values), *self.values])
        frame = frame_of({run: self.values[run] for run in order}, self._measures, self._by_query)
        frame['qrels'] = self._qrels
        try:
            with whole_file(self.path) as file:
                if self.path.lower().endswith('.csv'):
                    file.write(frame.to_csv(index=False).encode())
                else:
                    frame.to_parquet(file, index=False)
        finally:
            if self._journal is not None:
                with suppress(OSError):  # of a full disk, which is reported already
                    self._journal.close()
                self._journal = None
        if os.path.exists(self._journal_path):
            os.remove(self._journal_path)

    def _read_file(self) -> None:
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
        measures = list(dict.fromkeys(frame['measure']))
        self._check(set(frame['qrels']), measures, 'query_id' in frame)
        place = {measure: i for i, measure in enumerate(self._measures)}
        queries: Any = frame['query_id'] if self._by_query else [None] * len(frame)
        for run, query, measure, value in zip(frame['run'], queries, frame['measure'], numbers):
            row = self.values.setdefault(run, {}).setdefault(query, [None] * len(place))
            row[place[measure]] = value

    def _read_journal(self) -> None:
        for qrels, measures, by_query, run, values in self._journal_lines():
            self._check({qrels}, measures, by_query)
            order = [measures.index(measure) for measure in self._measures]
            self.values[run] = {query: [row[i] for i in order] for query, row in values.items()}

    def _journal_lines(self) -> list[tuple[str, list[str], bool, str, Values]]:
        lines = []
        try:
            with open(self._journal_path, encoding='utf-8') as file:
                for text in file:
                    if not text.endswith('\n'):  # the process was ended while it wrote
                        break
                    qrels, measures, by_query, run, values = json.loads(text)
                    rows = {query: [None if value is None else float(value) for value in row] for query, row in values}
                    if not measures or any(len(row) != len(measures) for row in rows.values()):
                        raise ValueError('a value has no measure')
                    lines.append((str(qrels), list(map(str, measures)), bool(by_query), str(run), rows))
        except (OverflowError, RecursionError, TypeError, ValueError) as error:
            raise self._no_scores(self._journal_path, error) from None
        return lines

    @staticmethod
    def _no_scores(path: str, error: Exception) -> ValueError:
        reason = type(error).__name__ if isinstance(error, TypeError) else truncated(str(error).partition('\n')[0])
        return ValueError(f'{path}: the file holds no scores that can be read ({reason}): give another name, or remove '
                          'the file')

    def _check(self, qrels: set[str], measures: list[str], by_query: bool) -> None:
        if qrels - {self._qrels}:
            what, repair = 'of other qrels', 'qrels'
        elif measures and set(measures) != set(self._measures):
            what, repair = f'of {", ".join(measures)}, not of {", ".join(self._measures)}', 'measures'
        elif by_query != self._by_query:
            what = f'{"of each query" if by_query else "over all queries"}, and by_query is {self._by_query}'
            repair = 'by_query'
        else:
            return
        raise ValueError(f'{self.path}: the file has scores {what}, but runs in one file are scored alike: give '
                         f'another name, or the {repair} that the file was begun with')
