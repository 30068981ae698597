"""What holds for every measure: its definition, its bounds, and that units, origins and repeats do not matter."""

import gzip
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import ir_measures
import pytest
import reference
import strategies
from evaluation import made, value, values
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Qrels, Run

import ir_segmeasures
from ir_segmeasures.measures import SpanMeasure

# Those that need no more than segments; the others have tests of their own.
MEASURES = {measure.NAME: measure for measure in vars(ir_segmeasures.measures).values()
            if isinstance(measure, SpanMeasure) and not measure.NEEDS}
JUDGED = ('Judged_over', 'Judged_bin', 'Judged_tol')
BOUNDED = ('T2I_AP', 'P_tol', 'T2I_P', 'Precall', 'AiSP', 'iSP', 'AgP', 'gP', 'gR', 'igP', 'P_over', 'AP_bin', 'P_bin',
           *JUDGED, 'ASP', 'P_cov', 'R_cov', 'SegP', 'SegR', 'SegF', 'SegIoU', 'SegFallout', 'SegRejection', 'SegMiss',
           'SegNoise', 'SegGenerality', 'CharAP', 'PassageAP', 'IoU_AP', 'mIoU_AP', 'IoU_R',
           'AigP', 'GAP', 'RR_over', 'P_new', 'Rprec_new')
# Judged segments as they are, not merged.
UNMERGED = ('P_cov', 'R_cov', 'PassageAP', 'IoU_AP', 'mIoU_AP', 'IoU_R', 'P_new', 'Rprec_new')
EXACT = 1e-9
Case = tuple[Qrels, Run]


def same(got: float, expected: float | Fraction) -> bool:
    return got == pytest.approx(float(expected), rel=EXACT, abs=1e-12)


def cases(name: str) -> st.SearchStrategy[Case]:
    """Cases that a measure can be computed on: CharAP counts whole units."""
    return strategies.whole_cases if name == 'CharAP' else strategies.cases


