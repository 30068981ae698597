"""The files of the TREC Podcasts Track: segments that are named by where they start."""

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from refusals import message

from ir_segmeasures import break_ties, formats, with_ids
from ir_segmeasures.formats import (
    SegmentQrel,
    SegmentScoredDoc,
    TrecQrel,
    WriteError,
    podcasts,
)

EPISODE = 'spotify:episode:0BrvXC9DNmicnpCtHmFltv'


@pytest.fixture(scope='module')
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that the examples of hypothesis write again and again."""
    return tmp_path_factory.mktemp('round') / 'file'


def test_blanks_and_tabs(write: Callable[..., Path]) -> None:
    path = write(f'9 0 {EPISODE}_2220.0 0\n\n9\t0\t{EPISODE}_2280.0\t4\r\n10 0 a_b_0.0 1\n10 0 a_0.1 2\n')
    assert podcasts.read_qrels(path) == formats.read_qrels(path, 'podcasts') == [
        SegmentQrel('9', EPISODE, 2220, 2340, 0), SegmentQrel('9', EPISODE, 2280, 2400, 4),
        SegmentQrel('10', 'a_b', 0, 120, 1), SegmentQrel('10', 'a', 0.1, 120.1, 2)]


def test_runs(write: Callable[..., Path]) -> None:
    path = write('9 Q0 a_60.0 x 0.5 mine\n10 Q0 a_0.0 1 3 mine\n9 Q0 b_0.0 1 2.5 mine\n9 Q0 c_0.0 2 0.5 mine\n')
    assert podcasts.read_run(path) == formats.read_run(path, 'podcasts') == [
        SegmentScoredDoc('9', 'a', 60, 180, 0.5, 2, 0.5, None, 'mine'),
        SegmentScoredDoc('10', 'a', 0, 120, 3, 1, 3, None, 'mine'),
        SegmentScoredDoc('9', 'b', 0, 120, 2.5, 1, 2.5, None, 'mine'),
        SegmentScoredDoc('9', 'c', 0, 120, 0.5, 3, 0.5, None, 'mine')]


@pytest.mark.parametrize('kind, line, keyword', [
    ('qrels', '9 0 a_0.0', 'the line has 3 fields'), ('run', '9 Q0 a_0.0 1 2', 'the line has 5 fields'),
    *(('qrels', f'9 0 a_0.0 {grade}', f'grade {grade!r} is not a whole') for grade in ('5', '-1', '1.0', 'x')),
    *(('qrels', f'9 0 {id} 1', f'{id!r} is not a segment')
      for id in (EPISODE, '_60.0', 'a_', 'a_x', 'a_-1', 'a_nan', 'a_1e15')),
    ('run', '9 Q0 a 1 2 r', "'a' is not a segment"), ('run', '9 Q0 a_0.0 1 inf r', "score 'inf' is not a finite")])
def test_errors(write: Callable[..., Path], kind: str, line: str, keyword: str) -> None:
    path = write(f'{"1 0 a_0.0 1" if kind == "qrels" else "1 Q0 a_0.0 1 1 r"}\n{line}\n')
    assert message(getattr(podcasts, f'read_{kind}'), path).startswith(f'file, line 2: {keyword}')


episodes = st.sampled_from([EPISODE, 'a_b', '7'])
starts = st.one_of(st.integers(0, 200).map(lambda minute: 60 * minute), st.floats(0, 1e5).map(lambda t: round(t, 3)))


@given(rows=st.lists(st.tuples(st.sampled_from(['9', '10']), episodes, starts, st.integers(0, 4), st.floats(-9, 9))))
def test_round_trips(path: Path, rows: list[Any]) -> None:
    judged = [SegmentQrel(query, episode, start, round(start + 120, 9), grade)
              for query, episode, start, grade, _ in rows]
    assert formats.write_qrels(judged, path, 'podcasts') == []
    assert formats.read_qrels(path, 'podcasts') == judged
    found = [SegmentScoredDoc(query, episode, start, round(start + 120, 9), score, 0, score, None, 'mine')
             for query, episode, start, _, score in rows]
    left_out = formats.write_run(found, path, 'podcasts')
    back = formats.read_run(path, 'podcasts')
    order = list(dict.fromkeys(row.query_id for row in found))
    ranked = sorted(found, key=lambda row: (order.index(row.query_id), -row.score))
    scores = [row.score for row in break_ties(ranked, 'order')]  # by which trec_eval has the same order
    assert left_out == (['run_score'] if scores != [row.score for row in ranked] else [])
    assert [row._replace(rank=0) for row in back] == [
        row._replace(score=score, run_score=score) for row, score in zip(ranked, scores)]
    formats.write_run(back, path, 'podcasts')
    assert formats.read_run(path, 'podcasts') == back


@pytest.mark.parametrize('row, sentence', [
    (TrecQrel('9', 'a#t=0,60', 1), 'the segment is 60.0 s long, but every segment of podcasts has 120 s, and only its '
                                   'start is written: cut it to that length'),
    (TrecQrel('9', 'a', 1), 'this is a whole document, but podcasts holds segments'),
    (TrecQrel('9', 'a#char=0,120', 1), "the unit is 'char', but segments of podcasts are in 't'"),
    (TrecQrel('9', 'a#t=0,120', 5), "grade '5' is not a whole number from 0 to 4"),
    (TrecQrel('9', 'a#t=0,120', 0.5), 'relevance 0.5 cannot be written, since podcasts has whole'),
])
def test_rows_that_cannot_be_written(tmp_path: Path, row: TrecQrel, sentence: str) -> None:
    with pytest.raises(WriteError) as caught:
        formats.write_qrels([row], tmp_path / 'x', 'podcasts')
    assert caught.value.sentence.startswith(f"query '9', {row.doc_id!r}: {sentence}")
    assert list(tmp_path.iterdir()) == []


class TestRealFile:
    @pytest.fixture
    def qrels(self, shared_data: Path) -> Path:
        return shared_data / 'trec-podcasts-2020' / '2020_test_qrels.list.gz'

    def test_counts(self, run: Any, qrels: Path, tmp_path: Path) -> None:
        rows = podcasts.read_qrels(qrels)
        assert len(rows) == 9426
        assert len({row.query_id for row in rows}) == 48
        assert len({row.doc_id for row in rows}) == 3421
        assert Counter(row.relevance for row in rows) == {0: 7330, 1: 956, 2: 630, 3: 338, 4: 172}
        assert all(row.start % 60 == 0 and row.end == row.start + 120 for row in rows)
        assert rows[0] == SegmentQrel('9', EPISODE, 2220, 2340, 0)
        args = '--from', 'podcasts', '--kind', 'qrels', '--to'
        assert run('convert', qrels, tmp_path / 'x', *args, 'podcasts') == (0, '', '')
        assert (tmp_path / 'x').read_bytes() == gzip.decompress(qrels.read_bytes())
        assert run('convert', qrels, tmp_path / 'x', *args, 'trec') == (0, '', '')
        assert (tmp_path / 'x').read_text().startswith(f'9 0 {EPISODE}#t=2220,2340 0\n')
        assert [row.doc_id for row in formats.read_qrels(tmp_path / 'x')] == [
            row.doc_id for row in with_ids(rows, 't')]



class TestTopics:
    def test_both_years(self, write: Callable[..., Path]) -> None:
        path = write('<?xml version="1.0"?>\n<topics>\n<topic><num>1</num>\n<query>black  holes</query>\n'
                     '<description>I want\nnews &amp; talk.</description></topic>\n'
                     '<topic><num>59</num><query>a recipe</query><type>known item</type>'
                     '<description>That one.</description></topic></topics>')
        topics = podcasts.read_topics(path)
        assert topics == [podcasts.PodcastTopic('1', 'black holes', '', 'I want news & talk.'),
                          podcasts.PodcastTopic('59', 'a recipe', 'known item', 'That one.')]
        assert topics[1].default_text() == 'a recipe'

    @pytest.mark.parametrize('topic, keyword', [
        ('<topic><num>2</num><description/></topic>', '<topic> has no <query>'),
        ('<topic><num>1</num><query/><description/></topic>', "topic '1' is already there")])
    def test_errors(self, write: Callable[..., Path], topic: str, keyword: str) -> None:
        content = f'<topics><topic><num>1</num><query>a</query><description>b</description></topic>\n{topic}</topics>'
        assert f', line 2: {keyword}' in message(podcasts.read_topics, write(content))
