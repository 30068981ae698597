"""A run or qrels as columns: every shape, every form of an id, the order of ranks, and what is said about bad rows."""

import copy
import pickle
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from math import inf, nan
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import decimal_texts, document_ids, examples, hundredths, plain_ids, whole_texts

from ir_segmeasures.ids.resolving import resolve
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import CONTROL, UNITS, Segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError
from ir_segmeasures.segments.tables.positions import exact_decimals
from ir_segmeasures.segments.tables.table import SegmentTable


class Scored(NamedTuple):
    query_id: Any
    doc_id: Any
    score: Any


class ScoredSpan(NamedTuple):
    query_id: Any
    doc_id: Any
    score: Any
    start: Any
    end: Any


class ScoredLength(NamedTuple):
    query_id: Any
    doc_id: Any
    score: Any
    start: Any
    length: Any


class Judged(NamedTuple):
    query_id: Any
    doc_id: Any
    relevance: Any


class JudgedLength(NamedTuple):
    """The fields of ir_datasets' HighwireQrel."""
    query_id: Any
    doc_id: Any
    start: Any
    length: Any
    relevance: Any


class Row(NamedTuple):
    """One row of a table, as it is meant."""
    query: str
    document: str
    start: float
    end: float
    value: float
    unit: str | None


from_run, from_qrels = SegmentTable.from_run, SegmentTable.from_qrels
DIGITS = '9' * 400  # more than a float can hold


def listed(table: SegmentTable) -> list[Row]:
    """The rows of a table."""
    return [Row(table.query_ids[query], table.document_ids[document], start, end, value,
                None if unit < 0 else UNITS[unit])
            for query, document, start, end, value, unit in zip(
                table.query.tolist(), table.document.tolist(), table.start.tolist(), table.end.tolist(),
                table.value.tolist(), table.unit.tolist())]


def frame(rows: Iterable[Any]) -> pd.DataFrame:
    """Named tuples as a frame."""
    rows = list(rows)
    return pd.DataFrame({field: [row[i] for row in rows] for i, field in enumerate(rows[0]._fields)})


def objects(rows: Iterable[Any]) -> pd.DataFrame:
    """Named tuples as a frame whose columns hold the very objects."""
    rows = list(rows)
    return pd.DataFrame({field: pd.Series([row[i] for row in rows], dtype=object)
                         for i, field in enumerate(rows[0]._fields)})


def generated(rows: Iterable[Any]) -> Iterable[Any]:
    """Named tuples, once."""
    yield from rows


SHAPES: dict[str, Callable[[Iterable[Any]], Any]] = {
    'frame': frame, 'object frame': objects, 'list': list, 'tuple': tuple, 'iterator': iter, 'generator': generated,
}
shapes = pytest.mark.parametrize('shape', SHAPES.values(), ids=SHAPES)


def run_of(*ids: Any) -> list[Scored]:
    """A run of one query, with these ids in rank order."""
    return [Scored('q', id, -rank) for rank, id in enumerate(ids)]


def refused(build: Callable[[Any], Any], rows: Any) -> RowError:
    """The error for a bad row."""
    with pytest.raises(RowError) as caught:
        build(rows)
    error = caught.value
    assert str(error) == f'row {error.row} of the {error.kind}: {error.sentence}'
    return error


class TestShapes:
    """The same rows in every shape are the same table."""

    @shapes
    def test_a_run_of_ids(self, shape: Callable[[Iterable[Any]], Any]) -> None:
        rows = [Scored('q2', 'v1#t=12.5,60', 3), Scored('q1', 'v2#t=0,5', 2.5), Scored('q2', 'v1#t=1,2', 1)]
        table = from_run(shape(rows))
        assert listed(table) == [('q2', 'v1', 12.5, 60, 3, 't'), ('q2', 'v1', 1, 2, 1, 't'),
                                 ('q1', 'v2', 0, 5, 2.5, 't')]
        assert (table.kind, table.query_ids, table.document_ids) == ('run', ['q2', 'q1'], ['v1', 'v2'])
        assert len(table) == 3

    @shapes
    def test_qrels_of_ids(self, shape: Callable[[Iterable[Any]], Any]) -> None:
        rows = [Judged('q2', 'v1#t=12.5,60', 1), Judged('q1', 'v2#char=0,5', 2), Judged('q2', 'v1#t=1,2', 0)]
        table = from_qrels(shape(rows))
        assert listed(table) == [('q2', 'v1', 12.5, 60, 1, 't'), ('q1', 'v2', 0, 5, 2, 'char'),
                                 ('q2', 'v1', 1, 2, 0, 't')]
        assert (table.kind, table.query_ids, table.document_ids) == ('qrels', ['q2', 'q1'], ['v1', 'v2'])

    @shapes
    def test_bare_documents_with_start_and_end(self, shape: Callable[[Iterable[Any]], Any]) -> None:
        rows = [ScoredSpan('q', 'v1', 2, 12.5, 60), ScoredSpan('q', 'v#1', 1, 0, 0)]
        assert listed(from_run(shape(rows))) == [('q', 'v1', 12.5, 60, 2, None), ('q', 'v#1', 0, 0, 1, None)]

    @shapes
    def test_bare_documents_with_start_and_length(self, shape: Callable[[Iterable[Any]], Any]) -> None:
        rows = [JudgedLength('q', 'v1', 0.1, 0.2, 1), JudgedLength('q', 'v1', 12, 0, 0)]
        assert listed(from_qrels(shape(rows))) == [('q', 'v1', 0.1, 0.3, 1, None), ('q', 'v1', 12, 12, 0, None)]

    @shapes
    def test_whole_documents(self, shape: Callable[[Iterable[Any]], Any]) -> None:
        assert listed(from_run(shape(run_of('v1', 'v#1')))) == [('q', 'v1', 0, inf, 0, None),
                                                                ('q', 'v#1', 0, inf, -1, None)]

    def test_dicts(self) -> None:
        run = {'q2': {'v1#t=1,2': 1, 'v2#t=0,5': 3.5}, 'q1': {'v1': 2}}
        assert listed(from_run(run)) == [('q2', 'v2', 0, 5, 3.5, 't'), ('q2', 'v1', 1, 2, 1, 't'),
                                         ('q1', 'v1', 0, inf, 2, None)]
        assert listed(from_qrels(run))[0] == ('q2', 'v1', 1, 2, 1, 't')

    def test_a_dict_keeps_queries_without_documents(self) -> None:
        rows = {'q3': {}, 'q1': {'v#t=1,2': 1}, 'q2': {}}
        for build in (from_run, from_qrels):
            table = build(rows)
            assert table.query_ids == ['q3', 'q1', 'q2']
            assert listed(table) == [('q1', 'v', 1, 2, 1, 't')]

    def test_the_host_s_own_tuples(self) -> None:
        qrels = [ir_measures.Qrel('q', 'v#t=1,2', 1), ir_measures.Qrel('q', 'v#t=5,6', 0)]
        run = [ir_measures.ScoredDoc('q', 'v#t=1,2', 0.5)]
        assert listed(from_qrels(qrels)) == [('q', 'v', 1, 2, 1, 't'), ('q', 'v', 5, 6, 0, 't')]
        assert listed(from_run(run)) == [('q', 'v', 1, 2, 0.5, 't')]

    def test_repeated_ids_stay_separate_rows(self) -> None:
        for rows in (run_of(*['v#t=1,2'] * 3), frame(run_of(*['v#t=1,2'] * 3))):
            assert [row.value for row in listed(from_run(rows))] == [0, -1, -2]

    def test_other_fields_do_not_matter(self) -> None:
        Rich = namedtuple('Rich', 'iteration score note doc_id query_id')
        rows = [Rich('0', 1, None, 'v#t=1,2', 'q')]
        for shape in (list, frame):
            assert listed(from_run(shape(rows))) == [('q', 'v', 1, 2, 1, 't')]

    def test_an_index_does_not_matter(self) -> None:
        rows = frame([ScoredSpan('q', 'v1', 1, 0, 1), ScoredSpan('q', 'v2', 2, 0, 2)])
        rows.index = pd.Index([7, 7])
        assert [row.document for row in listed(from_run(rows))] == ['v2', 'v1']
        assert [row.document for row in listed(from_run(rows[rows['score'] > 1]))] == ['v2']

    def test_its_input_stays(self) -> None:
        rows = frame([ScoredSpan('q', 'v1', 1, 0, 1), ScoredSpan('q', 'v2', 2, 0, 2)])
        before = rows.copy(deep=True)
        from_run(rows)
        pd.testing.assert_frame_equal(rows, before)

    def test_a_table_stands_for_itself(self) -> None:
        run, qrels = from_run(run_of('v#t=1,2')), from_qrels([Judged('q', 'v#t=1,2', 1)])
        assert from_run(run) is run
        assert from_qrels(qrels) is qrels

    def test_tables_pickle(self) -> None:
        table = from_run([Scored('q', 'v#t=1,2', 1), Scored('q', 'v#t=5,6', 2)])
        for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
            assert listed(again) == listed(table)
            assert again.error(0, '').row == 1


