"""Runs and qrels in the shapes of other libraries are given back in them: resolved, aligned, as documents, in part."""

import ast
import dataclasses
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from row_shapes import SHAPES, records

from ir_segmeasures import SegmentTable, align, resolve, to_documents, with_ids, within_lengths
from ir_segmeasures.segments.tables import adapters
from ir_segmeasures.segments.tables.adapters import VALUE, Adapter, adapter_of
from ir_segmeasures.study import without_overlap

RUN = pd.DataFrame({'query_id': ['q1', 'q2', 'q1', 'q1'], 'doc_id': ['a#t=1,5', 'b#t=0.1,12.1', 'c#t=3,7', 'a#t=2,9'],
                    'score': [1, 3, 4, 2], 'rank': [3, 1, 1, 2], 'note': ['x', 'y', 'z', 'w']})
QRELS = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['a#t=2,4.25', 'b#t=0,5'], 'relevance': [1, 1]})
BARE = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['a', 'b'], 'score': [2., 1.], 'start': [0.5, 2],
                     'end': [12.1, 5.]})
SHOTS = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['s1', 's2'], 'score': [2., 1.]})
TABLE = {'s1': ('a-long-name.mp4', 0.5, 12.1), 's2': ('b', 2, 5)}

# What is done, and to which rows.
CHANGES: dict[str, tuple[Callable[[Any], Any], pd.DataFrame]] = {
    'resolve': (lambda rows: resolve(rows, TABLE), SHOTS),
    'with_ids': (with_ids, BARE),
    'align': (lambda rows: align(rows, QRELS), RUN),
    'to_documents': (to_documents, RUN),
    'to_documents, mean': (lambda rows: to_documents(rows, 'mean'), RUN),
    'to_documents, qrels': (to_documents, QRELS),
    'within_lengths': (lambda rows: within_lengths(rows, 0, 4), QRELS),
    'without_overlap': (without_overlap, RUN),
}
# What comes back of the shapes that do not stay: iterators are read, and what only gives Arrow is a table of it.
BACK = {'rows that make dicts': 'dicts', 'pyarrow, batch': 'pyarrow', 'pyarrow, reader': 'pyarrow'}


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


