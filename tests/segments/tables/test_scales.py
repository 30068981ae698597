"""Units that differ are told from the data, on either side and in a part of the documents; right ones are silent."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ir_segmeasures import T2I_AP, SegmentWarning, formats, segmeasures


@pytest.fixture(scope='module', params=['mediaeval-sh-2014', 'qvhighlights'])
def tables(request: pytest.FixtureRequest, shared_data: Path) -> dict[str, pd.DataFrame]:
    """The run and the qrels of a real collection."""
    qrels, run, format = {
        'mediaeval-sh-2014': ('me14sh_search_testSet.qrel', 'run-180-60-noover.txt.gz', 'sh-search'),
        'qvhighlights': ('val-windows.jsonl.gz', 'predictions.jsonl.gz', 'moments')}[request.param]
    folder = shared_data / request.param
    run = pd.DataFrame(formats.read_run(folder / run, format))
    return {'qrels': pd.DataFrame(formats.read_qrels(folder / qrels, format)), 'run': run[run.start < run.end]}


def said(tables: dict[str, pd.DataFrame], side: str, change: Callable[[Any], Any], step: int = 1) -> list[str]:
    """The sentences where one side of a collection, or its every so manyth document, is changed."""
    table = tables[side].astype({'start': float, 'end': float})
    rows = table.doc_id.isin(sorted(set(table.doc_id))[::step])
    for column in ('start', 'end'):
        table.loc[rows, column] = change(table.loc[rows, column])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter('always')
        other = tables['run' if side == 'qrels' else 'qrels']
        segmeasures.calc_aggregate([T2I_AP], *((table, other) if side == 'qrels' else (other, table)))
    assert all(warning.category is SegmentWarning for warning in heard)
    return [str(warning.message) for warning in heard]


def test_right_units_are_silent(tables: dict[str, pd.DataFrame]) -> None:
    assert said(tables, 'run', lambda times: times) == []
    assert said(tables, 'run', lambda times: times * 2) == []
    assert said(tables, 'qrels', lambda times: times / 3) == []


@pytest.mark.parametrize('side', ['run', 'qrels'])
def test_frames(side: str, tables: dict[str, pd.DataFrame]) -> None:
    for rate in (24, 25, 30):
        sentence, = said(tables, side, lambda times: np.round(times * rate))  # noqa: B023
        assert f'those of the {side} are frames (' in sentence or f'those of the {side} are milli' in sentence or (
            'by a factor of 60' in sentence)


@pytest.mark.parametrize('side', ['run', 'qrels'])
@pytest.mark.parametrize('step', [1, 2])
def test_milliseconds(side: str, step: int, tables: dict[str, pd.DataFrame]) -> None:
    if side == 'qrels' and tables['run'].doc_id.nunique() < 2000:
        pytest.skip('windows at the beginning of a short video meet what is judged there in any unit')
    sentence, = said(tables, side, lambda times: times * 1000, step)
    assert 'milliseconds' in sentence


@pytest.mark.parametrize('side', ['run', 'qrels'])
@pytest.mark.parametrize('factor, unit', [(1 / 60, 'minutes'), (1 / 1000, 'milliseconds'), (25, 'frames'),
                                          (1000, 'milliseconds')])
def test_one_of_fifty_documents_in_another_unit(
        factor: float, unit: str, side: str, tables: dict[str, pd.DataFrame]) -> None:
    sentence, = said(tables, side, lambda times: times * factor, 50)
    assert unit in sentence
    assert re.match('in [0-9]+ of the [0-9]+ documents that both have, the ', sentence)


@pytest.mark.parametrize('side', ['run', 'qrels'])
@pytest.mark.parametrize('documents', [2, 3, 8])
def test_milliseconds_in_one_of_a_few_documents(side: str, documents: int) -> None:
    rows = [('q', f'v{k}', start, start + 5. + k) for k in range(documents) for start in (20. * (k + 1), 90.)]
    table = pd.DataFrame(rows, columns=['query_id', 'doc_id', 'start', 'end'])
    both = {'run': table.assign(score=range(len(table), 0, -1)), 'qrels': table.assign(relevance=1)}
    sentence, = said(both, side, lambda times: times * 1000, documents)
    assert sentence.startswith(f'in 1 of the {documents} documents that both have, ') and 'milliseconds' in sentence
    both[side] = pd.concat([both[side], both[side].iloc[:1].assign(start=85_000., end=85_020.)])  # of a long recording
    assert said(both, side, lambda times: times) == []


@pytest.mark.parametrize('limit', [30, 60, 120])
def test_judgements_of_the_first_minute(limit: float, tables: dict[str, pd.DataFrame]) -> None:
    qrels = tables['qrels'][tables['qrels'].start < limit - 10]
    cut = qrels.assign(end=qrels.end.clip(upper=limit)).drop_duplicates(['query_id', 'doc_id', 'start', 'end'])
    assert said({**tables, 'qrels': cut}, 'run', lambda times: times) == []


def test_documents_that_are_cut_otherwise(tables: dict[str, pd.DataFrame]) -> None:
    ends = tables['run'].groupby('doc_id').end.transform('max')
    whole = tables['run'].doc_id.isin(sorted(set(tables['run'].doc_id))[::50])
    run = tables['run'].assign(start=tables['run'].start.where(~whole, 0), end=tables['run'].end.where(~whole, ends))
    run = run.drop_duplicates(['query_id', 'doc_id', 'start', 'end'])
    assert said({**tables, 'run': run}, 'run', lambda times: times) == []  # whole documents
    short = tables['run'].assign(end=tables['run'].end.where(~whole, tables['run'].start + 1))
    assert said({**tables, 'run': short}, 'run', lambda times: times) == []  # entry points


def test_parts_of_documents(tables: dict[str, pd.DataFrame]) -> None:
    longest = float(max(table.end.max() for table in tables.values()))
    sentence, = said(tables, 'run', lambda times: times / longest)
    assert 'those of the run are parts of the whole document, from 0 to 1' in sentence or 'by a factor of' in sentence


@pytest.mark.parametrize('factor', [1 / 60, 1 / 1000, 25])
def test_one_unit_on_both_sides(factor: float, tables: dict[str, pd.DataFrame]) -> None:
    both = {name: table.assign(start=table.start * factor, end=table.end * factor) for name, table in tables.items()}
    assert said(both, 'run', lambda times: times) == []


@pytest.mark.parametrize('side', ['run', 'qrels'])
def test_ends_that_are_proportional(side: str) -> None:
    ends = [100. * 1.3 ** k for k in range(20)]
    table = pd.DataFrame([('q', f'v{k}', 1., end) for k, end in enumerate(ends)],
                         columns=['query_id', 'doc_id', 'start', 'end'])
    both = {'run': table.assign(score=1.), 'qrels': table.assign(relevance=1, end=table.end * 1.1)}
    sentence, = said(both, side, lambda times: times * 25)
    assert 'frames' in sentence
    other = 'qrels' if side == 'run' else 'run'
    both[other] = both[other].assign(start=both[other].start % 7 + 1, end=both[other].end % 7 + 9)
    assert said(both, side, lambda times: times) == []  # the beginnings alone


def test_minutes_and_seconds_on_both_sides(tables: dict[str, pd.DataFrame]) -> None:
    def decimals(times: Any) -> Any:
        return times // 60 + times % 60 / 100
    both = {name: table.assign(start=decimals(table.start), end=decimals(table.end)) for name, table in tables.items()}
    sentence, = said(both, 'run', lambda times: times)
    assert 'has more than .59 behind the dot' in sentence
    assert said(both, 'run', lambda times: times + 0.3) == []


def test_beginnings_of_documents(tables: dict[str, pd.DataFrame]) -> None:
    run = tables['run'].assign(start=0, end=20).drop_duplicates(['query_id', 'doc_id'])
    assert said({**tables, 'run': run}, 'run', lambda times: times) == []


@pytest.mark.parametrize('change, end', [
    (lambda rows: rows.assign(start=0), ', as if their starts were lost: give these, too'),
    (lambda rows: rows.assign(end=9_999_999), ': give the ends of the segments, if that stands for unknown ones'),
    (lambda rows: rows.assign(end=rows.start + rows.end),
     ', as if the end had been added to the start there: give all rows their end')])
def test_starts_and_ends_that_are_lost_in_a_third(
        change: Callable[[pd.DataFrame], pd.DataFrame], end: str, tables: dict[str, pd.DataFrame]) -> None:
    run = tables['run']
    rows = run.doc_id.isin(sorted(set(run.doc_id))[::3])
    changed = pd.concat([run[~rows], change(run[rows])], ignore_index=True)
    assert [sentence for sentence in said({**tables, 'run': changed}, 'run', lambda times: times)
            if sentence.endswith(end)]
