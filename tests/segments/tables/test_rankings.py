"""Rankings of other queries, few answers and ranks as scores are told, and nothing is said of bad systems."""

import random
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ir_segmeasures import T2I_AP, MAiSP, SegmentWarning, formats, segmeasures


def said(qrels: pd.DataFrame, run: pd.DataFrame, measure: Any = T2I_AP) -> list[str]:
    """The sentences of all warnings of an evaluation."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter('always')
        segmeasures.calc_aggregate([measure], qrels, run)
    assert all(warning.category is SegmentWarning for warning in heard)
    return [str(warning.message) for warning in heard]


@pytest.fixture(scope='module', params=['mediaeval-sh-2014', 'trec-genomics-2007', 'qvhighlights'])
def tables(request: pytest.FixtureRequest, shared_data: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The qrels and the run of a real collection."""
    qrels, run, format = {
        'mediaeval-sh-2014': ('me14sh_search_testSet.qrel', 'run-180-60-noover.txt.gz', 'sh-search'),
        'trec-genomics-2007': ('gold-standard-07.txt.gz', 'run-ga-01.txt.gz', 'genomics'),
        'qvhighlights': ('val-windows.jsonl.gz', 'predictions.jsonl.gz', 'moments')}[request.param]
    folder = shared_data / request.param
    items = pd.DataFrame(formats.read_run(folder / run, format))
    return pd.DataFrame(formats.read_qrels(folder / qrels, format)), items[items.start < items.end]


def test_right_rankings_are_silent(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    assert said(*tables) == []
    assert said(*tables, MAiSP) == []


def test_queries_moved_by_one(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    queries = list(dict.fromkeys(run.query_id))
    moved = dict(zip(queries, queries[1:] + queries[:1]))
    sentence, = said(qrels, run.assign(query_id=run.query_id.map(moved)))
    assert sentence.startswith('the rankings seem to be of other queries: that of ')


def test_a_system_that_finds_nothing_is_no_other_query(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    documents = list(run.doc_id)
    random.Random(7).shuffle(documents)
    assert said(qrels, run.assign(doc_id=documents)) == []


def test_few_of_the_judged_queries(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    queries = sorted(set(qrels.query_id) & set(run.query_id))
    count = len(set(qrels.query_id))
    sentence, = said(qrels, run[run.query_id.isin(queries[:3])])
    assert sentence.startswith(f'the run has 3 of the {count} judged queries and none for {count - 3}, such as ')
    assert said(qrels, run[run.query_id.isin(queries[:count // 2 + 1])]) == []


def test_ranks_in_the_place_of_scores(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    rank = run.groupby('query_id', sort=False).cumcount() + 1
    run = run.drop(columns='rank')
    sentence, = said(qrels, run.assign(score=rank))
    assert sentence.startswith(f'the scores of all {len(run)} items of the run count up from 1 in the order of')
    assert said(qrels, run.assign(score=-rank)) == []
    assert said(qrels, run.assign(score=rank)[::-1]) == []


def test_items_without_length(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    points = run.assign(end=run.start)
    assert said(qrels, points) == []  # entry points
    sentence, = said(qrels, points, MAiSP)
    assert sentence.startswith('all ')
    assert 'items of the run in judged queries have no length, such as that at' in sentence


def test_lengths_that_are_ends(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    lengths = run.assign(length=run.end - run.start).drop(columns='end')
    assert said(qrels, lengths) == []
    sentence, = said(qrels, run.rename(columns={'end': 'length'}))
    assert sentence.endswith("as if 'length' held the end: name the column 'end' if it does")


def test_a_run_and_qrels_that_are_swapped(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    judged = run.assign(relevance=run.groupby('query_id').score.rank()).drop(columns='score')
    found = qrels.assign(score=qrels.relevance.clip(upper=3)).drop(columns='relevance')
    assert sum('the run and the qrels seem to be swapped' in sentence for sentence in said(judged, found)) == (
        judged.relevance.nunique() >= 20)
