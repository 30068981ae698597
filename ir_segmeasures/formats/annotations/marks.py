"""Marked stretches of documents, as annotation tools have them, and the judgements that they stand for."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ir_measures import Qrel

from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.segments.json_objects import is_number
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE, Segment, format_segment, parse_segment, quote_id
from ir_segmeasures.segments.spans import cut_out

__all__ = ['UNJUDGED', 'JudgedUnit', 'Mark', 'grade_of', 'mark_of', 'numbered_qrels', 'qrel', 'unit_at', 'unit_qrels']

UNJUDGED = 'unjudged'  # the label of the unit in tasks, over which the assessor marks what is relevant
_GRADE = re.compile(r'-?\d+(?:\.\d+)?(?=\s|$)')
_WORDS = {'': 1, 'relevant': 1, 'not relevant': 0, 'irrelevant': 0}


class Mark(NamedTuple):
    """A stretch that an assessor marked.

    Attributes:
        start, end: in the document
        grade: None where it is not judged
    """
    start: Number
    end: Number
    grade: Number | None


class JudgedUnit(NamedTuple):
    """A unit that an assessor judged.

    Attributes:
        query_id: the query
        unit: the segment
        marks: the stretches that are marked in it
        grade: of the unit as a whole; None where no grade was given
        assessor: the name, or ``'0'``
    """
    query_id: str
    unit: Segment
    marks: Sequence[Mark]
    grade: Number | None
    assessor: str


def grade_of(label: Any) -> Number | None:
    """The grade that a label names: a number in front, such as ``'2 highly relevant'``; 1 for ``'relevant'`` or
    nothing; None for ``'unjudged'``.

    Raises:
        ValueError: it names none

    Examples:
        >>> from ir_segmeasures.formats.annotations.marks import grade_of
        >>> grade_of('2 highly relevant'), grade_of('not relevant'), grade_of('unjudged')
        (2, 0, None)
    """
    if is_number(label):
        return label
    text = ' '.join(label.lower().split()) if isinstance(label, str) else None
    if text == UNJUDGED:
        return None
    if text in _WORDS:
        return _WORDS[text]
    found = _GRADE.match(text or '')
    if found is None:
        raise ValueError(f'the label {quoted(label)} is no grade: begin it with a number, such as "2 highly relevant"')
    return float(found[0]) if '.' in found[0] else int(found[0])


def mark_of(start: Any, end: Any, grade: Number | None, offset: Number = 0) -> Mark:
    """A mark with positions in a text or a recording that begins at ``offset`` of its document. Raises a ValueError for
    positions that are no stretch."""
    if not (all(map(is_number, (start, end, offset))) and 0 <= start < end and 0 <= offset < TOO_LARGE - end):
        raise ValueError(f'a mark goes from {quoted(start)} to {quoted(end)}, but it is a stretch of the document with '
                         'an end after its start: correct it')
    return Mark(round(start + offset, 6), round(end + offset, 6), grade)


def unit_at(value: Any) -> Segment:
    """The unit of a task. Raises a ValueError where it is missing, or no segment with an end."""
    if not isinstance(value, str):
        raise ValueError(f'the unit is {quoted(value)}, but it is the id of a segment, as in the tasks that pool '
                         'writes: export what was made of these tasks')
    unit = parse_segment(value)
    if unit.unit is None or not unit.start < unit.end < TOO_LARGE:
        raise ValueError(f'the unit {quoted(value)} is no segment with a start and an end: take those of the pool')
    return unit


def unit_qrels(units: Iterable[JudgedUnit]) -> list[Qrel]:
    """The judgements of units, unit by unit: the marks, and the rest of the unit with its grade, or 0 without one."""
    rows = []
    for query_id, unit, marks, grade, assessor in units:
        rest: tuple[list[Any], list[Any]] = [unit.start], [unit.end]
        for mark in marks:
            cut_out(*rest, mark.start, mark.end)
            if mark.grade is not None:
                rows.append(qrel(query_id, unit._replace(start=mark.start, end=mark.end), mark.grade, assessor))
        rows += [qrel(query_id, unit._replace(start=start, end=end), grade or 0, assessor)
                 for start, end in zip(*rest)]
    return rows


def qrel(query_id: str, segment: Segment, grade: Number, assessor: str = '0') -> Qrel:
    """The judgement of an assessor, whose name stands in the second column of files of TREC."""
    return Qrel(query_id, format_segment(segment), grade, quote_id(assessor) or '0')  # type: ignore[arg-type]


def numbered_qrels(name: str, records: Iterable[Any], units: Callable[[Any], Iterable[JudgedUnit]]) -> list[Qrel]:
    """The judgements of records, such as tasks: of the units of each. A ValueError about one names it by its number."""
    found: list[JudgedUnit] = []
    for number, record in enumerate(records, 1):
        try:
            found += units(record)
        except ValueError as error:
            raise ValueError(f'{name} {number}: {error}') from None
    return unit_qrels(found)
