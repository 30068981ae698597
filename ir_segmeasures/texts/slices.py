"""The texts of segments: slices of the text of their document, or the lines of its transcript."""

from collections.abc import Mapping
from math import inf
from typing import Any

from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import COUNTED, Segment
from ir_segmeasures.texts.cutting import cut_text, cut_transcript, extent_of, text_extent, transcript_lines


def segment_texts(value: Any, segments: Mapping[str, Segment], by: str) -> list[str]:
    """The texts of segments of one document.

    Args:
        value: the text of the document, or the lines of its transcript
        segments: id → segment, in the document
        by: which lines of a transcript belong to a segment, see :func:`~ir_segmeasures.texts.cutting.cut_transcript`

    Raises:
        ValueError: a segment in a unit that the text has not, or behind its end

    Examples:
        >>> from ir_segmeasures.segments.segment import parse_segment
        >>> from ir_segmeasures.texts.slices import segment_texts
        >>> segment_texts('Bees dance.', {id: parse_segment(id) for id in ('d#char=0,4', 'd#word=1,2')}, 'start')
        ['Bees', 'dance.']
    """
    if isinstance(value, bytes):
        raise ValueError('the source has bytes: give the function that makes text of them with read=…, such as '
                         'read=bytes.decode')
    if isinstance(value, str):
        return [_slice(value, id, segment) for id, segment in segments.items()]
    lines = transcript_lines(value)
    for id, segment in segments.items():
        if segment.unit not in (None, 't'):
            raise ValueError(f'{quoted(id)} counts {COUNTED[segment.unit]}, but the source has a transcript, which '
                             'counts seconds: give the text that it was cut from')
    extent = extent_of(lines)
    spans = [(segment.start, max(segment.start, extent) if segment.end == inf else segment.end)
             for segment in segments.values()]
    everything = ' '.join(line.text for line in lines)
    return [everything if segment.unit is None else piece.text
            for segment, piece in zip(segments.values(), cut_transcript(lines, spans, by))]


def _slice(text: str, id: str, segment: Segment) -> str:
    """The text of a segment of a plain text."""
    if segment.unit is None:
        return text
    if segment.unit == 't':
        raise ValueError(f'{quoted(id)} counts seconds, but the source has plain text: give the transcript, a list of '
                         'lines (start, end, text) with times in seconds')
    if segment.unit == 'page':
        raise ValueError(f'{quoted(id)} counts pages, which a plain text does not have: give a mapping with the text '
                         'of each such id')
    extent = text_extent(text, segment.unit)
    end = extent if segment.end == inf else segment.end
    if max(segment.start, end) > extent:
        which, at = ('ends', end) if end > extent else ('starts', segment.start)
        raise ValueError(f'{quoted(id)} {which} at {format_number(at)}, but the text has {extent} '
                         f'{COUNTED[segment.unit]}: give the text that it was cut from; segments that were made longer '
                         'stay within documents with expand(durations=…)')
    return cut_text(text, [(int(segment.start), int(end))], segment.unit)[0].text
