"""Parameters of measures: canonical form, strings that parse back, and one clear sentence for each that is wrong."""

import ir_measures
import numpy as np
import pytest
import strategies
from hypothesis import given, strategies as st
from ir_measures import Measure
from query_values import MEASURES, made

from ir_segmeasures import ESL, T2I_AP, T2I_P, AgP, AiSP, P_tol, Precall, igP, iSP


class TestCanonicalForm:
    @pytest.mark.parametrize(('one', 'other'), [
        (T2I_AP(tau=10), T2I_AP(tau=10.0)),
        (T2I_AP(tau=10), T2I_AP(tau=np.int64(10))),
        (T2I_AP(tau=2.5), T2I_AP(tau=np.float64(2.5))),
        (T2I_AP(keepviewing=True), T2I_AP(keepviewing=np.bool_(True))),
        (T2I_AP(tau=10, rel=2), T2I_AP(rel=2)(tau=10)),
        (T2I_AP(tau=10)@5, T2I_AP(cutoff=5, tau=10)),
        (T2I_AP(tau=15), T2I_AP),
        (AgP(beta=1.0, score='F'), AgP),
        (ESL(D=1e6)@2, ESL(S=2, D=1000000)),
        (iSP@1.0, iSP(recall=1)),
    ])
    def test_equal_measures_are_equal(self, one: Measure, other: Measure) -> None:
        assert one == other
        assert hash(one) == hash(other)
        assert str(one) == str(other)

    @pytest.mark.parametrize(('measure', 'text'), [
        (T2I_AP, 'T2I_AP'),
        (T2I_AP(rel=2, tau=10.0)@10, 'T2I_AP(tau=10,rel=2)@10'),
        (AiSP(user='ret'), "AiSP(user='ret')"),
        (AgP(scaled=True, recall='length'), "AgP(recall='length',scaled=True)"),
        (iSP@0.05, 'iSP@0.05'),
        (igP(recall='length')@0.5, "igP(recall='length')@0.5"),
        (T2I_P@300, 'T2I_P@300'),
        (ESL(D=90210.5)@5, 'ESL(D=90210.5)@5'),
        (T2I_AP(rel=True), 'T2I_AP(rel=True)'),
        (T2I_AP(zeta=1, alpha=2, tau=3), 'T2I_AP(tau=3,alpha=2,zeta=1)'),
        (T2I_AP(tau=np.zeros(2)), 'T2I_AP(tau=array([0., 0.]))'),
    ])
    def test_strings(self, measure: Measure, text: str) -> None:
        assert repr(measure) == str(measure) == text

    @pytest.mark.parametrize('name', MEASURES)
    @given(data=st.data())
    def test_strings_parse_back(self, name: str, data: st.DataObject) -> None:
        measure = made(MEASURES[name], data.draw(strategies.parameters(name)))
        measure.check_params()
        assert ir_measures.parse_measure(str(measure)) == measure
        assert ' ' not in str(measure)  # the host's command line splits there


class TestErrors:
    @pytest.mark.parametrize(('measure', 'sentence'), [
        (T2I_AP(tau=-1), r'T2I_AP has tau=-1: tau \(tolerance .*\) is a number >= 0'),
        (T2I_P(tau=0)@30, r'T2I_P has tau=0: tau .* is a number >= 1e-09'),
        (T2I_AP(tau='15'), "T2I_AP has tau='15'"),
        (T2I_AP(tau=True), 'T2I_AP has tau=True'),
        (T2I_AP(tau=float('inf')), 'T2I_AP has tau=inf'),
        (T2I_AP(tau=np.zeros(2)), 'T2I_AP has tau=array'),
        (T2I_AP(tau=10**400), 'T2I_AP has tau=1000.* is a number >= 0, below 10'),
        (T2I_AP(keepviewing=1), 'T2I_AP has keepviewing=1: keepviewing .* is True or False'),
        (T2I_AP@0, 'T2I_AP has cutoff=0: cutoff .* is a whole number >= 1'),
        (T2I_AP@2.5, 'T2I_AP has cutoff=2.5'),
        (T2I_AP(user='ret'), "T2I_AP has no parameter 'user': it has cutoff, tau, keepviewing"),
        (P_tol, 'P_tol lacks cutoff .*: write P_tol@cutoff'),
        (ESL, r'ESL lacks D \(effort .*: write ESL\(D=…\)'),
        (ESL(D=''), "ESL has D=''"),
        (Precall(D=10)@0, 'Precall has recall=0: recall .* is a number > 0 and <= 1'),
        (T2I_P@40, 'T2I_P has T=40 and tau=15: T is a multiple of tau'),
        (AiSP(user='both'), "AiSP has user='both': user .* is 'rel' or 'ret'"),
        (AiSP(points=1), 'AiSP has points=1: points .* is a whole number >= 2'),
        (iSP@-0.1, 'iSP has recall=-0.1: recall .* is a number >= 0 and <= 1'),
        (AgP(scaled=True), "AgP has scaled=True without recall='length'"),
    ])
    def test_one_sentence(self, measure: Measure, sentence: str) -> None:
        # Made without an error, which the host's command would call a syntax error, and printed without one.
        assert str(measure)
        with pytest.raises(ValueError, match=sentence):
            measure.check_params()
        with pytest.raises(ValueError, match=sentence):
            ir_measures.calc_aggregate([measure], [], [])

    def test_a_multiple_of_a_decimal_tolerance(self) -> None:
        for tau, T in ((0.1, 0.3), (0.7, 2.1), (1.1, 12.1)):
            (T2I_P(tau=tau)@T).check_params()
