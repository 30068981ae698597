"""The script that recomputes published figures: what it compares, and that it sees what differs."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fidelity
import pytest
from ir_measures import P, Qrel, ScoredDoc

from ir_segmeasures import AP_over


@pytest.fixture(autouse=True)
def _without_files_kept() -> Iterator[None]:
    yield
    fidelity.read.cache_clear()


@pytest.mark.parametrize(('campaign', 'number'), [
    (fidelity.anchoring, 12 * 5 + 3), (fidelity.search_and_hyperlinking, 1550)])
@pytest.mark.filterwarnings('ignore::ir_segmeasures.SegmentWarning')
def test_every_figure_of_a_campaign(campaign: Any, number: int, shared_data: Path) -> None:
    found = [outcome for source in campaign() for outcome in fidelity.recompute(source)]
    assert len(found) == number
    assert [outcome for outcome in found if outcome.difference] == []


def test_every_line_of_the_edges_is_compared(shared_data: Path) -> None:
    sources = [source for source in fidelity.inex() if source.run.startswith(('edge/', 'micro/'))]
    found = {source.run: fidelity.recompute(source) for source in sources}
    assert [outcome for outcomes in found.values() for outcome in outcomes if outcome.difference] == []
    kinds = Counter(run.partition('/')[0] for run, outcomes in found.items() if outcomes and 'documents' not in run)
    assert kinds == {'edge': 138, 'micro': 75}  # the five others are of a run that no mode reads
    refused = [outcome for outcomes in found.values() for outcome in outcomes if outcome.figure.name == 'refused']
    assert len(refused) > 46


def test_what_differs_is_seen() -> None:
    qrels, run = [Qrel('q', 'v#t=0,9', 1), Qrel('p', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=1,2', 1)]
    figures = [fidelity.Figure('q', 'map', '1.0', AP_over), fidelity.Figure('all', 'map', '0.5', AP_over),
               fidelity.Figure('q', 'map', '0.9', AP_over)]
    source = fidelity.Source('program', 'run', qrels, run, figures, 4, refused=[AP_over])
    assert [outcome.difference for outcome in fidelity.recompute(source)] == [0, 0, pytest.approx(.1), float('inf')]
    # Means over the queries that the run answers.
    assert [outcome.value for outcome in fidelity.recompute(source._replace(of_answers=True))[:2]] == [1, 1]
    missed = fidelity.Figure('q', 'Unjudged_1', '1', P@1, -1, 1)
    assert fidelity.recompute(source._replace(figures=[missed], refused=[]))[0].difference == 0


def test_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, 'argv', ['fidelity.py'])
    for folder, what in ((tmp_path / 'data', 'is not on this machine'), (tmp_path, 'has none of the files')):
        monkeypatch.setattr(fidelity, 'DATA', folder)
        assert fidelity.main() == 3
        said = capsys.readouterr().err.splitlines()
        assert said[-1] == f'nothing to recompute: {folder} {what}'
    assert len(said) == len(fidelity.CAMPAIGNS) + 1 and all(': left out, as ' in line for line in said[:-1])
