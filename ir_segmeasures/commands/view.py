"""``ir_segmeasures view``: runs beside the judgements, query by query, on one page for the browser."""

import argparse
import os
import warnings
from collections.abc import Mapping
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.inputs import (
    Source,
    dataset_of,
    naming_files,
    read_qrels,
    read_run,
    run_names,
    unit_of,
    warning_once,
)
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import PACKED, add_formats, add_qrels, add_runs, requests_of
from ir_segmeasures.commands.outputs import write_out
from ir_segmeasures.commands.standard_input import with_its_name
from ir_segmeasures.formats.files.reading import read_text
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'view', help=help,
        description='Make an HTML page, one file that needs no other, to look at runs beside the judgements, query by '
                    'query. It shows which segments are judged, which segments each run returns at which rank, which '
                    'part of these is relevant and new, and how the measures get their values.')
    add_qrels(parser)
    add_runs(parser, f'the files of one or more runs ({PACKED})')
    parser.add_argument('--out', required=True, metavar='FILE', help='the page to write (standard output as -)')
    add_measures(parser, f'one or more measures of segments (default: {" ".join(DEFAULT_MEASURES)})', required=False)
    parser.add_argument('--queries', metavar='FILE', help='the texts of the queries: a file with lines of an id, a tab '
                                                          'and a text (default: those of the dataset)')
    parser.add_argument('--docs', metavar='SOURCE', help='the texts of the documents: a folder with a text file, or a '
                                                         'transcript (.vtt, .srt, .json …), for each document, which '
                                                         'has the name of the document; or the id of a dataset')
    parser.add_argument('--media', metavar='URL', help='where the page finds the recordings, such as '
                                                       'videos/{document}.mp4')
    parser.add_argument('--title', default='Runs and judgements', help='the title of the page')
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    from ir_segmeasures.study.view import DatasetTexts, page
    judgements, requests = requests_of(args)
    queries: dict[str, str] = {}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter('always')
        source = read_qrels(judgements)
        read = {name: read_run(request, source) for name, request in zip(run_names(args.runs), requests)}
    unlocated: list[str] = []
    for warning in heard:
        warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
        unlocated += getattr(warning.message, 'unlocated', ())
    if source.dataset is not None and source.dataset.has_queries() and not args.queries:
        queries = _dataset_queries(source.dataset)
    if args.queries:
        queries = _queries(args.queries)
    measures = list(named_measures(args.measures).values()) if args.measures else DEFAULT_MEASURES
    judged, runs = _table(source), {name: _table(run) for name, run in read.items()}
    docs = _texts_of(args.texts, os.fspath(source.request.path), args.qrels_format)
    if args.docs and os.path.isdir(args.docs):
        from ir_segmeasures.formats.texts import FolderTexts  # other pages have no need of it
        docs = FolderTexts(args.docs)
    elif args.docs:
        docs = DatasetTexts(dataset_of(args.docs, 'no folder'))
    try:
        with warning_once():
            text = page(judged, runs, measures, queries=queries, docs=docs, media=args.media,
                        unit=unit_of(source, args.run_format), title=args.title, unlocated=unlocated)
    except RowError as error:
        raise _in_file(error, source, read) from None
    except ImportError as error:
        raise ValueError(str(error)) from None
    write_out(text, args.out)
    if args.out != '-':
        print(with_its_name(f'{args.out}: {len(text.encode()) / 1e6:.1f} MB'))


def _texts_of(texts: str | None, qrels: str, format: str) -> Any:
    """The texts in which quotes are looked for, or those that the file of evidence has itself; None without any."""
    from ir_segmeasures.formats.evidence import SELF_CONTAINED, read_evidence
    from ir_segmeasures.formats.texts import read_collection
    from ir_segmeasures.segments.segment import quote_id
    if texts is not None:
        found = read_collection(texts)
        found |= {name.rpartition('.')[0]: text for name, text in found.items() if '.' in name}
    elif format in SELF_CONTAINED:
        found = read_evidence(qrels, format).texts
    else:
        return None
    return {quote_id(name): text for name, text in found.items()}


def _in_file(error: RowError, qrels: Source, runs: Mapping[str, Source]) -> Exception:
    """The error with the file and the line of its row; that of a run begins with its name."""
    for name, run in runs.items():
        start = f'run {quoted(name)}: '
        if error.sentence.startswith(start):
            return run.in_file(RowError(error.kind, error.row, error.sentence.removeprefix(start)))
    return qrels.in_file(error) if error.kind == 'qrels' else error


def _table(source: Source) -> SegmentTable:
    with naming_files(source, source):
        make = SegmentTable.from_run if source.request.kind == 'run' else SegmentTable.from_qrels
        return make(source.rows)


def _dataset_queries(dataset: Any) -> dict[str, str]:
    from ir_segmeasures.study.view import text_of
    try:
        return {query.query_id: text_of(query) or '' for query in dataset.queries_iter()}
    except (OSError, RuntimeError) as error:
        warn_user(f'the page shows no texts of queries: {error}')
        return {}


def _queries(path: str) -> dict[str, str]:
    queries = {}
    for number, line in enumerate(read_text(path, lines=True).split('\n'), 1):
        query_id, tab, text = line.partition('\t')
        if not tab and query_id:
            raise formats.FormatError("the line has no tab, which stands between a query's id and its text: put one "
                                      'there', path, number)
        queries[query_id] = text
    return queries
