"""The pages as a reader sees them: built by the documented command, with their contents beside them, on any screen."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.pages
pytest.importorskip('sphinx')
pytest.importorskip('furo')
ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / 'ir_segmeasures' / 'pt_docs'
NAMES = [path.relative_to(PAGES).with_suffix('').as_posix() for path in sorted(PAGES.rglob('*.rst'))]
CHROMIUM, DRIVER = shutil.which('chromium'), shutil.which('chromedriver')
PHONE = 390  # CSS pixels


@pytest.fixture(scope='module')
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as the command of "contributing" builds them, in a folder where nothing else is written."""
    command, = re.findall(r'^   (sphinx-build .*)$', (PAGES / 'contributing.rst').read_text(encoding='utf-8'), re.M)
    checkout: Path = tmp_path_factory.mktemp('checkout')
    for name in ('ir_segmeasures', 'tests'):
        (checkout / name).symlink_to(ROOT / name, target_is_directory=True)
    environment = {**os.environ, 'PATH': f'{Path(sys.executable).parent}{os.pathsep}{os.environ["PATH"]}',
                   'PYTHONPATH': str(ROOT), 'PYTHONWARNINGS': 'ignore'}
    done = subprocess.run(command, shell=True, cwd=checkout, env=environment, capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stderr) == (0, '')
    return checkout / command.split()[-1]


def test_every_page_is_built(site: Path) -> None:
    assert [name for name in NAMES if not (site / f'{name}.html').is_file()] == []


def test_the_navigation_has_every_page_once_tasks_first(site: Path) -> None:
    sidebar = (site / 'index.html').read_text(encoding='utf-8').partition('sidebar-tree')[2].partition('</aside>')[0]
    found = [name for name in re.findall(r'href="([^"#]*)\.html"', sidebar) if not name.startswith('measures/')]
    assert found[:7] == ['start', 'recordings', 'moments', 'answers', 'chunks', 'campaigns', 'track']
    assert found[-2:] == ['changes', 'contributing']
    assert sorted(found) == sorted(name for name in NAMES if name != 'index' and not name.startswith('measures/'))
    captions = re.findall(r'<span class="caption-text">(.*?)</span>', sidebar)
    assert captions == ['What you want to do', 'Measures', 'Reference', 'More']


@pytest.mark.parametrize('name', ['recordings', 'measures/t2i', 'transformers'])
def test_the_contents_of_a_page_stand_beside_it(site: Path, name: str) -> None:
    contents = (site / f'{name}.html').read_text(encoding='utf-8').partition('class="toc-tree"')[2]
    heading = re.findall(r'^(.+)\n-{3,}$', (PAGES / f'{name}.rst').read_text(encoding='utf-8'), re.M)
    assert heading and all(f'>{title}</a>' in contents for title in heading)


@pytest.fixture(scope='module')
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip('selenium.webdriver', reason='selenium, which drives the browser, is not installed')
    if not (CHROMIUM and DRIVER):
        pytest.skip('chromium and chromedriver (Debian: chromium, chromium-driver) are not installed')
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
                 '--disable-background-networking', '--disable-component-update', '--disable-sync',
                 f'--user-data-dir={tmp_path_factory.mktemp("profile")}'):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
        'width': PHONE, 'height': 844, 'deviceScaleFactor': 1, 'mobile': True})
    yield driver
    driver.quit()


def test_no_page_is_wider_than_a_phone(site: Path, phone: Any) -> None:
    wider = {}
    for path in sorted(site.rglob('*.html')):
        phone.get(path.as_uri())
        width = phone.execute_script('return document.documentElement.scrollWidth')
        if width > PHONE:
            wider[path.relative_to(site).as_posix()] = width
    assert wider == {}
