"""A private name of LangChain: without it, splitters would have to be made anew with
``add_start_index=True`` to say where their chunks start."""

import copy
from typing import Any


def with_start_index(splitter: Any) -> Any:
    """A copy of a text splitter that says where its chunks start. It cuts at the same places.

    The public way that is missing is a setter, or a copy with other arguments: ``add_start_index`` is an argument of
    the constructor alone, and the arguments that a splitter was made with are not public either.
    """
    changed = copy.copy(splitter)
    changed._add_start_index = True
    return changed
