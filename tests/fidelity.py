"""Recompute the official programs' and the published figures for real judgements and runs: python tests/fidelity.py

The files lie beside the project (shared/data); what is not there is left out, saying so. A difference is that between
what was printed and our value with as many decimals as the program prints. What a program refuses is to be refused by
the provider of its numbers. Figures that no measure is, such as counts, are named at the end. With --values each figure
is printed. The exit code is 1 if any differs, and 3 if there is nothing to recompute.
"""

import argparse
import csv
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
from ir_measures import AP, Measure, Qrel, ScoredDoc, SetF, SetP, SetR, Success

from ir_segmeasures import (
    AspectAP,
    CharAP,
    IoU_AP,
    IoU_R,
    Judged_over,
    P_new,
    PassageAP,
    Rprec_new,
    RR_over,
    SegF,
    SegIoU,
    SegP,
    SegP_omega,
    SegR,
    formats,
    mIoU_AP,
    to_documents,
    within_lengths,
    xinfAP,
)

DATA = Path(__file__).resolve().parents[2] / 'shared' / 'data'
FULL = 12  # decimals of programs that print a double as it is
OVER = {'map': 'AP_over', 'map_bin': 'AP_bin', 'map_tol': 'AP_tol', 'maisp': 'MAiSP'}
MODES = {'r': ('AgP', 'gP', 'beta=0.25'), 'b': ('AgP_bep', 'gP_bep', ''), 'i': ('AgP_reading', 'gP_reading', ''),
         'f': ('AiP', 'iP', "overlap='error'"), 't': ('AiP', 'iP', '')}
# inex_eval's figures of sets: of documents, and of characters, which are those of -t.
SETS = {'art_prec': SetP, 'art_rec': SetR, 'art_f1': SetF}
CHARACTERS = {'char_prec': SegP(tool='inex_eval'), 'char_rec': SegR(tool='inex_eval'),
              'char_f1': SegF(tool='inex_eval')}
IOUS = [percent / 100 for percent in range(50, 100, 5)]
BANDS: dict[str, Callable[[Any], Any]] = {
    'full': lambda qrels: qrels, 'short': lambda qrels: within_lengths(qrels, upto=10),
    'middle': lambda qrels: within_lengths(qrels, 10, 30), 'long': lambda qrels: within_lengths(qrels, 30, 150)}


class Figure(NamedTuple):
    """A printed figure: of which query (``'all'``: the mean), by which name, which measure it is; and by which numbers
    our value is multiplied, and the product is taken from, to be it.
    """
    query_id: str
    name: str
    printed: str
    measure: Measure
    scale: float = 1
    less: float = 0


class Source(NamedTuple):
    """Figures of one run: the program, the run, the files, the figures, how many decimals the program prints, the names
    of figures that no measure is, whether the program's means are over the queries that the run answers alone, and the
    measures that it refuses to compute for the run.
    """
    program: str
    run: str
    qrels: Any
    items: Any
    figures: list[Figure]
    places: int
    others: Iterable[str] = ()
    of_answers: bool = False
    refused: Iterable[Measure] = ()


class Outcome(NamedTuple):
    """A figure, and what is computed for it; the difference is 0 where they are equal as far as it is printed."""
    figure: Figure
    value: float
    difference: float


def tool(text: str, name: str) -> Measure:
    """A measure as a program computes it."""
    return ir_measures.parse_measure(text)(tool=name)


@cache
def read(kind: str, path: Path, format: str) -> Any:
    """Judgements or a run, read once."""
    return formats.read_qrels(path, format) if kind == 'qrels' else formats.read_run(path, format)


def sh_measure(figure: str) -> str | None:
    """The measure that a figure of the tool of Search & Hyperlinking is."""
    if figure in OVER:
        return OVER[figure]
    name, _, rest = figure.partition('_')
    if name == 'maisp':
        return f'iSP@{float(rest)}'
    k, _, kind = rest.partition('_')
    return f'{name}_{kind or "over"}@{k}' if name in ('P', 'Judged') and k.isdigit() else None


