"""The steps of measures: the value follows from them, they are those of plain walks, and everybody can ask for them."""

import re
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import fsum
from typing import Any

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given, strategies as st
from ir_measures import Measure, Qrel, ScoredDoc
from query_values import as_qrels, as_run
from strategies import Qrels, Run

from ir_segmeasures import AiSP, AP_bin, AP_over, explain
from ir_segmeasures.formats import InexQrel
from ir_segmeasures.measures.base import DECLARED, SpanMeasure
from ir_segmeasures.study.explanations import Explanation, has_steps

Query = tuple[Qrels, Run]


def interpolated(steps: Any, level: float, precision: str = 'precision', recall: str = 'recall') -> float:
    """The best precision at a recall level or a higher one."""
    return max((getattr(step, precision) for step in steps if getattr(step, recall) >= level * (1 - 1e-9)), default=0)


def averaged(steps: Any, levels: int) -> float:
    return fsum(interpolated(steps, i / (levels - 1)) for i in range(levels)) / levels


def timeouts_until(steps: Any, t: int) -> int:
    """How many spans are found before the t-th timeout."""
    return bisect_right([step.timeouts for step in steps], t - 1)


# The value as a reader of the table computes it, from what stands in the other columns than ``adds``: (steps, the
# measure, the number of relevant spans) → value.
FORMULAS: dict[str, Callable[[Any, Any, int], float]] = {
    'T2I_AP': lambda steps, m, R: fsum(step.hits / step.rank for step in steps) / R,
    'P_tol': lambda steps, m, R: len({step.rank for step in steps}) / m['cutoff'],
    'T2I_P': lambda steps, m, R: fsum(f / (f + t) for t in range(1, round(m['T'] / m['tau']) + 1)
                                      for f in [timeouts_until(steps, t)]) / round(m['T'] / m['tau']),
    'AiSP': lambda steps, m, R: averaged(steps, m['points']),
    'iSP': lambda steps, m, R: interpolated(steps, m['recall']),
    'ASP': lambda steps, m, R: fsum(step.V / step.W for step in steps) / R,
    'AgP': lambda steps, m, R: fsum(step.gP * step.gain for step in steps),
    'gP': lambda steps, m, R: fsum(getattr(step, m['score']) for step in steps) / m['cutoff'],
    'gR': lambda steps, m, R: fsum(step.gain for step in steps),
    'igP': lambda steps, m, R: max((step.gP for step, recall in zip(steps, accumulate(s.gain for s in steps))
                                    if recall >= m['level'] - 1e-9), default=0),
    'AiP': lambda steps, m, R: averaged(steps, 101),
    'iP': lambda steps, m, R: interpolated(steps, m['recall']),
    'AP_over': lambda steps, m, R: fsum(step.hits / step.rank for step in steps) / R,
    'P_over': lambda steps, m, R: len(steps) / m['cutoff'],
    'P_new': lambda steps, m, R: len(steps) / m['cutoff'],
    'RR_over': lambda steps, m, R: 1 / steps[0].rank if steps else 0,
    'P_bin': lambda steps, m, R: len(steps) / m['cutoff'],
    'SegR': lambda steps, m, R: steps[-1].recall if steps else 0,
    'mIoU': lambda steps, m, R: max((step.IoU for step in steps), default=0),
    'mIoP': lambda steps, m, R: max((step.IoP for step in steps), default=0),
    'IoU_R': lambda steps, m, R: any(step.IoU >= m['iou'] for step in steps),
    'IoP_R': lambda steps, m, R: any(step.IoP >= m['iop'] for step in steps),
}
MEASURES = ['T2I_AP', 'T2I_AP(tau=5,keepviewing=True)@4', "T2I_AP(tau='5:15:5')", 'P_tol(tau=30)@3',
            'P_tol(tau=30,keepviewing=True)@5', 'T2I_P(tau=10)@30', 'T2I_Found(tau=10)@30',
            'ESL(D=5000)', 'ESL(D=5000,keepviewing=True)@2',
            'ESLRF(D=5000)@1', 'ESD(D=5000,init=2)', 'Precall(D=5000)', 'Precall(D=5000)@0.5', 'Judged_tol@3',
            'AiSP', 'AiSP(user="ret",points=11)@5', 'iSP@0.2', 'iSP(user="ret")@0.7', 'ASP', 'ASP(user="ret")@4',
            'AgP', 'AgP(score="P",recall="length")@2', 'AgP(recall="length",scaled=True)', 'gP(score="R")@2', 'gR@2',
            'igP@0.3', 'AigP', 'AigP(points=5,score="P")@2', 'AiP', 'AiP@4', 'iP@0.1', 'AP_over', 'AP_over@3',
            'P_over@3', 'Judged_over@3', 'RR_over', 'P_new@3', 'Rprec_new', 'AP_bin(bin=20)', 'AP_bin(bin=7.5)@5',
            'AP_bin(bin=20,expand=False)', 'AP_bin(bin=0.01)@400', 'P_bin(bin=20)@3', 'Judged_bin(bin=20)@3',
            'bpref_seg', 'bpref_seg@4', 'IoU_AP(iou=0.3)', 'nDCG_IoU(iou=0.3)@4', 'AxIoU@4', 'R_over@3', 'R_tol@3',
            'TBG(halflife=30)', 'U(L=60)', 'RBP_seg(p=0.5)@4', 'RBP_residual(p=0.5)', 'GAP', 'P_cov', 'P_cov@3',
            'R_cov', 'PassageAP', 'SegP', 'SegR(budget=30)@4', 'SegF@5', 'SegIoU', 'Judged_content@3',
            'SegFallout(D=5000)', 'SegRejection(D=5000)', 'SegMiss(budget=30)', 'SegNoise', 'SegP_omega', 'mIoU_AP',
            'IoU_R(iou=0.3)@3', 'mIoU@3', 'mIoP@3', 'IoP_R@3']
