"""The segment id: every form that is read, the one form that is written, and every refusal."""

import re
from decimal import Decimal
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, strategies as st
from strategies import decimal_texts, document_ids, examples, id_characters, plain_ids, whole_texts

from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import UNITS, Segment, format_segment, parse_segment, quote_id, unquote_id

FRAGMENT = re.compile('#(t|char|word|line|page|xpath)=|#L[0-9]')
CANONICAL = re.compile(r'(0|[1-9][0-9]*)(\.[0-9]{0,5}[1-9])?')
LONG = '9' * 5000  # more than a float can hold, and than Python prints

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


# Fragments in each form, with start, end and canonical fragment.
TIMES: dict[str, tuple[float, float, str]] = {
    '12.5,60': (12.5, 60, '12.5,60'), ',60': (0, 60, '0,60'), ',0': (0, 0, '0,0'), '12.5': (12.5, inf, '12.5'),
    '12.5,': (12.5, inf, '12.5'), '0': (0, inf, '0'), '012.50,060.000': (12.5, 60, '12.5,60'),
    '12.,60.': (12, 60, '12,60'), '.5,.75': (.5, .75, '0.5,0.75'), '0.12345678,1': (0.12345678, 1, '0.123457,1'),
    'npt:12.5,60': (12.5, 60, '12.5,60'), 'npt:,60': (0, 60, '0,60'), 'npt:0:00:12.5,0:01:00': (12.5, 60, '12.5,60'),
    '12.5,0:01:00': (12.5, 60, '12.5,60'), '1:15,59:59': (75, 3599, '75,3599'), '00:00,01:15.': (0, 75, '0,75'),
    '1:01:15,100:00:00': (3675, 360000, '3675,360000'), ',02:46:40.25': (0, 10000.25, '0,10000.25'),
}
COUNTS: dict[str, tuple[float, float, str]] = {
    '100,460': (100, 460, '100,460'), ',460': (0, 460, '0,460'), ',0': (0, 0, '0,0'), '100,': (100, inf, '100,'),
    '100': (100, 100, '100,100'), '0': (0, 0, '0,0'), '007,010': (7, 10, '7,10'),
}
PAGES: dict[str, tuple[float, float, str]] = {
    '3': (3, 4, '3'), '003': (3, 4, '3'), '3,4': (3, 4, '3'), '3,7': (3, 7, '3,7'), ',7': (1, 7, '1,7'),
    '3,': (3, inf, '3,'), '3,3': (3, 3, '3,3'),
}


@pytest.mark.parametrize(('unit', 'fragment', 'read'), [
    (unit, fragment, read) for unit in UNITS
    for fragment, read in {'t': TIMES, 'page': PAGES}.get(unit, COUNTS).items()])
def test_forms(unit: str, fragment: str, read: tuple[float, float, str]) -> None:
    start, end, canonical = read
    segment = parse_segment(f'v0123#{unit}={fragment}')
    assert segment == Segment('v0123', start, end, unit)
    assert format_segment(segment) == f'v0123#{unit}={canonical}'


