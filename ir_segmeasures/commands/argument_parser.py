"""The parser of all commands: errors in one line, suggestions for what is misspelt, ``_`` as ``-`` in options."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from ir_segmeasures.commands.argparse_private import ChoiceParser, Help
from ir_segmeasures.segments.quoting import quoted

__all__ = ['FormatsHelp', 'Help', 'Parser', 'UsageError', 'complete', 'similar_names']


_CLEAR = .1  # by so much is one name likelier than the next


class UsageError(Exception):
    """The command line is wrong. Its parser prints the sentence, and the exit code is 2."""


class FormatsHelp(Help, argparse.RawDescriptionHelpFormatter):
    """Help whose description and epilog keep their lines, such as those of ``{formats}``."""


class Parser(ChoiceParser):
    """An argument parser that says what is wrong without the wall of its usage."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{'formatter_class': Help, **kwargs})

        self.separates_measures = False  # whether -- may stand for -m
        self._has_commands = False

    def add_subparsers(self, **kwargs: Any) -> Any:
        """The parent's answer. The options of a command are left to the parser of that command."""
        self._has_commands = True
        return super().add_subparsers(**kwargs)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The parent's answer; an option may be written with ``_`` for ``-``, as for the command ir_measures."""
        args = _with_hyphens(sys.argv[1:] if args is None else args)
        self._check_options(args)
        if self.separates_measures and '--' in args:
            place = args.index('--')
            if not any(arg.startswith(('-m', '--m')) for arg in args[:place]):
                args[place] = '-m'
        return super().parse_known_args(args, namespace)

    def _check_options(self, args: Sequence[str]) -> None:
        """Exits where an option is misspelt and it is plain which one is meant; the parent has words for the others."""
        known = {option.removeprefix('--'): option for option in self.options() if option.startswith('--')}
        for arg in args:
            if arg == '--' or (self._has_commands and not arg.startswith('-')):
                return
            name = arg.partition('=')[0].removeprefix('--')
            if arg.startswith('--') and ' ' not in name and not any(option.startswith(name) for option in known):
                like = similar_names(name, known)
                if like:
                    self.error(f'there is no option --{name}: did you mean {" or ".join(known[n] for n in like)}?')

    def error(self, message: str) -> NoReturn:
        """Exit with code 2 and one line on standard error."""
        self.exit(2, f'{self.prog}: error: {message}\n')

    def format_help(self) -> str:
        """The help, with descriptions in the place of ``{formats}`` and ``{programs}``. Their modules are imported for
        people who ask for help, not for every command.
        """
        if self.epilog and '{formats}' in self.epilog:
            from ir_segmeasures import formats
            self.epilog = self.epilog.replace('{formats}', formats.described())
        if self.epilog and '{programs}' in self.epilog:
            from ir_segmeasures.study import official_figures
            self.epilog = self.epilog.replace('{programs}', official_figures.described_programs())
        return super().format_help()

    def check_choice(self, action: argparse.Action, value: Any) -> None:
        choices = None if action.choices is None else [str(choice) for choice in action.choices]
        if choices is not None and value not in choices:
            like = similar_names(str(value), choices)
            rest = f'did you mean {" or ".join(like)}?' if like else f'choose from {", ".join(choices)}'
            raise argparse.ArgumentError(action, f'invalid choice: {quoted(value)} ({rest})')


def complete(action: argparse.Action, names: Callable[[], Iterable[str]]) -> None:
    """Lets the shell complete these names there, with argcomplete."""
    def found(prefix: str, **_: Any) -> list[str]:
        return [name for name in names() if name.startswith(prefix)]
    action.completer = found  # type: ignore[attr-defined]


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may have meant, the likeliest first; one name where it is clear, as it is where the
    letters are the same. Case does not count.
    """
    from difflib import SequenceMatcher, get_close_matches
    folded: dict[str, str] = {}
    for known in names:
        folded.setdefault(known.casefold(), known)
    text = name.casefold()
    same = ([known for known in folded if known == text]
            or [known for known in folded if _letters(known) and _letters(known) == _letters(text)])
    close = same or get_close_matches(text, folded) or [known for known in folded if text and known.startswith(text)]
    if len(close) > 1 and close != same:
        first, second = (SequenceMatcher(None, known, text).ratio() for known in close[:2])
        close = close[:1] if first - second > _CLEAR and text not in close[1] else close
    return [folded[match] for match in close]


def _letters(name: str) -> list[str]:
    return sorted(filter(str.isalnum, name))


def _with_hyphens(args: Sequence[str]) -> list[str]:
    changed = list(args)
    for place, arg in enumerate(changed):
        if arg == '--':
            break
        if arg.startswith('--'):
            name, equals, value = arg.partition('=')
            changed[place] = name.replace('_', '-') + equals + value
    return changed
