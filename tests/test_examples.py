"""Every example runs as it stands and prints what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / 'examples').glob('*.py'))


@pytest.mark.parametrize('example', EXAMPLES, ids=lambda path: path.stem)
def test_example(example: Path, tmp_path: Path) -> None:
    result = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, '')
    assert len(result.stdout.splitlines()) >= 10


def test_there_are_examples() -> None:
    assert EXAMPLES
