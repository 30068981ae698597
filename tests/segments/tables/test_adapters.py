"""Runs and qrels in the shapes of other libraries give the tables that frames of pandas give, and come back in their
shapes: resolved, aligned, as documents, in part."""

import ast
import copy
import dataclasses
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pytest
from row_shapes import SHAPES, Reply, arrow, records

from ir_segmeasures import MAiSP, SegmentTable, align, break_ties, resolve, to_documents, with_ids, within_lengths
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.study import without_overlap

COLUMNS = ('query_ids', 'query', 'document_ids', 'document', 'start', 'end', 'value', 'unit')
RUN = pd.DataFrame({'query_id': ['q2', 'q1', 'q2', 'q1'], 'doc_id': ['b', 'a', 'b', 'c'], 'score': [1., 2., 3., 4.],
                    'start': [0.1, 1., 2., 3.], 'end': [12.1, 5., 6., 7.], 'rank': [2, 2, 1, 1], 'note': list('xyzw')})
QRELS = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['a', 'b'], 'relevance': [1, 1], 'start': [2., 0.],
                      'end': [4.25, 5.]})
RUN_IDS, QRELS_IDS = with_ids(RUN), with_ids(QRELS)
SHOTS = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['s1', 's2'], 'score': [2., 1.]})
TABLE = {'s1': ('a-long-name.mp4', 0.5, 12.1), 's2': ('b', 2, 5)}

# Functions that give rows back, and the rows that they are given.
CHANGES: dict[str, tuple[Callable[[Any], Any], pd.DataFrame]] = {
    'resolve': (lambda rows: resolve(rows, TABLE), SHOTS),
    'with_ids': (with_ids, RUN[['query_id', 'doc_id', 'score', 'start', 'end']]),
    'align': (lambda rows: align(rows, QRELS_IDS), RUN_IDS),
    'to_documents': (lambda rows: to_documents(rows, 'mean'), RUN_IDS),
    'to_documents, qrels': (to_documents, QRELS_IDS),
    'within_lengths': (lambda rows: within_lengths(rows, 0, 4), QRELS_IDS),
    'without_overlap': (without_overlap, RUN_IDS),
    'break_ties': (break_ties, RUN_IDS.assign(score=1.)),
}
# What comes back of the shapes that do not stay: iterators are read, and what only gives Arrow is a table of it.
BACK = {'rows that make dicts': 'dicts', 'pyarrow, batch': 'pyarrow', 'pyarrow, reader': 'pyarrow'}
some_shapes = pytest.mark.parametrize('shape', SHAPES)


def test_iterators_of_rows_of_readers() -> None:
    rows = FileRows(ir_measures.Qrel, [list('abc'), ['v', 'w', 'x'], [1, 0, 2], ['0'] * 3])
    part = iter(rows)
    one, other = itertools.tee(part)  # as ir-measures looks at the first row
    assert next(other) == rows[0]
    assert adapter_of(one).source['doc_id'] is rows.columns['doc_id']
    assert (list(copy.copy(other)), list(other), list(other)) == (rows[1:], rows[1:], [])
    next(one)
    assert adapter_of(one).source['doc_id'] == ['w', 'x']


@dataclasses.dataclass(frozen=True)
class Hit:
    query_id: str
    doc_id: str
    score: float
    start: float = 0
    end: float = 0


