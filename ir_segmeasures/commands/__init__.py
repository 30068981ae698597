"""The command ``ir_segmeasures``: one file a command, each with ``add_to(subparsers, help)`` and the function it runs.

That function alone is given what argparse read; it calls the others with values and typed requests.
"""

import argparse
import errno
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

from ir_segmeasures.commands.argument_parser import Parser, UsageError
from ir_segmeasures.commands.standard_input import with_its_name
from ir_segmeasures.segments.version import __version__

__all__ = ['main']

# The names and what help says of each: they are listed without an import of the commands, and so of NumPy.
COMMANDS = {
    'evaluate': 'measure a run against qrels',
    'compare': 'compare systems: means, tests, wins and losses',
    'measures': 'list the measures of segments, or show one',
    'official': "print all figures of a campaign's own program",
    'convert': 'write a run or qrels in the format of another campaign',
    'check': 'check a run or qrels against the rules of their campaign',
    'cut': 'cut transcripts into segments, for an index',
    'view': 'make a page to look at runs, query by query',
    'plot': 'draw figures for a paper',
    'study': 'study measures: fidelity, agreement, sensitivity, power, holes',
    'pool': 'pool the first results of runs, for assessors',
    'agree': 'how far assessors agree, and their judgements merged',
    'release': 'write the folder that a campaign gives out',
    'datasets': 'list, show and export collections, or add your own',
    'demo': 'compare two systems on the sample collection',
    'selftest': 'compute the worked examples of all measures here',
}

CITATION = r"""@software{ir_segmeasures,
  title = {ir\_segmeasures: Measures for Retrieval without a Predefined Unit},
  author = {{The ir\_segmeasures maintainers}},
  year = {2026}
}
"""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Exit codes: 0; 1 where a file or its contents are wrong, with one sentence on standard error and nothing on standard
    output; 2 where the command line is wrong, as argparse does; 130 when interrupted. A gate (``compare
    --fail-if-worse``) has 1 where a system is worse, and 2 for all that is wrong.
    """
    args = sys.argv[1:] if args is None else args
    completing = '_ARGCOMPLETE' in os.environ  # the shell asks how a word goes on
    parser = Parser(
        prog='ir_segmeasures',
        description='Evaluate retrieval without a predefined unit: segments of video, audio, XML and long text.')
    parser.add_argument('--version', action='version', version=f'ir_segmeasures {__version__}')
    parser.add_argument('--cite', action=_Cite, nargs=0,
                        help="print how the software is cited, as BibTeX, and exit; 'measures NAME' names the paper "
                             'of a measure')
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    # One that is asked for has no need of the others, which cost as much as reading a run.
    for name in args[:1] if args[:1] and args[0] in COMMANDS and not completing else COMMANDS:
        if name in args or completing:
            import_module(f'{__name__}.{name}').add_to(commands, COMMANDS[name])
        else:
            commands.add_parser(name, help=COMMANDS[name])
    if completing:
        import argcomplete
        argcomplete.autocomplete(parser)
    arguments = argparse.Namespace(error_code=1)
    try:
        try:
            parser.parse_args(args, arguments)
            with warnings.catch_warnings():
                warnings.showwarning = _show
                warnings.simplefilter('ignore', DeprecationWarning)  # for who writes the code, as the host's on 3.13
                arguments.command(arguments)
        finally:
            if sys.stdout is not None:  # it may be closed
                sys.stdout.flush()
    except UsageError as error:
        arguments.parser.error(str(error))
    except BrokenPipeError:
        # Whoever reads us has seen enough; without this Python complains once more when it closes the pipe.
        sys.stdout = None
        sys.exit(arguments.error_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except MemoryError:
        _stop(arguments.error_code, 'ir_segmeasures: the input needs more memory than there is: give it in parts')
    except (ImportError, OSError, ValueError) as error:  # also of an extra that is not installed
        # Files have their names in errors. Without this Python complains once more at the end.
        if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
            error.filename, sys.stdout = 'standard output', None
        _stop(arguments.error_code, with_its_name(f'ir_segmeasures: {_sentence(error)}'))


def _stop(code: int, sentence: str) -> NoReturn:
    if code == 1:
        sys.exit(sentence)
    print(sentence, file=sys.stderr)
    sys.exit(code)


class _Cite(argparse.Action):
    """Prints how the software is cited, with the release that is installed, and exits."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(CITATION.replace('  year', f'  version = {{{__version__}}},\n  year'), end='')
        parser.exit()


_FULL = errno.ENOSPC, errno.EFBIG, getattr(errno, 'EDQUOT', errno.ENOSPC)  # Windows has no quota
_OF_FILES = ((FileNotFoundError, 'there is no such file or folder: check the path'),
             (IsADirectoryError, 'this is a folder, where a file is wanted: name a file'),
             (NotADirectoryError, 'this is in no folder: check the path'),
             (PermissionError, 'this must not be opened: change its permissions, or name another'))


def _sentence(error: Exception) -> str:
    """The sentence of an error; of the operating system's errors without their numbers."""
    if not isinstance(error, OSError) or error.filename is None:
        return str(error)
    if isinstance(error, PermissionError):
        place, folder = os.fspath(error.filename), os.path.dirname(os.path.abspath(error.filename))
        if not os.path.lexists(place) and os.access(folder, os.X_OK):  # it was to be made
            place = folder
        if os.path.isdir(place):
            return f'{place}: no file can be made in this folder: change its permissions, or name another'
    said = next((said for kind, said in _OF_FILES if isinstance(error, kind)), error.strerror)
    return f'{error.filename}: {said}'


def _show(message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None,
          line: str | None = None) -> None:
    """A warning in one line, without the code that it comes from."""
    print(with_its_name(f'ir_segmeasures: warning: {message}'), file=sys.stderr)
