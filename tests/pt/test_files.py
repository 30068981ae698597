"""Files of the campaigns as frames: every format, the official order both ways, and what pipelines write, checked."""

import os
import subprocess
import sys
from collections.abc import Sequence
from math import inf, nan
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import AgP_bep, checks, formats, xinfAP
from ir_segmeasures.formats import FORMATS, WriteError
from ir_segmeasures.ids.encoding import with_ids

pt = pytest.importorskip('pyterrier')
pytest.importorskip('ir_segmeasures.pt.base')
S = pt.segments

os.environ['PT_TEST_TRANSFORMER_REPORTS'] = '0'  # no warnings that tests pass

# A small run in each format: ranks and scores that disagree, ties, gaps, and everything that it can hold.
RUNS = {
    'trec': 'q2 Q0 v1#t=10,20 1 3.5 me\nq1 Q0 shot1_1 9 -1 me\nq1 Q0 v2#t=0,5.5 2 3.5 me\nq1 Q0 w 3 3.5 me\n',
    'sh-search': 'q2 Q0 v1 1.00 2.00 1.05 7 0.5 me\nq1 Q0 v1 3.00 4.00 3.00 2 9 me\nq2 Q0 v2 0.05 0.07 0.05 3 0.5 me\n'
                 'q1 Q0 v1 1.00 2.30 1.00 1 8 me\n',
    'moments': '{"qid": 7, "vid": "v1", "pred_relevant_windows": [[0, 2.5, 0.5], [4, 8, 0.75], [1, 3, 0.75]]}\n'
               '{"qid": "b", "vid": "v2", "pred_relevant_windows": [[3, 9, 1]]}\n',
    'inex-fol': '2 Q0 d1 9 0.5 me 10 20\n2 Q0 d2 1 0.75 me X X\n1 Q0 d1 1 1.5 me 0 5\n2 Q0 d1 2 3 me 40 7\n',
    'trecvid-avs': '<videoAdhocSearchResults><videoAdhocSearchRunResult pid="me">'
                   '<videoAdhocSearchTopicResult tNum="661"><item seqNum="3" shotId="shot1_2"/>'
                   '<item seqNum="1" shotId="shot7_9"/></videoAdhocSearchTopicResult>'
                   '<videoAdhocSearchTopicResult tNum="662"><item seqNum="1" shotId="shot1_2"/>'
                   '</videoAdhocSearchTopicResult></videoAdhocSearchRunResult></videoAdhocSearchResults>\n',
}
QRELS = {
    'trec': 'q2 0 v1#t=10,20 2\nq1 7 shot1_1 -1\nq1 0 w 0.5\n',
    'sh-search': 'q2 Q0 v1 1.00 2.00 1\nq1 0 v1 3.00 4.00 0\n',
    'moments': '{"qid": 7, "vid": "v1", "duration": 150, "relevant_windows": [[0, 2.5], [4, 8]]}\n'
               '{"qid": 8, "vid": "v1", "relevant_windows": [[0, 2]]}\n',
    'inex-fol': '2 Q0 d1 30 100 12 10:20 50:10\n2 Q0 d2 0 70\n1 Q0 d1 0 100\n',
    'trecvid-avs': '1661 0 shot1_2 1 1\n1661 0 shot1_3 3 0\n',
}
EXTRAS = {'sh-search': {'run_score', 'jump_in', 'run'},
          'inex-fol': {'run_score', 'run', 'no_passage'}, 'trecvid-avs': {'run'}}


