"""Functions that read the campaigns' files as frames, and write frames as files: runs, judgements and topics in any of
``formats.FORMATS``.

A frame has the segment in its ``docno``, and beside it all other columns of the file: jump-in points (``jump_in``), the
scores (``run_score``) and the name (``run``) that stand in the file, documents without a passage (``no_passage``); in
judgements the size of the document (``doc_size``), its best entry point (``bep``), ``stratum``, ``aspects``,
``duration`` … under the names of the format's rows. A value that is missing in a row is None or NaN; a column that is
missing in all rows is left out, and so is ``run_score`` where it is the score. Times have at most the 6 decimals of a
segment id.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_segmeasures import formats
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.formats.files.writing import WriteError
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.pt import base
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['read_run', 'read_qrels', 'read_topics', 'write_run', 'write_qrels', 'rows_of']

# Fields that hold text, and their values where it is missing.
_TEXTS = {'iteration': '0', 'run': None, 'aspects': ''}
# Columns of a frame that are not fields of rows: they follow from the ids, or are counted anew.
_NO_FIELDS = ('qid', 'docno', 'score', 'label', 'start', 'end', 'length', 'rank', 'query')


class _FrameError(WriteError):
    """A row of a frame that a format cannot hold. Rows of frames are counted from 0."""

    def __str__(self) -> str:
        return f'row {self.row}: {self.sentence}'


def read_run(path: StrPath | Sequence[Any], format: str = 'trec', **options: Any) -> pd.DataFrame:
    """Reads a run as a frame with ``qid``, ``docno``, ``score`` and ``rank``, in the order of the format's reader. A
    pipeline takes it up with ``pt.Transformer.from_df(run)``.

    ``score`` reproduces the official order, ``rank`` counts it from 0, as everywhere in PyTerrier. Items that a file
    repeats are repeated: operators such as ``+`` and ``|`` take each id once, but the transformers here leave the best.

    Args:
        path: the path of a file, ``.gz`` by suffix; or rows, where the format's reader was called with options of its
            own, as in ``read_run(formats.inex_xml.read_run(path, collections=True), 'inex-xml')``
        format: one of ``formats.FORMATS``
        options: of a file, those of :func:`ir_segmeasures.formats.read_run`: ``ids`` or ``table`` for ids that are
            not segments yet, ``task``, ``durations`` …

    Raises:
        FormatError: the file breaks a rule of the format
        ValueError: there is no such format, or it has judgements only; an id in the file that no segment can have
        TypeError: options for rows
        OSError: the file cannot be opened

    Examples:
        >>> import pyterrier as pt
        >>> from ir_segmeasures import sample
        >>> pt.segments.read_run(sample.path('good.run')).head(2)[['qid', 'docno', 'rank']]
          qid                 docno  rank
        0  q1  bees-01#t=77.1,101.7     0
        1  q1   bees-01#t=50.6,76.4     1
    """
    frame = _frame(path, format, formats.read_run, 'score', options)
    frame = frame.assign(score=frame['score'].astype(float))
    if 'run_score' in frame.columns and (frame['run_score'] == frame['score']).all():
        frame = frame.drop(columns='run_score')  # it says nothing, and would not be that of new scores
    return _in_order(pt.model.add_ranks(frame), 'qid', 'docno', 'score', 'rank')


def read_qrels(path: StrPath | Sequence[Any], format: str = 'trec', **options: Any) -> pd.DataFrame:
    """Reads judgements as a frame with ``qid``, ``docno`` and ``label``, in the order of the format's reader. The
    arguments and the errors are those of :func:`read_run`.

    Examples:
        >>> import pyterrier as pt
        >>> from ir_segmeasures import sample
        >>> pt.segments.read_qrels(sample.path('qrels.txt')).head(2)[['qid', 'docno', 'label']]
          qid                docno  label
        0  q1     bees-01#t=0,22.7      0
        1  q1  bees-01#t=31.2,67.9      2
    """
    return _in_order(_frame(path, format, formats.read_qrels, 'label', options), 'qid', 'docno', 'label')


def read_topics(path: StrPath, format: str = 'tsv') -> pd.DataFrame:
    """Reads topics as a frame with ``qid`` and ``query``. The query of an anchor is the id of its segment.

    Args:
        path: the path of a file, ``.gz`` by suffix, or of a folder of topics of INEX
        format: one of ``ir_segmeasures.datasets.QUERIES_FORMATS``: ``'tsv'`` (id, tab, text, or .csv),
            ``'sh-queries'``, ``'sh-anchors'``, ``'inex-topics'``, ``'trecvid-topics'``, ``'avs-topics'``,
            ``'podcasts-topics'``, ``'vbs-tasks'``, ``'beir'``; PyTerrier has those of TREC (``pt.io.read_topics``)

    Raises:
        FormatError: the file breaks a rule of the format
        ValueError: there is no such format
        OSError: the file cannot be opened

    Examples:
        >>> import pyterrier as pt
        >>> from ir_segmeasures import sample
        >>> pt.segments.read_topics(sample.path('queries.tsv')).head(2)
          qid                            query
        0  q1   how to stop bees from swarming
        1  q2  getting a hive ready for winter
    """
    from ir_segmeasures.datasets import QUERIES_FORMATS  # the others have no need of ir_datasets
    if format not in QUERIES_FORMATS:
        raise ValueError(f'unknown format {quoted(format)} of topics (there are: {", ".join(QUERIES_FORMATS)})')
    rows = QUERIES_FORMATS[format].read(path)
    return pd.DataFrame({'qid': [row.query_id for row in rows], 'query': [query_of(row) for row in rows]}, dtype=object)


def write_run(frame: Any, path: StrPath, format: str = 'trec', run: str | None = None) -> list[str]:
    """Writes the results of a pipeline as a run. The file appears as a whole or not at all.

    Items are written in the order of ``score``, ties in the order of the rows. Where the official order is not by
    score, the column ``run_score`` is written as score if it is there: take it out of a frame that was scored anew. The
    transformers here do so, and leave out ``jump_in`` where segments may have changed; the format's default then stands
    in the file.

    Args:
        frame: a frame with ``qid``, ``docno`` and ``score`` (the names of ir-measures will do), or its rows as dicts or
            named tuples
        path: the path of the file, which is packed if it ends in ``.gz``
        format: ``'trec'``, ``'sh-search'``, ``'sh-linking'``, ``'genomics'``, ``'moments'``, ``'tvr'`` (its
            task VCMR), ``'ego4d-nlq'``, ``'activitynet'``, ``'inex-fol'``, ``'inex-xml'`` (which keeps the paths of
            elements, not their offsets), ``'trecvid-avs'``, ``'trecvid-2001'`` or ``'podcasts'``
        run: the name of the run, for all rows; the column ``run`` if it is not given

    Returns:
        the parts of the frame that the file cannot hold, in words; columns by their names

    Raises:
        WriteError: a row that the format cannot hold, counted from 0 in the order of the frame
        RowError: an id that is not a segment; a score that is not a number; a bare document with times beside it
        ValueError: no such format, or one without runs; missing columns
        OSError: the file cannot be written

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1#t=0,60', 'v1#t=30,90']])
        >>> pt.segments.write_run(results, 'my.run', run='me_bm25')
        []
        >>> print(open('my.run').read(), end='')
        1 Q0 v1#t=0,60 1 2 me_bm25
        1 Q0 v1#t=30,90 2 1 me_bm25
    """
    return _write(formats.write_run, frame, 'score', path, format, run)


def write_qrels(frame: Any, path: StrPath, format: str = 'trec') -> list[str]:
    """Writes judgements: a frame with ``qid``, ``docno`` and ``label``, and the columns that the format needs beside
    these. The arguments, the returned list and the errors are those of :func:`write_run`.

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> qrels = pd.DataFrame([('1', 'v1#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        >>> pt.segments.write_qrels(qrels, 'my.qrels')
        []
        >>> print(open('my.qrels').read(), end='')
        1 0 v1#t=0,60 1
    """
    return _write(formats.write_qrels, frame, 'relevance', path, format)


def rows_of(frame: Any, run: str | None = None) -> list[Any]:
    """The rows of a frame as named tuples, which the writers of the formats take. Some of these have more options than
    :func:`write_run`, as in ``formats.trecvid.write_avs_run(rows_of(frame), path, attributes={'pid': …})``.

    Args:
        frame: a run, or judgements, as for :func:`write_run`
        run: the name of the run

    Returns:
        named tuples with ``query_id``, ``doc_id``, ``score`` (or, for judgements, ``relevance`` and ``iteration``), and
        every other column whose name can be a field

    Raises:
        ValueError: as for :func:`write_run`

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2]], docno=[['v1#t=0,60']])
        >>> pt.segments.rows_of(results, run='me_bm25')
        [Row(query_id='1', doc_id='v1#t=0,60', score=2, run='me_bm25')]
    """
    frame = _given(frame, 'score')
    return _rows(frame, 'relevance' if 'label' in frame.columns and 'score' not in frame.columns else 'score', run)


def _write(write: Callable[[Sequence[Any], StrPath, str], list[str]], frame: pd.DataFrame, value: str, path: StrPath,
           format: str, run: str | None = None) -> list[str]:
    frame = _given(frame, value)
    rows = _rows(frame, value, run)
    try:
        lost = write(rows, path, format)
    except WriteError as error:
        raise _FrameError(error.sentence, error.row) from None
    known = {*_passed_over(frame), *(rows[0]._fields if rows else ())}
    return [*lost, *(str(name) for name in frame.columns if name not in known)]


def _passed_over(frame: pd.DataFrame) -> set[str]:
    """The columns that are not fields of rows, and of which nothing is said."""
    return {*_NO_FIELDS, *base.CONTENT, 'document', *pt.model.query_columns(frame)}


def _rows(frame: pd.DataFrame, value: str, run: str | None = None) -> list[Any]:
    """The rows of a frame, as :func:`rows_of` gives them: of a run (``value`` is ``score``) or of judgements
    (``relevance``)."""
    if run is not None and not isinstance(run, str):
        raise ValueError(f'run={quoted(run)}: the name of a run is text, such as {quoted(f"run{run}")}')
    needed = ('qid', 'docno', pt.model.from_ir_measures(value))
    if not set(needed) <= set(frame.columns):
        raise ValueError(f'the frame has the columns {", ".join(map(str, frame.columns))}: '
                         f'{"a run has" if value == "score" else "judgements have"} {", ".join(needed)}')
    read = SegmentTable.from_run if value == 'score' else SegmentTable.from_qrels
    table = read(pt.model.to_ir_measures(frame), elements=True)  # for its errors
    base.check_bare(frame.iloc[table.row], table)
    passed_over = _passed_over(frame)
    rows = frame[[*needed, *(name for name in frame.columns if name not in passed_over)]].astype(object)
    rows = rows.where(rows.notna(), None).assign(qid=list(map(str, frame['qid'])), docno=list(map(str, frame['docno'])))
    for name, missing in _TEXTS.items():
        if name in rows.columns:
            texts = [missing if item is None else str(_whole(item)) for item in rows[name]]
            rows[name] = pd.Series(texts, rows.index, object)
    if value == 'relevance':
        rows['label'] = list(map(_whole, pd.to_numeric(frame['label']).tolist()))
    if run is not None:
        rows['run'] = run
    return list(formats._as_rows(rows, 'run' if value == 'score' else 'qrels', 't'))


def _frame(path: Any, format: str, read: Callable[..., Sequence[Any]], value: str,
           options: dict[str, Any]) -> pd.DataFrame:
    """The rows of a file, or of its reader, with their segments as ids."""
    unit = formats.format_of(format).unit or 't'
    if options and not isinstance(path, str | os.PathLike):
        raise TypeError(f'{", ".join(options)} goes with the path of a file, but rows were given: give the path')
    rows = read(path, format, **options) if isinstance(path, str | os.PathLike) else path
    if not len(rows):
        return pd.DataFrame({'qid': [], 'docno': [], value: []}, dtype=object).astype({value: float})
    # Some readers have the columns at hand.
    frame = pd.DataFrame(rows.columns if isinstance(rows, Rows) else rows, columns=rows[0]._fields)
    if 'start' in frame.columns:
        frame = with_ids(frame, unit, kind='run' if value == 'score' else 'qrels')
    frame = pt.model.from_ir_measures(frame)
    return frame.drop(columns=[name for name in frame.columns if frame[name].isna().all()])


def _in_order(frame: pd.DataFrame, *first: str) -> pd.DataFrame:
    return frame[[*first, *(name for name in frame.columns if name not in first)]]


def query_of(row: Any) -> str:
    """The text of a topic, or the id of the segment that an anchor is."""
    if hasattr(row, 'end'):
        return format_segment(Segment(row.doc_id, row.start, row.end, 't'))
    return str(row.text if hasattr(row, 'text') else row.default_text())


def _given(frame: Any, value: str) -> pd.DataFrame:
    if not isinstance(frame, pd.DataFrame):
        rows = list(frame)
        frame = pd.DataFrame(rows, columns=getattr(rows[0], '_fields', None) if rows else ['qid', 'docno', value])
    return pt.model.from_ir_measures(frame)


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value
