"""Operations on spans, against portion and against the definitions written out."""

from itertools import pairwise
from math import inf

import numpy as np
import portion
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, hundredths, times

from ir_segmeasures.segments.spans import (
    Spans,
    common_length,
    cut_out,
    first_ending_after,
    first_starting_from,
    in_order,
    merged_spans,
)

Interval = tuple[int, float, float]  # group, start, end

groups = st.integers(0, 3)
# Few distinct values, so that intervals touch and share boundaries all the time, and any decimals.
positions = st.one_of(st.integers(0, 8), st.integers(0, 80).map(lambda tenths: hundredths(tenths * 10)), times)
bounds = st.tuples(positions, positions).map(sorted)
interval = st.builds(lambda group, pair: (group, *pair), groups, bounds)
intervals = st.lists(interval, max_size=14)
contents = st.lists(interval.filter(lambda row: row[1] < row[2]), max_size=14)


def merged(rows: list[Interval]) -> Spans:
    """The spans of a list of intervals."""
    return merged_spans(np.array([row[0] for row in rows], np.intp), np.array([row[1] for row in rows], float),
                        np.array([row[2] for row in rows], float))


def listed(spans: Spans) -> list[Interval]:
    """The spans as a list of intervals."""
    return list(zip(spans.group.tolist(), spans.start.tolist(), spans.end.tolist()))


def union(rows: list[Interval], group: int) -> portion.Interval:
    """What the intervals of a group cover."""
    return portion.Interval(*(portion.closedopen(start, end) for g, start, end in rows if g == group))


def atoms(interval: portion.Interval) -> list[tuple[float, float]]:
    """The maximal pieces of an interval."""
    return [(atom.lower, atom.upper) for atom in interval if not atom.empty]


def size(interval: portion.Interval) -> float:
    """The length of an interval."""
    return sum(upper - lower for lower, upper in atoms(interval))


class TestMerge:
    """The union of any intervals."""

    @pytest.mark.parametrize('rows, spans', [
        ([], []),
        ([(0, 1, 2)], [(0, 1, 2)]),
        ([(0, 1, 2), (0, 2, 3)], [(0, 1, 3)]),
        ([(0, 2, 3), (0, 1, 2)], [(0, 1, 3)]),
        ([(0, 1, 2), (1, 2, 3)], [(0, 1, 2), (1, 2, 3)]),
        ([(1, 2, 3), (0, 1, 2)], [(0, 1, 2), (1, 2, 3)]),
        ([(0, 1, 9), (0, 2, 3), (0, 8, 10)], [(0, 1, 10)]),
        ([(0, 1, 9), (1, 2, 3), (0, 9.5, 10)], [(0, 1, 9), (0, 9.5, 10), (1, 2, 3)]),
        ([(0, 1, 2), (0, 1, 2)], [(0, 1, 2)]),
        ([(0, 0.1, 0.3), (0, 0.3, 0.7)], [(0, 0.1, 0.7)]),
        ([(0, 0, inf), (0, 3, 4), (1, 3, 4)], [(0, 0, inf), (1, 3, 4)]),
        ([(0, 3, inf), (0, 0, 1)], [(0, 0, 1), (0, 3, inf)]),
        ([(7, 1, 2), (2**40, 1, 2), (2**40, 2, 5)], [(7, 1, 2), (2**40, 1, 5)]),
    ])
    def test_cases(self, rows: list[Interval], spans: list[Interval]) -> None:
        assert listed(merged(rows)) == spans

    @pytest.mark.parametrize('rows, spans', [
        ([(0, 5, 5)], [(0, 5, 5)]),
        ([(0, 5, 5), (0, 5, 5)], [(0, 5, 5)]),
        ([(0, 5, 5), (0, 5, 8)], [(0, 5, 8)]),
        ([(0, 2, 5), (0, 5, 5)], [(0, 2, 5)]),
        ([(0, 2, 8), (0, 5, 5)], [(0, 2, 8)]),
        ([(0, 5, 5), (1, 5, 8)], [(0, 5, 5), (1, 5, 8)]),
        ([(0, 2, 5), (0, 5, 5), (0, 5, 8)], [(0, 2, 8)]),
    ])
    def test_entry_points(self, rows: list[Interval], spans: list[Interval]) -> None:
        assert listed(merged(rows)) == spans

    def test_a_gap_of_one_bit_stays(self) -> None:
        after = np.nextafter(0.3, 1)
        assert listed(merged([(0, 0, 0.3), (0, after, 1)])) == [(0, 0, 0.3), (0, after, 1)]

    @given(intervals)
    @examples(6)
    def test_against_portion(self, rows: list[Interval]) -> None:
        spans = listed(merged(rows))
        content = [span for span in spans if span[1] < span[2]]
        assert content == [(group, *atom) for group in range(4) for atom in atoms(union(rows, group))]

    @given(intervals)
    @settings(deadline=None)
    def test_entry_points_stay_where_nothing_covers_or_touches_them(self, rows: list[Interval]) -> None:
        points = [span for span in listed(merged(rows)) if span[1] == span[2]]
        alone = {(g, a, b) for g, a, b in rows if a == b
                 and not any(g == h and c < d and c <= a <= d for h, c, d in rows)}
        assert points == sorted(alone)

    @given(intervals)
    @settings(deadline=None)
    def test_sorted_disjoint_and_not_touching(self, rows: list[Interval]) -> None:
        spans = listed(merged(rows))
        for (group, _, end), (other, start, _) in pairwise(spans):
            assert group < other or (group == other and end < start)

    @given(intervals)
    @settings(deadline=None)
    def test_merging_spans_changes_nothing(self, rows: list[Interval]) -> None:
        spans = merged(rows)
        assert listed(merged_spans(*spans)) == listed(spans)

    @given(st.permutations(range(10)), st.lists(interval, min_size=10, max_size=10))
    @settings(deadline=None)
    def test_in_any_order(self, order: list[int], rows: list[Interval]) -> None:
        assert listed(merged([rows[i] for i in order])) == listed(merged(rows))

    def test_its_input_stays(self) -> None:
        arrays = np.array([1, 0]), np.array([3., 1.]), np.array([4., 2.])
        merged_spans(*arrays)
        assert [array.tolist() for array in arrays] == [[1, 0], [3, 1], [4, 2]]

    def test_types(self) -> None:
        for rows in ([], [(0, 1, 2)]):
            spans = merged(rows)
            assert [column.dtype for column in spans] == [np.intp, np.float64, np.float64]


