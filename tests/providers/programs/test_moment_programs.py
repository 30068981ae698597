"""The programs of moment benchmarks: every figure that they printed, their definitions written out plainly, and files
that they cannot read.
"""

import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import official
from ir_segmeasures.formats import MomentQrel, SegmentScoredDoc
from ir_segmeasures.segments.user_warnings import SegmentWarning
from ir_segmeasures.study.official_figures import official_by_query


@pytest.fixture
def moments(shared_data: Path) -> Path:
    return shared_data / 'moments'


def content(path: Path) -> Any:
    with (gzip.open if path.suffix == '.gz' else open)(path, 'rt', encoding='utf-8') as file:
        return [json.loads(line) for line in file] if '.jsonl' in path.name else json.load(file)


def flat(printed: dict[str, Any]) -> dict[str, float]:
    """All figures of QVHighlights' program under the names of its brief ones."""
    figures = dict(printed['brief'])
    for band, measures in printed.items():
        for measure in ('R1', 'mAP') if 'MR-R1' in measures else ():
            for iou, value in measures[f'MR-{measure}'].items():
                figures[f'MR-{band}-{measure}' + ('' if iou == 'average' else f'@{round(float(iou), 2)}')] = value
    return figures


def same(found: dict[str, float], expected: dict[str, float]) -> None:
    # Processes of the program end in any order, and it adds up their values as they come: the last digits are chance.
    assert found == pytest.approx(expected, rel=1e-14, abs=0)
    assert {name: f'{value:.2f}' for name, value in found.items()} == {
        name: f'{value:.2f}' for name, value in expected.items()}


