"""What the shell is told when somebody presses the tabulator key."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip('argcomplete')


@pytest.mark.parametrize(('line', 'words', 'exact'), [
    ('ir_segmeasures com', ['compare'], True),
    ('ir_segmeasures evaluate --qrels-format sh', ['sh-anchoring', 'sh-known-item', 'sh-linking', 'sh-search'], True),
    ('ir_segmeasures compare --corr', ['--correction'], True),
    ('ir_segmeasures compare --test ', ['randomisation', 't'], True),
    ('ir_segmeasures study s', ['sensitivity'], True),
    ('ir_segmeasures evaluate q r -m MAi', ['MAiP', 'MAiSP'], False),
    ('ir_segmeasures compare q r -m MAgP -m nD', ['nDCG'], False),
    ('ir_segmeasures measures MAg', ['MAgP'], True),
])
def test_words(line: str, words: list[str], exact: bool, tmp_path: Path) -> None:
    out = tmp_path / 'words'
    environment = {'_ARGCOMPLETE': '1', 'COMP_LINE': line, 'COMP_POINT': str(len(line)), 'COMP_TYPE': '9',
                   '_ARGCOMPLETE_IFS': '\n', '_ARGCOMPLETE_STDOUT_FILENAME': str(out)}
    result = subprocess.run([sys.executable, '-m', 'ir_segmeasures'], env={**os.environ, **environment}, cwd=tmp_path,
                            capture_output=True, check=False)
    assert (result.stdout, result.stderr) == (b'', b'')
    found = {word.strip() for word in out.read_text().split('\n')}
    assert found == {*words} if exact else found >= {*words}
