"""Downloads from servers that cut short, redirect, stall or lie: the file, or a clear error and nothing in the cache.
"""

import hashlib
import http.server
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures.datasets.base import CampaignFile

CONTENT = b'v1 00:00:30\nv2 00:01:00\n' * 20_000
HALF = len(CONTENT) // 2
MD5 = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as the path says."""
    asked: list[str] = []

    def answer(self, body: bytes, length: int, code: int = 200, **headers: str) -> None:
        self.send_response(code)
        self.send_header('Content-Length', str(length))
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        Handler.asked.append(self.path)
        if self.path == '/redirected':
            self.answer(b'', 0, 302, Location='/file')
        elif self.path == '/cut-short':
            self.answer(CONTENT[:HALF], len(CONTENT))
        elif self.path == '/stalls':
            self.answer(CONTENT[:HALF], len(CONTENT))
            self.wfile.flush()
            time.sleep(1)
        elif self.path == '/page':
            self.answer(b'<html>Not found</html>\n', 23)
        elif self.path == '/another':
            self.answer(CONTENT[::-1], len(CONTENT))
        else:
            self.answer(CONTENT, len(CONTENT))

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Starts a server and returns its address."""
    monkeypatch.setenv('IR_DATASETS_DL_TIMEOUT', '0.2')
    monkeypatch.setenv('IR_DATASETS_DL_TRIES', '2')
    monkeypatch.setenv('IR_DATASETS_DL_DISABLE_PBAR', 'true')
    monkeypatch.setenv('no_proxy', '*')
    Handler.asked = []
    servers = []

    def serve() -> str:
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.handle_error = lambda *args: None  # type: ignore[method-assign]  # of clients that go
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f'http://127.0.0.1:{server.server_port}'
    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def campaign(url: str) -> CampaignFile:
    return CampaignFile('campaign', 'videos.txt', MD5, url)


@pytest.mark.parametrize('path', ['/file', '/redirected'])
def test_the_file_arrives(path: str, serve: Callable[..., str], home: Path) -> None:
    file = campaign(serve() + path)
    assert Path(file.path()).read_bytes() == CONTENT
    assert len(Handler.asked) == (1 if path == '/file' else 2)
    assert [found.name for found in (home / 'campaign').rglob('*') if found.is_file()] == ['videos.txt']


@pytest.mark.parametrize('path', ['/cut-short', '/stalls', '/another'])
def test_it_does_not(path: str, serve: Callable[..., str], home: Path) -> None:
    url = serve() + path
    with pytest.raises(OSError) as caught:
        campaign(url).path()
    said = str(caught.value)
    assert said.startswith((f'{url} cannot be downloaded (', f'what came from {url} is not the file of the campaign ('))
    assert 'videos.txt yourself' in said
    assert '\n' not in said
    assert not [found for found in home.rglob('*') if found.is_file()]
    # What is right later is taken then.
    assert Path(campaign(url.replace(path, '/file')).path()).read_bytes() == CONTENT


def test_without_a_checksum(serve: Callable[..., str], home: Path) -> None:
    url = serve()
    for path, right in (('/page', False), ('/file', True)):
        file = CampaignFile('campaign', 'videos.txt', url=url + path,
                            read=lambda path: 'html' not in Path(path).read_text())
        if right:
            assert Path(file.path()).read_bytes() == CONTENT
        else:
            with pytest.raises(OSError, match=r'came from http://127.* is not the file of the campaign'):
                file.path()
            assert not [found for found in home.rglob('*') if found.is_file()]
