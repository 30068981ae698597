"""Chunks of the frameworks and stores for retrieval-augmented generation as segments in characters.

None of them is imported: a chunk is known by the names of what it has, as keys or as attributes.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from numbers import Real
from sys import float_info
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, quote_id, unquote_id
from ir_segmeasures.segments.user_warnings import SegmentWarning, warn_user
from ir_segmeasures.texts.locating.collection import ChunkText, check_unlocated, located_rankings, placed
from ir_segmeasures.texts.locating.index import QuoteIndex
from ir_segmeasures.texts.locating.normalisation import all_occurrences
from ir_segmeasures.texts.retrieved_shapes import chunks_of, is_lost, is_position, parts_of

__all__ = ['Chunk', 'rows', 'quote_id', 'unquote_id']

_REPAIR = ("give it 'doc_id', 'start', and 'end' or 'text'; LangChain's splitters say where chunks start with "
           'add_start_index=True')
_SHOWN = 3


class _Row(NamedTuple):
    query_id: str
    doc_id: str
    score: float
    run_score: float | None = None


class Chunk(_Row):
    """A retrieved chunk, as a row of a run.

    Attributes:
        query_id: the query
        doc_id: the segment id, such as ``guide.txt#char=100,460``
        score: minus its rank, since scores of some stores are distances, of which the smallest is the best
        run_score: the framework's own score, or None
        added: of a chunk that was looked for, the stretches that the text lacks at its place, such as a title; it is
            not a field of the row
    """
    added: tuple[str, ...] = ()


class _Item(NamedTuple):
    """A chunk in a ranking: with its place, or with the text that is looked for. Sentences call it by its name.

    ``wrong`` says what its offsets count, or which place they are, if they are not those of its text; ``several`` is
    'first' or 'later' if the text has it at several places.
    """
    name: str
    query: str
    rank: int
    score: float | None
    place: tuple[str, int, int] | None
    wanted: ChunkText
    wrong: str = ''
    several: str = ''


def rows(results: Mapping[str, Any], texts: Mapping[str, str] | None = None,
         document: str | Callable[[Any], str] | None = None, *, unlocated: str = 'error',
         noun: str = 'chunk') -> list[Chunk]:
    """The run of what a framework retrieved.

    Taken are chunks of LangChain (cut with ``add_start_index=True``), LlamaIndex, Haystack and chonkie, the hits of
    Qdrant, Elasticsearch, Chroma and Pinecone that have them, the citations of Anthropic, strings, and plain dicts with
    ``doc_id``, ``start``, and ``end``, ``length`` or ``text``: as objects, or as dicts that were JSON. The document is
    called ``doc_id``, ``source``, ``ref_doc_id`` …, the offsets ``start``, ``start_index``, ``start_char_idx``,
    ``offset`` …, at the top or in ``metadata``, ``meta``, ``node``, ``payload``, ``_source`` or ``kwargs``.

    Chunks without offsets are looked for in ``texts`` by
    :func:`~ir_segmeasures.texts.locating.collection.located_together`: exactly, after normalisation, by their letters
    and digits, or by the largest part of them that the text has. A chunk that names no document, and a string, is
    looked for in all texts. Where a chunk stands several times, its neighbours decide if the ranking is in the
    order of the document (:func:`~ir_segmeasures.texts.locating.collection.located_rankings`).

    Args:
        results: query → its chunks, the best first; each may be a pair (chunk, score), or have a score. The answers of
            a query engine (``source_nodes``), of a chain (``{'context': …}``), of a pipeline (``{'documents': …}``,
            also ``{'retriever': {'documents': …}}``), of a store (``matches``, ``points``, ``hits``; Chroma's lists)
            and samples of ragas (``retrieved_contexts``) are taken too.
        texts: document → its text; where it is given, each chunk is compared with the text at its place. Offsets that
            count bytes or UTF-16 units, or are wrong while the chunk stands once in its document, are corrected, with
            a :class:`~ir_segmeasures.SegmentWarning`
        document: the name of another key of the metadata (or of the dict) with the document, or a function of a chunk
        unlocated: ``'error'`` refuses chunks without offsets that stand nowhere in the texts or at several places;
            ``'warn'`` leaves them out, with a warning; ``'first'`` does so, but takes the first of several places, as
            the program of Chunking Evaluation does. All count them and list the first ones.
        noun: what errors and warnings call a chunk, such as ``'quote'``

    Documents' names become ids by :func:`~ir_segmeasures.segments.segment.quote_id`: white space, ``"``, ``#``, ``%``
    and ``:`` are percent-encoded, ``Terms: v 2.txt`` is ``Terms%3A%20v%202.txt``. ``pt.segments.get_text`` undoes it.

    Raises:
        ValueError: a chunk without a place (LangChain's ``-1`` is none) or a document that cannot be looked for or is
            not found, one that is not as long as its text or not what the text of its document has there, or a document
            that ``texts`` lacks
        TypeError: an object that is not such a chunk

    Examples:
        >>> from ir_segmeasures import chunks
        >>> chunks.rows({'q1': [{'doc_id': 'guide.txt', 'start': 100, 'text': 'Bees sleep.'}]})
        [Chunk(query_id='q1', doc_id='guide.txt#char=100,111', score=-1, run_score=None)]
        >>> texts = {'bees': 'Bees *dance*. Other bees follow.'}
        >>> chunks.rows({'q1': [{'doc_id': 'bees', 'start': 14, 'text': 'Other bees follow.'}]})[0].doc_id
        'bees#char=14,32'
        >>> chunks.rows({'q1': {'retrieved_contexts': ['Bees dance.']}}, texts)[0].doc_id
        'bees#char=0,13'
    """
    if not isinstance(results, Mapping):
        raise TypeError(f'the results are a {type(results).__name__}: give a mapping, query → its {noun}s, the best '
                        'first')
    if not isinstance(texts, Mapping | None):
        raise TypeError(f'the texts are a {type(texts).__name__}: give a mapping, document → text, as '
                        'ir_segmeasures.formats.texts.read_collection() of a folder is')
    check_unlocated(unlocated)
    place_of = 'rank' if noun == 'chunk' else noun
    rankings = [[_item(f'query {quoted(str(query))}, {place_of} {rank}', str(query), rank, chunk, texts, document, noun,
                       unlocated == 'error')
                 for rank, chunk in enumerate(chunks_of(str(query), chunks), 1)] for query, chunks in results.items()]
    if texts is not None:
        rankings = _told_apart(rankings, texts)
        _warn_of_offsets(list(chain.from_iterable(rankings)), noun)
    wanted = [[item for item in ranking if item.place is None] for ranking in rankings]
    places = located_rankings([[item.wanted for item in ranking] for ranking in wanted], texts or {})
    found = [(item, answer) for ranking in zip(wanted, places) for item, answer in zip(*ranking)]
    settled = zip(placed([(item.name, item.wanted, answer) for item, answer in found], unlocated, noun),
                  [answer.added for _, answer in found])
    run = []
    for item in chain.from_iterable(rankings):
        place, added = (item.place, ()) if item.place else next(settled)
        if place is not None:
            id = format_segment(Segment(quote_id(place[0]), *place[1:], 'char'))
            run.append(Chunk(item.query, id, -item.rank, item.score))
            run[-1].added = added
    return run


def _item(where: str, query: str, rank: int, chunk: Any, texts: Mapping[str, str] | None,
          document: str | Callable[[Any], str] | None, noun: str, strict: bool) -> _Item:
    is_pair = isinstance(chunk, tuple | list) and len(chunk) == 2 and isinstance(chunk[1], Real)
    chunk, given = chunk if is_pair else (chunk, None)
    name, start, end, text, score = parts_of(chunk, document, texts)
    score = score if given is None else given
    score = score.item() if hasattr(score, 'item') else score  # NumPy's floats of 32 bits hold no large number
    what = f'{where}: the {noun} of a {type(chunk).__name__}'
    if score is not None and abs(score) > float_info.max:
        raise ValueError(f'{what} has the score {quoted(score)}, which is too large: give a smaller number')
    lost = texts is not None and text is not None and is_lost(start) and is_lost(end)
    if name is None and texts is not None and text is not None and is_position(start):
        names = [name for name, whole in texts.items() if whole.startswith(text, int(start))]
        name, lost = (names[0], lost) if len(names) == 1 else (None, True)
    place, wrong = None, ''
    if not (lost and name is None):
        if not isinstance(name, str) or not name:
            raise ValueError(f'{what} names no document ({quoted(name)}): {_REPAIR}, or say where it is with '
                             'document=…')
        if texts is not None and name not in texts and (lost or is_position(start)):
            raise ValueError(f'{what} is of {quoted(name)}, which the texts lack: add it to them')
        if not lost:
            place, wrong = _place(what, name, (start, end, text), texts, strict)
    return _Item(where, query, rank, None if score is None else float(score), place, ChunkText(name, text or ''), wrong)


def _place(what: str, name: str, found: tuple[Any, Any, str | None], texts: Mapping[str, str] | None,
           strict: bool) -> tuple[tuple[str, int, int] | None, str]:
    """The place of a chunk with offsets, and what is wrong with these; None for one that is looked for, not strictly.
    """
    start, end, text = found
    whose = f'{what} of {quoted(name)}'
    if start is None and text is None:
        raise ValueError(f"{whose} has neither a text ('text', 'content', 'page_content') nor a place: {_REPAIR}")
    if not is_position(start):
        raise ValueError(f'{whose} starts at {quoted(start)}, which is not a place in a text: {_REPAIR}'
                         + ', or give the texts, in which it is looked for' * (texts is None))
    if end is None and text is None:
        raise ValueError(f'{whose} has no text and no end: {_REPAIR}')
    end = start + len(text or '') if end is None else end
    if not is_position(end) or end < start:
        raise ValueError(f'{whose} goes from {start} to {quoted(end)}, but it ends at or after its start: {_REPAIR}')
    start, end = int(start), int(end)
    length = end - start if text is None else len(text)
    if texts is None and end - start != length:
        raise ValueError(f'{whose} goes from {start} to {end}, but its text has {length} characters: give the text as '
                         'it was cut')
    there = '' if texts is None else texts[name][start:end]
    if texts is None or there == text or (text is None and len(there) == length):
        return (name, start, end), ''
    places, wrong = _right_places(text, texts[name], start) if text else ([], '')
    if len(places) == 1:
        return (name, *places[0]), wrong
    if strict or text is None:
        if text is None and end > len(whole := texts[name]):
            raise ValueError(f'{what} ends at {end}, but {quoted(name)} has {len(whole)} characters, '
                             f'{len(whole.encode("utf-16-le", "surrogatepass")) // 2} UTF-16 units and '
                             f'{len(whole.encode("utf-8", "surrogatepass"))} bytes: give offsets in characters')
        own = f'{end - start} characters' if text is None else quoted(text)
        raise ValueError(f'{what} has {own}, but {quoted(name)} has {quoted(there)} from {start} to {end}'
                         + f', and the {len(places)} places of the former are others' * bool(places)
                         + ': cut the text that is given here, and keep the white space of its chunks')
    return None, ''


def _right_places(chunk: str, text: str, start: int) -> tuple[list[tuple[int, int]], str]:
    """The places of a chunk with a wrong start, and what that counts."""
    for wrong, encoding, size in (
            ('end elsewhere', 'utf-32-le', 4), ('count UTF-16 units', 'utf-16-le', 2), ('count bytes', 'utf-8', 1)):
        at = len(text.encode(encoding, 'surrogatepass')[:size * start].decode(encoding, 'ignore'))
        if text.startswith(chunk, at):
            return [(at, at + len(chunk))], wrong
    return QuoteIndex(text).locate(chunk), 'are another place'


def _told_apart(rankings: list[list[_Item]], texts: Mapping[str, str]) -> list[list[_Item]]:
    """Rankings in which chunks that have all the first of several places of their text have one place each.

    Frameworks that look for their chunks find the first one again and again.
    """
    starts = cache(lambda wanted: all_occurrences(wanted.text, texts[wanted.document]))
    told: list[list[_Item]] = []
    for ranking in rankings:
        places = [starts(item.wanted) if item.place and item.wanted.text else [] for item in ranking]
        ranking = [item._replace(several='first' if item.place[1] == found[0] else 'later')
                   if item.place and len(found) > 1 else item for item, found in zip(ranking, places)]
        same = Counter(item.wanted for item in ranking if item.several == 'first')
        taken: Counter[ChunkText] = Counter()
        told.append([])
        for item, found in zip(ranking, places):
            if item.place and item.several and 0 < (number := taken[item.wanted]) < same[item.wanted] <= len(found):
                item = item._replace(place=(item.place[0], found[number], found[number] + len(item.wanted.text)),
                                     wrong='are the first of several places')
            taken[item.wanted] += 1
            told[-1].append(item)
    return told


def _warn_of_offsets(items: list[_Item], noun: str) -> None:
    """Warns of offsets that were put right."""
    def shown(items: list[_Item]) -> str:
        return ', '.join(item.name for item in items[:_SHOWN]) + ', …' * (len(items) > _SHOWN)
    wrong = [item for item in items if item.wrong]
    if wrong:
        counts = ', '.join(f'{count} {kind}' for kind, count in Counter(item.wrong for item in wrong).items())
        warn_user(SegmentWarning(
            f'of {len(items)} {noun}s, {len(wrong)} have offsets at which the text does not have them ({shown(wrong)}; '
            f'{counts}), and are located by their text: give offsets in characters of the text that is given here'))
    several = [item for item in items if item.several]
    if noun == 'chunk' and several and not wrong and all(item.several == 'first' for item in several):
        warn_user(SegmentWarning(
            f'{len(several)} chunks ({shown(several)}) stand at several places of their text, and all of their offsets '
            'are the first ones, as of frameworks that look for each chunk from the beginning: give the offsets at '
            'which they were cut'))
