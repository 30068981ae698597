"""Places where documents divide: paragraphs and sentences of plain text, lines and turns of transcripts.

A splitter of text takes the text and gives spans; one of transcripts takes lines and gives lines. Functions of either
shape can take their place in :func:`by_boundaries <ir_segmeasures.pt.by_boundaries>`.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from ir_segmeasures.segments.transcript import Line
from ir_segmeasures.texts.cutting import Span

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
    with these signs.

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
        for match in _SENTENCE_END.finditer(text, begin, end):
            following = _VISIBLE.search(text, match.end(), end)
            if following is None or following[0].islower():
                continue
            spans += _trimmed(text, begin, match.end())
            begin = match.end()
        spans += _trimmed(text, begin, end)
    return spans


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """The span without white space at its ends, or none where nothing else is in it."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return [(start + left, start + len(piece.rstrip()))] if left < len(piece) else []


def lines(transcript: Sequence[Line]) -> list[Line]:
    """The lines of a transcript, as they are.

    Examples:
        >>> from ir_segmeasures.segments.transcript import Line
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
        >>> from ir_segmeasures.segments.transcript import Line
        >>> from ir_segmeasures.texts.splitters import turns
        >>> turns([Line(0, 4.5, 'Good evening.', 'A'), Line(4.5, 9, 'Tonight: bees.', 'A'), Line(9, 10, 'Hm.', 'B')])
        [Line(start=0, end=9, text='Good evening. Tonight: bees.', speaker='A'),
         Line(start=9, end=10, text='Hm.', speaker='B')]
    """
    for number, line in enumerate(transcript, 1):
        if line.speaker is None:
            raise ValueError(f'line {number} of the transcript has no speaker, but turns are told apart by it: give '
                             'every line (start, end, text, speaker)')
    merged = []
    for speaker, group in groupby(transcript, lambda line: line.speaker):
        turn = list(group)
        text = ' '.join(line.text for line in turn)
        merged.append(Line(turn[0].start, max(line.end for line in turn), text, speaker))
    return merged
