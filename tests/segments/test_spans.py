"""Operations on the spans of one document, against portion."""

from math import inf

import portion
from hypothesis import given, strategies as st
from strategies import examples, hundredths, times

from ir_segmeasures.segments.basics import cut_out

# Few distinct values, so that intervals touch and share boundaries all the time, and any decimals.
positions = st.one_of(st.integers(0, 8), st.integers(0, 80).map(lambda tenths: hundredths(tenths * 10)), times)
bounds = st.tuples(positions, positions).map(sorted)


def atoms(interval: portion.Interval) -> list[tuple[float, float]]:
    """The maximal pieces of an interval."""
    return [(atom.lower, atom.upper) for atom in interval if not atom.empty]


class TestCut:
    """Cutting an interval out of the spans of one document."""

    def test_the_span_that_closes_a_document_stays(self) -> None:
        starts, ends = [2, 6, inf], [4, 8, inf]
        assert cut_out(starts, ends, 3, inf) == [(3, 4), (6, 8)]
        assert (starts, ends) == ([2, inf], [3, inf])

    @given(st.lists(bounds, max_size=14), st.lists(bounds, max_size=8))
    @examples(6)
    def test_one_after_the_other_against_portion(self, spans: list[list[float]], cuts: list[list[float]]) -> None:
        left = portion.Interval(*(portion.closedopen(start, end) for start, end in spans))
        starts, ends = ([atom[side] for atom in atoms(left)] for side in (0, 1))
        for start, end in cuts:
            out = portion.closedopen(start, end)
            assert cut_out(starts, ends, start, end) == atoms(left & out)
            left -= out
            assert list(zip(starts, ends)) == atoms(left)
