"""The reader of runs of elements in the INEX ad hoc track's text format (2009 and 2010), and the ids of elements."""

import re
from sys import intern
from typing import NamedTuple

from ir_segmeasures.formats.files.reading import Number, StrPath, finite_number, read_rows
from ir_segmeasures.formats.inex.fields import PATH_FIELDS, rank_of, wrong_run
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.shown import shown

__all__ = ['InexPathScoredDoc', 'checked_path', 'element_id', 'read_run']

_PLAIN = re.compile(r'[^%#&"\s]+')
# A step has a name of XML 1.0 and an index, which counts from 1.
_FIRST = (':A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef'
          '\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff')
_INDEX = r'\[[1-9][0-9]*\]'
_ELEMENT = re.compile(rf'(?:/[{_FIRST}][{_FIRST}\-.0-9\xb7\u0300-\u036f\u203f\u2040]*{_INDEX})+')
_TEXT = re.compile(rf'/text\(\){_INDEX}')


class InexPathScoredDoc(NamedTuple):
    """A retrieved element, its path in the id.

    Attributes:
        query_id: the topic
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``; in XML runs also a passage, as ``file#char=10,20``
        score: minus the position in the official order: in the file here, within the topic in XML runs
        rank: as in the file; None where that column of a text file is no whole number, which nothing reads; where XML
            has none, the position in the topic
        run_score: the file's own score; None where that column of a text file is no finite number, which nothing reads;
            where XML has none, that of the position
        run: name of the run; None if the file has none
    """

    query_id: str
    doc_id: str
    score: Number
    rank: int | None
    run_score: float | None
    run: str | None


def read_run(path: StrPath) -> list[InexPathScoredDoc]:
    """Reads a run of elements, one a line: ``topic Q0 docid rank rsv runid path``, in file order, which is official.

    Paths, such as ``/article[1]/bdy[1]``, become part of the ids, as :func:`element_id` makes them. A table of offsets
    makes segments of these: :func:`~ir_segmeasures.resolve`.

    Raises:
        FormatError: a line does not have 7 fields; a path does not have names and an index each; the document's id
            holds a quotation mark
        OSError: the file cannot be opened
    """
    rows = read_rows(path, _path_scored_doc)
    return [row._replace(score=-position) for position, row in enumerate(rows, 1)]


def element_id(document: str, path: str) -> str:
    """The id of an element, as ``co/2001/r7022#xpath=/article[1]/bdy[1]``, to be resolved with a table of offsets.

    Raises:
        ValueError: the path is not made of steps ``/name[index]``, or the document's id is empty or holds a quotation
            mark or white space
    """
    checked_path(path)
    if '"' in document or document.split() != [document]:
        raise ValueError(f'document {shown(document)} is empty or holds white space or a quotation mark, which ids '
                         'cannot: percent-encode it')
    if _PLAIN.fullmatch(document + path):
        return f'{document}#xpath={path}'
    return format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]  # it knows what to percent-encode


def checked_path(path: str, text: bool = False) -> str:
    """The path, if it is one of an element, such as ``/article[1]/bdy[1]``, or with ``text`` also of a text node in
    one, ``/article[1]/text()[1]``. Raises ``ValueError`` if not, since an element has one path only."""
    if not path.startswith('/'):
        raise ValueError(f"path {shown(path)} does not begin with '/', but paths of elements lead down from the root, "
                         'such as /article[1]/bdy[1]/sec[6]: correct it')
    match = _ELEMENT.match(path)
    rest = path if match is None else path[match.end():]
    if match is None or (rest and not (text and _TEXT.fullmatch(rest))):
        raise ValueError(f'path {shown(path)} cannot be read from {shown(rest)} on, but paths are compared as they '
                         'are, so that every step is a name and an index from 1: write every index, as in '
                         '/article[1]/bdy[1]/sec[2]')
    return path


def _path_scored_doc(fields: list[str]) -> InexPathScoredDoc:
    if len(fields) != 7:
        raise wrong_run(fields, PATH_FIELDS)
    query_id, _, doc_id, rank, score, run, path = fields
    return InexPathScoredDoc(intern(query_id), element_id(doc_id, path), 0,
                             rank_of(rank), finite_number(score), intern(run))
