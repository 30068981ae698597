"""What holds for every measure: its definition, its bounds, and that units, origins and repeats do not matter."""

import gzip
import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given, settings, strategies as st
from query_values import MEASURES, as_qrels, as_run, made, value, values
from strategies import Qrels, Run

JUDGED = ('Judged_over', 'Judged_bin', 'Judged_tol', 'Judged_content', 'RBP_residual')
BOUNDED = ('T2I_AP', 'P_tol', 'T2I_P', 'Precall', 'AiSP', 'iSP', 'AgP', 'gP', 'gR', 'igP', 'P_over', 'AP_bin', 'P_bin',
           *JUDGED, 'ASP', 'P_cov', 'R_cov', 'SegP', 'SegR', 'SegF', 'SegIoU', 'SegFallout', 'SegRejection', 'SegMiss',
           'SegNoise', 'SegGenerality', 'CharAP', 'PassageAP', 'IoU_AP', 'mIoU_AP', 'IoU_R',
           'AigP', 'GAP', 'AiP', 'iP', 'RBP_seg', 'RR_over', 'P_new', 'Rprec_new', 'R_tol', 'R_over', 'AxIoU',
           'nDCG_IoU', 'mIoP', 'IoP_R')
# Judged segments as they are, not merged.
UNMERGED = ('P_cov', 'R_cov', 'PassageAP', 'IoU_AP', 'mIoU_AP', 'IoU_R', 'P_new', 'Rprec_new', 'nDCG_IoU', 'mIoP',
            'IoP_R')
EXACT = 1e-9
Case = tuple[Qrels, Run]


parsed = cache(ir_measures.parse_measure)


def same(got: float, expected: float | Fraction) -> bool:
    return got == pytest.approx(float(expected), rel=EXACT, abs=1e-12)


parameters = strategies.parameters_of(*strategies.PARAMETERS)
# More cases than usual, since there is one for all measures and not one for each.
many = strategies.examples(1)
Parameters = dict[str, dict[str, Any]]


def case_for(name: str, case: Case) -> Case:
    """The case as a measure can be computed on it: CharAP counts whole units."""
    return strategies.in_whole_numbers(case) if name == 'CharAP' else case


def evaluated(params: Parameters, case: Case) -> dict[str, float]:
    """The values of the measures by name, computed together."""
    found: dict[str, float] = {}
    for names in ([name for name in params if name != 'CharAP'], [name for name in params if name == 'CharAP']):
        if names:
            measures = [made(MEASURES[name], params[name]) for name in names]
            found |= zip(names, values(measures, *case_for(names[0], case)))
    return found


def check_same(params: Parameters, got: Mapping[str, float], expected: Mapping[str, float | Fraction]) -> None:
    """Every measure has the value that is expected."""
    wrong = {name: (params[name], got[name], float(value)) for name, value in expected.items()
             if not same(got[name], value)}
    assert got.keys() == expected.keys() == params.keys()
    assert not wrong


class TestDefinition:
    def test_every_measure_has_a_reference(self) -> None:
        assert set(MEASURES) == set(strategies.PARAMETERS)

    @many
    @given(case=strategies.cases, params=parameters)
    def test_agrees_with_the_plain_reference(self, case: Case, params: Parameters) -> None:
        check_same(params, evaluated(params, case), {
            name: getattr(reference, name)(*case_for(name, case), **params[name]) for name in params})

    @settings(deadline=None)
    @given(case=strategies.whole_cases, first=parameters, second=parameters)
    def test_measures_that_share_a_walk_do_not_disturb_each_other(self, case: Case, first: Parameters,
                                                                  second: Parameters) -> None:
        measures = [made(MEASURES[name], params[name]) for name in MEASURES for params in (first, second)]
        assert values(measures, *case) == [value(measure, *case) for measure in measures]

    @pytest.mark.parametrize('name, number', [('cases', 400 * 40), ('cases-walks', 250 * 28)])
    def test_the_exact_values_of_generated_cases(self, shared_data: Path, name: str, number: int) -> None:
        with gzip.open(shared_data / f'{name}.jsonl.gz', 'rt') as lines:
            cases = {str(place): json.loads(line) for place, line in enumerate(lines)}
        qrels = [row for query, case in cases.items() for row in as_qrels(case['qrels'], query)]
        run = [row for query, case in cases.items() for row in as_run(case['run'], query)]
        compared, wrong = 0, []
        for text in sorted({text for case in cases.values() for text in case['values']}):
            for metric in parsed(text).iter_calc(qrels, run):
                expected = cases[metric.query_id]['values']
                if text in expected:
                    compared += 1
                    wrong += [metric] * (not same(metric.value, expected[text]))
        assert wrong == []
        assert compared == number


