"""Readers for datasets: rows of any format, with the segment in ``doc_id``, as ir_datasets has rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from ir_datasets.formats import GenericScoredDoc, TrecQrel

from ir_segmeasures.formats import Format, format_of, read_qrels, read_run
from ir_segmeasures.formats.files.format import in_file
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.segments.tables.columns import RowError


class SegmentQrels:
    """Reads judgements in one of ``FORMATS``: the four fields of TREC, and those that the measures of the campaign need
    beside them. ``cls`` is their class, and ``read`` another reader of files than that of the format."""

    def __init__(self, format: str = 'trec', read: Callable[[Any], Sequence[Any]] | None = None):
        self.format, self._read = format_of(format), read
        self.cls: Any = self.format.dataset_row or TrecQrel

    def __reduce__(self) -> Any:  # a format has functions that cannot be pickled
        return type(self), (self.format.name, self._read)

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        return self.rows(self._read(path) if self._read else read_qrels(path, self.format.name), path)

    def rows(self, judgements: Sequence[Any], path: str | os.PathLike[str]) -> list[Any]:
        """Judgements of a file, as rows of the dataset. Raises a FormatError for an id that is not a segment, or a
        relevant judgement without content."""
        rows = judgements
        if not self.format.elements:  # whose measures do without offsets
            rows = _with_ids(rows, 'qrels', self.format, path)
        return list(map(self.cls._make, map(attrgetter(*self.cls._fields), rows)))


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


def _with_ids(rows: Sequence[Any], kind: str, format: Format, path: str | os.PathLike[str]) -> Any:
    try:
        return with_ids(rows, format.unit or 't', kind=kind)
    except RowError as error:
        raise in_file(error, path, format, rows) from None
