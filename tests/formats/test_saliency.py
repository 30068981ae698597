"""Saliency scores of clips: what is read and refused."""

import json
from pathlib import Path
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.formats import SegmentScoredDoc
from ir_segmeasures.formats.moments import ClipQrel

JUDGED = {'qid': 7, 'vid': 'v', 'duration': 5.9, 'relevant_clip_ids': [1], 'saliency_scores': [[2, 3, 4]]}
PREDICTED = {'qid': 7, 'vid': 'v', 'pred_saliency_scores': [0.5, 0.75, 0.5]}


def put(path: Path, record: Any) -> Path:
    path.write_text(json.dumps(record) + '\n')
    return path


def test_rows(tmp_path: Path) -> None:
    assert formats.read_qrels(put(tmp_path / 'x', JUDGED), 'saliency') == [
        ClipQrel('7', 'v', 0, 2, 0, '0', 5.9), ClipQrel('7', 'v', 2, 4, 9, '0', 5.9, 2, 3, 4)]
    assert formats.read_run(put(tmp_path / 'x', PREDICTED), 'saliency') == [
        SegmentScoredDoc('7', 'v', place, place + 2, score, rank, score, None, None)
        for place, score, rank in ((0, .5, 2), (2, .75, 1), (4, .5, 3))]


def test_the_scores_of_workers_have_no_place_in_trec(tmp_path: Path, run: Any) -> None:
    found = run('convert', put(tmp_path / 'x', JUDGED), tmp_path / 'y', '--from', 'saliency', '--to', 'trec', '--kind',
                'qrels')
    assert found.err.endswith('y: duration, saliency_1, saliency_2, saliency_3\n')
    assert (tmp_path / 'y').read_text() == '7 0 v#t=0,2 0\n7 0 v#t=2,4 9\n'
