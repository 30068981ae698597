"""Time what users wait for: python tests/bench/bench.py [--rounds N] [--slack X] [ROW …]

A row is a time of ours and its goal: in seconds, or as a ratio to ir-measures' AP, or AP, nDCG@10 and P@10 together
(pytrec_eval), on the same rows. Both sides alternate, and medians of processor time count. The exit code is 1 where a
goal, times the slack, is missed: machines differ, and share their caches.
"""

import argparse
import gc
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
from ir_measures import AP, P, Qrel, ScoredDoc, nDCG

import ir_segmeasures
from ir_segmeasures import SegmentTable, SegmentWarning, align, formats

REAL = Path(__file__).resolve().parents[3] / 'shared' / 'data'
COLUMNS = ['query_id', 'doc_id', 'start', 'end']
# A measure or two of each family.
FAMILIES = ['T2I_AP', 'ESL(D=10000000)@5', 'AiSP', "AiSP(user='ret')", 'ASP', 'AgP', 'gP@10', 'AigP', 'AP_over',
            'AP_bin', 'SegF', 'SegR(budget=2000)', 'SegIoU@5', 'GAP', 'RR_over', 'P_new@5', 'P_cov', 'CharAP',
            'PassageAP', 'IoU_AP(iou=0.5)', 'mIoU_AP', 'RBP_residual', 'Judged_over@10']

Side = Callable[[], object]


class Row(NamedTuple):
    """A row of the bench: ``theirs`` is None where the goal is in seconds."""
    name: str
    goal: float
    ours: Side
    theirs: Side | None = None
    wall: bool = False  # the time of other processes, too


