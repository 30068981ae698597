"""Cuts of long stretches: where one speaks, at the ends of sentences and in silences, else into equal parts."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import COUNTED
from ir_segmeasures.study.campaign.layers import Group, ticks

__all__ = ['parts_of']

_GRIDS = (10 ** 6, 10 ** 3, 1)  # whole numbers, thousandths, millionths
_SENTENCE_ENDS = ('.', '!', '?', '…', '。', '！', '？')
_QUOTES = '"\'”’»)]'

Boundary = tuple[int, bool, int]  # where it is, whether a sentence ends there, how long the silence is


def parts_of(start: int, end: int, group: Group, longest: float,
             transcripts: Mapping[str, Any] | None = None) -> list[tuple[int, int]]:
    """The parts of at most ``longest`` of a stretch, in order. Each cut is in the second half of the room, at the end
    of a sentence if there is one, there in the longest silence, of equal ones the last; where nothing is between lines,
    the rest is cut evenly.

    Args:
        start, end: in millionths
        group: whose stretch it is
        longest: in the unit of positions, > 0; of characters, words, lines and pages at least 1
        transcripts: document → its lines

    Raises:
        ValueError: parts of characters, words, lines or pages are to be shorter than 1
    """
    if end - start <= ticks(longest):
        return [(start, end)]
    timed = group.unit in (None, 't')
    if not timed and longest < 1:
        raise ValueError(f'longest={quoted(longest)}, but {group} is in {COUNTED[group.unit or ""]}, which are whole: '
                         'give at least 1')
    most = ticks(longest if timed else int(longest))
    lines = transcripts.get(group.document) if timed and transcripts is not None else None
    boundaries = [] if lines is None else _boundaries(lines)
    positions = [at for at, _, _ in boundaries]
    cuts = [start]
    while end - cuts[-1] > most:
        low = bisect_right(positions, cuts[-1] + most // 2)
        high = bisect_left(positions, min(cuts[-1] + most + 1, end))
        best = max(boundaries[low:high], key=lambda boundary: (boundary[1], boundary[2], boundary[0]), default=None)
        cuts.append(_even_cut(cuts[-1], end, most) if best is None else best[0])
    return list(pairwise([*cuts, end]))


def _even_cut(start: int, end: int, most: int) -> int:
    """Tells where the first of the fewest parts of at most ``most`` ends that are about equal: at a whole number where
    all three are whole, else at a thousandth or a millionth.
    """
    number = -((start - end) // most)
    grid = next(grid for grid in _GRIDS if all(value % grid == 0 for value in (start, end, most)))
    return start + (end - start) // grid // number * grid


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
