"""Pools: what the assessors of a campaign judge, made of the first results of the runs that take part.

Depth-K pools are those of TREC (Spärck Jones & van Rijsbergen 1975); pools by rank-biased precision are Method A of
Moffat, Webber & Zobel (SIGIR 2007), by reciprocal ranks the fusion of Cormack, Clarke & Büttcher (SIGIR 2009).
"""

from collections.abc import Iterator, Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import (
    Spans,
    clusters,
    first_ending_after,
    first_starting_from,
    merged_spans,
    range_pairs,
)
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import warn
from ir_segmeasures.study.campaign.judging_units import Pool
from ir_segmeasures.study.campaign.layers import Layer, Layers, lay, length_of, pieces, spans_at, without
from ir_segmeasures.study.campaign.transcript_cuts import cut_long
from ir_segmeasures.study.progress import with_progress
from ir_segmeasures.study.statistics import check_choice

__all__ = ['JUDGING_UNITS', 'SELECTIONS', 'pool', 'top_results']

JUDGING_UNITS = ('joined', 'atoms', 'as-returned')
SELECTIONS = ('depth', 'rrf', 'rbp')
_RRF = 60  # as Cormack, Clarke & Büttcher have it


def pool(runs: Mapping[str, Any], depth: int, units: str = 'joined', by: str = 'depth', segments: int | None = None,
         budget: float | None = None, p: float = 0.8, longest: float | None = None, margin: float = 0,
         point: float = 0, judged: Any = None, lengths: Mapping[str, float] | None = None,
         transcripts: Mapping[str, Any] | None = None, seed: int = 0, progress: bool = False) -> Pool:
    """The pool of the first results of all runs for each query, as units that an assessor judges.

    Every moment of these results lies in a unit or in judged content, unless a budget leaves units out. No unit lies in
    judged content.

    Args:
        runs: name of a run → the run, in any shape of ir-measures; runs may be made while the mapping is walked
        depth: how many results of each run are taken for each query, from the first rank
        units: ``'joined'``: stretches of results that are linked by common content (touching ones share none);
            ``'atoms'``: the pieces of these stretches between all starts and ends; ``'as-returned'``: the different
            results as they are, which may overlap
        by: ``'depth'`` takes all units. ``'rrf'`` and ``'rbp'`` take those of the greatest weight within a budget: the
            sum over the runs that returned a part of it, each with its best rank r, of 1 / (60 + r) or of
            (1 − p) p^(r − 1)
        segments: the budget for each query, in units
        budget: the budget for each query, in the unit of positions: seconds, characters … The first unit that goes
            beyond it ends the query's pool
        p: the persistence of ``'rbp'``, in (0, 1)
        longest: joined stretches that are longer are cut into parts of at most this length
        margin: how much of the document before and after a unit is its context. Context is not judged: it may overlap
            that of other units and never joins them. It ends where the document does, if its length is known
        point: how long the stretch is that is judged from an entry point, which has no content itself
        judged: qrels; content with a judgement of relevance 0 or more is left out, so that a pool of late runs holds
            what is new in them
        lengths: document → length, of the whole collection, for results that run to a document's end, and for the share
            of the collection
        transcripts: document → lines (start, end, text) in seconds, for cuts between sentences and in silences; other
            documents are cut evenly
        seed: of the order of the units of a query, which tells nothing of ranks and runs
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: no run, a setting that is none, a unit longer than the budget, or runs that speak of a document in
            two units
        RowError: rows that are no segments, an entry point without ``point``, or a result that runs to the end of a
            document of unknown length

    Warns:
        SegmentWarning: a run is empty, or units go beyond the lengths of the documents

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import pool
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> units = pool(runs, depth=3)
        >>> units[0].query_id, units[0].doc_id, units[0].ranks
        ('q1', 'bread-01#t=60,146.1', {'poor': [2]})
        >>> for cost in units.costs():
        ...     print(cost.run, cost.units, cost.alone, round(cost.hours, 2))
        None 38 None 0.75
        good 23 15 0.35
        poor 23 15 0.63
    """
    _check(runs, depth, units, by, segments, budget, p, longest, margin, point)
    layers = lay(_layers(runs, depth, point, judged, progress), lengths)
    names = layers.names[:-1]
    returned = np.flatnonzero(layers.layer < len(names))
    end = layers.end + np.where(layers.end == layers.start, point, 0)
    results = Spans(layers.group[returned], layers.start[returned], end[returned])
    spans, item, unit = _units(results, units)
    if longest is not None:
        spans = cut_long(spans, layers.groups, longest, transcripts)
        item, unit = _meeting(results, spans)
    rest = np.flatnonzero((layers.layer == len(names)) & (end > layers.start))
    if len(rest):
        spans, parent = without(spans, merged_spans(layers.group[rest], layers.start[rest], end[rest]))
        item, unit = _meeting(results, spans) if units != 'as-returned' else _inherited(item, unit, parent)
    returns = _returns(layers, returned[item], unit)
    drawn = _drawn(layers, spans, seed)
    if by != 'depth':
        kept = _within_budget(layers, spans, returns, drawn, by, p, segments, budget)
        drawn = drawn[kept[drawn]]
    last = np.array([length_of(lengths or {}, id) or np.inf for id in layers.groups.document_ids])[
        layers.groups.document[spans.group]]
    context = [np.maximum(0, np.round(spans.start - margin, 9)),
               np.round(np.maximum(spans.end, np.minimum(spans.end + margin, last)), 9)]
    number = np.full(len(spans.group), -1)
    number[drawn] = np.arange(len(drawn))
    returns[0] = number[returns[0]]
    returns = returns[:, returns[0] >= 0]
    returns = returns[:, np.argsort(returns[0], kind='stable')]
    collection = None
    if lengths and _within(layers, spans, last):
        queries = np.flatnonzero(np.bincount(layers.groups.query[results.group]))
        collection = sum(length_of(lengths, document) or 0 for document in lengths) * len(queries)
    return Pool(names, layers.groups, spans_at(spans, drawn), [side[drawn] for side in context],
                returns, collection)


