"""Rules of evaluation, which hold for the files of any campaign: some for segments, and some for a whole file."""

from collections.abc import Sequence
from math import inf
from typing import Any

from ir_segmeasures.checks.checked_lines import Item
from ir_segmeasures.checks.rules import File, Found
from ir_segmeasures.segments.other_ids import intended_segment
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.warnings import (
    comparison_warnings,
    empty_warning,
    example_document,
    no_relevant_warning,
)

__all__ = ['evaluation_findings', 'judged_with_content', 'known_end', 'one_unit', 'unit_of_the_judgements']

REL = 1  # from which grade on measures take a judgement as relevant, unless they are told another


def judged_with_content(file: File) -> Found:
    """Every relevant segment has content, and its end is known. Source: evaluation, which refuses other judgements."""
    relevant = [item for item in file.items if item.row.relevance >= REL]
    if relevant and all(map(_whole, file.items)):
        yield relevant[0], (
            f'all {len(file.items)} judgements are of whole documents, such as '
            f'{example_document([item.segment.document for item in relevant])}, of which no end is known, so that '
            'measures of segments refuse them: write segments as DOCUMENT#t=START,END; measures of documents take them')
        return
    for item in relevant:
        if item.segment.start == item.segment.end:
            yield item, f'{item} is judged relevant and has no content: give the judgement an end after its start'
        elif item.segment.end == inf and (_whole(item) or item.segment.unit is not None):
            yield item, (f"{item} is judged relevant up to the document's end, which is not known: write the end into "
                         'the id')


def known_end(file: File) -> Found:
    """The ends of segments are known. Source: evaluation, in which measures of content refuse other runs. A file of
    whole documents or shots is right, unless their ids look like those of segments."""
    documents = [item.segment.document for item in file.items if _whole(item)]
    if documents and len(documents) == len(file.items):
        if all(map(intended_segment, documents)):
            yield file.items[0], (
                f'all {len(documents)} items are whole documents, such as {example_document(documents)}, of which no '
                'end is known, so that measures of content refuse them: write segments as DOCUMENT#t=START,END')
        return
    for item in file.items:
        if item.segment.end == inf and (_whole(item) or item.segment.unit is not None):
            yield item, (f"{item} runs to the document's end, which is not known, so that measures of content refuse "
                         'it: write the end into the id')


def one_unit(file: File) -> Found:
    """All segments of a document of a query are in one unit. Source: evaluation, which refuses others."""
    units: dict[tuple[str, str], str] = {}
    for item in file.items:
        unit = item.segment.unit
        if unit is not None:
            known = units.setdefault((item.query_id, item.segment.document), unit)
            if known != unit:
                yield item, (f'{item} is in {unit!r}, but an earlier segment of this document of {item.query_id!r} in '
                             f'{known!r}: give all of them in one unit')


def unit_of_the_judgements(file: File) -> Found:
    """Segments are in the unit of their document's judgements. Source: evaluation, which refuses others."""
    for item in file.items:
        unit = item.segment.unit
        known = file.units.get((item.query_id, item.segment.document), unit)
        if unit is not None and known != unit:
            yield item, (f'{item} is in {unit!r}, but the judgements of this document of {item.query_id!r} are in '
                         f'{known!r}: give both in one unit')


def _whole(item: Item) -> bool:
    return item.segment.unit is None and item.segment.path is None


def evaluation_findings(kind: str, items: list[Item], rows: Sequence[Any] | SegmentTable,
                        judged: Sequence[Any] | SegmentTable | None) -> list[tuple[Item | None, str, bool]]:
    """The errors and warnings of an evaluation of all rows: an item or None, a sentence, and whether it is a warning.

    Args:
        kind: ``'run'`` or ``'qrels'``
        items, rows: of the file, the same in both; rows may be a table, and ``judged`` too
        judged: the judgements of a run, if they are known
    """
    doubts: list[str | None] = []
    try:
        table = (SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels)(rows, elements=True)
        if kind == 'qrels':
            doubts = [empty_warning(table), no_relevant_warning(table, REL)]
        elif judged is None:
            doubts = [empty_warning(table)]
        else:
            qrels = SegmentTable.from_qrels(judged, elements=True)
            documents = not (qrels.units() | table.units()) and not (qrels.end < inf).any()
            # Rules tell each line that is there twice.
            doubts = [*comparison_warnings(Match(qrels, table), rows=documents, twice=False),
                      no_relevant_warning(qrels, REL)]
            if not documents and qrels.paths is None:  # measures of elements need no offsets
                qrels.relevant_rows(REL)
    except RowError as error:
        if error.kind == kind:
            return [(items[error.row], error.sentence, False)]
        doubts.append(f'its judgements are refused: {error}')
    return [(None, sentence, True) for sentence in filter(None, doubts)]
