"""The worked examples, computed where the package is installed."""

import re
import subprocess
import sys

import numpy as np
import pytest

from ir_segmeasures import T2I_AP
from ir_segmeasures.commands import selftest
from ir_segmeasures.measures.stops import Outcome


def test_all_figures_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert selftest.Selftest().run() == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith('Python 3.') and 'ir-measures ' in first
    assert int(last.split()[0]) > 200 and last.endswith('all figures come out')


def test_without_pandas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(selftest, 'find_spec', lambda name: None)
    monkeypatch.setitem(sys.modules, 'pandas', None)
    assert selftest.Selftest().run() == 0
    assert re.search(r'\d+ lines of worked examples, of \d+ measures: all figures come out; those of \d+ need pandas, '
                     'which is not here\n$', capsys.readouterr().out)


def test_a_figure_that_differs_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(type(T2I_AP), 'outcome', lambda measure, run: Outcome(np.full(run.queries, 0.25)))
    monkeypatch.setattr(selftest, 'DECLARED', [T2I_AP])
    monkeypatch.setattr(selftest, 'HOSTS', ('ir-measures', 'never-was'))
    assert selftest.Selftest().run() == 1
    out, err = capsys.readouterr()
    assert '1 of 1 measures have other figures here than on their page (T2I_AP)' in err
    assert out.splitlines()[0].endswith('no never-was')
    assert 'Got:\n    0.25' in out


def test_as_a_command() -> None:
    said = subprocess.run([sys.executable, '-m', 'ir_segmeasures', 'selftest'], capture_output=True, text=True,
                          check=True)
    assert said.stdout.endswith('all figures come out\n') and said.stderr == ''
