"""The examples in the docstrings of the measures run, and every measure has one."""

import doctest
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest
from documented import skip_unless_installed

from ir_segmeasures import evaluation, measures, providers
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import DECLARED
from ir_segmeasures.measures.elements.navigation import NAVIGATION
from ir_segmeasures.measures.elements.quantisation import QUANT

MODULES = [module.name for package in (measures, evaluation, providers)
           for module in pkgutil.walk_packages(package.__path__, f'{package.__name__}.')]
MODULES.append('ir_segmeasures.study.explanations')


@pytest.fixture(autouse=True)
def registries() -> Iterator[None]:
    """Functions that examples register are forgotten."""
    before = [(registry.functions, dict(registry.functions)) for registry in (QUANT, NAVIGATION)]
    yield
    for functions, known in before:
        functions.clear()
        functions.update(known)


@pytest.mark.parametrize('name', MODULES)
def test_the_examples_run(name: str) -> None:
    for test in doctest.DocTestFinder(exclude_empty=True).find(import_module(name)):
        if test.examples:
            skip_unless_installed(test.docstring or '')
            output: list[str] = []
            doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=output.append)
            assert not output, ''.join(output)


@pytest.mark.parametrize('measure', DECLARED, ids=lambda measure: measure.NAME)
def test_every_measure_has_an_example(measure: SegmentMeasure) -> None:
    _, _, example = (type(measure).__doc__ or '').partition('\n    Examples:\n')
    assert f'>>> from ir_segmeasures import {measure.NAME}\n' in example
    assert 'calc_aggregate(' in example
