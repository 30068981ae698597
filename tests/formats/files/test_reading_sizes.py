"""Files that are too large: one sentence about their size."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ir_segmeasures.formats import FORMATS
from ir_segmeasures.formats.files import reading
from ir_segmeasures.formats.files.reading import FormatError


def test_a_small_file_that_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, 'LARGEST', 1 << 20)
    path = tmp_path / 'file.gz'
    path.write_bytes(gzip.compress(b'q 0 v#t=0,1 1\n' * 2_000_000))
    for read in (FORMATS['trec'].read_qrels, FORMATS['genomics'].read_qrels, FORMATS['trecvid-2001'].read_qrels):
        with pytest.raises(FormatError) as caught:
            read(path)
        assert caught.value.sentence == (
            'the file unpacks to more than 0.000977 GiB, more than 100 times its size, as no judgements and no run do: '
            'if it is right, unpack it before')


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
    assert re.fullmatch(r'the file does not fit into memory, which was full after [0-9.]+ GiB of it'
                        r': give it in parts\n', found.stdout), found.stderr
