"""A measure is declared once: all that lists measures follows from its class."""

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import Qrel, ScoredDoc

import ir_segmeasures
from ir_segmeasures import measures, segmeasures
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
from ir_segmeasures.measures import SegmentMeasure, SpanMeasure
from ir_segmeasures.measures.base import DECLARED, NAMES, aliases_of, register_measure
from ir_segmeasures.measures.parameters import CUTOFF, Number


class _Missed(SpanMeasure):
    """Missed spans: how many relevant spans the ranking leaves out, counted by a weight.

    ``Missed = w · R``

    Range [0, ∞), **lower is better**. Unit of w: none. Source: this test.
    """
    PRETTY_NAME = 'Missed spans'
    SHORT_DESC = 'How many relevant spans are left out. Lower is better.'
    LOWER_IS_BETTER = True
    NEEDS = ('bep',)
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'w': Number('weight of a span', low=0, default=2)}

    def values(self, run: RunOnAxis) -> Any:
        return self['w'] * run.R


@pytest.fixture
def missed() -> Iterator[SegmentMeasure]:
    yield register_measure(_Missed(), ['MMissed'])
    DECLARED.pop()
    for name in ('Missed', 'MMissed'):
        del NAMES[name], ir_measures.measures.registry[name]


class TestOneClass:
    def test_is_exported(self, missed: SegmentMeasure) -> None:
        for module in (ir_segmeasures, measures):
            assert {'Missed', 'MMissed'} <= set(module.__all__)
            assert module.Missed is missed  # type: ignore[attr-defined]
            assert module.MMissed == missed and str(module.MMissed@5) == 'MMissed@5'  # type: ignore[attr-defined]
        names: dict[str, object] = {}
        exec('from ir_segmeasures import *', names)
        assert names['MMissed'] == missed

    def test_is_computed_by_the_provider(self, missed: SegmentMeasure) -> None:
        assert missed in segmeasures.SUPPORTED_MEASURES
        measure = ir_measures.parse_measure('MMissed(w=3)@5')
        assert ir_measures.calc_aggregate([measure], [Qrel('1', 'v#t=0,5', 1)], [ScoredDoc('1', 'v#t=0,5', 1)]) == {
            measure: 3}

    def test_tells_its_columns(self, missed: SegmentMeasure) -> None:
        assert set(ir_measures.qrel_inputs([missed])) == {'query_id', 'doc_id', 'relevance', 'bep'}

    def test_is_listed_by_the_command(self, missed: SegmentMeasure, capsys: pytest.CaptureFixture[str]) -> None:
        from ir_segmeasures.commands import main
        main(['measures'])
        assert 'Missed(w=2)@[cutoff] (also MMissed)\n    How many relevant spans' in capsys.readouterr().out
        main(['measures', 'MMissed'])
        assert '``MMissed = w · R``' in capsys.readouterr().out  # under the name that was asked for


def test_every_measure_says_its_formula_its_range_and_its_source() -> None:
    assert len(DECLARED) >= 50
    for measure in DECLARED:
        text = ' '.join(inspect.cleandoc(type(measure).__doc__ or '').split())
        assert re.search(rf'``{measure.NAME}\b[^`=]*(?:\([^`)]*\)[^`=]*)? = [^`]*``', text), measure
        facts = text[re.search(r' Range [\[({]', text).start():]  # type: ignore[union-attr]
        assert 'Source: ' in facts
        assert measure.LOWER_IS_BETTER == ('**lower is better**' in facts) == ('Lower is better' in measure.SHORT_DESC)
    assert aliases_of(measures.AgP) == ['MAgP'] and list(measures.AgP.TOOLS) == ['inex_eval']


@pytest.mark.parametrize(('measure', 'columns'), [
    ('AgP_bep', {'bep'}), ('gP_reading@3', {'doc_size'}), ('xinfAP', {'stratum'}),
    ('HL_AP(min=4)', {'saliency_1', 'saliency_2', 'saliency_3'}),
    ('XCG@10', {'exhaustivity', 'specificity'}), ("AgP_bep(tool='inex_eval')", {'bep'}), ('MAiSP', set()),
])
def test_ir_measures_tells_what_the_qrels_must_have(measure: str, columns: set[str]) -> None:
    wanted = ir_measures.qrel_inputs([ir_measures.parse_measure(measure)])
    assert set(wanted) == {'query_id', 'doc_id', 'relevance', *columns}


def test_every_declared_measure_stands_in_the_list_of_its_file() -> None:
    for name, measure in NAMES.items():
        module = sys.modules[type(measure).__module__]
        assert name in module.__all__
        assert str(vars(measures)[name]) == str(vars(ir_segmeasures)[name]) == str(measure) == name
        assert vars(module)[name] == measure


@pytest.mark.types
def test_type_checkers_see_the_names(tmp_path: Path) -> None:
    pytest.importorskip('mypy', reason='mypy, of the extra test, is not installed')
    code = ('from ir_segmeasures import AgP_bep, MAiSP, PRUM, align, register_navigation\n'
            'from ir_segmeasures.measures import MAgP, SpanMeasure\n'
            'from ir_segmeasures import NoSuchMeasure\n')
    found = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '-c', code],
                           capture_output=True, text=True, cwd=tmp_path)
    assert found.stdout.splitlines() == [
        '<string>:3: error: Module "ir_segmeasures" has no attribute "NoSuchMeasure"  [attr-defined]',
        'Found 1 error in 1 file (checked 1 source file)']


@pytest.mark.parametrize('measure', DECLARED, ids=lambda measure: measure.NAME)
def test_every_measure_has_an_example(measure: SegmentMeasure) -> None:
    _, _, example = (inspect.getdoc(type(measure)) or '').partition('\nExamples:\n')
    assert f'>>> from ir_segmeasures import {measure.NAME}\n' in example
    assert 'calc_aggregate(' in example
