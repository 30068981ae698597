"""Documents cut into pieces that become segments: windows and spans over plain text and over transcripts.

A piece is (start, end, text). Of plain text it is a slice: positions count the characters of the document (or its
words, the longest stretches without white space, or its lines, each with the line break that ends it), and the text is
what stands there, unchanged. Of a transcript it is an interval of time with the lines that belong to it (sentences,
captions or single words, as the transcript has them), joined by blanks.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf
from numbers import Real
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import (
    COUNTED,
    TOO_LARGE,
    Line,
    Segment,
    format_segment,
    parse_segment,
    seconds,
    ticks,
)

RULES = ('start', 'overlap')

Span = tuple[int, int]

# What a text is made of. Lines end as RFC 5147 has it.
_PARTS = {'word': re.compile(r'\S+'), 'line': re.compile(r'[^\r\n]*(?:\r\n?|\n)|[^\r\n]+')}


class Piece(NamedTuple):
    """A part of a document: what becomes a segment.

    Attributes:
        start, end: half-open, in seconds, characters or words from the beginning of the document
        text: what is written or spoken there
    """
    start: float
    end: float
    text: str


class SpacedText(str):
    """A part of a document with blanks that the document does not have; positions in it count without them.

    Attributes:
        blanks: their places in this text, in order
    """
    blanks: Sequence[int]

    def __new__(cls, text: str, blanks: Sequence[int] = ()) -> 'SpacedText':
        made = super().__new__(cls, text)
        made.blanks = blanks
        return made


def windows(extent: int, length: int, stride: int) -> Iterator[Span]:
    """The windows ``[0, length)``, ``[stride, stride + length)`` … over ``[0, extent)``, in whole numbers.

    The first that reaches the end is the last, and ends there: those that would follow lie within it. Where the stride
    is not greater than the length, the windows cover everything; what lies between windows otherwise is left out.
    """
    for start in range(0, extent, stride):
        yield start, min(start + length, extent)
        if start + length >= extent:
            return


def cut_text(text: str, spans: Iterable[Span], unit: str = 'char', offsets: str | None = None) -> list[Piece]:
    """The pieces of a text that stand at spans.

    Args:
        text: of the whole document
        spans: within the text, in ``unit``; :func:`windows` gives sliding ones
        unit: ``'char'``, ``'word'`` or ``'line'``
        offsets: what the pieces' positions count, ``'char'`` or the unit itself; ``unit`` if it is not given
    """
    pieces, (starts, ends) = [], _parts(text, unit)
    for first, last in spans:
        start, end = (starts[first], ends[last - 1]) if first < last else (0, 0)
        pieces.append(Piece(*((start, end) if offsets == 'char' else (first, last)), text[start:end]))
    return pieces


def text_extent(text: str, unit: str) -> int:
    """How many characters, words or lines a text has."""
    return len(_parts(text, unit)[0])


@lru_cache(maxsize=4)  # the segments of a text are cut one by one
def _parts(text: str, unit: str) -> tuple[Sequence[int], Sequence[int]]:
    """The starts and the ends of all characters, words or lines."""
    if unit == 'char':
        return range(len(text)), range(1, len(text) + 1)
    spans = [match.span() for match in _PARTS[unit].finditer(text)]
    return [start for start, _ in spans], [end for _, end in spans]


def slide_transcript(transcript: Sequence[Line], length: float, stride: float, by: str = 'start') -> Iterator[Piece]:
    """Sliding windows over a transcript, from 0 to where its last line ends.

    Args:
        transcript: lines as :func:`transcript_lines` gives them
        length, stride: of the windows, in seconds, > 0
        by: which lines belong to a window, see :func:`cut_transcript`

    Returns:
        the pieces in which something is spoken, one at a time
    """
    spans = windows(ticks(extent_of(transcript)), ticks(length), ticks(stride))
    return (piece for piece in _cut_lines(transcript, spans, by) if piece.text and not piece.text.isspace())


def cut_transcript(transcript: Sequence[Line], spans: Iterable[tuple[float, float]],
                   by: str = 'start') -> list[Piece]:
    """The pieces of a transcript that are spoken in the spans.

    Args:
        transcript: lines as :func:`transcript_lines` gives them
        spans: in seconds
        by: which lines belong to a span: ``'start'``, those that start in it, so that a line belongs to one of several
            adjacent spans; or ``'overlap'``, those of which any moment lies in it. Touching is not an overlap. A line
            without duration belongs where it starts, and at the very end of the transcript to what ends there.

    Returns:
        a piece for each span; the text is empty where nothing is spoken
    """
    return list(_cut_lines(transcript, ((ticks(start), ticks(end)) for start, end in spans), by))


def _cut_lines(transcript: Sequence[Line], spans: Iterable[Span], by: str) -> Iterator[Piece]:
    starts = [ticks(line.start) for line in transcript]
    # By its start, a line counts as its first tick; one without duration always does.
    ends = [max(start + 1, ticks(line.end) if by == 'overlap' else 0) for start, line in zip(starts, transcript)]
    extent = ticks(extent_of(transcript))
    reached = list(accumulate(ends, max))
    for start, end in spans:
        stop = bisect_left(starts, end + (end == extent)) if start < end else 0
        found = [line for line in range(bisect_right(reached, start), stop) if ends[line] > start]
        yield Piece(seconds(start), seconds(end), ' '.join([transcript[line].text for line in found]))


def extent_of(transcript: Iterable[Line]) -> float:
    """Tells where the last line ends, in seconds; 0 without lines."""
    return seconds(max((ticks(line.end) for line in transcript), default=0))


def pieces_of(transcript: Iterable[Line]) -> list[Piece]:
    """The lines as pieces, in order of time. Those of one extent are one piece, with the texts of all."""
    extents: dict[Span, list[str]] = {}
    for line in transcript:
        extents.setdefault((ticks(line.start), ticks(line.end)), []).append(line.text)
    return [Piece(seconds(start), seconds(end), ' '.join(texts)) for (start, end), texts in sorted(extents.items())]


def transcript_lines(value: Any) -> list[Line]:
    """The lines of a transcript, in order of their starts (those that start together keep their order).

    Args:
        value: a list of tuples ``(start, end, text)`` or ``(start, end, text, speaker)``, of dicts with these keys, or
            of objects with these attributes; times in seconds

    Raises:
        ValueError: another shape, times that are not numbers from 0 on, an end before the start, or spoken text in a
            transcript that ends at 0
    """
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f'the transcript is {quoted(value)}: give a list of lines, each (start, end, text) with '
                         'times in seconds')
    read = []
    for number, entry in enumerate(value, 1):
        what = f'line {number} of the transcript'
        fields = _fields(entry, Line._fields)
        if fields is None or not 3 <= len(fields) <= 4 or not isinstance(fields[2], str):
            raise ValueError(f'{what} is {quoted(entry)}: give (start, end, text), or (start, end, text, speaker), '
                             'with times in seconds')
        start, end = _interval(fields[0], fields[1], 't', what)
        read.append(Line(start, end, *fields[2:]))
    read.sort(key=lambda line: ticks(line.start))
    if extent_of(read) == 0 and any(line.text.strip() for line in read):
        raise ValueError('the transcript has text, but all of it ends at 0: give the lines their times in seconds')
    return read


def read_spans(value: Any, unit: str, extent: float) -> list[tuple[Any, Any]]:
    """Spans as they were given: in order, each once.

    Args:
        value: spans, each ``(start, end)``, a dict with these keys or an object with these attributes; or positions,
            ascending numbers at which one span ends and the next begins, from 0 to ``extent``. An empty list is one of
            spans.
        unit: ``'t'`` (seconds), or ``'char'``, ``'word'`` or ``'line'``: whole numbers up to ``extent``
        extent: of the document; spans of time may go beyond it

    Raises:
        ValueError: neither, or numbers that are out of order or out of the document
    """
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f'the boundaries are {quoted(value)}: give a list of spans (start, end), or of positions')
    entries = list(value)
    numbers = [_is_number(entry) for entry in entries]
    if any(numbers):
        if not all(numbers):
            raise ValueError('the boundaries mix positions and spans: give either numbers, or pairs (start, end)')
        positions = [_position(entry, unit, f'position {count}:', extent) for count, entry in enumerate(entries, 1)]
        for count, (before, after) in enumerate(pairwise(positions), 2):
            if after < before:
                raise ValueError(f'position {count} ({format_number(after)}) is smaller than the one before it '
                                 f'({format_number(before)}): give positions in ascending order')
        return list(pairwise(sorted({0, *positions, extent})))
    spans: dict[tuple[float, float], None] = {}
    for count, entry in enumerate(entries, 1):
        what = f'span {count}'
        fields = _fields(entry, ('start', 'end'))
        if fields is None or len(fields) != 2:
            raise ValueError(f'{what} is {quoted(entry)}: give (start, end)')
        spans[_interval(fields[0], fields[1], unit, what, extent)] = None
    return sorted(spans)


def _fields(entry: Any, names: Sequence[str]) -> list[Any] | None:
    if type(entry) in (tuple, list):  # most are
        return list(entry)
    if isinstance(entry, Mapping):
        return [entry.get(name) for name in names]
    if all(hasattr(entry, name) for name in names[:2]):
        return [getattr(entry, name, None) for name in names]
    return list(entry) if isinstance(entry, Iterable) and not isinstance(entry, str) else None


def _interval(start: Any, end: Any, unit: str, what: str, extent: float = inf) -> tuple[float, float]:
    start, end = _position(start, unit, f'{what} starts at'), _position(end, unit, f'{what} ends at', extent)
    if end < start:
        raise ValueError(f'{what} ends before it starts ({format_number(end)} < {format_number(start)}): write the '
                         'smaller position first')
    return start, end


def _position(value: Any, unit: str, what: str, extent: float = inf) -> float:
    """A number of Python's own: an integer, or to the microsecond. Those of a text end with its extent."""
    if not _is_number(value) or not 0 <= value < TOO_LARGE:
        raise ValueError(f'{what} {quoted(value)}: give a number from 0 to below 10^15')
    if unit != 't' and value != int(value):
        raise ValueError(f"{what} {quoted(value)}, but positions in '{unit}' are whole: give an integer")
    if unit != 't' and value > extent:
        raise ValueError(f'{what} {int(value)}, but the document has {extent} {COUNTED[unit]}: correct it, or cut the '
                         'text that it was made for')
    return int(value) if value == int(value) else seconds(ticks(float(value)))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) or (isinstance(value, Real) and not isinstance(value, bool))