class TestAhead:
    """The first span of a group that ends after a position."""

    spans = merged([(0, 2, 4), (0, 6, 8), (2, 1, 3)])

    @pytest.mark.parametrize('group, position, place', [
        (0, 0, 0), (0, 2, 0), (0, 3.9, 0), (0, 4, 1), (0, 5, 1), (0, 7, 1), (0, 8, 2), (0, 99, 2), (0, inf, 2),
        (1, 0, 2), (1, 99, 2), (2, 0, 2), (2, 2.5, 2), (2, 3, 3), (3, 0, 3),
    ])
    def test_cases(self, group: int, position: float, place: int) -> None:
        assert first_ending_after(self.spans, np.array([group]), np.array([float(position)])).tolist() == [place]

    @given(intervals, st.lists(st.tuples(groups, positions), max_size=10))
    @settings(deadline=None)
    def test_by_its_definition(self, rows: list[Interval], queries: list[tuple[int, float]]) -> None:
        spans = merged(rows)
        expected = [sum((group, end) <= query for group, _, end in listed(spans)) for query in queries]
        group = np.array([g for g, _ in queries], np.intp)
        assert first_ending_after(spans, group, np.array([p for _, p in queries], float)).tolist() == expected


class TestBehind:
    """Where the first span stands that starts at a position or after it."""

    @given(contents, st.lists(st.tuples(groups, positions), max_size=8))
    def test_by_its_definition(self, rows: list[Interval], queries: list[tuple[int, float]]) -> None:
        spans = merged(rows)
        places = first_starting_from(spans, np.array([group for group, _ in queries], np.intp),
                                     np.array([position for _, position in queries], float))
        assert places.tolist() == [sum((g, start) < query for g, start, _ in listed(spans)) for query in queries]


ranges = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted), max_size=12)


