"""Tasks and judged answers of the Video Browser Showdown (VBS) of 2018 to 2020, as its server of these years kept them.

Source: the archive of the VBS, https://github.com/lucaro/VBS-Archive: ``tasks.csv`` and ``submissions.csv`` of 2018,
with semicolons, ``tasks.db`` and ``submissions.db`` of 2019 and 2020, one JSON object a line. Videos are those of
IACC.3 (2018) and V3C1. That shots count from 1 is what the files look like; nothing there says it (unsure).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, numbered_rows, refuse_twice
from ir_segmeasures.formats.files.row_types import SegmentQrel, TrecQrel
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.formats.trecvid.vbs_tasks import VbsTask
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.user_warnings import warn_user

if TYPE_CHECKING:
    from ir_segmeasures.formats.trecvid.shot_tables import FrameRate

__all__ = ['SERVER', 'read_judged', 'read_server_items', 'read_server_tasks']

_KINDS = ("a line of the VBS's server is a JSON object, or has fields between semicolons, of which the first line has "
          'the names: check that the file is of the kind that is being read')
_RATES_NEEDED = 'give read_server_items the frame_rate of these videos, in frames per second'
_TRUTHS = {True: 1, False: 0, 'true': 1, 'false': 0}

Record = dict[str, Any]


class _Item(NamedTuple):
    """A known item: its task, its video, its first frame, and the one after its last."""
    query_id: str
    doc_id: str
    start: int
    end: int


def read_server_tasks(path: StrPath) -> list[VbsTask]:
    """Reads the tasks of ``tasks.csv`` and ``tasks.db``, in file order. Their ids are those that answers have: the
    number of the task in 2018, its ``_id`` from 2019 on, since names have blanks or are there twice. Types begin with
    ``AVS`` (one text), ``KIS_Textual`` (texts, shown one after the other) or ``KIS_Visual`` (no text).

    Raises:
        FormatError: a line is neither of the two; a task lacks a field, or is there twice
        OSError: the file cannot be opened
    """
    numbers, tasks = _read(path, _task)
    refuse_twice(path, numbers, (task.query_id for task in tasks), 'task',
                 'every task has an id of its own: take one of the two out')
    return tasks


def read_server_items(path: StrPath, frame_rate: 'FrameRate | Mapping[str, FrameRate] | None' = None,
                      repair: str = _RATES_NEEDED) -> list[SegmentQrel]:
    """Reads the known items of the same files: the parts of videos that answer tasks of the types KIS, in seconds.

    The files have the first frame of an item and the last, which is part of it.

    Args:
        path: of the tasks
        frame_rate: frames per second, or those of each video, such as ``{'04619': 25}``
        repair: what the error for videos without one tells people to do

    Raises:
        FormatError: a line is neither of the two; an item lacks a field or ends before it starts; the frame rate of its
            video is not given
        ValueError: a frame rate is not above 0
        OSError: the file cannot be opened
    """
    from ir_segmeasures.formats.trecvid.shot_tables import one_frame  # tasks and answers have no need of it
    numbers, found = _read(path, _items)
    items = [item for group in found for item in group]
    frames = {item.doc_id: None if frame_rate is None else one_frame(frame_rate, item.doc_id) for item in items}
    rows, unrated = [], [item.doc_id for item in items if frames[item.doc_id] is None]
    if unrated:
        line = next(number for number, group in zip(numbers, found) for item in group if item.doc_id == unrated[0])
        examples = ', '.join(map(quoted, unrated[:3]))
        raise FormatError(f'{len(unrated)} of {len(items)} known items are of videos whose frame rate is not known, '
                          f'such as {examples}, but items are in frames: {repair}', path, line)
    for item in items:
        frame = frames[item.doc_id] or 0
        rows.append(SegmentQrel(item.query_id, item.doc_id, float(item.start * frame), float(item.end * frame), 1))
    return rows


def read_judged(path: StrPath) -> Sequence[TrecQrel]:
    """Reads the answers of ``submissions.csv`` and ``submissions.db`` that people judged, those to ad hoc tasks: shots
    such as ``shot00266_189``, relevant (1) or not (0), each once, in the order of the file.

    Answers that nobody judged are left out. A shot that was judged both ways is relevant, of which a warning has the
    number; that is this project's choice.

    Raises:
        FormatError: a line is neither of the two kinds; an answer lacks a field
        OSError: the file cannot be opened
    """
    judged: dict[tuple[str, str], set[int]] = {}
    for answer in _read(path, _answer)[1]:
        if answer is not None:
            judged.setdefault(answer[:2], set()).add(answer[2])
    both = [shot for (_, shot), found in judged.items() if len(found) > 1]
    if both:
        warn_user(f'{os.fspath(path)}: {len(both)} of {len(judged)} shots are judged both ways, such as '
                  f'{quoted(both[0])}, and count as relevant')
    return [TrecQrel(task, shot, max(found), '0') for (task, shot), found in judged.items()]


def _task(record: Record) -> VbsTask:
    kind, hints = _text(record, 'type'), list[str]()
    if kind.startswith('AVS'):
        hints = [_text(record, 'avsText')]
    elif kind.startswith('KIS_Textual'):
        hints = ([_text(hint, 'text') for hint in _list(record, 'textList')] if 'textList' in record else
                 [_text(record, name) for name in ('text1', 'text2', 'text3') if record.get(name)])
    texts = tuple(' '.join(hint.split()) for hint in hints)
    return VbsTask(_id(record), texts[-1] if texts else '', kind, texts)


def _items(record: Record) -> list[_Item]:
    if not _text(record, 'type').startswith('KIS'):
        return []
    items = []
    for extent in _list(record, 'videoRanges') if 'videoRanges' in record else [record]:
        start, end = _number(extent, 'startFrame'), _number(extent, 'endFrame')
        if end < start:
            raise ValueError(f'endFrame {end} is before startFrame {start}, but an item cannot end before it starts: '
                             'swap the two, or correct one')
        items.append(_Item(_id(record), f'{_number(extent, "videoNumber"):05d}', start, end + 1))
    return items


def _answer(record: Record) -> tuple[str, str, int] | None:
    """Task, shot and relevance; None for an answer that nobody judged, or the server itself."""
    if 'judged' not in record:
        raise ValueError(f"there is no 'judged', as answers have, but {_KINDS}")
    if not str(record['judged']).startswith('judge'):
        return None
    correct = record.get('correct')
    if not isinstance(correct, bool | str) or correct not in _TRUTHS:
        raise ValueError(f"'correct' is {quoted(correct)}, but a judged answer is true or false: correct it")
    shot = f'shot{_number(record, "videoNumber"):05d}_{_number(record, "shotNumber")}'
    return _id(record), shot, _TRUTHS[correct]


def _id(record: Record) -> str:
    id = _text(record, 'taskId' if 'taskId' in record else '_id')
    if len(id.split()) != 1:
        raise ValueError(f'the id of a task is {quoted(id)}, but an id has at least one character and no white space: '
                         'correct it')
    return id


def _text(record: Record, name: str) -> str:
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise ValueError(f'there is no text {name!r}, but {_KINDS}')
    return value


def _list(record: Record, name: str) -> list[Any]:
    value = record.get(name)
    if not isinstance(value, list):
        raise ValueError(f'there is no list {name!r}, but {_KINDS}')
    return value


def _number(record: Record, name: str) -> int:
    value = record.get(name) if isinstance(record, dict) else None
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise ValueError(f'{name} is {quoted(value)}, but videos, shots and frames are whole numbers from 0 to '
                         '999999999: correct it')
    return int(text)


def _read(path: StrPath, parse: Callable[[Record], Any]) -> tuple[list[int], list[Any]]:
    """The numbers of the lines, and what is made of each; without the line that has the names of fields."""
    names: list[str] = []

    def row(fields: list[str]) -> Any:
        line, = fields
        if line.startswith('{'):
            return parse(json_value(line, _KINDS))
        if names:
            return parse(dict(zip(names, line.split(';'))))
        names.extend(line.split(';'))
        if 'taskId' not in names:
            raise ValueError(f'the line begins with {quoted(line)}, but {_KINDS}')
        return names
    numbers, rows = numbered_rows(path, row, lambda line: [line.strip()] if line.strip() else [])
    found = [(number, made) for number, made in zip(numbers, rows) if made is not names]  # behind objects too
    return [number for number, _ in found], [made for _, made in found]


SERVER = Format(
    'vbs-server', 'Video Browser Showdown 2018 to 2020: judged answers of its server, shots, no runs', None,
    Files(read_judged), lists=('queries',), read_queries=read_server_tasks)
