"""Chunks of the frameworks for retrieval-augmented generation (LangChain, LlamaIndex, Haystack, ragas) as segments in
characters.

None of them is imported: a chunk is known by what it has.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from numbers import Integral, Real
from typing import Any, NamedTuple

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, quote_id, unquote_id
from ir_segmeasures.texts.locating.collection import ChunkText, check_unlocated, located_rankings, placed

__all__ = ['Chunk', 'located_rows', 'rows', 'quote_id', 'unquote_id']


# The keys of dicts, as people and frameworks write them; the first that is there counts.
_KEYS = {
    'document': ('doc_id', 'docno', 'document', 'source', 'source_id', 'ref_doc_id', 'file_path'),
    'start': ('start', 'start_index', 'start_char', 'start_char_idx', 'split_idx_start'),
    'end': ('end', 'end_index', 'end_char', 'end_char_idx'),
    'text': ('text', 'content', 'page_content'),
}
_ANSWERS = ('documents', 'source_documents', 'context', 'retrieved_contexts')


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
            no field of the row
    """
    added: tuple[str, ...] = ()


class _Found(NamedTuple):
    """A chunk as a framework describes it; ``start`` and ``end`` are not checked."""
    tool: str
    document: Any
    start: Any
    end: Any
    text: str | None
    score: Any
    repair: str


class _Item(NamedTuple):
    """A chunk in a ranking: with its segment, or with the text that is looked for. Sentences call it by its name."""
    name: str
    query: str
    rank: int
    score: float | None
    segment: str | None
    wanted: ChunkText


def rows(results: Mapping[str, Any], texts: Mapping[str, str] | None = None,
         document: str | Callable[[Any], str] | None = None, *, unlocated: str = 'error') -> list[Chunk]:
    """The run of what a framework retrieved.

    =============  ==========================================================  ==============================
    chunks         where they are                                              their document
    =============  ==========================================================  ==============================
    LangChain      ``metadata['start_index']`` (``add_start_index=True``)      ``metadata['source']``
    LlamaIndex     ``start_char_idx``, ``end_char_idx``                        ``ref_doc_id``
    Haystack       ``meta['split_idx_start']``                                 ``meta['source_id']``
    plain dicts    ``start``, and ``end`` or ``text``                          ``doc_id``
    ragas          looked for in ``texts``                                     looked for in ``texts``
    =============  ==========================================================  ==============================

    Dicts may have the frameworks' names as well, as their chunks in JSON do: ``start_index``, ``start_char``,
    ``page_content``, ``source`` …, at the top or in ``metadata`` or ``meta``.

    Chunks without offsets are looked for in ``texts`` by
    :func:`~ir_segmeasures.texts.locating.chunk_places.located_together`: exactly, after normalisation, by their letters
    and digits, or by the largest part of them that the text has. A chunk that names no document, and a string, is
    looked for in all texts. A chunk that stands several times is told apart by its neighbours where the ranking is in
    the order of the document (:func:`~ir_segmeasures.texts.locating.collection.located_rankings`).

    Args:
        results: query → its chunks, the best first; each may be a pair (chunk, score), or have a score. The answers of
            a query engine (``source_nodes``), of a chain (``{'context': …}``), of a pipeline (``{'documents': …}``,
            also ``{'retriever': {'documents': …}}``) and samples of ragas (``retrieved_contexts``) are taken too.
        texts: document → its text; where it is given, each chunk is compared with the text at its place
        document: the name of another key of the metadata (or of the dict) with the document, or a function of a chunk
        unlocated: ``'error'`` refuses chunks without offsets that stand nowhere in the texts or at several places;
            ``'warn'`` leaves them out, with a warning; ``'first'`` does so, but takes the first of several places, as
            the program of Chunking Evaluation does. All count them and list the first ones.

    Documents' names become ids by :func:`~ir_segmeasures.segments.segment.quote_id`: white space, ``"``, ``#``, ``%``
    and ``:`` are percent-encoded, ``Terms: v 2.txt`` is ``Terms%3A%20v%202.txt``. ``pt.segments.get_text`` undoes it.

    Examples:
        >>> from ir_segmeasures.texts import chunks
        >>> found = {'q1': [{'doc_id': 'guide.txt', 'start': 100, 'text': 'Bees sleep.'}]}
        >>> chunks.rows(found)
        [Chunk(query_id='q1', doc_id='guide.txt#char=100,111', score=-1, run_score=None)]

    Raises:
        ValueError: a chunk without a place (LangChain's ``-1`` is none) or a document that cannot be looked for or is
            not found, one that is not as long as its text or not what the text of its document has there, or a document
            that ``texts`` lacks
        TypeError: what is no chunk of these

    Examples:
        >>> from ir_segmeasures import chunks
        >>> texts = {'bees': 'Bees *dance*. Other bees follow.'}
        >>> chunks.rows({'q1': [{'doc_id': 'bees', 'start': 14, 'text': 'Other bees follow.'}]})[0].doc_id
        'bees#char=14,32'
        >>> chunks.rows({'q1': {'retrieved_contexts': ['Bees dance.']}}, texts)[0].doc_id
        'bees#char=0,13'
    """
    return located_rows(results, texts, document, unlocated=unlocated)


