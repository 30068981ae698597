"""The places of chunks: those of one document, whose order and neighbours tell apart text that stands twice; and
retrieved chunks, each in the text of its document, or in all texts of a collection.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, groupby, islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Floats, quoted
from ir_segmeasures.segments.user_warnings import SegmentWarning, warn_user
from ir_segmeasures.texts.locating.index import LetterText, QuoteIndex
from ir_segmeasures.texts.locating.normalisation import normal_form

_IN_ORDER = 0.9  # of the chunks that stand once, those that come after the one before, at least
_CHANGED = 0.001  # how much more a place with other signs costs than one without
_TOUCHING, _CLOSE = 16, 200  # letters between two chunks that follow each other, at most; and if some were lost
_LOST, _APART, _BACK = 0.3, 1.0, 2.0  # what it costs if a chunk follows so closely, farther away, or not at all
_SAME = 1e-9  # a difference of costs that is none, since sums are rounded
_MANY = 1000  # places of a chunk that its neighbours are asked about, at most


class ChunkPlaces(NamedTuple):
    """The places of a chunk in its document, or in the texts of a collection.

    Attributes:
        places: (start, end) in characters, of a collection (document, start, end); one if the chunk is located, none
            if it is missing, and several if nothing tells them apart
        added: the stretches of the chunk that the place lacks, such as a title before it, in order
    """
    places: list[Any]
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
        >>> from ir_segmeasures.texts.locating.collection import located_together
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


Place = tuple[str, int, int]

_SHARE, _SHARE_OF_ANY = 0.2, 0.75  # of a chunk's letters in its own document, or in any: not in boilerplate alone
_BETWEEN = '\n\0<\0\n'  # two texts; no place goes over it, and no tag of HTML
_ORDERED = 5  # chunks in the order of their document, at least: a ranking hardly is so by chance
_TILES = 3  # chunks that touch each other, at least
_LISTED = 10
_REPAIRS = {
    'error': "give their offsets or the texts that they were cut from, or say unlocated='warn' (--unlocated warn)",
    'warn': 'they are left out',
    'first': 'the former are left out, and the latter have the first of their places',
}


class UnlocatedWarning(SegmentWarning):
    """A warning about chunks or quotes that were left out, since they have no single place in the texts.

    Attributes:
        unlocated: a sentence for each of them
    """

    def __init__(self, problem: str, unlocated: Sequence[str]):
        super().__init__(problem)
        self.unlocated = list(unlocated)


class ChunkText(NamedTuple):
    """The text of a retrieved chunk, and the name of its document if that is known."""
    document: str | None
    text: str


def located_rankings(rankings: Sequence[Sequence[ChunkText]], texts: Mapping[str, str]) -> list[list[ChunkPlaces]]:
    """The places of the chunks of rankings; chunks without a document are looked for in all texts.

    A chunk that stands several times in its document has the place that its neighbours leave, if the ranking is in the
    order of the document: five of its chunks at least that have one place follow each other there, or three at least
    touch each other. Otherwise the chunk keeps all of its places.

    Args:
        rankings: for each query, its chunks
        texts: document → its text

    Returns:
        for each query, the places of its chunks

    Examples:
        >>> from ir_segmeasures.texts.locating.collection import ChunkText, located_rankings
        >>> texts = {'a': 'One. Yes. Two. Yes. Three.', 'b': 'Two or three.'}
        >>> ranking = [ChunkText('b', 'Two'), ChunkText(None, 'Three.'), ChunkText('a', 'Yes.')]
        >>> found, = located_rankings([ranking], texts)
        >>> [chunk.places for chunk in found]
        [[('b', 0, 3)], [('a', 20, 26)], [('a', 5, 9), ('a', 15, 19)]]
    """
    numbers: dict[str | None, dict[int, list[int]]] = {}  # document → ranking → the ranks of its chunks
    for number, ranking in enumerate(rankings):
        for rank, chunk in enumerate(ranking):
            numbers.setdefault(chunk.document, {}).setdefault(number, []).append(rank)
    found = [[ChunkPlaces([])] * len(ranking) for ranking in rankings]
    for document, places in numbers.items():
        joined = _JoinedTexts(texts if document is None else {document: texts[document]})
        share = _SHARE_OF_ANY if document is None else _SHARE
        groups = {number: [rankings[number][rank].text for rank in ranks] for number, ranks in places.items()}
        alone = iter(located_together(list(chain(*groups.values())), joined.index, in_order=False, share=share))
        for number, group in groups.items():
            answers = _told_apart(group, list(islice(alone, len(group))), joined.index)
            for rank, answer in zip(places[number], answers):
                found[number][rank] = ChunkPlaces(joined.places(answer), answer.added)
    return found


def _told_apart(chunks: list[str], alone: list[ChunkPlaces], index: QuoteIndex) -> list[ChunkPlaces]:
    """The places that chunks of one text have alone, and where these are not one, those that their neighbours leave."""
    located = [answer.places[0] for answer in alone if len(answer.places) == 1]
    if len(located) == len(alone) or any(first >= second for first, second in pairwise(located)):
        return alone
    together = located_together(chunks, index)
    answers = [one if len(one.places) == 1 else other for one, other in zip(alone, together)]
    return answers if len(located) >= _ORDERED or _are_tiles(answers, index.text) else alone


def _are_tiles(answers: list[ChunkPlaces], text: str) -> bool:
    """Tells whether chunks have one place each, and each place overlaps with the one before or touches it."""
    if len(answers) < _TILES or any(len(answer.places) != 1 for answer in answers):
        return False
    places = [answer.places[0] for answer in answers]
    return all(first < second and not any(map(str.isalnum, text[first[1]:second[0]]))
               for first, second in pairwise(places))


class _JoinedTexts:
    """Texts as one text, with its index."""

    def __init__(self, texts: Mapping[str, str]):
        self._names = list(texts)
        self._ends = list(accumulate(len(QuoteIndex(text).text) + len(_BETWEEN) for text in texts.values()))
        self.index = QuoteIndex(_BETWEEN.join(texts.values()))

    def places(self, chunk: ChunkPlaces) -> list[Place]:
        """The places of a chunk in the texts; one that goes over the end of a text is none."""
        places = []
        for start, end in chunk.places:
            number = bisect_right(self._ends, start)
            if end <= self._ends[number] - len(_BETWEEN):
                offset = self._ends[number - 1] if number else 0
                places.append((self._names[number], start - offset, end - offset))
        return places


def check_unlocated(unlocated: str) -> None:
    """Raises a ValueError for what is not a way to treat chunks without one place."""
    if unlocated not in _REPAIRS:
        raise ValueError(f"unlocated={quoted(unlocated)}: chunks without one place in the texts are an 'error', or "
                         "left out with a warning ('warn'), or stand at the first of several places ('first')")


def placed(found: Sequence[tuple[str, ChunkText, ChunkPlaces]], unlocated: str,
           noun: str = 'chunk') -> list[Place | None]:
    """The place of each chunk, None for one that is left out; a warning, or a ValueError, has the number of missing and
    of ambiguous chunks and a list of them.

    Args:
        found: for each chunk that was looked for, how a sentence calls it, its text and its places
        unlocated: ``'error'``; ``'warn'`` leaves these chunks out; ``'first'`` takes the first of several places
        noun: what a sentence calls a chunk
    """
    missing = [f'{name} has {quoted(chunk.text)}' + (f', of {quoted(chunk.document)}' if chunk.document else '')
               for name, chunk, answer in found if not answer.places]
    ambiguous = [f'{name} has {quoted(chunk.text)}, at {_listed(answer.places)}'
                 for name, chunk, answer in found if len(answer.places) > 1]
    if unlocated_ones := missing + ambiguous:
        more = [f'and {len(unlocated_ones) - _LISTED} more'] if len(unlocated_ones) > _LISTED else []
        problem = (f'of {len(found)} {noun}s without offsets, {len(missing)} stand nowhere in the texts and '
                   f'{len(ambiguous)} at several places ({"; ".join(unlocated_ones[:_LISTED] + more)}): '
                   f'{_REPAIRS[unlocated]}')
        if unlocated == 'error':
            raise ValueError(problem)
        warn_user(UnlocatedWarning(problem, unlocated_ones))
    return [answer.places[0] if len(answer.places) == 1 or (answer.places and unlocated == 'first') else None
            for _, _, answer in found]


def _listed(places: list[Place]) -> str:
    written = [f'{start}–{end} of {quoted(document)}' for document, start, end in places[:3]]
    return ', '.join(written) + (f' and {len(places) - 3} more' if len(places) > 3 else '')
