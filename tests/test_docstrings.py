"""The examples of docstrings, each run on its own, and the public names that must have one."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from documented import check_python, skip_unless_installed

import ir_segmeasures
from ir_segmeasures.measures.elements.base import QUANT
from ir_segmeasures.measures.elements.prum import NAVIGATION

PACKAGE = Path(ir_segmeasures.__file__).parent
# Where the public names are, in __all__.
PUBLIC = ('ir_segmeasures', 'ir_segmeasures.formats', 'ir_segmeasures.study', 'ir_segmeasures.datasets',
          'ir_segmeasures.texts.chunks', 'ir_segmeasures.pt', 'ir_segmeasures.sample', 'ir_segmeasures.providers')


def docstrings() -> Iterator[tuple[str, str, str]]:
    """Module, name and text of every docstring with an example. It imports nothing, so that collecting costs little."""
    def below(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text and '>>>' in text:
                yield name, text
            for child in node.body:
                yield from below(child, f'{name}.{child.name}'.lstrip('.') if hasattr(child, 'name') else name)
        elif isinstance(node, ast.If):
            for child in node.body:
                yield from below(child, f'{name}.{child.name}'.lstrip('.') if hasattr(child, 'name') else name)

    for path in sorted(PACKAGE.rglob('*.py')):
        source = path.read_text(encoding='utf-8')
        if '>>>' in source:
            module = '.'.join(path.relative_to(PACKAGE.parent).with_suffix('').parts).removesuffix('.__init__')
            yield from ((module, name, text) for name, text in below(ast.parse(source), ''))


@pytest.fixture
def registries() -> Iterator[None]:
    """Functions that examples register are forgotten."""
    before = [(registry.functions, dict(registry.functions)) for registry in (QUANT, NAVIGATION)]
    yield
    for functions, known in before:
        functions.clear()
        functions.update(known)


@pytest.mark.usefixtures('registries')
@pytest.mark.parametrize(('module', 'text'), [
    pytest.param(module, text, id=f'{module}:{name}'.removeprefix('ir_segmeasures.'))
    for module, name, text in docstrings()])
def test_examples(module: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_unless_installed(text)
    try:
        import_module(module)
    except ImportError as error:
        pytest.skip(f'{error}: the extra is not installed')
    monkeypatch.chdir(tmp_path)  # for examples that write
    assert check_python(text, module) > 0


def described(room: str) -> Iterator[tuple[str, Any]]:
    """The public functions, measures and transformers of a room, by name. Records, results and errors, which functions
    return or raise, need no example."""
    module = import_module(room)
    for name in module.__all__:
        thing = getattr(module, name)
        if isinstance(thing, ir_segmeasures.measures.SegmentMeasure):
            thing = type(thing)
        elif not (inspect.isfunction(thing) or hasattr(thing, 'transform')):
            continue
        if thing.__module__.startswith('ir_segmeasures.'):
            yield name, thing


@pytest.mark.parametrize('room', PUBLIC)
def test_public_names_have_examples(room: str) -> None:
    if room.endswith('.pt'):
        pytest.importorskip('pyterrier')
    try:
        things = list(described(room))
    except ImportError as error:
        pytest.skip(f'{error}: the extra is not installed')
    assert [f'{thing.__module__}.{name}' for name, thing in things if '>>>' not in (inspect.getdoc(thing) or '')] == []


def test_there_are_examples() -> None:
    assert len(list(docstrings())) > 20
