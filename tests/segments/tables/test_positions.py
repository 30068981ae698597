"""Positions are the decimals that they were written as, whether they come in ids or in columns, as what type ever."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import AP_over, SegmentTable, segmeasures, with_ids
from ir_segmeasures.evaluation.axis import Ground
from ir_segmeasures.evaluation.judgements import Judgements
from ir_segmeasures.evaluation.run_on_axis import runs_on_axes
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.positions import exact_decimals


class Timed(NamedTuple):
    query_id: str
    doc_id: str
    start: Any
    length: Any
    relevance: Any


class TestOneRule:

    @given(st.integers(0, 10 ** 15 - 1), st.integers(0, 10 ** 15 - 1))
    def test_decimals_stay_as_they_are(self, nanos: int, micros: int) -> None:
        some = [float(f'{nanos // 10 ** 9}.{nanos % 10 ** 9:09}'), float(f'{micros // 10 ** 6}.{micros % 10 ** 6:06}')]
        assert exact_decimals(np.array(some)).tolist() == some

    @given(st.lists(st.integers(0, 10 ** 9), min_size=2, max_size=5), st.integers(0, 9))
    def test_sums_become_the_decimal(self, terms: list[int], places: int) -> None:
        total, value = float(Fraction(sum(terms), 10 ** places)), sum(term / 10 ** places for term in terms)
        if total < 10 ** 6 or places <= 6:
            assert exact_decimals(np.array([value, 0.5])).tolist() == [total, 0.5]

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
