"""Cuts of the text splitters of frameworks: their chunks as spans of the text."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.texts.langchain_private import with_start_index
from ir_segmeasures.texts.locating.chunk_places import located_together
from ir_segmeasures.texts.locating.index import QuoteIndex

Spans = list[tuple[int, int]]


def splitter_spans(splitter: Any) -> Callable[[str], Spans] | None:
    """A function, text → the spans of its chunks, of a text splitter of LangChain, a node parser of LlamaIndex or a
    document splitter of Haystack; None for anything else.

    Chunks that do not stand in the text where the splitter says, as of those that change white space, are located. It
    raises a ValueError for a chunk without one place.
    """
    if hasattr(splitter, 'create_documents') and hasattr(splitter, 'split_text'):
        return lambda text: _checked(text, _langchain(splitter, text), splitter)
    if hasattr(splitter, 'get_nodes_from_documents'):
        return lambda text: _checked(text, _llama_index(splitter, text), splitter)
    if type(splitter).__module__.startswith('haystack.') and hasattr(splitter, 'run'):
        return lambda text: _checked(text, _haystack(splitter, text), splitter)
    return None


def _langchain(splitter: Any, text: str) -> Iterable[tuple[Any, str]]:
    documents = with_start_index(splitter).create_documents([text])
    return [(document.metadata.get('start_index'), document.page_content) for document in documents]


def _llama_index(parser: Any, text: str) -> Iterable[tuple[Any, str]]:
    from llama_index.core.schema import Document  # a parser of it is at hand
    nodes = [(node.start_char_idx, node.text) for node in parser.get_nodes_from_documents([Document(text=text)])]
    if getattr(parser, 'chunk_overlap', None) != 0:
        return nodes
    # It looks for each from one character behind the start of the last, and finds text that repeats itself too early.
    places, end = [], 0
    for start, content in nodes:
        found = text.find(content, end)
        if found >= 0:
            start, end = found, found + len(content)
        places.append((start, content))
    return places


def _haystack(splitter: Any, text: str) -> Iterable[tuple[Any, str]]:
    from haystack import Document  # a splitter of it is at hand
    if not text:
        return []
    if hasattr(splitter, 'warm_up'):
        splitter.warm_up()
    return [(chunk.meta.get('split_idx_start'), chunk.content)
            for chunk in splitter.run(documents=[Document(content=text)])['documents']]


def _checked(text: str, chunks: Iterable[tuple[Any, str]], splitter: Any) -> Spans:
    found = list(chunks)
    if all(isinstance(start, int) and start >= 0 and text.startswith(content, start) for start, content in found):
        return [(start, start + len(content)) for start, content in found]
    return located_spans(text, [content for _, content in found], type(splitter).__name__)


def located_spans(text: str, chunks: Sequence[str], splitter: str) -> Spans:
    """The places in a text of the chunks that a splitter made of it and changed, in the order of the text.

    Args:
        text: that was split
        chunks: with other white space, without markup, or with a title before them
        splitter: its name, for errors

    Raises:
        ValueError: a chunk that the text does not have, or has at several places between its neighbours

    Examples:
        >>> from ir_segmeasures.texts.frameworks import located_spans
        >>> located_spans('# Bees\\n\\nThey *dance*.  Yes.', ['They dance.', 'Yes.'], 'mine')
        [(8, 21), (23, 27)]
    """
    spans = []
    for number, (chunk, found) in enumerate(zip(chunks, located_together(chunks, QuoteIndex(text))), 1):
        if len(found.places) != 1:
            raise ValueError(f'chunk {number} of {splitter}, {quoted(chunk)}, stands '
                             f'{"at several places of" if found.places else "nowhere in"} the text: use a splitter '
                             'that keeps the words of the text')
        spans.append(found.places[0])
    return spans
