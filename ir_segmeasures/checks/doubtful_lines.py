"""The lines of a file that may break a rule, found in columns, so that only these become items.

The rules look at items one by one, which takes five times as long as an evaluation. In a file all of whose lines are
plain, most lines can break none of its rules, as arrays show at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.checks import evaluation_rules, rules, submission_rules
from ir_segmeasures.checks.checked_lines import CheckedLine, line_with_items
from ir_segmeasures.checks.rules import Rule
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.formats.lines import file_line
from ir_segmeasures.segments.arrays import Array, Bools
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable
from ir_segmeasures.segments.tables.text_columns import PADDING, TextColumn
from ir_segmeasures.segments.warnings import tied

__all__ = ['LinesInQuestion', 'lines_in_question']

# The rules that arrays can answer. None of the last three finds anything where no list of queries or videos is given.
_ANSWERED = {rules.readable, rules.retrieved_once, rules.judged_once, rules.judged_without_contradiction, rules.overlap,
             rules.judged_query, submission_rules.one_run, submission_rules.scores_follow_ranks,
             submission_rules.tied_scores, submission_rules.answered_queries, evaluation_rules.one_unit,
             evaluation_rules.unit_of_the_judgements, evaluation_rules.known_end, evaluation_rules.judged_with_content,
             rules.known_query, rules.known_video, rules.within_the_document}


class LinesInQuestion(NamedTuple):
    """The lines of a plain file that may break a rule, and what rules ask about all of its lines.

    Attributes:
        lines: in the order of the file; together with a line stand all lines with which it may break a rule
        table: of all lines
        judged: the table of the judgements of a run; None if they are not known
        tied: the number of items that have the score of another item of their query
    """

    lines: list[CheckedLine]
    table: SegmentTable
    judged: SegmentTable | None
    tied: int


def lines_in_question(path: StrPath, format: Format, kind: str, applied: Iterable[Rule],
                      judged: Sequence[Any] | None) -> LinesInQuestion | None:
    """The lines of a file that may break a rule; None where all lines have to be looked at one by one.

    Args:
        path, format, kind: of the file, ``'run'`` or ``'qrels'``
        applied: the rules of the file, for which no list of queries, videos or anchors is given
        judged: the judgements of a run, if they are known
    """
    files = format.files(kind)
    if files is None or files.lines is None or files.lines.read_columns is None or not _ANSWERED.issuperset(applied):
        return None
    if not os.path.isfile(path) or not (judged is None or isinstance(judged, Rows)):  # a pipe is read once
        return None
    try:
        rows = files.lines.read_columns(path)
        if any(known in part.columns for part in (rows, judged or rows) for known in ('duration', 'doc_size')):
            return None  # of documents whose ends are known
        table = (SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels)(rows)
        qrels = None if judged is None else SegmentTable.from_qrels(judged)
        doubtful = _doubtful_rows(table, rows.columns, qrels)
    except ValueError:  # a line is wrong or not plain
        return None
    if doubtful is None:
        return None
    text: TextColumn = rows.columns['line']
    found = np.sort(table.row[doubtful])
    ends = np.flatnonzero(text.signs[len(PADDING):] == ord('\n')) + len(PADDING)
    numbers = 1 + np.searchsorted(ends, text.start[found])
    lines = [line_with_items(file_line(number, files.lines.split(line), files.lines), format, None)
             for number, line in zip(numbers.tolist(), text[found].tolist())]
    return LinesInQuestion(lines, table, qrels, int(np.count_nonzero(tied(table))) if kind == 'run' else 0)


def _doubtful_rows(table: SegmentTable, columns: dict[str, Any], judged: SegmentTable | None) -> Bools | None:
    """For each row of a table, whether its line may break a rule; None if any may. Raises a ValueError where ranks are
    no whole numbers."""
    if len(table.units() | (judged.units() if judged else set())) != 1 or (table.unit == NO_UNIT).any() or (
            table.end == inf).any() or (judged is not None and (judged.unit == NO_UNIT).any()):
        return None
    doubtful = ~table.lone_rows()
    if table.kind == 'qrels':
        return doubtful | ((table.value >= evaluation_rules.REL) & (table.start == table.end))
    name, rank = columns.get('run'), columns.get('rank')
    if not isinstance(name, TextColumn) or not isinstance(rank, TextColumn) or len(name.coded().distinct) > 1:
        return None
    doubtful |= _against_ranks(table, rank.whole_numbers(digits=15)[table.row])
    doubtful |= _with_first_tie(table)
    if judged is not None:
        known = set(judged.query_ids)
        doubtful |= np.array([query not in known for query in table.query_ids])[table.query]
    return doubtful


def _against_ranks(table: SegmentTable, rank: Array[np.int64]) -> Bools:
    """Whether the scores of a query rise where its ranks do, or ranks are there twice."""
    order = np.lexsort((rank, table.query))
    query, rank, score = table.query[order], rank[order], table.value[order]
    rising = (query[1:] == query[:-1]) & ((rank[1:] == rank[:-1]) | (score[1:] > score[:-1]))
    return np.isin(table.query, query[1:][rising])


def _with_first_tie(table: SegmentTable) -> Bools:
    """Whether a row has the query and the score of the first row of the file that is tied."""
    rows = np.flatnonzero(tied(table))
    if not len(rows):
        return np.zeros(len(table), bool)
    first = rows[np.argmin(table.row[rows])]
    return (table.query == table.query[first]) & (table.value == table.value[first])

