"""A table of malformed inputs of all readers, ids, frames, parameters and commands, each with its exact message."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from malformed import KINDS, said

TABLE = [json.loads(line) for line in Path(__file__).with_name('malformed.jsonl').read_text('utf-8').splitlines()]


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files for commands."""
    folder = tmp_path_factory.mktemp('malformed')
    (folder / 'qrels').write_text('q 0 v#t=0,10 1\n')
    (folder / 'run').write_text('q Q0 v#t=0,10 1 2 r\n')
    (folder / 'bad').write_text('q 0 v#t=9,1 1\n')
    (folder / 'empty').write_text('')
    return folder


@pytest.mark.filterwarnings('ignore:Failed to parse:RuntimeWarning')  # of pysubs2, before its error
@pytest.mark.parametrize('kind, text, message', TABLE)
def test_the_message(kind: str, text: str, message: str, folder: Path, run: Any) -> None:
    if kind.startswith('transcript-') and kind not in KINDS:
        pytest.skip('captions are read by pysubs2, which is not installed')
    assert said(kind, text, folder, run) == message


LONG = ('x' * 5000, '9' * 5000)


@pytest.mark.parametrize('kind', sorted({kind for kind, _, _ in TABLE} & KINDS.keys()))
def test_long_values(kind: str, folder: Path, run: Any) -> None:
    """A sentence shows at most 80 characters of each value."""
    texts = list(dict.fromkeys(text for other, text, _ in TABLE if other == kind))[:3]
    for text in texts:
        for word in list(re.finditer(r'[^\s<>="\',:{}\[\]]+', text))[:12]:
            for value in LONG:
                with warnings.catch_warnings():
                    warnings.simplefilter('ignore')
                    message = said(kind, text[:word.start()] + value + text[word.end():], folder, run)
                assert len(message) < 900, message[:200]


def test_the_table() -> None:
    assert len(TABLE) >= 250
    assert len({(kind, text) for kind, text, _ in TABLE}) == len(TABLE)
    assert len({kind for kind, _, _ in TABLE} & KINDS.keys()) >= 50
