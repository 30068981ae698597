"""The page in headless Chromium: it draws itself without an error, sorts, and goes by keys."""

import shutil
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import formats, sample

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


def test_documents_are_drawn_when_they_come_into_sight(shown: Callable[..., Shown]) -> None:
    run = [ScoredDoc('q', f'd{i}#t=0,10', -i) for i in range(1000)]
    many = shown([Qrel('q', 'd3#t=0,5', 1)], {'a': run})
    assert many.count('.document') == 1000
    assert 0 < many.count('.bar') < 100
    many.js('$("query").scrollTo(0, $("query").scrollHeight)')
    many.driver.implicitly_wait(2)
    assert many.driver.find_element('css selector', '.bar[data-rank="1000"]')


def test_queries_are_sorted_by_measure_and_difference(spoken: Shown) -> None:
    def order() -> list[int]:
        rows = spoken.js('[...document.querySelectorAll("#list tbody tr")].map(e => e.dataset.query)')
        return [int(row) + 1 for row in rows]

    assert order() == list(range(1, 11))
    spoken.click('#list th button[data-sort="0"]')
    values = spoken.js('head.values[0][0]')
    assert order() == sorted(range(1, 11), key=lambda query: -values[query - 1])
    spoken.press('d')
    differences = [b - a for a, b in zip(*spoken.js('head.values[0]'))]
    assert order() == sorted(range(1, 11), key=lambda query: -differences[query - 1])
    spoken.press('d')
    assert order() == sorted(range(1, 11), key=lambda query: differences[query - 1])
    assert spoken.js('document.querySelector("#list th[aria-sort]").getAttribute("aria-sort")') == 'ascending'


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


