"""The fields of INEX's files: numbers, ids and paths, in a line of text or in an attribute or a text of XML."""

import re
from collections.abc import Mapping

from ir_segmeasures.formats.files.fields import whole_number
from ir_segmeasures.formats.files.xml import XmlElement
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

XML_RUN = 'inex-submission'  # the root

# The tasks of INEX and what inex_eval rejects their runs for.
TASKS: dict[str, tuple[str, ...]] = {
    'focused': ('apart_in_focused_runs',),
    'thorough': (),
    'relevant-in-context': ('apart_in_focused_runs', 'documents_together'),
    'best-in-context': ('one_item_a_document',)}

# A step has a name of XML 1.0 and an index, which counts from 1.
_INDEX = r'\[[1-9][0-9]*\]'
_ELEMENT = re.compile(rf'(?:/[^\W\d][\w:.\-]*{_INDEX})+')
_TEXT = re.compile(rf'/text\(\){_INDEX}')


def id_of(text: str, what: str) -> str:
    """The text, if it is an id. Raises ``ValueError`` if not."""
    if text.split() != [text]:
        raise ValueError(f'{what} is {quoted(text)}, but an id is not empty and has no white space: correct it')
    return text


def number_of(element: XmlElement, key: str) -> int:
    """The whole number in an attribute. Raises ``ValueError`` if there is none."""
    return whole_number(element.attribute(key), key, f'an attribute of <{element.name}>')


def only_text(texts: Mapping[str, list[str]], name: str) -> str | None:
    """The text of the one child of this name; None if there is none."""
    found = list(dict.fromkeys(texts.get(name, ())))
    if len(found) > 1:
        raise ValueError(f'<{name}> is there with {quoted(found[0])} and {quoted(found[1])}: take the wrong one out')
    return found[0] if found else None


def element_id(document: str, path: str) -> str:
    """The id of an element, as ``co/2001/r7022#xpath=/article[1]/bdy[1]``, to be resolved with a table of offsets.

    Raises:
        ValueError: the path is not made of steps ``/name[index]``, or the document's id is empty or holds a quotation
            mark or white space
    """
    return path_id(document, checked_path(path))


def range_id(document: str, first: str, last: str) -> str:
    """The id of what lies between two places, such as ``co/2001/r7022#xpath=/article[1]/p[2],/article[1]/p[4]``: from
    the start of the first to the end of the last. A place is the path of an element, or of a text node with an offset
    in it, ``/article[1]/p[2]/text()[1].15``. :func:`~ir_segmeasures.resolve` makes a segment of it.

    Raises:
        ValueError: as :func:`element_id`; an offset is no whole number
    """
    _, offset = place_of(first, 'the offset of the start')
    place_of(last, 'the offset of the end')
    return path_id(document, first if first == last and offset is None else f'{first},{last}')


def place_of(text: str, what: str = 'the offset') -> tuple[str, int | None]:
    """Path and offset of a place in a document; names may hold dots too, and indices end in a bracket."""
    path, dot, offset = text.rpartition('.')
    if not dot or text.endswith(']'):
        return checked_path(text, text=True), None
    return checked_path(path, text=True), whole_number(offset, what, 'such as text()[1].15')


def path_id(document: str, path: str) -> str:
    """The id of what has a path in a document. Raises ``ValueError`` for a document that ids cannot hold."""
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
        raise ValueError(f'path {quoted(path)} cannot be read from {quoted(rest)} on: write each step from the root '
                         'with its name and its index from 1, as in /article[1]/bdy[1]/sec[2]')
    return path
