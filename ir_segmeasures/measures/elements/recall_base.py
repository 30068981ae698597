"""Ideal recall bases: the elements that should be retrieved, of which none contains another. Kazai. Notes on What to
Measure in INEX. INEX 2005 Workshop on Element Retrieval Methodology, sections 2.3, 4.1 and 6.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import Choice
from ir_segmeasures.measures.elements.base import ElementMeasure
from ir_segmeasures.measures.elements.plain_queries import ancestors, plain_judged
from ir_segmeasures.measures.elements.quantisation import QUANT, SPECIFICITY, Worth, element_forest, worth
from ir_segmeasures.measures.elements.trees import Forest, Node
from ir_segmeasures.measures.rounding import lowest_reaching
from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.tables.rows import Rows

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic
    from ir_segmeasures.evaluation.run_rows import JudgedRows

__all__ = ['IDEAL', 'OF_ROWS', 'Assessments', 'IdealElement', 'ideal_base', 'ideal_recall_base', 'ideal_rows']

IDEAL = Choice("how the ideal recall base is chosen: one of three methods, or 'given' in the column ``ideal`` of the "
               'qrels', 'kazai', 'piwowarski', 'focused', 'given', default='kazai')


def ideal_base(topic: RowTopic, quant: str, specificity: str, method: str) -> Worth:
    """The ideal recall base (section 4.1): elements worth retrieving of which none contains another, with their worth.

    ``kazai``: on every relevant path, from a relevant leaf up to the root, the element that is worth most, of equal
    ones the deepest; of two of these that overlap, the ancestor. ``piwowarski``: an element that is worth more than
    each of its descendants, if every ancestor that is worth more is worth no more than some descendant of its own.
    ``focused``: of two relevant elements of which one contains the other, the more specific, of equally specific ones
    the more exhaustive, else the ancestor (section 2.3), chosen from the most specific on. ``given``: the elements for
    which the column ``ideal`` of the qrels is 1.
    """
    worths, found = topic.cached(worth, quant, specificity), element_forest(topic, specificity, quant)
    if method in ('focused', 'given'):
        candidates = _focused(found.judged) if method == 'focused' else _given(topic, found)
        return {node: value for node, value in worths.items() if node in candidates}
    relevant = [node for node in found.judged if node.relevant]
    place = {node: place for place, node in enumerate(relevant)}
    parent = np.array([next((place[node] for node in one.around() if node in place), -1) for one in relevant], np.intp)
    chosen = _BY_WORTH[method](np.array([worths.get(node, 0.) for node in relevant]), parent)
    return {node: worths[node] for node, is_chosen in zip(relevant, chosen.tolist()) if is_chosen}


def _kazai(worths: Floats, parent: Ints) -> Bools:
    best = np.flatnonzero(np.bincount(parent[parent >= 0], minlength=len(parent)) == 0)  # leaves, at first
    for at, around in ancestors(parent, best):
        better = worths[best[at]] < lowest_reaching(worths[around])
        best[at[better]] = around[better]
    candidates = np.zeros(len(parent), bool)
    candidates[best] = True
    return _outermost(candidates & (worths > 0), parent)


def _piwowarski(worths: Floats, parent: Ints) -> Bools:
    below = np.zeros(len(parent))  # the worth of the best descendant of an element
    for at, around in ancestors(parent, np.arange(len(parent))):
        np.maximum.at(below, around, worths[at])
    # A candidate is worth more than those inside it, so that these are none.
    return _outermost((worths > 0) & (below < lowest_reaching(worths)), parent)


_BY_WORTH = {'kazai': _kazai, 'piwowarski': _piwowarski}
OF_ROWS = (*_BY_WORTH, 'full')


def ideal_rows(judged: JudgedRows, quant: str, specificity: str, method: str) -> Bools:
    """Whether each judged row is in the ideal recall base, or in the full one, where its query is plain; ``method`` is
    one of :data:`OF_ROWS`."""
    judgements = judged.cached(plain_judged, specificity, quant)
    return judgements.worth > 0 if method == 'full' else _BY_WORTH[method](judgements.worth, judgements.parent)


def _outermost(candidates: Bools, parent: Ints) -> Bools:
    chosen = candidates.copy()
    for at, around in ancestors(parent, np.arange(len(parent))):
        chosen[at[candidates[around]]] = False
    return chosen


def _focused(judged: Iterable[Node]) -> set[Node]:
    relevant = [node for node in judged if node.relevant]
    depth = {node: sum(1 for _ in node.around()) for node in relevant}
    chosen, around_chosen = set[Node](), set[Node]()
    for node in sorted(relevant, key=lambda node: (-node.specificity, -node.exhaustivity, depth[node])):
        if node not in around_chosen and chosen.isdisjoint(node.around()):
            chosen.add(node)
            around_chosen.update(node.around())
    return chosen


def _given(topic: RowTopic, found: Forest) -> set[Node]:
    judgements = topic.judgements
    members: dict[Node, bool] = {}
    for place, (node, value) in enumerate(zip(found.rows, judgements.beside('ideal'))):
        if value not in (0, 1):
            raise judgements.error(place, f'the ideal is {value:.12g}: it is 1 for an element of the ideal recall base '
                                          'and 0 for others')
        if members.setdefault(node, value == 1) != (value == 1):
            raise judgements.error(place, f'the ideal is {value:.12g} here and {1 - value:.12g} in an earlier row of '
                                          'the element: correct one of them')
        if value and not node.relevant:
            raise judgements.error(place, f'the ideal is 1, but the exhaustivity is {node.exhaustivity:.12g} and the '
                                          f'specificity {node.specificity:.12g}, and an ideal element is relevant: '
                                          'correct one of them')
    chosen = {node for node, member in members.items() if member}
    for node in chosen:
        for around in node.around():
            if around in chosen:
                raise found.error(node, f'the ideal is 1 for {node} and for {around} around it, but elements of an '
                                  'ideal recall base do not overlap: leave one of them out')
    return chosen


class _Choices(ElementMeasure):
    """The parameters of an ideal recall base, checked as those of a measure are."""
    NAME = 'ideal_recall_base'
    SUPPORTED_PARAMS = {'quant': QUANT, 'ideal': IDEAL, 'specificity': SPECIFICITY}


class Assessments:
    """The judged elements of all queries, without a run.

    Args:
        qrels: in any shape of ir-measures, with columns ``exhaustivity`` and ``specificity``, for ``ideal='given'``
            ``ideal`` too
        quant, ideal, specificity: as measures of elements have them

    Attributes:
        topics: the judged queries, in the order of the qrels

    Raises:
        ValueError: a parameter that is out of range, a column that is missing
        RowError: rows that are no elements
    """

    def __init__(self, qrels: Any, quant: str, ideal: str, specificity: str):
        from ir_segmeasures.evaluation.row_evaluator import judged_topics  # the measures themselves have no need of it
        from ir_segmeasures.segments.tables.columns import Columns
        from ir_segmeasures.segments.tables.table import SegmentTable
        asked = _Choices(quant=quant, ideal=ideal, specificity=specificity)
        asked.check_params()
        self._columns = Columns(qrels, 'qrels')
        self._ids = self._columns.values('doc_id')
        self._quant, self._ideal, self._specificity = (asked[name] for name in ('quant', 'ideal', 'specificity'))
        self.topics = judged_topics(SegmentTable.from_columns(self._columns, elements=True))

    def judged(self, topic: RowTopic) -> list[Node]:
        """The judged elements of a query, in document order where offsets are known, else in that of the qrels."""
        nodes = element_forest(topic, self._specificity, self._quant).judged
        documents: dict[str, list[Node]] = {}
        for node in nodes:
            documents.setdefault(node.document, []).append(node)
        for in_document in documents.values():
            if all(node.known for node in in_document):
                in_document.sort(key=lambda node: (node.start, -node.end, sum(1 for _ in node.around())))
        return [node for in_document in documents.values() for node in in_document]

    def worth(self, topic: RowTopic) -> Worth:
        """The worth of the elements of a query, where it is above 0."""
        return topic.cached(worth, self._quant, self._specificity)

    def ideal(self, topic: RowTopic) -> Worth:
        """The ideal recall base of a query."""
        return topic.cached(ideal_base, self._quant, self._specificity, self._ideal)

    def place(self, topic: RowTopic, node: Node) -> tuple[str, float, float]:
        """The id of an element as the qrels write it, its start and its end; 0 and ``inf`` where they are not known."""
        return (self._ids[topic.judgements.number(node.row[1])], *((node.start, node.end) if node.known else (0., inf)))


class IdealElement(NamedTuple):
    """An element of an ideal recall base.

    Attributes:
        query_id: the query
        doc_id: as it stands in the qrels
        start, end: in the unit of the judgements, half-open; 0 and ``inf`` where they are not known
        worth: by the quantisation, above 0
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    worth: float


