"""Quotes located in texts: exactly, after normalisation, with a few edits; against plain and slow references."""

import re
import time
import unicodedata
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given, strategies as st

from ir_segmeasures import locate
from ir_segmeasures.texts.locating.index import QuoteIndex
from ir_segmeasures.texts.locating.normalisation import all_occurrences, letter_form

Span = tuple[int, int]


def found(quote: str, text: str, **options: Any) -> list[str]:
    """What stands at the places of a quote."""
    return [text[start:end] for start, end in locate(quote, text, **options)]


class TestExact:
    def test_all_places_in_order(self) -> None:
        assert locate('to be', 'to be, or not to be') == [(0, 5), (14, 19)]

    def test_white_space_around_a_quote_is_part_of_it_where_the_text_has_it(self) -> None:
        assert found(' b ', 'a b c') == [' b ']
        assert found(' b ', 'a,b,c') == ['b']

    @pytest.mark.parametrize('quote', ['', ' ', '\n\t', '\u00a0', '\u3000 '])
    def test_a_quote_of_nothing_stands_nowhere(self, quote: str) -> None:
        assert locate(quote, f'a{quote}b') == []

    @given(st.text('ab', min_size=1, max_size=6), st.text('ab', max_size=40))
    def test_against_the_definition(self, quote: str, text: str) -> None:
        places = [start for start in range(len(text)) if text[start:start + len(quote)] == quote]
        assert all_occurrences(quote, text) == places
        assert not places or locate(quote, text) == [(start, start + len(quote)) for start in places]


class TestNormalised:
    @pytest.mark.parametrize(('quote', 'text', 'there'), [
        # white space
        ('a quote', 'is a\r\n  quote here', 'a\r\n  quote'),
        ('a\u00a0quote', 'is a\tquote', 'a\tquote'),
        ('  a quote\n', 'is a quote,', 'a quote'),
        ('end . Next', 'The end. Next.', 'end. Next'),
        ('end.Next', 'The end.\n\nNext.', 'end.\n\nNext'),
        ('f ( x )', 'y = f(x)', 'f(x)'),
        ('引用の文章', 'これは引用の\n文章です', '引用の\n文章'),
        # characters of no width
        ('quote', 'a q\u200buo\u2060te\ufeff', 'q\u200buo\u2060te'),
        ('q\u200buote', 'a quote', 'quote'),
        ('quote', 'a quo\u00adte', 'quo\u00adte'),
        ('\ufeffa  quote', 'a quote', 'a quote'),
        # Unicode
        ('file', 'a ﬁle', 'ﬁle'), ('ﬁle', 'a file', 'file'), ('office', 'oﬃce', 'oﬃce'),
        ('１２３', 'it is 123.', '123'), ('x2', 'x²', 'x²'), ('1/2', 'a ½ b', '½'),
        ('Noël', 'Noe\u0308l', 'Noe\u0308l'),
        ('Noe\u0308l', 'Noël', 'Noël'),
        ('한글', '\u1112\u1161\u11ab\u1100\u1173\u11af', '\u1112\u1161\u11ab\u1100\u1173\u11af'),
        ('Wait...', 'Wait…', 'Wait…'), ('Wait…', 'Wait. . .', 'Wait. . .'),
        # quotation marks
        ('“so” he said', 'And "so" he said', '"so" he said'), ("don't", 'I don’t', 'don’t'), ('«so»', "'so'", "'so'"),
        ("``so''", 'a “so” b', '“so”'), ('« so »', 'a “so” b', '“so”'), ('「so」', 'a "so"', '"so"'),
        ('“so it is”', 'And so it is.', 'so it is'), ("'so  it is'", 'And so it is.', 'so it is'),
        # dashes and bullets
        ('1990-2000', 'in 1990–2000', '1990–2000'), ('a—b', 'a -- b', 'a -- b'), ('a - b', 'a–b', 'a–b'),
        ('−5', 'it is -5', '-5'), ('- one', 'all: – one', '– one'), ('one -', 'all one—', 'one—'),
        ('• one', '* one', '* one'), ('well‑known', 'a well-known one', 'well-known'),
        # hyphens at the ends of lines
        ('example', 'an exam-\nple', 'exam-\nple'), ('exam-\nple', 'an example', 'example'),
        ('example', 'an exam\u2010\r\n  ple', 'exam\u2010\r\n  ple'), ('example', 'exam\u00ad\nple', 'exam\u00ad\nple'),
        ('exam- ple', 'an exam-\nple', 'exam-\nple'), ('exam-\nple', 'an exam\u00adple', 'exam\u00adple'),
        ('well-known', 'a well-\nknown one', 'well-\nknown'), ('well-\nknown', 'a well-known one', 'well-known'),
        ('wellknown', 'a well-\nknown one', 'well-\nknown'), ('an  exam-', 'an exam-\nple', 'an exam-'),
        ('a well-\nknown exam-\nple', 'a well-known example', 'a well-known example'),
    ])
    def test_is_found(self, quote: str, text: str, there: str) -> None:
        assert found(quote, text) == [there]
        assert QuoteIndex(text).locate(quote) == locate(quote, text)

    @pytest.mark.parametrize(('quote', 'text'), [
        ('now here', 'nowhere'), ('nowhere', 'now here'), ('wellknown', 'well-known'), ('well-known', 'wellknown'),
        ('well-known', 'well known'), ('re-cover', 'recover'), ('12', '1-2'), ('1990-\n2000', '19902000'),
        ('of words the order', 'the order of words'), ('a quote', 'a good quote'), ('a good quote', 'a quote'),
        ('The', 'the'), ('cafe  au lait', 'café au lait'), ('a, b', 'a b'), ('a.', 'a'), ('5 + 3', '5 - 3'),
        ('"so', 'so'), ('-', 'a'), ('\u00ad', 'a'), ('"', 'a'), ('""', 'a'), ('word— s', 'words'),
    ])
    def test_is_not_found(self, quote: str, text: str) -> None:
        assert locate(quote, text) == []

    def test_all_places(self) -> None:
        text = 'A  quote, a quote, A\nquote, “A quote” and a quo-\nte.'
        assert found('A quote', 'A  quote, A\nquote') == ['A  quote', 'A\nquote']
        assert found('A\tquote', text) == ['A  quote', 'A\nquote', 'A quote']
        assert found('a\tquote', text, case=False) == ['A  quote', 'a quote', 'A\nquote', 'A quote', 'a quo-\nte']

    @pytest.mark.parametrize(('quote', 'text', 'there'), [
        ('THE QUOTE', 'is the Quote.', 'the Quote'), ('STRASSE', 'die Straße, die', 'Straße'),
        ('straße', 'DIE STRASSE, DIE', 'STRASSE'), ('istanbul', 'in İSTANBUL,', 'İSTANBUL'),
        ('İSTANBUL', 'in istanbul,', 'istanbul'), ('ISPARTA', 'in ısparta,', 'ısparta'), ('οδός', 'ΟΔΌΣ', 'ΟΔΌΣ'),
        ('FILE', 'a ﬁle', 'ﬁle'), ('s', 'Maß', 'ß'),
    ])
    def test_without_case(self, quote: str, text: str, there: str) -> None:
        assert found(quote, text) == []
        assert found(quote, text, case=False) == [there]


