"""Files of the campaigns as frames: every format, the official order both ways, and what pipelines write, checked."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from math import inf, nan
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import AgP_bep, MAiSP, checks, formats, sample, xinfAP
from ir_segmeasures.formats import FORMATS, WriteError
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.segments.segment import Segment, parse_segment

pt = pytest.importorskip('pyterrier')
pytest.importorskip('ir_segmeasures.pt.base')
S = pt.segments

os.environ['PT_TEST_TRANSFORMER_REPORTS'] = '0'  # no warnings that tests pass

# A small run in each format: ranks and scores that disagree, ties, gaps, and everything that it can hold.
RUNS = {
    'rttm': 'SPEAKER v1 1 10 10 <NA> <NA> q2 <NA> <NA>\n',
    'trec': 'q2 Q0 v1#t=10,20 1 3.5 me\nq1 Q0 shot1_1 9 -1 me\nq1 Q0 v2#t=0,5.5 2 3.5 me\nq1 Q0 w 3 3.5 me\n',
    'sh-search': 'q2 Q0 v1 1.00 2.00 1.05 7 0.5 me\nq1 Q0 v1 3.00 4.00 3.00 2 9 me\nq2 Q0 v2 0.05 0.07 0.05 3 0.5 me\n'
                 'q1 Q0 v1 1.00 2.30 1.00 1 8 me\n',
    'sh-linking': 'q2 Q0 v1 1.00 2.00 2 0.5 me\nq2 Q0 v2 0.05 0.07 1 0.25 me\nq1 Q0 v1 3.00 4.00 1 9 me\n',
    'sh-anchoring': 'v2 Q0 1.00 2.00 7 0.5 me\nv2 Q0 0.05 0.07 1 0.25 me\nv1 Q0 3.00 4.00 1 9 me\n',
    'genomics': '200 99 2 0.5 100 50 me\n200 100 2 0.75 7 1 me\n200 9 1 0.25 0 10 me\n201 9 1 0.5 0 10 me\n',
    'tvr': '{"video2idx": {"a": 7, "b": 9}, "VCMR": [{"desc_id": 1, "predictions": [[7, 0, 2.5, 1], [9, 4, 8, 0.5]]}]}',
    'ego4d-nlq': '{"results": [{"clip_uid": "c", "annotation_uid": "a", "query_idx": 1, "predicted_times": [[0, 2.5], '
                 '[4, 8]]}, {"clip_uid": "d", "annotation_uid": "b", "query_idx": 0, "predicted_times": [[3, 9]]}]}',
    'activitynet': '{"results": {"v": [{"label": "Long jump", "score": 0.5, "segment": [0, 2.5]}, {"label": "x", '
                   '"score": 0.75, "segment": [4, 8]}], "w": [{"label": "Long jump", "score": 0.75, "segment": [1, '
                   '3]}]}}',
    'saliency': '{"qid": 7, "vid": "v1", "pred_saliency_scores": [0.5, 0.75, 0.5]}\n',
    'answers': '{"v1>>>a>>>[0,5]": "From 0 to 4 s, then 00:12 - 00:14.", "v2>>>b>>>[7,9]": "7 - 8 s"}\n',
    'moments': '{"qid": 7, "vid": "v1", "pred_relevant_windows": [[0, 2.5, 0.5], [4, 8, 0.75], [1, 3, 0.75]]}\n'
               '{"qid": "b", "vid": "v2", "pred_relevant_windows": [[3, 9, 1]]}\n',
    'inex-fol': '2 Q0 d1 9 0.5 me 10 20\n2 Q0 d2 1 0.75 me X X\n1 Q0 d1 1 1.5 me 0 5\n2 Q0 d1 2 3 me 40 7\n',
    'inex-xml': '<inex-submission run-id="me"><topic topic-id="2"><result><file>a</file><path>/a[1]/b[2]</path>'
                '<rank>2</rank><rsv>0.5</rsv></result><result><file>a</file><fol offset="3" length="4"/><rank>1</rank>'
                '<rsv>0.25</rsv></result></topic></inex-submission>\n',
    'trecvid-avs': '<videoAdhocSearchResults><videoAdhocSearchRunResult pid="me">'
                   '<videoAdhocSearchTopicResult tNum="661"><item seqNum="3" shotId="shot1_2"/>'
                   '<item seqNum="1" shotId="shot7_9"/></videoAdhocSearchTopicResult>'
                   '<videoAdhocSearchTopicResult tNum="662"><item seqNum="1" shotId="shot1_2"/>'
                   '</videoAdhocSearchTopicResult></videoAdhocSearchRunResult></videoAdhocSearchResults>\n',
    'trecvid-search': '<videoSearchResults><videoSearchRunResult pid="me">'
                      '<videoSearchTopicResult tNum="0221"><item seqNum="3" shotId="shot1_2"/>'
                      '<item seqNum="1" shotId="shot7_9"/></videoSearchTopicResult>'
                      '</videoSearchRunResult></videoSearchResults>\n',
    'trecvid-2001': '<videoSearchResult tNum="5" pType="A" sType="K" sysId="me"><item seqNum="2" src="A.MPG" '
                    'start="1m" stop="1m1.5s"/><item seqNum="1" src="b.mpg" start="0s" stop="2s"/></videoSearchResult>',
    'csv': 'query,doc,start,end,score\nq2,v1,10,20,3.5\nq1,v2,0,5.5,3.5\nq1,w,0,9,3.5\n',
    'tsv': 'query\tdoc\tscore\nq2\tv1#t=10,20\t3.5\nq1\tw\t-1\n',
    'beir': '{"q2": {"v1#t=10,20": 3.5}, "q1": {"shot1_1": -1, "w": 3.5}}',
    'ranx': '{"q2": {"v1#t=10,20": 3.5}, "q1": {"shot1_1": -1, "w": 3.5}}',
    'msmarco': 'q2\tv1#t=10,20\t1\nq1\tshot1_1\t2\nq1\tw\t1\n',
    'podcasts': '9 Q0 ep:1_60.0 4 0.5 me\n8 Q0 ep:1_0.0 1 2 me\n9 Q0 ep:2_0.5 1 0.5 me\n9 Q0 ep:2_60.5 2 0.75 me\n',
    'trec-rag': '{"topic_id": "q2", "references": ["v1#1", "v1#2"], "answer": [{"text": "x", "citations": [1, 0]}]}\n',
}
QRELS = {
    'rttm': 'SPEAKER v1 1 10 10 <NA> <NA> q2 <NA> <NA>\n',
    'trec': 'q2 0 v1#t=10,20 2\nq1 7 shot1_1 -1\nq1 0 w 0.5\n',
    'sh-search': 'q2 Q0 v1 1.00 2.00 1\nq1 0 v1 3.00 4.00 0\n',
    'sh-linking': 'q2 Q0 v1 1.00 2.00 1\nq1 Q0 v1 3.00 4.00 0\n',
    'sh-known-item': 'q2 v1 1.00 2.00\nq1 v1 3.00 4.00\n',
    'sh-anchoring': 'v2 1.00 2.00 1\nv1 3.00 4.00 0\n',
    'genomics': '200\t99\t100\t50\tA B|C\n200\t9\t0\t10\t\n',
    'ego4d-nlq': '{"videos": [{"video_uid": "x", "clips": [{"clip_uid": "c", "video_start_sec": 0, "video_end_sec": '
                 '60, "annotations": [{"annotation_uid": "a", "language_queries": [{"query": "Where?", '
                 '"clip_start_sec": 0, "clip_end_sec": 2.5}, {"clip_start_sec": 4, "clip_end_sec": 8}]}]}]}]}',
    'activitynet': '{"database": {"v": {"subset": "validation", "duration": 60, "annotations": [{"label": "Long jump", '
                   '"segment": [0, 2.5]}]}, "w": {"subset": "training", "annotations": [{"label": "x", "segment": [1, '
                   '2]}]}}}',
    'saliency': '{"qid": 7, "vid": "v1", "duration": 5, "relevant_clip_ids": [1], "saliency_scores": [[2, 3, 4]]}\n',
    'tvr': '{"desc_id": 1, "vid_name": "a", "ts": [0, 2.5], "duration": 10, "desc": "x", "type": "v"}\n',
    'moments': '{"qid": 7, "vid": "v1", "duration": 150, "relevant_windows": [[0, 2.5], [4, 8]]}\n'
               '{"qid": 8, "vid": "v1", "relevant_windows": [[0, 2]]}\n',
    'inex-fol': '2 Q0 d1 30 100 12 10:20 50:10\n2 Q0 d2 0 70\n1 Q0 d1 0 100\n',
    'trecvid-shots': '661 0 shot1_2 1\n661 0 shot1_3 -1\n',
    'trecvid-strata': '1661 0 shot1_2 1 1\n1661 0 shot1_3 2 -1\n',
    'trecvid-avs': '1661 0 shot1_2 1 1\n1661 0 shot1_3 3 0\n',
    'trecvid-search': '0221 0 shot1_2 1\n0221 0 shot1_3 0\n',
    'csv': 'query,doc,grade\nq2,"v1#t=10,20",2\nq1,w,0\n',
    'tsv': 'query\tdoc\tgrade\nq2\tv1#t=10,20\t2\nq1\tw\t0\n',
    'beir': 'query-id\tcorpus-id\tscore\nq2\tv1#t=10,20\t2\nq1\tw\t0\n',
    'ranx': '{"q2": {"v1#t=10,20": 2}, "q1": {"w": 0}}',
    'msmarco': 'q2\t0\tv1#t=10,20\t2\nq1\t0\tw\t0\n',
    'podcasts': '9 0 ep:1_60.0 4\n8 0 ep:1_0.5 0\n',
}
EXTRAS = {'sh-search': {'run_score', 'jump_in', 'run'}, 'sh-linking': {'run_score', 'run'},
          'sh-anchoring': {'run_score', 'run'}, 'podcasts': {'run'},
          'genomics': {'run_score', 'run'}, 'inex-fol': {'run_score', 'run', 'no_passage'}, 'trecvid-avs': {'run'},
          'trecvid-search': {'run'},
          'inex-xml': {'run_score', 'run'}, 'trecvid-2001': {'run'}, 'tvr': {'run_score'}}


@pytest.fixture(scope='module')
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that the examples of hypothesis write again and again."""
    return tmp_path_factory.mktemp('examples') / 'run'


