"""Hold the measures against their plain references on generated cases: python tests/bench/pressure.py [--cases N]

A case is a query: its judgements and a ranking, in which boundaries meet all the time. The references, those of
tests/reference.py, compute in exact fractions from the decimals that are meant; the measures get floats: these
decimals, or sums of other decimals that are them but for the noise of binary fractions, in columns (with ends or
lengths) or in ids. Every batch of queries draws its measures, their parameters and how its numbers are written from a
seed of its own, so that a batch that differs is repeated with --first. The exit code is 1 if a value differs by 1e-9 or
more, relative above 1.
"""

import argparse
import random
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))

import reference

from ir_segmeasures.segments.warnings import SegmentWarning

BATCH, MEASURES, LAST = 50, 6, 120
TOLERANCE = 1e-9
Draw = random.Random
Row = tuple[str, Fraction, Fraction]


def some(*values: Any) -> Callable[[Draw], Any]:
    return lambda draw: draw.choice(values)


def decimal(low: float, high: float) -> Callable[[Draw], Any]:
    return lambda draw: round(draw.uniform(low, high), draw.choice((0, 1, 2))) or high


TAU = some(1, 5, 10, 15, 30, 7.5, 0.25, 90)
REL, CUTOFF, AT = some(1, 1, 2), some(None, None, 1, 3, 10), some(1, 2, 5, 10)
INIT = {'init': some(0, 0, 2, 0.7)}  # for measures that sum effort
USER = {'tau': TAU, 'keepviewing': some(False, True), 'apart': some(False, True), 'rel': REL, 'cutoff': CUTOFF}
SEARCH = {**USER, 'D': decimal(4 * LAST + 1, 5000), 'S': some(None, None, 1, 3, 0.5)}
READ = {'rel': REL, 'cutoff': CUTOFF, 'budget': some(None, 30, 77.7, 400)}
SPENT = {**READ, 'D': some(4 * LAST, 1000.5)}
BINS = {'bin': some(0.5, 1, 7.5, 20, 60, 0.3), 'expand': some(False, True)}
PARTS = {'rel': REL, 'cutoff': CUTOFF}
DOCUMENTS = {'score': some('F', 'P', 'R'), 'beta': some(0.25, 1, 2, 0.5), 'rel': REL}
PARAMETERS: dict[str, dict[str, Callable[[Draw], Any]]] = {
    'T2I_AP': USER, 'P_tol': {**USER, 'cutoff': AT}, 'ESL': SEARCH, 'ESLRF': SEARCH, 'ESD': {**SEARCH, **INIT},
    'R_tol': {**USER, 'cutoff': AT},
    'T2I_P': {**USER, 'tau': some(10), 'T': some(10, 50, 120), 'norm': some('items', 'effort')},
    'T2I_Found': {**USER, **INIT, 'T': some(0, 15, 60, 120), 'share': some(False, True)},
    'Precall': {**USER, 'D': SEARCH['D'], 'recall': some(None, 0.1, 0.5, 1)},
    'AiSP': {'user': some('rel', 'ret'), **PARTS}, 'ASP': {'user': some('rel', 'ret'), **PARTS},
    'iSP': {'user': some('rel', 'ret'), 'recall': some(0, 0.1, 0.3, 0.7, 1), **PARTS},
    'AgP': {**DOCUMENTS, 'cutoff': CUTOFF}, 'gP': {**DOCUMENTS, 'cutoff': AT},
    'gR': {'recall': some('docs', 'length'), 'cutoff': AT, 'rel': REL},
    'igP': {**DOCUMENTS, 'cutoff': CUTOFF, 'level': some(0, 0.3, 1), 'recall': some('docs', 'length')},
    'AiP': PARTS, 'iP': {**PARTS, 'recall': some(0, 0.01, 0.3, 1)},
    'R_over': {'rel': REL, 'cutoff': AT},
    'AP_over': PARTS, 'P_over': {'rel': REL, 'cutoff': AT}, 'RR_over': PARTS, 'P_new': {'rel': REL, 'cutoff': AT},
    'Rprec_new': PARTS, 'AP_bin': {**BINS, **PARTS}, 'P_bin': {**BINS, 'rel': REL, 'cutoff': AT},
    'GAP': {'grain': some(1, 15, 7.5), 'window': some(20, 150), **PARTS},
    'Judged_over': {'cutoff': AT}, 'Judged_tol': {'tau': TAU, 'cutoff': AT}, 'Judged_bin': {**BINS, 'cutoff': AT},
    'SegP': READ, 'SegR': READ, 'SegF': {**READ, 'beta': DOCUMENTS['beta']}, 'SegIoU': READ, 'SegMiss': READ,
    'SegNoise': READ, 'SegFallout': SPENT, 'SegRejection': SPENT, 'SegGenerality': {'D': SPENT['D'], 'rel': REL},
    'P_cov': {'ki': some(1 / 3, 0.5, 1), 'ri': some(2 / 3, 0.5, 1), **PARTS},
    'R_cov': {'ki': some(1 / 3, 0.5, 1), 'ri': some(2 / 3, 0.5, 1), **PARTS},
    'PassageAP': PARTS, 'CharAP': PARTS, 'IoU_AP': {'iou': some(0.3, 0.5, 0.7, 1), **PARTS}, 'mIoU_AP': PARTS,
    'IoU_R': {'iou': some(0.3, 0.5, 0.7, 1), 'cutoff': AT, 'rel': REL}, 'AxIoU': {'rel': REL, 'cutoff': AT},
    'mIoP': {'rel': REL, 'cutoff': AT}, 'IoP_R': {'iop': some(0.3, 0.5, 1), 'cutoff': AT, 'rel': REL},
    'nDCG_IoU': {'iou': some(0.3, 0.5, 0.7, 1), 'cutoff': AT, 'dcg': some('exp-log2', 'log2')},
}