def ideal_recall_base(qrels: Any, quant: str = 'sog', ideal: str = 'kazai',
                      specificity: str = 'grades') -> Rows[IdealElement]:
    """The ideal recall base of every query: the elements that should be retrieved, of which none contains another.

    Args:
        qrels: in any shape of ir-measures, with columns ``exhaustivity`` and ``specificity``
        quant: a quantisation, as measures of elements take it. Elements without worth are in no ideal recall base
        ideal: ``'kazai'``, on every path from a relevant leaf up the element that is worth most, of equal ones the
            deepest, and of two that overlap the ancestor; ``'piwowarski'``, elements worth more than each of their
            descendants and no less than their ancestors, unless some descendant of these is worth as much;
            ``'focused'``, the most specific elements, of equally specific ones the more exhaustive, then the largest;
            ``'given'``, those of which a column ``ideal`` of the qrels is 1
        specificity: its scale, ``'grades'`` from 0 to 3 or ``'share'`` from 0 to 1

    Returns:
        The elements, query by query; in a query document by document as the qrels begin them, in a document in its own
        order where all offsets are known, else in that of the qrels.

    Raises:
        ValueError: a parameter out of range, a column that is missing
        RowError: rows that are no elements; a given base whose elements overlap or are not relevant

    Source: Kazai 2005, sections 2.3 and 4.1.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import ideal_recall_base
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]', 'd#xpath=/a[1]/s[1]'], 'relevance': 1,
        ...                       'exhaustivity': [3, 2], 'specificity': [1, 3]})
        >>> [(element.doc_id, element.worth) for element in ideal_recall_base(qrels)]
        [('d#xpath=/a[1]/s[1]', 0.9)]
    """
    assessments = Assessments(qrels, quant, ideal, specificity)
    found = []
    for topic in assessments.topics:
        base = assessments.ideal(topic)
        found += [IdealElement(topic.query_id, *assessments.place(topic, node), base[node])
                  for node in assessments.judged(topic) if node in base]
    return Rows.from_rows(IdealElement, found)