@pytest.mark.parametrize('id, segment', [
    ('r7022#xpath=/bdy[1]/sec[6]&char=100,460', Segment('r7022', 100, 460, 'char', '/bdy[1]/sec[6]')),
    ('a#xpath=/par[2]&t=0:10,0:12.5', Segment('a', 10, 12.5, 't', '/par[2]')),
    ('a#xpath=/a[1]&char=100,', Segment('a', 100, inf, 'char', '/a[1]')),
    ('a#xpath=/a[1]&word=100', Segment('a', 100, 100, 'word', '/a[1]')),
    ('a#xpath=/x[@id=%22s%231%22]&char=0,1', Segment('a', 0, 1, 'char', '/x[@id="s#1"]')),
    ('a#xpath=/x[%20.=%27R%26D%25%27]&char=0,1', Segment('a', 0, 1, 'char', "/x[ .='R&D%']")),
    ('a#xpath=/caf%C3%A9&char=0,1', Segment('a', 0, 1, 'char', '/café')),
    ('a#xpath=/café&char=0,1', Segment('a', 0, 1, 'char', '/café')),
    ('a.py#L19-L40', Segment('a.py', 18, 40, 'line')), ('a.py#L19', Segment('a.py', 18, 19, 'line')),
    ('b/a.py:19-40', Segment('b/a.py', 18, 40, 'line')), ('a.py:19-19', Segment('a.py', 18, 19, 'line')),
    ('a#t=1,2#L1-3', Segment('a#t=1,2', 0, 3, 'line')),
    *((id, Segment(id)) for id in (
        'a.py#L', 'a.py#L1-', 'a.py#L1C2', 'a.py#l1', 'a.py:19', 'a.py:40-19', 'a.py:0-3', 'a.mp4:1-2', 'John:3-5',
        f'a.py:1-{"9" * 5000}', 'v0123', 'co/2001/r7022', 'a#', '#a', 'a#section-2', 'a#T=1,2', 'a#time=1,2', 'a#t',
        'a#xpath', 't=1,2', 'a,b', 'a#t:1,2', 'a%23t=1,2', '文書#1', 'a#=1')),
    ('a#b#t=1,2', Segment('a#b', 1, 2, 't')),  # the last known fragment counts
    ('##t=1,2', Segment('#', 1, 2, 't')),
    ('a#t=5#char=1,2', Segment('a#t=5', 1, 2, 'char')),
    ('a#t=x#word=1,2', Segment('a#t=x', 1, 2, 'word')),
    ('a#xpath=/b&char=5,6#t=1,2', Segment('a#xpath=/b&char=5,6', 1, 2, 't')),
    ('http://example.org/a,b?x=1&t=3#s#char=1,2', Segment('http://example.org/a,b?x=1&t=3#s', 1, 2, 'char')),
])
def test_elements_and_documents(id: str, segment: Segment) -> None:
    assert parse_segment(id) == segment
    assert parse_segment(format_segment(segment)) == segment


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
        assert not any(character.isspace() or character == '"' for character in id)

    @given(st.text(min_size=1))
    def test_names_of_documents(self, name: str) -> None:
        assert unquote_id(quote_id(name)) == name
        assert parse_segment(quote_id(name)) == Segment(quote_id(name))

    @pytest.mark.parametrize('segment, id', [
        (Segment('v', 12.5, 60.0, 't'), 'v#t=12.5,60'), (Segment('v', -0.0, 5, 't'), 'v#t=0,5'),
        (Segment('d', 100., 100., 'char'), 'd#char=100,100'), (Segment('d', Decimal('0.1'), Decimal('1E+2'), 't'),
                                                               'd#t=0.1,100'),
        (Segment('d', 0, 10**15 - 1, 'char'), 'd#char=0,999999999999999'), (Segment('d#t=1', 1, 2, 't'), 'd#t=1#t=1,2'),
        (Segment('d', 1, inf, 't', '/a[1]'), 'd#xpath=/a[1]&t=1'),
        (Segment('d', 1, 2, 'char', '/a["# &%\0"]'), 'd#xpath=/a[%22%23%20%26%25%00%22]&char=1,2'),
        (Segment('d', 1, 2, 'char', "/a[.='x\u3000y']"), "d#xpath=/a[.='x%E3%80%80y']&char=1,2"),
    ])
    def test_written_ids(self, segment: Segment, id: str) -> None:
        assert format_segment(segment) == id


class TestNumbers:
    @given(st.one_of(st.floats(0, 1e18), st.integers(0, 10**15), seconds).filter(lambda value: str(value) != '-0.0'))
    def test_they_have_no_exponent_and_the_shortest_form(self, value: float) -> None:
        text = format_number(value)
        assert CANONICAL.fullmatch(text)
        assert abs(Decimal(text) - Decimal(value)) <= Decimal('5e-7')


# Texts that are no position in any unit, in seconds, and in whole units.
NO_POSITIONS = ('-1', '-0', '+1', 'nan', 'inf', '1e5', '1_000', '１２', '٣', '1m30s', 'abc', '0x10', '1..2', '.', '1/2',
                '1;2', '1%2C2', "1'")
NO_SECONDS = (*NO_POSITIONS, ':', '1:', ':30', '1:2:3:4', '1:234', '1.5:30', '-1:30', '1:-30', '１:15', f'{LONG}:00')
NO_COUNTS = (*NO_POSITIONS, '1.5', '1.0', '1.', '.5', '1:15', 'npt:1')


