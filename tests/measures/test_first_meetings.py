"""First meetings: worked examples, and the figures of MediaEval's anchoring program."""

from pathlib import Path

import pytest
from ir_measures import Qrel, ScoredDoc
from query_values import value

from ir_segmeasures import P_new, Rprec_new, RR_over

# Two anchors that overlap, one judged twice, one apart.
ANCHORS = [('v', 10, 30, 1), ('v', 20, 40, 1), ('v', 20, 40, 2), ('v', 60, 70, 1), ('v', 80, 90, 0)]


def test_what_is_met_first() -> None:
    run = [('v', 40, 60), ('v', 0, 15), ('v', 12, 30), ('v', 25, 35), ('u', 10, 30), ('v', 65, 65), ('v', 65, 66)]
    # Item 2 meets the first anchor, item 3 the second as well, item 4 nothing new; the entry point shares no content.
    assert [value(P_new@k, ANCHORS, run) * k for k in range(1, 8)] == pytest.approx([0, 1, 2, 2, 2, 2, 3])
    assert value(Rprec_new, ANCHORS, run) == 2 / 4  # n is the number of judgements, the one given twice included
    assert value(RR_over, ANCHORS, run) == 1 / 2
    assert value(RR_over(cutoff=1), ANCHORS, run) == 0


def test_repeats_gain_nothing() -> None:
    run = [('v', 0, 100)] * 3
    assert value(P_new@3, ANCHORS, run) == 1 / 3


def seconds(time: str) -> int:
    minutes, _, rest = time.partition('.')
    return 60 * int(minutes) + int(rest)


def test_figures_of_the_anchoring_program(shared_data: Path) -> None:
    folder = shared_data / 'mediaeval-sh-2015-anchoring'
    expected: dict[str, dict[str, float]] = {}
    for line in (folder / 'expected.txt').read_text().splitlines():
        name, video, figure = line.split()
        expected.setdefault(video, {})[name] = float(figure)
    qrels = [Qrel(video, f'{video}#t={seconds(start)},{seconds(end)}', int(relevance)) for video, start, end, relevance
             in map(str.split, (folder / 'anchors.qrel').read_text().splitlines())]
    run = [ScoredDoc(fields[0], f'{fields[0]}#t={seconds(fields[2])},{seconds(fields[3])}', -place) for place, fields
           in enumerate(map(str.split, (folder / 'anchors.run').read_text().splitlines()))]
    compared = 0
    for name, measure in (('MRR', RR_over), ('P_10', P_new@10), ('recall', Rprec_new)):
        for metric in measure.iter_calc(qrels, run):
            if name in expected.get(metric.query_id, {}):
                assert metric.value == pytest.approx(expected[metric.query_id][name], abs=1e-12), (name, metric)
                compared += 1
    assert compared == sum(len({'MRR', 'P_10', 'recall'} & figures.keys()) for video, figures in expected.items()
                           if video != 'all')
