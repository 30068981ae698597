"""The JSON of speech recognisers and of YouTube's transcripts, told apart by its keys."""

import os
import re
from collections.abc import Mapping, Sequence
from math import inf
from numbers import Real
from typing import Any, TypeGuard

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.formats.transcripts.captions import checked_line
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.transcript import Line
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['read_json']

_SHAPES = ("give an object with 'segments' or 'words' (whisper), 'chunks' (Hugging Face) or 'events' (YouTube), or a "
           'list of lines with text and start, and end or duration')
_MILLI = "give its 'tStartMs' and 'dDurationMs', and 'tOffsetMs' of words, in milliseconds from 0"
_DECIMAL = re.compile(r'[0-9]+(?:\.[0-9]+)?')  # as some tools for YouTube have times


def read_json(text: str, path: StrPath) -> list[Line]:
    """The lines, or the words, of a transcript in JSON."""
    value = json_value(text, 'such transcripts are JSON: give the file as the tool wrote it', path)
    key = None
    if isinstance(value, Mapping):
        if isinstance(value.get('events'), list):
            return _events(value['events'], path)
        words = value.get('words') or value.get('word_segments')  # beside the lines, not in them
        segments = value.get('segments')
        if _have_times(words) and not (isinstance(segments, list) and any(
                _have_times(entry.get('words')) for entry in segments if isinstance(entry, Mapping))):
            return _words({}, words, path, 'the file')
        key = next((key for key in ('segments', 'chunks', 'snippets') if key in value), None)
        value = value.get(key)
    if not isinstance(value, list):
        raise FormatError(f'its JSON is of no transcript that is known here: {_SHAPES}', path)
    places = [f'entry {count} of {key}' if key else f'entry {count}' for count in range(1, len(value) + 1)]
    for entry, place in zip(value, places):
        if not isinstance(entry, Mapping) or not isinstance(entry.get('text'), str):
            raise FormatError(f'{place} has no text: {_SHAPES}', path)
    lines: list[Line] = []
    open_ends = 0
    for count, (entry, place) in enumerate(zip(value, places)):
        words = entry.get('words')
        if _have_times(words):
            lines += _words(entry, words, path, place)
            continue
        start, end = _times(entry, path, place)
        if end is None:  # Hugging Face: the recording ends within the line
            open_ends += 1
            end = max(start, _times(value[count + 1], path, places[count + 1])[0]) if count + 1 < len(value) else start
        lines.append(_line(start, end, ' '.join(entry['text'].split()), entry.get('speaker'), path, place))
    if open_ends:
        warn_user(f'{os.fspath(path)}: {open_ends} of {len(value)} lines have no end: they end where the next '
                  'starts, the last where it starts itself')
    return lines


def _have_times(words: Any) -> TypeGuard[list[Any]]:
    return isinstance(words, list) and any(isinstance(word, Mapping) and word.get('start') is not None
                                           for word in words)


def _events(events: list[Any], path: StrPath) -> list[Line]:
    """The lines or words of YouTube's own JSON (json3), in milliseconds. Where words have times, lines roll up and
    stay for a while, so that the last word ends where the next line starts at the latest."""
    spoken: list[tuple[str, float, float, list[Any]]] = []
    for count, event in enumerate(events, 1):
        place = f'entry {count} of events'
        pieces = event.get('segs') or [] if isinstance(event, Mapping) else None
        if not isinstance(pieces, list) or not all(isinstance(piece, Mapping) and isinstance(piece.get('utf8'), str)
                                                   for piece in pieces):
            raise FormatError(f"{place} has no text: give it 'segs' with 'utf8', or leave it out", path)
        if any(not piece['utf8'].isspace() for piece in pieces):
            start = _number(event.get('tStartMs'), path, place, _MILLI)
            spoken.append((place, start, start + _number(event.get('dDurationMs'), path, place, _MILLI), pieces))
    lines: list[Line] = []
    starts = [start for _, start, _, _ in spoken]
    for (place, start, end, pieces), following in zip(spoken, [*starts[1:], inf]):
        if not any('tOffsetMs' in piece for piece in pieces):
            pieces = [{'utf8': ''.join(piece['utf8'] for piece in pieces)}]
        else:
            end = min(end, max(following, start))
        at = [start + _number(piece.get('tOffsetMs', 0), path, place, _MILLI) for piece in pieces]
        lines += [_line(begin / 1000, max(until, begin) / 1000, ' '.join(piece['utf8'].split()), None, path, place)
                  for piece, begin, until in zip(pieces, at, [*at[1:], end])]
    return lines


def _words(entry: Mapping[str, Any], words: Sequence[Any], path: StrPath, place: str) -> list[Line]:
    """The words of a line. Whisper begins a word with a blank, so that what has none goes on with the word before it
    (``well``, ``-known``); where no word has one, as those of whisperX and of languages without blanks, each stands for
    itself.
    """
    texts = [word.get('word', word.get('text')) if isinstance(word, Mapping) else None for word in words]
    blanks = any(isinstance(text, str) and text.startswith(' ') for text in texts)
    lines: list[Line] = []
    early = ''  # before the first word with times
    for count, (word, text) in enumerate(zip(words, texts), 1):
        at = f'word {count} of {place}'
        if not isinstance(text, str):
            raise FormatError(f"{at} has no text: give it 'word', 'start' and 'end'", path)
        speaker = word.get('speaker', entry.get('speaker'))
        if word.get('start') is None:
            if lines:
                lines[-1] = lines[-1]._replace(text=f'{lines[-1].text} {text.strip()}')
            else:
                early += f'{text.strip()} '
            continue
        start, end = _times(word, path, at)
        line = _line(start, start if end is None else end, f'{early}{text.strip()}', speaker, path, at)
        early = ''
        if lines and blanks and not text.startswith(' '):
            line = lines[-1]._replace(end=max(lines[-1].end, line.end), text=lines[-1].text + line.text)
            lines.pop()
        lines.append(line)
    return lines


def _times(entry: Mapping[str, Any], path: StrPath, place: str) -> tuple[float, float | None]:
    if 'timestamp' in entry:
        pair = entry['timestamp']
        start, end = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
    else:
        start, end = entry.get('start'), entry.get('end')
        length = entry.get('duration', entry.get('dur'))
        if length is not None and end is None:
            start, duration = _number(start, path, place), _number(length, path, place)
            end = round(start + duration, 6)  # to the microsecond, as ids have it
    return _number(start, path, place), None if end is None and 'timestamp' in entry else _number(end, path, place)


def _number(value: Any, path: StrPath, place: str, rule: str = f'{_SHAPES}, in seconds from 0') -> float:
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        value = float(value)
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < TOO_LARGE:  # type: ignore[operator]
        raise FormatError(f'{place} has the time {quoted(value)}: {rule}', path)
    return value  # type: ignore[return-value]


def _line(start: float, end: float, text: str, speaker: Any, path: StrPath, place: str) -> Line:
    try:
        return checked_line(start, end, text, speaker, path, None)
    except FormatError as error:
        raise FormatError(f'{place}: {error.sentence}', path) from None
