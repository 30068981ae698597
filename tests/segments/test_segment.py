"""The segment id: every form that is read, the one form that is written, and every refusal."""

import re
from decimal import Decimal
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import decimal_texts, document_ids, examples, id_characters, plain_ids, whole_texts

from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import CONTROL, UNIT_NAMES, UNITS, Segment, format_segment, parse_segment

FRAGMENT = re.compile('#(t|char|word|line|page|xpath)=')
CANONICAL = re.compile(r'(0|[1-9][0-9]*)(\.[0-9]{0,5}[1-9])?')

SECONDS = "'t=' takes START,END in seconds (or hh:mm:ss): write it as '#t=12.5,60'"
LARGER = 'positions are numbers below 10^15: give it in a larger unit'
CHARACTERS = "'char=' takes START,END in whole characters: write it as '#char=100,460'"
WORDS = "'word=' takes START,END in whole words: write it as '#word=10,52'"
LINES = "'line=' takes START,END in whole lines: write it as '#line=10,20'"
PAGES = "'page=' takes numbers of pages from 1: write it as '#page=3' or '#page=3,7'"
BLANKS = 'holds white space or a quotation mark, which run files cannot carry'
ENCODE = 'percent-encode these with quote_id() or give the document another id'
SWAP = 'write the smaller position first'
CARRY = 'go from 00 to 59: carry the rest over to the left'
DIGITS = '9' * 400  # more than a float can hold

whole_documents = document_ids.filter(lambda document: not FRAGMENT.search(document))
whole = st.integers(0, 10**9)
seconds = st.integers(0, 10**15).map(lambda millionths: millionths / 10**6)


@st.composite
def segments(draw: st.DrawFn) -> Segment:
    """Segments that have an id, of every kind: closed, open, entry points, elements, whole documents."""
    unit = draw(st.sampled_from((*UNITS, None)))
    if unit is None:
        return Segment(draw(whole_documents))
    number = {'t': seconds, 'page': whole.map(lambda number: number + 1)}.get(unit, whole)
    start, end = sorted((draw(number), draw(st.one_of(number, st.just(inf)))))
    path = draw(st.none() | st.text(st.characters(codec='ascii', min_codepoint=32), min_size=1))
    return Segment(draw(document_ids), start, end, unit, path)


