"""Lines as columns: the fields that Python's own split gives, or a ValueError."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures.formats.files.blocks import fields_of
from ir_segmeasures.segments.tables.text_columns import PADDING

words = (st.text(st.sampled_from('ab#,é語😀"\\\x7f'), min_size=1, max_size=4)
         | st.sampled_from(['a' * 8, 'a' * 9, 'b' * 17]))


def or_none(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except ValueError:
        return None


def fields_in(text: str, separator: str = '') -> Any:
    return fields_of(np.frombuffer(PADDING + text.encode() + b'\n', np.uint8), separator=separator)


@pytest.mark.parametrize('text', [
    'a\x1cb', 'a\0b', 'a\x01', 'a\xa0b', 'é\u3000b', 'a\x85', '', ' \n', '\r\na', 'a\x0bb', 'a\n\ufeffb', '\ufeffa'])
def test_what_is_left_to_the_lines(text: str) -> None:
    with pytest.raises(ValueError):
        fields_in(text)


@given(st.lists(st.lists(words, max_size=3).map(' '.join), min_size=1), st.sampled_from(['\n', ' \n', '\n\t ']))
def test_fields_of_lines(lines: list[str], end: str) -> None:
    text = end.join(lines)
    if not text.split():
        return
    fields, newlines = fields_in(text)
    assert list(fields) == text.split()
    assert len(newlines) == text.count('\n') + 1
    count = [sum(stop <= newline for stop in fields.end.tolist()) for newline in newlines.tolist()]
    assert count == [len(text.split()) for text in (
        '\n'.join(text.split('\n')[:line + 1]) for line in range(len(newlines)))]


@given(st.lists(st.lists(words, min_size=2, max_size=2), min_size=1), st.lists(st.lists(words), min_size=1))
def test_a_part_of_the_buffer(before: list[list[str]], lines: list[list[str]]) -> None:
    first, text = (''.join(' '.join(line) + '\n' for line in part) for part in (before, lines))
    signs = np.frombuffer(PADDING + first.encode() + text.encode(), np.uint8)
    found = or_none(lambda: fields_of(signs, len(PADDING) + len(first.encode())))
    assert (found is None) == (not text.split())
    if found is not None:
        assert list(found[0]) == text.split()
        assert list(fields_of(signs, last=len(PADDING) + len(first.encode()))[0]) == first.split()


@given(st.lists(st.lists(st.sampled_from(['', ' ', 'a b', 'é', '\x1c', '\xa0']), min_size=1), min_size=1))
def test_fields_with_tabs_between(lines: list[list[str]]) -> None:
    fields, newlines = fields_in('\n'.join(map('\t'.join, lines)), '\t')
    assert list(fields) == [field for line in lines for field in line]
    assert fields.coded().tolist() == list(fields)
    assert np.searchsorted(fields.start, newlines, 'right').tolist() == list(np.cumsum(list(map(len, lines))))


