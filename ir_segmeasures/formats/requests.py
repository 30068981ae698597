"""Requests to read a file of judgements or of a run: where it is, its format, and how its ids become segments."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ir_segmeasures import formats
from ir_segmeasures.formats import extents
from ir_segmeasures.formats.files.format import Files
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

if TYPE_CHECKING:
    from ir_segmeasures.ids.resolving import Extent


def files_of_kind(format: str, kind: str) -> Files:
    """The judgements (``'qrels'``) or the runs (``'run'``) of a format. Raises ``ValueError`` if it has none."""
    files = formats.format_of(format).files(kind)
    if files is None:
        having = ', '.join(name for name, entry in formats.FORMATS.items() if entry.run is not None)
        raise ValueError(f'format {quoted(format)} has judgements only, no runs (--kind qrels reads them; '
                         f'formats with runs: {having})')
    return files


@dataclass(frozen=True)
class ReadRequest:
    """A request to read a file, as :func:`~ir_segmeasures.formats.read_run` and the commands make it.

    Attributes:
        path: of the file, ``.gz`` by suffix; or of a folder, where the format takes one
        kind: ``'run'`` or ``'qrels'``
        format: one of :data:`~ir_segmeasures.formats.FORMATS`; where it is ``'trec'``, the ending of the file counts
        ids: the pattern of ids that are not segments yet
        table: the segments of such ids, id → extent, or the path that
            :func:`~ir_segmeasures.formats.extents.read_extents` takes
        unit: what the numbers of the pattern or of the table count, characters or seconds if it is not given, or those
            that ``lines_from`` and ``inclusive`` are about, lines if it is not given
        task: which predictions of a run are read, in formats that have several
        clip: whether windows of a run may start before their video
        normalised: whether times of a run are fractions (0 to 1) or percentages of the duration of their video
        videos: query → its video, for answers of models that name none
        texts: document → its text, or the path of the texts, in which quotes are looked for
        unlocated: what becomes of quotes without a single place, ``'error'``, ``'warn'`` or ``'first'``
        subset: of the videos whose judgements are read, in formats that have several
        ties: what decides between items of a run with one score, and the seed, as for
            :func:`~ir_segmeasures.ids.ties.break_ties`
        lines_from, inclusive: how the lines of segments are counted, as for
            :func:`~ir_segmeasures.ids.encoding.with_ids`; None: starts and ends are not lines

    Raises:
        ValueError: there are both ``ids`` and ``table``, ``ids`` is not such a pattern, or ``table`` is beside
            ``lines_from`` or ``inclusive``
    """

    path: StrPath
    kind: str
    format: str = 'trec'
    ids: str | None = None
    table: Mapping[str, Extent] | StrPath | None = None
    unit: str | None = None
    task: str | None = None
    clip: bool = False
    ties: tuple[str, int] | None = None
    normalised: bool = False
    videos: Mapping[str, str] | None = None
    texts: Mapping[str, str] | StrPath | None = None
    unlocated: str | None = None
    subset: str | None = None
    lines_from: int | None = None
    inclusive: bool = False

    def __post_init__(self) -> None:
        if self.counts and self.table is not None:
            raise ValueError('lines_from and inclusive go without a table: write its segments as main.py#L19-L40')
        if self.ids is not None and self.table is not None:
            raise ValueError('extents come from one place: give ids (a pattern) or a table')
        if self.ids is not None:
            from ir_segmeasures.ids.patterns import IdPattern
            IdPattern(self.ids, self.unit or 'char')  # for its error

    @property
    def counts(self) -> bool:
        """True where it is told how lines are counted."""
        return self.lines_from is not None or self.inclusive

    @property
    def is_plain(self) -> bool:
        """True where the file is read as it stands: nothing but its path and its format is given."""
        return self == ReadRequest(self.path, self.kind, self.format)

    @property
    def true_format(self) -> str:
        """The name of the format that the file is read in."""
        return formats.format_at(self.path, self.format)

    def read(self, named: bool = False) -> Sequence[Any]:
        """The rows of the file, with ids as they stand there.

        Args:
            named: whether each row of a run is to have the run's name, where the file has one

        Raises:
            FormatError: the file breaks a rule of the format
            ValueError: there is no such format, or it has no such files, or no such option
            OSError: the file cannot be opened
        """
        format = self.true_format
        files = files_of_kind(format, self.kind)
        names = ('subset',) if self.kind == 'qrels' else ('task', 'clip', 'normalised', 'videos')
        options = {name: value for name in (*names, 'texts', 'unlocated') if (value := getattr(self, name))}
        if self.counts and 'lines' in files.options:
            options['lines'] = True
        for name in (name for name in options if name not in files.options):
            having = ', '.join(other for other, entry in formats.FORMATS.items()
                               if name in getattr(entry.files(self.kind), 'options', ()))
            raise ValueError(f'{"runs" if self.kind == "run" else "qrels"} of format {quoted(format)} have no option '
                             f'{quoted(name)} (formats with it: {having or "none"})')
        options.pop('normalised', None)  # the durations that it needs may be in another file
        rows = files.read(self.path, **options)
        return rows.with_run() if named and isinstance(rows, FileRows) else rows

    def in_seconds(self, rows: Sequence[Any], durations: Mapping[str, float]) -> tuple[Sequence[Any], int]:
        """The rows of a request for normalised times, with times in seconds, and what stood for the end of a video, 1
        or 100.

        Args:
            rows: of the file
            durations: video → its duration; of none, those that the file itself tells count

        Raises:
            FormatError: the duration of a video is not known, or a window goes beyond its end without ``clip``
        """
        of_file = files_of_kind(self.true_format, 'run').durations
        try:
            return extents.in_seconds(rows, durations or (of_file(self.path) if of_file else {}), self.clip)
        except RowError as error:
            raise self.in_file(error, rows) from None

    def with_segment_ids(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The rows with the segments that the pattern or the table has for their ids. Passages, which tell where they
        lie, are not looked up in a table.

        Raises:
            FormatError: the pattern or the table does not make a segment of every id; the error names the file, and
                the line where it is about one id
            OSError: the table cannot be opened
        """
        if self.ids is None and self.table is None and not self.counts:
            return rows
        table = self._extents()
        if table is not None and len(rows) and hasattr(rows[0], 'end'):
            return rows
        try:
            return self._resolved(rows, table)
        except ValueError as error:
            place = error if isinstance(error, RowError) else next(
                (RowError(self.kind, number, str(error)) for number, row in enumerate(rows)
                 if quoted(row.doc_id) in str(error)), None)
            raise (FormatError(str(error), self.path) if place is None else self.in_file(place, rows)) from None

    def _resolved(self, rows: Sequence[Any], table: Mapping[str, Extent] | None) -> Sequence[Any]:
        from ir_segmeasures.ids.encoding import with_ids
        from ir_segmeasures.ids.resolving import resolve
        place = self.table if isinstance(self.table, str | os.PathLike) else 'it'
        repair = f'add them to {place}' if self.ids is None else 'give the pattern of all ids with --ids'
        unit = self.unit or ('line' if self.counts else None)
        if table is not None or self.ids is not None:
            rows = resolve(rows, table, unit, kind=self.kind, repair=repair, ids=self.ids)
        if not self.counts or not len(rows):
            return rows
        counted = with_ids(rows, unit or 't', kind=self.kind, lines_from=self.lines_from or 0, inclusive=self.inclusive)
        given = rows if isinstance(rows, FileRows) else FileRows.of(type(rows[0]), rows)
        return given.with_segments([row.doc_id for row in counted])

    def with_known_ids(self, rows: FileRows[Any]) -> tuple[FileRows[Any], dict[int, str]]:
        """The rows with the segments that the pattern, the table or the count of lines makes of them, and for each row
        that is none the sentence about it."""
        if not self.counts and ((self.ids is None and self.table is None) or 'end' in rows.columns):
            return rows, {}
        table = self._extents()
        known: dict[Any, str] = {}
        why: dict[Any, str] = {}
        keys = [(row.doc_id, getattr(row, 'start', None), getattr(row, 'end', None)) for row in rows]
        with suppress(ValueError):  # told row by row
            return rows.with_segments([row.doc_id for row in self._resolved(rows, table)]), {}
        for key, row in dict(zip(keys, rows)).items():
            try:
                known[key] = self._resolved([row], table)[0].doc_id
            except ValueError as error:
                sentence: str = getattr(error, 'sentence', str(error))
                known[key], why[key] = row.doc_id, sentence.replace(
                    '1 of 1 ids are', f'the id {quoted(row.doc_id)} is').replace(f', such as {quoted(row.doc_id)}', '')
        return rows.with_segments(list(map(known.get, keys))), {
            number: why[key] for number, key in enumerate(keys) if key in why}

    def _extents(self) -> Mapping[str, Extent] | None:
        if not isinstance(self.table, str | os.PathLike):
            return self.table
        return extents.read_extents(self.table, self.unit)

    def checked(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The rows, if all of them are segments that measures take, or elements or whole documents. Raises
        ``FormatError`` with the file and the line for the first that is none.
        """
        try:
            (SegmentTable.from_run if self.kind == 'run' else SegmentTable.from_qrels)(rows, elements=True)
        except RowError as error:
            raise self.in_file(error, rows) from None
        return rows

    def in_file(self, error: RowError, rows: Sequence[Any]) -> FormatError:
        """The error about a row of the file, with its line."""
        return formats.in_file(error, self.path, formats.FORMATS[self.true_format], rows)
