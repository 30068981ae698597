"""A table of malformed inputs of all readers, ids, frames, parameters and commands: the line (or the kind of the error)
and a keyword of each sentence."""

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


@pytest.mark.parametrize('kind, text, place, keyword', TABLE)
def test_the_message(kind: str, text: str, place: int | str | None, keyword: str, folder: Path, run: Any) -> None:
    message = said(kind, text, folder, run)
    line = re.match('[^ ,]+, line ([0-9]+): ', message)
    assert place == (int(line[1]) if line else message.split(':')[0] if kind in ('python', 'command') else None)
    assert keyword in message


@pytest.mark.parametrize('text', [
    'x', '"', '[]', '{}\n', '[1]\n', '<a>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'x' * 500, '# a comment\n',
    '\0', '\udce9', 'a,b\n1,2\n', '\n' * 3])
@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.filterwarnings('ignore')
def test_other_files(kind: str, text: str, folder: Path, run: Any) -> None:
    """Each reader takes a file of another kind, or says one sentence about it, with the file."""
    message = said(kind, text, folder, run)
    assert not message or re.match(r'[^ ,]+(, line [0-9]+)?: \S', message)
    assert len(message) < 900 and '\n' not in message


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
    assert len({(kind, text) for kind, text, *_ in TABLE}) == len(TABLE)
    assert len({kind for kind, *_ in TABLE} & KINDS.keys()) >= 50
