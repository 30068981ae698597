"""The examples in the docstrings of formats, texts and datasets run, and every public function has one."""

import doctest
import inspect
import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from documented import skip_unless_installed

from ir_segmeasures import formats, texts
from ir_segmeasures.texts import chunks

MODULES = [module.name for package in (formats, texts)
           for module in pkgutil.walk_packages(package.__path__, f'{package.__name__}.')]
if find_spec('ir_datasets'):
    from ir_segmeasures import datasets
    MODULES += [module.name for module in pkgutil.iter_modules(datasets.__path__, 'ir_segmeasures.datasets.')]


def public() -> list[tuple[str, Any]]:
    modules = [formats, chunks, *([datasets] if find_spec('ir_datasets') else [])]
    found = [(name, getattr(module, name)) for module in modules for name in module.__all__]
    return [(name, value) for name, value in found if name == 'ColumnFile' or (
        inspect.isfunction(value) and not value.__module__.startswith('ir_segmeasures.segments'))]


@pytest.mark.parametrize('name', ['ir_segmeasures.formats', 'ir_segmeasures.datasets', *MODULES])
def test_the_examples_run(name: str, home: Path) -> None:
    pytest.importorskip('ir_datasets' if name.startswith('ir_segmeasures.datasets') else 'ir_measures')
    for test in doctest.DocTestFinder(exclude_empty=True).find(import_module(name)):
        if test.examples:
            skip_unless_installed(test.docstring or '')
            output: list[str] = []
            doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=output.append)
            assert not output, ''.join(output)


@pytest.mark.parametrize(('name', 'value'), public())
def test_every_public_function_has_an_example(name: str, value: Any) -> None:
    assert '>>> ' in (value.__doc__ or '').partition('Examples:')[2]
