"""Worked examples of all measures of spans, by hand: what the definitions say where bounds meet and decimals are exact.
"""

from math import fsum
from typing import Any

import ir_measures
import pytest
import strategies
from hypothesis import given
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run, value, values

from ir_segmeasures import (
    T2I_AP,
    T2I_P,
    AgP,
    AiSP,
    AP_bin,
    P_bin,
    RBP_residual,
    RBP_seg,
    SegF,
    SegIoU,
    SegMiss,
    SegNoise,
    SegP,
    SegR,
    bpref_seg,
    segmeasures,
)
from ir_segmeasures.segments.tables.table import RowError

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]
TWO = [*SPANS, ('u', 0, 10, 1)]
# u: F = 2/3 of its 10 relevant; w: nothing relevant; v: F = 2/7, its second item within the first
DOCUMENTS = [('u', 0, 5), ('w', 0, 5), ('v', 0, 20), ('v', 5, 15), ('u', 2, 4)]
THIRD = (2 / 3 + 2 / 7) / 3
PAGE = [('v', 0, 20), ('v', 20, 40)]
PIECES = [('v', start, start + 1) for start in (90, 10, 50, 11, 9, 89.5)]
FAR = [('v', 10000000.6, 10000001, 1)]
ONSETS = [('v', 100, 130, 1), ('v', 300, 310, 1)]
NEAR = [('v', 3599.9, 3599.95, 1)]
# Two anchors that overlap, one judged twice, one apart.
ANCHORS = [('v', 10, 30, 1), ('v', 20, 40, 1), ('v', 20, 40, 2), ('v', 60, 70, 1), ('v', 80, 90, 0)]
WINDOWS = [('v', 0, 10, 1), ('v', 20, 40, 1)]
LIST = [('v', 10, 20), ('v', 15, 20), ('v', 30, 40)]


def at(*starts: float, length: float = 0) -> list[tuple[str, float, float]]:
    """Items that start there; entry points without a length."""
    return [('v', start, start + length) for start in starts]


