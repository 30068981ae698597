"""Layers: intervals of several runs or judgements over the same documents, and the pieces between starts and ends; and
coefficients of the agreement of layers: content F1, Cohen's kappa of lengths, Krippendorff's alpha, gamma, and the best
one-to-one matching of spans.

Positions are whole numbers of millionths, as many decimals as ids have, so that each piece that is written has content.

Sources: Cohen 1960 (kappa); Krippendorff, Content Analysis, chapter 11 (alpha), by the package ``krippendorff``;
Mathet, Widlöcher & Métivier, Computational Linguistics 41(3), 2015 (gamma), by ``pygamma-agreement``.
"""

import logging
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import groupby, pairwise
from math import inf
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import end_repair, needed, quoted
from ir_segmeasures.segments.segment import UNITS, Segment, format_segment, seconds as position, ticks
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.statistics import mean, scipy_module

_DIGITS = re.compile(r'(\d+)')

Layer = tuple[str, SegmentTable, Mapping[int, float]]


class Judgement(NamedTuple):
    """A judged stretch of a document.

    Attributes:
        query_id: the query
        doc_id: the id of the stretch as a segment; of bare columns, which have no unit, the id of the document
        start, end: half-open, in the unit of the judgements
        relevance: the grade
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    relevance: float


class Interval(NamedTuple):
    """An interval of a layer: the number of the layer, start and end in millionths, and what the layer says of it."""
    layer: int
    start: int
    end: int
    value: float


class Group(NamedTuple):
    """A document of a query, and its unit, None where positions are bare columns."""
    query_id: str
    document: str
    unit: str | None

    def stretch(self, start: int, end: int) -> tuple[str, str, float, float]:
        """The query, the id of an interval as a segment (where there is no unit, of the document), start and end."""
        low, high = position(start), position(end)
        id = self.document if self.unit is None else format_segment(Segment(self.document, low, high, self.unit))
        return self.query_id, id, low, high

    def __str__(self) -> str:
        return f'document {quoted(self.document)} of query {quoted(self.query_id)}'


class Piece(NamedTuple):
    """A stretch of a document of a query on which each assessor says one thing; None where one did not judge it."""
    group: Group
    start: int
    end: int
    grades: Any


def lay(layers: Iterable[Layer], lengths: Mapping[str, float] | None = None) -> dict[Group, list[Interval]]:
    """The intervals of all layers in each document of each query. Queries and documents are sorted, so that the order
    in which runs or assessors are given changes nothing.

    Args:
        layers: one after the other: the name of a run or an assessor, its table, and row → what the layer says of its
            interval; other rows do not count
        lengths: document → its length, for intervals that run to a document's end

    Raises:
        RowError: an interval runs to the end of its document, which is not known
        ValueError: layers speak of a document in two units
    """
    found = defaultdict[tuple[str, str], list[Interval]](list)
    units: dict[tuple[str, str], tuple[str, str]] = {}
    for number, (name, table, values) in enumerate(layers):
        for row, (*ids, start, end, _) in enumerate(table.segments()):
            if row not in values:
                continue
            key, unit = (ids[0], ids[1]), table.unit[row]
            if unit >= 0 and units.setdefault(key, (UNITS[unit], name))[0] != UNITS[unit]:
                other, of_layer = map(quoted, units[key])
                raise ValueError(f'{Group(*key, None)} is in {other} in {of_layer} and in {quoted(UNITS[unit])} in '
                                 f'{quoted(name)}: give both in one unit')
            if end == inf and (end := length_of(lengths or {}, key[1]) or inf) == inf:
                raise table.error(row, "it runs to the document's end, which is not known: "
                                       f'{end_repair(table.kind, key[1])}, or give its length')
            if end < start:
                raise table.error(row, f'it starts at {start:.12g}, but its document ends at {end:.12g}: correct one')
            found[key].append(Interval(number, ticks(start), ticks(end), values[row]))
    return {Group(*key, units.get(key, (None,))[0]): found[key]
            for key in sorted(found, key=lambda key: (_natural(key[0]), key))}


def _natural(id: str) -> list[Any]:
    """The key by which ids are sorted: numbers in them count by their size."""
    return [int(part) if place % 2 and len(part) < 4000 else part for place, part in enumerate(_DIGITS.split(id))]


def length_of(lengths: Mapping[str, float], document: str) -> float | None:
    """The length of a document, or None.

    Raises:
        ValueError: it is not a number above 0
    """
    length = lengths.get(document)
    if length is not None and not 0 < length < inf:
        raise ValueError(f'the length of document {quoted(document)} is {quoted(length)}: give a number above 0')
    return length


def content_of(table: SegmentTable, rel: float = -inf) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Query and document → the content that is judged with a relevance or more, in millionths, merged where it overlaps
    or touches; what runs to an end that is not known is left out."""
    found = defaultdict[tuple[str, str], list[tuple[int, int]]](list)
    for query, document, start, end, value in table.segments():
        if value >= rel and start < end < inf:
            found[query, document].append((ticks(start), ticks(end)))
    return {key: merged(intervals) for key, intervals in found.items()}


