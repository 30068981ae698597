"""The rows that most readers give: judged segments, and retrieved ones."""

from typing import NamedTuple

from ir_measures import Qrel as TrecQrel
from ir_measures import ScoredDoc as TrecScoredDoc

from ir_segmeasures.segments.tables.rows import Rows

__all__ = ['Number', 'Rows', 'SegmentQrel', 'SegmentScoredDoc', 'TrecQrel', 'TrecScoredDoc']

Number = int | float


class SegmentQrel(NamedTuple):
    """A judged segment.

    Attributes:
        query_id: the query, anchor or known item
        doc_id: the bare document (video), without a fragment
        start, end: in the unit of the format (seconds, characters) from the beginning of the document, half-open
        relevance: relevant if > 0
        iteration: the second column of the file, not used by measures
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number
    iteration: str = '0'


class SegmentScoredDoc(NamedTuple):
    """A retrieved segment. Where the format's official order is the rank column, ``score`` reproduces that order.

    Attributes:
        query_id: the query or anchor
        doc_id: the bare document (video), without a fragment
        start, end: in the unit of the format (seconds, characters) from the beginning of the document, half-open
        score: minus the rank, or what the format's own page says
        rank: as in the file; where the file has none, the position in the order by score, from 1
        run_score: the file's own score, which has ties and need not agree with the rank
        jump_in: where playback starts, in seconds; None in formats without jump-in points
        run: name of the run; None if the file has none
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number
    rank: int
    run_score: float
    jump_in: Number | None
    run: str | None
