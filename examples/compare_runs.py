"""
Compare two runs of the sample collection: where do they differ, and for whom?

    python examples/compare_runs.py

Three measures of the same two runs, for each query, and how often each measure prefers which run. T2I_MAP looks at
where results start, MAgP at how well they match in each recording, MAiSP at the time that a user spends.
"""

import ir_measures

from ir_segmeasures import T2I_MAP, MAgP, MAiSP, formats, sample

MEASURES = [T2I_MAP(tau=15), MAgP, MAiSP]


def main() -> None:
    qrels = formats.read_qrels(sample.path('qrels.txt'))
    values = {}
    for name in ('good', 'poor'):
        run = formats.read_run(sample.path(f'{name}.run'))
        for metric in ir_measures.iter_calc(MEASURES, qrels, run):
            values[metric.query_id, metric.measure, name] = metric.value

    print(f'{"query":50}' + ''.join(f'{measure!s:>16}' for measure in MEASURES))
    for query in sample.queries():
        pairs = [f'{values[query.query_id, measure, "good"]:.2f} : {values[query.query_id, measure, "poor"]:.2f}'
                 for measure in MEASURES]
        print(f'{query.query_id:4}{query.text:46}' + ''.join(f'{pair:>16}' for pair in pairs))

    print(f'{"queries that prefer good : poor":50}', end='')
    for measure in MEASURES:
        differences = [values[query.query_id, measure, 'good'] - values[query.query_id, measure, 'poor']
                       for query in sample.queries()]
        count = f'{sum(d > 0 for d in differences)} : {sum(d < 0 for d in differences)}'
        print(f'{count:>16}', end='')
    print()


if __name__ == '__main__':
    main()