def total(content: Mapping[Any, Iterable[tuple[int, int]]]) -> int | float:
    """The length of all content."""
    return position(sum(end - start for spans in content.values() for start, end in spans))


def pieces(intervals: Iterable[Interval], layers: int) -> list[tuple[int, int, list[float | None]]]:
    """The pieces of the union of intervals between all their starts and ends, in order: start, end, and the highest
    value by each layer, None where a layer says nothing.
    """
    intervals = list(intervals)
    cuts = sorted({cut for interval in intervals for cut in interval[1:3]})
    found: list[tuple[int, int, list[float | None]]] = [
        (start, end, [None] * layers) for start, end in pairwise(cuts)]
    for layer, start, end, value in sorted(intervals, key=attrgetter('value')):  # so that the highest one stays
        for _, _, values in found[bisect_left(cuts, start):bisect_left(cuts, end)]:
            values[layer] = value
    return [piece for piece in found if any(value is not None for value in piece[2])]


def joined(parts: Iterable[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    """Sorted and disjoint parts (start, end, value), joined where one goes on from the one before it with its value."""
    found: list[tuple[int, int, Any]] = []
    for start, end, value in parts:
        if found and found[-1][1:] == (start, value):
            found[-1] = (found[-1][0], end, value)
        else:
            found.append((start, end, value))
    return found


def merged(intervals: Iterable[tuple[Any, Any]], touching: bool = True) -> list[tuple[Any, Any]]:
    """The union of intervals (start, end), in order; those that overlap are one, and if asked for those that touch."""
    found: list[tuple[Any, Any]] = []
    for start, end in sorted(intervals):
        if found and (start < found[-1][1] or (touching and start == found[-1][1])):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def pair_coefficients(pieces: Iterable[Piece], rel: float, label: Callable[[float], Any]) -> dict[str, float | None]:
    """The coefficients of two assessors for a query, None where one is not defined.

    Args:
        pieces: the content that both judged, document by document
        rel: the relevance from which content is relevant
        label: grade → what kappa compares
    """
    labels, relevant = defaultdict[Any, float](float), defaultdict[Any, float](float)  # by both → a length
    matched, spans = list[tuple[float, Any, Any]](), 0
    for _, of_document in groupby(pieces, key=attrgetter('group')):
        sides: tuple[list[Any], list[Any]] = ([], [])
        for _, start, end, grades in of_document:
            labels[tuple(map(label, grades))] += position(end - start)
            relevant[tuple(grade >= rel for grade in grades)] += position(end - start)
            for side, grade in zip(sides, grades):
                side += [(start, end, True)] if grade >= rel else []
        first, second = map(joined, sides)
        matched += matching(first, second)
        spans += len(first) + len(second)
    found = 2 * relevant[True, True] + relevant[True, False] + relevant[False, True]
    values = {'F1': 2 * relevant[True, True] / found if found else None, 'kappa': kappa(labels),
              'IoU': sum(iou for iou, _, _ in matched) / (spans - len(matched)) if spans else None}
    for place, edge in enumerate(('start', 'end')):
        shifts = [position(second[place] - first[place]) for _, first, second in matched]
        values[f'{edge}_shift'] = mean(shifts) if shifts else None
        values[f'{edge}_distance'] = mean(map(abs, shifts)) if shifts else None
    return values


def kappa(lengths: Mapping[Any, float]) -> float | None:
    """Cohen's kappa, in [-1, 1]; None where both say one and the same of everything, so that chance agrees fully too.

    Args:
        lengths: the grades by both assessors → the length of the content to which they give them
    """
    total = sum(lengths.values())
    expected = sum(length * other for (grade, _), length in lengths.items() for (_, same), other in lengths.items()
                   if same == grade) / total ** 2
    observed = sum(length for (one, other), length in lengths.items() if one == other) / total
    return None if expected >= 1 - 1e-12 else (observed - expected) / (1 - expected)


def matching(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[float, Any, Any]]:
    """The best one-to-one matching of spans (start, end, …) in one document: the one with the greatest sum of IoU.
    Spans without common content do not match.

    Returns:
        the IoU of each pair, and the pair

    Raises:
        ImportError: SciPy is not installed
    """
    shared = np.array([[max(0, min(one[1], other[1]) - max(one[0], other[0])) for other in second] for one in first])
    if not shared.any():
        return []
    length = np.array([[one[1] - one[0] + other[1] - other[0] for other in second] for one in first])
    iou = shared / (length - shared)
    pairs = zip(*scipy_module('optimize').linear_sum_assignment(iou, maximize=True))
    return [(float(iou[pair]), first[pair[0]], second[pair[1]]) for pair in pairs if iou[pair] > 0]


def alpha(units: Sequence[Sequence[float | None]], level: str) -> float | None:
    """Krippendorff's alpha, at most 1; None where only one grade is used, or no unit was judged twice.

    Args:
        units: for each unit the grade by each assessor, or None
        level: ``'nominal'`` or ``'ordinal'``

    Raises:
        ImportError: krippendorff is not installed
    """
    package = needed('krippendorff', "the coefficient 'alpha' needs krippendorff", 'agreement')
    given = [unit for unit in units if sum(grade is not None for grade in unit) > 1]
    used = sorted({grade for unit in given for grade in unit if grade is not None})
    counts = np.array([[unit.count(grade) for grade in used] for unit in given])
    return None if len(used) < 2 else float(
        package.alpha(value_counts=counts, value_domain=np.array(used), level_of_measurement=level))


def gamma(assessors: Sequence[Sequence[tuple[float, float, Any]]], seed: int = 0) -> float | None:
    """Gamma, at most 1; None where no assessor has a span.

    The dissimilarity of two spans is the positional one, plus 1 where their categories differ. Chance is sampled as the
    paper has it, by shifting what each assessor marked.

    Args:
        assessors: the spans (start, end, category) of each assessor on one line
        seed: of the samples

    Raises:
        ImportError: pygamma-agreement is not installed
    """
    if not any(assessors):
        return None
    package = needed('pygamma_agreement', "the coefficient 'gamma' needs pygamma-agreement", 'agreement')
    segment = import_module('pyannote.core').Segment
    continuum = package.Continuum()
    for number, spans in enumerate(assessors):
        continuum.add_annotator(f'{number:06d}')
        for start, end, kind in spans:
            continuum.add(f'{number:06d}', segment(start, end), str(kind))
    import_module('cvxopt.glpk').options['msg_lev'] = 'GLP_MSG_OFF'  # the solver writes to the standard output
    state, disabled = np.random.get_state(), logging.root.manager.disable
    logging.disable(logging.WARNING)  # by which pygamma-agreement says at each step which solver it takes
    np.random.seed(seed)  # pygamma-agreement draws from NumPy's global generator
    try:
        return float(continuum.compute_gamma(
            package.CombinedCategoricalDissimilarity(alpha=1, beta=1), precision_level=.05,  # as its authors have it
            sampler=package.ShuffleContinuumSampler('float_pivot')).gamma)
    finally:
        np.random.set_state(state)
        logging.disable(disabled)