def each_measure(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.parametrize('name', MEASURES)(settings(deadline=None)(test))


class TestDefinition:
    def test_every_measure_has_a_reference(self) -> None:
        assert set(MEASURES) == set(strategies.PARAMETERS)

    @each_measure
    @given(data=st.data())
    def test_agrees_with_the_plain_reference(self, name: str, data: st.DataObject) -> None:
        case = data.draw(cases(name))
        params = data.draw(strategies.parameters(name))
        measure = made(MEASURES[name], params)
        assert same(value(measure, *case), getattr(reference, name)(*case, **params))

    @settings(deadline=None)
    @given(case=strategies.whole_cases, data=st.data())
    def test_measures_that_share_a_walk_do_not_disturb_each_other(self, case: Case, data: st.DataObject) -> None:
        measures = [made(MEASURES[name], data.draw(strategies.parameters(name))) for name in MEASURES for _ in range(2)]
        assert values(measures, *case) == [value(measure, *case) for measure in measures]

    def test_the_exact_values_of_400_cases(self, shared_data: Path) -> None:
        compared = 0
        with gzip.open(shared_data / 'cases.jsonl.gz', 'rt') as lines:
            for case in map(json.loads, lines):
                expected = {ir_measures.parse_measure(text): exact for text, exact in case['values'].items()
                            if text.partition('(')[0].partition('@')[0] in MEASURES}
                got = values(list(expected), case['qrels'], case['run'])
                wrong = {measure: (mine, exact) for (measure, exact), mine in zip(expected.items(), got)
                         if not same(mine, exact)}
                assert not wrong, f'case {case["case"]}'
                compared += len(expected)
        assert compared == 400 * 40


class TestBounds:
    @pytest.mark.parametrize('name', BOUNDED)
    @settings(deadline=None)
    @given(data=st.data())
    def test_between_0_and_1(self, name: str, data: st.DataObject) -> None:
        case = data.draw(cases(name))
        params = data.draw(strategies.parameters(name))
        params.pop('norm', None)  # T2I_P by effort has no upper bound
        if name == 'SegFallout':
            params['D'] = 10_000  # nothing more can be retrieved
        assert 0 <= value(made(MEASURES[name], params), *case) <= 1 + EXACT

    @settings(deadline=None)
    @given(case=strategies.cases, data=st.data())
    def test_effort_is_at_least_0_and_its_reduction_at_most_1(self, case: Case, data: st.DataObject) -> None:
        params = data.draw(strategies.parameters('ESL'))
        effort, duration, reduction = values([made(MEASURES[n], params) for n in ('ESL', 'ESD', 'ESLRF')], *case)
        assert effort >= 0
        assert duration >= 0
        assert reduction <= 1

    @pytest.mark.parametrize('name', sorted(set(MEASURES) - set(JUDGED)))
    @settings(deadline=None)
    @given(run=strategies.runs(), data=st.data())
    def test_a_query_without_relevant_spans_has_0(self, name: str, run: Run, data: st.DataObject) -> None:
        params = data.draw(strategies.parameters(name)) | {'rel': 1}
        assert value(made(MEASURES[name], params), [('v1', 0, 10, 0)], run) == 0

    @pytest.mark.parametrize('measure', ['T2I_AP', 'P_tol@3', 'T2I_P@15', 'ESLRF(D=999)@1', 'Precall(D=999)', 'AiSP',
                                         'iSP@1', 'AgP', 'gP@1', "gR(recall='length')@1", 'igP@1'])
    def test_the_perfect_run_has_the_best_value(self, measure: str) -> None:
        qrels = [('v1', 10, 20, 1), ('v1', 40, 60, 1), ('v1', 70, 75, 2)]
        best = {'T2I_P@15': 3 / 4}  # the three spans, and the first timeout as an item that was not relevant
        assert value(measure, qrels, [(d, s, e) for d, s, e, _ in qrels]) == pytest.approx(best.get(measure, 1))


class TestInvariance:
    @each_measure
    @given(data=st.data(), by=st.integers(1, 10_000))
    def test_under_a_shift_of_time(self, name: str, data: st.DataObject, by: int) -> None:
        case = qrels, run = data.draw(cases(name))
        params = data.draw(strategies.parameters(name))
        if 'bin' in MEASURES[name].SUPPORTED_PARAMS:  # bins begin at 0, so they move only by whole ones
            by *= params.setdefault('bin', 300)
        measure = made(MEASURES[name], params)
        shifted = ([(d, shift(s, by), shift(e, by), r) for d, s, e, r in qrels],
                   [(d, shift(s, by), shift(e, by)) for d, s, e in run])
        assert same(value(measure, *shifted), value(measure, *case))

    # CharAP counts units, so it depends on them.
    @pytest.mark.parametrize('name', sorted(set(MEASURES) - {'CharAP'}))
    @settings(deadline=None)
    @given(case=strategies.cases, data=st.data(), by=st.sampled_from((2, 10, 60, 1000)))
    def test_under_another_unit_of_time(self, name: str, case: Case, data: st.DataObject, by: int) -> None:
        qrels, run = case
        params = data.draw(strategies.parameters(name))
        # What is left out has its default, in seconds.
        units = {name: info.default for name, info in MEASURES[name].SUPPORTED_PARAMS.items()
                 if name in ('tau', 'bin', 'grain', 'window')}
        params = units | params
        scaled = {param: scale(number, by) if param in (*units, 'D', 'T', 'init', 'budget') else number
                  for param, number in params.items() if number is not None}
        in_other_unit = ([(d, scale(s, by), scale(e, by), r) for d, s, e, r in qrels],
                         [(d, scale(s, by), scale(e, by)) for d, s, e in run])
        expected = value(made(MEASURES[name], params), *case) * (by if name == 'ESD' else 1)
        assert same(value(made(MEASURES[name], scaled), *in_other_unit), expected)

    @pytest.mark.parametrize('name', sorted(set(MEASURES) - set(UNMERGED)))
    @settings(deadline=None)
    @given(data=st.data())
    def test_under_the_order_and_repetition_of_judgements(self, name: str, data: st.DataObject) -> None:
        qrels, run = data.draw(cases(name))
        measure = made(MEASURES[name], data.draw(strategies.parameters(name)))
        others = data.draw(st.permutations([*qrels, *qrels[:2]]))
        assert same(value(measure, others, run), value(measure, qrels, run))


class TestRedundancy:
    @pytest.mark.parametrize('name', ['AiSP', 'AgP', 'T2I_AP'])
    @settings(deadline=None, max_examples=200)
    @given(case=strategies.cases_of(1, 1), data=st.data())
    def test_repeating_an_item_never_helps(self, name: str, case: Case, data: st.DataObject) -> None:
        qrels, run = case
        params = data.draw(strategies.parameters(name)) | ({'keepviewing': True} if name == 'T2I_AP' else {})
        params.pop('cutoff', None)
        measure = made(MEASURES[name], params)
        first = data.draw(st.integers(0, len(run) - 1))
        again = data.draw(st.integers(first + 1, len(run)))
        repeated = [*run[:again], run[first], *run[again:]]
        assert value(measure, qrels, repeated) <= value(measure, qrels, run) + EXACT

    def test_it_can_help_a_user_who_stops_at_the_first_span(self) -> None:
        qrels = [('v', 15, 25, 1), ('v', 30, 35, 1)]
        assert value('T2I_AP(tau=20)', qrels, [('v', 12, 40)]) == 0.5
        assert value('T2I_AP(tau=20)', qrels, [('v', 12, 40), ('v', 12, 40)]) == 1.0
        # Who goes on finds both at once, and nothing the second time.
        assert value('T2I_AP(tau=20,keepviewing=True)', qrels, [('v', 12, 40)]) == 1.0
        assert value('T2I_AP(tau=20,keepviewing=True)', qrels, [('v', 12, 40), ('v', 12, 40)]) == 1.0


def shift(number: float, by: float) -> float:
    return float(reference.exact(number) + reference.exact(by))


def scale(number: float, by: int) -> float:
    return float(reference.exact(number) * by)
