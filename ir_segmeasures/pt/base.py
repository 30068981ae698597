"""The base of all transformers: the frames that they take, the way they read segments, and the frames that they return.

**In.** A frame is checked first, by its columns. A ``docno`` that is a segment id is the segment, whatever columns
``start`` and ``end`` say: operators such as ``+`` and ``|`` leave stale or empty ones. A ``docno`` without a fragment
is a whole document; columns ``start`` and ``end`` beside it are empty, or say so (0 and infinity), or are an error:
columns of these names are for segments alone, and others need a name of their own. (Documents that are cut
to be indexed, without queries, keep theirs as ``document_start`` and ``document_end``.)

**Out.** A frame with the columns of the query (gaps, which ``+`` leaves, filled), query by query in the order in which
the queries came, each in rank order: by score, descending, rows of equal score in the order of the input; in that order
altogether where there is no score. No ``docno`` stands twice in a query (the best ranked stays), since operators join
by it. Ranks are counted anew. The columns ``start`` and ``end``, where they are, and ``document`` beside both, agree
with the ``docno``. The index counts from 0.
"""

import inspect
from collections.abc import Mapping, Sequence
from math import inf
from numbers import Real
from sys import float_info
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_segmeasures.segments.basics import Array, Floats, Ints, format_number, plain_numbers, quoted
from ir_segmeasures.segments.segment import UNITS, Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable

# Columns that hold the content of a segment or stand for it in an index.
CONTENT = ('docid', 'text', 'summary', 'toks', 'doc_vec')
# Columns that are left out where segments change: their content, and the points that lie in them.
STALE = (*CONTENT, 'jump_in')


class SegmentTransformer(pt.Transformer):
    """A transformer that equals another one of its class with the same parameters.

    A subclass keeps each parameter of its ``__init__`` as an attribute of the same name and implements :meth:`apply`.
    Its ``__init__`` calls :meth:`check_parameters` last, which refuses values that are not allowed. The base class adds
    the validation of frames, 0 rows, the columns that come out, a schematic, a ``repr`` that shows the call, and the
    equality by which experiments find out that pipelines begin alike.

    Attributes:
        FRAMES: the frames that it takes, the preferred one first: ``'result'``, ``'query'`` or ``'document'``, and the
            columns beside those that make it one
        LABEL: its name in drawings, at most 20 characters; not given: the name of the class
    """
    FRAMES: tuple[tuple[str, tuple[str, ...]], ...] = (('result', ('score',)),)
    LABEL: str | None = None

    def __init__(self) -> None:
        pass

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame that comes out for a frame with the right columns, also for one of 0 rows. The frame that came in
        stays as it is."""
        raise NotImplementedError(f'{type(self).__name__} does not say what it does')

    def check_parameters(self) -> None:
        """Refuses parameters that are not allowed, with a ValueError. It is called before every use, since parameters
        may be set on the object, as ``pt.GridScan`` does."""

    def check(self, columns: pd.DataFrame | Sequence[str]) -> None:
        """Refuses a frame, or a list of its columns, that the transformer does not take.

        Raises:
            pyterrier.validate.InputValidationError: columns are missing
        """
        with pt.validate.any(columns, context=self) as frame:
            for kind, extra in self.FRAMES:
                getattr(frame, f'{kind}_frame')(list(extra), mode=kind)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        self.check_parameters()
        self.check(inp)
        return self.apply(inp)

    def transform_iter(self, inp: Any) -> Any:
        """The rows that come out, as dicts, of all rows that come in."""
        rows = list(inp)  # an empty frame made of no rows would lack its columns
        return self.transform(pd.DataFrame(rows)).to_dict(orient='records') if rows else []

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        self.check_parameters()
        self.check(input_columns)
        return list(self.apply(pd.DataFrame(columns=input_columns)).columns)

    def schematic(self, *, input_columns: list[str] | None = None) -> dict[str, Any]:
        settings = {name: setting(value) for name, value in self._parameters().items()}
        # Without the key 'help_url', drawing looks for a page on the network.
        return {'label': self.LABEL or type(self).__name__, 'settings': settings, 'help_url': None}

    def _parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in list(inspect.signature(type(self).__init__).parameters)[1:]}

    def __repr__(self) -> str:
        declared = inspect.signature(type(self).__init__).parameters
        written = [f'{name}={setting(value)}' for name, value in self._parameters().items()
                   if not _same(value, declared[name].default)]
        return f'{type(self).__name__}({", ".join(written)})'

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return _same(self._parameters(), other._parameters())

    def __hash__(self) -> int:
        return hash(type(self))  # parameters change while they are tuned


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if hasattr(one, 'equals'):  # frames, for which == is a frame
        return type(one) is type(other) and bool(one.equals(other))
    if _is_plain_mapping(one) and _is_plain_mapping(other):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    return bool(np.all(one == other)) and np.shape(one) == np.shape(other)


def _is_plain_mapping(value: Any) -> bool:
    # Tables that are read as they are asked, such as the elements of a collection, are told apart by themselves.
    return isinstance(value, Mapping) and type(value).__hash__ is None


def setting(value: Any) -> str:
    """A parameter in few words: the value as Python code, or the kind and the size of a large one."""
    if hasattr(value, 'itertuples'):
        return f'<frame of {len(value)} rows>'
    if callable(value) and hasattr(value, '__qualname__'):
        return str(value.__qualname__)
    many = _is_plain_mapping(value) or isinstance(value, (list, tuple, set, frozenset, np.ndarray))
    if many and (len(value) > 9 or len(repr(value)) > 60):
        return f'<{type(value).__name__} of {len(value)}>'
    return repr(value)


def check_number(name: str, value: Any, what: str, above: bool = False) -> None:
    """Checks a parameter that is a finite number of 0 or more, or above 0.

    Raises:
        ValueError: anything else; True is not a number.
    """
    if (not isinstance(value, Real) or isinstance(value, (bool, np.bool_)) or not 0 <= value <= float_info.max  # type: ignore[operator]
            or (above and not value)):
        raise ValueError(f'{name}={quoted(value)}: {what}, a number {"above 0" if above else "of 0 or more"}')


def check_choice(name: str, value: Any, choices: Sequence[Any], what: str) -> None:
    """Raises a ValueError for a parameter that is none of the choices; ``what`` it decides, in words."""
    if value not in choices:
        raise ValueError(f'{name}={quoted(value)}: {what}: {" or ".join(map(repr, choices))}')


def is_missing(value: Any) -> bool:
    """Tells a value of a frame that is missing: None, NaN, NA or NaT."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