CASES: dict[str, tuple[Any, Any, dict[str, float]]] = {
    'a start exactly the tolerance before is too early': (SPANS, at(5), {
        'T2I_AP(tau=10)': 0, 'T2I_AP(tau=10.01)': .5}),
    # In floats 0.3 - 0.1 is less than 0.2, 1.2 - 1.1 less than 0.1, and 10000000.6 - 10000000.3 less than 0.3.
    'tolerance in decimals': ([('v', .3, 1, 1)], at(.1), {'T2I_AP(tau=0.2)': 0, 'T2I_AP(tau=0.200001)': 1}),
    'tolerance in other decimals': ([('v', 1.2, 2, 1)], at(1.1), {'T2I_AP(tau=0.1)': 0}),
    'tolerance far into a document': (FAR, at(10000000.3), {'T2I_AP(tau=0.3)': 0, 'T2I_AP(tau=0.31)': 1}),
    'an entry in the middle': (SPANS, at(24.9), {'T2I_AP(tau=1)': .5}),
    'an entry at the end': (SPANS, at(25), {'T2I_AP(tau=1)': 0}),
    'without tolerance, before': (SPANS, at(14.9), {'T2I_AP(tau=0)': 0}),
    'without tolerance, at the start': (SPANS, at(15), {'T2I_AP(tau=0)': .5}),
    'one span': ([('v', 0, 10, 1), ('v', 5, 15, 2), ('v', 15, 20, 1), ('v', 3, 4, 0)], at(0), {
        'T2I_AP': 1, 'T2I_AP(rel=2)': 1, 'T2I_AP(rel=2,tau=4)': 0}),
    # From the first span the next is 5 s away, and from there the third is 10 s.
    'who goes on sees the neighbours': ([*SPANS, ('v', 45, 50, 1)], at(14), {
        'T2I_AP(tau=5,keepviewing=True)': 1 / 3, 'T2I_AP(tau=6,keepviewing=True)': 2 / 3,
        'T2I_AP(tau=10,keepviewing=True)': 2 / 3, 'T2I_AP(tau=11,keepviewing=True)': 1,
        'R_tol(tau=6,keepviewing=True)@1': 2 / 3, 'P_tol(tau=6,keepviewing=True)@1': 1}),
    # Shots that touch: finding one of them is finding the other, unless they are apart.
    'apart': ([('v', 0, 10, 1), ('v', 10, 20, 1)], at(0, length=10), {
        'T2I_AP': 1, 'T2I_AP(apart=True)': .5, 'T2I_AP(apart=True,keepviewing=True)': 1, 'ESL(D=1000)': 0,
        'ESL(D=1000,apart=True)': 33, 'AP_over': 1, 'AP_over(apart=True)': .5, 'R_over(apart=True)@1': .5}),
    # The spans are reached after a timeout and 5 s, and after another timeout and 7 s: at 15 and 32.
    'found after so much effort': (SPANS, at(0, 10, 0, 23), {
        **{f'T2I_Found(tau=10)@{effort}': found for effort, found in (
            (0, 0), (14.9, 0), (15, 1), (31.9, 1), (32, 2), (1000, 2))},
        'T2I_Found(tau=10,share=True)@15': .5, 'T2I_Found(tau=10,keepviewing=True)@20': 2,
        'T2I_Found(tau=10,init=3)@20': 0, 'T2I_Found(tau=10,init=3)@21': 1, 'T2I_Found(tau=10,cutoff=3)@32': 1}),
    'one of two users': (SPANS, at(0, 10), {"T2I_Found(tau='5:15:10')@20": .5}),
    # Two timeouts in the whole collection, three in the list: nothing is left to search.
    'more wasted than the collection has': (SPANS, at(0, 0, 0), {'ESL(tau=10,D=35)': 3, 'ESD(tau=10,D=35)': 30}),
    # (1.6 - 1) / 0.1 is 6, although floats make it 6.000000000000001.
    'timeouts in decimals': ([('v', 0, 1, 1)], [], {'ESL(tau=0.1,D=1.6)': 3}),
    # 0.68 · 75 is 51 and 0.28 · 25 is 7, although floats make them more.
    'recall levels in decimals': ([('v', 100 * i, 100 * i + 1, 1) for i in range(75)], at(*range(0, 5100, 100)), {
        'Precall(tau=1,D=100000)@0.68': 1}),
    'other levels in decimals': ([('v', 100 * i, 100 * i + 1, 1) for i in range(25)], at(*range(0, 700, 100), 50), {
        'Precall(tau=1,D=100000)@0.28': 1}),
    'a query without relevant content needs no collection': ([('v', 0, 10, 0)], at(0), {'ESL(D=1)': 0}),
    'one document': (SPANS, [('v', 0, 20)], {
        "AgP(score='P')": 5 / 20, "AgP(score='R')": 5 / 15, 'AgP': 2 / 7, 'AgP(beta=0)': 5 / 20,
        'AgP(beta=0.25)': (1 + 1 / 16) / 12 / (1 / 64 + 1 / 3)}),
    'documents in the order of their first items': (TWO, DOCUMENTS, {
        'gP@2': 1 / 3, 'gP@3': THIRD, 'gP@6': THIRD / 2, 'gR@1': 1 / 2, 'gR@3': 1, "gR(recall='length')@2": 10 / 25,
        'AgP': (2 / 3 + THIRD) / 2, 'AgP@2': 2 / 3 / 2,
        "AgP(recall='length')": 10 / 25 * 2 / 3 + 15 / 25 * THIRD,
        "AgP(recall='length',scaled=True)": (2 / 3 + THIRD) / 2,
        "AgP(recall='length',scaled=True)@2": 10 / 25 * 2 / 3, 'igP@0.5': 2 / 3, 'igP@0.51': THIRD}),
    'an entry point takes a rank and has no content': ([('v', 0, 10, 1)], [('u', 5, 5), ('v', 0, 10)], {'AgP': 1 / 2}),
    'an entry point is not watched': (SPANS, [*at(16, 31), *PAGE], {"AiSP(user='ret')": 3 / 7}),
    'watching': (SPANS, PAGE, {
        "AiSP(user='ret')": 3 / 7, 'AiSP': (67 * .4 + 34 * .375) / 101, 'iSP@0': .4, 'iSP@0.66': .4, 'iSP@0.67': .375,
        "iSP(user='ret')@1": 3 / 7}),
    # 3 of 10 relevant seconds, in decimals whose float sum is not 0.3
    'a level reached exactly': ([('v', 0, .1, 1), ('v', 1, 1.2, 1), ('v', 5, 5.7, 1)], [('v', 0, .1), ('v', 1, 1.2)], {
        "iSP(user='ret')@0.3": 1}),
    'pieces of one span': ([('v', 0, 100, 1)], PIECES, {
        "iSP(user='ret')@0.05": 1, "iSP(user='ret')@0.055": 1, "iSP(user='ret')@0.056": 0}),
    'items that meet again': (SPANS, [('v', 14, 16)] * 6, {
        'AP_over': 3, 'AP_over@3': 3 / 2, 'P_over@4': 1, 'P_over@8': 6 / 8}),
    'touching is not an overlap': (SPANS, [('v', 0, 15), ('v', 25, 30), ('v', 20, 20)], {'AP_over': 0}),
    'bins of starts: 0, 1, w 0, 2': (SPANS, [('v', 5, 15), ('v', 12, 13), ('w', 0, 5), ('v', 29, 40)], {
        'AP_bin(bin=10,expand=False)': (1 / 2 + 2 / 4) / 3}),
    'the bin of an entry point': (SPANS, at(15), {'AP_bin(bin=10,expand=False)': 1 / 3, 'AP_bin(bin=10)': 0}),
    # 0.3 / 0.1 is less than 3 in floats, and 0.7 / 0.1 is less than 7.
    'bins in decimals': ([('v', .3, .4, 1)], [('v', .3, .4)], {'AP_bin(bin=0.1)': 1}),
    'bins in other decimals': ([('v', .6, .7, 1)], [('v', .7, .8)], {'P_bin(bin=0.1)@1': 0}),
    'before the bound of a bin': (NEAR, [('v', 3599.999999, 3700)], {'AP_bin(expand=False)': 1, 'AP_bin': 1}),
    'behind the bound of a bin': (NEAR, [('v', 3600, 3600.000001)], {'AP_bin(expand=False)': 0, 'AP_bin': 0}),
    # 10 s from the onset: no whole step of 15 s; 40 s: two of them, so 1 - 30/150; the third finds no onset left.
    'rewards': (ONSETS, at(110, 340, 100), {'GAP': (1 + (1 + .8) / 2) / 2}),
    'beyond the window': (ONSETS, at(460, 300), {'GAP': (1 / 2) / 2}),
    'another window': (ONSETS, at(89), {'mGAP(grain=10,window=20)': .5 / 2}),
    # 0.3 are three steps of 0.1, although 0.3 / 0.1 is less than 3 in floats; 1.4 is one step of 1.4.
    'whole steps': ([('v', .3, .4, 1)], at(0), {'GAP(grain=0.1,window=1)': .7}),
    'steps with a fraction': ([('v', 1.4, 2, 1)], at(0), {'GAP(grain=1.4,window=2.8)': .5}),
    # 100 s from both: the onset at 100 is used up, the one at 300 is left.
    'of two equally near the earlier one': (ONSETS, at(200, 300), {'GAP': (.4 + (.4 + 1) / 2) / 2}),
    'the contingency table': (SPANS, [('v', 10, 20), ('w', 0, 10)], {
        'SegFallout(D=115)': 15 / 100, 'SegMiss': 10 / 15, 'SegNoise': 15 / 20, 'SegGenerality(D=150)': 15 / 150}),
    'all that is irrelevant': (SPANS, [('v', 0, 35)], {'SegFallout(D=35)': 1}),
    'the budget cuts the last item': (SPANS, LIST, {
        'SegR(budget=18)': (5 + 3) / 15, 'SegR(budget=10)': 5 / 15, 'SegP(budget=3)': 0, 'SegR(budget=18)@2': 5 / 15}),
    'a share reached exactly': ([('v', 0, .3, 1)], [('v', .2, .35)], {'R_cov': 1}),
    'a share not reached': ([('v', 0, .31, 1)], [('v', .21, .36)], {'R_cov': 0}),
    'references are not merged': ([('v', 0, 10, 1), ('v', 10, 20, 1)], [('v', 0, 10)], {'R_cov': 1 / 2}),
    # Item 2 meets the first anchor, item 3 the second as well, item 4 nothing new; the entry point shares no content.
    'what is met first': (ANCHORS, [('v', 40, 60), ('v', 0, 15), ('v', 12, 30), ('v', 25, 35), ('u', 10, 30),
                                    ('v', 65, 65), ('v', 65, 66)], {
        **{f'P_new@{k}': met / k for k, met in enumerate((0, 1, 2, 2, 2, 2, 3), 1)}, 'Rprec_new': 2 / 4,
        'RR_over': 1 / 2, 'RR_over@1': 0}),
    'items that meet nothing new': (ANCHORS, [('v', 0, 100)] * 3, {'P_new@3': 1 / 3}),
    # IoU 8/10, then the same window again (no other is left at 0.5), then 16/20
    'a window is matched once': (WINDOWS, [('v', 0, 8), ('v', 1, 10), ('v', 24, 40)], {
        'IoU_AP(iou=0.5)': (1 + 2 / 3) / 2, 'IoU_AP(iou=0.85)': (1 / 2) / 2, 'IoU_AP(iou=0.5)@2': 1 / 2}),
    'the best of the first': (WINDOWS, [('w', 0, 10), ('v', 5, 15), ('v', 22, 40), ('v', 0, 10)], {
        'mIoU@1': 0, 'mIoU@2': 5 / 15, 'mIoU@3': 18 / 20, 'mIoU@4': 1, 'AxIoU@3': (5 / 15 + 18 / 20) / 3}),
    'an IoU reached exactly': ([('v', 0, 1, 1)], [('v', 0, .7), ('v', 0, 1)], {
        'IoU_R(iou=0.7)@1': 1, 'IoU_R(iou=0.71)@1': 0, 'IoU_R(iou=0.71)@2': 1, 'IoU_R(iou=0.7,strict=True)@1': 0,
        'IoU_R(iou=0.69,strict=True)@1': 1, 'IoU_R(iou=1,strict=True)@2': 0}),
    'judgements below 0 are none': ([('v', 0, 10, 1), ('v', 20, 30, -1)], [('v', 20, 30), ('v', 0, 10)], {
        'bpref_seg': 1}),
    # An entry point shares no content with what is judged not relevant, nor does what touches it.
    'entry points and neighbours of what is judged': (
        [('v', 0, 10, 1), ('v', 20, 30, 0)], [('v', 25, 25), ('v', 30, 40), ('v', 10, 20), ('v', 0, 10)], {
            'bpref_seg': 1}),
    'what is open in a query without relevant content': ([('v', 0, 10, 0)], [('v', 0, 20)], {
        'RBP_residual(p=0.5)': .5 * .5 + .5}),
}