class TestQVHighlights:
    @pytest.mark.parametrize('predictions, figures', [
        ('qvhighlights-val-predictions.jsonl.gz', 'qvhighlights-as-listed-figures.json'),
        ('programs/qvhighlights-shuffled-predictions.jsonl.gz', 'qvhighlights-shuffled-figures.json')])
    def test_every_figure_of_the_program(self, moments: Path, predictions: str, figures: str) -> None:
        printed = content(moments / 'programs' / figures)
        found = official('qvhighlights', content(moments / 'qvhighlights-val.jsonl.gz'), content(moments / predictions))
        assert len(found) == 90
        same(found, flat(printed))
        assert sorted(list(found)[:14]) == sorted(printed['brief'])
        counted = {name for name in found if 'R1' in name or 'Hit1' in name}  # no order of sums in these
        assert {name: found[name] for name in counted} == {name: flat(printed)[name] for name in counted}

    def test_a_band_has_true_windows_of_its_lengths(self) -> None:
        truth = [{'qid': 1, 'relevant_windows': [[0, 10], [20, 50.5]]}, {'qid': 2, 'relevant_windows': [[0, 30]]}]
        predictions = [{'qid': qid, 'pred_relevant_windows': [[0, 10, 1]]} for qid in (1, 2)]
        found = official('qvhighlights', truth, predictions)
        assert [found[f'MR-{band}-R1@0.5'] for band in ('full', 'short', 'middle', 'long')] == [50, 100, 0, 0]
        assert 'MR-long-mAP' not in official('qvhighlights', truth[1:], predictions[1:])

    def test_what_stops_the_program_is_said(self) -> None:
        truth = [{'qid': qid, 'relevant_windows': windows}
                 for qid, windows in ((1, [[0, 10]]), (2, []), (3, [[0, 5]]), (4, []))]
        predictions = [{'qid': qid, 'pred_relevant_windows': windows}
                       for qid, windows in ((1, [[0, 10, 1]]), (2, [[0, 10, 1]]), (3, []), (4, []))]
        with pytest.warns(SegmentWarning) as warned:
            found = official('qvhighlights', truth, predictions)
        assert (found['MR-full-R1@0.5'], found['MR-full-mAP@0.5']) == (50, 50)
        assert [str(warning.message).split(',')[0] for warning in warned] == [
            '2 queries have no true windows (such as 2', '1 queries have no predicted windows (such as 3)',
            'no true window has a length of the bands long']

    def test_a_window_whose_end_stands_first_is_not_put_in_order(self) -> None:
        with pytest.warns(SegmentWarning, match=r'2 predicted windows have their end first \(such as \[10.0, 2.0\]\)'):
            figures = official('qvhighlights', [{'qid': 1, 'relevant_windows': [[0, 10]]}],
                                           [{'qid': 1, 'pred_relevant_windows': [[10, 2, 1], [9, 8, 1]]}])
        assert (figures['MR-full-R1@0.5'], figures['MR-full-mAP']) == (0, 0)

    def test_highlights_alone(self) -> None:
        truth = [{'qid': 1, 'duration': 7.9, 'relevant_clip_ids': [0, 2], 'saliency_scores': [[4, 2, 0], [3, 0, 0]]}]
        # Three clips; a score for a fourth is cut off for mAP, and is the best for Hit1.
        found = official('qvhighlights', truth, [{'qid': 1, 'pred_saliency_scores': [.5, .4, .1, .9]}])
        assert found == pytest.approx({
            'HL-min-Fair-mAP': 100 * ((1 + 2 / 3) / 2 + 1) / 3, 'HL-min-Fair-Hit1': 0,
            'HL-min-Good-mAP': 100 * (1 + 2 / 3) / 2 / 3, 'HL-min-Good-Hit1': 0,
            'HL-min-VeryGood-mAP': 100 / 3, 'HL-min-VeryGood-Hit1': 0})
        found = official('qvhighlights', truth, [{'qid': 1, 'pred_saliency_scores': [.5]}])
        assert found['HL-min-VeryGood-Hit1'] == 100
        truth[0] |= {'relevant_clip_ids': [], 'saliency_scores': []}
        with pytest.warns(SegmentWarning, match=r'1 queries have no relevant clips \(such as 1\), where'):
            assert set(official('qvhighlights', truth, [{'qid': 1, 'pred_saliency_scores': [.5]}]).values()) == {0}

    @pytest.mark.parametrize('truth, predictions, sentence', [
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': 2, 'pred_relevant_windows': [[0, 1, 1]]}],
         '1 queries of the truth are not in the predictions (such as 1)'),
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': 1, 'pred_relevant_windows': []}] * 2,
         'object 2 of the predictions has the query 1, which has one before'),
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': 1, 'pred_relevant_windows': [[0, math.nan, 1]]}],
         'object 1 of the predictions is '),
        ([{'qid': 1, 'relevant_windows': [['0', 1]]}], [{'qid': 1, 'pred_relevant_windows': [[0, 1]]}],
         'object 1 of the truth is '),
        ([{'qid': 1, 'relevant_windows': []}], [{'qid': 1, 'pred_relevant_windows': [[0, 1]]}],
         'no query has true windows'),
        ([{'qid': qid} for qid in (1, 2)], [{'qid': 1, 'pred_relevant_windows': []}, {'qid': 2}],
         '1 of 2 predictions have pred_relevant_windows'),
        ([], [], 'no query has true windows'),
        ([[1]], [], 'object 1 of the truth is [1]'),
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': '1', 'pred_relevant_windows': [[0, 1, 1]]}],
         '1 queries of the truth are not in the predictions (such as 1)'),
        ([{'qid': 1, 'duration': 4, 'relevant_clip_ids': [2], 'saliency_scores': [[1, 1, 1]]}],
         [{'qid': 1, 'pred_saliency_scores': [1]}], 'query 1 of the truth has 1 relevant clips up to number 2 '),
        ([{'qid': 1, 'duration': 4, 'relevant_clip_ids': [1], 'saliency_scores': [[1, 1]]}],
         [{'qid': 1, 'pred_saliency_scores': [1]}], 'object 1 of the truth is ')])
    def test_files_that_the_program_cannot_read(self, truth: Any, predictions: Any, sentence: str) -> None:
        with pytest.raises(ValueError) as error:
            official('qvhighlights', truth, predictions)
        assert sentence in str(error.value)
        assert re.search(': (correct|write)|, but .*: ', str(error.value))


