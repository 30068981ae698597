"""The readers of the campaigns' files: what they give for good files, and what they say about bad ones."""

import gzip
import hashlib
import pickle
from collections import Counter
from collections.abc import Callable
from datetime import time, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, strategies as st
from refusals import message

from ir_segmeasures import SegmentTable, formats
from ir_segmeasures.formats import FORMATS, FormatError, SegmentQrel, SegmentScoredDoc, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.mediaeval import (
    Anchor,
    SearchQuery,
    Video,
    format_minutes,
    parse_minutes,
    read_anchors,
    read_queries,
    read_videos,
)

FILE_NAME = 'file.txt'


class TestTimes:
    @pytest.mark.parametrize('text, seconds', [('17.5', 1025), ('17.05', 1025), ('17.10', 1030), ('20.0', 1200),
                                               ('0.00', 0), ('183.20', 11000), ('007.05', 425)])
    def test_minutes_and_seconds(self, text: str, seconds: int) -> None:
        assert parse_minutes(text) == seconds

    @given(st.integers(0, 10**8), st.integers(0, 59))
    def test_round_trip(self, minutes: int, seconds: int) -> None:
        total = 60 * minutes + seconds
        assert parse_minutes(f'{minutes}.{seconds}') == parse_minutes(f'{minutes}.{seconds:02d}') == total
        assert format_minutes(total) == f'{minutes}.{seconds:02d}'

    @given(st.text('0123456789.-+:e_ ٣', max_size=12))
    def test_anything_else_is_a_value_error_that_names_it(self, text: str) -> None:
        try:
            parse_minutes(text)
        except ValueError as error:
            assert str(error).startswith(f'time {text!r} ')
        else:
            minutes, seconds = text.split('.')
            assert minutes.isascii() and minutes.isdigit() and int(seconds) < 60 and len(seconds) <= 2


GOOD: list[tuple[str, str, str, list[Any]]] = [
    ('sh-search', 'qrels', 'q1 Q0 v1 17.5 18.0 1\n\nq1\tQ0  v1 0.00 0.00 0\nq2 0 v2 90.10 91.0 -1', [
        SegmentQrel('q1', 'v1', 1025, 1080, 1, 'Q0'), SegmentQrel('q1', 'v1', 0, 0, 0, 'Q0'),
        SegmentQrel('q2', 'v2', 5410, 5460, -1, '0')]),
    ('sh-known-item', 'qrels', 'item_1 2008_a 1.0 2.30\n', [SegmentQrel('item_1', '2008_a', 60, 150, 1, '0')]),
    ('sh-anchoring', 'qrels', 'v1 1.0 2.30 1\n', [SegmentQrel('v1', 'v1', 60, 150, 1, '0')]),
    ('trec', 'qrels', 'q1 0 v1#t=10,20 1\nq1\t0\td2\t0.5\nq1 x d3 -2\nq1 0 d4 2.0\n', [
        TrecQrel('q1', 'v1#t=10,20', 1), TrecQrel('q1', 'd2', 0.5), TrecQrel('q1', 'd3', -2, 'x'),
        TrecQrel('q1', 'd4', 2)]),
    ('sh-search', 'run', 'q1 Q0 v1 17.10 20.0 17.10 1 17.5 mine\nq1 Q0 v2 1.0 2.0 9.0 2 1e-3\n', [
        SegmentScoredDoc('q1', 'v1', 1030, 1200, -1, 1, 17.5, 1030, 'mine'),
        SegmentScoredDoc('q1', 'v2', 60, 120, -2, 2, 0.001, 540, None)]),
    ('sh-search', 'run', 'q Q0 v 1.0 2.0 1.30 4 5', [SegmentScoredDoc('q', 'v', 60, 120, -4, 4, 5.0, 90, None)]),
    ('sh-linking', 'run', 'q Q0 v 1.0 2.0 4 5 r', [SegmentScoredDoc('q', 'v', 60, 120, -4, 4, 5.0, None, 'r')]),
    ('sh-linking', 'run', 'a Q0 v1 1.0 1.0 1 1 r', [SegmentScoredDoc('a', 'v1', 60, 60, -1, 1, 1.0, None, 'r')]),
    ('sh-linking', 'run', 'b Q0 v 1.0 2.0 10 0 r\na Q0 v 1.0 2.0 2 1 r\nb Q0 v 1.0 2.0 0 2 r\n', [
        SegmentScoredDoc('b', 'v', 60, 120, 0, 0, 2.0, None, 'r'),
        SegmentScoredDoc('b', 'v', 60, 120, -10, 10, 0.0, None, 'r'),
        SegmentScoredDoc('a', 'v', 60, 120, -2, 2, 1.0, None, 'r')]),
    ('sh-anchoring', 'run', 'v1 Q0 1.0 2.0 4 5 r\nv1 Q0 3.0 4.0 1 9 r', [
        SegmentScoredDoc('v1', 'v1', 60, 120, -1, 4, 5.0, None, 'r'),
        SegmentScoredDoc('v1', 'v1', 180, 240, -2, 1, 9.0, None, 'r')]),
    ('trec', 'run', 'q1 Q0 v1#t=10,20 2 1 r\nq1\tQ0\td2\tx\t2.5\tr\nq0 Q0 d1 1 -1e-3 r\n', [
        TrecScoredDoc('q1', 'v1#t=10,20', 1.0), TrecScoredDoc('q1', 'd2', 2.5), TrecScoredDoc('q0', 'd1', -0.001)]),
    ('rttm', 'qrels', 'SPEAKER meet1 1 0.00 6.50 <NA> <NA> A <NA> <NA>\n', [SegmentQrel('A', 'meet1', 0, 6.5, 1)]),
]


