"""Tests of fidelity: do measures of retrieval in context order simulated runs as they should? Source: Pehcevski & Thom.
Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval, section 4 (Figures 2 and 3, Tables 1 and
2); the number of significant differences, section 5.

A simulated run is made of the judgements: it returns the documents with relevant content, by the amount of it (one of
four rankings), and from each of them the relevant passages (``S``) or the whole document (``S_LD``, needs its size).
The paper's three choices of elements are left out. The expected order of two runs is read off Table 2.

======== =============================================================================================================
ranking  order of the documents
======== =============================================================================================================
``R``    by decreasing length of their relevant content
``R_S``  ``R`` with the first two documents swapped
``R_I``  ``R`` after a document without relevant content
``R_SI`` ``R_S`` after a document without relevant content
======== =============================================================================================================

Where the paper is silent, these are choices of this project: passages that overlap or touch are one; documents with
equally much relevant content keep the order of the judgements; the document without relevant content is one that was
judged for the query, picked by a hash, and returned whole, or, where there is none, one that was judged for another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import fsum, inf
from typing import Any, NamedTuple

from ir_measures import Measure, Qrel, ScoredDoc

from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import collected_warnings, warn
from ir_segmeasures.study.campaign.layers import merged
from ir_segmeasures.study.scores import lower_is_better, names_as_asked, query_scores, with_progress
from ir_segmeasures.study.statistics import ByQuery, check_choice, mean, nearly_equal, p_value
from ir_segmeasures.study.tables import Report

__all__ = ['RANKINGS', 'SEGMENTS', 'Comparison', 'Fidelity', 'SimulatedItem', 'expected_orderings', 'fidelity',
           'fidelity_run']

SEGMENTS = ('S', 'S_LD')
RANKINGS = ('R', 'R_S', 'R_I', 'R_SI')
# Parts or ranking → those that should be worse, next to it in Figure 3: the rows of Table 2.
_WORSE = {'S': ('S_LD',), 'R': ('R_S', 'R_I'), 'R_S': ('R_SI',), 'R_I': ('R_SI',)}

RunName = tuple[str, str]  # of SEGMENTS and of RANKINGS
Number = int | float
Interval = tuple[Number, Number]


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


def fidelity_run(qrels: Any, segments: str = 'S', ranking: str = 'R', *, sizes: Mapping[str, float] | None = None,
                 rel: float = 1) -> list[SimulatedItem]:
    """One of the 2 × 4 simulated runs: a row for each part, document by document, parts in the order of the document.

    Args:
        qrels: in any shape of ir-measures, as segments; with a column ``doc_size`` where whole documents are needed
        segments: one of ``SEGMENTS``
        ranking: one of ``RANKINGS``
        sizes: document → its length, in the unit of the judgements, for those without ``doc_size``
        rel: content is relevant if it is judged with this relevance or more; the ``rel`` of the measures should agree

    Returns:
        rows in bare columns, which fit judgements in any unit, as ids or not (``with_ids`` makes ids of them). Queries
        without relevant content have none.

    Raises:
        ValueError: another name; a size or a document without relevant content is missing; relevant content after the
            end of its document; no query with relevant content
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
    return _Simulation(qrels, sizes, rel).run((segments, ranking))


