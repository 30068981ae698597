"""The lines of a transcript as a reader finds them, and what is odd about them."""

import os
from collections.abc import Sequence
from math import ceil
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.moment_windows import of_kinds
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.transcript import Line, ticks
from ir_segmeasures.segments.user_warnings import warn_user

_WINDOW = 30  # seconds, after which pipelines of speech recognisers start their clock anew
_LISTED = 5  # examples of a kind
_BAD = 'lines cannot be read, and are left out'
_NEWS = 1  # second: speakers overlap by less all the time


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

    def bad(self, sentence: str, place: int | None = None) -> None:
        """Leaves a line out, or raises ``FormatError``; ``place`` is its line in the file."""
        if not self.skip_bad:
            raise FormatError(f'{sentence}, or leave such lines out with --skip-bad-cues', self.path, place)
        self.notes.append((_BAD, str(FormatError(sentence, self.path, place))))

    def add(self, start: float, end: float, text: str, speaker: Any = None, place: int | None = None,
            where: str = '') -> None:
        """Adds a line, if it has text; ``where`` it stands, in words."""
        if self.shift:
            start, end = round(start + self.shift, 6), round(end + self.shift, 6)
        if self.restarts and end < start <= _WINDOW:  # in the next window
            end += _WINDOW
        if not 0 <= start <= end < TOO_LARGE:
            self.bad(f'{where}{quoted(text)} goes from {quoted(start)} to {quoted(end)} s, but a line starts at 0 or '
                     'later, and ends at or after its start: correct the two', place)
        elif text and not text.isspace():
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
