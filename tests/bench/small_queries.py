"""Time measures on many small queries beside ir-measures' AP: python tests/bench/small_queries.py [QUERIES [ROUNDS]]

Questions over chunks of texts: ten retrieved chunks and three judged passages a query, in columns. AP has the same
chunks as document ids. Evaluators are built anew, as PyTerrier does; both sides alternate in one process, and the
median of the ratios of their processor times counts.
"""

import gc
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import ir_measures
import pandas as pd
from ir_measures import AP, P, nDCG

from ir_segmeasures import (
    ASP,
    GAP,
    T2I_AP,
    AgP,
    AgP_bep,
    AgP_reading,
    AigP,
    AiP,
    AP_bin,
    AP_over,
    CharAP,
    IoU_AP,
    IoU_R,
    MAgP,
    MAiSP,
    P_bin,
    P_cov,
    P_new,
    P_over,
    PassageAP,
    RR_over,
    SegCoverage,
    SegF,
    SegIoU,
    SegNovelty,
    SegP,
    SegR,
    gP,
    mIoU,
    mIoU_AP,
)

FAMILIES: list[list[Any]] = [
    [SegF], [SegR(budget=2000)], [SegP], [SegIoU@5], [mIoU_AP], [IoU_AP(iou=0.5)], [IoU_R(iou=0.5)@5], [mIoU@5], [AgP],
    [gP@5], [AigP], [AP_bin(bin=300)], [P_bin(bin=300)@10], [T2I_AP(tau=500)], [MAiSP], [ASP], [AP_over], [P_over@10],
    [GAP], [RR_over], [P_new@5], [P_cov], [CharAP], [PassageAP], [SegF, SegP, SegR, SegIoU],
    [SegCoverage, SegNovelty], [AgP_bep], [AgP_reading], [AiP],
]
BESIDE = ['bep', 'doc_size', 'known']  # columns that some measures need


def frames(queries: int, items: int = 10) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The judgements and the run: five of the chunks are of the documents that the passages are in."""
    draw = random.Random(1)
    qrels, run = [], []
    for q in range(queries):
        documents = [f'doc{draw.randrange(5000):04}' for _ in range(2)]
        for k in range(3):
            start = 2000 * k + draw.randrange(1500)
            qrels.append((f'q{q}', documents[k % 2], start, start + draw.randrange(50, 500), 1, 0, 9000, k % 2))
        chunks = {(documents[k % 2] if k < 5 else f'doc{draw.randrange(5000):04}', 400 * draw.randrange(15))
                  for k in range(items + 4)}
        for k, (document, start) in enumerate(draw.sample(sorted(chunks), items)):
            run.append((f'q{q}', document, start, start + 500, items - k))
    columns = ['query_id', 'doc_id', 'start', 'end']
    return pd.DataFrame(qrels, columns=[*columns, 'relevance', *BESIDE]), pd.DataFrame(run, columns=[*columns, 'score'])


def with_ids(frame: pd.DataFrame) -> pd.DataFrame:
    ids = [f'{document}#char={start},{end}' for document, start, end in zip(frame.doc_id, frame.start, frame.end)]
    return frame.drop(columns=['start', 'end']).assign(doc_id=ids)


def processor_time(function: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    function()
    return time.process_time() - start


def report(name: str, ours: Callable[[], object], theirs: Callable[[], object], rounds: int, goal: float) -> None:
    """Print one row: the median of the ratios of one round after the other, and the medians of both times."""
    ours(), theirs()
    pairs = [(processor_time(ours), processor_time(theirs)) for _ in range(rounds)]
    mine, others = (statistics.median(column) * 1000 for column in zip(*pairs))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f'| {name} | {ratio:.2f} | {goal:.2f} | {mine:.0f} ms | {others:.0f} ms |', flush=True)


def main(queries: int = 10_000, rounds: int = 5) -> None:
    qrels, run = frames(queries)
    id_qrels, id_run = with_ids(qrels), with_ids(run)
    for measures in FAMILIES:
        report(f'{queries:,} × 10, {", ".join(map(str, measures))} : AP',
               partial(ir_measures.calc_aggregate, measures, qrels, run),
               partial(ir_measures.calc_aggregate, [AP], id_qrels, id_run), rounds, 0.5)
    for count, items, goals in ((queries, 10, (0.3, 0.4)), (queries // 5, 50, (0.2, 0.3))):
        together(count, items, goals, rounds)
    programs(queries, rounds)


Chunks = list[tuple[str, int, int]]


def common_characters(chunks: Chunks, snippets: Chunks) -> int:
    common = 0
    for document, start, end in chunks:
        for other, first, last in snippets:
            if document == other and max(start, first) < min(end, last):
                common += min(end, last) - max(start, first)
    return common


def programs(queries: int, rounds: int) -> None:
    """Two rows: the numbers of LegalBench-RAG beside its precision and recall, a loop over pairs each, on tuples."""
    def tuples(frame: pd.DataFrame) -> dict[str, Chunks]:
        found: dict[str, Chunks] = {}
        for query, *chunk in zip(*(frame[name].tolist() for name in ('query_id', 'doc_id', 'start', 'end'))):
            found.setdefault(query, []).append((chunk[0], chunk[1], chunk[2]))
        return found

    def length(chunks: Chunks) -> int:
        return sum(end - start for _, start, end in chunks)

    def theirs() -> list[tuple[float, float]]:
        return [(common_characters(chunks[query], snippets) / length(chunks[query]),
                 common_characters(snippets, chunks[query]) / length(snippets)) for query, snippets in judged.items()]
    qrels, run = frames(queries)
    judged, chunks = tuples(qrels), tuples(run)
    measures = [SegP(tool='legalbenchrag'), SegR(tool='legalbenchrag')]
    for shape, some_qrels, some_run in (('columns', qrels, run), ('ids', with_ids(qrels), with_ids(run))):
        report(f"{queries:,} × 10, {shape}, SegP, SegR(tool='legalbenchrag') : the program's functions on tuples",
               partial(ir_measures.calc_aggregate, measures, some_qrels, some_run), theirs, rounds, 2)


def together(queries: int, items: int, goals: tuple[float, float], rounds: int) -> None:
    """Two rows: three measures together, in columns and in ids."""
    qrels, run = frames(queries, items)
    id_qrels, id_run = with_ids(qrels), with_ids(run)
    ours, theirs = [T2I_AP(tau=500), MAgP, MAiSP], [AP, nDCG@10, P@10]
    for shape, goal, some_qrels, some_run in zip(('columns', 'ids'), goals, (qrels, id_qrels), (run, id_run)):
        report(f'{queries:,} × {items}, {shape}, {", ".join(map(str, ours))} : {", ".join(map(str, theirs))}',
               partial(ir_measures.calc_aggregate, ours, some_qrels, some_run),
               partial(ir_measures.calc_aggregate, theirs, id_qrels, id_run), rounds, goal)


if __name__ == '__main__':
    main(*map(int, sys.argv[1:]))
