"""A bar for studies that take long."""

from collections.abc import Iterable, Sized
from typing import TypeVar

__all__ = ['watched']

Thing = TypeVar('Thing')


def watched(things: Iterable[Thing], progress: bool, unit: str = 'run') -> Iterable[Thing]:
    """The things; with ``progress``, a bar on a terminal, from the second second on, where tqdm is installed."""
    if not progress:
        return things
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return things
    # ``disable=None`` is on a terminal only.
    bar: Iterable[Thing] = tqdm(things, total=len(things) if isinstance(things, Sized) else None, unit=unit,
                                disable=None, delay=1, leave=False)
    return bar
