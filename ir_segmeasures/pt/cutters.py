"""Transformers that cut documents into segments, in the same way at indexing time and at query time.

**In.** Documents (``docno`` and the column that is cut), as a frame or, for an indexing pipeline, an iterable of dicts
of any length; or results (``qid`` as well).

**Out.** A row for each segment: ``docno`` is its id, such as ``v1#t=30,90``, ``text`` its words.
The columns that were cut are left out, and so are those that stand for the whole document's content (``docid``,
``summary``, ``toks`` …); all others are kept. Segments without text, where nobody speaks or only white space stands,
are left out, so an empty document has none.

Where results come in, each segment inherits the score of its document, so that the segments of a document stand
together, in the order of the document, in place of it; ranks are counted anew. Score the segments, for example with
``pt.text.scorer()``.

Where documents have columns ``start`` and ``end`` (and ``length`` beside ``start``), these are kept as
``document_start`` and ``document_end`` (``document_length``), since the times of segments agree with their ``docno``.
Where documents have these new names already, from a cutter before, their values stay.

A document that is a segment of text already is cut within, in the same unit: its segments are those of the whole
document (``xml_elements('sec') >> sliding(200, 100, 'char')``). Elements that lie within each other give some
segments twice, of which the first stays: the parts of a document come together, as a cutter gives them.

A ``docno`` that comes twice is an error, since its segments would be in an index twice. Each call is for itself, and so
is each batch of documents that an indexing pipeline hands over.

A document that cannot be cut is an error that names it. Indexers that read their documents in a thread of their own, as
PISA's does, print this error and index what came before: compare the number of documents in the index.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from ir_segmeasures.pt.base import check_choice, check_number, setting
from ir_segmeasures.pt.cutter_base import Cutter
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Line, Segment, format_segment, parse_segment, ticks
from ir_segmeasures.texts import cutting
from ir_segmeasures.texts.splitters import lines, located_spans, paragraphs, sentences, splitter_spans, turns
from ir_segmeasures.texts.xml import compile_xpath, read_elements, spaced_text

__all__ = ['by_boundaries', 'check_rule', 'sliding', 'lines', 'paragraphs', 'sentences', 'turns',
           'xml_elements']

# The unit of the functions that come with this package.
_UNITS: dict[Any, str] = {paragraphs: 'char', sentences: 'char', lines: 't', turns: 't'}


class sliding(Cutter):
    """Cuts transcripts or texts into windows of one length at equal distances.

    Windows start at 0, ``stride``, 2 ``stride`` … The first that reaches the end of the document is the last, and ends
    there: a document shorter than ``length`` is one window, and no window lies within the one before it. With a stride
    greater than the length, the content between windows is in no window.

    - ``'t'``, over a transcript: a list of lines (sentences, captions or words), each ``(start, end, text)`` or
      ``(start, end, text, speaker)``, a dict with these keys or an object with these attributes, times in seconds. The
      document ends where its last line does. See ``by`` for lines across the edge of a window.
    - ``'char'``, over a text: the window ``doc#char=30,90`` has the text ``text[30:90]``, exactly. Words are cut.
    - ``'word'``, over a text: white space separates its words. The text of a window goes from the beginning of its
      first to the end of its last word.
    - ``'line'``, over a text such as the source code of a program: ``doc#line=20,40`` is its lines 21 to 40, each with
      the line break that ends it (RFC 5147).

    Args:
        length, stride: the length of each window and the distance of their starts in ``unit``, above 0; whole numbers
            but for seconds
        unit: ``'t'`` (seconds), ``'char'``, ``'word'`` or ``'line'``
        column: the column that is cut; if it is not given, ``transcript`` for seconds, ``text`` for the others
        by: for seconds alone: ``'start'``, a line belongs to the windows in which it starts, or ``'overlap'``, to
            all with which it shares a moment
        offsets: for words and lines alone: ``'char'`` names windows by their characters, ``doc#char=…``, for
            judgements in characters

    Raises:
        ValueError: parameters out of range; at work, a document that is not of this shape (the sentence names it)

    Examples:
        >>> import pyterrier as pt
        >>> cut = pt.segments.sliding(60, 30)
        >>> cut([{'docno': 'v1', 'transcript': [(0, 40, 'Good evening.'), (40, 75, 'Tonight: bees.')]}])
        [{'docno': 'v1#t=0,60', 'text': 'Good evening. Tonight: bees.'},
         {'docno': 'v1#t=30,75', 'text': 'Tonight: bees.'}]

        Over texts, here by words; an index is made with ``pt.segments.sliding(…) >> indexer``:

        >>> cut = pt.segments.sliding(3, 2, 'word')
        >>> [row['docno'] for row in cut([{'docno': 'd1', 'text': 'one two three four five'}])]
        ['d1#word=0,3', 'd1#word=2,5']
    """
    LABEL = 'Sliding windows'

    def __init__(self, length: float, stride: float, unit: str = 't', column: str | None = None, by: str = 'start',
                 offsets: str | None = None):
        self.length, self.stride, self.unit, self.by, self.offsets = length, stride, unit, by, offsets
        self.column = column
        self.check_parameters()

    def sources(self) -> tuple[str, ...]:
        return (_column(self.unit, self.column),)

    def check_parameters(self) -> None:
        _check_unit(self.unit)
        for name in ('length', 'stride'):
            value = getattr(self, name)
            check_number(name, value, f'the {name} of windows', above=True)
            if ticks(float(value)) < 1 or (self.unit != 't' and not float(value).is_integer()):
                raise ValueError(f"{name}={quoted(value)}: windows in '{self.unit}' take "
                                 f"{'0.000001 or more' if self.unit == 't' else 'whole numbers'}")
        check_rule(self.by, self.unit)
        if self.offsets not in (None, self.unit) and (self.unit not in ('word', 'line') or self.offsets != 'char'):
            raise ValueError(f"offsets={quoted(self.offsets)} has no meaning for unit={quoted(self.unit)}: "
                             "offsets='char' names windows of unit='word' and 'line' by their characters; leave it "
                             "out for others")

    def segments(self, document: str, *sources: Any) -> list[tuple[str, str]]:
        if self.unit == 't':
            transcript = cutting.transcript_lines(sources[0])
            pieces = cutting.slide_transcript(transcript, self.length, self.stride, self.by)
            return cutting.segments_of(document, 't', pieces)
        text = _text(sources[0])
        spans = cutting.windows(cutting.text_extent(text, self.unit), int(self.length), int(self.stride))
        chunks = cutting.cut_text(text, spans, self.unit, self.offsets)
        return cutting.segments_of(document, self.offsets or self.unit, chunks, text)


class by_boundaries(Cutter):
    """Cuts documents at given boundaries, such as those of shots, turns, sentences, paragraphs or sections.

    Args:
        boundaries: the name of a column, or a function, which say for each document where its segments are: spans
            ``(start, end)``, which may overlap and leave gaps, or positions, ascending numbers at which one segment
            ends and the next begins (the first begins at 0, the last ends with the document; an empty list is one of
            spans). A function takes the content that is cut: the text, or the transcript as a list of
            :class:`~ir_segmeasures.segments.segment.Line`; it may also give such lines, which are then the
            segments, with their own text. Ready ones: ``pt.segments.paragraphs``, ``sentences`` (of text), ``lines``,
            ``turns`` (of transcripts). Or a text splitter of LangChain, a node parser of LlamaIndex or a document
            splitter of Haystack, as it is: its chunks are the segments, in characters. Chunks that a splitter
            changed, and strings that a function gives, are looked for in the text, in its order; the text of a segment
            is always that of the document.
        unit: ``'t'`` (seconds), ``'char'``, ``'word'`` or ``'line'``; only the ready functions and splitters need none
        column: the column that is cut, as for :class:`sliding`; if it is not given, ``transcript`` for seconds,
            ``text`` for the others
        by: for seconds alone: which lines belong to a span, as for :class:`sliding`

    A span that stands twice is one segment. Spans of text lie within it; spans of time may end later than the
    transcript does.

    Raises:
        ValueError: parameters out of range; at work, a document that is not of this shape (the sentence names it)

    Examples:
        >>> import pyterrier as pt
        >>> cut = pt.segments.by_boundaries(pt.segments.sentences)
        >>> [row['docno'] for row in cut([{'docno': 'd1', 'text': 'Bees dance. They point at flowers.'}])]
        ['d1#char=0,11', 'd1#char=12,34']

        From a column with the shots of each video:

        >>> cut = pt.segments.by_boundaries('shots', unit='t')
        >>> video = {'docno': 'v1', 'shots': [4.2], 'transcript': [(0, 3, 'Good evening.'), (5, 9, 'Bees.')]}
        >>> cut([video])
        [{'docno': 'v1#t=0,4.2', 'text': 'Good evening.'}, {'docno': 'v1#t=4.2,9', 'text': 'Bees.'}]
    """
    LABEL = 'By boundaries'

    def __init__(self, boundaries: str | Callable[[Any], Iterable[Any]], unit: str | None = None,
                 column: str | None = None, by: str = 'start'):
        self.boundaries, self.unit, self.column, self.by = boundaries, unit, column, by
        self.check_parameters()

    def sources(self) -> tuple[str, ...]:
        column = _column(self._unit_cut(), self.column)
        return (column, self.boundaries) if isinstance(self.boundaries, str) else (column,)

    def check_parameters(self) -> None:
        if not isinstance(self.boundaries, str) and self._function() is None:
            raise ValueError(f'boundaries={quoted(self.boundaries)}: give the name of a column, or a function such as '
                             'pt.segments.sentences')
        fixed = self._fixed_unit()
        if self.unit is None and fixed is None:  # a text and a transcript are cut in different columns
            raise ValueError("unit=None: say what the boundaries count with unit='t' (seconds), 'char', "
                             "'word' or 'line'")
        _check_unit(self._unit_cut())
        if fixed is not None and self._unit_cut() != fixed:
            raise ValueError(f'unit={quoted(self.unit)}: these boundaries count in {quoted(fixed)}, whatever is cut: '
                             'leave the unit out')
        check_rule(self.by, self._unit_cut())

    def _fixed_unit(self) -> str | None:
        return 'char' if splitter_spans(self.boundaries) is not None else _UNITS.get(self.boundaries)

    def _function(self) -> Callable[[Any], Iterable[Any]] | None:
        # Node parsers can be called too, but with something else than a text.
        return splitter_spans(self.boundaries) or (self.boundaries if callable(self.boundaries) else None)

    def _unit_cut(self) -> str:
        return self.unit if self.unit is not None else self._fixed_unit() or ''

    def segments(self, document: str, *sources: Any) -> list[tuple[str, str]]:
        unit, function = self._unit_cut(), self._function()
        content: Any = cutting.transcript_lines(sources[0]) if unit == 't' else _text(sources[0])
        given: Any = sources[1] if function is None else function(content)
        given = list(given) if isinstance(given, Iterator) else given
        kinds = set(map(type, given)) if function is not None and isinstance(given, list) else set()
        if unit == 't':
            if kinds == {Line}:
                return cutting.segments_of(document, 't', cutting.pieces_of(cutting.transcript_lines(given)))
            spans = cutting.read_spans(given, 't', cutting.extent_of(content))
            return cutting.segments_of(document, 't', cutting.cut_transcript(content, spans, self.by))
        if kinds == {str}:
            given = located_spans(content, given, setting(self.boundaries))
        spans = cutting.read_spans(given, unit, cutting.text_extent(content, unit))
        return cutting.segments_of(document, unit, cutting.cut_text(content, spans, unit), content)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"the text is {quoted(value)}: give text, '' where there is none")
    return value


def _column(unit: Any, column: str | None) -> str:
    return column if column is not None else 'transcript' if unit == 't' else 'text'


def _check_unit(unit: Any) -> None:
    if unit not in ('t', 'char', 'word', 'line'):  # a text has no pages
        raise ValueError(f"unit={quoted(unit)}: documents are cut in 't' (seconds), 'char', 'word' or 'line'")


def check_rule(by: Any, unit: Any) -> None:
    """Raises a ValueError for a rule that there is not, or that has no meaning for a unit."""
    check_choice('by', by, cutting.RULES, 'by which a line of a transcript belongs to a window')
    if by != 'start' and unit != 't':
        raise ValueError(f'by={quoted(by)} has no meaning for unit={quoted(unit)}, where windows are exact: leave it '
                         'out')


class xml_elements(Cutter):
    """Cuts XML documents into elements, such as ``doc#xpath=/article[1]/bdy[1]/sec[6]&char=2028,2388``.

    Offsets count the characters of the document's plain text, which is its text without tags
    (:func:`ir_segmeasures.texts.xml.plain_text`). The column ``text`` has these characters, and a blank more wherever
    an element ends and another begins between visible characters, so that ``<p>hive</p><p>winter</p>`` are two words in
    an index; offsets do not count it, also not those of segments that another cutter makes of the element. Paths are
    those of INEX: every step has its number among the siblings of the same name. An element within another one is a
    segment as well, if both are wanted; elements without text are left out.

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
