"""Benchmarks' own programs: their figures of files as they are."""

from collections.abc import Callable
from typing import Any

__all__ = ['judgements_of', 'set_judgements']

_find: Callable[[str], Any] | None = None


def set_judgements(find: Callable[[str], Any]) -> None:
    """Lets an id of a dataset stand for a file of truth: id → the handler of its judgements, as ir_datasets has it."""
    global _find
    _find = find


def judgements_of(dataset: str) -> Any:
    """The handler of the judgements of a dataset.

    Raises:
        ValueError: there is no such dataset
    """
    if _find is None:
        raise ValueError('no dataset can be looked up: import ir_segmeasures first')
    return _find(dataset)
