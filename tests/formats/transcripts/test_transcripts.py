"""Transcripts of captions and of speech recognisers: what is read, and what is refused or warned of."""

import gzip
import json
import re
import warnings
from math import nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures.formats import FormatError, read_transcript, read_transcripts
from ir_segmeasures.segments.segment import Line

SRT = '1\n00:00:01,000 --> 00:00:02,500\nOne\nand <i>a half</i>\n\n2\n00:01:02,000 --> 00:01:04,000\nTwo\n'
VTT = """WEBVTT - a title
Kind: captions

NOTE
not spoken

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.500 align:start position:0%
<v.loud Mary &amp; Ann>One <c.yellow>and</c> a half</v>
&lt;laughs&gt;

01:00:02.000 --> 01:00:04.000
Two
"""
# As YouTube writes what it recognises: lines roll up, and stand once more for a hundredth of a second.
ROLLING = """WEBVTT

00:00:00.000 --> 00:00:02.000
\x20
good<00:00:00.500><c> evening</c>

00:00:02.000 --> 00:00:02.010
good evening
\x20

00:00:02.010 --> 00:00:04.000
good evening
tonight<00:00:03.000><c> bees</c>
"""
TTML = """<?xml version="1.0" encoding="utf-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div begin="10s">
<p begin="00:00:01.000" end="00:00:02.500">One<br/>and a <span>half</span></p>
<p begin="52s" dur="2s">Two</p>
</div></body></tt>
"""
ASS = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.50,Default,Mary,0,0,0,,{\\i1}One{\\i0}\\Nand a half
Comment: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,of the translator
Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}
Dialogue: 0,0:01:02.00,0:01:04.00,Default,,0,0,0,,Two
"""
WORDS = [{'word': ' One', 'start': 1.0, 'end': 1.5, 'probability': 0.9},
         {'word': '-half', 'start': 1.5, 'end': 2.5, 'probability': 0.8}]
AS_WORDS = [Line(1.0, 2.5, 'One-half'), Line(62.0, 64.0, 'Two')]
WHISPERX = {'segments': [
    {'start': 1.0, 'end': 2.5, 'text': ' In 1984 bees', 'speaker': 'S0', 'words': [
        {'word': 'In', 'start': 1.0, 'end': 1.2, 'score': 0.9, 'speaker': 'S1'}, {'word': '1984'},
        {'word': 'bees', 'start': 2.0, 'end': 2.5, 'score': 0.9}]},
    {'start': 3.0, 'end': 4.0, 'text': '12', 'words': [{'word': '12'}]}], 'word_segments': [], 'language': 'en'}


def given_file(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), 'utf-8')
    return path


class TestCaptions:
    @pytest.mark.parametrize('name, content, first, second, speaker', [
        ('a.srt', SRT, 1, 62, None),
        ('a.SRT', '\ufeff' + SRT.replace('\n', '\r\n'), 1, 62, None),
        ('a.ass', ASS, 1, 62, 'Mary'),
        ('a.ttml', TTML, 11, 62, None),
        ('a.dfxp', TTML, 11, 62, None),
        ('a.dfxp', TTML.replace('ns/ttml', '2006/10/ttaf1'), 11, 62, None),  # of the drafts of TTML
        ('a.xml.ttml', TTML.replace('<p ', '<x:p ').replace('</p>', '</x:p>').replace(
            '<tt ', '<tt xmlns:x="http://www.w3.org/ns/ttml" '), 11, 62, None),
    ])
    def test_lines(self, tmp_path: Path, name: str, content: str, first: float, second: float, speaker: Any) -> None:
        assert read_transcript(given_file(tmp_path, name, content)) == [
            Line(first, first + 1.5, 'One and a half', speaker), Line(second, second + 2, 'Two', None)]

    def test_webvtt(self, tmp_path: Path) -> None:
        assert read_transcript(given_file(tmp_path, 'a.vtt', VTT)) == [
            Line(1, 2.5, 'One and a half <laughs>', 'Mary & Ann'), Line(3602, 3604, 'Two')]
        assert read_transcript(given_file(tmp_path, 'b.vtt', VTT.replace('01:00:0', '1:00:0')))[1].start == 3602

    def test_words_of_lines_that_roll_up(self, tmp_path: Path) -> None:
        assert read_transcript(given_file(tmp_path, 'a.vtt', ROLLING)) == [
            Line(0, 0.5, 'good'), Line(0.5, 2, 'evening'), Line(2.01, 3, 'tonight'), Line(3, 4, 'bees')]

    @given(st.lists(st.tuples(st.integers(0, 10**7), st.integers(1, 10**5), st.sampled_from(('a b', 'é文', 'x.'))),
                    min_size=1, max_size=6))
    def test_what_pysubs2_writes(self, tmp_path_factory: pytest.TempPathFactory, events: list[Any]) -> None:
        pysubs2 = pytest.importorskip('pysubs2')
        file = pysubs2.SSAFile()
        file.events = [pysubs2.SSAEvent(start, start + length, text) for start, length, text in sorted(events)]
        expected = [Line(start / 1000, (start + length) / 1000, text) for start, length, text in sorted(events)]
        folder = tmp_path_factory.mktemp('captions')
        for suffix in ('srt', 'vtt', 'ttml'):
            path = str(folder / f'a.{suffix}')
            file.save(path)
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')  # of what overlaps
                assert read_transcript(path) == expected, suffix

class TestRecognised:
    @pytest.mark.parametrize('content, expected', [
        ({'text': ' One-half Two', 'language': 'en', 'segments': [
            {'id': 0, 'seek': 0, 'start': 1.0, 'end': 2.5, 'text': ' One-half', 'tokens': [1], 'words': WORDS},
            {'id': 1, 'seek': 0, 'start': 62.0, 'end': 64.0, 'text': ' Two', 'tokens': [1]}]}, AS_WORDS),  # openai
        ([{'id': 1, 'start': 1.0, 'end': 2.5, 'text': ' One-half', 'words': WORDS, 'temperature': 0},
          {'id': 2, 'start': 62.0, 'end': 64.0, 'text': ' Two', 'words': None}], AS_WORDS),  # faster-whisper
        ({'text': 'x', 'chunks': [{'timestamp': [1.0, 2.5], 'text': ' One-half'},
                                  {'timestamp': [62.0, 64.0], 'text': ' Two'}]}, AS_WORDS),  # Hugging Face
        ([{'text': 'One-half', 'start': 1.0, 'duration': 1.5}, {'text': 'Two', 'start': 62.0, 'duration': 2.0}],
         AS_WORDS),  # YouTube
        ({'video_id': 'x', 'snippets': [{'text': 'One-half', 'start': 1, 'duration': 1.5},
                                        {'text': 'Two\n', 'start': 62, 'duration': 2}, {'text': ' ', 'start': 64,
                                                                                        'duration': 0}]}, AS_WORDS),
        ([{'text': 'a', 'start': 1.1, 'duration': 2.2}], [Line(1.1, 3.3, 'a')]),
        ([{'text': 'a', 'start': '1.1', 'dur': '2.2'}], [Line(1.1, 3.3, 'a')]),
        ({'wireMagic': 'pb3', 'events': [
            {'tStartMs': 0, 'dDurationMs': 9000, 'id': 1, 'wpWinPosId': 1},
            {'tStartMs': 1000, 'dDurationMs': 5000, 'segs': [{'utf8': 'bees'}, {'utf8': ' in', 'tOffsetMs': 480}]},
            {'tStartMs': 2500, 'dDurationMs': 3500, 'aAppend': 1, 'segs': [{'utf8': '\n'}]},
            {'tStartMs': 2510, 'dDurationMs': 5000, 'segs': [{'utf8': 'spring', 'tOffsetMs': 90}]}]},
         [Line(1, 1.48, 'bees'), Line(1.48, 2.51, 'in'), Line(2.6, 7.51, 'spring')]),  # YouTube's own, recognised
        ({'events': [{'tStartMs': 1000, 'dDurationMs': 1500, 'segs': [{'utf8': 'One\n'}, {'utf8': 'and a half'}]}]},
         [Line(1, 2.5, 'One and a half')]),
        ({'words': [{'word': 'One', 'start': 1.0, 'end': 1.5}, {'word': 'two', 'start': 2, 'end': 3}],
          'segments': [{'start': 1.0, 'end': 3, 'text': 'One two'}]}, [Line(1, 1.5, 'One'), Line(2, 3, 'two')]),
        ({'text': 'One', 'words': [{'word': 'One', 'start': 1.0, 'end': 1.5}]}, [Line(1, 1.5, 'One')]),  # of OpenAI
        ({'segments': [{'start': 0, 'end': 2, 'text': '你好', 'words': [
            {'word': '你', 'start': 0, 'end': 1}, {'word': '好', 'start': 1, 'end': 2}]}]},
         [Line(0, 1, '你'), Line(1, 2, '好')]),
    ])
    def test_shapes(self, tmp_path: Path, content: Any, expected: list[Line]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            assert read_transcript(given_file(tmp_path, 'a.json', content)) == expected

    def test_words_without_times_join_the_word_beside_them(self, tmp_path: Path) -> None:
        with pytest.warns(UserWarning, match=r"1 words have no times, .*'1984', word 2 of entry 1"):
            assert read_transcript(given_file(tmp_path, 'a.json', WHISPERX)) == [
                Line(1.0, 1.2, 'In 1984', 'S1'), Line(2.0, 2.5, 'bees', 'S0'), Line(3.0, 4.0, '12')]
        early = {'words': [{'word': '5'}, {'word': 'bees', 'start': 1, 'end': 2}]}
        with pytest.warns(UserWarning, match='1 words have no times'):
            assert read_transcript(given_file(tmp_path, 'a.json', early)) == [Line(1, 2, '5 bees')]

    def test_the_last_line_of_hugging_face_may_have_no_end(self, tmp_path: Path) -> None:
        path = given_file(tmp_path, 'a.json', {'chunks': [
            {'timestamp': [0, 1], 'text': 'a'}, {'timestamp': [1, None], 'text': 'b'},
            {'timestamp': [3, None], 'text': 'c'}]})
        with pytest.warns(UserWarning, match=r'2 of 3 lines have no end: .*a\.json: entry 2') as caught:
            assert read_transcript(path) == [Line(0, 1, 'a'), Line(1, 3, 'b'), Line(3, 3, 'c')]
        assert caught[0].filename == __file__

class TestOrder:
    def test_lines_that_overlap_or_stand_out_of_order_are_counted(self, tmp_path: Path) -> None:
        path = given_file(tmp_path, 'a.json', [{'text': text, 'start': start, 'end': end} for text, start, end in (
            ('a', 0, 10), ('c', 8, 9), ('b', 2, 3), ('d', 10, 11))])
        with pytest.warns(UserWarning) as caught:
            assert [line.text for line in read_transcript(path)] == ['a', 'b', 'c', 'd']
        assert re.fullmatch(r'1 of 4 lines start before the line above .*; 2 of 4 lines overlap the one before .*',
                            str(caught[0].message))
        assert len(caught) == 1 and caught[0].filename == __file__


class TestRepairs:
    def test_bad_cues_are_left_out_and_counted(self, tmp_path: Path) -> None:
        path = given_file(tmp_path, 'a.srt', '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:05,000 --> '
                                             '00:00:04,000\n'
                          'Back\n\n3\n00:42:60.000 --> 00:43:00.000\nNone\n\n4\n100:00:00,000 --> '
                          '100:00:02,500\nLate\n\nand more\n')
        with pytest.raises(FormatError, match=r"line 6: 'Back' goes from 5.0 to 4.0 s, .*--skip-bad-cues"):
            read_transcript(path)
        with pytest.warns(UserWarning, match=r'2 of 4 lines cannot be read, and are left out \(such as .*a\.srt, '
                                             r'line 6') as said:
            assert read_transcript(path, skip_bad_cues=True) == [
                Line(1, 2, 'One'), Line(360_000, 360_002.5, 'Late and more')]
        assert len(said) == 1

    @pytest.mark.parametrize('arrow', [' -> ', ' –> ', ' -- > ', ' --> -'])
    def test_lines_of_other_arrows_are_no_text(self, tmp_path: Path, arrow: str) -> None:
        path = given_file(tmp_path, 'a.srt', SRT.replace(',000 --> 00:01', f',000{arrow}00:01') + 'A --> B\n')
        with pytest.raises(FormatError, match=r'line 7: .* are not times of a cue'):
            read_transcript(path)
        with pytest.warns(UserWarning, match='1 of 2 lines cannot be read'):
            assert [line.text for line in read_transcript(path, skip_bad_cues=True)] == ['One and a half']

    def test_bad_lines_of_json_are_left_out_and_counted(self, tmp_path: Path) -> None:
        path = given_file(tmp_path, 'a.json', {'segments': [
            {'start': 3, 'end': 2, 'text': 'a'}, {'start': -1, 'end': 2, 'text': 'b'},
            {'start': nan, 'end': 1, 'text': 'c'},
            {'start': 5, 'end': 6, 'text': 'd', 'words': [
                {'word': 'd', 'start': 5}, {'word': 'e', 'start': 5, 'end': 6}]}]})
        with pytest.warns(UserWarning, match='4 of 5 lines cannot be read, and are left out') as said:
            assert read_transcript(path, skip_bad_cues=True) == [Line(5, 6, 'e')]
        assert len(said) == 1

    def test_bad_paragraphs_are_left_out_and_nothing_may_be_said(self, tmp_path: Path) -> None:
        path = given_file(tmp_path, 'a.ttml', TTML.replace('52s', '00:00:52:12'))
        with pytest.warns(UserWarning, match='1 of 2 lines cannot be read, and are left out .*without frames'):
            assert read_transcript(path, skip_bad_cues=True) == [Line(11, 12.5, 'One and a half')]
        assert read_transcript(given_file(tmp_path, 'a.srt', '\n')) == []

    def test_clocks_of_hls(self, tmp_path: Path) -> None:
        cue = '\n\n00:01.000 --> 00:03.000\nOne\n\n'
        text = (f'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000{cue}WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:180000,'
                f'LOCAL:00:00:00.500{cue}')
        with pytest.warns(UserWarning, match=r'2 of 2 lines set a clock of HLS, .*: by 10 s from line 2 on, .*by 1.5'):
            found = read_transcript(given_file(tmp_path, 'a.vtt', text))
        assert [line[:2] for line in found] == [(2.5, 4.5), (11, 13)]
        for wrong, by, sentence in (('MPEGTS', 'X', 'line 2: .* is not a X-TIMESTAMP-MAP=LOCAL'),
                                    ('LOCAL:00:00:00.5', 'LOCAL:00:00:09.', 'goes from -6.0 to -4.0 s')):
            with pytest.raises(FormatError, match=sentence):
                read_transcript(given_file(tmp_path, 'a.vtt', text.replace(wrong, by)))

    def test_clocks_that_restart(self, tmp_path: Path) -> None:
        chunks = [(0, 14), (14, 29.5), (0, 28), (1, 3), (0.5, 20), (28, 1.5), (1.5, 9), (0, 29), (0, 9)]
        path = given_file(tmp_path, 'a.json', {'chunks': [
            {'timestamp': [*times], 'text': str(number)} for number, times in enumerate(chunks)]})
        with pytest.warns(UserWarning, match='3 of 9 lines start before the line above them.*--restarts'):
            read_transcript(path, skip_bad_cues=True)
        with pytest.warns(UserWarning, match='1 of 9 lines overlap the one before by more'):
            found = read_transcript(path, restarts=True)
        assert [line.start for line in found] == [0, 14, 30, 31, 60.5, 88, 91.5, 120, 150]
        assert found[5].end == 91.5

    def test_one_warning_for_many_files(self, tmp_path: Path) -> None:
        for name in 'abc':
            given_file(tmp_path, f'{name}.json', [{'text': 'x', 'start': 2, 'end': 1},
                                                  {'text': 'y', 'start': 2, 'end': 3}])
        with pytest.warns(UserWarning, match='3 of 6 lines cannot be read') as said:
            assert len(list(read_transcripts(f'{tmp_path}/*.json', skip_bad_cues=True))) == 3
        assert len(said) == 1 and said[0].filename == __file__


class TestDocuments:
    LINE = [{'text': 'One', 'start': 1, 'end': 2}, {'text': 'two', 'start': 2, 'end': 3}]

    def test_of_a_pattern(self, tmp_path: Path) -> None:
        for name in ('b.json', 'a talk: 100%.en.json', 'x.txt'):
            given_file(tmp_path, name, self.LINE)
        (tmp_path / 'c.json.gz').write_bytes(gzip.compress((tmp_path / 'b.json').read_bytes()))
        documents = list(read_transcripts(str(tmp_path / '*.json*')))
        assert [document['docno'] for document in documents] == ['a%20talk%3A%20100%25.en', 'b', 'c']
        lines = [Line(1, 2, 'One'), Line(2, 3, 'two')]
        assert all(document['transcript'] == lines and document['text'] == 'One two' for document in documents)
        assert next(iter(read_transcripts([tmp_path / 'b.json'], docno=lambda path: 'mine')))['docno'] == 'mine'

    def test_one_at_a_time(self, tmp_path: Path) -> None:
        given_file(tmp_path, 'a.json', self.LINE)
        given_file(tmp_path, 'b.json', 'broken')
        documents = read_transcripts(tmp_path / '*.json')
        assert next(documents)['docno'] == 'a' == next(read_transcripts(tmp_path))['docno']
        with pytest.raises(FormatError, match='the file is not JSON'):
            next(documents)

    def test_errors(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match=r'no file is named as .*\*\.vtt'):
            list(read_transcripts(str(tmp_path / '*.vtt')))
        (tmp_path / 'sub').mkdir()
        for folder in (tmp_path, tmp_path / 'sub'):
            given_file(folder, 'a.json', self.LINE)
        with pytest.raises(FormatError, match=r"its docno is 'a', as that of .*a\.json: give docno="):
            list(read_transcripts(str(tmp_path / '**' / '*.json')))


