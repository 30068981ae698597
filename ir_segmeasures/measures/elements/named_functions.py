"""Parameters whose values are names of functions, so that the string of a measure can name a function of the user."""

from collections.abc import Callable, Mapping
from typing import Any

from ir_segmeasures.measures.base import Param
from ir_segmeasures.segments.quoting import quoted

__all__ = ['NamedFunction']


class NamedFunction(Param):
    """A parameter that takes the name of a function, of this package or one that was registered.

    Args:
        functions: name → function of this package
        aliases: other name → name
        register: the name of the function that registers other functions
    """

    def __init__(self, desc: str, functions: Mapping[str, Callable[..., Any]], register: str,
                 aliases: Mapping[str, str] | None = None, **settings: Any):
        self.functions, self.aliases = dict(functions), dict(aliases or {})
        self._here = (*self.functions, *self.aliases)
        super().__init__(desc, dtype=str, choices=self.functions, **settings)
        self.rule = f'{", ".join(map(repr, self._here))}, or a name given to {register}() in this process'

    def validate(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.functions

    def register(self, name: str, function: Callable[..., Any]) -> None:
        """Let ``name`` stand for ``function``; a registered name may be given to another function.

        Raises:
            ValueError: a name that no string of a measure can hold, or that a function of this package has
            TypeError: no function
        """
        if not isinstance(name, str) or not name.isidentifier() or name in self._here:
            raise ValueError(f'{quoted(name)} cannot be the name of a function here: take letters, digits and _, and '
                             f'none of {", ".join(map(repr, self._here))}')
        if not callable(function):
            raise TypeError(f'{quoted(function)} is not a function: give the name {quoted(name)} to one')
        self.functions[name] = function
