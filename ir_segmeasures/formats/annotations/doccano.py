"""doccano: exports (JSON lines) of the tasks that ``pool`` wrote, with stretches of text.

An export has the texts that were not looked at, too: only approved ones are to be exported. doccano writes a file for
each of its users, whose name it is.
"""

from typing import Any

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import JudgedUnit, grade_of, mark_of, unit_at, unit_qrels
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath, numbered_rows
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.formats.moment_lines import whole_line
from ir_segmeasures.segments.json_objects import value_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['DOCCANO', 'read_qrels']

_SUFFIXES = ('.jsonl', '.json')
_TOGETHER = ('all', 'unknown')  # the names of files that are not those of users


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of an export.

    Args:
        path: of a file, ``.gz`` by suffix, whose name is that of the assessor; or of the folder of all

    Raises:
        FormatError: a line is no object of JSON with the fields of a task, and ``label`` (or ``entities``)
        OSError: a file cannot be opened
    """
    return [row for file in files_of(path, _SUFFIXES) for rows in _rows(file) for row in rows]


def _rows(path: StrPath) -> list[list[Qrel]]:
    name = stem(path, _SUFFIXES)
    assessor = '0' if name in _TOGETHER else name
    return numbered_rows(path, lambda fields: unit_qrels([_unit(json_value(fields[0]), assessor)]), whole_line)[1]


def _unit(record: Any, assessor: str) -> JudgedUnit:
    query_id = value_of(record, 'query_id', str, 'the id of its query, as pool writes it', 'the text')
    key = 'entities' if 'entities' in record else 'label'
    offset = value_of(record, 'offset', int, 'a whole number, where its text begins in the document, as pool '
                      'writes it', 'the text')
    marks = []
    for given in value_of(record, key, list, 'a list of marks', 'the text'):
        if isinstance(given, dict):
            given = [given.get(name) for name in ('start_offset', 'end_offset', 'label')]
        if not isinstance(given, list) or len(given) != 3:
            raise ValueError(f'the mark {quoted(given)} is not [start, end, label]: export the file once more')
        marks.append(mark_of(given[0], given[1], grade_of(given[2]), offset))
    return JudgedUnit(query_id, unit_at(record.get('unit')), marks, None, assessor)


DOCCANO = Format('doccano', 'doccano: exports (JSON lines) of the tasks that pool writes', None, Files(read_qrels),
                 folders=True)