class TestEmpty:
    """No rows, in every shape."""

    @pytest.mark.parametrize('name, value', [('run', 'score'), ('qrels', 'relevance')])
    @pytest.mark.parametrize('rows', [list, tuple, dict, lambda: iter(()), lambda: generated(())],
                             ids=['list', 'tuple', 'dict', 'iterator', 'generator'])
    def test_shapes(self, name: str, value: str, rows: Callable[[], Any]) -> None:
        self.check(name, rows())

    @pytest.mark.parametrize('name, value', [('run', 'score'), ('qrels', 'relevance')])
    @pytest.mark.parametrize('dtype', [object, 'str', 'string', 'category', float, 'Int64', None], ids=str)
    @pytest.mark.parametrize('times', [[], ['start', 'end'], ['start', 'length']], ids=len)
    def test_frames(self, name: str, value: str, dtype: Any, times: list[str]) -> None:
        self.check(name, pd.DataFrame(columns=['query_id', 'doc_id', value, *times], dtype=dtype))

    @pytest.mark.parametrize('name', ['run', 'qrels'])
    def test_a_dict_of_empty_dicts(self, name: str) -> None:
        table = self.build(name, {'q1': {}, 'q2': {}})
        assert (table.query_ids, listed(table)) == (['q1', 'q2'], [])

    def test_no_rows_left_of_a_frame(self) -> None:
        rows = frame([ScoredSpan('q', 'v1', 1, 0, 1)])
        self.check('run', rows[rows['score'] > 1])

    def build(self, name: str, rows: Any) -> SegmentTable:
        return {'run': from_run, 'qrels': from_qrels}[name](rows)

    def check(self, name: str, rows: Any) -> None:
        table = self.build(name, rows)
        assert len(table) == 0
        assert listed(table) == []
        assert table.query_ids == table.document_ids == []
        assert [column.dtype for column in (table.start, table.end, table.value)] == [np.float64] * 3


