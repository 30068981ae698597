"""The judging page in headless Chromium: an assessor plays, marks, grades, saves, and goes on another day."""

import json
import math
import shutil
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ir_measures import ScoredDoc

from ir_segmeasures import formats
from ir_segmeasures.segments.segment import Line
from ir_segmeasures.study import pool
from ir_segmeasures.study.view import judging_page

pytest.importorskip('jinja2')
selenium = pytest.importorskip('selenium', reason='selenium, which drives the browser, is not installed')
pytestmark = [pytest.mark.pages, pytest.mark.skipif(
    not (shutil.which('chromium') and shutil.which('chromedriver')),
    reason='chromium and chromedriver (Debian: chromium, chromium-driver) are not installed')]
TEXT = 'Bees swarm in May. They hang 🐝 from trees, and leave soon.'
LINES = [Line(0, 2, 'Hello.'), Line(2, 4, 'Bees swarm'), Line(4, 6, 'in May.')]
QUERIES = {'q': 'how bees swarm', 'p': 'trees'}
RUN = [ScoredDoc('q', 'talk#t=1,5', 3), ScoredDoc('q', 'talk#t=6,8', 2), ScoredDoc('p', 'doc#char=11,42', 1)]


Shown = Any  # a page in the browser, of the fixtures


@pytest.fixture
def shown(opened: Callable[[Path], Shown], tmp_path: Path) -> Callable[..., Shown]:
    def shown(run: list[ScoredDoc] = RUN, **settings: Any) -> Shown:
        path = tmp_path / 'judge.html'
        units = pool({'secret-run': run}, depth=10, margin=1, seed=1)
        path.write_text(judging_page(units, QUERIES, **settings), encoding='utf-8')
        opened(path).js('localStorage.clear()')
        return opened(path)
    return shown


@pytest.fixture
def talk(tmp_path: Path) -> str:
    """A tone of nine seconds."""
    with wave.open(str(tmp_path / 'talk.wav'), 'wb') as file:
        file.setparams((1, 1, 8000, 0, 'NONE', ''))
        file.writeframes(bytes(128 + int(40 * math.sin(i / 3)) for i in range(9 * 8000)))
    return '{document}.wav'


TALKS = RUN[:2]


def test_a_recording_by_keys_alone(shown: Callable[..., Shown], talk: str, downloads: Path) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys
    page = shown(TALKS, media=talk, docs={'talk': LINES})
    page.until('tasks[state.at].start === 1 || (turn(1), false)')  # the order of units is drawn
    page.until('player && player.currentTime === 1')
    page.press(' ')
    page.until('player.currentTime > 1.3')
    page.press(' ')
    page.until('player.paused')
    page.js('go(2)')
    page.until('position() === 2')
    page.press('i')
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    page.until('position() === 2.5')
    page.press('o')
    assert page.js('mine()') == {'grade': None, 'marks': [{'start': 2, 'end': 2.5, 'grade': 1}]}
    assert page.js('[...document.querySelectorAll("#marks input")].map(input => input.value)') == ['0:02', '0:02.50']
    for text, end in (('0:04,5', 2.5), ('0:03', 3), ('0:02.50', 2.5)):
        page.js(f'Object.assign(document.querySelectorAll("#marks input")[1], {{value: "{text}"}}).dispatchEvent('
                'new Event("change"))')
        assert page.js('mine().marks[0].end') == end
    page.press('2')
    assert page.js('mine().marks[0].grade') == 2
    page.press(Keys.ESCAPE, '0')
    assert page.js('mine().grade') == 0
    page.press('u')
    assert page.js('done(mine())') is False
    page.press('1')
    assert page.js('$("progress").textContent') == '2 of 2 judged'
    page.press('u')
    assert page.js('$("status").textContent') == 'All units are judged: save the file.'
    page.driver.find_element('id', 'assessor').send_keys('Ann B.')
    page.driver.find_element('tag name', 'h2').click()
    page.press('s')
    saved = downloads / 'judgements-Ann-B..json'
    for _ in range(100):
        if saved.exists():
            break
        time.sleep(.05)
    assert sorted(tuple(row) for row in formats.read_qrels(saved, 'judgements')) == [
        ('q', 'talk#t=1,2', 0, 'Ann%20B.'), ('q', 'talk#t=2,2.5', 2, 'Ann%20B.'), ('q', 'talk#t=2.5,5', 0, 'Ann%20B.'),
        ('q', 'talk#t=6,8', 1, 'Ann%20B.')]


def test_keys_before_a_recording_is_there(shown: Callable[..., Shown]) -> None:
    page = shown(TALKS)
    page.until('tasks[state.at].start === 1 || (turn(1), false)')
    page.js('player = {readyState: 0, currentTime: 0, pause() {}}')
    page.js('step(1, false)')
    assert page.js('position()') == page.js('within(task().start + 5)')


def test_what_is_judged_stays_in_the_browser_and_comes_back_from_a_file(
        shown: Callable[..., Shown], tmp_path: Path) -> None:
    page = shown(RUN[2:], docs={'doc': TEXT})
    for _ in range(5):  # just started on a busy machine, the browser itself may lose what a page gave it
        page.press('2')
        page.until('JSON.parse(localStorage.getItem(KEPT))?.judged[0].grade === 2')  # it is told of a key later, too
        page.driver.refresh()
        if page.js('state.judged')[0]['grade'] is not None:
            break
    assert page.js('state.judged') == [{'grade': 2, 'marks': []}]
    content = page.js('content()')
    page.js('localStorage.clear()')
    page.driver.refresh()
    assert page.js('state.judged') == [{'grade': None, 'marks': []}]
    for name, written, status in (
            ('file.json', json.dumps({**content, 'assessor': 'Ben'}), 'Loaded: 1 units.'),
            ('other.json', json.dumps({'judgements': [{'query_id': 'q', 'unit': 'x', 'grade': 1, 'marks': []}]}),
             'Loaded: 0 units; 1 are not of this page.'),
            ('broken.json', '{', 'broken.json is not a file of judgements of this page.')):
        (tmp_path / name).write_text(written)
        page.driver.find_element('id', 'file').send_keys(str(tmp_path / name))
        page.until(f'$("status").textContent === {status!r}')
        assert page.js('state.judged') == [{'grade': 2, 'marks': []}]
    assert page.js('$("assessor").value') == 'Ben'


def test_the_page_knows_no_runs_and_ranks(shown: Callable[..., Shown]) -> None:
    page = shown(docs={'talk': LINES, 'doc': TEXT})
    source = page.js('document.documentElement.outerHTML')
    assert 'secret' not in source and 'rank' not in source
    assert '://' not in source  # it asks nobody for anything
