"""Time the measures beside what users compute today, as ratios in one process: python tests/bench/bench.py [--rounds N]

The yardstick is ir-measures' AP, nDCG@10 and P@10 (pytrec_eval) on the same run, its segments encoded as document ids.
Both sides alternate, round by round, and the median of the ratios counts; times of one machine mean little on another.
"""

import argparse
import contextlib
import gc
import gzip
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
from ir_measures import AP, P, Qrel, ScoredDoc, infAP, nDCG

from ir_segmeasures import (
    ASP,
    BEPD,
    ESL,
    ESLRF,
    GAP,
    PRUM,
    T2I_AP,
    XCG,
    AgP,
    AgP_bep,
    AgP_reading,
    AigP,
    AiP,
    AP_bin,
    AP_over,
    AP_tol,
    CharAP,
    EffortP,
    IoU_AP,
    Judged_over,
    Judged_tol,
    MAep,
    MAgP,
    MAiSP,
    P_bin,
    P_cov,
    P_new,
    P_over,
    P_tol,
    PassageAP,
    R_cov,
    Rprec_new,
    RR_over,
    SegCoverage,
    SegF,
    SegIoU,
    SegmentTable,
    SegmentWarning,
    SegNovelty,
    SegRejection,
    align,
    formats,
    gP,
    ideal_recall_base,
    iMAep,
    mIoU_AP,
    nXCG,
    xinfAP,
)
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.warnings import comparison_warnings
from ir_segmeasures.study import element_run, micro

REAL = Path(__file__).resolve().parents[3] / 'shared' / 'data' / 'mediaeval-sh-2014'
HOST = [AP, nDCG@10, P@10]
OURS = [T2I_AP, ESL(D=10_000_000), MAgP, MAiSP]


