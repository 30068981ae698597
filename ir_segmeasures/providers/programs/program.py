"""The declaration of a benchmark's program: its figures, its files, and where both come from."""

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ['CHUNKING_QUESTIONS', 'FigureValues', 'JSON', 'JSON_LINES', 'LEGAL_QUESTIONS', 'Program']

JSON, JSON_LINES = 'json', 'json-lines'
CHUNKING_QUESTIONS, LEGAL_QUESTIONS = 'chunking-questions', 'legal-questions'

FigureValues = dict[str, float]
"""name of a figure → its value"""


class Program(NamedTuple):
    """A program of a benchmark, which makes figures of the truth and of predictions.

    Attributes:
        name: short, as in ``official NAME``
        campaign: the benchmark, with the year and the source of its program
        truth: its file of what is true
        predictions: its file of predictions
        truth_format: of the file of truth: :data:`JSON`, whose content is its value, :data:`JSON_LINES`, whose content
            is the list of its values, :data:`CHUNKING_QUESTIONS` and :data:`LEGAL_QUESTIONS`, whose contents are
            questions with answers, or a format of ``ir_segmeasures.formats``, whose content is its rows; ``''`` where
            the program reads no such file
        prediction_formats: those that the file of predictions can have
        figures: (content of the file of truth, content of the file of predictions) → each figure by its name, in the
            program's order, unrounded
        decimals: how many the program prints; None if it prints all
        ties: where the program leaves open what it prints; empty if it does not
        by_query: (the two contents) → the figures of each query; None if the program has means alone
        tasks: of a format that has several; the content of the file of predictions is then task → rows
    """
    name: str
    campaign: str
    truth: str
    predictions: str
    truth_format: str
    prediction_formats: tuple[str, ...]
    figures: Callable[[Any, Any], FigureValues]
    decimals: int | None = None
    ties: str = ''
    by_query: Callable[[Any, Any], dict[str, FigureValues]] | None = None
    tasks: tuple[str, ...] = ()