def written(text: str, path: Path) -> Path:
    path.write_text(text, encoding='utf-8')
    return path


def file_of(kind: str, format: str, path: Path) -> Path:
    """The small file in a format."""
    texts = RUNS if kind == 'run' else QRELS
    if format != 'parquet':
        return written(texts[format], path)
    pytest.importorskip('pyarrow', reason="pyarrow is not installed: pip install 'ir_segmeasures[scale]'")
    rows = getattr(formats, f'read_{kind}')(written(texts['trec'], path))
    getattr(formats, f'write_{kind}')(rows, path, format)
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
    @pytest.mark.parametrize('format', [name for name, format in FORMATS.items() if format.run])
    def test_every_format(self, format: str, tmp_path: Path) -> None:
        path = file_of('run', format, tmp_path / 'run')
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
        if FORMATS[format].run.write is None:
            return
        again = tmp_path / 'again.gz'
        if format == 'trecvid-2001':
            assert S.write_run(frame, again, format) == []
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
        rows = formats.inex.read_run(path, last='end')
        assert S.read_run(rows, 'inex-fol')['docno'].tolist() == ['d1#char=10,20']

    def test_rows_for_writers_that_know_more(self, tmp_path: Path) -> None:
        frame = S.read_run(written(RUNS['trecvid-avs'], tmp_path / 'run'), 'trecvid-avs')
        formats.trecvid.write_avs_run(S.rows_of(frame), tmp_path / 'run',
                                      attributes={'pid': 'we', 'priority': '1'})
        assert ' pid="we" priority="1"' in (tmp_path / 'run').read_text()
        assert ranking(S.read_run(tmp_path / 'run', 'trecvid-avs')) == ranking(frame)

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
            assert lost == ['features', *([] if of_row else ["the columns 'no no', 'class', '_x'"])]
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
    @pytest.mark.parametrize('format', [name for name, format in FORMATS.items() if format.qrels.write])
    def test_every_format_that_is_written(self, format: str, tmp_path: Path) -> None:
        path = file_of('qrels', format, tmp_path / 'qrels')
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

    def test_formats_with_qrels(self) -> None:
        assert QRELS.keys() - {'saliency', 'rttm'} | {'parquet'} == {
            name for name, format in FORMATS.items() if format.qrels.write}

    def test_columns_that_were_left_out(self, tmp_path: Path) -> None:
        frame = pd.DataFrame({'qid': ['q'], 'docno': ['v#t=60,90'], 'label': [1.0], 'score': [5.0]})
        S.write_qrels(frame.assign(iteration=[None]), tmp_path / 'qrels', 'sh-search')
        assert (tmp_path / 'qrels').read_text() == 'q 0 v 1.00 1.30 1\n'
        S.write_qrels(pt.model.to_ir_measures(frame), tmp_path / 'qrels')
        assert (tmp_path / 'qrels').read_text() == 'q 0 v#t=60,90 1\n'
        with pytest.raises(WriteError, match='the size of the document is not known, but every line of inex-fol has'):
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

    def test_unknown_format(self) -> None:
        with pytest.raises(ValueError, match=r"unknown format 'trec' of topics \(there are: tsv, sh-queries"):
            S.read_topics('x', 'trec')


