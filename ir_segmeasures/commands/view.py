"""``ir_segmeasures view``: runs beside the judgements, query by query, on one page for the browser."""

import argparse
import os
import warnings
from collections.abc import Mapping
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.asked import add_measures, asked_measures
from ir_segmeasures.commands.output import write_out
from ir_segmeasures.commands.reading import (
    Source,
    add_formats,
    add_qrels,
    dataset_of,
    heeded,
    located,
    names_of,
    read_qrels,
    read_run,
    unit_of,
)
from ir_segmeasures.formats.files.reading import read_text
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'view', help='make a page to look at runs, query by query',
        description='Make one self-contained HTML page to look at runs beside the judgements, query by query: what is '
                    'judged, what each run returns and at which rank, what of it is relevant and new, and how the '
                    'values of the measures come about.')
    add_qrels(parser)
    parser.add_argument('runs', nargs='+', metavar='run', help='the files of one or more runs (- is standard input)')
    parser.add_argument('--out', required=True, metavar='FILE', help='the page to write; - is standard output')
    add_measures(parser, f'a measure of segments, one or more (default: {" ".join(DEFAULT_MEASURES)})', required=False)
    parser.add_argument('--queries', metavar='FILE', help="the queries' texts: their id, a tab and the text in each "
                                                          'line (default: those of the dataset)')
    parser.add_argument('--docs', metavar='SOURCE', help='the texts of the documents: a folder of text files, or of '
                                                         'transcripts (.vtt, .srt, .json …) of recordings, that are '
                                                         'named as the documents; or the id of a dataset')
    parser.add_argument('--media', metavar='URL', help='where recordings can be opened, such as '
                                                       'videos/{document}.mp4')
    parser.add_argument('--title', default='Runs and judgements', help='the title of the page')
    add_formats(parser)
    parser.set_defaults(command=view, parser=parser)


def view(args: argparse.Namespace) -> None:
    from ir_segmeasures.study.view import DatasetTexts, page
    queries: dict[str, str] = {}
    source = read_qrels(args)
    if source.dataset is not None and source.dataset.has_queries() and not args.queries:
        queries = _dataset_queries(source.dataset)
    if args.queries:
        queries = _queries(args.queries)
    measures = list(asked_measures(args.measures, args.parser).values()) if args.measures else DEFAULT_MEASURES
    read = {name: read_run(path, args, source) for name, path in names_of(args.runs).items()}
    judged, runs = _table(source, 'qrels'), {name: _table(run, 'run') for name, run in read.items()}
    docs: Any = None
    if args.docs and os.path.isdir(args.docs):
        from ir_segmeasures.formats.texts import FolderTexts  # other pages have no need of it
        docs = FolderTexts(args.docs)
    elif args.docs:
        docs = DatasetTexts(dataset_of(args.docs, 'no folder'))
    try:
        with heeded(False):
            text = page(judged, runs, measures, queries=queries, docs=docs, media=args.media,
                        unit=unit_of(args, source), title=args.title)
    except RowError as error:
        raise _at(error, source, read) from None
    except ImportError as error:
        raise ValueError(str(error)) from None
    write_out(text, args.out)
    if args.out != '-':
        print(f'{args.out}: {len(text.encode()) / 1e6:.1f} MB')


def _at(error: RowError, qrels: Source, runs: Mapping[str, Source]) -> Exception:
    """The error with the file and the line of its row; that of a run begins with its name."""
    for name, run in runs.items():
        start = f'run {quoted(name)}: '
        if error.sentence.startswith(start):
            return run.at(RowError(error.kind, error.row, error.sentence.removeprefix(start)))
    return qrels.at(error) if error.kind == 'qrels' else error


def _table(source: Source, kind: str) -> SegmentTable:
    with located(source, source):
        return SegmentTable.from_run(source.rows) if kind == 'run' else SegmentTable.from_qrels(source.rows)


def _dataset_queries(dataset: Any) -> dict[str, str]:
    from ir_segmeasures.study.view import text_of
    try:
        return {query.query_id: text_of(query) or '' for query in dataset.queries_iter()}
    except (OSError, RuntimeError) as error:
        warnings.warn(f'the page shows no texts of queries: {error}', stacklevel=2)
        return {}


def _queries(path: str) -> dict[str, str]:
    queries = {}
    for number, line in enumerate(read_text(path).split('\n'), 1):
        query_id, tab, text = line.partition('\t')
        if not tab and query_id:
            raise formats.FormatError("the line has no tab, which stands between a query's id and its text: put one "
                                      'there', path, number)
        queries[query_id] = text
    return queries