def search_and_hyperlinking() -> Iterator[Source]:
    folder = DATA / 'mediaeval-sh-2014'
    for name in ('180-60-over', '180-60-noover'):
        with open(folder / f'expected-{name}.tsv', newline='') as file:
            lines = [tuple(map(str.strip, line)) for line in csv.reader(file, delimiter='\t')]
        figures = [Figure(query, figure, value, tool(text, 'sh_eval')) for figure, query, value in lines
                   if (text := sh_measure(figure))]
        others = {figure for figure, *_ in lines if figure.startswith(('num_', 'videos_', 'avg'))}
        yield Source('sh_eval', name, read('qrels', folder / 'me14sh_search_testSet.qrel', 'sh-search'),
                     read('run', folder / f'run-{name}.txt.gz', 'sh-search'), figures, 12, others, of_answers=True)


def anchoring() -> Iterator[Source]:
    folder = DATA / 'mediaeval-sh-2015-anchoring'
    run = read('run', folder / 'anchors.run', 'sh-anchoring')
    measures = {'MRR': RR_over, 'P_10': P_new@10, 'recall': Rprec_new}
    sizes: dict[str, int] = defaultdict(int)
    for row in run:
        sizes[row.query_id] += 1
    figures, others = [], set()
    for name, query, value in map(str.split, (folder / 'expected.txt').read_text().splitlines()):
        if name in measures:
            figures.append(Figure(query, name, value, measures[name]))
        elif name.startswith('Unjudged') and query != 'all':  # a number of items, where ours is a share
            k = int(name.partition('_')[2])
            figures.append(Figure(query, name, value, Judged_over@k, -k, min(k, sizes[query])))
        else:
            others.add(f'{name} of all' if name.startswith('Unjudged') else name)
    yield Source('sh_eval_anchoring', 'anchors', read('qrels', folder / 'anchors.qrel', 'sh-anchoring'), run, figures,
                 12, others)


def inex_measure(figure: str, mode: str) -> Measure | None:
    """The measure that a figure of inex_eval is, where it is one of passages."""
    mode, _, irr = mode.partition(' -irr ')
    name, _, at = figure.rstrip(']').partition('[')
    average, precision, params = MODES[mode]
    if name == 'gR':
        return tool(f'gR@{at}', 'inex_eval')
    if irr:
        params = f'irr={irr}'
    params = f'({params})' if params else ''
    if name in ('AgP', 'MAgP', 'AiP', 'MAiP'):
        return tool(average + params, 'inex_eval')
    if name in ('gP', 'iP'):
        return tool(f'{precision}{params}@{float(at):g}', 'inex_eval')
    return CHARACTERS.get(name)


def inex_sources(run: str, mode: str, qrels: Any, items: Any, lines: list[tuple[str, str, str]],
                 refused: bool = False) -> Iterator[Source]:
    """A run of one mode: its figures of passages, and those of documents."""
    label = f'{run} -{mode}'
    if refused:
        average = inex_measure('AgP', mode)
        yield Source('inex_eval', label, qrels, items, [], FULL, refused=[average] if average else [])
        return
    without = any(row.no_passage for row in items)  # -f counts 18 characters everywhere, -t not in relevant documents
    figures = [Figure(query, figure, value, measure) for figure, query, value in lines
               if (measure := inex_measure(figure, mode)) and not (figure in CHARACTERS and mode == 'f' and without)]
    names = {figure.name for figure in figures} | SETS.keys()
    others = {f'{figure} of -f with documents without a passage' if figure in CHARACTERS else figure
              for figure, *_ in lines if figure not in names}
    yield Source('inex_eval', label, qrels, items, figures, FULL, others, of_answers=True)
    sets = [Figure(query, figure, value, SETS[figure]) for figure, query, value in lines if figure in SETS]
    if sets:
        yield Source('inex_eval', f'{label}, documents', to_documents(qrels), to_documents(items), sets, FULL)


