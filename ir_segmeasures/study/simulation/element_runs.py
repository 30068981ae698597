"""Simulated runs of elements, made of judgements. Source: Kazai. Notes on What to Measure in INEX. INEX 2005 Workshop
on Element Retrieval Methodology, section 6.2, Table 3.

=========== ===========================================================================
``frb``     the full recall base: all relevant elements, by decreasing worth
``irb``     the ideal recall base, by decreasing worth
``reverse`` the ideal recall base in the opposite order
``lo``      leaves only: relevant elements with no relevant one inside, by decreasing worth
=========== ===========================================================================

Elements of equal worth stand in document order, as in the ``frb`` of Table 3; its ``lo`` has the equal leaves of the
better section first.
"""

from typing import Any

from ir_segmeasures.measures.elements.recall_base import Assessments
from ir_segmeasures.study.simulation.passage_runs import SimulatedItem
from ir_segmeasures.study.statistics import check_choice

__all__ = ['ELEMENT_RUNS', 'element_run']

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