# What the characters of this alphabet have in common with each other, and where they stand, is what matters.
ALPHABET = 'abfé -–\n\u00a0"“\'.…\u200b\u00ad\u2010'


def readings(text: str) -> set[str]:
    """All forms of a text that may agree with another one, plain and slow: a hyphen at a line end is there or not."""
    text = re.sub('\u200b|\u00ad(?!\\s)', '', text)
    text = re.sub('(?<![abfé])\u00ad|\u00ad(?!\\s+[abfé])', '', text)
    text = unicodedata.normalize('NFKC', text)
    text = re.sub('["“\']', "'", text).replace('–', '=').replace('\u2010', '-')
    text = re.sub("''+", "'", text)
    pieces = re.split('((?<=[abfé])[-\u00ad]\\s+(?=[abfé]))', text)
    forms = set()
    for choice in product(('', '-'), repeat=len(pieces) // 2):
        form = ''.join(part for pair in zip(pieces[::2], (*choice, '')) for part in pair)
        form = re.sub(r'\s*[-=](\s*[-=])*\s*', '-', form)
        form = re.sub(r"\s*(['.])\s*", r'\1', form)
        forms.add(' '.join(form.split()))
    return forms


class TestAgainstAPlainReference:
    @given(st.text(ALPHABET, max_size=7), st.text(ALPHABET, max_size=12))
    @example('a-', 'a-\nb')
    @example('a\u00ad\n-', 'a-')
    @example('ab', 'a-\u00ad\nb')
    def test_of_normalised_places(self, quote: str, text: str) -> None:
        assume(re.search('[abfé."“\']', quote) and quote not in text)
        assume(not re.fullmatch('\\W*["“\'].*["“\']\\W*', quote, re.DOTALL))
        wanted = readings(quote)
        agreeing = [(start, end) for end in range(len(text) + 1) for start in range(end)
                    if wanted & readings(text[start:end])]
        least = [(start, end) for start, end in agreeing
                 if not any(start <= other[0] and other[1] <= end and other != (start, end) for other in agreeing)]
        places = locate(quote, text)
        for place in places:
            assert any(form in there for form in wanted for there in readings(text[slice(*place)])), place
        if not re.search('…|["“\'\u200b\u00ad]{2}|[-–\u2010]\\s*[-–\u2010]', text):
            assert places == sorted(least)


class TestFuzzy:
    TEXT = ('It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of '
            'foolishness.')

    @pytest.mark.parametrize(('quote', 'there'), [
        ('it was the worst of tmies', 'it was the worst of times'),
        ('it was the age of wizdom,', 'it was the age of wisdom,'),
        ('the worst off times, it were the age', 'the worst of times, it was the age'),
        ('it was  the\nagge of wisdom', 'it was the age of wisdom'), ('best of times it was', 'best of times, it was'),
    ])
    def test_the_closest_place(self, quote: str, there: str) -> None:
        assert found(quote, self.TEXT) == []
        assert found(quote, self.TEXT, tolerance=0.15) == [there]

    def test_none_if_two_are_equally_close(self) -> None:
        assert locate('it was tha', self.TEXT, tolerance=0.1) == []
        text = 'the quick brown fox, the quick brown fox'
        assert locate('the quick brxwn fox', text, tolerance=0.2) == []
        assert locate('the quick brxwn fxx', text, tolerance=0.2) == []
        assert found('the quick brxwn fxx', f'{text}, the quick brxwn fix', tolerance=0.2) == ['the quick brxwn fix']

    def test_shuffled_words_are_not_found(self) -> None:
        words = self.TEXT.split()
        random = Random(1)
        for _ in range(50):
            random.shuffle(words)
            assert locate(' '.join(words), self.TEXT, tolerance=0.2) == []

    @given(st.text('abc ', min_size=30, max_size=80), st.integers(0, 60), st.integers(15, 25),
           st.lists(st.tuples(st.integers(0, 24), st.sampled_from(['', 'x', 'xy'])), min_size=1, max_size=3))
    def test_against_all_places(self, text: str, start: int, length: int, edits: list[tuple[int, str]]) -> None:
        quote = text[start:start + length]
        for place, string in edits:
            quote = quote[:place] + string + quote[place + 1:]
        text, quote = ' '.join(text.split()), ' '.join(quote.split())
        assume(len(quote) > 10 and quote not in text)
        least = min(edits for start, character in enumerate(text) if character != ' '
                    for end, edits in enumerate(prefix_edits(quote, text[start:]), start) if text[end - 1] != ' ')
        places = locate(quote, text, tolerance=0.25)
        if places:
            (begin, end), = places
            assert prefix_edits(quote, text[begin:end])[-1] == least <= 0.25 * len(quote)

    @pytest.mark.parametrize('tolerance', [-0.1, 1, 2.0, True, '0.1', float('nan')])
    def test_no_share_of_edits(self, tolerance: Any) -> None:
        with pytest.raises(ValueError, match=r'the tolerance is .*, but it is a share of edits in \[0, 1\)'):
            locate('a', 'a', tolerance=tolerance)


def prefix_edits(quote: str, text: str) -> list[int]:
    """For each beginning of a text, how many insertions, deletions and replacements make the quote of it."""
    above = list(range(len(text) + 1))
    for row, character in enumerate(quote, 1):
        here = [row]
        for place, other in enumerate(text, 1):
            here.append(min(here[-1] + 1, above[place] + 1, above[place - 1] + (character != other)))
        above = here
    return above


class TestErrors:
    @pytest.mark.parametrize('value', [None, 3, b'a', ['a']])
    def test_no_strings(self, value: Any) -> None:
        with pytest.raises(TypeError, match=r'the quote is .*, which is not a string'):
            locate(value, 'a')
        with pytest.raises(TypeError, match=r'the text is .*, which is not a string'):
            locate('a', value)


class TestTime:
    """Quadratic time would be hours here."""

    SIZE = 10 ** 5

    @pytest.mark.parametrize(('quote', 'text'), [
        ('a' * 50_000 + 'b', 'a' * SIZE), ('a' * 50_000, 'a' * SIZE), ('ab' * 20_000, 'ab' * SIZE),
        ('a' * 20_000 + '\u00ada', 'a' * SIZE), (f"{'a-' * 10_000}aa-\na", 'a-' * SIZE), ('a  b', ' ' * SIZE),
        ('a  b', '-' * SIZE), ('a  b', "' " * SIZE), ('a  b', 'a\u0301\u0323' * SIZE),
        ('b', 'a' + '\u0301\u0323' * SIZE),
        ('a\u00ad\nb  c', '\u00ad\n' * SIZE), ('a  b', 'a-\n' * SIZE), ('ß  a', 'ß' * SIZE), ('a  b', '<a ' * SIZE),
        ('a  b', '](a' * SIZE), ('a  b', '&a' * SIZE), ('ﬃ  a', 'ﬃ' * SIZE),
    ])
    def test_is_linear(self, quote: str, text: str) -> None:
        began = time.process_time()
        for case in (True, False):
            QuoteIndex(text).locate(quote, case=case)
        letter_form(text)
        assert time.process_time() - began < 10

    @pytest.mark.parametrize(('quote', 'text'), [
        ('a' * 1000 + 'b' * 60, 'a' * SIZE), ('ab' * 500 + 'c' * 60, 'ab' * SIZE)])
    def test_is_linear_with_a_tolerance(self, quote: str, text: str) -> None:
        began = time.process_time()
        assert locate(quote, text, tolerance=0.1) == []
        assert time.process_time() - began < 20
