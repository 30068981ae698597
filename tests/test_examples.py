"""Every example runs as it stands, in a folder and a home of its own, and prints what the pages show; the notebook's
cells still print what is stored in it.
"""

import ast
import contextlib
import functools
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ir_segmeasures import formats, sample

pytestmark = pytest.mark.pages

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / 'examples'
# The others share pisa, and picture draws the picture of the README.
EXAMPLES = [path.stem for path in sorted(FOLDER.glob('*.py')) if path.stem not in ('pisa', 'picture')]
WITH_PISA = ('spoken_search', 'focused_text', 'rag_chunks')
NEEDS = {**dict.fromkeys(WITH_PISA, ('pyterrier', 'pyterrier_pisa')), 'reproduce_sh2014': ('ir_datasets',),
         'mteb_moments': ('mteb',), 'ragas_samples': ('ragas',)}


def skip_unless_it_can_run(name: str) -> None:
    for module in NEEDS.get(name, ()):
        if find_spec(module) is None:
            pytest.skip(f'{name} needs {module}, which is not installed')


class Done(NamedTuple):
    """What an example did: its exit code, standard output and standard error."""
    code: int
    out: str
    err: str


def process(name: str, folder: Path, *args: Any, **environment: str) -> Done:
    """What an example does in a folder."""
    skip_unless_it_can_run(name)
    argv = [str(FOLDER / f'{name}.py'), *map(str, args)]
    done = subprocess.run([sys.executable, *argv], cwd=folder, capture_output=True, check=False, encoding='utf-8',
                          env={**os.environ, **environment, 'PYTHONIOENCODING': 'utf-8'})
    return Done(done.returncode, done.stdout, done.stderr)


def run(name: str, home: Path, *files: Path) -> list[str]:
    """The lines that an example prints, with nothing but a home of ir_datasets on the machine."""
    with tempfile.TemporaryDirectory() as folder:
        result = process(name, Path(folder), *files, IR_DATASETS_HOME=str(home))
        assert (result.code, result.err) == (0, '')
        assert not list(Path(folder).iterdir())
    return result.out.splitlines()


@functools.cache
def printed(name: str) -> list[str]:
    with tempfile.TemporaryDirectory() as home:
        return run(name, Path(home))


@pytest.mark.parametrize('name', EXAMPLES)
def test_it_runs(name: str) -> None:
    assert len(printed(name)) >= (2 if name in ('mteb_moments', 'ragas_samples') else 9)


def on_its_page(name: str) -> list[str]:
    """What the page of the examples shows that an example prints; a line of dots stands for lines that are left out."""
    page = (ROOT / 'ir_segmeasures' / 'pt_docs' / 'examples.rst').read_text(encoding='utf-8')
    block = re.search(rf'^   python examples/{name}\.py\n((?:(?:   .*)?\n)+)', page, re.M)
    assert block, f'the page has no block that begins with python examples/{name}.py'
    return [line.removeprefix('   ') for line in block[1].splitlines() if line.strip(' .…')]


def check_page(name: str, lines: list[str]) -> None:
    shown = on_its_page(name)
    assert len(shown) >= 5
    rest = iter(lines)
    assert [line for line in shown if line not in rest] == []  # all of them, in this order


@pytest.mark.parametrize('name', WITH_PISA)
def test_the_page_shows_what_it_prints(name: str) -> None:
    check_page(name, printed(name))


class TestYourOwnFiles:
    def test_two_runs(self, tmp_path: Path) -> None:
        files = [Path(sample.path(name)) for name in ('qrels.txt', 'good.run', 'poor.run')]
        lines = run('compare_runs', tmp_path, *files)
        assert [line[50:] for line in lines] == [line[50:] for line in printed('compare_runs')]
        assert lines[-1] == printed('compare_runs')[-1]

    def test_transcripts(self, tmp_path: Path) -> None:
        skip_unless_it_can_run('spoken_search')
        talks: dict[str, list[dict[str, Any]]] = {}
        for line in sample.transcripts():
            talks.setdefault(line.doc_id, []).append({'start': line.start, 'end': line.end, 'text': line.text})
        for name, said in talks.items():
            (tmp_path / f'{name}.json').write_text(json.dumps({'segments': said}))
        judged = tmp_path / 'judgements.csv'
        formats.write_qrels(formats.read_qrels(sample.path('qrels.txt')), judged, 'csv')
        lines = run('spoken_search', tmp_path, Path(sample.path('queries.tsv')), judged,
                    *(tmp_path / f'{name}.json' for name in talks))
        # ESLRF takes the lengths of the recordings, which go on after the last word.
        assert [line[:53] for line in lines[2:7]] == [line[:53] for line in printed('spoken_search')[2:7]]

    def test_texts(self, tmp_path: Path) -> None:
        skip_unless_it_can_run('focused_text')
        for article in sample.articles():
            (tmp_path / article.doc_id).write_bytes(article.text.encode())
        lines = run('focused_text', tmp_path.parent, Path(sample.path('questions.tsv')),
                    Path(sample.path('evidence.txt')), tmp_path)
        assert lines[:7] == printed('focused_text')[:7]

    @pytest.mark.parametrize('name', EXAMPLES)
    def test_too_many_or_too_few(self, name: str, tmp_path: Path) -> None:
        result = process(name, tmp_path, 'one')
        assert (result.code, result.out) == (1, '')
        assert result.err.startswith(f'usage: python examples/{name}')


