"""Time what is no measure of one run: python tests/bench/operations.py [--rounds N] [row …]

``start``, ``check``, ``large``, ``frames``, ``corners``, ``transcripts``, ``retrieval``, ``studies``, ``many``,
``view``, ``zoom``. Each row is a ratio of processor times, the median of rounds in which both sides alternate; of
commands, the time of their processes and the ratio of their peaks of memory; of ``view`` the size of a page in MB.
``zoom`` takes Chromium and its driver.
"""

import argparse
import gc
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

Side = Callable[[], object]


def processor_time(side: Side) -> float:
    begin = time.process_time()
    side()
    return time.process_time() - begin


def report(name: str, goal: float, ours: Side, theirs: Side, rounds: int) -> None:
    """One row: the median of the ratios, and the medians of both times."""
    ours(), theirs()
    gc.disable()  # as timeit does, and the commands: it looks at all that pandas and NumPy have made, too
    pairs = [(processor_time(ours), processor_time(theirs)) for _ in range(rounds)]
    gc.enable()
    print_row(name, goal, pairs)


def print_row(name: str, goal: float, pairs: list[tuple[float, float]]) -> None:
    ratio = statistics.median(one / other for one, other in pairs)
    ours, theirs = (statistics.median(column) * 1000 for column in zip(*pairs))
    print(f'| {name} | {ratio:.2f} | {goal} | {ours:.0f} ms | {theirs:.0f} ms |', flush=True)