class TestShapes:
    """The rows are those of the frame of pandas, in the shape that was given."""

    @pytest.mark.parametrize('shape', SHAPES)
    @pytest.mark.parametrize('change', CHANGES)
    def test_they_come_back(self, shape: str, change: str) -> None:
        function, frame = CHANGES[change]
        result = function(SHAPES[shape](frame))
        assert plain(result) == records(function(frame))
        assert type(result) is type(SHAPES[BACK.get(shape, shape)](frame))

    @pytest.mark.parametrize('change', CHANGES)
    def test_the_rows_given_stay(self, change: str) -> None:
        function, frame = CHANGES[change]
        for shape in ('dicts', 'dict of columns', 'array of records'):
            rows = SHAPES[shape](frame)
            function(rows)
            assert plain(rows) == plain(SHAPES[shape](frame))

    def test_dataclasses_keep_their_fields(self) -> None:
        rows = [Hit('q1', 'a', 2, 0.5, 12.1)]
        assert with_ids(rows) == [Hit('q1', 'a#t=0.5,12.1', 2, 0.5, 12.1)]
        assert to_documents(rows) == [Hit('q1', 'a', 2, 0, float('inf'))]
        assert resolve(iter([Hit('q', 's1', 1)]), TABLE) == [Hit('q', 'a-long-name.mp4#t=0.5,12.1', 1)]

    def test_ranx(self) -> None:
        ranx = pytest.importorskip('ranx')
        run = ranx.Run({'q1': {'s1': 2.}, 'q2': {'s2': 1.}}, name='bm25')
        resolved = resolve(run, TABLE)
        assert isinstance(resolved, ranx.Run)
        assert resolved.name == 'bm25'
        assert resolved.to_dict() == {'q1': {'a-long-name.mp4#t=0.5,12.1': 2.}, 'q2': {'b#t=2,5': 1.}}
        assert to_documents(resolved).to_dict() == {'q1': {'a-long-name.mp4': 2.}, 'q2': {'b': 1.}}
        band = within_lengths(ranx.Qrels({'q1': {'a#t=1,3': 1, 'a#t=5,40': 2}, 'q2': {'b#t=0,30': 1}}), 0, 10)
        assert isinstance(band, ranx.Qrels)
        assert band.to_dict() == {'q1': {'a#t=1,3': 1}}

    def test_blocks_of_arrow(self) -> None:
        pyarrow = pytest.importorskip('pyarrow')
        blocks = pyarrow.table({name: SHOTS[name].tolist() for name in SHOTS}).to_batches(max_chunksize=1)
        assert resolve(blocks, TABLE).to_pylist() == records(resolve(SHOTS, TABLE))

    def test_rows_of_numpy_one_by_one(self) -> None:
        rows = list(SHAPES['array of records'](SHOTS))
        found = resolve(rows, TABLE)
        assert isinstance(found, list)
        assert [row['doc_id'] for row in found] == ['a-long-name.mp4#t=0.5,12.1', 'b#t=2,5']

    def test_records_of_several_arrays(self) -> None:
        rows = [row for id in ('s1', 's2-long')
                for row in np.array([('q', id, 1)], [('query_id', 'U1'), ('doc_id', f'U{len(id)}'), ('score', 'i4')])]
        found = without_overlap(resolve(rows, {'s1': TABLE['s1'], 's2-long': TABLE['s2']}))
        assert [row['doc_id'] for row in found] == ['a-long-name.mp4#t=0.5,12.1', 'b#t=2,5']

    def test_columns_of_polars(self) -> None:
        rows = resolve(iter(SHAPES['polars'](SHOTS)), TABLE)  # a frame that is walked gives its columns
        assert rows.to_pylist() == records(resolve(SHOTS, TABLE))

    def test_ids_may_be_longer_than_their_column(self) -> None:
        rows = np.array([('q', 's1', 1)], [('query_id', 'U1'), ('doc_id', 'U2'), ('score', 'i4')])
        assert resolve(rows, TABLE)['doc_id'].tolist() == ['a-long-name.mp4#t=0.5,12.1']

    def test_ids_that_become_one(self) -> None:
        with pytest.raises(ValueError, match="query 'q' has two ids that are the same segment, and a dict holds each"):
            resolve({'q': {'s1': 1, 's3': 2}}, {**TABLE, 's3': TABLE['s1']})


