"""Simulated runs of passages, for tests of fidelity. Source: Pehcevski & Thom. Evaluating Focused Retrieval Tasks.
SIGIR 2007 Workshop on Focused Retrieval, section 4.

A simulated run is made of the judgements: it returns the documents with relevant content, by the amount of it (one of
four rankings), and from each of them some parts (one of five choices).

======== =============================================================================================================
parts    for each document
======== =============================================================================================================
``S``    the relevant passages themselves
``S_L``  for each passage, the smallest element that contains it; needs ``elements``
``S_LD`` the whole document; needs its size
``S_S``  for each passage, the largest elements within it; needs ``elements``
``S_ST`` for each passage, the elements within it that contain no other element; needs ``elements``
======== =============================================================================================================

======== =============================================================================================================
ranking  order of the documents
======== =============================================================================================================
``R``    by decreasing length of their relevant content
``R_S``  ``R`` with the first two documents swapped
``R_I``  ``R`` after a document without relevant content
``R_SI`` ``R_S`` after a document without relevant content
======== =============================================================================================================

Where the paper is silent, these are choices of this project:

- Passages that overlap or touch are one. Documents with equally much relevant content keep the order of the judgements.
- The document without relevant content is one that was judged for the query, picked by a hash, and returned whole;
  where there is none, one that was judged for another query.
- The whole document counts as an element where no smaller one contains a passage.
- Parts of a document never overlap: of two nested elements of ``S_L`` the outer one stays.
- A document none of whose elements lies within a passage keeps its rank by an entry point, a part without content, at
  its first passage.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from math import fsum, inf, isfinite
from numbers import Real
from typing import Any, NamedTuple

from ir_measures import Qrel

from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.campaign.layers import merged
from ir_segmeasures.study.statistics import check_choice

__all__ = ['RANKINGS', 'SEGMENTS', 'Elements', 'RunName', 'SimulatedItem', 'Simulation', 'fidelity_run']

SEGMENTS = ('S', 'S_L', 'S_LD', 'S_S', 'S_ST')
RANKINGS = ('R', 'R_S', 'R_I', 'R_SI')

RunName = tuple[str, str]  # of SEGMENTS and of RANKINGS
Number = int | float
Interval = tuple[Number, Number]
Elements = Mapping[str, Iterable[Any]]  # (start, end), or what has start and end

_OF_ELEMENTS = ('S_L', 'S_S', 'S_ST')


class SimulatedItem(NamedTuple):
    """An item of a simulated run.

    Attributes:
        query_id: the query
        doc_id: the bare document
        start, end: in the unit of the judgements, half-open
        score: minus the rank, from 1
    """
    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number


def fidelity_run(qrels: Any, segments: str = 'S', ranking: str = 'R', *, elements: Elements | None = None,
                 sizes: Mapping[str, float] | None = None, irrelevant: Mapping[str, str] | None = None, seed: int = 0,
                 rel: float = 1) -> list[SimulatedItem]:
    """One of the 5 × 4 simulated runs: a row for each part, document by document, parts in the order of the document.

    Args:
        qrels: in any shape of ir-measures, as segments; with a column ``doc_size`` where whole documents are needed
        segments: one of ``SEGMENTS``
        ranking: one of ``RANKINGS``
        elements: document → its elements, each (start, end) or an object with ``start`` and ``end``, as
            ``read_elements(xml)[1]`` has them; in any order, each two of them nested or disjoint. Those without content
            count for nothing. Needed for ``S_L``, ``S_S`` and ``S_ST``, and only there
        sizes: document → its length, in the unit of the judgements, for those without ``doc_size``
        irrelevant: query → the document without relevant content that ``R_I`` and ``R_SI`` start with; for other
            queries the choice is made by a hash, so that it is the same everywhere, and for any order of the judgements
        seed: for another choice
        rel: content is relevant if it is judged with this relevance or more; the ``rel`` of the measures should agree

    Returns:
        rows in bare columns, which fit judgements in any unit, as ids or not (``with_ids`` makes ids of them). Queries
        without relevant content have none.

    Raises:
        ValueError: another name; elements, a size or a document without relevant content is missing; relevant content
            after the end of its document; elements that overlap in part; no query with relevant content
        RowError: rows that are no segments, or a relevant one without an end or without content

    Examples:
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures.study import fidelity_run
        >>> qrels = [Qrel('q1', 'a#t=5,10', 1), Qrel('q1', 'b#t=20,60', 1), Qrel('q1', 'c#t=0,9', 0)]
        >>> for item in fidelity_run(qrels, 'S', 'R_I', sizes={'c': 90}):
        ...     print(item.doc_id, item.start, item.end, item.score)
        c 0 90 -1
        b 20 60 -2
        a 5 10 -3
    """
    return Simulation(qrels, elements, sizes, irrelevant, seed, rel).run((segments, ranking))


class _Document(NamedTuple):
    """A document with relevant content, in the order of R: its passages, merged and in order."""
    doc_id: str
    passages: list[Interval]

    @property
    def relevant_length(self) -> float:
        """The length of its passages, as decimals, so that equal lengths are equal."""
        return round(fsum(end - start for start, end in self.passages), 6)


class Simulation:
    """The runs that can be made of one set of qrels.

    Attributes:
        table: the qrels
        topics: query → its documents with relevant content, in the order of R
    """

    def __init__(self, qrels: Any, elements: Elements | None, sizes: Mapping[str, float] | None,
                 irrelevant: Mapping[str, str] | None, seed: int, rel: float):
        self.table = table = SegmentTable.from_qrels(qrels)
        self._given, self._irrelevant, self._seed = elements, dict(irrelevant or {}), seed
        self._elements: dict[str, list[Interval]] = {}
        self._sizes = {**(sizes or {}), **self._sizes_beside()}
        rows = table.relevant_rows(rel).tolist()
        if not rows:
            raise ValueError(f'no query of the qrels has a judgement of relevance {quoted(rel)} or more, so there is '
                             'nothing to simulate: give other qrels, or a lower rel')
        starts, ends = table.start.tolist(), table.end.tolist()
        found: dict[str, dict[str, list[Interval]]] = {query: {} for query in table.query_ids}
        for row in rows:
            query, document = self._ids(row)
            found[query].setdefault(document, []).append((plain_number(starts[row]), plain_number(ends[row])))
        self.topics = {query: sorted((_Document(id, merged(intervals)) for id, intervals in documents.items()),
                                     key=lambda document: document.relevant_length, reverse=True)
                       for query, documents in found.items() if documents}

    def _ids(self, row: int) -> tuple[str, str]:
        return self.table.query_ids[self.table.query[row]], self.table.document_ids[self.table.document[row]]

    def _sizes_beside(self) -> dict[str, float]:
        sizes: dict[str, float] = {}
        column = self.table.extra.get('doc_size')
        for row, size in enumerate([] if column is None else column.tolist()):
            known = sizes.setdefault(self._ids(row)[1], size) if size == size else size
            if known != size and size == size:
                raise self.table.error(row, f'its doc_size is {format_number(size)}, but {format_number(known)} in an '
                                            'earlier row: give a document one size')
        return sizes

    def judged_documents(self) -> list[Qrel]:
        """The highest relevance in each judged document of each query."""
        highest: dict[tuple[str, str], float] = {}
        for row, relevance in enumerate(self.table.value.tolist()):
            key = self._ids(row)
            highest[key] = max(relevance, highest.get(key, relevance))
        # A grade is whole as ir-measures has it, where it is.
        return [Qrel(*key, plain_number(grade)) for key, grade in highest.items()]  # type: ignore[arg-type]

    def run(self, name: RunName) -> list[SimulatedItem]:
        segments, ranking = check_choice('segments', name[0], SEGMENTS), check_choice('ranking', name[1], RANKINGS)
        if segments in _OF_ELEMENTS and self._given is None:
            raise ValueError(f'segments={quoted(segments)} returns elements, and judgements have none: give '
                             'elements={document: [(start, end), …]}, or take S or S_LD')
        items: list[SimulatedItem] = []
        for query, documents in self.topics.items():
            parts: list[tuple[str, Interval]] = []
            if ranking in ('R_I', 'R_SI'):
                document_id = self._without_relevant(query)
                parts.append((document_id, (0, self._size(query, document_id))))
            if ranking in ('R_S', 'R_SI'):
                documents = [*documents[1::-1], *documents[2:]]
            for document in documents:
                parts += [(document.doc_id, part) for part in self._parts(query, document, segments)]
            items += [SimulatedItem(query, document_id, *part, -rank) for rank, (document_id, part) in enumerate(
                parts, 1)]
        return items

    def _parts(self, query: str, document: _Document, segments: str) -> list[Interval]:
        passages = document.passages
        if segments == 'S':
            return passages
        if segments == 'S_LD':
            return [(0, self._size(query, document.doc_id, passages[-1][1]))]
        elements = self._elements_of(query, document.doc_id)
        if segments == 'S_L':
            return _outermost(self._around(query, document.doc_id, elements, passage) for passage in passages)
        if segments == 'S_ST':
            elements = [element for element, after in zip(elements, [*elements[1:], (inf, inf)])
                        if after[0] >= element[1]]
        starts = [start for start, _ in passages]
        within = [(start, end) for start, end in elements
                  for place in (bisect_right(starts, start) - 1,) if place >= 0 and end <= passages[place][1]]
        return _outermost(within) or [(starts[0], starts[0])]

    def _around(self, query: str, document_id: str, elements: list[Interval], passage: Interval) -> Interval:
        # Elements come in document order, outer before inner, so the last that contains a passage is the smallest.
        containing = [element for element in elements if element[0] <= passage[0] and passage[1] <= element[1]]
        return containing[-1] if containing else (0, self._size(query, document_id, passage[1]))

    def _elements_of(self, query: str, document_id: str) -> list[Interval]:
        """All with content, each extent once, in document order, outer before inner."""
        if document_id in self._elements:
            return self._elements[document_id]
        assert self._given is not None
        place = f'query {quoted(query)}, document {quoted(document_id)}'
        given = self._given.get(document_id)
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ValueError(f'{place}: elements has {given!r:.80} for it: give a list of (start, end)' if given else
                             f'{place}: elements has no entry for it: give its elements')
        extents = {_extent(place, element) for element in given}
        elements = sorted((extent for extent in extents if extent[0] < extent[1]), key=_outer_first)
        open_elements: list[Interval] = []
        for element in elements:
            while open_elements and open_elements[-1][1] <= element[0]:
                open_elements.pop()
            if open_elements and open_elements[-1][1] < element[1]:
                raise ValueError(f'{place}: the elements {open_elements[-1]} and {element} overlap in part, but of two '
                                 'elements one contains the other or they share nothing: correct them')
            open_elements.append(element)
        self._elements[document_id] = elements
        return elements

    def _size(self, query: str, document_id: str, least: Number = 0) -> Number:
        size, place = self._sizes.get(document_id), f'query {quoted(query)}, document {quoted(document_id)}'
        if size is None:
            raise ValueError(f'{place}: its size is not known, and it is returned whole: give the qrels a column '
                             'doc_size, or sizes={document: size} (--sizes)')
        if not (isfinite(size) and least <= size):
            raise ValueError(f'{place}: its size is {size:.12g}, but it has content up to {least:.12g}: correct one of '
                             'them')
        return plain_number(size)

    def _without_relevant(self, query: str) -> str:
        relevant = {document.doc_id for document in self.topics[query]}
        chosen = self._irrelevant.get(query)
        if chosen in relevant:
            raise ValueError(f'query {quoted(query)}: irrelevant names {quoted(chosen)}, which has relevant content: '
                             'name another document')
        if chosen is None:
            candidates = [id for id in self._judged.get(query, []) if id not in relevant] or [
                id for id in self.table.document_ids if id not in relevant]
            if not candidates:
                raise ValueError(f'the qrels have no document without relevant content for query {quoted(query)}, '
                                 'which R_I and R_SI start with: name one with irrelevant={query: document}')
            # No random generator: what it draws depends on the order of the judgements.
            chosen = min(candidates, key=lambda id: sha256(f'{self._seed} {query} {id}'.encode()).digest())
        return chosen

    @cached_property
    def _judged(self) -> dict[str, list[str]]:
        """Query → its judged documents, in the order of the judgements."""
        judged: dict[str, list[str]] = {}
        for query, document in dict.fromkeys(map(self._ids, range(len(self.table)))):
            judged.setdefault(query, []).append(document)
        return judged


def _extent(place: str, element: Any) -> Interval:
    start: Any
    end: Any
    try:
        start, end = (element.start, element.end) if hasattr(element, 'start') else element
    except (AttributeError, TypeError, ValueError):
        start = end = None
    if not all(isinstance(bound, Real) for bound in (start, end)):
        raise ValueError(f'{place}: {element!r:.80} is not an element: give two numbers (start, end), or an object '
                         'that has both')
    if not 0 <= start <= end < inf:
        raise ValueError(f'{place}: start {quoted(start)} and end {quoted(end)} are not an element: give both, in '
                         'order')
    return start, end


def _outer_first(interval: Interval) -> tuple[Number, Number]:
    return interval[0], -interval[1]


def _outermost(elements: Iterable[Interval]) -> list[Interval]:
    """Those of nested or disjoint elements that lie in no other, in document order."""
    outermost: list[Interval] = []
    for element in sorted(set(elements), key=_outer_first):
        if not outermost or outermost[-1][1] <= element[0]:
            outermost.append(element)
    return outermost
