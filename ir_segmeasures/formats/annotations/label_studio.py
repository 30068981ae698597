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

from ir_segmeasures.formats.annotations.marks import UNJUDGED, judged_unit, numbered_qrels
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.segments.quoting import quoted

__all__ = ['LABEL_STUDIO', 'read_qrels']

_Frame = Annotated[int, msgspec.Meta(ge=1, lt=10 ** 9)]
_Rate = Annotated[float, msgspec.Meta(gt=0, lt=1e9)]


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


class _Result(msgspec.Struct):
    value: _Value
    origin: str | None = None

    def is_predicted(self) -> bool:
        """Tells whether this is the region of the unit that ``pool`` wrote, to which the assessor gave no grade."""
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
    fps: _Rate | None = None
    framerate: _Rate | None = None


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
    return read_object(path, 'exports of Label Studio in JSON, not JSON-MIN', lambda tasks: numbered_qrels(
        'task', tasks, _task_qrels), list[_Task], 'a list of tasks')


def _task_qrels(task: _Task) -> Iterator[Qrel]:
    for annotation in task.annotations:
        given = [result.value for result in annotation.result if not result.is_predicted()]
        if annotation.was_cancelled or (annotation.result and not given):
            continue  # skipped, or submitted as it was
        wholes = [whole for value in given
                  for whole in [*(value.choices or ())[:1], value.rating, value.number] if whole is not None]
        yield from judged_unit(task.data.query_id, task.data.unit, [
            mark for value in given for mark in _marks(value, task.data)], wholes[-1] if wholes else None,
            annotation.assessor())


def _marks(value: _Value, data: _Data) -> Iterator[tuple[Any, Any, str]]:
    """The starts, the ends and the labels of a result's stretches; in a recording they count from its beginning."""
    stretches: list[tuple[Any, Any]] = []
    if value.ranges is not None:
        rate = data.fps or data.framerate
        if rate is None:
            raise ValueError('a stretch counts frames, whose number in a second is not known: write it as "fps" into '
                             'the data of the task')
        stretches = [((frames.start - 1) / rate, frames.end / rate) for frames in value.ranges]
    elif value.start is not None:
        stretches = [(value.start, value.end)]
        if isinstance(data.text, str) and value.end is not None:
            start, end = _characters(data.text, value.start, value.end, value.text)
            stretches = [(start + data.offset, end + data.offset)]
    labels = value.labels or value.hypertextlabels or value.paragraphlabels or value.timelinelabels or ['']
    return ((start, end, label) for start, end in stretches for label in labels)


def _characters(text: str, start: Any, end: Any, marked: Any) -> tuple[Any, Any]:
    """The positions in characters; where they are in units of UTF-16, as JavaScript counts, the marked text tells."""
    if not isinstance(marked, str) or not (type(start) is type(end) is int) or text[start:end] == marked:
        return start, end
    units = text.encode('utf-16-le', 'surrogatepass')
    before, found = (len(units[:2 * place].decode('utf-16-le', 'replace')) for place in (start, end))
    if 0 <= start <= end and text[before:found] == marked:
        return before, found
    raise ValueError(f'the marked text {quoted(marked)} does not stand at {start} to {end} of the text of the task: '
                     'export it once more')


LABEL_STUDIO = Format('label-studio', 'Label Studio: exports (JSON) of the tasks that pool writes', None,
                      Files(read_qrels, rules=Rules()))