SETS = ('SegP', 'SegR', 'SegF', 'SegIoU', 'Judged_content', 'SegFallout', 'SegRejection', 'SegMiss', 'SegNoise',
        'SegP_omega')
# Their values are not sums over the steps.
NO_SUMS = ('ESL', 'ESLRF', 'ESD', 'Precall', 'T2I_P', 'T2I_Found', 'RBP_residual', *SETS)


def explained(measure: Measure | str, case: Query) -> Explanation:
    explanation, = explain(measure, as_qrels(case[0]), as_run(case[1]))
    return explanation


@pytest.mark.parametrize('name', MEASURES)
@strategies.examples(.5)
@given(case=strategies.cases)
def test_the_value_follows_from_the_steps(name: str, case: Query) -> None:
    measure: Any = ir_measures.parse_measure(name)
    explanation = explained(measure, case)
    steps, value = explanation.steps, explanation.value
    assert value == measure.calc_aggregate(as_qrels(case[0]), as_run(case[1]))
    R = reference.count(reference.relevant_spans(case[0]))
    if not R and not measure.NAME.startswith('Judged') and measure.NAME != 'RBP_residual':
        assert (list(steps), value) == ([], 0)
        return
    assert explanation.sentence.endswith(f'{value:.4f}.')
    if measure.NAME in NO_SUMS:
        assert all(not hasattr(step, 'adds') for step in steps)
    else:
        assert fsum(step.adds for step in steps) == pytest.approx(value, abs=1e-12)
        assert all(step.adds >= 0 for step in steps)
    if measure.NAME in FORMULAS and not isinstance(measure.params.get('tau'), str) and not measure.params.get('scaled'):
        assert FORMULAS[measure.NAME](steps, measure, R) == pytest.approx(value, abs=1e-12)


def test_every_family_of_walks_has_steps() -> None:
    names = {ir_measures.parse_measure(name).NAME for name in MEASURES}
    with_steps = {measure.NAME for measure in DECLARED if isinstance(measure, SpanMeasure) and has_steps(measure)}
    assert with_steps - names == {'AgP_bep', 'gP_bep', 'BEPD', 'AgP_reading', 'gP_reading', 'CharAP', 'AspectAP',
                                  'alpha_nDCG_seg', 'NuggetRecall', 'SegCoverage', 'SegNovelty'}


