"""XML as elements that know their line, flat records in it, and the attributes and texts of XML that is written.

Expat keeps the numbers of lines and fetches nothing. Entities are refused, since no campaign needs them and a few
nested ones can fill any memory; document types are passed over.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar
from xml.parsers import expat

from ir_segmeasures.formats.files.fields import id_of, refuse_again
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in, files_of, read_bytes
from ir_segmeasures.segments.basics import quoted

Row = TypeVar('Row')

# A comment, which may hold anything; a document type without declarations of its own, well-formed or not (such as
# <!DUCTYPE), up to its end or, where that is missing, up to the next tag; of one with declarations, the external DTD.
_DOCTYPE = re.compile(rb'(?P<comment><!--.*?-->)|<!D[A-Z]CTYPE[^<>\[]*(?:>|(?=<))'
                      rb'|(?<=<!DOCTYPE)(?P<name>\s+[^\s<>\["\']+)\s[^<>\[]+(?=\[)', re.IGNORECASE | re.DOTALL)
_DECLARATION = re.compile(rb'(?:\xef\xbb\xbf)?<\?xml\s[^<>]*\?>')
_ENTITY = re.compile(rb'&([^#;&<>\s][^;&<>\s]*);')
_NO_XML = re.compile('[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]')
_XML = str.maketrans({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
                      '\t': '&#9;', '\n': '&#10;', '\r': '&#13;'})


class XmlElement:
    """An element of XML.

    Attributes:
        name, attributes: of the element
        line: where it begins, from 1
        contents: its texts and its elements, in their order
        parent: the element that it is in; of the root, the document
    """

    __slots__ = ('attributes', 'contents', 'line', 'name', 'parent')

    def __init__(self, name: str, attributes: dict[str, str], line: int, parent: XmlElement | None = None) -> None:
        self.name, self.attributes, self.line, self.parent = name, attributes, line, parent
        self.contents: list[str | XmlElement] = []

    @property
    def around(self) -> Iterator[XmlElement]:
        """The elements that it is in, from the inside out."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    @property
    def local(self) -> str:
        """Its name without the prefix of a namespace."""
        return self.name.rpartition(':')[2]

    @property
    def children(self) -> list[XmlElement]:
        """The elements in it."""
        return [child for child in self.contents if not isinstance(child, str)]

    def all(self, *names: str) -> Iterator[XmlElement]:
        """All elements inside, at any depth and in their order; of these names, if any are given."""
        return (element for element in self.iter(*names) if element is not self)

    def iter(self, *names: str) -> Iterator[XmlElement]:
        """The element itself and all inside; of these names, if any are given."""
        return (piece for piece in self._pieces() if not isinstance(piece, str) and (not names or piece.name in names))

    @property
    def content(self) -> str:
        """All text inside, white space in it reduced to single blanks."""
        return ' '.join(''.join(piece for piece in self._pieces() if isinstance(piece, str)).split())

    def _pieces(self) -> Iterator[str | XmlElement]:
        left: list[str | XmlElement] = [self]
        while left:
            piece = left.pop()
            yield piece
            if not isinstance(piece, str):
                left += piece.contents[::-1]

    def attribute(self, name: str) -> str:
        """An attribute without white space around it. Raises ``ValueError`` if it is missing or empty."""
        if not (value := self.attributes.get(name, '').strip()):
            fault = 'is empty' if name in self.attributes else 'is missing'
            raise ValueError(f'the attribute {quoted(name)} of <{self.name}> {fault}: add it, or {WRONG_KIND}')
        return value

    def text(self, *names: str) -> str:
        """The text of the child with one of these names. Raises ``ValueError`` if there is none, or two that differ."""
        found = {child.content: child.name for child in self.children if child.name in names}
        if len(found) > 1:
            both = ' and '.join(f'<{name}> {quoted(text)}' for text, name in list(found.items())[:2])
            raise ValueError(f'<{self.name}> has both {both}, but a record has one of them: take the other out')
        for text in found:
            return text
        raise ValueError(f'<{self.name}> has no <{"> or <".join(names)}>: add it, or {WRONG_KIND}')

    def id(self, *names: str) -> str:
        """The id in the child with one of these names. Raises ``ValueError``, also for an empty one and white space."""
        return id_of(self.text(*names), f'<{"> or <".join(names)}>')


