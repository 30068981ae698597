"""Windows over transcripts: the lines of each. Words of texts."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ir_segmeasures.texts.cutting import slide_text, slide_transcript, transcript_lines

times = st.integers(0, 60) | st.floats(0, 60).map(lambda time: round(time, 3))
lengths = st.sampled_from([0.5, 1, 2.5, 7, 20, 90])


@settings(max_examples=50)
@given(st.lists(st.tuples(times, times.map(lambda time: time / 4), st.sampled_from(['a', 'b', ' ', '']))), lengths,
       lengths, st.sampled_from(['start', 'overlap']))
def test_windows_have_the_lines_that_are_theirs(lines: Any, length: float, stride: float, by: str) -> None:
    transcript = transcript_lines([(start, start + duration, text) for start, duration, text in lines if start])
    extent, wanted = max((line.end for line in transcript), default=0), []
    for number in range(round(extent / stride) + 1):
        start = number * stride
        end = min(start + length, extent)
        if start < extent and (not number or start - stride + length < extent):
            inside = [line.text for line in transcript
                      if start <= line.start < end or line.start == end == extent
                      or (by == 'overlap' and line.start < end and line.end > start)]
            wanted += [(start, end, ' '.join(inside))] * bool(''.join(inside).strip())
    assert list(slide_transcript(transcript, length, stride, by)) == wanted


@given(st.text('ab \n\x1c\u2003', max_size=12))
def test_words_are_the_longest_stretches_without_white_space(text: str) -> None:
    assert [(piece.start, piece.end) for piece in slide_text(text, 1, 1, 'word', 'char')] == [
        word.span() for word in re.finditer(r'\S+', text)]