def windows(cutter: Any, documents: list[dict[str, Any]]) -> Any:
    """A retriever of windows, by the number of words that they share with the query."""
    segments = cutter(documents)

    def retrieve(topics: pd.DataFrame) -> pd.DataFrame:
        found = topics[['qid', 'query']].merge(pd.DataFrame(segments), how='cross')
        pairs = zip(found['query'].str.lower(), found['text'].str.lower())
        found['score'] = [float(sum(word in query.split() for word in text.split())) for query, text in pairs]
        return pt.model.add_ranks(found[found['score'] > 0].reset_index(drop=True))
    return pt.apply.generic(retrieve)


def only(wanted: Callable[[Segment], bool]) -> Any:
    """Some of the segments."""
    return pt.apply.generic(lambda frame: frame[[wanted(parse_segment(id)) for id in frame['docno']]])


@pytest.fixture(scope='module')
def topics() -> pd.DataFrame:
    return pd.DataFrame([(query.query_id, query.text) for query in sample.queries()], columns=['qid', 'query'])


@pytest.fixture(scope='module')
def documents() -> list[dict[str, Any]]:
    return list(S.transcript_documents(sample.transcripts()))


class TestSubmissions:
    """What pipelines write passes ``ir_segmeasures check`` with the rules of the campaign."""

    @staticmethod
    def pipeline(format: str, documents: list[dict[str, Any]]) -> Any:
        timed = windows(S.sliding(60, 30), documents)
        # Shots, whole seconds: the last window of a recording ends between seconds.
        in_seconds = S.snap(lambda document: range(0, 600, 10))
        of_text = windows(S.sliding(400, 200, 'char'), documents)
        shots = timed >> pt.apply.docno(lambda row: f'shot{row["docno"].replace("#t=", "_").split(",")[0]}')
        return {
            'trec': timed,
            **dict.fromkeys(('parquet', 'csv', 'tsv', 'beir', 'ranx', 'msmarco'), timed),
            'sh-search': timed >> in_seconds >> S.no_overlap(),
            'sh-linking': timed >> in_seconds >> S.no_overlap() >> only(
                lambda segment: segment.document != 'bees-01' and segment.end - segment.start <= 120),
            'sh-anchoring': timed >> in_seconds >> S.no_overlap() >> pt.apply.qid(
                lambda row: row['docno'].split('#')[0]),
            'genomics': of_text,
            'inex-fol': of_text >> S.no_overlap(),
            'inex-xml': of_text >> S.no_overlap(),
            'moments': timed >> S.no_overlap() >> only(lambda segment: segment.document == 'bees-01'),
            'podcasts': windows(S.sliding(120, 60), documents) >> only(
                lambda segment: segment.end - segment.start == 120),
            'trecvid-avs': shots,
            'trecvid-search': shots,
            'trecvid-2001': timed,
            'tvr': timed >> S.no_overlap(),
            'activitynet': timed,
            'ego4d-nlq': timed >> S.no_overlap() >> only(lambda segment: segment.document == 'bees-01') >> pt.apply.qid(
                lambda row: f'{row["qid"]}_0'),
        }[format]

    @pytest.mark.parametrize('format', [name for name, format in FORMATS.items() if format.run and format.run.write])
    def test_every_format(self, format: str, topics: pd.DataFrame, documents: list[dict[str, Any]],
                          tmp_path: Path) -> None:
        if format in ('trecvid-2001', 'sh-anchoring'):
            topics = topics.iloc[:1]  # a file has one topic, and an anchor one segment
        result = self.pipeline(format, documents)(topics)
        assert len(result) > 20 or format in ('moments', 'trecvid-2001', 'sh-anchoring', 'ego4d-nlq')
        lost = S.write_run(result, tmp_path / 'run', format, run='mine')
        of_texts = {name: ['transcript'] for name in ('genomics', 'inex-fol', 'inex-xml')}
        nameless = {name: ['run'] for name in (
            'moments', 'tvr', 'ego4d-nlq', 'activitynet', 'parquet', 'csv', 'tsv', 'beir', 'ranx', 'msmarco')}
        assert lost == {**nameless, **of_texts}.get(format, [])
        assert ranking(S.read_run(tmp_path / 'run', format)) == ranking(result)
        others: dict[str, Any] = {'task': 'focused'} if format == 'inex-fol' else {}
        if format == 'sh-linking':
            others['anchors'] = written('<anchors>{}</anchors>'.format(''.join(
                f'<anchor><anchorId>{qid}</anchorId><fileName>bees-01</fileName><startTime>0.10</startTime>'
                '<endTime>0.50</endTime></anchor>' for qid in topics['qid'])), tmp_path / 'anchors')
            anchors = S.read_topics(others['anchors'], 'sh-anchors')
            assert anchors['query'].tolist() == ['bees-01#t=10,50'] * len(topics)
        if format in ('trec', 'sh-search', 'sh-linking', 'moments', 'trecvid-2001'):
            others['videos'] = written(''.join(
                f'{recording.doc_id} 00:{int(recording.duration) // 60 + 1:02}:00\n'
                for recording in sample.recordings()), tmp_path / 'videos')
        found = checks.check(tmp_path / 'run', format, **others)
        assert [finding.sentence for finding in found if not finding.is_warning] == []

    def test_parts_in_context(self, topics: pd.DataFrame, documents: list[dict[str, Any]], tmp_path: Path) -> None:
        parts = self.pipeline('inex-fol', documents)
        for pipeline, passes in ((parts >> S.in_context(), True), (parts, False)):
            S.write_run(pipeline(topics), tmp_path / 'run', 'inex-fol')
            found = checks.check(tmp_path / 'run', 'inex-fol', task='relevant-in-context')
            assert all(finding.is_warning for finding in found) is passes

    def test_the_check_sees_what_breaks_a_rule(self, topics: pd.DataFrame, documents: list[dict[str, Any]],
                                               tmp_path: Path) -> None:
        overlapping = (windows(S.sliding(60, 30), documents) >> S.snap(lambda document: range(0, 600, 10)))(topics)
        S.write_run(overlapping, tmp_path / 'run', 'sh-search')
        assert any('overlaps' in finding.sentence for finding in checks.check(tmp_path / 'run', 'sh-search'))


