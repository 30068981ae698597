"""The chunks of one document located together: their order and their neighbours tell apart text that stands twice."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from ir_segmeasures.texts.locating.alignment import Part
from ir_segmeasures.texts.locating.index import MARK, NormalizedText, QuoteIndex
from ir_segmeasures.texts.locating.neighbours import Places, likeliest
from ir_segmeasures.texts.locating.normalisation import normal_form

__all__ = ['ChunkPlaces', 'located_together']

Span = tuple[int, int]

_IN_ORDER = 0.9  # of the chunks that stand once, those that come after the one before, at least

_NEAR = 1000  # characters between neighbours that touch each other, at most
_CHANGED = 0.001  # what a place with other punctuation costs more than one without
_LACKING = 0.1  # what a place would cost that has no letter of the chunk; it is less than to leave the neighbours
_SLACK = 0.01  # of such costs, between places of which each has letters that the chunk has not, or lacks some
_MANY = 10_000  # places of a chunk, of which none is ruled out


class ChunkPlaces(NamedTuple):
    """The places of a chunk in its document.

    Attributes:
        places: (start, end) in characters; one if the chunk is located, none if it is missing, and several if nothing
            tells them apart
        added: the stretches of the chunk that the place lacks, such as a title before it, in order
    """
    places: list[Span]
    added: tuple[str, ...] = ()


class _Place(NamedTuple):
    start: int
    end: int
    cost: float = 0
    added: tuple[str, ...] = ()
    slack: float = 0  # how much more another place may cost that is as good, since some letters found no partner


def located_together(chunks: Sequence[str], index: QuoteIndex, *, in_order: bool = True) -> list[ChunkPlaces]:
    """The places of the chunks of one document.

    1. A chunk stands at the places that :func:`~ir_segmeasures.texts.locating.index.locate` finds, if need be without
       the marks of footnotes in it, such as ``[12]``.
    2. It also stands where its letters and digits stand, whatever is between them: punctuation, Markdown, tags of HTML,
       blanks. If the text has not all of them, the largest part counts: eight words, 40 letters and a fifth of the
       chunk at least. The rest was added: a title, a context, another chunk.
    3. Of several places, the ones count that touch the places of the neighbours or overlap with them, or else that
       stand between them; and of these, the ones with the fewest changes. A chunk of which only parts were found, and
       none fits its neighbours, has no place.
    4. Chunks without one place have those between their neighbours if they have all letters that stand there.

    Args:
        chunks: in the order of the document
        index: the document
        in_order: False for chunks in another order, such as a ranking: step 2 is for chunks that step 1 does not find,
            and there are no other steps; places that lack nearly as many letters are all returned. Chunks of which
            more than a tenth are out of order have no steps 3 and 4 either.

    Returns:
        the places of each chunk, in the order of the chunks

    Examples:
        >>> from ir_segmeasures.texts.locating.chunk_places import located_together
        >>> from ir_segmeasures.texts.locating.index import QuoteIndex
        >>> index = QuoteIndex('Yes. First **part**. Yes. Second part of the text.')
        >>> [chunk.places for chunk in located_together(['First part.', 'Yes.', 'Second part of the text.'], index)]
        [[(5, 20)], [(21, 25)], [(26, 50)]]
    """
    places = {chunk: _exact(chunk, index) for chunk in dict.fromkeys(chunks)}
    found = [places[chunk] for chunk in chunks]
    text, kept = index.text, in_order and _in_order(found)
    unsettled = [number for number, places in enumerate(found)
                 if not places or (in_order and not (kept and _settled(text, found, number)))]
    for number in unsettled:
        known = [*found[number], *_unmarked(chunks[number], index)] if in_order else found[number]
        found[number] = _with_parts(chunks[number], known, index.normalized())
    ordered = in_order and _in_order(found)
    if unsettled and ordered:
        _narrow(found, index.normalized())
        _fill(found, chunks, index.normalized())
    return [_result(places, ordered) for places in found]


def _exact(chunk: str, index: QuoteIndex) -> list[_Place]:
    """The places of a chunk, or else those that it has if the marks of footnotes are left out of it and of the text."""
    return [_Place(*place) for place in index.locate(chunk)] or _unmarked(chunk, index)


def _unmarked(chunk: str, index: QuoteIndex) -> list[_Place]:
    """The places that a chunk has if the marks of footnotes are left out of it and of the text."""
    bare = MARK.sub('', chunk)
    found = index.locate(bare) if bare != chunk else []
    return [_Place(*place, _CHANGED, tuple(MARK.findall(chunk))) for place in found or index.unmarked.locate(chunk)]


def _in_order(found: list[list[_Place]]) -> bool:
    """Whether the chunks that stand once are in the order of the document."""
    starts = [places[0].start for places in found if len(places) == 1]
    steps = [first <= second for first, second in pairwise(starts)]
    return sum(steps) >= _IN_ORDER * len(steps)


def _settled(text: str, found: list[list[_Place]], number: int) -> bool:
    """Whether a chunk and its two neighbours stand once each, with at most blanks and signs between them."""
    near = found[max(0, number - 1):number + 2]
    return all(len(places) == 1 for places in near) and all(
        before.start < behind.start < before.end + _NEAR and before.end < behind.end
        and not any(map(str.isalnum, text[before.end:behind.start]))
        for (before,), (behind,) in pairwise(near))


def _with_parts(chunk: str, places: list[_Place], text: NormalizedText) -> list[_Place]:
    """The places of a chunk, and those of its letters and of its largest parts; each costs as much as it lacks."""
    parts = text.letters.parts(chunk)
    most = max((part.size for part in parts), default=1)
    known = {(place.start, place.end): place for place in reversed(places)}
    for span in text.places(normal_form(chunk)):  # with other white space, where the text has the same one elsewhere
        known.setdefault(span, _Place(*span, _CHANGED))
    for part in parts:
        span = text.original(part.start, part.end)
        if not any(place.start <= span[0] and span[1] <= place.end for place in places):
            parted = len(part.blocks) > 1 or part.foreign > 0
            cost = _CHANGED * (1 + parted * (1 + part.foreign / most)) + _LACKING * (1 - part.size / most)
            known.setdefault(span, _Place(*span, cost, _added(chunk, part), _SLACK * parted))
    return sorted(known.values())


def _added(chunk: str, part: Part) -> tuple[str, ...]:
    """The stretches of a chunk between the blocks of a part, if they have letters or digits."""
    ends, starts = [0, *(end for _, end in part.blocks)], [*(start for start, _ in part.blocks), len(chunk)]
    return tuple(stretch for end, start in zip(ends, starts)
                 if any(map(str.isalnum, stretch := chunk[end:start].strip())))


def _narrow(found: list[list[_Place]], text: NormalizedText) -> None:
    """Leaves, of the places of chunks that stand several times or in parts, those that fit their neighbours best.

    A chunk of which only parts were found, and none fits, has no place.
    """
    present = [number for number, places in enumerate(found) if 0 < len(places) <= _MANY]
    for unsure, group in groupby(range(len(present)), lambda at: not _is_sure(found[present[at]])):
        if unsure:
            run = list(group)
            numbers = present[max(0, run[0] - 1):run[-1] + 2]
            for number, kept in zip(numbers, likeliest([_as_places(found[number], text) for number in numbers])):
                places = found[number]
                found[number] = [place for place, keep in zip(places, kept) if keep] or [
                    place for place in places if place.cost <= _CHANGED]


def _is_sure(places: list[_Place]) -> bool:
    """Whether a chunk stands once, as a whole."""
    return len(places) == 1 and places[0].cost <= _CHANGED


def _as_places(places: list[_Place], text: NormalizedText) -> Places:
    spans = np.array([(place.start, place.end) for place in places])
    starts, ends = spans[:, 0], np.maximum.accumulate(spans[:, 1])
    return Places(starts, ends, text.letters_before(starts), text.letters_before(ends),
                  np.array([place.cost for place in places]))


def _fill(found: list[list[_Place]], chunks: Sequence[str], text: NormalizedText) -> None:
    """Gives chunks without one place between two neighbours that have one the text between these, if it is theirs."""
    for missing, group in groupby(range(len(found)), lambda number: len(found[number]) != 1):
        run = list(group)
        before = found[run[0] - 1] if run[0] else [_Place(0, 0)]
        behind = found[run[-1] + 1] if run[-1] + 1 < len(found) else [_Place(len(text.text), len(text.text))]
        if missing and len(before) == len(behind) == 1:
            parts = text.letters.parts_between([chunks[number] for number in run],
                                               *text.letters_before([before[0].end, behind[0].start]))
            for number, part in zip(run, parts or ()):
                found[number] = [_Place(*text.original(part.start, part.end), 0, _added(chunks[number], part))]


def _result(places: list[_Place], ordered: bool) -> ChunkPlaces:
    """The places that cost least; in a ranking, all that may be as good."""
    least = min(places, default=_Place(0, 0), key=lambda place: place.cost)
    most = least.cost + (0 if ordered else least.slack)
    best = [place for place in places if place.cost <= most]
    return ChunkPlaces([(place.start, place.end) for place in best], least.added)
