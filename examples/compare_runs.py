"""Compare two runs, of the sample collection or your own: where do they differ, and for whom?

    python examples/compare_runs.py
    python examples/compare_runs.py QRELS RUN RUN

Three measures of the same two runs, for each query, and how often each measure prefers which run. T2I_MAP looks at
where results start, MAgP at how well they match in each recording, MAiSP at the time that a user spends.
"""

import sys
from pathlib import Path

import ir_measures

from ir_segmeasures import T2I_MAP, MAgP, MAiSP, formats, sample

MEASURES = {'T2I_MAP': T2I_MAP(tau=15), 'MAgP': MAgP, 'MAiSP': MAiSP}


def main() -> None:
    if len(sys.argv) not in (1, 4):
        sys.exit('usage: python examples/compare_runs.py [QRELS RUN RUN]')
    files = sys.argv[1:] or [sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run')]
    texts = {} if sys.argv[1:] else {query.query_id: query.text for query in sample.queries()}
    qrels, first, second = formats.read_qrels(files[0]), *(Path(file).stem for file in files[1:])
    values, queries = {}, list(dict.fromkeys(qrel.query_id for qrel in qrels))
    for name, file in zip((first, second), files[1:]):
        for metric in ir_measures.iter_calc(MEASURES.values(), qrels, formats.read_run(file)):
            values[metric.query_id, metric.measure, name] = metric.value

    print(f'{"query":50}' + ''.join(f'{name:>16}' for name in MEASURES))
    for query in queries:
        pairs = [f'{values[query, measure, first]:.2f} : {values[query, measure, second]:.2f}'
                 for measure in MEASURES.values()]
        print(f'{query:4}{texts.get(query, ""):46}' + ''.join(f'{pair:>16}' for pair in pairs))

    print(f'{f"queries that prefer {first} : {second}":50}', end='')
    for measure in MEASURES.values():
        differences = [values[query, measure, first] - values[query, measure, second] for query in queries]
        count = f'{sum(d > 0 for d in differences)} : {sum(d < 0 for d in differences)}'
        print(f'{count:>16}', end='')
    print()


if __name__ == '__main__':
    main()
