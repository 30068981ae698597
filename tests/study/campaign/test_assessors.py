"""Agreement of assessors: plain references over seconds, full agreement, no agreement, and where they disagree."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from ir_measures import Qrel
from strategies import examples

from ir_segmeasures import SegmentWarning
from ir_segmeasures.study import agreement_of, pool

pytest.importorskip('scipy')

LENGTH = 24  # of both documents
Grades = dict[tuple[str, str], list[int]]  # query and document → the grade of each second, -1 where it is not judged

grades = st.fixed_dictionaries({(query, document): st.lists(st.integers(-1, 2), min_size=LENGTH, max_size=LENGTH)
                                for query in 'pq' for document in 'de'})


def qrels(grades: Grades) -> list[Qrel]:
    return [Qrel(query, f'{document}#t={second},{second + 1}', grade) for (query, document), row in grades.items()
            for second, grade in enumerate(row) if grade >= 0]


def both(first: Grades, second: Grades, query: str) -> list[tuple[int, int]]:
    """The grades of the seconds of a query that both judged."""
    return [pair for key in first if key[0] == query for pair in zip(first[key], second[key]) if min(pair) >= 0]


class TestReference:
    @examples(5)
    @given(grades, grades, st.booleans())
    def test_f1_and_kappa(self, first: Grades, second: Grades, by_grade: bool) -> None:
        found = agreement_of({'a': qrels(first), 'b': qrels(second)}, ['F1', 'kappa'], grades=by_grade, extent='judged')
        for query in 'pq':
            pairs = both(first, second, query)
            ones, others = (sum(pair[side] >= 1 for pair in pairs) for side in (0, 1))
            common = sum(min(pair) >= 1 for pair in pairs)
            expected = 2 * common / (ones + others) if ones + others else None
            assert found.row('F1', 'ab', query).value == pytest.approx(expected)
            labels = [[grade if by_grade else int(grade >= 1) for grade in pair] for pair in pairs]
            same = np.mean([one == other for one, other in labels]) if pairs else 1
            chance = sum(np.mean([pair[0] == kind for pair in labels]) * np.mean([pair[1] == kind for pair in labels])
                         for kind in range(3)) if pairs else 1
            kappa = None if chance > 1 - 1e-9 else (same - chance) / (1 - chance)
            assert found.row('kappa', 'ab', query).value == pytest.approx(kappa)

    @examples(5)
    @given(grades, grades)
    def test_disagreements_are_where_one_says_yes_and_one_no(self, first: Grades, second: Grades) -> None:
        found = agreement_of({'a': qrels(first), 'b': qrels(second)}, 'F1', extent='judged')
        differ = {(*key, place) for key in first for place, pair in enumerate(zip(first[key], second[key]))
                  if min(pair) >= 0 and len({grade >= 1 for grade in pair}) == 2}
        assert {(row.query_id, row.doc_id.partition('#')[0], place) for row in found.disagreements
                for place in range(int(row.start), int(row.end))} == differ
        assert sum(row.end - row.start for row in found.disagreements) == len(differ)


class TestExtents:
    ANN = [Qrel('q', 'd#t=10,20', 1)]
    BEN = [Qrel('q', 'd#t=15,30', 1)]

    def test_a_pool_says_what_was_judged(self) -> None:
        from ir_measures import ScoredDoc
        units = pool({'run': [ScoredDoc('q', 'd#t=0,25', 1)]}, 1)
        found = agreement_of({'ann': self.ANN, 'ben': self.BEN}, ['F1', 'kappa'], extent=units)
        assert found.row('F1').value == .5
        assert found.row('kappa').value == pytest.approx((15 / 25 - .52) / .48)
        assert [row.doc_id for row in found.disagreements] == ['d#t=10,15', 'd#t=20,25']

    def test_judgements_of_relevant_content_alone_say_not(self) -> None:
        with pytest.raises(ValueError, match="'ann' has no judgement below relevance 1, so that what was looked at"):
            agreement_of({'ann': self.ANN, 'ben': self.BEN})


class TestErrors:
    @pytest.mark.parametrize(('judgements', 'settings', 'sentence'), [
        ({}, {}, 'there is no assessor, and agreement is between two'),
        ({'a': []}, {}, "the only assessor is 'a', and agreement is between two"),
        ({'a': [], 'b': []}, {'coefficients': 'pi'}, "coefficients='pi' is none of"),
        ({'a': [], 'b': []}, {'step': 0}, 'step=0 cannot be: give a length of units'),
        ({'a': [], 'b': []}, {'confidence': 95}, 'confidence=95 cannot be')])
    def test_settings(self, judgements: Any, settings: Any, sentence: str) -> None:
        with pytest.raises(ValueError) as error:
            agreement_of(judgements, **settings)
        assert str(error.value).startswith(sentence)


def test_what_one_assessor_judged_twice_is_told() -> None:
    ann = [Qrel('q', 'd#t=0,9', 1), Qrel('q', 'd#t=9,20', 0)]
    with pytest.warns(SegmentWarning, match='ben: 1 of the 3 judgements are of a segment that is judged with another'):
        agreement_of({'ann': ann, 'ben': [*ann, Qrel('q', 'd#t=9,20', 1)]})


class TestAlpha:
    @examples(10)
    @given(st.lists(grades, min_size=2, max_size=3), st.booleans())
    def test_units_are_those_of_the_package(self, judged: list[Grades], by_grade: bool) -> None:
        krippendorff = pytest.importorskip('krippendorff')
        found = agreement_of({str(place): qrels(mine) for place, mine in enumerate(judged)}, 'alpha', grades=by_grade,
                             extent='judged')
        for query in 'pq':
            units = np.array([[grade for key in sorted(mine) if key[0] == query for grade in mine[key]]
                              for mine in judged], float)
            units[units < 0] = np.nan
            units = units if by_grade else np.minimum(units, 1)
            value = found.row('alpha', query_id=query).value
            pairable = units[:, (~np.isnan(units)).sum(0) > 1]
            if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
                assert value is None
                continue
            assert value == pytest.approx(krippendorff.alpha(
                units, level_of_measurement='ordinal' if by_grade else 'nominal'))


def test_gamma_is_1_where_all_agree_and_less_where_not() -> None:
    pytest.importorskip('pygamma_agreement')
    judged = [Qrel('q', 'd#t=0,30', 0), Qrel('q', 'd#t=30,50', 1), Qrel('q', 'd#t=50,90', 0), Qrel('q', 'd#t=90,99', 1)]
    other = [Qrel('q', 'd#t=0,40', 0), Qrel('q', 'd#t=40,60', 1), Qrel('q', 'd#t=60,99', 0)]
    same, apart = (agreement_of({'a': judged, 'b': rows}, 'gamma').row('gamma').value for rows in (judged, other))
    assert same == pytest.approx(1)
    assert apart is not None and apart < .9
    assert apart == agreement_of({'a': judged, 'b': other}, 'gamma').row('gamma').value