class TestForms:
    """What each form of an id is read as."""

    @pytest.mark.parametrize('fragment, start, end', [
        ('12.5,60', 12.5, 60),
        ('0,60', 0, 60),
        (',60', 0, 60),
        (',0', 0, 0),
        ('12.5', 12.5, inf),
        ('12.5,', 12.5, inf),
        ('0', 0, inf),
        ('12.5,12.5', 12.5, 12.5),
        ('012.50,060.000', 12.5, 60),
        ('12.,60.', 12, 60),
        ('.5,.75', .5, .75),
        ('0.123456,1.000001', 0.123456, 1.000001),
        ('npt:12.5,60', 12.5, 60),
        ('npt:,60', 0, 60),
        ('npt:12.5', 12.5, inf),
        ('npt:12.5,', 12.5, inf),
        ('npt:0:00:12.5,0:01:00', 12.5, 60),
    ])
    def test_seconds(self, fragment: str, start: float, end: float) -> None:
        assert parse_segment(f'v0123#t={fragment}') == Segment('v0123', start, end, 't')

    @pytest.mark.parametrize('clock, value', [
        ('00:00', 0),
        ('01:15', 75),
        ('1:15', 75),
        ('59:59', 3599),
        ('00:01:15', 75),
        ('1:01:15', 3675),
        ('0:00:00.5', .5),
        ('00:12.345', 12.345),
        ('02:46:40.25', 10000.25),
        ('100:00:00', 360000),
        ('01:15.', 75),
        ('0:20.123456', 20.123456),
    ])
    def test_clock_times(self, clock: str, value: float) -> None:
        assert parse_segment(f'v#t={clock}') == Segment('v', value, inf, 't')
        assert parse_segment(f'v#t=,{clock}') == Segment('v', 0, value, 't')
        assert parse_segment(f'v#t=npt:{clock},{clock}') == Segment('v', value, value, 't')

    def test_clock_and_seconds_in_one_id(self) -> None:
        assert parse_segment('v#t=12.5,0:01:00') == Segment('v', 12.5, 60, 't')

    @given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
    def test_a_clock_time_is_the_float_of_its_decimal(self, hours: int, minutes: int, sec: int, ms: int) -> None:
        total = Decimal(hours * 3600 + minutes * 60 + sec) + Decimal(ms) / 1000
        read = parse_segment(f'v#t={hours:02}:{minutes:02}:{sec:02}.{ms:03}')
        assert read.start == float(total)

    @pytest.mark.parametrize('unit', ['char', 'word', 'line'])
    @pytest.mark.parametrize('fragment, start, end', [
        ('100,460', 100, 460),
        ('0,460', 0, 460),
        (',460', 0, 460),
        (',0', 0, 0),
        ('100,', 100, inf),
        ('0,', 0, inf),
        ('100', 100, 100),
        ('0', 0, 0),
        ('100,100', 100, 100),
        ('007,010', 7, 10),
    ])
    def test_characters_words_and_lines(self, unit: str, fragment: str, start: float, end: float) -> None:
        assert parse_segment(f'doc7#{unit}={fragment}') == Segment('doc7', start, end, unit)

    @pytest.mark.parametrize('fragment, start, end, canonical', [
        ('3', 3, 4, '3'),
        ('003', 3, 4, '3'),
        ('3,4', 3, 4, '3'),
        ('3,7', 3, 7, '3,7'),
        (',7', 1, 7, '1,7'),
        ('3,', 3, inf, '3,'),
        ('3,3', 3, 3, '3,3'),
    ])
    def test_pages_have_numbers_from_1(self, fragment: str, start: float, end: float, canonical: str) -> None:
        segment = Segment('a.pdf', start, end, 'page')
        assert parse_segment(f'a.pdf#page={fragment}') == segment
        assert format_segment(segment) == f'a.pdf#page={canonical}'

    @pytest.mark.parametrize('id, segment', [
        ('co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]&char=100,460',
         Segment('co/2001/r7022', 100, 460, 'char', '/article[1]/bdy[1]/sec[6]')),
        ('a#xpath=/article[1]&word=10,52', Segment('a', 10, 52, 'word', '/article[1]')),
        ('a#xpath=/par[2]&t=0:10,0:12.5', Segment('a', 10, 12.5, 't', '/par[2]')),
        ('a#xpath=/article[1]&char=100,', Segment('a', 100, inf, 'char', '/article[1]')),
        ('a#xpath=/article[1]&char=100', Segment('a', 100, 100, 'char', '/article[1]')),
        ('a#xpath=/x[@id=%22s%231%22]&char=0,1', Segment('a', 0, 1, 'char', '/x[@id="s#1"]')),
        ('a#xpath=/x[.=%27R%26D%27]&char=0,1', Segment('a', 0, 1, 'char', "/x[.='R&D']")),
        ('a#xpath=/x[%20.=%27100%25%27]&char=0,1', Segment('a', 0, 1, 'char', "/x[ .='100%']")),
        ('a#xpath=/caf%C3%A9&char=0,1', Segment('a', 0, 1, 'char', '/café')),
        ('a#xpath=/café&char=0,1', Segment('a', 0, 1, 'char', '/café')),
        ('a#xpath=/x[%23t=1]&char=0,1', Segment('a', 0, 1, 'char', '/x[#t=1]')),
    ])
    def test_elements(self, id: str, segment: Segment) -> None:
        assert parse_segment(id) == segment

    @pytest.mark.parametrize('id', ['v0123', 'co/2001/r7022', 'a#', '#a', 'a#section-2', 'a#T=1,2', 'a#time=1,2',
                                    'a#t', 'a#char', 'a#xpath', 't=1,2', 'a,b', 'a#t:1,2', 'a%23t=1,2', '文書#1',
                                    'a#=1'])
    def test_whole_documents(self, id: str) -> None:
        assert parse_segment(id) == Segment(id, 0, inf, None, None)

    @pytest.mark.parametrize('id, document, unit', [
        ('a#b#t=1,2', 'a#b', 't'),
        ('a##t=1,2', 'a#', 't'),
        ('##t=1,2', '#', 't'),
        ('a#t=5#t=1,2', 'a#t=5', 't'),
        ('a#t=5#char=1,2', 'a#t=5', 'char'),
        ('a#t=x#word=1,2', 'a#t=x', 'word'),
        ('a#xpath=/b&char=5,6#t=1,2', 'a#xpath=/b&char=5,6', 't'),
        ('a#xpath=#t=1,2', 'a#xpath=', 't'),
        ('http://example.org/a,b?x=1&t=3#s#char=1,2', 'http://example.org/a,b?x=1&t=3#s', 'char'),
    ])
    def test_the_last_known_fragment_counts(self, id: str, document: str, unit: str) -> None:
        assert parse_segment(id) == Segment(document, 1, 2, unit)

    def test_a_later_unknown_fragment_belongs_to_the_known_one(self) -> None:
        with pytest.raises(ValueError, match="'2#b' as a position"):
            parse_segment('a#t=1,2#b')


