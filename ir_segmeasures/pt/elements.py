"""A transformer that cuts XML documents into elements, with their paths and their character offsets."""

from collections.abc import Collection, Iterable
from typing import Any

from ir_segmeasures.pt.cutter_base import Cutter
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.texts.xml import compile_xpath, read_elements, spaced_text

__all__ = ['xml_elements']


class xml_elements(Cutter):
    """Cuts XML documents into elements, such as ``doc#xpath=/article[1]/bdy[1]/sec[6]&char=2028,2388``.

    Offsets count the characters of the document's plain text, which is its text without tags
    (:func:`ir_segmeasures.texts.xml.plain_text`). The column ``text`` has these characters, and a blank more wherever
    an element ends and another begins amid visible characters, so that ``<p>hive</p><p>winter</p>`` are two words in
    an index; offsets do not count it, also not those of segments that another cutter makes of the element. Paths are
    those of INEX: every step has its number among the siblings of the same name. An element within another one is a
    segment as well, if both are wanted; elements without text are left out. :mod:`ir_segmeasures.pt.cutters` says the
    rest, also about results.

    Args:
        tags: a name or several, without namespace, such as ``'sec'`` or ``['sec', 'p']``; all elements if neither this
            nor ``xpath`` is given
        xpath: an expression that selects elements, such as ``'//sec[title]'``; with ``tags``, those that both select.
            A name without prefix is one without namespace: in documents with a default namespace (``xmlns="…"``) write
            ``"//*[local-name()='sec']"``, or give ``tags``
        column: the column with the XML, as text or bytes

    No DTD is read and no network used; documents with entities of their own are refused.

    Raises:
        ValueError: parameters out of range; at work, XML that is not well-formed, an entity, or an expression that does
            not select elements (the sentence names the document and the line)

    Examples:
        >>> import pyterrier as pt
        >>> article = {'docno': 'd1', 'text': '<article><sec>Bees dance.</sec><sec>They point.</sec></article>'}
        >>> pt.segments.xml_elements('sec')([article])
        [{'docno': 'd1#xpath=/article[1]/sec[1]&char=0,11', 'text': 'Bees dance.'},
         {'docno': 'd1#xpath=/article[1]/sec[2]&char=11,22', 'text': 'They point.'}]
    """
    LABEL = 'XML elements'

    def __init__(self, tags: str | Iterable[str] | None = None, xpath: str | None = None, column: str = 'text'):
        super().__init__()
        self.tags = tuple(tags) if isinstance(tags, Iterable) and not isinstance(tags, str) else tags
        self.xpath, self.column = xpath, column
        self.check_parameters()

    def sources(self) -> tuple[str, ...]:
        return (self.column,)

    def check_parameters(self) -> None:
        if isinstance(self.tags, str):  # set later, as pt.GridScan does
            self.tags = (self.tags,)
        if self.tags is not None and not (isinstance(self.tags, Collection) and self.tags
                                          and all(isinstance(tag, str) and tag for tag in self.tags)):
            raise ValueError(f"tags={quoted(self.tags)}: give names of elements, such as ['sec', 'p'], or leave tags "
                             'out for all of them')
        if self.xpath is not None and not isinstance(self.xpath, str):
            raise ValueError(f"xpath={quoted(self.xpath)}: give an expression as text, such as '//sec[title]'")
        if self.xpath is not None:
            compile_xpath(self.xpath)

    def segments(self, document: str, *sources: Any) -> list[tuple[str, str]]:
        if parse_segment(document).unit is not None:
            raise ValueError('the docno is a segment already, and an XML document is whole: take the elements first')
        places: set[int] = set()
        text, elements = read_elements(sources[0], self.tags, self.xpath, borders=places)
        borders = sorted(places)
        return [(format_segment(Segment(document, element.start, element.end, 'char', element.path)),
                 spaced_text(text, element, borders))
                for element in elements if text[element.start:element.end].strip()]
