"""Pools: what the assessors of a campaign judge, made of the first results of the runs that take part. Long stretches
are cut where one speaks, at the ends of sentences and in silences, else into equal parts.

Depth-K pools are those of TREC (Spärck Jones & van Rijsbergen 1975); pools by rank-biased precision are Method A of
Moffat, Webber & Zobel (SIGIR 2007), by reciprocal ranks the fusion of Cormack, Clarke & Büttcher (SIGIR 2009).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, groupby, pairwise
from math import gcd, inf
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import cut_out, quoted
from ir_segmeasures.segments.segment import COUNTED, seconds as position, ticks
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn
from ir_segmeasures.study.campaign import layers
from ir_segmeasures.study.scores import with_progress
from ir_segmeasures.study.statistics import check_choice, check_level, check_setting

__all__ = ['JUDGING_UNITS', 'SELECTIONS', 'JudgingUnit', 'Pool', 'PoolCost', 'pool']

JUDGING_UNITS = ('joined', 'atoms', 'as-returned')
SELECTIONS = ('depth', 'rrf', 'rbp')
_RRF = 60  # as Cormack, Clarke & Büttcher have it
_SENTENCE_ENDS = ('.', '!', '?', '…', '。', '！', '？')
_QUOTES = '"\'”’»)]'
Boundary = tuple[bool, int, int]  # whether a sentence ends there, how long the silence is, where it is


class JudgingUnit(NamedTuple):
    """A stretch of a document that is judged for a query.

    Attributes:
        query_id: the query
        doc_id: the id of the stretch as a segment; of bare columns, which have no unit, the id of the document
        start, end: half-open, in the unit of the runs
        context_start, context_end: what is shown with it, from ``start`` less the margin to ``end`` and the margin
        ranks: name of a run → the ranks of its results that share content with the unit (of a pool as returned: that
            are the unit), from the best; runs that returned nothing of it are left out
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    context_start: float
    context_end: float
    ranks: Mapping[str, list[int]]


class PoolCost(NamedTuple):
    """The cost of a pool, or of the units in it that a run returned.

    Attributes:
        run: the name of the run; None for the whole pool
        units: the number of units, of a run of those that it returned
        alone: the number of units that no other run returned; None for the whole pool
        length: the length of all these units, in the unit of positions
        hours: the same in hours; None where positions are not seconds
        share: the content of these units, for each query of the pool, as a share of the collection, in [0, 1]; None
            where the lengths of its documents are not known
    """
    run: str | None
    units: int
    alone: int | None
    length: float
    hours: float | None
    share: float | None


class Pool(list[JudgingUnit]):
    """A pool: its units, query by query in the order in which they are judged.

    :func:`~ir_segmeasures.study.pool` makes it.

    Attributes:
        runs: the names of the runs
        timed: whether all positions are seconds
        collection: the length of all documents of the collection, once for each query, if it is known
    """

    def __init__(self, units: Sequence[JudgingUnit], runs: Sequence[str], timed: bool, collection: float | None):
        super().__init__(units)
        self.runs, self.timed, self.collection = list(runs), timed, collection

    def __repr__(self) -> str:
        return f'<{type(self).__name__} of {len(self)} units from {len(self.runs)} runs>'

    def judgements(self, relevance: float = -1) -> list[layers.Judgement]:
        """The units as qrels with one relevance, by default -1, which TREC's pools have where nothing is judged."""
        return [layers.Judgement(*unit[:4], relevance) for unit in self]

    def costs(self) -> list[PoolCost]:
        """The costs of the pool, first as a whole, then for each run."""
        costs = []
        for run in (None, *self.runs):
            mine = [unit for unit in self if run is None or run in unit.ranks]
            alone = None if run is None else sum(len(unit.ranks) == 1 for unit in mine)
            length = position(sum(ticks(unit.end) - ticks(unit.start) for unit in mine))
            share = None
            if self.collection:  # units may overlap as they were returned
                rows = [layers.Judgement(*unit[:4], 1) for unit in mine]
                share = layers.total(layers.content_of(SegmentTable.from_qrels(rows))) / self.collection
            costs.append(PoolCost(run, len(mine), alone, length, length / 3600 if self.timed else None, share))
        return costs


