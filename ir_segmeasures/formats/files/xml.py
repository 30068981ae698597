"""XML, element by element, and flat records in it: the root's children are records, their children are named texts; and
the attributes and texts of XML that is written.

Expat is used directly: it streams, keeps line numbers, and fetches nothing. Entity declarations are refused, since no
campaign needs them and a few nested ones can fill any memory.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection, Mapping
from io import BufferedReader, BytesIO
from typing import Any, NamedTuple, NoReturn, TypeVar
from xml.parsers import expat

from ir_segmeasures.formats.files.reading import FormatError, StrPath, all_bytes, open_bytes
from ir_segmeasures.segments.quoting import quoted

__all__ = ['Record', 'attribute', 'read_records', 'walk', 'xml_attributes', 'xml_text']

Row = TypeVar('Row')

# A document type without declarations of its own, well-formed or not (such as <!DUCTYPE): up to its end or, where that
# is missing, up to the next tag.
_DOCTYPE = re.compile(rb'<!D[A-Z]CTYPE[^<>\[]*(?:>|(?=<))', re.IGNORECASE)
_AGAIN = re.compile(rb'%b|<\?xml\s[^<>]*\?>' % _DOCTYPE.pattern, re.IGNORECASE)  # where another document begins
_SEVERAL = rb'<documents>', rb'</documents>'
_LITERAL = rb"""(?:"[^"]*"|'[^']*')"""
_EXTERNAL = re.compile(rb"""(<!DOCTYPE\s+[^\s<>\["']+)\s+(?:SYSTEM|PUBLIC\s+%b)\s+%b""" % (_LITERAL, _LITERAL))
_ENTITY = re.compile(rb'&(?!(?:amp|lt|gt|quot|apos);)([^#;&<>\s][^;&<>\s]*);')
_BLOCK = 1 << 16
_NO_XML = re.compile('[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]')
_XML = str.maketrans({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
                      '\t': '&#9;', '\n': '&#10;', '\r': '&#13;'})


class Record(NamedTuple):
    """One element with its children's texts, white space within them reduced to single blanks.

    Attributes:
        name: the element's name
        children: name of a child → its texts, in file order
    """

    name: str
    children: dict[str, list[str]]

    def text(self, *names: str) -> str:
        """The text of the child with one of these names. Raises ``ValueError`` if there is none, or two that differ."""
        texts = [(name, text) for name in names for text in self.children.get(name, [])]
        if not texts:
            wanted = ' or '.join(f'<{name}>' for name in names)
            raise ValueError(f'<{self.name}> has no {wanted}, but every record needs one: add it, or check that the '
                             'file is of the kind that is being read')
        for name, text in texts[1:]:
            if text != texts[0][1]:
                raise ValueError(f'<{self.name}> has both <{texts[0][0]}> {quoted(texts[0][1])} and <{name}> '
                                 f'{quoted(text)}, but only one can be meant: remove the other')
        return texts[0][1]

    def id(self, *names: str) -> str:
        """The id in the child with one of these names. Raises ``ValueError``, also for an empty one and white space."""
        text = self.text(*names)
        if not text or ' ' in text:
            wanted = ' or '.join(f'<{name}>' for name in names)
            raise ValueError(f'{wanted} is {quoted(text)}, but an id has at least one character and no white '
                             'space, at which runs and judgements split their lines: write the id as they do')
        return text


def read_records(path: StrPath, parse: Callable[[Record], Row]) -> list[Row]:
    """Reads all children of the root.

    Args:
        path: an XML file in the encoding that it declares, ``.gz`` by suffix
        parse: makes a row of a record, or raises ``ValueError`` with a sentence

    Raises:
        FormatError: the sentence with file and line of the record; or the XML is malformed, uses entities of its own or
            is in an encoding that Expat cannot read
        OSError: the file cannot be opened
    """
    rows: list[Row] = []
    depth = 0
    record = Record('', {})

    def enter(name: str, _: object) -> None:
        nonlocal depth, record
        depth += 1
        if depth == 2:
            record = Record(name, {})

    def leave(name: str, text: str) -> None:
        nonlocal depth
        if depth == 3:
            record.children.setdefault(name, []).append(text)
        elif depth == 2:
            rows.append(parse(record))
        depth -= 1

    walk(path, enter, leave, keep=lambda _: depth == 3)
    return rows


