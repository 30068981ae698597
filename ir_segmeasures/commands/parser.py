"""The parser of a command, made from the fields of its dataclass.

A field is declared by :func:`argument` (a positional) or :func:`option`, and the docstring of the command says under
Args what it is. Options that exist in several commands are declared once, in ``options.py``.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import partial
from inspect import cleandoc, get_annotations
from typing import Any, ClassVar, NoReturn

from ir_segmeasures.segments.basics import quoted, similar_names

COMMON, IDS, SOME_FORMATS = 'options', 'ids and ties', 'for some formats'
_OWN = 'names', 'group', 'also', 'either', 'needs', 'more', 'complete', 'writes'  # which argparse does not know


class UsageError(Exception):
    """The command line is wrong. The sentence is printed, and the exit code is 2."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """The arguments of a command, which are fields of a frozen dataclass, and :meth:`run`, which does what they ask
    for."""
    EXAMPLE: ClassVar[str] = ''  # a command line for the help, without the name of the program
    ERROR_CODE: ClassVar[int] = 1  # where a file or its contents are wrong

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def run(self) -> int | None:
        """Run the command. Returns the exit code, None for 0."""
        raise NotImplementedError


def argument(default: Any = MISSING, **settings: Any) -> Any:
    """A positional argument, as a field of a :class:`Command`.

    Args:
        default: for what may be left out
        settings: ``complete`` as for :func:`option`; others of argparse, of which ``help`` counts unless the docstring
            of the command has the argument under Args
    """
    return field(default=default, metadata=settings)


def option(default: Any = None, **settings: Any) -> Any:
    """An option, as a field of a :class:`Command`. Numbers are read by the annotation of the field.

    Args:
        default: where it is not given; False for a switch
        settings: ``names``, as they are written, such as ``('--places', '-p')`` (default: that of the field);
            ``group``, the heading of the help that it stands under; ``also``, spellings that help does not show;
            ``either``, a name that options share of which one alone may be given; ``needs``, the field of the option
            without which it may not be given; ``more``, which tells whether a word behind the option is one
            of its values, of an option that takes several; ``complete``, which gives the words that the shell
            completes; ``writes``, of an option with the file that is written, the test of its kind, for
            :func:`~ir_segmeasures.commands.streams.refuse_to_replace`; others of argparse
    """
    action = {'action': 'store_true'} if default is False else {'action': 'append'} if 'more' in settings else {}
    return field(default=default, metadata={'names': (), 'group': COMMON, **action, **settings})


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the wall of its usage."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{'formatter_class': partial(
            argparse.HelpFormatter, max_help_position=26, width=100), **settings})
        self.repeated: dict[str, Callable[[str], bool]] = {}  # → whether a further word is another value

    def error(self, message: str) -> NoReturn:
        """Exit with code 2 and one line on standard error."""
        self.exit(2, f'{self.prog}: error: {message}\n')

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(
                action, f'invalid choice: {quoted(value)} ({advice(str(value), map(str, action.choices))})')


def fill(parser: Parser, command: type[Command]) -> None:
    """Add the arguments of a command to a parser."""
    said = {name: text for kind in reversed(command.__mro__) for name, text in _arguments(kind.__doc__ or '').items()}
    groups: dict[str, Any] = {COMMON: parser}
    kinds = list(map(get_annotations, command.__mro__))
    for entry in sorted(fields(command), key=lambda entry: [  # options of its own stand first
            entry.name not in kind for kind in kinds if 'names' in entry.metadata]):
        metadata = entry.metadata
        settings = {name: value for name, value in metadata.items() if name not in _OWN}
        settings['help'] = said.get(entry.name, settings.get('help'))
        if 'names' not in metadata:
            action = parser.add_argument(entry.name, **settings)
        else:
            heading, names = metadata['group'], _names(entry)
            group = groups.get(heading) or groups.setdefault(heading, parser.add_argument_group(heading))
            if key := metadata.get('either'):
                group = groups.get(f'/{key}') or groups.setdefault(f'/{key}', group.add_mutually_exclusive_group())
            number = re.search(r'\b(int|float)\b', str(entry.type))
            if number and settings.get('action') != 'store_true':
                settings.setdefault('type', int if number[1] == 'int' else float)
            action = group.add_argument(*names, *metadata.get('also', ()), dest=entry.name, **settings)
            action.option_strings = names  # those that help shows
            if 'more' in metadata:
                parser.repeated.update(dict.fromkeys(names, metadata['more']))
        action.default = None if entry.default is MISSING or isinstance(entry.default, tuple) else entry.default
        if 'complete' in metadata:
            action.completer = lambda words=metadata['complete'], **_: list(words())  # type: ignore[attr-defined]


def _names(entry: Field[Any]) -> list[str]:
    """The spellings of an option that help shows."""
    return list(entry.metadata['names'] or (f'--{entry.name.replace("_", "-")}',))


def _arguments(doc: str) -> dict[str, str]:
    """The texts of the arguments that a docstring has under Args, by their names."""
    _, _, section = cleandoc(doc).partition('\n\nArgs:\n')
    return {name: ' '.join(text.split())
            for name, text in re.findall(r'^    (\w+): (.*(?:\n {8}.*)*)', section, re.MULTILINE)}


def command_of(command: type[Command], name: str, args: Sequence[str]) -> Command:
    """The command that some arguments ask for. Exits where they are wrong, and where they ask for help."""
    description = cleandoc(command.__doc__ or '').partition('\n\nArgs:')[0]
    parser = Parser(prog=f'ir_segmeasures {name}', description=' '.join(description.split()),
                    epilog=f'example: ir_segmeasures {command.EXAMPLE}')
    fill(parser, command)
    words = [str(action.metavar or action.dest) for action in parser._actions if not action.option_strings]
    parser.usage = ' '.join([parser.prog, '[options]', *words])
    end = args.index('--') if '--' in args else len(args)
    found = parser.parse_intermixed_args([*_repeated(parser, _spelled(parser, args[:end])), *args[end:]])
    entries = {entry.name: entry for entry in fields(command)}
    given = {name: value for name, value in vars(found).items() if value is not None}
    made = command(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
    for entry in entries.values():
        needed = entries.get(entry.metadata.get('needs', ''))
        if needed and getattr(made, entry.name) != entry.default and getattr(made, needed.name) == needed.default:
            raise UsageError(f'{"/".join(_names(entry))} only goes with {"/".join(_names(needed))}')
    return made


def _spelled(parser: Parser, args: Sequence[str]) -> Iterator[str]:
    """The arguments with ``-`` for ``_`` in options; exits where one is misspelt and it is plain which is meant."""
    known = parser._option_string_actions
    for arg in args:
        name, equals, value = arg.partition('=')
        if arg.startswith('--') and ' ' not in name:
            name = name.replace('_', '-')
            if not any(other.startswith(name) for other in known) and (like := similar_names(
                    name[2:], [other[2:] for other, action in known.items() if other in action.option_strings])):
                parser.error(f'there is no option {name}: did you mean {" or ".join("--" + word for word in like)}?')
        yield name + equals + value


def _repeated(parser: Parser, args: Iterable[str]) -> list[str]:
    """The arguments with repeated options at the end, and the name of each before each of the values behind it."""
    option, is_first, options, words = '', False, [], []
    for arg in args:
        name, equals, _ = arg.partition('=')
        if name in parser.repeated:
            option, is_first = name, not equals
            options.append(arg)
        elif option and not arg.startswith('-') and (parser.repeated[option](arg) or arg in words or (
                is_first and parser._option_string_actions[option].nargs != '*')):
            options += [arg] if is_first else [option, arg]
            is_first = False
        else:
            option = ''
            words.append(arg)
    return words + options


def advice(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about a name that is not known: the names that are meant, or all there are."""
    like = similar_names(name, names := list(names))
    return f'did you mean {" or ".join(like)}?' if like else f'choose from {", ".join(names)}'