class TestTypes:
    """Columns of every type."""

    @pytest.mark.parametrize('dtype', [object, 'str', 'string', 'category'], ids=str)
    def test_text_ids(self, dtype: Any) -> None:
        ids = pd.Series(['v1#t=1,2', 'v2#t=1:00,2:00', 'v1'], dtype=dtype)
        queries = pd.Series(['b', 'a', 'b'], dtype=dtype)
        table = from_run(pd.DataFrame({'query_id': queries, 'doc_id': ids, 'score': [3, 2, 1]}))
        assert listed(table) == [('b', 'v1', 1, 2, 3, 't'), ('b', 'v1', 0, inf, 1, None), ('a', 'v2', 60, 120, 2, 't')]
        assert all(type(id) is str for id in table.query_ids + table.document_ids)

    @pytest.mark.parametrize('dtype', [object, int, 'int8', 'uint16', 'Int64', 'category'], ids=str)
    def test_whole_number_ids(self, dtype: Any) -> None:
        numbers = pd.Series([12, 7, 12], dtype=dtype)
        table = from_run(pd.DataFrame({'query_id': numbers, 'doc_id': numbers, 'score': [3, 2, 1]}))
        assert listed(table) == [('12', '12', 0, inf, 3, None), ('12', '12', 0, inf, 1, None),
                                 ('7', '7', 0, inf, 2, None)]

    def test_whole_number_ids_of_tuples_and_dicts(self) -> None:
        for rows in ([Scored(1, 7, 2), Scored('1', np.int64(7), 1)], {1: {7: 2, '7': 1}}):
            assert listed(from_run(rows)) == [('1', '7', 0, inf, 2, None), ('1', '7', 0, inf, 1, None)]

    def test_numpy_text_ids(self) -> None:
        table = from_run([Scored(np.str_('q'), np.str_('v#t=1,2'), 1), Scored('q', np.str_('v#t=1:00'), 0)])
        assert listed(table) == [('q', 'v', 1, 2, 1, 't'), ('q', 'v', 60, inf, 0, 't')]

    @pytest.mark.parametrize('dtype', ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64',
                                       'float16', 'float32', 'float64', 'Int8', 'Int64', 'UInt8', 'Float32', 'Float64',
                                       'str', 'string', 'category', object], ids=str)
    def test_whole_numbers(self, dtype: Any) -> None:
        numbers = pd.Series(['12', '100'] if dtype in ('str', 'string') else [12, 100]).astype(dtype)
        lengths = pd.Series(['100', '27'] if dtype in ('str', 'string') else [100, 27]).astype(dtype)
        rows = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'relevance': numbers, 'start': numbers, 'length': lengths})
        assert listed(from_qrels(rows)) == [('q', 'v', 12, 112, 12, None), ('q', 'v', 100, 127, 100, None)]

    @pytest.mark.parametrize('dtype', ['float32', 'float64', 'Float32', 'Float64', 'category', object, 'str', 'string'],
                             ids=str)
    def test_decimals(self, dtype: Any) -> None:
        decimals = ['12.1', '1234.7'] if dtype in ('str', 'string') else [12.1, 1234.7]
        numbers = pd.Series(decimals).astype(dtype)
        rows = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'relevance': numbers, 'start': numbers, 'end': numbers})
        assert listed(from_qrels(rows)) == [('q', 'v', 12.1, 12.1, 12.1, None),
                                            ('q', 'v', 1234.7, 1234.7, 1234.7, None)]

    @pytest.mark.parametrize('number', [Decimal, str, np.float32, np.float64, float],
                             ids=lambda number: number.__name__)
    def test_objects(self, number: Callable[[str], Any]) -> None:
        rows = [ScoredLength('q', 'v', number('0.5'), number('12.1'), number('0.2'))]
        assert listed(from_run(rows)) == [('q', 'v', 12.1, 12.3, 0.5, None)]

    @pytest.mark.parametrize('number', [Decimal, str, float], ids=lambda number: number.__name__)
    def test_objects_in_frames(self, number: Callable[[str], Any]) -> None:
        rows = objects([ScoredLength('q', 'v', number('0.5'), number('12.1'), number('0.2'))])
        assert listed(from_run(rows)) == [('q', 'v', 12.1, 12.3, 0.5, None)]

    def test_different_numbers_in_one_column(self) -> None:
        rows = [ScoredSpan('q', 'v', 1, 1, Decimal('2.5')), ScoredSpan('q', 'v', '0.5', np.int8(100), 200)]
        for shape in (list, objects):
            assert listed(from_run(shape(rows))) == [('q', 'v', 1, 2.5, 1, None), ('q', 'v', 100, 200, 0.5, None)]

    @pytest.mark.filterwarnings('ignore:overflow')  # pandas, when it shows half precision
    @pytest.mark.parametrize('numbers', [
        pd.Series([12.1, 13], dtype='float16'), pd.Series([np.float32(12.1), np.float32(13)], dtype=object),
        pd.Series([np.float32(12.1), 13], dtype=object),
    ], ids=['half', 'single objects', 'mixed objects'])
    def test_narrow_decimals(self, numbers: 'pd.Series[Any]') -> None:
        rows = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'relevance': 1, 'start': numbers, 'end': 20})
        assert listed(from_qrels(rows))[0].start == 12.1

    @pytest.mark.parametrize('times', [pd.to_timedelta([5], unit='s'), pd.to_datetime(['2020-01-01'])],
                             ids=['timedelta', 'datetime'])
    def test_times_are_no_numbers(self, times: Any) -> None:
        rows = pd.DataFrame({'query_id': ['q'], 'doc_id': ['v'], 'score': [1], 'start': times, 'end': times})
        assert refused(from_run, rows).row == 0

    @given(st.integers(0, 10**7), st.integers(0, 10**7))
    def test_a_length_ends_at_the_decimal_sum(self, start: int, length: int) -> None:
        table = from_run([ScoredLength('q', 'v', 1, hundredths(start), hundredths(length))])
        assert table.end.tolist() == [hundredths(start + length)]

    @given(st.lists(st.integers(0, 10**6), min_size=1))
    def test_single_precision_is_the_decimal_as_written(self, values: list[int]) -> None:
        decimals = [hundredths(value) for value in values]
        rows = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'relevance': 1, 'start': np.array(decimals, np.float32),
                             'end': 1e5})
        assert from_qrels(rows).start.tolist() == decimals


class TestRanking:
    """By score, descending; ties in input order."""

    @pytest.mark.parametrize('scores, order', [
        ([3, 2, 1], [0, 1, 2]),
        ([1, 2, 3], [2, 1, 0]),
        ([1, 1, 1], [0, 1, 2]),
        ([1, 2, 1, 2], [1, 3, 0, 2]),
        ([0, inf, -inf, 5], [1, 3, 0, 2]),
        ([-inf, inf, -inf, inf], [1, 3, 0, 2]),
        ([0., -0., 0.], [0, 1, 2]),
        ([-1, -2, 0], [2, 0, 1]),
        ([1e300, 1e-300, -1e300], [0, 1, 2]),
    ])
    @shapes
    def test_scores(self, scores: list[float], order: list[int], shape: Callable[[Iterable[Any]], Any]) -> None:
        rows = [Scored('q', f'v#t={i},{i + 1}', score) for i, score in enumerate(scores)]
        assert from_run(shape(rows)).start.tolist() == order

    def test_every_column_is_sorted(self) -> None:
        rows = [Scored('b', 'v1#t=1,2', 1), Scored('a', 'v2#char=3,4', 1), Scored('b', 'v3#word=5,6', 2)]
        assert listed(from_run(rows)) == [('b', 'v3', 5, 6, 2, 'word'), ('b', 'v1', 1, 2, 1, 't'),
                                          ('a', 'v2', 3, 4, 1, 'char')]

    def test_qrels_keep_their_order(self) -> None:
        rows = [Judged('b', 'v#t=1,2', 0), Judged('a', 'v#t=3,4', 1), Judged('b', 'v#t=5,6', 2)]
        assert [row.start for row in listed(from_qrels(rows))] == [1, 3, 5]

    @given(st.lists(st.tuples(st.sampled_from('abc'), st.sampled_from((1, 2, 2.5, -1, 0, -0., inf, -inf)))))
    @examples(4)
    def test_a_stable_sort_within_each_query(self, scored: list[tuple[str, float]]) -> None:
        table = from_run([Scored(query, f'v#t={i},{i}', score) for i, (query, score) in enumerate(scored)])
        queries = list(dict.fromkeys(query for query, _ in scored))
        expected = sorted(range(len(scored)), key=lambda i: (queries.index(scored[i][0]), -scored[i][1]))
        assert table.query_ids == queries
        assert table.start.tolist() == expected
        # An error names the row of the input, whatever the order of ranks.
        assert [table.error(row, '').row for row in range(len(table))] == expected


def in_arrow(rows: list[Judged]) -> Iterator[Any]:
    """The rows as frames whose texts Arrow holds: in strings, in large ones, in views of them, in several blocks."""
    try:
        import pyarrow
        table = pyarrow.table(dict(zip(Judged._fields, map(list, zip(*rows)))))
    except (ImportError, UnicodeEncodeError):  # of half a character, which Arrow does not hold
        return
    ids = table.column('doc_id')
    for type in ('string', 'large_string', *(['string_view'] if hasattr(pyarrow, 'string_view') else [])):
        table = table.set_column(1, 'doc_id', ids.cast(type))
        yield table
        yield pyarrow.concat_tables([table[:1], table[1:]])
    yield table.to_pandas()


