"""The segment id: how a segment travels through every tool that knows nothing but document ids.

It is the document's id, ``#``, and a fragment in the syntax that the web has for the medium:

================================  ======================================  ==================================
fragment                          unit                                    standard
================================  ======================================  ==================================
``v0123#t=12.5,60``               seconds (also ``npt:`` and clock time)  W3C Media Fragments URI 1.0
``doc7#char=100,460``             characters, whole numbers               RFC 5147
``doc7#word=10,52``               words, whole numbers                    the same shape, this project's own
``a.py#line=10,20``               lines, whole numbers from 0             RFC 5147
``a.py#L19-L40``, ``a.py#L19``    lines from 1, the last one included     links of GitHub: ``#line=18,40``
``a.py:19-40``                    the same, of a file with an extension   as editors and agents write them
``a.pdf#page=3``, ``#page=3,7``   pages, whole numbers from 1             RFC 8118; the range is our own
``a#xpath=/bdy[1]&char=100,460``  that of the offsets behind ``&``        XPath, as INEX writes it
no ``#`` and fragment             the whole document
================================  ======================================  ==================================

Segments are half-open intervals ``[start, end)``; ``start == end`` is an entry point. An id that begins with
``t=,60`` starts at 0, one that ends at a comma (or ``t=12.5``) runs to the document's end. ``char=100`` alone is
a position, so an entry point (RFC 5147), and so is ``line=10``, between the tenth and the eleventh line.

A page has a number, the first is 1, and ``page=3`` is that page (RFC 8118), the segment ``[3, 4)``. The RFC has single
pages only; ``page=3,7`` is half-open as all segments are, pages 3 to 6. A document of D pages is ``[1, D + 1)``.

Lines of transcripts, which are cut into segments, have times to the microsecond, the precision of segment ids.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import format_number, quoted

# The things that each unit counts, in messages.
COUNTED = {'t': 'seconds', 'char': 'characters', 'word': 'words', 'line': 'lines', 'page': 'pages'}
UNITS = tuple(COUNTED)
UNIT_NAMES = "'t' (seconds), 'char', 'word', 'line' or 'page'"

_FRAGMENT = re.compile(r'#(?=(?:t|char|word|line|page|xpath)=|L[0-9]+(?:-L?[0-9]+)?\Z)')
RECORDINGS = 'mp[34]|m4[av]|mkv|avi|mov|webm|mpe?g|og[gv]|flv|wmv|wav|flac|aac|opus'  # a pattern of extensions
# Lines of a file behind a colon; recordings have none.
_COLON = re.compile(rf'(\S*[^\s/.]\.(?!(?:{RECORDINGS}):)[A-Za-z]\w*):([1-9][0-9]{{0,14}})-([1-9][0-9]{{0,14}})')
TOO_LARGE = 10 ** 15  # positions have no more digits than a float holds exactly
_NUMBER = {'t': re.compile(r'0*[0-9]{1,15}(?:\.[0-9]*)?|\.[0-9]+'),
           **dict.fromkeys(('char', 'word', 'line'), re.compile(r'0*[0-9]{1,15}')),
           'page': re.compile(r'0*[1-9][0-9]{0,13}')}
_FIRST = {'page': 1}  # all else counts from 0
_CLOCK = re.compile(r'(?:([0-9]{1,9}):)?([0-9]{1,9}):([0-9]{1,2})(\.[0-9]*)?')
_TIME = re.compile(r'(?:[0-9]+:[0-5]?[0-9]|[0-9]+):[0-5]?[0-9](?:[.,][0-9]*)?')  # with a decimal comma, too
_POINT = re.compile(r'(?=.*[1-9])([0-9]+)[.,]([0-5][0-9]?)')  # as 1.30, which some write for 1:30
_RULE = {
    't': "START,END in seconds (or hh:mm:ss): write it as '#t=12.5,60'",
    'char': "START,END in whole characters: write it as '#char=100,460'",
    'word': "START,END in whole words: write it as '#word=10,52'",
    'line': "START,END in whole lines: write it as '#line=10,20'",
    'page': "numbers of pages from 1: write it as '#page=3' or '#page=3,7'",
}
# Signs that stand in no field of a file, and in no id.
NO_TEXT = re.compile(r'[\x00-\x1f\x7f\x85\u2028\u2029\ufeff\ud800-\udfff]')
CONTROL = 'a control character, a byte order mark or half of a surrogate pair, which files cannot carry in a field'
# Signs that are percent-encoded inside xpath=: our own separators, and those that no id may hold.
_QUOTED = re.compile(rf'[%#&\s"]|{NO_TEXT.pattern}')
_NO_ID = re.compile(rf'[%#:"\s]|{NO_TEXT.pattern}')


class Segment(NamedTuple):
    """A half-open interval ``[start, end)`` of a document.

    Attributes:
        document: the id of the document, without a fragment
        start: >= 0, in ``unit``
        end: >= ``start``, in ``unit``; ``inf`` where the segment runs to a document's end that the id does not tell
        unit: one of :data:`UNITS`, or None for a whole document and for bare columns
        path: the XPath of the element that the segment is, or None

    Examples:
        >>> from ir_segmeasures import Segment, format_segment
        >>> segment = Segment('v1', 12.5, 60, 't')
        >>> segment.end - segment.start
        47.5
        >>> format_segment(segment._replace(end=90))
        'v1#t=12.5,90'
    """
    document: str
    start: float = 0
    end: float = inf
    unit: str | None = None
    path: str | None = None


def parse_segment(id: str, elements: bool = False) -> Segment:
    """The segment that an id stands for.

    Args:
        id: the id; one without a known fragment is a whole document, ``[0, inf)`` without unit
        elements: whether an element may lack its offsets: ``a#xpath=/bdy[1]`` is ``[0, inf)`` without unit, with a path

    The last ``#`` that is followed by ``t=``, ``char=``, ``word=``, ``line=``, ``page=`` or ``xpath=``, or by lines
    such as ``L19-L40`` up to the end, begins the fragment, so a document's id may hold ``#`` itself. Without one, lines
    behind a colon and a name with an extension, but for that of a recording, are a fragment too: ``main.py:19-40``.

    Raises:
        ValueError: white space or ``"`` in the id, a malformed fragment, an end before the start, or an element
            without offsets; the sentence names the id, the rule and the repair
        TypeError: an id that is not a string

    Examples:
        >>> from ir_segmeasures import parse_segment
        >>> parse_segment('v1#t=1:00,90.5')
        Segment(document='v1', start=60.0, end=90.5, unit='t', path=None)
        >>> parse_segment('a#xpath=/bdy[1]/p[2]&char=100,460').path
        '/bdy[1]/p[2]'
        >>> parse_segment('v1#t=90,60')
        Traceback (most recent call last):
            ...
        ValueError: segment id 'v1#t=90,60' ends before it starts (60 < 90): write the smaller position first
    """
    if not isinstance(id, str):
        raise TypeError(f'the segment id {quoted(id)} is not a string: give one such as v0123#t=12.5,60')
    if '"' in id or id.split() != [id]:
        raise ValueError(f'segment id {quoted(id)} is empty or holds white space or a quotation mark, which run files '
                         'cannot carry: percent-encode these with quote_id() or give the document another id')
    if not id.isprintable() and NO_TEXT.search(id):
        raise ValueError(f'segment id {quoted(id)} holds {CONTROL}: take it out')
    *_, mark = None, *_FRAGMENT.finditer(id)
    if mark is None:
        return lines_behind_colon(id) or Segment(id)
    document, fragment = id[:mark.start()], id[mark.end():]
    if not document:
        raise ValueError(f"segment id {quoted(id)} names no document: put the document's id before the '#'")
    path = None
    if fragment.startswith('L'):  # lines from 1, the last one included
        first, _, last = fragment.replace('L', '').partition('-')
        start, end = (_parse_position(id, 'line', number) for number in (first, last or first))
        if not 0 < start <= end:
            raise ValueError(f'segment id {quoted(id)} names lines that are none, since the first line is L1 and the '
                             "last one comes after it: write lines as '#L19-L40'")
        return Segment(document, start - 1, end, 'line')
    if fragment.startswith('xpath='):
        path, _, fragment = fragment[len('xpath='):].partition('&')
        path = unquote_id(path)
        if not path:
            raise ValueError(f"segment id {quoted(id)} has an empty path: write it as "
                             "'#xpath=/article[1]&char=START,END'")
        if not fragment and elements:
            return Segment(document, path=path)
        if not fragment:
            raise ValueError(f"segment id {quoted(id)} names an element without its offsets: add '&char=START,END', or "
                             'resolve() the ids with a table of the offsets')
    unit, _, times = fragment.partition('=')
    if unit not in UNITS:
        raise ValueError(f"segment id {quoted(id)} has {quoted(fragment)} behind the path: write '&char=START,END'")
    start, end = _parse_interval(id, unit, times)
    return Segment(document, start, end, unit, path)


def lines_behind_colon(id: str) -> Segment | None:
    """The segment of an id such as ``main.py:19-40``; None for any other id."""
    found = _COLON.fullmatch(id) if ':' in id else None
    if found is None or int(found[3]) < int(found[2]):
        return None
    return Segment(found[1], int(found[2]) - 1, int(found[3]), 'line')


def _parse_interval(id: str, unit: str, text: str) -> tuple[float, float]:
    first, comma, second = (text.removeprefix('npt:') if unit == 't' else text).partition(',')
    if not (first or second):
        raise ValueError(f"segment id {quoted(id)} has no times behind '{unit}=', which takes {_RULE[unit]}")
    start = _parse_position(id, unit, first) if first else _FIRST.get(unit, 0)
    # RFC 5147: a single number is a position in a text; in Media Fragments it is the start of the rest. RFC 8118: it
    # is the page of that number.
    rest = inf if comma or unit == 't' else start + 1 if unit == 'page' else start
    end = _parse_position(id, unit, second) if second else rest
    if end < start:
        raise ValueError(f'segment id {quoted(id)} ends before it starts ({format_number(end)} < '
                         f'{format_number(start)}): write the smaller position first')
    return start, end


def _parse_position(id: str, unit: str, text: str) -> float:
    if _NUMBER[unit].fullmatch(text):
        return float(text) if unit == 't' else int(text[-15:])  # before these all are zeros
    if unit == 't':
        try:
            clock = clock_seconds(text)
        except ValueError as error:
            raise ValueError(f'segment id {quoted(id)} has the {error}') from None
        if clock is not None:
            return clock
    if text.isascii() and text.partition('.')[0].isdecimal() and int(text.partition('.')[0][:99]) >= TOO_LARGE:
        raise ValueError(f'segment id {quoted(id)} has {quoted(text)} as a position, which is too large, since '
                         'positions are numbers below 10^15: give it in a larger unit')
    raise ValueError(f"segment id {quoted(id)} has {quoted(text)} as a position, but '{unit}=' takes {_RULE[unit]}")


def clock_seconds(text: str) -> float | None:
    """The seconds of a clock time, ``mm:ss`` or ``hh:mm:ss``, with decimals or without; None for any other text.

    Raises:
        ValueError: there are 60 seconds or more, or 60 minutes or more behind hours

    Examples:
        >>> from ir_segmeasures.segments.segment import clock_seconds
        >>> clock_seconds('10:30'), clock_seconds('1:00:02.5'), clock_seconds('630')
        (630.0, 3602.5, None)
    """
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return None
    hours, minutes, seconds, fraction = clock.groups()
    if int(seconds) > 59 or (hours and int(minutes) > 59):
        raise ValueError(f'clock time {quoted(text)}, but minutes and seconds after a colon go from 00 to 59: carry '
                         'the rest over to the left')
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return float(f'{whole}{fraction or ""}')


def points_beside_clocks(texts: Sequence[str]) -> dict[str, str]:
    """Texts such as 1.30 among times of a clock, or times of a clock among such texts, whichever are fewer: each with
    the sentence about it.

    Examples:
        >>> from ir_segmeasures.segments.segment import points_beside_clocks
        >>> [*points_beside_clocks(['0:31', '1.30'])], points_beside_clocks(['31', '1.30', '12:xx'])
        (['1.30'], {})
    """
    clocks = [text for text in texts if ':' in text and _TIME.fullmatch(text)]
    points = [point for point in map(_POINT.fullmatch, texts) if point] if clocks else []
    few = 2 * len(clocks) < len(texts)
    return {clock if few else point[0]: (
        f'the times have {quoted(clock)} and {quoted(point[0])}, and {quoted(point[0])} is either seconds, or '
        f'{quoted(f"{point[1]}:{point[2]:0<2}")}: write all times alike')
            for clock, point in (product(clocks, points[:1]) if few else product(clocks[:1], points))}


def format_segment(segment: Segment) -> str:
    """The id of a segment, in the canonical form: the opposite of :func:`parse_segment`.

    Numbers have no exponent, at most 6 decimals and the shortest form; an open end is written ``t=12.5`` or
    ``char=100,``, an entry point ``char=100,100``, a single page ``page=3``.

    Raises:
        ValueError: a segment that has no id: a position below 0 or from 10^15 on, NaN, an end before the start, a unit
            that is none of :data:`UNITS`, part of a document without a unit, or a document's id that would be read
            differently
        TypeError: a value that is not a segment

    Examples:
        >>> from ir_segmeasures import Segment, format_segment
        >>> format_segment(Segment('v1', 12.50, 60.0, 't'))
        'v1#t=12.5,60'
        >>> format_segment(Segment('a', 100, 460, 'char', '/bdy[1]/p[2]'))
        'a#xpath=/bdy[1]/p[2]&char=100,460'
    """
    try:
        document, start, end, unit, path = segment
        in_range = (0 <= start <= end and start < TOO_LARGE and (end < TOO_LARGE or end == inf)
                    and float(start) <= float(end))
    except (ArithmeticError, TypeError, ValueError):
        document = None
    if not isinstance(document, str) or not (path is None or isinstance(path, str)):
        raise TypeError(f'{quoted(segment)} is not a segment: give a Segment of a text and two numbers')
    if not in_range:
        raise ValueError(f'{quoted(segment)} has no id: positions are numbers from 0 to below 10^15 and a segment ends '
                         'at or after its start')
    if unit is None:
        if start != 0 or end != inf or path is not None:
            raise ValueError(f'{quoted(segment)} has no id without a unit: give {UNIT_NAMES}')
        id = document
    else:
        if not (isinstance(unit, str) and unit in UNITS):
            raise ValueError(f'{quoted(segment)} has the unit {quoted(unit)}: there are {UNIT_NAMES}')
        if start < _FIRST.get(unit, 0):
            raise ValueError(f'{quoted(segment)} has no id: the first page has the number 1 (RFC 8118): start there')
        # The start alone says where a single page ends, and that a recording runs to its end.
        starts_only = end == inf if unit == 't' else unit == 'page' and end == start + 1
        stop = '' if starts_only else ',' if end == inf else f',{format_number(end)}'
        element = '' if path is None else f'xpath={_encoded(_QUOTED, path)}&'
        id = f'{document}#{element}{unit}={format_number(start)}{stop}'
    is_plain = path is None and (unit == 't' or (unit is not None and type(start) is type(end) is int))
    if not (is_plain and _holds_times(document)) and parse_segment(id).document != document:
        raise ValueError(f"the document's id {quoted(document)} ends like a segment id, so that {quoted(id)} would be "
                         'read as part of another document: give the document another id')
    return id


@lru_cache(1 << 14)
def _holds_times(document: str) -> bool:
    """Tells whether a document's id with times behind it is surely a segment of it: nothing it holds is refused."""
    return '"' not in document and document.split() == [document] and document.isprintable()


