"""The programs of moment benchmarks: every figure that they printed, their definitions written out plainly, and files
that they cannot read.
"""

import gzip
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures.providers.programs.activitynet import TIOUS, activitynet_figures, class_average_precisions
from ir_segmeasures.providers.programs.detection import IOUS, average_precisions, hull_iou, union_iou
from ir_segmeasures.providers.programs.ego4d_nlq import ego4d_nlq_figures
from ir_segmeasures.providers.programs.qvhighlights import castella_figures, qvhighlights_figures
from ir_segmeasures.segments.warnings import SegmentWarning

Window = tuple[int, int]


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
        found = qvhighlights_figures(content(moments / 'qvhighlights-val.jsonl.gz'), content(moments / predictions))
        assert len(found) == 90
        same(found, flat(printed))
        assert sorted(list(found)[:14]) == sorted(printed['brief'])
        counted = {name for name in found if 'R1' in name or 'Hit1' in name}  # no order of sums in these
        assert {name: found[name] for name in counted} == {name: flat(printed)[name] for name in counted}

    def test_a_band_has_true_windows_of_its_lengths(self) -> None:
        truth = [{'qid': 1, 'relevant_windows': [[0, 10], [20, 50.5]]}, {'qid': 2, 'relevant_windows': [[0, 30]]}]
        predictions = [{'qid': qid, 'pred_relevant_windows': [[0, 10, 1]]} for qid in (1, 2)]
        found = qvhighlights_figures(truth, predictions)
        assert [found[f'MR-{band}-R1@0.5'] for band in ('full', 'short', 'middle', 'long')] == [50, 100, 0, 0]
        assert 'MR-long-mAP' not in qvhighlights_figures(truth[1:], predictions[1:])

    def test_what_stops_the_program_is_said(self) -> None:
        truth = [{'qid': qid, 'relevant_windows': windows} for qid, windows in ((1, [[0, 10]]), (2, []), (3, [[0, 5]]))]
        predictions = [{'qid': qid, 'pred_relevant_windows': windows}
                       for qid, windows in ((1, [[0, 10, 1]]), (2, [[0, 10, 1]]), (3, []))]
        with pytest.warns(SegmentWarning) as warned:
            found = qvhighlights_figures(truth, predictions)
        assert (found['MR-full-R1@0.5'], found['MR-full-mAP@0.5']) == (50, 50)
        assert [str(warning.message).split(',')[0] for warning in warned] == [
            '1 queries have no true windows (such as 2)', '1 queries have no predicted windows (such as 3)',
            'no true window has a length of the bands long']

    def test_a_window_whose_end_stands_first_is_not_put_in_order(self) -> None:
        with pytest.warns(SegmentWarning, match=r'2 predicted windows have their end first \(such as \[10.0, 2.0\]\)'):
            figures = qvhighlights_figures([{'qid': 1, 'relevant_windows': [[0, 10]]}],
                                           [{'qid': 1, 'pred_relevant_windows': [[10, 2, 1], [9, 8, 1]]}])
        assert (figures['MR-full-R1@0.5'], figures['MR-full-mAP']) == (0, 0)

    def test_highlights_alone(self) -> None:
        truth = [{'qid': 1, 'duration': 7.9, 'relevant_clip_ids': [0, 2], 'saliency_scores': [[4, 2, 0], [3, 0, 0]]}]
        # Three clips; a score for a fourth is cut off for mAP, and is the best for Hit1.
        assert qvhighlights_figures(truth, [{'qid': 1, 'pred_saliency_scores': [.5, .4, .1, .9]}]) == pytest.approx({
            'HL-min-Fair-mAP': 100 * ((1 + 2 / 3) / 2 + 1) / 3, 'HL-min-Fair-Hit1': 0,
            'HL-min-Good-mAP': 100 * (1 + 2 / 3) / 2 / 3, 'HL-min-Good-Hit1': 0,
            'HL-min-VeryGood-mAP': 100 / 3, 'HL-min-VeryGood-Hit1': 0})
        assert qvhighlights_figures(truth, [{'qid': 1, 'pred_saliency_scores': [.5]}])['HL-min-VeryGood-Hit1'] == 100
        truth[0] |= {'relevant_clip_ids': [], 'saliency_scores': []}
        with pytest.warns(SegmentWarning, match=r'1 queries have no relevant clips \(such as 1\), where'):
            assert set(qvhighlights_figures(truth, [{'qid': 1, 'pred_saliency_scores': [.5]}]).values()) == {0}

    @pytest.mark.parametrize('truth, predictions, sentence', [
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': 2, 'pred_relevant_windows': [[0, 1, 1]]}],
         '1 queries of the truth are not in the predictions (such as 1)'),
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': 1, 'pred_relevant_windows': []}] * 2,
         'object 2 of the predictions has the query 1, which has one before'),
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': 1, 'pred_relevant_windows': [[0, math.nan, 1]]}],
         'query 1 of the predictions is '),
        ([{'qid': 1, 'relevant_windows': [['0', 1]]}], [{'qid': 1, 'pred_relevant_windows': [[0, 1]]}],
         'query 1 of the truth is '),
        ([{'qid': 1}], [{'qid': 1, 'pred_relevant_windows': [[0, 1, 1]]}],
          "query 1 of the truth is {'qid': 1}"),
        ([{'qid': 1, 'relevant_windows': []}], [{'qid': 1, 'pred_relevant_windows': [[0, 1]]}],
         'no query has true windows'),
        ([{'qid': 1}], [{'qid': 1}], 'no query has true windows'),
        ([], [], 'there is no query'),
        ([[1]], [], 'object 1 of the truth is [1]'),
        ([{'qid': 1, 'relevant_windows': [[0, 1]]}], [{'qid': '1', 'pred_relevant_windows': [[0, 1, 1]]}],
         "1 queries of the truth are not in the predictions (such as 1, there '1')"),
        ([{'qid': 1, 'duration': 4, 'relevant_clip_ids': [2], 'saliency_scores': [[1, 1, 1]]}],
         [{'qid': 1, 'pred_saliency_scores': [1]}], 'query 1 of the truth has the clip 2'),
        ([{'qid': 1, 'duration': 4, 'relevant_clip_ids': [1], 'saliency_scores': [[1, 1]]}],
         [{'qid': 1, 'pred_saliency_scores': [1]}], 'query 1 of the truth is ')])
    def test_files_that_the_program_cannot_read(self, truth: Any, predictions: Any, sentence: str) -> None:
        with pytest.raises(ValueError) as error:
            qvhighlights_figures(truth, predictions)
        assert str(error.value).startswith(sentence)
        assert ', but ' in str(error.value) and ': ' in str(error.value)


