"""The readers of the campaigns' files: what they give for good files, and what they say about bad ones."""

import gzip
import hashlib
import pickle
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import message

from ir_segmeasures import formats
from ir_segmeasures.formats import (
    FORMATS,
    FormatError,
    SegmentQrel,
    SegmentScoredDoc,
    TrecQrel,
    TrecScoredDoc,
    mediaeval,
    trec,
)
from ir_segmeasures.formats.mediaeval import Anchor, SearchQuery, Video, format_minutes, parse_minutes
from ir_segmeasures.segments.quoting import quoted

FILE_NAME = 'file.txt'

SEARCH = 'query Q0 video start end jump-in rank score run'
LINKING = 'anchor Q0 video start end rank score run'
KINDS = f'a line of a search run is {SEARCH}, of a linking run {LINKING}'
TIMES = 'but times are minutes.seconds with seconds from 00 to 59'
SPLITS = ': add or remove fields; white space inside an id splits it'
UNREADABLE = ': 5 seconds past 17 minutes is written 17.05, without signs, colons or fractions of a second'
SWAPPED = 'but a segment cannot end before it starts: swap the two, or correct one'
CONTENT = 'but a relevant judgement needs content: move its end, or judge it 0'
GRADES = 'but judgements are whole grades: write it as 0 or 1'
NUMBERS = 'but it has to be an integer or a finite decimal number: write it as 0, 1 or 0.5'
RANKS = f"but items are ordered by rank (number a query's items 1, 2, 3 and so on); {KINDS}"
SCORES = 'but scores are compared with each other: write digits, such as 12.5 or 1e-3'
ONE_RANK = 'but every item of a query has a rank of its own: number the items 1, 2, 3 and so on'
QRELS = 'a line of search and linking qrels has 6: query Q0 video start end relevance'
KNOWN_ITEMS = 'a line of known-item qrels has 4: item video start end'
SEARCH_RUN = f'a line of a search run has 9, or 8 without the last: {SEARCH}'
LINKING_RUN = f'a line of a linking run has 8: {LINKING}'
TREC_QRELS = 'a line of TREC qrels has 4: query iteration doc relevance'
TREC_RUN = 'a line of a TREC run has 6: query Q0 doc rank score run'
LACKS = 'but every record needs one: add it, or check that the file is of the kind that is being read'
TWO = 'but only one can be meant: remove the other'
XML_ID = (
    'but an id has at least one character and no white space, '
    'at which runs and judgements split their lines: write the id as they do'
)
XML_REPAIR = (
    ': close every element, write & as &amp; and < as &lt; in text, and declare the encoding if it is not UTF-8'
)
ENTITIES = "is not one of XML's own, and no others are read: write the characters themselves"
DURATIONS = (
    'but durations are hours:minutes:seconds with minutes and seconds from 00 to 59: '
    'write 5 minutes 54 seconds as 00:05:54'
)
UTF_8 = 'is not UTF-8, but files are read as UTF-8: convert the text, for example with iconv -f {} -t UTF-8'
GZ = 'but the name ends in .gz: download or pack the file again, or take .gz off the name of a plain file'


class TestTimes:
    @pytest.mark.parametrize(
        'text, seconds',
        [
            ('17.5', 1025),
            ('17.05', 1025),
            ('17.10', 1030),
            ('20.0', 1200),
            ('2.5', 125),
            ('0.00', 0),
            ('0.59', 59),
            ('183.20', 11000),
            ('007.05', 425),
        ],
    )
    def test_minutes_and_seconds(self, text: str, seconds: int) -> None:
        assert parse_minutes(text) == seconds
        assert isinstance(parse_minutes(text), int)

    @given(st.integers(0, 10**8), st.integers(0, 59))
    def test_round_trip(self, minutes: int, seconds: int) -> None:
        total = 60 * minutes + seconds
        assert parse_minutes(f'{minutes}.{seconds}') == parse_minutes(f'{minutes}.{seconds:02d}') == total
        assert format_minutes(total) == f'{minutes}.{seconds:02d}'

    @given(st.integers(0, 10**8), st.integers(60, 99))
    def test_the_repair_for_60_seconds_and_more_has_the_same_duration(self, minutes: int, seconds: int) -> None:
        with pytest.raises(ValueError) as caught:
            parse_minutes(f'{minutes}.{seconds}')
        repaired = str(caught.value).rpartition(' is written ')[2].rstrip(')')
        assert parse_minutes(repaired) == 60 * minutes + seconds

    @given(st.text('0123456789.-+:e_ ٣', max_size=12))
    def test_anything_else_is_a_value_error_that_names_it(self, text: str) -> None:
        try:
            parse_minutes(text)
        except ValueError as error:
            assert str(error).startswith(f'time {text!r} ')
            assert TIMES in str(error)
        else:
            minutes, seconds = text.split('.')
            assert minutes.isascii() and minutes.isdigit() and int(seconds) < 60 and len(seconds) <= 2

    @pytest.mark.parametrize(
        'text, sentence',
        [
            ('17.75', f"time '17.75' has 75 seconds, {TIMES}: 75 seconds past 17 minutes is written 18.15"),
            ('3.60', f"time '3.60' has 60 seconds, {TIMES}: 60 seconds past 3 minutes is written 4.00"),
            ('1025', f"time '1025' has no dot, {TIMES}: 1025 seconds is written 17.05, 1025 minutes 1025.00"),
            *(
                (
                    text,
                    f'time {quoted(text)} cannot be read, {TIMES}{UNREADABLE}',
                )
                for text in (
                    '',
                    '.',
                    '17.',
                    '.05',
                    '17:05',
                    '-1.00',
                    '+1.00',
                    '17.123',
                    '1.02.03',
                    '1e3',
                    'nan',
                    '١.٠',
                    '9' * 5000,
                )
            ),
        ],
    )
    def test_sentences(self, text: str, sentence: str) -> None:
        with pytest.raises(ValueError) as caught:
            parse_minutes(text)
        assert str(caught.value) == sentence