def segments_of(document: str, unit: str, pieces: Iterable[Piece], text: str | None = None) -> list[tuple[str, str]]:
    """The segments of a document: ids and texts.

    A document that is a segment of text itself is cut within: positions then count in the document
    that it is part of.

    Args:
        document: its id
        unit: of the pieces
        pieces: those without text, or with white space alone, are left out
        text: of the document, where the pieces are its slices

    Raises:
        ValueError: an id that no run file can carry; a segment in another unit, in time, or with a text that is not
            its own
    """
    shift = 0
    blanks: Sequence[float] = getattr(text, 'blanks', ())
    origin = parse_segment(document)
    if origin.unit is not None:
        if unit == 't' or origin.unit != unit:
            raise ValueError(f"{quoted(document)} is a segment already and cannot be cut in '{unit}': cut the whole "
                             "document, or a segment of text in its own unit")
        extent = text_extent(text or '', unit) - len(blanks)
        if origin.end - origin.start not in (extent, inf):
            raise ValueError(f'{quoted(document)} has {format_number(origin.end - origin.start)} positions and its '
                             f'text has {extent}, so that offsets in it would be wrong: give the text of the segment '
                             'itself')
        document, shift = origin.document, int(origin.start)
    stem = format_segment(Segment(document, 0, 0, unit)).removesuffix('0,0')

    def place(at: float) -> str:
        return format_number(at + shift - bisect_left(blanks, at))
    return [(f'{stem}{place(start)},{place(end)}', content)
            for start, end, content in pieces if content and not content.isspace()]


