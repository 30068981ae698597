"""What the fuzzer starts from, and what it found: every input in one of the three ways that are allowed."""

import pytest
from fuzz import kept
from targets import TARGETS

INPUTS = kept()


@pytest.mark.parametrize('target', TARGETS)
def test_kept_inputs(target: str) -> None:
    for data in INPUTS.get(target, [b'']):
        TARGETS[target](data)


def test_every_input_has_a_target() -> None:
    captions = {name for name in INPUTS if name.startswith('transcript-')}  # which need pysubs2
    assert INPUTS.keys() - captions <= TARGETS.keys()
