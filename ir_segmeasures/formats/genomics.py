"""Readers and writers of the passages of the TREC Genomics Track (2006, 2007).

Positions are characters from the beginning of a document, as offset and length in the files and as half-open intervals
in the rows. Files are in ISO-8859-1 (latin-1).
Source: the track's gold standard and the program that scored its runs, https://trec.nist.gov/data/t2007_genomics.html.
"""

from collections.abc import Sequence
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.columns import ColumnFile, Numbers
from ir_segmeasures.formats.files.fields import anywhere, each_text, interned, nine_digits, parse_score
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.order import ordered_by, places_in_queries
from ir_segmeasures.formats.files.reading import LATIN_1, StrPath
from ir_segmeasures.formats.files.row_types import Number, Rows, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    encoded,
    own_score,
    refuse_grades,
    run_of,
    segment_of,
    whole,
    word,
)
from ir_segmeasures.segments.quoting import quoted

__all__ = ['GENOMICS', 'GenomicsQrel', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

QRELS_FIELDS = 'topic pmid offset length aspect|aspect…, separated by tabs'
RUN_FIELDS = 'topic pmid rank score offset length tag'

_LARGEST = 10 ** 9 - 1
_NAME = 'genomics'
_RULE = 'passages are whole characters'


class GenomicsQrel(NamedTuple):
    """A passage of the gold standard, which lists what is relevant and nothing else.

    Attributes:
        query_id: the topic
        doc_id: the document's PubMed id
        start, end: characters from the beginning of the document, half-open
        relevance: always 1
        iteration: always ``'0'``; the file has no such column
        aspects: the topic's aspects in the passage as in the file, with ``|`` between them
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number = 1
    iteration: str = '0'
    aspects: str = ''


def read_qrels(path: StrPath) -> Sequence[GenomicsQrel]:
    """Reads the gold standard, one passage a line, in file order: ``topic pmid offset length aspect|aspect…``.

    Fields are separated by tabs; the last, which may hold blanks, may be empty or missing.

    Raises:
        FormatError: a line does not have 4 or 5 fields; an id is empty or holds white space; the offset is not a whole
            number from 0 up or the length not one from 1 up
        OSError: the file cannot be opened
    """
    return _QRELS.read(path)


def read_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
    """Reads a run, one passage a line, separated by white space: ``topic pmid rank score offset length tag``.

    Rows come in the official order: topics as they first appear, within each by rank, then PubMed id (as a text),
    offset and length; ``score`` is minus the position in this order, the file's own score is ``run_score``. Ranks may
    be repeated and have gaps. A passage of length 0 is an entry point.

    Raises:
        FormatError: a line does not have 7 fields; the rank, offset or length is not a whole number from 0 up; the
            score is not a finite number
        OSError: the file cannot be opened
    """
    return _RUN.read(path)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements as a gold standard.

    Args:
        rows: of any reader; all relevant, without grades, in characters
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    return _QRELS.write(rows, path, unit)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items as a run, topic by topic, with ranks from 1 in the order by ``score``.

    The score column is the rows' ``run_score`` where they have one.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    return _RUN.write(rows, path, unit)


def _qrel(topic: Any, pmid: Any, offset: Any, length: Any, aspects: Any = '') -> GenomicsQrel:
    query_id, doc_id = _id(topic, 'topic'), _id(pmid, 'pmid')
    start, size = _whole(offset.strip(), 'offset'), _whole(length.strip(), 'length')
    if anywhere(size == 0):
        raise ValueError(f'length {quoted(length.strip())} is no passage, but a relevant judgement needs content: '
                         'correct the length, or take the line out')
    return GenomicsQrel(query_id, doc_id, start, start + size, aspects=aspects)


def _scored_doc(topic: Any, pmid: Any, rank: Any, score: Any, offset: Any, length: Any, tag: Any) -> SegmentScoredDoc:
    start = _whole(offset, 'offset')
    return SegmentScoredDoc(interned(topic), interned(pmid), start, start + _whole(length, 'length'), 0,
                            _whole(rank, 'rank'), parse_score(score), None, tag)


@each_text
def _id(field: str, what: str) -> str:
    id = field.strip()
    if id.split() != [id]:
        raise ValueError(f'{what} {quoted(field)} is empty or holds white space, but it is an id: a line is '
                         f'{QRELS_FIELDS}')
    return intern(id)


def _whole(text: Any, what: str) -> Any:
    number = nine_digits(text)
    if number is None:
        raise ValueError(f'{what} {quoted(text)} is not a whole number from 0 up, but ranks, offsets and lengths are: '
                         f'a line of a gold standard is {QRELS_FIELDS}, and of a run {RUN_FIELDS}')
    return number


def _official_order(path: StrPath, rows: Rows[SegmentScoredDoc], numbers: Numbers) -> Rows[SegmentScoredDoc]:
    columns = rows.columns
    documents = columns['doc_id'].distinct
    order = np.argsort(sorted(range(len(documents)), key=documents.__getitem__))
    rows = ordered_by(rows, columns['rank'], order[columns['doc_id'].code], columns['start'], columns['end'])
    rows.columns['score'] = -places_in_queries(rows)
    return rows


def _judged_line(row: Any, unit: str | None) -> str:
    topic, document, offset, length = _passage(row, unit)
    refuse_grades(row, length == 0, _NAME)
    return f'{topic}\t{document}\t{offset}\t{length}\t{_aspects(getattr(row, "aspects", ""))}'


def _retrieved_line(row: Any, unit: str | None, rank: int) -> str:
    topic, document, offset, length = _passage(row, unit)
    score = decimal(own_score(row), 'score')
    return f'{topic} {document} {rank} {score} {offset} {length} {word(run_of(row), "tag", LATIN_1)}'


def _passage(row: Any, unit: str | None) -> tuple[str, str, int, int]:
    segment = segment_of(row, unit, 'char', _NAME)
    start = whole(segment.start, 'start', _RULE, _LARGEST)
    return (word(row.query_id, 'topic', LATIN_1), word(segment.document, 'pmid', LATIN_1), start,
            whole(segment.end, 'end', _RULE, _LARGEST) - start)


def _aspects(text: str) -> str:
    if any(sign in text for sign in '\t\r\n'):
        raise ValueError(f'aspects {quoted(text)} hold a tab or a line end, at which files are split: take it out')
    encoded(text, 'aspects', LATIN_1)
    return text


_QRELS = ColumnFile('a gold standard', QRELS_FIELDS, (5, 4), _qrel, _judged_line, ('aspects',), separator='\t',
                    encoding=LATIN_1)
_RUN = ColumnFile('a passage run', RUN_FIELDS, (7,), _scored_doc, _retrieved_line, ('run', 'run_score'), ranked=True,
                  encoding=LATIN_1, arrange=_official_order, late='score')
GENOMICS = Format(
    'genomics', 'TREC Genomics 2006 and 2007, gold standard and passage runs: offset and length in characters', 'char',
    _QRELS.files(read_qrels, write_qrels), _RUN.files(read_run, write_run), lists=('queries',))
