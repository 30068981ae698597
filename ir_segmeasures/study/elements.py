"""Tests of measures by runs that are made of judgements: do measures of retrieval in context order simulated runs as
they should, and simulated runs of elements; and judgements of elements, made of highlighted passages.

Sources: Pehcevski & Thom. Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval, section 4
(Figures 2 and 3, Tables 1 and 2; the expected order of two runs is read off Table 2, whose 36 rows are all steps of
Figure 3); the number of significant differences, section 5. Kazai. Notes on What to Measure in INEX. INEX 2005 Workshop
on Element Retrieval Methodology, sections 3.3 and 6.2 (elements).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from ir_measures import Measure, Qrel, ScoredDoc

from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.elements.recall_base import Assessments
from ir_segmeasures.segments.basics import plain_number, quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment, ticks
from ir_segmeasures.segments.tables.shapes import Rows
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import collected_warnings, warn
from ir_segmeasures.study.campaign.layers import content_of
from ir_segmeasures.study.scores import lower_is_better, names_as_asked, query_scores, with_progress
from ir_segmeasures.study.simulation import RANKINGS, SEGMENTS, Elements, RunName, SimulatedItem, Simulation
from ir_segmeasures.study.statistics import ByQuery, check_choice, differences, mean, nearly_equal, p_value, p_values
from ir_segmeasures.study.tables import Report

__all__ = ['ElementJudgement', 'element_judgements', 'ELEMENT_RUNS', 'element_run', 'Comparison', 'Fidelity',
           'expected_orderings', 'fidelity']


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
        RowError: highlights that are not segments

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
        if not element.start < element.end < inf:
            raise ValueError(f'the element {quoted(element.path)} of {quoted(element.document)} has no offsets or no '
                             'content: give elements with both')
        of_document.setdefault(element.document, []).append(element)
    table = SegmentTable.from_qrels(highlights)
    table.relevant_rows(1)  # for its errors
    found = {query: list[ElementJudgement]() for query in table.query_ids}
    for (query, document), passages in content_of(table, 1).items():
        for element in of_document.get(document, ()):
            start, end = ticks(element.start), ticks(element.end)
            common = sum(max(0, min(high, end) - max(low, start)) for low, high in passages)
            if common:
                found[query].append(ElementJudgement(
                    query, format_segment(element), 1, exhaustivity, common / (end - start)))
    first = dict(reversed([segment[:2] for segment in table.segments()]))  # query → the document of its first row
    return Rows.from_rows(ElementJudgement, [
        row for query, rows in found.items() for row in rows or [ElementJudgement(query, first[query], 0, 0, 0)]])


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
        RowError: rows that are not elements

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
        if run in ('frb', 'lo'):
            elements = [node for node in elements if node.relevant and not (run == 'lo' and node.parts)]
        else:
            base = assessments.ideal(topic)
            elements = [node for node in elements if node in base]
        elements.sort(key=lambda node: -worth.get(node, 0))
        for rank, node in enumerate(elements[::-1] if run == 'reverse' else elements, 1):
            items.append(SimulatedItem(topic.query_id, *assessments.place(topic, node), -rank))
    return items


# Run → the runs that should be worse, directly or through others: the rows of Table 2.
_WORSE = {'S': ('S_L', 'S_LD', 'S_S', 'S_ST'), 'S_L': ('S_LD',), 'S_S': ('S_ST',),
          'R': ('R_S', 'R_I', 'R_SI'), 'R_S': ('R_SI',), 'R_I': ('R_SI',)}


class Comparison(NamedTuple):
    """Two runs by one measure, of which the first should be better, or as good: a row of Table 2.

    Attributes:
        measure: the measure
        first, second: the runs, each as (parts, ranking)
        better, equal, worse: number of queries where the first is better than, as good as, or worse than the second
        difference: mean advantage of the first, in the measure's own unit; also where lower values are better, more
            than 0 is as expected
        p: of a paired t-test, two-sided; None where it is not defined: one query only, or the same difference in all
    """
    measure: Measure
    first: RunName
    second: RunName
    better: int
    equal: int
    worse: int
    difference: float
    p: float | None

    @property
    def verdict(self) -> str:
        """``'kept'`` or ``'broken'``, by the mean; ``'level'`` where it is 0: the measure does not order the runs."""
        return 'level' if not self.difference else 'kept' if self.difference > 0 else 'broken'


@dataclass(frozen=True, repr=False)
class Fidelity(Report):
    """The expected orderings that measures keep and break. ``str()`` gives the report as text, a notebook shows it as a
    table, and :func:`~ir_segmeasures.study.tables.render` writes it in every format of tables.

    Attributes:
        means: (parts, ranking) → measure → mean over the queries with relevant content, as in Table 1
        comparisons: each ordering by each measure, as in Table 2
        p: measure → the p-value of a paired t-test for each pair of the runs, whether an order is expected or not
        names: measure → its name, as it was asked for
    """
    means: dict[RunName, dict[Measure, float]]
    comparisons: list[Comparison]
    p: dict[Measure, list[float]]
    names: dict[Measure, str]

    def by_measure(self, measure: Measure, verdict: str | None = None) -> list[Comparison]:
        """The orderings by one measure, all of them or those with one verdict."""
        return [row for row in self.comparisons if row.measure == measure and verdict in (None, row.verdict)]

    def significant(self, measure: Measure, level: float = 0.05) -> tuple[int, int]:
        """The number of pairs of runs whose difference is significant, and the number of all pairs: the more a measure
        tells apart, the better (section 5, after Kamps, Lalmas & Pehcevski).
        """
        return sum(p < level for p in self.p[measure]), len(self.p[measure])

    def records(self) -> list[dict[str, Any]]:
        """A record for each ordering by each measure, and the number of pairs that the measure separates."""
        return [{'measure': self.names[row.measure], 'first': ' '.join(row.first), 'second': ' '.join(row.second),
                 'difference': row.difference, 'better': row.better, 'equal': row.equal, 'worse': row.worse, 'p': row.p,
                 'verdict': row.verdict, 'separated': separated, 'pairs': pairs}
                for row in self.comparisons for separated, pairs in (self.significant(row.measure),)]


def expected_orderings(segments: Iterable[str] = SEGMENTS,
                       rankings: Iterable[str] = RANKINGS) -> list[tuple[RunName, RunName]]:
    """The pairs of runs of which the first should be at least as good as the second, for these parts and rankings. All
    parts and rankings give the 36 rows of Table 2. A pair that follows from others is left out: ``S`` and ``S_LD`` are
    a pair only where ``S_L`` is not asked for. Pairs with different parts come first, then pairs with different
    rankings.

    Raises:
        ValueError: a name that is none of ``SEGMENTS`` or ``RANKINGS``

    Examples:
        >>> from ir_segmeasures.study import expected_orderings
        >>> expected_orderings(['S', 'S_LD'], ['R', 'R_S'])[:2]
        [(('S', 'R'), ('S_LD', 'R')), (('S', 'R_S'), ('S_LD', 'R_S'))]
        >>> len(expected_orderings())
        36
    """
    segments = [check_choice('segments', name, SEGMENTS) for name in dict.fromkeys(segments)]
    rankings = [check_choice('ranking', name, RANKINGS) for name in dict.fromkeys(rankings)]
    return ([((better, ranking), (worse, ranking)) for ranking in rankings for better, worse in _steps(segments)]
            + [((parts, better), (parts, worse)) for parts in segments for better, worse in _steps(rankings)])


def fidelity(measures: Iterable[Measure | str] | Measure | str, qrels: Any,
             orderings: Iterable[tuple[RunName, RunName]] | None = None, *, elements: Elements | None = None,
             sizes: Mapping[str, float] | None = None, rel: float = 1, progress: bool = False) -> Fidelity:
    """The expected orderings of simulated runs that measures keep and break, query by query and in the mean over the
    queries with relevant content.

    Args:
        measures: measures, or strings that ir-measures parses. Those that are not of this package, such as AP, are
            computed on documents: each at its rank, with the highest relevance judged in it (the paper's MAP)
        orderings: pairs of runs, the first of which should be the better one, each as (parts, ranking); not given:
            :func:`expected_orderings` of all runs, or without ``elements`` of those with ``S`` and ``S_LD``
        qrels, elements, sizes, rel: see :func:`fidelity_run`
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError, RowError: see :func:`fidelity_run`; no ordering or no measure
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import expected_orderings, fidelity
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> sizes = {recording.doc_id: recording.duration for recording in sample.recordings()}
        >>> print(fidelity('MAgP', qrels, expected_orderings(['S', 'S_LD'], ['R', 'R_S']), sizes=sizes), end='')
        measure  first   second    difference  better  equal  worse         p  verdict  separated  pairs
        MAgP     S R     S_LD R        0.4739      10      0      0  < 0.0001  kept             5      6
        MAgP     S R_S   S_LD R_S      0.5621      10      0      0  < 0.0001  kept             5      6
        MAgP     S R     S R_S         0.0000       0     10      0            level            5      6
        MAgP     S_LD R  S_LD R_S      0.0882      10      0      0    0.0020  kept             5      6
    """
    asked = names_as_asked(measures)
    simulation = Simulation(qrels, elements, sizes, rel)
    pairs = list(expected_orderings(SEGMENTS if elements is not None else ('S', 'S_LD')) if orderings is None
                 else orderings)
    if not pairs:
        raise ValueError('there is no ordering to look at: give pairs of runs, such as expected_orderings() has')
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    runs = {name: simulation.run(name) for name in with_progress(names, progress)}
    with collected_warnings() as doubts:
        found = query_scores([measure for measure in asked if isinstance(measure, SegmentMeasure)], simulation.table,
                             runs, progress)
    warn(doubt for doubt in doubts if 'the run' not in doubt)  # these are wrong by design, such as upside down
    # A grade is whole as ir-measures has it, where it is.
    judged = [Qrel(query, document, plain_number(grade))  # type: ignore[arg-type]
              for query, grades in simulation.judged.items() for document, grade in grades.items()]
    first = {name: list({item[:2]: ScoredDoc(*item[:2], item.score) for item in reversed(run)}.values())
             for name, run in runs.items()}  # each document once, at its first item
    documents = query_scores([measure for measure in asked if not isinstance(measure, SegmentMeasure)], judged, first,
                             progress)
    values = {name: {measure: {query: (found[name] | documents[name])[measure][query] for query in simulation.topics}
                     for measure in asked} for name in runs}
    means = {name: {measure: mean(values[name][measure].values()) for measure in asked} for name in runs}
    return Fidelity(means, [_comparison(measure, first, second, values[first][measure], values[second][measure])
                            for measure in asked for first, second in pairs],
                    {measure: p_values('t', combinations([values[name][measure] for name in names], 2), 0)
                     for measure in asked}, asked)


def _comparison(measure: Measure, first: RunName, second: RunName, a: ByQuery, b: ByQuery) -> Comparison:
    gains = list((differences(b, a) if lower_is_better(measure) else differences(a, b)).values())
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    level = abs(mean(gains)) <= 1e-12 * max(map(abs, gains))  # gains and losses that cancel out but for rounding
    p = None if nearly_equal(min(gains), max(gains)) else p_value('t', a, b, 0)
    return Comparison(measure, first, second, better, len(gains) - better - worse, worse,
                      0. if level else mean(gains), p)


def _steps(names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of these names of which the first should be better, with none of them between."""
    return [(better, worse) for better in names for worse in names if worse in _WORSE.get(better, ())
            and not any(name in _WORSE[better] and worse in _WORSE.get(name, ()) for name in names)]