def quote_id(name: str) -> str:
    """The id of a document that has a name, such as that of a file. Characters that no id may have, or that would be
    read as a part of a document, are percent-encoded (white space, control characters, ``"``, ``#``, ``%``, ``:``).

    Examples:
        >>> from ir_segmeasures import quote_id
        >>> quote_id('Lecture 01.vtt')
        'Lecture%2001.vtt'
    """
    return _encoded(_NO_ID, name)


def _encoded(signs: re.Pattern[str], text: str) -> str:
    from urllib.parse import quote  # not needed for most ids, and slow to import
    return signs.sub(lambda sign: quote(sign[0], safe='', errors='surrogatepass'), text)


def unquote_id(id: str) -> str:
    """The name whose id :func:`quote_id` gave.

    Examples:
        >>> from ir_segmeasures import unquote_id
        >>> unquote_id('Lecture%2001.vtt')
        'Lecture 01.vtt'
    """
    from urllib.parse import unquote
    try:
        return unquote(id, errors='surrogatepass')
    except UnicodeDecodeError:  # bytes that quote_id() does not give
        return unquote(id)


_SECOND = 10 ** 6  # of ticks: ids have at most 6 decimals


class Line(NamedTuple):
    """A line of a transcript: a sentence, a caption, a word.

    Attributes:
        start, end: in seconds from the beginning of the recording; equal where the recogniser says so
        text: what is spoken
        speaker: who speaks, or None
    """
    start: float
    end: float
    text: str
    speaker: Any = None


def ticks(time: float) -> int:
    """A time in seconds as whole microseconds."""
    whole = int(time)
    return whole * _SECOND + round((time - whole) * _SECOND)


def seconds(ticks: int) -> float:
    """Microseconds as seconds, whole seconds as an integer: the opposite of :func:`ticks`."""
    return ticks / _SECOND if ticks % _SECOND else ticks // _SECOND
