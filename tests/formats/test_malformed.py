"""Malformed inputs that were read with another meaning, or ended in the error of another program: one sentence each."""

import gzip
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures.formats import FORMATS
from ir_segmeasures.formats.files import reading
from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.mediaeval.lists import read_videos
from ir_segmeasures.formats.trecvid.shot_tables import read_eastenders, read_iacc

NUL = 'there is a NUL byte inside the file, which is no text of any field (take it out, or convert the text to UTF-8)'
MARK = ('there is a byte order mark inside the file, which is no text of any field (take it out; files that are joined '
        'have them)')
POINT = ('cannot be read, but times are hours:minutes:seconds:nFm, where n of m parts of a second follow the seconds '
         '(16 and 4484/30000 seconds is T00:00:16:4484F30000)')
TEXT = "is not 'begin end' in whole frames, but the text before the first shot has words (correct it, or take it out)"


def iacc(path: Path) -> Any:
    return read_iacc(path, 25)


@pytest.mark.parametrize('read, text, line, sentence', [
    (FORMATS['inex-fol'].read_qrels, '2010001 Q0 13 0 80\n5 10:20\n', 2, 'the line has 2 fields, but a line of FOL '
     'judgements has 5, or at least 7 if it is relevant: topic Q0 docid rsize docsize [bep off:len off:len …] (add or '
     'remove fields; white space inside an id splits it)'),
    (read_videos, 'v1 00:00:30\nv2 00:00:30\nv1 00:01:00\n', 3,
     "'v1' stands on line 1 already, but each video has one line (remove one)"),
    (iacc, '0 1O\n11 20\n', 1, f"the line '0 1O' {TEXT}"),
    (iacc, '0,10\n11 20\n', 1, f"the line '0,10' {TEXT}"),
    (read_eastenders, '5 1 T00:99:00:00F25 T00:99:10:00F25\n', 1, f"time 'T00:99:00:00F25' {POINT}"),
    (read_eastenders, '5 1 T00:00:99:00F25 T00:01:50:00F25\n', 1, f"time 'T00:00:99:00F25' {POINT}"),
    (read_eastenders, '5 1 T00:00:00:26F25 T00:01:50:00F25\n', 1, f"time 'T00:00:00:26F25' {POINT}"),
    *((FORMATS['trec'].read_qrels, text, line, sentence) for text, line, sentence in (
        ('q1 0 v#t=0,1 1\n\ufeffq2 0 v#t=0,1 1\n', 2, MARK),
        ('q1 0 v#t=0,1 1\nq2 0 v\0#t=0,1 1\n', 2, NUL),
        ('\0', 1, NUL))),
])
def test_the_sentence(read: Callable[[Path], Any], text: str, line: int, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text(text, encoding='utf-8')
    with pytest.raises(FormatError) as caught:
        read(path)
    assert (caught.value.line, caught.value.sentence) == (line, sentence)


@pytest.mark.parametrize('measure, sentence', [
    ('', 'there is no measure: name one or more'), ("T2I_AP(**{'tau':1})", "T2I_AP(**{'tau':1}): ")])
def test_measures_of_the_command(measure: str, sentence: str, tmp_path: Path, run: Any) -> None:
    result = run('evaluate', tmp_path / 'qrels', tmp_path / 'run', measure)
    assert (result.code, result.out) == (2, '')
    assert sentence in result.err


def test_a_small_file_that_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, 'LARGEST', 1 << 20)
    path = tmp_path / 'file.gz'
    path.write_bytes(gzip.compress(b'q 0 v#t=0,1 1\n' * 2_000_000))
    for read in (FORMATS['trec'].read_qrels, FORMATS['genomics'].read_qrels, FORMATS['trecvid-2001'].read_qrels):
        with pytest.raises(FormatError) as caught:
            read(path)
        assert caught.value.sentence == (
            'the file unpacks to more than 0.000977 GiB, more than 100 times its size, as no judgements and no run do '
            '(if it is right, unpack it before)')


@pytest.mark.skipif(sys.platform != 'linux', reason='limits the memory of a process as Linux does')
def test_a_file_that_is_larger_than_the_memory(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    with path.open('wb') as file:
        file.truncate(1 << 30)  # none of it on the disk
    found = subprocess.run([sys.executable, '-c', (
        'import resource, sys; from ir_segmeasures.formats import read_qrels, FormatError\n'
        'most = (256 << 20) + resource.getpagesize() * int(open("/proc/self/statm").read().split()[0])\n'
        'resource.setrlimit(resource.RLIMIT_AS, (most, most))\n'
        'try: read_qrels(sys.argv[1])\n'
        'except FormatError as error: print(error.sentence)'), str(path)], capture_output=True, text=True)
    assert re.fullmatch(r'the file does not fit into memory, which was full after [0-9.]+ GiB of it '
                        r'\(give it in parts\)\n', found.stdout), found.stderr
