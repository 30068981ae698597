"""Columns of texts in one buffer give what Python gives for each text, or a ValueError."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures.segments.tables import text_columns
from ir_segmeasures.segments.tables.id_columns import codes_of
from ir_segmeasures.segments.tables.text_columns import LazyColumn, TextColumn, TextIndex

words = (st.text(st.sampled_from('ab#,é語😀"\\\x7f'), min_size=1, max_size=4)
         | st.sampled_from(['a' * 8, 'a' * 9, 'b' * 17]))
long = words | st.builds(str.__mul__, words, st.integers(1, 90))
numbers = (st.from_regex(r'-?[0-9]{0,16}(\.[0-9]{0,16})?', fullmatch=True).filter(bool)
           | st.integers(0, 10 ** 17).map(str) | st.floats().map(repr)
           | st.sampled_from(['1e3', '+1', '1_0', '.', '-', '٣', '1/2', ':']))


def or_none(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except ValueError:
        return None


@given(st.lists(long, min_size=1), st.data())
def test_texts(texts: list[str], data: st.DataObject) -> None:
    column = TextColumn.from_texts(texts)
    assert len(column) == len(texts) and list(column) == column.tolist() == texts
    assert [column[row] for row in range(-len(texts), len(texts))] == texts * 2
    coded, (distinct, code) = column.coded(), codes_of(texts)
    assert coded.distinct == distinct and coded.code.tolist() == code.tolist()
    assert coded.map(len) == list(map(len, texts))
    assert column.ids().tolist() == texts
    text = data.draw(st.sampled_from(texts) | words)
    assert column.equal(text).tolist() == [text == other for other in texts]
    assert pickle.loads(pickle.dumps(column)).tolist() == texts


@given(st.lists(long, min_size=1), st.integers(1, 5))
def test_some_rows_at_a_time(texts: list[str], rows: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_columns, '_ROWS', rows)
        assert TextColumn.from_texts(texts).tolist() == texts


@given(st.lists(st.text(st.sampled_from('ab'), min_size=9, max_size=20), min_size=1))
def test_texts_that_share_a_number(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_columns, '_ODD', text_columns._ODD * 0)  # only the first eight signs count
        assert TextColumn.from_texts(texts).coded().tolist() == texts


@given(st.lists(st.integers(0, 9) | st.integers(0, 2 ** 64 - 1)))
def test_first_rows(numbers: list[int]) -> None:
    found = text_columns.first_rows(np.array(numbers, np.uint64))
    assert found.tolist() == [numbers.index(number) for number in numbers]


@given(st.integers(0, 5), st.integers(1, 3000))
def test_first_rows_of_many(seed: int, distinct: int) -> None:
    numbers = np.random.default_rng(seed).integers(0, distinct, 2000).astype(np.uint64)
    _, first, place = np.unique(numbers, return_index=True, return_inverse=True)
    assert text_columns.first_rows(numbers).tolist() == first[place].tolist()


@given(st.lists(words, min_size=1), st.sampled_from('a#,'))
def test_cut(texts: list[str], sign: str) -> None:
    found = or_none(lambda: TextColumn.from_texts(texts).cut(sign))
    if any(text.count(sign) != 1 for text in texts):
        assert found is None
    else:
        assert list(zip(*map(list, found))) == [tuple(text.split(sign)) for text in texts]
        assert found[0].coded().tolist() == found[0].tolist()


@given(st.lists(words, min_size=1), st.sampled_from(['a', '#a', 'é']))
def test_without(texts: list[str], prefix: str) -> None:
    found = or_none(lambda: TextColumn.from_texts(texts).without(prefix))
    assert found is None if any(not text.startswith(prefix) for text in texts) else (
        list(found) == [text[len(prefix):] for text in texts])


@given(st.lists(numbers, min_size=1, max_size=4))
def test_numbers(texts: list[str]) -> None:
    column = TextColumn.from_texts(texts)
    whole, decimal = or_none(column.whole_numbers), or_none(column.decimals)
    assert (whole is not None) == all(text.isascii() and text.isdigit() and len(text) <= 16 for text in texts)
    if whole is not None:
        assert whole.tolist() == list(map(int, texts))
        assert (or_none(lambda: column.whole_numbers(100)) is None) == (max(whole) > 100)
    plain = all(sum(map(str.isdigit, text)) in range(1, 16) and set(text) <= set('-.0123456789') and text.isascii()
                for text in texts)
    assert (decimal is not None) == plain
    if decimal is not None:
        assert list(map(repr, decimal.tolist())) == [repr(float(text)) for text in texts]  # -0.0, too
        digits, places = column.fixed_point(signed=True)
        behind = [len(text.partition('.')[2]) for text in texts]
        assert digits.tolist() == [int(text.strip('-').replace('.', '')) for text in texts]
        assert behind == ([0] * len(texts) if places is None else places.tolist())


@pytest.mark.parametrize('texts', [['a', ''], ['a b'], ['a '], ['b', 'a '], ['a\nb'], ['a', ' b'], ['a\tb', 'c'],
                                   [' a'], []])
def test_what_is_no_column(texts: list[str]) -> None:
    with pytest.raises(ValueError):
        TextColumn.from_texts(texts)


def test_lazy_column() -> None:
    made: list[str] = []

    def length(text: str) -> int:
        made.append(text)
        return len(text)
    column = LazyColumn(TextColumn.from_texts(['a', 'bb']), length)
    assert len(column) == 2 and not made
    assert column[1] == 2 and list(column) == column.tolist() == [1, 2] and made == ['a', 'bb']
    assert list(column[np.array([1, 1])]) == [2, 2]


short = st.text(st.sampled_from('abc'), max_size=4) | st.sampled_from(['a' * 8, 'b' * 9, 'é', 'a b'])


@given(st.lists(short, unique=True), st.lists(short, unique=True), st.integers(0, 4))
def test_index(known: list[str], texts: list[str], few: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_columns, '_FEW', few)
        places = TextIndex(known).positions(texts).tolist()
    assert places == [known.index(text) if text in known else -1 for text in texts]
