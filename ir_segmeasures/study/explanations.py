"""Explanations: how the value of a measure comes about for each query, as the steps of the walk that computes it; and
diagnosis of systems by groups of queries: by the length of the true moment, its place in the video, and the number of
true moments, as authors of moment retrieval report where a system is weak.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.evaluators import SpanEvaluator
from ir_segmeasures.formats.files.row_types import row_type_of
from ir_segmeasures.measures.base import SegmentMeasure, SpanMeasure
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.shapes import Rows
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.comparison import SystemComparison
from ir_segmeasures.study.scores import is_best, parse_measures, relevant_queries
from ir_segmeasures.study.statistics import mean
from ir_segmeasures.study.tables import Cell, Column, Report, Table, figure

__all__ = ['Diagnosis', 'GroupMean', 'diagnose', 'query_groups']


class Explanation(NamedTuple):
    """How the value of a measure came about for a query.

    Attributes:
        query_id: the query
        value: the value of the measure
        steps: a named tuple for each step, in order. For most measures the value is the sum of their fields ``adds``
        sentence: how the value follows from the steps
    """
    query_id: str
    value: float
    steps: Sequence[Any]
    sentence: str


def explain(measure: Measure | str, qrels: Any, run: Any) -> list[Explanation]:
    """How the value of a measure comes about, query by query, as the steps of the walk that computes it.

    Args:
        measure: a measure that has steps, or its name, with any parameters: one of spans, which are all but those of
            elements, saliency and samples of shots
        qrels, run: in any shape of ir-measures, or frames of PyTerrier, with segments

    Returns:
        an explanation for each judged query, in the order of the qrels. A query without relevant content has no steps

    Raises:
        ValueError: a measure without steps, a figure of an official program, or what evaluation raises

    Examples:
        >>> from ir_segmeasures import explain
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=20,40': 1}}
        >>> explanation, = explain('AP_over', qrels, run)
        >>> for step in explanation.steps:
        ...     print(step)
        RelevantItem(rank=1, document='v', start=0.0, end=20.0, hits=1, precision=1.0, adds=0.5)
        RelevantItem(rank=2, document='v', start=20.0, end=40.0, hits=2, precision=1.0, adds=0.5)
        >>> explanation.value, explanation.sentence
        (1.0, 'The precisions at the items that overlap relevant content sum to 2.0000, and 2.0000 / 2 = 1.0000.')
    """
    wanted = parse_measures([measure])[0]
    if isinstance(wanted, SegmentMeasure):
        wanted.check_params()
    if not has_steps(wanted):
        raise ValueError(f'{wanted} has no steps that could be shown: take a measure of spans, such as T2I_AP or mIoU, '
                         'without a tool, and with lists that are not condensed')
    judged = SegmentTable.from_qrels(from_pyterrier(qrels))
    evaluator, found = SpanEvaluator([wanted], judged), list[Explanation]()
    for _, queries, on_axis in evaluator.axes(from_pyterrier(run)):
        values, walk, of_stop, sentence = wanted.outcome(on_axis)
        assert walk is not None and sentence is not None
        values = np.where(on_axis.R > 0, values, evaluator.without_content(wanted, on_axis))
        columns: dict[str, Any] = {}  # the rank of the item, the columns of the walk, then those of the stop
        if walk.item is not None:
            stretch = walk.run.stretch[walk.item]
            columns = {'rank': walk.run.rank[walk.item], 'document': walk.run.document_ids(stretch)}
            columns |= {name: walk.run.positions(stretch, x) for name, x in (
                ('start', walk.start), ('end', walk.end)) if x is not None}
        columns |= {**walk.shown(walk), **of_stop}
        kind = row_type_of(tuple(columns), walk.kind)
        first = np.searchsorted(walk.query, np.arange(queries.start, queries.stop + 1)).tolist()
        for query, low, high in zip(range(queries.start, queries.stop), first, first[1:]):
            value, relevant = float(values[query]), walk.run.R[query]
            found.append(Explanation(
                judged.query_ids[query], value,
                Rows(kind, [column[low:high] for column in columns.values()]) if relevant else [],
                sentence(query) if relevant else f'The query has no relevant content, so the value is {value:g}.'))
    return found


def has_steps(measure: Measure) -> TypeGuard[SpanMeasure]:
    """Tells whether a measure can be explained: its walk is shown, the figure of no official program is asked for, and
    positions are those of the documents, not of condensed ones.
    """
    return (isinstance(measure, SpanMeasure) and type(measure).outcome is not SpanMeasure.outcome
            and 'tool' not in measure.params and not measure.params.get('condensed'))


# The bands of lengths are those of QVHighlights.
_LENGTHS = ((10, 'up to 10 s'), (30, '10 to 30 s'), (inf, 'above 30 s'))
_PLACES = ((1 / 3, 'first third'), (2 / 3, 'middle third'), (inf, 'last third'))
_NUMBERS = ((1, '1'), (2, '2'), (inf, '3 and more'))


class GroupMean(NamedTuple):
    """The mean of a system over a group of queries.

    Attributes:
        by: ``'length'``, ``'place'`` or ``'number'``
        group: its name
        queries: how many there are
        measure, system: whose mean it is
        mean: of the measure over these queries
    """
    by: str
    group: str
    queries: int
    measure: Measure
    system: str
    mean: float


def query_groups(qrels: Any, durations: Mapping[str, float] | None = None, rel: float = 1) -> list[
        tuple[str, str, list[str]]]:
    """The queries with relevant segments, by three traits: ``length`` (of the longest true moment, of equal ones the
    first), ``place`` (the third of the video in which its middle lies; for videos whose duration is known) and
    ``number`` (of true moments). Groups without queries are left out.

    Args:
        qrels: in any shape of ir-measures, in seconds
        durations: document → its length in seconds
        rel: minimum relevance of a true moment

    Raises:
        ValueError: no query has a relevant segment; one runs to an end that is not known

    Returns:
        by what queries are alike, the name of the group, and its queries in the order of the judgements

    Examples:
        >>> from ir_segmeasures.study.explanations import query_groups
        >>> for group in query_groups({'q': {'v#t=0,8': 1, 'v#t=50,58': 1}, 'r': {'v#t=20,60': 1}}, {'v': 60}):
        ...     print(*group)
        length up to 10 s ['q']
        length above 30 s ['r']
        place first third ['q']
        place middle third ['r']
        number 1 ['r']
        number 2 ['q']
    """
    qrels, queries = relevant_queries(qrels, rel)
    table = SegmentTable.from_qrels(from_pyterrier(qrels))
    moments: dict[str, list[tuple[float, float, str]]] = {query: [] for query in queries}
    for row, (query, document, start, end, value) in enumerate(table.segments()):
        if value >= rel:
            if end == inf:
                raise table.error(row, 'it is judged relevant up to an end that is not known, but moments are told '
                                       'apart by their lengths: write the end into the id')
            moments[query].append((start, end, document))
    traits: dict[str, dict[str, float]] = {'length': {}, 'place': {}, 'number': {}}
    for query, found in moments.items():
        start, end, video = max(found, key=lambda moment: round(moment[1] - moment[0], 9))
        traits['length'][query], traits['number'][query] = round(end - start, 9), len(found)
        if duration := (durations or {}).get(video):
            traits['place'][query] = (start + end) / 2 / duration
    groups = [(by, name, [query for query, value in values.items() if low < value <= high])
              for (by, values), bands in zip(traits.items(), (_LENGTHS, _PLACES, _NUMBERS))
              for (low, _), (high, name) in pairwise([(-inf, ''), *bands])]
    return [group for group in groups if group[2]]


class Diagnosis(Report):
    """The means of systems over groups of queries. :func:`~ir_segmeasures.study.tables.render` writes it in every
    format of tables.

    Attributes:
        rows: a :class:`GroupMean` for each measure, group and system
        names: measure → its name, as it was asked for
        systems: in the order of the runs
    """

    def __init__(self, rows: Iterable[GroupMean], names: Mapping[Measure, str], systems: Iterable[str]):
        self.rows, self.names, self.systems = list(rows), names, list(systems)

    def records(self) -> list[dict[str, Any]]:
        """A record for each measure, group and system, with the fields of :class:`GroupMean`."""
        return [{**row._asdict(), 'measure': self.names[row.measure]} for row in self.rows]

    def tables(self, places: int, wide: bool) -> list[Table]:
        """A table for each measure, with a row for each group."""
        found = []
        for measure, name in self.names.items():
            lines = []
            for group, rows in groupby((row for row in self.rows if row.measure == measure), itemgetter(0, 1, 2)):
                means = [row.mean for row in rows]
                lines.append([*(Cell(str(value)) for value in group), *(
                    Cell(figure(mean, places), len(means) > 1 and is_best(measure, mean, means)) for mean in means)])
            found.append(Table([Column(name, text=True), Column('group', text=True), Column('queries'),
                                *map(Column, self.systems)], lines))
        return found


def diagnose(comparison: SystemComparison, qrels: Any, durations: Mapping[str, float] | None = None,
             rel: float = 1) -> Diagnosis:
    """The means of compared systems over groups of queries, by :func:`query_groups`.

    Args:
        comparison: of the systems
        qrels, durations, rel: as for :func:`query_groups`

    Raises:
        ValueError: as there

    Examples:
        >>> from ir_segmeasures.study import compare, diagnose
        >>> from ir_segmeasures.study.tables import render
        >>> qrels = {'q': {'v#t=0,8': 1}, 'r': {'v#t=20,60': 1}}
        >>> runs = {'one': {'q': {'v#t=0,8': 1}}, 'two': {'q': {'v#t=0,4': 1}, 'r': {'v#t=20,50': 1}}}
        >>> print(render(diagnose(compare('mIoU@1', qrels, runs), qrels), places=2), end='')
        mIoU@1  group       queries   one   two
        length  up to 10 s        1  1.00  0.50
        length  above 30 s        1  0.00  0.75
        number  1                 2  0.50  0.62
    """
    groups = query_groups(qrels, durations, rel)
    rows = [GroupMean(by, name, len(queries), measure, system,
                      mean(comparison.by_query[system][measure][query] for query in queries))
            for measure in comparison.measures for by, name, queries in groups for system in comparison.systems]
    return Diagnosis(rows, comparison.names, comparison.systems)
