"""Places where documents divide: paragraphs and sentences of plain text, lines and turns of transcripts, and the chunks
of the text splitters of frameworks, as spans of the text.

A splitter of text takes the text and gives spans; one of transcripts takes lines and gives lines. Functions of either
shape can take their place in :func:`by_boundaries <ir_segmeasures.pt.by_boundaries>`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby, pairwise
from typing import Any

from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Line
from ir_segmeasures.texts.cutting import Span
from ir_segmeasures.texts.langchain_private import with_start_index
from ir_segmeasures.texts.locating.collection import located_together
from ir_segmeasures.texts.locating.index import QuoteIndex

_VISIBLE = re.compile(r'\S')
_PARAGRAPH = re.compile(r'\S[^\r\n]*(?:(?:\r\n?|\n)[^\S\r\n]*\S[^\r\n]*)*')
# The look-behind keeps long runs of dots linear.
_SENTENCE_END = re.compile(r'(?<![.!?…])[.!?…]+["\'”’»)\]]*(?=\s)|[。！？]+[」』”’]*')


def paragraphs(text: str) -> list[Span]:
    """The paragraphs of a text, as spans: its stretches between blank lines, without the white space around them.

    Examples:
        >>> from ir_segmeasures.texts.splitters import paragraphs
        >>> text = 'Bees dance.\\nThey hum.\\n\\nThey point at flowers.'
        >>> [text[start:end] for start, end in paragraphs(text)]
        ['Bees dance.\\nThey hum.', 'They point at flowers.']
    """
    return [span for match in _PARAGRAPH.finditer(text) for span in _trimmed(text, *match.span())]


def sentences(text: str) -> list[Span]:
    """The sentences of a text, as spans without the white space around them. It is a rule of thumb, for any language
    with these characters.

    A sentence ends with its paragraph, and at ``.``, ``!``, ``?`` or ``…`` (with quotation marks and brackets that
    close behind it) before white space, unless the next word begins with a lower-case letter; at ``。``, ``！`` and
    ``？`` also without white space. Abbreviations before a capital ('Dr. Grey') end a sentence: give
    :func:`by_boundaries <ir_segmeasures.pt.by_boundaries>` a better splitter where that matters.

    Examples:
        >>> from ir_segmeasures.texts.splitters import sentences
        >>> sentences('Bees dance. They point at flowers.')
        [(0, 11), (12, 34)]
    """
    spans: list[Span] = []
    for begin, end in paragraphs(text):
        followed = ((match.end(), _VISIBLE.search(text, match.end(), end))
                    for match in _SENTENCE_END.finditer(text, begin, end))
        ends = [place for place, following in followed if following and not following[0].islower()]
        spans += chain.from_iterable(_trimmed(text, *pair) for pair in pairwise([begin, *ends, end]))
    return spans


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """The span without white space at its ends, or none where nothing else is in it."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return [(start + left, start + len(piece.rstrip()))] if left < len(piece) else []


def lines(transcript: Sequence[Line]) -> list[Line]:
    """The lines of a transcript, as they are.

    Examples:
        >>> from ir_segmeasures.segments.segment import Line
        >>> from ir_segmeasures.texts.splitters import lines
        >>> lines([Line(0, 4.5, 'Good evening.', 'A')])
        [Line(start=0, end=4.5, text='Good evening.', speaker='A')]
    """
    return list(transcript)


def turns(transcript: Sequence[Line]) -> list[Line]:
    """The turns of a conversation: lines of one speaker that follow each other, in order of their starts.

    Raises:
        ValueError: a line without a speaker

    Examples:
        >>> from ir_segmeasures.segments.segment import Line
        >>> from ir_segmeasures.texts.splitters import turns
        >>> turns([Line(0, 4.5, 'Good evening.', 'A'), Line(4.5, 9, 'Tonight: bees.', 'A'), Line(9, 10, 'Hm.', 'B')])
        [Line(start=0, end=9, text='Good evening. Tonight: bees.', speaker='A'),
         Line(start=9, end=10, text='Hm.', speaker='B')]
    """
    for number, line in enumerate(transcript, 1):
        if line.speaker is None:
            raise ValueError(f'line {number} of the transcript has no speaker, but turns are told apart by it: give '
                             'every line (start, end, text, speaker)')
    return [Line(turn[0].start, max(line.end for line in turn), ' '.join(line.text for line in turn), speaker)
            for speaker, group in groupby(transcript, lambda line: line.speaker) for turn in [list(group)]]


def splitter_spans(splitter: Any) -> Callable[[str], list[Span]] | None:
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


def _checked(text: str, chunks: Iterable[tuple[Any, str]], splitter: Any) -> list[Span]:
    found = list(chunks)
    if all(isinstance(start, int) and start >= 0 and text.startswith(content, start) for start, content in found):
        return [(start, start + len(content)) for start, content in found]
    return located_spans(text, [content for _, content in found], type(splitter).__name__)


def located_spans(text: str, chunks: Sequence[str], splitter: str) -> list[Span]:
    """The places in a text of the chunks that a splitter made of it and changed, in the order of the text.

    Args:
        text: that was split
        chunks: with other white space, without markup, or with a title before them
        splitter: its name, for errors

    Raises:
        ValueError: a chunk that the text does not have, or has at several places between its neighbours

    Examples:
        >>> from ir_segmeasures.texts.splitters import located_spans
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
