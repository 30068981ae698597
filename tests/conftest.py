"""Fixtures that all tests share."""

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / 'shared' / 'data'


@pytest.fixture(scope='session')
def shared_data() -> Path:
    """The folder with real judgements, runs and the official tools' figures; skips the test where it is not there."""
    if not SHARED_DATA.is_dir():
        pytest.skip('the real judgements and runs (shared/data beside the project) are not on this machine')
    return SHARED_DATA