@given(strategies.cases, st.sampled_from(strategies.USUAL_TAUS), st.booleans())
def test_the_spans_that_the_t2i_user_finds(case: Query, tau: int, keepviewing: bool) -> None:
    spans = reference.relevant_spans(case[0])
    steps = explained(ir_measures.parse_measure('T2I_AP')(tau=tau, keepviewing=keepviewing), case).steps
    unseen = {document: list(of_document) for document, of_document in spans.items()}
    expected = []
    for rank, (document, position, _) in enumerate(reference.ranking(case[1]), 1):
        while True:
            ahead = [(a, b) for a, b in unseen.get(document, []) if b > position and a - position < max(tau, 1e-12)]
            if not ahead:
                break
            a, b = min(ahead)
            unseen[document].remove((a, b))
            expected.append((rank, document, a, b, max(a - position, 0)))
            position = b
            if not keepviewing:
                break
    assert [step[:2] for step in steps] == [find[:2] for find in expected]
    assert [step[2:5] for step in steps] == [pytest.approx(tuple(map(float, find[2:]))) for find in expected]


@given(strategies.cases, strategies.users)
def test_the_stretches_that_are_watched(case: Query, user: str) -> None:
    spans, items = reference.relevant_spans(case[0]), reference.ranking(case[1])
    steps = explained(AiSP(user=user), case).steps
    # The points of the plain walk stand at the ends of pieces; within a stretch precision rises.
    points = {(float(V), float(W)) for V, W in reference.watch(spans, items, user)}
    seen: dict[str, list[tuple[float, float]]] = {}
    for step in steps:
        assert any(float(a) <= step.start and step.end <= float(b) for a, b in spans[step.document])
        assert all(step.end <= a or b <= step.start for a, b in seen.get(step.document, []))
        seen.setdefault(step.document, []).append((step.start, step.end))
        assert items[step.rank - 1][0] == step.document
        assert any(step.V == pytest.approx(V) and step.W == pytest.approx(W) for V, W in points)
    assert [step.V for step in steps] == pytest.approx(list(accumulate(step.end - step.start for step in steps)))
    assert [step.rank for step in steps] == sorted(step.rank for step in steps)


def test_documents_stand_at_their_first_item() -> None:
    run = [ScoredDoc('q', id, -i) for i, id in enumerate(('a#t=0,5', 'a#t=5,9', 'c#t=0,5', 'b#t=2,12', 'c#t=5,9'))]
    explanation, = explain('AgP', [Qrel('q', 'b#t=0,10', 1), Qrel('q', 'c#t=0,10', 1)], run)
    steps = explanation.steps
    assert [(step.rank, step.document, step.document_rank) for step in steps] == [(3, 'c', 2), (4, 'b', 3)]
    assert [(step.P, step.R) for step in steps] == [(1, 0.9), (0.8, 0.8)]
    assert [step.gain for step in steps] == [0.5, 0.5]


QRELS = [InexQrel('q', 'A', 200, 260, 1, 'Q0', 1000, 200), InexQrel('q', 'B', 0, 50, 1, 'Q0', 500, 0)]
RUN = [ScoredDoc('q', 'N#char=0,9', 4), ScoredDoc('q', 'A#char=350,351', 3), ScoredDoc('q', 'B#char=0,9', 2),
       ScoredDoc('q', 'A#char=0,9', 1)]


@pytest.mark.parametrize('measure', ['AgP_bep', 'AgP_bep@2', 'gP_bep@2', 'BEPD(A=1,L=100)', 'BEPD(A=1,L=100)@2',
                                     'AgP_reading', 'gP_reading@3', 'gP_reading(irr=20)@5'])
def test_entries_and_reading(measure: str) -> None:
    explanation, = explain(measure, QRELS, RUN)
    assert explanation.value == ir_measures.parse_measure(measure).calc_aggregate(QRELS, RUN) > 0
    assert fsum(step.adds for step in explanation.steps) == pytest.approx(explanation.value)
    assert [step[:3] for step in explanation.steps] == [(2, 'A', 2), (3, 'B', 3)][:1 if '@2' in measure else 2]
    if 'reading' not in measure:
        assert [step[3:5] for step in explanation.steps][:1] == [(350, 200)]


@pytest.mark.parametrize(('measure', 'steps'), [
    ('CharAP', [(1, 'd', 10, 20, 10, 15, .5)]), ('AspectAP', [(1, 'd', 5, 20, 'x, y')]),
    ('alpha_nDCG_seg', [(1, 'd', 5, 20, 'x, y')]), ('NuggetRecall', [('x', 1, 1), ('y', 1, 1), ('z', .5, 0)]),
    ('SegCoverage', [(1, 'd', 5, 20, 10, 15, .5)]), ('SegNovelty', [(1, 'd', 5, 20, 10, 15, .5)])])
