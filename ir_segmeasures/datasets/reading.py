"""Readers for datasets: rows of any format, with the segment in ``doc_id``, as ir_datasets has rows."""

import os
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from ir_datasets.formats import GenericScoredDoc, TrecQrel

from ir_segmeasures.formats import format_of, read_qrels, read_run
from ir_segmeasures.formats.files.format import in_file
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.segments.tables.columns import RowError


class SegmentQrels:
    """Reads judgements in one of ``FORMATS``: the four fields of TREC, and those that the measures of the campaign need
    beside them. ``cls`` is their class, and ``read`` another reader of files than that of the format."""

    kind, row_type = 'qrels', TrecQrel

    def __init__(self, format: str = 'trec', read: Callable[[Any], Sequence[Any]] | None = None):
        self.format, self._read = format_of(format), read
        self.cls: Any = (self.kind == 'qrels' and self.format.dataset_row) or self.row_type

    def __reduce__(self) -> Any:  # a format has functions that cannot be pickled
        return type(self), (self.format.name, self._read)

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        read = read_qrels if self.kind == 'qrels' else read_run
        return self.rows(self._read(path) if self._read else read(path, self.format.name), path)

    def rows(self, found: Sequence[Any], path: str | os.PathLike[str]) -> list[Any]:
        """The rows of a file, as rows of the dataset. Raises a FormatError for an id that is not a segment, or a
        relevant judgement without content."""
        try:  # measures of elements do without offsets
            rows = found if self.format.elements else with_ids(found, self.format.unit or 't', kind=self.kind)
        except RowError as error:
            raise in_file(error, path, self.format, found) from None
        return list(map(self.cls._make, map(attrgetter(*self.cls._fields), rows)))


class SegmentRun(SegmentQrels):
    """Reads a run in one of ``FORMATS``: the three fields of ir_datasets."""

    kind, row_type = 'run', GenericScoredDoc