class TestQrels:
    def test_mediaeval(self, write: Callable[..., Path]) -> None:
        path = write('q1 Q0 v1 17.5 18.0 1\n\nq1\tQ0  v1 0.00 0.00 0\nq2 0 v2 90.10 91.0 -1')
        assert mediaeval.read_qrels(path) == [
            SegmentQrel('q1', 'v1', 1025, 1080, 1, 'Q0'),
            SegmentQrel('q1', 'v1', 0, 0, 0, 'Q0'),
            SegmentQrel('q2', 'v2', 5410, 5460, -1, '0'),
        ]

    def test_known_items(self, write: Callable[..., Path]) -> None:
        assert mediaeval.read_known_items(write('item_1 20080401_a 1.0 2.30\n')) == [
            SegmentQrel('item_1', '20080401_a', 60, 150, 1, '0')
        ]

    def test_trec(self, write: Callable[..., Path]) -> None:
        rows = trec.read_qrels(write('q1 0 v1#t=10,20 1\nq1\t0\td2\t0.5\nq1 x d3 -2\nq1 0 d4 2.0\n'))
        assert rows == [
            TrecQrel('q1', 'v1#t=10,20', 1),
            TrecQrel('q1', 'd2', 0.5),
            TrecQrel('q1', 'd3', -2, 'x'),
            TrecQrel('q1', 'd4', 2),
        ]
        assert [type(row.relevance) for row in rows] == [int, float, int, int]

    def test_ir_measures_reads_the_same(self, write: Callable[..., Path]) -> None:
        ir_measures = pytest.importorskip('ir_measures')
        path = write('q1 0 v1#t=10,20 1\nq1\t0\td2 -1\n\nq0 Q0 é 3\n')
        assert trec.read_qrels(path) == list(ir_measures.read_trec_qrels(str(path)))
        assert TrecQrel._fields == ir_measures.Qrel._fields

    @pytest.mark.parametrize(
        'line, sentence',
        [
            (
                'q1 Q0 v1 17.75 18.0 1',
                f"start time '17.75' has 75 seconds, {TIMES}: 75 seconds past 17 minutes is written 18.15",
            ),
            (
                'q1 Q0 v1 17.00 1080 1',
                f"end time '1080' has no dot, {TIMES}: 1080 seconds is written 18.00, 1080 minutes 1080.00",
            ),
            ('q1 Q0 v1 18.0 17.59 0', f"end time '17.59' is before start time '18.0', {SWAPPED}"),
            ('q1 Q0 v1 18.0 18.00 1', f"the segment starts and ends at '18.0', {CONTENT}"),
            ('q1 Q0 v1 17.0 18.0', f'the line has 5 fields, but {QRELS}{SPLITS}'),
            ('q1 Q0 my v1 17.0 18.0 1', f'the line has 7 fields, but {QRELS}{SPLITS}'),
            *(
                (f'q1 Q0 v1 17.0 18.0 {value}', f'relevance {quoted(value)} is not an integer, {GRADES}')
                for value in ('1.0', 'yes', '1_0', 'nan', '9' * 5000)
            ),
        ],
    )
    def test_mediaeval_errors(self, write: Callable[..., Path], line: str, sentence: str) -> None:
        path = write(f'q1 Q0 v1 1.0 2.0 1\n\n{line}\nworse\n', 'a.qrel')
        assert message(mediaeval.read_qrels, path) == f'a.qrel, line 3: {sentence}'

    @pytest.mark.parametrize(
        'line, sentence',
        [
            ('item v1 1.0', f'the line has 3 fields, but {KNOWN_ITEMS}{SPLITS}'),
            ('item v1 1.0 1.00', f"the segment starts and ends at '1.0', {CONTENT}"),
        ],
    )
    def test_known_item_errors(self, write: Callable[..., Path], line: str, sentence: str) -> None:
        assert message(mediaeval.read_known_items, write(line)) == f'file.txt, line 1: {sentence}'

    @pytest.mark.parametrize(
        'line, sentence',
        [
            ('q1', f'the line has 1 field, but {TREC_QRELS}{SPLITS}'),
            ('q1 0 my doc 1', f'the line has 5 fields, but {TREC_QRELS}{SPLITS}'),
            *(
                (f'q1 0 d1 {value}', f"relevance '{value}' is not a number, {NUMBERS}")
                for value in ('high', 'nan', 'inf', '1_0', '1e999')
            ),
        ],
    )
    def test_trec_errors(self, write: Callable[..., Path], line: str, sentence: str) -> None:
        assert message(trec.read_qrels, write(f'q1 0 d0 1\n{line}\n')) == f'file.txt, line 2: {sentence}'


