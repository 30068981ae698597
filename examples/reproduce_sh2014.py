"""The figures of the evaluation tool of MediaEval Search & Hyperlinking 2014, from the campaign's own files.

    python examples/reproduce_sh2014.py
    python examples/reproduce_sh2014.py QRELS RUN

It takes ir_datasets (pip install '.[datasets]'), and the judgements of 2014 and a run, in the home of ir_datasets or as
arguments. Nothing is downloaded here: if a file is missing, the script says which and how to get it, and computes
nothing.

For each figure that the tool prints there is the same from here, to the tool's 12 digits, and the value by definition.
The tool differs from the definitions in known ways, which help(ir_segmeasures.sh_eval) lists. Most of it is in the
figures with a tolerance: where the tool looks at all of an item, to find out whether it was seen or judged, the
definitions look at where it begins. All are means over the 30 judged queries, of which this run answers each; the tool
leaves out queries that a run does not answer.
"""

import sys
from collections.abc import Sequence
from typing import Any

import ir_measures

import ir_segmeasures as segments
from ir_segmeasures import formats
from ir_segmeasures.datasets import load

DATASET = 'mediaeval-sh/2014/search'
# The tool's names: those of overlap have no ending.
FIGURES = {}
for kind in ('over', 'bin', 'tol'):
    ending = '' if kind == 'over' else f'_{kind}'
    AP, P, Judged = (getattr(segments, f'{name}_{kind}') for name in ('AP', 'P', 'Judged'))
    FIGURES[f'map{ending}'] = AP
    FIGURES.update({f'P_{k}{ending}': P@k for k in (5, 10, 20)})
    FIGURES.update({f'Judged_{k}{ending}': Judged@k for k in (10, 20, 30)})
FIGURES['maisp'] = segments.MAiSP
FIGURES.update({f'maisp_{recall:.2f}': segments.iSP@recall for recall in (0.05, 0.1, 0.2)})


def main() -> None:
    if len(sys.argv) == 3:
        return reproduce(*sys.argv[1:], formats.read_qrels(sys.argv[1], 'sh-search'),
                         formats.read_run(sys.argv[2], 'sh-search'))
    if len(sys.argv) != 1:
        sys.exit('usage: python examples/reproduce_sh2014.py [QRELS RUN]')
    dataset = load(DATASET)
    files = [*dataset.qrels_handler().files, *dataset.scoreddocs_handler().files]
    missing = [file for file in files if not file.exists()]
    if missing:
        return explain(missing)
    reproduce(DATASET, files[-1].name, list(dataset.qrels_iter()), list(dataset.scoreddocs_iter()))


def reproduce(judgements: str, name: str, qrels: Sequence[Any], run: Sequence[Any]) -> None:
    print(f'{judgements}: {len({qrel.query_id for qrel in qrels})} judged queries, {len(qrels)} judgements, '
          f'{len(run)} items in {name}')
    measures = [measure(tool='sh_eval') for measure in FIGURES.values()]
    values = ir_measures.calc_aggregate([*measures, *FIGURES.values()], qrels, run)
    print(f'{"figure":14}{"sh_eval":>15}{"definition":>15}  measure')
    for (name, definition), measure in zip(FIGURES.items(), measures):
        print(f'{name:14}{values[measure]:15.12f}{values[definition]:15.12f}  {measure}')


def explain(missing: Sequence[Any]) -> None:
    print(f'{DATASET}: nothing is computed, since the following is not on this machine.')
    for file in missing:
        print(f'\n{file.location}')
        if file.url:
            print(f'  is at {file.url}\n  and is downloaded when it is first read, as by:\n'
                  f'  ir_segmeasures datasets export {DATASET} qrels > qrels.txt')
        else:
            print(f'  {file.how}:\n  put it there, as it is or packed (.gz). A run of your own is evaluated by:\n'
                  f'  ir_segmeasures evaluate {DATASET} my.run MAiSP --run-format sh-search --provider sh_eval')


if __name__ == '__main__':
    main()
