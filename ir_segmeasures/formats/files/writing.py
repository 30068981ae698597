"""Writers of files share the error, the walk over rows, and a file that appears as a whole.

A writer takes the rows of any reader. All of its text is made before a file is touched, so that a row which the format
cannot hold leaves nothing behind. What makes a line knows one row and nothing else: it raises ``ValueError`` with a
sentence, and the walk adds the row.
"""

import contextlib
import functools
import gzip
import math
import os
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ir_segmeasures.formats.files.reading import UTF_8, StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment

Line = TypeVar('Line')

DECIMALS = 6  # of a position in a segment id
_ALWAYS = ('query_id', 'doc_id', 'start', 'end', 'relevance', 'score', 'rank')  # what each format holds or counts anew
_NOTHING = ('', '0', 'Q0')  # texts of a field that holds nothing


class WriteError(ValueError):
    """The format cannot hold a row.

    Attributes:
        sentence: the row, the rule that it breaks and the repair
        row: number of the row, counted from 0
    """

    def __init__(self, sentence: str, row: int) -> None:
        super().__init__(sentence, row)
        self.sentence, self.row = sentence, row

    def __str__(self) -> str:
        return f'row {self.row + 1}: {self.sentence}'


def judged_lines(rows: Iterable[Any], line: Callable[[Any], Line]) -> list[Line]:
    """The line of every row, in the order of the rows.

    Args:
        rows: judgements
        line: makes a line of a row, or adds the row to what is written, or raises ``ValueError`` with a sentence

    Raises:
        WriteError: the sentence with the row
    """
    return [_made(number, row, line) for number, row in enumerate(rows)]


def scored_in_order(rows: Sequence[Any]) -> Sequence[Any]:
    """Retrieved items with scores by which every program has the order of the rows between items of one score.

    Raises:
        WriteError: a score is not a finite number
    """
    from ir_segmeasures.ids.ties import break_ties  # runs are written seldom
    judged_lines(rows, lambda row: decimal(row.score, 'score'))
    broken: Sequence[Any] = break_ties(list(rows), by='order')
    return broken


def ranked_lines(rows: Sequence[Any], line: Callable[[Any, int], Line], kept: bool = False) -> list[Line]:
    """The line of every row, query by query in the order by score, ties in that of the rows, as :func:`judged_lines`.

    Args:
        rows: retrieved items
        line: of a row and its rank, from 1
        kept: whether the lines are in the order of the rows, those of :func:`scored_in_order`

    Raises:
        WriteError: the sentence with the row; a score is not a finite number
    """
    rows = list(rows)
    if not kept:
        judged_lines(rows, lambda row: decimal(row.score, 'score'))
    queries: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        queries.setdefault(row.query_id, []).append(position)
    ranked = [(position, rank) for items in queries.values()
              for rank, position in enumerate(sorted(items, key=lambda position: -rows[position].score), 1)]
    return [_made(position, rows[position], lambda row, rank=rank: line(row, rank))  # type: ignore[misc]
            for position, rank in (sorted(ranked) if kept else ranked)]


def _made(position: int, row: Any, make: Callable[[Any], Line]) -> Line:
    try:
        encoded(row.query_id, 'query', UTF_8)
        encoded(row.doc_id, 'id', UTF_8)
        return make(row)
    except ValueError as error:
        times = f' from {row.start} to {row.end}' if hasattr(row, 'end') else ''
        raise WriteError(f'query {quoted(row.query_id)}, {quoted(row.doc_id)}{times}: {error}', position) from None