class TestRuns:
    def test_search(self, write: Callable[..., Path]) -> None:
        path = write('q1 Q0 v1 17.10 20.0 17.10 1 17.5 mine\nq1 Q0 v2 1.0 2.0 9.0 2 1e-3\n')
        assert mediaeval.read_search_run(path) == [
            SegmentScoredDoc('q1', 'v1', 1030, 1200, -1, 1, 17.5, 1030, 'mine'),
            SegmentScoredDoc('q1', 'v2', 60, 120, -2, 2, 0.001, 540, None),
        ]

    def test_linking(self, write: Callable[..., Path]) -> None:
        assert mediaeval.read_linking_run(write('anchor_1 Q0 v1 17.10 20.0 1 17.5 mine\n')) == [
            SegmentScoredDoc('anchor_1', 'v1', 1030, 1200, -1, 1, 17.5, None, 'mine')
        ]

    def test_order_is_the_rank_within_each_query_in_order_of_appearance(self, write: Callable[..., Path]) -> None:
        lines = [('q2', 10), ('q1', 2), ('q2', 0), ('q1', 7), ('q2', 9)]
        path = write(
            ''.join(f'{query} Q0 v1 1.0 2.0 {rank} {number} mine\n' for number, (query, rank) in enumerate(lines))
        )
        rows = mediaeval.read_linking_run(path)
        assert [(row.query_id, row.rank, row.score, row.run_score) for row in rows] == [
            ('q2', 0, 0, 2.0),
            ('q2', 9, -9, 4.0),
            ('q2', 10, -10, 0.0),
            ('q1', 2, -2, 1.0),
            ('q1', 7, -7, 3.0),
        ]

    def test_an_entry_point_may_be_retrieved(self, write: Callable[..., Path]) -> None:
        assert mediaeval.read_linking_run(write('a Q0 v1 1.0 1.0 1 1 mine'))[0][2:4] == (60, 60)

    def test_trec(self, write: Callable[..., Path]) -> None:
        path = write('q1 Q0 v1#t=10,20 2 1 r\nq1\tQ0\td2\tx\t2.5\tr\nq0 Q0 d1 1 -1e-3 r\n')
        assert trec.read_run(path) == [
            TrecScoredDoc('q1', 'v1#t=10,20', 1.0),
            TrecScoredDoc('q1', 'd2', 2.5),
            TrecScoredDoc('q0', 'd1', -0.001),
        ]

    def test_ir_measures_reads_the_same(self, write: Callable[..., Path]) -> None:
        ir_measures = pytest.importorskip('ir_measures')
        path = write('q1 Q0 v1#t=10,20 2 1 r\nq1\tQ0\td2\tx\t2.5\tr\n')
        assert trec.read_run(path) == list(ir_measures.read_trec_run(str(path)))
        assert TrecScoredDoc._fields == ir_measures.ScoredDoc._fields

    def test_ids_are_shared(self, write: Callable[..., Path]) -> None:
        first, second = mediaeval.read_linking_run(write('a Q0 v1 1.0 2.0 1 1 mine\na Q0 v1 1.0 2.0 2 1 mine'))
        assert first.doc_id is second.doc_id

    @pytest.mark.parametrize(
        'line, sentence',
        [
            (
                'q1 Q0 v1 17.75 20.0 17.10 2 1 r',
                f"start time '17.75' has 75 seconds, {TIMES}: 75 seconds past 17 minutes is written 18.15",
            ),
            ('q1 Q0 v1 17.10 17.5 17.10 2 1 r', f"end time '17.5' is before start time '17.10', {SWAPPED}"),
            (
                'q1 Q0 v1 17.10 20.0 17.61 2 1',
                f"jump-in time '17.61' has 61 seconds, {TIMES}: 61 seconds past 17 minutes is written 18.01; {KINDS}",
            ),
            (
                'q1 Q0 v1 17.10 20.0 2 1 r',
                f"jump-in time '2' has no dot, {TIMES}: 2 seconds is written 0.02, 2 minutes 2.00; {KINDS}",
            ),
            ('q1 Q0 v1 17.10 20.0 17.10 1', f'the line has 7 fields, but {SEARCH_RUN}{SPLITS}'),
            ('q1 Q0 my v1 17.10 20.0 17.10 2 1 r', f'the line has 10 fields, but {SEARCH_RUN}{SPLITS}'),
            *(
                (f'q1 Q0 v1 17.10 20.0 17.10 {rank} 1', f'rank {quoted(rank)} is not a whole number from 0 up, {RANKS}')
                for rank in ('-1', '1.0', 'first', '1_0', '٣', '9' * 5000)
            ),
            *(
                (f'q1 Q0 v1 17.10 20.0 17.10 2 {score}', f"score '{score}' is not a finite number, {SCORES}")
                for score in ('nan', 'inf', '-Infinity', 'high', '1_0', '1,5')
            ),
            ('q1 Q0 v1 17.10 20.0 17.10 01 1', f"rank 1 of 'q1' is already in line 1, {ONE_RANK}"),
        ],
    )
    def test_search_errors(self, write: Callable[..., Path], line: str, sentence: str) -> None:
        path = write(f'q1 Q0 v1 1.0 2.0 1.0 1 1\n\n{line}\n', 'run.txt')
        assert message(mediaeval.read_search_run, path) == f'run.txt, line 3: {sentence}'

    @pytest.mark.parametrize(
        'line, sentence',
        [
            ('a Q0 v1 17.10 20.0 2 1', f'the line has 7 fields, but {LINKING_RUN}{SPLITS}'),
            ('a Q0 v1 17.10 20.0 17.10 2 1', f"rank '17.10' is not a whole number from 0 up, {RANKS}"),
            ('a Q0 v1 17.10 20.0 2 nan r', f"score 'nan' is not a finite number, {SCORES}"),
        ],
    )
    def test_linking_errors(self, write: Callable[..., Path], line: str, sentence: str) -> None:
        path = write(f'a Q0 v1 1.0 2.0 1 1 r\n{line}\n', 'run.txt')
        assert message(mediaeval.read_linking_run, path) == f'run.txt, line 2: {sentence}'

    def test_both_lines_of_a_repeated_rank_are_named_whatever_lies_between(self, write: Callable[..., Path]) -> None:
        path = write(
            'a Q0 v1 1.0 2.0 3 1 r\n\nb Q0 v1 1.0 2.0 3 1 r\na Q0 v1 1.0 2.0 1 1 r\n'
            'b Q0 v1 1.0 2.0 4 1 r\na Q0 v1 1.0 2.0 3 1 r\n'
        )
        assert message(mediaeval.read_linking_run, path).startswith(
            "file.txt, line 6: rank 3 of 'a' is already in line 1, "
        )

    @pytest.mark.parametrize(
        'line, sentence',
        [
            ('q1 Q0 d1 1 2.5', f'the line has 5 fields, but {TREC_RUN}{SPLITS}'),
            ('q1 Q0 d 1 1 2.5 r', f'the line has 7 fields, but {TREC_RUN}{SPLITS}'),
            ('q1 Q0 d1 1 nan r', f"score 'nan' is not a finite number, {SCORES}"),
        ],
    )
    def test_trec_errors(self, write: Callable[..., Path], line: str, sentence: str) -> None:
        assert message(trec.read_run, write(f'q1 Q0 d0 1 1 r\n{line}\n')) == f'file.txt, line 2: {sentence}'


