"""The reader of runs of elements in the INEX ad hoc track's text format (2009 and 2010), and the ids of elements and of
ranges of them.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import each_text, finite_number, interned, nine_digits
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.order import in_file_order
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.inex.fields import PATH_FIELDS, whole_number, wrong_run
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['InexPathScoredDoc', 'checked_path', 'element_id', 'place_of', 'range_id', 'read_run']

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
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``; a range, as :func:`range_id` makes it; in XML runs
            also a passage, as ``file#char=10,20``
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


def read_run(path: StrPath) -> Sequence[InexPathScoredDoc]:
    """Reads a run of elements, one a line: ``topic Q0 docid rank rsv runid path``, in file order, which is official. A
    range of elements has one more column, the path of its last (not checked against a real file).

    Paths, such as ``/article[1]/bdy[1]``, become part of the ids, as :func:`element_id` and :func:`range_id` make them.
    A table of offsets makes segments of these: :func:`~ir_segmeasures.resolve`.

    Raises:
        FormatError: a line has neither 7 fields nor 8 with a path in the last; a path does not have names and an index
            each; the document's id holds a quotation mark
        OSError: the file cannot be opened
    """
    return _RUN.read(path)


def element_id(document: str, path: str) -> str:
    """The id of an element, as ``co/2001/r7022#xpath=/article[1]/bdy[1]``, to be resolved with a table of offsets.

    Raises:
        ValueError: the path is not made of steps ``/name[index]``, or the document's id is empty or holds a quotation
            mark or white space
    """
    return _id(document, checked_path(path))


def range_id(document: str, first: str, last: str) -> str:
    """The id of what lies between two places, such as ``co/2001/r7022#xpath=/article[1]/p[2],/article[1]/p[4]``: from
    the start of the first to the end of the last. A place is the path of an element, or of a text node with an offset
    in it, ``/article[1]/p[2]/text()[1].15``. :func:`~ir_segmeasures.resolve` makes a segment of it.

    Raises:
        ValueError: as :func:`element_id`; an offset is no whole number
    """
    _, offset = place_of(first, 'the offset of the start')
    place_of(last, 'the offset of the end')
    return _id(document, first if first == last and offset is None else f'{first},{last}')


def place_of(text: str, what: str = 'the offset') -> tuple[str, int | None]:
    """Path and offset of a place in a document; names may hold dots too, and indices end in a bracket."""
    path, dot, offset = text.rpartition('.')
    if not dot or text.endswith(']'):
        return checked_path(text, text=True), None
    return checked_path(path, text=True), whole_number(offset, what, 'such as text()[1].15')


def _id(document: str, path: str) -> str:
    if '"' in document or document.split() != [document]:
        raise ValueError(f'document {quoted(document)} is empty or holds white space or a quotation mark, which ids '
                         'cannot: percent-encode it')
    return format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]


def checked_path(path: str, text: bool = False) -> str:
    """The path, if it is one of an element, such as ``/article[1]/bdy[1]``, or with ``text`` also of a text node in
    one, ``/article[1]/text()[1]``. Raises ``ValueError`` if not, since an element has one path only."""
    match = _ELEMENT.match(path)
    rest = path if match is None else path[match.end():]
    if match is None or (rest and not (text and _TEXT.fullmatch(rest))):
        raise ValueError(f'path {quoted(path)} cannot be read from {quoted(rest)} on, but paths lead down from the '
                         'root and are compared as they are: write each step with its name and its index from 1, as in '
                         '/article[1]/bdy[1]/sec[2]')
    return path


def _scored_doc(topic: Any, _: Any, docid: Any, rank: Any, rsv: Any, runid: Any, path: Any,
                last: Any) -> InexPathScoredDoc:
    ids = [range_id(document, first, end) if end else element_id(document, first)
           for document, first, end in zip(docid, path, last)]
    return InexPathScoredDoc(interned(topic), ids, 0, _rank(rank), _rsv(rsv), interned(runid))  # type: ignore[arg-type]


_rank, _rsv = each_text(nine_digits), each_text(finite_number)
_RUN = Lines('an INEX run', f'{PATH_FIELDS} last', _scored_doc, optional=1, finish=in_file_order,
             wrong=partial(wrong_run, kind=PATH_FIELDS))
