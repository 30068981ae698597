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

from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import fsum, inf, nan
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import format_number, plain_number, quoted
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
                 sizes: Mapping[str, float] | None = None, rel: float = 1) -> list[SimulatedItem]:
    """One of the 5 × 4 simulated runs: a row for each part, document by document, parts in the order of the document.

    Args:
        qrels: in any shape of ir-measures, as segments; with a column ``doc_size`` where whole documents are needed
        segments: one of ``SEGMENTS``
        ranking: one of ``RANKINGS``
        elements: document → its elements, each (start, end) or an object with ``start`` and ``end``, as
            ``read_elements(xml)[1]`` has them; in any order, each two of them nested or disjoint. Those without content
            count for nothing. Needed for ``S_L``, ``S_S`` and ``S_ST``, and only there
        sizes: document → its length, in the unit of the judgements, for those without ``doc_size``
        rel: content is relevant if it is judged with this relevance or more; the ``rel`` of the measures should agree

    Returns:
        rows in bare columns, which fit judgements in any unit, as ids or not (``with_ids`` makes ids of them). Queries
        without relevant content have none.

    Raises:
        ValueError: another name; elements, a size or a document without relevant content is missing; relevant content
            after the end of its document; elements that overlap in part; no query with relevant content
        RowError: rows that are not segments, or a relevant one without an end or without content

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
    return Simulation(qrels, elements, sizes, rel).run((segments, ranking))


class Simulation:
    """The runs that can be made of one set of qrels.

    Attributes:
        table: the qrels
        judged: query → judged document → the highest relevance there
        topics: query → document with relevant content → its passages, merged and in order; documents in the order of R
    """

    def __init__(self, qrels: Any, elements: Elements | None, sizes: Mapping[str, float] | None, rel: float):
        self.table = table = SegmentTable.from_qrels(qrels)
        self._given: Any = elements
        self._elements: dict[str, list[Interval]] = {}
        self.judged: dict[str, dict[str, float]] = {query: {} for query in table.query_ids}
        passages: dict[str, dict[str, list[Interval]]] = {query: {} for query in table.query_ids}
        known, doc_sizes = dict[str, float](), table.extra.get('doc_size', [nan] * len(table))
        relevant = set(table.relevant_rows(rel).tolist())
        for row, (size, (query, document, start, end, value)) in enumerate(zip(doc_sizes, table.segments())):
            self.judged[query][document] = max(value, self.judged[query].get(document, value))
            if row in relevant:
                passages[query].setdefault(document, []).append((plain_number(start), plain_number(end)))
            if size == size and known.setdefault(document, size) != size:
                raise table.error(row, f'its doc_size is {format_number(size)}, but {format_number(known[document])} '
                                       'in an earlier row: give a document one size')
        if not relevant:
            raise ValueError(f'no query of the qrels has a judgement of relevance {quoted(rel)} or more, so there is '
                             'nothing to simulate: give other qrels, or a lower rel')
        self._sizes = {**(sizes or {}), **known}

        def relevant_length(document: tuple[str, list[Interval]]) -> float:
            return round(fsum(end - start for start, end in document[1]), 6)  # equal lengths are equal
        self.topics = {query: dict(sorted(((id, merged(intervals)) for id, intervals in documents.items()),
                                          key=relevant_length, reverse=True))
                       for query, documents in passages.items() if documents}

    def run(self, name: RunName) -> list[SimulatedItem]:
        segments, ranking = check_choice('segments', name[0], SEGMENTS), check_choice('ranking', name[1], RANKINGS)
        if segments not in ('S', 'S_LD') and self._given is None:
            raise ValueError(f'segments={quoted(segments)} returns elements, and judgements have none: give '
                             'elements={document: [(start, end), …]}, or take S or S_LD')
        items: list[SimulatedItem] = []
        for query, passages in self.topics.items():
            first = [self._without_relevant(query)] if ranking in ('R_I', 'R_SI') else []
            parts = [(id, self._whole(query, id)) for id in first]
            documents = list(passages)
            if ranking in ('R_S', 'R_SI'):
                documents[:2] = documents[1::-1]
            parts += [(id, part) for id in documents for part in self._parts(query, id, passages[id], segments)]
            items += [SimulatedItem(query, id, *part, -rank) for rank, (id, part) in enumerate(parts, 1)]
        return items

    def _parts(self, query: str, document: str, passages: list[Interval], segments: str) -> list[Interval]:
        if segments == 'S':
            return passages
        if segments == 'S_LD':
            return [self._whole(query, document, passages[-1][1])]
        elements = self._elements_of(query, document)
        if segments == 'S_L':
            # Elements come in document order, outer before inner, so the last that contains a passage is the smallest.
            return _outermost(
                next((element for element in reversed(elements) if element[0] <= start and end <= element[1]), None)
                or self._whole(query, document, end) for start, end in passages)
        if segments == 'S_ST':
            elements = [element for element, after in zip(elements, [*elements[1:], (inf, inf)])
                        if after[0] >= element[1]]
        within = [part for part in elements if any(low <= part[0] and part[1] <= high for low, high in passages)]
        return _outermost(within) or [(passages[0][0], passages[0][0])]

    def _elements_of(self, query: str, document: str) -> list[Interval]:
        """All with content, each extent once, in document order, outer before inner."""
        if document in self._elements:
            return self._elements[document]
        place, given = f'query {quoted(query)}, document {quoted(document)}', self._given.get(document)
        try:
            bounds = [(element.start, element.end) if hasattr(element, 'start') else element for element in given or ()]
            if given is None or not all(0 <= start <= end < inf for start, end in bounds):
                raise ValueError
        except (AttributeError, TypeError, ValueError):
            raise ValueError(f'{place}: elements has {given!r:.80} for it: give a list of pairs (start, end) of '
                             'numbers from 0 up, or of objects that have both') from None
        elements = sorted({(plain_number(start), plain_number(end)) for start, end in bounds if start < end},
                          key=lambda element: (element[0], -element[1]))
        around: list[Interval] = []
        for element in elements:
            around = [outer for outer in around if outer[1] > element[0]]
            if around and around[-1][1] < element[1]:
                raise ValueError(f'{place}: the elements {around[-1]} and {element} overlap in part, but of two '
                                 'elements one contains the other or they share nothing: correct them')
            around.append(element)
        self._elements[document] = elements
        return elements

    def _whole(self, query: str, document: str, least: Number = 0) -> Interval:
        size, place = self._sizes.get(document), f'query {quoted(query)}, document {quoted(document)}'
        if size is None:
            raise ValueError(f'{place}: its size is not known, and it is returned whole: give the qrels a column '
                             'doc_size, or sizes={document: size} (--sizes)')
        if not least <= size < inf:
            raise ValueError(f'{place}: its size is {size:.12g}, but it has content up to {least:.12g}: correct one of '
                             'them')
        return 0, plain_number(size)

    def _without_relevant(self, query: str) -> str:
        relevant = self.topics[query]
        candidates = self.judged[query].keys() - relevant.keys() or set(self.table.document_ids) - relevant.keys()
        if not candidates:
            raise ValueError(f'the qrels have no document without relevant content for query {quoted(query)}, which '
                             'R_I and R_SI start with: judge one as not relevant')
        # No random generator: what it draws depends on the order of the judgements.
        return min(candidates, key=lambda id: sha256(f'0 {query} {id}'.encode()).digest())


def _outermost(intervals: Iterable[Interval]) -> list[Interval]:
    """The intervals without those within another, in order; each two are nested or disjoint."""
    found: list[Interval] = []
    for start, end in sorted(intervals, key=lambda interval: (interval[0], -interval[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found
