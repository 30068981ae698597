"""``ir_segmeasures release``: the folder that a campaign gives out."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from tempfile import mkdtemp

from ir_segmeasures import formats
from ir_segmeasures.commands import options
from ir_segmeasures.commands.agree import judgements_of_assessors, pool_content
from ir_segmeasures.commands.inputs import query_texts, read_qrels
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import warning_once, with_segments
from ir_segmeasures.segments.tables.table import RowError


class Release(options.Reading):
    """Write what a campaign gives out to a new folder: the judgements in each format, the topics, the lengths of the
    documents, checksums, and a README with counts, the agreement of the assessors and the line that makes a dataset of
    the files. The judgements are checked before: where check finds a violation or a warning, there is no release.

    Args:
        name: the id of the dataset, in lower case, such as track/2026
        qrels: the judgements (also packed as .gz; - is standard input)
        topics: the texts of the queries: lines of an id, a tab and a text
        lengths: the lengths of the documents: lines "document length", such as 12.5 or hh:mm:ss
        pool: the pool, in csv, trec or jsonl: its counts are in the README
        assessors: the judgements of each assessor, or one file of all: their agreement is in the README
        to: the formats of the judgements that are written; the first is that of the dataset (default: trec)
    """
    EXAMPLE = 'release mine/track --qrels merged.qrels --queries topics.tsv --lengths lengths.txt --out track'
    name: str = argument(metavar='NAME')
    qrels: str = option(required=True, metavar='QRELS')
    topics: str = option(names=('--queries',), also=('--topics',), required=True, metavar='FILE')
    lengths: str = option(required=True, metavar='FILE')
    pool: str | None = option(metavar='QRELS')
    assessors: tuple[str, ...] = option((), nargs='+', metavar='QRELS')
    to: tuple[str, ...] = option(('trec',), also=('--formats',), nargs='+', choices=formats.FORMATS, metavar='FORMAT')
    out: str = options.out(help='the folder, which is not there yet', metavar='FOLDER')

    def run(self) -> None:
        from ir_segmeasures.datasets.local import NAME
        if not NAME.fullmatch(self.name):
            raise UsageError(f'{self.name} is not a name of a dataset, which has lower-case letters, digits, ".", "-" '
                             'and "_", and "/" between its parts: give it another')
        if os.path.lexists(self.out):
            raise UsageError(f'--out: {self.out} is there already: name another folder')
        request, _ = self.requests(self.qrels, ())
        from ir_segmeasures.formats.extents import read_sizes
        from ir_segmeasures.study import agreement_of, write_release
        pool = None if self.pool is None else pool_content(replace(request, format='trec'), self.pool)
        agreement = None
        if self.assessors:
            with warning_once():
                agreement = agreement_of(judgements_of_assessors(request, self.assessors),
                                         extent='judged' if pool is None else pool)
        source = read_qrels(request)
        topics, lengths = query_texts(self.topics), read_sizes(self.lengths)
        folder = mkdtemp(dir=os.path.dirname(os.path.abspath(self.out)), prefix='.release')
        try:
            try:
                files = write_release(folder, self.name, with_segments(source), topics, lengths, pool, agreement,
                                      self.to)
            except RowError as error:
                raise source.in_file(error) from None
            _check(folder, self.to)
            os.chmod(folder, 0o755)
            os.rename(folder, self.out)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        for file in files:
            print(os.path.join(self.out, file))


def _check(folder: str, names: Sequence[str]) -> None:
    """Raise a ValueError with the first finding of a check of the files of judgements."""
    from ir_segmeasures.checks import check
    for name in names:
        for finding in check(os.path.join(folder, f'qrels.{name}'), name, 'qrels'):
            raise ValueError('there is no release, since check finds something in '
                             + str(finding).removeprefix(os.path.join(folder, '')))
