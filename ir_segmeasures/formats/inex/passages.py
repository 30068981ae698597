"""The INEX ad hoc track's text files (2008–10): judgements and runs as file, offset and length.

Offsets and lengths, here called characters, are whole numbers in the unit that a run shares with its judgements (INEX'
sources say characters or bytes); nothing converts them. Rows have half-open intervals.
Source: the judgements of INEX 2010 and the program that scored its runs, ``inex_eval`` 3.1.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import each_text, finite_number, interned, nine_digits
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.order import in_file_order
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, column_of
from ir_segmeasures.formats.inex.fields import (
    BEP_FIELDS,
    ENDS_FIELDS,
    NO_PASSAGE,
    RUN_FIELDS,
    TASKS,
    whole_number,
    wrong_run,
)
from ir_segmeasures.formats.inex.judgements import InexQrel, PassageQrel, check_qrels, read_qrels
from ir_segmeasures.formats.inex.topics import read_topics
from ir_segmeasures.formats.inex.writing import write_qrels, write_run
from ir_segmeasures.segments.quoting import quoted

__all__ = ['FOL', 'InexQrel', 'InexScoredDoc', 'read_qrels', 'read_run', 'write_qrels', 'write_run']


class InexScoredDoc(NamedTuple):
    """A retrieved passage, or a document that was retrieved without one. The official order is that of the lines.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; both 0 for a document without a passage
        score: minus the position in the file
        rank, run_score: the file's own rank and score, which nothing reads; None where these columns hold no whole
            number up to ``LARGEST`` and no finite number
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


def read_run(path: StrPath, last: str = 'length') -> Sequence[InexScoredDoc]:
    """Reads a run, one item a line: ``topic Q0 docid rank rsv runid offset length``, in file order, which is official.

    The offset ``X`` or ``-1`` is a document without a passage; its length is not read. A length of 0 is accepted, and
    nothing is said about overlap, which is for measures to treat. Rank and rsv may be anything.

    Args:
        path: of the run
        last: what the last column is: ``'length'``; ``'end'`` for runs that have the end offset there, by mistake;
            ``'bep'`` for best entry points, with 7 columns, of which the last is an offset

    Raises:
        FormatError: a line does not have 8 fields (7 for ``'bep'``); an offset or length is not a whole number from 0
            up; an end is before its offset
        ValueError: ``last`` is something else
        OSError: the file cannot be opened
    """
    if last not in ('length', 'end', 'bep'):
        raise ValueError(f"last={quoted(last)}: the last column of a run is its 'length', 'end' or 'bep' (runs with "
                         'paths are read with formats.inex_paths.read_run)')
    return _run(last).read(path)


@cache
def _run(last: str = 'length') -> Lines:
    fields = {'bep': BEP_FIELDS, 'end': ENDS_FIELDS}.get(last, RUN_FIELDS)
    return Lines('an INEX run', fields, partial(_scored_doc, last=last, fields=fields), beside=('rank',),
                 finish=in_file_order, wrong=partial(wrong_run, kind=fields))


def _scored_doc(topic: Any, _: Any, docid: Any, rank: Any, rsv: Any, runid: Any, offset: Any, number: Any = None, *,
                last: str, fields: str) -> InexScoredDoc:
    places = [_place(*pair, last, fields) for pair in zip(offset, number or ['0'] * len(offset))]
    start, end, no_passage = map(column_of, zip(*places))
    return InexScoredDoc(interned(topic), interned(docid), start, end, 0, _rank(rank),  # type: ignore[arg-type]
                         _rsv(rsv), interned(runid), no_passage)  # type: ignore[arg-type]


_rank, _rsv = each_text(nine_digits), each_text(finite_number)


def _place(offset: str, number: str, last: str, fields: str) -> tuple[int, int, bool]:
    if offset.startswith('/'):
        raise ValueError(f"offset {quoted(offset)} is an element's path, but a line is {fields}: read paths and ranges "
                         'of elements in Python, with formats.inex_paths.read_run')
    if offset in NO_PASSAGE:
        return 0, 0, True
    where = f'a line is {fields}; an offset X or -1 is a document without a passage'
    start = whole_number(offset, 'offset', where)
    end = whole_number(number, fields.split()[-1], where) + (0 if last == 'end' else start)
    if end < start:
        raise ValueError(f"end {quoted(number)} is before offset {quoted(offset)}, but a passage cannot end before it "
                         "starts: if the column is the length, leave out last='end'")
    return start, end, False


FOL = Format(
    'inex-fol', 'INEX 2008 to 2010, ad hoc: text files with documents, offsets and lengths', 'char',
    Files(read_qrels, write_qrels, check_qrels, rules=Rules(('one_line_a_document', 'known_query'))),
    _run().files(read_run, write_run, order='line', rules=Rules(
        ('lines_together', 'known_query'),
        ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries', 'apart_in_focused_runs',
         'documents_together', 'within_the_document'), TASKS, most=1500)),
    dataset_row=PassageQrel, lists=('queries',), read_queries=read_topics)
