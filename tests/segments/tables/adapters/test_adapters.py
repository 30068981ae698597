"""Runs and qrels in the shapes of other libraries give the tables that frames of pandas give."""

import dataclasses
import sys
from decimal import Decimal
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_shapes import SHAPES, Reply, arrow, records

from ir_segmeasures import MAiSP, SegmentTable

COLUMNS = ('query_ids', 'query', 'document_ids', 'document', 'start', 'end', 'value', 'unit')
RUN = pd.DataFrame({'query_id': ['q2', 'q1', 'q2', 'q1'], 'doc_id': ['b', 'a', 'b', 'c'], 'score': [1., 2., 3., 4.],
                    'start': [0.1, 1., 2., 3.], 'end': [12.1, 5., 6., 7.], 'text': ['x', 'y', 'z', 'w']})
QRELS = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['a', 'b'], 'relevance': [1, 1], 'start': [2., 0.],
                      'end': [4., 5.]})


@dataclasses.dataclass
class Hit:
    query_id: str
    doc_id: str
    score: float
    start: float
    end: float
    text: str


def assert_equal(table: SegmentTable, expected: SegmentTable) -> None:
    for name in COLUMNS:
        assert np.array_equal(getattr(table, name), getattr(expected, name)), name


class TestShapes:
    """Every shape is the same table."""

    @pytest.mark.parametrize('shape', SHAPES)
    def test_they_are_the_frame(self, shape: str) -> None:
        assert_equal(SegmentTable.from_run(SHAPES[shape](RUN)), SegmentTable.from_run(RUN))
        assert_equal(SegmentTable.from_qrels(SHAPES[shape](QRELS)), SegmentTable.from_qrels(QRELS))

    @pytest.mark.parametrize('shape', SHAPES)
    def test_the_host_passes_them_on(self, shape: str) -> None:
        expected = ir_measures.calc_aggregate([MAiSP], QRELS, RUN)
        assert expected[MAiSP] > 0
        assert ir_measures.calc_aggregate([MAiSP], SHAPES[shape](QRELS), SHAPES[shape](RUN)) == expected

    @pytest.mark.parametrize('shape', ['dicts', 'dict of columns', 'dict of arrays', 'dict of arrays of Arrow',
                                       'records', 'pyarrow', 'pyarrow, coded', 'pyarrow, reader'])
    def test_no_rows(self, shape: str) -> None:
        table = SegmentTable.from_run(SHAPES[shape](RUN[:0]))
        assert (len(table), table.query_ids) == (0, [])

    def test_no_rows_of_polars(self) -> None:
        frame = SHAPES['polars'](RUN)
        for rows in (frame[:0], frame.filter(frame['score'] > 9)):
            assert len(SegmentTable.from_run(rows)) == 0

    def test_dataclasses(self) -> None:
        assert_equal(SegmentTable.from_run([Hit(**row) for row in records(RUN)]), SegmentTable.from_run(RUN))

    def test_ranx(self) -> None:
        ranx = pytest.importorskip('ranx')
        run = {'q1': {'c#t=3,7': 4., 'a#t=1,5': 2.}, 'q2': {'b#t=0.1,12.1': 1.}}  # sorted, as it keeps them
        qrels = {'q1': {'a#t=2,4': 1}}
        assert_equal(SegmentTable.from_run(ranx.Run(run)), SegmentTable.from_run(run))
        assert_equal(SegmentTable.from_qrels(ranx.Qrels(qrels)), SegmentTable.from_qrels(qrels))

    @given(st.lists(st.tuples(st.sampled_from('abc'), st.sampled_from('uvw'), st.integers(0, 3)), max_size=12),
           st.integers(1, 12))
    def test_codes_of_arrow_stand_in_order_of_appearance(self, rows: list[tuple[str, str, int]], size: int) -> None:
        pyarrow = pytest.importorskip('pyarrow')
        frame = pd.DataFrame(rows, columns=['query_id', 'doc_id', 'score'])
        table = pyarrow.table({'query_id': [row[0] for row in rows], 'doc_id': [row[1] for row in rows],
                               'score': [row[2] for row in rows]},
                              schema=pyarrow.schema([('query_id', pyarrow.string()), ('doc_id', pyarrow.string()),
                                                     ('score', pyarrow.int64())]))
        blocks = pyarrow.Table.from_batches(table.to_batches(max_chunksize=size), table.schema)
        assert_equal(SegmentTable.from_run(blocks), SegmentTable.from_run(frame))

    def test_numbers_are_the_decimals_as_written(self) -> None:
        pyarrow = pytest.importorskip('pyarrow')
        table = arrow(RUN)
        for type, values in ((pyarrow.float32(), [0.1, 1, 2, 3]),
                             (pyarrow.decimal128(4, 1), [*map(Decimal, ('0.1', '1', '2', '3'))])):
            narrow = table.set_column(table.column_names.index('start'), 'start', pyarrow.array(values, type))
            assert_equal(SegmentTable.from_run(narrow), SegmentTable.from_run(RUN))


