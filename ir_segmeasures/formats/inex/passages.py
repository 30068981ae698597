"""The INEX ad hoc track's text files (2008–10): judgements and runs as file, offset and length.

Offsets and lengths, here called characters, are whole numbers in the unit that a run shares with its judgements (INEX'
sources say characters or bytes); nothing converts them. Rows have half-open intervals.
Source: the judgements of INEX 2010 and the program that scored its runs, ``inex_eval`` 3.1.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.lines import Lines, in_file_order, rows_of_lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath, refuse_twice
from ir_segmeasures.formats.files.row_types import FileRows, Number, column_of, without_rank
from ir_segmeasures.formats.inex.topics import TASKS, element_id, range_id, read_topics
from ir_segmeasures.formats.moment_windows import Notes, warn_of
from ir_segmeasures.segments.basics import quoted

_QRELS_FIELDS = 'topic Q0 docid rsize docsize [bep off:len off:len …]'
_RUN_FIELDS = 'topic Q0 docid rank rsv runid'
_LAST = {'length': 'offset length', 'end': 'offset end', 'bep': 'bep', 'path': 'path last'}
_NO_PASSAGE = ('X', '-1')  # in the place of an offset
_IN_QRELS = f'a line is {_QRELS_FIELDS}'
_IN_RUN = f'a line is {_RUN_FIELDS} offset length; an offset X or -1 is a document without a passage'
_NAME = 'inex-fol'


class InexQrel(NamedTuple):
    """A relevant passage, or a document that was judged and is not relevant.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; of a document that is not relevant, all
            of it
        relevance: 1, or 0 for a document that is not relevant
        iteration: the second column of the file, not used by measures
        doc_size: of the document, in characters; None if it is not known
        bep: offset of the document's best entry point; None if it is not relevant
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number = 1
    iteration: str = 'Q0'
    doc_size: int | None = None
    bep: int | None = None


class PassageQrel(NamedTuple):
    """A judged passage of a dataset, the length of its document and the best entry point there, None if nothing is
    relevant."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    doc_size: int
    bep: int


@without_rank
class InexScoredDoc(NamedTuple):
    """A retrieved passage, or a document that was retrieved without one. The official order is that of the lines.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; both 0 for a document without a passage
        score: minus the position in the file
        rank, run_score: the file's own rank and score, which nothing reads; None where these columns hold no whole
            number of at most nine digits and no finite number
        run: name of the run
        no_passage: whether the document was retrieved without a passage
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number
    rank: int | None
    run_score: float | None
    run: str | None
    no_passage: bool = False


@without_rank
class InexPathScoredDoc(NamedTuple):
    """A retrieved element, its path in the id.

    Attributes:
        query_id: the topic
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``; a range, as
            :func:`~ir_segmeasures.formats.inex.topics.range_id` makes it; a passage, as ``file#char=10,20``
        score: minus the position in the official order, within the topic
        rank: as in the file; where it has none, the position in the topic
        run_score: the file's own score; where it has none, that of the position
        run: name of the run; None if the file has none
    """

    query_id: str
    doc_id: str
    score: Number
    rank: int
    run_score: float
    run: str | None


def read_qrels(path: StrPath) -> Sequence[InexQrel]:
    """Reads judgements, one document a line: ``topic Q0 docid rsize docsize [bep off:len off:len …]``.

    Rows come in the order of the lines, one for every passage, those of a line by offset. A line without passages is a
    document that is not relevant: one row from 0 to its size, with relevance 0 (empty if the size is 0). Passages
    without content, beside others, are left out with a warning: inex_eval takes them, and they hold nothing.

    Raises:
        FormatError: a line has 6 fields or less than 5; a size, offset or length is not a whole number from 0 up; rsize
            is not the length of all passages; a passage is empty, overlaps another or ends after the document, or the
            best entry point lies after it; a document is judged twice for a topic
        OSError: the file cannot be opened
    """
    rows = _rows(path)
    assert rows.lines is not None
    ids = map('{} {}'.format, rows.columns['query_id'], rows.columns['doc_id'])
    refuse_twice(path, rows.lines.tolist(), ids, 'the judgement of topic and document',
                 'all passages of a document stand on one line: join the two, or take one out')
    return rows


