"""Commands for a track: ``agree`` tells how far assessors agree who judged the same content, and writes one file of
their judgements; ``pool`` makes units that assessors judge; ``release`` writes the folder that a campaign gives out.
"""

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from tempfile import mkdtemp
from typing import Any

from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import formats, study
from ir_segmeasures.commands import inputs, options, streams
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, naming_files, run_names, with_segments
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.measures import SegF
from ir_segmeasures.segments.segment import unquote_id
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import collected_warnings
from ir_segmeasures.study.campaign.layers import lay
from ir_segmeasures.study.campaign.pool_files import is_pool
from ir_segmeasures.study.tables import render

ENDINGS = {'.csv': 'csv', '.jsonl': 'jsonl', '.txt': 'trec', '.qrels': 'trec', '.trec': 'trec'}


class Agree(options.Seeded, options.Named, options.Sized, options.Reading, options.Tabled, options.Writing):
    """Compare the judgements of assessors on the content that they all judged: the mean over the queries of each
    coefficient, with its bootstrap interval, for each pair of assessors or (alpha, gamma) for all. csv and json have
    the value of each query, too. An assessor is called as the file, or as it says itself.

    Args:
        assessors: the judgements of two or more assessors, a file for each, or one file of all (also packed as
            .gz; - is standard input)
        coefficients: %(choices)s (default: all but alpha and gamma)
        rel: the relevance from which content is relevant (default: 1)
        grades: compare grades, not relevance, in kappa, alpha and gamma
        extent: the content that all were asked to judge, such as a pool: what an assessor does not name in it is not
            relevant; or 'judged' (default where all files have judgements below --rel)
        seed: of the random samples of the bootstrap
        out: with --merge: the file to write (packed if it ends in .gz)
        names: the names of the assessors (default: as in their files)
        queries: of the page: the texts of the queries (id, tab and text, or .csv)
        disagreements: write the stretches on which assessors disagree as csv
        page: make a page, as view does, with a lane for what each finds relevant
        merge: write one file of judgements: for each moment the highest grade that more than half of those who
            judged it give or exceed (majority), the highest (union), the lowest (intersection), or the mean
    """
    EXAMPLE = 'agree ann.qrels ben.qrels --merge majority --out merged.qrels'
    assessors: tuple[str, ...] = argument(nargs='+', metavar='QRELS')
    coefficients: tuple[str, ...] | None = options.several(
        names=('--coefficients', '-c'), choices=study.COEFFICIENTS, metavar='NAME')
    rel: float = option(1.0, metavar='GRADE')
    grades: bool = option(False)
    extent: str | None = option(metavar='QRELS')
    disagreements: str | None = option(metavar='FILE', writes=None)
    page: str | None = option(metavar='FILE', writes=streams.PAGE)
    queries: str | None = option(metavar='FILE', needs='page')
    merge: str | None = option(choices=study.MERGERS, needs='out')
    out: str | None = options.out(required=False, metavar='QRELS', needs='merge', writes=inputs.holds('qrels'))

    def run(self) -> None:
        request = self.request('', 'qrels')
        lengths = inputs.lengths_of(self.lengths, inputs.Source([], request))
        assessors = _of_assessors(request, self.assessors, lengths, self.names)
        head = render([dict.fromkeys([*study.Disagreement._fields[:-1], *assessors])], 'csv').splitlines()[0] + '\n'
        streams.refuse_to_replace(self, 'disagreements', streams.begins(re.escape(head)))
        extent = self.extent if self.extent in (None, 'judged') else _pool_content(request, self.extent or '', lengths)
        found = study.agreement_of(assessors, self.coefficients or study.COEFFICIENTS[:7], self.rel, self.grades,
                                   extent, lengths=lengths, seed=self.seed)
        merged = study.merged_judgements(assessors, self.merge or 'majority', extent, lengths) if (
            self.merge or self.page) else []
        if self.page is not None:
            from ir_segmeasures.study.view import page
            lanes = {name: [ScoredDoc(row.query_id, row.doc_id, row.relevance) for row in rows
                            if row.relevance >= self.rel] for name, rows in assessors.items()}
            queries = inputs.query_texts(self.queries) if self.queries else None
            docs = inputs.texts_of(self.docs) if self.docs else None
            with collected_warnings(wanted=False):  # lanes are not runs, and may be empty
                streams.write_out(page(merged, lanes, SegF(rel=self.rel), title='Assessors', queries=queries, docs=docs,
                                       lengths=lengths), self.page)
        if self.out is not None:
            formats.write_qrels([Qrel(row.query_id, row.doc_id, row.relevance, '0')  # type: ignore[arg-type]  # or means
                                 for row in merged], self.out, 'trec')
        if self.disagreements is not None:
            rows = [{**dict(zip(row._fields, row[:-1])), **row.grades} for row in found.disagreements]
            streams.write_out(render(rows, 'csv') or head, self.disagreements)
        self.show(found)