def segment_texts(value: Any, segments: Mapping[str, Segment], by: str) -> list[str]:
    """The texts of segments of one document.

    Args:
        value: the text of the document, or the lines of its transcript
        segments: id → segment, in the document
        by: which lines of a transcript belong to a segment, see :func:`cut_transcript`

    Raises:
        ValueError: a segment in a unit that the text has not, or behind its end

    Examples:
        >>> from ir_segmeasures.segments.segment import parse_segment
        >>> from ir_segmeasures.texts.cutting import segment_texts
        >>> segment_texts('Bees dance.', {id: parse_segment(id) for id in ('d#char=0,4', 'd#word=1,2')}, 'start')
        ['Bees', 'dance.']
    """
    if isinstance(value, bytes):
        raise ValueError('the source has bytes: give the function that makes text of them with read=…, such as '
                         'read=bytes.decode')
    if isinstance(value, str):
        return [_slice(value, id, segment) for id, segment in segments.items()]
    lines = transcript_lines(value)
    for id, segment in segments.items():
        if segment.unit not in (None, 't'):
            raise ValueError(f'{quoted(id)} counts {COUNTED[segment.unit]}, but the source has a transcript, which '
                             'counts seconds: give the text that it was cut from')
    extent = extent_of(lines)
    spans = [(segment.start, max(segment.start, extent) if segment.end == inf else segment.end)
             for segment in segments.values()]
    everything = ' '.join(line.text for line in lines)
    return [everything if segment.unit is None else piece.text
            for segment, piece in zip(segments.values(), cut_transcript(lines, spans, by))]


def _slice(text: str, id: str, segment: Segment) -> str:
    """The text of a segment of a plain text."""
    if segment.unit is None:
        return text
    if segment.unit in ('t', 'page'):
        repair = ('the transcript, a list of lines (start, end, text) with times in seconds' if segment.unit == 't' else
                  'a mapping with the text of each such id')
        raise ValueError(f'{quoted(id)} counts {COUNTED[segment.unit]}, but the source has plain text: give {repair}')
    extent = text_extent(text, segment.unit)
    end = extent if segment.end == inf else segment.end
    if max(segment.start, end) > extent:
        which, at = ('ends', end) if end > extent else ('starts', segment.start)
        raise ValueError(f'{quoted(id)} {which} at {format_number(at)}, but the text has {extent} '
                         f'{COUNTED[segment.unit]}: give the text that it was cut from; segments that were made longer '
                         'stay within documents with expand(durations=…)')
    return cut_text(text, [(int(segment.start), int(end))], segment.unit)[0].text
