"""Pages in headless Chromium."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats, sample
from ir_segmeasures.study.view import page

CHROMIUM, DRIVER = shutil.which('chromium'), shutil.which('chromedriver')
FLAGS = ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
         '--window-size=1200,900', '--disable-background-networking', '--disable-component-update',
         '--disable-sync', '--autoplay-policy=no-user-gesture-required')


@pytest.fixture(scope='module')
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp('downloads')


@pytest.fixture(scope='module')
def chromium(tmp_path_factory: pytest.TempPathFactory, downloads: Path) -> Iterator[Any]:
    from selenium import webdriver
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ''
    for flag in (*FLAGS, f'--user-data-dir={tmp_path_factory.mktemp("profile")}'):
        options.add_argument(flag)
    options.add_experimental_option('prefs', {'download.default_directory': str(downloads)})
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


class Shown:
    """A page in the browser."""

    def __init__(self, driver: Any):
        self.driver = driver

    def js(self, expression: str) -> Any:
        return self.driver.execute_script(f'return {expression}')

    def texts(self, selector: str) -> list[str]:
        return self.js(f'[...document.querySelectorAll({selector!r})].map(e => e.textContent)')

    def count(self, selector: str) -> int:
        return len(self.texts(selector))

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def until(self, expression: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait
        WebDriverWait(self.driver, 10, .05).until(lambda _: self.js(expression))

    def click(self, selector: str) -> None:
        self.js(f'document.querySelector({selector!r}).click()')

    def ready(self) -> 'Shown':
        from selenium.webdriver.support.ui import WebDriverWait
        WebDriverWait(self.driver, 10).until(lambda _: self.js('document.documentElement.dataset.ready'))
        return self

    @property
    def chosen(self) -> list[str]:
        return self.js('[...document.querySelectorAll(".bar.chosen")].map(e => e.dataset.run + ":" + e.dataset.rank)')

    @property
    def errors(self) -> list[Any]:
        return self.driver.get_log('browser')


@pytest.fixture
def opened(chromium: Any) -> Iterator[Callable[[Path], Shown]]:
    """Opens a page of a file."""
    def opened(path: Path) -> Shown:
        chromium.get_log('browser')
        chromium.get(path.as_uri())
        return Shown(chromium)
    yield opened
    assert chromium.get_log('browser') == []


@pytest.fixture
def shown(opened: Callable[[Path], Shown], tmp_path: Path) -> Callable[..., Shown]:
    def shown(*args: Any, **kwargs: Any) -> Shown:
        path = tmp_path / 'page.html'
        path.write_text(page(*args, **kwargs), encoding='utf-8')
        return opened(path).ready()
    return shown


@pytest.fixture
def film(tmp_path: Path) -> str:
    """The address of a video of nine seconds with a tone, whose document is ``talk``."""
    if shutil.which('ffmpeg') is None:
        pytest.skip('ffmpeg, which makes the video, is not installed')
    subprocess.run(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10:duration=9', '-f',
                    'lavfi', '-i', 'sine=duration=9', '-c:v', 'libvpx', '-c:a', 'libopus', tmp_path / 'talk.webm'],
                   check=True)
    return '{document}.webm'


@pytest.fixture
def spoken(shown: Callable[..., Shown]) -> Shown:
    runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
    return shown(formats.read_qrels(sample.path('qrels.txt')), runs, ('T2I_MAP', 'MAiSP', 'MAgP', 'ESL(D=2900)'),
                 queries={query.query_id: query.text for query in sample.queries()}, media='videos/{document}.mp4')
