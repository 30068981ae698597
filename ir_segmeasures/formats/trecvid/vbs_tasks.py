"""Tasks of the Video Browser Showdown (VBS): what was shown to the searchers, and the known items.

Source: the archive of the VBS, https://github.com/lucaro/VBS-Archive, with the textual known-item tasks of 2019–24 in
one list, and the exports of its server DRES of 2023 (version 1) and 2024 (version 2).
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Tuple  # noqa: UP035

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_text
from ir_segmeasures.formats.files.row_types import Number, SegmentQrel
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.segments.json_objects import is_number
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import plain_number

_KINDS = ('a list of tasks with query_name, hints, answer and videorange, or an export of DRES with '
          'description.tasks or template.tasks')
_MILLISECONDS = {'Millisecond': 1, 'MILLISECONDS': 1, 'SECONDS': 1000}


class VbsTask(NamedTuple):
    """A task.

    Attributes:
        query_id: its name, as the judgements write it
        text: the last text that was shown, which tells all in most tasks; empty where none was
        type: its group, such as ``'AVS'`` or ``'KIS-T'``; empty in the list of textual tasks
        hints: all texts that were shown, in their order
    """

    query_id: str
    text: str
    type: str
    hints: Tuple[str, ...]  # noqa: UP006 - ir_datasets exports no other tuples

    def default_text(self) -> str:
        """The text of the query, under the name that ir_datasets and PyTerrier ask for."""
        return self.text


def read_vbs_tasks(path: StrPath) -> list[VbsTask]:
    """Reads tasks from JSON: the list of textual known-item tasks, or an export of DRES of version 1 or 2.

    White space in texts is reduced to single blanks.

    Raises:
        FormatError: it is not JSON, or none of these; a task lacks its name, or is there twice
        OSError: the file cannot be opened
    """
    return [task for task, _ in _tasks(path)]


def read_vbs_items(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads the known items of tasks, from the same files: the part of a video that is the answer, in seconds. Each has
    relevance 1; ad hoc tasks have none.

    Raises:
        FormatError: as in :func:`read_vbs_tasks`; also a target without video or times, or that ends before it starts
        OSError: the file cannot be opened
    """
    return [row for _, rows in _tasks(path) for row in rows]


def _tasks(path: StrPath) -> list[tuple[VbsTask, list[SegmentQrel]]]:
    data = json_value(read_text(path), f'tasks of the VBS are {_KINDS}: check that the file is of the kind that is '
                                       'being read', path)
    found: dict[str, tuple[VbsTask, list[SegmentQrel]]] = {}
    try:
        for task, places in _listed(data) if isinstance(data, list) else _exported(data):
            if task.query_id in found:
                raise ValueError(f'task {quoted(task.query_id)} is there twice, but every task has a name of its own: '
                                 'take one of the two out')
            found[task.query_id] = task, [_known_item(task.query_id, *place) for place in places]
    except (KeyError, TypeError, AttributeError):
        raise FormatError(f'the JSON has another structure than tasks of the VBS, which are {_KINDS}: check that the '
                          'file is of the kind that is being read', path) from None
    except ValueError as error:
        raise FormatError(str(error), path) from None
    return list(found.values())


_Found = Iterator[tuple[VbsTask, list[tuple[str, Number, Number]]]]


def _listed(tasks: list[dict[str, Any]]) -> _Found:
    for task in tasks:
        extent = task['videorange']
        yield _task(task['query_name'], '', task['hints']), [(task['answer'], extent['start'], extent['end'])]


def _exported(export: dict[str, Any]) -> _Found:
    second = 'template' in export
    for task in (export['template'] if second else export['description'])['tasks']:
        hints = [hint['description' if second else 'text'] for hint in task['hints']
                 if hint['type'] == ('TEXT' if second else 'TextHint')]
        group = task['taskGroup'] if second else task['taskGroup']['name']
        if second:
            targets = [(target['item'], target['range']) for target in task['targets'] if 'range' in target]
        else:
            target = task['target']
            targets = [(target['item'], target['temporalRange'])] if 'temporalRange' in target else []
        yield _task(task['name'], group, hints), [
            (item['name'], _milliseconds(extent['start']), _milliseconds(extent['end'])) for item, extent in targets]


def _task(name: str, type: str, hints: Sequence[str]) -> VbsTask:
    if len(name.split()) != 1:
        raise ValueError(f'the name of a task is {quoted(name)}, but an id has at least one character and no white '
                         'space, at which runs and judgements split their lines: correct it')
    texts = tuple(' '.join(hint.split()) for hint in hints)
    return VbsTask(name, texts[-1] if texts else '', type, texts)


def _milliseconds(point: dict[str, Any]) -> Number:
    unit = point.get('unit', point.get('type'))
    if unit not in _MILLISECONDS:
        raise ValueError(f'a time is in {quoted(unit)}, but only times in {" or ".join(_MILLISECONDS)} can be read '
                         'without the frame rate: export the tasks with such times')
    value = point['value' if 'value' in point else 'millisecond']
    number = finite_number(str(value))
    if number is None:
        raise ValueError(f'a time is {quoted(value)}, but times are numbers: correct it')
    return number * _MILLISECONDS[unit]


def _known_item(task: str, video: str, start: Number, end: Number) -> SegmentQrel:
    if not isinstance(video, str):
        raise TypeError
    if not (is_number(start) and is_number(end) and 0 <= start < end):
        raise ValueError(f'the known item of task {quoted(task)} starts at {quoted(start)} and ends at {quoted(end)} '
                         'ms, but these are numbers from 0 on, and an end is after its start: correct it')
    return SegmentQrel(task, video, plain_number(start / 1000), plain_number(end / 1000), 1)


KIS = Format(
    'vbs-kis', 'Video Browser Showdown: known items of tasks, JSON of its archive and of DRES, no runs', 't',
    Files(read_vbs_items), lists=('queries', 'videos'), read_queries=read_vbs_tasks)