def test_the_picture_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    picture = import_module('picture')
    for name, theme in picture.THEMES.items():
        assert (picture.PAGES / f'timeline{name}.svg').read_text(encoding='utf-8') == picture.picture(theme)


class TestYourOwnChunks:
    TEXTS = {'a/Terms: v 2.txt': 'You may cancel.\r\n\r\nWrite to us within 14 days. We answer.',
             'b.txt': 'Bees live in hives.'}

    def compare(self, folder: Path, **snippet: Any) -> Done:
        for name, text in self.TEXTS.items():
            path = folder / 'texts' / name.replace(':', '_')  # some file systems have no colon in names
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        evidence = {'tests': [{'query': 'how do I cancel', 'snippets': [
            {'file_path': 'a/Terms: v 2.txt', 'span': [19, 46], 'answer': 'Write to us within 14 days.'} | snippet]}]}
        (folder / 'evidence.json').write_text(json.dumps(evidence))
        return process('rag_chunks', folder, 'texts', 'evidence.json')

    def test_a_folder_and_its_evidence(self, tmp_path: Path) -> None:
        result = self.compare(tmp_path)
        assert (result.code, result.err) == (0, '')
        figures = {line[:26].strip(): line[26:].split() for line in result.out.splitlines()[1:]}
        assert figures['sentences'][:2] == ['4', '0.000']  # the evidence shares no word with the question
        assert figures['200 characters'][:2] == ['2', '1.000']  # but stands in one chunk with what does

    def test_spans_of_another_text(self, tmp_path: Path) -> None:
        result = self.compare(tmp_path, span=[18, 45])
        assert result.code == 1 and result.err.startswith('evidence.json, question 1: a/Terms: v 2.txt has')


@pytest.fixture(scope='module')
def reproduced(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is printed where the campaign's files are, one of them packed."""
    home = tmp_path_factory.mktemp('home')
    (home / 'mediaeval-sh' / '2014').mkdir(parents=True)
    source = shared_data / 'mediaeval-sh-2014'
    shutil.copy(source / 'me14sh_search_testSet.qrel', home / 'mediaeval-sh')
    shutil.copy(source / 'run-180-60-noover.txt.gz', home / 'mediaeval-sh' / '2014')
    return run('reproduce_sh2014', home)


class TestReproduction:
    def test_the_figures_of_the_tool(self, reproduced: list[str], shared_data: Path) -> None:
        published = shared_data / 'mediaeval-sh-2014' / 'expected-180-60-noover.tsv'
        fields = [line.split('\t') for line in published.read_text().splitlines()]
        expected = {name.strip(): value.strip() for name, query, value in fields if query == 'all'}
        figures = dict(line.split()[:2] for line in reproduced[2:])
        assert len(figures) == 25
        assert figures == {name: expected[name] for name in figures}

    def test_without_the_files_it_says_what_is_missing(self, tmp_path: Path) -> None:
        lines = run('reproduce_sh2014', tmp_path)
        assert 'nothing is computed' in lines[0]
        for name in ('me14sh_search_testSet.qrel', '2014/run-180-60-noover.txt'):
            assert str(tmp_path / 'mediaeval-sh' / name) in lines
        assert not [path for path in tmp_path.rglob('*') if path.is_file()]  # nothing was downloaded


def texts(output: dict[str, Any]) -> list[list[str]]:
    """The lines of an output: what is printed, or the value of the last expression as text and as a table."""
    return [output['data'].get(kind, []) for kind in ('text/plain', 'text/markdown')] if 'data' in output else [
        output['text']]


class TestNotebook:
    NOTEBOOK = json.loads((FOLDER / 'spoken_search.ipynb').read_text(encoding='utf-8'))
    CODE = [cell for cell in NOTEBOOK['cells'] if cell['cell_type'] == 'code']

    def test_its_cells_print_what_is_stored(self, monkeypatch: pytest.MonkeyPatch) -> None:
        skip_unless_it_can_run('spoken_search')
        monkeypatch.syspath_prepend(FOLDER)  # where a notebook runs
        namespace: dict[str, Any] = {'__name__': '__main__'}
        stored, now = [], []
        for cell in self.CODE:
            *statements, last = ast.parse(''.join(cell['source'])).body
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(ast.Module(statements, []), cell['id'], 'exec'), namespace)
                if isinstance(last, ast.Expr):
                    shown = eval(compile(ast.Expression(last.value), cell['id'], 'eval'), namespace)
                    if shown is not None:
                        print(repr(shown), getattr(shown, '_repr_markdown_', str)() if not hasattr(
                            shown, 'svg') else '', sep='\n', end='')
                else:
                    exec(compile(ast.Module([last], []), cell['id'], 'exec'), namespace)
            now.append(output.getvalue())
            stored.append('\n'.join(''.join(lines) for entry in cell['outputs'] for lines in texts(entry)))
        assert now == stored
        assert sum(map(bool, stored)) >= 4
        pictures = [entry['data']['text/html'] for cell in self.CODE for entry in cell['outputs']
                    if 'text/html' in entry.get('data', ())]
        assert len(pictures) == 2 and all('<svg' in ''.join(lines) for lines in pictures)
