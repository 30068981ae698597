"""The patches of the page "upstream": each applies to the release of its host that is installed, and mends it."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
from ir_measures import AP, nDCG

PAGE = Path(__file__).resolve().parents[2] / 'ir_segmeasures' / 'pt_docs' / 'upstream.rst'
DIFF = re.compile(r'   --- a/(\S+)\n   \+\+\+ b/\S+\n((?:   .*\n)+)')
PATCHES = dict(DIFF.findall(PAGE.read_text(encoding='utf-8')))


def patched(source: str, lines: list[str]) -> str:
    """The source with a diff applied: lines that go, or stay, have to stand there one after the other."""
    while lines:
        n = next((i for i in range(1, len(lines)) if lines[i][0] == '-' and lines[i - 1][0] == '+'), len(lines))
        block, lines = lines[:n], lines[n:]
        before = ''.join(line[1:] + '\n' for line in block if line[0] != '+')
        assert source.count(before) == 1, f'the release that is installed has no such lines:\n{before}'
        source = source.replace(before, ''.join(line[1:] + '\n' for line in block if line[0] != '-'))
    return source


@pytest.fixture
def mended() -> Callable[[str], ModuleType]:
    def load(path: str) -> ModuleType:
        name = path.removesuffix('.py').replace('/', '.')
        pytest.importorskip(name.partition('.')[0])
        found = importlib.util.find_spec(name)
        assert found is not None
        assert found.origin is not None
        source = patched(Path(found.origin).read_text(encoding='utf-8'),
                         [line[3:] for line in PATCHES[path].splitlines()])
        module = ModuleType(name)
        module.__package__ = name.rpartition('.')[0]
        exec(compile(source, found.origin, 'exec'), vars(module))
        return module
    return load


def test_all_patches_are_tested() -> None:
    assert set(PATCHES) == {'pyterrier/_evaluation/_grid.py', 'pyterrier/_evaluation/_rendering.py',
                            'ir_measures/util.py', 'ir_measures/__main__.py', 'ir_datasets/__init__.py'}


def test_grid_search_takes_measures(mended: Callable[[str], ModuleType]) -> None:
    pt = pytest.importorskip('pyterrier')
    GridSearch = mended('pyterrier/_evaluation/_grid.py').GridSearch
    answers = pd.DataFrame({'qid': ['q'] * 3, 'docno': ['a', 'b', 'c'], 'score': [3., 2., 1.], 'rank': [0, 1, 2]})

    class Weighted(pt.Transformer):  # type: ignore[misc, name-defined]
        weight = 1

        def transform(self, topics: pd.DataFrame) -> pd.DataFrame:
            return pt.model.add_ranks(answers.assign(query='words', score=answers['score'] * self.weight))

    weighted = Weighted()
    topics, qrels = pd.DataFrame([['q', 'words']], columns=['qid', 'query']), pd.DataFrame(
        [['q', 'c', 1]], columns=['qid', 'docno', 'label'])
    for measure in (AP, nDCG@10):
        best, setting = GridSearch(weighted, {weighted: {'weight': [1, -1]}}, topics, qrels, measure,
                                   return_type='best_setting', verbose=False)
        assert (best, setting[0][2]) == (1., -1)
        with pytest.raises(KeyError):
            pt.GridSearch(weighted, {weighted: {'weight': [1, -1]}}, topics, qrels, measure, verbose=False)


def test_the_lowest_mean_is_highlighted(mended: Callable[[str], ModuleType]) -> None:
    pytest.importorskip('jinja2')

    def bold(render: Any) -> dict[str, list[str]]:
        """For each column of an Experiment of two systems, the systems whose cells are bold."""
        table = render(['a', 'b'], baseline=0, test_fn=lambda one, other: (0, 1))
        table.add_metrics(0, {'1': {'ESL@1': 3., 'AP': .5}, '2': {'ESL@1': 5., 'AP': .5}}, 0)
        table.add_metrics(1, {'1': {'ESL@1': 2., 'AP': .6}, '2': {'ESL@1': 4., 'AP': .6}}, 0)
        shown = table.averages(highlight='bold')
        cells = {(row, column): style for (row, column), style in shown._compute().ctx.items() if style}
        return {name: ['ab'[row] for row in (0, 1) if (row, column) in cells]
                for column, name in enumerate(shown.data.columns)}

    from pyterrier._evaluation._rendering import RenderFromPerQuery
    before, after = bold(RenderFromPerQuery), bold(mended('pyterrier/_evaluation/_rendering.py').RenderFromPerQuery)
    assert (before['ESL@1'], before['AP']) == (['a'], ['b'])
    assert (after['ESL@1'], after['AP']) == (['b'], ['b'])


def test_values_need_no_names_that_are_gone(mended: Callable[[str], ModuleType],
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    util = mended('ir_measures/util.py')
    for name in ('Num', 'Str', 'NameConstant'):
        monkeypatch.delattr(ast, name, raising=False)
    assert str(util.parse_measure('nDCG@10')) == 'nDCG@10'
    assert str(util.parse_measure("nDCG(dcg='exp-log2')@5")) == "nDCG(dcg='exp-log2')@5"
    assert util.parse_measure('AP(judged_only=True)').params == {'judged_only': True}


def test_the_command_loads_plugins(mended: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    main, asked = mended('ir_measures/__main__.py'), []

    class Plugin:
        @staticmethod
        def load() -> None:
            asked.append(True)

    def entry_points(**selection: Any) -> list[type[Plugin]]:
        return [Plugin] if selection == {'group': 'ir_measures.providers'} else []
    monkeypatch.setattr(metadata, 'entry_points', entry_points)
    monkeypatch.setattr('sys.argv', ['ir_measures', '--help'])
    with pytest.raises(SystemExit):
        main.main_cli()
    assert asked == [True]


def test_ir_datasets_loads_plugins(tmp_path: Path) -> None:
    host = pytest.importorskip('ir_datasets')
    copied = tmp_path / 'ir_datasets'
    shutil.copytree(Path(host.__file__).parent, copied)
    start = copied / '__init__.py'
    lines = [line[3:] for line in PATCHES['ir_datasets/__init__.py'].splitlines()]
    start.write_text(patched(start.read_text(encoding='utf-8'), lines), encoding='utf-8')
    (tmp_path / 'mine-1.dist-info').mkdir()
    (tmp_path / 'mine-1.dist-info' / 'METADATA').write_text('Metadata-Version: 2.1\nName: mine\nVersion: 1\n')
    (tmp_path / 'mine-1.dist-info' / 'entry_points.txt').write_text(
        '[ir_datasets.datasets]\nsegments = ir_segmeasures.datasets\n')
    path = os.pathsep.join([str(tmp_path), str(PAGE.parents[2])])
    listed = subprocess.run([sys.executable, '-m', 'ir_datasets', 'list'], capture_output=True, text=True, check=True,
                            env={**os.environ, 'PYTHONPATH': path})
    assert 'mediaeval-sh/2014/search' in listed.stdout.split()
