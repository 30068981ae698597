"""Readers and writers of the passages of the TREC Genomics Track (2006, 2007).

Positions are characters from the beginning of a document, as offset and length in the files and as half-open intervals
in the rows. Files are in ISO-8859-1 (latin-1).
Source: the track's gold standard and the program that scored its runs, https://trec.nist.gov/data/t2007_genomics.html.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.reading import (
    LATIN_1,
    Number,
    SegmentScoredDoc,
    StrPath,
    numbered_rows,
    parse_score,
    wrong_fields,
)
from ir_segmeasures.formats.files.writing import (
    NAMELESS,
    decimal,
    encoded,
    judged_lines,
    left_out,
    own_score,
    ranked_lines,
    refuse_grades,
    segment_of,
    whole,
    word,
    write_text,
)
from ir_segmeasures.segments.quoting import quoted

__all__ = ['GENOMICS', 'GenomicsQrel', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

QRELS_FIELDS = 'topic pmid offset length aspect|aspect…, separated by tabs'
RUN_FIELDS = 'topic pmid rank score offset length tag'

_DIGITS = re.compile(r'[0-9]{1,9}')
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


def read_qrels(path: StrPath) -> list[GenomicsQrel]:
    """Reads the gold standard, one passage a line, in file order: ``topic pmid offset length aspect|aspect…``.

    Fields are separated by tabs; the last, which may hold blanks, may be empty or missing.

    Raises:
        FormatError: a line does not have 4 or 5 fields; an id is empty or holds white space; the offset is not a whole
            number from 0 up or the length not one from 1 up
        OSError: the file cannot be opened
    """
    return numbered_rows(path, _qrel, _tabs, LATIN_1)[1]


def read_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads a run, one passage a line, separated by white space: ``topic pmid rank score offset length tag``.

    Rows come in the official order: topics as they first appear, within each by rank, then PubMed id (as a number),
    offset and length; ``score`` is minus the position in this order, the file's own score is ``run_score``. Ranks may
    be repeated and have gaps. A passage of length 0 is an entry point.

    Raises:
        FormatError: a line does not have 7 fields; the rank, offset or length is not a whole number from 0 up; the
            score is not a finite number
        OSError: the file cannot be opened
    """
    topics: dict[str, list[SegmentScoredDoc]] = defaultdict(list)
    for row in numbered_rows(path, _scored_doc, encoding=LATIN_1)[1]:
        topics[row.query_id].append(row)
    for ranking in topics.values():
        ranking.sort(key=_official_order)
    return [row._replace(score=-position) for ranking in topics.values() for position, row in enumerate(ranking, 1)]


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements as a gold standard.

    Args:
        rows: of any reader; all relevant, without grades, in characters
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    def line(row: Any) -> str:
        topic, document, offset, length = _passage(row, unit)
        refuse_grades(row, length == 0, _NAME)
        return f'{topic}\t{document}\t{offset}\t{length}\t{_aspects(getattr(row, "aspects", ""))}'
    write_text(judged_lines(rows, line), path, LATIN_1)
    return left_out(rows, ('aspects',))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items as a run, topic by topic, with ranks from 1 in the order by ``score``.

    The score column is the rows' ``run_score`` where they have one.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any, rank: int) -> str:
        topic, document, offset, length = _passage(row, unit)
        score = decimal(own_score(row), 'score')
        tag = word(getattr(row, 'run', None) or NAMELESS, 'tag', LATIN_1)
        return f'{topic} {document} {rank} {score} {offset} {length} {tag}'
    write_text(ranked_lines(rows, line), path, LATIN_1)
    return left_out(rows, ('run', 'run_score'))


def _tabs(line: str) -> list[str]:
    return line.split('\t') if line.strip() else []


def _qrel(fields: list[str]) -> GenomicsQrel:
    if len(fields) not in (4, 5):
        raise wrong_fields(fields, 'a gold standard', QRELS_FIELDS, '5, or 4 without the last')
    query_id, doc_id = (_id(field, what) for field, what in zip(fields, ('topic', 'pmid')))
    start, length = _whole(fields[2].strip(), 'offset'), _whole(fields[3].strip(), 'length')
    if length == 0:
        raise ValueError(f'length {quoted(fields[3].strip())} is no passage, but a relevant judgement needs content: '
                         'correct the length, or take the line out')
    return GenomicsQrel(query_id, doc_id, start, start + length, aspects=fields[4] if len(fields) == 5 else '')


def _scored_doc(fields: list[str]) -> SegmentScoredDoc:
    if len(fields) != 7:
        raise wrong_fields(fields, 'a passage run', RUN_FIELDS, '7')
    query_id, doc_id, rank, score, offset, length, run = fields
    start = _whole(offset, 'offset')
    return SegmentScoredDoc(intern(query_id), intern(doc_id), start, start + _whole(length, 'length'), 0,
                            _whole(rank, 'rank'), parse_score(score), None, intern(run))


def _official_order(row: SegmentScoredDoc) -> tuple[int, bool, int, str, Number, Number]:
    pmid = int(row.doc_id) if _DIGITS.fullmatch(row.doc_id) else 0
    return row.rank, not pmid, pmid, row.doc_id, row.start, row.end


def _id(field: str, what: str) -> str:
    id = field.strip()
    if id.split() != [id]:
        raise ValueError(f'{what} {quoted(field)} is empty or holds white space, but it is an id: a line is '
                         f'{QRELS_FIELDS}')
    return intern(id)


def _whole(text: str, what: str) -> int:
    if not _DIGITS.fullmatch(text):
        raise ValueError(f'{what} {quoted(text)} is not a whole number from 0 up, but ranks, offsets and lengths are: '
                         f'a line of a gold standard is {QRELS_FIELDS}, and of a run {RUN_FIELDS}')
    return int(text)


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


GENOMICS = Format(
    'genomics', 'TREC Genomics 2006 and 2007, gold standard and passage runs: offset and length in characters', 'char',
    Files(read_qrels, write_qrels, Lines(one_row(_qrel), _tabs, LATIN_1)),
    Files(read_run, write_run, Lines(one_row(_scored_doc), encoding=LATIN_1, late='score')), lists=('queries',))