class TestRefused:
    """What cannot be taken is told as where runs are measured."""

    CALLS: tuple[Callable[[Any], Any], ...] = (
        lambda rows: resolve(rows, TABLE), with_ids, to_documents, lambda rows: align(rows, QRELS), without_overlap)

    @pytest.mark.parametrize('rows, sentence', [
        ('run.txt', 'the run is a str: read the file first'),
        (3, 'the run is a int: give a DataFrame'),
        (np.zeros((2, 3)), r'the run is a ndarray: name the columns, as pandas\.DataFrame'),
        ([('q', 'v', 1)], r'the run holds a tuple: name the columns, as pandas\.DataFrame'),
        ({'q': ['v']}, "the run has a list for query 'q': a dict of dicts holds"),
        (pd.DataFrame({'qid': ['q'], 'docno': ['v'], 'score': [1]}),
         r"the run lacks 'query_id', 'doc_id' \(it has qid, docno, score\): name the columns"),
        ([{'query_id': 'q', 'doc_id': 's1', 'score': 1}, Row('q', 's1', 1)],
         'the run holds rows with different fields'),
        ([{'query_id': 'q', 'doc_id': 's1', 'score': 1}, {'query_id': 'q', 'score': 1}], 'rows with different fields'),
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
    def test_no_rows(self, rows: Any, sentence: str) -> None:
        for call in self.CALLS:
            with pytest.raises((TypeError, ValueError), match=sentence):
                call(rows)

    def test_a_plan_of_polars(self) -> None:
        with pytest.raises(TypeError, match=r'the run is a LazyFrame: give its \.collect\(\)'):
            resolve(pytest.importorskip('polars').LazyFrame(records(SHOTS)), TABLE)

    def test_without_pyarrow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = SHAPES['pyarrow'](SHOTS)
        monkeypatch.setitem(sys.modules, 'pyarrow', None)
        with pytest.raises(ImportError, match=r"install 'ir_segmeasures\[scale\]', or give a list of dicts"):
            resolve(rows, TABLE)

    def test_columns_without_a_value(self) -> None:
        rows = {'query_id': ['q'], 'doc_id': ['s1']}
        with pytest.raises(ValueError, match=r"the run lacks 'score' \(it has query_id, doc_id\): name the columns"):
            SegmentTable.from_run(rows)
        assert resolve(rows, TABLE) == {**rows, 'doc_id': ['a-long-name.mp4#t=0.5,12.1']}  # which needs no score

    def test_qrels_are_named(self) -> None:
        with pytest.raises(TypeError, match='the qrels is a int'):
            within_lengths(3)


class TestKinds:
    """The caller says whether rows are a run or qrels; where he does not, a score makes them a run."""
    BOTH = pd.DataFrame([('q', 'v', 2.5, 1, 3, 1)],
                        columns=['query_id', 'doc_id', 'score', 'relevance', 'start', 'end'])

    @pytest.mark.parametrize('kind, sentence', [
        (None, 'row 0 of the run: '), ('run', 'row 0 of the run: '), ('qrels', 'row 0 of the qrels: ')])
    def test_rows_with_a_score_and_a_relevance(self, kind: str | None, sentence: str) -> None:
        for call in (with_ids, to_documents):
            with pytest.raises(ValueError, match=sentence):
                call(self.BOTH, kind=kind)
        with pytest.raises(ValueError, match=sentence):
            resolve(self.BOTH.assign(doc_id=[['v']]), TABLE, kind=kind)

    def test_the_value_that_a_kind_has(self) -> None:
        assert with_ids(QRELS)['doc_id'].tolist() == QRELS['doc_id'].tolist()
        with pytest.raises(ValueError, match="the run lacks 'score'"):
            with_ids(QRELS, kind='run')
        with pytest.raises(ValueError, match="the qrels lacks 'relevance'"):
            to_documents(RUN, kind='qrels')

    def test_dicts_of_dicts(self) -> None:
        rows = {'q': {'v#t=0,5': 1, 'v#t=7,9': 2}}
        assert to_documents(rows, 'sum') == {'q': {'v': 3}}
        assert to_documents(rows, 'sum', kind='qrels') == {'q': {'v': 2}}

    def test_another_kind(self) -> None:
        for call in (with_ids, to_documents):
            with pytest.raises(ValueError, match="kind='scores': rows are a 'run' or 'qrels'"):
                call(RUN, kind='scores')


class Lines(Adapter):
    """Lines of text with three fields: a shape that a test adds."""

    def __init__(self, rows: str, kind: str):
        lines = map(str.split, rows.splitlines())
        super().__init__([list(column) for column in zip(*lines)], kind, ('query_id', 'doc_id', VALUE[kind]),
                         lambda columns: ''.join(f'{" ".join(line)}\n' for line in zip(*columns)))

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return isinstance(rows, str) and '\n' in rows

    def read(self, names: Any) -> dict[str, Any]:
        return dict(zip(self.names, self.source))

    def _values(self, name: str) -> list[Any]:
        return list(self.read(())[name])

    def assign(self, columns: Any) -> Adapter:
        return self._with(list({**self.read(()), **columns}.values()))

    def take(self, rows: Any) -> Adapter:
        return self._with([[column[row] for row in rows] for column in self.source])


def test_a_shape_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapters, 'ADAPTERS', (*adapters.ADAPTERS, Lines))
    lines = 'q s1 2\nq s2 1\n'
    assert resolve(lines, TABLE) == 'q a-long-name.mp4#t=0.5,12.1 2\nq b#t=2,5 1\n'
    assert SegmentTable.from_run(resolve(lines, TABLE)).end.tolist() == [12.1, 5]
    assert without_overlap('q a#t=0,5 2\nq a#t=3,9 1\n') == 'q a#t=0,5 2\n'


def test_a_column_of_some_rows() -> None:
    rows: Iterable[Any] = [Row('q', 'v', 1), Hit('q', 'w', 2)]
    with pytest.raises(TypeError, match='different fields'):
        SegmentTable.from_run(adapter_of(rows))