def _check(runs: Mapping[str, Any], depth: Any, units: Any, by: Any, segments: Any, budget: Any, p: Any, longest: Any,
           margin: Any, point: Any) -> None:
    """Raises ValueError for a setting that is none of those that there are."""
    if not runs:
        raise ValueError('there is no run to pool: give at least one')
    for name, value, choices in (('units', units, JUDGING_UNITS), ('by', by, SELECTIONS)):
        check_choice(name, value, choices)
    for name, value in (('depth', depth), ('segments', segments)):
        if not (name == 'segments' and value is None) and not (_is(value, Integral) and value >= 1):
            raise ValueError(f'{name}={quoted(value)} is no number of {"results" if name == "depth" else "units"}: '
                             'give a whole number from 1 up')
    for name, value, low in (('budget', budget, False), ('longest', longest, False), ('margin', margin, True),
                             ('point', point, True)):
        if value is not None and not (_is(value, Real) and isfinite(value) and (value > 0 or (low and value == 0))):
            raise ValueError(f'{name}={quoted(value)} is no length: give a number {"from" if low else "above"} 0')
    if not (_is(p, Real) and 0 < p < 1):
        raise ValueError(f'p={quoted(p)} is no persistence: give a number between 0 and 1, such as 0.8')
    if (by == 'depth') != (segments is None and budget is None):
        raise ValueError(f'by={by!r} {"takes all units" if by == "depth" else "has no budget"}: give segments= or '
                         "budget= with by='rrf' or 'rbp', and neither with by='depth'")
    if longest is not None and units != 'joined':
        raise ValueError(f"longest={quoted(longest)} cuts joined stretches, but units={units!r}: leave out longest, or "
                         "take units='joined'")


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool | np.bool_)


def _layers(runs: Mapping[str, Any], depth: int, point: float, judged: Any, progress: bool) -> Iterator[Layer]:
    """The first results of each run with their ranks, and the judged segments last."""
    for name in with_progress(runs, progress):
        table = SegmentTable.from_run(from_pyterrier(runs[name]))
        if not len(table):
            warn([f'run {quoted(str(name))} is empty, so that the pool has nothing of it: check the file and its '
                  'format'])
        rows, rank = top_results(table, depth)
        empty = table.end[rows] == table.start[rows]
        if not point and empty.any():
            raise table.error(int(rows[np.argmax(empty)]), 'it is an entry point, which has no content to judge: give '
                                                           'point=, the length of what is judged from there')
        yield Layer(str(name), table, rows, rank)
    table = SegmentTable.from_qrels([] if judged is None else from_pyterrier(judged))
    yield Layer('judged', table, np.flatnonzero(table.value >= 0))


def top_results(run: SegmentTable, depth: int) -> tuple[Ints, Ints]:
    """The rows of the first ``depth`` results of each query, and their ranks, from 1."""
    first = np.searchsorted(run.query, np.arange(len(run.query_ids)))
    rank = np.arange(1, len(run) + 1) - first[run.query]
    rows = np.flatnonzero(rank <= depth)
    return rows, rank[rows]


