"""
XML documents in, elements out, with their paths and their character offsets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ir_segmeasures.pt.cutting import Cutter
from ir_segmeasures.segment import Segment, format_segment, parse_segment
from ir_segmeasures.xml_elements import compile_xpath, read_elements

__all__ = ['xml_elements']


class xml_elements(Cutter):
    """
    The elements of XML documents as segments: ``doc#xpath=/article[1]/bdy[1]/sec[6]&char=2028,2388``.

    Offsets count the characters of the document's plain text, which is its text without tags
    (:func:`ir_segmeasures.xml_elements.plain_text`), and the column ``text`` is exactly what stands there. Paths are
    those of INEX: every step has its number among the siblings of the same name. Elements within others that are wanted
    too are segments of their own; those without text are left out. For all else, and for results, see
    :mod:`ir_segmeasures.pt.cutting`.

    Args:
        tags: a name or several, without namespace, such as ``'sec'`` or ``['sec', 'p']``; all elements if neither this
            nor ``xpath`` is given
        xpath: an expression that selects elements, such as ``'//sec[title]'``; with ``tags``, those that both select
        column: the one with the XML, as text or bytes

    No DTD is read and no network used; documents with entities of their own are refused.

    Raises:
        ValueError: parameters out of range; at work, XML that is not well-formed, an entity, or an expression that does
            not select elements (the sentence names the document and the line)
    """
    LABEL = 'XML elements'

    def __init__(self, tags: str | Iterable[str] | None = None, xpath: str | None = None, column: str = 'text'):
        self.tags = tags if tags is None else (tags,) if isinstance(tags, str) else tuple(tags)
        self.xpath, self.column = xpath, column
        super().__init__(column)

    def check_parameters(self) -> None:
        if self.tags is not None and not (self.tags and all(isinstance(tag, str) and tag for tag in self.tags)):
            raise ValueError(f"tags={self.tags!r}: give names of elements, such as ['sec', 'p'], or leave tags out for "
                             'all of them')
        if self.xpath is not None:
            compile_xpath(self.xpath)

    def segments(self, document: str, *sources: Any) -> list[tuple[str, str]]:
        if parse_segment(document).unit is not None:
            raise ValueError('the docno is a segment already, and an XML document is whole: take the elements first')
        text, elements = read_elements(sources[0], self.tags, self.xpath)
        found = []
        for path, start, end in elements:
            content = text[start:end]
            if content and not content.isspace():
                found.append((format_segment(Segment(document, start, end, 'char', path)), content))
        return found
