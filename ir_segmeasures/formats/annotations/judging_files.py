"""Judgements that the judging page of ``view --judge`` saves: one object of JSON."""

from collections.abc import Iterator

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import JudgedUnit, grade_of, mark_of, numbered_qrels, unit_at
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import read_object

__all__ = ['JUDGEMENTS', 'read_qrels']


class _Mark(msgspec.Struct):
    start: Number
    end: Number
    grade: Number | str = ''


class _Judgement(msgspec.Struct):
    query_id: str
    unit: str
    grade: Number | str | None = None
    marks: list[_Mark] = []


class _Judgements(msgspec.Struct):
    assessor: str
    judgements: list[_Judgement]


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of a file that a judging page saved. Units without a grade and a mark are not judged yet.

    Args:
        path: of the file, ``.gz`` by suffix

    Raises:
        FormatError: the file is no object ``{"assessor": …, "judgements": [{"query_id", "unit", "grade", "marks":
            [{"start", "end", "grade"}]}]}``
        OSError: the file cannot be opened
    """
    def units(judged: _Judgement, assessor: str) -> Iterator[JudgedUnit]:
        if judged.grade is not None or judged.marks:
            marks = [mark_of(mark.start, mark.end, grade_of(mark.grade)) for mark in judged.marks]
            yield JudgedUnit(judged.query_id, unit_at(judged.unit), marks,
                             None if judged.grade is None else grade_of(judged.grade), assessor or '0')
    return read_object(path, 'the judgements of a judging page', lambda content: numbered_qrels(
        'judgement', content.judgements, lambda judged: units(judged, content.assessor)), _Judgements)


JUDGEMENTS = Format('judgements', 'the file that the judging page of view --judge saves', None,
                    Files(read_qrels, rules=Rules()))