def _units(results: Spans, units: str) -> tuple[Spans, Ints, Ints]:
    """The units, sorted, and pairs of a result and a unit that it is in, or that holds a part of it."""
    places = np.arange(len(results.group))
    if units == 'atoms':
        spans = pieces(*results)
        return spans, *_meeting(results, spans)
    if units == 'joined':
        number = clusters(*results)
        first = np.zeros(number.max(initial=-1) + 1, np.intp)
        first[number] = places
        start, end = results.start[first], results.end[first]
        np.minimum.at(start, number, results.start)
        np.maximum.at(end, number, results.end)
        return Spans(results.group[first], start, end), places, number
    order = np.lexsort((results.end, results.start, results.group))
    changed = np.ones(len(order), bool)
    changed[1:] = np.any([column[order[1:]] != column[order[:-1]] for column in results], axis=0)
    number = np.empty(len(order), np.intp)
    number[order] = np.cumsum(changed) - 1
    return spans_at(results, order[changed]), places, number


def _meeting(results: Spans, spans: Spans) -> tuple[Ints, Ints]:
    """Pairs of a result and one of the disjoint spans that share content."""
    first = first_ending_after(spans, results.group, results.start)
    return range_pairs(first, np.maximum(first_starting_from(spans, results.group, results.end) - first, 0))


def _inherited(item: Ints, unit: Ints, parent: Ints) -> tuple[Ints, Ints]:
    """Pairs of a result and a part of its unit, of parts that stand unit by unit."""
    first = np.searchsorted(parent, unit)
    one, part = range_pairs(first, np.searchsorted(parent, unit, 'right') - first)
    return item[one], part


def _returns(layers: Layers, item: Ints, unit: Ints) -> Ints:
    """Unit, run and rank of each result in each unit, in this order, as three rows."""
    rank = layers.value[item].astype(np.intp)
    run = layers.layer[item].astype(np.intp)
    most, runs = int(rank.max(initial=0)) + 1, len(layers.names)
    number = np.sort((unit * runs + run) * most + rank)
    rest, rank = np.divmod(number, most)
    return np.stack([*np.divmod(rest, runs), rank])


def _drawn(layers: Layers, spans: Spans, seed: int) -> Ints:
    """The units query by query, in an order that is drawn for each query and does not depend on the others."""
    query = layers.groups.query[spans.group]  # sorted, as groups are
    order = np.arange(len(query))
    bounds = np.searchsorted(query, np.arange(len(layers.groups.query_ids) + 1)).tolist()
    for query_id, low, high in zip(layers.groups.query_ids, bounds, bounds[1:]):
        np.random.default_rng([seed, *query_id.encode()]).shuffle(order[low:high])
    return order


def _within_budget(layers: Layers, spans: Spans, returns: Ints, drawn: Ints, by: str, p: float, segments: int | None,
                   budget: float | None) -> Bools:
    """Whether each unit is among those of the greatest weight of its query that the budget has room for."""
    unit, run, rank = returns
    best = np.ones(len(unit), bool)
    best[1:] = (unit[1:] != unit[:-1]) | (run[1:] != run[:-1])
    unit, rank = unit[best], rank[best]
    order = np.lexsort((rank, unit))  # a sum must not depend on the order of the runs
    share = 1 / (_RRF + rank[order]) if by == 'rrf' else (1 - p) * p ** (rank[order] - 1.)
    weight = np.bincount(unit[order], share, len(spans.group))
    kept = np.zeros(len(spans.group), bool)
    query = layers.groups.query[spans.group[drawn]]
    bounds = np.searchsorted(query, np.arange(len(layers.groups.query_ids) + 1)).tolist()
    for query_id, low, high in zip(layers.groups.query_ids, bounds, bounds[1:]):
        ranked = drawn[low:high][np.argsort(-weight[drawn[low:high]], kind='stable')][:segments]
        if budget is not None:
            length = np.cumsum(spans.end[ranked] - spans.start[ranked])
            ranked = ranked[:np.searchsorted(length, budget * (1 + 1e-9), 'right')]
            if not len(ranked) and low < high:
                raise ValueError(f'the first unit of query {quoted(query_id)} is {length[0]:.12g} long, more than the '
                                 f'budget of {budget:.12g}: give longest=, to cut it, or a larger budget')
        kept[ranked] = True
    return kept


def _within(layers: Layers, spans: Spans, last: Floats) -> bool:
    """Whether the lengths of all documents of units are known. Warns where they are not, or units end after them."""
    sentences = []
    for which, what in ((np.isinf(last), 'are in a document without a length, so that the share of the collection is '
                                         'not known'),
                        (spans.end > last, 'end after their document does')):
        if which.any():
            named = layers.groups.named(int(spans.group[np.argmax(which)]))
            sentences.append(f'{which.sum()} of {len(which)} units {what}, such as in {named}: check the lengths')
    warn(sentences)
    return not np.isinf(last).any()
