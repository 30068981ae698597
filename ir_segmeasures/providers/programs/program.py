"""The declaration of a benchmark's program: its figures, its files, and where both come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ['Program']


class Program(NamedTuple):
    """A program of a benchmark, which makes figures of the truth and of predictions.

    Attributes:
        name: short, as in ``official NAME``
        campaign: the benchmark, with the year and the source of its program
        truth: its file of true windows
        predictions: its file of predictions
        figures: (content of the file of truth, content of the file of predictions) → each figure by its name, in the
            program's order, unrounded; of JSON lines, the content is the list of the objects
        decimals: how many the program prints; None if it prints all
        ties: where the program leaves open what it prints; empty if it does not
    """
    name: str
    campaign: str
    truth: str
    predictions: str
    figures: Callable[[Any, Any], dict[str, float]]
    decimals: int | None = None
    ties: str = ''
