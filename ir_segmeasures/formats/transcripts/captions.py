"""Captions: SubRip and WebVTT, which are read here, and ASS and TTML, which pysubs2 reads. pysubs2 passes over what it
does not know, so what it read is compared with what is there.

Source: W3C, WebVTT: The Web Video Text Tracks Format (2019), sections 4 and 6.
"""

import html
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any
from xml.etree import ElementTree

from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.transcripts.found_lines import FoundLines
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE

__all__ = ['read_ass', 'read_srt', 'read_ttml', 'read_vtt']

_STAMP = r'(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9})(?:[.,](\d{1,3}))?'
_TIMES = {  # of a cue; WebVTT needs minutes, two digits of each part behind the first, and milliseconds behind a dot
    'srt': re.compile(rf'\s*{_STAMP}\s*-->\s*{_STAMP}(?:\s.*)?'),
    'vtt': re.compile(r'\s*{0}\s+-->\s+{0}(?:\s.*)?'.format(r'(?:(\d{1,9}):)?(\d{2}):(\d{2})\.(\d{3})'))}
_WORD_TIME = re.compile(r'<(?:(\d{1,9}):)?([0-5]\d):([0-5]\d)\.(\d{3})>')
# A tag ends before another begins: whoever looked for its end behind that would do so again for the other.
_VOICE = re.compile(r'<v(?:\.[^\s<>]*)?\s([^<>]*)>')
_TAG = re.compile(r'<[^<>]*>|\{\\[^{}]*\}')
_LONGEST = 10_000  # characters of a line of times
_OTHER_BLOCKS = ('NOTE', 'STYLE', 'REGION')
_TTML = '{http://www.w3.org/ns/ttml}'
_DRAFTS = re.compile(r'http://www\.w3\.org/2006/(?:04|10)/ttaf1(?=["\'#])')  # what DFXP has for it


def read_srt(text: str, found: FoundLines) -> None:
    """The captions of a SubRip file."""
    rows = text.split('\n')
    at = [number for number, row in enumerate(rows) if '-->' in row]
    if not at:
        raise FormatError('it has no captions: give a file of SRT, or another suffix', found.path)
    for number, end in zip(at, [*at[1:], None]):
        payload = rows[number + 1:end]
        while payload and not payload[-1].strip():
            payload.pop()
        if payload and end is not None and payload[-1].strip().isdigit():  # the number of the next one
            payload.pop()
        times = _times(rows[number], 'srt', number + 1, found)
        if times is not None:
            found.add(*times, _plain(' '.join(payload)), place=number + 1)


def read_vtt(text: str, found: FoundLines) -> None:
    """The cues of a WebVTT file; where their text has times, the words between these."""
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
        if not has_text or block[0][0] == 1:
            continue
        at = next((i for i, (_, row) in enumerate(block[:2]) if '-->' in row), None)
        if at is not None:
            times = _times(block[at][1], 'vtt', block[at][0], found)
            if times is not None:
                yield block[at][0], times, [row for _, row in block[at + 1:]]
        elif not block[0][1].startswith(_OTHER_BLOCKS):
            found.bad(f'{quoted(block[0][1][:60])} begins a block without times: write 01:02.500 --> 01:04.000 above '
                      'it, or NOTE where it is a comment', block[0][0])


def _times(row: str, kind: str, place: int, found: FoundLines) -> tuple[float, float] | None:
    """The start and the end of a cue; None for a bad one that is left out."""
    match = _TIMES[kind].fullmatch(row) if len(row) < _LONGEST else None
    times = [None] if match is None else [_seconds(match.groups()[:4]), _seconds(match.groups()[4:])]
    if None in times:
        wanted = '00:01:02,500 --> 00:01:04,000' if kind == 'srt' else '01:02.500 --> 01:04.000'
        found.bad(f'{quoted(row)} are no times of a cue: write them as {wanted}, or leave such lines out with '
                  '--skip-bad-cues', place)
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


def read_ass(text: str, found: FoundLines) -> None:
    """The dialogue of an (Advanced) SubStation Alpha file; comments and drawings are none."""
    lines = text.split('\n')
    at = [number for number, line in enumerate(lines, 1) if re.match(r'(Dialogue|Comment):', line)]
    head = [line for line in lines if not re.match(r'(Dialogue|Comment):', line)]
    for number in at:  # one by one, since pysubs2 does not say where
        try:
            events = _parse('\n'.join([*head, lines[number - 1]]), 'ass')
        except ValueError:
            found.bad(f'{quoted(lines[number - 1])} cannot be read: write Dialogue: Layer, Start, End, … as the line '
                      'Format: of [Events] says', number)
        else:
            _add(events, found, [number] * len(events))
    if not at:
        raise FormatError('it has no captions: give a file of ASS, or another suffix', found.path)


def read_ttml(text: str, found: FoundLines) -> None:
    """The paragraphs of a TTML file."""
    text = _DRAFTS.sub(_TTML[1:-1], text)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FormatError(f'it is no XML ({error}): give TTML', found.path, error.position[0]) from None
    paragraphs = list(root.iter(f'{_TTML}p'))
    starts = [number for number, line in enumerate(text.split('\n'), 1)
              for _ in re.finditer(r'<(?:[\w.-]+:)?p[\s/>]', line)]
    places: Sequence[int | None] = starts if len(starts) == len(paragraphs) else [None] * len(paragraphs)
    for number, (paragraph, place) in enumerate(zip(paragraphs, places), 1):
        duration = paragraph.attrib.pop('dur', None)
        if duration is not None:  # pysubs2 looks for it under another name
            paragraph.set('duration', duration)
        elif 'end' not in paragraph.attrib:
            raise FormatError(f'paragraph {number} has no end: give it end=… or dur=…', found.path, place)
    try:
        events = _parse(ElementTree.tostring(root, encoding='unicode'), 'ttml')
    except RecursionError:  # of ElementTree as it writes
        raise FormatError('elements stand in elements, some hundreds deep: give TTML, whose paragraphs stand in a div '
                          'of the body', found.path) from None
    except (NotImplementedError, OverflowError, ValueError) as error:
        raise FormatError(f'{error}: write times as 00:01:02.500 or 62.5s, without frames, and no timeContainer but '
                          'par', found.path) from None
    if not events:
        raise FormatError('it has no captions: give a file of TTML, or another suffix', found.path)
    if len(events) != len(paragraphs):
        raise FormatError(f'{len(paragraphs) - len(events)} of {len(paragraphs)} paragraphs are not of a div of the '
                          'body: put every p into one', found.path)
    _add(events, found, places)


def _parse(text: str, kind: str) -> list[Any]:
    try:
        import pysubs2
    except ImportError:
        raise ImportError(f"captions of {kind.upper()} are read by pysubs2, which is not installed: pip install "
                          "'ir_segmeasures[transcripts]'") from None
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # of layers, margins and colours, of which nothing is read here
        return list(pysubs2.SSAFile.from_string(text, kind))


def _add(events: Sequence[Any], found: FoundLines, places: Sequence[int | None]) -> None:
    for event, place in zip(events, places):
        if max(event.start, event.end) >= 1000 * TOO_LARGE:
            found.bad(f'{quoted(event.plaintext)} has a time of 10^15 seconds or more: correct it', place)
        elif not (event.is_comment or event.is_drawing):
            found.add(event.start / 1000, event.end / 1000, ' '.join(event.plaintext.split()), event.name or None,
                      place)
