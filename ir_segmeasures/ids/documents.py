"""Runs for measures of documents: a run aligned with judged segments, or a run of documents made of one of segments.

Measures for documents (nDCG, RR, AP … of ir-measures) compare ids, so on raw segment ids they find next to nothing, and
on the ids of bare documents they score each document by an arbitrary one of its rows. :func:`align` gives retrieved
segments the ids of the judged ones that they meet; :func:`to_documents` retrieves documents instead of segments; bare
columns become ids by :func:`~ir_segmeasures.ids.encoding.with_ids`. This project defines all of these.
"""

from collections.abc import Iterable
from itertools import pairwise
from math import fsum, inf
from numbers import Real
from typing import Any

import numpy as np

from ir_segmeasures.ids.alignment import Assignment, ReadRows, unique_ids
from ir_segmeasures.ids.encoding import check_unit, segment_ids, with_new_ids
from ir_segmeasures.ids.ties import counted_ranks
from ir_segmeasures.segments.basics import Floats, Ints, quoted
from ir_segmeasures.segments.segment import UNITS, lines_behind_colon
from ir_segmeasures.segments.tables.adapters import TIMES, Adapter, adapter_of
from ir_segmeasures.segments.tables.columns import Columns
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable
from ir_segmeasures.segments.warnings import empty_warning, nothing_in_common

_SAME = 20  # of how many items in judged documents one is judged itself, where all systems return the same segments
_NEAR = 0.75  # from which IoU on a judged segment is what an item was to be; runs are aligned by less, mostly


def align(run: Any, qrels: Any, by: str = 'overlap', threshold: float | None = None, unit: str | None = None,
          matching: str = 'greedy') -> Any:
    """Gives the items of a run the ids of the judged segments that they meet, so that every measure of ir-measures,
    graded nDCG included, has its meaning on the aligned run and these qrels. Source: this project defines it.

    The items of a query choose in rank order (by score, descending, ties in the order of the input). Each takes one
    judged segment of its document that no better item took, of any relevance: that with which it shares most content
    or has the highest intersection over union (IoU). Those that meet none keep their own id, and count as not judged.

    - Equal overlap: the higher IoU (so the shorter judged segment); equal IoU: the greater overlap. If both are equal:
      the segment with the item's own id, then the one that stands first in the qrels.
    - An entry point has no content and meets nothing. An end that no id has counts as later than all others.
    - No id stands twice in a query of the result: an item that meets none, and whose own id another item took or had
      before, gets it with a path that says so, ``v#xpath=/repeat[2]&t=12.5,60``, which is still that segment.
    - A judged id that stands twice in a query is one segment; the measure decides which of its relevances counts.

    Args:
        run: in any of the shapes that :meth:`SegmentTable.from_run <ir_segmeasures.SegmentTable.from_run>` takes; bare
            documents with ``start`` and ``end`` (or ``length``) get segment ids
        qrels: in any of these shapes (``relevance``), with segment ids; bare columns get them from :func:`with_ids`
        by: ``'overlap'`` (any content in common) or ``'iou'``
        threshold: for ``by='iou'`` alone, and required there: the least IoU, above 0 and at most 1
        unit: of a run with bare columns, ``'t'`` (seconds), ``'char'``, ``'word'``, ``'line'`` or ``'page'``; not
            given: that of the qrels' ids, or seconds where they have none
        matching: ``'greedy'``, as above, which measures of rankings take (AP as ActivityNet and TVR-Ranking have it);
            or for ``by='iou'`` ``'optimal'``, which matches as many items and judged segments as can be, those of the
            highest grades first, as sed_eval and DCASE do for measures of sets, such as SetF

    Returns:
        The shape of the run (a list for any iterable of rows), rows in the order of the input, other columns as they
        were. Frames, tables and dicts lose ``start``, ``end`` and ``length``, since the id is the truth; named tuples
        and dataclasses keep these fields, with the values of the new id.

    Raises:
        ValueError: another ``by`` or ``unit``, a threshold out of range, missing or of no use, qrels with bare columns,
            or missing columns
        RowError: rows that are not segments, a relevant judgement without content, a document of a query in two units,
            and open ends without which two segments cannot be compared
        TypeError: an input in none of the shapes (a ``SegmentTable`` has no ids to change)

    Examples:
        >>> from ir_measures import nDCG, calc_aggregate
        >>> from ir_segmeasures import align
        >>> qrels = {'q1': {'v1#t=0,60': 2, 'v2#t=30,90': 1}}
        >>> run = {'q1': {'v2#t=40,100': 2.5, 'v1#t=5,50': 1.5, 'v3#t=0,60': 0.5}}
        >>> align(run, qrels)
        {'q1': {'v2#t=30,90': 2.5, 'v1#t=0,60': 1.5, 'v3#t=0,60': 0.5}}
        >>> calc_aggregate([nDCG@10], qrels, align(run, qrels))
        {nDCG@10: 0.8597...}
    """
    least = _least_iou(by, threshold)
    if matching not in ('greedy', 'optimal') or (matching == 'optimal' and least is None):
        raise ValueError(f"matching={quoted(matching)} with by={quoted(by)}: it is 'greedy', or by='iou' 'optimal'")
    if unit is not None:
        check_unit(unit)
    items, judged = _read(adapter_of(run, 'run')), _read(adapter_of(qrels, 'qrels'))
    if judged.bare:
        raise ValueError('the qrels have bare documents with start and end beside them, so that no id of theirs is one '
                         'segment: give them ids with qrels = with_ids(qrels), and measure with these')
    judged.table.refuse((judged.table.value > 0) & (judged.table.start == judged.table.end), (
        'a relevant judgement has no content, since it ends where it starts: give its end, or the relevance 0'))
    ids = items.ids
    if items.bare:
        unit = unit or _unit_of(judged.table)
        items = items._replace(table=items.table.in_unit(unit))
        ids = segment_ids(items.table, unit)
    assignment = Assignment(items.table, ids, judged, least)
    match = assignment.most() if matching == 'optimal' else assignment.taken()
    start, end = items.table.start.copy(), items.table.end.copy()
    found = match >= 0
    start[found], end[found] = judged.table.start[match[found]], judged.table.end[match[found]]
    return with_new_ids(items.rows, unique_ids(items.table, ids, judged, match), start, end)