def inex() -> Iterator[Source]:
    folder = DATA / 'inex-2010'
    for path in sorted(folder.glob('expected-*.tsv')):
        _, run, mode = path.stem.split('-')
        with open(path, newline='') as file:
            lines = [(figure, query, value) for figure, query, value in csv.reader(file, delimiter='\t')]
        yield from inex_sources(run, mode, read('qrels', folder / 'inex2010.qrels.gz', 'inex-fol'),
                                read('run', folder / f'run-{run}.txt.gz', 'inex-fol'), lines)
    for kind in ('micro', 'edge'):
        qrels = read('qrels', folder / kind / 'q.txt', 'inex-fol')
        for line in (folder / kind / 'expected.txt').read_text().splitlines():
            (run, mode), (start, *rest) = line.split(' | ')[0].split(' -', 1), line.split(' | ')[1].split()
            answer = [start, *rest]
            if 'negative' in answer:  # what our reader refuses, in every mode
                try:
                    formats.read_run(folder / kind / f'{run}.run', 'inex-fol')
                except formats.FormatError:
                    continue
                raise AssertionError(f'{run} was read')
            items = read('run', folder / kind / f'{run}.run', 'inex-fol')
            yield from inex_sources(f'{kind}/{run}', mode, qrels, items, [*zip(*[iter(answer)] * 3)],
                                    start in ('ERROR', 'REJECTED'))


def genomics() -> Iterator[Source]:
    folder = DATA / 'trec-genomics-2007'
    qrels = read('qrels', folder / 'gold-standard-07.txt.gz', 'genomics')
    names = {'ASPECT': AspectAP, 'PASSAGE': PassageAP, 'PASSAGE2': CharAP}
    for name in ('ga-01', 'ga-03'):
        items = read('run', folder / f'run-{name}.txt.gz', 'genomics')
        lines = [line.split('\t')[1:] for line in (folder / f'expected-{name}.tsv').read_text().splitlines()[1:]]
        figures = [(figure, topic if topic.isdigit() else 'all', score) for figure, topic, score in lines]
        yield Source('trecgen2007_score', name, qrels, items, [
            Figure(topic, figure, score, names[figure]) for figure, topic, score in figures if figure in names], 8,
            {figure for figure, *_ in figures} - {*names, 'DOCUMENT'})
        yield Source('trecgen2007_score', f'{name}, documents', to_documents(qrels), to_documents(items), [
            Figure(topic, figure, score, AP) for figure, topic, score in figures if figure == 'DOCUMENT'], 8)


def trecvid() -> Iterator[Source]:
    folder = DATA / 'trecvid'
    lines = [line.split() for line in (folder / 'expected-sample_eval.tsv').read_text().splitlines()]
    figures = [Figure(query, figure, value, xinfAP(tool='sample_eval')) for figure, query, value in lines
               if figure == 'infAP']
    yield Source('sample_eval', 'avs-tv21', read('qrels', folder / 'avs.qrels.main.tv21.gz', 'trecvid-strata'),
                 read('run', folder / 'run-avs-tv21.txt.gz', 'trec'), figures, 4,
                 {figure for figure, *_ in lines} - {'infAP'})


def printed(path: Path) -> Any:
    """Figures of JSON, as they are printed."""
    opened: Any = gzip.open if path.suffix == '.gz' else open
    with opened(path, 'rt') as file:
        return json.load(file, parse_float=str)


