"""A run or qrels as columns: every form of an id, the order of ranks, types of columns, and errors about bad rows."""

import copy
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from decimal import Decimal
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from strategies import decimal_texts, document_ids, examples, plain_ids, whole_texts

from ir_segmeasures import SegmentTable, parse_segment
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.columns import RowError
from ir_segmeasures.segments.tables.positions import exact_decimals

from_run, from_qrels = SegmentTable.from_run, SegmentTable.from_qrels
Row = tuple[str, str, float, float, float, str | None]


def listed(table: SegmentTable) -> list[Row]:
    """The rows of a table: query, document, start, end, value, unit."""
    return [(table.query_ids[query], table.document_ids[document], start, end, value,
             None if unit < 0 else UNITS[unit])
            for query, document, start, end, value, unit in zip(
                table.query.tolist(), table.document.tolist(), table.start.tolist(), table.end.tolist(),
                table.value.tolist(), table.unit.tolist())]


def run_of(*ids: Any, **columns: Any) -> dict[str, list[Any]]:
    """A run of one query as a dict of columns, with these ids in rank order; a column of one value has it in each row.
    """
    count = len(ids)
    return {'query_id': ['q'] * count, 'doc_id': list(ids), 'score': [-float(rank) for rank in range(count)],
            **{name: value if isinstance(value, list) else [value] * count for name, value in columns.items()}}


def shapes(columns: dict[str, list[Any]]) -> list[Any]:
    """The rows as frames of pandas, with columns of the types it chooses and of objects, and as named tuples."""
    Fields: Any = NamedTuple('Fields', [(name, Any) for name in columns])  # type: ignore[misc]
    objects = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    try:
        chosen = pd.DataFrame(columns)
    except OverflowError:  # of pandas 2, for whole numbers beyond all floats
        chosen = objects
    return [columns, chosen, objects, [Fields(*row) for row in zip(*columns.values())]]


def refused(rows: Any, row: int, *parts: str, build: Callable[[Any], Any] = from_run) -> None:
    """The error about a bad row names it, and says all the parts."""
    for shape in shapes(rows) if isinstance(rows, dict) else [rows]:
        with pytest.raises(RowError) as caught:
            build(shape)
        assert str(caught.value) == f'row {row} of the {caught.value.kind}: {caught.value.sentence}'
        assert [part for part in parts if part not in caught.value.sentence] == []


def in_arrow(columns: dict[str, list[Any]]) -> Iterator[Any]:
    """The rows as frames whose texts Arrow holds: in strings, in large ones, in views of them, in several blocks."""
    try:
        import pyarrow
        table = pyarrow.table(columns)
    except (ImportError, UnicodeEncodeError):  # half a character, which Arrow does not hold
        return
    for kind in ('string', 'large_string', *(['string_view'] if hasattr(pyarrow, 'string_view') else [])):
        table = table.set_column(1, 'doc_id', table.column('doc_id').cast(kind))
        yield table
        yield pyarrow.concat_tables([table[:1], table[1:]])
    yield table.to_pandas()


