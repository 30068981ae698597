"""The examples of docstrings, each run on its own."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from documented import check_python, skip_unless_installed

import ir_segmeasures
from ir_segmeasures.measures.elements.base import QUANT
from ir_segmeasures.measures.elements.prum import NAVIGATION

PACKAGE = Path(ir_segmeasures.__file__).parent


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