def pool(runs: Mapping[str, Any], depth: int, units: str = 'joined', by: str = 'depth', segments: int | None = None,
         budget: float | None = None, p: float = 0.8, longest: float | None = None, margin: float = 0,
         point: float = 0, judged: Any = None, lengths: Mapping[str, float] | None = None,
         transcripts: Mapping[str, Any] | None = None, collection: float | None = None, seed: int = 0,
         progress: bool = False) -> Pool:
    """The pool of the first results of all runs for each query, as units that an assessor judges.

    Every moment of these results lies in a unit or in judged content, unless a budget leaves units out. No unit lies in
    judged content.

    Args:
        runs: name of a run → the run, in any shape of ir-measures
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
        collection: the length of the whole collection; not given: the sum of ``lengths``
        seed: of the order of the units of a query, which says nothing about ranks and runs
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: no run, a setting that cannot be, a unit longer than the budget, or runs that speak of a document in
            two units
        RowError: rows that are not segments, an entry point without ``point``, or a result that runs to the end of a
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
    if not runs:
        raise ValueError('there is no run to pool: give at least one')
    check_choice('units', units, JUDGING_UNITS)
    check_choice('by', by, SELECTIONS)
    for name, number in (('depth', depth), ('segments', segments)):
        check_setting(name, number, number is None or number >= 1, 'a whole number from 1 up')
    for name, above in (('budget', budget), ('longest', longest)):
        check_setting(name, above, above is None or 0 < above < inf, 'a number above 0')
    for name, length in (('margin', margin), ('point', point)):
        check_setting(name, length, 0 <= length < inf, 'a number from 0')
    check_level('p', p, 0.8)
    if (by == 'depth') != (segments is None and budget is None):
        raise ValueError(f'by={by!r} {"takes all units" if by == "depth" else "has no budget"}: give segments= or '
                         "budget= with by='rrf' or 'rbp', and neither with by='depth'")
    if longest is not None and units != 'joined':
        raise ValueError(f"longest={quoted(longest)} cuts joined stretches, but units={units!r}: take units='joined'")
    names, lengths = list(map(str, runs)), lengths or {}
    by_query = defaultdict[str, list[JudgingUnit]](list)
    timed, unknown, beyond = True, list[layers.Group](), list[layers.Group]()
    boundaries = cache(lambda document: list(_boundaries((transcripts or {}).get(document) or ())))  # once a document
    for group, intervals in layers.lay(_layers(runs, depth, point, judged, progress), lengths).items():
        results = sorted((interval if interval.start < interval.end else interval._replace(
            end=interval.start + ticks(point)) for interval in intervals if interval.layer < len(names)),
            key=attrgetter('layer', 'value'))
        results = [interval for interval in results if interval.start < interval.end]
        timed = timed and (group.unit == 't' or not results)
        last = layers.length_of(lengths, group.document)
        for span in _spans(results, units, group, longest, boundaries):
            starts, ends = [span[0]], [span[1]]
            for interval in intervals:
                if interval.layer == len(names):
                    cut_out(starts, ends, interval.start, interval.end)
            for start, end in zip(starts, ends):
                mine = [each for each in results if (each[1:3] == span if units == 'as-returned' else
                                                     each.start < end and each.end > start)]
                room = ticks(margin) if last is None else max(0, min(ticks(margin), ticks(last) - end))
                by_query[group.query_id].append(JudgingUnit(
                    *group.stretch(start, end), position(max(0, start - ticks(margin))), position(end + room),
                    {names[layer]: [int(each.value) for each in of_run]
                     for layer, of_run in groupby(mine, attrgetter('layer'))}))
                if last is None or end > ticks(last):
                    (unknown if last is None else beyond).append(group)
    found: list[JudgingUnit] = []
    for query_id, of_query in by_query.items():
        order = np.arange(len(of_query))  # drawn for each query, whatever the others have
        np.random.default_rng([seed, *query_id.encode()]).shuffle(order)
        drawn = [of_query[place] for place in order.tolist()]
        found += drawn if by == 'depth' else _within_budget(query_id, drawn, by, p, segments, budget)
    number = sum(map(len, by_query.values()))
    warn(f'{len(groups)} of {number} units {what}, such as in {groups[0]}: check the lengths' for groups, what in (
        (unknown, 'are in a document without a length, so that the share of the collection is not known'),
        (beyond, 'end after their document does')) if groups and lengths)
    if collection is None:
        collection = sum(layers.length_of(lengths, document) or 0 for document in lengths)
    return Pool(found, names, timed, collection * len(by_query) if lengths and not unknown else None)


def _layers(runs: Mapping[str, Any], depth: int, point: float, judged: Any, progress: bool) -> Iterator[layers.Layer]:
    """The first results of each run with their ranks, and the judged segments last."""
    for name in with_progress(runs, progress):
        table = SegmentTable.from_run(from_pyterrier(runs[name]))
        if not len(table):
            warn([f'run {quoted(str(name))} is empty, so that the pool has nothing of it: check the file'])
        rank = np.arange(len(table)) - np.searchsorted(table.query, table.query) + 1
        first = np.flatnonzero(rank <= depth)
        points = first[table.start[first] == table.end[first]]
        if len(points) and not point:
            raise table.error(int(points[0]), 'it is an entry point, which has no content to judge: give point=, the '
                                              'length of what is judged from there')
        yield str(name), table, dict(zip(first.tolist(), rank[first].tolist()))
    table = SegmentTable.from_qrels([] if judged is None else from_pyterrier(judged))
    yield 'judged', table, {row: 0 for row, value in enumerate(table.value.tolist()) if value >= 0}


def _spans(results: Sequence[layers.Interval], units: str, group: layers.Group, longest: float | None,
           boundaries: Callable[[str], list[Boundary]]) -> list[tuple[int, int]]:
    """The units of a document, sorted."""
    if units == 'as-returned':
        return sorted({(each.start, each.end) for each in results})
    if units == 'atoms':
        return [(start, end) for start, end, _ in layers.pieces([each._replace(layer=0) for each in results], 1)]
    spans = layers.merged(((each.start, each.end) for each in results), touching=False)
    return spans if longest is None else [part for span in spans for part in parts_of(
        *span, group, longest, boundaries)]


def _within_budget(query_id: str, units: Sequence[JudgingUnit], by: str, p: float, segments: int | None,
                   budget: float | None) -> list[JudgingUnit]:
    """The units of the greatest weight of a query that the budget has room for, in their order."""
    def weight(place: int) -> float:
        best = sorted(ranks[0] for ranks in units[place].ranks.values())  # the order of the runs changes no sum
        return sum(1 / (_RRF + rank) if by == 'rrf' else (1 - p) * p ** (rank - 1.) for rank in best)
    ranked = sorted(range(len(units)), key=weight, reverse=True)[:segments]
    if budget is not None:
        length = [position(total) for total in accumulate(
            ticks(units[place].end) - ticks(units[place].start) for place in ranked)]
        ranked = [place for place, total in zip(ranked, length) if total <= budget * (1 + 1e-9)]
        if not ranked and units:
            raise ValueError(f'the first unit of query {quoted(query_id)} is {length[0]:.12g} long, more than the '
                             f'budget of {budget:.12g}: give longest=, to cut it, or a larger budget')
    return [units[place] for place in sorted(ranked)]


def parts_of(start: int, end: int, group: layers.Group, longest: float,
             boundaries: Callable[[str], list[Boundary]]) -> list[tuple[int, int]]:
    """The parts of at most ``longest`` of a stretch, in order. Each cut is in the second half of the room, at the end
    of a sentence if there is one, there in the longest silence, of equal ones the last; where nothing is between lines,
    the rest is cut evenly.

    Args:
        start, end: in millionths
        group: whose stretch it is
        longest: in the unit of positions, > 0; of characters, words, lines and pages at least 1
        boundaries: document → the places between the lines of its transcript

    Raises:
        ValueError: parts of characters, words, lines or pages are to be shorter than 1
    """
    if end - start <= ticks(longest):
        return [(start, end)]
    timed = group.unit in (None, 't')
    if not timed and longest < 1:
        raise ValueError(f'longest={longest:g}, but {group} is in whole {COUNTED[group.unit or ""]}: give 1 or more')
    most = ticks(longest if timed else int(longest))
    near = [boundary for boundary in boundaries(group.document) if timed and start < boundary[2] < end]
    cuts = [start]
    while end - cuts[-1] > most:
        within = [boundary for boundary in near if cuts[-1] + most // 2 < boundary[2] <= cuts[-1] + most]
        # The first of the fewest parts that are about equal: whole where all is, else in thousandths or millionths.
        grid = next(grid for grid in (10 ** 6, 10 ** 3, 1) if gcd(cuts[-1], end, most) % grid == 0)
        even = cuts[-1] + (end - cuts[-1]) // grid // -((cuts[-1] - end) // most) * grid
        cuts.append(max(within)[2] if within else even)
    return list(pairwise([*cuts, end]))


def _boundaries(lines: Any) -> Iterator[Boundary]:
    """The places between the lines of a transcript: the middle of a silence, or where the next line starts."""
    reach = 0
    for line, following in pairwise(lines):
        reach = max(reach, ticks(line.end))
        begins = ticks(following.start)
        silence = max(0, begins - reach)
        at = begins - silence // 2
        at -= at % 1000 if silence > 2000 else 0  # a thousandth of a second is exact enough
        yield line.text.rstrip().rstrip(_QUOTES).endswith(_SENTENCE_ENDS), silence, at
