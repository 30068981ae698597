"""Transformers that give each segment another start or end.

:mod:`ir_segmeasures.pt.base` says what all transformers take and give. These take results without scores, too (as ``|``
leaves them). Where two items of a query become the same segment, the better ranked one stays. Columns that hold the
content of the former segment (:data:`~ir_segmeasures.pt.base.STALE`: ``text``, ``docid`` …) are left out.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.ids.resolving import document_extents
from ir_segmeasures.pt.base import SegmentTransformer, check_number, emit, new_ids, read_items, setting
from ir_segmeasures.segments.basics import Floats, quoted, truncated
from ir_segmeasures.segments.segment import Segment
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable

__all__ = ['expand', 'snap', 'entry_points']


class _Bounds(SegmentTransformer):
    FRAMES = (('result', ()),)

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        start, end = self.move(items.table)
        rows = np.arange(len(start))
        return emit(items.frame, rows, new_ids(items.table, rows, start, end, items.table.unit))

    def move(self, table: SegmentTable) -> tuple[Floats, Floats]:
        """The new start and end of each row. Whole documents keep theirs."""
        raise NotImplementedError


class expand(_Bounds):
    """Makes segments longer, by ``before`` at the start and ``after`` at the end, in the unit of the medium.

    Args:
        before, after: the lengths that are added, 0 or more
        durations: document → its length; or what :class:`~ir_segmeasures.pt.resolve` takes as ``table``: a mapping to
            extents, a file with lines ``document length``, a dataset whose documents have a length. Not given: a
            segment may end after its document, since nobody knows the end of that, and measures count what lies there
            as content that is not relevant.

    A start does not go below 0. With ``durations``, nothing is added after a document's end; a segment that itself ends
    later stays as it is. Open ends and whole documents stay so. Entry points become segments.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1#t=60,90', 'v1#t=3590,3600']])
        >>> pt.segments.expand(before=10, after=30)(results)['docno'].tolist()
        ['v1#t=50,120', 'v1#t=3580,3630']
        >>> pt.segments.expand(after=30, durations={'v1': 3600})(results)['docno'].tolist()
        ['v1#t=60,120', 'v1#t=3590,3600']
    """

    def __init__(self, before: float = 0, after: float = 0, durations: Any = None):
        self.before, self.after, self.durations = before, after, durations
        self.check_parameters()

    def check_parameters(self) -> None:
        check_number('before', self.before, 'what is added at the start of each segment')
        check_number('after', self.after, 'what is added at the end of each segment')
        if self.durations is not None and not (isinstance(self.durations, Mapping | str | os.PathLike)
                                               or is_dataset(self.durations)):
            raise ValueError(f'durations={truncated(setting(self.durations))}: give a mapping from documents to their '
                             'lengths, a file, or a dataset')

    def move(self, table: SegmentTable) -> tuple[Floats, Floats]:
        start, end = np.maximum(table.start - self.before, 0), table.end + self.after
        if self.durations is not None:
            durations = extents_of(self, self.durations, None)
            _, rows, place = np.unique(table.document, return_index=True, return_inverse=True)
            length = np.array([self._length(table, row, durations) for row in rows.tolist()], float)
            end = np.maximum(table.end, np.minimum(end, length[place]))
        return start, end

    def _length(self, table: SegmentTable, row: int, durations: Mapping[str, Any]) -> float:
        document = table.document_ids[table.document[row]]
        if document not in durations:
            raise table.error(row, 'there is no duration for this document: add it to durations=')
        length = durations[document]
        if isinstance(length, tuple):  # an extent, which a Segment is too
            length = length.end if isinstance(length, Segment) else length[-1]
        check_number(f'durations[{quoted(document)}]', length, 'the length of a document')
        return float(length)


class snap(_Bounds):
    """Moves starts and ends to boundaries of the medium, such as those of shots, sentences or paragraphs: a start goes
    down to the last boundary at or before it, an end up to the first boundary at or after it.

    Args:
        boundaries: a mapping, or a function, from the id of a document to positions in its unit, in any order; or to
            spans ``(start, end)``, such as shots, whose starts and ends are the positions

    A start before the first boundary goes to 0, where every document begins. An end after the last boundary stays,
    since the document's end is not known: give the ends of documents too. Open ends and whole documents stay so. An
    entry point becomes the stretch that it lies in, but stays an entry point where it is on a boundary.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1#t=5,8', 'v1#t=9,40']])
        >>> pt.segments.snap({'v1': [0, 4.2, 9.8, 31]})(results)['docno'].tolist()
        ['v1#t=4.2,9.8', 'v1#t=4.2,40']
    """

    def __init__(self, boundaries: Mapping[str, Iterable[Any]] | Callable[[str], Iterable[Any]]):
        self.boundaries = boundaries
        self.check_parameters()

    def check_parameters(self) -> None:
        if not callable(self.boundaries) and not isinstance(self.boundaries, Mapping):
            raise ValueError(f'boundaries are a {type(self.boundaries).__name__}: give a mapping, or a function, from '
                             'the id of a document to positions in it')

    def move(self, table: SegmentTable) -> tuple[Floats, Floats]:
        start, end = np.round(table.start, 6), np.round(table.end, 6)  # as ids have them
        parts = np.flatnonzero(table.unit != NO_UNIT)
        parts = parts[np.argsort(table.document[parts], kind='stable')]
        for rows in np.split(parts, np.flatnonzero(np.diff(table.document[parts])) + 1)[:len(parts)]:
            positions = self._positions(table, int(rows[0]))
            start[rows] = np.append(0, positions)[np.searchsorted(positions, start[rows], 'right')]
            after = np.searchsorted(positions, end[rows])
            end[rows] = np.where(after < len(positions), np.append(positions, 0)[after], end[rows])
        return start, end

    def _positions(self, table: SegmentTable, row: int) -> Floats:
        document = table.document_ids[table.document[row]]
        given = (self.boundaries.get if isinstance(self.boundaries, Mapping) else self.boundaries)(document)
        positions = _numbers(given)
        if positions is None:
            raise table.error(row, f'the boundaries of this document are {setting(given)}: give a list of positions, '
                                   'numbers of 0 or more, or of spans (start, end); an empty list if it has none')
        return np.sort(positions).round(6)


def _numbers(positions: Any) -> Floats | None:
    """Positions, or the starts and ends of spans; None for anything else."""
    try:
        numbers = np.array(list(positions), np.float64)
    except (TypeError, ValueError):
        return None
    is_right = numbers.ndim == 1 or (numbers.shape[1:] == (2,) and (numbers[:, 0] <= numbers[:, 1]).all())
    return numbers.ravel() if is_right and ((numbers >= 0) & (numbers < inf)).all() else None


class entry_points(_Bounds):
    """Makes each segment the entry point at its start, which has no length.

    A whole document has no unit for its start, and is an error that says so.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2]], docno=[['v1#t=12,60']])
        >>> pt.segments.entry_points()(results)['docno'].tolist()
        ['v1#t=12,12']
    """

    def move(self, table: SegmentTable) -> tuple[Floats, Floats]:
        whole = table.unit == NO_UNIT
        if whole.any():
            raise table.error(int(np.argmax(whole)), 'a whole document has no unit, and so no id for its start: '
                                                     'resolve the ids with a table of the lengths')
        return table.start, table.start


def is_dataset(source: Any) -> bool:
    """Tells a dataset of ir_datasets or of PyTerrier."""
    return hasattr(source, 'docs_iter') or hasattr(source, 'irds_ref')


def extents_of(transformer: pt.Transformer, source: Any, unit: str | None) -> Any:
    """The table that a parameter of a transformer stands for. A file or a dataset is read once.

    Args:
        transformer: keeps what was read
        source: a mapping, which is the table; a path, which :func:`~ir_segmeasures.formats.extents.read_extents` takes;
            or a dataset. Anything else is given back, for the errors of whoever needs a table.
        unit: of numbers in a file
    """
    if isinstance(source, Mapping) or not (is_dataset(source) or isinstance(source, str | os.PathLike)):
        return source
    kept = transformer.__dict__.get('_extents')
    if kept is None or kept[0] is not source or kept[1] != unit:
        read = document_extents(source) if is_dataset(source) else read_extents(source, unit)
        kept = transformer.__dict__['_extents'] = source, unit, read
    return kept[2]