class TestRows:
    def test_ids(self) -> None:
        rows = {'query_id': ['b', 'a', 'b'], 'doc_id': ['v1#t=12.5,60', 'v2#t=0,5', 'v1#t=1,2'], 'score': [1, 2.5, 3],
                'relevance': [1, 2, 0], 'note': ['', '', '']}
        for shape in shapes(rows):
            run, qrels = from_run(shape), from_qrels(shape)
            assert listed(run) == [
                ('b', 'v1', 1, 2, 3, 't'), ('b', 'v1', 12.5, 60, 1, 't'), ('a', 'v2', 0, 5, 2.5, 't')]
            assert [row[2:5] for row in listed(qrels)] == [(12.5, 60, 1), (0, 5, 2), (1, 2, 0)]
            assert (run.kind, run.query_ids, run.document_ids, run.row.tolist()) == (
                'run', ['b', 'a'], ['v1', 'v2'], [2, 0, 1])
            assert from_run(run) is run

    def test_columns(self) -> None:
        for shape in shapes(run_of('v1', 'v#1', start=[0.1, 0], length=[0.2, 0])):
            assert listed(from_run(shape)) == [('q', 'v1', 0.1, 0.3, 0, None), ('q', 'v#1', 0, 0, -1, None)]
        for shape in shapes(run_of('v', 'v', start=5, end=[9, inf], length=7)):
            assert [row[2:4] for row in listed(from_run(shape))] == [(5, 9), (5, inf)]

    def test_whole_documents_and_repeats(self) -> None:
        for shape in shapes(run_of('v1', 'v#1', 'v1')):
            assert [row[1:5] for row in listed(from_run(shape))] == [
                ('v1', 0, inf, 0), ('v#1', 0, inf, -1), ('v1', 0, inf, -2)]

    def test_dicts_keep_queries_without_documents(self) -> None:
        rows = {'q3': {}, 'q1': {'v#t=1,2': 1}, 2: {}}
        for build in (from_run, from_qrels):
            assert build(rows).query_ids == ['q3', 'q1', '2']
            assert listed(build(rows)) == [('q1', 'v', 1, 2, 1, 't')]

    @pytest.mark.parametrize('rows', [[], (), {}, iter(()), *(
        pd.DataFrame(columns=['query_id', 'doc_id', 'score', 'relevance', *times], dtype=kind)
        for times in ([], ['start', 'end'], ['start', 'length'])
        for kind in (object, 'str', 'category', float, 'Int64'))])
    def test_no_rows(self, rows: Any) -> None:
        for build in (from_run, from_qrels):
            table = build(rows)
            assert listed(table) == table.query_ids == table.document_ids == []
            assert {column.dtype for column in (table.start, table.end, table.value)} == {np.dtype(float)}

    def test_tables_stay_as_they_are(self) -> None:
        table = from_run(run_of('v#t=1,2', 'w#t=1,2'))
        with pytest.raises(FrozenInstanceError):
            table.start = table.end  # type: ignore[misc]
        for column in (table.query, table.document, table.start, table.end, table.unit, table.value, table.row):
            with pytest.raises(ValueError):
                column[0] = 5
        assert table.in_unit('char').unit.tolist() == [1, 1]
        for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
            assert listed(again) == listed(table)

    def test_a_relevance_below_0_is_no_judgement(self) -> None:
        qrels = from_qrels({'q': {'v#t=1,2': 1, 'w#t=1,2': -1, 'x#t=1,2': 0, 'y#t=2,2': 0}})
        assert qrels.relevant_rows(-inf).tolist() == [0, 2]
        assert qrels.relevant_rows(1).tolist() == [0]

    @given(st.lists(st.tuples(st.sampled_from('abc'), st.sampled_from((1, 2, 2.5, -1, 0, -0., 2. ** 60, inf, -inf)))))
    @examples(4)
    def test_a_stable_sort_within_each_query(self, scored: list[tuple[str, float]]) -> None:
        table = from_run({'query_id': [query for query, _ in scored], 'doc_id': [f'v#t={i},{i}' for i in range(
            len(scored))], 'score': [score for _, score in scored]})
        queries = list(dict.fromkeys(query for query, _ in scored))
        expected = sorted(range(len(scored)), key=lambda i: (queries.index(scored[i][0]), -scored[i][1]))
        assert (table.query_ids, table.start.tolist(), table.row.tolist()) == (queries, expected, expected)
        # An error names the row of the input, whatever the order of ranks.
        assert [table.error(row, '').row for row in range(len(table))] == expected


