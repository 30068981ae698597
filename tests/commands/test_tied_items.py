"""Ties in commands: evaluate warns where their order moves a figure, check counts them, --ties says what decides."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TIED = "4 of the 4 items of the run have the score of another item of their query, such as 1 in query 'q', and the"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Judgements and a run of four items of one score, the first of which is relevant."""
    qrels, run = tmp_path / 'qrels.txt', tmp_path / 'tied.run'
    qrels.write_text('q 0 v0#t=0,60 1\n')
    run.write_text(''.join(f'q Q0 v{number}#t=0,60 {number + 1} 1.0 tied\n' for number in range(4)))
    return qrels, run


def test_evaluate_warns_where_a_figure_moves(files: tuple[Path, Path], run: Callable[..., Any]) -> None:
    result = run('evaluate', *files, 'MAiSP', 'AP')
    assert result.out == 'MAiSP\t1.0000\nAP\t0.2500\n'
    assert TIED in result.err
    assert 'another order gives MAiSP 0.2500 in the place of 1.0000; give scores that differ, or say' in result.err
    assert run('evaluate', *files, 'MAiSP', '--strict').code != 0


@pytest.mark.parametrize('arguments', [['SegR', 'AP'], ['MAiSP', '--ties', 'id'], ['P_tol@4', '-q', '-p', '2']])
def test_evaluate_is_silent_where_none_moves(files: tuple[Path, Path], run: Callable[..., Any],
                                             arguments: list[str]) -> None:
    assert run('evaluate', *files, *arguments, '--strict').err == ''


@pytest.mark.parametrize('by, value', [('id', '0.2500'), ('order', '1.0000'), ('random:3', '0.3333')])
def test_what_decides(files: tuple[Path, Path], run: Callable[..., Any], by: str, value: str) -> None:
    result = run('evaluate', *files, 'MAiSP', 'AP', '--ties', by)
    assert (result.out, result.err) == (f'MAiSP\t{value}\nAP\t{value}\n', '')


@pytest.mark.parametrize('by', ['first', 'id:3', 'random:', 'random:-1', 'random:x'])
def test_what_does_not_decide(files: tuple[Path, Path], run: Callable[..., Any], by: str) -> None:
    result = run('evaluate', *files, 'MAiSP', '--ties', by)
    assert result.code == 2
    assert 'write id, order, random or random:SEED, with a whole number as the seed' in result.err


def test_check_counts_ties(files: tuple[Path, Path], run: Callable[..., Any]) -> None:
    qrels, path = files
    said = run('check', path, '--format', 'trec')
    assert (f'{path}: note: {TIED}' in said.out, said.out.splitlines()[-1], said.code) == (True, 'no violations', 0)
    moved = run('check', path, '--format', 'trec', '--qrels', qrels, '-m', 'MAiSP').out
    assert moved.count(TIED) == 1
    assert 'another order gives MAiSP 0.2500 in the place of 1.0000' in moved
    assert TIED not in run('check', path, '--format', 'trec', '--qrels', qrels, '-m', 'SegR').out