def qvhighlights() -> Iterator[Source]:
    for program, folder, windows, predictions, figures in (
            ('QVHighlights (2021)', 'qvhighlights', 'val-windows', 'predictions', 'expected.json'),
            ('QVHighlights', 'moments', 'qvhighlights-val', 'qvhighlights-val-predictions',
             'qvhighlights-val-figures.json')):
        qrels = read('qrels', DATA / folder / f'{windows}.jsonl.gz', 'moments')
        items = read('run', DATA / folder / f'{predictions}.jsonl.gz', 'moments')
        everything = printed(DATA / folder / figures)
        # The last release of the program takes 10 predictions, which is all that those of the first have.
        for band, choose in BANDS.items():
            measures = {f'MR-{band}-mAP': mIoU_AP@10}
            for iou in IOUS:
                measures |= {f'MR-{band}-mAP@{iou:g}': IoU_AP(iou=iou)@10, f'MR-{band}-R1@{iou:g}': IoU_R(iou=iou)@1}
            found = {**everything, **everything.get('brief', {})}
            values = [Figure('all', name, found[name], measure, 100) for name, measure in measures.items()
                      if name in found]
            of_band = everything.get(band, {})
            values += [Figure('all', f'{band} {kind} {iou}', value, measures[f'MR-{band}-{kind[3:]}' + (
                '' if iou == 'average' else f'@{float(iou):g}')], 100)
                for kind in of_band for iou, value in of_band[kind].items()]
            others = {name for name in found if name.startswith('HL-')} if band == 'full' else ()
            yield Source(program, f'val, {band}', choose(qrels), items, values, 2, others)


def tvr() -> Iterator[Source]:
    folder = DATA / 'moments'
    qrels = read('qrels', folder / 'tvr-queries.jsonl.gz', 'moments')
    for task, figures in printed(folder / 'tvr-figures.json').items():
        run = formats.read_run(folder / 'tvr-predictions.json.gz', 'tvr', task=task)
        if task == 'VR':
            yield Source('tvr', task, to_documents(qrels), to_documents(run), [
                Figure('all', name, value, Success@int(name[1:]), 100) for name, value in figures.items()], 2)
        else:
            yield Source('tvr', task, qrels, run, [
                Figure('all', name, value, IoU_R(iou=float(iou), tool='tvr')@int(k), 100)
                for name, value in figures.items() for iou, k in [name.split('-r')]], 2)


def chunks() -> Iterator[Source]:
    name, folder = 'chunking_evaluation', DATA / 'chunks' / 'chunking-evaluation'
    with open(folder / 'questions_df.csv', encoding='utf-8', newline='') as file:
        questions = list(csv.DictReader(file))
    qrels = [Qrel(str(number), '{}#char={start_index},{end_index}'.format(question['corpus_id'], **reference), 1)
             for number, question in enumerate(questions) for reference in json.loads(question['references'])]
    measures = {'recall': SegR(tool=name), 'precision': SegP(tool=name), 'iou': SegIoU(tool=name)}
    omega = {'precision_omega': SegP_omega(tool=name)}
    for chunking, program in printed(folder / 'figures.json.gz').items():
        texts: dict[str, list[str]] = defaultdict(list)
        ids = ['{}#char={},{}'.format(*chunk) for chunk in program['chunks']]
        for chunk, id in zip(program['chunks'], ids):
            texts[chunk[0]].append(id)
        retrieved = [ScoredDoc(str(number), ids[chunk], -rank) for number, chosen in enumerate(program['retrieved'])
                     for rank, chunk in enumerate(chosen)]
        # Omega is of all chunks of the question's text, whatever is retrieved.
        every = [ScoredDoc(str(number), id, 0) for number, question in enumerate(questions)
                 for id in texts[question['corpus_id']]]
        rows = [*((str(number), of_question) for number, of_question in enumerate(program['per_question'])),
                ('all', program['mean'])]
        for label, run, chosen in ((chunking, retrieved, measures), (f'{chunking}, omega', every, omega)):
            yield Source(name, label, qrels, run, [Figure(query, figure, str(of_query[figure]), measure)
                                                   for query, of_query in rows for figure, measure in chosen.items()],
                         FULL)


