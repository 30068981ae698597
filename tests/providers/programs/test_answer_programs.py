"""The programs that read windows in models' answers: every window and figure, and how they read."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import official
from ir_segmeasures.providers.programs.answers import charades_sta_window, timelens_window

NOWHERE = (-1e9, -1e9)


@pytest.fixture(scope='module')
def programs(shared_data: Path) -> dict[str, Any]:
    folder = shared_data / 'moments' / 'programs'
    return {name: json.loads(gzip.decompress((folder / f'{name}.json.gz').read_bytes()))
            for name in ('answers-figures', 'charades-answers', 'timelens-answers')}


def test_charades_sta(programs: dict[str, Any]) -> None:
    answers, printed = programs['charades-answers'], programs['answers-figures']['charades_sta']
    assert official('charades_sta', None, answers) == pytest.approx(printed['figures'], rel=1e-13)
    found = {key: list(charades_sta_window(answer, NOWHERE)) for key, answer in answers.items()}
    assert found == {key: window or [NOWHERE[1] + 10, NOWHERE[1] + 20] for key, window in printed['windows'].items()}
    assert sum(window is not None for window in printed['windows'].values()) == 559


def test_timelens(programs: dict[str, Any]) -> None:
    answers, printed = programs['timelens-answers'], programs['answers-figures']['timelens']
    assert official('timelens', None, answers) == pytest.approx(printed['figures'], rel=1e-13)
    found = {key: timelens_window(answer) for key, answer in answers.items()}
    assert {key: window and list(window) for key, window in found.items()} == printed['windows']
    assert sum(window is not None for window in found.values()) == 1010


@pytest.mark.parametrize('answer, window', [
    ('It happens in 12.5 - 3.', (3, 12.5)),
    ('A specific example is : 20.8 - 30.0 seconds. It happens at 1 to 2', (1, 2)),
    ('12 - 15', None),  # no word for a start, an end or what happens
    ('my friend, 12–15', (12, 15)),  # fri-end
    ('It starts at 0:05 and ends at 0:09', None),  # one sentence, whose first number alone is read
    ('Start: 3\nEnd: 4.5', (3, 4.5)),
    ('Starts 1 at 3s - 5s', (3, 5)),
    ('the 2 men start\n3 ends', (2, 3)),
    ('start 1. 12 - 13', (12, 13)),  # no full stop ends a sentence
    ('', None)])
def test_how_charades_sta_reads(answer: str, window: tuple[float, float] | None) -> None:
    assert charades_sta_window(answer, NOWHERE) == (window or (NOWHERE[1] + 10, NOWHERE[1] + 20))


@pytest.mark.parametrize('answer, window', [
    ('00:05 to 1:02:03.5, 2 - 3', (5, 3723.5)),
    ('1:2:30 to 1:02:45', (150, 3765)),  # minutes of one digit have no hours before them
    ('00:05 and 2 - 3', (2, 3)),  # one clock time alone
    ('12 to 13, 2-3', (2, 3)),
    ('12.-13.', (12, 13)),
    ('15 to 12', (15, 12)),
    ('12–15', (12, 15)),
    ('2 people, 17.5s', (2, 17)),  # no number ends before a letter
    ('2 people, 17.5 s', (2, 17.5)),
    ('17', None), ('', None)])
def test_how_timelens_reads(answer: str, window: tuple[float, float] | None) -> None:
    assert timelens_window(answer) == window


@pytest.mark.parametrize('program', ['charades_sta', 'timelens'])
@pytest.mark.parametrize('answers, sentence', [
    ({}, 'no query is left'), ([1], 'the file of answers is [1]'),
    ({'v>>>q': 'text'}, "the key 'v>>>q' does not end in a window"),
    ({'v>>>q>>>7': 'text'}, "the key 'v>>>q>>>7' does not end in a window"),
    ({'v>>>q>>>[0, 1]': None}, "'v>>>q>>>[0, 1]' of the file of answers is null")])
def test_files_that_the_programs_cannot_read(program: str, answers: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        official(program, None, answers)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize('text', [
    '1' * 10 ** 6, '1.' * 10 ** 5, '1' + ' ' * 10 ** 5, '1 ' * 10 ** 5, '1:11:' * 10 ** 5])
def test_long_answers_take_no_longer_than_their_length(text: str) -> None:
    for answer in (text, f'start {text}', f'{text}x'):
        charades_sta_window(answer, NOWHERE)
        timelens_window(answer)
