"""``ir_segmeasures view``: runs beside the judgements, query by query, on one page for the browser."""

import argparse
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.document_sizes import add_sizes, sizes_of
from ir_segmeasures.commands.inputs import Runs, Source, durations_of, naming_files, read_qrels, unit_of, warning_once
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import PACKED, add_formats, add_qrels, add_runs, requests_of
from ir_segmeasures.commands.outputs import write_out
from ir_segmeasures.commands.standard_input import with_its_name
from ir_segmeasures.commands.texts import query_texts, texts_of
from ir_segmeasures.measures import RowMeasure
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user

if TYPE_CHECKING:
    from ir_segmeasures.formats.evidence import EvidenceFile

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'view', help=help,
        description='Make an HTML page, one file that needs no other, to look at runs beside the judgements, query by '
                    'query. It shows which segments are judged, which segments each run returns at which rank, which '
                    'part of these is relevant and new, and how the measures get their values. With --judge it is the '
                    'page on which assessors judge the units of a pool; it shows no runs and no ranks.')
    add_qrels(parser, '?')
    add_runs(parser, f'the files of one or more runs ({PACKED})', '*')
    parser.add_argument('--judge', metavar='POOL', help='make the page to judge this pool (csv or JSON lines), instead '
                                                        'of judgements and runs')
    parser.add_argument('--grades', nargs='+', metavar='NAME',
                        help='with --judge: what the grades from 0 on are called (default: "not relevant" relevant '
                             '"highly relevant")')
    parser.add_argument('--out', required=True, metavar='FILE', help='the page to write (standard output as -)')
    add_measures(parser, f'one or more measures of segments (default: {" ".join(DEFAULT_MEASURES)})', required=False)
    parser.add_argument('--queries', metavar='FILE', help='the texts of the queries: a file with lines of an id, a tab '
                                                          'and a text (default: those of the dataset)')
    parser.add_argument('--docs', metavar='SOURCE', help='the texts of the documents: a folder with a text file, or a '
                                                         'transcript (.vtt, .srt, .json …), for each document, which '
                                                         'has the name of the document; or the id of a dataset')
    parser.add_argument('--media', metavar='URL', help='where the page finds the recordings, which it links and '
                                                       'plays, such as videos/{document}.mp4')
    add_sizes(parser, 'where documents end')
    parser.add_argument('--title', help='the title of the page')
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    if args.judge:
        if args.qrels is not None or args.measures or args.sizes:
            raise UsageError('--judge makes the page of a pool: leave out judgements, runs and measures, and '
                             '--sizes')
        if not args.queries:
            raise UsageError('--judge needs the texts of the queries: give them with --queries')
        _write(_page_to_judge(args.judge, args.queries, args.docs, args.media, args.grades, args.title), args.out)
        return
    if args.grades:
        raise UsageError('--grades are of --judge: name the pool with it')
    if not args.runs:
        raise UsageError('the judgements and a run are needed: give both, or a pool with --judge')
    from ir_segmeasures.study.view import page
    judgements, requests = requests_of(args)
    queries: dict[str, str] = {}
    unlocated: list[str] = []
    with warning_once(), _noting(unlocated):
        source = read_qrels(judgements)
    if source.dataset is not None and source.dataset.has_queries() and not args.queries:
        queries = _dataset_queries(source.dataset)
    evidence = _evidence_of(os.fspath(source.request.path), args.qrels_format)
    if evidence is not None:
        queries = evidence.questions
    if args.queries:
        queries = query_texts(args.queries)
    names = named_measures(args.measures or DEFAULT_MEASURES)
    with naming_files(source, source):
        judged = SegmentTable.from_qrels(source.rows, any(isinstance(measure, RowMeasure) for measure in names))
    runs = Runs(requests, names, source)  # each is read when the page asks for it, and let go of then
    docs = _texts_of(args.texts, evidence)
    if args.docs:
        docs = texts_of(args.docs)
    try:
        with warning_once(), _noting(unlocated):
            text = page(judged, runs, list(names.values()), queries=queries, docs=docs, media=args.media,
                        unit=unit_of(source, args.run_format), title=args.title or 'Runs and judgements',
                        unlocated=unlocated, lengths=_lengths(args.sizes, source))
    except RowError as error:
        raise _in_file(error, source, runs) from None
    except ImportError as error:
        raise ValueError(str(error)) from None
    _write(text, args.out)


def _page_to_judge(pool: str, queries: str, docs: str | None, media: str | None, grades: Sequence[str] | None,
                   title: str | None) -> str:
    from ir_segmeasures.study import read_pool
    from ir_segmeasures.study.view.judging_html import GRADES, judging_page
    try:
        return judging_page(read_pool(pool), query_texts(queries), texts_of(docs) if docs else None, media,
                            grades or GRADES, title or 'Judging')
    except ImportError as error:
        raise ValueError(str(error)) from None


def _write(text: str, path: str) -> None:
    write_out(text, path)
    if path != '-':
        print(with_its_name(f'{path}: {len(text.encode()) / 1e6:.1f} MB'))


def _evidence_of(path: str, format: str) -> 'EvidenceFile | None':
    """The file of evidence that the judgements are, with its questions and texts; None if they are none."""
    from ir_segmeasures.formats.evidence import EVIDENCE_FORMATS, read_evidence
    return read_evidence(path, format) if format in EVIDENCE_FORMATS else None


def _texts_of(texts: str | None, evidence: 'EvidenceFile | None') -> Any:
    """The texts in which quotes are looked for, or those that the file of evidence has itself; None without any."""
    from ir_segmeasures.formats.texts import read_collection
    from ir_segmeasures.segments.segment import quote_id
    if texts is not None:
        found = read_collection(texts)
        found |= {name.rpartition('.')[0]: text for name, text in found.items() if '.' in name}
    elif evidence is not None and evidence.texts:
        found = evidence.texts
    else:
        return None
    return {quote_id(name): text for name, text in found.items()}


@contextmanager
def _noting(unlocated: list[str]) -> Iterator[None]:
    """A context in which sentences about quotes without a place are noted from the warnings that tell of them."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def noted(message: Warning | str, category: type[Warning], filename: str, lineno: int,
                  file: TextIO | None = None, line: str | None = None) -> None:
            unlocated.extend(getattr(message, 'unlocated', ()))
            show(message, category, filename, lineno, file, line)
        warnings.showwarning = noted
        yield


def _in_file(error: RowError, qrels: Source, runs: Runs) -> Exception:
    """The error with the file and the line of its row, which tells the run."""
    source = qrels if error.kind == 'qrels' else runs.last
    assert source is not None
    return source.in_file(RowError(error.kind, error.row, error.sentence.removeprefix(f'run {quoted(runs.name)}: ')))


def _lengths(sizes: str | None, source: Source) -> dict[str, float]:
    try:
        return {**durations_of(source), **sizes_of(sizes, source)}
    except (OSError, RuntimeError) as error:
        if sizes is not None:
            raise
        warn_user(f'documents end with their last segment on the page: {error}')
        return {}


def _dataset_queries(dataset: Any) -> dict[str, str]:
    from ir_segmeasures.study.view import text_of
    try:
        return {query.query_id: text_of(query) or '' for query in dataset.queries_iter()}
    except (OSError, RuntimeError) as error:
        warn_user(f'the page shows no texts of queries: {error}')
        return {}