def to_documents(run: Any, agg: str = 'max', *, kind: str | None = None) -> Any:
    """Turns a run of segments into a run of documents, with one row for each document of a query; qrels of segments
    become qrels of documents. Source: this project defines it, with the aggregations of passage retrieval (MaxP,
    FirstP, SumP).

    Args:
        run: in any of the shapes that :meth:`SegmentTable.from_run <ir_segmeasures.SegmentTable.from_run>` takes, in
            segment ids or bare documents; or qrels
        agg: the score of a document, from its retrieved segments: ``'max'`` (the best), ``'sum'`` and ``'mean'`` (of
            all; the sum takes scores that are 0 or more, since others would punish documents for every segment found),
            or ``'first'`` (the one that starts first *in the document*; of several that do, the best ranked)
        kind: ``'run'`` or ``'qrels'``; not given: qrels where rows have ``relevance`` and no ``score``, else a run (and
            a dict of dicts, which has neither, is a run)

    Returns:
        The shape it was given (a list for any iterable of rows), with bare documents as ids. Queries are in order of
        appearance, and the documents of a query by the new score, descending; documents of equal score are in the order
        of their best ranked items. Other columns are those of the document's best ranked item (for ``'first'``, of the
        item that gives the score). Frames, tables and dicts lose ``start``, ``end`` and ``length`` (a frame of pandas
        its index, too);
        named tuples and dataclasses keep these fields as those of a whole document, 0 and infinity. A ``rank`` is
        counted anew, from the least that there was.
        For qrels, whatever ``agg`` is: the first row of the highest relevance of each document, query by query, both in
        order of appearance.

    Raises:
        ValueError: another ``agg``, or missing columns
        RowError: rows that are not segments; an infinite score under ``'sum'`` and ``'mean'``, a negative one under
            ``'sum'``
        TypeError: an input in none of the shapes

    Examples:
        >>> from ir_segmeasures import to_documents
        >>> to_documents({'q1': {'v2#t=40,100': 2.5, 'v1#t=5,50': 1.5, 'v1#t=90,120': 1.25}}, 'sum')
        {'q1': {'v1': 2.75, 'v2': 2.5}}
        >>> to_documents({'q1': {'v1#t=0,60': 1, 'v1#t=90,120': 2}}, kind='qrels')
        {'q1': {'v1': 2}}
    """
    if agg not in _AGGREGATIONS:
        raise ValueError(f'agg={quoted(agg)}: how scores become the score of a document is one of '
                         f'{", ".join(map(repr, _AGGREGATIONS))}')
    rows = adapter_of(run, kind)
    judged = rows.kind == 'qrels'
    columns = Columns(rows, rows.kind)
    table = SegmentTable.from_columns(columns)
    if not judged:
        _check_scores(table, agg)
    picks, score = _best_items(table, agg)
    changed: dict[str, list[Any]] = {} if judged else {'score': score.tolist()}
    segments = np.flatnonzero(table.unit[picks] != NO_UNIT).tolist()
    if segments:
        changed['doc_id'], documents = columns.values('doc_id', picks), table.document[picks].tolist()
        for place in segments:
            changed['doc_id'][place] = table.document_ids[documents[place]]
    if 'rank' in rows.names and len(picks) and not judged:
        changed['rank'] = counted_ranks(rows, table.query[picks].tolist())
    if rows.fixed:
        whole = {'start': 0, 'end': inf, 'length': inf}
        changed |= {name: [value] * len(picks) for name, value in whole.items() if name in rows.names}
    found = rows.take(picks.tolist()).without(TIMES).assign(changed).rows
    return found.reset_index(drop=True) if hasattr(found, 'reset_index') else found


