"""Positions are the decimals that they were written as, whether they come in ids or in columns, as what type ever."""

import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import ESL, T2I_AP, AP_over, MAiSP, R_cov, SegF, SegmentTable, measures, segmeasures, with_ids
from ir_segmeasures.evaluation.ground import Ground
from ir_segmeasures.evaluation.judgements import Judgements
from ir_segmeasures.evaluation.run_on_axis import runs_on_axes
from ir_segmeasures.segments.tables.columns import RowError
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.positions import exact_decimals

MEASURES = [T2I_AP, AP_over, ESL(D=10 ** 9), MAiSP, SegF, R_cov, measures.AP_bin(bin=10 ** 6), measures.IoU_AP(iou=0.5)]


class Timed(NamedTuple):
    query_id: str
    doc_id: str
    start: Any
    length: Any
    relevance: Any


@st.composite
def sums(draw: st.DrawFn) -> float:
    """A sum of decimals with at most six places, in floating point, and its noise."""
    places = draw(st.integers(0, 6))
    terms = draw(st.lists(st.integers(0, draw(st.sampled_from([9, 99, 10 ** 7]))), min_size=1, max_size=6))
    return sum(term / 10 ** places for term in terms)


@st.composite
def frames(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Qrels and a run whose ends are sums, so that neighbours touch but for the noise."""
    def rows(n: int) -> list[tuple[float, float]]:
        found, last = [], 0.0
        for _ in range(n):
            start = draw(st.one_of(st.just(last), sums()))
            last = start + draw(sums())
            found.append((start, last))
        return found
    judged, items = rows(draw(st.integers(1, 5))), rows(draw(st.integers(1, 5)))
    judged = [(start, end) for start, end in judged if end - start > 1e-4] or [(0.1, 0.1 + 0.2)]
    qrels = pd.DataFrame(judged, columns=['start', 'end']).assign(query_id='q', doc_id='v', relevance=1)
    run = pd.DataFrame(items, columns=['start', 'end']).assign(query_id='q', doc_id='v')
    return qrels, run.assign(score=-np.arange(len(items)))


class TestOneRule:
    @given(frames())
    def test_frames_and_their_ids_agree(self, data: tuple[pd.DataFrame, pd.DataFrame]) -> None:
        qrels, run = data
        for build, rows in ((SegmentTable.from_qrels, qrels), (SegmentTable.from_run, run)):
            columns, ids = build(rows), build(with_ids(rows))
            assert columns.start.tolist() == ids.start.tolist()
            assert columns.end.tolist() == ids.end.tolist()
        assert segmeasures.calc_aggregate(MEASURES, qrels, run) == segmeasures.calc_aggregate(
            MEASURES, with_ids(qrels), with_ids(run))

    @given(st.integers(0, 10 ** 15 - 1), st.integers(0, 10 ** 15 - 1))
    def test_decimals_stay_as_they_are(self, nanos: int, micros: int) -> None:
        some = [float(f'{nanos // 10 ** 9}.{nanos % 10 ** 9:09}'), float(f'{micros // 10 ** 6}.{micros % 10 ** 6:06}')]
        assert exact_decimals(np.array(some)).tolist() == some

    @given(st.lists(st.integers(0, 10 ** 9), min_size=2, max_size=5), st.integers(0, 9))
    def test_sums_become_the_decimal(self, terms: list[int], places: int) -> None:
        total, value = float(Fraction(sum(terms), 10 ** places)), sum(term / 10 ** places for term in terms)
        if total < 10 ** 6 or places <= 6:
            assert exact_decimals(np.array([value, 0.5])).tolist() == [total, 0.5]

    def test_touching_spans_are_one(self) -> None:
        qrels = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [.7, .8], 'end': [.7 + .1, 1.], 'relevance': 1})
        run = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [0.], 'end': [1.], 'score': 1})
        assert segmeasures.calc_aggregate([T2I_AP], qrels, run) == {T2I_AP: 1}

    def test_what_ends_where_a_span_starts_shares_nothing(self) -> None:
        qrels = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [.3], 'end': [1.], 'relevance': 1})
        run = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [0.], 'end': [.1 + .2], 'score': 1})
        assert segmeasures.calc_aggregate([AP_over], qrels, run) == {AP_over: 0}

    @pytest.mark.parametrize('length, first', [
        *((length, first) for length in (0.07, 1001 / 30000, 2.31, 1 / 3) for first in (0, 12.34, 999_990)),
        (0.07, 1_700_000_000), (2.31, 1_700_000_000)])
    def test_neighbours_are_one_span(self, length: float, first: float) -> None:
        starts = [first + length * i for i in range(400)]
        qrels = [Timed('q', 'v', start, length, 1) for start in starts]
        frame = pd.DataFrame(qrels)
        ends = frame.assign(end=frame.start + frame.length).drop(columns='length')
        for rows in (qrels, frame, ends, with_ids(qrels)):
            table = SegmentTable.from_qrels(rows)
            match = Match(table, SegmentTable.from_run([]))
            assert [axis.R.tolist() for _, axis in runs_on_axes(match, Judgements(table, Ground()), 0)] == [[1]]

    def test_ids_follow_it_too(self) -> None:
        run = {'q': {'v#t=0.30000000000000004,1': 1, 'w#xpath=/a[1]&t=0.1,0.30000000000000004': 1}}
        table = SegmentTable.from_run(run)
        assert (table.start.tolist(), table.end.tolist()) == ([.3, .1], [1, .3])

    @pytest.mark.parametrize('column', [
        pd.Series([12.1, 0.7], dtype='float32'), pd.Series([12.1, 0.7], dtype='Float32'),
        pd.Series([12.1, 0.7], dtype='float32').astype('category'), pd.Series([12.1, 0.7]).astype('category'),
        pd.Series([np.float32(12.1), 0.7], dtype=object), pd.Series(['12.1', '0.7']),
        pd.Series(['12.1', '0.7'], dtype='string')], ids=str)
    def test_single_precision(self, column: Any) -> None:
        frame = pd.DataFrame({'query_id': 'q', 'doc_id': ['v', 'w'], 'start': column, 'end': 20, 'score': 1})
        assert SegmentTable.from_run(frame).start.tolist() == [12.1, 0.7]

    @pytest.mark.parametrize('kind', ['float', 'double', 'halffloat', 'dictionary'])
    def test_arrow(self, kind: str) -> None:
        arrow = pytest.importorskip('pyarrow')
        types = {'float': arrow.float32(), 'double': arrow.float64(), 'halffloat': arrow.float16(),
                 'dictionary': arrow.dictionary(arrow.int32(), arrow.float32())}
        values = pd.Series([12.1, 0.7], dtype='float16' if kind == 'halffloat' else 'float32')
        column = values.astype('float64') if kind == 'double' else values
        typed = (pd.Series(pd.array(column, dtype=pd.ArrowDtype(types[kind]))) if kind != 'dictionary' else
                 pd.Series(arrow.array(column.to_numpy()).dictionary_encode(), dtype=pd.ArrowDtype(types[kind])))
        frame = pd.DataFrame({'query_id': 'q', 'doc_id': ['v', 'w'], 'start': typed, 'end': 20, 'score': 1})
        expected = [12.1, 0.7] if kind != 'double' else exact_decimals(column.to_numpy()).tolist()
        assert SegmentTable.from_run(frame).start.tolist() == expected

    def test_single_numbers_among_others_in_tuples(self) -> None:
        rows = [Timed('q', 'v', np.float32(12.1), 1, 1), Timed('q', 'v', 0.7, np.float32(0.1), 1)]
        table = SegmentTable.from_qrels(rows)
        assert (table.start.tolist(), table.end.tolist()) == ([12.1, 0.7], [13.1, 0.8])


class TestTooLarge:
    @pytest.mark.parametrize('start, end', [(0, 2 ** 53 + 1), (10 ** 15, 10 ** 15 + 1), (1e15, inf), (5, 1e18)])
    def test_refused(self, start: Any, end: Any) -> None:
        frame = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [start], 'end': [end], 'score': 1})
        with pytest.raises(RowError, match=r"document 'v': start .* and end .* are too large, since positions are num"):
            SegmentTable.from_run(frame)

    def test_the_largest(self) -> None:
        frame = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': [0], 'end': [10 ** 15 - 1], 'score': 1})
        assert SegmentTable.from_run(frame).end.tolist() == [10 ** 15 - 1]


class TestImmutable:
    RUN = pd.DataFrame({'query_id': 'q', 'doc_id': ['v', 'w'], 'start': [0., 1.], 'end': [2., 3.], 'score': [1., 2.]})

    def test_neither_names_nor_arrays_change(self) -> None:
        table = SegmentTable.from_run(self.RUN)
        with pytest.raises(FrozenInstanceError):
            table.start = table.end  # type: ignore[misc]
        for column in (table.query, table.document, table.start, table.end, table.unit, table.value, table.row):
            with pytest.raises(ValueError):
                column[0] = 5

    def test_nor_does_the_frame_below(self) -> None:
        frame = self.RUN.copy()
        table = SegmentTable.from_qrels(frame.rename(columns={'score': 'relevance'}))
        frame['start'] += 1
        frame.loc[0, 'start'] = 7
        assert table.start.tolist() == [0, 1]

    def test_rows_are_always_numbered(self) -> None:
        assert SegmentTable.from_run(self.RUN).row.tolist() == [1, 0]
        assert SegmentTable.from_run(self.RUN[::-1]).row.tolist() == [0, 1]

    def test_another_unit_makes_another_table(self) -> None:
        table = SegmentTable.from_run(self.RUN)
        assert (table.in_unit('char').unit.tolist(), table.unit.tolist()) == ([1, 1], [-1, -1])

    def test_pickling(self) -> None:
        table = pickle.loads(pickle.dumps(SegmentTable.from_run(self.RUN)))
        assert table.start.tolist() == [1, 0]
        assert segmeasures.calc_aggregate([T2I_AP], self.RUN.rename(columns={'score': 'relevance'}), table)