class TestRefused:
    """What cannot be taken names the conversion that would do, or the row."""

    @pytest.mark.parametrize('column, values, sentence', [
        ('doc_id', ['a', None, 'b', 'c'], 'row 1 of the run: the doc_id None is no text: give every row an id'),
        ('start', [1., None, 2., 3.], r'row 1 of the run: .* start nan and end 5\.0 are no segment'),
        ('score', [1, None, 2, 3], 'row 1 of the run: .* the score is missing or not a number'),
        ('start', ['1', 'x', '2', '3'], "row 1 of the run: the start 'x' is not a number"),
    ])
    def test_gaps_in_arrow(self, column: str, values: list[Any], sentence: str) -> None:
        pyarrow, table = pytest.importorskip('pyarrow'), arrow(RUN)
        with pytest.raises(ValueError, match=sentence):
            SegmentTable.from_run(table.set_column(table.column_names.index(column), column, pyarrow.array(values)))

    def test_times_in_arrow(self) -> None:
        pyarrow, table = pytest.importorskip('pyarrow'), arrow(RUN)
        column = pyarrow.array([1, 2, 3, 4], pyarrow.duration('s'))
        with pytest.raises(ValueError, match=r'the start of the run is a duration\[s\]: give numbers, such as seconds'):
            SegmentTable.from_run(table.set_column(table.column_names.index('start'), 'start', column))

    def test_without_pyarrow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = arrow(RUN)
        monkeypatch.setitem(sys.modules, 'pyarrow', None)
        with pytest.raises(ImportError, match=r"install 'ir_segmeasures\[scale\]', or give a list of dicts"):
            SegmentTable.from_run(rows)

    def test_a_plan_of_polars(self) -> None:
        with pytest.raises(TypeError, match=r'the run is a LazyFrame: give its \.collect\(\)'):
            SegmentTable.from_run(pytest.importorskip('polars').LazyFrame(records(RUN)))

    def test_an_array_without_names(self) -> None:
        with pytest.raises(TypeError, match=r'the run is a ndarray: name the columns, as pandas\.DataFrame'):
            SegmentTable.from_run(np.zeros((2, 3)))

    @pytest.mark.parametrize('rows', [
        [{'query_id': 'q', 'doc_id': 'v', 'score': 1}, {'query_id': 'q', 'doc_id': 'v'}],
        [{'query_id': 'q', 'doc_id': 'v', 'score': 1}, Hit('q', 'v', 1, 0, 1, '')],
        [Reply(query_id='q', doc_id='v', score=1), Hit('q', 'v', 1, 0, 1, '')],
    ], ids=['keys', 'types', 'makers of dicts'])
    def test_different_rows(self, rows: Any) -> None:
        with pytest.raises(TypeError, match=r'different fields, .* in row 1 and query_id, .* in others: give'):
            SegmentTable.from_run(rows)

    def test_missing_and_uneven_columns(self) -> None:
        with pytest.raises(ValueError, match=r"lacks 'score' \(it has query_id, doc_id, points\): name the columns"):
            SegmentTable.from_run([{'query_id': 'q', 'doc_id': 'v', 'points': 1}])
        with pytest.raises(ValueError, match='columns of 1 and 2 rows: give each column a value for every row'):
            SegmentTable.from_run({'query_id': ['q'], 'doc_id': ['v', 'w'], 'score': [1]})