_AGGREGATIONS = 'max', 'sum', 'first', 'mean'


def _best_items(table: SegmentTable, agg: str) -> tuple[Ints, Floats]:
    """For each document of each query, the row that stands for it and its score, in the order of the result."""
    rows = np.lexsort((table.document, table.query))  # document by document
    key = (table.query * len(table.document_ids) + table.document)[rows]
    begin = np.flatnonzero(np.diff(key, prepend=-1))
    value, count = table.value[rows], np.diff(begin, append=len(rows))
    is_best = np.flatnonzero(value == np.repeat(np.maximum.reduceat(value, begin) if len(rows) else value, count))
    best = picks = rows[is_best[np.searchsorted(is_best, begin)]]  # the first of several
    if table.kind == 'qrels':
        order = np.lexsort((rows[begin], table.query[best]))
        return best[order], table.value[best[order]]
    if agg == 'first':
        picks = rows[np.lexsort((-value, table.start[rows], key))][begin]
    score = table.value[picks]
    if agg in ('sum', 'mean'):
        values, bounds = value.tolist(), [*begin.tolist(), len(rows)]
        # The sum is exact, so that the order of the segments makes no difference.
        score = np.array([fsum(values[low:high]) for low, high in pairwise(bounds)])
        score = score / count if agg == 'mean' else score
    order = np.lexsort((best, -table.value[best], -score, table.query[best]))
    return picks[order], score[order]


def document_measure_warning(
        measure: str, judged: Iterable[tuple[Any, ...]], items: Iterable[tuple[str, str]]) -> str | None:
    """The warning about a measure of documents, which compares ids, on segments where it loses something: where items
    share content with relevant segments that the run has under no id of theirs. So it is None for a run of the judged
    units, such as pages or fixed windows, and for one that is aligned. A run without a judged query has it, too.

    Args:
        measure: its name
        judged: queries, ids and maybe grades
        items: queries and ids of the run
    """
    known, found = {(query, id): (*grade, 1)[0] for query, id, *grade in judged}, list(items)
    retrieved = set(found)
    if none := no_query_warning(known, found):
        return none
    if not (known and found) or not any('#' in id or lines_behind_colon(id) for _, id in (*known, *found)):
        return (f'{measure} compares ids, and {len(found) - len(retrieved)} of the {len(found)} items of the run have '
                'that of an earlier one of their query, as times in columns are not part of it: write the times into '
                'the ids with with_ids() (pt.segments.encode() in a pipeline), or measure documents with to_documents()'
                if known and len(retrieved) < len(found) else None)
    documents = {(query, _document(id)) for query, id in known}
    same = sum(item in known for item in found)
    count = sum((query, _document(id)) in documents for query, id in found)
    others = [item for item in found if item not in known]
    is_own = same * _SAME < count  # whether they are segments of the system, near to no judged ones
    missed = [item for item, grade in known.items() if item not in retrieved and (grade > 0 or not is_own)]
    try:
        run, qrels = _columns(others, 'score'), _columns(missed, 'relevance')
        if not count:
            return nothing_in_common(Match(SegmentTable.from_qrels(qrels), SegmentTable.from_run(run)), 'documents')
        read, segments = _read(adapter_of(run, 'run')), _read(adapter_of(qrels, 'qrels'))
        taken = Assignment(read.table, read.ids, segments, None if is_own else _NEAR).taken().tolist()
        pairs = [(read.ids[item], missed[row]) for item, row in enumerate(taken) if row >= 0]
    except ValueError:  # elements without offsets, and other ids that are not segments
        pairs = [] if same else [(others[0][1], judgement) for judgement in missed]
    if not any(known[judgement] > 0 for _, judgement in pairs):
        return None
    example = quoted(pairs[0][0])
    if not same:
        share, effect = f'none of the {len(found)} items of the run is a judged one by its id', 'is 0'
    elif is_own:
        share = f'only {same} of the {count} items of the run in judged documents are judged ones by their id'
        effect = 'says little'
    else:
        share = (f'{len(pairs)} of the {len(found)} items of the run are nearly a judged segment (intersection over '
                 f'union of {_NEAR} or more) but have another id')
        effect, example = 'takes them as not judged', f'{example} for {quoted(pairs[0][1][1])}'
    return (f'{measure} compares ids, and {share}, such as {example}, so that it {effect}: give them the ids of the '
            'judged segments that they meet with align() (--align), or measure documents with to_documents()')


