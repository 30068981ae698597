"""``ir_segmeasures selftest``: whether the figures come out where this is installed.

It computes the worked examples that stand beside the formulas of the measures, many of which are those of papers, and
prints the versions of what they rest on. It reads nothing but the package.
"""

import doctest
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from inspect import getdoc

from ir_segmeasures.commands.parser import Command
from ir_segmeasures.measures.base import DECLARED

HOSTS = ('ir_segmeasures', 'ir-measures', 'numpy', 'ir_datasets', 'python-terrier', 'pandas', 'scipy')


@dataclass(frozen=True, kw_only=True)
class Selftest(Command):
    """Compute the worked examples that stand beside the formulas of the measures, say which figures differ here, and
    print the versions of the packages, which a report of an error needs. No files are read."""
    EXAMPLE = 'selftest'

    def run(self) -> None:
        main()


def examples() -> Iterator[doctest.DocTest]:
    """The worked examples of each measure, as a test with its name; without pandas, those that need no frame."""
    parser = doctest.DocTestParser()
    for measure in DECLARED:
        text = getdoc(type(measure)) or ''
        if 'import pandas' not in text or find_spec('pandas'):
            yield parser.get_doctest(text, {}, str(measure), None, 0)


def versions() -> Iterator[str]:
    """The packages that are here, with their versions."""
    yield 'Python ' + '.'.join(map(str, sys.version_info[:3]))
    for host in HOSTS:
        try:
            yield f'{host} {version(host)}'
        except PackageNotFoundError:
            yield f'no {host}'


def main() -> None:
    """Prints the versions, the figures that differ and a count, and exits: 0 where all figures come out, else 1."""
    print(', '.join(versions()))
    runner = doctest.DocTestRunner(verbose=False)
    tests = list(examples())
    wrong = [test.name for test in tests if runner.run(test).failed]
    measures, tried = len(tests), runner.tries
    if wrong:
        sys.exit(f'ir_segmeasures selftest: {len(wrong)} of {measures} measures have other figures here than on their '
                 f'page ({", ".join(wrong)}): report this with what is printed above')
    left = f'; those of {len(DECLARED) - measures} need pandas, which is not here' if measures < len(DECLARED) else ''
    print(f'{tried} lines of worked examples, of {measures} measures: all figures come out{left}')