Campaign = Callable[[], Iterator[Source]]
CAMPAIGNS: tuple[Campaign, ...] = (
    search_and_hyperlinking, anchoring, inex, genomics, trecvid, qvhighlights, tvr, chunks)


def sources(campaigns: Iterable[Campaign]) -> Iterator[Source]:
    """The sources of the campaigns whose files are on this machine; says which campaigns are left out."""
    for campaign in campaigns:
        empty = True
        try:
            for source in campaign():
                empty = False
                yield source
        except FileNotFoundError as error:
            print(f'{campaign.__name__}: left out, as {error.filename} is not on this machine', file=sys.stderr)
        else:
            if empty:
                print(f'{campaign.__name__}: left out, as none of its files is in {DATA}', file=sys.stderr)


def difference(printed: str, value: float, places: int) -> float:
    """Between a figure printed with so many decimals and a value; two that are not numbers are equal."""
    if value != value or printed.lower() == 'nan':
        return 0. if value != value and printed.lower() == 'nan' else float('inf')
    apart = abs(float(printed) - value)
    # A program's own sums are off by some units of the last place of a double, as ours are.
    return 0. if apart <= 0.5 * 10 ** -places * (1 + 1e-3) + 1e-13 * abs(value) else apart


def recompute(source: Source) -> list[Outcome]:
    """All figures of a source. A run that the program refuses must be refused: else the difference is infinite."""
    measures = list(dict.fromkeys(figure.measure for figure in source.figures))
    values = {(metric.query_id, metric.measure): metric.value
              for metric in ir_measures.iter_calc(measures, source.qrels, source.items)} if measures else {}
    answered = {row.query_id for row in source.items}
    for measure in measures:
        of_queries = [value for (query, other), value in values.items()
                      if other == measure and (query in answered or not source.of_answers)]
        values['all', measure] = sum(of_queries) / len(of_queries)
    found = []
    for figure in source.figures:
        value = figure.less + figure.scale * values[figure.query_id, figure.measure]
        found.append(Outcome(figure, value, difference(figure.printed, value, source.places)))
    for measure in source.refused:
        figure = Figure('all', 'refused', 'refused', measure)
        try:
            value = ir_measures.calc_aggregate([measure], source.qrels, source.items)[measure]
        except ValueError:
            found.append(Outcome(figure, float('nan'), 0.))
        else:
            found.append(Outcome(figure, value, float('inf')))
    return found


def main() -> int:
    """Print the table. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--values', action='store_true', help='print each figure beside our value')
    with_values = parser.parse_args().values
    if not DATA.is_dir():
        print(f'nothing to recompute: {DATA} is not on this machine', file=sys.stderr)
        return 3
    count, differ, worst = 0, 0, 0.
    others: dict[str, set[str]] = defaultdict(set)
    print(f'{"program":<20} {"run":<40} {"figures":>8} {"differ":>7} {"largest":>10}')
    for source in sources(CAMPAIGNS):
        found = recompute(source)
        others[source.program] |= set(source.others)
        if not found:
            continue
        wrong = [outcome for outcome in found if outcome.difference]
        largest = max(outcome.difference for outcome in found)
        print(f'{source.program:<20} {source.run:<40} {len(found):>8} {len(wrong):>7} {largest:>10.3g}')
        for figure, value, apart in found if with_values else wrong[:5]:
            print(f'  {figure.query_id} {figure.name}: printed {figure.printed}, computed {value!r} as '
                  f'{figure.measure}, difference {apart:.3g}')
        count, differ, worst = count + len(found), differ + len(wrong), max(worst, largest)
    for program, names in others.items():
        if names:
            print(f'{program} also prints what is not a measure here: {", ".join(sorted(names))}')
    if not count:
        print(f'nothing to recompute: {DATA} has none of the files', file=sys.stderr)
        return 3
    print(f'{count} figures, {differ} differ, largest difference {worst:.3g}')
    return int(differ > 0)


if __name__ == '__main__':
    sys.exit(main())
