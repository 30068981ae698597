"""Highlights: a slow reference, worked examples, and the figures of QVHighlights' program."""

from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pytest
from hypothesis import given, strategies as st
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import HL_AP, HL_Hit, formats, official, segmeasures

LEVELS = {'Fair': 2, 'Good': 3, 'VeryGood': 4}


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    saliency_1: float | None
    saliency_2: float | None
    saliency_3: float | None


def clip(place: int) -> str:
    return f'v#t={2 * place},{2 * place + 2}'


def judged(*clips: tuple[int, int, int]) -> list[Judged]:
    return [Judged('q', clip(place), sum(scores), *scores) for place, scores in enumerate(clips)]


def value(measure: Any, qrels: list[Judged], run: list[ScoredDoc]) -> float:
    return next(iter(segmeasures.iter_calc([measure], qrels, run))).value


def plain_precision(positive: list[bool], scores: list[float]) -> float:
    """Threshold by threshold, as the definition has it."""
    if all(positive) or not any(positive):
        return float(any(positive))
    points = []
    for threshold in sorted(set(scores), reverse=True):
        found = [is_positive for is_positive, score in zip(positive, scores) if score >= threshold]
        points.append((sum(found) / sum(positive), sum(found) / len(found)))
    best = [max(precision for _, precision in points[place:]) for place in range(len(points))]
    grown = [precision for place, precision in enumerate(best)
             if points[place][0] > (points[place - 1][0] if place else 0)]
    return sum(grown) / len(grown)


GRADES = st.tuples(*[st.integers(0, 4)] * 3)


@given(st.lists(GRADES, min_size=1, max_size=8), st.data())
def test_the_definition(clips: list[tuple[int, int, int]], data: Any) -> None:
    # Fewer clips than judged ones are filled with 0, and others do not count.
    scores = data.draw(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=10))
    least = data.draw(st.integers(1, 4))
    run = [ScoredDoc('q', clip(place), score) for place, score in enumerate(scores)]
    filled = [*scores[:len(clips)], *[0.0] * (len(clips) - len(scores))]
    wanted = sum(plain_precision([grades[worker] >= least for grades in clips], filled) for worker in range(3)) / 3
    assert value(HL_AP(min=least), judged(*clips), run) == pytest.approx(wanted, abs=1e-12)
    first = scores.index(max(scores))
    assert value(HL_Hit(min=least), judged(*clips), run) == (first < len(clips) and max(clips[first]) >= least)


def test_what_the_qrels_need() -> None:
    assert segmeasures.qrel_inputs([HL_AP(min=2), HL_Hit(min=3)])[-3:] == ['saliency_1', 'saliency_2', 'saliency_3']
    with pytest.raises(ValueError, match="the qrels lack the column 'saliency_1'"):
        HL_AP(min=2).calc_aggregate([Qrel('q', clip(0), 1)], [ScoredDoc('q', clip(0), 1)])
    with pytest.raises(ValueError, match="there is no 'saliency_2'"):
        value(HL_AP(min=2), [Judged('q', clip(0), 1, 4, None, 4)], [ScoredDoc('q', clip(0), 1)])
    with pytest.raises(ValueError, match='an earlier row has the scores of this clip'):
        value(HL_AP(min=2), judged((1, 2, 3)) * 2, [ScoredDoc('q', clip(0), 1)])
    with pytest.raises(ValueError, match='HL_AP lacks min'):
        value(HL_AP, judged((1, 2, 3)), [ScoredDoc('q', clip(0), 1)])


@pytest.mark.parametrize('predictions', [
    'qvhighlights-val-predictions.jsonl.gz', 'programs/qvhighlights-shuffled-predictions.jsonl.gz'])
def test_the_figures_of_the_program(shared_data: Path, predictions: str) -> None:
    truth, predicted = shared_data / 'moments' / 'qvhighlights-val.jsonl.gz', shared_data / 'moments' / predictions
    printed = official('qvhighlights', truth, predicted)
    measures = {HL_AP(min=least): f'HL-min-{level}-mAP' for level, least in LEVELS.items()}
    measures.update({HL_Hit(min=least): f'HL-min-{level}-Hit1' for level, least in LEVELS.items()})
    found = ir_measures.calc_aggregate(
        list(measures), formats.read_qrels(truth, 'saliency'), formats.read_run(predicted, 'saliency'))
    assert {name: round(100 * found[measure], 2) for measure, name in measures.items()} == {
        name: round(printed[name], 2) for name in measures.values()}
    assert [100 * found[measure] for measure in measures] == pytest.approx(
        [printed[name] for name in measures.values()], abs=1e-11)
