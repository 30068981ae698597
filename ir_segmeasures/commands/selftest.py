"""``ir_segmeasures selftest``: whether the figures come out where this is installed.

It computes the worked examples that stand beside the formulas of the measures, many of which are those of papers, and
prints the versions of what they rest on. It reads nothing but the package.
"""

import doctest
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from inspect import getdoc

from ir_segmeasures.commands.parser import Command
from ir_segmeasures.commands.streams import note
from ir_segmeasures.measures.base import DECLARED

HOSTS = ('ir_segmeasures', 'ir-measures', 'numpy', 'ir_datasets', 'python-terrier', 'pandas', 'scipy')


class Selftest(Command):
    """Compute the worked examples that stand beside the formulas of the measures, say which figures differ here, and
    print the versions of the packages, which a report of an error needs. No files are read."""
    EXAMPLE = 'selftest'

    def run(self) -> int:
        print(', '.join(versions()))
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
        texts = {str(measure): getdoc(type(measure)) or '' for measure in DECLARED}
        here = {name: text for name, text in texts.items() if 'import pandas' not in text or find_spec('pandas')}
        wrong = [name for name, text in here.items() if runner.run(parser.get_doctest(text, {}, name, None, 0)).failed]
        if wrong:
            note(f'{len(wrong)} of {len(here)} measures have other figures here than on their page '
                 f'({", ".join(wrong)}): report this with what is printed above')
            return 1
        left = len(texts) - len(here)
        print(f'{runner.tries} lines of worked examples, of {len(here)} measures: all figures come out'
              + (f'; those of {left} need pandas, which is not here' if left else ''))
        return 0


def versions() -> Iterator[str]:
    """The packages that are here, with their versions."""
    yield 'Python ' + '.'.join(map(str, sys.version_info[:3]))
    for host in HOSTS:
        try:
            yield f'{host} {version(host)}'
        except PackageNotFoundError:
            yield f'no {host}'
