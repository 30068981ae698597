"""The JSON of speech recognisers and of YouTube's transcripts, told apart by its keys."""

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.transcripts.captions import line_of
from ir_segmeasures.segments.objects import TwiceError, loads
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.shown import shown
from ir_segmeasures.segments.transcript import Line

__all__ = ['read_json']

_SHAPES = ("give an object with 'segments' (whisper) or 'chunks' (Hugging Face), or a list of lines with text and "
           'start, and end or duration')


def read_json(text: str, path: StrPath) -> list[Line]:
    """The lines, or the words, of a transcript in JSON."""
    try:
        value = loads(text)
    except TwiceError as error:
        raise FormatError(str(error), path) from None
    except json.JSONDecodeError as error:
        raise FormatError(f'it is no JSON ({error.msg}): give the file as the tool wrote it', path,
                          error.lineno) from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, lists in lists
        raise FormatError(f'it is no JSON that can be read ({error}): give the file as the tool wrote it',
                          path) from None
    key = None
    if isinstance(value, Mapping):
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
        if words and any(isinstance(word, Mapping) and word.get('start') is not None for word in words):
            lines += _words(entry, words, path, place)
            continue
        start, end = _times(entry, path, place)
        if end is None:  # Hugging Face: the recording ends within the line
            open_ends += 1
            end = max(start, _times(value[count + 1], path, places[count + 1])[0]) if count + 1 < len(value) else start
        lines.append(_line(start, end, ' '.join(entry['text'].split()), entry.get('speaker'), path, place))
    if open_ends:
        warnings.warn(f'{os.fspath(path)}: {open_ends} of {len(value)} lines have no end: they end where the next '
                      'starts, the last where it starts itself', stacklevel=3)
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
        if 'duration' in entry and end is None:
            start, duration = _number(start, path, place), _number(entry['duration'], path, place)
            end = round(start + duration, 6)  # to the microsecond, as ids have it
    return _number(start, path, place), None if end is None and 'timestamp' in entry else _number(end, path, place)


def _number(value: Any, path: StrPath, place: str) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < TOO_LARGE:  # type: ignore[operator]
        raise FormatError(f'{place} has the time {shown(value)}: {_SHAPES}, in seconds from 0', path)
    return value  # type: ignore[return-value]


def _line(start: float, end: float, text: str, speaker: Any, path: StrPath, place: str) -> Line:
    try:
        return line_of(start, end, text, speaker, path, None)
    except FormatError as error:
        raise FormatError(f'{place}: {error.sentence}', path) from None