class TestCASTELLA:
    def test_every_figure_of_the_program(self, moments: Path) -> None:
        printed = flat(content(moments / 'programs' / 'castella-figures.json'))
        found = castella_figures(content(moments / 'castella-test.jsonl.gz'),
                                 content(moments / 'programs' / 'castella-predictions.jsonl.gz'))
        assert len(found) == 21
        same(found, printed)
        assert {name: value for name, value in found.items() if 'R1' in name} == {
            name: value for name, value in printed.items() if 'R1' in name}

    def test_true_windows_of_more_than_1500_seconds_do_not_count(self) -> None:
        found = castella_figures(
            [{'qid': 1, 'relevant_windows': [[0, 1501]]}, {'qid': 2, 'relevant_windows': [[0, 1500]]}],
            [{'qid': qid, 'pred_relevant_windows': [[0, 1500, 1]]} for qid in (1, 2)])
        assert found['MR-full-mAP'] == 100


class TestEgo4DNLQ:
    def test_every_figure_of_the_program(self, moments: Path) -> None:
        found = ego4d_nlq_figures(content(moments / 'programs' / 'ego4d-nlq-truth.json.gz'),
                                  content(moments / 'programs' / 'ego4d-nlq-predictions.json.gz'))
        assert found == content(moments / 'programs' / 'ego4d-nlq-figures.json')

    def test_an_iou_at_the_threshold_is_not_enough(self) -> None:
        assert ego4d_nlq_figures(nlq_truth([0, 10]), nlq_predictions([0, 5]))['R@1 IoU>0.5'] == 0

    @pytest.mark.parametrize('truth, predictions, sentence', [
        ([0, 10], {'results': []}, 'the file of predictions'), ([0, 10], {}, 'the file of predictions'),
        ([0], {'results': []}, 'the file of the truth'), ([0, None], {'results': []}, 'the file of the truth')])
    def test_files_that_the_program_cannot_read(self, truth: Any, predictions: Any, sentence: str) -> None:
        with pytest.raises(ValueError) as error:
            ego4d_nlq_figures(nlq_truth(truth), predictions)
        assert str(error.value).startswith(sentence)

    def test_a_query_that_is_not_in_the_truth(self) -> None:
        with pytest.raises(ValueError, match="result 1 of the predictions is for query 1 of annotation 'a' of "):
            ego4d_nlq_figures(nlq_truth([0, 10]), nlq_predictions([0, 5], query=1))

    def test_what_the_program_counts_is_said(self) -> None:
        predictions = {'results': nlq_predictions([10, 0])['results'] * 2}
        with pytest.warns(SegmentWarning) as warned:
            assert ego4d_nlq_figures(nlq_truth([0, 10]), predictions)['mIoU'] == 0
        assert [str(warning.message).partition(' ')[2].split(',')[0] for warning in warned] == [
            'results are for queries that have one before', 'predicted windows have their end first (such as [10.0']

    def test_queries_without_results_are_said(self) -> None:
        truth = nlq_truth([0, 10])
        truth['videos'][0]['clips'][0]['annotations'][0]['language_queries'] *= 3
        with pytest.warns(SegmentWarning, match='2 of the 3 queries of the truth have no result, and the means of '):
            assert ego4d_nlq_figures(truth, nlq_predictions([0, 10]))['mIoU'] == 100

    def test_the_iou_of_two_equal_points_is_no_number_as_in_the_program(self) -> None:
        with pytest.warns(SegmentWarning, match='1 results have a true window without length and the same first'):
            found = ego4d_nlq_figures(nlq_truth([7, 7]), nlq_predictions([7, 7], [1, 2]))
        assert math.isnan(found['mIoU']) and found['R@3 IoU>0.01'] == 0


