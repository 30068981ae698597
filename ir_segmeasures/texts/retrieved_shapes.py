"""The shapes in which frameworks and stores give retrieved chunks: the places of their parts, by names."""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from itertools import zip_longest
from numbers import Integral
from typing import Any

from ir_segmeasures.segments.basics import quoted

# What people, frameworks and stores call the parts of a chunk; the first that is there counts.
_NAMES = {
    'document': ('doc_id', 'docno', 'document', 'source', 'source_id', 'ref_doc_id', 'document_id', 'file_path',
                 'filename', 'file_name', 'document_title'),
    'start': ('start', 'start_index', 'start_char', 'start_char_idx', 'start_char_index', 'char_start',
              'split_idx_start', 'offset'),
    'end': ('end', 'end_index', 'end_char', 'end_char_idx', 'end_char_index', 'char_end'),
    'length': ('length',),
    'text': ('text', 'content', 'page_content', 'pageContent', 'cited_text', 'chunk_text'),
    'score': ('score', '_score', 'distance')}
_INSIDE = ('node', 'payload', '_source', 'fields', 'kwargs', 'metadata', 'meta')  # where else a chunk has them
ANSWERS = ('source_nodes', 'retrieved_contexts', 'documents', 'source_documents', 'context', 'matches', 'points',
           'hits', 'result', 'chunks')


def chunks_of(query: str, results: Any) -> Iterable[Any]:
    """The chunks of a query, taken out of the answer of a framework or store."""
    found = getattr(results, 'body', results)  # of a client of Elasticsearch
    if not isinstance(found, Mapping):
        found = next((value for name in ANSWERS if isinstance(value := getattr(found, name, None), list)), found)
    if isinstance(content := _value(found, 'content'), list):  # of an answer of Anthropic
        found = [citation for block in content for citation in _value(block, 'citations') or ()]
    if isinstance(found, Mapping) and {'ids', 'metadatas'} <= found.keys():  # Chroma has a list for each query
        lists = [found.get(name) for name in ('documents', 'metadatas', 'distances')]
        if (number := max(len(part) for part in (found['ids'], *lists) if part)) > 1 and isinstance(
                found['ids'][0], list):
            raise TypeError(f'query {quoted(query)} has the chunks of {number} queries of Chroma: give each query its '
                            'own')
        columns = [part[0] if part and isinstance(part[0], list) else part or [] for part in lists]
        return [{'text': text, 'metadata': metadata, 'score': distance}
                for text, metadata, distance in zip_longest(*columns)]
    if isinstance(found, Mapping):  # of a chain or store, or of a pipeline, by component
        answers = [one[key] for one in (found, *found.values()) if isinstance(one, Mapping) for key in ANSWERS
                   if isinstance(one.get(key), list)]
        found = answers[0] if len(answers) == 1 else None
    if not isinstance(found, Iterable) or isinstance(found, str | bytes) or hasattr(found, 'model_dump'):
        raise TypeError(f'query {quoted(query)} has {quoted(results)}, and not its chunks: give a list of them, the '
                        'best first')
    return found


def parts_of(chunk: Any, document: str | Callable[[Any], str] | None, texts: Mapping[str, str] | None) -> list[Any]:
    """Document, start, end, text and score of a chunk as a framework describes it; nothing is checked. Of several
    names of its document, the first counts that the texts have."""
    if isinstance(chunk, str) and texts is not None:
        return [None, None, None, chunk, None]
    layers = [chunk]
    for layer in layers:
        layers += [inner for name in _INSIDE if (inner := _value(layer, name)) is not None]

    def every(*names: str) -> list[Any]:
        found = (_value(layer, name) for name in names for layer in layers)
        return [value[0] if isinstance(value, list) and len(value) == 1 else value for value in found
                if value is not None]

    def first(*names: str) -> Any:
        return next(iter(every(*names)), None)

    name, start, end, length, text, score = (first(*names) for names in _NAMES.values())
    name = next((known for other in every(*_NAMES['document']) if isinstance(other, str)
                 and (known := name_in_texts(other, texts or ())) is not None), name)
    if isinstance(chunk, str) or (text is None and start is None and name is None and not isinstance(chunk, Mapping)):
        raise TypeError(f'{quoted(chunk)} is not a chunk that is known here: give documents of LangChain or Haystack, '
                        'nodes of LlamaIndex, or dicts with doc_id, start, end')
    if name is None and (relations := first('relationships')):  # of LlamaIndex' nodes in JSON
        name = _value(_value(relations, '1'), 'node_id')
    if document is not None:
        name = document(chunk) if callable(document) else first(document)
    if isinstance(name, Integral) and not isinstance(name, bool):
        name = str(name)
    if end is None and is_position(start) and is_position(length):
        end = start + length
    return [name, start, end, text, score]


def name_in_texts(name: str, texts: Container[str]) -> str | None:
    """The name by which texts have a document: its own, or the longest end of a path, such as ``a.txt`` of
    ``/home/docs/a.txt``; None if they lack it."""
    parts = re.split(r'[/\\]', name)
    ends = (name, *('/'.join(parts[place:]) for place in range(len(parts))))
    return next((end for end in ends if end in texts), None)


def _value(thing: Any, name: str) -> Any:
    """Tells what a dict or an object has under a name, but no method; None if it has nothing."""
    value = thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
    return None if callable(value) else value


def is_lost(position: Any) -> bool:
    """Tells whether a chunk has no start or end."""
    return position is None or (_is_number(position) and position == -1)  # LangChain's -1


def is_position(value: Any) -> bool:
    """Tells whether a value can be a place in a text."""
    return _is_number(value) and int(value) >= 0


def _is_number(value: Any) -> bool:  # Pinecone has all numbers as floats
    return (isinstance(value, Integral) and not isinstance(value, bool)) or (
        isinstance(value, float) and value.is_integer())
