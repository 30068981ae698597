"""Readers for datasets: rows of any format, with the segment in ``doc_id``, as ir_datasets has rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from ir_datasets.formats import GenericScoredDoc, TrecQrel

from ir_segmeasures.formats import format_of, in_file, read_run
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError

__all__ = ['SegmentQrels', 'SegmentRun']

_FEW = 8  # rows that are looked at one by one


class SegmentQrels:
    """Reads judgements in one of ``FORMATS``: the four fields of TREC, and those that the measures of the campaign need
    beside them. ``cls`` is their class."""

    def __init__(self, format: str = 'trec'):
        self.format = format_of(format)
        self.cls: Any = self.format.dataset_row or TrecQrel

    def __reduce__(self) -> Any:  # a format has functions that cannot be pickled
        return type(self), (self.format.name,)

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        return self.rows(self.format.qrels.read(path), path)

    def walk(self, path: str | os.PathLike[str], read_all: Any = None) -> Iterator[Any]:
        """The rows one by one, read as they are wanted. A mistake in the file is raised where it stands.

        Args:
            path: of the file
            read_all: the reader of the format, where it has settings
        """
        yield from self._rows((read_all or self.format.qrels.read)(path), path)

    def rows(self, judgements: Sequence[Any], path: str | os.PathLike[str]) -> list[Any]:
        """Judgements of a file, as rows of the dataset.

        Args:
            judgements: as a reader of formats gives them
            path: of the file, for errors

        Raises:
            FormatError: an id that is no segment, or a relevant judgement without content
        """
        return list(self._rows(judgements, path))

    def _rows(self, judgements: Sequence[Any], path: str | os.PathLike[str], before: int = 0) -> Iterator[Any]:
        # Columns take less time than rows.
        rows: Any = judgements.columns if isinstance(judgements, Rows) else judgements
        if not self.format.elements:  # whose measures do without offsets
            few = _few_with_ids(list(judgements), self.format) if 0 < len(judgements) <= _FEW else None
            rows = few or _with_ids(rows, 'qrels', self.format, path, before)
        fields = self.cls._fields
        if isinstance(rows, dict):
            columns = (rows[field].tolist() if hasattr(rows[field], 'tolist') else rows[field] for field in fields)
            return map(self.cls._make, zip(*columns))
        return map(self.cls._make, map(attrgetter(*fields), rows))


class SegmentRun:
    """Reads a run in one of ``FORMATS``: the three fields of ir_datasets."""

    cls = GenericScoredDoc

    def __init__(self, format: str = 'trec'):
        self.format = format_of(format)

    def __reduce__(self) -> Any:
        return type(self), (self.format.name,)

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        rows = _with_ids(read_run(path, self.format.name), 'run', self.format, path)
        return [GenericScoredDoc(row.query_id, row.doc_id, row.score) for row in rows]


def _with_ids(rows: Sequence[Any], kind: str, format: Format, path: str | os.PathLike[str], before: int = 0) -> Any:
    try:
        return with_ids(rows, format.unit or 't', kind=kind)
    except RowError as error:
        if before or isinstance(rows, dict):  # the rows of the whole file are looked at
            rows, error = format.qrels.read(path), RowError(kind, before + error.row, error.sentence)
        raise in_file(error, path, format, rows) from None


def _few_with_ids(rows: list[Any], format: Format) -> list[Any] | None:
    """Rows with their segment ids, or None where more has to be looked at. A table takes longer than a few rows."""
    unit = format.unit or 't'
    try:
        if hasattr(rows[0], 'end'):
            return [row._replace(doc_id=format_segment(Segment(row.doc_id, row.start, row.end, unit))) for row in rows]
        segments = [parse_segment(row.doc_id) for row in rows]
    except (TypeError, ValueError):  # the table has the sentence
        return None
    return None if any(segment.start == segment.end for segment in segments) else rows