class TestRoundTrip:
    """Canonical ids come back as they were; segments come back from their ids."""

    @given(st.one_of(
        plain_ids(),
        whole_documents,
        st.builds('{}#t={}'.format, document_ids, decimal_texts),
        st.builds('{}#{}={},'.format, document_ids, st.sampled_from(('char', 'word')), whole_texts),
        st.builds('{}#xpath=/a[{}]&char={},'.format, document_ids, st.integers(1, 99), whole_texts),
    ))
    @examples(6)
    def test_canonical_ids(self, id: str) -> None:
        assert format_segment(parse_segment(id)) == id

    @given(segments())
    @examples(6)
    def test_segments(self, segment: Segment) -> None:
        id = format_segment(segment)
        assert parse_segment(id) == segment
        assert format_segment(parse_segment(id)) == id
        assert not any(character.isspace() or character == '"' for character in id)

    @given(plain_ids(units=['t']))
    def test_the_parsed_numbers_are_those_written(self, id: str) -> None:
        segment = parse_segment(id)
        start, end = id.rpartition('=')[2].split(',')
        assert (segment.start, segment.end) == (float(start), float(end))

    @pytest.mark.parametrize('id, canonical', [
        ('v#t=12.50,60.0', 'v#t=12.5,60'),
        ('v#t=012.5,0060', 'v#t=12.5,60'),
        ('v#t=.5,1.', 'v#t=0.5,1'),
        ('v#t=,60', 'v#t=0,60'),
        ('v#t=12.5,', 'v#t=12.5'),
        ('v#t=npt:1:15,1:01:15.250', 'v#t=75,3675.25'),
        ('v#t=0.12345678,1', 'v#t=0.123457,1'),
        ('d#char=100', 'd#char=100,100'),
        ('d#char=,460', 'd#char=0,460'),
        ('d#word=007,', 'd#word=7,'),
        ('d#xpath=/caf%C3%A9[%27x%27]&char=1,2', "d#xpath=/café['x']&char=1,2"),
        ('d#xpath=/a%23b&t=1,', 'd#xpath=/a%23b&t=1'),
    ])
    def test_others_become_canonical(self, id: str, canonical: str) -> None:
        assert format_segment(parse_segment(id)) == canonical

    def test_large_whole_numbers(self) -> None:
        assert format_segment(Segment('d', 0, 10**15 - 1, 'char')) == 'd#char=0,999999999999999'

    @pytest.mark.parametrize('number', [10**15, 2**53 + 1, int(DIGITS)], ids=lambda number: len(str(number)))
    def test_numbers_that_a_float_does_not_hold(self, number: int) -> None:
        with pytest.raises(ValueError, match='has no id: positions are numbers from 0 to below 10'):
            format_segment(Segment('d', 0, number, 'char'))
        with pytest.raises(ValueError, match='as a position'):
            parse_segment(f'd#char={number}')


