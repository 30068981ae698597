"""Cumulated gain for XML: the paper's tables and its toy, the definition on small trees, bounds and redundancy."""

import re
from typing import Any

import element_reference as reference
import pytest
from element_cases import (
    BDY,
    FRB,
    GRADES,
    IP4,
    IRB,
    LO,
    REVERSED,
    SEC4,
    SEC6,
    SHARES,
    SHARES_2005,
    A,
    article,
    as_qrels,
    as_run,
    cases,
    printed,
    value,
    values,
)
from element_reference import Case
from hypothesis import given, strategies as st
from strategies import examples

from ir_segmeasures import XCG, EffortP, GainR, MAep, MAnXCG, iMAep, nXCG
from ir_segmeasures.segments.tables.table import RowError


class TestPrintedTables:
    """Kazai 2005, Tables 4 to 6 and section 6.2."""

    @pytest.mark.parametrize(('ranking', 'gains', 'normalised'), [
        (IRB, '1 0.5', '1 1'),
        (REVERSED, '0.5 1', '0.5 1'),
        (FRB, '1 0.5 0 0 0 0 0 0 0 0', '1 1 1 1 1 1 1 1 1 1'),
        # Section 6.2 has the first two gains: 0.9, and only 0.1 since sec[6] is worth no more than 1.
        (LO, '0.9 0.1 0 0.5 0 0', '0.9 0.667 0.667 1 1 1'),
    ])
    def test_xcg(self, ranking: list[str], gains: str, normalised: str) -> None:
        total = mean = 0.0
        for rank, (gain, share) in enumerate(zip(gains.split(), normalised.split(), strict=True), 1):
            total += float(gain)
            got = values([XCG@rank, nXCG@rank, MAnXCG@rank], article(ranking))
            assert got[0] == pytest.approx(total)
            assert printed(got[1], share)
            mean += got[1]
            assert got[2] == pytest.approx(mean / rank)
        assert values([XCG, nXCG], article(ranking)) == pytest.approx(got[:2])


class TestEffort:
    """Effort-precision and gain-recall. The ideal recall base of Figure 1 gains 1 and .5, the full one 6.75."""

    def test_worked_example(self) -> None:
        # The reversed ideal gains .5 with one element, as the ideal does; for .75 it takes two, for which one would do.
        assert values([EffortP@x for x in (1 / 3, .5, .66, .67, 1)], article(REVERSED)) == [1, .5, .5, 1, 1]
        assert values([GainR@1, GainR@2, GainR], article(REVERSED)) == pytest.approx([1 / 3, 1, 1])
        assert value(iMAep, article(REVERSED)) == pytest.approx((33 + 33 / 2 + 34) / 100)
        assert value(iMAep(points=3), article(REVERSED)) == pytest.approx((1 + 1 / 2 + 1) / 3)


