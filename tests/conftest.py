"""Fixtures that all tests share, and how hard hypothesis tries: more in CI than for a newcomer."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile('quick', max_examples=20, deadline=None)
settings.register_profile('ci', max_examples=50, deadline=None)
settings.load_profile('ci' if os.environ.get('CI') else 'quick')

SHARED_DATA = Path(__file__).resolve().parents[2] / 'shared' / 'data'


@pytest.fixture(scope='session')
def shared_data() -> Path:
    """The folder with real judgements, runs and the official tools' figures; skips the test where it is not there."""
    if not SHARED_DATA.is_dir():
        pytest.skip('the real judgements and runs (shared/data beside the project) are not on this machine')
    return SHARED_DATA