def nlq_truth(window: list[Any]) -> dict[str, Any]:
    query = dict(zip(('clip_start_sec', 'clip_end_sec'), window))
    annotation = {'annotation_uid': 'a', 'language_queries': [query]}
    return {'videos': [{'clips': [{'clip_uid': 'c', 'annotations': [annotation]}]}]}


def nlq_predictions(*windows: list[float], query: int = 0) -> dict[str, Any]:
    return {'results': [{'clip_uid': 'c', 'annotation_uid': 'a', 'query_idx': query, 'predicted_times': list(windows)}]}


class TestActivityNet:
    def test_every_figure_of_the_program(self, moments: Path) -> None:
        truth, predictions = (content(moments / 'programs' / f'activitynet-{name}.json.gz')
                              for name in ('truth', 'predictions'))
        printed = content(moments / 'programs' / 'activitynet-figures.json')
        assert class_average_precisions(truth, predictions) == printed['AP']
        assert activitynet_figures(truth, predictions) == {
            'average-mAP': printed['average-mAP'],
            **{f'mAP@{round(tiou, 2)}': value for tiou, value in zip(printed['tiou'], printed['mAP'])}}
        assert list(TIOUS) == pytest.approx(printed['tiou'])

    def test_a_class_without_predictions_is_0_and_other_subsets_do_not_count(self) -> None:
        truth = {'database': {
            'v': {'subset': 'validation', 'annotations': [{'label': label, 'segment': [0, 10]} for label in 'ab']},
            'w': {'subset': 'training', 'annotations': [{'label': 'c', 'segment': [0, 10]}]}}}
        predictions = {'results': {'w': [{'label': 'a', 'score': .9, 'segment': [0, 10]}],
                                   'v': [{'label': 'a', 'score': .5, 'segment': [0, 10]}]}}
        with pytest.warns(SegmentWarning, match="1 of the 2 predicted videos are not in the subset 'validation'"):
            assert class_average_precisions(truth, predictions, tious=[.5]) == {'a': [.5], 'b': [0]}
        with pytest.warns(SegmentWarning, match='check their names'):
            assert activitynet_figures(truth, predictions, tious=[.3, .5]) == {
                'average-mAP': .25, 'mAP@0.3': .25, 'mAP@0.5': .25}
        with pytest.raises(ValueError, match="video 'w' of the predictions has the class 'a', which the truth "):
            class_average_precisions(truth, predictions, 'training')
        with pytest.raises(ValueError, match=r"no video of the subset 'testing' has a window \(subsets: training, val"):
            class_average_precisions(truth, predictions, 'testing')
        with pytest.raises(ValueError, match="video 'v' of the predictions is None"):
            class_average_precisions(truth, {'results': {'v': None}})

    def test_times_may_be_text_as_in_the_program(self) -> None:
        truth = {'database': {'v': {'subset': 'validation', 'annotations': [{'label': 'a', 'segment': ['0', '10.0']}]}}}

        def predictions(start: str) -> dict[str, Any]:
            return {'results': {'v': [{'label': 'a', 'score': .9, 'segment': [start, 10]}]}}
        assert class_average_precisions(truth, predictions('5'), tious=[.5, .6]) == {'a': [1, 0]}
        with pytest.raises(ValueError, match=r'Expected `float`'):
            class_average_precisions(truth, predictions('0:05'))


