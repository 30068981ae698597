"""The passages of the TREC Genomics Track (2006, 2007).

Positions are characters from the beginning of a document, as offset and length in the files and as half-open intervals
in the rows. Files are in ISO-8859-1 (latin-1). The gold standard is separated by tabs; its last field, which may hold
blanks, may be empty or missing. Passages have at least one character.

Rows of a run come in the official order: topics as they first appear, within each by rank, then PubMed id (as a text),
offset and length; ``score`` is minus the position in this order, the file's own score is ``run_score``. Ranks may be
repeated and have gaps. A passage of length 0 is an entry point. Runs are written with ranks from 1 in the order by
``score``, and with ``run_score`` where rows have it.
Source: the track's gold standard and the program that scored its runs, https://trec.nist.gov/data/t2007_genomics.html.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import JUDGED, Format, Rules
from ir_segmeasures.formats.files.lines import Lines, ordered_by, places_in_queries
from ir_segmeasures.formats.files.reading import LATIN_1
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentScoredDoc, StrPath

QRELS_FIELDS = 'topic pmid offset length aspect|aspect…'
RUN_FIELDS = 'topic pmid rank score offset length tag'

_NAME = 'genomics'


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


def _qrel(topic: Any, pmid: Any, offset: Any, length: Any, aspects: Any) -> GenomicsQrel:
    start, size = _offset(offset), _length(length)
    fields.refuse_empty(not size.all())
    return GenomicsQrel(_topics(topic), _pmids(pmid), start, start + size, aspects=aspects)


def _scored_doc(topic: Any, pmid: Any, rank: Any, score: Any, offset: Any, length: Any, tag: Any) -> SegmentScoredDoc:
    start: Any = _offset(offset)
    topics, documents, runs = map(fields.interned, (topic, pmid, tag))
    return SegmentScoredDoc._make((topics, documents, start, start + _length(length), 0, _rank(rank),
                                   fields.scores(score), None, runs))


_topics, _pmids = (fields.each_text(partial(fields.id_of, what=what)) for what in ('topic', 'pmid'))
_offset, _length, _rank = (
    fields.whole_numbers(what, f'a line of a gold standard is {QRELS_FIELDS}, and of a run {RUN_FIELDS}')
    for what in ('offset', 'length', 'rank'))


def _official_order(path: StrPath, rows: FileRows[SegmentScoredDoc]) -> FileRows[SegmentScoredDoc]:
    documents = np.unique(rows.columns['doc_id'], return_inverse=True)[1]  # by text
    rows = ordered_by(rows, rows.columns['rank'], documents, rows.columns['start'], rows.columns['end'])
    rows.columns['score'] = -places_in_queries(fields.codes_of_column(rows.columns['query_id']))
    return rows


def _judged(row: Any, unit: str | None) -> list[str]:
    document, offset, length = _passage(row, unit)
    writing.refuse_grades(row, _NAME)
    fields.refuse_empty(length == '0')
    return [writing.word(row.query_id, 'topic'), writing.word(document, 'pmid'), offset, length,
            getattr(row, 'aspects', '')]


def _retrieved(row: Any, unit: str | None, rank: int) -> list[str]:
    document, offset, length = _passage(row, unit)
    score = writing.decimal(writing.own_score(row), 'score')
    return [row.query_id, document, str(rank), score, offset, length, writing.run_of(row)]


def _passage(row: Any, unit: str | None) -> tuple[str, str, str]:
    document, start, end = writing.whole_span(row, unit, 'char', _NAME)
    return document, str(start), str(end - start)


_QRELS = Lines('a gold standard', QRELS_FIELDS, _qrel, _judged, optional=1, held=('aspects',), separator='\t',
               encoding=LATIN_1)
_RUN = Lines('a passage run', RUN_FIELDS, _scored_doc, _retrieved, beside=('rank',),
             held=('run', 'run_score'), ranked='rank', encoding=LATIN_1, finish=_official_order)
read_qrels, write_qrels, read_run, write_run = _QRELS.read, _QRELS.write, _RUN.read, _RUN.write

_PMIDS = ('[0-9]{1,9}', '12595615, a PMID')
GENOMICS = Format(
    'genomics', 'TREC Genomics 2006 and 2007, gold standard and passage runs: offset and length in characters', 'char',
    _QRELS.files(rules=Rules(JUDGED.violations, ('overlap',), ids=_PMIDS)),
    # The official program takes what is retrieved twice.
    _RUN.files(order='rank', rules=Rules(('known_query',), (
        'one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries', 'retrieved_once', 'overlap'), most=1000,
        ids=_PMIDS)),
    lists=('queries',))
