"""The measures of moment retrieval: the printed figures of QVHighlights, and small cases by hand."""

import json
import random
from pathlib import Path
from typing import Any

import ir_measures
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from query_values import MEASURES, value

from ir_segmeasures import IoU_AP, IoU_R, formats, mIoU_AP
from ir_segmeasures.measures import moments, window_pairs

WINDOWS = [('v', 0, 10, 1), ('v', 20, 40, 1)]


def test_the_printed_figures(shared_data: Path) -> None:
    folder = shared_data / 'qvhighlights'
    printed = json.loads((folder / 'expected.json').read_text())
    figures = {'MR-full-mAP': mIoU_AP, 'MR-full-mAP@0.5': IoU_AP(iou=0.5), 'MR-full-mAP@0.75': IoU_AP(iou=0.75),
               'MR-full-R1@0.5': IoU_R(iou=0.5)@1, 'MR-full-R1@0.7': IoU_R(iou=0.7)@1}
    means = ir_measures.calc_aggregate(figures.values(), formats.read_qrels(folder / 'val-windows.jsonl.gz', 'moments'),
                                       formats.read_run(folder / 'predictions.jsonl.gz', 'moments'))
    assert {name: round(100 * means[measure], 2) for name, measure in figures.items()} == {
        name: printed[name] for name in figures}


def test_a_window_is_matched_once() -> None:
    # IoU 8/10, then the same window again (no other is left at 0.5), then 16/20
    run = [('v', 0, 8), ('v', 1, 10), ('v', 24, 40)]
    assert value('IoU_AP(iou=0.5)', WINDOWS, run) == pytest.approx((1 + 2 / 3) / 2)
    assert value('IoU_AP(iou=0.85)', WINDOWS, run) == pytest.approx((1 / 2) / 2)
    assert value('IoU_AP(iou=0.5)@2', WINDOWS, run) == pytest.approx(1 / 2)


def test_precision_is_the_best_at_this_recall_or_a_higher_one() -> None:
    run = [('v', 50, 60), ('v', 0, 10), ('v', 20, 40)]
    assert value('IoU_AP(iou=0.5)', WINDOWS, run) == pytest.approx((2 / 3 + 2 / 3) / 2)


def test_the_best_window_is_taken_and_the_next_best_if_it_is_gone() -> None:
    windows = [('v', 0, 10, 1), ('v', 2, 12, 1)]
    assert value('IoU_AP(iou=0.6)', windows, [('v', 0, 10), ('v', 0, 10)]) == pytest.approx(1)


def test_of_two_equal_windows_the_earlier_is_taken() -> None:
    # IoU 3.2/5.7 = 0.5614… with both windows of the first item; the second meets the later one alone, at 0.875.
    windows = [('v', 5.6, 10.3, 1), ('v', 5.7, 13.7, 1)]
    run = [('v', 7.4, 11.4), ('v', 6.7, 13.7)]
    for factor in (1, 10, 0.1):
        for order in (windows, windows[::-1]):
            judged = [(document, start * factor, end * factor, 1) for document, start, end, _ in order]
            items = [(document, start * factor, end * factor) for document, start, end in run]
            assert value('IoU_AP(iou=0.5)', judged, items) == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), min_size=1, max_size=5),
       st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), max_size=5), st.sampled_from([1, 10, 1000]),
       st.randoms())
def test_neither_the_order_of_the_windows_nor_the_unit_matters(windows: Any, items: Any, scale: int, draw: Any) -> None:
    judged = [('v', start / scale, (start + length) / scale, 1) for start, length in windows]
    run = [('v', start / scale, (start + length) / scale) for start, length in items]
    found = value('mIoU_AP', judged, run)
    draw.shuffle(judged)
    assert value('mIoU_AP', judged, run) == found
    whole = [('v', start, start + length, 1) for start, length in windows]
    assert value('mIoU_AP', whole, [('v', start, start + length) for start, length in items]) == found


def test_few_pairs_at_a_time() -> None:
    """However few pairs are in memory together, with pairs left out by their bounds, or item by item with the nearest
    windows first, the value is that of all."""
    draw = random.Random(1)
    for parts in (1, 10, 1000, 2 ** -40):
        spans = [(start / parts, (start + draw.randint(1, 20)) / parts) for start in (
            draw.randrange(20) for _ in range(40))]
        judged, items = [('v', *span, 1) for span in sorted(spans[:20])], [('v', *span) for span in spans[20:]]
        for name, params in (('IoU_AP', {'iou': 0.3}), ('IoU_AP', {'iou': 0.5, 'cutoff': 9}), ('mIoU_AP', {}),
                             ('IoU_R', {'iou': 0.9, 'cutoff': 3}), ('mIoU', {'cutoff': 4})):
            expected = pytest.approx(float(getattr(reference, name)(judged, items, **params)), abs=1e-12)
            for pairs, crowded, near in ((1, 256, 32), (50, 256, 32), (1 << 20, 256, 32), (1, 0, 1), (1, 0, 32)):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(window_pairs, '_PAIRS', pairs)
                    patch.setattr(moments, '_CROWDED', crowded)
                    patch.setattr(window_pairs, '_NEAR', near)
                    assert value(MEASURES[name](**params), judged, items) == expected


def test_iou_reached_exactly() -> None:
    assert value('IoU_R(iou=0.7)@1', [('v', 0, 1, 1)], [('v', 0, 0.7)]) == 1
    assert value('IoU_R(iou=0.7)@1', [('v', 0, 1, 1)], [('v', 0, 0.69)]) == 0
    assert value('IoU_R(iou=0.7)@2', [('v', 0, 1, 1)], [('v', 0, 0.5), ('v', 0, 1)]) == 1