class TestCommonLength:
    """How much of each span lies in other spans."""

    @pytest.mark.parametrize('spans, others, lengths', [
        ([], [], []),
        ([], [(0, 1, 2)], []),
        ([(0, 1, 2)], [], [0]),
        ([(0, 1, 2), (1, 0, 5)], [], [0, 0]),
        ([(0, 1, 5)], [(0, 1, 5)], [4]),
        ([(0, 1, 5)], [(0, 2, 3)], [1]),
        ([(0, 2, 3)], [(0, 1, 5)], [1]),
        ([(0, 1, 5)], [(0, 5, 9)], [0]),
        ([(0, 5, 9)], [(0, 1, 5)], [0]),
        ([(0, 1, 5)], [(1, 1, 5)], [0]),
        ([(0, 0, 10)], [(0, 1, 2), (0, 3, 4), (0, 9, 12)], [3]),
        ([(0, 0, 2), (0, 3, 9), (0, 10, 12)], [(0, 1, 11)], [1, 6, 1]),
        ([(0, 0, 9), (2, 0, 9), (5, 0, 9)], [(1, 0, 9), (2, 3, 4), (4, 0, 9), (5, 0, 99)], [0, 1, 9]),
        ([(0, 0.1, 0.3)], [(0, 0.1, 0.3)], [0.3 - 0.1]),
        ([(0, 5, 5)], [(0, 1, 9)], [0]),
        ([(0, 5, 5)], [(0, 5, 9)], [0]),
        ([(0, 5, 5)], [(0, 1, 5)], [0]),
        ([(0, 5, 5)], [(0, 1, 4), (0, 6, 9)], [0]),
        ([(0, 1, 9)], [(0, 5, 5)], [0]),
        ([(0, 1, 5)], [(0, 5, 5)], [0]),
        ([(0, 5, 9)], [(0, 5, 5)], [0]),
        ([(0, 2, inf)], [(0, 0, 5)], [3]),
    ])
    def test_cases(self, spans: list[Interval], others: list[Interval], lengths: list[float]) -> None:
        assert common_length(merged(spans), merged(others)).tolist() == lengths

    def test_the_same_entry_point_in_both(self) -> None:
        assert common_length(merged([(0, 5, 5)]), merged([(0, 5, 5)])).tolist() == [0]

    @given(intervals, contents)
    @examples(6)
    def test_against_portion(self, rows: list[Interval], others: list[Interval]) -> None:
        spans = merged(rows)
        expected = [size(portion.closedopen(start, end) & union(others, group)) for group, start, end in listed(spans)]
        assert common_length(spans, merged(others)) == pytest.approx(expected, rel=1e-12, abs=1e-12)

    @given(contents, contents)
    @settings(deadline=None)
    def test_in_both_directions(self, rows: list[Interval], others: list[Interval]) -> None:
        there = common_length(merged(rows), merged(others))
        back = common_length(merged(others), merged(rows))
        assert there.sum() == pytest.approx(back.sum(), abs=1e-9)

    @given(contents)
    @settings(deadline=None)
    def test_with_itself(self, rows: list[Interval]) -> None:
        spans = merged(rows)
        assert common_length(spans, spans).tolist() == (spans.end - spans.start).tolist()

    def test_types(self) -> None:
        for rows in ([], [(0, 1, 2)]):
            assert common_length(merged(rows), merged([])).dtype == np.float64


class TestCut:
    """Cutting an interval out of the spans of one document."""

    @pytest.mark.parametrize('start, end, pieces, left', [
        (0, 2, [], [(2, 4), (6, 8)]),
        (0, 3, [(2, 3)], [(3, 4), (6, 8)]),
        (2, 4, [(2, 4)], [(6, 8)]),
        (3, 4, [(3, 4)], [(2, 3), (6, 8)]),
        (2.5, 3.5, [(2.5, 3.5)], [(2, 2.5), (3.5, 4), (6, 8)]),
        (4, 6, [], [(2, 4), (6, 8)]),
        (3, 7, [(3, 4), (6, 7)], [(2, 3), (7, 8)]),
        (0, 9, [(2, 4), (6, 8)], []),
        (0, inf, [(2, 4), (6, 8)], []),
        (8, 9, [], [(2, 4), (6, 8)]),
        (3, 3, [], [(2, 4), (6, 8)]),
        (2, 2, [], [(2, 4), (6, 8)]),
        (4, 4, [], [(2, 4), (6, 8)]),
        (99, 99, [], [(2, 4), (6, 8)]),
    ])
    def test_cases(self, start: float, end: float, pieces: list[tuple[float, float]],
                   left: list[tuple[float, float]]) -> None:
        starts, ends = [2, 6], [4, 8]
        assert cut_out(starts, ends, start, end) == pieces
        assert list(zip(starts, ends)) == left

    def test_nothing_left(self) -> None:
        starts: list[float] = []
        ends: list[float] = []
        assert cut_out(starts, ends, 0, 9) == []
        assert (starts, ends) == ([], [])

    def test_the_span_that_closes_a_document_stays(self) -> None:
        starts, ends = [2, 6, inf], [4, 8, inf]
        assert cut_out(starts, ends, 3, inf) == [(3, 4), (6, 8)]
        assert (starts, ends) == ([2, inf], [3, inf])

    @given(contents, st.lists(bounds, max_size=8))
    @examples(6)
    def test_one_after_the_other_against_portion(self, rows: list[Interval], cuts: list[list[float]]) -> None:
        left = portion.Interval(*(portion.closedopen(start, end) for _, start, end in rows))
        starts, ends = ([atom[side] for atom in atoms(left)] for side in (0, 1))
        for start, end in cuts:
            out = portion.closedopen(start, end)
            assert cut_out(starts, ends, start, end) == atoms(left & out)
            left -= out
            assert list(zip(starts, ends)) == atoms(left)


@given(st.lists(st.tuples(st.sampled_from([0, 1, 5, 10 ** 9, 2 ** 40]),
                          st.sampled_from([0., 1., 2.5, 10. ** 9, 2. ** 50, inf]) | positions)))
def test_in_order(rows: list[tuple[int, float]]) -> None:
    group, position = (np.array([row[column] for row in rows], kind) for column, kind in enumerate((np.intp, float)))
    order = in_order(group, position).tolist()
    assert sorted(order) == list(range(len(rows)))
    assert [rows[place] for place in order] == sorted(rows)
