"""PRUM: the order of the paper's runs, the estimator on small trees, navigation models, bounds, wrong parameters."""

import re
from collections.abc import Iterator
from math import comb
from typing import Any

import element_reference as reference
import pytest
from element_cases import FRB, IP6, IRB, LO, REVERSED, SEC4, SEC6, article, as_qrels, as_run, cases, insert_again, value
from element_reference import Case
from hypothesis import given, strategies as st
from ir_measures import ScoredDoc

from ir_segmeasures import PRUM, register_navigation
from ir_segmeasures.measures.elements.prum import NAVIGATION
from ir_segmeasures.segments.tables.table import RowError

LEVELS = st.sampled_from((None, .05, .3, .34, .5, .67, .75, 1))
MODELS: dict[str, reference.Model] = {'none': reference.none, 'hierarchical': reference.hierarchical}


def params_of(recall: float | None, **others: Any) -> dict[str, Any]:
    return others if recall is None else {'recall': recall, **others}


class TestThroughTheWholeCollection:
    """Kazai 2005, section 6.2, with a collection as large as INEX's."""
    N = 12_107_372

    @pytest.mark.parametrize(('recall', 'ideal', 'reverse'), [
        (.25, 1, .5), (.5, 1, .5),  # one unit is wanted, whether one or two are relevant
        (.75, .5, .25), (1, .5, .25),  # the averages of both cases: the second unit is searched everywhere
    ])
    def test_the_papers_cases_and_order(self, recall: float, ideal: float, reverse: float) -> None:
        irb, frb, reversed_ideal, lo = (value(PRUM(collection=self.N)@recall, article(ranking))
                                        for ranking in (IRB, FRB, REVERSED, LO))
        assert frb == irb == pytest.approx(ideal, abs=1e-6)
        assert reversed_ideal == pytest.approx(reverse, abs=1e-6)
        assert 0 < lo < 1e-6

    @pytest.mark.parametrize('navigation', MODELS)
    @given(case=cases(size=4, most=5), recall=st.sampled_from((.3, .5, 1)), cutoff=st.sampled_from((None, 2)),
           more=st.sampled_from((1, 2, 50)), quant=st.sampled_from(('sog', 'binary')),
           method=st.sampled_from(('kazai', 'focused')))
    def test_agrees_with_the_reference(self, navigation: str, case: Case, recall: float, cutoff: int | None, more: int,
                                       quant: str, method: str) -> None:
        params = params_of(recall, quant=quant, ideal=method, **({'cutoff': cutoff} if cutoff else {}))
        collection = len({*case.judged, *case.ranking}) + more
        expected = reference.PRUM_collection(case, collection, MODELS[navigation], **params)
        got = value(PRUM(navigation=navigation, collection=collection, **params), case)
        assert got == pytest.approx(float(expected), rel=1e-9, abs=1e-12)
        assert 0 <= got <= 1 + 1e-9

    def test_a_collection_that_is_too_small(self) -> None:
        with pytest.raises(ValueError, match=re.escape(
                "query 'q' has 11 elements that are judged or retrieved, but in PRUM(collection=9)@0.5 the whole "
                'collection has 9: give the number of elements in the collection')):
            value(PRUM(collection=9)@.5, article(IRB))


class TestDefinition:
    @pytest.mark.parametrize('navigation', MODELS)
    @pytest.mark.parametrize('method', ['kazai', 'piwowarski'])
    @given(case=cases(size=5, most=6), recall=LEVELS, cutoff=st.sampled_from((None, 2, 4)),
           quant=st.sampled_from(('sog', 'product')))
    def test_agrees_with_the_reference(self, navigation: str, method: str, case: Case, recall: float | None,
                                       cutoff: int | None, quant: str) -> None:
        recall = .5 if recall is None else recall  # the mean over 100 levels takes the reference too long
        params = params_of(recall, quant=quant, ideal=method, **({'cutoff': cutoff} if cutoff else {}))
        expected = reference.PRUM(case, MODELS[navigation], **params)
        assert value(PRUM(navigation=navigation, **params), case) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)

    @given(case=cases(size=5, most=6), recall=st.sampled_from((.3, .5, 1)), tau=st.sampled_from((.5, 1, 2, 3)))
    def test_t2i_agrees_with_the_reference(self, case: Case, recall: float, tau: float) -> None:
        expected = reference.PRUM(case, reference.t2i(tau), recall)
        got = value(PRUM(navigation='t2i', tau=tau, recall=recall), case)
        assert got == pytest.approx(float(expected), rel=1e-9, abs=1e-12)

    @pytest.mark.parametrize('navigation', MODELS)
    @given(case=cases(), recall=LEVELS, data=st.data())
    def test_between_0_and_1_and_never_better_for_an_element_again(self, navigation: str, case: Case,
                                                                   recall: float | None, data: st.DataObject) -> None:
        measure = PRUM(**params_of(recall, navigation=navigation))
        old = value(measure, case)
        assert 0 <= old <= 1 + 1e-9
        again = case._replace(ranking=insert_again(case.ranking, data))
        assert value(measure, again) <= old + 1e-9

    def test_a_share_of_the_units_that_is_a_whole_number(self) -> None:
        # 0.3 of 10 are 3, although 3 · 0.7 / 0.3 is less than 7 in floats.
        elements = {('F', f'/a[1]/p[{i}]'): (i, i + 1) for i in range(20)}
        judged = {element: (3, 3) if place < 10 else (0, 0) for place, element in enumerate(elements)}
        ranking = list(elements)
        assert value(PRUM@.3, Case(elements, judged, [*ranking[:3], *ranking[10:]])) == 1
        assert value(PRUM@.31, Case(elements, judged, [*ranking[:3], *ranking[10:]])) == pytest.approx(3 / 13)

    def test_many_units_that_are_seen_perhaps(self) -> None:
        # Units are certain, and of each first one half is retrieved and then, after all others, the other: each shows
        # the unit with 0.5, so that what has been seen is a sum of two binomial numbers.
        n, level = 150, .6
        elements = {(f'd{i}', f'/a[1]{path}'): extent for i in range(n)
                    for path, extent in (('', (0, 4)), ('/p[1]', (0, 2)), ('/p[2]', (2, 4)))}
        ranking = [(f'd{i}', f'/a[1]/p[{p}]') for p in (1, 2) for i in range(n)]
        case = Case(elements, {(f'd{i}', '/a[1]'): (3, 3) for i in range(n)}, ranking)

        def too_few(once: int, twice: int, wanted: float) -> float:
            """How probable it is that fewer are seen than wanted."""
            seen = [comb(once, k) / 2 ** once for k in range(once + 1)]
            also = [comb(twice, k) * 3 ** k / 4 ** twice for k in range(twice + 1)]
            return sum(p * q for i, p in enumerate(seen) for j, q in enumerate(also) if i + j < wanted)

        consulted = leading = 0.
        for i in range(n):
            consulted += too_few(i, 0, level * n) + too_few(n - i, i, level * n)
            # The second half leads to it, if the first has not.
            leading += .5 * too_few(i, 0, level * n) + .25 * too_few(n - i - 1, i, level * n)
        assert value(PRUM(navigation='hierarchical')@level, case) == pytest.approx(leading / consulted, rel=1e-9)