@pytest.mark.parametrize('format, kind, text, rows', GOOD)
def test_good_files(write: Callable[..., Path], format: str, kind: str, text: str, rows: list[Any]) -> None:
    found = getattr(formats, f'read_{kind}')(write(text), format)
    assert found == rows
    assert [list(map(type, row)) for row in found] == [list(map(type, row)) for row in rows]


# A good line of a format, and of each wrong one a keyword of its sentence.
BAD: dict[tuple[str, str], tuple[str, dict[str, str]]] = {
    ('sh-search', 'qrels'): ('q1 Q0 v1 1.0 2.0 1', {
        'q1 Q0 v1 17.75 18.0 1': 'cannot be read', 'q1 Q0 v1 17.00 1080 1': 'cannot be read',
        'q1 Q0 v1 18.0 17.59 0': 'is before start', 'q1 Q0 v1 18.0 18.00 1': 'needs content',
        'q1 Q0 v1 17.0 18.0': 'has 5 fields', 'q1 Q0 my v1 17.0 18.0 1': 'has 7 fields',
        **{f'q1 Q0 v1 17.0 18.0 {value}': 'not a whole number' for value in ('1.0', 'yes', '1_0', 'nan', '9' * 5000)}}),
    ('sh-known-item', 'qrels'): ('item v1 1.0 2.0', {'item v1 1.0': 'has 3 fields', 'i v1 1.0 1.00': 'needs content'}),
    ('trec', 'qrels'): ('q1 0 d0 1', {
        'q1': 'has 1 field,', 'q1 0 my doc 1': 'has 5 fields', '# my judgements, again': 'a comment',
        '# two': 'a comment',
        **{f'q1 0 d1 {value}': 'is not a number' for value in ('high', 'nan', 'inf', '1_0', '1e999')}}),
    ('sh-search', 'run'): ('q1 Q0 v1 1.0 2.0 1.0 1 1', {
        'q1 Q0 v1 17.75 20.0 17.10 2 1 r': 'cannot be read', 'q1 Q0 v1 17.10 17.5 17.10 2 1 r': 'is before start',
        'q1 Q0 v1 17.10 20.0 17.61 2 1': 'jump-in time', 'q1 Q0 v1 17.10 20.0 2 1 r': 'of a linking run anchor',
        'q1 Q0 v1 17.10 20.0 17.10 1': 'has 9, or 8 without', 'q1 Q0 my v1 17.10 20.0 17.10 2 1 r': 'has 10 fields',
        'q1 Q0 v1 17.10 20.0 17.10 01 1': 'is already in line 1',
        **{f'q1 Q0 v1 17.10 20.0 17.10 {rank} 1': 'not a whole number' for rank in ('-1', '1.0', '1_0', '٣', '9' * 50)},
        **{f'q1 Q0 v1 17.10 20.0 17.10 2 {score}': 'not a finite number' for score in ('nan', '-Infinity', '1,5')}}),
    ('sh-linking', 'run'): ('a Q0 v1 1.0 2.0 1 1 r', {
        'a Q0 v1 17.10 20.0 2 1': 'has 7 fields', 'a Q0 v1 17.10 20.0 17.10 2 1': 'not a whole number',
        'a Q0 v1 17.10 20.0 2 nan r': 'not a finite number'}),
    ('trec', 'run'): ('q1 Q0 d0 1 1 r', {
        'q1 Q0 d1 1 2.5': 'has 5 fields', 'q1 Q0 d 1 1 2.5 r': 'has 7 fields', 'q1 Q0 d1 1 nan r': 'not a finite',
        'q1,Q0,d1,1,1': 'is CSV'}),
    ('sh-anchoring', 'run'): ('v Q0 1.00 2.00 1 9 r', {
        'v Q0 1.00 2.00 1 9': 'has 6 fields', 'v Q0 1 2 1 9 r': 'cannot be read'}),
    ('rttm', 'run'): ('SPEAKER m 1 0.00 6.50 <NA> <NA> A <NA> <NA>', {
        'SPEAKER m 1 6.50 -1.50 <NA> <NA> B <NA> <NA>': "duration '-1.50'",
        'SPEAKER m 1 8.0 0 <NA> <NA> B <NA> <NA>': "duration '0'", ';; SPEAKER m': 'a comment',
        'SPKR-INFO m 1 8.0 1 <NA> <NA> B <NA> <NA>': 'SPEAKER'}),
}