def no_query_warning(judged: Iterable[tuple[str, str]], items: Iterable[tuple[str, str]]) -> str | None:
    """The warning about a run, of queries and ids, that has none of the judged queries."""
    known, found = list(judged), list(items)
    if not known or not {query for query, _ in known}.isdisjoint(query for query, _ in found):
        return None
    qrels, run = (_columns([(query, 'any') for query, _ in rows], value) for rows, value in (
        (known, 'relevance'), (found, 'score')))
    table = SegmentTable.from_run(run)
    return empty_warning(table) or nothing_in_common(Match(SegmentTable.from_qrels(qrels), table), 'queries')


def _document(id: str) -> str:
    lines = lines_behind_colon(id)
    return id.partition('#')[0] if lines is None else lines.document


def _columns(pairs: list[tuple[str, str]], value: str) -> dict[str, list[Any]]:
    """Queries and ids as columns, in rank order."""
    return {'query_id': [query for query, _ in pairs], 'doc_id': [id for _, id in pairs],
            value: [*range(len(pairs), 0, -1)]}


def _read(rows: Adapter) -> ReadRows:
    columns = Columns(rows, rows.kind)
    table = SegmentTable.from_columns(columns)  # not from_run: the rows stay in the order of the input
    bare = columns.have_times() and bool((table.unit == NO_UNIT).any())
    return ReadRows(rows, table, columns.values('doc_id'), bare)


def _least_iou(by: str, threshold: Any) -> float | None:
    """The least intersection over union by the arguments of :func:`align`, or None for any overlap."""
    if by not in ('overlap', 'iou'):
        raise ValueError(f"by={quoted(by)}: what an item and a judged segment are compared by is 'overlap' or 'iou'")
    if by == 'overlap':
        if threshold is not None:
            raise ValueError(f"threshold={quoted(threshold)} has no meaning for by='overlap', where any content in "
                             "common counts: leave it out, or compare by='iou'")
        return None
    if not isinstance(threshold, Real) or isinstance(threshold, bool) or not 0 < threshold <= 1:  # type: ignore[operator]
        raise ValueError(f"threshold={quoted(threshold)}: by='iou' takes the least intersection over union, a number "
                         'above 0 and at most 1, such as threshold=0.5')
    return float(threshold)


def _check_scores(table: SegmentTable, agg: str) -> None:
    if agg in ('sum', 'mean'):
        table.refuse(~np.isfinite(table.value), f"the score is infinite, but agg={agg!r} adds: use 'max' or 'first'")
    if agg == 'sum':
        table.refuse(table.value < 0, "the score is negative (such as minus a rank), so that agg='sum' would punish a "
                     "document for every segment found: shift the scores to 0 or more, or use another agg")


def _unit_of(qrels: SegmentTable) -> str:
    units = sorted(qrels.units())
    if len(units) > 1:
        raise ValueError(f'the run has bare documents with start and end, and the qrels have ids in '
                         f'{" and ".join(repr(UNITS[unit]) for unit in units)}: say which the run is in with unit=…')
    return UNITS[units[0]] if units else 't'
