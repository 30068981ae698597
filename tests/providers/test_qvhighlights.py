"""The providers ``qvhighlights`` and ``tvr_ranking``: windows as these programs take them, in double precision."""

from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import IoU_AP, IoU_R, formats, mIoU_AP, nDCG_IoU, official
from ir_segmeasures.formats import SegmentQrel, SegmentScoredDoc
from ir_segmeasures.providers.programs.detection import IOUS

TOOL = {'tool': 'qvhighlights'}
MEASURES = {
    **{f'MR-full-R1@{iou}': IoU_R(iou=iou, **TOOL) @ 1 for iou in IOUS},
    **{f'MR-full-mAP@{iou}': IoU_AP(iou=iou, **TOOL) for iou in IOUS},
    'MR-full-mAP': mIoU_AP(**TOOL)}


def values(truth: Any, predictions: Any) -> dict[str, float]:
    found = ir_measures.calc_aggregate(list(MEASURES.values()), truth, predictions)
    return {name: 100 * found[measure] for name, measure in MEASURES.items()}


WINDOWS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)).map(lambda one: [one[0], one[0] + one[1]]),
                   min_size=1, max_size=4)
SCORED = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20), st.integers(0, 3)).map(
    lambda one: [one[0], one[0] + one[1], one[2] / 4]), min_size=1, max_size=13)


@given(WINDOWS, SCORED)
def test_values_of_the_program(true: list[list[int]], predicted: list[list[float]]) -> None:
    expected = official('qvhighlights', [{'qid': 1, 'relevant_windows': true}],
                        [{'qid': 1, 'pred_relevant_windows': predicted}])
    qrels = [formats.MomentQrel('1', 'v', start, end) for start, end in true]
    run = [SegmentScoredDoc('1', 'v', start, end, score, 1, score, None, None) for start, end, score in predicted]
    assert values(qrels, run) == pytest.approx({name: expected[name] for name in MEASURES}, abs=1e-10)


@given(st.lists(st.tuples(st.integers(0, 3), WINDOWS), max_size=4), WINDOWS, st.sampled_from([.3, .5, .7]))
def test_tvr_ranking(judged: list[tuple[int, list[list[int]]]], predicted: list[list[int]], iou: float) -> None:
    moments = [(grade, window) for grade, windows in judged for window in windows]
    expected = official('tvr_ranking', {'q': [
        {'video_name': 'v', 'timestamp': window, 'relevance': grade} for grade, window in moments]}, {'q': [
            {'video_name': 'v', 'timestamp': window} for window in predicted]})
    qrels = [SegmentQrel('q', 'v', *window, grade) for grade, window in moments or [(0, [0, 1])]]
    run = [SegmentScoredDoc('q', 'v', *window, -rank, rank, 0, None, None) for rank, window in enumerate(predicted)]
    measure = nDCG_IoU(iou=iou, tool='tvr_ranking') @ 10
    assert measure.calc_aggregate(qrels, run) == pytest.approx(expected[f'NDCG@10, IoU={iou}'])


def test_the_first_listed_item_counts_whatever_its_score_is() -> None:
    qrels = [formats.MomentQrel('1', 'v', 0, 10)]
    run = [SegmentScoredDoc('1', 'v', 50, 60, .1, 2, .1, None, None),
           SegmentScoredDoc('1', 'v', 0, 10, .9, 1, .9, None, None)]
    assert [(IoU_R(iou=.5, **tool) @ 1).calc_aggregate(qrels, run) for tool in ({}, TOOL)] == [1, 0]
    assert IoU_AP(iou=.5, **TOOL).calc_aggregate(qrels, run) == 1


class TestWarning:
    @pytest.fixture
    def arguments(self, tmp_path: Path) -> tuple[Any, ...]:
        (tmp_path / 'true').write_text('{"qid": 1, "vid": "v", "relevant_windows": [[0, 10]]}\n')
        (tmp_path / 'run').write_text('{"qid": 1, "vid": "v", "pred_relevant_windows": '
                                      '[[50, 60, 0.1], [0, 10, 0.9]]}\n')
        return 'evaluate', tmp_path / 'true', tmp_path / 'run', '--qrels-format', 'moments', '--run-format', 'moments'

    @pytest.mark.parametrize('measure', ['IoU_R(iou=0.5)@1', 'IoU_AP(iou=0.5)@10', 'mIoU_AP'])
    def test_windows_that_are_not_listed_by_score(self, run: Any, arguments: tuple[Any, ...], measure: str) -> None:
        found = run(*arguments, measure)
        assert found.out == f'{measure}\t1.0000\n'
        assert 'does not list the items of 1 queries (such as 1) by score, which decides here' in found.err
        assert run(*arguments, measure, '--strict').code == 1

    @pytest.mark.parametrize('measure', ["IoU_R(iou=0.5,tool='qvhighlights')@1", 'mIoU@1'])
    def test_nothing_is_said_with_the_tool_or_of_other_measures(
            self, run: Any, arguments: tuple[Any, ...], measure: str) -> None:
        assert run(*arguments, measure).err == ''

    def test_nothing_is_said_of_windows_by_score(self, run: Any, arguments: tuple[Any, ...]) -> None:
        arguments[2].write_text('{"qid": 1, "vid": "v", "pred_relevant_windows": [[0, 10, 0.9], [50, 60, 0.9]]}\n'
                                '{"qid": 2, "vid": "v", "pred_relevant_windows": [[0, 10, 0.1], [50, 60, 0.05]]}\n')
        assert 'by score' not in run(*arguments, 'IoU_R(iou=0.5)@1').err


def test_a_cutoff_that_the_program_does_not_have() -> None:
    with pytest.raises(ValueError, match='but qvhighlights has only figures without it, or with 10: leave it out'):
        (mIoU_AP(**TOOL) @ 3).check_params()
