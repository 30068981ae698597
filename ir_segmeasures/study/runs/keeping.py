"""The file of the scores, ``.csv`` or ``.parquet``: what is finished is kept, and not computed again.

While runs are evaluated, each finished one is a line of a journal beside the file; at the end, also at a sudden one,
the file is written as a whole and the journal goes. What a killed process left of it is read by the next.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, Any

from ir_segmeasures.study.runs.working import Values

if TYPE_CHECKING:
    import pandas

__all__ = ['Kept', 'frame_of']


def frame_of(values: dict[str, Values], measures: list[str], by_query: bool) -> pandas.DataFrame:
    """The values as a frame, one row each."""
    import pandas
    rows = [(run, query, measure, value) for run, queries in values.items() for query, row in queries.items()
            for measure, value in zip(measures, row) if value is not None]
    frame = pandas.DataFrame(rows, columns=['run', 'query_id', 'measure', 'value'])
    frame['value'] = frame['value'].astype(float)
    return frame if by_query else frame.drop(columns='query_id')


class Kept:
    """The finished runs of a file.

    Args:
        path: of the file
        measures: as strings, in their order
        qrels: a digest of the qrels, which stands in the file's column ``qrels``
        by_query: whether each query has a row

    Attributes:
        values: run → its values

    Raises:
        ValueError: the name has another suffix, or the file holds scores of other measures or qrels
        OSError: the file cannot be read
    """

    def __init__(self, path: str | os.PathLike[str], measures: Sequence[str], qrels: str, by_query: bool):
        self.path, self._journal_path = os.fspath(path), f'{os.fspath(path)}.journal'
        if not self.path.lower().endswith(('.csv', '.parquet')):
            raise ValueError(f'{self.path}: the name ends in neither .csv nor .parquet, which tells how scores are '
                             'written: give it one of them')
        self._measures, self._qrels, self._by_query = list(measures), qrels, by_query
        self.values: dict[str, Values] = {}
        self._journal: IO[str] | None = None
        if os.path.exists(self.path):
            self._read_file()
        if os.path.exists(self._journal_path):
            self._read_journal()

    def add(self, run: str, values: Values) -> None:
        """Keep a finished run."""
        self.values[run] = values
        if self._journal is None:
            # A new journal holds all that an old one held, which may end in half a line.
            self._journal = open(self._journal_path, 'w', encoding='utf-8')  # noqa: SIM115 -- closed by finish()
            for name in self.values:
                self._write(name)
        else:
            self._write(run)
        self._journal.flush()

    def _write(self, run: str) -> None:
        assert self._journal is not None
        line = [self._qrels, self._measures, self._by_query, run, list(self.values[run].items())]
        self._journal.write(json.dumps(line) + '\n')

    def finish(self, runs: Iterable[str]) -> None:
        """Write the file, the named runs first, and those that it has beside them after these."""
        if self._journal is None and not os.path.exists(self._journal_path) and os.path.exists(self.path):
            return
        order = dict.fromkeys([*(run for run in runs if run in self.values), *self.values])
        frame = frame_of({run: self.values[run] for run in order}, self._measures, self._by_query)
        frame['qrels'] = self._qrels
        part = f'{self.path}.part'
        try:
            if self.path.lower().endswith('.csv'):
                frame.to_csv(part, index=False)
            else:
                frame.to_parquet(part, index=False)
            os.replace(part, self.path)
        finally:
            if os.path.exists(part):
                os.remove(part)
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        if os.path.exists(self._journal_path):
            os.remove(self._journal_path)

    def _read_file(self) -> None:
        import pandas
        if self.path.lower().endswith('.csv'):
            frame = pandas.read_csv(self.path, dtype=str, keep_default_na=False)
        else:
            frame = pandas.read_parquet(self.path)
        missing = [name for name in ('run', 'measure', 'value', 'qrels') if name not in frame]
        if missing:
            raise ValueError(f'{self.path}: the file lacks {", ".join(map(repr, missing))}, which files of scores '
                             'have: give another name, or remove the file')
        measures = list(dict.fromkeys(frame['measure']))
        self._check(set(frame['qrels']), measures, 'query_id' in frame)
        place = {measure: i for i, measure in enumerate(self._measures)}
        queries: Any = frame['query_id'] if self._by_query else [None] * len(frame)
        for run, query, measure, value in zip(frame['run'], queries, frame['measure'], frame['value']):
            row = self.values.setdefault(run, {}).setdefault(query, [None] * len(place))
            row[place[measure]] = float(value)

    def _read_journal(self) -> None:
        with open(self._journal_path, encoding='utf-8') as file:
            for text in file:
                if not text.endswith('\n'):  # the process was ended while it wrote
                    break
                qrels, measures, by_query, run, values = json.loads(text)
                self._check({qrels}, measures, by_query)
                order = [measures.index(measure) for measure in self._measures]
                self.values[run] = {query: [row[i] for i in order] for query, row in values}

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
