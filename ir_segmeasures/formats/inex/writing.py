"""Writers of the INEX ad hoc track's files: text, and runs in XML."""

from bisect import bisect
from collections.abc import Sequence
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.writing import (
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
from ir_segmeasures.formats.inex.paths import checked_path, place_of
from ir_segmeasures.segments.quoting import quoted
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
    documents: dict[tuple[str, str], _JudgedDocument] = {}
    judged_lines(rows, lambda row: _add(documents, row, unit))
    write_text([document.line(*ids) for ids, document in documents.items()], path)
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
    opened: list[str] = []

    def opening() -> str:
        return f'<inex-submission{xml_attributes({"run-id": word(run, "name of the run")})}>'

    def line(row: Any, rank: int) -> str:
        if not opened:
            opening()  # refuses a name that a run cannot have, of this row
        if run_of(row) != run:
            raise ValueError(f'the first row is of run {quoted(run)}, but a file has one run: make a file of each')
        element = None if hasattr(row, 'end') else parse_segment(row.doc_id, elements=True)
        if element is not None and element.path is not None:
            document, place = element.document, _place(element.path)
        else:
            document, start, end = _passage(row, unit)
            place = f'<fol offset="{start}" length="{end - start}"/>'
        xml_attributes({'file': document})  # refuses what XML does not have
        head = ''
        if opened[-1:] != [row.query_id]:
            topic = xml_attributes({'topic-id': word(row.query_id, 'topic')})
            head = f'{"</topic>" if opened else ""}<topic{topic}>'
            opened.append(row.query_id)
        return (f'{head}<result><file>{xml_text(word(document, "file"))}</file>{place}<rank>{rank}</rank>'
                f'<rsv>{decimal(own_score(row), "score")}</rsv></result>')
    results = ranked_lines(rows, line)
    write_text(['<?xml version="1.0" encoding="UTF-8"?>',
                opening(), *results, '</topic></inex-submission>' if opened else '</inex-submission>'], path)
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


class _JudgedDocument(NamedTuple):
    """A line of judgements to be: the columns, and the passages in order."""

    iteration: str
    size: int
    bep: int | None
    passages: list[tuple[int, int]]

    def line(self, query_id: str, doc_id: str) -> str:
        relevant = sum(end - start for start, end in self.passages)
        places = [str(self.bep), *(_shown(*passage) for passage in self.passages)] if self.passages else []
        return ' '.join([query_id, self.iteration, doc_id, str(relevant), str(self.size), *places])


def _add(documents: dict[tuple[str, str], _JudgedDocument], row: Any, unit: str | None) -> None:
    """Adds a row to the line of its document."""
    doc_id, start, end = _passage(row, unit)
    if row.relevance not in (0, 1):
        raise ValueError(f'relevance {quoted(row.relevance)} cannot be written, since {_NAME} has no grades: judge it '
                         '1 or 0')
    if getattr(row, 'doc_size', None) is None:
        raise ValueError(f"the size of the document is not known, but every line of {_NAME} has it: give the row a "
                         "field 'doc_size'")
    size = whole(row.doc_size, 'doc_size', _RULE, LARGEST)
    bep = getattr(row, 'bep', None)
    if bep is not None:
        bep = whole(bep, 'bep', _RULE, size)
    if end > size:
        raise ValueError(f'the passage ends after the document, which has the size {size}: correct one of the two')
    if row.relevance == 1:
        refuse_empty(start == end)
        if bep is None:
            raise ValueError(f"the best entry point is not known, but every relevant document of {_NAME} has one: give "
                             "the row a field 'bep'")
    elif (start, end, bep) != (0, size, None):
        raise ValueError(f'what is not relevant cannot be written, since {_NAME} has only whole documents as such, '
                         'without a best entry point: take the row out')
    judged = _JudgedDocument(word(row.iteration, 'second column'), size, bep, [])
    known = documents.setdefault((word(row.query_id, 'topic'), doc_id), judged)
    if known is not judged and (bep is None or known[:3] != judged[:3]):
        raise ValueError(f'rows of this document before have the size {known.size}, the best entry point {known.bep} '
                         f'and the second column {quoted(known.iteration)}, but a document is judged once, with its '
                         'passages together: make them agree, or take the row out')
    if bep is not None:
        place = bisect(known.passages, (start, end))
        for other in known.passages[max(place - 1, 0):place + 1]:
            if start < other[1] and other[0] < end:
                raise ValueError(f'the passage overlaps {_shown(*other)} (offset:length), but passages of a document '
                                 'do not overlap: join the two')
        known.passages.insert(place, (start, end))


def _shown(start: int, end: int) -> str:
    return f'{start}:{end - start}'
