"""The lines of a transcript as a reader finds them, and what is odd about them."""

import os
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.moment_windows import of_kinds
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.transcript import Line, ticks
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['FoundLines', 'warn_of_lines']

_WINDOW = 30  # seconds, after which pipelines of speech recognisers start their clock anew
_LISTED = 5  # examples of a kind
_NEWS = 1  # second: speakers overlap by less all the time


class FoundLines:
    """The lines of a transcript that a reader adds one by one.

    Args:
        path: of the file
        skip_bad: whether lines that cannot be are left out, instead of an error

    Attributes:
        lines: those with text, in the order of the file
        notes: what is odd about a line, and an example
        shift: the seconds by which the file's own clock is behind
    """

    def __init__(self, path: StrPath, skip_bad: bool = False):
        self.path, self.skip_bad, self.lines = os.fspath(path), skip_bad, list[Line]()
        self.notes: list[tuple[str, str]] = []
        self.shift = 0.0

    def note(self, what: str, example: str) -> None:
        """Notes one line."""
        self.notes.append((what, f'{self.path}: {example}'))

    def bad(self, sentence: str, place: int | None = None) -> None:
        """Leaves a line out, or raises ``FormatError``; ``place`` is its line in the file."""
        if not self.skip_bad:
            raise FormatError(f'{sentence}, or leave such lines out with --skip-bad-cues', self.path, place)
        self.notes.append(('lines cannot be read, and are left out', str(FormatError(sentence, self.path, place))))

    def add(self, start: float, end: float, text: str, speaker: Any = None, place: int | None = None,
            where: str = '') -> None:
        """Adds a line, if it has text; ``where`` it stands, in words."""
        if end < start:
            self.bad(f'{where}{quoted(text)} ends at {format_number(end)}, before it starts at {format_number(start)}: '
                     'write the earlier time first', place)
        elif start < -self.shift:
            self.bad(f'{where}{quoted(text)} starts before the recording, at {format_number(start + self.shift)}: '
                     'correct its X-TIMESTAMP-MAP', place)
        elif text and not text.isspace():
            times = (round(time + self.shift, 6) if self.shift else time for time in (start, end))
            self.lines.append(Line(*times, text, speaker))

    def in_order(self, restarts: bool) -> list[Line]:
        """The lines in the order of their starts, in which order and overlap are noted. With ``restarts``, a line that
        starts before the one that stands before it begins a new window of 30 seconds."""
        lines, offset, latest = self.lines, 0, 0.0
        if restarts:
            lines = []
            for before, line in zip([None, *self.lines], self.lines):
                if before is not None and line.start < before.start:
                    offset, latest = offset + _WINDOW * max(1, ceil(latest / _WINDOW)), 0.0
                latest = max(latest, line.end)
                lines.append(line._replace(start=line.start + offset, end=line.end + offset))
        early = [line for before, line in pairwise(lines) if line.start < before.start]
        lines, over, latest = sorted(lines, key=lambda line: ticks(line.start)), [], 0.0
        for line in lines:
            if line.start < latest - _NEWS:
                over.append(line)
            latest = max(latest, line.end)
        for what, found in (('lines start before the line above them; all are kept, sorted by their '
                             'starts; --restarts is for clocks that restart every 30 seconds', early),
                            ('lines overlap the one before by more than a second; all are kept, sorted by their starts',
                             over)):
            for line in found:
                self.note(what, f'{quoted(line.text)} at {format_number(line.start)}')
        return lines


def warn_of_lines(notes: Sequence[tuple[str, str]], count: int) -> None:
    """Warns of all notes of transcripts with so many lines, in one sentence."""
    if notes:
        warn_user('; '.join(f'{len(examples)} of {count} {what} (such as {", ".join(examples[:_LISTED])})'
                            for what, examples in of_kinds(notes).items()))
