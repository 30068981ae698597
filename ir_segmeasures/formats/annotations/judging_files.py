"""Judgements that the judging page of ``view --judge`` saves: one object of JSON."""

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import JudgedUnit, grade_of, mark_of, unit_at, unit_qrels
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
    def parse(content: _Judgements) -> list[Qrel]:
        units = []
        for number, judged in enumerate(content.judgements, 1):
            if judged.grade is None and not judged.marks:
                continue
            try:
                marks = [mark_of(mark.start, mark.end, grade_of(mark.grade)) for mark in judged.marks]
                units.append(JudgedUnit(judged.query_id, unit_at(judged.unit), marks,
                                        None if judged.grade is None else grade_of(judged.grade),
                                        content.assessor or '0'))
            except ValueError as error:
                raise ValueError(f'judgement {number}: {error}') from None
        return unit_qrels(units)
    return read_object(path, 'the judgements of a judging page', parse, _Judgements)


JUDGEMENTS = Format('judgements', 'the file that the judging page of view --judge saves', None,
                    Files(read_qrels, rules=Rules()))
