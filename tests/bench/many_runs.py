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


def timed(label: str, count: int, unit: str, function: Any, end: Any = None) -> None:
    """Print seconds, processor time of all processes together, and the peaks of this one and of the largest worker."""
    start, used = time.perf_counter(), processor_time()
    function()
    seconds = time.perf_counter() - start
    if end is not None:
        end()  # workers are counted once they have ended
    used = processor_time() - used
    peaks = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f'| {label} | {count:,} | {seconds:.1f} s | {used:.1f} s | {count / seconds:,.1f} {unit}/s '
          f'| {peaks[0]:.0f}, {peaks[1]:.0f} MB |', flush=True)


def processor_time() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def workers(backend: str | None, jobs: int) -> Any:
    """Start the workers that do not start by themselves; returns what ends them all."""
    if backend != 'dask':
        from joblib.externals.loky import get_reusable_executor
        return lambda: get_reusable_executor().shutdown(wait=True)
    from distributed import Client, LocalCluster
    cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)
    return lambda: (client.close(), cluster.close())


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
    end = workers(args.backend, args.jobs)
    with tempfile.TemporaryDirectory() as folder:
        if args.what == 'rankings':
            qrels = judgements()
            timed(label, args.runs, 'runs', lambda: evaluate_runs(MEASURES, qrels, rankings(args.runs), **how), end)
        else:
            path = Path(folder) / 'large'
            path.mkdir()
            qrels = write_parts(path, args.items, args.parts, args.items // 1000)
            timed(label, args.items, 'items', lambda: evaluate_runs(MEASURES, qrels, path, **how), end)


if __name__ == '__main__':
    main()