class TestVideos:
    def test_durations(self, write: Callable[..., Path]) -> None:
        assert mediaeval.read_videos(write('v1 00:05:54\nv2 100:00:01\n')) == [Video('v1', 354), Video('v2', 360001)]

    @pytest.mark.parametrize('duration', ['05:54', '00:60:00', '00:00:60', '0:5:4', '5.54', '00:05:54.5', '-1:00:00'])
    def test_bad_durations(self, write: Callable[..., Path], duration: str) -> None:
        assert message(mediaeval.read_videos, write(f'v0 00:00:01\nv1 {duration}')) == (
            f"file.txt, line 2: duration '{duration}' cannot be read, {DURATIONS}"
        )

    def test_fields(self, write: Callable[..., Path]) -> None:
        assert message(mediaeval.read_videos, write('v1\n')) == (
            f'file.txt, line 1: the line has 1 field, but a line of a list of videos has 2: id HH:MM:SS{SPLITS}'
        )


class TestXml:
    def test_queries_of_2014(self, write: Callable[..., Path]) -> None:
        path = write(
            '<?xml version="1.0" ?>\n<topics>\n\n  <top>\n    <queryId> query_1 </queryId><refId>5 3</refId>\n'
            '<queryText>rock &amp;\n  roll <b>caf&#233;</b></queryText> </top>\n'
            '<top><queryText/><queryId>q2</queryId></top></topics>'
        )
        assert mediaeval.read_queries(path) == [SearchQuery('query_1', 'rock & roll café'), SearchQuery('q2', '')]

    @pytest.mark.parametrize('element', ['top', 'item'])
    def test_queries_of_2013_and_2015(self, write: Callable[..., Path], element: str) -> None:
        path = write(f'<topics><{element}><itemId>item_1</itemId><queryText>a b</queryText></{element}></topics>')
        assert mediaeval.read_queries(path) == [SearchQuery('item_1', 'a b')]

    @pytest.mark.parametrize('video', ['fileName', 'video'])
    def test_anchors(self, write: Callable[..., Path], video: str) -> None:
        path = write(
            f'<anchors><anchor><anchorId>anchor_1</anchorId><startTime>16.38</startTime><endTime>17.5</endTime>'
            f'<{video}>v1</{video}></anchor></anchors>'
        )
        assert mediaeval.read_anchors(path) == [Anchor('anchor_1', 'v1', 998, 1025)]

    def test_packed_and_in_the_declared_encoding(self, write: Callable[..., Path]) -> None:
        declaration = '<?xml version="1.0" encoding="ISO-8859-1"?>'
        text = declaration + '<topics><top><queryId>q</queryId><queryText>café</queryText></top></topics>'
        path = write(gzip.compress(text.encode('latin-1')), 'queries.xml.gz')
        assert mediaeval.read_queries(path) == [SearchQuery('q', 'café')]

    def test_a_byte_order_mark_and_crlf(self, write: Callable[..., Path]) -> None:
        path = write('\ufeff<topics>\r\n<top>\r\n<queryId>q</queryId><queryText>a\r\nb</queryText></top></topics>\r\n')
        assert mediaeval.read_queries(path) == [SearchQuery('q', 'a b')]

    def test_no_records(self, write: Callable[..., Path]) -> None:
        assert mediaeval.read_queries(write('<topics/>')) == []

    @pytest.mark.parametrize(
        'record, sentence',
        [
            ('<top><queryText>a</queryText></top>', f'<top> has no <queryId> or <itemId>, {LACKS}'),
            ('<top>\n<queryId>q</queryId>\n</top>', f'<top> has no <queryText>, {LACKS}'),
            (
                '<top><queryId>q</queryId><queryText>a</queryText><queryText>b</queryText></top>',
                f"<top> has both <queryText> 'a' and <queryText> 'b', {TWO}",
            ),
            (
                '<top><queryId>q</queryId><itemId>i</itemId><queryText>a</queryText></top>',
                f"<top> has both <queryId> 'q' and <itemId> 'i', {TWO}",
            ),
            *(
                (
                    f'<top><queryId>{value}</queryId><queryText>a</queryText></top>',
                    f"<queryId> or <itemId> is '{value}', {XML_ID}",
                )
                for value in ('', 'query 1')
            ),
        ],
    )
    def test_query_errors(self, write: Callable[..., Path], record: str, sentence: str) -> None:
        path = write(
            f'<topics>\n<top><queryId>q</queryId><queryText>a</queryText></top>\n{record}\n</topics>', 'queries.xml'
        )
        assert message(mediaeval.read_queries, path) == f'queries.xml, line 3: {sentence}'

    @pytest.mark.parametrize(
        'children, sentence',
        [
            ('<startTime>1.0</startTime><endTime>2.0</endTime>', f'<anchor> has no <fileName> or <video>, {LACKS}'),
            ('<video>v</video><startTime>1.0</startTime>', f'<anchor> has no <endTime>, {LACKS}'),
            (
                '<video>v</video><startTime>1.0</startTime><endTime>1.75</endTime>',
                f"end time '1.75' has 75 seconds, {TIMES}: 75 seconds past 1 minutes is written 2.15",
            ),
            (
                '<video>v</video><startTime>2.0</startTime><endTime>1.0</endTime>',
                f"end time '1.0' is before start time '2.0', {SWAPPED}",
            ),
        ],
    )
    def test_anchor_errors(self, write: Callable[..., Path], children: str, sentence: str) -> None:
        path = write(f'<anchors>\n\n<anchor>\n<anchorId>a</anchorId>{children}</anchor></anchors>', 'anchors.xml')
        assert message(mediaeval.read_anchors, path) == f'anchors.xml, line 3: {sentence}'

    @pytest.mark.parametrize(
        'text, place, fault',
        [
            (b'<topics>\n<top>\n</topics>', 'line 3', 'column 3: mismatched tag'),
            (b'<topics>\n<top>', 'line 2', 'column 6: no element found'),
            (b'', 'line 1', 'column 1: no element found'),
            (b'<topics>\n<top>R & B</top></topics>', 'line 2', 'column 9: not well-formed (invalid token)'),
            (b'<topics>\n<top>caf\xe9</top></topics>', 'line 2', 'column 9: not well-formed (invalid token)'),
            (b'<topics>\n&nbsp;</topics>', 'line 2', 'column 1: undefined entity'),
        ],
    )
    def test_malformed(self, write: Callable[..., Path], text: bytes, place: str, fault: str) -> None:
        path = write(text, 'queries.xml')
        assert (
            message(mediaeval.read_queries, path)
            == f'queries.xml, {place}: the XML is malformed at {fault}{XML_REPAIR}'
        )

    @pytest.mark.parametrize(
        'declaration',
        [
            '<!DOCTYPE topics [\n<!ENTITY lol "lol">\n]>',
            '<!DOCTYPE topics [\n<!ENTITY lol SYSTEM "file:///etc/passwd">\n]>',
            '<!DOCTYPE topics [\n<!ENTITY % lol SYSTEM "http://localhost/x">\n]>',
        ],
    )
    def test_entity_declarations_are_refused(self, write: Callable[..., Path], declaration: str) -> None:
        assert message(mediaeval.read_queries, write(f'{declaration}<topics>&lol;</topics>', 'queries.xml')) == (
            f"queries.xml, line 2: the entity 'lol' {ENTITIES}"
        )

    def test_entities_of_an_external_dtd_are_refused_and_not_dropped(self, write: Callable[..., Path]) -> None:
        path = write(
            '<!DOCTYPE topics SYSTEM "topics.dtd">\n'
            '<topics><top><queryId>q</queryId><queryText>caf&eacute;</queryText></top></topics>'
        )
        assert message(mediaeval.read_queries, path) == (f"file.txt, line 2: the entity 'eacute' {ENTITIES}")

    def test_a_doctype_alone_is_fine(self, write: Callable[..., Path]) -> None:
        assert mediaeval.read_queries(write('<!DOCTYPE topics SYSTEM "http://localhost/topics.dtd"><topics/>')) == []

    @pytest.mark.parametrize('encoding', ['klingon', 'shift_jis'])
    def test_encodings_that_cannot_be_read(self, write: Callable[..., Path], encoding: str) -> None:
        said = message(
            mediaeval.read_queries, write(f'<?xml version="1.0" encoding="{encoding}"?><topics/>', 'queries.xml')
        )
        assert said.startswith('queries.xml, line 1: the declared encoding cannot be read: ')
        assert said.endswith(': convert the file to UTF-8 and declare that')

    def test_truncated_gzip(self, write: Callable[..., Path]) -> None:
        path = write(gzip.compress(b'<topics>' + b'<top/>' * 100 + b'</topics>')[:-6], 'queries.xml.gz')
        assert message(mediaeval.read_queries, path).startswith('queries.xml.gz: this is not a complete gzip file (')