class TestFormat:
    """The id that is written."""

    @pytest.mark.parametrize('segment, id', [
        (Segment('v', 12.5, 60, 't'), 'v#t=12.5,60'),
        (Segment('v', 12.5, 60.0, 't'), 'v#t=12.5,60'),
        (Segment('v', 0, 60, 't'), 'v#t=0,60'),
        (Segment('v', 12.5, inf, 't'), 'v#t=12.5'),
        (Segment('v', 0, inf, 't'), 'v#t=0'),
        (Segment('v', 12.5, 12.5, 't'), 'v#t=12.5,12.5'),
        (Segment('d', 100, inf, 'char'), 'd#char=100,'),
        (Segment('d', 100., 100., 'char'), 'd#char=100,100'),
        (Segment('d', 10, 52, 'word'), 'd#word=10,52'),
        (Segment('d'), 'd'),
        (Segment('d#1'), 'd#1'),
        (Segment('d#t=1', 1, 2, 't'), 'd#t=1#t=1,2'),
        (Segment('d', 1, 2, 'char', '/a[1]'), 'd#xpath=/a[1]&char=1,2'),
        (Segment('d', 1, inf, 'char', '/a[1]'), 'd#xpath=/a[1]&char=1,'),
        (Segment('d', 1, inf, 't', '/a[1]'), 'd#xpath=/a[1]&t=1'),
        (Segment('d', 1, 2, 'char', '/a["# &%"]'), 'd#xpath=/a[%22%23%20%26%25%22]&char=1,2'),
        (Segment('d', Decimal('0.1'), Decimal('1E+2'), 't'), 'd#t=0.1,100'),
    ])
    def test_ids(self, segment: Segment, id: str) -> None:
        assert format_segment(segment) == id

    @pytest.mark.parametrize('value, text', [
        (0, '0'), (60, '60'), (60.0, '60'), (100, '100'), (12.5, '12.5'), (0.1 + 0.2, '0.3'), (1e-6, '0.000001'),
        (1e-7, '0'), (4e-7, '0'), (1e5, '100000'), (1e16, '10000000000000000'), (1e22, '1' + 22 * '0'),
        (1234567.000001, '1234567.000001'), (0.9999999, '1'), (1 / 3, '0.333333'), (10, '10'), (2.50, '2.5'),
        (12345.678, '12345.678'),
    ])
    def test_numbers(self, value: float, text: str) -> None:
        assert format_number(value) == text

    @given(st.one_of(st.floats(0, 1e18), st.integers(0, 10**15), seconds).filter(lambda value: str(value) != '-0.0'))
    def test_numbers_have_no_exponent_and_the_shortest_form(self, value: float) -> None:
        text = format_number(value)
        assert CANONICAL.fullmatch(text)
        assert abs(Decimal(text) - Decimal(value)) <= Decimal('5e-7')

    @given(seconds)
    def test_six_decimals_are_exact(self, value: float) -> None:
        assert float(format_number(value)) == value

    @given(st.floats(0, 1e9), st.floats(0, 1e9))
    def test_rounding_keeps_the_order(self, one: float, other: float) -> None:
        start, end = sorted((abs(one), abs(other)))
        read = parse_segment(format_segment(Segment('v', start, end, 't')))
        assert read.start <= read.end

    def test_a_negative_zero_is_zero(self) -> None:
        assert format_segment(Segment('v', -0.0, 5, 't')) == 'v#t=0,5'

    @pytest.mark.parametrize('blank', ['\u00a0', '\u2003', '\u3000'])
    def test_any_white_space_in_a_path_comes_back(self, blank: str) -> None:
        segment = Segment('d', 1, 2, 'char', f"/a[.='x{blank}y']")
        assert parse_segment(format_segment(segment)) == segment


