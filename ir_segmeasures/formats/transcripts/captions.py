"""Captions: SubRip, WebVTT, TTML and (Advanced) SubStation Alpha; and the lines of a transcript as any reader finds
them, with what is odd about them.

Sources: W3C, WebVTT: The Web Video Text Tracks Format (2019), sections 4 and 6; W3C, Timed Text Markup Language 2
(2018), section 12, without frames and ticks.
"""

import html
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from math import ceil
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_text
from ir_segmeasures.formats.files.xml import XmlElement, read_xml
from ir_segmeasures.formats.moment_windows import of_kinds
from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import TOO_LARGE, Line, ticks
from ir_segmeasures.segments.user_warnings import warn_user

_WINDOW = 30  # seconds, after which pipelines of speech recognisers start their clock anew
_LISTED = 5  # examples of a kind
_BAD = 'lines cannot be read, and are left out'
_NEWS = 1  # second: speakers overlap by less all the time
_STAMP = r'(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9})(?:[.,](\d{1,3}))?'
_TIMES = {  # of a cue; WebVTT needs minutes, two digits of each part behind the first, and milliseconds behind a dot
    'srt': re.compile(rf'\s*{_STAMP}\s*-->\s*{_STAMP}(?:\s.*)?'),
    'vtt': re.compile(r'\s*{0}\s+-->\s+{0}(?:\s.*)?'.format(r'(?:(\d{1,9}):)?(\d{2}):(\d{2})\.(\d{3})')),
    'ass': re.compile(rf'{_STAMP}-->{_STAMP}')}
# A line of times in SubRip, also where its arrow or one of the times is not as it should be.
_CUE = re.compile(r'\d\s*(?:-->|[-–—]+\s?>|→)\s*-?\d|\d:\d\d.*-->|-->.*\d:\d\d')
_OFFSET = re.compile(r'(\d{1,9}(?:\.\d+)?)(h|ms|m|s)')  # a time of TTML
_UNITS = {'h': 3600, 'm': 60, 's': 1, 'ms': .001}
_WORD_TIME = re.compile(r'<(?:(\d{1,9}):)?([0-5]\d):([0-5]\d)\.(\d{3})>')
# A tag ends before another begins: whoever looked for its end behind that would do so again for the other.
_VOICE = re.compile(r'<v(?:\.[^\s<>]*)?\s([^<>]*)>')
_TAG = re.compile(r'<[^<>]*>|\{\\[^{}]*\}')
_OF_ASS = re.compile(r'\{[^{}]*\}|\\[Nnh]')  # settings, ends of lines, blanks
_DRAWING = re.compile(r'\{[^{}]*\\p[1-9][^{}]*\}')
_LONGEST = 10_000  # characters of a line of times
_OTHER_BLOCKS = ('WEBVTT', 'X-TIMESTAMP-MAP', 'NOTE', 'STYLE', 'REGION')
_MPEG = 90_000  # ticks of a second on the clock of MPEG, by which HLS tells when cues are


class FoundLines:
    """The lines of a transcript that a reader adds one by one.

    Args:
        path: of the file
        skip_bad: whether lines that cannot be are left out, instead of an error
        restarts: whether the clock restarts every 30 seconds

    Attributes:
        lines: those with text, in the order of the file
        notes: what is odd about a line, and an example
        shift: the seconds by which the file's own clock is behind
    """

    def __init__(self, path: StrPath, skip_bad: bool = False, restarts: bool = False):
        self.path, self.skip_bad, self.restarts, self.lines = os.fspath(path), skip_bad, restarts, list[Line]()
        self.notes: list[tuple[str, str]] = []
        self.shift = 0.0

    def note(self, what: str, example: str) -> None:
        """Notes one line."""
        self.notes.append((what, f'{self.path}: {example}'))

    @contextmanager
    def line(self, place: int | None = None, where: str = '') -> Iterator[None]:
        """A context in which a ValueError is about one line, which is left out, or raised as ``FormatError``.

        Args:
            place: its line in the file
            where: it stands, in words
        """
        try:
            yield
        except ValueError as error:
            if not self.skip_bad:
                raise FormatError(f'{where}{error}, or leave such lines out with --skip-bad-cues', self.path,
                                  place) from None
            self.notes.append((_BAD, str(FormatError(f'{where}{error}', self.path, place))))

    def no_captions(self, format: str) -> FormatError:
        """The error about a file without any."""
        return FormatError(f'it has no captions: give a file of {format}, or another suffix', self.path)

    def add(self, start: float, end: float, text: str, speaker: Any = None) -> None:
        """Adds a line, if it has text. Raises ``ValueError`` for one that is not a stretch of time."""
        if self.shift:
            start, end = round(start + self.shift, 6), round(end + self.shift, 6)
        if self.restarts and end < start <= _WINDOW:  # in the next window
            end += _WINDOW
        if not 0 <= start <= end < TOO_LARGE:
            raise ValueError(f'{quoted(text)} goes from {quoted(start)} to {quoted(end)} s, but a line starts at 0 or '
                             'later, and ends at or after its start: correct the two')
        if text and not text.isspace():
            self.lines.append(Line(start, end, text, speaker))

    def in_order(self) -> list[Line]:
        """The lines in the order of their starts, in which order and overlap are noted. Where the clock restarts, a
        line that starts before the one that stands before it, or at its start and long before its end, begins a new
        window of 30 seconds."""
        lines, offset, before, end = list[Line](), 0, 0.0, 0.0
        for line in self.lines:
            if self.restarts and (line.start < before or line.start == before < end - _NEWS):
                offset += _WINDOW * max(1, ceil(before / _WINDOW))
            elif line.start < before:
                self.note('lines start before the line above them; all are kept, sorted by their starts; --restarts is '
                          'for clocks that restart every 30 seconds', _shown(line))
            before, end = line.start, line.end
            lines.append(line._replace(start=line.start + offset, end=line.end + offset))
        lines.sort(key=lambda line: ticks(line.start))
        latest = 0.0
        for line in lines:
            if line.start < latest - _NEWS:
                self.note('lines overlap the one before by more than a second; all are kept, sorted by their starts',
                          _shown(line))
            latest = max(latest, line.end)
        return lines