class TestTypes:
    """Columns of every type."""

    @pytest.mark.parametrize('dtype', [object, 'str', 'string', 'category'], ids=str)
    def test_texts(self, dtype: Any) -> None:
        ids = pd.Series(['v1#t=1,2', 'v2#t=1:00,2:00', 'v1'], dtype=dtype)
        table = from_run(pd.DataFrame({'query_id': pd.Series(['b', 'a', 'b'], dtype=dtype), 'doc_id': ids, 'score': 1}))
        assert listed(table) == [('b', 'v1', 1, 2, 1, 't'), ('b', 'v1', 0, inf, 1, None), ('a', 'v2', 60, 120, 1, 't')]
        assert {type(id) for id in table.query_ids + table.document_ids} == {str}
        for name in ('query_id', 'doc_id'):
            frame = pd.DataFrame(run_of('v#t=1,2', 'w')).assign(**{name: pd.Series(['v#t=1,2', None], dtype=dtype)})
            refused(frame, 1, f'the {name} ', 'is not a string: give every row an id')

    @pytest.mark.filterwarnings('ignore:overflow')  # pandas, when it shows half precision
    @pytest.mark.parametrize('column', [
        *(pd.Series([12.1, 0.7], dtype=dtype) for dtype in ('float16', 'float32', 'float64', 'Float32', 'Float64')),
        pd.Series([12.1, 0.7], dtype='float32').astype('category'), pd.Series([12.1, 0.7]).astype('category'),
        *(pd.Series(values, dtype=object) for values in (
            [np.float32(12.1), 0.7], [Decimal('12.1'), '0.7'], [np.float16(12.1), np.float32(.7)])),
        pd.Series(['12.1', '0.7']), pd.Series(['0:12.1', '0:00.7']), [np.float32(12.1), .7], ['12.1', Decimal('0.7')],
        np.array([12.1, .7], np.float32)], ids=lambda column: str(getattr(column, 'dtype', column)))
    def test_decimals_as_written(self, column: Any) -> None:
        rows = {'query_id': ['q'] * 2, 'doc_id': ['v', 'w'], 'start': column, 'end': [20, 20], 'score': [1, 0]}
        for shape in (rows, *([pd.DataFrame(rows)] if hasattr(column, 'dtype') else [])):
            assert from_run(shape).start.tolist() == [12.1, 0.7]

    @pytest.mark.parametrize('value', [1 + 2j, np.complex64(1), np.datetime64('2020-01-01'), np.timedelta64(1, 's')])
    @pytest.mark.parametrize('name', ['start', 'end', 'score'])
    def test_what_numpy_makes_numbers_of_without_a_word(self, value: Any, name: str) -> None:
        for make in (list, np.asarray, lambda values: pd.Series(values, dtype=object), pd.Series):
            rows = {**run_of('v', start=[0], end=[5]), name: make([value])}
            with pytest.raises(RowError, match=f'row 0 of the run: the {name} .* is not a number'):
                from_run(rows)

    @pytest.mark.parametrize('id', [None, 1.5, nan, True, np.float64(1), ('v',), pd.NA, pd.NaT, 10 ** 5000], ids=quoted)
    @pytest.mark.parametrize('others', ['w#t=1,2', 'w#t=1:00,2:00', 'w', 7])
    def test_ids_that_are_no_text(self, id: Any, others: Any) -> None:
        for shape in shapes(run_of(others, others, id, others))[2:]:
            refused(shape, 2, 'the doc_id ', 'is not a string: give every row an id')
        for shape in shapes(run_of('v', 'v', 'v', query_id=['q', 'q', id]))[2:]:
            refused(shape, 2, 'the query_id ', 'is not a string: give every row an id')


