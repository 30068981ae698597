"""``ir_segmeasures pool``: the first results of the runs of a campaign as units that assessors judge."""

import argparse
import os
import sys
from typing import Any

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.document_sizes import add_sizes, sizes_of
from ir_segmeasures.commands.inputs import Runs, Source, naming_files, read_qrels, read_run, with_segments
from ir_segmeasures.commands.options import PACKED, add_formats, add_runs, requests_of
from ir_segmeasures.commands.outputs import write_out
from ir_segmeasures.commands.texts import query_texts, texts_of

# Those of study.campaign, whose import the other commands have no need of; a test compares them.
SELECTIONS, JUDGING_UNITS, POOL_FORMATS = ('depth', 'rrf', 'rbp'), ('joined', 'atoms', 'as-returned'), (
    'csv', 'trec', 'jsonl', 'label-studio')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'pool', help=help,
        description='Pool the first results of all runs for each query, as units that assessors judge. Each moment of '
                    'these results lies in a unit, unless a budget leaves units out. What the pool costs is printed '
                    'first: how many units it has, how many of a run no other run returned, their length, and their '
                    'share of the collection, if its lengths are known. The same input makes the same file. The name '
                    'of a run is that of its file without the suffix.')
    add_runs(parser, f'the files of one or more runs ({PACKED})')
    parser.add_argument('--depth', metavar='K', type=int, required=True,
                        help='how many results of each run are taken for each query')
    parser.add_argument('--units', choices=JUDGING_UNITS, default='joined',
                        help='what is judged: overlapping results joined (the default), the pieces between all their '
                             'starts and ends (atoms), or the different results as they are (as-returned)')
    parser.add_argument('--by', choices=SELECTIONS, default='depth',
                        help='which units are taken: all (depth, the default), or within --segments or --budget those '
                             'that most runs returned high up, by reciprocal ranks (rrf) or rank-biased precision '
                             '(rbp)')
    parser.add_argument('--segments', metavar='N', type=int,
                        help='with --by rrf or rbp: the number of units of a query')
    parser.add_argument('--budget', metavar='LENGTH', type=float,
                        help='with --by rrf or rbp: the length of all units of a query together, in the unit of the '
                             'runs, such as seconds')
    parser.add_argument('--p', metavar='P', type=float, default=.8, help='the persistence of rbp (default: 0.8)')
    parser.add_argument('--margin', metavar='LENGTH', type=float, default=0,
                        help='how much of the document is shown before and after a unit (default: 0)')
    parser.add_argument('--longest', metavar='LENGTH', type=float,
                        help='cut joined units that are longer into parts of at most this length')
    parser.add_argument('--transcripts', metavar='FILE', nargs='+',
                        help="with --longest: cut between sentences and in silences of these transcripts, such as "
                             "'talks/*.vtt'")
    parser.add_argument('--point', metavar='LENGTH', type=float, default=0,
                        help='how much content after an entry point is judged, which is a result without an end')
    parser.add_argument('--judged', dest='qrels', metavar='QRELS',
                        help='leave out the content of these judgements, so that the pool has new content only')
    parser.add_argument('--seed', metavar='N', type=int, default=0,
                        help='the seed of the random order of the units of a query; the order says nothing about ranks '
                             'and runs (default: 0)')
    parser.add_argument('--out', metavar='POOL', required=True, help='the file to write (standard output as -)')
    parser.add_argument('--output-format', '-o', choices=POOL_FORMATS,
                        help='csv, trec (qrels with -1) or jsonl (default: that of the ending of POOL, else csv); or '
                             'tasks of Label Studio, without runs and ranks (label-studio)')
    parser.add_argument('--queries', metavar='FILE',
                        help='of tasks: the texts of the queries, lines of an id, a tab and a text')
    parser.add_argument('--docs', metavar='SOURCE',
                        help='of tasks: the texts, a folder with a text file or a transcript for each document, or the '
                             'id of a dataset')
    parser.add_argument('--media', metavar='URL',
                        help='of tasks: where the recordings are, such as '
                             'https://host/{document}.mp4')
    add_sizes(parser)
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    if args.transcripts and args.longest is None:
        raise UsageError('--transcripts say where --longest cuts: give the length with --longest')
    if args.seed < 0:
        raise UsageError(f'--seed is {args.seed}, but it is a whole number from 0 up')
    format = args.output_format or _format_of(args.out)
    tasks = format == 'label-studio'
    if not tasks and (args.queries or args.docs or args.media):
        raise UsageError('--queries, --docs and --media are of tasks: add -o label-studio')
    if tasks and not args.queries:
        raise UsageError(f'-o {format} needs the texts of the queries: give them with --queries')
    request, requests = requests_of(args)
    judged = Source([], request) if args.qrels is None else read_qrels(request)
    if args.out != '-' and os.path.exists(args.out):
        for path in (*args.runs, *([] if args.qrels is None else [args.qrels])):
            if path != '-' and os.path.exists(path) and os.path.samefile(path, args.out):
                raise UsageError(f'--out is {args.out}, which is one of the inputs: name another file')
    runs = _PooledRuns(requests, {}, judged)
    transcripts = None
    if args.transcripts:
        from ir_segmeasures import formats
        transcripts = {row['docno']: row['transcript'] for row in formats.read_transcripts(args.transcripts)}
    from ir_segmeasures.study import pool, pool_text
    with naming_files(judged, runs):
        found = pool(runs, args.depth, args.units, args.by, args.segments, args.budget, args.p, args.longest,
                     args.margin, args.point, with_segments(judged, args.run_format), sizes_of(args.sizes, judged),
                     transcripts, args.seed, progress=True)
    from ir_segmeasures.study.tables import render
    costs = [{**cost._asdict(), 'run': cost.run or 'all runs'} for cost in found.costs()]
    print(render(costs), end='', file=sys.stderr if args.out == '-' else sys.stdout)
    docs = None if args.docs is None else texts_of(args.docs)
    text = pool_text(found, format, query_texts(args.queries) if args.queries else None, docs, args.media)
    write_out(text, args.out)


class _PooledRuns(Runs):
    """Runs with segment ids, which a file of TREC can hold."""

    def __getitem__(self, name: str) -> Any:
        self.last, self.name = read_run(self.requests[name], self._qrels), name
        return with_segments(self.last)


def _format_of(path: str) -> str:
    ending = os.path.splitext(path)[1]
    return {'.jsonl': 'jsonl', '.txt': 'trec', '.qrels': 'trec', '.trec': 'trec'}.get(ending, 'csv')