def _rows(path: StrPath, faults: list[FormatError] | None = None) -> FileRows[InexQrel]:
    notes: Notes = []
    rows = rows_of_lines(path, partial(_judged_document, notes=notes), InexQrel, faults)
    warn_of(path, notes)
    return rows


def _judged_document(cells: list[str], notes: Notes) -> list[InexQrel]:
    """The rows of the fields of a line. Raises ``ValueError`` with a sentence, and notes passages without content."""
    if len(cells) not in (5, *range(7, len(cells) + 1)):
        raise fields.wrong_fields(cells, 'FOL judgements', _QRELS_FIELDS, '5, or at least 7 if it is relevant')
    query_id, iteration, doc_id, relevant, docsize, *places = cells
    size, total = (fields.whole_number(*found, _IN_QRELS) for found in ((docsize, 'docsize'), (relevant, 'rsize')))
    bep = fields.whole_number(places[0], 'bep', _IN_QRELS) if places else None
    numbers = [[fields.whole_number(number, what, _IN_QRELS) for number, what in zip(
        text.partition(':')[::2], ('offset', 'length'))] for text in places[1:]]
    passages = sorted((start, start + length) for start, length in numbers if length)
    for (_, end), (start, _) in pairwise(passages):
        if start < end:
            raise ValueError(f'the passages from {start} and up to {end} overlap: join the two, or correct one')
    length = sum(end - start for start, end in passages)
    if total != length or bool(places) > bool(passages):
        raise ValueError(f'rsize is {relevant}, but the passages have {length} characters together: correct one of the '
                         'two; a document that is not relevant has rsize 0 and no passage')
    if not places:
        return [InexQrel(query_id, doc_id, 0, size, 0, iteration, size)]
    if max(passages[-1][1], bep or 0) > size:
        raise ValueError(f'a passage ends at {passages[-1][1]} and bep is {bep}, but docsize is {size}: correct one')
    notes += [('passages have no content, which counts for nothing', quoted(text)) for text, (_, length) in zip(
        places[1:], numbers) if not length]
    return [InexQrel(query_id, doc_id, start, end, 1, iteration, size, bep) for start, end in passages]


def read_run(path: StrPath, last: str = 'length') -> Sequence[Any]:
    """Reads a run, one item a line: ``topic Q0 docid rank rsv runid offset length``, in file order, which is official.

    The offset ``X`` or ``-1`` is a document without a passage; its length is not read. A length of 0 is accepted, and
    nothing is said about overlap, which is for measures to treat. Rank and rsv may be anything.

    Args:
        path: of the run
        last: what the last column is: ``'length'``; ``'end'`` for runs that have the end offset there, by mistake;
            ``'bep'`` for best entry points, with 7 columns, of which the last is an offset; ``'path'`` for elements by
            their paths, such as ``/article[1]/bdy[1]``, and ranges with the path of their last in one more column (not
            checked against a real file), which become ids of :func:`~ir_segmeasures.formats.inex.topics.element_id` and
            :func:`~ir_segmeasures.formats.inex.topics.range_id`, of which a table makes segments

    Returns:
        rows of :class:`InexScoredDoc`; of paths of :class:`InexPathScoredDoc`

    Raises:
        FormatError: a line does not have 8 fields (7 for ``'bep'``, also for ``'path'``); an offset or length is not a
            whole number from 0 up; an end is before its offset; a path does not have names and an index each
        ValueError: ``last`` is something else
        OSError: the file cannot be opened
    """
    if last not in _RUNS:
        raise ValueError(f"last={quoted(last)}: the last column of a run is its 'length', 'end', 'bep' or 'path'")
    return _RUNS[last].read(path)


def _scored_doc(topic: Any, _: Any, docid: Any, rank: Any, rsv: Any, runid: Any, offset: Any, number: Any = None, *,
                last: str) -> Any:
    query_id, run = map(fields.interned, (topic, runid))
    ranks, scores = (fields.each_text(read)(texts) for read, texts in (
        (fields.nine_digits, rank), (fields.finite_number, rsv)))
    if last == 'path':
        ids = [range_id(document, first, end) if end else element_id(document, first)
               for document, first, end in zip(docid, offset, number)]
        return InexPathScoredDoc._make((query_id, ids, 0, ranks, scores, run))
    places = [_place(*pair, last) for pair in zip(offset, number or ['0'] * len(offset))]
    start, end, no_passage = map(column_of, zip(*places))
    return InexScoredDoc._make((query_id, fields.interned(docid), start, end, 0, ranks, scores, run, no_passage))