class Pool(options.Seeded, options.Queried, options.Sized, options.Reading, options.Writing):
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
        seed: of the random order of units, which says nothing about ranks and runs (default: 0)
        out: the file to write (standard output as -)
        output_format: of POOL: %(choices)s (default: by its ending)
        queries: of tasks: the texts of the queries, lines of an id, a tab and a text
        media: of tasks: where the recordings are, such as https://host/{document}.mp4
    """
    EXAMPLE = 'pool a.run b.run --depth 20 --by rrf --segments 8 --out pool.csv'
    runs: tuple[str, ...] = options.runs()
    depth: int = option(metavar='K', required=True)
    units: str = option('joined', choices=study.JUDGING_UNITS)
    by: str = option('depth', choices=study.SELECTIONS)
    segments: int | None = option(metavar='N')
    margin: float = option(0.0, metavar='LENGTH')
    longest: float | None = option(metavar='LENGTH')
    transcripts: tuple[str, ...] = option((), metavar='FILE', nargs='+', needs='longest')
    point: float = option(0.0, metavar='LENGTH')
    judged: str | None = option(metavar='QRELS')
    out: str = options.out(metavar='POOL')
    output_format: str | None = option(names=('--to', '-o'), also=('--output-format',), choices=study.POOL_FORMATS,
                                       metavar='FORMAT')
    media: str | None = option(metavar='URL')

    def run(self) -> None:
        ending = os.path.splitext(self.out)[1]
        format = self.output_format or ENDINGS.get(ending, 'csv')
        streams.refuse_to_replace(self, 'out', {
            'trec': inputs.holds('qrels', pool=True), 'label-studio': streams.begins(
                r'\[\s*\{\s*"data": \{\s*"query_id"')}.get(format, is_pool))
        if self.output_format is None and self.out != '-' and ending not in ENDINGS:
            raise UsageError(f'--out ends in {ending!r}, but pools in {", ".join(ENDINGS)}: let it end so, or add --to')
        if format != 'label-studio' and (self.queries or self.media):
            raise UsageError('--queries and --media are of tasks: add --to label-studio')
        request, requests = self.requests(self.judged or '', self.runs)
        judged = inputs.Source([], request) if self.judged is None else inputs.read_qrels(request)
        runs = _PooledRuns(requests, {}, judged)
        transcripts = {row['docno']: row['transcript'] for row in formats.read_transcripts(list(self.transcripts))} \
            if self.transcripts else None
        lengths = inputs.lengths_of(self.lengths, judged)
        files: Mapping[str, str] = {}  # which has several names for each
        if self.lengths and os.path.isdir(self.lengths):
            from ir_segmeasures.formats.texts import FolderTexts  # imported when it is needed
            files = FolderTexts(self.lengths).paths
        with naming_files(runs):
            found = study.pool(
                runs, self.depth, self.units, self.by, self.segments, longest=self.longest, margin=self.margin,
                point=self.point, judged=with_segments(judged, runs.format), lengths=lengths, transcripts=transcripts,
                collection=sum({path: lengths[name] for name, path in files.items() if name in lengths}.values())
                or None, seed=self.seed, progress=True)
        size = found.collection  # None where no lengths are known
        costs = [{name: value or 'all runs' if name == 'run' else value for name, value in cost._asdict().items()
                  if name != 'share' or size is not None} for cost in found.costs()]
        note = '' if size is None else 'share: of the collection, once for each query: ' + (
            f'{size / 3600:.2f} hours' if found.timed else f'{size:.12g}')
        print(render(costs, note=note), end='', file=sys.stderr if self.out == '-' else sys.stdout)
        docs = None if self.docs is None else inputs.texts_of(self.docs)
        queries = inputs.query_texts(self.queries) if self.queries else None
        streams.write_out(study.pool_text(found, format, queries, docs, self.media), self.out)


class _PooledRuns(Runs):
    """Runs with segment ids, which a file of TREC can hold."""

    def __getitem__(self, name: str) -> Any:
        return with_segments(self.read(name))


class Release(options.Named, options.Reading):
    """Write what a campaign gives out to a new folder: the judgements in each format, the topics, the lengths of the
    documents, checksums, and a README with counts, the agreement of the assessors and the line that makes a dataset of
    the files. The judgements are checked before: where check finds a violation or a warning, there is no release.

    Args:
        name: the id of the dataset, in lower case, such as track/2026
        qrels: the judgements (also packed as .gz; - is standard input)
        topics: the texts of the queries: lines of an id, a tab and a text, or .csv with qid and query
        lengths: the lengths of the documents: lines "document length", such as 12.5 or hh:mm:ss, a folder of
            transcripts, or the id of a dataset
        pool: the pool, in csv, trec or jsonl: its counts are in the README
        assessors: the judgements of each assessor, or one file of all: their agreement is in the README
        names: the names of the assessors (default: as in their files)
        out: the folder, which is not there yet
        to: the formats of the judgements that are written; the first is that of the dataset (default: trec)
    """
    EXAMPLE = 'release mine/track --qrels merged.qrels --queries topics.tsv --lengths lengths.txt --out track'
    name: str = argument(metavar='NAME')
    qrels: str = option(required=True, metavar='QRELS')
    topics: str = option(names=('--queries',), also=('--topics',), required=True, metavar='FILE')
    lengths: str = option(required=True, metavar='SOURCE')
    pool: str | None = option(metavar='QRELS')
    assessors: tuple[str, ...] = option((), nargs='+', metavar='QRELS')
    to: tuple[str, ...] = option(('trec',), also=('--formats',), nargs='+', choices=formats.FORMATS, metavar='FORMAT')
    out: str = options.out(metavar='FOLDER')

    def run(self) -> None:
        from ir_segmeasures.checks import check  # pool and agree do without
        from ir_segmeasures.datasets.local import NAME  # which needs ir_datasets
        if not NAME.fullmatch(self.name):
            raise UsageError(f'{self.name} is not a name of a dataset, of a-z, 0-9, ".", "-" and "_": give it one '
                             'such as track/2026')
        if os.path.lexists(self.out):
            raise UsageError(f'--out: {self.out} is there already: name another folder')
        request, _ = self.requests(self.qrels, ())
        content = None if self.pool is None else _pool_content(replace(request, format='trec'), self.pool)
        assessed = replace(request, format=self.source_format or request.format)  # saved judgements beside merged ones
        agreement = study.agreement_of(_of_assessors(assessed, self.assessors, names=self.names), extent='judged'
                                       if content is None else content) if self.assessors else None
        source = inputs.read_qrels(request, 'add --qrels-format')
        # A transcript may end before its recording does.
        topics, lengths = inputs.query_texts(self.topics), inputs.lengths_of(
            self.lengths, source if os.path.isdir(self.lengths) else inputs.Source([], request))
        if os.path.isdir(self.lengths):  # each file has one name: that which is judged, or that without its ending
            from ir_segmeasures.formats.texts import FolderTexts  # imported when it is needed
            paths, judged = FolderTexts(self.lengths).paths, {*SegmentTable.from_qrels(source.rows).document_ids}
            names = {paths[name]: name for name in (*reversed(paths), *(name for name in paths if name in judged))}
            lengths = {name: lengths[name] for name in names.values() if name in lengths}
        folder = mkdtemp(dir=os.path.dirname(os.path.abspath(self.out)), prefix='.release')
        try:
            with naming_files(source):
                rows = [Qrel(row.query_id, row.doc_id, row.relevance, getattr(row, 'iteration', '0'))
                        if hasattr(row, 'start') else row for row in with_segments(source)]  # columns are in the ids
                files = study.write_release(folder, self.name, rows, topics, lengths, content, agreement, self.to)
            for name in self.to:
                for finding in check(os.path.join(folder, f'qrels.{name}'), name, 'qrels'):
                    raise ValueError('there is no release, since check finds something in '
                                     + str(finding).removeprefix(os.path.join(folder, '')))
            os.chmod(folder, 0o755)
            os.rename(folder, self.out)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(*(os.path.join(self.out, file) for file in files), sep='\n')


def _pool_content(request: ReadRequest, path: str, lengths: Mapping[str, float] | None = None) -> Any:
    """The content of a pool, in any format that ``pool`` writes it in, as judgements. Other judgements are read in the
    format of the request, or in that of TREC where it is one of assessors' tools, which have no pools."""
    if os.path.isfile(path) and is_pool(path):
        return [Qrel(unit.query_id, unit.doc_id, -1) for unit in study.read_pool(path)]
    tool = formats.FORMATS[request.format].run is None
    return _judgements(replace(request, path=path, format='trec' if tool else request.format), lengths)


