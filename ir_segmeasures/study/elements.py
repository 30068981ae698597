"""Judgements of elements, made of highlighted passages, and simulated runs of elements, made of judgements. Source:
Kazai. Notes on What to Measure in INEX. INEX 2005 Workshop on Element Retrieval Methodology, sections 3.3 and 6.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import Cover
from ir_segmeasures.measures.elements.recall_base import Assessments
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.simulation.passage_runs import SimulatedItem
from ir_segmeasures.study.statistics import check_choice

__all__ = ['ElementJudgement', 'element_judgements', 'ELEMENT_RUNS', 'element_run']


class ElementJudgement(NamedTuple):
    """A judged element.

    Attributes:
        query_id: the query
        doc_id: the element, with its path and its offsets
        relevance: 1, or 0 in the one row of a query without highlights
        exhaustivity: as given
        specificity: the share of its content that is highlighted
    """
    query_id: str
    doc_id: str
    relevance: int
    exhaustivity: int
    specificity: float


def element_judgements(highlights: Any, elements: Mapping[str, Segment] | Iterable[str],
                       exhaustivity: int = 1) -> Rows[ElementJudgement]:
    """Judgements of the elements of highlighted documents: every element with highlighted content is relevant, and the
    share of its content that is highlighted is its specificity.

    Args:
        highlights: qrels in any shape of ir-measures, whose relevant segments are highlighted
        elements: ids with paths and offsets, such as ``a#xpath=/bdy[1]/sec[2]&char=100,460``; or a table that maps ids
            with paths to segments, as :func:`ir_segmeasures.formats.extents.read_extents` reads it. Ancestors stand
            there as well
        exhaustivity: of every relevant element; with 1, judgements have two levels

    Returns:
        Qrels for measures of elements with ``specificity='share'``, such as
        ``XCG(quant='product', specificity='share')``. A query without highlights in elements keeps one row that is not
        relevant.

    Raises:
        ValueError: an element without offsets
        RowError: highlights that are no segments

    Examples:
        >>> from ir_segmeasures.study import element_judgements
        >>> elements = ['a#xpath=/sec[1]&word=0,100', 'a#xpath=/sec[2]&word=100,200', 'a#xpath=/sec[3]&word=200,300']
        >>> for row in element_judgements({'q': {'a#word=90,120': 1}}, elements):
        ...     print(row.doc_id, row.specificity)
        a#xpath=/sec[1]&word=0,100 0.1
        a#xpath=/sec[2]&word=100,200 0.2
    """
    of_document: dict[str, list[Segment]] = {}
    for id in elements:
        element = parse_segment(id, elements=True)
        if isinstance(elements, Mapping):
            element = elements[id]._replace(path=element.path or elements[id].path)
        if not element.start < element.end < np.inf:
            raise ValueError(f'the element {quoted(element.path)} of {quoted(element.document)} has no offsets or no '
                             'content: give elements with both')
        of_document.setdefault(element.document, []).append(element)
    table, rows = SegmentTable.from_qrels(highlights), list[ElementJudgement]()
    relevant = table.relevant_rows(1)
    for query, query_id in enumerate(table.query_ids):
        of_query = relevant[table.query[relevant] == query]
        number = len(rows)
        for document in dict.fromkeys(table.document[of_query].tolist()):
            passages = of_query[table.document[of_query] == document]
            cover = Cover.union(table.start[passages], table.end[passages])
            for element in of_document.get(table.document_ids[document], ()):
                common = float(cover.common(np.array([element.start]), np.array([element.end]))[0])
                if common > 0:
                    rows.append(ElementJudgement(query_id, format_segment(element), 1, exhaustivity,
                                                 common / (element.end - element.start)))
        if len(rows) == number:
            first = int(np.argmax(table.query == query))
            rows.append(ElementJudgement(query_id, table.document_ids[table.document[first]], 0, 0, 0))
    return Rows.from_rows(ElementJudgement, rows)


ELEMENT_RUNS = ('frb', 'irb', 'reverse', 'lo')


def element_run(qrels: Any, run: str = 'irb', quant: str = 'sog', ideal: str = 'kazai',
                specificity: str = 'grades') -> list[SimulatedItem]:
    """One of Kazai's four simulated runs, of all judged queries.

    Args:
        qrels: in any shape of ir-measures, with columns ``exhaustivity`` and ``specificity``
        run: one of ``ELEMENT_RUNS``
        quant, ideal, specificity: as measures of elements take them, and :func:`ir_segmeasures.ideal_recall_base`

    Returns:
        A row for each element, with its id as it stands in the qrels. Relevant elements that the quantisation gives no
        worth stand last in ``frb`` and ``lo``. Documents come in the order of the qrels, the elements of one in its own
        order where all offsets are known, else in that of the qrels. Queries without relevant elements have no row.

    Raises:
        ValueError: another name, a parameter out of range, a column that is missing
        RowError: rows that are no elements

    Examples:
        >>> from typing import NamedTuple
        >>> from ir_segmeasures.study import element_run
        >>> class Judged(NamedTuple):
        ...     query_id: str
        ...     doc_id: str
        ...     relevance: int
        ...     exhaustivity: int
        ...     specificity: int
        >>> qrels = [Judged('q1', 'a#xpath=/article[1]', 1, 2, 1), Judged('q1', 'a#xpath=/article[1]/sec[1]', 1, 2, 3)]
        >>> for item in element_run(qrels, 'frb'):
        ...     print(item.doc_id, item.score)
        a#xpath=/article[1]/sec[1] -1
        a#xpath=/article[1] -2
        >>> [item.doc_id for item in element_run(qrels, 'irb')]
        ['a#xpath=/article[1]/sec[1]']
    """
    check_choice('run', run, ELEMENT_RUNS)
    assessments = Assessments(qrels, quant, ideal, specificity)
    items: list[SimulatedItem] = []
    for topic in assessments.topics:
        worth, elements = assessments.worth(topic), assessments.judged(topic)
        if run == 'frb':
            elements = [node for node in elements if node.relevant]
        elif run == 'lo':
            elements = [node for node in elements if node.relevant and not node.parts]
        else:
            base = assessments.ideal(topic)
            elements = [node for node in elements if node in base]
        elements.sort(key=lambda node: -worth.get(node, 0))
        for rank, node in enumerate(elements[::-1] if run == 'reverse' else elements, 1):
            items.append(SimulatedItem(topic.query_id, *assessments.place(topic, node), -rank))
    return items