class TestRefusedIds:
    """The sentence names the id, the rule and the repair."""

    @pytest.mark.parametrize('id, rule, repair', [
        ('', 'is empty or ' + BLANKS, ENCODE),
        *((id, BLANKS, ENCODE) for id in (
            'a b', ' a', 'a ', 'a\t', '\n', 'a b#t=1,2', 'a#t=1, 2', 'a#t= 1,2', 'a#t=1,2 ', 'a#t=1,2\n',
            'a\u00a0b#t=1', 'a\u3000b', '\u2003', 'a"b', '"', 'a#t=1,2"', '"a"#t=1,2', 'a#xpath=/a[. = 1]&char=1,2',
            'a#xpath=/a[@b="c"]&char=1,2')),
    ], ids=repr)
    def test_blanks_and_quotes(self, id: str, rule: str, repair: str) -> None:
        self.check(id, rule, repair)

    @pytest.mark.parametrize('id', ['#t=1,2', '#char=1,2', '#xpath=/a&char=1,2', '#t='])
    def test_no_document(self, id: str) -> None:
        self.check(id, 'names no document', "put the document's id before the '#'")

    @pytest.mark.parametrize('id', ['v#t=60,12.5', 'v#t=0.000002,0.000001', 'v#t=npt:1:15,60', 'v#char=2,1',
                                    'v#word=1,0', 'v#xpath=/a&char=2,1'])
    def test_end_before_start(self, id: str) -> None:
        self.check(id, 'ends before it starts (', SWAP)

    def test_end_before_start_names_both(self) -> None:
        self.check('v#t=1:15,12.50', '(12.5 < 75)', SWAP)

    @pytest.mark.parametrize('position', [
        '-1', '-0', '+1', 'nan', 'NaN', 'inf', '-inf', 'Infinity', '1e5', '1E5', '1_000', '１２', '٣', '²', '1m30s',
        '90s', 'abc', '0x10', '1..2', '1.2.3', '.', '1/2', '1;2', ':', '1:', ':30', '1:2:3:4', '1:234', '1.5:30',
        '-1:30', '1:-30', '１:15', '1%2C2', "1'",
    ])
    def test_positions_that_are_no_seconds(self, position: str) -> None:
        for fragment in (position, f'{position},', f',{position}', f'0,{position}', f'npt:5,{position}'):
            self.check(f'v#t={fragment}', f'has {quoted(position)} as a position', SECONDS)

    @pytest.mark.parametrize('position', [DIGITS, '1' + 15 * '0', '9' * 16 + '.5'])
    def test_seconds_too_large(self, position: str) -> None:
        for fragment in (position, f'{position},', f'0,{position}'):
            self.check(f'v#t={fragment}', f'has {quoted(position)} as a position, which is too large', LARGER)

    def test_npt_stands_before_both_times(self) -> None:
        self.check('v#t=0,npt:1', "has 'npt:1' as a position", SECONDS)

    @pytest.mark.parametrize('unit, rule', [('char', CHARACTERS), ('word', WORDS), ('line', LINES), ('page', PAGES)])
    @pytest.mark.parametrize('position', ['-1', '+1', '1.5', '1.0', '1.', '.5', 'nan', 'inf', '1e5', '1_000', '１２',
                                          '1:15', 'npt:1', 'abc', '0x10', '1/2'])
    def test_positions_that_are_no_whole_numbers(self, unit: str, rule: str, position: str) -> None:
        for fragment in (position, f'{position},', f',{position}', f'1,{position}'):
            self.check(f'd#{unit}={fragment}', f'has {position!r} as a position', rule)

    @pytest.mark.parametrize('fragment', ['0', '0,3', '000', '0,'])
    def test_there_is_no_page_0(self, fragment: str) -> None:
        self.check(f'd#page={fragment}', f'has {fragment.partition(",")[0]!r} as a position', PAGES)

    def test_a_segment_of_pages_from_0(self) -> None:
        with pytest.raises(ValueError, match='the first page has the number 1'):
            format_segment(Segment('d', 0, 3, 'page'))

    @pytest.mark.parametrize('id', ['v#t=1,2,3', 'v#t=,,', 'v#t=1,,2', 'v#char=1,2,3', 'v#t=1,2&char=3,4',
                                    'v#xpath=/a&char=1,2&word=3,4'])
    def test_more_than_a_pair(self, id: str) -> None:
        self.check(id, 'as a position', 'takes START,END')

    @pytest.mark.parametrize('id', ['v#t=', 'v#t=,', 'v#t=npt:', 'v#t=npt:,', 'v#char=', 'v#char=,', 'v#word=,',
                                    'v#xpath=/a&t=', 'v#xpath=/a&char'])
    def test_no_times(self, id: str) -> None:
        self.check(id, 'has no times behind', 'takes START,END')

    @pytest.mark.parametrize('clock', ['1:75', '1:60', '00:99', '1:60:00', '1:75:00', '1:00:60', '0:0:60.5'])
    def test_clock_times_out_of_range(self, clock: str) -> None:
        self.check(f'v#t={clock}', f'the clock time {clock!r}', CARRY)
        self.check(f'v#t=npt:0,{clock}', f'the clock time {clock!r}', CARRY)

    @pytest.mark.parametrize('id, rule, repair', [
        ('a#xpath=/article[1]', 'names an element without its offsets', "add '&char=START,END'"),
        ('a#xpath=/article[1]&', 'names an element without its offsets', 'resolve() the ids with a table'),
        ('a#xpath=', 'has an empty path', "write it as '#xpath=/article[1]&char=START,END'"),
        ('a#xpath=&char=1,2', 'has an empty path', "write it as '#xpath=/article[1]&char=START,END'"),
        ('a#xpath=/a&b', "has 'b' behind the path, where only offsets can stand", "write '&char=START,END'"),
        ('a#xpath=/a&lines=1,2', "has 'lines=1,2' behind the path", "write '&char=START,END'"),
        ('a#xpath=/a&xpath=/b&char=1,2', "has 'xpath=/b&char=1,2' behind the path", "write '&char=START,END'"),
        ('a#xpath=/a&Char=1,2', "has 'Char=1,2' behind the path", "write '&char=START,END'"),
    ])
    def test_elements(self, id: str, rule: str, repair: str) -> None:
        self.check(id, rule, repair)

    @pytest.mark.parametrize('digits', [400, 5000])
    def test_whole_numbers_too_large(self, digits: int) -> None:
        self.check(f'd#char=0,{"9" * digits}', 'as a position, which is too large', LARGER)

    @pytest.mark.parametrize('digits', [400, 5000])
    def test_clock_times_too_large(self, digits: int) -> None:
        self.check(f'v#t={"9" * digits}:00', 'v#t=999', SECONDS)

    @given(st.text(id_characters, min_size=1), st.sampled_from(UNITS), st.text('0123456789.,:-+e_n&#/١', max_size=8))
    @examples(6)
    def test_a_known_fragment_is_read_or_refused_with_the_id(self, document: str, unit: str, fragment: str) -> None:
        id = f'{document}#{unit}={fragment}'
        try:
            segment = parse_segment(id)
        except ValueError as error:
            assert quoted(id) in str(error)
        else:
            assert segment.document == document
            assert segment.unit == unit
            assert 0 <= segment.start <= segment.end
            assert segment.start < inf

    @pytest.mark.parametrize('id', ['v\0#t=1,2', 'v#t=1,2\0', '\ufeffv', 'v\x1b', 'v#xpath=/a\x07&t=1,2', 'v\ud800',
                                    '\udcff#t=1,2'], ids=ascii)
    def test_control_characters(self, id: str) -> None:
        self.check(id, f'holds {CONTROL}', 'take it out')

    def test_control_characters_in_paths_are_encoded(self) -> None:
        segment = Segment('a', 1, 2, 'char', '/b[1]\0')
        assert format_segment(segment) == 'a#xpath=/b[1]%00&char=1,2'
        assert parse_segment(format_segment(segment)) == segment

    def check(self, id: str, rule: str, repair: str) -> None:
        with pytest.raises(ValueError) as caught:
            parse_segment(id)
        sentence = str(caught.value)
        assert sentence.startswith(f'segment id {quoted(id)} ')
        assert rule in sentence
        assert repair in sentence