def _of_assessors(request: ReadRequest, paths: Sequence[str],
                  lengths: Mapping[str, float] | None = None, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The judgements of assessors by their names, a file for each or one of all, in the format of a request. The files
    of assessors' tools may hold their names.

    Raises:
        UsageError: there is one assessor only
    """
    named = run_names(paths, names)
    if len(paths) > 1:
        found: dict[str, Any] = {}
        for name, path in named.items():
            rows = _judgements(replace(request, path=path), lengths, 'convert it, or, if all are alike, add --from')
            is_tools = names is None and formats.FORMATS[formats.format_at(path, request.format)].run is None
            inside = {unquote_id(row.iteration) for row in rows if is_tools and not row.iteration.isdigit()}
            found[min(inside) if len(inside) == 1 and inside.isdisjoint([*found, *named]) else name] = rows
        return found
    together: dict[str, list[Any]] = {}
    for row in _judgements(replace(request, path=paths[0]), lengths):
        together.setdefault(str(getattr(row, 'iteration', '0')), []).append(row)
    if len(together) < 2:
        raise UsageError('agreement is between two: give the judgements of two or more')
    return together


def _judgements(request: ReadRequest, lengths: Mapping[str, float] | None, repair: str = 'add --from') -> Any:
    """The judgements of a file with segment ids; an error about a row that the study will not take names its line."""
    source = inputs.read_qrels(request, repair)
    with naming_files(source):
        table = SegmentTable.from_qrels(source.rows)
        lay([('', table, dict.fromkeys(range(len(table)), 0.))], lengths)
    return with_segments(source)
