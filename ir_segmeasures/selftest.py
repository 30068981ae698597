"""``python -m ir_segmeasures.selftest``: whether the figures come out where this is installed.

It computes the worked examples that stand beside the formulas of the measures, many of which are those of papers, and
prints the versions of what they rest on. It reads nothing but the package.
"""

import doctest
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from inspect import getdoc

from ir_segmeasures.measures.base import DECLARED

__all__ = ['main']

HOSTS = ('ir_segmeasures', 'ir-measures', 'numpy', 'ir_datasets', 'python-terrier', 'pandas', 'scipy')


def examples() -> Iterator[doctest.DocTest]:
    """The worked examples of each measure, as a test with its name."""
    parser = doctest.DocTestParser()
    for measure in DECLARED:
        yield parser.get_doctest(getdoc(type(measure)) or '', {}, str(measure), None, 0)


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
    wrong = [test.name for test in examples() if runner.run(test).failed]
    measures, tried = len(DECLARED), runner.tries
    if wrong:
        sys.exit(f'ir_segmeasures.selftest: {len(wrong)} of {measures} measures have other figures here than on their '
                 f'page ({", ".join(wrong)}): report this with what is printed above')
    print(f'{tried} lines of worked examples, of {measures} measures: all figures come out')


if __name__ == '__main__':
    main()
