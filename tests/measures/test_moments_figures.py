"""Moments: all figures that the benchmarks' own programs print, bands of lengths, strict thresholds, and mIoU."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pytest
from hypothesis import given
from query_values import value
from strategies import Qrels, Run, cases

from ir_segmeasures import IoU_AP, IoU_R, formats, mIoU_AP, within_lengths

BANDS: dict[str, Callable[[Any], Any]] = {
    'full': lambda qrels: qrels, 'short': lambda qrels: within_lengths(qrels, upto=10),
    'middle': lambda qrels: within_lengths(qrels, 10, 30), 'long': lambda qrels: within_lengths(qrels, 30, 150)}
IOUS = [percent / 100 for percent in range(50, 100, 5)]


@pytest.mark.parametrize('band', BANDS)
def test_every_figure_of_qvhighlights(shared_data: Path, band: str) -> None:
    folder = shared_data / 'moments'
    printed = json.loads((folder / 'qvhighlights-val-figures.json').read_text())[band]
    qrels = BANDS[band](formats.read_qrels(folder / 'qvhighlights-val.jsonl.gz', 'moments'))
    run = formats.read_run(folder / 'qvhighlights-val-predictions.jsonl.gz', 'moments')
    measures = {('MR-mAP', 'average'): mIoU_AP @ 10}
    for iou in IOUS:
        measures |= {('MR-mAP', str(iou)): IoU_AP(iou=iou) @ 10, ('MR-R1', str(iou)): IoU_R(iou=iou) @ 1}
    means = ir_measures.calc_aggregate(measures.values(), qrels, run)
    assert {figure: round(100 * means[measure], 2) for figure, measure in measures.items()} == {
        (kind, iou): figure for kind in ('MR-mAP', 'MR-R1') for iou, figure in printed[kind].items()}


@pytest.mark.parametrize('tool', [{}, {'tool': 'tvr'}])
@pytest.mark.parametrize('task', ['VCMR', 'SVMR'])
def test_every_figure_of_tvr(shared_data: Path, task: str, tool: dict[str, str]) -> None:
    qrels, run, printed = _tvr(shared_data, task)
    measures = {f'{iou}-r{k}': IoU_R(iou=iou, **tool) @ k for iou in (0.5, 0.7) for k in (1, 5, 10, 100)}
    means = ir_measures.calc_aggregate(measures.values(), qrels, run)
    assert {figure: round(100 * means[measure], 2) for figure, measure in measures.items()} == printed


def _tvr(shared_data: Path, task: str) -> tuple[Any, Any, dict[str, float]]:
    folder = shared_data / 'moments'
    return (formats.read_qrels(folder / 'tvr-queries.jsonl.gz', 'moments'),
            formats.read_run(folder / 'tvr-predictions.json.gz', 'tvr', task=task),
            json.loads((folder / 'tvr-figures.json').read_text())[task])


class TestSinglePrecision:
    def test_it_decides_at_a_threshold(self) -> None:
        # The IoU is 0.7 everywhere, but not always in single precision.
        found = {(end, start): [value(f'IoU_R(iou=0.7{tool})@1', [('v', start, end, 1)], [('v', start, right)])
                                for tool in ('', ",tool='tvr'")]
                 for start, right, end in ((0.1, 0.8, 1.1), (4.3, 5, 5.3), (12.3, 13, 13.3), (0, 0.7, 1))}
        assert all(exact == 1 for exact, _ in found.values())
        assert {single for _, single in found.values()} == {0, 1}

    def test_the_first_hundred(self) -> None:
        run = [('w', 0, 1)] * 100 + [('v', 0, 10)]
        assert value('IoU_R(iou=0.5)@200', [('v', 0, 10, 1)], run) == 1
        assert value("IoU_R(iou=0.5,tool='tvr')@200", [('v', 0, 10, 1)], run) == 0


class TestMeasures:

    @given(case=cases)
    def test_the_axioms_of_average_max_iou(self, case: tuple[Qrels, Run]) -> None:
        qrels, run = case
        k = len(run) + 1
        assert value(f'AxIoU@{k}', qrels, run) == pytest.approx(
            sum(value(f'mIoU@{j}', qrels, run) for j in range(1, k + 1)) / k)
        # A worse item again helps nothing, and the best one earlier helps.
        assert value(f'AxIoU@{k}', qrels, [*run, *run[:1]]) == value(f'AxIoU@{k}', qrels, run)
        best = max(run, key=lambda item: value('mIoU@1', qrels, [item]), default=None)
        first = [best, *run] if best else []
        assert value(f'AxIoU@{k}', qrels, first) >= value(f'AxIoU@{k}', qrels, run)

    @given(case=cases)
    def test_recall_is_where_the_best_iou_lies(self, case: tuple[Qrels, Run]) -> None:
        best = value('mIoU@5', *case)
        for iou in (0.3, 0.5):
            if abs(best - iou) > 1e-9:
                assert value(f'IoU_R(iou={iou})@5', *case) == (best > iou)


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    start: float
    end: float
    relevance: int


class TestWithinLengths:
    ROWS = [Judged('1', 'v', 10.3, 20.3, 1), Judged('1', 'v', 40, 80, 1), Judged('1', 'w', 0, 5, 0),
            Judged('2', 'v', 0, 30, 1), Judged('3', 'w', 0, 5, 0)]

    def test_both_bounds(self) -> None:
        assert within_lengths(self.ROWS, upto=10) == [self.ROWS[0], self.ROWS[2]]  # 20.3 - 10.3 is 10
        assert within_lengths(self.ROWS, 10, 30) == [self.ROWS[3]]
        assert within_lengths(self.ROWS, 30) == [self.ROWS[1]]
        assert within_lengths(iter(self.ROWS), 50) == []

    @pytest.mark.parametrize(('longer', 'upto'), [(10, 10), (-1, 10), (30, 10), ('0', 10), (0, None)])
    def test_no_band(self, longer: Any, upto: Any) -> None:
        with pytest.raises(ValueError, match='leave no length'):
            within_lengths(self.ROWS, longer, upto)