class Row(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def plain(rows: Any) -> list[dict[str, Any]]:
    """The rows of any of the shapes as dicts."""
    if isinstance(rows, list):
        return rows
    if isinstance(rows, np.ndarray):
        return [dict(zip(rows.dtype.names or (), row.tolist())) for row in rows]
    for name in ('to_pylist', 'to_dicts'):
        if hasattr(rows, name):
            return list(getattr(rows, name)())
    if isinstance(rows, pd.DataFrame):
        return records(rows)
    columns = rows if isinstance(rows, dict) else rows.to_dict()
    lists = [next((getattr(column, name)() for name in ('tolist', 'to_list', 'to_pylist') if hasattr(column, name)),
                  column) for column in columns.values()]
    return [dict(zip(columns, row)) for row in zip(*lists)]


def same(table: SegmentTable, expected: SegmentTable) -> bool:
    return all(np.array_equal(getattr(table, name), getattr(expected, name)) for name in COLUMNS)


class TestShapes:
    @some_shapes
    def test_they_are_the_frame(self, shape: str) -> None:
        for frame in (RUN, RUN_IDS):
            assert same(SegmentTable.from_run(SHAPES[shape](frame)), SegmentTable.from_run(frame))
        assert same(SegmentTable.from_qrels(SHAPES[shape](QRELS)), SegmentTable.from_qrels(QRELS))
        expected = ir_measures.calc_aggregate([MAiSP], QRELS, RUN)
        assert expected[MAiSP] > 0
        assert ir_measures.calc_aggregate([MAiSP], SHAPES[shape](QRELS), SHAPES[shape](RUN)) == expected

    @pytest.mark.parametrize('shape', ['dicts', 'dict of columns', 'dict of arrays', 'dict of arrays of Arrow',
                                       'records', 'pyarrow', 'pyarrow, coded', 'pyarrow, reader'])
    def test_no_rows(self, shape: str) -> None:
        table = SegmentTable.from_run(SHAPES[shape](RUN[:0]))
        assert (len(table), table.query_ids) == (0, [])

    @some_shapes
    @pytest.mark.parametrize('change', CHANGES)
    def test_they_come_back(self, shape: str, change: str) -> None:
        function, frame = CHANGES[change]
        rows = SHAPES[shape](frame)
        result = function(rows)
        assert plain(result) == records(function(frame))
        assert type(result) is type(SHAPES[BACK.get(shape, shape)](frame))
        if shape in ('dicts', 'dict of columns', 'array of records'):
            assert plain(rows) == plain(SHAPES[shape](frame))

    def test_dataclasses_keep_their_fields(self) -> None:
        rows = [Hit('q1', 'a', 2, 0.5, 12.1)]
        assert SegmentTable.from_run(rows).end.tolist() == [12.1]
        assert with_ids(rows) == [Hit('q1', 'a#t=0.5,12.1', 2, 0.5, 12.1)]
        assert to_documents(rows) == [Hit('q1', 'a', 2, 0, float('inf'))]
        assert resolve(iter([Hit('q', 's1', 1)]), TABLE) == [Hit('q', 'a-long-name.mp4#t=0.5,12.1', 1)]

    def test_ranx(self) -> None:
        ranx = pytest.importorskip('ranx')
        run = ranx.Run({'q1': {'s1': 2.}, 'q2': {'s2': 1.}}, name='bm25')
        resolved = resolve(run, TABLE)
        assert isinstance(resolved, ranx.Run)
        assert resolved.name == 'bm25'
        assert same(SegmentTable.from_run(resolved), SegmentTable.from_run(resolved.to_dict()))
        assert resolved.to_dict() == {'q1': {'a-long-name.mp4#t=0.5,12.1': 2.}, 'q2': {'b#t=2,5': 1.}}
        band = within_lengths(ranx.Qrels({'q1': {'a#t=1,3': 1, 'a#t=5,40': 2}, 'q2': {'b#t=0,30': 1}}), 0, 10)
        assert isinstance(band, ranx.Qrels)
        assert band.to_dict() == {'q1': {'a#t=1,3': 1}}

    @pytest.mark.parametrize('size', [1, 2, 3])
    def test_blocks_of_arrow(self, size: int) -> None:
        blocks = arrow(RUN).to_batches(max_chunksize=size)
        assert same(SegmentTable.from_run(blocks), SegmentTable.from_run(RUN))
        assert same(SegmentTable.from_run(iter(blocks)), SegmentTable.from_run(RUN))

    def test_columns_of_polars(self) -> None:
        rows = resolve(iter(SHAPES['polars'](SHOTS)), TABLE)  # a frame that is walked gives its columns
        assert rows.to_dicts() == records(resolve(SHOTS, TABLE))

    def test_ids_that_become_one(self) -> None:
        with pytest.raises(ValueError, match="query 'q' has two ids that are the same segment, and a dict holds each"):
            resolve({'q': {'s1': 1, 's3': 2}}, {**TABLE, 's3': TABLE['s1']})


class TestRefused:
    """The error about what cannot be taken names the conversion that would do, or the row."""
    CALLS: tuple[Callable[[Any], Any], ...] = (
        SegmentTable.from_run, lambda rows: resolve(rows, TABLE), with_ids, to_documents,
        lambda rows: align(rows, QRELS_IDS), without_overlap)

    @pytest.mark.parametrize('rows, sentence', [
        ('run.txt', 'the run is a str: read the file first'),
        (3, 'the run is a int: give a DataFrame'),
        (np.zeros((2, 3)), r'the run is a ndarray: name the columns, as pandas\.DataFrame'),
        ([('q', 'v', 1)], r'the run holds a tuple: name the columns, as pandas\.DataFrame'),
        (['q Q0 v 1 1 x'], 'the run holds a str: read the file first'),
        ({'q': ['v']}, "the run has a list for query 'q': a dict of dicts holds"),
        (pd.DataFrame({'topic': ['q'], 'docno': ['v'], 'score': [1]}),
         r"the run lacks 'query_id', 'doc_id' \(it has topic, docno, score\): name the columns"),
        ([Row('q', 's1', 1), ('q', 's1', 1)], 'rows with different fields, a tuple in row 1 and query_id, doc_id, '),
        ([Row('q', 's1', 1), Hit('q', 's1', 1)], 'rows with different fields'),
        ([{'query_id': 'q', 'doc_id': 's1', 'score': 1}, Row('q', 's1', 1)], 'rows with different fields'),
        ([{'query_id': 'q', 'doc_id': 's1', 'score': 1}, {'query_id': 'q', 'score': 1}], 'rows with different fields'),
        ([Reply(query_id='q', doc_id='v', score=1), Hit('q', 'v', 1)], 'rows with different fields'),
        (pd.DataFrame, 'the run is a type: give a DataFrame'),
        ([Row], 'the run holds a type: give a DataFrame'),
        ([Hit], 'the run holds a type: give a DataFrame'),
        ([ast.Name('q')], 'the run holds a Name: give a DataFrame'),
        ([*np.zeros(1, [('query_id', 'U1'), ('doc_id', 'U1'), ('score', 'f8')]), *np.zeros(1, [('doc_id', 'U1')])],
         'the run holds records with different fields: give all rows one type'),
        (pd.DataFrame([('q', 'v', 'w', 1)], columns=['query_id', 'doc_id', 'doc_id', 'score']),
         "the run has several columns 'doc_id', as where"),
        ({'query_id': ['q'], 'doc_id': ['s1', 's2'], 'score': [1]}, 'the run has columns of 1 and 2 rows: give each'),
        ({'query_id': ['q'], 'doc_id': 's1', 'score': [1]}, "the run is a dict that has 's1' for 'doc_id', but it"),
    ])
    def test_rows(self, rows: Any, sentence: str) -> None:
        for call in self.CALLS:
            with pytest.raises((TypeError, ValueError), match=sentence):
                call(rows)

    def test_without_pyarrow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        narwhals: Any = pytest.importorskip('narwhals')

        def from_arrow(rows: Any, backend: str) -> None:
            raise ModuleNotFoundError(f'No module named {backend!r}')
        monkeypatch.setattr(narwhals.DataFrame, 'from_arrow', from_arrow)
        with pytest.raises(ImportError, match=r'python -m pip install .*, or give a list of dicts'):
            SegmentTable.from_run(arrow(RUN).to_reader())

    def test_a_plan_of_polars(self) -> None:
        rows = pytest.importorskip('polars').LazyFrame(records(SHOTS))
        for call in self.CALLS:
            with pytest.raises(TypeError, match=r'the run is a LazyFrame: give its \.collect\(\)'):
                call(rows)


class TestKinds:
    """The caller says whether rows are a run or qrels; where he does not, a score makes them a run."""
    BOTH = pd.DataFrame([('q', 'v', 2.5, 1, 3, 1)],
                        columns=['query_id', 'doc_id', 'score', 'relevance', 'start', 'end'])

    @pytest.mark.parametrize('kind, sentence', [
        (None, 'row 0 of the run: '), ('run', 'row 0 of the run: '), ('qrels', 'row 0 of the qrels: ')])
    def test_rows_with_a_score_and_a_relevance(self, kind: str | None, sentence: str) -> None:
        for call in (with_ids, to_documents, lambda rows, kind: resolve(rows.assign(doc_id=[['v']]), TABLE, kind=kind)):
            with pytest.raises(ValueError, match=sentence):
                call(self.BOTH, kind=kind)

    def test_the_value_that_a_kind_has(self) -> None:
        assert with_ids(QRELS_IDS)['doc_id'].tolist() == QRELS_IDS['doc_id'].tolist()
        with pytest.raises(ValueError, match="the run lacks 'score'"):
            with_ids(QRELS, kind='run')
        with pytest.raises(ValueError, match="the table of qrels lacks 'relevance'"):
            to_documents(RUN, kind='qrels')
        with pytest.raises(TypeError, match='the qrels is a int'):
            within_lengths(3)
        rows = {'q': {'v#t=0,5': 1, 'v#t=7,9': 2}}
        assert to_documents(rows, 'sum') == {'q': {'v': 3}}
        assert to_documents(rows, 'sum', kind='qrels') == {'q': {'v': 2}}
        with pytest.raises(ValueError, match="kind='scores': rows are a 'run' or 'qrels'"):
            with_ids(RUN, kind='scores')
