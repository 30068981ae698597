"""The command ``ir_segmeasures``. Each command is a dataclass of its arguments with the method ``run``, in the module
that is called so, or in that of its group."""

import errno
import os
import sys
import textwrap
import warnings
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from ir_segmeasures.commands.parser import Command, Parser, UsageError, advice, command_of, fill
from ir_segmeasures.commands.streams import WARNED, note, refuse_files, show_warning
from ir_segmeasures.segments.version import __version__

__all__ = ['COMMANDS', 'main']

# Group → name → what help says of it. A command is imported when it is asked for.
GROUPS = {
    'everyday': {
        'evaluate': 'measure a run against qrels',
        'compare': 'compare systems: means, tests, wins and losses; a gate for pull requests',
        'view': 'make a page to look at runs, query by query',
        'plot': 'draw figures for a paper',
        'official': "print all scores of a campaign's or benchmark's own program",
        'check': 'check a run or qrels against the rules of their format',
        'convert': 'write a run or qrels in another format',
        'formats': 'list the formats of runs and qrels, or show one',
        'measures': 'list the measures of segments, or show one',
        'demo': 'compare two systems on the sample collection',
    },
    'for a track': {
        'pool': 'pool the first results of runs, for assessors',
        'agree': 'how far assessors agree, and their judgements merged',
        'release': 'write the folder that a campaign gives out',
        'datasets': 'list, show and export collections, or add your own',
    },
    'more': {
        'study': 'study measures: fidelity, agreement, sensitivity, power, holes',
        'cut': 'cut transcripts into segments, for an index',
        'hosts': 'let the commands of ir_measures and ir_datasets know segments',
        'selftest': 'compute the worked examples of all measures here',
    },
}
HOMES = {'agree': 'track', 'pool': 'track', 'release': 'track', 'formats': 'measures'}  # modules with another name
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}

CITATION = rf"""@software{{ir_segmeasures,
  title = {{ir\_segmeasures: Measures for Retrieval without a Predefined Unit}},
  author = {{{{The ir\_segmeasures maintainers}}}},
  version = {{{__version__}}},
  year = {{2026}}
}}
"""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Exit codes: 0; 1 where a file or its contents are wrong, with one sentence on standard error and nothing on standard
    output; 2 where the command line is wrong, as argparse does; 130 when interrupted. A gate (``compare
    --fail-if-worse``) has 1 where a system is worse, and 2 for all that is wrong.
    """
    args = list(sys.argv[1:] if args is None else args)
    if '_ARGCOMPLETE' in os.environ:  # the shell asks how a word goes on
        _complete()
    code: int | None = 1
    WARNED.clear()
    try:
        try:
            command = _command(args)
            code = command.ERROR_CODE
            with warnings.catch_warnings():
                warnings.showwarning = partial(show_warning, getattr(command, 'strict', False))
                warnings.simplefilter('always', UserWarning)  # two runs may have the same one
                warnings.simplefilter('ignore', DeprecationWarning)  # for who writes the code, as the host's on 3.13
                refuse_files(command)
                done = command.run()
        finally:
            if sys.stdout is not None:  # it may be closed
                sys.stdout.flush()
    except UsageError as error:
        Parser(prog=' '.join(['ir_segmeasures', *args[:1]])).error(str(error))
    except BrokenPipeError:
        # Whoever reads us has seen enough; without this Python complains once more when it closes the pipe.
        sys.stdout = None
        sys.exit(code)
    except KeyboardInterrupt:
        sys.exit(130)
    except (ImportError, MemoryError, OSError, RuntimeError, ValueError) as error:  # also of an extra that is missing
        if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:  # other files have names
            error.filename, sys.stdout = 'standard output', None  # or Python complains once more at the end
        note(_sentence(error))
        sys.exit(code)
    if done:
        sys.exit(done)


def _command(args: Sequence[str]) -> Command:
    """The command that is asked for; exits where help, the release or the citation is asked for instead."""
    name, *rest = args or ['--help']
    told = {'--help': HELP, '-h': HELP, '--version': f'ir_segmeasures {__version__}\n', '--cite': CITATION}
    if rest[:1] == ['list'] and COMMANDS.get(name, '').startswith('list'):  # as the overview says
        rest = rest[1:]
    if name in COMMANDS:
        commands = _commands_of(name)
        kind = rest[0] if rest and rest[0] in commands else ''
        if kind in commands:
            return command_of(commands[kind], f'{name} {kind}'.strip(), rest[bool(kind):])
        if rest and rest[0] not in ('-h', '--help'):
            raise UsageError(f'{rest[0]!r}: {advice(rest[0], commands)}')
        print(f'{COMMANDS[name]}\n\nusage:')
        for kind, command in commands.items():
            print(textwrap.fill(' '.join((command.__doc__ or '').partition('.')[0].split()), 100,
                                initial_indent=f'  ir_segmeasures {name} {kind:12} ', subsequent_indent=' ' * 36))
    elif name in told:
        print(told[name], end='')
    else:
        raise UsageError(f'there is no command {name!r}: {advice(name, [*COMMANDS, *told])}')
    sys.exit(0)


def _commands_of(name: str) -> dict[str, type[Command]]:
    """Kind → command of the kinds that a command has; ``''`` for the command itself, the class that is called so."""
    module = import_module(f'{__name__}.{HOMES.get(name, name)}')
    return getattr(module, 'COMMANDS', None) or {'': getattr(module, name.capitalize())}


_GROUPS = '\n'.join('\n'.join([f'{group}:', *(f'  {name:10} {text}' for name, text in commands.items()), ''])
                    for group, commands in GROUPS.items())
HELP = f"""usage: ir_segmeasures COMMAND …

Evaluate retrieval without a predefined unit: segments of video, audio, XML and long text.

{_GROUPS}
'ir_segmeasures COMMAND --help' shows the options of a command; --version and --cite are there too.
example: ir_segmeasures evaluate qrels.txt my.run T2I_MAP@10 MAgP MAiSP
"""


def _complete() -> None:
    """Answer the shell, which completes words with argcomplete."""
    import argcomplete
    parser = Parser(prog='ir_segmeasures')
    places = parser.add_subparsers()
    for name in COMMANDS:
        place, kinds = places.add_parser(name), _commands_of(name)
        below: Any = place.add_subparsers() if {*kinds} != {''} else None
        for kind, command in kinds.items():
            fill(below.add_parser(kind) if kind else place, command)
    argcomplete.autocomplete(parser)


_FULL = errno.ENOSPC, errno.EFBIG, getattr(errno, 'EDQUOT', errno.ENOSPC)  # Windows has no quota
_OF_FILES: dict[type[Exception], str] = {
    FileNotFoundError: 'there is no such file or folder: check the path',
    IsADirectoryError: 'this is a folder, where a file is wanted: name a file, or several as PATH/*',
    PermissionError: 'this must not be read or written: change its permissions, or name another'}


def _sentence(error: Exception) -> str:
    """The sentence of an error; of the operating system's errors without their numbers."""
    if isinstance(error, MemoryError):
        return 'the input needs more memory than there is: give it in parts'
    if not isinstance(error, OSError) or error.filename is None:
        return str(error)
    return f'{error.filename}: {_OF_FILES.get(type(error), str(error.strerror)).replace("PATH", str(error.filename))}'