def case(draw: Draw, parts: int) -> tuple[list[tuple[str, Fraction, Fraction, int]], list[Row]]:
    """Judgements and a ranking; positions are multiples of 1 / parts."""
    pool = [draw.randrange(LAST * parts + 1) for _ in range(draw.randint(2, 7))]

    def row(documents: str, point: float) -> Row:
        one = draw.choice(pool) if draw.random() < 0.75 else draw.randrange(LAST * parts + 1)
        other = one if draw.random() < point else draw.choice(pool) if draw.random() < 0.6 else one + draw.randint(
            1, 20 * parts)
        low, high = sorted((one, other))
        if low == high and not point:
            high += 1
        return draw.choice(documents), Fraction(low, parts), Fraction(high, parts)
    qrels = [(*row('aab', 0), draw.choice((1, 1, 2, 0))) for _ in range(draw.randint(0, 9))]
    run = [row('aabw', 0.1) for _ in range(draw.randint(0, 10))]
    run += draw.choices(run, k=draw.randint(0, 3)) if run else []
    return [*qrels, ('elsewhere', Fraction(0), Fraction(1), 0)], run


def noisy(draw: Draw, value: Fraction, parts: int, terms: int) -> float:
    """A sum of decimals that is the value, but for the noise of binary fractions."""
    left, total = int(value * parts), 0.
    for _ in range(terms):
        step = draw.randint(0, left)
        left, total = left - step, total + step / parts
    return total + left / parts


def frame(draw: Draw, rows: list[tuple[Any, ...]], value: str, parts: int, terms: int, shape: str) -> pd.DataFrame:
    """Rows of query, document, start, end and value, as the measures get them."""
    def number(exact: Fraction) -> float:
        return noisy(draw, exact, parts, draw.randint(0, terms))
    columns = ['query_id', 'doc_id', 'start', 'end', value]
    table = pd.DataFrame([(query, document, number(start), number(end), number_of)
                          for query, document, start, end, number_of in rows], columns=columns)
    if shape == 'lengths':
        table['length'] = [number(end - start) for _, _, start, end, _ in rows]
        return table.drop(columns='end')
    if shape == 'ids':
        table['doc_id'] = [f'{document}#t={start!r},{max(start, end)!r}'
                           for document, start, end in zip(table.doc_id, table.start.tolist(), table.end.tolist())]
        return table.drop(columns=['start', 'end'])
    table['end'] = table[['start', 'end']].max(axis=1)  # an entry point may be two sums
    return table


def batch(number: int) -> tuple[int, float, list[str]]:
    """A batch: how many values were compared, the largest difference, and the lines of those that differ."""
    draw = random.Random(f'pressure {number}')
    parts, terms = draw.choice(((1, 0), (2, 0), (10, 0), (10, 3), (10, 8), (100, 0), (100, 2), (100, 6), (1000, 3)))
    cases = {f'q{k}': case(draw, parts) for k in range(BATCH)}
    qrels = frame(draw, [(query, *row) for query, (judged, _) in cases.items() for row in judged], 'relevance', parts,
                  terms, draw.choice(('ends', 'lengths', 'ids')))
    run = frame(draw, [(query, *row, -rank) for query, (_, items) in cases.items() for rank, row in enumerate(items)],
                'score', parts, terms, draw.choice(('ends', 'lengths', 'ids')))
    measures = {}
    for name in draw.sample([name for name in PARAMETERS if parts == 1 or name != 'CharAP'], MEASURES):
        params = {key: one(draw) for key, one in PARAMETERS[name].items()}
        params = {key: value for key, value in params.items() if value is not None}
        measures[ir_measures.parse_measure(name)(**params)] = name, params
    worst, differing, count = 0., [], 0
    for metric in ir_measures.iter_calc(list(measures), qrels, run):
        name, params = measures[metric.measure]
        expected = float(getattr(reference, name)(*cases[metric.query_id], **params))
        apart = abs(metric.value - expected) / max(1, abs(expected))
        count, worst = count + 1, max(worst, apart)
        if not apart < TOLERANCE:
            differing.append(f'batch {number}, {metric.query_id}, {metric.measure}: {metric.value!r}, but the '
                             f'reference {expected!r} (1/{parts}, {terms} terms)')
    return count, worst, differing


def main() -> int:
    """Print what differs, and how much was compared. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--cases', type=int, default=100_000, help='how many (default: 100,000)')
    parser.add_argument('--first', type=int, default=0, metavar='BATCH', help='the batch to begin with (default: 0)')
    args = parser.parse_args()
    warnings.simplefilter('ignore', SegmentWarning)  # cases with nothing to find
    count, worst, wrong = 0, 0., 0
    for number in range(args.first, args.first - (-args.cases // BATCH)):
        compared, apart, differing = batch(number)
        count, worst, wrong = count + compared, max(worst, apart), wrong + len(differing)
        print(*differing[:5], sep='\n', end='\n' if differing else '', flush=True)
    print(f'{args.cases:,} cases, {count:,} values, {wrong} differ, largest difference {worst:.3g}')
    return int(wrong > 0)


if __name__ == '__main__':
    sys.exit(main())