def times(function: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    function()
    return clock() - start


def report(name: str, ours: Callable[[], object], host: Callable[[], object], rounds: int, goal: str) -> None:
    """One row: the median of the ratios of one round after the other, and the medians of both times."""
    ours(), host()
    pairs = [(times(ours), times(host)) for _ in range(rounds)]
    ratio = statistics.median(mine / theirs for mine, theirs in pairs)
    mine, theirs = (statistics.median(column) * 1000 for column in zip(*pairs))
    print(f'| {name} | {ratio:.2f} | {goal} | {mine:.0f} ms | {theirs:.0f} ms |', flush=True)


def with_ids(frame: pd.DataFrame) -> pd.DataFrame:
    ids = [f'{d}#t={s:g},{e:g}' for d, s, e in zip(frame.doc_id, frame.start, frame.end)]
    return frame.drop(columns=['start', 'end']).assign(doc_id=ids)


def real() -> tuple[pd.DataFrame, pd.DataFrame]:
    """MediaEval Search & Hyperlinking 2014: 9,615 judgements and a run of 35,949 items."""
    qrels = formats.read_qrels(REAL / 'me14sh_search_testSet.qrel', 'sh-search')
    run = formats.read_run(REAL / 'run-180-60-over.txt.gz', 'sh-search')
    columns = ['query_id', 'doc_id', 'start', 'end']
    return pd.DataFrame(qrels)[[*columns, 'relevance']], pd.DataFrame(run)[[*columns, 'score']]


def dense(documents: int = 40, spans: int = 12) -> tuple[pd.DataFrame, pd.DataFrame]:
    """30 queries of 1,200 items, and relevant spans in every document."""
    draw = random.Random(1)
    qrels, run = [], []
    for q in range(30):
        for d in range(documents):
            for k in range(spans):
                start = round(60 * k + 30 * draw.random(), 1)
                qrels.append((f'q{q}', f'd{d}', start, round(start + 5 + 20 * draw.random(), 1), 1))
        for k in range(1200):
            start = round(60 * spans * draw.random(), 1)
            item = (f'q{q}', f'd{draw.randrange(documents)}', start, round(start + 10 + 50 * draw.random(), 1), -k)
            run.append(item)
    columns = ['query_id', 'doc_id', 'start', 'end']
    return pd.DataFrame(qrels, columns=[*columns, 'relevance']), pd.DataFrame(run, columns=[*columns, 'score'])


def in_process(label: str, qrels: pd.DataFrame, run: pd.DataFrame, rounds: int, goals: tuple[str, ...]) -> None:
    id_qrels, id_run = with_ids(qrels), with_ids(run)
    host = ir_measures.evaluator(HOST, id_qrels)
    shapes = {'columns': (qrels, run), 'ids': (id_qrels, id_run)}
    for (name, (some_qrels, some_run)), goal in zip(shapes.items(), goals):
        ours = ir_measures.evaluator(OURS, some_qrels)
        report(f'{label}, {name}', lambda o=ours, r=some_run: o.calc_aggregate(r),
               lambda: host.calc_aggregate(id_run), rounds, goal)
    for name, (some_qrels, some_run) in shapes.items():
        report(f'{label}, {name}, evaluator rebuilt',
               lambda q=some_qrels, r=some_run: ir_measures.calc_aggregate(OURS, q, r),
               lambda: ir_measures.calc_aggregate(HOST, id_qrels, id_run), rounds, goals[2])


def command(qrels: pd.DataFrame, run: pd.DataFrame, rounds: int) -> None:
    """The whole commands, from start to exit, on the same TREC files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = os.path.join(folder, 'qrels.txt'), os.path.join(folder, 'run.txt')
        with open(paths[0], 'w') as file:
            file.writelines(f'{row.query_id} 0 {row.doc_id} {row.relevance}\n' for row in with_ids(qrels).itertuples())
        with open(paths[1], 'w') as file:
            file.writelines(f'{row.query_id} Q0 {row.doc_id} 0 {row.score} x\n' for row in with_ids(run).itertuples())
        commands('whole command, T2I_AP MAgP MAiSP : AP nDCG@10 P@10',
                 ('evaluate', *paths, 'T2I_AP', 'MAgP', 'MAiSP'), (*paths, 'AP', 'nDCG@10', 'P@10'), rounds)
        commands('whole command, MAgP : AP', ('evaluate', *paths, 'MAgP'), (*paths, 'AP'), rounds)


def commands(label: str, ours: tuple[str, ...], theirs: tuple[str, ...], rounds: int) -> None:
    """The command ir_segmeasures beside the command ir_measures, with these arguments."""
    path = f'{Path(sys.executable).parent}{os.pathsep}{os.environ["PATH"]}'
    names = [shutil.which(name, path=path) for name in ('ir_segmeasures', 'ir_measures')]
    if None in names:
        print(f'| {label} | not measured: the commands are not installed | | | |')
        return

    # An installer compiles both packages; from a checkout the first call has to be allowed to.
    env = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}

    def whole(*arguments: Any) -> Callable[[], object]:
        return lambda: subprocess.run(arguments, check=True, capture_output=True, env=env)
    report(label, whole(names[0], *ours), whole(names[1], *theirs), rounds, '1.2')


FAMILIES: dict[str, list[Any]] = {
    'T2I': [T2I_AP, P_tol@10, ESLRF(D=10_000_000)@5], 'AiSP': [MAiSP, MAiSP(user='ret'), ASP], 'AgP': [MAgP, gP@10],
    'overlap': [AP_over, P_over@10], 'bin': [AP_bin, P_bin@10], 'Judged': [Judged_over@10, Judged_tol@10],
    'coverage': [P_cov, R_cov], 'content': [SegF, SegIoU, SegF(budget=3600)],
    'GAP': [GAP], 'meetings': [RR_over, P_new@10, Rprec_new], 'a population': [T2I_AP(tau='5:60:5')],
    'AigP': [AigP], 'rejection': [SegRejection(D=10_000_000)], 'known': [SegCoverage, SegNovelty],
    'CharAP': [CharAP], 'PassageAP': [PassageAP],
    'IoU': [IoU_AP(iou=0.5), mIoU_AP], 'sh_eval': [MAiSP(tool='sh_eval'), AP_tol(tool='sh_eval')],
}


def families(qrels: pd.DataFrame, run: pd.DataFrame, rounds: int) -> None:
    """Each family beside AP alone, with columns."""
    id_qrels, id_run = with_ids(qrels), with_ids(run)
    qrels = qrels.assign(known=[row % 2 for row in range(len(qrels))])
    host = ir_measures.evaluator([AP], id_qrels)
    for name, measures in FAMILIES.items():
        ours = ir_measures.evaluator(measures, qrels)
        report(f'{name} ({", ".join(map(str, measures))}) : AP', lambda o=ours: o.calc_aggregate(run),
               lambda: host.calc_aggregate(id_run), rounds, '')
    report('micro average (SegP) : AP, evaluator rebuilt', lambda: micro('SegP', qrels, run),
           lambda: ir_measures.calc_aggregate([AP], id_qrels, id_run), rounds, '')


def doubts(qrels: pd.DataFrame, run: pd.DataFrame, rounds: int) -> None:
    """What is said of a run and qrels that are right, as a share of the evaluation that says it.

    The evaluator looks at the qrels alone once for all runs, so that is in neither.
    """
    judged, found = SegmentTable.from_qrels(qrels), SegmentTable.from_run(run)
    evaluator, index = ir_measures.evaluator(OURS, judged), QrelsIndex(judged)
    # What was said of a run is remembered, so that each look is one at another table.
    matches = iter([Match(judged, replace(found), index) for _ in range(rounds + 1)])

    def looked() -> None:
        assert not comparison_warnings(next(matches))
    report(f'warnings : {", ".join(map(str, OURS))}, {len(found):,} items', looked,
           lambda: evaluator.calc_aggregate(run), rounds, '0.02')


def inex(rounds: int) -> None:
    """INEX 2010: the whole commands on 67,000 lines, and the measures of passages beside AP of documents."""
    folder = REAL.parent / 'inex-2010'
    if not folder.is_dir():
        print('| INEX 2010 | not measured: the files are not on this machine | | | |')
        return
    qrels = formats.read_qrels(folder / 'inex2010.qrels.gz', 'inex-fol')
    run = formats.read_run(folder / 'run-noisy.txt.gz', 'inex-fol')
    documents = list({(row.query_id, row.doc_id): Qrel(row.query_id, row.doc_id, int(row.relevance))
                      for row in qrels}.values())
    ranking = [ScoredDoc(row.query_id, row.doc_id, row.score) for row in run]
    with tempfile.TemporaryDirectory() as place:
        fol, trec = ([os.path.join(place, f'{kind}.{name}') for kind in ('qrels', 'run')] for name in ('fol', 'trec'))
        for packed, plain in zip(('inex2010.qrels.gz', 'run-noisy.txt.gz'), fol):
            Path(plain).write_bytes(gzip.decompress((folder / packed).read_bytes()))
        with open(trec[0], 'w') as file:
            file.writelines(f'{row.query_id} 0 {row.doc_id} {row.relevance}\n' for row in documents)
        with open(trec[1], 'w') as file:
            file.writelines(f'{row.query_id} Q0 {row.doc_id} 0 {row.score} x\n' for row in ranking)
        options = ('--qrels-format', 'inex-fol', '--run-format', 'inex-fol')
        commands(f'whole command, INEX 2010, {len(run):,} lines, AgP(beta=0.25) : AP',
                 ('evaluate', *fol, 'AgP(beta=0.25)', *options), (*trec, 'AP'), rounds)
    host = ir_measures.evaluator([AP], documents)
    for measures in ([AgP(beta=0.25)], [AiP], [AgP_bep], [BEPD(A=1, L=5000)], [AgP_reading],
                     [AgP(beta=0.25, tool='inex_eval')]):
        ours = ir_measures.evaluator(measures, qrels)
        report(f'INEX 2010, {measures[0]} : AP', lambda o=ours: o.calc_aggregate(run),
               lambda: host.calc_aggregate(ranking), min(rounds, 7), '')


def elements(rounds: int) -> None:
    """Judged elements: 10 queries of 40 articles of 4 sections of 6 paragraphs, and runs of 1,000 elements."""
    draw = random.Random(1)
    qrels, run = [], []
    for q in range(10):
        every = []
        for d in range(40):
            every += [(f'a{d}', '/a[1]', 0, 2400), *((f'a{d}', f'/a[1]/s[{s}]', 600 * s - 600, 600 * s)
                                                     for s in range(1, 5))]
            every += [(f'a{d}', f'/a[1]/s[{s}]/p[{p}]', 600 * s - 600 + 100 * p - 100, 600 * s - 600 + 100 * p)
                      for s in range(1, 5) for p in range(1, 7)]
        ids = [f'{d}#xpath={path}&char={start},{end}' for d, path, start, end in every]
        for id in ids:
            e, s = draw.choice([(0, 0), (0, 0), (0, 0), (1, 1), (1, 2), (2, 3), (3, 3)])
            qrels.append((f'q{q}', id, int(e > 0), e, s))
        run += [(f'q{q}', id, -rank) for rank, id in enumerate(draw.sample(ids, 1000))]
    judged = pd.DataFrame(qrels, columns=['query_id', 'doc_id', 'relevance', 'exhaustivity', 'specificity'])
    ranking = pd.DataFrame(run, columns=['query_id', 'doc_id', 'score'])
    host = ir_measures.evaluator([AP], judged)
    for measure in (nXCG@100, nXCG(quant='binary', ideal='focused')@100, MAep(ideal='full', alpha=0), iMAep, PRUM@.5,
                    PRUM(collection=10 ** 7)@.5):
        ours = ir_measures.evaluator([measure], judged)
        report(f'elements, {measure} : AP', lambda o=ours: o.calc_aggregate(ranking),
               lambda: host.calc_aggregate(ranking), min(rounds, 7), '')
    for name, make in (('ideal_recall_base', ideal_recall_base), ("element_run, 'frb'",
                                                                  lambda judged: element_run(judged, 'frb'))):
        report(f'elements, {name} : AP', lambda m=make: m(judged), lambda: host.calc_aggregate(ranking),
               min(rounds, 7), '')


def strata(rounds: int) -> None:
    """TRECVID 2021: inferred AP with strata beside ir-measures' without."""
    folder = REAL.parent / 'trecvid'
    if not folder.is_dir():
        print('| xinfAP : infAP | not measured: the files are not on this machine | | | |')
        return
    qrels = pd.DataFrame(formats.read_qrels(folder / 'avs.qrels.main.tv21.gz', 'trecvid-strata'))
    run = pd.DataFrame(formats.read_run(folder / 'run-avs-tv21.txt.gz'))
    report('TRECVID 2021, 124,431 judgements, xinfAP : infAP, evaluator rebuilt',
           lambda: ir_measures.calc_aggregate([xinfAP], qrels, run),
           lambda: ir_measures.calc_aggregate([infAP], qrels, run), min(rounds, 7), '')


def characters(rounds: int) -> None:
    """CharAP in closed form beside the walk over characters that defines it, on the passages of TREC Genomics 2007."""
    folder = REAL.parent / 'trec-genomics-2007'
    if not folder.is_dir():
        print('| CharAP : walking characters | not measured: the files are not on this machine | | | |')
        return
    qrels = formats.read_qrels(folder / 'gold-standard-07.txt.gz', 'genomics')
    run = formats.read_run(folder / 'run-ga-01.txt.gz', 'genomics')
    gold: dict[tuple[str, str], set[int]] = {}
    for row in qrels:
        gold.setdefault((row.query_id, row.doc_id), set()).update(range(row.start, row.end))

    def walk() -> dict[str, float]:
        values: dict[str, float] = {}
        total = {query_id: sum(len(part) for (query, _), part in gold.items() if query == query_id)
                 for query_id, _ in gold}
        counts = dict.fromkeys(total, (0, 0))
        seen: set[tuple[str, str, int]] = set()
        for row in run:
            if row.query_id not in total:
                continue
            n, d = counts[row.query_id]
            relevant = gold.get((row.query_id, row.doc_id), frozenset())
            for i in range(row.start, row.end):
                if i not in relevant:
                    d += 1
                elif (row.query_id, row.doc_id, i) not in seen:
                    seen.add((row.query_id, row.doc_id, i))
                    n, d = n + 1, d + 1
                    values[row.query_id] = values.get(row.query_id, 0) + n / d
            counts[row.query_id] = n, d
        return {query_id: value / total[query_id] for query_id, value in values.items()}

    evaluator = ir_measures.evaluator([CharAP], qrels)
    table = SegmentTable.from_run(run)
    walked = walk()
    for metric in evaluator.iter_calc(table):
        assert abs(metric.value - walked.get(metric.query_id, 0)) < 1e-9
    report('CharAP : walking characters (TREC Genomics, run ga-01)', lambda: evaluator.calc_aggregate(table), walk,
           min(rounds, 3), '0.02')


def shapes(rounds: int) -> None:
    """A run of 200,000 items in a frame of polars, read, over the table of Arrow that has its columns."""
    try:
        import polars
        import pyarrow
    except ImportError:
        print('| frames of polars | not measured: polars and pyarrow are not installed | | | |')
        return
    n, draw = 200_000, np.random.default_rng(1)
    start = draw.integers(0, 36_000, n) / 10
    columns = pd.DataFrame({'query_id': [f'q{i // 1000}' for i in range(n)], 'start': start, 'end': start + 60,
                            'doc_id': [f'video{i:05}' for i in draw.integers(0, 5000, n)], 'score': -np.arange(n)})
    for name, frame in (('columns', columns), ('ids', with_ids(columns))):
        run = {column: frame[column].tolist() for column in frame}
        ours, theirs = (partial(SegmentTable.from_run, make(run)) for make in (polars.DataFrame, pyarrow.table))
        grown(f'polars : Arrow, a run of {n:,} items, {name}', ours, theirs, rounds, '1.3', statistics.median)


def growth(rounds: int) -> None:
    """Worst shapes at two sizes: the time per item should stay, so the ratio of the times be that of the sizes, 4."""
    def shape(n: int, spans: int, length: float) -> tuple[pd.DataFrame, pd.DataFrame]:
        qrels = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': np.arange(spans) * 10., 'relevance': 1})
        qrels['end'] = qrels['start'] + length
        qrels['bep'], qrels['doc_size'], qrels['known'] = 0, qrels['end'].max(), 1
        draw = np.random.default_rng(1)
        run = pd.DataFrame({'query_id': 'q', 'doc_id': 'v', 'start': np.floor(draw.random(n) * spans * 10),
                            'score': -np.arange(n)})
        run['end'] = run['start'] + 5
        return qrels, run

    def measured(measures: list[Any], qrels: pd.DataFrame, run: pd.DataFrame) -> Callable[[], object]:
        evaluator = ir_measures.evaluator(measures, qrels)
        return lambda: evaluator.calc_aggregate(run)

    def aligned(qrels: pd.DataFrame, run: pd.DataFrame) -> Callable[[], object]:
        qrels, run = with_ids(qrels), with_ids(run)
        return lambda: align(run, qrels)
    warnings.simplefilter('ignore', SegmentWarning)  # of repeats, which are what is looked at
    n = 10_000
    shapes = {'many spans in one document': (n, 5.), 'one span, many pieces': (1, 10.), 'every item a repeat': (3, 5.)}
    passages = [[measure] for measure in (AiP, AgP_bep, AgP_reading)]
    for measures in ([*OURS, MAiSP(user='ret'), T2I_AP(keepviewing=True)], *FAMILIES.values(), *passages, 'align'):
        what = aligned if measures == 'align' else partial(measured, measures)
        for name, (spans, length) in shapes.items():
            grown(f'{name}, {measures if measures == "align" else ", ".join(map(str, measures))}, '
                  f'{4 * n:,} : {n:,} items', what(*shape(4 * n, spans * 4 if spans == n else spans, length)),
                  what(*shape(n, spans, length)), rounds)
    for measure in (XCG, nXCG@100, EffortP@.5, PRUM@.5, PRUM(navigation='t2i', tau=50)@.5, PRUM(collection=10 ** 6)):
        for name, one in (('one document of elements', True), ('many documents of elements', False)):
            grown(f'{name}, {measure}, 4,000 : 1,000 elements', *(
                of_elements(size, measure, one) for size in (4000, 1000)), rounds)


def grown(name: str, larger: Callable[[], object], smaller: Callable[[], object], rounds: int, goal: str = '4.8',
          figure: Callable[[Any], float] = min) -> None:
    """One row: the processor time of the one over that of the other; of all rounds the least, which other processes
    disturb least, or another figure. Both alternate, since processors slow down and speed up."""
    larger(), smaller()
    gc.disable()  # as timeit does: it looks at all that pandas and NumPy have made, too
    pairs = [[times(function, time.process_time) for function in (larger, smaller, smaller)] for _ in range(rounds)]
    gc.enable()
    one, other = figure([pair[0] for pair in pairs]), figure([time for pair in pairs for time in pair[1:]])
    print(f'| {name} | {one / other:.1f} | {goal} | {one * 1000:.0f} ms | {other * 1000:.0f} ms |', flush=True)


def of_elements(n: int, measure: Any, one: bool) -> Callable[[], object]:
    """``n`` judged paragraphs in sections of ten, in one document or each section in its own, all of them retrieved."""
    ids = [f'a{"" if one else i // 10}#xpath=/a[1]/s[{i // 10 + 1}]/p[{i % 10 + 1}]&char={10 * i},{10 * i + 10}'
           for i in range(n)]
    draw = random.Random(1)
    qrels = pd.DataFrame([('q', id, 1, *draw.choice([(1, 1), (2, 3), (3, 3)])) for id in ids],
                         columns=['query_id', 'doc_id', 'relevance', 'exhaustivity', 'specificity'])
    run = pd.DataFrame([('q', id, -rank) for rank, id in enumerate(draw.sample(ids, n))],
                       columns=['query_id', 'doc_id', 'score'])
    evaluator = ir_measures.evaluator([measure], qrels)
    return lambda: evaluator.calc_aggregate(run)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=15)
    args = parser.parse_args()
    rounds = args.rounds
    print(f'Python {platform.python_version()}, NumPy {np.__version__}, pandas {pd.__version__}, '
          f'ir-measures {ir_measures.__version__}, {rounds} rounds\n')
    print('| what | ratio | goal | ours | theirs |\n|---|---|---|---|---|')
    data: tuple[Any, Any] = dense()
    in_process('dense (30 × 1,200, spans everywhere)', *data, rounds, ('0.8', '', ''))
    if REAL.is_dir():
        data = real()
        in_process('S&H 2014 (35,949 items)', *data, rounds, ('0.4', '0.8', '1.0'))
    else:
        print('| S&H 2014 | not measured: the files are not on this machine | | | |')
    command(*data, rounds)
    families(*data, min(rounds, 7))
    doubts(*data, rounds)
    inex(rounds)
    elements(rounds)
    strata(rounds)
    characters(rounds)
    shapes(max(5, rounds))
    growth(min(rounds, 5))


if __name__ == '__main__':
    with contextlib.suppress(KeyboardInterrupt):
        main()