class TestIds:
    """The id is the truth, with the cheap path and with the strict one."""

    @pytest.mark.parametrize('ids', [
        ['v#t=1,2', 'v#t=1.5,2', 'w#t=0,0'],
        ['v#char=1,2', 'w#char=0,0'],
        ['v#word=1,2', 'w#word=0,0'],
        ['v#t=1,2', 'v#t=1:00,2:00'],
        ['v#t=1,2', 'v#t=5'],
        ['v#t=1,2', 'v#t=5,'],
        ['v#t=1,2', 'v#t=,5'],
        ['v#t=1,2', 'v#t=npt:1,5'],
        ['v#t=1,2', 'v'],
        ['v', 'v#t=1,2'],
        ['v#t=1,2', 'w#char=1,2', 'x#word=7'],
        ['a#b#t=1,2', 'a#t=3,4#t=5,6', '##t=1,2'],
        ['a#t=1,2#char=3,4', 'b#t=5,6'],
        ['a#t=1,2', 'a#t=3,4#char=5'],
        ['a#xpath=/b[1]&char=1,2', 'a#char=2,3'],
        ['a#char=2,3', 'a#xpath=/b[1]&char=1,2', 'a#xpath=/b[2]&char=5,'],
        ['v#t=.5,1.', 'v#t=007,008.50'],
        ['文書#t=1,2', 'é,#t=3,4'],
    ], ids=' '.join)
    def test_each_is_read_as_parse_segment_reads_it(self, ids: list[str]) -> None:
        expected = [parse_segment(id) for id in ids]
        for rows in (run_of(*ids), frame(run_of(*ids))):
            table = listed(from_run(rows))
            assert [(row.document, row.start, row.end, row.unit) for row in table] == [
            (segment.document, *exact_decimals(np.array(segment[1:3], float)), segment.unit)
            for segment in expected]

    MALFORMED = ('v#t=5,2', 'v#t=-1,2', 'v#t=nan,2', 'v#t=1,inf', 'v#t=1e5,2e5', 'v#t=1_0,2_0', 'v#t=\uff11,\uff12',
                 'v#t=1,2,3', 'v#t=', 'v#t=,', '#t=1,2', 'v v#t=1,2', 'v"#t=1,2', 'v#t=1 ,2', 'v#t=1/2,3',
                 'v#t=1:75,2:00', 'v#t=1,2&3', 'v#t=1.2.3,4', 'v#t=.,5', 'v#t=+1,2', 'v#char=1.5,2', 'v#char=5,2',
                 'v#xpath=/a[1]', 'v#t=1\xa0,2', 'v#t=1,2#', 'v\u2003#t=1,2')

    # Every fault beside plain ids, and one fault beside the others, which are read in other ways.
    @pytest.mark.parametrize('id, others', [*((id, 'w#t=1,2') for id in MALFORMED), *(
        ('v#t=5,2', others) for others in ('w#t=1:00,2:00', 'w', 'w#char=1,2', '{}#t=1'))], ids=ascii)
    def test_the_row_of_a_malformed_id(self, id: str, others: str) -> None:
        for row in (0, 2):
            ids = [others.format(i) for i in range(4)]
            ids[row] = id
            for rows in (run_of(*ids), frame(reversed(run_of(*ids)))):
                error = refused(from_run, rows)
                assert error.row == (row if isinstance(rows, list) else 3 - row)
                assert error.kind == 'run'

    def test_the_sentence_is_that_of_the_parser(self) -> None:
        error = refused(from_run, run_of('v#t=1,2', 'v#t=1e5,2e5'))
        with pytest.raises(ValueError) as caught:
            parse_segment('v#t=1e5,2e5')
        assert error.sentence == str(caught.value)

    def test_a_repeated_malformed_id_is_named_where_it_is_first(self) -> None:
        assert refused(from_run, run_of('w#t=1,2', 'v#t=x', 'v#t=x')).row == 1

    # Each row is a query of its own, so that units may differ.
    forms = st.one_of(
        plain_ids(),
        plain_ids(st.sampled_from(('v', 'w'))),
        document_ids,
        st.builds('{}#t={}'.format, document_ids, decimal_texts),
        st.builds('{}#t=npt:,{}'.format, document_ids, decimal_texts),
        st.builds('{}#t={}:{:02},{}:00:00'.format, document_ids, st.integers(0, 70), st.integers(0, 61),
                  st.integers(1, 2)),
        st.builds('{}#{}={}{}'.format, document_ids, st.sampled_from(('char', 'word')), whole_texts,
                  st.sampled_from(('', ','))),
        st.builds('{}#xpath=/a[1]&char={},'.format, document_ids, whole_texts),
        st.builds('{}#t={}'.format, document_ids, st.text('0123456789.,:/+-_e#& \u0661\uff11\0"', max_size=6)),
    )

    def check(self, ids: list[str]) -> None:
        rows = [Judged(str(i), id, 1) for i, id in enumerate(ids)]
        shapes = [rows, *in_arrow(rows)]
        expected = []
        for i, id in enumerate(ids):
            try:
                expected.append(parse_segment(id))
            except ValueError:
                for shape in shapes:
                    assert refused(from_qrels, shape).row == i
                return
        for shape in shapes:
            assert [(row.document, row.start, row.end, row.unit) for row in listed(from_qrels(shape))] == [
                (segment.document, *exact_decimals(np.array(segment[1:3], float)), segment.unit)
                for segment in expected]
            paths = [segment.path for segment in expected]
            assert (from_qrels(shape).paths or [None] * len(ids)) == paths

    @given(st.lists(forms, min_size=1, max_size=5))
    @examples(8)
    def test_any_mixture(self, ids: list[str]) -> None:
        self.check(ids)

    @given(st.sampled_from(UNITS).flatmap(lambda unit: st.lists(plain_ids(units=[unit]), min_size=1, max_size=6)))
    @examples(4)
    def test_plain_ids(self, ids: list[str]) -> None:
        self.check(ids)

    @given(st.lists(plain_ids(st.just('v'), ['t']), min_size=1, max_size=3)
           | st.lists(plain_ids(st.just('v'), ['char']).map(
               lambda id: id.replace('#', '#xpath=/a[1]/%26&')), min_size=1, max_size=3), st.data())
    @examples(6)
    def test_plain_ids_with_a_character_changed(self, ids: list[str], data: st.DataObject) -> None:
        row = data.draw(st.integers(0, len(ids) - 1))
        place = data.draw(st.integers(0, len(ids[row]) - 1))
        character = data.draw(st.sampled_from('0123456789.,:/+-_enaif#&= \u0661\uff11\0"')
                              | st.characters(codec='utf-8'))
        changed = ids[row][:place] + character + ids[row][place + data.draw(st.integers(0, 1)):]
        if '#' in changed:
            self.check([*ids[:row], changed, *ids[row + 1:]])

    @pytest.mark.parametrize('id', ['', 'a b', 'a"b', 'a\u00a0b'], ids=ascii)
    def test_blanks_and_quotes_in_whole_documents(self, id: str) -> None:
        self.check(['v#t=1:00,2:00', id])

    @pytest.mark.parametrize('id', ['a\0b', 'a\tb', 'a\nb', '\ufeffa', 'a\u2028b', 'a\x85b'], ids=ascii)
    def test_no_text_of_a_field(self, id: str) -> None:
        rows = [Judged('q', 'v#t=1,2', 1), Judged('q', f'{id}#t=1,2', 1)]
        assert refused(from_qrels, rows).row == refused(from_qrels, objects(rows)).row == 1
        for name in 'query_id', 'doc_id':
            beside = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [1, 2], 'end': [2., 3.], 'relevance': 1})
            beside.loc[1, name] = id
            error = refused(from_qrels, beside)
            assert error.row == 1
            assert error.sentence.endswith(f'the {name} {quoted(id)} holds {CONTROL}: take it out')
            assert refused(from_qrels, beside.drop(columns=['start', 'end'])).row == 1

    def test_seconds_too_large(self) -> None:
        self.check([f'v#t=0,{DIGITS}'])

    def test_a_lone_surrogate(self) -> None:
        self.check(['v#t=1,\ud800'])

    @pytest.mark.parametrize('id', [None, 1.5, nan, True, np.float64(1), np.True_, ('v',), pd.NA, pd.NaT],
                             ids=repr)
    @pytest.mark.parametrize('others', ['w#t=1,2', 'w#t=1:00,2:00', 'w', 7])
    def test_ids_that_are_no_text(self, id: Any, others: Any) -> None:
        for shape in (list, objects):
            error = refused(from_run, shape(run_of(others, others, id, others)))
            assert error.row == 2
            assert error.sentence.startswith('the doc_id ')
            assert error.sentence.endswith(' is no text: give every row an id')
            error = refused(from_qrels, shape([Judged('q', 'v', 1), Judged(id, 'v', 1)]))
            assert error.row == 1
            assert error.sentence.startswith('the query_id ')

    @pytest.mark.parametrize('dtype', [object, 'str', 'string', 'category'], ids=str)
    def test_missing_ids(self, dtype: Any) -> None:
        ids = pd.Series(['v#t=1,2', None], dtype=dtype)
        assert refused(from_run, pd.DataFrame({'query_id': 'q', 'doc_id': ids, 'score': 1})).row == 1
        assert refused(from_run, pd.DataFrame({'query_id': ids, 'doc_id': 'v', 'score': 1})).row == 1

    def test_fractional_ids_of_a_frame(self) -> None:
        rows = pd.DataFrame({'query_id': [1., 2.], 'doc_id': ['v', 'v'], 'score': [1, 2]})
        assert refused(from_run, rows).row == 0

    def test_true_is_not_1(self) -> None:
        assert refused(from_run, run_of(1, True)).row == 1

    @pytest.mark.parametrize('id', [b'v', b'v#t=1,2', ['v'], {}], ids=repr)
    def test_bytes_and_containers_are_no_text(self, id: Any) -> None:
        assert refused(from_run, run_of('v#t=1,2', id) if isinstance(id, bytes) else run_of('v', id)).row == 1


