"""Names and first sentences, over the syntax tree: a public name has one meaning in the package, a module can be
imported by its name, and docstrings open with a subject."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

import ir_segmeasures

PACKAGE = Path(ir_segmeasures.__file__).parent

# Names that stand in several modules with one meaning.
SHARED = {
    **dict.fromkeys(('read_qrels', 'read_run', 'write_qrels', 'write_run', 'read_topics', 'read_queries', 'read_videos',
                     'read_run_by_query'), 'the verbs of every format, and of all formats together'),
    'main': 'what a process runs',
    'add_to': 'the door of every command: it adds its parser',
    'register_all': 'each campaign registers its datasets',
    **dict.fromkeys(('align', 'break_ties', 'locate', 'resolve', 'to_documents'),
                    'the function, and its transformer for PyTerrier'),
}
RIDDLES = ('Those', 'What', 'As', 'Same', 'That', 'Which', 'Whose')
EMPTY = {'of', 'own', 'told', 'some'}  # names that say nothing of what they stand for

TREES = {path.relative_to(PACKAGE): ast.parse(path.read_text(encoding='utf-8'))
         for path in sorted(PACKAGE.rglob('*.py'))}


def dotted(path: Path) -> str:
    return '.'.join(('ir_segmeasures', *path.with_suffix('').parts)).removesuffix('.__init__')


def test_folders_of_tests_mirror_the_package() -> None:
    tests = Path(__file__).parent
    folders = {path.parent.relative_to(tests) for path in tests.rglob('test_*.py')}
    assert {str(folder) for folder in folders if not (PACKAGE / folder).is_dir()} == {'fuzz', 'pages'}


def test_a_public_name_has_one_meaning() -> None:
    places: dict[str, list[Path]] = defaultdict(list)
    for path, tree in TREES.items():
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith('_'):
                places[node.name].append(path)
    assert {name: list(map(str, paths)) for name, paths in places.items()
            if len(paths) > 1 and name not in SHARED} == {}


def bindings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.alias):
            yield node.lineno, node.asname or node.name


def test_bindings_say_what_they_stand_for() -> None:
    assert [f'{path}:{line}: {name}' for path, tree in TREES.items() for line, name in bindings(tree)
            if name in EMPTY] == []


def test_docstrings_open_with_a_subject() -> None:
    found = []
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or '-'
                if text.split()[0].rstrip(',.:') in RIDDLES or text.startswith(('The same', 'The one')):
                    found.append(f'{path}:{getattr(node, "lineno", 1)}: {text.splitlines()[0]}')
    assert found == []


@pytest.mark.parametrize('path', TREES, ids=dotted)
def test_a_module_is_what_its_name_imports(path: Path) -> None:
    """No function of its name takes its place in the package."""
    try:
        import_module(dotted(path))
    except ImportError as error:
        pytest.skip(f'{error}: the extra is not installed')
    assert inspect.ismodule(reduce(getattr, dotted(path).split('.')[1:], ir_segmeasures))