def _shown(line: Line) -> str:
    return f'{quoted(line.text)} at {format_number(line.start)}'


def warn_of_lines(notes: Sequence[tuple[str, str]], count: int) -> None:
    """Warns of all notes of transcripts with so many lines, in one sentence."""
    kinds = of_kinds(notes)
    count += len(kinds.get(_BAD, ()))
    if kinds:
        warn_user('; '.join(f'{len(examples)}{f" of {count}" if what.startswith("lines") else ""} {what} (such as '
                            f'{", ".join(examples[:_LISTED])})' for what, examples in kinds.items()))


def read_srt(found: FoundLines) -> None:
    """The captions of a SubRip file."""
    text = read_text(found.path)
    rows = text.split('\n')
    at = [number for number, row in enumerate(rows) if len(row) < _LONGEST and (
        _CUE.search(row) or ('-->' in row and number and rows[number - 1].strip().isdecimal()))]
    if not at and text.strip():  # an empty file is one of a recording in which nobody speaks
        raise found.no_captions('SRT')
    for number, end in zip(at, [*at[1:], None]):
        payload = '\n'.join(rows[number + 1:end]).rstrip()
        if end is not None:
            payload = re.sub(r'(?:\A|\n)\s*\d+\Z', '', payload)  # the number of the next one
        with found.line(number + 1):
            found.add(*_times(rows[number], 'srt'), _plain(payload))


def read_vtt(found: FoundLines) -> None:
    """The cues of a WebVTT file; where their text has times, the words between these."""
    text = read_text(found.path)
    rows = text.split('\n')
    if not re.match(r'WEBVTT(?:\s|$)', rows[0]):
        raise FormatError(f'{quoted(rows[0][:60])} is not the first line of WebVTT: write WEBVTT, or give the file the '
                          'suffix of its format', found.path, 1)
    rolling = _WORD_TIME.search(text) is not None
    before: set[str] = set()
    for place, (start, end), payload in _vtt_cues(rows, found):
        # Captions that roll up have the line of the cue before once more, without times.
        new = [row for row in payload if not (rolling and _plain(row) in before and not _WORD_TIME.search(row))]
        before = set(map(_plain, payload))
        speaker, at = None, start
        parts = _WORD_TIME.split('\n'.join(new))  # text, hours, minutes, seconds, milliseconds, text …
        for i in range(0, len(parts), 5):
            until = _seconds(parts[i + 1:i + 5]) if i + 5 < len(parts) else end
            voice = _VOICE.search(parts[i])
            speaker = html.unescape(voice[1].lstrip()) if voice else speaker
            with found.line(place):
                found.add(at, until, _plain(parts[i]), speaker)
            at = until


def _vtt_cues(rows: Sequence[str], found: FoundLines) -> Iterator[tuple[int, tuple[float, float], list[str]]]:
    """The line, the times and the text of each cue: blocks between empty lines, behind the header's."""
    for has_text, group in groupby(enumerate(rows, 1), key=lambda numbered: bool(numbered[1])):
        block = list(group)
        if not has_text:
            continue
        if block[0][1].startswith(_OTHER_BLOCKS):
            for number, row in block:
                if row.startswith('X-TIMESTAMP-MAP'):
                    with found.line(number):
                        _set_clock(row, number, found)
            continue
        at = next((i for i, (_, row) in enumerate(block[:2]) if '-->' in row), -1)
        with found.line(block[max(at, 0)][0]):
            if at < 0:
                raise ValueError(f'{quoted(block[0][1][:60])} begins a block without times: write 01:02.500 --> '
                                 '01:04.000 above it, or NOTE where it is a comment')
            yield block[at][0], _times(block[at][1], 'vtt'), [row for _, row in block[at + 1:]]


