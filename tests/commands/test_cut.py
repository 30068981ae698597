"""``ir_segmeasures cut``: transcripts in, lines of JSON out."""

import gzip
import json
from pathlib import Path

import pytest

from ir_segmeasures.commands import main

LINES = [{'text': 'One', 'start': 1, 'end': 2}, {'text': 'two ö', 'start': 25, 'end': 33.5}]
EXPECTED = [{'docno': 'my%20talk#t=0,20', 'start': 0, 'end': 20, 'text': 'One'},
            {'docno': 'my%20talk#t=15,33.5', 'start': 15, 'end': 33.5, 'text': 'two ö'}]


def run(*arguments: object) -> int | str | None:
    with pytest.raises(SystemExit) as caught:
        main([*map(str, arguments)])
        raise SystemExit(0)
    return caught.value.code


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    (tmp_path / 'my talk.json').write_text(json.dumps(LINES), 'utf-8')
    return tmp_path


@pytest.mark.parametrize('name', ['out.jsonl', 'out.jsonl.gz'])
def test_windows(talks: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = talks / name
    assert run('cut', talks / '*.json', '--length', 20, '--stride', 15, '--out', out) == 0
    data = out.read_bytes()
    text = (gzip.decompress(data) if name.endswith('.gz') else data).decode()
    assert [json.loads(line) for line in text.splitlines()] == EXPECTED
    assert capsys.readouterr() == ('', '')


def test_all_that_overlaps(talks: Path) -> None:
    assert run('cut', talks / 'my talk.json', '--length', 10, '--stride', 10, '--by', 'overlap', '--out',
               talks / 'out') == 0
    ids = [json.loads(line)['docno'] for line in (talks / 'out').read_text('utf-8').splitlines()]
    assert [id.partition('#')[2] for id in ids] == ['t=0,10', 't=20,30', 't=30,33.5']


def test_a_broken_file_leaves_what_was_there(talks: Path) -> None:
    (talks / 'z.json').write_text('broken')
    (talks / 'out').write_text('before')
    assert run('cut', talks / '*.json', '--length', 20, '--stride', 15, '--out', talks / 'out') == 1
    assert (talks / 'out').read_text() == 'before'
    assert sorted(path.name for path in talks.iterdir()) == ['my talk.json', 'out', 'z.json']
    assert run('cut', talks / '*.vtt', '--length', 20, '--stride', 15, '--out', talks / 'out') == 1


@pytest.mark.parametrize('length', ['0', '-1', 'nan', 'inf', 'x', '1e-9'])
def test_lengths(talks: Path, length: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run('cut', talks / '*.json', f'--length={length}', '--stride', 15, '--out', talks / 'out') == 2
    assert f'{length!r} is not a number of seconds' in capsys.readouterr().err
