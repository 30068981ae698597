"""The JSON of speech recognisers and of YouTube's transcripts, told apart by its keys."""

from collections.abc import Sequence
from math import inf
from typing import Any, TypeGuard

import msgspec

from ir_segmeasures.formats.files.reading import errors_in, read_text
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import converted, json_value
from ir_segmeasures.formats.moment_windows import Score
from ir_segmeasures.formats.transcripts.captions import FoundLines
from ir_segmeasures.segments.basics import quoted

_SHAPES = ("give an object with 'segments' or 'words' (whisper), 'chunks' (Hugging Face) or 'events' (YouTube), or a "
           'list of lines with text and start, and end or duration, in seconds from 0')


class _Said(msgspec.Struct):
    """A line or a word."""
    text: str | None = None
    word: str | None = None
    start: Number | None = None
    end: Number | None = None
    duration: Number | None = None
    dur: Number | None = None
    timestamp: tuple[Number | None, Number | None] | None = None
    speaker: Any = None
    words: 'list[_Said] | None' = None

    def said(self, place: str) -> str:
        """The text, with the blanks around it."""
        text = self.text if self.word is None else self.word
        if text is None:
            raise ValueError(f'{place} has no text: {_SHAPES}')
        return text

    def times(self) -> tuple[Number, Number | None]:
        """The start and the end, which Hugging Face has as None where the recording ends within a line."""
        start, end = self.timestamp or (self.start, self.end)
        length = self.dur if self.duration is None else self.duration
        if start is not None and end is None and length is not None:
            try:
                end = round(start + length, 6)  # to the microsecond, as ids have it
            except OverflowError:  # of whole numbers of 400 digits
                end = inf
        if start is None or (end is None and self.timestamp is None):
            raise ValueError(f'there is no start, or neither end nor duration: {_SHAPES}')
        return start, end


class _Piece(msgspec.Struct, rename={'text': 'utf8', 'offset': 'tOffsetMs'}):
    text: str
    offset: Score | None = None


class _Event(msgspec.Struct, rename={'pieces': 'segs', 'start': 'tStartMs', 'length': 'dDurationMs'}):
    pieces: list[_Piece] | None = None
    start: Score | None = None
    length: Score | None = None


class _Transcript(msgspec.Struct):
    events: list[_Event] | None = None
    words: list[_Said] | None = None
    word_segments: list[_Said] | None = None
    segments: list[_Said] | None = None
    chunks: list[_Said] | None = None
    snippets: list[_Said] | None = None


def read_json(found: FoundLines) -> None:
    """The lines, or the words, of a transcript in JSON."""
    value = json_value(read_text(found.path), 'transcripts are JSON: give the file as the tool wrote it', found.path)
    with errors_in(found.path):
        content = converted(value, list[_Said] if isinstance(value, list) else _Transcript, 'the file', strict=False)
        if isinstance(content, list):
            return _add_entries(content, found)
        if content.events is not None:
            return _add_events(content.events, found)
        words = content.words or content.word_segments  # beside the lines, not in them
        if _have_times(words) and not any(_have_times(entry.words) for entry in content.segments or ()):
            return _add_words(words, None, 'the file', found)
        for entries in (content.segments, content.chunks, content.snippets):
            if entries is not None:
                return _add_entries(entries, found)
        raise ValueError(f'its JSON is of no transcript that is known here: {_SHAPES}')


def _have_times(words: list[_Said] | None) -> TypeGuard[list[_Said]]:
    return any(word.start is not None for word in words or ())


def _add_entries(entries: Sequence[_Said], found: FoundLines) -> None:
    for count, (entry, following) in enumerate(zip(entries, [*entries[1:], None]), 1):
        place = f'entry {count}'
        if _have_times(entry.words):
            _add_words(entry.words, entry.speaker, place, found)
            continue
        text = entry.said(place)
        with found.line(where=f'{place}: '):
            start, end = entry.times()
            if end is None:
                found.note('lines have no end: they end where the next starts, the last where it starts itself', place)
                end = max(start, (following.timestamp or [following.start])[0] or 0) if following else start
            found.add(start, end, ' '.join(text.split()), entry.speaker)


def _add_events(events: list[_Event], found: FoundLines) -> None:
    """The lines or words of YouTube's own JSON (json3), in milliseconds. Where words have times, lines roll up and
    stay for a while, so that the last word ends where the next line starts at the latest."""
    spoken: list[tuple[str, Number, Number, list[_Piece]]] = []
    for count, event in enumerate(events, 1):
        if event.pieces and not all(piece.text.isspace() for piece in event.pieces):
            with found.line(where=(place := f'entry {count} of events: ')):
                if event.start is None or event.length is None:
                    raise ValueError("there is no time: give its 'tStartMs' and 'dDurationMs'")
                spoken.append((place, event.start, event.start + event.length, event.pieces))
    for (place, start, end, pieces), after in zip(spoken, [*(start for _, start, _, _ in spoken[1:]), inf]):
        if all(piece.offset is None for piece in pieces):
            pieces = [_Piece(''.join(piece.text for piece in pieces))]
        else:
            end = min(end, max(after, start))
        at = [start + (piece.offset or 0) for piece in pieces]
        for piece, begin, until in zip(pieces, at, [*at[1:], end]):
            with found.line(where=place):
                found.add(begin / 1000, max(until, begin) / 1000, ' '.join(piece.text.split()))


def _add_words(words: Sequence[_Said], speaker: Any, place: str, found: FoundLines) -> None:
    """The words of a line. Whisper begins a word with a blank, so that what has none goes on with the word before it
    (``well``, ``-known``); where no word has one, as those of whisperX and of languages without blanks, each stands for
    itself. A word without times joins the one before it, or the next one where it is the first.
    """
    texts = [word.said(f'word {count} of {place}') for count, word in enumerate(words, 1)]
    blanks = any(text.startswith(' ') for text in texts)
    spoken: list[list[Any]] = []  # start, end, text, speaker, place
    early = ''  # before the first word with times
    for count, (word, text) in enumerate(zip(words, texts), 1):
        at, said = f'word {count} of {place}', text.strip()
        if word.start is None:
            found.note('words have no times, and join the word beside them', f'{quoted(said)}, {at}')
            if spoken:
                spoken[-1][2] += f' {said}'
            else:
                early += f'{said} '
            continue
        with found.line(where=f'{at}: '):
            start, end = word.times()
            if spoken and blanks and not text.startswith(' '):
                spoken[-1][1:3] = max(spoken[-1][1], end), spoken[-1][2] + said
            else:
                spoken.append([start, end, early + said, speaker if word.speaker is None else word.speaker, f'{at}: '])
            early = ''
    for *line, where in spoken:
        with found.line(where=where):
            found.add(*line)
