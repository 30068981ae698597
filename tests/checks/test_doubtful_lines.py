"""The lines of a plain file that may break a rule: what is found among them is what is found in all lines."""

import random
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import checks
from ir_segmeasures.checks.earlier_items import _Covered


def run_line(draw: random.Random, rank: int) -> str:
    start = draw.randrange(40) * 5
    return (f'q{draw.randrange(3)} Q0 v{draw.randrange(6)}#t={start},{start + draw.choice((0, 5, 5, 20))} {rank} '
            f'{draw.choice((-rank, -rank, draw.randrange(99)))} me')


def qrels_line(draw: random.Random, rank: int) -> str:
    start = draw.randrange(40) * 5
    return (f'q{draw.randrange(3)} 0 v{draw.randrange(9)}#t={start},{start + draw.choice((0, 5, 5, 20))} '
            f'{draw.choice((0, 1, 2))}')


def findings(monkeypatch: Any, *args: Any, **options: Any) -> tuple[bool, Any, Any]:
    """Whether a file is checked by its lines in question, what is found so, and what in all lines."""
    known = []

    def remembered(*arguments: Any) -> Any:
        known.append(original(*arguments))
        return known[-1]
    original = checks.lines_in_question
    with monkeypatch.context() as patch:
        patch.setattr(checks, 'lines_in_question', remembered)
        found = checks.check(*args, **options)
        patch.setattr(checks, 'lines_in_question', lambda *_: None)
        return known != [None], found, checks.check(*args, **options)


@pytest.mark.parametrize('seed', range(40))
def test_they_have_all_findings_of_the_file(seed: int, tmp_path: Path, monkeypatch: Any) -> None:
    draw = random.Random(seed)
    run, qrels = tmp_path / 'run', tmp_path / 'qrels'
    blank = draw.choice(('\n', '\n\n', '\r\n'))
    run.write_text(blank.join(run_line(draw, k + 1) for k in range(draw.randrange(1, 60))) + '\n', newline='')
    qrels.write_text(blank.join(qrels_line(draw, k) for k in range(draw.randrange(1, 30))) + '\n', newline='')
    for args, options in (((run, 'trec'), {}), ((run, 'trec'), {'qrels': qrels}), ((qrels, 'trec', 'qrels'), {})):
        quick, found, expected = findings(monkeypatch, *args, **options)
        assert quick or blank == '\n\n'
        assert found == expected


@pytest.mark.parametrize('lines', [
    ['q Q0 v#t=0,5 1 2 me', 'q Q0 w 2 1 me'],  # a whole document
    ['q Q0 v#t=0,5 1 2 me', 'q Q0 v#t=7, 2 1 me'],  # a mistake
    ['q Q0 v#t=0,5 1 2 me', 'q Q0 v#char=7,8 2 1 me'],  # another unit
    ['q Q0 v#t=0,5 1 2 me', 'q Q0 v#t=7,8 2 1 other'],  # two runs
    ['q Q0 v#t=0,5 x 2 me', 'q Q0 v#t=7,8 x 1 me'],  # no ranks
    ['q Q0 v#t=0,5 1 2 me', 'q Q0 v#t=7,8 2 me'],  # a field too few
])
def test_all_lines_are_looked_at(lines: list[str], tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / 'run'
    path.write_text('\n'.join(lines) + '\n')
    quick, found, expected = findings(monkeypatch, path, 'trec')
    assert not quick
    assert found == expected


def test_what_earlier_items_cover_stands_in_blocks(monkeypatch: Any) -> None:
    monkeypatch.setattr('ir_segmeasures.checks.earlier_items._LONGEST', 4)
    draw, covered = random.Random(1), _Covered()
    latest: dict[int, int] = {}  # of each unit of length, the latest item
    for item in range(400):
        start = draw.randrange(500)
        end = start + draw.choice((1, 3, 8, 100))
        first = next((latest[place] for place in range(start, end) if place in latest), None)
        assert covered.times(item, start, end) == first  # type: ignore[arg-type, comparison-overlap]
        latest.update(dict.fromkeys(range(start, end), item))
