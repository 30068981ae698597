"""Readers for datasets: rows of any format, with the segment in ``doc_id``, as ir_datasets has rows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ir_datasets.formats import GenericScoredDoc, TrecQrel

from ir_segmeasures.checks.reading import line_of
from ir_segmeasures.datasets.rows import ElementQrel, InexQrel, StratumQrel
from ir_segmeasures.formats import FORMATS, FormatError, read_qrels, read_run
from ir_segmeasures.ids.documents import with_ids
from ir_segmeasures.segments.columns import RowError

__all__ = ['SegmentQrels', 'SegmentRun']

_QREL_CLASSES = {**dict.fromkeys(('trecvid-strata', 'trecvid-avs', 'vbs-dres'), StratumQrel), 'inex-fol': InexQrel,
                 'inex-xml': ElementQrel}


class SegmentQrels:
    """
    Reads judgements in one of ``FORMATS``: the four fields of TREC, and those that the measures of the campaign need
    beside them. ``cls`` is their class.
    """

    def __init__(self, format: str = 'trec'):
        self.format = format
        self.cls: Any = _QREL_CLASSES.get(format, TrecQrel)

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        return self.rows(read_qrels(path, self.format), path)

    def rows(self, judgements: Sequence[Any], path: str | os.PathLike[str]) -> list[Any]:
        """
        The same for rows that are read already.

        Raises:
            FormatError: an id that is no segment, or a relevant judgement without content
        """
        # Elements may lack their offsets: the measures of elements do without.
        rows = judgements if self.cls is ElementQrel else _with_ids(judgements, self.format, 'qrels', path)
        return [self.cls(*(getattr(row, field) for field in self.cls._fields)) for row in rows]


class SegmentRun:
    """Reads a run in one of ``FORMATS``: the three fields of ir_datasets."""

    cls = GenericScoredDoc

    def __init__(self, format: str = 'trec'):
        self.format = format

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        rows = _with_ids(read_run(path, self.format), self.format, 'run', path)
        return [GenericScoredDoc(row.query_id, row.doc_id, row.score) for row in rows]


def _with_ids(rows: Sequence[Any], format: str, kind: str, path: str | os.PathLike[str]) -> list[Any]:
    try:
        return with_ids(rows, FORMATS[format].unit or 't')
    except RowError as error:
        raise FormatError(error.sentence, path, line_of(path, format, kind, rows, error.row)) from None