class TestCASTELLA:
    def test_every_figure_of_the_program(self, moments: Path) -> None:
        printed = flat(content(moments / 'programs' / 'castella-figures.json'))
        found = official('castella', content(moments / 'castella-test.jsonl.gz'),
                                 content(moments / 'programs' / 'castella-predictions.jsonl.gz'))
        assert len(found) == 21
        same(found, printed)
        assert {name: value for name, value in found.items() if 'R1' in name} == {
            name: value for name, value in printed.items() if 'R1' in name}

    def test_true_windows_of_more_than_1500_seconds_do_not_count(self) -> None:
        found = official('castella',
            [{'qid': 1, 'relevant_windows': [[0, 1501]]}, {'qid': 2, 'relevant_windows': [[0, 1500]]}],
            [{'qid': qid, 'pred_relevant_windows': [[0, 1500, 1]]} for qid in (1, 2)])
        assert found['MR-full-mAP'] == 100


def ranked(query: str, *windows: tuple[str, float, float, float]) -> list[SegmentScoredDoc]:
    return [SegmentScoredDoc(query, video, start, end, score, rank, score, None, None)
            for rank, (video, start, end, score) in enumerate(windows, 1)]


class TestEgo4DNLQ:
    @pytest.mark.filterwarnings('ignore::ir_segmeasures.SegmentWarning')
    def test_every_figure_of_the_program(self, moments: Path) -> None:
        folder = moments / 'programs'
        found = official('ego4d_nlq', folder / 'ego4d-nlq-truth.json.gz', folder / 'ego4d-nlq-predictions.json.gz')
        same(found, content(folder / 'ego4d-nlq-figures.json'))

    def test_an_iou_at_the_threshold_is_not_enough(self) -> None:
        truth = [MomentQrel('a_0', 'c', 0, 10), MomentQrel('a_1', 'c', 5, 6)]
        with pytest.warns(SegmentWarning, match='1 of the 2 queries of the truth have no result, and the means of the'):
            found = official('ego4d_nlq', truth, ranked('a_0', ('c', 0, 5, -1), ('c', 0, 9, -2)))
        assert [found[name] for name in ('mIoU', 'R@1 IoU>0.5', 'R@3 IoU>0.5', 'evaluated')] == [50, 0, 100, 1]
        with pytest.raises(ValueError, match="the predictions are for query 'a_1' of clip 'd', which is not in the"):
            official('ego4d_nlq', truth, ranked('a_1', ('d', 0, 5, -1)))


class TestActivityNet:
    def test_every_figure_of_the_program(self, moments: Path) -> None:
        files = [moments / 'programs' / f'activitynet-{name}.json.gz' for name in ('truth', 'predictions')]
        printed = content(moments / 'programs' / 'activitynet-figures.json')
        found = official_by_query('activitynet', *files)
        assert {label: list(figures.values()) for label, figures in found.items()} == printed['AP']
        same(official('activitynet', *files), {
            'average-mAP': printed['average-mAP'],
            **{f'mAP@{round(tiou, 2)}': value for tiou, value in zip(printed['tiou'], printed['mAP'])}})

    def test_a_class_without_predictions_is_0_and_videos_of_other_subsets_are_wrong(self) -> None:
        truth = [MomentQrel(label, 'v', 0, 10) for label in ('a', 'b%20c')]
        run = ranked('a', ('w', 0, 10, .9), ('v', 0, 10, .5))
        found = official_by_query('activitynet', truth, run)
        assert {label: figures['AP@0.5'] for label, figures in found.items()} == {'a': .5, 'b c': 0}
        with pytest.raises(ValueError, match="the predictions have the class 'd', which the truth does not have"):
            official('activitynet', truth, ranked('d', ('v', 0, 10, .5)))
