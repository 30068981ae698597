"""Measures in the notation of ir-measures: read as it does, with sentences about measures where it has Python's."""

import ir_measures
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures.measures.host_measures import parse_measure

LITERALS = st.one_of(st.booleans(), st.none(), st.integers(0), st.floats(0, allow_nan=False, allow_infinity=False),
                     st.text(max_size=5), st.dictionaries(st.integers(0, 5), st.integers(0, 5), max_size=2))
TEXTS = st.builds(
    '{}{}{}'.format, st.sampled_from(['AP', 'nDCG', 'MAiSP', 'T2I_MAP', 'ESL', 'IPrec']),
    st.dictionaries(st.sampled_from(['rel', 'tau', 'user', 'gains']), LITERALS).map(
        lambda values: f'({", ".join(f"{name}={value!r}" for name, value in values.items())})' if values else ''),
    # For ir-measures, None after @ is not a value; here it is a wrong one.
    st.one_of(st.just(''), LITERALS.filter(lambda value: value is not None).map(lambda value: f'@{value!r}')))


@given(TEXTS)
def test_as_ir_measures_reads_it(text: str) -> None:
    try:
        expected = ir_measures.parse_measure(text)
    except AssertionError:
        with pytest.raises(AssertionError):
            parse_measure(text)
    else:
        found = parse_measure(text)
        assert (type(found), found.params) == (type(expected), expected.params)


@pytest.mark.parametrize('text', ['', 'AP@', 'AP(', "AP(rel='1)", 'AP; AP', 'AP=1', 'AP(1)', 'AP(**{})', '5', 'a.b@5',
                                  'AP(rel=x)', 'AP(rel=-1)', 'AP@f(1)', 'AP\0', 'AP(rel=\udc80)'])
def test_what_neither_reads(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        ir_measures.parse_measure(text)
    with pytest.raises(ValueError, match=r'a measure is written as|write each'):
        parse_measure(text)


def test_a_measure_that_is_not_there() -> None:
    with pytest.raises(NameError, match='there is no measure Nothing: give one of ir_measures'):
        parse_measure('Nothing(rel=1)@5')


@pytest.mark.parametrize('text', ['AP' + '(' * 5000 + ')' * 5000, 'AP@' + '-' * 100_000 + '1', 'AP(rel={[]: 1})'],
                         ids=['brackets', 'signs', 'key'])
def test_what_python_cannot_read_either(text: str) -> None:
    with pytest.raises(ValueError, match=r'a measure is written as|write each'):
        parse_measure(text)


@pytest.mark.parametrize('text, name', [
    ('T2I_AP(tau=1,tau=500)', 'tau'), ('P_over(cutoff=3)@5', 'cutoff'), ('AP(rel=1,rel=1)', 'rel')])
def test_a_parameter_given_twice(text: str, name: str) -> None:
    with pytest.raises(ValueError, match=f'^{name} is given twice'):
        parse_measure(text)
