"""Mistakes that people make with files that are right: the sample's and, where they are on this machine, those of real
collections. Each target takes bytes, which choose a collection, a mistake and a part of the files, and fails where a
mistake changes values and nothing is said about it."""

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd

from ir_segmeasures import T2I_AP, MAiSP, formats, sample
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

SHARED_DATA = Path(__file__).parents[3] / 'shared' / 'data'
COLLECTIONS = {  # qrels, run, format
    'mediaeval-sh-2014': ('me14sh_search_testSet.qrel', 'run-180-60-noover.txt.gz', 'sh-search'),
    'qvhighlights': ('val-windows.jsonl.gz', 'predictions.jsonl.gz', 'moments'),
    'trec-genomics-2007': ('gold-standard-07.txt.gz', 'run-ga-01.txt.gz', 'genomics')}
MEASURES = [T2I_AP, MAiSP, ir_measures.parse_measure('IoU_AP(iou=0.5)')]

Tables = dict[str, pd.DataFrame]


@cache
def collections() -> list[tuple[str, Tables, list[float]]]:
    """The name, the qrels and the run of each collection, and the values that they give, without a word."""
    files = [('sample', sample.path('qrels.txt'), sample.path('good.run'), 'trec')] + [
        (folder, SHARED_DATA / folder / qrels, SHARED_DATA / folder / run, format)
        for folder, (qrels, run, format) in COLLECTIONS.items() if (SHARED_DATA / folder).is_dir()]
    found = []
    for name, qrels, run, format in files:
        tables = {'qrels': _columns(SegmentTable.from_qrels(formats.read_qrels(qrels, format)), 'relevance'),
                  'run': _columns(SegmentTable.from_run(formats.read_run(run, format)), 'score')}
        tables['run'] = tables['run'].query('start < end')
        values, sentences = evaluated(tables)
        assert not sentences, sentences
        found.append((name, tables, values))
    return found


def _columns(table: SegmentTable, value: str) -> pd.DataFrame:
    return pd.DataFrame({'query_id': np.array(table.query_ids)[table.query],
                         'doc_id': np.array(table.document_ids)[table.document], 'start': table.start,
                         'end': table.end, value: table.value})


def evaluated(tables: Tables) -> tuple[list[float], list[str]]:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter('always')
        values = ir_measures.calc_aggregate(MEASURES, tables['qrels'], tables['run'])
    return [values[measure] for measure in MEASURES], [str(warning.message) for warning in heard]


def mistake(change: Callable[[Tables, str, int, Any], None]) -> Callable[[bytes], None]:
    """A target: told, or unchanged. ``change`` takes the tables of a collection, the side with the mistake, a number
    that chooses it, and a function that says which rows have it, of a column of ids."""
    def target(data: bytes) -> None:
        which, side, kind, part = data[:4].ljust(4, b'\1')
        collection, files, before = collections()[which % len(collections())]
        changed = ('run', 'qrels')[side % 2]
        tables = {name: table.copy() for name, table in files.items()}
        change(tables, changed, kind, lambda ids: _part(ids, part))
        try:
            values, sentences = evaluated(tables)
        except (RowError, ValueError):
            return
        assert sentences or np.allclose(values, before, atol=5e-5), (
            f'{collection}, {changed}: {before} became {values}, silently')
    return target


def _part(ids: pd.Series, eighths: int) -> Any:
    """The rows whose id is in some eighths of all ids, which take turns."""
    chosen = [id for place, id in enumerate(sorted(set(ids))) if eighths >> place % 8 & 1]
    return ids.isin(chosen)


NAMES: list[Callable[[str], str]] = [
    lambda id: f'{id}.mp4', lambda id: f'{id}.vtt', str.swapcase, lambda id: f'videos/{id}', lambda id: f'%20{id}']
FACTORS = (1000, 1 / 1000, 60, 1 / 60, 24, 25, 30, 50)


def renamed(tables: Tables, side: str, kind: int, part: Any) -> None:
    """Documents have another form of their names."""
    table = tables[side]
    rows = part(table.doc_id)
    table.loc[rows, 'doc_id'] = table.doc_id[rows].map(NAMES[kind % len(NAMES)])


def scaled(tables: Tables, side: str, kind: int, part: Any) -> None:
    """All times are in another unit."""
    tables[side][['start', 'end']] *= FACTORS[kind % len(FACTORS)]


def doubled(tables: Tables, side: str, kind: int, part: Any) -> None:
    """Queries, or all of them, are there twice, as where files are joined."""
    table = tables[side]
    again = table[part(table.query_id)] if kind % 2 else table
    tables[side] = pd.concat([table, again], ignore_index=True)


def permuted(tables: Tables, side: str, kind: int, part: Any) -> None:
    """Each query has the number of another, where there are more than the ten of the sample: two of 18 orders of those
    are not told, and a rule that tells one of them takes 14 of 600 random systems for it instead of 5."""
    table = tables[side]
    ids = list(dict.fromkeys(table.query_id))
    if len(ids) <= 10:
        return
    step = 1 + kind % (len(ids) - 1)
    table['query_id'] = table.query_id.map(dict(zip(ids, ids[step:] + ids[:step])))


MISTAKES = {'renamed': renamed, 'scaled': scaled, 'doubled': doubled, 'permuted': permuted}
