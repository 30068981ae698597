"""The reader of runs of elements in the INEX ad hoc track's text format (2009 and 2010), and the ids of elements."""

import re
from sys import intern
from typing import NamedTuple

from ir_segmeasures.formats.base import Number, StrPath, parse_score, read_rows
from ir_segmeasures.formats.inex import whole_number, wrong_run
from ir_segmeasures.segment import Segment, format_segment

__all__ = ['InexPathScoredDoc', 'element_id', 'read_run']

RUN_FIELDS = 'topic Q0 docid rank rsv runid path'

_PLAIN = re.compile(r'[^%#&"\s]+')


class InexPathScoredDoc(NamedTuple):
    """A retrieved element, its path in the id.

    Attributes:
        query_id: the topic
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``; in XML runs also a passage, as ``file#char=10,20``
        score: minus the position in the official order: in the file here, within the topic in XML runs
        rank: as in the file; where the file has none, the position in the topic
        run_score: the file's own score; where it has none, that of the position
        run: name of the run; None if the file has none
    """

    query_id: str
    doc_id: str
    score: Number
    rank: int
    run_score: float
    run: str | None


def read_run(path: StrPath) -> list[InexPathScoredDoc]:
    """Reads a run of elements, one a line: ``topic Q0 docid rank rsv runid path``, in file order, which is official.

    Paths, such as ``/article[1]/bdy[1]``, become part of the ids, as :func:`element_id` makes them. A table of offsets
    makes segments of these: :func:`~ir_segmeasures.resolve`.

    Raises:
        FormatError: a line does not have 7 fields; the rank is not a whole number from 0 up; the score is not a finite
            number; the path does not begin with ``/``; the document's id holds a quotation mark
        OSError: the file cannot be opened
    """
    rows = read_rows(path, _path_scored_doc)
    return [row._replace(score=-position) for position, row in enumerate(rows, 1)]


def element_id(document: str, path: str) -> str:
    """The id of an element, as ``co/2001/r7022#xpath=/article[1]/bdy[1]``, to be resolved with a table of offsets.

    Raises:
        ValueError: the path does not begin with ``/``, or the document's id is empty or holds a quotation mark or white
            space
    """
    if not path.startswith('/'):
        raise ValueError(f"path {path!r} does not begin with '/', but paths of elements lead down from the root, such "
                         'as /article[1]/bdy[1]/sec[6] (correct it)')
    if '"' in document or document.split() != [document]:
        raise ValueError(f'document {document!r} is empty or holds white space or a quotation mark, which ids cannot '
                         '(percent-encode it)')
    if _PLAIN.fullmatch(document + path):
        return f'{document}#xpath={path}'
    return format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]  # it knows what to percent-encode


def _path_scored_doc(fields: list[str]) -> InexPathScoredDoc:
    if len(fields) != 7:
        raise wrong_run(fields, RUN_FIELDS)
    query_id, _, doc_id, rank, score, run, path = fields
    return InexPathScoredDoc(intern(query_id), element_id(doc_id, path), 0,
                             whole_number(rank, 'rank', f'a line is {RUN_FIELDS}'), parse_score(score), intern(run))