class TestFiles:
    LINES = 'q1 0 café#t=1,2 1\nq1 0 d2 0\n'
    ROWS: ClassVar = [TrecQrel('q1', 'café#t=1,2', 1), TrecQrel('q1', 'd2', 0)]

    @pytest.mark.parametrize(
        'content',
        [
            LINES,
            LINES.rstrip('\n'),
            '\ufeff' + LINES,
            LINES.replace('\n', '\r\n'),
            LINES.replace('\n', '\r'),
            '\n \n' + LINES + '\n\t\n',
        ],
        ids=['LF', 'no last LF', 'byte order mark', 'CRLF', 'CR', 'blank lines'],
    )
    def test_encodings_and_line_ends(self, write: Callable[..., Path], content: str) -> None:
        assert trec.read_qrels(write(content)) == self.ROWS
        assert trec.read_qrels(write(gzip.compress(content.encode('utf-8')), 'file.txt.gz')) == self.ROWS

    def test_str_and_path(self, write: Callable[..., Path]) -> None:
        path = write(self.LINES)
        assert trec.read_qrels(path) == trec.read_qrels(str(path)) == self.ROWS

    def test_several_gzip_members(self, write: Callable[..., Path]) -> None:
        first, second = self.LINES.encode('utf-8').splitlines(keepends=True)
        assert trec.read_qrels(write(gzip.compress(first) + gzip.compress(second), 'file.gz')) == self.ROWS

    def test_empty_files(self, write: Callable[..., Path]) -> None:
        assert trec.read_qrels(write('')) == []
        assert trec.read_qrels(write(gzip.compress(b''), 'file.gz')) == []
        assert mediaeval.read_search_run(write('\n')) == []

    def test_line_numbers_are_those_of_editors(self, write: Callable[..., Path]) -> None:
        # Form feeds and line separators of Unicode are white space, not line ends.
        path = write('q1 0 d1 1\f\r\nq1 0 d1\u2028 1\r\n\r\nq1 0 d1\r\n')
        assert message(trec.read_qrels, path).startswith('file.txt, line 4: the line has 3 fields')

    @pytest.mark.parametrize('before', [b'', b'\xef\xbb\xbf'])
    @pytest.mark.parametrize('end', [b'\n', b'\r\n', b'\r'])
    def test_a_byte_that_is_not_utf_8(self, write: Callable[..., Path], before: bytes, end: bytes) -> None:
        content = before + b'q1 0 d1 1' + end + end + b'q1 0 caf\xe9 1' + end
        sentence = f'byte 0xE9 {UTF_8.format("ISO-8859-1")}'
        assert message(trec.read_qrels, write(content)) == f'file.txt, line 3: {sentence}'
        assert message(trec.read_qrels, write(gzip.compress(content), 'file.gz')) == f'file.gz, line 3: {sentence}'

    def test_utf_16(self, write: Callable[..., Path]) -> None:
        assert message(trec.read_qrels, write(self.LINES.encode('utf-16'))).endswith(
            f'line 1: byte 0xFF {UTF_8.format("UTF-16")}'
        )

    @pytest.mark.parametrize(
        'damage, reason',
        [
            (lambda data: data[:-6], 'Compressed file ended before the end-of-stream marker was reached'),
            (lambda data: data[:5], 'Compressed file ended before the end-of-stream marker was reached'),
            (lambda data: b'', 'the file is empty'),
            (lambda data: data[:-8] + bytes(4) + data[-4:], 'CRC check failed'),
            (lambda data: data[:10] + b'\xff' * 20, 'Error -3 while decompressing data'),
            (lambda data: b'q1 0 d1 1\n', "Not a gzipped file (b'q1')"),
        ],
        ids=['truncated', 'header only', 'empty', 'checksum', 'corrupt', 'not packed'],
    )
    def test_bad_gzip(self, write: Callable[..., Path], damage: Callable[[bytes], bytes], reason: str) -> None:
        said = message(trec.read_qrels, write(damage(gzip.compress(self.LINES.encode('utf-8'))), 'file.gz'))
        assert said.startswith(f'file.gz: this is not a complete gzip file ({reason}')
        assert said.endswith(f', {GZ}')

    def test_gzip_without_the_suffix(self, write: Callable[..., Path]) -> None:
        assert message(trec.read_qrels, write(gzip.compress(b'q1 0 d1 1'))) == (
            'file.txt: the file is packed with gzip, but its name does not end in .gz: '
            'add .gz to the name, or unpack it'
        )

    @pytest.mark.parametrize('name', ['no-such-file.txt', 'no-such-file.gz'])
    @pytest.mark.parametrize('reader', [trec.read_run, mediaeval.read_search_run, mediaeval.read_queries])
    def test_a_missing_file_is_the_usual_error(self, tmp_path: Path, reader: Callable[[Path], Any], name: str) -> None:
        with pytest.raises(FileNotFoundError) as caught:
            reader(tmp_path / name)
        assert str(caught.value.filename) == str(tmp_path / name)

    def test_the_error_has_its_parts_and_pickles(self, write: Callable[..., Path]) -> None:
        path = write('q1 0 d1 1\nq1\n')
        with pytest.raises(FormatError) as caught:
            trec.read_qrels(path)
        copy = pickle.loads(pickle.dumps(caught.value))
        for error in (caught.value, copy):
            assert (error.path, error.line) == (str(path), 2)
            assert str(error) == f'{path}, line 2: {error.sentence}'


