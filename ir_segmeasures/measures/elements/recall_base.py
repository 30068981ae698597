"""Ideal recall bases: the elements that should be retrieved, of which none contains another. Kazai. Notes on What to
Measure in INEX. INEX 2005 Workshop on Element Retrieval Methodology, sections 2.3, 4.1 and 6.1.
"""

from math import inf
from typing import Any, NamedTuple

from ir_segmeasures.measures.base import RowTopic
from ir_segmeasures.measures.elements.base import QUANT, SPECIFICITY, ElementMeasure, Worth, element_forest, worth
from ir_segmeasures.measures.elements.trees import Forest, Node
from ir_segmeasures.measures.parameters import Choice
from ir_segmeasures.segments.tables.shapes import Rows

IDEAL = Choice("how the ideal recall base is chosen: one of three methods, or 'given' in the column ``ideal`` of the "
               'qrels', 'kazai', 'piwowarski', 'focused', 'given', default='kazai')


def ideal_base(topic: RowTopic, quant: str, specificity: str, method: str) -> Worth:
    """The ideal recall base (section 4.1): elements worth retrieving of which none contains another, with their worth.

    ``kazai``: on every relevant path, from a relevant leaf up to the root, the element that is worth most, of equal
    ones the deepest; of two of these that overlap, the ancestor. ``piwowarski``: an element that is worth more than
    each of its descendants, if every ancestor that is worth more is worth no more than some descendant of its own.
    ``focused``: of two relevant elements of which one contains the other, the more specific, of equally specific ones
    the more exhaustive, else the ancestor (section 2.3), chosen from the most specific on. ``given``: the elements for
    which the column ``ideal`` of the qrels is 1. ``full``: all elements that are worth something.
    """
    worths, found = topic.cached(worth, quant, specificity), element_forest(topic, specificity, quant)
    if method == 'full':
        return worths
    chosen = _given(topic, found) if method == 'given' else _METHODS[method](found, worths)
    return {node: value for node, value in worths.items() if node in chosen}


def _kazai(found: Forest, worths: Worth) -> set[Node]:
    level = _levels(worths)
    return _outermost({max((leaf, *leaf.around()), key=lambda node: level.get(node, 0)) for leaf in found.leaves})


def _piwowarski(found: Forest, worths: Worth) -> set[Node]:
    level, below = _levels(worths), dict[Node, float]()  # below an element, the worth of the best one inside it
    for node, value in level.items():
        for around in node.around():
            below[around] = max(value, below.get(around, 0))
    # A candidate is worth more than those inside it, so that these are none.
    return _outermost({node for node, value in level.items() if value > below.get(node, 0)})


def _levels(worths: Worth) -> dict[Node, float]:
    """The worths as they are compared: rounded, since equal ones may come from different products."""
    return {node: round(value, 9) for node, value in worths.items()}


def _outermost(candidates: set[Node]) -> set[Node]:
    return {node for node in candidates if candidates.isdisjoint(node.around())}


def _focused(found: Forest, _: Worth) -> set[Node]:
    relevant = [node for node in found.judged if node.relevant]
    depth = {node: sum(1 for _ in node.around()) for node in relevant}
    chosen, around_chosen = set[Node](), set[Node]()
    for node in sorted(relevant, key=lambda node: (-node.specificity, -node.exhaustivity, depth[node])):
        if node not in around_chosen and chosen.isdisjoint(node.around()):
            chosen.add(node)
            around_chosen.update(node.around())
    return chosen


_METHODS = {'kazai': _kazai, 'piwowarski': _piwowarski, 'focused': _focused}


def _given(topic: RowTopic, found: Forest) -> set[Node]:
    judgements = topic.judged
    members: dict[Node, bool] = {}
    for place, (node, value) in enumerate(zip(found.rows, judgements.beside('ideal'))):
        if value not in (0, 1):
            raise judgements.error(place, f'the ideal is {value:.12g}: it is 1 for an element that is ideal, else 0')
        if members.setdefault(node, value == 1) != (value == 1):
            raise judgements.error(place, f'the ideal is {value:.12g} here and {1 - value:.12g} in an earlier row of '
                                          'the element: correct one of them')
        if value and not node.relevant:
            raise judgements.error(place, f'it is ideal, but the exhaustivity is {node.exhaustivity:.12g}, specificity '
                                          f'{node.specificity:.12g}, and an ideal element is relevant: correct one')
    chosen = {node for node, member in members.items() if member}
    for node in chosen:
        for around in filter(chosen.__contains__, node.around()):
            raise node.error(f'the ideal is 1 for {node} and for {around} around it, but elements of an ideal recall '
                             'base do not overlap: leave one of them out')
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
        RowError: rows that are not elements
    """

    def __init__(self, qrels: Any, quant: str, ideal: str, specificity: str):
        from ir_segmeasures.evaluation.evaluators import judged_topics  # the measures themselves have no need of it
        from ir_segmeasures.segments.tables.columns import Columns
        from ir_segmeasures.segments.tables.table import SegmentTable
        asked = _Choices(quant=quant, ideal=ideal, specificity=specificity)
        asked.check_params()
        self._columns = Columns(qrels, 'qrels')
        self._ids = self._columns.values('doc_id')
        self._quant, self._ideal, self._specificity = (asked[name] for name in ('quant', 'ideal', 'specificity'))
        self.topics = list(judged_topics(SegmentTable.from_columns(self._columns, elements=True)))

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
        return (self._ids[topic.judged.number(node.place)], *((node.start, node.end) if node.known else (0., inf)))


class IdealElement(NamedTuple):
    """An element of an ideal recall base.

    Attributes:
        query_id: the query
        doc_id: as it stands in the qrels
        start, end: in the unit of the judgements, half-open; 0 and ``inf`` where they are not known
        worth: by the quantisation, above 0
        relevance: 1, so that the rows are qrels, for measures of spans as well
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    worth: float
    relevance: int = 1


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
        RowError: rows that are not elements; a given base whose elements overlap or are not relevant

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
    found = list[IdealElement]()
    for topic in assessments.topics:
        base = assessments.ideal(topic)
        found += [IdealElement(topic.query_id, *assessments.place(topic, node), base[node])
                  for node in assessments.judged(topic) if node in base]
    return Rows.from_rows(IdealElement, found)