def command(*args: str) -> tuple[float, float]:
    """The processor time and the peak of memory, in MB, of a process of Python."""
    child = subprocess.Popen([sys.executable, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def commands(name: str, goals: tuple[float, float | None], ours: tuple[str, ...], theirs: tuple[str, ...],
             rounds: int) -> None:
    """Two rows: processor time and memory of two processes; one row where memory has no goal."""
    pairs = [(command(*ours), command(*theirs)) for _ in range(rounds)]
    print_row(name, goals[0], [(one[0], other[0]) for one, other in pairs])
    if goals[1] is None:
        return
    ours_mb, theirs_mb = (statistics.median(side[1] for side in column) for column in zip(*pairs))
    print(f'| the same, memory | {ours_mb / theirs_mb:.2f} | {goals[1]} | {ours_mb:.0f} MB | {theirs_mb:.0f} MB |',
          flush=True)


def write_files(folder: str, items: int, per_query: int = 1000) -> tuple[str, str]:
    """The paths of judgements and of a run of TREC, of so many items."""
    draw = np.random.default_rng(1)
    qrels, run = (os.path.join(folder, f'{items}.{kind}') for kind in ('qrels', 'run'))
    with open(run, 'w') as found, open(qrels, 'w') as judged:
        for q in range(items // per_query):
            starts = (draw.integers(0, 36_000, per_query) / 10).tolist()
            places = zip(draw.integers(0, 5000, per_query).tolist(), starts)
            found.writelines(f'q{q} Q0 v{d}#t={start:g},{start + 60:g} {k + 1} {per_query - k} x\n'
                             for k, (d, start) in enumerate(places))
            judged.writelines(f'q{q} 0 v{d}#t={60 * k},{60 * k + 90} 1\n'
                              for k, d in enumerate(draw.integers(0, 5000, 20).tolist()))
    return qrels, run


def start(folder: str, rounds: int) -> None:
    for option in ('--version', '--help'):
        commands(f'{option} : import of NumPy and ir_measures', (.3, None), ('-m', 'ir_segmeasures', option),
                 ('-c', 'import numpy, ir_measures'), rounds)
    # The time of this thread: those of NumPy wait in a busy loop meanwhile, which doubles the time of the process.
    measured = ('import numpy, ir_measures, time; begin = time.thread_time(); import ir_segmeasures; '
                'print(time.thread_time() - begin)')
    taken = [1000 * float(subprocess.check_output([sys.executable, '-c', measured])) for _ in range(4 * rounds)]
    print(f'| import ir_segmeasures behind NumPy and ir_measures, ms | {min(taken):.0f} | 25 '
          f'| the median {statistics.median(taken):.0f} ms | |', flush=True)


def check(folder: str, rounds: int) -> None:
    from ir_segmeasures import checks
    qrels, run = write_files(folder, 200_000)
    ours = '-m', 'ir_segmeasures'
    commands('check, 200,000 lines : evaluate T2I_AP', (1.5, 1.2), (*ours, 'check', run, '--format', 'trec'),
             (*ours, 'evaluate', qrels, run, 'T2I_AP'), rounds)
    for name, length in (('nested', lambda n, k: 3 * n - 2 * k), ('disjoint', lambda n, k: .5)):
        paths = [os.path.join(folder, f'{name}{n}') for n in (40_000, 10_000)]
        for path, n in zip(paths, (40_000, 10_000)):
            with open(path, 'w') as file:
                file.writelines(f'q Q0 v#t={k},{k + length(n, k)} {k + 1} {-k} x\n' for k in range(n))
        larger, smaller = (partial(checks.check, path, 'trec') for path in paths)
        report(f'check, {name} spans in one document, 40,000 : 10,000', 4.8, larger, smaller, rounds)


def large(folder: str, rounds: int) -> None:
    for items, goals in ((125_000, (.9, 2)), (1_000_000, (.4, 1))):
        files = write_files(folder, items)
        commands(f'evaluate T2I_AP, {items:,} lines : ir_measures AP', goals,
                 ('-m', 'ir_segmeasures', 'evaluate', *files, 'T2I_AP'), ('-m', 'ir_measures', *files, 'AP'),
                 min(rounds, 3))


def meeting(n: int, everywhere: bool) -> tuple[Any, Any]:
    """Judgements and a run of one document, with columns of times: all of them overlap, or each only a few."""
    import pandas as pd
    place = np.arange(n, dtype=float)
    if everywhere:
        qrels, run = (pd.DataFrame({'start': place, 'end': 4 * n - place}) for _ in range(2))
    else:
        found = np.floor(np.random.default_rng(1).random(n) * n * 10)
        qrels, run = (pd.DataFrame({'start': start, 'end': start + 5}) for start in (place * 10, found))
    return (qrels.assign(query_id='q', doc_id='v', relevance=1), run.assign(query_id='q', doc_id='v', score=-place))


def corners(folder: str, rounds: int) -> None:
    """Shapes at two sizes, the larger over the smaller, four times as much: 4 is linear."""
    import ir_measures

    from ir_segmeasures import T2I_AP, AiSP, IoU_AP, IoU_R, align, mIoU_AP, with_ids
    from ir_segmeasures.segments.transcript import Line
    from ir_segmeasures.texts.cutting import slide_transcript

    def evaluation(measure: Any, n: int, everywhere: bool) -> Side:
        qrels, run = meeting(n, everywhere)
        evaluator = ir_measures.evaluator([measure], qrels)
        return lambda: evaluator.calc_aggregate(run)

    def alignment(n: int, everywhere: bool) -> Side:
        qrels, run = map(with_ids, meeting(n, everywhere))
        return lambda: align(run, qrels)

    def windows(n: int) -> Side:
        lines = [Line(0, 10 * n, 'music', None), *(Line(10 * k, 10 * k + 9, 'some words', None) for k in range(n))]
        return lambda: list(slide_transcript(lines, 30, 15, 'overlap'))
    report('sliding by overlap, a line spans the transcript, 8,000 : 2,000', 4.8, windows(8000), windows(2000), rounds)
    for what, everywhere, n in (('many spans', False, 10_000), ('all overlap all', True, 500)):
        report(f'align, {what}, {4 * n:,} : {n:,}', 4.8, alignment(4 * n, everywhere), alignment(n, everywhere), rounds)
        for measure in (T2I_AP, T2I_AP(tau='5:60:5'), AiSP(tool='sh_eval'), IoU_AP(iou=.5), mIoU_AP, IoU_R(iou=.5)@10):
            report(f'{measure}, {what}, {4 * n:,} : {n:,}', 4.8, evaluation(measure, 4 * n, everywhere),
                   evaluation(measure, n, everywhere), rounds)
    for measure in (IoU_AP(iou=.5), mIoU_AP, IoU_R(iou=.5)@10):
        side = evaluation(measure, 2000, True)
        tracemalloc.start()
        side()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f'| {measure}, all overlap all, 2,000, MB | {peak / 1e6:.0f} | 50 | | |', flush=True)


def frames(folder: str, rounds: int) -> None:
    import pandas as pd
    import pyterrier as pt

    from ir_segmeasures import SegmentTable, resolve, to_documents, with_ids
    pt.utils.set_tqdm(None)
    n, draw = 200_000, np.random.default_rng(1)
    start, video = draw.integers(0, 36_000, n) / 10, draw.integers(0, 300, n)
    columns = pd.DataFrame({'query_id': [f'q{row // 1000}' for row in range(n)], 'doc_id': [f'v{v}' for v in video],
                            'start': start, 'end': start + 60, 'score': -(np.arange(n) % 1000).astype(float)})
    report('to_documents : groupby and max', 3, lambda: to_documents(columns),
           lambda: columns.groupby(['query_id', 'doc_id'], sort=False)['score'].max(), rounds)
    shots = columns.assign(doc_id=[f'shot{v}_{int(s) // 100}' for v, s in zip(video, start)])[
        ['query_id', 'doc_id', 'score']]
    table = {f'shot{v}_{k}': (f'v{v}', 100. * k, 100. * k + 100) for v in range(300) for k in range(36)}
    report('resolve by a table : map', 3, lambda: resolve(shots, table), lambda: shots.assign(doc_id=shots.doc_id.map(
        {shot: f'{v}#t={low:g},{high:g}' for shot, (v, low, high) in table.items()})), rounds)
    run = with_ids(columns)
    results = run.rename(columns={'query_id': 'qid', 'doc_id': 'docno'}).assign(rank=np.arange(n) % 1000)
    for policy in ('drop', 'trim'):
        report(f'no_overlap({policy!r}) : SegmentTable.from_run', 8, partial(pt.segments.no_overlap(policy), results),
               lambda: SegmentTable.from_run(run), rounds)
    words = [f'w{number}' for number in draw.integers(0, 5000, 1000 * 600).tolist()]
    texts = pd.DataFrame({'docno': [f'd{k}' for k in range(1000)],
                          'text': [' '.join(words[600 * k:600 * k + 600]) for k in range(1000)]})
    found = texts.assign(qid='q', query='words', body=texts['text'], score=1., rank=np.arange(1000))
    report('sliding by word : pt.text.sliding', 1, partial(pt.segments.sliding(150, 75, 'word'), found),
           partial(pt.text.sliding(length=150, stride=75, prepend_attr=None), found), rounds)


def transcripts(folder: str, rounds: int) -> None:
    """1,000 transcripts of 100 lines, as whisper writes them, which the other side reads with json alone."""
    from ir_segmeasures.formats.transcripts.windows import window_lines
    paths = [os.path.join(folder, f'talk{k}.json') for k in range(1000)]
    for path in paths:
        with open(path, 'w') as file:
            json.dump({'segments': [{'start': 5. * k, 'end': 5. * k + 4.5, 'text': f'these are the words of line {k}'}
                                    for k in range(100)]}, file)

    def parsed() -> None:
        for path in paths:
            with open(path) as file:
                json.load(file)
    report('cut of 1,000 transcripts : json.load', 12, lambda: list(window_lines(paths, 120, 60, 'start')), parsed,
           rounds)


def retrieval(folder: str, rounds: int) -> None:
    import pandas as pd
    import pyterrier as pt
    n, draw = 100_000, np.random.default_rng(1)
    row, video, start = np.arange(n), draw.integers(0, 300, n), draw.integers(0, 36_000, n) / 10
    found = pd.DataFrame({'qid': [f'q{k // 1000}' for k in row], 'score': -(row % 1000.), 'rank': row % 1000,
                          'docno': [f'v{v}#t={s:g},{s + 60:g}' for v, s in zip(video, start)], 'query': 'words'})
    found = found.drop_duplicates(['qid', 'docno'])
    documents = pd.DataFrame({'qid': np.repeat(found.qid.unique(), 300), 'docno': [f'v{v}' for v in range(300)] * 100,
                              'query': 'words', 'score': draw.random(30_000)})
    documents = pt.model.add_ranks(documents)
    segments = found.assign(document=found.docno.str.partition('#')[0])

    def joined() -> None:
        both = segments.merge(documents, left_on=['qid', 'document'], right_on=['qid', 'docno'])
        pt.model.add_ranks(both.assign(score=both.score_x + both.score_y))
    within = pt.segments.within(pt.Transformer.from_df(found), .5)
    beside = pt.segments.with_document_score(pt.Transformer.from_df(documents))
    for name, goal, side in (('within', 10, partial(within, documents)),
                             ('with_document_score', 8, partial(beside, found))):
        report(f'{name}, {len(found):,} segments : merge of the scores', goal, side, joined, rounds)


def studies(folder: str, rounds: int) -> None:
    """Values of systems by chance, and the signs of all samples times all differences."""
    from ir_segmeasures import AiSP
    from ir_segmeasures.study.comparison import compare_scores
    from ir_segmeasures.study.statistics import p_values
    draw = np.random.default_rng(1)

    def values(systems: int, queries: int) -> list[dict[str, float]]:
        return [dict(zip((f'q{k}' for k in range(queries)), row)) for row in draw.random((systems, queries)).tolist()]

    def signs(queries: int, pairs: int) -> Side:
        differences = draw.random((queries, pairs))
        return lambda: [(1. - 2. * draw.integers(0, 2, (1000, queries))) @ differences for _ in range(10)]
    found = {f'system {k}': {AiSP: row} for k, row in enumerate(values(100, 200))}
    rows = dict(zip(('a', 'b'), values(2, 8000)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, asked in (('randomisation', {'test': 'randomisation'}), ('confidence', {'confidence': .95})):
        compare_scores([AiSP], {system: {AiSP: row} for system, row in rows.items()}, **asked)
        beyond = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f'| compare of 2 runs, 8,000 queries, {name}, MB beyond its start | {beyond / 1024:.0f} | 250 | | |',
              flush=True)
    report('compare of 100 runs, 200 queries, randomisation : product of the signs', 2.5,
           lambda: compare_scores([AiSP], found, test='randomisation'), signs(200, 99), rounds)
    pairs = list(combinations(values(10, 1000), 2))
    report('study power, 45 pairs, 1,000 queries, randomisation : product of the signs', 2.5,
           lambda: p_values('randomisation', pairs, 0), signs(1000, 45), rounds)


def many(folder: str, rounds: int) -> None:
    """What a run may have a lot of: signs of an id, ties, queries."""
    import ir_measures
    import pandas as pd

    from ir_segmeasures import T2I_AP, AiSP, SegmentTable
    n, draw = 50_000, np.random.default_rng(1)
    row, start = np.arange(n), draw.integers(0, 36_000, n) / 10
    run = pd.DataFrame({'query_id': [f'q{k // 1000}' for k in row], 'doc_id': [f'v{k % 300}' for k in row],
                        'start': start, 'end': start + 60, 'score': -(row % 1000.)})
    long = run.assign(doc_id='x' * 1000 + run.doc_id)
    for name, ids in (('columns', long.doc_id), ('ids', long.doc_id + [f'#t={s:g},{s + 60:g}' for s in start])):
        frame = long.assign(doc_id=ids) if name == 'columns' else long[['query_id', 'score']].assign(doc_id=ids)
        report(f'ids of 1,000 characters, {name}, {n:,} rows : their factorize', 6 if name == 'ids' else 3,
               partial(SegmentTable.from_run, frame), partial(pd.factorize, ids), rounds)
    qrels = run[::50].assign(relevance=1)
    evaluator = ir_measures.evaluator([T2I_AP, AiSP], qrels)
    report('ties everywhere : none, T2I_AP, AiSP', 1.5, partial(evaluator.calc_aggregate, run.assign(score=1.)),
           partial(evaluator.calc_aggregate, run), rounds)
    alone = run.assign(query_id=[f'q{k}' for k in row])
    ids = alone.assign(doc_id=[f'{d}#t={s:g}' for d, s in zip(alone.doc_id, start)]).drop(columns=['start', 'end'])
    report(f'{n:,} queries of one result : AP', .6,
           lambda: ir_measures.calc_aggregate([T2I_AP], alone.assign(relevance=1), alone),
           lambda: ir_measures.calc_aggregate([ir_measures.AP], ids.assign(relevance=1), ids), rounds)


def view(folder: str, rounds: int) -> None:
    """The size of the page for 10 runs of 1,000 items for each of 200 queries, beside the bits of the items alone."""
    import pandas as pd
    from bench import REAL, real

    from ir_segmeasures.study.view import page
    size, draw = (200, 1000), np.random.default_rng(1)
    query = np.repeat([f'q{k}' for k in range(size[0])], size[1])

    def frame(*places: Any) -> Any:
        document, start, length = (np.ravel(place) for place in places)
        return pd.DataFrame({'query_id': query, 'doc_id': np.char.add('v', document.astype(str)), 'start': start,
                             'end': np.round(start + length, 1), 'score': -(np.arange(len(query)) % size[1])})

    def row(name: str, make: Callable[[], Any], least: str, judged: Any = None) -> None:
        runs = {f'run {k}': make() for k in range(10)}
        html = page(runs['run 0'][::20].assign(relevance=1) if judged is None else judged, runs, unit='t')
        print(f'| view, 10 runs, {name}, MB | {len(html.encode()) / 1e6:.1f} | 6 | | {least} |', flush=True)
    warnings.simplefilter('ignore')  # of segments that are drawn twice
    if REAL.is_dir():
        def repeated(frame: Any) -> Any:
            queries = [frame[frame.query_id == query_id] for query_id in judged]
            return pd.concat([queries[k % len(queries)].assign(query_id=f'q{k}') for k in range(size[0])])
        qrels, run = real()
        judged = qrels.query_id.unique()
        qrels, run = repeated(qrels), repeated(run)
        rank = run.groupby('query_id').cumcount()
        for noise in (50, 300):
            row(f'the queries of S&H 2014, ranks moved by {noise}',
                lambda noise=noise: run.assign(score=-rank + draw.normal(0, noise, len(run))), '', qrels)
    for name, values, make in (
            ('segments of 30 s that begin every 10 s', 500 * 360, lambda: frame(
                draw.integers(0, 500, size), draw.integers(0, 360, size) * 10., np.full(size, 30.))),
            ('any start and length to 0.1 s', 2000 * 36_000 * 1100, lambda: frame(draw.integers(
                0, 2000, size), draw.integers(0, 36_000, size) / 10, draw.integers(100, 1200, size) / 10))):
        row(name, make, f'{np.log2(values) * 10 * len(query) / 8e6:.1f} MB')


def zoom(folder: str, rounds: int) -> None:
    """Seconds from a press to the next picture, after all of 430 documents were scrolled through; with Chromium."""
    import pandas as pd
    from selenium import webdriver
    from selenium.webdriver import ActionChains

    from ir_segmeasures.study.view import page
    draw, path = np.random.default_rng(1), os.path.join(folder, 'page.html')

    def frame() -> Any:
        start = draw.integers(0, 36_000, 1000) / 10
        return pd.DataFrame({'query_id': 'q', 'doc_id': [f'v{video}' for video in draw.integers(0, 430, 1000)],
                             'start': start, 'end': start + 60, 'score': -np.arange(1000.)})
    with open(path, 'w', encoding='utf-8') as file:
        file.write(page(frame()[::3].assign(relevance=1), {f'run {k}': frame() for k in range(8)}, unit='t'))
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which('chromium') or ''
    for flag in ('headless=new', 'no-sandbox', 'disable-gpu', 'disable-background-networking', 'window-size=1200,900',
                 f'user-data-dir={folder}/user'):
        options.add_argument(f'--{flag}')
    service = webdriver.ChromeService(shutil.which('chromedriver'))  # else Selenium asks the network for one
    with webdriver.Chrome(options=options, service=service) as browser:
        browser.set_script_timeout(60)
        browser.get(f'file://{path}')
        count = browser.execute_async_script("""
            const done = arguments[0], next = f => requestAnimationFrame(() => setTimeout(f));
            const all = [...document.querySelectorAll('article.document')];
            (function show(k) {
                if (k === all.length) return done(k);
                all[k].scrollIntoView();
                next(() => show(k + 1));
            })(0);
            addEventListener('keydown', () => {
                const begin = performance.now();
                next(() => { window.took = performance.now() - begin; });
            }, true);""")
        taken = []
        for key in '+++++++---':
            browser.execute_script('window.took = 0')
            ActionChains(browser).send_keys(key).perform()
            while not browser.execute_script('return window.took'):
                time.sleep(.01)
            taken.append(browser.execute_script('return window.took / 1000'))
    print(f'| view, a press of + or - after {count} documents were seen, s | {max(taken):.2f} | 0.25 '
          f'| the median {statistics.median(taken):.2f} | |', flush=True)


ROWS: dict[str, Callable[[str, int], None]] = {
    'start': start, 'check': check, 'large': large, 'frames': frames, 'corners': corners, 'transcripts': transcripts,
    'retrieval': retrieval, 'studies': studies, 'many': many, 'view': view, 'zoom': zoom}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('rows', nargs='*', help=f'some of {", ".join(ROWS)} (default: all)')
    args = parser.parse_args()
    print('| what | ratio | goal | ours | theirs |\n|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        for name in args.rows or ROWS:
            ROWS[name](folder, args.rounds)


if __name__ == '__main__':
    main()