def _set_clock(row: str, number: int, found: FoundLines) -> None:
    """Sets the clock of the cues that follow, as a line of HLS says."""
    local, ticks = re.search(r'LOCAL:([\d:.]+)', row), re.search(r'MPEGTS:(\d{1,15})\b', row)
    clock = re.fullmatch(_STAMP, local[1]) if local else None
    seconds = _seconds(clock.groups()) if clock else None
    if seconds is None or ticks is None:
        raise ValueError(f'{quoted(row)} is not a X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000: correct it')
    found.shift = int(ticks[1]) / _MPEG - seconds
    if found.shift:
        found.note('lines set a clock of HLS, by which the cues behind them are moved',
                   f'by {format_number(found.shift)} s from line {number} on')


def _times(row: str, kind: str) -> tuple[float, float]:
    """The start and the end of a cue."""
    match = _TIMES[kind].fullmatch(row) if len(row) < _LONGEST else None
    start, end = (_seconds(match.groups()[:4]), _seconds(match.groups()[4:])) if match else (None, None)
    if start is None or end is None:
        wanted = '01:02.500 --> 01:04.000' if kind == 'vtt' else '00:01:02,500 --> 00:01:04,000'
        raise ValueError(f'{quoted(row)} are not times of a cue: write them as {wanted}')
    return start, end


def _plain(text: str) -> str:
    return ' '.join(html.unescape(_TAG.sub('', text)).split())


def _seconds(groups: Sequence[str | None]) -> Any:
    """The seconds of hours, minutes, seconds and their decimals; None where minutes or seconds pass 59."""
    hours, minutes, seconds = (int(group or 0) for group in groups[:3])
    if (groups[1] and seconds > 59) or (groups[0] and minutes > 59):
        return None
    whole = ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((groups[3] or '').ljust(3, '0'))
    return whole / 1000  # one division: the decimal's float


def read_ass(found: FoundLines) -> None:
    """The dialogue of an (Advanced) SubStation Alpha file, without drawings."""
    names: list[str] = []
    count = 0
    for number, line in enumerate(read_text(found.path).split('\n'), 1):
        kind, _, rest = line.partition(':')
        if kind == 'Format':  # of styles, and then of events
            names = [name.strip() for name in rest.split(',')]
        elif kind == 'Dialogue':
            count += 1
            event = dict(zip(names, map(str.strip, rest.split(',', max(len(names) - 1, 0)))))
            with found.line(number):
                times = _times(f'{event.get("Start")}-->{event.get("End")}' if 'Text' in event else line, 'ass')
                text = '' if _DRAWING.search(event['Text']) else _OF_ASS.sub(
                    lambda part: '' if part[0].startswith('{') else ' ', event['Text'])
                found.add(*times, ' '.join(text.split()), event.get('Name') or event.get('Actor') or None)
    if not count:
        raise found.no_captions('ASS')


def read_ttml(found: FoundLines) -> None:
    """The paragraphs of a TTML file, whose times count from the beginning of the elements that they are in."""
    paragraphs = [element for element in read_xml(found.path).all() if element.local == 'p']
    if not paragraphs:
        raise found.no_captions('TTML')
    for paragraph in paragraphs:
        for element in paragraph.all():
            if element.local == 'br':
                element.contents.append(' ')
        with found.line(paragraph.line):
            found.add(*_ttml_times(paragraph), paragraph.content)


def _ttml_times(paragraph: XmlElement) -> tuple[float, float]:
    around = list(paragraph.around)
    if any(element.attributes.get('timeContainer', 'par') != 'par' for element in (paragraph, *around)):
        raise ValueError('the times of elements count from each other in a timeContainer other than par: write them as '
                         'par')
    offset = sum(_time(element, 'begin') for element in around)
    begin = offset + _time(paragraph, 'begin')
    ends = [start + _time(paragraph, name) for name, start in (('end', offset), ('dur', begin))
            if name in paragraph.attributes]
    if not ends:
        raise ValueError('the paragraph has no end: give it end=… or dur=…')
    return round(begin, 6), round(min(ends), 6)


def _time(element: XmlElement, name: str) -> float:
    """The seconds of an attribute of TTML, 0 where it is missing."""
    text = element.attributes.get(name, '0s').strip()
    offset, clock = _OFFSET.fullmatch(text), re.fullmatch(_STAMP, text)
    seconds: Any = float(offset[1]) * _UNITS[offset[2]] if offset else _seconds(clock.groups()) if (
        clock and clock[1]) else None
    if seconds is None:
        raise ValueError(f'{name} {quoted(text)} is not a time: write times as 00:01:02.500 or 62.5s, without frames')
    return seconds