def segment_of(row: Any, unit: str | None, wanted: str, format: str) -> Segment:
    """The segment of a row in a format with starts and ends in one unit.

    Args:
        row: with ``start`` and ``end``, or with a segment id
        unit: of ``start`` and ``end``; that of the format if it is None
        wanted: the format's unit
        format: how the format is called

    Raises:
        ValueError: it is none, a whole document, has no end or another unit
    """
    has_times = hasattr(row, 'end')
    segment = Segment(row.doc_id, row.start, row.end, unit or wanted) if has_times else parse_segment(row.doc_id)
    if segment.unit is None:
        raise ValueError(f'this is a whole document, but {format} holds segments: add a fragment, as #{wanted}=10,20')
    if segment.unit != wanted:
        raise ValueError(f'the unit is {quoted(segment.unit)}, but segments of {format} are in {quoted(wanted)}: '
                         f'choose a format that holds {quoted(segment.unit)}, such as trec')
    if segment.end == math.inf:
        raise ValueError(f"the segment runs to the document's end, which is not known, but {format} needs it: write "
                         'the end into the id')
    _refuse_backwards(segment)
    return segment


def place_of(row: Any, unit: str | None) -> dict[str, Any]:
    """The id of a row, and its start and end where these are seconds, as columns of tables hold them. Raises
    ``ValueError`` for what is not a segment."""
    if not hasattr(row, 'end'):
        return {'doc_id': row.doc_id}
    _refuse_backwards(row)
    if unit in (None, 't'):
        return {'doc_id': row.doc_id, 'start': float(row.start), 'end': float(row.end)}
    return {'doc_id': format_segment(Segment(row.doc_id, row.start, row.end, unit))}


def _refuse_backwards(segment: Any) -> None:
    if not 0 <= segment.start <= segment.end:
        raise ValueError('a segment starts at 0 or later and ends at or after its start: correct the two')


def refuse_grades(row: Any, format: str) -> None:
    """Raises ``ValueError`` for a row that is not relevant or has a grade, in formats that list what is relevant."""
    if row.relevance != 1:
        raise ValueError(f'relevance {quoted(row.relevance)} cannot be written, as {format} has no grades: judge it 1')


def whole(value: Number, what: str, format: str, least: int = 0) -> int:
    """A number of a format that knows whole ones of at most nine digits only. Raises ``ValueError`` for others."""
    if not least <= value < 10 ** 9 or value != math.floor(value):
        raise ValueError(f'{what} {quoted(value)} cannot be written, since {format} has whole numbers from {least} to '
                         '999999999: correct it, or round all with --round')
    return int(value)


def whole_span(row: Any, unit: str | None, wanted: str, format: str) -> tuple[str, int, int]:
    """The document, the start and the end of a row in a format of whole positions: :func:`segment_of`,
    :func:`whole`."""
    segment = segment_of(row, unit, wanted, format)
    return segment.document, whole(segment.start, 'start', format), whole(segment.end, 'end', format)


def grade(row: Any, format: str) -> str:
    """The relevance of a row in a format of whole grades. Raises ``ValueError`` for anything else."""
    return str(whole(row.relevance, 'relevance', format, 1 - 10 ** 9))


def run_of(row: Any) -> str:
    """The name of the row's run, and of one without a name ``ir_segmeasures``, for formats that need one."""
    return getattr(row, 'run', None) or 'ir_segmeasures'


def own_score(row: Any) -> Any:
    """The row's ``run_score``; where that is missing, in frames NaN, its score."""
    score = getattr(row, 'run_score', None)
    return row.score if score is None or score != score else score


def decimal(value: Any, what: str) -> str:
    """The shortest text that is read as the same number. Raises ``ValueError`` for one that is not finite."""
    try:  # contextlib.suppress would take as long again
        if math.isfinite(exact := float(value)):
            return str(int(value)) if isinstance(value, int) and abs(value) <= 1 << 53 else repr(exact)  # a float, too
    except (OverflowError, TypeError, ValueError):
        pass
    raise ValueError(f'{what} {quoted(value)} is not a finite number: correct it')


