"""Rankings of other queries, few answers and ranks as scores are told, and nothing is said of bad systems."""

import random
import re
import warnings
from collections.abc import Callable
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
    assert sentence.startswith('the rankings of ')


@pytest.mark.parametrize('part', [1, 2])
def test_queries_in_a_random_order(part: int, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    queries = list(dict.fromkeys(run.query_id))[::part]
    others = queries[:]
    random.Random(3).shuffle(others)
    moved = run.query_id.map(dict(zip(queries, others))).fillna(run.query_id)
    sentence, = said(qrels, run.assign(query_id=moved))
    assert 'queries that were looked at seem to be of other queries: of the first 50 items for ' in sentence


@pytest.mark.parametrize('count', [2, 3])
def test_a_few_queries_exchanged(count: int, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    found = run.merge(qrels[qrels.relevance > 0], on=['query_id', 'doc_id'])
    found = found[(found.start_x < found.end_y) & (found.start_y < found.end_x)].drop_duplicates(['doc_id', 'score'])
    queries = found.query_id.value_counts().index[:count].to_list()
    if found.query_id.nunique() < 0.9 * run.query_id.nunique():
        pytest.skip('among many rankings that find nothing, some may meet one another by chance')
    moved = run.query_id.map(dict(zip(queries, queries[1:] + queries[:1]))).fillna(run.query_id)
    sentence, = said(qrels, run.assign(query_id=moved))
    assert sentence.startswith(f'the rankings of {count} of the ')


def test_windows_at_the_wrong_place_of_the_right_video_are_no_other_query(
        tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    other = run.sample(frac=1, random_state=4)
    assert said(qrels, run.assign(start=other.start.to_numpy(), end=other.end.to_numpy())) == []


def test_a_system_that_finds_nothing_is_no_other_query(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    documents = list(run.doc_id)
    random.Random(7).shuffle(documents)
    assert said(qrels, run.assign(doc_id=documents)) == []


def test_a_run_without_a_relevant_document_is_silent(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    relevant = qrels[qrels.relevance > 0]
    found = pd.MultiIndex.from_frame(run[['query_id', 'doc_id']]).isin(
        pd.MultiIndex.from_frame(relevant[['query_id', 'doc_id']]))
    for missed in (found, run.doc_id.isin(set(relevant.doc_id))):
        if run[~missed].doc_id.isin(set(qrels.doc_id)).any():
            assert said(qrels, run[~missed]) == []


@pytest.mark.parametrize('scores', [lambda rows: 1., lambda rows: rows.groupby('query_id').cumcount() + 1])
def test_queries_that_are_not_judged_are_silent(
        scores: Callable[[pd.DataFrame], Any], tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    run = run.drop(columns='rank')
    others = pd.concat([run.sample(30, random_state=k).assign(query_id=f'other{k}') for k in range(20)])
    others = others.assign(score=scores(others), start=others.start * 30, end=others.start * 30 + 5)
    assert said(qrels, pd.concat([others, run], ignore_index=True)) == []


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
    sentence, = said(qrels, run.assign(score=rank)[::-1])
    assert ' queries of the run that were looked at are upside down, such as from 1 to ' in sentence


def test_ranks_in_the_place_of_some_scores(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    rows = run.query_id == next(query for query, count in run.query_id.value_counts().items() if count >= 8)
    rank = run.groupby('query_id', sort=False).cumcount() + 1
    sentence, = said(qrels, run.drop(columns='rank').assign(score=run.score.where(~rows, rank)))
    assert sentence.startswith(f'the scores of {rows.sum()} of the {len(run)} items of the run count up from 1 in the')


@pytest.mark.parametrize('part', [1, 2])
@pytest.mark.parametrize('shuffled', [False, True])
def test_distances_that_contradict_the_ranks(
        part: int, shuffled: bool, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    run = run.assign(rank=run.groupby('query_id', sort=False).score.rank(method='first', ascending=False))
    run = run.sample(frac=1, random_state=1) if shuffled else run
    assert said(qrels, run) == []
    rows = run.query_id.isin(list(dict.fromkeys(run.query_id))[::part])
    distances = 1 / (2 + run.score - run.score.min())
    sentence = said(qrels, run.assign(score=run.score.where(~rows, distances)))[0]
    assert re.match('the ranks of the run contradict the scores in [0-9]+ of the [0-9]+ queries, such as in .*, where '
                    'rank 1 has the score .* and rank [0-9]+ the score .*: give minus the scores if', sentence)


def test_distances_without_ranks(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    run = run.drop(columns='rank').assign(score=run.score + run.groupby('query_id').score.rank(method='first') / 1e6)
    assert said(qrels, run[::-1]) == []
    distances = run.assign(score=1 / (2 + run.score - run.score.min()))
    sentence, = said(qrels, distances)
    assert 'queries of the run rise in the order of the rows, such as from ' in sentence
    sentence, = said(qrels, distances.sample(frac=1, random_state=5))
    assert 'queries of the run that were looked at are upside down, such as from ' in sentence
    for seed in range(3):  # of systems that know nothing
        chance = pd.Series(range(len(run)), run.index).sample(frac=1, random_state=seed).to_numpy()
        assert not any('upside down' in sentence for sentence in said(qrels, run.assign(score=chance)))


def test_ranks_that_are_old(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    anew = pd.Series(range(len(run)), run.index).sample(frac=1, random_state=2).to_numpy()
    assert not any('ranks' in sentence for sentence in said(qrels, run.assign(score=anew)))
    assert said(qrels, run.assign(rank='none')) == said(qrels, run.assign(rank=None)) == []


def test_ranks_and_scores_that_are_swapped(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    rank = run.groupby('query_id', sort=False).cumcount() + 1
    run = run.assign(rank=run.score + 0.5, score=rank).sample(frac=1, random_state=1)
    sentence, = said(qrels, run)
    assert sentence.startswith(f'the ranks of the run are none in {len(run)} of the {len(run)} rows, such as ')


@pytest.mark.parametrize('command', ['evaluate', 'compare', 'check'])
def test_ranks_in_a_file(command: str, run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels.txt', tmp_path / 'items.run'
    qrels.write_text('q 0 rec#t=0,5 1\n')
    items.write_text(''.join(f'q Q0 rec#t={rank * 10},{rank * 10 + 5} {rank} 0.{rank:02} x\n' for rank in range(12)))
    done = {'evaluate': lambda: run('evaluate', qrels, items, 'T2I_AP'),
            'compare': lambda: run('compare', qrels, items, '-m', 'T2I_AP'),
            'check': lambda: run('check', items, '--format', 'trec')}[command]()
    assert 'rank 0 has the score 0' in done.err or "rank 1 of 'q' has the score 0.01, but rank 0 in line 1" in done.out
    if command == 'evaluate':
        assert done.err.startswith(f'ir_segmeasures: warning: {items}: the ranks contradict the scores in 1 of the 1 ')
        assert run('evaluate', qrels, items, 'T2I_AP', '--strict').code == 1
        items.write_text(items.read_text().replace(' 0.', ' -0.'))
        assert run('evaluate', qrels, items, 'T2I_AP') == (0, 'T2I_AP\t1.0000\n', '')


def test_items_without_length(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    points = run.assign(end=run.start)
    assert said(qrels, points) == []  # entry points
    sentence, = said(qrels, points, MAiSP)
    assert sentence.startswith('all ')
    assert 'items of the run in judged queries have no length, such as that at' in sentence
    sentence, = said(qrels, run.assign(end=run.end.where(run.index % 6 > 0, run.start)), MAiSP)
    assert 'items of the run in judged queries have no length, such as that at' in sentence


def test_lengths_that_are_ends(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    lengths = run.assign(length=run.end - run.start).drop(columns='end')
    assert said(qrels, lengths) == []
    long = run.assign(end=run.end.where(run.index % 2 > 0, run.start + 120).where(run.index % 2 == 0, run.start + 5))
    assert said(qrels, long) == []  # windows of two lengths
    sentence, = said(qrels, run.rename(columns={'end': 'length'}))
    assert sentence.endswith("as if 'length' held the end: name the column 'end' if it does")


def test_some_lengths_that_are_ends(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    rows = run.doc_id.isin(sorted(set(run.doc_id))[::2])
    lengths = (run.end - run.start).where(~rows, run.end)
    sentence, = said(qrels, run.assign(length=lengths).drop(columns='end'))
    assert sentence.endswith("as if 'length' held the end there: give all rows their length")


@pytest.mark.parametrize('side', [0, 1])
def test_a_tenth_of_lengths_that_are_ends(side: int, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    both = [table.assign(length=table.end - table.start) for table in tables]
    both[side].loc[both[side].index[::10], 'length'] += both[side].start
    sentence = said(*(table.drop(columns='end') for table in both))[0]
    name = ('qrels', 'run')[side]
    assert f' rows of the {name} that start ' in sentence
    assert sentence.endswith("as if 'length' held the end there: give all rows their length")


def test_a_run_and_qrels_that_are_swapped(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    judged = run.assign(relevance=run.groupby('query_id').score.rank()).drop(columns='score')
    found = qrels.assign(score=qrels.relevance.clip(upper=3)).drop(columns='relevance')
    assert sum('the run and the qrels seem to be swapped' in sentence for sentence in said(judged, found)) == (
        judged.relevance.nunique() >= 20)


def test_many_grades_beside_one_score_are_silent(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    grades = qrels.assign(relevance=[1 + 37 * row % 1000 for row in range(len(qrels))])
    assert said(grades, run.drop(columns='rank').assign(score=1.)) == []


def test_scores_that_rise_in_a_fifth_of_the_queries(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    run = run.sort_values(['query_id', 'score'], ascending=[True, False], kind='stable')
    rows = run.query_id.isin(sorted(set(run.query_id))[::5])
    sentence, = said(qrels, run.drop(columns='rank').assign(score=run.score.where(~rows, -run.score)))
    assert sentence.endswith((': give minus the distance', ': give the scores, or minus the rank'))
    assert said(qrels, run.drop(columns='rank').sample(frac=1, random_state=1)) == []


def test_a_file_that_was_sorted_before_it_got_its_scores() -> None:
    queries = ['q7', 'q11', 'q13', 'q17']
    items = [(query, f'v{k * int(query[1:]) % 41:02}', 5., 15.) for query in queries for k in range(2, 20)]
    run = pd.DataFrame(items, columns=['query_id', 'doc_id', 'start', 'end'])
    qrels = run[::6].assign(relevance=1)

    def scored(run: pd.DataFrame) -> pd.DataFrame:
        return run.assign(score=-run.groupby('query_id').cumcount())
    assert said(qrels, scored(run)) == []
    ordered = run.sort_values(['query_id', 'doc_id'], kind='stable')
    sentence, = said(qrels, scored(ordered))
    assert 'of 4 of the 4 queries that were looked at are in the order of their names, such as from ' in sentence
    assert said(qrels, ordered.assign(score=1.)) == []  # without scores
    every = run.assign(relevance=1)
    assert said(every, scored(ordered)) == []  # what is judged, in the order of the file
    same = pd.concat([ordered[ordered.query_id == 'q7'].assign(query_id=query) for query in queries])
    assert said(qrels, scored(same)) == []  # the first documents of the collection for each query


def test_scores_that_some_queries_have_lost(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, run = tables
    run = run.drop(columns='rank').assign(score=-run.groupby('query_id', sort=False).cumcount())
    rows = run.query_id.isin(sorted(set(run.query_id))[::2])
    sentence, = said(qrels, run.assign(score=run.score.where(~rows, 0)))
    assert sentence.startswith('all items have one score in ')
    assert said(qrels, run.assign(score=1.)) == []
