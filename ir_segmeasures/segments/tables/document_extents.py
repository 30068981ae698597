"""How far a run and its qrels reach into each document that both have, and documents in another unit than others."""

from math import log

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['FARTHER', 'FRAMES', 'found_ends', 'judged_ends', 'last_starts', 'lost_edges_warning', 'mean_lengths',
           'nearest_factor', 'odd_documents_warning']

FRAMES = (24, 25, 30, 50, 60)
# How many times as far one side reaches into a document, in how many of the documents that both have: in real runs in
# up to one of ten. It is less than the 24 pictures of a second.
FARTHER = 15
_MOST = 2  # of how many documents one may be far, where those that are odd are told from the others
_ODD = (8, 20)  # how many times as long or as short as usual the segments of a document are
# How many documents are odd and far, and which part of those that are odd: of real runs and runs made at random,
# up to four, or one of two.
_DOCUMENTS, _OF_ODD = 5, 0.6
_STARTS = 5  # different ones in fewer documents, which are all that are odd
# How many documents, and which part of those with so many rows, begin all at 0 and end elsewhere: of real ones up to
# 0.003. How many times as far as all others the one end is that some have.
_LOST, _OF_LOST, _ENDS, _PLACEHOLDER = 5, 0.03, 3, 10
_ELSEWHERE = 8  # of how many rows of the other documents one may start at 0, where windows are not cut off there
_ROWS = 1600  # from which on the usual length is that of each 16th row


def judged_ends(index: QrelsIndex) -> Floats:
    """The last end that is judged in each document; 0 where none is known."""
    return _last(index.qrels.document, index.qrels.end, len(index.qrels.document_ids))


def found_ends(match: Match) -> Floats:
    """The last end of the run in each judged document; 0 where none is known."""
    return _last(match.document, match.run.end, len(match.qrels.document_ids))


def last_starts(match: Match, sign: int) -> Floats:
    """The last start in each judged document, of the run (1) or of the qrels (-1); 0 without rows."""
    return match.cached(_found_starts) if sign > 0 else match.index.cached(_judged_starts)


def _judged_starts(index: QrelsIndex) -> Floats:
    return _last(index.qrels.document, index.qrels.start, len(index.qrels.document_ids))


def _found_starts(match: Match) -> Floats:
    return _last(match.document, match.run.start, len(match.qrels.document_ids))


def mean_lengths(match: Match, sign: int) -> tuple[Floats, float]:
    """The mean length of rows with a known end in each judged document, of the run (1) or of the qrels (-1), and the
    median length in all documents, or of some of these rows; 0 without rows."""
    return match.cached(_found_lengths) if sign > 0 else match.index.cached(_judged_lengths)


def _judged_lengths(index: QrelsIndex) -> tuple[Floats, float]:
    return _lengths(index.qrels, index.qrels.document, len(index.qrels.document_ids))


def _found_lengths(match: Match) -> tuple[Floats, float]:
    return _lengths(match.run, match.document, len(match.qrels.document_ids))