class TestNavigation:
    @pytest.mark.parametrize(('navigation', 'ranking', 'sentence'), [
        ({'navigation': 'hierarchical'}, [IP6],
         f"the offsets of '{IP6}' are not known, and a unit around an element is seen by their sizes: write them"),
        ({'navigation': 't2i', 'tau': 9}, [SEC4], f"the offsets of '{SEC4}' are not known, and the user reads on from"),
    ])
    def test_offsets_are_needed(self, navigation: dict[str, Any], ranking: list[str], sentence: str) -> None:
        with pytest.raises(RowError, match=re.escape(sentence)):
            value(PRUM(**navigation), article(ranking), 'paths')
        assert value(PRUM(navigation='hierarchical')@.5, article([SEC6, SEC4]), 'paths') == 1
        assert value(PRUM(cutoff=1, recall=.5), article([SEC6, *ranking]), 'paths') == 1


@pytest.fixture
def users_models() -> Iterator[None]:
    before = dict(NAVIGATION.functions)
    yield
    NAVIGATION.functions.clear()
    NAVIGATION.functions.update(before)


@pytest.mark.usefixtures('users_models')
class TestAModelOfOnesOwn:
    @given(case=cases(size=5, most=6), recall=st.sampled_from((.3, .5, 1)),
           chances=st.lists(st.sampled_from((0, .25, .5, .75, 1)), min_size=12, max_size=12))
    def test_agrees_with_the_reference(self, case: Case, recall: float, chances: list[float]) -> None:
        def chance(element: Any, unit: Any) -> float:
            return chances[(len(element) * 7 + len(unit)) % len(chances)]

        def model(case: Case, element: Any, unit: Any, units: Any) -> Any:
            return reference.exact(chance(element[1], unit[1]) if element[0] == unit[0] else 0)

        register_navigation('mine', lambda element, units: [chance(element.path, unit.path) for unit in units])
        expected = reference.PRUM(case, model, recall)
        got = value(PRUM(navigation='mine', recall=recall), case)
        assert got == pytest.approx(float(expected), rel=1e-9, abs=1e-12)

    def test_sees_the_units_of_the_elements_document_in_order(self) -> None:
        seen = []
        def look(element: Any, units: Any) -> list[float]:
            seen.append((element.path, [unit.path for unit in units]))
            return [0, 0]

        register_navigation('mine', look)
        case = article([IP6])
        run = [*as_run(case), ScoredDoc('q', 'other#char=0,5', -9)]
        assert (PRUM(navigation='mine')@1).calc_aggregate(as_qrels(case), run) == 0
        assert seen == [(IP6, [SEC4, SEC6])]

    @pytest.mark.parametrize('result', [[1], [1, 2], [0, float('nan')], None, ['a', 'b']])
    def test_wrong_results(self, result: Any) -> None:
        register_navigation('mine', lambda element, units: result)
        with pytest.raises(ValueError, match=r"the navigation 'mine' gives .* for 2 units: it gives each unit a "
                                             'probability from 0 to 1'):
            value(PRUM(navigation='mine'), article([IP6]))


@pytest.mark.parametrize(('measure', 'sentence'), [
    (PRUM(navigation='t2i'), "PRUM has navigation='t2i' without tau: give how much the user reads outside units"),
    (PRUM(tau=10), "PRUM has tau=10 with navigation='none': only 't2i' takes it"),
    (PRUM(navigation='t2i', tau=0), "PRUM has tau=0: tau (how much the user of navigation='t2i' reads outside units"),
    (PRUM(navigation='sideways'), "PRUM has navigation='sideways': navigation (how the user looks around from an "
                                  "element) is 'none', 'hierarchical', 't2i', or a name given to register"),
    (PRUM@1.5, 'PRUM has recall=1.5'),
    (PRUM(specificity='share'), "PRUM has specificity='share' with quant='sog'"),
])
def test_wrong_parameters(measure: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        value(measure, article(IRB))