def attribute(attributes: Mapping[str, str], name: str, element: str) -> str:
    """An attribute without white space around it. Raises ``ValueError`` if it is missing or empty."""
    value = attributes.get(name, '').strip()
    if not value:
        fault = 'is empty' if name in attributes else 'is missing'
        raise ValueError(f'the attribute {quoted(name)} of <{element}> {fault}, but every <{element}> needs it: add '
                         'it, or check that the file is of the kind that is being read')
    return value


def walk(path: StrPath, enter: Callable[[str, dict[str, str]], None],
         leave: Callable[[str, str], None] | None = None, any_doctype: bool = False,
         keep: Callable[[str], bool] | None = None, names: Collection[str] = (), data: bytes | None = None) -> None:
    """Goes through all elements in file order. Only text that is wanted is ever kept.

    Args:
        path: an XML file in the encoding that it declares, ``.gz`` by suffix
        enter: called where an element begins, with its name and attributes
        leave: called where it ends, with its name and, if it was to be kept, its text, else ``''``; both raise
            ``ValueError`` with a sentence for an element that cannot be
        any_doctype: whether the document type may be malformed: it is passed over then, unless it declares something;
            and whether the file may be several documents, one after the other, which are in ``<documents>`` then
        keep: says, after ``enter``, whether the text of an element of this name is wanted, that of the elements inside
            included, white space reduced to single blanks; of none, if it is not given
        names: of the elements and attributes that are read, which nothing else may be called but for its case
        data: what the file has, if it has been read already

    Raises:
        FormatError: the sentence with file and the line where the element begins; or the XML is malformed, is a page of
            the web, uses entities of its own or is in an encoding that Expat cannot read
        OSError: the file cannot be opened
    """
    known = {name.lower(): name for name in names}
    checked: set[str] = set()
    lines: list[int] = []  # of open elements
    begins: list[int | None] = []  # of their texts that are wanted
    pieces: list[str] = []
    wanted = 0  # open elements whose text is

    def check(name: str, attributes: dict[str, str]) -> None:
        if len(lines) == 1 and name.lower() == 'html':
            raise ValueError(f'the root is <{name}>, so that this is a page of the web, and no file of a campaign: get '
                             'the file itself')
        for other in (name, *attributes):
            meant = known.get(other.lower(), other)
            if meant != other:
                raise ValueError(f'{quoted(other)} stands here, but files of this kind have {meant!r}, and XML tells '
                                 'case apart: correct it')
            checked.add(other)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal wanted
        lines.append(parser.CurrentLineNumber)
        if name not in checked or (attributes and not checked.issuperset(attributes)):
            check(name, attributes)
        enter(name, attributes)
        if keep is not None and keep(name):
            begins.append(len(pieces))
            wanted += 1
            parser.CharacterDataHandler = pieces.append
        else:
            begins.append(None)

    def end(name: str) -> None:
        nonlocal wanted
        begin, text = begins.pop(), ''
        if begin is not None:
            text = ' '.join(''.join(pieces[begin:]).split())
            wanted -= 1
            if not wanted:
                pieces.clear()
                parser.CharacterDataHandler = None
        if leave is not None:
            leave(name, text)
        lines.pop()

    def refuse_entity(name: str, *_: object) -> NoReturn:
        raise FormatError(f"the entity {quoted(name)} is not one of XML's own, and no others are read: write the "
                          'characters themselves', path, parser.CurrentLineNumber)

    external = False  # whether the file names a DTD
    with open_bytes(path) if data is None else BufferedReader(BytesIO(data)) as file:
        try:
            source, encoding = _readable(file, path)
            parser = expat.ParserCreate(encoding)
            parser.buffer_text = True  # up to buffer_size, in few pieces
            parser.StartElementHandler = start
            parser.EndElementHandler = end
            parser.EntityDeclHandler = refuse_entity
            # Beside a DOCTYPE, expat takes an undeclared entity for one that the DTD may declare and would drop it in
            # silence.
            parser.SkippedEntityHandler = refuse_entity
            if any_doctype:
                source = BytesIO(_without_doctype(all_bytes(source, path)))
            # Expat goes back to the start of an unfinished tag each time, so that it is given as much as that tag has.
            read = 0
            first = source.read(_BLOCK)
            block = _without_dtd(first)
            external = len(block) < len(first)
            while block:
                parser.Parse(block, False)
                read += len(block)
                block = source.read(max(_BLOCK, read - parser.CurrentByteIndex))
            parser.Parse(b'', True)
        except expat.ExpatError as error:
            if external and expat.ErrorString(error.code) == 'undefined entity':
                name = _ENTITY.search(block, max(parser.ErrorByteIndex - read, 0))
                refuse_entity(name[1].decode('utf-8', 'replace') if name else '')
            raise FormatError(f'the XML is malformed at column {error.offset + 1}: {expat.ErrorString(error.code)}: '
                              'close every element, write & as &amp; and < as &lt; in text, and declare the encoding '
                              'if it is not UTF-8', path, error.lineno) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, FormatError) or (lines and isinstance(error, LookupError)):
                raise
            if lines:
                raise FormatError(str(error), path, lines[-1]) from None
            # Python's own words for an encoding that it does not know or that has several bytes a character
            raise FormatError(f'the declared encoding cannot be read: {error}: convert the file to UTF-8 and declare '
                              'that', path, 1) from None


