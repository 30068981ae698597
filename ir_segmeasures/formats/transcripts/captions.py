"""Captions: SubRip, WebVTT, TTML and (Advanced) SubStation Alpha.

Sources: W3C, WebVTT: The Web Video Text Tracks Format (2019), sections 4 and 6; W3C, Timed Text Markup Language 2
(2018), section 12, without frames and ticks.
"""

import html
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, read_text
from ir_segmeasures.formats.files.xml import XmlElement, read_xml
from ir_segmeasures.formats.transcripts.found_lines import FoundLines
from ir_segmeasures.segments.quoting import format_number, quoted

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


def read_srt(found: FoundLines) -> None:
    """The captions of a SubRip file."""
    text = read_text(found.path)
    rows = text.split('\n')
    at = [number for number, row in enumerate(rows) if len(row) < _LONGEST and _CUE.search(row)]
    if not at and text.strip():  # an empty file is one of a recording in which nobody speaks
        raise FormatError('it has no captions: give a file of SRT, or another suffix', found.path)
    for number, end in zip(at, [*at[1:], None]):
        payload = '\n'.join(rows[number + 1:end]).rstrip()
        if end is not None:
            payload = re.sub(r'(?:\A|\n)\s*\d+\Z', '', payload)  # the number of the next one
        times = _times(rows[number], 'srt', number + 1, found)
        if times is not None:
            found.add(*times, _plain(payload), place=number + 1)


def read_vtt(found: FoundLines) -> None:
    """The cues of a WebVTT file; where their text has times, the words between these."""
    text = read_text(found.path)
    rows = text.split('\n')
    if not re.match(r'WEBVTT(?:\s|$)', rows[0]):
        raise FormatError(f'{quoted(rows[0][:60])} is no first line of WebVTT: write WEBVTT, or give the file the '
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
            found.add(at, until, _plain(parts[i]), speaker, place)
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
                    _set_clock(row, number, found)
            continue
        at = next((i for i, (_, row) in enumerate(block[:2]) if '-->' in row), None)
        if at is not None:
            times = _times(block[at][1], 'vtt', block[at][0], found)
            if times is not None:
                yield block[at][0], times, [row for _, row in block[at + 1:]]
        else:
            found.bad(f'{quoted(block[0][1][:60])} begins a block without times: write 01:02.500 --> 01:04.000 above '
                      'it, or NOTE where it is a comment', block[0][0])


def _set_clock(row: str, number: int, found: FoundLines) -> None:
    """Sets the clock of the cues that follow, as a line of HLS says."""
    local, ticks = re.search(r'LOCAL:([\d:.]+)', row), re.search(r'MPEGTS:(\d{1,15})\b', row)
    clock = re.fullmatch(_STAMP, local[1]) if local else None
    seconds = _seconds(clock.groups()) if clock else None
    if seconds is None or ticks is None:
        found.bad(f'{quoted(row)} is no X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000: correct it', number)
        return
    found.shift = int(ticks[1]) / _MPEG - seconds
    if found.shift:
        found.note('lines set a clock of HLS, by which the cues behind them are moved',
                   f'by {format_number(found.shift)} s from line {number} on')


def _times(row: str, kind: str, place: int, found: FoundLines) -> tuple[float, float] | None:
    """The start and the end of a cue; None for a bad one that is left out."""
    match = _TIMES[kind].fullmatch(row) if len(row) < _LONGEST else None
    times = [None] if match is None else [_seconds(match.groups()[:4]), _seconds(match.groups()[4:])]
    if None in times:
        wanted = '01:02.500 --> 01:04.000' if kind == 'vtt' else '00:01:02,500 --> 00:01:04,000'
        found.bad(f'{quoted(row)} are no times of a cue: write them as {wanted}', place)
        return None
    return times[0], times[1]  # type: ignore[return-value]


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
            stamps = f'{event.get("Start")}-->{event.get("End")}' if 'Text' in event else line
            times = _times(stamps, 'ass', number, found)
            if times is not None and not _DRAWING.search(event['Text']):
                text = ' '.join(_OF_ASS.sub(lambda part: '' if part[0].startswith('{') else ' ', event['Text']).split())
                found.add(*times, text, event.get('Name') or event.get('Actor') or None, number)
    if not count:
        raise FormatError('it has no captions: give a file of ASS, or another suffix', found.path)


def read_ttml(found: FoundLines) -> None:
    """The paragraphs of a TTML file, whose times count from the beginning of the elements that they are in."""
    paragraphs = [element for element in read_xml(found.path).all() if element.local == 'p']
    if not paragraphs:
        raise FormatError('it has no captions: give a file of TTML, or another suffix', found.path)
    for paragraph in paragraphs:
        try:
            start, end = _ttml_times(paragraph)
        except ValueError as error:
            found.bad(str(error), paragraph.line)
            continue
        for element in paragraph.all():
            if element.local == 'br':
                element.contents.append(' ')
        found.add(round(start, 6), round(end, 6), paragraph.content, place=paragraph.line)


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
    return begin, min(ends)


def _time(element: XmlElement, name: str) -> float:
    """The seconds of an attribute of TTML, 0 where it is missing."""
    text = element.attributes.get(name, '0s').strip()
    offset, clock = _OFFSET.fullmatch(text), re.fullmatch(_STAMP, text)
    seconds: Any = float(offset[1]) * _UNITS[offset[2]] if offset else _seconds(clock.groups()) if (
        clock and clock[1]) else None
    if seconds is None:
        raise ValueError(f'{name} {quoted(text)} is not a time: write times as 00:01:02.500 or 62.5s, without frames')
    return seconds