class TestColumns:
    """Columns count where ids are bare."""

    STALE = [(7, 9), (nan, nan), (9, 7), (-1, nan), (nan, 9), (None, None), (inf, 0)]

    @pytest.mark.parametrize('start, end', STALE)
    @pytest.mark.parametrize('id', ['v#t=60,120', 'v#t=1:00,2:00', 'v#xpath=/a&t=60,120'])
    def test_the_id_wins(self, id: str, start: Any, end: Any) -> None:
        for shape in (list, frame, objects):
            assert listed(from_run(shape([ScoredSpan('q', id, 1, start, end)]))) == [('q', 'v', 60, 120, 1, 't')]
            assert listed(from_run(shape([ScoredLength('q', id, 1, start, end)]))) == [('q', 'v', 60, 120, 1, 't')]

    @pytest.mark.filterwarnings('error')
    @pytest.mark.parametrize('id', ['v#t=60,120', 'v#t=1:00,2:00'])
    def test_nothing_is_said_about_columns_that_do_not_count(self, id: str) -> None:
        assert listed(from_run([ScoredLength('q', id, 1, inf, -inf)])) == [('q', 'v', 60, 120, 1, 't')]

    @pytest.mark.parametrize('name', ['start', 'end', 'length'])
    @pytest.mark.parametrize('id', ['v#t=60,120', 'v#t=1:00,2:00'])
    def test_the_id_wins_over_half_a_pair(self, id: str, name: str) -> None:
        rows = pd.DataFrame({'query_id': ['q'], 'doc_id': [id], 'score': [1], name: [5]})
        assert listed(from_run(rows)) == [('q', 'v', 60, 120, 1, 't')]

    @pytest.mark.parametrize('id', ['v#t=60,120', 'v#t=1:00,2:00'])
    @pytest.mark.parametrize('stale', ['', 'unknown'])
    def test_the_id_wins_over_text(self, id: str, stale: str) -> None:
        for shape in (list, frame):
            assert listed(from_run(shape([ScoredSpan('q', id, 1, stale, stale)]))) == [('q', 'v', 60, 120, 1, 't')]

    def test_an_entry_point_of_a_text_is_closed(self) -> None:
        assert listed(from_run([ScoredSpan('q', 'v#char=5', 1, 7, 9)])) == [('q', 'v', 5, 5, 1, 'char')]

    def test_end_before_length(self) -> None:
        rows = pd.DataFrame({'query_id': ['q'], 'doc_id': ['v'], 'score': [1], 'start': [5], 'end': [9], 'length': [7]})
        assert listed(from_run(rows)) == [('q', 'v', 5, 9, 1, None)]

    def test_an_open_end_may_be_told_as_infinite(self) -> None:
        assert listed(from_run([ScoredSpan('q', 'v', 1, 5, inf)])) == [('q', 'v', 5, inf, 1, None)]

    @pytest.mark.parametrize('start, end', [(5, nan), (nan, 5), (nan, nan), (None, 5), (5, None), (5, 4), (-1, 4),
                                            (-5, -4), (-inf, 5), (-1e-9, 5)])
    def test_no_segment(self, start: Any, end: Any) -> None:
        rows = [ScoredSpan('q', 'v', 1, 0, 1), ScoredSpan('q', 'v', 2, 0, 1), ScoredSpan('q7', 'v9', 3, start, end),
                ScoredSpan('q', 'v', 3, 0, 1)]
        for shape in SHAPES.values():
            error = refused(from_run, shape(rows))
            assert (error.row, error.kind) == (2, 'run')
            assert error.sentence.startswith("query 'q7', document 'v9': start ")
            assert error.sentence.endswith('starts at 0 or later and ends at or after its start: give both, in order')

    @pytest.mark.parametrize('start, length', [(5, -1), (5, nan), (nan, 5), (-1, 5), (None, 5), (5, None)])
    def test_no_segment_by_its_length(self, start: Any, length: Any) -> None:
        rows = [JudgedLength('q', 'v', 0, 1, 1), JudgedLength('q', 'v', start, length, 0)]
        for shape in SHAPES.values():
            error = refused(from_qrels, shape(rows))
            assert (error.row, error.kind) == (1, 'qrels')

    def test_an_infinite_start_is_no_segment(self) -> None:
        assert refused(from_run, [ScoredSpan('q', 'v', 1, inf, inf)]).row == 0

    @pytest.mark.parametrize('name', ['start', 'end'])
    def test_half_a_pair(self, name: str) -> None:
        rows = pd.DataFrame({'query_id': ['q'] * 2, 'doc_id': ['v#t=1:00,2:00', 'v'], 'score': [1, 2], name: [5, 5]})
        for shape in (lambda rows: rows, lambda rows: list(rows.itertuples(index=False))):
            error = refused(from_run, shape(rows))
            assert error.row == 1
            assert repr(name) in error.sentence
            assert "a segment takes 'start' with 'end' or 'length': add the other column" in error.sentence

    def test_half_a_pair_of_end_and_length(self) -> None:
        rows = pd.DataFrame({'query_id': ['q'], 'doc_id': ['v'], 'score': [1], 'end': [5], 'length': [2]})
        assert refused(from_run, rows).row == 0

    @pytest.mark.parametrize('name', ['start', 'end'])
    @pytest.mark.parametrize('bad', ['', 'x', '1m30s', '12,5', (), {}], ids=repr)
    def test_no_number_beside_a_bare_document(self, name: str, bad: Any) -> None:
        good = ScoredSpan('q', 'v', 1, 0, 1)
        for shape in (list, objects):
            error = refused(from_run, shape([good, good._replace(**{name: bad}), good]))
            assert error.row == 1
            assert error.sentence == f'the {name} {bad!r} is not a number: give every row a number'

    @pytest.mark.parametrize('bad', [nan, None, '', 'x', Decimal('nan'), pd.NA, np.float32(nan)], ids=repr)
    def test_scores_and_relevances(self, bad: Any) -> None:
        for shape in (list, objects):
            error = refused(from_run, shape([Scored('q', 'v', 1), Scored('q', 'v', 2), Scored('q', 'v', bad)]))
            assert (error.row, error.kind) == (2, 'run')
            assert 'the score ' in error.sentence
            assert 'not a number: give every row a number' in error.sentence
            error = refused(from_qrels, shape([Judged('q', 'v#t=1,2', 1), Judged('q', 'v#t=1,2', bad)]))
            assert (error.row, error.kind) == (1, 'qrels')
            assert 'the relevance ' in error.sentence

    @pytest.mark.parametrize('dtype', ['Int64', 'Float64', 'float32', 'str', 'string', 'category', object], ids=str)
    def test_missing_scores(self, dtype: Any) -> None:
        values = ['1', None] if dtype in ('str', 'string') else [1, None]
        rows = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'score': pd.Series(values, dtype=dtype)})
        assert refused(from_run, rows).row == 1

    def test_lists_are_no_scores(self) -> None:
        assert refused(from_run, [Scored('q', 'v', [1, 2]), Scored('q', 'v', [1, 2])]).row == 0