class Items(NamedTuple):
    """The rows of a frame, query by query in the order in which these came, each in rank order.

    Attributes:
        frame: the rows, with an index from 0
        table: the same rows in the same order, as columns of numbers
        ids: their ``docno``
    """
    frame: pd.DataFrame
    table: SegmentTable
    ids: list[str]


def read_items(frame: pd.DataFrame) -> Items:
    """The segments of a result frame, or of a document frame (then as if of one query).

    Raises:
        RowError: a ``docno`` that is not a segment or a bare document with its start and end in columns, a score that
            is missing, or a document of a query in two units. Rows are counted as in the frame.
    """
    table = SegmentTable.from_run(as_run(frame))
    ordered = with_queries(frame.iloc[table.row].reset_index(drop=True))
    check_bare(ordered, table)
    return Items(ordered, table, ordered['docno'].tolist())


def with_queries(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without gaps in the columns of the query: the operator ``+`` leaves them in rows that only its right
    side has."""
    if 'qid' in frame.columns:
        for name in pt.model.query_columns(frame, qid=False):
            if frame[name].isna().any():
                frame = frame.assign(**{name: frame.groupby('qid', sort=False)[name].transform('first')})
    return frame


def as_run(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of a frame as a run of ir-measures: query, document and score. Rows without a query are all of one
    query, and rows without a score have the score 0."""
    return pd.DataFrame({
        'query_id': frame['qid'] if 'qid' in frame.columns else pd.Series('', frame.index, str),
        'doc_id': frame['docno'],
        'score': frame['score'] if 'score' in frame.columns else pd.Series(0.0, frame.index),
    })


def check_bare(frame: pd.DataFrame, table: SegmentTable) -> None:
    """Refuses bare documents with times in columns beside them: such rows are not whole documents, and have no unit.

    Raises:
        RowError: the first such row
    """
    rows = np.flatnonzero(table.unit == NO_UNIT)
    for name, whole in ('start', 0), ('end', inf):
        if rows.size and name in frame.columns:
            values = pd.to_numeric(frame[name].iloc[rows], errors='coerce').to_numpy(float)
            part = ~(np.isnan(values) | (values == whole))
            if part.any():
                row = int(rows[np.argmax(part)])
                raise table.error(row, f'the docno has no fragment, but a column {quoted(name)} beside it, '
                                       f'{frame[name].iloc[row]}: write both times into the docno with '
                                       'pt.segments.encode() before this')


def emit(frame: pd.DataFrame, rows: Sequence[int] | np.ndarray[Any, Any], ids: Sequence[str] | pd.Series | None = None,
         score: Sequence[float] | np.ndarray[Any, Any] | None = None, changed: bool = True) -> pd.DataFrame:
    """The frame that a transformer returns, made of rows of the frame that came in. Of rows of a query with one id the
    first stays.

    Args:
        frame: the rows that came in, as :class:`Items` have them
        rows: for each row that comes out, the position of the row that it is made of, query by query, by rank
        ids: the ``docno`` of each row that comes out; not given: those that they had
        score: their scores, which must not rise in a query; not given: the scores that they had
        changed: whether the segments may be others than before, so that columns such as ``text`` are left out
    """
    frame = frame.iloc[np.asarray(rows, np.intp)].reset_index(drop=True)
    frame = frame.drop(columns=[name for name in STALE if changed and name in frame.columns])
    frame = frame.assign(docno=pd.Series(frame['docno'] if ids is None else ids, dtype=str))
    if score is not None:  # a file's own score is not that of new ones
        frame = frame.drop(columns='run_score', errors='ignore').assign(score=np.asarray(score, float))
    keys = ['qid', 'docno'] if 'qid' in frame.columns else ['docno']
    frame = frame.drop_duplicates(keys).reset_index(drop=True)
    if {'start', 'end'} & set(frame.columns):
        frame = with_times(frame)
    if {'qid', 'score'} <= set(frame.columns):
        if not len(frame) and frame['score'].dtype == object:
            frame['score'] = frame['score'].astype(float)
        frame = pt.model.add_ranks(frame)
    return frame


def new_id(table: SegmentTable, row: int, start: float, end: float, unit: int | None = None) -> str:
    """The id of ``[start, end)`` in the document of a row, in canonical form: in the unit of the row, or in ``unit``,
    which a whole document needs. The path stays if the segment is still the same.

    Raises:
        RowError: a segment that has no id, such as one of half characters
    """
    document = table.document_ids[table.document[row]]
    unit = int(table.unit[row]) if unit is None else unit
    same = start == table.start[row] and end == table.end[row]
    path = table.paths[row] if table.paths is not None and same else None
    try:
        return format_segment(Segment(document, start, end, None if unit == NO_UNIT else UNITS[unit], path))
    except ValueError as error:
        raise table.error(row, f'it would become the segment from {format_number(start)} to {format_number(end)}, but '
                               f'{error}') from None


def new_ids(table: SegmentTable, rows: Ints, start: Floats, end: Floats, unit: Array[np.int8]) -> list[str]:
    """The ids that :func:`new_id` makes of several segments: arrays of their rows, times and units.

    Raises:
        RowError: a segment that has no id
    """
    return [new_id(table, *each) for each in zip(
        rows.tolist(), plain_numbers(start), plain_numbers(end), unit.tolist())]


def with_times(frame: pd.DataFrame, names: Sequence[str] = ()) -> pd.DataFrame:
    """The frame with times that agree with its ``docno``: the columns ``names``, and whichever of ``start``, ``end``
    and (beside ``start``) ``length`` it has. They are whole numbers where all are whole; an end that is not known is
    infinity. A column ``document`` beside both times, as ``decode`` makes it, agrees with the ``docno`` as well.
    """
    segments = [parse_segment(str(id)) for id in frame['docno']]
    start = np.array([segment.start for segment in segments], float)
    end = np.array([segment.end for segment in segments], float)
    columns = {'start': start, 'end': end}
    if 'start' in frame.columns:
        columns['length'] = np.round(end - start, 9)
    if {'document', 'start', 'end'} <= set(frame.columns):
        frame = frame.assign(document=pd.Series([segment.document for segment in segments], frame.index, str))
    return frame.assign(**{
        name: column.astype(np.int64) if len(column) and np.isfinite(column).all() and (column % 1 == 0).all()
        else column for name, column in columns.items() if name in names or name in frame.columns})