CITATIONS = ('trec-rag',)
ANNOTATIONS = ('judgements', 'label-studio', 'audacity')
EVIDENCE = ('evidence', 'chunking-evaluation', 'legalbench-rag', 'squad')


class TestTable:
    def test_names(self) -> None:
        assert list(FORMATS) == ['trec', 'sh-search', 'sh-linking', 'sh-known-item', 'sh-anchoring', 'genomics',
                                 'moments', 'saliency', 'tvr', 'ego4d-nlq', 'activitynet', 'answers', 'inex-fol',
                                 'inex-xml', 'trecvid-shots', 'trecvid-strata', 'trecvid-avs', 'trecvid-search',
                                 'vbs-dres', 'vbs-kis', 'trecvid-2001', 'podcasts', 'parquet', 'csv',
                                 'tsv', 'beir', 'ranx', 'msmarco', *EVIDENCE, *CITATIONS,
                                 *ANNOTATIONS]
        assert all(entry.description for entry in FORMATS.values())

    def test_units(self) -> None:
        assert {name: entry.unit for name, entry in FORMATS.items()} == {
            'trec': None,
            'sh-search': 't',
            'sh-linking': 't',
            'sh-known-item': 't',
            'sh-anchoring': 't',
            'genomics': 'char',
            'moments': 't',
            'saliency': 't',
            'tvr': 't',
            'ego4d-nlq': 't',
            'activitynet': 't',
            'answers': 't',
            'inex-fol': 'char',
            'inex-xml': None,
            'trecvid-shots': None,
            'trecvid-strata': None,
            'trecvid-avs': None,
            'trecvid-search': None,
            'vbs-dres': 't',
            'vbs-kis': 't',
            'trecvid-2001': 't',
            'podcasts': 't',
            'parquet': 't',
            'csv': 't',
            'tsv': 't',
            'beir': None,
            'ranx': None,
            'msmarco': None,
            **dict.fromkeys([*EVIDENCE, *CITATIONS, *ANNOTATIONS]),
        }

    def test_what_is_read_is_written(self) -> None:
        # These files hold more than their rows: words, what a run says of itself, frames, the texts of topics.
        only_read = [(name, kind) for name, entry in FORMATS.items() for kind in ('qrels', 'run')
                     if getattr(entry, f'read_{kind}') and not getattr(entry, f'write_{kind}')]
        assert only_read == [('saliency', 'qrels'), ('saliency', 'run'), ('answers', 'qrels'), ('answers', 'run'),
                             ('inex-xml', 'qrels'), ('vbs-dres', 'qrels'), ('vbs-kis', 'qrels'),
                             ('trecvid-2001', 'qrels'),
                             *((name, 'qrels') for name in EVIDENCE),
                             *((name, kind) for name in CITATIONS for kind in ('qrels', 'run')),
                             *((name, 'qrels') for name in ANNOTATIONS)]
        for name, kind in only_read:
            with pytest.raises(ValueError) as caught:
                getattr(formats, f'write_{kind}')([], 'no-such-file', name)
            assert str(caught.value) == f'format {name!r} can be read, but not written'
        assert all(entry.read_run or not entry.write_run for entry in FORMATS.values())

    def test_trec_is_the_default(self, write: Callable[..., Path]) -> None:
        assert formats.read_qrels(write('q1 0 d1 1')) == [TrecQrel('q1', 'd1', 1)]
        assert formats.read_run(write('q1 Q0 d1 1 1 r')) == [TrecScoredDoc('q1', 'd1', 1.0)]

    def test_eight_fields_are_read_as_the_caller_says(self, write: Callable[..., Path]) -> None:
        search = formats.read_run(write('q Q0 v 1.0 2.0 1.30 4 5'), 'sh-search')
        linking = formats.read_run(write('q Q0 v 1.0 2.0 4 5 r'), 'sh-linking')
        assert search == [SegmentScoredDoc('q', 'v', 60, 120, -4, 4, 5.0, 90, None)]
        assert linking == [SegmentScoredDoc('q', 'v', 60, 120, -4, 4, 5.0, None, 'r')]

    def test_qrels_of_search_and_hyperlinking(self, write: Callable[..., Path]) -> None:
        path = write('q Q0 v 1.0 2.0 1')
        assert (
            formats.read_qrels(path, 'sh-search')
            == formats.read_qrels(path, format='sh-linking')
            == [SegmentQrel('q', 'v', 60, 120, 1, 'Q0')]
        )
        assert formats.read_qrels(write('q v 1.0 2.0'), 'sh-known-item') == [SegmentQrel('q', 'v', 60, 120, 1)]

    @pytest.mark.parametrize('reader', [formats.read_qrels, formats.read_run])
    def test_unknown_format(self, reader: Callable[[str, str], Any]) -> None:
        with pytest.raises(ValueError) as caught:
            reader('no-such-file', 'trek')
        assert (
            str(caught.value)
            == f"unknown format 'trek' (there are: {', '.join(FORMATS)})"
        )

    @pytest.mark.parametrize('use', [formats.read_run, lambda path, format: formats.write_run([], path, format)])
    def test_a_format_without_runs(self, use: Callable[[str, str], Any]) -> None:
        with pytest.raises(ValueError) as caught:
            use('no-such-file', 'sh-known-item')
        assert (
            str(caught.value) == "format 'sh-known-item' has judgements only, no runs (formats with runs: trec, "
            'sh-search, sh-linking, sh-anchoring, genomics, moments, saliency, tvr, ego4d-nlq, activitynet, answers, '
            'inex-fol, inex-xml, trecvid-avs, trecvid-search, trecvid-2001, podcasts, parquet, csv, tsv, beir, ranx, '
            'msmarco, trec-rag)'
        )


