"""Commands with files of evidence and of citations."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    texts, asked, found = tmp_path / 'texts', tmp_path / 'asked.json', tmp_path / 'run'
    texts.mkdir()
    (texts / 'bees.txt').write_text('In the hive, bees dance. They sleep.')
    asked.write_text(json.dumps([{'question': 'Who?', 'document': 'bees', 'quotes': ['bees  dance', 'wasps <dance>']}]))
    found.write_text('0 Q0 bees#char=0,18 1 1 x\n')
    return texts, asked, found


def test_evaluate(run: Any, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    texts, asked, found = files
    with_texts = ('SegR', '--qrels-format', 'evidence', '--texts', texts)
    result = run('evaluate', asked, found, *with_texts)
    assert (result.code, result.out) == (1, '')
    assert "query '0', quote 2 has 'wasps <dance>', of 'bees'" in result.err
    result = run('evaluate', asked, found, *with_texts, '--unlocated', 'warn')
    assert (result.code, result.out) == (0, 'SegR\t0.5000\n')
    assert '1 stand nowhere' in result.err
    runs = [tmp_path / 'a.json', tmp_path / 'b.json']
    for path in runs:
        path.write_text('{"0": [{"doc_id": "bees.txt", "text": "wasps <dance>"}]}')
    result = run('compare', asked, *runs, *with_texts, '--run-format', 'chunks', '--unlocated', 'warn')
    assert all(f"run '{path.stem}': of 1 chunks without offsets, 1 stand nowhere" in result.err for path in runs)
    assert 'is for quotes' in run('evaluate', found, found, 'SegR', '--texts', texts).err
    asked.write_text(json.dumps([{'question': name, 'document': name, 'quotes': ['bees dance']}
                                 for name in ('bees.txt', 'bees')]))  # one text has one name: the error has the other
    assert "quote of a dict is of 'bees', which the texts lack" in run('evaluate', asked, found, *with_texts).err


def test_convert(run: Any, files: tuple[Path, Path, Path]) -> None:
    texts, asked, _ = files
    asked.write_text(asked.read_text().replace('wasps <dance>', 'They sleep.'))
    result = run('convert', asked, '-', '--from', 'evidence', '--to', 'trec', '--kind', 'qrels', '--texts', texts)
    assert result.out == '0 0 bees#char=13,23 1\n0 0 bees#char=25,36 1\n'


def data_of(html: str) -> str:
    """The JSON of a page."""
    packed, = re.findall('id="data">([^<]*)<', html)
    return gzip.decompress(base64.b64decode(packed)).decode()


def test_view(run: Any, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    pytest.importorskip('jinja2')
    texts, asked, found = files
    page = tmp_path / 'page.html'
    result = run('view', asked, found, '--qrels-format', 'evidence', '--texts', texts, '--unlocated', 'warn',
                 '--measure', 'SegR', '--out', page)
    assert (result.code, '1 stand nowhere' in result.err) == (0, True)
    html = page.read_text()
    assert result.out == f'{page}: {len(html.encode()) / 1000:.0f} kB\n'
    assert '<li>query &#39;0&#39;, quote 2 has &#39;wasps &lt;dance&gt;&#39;, of &#39;bees&#39;</li>' in html
    assert 'In the hive, bees dance. They sleep.' in data_of(html)


def test_view_of_a_file_with_its_texts(run: Any, tmp_path: Path) -> None:
    pytest.importorskip('jinja2')
    asked, found, page = tmp_path / 'dev.json', tmp_path / 'run', tmp_path / 'page.html'
    asked.write_text(json.dumps({'data': [{'title': 'Bees', 'paragraphs': [{'context': 'They dance.', 'qas': [
        {'id': 'q', 'question': 'What?', 'answers': [{'text': 'dance', 'answer_start': 5}]}]}]}]}))
    found.write_text('q Q0 Bees/0#char=0,11 1 1 x\n')
    assert run('view', asked, found, '--qrels-format', 'squad', '--measure', 'SegR', '--out', page).code == 0
    data = data_of(page.read_text())
    assert 'They dance.' in data and 'What?' in data  # the question