def frames(queries: int, depth: int, judged: int, seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Judgements and a run on 50 documents of 40 minutes, in columns."""
    draw = np.random.default_rng(seed)

    def rows(count: int, **more: Any) -> pd.DataFrame:
        start = draw.integers(0, 2000, queries * count)
        return pd.DataFrame({'query_id': np.repeat([f'q{i}' for i in range(queries)], count),
                             'doc_id': [f'd{x}' for x in draw.integers(0, 50, queries * count)], 'start': start,
                             'end': start + draw.integers(20, 300, queries * count), **more})
    return rows(judged, relevance=1), rows(depth, score=-np.tile(np.arange(depth, dtype=float), queries))


def with_ids(frame: pd.DataFrame) -> pd.DataFrame:
    ids = [f'{d}#t={s:g},{e:g}' for d, s, e in zip(frame.doc_id, frame.start, frame.end)]
    return frame.drop(columns=['start', 'end']).assign(doc_id=ids)


def evaluation(measures: list[Any], qrels: Any, run: Any) -> Side:
    return lambda: ir_measures.calc_aggregate([*map(ir_measures.parse_measure, map(str, measures))], qrels, run)


def small_queries() -> Iterator[Row]:
    """10,000 queries of 10 items: each measure beside AP, all rows as frames; and lists of named tuples."""
    qrels, run = frames(10_000, 10, 3)
    host = evaluation([AP], with_ids(qrels), with_ids(run))
    for measure in FAMILIES:
        yield Row(f'10,000 x 10, {measure} : AP', .5, evaluation([measure], qrels, run), host)
    ids = with_ids(qrels), with_ids(run)
    lists = ([Qrel(*row) for row in ids[0][['query_id', 'doc_id', 'relevance']].values.tolist()],
             [ScoredDoc(*row) for row in ids[1][['query_id', 'doc_id', 'score']].values.tolist()])
    yield Row('10,000 x 10, lists of named tuples, T2I_AP AiSP AgP : AP nDCG@10 P@10', 1.5,
              evaluation(['T2I_AP', 'AiSP', 'AgP'], *lists), evaluation([AP, nDCG@10, P@10], *lists))
    for name, (judged, found) in {'columns': (qrels, run), 'ids': ids}.items():
        yield Row(f'10,000 x 10, {name}, T2I_AP AiSP AgP : AP nDCG@10 P@10', .4,
                  evaluation(['T2I_AP', 'AiSP', 'AgP'], judged, found), evaluation([AP, nDCG@10, P@10], *ids))


def long_rankings() -> Iterator[Row]:
    """Search & Hyperlinking 2014 and INEX 2010, real files."""
    if not REAL.is_dir():
        print('the real judgements and runs are not on this machine: their rows are left out')
        return
    folder = REAL / 'mediaeval-sh-2014'
    qrels = pd.DataFrame(formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search'))
    run = pd.DataFrame(formats.read_run(folder / 'run-180-60-over.txt.gz', 'sh-search'))
    qrels, run = qrels[[*COLUMNS, 'relevance']], run[[*COLUMNS, 'score']]
    host = evaluation([AP, nDCG@10, P@10], with_ids(qrels), with_ids(run))
    ours = ['T2I_AP', 'ESL(D=10000000)', 'AgP', 'AiSP']
    yield Row('S&H 2014, 35,949 items, columns : AP nDCG@10 P@10', .2, evaluation(ours, qrels, run), host)
    yield Row('S&H 2014, 35,949 items, ids : AP nDCG@10 P@10', .35,
              evaluation(ours, with_ids(qrels), with_ids(run)), host)
    folder = REAL / 'inex-2010'
    yield Row('INEX 2010, 46,714 judgements are read', .15 * 2, lambda: formats.read_qrels(
        folder / 'inex2010.qrels.gz', 'inex-fol'))
    passages, items = (formats.read_qrels(folder / 'inex2010.qrels.gz', 'inex-fol'),
                       formats.read_run(folder / 'run-noisy.txt.gz', 'inex-fol'))
    documents = list({(row.query_id, row.doc_id): Qrel(row.query_id, row.doc_id, int(row.relevance))
                      for row in passages}.values())
    ranking = [ScoredDoc(row.query_id, row.doc_id, row.score) for row in items]
    for measure in ('AgP(beta=0.25)', 'AiP', 'AgP_bep'):
        yield Row(f'INEX 2010, 67,012 items, {measure} : AP', 2.5, evaluation([measure], passages, items),
                  evaluation([AP], documents, ranking))


def worst_cases() -> Iterator[Row]:
    """Shapes that take quadratic time in the wrong hands."""
    n = 32_000
    qrels = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': 0., 'end': np.arange(1, 101.), 'relevance': 1})
    run = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': 0., 'end': 10. + np.arange(n), 'score': -np.arange(n)})
    yield Row('mIoU_AP, 32,000 items that all overlap', 1, evaluation(['mIoU_AP'], qrels, run))
    yield Row('P_cov@5, 32,000 nested items', 1, evaluation(['P_cov@5'], qrels, run))
    qrels, run = frames(200, 1000, 30)
    yield Row('AiP, 200,000 items, beside reading the frames', .06 * 5, evaluation(
        ['AiP'], SegmentTable.from_qrels(qrels), SegmentTable.from_run(run)))
    for measure in FAMILIES:
        yield Row(f'200 x 1,000, {measure}', 1, evaluation([measure], qrels, run))
    ids = with_ids(qrels), with_ids(run)
    yield Row('align, 200,000 items', 3, lambda: align(ids[1], ids[0]))
    qrels, run = (SegmentTable.from_qrels(qrels), SegmentTable.from_run(run))
    elements = [f'a{i // 40}#xpath=/a[1]/s[{i % 40 // 8 + 1}]/p[{i % 8 + 1}]&char={i % 40 * 100},{i % 40 * 100 + 100}'
                for i in range(1000)]
    judged = pd.DataFrame([(f'q{q}', id, 1, 1 + i % 3, 1 + i % 2) for q in range(10) for i, id in enumerate(elements)],
                          columns=['query_id', 'doc_id', 'relevance', 'exhaustivity', 'specificity'])
    ranked = pd.DataFrame([(f'q{q}', id, -i) for q in range(10) for i, id in enumerate(elements[::-1])],
                          columns=['query_id', 'doc_id', 'score'])
    for measure, seconds in (('nXCG@100', 1), ('iMAep', 1), ('PRUM@0.5', 10)):  # its user weighs 1,000 uncertain units
        yield Row(f'10 queries of 1,000 elements, {measure}', seconds, evaluation([measure], judged, ranked))


def warned() -> Iterator[Row]:
    """The share of the warnings about right data in an evaluation."""
    from ir_segmeasures.segments.user_warnings import collected_warnings
    for queries, depth, judged in ((10_000, 10, 3), (200, 1000, 30)):
        qrels, run = frames(queries, depth, judged)
        ours = evaluation(['T2I_AP', 'ESL(D=10000000)', 'AgP', 'AiSP'], qrels, run)

        def silent(ours: Side = ours) -> None:
            with collected_warnings(wanted=False):
                ours()
        yield Row(f'{queries:,} x {depth:,}, with warnings : without', 1.05, ours, silent)


def files(folder: str) -> Iterator[Row]:
    """A million lines of TREC, read; 200,000 lines, checked and evaluated by the commands; what starts."""
    path, judged, short = (os.path.join(folder, name) for name in ('million', 'qrels', 'run'))
    with open(path, 'w') as file, open(short, 'w') as part, open(judged, 'w') as qrels:
        for q in range(1000):
            lines = [f'q{q} Q0 d{(7 * q + k) % 2000}#t={k * 13 % 3000},{3000 + k} {k + 1} {1000 - k} r\n'
                     for k in range(1000)]
            file.writelines(lines)
            part.writelines(lines if q < 200 else [])
            qrels.writelines(f'q{q} 0 d{(7 * q + k) % 2000}#t={k},{k + 900} 1\n' for k in range(0, 1000, 50))

    # The commands of a user, whose modules Python has compiled.
    compiled = {**os.environ, 'PYTHONDONTWRITEBYTECODE': '', 'PYTHONPYCACHEPREFIX': folder}

    def command(*args: str) -> Side:
        return lambda: subprocess.run([sys.executable, '-m', *args], check=False, capture_output=True, env=compiled)
    yield Row('a million lines of TREC are read', 1, lambda: formats.read_run(path))
    yield Row('check of 200,000 lines : evaluate', 2, command('ir_segmeasures', 'check', short, '--from', 'trec'),
              command('ir_segmeasures', 'evaluate', judged, short, 'MAiSP'), True)
    yield Row('evaluate of 200,000 lines, T2I_AP MAgP MAiSP', 1, command(
        'ir_segmeasures', 'evaluate', judged, short, 'T2I_AP', 'MAgP', 'MAiSP'), None, True)
    yield Row('--help', .6, command('ir_segmeasures', 'evaluate', '--help'), None, True)

    def imported(names: str) -> Side:
        return lambda: subprocess.run([sys.executable, '-c', f'import {names}'], check=True, env=compiled)
    yield Row('import ir_segmeasures : ir_measures and NumPy', 1.25, imported('ir_measures, ir_segmeasures'),
              imported('ir_measures, numpy'), True)


def measured(row: Row, rounds: int) -> tuple[float, float, float | None]:
    """The figure that the goal is for, our seconds and theirs: medians."""
    clock = time.perf_counter if row.wall else time.process_time

    def seconds(side: Side) -> float:
        begin = clock()
        side()
        return clock() - begin
    sides = [row.ours] if row.theirs is None else [row.ours, row.theirs]
    for side in sides:
        side()
    gc.disable()  # as timeit does: it looks at all that pandas and NumPy have made, too
    times = [[seconds(side) for side in sides] for _ in range(rounds)]
    gc.enable()
    ours, *theirs = map(statistics.median, zip(*times))
    return (statistics.median(one / other for one, other in times), ours, theirs[0]) if theirs else (ours, ours, None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('words', nargs='*', metavar='ROW', help='only rows whose names have one of these words')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--slack', type=float, default=1)
    args = parser.parse_args()
    warnings.simplefilter('ignore', SegmentWarning)
    print(f'Python {platform.python_version()}, NumPy {np.__version__}, pandas {pd.__version__}, ir-measures '
          f'{ir_measures.__version__}, ir_segmeasures {ir_segmeasures.__version__}, {args.rounds} rounds\n')
    print('| what | figure | goal | ours | theirs |\n|---|---|---|---|---|')
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for rows in (small_queries(), long_rankings(), worst_cases(), warned(), files(folder)):
            for row in rows:
                if args.words and not any(word in row.name for word in args.words):
                    continue
                figure, ours, theirs = measured(row, args.rounds)
                unit = ' s' if theirs is None else ''
                print(f'| {row.name} | {figure:.2f}{unit} | {row.goal:.2f}{unit} | {ours:.3f} s | '
                      f'{"" if theirs is None else f"{theirs:.3f} s"} |', flush=True)
                if figure > row.goal * args.slack:
                    missed.append(row.name)
    for name in missed:
        print(f'missed: {name}')
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
