"""Files that are too large: one sentence about their size."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures.formats import read_transcript


@pytest.mark.skipif(sys.platform != 'linux', reason='limits the memory of a process as Linux does')
def test_a_file_that_is_larger_than_the_memory(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    with path.open('wb') as file:
        for place in range(0, 1 << 30, 1 << 16):  # most of it not on the disk
            file.seek(place)
            file.write(b'\n')
    found = subprocess.run([sys.executable, '-c', (
        'import resource, sys; from ir_segmeasures.formats import read_qrels, FormatError\n'
        'most = (256 << 20) + resource.getpagesize() * int(open("/proc/self/statm").read().split()[0])\n'
        'resource.setrlimit(resource.RLIMIT_AS, (most, most))\n'
        'try: read_qrels(sys.argv[1])\n'
        'except FormatError as error: print(error.sentence)'), str(path)], capture_output=True, text=True)
    assert found.stdout == 'the file does not fit into memory: give it in parts\n', found.stderr


@pytest.mark.parametrize('tag', ['<', '<v ', '<v.a'])
def test_tags_without_end_take_no_time(tag: str, tmp_path: Path) -> None:
    path = tmp_path / 'talk.vtt'
    path.write_text(f'WEBVTT\n\n00:00.000 --> 00:04.500\n<v Ann>{tag * 200_000}\n')
    line, = read_transcript(path)
    assert (line.speaker, line.text[0]) == ('Ann', '<')


@pytest.mark.parametrize('scores, said', [('{falling}', ''), ('{rank}', 'contradict the scores'), ('{tied}', 'ties')])
def test_runs_of_all_sizes_are_warned_of_alike(scores: str, said: str, tmp_path: Path, run: Any) -> None:
    """A few hundred lines and some megabytes: the same sentences, also with --strict."""
    qrels = tmp_path / 'qrels'
    qrels.write_text(''.join(f'q{query} 0 v{query}#t=0,10 1\n' for query in range(30)))
    found = []
    for items in (20, 4000):
        path = tmp_path / 'run'
        path.write_text(''.join(
            f'q{query} Q0 v{query + k}#t={k % 90},{k % 90 + 20} {k + 1} '
            f'{scores.format(falling=items - k, rank=k, tied=-(k // 5))} some-system-with-a-name\n'
            for query in range(30) for k in range(items)))
        result = run('evaluate', qrels, path, 'T2I_MAP(tau=15)', '--strict')
        found.append((result.code, re.sub('[0-9.,]+', '0', result.err)[:40]))
    assert found[0] == found[1]
    assert found[0][0] == (1 if said == 'contradict the scores' else found[0][0])
