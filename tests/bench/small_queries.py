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
import numpy as np
import pandas as pd
from ir_measures import AP, P, nDCG

from ir_segmeasures import (
    ASP,
    GAP,
    HL_AP,
    I3_P,
    I3_R,
    PRUM,
    T2I_AP,
    AgP,
    AgP_bep,
    AgP_reading,
    AigP,
    AiP,
    AP_bin,
    AP_over,
    AspectAP,
    CharAP,
    EffortP,
    GainR,
    HL_Hit,
    I2_Precall,
    IoU_AP,
    IoU_R,
    MAep,
    MAgP,
    MAiSP,
    MAnXCG,
    NuggetRecall,
    P_bin,
    P_cov,
    P_new,
    P_over,
    PassageAP,
    Precall,
    RBP_residual,
    RR_over,
    SegCoverage,
    SegF,
    SegIoU,
    SegNovelty,
    SegP,
    SegP_omega,
    SegR,
    alpha_nDCG_seg,
    gP,
    iMAep,
    mIoU,
    mIoU_AP,
    nXCG,
    xinfAP,
)

FAMILIES: list[list[Any]] = [
    [SegF], [SegR(budget=2000)], [SegP], [SegIoU@5], [mIoU_AP], [IoU_AP(iou=0.5)], [IoU_R(iou=0.5)@5], [mIoU@5], [AgP],
    [gP@5], [AigP], [AP_bin(bin=300)], [P_bin(bin=300)@10], [T2I_AP(tau=500)], [MAiSP], [ASP], [AP_over], [P_over@10],
    [GAP], [RR_over], [P_new@5], [P_cov], [CharAP], [PassageAP], [SegF, SegP, SegR, SegIoU],
    [SegCoverage, SegNovelty], [AgP_bep], [AgP_reading], [AiP], [Precall(D=10 ** 8)],
    [RBP_residual], [SegP_omega],
]
ROWS: list[list[Any]] = [[HL_AP(min=3)], [HL_Hit(min=3)], [xinfAP]]  # of judged rows
ASPECTS: list[list[Any]] = [[AspectAP], [alpha_nDCG_seg], [NuggetRecall]]
ELEMENTS: list[list[Any]] = [[nXCG@5], [MAnXCG@10], [GainR], [EffortP@.5], [MAep], [iMAep], [I2_Precall], [I3_R],
                             [I3_P], [PRUM]]
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


