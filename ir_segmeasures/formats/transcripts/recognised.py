"""The JSON of speech recognisers and of YouTube's transcripts, told apart by its keys."""

import re
from collections.abc import Mapping, Sequence
from math import inf
from numbers import Real
from typing import Any, TypeGuard

from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.formats.transcripts.found_lines import FoundLines
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE

__all__ = ['read_json']

_SHAPES = ("give an object with 'segments' or 'words' (whisper), 'chunks' (Hugging Face) or 'events' (YouTube), or a "
           'list of lines with text and start, and end or duration')
_MILLI = "give its 'tStartMs' and 'dDurationMs', and 'tOffsetMs' of words, in milliseconds from 0"
_DECIMAL = re.compile(r'[0-9]+(?:\.[0-9]+)?')  # as some tools for YouTube have times


def read_json(text: str, found: FoundLines) -> None:
    """The lines, or the words, of a transcript in JSON."""
    value = json_value(text, 'such transcripts are JSON: give the file as the tool wrote it', found.path)
    key = None
    if isinstance(value, Mapping):
        if isinstance(value.get('events'), list):
            return _add_events(value['events'], found)
        words = value.get('words') or value.get('word_segments')  # beside the lines, not in them
        segments = value.get('segments')
        if _have_times(words) and not (isinstance(segments, list) and any(
                _have_times(entry.get('words')) for entry in segments if isinstance(entry, Mapping))):
            return _add_words({}, words, found, 'the file')
        key = next((key for key in ('segments', 'chunks', 'snippets') if key in value), None)
        value = value.get(key)
    if not isinstance(value, list):
        raise FormatError(f'its JSON is of no transcript that is known here: {_SHAPES}', found.path)
    places = [f'entry {count} of {key}' if key else f'entry {count}' for count in range(1, len(value) + 1)]
    for entry, place in zip(value, places):
        if not isinstance(entry, Mapping) or not isinstance(entry.get('text'), str):
            raise FormatError(f'{place} has no text: {_SHAPES}', found.path)
    for count, (entry, place) in enumerate(zip(value, places)):
        if _have_times(entry.get('words')):
            _add_words(entry, entry['words'], found, place)
            continue
        start, end = _times(entry, found, place)
        if end is None:  # Hugging Face: the recording ends within the line
            found.note('lines have no end: they end where the next starts, the last where it starts itself', place)
            end = max(start, _times(value[count + 1], found, places[count + 1])[0]) if count + 1 < len(value) else start
        found.add(start, end, ' '.join(entry['text'].split()), entry.get('speaker'), where=f'{place}: ')


def _have_times(words: Any) -> TypeGuard[list[Any]]:
    return isinstance(words, list) and any(isinstance(word, Mapping) and word.get('start') is not None
                                           for word in words)


def _add_events(events: list[Any], found: FoundLines) -> None:
    """The lines or words of YouTube's own JSON (json3), in milliseconds. Where words have times, lines roll up and
    stay for a while, so that the last word ends where the next line starts at the latest."""
    spoken: list[tuple[str, float, float, list[Any]]] = []
    for count, event in enumerate(events, 1):
        place = f'entry {count} of events'
        pieces = event.get('segs') or [] if isinstance(event, Mapping) else None
        if not isinstance(pieces, list) or not all(isinstance(piece, Mapping) and isinstance(piece.get('utf8'), str)
                                                   for piece in pieces):
            raise FormatError(f"{place} has no text: give it 'segs' with 'utf8', or leave it out", found.path)
        if any(not piece['utf8'].isspace() for piece in pieces):
            start = _number(event.get('tStartMs'), found, place, _MILLI)
            spoken.append((place, start, start + _number(event.get('dDurationMs'), found, place, _MILLI), pieces))
    following = [start for _, start, _, _ in spoken[1:]]
    for (place, start, end, pieces), after in zip(spoken, [*following, inf]):
        if any('tOffsetMs' in piece for piece in pieces):
            end = min(end, max(after, start))
        else:
            pieces = [{'utf8': ''.join(piece['utf8'] for piece in pieces)}]
        at = [start + _number(piece.get('tOffsetMs', 0), found, place, _MILLI) for piece in pieces]
        for piece, begin, until in zip(pieces, at, [*at[1:], end]):
            found.add(begin / 1000, max(until, begin) / 1000, ' '.join(piece['utf8'].split()), where=f'{place}: ')


def _add_words(entry: Mapping[str, Any], words: Sequence[Any], found: FoundLines, place: str) -> None:
    """The words of a line. Whisper begins a word with a blank, so that what has none goes on with the word before it
    (``well``, ``-known``); where no word has one, as those of whisperX and of languages without blanks, each stands for
    itself. A word without times joins the one before it, or the next one where it is the first.
    """
    texts = [word.get('word', word.get('text')) if isinstance(word, Mapping) else None for word in words]
    blanks = any(isinstance(text, str) and text.startswith(' ') for text in texts)
    spoken: list[tuple[float, float, str, Any, str]] = []
    early = ''  # before the first word with times
    for count, (word, text) in enumerate(zip(words, texts), 1):
        at = f'word {count} of {place}'
        if not isinstance(text, str):
            raise FormatError(f"{at} has no text: give it 'word', 'start' and 'end'", found.path)
        if word.get('start') is None:
            found.note('words have no times, and join the word beside them', f'{quoted(text.strip())}, {at}')
            if spoken:
                spoken[-1] = (*spoken[-1][:2], f'{spoken[-1][2]} {text.strip()}', *spoken[-1][3:])
            else:
                early += f'{text.strip()} '
            continue
        start, end = _times(word, found, at)
        end, said, early = start if end is None else end, f'{early}{text.strip()}', ''
        if spoken and blanks and not text.startswith(' '):
            before = spoken.pop()
            spoken.append((before[0], max(before[1], end), before[2] + said, *before[3:]))
        else:
            spoken.append((start, end, said, word.get('speaker', entry.get('speaker')), f'{at}: '))
    for start, end, said, speaker, where in spoken:
        found.add(start, end, said, speaker, where=where)


def _times(entry: Mapping[str, Any], found: FoundLines, place: str) -> tuple[float, float | None]:
    if 'timestamp' in entry:
        pair = entry['timestamp']
        start, end = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
    else:
        start, end = entry.get('start'), entry.get('end')
        length = entry.get('duration', entry.get('dur'))
        if length is not None and end is None:
            start, duration = _number(start, found, place), _number(length, found, place)
            end = round(start + duration, 6)  # to the microsecond, as ids have it
    return _number(start, found, place), None if end is None and 'timestamp' in entry else _number(end, found, place)


def _number(value: Any, found: FoundLines, place: str, rule: str = f'{_SHAPES}, in seconds from 0') -> float:
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        value = float(value)
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < TOO_LARGE:  # type: ignore[operator]
        raise FormatError(f'{place} has the time {quoted(value)}: {rule}', found.path)
    return value  # type: ignore[return-value]
