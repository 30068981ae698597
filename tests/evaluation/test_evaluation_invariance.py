"""Figures do not depend on the order of the judgements, the shape, the types of columns, pickling or threads."""

import pickle
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ir_measures
import pandas as pd
import pytest

from ir_segmeasures import with_ids

MEASURES = [ir_measures.parse_measure(text) for text in (
    'T2I_AP(tau=1.5)', 'ESL(D=100000)', 'MAgP', 'MAiSP', 'AP_over', 'AP_bin(bin=0.7)', 'AiP', 'SegF',
    'P_cov', 'IoU_AP(iou=0.3)', 'mIoU_AP', 'Judged_over@5')]


def frames(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Qrels and a run with decimals, sums of decimals, repeats and overlaps."""
    draw = random.Random(seed)

    def place() -> tuple[str, str, float, float]:
        start = draw.randrange(60) / 10
        return f'q{draw.randrange(3)}', f'd{draw.randrange(2)}', start, start + draw.randrange(1, 20) / 10
    qrels = [(*place(), draw.randrange(3)) for _ in range(20)]
    run = [(*place(), -rank) for rank in range(30)]
    names = ['query_id', 'doc_id', 'start', 'end']
    return pd.DataFrame(qrels, columns=[*names, 'relevance']), pd.DataFrame(run, columns=[*names, 'score'])


def figures(qrels: Any, run: Any) -> dict[Any, float]:
    return {(metric.query_id, metric.measure): metric.value for metric in ir_measures.iter_calc(MEASURES, qrels, run)}


def both(change: Callable[[pd.DataFrame], Any]) -> Callable[[Any, Any], tuple[Any, Any]]:
    return lambda qrels, run: (change(qrels), change(run))


def typed(kind: str, *names: str) -> Callable[[Any, Any], tuple[Any, Any]]:
    return both(lambda frame: frame.astype(dict.fromkeys(names, kind)))


CHANGES = {
    'order of the qrels': lambda qrels, run: (qrels.sample(frac=1, random_state=5), run),
    'order of the run': lambda qrels, run: (qrels, run.sample(frac=1, random_state=5)),
    'ids': both(with_ids),
    'tuples': both(lambda frame: list(frame.itertuples(index=False))),
    'lengths': both(lambda frame: frame.assign(length=frame.end - frame.start).drop(columns='end')),
    'float32': lambda qrels, run: typed('float32', 'start', 'end')(qrels.round(6), run.round(6)),
    'Float32': lambda qrels, run: typed('Float32', 'start', 'end')(qrels.round(6), run.round(6)),
    'categories': typed('category', 'query_id', 'doc_id', 'start', 'end'),
    'strings': typed('string', 'query_id', 'doc_id'),
    'objects': typed('object', 'query_id', 'doc_id', 'start', 'end'),
    'strings of Arrow': typed('string[pyarrow]', 'query_id', 'doc_id'),
    'numbers of Arrow': typed('double[pyarrow]', 'start', 'end'),
    'columns in another order': both(lambda frame: frame[frame.columns[::-1]]),
    'pickled': both(lambda frame: pickle.loads(pickle.dumps(frame))),
}


@pytest.mark.parametrize('change', CHANGES)
@pytest.mark.parametrize('seed', range(3))
def test_the_same_figures(change: str, seed: int) -> None:
    qrels, run = frames(seed)
    expected = figures(qrels, run)
    assert figures(*CHANGES[change](qrels, run)) == pytest.approx(expected, rel=1e-12)
    assert any(0 < value < 1 for value in expected.values())


def test_whole_numbers_of_32_bits() -> None:
    qrels, run = frames(1)
    for frame in (qrels, run):
        frame[['start', 'end']] = (frame[['start', 'end']] * 10).round()
    assert figures(*typed('int32', 'start', 'end')(qrels, run)) == figures(qrels, run)


def test_batches_of_queries() -> None:
    qrels, run = frames(2)
    expected = figures(qrels, run)
    parts = [figures(qrels[qrels.query_id == query], run[run.query_id == query]) for query in set(qrels.query_id)]
    assert {key: value for part in parts for key, value in part.items()} == pytest.approx(
        expected, rel=1e-12)


def test_threads_share_an_evaluator() -> None:
    qrels, run = frames(0)
    evaluator = ir_measures.evaluator(MEASURES, qrels)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: evaluator.calc_aggregate(run), range(12)))
    assert all(values == found[0] for values in found)
    assert found[0] == ir_measures.calc_aggregate(MEASURES, qrels, run)