class TestDefinition:
    @pytest.mark.parametrize('quant', ['sog', 'strict', 'gen2005', 'lifted2005'])
    @pytest.mark.parametrize('method', ['kazai', 'focused', 'full'])
    @given(data=st.data(), alpha=st.sampled_from((0, .5, 1)), cutoff=st.integers(1, 9),
           x=st.sampled_from((.01, .25, .3, .5, 1)))
    def test_effort_agrees_with_the_reference(self, quant: str, method: str, data: st.DataObject, alpha: float,
                                              cutoff: int, x: float) -> None:
        case = data.draw(cases(SHARES_2005 if quant.endswith('2005') else GRADES))
        quantised = {'quant': quant, 'specificity': 'share' if quant.endswith('2005') else 'grades'}
        params: dict[str, Any] = {'alpha': alpha, 'ideal': method, **quantised}
        got = values([EffortP(recall=x, **params), EffortP(recall=x, cutoff=cutoff, **params), GainR(**params)@cutoff,
                      GainR(**params), MAep(**params), MAep(**params)@cutoff, iMAep(points=7, **params),
                      nXCG(**params)@cutoff], case)
        expected = [reference.ep(case, x, **params), reference.ep(case, x, cutoff, **params),
                    reference.gr(case, cutoff, **params), reference.gr(case, **params), reference.MAep(case, **params),
                    reference.MAep(case, cutoff, **params), reference.iMAep(case, 7, **params),
                    reference.nXCG(case, cutoff, **params)]
        assert got == pytest.approx(list(map(float, expected)), rel=1e-9, abs=1e-12)

    @pytest.mark.parametrize('quant', ['sog', 'strict', 'gen', 'product', 'share'])
    @pytest.mark.parametrize('method', ['kazai', 'piwowarski'])
    @given(data=st.data(), alpha=st.sampled_from((0, .25, .5, 1, 1)), cutoff=st.integers(1, 9))
    def test_agrees_with_the_reference(self, quant: str, method: str, data: st.DataObject, alpha: float,
                                       cutoff: int) -> None:
        case = data.draw(cases(SHARES if quant == 'share' else GRADES))
        quantised = {'quant': 'product', 'specificity': 'share'} if quant == 'share' else {'quant': quant}
        params: dict[str, Any] = {'alpha': alpha, 'ideal': method, **quantised}
        got = values([XCG(**params), XCG(**params)@cutoff, nXCG(**params), nXCG(**params)@cutoff,
                      MAnXCG(**params)@cutoff], case)
        expected = [reference.XCG(case, **params), reference.XCG(case, cutoff, **params),
                    reference.nXCG(case, **params), reference.nXCG(case, cutoff, **params),
                    reference.MAnXCG(case, cutoff, **params)]
        assert got == pytest.approx(list(map(float, expected)), rel=1e-9, abs=1e-12)


class TestBounds:
    @pytest.mark.parametrize('method', ['kazai', 'piwowarski'])
    @given(case=cases())
    def test_the_ideal_ranking_has_1(self, method: str, case: Case) -> None:
        base = reference.ideal_base(case, method)
        base.sort(key=lambda element: -reference.q(case, element))
        measures = [nXCG(ideal=method)@k for k in (1, 2, 7)] + [MAnXCG(ideal=method)@5]
        assert values(measures, case._replace(ranking=base)) == pytest.approx([float(bool(base))] * 4)

    @examples(2)
    @given(case=cases(), k=st.integers(1, 8))
    def test_within_ideal_elements_never_more_than_1(self, case: Case, k: int) -> None:
        base = reference.ideal_base(case)
        inside = [element for element in case.ranking
                  if any(x == element or reference.contains(x, element) for x in base)]
        assert value(nXCG@k, case._replace(ranking=inside)) <= 1 + 1e-9


class TestSizes:
    def test_are_needed_for_elements_seen_in_part(self) -> None:
        with pytest.raises(RowError, match=re.escape(
                f"row 7 of the qrels: query 'q', document 'co/2001/r7022': the offsets of '{SEC4}' are not known, and "
                'what has been seen in part gains by sizes: write them into the id')):
            value(XCG, article([IP4, SEC4, SEC6])._replace(judged=dict(reversed(article([]).judged.items()))), 'paths')
        # … but not behind the cut-off, and not for what comes after the whole.
        assert value(XCG@1, article([IP4, SEC4]), 'paths') == .5
        assert value(XCG, article([SEC4, IP4, SEC6]), 'paths') == 1.5
        assert value(XCG, article([A, A]), 'paths') == .25

    def test_of_what_is_not_judged_are_not_needed(self) -> None:
        case = article([BDY])
        run = [as_run(case)[0]._replace(doc_id=f'co/2001/r7022#xpath={BDY}/fig[1]', score=9), *as_run(case)]
        assert XCG.calc_aggregate(as_qrels(case), run) == pytest.approx((.5 * 266 + 360) / 2011)
        # With less than 1 it matters whether all of the element has been seen.
        with pytest.raises(RowError, match='was retrieved before it in elements without offsets, so that nobody knows'):
            XCG(alpha=.5).calc_aggregate(as_qrels(case), run)
