"""WebVTT. pysubs2 takes names of cues and notes for text and knows no times of words, so this is read here.

Source: W3C, WebVTT: The Web Video Text Tracks Format (2019), sections 4 and 6.
"""

import html
import re
from collections.abc import Iterator, Sequence

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.transcripts.captions import checked_line
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.transcript import Line

__all__ = ['read_vtt']

_STAMP = r'(?:(\d{1,9}):)?([0-5]\d):([0-5]\d)\.(\d{3})'
_TIMES = re.compile(rf'\s*{_STAMP}\s+-->\s+{_STAMP}(?:\s.*)?')
_WORD_TIME = re.compile(f'<{_STAMP}>')
# A tag ends before another begins: whoever looked for its end behind that would do so again for the other.
_VOICE = re.compile(r'<v(?:\.[^\s<>]*)?\s([^<>]*)>')
_TAG = re.compile(r'<[^<>]*>')
_OTHER_BLOCKS = ('NOTE', 'STYLE', 'REGION')


def read_vtt(text: str, path: StrPath) -> list[Line]:
    """The cues of a WebVTT file; where their text has times, the words between these."""
    rows = text.split('\n')
    if not re.match(r'WEBVTT(?:\s|$)', rows[0]):
        raise FormatError(f'{quoted(rows[0][:60])} is no first line of WebVTT: write WEBVTT, or give the file the '
                          'suffix of its format', path, 1)
    rolling = _WORD_TIME.search(text) is not None
    lines: list[Line] = []
    before: set[str] = set()
    for place, times, payload in _cues(rows, path):
        start, end = (_seconds(times[i:i + 4]) for i in (0, 4))
        plain = [_plain(row) for row in payload]
        # Captions that roll up have the line of the cue before once more, without times.
        new = [row for row, said in zip(payload, plain) if not (rolling and said in before and not _has_times(row))]
        before = set(plain)
        lines += _words('\n'.join(new), start, end, path, place)
    return lines


def _cues(rows: Sequence[str], path: StrPath) -> Iterator[tuple[int, Sequence[str], list[str]]]:
    """The line, the times and the text of each cue: blocks between empty lines, behind the header's."""
    block: list[tuple[int, str]] = []
    header = True
    for number, row in enumerate([*rows, ''], 1):
        if row:
            block.append((number, row))
            continue
        at = next((i for i, (_, line) in enumerate(block[:2]) if '-->' in line), None)
        if at is not None:
            place, line = block[at]
            match = _TIMES.fullmatch(line)
            if match is None:
                raise FormatError(f'{quoted(line)} are no times of a cue: write them as 01:02.500 --> '
                                  '01:04.000', path, place)
            yield place, match.groups(''), [text for _, text in block[at + 1:]]
        elif block and not header and not block[0][1].startswith(_OTHER_BLOCKS):
            raise FormatError(f'{quoted(block[0][1][:60])} begins a block without times: write 01:02.500 --> 01:04.000 '
                              'above it, or NOTE where it is a comment', path, block[0][0])
        header = header and not block
        block = []


def _words(text: str, start: float, end: float, path: StrPath, place: int) -> list[Line]:
    if not _has_times(text):
        speaker, said = _said(text, None)
        return [checked_line(start, end, said, speaker, path, place)]
    lines, at, speaker = [], start, None
    parts = _WORD_TIME.split(text)  # text, hours, minutes, seconds, milliseconds, text …
    for i in range(0, len(parts), 5):
        until = _seconds([group or '' for group in parts[i + 1:i + 5]]) if i + 5 < len(parts) else end
        speaker, said = _said(parts[i], speaker)
        lines.append(checked_line(at, until, said, speaker, path, place))
        at = until
    return lines


def _said(text: str, speaker: str | None) -> tuple[str | None, str]:
    voice = _VOICE.search(text)
    return html.unescape(voice[1].lstrip()) if voice else speaker, _plain(text)


def _plain(text: str) -> str:
    return ' '.join(html.unescape(_TAG.sub('', text)).split())


def _has_times(text: str) -> bool:
    return _WORD_TIME.search(text) is not None


def _seconds(groups: Sequence[str]) -> float:
    hours, minutes, seconds, milliseconds = (int(group or 0) for group in groups)
    return (((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) / 1000  # one division: the decimal's float