@pytest.fixture(scope='module')
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that the examples of hypothesis write again and again."""
    return tmp_path_factory.mktemp('examples') / 'run'


def written(text: str, path: Path) -> Path:
    path.write_text(text, encoding='utf-8')
    return path


def ranking(frame: pd.DataFrame) -> dict[str, list[str]]:
    """Query → its ids in rank order, ties in the order of the rows."""
    ordered = frame.sort_values('score', ascending=False, kind='stable')
    return {qid: rows['docno'].tolist() for qid, rows in ordered.groupby('qid')}


def official(rows: Sequence[Any], format: str) -> dict[str, list[str]]:
    """The same of the rows of a reader."""
    found: dict[str, list[str]] = {}
    if hasattr(rows[0], 'end'):
        rows = with_ids(rows, FORMATS[format].unit or 't')
    for row in sorted(rows, key=lambda row: -row.score):
        found.setdefault(row.query_id, []).append(row.doc_id)
    return dict(sorted(found.items()))


class TestRuns:
    @pytest.mark.parametrize('format', RUNS)
    def test_every_format(self, format: str, tmp_path: Path) -> None:
        path = written(RUNS[format], tmp_path / 'run')
        frame, rows = S.read_run(path, format), formats.read_run(path, format)
        assert list(frame)[:4] == ['qid', 'docno', 'score', 'rank']
        assert set(frame) - set(list(frame)[:4]) == EXTRAS.get(format, set())
        assert ranking(frame) == official(rows, format)
        for _, of in frame.groupby('qid'):
            assert of.sort_values('rank')['docno'].tolist() == ranking(of)[of['qid'].iloc[0]]
            assert sorted(of['rank']) == list(range(len(of)))
        for name in EXTRAS.get(format, ()):
            assert frame[name].tolist() == [getattr(row, name) for row in rows]
        assert frame['score'].dtype == float
        again = tmp_path / 'again.gz'
        assert S.write_run(frame, again, format) == []
        pd.testing.assert_frame_equal(
            ordered(S.read_run(again, format)), ordered(frame), check_exact=True)
        # From an order of rows, and ranks, that say nothing.
        mixed = frame.iloc[::-1] if not frame.duplicated(['qid', 'score']).any() else frame
        S.write_run(mixed.assign(rank=0), again, format)
        assert ranking(S.read_run(again, format)) == ranking(frame)

    def test_by_hand(self, tmp_path: Path) -> None:
        frame = S.read_run(written(RUNS['sh-search'], tmp_path / 'run'), 'sh-search')
        assert frame.drop(columns='run').values.tolist() == [
            ['q2', 'v2#t=5,7', -3, 0, 0.5, 5], ['q2', 'v1#t=60,120', -7, 1, 0.5, 65],
            ['q1', 'v1#t=60,150', -1, 0, 8, 60], ['q1', 'v1#t=180,240', -2, 1, 9, 180]]
        assert S.write_run(frame, tmp_path / 'run', 'sh-search', run='other') == []
        assert (tmp_path / 'run').read_text() == (
            'q2 Q0 v2 0.05 0.07 0.05 1 0.5 other\nq2 Q0 v1 1.00 2.00 1.05 2 0.5 other\n'
            'q1 Q0 v1 1.00 2.30 1.00 1 8.0 other\nq1 Q0 v1 3.00 4.00 3.00 2 9.0 other\n')
        assert S.write_run(frame, tmp_path / 'run', 'trec') == ['run_score', 'jump_in']
        assert S.write_run(frame.drop(columns=['jump_in', 'run', 'run_score']), tmp_path / 'run', 'sh-search') == []
        assert (tmp_path / 'run').read_text().splitlines()[1] == 'q2 Q0 v1 1.00 2.00 1.00 2 -7.0'

    def test_rows_that_were_read_with_more_than_a_path(self, tmp_path: Path) -> None:
        path = written('2 Q0 d1 1 9 me 10 20\n', tmp_path / 'run')
        assert S.read_run(path, 'inex-fol')['docno'].tolist() == ['d1#char=10,30']
        rows = [row._replace(end=20) for row in formats.inex.read_run(path)]
        assert S.read_run(rows, 'inex-fol')['docno'].tolist() == ['d1#char=10,20']

    @given(drawn=st.lists(st.tuples(st.sampled_from('ab'), st.integers(0, 9), st.sampled_from((0.5, 1, 2.25)))))
    def test_ties_stay_in_the_order_of_the_rows(self, drawn: list[tuple[str, int, float]], path: Path) -> None:
        frame = pd.DataFrame([(qid, f'v#t={start},{start + 1}', score) for qid, start, score in drawn],
                             columns=['qid', 'docno', 'score']).astype({'score': np.float32})
        for format in ('sh-search', 'moments', 'trec'):
            if format == 'trec':  # where an item counts once
                frame = frame.drop_duplicates(['qid', 'docno'])
            S.write_run(frame, path, format)
            assert ranking(S.read_run(path, format)) == ranking(frame)

    def test_what_a_pipeline_leaves_in_a_frame(self, tmp_path: Path) -> None:
        frame = pd.DataFrame({
            'qid': [7, 7], 'query': 'x', 'docno': ['v#t=0,60', 'v#t=60,90'], 'score': np.array([1, 2], np.float32),
            'rank': [1, 0], 'text': 'y', 'start': [5, nan], 'end': [nan, 7], 'features': [np.ones(2), np.ones(2)],
            'jump_in': [nan, 61.0], 'run': [None, 7], 'run_score': [nan, 3.0], 'no no': 1, 'class': 2, '_x': 3})
        rows = S.rows_of(frame)
        assert rows[0]._fields == ('query_id', 'doc_id', 'score', 'features', 'jump_in', 'run', 'run_score')
        assert rows[0][:3] == ('7', 'v#t=0,60', 1.0) and rows[0][4:] == (None, None, None)
        assert rows[1][4:] == (61.0, '7', 3.0)
        for results in (frame.drop(columns='run_score'), frame.drop(columns='run_score').to_dict('records'),
                        S.rows_of(frame.drop(columns=['run_score', 'run']))):
            lost = S.write_run(results, tmp_path / 'run', 'sh-search', run='me')
            of_row = isinstance(results, list) and hasattr(results[0], '_fields')  # which have no other names
            assert lost == ['features'] if of_row else ['features', 'no no', 'class', '_x']
            assert (tmp_path / 'run').read_text() == '7 Q0 v 1.00 1.30 1.01 1 2.0 me\n7 Q0 v 0.00 1.00 0.00 2 1.0 me\n'

    def test_nothing_retrieved(self, tmp_path: Path) -> None:
        for rows in (pd.DataFrame(columns=['qid', 'docno', 'score']), []):
            assert S.write_run(rows, tmp_path / 'run') == []
            empty = S.read_run(tmp_path / 'run')
            assert list(empty) == ['qid', 'docno', 'score', 'rank'] and len(empty) == 0
            assert len(S.no_overlap()(empty)) == 0
        assert list(S.read_qrels(tmp_path / 'run')) == ['qid', 'docno', 'label']
        assert S.write_qrels([], tmp_path / 'run') == []
        assert S.read_run(tmp_path / 'run', 'sh-search')['score'].dtype == np.float64


def ordered(frame: pd.DataFrame) -> pd.DataFrame:
    """Query by query, by rank, with ranks for scores, which writers number anew."""
    frame = frame.sort_values(['qid', 'rank']).reset_index(drop=True)
    return frame.drop(columns='score')[sorted(set(frame) - {'score'})]


class TestQrels:
    @pytest.mark.parametrize('format', QRELS)
    def test_every_format_that_is_written(self, format: str, tmp_path: Path) -> None:
        path = written(QRELS[format], tmp_path / 'qrels')
        frame, rows = S.read_qrels(path, format), formats.read_qrels(path, format)
        assert list(frame)[:3] == ['qid', 'docno', 'label']
        given = with_ids(rows, FORMATS[format].unit or 't')
        assert frame[['qid', 'docno', 'label']].values.tolist() == [list(row[:2]) + [row.relevance] for row in given]
        for name in set(frame) - {'qid', 'docno', 'label'}:
            values = [None if value != value else value for value in frame[name].tolist()]
            assert values == [getattr(row, name) for row in rows]
        assert S.write_qrels(frame, tmp_path / 'again', format) == []
        pd.testing.assert_frame_equal(S.read_qrels(tmp_path / 'again', format), frame)
        assert list(formats.read_qrels(tmp_path / 'again', format)) == list(rows)
        assert all(finding.is_warning for finding in checks.check(tmp_path / 'again', format, 'qrels'))

    def test_columns_that_were_left_out(self, tmp_path: Path) -> None:
        frame = pd.DataFrame({'qid': ['q'], 'docno': ['v#t=60,90'], 'label': [1.0], 'score': [5.0]})
        S.write_qrels(frame.assign(iteration=[None]), tmp_path / 'qrels', 'sh-search')
        assert (tmp_path / 'qrels').read_text() == 'q 0 v 1.00 1.30 1\n'
        S.write_qrels(pt.model.to_ir_measures(frame), tmp_path / 'qrels')
        assert (tmp_path / 'qrels').read_text() == 'q 0 v#t=60,90 1\n'
        with pytest.raises(WriteError, match='doc_size None'):
            S.write_qrels(frame.assign(docno='v#char=6,9'), tmp_path / 'qrels', 'inex-fol')

    def test_measures_see_the_columns_beside(self, tmp_path: Path) -> None:
        for format, measure in (('inex-fol', AgP_bep), ('trecvid-avs', xinfAP)):
            run, qrels = written(RUNS[format], tmp_path / 'run'), written(QRELS[format], tmp_path / 'qrels')
            frame = S.read_run(run, format)
            topics = pd.DataFrame({'qid': frame['qid'].unique(), 'query': 'x'})
            judged = S.read_qrels(qrels, format)
            table = pt.Experiment([pt.Transformer.from_df(frame)], topics[topics['qid'].isin(judged['qid'])], judged,
                                  [measure], perquery=True)
            expected = {metric.query_id: metric.value for metric in ir_measures.iter_calc(
                [measure], formats.read_qrels(qrels, format), formats.read_run(run, format))}
            assert dict(zip(table['qid'], table['value'])) == expected
            assert 0 < max(expected.values())


class TestTopics:
    @pytest.mark.parametrize('format, text, expected', [
        ('tsv', 'q2\tbees  and hives\nq1\tbread\n', [('q2', 'bees  and hives'), ('q1', 'bread')]),
        ('sh-queries', '<topics><top><queryId>q</queryId><queryText>bees</queryText></top></topics>', [('q', 'bees')]),
        ('sh-anchors', '<anchors><anchor><anchorId>a</anchorId><fileName>v</fileName><startTime>1.05</startTime>'
                       '<endTime>2.00</endTime></anchor></anchors>', [('a', 'v#t=65,120')]),
    ])
    def test_formats(self, format: str, text: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
        frame = S.read_topics(written(text, tmp_path / 'topics'), format)
        assert list(frame) == ['qid', 'query']
        assert list(frame.itertuples(index=False, name=None)) == expected


def test_import() -> None:
    """`import pyterrier`, which loads our entry point, loads neither transformers nor what only some of them need, nor
    tables."""
    code = ('import sys, pyterrier as pt; '
            'assert "ir_segmeasures.pt" in sys.modules and "sliding" in dir(pt.segments); '
            'print([name for name in sys.modules if name.partition(".")[0] in ("ir_datasets", "lxml", "scipy") '
            'or name.startswith(("ir_segmeasures.pt.", "ir_segmeasures.formats.", "ir_segmeasures.checks", '
            '"ir_segmeasures.segments.warnings", "ir_segmeasures.segments.tables.table"))])')
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, '[]\n'), result.stderr


class TestErrors:
    @pytest.mark.parametrize('frame, sentence', [
        ({'qid': ['q'], 'docno': ['v']}, 'the frame has the columns qid, docno: a run has qid, docno, score'),
        ({'qid': ['q'], 'docno': ['v'], 'label': [1]}, 'label: a run has'),
        ({'qid': ['q'], 'query_id': ['q'], 'docno': ['v'], 'score': 1.0}, "several columns 'query_id'"),
        ({'qid': ['q', None], 'docno': ['v', 'w'], 'score': 1.0}, 'row 1 of the run: the query_id'),
        ({'qid': ['q', 'q'], 'docno': [nan, 'w'], 'score': 1.0}, 'row 0 of the run: the doc_id'),
        ({'qid': ['q'], 'docno': ['v#t=1,2'], 'score': [nan]}, 'row 0 .* the score is missing'),
        ({'qid': ['q', 'q'], 'docno': ['v#t=1,2', 'w'], 'score': [1, 'x']}, "row 1 .* the score 'x' is not a number"),
        ({'qid': ['q', 'q'], 'docno': ['v', 'd#t=5,1'], 'score': 1.0}, 'row 1 .* ends before it starts'),
        ({'qid': ['q', 'q'], 'docno': ['v', 'v'], 'score': 1.0, 'start': [0, 4], 'end': [inf, 9]},
         r"row 1 .*'v': the docno has no fragment, but a column 'start' beside it, 4: .*pt\.segments\.encode\(\)"),
        ({'qid': ['q', 'q'], 'docno': ['v#t=1,2', 'v'], 'score': 1.0}, "row 1: .*'v': this is a whole document"),
        ({'qid': ['q'], 'docno': ['v#t=1,2.5'], 'score': 1.0}, "row 0: .*'v#t=1,2.5': end 2.5 cannot be"),
        ({'qid': ['q'], 'docno': ['v#char=1,2'], 'score': 1.0}, "the unit is 'char'"),
    ])
    def test_frames(self, frame: dict[str, Any], sentence: str, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=sentence):
            S.write_run(pd.DataFrame(frame), tmp_path / 'run', 'sh-search')
        assert list(tmp_path.iterdir()) == []

    def test_formats(self, tmp_path: Path) -> None:
        frame = S.read_run(written(RUNS['trec'], tmp_path / 'run'))
        for call in (lambda: S.read_run(tmp_path / 'run', 'x'), lambda: S.read_qrels([], 'x'),
                     lambda: S.write_run(frame, tmp_path / 'run', 'x')):
            with pytest.raises(ValueError, match="unknown format 'x'"):
                call()
        with pytest.raises(ValueError, match="format 'vbs-dres' has judgements only, no runs"):
            S.read_run(tmp_path / 'run', 'vbs-dres')
        with pytest.raises(ValueError, match="format 'trecvid-shots' has judgements only, no runs"):
            S.write_run(frame, tmp_path / 'run', 'trecvid-shots')
        with pytest.raises(formats.FormatError, match='run, line 1: the line has 6 fields'):
            S.read_run(tmp_path / 'run', 'sh-search')
        assert (tmp_path / 'run').read_text() == RUNS['trec']