def located_rows(results: Mapping[str, Any], texts: Mapping[str, str] | None = None,
                 document: str | Callable[[Any], str] | None = None, *, unlocated: str = 'error',
                 noun: str = 'chunk') -> list[Chunk]:
    """The rows of :func:`rows`; ``noun`` is what errors and warnings call a chunk, such as ``'quote'``.

    Examples:
        >>> from ir_segmeasures.texts.chunks import located_rows
        >>> located_rows({'q1': ['Bees fly.']}, {'bees': 'Bees dance.'}, noun='quote')
        Traceback (most recent call last):
            ...
        ValueError: of 1 quotes without offsets, 1 stand nowhere in the texts ...
    """
    if not isinstance(results, Mapping):
        raise TypeError(f'the results are a {type(results).__name__}: give a mapping, query → its {noun}s, the best '
                        'first')
    check_unlocated(unlocated)
    place_of = 'rank' if noun == 'chunk' else noun
    rankings = [[_item(f'query {quoted(str(query))}, {place_of} {rank}', str(query), rank, chunk, texts, document, noun)
                 for rank, chunk in enumerate(_chunks(str(query), chunks), 1)] for query, chunks in results.items()]
    wanted = [[item for item in ranking if item.segment is None] for ranking in rankings]
    places = located_rankings([[item.wanted for item in ranking] for ranking in wanted], texts or {})
    found = [(item, place) for ranking in zip(wanted, places) for item, place in zip(*ranking)]
    settled = placed([(item.name, item.wanted, answer) for item, answer in found], unlocated, noun)
    located = iter([(place, answer.added) for place, (_, answer) in zip(settled, found)])
    run = []
    for item in chain.from_iterable(rankings):
        place, added = (None, ()) if item.segment else next(located)
        segment = _segment_id(*place) if place else item.segment
        if segment is not None:
            run.append(Chunk(item.query, segment, -item.rank, item.score))
            run[-1].added = added
    return run


def _chunks(query: str, results: Any) -> Iterable[Any]:
    found = getattr(results, 'source_nodes', results)  # of LlamaIndex' query engines
    found = getattr(found, 'retrieved_contexts', found)  # of ragas' samples
    if isinstance(found, Mapping):  # of LangChain's chains, and Haystack's pipelines, by component
        answers = [one[key] for one in (found, *found.values()) if isinstance(one, Mapping) for key in _ANSWERS
                   if isinstance(one.get(key), list)]
        found = answers[0] if len(answers) == 1 else None
    if not isinstance(found, Iterable) or isinstance(found, str | bytes) or hasattr(found, 'model_dump'):
        raise TypeError(f'query {quoted(query)} has {quoted(results)}, and not its chunks: give a list of them, the '
                        'best first')
    return found