@pytest.mark.parametrize('name', CASES)
def test_by_hand(name: str) -> None:
    qrels, run, expected = CASES[name]
    measures = list(map(ir_measures.parse_measure, expected))
    assert dict(zip(expected, values(measures, qrels, run))) == pytest.approx(expected)


@pytest.mark.parametrize('qrels, run, measure, sentence', [
    (SPANS, [], 'ESL(D=15)', r"query 'q' has 15 of relevant content, .*D=15: give the length"),
    ([('v', 0, .1, 1), ('v', 1, 1.7, 1)], at(0), 'ESL(D=0.8,tau=1)', 'of relevant content'),
    (SPANS, [('v', 10, 20)], 'SegFallout(D=15)', r'the whole collection is D=15: give the length'),
    (SPANS, [('v', 0, 35)], 'SegFallout(D=34)', "query 'q.*' has 20 of irrelevant content retrieved, but in .* D=34, "
     'of which 19 is irrelevant: give the length of the whole collection'),
    ([('v', 15, 15, 1)], [], 'AgP', r'row 0 of the qrels: .*no content: give the judgement an end after'),
    *((SPANS, [], f'{name}(p=1)', 'has p=1, with which the user never stops: give a number below 1')
      for name in ('RBP_seg', 'RBP_residual')),
    *((SPANS, [], measure, '>= 1e-09') for measure in ('AP_bin(bin=1e-300)', 'P_bin(bin=5e-324)@1',
                                                       'T2I_P(tau=1e-300)@1'))])
