"""The measures of moment retrieval: the printed figures of QVHighlights, and small cases by hand."""

import random
import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st
from query_values import value

from ir_segmeasures.measures import windows


def test_of_two_equal_windows_the_earlier_is_taken() -> None:
    # IoU 3.2/5.7 = 0.5614… with both windows of the first item; the second meets the later one alone, at 0.875.
    pair = [('v', 5.6, 10.3, 1), ('v', 5.7, 13.7, 1)]
    run = [('v', 7.4, 11.4), ('v', 6.7, 13.7)]
    for factor in (1, 10, 0.1):
        for order in (pair, pair[::-1]):
            judged = [(document, start * factor, end * factor, 1) for document, start, end, _ in order]
            items = [(document, start * factor, end * factor) for document, start, end in run]
            assert value('IoU_AP(iou=0.5)', judged, items) == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), min_size=1, max_size=5),
       st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), max_size=5), st.sampled_from([1, 10, 1000]),
       st.randoms())
def test_neither_the_order_of_the_windows_nor_the_unit_matters(spans: Any, items: Any, scale: int, draw: Any) -> None:
    judged = [('v', start / scale, (start + length) / scale, 1) for start, length in spans]
    run = [('v', start / scale, (start + length) / scale) for start, length in items]
    found = value('mIoU_AP', judged, run)
    draw.shuffle(judged)
    assert value('mIoU_AP', judged, run) == found
    whole = [('v', start, start + length, 1) for start, length in spans]
    assert value('mIoU_AP', whole, [('v', start, start + length) for start, length in items]) == found


WINDOW = st.builds(lambda start, length, more: (start, start + length + more), st.integers(0, 30), st.integers(1, 30),
                   st.sampled_from([0, 0, 10 ** 17]))


@given(st.lists(WINDOW, max_size=12), st.lists(WINDOW, max_size=20), st.sampled_from([1, 2, 16]))
def test_every_item_takes_the_window_that_it_fits_best(items: Any, drawn: Any, leaf: int) -> None:
    ious, true = [Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)], sorted(drawn)
    expected = []
    for place, iou in enumerate(ious):
        free = dict(enumerate(true))
        for number, (start, end) in enumerate(items):
            fits = {window: Fraction(max(0, min(end, last) - max(start, first)), max(end, last) - min(start, first))
                    for window, (first, last) in free.items()}
            best = max(fits, key=lambda window: (fits[window], -window), default=None)
            if best is not None and fits[best] >= iou:
                del free[best]
                expected.append((number, best, place))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, '_LEAF', leaf)
        found = [(number, window, place) for number, window, reached in windows.matches(items, true, ious)
                 for place in range(3) if reached >> place & 1]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize('spread', [0, 1, 9000])
def test_many_windows_that_all_overlap(spread: int) -> None:
    draw, n = random.Random(1), 4000
    judged, items = ([(draw.randint(0, spread), 10 ** 4 + draw.randint(0, spread)) for _ in range(n)] for _ in '12')
    begin = time.process_time()
    assert len({item for item, *_ in windows.matches(items, sorted(judged), [Fraction(1, 10)])}) == n
    assert time.process_time() - begin < 4  # 16,000,000 pairs take longer