def _item(where: str, query: str, rank: int, chunk: Any, texts: Mapping[str, str] | None,
          document: str | Callable[[Any], str] | None, noun: str) -> _Item:
    score = None
    if isinstance(chunk, tuple | list) and len(chunk) == 2 and isinstance(chunk[1], Real):
        chunk, score = chunk
    found = _found(chunk, document if isinstance(document, str) else None, texts is not None)
    score = found.score if score is None else score
    what = f'{where}: the {noun} of {found.tool}'
    name = document(chunk) if callable(document) else found.document
    if isinstance(name, Integral) and not isinstance(name, bool):
        name = str(name)
    is_wanted = texts is not None and found.text is not None and _is_lost(found.start) and _is_lost(found.end)
    segment = None
    if not (is_wanted and name is None):
        if not isinstance(name, str) or not name:
            raise ValueError(f'{what} names no document ({quoted(name)}): {found.repair}, or say where it is with '
                             'document=…')
        if texts is not None and name not in texts and (is_wanted or _is_position(found.start)):
            raise ValueError(f'{what} is of {quoted(name)}, which the texts lack: add it to them')
        segment = None if is_wanted else _segment(what, name, found, texts)
    return _Item(where, query, rank, None if score is None else float(score), segment,
                 ChunkText(name, found.text or ''))


def _segment(what: str, name: str, found: _Found, texts: Mapping[str, str] | None) -> str:
    """The id of a chunk with offsets, which are checked."""
    start, end, text = found.start, found.end, found.text
    if not _is_position(start):
        raise ValueError(f'{what} of {quoted(name)} starts at {quoted(start)}, which is no place in a text: '
                         f'{found.repair}' + ', or give the texts, in which it is looked for' * (texts is None))
    if end is None:
        if text is None:
            raise ValueError(f'{what} of {quoted(name)} has no text and no end: {found.repair}')
        end = start + len(text)
    if not _is_position(end) or end < start:
        raise ValueError(f'{what} of {quoted(name)} goes from {start} to {quoted(end)}, but it ends at or after its '
                         f'start: {found.repair}')
    if text is not None and end - start != len(text):
        raise ValueError(f'{what} of {quoted(name)} goes from {start} to {end}, but its text has {len(text)} '
                         'characters: give the text as it was cut')
    if texts is not None:
        there = texts[name][start:end]
        if len(there) < end - start or (text is not None and there != text):
            raise ValueError(f'{what} has {quoted(text)}, but {quoted(name)} has {quoted(there)} from {start} to '
                             f'{end}: cut the text that is given here, and keep the white space of its chunks')
    return _segment_id(name, start, end)


def _segment_id(name: str, start: int, end: int) -> str:
    return format_segment(Segment(quote_id(name), start, end, 'char'))


def _found(chunk: Any, key: str | None, has_texts: bool) -> _Found:
    score = getattr(chunk, 'score', None)
    node = getattr(chunk, 'node', chunk)  # LlamaIndex' node with its score
    if hasattr(node, 'start_char_idx'):
        return _Found('LlamaIndex', node.metadata.get(key) if key else node.ref_doc_id, node.start_char_idx,
                      node.end_char_idx, node.text, score,
                      'cut documents with a node parser that finds its nodes in them again')
    if hasattr(chunk, 'page_content'):
        return _Found('LangChain', chunk.metadata.get(key or 'source'), chunk.metadata.get('start_index'), None,
                      chunk.page_content, None,
                      "cut with add_start_index=True documents that have 'source' in their metadata, and leave out "
                      'splitters that change the text')
    if hasattr(chunk, 'meta') and hasattr(chunk, 'content'):
        return _Found('Haystack', chunk.meta.get(key or 'source_id'), chunk.meta.get('split_idx_start'), None,
                      chunk.content, score, 'cut documents with DocumentSplitter')
    if isinstance(chunk, Mapping):
        chunk = {**_mapping(chunk.get('meta')), **_mapping(chunk.get('metadata')), **chunk}
        place = {field: next((chunk[name] for name in names if chunk.get(name) is not None), None)
                 for field, names in _KEYS.items()}
        return _Found('a dict', chunk.get(key) if key else place['document'], place['start'], place['end'],
                      place['text'], chunk.get('score'), "give it 'doc_id', 'start', and 'end' or 'text'")
    if isinstance(chunk, str) and has_texts:
        return _Found('ragas', None, None, None, chunk, None, 'give dicts with doc_id and text')
    raise TypeError(f'{quoted(chunk)} is no chunk that is known here: give documents of LangChain or Haystack, nodes '
                    'of LlamaIndex, or dicts with doc_id, start, end')


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_lost(position: Any) -> bool:
    return position is None or (_is_number(position) and position == -1)  # LangChain's -1


def _is_position(value: Any) -> bool:
    return _is_number(value) and int(value) >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
