"""
Recompute the official programs' and the published figures for real judgements and runs: python tests/fidelity.py

The files lie beside the project (shared/data); what is not there is left out, saying so. A difference is that between
what was printed and our value with as many decimals, at most 12. The exit code is 1 if any is not 0.
"""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
from ir_measures import Measure

from ir_segmeasures import formats

DATA = Path(__file__).resolve().parents[2] / 'shared' / 'data'
OVER = {'map': 'AP_over', 'map_bin': 'AP_bin', 'map_tol': 'AP_tol', 'maisp': 'MAiSP'}
MODES = {'r': ('AgP', 'gP', 'beta=0.25'), 'b': ('AgP_bep', 'gP_bep', ''), 'i': ('AgP_reading', 'gP_reading', ''),
         'f': ('AiP', 'iP', "overlap='error'"), 't': ('AiP', 'iP', '')}
MOMENTS = {'MR-full-mAP': 'mIoU_AP', 'MR-full-mAP@0.5': 'IoU_AP(iou=0.5)', 'MR-full-mAP@0.75': 'IoU_AP(iou=0.75)',
           'MR-full-R1@0.5': 'IoU_R(iou=0.5)@1', 'MR-full-R1@0.7': 'IoU_R(iou=0.7)@1'}


class Figure(NamedTuple):
    """A printed figure: of which query (``'all'``: the mean), by which name, which measure it is."""
    query_id: str
    name: str
    printed: str
    measure: Measure
    scale: float = 1


class Source(NamedTuple):
    """Figures of one run: the program, the files, and the figures."""
    program: str
    run: str
    qrels: Any
    items: Any
    figures: list[Figure]


def sh_measure(figure: str) -> str | None:
    """The measure that a figure of the tool of Search & Hyperlinking is."""
    if figure in OVER:
        return OVER[figure]
    name, _, rest = figure.partition('_')
    if name == 'maisp':
        return f'iSP@{float(rest)}'
    k, _, kind = rest.partition('_')
    return f'{name}_{kind or "over"}@{k}' if name in ('P', 'Judged') and k.isdigit() else None


def inex_measure(figure: str, mode: str) -> str:
    """The measure that a figure of inex_eval is."""
    name, _, at = figure.rstrip(']').partition('[')
    average, precision, params = MODES[mode]
    if name == 'gR':
        return f'gR@{at}'
    params = f'({params})' if params else ''
    return average + params if name in ('AgP', 'MAgP', 'AiP', 'MAiP') else f'{precision}{params}@{float(at):g}'


def sources() -> Iterator[Source]:
    """All that can be recomputed."""
    def tool(text: str, name: str) -> Measure:
        return ir_measures.parse_measure(text)(tool=name)

    folder = DATA / 'mediaeval-sh-2014'
    for name in ('180-60-over', '180-60-noover'):
        with open(folder / f'expected-{name}.tsv', newline='') as file:
            # The program's means are over the queries that the run answers.
            figures = [Figure(query.strip(), figure.strip(), value.strip(), tool(text, 'sh_eval'))
                       for figure, query, value in csv.reader(file, delimiter='\t')
                       if query.strip() != 'all' and (text := sh_measure(figure.strip()))]
        yield Source('sh_eval', name, formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search'),
                     formats.read_run(folder / f'run-{name}.txt.gz', 'sh-search'), figures)
    folder = DATA / 'inex-2010'
    for path in sorted(folder.glob('expected-*.tsv')):
        _, name, mode = path.stem.split('-')
        with open(path, newline='') as file:
            figures = [Figure(query, figure, value, tool(inex_measure(figure, mode), 'inex_eval'))
                       for figure, query, value in csv.reader(file, delimiter='\t')]
        yield Source('inex_eval', f'{name} -{mode}', formats.read_qrels(folder / 'inex2010.qrels.gz', 'inex-fol'),
                     formats.read_run(folder / f'run-{name}.txt.gz', 'inex-fol'), figures)
    folder = DATA / 'trec-genomics-2007'
    qrels = formats.read_qrels(folder / 'gold-standard-07.txt.gz', 'genomics')
    topics = {row.query_id for row in qrels}
    for name in ('ga-01', 'ga-03'):
        lines = [line.split('\t') for line in (folder / f'expected-{name}.tsv').read_text().splitlines()]
        names = {'PASSAGE': ir_measures.parse_measure('PassageAP'), 'PASSAGE2': ir_measures.parse_measure('CharAP')}
        yield Source('trecgen2007_score', name, qrels, formats.read_run(folder / f'run-{name}.txt.gz', 'genomics'),
                     [Figure(topic, figure, score, names[figure]) for _, figure, topic, score in lines
                      if figure in names and topic in topics])
    folder = DATA / 'trecvid'
    printed_lines = (folder / 'expected-sample_eval.tsv').read_text().splitlines()
    figures = [Figure(query, figure, value, tool('xinfAP', 'sample_eval'))
               for figure, query, value in map(str.split, printed_lines)
               if figure == 'infAP']
    yield Source('sample_eval', 'avs-tv21', formats.read_qrels(folder / 'avs.qrels.main.tv21.gz', 'trecvid-strata'),
                 formats.read_run(folder / 'run-avs-tv21.txt.gz'), figures)
    folder = DATA / 'qvhighlights'
    printed = json.loads((folder / 'expected.json').read_text(), parse_float=str)
    yield Source('QVHighlights', 'val', formats.read_qrels(folder / 'val-windows.jsonl.gz', 'moments'),
                 formats.read_run(folder / 'predictions.jsonl.gz', 'moments'),
                 [Figure('all', name, printed[name], ir_measures.parse_measure(text), 100)
                  for name, text in MOMENTS.items()])


def difference(printed: str, value: float) -> float:
    """Between a printed figure and a value with as many decimals, at most 12; two that are not numbers are equal."""
    if value != value or printed.lower() == 'nan':
        return 0. if value != value and printed.lower() == 'nan' else float('inf')
    decimals = min(12, len(printed.partition('.')[2]))
    apart = abs(float(printed) - value)
    return 0. if apart <= 0.5 * 10 ** -decimals * (1 + 1e-3) else apart


def main() -> int:
    """Print the table. Returns the exit code."""
    if not DATA.is_dir():
        print(f'nothing to recompute: {DATA} is not on this machine')
        return 0
    count, worst = 0, 0.
    print(f'{"program":<18} {"run":<14} {"figures":>8} {"differ":>7} {"largest":>10}')
    for program, run, qrels, items, figures in sources():
        measures = list(dict.fromkeys(figure.measure for figure in figures))
        values = {(metric.query_id, metric.measure): metric.value
                  for metric in ir_measures.iter_calc(measures, qrels, items)}
        for measure in measures:
            of_queries = [value for (_, other), value in values.items() if other == measure]
            values['all', measure] = sum(of_queries) / len(of_queries)
        apart = [(difference(figure.printed, figure.scale * values[figure.query_id, figure.measure]), figure)
                 for figure in figures]
        wrong = [pair for pair in apart if pair[0]]
        print(f'{program:<18} {run:<14} {len(apart):>8} {len(wrong):>7} {max(far for far, _ in apart):>10.3g}')
        for far, figure in wrong[:5]:
            print(f'  {figure.query_id} {figure.name}: printed {figure.printed}, '
                  f'computed {figure.scale * values[figure.query_id, figure.measure]!r} ({far:.3g})')
        count, worst = count + len(apart), max(worst, *(far for far, _ in apart))
    print(f'{count} figures, largest difference {worst:.3g}')
    return int(worst > 0)


if __name__ == '__main__':
    sys.exit(main())
