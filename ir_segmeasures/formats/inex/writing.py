"""Writers of the INEX ad hoc track's files: text, and runs in XML."""

from collections.abc import Sequence
from itertools import count, groupby
from operator import itemgetter
from typing import Any

from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.writing import (
    WriteError,
    decimal,
    judged_lines,
    left_out,
    own_score,
    ranked_lines,
    refuse_empty,
    run_of,
    segment_of,
    whole,
    word,
    write_text,
)
from ir_segmeasures.formats.files.xml import xml_attributes, xml_text
from ir_segmeasures.formats.inex.fields import LARGEST
from ir_segmeasures.formats.inex.judgements import judged_document
from ir_segmeasures.formats.inex.paths import checked_path, place_of
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.segment import parse_segment

__all__ = ['write_qrels', 'write_run', 'write_xml_run']

_NAME = 'inex-fol'
_RULE = 'passages are whole characters'


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, one document a line, documents of a topic as they first appear.

    Args:
        rows: with the fields of :class:`~ir_segmeasures.formats.inex.passages.InexQrel`; relevant passages that do not
            overlap, and documents that are not relevant, from 0 to their size
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    documents: dict[tuple[str, str], tuple[tuple[Any, ...], list[tuple[int, int]]]] = {}
    last: dict[tuple[str, str], int] = {}  # the number of the last row of each
    numbers = count()

    def add(row: Any) -> None:
        doc_id, start, end = _passage(row, unit)
        size, bep = getattr(row, 'doc_size', None), getattr(row, 'bep', None)
        if row.relevance not in (0, 1):
            raise ValueError(f'relevance {quoted(row.relevance)} cannot be written, since {_NAME} has no grades: judge '
                             'it 1 or 0')
        if size is None or (row.relevance and bep is None):
            raise ValueError(f"the size of the document or its best entry point is not known, but {_NAME} has both for "
                             "every relevant document: give the row the fields 'doc_size' and 'bep'")
        if not row.relevance and (start, end, bep) != (0, size, None):
            raise ValueError(f'what is not relevant cannot be written, since {_NAME} has only whole documents as such, '
                             'without a best entry point: take the row out')
        refuse_empty(row.relevance == 1 and start == end)
        own = (word(row.iteration, 'second column'), whole(size, 'doc_size', _RULE, LARGEST),
               None if bep is None else whole(bep, 'bep', _RULE, LARGEST))
        ids = word(row.query_id, 'topic'), doc_id
        known, passages = documents.setdefault(ids, (own, []))
        if known != own or (ids in last and bep is None):
            raise ValueError(f'rows of this document before have the second column, size and best entry point '
                             f'{joined(known)}, but a document is judged once, with its passages together: make them '
                             'agree, or take the row out')
        last[ids] = next(numbers)
        passages += [(start, end)] if row.relevance else []
    judged_lines(rows, add)
    lines = []
    for (query_id, doc_id), ((iteration, size, bep), passages) in documents.items():
        fields = [query_id, iteration, doc_id, str(sum(end - start for start, end in passages)), str(size)]
        if passages:
            fields += [str(bep), *(f'{start}:{end - start}' for start, end in sorted(passages))]
        try:
            judged_document(fields)
        except ValueError as error:
            raise WriteError(f'query {quoted(query_id)}, {quoted(doc_id)}: {error}', last[query_id, doc_id]) from None
        lines.append(' '.join(fields))
    write_text(lines, path)
    return left_out(rows, ('iteration', 'doc_size', 'bep'))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, topic by topic, with ranks from 1 in the order by ``score``.

    The score column is the rows' ``run_score`` where they have one. Documents without a passage have ``X``.

    Args, Returns, Raises:
        as :func:`write_qrels`, with the fields of :class:`~ir_segmeasures.formats.inex.passages.InexScoredDoc`
    """
    def line(row: Any, rank: int) -> str:
        document, start, end = _passage(row, unit)
        score = decimal(own_score(row), 'score')
        name = word(run_of(row), 'name of the run')
        place = f'{start} {end - start}'
        if getattr(row, 'no_passage', False):
            if start or end:
                raise ValueError("'no_passage' is set beside a passage: leave it out, or make start and end 0")
            place = 'X X'
        return f'{word(row.query_id, "topic")} Q0 {document} {rank} {score} {name} {place}'
    write_text(ranked_lines(rows, line), path)
    return left_out(rows, ('run', 'run_score', 'no_passage'))


def write_xml_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a run in XML, topic by topic, with ranks from 1 in the order by ``score``: elements by their paths,
    without offsets, and passages as offset and length.

    Args, Returns, Raises:
        as :func:`write_qrels`, with the fields of :class:`~ir_segmeasures.formats.inex.paths.InexPathScoredDoc`; all
        rows are of one run
    """
    rows = list(rows)
    run = run_of(next(iter(rows), None))

    def result(row: Any, rank: int) -> tuple[str, str]:
        xml_attributes({'run-id': word(run, 'name of the run')})  # refuses what XML does not have
        if run_of(row) != run:
            raise ValueError(f'the first row is of run {quoted(run)}, but a file has one run: make a file of each')
        element = None if hasattr(row, 'end') else parse_segment(row.doc_id, elements=True)
        if element is not None and element.path is not None:
            document, place = element.document, _place(element.path)
        else:
            document, start, end = _passage(row, unit)
            place = f'<fol offset="{start}" length="{end - start}"/>'
        xml_attributes({'file': document})
        topic = f'<topic{xml_attributes({"topic-id": word(row.query_id, "topic")})}>'
        return topic, (f'<result><file>{xml_text(word(document, "file"))}</file>{place}<rank>{rank}</rank>'
                       f'<rsv>{decimal(own_score(row), "score")}</rsv></result>')
    topics = groupby(ranked_lines(rows, result), itemgetter(0))
    write_text(['<?xml version="1.0" encoding="UTF-8"?>', f'<inex-submission{xml_attributes({"run-id": run})}>',
                *(line for topic, results in topics for line in (topic, *(text for _, text in results), '</topic>')),
                '</inex-submission>'], path)
    return left_out(rows, ('run', 'run_score'), paths=True)


def _place(path: str) -> str:
    """The element of a path, or what lies between the two ends of a range."""
    start, is_range, end = path.partition(',')
    if is_range:
        place_of(start)
        place_of(end)
        return f'<passage{xml_attributes({"start": start, "end": end})}/>'
    return f'<path>{xml_text(checked_path(path))}</path>'


def _passage(row: Any, unit: str | None) -> tuple[str, int, int]:
    segment = segment_of(row, unit, 'char', _NAME)
    return (word(segment.document, 'docid'), whole(segment.start, 'start', _RULE, LARGEST),
            whole(segment.end, 'end', _RULE, LARGEST))
