"""Orders of systems by two files of judgements: by hand, against the sums written out, and what intervals say."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from ir_measures import Qrel, ScoredDoc
from scipy.stats import kendalltau

from ir_segmeasures.study import order_agreement
from ir_segmeasures.study.missing_judgements import _correlations

means = st.integers(2, 7).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2))


def tau_ap(first: list[float], second: list[float]) -> float:
    """The equation, for each place in the order by ``second``."""
    order = sorted(range(len(second)), key=lambda system: -second[system])
    total = 0.
    for i in range(1, len(order)):
        for above in order[:i]:
            signs = {np.sign(values[above] - values[order[i]]) for values in (first, second)}
            total += (1 if len(signs) == 1 else .5 if 0 in signs else 0) / i
    return 2 / (len(order) - 1) * total - 1


@given(means)
def test_reference(columns: tuple[list[float], list[float]]) -> None:
    first, second = columns
    found = _correlations(np.array([first], float), np.array([second], float))
    expected = kendalltau(first, second).statistic
    assert found[0][0] == pytest.approx(expected, nan_ok=True)
    if len(set(first)) > 1 and len(set(second)) > 1:
        assert found[1][0] == pytest.approx(tau_ap(first, second))
    else:
        assert np.isnan(found[1][0])


def qrels(relevant: dict[str, str]) -> list[Qrel]:
    """Of each query the second 0 to 10 of some documents, and one that is not relevant."""
    return [row for query, documents in relevant.items()
            for row in (*(Qrel(query, f'{document}#t=0,10', 1) for document in documents), Qrel(query, 'z#t=0,10', 0))]


RUNS = {name: [ScoredDoc(query, f'{document}#t=0,10', -rank) for query in '123' for rank, document in enumerate(ranked)]
        for name, ranked in {'one': 'abcd', 'two': 'bacd', 'three': 'cdab'}.items()}


class TestByHand:
    def test_one_swap_at_the_top(self) -> None:
        row, = order_agreement('AP_over', qrels({'1': 'a', '2': 'a'}), qrels({'1': 'b', '2': 'b'}), RUNS)
        # By people one > two > three, by the model two > one > three: of three pairs one is swapped.
        assert row.kendall == pytest.approx(1 / 3)
        assert row.tau_ap == pytest.approx((0 + 2 / 2) * 2 / 2 - 1)
        assert (row.kendall_low, row.kendall_high) == (row.kendall, row.kendall)  # both queries say the same

    def test_measures_where_lower_is_better_have_their_best_system_first(self) -> None:
        people, model = qrels({'1': 'a', '2': 'a'}), qrels({'1': 'b', '2': 'b'})
        rows = order_agreement(['AP_over', 'ESL(D=1000)@1'], people, model, RUNS)
        assert rows[0][1:] == pytest.approx(rows[1][1:])

    def test_intervals_hold_the_values_of_the_samples(self) -> None:
        people, model = qrels({'1': 'a', '2': 'b', '3': 'c'}), qrels({'1': 'a', '2': 'a', '3': 'cd'})
        row, = order_agreement('AP_over', people, model, RUNS, confidence=.5)
        wide, = order_agreement('AP_over', people, model, RUNS, confidence=.95)
        assert -1 <= wide.kendall_low <= row.kendall_low <= row.kendall_high <= wide.kendall_high <= 1
        assert wide == order_agreement('AP_over', people, model, RUNS)[0]


@pytest.mark.parametrize(('given', 'sentence'), [
    ({'runs': {'one': RUNS['one']}}, 'there is no order of fewer than two systems: give the runs of two or more'),
    ({'other': qrels({'9': 'a'})}, 'no query is in both sets of judgements with a relevance of 1 or more: give judg')])
def test_refusals(given: dict[str, Any], sentence: str) -> None:
    people = qrels({'1': 'a'})
    with pytest.raises(ValueError) as found:
        order_agreement('AP_over', **{'qrels': people, 'other': people, 'runs': RUNS, **given})
    assert str(found.value).startswith(sentence)
