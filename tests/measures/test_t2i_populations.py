"""Populations of users: tau='low:high:step' is the mean over the tolerances."""

from typing import Any

import pytest
import strategies
from hypothesis import given
from query_values import value

from ir_segmeasures import ESD, ESL, ESLRF, T2I_AP, T2I_P, Judged_tol, P_tol, Precall, T2I_Found
from ir_segmeasures.measures.t2i import tolerances

FAMILY = [T2I_AP, P_tol@3, Judged_tol@3, T2I_P(T=60), T2I_Found(T=60),
          ESL(D=5000), ESLRF(D=5000)@1, ESD(D=5000)@2, Precall(D=5000)@.5]


@pytest.mark.parametrize('measure', FAMILY, ids=str)
@given(case=strategies.cases)
def test_the_mean_over_the_users(measure: Any, case: Any) -> None:
    users = [value(measure(tau=tau), *case) for tau in (10, 20, 30)]
    assert value(measure(tau='10:30:10'), *case) == pytest.approx(sum(users) / 3)


@pytest.mark.parametrize(('population', 'expected'), [
    ('5:60:5', list(range(5, 61, 5))), ('5:9:5', [5]), ('7:7:1', [7]), ('0.1:0.3:0.1', [.1, .2, .3]), ('1:2:0.5',
                                                                                                       [1, 1.5, 2])])
def test_exact_decimals_both_ends_in(population: str, expected: list[float]) -> None:
    assert tolerances(population) == expected


@pytest.mark.parametrize('population', ['60:5:5', '5:60', '5:60:0', '5:60:-5', 'a:b:c', '', '0:999999999:0.000001',
                                        '5:60:1e1', ' 5:60:5'])
def test_what_is_no_population(population: str) -> None:
    with pytest.raises(ValueError, match=r'low:high:step in plain decimals, step > 0, at most 10,000 users'):
        T2I_AP(tau=population).check_params()


def test_bounds_of_every_user() -> None:
    T2I_AP(tau='0:10:5').check_params()
    with pytest.raises(ValueError, match=r"^ESL has tau='0:10:5': "):
        ESL(D=100, tau='0:10:5').check_params()
    with pytest.raises(ValueError, match=r'^T2I_P has T=60 and tau=25: T is a multiple of tau$'):
        T2I_P(T=60, tau='5:25:20').check_params()
