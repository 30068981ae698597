"""Label Studio: exports (JSON) of tasks that ``pool`` wrote, with stretches of audio, video or text.

A label or a rating is a grade. Content of the unit that nobody marked has the grade of the unit, or 0. An annotation
begins with the region of its unit, as ``pool`` predicts it: one that was submitted with nothing else is no judgement.
Regions of ``TimelineLabels`` count frames from 1, and ``fps`` (or ``framerate``) in the data of the task says how many
a second has.
"""

from collections.abc import Iterator
from typing import Any

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import (
    UNJUDGED,
    JudgedUnit,
    Mark,
    grade_of,
    mark_of,
    unit_at,
    unit_qrels,
    utf16_positions,
)
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.segments.json_objects import is_number, value_of
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE

__all__ = ['LABEL_STUDIO', 'read_qrels']

_GRADES = ('choices', 'rating', 'number')  # results that are about the whole task


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of an export, each with the name or the number of its assessor.

    Args:
        path: of the file, ``.gz`` by suffix. Annotations that were skipped are no judgements

    Raises:
        FormatError: the file is no export of tasks that were made of a pool
        OSError: the file cannot be opened
    """
    return read_object(path, 'exports of Label Studio', _judgements, 'a list of tasks in JSON')


def _judgements(tasks: Any) -> list[Qrel]:
    if not isinstance(tasks, list):
        raise ValueError('the file is not a list of tasks, as the export in JSON is: export it once more')
    return unit_qrels(unit for number, task in enumerate(tasks, 1) for unit in _units(task, f'task {number}'))


def _units(task: Any, where: str) -> Iterator[JudgedUnit]:
    if isinstance(task, dict) and 'data' not in task and 'annotation_id' in task:
        raise ValueError('the file is the export JSON-MIN, which leaves out what was skipped: export it in JSON')
    data = value_of(task, 'data', dict, 'an object', where)
    query_id, text = value_of(data, 'query_id', str, 'the id of its query', where), data.get('text')
    try:
        unit = unit_at(data.get('unit'))
    except ValueError as error:
        raise ValueError(f'{where}: {error}') from None
    for annotation in value_of(task, 'annotations', list, 'a list of annotations, as the export in JSON has it', where):
        if not isinstance(annotation, dict) or annotation.get('was_cancelled'):
            continue
        marks: list[Mark] = []
        grade: Number | None = None
        results = value_of(annotation, 'result', list, 'a list of results', where)
        given = [result for result in results if not _predicted(result)]
        if results and not given:
            continue  # submitted as it was
        for result in given:
            try:
                if not isinstance(result, dict) or not isinstance(result.get('value'), dict):
                    raise ValueError('a result has no value: export it once more')
                kind, value = result.get('type'), result['value']
                if 'ranges' in value:
                    for stretch in _seconds(value, data):
                        marks += _marks(value | stretch, 0, None)
                elif 'start' in value:
                    marks += _marks(value, data.get('offset', 0), text)
                elif kind in _GRADES and kind in value:
                    label = value[kind]
                    grade = grade_of(label[0] if isinstance(label, list) and label else label)
            except ValueError as error:
                raise ValueError(f'{where}: {error}') from None
        yield JudgedUnit(query_id, unit, marks, grade, _assessor(annotation))


def _predicted(result: Any) -> bool:
    """Whether a result is the region of the unit that ``pool`` wrote, to which the assessor gave no grade."""
    return (isinstance(result, dict) and str(result.get('origin')).startswith('prediction')
            and isinstance(result.get('value'), dict) and result['value'].get('labels') == [UNJUDGED])


def _seconds(value: dict[str, Any], data: dict[str, Any]) -> Iterator[dict[str, float]]:
    """The stretches of a result that counts frames from 1 and holds its last frame, in seconds."""
    rate: Any = data.get('fps', data.get('framerate'))
    if not (is_number(rate) and 0 < rate < TOO_LARGE):
        raise ValueError('a stretch counts frames, whose number in a second is not known: write it as "fps" into the '
                         'data of the task')
    for stretch in value_of(value, 'ranges', list, 'a list of stretches', 'a result'):
        first, last = (value_of(stretch, name, int, 'a frame', 'a stretch') for name in ('start', 'end'))
        yield {'start': (first - 1) / rate, 'end': last / rate}


def _marks(value: dict[str, Any], offset: Any, text: Any) -> Iterator[Mark]:
    labels = next((value[key] for key in ('labels', 'hypertextlabels', 'paragraphlabels', 'timelinelabels')
                   if isinstance(value.get(key), list)), [''])
    start, end = value.get('start'), value.get('end')
    if not isinstance(text, str):
        offset = 0  # of a recording positions count from its beginning
    elif isinstance(start, int) and isinstance(end, int):
        start, end = _characters(text, start, end, value.get('text'))
    for label in labels:
        yield mark_of(start, end, grade_of(label), offset)


def _characters(text: str, start: int, end: int, marked: Any) -> tuple[int, int]:
    """The positions in characters; where they are of UTF-16, the marked text tells."""
    if not isinstance(marked, str) or text[start:end] == marked:
        return start, end
    places = utf16_positions(text)
    if 0 <= start <= end < len(places) and text[places[start]:places[end]] == marked:
        return places[start], places[end]
    raise ValueError(f'the marked text {quoted(marked)} does not stand at {start} to {end} of the text of the task: '
                     'export it once more')


def _assessor(annotation: dict[str, Any]) -> str:
    given = annotation.get('completed_by')
    if isinstance(given, dict):
        given = given.get('email') or given.get('username') or given.get('id')
    return '0' if given is None else str(given)


LABEL_STUDIO = Format('label-studio', 'Label Studio: exports (JSON) of the tasks that pool writes', None,
                      Files(read_qrels))