@functools.lru_cache(maxsize=1 << 15)
def word(text: str, what: str, encoding: str = UTF_8, separator: str = '') -> str:
    """The text, if it stays one field of a line, between white space or separators. Raises ``ValueError`` if not."""
    if separator and {separator, '\r', '\n'} & {*text}:
        raise ValueError(f'{what} {quoted(text)} holds a tab or a line end, at which files are split: take it out')
    if not separator and text.split() != [text]:
        raise ValueError(f'{what} {quoted(text)} is empty or holds white space: percent-encode it, or write .csv')
    if encoded(text, what, encoding).startswith(BOM_UTF8):
        raise ValueError(f'{what} {quoted(text)} begins with a byte order mark, which readers skip: take it off')
    return text


def encoded(text: str, what: str, encoding: str) -> bytes:
    """The bytes of the text. Raises ``ValueError`` if the encoding does not have all characters."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ValueError(f'{what} {quoted(text)} holds {quoted(text[error.start])}, but the file is in '
                         f'{encoding.upper()}, which does not have it: percent-encode it') from None


def left_out(rows: Iterable[Any], held: Collection[str], paths: bool = False) -> list[str]:
    """The fields of rows that the file has no place for, by their names.

    Args:
        rows: judgements or retrieved items
        held: the fields that the file holds, beside query, segment and score or relevance
        paths: whether it holds the paths of elements
    """
    rows = list(rows)
    fields = rows[0]._fields if rows else ()
    lost = [name for name in fields if name not in (*_ALWAYS, *held) and any(_holds(row, name) for row in rows)]
    if not paths and 'end' not in fields and any('#xpath=' in row.doc_id for row in rows):
        lost.append("the elements' paths")
    return lost


def _holds(row: Any, name: str) -> bool:
    value = getattr(row, name)
    nothing = value is None or value is False or str(value) == 'nan' or (isinstance(value, str) and value in _NOTHING)
    return not (nothing or (name == 'run_score' and value == row.score))


def written_id(row: Any, unit: str | None) -> str:
    """The id of a row as files of TREC hold it, that of its segment. Raises ``ValueError`` where they cannot."""
    if not hasattr(row, 'end'):
        return word(row.doc_id, 'id')
    id = format_segment(Segment(row.doc_id, row.start, row.end, unit))
    if round(row.start, DECIMALS) == round(row.end, DECIMALS) and row.start != row.end:
        raise ValueError(f'the segment is empty in an id, which has {DECIMALS} decimals: take the row out')
    return word(id, 'id')


def lost_decimals(rows: Sequence[Any]) -> list[str]:
    """The decimals of times that :func:`written_id` rounds, in words; none if there are none."""
    finer = any(time != round(time, DECIMALS) for row in rows if hasattr(row, 'end') for time in (row.start, row.end))
    return [f'decimals of times after the {DECIMALS}th'] if finer else []


def write_text(lines: list[str], path: StrPath, encoding: str = UTF_8) -> None:
    """Writes lines to a file that is there as a whole or not at all, packed if its name ends in ``.gz``.

    Raises:
        OSError: the file cannot be written; one of that name is as it was before
    """
    with whole_file(path, os.fspath(path).endswith('.gz')) as file:
        file.write(''.join(f'{line}\n' for line in lines).encode(encoding))


@contextlib.contextmanager
def whole_file(path: StrPath, packed: bool = False) -> Iterator[Any]:
    """A file to be written, maybe packed by gzip, which takes its place when all is written, and is as it was before
    after an error.

    Until then it has a hidden name beside its place. An error of the operating system names the file as the caller
    does.
    """
    target = os.path.realpath(path)
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    part = os.path.join(os.path.dirname(target), f'.ir_segmeasures-{os.urandom(8).hex()}.part')
    try:
        if mode is not None:
            with open(path, 'r+b' if stat.S_ISREG(mode) else 'wb') as old:  # protected: not to be replaced
                if not stat.S_ISREG(mode):  # nor is a pipe or a device
                    yield old
                    return
        with open(part, 'xb') as file, (
                gzip.GzipFile('', 'wb', fileobj=file, mtime=0) if packed else contextlib.nullcontext(file)) as content:
            yield content
        if mode is not None:
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError) and error.errno and not isinstance(error, BrokenPipeError) and (
                error.filename in (None, part)):
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        raise