class TestUnits:
    """One unit in a document of a query; ids or columns, not both."""

    @pytest.mark.parametrize('ids, row', [
        (['v', 'v#t=1,2'], 1), (['v#t=1,2', 'v'], 1), (['v#t=1,2', 'w', 'x'], 1), (['v', 'w', 'x#char=1,2'], 2),
    ])
    def test_ids_and_columns(self, ids: list[str], row: int) -> None:
        rows = [ScoredSpan('q', id, rank, 5, 9) for rank, id in enumerate(ids)]
        for shape in SHAPES.values():
            error = refused(from_run, shape(rows))
            assert error.row == row
            assert 'segment ids and bare documents with start and end stand in one table' in error.sentence
            assert 'write all of them as segment ids, or none' in error.sentence

    def test_whole_documents_beside_ids(self) -> None:
        assert [row.unit for row in listed(from_run(run_of('v', 'v#t=1,2', 'w')))] == [None, 't', None]

    @pytest.mark.parametrize('ids', [['v#t=1,2', 'w#t=1,2', 'v#char=1,2'], ['v#word=1,2', 'w#t=1,2', 'v#char=1'],
                                     ['v#t=1,2', 'v', 'v#xpath=/a&char=1,2']])
    def test_two_in_one_document_of_one_query(self, ids: list[str]) -> None:
        rows = [Scored('q', id, rank) for rank, id in enumerate(ids)]
        for shape in SHAPES.values():
            error = refused(from_run, shape(rows))
            assert error.row == 2
            first, second = (parse_segment(id).unit for id in (ids[0], ids[2]))
            assert repr(first) in error.sentence
            assert repr(second) in error.sentence
            assert error.sentence.startswith("query 'q', document 'v': ")
            assert error.sentence.endswith('give all of them in one unit')

    def test_two_in_different_documents_or_queries(self) -> None:
        rows = [Judged('q1', 'v#t=1,2', 1), Judged('q1', 'w#char=1,2', 1), Judged('q2', 'v#word=1,2', 1)]
        assert [row.unit for row in listed(from_qrels(rows))] == ['t', 'char', 'word']

    @pytest.mark.parametrize('id, start', [('link#t=30', '30'), ('link#t=30,', '30'), ('link#char=30,', '30'),
                                           ('link#t=1:30', '90'), ('link#t=12.5', '12.5')])
    def test_an_open_end_with_columns_is_ambiguous(self, id: str, start: str) -> None:
        rows = [ScoredSpan('q', 'v#t=1,2', 0, 5, 9), ScoredSpan('q', id, 1, 5, 9)]
        for shape in SHAPES.values():
            error = refused(from_run, shape(rows))
            assert error.row == 1
            for part in (f'{id!r} is ambiguous', f'the part of this document from {start} to its end',
                         'a document of that name with the start and end beside it', 'write the end into the id',
                         'percent-encode its last #'):
                assert part in error.sentence

    def test_an_open_end_with_a_length_is_ambiguous(self) -> None:
        assert 'ambiguous' in refused(from_run, [ScoredLength('q', 'v#t=30', 1, 5, 9)]).sentence

    @pytest.mark.parametrize('start, end', [(nan, nan), (30, nan), (None, None)])
    def test_an_open_end_with_empty_columns_is_read(self, start: Any, end: Any) -> None:
        assert listed(from_run([ScoredSpan('q', 'v#t=30', 1, start, end)])) == [('q', 'v', 30, inf, 1, 't')]


class TestRowErrors:
    """The error is a value error that says where."""

    def test_rows_are_those_of_the_input(self) -> None:
        rows = [Scored('q', 'v#t=1,2', 1), Scored('p', 'v#t=3,4', 1), Scored('q', 'v#t=5,6', 2)]
        error = from_run(rows).error(0, 'it is late: wait')
        assert (error.kind, error.row) == ('run', 2)
        assert str(error) == "row 2 of the run: query 'q', document 'v': it is late: wait"

    def test_rows_of_a_dict_are_counted_through(self) -> None:
        assert refused(from_qrels, {'q1': {'v': 1, 'w': 1}, 'q2': {}, 'q3': {'x': 1, 'y#t=x': 1}}).row == 3

    def test_it_is_a_value_error(self) -> None:
        with pytest.raises(ValueError, match='row 1 of the qrels: segment id '):
            from_qrels([Judged('q', 'v', 1), Judged('q', 'v#t=', 1)])

    def test_it_pickles(self) -> None:
        error = refused(from_run, run_of('v#t=1,2', 'v#t=1e5'))
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert type(again) is RowError
            assert (again.kind, again.row, again.sentence, str(again)) == (error.kind, error.row, error.sentence,
                                                                           str(error))


