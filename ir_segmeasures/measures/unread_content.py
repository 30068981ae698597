"""Items that a reader in rank order may have to refuse: they repeat content, or have none where they should."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.walks import unread_content
from ir_segmeasures.segments.arrays import Bools, Ints

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['check_no_passage', 'check_no_repeats', 'no_passage_sentence', 'repeated_content']


def repeated_content(run: RunOnAxis) -> Ints:
    """How much of each item an earlier item of its document has, in ticks."""
    return run.end - run.start - run.cached(unread_content).length


def check_no_repeats(run: RunOnAxis, cutoff: float, measure: str) -> None:
    """Raise a RowError for the first item up to a rank that repeats content of an earlier one."""
    again = np.flatnonzero((run.cached(repeated_content) > 0) & (run.rank <= cutoff) & (run.R > 0)[run.query])
    if again.size:
        raise run.error(int(again[0]), f'it repeats content of an earlier item of its document, which {measure} '
                                       "refuses: cut it out, or leave overlap='error' out")


def no_passage_sentence(start: float, end: float) -> str:
    """The sentence about an item that is said to have no passage and has one."""
    return (f"it is a document without a passage ('no_passage'), but has one from {start:.12g} to {end:.12g}: make "
            "both 0, or leave 'no_passage' out")


def check_no_passage(run: RunOnAxis) -> Bools:
    """Whether each item is a document without a passage.

    Raises:
        RowError: an item is said to be one, and has a passage
    """
    table = run.match.run
    wrong = np.flatnonzero(run.no_passage & (table.end[run.row] > 0) & (run.R > 0)[run.query])
    if wrong.size:
        row = int(run.row[wrong[0]])
        raise run.error(int(wrong[0]), no_passage_sentence(table.start[row], table.end[row]))
    return run.no_passage
