"""``ir_segmeasures pool``: the first results of the runs of a campaign as units that assessors judge."""

import os
import sys
from collections.abc import Mapping
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands import options
from ir_segmeasures.commands.inputs import Source, lengths_of, query_texts, read_qrels, texts_of
from ir_segmeasures.commands.parser import UsageError, option
from ir_segmeasures.commands.runs import Runs, naming_files, with_segments
from ir_segmeasures.commands.streams import begins, refuse_to_replace, write_out
from ir_segmeasures.study.campaign import JUDGING_UNITS, POOL_FORMATS, SELECTIONS

ENDINGS = {'.csv': 'csv', '.jsonl': 'jsonl', '.txt': 'trec', '.qrels': 'trec', '.trec': 'trec'}


class Pool(options.Reading, options.Writing):
    """Pool the first results of all runs for each query, as units that assessors judge. The costs are printed first:
    the units, those of one run alone, their length, and their share of the collection, if its lengths are known.

    Args:
        depth: how many results of each run are taken for each query
        units: what is judged: overlapping results joined (the default), the pieces between all their starts and
            ends (atoms), or the different results as they are (as-returned)
        by: the units that are taken: all (depth, the default), or within --segments those that most
            runs returned high up, by reciprocal ranks (rrf) or rank-biased precision (rbp)
        segments: with --by rrf or rbp: the number of units of a query
        margin: how much of the document is shown before and after a unit (default: 0)
        longest: cut joined units that are longer into parts of at most this length
        transcripts: with --longest: cut between sentences and in silences of these transcripts
        point: how much content after an entry point is judged, which is a result without an end
        judged: leave out the content of these judgements: the pool has new content only
        output_format: of POOL: %(choices)s (default: by its ending)
    """
    EXAMPLE = 'pool a.run b.run --depth 20 --by rrf --segments 8 --out pool.csv'
    runs: tuple[str, ...] = options.runs(help=f'one or more runs ({options.PACKED})')
    depth: int = option(metavar='K', required=True)
    units: str = option('joined', choices=JUDGING_UNITS)
    by: str = option('depth', choices=SELECTIONS)
    segments: int | None = option(metavar='N')
    margin: float = option(0.0, metavar='LENGTH')
    longest: float | None = option(metavar='LENGTH')
    transcripts: tuple[str, ...] = option((), metavar='FILE', nargs='+', needs='longest')
    point: float = option(0.0, metavar='LENGTH')
    judged: str | None = option(metavar='QRELS')
    seed: int = options.seed(help='of the random order of units, which says nothing about ranks and runs (default: 0)')
    out: str = options.out(help='the file to write (standard output as -)', metavar='POOL')
    output_format: str | None = option(names=('--to', '-o'), also=('--output-format',), choices=POOL_FORMATS,
                                       metavar='FORMAT')
    queries: str | None = options.queries(help='of tasks: the texts of the queries, lines of an id, a tab and a text')
    media: str | None = options.media(help='of tasks: where the recordings are, such as https://host/{document}.mp4')
    lengths: str | None = options.lengths()

    def run(self) -> None:
        ending = os.path.splitext(self.out)[1]
        format = self.output_format or ENDINGS.get(ending, 'csv')
        if format != 'label-studio' and (self.queries or self.media):
            raise UsageError('--queries and --media are of tasks: add --to label-studio')
        from ir_segmeasures.study import pool, pool_text
        refuse_to_replace(self, 'out', formats.read_qrels if format == 'trec' else
                          begins({'csv': 'query', 'jsonl': '{'}.get(format, '[')))
        if self.output_format is None and self.out != '-' and ending not in ENDINGS:
            raise UsageError(f'--out ends in {ending!r}, but pools in {", ".join(ENDINGS)}: let it end so, or name the '
                             'format with --to')
        request, requests = self.requests(self.judged or '', self.runs)
        judged = Source([], request) if self.judged is None else read_qrels(request)
        runs = _PooledRuns(requests, {}, judged)
        transcripts = None
        if self.transcripts:
            transcripts = {row['docno']: row['transcript'] for row in formats.read_transcripts(list(self.transcripts))}
        from ir_segmeasures.study.tables import render
        lengths = lengths_of(self.lengths, judged)
        with naming_files(runs):
            found = pool(runs, self.depth, self.units, self.by, self.segments, longest=self.longest,
                         margin=self.margin, point=self.point, judged=with_segments(judged, runs.format),
                         lengths=lengths, transcripts=transcripts, collection=self._collection(lengths), seed=self.seed,
                         progress=True)
        costs = [{**cost._asdict(), 'run': cost.run or 'all runs'} for cost in found.costs()]
        if all(cost['share'] is None for cost in costs):  # no lengths are known
            costs = [{name: value for name, value in cost.items() if name != 'share'} for cost in costs]
        size = found.collection
        note = '' if size is None else 'share: of the collection, once for each query: ' + (
            f'{size / 3600:.2f} hours' if found.timed else f'{size:.12g}')
        print(render(costs, note=note), end='', file=sys.stderr if self.out == '-' else sys.stdout)
        docs = None if self.docs is None else texts_of(self.docs)
        write_out(pool_text(found, format, query_texts(self.queries) if self.queries else None, docs, self.media),
                  self.out)

    def _collection(self, lengths: Mapping[str, float]) -> float | None:
        """The length of the documents of a folder, whose names are several for each."""
        if self.lengths is None or not os.path.isdir(self.lengths):
            return None
        from ir_segmeasures.formats.texts import FolderTexts
        return sum({path: lengths[name] for name, path in FolderTexts(self.lengths).paths.items()
                    if name in lengths}.values())


class _PooledRuns(Runs):
    """Runs with segment ids, which a file of TREC can hold."""

    def __getitem__(self, name: str) -> Any:
        return with_segments(self.read(name))