class TestOtherInputs:
    """What is no run and no qrels."""

    @pytest.mark.parametrize('build, missing', [
        (lambda: from_run([Judged('q', 'v', 1)]), "the run lacks 'score' (it has query_id, doc_id, relevance)"),
        (lambda: from_qrels([Scored('q', 'v', 1)]), "the qrels lacks 'relevance' (it has query_id, doc_id, score)"),
        (lambda: from_run(frame([Judged('q', 'v', 1)])), "the run lacks 'score' (it has query_id, doc_id, relevance)"),
        (lambda: from_qrels(pd.DataFrame({'qid': [], 'docno': [], 'label': []})),
         "lacks 'query_id', 'doc_id', 'relevance' (it has qid, docno, label)"),
        (lambda: from_run(pd.DataFrame({'query_id': ['q'], 'docno': ['v'], 'score': [1]})), "lacks 'doc_id'"),
    ])
    def test_missing_columns(self, build: Callable[[], Any], missing: str) -> None:
        with pytest.raises(ValueError) as caught:
            build()
        assert missing in str(caught.value)
        assert 'name the columns as ir-measures does' in str(caught.value)

    @pytest.mark.parametrize('rows, sentence', [
        ([('q', 'v', 1)], 'holds a tuple: name the columns, as pandas.DataFrame(rows, columns='),
        ([['q', 'v', 1]], 'holds a list: name the columns'), (['q Q0 v 1 1 x'], 'holds a str: read the file first'),
        ('my.run', 'is a str: read the file first'), ((row for row in [1]), 'holds a int: give a DataFrame'),
    ])
    def test_iterables_of_something_else(self, rows: Any, sentence: str) -> None:
        with pytest.raises(TypeError) as caught:
            from_run(rows)
        assert f'the run {sentence}' in str(caught.value)

    @pytest.mark.parametrize('rows', [None, 5, 1.5, object()])
    def test_no_iterable(self, rows: Any) -> None:
        with pytest.raises(TypeError, match=r'give a DataFrame .* rows with fields of these names'):
            from_qrels(rows)

    def test_different_tuples(self) -> None:
        with pytest.raises(TypeError, match='different fields: give all rows one type'):
            from_run([Scored('q', 'v#t=1,2', 1), ScoredSpan('q', 'v', 1, 0, 1)])

    def test_tuples_and_something_else(self) -> None:
        with pytest.raises(TypeError, match='holds a tuple: name the columns'):
            from_run([Scored('q', 'v#t=1,2', 1), ('q', 'v', 1)])

    @pytest.mark.parametrize('rows', [{'q': ['v']}, {'q': 5}, {'q': None}, {'q': 'v'}], ids=repr)
    def test_dicts_of_something_else(self, rows: Any) -> None:
        with pytest.raises(TypeError, match='dict of dicts'):
            from_run(rows)


