"""Judgements that stand twice are told with counts, as items are, and nothing is said of what stands once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ir_segmeasures import MAiSP, SegmentWarning, formats, segmeasures

QRELS = 'q 0 rec#t=10,20 1\nq 0 rec#t=30,40 0\nq 0 other#t=5,9 1\n'


def test_judgements_given_twice(run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels', tmp_path / 'run'
    items.write_text('q Q0 rec#t=12,18 1 3 x\n')
    for text, told in ((QRELS, False), (QRELS * 2, True), (QRELS + QRELS.splitlines(True)[1], False)):
        qrels.write_text(text)
        heard = run('evaluate', qrels, items, 'MAiSP').err
        assert ('2 of the 6 judgements repeat an earlier one, such as ' in heard) == told
        assert ('judgements repeat' in run('check', items, '--format', 'trec', '--qrels', qrels).out) == told
        assert run('evaluate', qrels, items, 'MAiSP', '--strict').code == told


@pytest.mark.parametrize('qrels, format', [('mediaeval-sh-2014/me14sh_search_testSet.qrel', 'sh-search'),
                                           ('moments/qvhighlights-val.jsonl.gz', 'moments')])
def test_a_tenth_of_real_judgements(qrels: str, format: str, shared_data: Path) -> None:
    judged = pd.DataFrame(formats.read_qrels(shared_data / qrels, format))
    relevant = judged[judged.relevance > 0]
    again = relevant[::10]
    segment = ['query_id', 'doc_id', 'start', 'end']
    # Of a segment with another grade beside, that is told.
    told = len(again[segment].merge(judged[segment].drop_duplicates(keep=False)))
    with pytest.warns(SegmentWarning, match=f'^{told} of the {len(judged) + len(again)} judgements repeat'):
        segmeasures.calc_aggregate([MAiSP], pd.concat([judged, again], ignore_index=True), relevant.assign(score=1.))