@pytest.mark.parametrize('format, kind, line, keyword', [
    (*key, line, keyword) for key, (_, lines) in BAD.items() for line, keyword in lines.items()])
def test_bad_lines(write: Callable[..., Path], format: str, kind: str, line: str, keyword: str) -> None:
    path = write(f'{BAD[format, kind][0]}\n\n{line}\nworse\n' if 'already' not in keyword else
                 f'{BAD[format, kind][0]}\n\n{line}\n')
    said = message(lambda path: getattr(formats, f'read_{kind}')(path, format), path)
    assert said.startswith('file.txt, line 3: ') and keyword in said


class TestLists:
    def test_durations(self, write: Callable[..., Path]) -> None:
        assert read_videos(write('v1 00:05:54\nv2 100:00:01\n')) == [Video('v1', 354), Video('v2', 360001)]

    @pytest.mark.parametrize('duration', ['05:54', '00:60:00', '00:00:60', '0:5:4', '5.54', '00:05:54.5', '-1:00:00'])
    def test_bad_durations(self, write: Callable[..., Path], duration: str) -> None:
        assert message(read_videos, write(f'v0 00:00:01\nv1 {duration}')).startswith(
            f"file.txt, line 2: duration '{duration}' cannot be read")

    def test_queries(self, write: Callable[..., Path]) -> None:
        path = write('<?xml version="1.0" ?>\n<topics>\n\n  <top>\n    <queryId> query_1 </queryId><refId>5 3</refId>\n'
                     '<queryText>rock &amp;\n  roll <b>caf&#233;</b></queryText> </top>\n'
                     '<item><queryText/><itemId>q2</itemId></item></topics>')
        assert read_queries(path) == [SearchQuery('query_1', 'rock & roll café'), SearchQuery('q2', '')]

    @pytest.mark.parametrize('video', ['fileName', 'video'])
    def test_anchors(self, write: Callable[..., Path], video: str) -> None:
        path = write(f'<anchors><anchor><anchorId>anchor_1</anchorId><startTime>16.38</startTime><endTime>17.5'
                     f'</endTime><{video}>v1</{video}></anchor></anchors>')
        assert read_anchors(path) == [Anchor('anchor_1', 'v1', 998, 1025)]

    @pytest.mark.parametrize('children, keyword', [
        ('<startTime>1.0</startTime><endTime>2.0</endTime>', 'has no <fileName> or <video>'),
        ('<video>v</video><startTime>1.0</startTime>', 'has no <endTime>'),
        ('<video>v</video><startTime>1.0</startTime><endTime>1.75</endTime>', 'cannot be read'),
        ('<video>v</video><startTime>2.0</startTime><endTime>1.0</endTime>', 'is before start')])
    def test_anchor_errors(self, write: Callable[..., Path], children: str, keyword: str) -> None:
        path = write(f'<anchors>\n\n<anchor>\n<anchorId>a</anchorId>{children}</anchor></anchors>')
        said = message(read_anchors, path)
        assert said.startswith('file.txt, line 3: ') and keyword in said