class TestRefusedIds:
    """The sentence names the id, the rule and the repair."""

    @pytest.mark.parametrize('id', [
        '', 'a b', ' a', 'a\t', '\n', 'a#t=1, 2', 'a#t= 1,2', 'a#t=1,2\n', 'a\u00a0b#t=1', '\u2003', 'a"b', '"a"#t=1,2',
        'a#xpath=/a[. = 1]&char=1,2', 'a#xpath=/a[@b="c"]&char=1,2'], ids=repr)
    def test_blanks_and_quotes(self, id: str) -> None:
        self.check(id, 'white space or a quotation mark', 'percent-encode')

    @pytest.mark.parametrize('unit, position', [
        *(('t', position) for position in NO_SECONDS),
        *((unit, position) for unit in UNITS[1:] for position in NO_COUNTS), ('page', '0'), ('page', '000')])
    def test_positions(self, unit: str, position: str) -> None:
        for fragment in (position, f'{position},', f',{position}', f'7,{position}'):
            self.check(f'd#{unit}={fragment}', f"'{unit}=' takes ", "write it as '#" if len(position) < 9 else 'd#t=')

    @pytest.mark.parametrize('id, rule, repair', [
        *((id, 'names no document', "put the document's id before the '#'")
          for id in ('#t=1,2', '#xpath=/a&char=1,2', '#t=')),
        *((id, 'ends before it starts (', 'write the smaller position first') for id in (
            'v#t=60,12.5', 'v#t=0.000002,0.000001', 'v#t=npt:1:15,60', 'v#word=1,0', 'v#xpath=/a&char=2,1')),
        *((f'v#t=0,{position}', 'which is too large', 'give it in a larger unit')
          for position in (LONG, '1' + 15 * '0', '9' * 16 + '.5')),
        (f'd#char=0,{LONG}', 'which is too large', 'give it in a larger unit'),
        *((id, 'as a position', 'takes START,END') for id in (
            'v#t=1,2,3', 'v#t=,,', 'v#t=1,2&char=3,4', 'v#xpath=/a&char=1,2&word=3,4', 'a#t=1,2#b', 'v#t=0,npt:1')),
        *((id, 'has no times behind', 'takes START,END') for id in (
            'v#t=', 'v#t=,', 'v#t=npt:,', 'v#char=', 'v#xpath=/a&t=', 'v#xpath=/a&char')),
        *((f'v#t=npt:0,{clock}', f'the clock time {clock!r}', 'carry the rest over to the left')
          for clock in ('1:75', '1:60', '1:60:00', '1:00:60', '0:0:60.5')),
        ('a#xpath=/article[1]', 'names an element without its offsets', "add '&char=START,END', or resolve()"),
        ('a#xpath=/article[1]&', 'names an element without its offsets', "add '&char=START,END', or resolve()"),
        *((f'a#{lines}', 'the first line is L1', "write lines as '#L19-L40'") for lines in ('L0', 'L5-L4', 'L0-L2')),
        (f'a#L1-L{LONG}', 'which is too large', 'larger unit'),
        ('a#xpath=&char=1,2', 'has an empty path', "write it as '#xpath=/article[1]&char=START,END'"),
        *((f'a#xpath=/a&{rest}', f'has {rest!r} behind the path', "write '&char=START,END'")
          for rest in ('b', 'lines=1,2', 'xpath=/b&char=1,2', 'Char=1,2')),
        *((id, 'holds a control character', 'take it out') for id in (
            'v\0#t=1,2', 'v#t=1,2\0', '\ufeffv', 'v#xpath=/a\x07&t=1,2', 'v\ud800')),
    ], ids=lambda value: ascii(value)[:30])
    def test_others(self, id: str, rule: str, repair: str) -> None:
        self.check(id, rule, repair)

    @given(st.text(id_characters, min_size=1), st.sampled_from(UNITS), st.text('0123456789.,:-+e_n&#/١', max_size=8))
    @examples(6)
    def test_a_known_fragment_is_read_or_refused_with_the_id(self, document: str, unit: str, fragment: str) -> None:
        id = f'{document}#{unit}={fragment}'
        try:
            segment = parse_segment(id)
        except ValueError as error:
            assert quoted(id) in str(error)
        else:
            assert (segment.document, segment.unit) == (document, unit)
            assert 0 <= segment.start <= segment.end and segment.start < inf

    def check(self, id: str, rule: str, repair: str) -> None:
        with pytest.raises(ValueError) as caught:
            parse_segment(id)
        sentence = str(caught.value)
        assert sentence.startswith(f'segment id {quoted(id)} ')
        assert rule in sentence
        assert repair in sentence


@pytest.mark.parametrize('segment, rule', [
    *((segment, 'positions are numbers from 0 to below 10^15') for segment in (
        Segment('v', -1, 5, 't'), Segment('v', 5, 4, 't'), Segment('v', nan, 5, 't'), Segment('v', 5, nan, 't'),
        Segment('v', inf, inf, 't'), Segment('v', -inf, 5, 't'), Segment('d', -1e-9, 4, 't'), Segment('d', 3, 2),
        *(Segment('d', 0, number, 'char') for number in (10 ** 15, 2 ** 53 + 1, 10 ** 400)))),
    *((segment, 'has no id without a unit') for segment in (
        Segment('d', 1, 2), Segment('d', 1), Segment('d', 0, 2), Segment('d', path='/a'))),
    *((Segment('d', 1, 2, unit), 'there are') for unit in ('T', 's', '', 'xpath', 'characters')),
    (Segment('d', 0, 3, 'page'), 'the first page has the number 1'),
    *((Segment(document), 'would be read as part of another document') for document in (
        'd#t=5', 'd#char=1,2', 'd#t=5#t=6', 'd#xpath=/a&char=1,2')),
    *((segment, 'segment id ') for segment in (
        Segment('d#t=abc'), Segment('d#xpath=/a'), Segment(''), Segment('', 1, 2, 't'), Segment('a b', 1, 2, 't'),
        Segment('a"b'), Segment('d', 1.5, 2, 'char'), Segment('d', 1, 2.5, 'word'), Segment('d', 1, 2, 'char', ''))),
], ids=lambda value: repr(value)[:40])
def test_segments_without_an_id(segment: Any, rule: str) -> None:
    with pytest.raises(ValueError, match=re.escape(rule)):
        format_segment(segment)