class _Simulation:
    """The runs that can be made of one set of qrels.

    Attributes:
        table: the qrels
        judged: query → judged document → the highest relevance there
        topics: query → document with relevant content → its passages, merged and in order; documents in the order of R
    """

    def __init__(self, qrels: Any, sizes: Mapping[str, float] | None, rel: float):
        self.table = table = SegmentTable.from_qrels(qrels)
        self.judged: dict[str, dict[str, float]] = {query: {} for query in table.query_ids}
        passages: dict[str, dict[str, list[Interval]]] = {query: {} for query in table.query_ids}
        known, doc_sizes = dict[str, float](), table.extra.get('doc_size', [float('nan')] * len(table))
        relevant = set(table.relevant_rows(rel).tolist())
        for row, (query_place, place, start, end, value) in enumerate(zip(*(column.tolist() for column in (
                table.query, table.document, table.start, table.end, table.value)))):
            query, document, size = table.query_ids[query_place], table.document_ids[place], doc_sizes[row]
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
        items: list[SimulatedItem] = []
        for query, passages in self.topics.items():
            documents = list(passages)
            if ranking in ('R_S', 'R_SI'):
                documents[:2] = documents[1::-1]
            parts = [(id, part) for id in documents for part in (
                passages[id] if segments == 'S' else [self._whole(query, id, passages[id][-1][1])])]
            if ranking in ('R_I', 'R_SI'):
                first = self._without_relevant(query)
                parts.insert(0, (first, self._whole(query, first, 0)))
            items += [SimulatedItem(query, id, *part, -rank) for rank, (id, part) in enumerate(parts, 1)]
        return items

    def _whole(self, query: str, document: str, least: Number) -> Interval:
        size, place = self._sizes.get(document), f'query {quoted(query)}, document {quoted(document)}'
        if size is None:
            raise ValueError(f'{place}: its size is not known, and it is returned whole: give the qrels a column '
                             'doc_size, or sizes={document: size} (--sizes)')
        if not least <= size < inf:
            raise ValueError(f'{place}: its size is {size:.12g}, but it has content up to {least:.12g}: correct one of '
                             'them')
        return 0, plain_number(size)

    def _without_relevant(self, query: str) -> str:
        relevant = self.topics[query].keys()
        candidates = self.judged[query].keys() - relevant or set(self.table.document_ids) - relevant
        if not candidates:
            raise ValueError(f'the qrels have no document without relevant content for query {quoted(query)}, which '
                             'R_I and R_SI start with: judge one as not relevant')
        # No random generator: what it draws depends on the order of the judgements.
        return min(candidates, key=lambda id: sha256(f'0 {query} {id}'.encode()).digest())


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
    """The pairs of runs of which the first should be at least as good as the second, for these parts and rankings: the
    rows of Table 2. Pairs with different parts come first, then pairs with different rankings.

    Raises:
        ValueError: a name that is none of ``SEGMENTS`` or ``RANKINGS``

    Examples:
        >>> from ir_segmeasures.study import expected_orderings
        >>> expected_orderings(['S', 'S_LD'], ['R', 'R_S'])[:2]
        [(('S', 'R'), ('S_LD', 'R')), (('S', 'R_S'), ('S_LD', 'R_S'))]
        >>> len(expected_orderings())
        12
    """
    segments = [check_choice('segments', name, SEGMENTS) for name in dict.fromkeys(segments)]
    rankings = [check_choice('ranking', name, RANKINGS) for name in dict.fromkeys(rankings)]

    def steps(names: list[str]) -> list[tuple[str, str]]:
        return [(better, worse) for better in names for worse in names if worse in _WORSE.get(better, ())]
    return ([((better, ranking), (worse, ranking)) for ranking in rankings for better, worse in steps(segments)]
            + [((parts, better), (parts, worse)) for parts in segments for better, worse in steps(rankings)])


def fidelity(measures: Iterable[Measure | str] | Measure | str, qrels: Any,
             orderings: Iterable[tuple[RunName, RunName]] | None = None, *, sizes: Mapping[str, float] | None = None,
             rel: float = 1, progress: bool = False) -> Fidelity:
    """The expected orderings of simulated runs that measures keep and break, query by query and in the mean over the
    queries with relevant content.

    Args:
        measures: measures, or strings that ir-measures parses. Those that are not of this package, such as AP, are
            computed on documents: each at its rank, with the highest relevance judged in it (the paper's MAP)
        orderings: pairs of runs, the first of which should be the better one, each as (parts, ranking); not given:
            :func:`expected_orderings`
        qrels, sizes, rel: see :func:`fidelity_run`
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
    simulation = _Simulation(qrels, sizes, rel)
    pairs = expected_orderings() if orderings is None else list(orderings)
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
    documents = query_scores([measure for measure in asked if not isinstance(measure, SegmentMeasure)],
                             judged, {name: _documents(run) for name, run in runs.items()},
                             progress)
    queries = list(simulation.topics)
    values = {name: {measure: {query: (found[name] | documents[name])[measure][query] for query in queries}
                     for measure in asked} for name in runs}
    means = {name: {measure: mean(values[name][measure].values()) for measure in asked} for name in runs}
    return Fidelity(means, [_comparison(measure, first, second, values[first][measure], values[second][measure])
                            for measure in asked for first, second in pairs],
                    {measure: [p_value('t', values[first][measure], values[second][measure], 0)
                               for first, second in combinations(names, 2)] for measure in asked}, asked)


def _comparison(measure: Measure, first: RunName, second: RunName, a: ByQuery, b: ByQuery) -> Comparison:
    sign = -1 if lower_is_better(measure) else 1
    gains = [0. if nearly_equal(a[query], b[query]) else sign * (a[query] - b[query]) for query in a]
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    difference = mean(gains)
    if abs(difference) <= 1e-12 * max(map(abs, gains)):  # gains and losses that cancel out but for rounding
        difference = 0.
    p = None if nearly_equal(min(gains), max(gains)) else p_value('t', a, b, 0)
    return Comparison(measure, first, second, better, len(gains) - better - worse, worse, difference, p)


def _documents(run: Iterable[SimulatedItem]) -> list[ScoredDoc]:
    """The run with each document once, at its first item."""
    rows: dict[tuple[str, str], ScoredDoc] = {}
    for item in run:
        rows.setdefault((item.query_id, item.doc_id), ScoredDoc(item.query_id, item.doc_id, item.score))
    return list(rows.values())
