"""The sample collection: consistent, and its two runs of clearly different quality."""

from collections import defaultdict

import pytest

from ir_segmeasures import T2I_MAP, MAgP, MAiSP, formats, parse_segment, sample, segmeasures


def test_counts() -> None:
    assert len(sample.recordings()) == 20
    assert len(sample.queries()) == 10
    assert len(sample.transcripts()) == 308


def test_transcripts_are_in_order_and_within_their_recordings() -> None:
    durations = {recording.doc_id: recording.duration for recording in sample.recordings()}
    lines = defaultdict(list)
    for line in sample.transcripts():
        assert line.start < line.end <= durations[line.doc_id]
        assert line.text
        assert not lines[line.doc_id] or lines[line.doc_id][-1].end <= line.start
        lines[line.doc_id].append(line)
    assert set(lines) == set(durations)


def test_judgements_are_whole_sentences() -> None:
    starts = {(line.doc_id, line.start) for line in sample.transcripts()}
    ends = {(line.doc_id, line.end) for line in sample.transcripts()}
    judged = formats.read_qrels(sample.path('qrels.txt'))
    for qrel in judged:
        segment = parse_segment(qrel.doc_id)
        assert (segment.document, segment.start) in starts
        assert (segment.document, segment.end) in ends
    assert {qrel.query_id for qrel in judged if qrel.relevance > 0} == {query.query_id for query in sample.queries()}
    assert {qrel.relevance for qrel in judged} == {0, 1, 2}


@pytest.mark.parametrize('measure', [T2I_MAP(tau=15), MAgP, MAiSP], ids=str)
def test_the_good_run_is_better(measure: object) -> None:
    qrels = formats.read_qrels(sample.path('qrels.txt'))
    good, poor = (segmeasures.calc_aggregate([measure], qrels, formats.read_run(sample.path(f'{name}.run')))[measure]
                  for name in ('good', 'poor'))
    assert poor * 1.5 < good < 1


def test_an_unknown_file() -> None:
    with pytest.raises(ValueError, match='no file'):
        sample.path('bad.run')
