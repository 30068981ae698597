"""Cuts of long stretches: where one speaks, at the ends of sentences and in silences, else into equal parts."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import COUNTED, UNITS
from ir_segmeasures.segments.spans import Spans
from ir_segmeasures.segments.tables.table import NO_UNIT
from ir_segmeasures.segments.transcript import ticks
from ir_segmeasures.study.campaign.layers import Groups

__all__ = ['cut_long', 'even_cuts', 'spoken_cuts']

_TICKS = 10 ** 6  # of a second or a character: positions have six decimals
_GRIDS = (10 ** 6, 10 ** 3, 1)  # whole numbers, thousandths, millionths
_SENTENCE_ENDS = ('.', '!', '?', '…', '。', '！', '？')
_QUOTES = '"\'”’»)]'

Boundary = tuple[int, bool, int]  # where it is, whether a sentence ends there, how long the silence is


def cut_long(spans: Spans, groups: Groups, longest: float, transcripts: Mapping[str, Any] | None = None) -> Spans:
    """The spans, those that are longer than ``longest`` in parts of at most this length.

    Args:
        spans: sorted and disjoint
        groups: what the groups are
        longest: in the unit of positions, > 0; of characters, words, lines and pages at least 1
        transcripts: document → its lines, as :func:`~ir_segmeasures.texts.cutting.transcript_lines` takes them

    Raises:
        ValueError: parts of characters, words, lines or pages are to be shorter than 1, or lines are no transcript
    """
    long = np.flatnonzero(np.round(spans.end - spans.start, 6) > longest)
    if not len(long):
        return spans
    known: dict[int, list[Boundary]] = {}
    parts: dict[int, list[int]] = {}
    for place in long.tolist():
        group = int(spans.group[place])
        document, timed = int(groups.document[group]), groups.unit[group] in (NO_UNIT, UNITS.index('t'))
        if not timed and longest < 1:
            raise ValueError(f'longest={quoted(longest)}, but {groups.named(group)} is in '
                             f'{COUNTED[UNITS[groups.unit[group]]]}, which are whole: give at least 1')
        if document not in known:
            lines = transcripts.get(groups.document_ids[document]) if timed and transcripts is not None else None
            known[document] = [] if lines is None else _boundaries(lines)
        parts[place] = spoken_cuts(ticks(float(spans.start[place])), ticks(float(spans.end[place])),
                                   ticks(longest if timed else int(longest)), known[document])
    count = np.ones(len(spans.group), np.intp)
    count[long] = [len(parts[place]) + 1 for place in long.tolist()]
    one = np.repeat(np.arange(len(count)), count)
    start, end = spans.start[one], spans.end[one]
    first = np.cumsum(count) - count
    for place, cuts in parts.items():
        low = int(first[place])
        inner = [cut / _TICKS for cut in cuts]
        start[low + 1:low + 1 + len(inner)] = inner
        end[low:low + len(inner)] = inner
    return Spans(spans.group[one], start, end)


def even_cuts(start: int, end: int, longest: int) -> list[int]:
    """Where ``[start, end)`` is cut into the fewest parts of at most ``longest`` that are about equal: at whole numbers
    where all three are whole, else at thousandths or millionths. All are in millionths.
    """
    number = -((start - end) // longest)
    grid = next(grid for grid in _GRIDS if all(value % grid == 0 for value in (start, end, longest)))
    steps = (end - start) // grid
    return [start + part * steps // number * grid for part in range(1, number)]


def spoken_cuts(start: int, end: int, longest: int, boundaries: list[Boundary]) -> list[int]:
    """Where ``[start, end)`` is cut into parts of at most ``longest``: each cut is in the second half of what is
    allowed, at the end of a sentence if there is one, there in the longest silence, of equal ones the last; where
    nothing is between lines, what remains is cut evenly. All are in millionths.
    """
    positions = [at for at, _, _ in boundaries]
    cuts: list[int] = []
    while end - start > longest:
        low = bisect_right(positions, start + longest // 2)
        high = bisect_left(positions, min(start + longest + 1, end))
        if low < high:
            start = max(boundaries[low:high], key=lambda boundary: (boundary[1], boundary[2], boundary[0]))[0]
        else:
            start = even_cuts(start, end, longest)[0]
        cuts.append(start)
    return cuts


def _boundaries(lines: Any) -> list[Boundary]:
    """The places between the lines of a transcript, in order: the middle of a silence, or where the next line
    starts.
    """
    found: dict[int, Boundary] = {}
    reach = 0
    for line, following in pairwise(lines):
        reach = max(reach, ticks(line.end))
        begins = ticks(following.start)
        silence = max(0, begins - reach)
        at = begins - silence // 2
        at -= at % 1000 if silence > 2000 else 0  # a thousandth of a second is exact enough
        sentence = line.text.rstrip().rstrip(_QUOTES).endswith(_SENTENCE_ENDS)
        found[at] = max(found.get(at, (at, False, 0)), (at, sentence, silence))
    return sorted(found.values())
