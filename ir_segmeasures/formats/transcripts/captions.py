"""Captions that pysubs2 reads. It passes over what it does not know, so what it read is compared with what is there."""

import re
import warnings
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.transcript import Line

__all__ = ['checked_line', 'read_ass', 'read_srt', 'read_ttml']

_STAMP = r'\s*\d{1,4}:\d{1,2}:\d{1,2}[.,]\d{1,3}\s*'
_SRT_TIMES = re.compile(f'{_STAMP}-->{_STAMP}.*')
_LONGEST = 10_000  # characters; pysubs2 takes time for their square
_TTML = '{http://www.w3.org/ns/ttml}'
_DRAFTS = re.compile(r'http://www\.w3\.org/2006/(?:04|10)/ttaf1(?=["\'#])')  # what DFXP has for it


def read_srt(text: str, path: StrPath) -> list[Line]:
    """The captions of a SubRip file."""
    at = []
    for number, line in enumerate(text.split('\n'), 1):
        if len(line) > _LONGEST:
            raise FormatError(f'the line has {len(line):,} characters, but those of captions have {_LONGEST:,} at '
                              'most: check that the file is what its name says', path, number)
        if '-->' in line:
            if not _SRT_TIMES.fullmatch(line):
                raise FormatError(f'{quoted(line)} are no times of a caption: write them as 00:01:02,500 --> '
                                  '00:01:04,000',
                                  path, number)
            at.append(number)
    return _lines(_events(text, 'srt', path), path, at)


def read_ass(text: str, path: StrPath) -> list[Line]:
    """The dialogue of an (Advanced) SubStation Alpha file; comments and drawings are none."""
    lines = text.split('\n')
    at = [number for number, line in enumerate(lines, 1) if re.match(r'(Dialogue|Comment):', line)]
    try:
        events = _events(text, 'ass', path)
    except FormatError:
        raise
    except ValueError as error:  # pysubs2 does not say where
        wrong = next((number for number in at if not _is_ass(lines, lines[number - 1])), None)
        found = f'it is not ASS ({error})' if wrong is None else f'{quoted(lines[wrong - 1])} cannot be read'
        raise FormatError(f'{found}: write Dialogue: Layer, Start, End, … as the line Format: of [Events] says', path,
                          wrong) from None
    return _lines(events, path, at)


def _is_ass(lines: Sequence[str], dialogue: str) -> bool:
    head = [line for line in lines if not re.match(r'(Dialogue|Comment):', line)]
    try:
        _parse('\n'.join([*head, dialogue]), 'ass')
    except ValueError:
        return False
    return True


def read_ttml(text: str, path: StrPath) -> list[Line]:
    """The paragraphs of a TTML file."""
    text = _DRAFTS.sub(_TTML[1:-1], text)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FormatError(f'it is no XML ({error}): give TTML', path, error.position[0]) from None
    paragraphs = list(root.iter(f'{_TTML}p'))
    starts = [number for number, line in enumerate(text.split('\n'), 1)
              for _ in re.finditer(r'<(?:[\w.-]+:)?p[\s/>]', line)]
    at = starts if len(starts) == len(paragraphs) else []
    for number, paragraph in enumerate(paragraphs):
        duration = paragraph.attrib.pop('dur', None)
        if duration is not None:  # pysubs2 looks for it under another name
            paragraph.set('duration', duration)
        if duration is None and 'end' not in paragraph.attrib:
            raise FormatError(f'paragraph {number + 1} has no end: give it end=… or dur=…', path,
                              at[number] if at else None)
    try:
        events = _events(ElementTree.tostring(root, encoding='unicode'), 'ttml', path)
    except FormatError:
        raise
    except RecursionError:  # of ElementTree as it writes
        raise FormatError('elements stand in elements, some hundreds deep: give TTML, whose paragraphs stand in a div '
                          'of the body', path) from None
    except (NotImplementedError, OverflowError, ValueError) as error:
        raise FormatError(f'{error}: write times as 00:01:02.500 or 62.5s, without frames, and no timeContainer but '
                          'par', path) from None
    if len(events) != len(paragraphs):
        raise FormatError(f'{len(paragraphs) - len(events)} of {len(paragraphs)} paragraphs are not of a div of the '
                          'body: put every p into one', path)
    return _lines(events, path, at)


def _parse(text: str, kind: str) -> list[Any]:
    try:
        import pysubs2
    except ImportError:
        raise ImportError("captions are read by pysubs2, which is not installed: pip install "
                          "'ir_segmeasures[transcripts]'") from None
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # of layers, margins and colours, of which nothing is read here
        return list(pysubs2.SSAFile.from_string(text, kind))


def _events(text: str, kind: str, path: StrPath) -> list[Any]:
    events = _parse(text, kind)
    if not events:
        raise FormatError(f'it has no captions: give a file of {kind.upper()}, or another suffix', path)
    return events


def _lines(events: Sequence[Any], path: StrPath, at: Sequence[int]) -> list[Line]:
    places: Sequence[int | None] = at if len(at) == len(events) else [None] * len(events)
    return [checked_line(event.start / 1000, event.end / 1000, ' '.join(event.plaintext.split()), event.name or None,
                         path, place)
            for event, place in zip(events, places) if not (event.is_comment or event.is_drawing)]


def checked_line(start: float, end: float, text: str, speaker: Any, path: StrPath, place: int | None) -> Line:
    """A line whose times are in order, or the error that names its place in the file."""
    if end < start:
        raise FormatError(f'{quoted(text)} ends at {format_number(end)}, before it starts at {format_number(start)}: '
                          'write the earlier time first', path, place)
    return Line(start, end, text, speaker)
