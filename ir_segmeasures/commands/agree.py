"""``ir_segmeasures agree``: how far assessors agree who judged the same content, and one file of their judgements."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import formats
from ir_segmeasures.commands import options
from ir_segmeasures.commands.inputs import Source, lengths_of, read_qrels
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import naming_files, run_names, warning_once, with_segments
from ir_segmeasures.commands.streams import PAGE, begins, write_out
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.campaign import COEFFICIENTS, MERGERS


class Agree(options.Reading, options.Tabled, options.Writing):
    """Compare the judgements of assessors on the content that they all judged: the mean over the queries of each
    coefficient, with its bootstrap interval, for each pair of assessors or (alpha, gamma) for all. csv and json have
    the value of each query, too. An assessor is called as the file, or as its second column says.

    Args:
        assessors: the judgements of two or more assessors, a file for each, or one file of all (also packed as
            .gz; - is standard input)
        coefficients: %(choices)s (default: all but alpha and gamma)
        rel: the relevance from which content is relevant (default: 1)
        grades: compare grades, not relevance, in kappa, alpha and gamma
        extent: the content that all were asked to judge, such as a pool: what an assessor does not name in it is not
            relevant; or 'judged' (default where all files have judgements below --rel)
        disagreements: write the stretches on which assessors disagree as csv
        page: make a page as view does, with a lane for what each assessor finds relevant
        merge: write one file of judgements: for each moment the highest grade that more than half of those who
            judged it give or exceed (majority), the highest (union), the lowest (intersection), or the mean
    """
    EXAMPLE = 'agree ann.qrels ben.qrels --merge majority --out merged.qrels'
    assessors: tuple[str, ...] = argument(nargs='+', metavar='QRELS')
    coefficients: tuple[str, ...] | None = option(
        names=('--coefficients', '-c'), nargs='+', choices=COEFFICIENTS, metavar='NAME')
    rel: float = option(1.0, metavar='GRADE')
    grades: bool = option(False)
    extent: str | None = option(metavar='QRELS')
    seed: int = options.seed(help='of the random samples of the bootstrap')
    disagreements: str | None = option(metavar='FILE', writes=begins('query_id'))
    page: str | None = option(metavar='FILE', writes=PAGE)
    merge: str | None = option(choices=MERGERS, needs='out')
    out: str | None = options.out(help='with --merge: the file to write (packed if it ends in .gz)', required=False,
                                  metavar='QRELS', needs='merge', writes=formats.read_qrels)
    lengths: str | None = options.lengths()

    def run(self) -> None:
        from ir_segmeasures.study import agreement_of, merged_judgements
        from ir_segmeasures.study.tables import render
        request = self.request('', 'qrels')
        lengths = lengths_of(self.lengths, Source([], request))
        assessors = judgements_of_assessors(request, self.assessors, lengths)
        extent = (self.extent if self.extent in (None, 'judged') else
                  pool_content(request, self.extent or '', lengths))
        with warning_once():
            found = agreement_of(assessors, self.coefficients or COEFFICIENTS[:7], self.rel, self.grades, extent,
                                 lengths=lengths, seed=self.seed)
            if self.merge is not None or self.page is not None:
                merged = merged_judgements(assessors, self.merge or 'majority', extent, lengths)
        if self.page is not None:
            from ir_segmeasures.measures import SegF
            from ir_segmeasures.study.view import page
            lanes = {name: [ScoredDoc(row.query_id, row.doc_id, row.relevance) for row in rows
                            if row.relevance >= self.rel] for name, rows in assessors.items()}
            write_out(page(merged, lanes, SegF(rel=self.rel), title='Assessors'), self.page)
        if self.out is not None:
            formats.write_qrels([Qrel(row.query_id, row.doc_id, row.relevance, '0')  # type: ignore[arg-type]  # or means
                                 for row in merged], self.out, 'trec')
        if self.disagreements is not None:
            rows = [{**{name: value for name, value in row._asdict().items() if name != 'grades'}, **row.grades}
                    for row in found.disagreements]
            write_out(render(rows, 'csv'), self.disagreements)
        self.show(found)


def pool_content(request: ReadRequest, path: str, lengths: Mapping[str, float] | None = None) -> Any:
    """The content of a pool, in any format that ``pool`` writes it in, as judgements. Other judgements are read in the
    format of the request, or in that of TREC where it is one of assessors' tools, which have no pools."""
    from ir_segmeasures.study.campaign import pool_files
    if os.path.isfile(path) and pool_files.is_pool(path):
        return [Qrel(unit.query_id, unit.doc_id, -1) for unit in pool_files.read_pool(path)]
    tool = formats.FORMATS[request.format].run is None
    return _judgements(replace(request, path=path, format='trec' if tool else request.format), lengths)


def judgements_of_assessors(request: ReadRequest, paths: Sequence[str],
                            lengths: Mapping[str, float] | None = None) -> dict[str, Any]:
    """The judgements of assessors by their names, a file for each or one of all, in the format of a request.

    Raises:
        UsageError: there is one assessor only
    """
    if len(paths) > 1:
        return {name: _judgements(replace(request, path=path), lengths) for name, path in run_names(paths).items()}
    together: dict[str, list[Any]] = {}
    for row in _judgements(replace(request, path=paths[0]), lengths):
        together.setdefault(str(getattr(row, 'iteration', '0')), []).append(row)
    if len(together) < 2:
        raise UsageError('agreement is between two: give the judgements of two or more')
    return together


def _judgements(request: ReadRequest, lengths: Mapping[str, float] | None) -> Sequence[Any]:
    """The judgements of a file with segment ids; an error about a row that the study will not take names its line."""
    from ir_segmeasures.study.campaign.layers import lay
    source = read_qrels(request)
    with naming_files(source):
        table = SegmentTable.from_qrels(source.rows)
        lay([('', table, dict.fromkeys(range(len(table)), 0.))], lengths)
    return with_segments(source)
