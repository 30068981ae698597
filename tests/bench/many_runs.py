"""Time many runs, and one in parts: python tests/bench/many_runs.py {rankings,parts,profile} [options]

``rankings``: perturbed rankings of the real S&H run, with the measures of Racca & Jones 2015. ``parts``: a generated
run in a folder of Parquet files. ``profile``: where the time of one ranking goes.
"""

import argparse
import cProfile
import pstats
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from ir_segmeasures import T2I_AP, AP_bin, AP_over, MAiSP, SegmentTable, evaluate_runs, formats

REAL = Path(__file__).resolve().parents[3] / 'shared' / 'data' / 'mediaeval-sh-2014'
MEASURES = [AP_bin, AP_over, T2I_AP, MAiSP, MAiSP(user='ret')]
COLUMNS = ['query_id', 'doc_id', 'start', 'end']


def judgements() -> pd.DataFrame:
    return pd.DataFrame(formats.read_qrels(REAL / 'me14sh_search_testSet.qrel', 'sh-search'))[[*COLUMNS, 'relevance']]


def rankings(n: int) -> Iterator[tuple[str, pa.Table]]:
    """The real run with its ranks moved by noise, another for each ranking."""
    run = pd.DataFrame(formats.read_run(REAL / 'run-180-60-over.txt.gz', 'sh-search'))
    table = pa.table({name: pa.array(run[name].tolist()) for name in COLUMNS})
    for place, name in enumerate(COLUMNS[:2]):
        table = table.set_column(place, name, table.column(name).dictionary_encode())
    rank, draw = -run['rank'].to_numpy(float), np.random.default_rng(1)
    for k in range(n):
        yield f'ranking {k}', table.append_column('score', pa.array(rank + draw.normal(0, 50, len(rank))))


def write_parts(folder: Path, items: int, parts: int, queries: int) -> pd.DataFrame:
    """A run of 1,000 items a query, and its judgements: ten spans in the first documents of each query."""
    draw = np.random.default_rng(1)
    documents = pa.array([f'v{k}' for k in range(5_000)])
    for part in range(parts):
        mine = np.arange(part, queries, parts)
        n = len(mine) * (items // queries)
        start = draw.integers(0, 36_000, n) / 10
        parquet.write_table(pa.table({
            'query_id': pa.DictionaryArray.from_arrays(pa.array(np.repeat(np.arange(len(mine)), items // queries)
                                                                .astype(np.int32)), [f'q{k}' for k in mine]),
            'doc_id': pa.DictionaryArray.from_arrays(pa.array(draw.integers(0, 5_000, n).astype(np.int32)), documents),
            'start': start, 'end': start + 60, 'score': -np.tile(np.arange(float(items // queries)), len(mine)),
        }), folder / f'{part:02}.parquet')
    spans = [(f'q{q}', f'v{draw.integers(5_000)}', 60. * k, 60. * k + 90, 1) for q in range(queries) for k in range(10)]
    return pd.DataFrame(spans, columns=[*COLUMNS, 'relevance'])


def timed(label: str, count: int, unit: str, function: Any) -> None:
    start, used = time.perf_counter(), processor_time()
    function()
    seconds, used = time.perf_counter() - start, processor_time() - used
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    # Workers are counted once they have ended, which those of loky and dask do later.
    print(f'| {label} | {count:,} | {seconds:.1f} s | {used:.1f} s | {count / seconds:,.1f} {unit}/s | {peak:.0f} MB |',
          flush=True)


def processor_time() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def cluster(backend: str | None, jobs: int) -> Any:
    if backend != 'dask':
        return nullcontext()
    from distributed import Client, LocalCluster
    return Client(LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=('rankings', 'parts', 'profile'))
    parser.add_argument('--runs', type=int, default=10_000)
    parser.add_argument('--items', type=int, default=20_000_000)
    parser.add_argument('--parts', type=int, default=16)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--backend')
    args = parser.parse_args()
    label = f'{args.what}, {args.backend or "loky"}, {args.jobs}'
    how = {'backend': args.backend} if args.backend == 'dask' else {'n_jobs': args.jobs, 'backend': args.backend}
    if args.what == 'profile':
        evaluator = ir_measures.evaluator(MEASURES, judgements())
        tables = list(rankings(10))
        for measures in [[measure] for measure in MEASURES]:
            one, made = ir_measures.evaluator(measures, judgements()), [SegmentTable.from_run(run) for _, run in tables]
            timed(str(measures[0]), 10, 'runs', lambda o=one, m=made: [o.calc_aggregate(run) for run in m])
        timed('tables', 10, 'runs', lambda: [SegmentTable.from_run(run) for _, run in tables])
        profile = cProfile.Profile()
        profile.runcall(lambda: [evaluator.calc_aggregate(run) for _, run in tables])
        pstats.Stats(profile, stream=sys.stdout).sort_stats('tottime').print_stats(14)
        return
    with tempfile.TemporaryDirectory() as folder, cluster(args.backend, args.jobs):
        if args.what == 'rankings':
            qrels = judgements()
            timed(label, args.runs, 'runs', lambda: evaluate_runs(MEASURES, qrels, rankings(args.runs), **how))
        else:
            path = Path(folder) / 'large'
            path.mkdir()
            qrels = write_parts(path, args.items, args.parts, args.items // 1000)
            timed(label, args.items, 'items', lambda: evaluate_runs(MEASURES, qrels, path, **how))


if __name__ == '__main__':
    main()
