"""How long the judgements of datasets take, beside ir_datasets' TrecQrels on the same rows in four columns.

``python tests/bench/judgements.py [--rounds N] [id …]``: processor time in one process, the median of the ratios, of
the first row and of all. The files are those in the ir_datasets home; their checksums have been looked at before.
"""

import argparse
import os
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable

from ir_datasets.formats import TrecQrels
from ir_datasets.util import Download

from ir_segmeasures.datasets import DATASETS


def cost(run: Callable[[], object], times: int) -> float:
    begin = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - begin) / times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('ids', nargs='*', help='some datasets (default: all whose judgements are here)')
    args = parser.parse_args()
    warnings.simplefilter('ignore')
    print('| judgements | rows | first row, ratio | ours, ms | all rows, ratio | ours, ms |\n|---|---|---|---|---|---|')
    for id in args.ids or DATASETS:
        dataset = DATASETS[id]
        ours = dataset.qrels_handler() if dataset.has_qrels() else None
        if not hasattr(ours, 'are_here') or not ours.are_here():
            continue
        rows = list(ours.qrels_iter())
        with tempfile.NamedTemporaryFile('w', delete=False) as file:
            file.writelines(f'{row.query_id} 0 {row.doc_id} {int(row.relevance)}\n' for row in rows)
        theirs = TrecQrels(Download([], cache_path=file.name), {})  # as their own datasets open a file
        figures = []
        for read, times in ((next, 400), (lambda rows: sum(1 for _ in rows), 1)):
            pairs = [[cost(lambda: read(handler.qrels_iter()), times) for handler in (ours, theirs)]  # noqa: B023
                     for _ in range(args.rounds)]
            figures += [f'{statistics.median(one / other for one, other in pairs):.2f}',
                        f'{1000 * statistics.median(one for one, _ in pairs):.3g}']
        print(f'| {id} | {len(rows):,} | {" | ".join(figures)} |', flush=True)
        os.unlink(file.name)


if __name__ == '__main__':
    main()
