"""What the tests of the README and of the pages share: how their blocks are found and run."""

import doctest
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / 'README.md').read_text(encoding='utf-8')
ROOT_NAMES = ('pandas', 'pyterrier', 'pyterrier_pisa', 'ir_datasets', 'scipy', 'lxml', 'joblib', 'pyarrow')
# What a block is run with where it does not name it itself.
NEEDED_BY = {'ir_segmeasures.study': 'scipy', 'ir_segmeasures.datasets': 'ir_datasets', 'pyterrier': 'pandas',
             'define_byquery': 'pandas', 'evaluate_runs': 'joblib'}


def skip_unless_installed(text: str) -> None:
    """Skip the test unless everything is here that the Python of a text imports."""
    needed = {name for name in ROOT_NAMES if re.search(rf'>>> (?:import|from) {name}\b', text)}
    needed |= {package for sign, package in NEEDED_BY.items() if re.search(rf'>>> .*\b{re.escape(sign)}\b', text)}
    for name in sorted(needed):
        if find_spec(name) is None:
            pytest.skip(f'the Python here needs {name}, which is not installed')


def check_python(text: str, name: str) -> int:
    """Run the Python of a text from top to bottom; the number of its statements."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    output: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test, out=output.append)
    if 'matplotlib.pyplot' in sys.modules:  # which keeps the figures of examples until they are closed
        sys.modules['matplotlib.pyplot'].close('all')
    assert not output, ''.join(output)
    return len(test.examples)