@pytest.mark.parametrize('name, format, count', [
    ('mediaeval-sh-2014/run-180-60-noover.txt.gz', 'sh-search', 15_825),
    ('trec-genomics-2007/run-ga-03.txt.gz', 'genomics', 7_000),
    ('inex-2010/run-mixed.txt.gz', 'inex-fol', 7_000),
    ('trecvid/run-avs-tv21.txt.gz', 'trec', 7_000),
])
def test_real_runs(name: str, format: str, count: int, shared_data: Path, tmp_path: Path) -> None:
    with gzip.open(shared_data / name, 'rt', encoding='latin-1') as file:
        path = written(''.join(islice(file, count)), tmp_path / 'run')  # all of the first
    frame, rows = S.read_run(path, format), formats.read_run(path, format)
    assert len(frame) == count
    assert ranking(frame) == official(rows, format)
    assert S.write_run(frame, path, format) == []

    def unnumbered(rows: Sequence[Any]) -> list[Any]:
        return [row._replace(rank=0, score=0) if hasattr(row, 'rank') else row for row in rows]
    assert unnumbered(formats.read_run(path, format)) == unnumbered(rows)
    assert all(finding.is_warning for finding in checks.check(path, format))


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


def test_jump_in_points_of_segments_that_changed(shared_data: Path, tmp_path: Path) -> None:
    frame = S.read_run(shared_data / 'mediaeval-sh-2014' / 'run-180-60-over.txt.gz', 'sh-search')[:5000]
    assert {'jump_in', 'run_score'} <= set(frame)
    trimmed = S.no_overlap('trim')(frame)
    assert not {'jump_in', 'run_score'} & set(trimmed)
    S.write_run(trimmed, tmp_path / 'run', 'sh-search')
    rows = formats.read_run(tmp_path / 'run', 'sh-search')
    assert len(rows) == len(trimmed) and all(row.jump_in == row.start for row in rows)
    stale = trimmed.assign(jump_in=frame['jump_in'].iloc[0])  # as they stood in results before
    S.write_run(stale, tmp_path / 'run', 'sh-search')
    found = [finding for finding in checks.check(tmp_path / 'run', 'sh-search') if 'jump-in' in finding.sentence]
    assert found and all(finding.is_warning for finding in found)