def test_a_video_with_sound(shown: Callable[..., Shown], film: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait
    page = shown([Qrel('q', 'talk#t=1,5', 1)], {'run': [ScoredDoc('q', 'talk#t=2,4', 1)]}, media=film)
    page.press('1')
    page.driver.find_element('id', 'play').click()
    wait = WebDriverWait(page.driver, 10)
    wait.until(lambda _: page.js('video.currentTime > 2.2 && video.webkitAudioDecodedByteCount > 0'))
    assert page.js('[video.videoWidth, video.videoHeight, video.classList.contains("sound")]') == [160, 90, False]
    assert page.count('.canvas .playhead') == 1
    wait.until(lambda _: page.js('video.paused'))  # where the item ends
    assert page.js('video.currentTime') == pytest.approx(4, abs=.3)
    page.js('seek({doc: played}, 7)')
    wait.until(lambda _: page.js('!video.seeking && video.currentTime') == 7)


def test_recordings_have_the_names_that_ids_stand_for(shown: Callable[..., Shown]) -> None:
    page = shown([Qrel('q', 'my%20talk#t=1,5', 1), Qrel('q', '50%#t=1,5', 1)],
                 {'run': [ScoredDoc('q', 'my%20talk#t=2,4', 2), ScoredDoc('q', '50%#t=2,4', 1)]},
                 media='videos/{document}.mp4')
    for key, name in (('1', 'my%20talk'), ('l', '50%25')):
        page.press(key)
        assert page.js('document.querySelector("#item a").getAttribute("href")') == f'videos/{name}.mp4#t=2,4'


def test_a_pointer_that_rests_does_not_choose(spoken: Shown) -> None:
    from selenium.webdriver import ActionChains
    bar = spoken.driver.find_element('css selector', '.bar[data-run="1"][data-rank="1"]')
    ActionChains(spoken.driver).move_to_element(bar).perform()
    assert spoken.chosen == ['1:1']
    for rank in range(2, 12):  # the page scrolls below the pointer
        spoken.press('l')
        spoken.js('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
        assert spoken.chosen == [f'1:{rank}']


def test_explanations_lead_to_their_items(spoken: Shown) -> None:
    spoken.press('w')
    assert spoken.texts('.whys section:first-child .steps tbody tr td:nth-last-child(2)') == ['1/1 = 1.0000',
                                                                                              '2/5 = 0.4000']
    assert spoken.texts('.whys section:first-child .steps tbody tr td:last-child') == ['0.5000', '0.2000']
    spoken.click('.whys section:first-child .steps tbody tr:last-child')
    assert spoken.chosen == ['0:5']


def test_every_kind_of_explanation_is_drawn(shown: Callable[..., Shown]) -> None:
    measures = ["T2I_MAP(tau='5:15:5')", 'SegIoU', 'MAiSP', 'MAgP', 'ESL(D=2900)', 'T2I_MAP(keepviewing=True)@3',
                'AiP', 'AP_over', 'AP_bin(bin=30)', 'ASP']
    qrels, run = formats.read_qrels(sample.path('qrels.txt')), formats.read_run(sample.path('good.run'))
    every = shown(qrels, {'good': run}, measures)
    every.press('w')
    heads = []
    for _ in measures:
        heads.append(every.texts('.steps th:last-child'))
        assert (every.count('.steps tbody tr') > 0) == bool(heads[-1])
        assert every.count('.steps thead th') * every.count('.steps tbody tr') == every.count('.steps tbody td')
        assert 'undefined' not in ''.join(every.texts('.steps'))
        every.press('m')
    assert heads == [['adds'], [], ['adds'], ['adds'], ['timeouts'], ['adds'], *[['adds']] * 4]
    every.press('l', 'l', 'l')  # of the measure without one user, the first that has one
    assert every.texts('#item .story')[0].startswith('ESL(D=2900): the user enters')
    every.press('k')
    every.js('setMeasure(5)')
    every.js('goTo(0, 4)')
    assert every.texts('#item .story') == ['T2I_MAP(keepviewing=True)@3: the user does not come this far.']


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


def test_what_an_item_adds_to_the_value(spoken: Shown) -> None:
    spoken.press('1')
    assert spoken.texts('#item .adds') == ['1 hit in 1 item is 1.0000: adds 0.5000 to the 0.7000 of T2I_MAP.']
    spoken.press('l')
    assert spoken.texts('#item .adds') == ['No hit: adds 0 to the 0.7000 of T2I_MAP.']
    spoken.press('m')
    assert spoken.texts('#item .adds') == ['After it 43.4 s of 51.1 s watched are relevant and new, 0.8493 at recall '
                                           '0.4812: adds 0.2523 to the 0.7904 of MAiSP.']
    spoken.press('m')
    assert spoken.texts('#item .adds')[0].startswith('Its document has P 0.5243, R 0.8248, F 0.6411; gP there is 0.64')
    spoken.press('m')  # ESL is no sum
    assert spoken.texts('#item .adds') == ['No hit.']
    assert spoken.js('document.querySelector(".values td").title').startswith('The user finds 2 of 2 relevant spans.')


def test_what_is_said_beside_a_recording(shown: Callable[..., Shown]) -> None:
    lines: dict[str, list[tuple[float, float, str]]] = {}
    for line in sample.transcripts():
        lines.setdefault(line.doc_id, []).append((line.start, line.end, line.text))
    beside = shown(formats.read_qrels(sample.path('qrels.txt')), {'good': formats.read_run(sample.path('good.run'))},
                   docs=lines, media='videos/{document}.mp4')
    beside.press('1', 'l')
    inside = [text for start, end, text in lines['bees-01'] if start < 76.4 and end > 50.6]
    assert beside.texts('#item .line mark.is-new') == inside
    assert beside.count('#item .line') == len(inside) + 2  # one before and one after
    assert beside.js('document.querySelectorAll("#item .line a")[1].getAttribute("href")').startswith(
        'videos/bees-01.mp4#t=')
    beside.click('.document header button')
    assert beside.texts('.document .line > span:last-child') == [text for _, _, text in lines['bees-01']]
    judged = [text for start, end, text in lines['bees-01'] if start < 94 and end > 31.2]
    assert beside.texts('.document .line mark.is-relevant') == judged
    beside.click('.document header button')
    assert beside.count('.document .line') == 0


def test_hostile_names_stay_text(shown: Callable[..., Shown]) -> None:
    document = HOSTILE.replace('\u2028', '').replace('"', "'").replace(' ', '_')
    query = HOSTILE.replace('\u2028', '')
    hostile = shown([Qrel(query, f'{document}#t=0,9', 1)], {HOSTILE: [ScoredDoc(query, f'{document}#t=3,12', 1)]},
                    queries={query: HOSTILE}, title=HOSTILE, media='videos/{document}')
    hostile.press('1', 'w')
    assert hostile.js('document.title') != 'owned'
    assert hostile.count('img') == 0
    assert hostile.texts('#query h2') == [query]
    assert hostile.texts('.document h3') == [document]
    assert '<' not in hostile.js('document.querySelector("#item a").getAttribute("href")')


def test_long_names_leave_room_for_the_page(shown: Callable[..., Shown]) -> None:
    name = 'n' * 200
    long = shown([Qrel(name, f'{name}#t=0,9', 1)], {f'{name}{run}': [ScoredDoc(name, f'{name}#t=3,12', 1)]
                                                    for run in range(3)}, title=name)
    long.press('1')
    assert long.js('document.querySelector("header").offsetHeight') < 120
    assert long.js('$("query").scrollWidth <= $("query").clientWidth')
    assert long.js('document.querySelector("#list tbody tr").offsetHeight') < 60


def test_rows_are_those_of_the_other_pictures(spoken: Shown) -> None:
    from ir_segmeasures import SegmentTable
    from ir_segmeasures.study.view.timelines import build_timelines, stack
    qrels = SegmentTable.from_qrels(formats.read_qrels(sample.path('qrels.txt')))
    runs = {name: SegmentTable.from_run(formats.read_run(sample.path(f'{name}.run'))) for name in ('good', 'poor')}
    query = build_timelines(qrels, runs).queries[0]
    spoken.js('document.querySelectorAll(".document").forEach(drawDocument)')
    width = spoken.js('document.querySelector(".canvas").clientWidth')
    drawn = spoken.js('[...document.querySelectorAll(".bar")].map(e => [+e.closest(".document").dataset.doc, '
                      '+e.dataset.run, +e.dataset.rank, parseInt(e.style.top) / 22])')
    expected = [[document.document, run, item.rank, row] for document in query.documents()
                for run, items in enumerate(document.runs) for item, row, _ in stack(items, document.extent, width)]
    assert sorted(drawn) == sorted(expected) and max(row for *_, row in expected) > 0
    assert spoken.js('[...document.querySelectorAll(".document")].map(e => +e.dataset.doc)') == [
        document.document for document in query.documents()]
    assert spoken.js('Object.fromEntries([...now.documents.values()].map(e => [e.doc, e.extent]))') == {
        str(document.document): pytest.approx(document.extent) for document in query.documents()}


@pytest.mark.parametrize('zoom', [0, 1])
def test_no_number_is_cut_off_or_behind_another(shown: Callable[..., Shown], zoom: int) -> None:
    # Documents of many lengths, with short items close to their ends.
    run = [ScoredDoc('q', f'd{end}#char={start},{start + 2_000}', -start) for end in range(400_000, 800_000, 20_000)
           for start in range(end - 90_000, end - 1_000, 9_000)]
    many = shown([Qrel('q', 'd400000#char=5,9', 1)], {'a': run})
    many.press(*'+' * zoom)
    many.js('document.querySelectorAll(".document").forEach(drawDocument)')
    boxes = ('[...document.querySelectorAll("%s")].map(e => [e.closest(".canvas"), e.textContent, '
             'e.getBoundingClientRect()]).map(([canvas, text, box]) => [text, box.top, box.left, box.right, '
             'canvas.getBoundingClientRect().right])')
    ranks, marks = many.js(boxes % '.bar b'), many.js(boxes % '.ruler span')
    assert len(ranks) == len(run) and len(marks) > 100
    assert [text for text, *_, right, edge in ranks + marks if text and right > edge + 1] == []
    rows = sorted(box[1:] for box in ranks)
    assert all(top != below or right <= left for (top, _, right, _), (below, left, *_) in pairwise(rows))


def test_a_phone_shows_the_list_or_the_query(spoken: Shown) -> None:
    metrics = {'width': 390, 'height': 844, 'deviceScaleFactor': 1, 'mobile': True}
    spoken.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', metrics)
    try:
        spoken.driver.refresh()
        spoken.js('document.body.className = "at-list"')
        assert spoken.js('$("query").clientHeight') == 0
        spoken.click('#list tbody tr:nth-child(2)')
        assert spoken.js('$("list").clientHeight') == 0
        assert spoken.texts('#query h2') == ['q2']
        assert spoken.js('document.documentElement.scrollWidth') <= 390
        assert spoken.js('$("query").scrollWidth <= $("query").clientWidth')
        assert spoken.js('document.querySelector(".tools .legend").offsetHeight') > 0
        spoken.click('.back')
        assert spoken.js('$("query").clientHeight') == 0
    finally:
        spoken.driver.execute_cdp_cmd('Emulation.clearDeviceMetricsOverride', {})


def test_quoted_judgements_are_marked_in_the_text_and_the_others_listed(shown: Callable[..., Shown]) -> None:
    page = shown([Qrel('q', 'd#char=13,23', 1)], {'a': [ScoredDoc('q', 'd#char=0,18', 1)]}, ['SegR'],
                 docs={'d': 'In the hive, bees dance. They sleep.'}, unlocated=[HOSTILE, 'quote 2'])
    page.click('article .reading, article button')
    assert page.texts('pre mark') == ['In the hive, ', 'bees ', 'dance']
    assert page.js('[...document.querySelectorAll("pre mark")].map(e => e.className)') == [
        'retrieved', 'is-relevant retrieved', 'is-relevant']
    assert page.texts('#unlocated li') == [HOSTILE, 'quote 2']
    assert page.js('document.title') == 'Runs and judgements'


def test_zooming_draws_what_is_seen(shown: Callable[..., Shown]) -> None:
    from selenium.webdriver.support.ui import WebDriverWait
    qrels = [Qrel('q', f'v{k}#t=0,60', 1) for k in range(60)]
    run = [ScoredDoc('q', f'v{k}#t={10 * i},{10 * i + 30}', -60 * i - k) for k in range(60) for i in range(5)]
    many = shown(qrels, {'mine': run}, ['T2I_AP'])
    many.js('[...document.querySelectorAll("article.document")].forEach(drawDocument)')  # as if scrolled through
    assert many.js('drawn.size') == 60
    many.press('+')
    assert 0 < many.js('drawn.size') < 30
    last = 'document.querySelector("article.document:last-of-type")'
    many.js(f'{last}.scrollIntoView()')
    WebDriverWait(many.driver, 5).until(lambda _: many.js(f'{last}.querySelector(".canvas").style.width') == '200%')
    assert many.js(f'{last}.querySelector(".scroller").scrollLeft') > 0  # the same middle
    assert many.errors == []
