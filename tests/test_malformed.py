"""A table of malformed inputs of all readers, ids, frames, parameters and commands, each with its exact message."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fuzz import inputs_of
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


_IN = r'[^\s<>="\',:;{}\[\]]'
VALUE = re.compile(rf'(?<!<)(?<!{_IN}){_IN}+(?!{_IN}|"\s*:|=)')  # no name of an element, an attribute or a key
# What names and numbers may be that nobody expects: refused, or read.
ODD = ('', ' ', '\ufeff', 'a\ufeffb', '\x01', r'\ud800', 'a#t=1,2', 'a/', '-0', 'NaN', '1e15', '1e999', 'x' * 10_000,
       '9' * 400, '9' * 5000)


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('kind', KINDS)
def test_odd_values(kind: str, folder: Path, run: Any) -> None:
    """Each value of a file in turn is another one. A sentence of one line shows at most 80 characters of each."""
    for text in (data.decode('utf-8', 'replace') for data in inputs_of(kind) if b'\0' not in data):
        for word in {word[0]: word for word in VALUE.finditer(text)}.values():
            for value in ODD:
                message = said(kind, text[:word.start()] + value + text[word.end():], folder, run)
                assert len(message) < 900 and '\n' not in message, message[:200]


def test_the_table() -> None:
    assert len(TABLE) >= 250
    assert len({(kind, text) for kind, text, _ in TABLE}) == len(TABLE)
    assert len({kind for kind, _, _ in TABLE} & KINDS.keys()) >= 50