def _lengths(table: SegmentTable, document: Ints, count: int) -> tuple[Floats, float]:
    length = table.end - table.start
    known = np.isfinite(length)
    if not known.all():
        document, length = document[known], length[known]
    place = document + 1  # the first is that of documents that are not judged
    total, rows = np.bincount(place, length, count + 1)[1:], np.bincount(place, minlength=count + 1)[1:]
    sample = np.sort(length[::16 if len(length) > _ROWS else 1])
    return total / np.maximum(rows, 1), float(sample[len(sample) // 2]) if len(sample) else 0.


def _last(document: Ints, position: Floats, count: int) -> Floats:
    """The highest known position in each document; 0 where there is none."""
    last = np.zeros(count + 1)  # the last is that of documents that are not judged
    np.maximum.at(last, document, position if np.isfinite(position.sum()) else np.where(
        np.isfinite(position), position, 0))
    return last[:-1]


def odd_documents_warning(match: Match) -> str | None:
    """The warning about documents in which the rows of one side are many times as long or as short as its others, and
    as many times behind those of the other side or before them, as where a few documents are in another unit; None
    where there is no doubt.

    A system may cut some documents otherwise, and may find the beginning of some alone. Each is seldom, and where they
    are not of one cause, most documents that have the one have not the other. So most of those with odd lengths must
    be far from the other side, too, in several documents, or in all of them with several starts.
    """
    ends = {1: match.cached(found_ends), -1: match.index.cached(judged_ends)}
    both = np.flatnonzero((ends[1] > 0) & (ends[-1] > 0))
    for sign in (1, -1):  # of the side that is far behind
        high, low = ends[sign][both], ends[-sign][both]
        last = low.max(initial=0)
        far = both[(high > FARTHER * low) | (high > last)]
        if not len(far) or _MOST * len(far) > len(both):
            continue
        is_behind = last_starts(match, sign)[far] > np.minimum(FARTHER * ends[-sign][far], last)
        sentence = (_odd_lengths(match, sign, True, far[is_behind], both)
                    or _odd_lengths(match, -sign, False, far, both))
        if sentence:
            return sentence
    return None


def _odd_lengths(match: Match, sign: int, is_long: bool, far: Ints, both: Ints) -> str | None:
    """The sentence about odd documents among those in which the run (1) or the qrels (-1) are far from the other side;
    None where the lengths in these are as usual.

    Args:
        is_long: whether odd rows are long ones, and not short ones
        far, both: these documents, and all that both sides have
    """
    if not len(far):
        return None
    start, (length, usual) = last_starts(match, sign), mean_lengths(match, sign)
    if not usual:
        return None

    def times(documents: Ints) -> Floats:
        if is_long:
            return length[documents] / usual
        # Short rows at the very beginning are no other unit.
        return np.where(start[documents] > 0, usual / np.maximum(length[documents], 1e-9), 0)
    times_far = times(far)
    if not (times_far > _ODD[0]).any():
        return None
    times_both = times(both)
    for odd in _ODD:
        all_odd, documents = both[times_both > odd], far[times_far > odd]
        if not (len(documents) >= max(_DOCUMENTS, _OF_ODD * len(all_odd)) or (
                odd == _ODD[-1] and 0 < len(documents) == len(all_odd) and _starts(match, sign, documents) >= _STARTS)):
            continue
        factor = nearest_factor(times(documents))
        side = 'items of the run' if sign > 0 else 'judged segments'
        unit = ('milliseconds' if factor == 1000 else f'frames ({factor} or so a second)') if is_long else (
            'seconds, and the others milliseconds' if factor == 1000 else
            'minutes, or seconds and the others frames')
        first, behind = int(documents[0]), 'behind' if is_long else 'before'
        ends = (match.cached(found_ends)[first], match.index.cached(judged_ends)[first])
        return (f'in {len(documents)} of the {len(both)} documents that both have, the {side} are some '
                f'{float(np.median(times(documents))):.3g} times as {"long" if is_long else "short"} as elsewhere and '
                f'far {behind} those of the other side, such as in {quoted(match.qrels.document_ids[first])}, up to '
                f'{ends[0]:.6g} in the run and {ends[1]:.6g} in the qrels: give all documents in one unit, if those '
                f'of these documents are {unit}')
    return None


def _starts(match: Match, sign: int, documents: Ints) -> int:
    """The number of different starts in some judged documents, of the run (1) or of the qrels (-1)."""
    table, document = (match.run, match.document) if sign > 0 else (match.qrels, match.qrels.document)
    rows = np.flatnonzero(np.isin(document, documents))
    return len(set(zip(document[rows].tolist(), table.start[rows].tolist())))


def lost_edges_warning(match: Match) -> str | None:
    """The warning about documents of one side that have lost their starts, which are all 0 beside several ends, or
    their ends, which are one number far behind all others; None where there is no doubt."""
    for sign, kind, ends in ((1, 'run', match.cached(found_ends)), (-1, 'qrels', match.index.cached(judged_ends))):
        starts = last_starts(match, sign)
        top = ends.max(initial=0)
        lost = np.flatnonzero(ends == top)
        others = ends[ends < top].max(initial=0)
        if len(lost) > 1 and _PLACEHOLDER * max(others, starts.max()) < top < np.inf and others:
            return (f'in {len(lost)} of the {np.count_nonzero(ends)} judged documents, the last end of the {kind} is '
                    f'{top:.12g}, such as in {quoted(match.qrels.document_ids[lost[0]])}, and in all others at most '
                    f'{others:.12g}: give the ends of the segments, if that stands for unknown ones')
        table, document = (match.run, match.document) if sign > 0 else (match.qrels, match.qrels.document)
        at_zero = (starts == 0) & (ends > 0)
        # The last is that of documents that are not judged.
        rows = np.flatnonzero(np.append(at_zero, False)[document])
        at_zero &= np.bincount(document[rows], minlength=len(ends)) >= _ENDS
        if np.count_nonzero(at_zero) < _LOST:
            continue
        rows, elsewhere = rows[at_zero[document[rows]]], np.append(starts > 0, False)[document]
        if np.count_nonzero(table.start[elsewhere] == 0) * _ELSEWHERE > np.count_nonzero(elsewhere):
            continue
        # Beginnings of documents, as a system may return them, stand once in a query.
        rows = rows[np.lexsort((table.end[rows], document[rows], table.query[rows]))]
        further = (np.diff(table.query[rows]) == 0) & (np.diff(document[rows]) == 0) & (np.diff(table.end[rows]) > 0)
        nested = np.unique(document[rows[1:][further]])
        many = np.count_nonzero(np.bincount(document + 1, minlength=len(ends) + 1)[1:] >= _ENDS)
        if len(nested) >= max(_LOST, _OF_LOST * many):
            return (f'in {len(nested)} of the {many} judged documents with {_ENDS} segments of the {kind} or more, all '
                    f'start at 0 and end elsewhere, such as in {quoted(match.qrels.document_ids[nested[0]])}, as if '
                    'their starts were lost: give these, too')
    return None


def nearest_factor(times: Floats) -> int:
    """The pictures of a second, or milliseconds, that the median of some ratios is nearest to."""
    ratio = float(np.median(times))
    return min((*FRAMES, 1000), key=lambda factor: abs(log(ratio / factor)))
