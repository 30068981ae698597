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
from math import fsum, inf, isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Qrel

from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.spans import merged_spans, plain_number
from ir_segmeasures.segments.tables.id_columns import codes_of
from ir_segmeasures.segments.tables.matching import document_key
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.segments.tables.table import SegmentTable
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
                 rel: float = 1) -> Rows[SimulatedItem]:
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
        Rows in bare columns, which fit judgements in any unit, as ids or not (``with_ids`` makes ids of them). Queries
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


class Simulation:
    """The runs that can be made of one set of qrels.

    Attributes:
        table: the qrels
        topics: query → its documents with relevant content, in the order of R
    """

    def __init__(self, qrels: Any, elements: Elements | None, sizes: Mapping[str, float] | None,
                 irrelevant: Mapping[str, str] | None, seed: int, rel: float):
        self.table = table = SegmentTable.from_qrels(qrels)
        self._given, self._sizes, self._irrelevant = elements, dict(sizes or {}), dict(irrelevant or {})
        self._seed = seed
        self._elements: dict[str, list[Interval]] = {}
        self._add_sizes()
        rows = np.flatnonzero(table.value >= rel)
        for wrong, reason in ((table.end[rows] == table.start[rows], 'no content: give it an end after its start'),
                              (table.end[rows] == inf, 'no end that is known: write the end into the id')):
            if wrong.any():
                raise table.error(int(rows[np.argmax(wrong)]), f'it is judged relevant and has {reason}')
        if not rows.size:
            raise ValueError(f'no query of the qrels has a judgement of relevance {quoted(rel)} or more, so there is '
                             'nothing to simulate: give other qrels, or a lower rel')
        self._keys = document_key(table, table.query, table.document)
        # Numbered in order of appearance, so that ties of R come out in the order of the judgements.
        keys, group = codes_of(self._keys[rows].tolist())
        self._relevant = set(keys)
        passages: list[list[Interval]] = [[] for _ in keys]
        for document, start, end in zip(*(column.tolist() for column in merged_spans(group, table.start[rows],
                                                                                     table.end[rows]))):
            passages[document].append((plain_number(start), plain_number(end)))
        found: dict[int, list[_Document]] = {}
        for key, intervals in zip(keys, passages):
            query, document = divmod(key, len(table.document_ids))
            found.setdefault(query, []).append(_Document(table.document_ids[document], intervals))
        self.topics = {table.query_ids[query]: sorted(found[query], key=_relevant_length, reverse=True)
                       for query in sorted(found)}

    def _add_sizes(self) -> None:
        table = self.table
        column = table.extra.get('doc_size')
        if column is None:
            return
        sizes: dict[str, float] = {}
        for row in np.flatnonzero(~np.isnan(column)).tolist():
            document, size = table.document_ids[table.document[row]], float(column[row])
            if sizes.setdefault(document, size) != size:
                raise table.error(row, f'its doc_size is {format_number(size)}, but {format_number(sizes[document])} '
                                       'in an earlier row: give a document one size')
        self._sizes.update(sizes)

    def judged_documents(self) -> list[Qrel]:
        """The highest relevance in each judged document of each query."""
        highest: dict[int, float] = {}
        for key, relevance in zip(self._keys.tolist(), self.table.value.tolist()):
            highest[key] = max(relevance, highest.get(key, relevance))
        judged = []
        for key, relevance in highest.items():
            query, document = divmod(key, len(self.table.document_ids))
            grade: Any = plain_number(relevance)  # whole as ir-measures has it, where it is
            judged.append(Qrel(self.table.query_ids[query], self.table.document_ids[document], grade))
        return judged

    def run(self, name: RunName) -> Rows[SimulatedItem]:
        segments, ranking = check_choice('segments', name[0], SEGMENTS), check_choice('ranking', name[1], RANKINGS)
        if segments in _OF_ELEMENTS and self._given is None:
            raise ValueError(f'segments={quoted(segments)} returns elements, and judgements have none: give '
                             'elements={document: [(start, end), …]}, or take S or S_LD')
        rows: list[tuple[str, str, Number, Number, Number]] = []
        for query, documents in self.topics.items():
            parts: list[tuple[str, Interval]] = []
            if ranking in ('R_I', 'R_SI'):
                document_id = self._without_relevant(query)
                parts.append((document_id, (0, self._size(query, document_id))))
            if ranking in ('R_S', 'R_SI'):
                documents = [*documents[1::-1], *documents[2:]]
            for document in documents:
                parts += [(document.doc_id, part) for part in self._parts(query, document, segments)]
            rows += [(query, document_id, *part, -rank) for rank, (document_id, part) in enumerate(parts, 1)]
        return Rows(SimulatedItem, zip(*rows))

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
        before = elements[:bisect_right(elements, passage[0], key=_start)]
        for element in reversed(before):
            if passage[1] <= element[1]:
                return element
        return 0, self._size(query, document_id, passage[1])

    def _elements_of(self, query: str, document_id: str) -> list[Interval]:
        """All with content, each extent once, in document order, outer before inner."""
        if document_id in self._elements:
            return self._elements[document_id]
        assert self._given is not None
        place = f'query {quoted(query)}, document {quoted(document_id)}'
        if document_id not in self._given:
            raise ValueError(f'{place}: elements has no entry for it: give its elements')
        given = self._given[document_id]
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ValueError(f'{place}: elements has {given!r:.80} for it: give a list of (start, end)')
        extents = [_extent(place, element) for element in given]
        elements = sorted({extent for extent in extents if extent[0] < extent[1]}, key=_outer_first)
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
        size = self._sizes.get(document_id)
        if size is None:
            raise ValueError(f'query {quoted(query)}, document {quoted(document_id)}: its size is not known, and it is '
                             'returned whole: give the qrels a column doc_size, or sizes={document: size} '
                             '(--sizes)')
        if not (isfinite(size) and least <= size):
            raise ValueError(f'query {quoted(query)}, document {quoted(document_id)}: its size is {size:.12g}, but it '
                             f'has content up to {least:.12g}: correct one of them')
        return plain_number(size)

    def _without_relevant(self, query: str) -> str:
        chosen = self._irrelevant.get(query)
        if chosen is None:
            relevant = {document.doc_id for document in self.topics[query]}
            candidates = self._candidates.get(query) or [id for id in self.table.document_ids if id not in relevant]
            if not candidates:
                raise ValueError(f'the qrels have no document without relevant content for query {quoted(query)}, '
                                 'which R_I and R_SI start with: name one with irrelevant={query: document}')
            from hashlib import sha256  # slow to import
            # No random generator: what it draws depends on the order of the judgements.
            chosen = min(candidates, key=lambda id: sha256(f'{self._seed} {query} {id}'.encode()).digest())
        elif any(document.doc_id == chosen for document in self.topics[query]):
            raise ValueError(f'query {quoted(query)}: irrelevant names {quoted(chosen)}, which has relevant content: '
                             'name another document')
        return chosen

    @cached_property
    def _candidates(self) -> dict[str, list[str]]:
        candidates: dict[str, list[str]] = {}
        for key in dict.fromkeys(self._keys.tolist()):
            if key not in self._relevant:
                query, document = divmod(key, len(self.table.document_ids))
                candidates.setdefault(self.table.query_ids[query], []).append(self.table.document_ids[document])
        return candidates


def _extent(place: str, element: Any) -> Interval:
    start: Any
    end: Any
    try:
        start, end = (element.start, element.end) if hasattr(element, 'start') else element
    except (AttributeError, TypeError, ValueError):
        start = end = None
    if not all(isinstance(bound, Real) for bound in (start, end)):
        raise ValueError(f'{place}: {element!r:.80} is no element: give two numbers (start, end), or an object that '
                         'has both')
    if not 0 <= start <= end < inf:
        raise ValueError(f'{place}: start {quoted(start)} and end {quoted(end)} are no element: give both, in order')
    return start, end


def _relevant_length(document: _Document) -> float:
    # Of decimals, so that equal lengths are equal.
    return round(fsum(end - start for start, end in document.passages), 6)


def _start(interval: Interval) -> Number:
    return interval[0]


def _outer_first(interval: Interval) -> tuple[Number, Number]:
    return interval[0], -interval[1]


def _outermost(elements: Iterable[Interval]) -> list[Interval]:
    """Of nested or disjoint elements those that lie in no other, in document order."""
    outermost: list[Interval] = []
    for element in sorted(set(elements), key=_outer_first):
        if not outermost or outermost[-1][1] <= element[0]:
            outermost.append(element)
    return outermost