class TestFiles:
    LINES = 'q1 0 café#t=1,2 1\nq1 0 d2 0\n'
    ROWS: ClassVar = [TrecQrel('q1', 'café#t=1,2', 1), TrecQrel('q1', 'd2', 0)]

    @pytest.mark.parametrize('content', [
        LINES, LINES.rstrip('\n'), '\ufeff' + LINES, LINES.replace('\n', '\r\n'), LINES.replace('\n', '\r'),
        '\n \n' + LINES + '\n\t\n'], ids=['LF', 'no last LF', 'byte order mark', 'CRLF', 'CR', 'blank lines'])
    def test_encodings_and_line_ends(self, write: Callable[..., Path], content: str) -> None:
        assert formats.read_qrels(write(content)) == formats.read_qrels(str(write(content))) == self.ROWS
        assert formats.read_qrels(write(gzip.compress(content.encode('utf-8')), 'file.txt.gz')) == self.ROWS

    def test_packed_files(self, write: Callable[..., Path]) -> None:
        first, second = self.LINES.encode('utf-8').splitlines(keepends=True)
        assert formats.read_qrels(write(gzip.compress(first) + gzip.compress(second), 'file.gz')) == self.ROWS
        assert formats.read_qrels(write('')) == formats.read_qrels(write(gzip.compress(b''), 'file.gz')) == []

    def test_line_numbers_are_those_of_editors(self, write: Callable[..., Path]) -> None:
        # Form feeds and line separators of Unicode are white space, not line ends.
        path = write('q1 0 d1 1\f\r\nq1 0 d1\u2028 1\r\n\r\nq1 0 d1\r\n')
        assert message(formats.read_qrels, path).startswith('file.txt, line 4: the line has 3 fields')

    @pytest.mark.parametrize('before', [b'', b'\xef\xbb\xbf'])
    @pytest.mark.parametrize('end', [b'\n', b'\r\n', b'\r'])
    def test_a_byte_that_is_not_utf_8(self, write: Callable[..., Path], before: bytes, end: bytes) -> None:
        content = before + b'q1 0 d1 1' + end + end + b'q1 0 caf\xe9 1' + end
        for path in (write(content), write(gzip.compress(content), 'file.gz')):
            with pytest.raises(FormatError, match=r'line 3: byte 0xE9 is not UTF-8, .* iconv -f ISO-8859-1'):
                formats.read_qrels(path)

    @pytest.mark.parametrize('damage, reason', [
        (lambda data: data[:-6], 'ended before'), (lambda data: data[:5], 'ended before'),
        (lambda data: b'', 'the file is empty'), (lambda data: data[:-8] + bytes(4) + data[-4:], 'CRC check failed'),
        (lambda data: data[:10] + b'\xff' * 20, 'Error -3 while'), (lambda data: b'q1 0 d1 1\n', 'Not a gzipped file')])
    def test_bad_gzip(self, write: Callable[..., Path], damage: Callable[[bytes], bytes], reason: str) -> None:
        said = message(formats.read_qrels, write(damage(gzip.compress(self.LINES.encode('utf-8'))), 'file.gz'))
        assert said.startswith('file.gz: this is not a complete gzip file (') and reason in said

    @pytest.mark.parametrize('data, keyword', [
        (gzip.compress(b'q1 0 d1 1', mtime=0), 'does not end in .gz'), (b'PK\x03\x04\xff', 'packed as .zip'),
        (LINES.encode('utf-16'), 'iconv -f UTF-16')])
    def test_other_files(self, write: Callable[..., Path], data: bytes, keyword: str) -> None:
        with pytest.raises(FormatError, match=keyword):
            formats.read_qrels(write(data))

    @pytest.mark.parametrize('name', ['no-such-file.txt', 'no-such-file.gz'])
    def test_a_missing_file_is_the_usual_error(self, tmp_path: Path, name: str) -> None:
        for reader in (formats.read_run, read_queries):
            with pytest.raises(FileNotFoundError) as caught:
                reader(tmp_path / name)
            assert str(caught.value.filename) == str(tmp_path / name)

    def test_the_error_has_its_parts_and_pickles(self, write: Callable[..., Path]) -> None:
        path = write('q1 0 d1 1\nq1\n')
        with pytest.raises(FormatError) as caught:
            formats.read_qrels(path)
        copy = pickle.loads(pickle.dumps(caught.value))
        for error in (caught.value, copy):
            assert (error.path, error.line) == (str(path), 2)
            assert str(error) == f'{path}, line 2: {error.sentence}'