class TestIds:
    """The id is the truth, in a column that is read at once and in one that is read id by id."""
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
        rows = {'query_id': list(map(str, range(len(ids)))), 'doc_id': ids, 'relevance': [1] * len(ids)}
        expected = []
        for i, id in enumerate(ids):
            try:
                expected.append(parse_segment(id))
            except ValueError as error:
                for shape in (rows, *in_arrow(rows)):
                    refused(shape, i, str(error), build=from_qrels)
                return
        with pytest.MonkeyPatch.context() as patch:
            patch.delitem(sys.modules, 'pyarrow', raising=False)
            without_arrow = from_qrels(rows)
        for table in (without_arrow, *map(from_qrels, (*shapes(rows), *in_arrow(rows)))):
            assert [(row[1], *row[2:4], row[5]) for row in listed(table)] == [
                (segment.document, *exact_decimals(np.array(segment[1:3], float)), segment.unit)
                for segment in expected]
            assert (table.paths or [None] * len(ids)) == [segment.path for segment in expected]

    @given(st.lists(forms, min_size=1, max_size=5))
    @examples(8)
    def test_any_mixture(self, ids: list[str]) -> None:
        self.check(ids)

    @given(st.sampled_from(UNITS).flatmap(lambda unit: st.lists(plain_ids(units=[unit]), min_size=1, max_size=6)))
    @examples(4)
    def test_plain_ids(self, ids: list[str]) -> None:
        self.check(ids)

    @given(st.lists(plain_ids(st.sampled_from(['v', 'é', '文書']), ['t']), min_size=1, max_size=3)
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

    @pytest.mark.parametrize('ids', [
        ['v#t=.5,1.', 'v#t=007,008.50'], ['文書#t=1,2', 'é,#t=3,4'], ['v#t=1,2', 'v#t=3,4,5#t=6', '7'],
        ['7', '8#t=9,2,3#t=4'], ['v#t=1,2\n', 'v#t=1,2'], ['v#t=1,2', 'a b'],
        ['v#t=1:00,2:00', ''], ['w#t=1,2', f'v#t=0,{"9" * 5000}'], ['v#t=5,2', 'w#t=1,2'], ['v#t=1,2', 'w#t='],
        ['v#t=1,2', f'v#t=0.{"3" * 40},1']], ids=lambda ids: ascii(ids)[:40])
    def test_each_is_read_as_by_itself(self, ids: list[str]) -> None:
        self.check(ids)

    @pytest.mark.parametrize('name', ['query_id', 'doc_id'])
    def test_control_characters(self, name: str) -> None:
        for id in ('a\0b', '\ufeffa', 'a\u2028b'):
            refused({**run_of('v', 'v', start=1, end=2), name: ['v', id]}, 1)


class TestColumns:
    """Columns count where ids are bare."""

    @pytest.mark.filterwarnings('error::RuntimeWarning')
    @pytest.mark.parametrize('start, end', [(7, 9), (nan, nan), (9, 7), (-1, nan), (None, None), (inf, 0), ('', 'x')])
    @pytest.mark.parametrize('id', ['v#t=60,120', 'v#t=1:00,2:00', 'v#xpath=/a&t=60,120'])
    def test_the_id_wins(self, id: str, start: Any, end: Any) -> None:
        for columns in ({'start': start, 'end': end}, {'start': start, 'length': end}, {'start': start}, {'end': end}):
            for shape in shapes(run_of(id, **columns)):
                assert listed(from_run(shape)) == [('q', 'v', 60, 120, 0, 't')]

    @pytest.mark.parametrize('id, start', [('link#t=30', '30'), ('link#char=30,', '30'), ('link#t=1:30', '90')])
    def test_an_open_end_beside_an_end(self, id: str, start: str) -> None:
        for columns in ({'end': 9}, {'length': 9}):
            refused(run_of('v#t=1,2', id, start=5, **columns), 1, f'{id!r} is ambiguous', f'from {start} to its end',
                    'a document of that name', 'percent-encode its last #')
        for missing in (nan, None):
            for shape in shapes(run_of(id, start=30, end=missing)):
                assert from_run(shape).end.tolist() == [inf]

    @pytest.mark.parametrize('columns', [
        *({'start': start, 'end': end} for start, end in (
            (5, nan), (nan, 5), (None, 5), (5, None), (5, 4), (-1, 4), (-inf, 5), (-1e-9, 5), (inf, inf))),
        *({'start': start, 'length': length} for start, length in ((5, -1), (5, nan), (nan, 5), (-1, 5), (5, None)))],
        ids=str)
    def test_no_segment(self, columns: dict[str, Any]) -> None:
        bad = {name: [0, 0, value, 0] for name, value in columns.items()}
        refused(run_of('v', 'v', 'v9', 'v', **bad), 2, "query 'q', document 'v9': start ", 'give both, in order')

    @pytest.mark.parametrize('start, end', [(0, 2 ** 53 + 1), (10 ** 15, 10 ** 15 + 1), (1e15, inf), (5, 1e18)])
    def test_too_large(self, start: Any, end: Any) -> None:
        refused(run_of('v', start=start, end=end), 0, 'are too large, since positions are numbers below 10^15')

    @pytest.mark.parametrize('columns, name', [({'start': 5}, 'start'), ({'end': 5}, 'end'),
                                               ({'end': 5, 'length': 2}, 'end')])
    def test_half_a_pair(self, columns: dict[str, Any], name: str) -> None:
        refused(run_of('v#t=1:00,2:00', 'v', **columns), 1, repr(name), "'start' with 'end' or 'length': add the other")

    def test_a_point_beside_a_clock(self) -> None:
        rows = pd.DataFrame({'query_id': 'q', 'doc_id': ['v', 'w'], 'start': ['0:31', '1.30'], 'end': 200, 'score': 1})
        refused(rows, 1, "'1.30' is either seconds, or '1:30'")
        refused(rows.assign(start=['12:xx', '1.30']), 0, "the start '12:xx' is not a number")

    @pytest.mark.parametrize('name', ['start', 'end', 'score'])
    @pytest.mark.parametrize('bad', ['', 'x', '1m30s', '12,5', (), {}, [1, 2], 10 ** 400], ids=lambda bad: str(bad)[:9])
    def test_no_number(self, name: str, bad: Any) -> None:
        rows = {**run_of('v', 'v', 'v', start=0, end=1), name: [1, bad, 1]}
        refused(rows, 1, f'the {name} ', 'give a smaller number' if bad == 10 ** 400 else 'give every row a number')

    @pytest.mark.parametrize('bad', [nan, None, Decimal('nan'), pd.NA, np.float32(nan)], ids=repr)
    def test_missing_values(self, bad: Any) -> None:
        for name, build in (('score', from_run), ('relevance', from_qrels)):
            rows = {'query_id': ['q', 'q'], 'doc_id': ['v', 'v'], name: [1, bad]}
            refused(rows, 1, f'the {name} ', 'not a number: give every row a number', build=build)


class TestUnits:
    """One unit in a document of a query; ids or columns, not both."""

    @pytest.mark.parametrize('ids, row', [
        (['v', 'v#t=1,2'], 1), (['v#t=1,2', 'v'], 1), (['v#t=1,2', 'w', 'x'], 1), (['v', 'w', 'x#char=1,2'], 2)])
    def test_ids_and_columns(self, ids: list[str], row: int) -> None:
        refused(run_of(*ids, start=5, end=9), row, 'segment ids and bare documents with start and end')

    @pytest.mark.parametrize('ids', [['v#t=1,2', 'w#t=1,2', 'v#char=1,2'], ['v#word=1,2', 'w#t=1,2', 'v#char=1'],
                                     ['v#t=1,2', 'v', 'v#xpath=/a&char=1,2']])
    def test_two_in_one_document_of_one_query(self, ids: list[str]) -> None:
        units = (repr(parse_segment(id).unit) for id in (ids[0], ids[2]))
        refused(run_of(*ids), 2, "query 'q', document 'v': ", *units, 'give all of them in one unit')

    def test_others(self) -> None:
        rows = {'q1': {'v#t=1,2': 1, 'w#char=1,2': 1, 'x': 1}, 'q2': {'v#word=1,2': 1}}
        assert [row[5] for row in listed(from_qrels(rows))] == ['t', 'char', None, 'word']


class TestErrors:
    def test_rows_are_those_of_the_input(self) -> None:
        table = from_run({'query_id': ['q', 'p', 'q'], 'doc_id': ['v#t=1,2', 'v#t=3,4', 'v#t=5,6'], 'score': [1, 1, 2]})
        error = table.error(0, 'it is late: wait')
        assert str(error) == "row 2 of the run: query 'q', document 'v': it is late: wait"
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert (again.kind, again.row, again.sentence, str(again)) == ('run', 2, error.sentence, str(error))
        refused(run_of('v', 'v', 'v#t=x', 'v#t=x'), 2, "'x' as a position")
        with pytest.raises(ValueError, match='row 3 of the qrels: segment id '):
            from_qrels({'q1': {'v': 1, 'w': 1}, 'q2': {}, 'q3': {'x': 1, 'y#t=x': 1}})

    def test_elements_without_offsets(self) -> None:
        rows = {'q': {'a#xpath=/b[1]': 1}}
        assert SegmentTable.from_qrels(rows, elements=True).paths == ['/b[1]']
        refused(SegmentTable.from_qrels(rows, elements=True), 0, "'/b[1]' has no offsets", build=from_qrels)
        with pytest.raises(RowError, match='without its offsets'):
            from_qrels(rows)
