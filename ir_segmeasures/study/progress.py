"""Bars on a terminal for work that takes long."""

from collections.abc import Iterable, Iterator, Sized
from typing import Any, TypeVar

__all__ = ['progress_bar', 'with_progress']

Thing = TypeVar('Thing')


def progress_bar(total: int | None, unit: str = 'run', always: bool = False) -> Any:
    """A bar of tqdm, or None where tqdm is not installed. Its ``update()`` counts one more.

    Args:
        total: how many units there are, None where that is not known
        unit: the noun that is counted
        always: whether to show it at once, also where there is no terminal; else from the second second on
    """
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    # ``disable=None`` is on a terminal only.
    return tqdm(total=total, unit=unit, disable=False if always else None, delay=0 if always else 1, leave=always)


def with_progress(things: Iterable[Thing], progress: bool, unit: str = 'run') -> Iterator[Thing]:
    """The things, one by one; with ``progress``, a bar counts them."""
    bar = progress_bar(len(things) if isinstance(things, Sized) else None, unit) if progress else None
    if bar is None:
        yield from things
        return
    with bar:
        for thing in things:
            yield thing
            bar.update()
