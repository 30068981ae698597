"""Windows over transcripts: those of the whole timeline, at the cost of the lines. Words of texts."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ir_segmeasures.texts.cutting import (
    cut_transcript,
    extent_of,
    slide_text,
    slide_transcript,
    transcript_lines,
    windows,
)

times = st.integers(0, 60) | st.floats(0, 60).map(lambda time: round(time, 3))
lengths = st.sampled_from([0.5, 1, 2.5, 7, 20, 90])


@settings(max_examples=50)
@given(st.lists(st.tuples(times, times.map(lambda time: time / 4), st.sampled_from(['a', 'b', ' ', '']))), lengths,
       lengths, st.sampled_from(['start', 'overlap']))
def test_windows_are_those_of_the_timeline_in_which_somebody_speaks(lines: Any, length: float, stride: float,
                                                                    by: str) -> None:
    transcript = transcript_lines([(start, start + duration, text) for start, duration, text in lines if start])
    every = windows(round(extent_of(transcript) * 10 ** 6), round(length * 10 ** 6), round(stride * 10 ** 6))
    spans = [(start / 10 ** 6, end / 10 ** 6) for start, end in every]
    assert list(slide_transcript(transcript, length, stride, by)) == [
        piece for piece in cut_transcript(transcript, spans, by) if piece.text.strip()]


def test_a_line_at_the_end_of_a_long_timeline() -> None:
    end = 9999 * 3600
    pieces = list(slide_transcript(transcript_lines([(end - 5, end, 'late')]), 30, .01))
    assert len(pieces) == 500 and pieces[-1] == (end - 30, end, 'late')


@given(st.text('ab \n\x1c\u2003', max_size=12))
def test_words_are_the_longest_stretches_without_white_space(text: str) -> None:
    assert [(piece.start, piece.end) for piece in slide_text(text, 1, 1, 'word', 'char')] == [
        word.span() for word in re.finditer(r'\S+', text)]
