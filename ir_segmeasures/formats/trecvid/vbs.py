"""The Video Browser Showdown (VBS): judgements that are parts of videos with times, its files ``…_dres.txt``; tasks,
what was shown to the searchers; the known items, and judged answers.

Source: the judgements of the VBS's ad hoc tasks of 2022, which come with the strata of TRECVID's; the archive of the
VBS, https://github.com/lucaro/VBS-Archive, with the textual known-item tasks of 2019–24 in one list, the exports of its
server DRES of 2023 (version 1) and 2024 (version 2), and what its server of 2018 to 2020 kept: ``tasks.csv`` and
``submissions.csv`` of 2018, with semicolons, ``tasks.db`` and ``submissions.db`` of 2019 and 2020, one JSON object a
line. Videos are those of IACC.3 (2018) and V3C1. That shots count from 1 is what the files look like (unsure).
"""

import os
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any, NamedTuple, Tuple  # noqa: UP035

import msgspec
import numpy as np

from ir_segmeasures.formats.files.fields import finite_number, id_of, interned, refuse_again, refuse_backwards, seconds
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in, read_text, refuse_twice
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentQrel, TrecQrel
from ir_segmeasures.formats.json_files import converted, json_lines, json_value
from ir_segmeasures.formats.trecvid.judgements import ShotQrel, sampled, strata, without_repeats
from ir_segmeasures.formats.trecvid.shot_tables import RATES_NEEDED, Rates, frames_of
from ir_segmeasures.segments.basics import is_number, joined, plain_number, quoted
from ir_segmeasures.segments.user_warnings import warn_user


