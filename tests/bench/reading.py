"""How long each format takes to read 100,000 rows, beside pandas.read_csv (json, ElementTree) on the same file.

``python tests/bench/reading.py [--rounds N] [format …]``: processor time in one process, the median of the ratios.
"""

import argparse
import json
import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from ir_segmeasures import formats
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.formats.inex import paths

ROWS, QUERIES = 100_000, 100
CSV = partial(pd.read_csv, sep=' ', header=None)


def minutes(seconds: int) -> str:
    return f'{seconds // 60}.{seconds % 60:02d}'


def lines(name: str) -> Iterator[str]:
    """The lines of a file: of each query the same number of items, in the order of their ranks."""
    draw = np.random.default_rng(1)
    starts, documents = draw.integers(0, 36_000, ROWS).tolist(), draw.integers(0, 3000, ROWS).tolist()
    grades = draw.integers(0, 2, ROWS).tolist()
    for row, (start, document, grade) in enumerate(zip(starts, documents, grades)):
        query, rank = divmod(row, ROWS // QUERIES)
        first, last, score = minutes(start), minutes(start + 60), (ROWS - rank) / 8
        yield {
            'trec-run': f'q{query} Q0 v{document}#t={start / 10:g},{start / 10 + 60:g} {rank + 1} {score} sys',
            'trec-qrels': f'q{query} 0 v{document}#t={start / 10:g},{start / 10 + 60:g} {grade}',
            'genomics-run': f'{200 + query} {9000000 + document} {rank + 1} {score} {start} 900 sys',
            'genomics-qrels': f'{200 + query}\t{9000000 + document}\t{start}\t900\tGENES, in words|OTHERS',
            'sh-search-run': f'item_{query} Q0 v{document} {first} {last} {first} {rank + 1} {score} sys',
            'sh-search-qrels': f'item_{query} Q0 v{document} {first} {last} {grade}',
            'sh-linking-run': f'anchor_{query} Q0 v{document} {first} {last} {rank + 1} {score} sys',
            'sh-known-item-qrels': f'item_{row} v{document} {first} {last}',
            'sh-anchoring-run': f'v{query} Q0 {first} {last} {rank + 1} {score} sys',
            'sh-anchoring-qrels': f'v{query} {first} {last} {grade}',
            'podcasts-run': f'{query} Q0 spotify:episode:{document:022d}_{start // 60 * 60}.0 {rank + 1} {score} sys',
            'podcasts-qrels': f'{query} 0 spotify:episode:{document:022d}_{start // 60 * 60}.0 {grade}',
            'trecvid-shots-qrels': f'{9000 + query} 0 shot{rank}_{document} {grade}',
            'trecvid-strata-qrels': f'{1600 + query}\t0\tshot{rank:05d}_{document}\t{1 + grade}\t{grade}',
            'vbs-dres-qrels': f'v-{query} 0 {document:05d} {start} {start / 25:.2f} {start + 60} '
                              f'{start / 25 + 2.4:.2f} {1 + grade} {grade}',
            'inex-fol-run': f'{query} Q0 {1000000 + document} {rank + 1} {score} sys {start} 900',
            'inex-fol-qrels': f'{query} Q0 {1000000 + row} {900 * grade} {start + 2000}'
                              + grade * f' {start} {start}:900',
            'inex-paths-run': f'{query} Q0 {1000000 + document} {rank + 1} {score} sys '
                              f'/article[1]/bdy[1]/sec[{start % 90 + 1}]/p[{rank % 9 + 1}]',
            'csv-run': f'q{query},v{document},{start / 10:g},{start / 10 + 60:g},{score}',
            'csv-qrels': f'q{query},v{document},{start / 10:g},{start / 10 + 60:g},{grade}',
            'trecvid-avs-run': f'<item seqNum="{rank + 1}" shotId="shot{document:05d}_{start % 200}" />',
            'inex-xml-run': f'<result><file>{1000000 + document}</file><path>/article[1]/bdy[1]/sec[{start % 90 + 1}]'
                            f'</path><rank>{rank + 1}</rank><rsv>{score}</rsv></result>',
            'extents': f'shot{query}_{rank} v{document} {start / 10:g} {start / 10 + 60:g}',
        }[name]


def elements(name: str, file: str, topic: str, number: int) -> Iterator[str]:
    """The lines of a file of XML with an element for each query."""
    outer, opened = file.split(' ', 1)
    inner = opened[opened.rindex('<') + 1:].split(' ')[0] if '<' in opened else ''
    yield f'<{outer} {opened}'
    for row, line in enumerate(lines(name)):
        query, rank = divmod(row, ROWS // QUERIES)
        if not rank:
            yield f'{f"</{topic.split()[0]}>" if query else ""}<{topic.format(number + query)}>'
        yield line
    yield f'</{topic.split()[0]}>{inner and f"</{inner}>"}</{outer}>'


def moments(run: bool) -> Iterator[str]:
    """The lines of a file with ten windows a query, or one."""
    draw, each = np.random.default_rng(1), 10 if run else 1
    windows = np.column_stack([draw.integers(0, 75, ROWS) * 2, draw.integers(1, 75, ROWS) * 2 + 150]).tolist()
    for query in range(ROWS // each):
        found = windows[each * query:each * (query + 1)]
        yield json.dumps({'qid': query, 'query': 'a few words', 'vid': f'v{query}_60.0_210.0', 'duration': 150, **(
            {'pred_relevant_windows': [[*window, 1 / (k + 2)] for k, window in enumerate(found)]} if run else
            {'relevant_windows': found})})


def tvr() -> Iterator[str]:
    """The one line of predictions."""
    draw = np.random.default_rng(1)
    numbers = draw.integers(0, 2000, ROWS).tolist()
    starts = (draw.integers(0, 900, ROWS) / 10).tolist()
    found = [[number, start, start + 6, 1 / (k + 2)] for k, (number, start) in enumerate(zip(numbers, starts))]
    yield json.dumps({'video2idx': {f'show_s{video}': video for video in range(2000)}, 'VCMR': [
        {'desc_id': query, 'predictions': found[100 * query:100 * (query + 1)]} for query in range(ROWS // 100)]})


def windows(name: str) -> Iterator[str]:
    """The lines of files with a time for each of the rows."""
    draw = np.random.default_rng(1)
    places = [[start, start + 5] for start in (draw.integers(0, 9000, ROWS) / 10).tolist()]
    if name == 'tvr-qrels':
        yield from (json.dumps({'desc_id': row, 'desc': 'a few words', 'vid_name': f'v{row % 2000}', 'ts': place,
                                'duration': 1000}) for row, place in enumerate(places))
    elif name == 'activitynet-run':
        yield json.dumps({'version': 'x', 'external_data': {}, 'results': {f'v{video}': [
            {'label': f'c{(video + k) % 100}', 'score': 1 / (k + 1), 'segment': place}
            for k, place in enumerate(places[100 * video:100 * video + 100])] for video in range(ROWS // 100)}})
    else:
        yield json.dumps({f'q{query}': {f'v{k}#t={place[0]:g},{place[1]:g}': -k for k, place in enumerate(
            places[1000 * query:1000 * query + 1000])} for query in range(ROWS // 1000)})


def clips(kind: str) -> Iterator[str]:
    for query in range(ROWS // 75):
        yield json.dumps({'qid': query, 'query': 'a few words', 'vid': f'v{query}', **(
            {'duration': 150, 'relevant_clip_ids': list(range(5, 30)),
             'saliency_scores': [[clip % 5, 1, 2] for clip in range(25)]} if kind == 'qrels' else
            {'pred_saliency_scores': [math.sin(query + clip) for clip in range(75)]})})


def json_lines(path: str) -> list[Any]:
    with open(path) as file:
        return list(map(json.loads, file))


def json_file(path: str) -> Any:
    with open(path) as file:
        return json.load(file)


def cases() -> Iterator[tuple[str, Iterator[str], Callable[[str], Any], Callable[[str], Any]]]:
    """Name, lines, our reader, theirs."""
    for name in ('trec', 'genomics', 'sh-search', 'sh-linking', 'sh-known-item', 'sh-anchoring', 'podcasts',
                 'trecvid-shots', 'trecvid-strata', 'vbs-dres', 'inex-fol'):
        for kind in ('run', 'qrels'):
            files = formats.FORMATS[name].files(kind)
            label = f'{name}-{kind}'
            if files is None or label == 'sh-linking-qrels' or (name.startswith('trecvid') and kind == 'run'):
                continue
            tabs = label in ('genomics-qrels', 'trecvid-strata-qrels')
            theirs = partial(CSV, sep='\t') if tabs else CSV
            made = lines(label)
            if label == 'vbs-dres-qrels':
                made = (line for part in (['taskName junk item start_fr start_s end_fr end_s stratum judgement'], made)
                        for line in part)
                theirs = partial(CSV, header=0)
            if label == 'inex-fol-qrels':
                theirs = partial(CSV, names=range(7))
            yield label, made, files.read, theirs
    yield 'inex-paths-run', lines('inex-paths-run'), paths.read_run, CSV
    yield 'extents', lines('extents'), read_extents, CSV
    for name, column in (('csv-run', 'score'), ('csv-qrels', 'grade')):
        yield (name, chain([f'query,file,start,end,{column}'], lines(name)),
               getattr(formats.FORMATS['csv'], name[4:]).read, pd.read_csv)
    yield ('trecvid-avs-run', elements(
        'trecvid-avs-run', 'videoAdhocSearchResults ><videoAdhocSearchRunResult trType="D" class="M" task="M" pid="X" '
        'priority="1" desc="x">', 'videoAdhocSearchTopicResult tNum="{}" elapsedTime="1"', 1600),
        formats.FORMATS['trecvid-avs'].run.read, ElementTree.parse)  # type: ignore[union-attr]
    yield ('inex-xml-run', elements('inex-xml-run', 'inex-submission participant-id="1" run-id="r" task="Focused" '
                                    'query="automatic" result-type="element">', 'topic topic-id="{}"', 1),
           formats.FORMATS['inex-xml'].run.read, ElementTree.parse)  # type: ignore[union-attr]
    for name, theirs in (('tvr-qrels', json_lines), ('activitynet-run', json_file), ('ranx-run', json_file)):
        format, _, kind = name.rpartition('-')
        yield name, windows(name), getattr(formats.FORMATS[format], kind).read, theirs
    yield 'moments-run', moments(True), formats.FORMATS['moments'].run.read, json_lines  # type: ignore[union-attr]
    yield 'moments-qrels', moments(False), formats.FORMATS['moments'].qrels.read, json_lines
    for kind in ('run', 'qrels'):
        yield f'saliency-{kind}', clips(kind), getattr(formats.FORMATS['saliency'], kind).read, json_lines
    yield 'tvr-run', tvr(), formats.FORMATS['tvr'].run.read, json_file  # type: ignore[union-attr]


def cost(read: Callable[[str], object], path: str) -> float:
    begin = time.process_time()
    read(path)
    return time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('names', nargs='*', help='some formats (default: all)')
    args = parser.parse_args()
    print(f'| {ROWS:,} rows | ratio | ours, ms | theirs, ms |\n|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        for label, made, ours, theirs in cases():
            if args.names and not any(map(label.startswith, args.names)):
                continue
            path = os.path.join(folder, label)
            with open(path, 'w') as file:
                file.writelines(f'{line}\n' for line in made)
            ours(path)
            theirs(path)
            pairs = [(cost(ours, path), cost(theirs, path)) for _ in range(args.rounds)]
            ratio = statistics.median(one / other for one, other in pairs)
            times = ' | '.join(f'{1000 * statistics.median(column):.0f}' for column in zip(*pairs))
            print(f'| {label} | {ratio:.2f} | {times} |', flush=True)
            os.unlink(path)


if __name__ == '__main__':
    main()