class TestBounds:
    @many
    @given(case=strategies.cases, params=parameters)
    def test_between_0_and_1(self, case: Case, params: Parameters) -> None:
        params = {name: params[name] for name in BOUNDED}
        params['T2I_P'].pop('norm', None)  # T2I_P by effort has no upper bound
        got = evaluated(params, case)
        assert not {name: (params[name], value) for name, value in got.items() if not 0 <= value <= 1}

    @settings(deadline=None)
    @given(case=strategies.cases, params=strategies.parameters('ESL'))
    def test_effort_is_at_least_0_and_its_reduction_at_most_1(self, case: Case, params: dict[str, Any]) -> None:
        effort, duration, reduction = values([made(MEASURES[n], params) for n in ('ESL', 'ESD', 'ESLRF')], *case)
        assert effort >= 0
        assert duration >= 0
        assert reduction <= 1

    @settings(deadline=None)
    @given(run=strategies.runs(), params=parameters)
    def test_a_query_without_relevant_spans_has_0(self, run: Run, params: Parameters) -> None:
        params = {name: params[name] | {'rel': 1} for name in sorted(set(MEASURES) - {*JUDGED, 'nDCG_IoU'})}
        check_same(params, evaluated(params, ([('v1', 0, 10, 0)], run)), dict.fromkeys(params, 0))

    @pytest.mark.parametrize('measure', ['T2I_AP', 'P_tol@3', 'T2I_P@15', 'ESLRF(D=999)@1', 'Precall(D=999)', 'AiSP',
                                         'iSP@1', 'AgP', 'gP@1', "gR(recall='length')@1", 'igP@1'])
    def test_the_perfect_run_has_the_best_value(self, measure: str) -> None:
        qrels = [('v1', 10, 20, 1), ('v1', 40, 60, 1), ('v1', 70, 75, 2)]
        best = {'T2I_P@15': 3 / 4}  # the three spans, and the first timeout as an item that was not relevant
        assert value(measure, qrels, [(d, s, e) for d, s, e, _ in qrels]) == pytest.approx(best.get(measure, 1))


class TestInvariance:
    @many
    @given(case=strategies.cases, params=parameters, by=st.integers(1, 10_000))
    def test_under_a_shift_of_time(self, case: Case, params: Parameters, by: int) -> None:
        def moved(case: Case, by: int) -> Case:
            return ([(d, shift(s, by), shift(e, by), r) for d, s, e, r in case[0]],
                    [(d, shift(s, by), shift(e, by)) for d, s, e in case[1]])

        # Rounding to whole units comes first, and bins begin at 0, so they move only by whole ones.
        apart = {name: params.pop(name) for name in MEASURES
                 if name == 'CharAP' or 'bin' in MEASURES[name].SUPPORTED_PARAMS}
        check_same(params, evaluated(params, moved(case, by)), evaluated(params, case))
        for name, own in apart.items():
            whole_bins = by if name == 'CharAP' else by * own.setdefault('bin', 300)
            check_same({name: own}, evaluated({name: own}, moved(case_for(name, case), whole_bins)),
                       evaluated({name: own}, case))

    @many
    @given(case=strategies.cases, params=parameters, by=st.sampled_from((2, 10, 60, 1000)))
    def test_under_another_unit_of_time(self, case: Case, params: Parameters, by: int) -> None:
        qrels, run = case
        del params['CharAP']  # counts units, so it depends on them
        # What is left out has its default, in seconds.
        in_seconds = ('tau', 'bin', 'grain', 'window')
        given_in_seconds = ('D', 'T', 'init', 'budget', 'halflife', 'L', 'overhead')
        params = {name: {param: info.default for param, info in MEASURES[name].SUPPORTED_PARAMS.items()
                         if param in in_seconds} | own for name, own in params.items()}
        scaled = {name: {param: scale(number, by) if param in (*in_seconds, *given_in_seconds) else number
                         for param, number in own.items() if number is not None} for name, own in params.items()}
        in_other_unit = ([(d, scale(s, by), scale(e, by), r) for d, s, e, r in qrels],
                         [(d, scale(s, by), scale(e, by)) for d, s, e in run])
        expected = evaluated(params, case)
        for name in ('ESD', 'TBG', 'U'):  # which are times, or are so without a norm
            if name == 'ESD' or (not params[name].get('norm', True) and params[name].get('gain') != 'spans'):
                expected[name] *= by
        check_same(scaled, evaluated(scaled, in_other_unit), expected)

    @many
    @given(case=strategies.cases, params=parameters, data=st.data())
    def test_under_the_order_and_repetition_of_judgements(self, case: Case, params: Parameters,
                                                          data: st.DataObject) -> None:
        qrels, run = case
        params = {name: params[name] for name in sorted(set(MEASURES) - set(UNMERGED))}
        others = data.draw(st.permutations([*qrels, *qrels[:2]]))
        check_same(params, evaluated(params, (others, run)), evaluated(params, case))


class TestRedundancy:
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