def read_records(path: StrPath, parse: Callable[[XmlElement], Row], *names: str,
                 any_doctype: bool = False) -> list[Row]:
    """Reads queries or topics, each of which is there once.

    Args:
        path: an XML file in the encoding that it declares, ``.gz`` by suffix, or a folder of such
        parse: makes a row of an element, or raises ``ValueError`` with a sentence
        names: of the elements that are read, in any case; all children of the root if there are none
        any_doctype: as for :func:`read_xml`

    Raises:
        FormatError: the sentence with file and line of the element; or as :func:`read_xml`; a file of a folder has none
        OSError: the file cannot be opened
    """
    rows, known = dict[str, Row](), {name.lower() for name in names}
    for file in files_of(path, ('.xml',), deep=True):
        root = read_xml(file, any_doctype=any_doctype)
        elements = [element for element in root.iter() if element.name.lower() in known] if names else root.children
        if names and not elements:
            raise FormatError(f'there is no <{names[0]}>: {WRONG_KIND}', file)
        for element in elements:
            with errors_in(file, element.line):
                row: Any = parse(element)
                refuse_again(row.query_id, rows)
                rows[row.query_id] = row
    return list(rows.values())


def each(path: StrPath, elements: Iterable[XmlElement], parse: Callable[[XmlElement], Row]) -> Iterator[Row]:
    """The rows that ``parse`` makes of elements of a file; its errors get the file and the line."""
    for element in elements:
        with errors_in(path, element.line):
            row = parse(element)
        yield row


def read_xml(path: StrPath, names: Collection[str] = (), any_doctype: bool = False) -> XmlElement:
    """The root of an XML file in the encoding that it declares, ``.gz`` by suffix.

    Args:
        path: of the file
        names: of the elements and attributes that are read, which nothing else may be called but for its case
        any_doctype: whether the file may be several documents, one after the other, which are in ``<documents>`` then

    Raises:
        FormatError: the XML is malformed, is a page of the web, uses entities of its own or is in an encoding that
            Expat cannot read
        OSError: the file cannot be opened
    """
    data, encoding = read_bytes(path), None
    if data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) or b'\0' in data[:2]:
        data, encoding = data.decode('utf-16-be' if data[:1] == b'\0' else 'utf-16', 'replace').encode(), 'utf-8'
    data = _without_doctype(data, any_doctype)
    document = XmlElement('', {}, 1)
    open_ones, known = [document], {name.lower(): name for name in names}

    def start(name: str, attributes: dict[str, str]) -> None:
        for word in (name, *attributes) if known else ():
            if (meant := known.get(word.lower(), word)) != word:
                raise FormatError(f'{quoted(word)} is not {meant!r}, since XML tells case apart: correct it', path,
                                  parser.CurrentLineNumber)
        element = XmlElement(name, attributes, parser.CurrentLineNumber, open_ones[-1])
        open_ones[-1].contents.append(element)
        open_ones.append(element)

    def refuse_entity(name: str, *_: object) -> NoReturn:
        raise FormatError(f"the entity {quoted(name)} is not one of XML's own, and no others are read: write the "
                          'characters themselves', path, parser.CurrentLineNumber)
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: open_ones.pop()
    parser.CharacterDataHandler = lambda text: open_ones[-1].contents.append(text)
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(data, True)
    except FormatError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two for encodings that Python cannot read
        reason = str(error).partition(': line')[0]
        if reason == 'undefined entity' and (entity := _ENTITY.search(data, max(parser.ErrorByteIndex, 0))):
            refuse_entity(entity[1].decode('utf-8', 'replace'))
        raise FormatError(f'the XML is malformed at column {parser.ErrorColumnNumber + 1}: {reason}: close every '
                          'element, write & as &amp; and < as &lt; in text, and declare the encoding if it is not '
                          'UTF-8', path, parser.ErrorLineNumber) from None
    return document.children[0]


def _without_doctype(data: bytes, several: bool) -> bytes:
    """The document without its document type, or its external DTD, with blanks in their place: expat would take an
    entity in an attribute for one of the DTD, and drop it without a word. Several documents are put into one element.
    """
    data, count = _DOCTYPE.subn(lambda found: found['comment'] or (found['name'] or b'') + _blanks(found), data)
    if not several or count + len(_DECLARATION.findall(data)) < 2:
        return data
    start = found.end() if (found := _DECLARATION.match(data)) else 0
    return data[:start] + b'<documents>' + _DECLARATION.sub(_blanks, data[start:]) + b'</documents>'


def _blanks(match: re.Match[bytes]) -> bytes:
    return re.sub(rb'[^\n]', b' ', match[0])


def xml_attributes(values: Mapping[str, str | None]) -> str:
    """Attributes for the tag of an element, each with a blank before it; those that are None are left out. Raises
    ``ValueError`` for a character that XML does not have."""
    for name, value in values.items():
        found = value and _NO_XML.search(value)
        if found:
            raise ValueError(f'{name} {quoted(value)} holds {quoted(found[0])}, which XML does not have: take it out')
    return ''.join(f' {name}="{value.translate(_XML)}"' for name, value in values.items() if value is not None)


def xml_text(text: str) -> str:
    """The text of an element."""
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