def _place(offset: str, number: str, last: str) -> tuple[int, int, bool]:
    if offset.startswith('/'):
        raise ValueError(f"offset {quoted(offset)} is an element's path: read such runs in Python, with "
                         "formats.inex.read_run and last='path'")
    if offset in _NO_PASSAGE:
        return 0, 0, True
    start = fields.whole_number(offset, 'offset', _IN_RUN)
    end = fields.whole_number(number, last, _IN_RUN) + (0 if last == 'end' else start)
    fields.refuse_backwards(end < start, offset, number)
    return start, end, False


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
    lines: dict[tuple[str, str], list[str]] = {}

    def add(row: Any) -> None:
        doc_id, start, end = passage_of(row, unit)
        size, bep = getattr(row, 'doc_size', None), getattr(row, 'bep', None)
        if row.relevance not in (0, 1) or size is None or (bep is None) == bool(row.relevance) or not (
                row.relevance or (start, end) == (0, size)):
            raise ValueError(f'relevance {quoted(row.relevance)}, doc_size {quoted(size)} and bep {quoted(bep)} cannot '
                             'be those of a relevant passage (1) or of a whole document (0): correct the row')
        fields.refuse_empty(row.relevance == 1 and start == end)
        own = (writing.word(row.iteration, 'second column'), writing.whole(size, 'doc_size', _NAME),
               None if bep is None else writing.whole(bep, 'bep', _NAME))
        ids = writing.word(row.query_id, 'topic'), doc_id
        known, passages = documents.setdefault(ids, (own, []))
        if known != own or (ids in lines and bep is None):
            raise ValueError('rows of this document before have another second column, size or best entry point: make '
                             'them agree, or take the row out')
        passages += [(start, end)] if row.relevance else []
        lines[ids] = [ids[0], own[0], doc_id, str(sum(end - start for start, end in passages)), str(size)]
        if passages:
            lines[ids] += [str(bep), *(f'{start}:{end - start}' for start, end in sorted(passages))]
        _judged_document(lines[ids], [])  # refuses what is not read again
    writing.judged_lines(rows, add)
    writing.write_text(list(map(' '.join, lines.values())), path)
    return writing.left_out(rows, ('iteration', 'doc_size', 'bep'))


def _retrieved(row: Any, unit: str | None, rank: int) -> list[str]:
    document, start, end = passage_of(row, unit)
    place = [str(start), str(end - start)]
    if getattr(row, 'no_passage', False):
        if start or end:
            raise ValueError("'no_passage' is set beside a passage: leave it out, or make start and end 0")
        place = ['X', 'X']
    return [row.query_id, 'Q0', document, str(rank), writing.decimal(writing.own_score(row), 'score'),
            writing.run_of(row), *place]


def passage_of(row: Any, unit: str | None) -> tuple[str, int, int]:
    """The document, the start and the end of a row as files have them. Raises ``ValueError`` where they cannot."""
    document, start, end = writing.whole_span(row, unit, 'char', _NAME)
    return writing.word(document, 'docid'), start, end


_RUNS = {last: Lines('an INEX run', f'{_RUN_FIELDS} {places}', partial(_scored_doc, last=last), _retrieved,
                     beside=('rank',), held=('run', 'run_score', 'no_passage'), ranked='rank', finish=in_file_order,
                     optional=int(last == 'path')) for last, places in _LAST.items()}
INEX_FOL = Format(
    'inex-fol', 'INEX 2008 to 2010, ad hoc: text files with documents, offsets and lengths', 'char',
    Files(read_qrels, write_qrels, _rows, rules=Rules(('known_query',))),
    _RUNS['length'].files(read_run, order='line', rules=Rules(
        ('lines_together', 'known_query'),
        ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries', 'apart_in_focused_runs',
         'documents_together', 'within_the_document'), TASKS, most=1500)),
    dataset_row=PassageQrel, lists=('queries',), read_queries=read_topics)
