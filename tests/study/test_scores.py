"""Measures of documents beside those of segments, for runs and qrels in the shapes of other libraries."""

from typing import Any

import pandas as pd
import pytest
from ir_measures import AP
from row_shapes import SHAPES

from ir_segmeasures import MAiSP, evaluate_runs, study

RUN = pd.DataFrame({'query_id': ['q1', 'q1', 'q2'], 'doc_id': ['a#t=1,5', 'c#t=3,7', 'b#t=2,4'], 'score': [2., 4., 1.]})
QRELS = pd.DataFrame({'query_id': ['q1', 'q2'], 'doc_id': ['a#t=1,5', 'b#t=2,4'], 'relevance': [1, 1]})
EXPECTED = {'MAiSP': 0.75, 'AP': 0.75}


def values(qrels: Any, run: Any) -> dict[str, float]:
    frame = evaluate_runs([MAiSP, AP], qrels, {'x': run})
    return dict(zip(frame['measure'], frame['value']))


@pytest.mark.parametrize('shape', SHAPES)
def test_many_runs(shape: str) -> None:
    pytest.importorskip('joblib')
    assert values(SHAPES[shape](QRELS), SHAPES[shape](RUN)) == EXPECTED


@pytest.mark.parametrize('shape', ['dicts', 'polars', 'datasets', 'dict of columns'])
def test_a_comparison(shape: str) -> None:
    pytest.importorskip('scipy')
    found = study.compare([MAiSP, AP], SHAPES[shape](QRELS), {'x': SHAPES[shape](RUN), 'y': SHAPES[shape](RUN[:1])})
    assert {str(measure): found.row('x', measure).mean for measure in (MAiSP, AP)} == EXPECTED


def test_ranx() -> None:
    pytest.importorskip('joblib')
    ranx = pytest.importorskip('ranx')
    run = {query: dict(zip(rows['doc_id'], rows['score'])) for query, rows in RUN.groupby('query_id')}
    qrels = {query: dict(zip(rows['doc_id'], rows['relevance'])) for query, rows in QRELS.groupby('query_id')}
    assert values(ranx.Qrels(qrels), ranx.Run(run)) == values(qrels, ranx.Run(run)) == EXPECTED


def test_what_has_no_shape() -> None:
    pytest.importorskip('joblib')
    with pytest.raises(TypeError, match='the qrels is a int: give a DataFrame'):
        values(3, RUN)
    with pytest.raises(ValueError, match=r'the run lacks .*doc_id'):
        values(QRELS, [{'qid': 'q', 'docno': 'a', 'score': 1}])
