"""The private names of argparse that are used. Its documentation calls all methods of its formatters an implementation
detail, so that a release of Python may change them: then help breaks names at hyphens again, and the sentence about a
wrong choice is argparse's own, and misspelt options have no suggestion."""

import argparse
from textwrap import wrap
from typing import Any

__all__ = ['ChoiceParser', 'Help']


class Help(argparse.HelpFormatter):
    """Help whose names, such as ``sh-search`` and ``docs/a.vtt``, stay whole at the end of a line.

    The public way that is missing is an option of the formatter, as ``break_on_hyphens`` is one of :mod:`textwrap`.
    """

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(' '.join(text.split()), width, break_on_hyphens=False)


class ChoiceParser(argparse.ArgumentParser):
    """A parser that says in its own words which choices there are, and that knows its options.

    The public ways that are missing are a place at which a value is compared to the choices, also those of subcommands,
    and the list of the options.
    """

    def options(self) -> list[str]:
        """The options, as they are written on the command line."""
        return list(self._option_string_actions)

    def check_choice(self, action: argparse.Action, value: Any) -> None:
        """Raises:
            argparse.ArgumentError: the value is none of the action's choices
        """
        raise NotImplementedError

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        self.check_choice(action, value)
