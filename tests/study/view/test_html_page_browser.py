"""The page in headless Chromium: it draws itself without an error, sorts, and goes by keys."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

pytest.importorskip('jinja2')
pytest.importorskip('selenium', reason='selenium, which drives the browser, is not installed')
pytestmark = [pytest.mark.pages, pytest.mark.skipif(
    not (shutil.which('chromium') and shutil.which('chromedriver')),
    reason='chromium and chromedriver (Debian: chromium, chromium-driver) are not installed')]
HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=document.title="owned"><!--\u2028'
Shown = Any  # a page in the browser, of the fixtures


def test_the_list_and_the_lanes_are_drawn(spoken: Shown) -> None:
    assert spoken.count('#list tbody tr') == 10
    assert spoken.texts('#query h2') == ['q1']
    assert spoken.texts('.values tbody td')[:2] == ['0.7000', '0.1250']
    first = 'document.querySelector(".document")'
    assert spoken.js(f'{first}.querySelector("h3").textContent') == 'bees-01'
    assert spoken.js(f'{first}.querySelectorAll(".lane").length') == 3
    # By the ids: good has the ranks 1, 2, 3 and 6 there, and the relevant span is 31.2-94.
    assert spoken.js(f'[...{first}.querySelectorAll(".bar[data-run=\\"0\\"]")].map(e => e.dataset.rank).sort()') == [
        '1', '2', '3', '6']
    # All three find new content; rank 1 is the first in the span, so that it alone is a hit.
    parts = spoken.js(f'[...{first}.querySelectorAll(".bar[data-run=\\"0\\"] .part")].map(e => [e.className, '
                      'e.closest(".bar").dataset.rank])')
    assert sorted(parts) == [['part continued', '2'], ['part continued', '3'], ['part new', '1']]
    assert spoken.js(f'[...{first}.querySelectorAll(".bar.hit[data-run=\\"0\\"]")].map(e => e.dataset.rank)') == ['1']
    left = spoken.js(f'parseFloat({first}.querySelector(".span.relevant").style.left)')
    extent = spoken.js('now.documents.get(0).extent')
    assert left == pytest.approx(31.2 / extent * 100, abs=0.01)


def test_keys(spoken: Shown) -> None:
    from selenium.webdriver.common.keys import Keys
    spoken.press('j', 'j')
    assert spoken.texts('#query h2') == ['q3']
    spoken.press('k', Keys.ARROW_DOWN, Keys.ARROW_UP, 'k', 'k')
    assert spoken.texts('#query h2') == ['q1']
    spoken.press(Keys.ARROW_RIGHT, 'l', Keys.ARROW_LEFT)
    assert spoken.chosen == ['0:1']
    spoken.press('2')
    assert spoken.chosen == ['1:1']
    spoken.press('+', '+')
    assert spoken.texts('#zoom') == ['4×']
    assert spoken.chosen == ['1:1']
    wide, seen = spoken.js('["scrollWidth", "clientWidth"].map(name => document.querySelector(".scroller")[name])')
    assert wide > 3 * seen
    spoken.press('0', 'r')
    assert spoken.count('.document') == 2
    spoken.press('m', 'w')
    assert spoken.js('document.querySelector("#why").open')
    assert spoken.texts('#why summary') == ['How MAiSP comes about']
    spoken.press('?')
    assert spoken.js('document.querySelector("#help").open')
    spoken.press(Keys.ESCAPE, Keys.ESCAPE)
    assert not spoken.js('document.querySelector("#help").open')
    assert spoken.js('document.querySelector("#item").hidden')


def test_what_is_empty_is_cut_out(shown: Callable[..., Shown]) -> None:
    run = [ScoredDoc('q', f'Ep%201#t={start},{start + 30}', -start) for start in (0, 1010, 4000)]
    page = shown([Qrel('q', 'Ep%201#t=1000,1030', 1)], {'a': run}, lengths={'Ep%201': 5400})
    assert page.texts('.document h3') == ['Ep 1'] and page.count('.canvas .gap') == 3
    edges = page.js('[...document.querySelectorAll(".bar")].map(bar => [bar.offsetLeft, bar.offsetWidth])')
    assert all(width > 20 for _, width in edges) and edges[0][0] < edges[1][0] < edges[2][0]
    page.press('s')
    assert page.count('.canvas .gap') == 0


def test_the_view_of_the_t2i_user(spoken: Shown) -> None:
    spoken.press('1')
    assert 'the user enters at 1:17.1, and is at once in 0:31.2–1:34, relevant and new.' in spoken.texts('#item')[0]
    assert spoken.count('.span.found') == spoken.count('.user.finds') == 1
    spoken.press('l')
    assert 'gives up at 1:05.6: the relevant span there was found before.' in spoken.texts('#item')[0]
    assert spoken.count('.span.found') == spoken.count('.user.finds') == 0
    assert spoken.count('.user') == 1
    link = spoken.js('document.querySelector("#item a").getAttribute("href")')
    assert link == 'videos/bees-01.mp4#t=50.6,76.4'


def test_passages_count_the_characters_of_python(shown: Callable[..., Shown]) -> None:
    text = 'a😀b cd\x85ef \ufeffgh ij'
    lines = shown([Qrel('q', 'd#line=2,3', 1)], {'a': [ScoredDoc('q', 'd#line=1,3', 1)]}, docs={'d': '1\n2\r\n3\r4'})
    lines.press('1')
    assert (lines.texts('#item .is-new'), lines.texts('#item .around')) == (['3\r'], ['1\n', '4'])
    for unit, start, end in (('char', 1, 4), ('word', 1, 4)):
        passage = text[start:end] if unit == 'char' else ' '.join(text.split()[start:end])
        shows = shown([Qrel('q', f'd#{unit}={start + 1},{end}', 1)],
                      {'a': [ScoredDoc('q', f'd#{unit}={start},{end}', 1)]}, docs={'d': text})
        shows.press('1')
        around = shows.texts('#item .around')
        whole = shows.texts('#item pre')[0]
        assert whole == text
        inside = whole[len(around[0]):len(whole) - len(around[1])]
        assert inside.replace('\x85', ' ') == passage
        new = text[start + 1:end] if unit == 'char' else ' '.join(text.split()[start + 1:end])
        assert shows.texts('#item .is-new') == [new]
        shows.click('.document header button')
        assert shows.texts('.document pre') == [text]


def test_a_budget_ends_where_the_lane_says(shown: Callable[..., Shown]) -> None:
    qrels = [Qrel('q', 'v#t=0,50', 1)]
    run = [ScoredDoc('q', f'v#t={start},{start + 20}', -start) for start in (0, 30, 60)]
    page = shown(qrels, {'a': run}, ('SegR(budget=30)', 'mIoU@2', 'MAiSP'))
    ends = '[...document.querySelectorAll(".lane .stop")].map(e => parseFloat(e.style.left))'
    pale = '[...document.querySelectorAll(".bar.behind")].map(e => e.dataset.rank)'
    assert page.js(ends) == [pytest.approx(40 / 80 * 100)]
    assert page.js(pale) == ['3']
    assert page.texts('#stop') == ['The user stops at the budget of 30 s: A at rank 2, 0:40. Pale items are not read.']
    page.press('m', 'w')
    assert (page.js(ends), page.js(pale)) == ([], ['3'])
    assert page.texts('#why th') == ['rank', 'document', 'segment', 'window', 'IoU', 'adds']
    page.press('m')
    assert (page.js(pale), page.count('#stop')) == ([], 0)
