"""The elements of an XML document as intervals of its plain text. Needs lxml, which comes with ir_datasets and
PyTerrier.

The plain text of a document is its text without tags: all character data in the order of the document, white space as
it stands there, character references and CDATA sections resolved, comments and processing instructions left out. (It
is what XPath calls the string value of the root.) Nothing is put between elements, so ``<b>one</b><b>two</b>`` is
``onetwo``; :func:`spaced_text` puts blanks there, for words that are indexed. Offsets count its characters, and an
element's interval contains those of the elements in it.

Paths are written as INEX writes them: ``/article[1]/bdy[1]/sec[6]``, where every step has its number, from 1, among the
siblings of the same name. Names are without namespace.

No DTD or other file is read, and entities of the document's own are refused.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import quoted, truncated
from ir_segmeasures.texts.cutting import SpacedText

_TEXT = 'text()'  # in a path, no name of an element


class Element(NamedTuple):
    """An element of a document.

    Attributes:
        path: from the root, such as ``/article[1]/bdy[1]/sec[6]``
        start, end: of its text, half-open, in characters of the document's plain text
    """
    path: str
    start: int
    end: int


def plain_text(source: str | bytes) -> str:
    """The text of an XML document that offsets count in.

    Raises:
        ValueError: see :func:`read_elements`
    """
    return read_elements(source, tags=())[0]


def read_elements(source: str | bytes, tags: Collection[str] | None = None, xpath: str | None = None,
                  texts: bool = False, borders: set[int] | None = None) -> tuple[str, list[Element]]:
    """The plain text of an XML document and the elements wanted, in the order of the document.

    Args:
        source: the document; the encoding that it declares counts for bytes
        tags: names of the elements wanted, without namespace; all elements if it is not given
        xpath: an expression that selects the elements wanted; with ``tags``, those that both select
        texts: whether text nodes are wanted too, all of them, with paths such as ``/article[1]/p[2]/text()[1]``
        borders: a set that gets the places where an element ends and another begins, with no text between them

    Raises:
        ValueError: XML that is not well-formed, an entity, or an expression that selects no elements but strings,
            numbers or attributes; the sentence names the line where there is one
    """
    from lxml import etree
    root = parse_xml(source)
    selected = None if xpath is None else _select(root, xpath)
    pieces: list[str] = []
    found: list[Element] = []
    position, closed = 0, -1
    # The open elements: the path, how many children of a name it has, and where in found it is.
    opened = [('', defaultdict[str, int](int), -1)]
    for event, node in etree.iterwalk(root, events=('start', 'end', 'comment', 'pi')):
        if event == 'start':
            if borders is not None and closed == position:
                borders.add(position)
            name, (path, counts, _) = etree.QName(node).localname, opened[-1]
            counts[name] += 1
            path += f'/{name}[{counts[name]}]'
            wanted = (tags is None or name in tags) and (selected is None or node in selected)
            opened.append((path, defaultdict(int), len(found) if wanted else -1))
            if wanted:
                found.append(Element(path, position, position))
        elif event == 'end':
            (*_, slot), closed = opened.pop(), position
            if slot >= 0:
                found[slot] = found[slot]._replace(end=position)
        text = node.text if event == 'start' else node.tail
        if text:
            if texts:
                path, counts, _ = opened[-1]
                counts[_TEXT] += 1
                found.append(Element(f'{path}/{_TEXT}[{counts[_TEXT]}]', position, position + len(text)))
            pieces.append(text)
            position += len(text)
    return ''.join(pieces), found


def spaced_text(text: str, element: Element, borders: Sequence[int]) -> str:
    """The text of an element, with a blank wherever elements in it would glue a word to the next.

    Args:
        text: of the document
        element: in it
        borders: as :func:`read_elements` gives them, in order
    """
    _, start, end = element
    inside = [border - start for border in borders[bisect_right(borders, start):bisect_left(borders, end)]
              if not text[border - 1].isspace() and not text[border].isspace()]
    pieces = [text[start:end][first:last] for first, last in pairwise([0, *inside, end - start])]
    return SpacedText(' '.join(pieces), [border + number for number, border in enumerate(inside)])


def parse_xml(source: str | bytes) -> Any:
    from lxml import etree
    if not isinstance(source, str | bytes):
        raise ValueError(f'the document is a {type(source).__name__}: give XML as text or bytes')
    # A declared encoding says nothing about text that is decoded already.
    encoding = 'utf-8' if isinstance(source, str) else None
    # Without collect_ids, which is the default, lxml would open the DTD that a document names, load_dtd or not.
    parser = etree.XMLParser(encoding=encoding, resolve_entities=False, load_dtd=False, no_network=True, recover=False,
                             huge_tree=False)
    try:
        root = etree.fromstring(source.encode() if isinstance(source, str) else source, parser)
    except UnicodeEncodeError as error:
        raise ValueError(f'character {error.start} is half of a surrogate pair, which no XML can hold: decode the '
                         'document from its bytes again') from None
    except etree.XMLSyntaxError as error:
        reason = truncated(' '.join(re.sub(r', line \d+, column \d+$', '', error.msg or 'no XML').split()))
        raise ValueError(f'line {error.lineno or 1}: this is not well-formed XML ({reason}): correct the '
                         'document') from None
    entities = [(entity.sourceline, entity.text) for entity in root.iter(etree.Entity)] + [
        (entry.line, '&' + entry.message.split("'")[1] + ';') for entry in parser.error_log.filter_from_warnings()
        if entry.type == etree.ErrorTypes.WAR_UNDECLARED_ENTITY]  # an attribute simply lacks it
    if entities:
        raise ValueError(f'line {entities[0][0]}: the entity {entities[0][1]} stands for text that only a DTD knows, '
                         'and none is read: put the characters themselves in its place')
    return root


def _select(root: Any, xpath: str) -> set[Any]:
    from lxml import etree
    try:
        selected = compile_xpath(xpath)(root)
    except etree.XPathError as error:
        raise ValueError(f'the XPath {quoted(xpath)} cannot be followed ({error}): correct the expression') from None
    if isinstance(selected, list) and all(etree.iselement(node) and isinstance(node.tag, str) for node in selected):
        return set(selected)
    raise ValueError(f"the XPath {quoted(xpath)} selects something else than elements: write an expression such as "
                     "'//sec[title]'")


@lru_cache(maxsize=16)
def compile_xpath(xpath: str) -> Callable[[Any], Any]:
    """The expression, ready for use.

    Raises:
        ValueError: this is not an XPath
    """
    from lxml import etree
    try:
        return etree.XPath(xpath)
    except (etree.XPathError, ValueError) as error:
        raise ValueError(f"{quoted(xpath)} is not an XPath ({error}): write an expression such as "
                         "'//sec[title]'") from None