class DresQrel(NamedTuple):
    """A judged part of a video of the VBS.

    Attributes:
        query_id: the task
        doc_id: the bare video
        start, end: seconds from its beginning, half-open
        relevance, iteration, stratum: as in :class:`~ir_segmeasures.formats.trecvid.judgements.ShotQrel`
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: int
    iteration: str
    stratum: int


def read_dres(path: StrPath, frame_rate: Rates | None = None, repair: str = RATES_NEEDED) -> Sequence[DresQrel]:
    """Reads the VBS's judgements with times, in file order, which have a header.

    Starts and ends are the seconds of the file; its frames are not used. A row that starts where it ends is a single
    frame: it becomes one frame long. The other ends stay: in the file of 2022, nearly every shot that follows another
    starts one frame after its end, but whether the end is meant to include that frame, the file does not say.

    Lines that are repeated exactly count once.

    Args:
        path: the file, ``.gz`` by suffix
        frame_rate: frames per second, or those of each video; needed for single frames alone
        repair: what the error for single frames without one tells people to do

    Raises:
        FormatError: the header is missing; a line does not have 9 fields, or one that cannot be read; a row ends before
            it starts; two lines contradict each other; there are single frames whose frame rate is not given
        ValueError: a frame rate is not above 0
        OSError: the file cannot be opened
    """
    rows = _DRES.read(path)
    if not isinstance(rows, FileRows):  # there are none
        return rows
    videos, starts, ends = (rows.columns[name] for name in ('doc_id', 'start', 'end'))
    ends = rows.columns['end'] = ends.astype(float)
    single = np.flatnonzero(starts == ends).tolist()
    assert rows.lines is not None
    frames = frames_of(path, [(int(rows.lines[place]), videos[place]) for place in single], frame_rate, repair)
    for place in single:
        ends[place] = float(Fraction(str(starts[place])) + frames[videos[place]])
    return without_repeats(path, rows, judged=4)


def _judgement(task: Any, junk: Any, item: Any, start_fr: Any, start_s: Any, end_fr: Any, end_s: Any, stratum: Any,
               judgement: Any) -> DresQrel:
    start, end = seconds(start_s), seconds(end_s)
    refuse_backwards((end < start).any(), start_s[0], end_s[0])
    return DresQrel._make((interned(task), interned(item), start, end, sampled(judgement), interned(junk),
                           strata(stratum)))


_DRES = Lines("the VBS's judgements with times", 'taskName junk item start_fr start_s end_fr end_s stratum judgement',
              _judgement, header=True)
VBS_DRES = Format(
    'vbs-dres', 'Video Browser Showdown: judgements with times and strata, no runs', 't',
    _DRES.files(read_dres, rules=Rules(('known_video',), ('overlap', 'within_the_document'), measured=False)),
    dataset_row=ShotQrel, lists=('videos',))


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
    data = json_value(read_text(path), f'tasks of the VBS are {_KINDS}: {WRONG_KIND}', path)
    found: dict[str, tuple[VbsTask, list[SegmentQrel]]] = {}
    with errors_in(path):
        try:
            for task, places in _listed(data) if isinstance(data, list) else _exported(data):
                refuse_again(task.query_id, found)
                found[task.query_id] = task, [_known_item(task.query_id, *place) for place in places]
        except (KeyError, TypeError, AttributeError):
            raise ValueError(f'the JSON has another structure than {_KINDS}: {WRONG_KIND}') from None
    return list(found.values())


_Found = Iterator[tuple[VbsTask, list[tuple[str, Number, Number]]]]


def _listed(tasks: list[dict[str, Any]]) -> _Found:
    for task in tasks:
        extent = task['videorange']
        yield _task(task['query_name'], '', task['hints']), [(task['answer'], extent['start'], extent['end'])]


def _exported(export: dict[str, Any]) -> _Found:
    second = 'template' in export
    kind, text, extent = ('TEXT', 'description', 'range') if second else ('TextHint', 'text', 'temporalRange')
    for task in export['template' if second else 'description']['tasks']:
        hints = [hint[text] for hint in task['hints'] if hint['type'] == kind]
        targets = [target for target in (task['targets'] if second else [task['target']]) if extent in target]
        yield _task(task['name'], task['taskGroup'] if second else task['taskGroup']['name'], hints), [
            (target['item']['name'], *(_milliseconds(target[extent][end]) for end in ('start', 'end')))
            for target in targets]


def _task(name: str, type: str, hints: Sequence[str]) -> VbsTask:
    texts = tuple(' '.join(hint.split()) for hint in hints)
    return VbsTask(id_of(name, 'the task'), texts[-1] if texts else '', type, texts)


def _milliseconds(point: dict[str, Any]) -> Number:
    unit = point.get('unit', point.get('type'))
    number = finite_number(str(point['value' if 'value' in point else 'millisecond']))
    if unit not in _MILLISECONDS or number is None:
        raise ValueError(f'a time is {joined(point.values())}, but only numbers in {" or ".join(_MILLISECONDS)} can be '
                         'read without the frame rate: export the tasks with such times')
    return number * _MILLISECONDS[unit]


def _known_item(task: str, video: str, start: Number, end: Number) -> SegmentQrel:
    if not isinstance(video, str):
        raise TypeError
    if not (is_number(start) and is_number(end) and 0 <= start < end):
        raise ValueError(f'the known item of task {quoted(task)} starts at {quoted(start)} and ends at {quoted(end)} '
                         'ms, but an end is after its start, from 0 on: correct it')
    return SegmentQrel(task, video, plain_number(start / 1000), plain_number(end / 1000), 1)


VBS_KIS = Format(
    'vbs-kis', 'Video Browser Showdown: known items of tasks, JSON of its archive and of DRES, no runs', 't',
    Files(read_vbs_items), lists=('queries', 'videos'), read_queries=read_vbs_tasks)


_SERVER_KINDS = ("a line of the VBS's server is a JSON object, or has fields between semicolons, of which the first "
                 f'line has the names: {WRONG_KIND}')
_Number = Annotated[int, msgspec.Meta(ge=0, lt=10 ** 9)]
_Word = Annotated[str, msgspec.Meta(pattern=r'\A\S+\Z')]


class _Range(msgspec.Struct):
    videoNumber: _Number
    startFrame: _Number
    endFrame: _Number


class _Hint(msgspec.Struct):
    text: str


class _Task(msgspec.Struct, rename={'id': '_id'}):
    type: str
    id: _Word | None = None
    taskId: _Word | None = None
    avsText: str | None = None
    text1: str | None = None
    text2: str | None = None
    text3: str | None = None
    textList: list[_Hint] = []
    videoRanges: list[_Range] = []

    @property
    def query_id(self) -> str:
        return self.taskId or self.id or ''

    @property
    def hints(self) -> list[str]:
        if self.type.startswith('AVS'):
            return [self.avsText or '']
        if not self.type.startswith('KIS_Textual'):
            return []
        return [hint.text for hint in self.textList] or list(filter(None, (self.text1, self.text2, self.text3)))


class _Answer(msgspec.Struct, rename={'id': '_id'}):
    judged: str | None
    videoNumber: _Number
    shotNumber: _Number
    taskId: _Word
    correct: bool | None = None


def read_server_tasks(path: StrPath) -> list[VbsTask]:
    """Reads the tasks of ``tasks.csv`` and ``tasks.db``, in file order. Their ids are those that answers have: the
    number of the task in 2018, its ``_id`` from 2019 on, since names have blanks or are there twice. Types begin with
    ``AVS`` (one text), ``KIS_Textual`` (texts, shown one after the other) or ``KIS_Visual`` (no text).

    Raises:
        FormatError: a line is neither of the two; a task lacks a field, or is there twice
        OSError: the file cannot be opened
    """
    tasks = _read(path, _Task, lambda task: _task(task.query_id, task.type, task.hints))
    refuse_twice(path, (number for number, _ in tasks), (task.query_id for _, task in tasks), 'task',
                 'every task has an id of its own: take one of the two out')
    return [task for _, task in tasks]


def read_server_items(path: StrPath, frame_rate: Rates | None = None, repair: str = RATES_NEEDED) -> list[SegmentQrel]:
    """Reads the known items of the same files: the parts of videos that answer tasks of the types KIS, in seconds. The
    files have the first frame of an item and the last, which is part of it.

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
    def item(query_id: str, extent: _Range) -> SegmentQrel:
        refuse_backwards(extent.endFrame < extent.startFrame, str(extent.startFrame), str(extent.endFrame))
        return SegmentQrel(query_id, f'{extent.videoNumber:05d}', extent.startFrame, extent.endFrame + 1, 1)
    items = [(number, row) for number, rows in _read(path, _Task, lambda task: [
        item(task.query_id, extent) for extent in task.videoRanges if task.type.startswith('KIS')]) for row in rows]
    frames = frames_of(path, [(number, row.doc_id) for number, row in items], frame_rate, repair)
    return [row._replace(start=float(row.start * frames[row.doc_id]), end=float(row.end * frames[row.doc_id]))
            for _, row in items]


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
    for number, answer in _read(path, _Answer):
        if answer.judged is not None and answer.judged.startswith('judge'):
            if answer.correct is None:
                raise FormatError("there is no 'correct', but a judged answer is true or false: add it", path, number)
            shot = f'shot{answer.videoNumber:05d}_{answer.shotNumber}'
            judged.setdefault((answer.taskId, shot), set()).add(int(answer.correct))
    both = [shot for (_, shot), found in judged.items() if len(found) > 1]
    if both:
        warn_user(f'{os.fspath(path)}: {len(both)} of {len(judged)} shots are judged both ways, such as '
                  f'{quoted(both[0])}, and count as relevant')
    return [TrecQrel(task, shot, max(found), '0') for (task, shot), found in judged.items()]


def _read(path: StrPath, kind: type[Any], made: Callable[[Any], Any] = lambda record: record) -> list[tuple[int, Any]]:
    """The number of each line, and what is made of its record; without the line that has the names of fields."""
    names: list[str] = []

    def record(line: str) -> Any:
        line = line.strip()
        if line.startswith('{'):
            found = json_value(line, _SERVER_KINDS)
        elif names:
            found = {name: value or None for name, value in zip(names, line.split(';'))}
            if found.get('startFrame'):
                found['videoRanges'] = [{name: found[name] for name in _Range.__struct_fields__ if name in found}]
        else:
            names.extend(line.split(';'))
            if 'taskId' not in names:
                raise ValueError(f'the line begins with {quoted(line)}, but {_SERVER_KINDS}')
            return None
        return made(converted(found, kind, 'the line', strict=False))
    return [(number, found) for number, found in json_lines(path, record) if found is not None]
