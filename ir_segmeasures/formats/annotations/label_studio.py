"""Label Studio: exports (JSON) of tasks that ``pool`` wrote, with stretches of audio, video or text.

A label or a rating is a grade. Content of the unit that nobody marked has the grade of the unit, or 0. An annotation
begins with the region of its unit, as ``pool`` predicts it: one that was submitted with nothing else is no judgement.
Regions of ``TimelineLabels`` count frames from 1, and ``fps`` (or ``framerate``) in the data of the task says how many
a second has.
"""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
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
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.segments.json_objects import is_number
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE

__all__ = ['LABEL_STUDIO', 'read_qrels']


_Frame = Annotated[int, msgspec.Meta(ge=1, lt=10 ** 9)]


class _Frames(msgspec.Struct):
    start: _Frame
    end: _Frame


class _Value(msgspec.Struct):
    start: Number | None = None
    end: Number | None = None
    text: Any = None  # of a remark, a list
    ranges: list[_Frames] | None = None
    labels: list[str] | None = None
    hypertextlabels: list[str] | None = None
    paragraphlabels: list[str] | None = None
    timelinelabels: list[str] | None = None
    choices: list[str] | None = None  # these three are about the whole task
    rating: Number | None = None
    number: Number | None = None

    def marked(self) -> list[str]:
        """The labels of a stretch; an empty one without any."""
        return self.labels or self.hypertextlabels or self.paragraphlabels or self.timelinelabels or ['']


class _Result(msgspec.Struct):
    value: _Value
    origin: str | None = None

    def is_predicted(self) -> bool:
        """Whether this is the region of the unit that ``pool`` wrote, to which the assessor gave no grade."""
        return (self.origin or '').startswith('prediction') and self.value.labels == [UNJUDGED]


class _Annotation(msgspec.Struct):
    result: list[_Result]
    was_cancelled: bool = False
    completed_by: Any = None

    def assessor(self) -> str:
        """The name of the assessor, or the number."""
        given = self.completed_by
        if isinstance(given, dict):
            given = given.get('email') or given.get('username') or given.get('id')
        return '0' if given is None else str(given)


class _Data(msgspec.Struct):
    query_id: str
    unit: str
    text: Any = None
    offset: Number = 0
    fps: Number | None = None
    framerate: Number | None = None


class _Task(msgspec.Struct):
    data: _Data
    annotations: list[_Annotation]


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of an export, each with the name or the number of its assessor.

    Args:
        path: of the file, ``.gz`` by suffix. Annotations that were skipped are no judgements

    Raises:
        FormatError: the file is no export of tasks that were made of a pool
        OSError: the file cannot be opened
    """
    return read_object(path, 'exports of Label Studio in JSON, not JSON-MIN', _judgements, list[_Task], 'a list of '
                                                                                                        'tasks')


def _judgements(tasks: list[_Task]) -> list[Qrel]:
    units: list[JudgedUnit] = []
    for number, task in enumerate(tasks, 1):
        try:
            units += _units(task)
        except ValueError as error:
            raise ValueError(f'task {number}: {error}') from None
    return unit_qrels(units)


def _units(task: _Task) -> Iterator[JudgedUnit]:
    unit = unit_at(task.data.unit)
    for annotation in task.annotations:
        given = [result.value for result in annotation.result if not result.is_predicted()]
        if annotation.was_cancelled or (annotation.result and not given):
            continue  # skipped, or submitted as it was
        grade: Number | None = None
        for value in given:
            whole = value.choices[0] if value.choices else value.rating if value.rating is not None else value.number
            grade = grade if whole is None else grade_of(whole)
        marks = [mark for value in given for mark in _marks(value, task.data)]
        yield JudgedUnit(task.data.query_id, unit, marks, grade, annotation.assessor())


def _marks(value: _Value, data: _Data) -> Iterator[Mark]:
    stretches: list[tuple[Any, Any]] = []
    offset: Number = 0  # of a recording positions count from its beginning
    if value.ranges is not None:
        rate: Any = data.framerate if data.fps is None else data.fps
        if not (is_number(rate) and 0 < rate < TOO_LARGE):
            raise ValueError('a stretch counts frames, whose number in a second is not known: write it as "fps" into '
                             'the data of the task')
        stretches = [((frames.start - 1) / rate, frames.end / rate) for frames in value.ranges]
    elif value.start is not None:
        stretches = [(value.start, value.end)]
        if isinstance(data.text, str):
            offset = data.offset
            stretches = [_characters(data.text, value.start, value.end, value.text)]
    for start, end in stretches:
        for label in value.marked():
            yield mark_of(start, end, grade_of(label), offset)


def _characters(text: str, start: Any, end: Any, marked: Any) -> tuple[Any, Any]:
    """The positions in characters; where they are of UTF-16, the marked text tells."""
    if not isinstance(marked, str) or not (type(start) is type(end) is int) or text[start:end] == marked:
        return start, end
    places = utf16_positions(text)
    if 0 <= start <= end < len(places) and text[places[start]:places[end]] == marked:
        return places[start], places[end]
    raise ValueError(f'the marked text {quoted(marked)} does not stand at {start} to {end} of the text of the task: '
                     'export it once more')


LABEL_STUDIO = Format('label-studio', 'Label Studio: exports (JSON) of the tasks that pool writes', None,
                      Files(read_qrels, rules=Rules()))