class TestRegistry:
    def test_every_format_has_its_name_and_what_is_read_is_written(self) -> None:
        # These files hold more than their rows: words, what a run says of itself, frames, the texts of topics.
        read = {'saliency', 'answers', 'trec-rag', 'rttm', 'chunks'}
        only_read = {(name, kind) for name, entry in FORMATS.items() for kind in ('qrels', 'run')
                     if (files := entry.files(kind)) and not files.write}
        assert {name for name, kind in only_read if kind == 'run'} == read
        assert all(name == entry.name and entry.description and entry.unit in (None, 't', 'char')
                   for name, entry in FORMATS.items())
        for name, kind in only_read:
            with pytest.raises(ValueError, match=f'format {name!r} can be read, but not written'):
                getattr(formats, f'write_{kind}')([], 'no-such-file', name)

    def test_unknown_formats(self) -> None:
        for reader in (formats.read_qrels, formats.read_run):
            with pytest.raises(ValueError, match=f"unknown format 'trek' .*{', '.join(FORMATS)}"):
                reader('no-such-file', 'trek')
        for use in (formats.read_run, lambda path, format: formats.write_run([], path, format)):
            with pytest.raises(ValueError, match=r"'sh-known-item' has judgements only, no runs .*trec, csv"):
                use('no-such-file', 'sh-known-item')


class TestRealFiles:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'mediaeval-sh-2014'

    def test_judgements_and_lists(self, folder: Path) -> None:
        path = folder / 'me14sh_search_testSet.qrel'
        assert hashlib.md5(path.read_bytes()).hexdigest() == 'fac554a16b8691904997dba40d1040d5'
        qrels: Any = formats.read_qrels(path, 'sh-search')
        judged = {qrel.query_id for qrel in qrels}
        assert (len(qrels), len(judged)) == (9615, 30)
        assert Counter(qrel.relevance for qrel in qrels) == {0: 6438, 1: 3177}
        queries = read_queries(folder / 'me14sh_search_testSet_queries.xml')
        assert len(queries) == 36 and judged < {query.query_id for query in queries}
        anchors = read_anchors(folder / 'me14sh_linking_testSet_anchors.xml')
        assert len(anchors) == 48 and all(anchor.start < anchor.end for anchor in anchors)
        durations = {video.doc_id: video.duration for video in read_videos(folder / 'videos.txt.gz')}
        assert len(durations) == 3520
        excess = [qrel.end - durations[qrel.doc_id] for qrel in qrels]  # judgements after their video's end are kept
        assert (sum(seconds > 0 for seconds in excess), sum(seconds > 1 for seconds in excess)) == (119, 111)

    @pytest.mark.parametrize('name, lines', [('run-180-60-over.txt.gz', 35949), ('run-180-60-noover.txt.gz', 15825)])
    def test_runs(self, folder: Path, name: str, lines: int) -> None:
        run: Any = formats.read_run(folder / name, 'sh-search')
        assert (len(run), len({row.query_id for row in run})) == (lines, 36)
        assert sum(first.query_id != second.query_id for first, second in pairwise(run)) == 35
        assert all(first.rank < second.rank for first, second in pairwise(run) if first.query_id == second.query_id)
        assert all(row.score == -row.rank for row in run)
        with pytest.raises(FormatError, match=r"line 1: rank '17\.10' is not a whole number from 0 to"):
            formats.read_run(folder / name, 'sh-linking')


def test_endings_and_types_of_times(tmp_path: Path, run: Any) -> None:
    path = tmp_path / 'turns.rttm'
    path.write_text('SPEAKER m 1 0.00 6.50 <NA> <NA> A <NA>\n')  # as before 2009
    assert formats.read_qrels(path) == [SegmentQrel('A', 'm', 0, 6.5, 1)]
    assert 'pools in .csv, .jsonl' in run('pool', path, '--depth', 1, '--out', tmp_path / 'z.xyz').err
    for times, kind in (([timedelta(0), timedelta(seconds=9)], 'timedelta'), ([time(0), time(1)], 'time')):
        with pytest.raises(ValueError, match=f'the start .* is not a number, but a {kind}: make it seconds'):
            SegmentTable.from_qrels({'query_id': ['q'] * 2, 'doc_id': ['v'] * 2, 'start': times, 'end': times,
                                     'relevance': [1, 1]})