def test_errors(qrels: Any, run: Any, measure: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        value(measure, qrels, run)


class TestEnds:
    def test_only_the_start_of_an_item_matters(self) -> None:
        for id, measure in (('v#t=12', T2I_AP), ('v#t=12,', T2I_AP), ('v#t=00:12', T2I_AP), ('v', T2I_AP(tau=20)),
                            ('v#t=12', AP_bin(bin=10, expand=False)(rel=1))):
            assert 0 < segmeasures.calc_aggregate([measure], as_qrels(SPANS), [ScoredDoc('q', id, 1)])[measure] <= .5

    @pytest.mark.parametrize('measure', [AiSP, AP_bin(bin=10)])
    def test_others_need_ends(self, measure: Any) -> None:
        for id in ('v#t=12', 'v'):
            with pytest.raises(RowError, match=r"row 0 of the run: query 'q', document 'v': it runs to the document's "
                                               r'end.*write the end into the id or resolve\(\)'):
                segmeasures.calc_aggregate([measure], as_qrels(SPANS), [ScoredDoc('q', id, 1)])
        run = [*as_run([('v', 15, 35)]), ScoredDoc('other', 'v#t=5', 1)]  # of a query that is not judged
        assert segmeasures.calc_aggregate([measure], as_qrels(SPANS), run)[measure] > 0

    def test_the_end_of_a_judgement_must_be_known(self) -> None:
        with pytest.raises(RowError, match=r"row 0 of the qrels: query 'q', document 'v': it is judged relevant up to"):
            segmeasures.calc_aggregate([AgP], [Qrel('q', 'v#t=15', 1)], [])
        # Below rel it is only a judgement.
        assert segmeasures.calc_aggregate([AgP(rel=2)], as_qrels([('v', 15, 15, 1)]), []) == {AgP(rel=2): 0}
        assert bpref_seg.calc_aggregate({'q': {'v#t=0,10': 1, 'u': 0}}, {'q': {'u#t=5,9': 2, 'v#t=0,10': 1}}) == 0


class TestBeyondNumber:
    @pytest.mark.parametrize('tool', [{}, {'tool': 'sh_eval'}])
    def test_bins(self, tool: dict[str, str]) -> None:
        qrels, run = [Qrel('q', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=0,999999999999', 1)]
        for measure in (AP_bin(bin=1 if tool else 1e-3, **tool), P_bin(bin=1 if tool else 1e-3, **tool) @ 10):
            with pytest.raises(ValueError, match=r'more than 10,000,000 bins.*give a longer bin'):
                ir_measures.calc_aggregate([measure], qrels, run)
        assert ir_measures.calc_aggregate([AP_bin(bin=10 ** 14)], qrels, run) == {AP_bin(bin=10 ** 14): 1}

    @pytest.mark.parametrize('norm', ['items', 'effort'])
    def test_timeouts(self, norm: str) -> None:
        # A timeout at rank 1, a span at rank 2, a timeout at rank 3, a span at rank 4.
        spans, steps = [('v', 10, 20, 1), ('v', 5000, 5010, 1)], 20_000
        found = [0, 1, *[2] * (steps - 2)]
        some, many = values([T2I_P(tau=1e-3, norm=norm) @ 20, T2I_P(tau=1e-3, norm=norm) @ 1e12], spans,
                            at(0, 9.9999, 4000, 4999.9999))
        assert some == pytest.approx(fsum(f / (t + (f if norm == 'items' else 0)) for t, f in enumerate(found, 1))
                                     / steps, rel=1e-12)
        assert many == pytest.approx(2 * 34.5 / 1e15, rel=0.05)  # 2 · log(10^15) and a little


@given(strategies.cases, strategies.persistences, strategies.cutoffs)
def test_how_measures_hang_together(case: Any, p: float, k: int) -> None:
    P, R, F, iou, miss, noise, found, residual = values(
        [SegP, SegR, SegF, SegIoU, SegMiss, SegNoise, RBP_seg(p=p), RBP_residual(p=p)], *case)
    assert iou <= F + 1e-12 and F == pytest.approx(2 * iou / (1 + iou))
    assert not R or (miss, noise) == pytest.approx((1 - R, 1 - P))
    assert found + residual <= 1 + 1e-9
    for measure in (RBP_seg(p=p), RBP_residual(p=p)):
        assert value(measure @ k, *case) == pytest.approx(value(measure, case[0], case[1][:k]))


def test_of_documents_the_preference_is_that_of_trec_eval() -> None:
    names = [f'd{place}' for place in range(12)]
    qrels = {'q': {f'{name}#t=0,10': int(place % 3 == 1) for place, name in enumerate(names) if place % 4}}
    run = {'q': {f'{name}#t=0,10': -place for place, name in enumerate(names)}}
    assert bpref_seg.calc_aggregate(qrels, run) == pytest.approx(ir_measures.Bpref.calc_aggregate(qrels, run))
    assert 0 < bpref_seg.calc_aggregate(qrels, run) < 1