def test_a_real_evaluation(shared_data: Path) -> None:
    folder = shared_data / 'mediaeval-sh-2014'
    run, qrels = folder / 'run-180-60-noover.txt.gz', folder / 'me14sh_search_testSet.qrel'
    topics = S.read_topics(folder / 'me14sh_search_testSet_queries.xml', 'sh-queries')
    assert len(topics) == 36
    judged = S.read_qrels(qrels, 'sh-search')
    system = pt.Transformer.from_df(S.read_run(run, 'sh-search'))
    table = pt.Experiment([system], topics[topics['qid'].isin(judged['qid'])], judged, [MAiSP])
    expected = ir_measures.calc_aggregate([MAiSP], formats.read_qrels(qrels, 'sh-search'),
                                          formats.read_run(run, 'sh-search'))
    assert table.iloc[0][str(MAiSP)] == expected[MAiSP] > 0.1


class TestErrors:
    @pytest.mark.parametrize('frame, sentence', [
        ({'qid': ['q'], 'docno': ['v']}, r"the frame lacks 'score' \(it has qid, docno\): a run has qid, docno, score"),
        ({'query': ['q']}, r"the frame lacks 'qid', 'docno', 'score' \(it has query\)"),
        ({'qid': ['q'], 'query_id': ['q'], 'docno': ['v'], 'score': 1.0}, "the frame has several columns 'qid': give"),
        ({'qid': ['q', None], 'docno': ['v', 'w'], 'score': 1.0}, 'row 1 has no qid: give every row one'),
        ({'qid': ['q', 'q'], 'docno': [nan, 'w'], 'score': 1.0}, 'row 0 has no docno'),
        ({'qid': ['q'], 'docno': ['v#t=1,2'], 'score': [nan]}, "row 0: qid 'q', docno 'v#t=1,2': score nan is not"),
        ({'qid': ['q', 'q'], 'docno': ['v', 'v'], 'score': 1.0, 'start': [0, 4], 'end': [inf, 9]},
         "row 1 of the run: query 'q', document 'v': the docno has no fragment, but a column 'start' beside it, 4: "
         'write both times into the docno '
         r'with pt.segments.encode\(\) before this'),
        ({'qid': ['q', 'q'], 'docno': ['v#t=1,2', 'v'], 'score': 1.0},
         r"row 1: qid 'q', docno 'v': this is a whole document, but Search and Hyperlinking holds segments"),
        ({'qid': ['q'], 'docno': ['v#t=1,2.5'], 'score': 1.0}, r"row 0: qid 'q', docno 'v#t=1,2.5': end 2.5 cannot be"),
        ({'qid': ['q'], 'docno': ['v#t=1,2'], 'score': ['1']},
         r"row 0: qid 'q', docno 'v#t=1,2': the score '1' is no number: give every row a number, or convert a column "
         r"of text with frame.astype\(\{'score': float\}\)"),
        ({'qid': ['q', 'q'], 'docno': ['v#t=1,2', 'w'], 'score': [1, 'x']}, "row 1: qid 'q', docno 'w': the score 'x'"),
        ({'qid': ['q'], 'docno': ['v#t=1,2'], 'score': [None]}, r'row 0: .* the score None is no number'),
        ({'qid': ['q'], 'docno': ['v#char=1,2'], 'score': 1.0}, r"the unit is 'char', but segments of Search and"),
    ])
    def test_frames(self, frame: dict[str, Any], sentence: str, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=sentence):
            S.write_run(pd.DataFrame(frame), tmp_path / 'run', 'sh-search')
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize('ids, sentence', [
        (['v', 'd#t=5,1'], r"^row 1: qid 'q': segment id 'd#t=5,1' ends before it starts \(1 < 5\)"),
        (['a"b'], "^row 0: qid 'q': segment id 'a\"b' is empty or holds white space or a quotation mark"),
        (['v#t=1,2', 'w', 'v#t=1.0,2'], r"^row 2: the docno 'v#t=1.0,2' is already retrieved for 'q' in row 0, but an "
                                        r"item counts once: take one of the two out$"),
    ])
    def test_what_the_check_of_trec_refuses(self, ids: list[str], sentence: str, tmp_path: Path) -> None:
        frame = pd.DataFrame({'qid': 'q', 'docno': ids, 'score': 1.0})
        with pytest.raises(WriteError, match=sentence):
            S.write_run(frame, tmp_path / 'run')
        assert list(tmp_path.iterdir()) == []
        formats.write_run(S.rows_of(frame), tmp_path / 'run')  # whose ids are of any kind
        assert not all(finding.is_warning for finding in checks.check(tmp_path / 'run', 'trec'))

    def test_names_of_runs(self, tmp_path: Path) -> None:
        frame = pd.DataFrame({'qid': ['q'], 'docno': ['v'], 'score': [1.0], 'title': ['x']})
        with pytest.raises(ValueError, match="run=7: the name of a run is text, such as 'run7'"):
            S.write_run(frame, tmp_path / 'run', run=7)
        assert S.write_run(frame, tmp_path / 'run', run='run7') == ['title']

    def test_judgements_are_no_run(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"the frame lacks 'score' \(it has qid, docno, label\): a run has"):
            S.write_run(pd.DataFrame({'qid': ['q'], 'docno': ['v'], 'label': [1]}), tmp_path / 'run')

    def test_judgements(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"the frame lacks 'label' \(it has qid, docno, score\): judgements have"):
            S.write_qrels(pd.DataFrame({'qid': ['q'], 'docno': ['v'], 'score': [1]}), tmp_path / 'qrels')

    def test_formats(self, tmp_path: Path) -> None:
        frame = S.read_run(written(RUNS['trec'], tmp_path / 'run'))
        for call in (lambda: S.read_run(tmp_path / 'run', 'x'), lambda: S.read_qrels([], 'x'),
                     lambda: S.write_run(frame, tmp_path / 'run', 'x')):
            with pytest.raises(ValueError, match=r"unknown format 'x' \(there are: trec, csv"):
                call()
        with pytest.raises(ValueError, match="format 'vbs-dres' has judgements only, no runs"):
            S.read_run(tmp_path / 'run', 'vbs-dres')
        with pytest.raises(ValueError, match="format 'trecvid-shots' has judgements only, no runs"):
            S.write_run(frame, tmp_path / 'run', 'trecvid-shots')
        with pytest.raises(formats.FormatError, match='run, line 1: the line has 6 fields'):
            S.read_run(tmp_path / 'run', 'sh-search')
        assert (tmp_path / 'run').read_text() == RUNS['trec']
