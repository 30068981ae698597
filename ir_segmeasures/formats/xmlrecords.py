"""Flat records in XML: the children of the root are records, their children are named texts.

Expat is used directly: it streams, keeps line numbers, and fetches nothing. Entity declarations are refused, since no
campaign needs them and a few nested ones can fill any memory.
"""

from collections.abc import Callable
from typing import NamedTuple, NoReturn, TypeVar
from xml.parsers import expat

from ir_segmeasures.formats.base import FormatError, StrPath, open_bytes

__all__ = ['Record', 'read_records']

Row = TypeVar('Row')


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
            raise ValueError(f'<{self.name}> has no {wanted}, but every record needs one (add it, or check that the '
                             'file is of the kind that is being read)')
        for name, text in texts[1:]:
            if text != texts[0][1]:
                raise ValueError(f'<{self.name}> has both <{texts[0][0]}> {texts[0][1]!r} and <{name}> {text!r}, but '
                                 'only one can be meant (remove the other)')
        return texts[0][1]

    def id(self, *names: str) -> str:
        """The same for an id, which is neither empty nor contains white space."""
        text = self.text(*names)
        if not text or ' ' in text:
            wanted = ' or '.join(f'<{name}>' for name in names)
            raise ValueError(f'{wanted} is {text!r}, but an id has at least one character and no white space '
                             '(runs and judgements split their lines at white space: write the id as they do)')
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
    depth = line = 0
    record = Record('', {})
    pieces: list[str] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: object) -> None:
        nonlocal depth, line, record
        depth += 1
        if depth == 2:
            record, line = Record(name, {}), parser.CurrentLineNumber
        elif depth == 3:
            pieces.clear()

    def end(name: str) -> None:
        nonlocal depth
        if depth == 3:
            record.children.setdefault(name, []).append(' '.join(''.join(pieces).split()))
        elif depth == 2:
            try:
                rows.append(parse(record))
            except ValueError as error:
                raise FormatError(str(error), path, line) from None
        depth -= 1

    def refuse_entity(name: str, *_: object) -> NoReturn:
        raise FormatError(f'the entity {name!r} is not one of XML\'s own, and no others are read (write the characters '
                          'themselves)', path, parser.CurrentLineNumber)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    parser.EntityDeclHandler = refuse_entity
    # Beside a DOCTYPE, expat takes an undeclared entity for one that the DTD may declare and would drop it in silence.
    parser.SkippedEntityHandler = refuse_entity
    with open_bytes(path) as file:
        try:
            parser.ParseFile(file)
        except expat.ExpatError as error:
            raise FormatError(f'the XML is malformed at column {error.offset + 1}: {expat.ErrorString(error.code)} '
                              '(close every element, write & as &amp; and < as &lt; in text, and declare the encoding '
                              'if it is not UTF-8)', path, error.lineno) from None
        except (LookupError, ValueError) as error:
            # Python's own words for an encoding that it does not know or that has several bytes a character
            if depth or isinstance(error, FormatError):
                raise
            raise FormatError(f'the declared encoding cannot be read: {error} (convert the file to UTF-8 and declare '
                              'that)', path, 1) from None
    return rows
