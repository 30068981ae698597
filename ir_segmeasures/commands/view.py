"""``ir_segmeasures view``: runs beside the judgements, query by query, on one page for the browser."""

import argparse
import os
import sys
import tempfile
import warnings
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.segments.table import RowError, SegmentTable

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')
_NO_DATASETS = "ir_datasets is not installed, of which it could be a dataset: pip install 'ir_segmeasures[datasets]'"


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'view', help='make a page to look at runs, query by query',
        description='Make one self-contained HTML page to look at runs beside the judgements, query by query: what is '
                    'judged, what each run returns and at which rank, what of it is relevant and new, and how the '
                    'values of the measures come about.')
    parser.add_argument('qrels', help='the file of the judgements (.gz is read as it is), or the id of an ir_datasets '
                                      'dataset')
    parser.add_argument('runs', nargs='+', metavar='run', help='the files of one or more runs')
    parser.add_argument('--out', required=True, metavar='FILE', help='the page to write; - is standard output')
    parser.add_argument('-m', '--measure', action='append', dest='measures', metavar='MEASURE',
                        help=f'a measure of segments, once or more (default: {" ".join(DEFAULT_MEASURES)})')
    parser.add_argument('--queries', metavar='FILE', help="the queries' texts: their id, a tab and the text in each "
                                                          'line (default: those of the dataset)')
    parser.add_argument('--docs', metavar='SOURCE', help='the texts of the documents: a folder of text files that are '
                                                         'named as the documents, or the id of a dataset')
    parser.add_argument('--media', metavar='URL', help='where recordings can be opened, such as '
                                                       'videos/{document}.mp4')
    parser.add_argument('--title', default='Runs and judgements', help='the title of the page')
    for kind in ('qrels', 'run'):
        parser.add_argument(f'--{kind}-format', choices=formats.FORMATS, default='trec',
                            help=f'format of the {kind} (default: trec)')
    parser.set_defaults(command=view, parser=parser)


def view(args: argparse.Namespace) -> None:
    from ir_segmeasures.view import DatasetTexts, FolderTexts, page
    queries: dict[str, str] = {}
    unit = formats.FORMATS[args.qrels_format].unit or formats.FORMATS[args.run_format].unit
    if os.path.exists(args.qrels):
        qrels = formats.read_qrels(args.qrels, args.qrels_format)
    else:
        dataset = _dataset(args.qrels, 'no file')
        if not dataset.has_qrels():
            raise ValueError(f'the dataset {args.qrels} has no qrels: name one that has')
        qrels = list(dataset.qrels_iter())
        run_format = getattr(dataset.qrels_handler(), 'run_format', 'trec')
        unit = unit or formats.FORMATS[run_format].unit
        if dataset.has_queries() and not args.queries:
            queries = _dataset_queries(dataset)
    if args.queries:
        queries = _queries(args.queries)
    judged = _table(qrels, 'qrels', args.qrels, args.qrels_format)
    runs = {name: _table(formats.read_run(path, args.run_format), 'run', path, args.run_format)
            for name, path in _names(args.runs).items()}
    docs: Any = None
    if args.docs:
        docs = FolderTexts(args.docs) if os.path.isdir(args.docs) else DatasetTexts(_dataset(args.docs, 'no folder'))
    try:
        text = page(judged, runs, args.measures or DEFAULT_MEASURES, queries=queries, docs=docs, media=args.media,
                    unit=unit, title=args.title)
    except NameError as error:
        args.parser.error(f'{error} (ir_segmeasures measures lists those of segments)')
    except ImportError as error:
        raise ValueError(str(error)) from None
    _write(text, args.out)


def _names(paths: list[str]) -> dict[str, str]:
    """What runs are called: their files' names without the ending, or the paths where these are the same."""
    names = [os.path.basename(path).removesuffix('.gz') for path in paths]
    stems = [os.path.splitext(name)[0] for name in names]
    for called in (stems, names):
        if len(set(called)) == len(paths):
            return dict(zip(called, paths))
    return {path: path for path in paths}


def _table(rows: Any, kind: str, path: str, format: str) -> SegmentTable:
    try:
        return SegmentTable.from_run(rows) if kind == 'run' else SegmentTable.from_qrels(rows)
    except RowError as error:
        raise formats.in_file(error, path, formats.FORMATS[format], rows) from None


def _dataset(id: str, what: str) -> Any:
    try:
        from ir_segmeasures import datasets
    except ImportError:
        raise ValueError(f'{id} is {what}, and {_NO_DATASETS}') from None
    try:
        return datasets.load(id)
    except ValueError as error:
        raise ValueError(f'{id} is {what}, and {error}') from None


def _dataset_queries(dataset: Any) -> dict[str, str]:
    try:
        return {query.query_id: str(query.default_text()) for query in dataset.queries_iter()}
    except (OSError, RuntimeError) as error:
        warnings.warn(f'the page shows no texts of queries: {error}', stacklevel=2)
        return {}


def _queries(path: str) -> dict[str, str]:
    queries = {}
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            query_id, tab, text = line.rstrip('\r\n').partition('\t')
            if not tab and query_id:
                raise formats.FormatError("the line has no tab, which stands between a query's id and its text: put "
                                          'one there', path, number)
            queries[query_id] = text
    return queries


def _write(text: str, path: str) -> None:
    if path == '-':
        sys.stdout.write(text)
        return
    # Beside its place first, so that whoever looks there never finds half a page.
    folder = os.path.dirname(path) or '.'
    if not os.path.isdir(folder):
        raise ValueError(f'{path} cannot be written, since there is no folder {folder}: make it, or name another')
    with tempfile.NamedTemporaryFile('w', encoding='utf-8', newline='\n', dir=folder, delete=False) as file:
        try:
            file.write(text)
            file.close()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            file.close()
            os.unlink(file.name)
            raise
    print(f'{path}: {len(text.encode()) / 1e6:.1f} MB')