WINDOWS = st.tuples(st.integers(0, 12), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def exact_average_precision(truth: list[Window], predictions: list[Window], iou: float) -> Fraction:
    """By the definition, in fractions: recall grows with each right prediction, and counts with the best precision from
    there on."""
    least, free, hits = Fraction(str(iou)), list(truth), []
    for predicted in predictions:
        # of equal ones the last listed
        fits = [(Fraction(max(0, min(predicted[1], true[1]) - max(predicted[0], true[0])),
                          max(predicted[1], true[1]) - min(predicted[0], true[0])), place)
                for place, true in enumerate(free) if true[0] < predicted[1] and predicted[0] < true[1]]
        best = max(fits, default=(Fraction(0), -1))
        hits.append(best[0] >= least)
        if hits[-1]:
            free.pop(best[1])
    precisions = [Fraction(sum(hits[:rank]), rank) for rank in range(1, len(hits) + 1)]
    return sum((max(precisions[place:]) for place, hit in enumerate(hits) if hit), Fraction(0)) / len(truth)


@given(st.lists(WINDOWS, min_size=1, max_size=5), st.lists(WINDOWS, max_size=8))
def test_average_precision_is_that_of_its_definition(truth: list[Window], predictions: list[Window]) -> None:
    found = average_precisions([('v', window) for window in truth], [('v', window) for window in predictions])
    assert found == pytest.approx([float(exact_average_precision(truth, predictions, iou)) for iou in IOUS])


@given(WINDOWS, WINDOWS)
def test_the_two_ious_agree_where_windows_meet(one: Window, other: Window) -> None:
    if min(one[1], other[1]) > max(one[0], other[0]):
        assert union_iou(one, other) == hull_iou(one, other)
    assert math.isnan(union_iou((3, 3), (3, 3))) and hull_iou((3, 3), (3, 3)) == 0