def aspect_frames(queries: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same, with one to three of a query's five aspects in each judged passage."""
    draw = random.Random(3)
    qrels, run = frames(queries)
    return qrels.assign(aspects=['|'.join(sorted(draw.choices('vwxyz', k=draw.randrange(1, 4))))
                                 for _ in range(len(qrels))]), run


def row_frames(queries: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same run, and three of its items of each query as judged rows, in a sample of strata and by three workers."""
    draw = random.Random(2)
    run = frames(queries)[1]
    qrels = run.groupby('query_id', sort=False).nth([0, 3, 5]).drop(columns='score').reset_index(drop=True)
    qrels['start'] += [draw.random() > .7 for _ in range(len(qrels))]  # some are not retrieved
    for column, values in (('relevance', (1, 1, 0, -1)), ('stratum', (1, 2)), *(
            (f'saliency_{worker}', range(5)) for worker in (1, 2, 3))):
        qrels[column] = [draw.choice(values) for _ in range(len(qrels))]
    return qrels, run


def element_frames(queries: int, paths: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Elements of articles of five sections with three paragraphs each: three judged ones a query, in two articles, and
    ten retrieved ones, about half of them there; as offsets, or with their paths.
    """
    draw = random.Random(2)
    parts = [(1200 * i, 1200 * i + 1200, f'/article[1]/sec[{i + 1}]') for i in range(5)]
    parts += [(400 * i, 400 * i + 400, f'/article[1]/sec[{i // 3 + 1}]/p[{i % 3 + 1}]') for i in range(15)]

    def element(document: str, part: tuple[int, int, str]) -> str:
        start, end, path = part
        return f'{document}#{f"xpath={path}&" if paths else ""}char={start},{end}'
    qrels, run = [], []
    for q in range(queries):
        documents = [f'doc{draw.randrange(5000):04}' for _ in range(2)]
        qrels += [(f'q{q}', element(documents[k % 2], part), 1, draw.choice((1, 2, 3)), draw.choice((1, 2, 3)))
                  for k, part in enumerate(draw.sample(parts, 3))]
        items = {(documents[k % 2] if k < 5 else f'doc{draw.randrange(5000):04}', draw.choice(parts))
                 for k in range(14)}
        run += [(f'q{q}', element(*item), 10 - k) for k, item in enumerate(draw.sample(sorted(items), 10))]
    return (pd.DataFrame(qrels, columns=['query_id', 'doc_id', 'relevance', 'exhaustivity', 'specificity']),
            pd.DataFrame(run, columns=['query_id', 'doc_id', 'score']))


def with_ids(frame: pd.DataFrame) -> pd.DataFrame:
    ids = [f'{document}#char={start},{end}' for document, start, end in zip(frame.doc_id, frame.start, frame.end)]
    return frame.drop(columns=['start', 'end']).assign(doc_id=ids)


def in_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """The inverse of :func:`with_ids`."""
    parts = frame.doc_id.str.extract(r'(.*)#char=(\d+),(\d+)')
    return frame.assign(doc_id=parts[0], start=parts[1].astype(int), end=parts[2].astype(int))


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
    for families, make in ((FAMILIES, frames), (ASPECTS, aspect_frames), (ROWS, row_frames)):
        qrels, run = make(queries)
        id_qrels, id_run = with_ids(qrels), with_ids(run)
        for measures in families:
            report(f'{queries:,} × 10, {", ".join(map(str, measures))} : AP',
                   partial(ir_measures.calc_aggregate, measures, qrels, run),
                   partial(ir_measures.calc_aggregate, [AP], id_qrels, id_run), rounds, 0.5)
    for shape, paths in (('columns', False), ('ids', False), ('ids with paths', True)):
        id_qrels, id_run = element_frames(queries, paths)
        qrels, run = map(in_columns, (id_qrels, id_run)) if shape == 'columns' else (id_qrels, id_run)
        for measures in ELEMENTS:
            report(f'{queries:,} × 10 elements, {shape}, {measures[0]} : AP',
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


def content(ranges: Chunks) -> int:
    return sum(end - start for _, start, end in ranges)


def legalbench(chunks: Chunks, snippets: Chunks) -> tuple[float, ...]:
    """Precision and recall of LegalBench-RAG."""
    return (common_characters(chunks, snippets) / content(chunks),
            common_characters(snippets, chunks) / content(snippets))


def union(ranges: Chunks) -> Chunks:
    merged: Chunks = []
    for document, start, end in sorted(ranges):
        if merged and merged[-1][0] == document and start <= merged[-1][2]:
            merged[-1] = document, merged[-1][1], max(merged[-1][2], end)
        else:
            merged.append((document, start, end))
    return merged


def chroma(chunks: Chunks, references: Chunks) -> tuple[float, ...]:
    """Recall, precision and IoU of Chroma's program: lists of ranges, which each common part changes."""
    found: Chunks = []
    containing: Chunks = []
    missed = references
    for chunk in chunks:
        for document, first, last in references:
            low, high = max(chunk[1], first), min(chunk[2], last)
            if chunk[0] == document and low <= high:
                missed = [(other, *part) for other, start, end in missed for part in (
                    ((start, min(end, low)), (max(start, high), end)) if other == document else ((start, end),))
                    if part[0] < part[1]]
                found, containing = union([(document, low, high), *found]), union([chunk, *containing])
    common, retrieved = content(found), content(chunks)
    return common / content(references), common / retrieved, common / (retrieved + content(missed))


def vcmr(chunks: Chunks, windows: Chunks) -> tuple[float, ...]:
    """Recall of TVR's program for one window: arrays of each query, which are ready there."""
    document, first, last = windows[0]
    start, end = np.array([chunk[1:] for chunk in chunks], np.float32).T
    common = np.maximum(0, np.minimum(end, last) - np.maximum(start, first))
    iou = common / (np.maximum(end, last) - np.minimum(start, first))
    iou[[chunk[0] != document for chunk in chunks]] = 0
    return tuple(float((iou[:k] >= low).any()) for low in (.5, .7) for k in (1, 5))


PROGRAMS: list[tuple[Callable[[Chunks, Chunks], tuple[float, ...]], list[Any]]] = [
    (legalbench, [SegP(tool='legalbenchrag'), SegR(tool='legalbenchrag')]),
    (chroma, [one(tool='chunking_evaluation') for one in (SegR, SegP, SegIoU)]),
    (vcmr, [IoU_R(iou=low, tool='tvr')@k for low in (.5, .7) for k in (1, 5)])]


def programs(queries: int, rounds: int) -> None:
    """Two rows for each program: its numbers beside its own functions, a loop over queries, on tuples."""
    def tuples(frame: pd.DataFrame) -> dict[str, Chunks]:
        found: dict[str, Chunks] = {}
        for query, *chunk in zip(*(frame[name].tolist() for name in ('query_id', 'doc_id', 'start', 'end'))):
            found.setdefault(query, []).append((chunk[0], chunk[1], chunk[2]))
        return found
    for program, measures in PROGRAMS:
        qrels, run = frames(queries)
        qrels = qrels.drop_duplicates('query_id') if program is vcmr else qrels
        judged, chunks = tuples(qrels), tuples(run)

        def theirs(program: Any = program, judged: Any = judged, chunks: Any = chunks) -> Any:
            return [program(chunks[query], spans) for query, spans in judged.items()]
        ours = ir_measures.calc_aggregate(measures, qrels, run)
        assert np.allclose([ours[measure] for measure in measures], np.mean(theirs(), axis=0))
        for shape, some_qrels, some_run in (('columns', qrels, run), ('ids', with_ids(qrels), with_ids(run))):
            report(f"{queries:,} × 10, {shape}, {', '.join(map(str, measures))} : the program's functions on tuples",
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
