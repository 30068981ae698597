"""The lines of a transcript as a reader finds them, and what is odd about them."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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

    @contextmanager
    def line(self, place: int | None = None, where: str = '') -> Iterator[None]:
        """A context in which a ValueError is about one line, which is left out, or raised as ``FormatError``.

        Args:
            place: its line in the file
            where: it stands, in words
        """
        try:
            yield
        except ValueError as error:
            if not self.skip_bad:
                raise FormatError(f'{where}{error}, or leave such lines out with --skip-bad-cues', self.path,
                                  place) from None
            self.notes.append((_BAD, str(FormatError(f'{where}{error}', self.path, place))))

    def no_captions(self, format: str) -> FormatError:
        """The error about a file without any."""
        return FormatError(f'it has no captions: give a file of {format}, or another suffix', self.path)

    def add(self, start: float, end: float, text: str, speaker: Any = None) -> None:
        """Adds a line, if it has text. Raises ``ValueError`` for one that is no stretch of time."""
        if self.shift:
            start, end = round(start + self.shift, 6), round(end + self.shift, 6)
        if not 0 <= start <= end < TOO_LARGE:
            raise ValueError(f'{quoted(text)} goes from {quoted(start)} to {quoted(end)} s, but a line starts at 0 or '
                             'later, and ends at or after its start: correct the two')
        if text and not text.isspace():
            self.lines.append(Line(start, end, text, speaker))

    def in_order(self, restarts: bool) -> list[Line]:
        """The lines in the order of their starts, in which order and overlap are noted. With ``restarts``, a line that
        starts before the one that stands before it begins a new window of 30 seconds."""
        lines, offset, latest, before = list[Line](), 0, 0.0, 0.0
        for line in self.lines:
            if line.start < before and restarts:
                offset, latest = offset + _WINDOW * max(1, ceil(latest / _WINDOW)), 0.0
            elif line.start < before:
                self.note('lines start before the line above them; all are kept, sorted by their starts; --restarts is '
                          'for clocks that restart every 30 seconds', _shown(line))
            before, latest = line.start, max(latest, line.end)
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
        warn_user('; '.join(f'{len(examples)} of {count} {what} (such as {", ".join(examples[:_LISTED])})'
                            for what, examples in kinds.items()))
