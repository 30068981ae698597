"""Where the text splitters of frameworks cut: their chunks as spans of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.texts.langchain_private import with_start_index

__all__ = ['splitter_spans']

Spans = list[tuple[int, int]]


def splitter_spans(splitter: Any) -> Callable[[str], Spans] | None:
    """A function, text → the spans of its chunks, of a text splitter of LangChain, a node parser of LlamaIndex or a
    document splitter of Haystack; None for anything else.

    It raises a ValueError for a chunk that does not stand in the text where the splitter says, as those that change
    white space do.
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
    spans = []
    for number, (start, content) in enumerate(chunks, 1):
        if not isinstance(start, int) or start < 0 or text[start:start + len(content)] != content:
            raise ValueError(f'chunk {number} of {type(splitter).__name__} says that it starts at {quoted(start)}, but '
                             'the text has something else there: use a splitter that keeps the text as it is, also its '
                             'white space')
        spans.append((start, start + len(content)))
    return spans
