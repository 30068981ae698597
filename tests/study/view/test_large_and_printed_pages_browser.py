"""The page in headless Chromium: large data, comparisons, recordings, paper, and what helps people to read it."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import formats, sample

pytest.importorskip('jinja2')
pytest.importorskip('selenium', reason='selenium, which drives the browser, is not installed')
pytestmark = [pytest.mark.pages, pytest.mark.skipif(
    not (shutil.which('chromium') and shutil.which('chromedriver')),
    reason='chromium and chromedriver (Debian: chromium, chromium-driver) are not installed')]
Shown = Any  # a page in the browser, of the fixtures


def sample_page(runs: int = 2) -> tuple[Any, dict[str, Any]]:
    """The judgements and runs of the sample collection; more runs than two have its items in other orders."""
    found = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
    for number in range(2, runs):
        found[f'other{number}'] = [row._replace(score=-row.score % number) for row in found['good']]
    return formats.read_qrels(sample.path('qrels.txt')), found


TEXTS = {query.query_id: query.text for query in sample.queries()}


def test_what_is_cut_is_said(shown: Callable[..., Shown]) -> None:
    judged = [Qrel('q', f'd#t={10 * place},{10 * place + 5}', 1) for place in range(400)]
    page = shown(judged, {'a': [ScoredDoc('q', f'd#t={rank / 1000},4000', -rank) for rank in range(120)]})
    assert page.texts('.cut') == ['The parts of items that are relevant are drawn for the first ranks alone, since '
                                  'there are too many (A: 50 of 120).']


CONTRAST = """
const [found, canvas] = [[], document.createElement('canvas').getContext('2d', {willReadFrequently: true})];
function rgb(colours) {  // one painted over the other
  canvas.clearRect(0, 0, 1, 1);
  for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
function luminance(rgb) {
  const [r, g, b] = rgb.map(value => value / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
}
for (const element of document.querySelectorAll('body *')) {
  const written = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  if (!written || !element.checkVisibility()) continue;
  const grounds = [];
  for (let e = element; e; e = e.parentElement) grounds.unshift(getComputedStyle(e).backgroundColor);
  const [a, b] = [rgb(grounds), rgb([...grounds, getComputedStyle(element).color])].map(luminance);
  const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (contrast < 4.5) found.push([contrast, element.outerHTML.slice(0, 200)]);
}
return found;
"""


@pytest.mark.parametrize('scheme', ['light', 'dark'])
class TestReadableByAll:
    @pytest.fixture
    def states(self, shown: Callable[..., Shown], scheme: str) -> Iterator[tuple[Shown, Iterator[None]]]:
        """The page, and an iterator that brings it from one state into the next."""
        lines = {name: [(10. * i, 10. * i + 10, f'line {i}') for i in range(12)] for name in ('bees-01', 'bees-03')}

        def states() -> Iterator[None]:
            yield
            page.press('w', '1', 'l', '+', '+')
            page.click('.document header button')
            yield
            page.press('0', 'b', 'l', '/', *'bees')
            yield
            page.js('$("help").showModal()')
            yield
        page = shown(*sample_page(3), queries=TEXTS, docs=lines, media='{document}.wav', unlocated=['quote 2'])
        page.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': [
            {'name': 'prefers-color-scheme', 'value': scheme}]})
        yield page, states()
        page.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': []})

    def test_contrast_and_heads(self, states: tuple[Shown, Iterator[None]]) -> None:
        page, steps = states
        for _ in steps:
            assert page.driver.execute_script(CONTRAST) == []
            assert '' not in [text.strip() for text in page.texts('th')]