def _readable(file: Any, path: StrPath) -> tuple[Any, str | None]:
    """The file, and the encoding that it is in if it does not matter which it declares: UTF-8 where it was UTF-16, in
    which what is looked for below has other bytes."""
    begin = file.peek(4)[:4]
    if b'\0' not in begin and begin[:2] not in (BOM_UTF16_LE, BOM_UTF16_BE):
        return file, None
    encoding = 'utf-16' if begin[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else (
        'utf-16-be' if begin[:1] == b'\0' else 'utf-16-le')
    return BytesIO(all_bytes(file, path).decode(encoding).encode()), 'utf-8'


def _without_dtd(data: bytes) -> bytes:
    """The document without the place of an external DTD, which nobody reads: expat would take an entity in an
    attribute for one of the DTD, and drop it without a word."""
    place = _prologue(data)
    match = _EXTERNAL.match(data, place)
    return data if match is None else data[:match.end(1)] + b'\n' * match[0].count(b'\n') + data[match.end():]


def _without_doctype(data: bytes) -> bytes:
    """The document without document types, with blanks in their place; several documents are put into one element."""
    match = _DOCTYPE.match(data, _prologue(data))
    begin = _prologue(data) if match is None else match.end()
    data = data if match is None else data[:match.start()] + _blanks(match) + data[match.end():]
    rest = _AGAIN.sub(_blanks, data[begin:])
    if rest == data[begin:]:
        return data
    # In the place of the first document type, where there is room, so that columns stay.
    room = data[:begin].removesuffix(b' ' * len(_SEVERAL[0]))
    return room + _SEVERAL[0] + rest + _SEVERAL[1]


def _blanks(match: re.Match[bytes]) -> bytes:
    return re.sub(rb'[^\n]', b' ', match[0])


def _prologue(data: bytes) -> int:
    """Where the document type begins, if there is one. Comments before it may hold anything."""
    place = data.find(b'<')
    while data.startswith((b'<?', b'<!--'), place):
        end = data.find(b'?>' if data.startswith(b'<?', place) else b'-->', place)
        place = data.find(b'<', end) if end >= 0 else len(data)
    return place if place >= 0 else len(data)


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