def test_columns_of_the_judgements(measure: str, steps: list[tuple[Any, ...]]) -> None:
    pd = pytest.importorskip('pandas')
    qrels = pd.DataFrame([('q', 'd#char=10,20', 2, 'y|x', 1), ('q', 'e#char=0,10', 1, 'z', 0)],
                         columns=['query_id', 'doc_id', 'relevance', 'aspects', 'known'])
    explanation, = explain(measure, qrels, [ScoredDoc('q', 'd#char=5,20', 1)])
    assert [step[:len(steps[0])] for step in explanation.steps] == steps
    assert explanation.value == ir_measures.parse_measure(measure).calc_aggregate(qrels, {'q': {'d#char=5,20': 1}})
    assert explanation.sentence.endswith(f'{explanation.value:.4f}.')


def test_a_window_stands_beside_the_item_that_is_held_against_it() -> None:
    qrels, run = {'q': {'v#t=0,10': 1, 'v#t=20,30': 1}}, {'q': {'v#t=5,15': 3, 'v#t=6,16': 2, 'v#t=20,28': 1}}
    explanation, = explain('mIoU@3', qrels, run)
    assert [(step.rank, step.window, step.window_end, step.IoU) for step in explanation.steps] == [
        (1, 0, 10, 5 / 15), (3, 20, 30, .8)]
    assert explanation.sentence == 'Up to rank 3, the item with the highest IoU counts: 0.8000.'
    explanation, = explain('mIoU_AP', qrels, run)
    assert [step.iou for step in explanation.steps if step.value] == [.5, .55, .6, .65, .7, .75, .8]


def test_each_judged_query_in_order() -> None:
    qrels = [Qrel('b', 'v#t=0,10', 1), Qrel('a', 'v#t=0,10', 0), Qrel('c', 'v#t=0,10', 1)]
    run = [ScoredDoc('a', 'v#t=0,10', 1), ScoredDoc('b', 'v#t=5,15', 1), ScoredDoc('z', 'v#t=0,9', 1)]
    b, a, c = explain('AP_over', qrels, run)
    assert [found.query_id for found in (b, a, c)] == ['b', 'a', 'c']
    assert (b.value, len(b.steps)) == (1, 1)
    assert (a.value, a.steps, a.sentence) == (0, [], 'The query has no relevant content, so the value is 0.')
    assert (c.value, list(c.steps)) == (0, [])


def test_frames_of_steps_and_of_pyterrier() -> None:
    pd = pytest.importorskip('pandas')
    qrels = pd.DataFrame([('q', 'v', 0., 10., 1)], columns=['qid', 'docno', 'start', 'end', 'label'])
    run = pd.DataFrame([('q', 'v', 5., 15., 1.)], columns=['qid', 'docno', 'start', 'end', 'score'])
    explanation, = explain(AP_over, qrels, run)
    frame = pd.DataFrame(explanation.steps)
    assert list(frame.columns) == ['rank', 'document', 'start', 'end', 'hits', 'precision', 'adds']
    assert frame.adds.sum() == explanation.value == 1


@pytest.mark.parametrize(('measure', 'sentence'), [
    ('HL_AP(min=3)', 'HL_AP(min=3) has no steps that could be shown: take a measure of spans'),
    ("AiSP(tool='sh_eval')", "AiSP(tool='sh_eval') has no steps that could be shown: take a measure of spans"),
    ('nDCG', 'nDCG has no steps that could be shown'),
    ('AiSP(user="x")', "AiSP has user='x'"),
    ('NoSuch', "'NoSuch' cannot be read as a measure"),
])
def test_measures_without_steps(measure: str, sentence: str) -> None:
    with pytest.raises(ValueError, match='^' + re.escape(sentence)):
        explain(measure, [Qrel('q', 'v#t=0,10', 1)], [ScoredDoc('q', 'v#t=0,10', 1)])


def test_fractions_of_bins_are_positions() -> None:
    explanation, = explain(AP_bin(bin=0.3), [Qrel('q', 'v#t=0,10', 1)], [ScoredDoc('q', 'v#t=0.9,1.2', 1)])
    assert [step[2:4] for step in explanation.steps] == [(0.9, 1.2)]
    assert Fraction(explanation.value) > 0
