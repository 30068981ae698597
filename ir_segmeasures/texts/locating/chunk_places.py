"""The chunks of one document located together: their order and their neighbours tell apart text that stands twice."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.texts.locating.alignment import LetterText
from ir_segmeasures.texts.locating.index import QuoteIndex
from ir_segmeasures.texts.locating.normalisation import normal_form

Span = tuple[int, int]

_IN_ORDER = 0.9  # of the chunks that stand once, those that come after the one before, at least
_CHANGED = 0.001  # how much more a place with other signs costs than one without
_TOUCHING, _CLOSE = 16, 200  # letters between two chunks that follow each other, at most; and if some were lost
_LOST, _APART, _BACK = 0.3, 1.0, 2.0  # what it costs if a chunk follows so closely, farther away, or not at all
_SAME = 1e-9  # a difference of costs that is none, since sums are rounded
_MANY = 1000  # places of a chunk that its neighbours are asked about, at most


class ChunkPlaces(NamedTuple):
    """The places of a chunk in its document.

    Attributes:
        places: (start, end) in characters; one if the chunk is located, none if it is missing, and several if nothing
            tells them apart
        added: the stretches of the chunk that the place lacks, such as a title before it, in order
    """
    places: list[Span]
    added: tuple[str, ...] = ()


def located_together(chunks: Sequence[str], index: QuoteIndex, *, in_order: bool = True,
                     share: float = 0.2) -> list[ChunkPlaces]:
    """The places of the chunks of one document.

    1. A chunk stands at the places that :func:`~ir_segmeasures.texts.locating.index.locate` finds.
    2. Otherwise it stands where its letters and digits stand, whatever is between them: punctuation, Markdown, tags of
       HTML, marks of footnotes, blanks.
    3. Otherwise the largest part counts that the text has, 40 letters and a fifth of the chunk at least. The rest was
       added: a title, a context, another chunk.
    4. Chunks in the order of the document stand wherever steps 1 and 2 find them; of several places, the ones count
       that touch the places of the neighbours or overlap with them, or else stand between them. Chunks without a place
       have the text between their neighbours if they have all of its letters.

    Args:
        chunks: in the order of the document
        index: the document
        in_order: False for chunks in another order, such as a ranking; chunks of which more than a tenth are out of
            order have no step 4 either
        share: of a chunk's letters, which a part has at least

    Returns:
        the places of each chunk, in the order of the chunks

    Examples:
        >>> from ir_segmeasures.texts.locating.chunk_places import located_together
        >>> from ir_segmeasures.texts.locating.index import QuoteIndex
        >>> index = QuoteIndex('Yes. First **part**. Yes. Second part of the text.')
        >>> [chunk.places for chunk in located_together(['First part.', 'Yes.', 'Second part of the text.'], index)]
        [[(5, 20)], [(21, 25)], [(26, 50)]]
    """
    known = {chunk: _places(chunk, index, in_order, share) for chunk in dict.fromkeys(chunks)}
    found = [known[chunk] for chunk in chunks]
    starts = [chunk.places[0][0] for chunk in found if len(chunk.places) == 1]
    steps = [before <= behind for before, behind in pairwise(starts)]
    if in_order and sum(steps) >= _IN_ORDER * len(steps) and any(len(chunk.places) != 1 for chunk in found):
        _narrow(found, chunks, index)
        _fill(found, chunks, index)
    return found


def _places(chunk: str, index: QuoteIndex, every: bool, share: float) -> ChunkPlaces:
    """The places of a chunk by itself; ``every`` one with its letters, or only those most like it."""
    places = index.locate(chunk)
    if every or not places:
        letters = LetterText(chunk)
        # Exactly the same text may stand elsewhere, and other white space where the chunk was cut.
        others = [*(index.places(normal_form(chunk)) if every else ()), *index.letters.places(letters)]
        places = places + [span for span in others if not any(
            start <= span[0] and span[1] <= end for start, end in places[:_MANY])]
        if not places:
            parts = index.letters.parts(letters, share)
            return ChunkPlaces(sorted({part.place for part in parts}), parts[0].added if parts else ())
    return ChunkPlaces(sorted(set(places)))


def _narrow(found: list[ChunkPlaces], chunks: Sequence[str], index: QuoteIndex) -> None:
    """Leaves, of the places of chunks that stand several times, those that fit their located neighbours best."""
    letters = index.letters.letters.starts
    present = [number for number, chunk in enumerate(found) if 0 < len(chunk.places) <= _MANY]
    changed = True
    while changed:
        changed = False
        for before, number, behind in zip([-1, *present], present, [*present[1:], -1]):
            places = found[number].places
            if len(places) == 1:
                continue
            there = np.searchsorted(letters, places)
            costs = np.array([_CHANGED * (index.text[slice(*place)] != chunks[number]) for place in places])
            for other, is_before in ((before, True), (behind, False)):
                if other >= 0 and len(found[other].places) == 1:
                    place = np.searchsorted(letters, found[other].places)
                    costs += _step(place, there) if is_before else _step(there, place)
            kept = [place for place, cost in zip(places, costs) if cost <= costs.min() + _SAME]
            changed |= len(kept) < len(places)
            found[number] = found[number]._replace(places=kept)


def _step(before: np.ndarray, behind: np.ndarray) -> Floats:
    """Tells what it costs to go on from places before to places behind, each (start, end) in letters."""
    gap = behind[:, 0] - before[:, 1]
    follows = (behind > before).all(axis=1)
    return np.where(~follows, _BACK, np.where(gap <= _TOUCHING, 0, np.where(gap <= _CLOSE, _LOST, _APART)))


def _fill(found: list[ChunkPlaces], chunks: Sequence[str], index: QuoteIndex) -> None:
    """Gives chunks without one place between two neighbours that have one the text between these, if it is theirs."""
    letters = index.letters
    ends = [ChunkPlaces([(0, 0)]), *found, ChunkPlaces([(len(index.text), len(index.text))])]
    for missing, group in groupby(range(len(found)), lambda number: len(found[number].places) != 1):
        run = list(group)
        before, behind = ends[run[0]].places, ends[run[-1] + 2].places
        if missing and len(before) == len(behind) == 1:
            first, last = np.searchsorted(letters.letters.starts, [before[0][1], behind[0][0]]).tolist()
            places = []
            for number in run:
                chunk, there = LetterText(chunks[number]), letters.letters.text[first:last]
                length = next((length for length in range(min(len(chunk.letters.text), len(there)), 0, -1)
                               if chunk.letters.text.endswith(there[:length])
                               or chunk.letters.text.startswith(there[:length])), 0)
                places.append(letters.at(chunk, first, length) if length else (0, 0))
                first += length
            if first == last and all(map(any, places)):
                for number, place in zip(run, places):
                    found[number] = ChunkPlaces([place])
