"""What the fuzzer starts from, and what it found: every input in one of the three ways that are allowed."""

from fnmatch import filter as matching

import pytest
from fuzz import inputs_of, kept
from targets import TARGETS


@pytest.mark.parametrize('target', TARGETS)
def test_kept_inputs(target: str) -> None:
    inputs = inputs_of(target)
    assert inputs, 'a target without an input finds nothing'
    for data in inputs:
        TARGETS[target](data)


def test_every_input_has_a_target() -> None:
    for name, _ in kept():
        assert matching(TARGETS, name), name