class TestRealFiles:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'mediaeval-sh-2014'

    def test_judgements(self, folder: Path) -> None:
        path = folder / 'me14sh_search_testSet.qrel'
        assert hashlib.md5(path.read_bytes()).hexdigest() == 'fac554a16b8691904997dba40d1040d5'
        qrels = mediaeval.read_qrels(path)
        assert len(qrels) == 9615
        assert len({qrel.query_id for qrel in qrels}) == 30
        assert Counter(qrel.relevance for qrel in qrels) == {0: 6438, 1: 3177}
        assert qrels[0] == SegmentQrel('query_10', 'v20080514_153000_bbctwo_ready_steady_cook', 720, 810, 0, 'Q0')

    def test_queries(self, folder: Path) -> None:
        queries = mediaeval.read_queries(folder / 'me14sh_search_testSet_queries.xml')
        assert len(queries) == len({query.query_id for query in queries}) == 36
        assert queries[0] == SearchQuery('query_1', 'sightseeing london')
        judged = {qrel.query_id for qrel in mediaeval.read_qrels(folder / 'me14sh_search_testSet.qrel')}
        assert judged < {query.query_id for query in queries}

    def test_anchors(self, folder: Path) -> None:
        anchors = mediaeval.read_anchors(folder / 'me14sh_linking_testSet_anchors.xml')
        assert len(anchors) == len({anchor.query_id for anchor in anchors}) == 48
        assert anchors[0] == Anchor('anchor_1', 'v20080629_184000_bbctwo_killer_whales_in_the', 998, 1055)
        assert all(anchor.start < anchor.end for anchor in anchors)

    def test_videos(self, folder: Path) -> None:
        videos = mediaeval.read_videos(folder / 'videos.txt.gz')
        assert len(videos) == len({video.doc_id for video in videos}) == 3520
        assert videos[0] == Video('v20080512_001000_bbcone_weatherview', 354)

    def test_judgements_that_end_after_their_video_are_kept(self, folder: Path) -> None:
        durations = {video.doc_id: video.duration for video in mediaeval.read_videos(folder / 'videos.txt.gz')}
        excess = [
            qrel.end - durations[qrel.doc_id] for qrel in mediaeval.read_qrels(folder / 'me14sh_search_testSet.qrel')
        ]
        assert sum(seconds > 0 for seconds in excess) == 119
        assert sum(seconds > 1 for seconds in excess) == 111  # listed durations are whole seconds

    @pytest.mark.parametrize('name, lines', [('run-180-60-over.txt.gz', 35949), ('run-180-60-noover.txt.gz', 15825)])
    def test_runs(self, folder: Path, name: str, lines: int) -> None:
        run = mediaeval.read_search_run(folder / name)
        assert len(run) == lines
        assert len({row.query_id for row in run}) == 36
        assert run[0] == SegmentScoredDoc(
            'query_1',
            'v20080719_202500_bbcfour_perpetual_motion_the_routemaster',
            1030,
            1200,
            -1,
            1,
            17.57189787275952,
            1030,
            None,
        )
        assert sum(first.query_id != second.query_id for first, second in pairwise(run)) == 35
        assert all(first.rank < second.rank for first, second in pairwise(run) if first.query_id == second.query_id)
        assert all(row.score == -row.rank for row in run)

    def test_a_search_run_is_no_linking_run(self, folder: Path) -> None:
        assert message(mediaeval.read_linking_run, folder / 'run-180-60-over.txt.gz').startswith(
            "run-180-60-over.txt.gz, line 1: rank '17.10' is not a whole number from 0 up"
        )
