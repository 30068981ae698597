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

from ir_segmeasures.segments.quoting import quoted

__all__ = ['Command', 'Parser', 'UsageError', 'advice', 'argument', 'command_of', 'fill', 'option', 'similar_names']

COMMON, IDS, SOME_FORMATS = 'options', 'ids and ties', 'for some formats'


class UsageError(Exception):
    """The command line is wrong. The sentence is printed, and the exit code is 2."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """The arguments of a command, and :meth:`run`, which does what they ask for."""
    EXAMPLE: ClassVar[str] = ''  # a command line for the help, without the name of the program
    ERROR_CODE: ClassVar[int] = 1  # where a file or its contents are wrong

    def run(self) -> int | None:
        """Run the command. Returns the exit code, None for 0."""
        raise NotImplementedError


def argument(default: Any = MISSING, *, many: str | None = None, complete: Callable[[], Iterable[str]] | None = None,
             **settings: Any) -> Any:
    """A positional argument, as a field of a :class:`Command`.

    Args:
        default: for what may be left out
        many: the ``nargs`` of argparse
        complete: gives the names that the shell completes
        settings: others of argparse; ``help`` counts unless the docstring of the command has the argument under Args
    """
    if many is not None:
        settings['nargs'] = many
    return field(default=default, metadata={'complete': complete, 'settings': settings})


def option(default: Any = None, *, names: Sequence[str] = (), group: str = COMMON, also: Sequence[str] = (),
           either: str = '', needs: str = '', many: str | None = None, more: Callable[[str], bool] | None = None,
           complete: Callable[[], Iterable[str]] | None = None, **settings: Any) -> Any:
    """An option, as a field of a :class:`Command`. Numbers are read by the annotation of the field.

    Args:
        default: where it is not given; False for a switch
        names: as they are written, such as ``('--places', '-p')``; those of the field if they are not given
        group: the heading of the help that it stands under
        also: other spellings, which help does not show
        either: a name that options share of which one alone may be given
        needs: the field of the option without which it may not be given
        more: whether a word behind the value is another value, of an option that takes one and may be repeated
        many, complete, settings: as for :func:`argument`
    """
    if default is False:
        settings['action'] = 'store_true'
    elif many is not None:
        settings['nargs'] = many
    elif more is not None:
        settings['action'] = 'append'
    return field(default=default, metadata={'names': names, 'group': group, 'also': also, 'either': either,
                                            'needs': needs, 'complete': complete, 'more': more, 'settings': settings})


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the wall of its usage."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{'formatter_class': partial(
            argparse.HelpFormatter, max_help_position=26, width=100), **settings})
        self.spellings: dict[str, str] = {}  # → the spelling that help shows
        self.repeated: dict[str, Callable[[str], bool]] = {}  # → whether a further word is another value

    def error(self, message: str) -> NoReturn:
        """Exit with code 2 and one line on standard error."""
        self.exit(2, f'{self.prog}: error: {message}\n')

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        choices = None if action.choices is None else [str(choice) for choice in action.choices]
        if choices is not None and value not in choices:
            raise argparse.ArgumentError(action, f'invalid choice: {quoted(value)} ({advice(str(value), choices)})')


def fill(parser: Parser, command: type[Command]) -> None:
    """Add the arguments of a command to a parser."""
    said = {name: text for kind in reversed(command.__mro__) for name, text in _arguments(kind.__doc__ or '').items()}
    groups: dict[str, Any] = {COMMON: parser}
    either: dict[str, Any] = {}
    own = get_annotations(command)
    for entry in sorted(fields(command), key=lambda entry: entry.name not in own):  # those of its own first
        settings, metadata = {**entry.metadata['settings']}, entry.metadata
        if entry.name in said:
            settings['help'] = said[entry.name]
        if 'names' not in metadata:
            action = parser.add_argument(entry.name, **settings)
        else:
            heading, key = metadata['group'], metadata['either']
            group = groups.get(heading) or groups.setdefault(heading, parser.add_argument_group(heading))
            if key:
                group = either.get(key) or either.setdefault(key, group.add_mutually_exclusive_group())
            names = _names(entry)
            for word, read in (('int', int), ('float', float)):
                if re.search(rf'\b{word}\b', str(entry.type)) and 'action' not in settings:
                    settings.setdefault('type', read)
            action = group.add_argument(*names, dest=entry.name, **settings)
            parser.spellings.update(dict.fromkeys(metadata['also'], names[0]))
            if metadata['more'] is not None:
                parser.repeated.update(dict.fromkeys(names, metadata['more']))
        action.default = None if entry.default is MISSING or isinstance(entry.default, tuple) else entry.default
        if metadata['complete'] is not None:
            action.completer = _completer(metadata['complete'])  # type: ignore[attr-defined]


def _names(entry: Field[Any]) -> Sequence[str]:
    """The spellings of an option that help shows."""
    return entry.metadata['names'] or (f'--{entry.name.replace("_", "-")}',)


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
    found = parser.parse_intermixed_args(_with_known_spellings(parser, args))
    given = ((entry, getattr(found, entry.name)) for entry in fields(command))
    made = command(**{entry.name: tuple(value) if isinstance(value, list) else entry.default
                      if value is None and entry.default is not MISSING else value for entry, value in given})
    entries = {entry.name: entry for entry in fields(command)}
    for entry in entries.values():
        needed = entries.get(entry.metadata.get('needs', ''))
        if needed and getattr(made, entry.name) != entry.default and getattr(made, needed.name) == needed.default:
            raise UsageError(f'{"/".join(_names(entry))} only goes with {"/".join(_names(needed))}')
    return made


def _with_known_spellings(parser: Parser, args: Sequence[str]) -> list[str]:
    """The arguments with ``-`` for ``_`` in options, and each option as help spells it; exits where one is misspelt
    and it is plain which is meant."""
    known = [name for action in parser._actions for name in action.option_strings if name.startswith('--')]
    found = list(args)
    for place, arg in enumerate(found[:found.index('--')] if '--' in found else found):
        if not arg.startswith('--'):
            continue
        name, equals, value = arg.partition('=')
        name = name.replace('_', '-')
        name = name if name in known else parser.spellings.get(name, name)
        found[place] = name + equals + value
        if ' ' not in name and not any(other.startswith(name) for other in known):
            like = similar_names(name.removeprefix('--'), [other.removeprefix('--') for other in known])
            if like:
                parser.error(f'there is no option {name}: did you mean {" or ".join("--" + other for other in like)}?')
    return list(_repeated(parser, found))


def _repeated(parser: Parser, args: Sequence[str]) -> Iterator[str]:
    """The arguments with the name of a repeated option before each of the values that stand behind it."""
    option, is_first = '', False
    for arg in args:
        if arg.partition('=')[0] in parser.repeated:
            option, is_first = arg.partition('=')[0], '=' not in arg
        elif option and not is_first and not arg.startswith('-') and parser.repeated[option](arg):
            yield option
        elif is_first:
            is_first = False
        else:
            option = ''
        yield arg


def _completer(names: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    return lambda prefix, **_: [name for name in names() if name.startswith(prefix)]


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may have meant, the likeliest first: those of the same letters, else those that are
    written like it, else those that it begins. Case does not count."""
    from difflib import get_close_matches
    folded: dict[str, str] = {}
    for known in names:
        folded.setdefault(known.casefold(), known)
    text = name.casefold()
    same = [known for known in folded if known == text] or [
        known for known in folded if _letters(known) and _letters(known) == _letters(text)]
    like = same or get_close_matches(text, folded, cutoff=.7)
    return [folded[match] for match in like or [known for known in folded if text and known.startswith(text)]]


def advice(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about a name that is not known: the names that are meant, or all there are."""
    like = similar_names(name, names := list(names))
    return f'did you mean {" or ".join(like)}?' if like else f'choose from {", ".join(names)}'


def _letters(name: str) -> list[str]:
    return sorted(filter(str.isalnum, name))
