"""Warnings point at the line that called us, whatever stands between."""

import gzip
import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest

from ir_segmeasures import MAiSP, formats, segmeasures
from ir_segmeasures.study import compare

QRELS, RUN = {'q1': {'rec#t=0,60': 1}}, {'q2': {'rec#t=0,60': 1.5}}
REVERSED = ''.join(f'q1 Q0 rec#t={rank},{rank + 1} {rank} {rank * 0.5} x\n' for rank in range(1, 12))


def of_pyterrier(_: Path) -> Any:
    pt = pytest.importorskip('pyterrier')
    topics = pd.DataFrame([('q1', 'bees')], columns=['qid', 'query'])
    qrels = pd.DataFrame([('q1', 'rec#t=0,60', 1)], columns=['qid', 'docno', 'label'])
    run = pd.DataFrame([('q1', 'rec.mp4#t=0,60', 1.5, 0)], columns=['qid', 'docno', 'score', 'rank'])
    pt.segments.experiment([run], topics, qrels, [MAiSP], names=['one'])
    return pt.Experiment([run], topics, qrels, [MAiSP])


def packed(path: Path) -> Path:
    file = path / 'reversed.run.gz'
    with gzip.open(file, 'wt') as out:
        out.write(REVERSED)
    return file


@pytest.mark.parametrize('call', [
    lambda path: ir_measures.calc_aggregate([MAiSP], QRELS, RUN),
    lambda path: list(ir_measures.iter_calc([MAiSP], QRELS, RUN)),
    lambda path: MAiSP.calc_aggregate(QRELS, RUN),
    lambda path: segmeasures.evaluator([MAiSP], QRELS).calc_aggregate(RUN),
    lambda path: compare([MAiSP], QRELS, {'one': RUN, 'other': RUN}),
    lambda path: formats.read_run(packed(path)),
    lambda path: formats.read_run(packed(path), 'trec'),
    of_pyterrier,
])
def test_the_line_of_the_user(call: Callable[[Path], Any], tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        call(tmp_path)
    lines, first = inspect.getsourcelines(call)
    assert found
    for warning in found:
        assert warning.filename == __file__
        assert first <= warning.lineno < first + len(lines)


def test_a_sentence_comes_once_for_a_line() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('default')
        for _ in range(3):
            MAiSP.calc_aggregate(QRELS, RUN)
    assert len(found) == 1
