"""What commands write: a file that appears as a whole, or standard output."""

import argparse
import os
import sys

__all__ = ['add_places', 'bold', 'decimals', 'write_out']


def add_places(parser: argparse.ArgumentParser) -> None:
    """Adds ``--places`` to a command with tables."""
    parser.add_argument('--places', '-p', type=decimals, metavar='N',
                        help='decimal places (0 to 100), -1 for all (default: 4 in tables, all in csv and json)')


def decimals(text: str) -> int:
    """A number of decimal places, -1 for all."""
    places = int(text)
    if not -1 <= places <= 100:
        raise ValueError
    return places


decimals.__name__ = 'number of decimal places'  # in argparse's sentence


def bold(text: str) -> str:
    """The text in bold where people read it, as it is in files and pipes."""
    return f'\033[1m{text}\033[0m' if sys.stdout.isatty() and 'NO_COLOR' not in os.environ else text


def write_out(content: str | bytes, path: str) -> None:
    """Write a file, which appears as a whole, or standard output for ``-``."""
    data = content.encode(errors='replace') if isinstance(content, str) else content
    if path == '-':
        if isinstance(content, str):
            sys.stdout.write(content)
        else:
            sys.stdout.buffer.write(data)
        return
    folder = os.path.dirname(path) or '.'
    if not os.path.isdir(folder):
        raise ValueError(f'{path} cannot be written, since there is no folder {folder}: make it, or name another')
    from ir_segmeasures.formats.files.writing import whole_file
    with whole_file(path) as file:
        file.write(data)