class TestResolve:
    """Ids that are no segments yet."""

    TABLE = {
        'v': ('v', 0, 100.5),
        'shot1_2': ('v', 10, 12.5),
        'shot1_3': ('v', 12.5, 20),
        'a#xpath=/article[1]': Segment('a', 5, 60, 'char', '/article[1]'),
        'd': Segment('d', 0, 999, 'char'),
        'p': ['d', 3, 4],
    }

    @pytest.mark.parametrize('id, resolved', [
        ('v', 'v#t=0,100.5'),
        ('shot1_2', 'v#t=10,12.5'),
        ('a#xpath=/article[1]', 'a#xpath=/article[1]&char=5,60'),
        ('d', 'd#char=0,999'),
        ('p', 'd#t=3,4'),
        ('v#t=30', 'v#t=30,100.5'),
        ('v#t=30,', 'v#t=30,100.5'),
        ('v#t=0', 'v#t=0,100.5'),
        ('v#t=100.5', 'v#t=100.5,100.5'),
        ('d#char=30,', 'd#char=30,999'),
        ('d#xpath=/b&char=30,', 'd#xpath=/b&char=30,999'),
        ('v#t=1,2', 'v#t=1,2'),
        ('v#t=01.50,2.0', 'v#t=01.50,2.0'),
        ('v#t=1:00,2:00', 'v#t=1:00,2:00'),
        ('w#t=1,2', 'w#t=1,2'),
        ('v#t=100,200', 'v#t=100,200'),
        ('d#char=30', 'd#char=30'),
        ('v#t=,30', 'v#t=,30'),
    ])
    def test_ids(self, id: str, resolved: str) -> None:
        assert resolve([Scored('q', id, 1)], self.TABLE) == [Scored('q', resolved, 1)]

    def test_named_tuples(self) -> None:
        rows = [Scored('q', 'v', 2), Scored('q', 'shot1_2', 1), Scored('p', 'v', 3)]
        expected = [Scored('q', 'v#t=0,100.5', 2), Scored('q', 'v#t=10,12.5', 1), Scored('p', 'v#t=0,100.5', 3)]
        for shape in (list, tuple, iter, generated):
            result = resolve(shape(rows), self.TABLE)
            assert result == expected
            assert isinstance(result, list)
        assert rows[0].doc_id == 'v'

    def test_its_type_of_tuple(self) -> None:
        row, = resolve([ir_measures.Qrel('q', 'v', 1)], self.TABLE)
        assert isinstance(row, ir_measures.Qrel)

    @pytest.mark.parametrize('dtype', [object, 'str', 'string', 'category'], ids=str)
    def test_frames(self, dtype: Any) -> None:
        rows = frame([Scored('q', 'v', 2), Scored('p', 'shot1_2', 1), Scored('q', 'v', 0)])
        rows = rows.astype({'doc_id': dtype}).set_index(pd.Index([3, 3, 4]))
        before = rows.copy(deep=True)
        result = resolve(rows, self.TABLE)
        assert result['doc_id'].tolist() == ['v#t=0,100.5', 'v#t=10,12.5', 'v#t=0,100.5']
        assert result.drop(columns='doc_id').equals(rows.drop(columns='doc_id'))
        pd.testing.assert_frame_equal(rows, before)

    def test_dicts(self) -> None:
        rows = {'q': {'v': 2, 'shot1_2': 1}, 'p': {}, 'o': {'v': 1}}
        result = resolve(rows, self.TABLE)
        assert result == {'q': {'v#t=0,100.5': 2, 'v#t=10,12.5': 1}, 'p': {}, 'o': {'v#t=0,100.5': 1}}
        assert list(result) == ['q', 'p', 'o']
        assert list(rows['q']) == ['v', 'shot1_2']

    @pytest.mark.parametrize('rows', [[], (), {}, pd.DataFrame({'query_id': [], 'doc_id': [], 'score': []})],
                             ids=lambda rows: type(rows).__name__)
    def test_no_rows(self, rows: Any) -> None:
        assert len(resolve(rows, self.TABLE)) == 0
        assert len(from_run(resolve(rows, self.TABLE))) == 0

    @pytest.mark.parametrize('unit, id', [('t', 'v#t=1,2'), ('char', 'v#char=1,2'), ('word', 'v#word=1,2')])
    def test_the_unit_of_the_table(self, unit: str, id: str) -> None:
        assert resolve([Scored('q', 'x', 1)], {'x': ('v', 1, 2)}, unit=unit) == [Scored('q', id, 1)]

    def test_segments_have_a_unit_of_their_own(self) -> None:
        rows = resolve([Scored('q', 'x', 1)], {'x': Segment('v', 1, 2, 'word')}, unit='char')
        assert rows[0].doc_id == 'v#word=1,2'

    def test_segments_may_be_whole_documents(self) -> None:
        assert resolve([Scored('q', 'alias', 1)], {'alias': Segment('v')})[0].doc_id == 'v'

    def test_an_unknown_unit(self) -> None:
        with pytest.raises(ValueError, match=r"'frames'.*there are 't'"):
            resolve([Scored('q', 'x', 1)], {'x': ('v', 1, 2)}, unit='frames')

    def test_a_resolved_id_wins_over_columns_that_stay(self) -> None:
        rows = resolve([ScoredSpan('q', 'shot1_2', 1, nan, nan)], self.TABLE)
        assert listed(from_run(rows)) == [('q', 'v', 10, 12.5, 1, 't')]

    def test_missing_ids(self) -> None:
        rows = [Scored('q', id, 1) for id in ('v', 'x1', 'x2', 'x1', 'x3', 'x4')]
        for shape in (list, frame, lambda rows: {'q': {row.doc_id: row.score for row in rows}}):
            with pytest.raises(ValueError) as caught:
                resolve(shape(rows), self.TABLE)
            assert str(caught.value) == ("4 of 5 ids are not in the table, such as 'x1', 'x2', 'x3': add them to it, "
                                         "or keep them with missing='keep'")

    def test_missing_ids_are_kept(self) -> None:
        ids = ('x1', 'v', 'x#t=5', 'y#t=oops', '')
        result = resolve([Scored('q', id, 1) for id in ids], self.TABLE, missing='keep')
        assert [row.doc_id for row in result] == ['x1', 'v#t=0,100.5', 'x#t=5', 'y#t=oops', '']

    @pytest.mark.parametrize('missing', ['drop', '', None, True])
    def test_other_ways_with_missing_ids(self, missing: Any) -> None:
        with pytest.raises(ValueError, match="'error', 'keep' or 'warn'"):
            resolve([], {}, missing=missing)

    @pytest.mark.parametrize('id', ['link#t=30', 'link#t=30,40', 'link#char=3'])
    def test_an_id_of_the_table_that_reads_as_a_segment(self, id: str) -> None:
        for missing in ('error', 'keep'):
            with pytest.raises(ValueError) as caught:
                resolve([Scored('q', id, 1)], {id: ('link', 0, 60), 'link': ('link', 0, 60)}, missing=missing)
            for part in (repr(id), 'is ambiguous', "a part of 'link'", 'rename it in the table, or percent-encode'):
                assert part in str(caught.value)

    def test_other_ids_of_the_table_may_read_as_segments(self) -> None:
        assert resolve([Scored('q', 'x', 1)], {'x': ('v', 1, 2), 'y#t=30': ('v', 1, 2)})[0].doc_id == 'v#t=1,2'

    @pytest.mark.parametrize('ids', [('x', 'y'), ('x', 'v#t=1,2'), ('x', 'v#t=0,1', 'y')])
    def test_two_ids_of_a_dict_that_become_one(self, ids: tuple[str, ...]) -> None:
        table = {'x': ('v', 1, 2), 'y': ('v', 1.0, 2.0)}
        with pytest.raises(ValueError, match="query 'q2' has two ids that are the same segment"):
            resolve({'q1': {'x': 1}, 'q2': dict.fromkeys(ids, 1)}, table)
        assert resolve({'q1': {'x': 1}, 'q2': {'y': 1}}, table) == {'q1': {'v#t=1,2': 1}, 'q2': {'v#t=1,2': 1}}
        assert len(resolve(run_of(*ids), table)) == len(ids)

    def test_an_extent_that_is_no_segment(self) -> None:
        with pytest.raises(ValueError, match='ends at or after its start'):
            resolve([Scored('q', 'x', 1)], {'x': ('v', 5, 4)})
        with pytest.raises(ValueError, match=r"'v#t=200' starts at 200, after the end of its document at 100\.5"):
            resolve([Scored('q', 'v#t=200', 1)], self.TABLE)

    def test_passage_numbers(self) -> None:
        rows = [Scored('q', 7, 1)]
        for shape in (list, frame):
            assert listed(from_run(resolve(shape(rows), {7: ('v', 1, 2)}))) == [('q', 'v', 1, 2, 1, 't')]

    @pytest.mark.parametrize('id, extent', [('v#char=10,', Segment('v', 0, 60, 't')), ('v#char=10,', ('v', 0, 60)),
                                            ('v#t=10', Segment('v', 0, 60, 'char'))])
    def test_an_end_in_another_unit(self, id: str, extent: Any) -> None:
        with pytest.raises(ValueError):
            resolve([Scored('q', id, 1)], {'v': extent})

    def test_an_end_in_another_document(self) -> None:
        # shot1_2 is 2.5 seconds long: what begins 1 second into it cannot end at 12.5 of the shot.
        with pytest.raises(ValueError):
            resolve([Scored('q', 'shot1_2#t=1', 1)], self.TABLE)


@pytest.mark.parametrize('value', [1 + 2j, np.complex64(1), np.datetime64('2020-01-01'), np.timedelta64(1, 's')])
@pytest.mark.parametrize('make', [lambda values: values, np.asarray, lambda values: pd.Series(values, dtype=object),
                                  lambda values: np.asarray(values, dtype=object)])
def test_what_numpy_makes_numbers_of_without_a_word(value: Any, make: Callable[[list[Any]], Any]) -> None:
    for name in ('start', 'end', 'score'):
        columns = {'query_id': ['q'], 'doc_id': ['v'], 'start': [0], 'end': [5], 'score': [1], name: make([value])}
        with pytest.raises(RowError, match=f'row 0 of the run: the {name} .* is not a number: give every row'):
            from_run(columns)


@given(st.lists(st.tuples(st.sampled_from('abc'), st.sampled_from([-1.5, -0.0, 0.0, 1.0, 2.0 ** 60, inf, -inf]))))
def test_ranks_are_by_score_and_ties_stay(rows: list[tuple[str, float]]) -> None:
    table = from_run([ir_measures.ScoredDoc(query, f'd{i}#t=0,1', score) for i, (query, score) in enumerate(rows)])
    queries = list(dict.fromkeys(query for query, _ in rows))
    expected = sorted(range(len(rows)), key=lambda i: (queries.index(rows[i][0]), -rows[i][1]))  # sorted() is stable
    assert table.row.tolist() == expected
