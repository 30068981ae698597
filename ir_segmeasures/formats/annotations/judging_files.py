"""Judgements that the judging page of ``view --judge`` saves: one object of JSON."""

from typing import Any

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import JudgedUnit, grade_of, mark_of, unit_at, unit_qrels
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.segments.json_objects import value_of

__all__ = ['JUDGEMENTS', 'read_qrels']


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of a file that a judging page saved. Units without a grade and a mark are not judged yet.

    Args:
        path: of the file, ``.gz`` by suffix

    Raises:
        FormatError: the file is no object ``{"assessor": …, "judgements": [{"query_id", "unit", "grade", "marks":
            [{"start", "end", "grade"}]}]}``
        OSError: the file cannot be opened
    """
    return read_object(path, 'the judgements of a judging page', _judgements)


def _judgements(content: Any) -> list[Qrel]:
    assessor = value_of(content, 'assessor', str, "the assessor's name", 'the file')
    units = []
    for number, record in enumerate(value_of(content, 'judgements', list, 'a list', 'the file'), 1):
        where = f'judgement {number}'
        query_id = value_of(record, 'query_id', str, 'the id of the query', where)
        marks, grade = record.get('marks', []), record.get('grade')
        try:
            if grade is None and not marks:
                continue
            found = [mark_of(mark.get('start'), mark.get('end'), grade_of(mark.get('grade'))) for mark in marks]
            units.append(JudgedUnit(query_id, unit_at(record.get('unit')), found,
                                    None if grade is None else grade_of(grade), assessor or '0'))
        except (AttributeError, TypeError):
            raise ValueError(f'{where}: "marks" is no list of objects with start, end and grade: save the page once '
                             'more') from None
        except ValueError as error:
            raise ValueError(f'{where}: {error}') from None
    return unit_qrels(units)


JUDGEMENTS = Format('judgements', 'the file that the judging page of view --judge saves', None, Files(read_qrels))
