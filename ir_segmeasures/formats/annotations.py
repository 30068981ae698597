"""Exports of annotation tools, and files of judges, as judgements with the names of the assessors: labels of Audacity,
what the judging page of ``view --judge`` saves, and Label Studio's exports (JSON) of tasks that ``pool`` wrote.

Label Studio: a label or a rating is a grade. Content of the unit that nobody marked has the grade of the unit, or 0. An
annotation begins with the region of its unit, as ``pool`` predicts it: one that was submitted with nothing else is
not a judgement. Regions of ``TimelineLabels`` count frames from 1, and ``fps`` (or ``framerate``) in the data of the
task says how many a second has.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.lines import rows_of_lines
from ir_segmeasures.formats.files.reading import StrPath, files_of, stem
from ir_segmeasures.formats.files.row_types import FileRows, Number
from ir_segmeasures.formats.moment_windows import Notes, object_reader
from ir_segmeasures.segments.basics import cut_out, is_number, quoted
from ir_segmeasures.segments.segment import TOO_LARGE, Segment, format_segment, parse_segment, quote_id

UNJUDGED = 'unjudged'  # the label of the unit in tasks, over which the assessor marks what is relevant
_GRADE = re.compile(r'-?\d+(?:\.\d+)?(?=\s|$)')
_WORDS = {'': 1, 'relevant': 1, 'not relevant': 0, 'irrelevant': 0, UNJUDGED: None}
_SUFFIXES = ('.txt', '.tsv')  # of Audacity

_Frame = Annotated[int, msgspec.Meta(ge=1, lt=10 ** 9)]
_Rate = Annotated[float, msgspec.Meta(gt=0, lt=1e9)]


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


def grade_of(label: Any) -> Number | None:
    """The grade that a label names: a number in front, such as ``'2 highly relevant'``; 1 for ``'relevant'`` or
    nothing; None for ``'unjudged'``.

    Raises:
        ValueError: it names none

    Examples:
        >>> from ir_segmeasures.formats.annotations import grade_of
        >>> grade_of('2 highly relevant'), grade_of('not relevant'), grade_of('unjudged')
        (2, 0, None)
    """
    if is_number(label):
        return label
    text = ' '.join(label.lower().split()) if isinstance(label, str) else 'no text'
    found = _GRADE.match(text)
    if found is None and text not in _WORDS:
        raise ValueError(f'the label {quoted(label)} is not a grade: begin it with a number, such as "2 relevant"')
    return (float if '.' in found[0] else int)(found[0]) if found else _WORDS[text]


def judged_unit(query_id: str, unit: str, marks: Iterable[tuple[Any, Any, Any]], whole: Any = None,
                assessor: str = '0') -> list[Qrel]:
    """The judgements of a unit: the marks in it, and the rest of the unit.

    Args:
        query_id: the query
        unit: the id of a segment with a start and an end
        marks: start and end in the document, and label, as :func:`grade_of` takes it, of each stretch
        whole: the label of the rest; it is judged 0 without one
        assessor: the name, which stands in the second column of files of TREC

    Raises:
        ValueError: the unit is not such a segment, a mark is not a stretch, or a label is not a grade
    """
    segment = parse_segment(unit)
    if segment.unit is None or not segment.start < segment.end < TOO_LARGE:
        raise ValueError(f'the unit {quoted(unit)} is not a segment with a start and an end: take those of the pool')
    rest: tuple[list[Any], list[Any]] = [segment.start], [segment.end]
    found = [(_stretch(segment, start, end), label) for start, end, label in marks]
    for mark, _ in found:
        cut_out(*rest, mark.start, mark.end)
    found += [(segment._replace(start=start, end=end), 0 if whole is None else grade_of(whole) or 0)
              for start, end in zip(*rest)]
    return [row for mark in found for row in _qrels(query_id, *mark, assessor)]


def _stretch(document: Segment, start: Any, end: Any) -> Segment:
    """A marked stretch of a document. Raises ``ValueError`` for one without content."""
    if not (is_number(start) and is_number(end) and 0 <= start < end < TOO_LARGE):
        raise ValueError(f'a mark goes from {quoted(start)} to {quoted(end)}, but it is a stretch with an '
                         'end after its start: correct it')
    return document._replace(start=round(start, 6), end=round(end, 6))


def _qrels(query_id: str, segment: Segment, label: Any, assessor: str = '0') -> list[Qrel]:
    """The judgement that a label stands for; none for one that says that this is not judged."""
    grade = grade_of(label)
    return [] if grade is None else [
        Qrel(query_id, format_segment(segment), grade, quote_id(assessor) or '0')]  # type: ignore[arg-type]


def _numbered_qrels(name: str, records: Iterable[Any], qrels: Callable[[Any], Iterable[Qrel]]) -> Iterator[list[Qrel]]:
    """The judgements of records, such as tasks. A ValueError about one names it by its number."""
    for number, record in enumerate(records, 1):
        try:
            yield list(qrels(record))
        except ValueError as error:
            raise ValueError(f'{name} {number}: {error}') from None


def _judgements(content: _Judgements, notes: Notes) -> Iterator[list[Qrel]]:
    """The judgements that a judging page saved. Units without a grade and a mark are not judged yet."""
    return _numbered_qrels('judgement', content.judgements, lambda judged: judged_unit(
        judged.query_id, judged.unit, [(mark.start, mark.end, mark.grade) for mark in judged.marks], judged.grade,
        content.assessor) if judged.grade is not None or judged.marks else [])


def read_labels(path: StrPath) -> Sequence[Qrel]:
    """Reads the judgements of a file of Audacity's labels, or of a folder of them: lines of a start, an end and a text
    between tabs. A label is the query, and maybe a grade behind it, such as ``q1 2``. The recording has the name of the
    file, without its ending; points, which have no content, are an error.

    Raises:
        FormatError: a line is not a label with start and end, or its text is not a query with a grade
        OSError: a file cannot be opened
    """
    return FileRows.joined([(file, _labels(file)) for file in files_of(path, _SUFFIXES)])


def _labels(path: StrPath) -> FileRows[Qrel]:
    recording = Segment(quote_id(stem(path, _SUFFIXES)), 0, 0, 't')

    def parse(fields: list[str]) -> list[Qrel]:
        if len(fields) != 3:
            raise ValueError('the line is not a start, an end and a text between tabs: export the labels once more')
        query, _, label = fields[2].strip().partition(' ')
        if not query:
            raise ValueError('the label is empty, but it names the query: write it, such as "q1 2"')
        return _qrels(query, _stretch(recording, *map(_seconds, fields[:2])), label)
    return rows_of_lines(path, parse, Qrel, split=lambda line: (  # those of the frequencies of a label begin with \
        [] if not line.strip() or line.startswith('\\') else line.split('\t')))


def _seconds(text: str) -> float:
    number = finite_number(text.strip().replace(',', '.'))
    if number is None:
        raise ValueError(f'{quoted(text)} is not a number of seconds: export the labels once more')
    return number


AUDACITY = Format('audacity', "Audacity: labels 'query grade' of recordings", None, Files(read_labels, rules=Rules()),
                  folders=True)
JUDGEMENTS = Format('judgements', 'the file that the judging page of view --judge saves', None,
                    Files(object_reader(Qrel, _Judgements, 'the judgements of a judging page', _judgements),
                          rules=Rules()))


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


class _Annotation(msgspec.Struct):
    result: list[_Result]
    was_cancelled: bool = False
    completed_by: Any = None


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


def _task_qrels(task: _Task) -> Iterator[Qrel]:
    """The judgements of a task, each with the name or the number of its assessor; skipped annotations are none."""
    for annotation in task.annotations:
        given = [result.value for result in annotation.result  # without the region of the unit that pool wrote
                 if not (result.origin or '').startswith('prediction') or result.value.labels != [UNJUDGED]]
        if annotation.was_cancelled or (annotation.result and not given):
            continue  # skipped, or submitted as it was
        whole = [whole for value in given
                 for whole in [*(value.choices or ())[:1], value.rating, value.number] if whole is not None]
        name = annotation.completed_by
        if isinstance(name, dict):
            name = name.get('email') or name.get('username') or name.get('id')
        yield from judged_unit(task.data.query_id, task.data.unit, [
            mark for value in given for mark in _marks(value, task.data)], whole[-1] if whole else None,
            '0' if name is None else str(name))


def _marks(value: _Value, data: _Data) -> Iterator[tuple[Any, Any, str]]:
    """The starts, the ends and the labels of a result's stretches; in a recording they count from its beginning."""
    stretches: list[tuple[Any, Any]] = [] if value.start is None else [(value.start, value.end)]
    if value.ranges is not None:
        rate = data.fps or data.framerate
        if rate is None:
            raise ValueError('a stretch counts frames, whose rate is not known: add "fps" to the data of the task')
        stretches = [((frames.start - 1) / rate, frames.end / rate) for frames in value.ranges]
    elif isinstance(data.text, str) and value.start is not None and value.end is not None:
        stretches = [_characters(data, value.start, value.end, value.text)]
    labels = value.labels or value.hypertextlabels or value.paragraphlabels or value.timelinelabels or ['']
    return ((start, end, label) for start, end in stretches for label in labels)


def _characters(data: _Data, start: Any, end: Any, marked: Any) -> tuple[Any, Any]:
    """The positions in the document, in characters; where those in the text are in units of UTF-16, as JavaScript
    counts, the marked text tells."""
    text = data.text
    if isinstance(marked, str) and type(start) is type(end) is int and text[start:end] != marked:
        units, given = text.encode('utf-16-le', 'surrogatepass'), (start, end)
        start, end = (len(units[:2 * place].decode('utf-16-le', 'replace')) for place in given)
        if not 0 <= given[0] <= given[1] or text[start:end] != marked:
            raise ValueError(f'the marked text {quoted(marked)} does not stand at {given}: export it once more')
    return start + data.offset, end + data.offset


LABEL_STUDIO = Format('label-studio', 'Label Studio: exports (JSON) of the tasks that pool writes', None,
                      Files(object_reader(Qrel, list[_Task], 'exports of Label Studio in JSON, not JSON-MIN',
                                      lambda tasks, _: _numbered_qrels('task', tasks, _task_qrels)),
                            rules=Rules()))
