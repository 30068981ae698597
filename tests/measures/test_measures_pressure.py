"""A sample of the generated cases of tests/bench/pressure.py, which holds the measures against the references."""

import importlib.util
import warnings
from pathlib import Path

import pytest

from ir_segmeasures.segments.user_warnings import SegmentWarning

SPEC = importlib.util.spec_from_file_location('pressure', Path(__file__).parents[1] / 'bench' / 'pressure.py')
assert SPEC is not None and SPEC.loader is not None
pressure = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pressure)


@pytest.mark.parametrize('number', range(6))
def test_batches(number: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', SegmentWarning)
        count, _, differing = pressure.batch(number)
    assert count == pressure.BATCH * pressure.MEASURES
    assert differing == []