class TestRefusedSegments:
    """Segments that have no id."""

    @pytest.mark.parametrize('segment', [
        Segment('v', -1, 5, 't'), Segment('v', -5, -1, 't'), Segment('v', 5, 4, 't'), Segment('v', nan, 5, 't'),
        Segment('v', 5, nan, 't'), Segment('v', inf, inf, 't'), Segment('v', -inf, 5, 't'), Segment('d', 5, 4, 'char'),
        Segment('d', -1e-9, 4, 't'), Segment('d', 3, 2),
    ])
    def test_positions(self, segment: Segment) -> None:
        self.check(segment, str(segment), 'positions are numbers from 0 to below 10^15',
                   'a segment ends at or after its start')

    @pytest.mark.parametrize('segment', [Segment('d', 1, 2), Segment('d', 1), Segment('d', 0, 2),
                                         Segment('d', path='/a')])
    def test_parts_without_a_unit(self, segment: Segment) -> None:
        self.check(segment, str(segment), 'has no id without a unit', f'give {UNIT_NAMES}')

    @pytest.mark.parametrize('unit', ['T', 's', 'frame', '', 'xpath', 'characters'])
    def test_unknown_units(self, unit: str) -> None:
        self.check(Segment('d', 1, 2, unit), repr(unit), f'there are {UNIT_NAMES}')

    @pytest.mark.parametrize('document', ['d#t=5', 'd#char=1,2', 'd#t=5#t=6', 'd#xpath=/a&char=1,2'])
    def test_documents_that_would_be_read_differently(self, document: str) -> None:
        self.check(Segment(document), repr(document), 'would be read as part of another document',
                   'give the document another id')

    @pytest.mark.parametrize('segment', [
        Segment('d#t=abc'), Segment('d#xpath=/a'), Segment(''), Segment('', 1, 2, 't'), Segment('a b', 1, 2, 't'),
        Segment('a"b'), Segment('d', 1.5, 2, 'char'), Segment('d', 1, 2.5, 'word'), Segment('d', 1, 2, 'char', ''),
    ])
    def test_ids_that_could_not_be_read(self, segment: Segment) -> None:
        self.check(segment, 'segment id ')

    def check(self, segment: Any, *parts: str) -> None:
        with pytest.raises(ValueError) as caught:
            format_segment(segment)
        for part in parts:
            assert part in str(caught.value)
