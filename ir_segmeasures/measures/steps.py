"""Steps of measures: the rows that show how a value comes about, a type for each kind of walk. Measures import this
module when they are asked for their steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_segmeasures.segments.tables.rows import Rows

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['Steps', 'Hit', 'Find', 'UserValue', 'WatchedStretch', 'SpanMeeting', 'RankedDocument', 'EnteredDocument',
           'ReadDocument', 'RetrievedItem', 'RelevantItem', 'BinsOfItem', 'make_steps', 'relevant_items']


class Steps(NamedTuple):
    """The steps by which a measure came to its value for a query.

    Attributes:
        rows: named tuples of one type, a row for each step, in the order of the walk. Where the value is the sum of the
            steps, the field ``adds`` is the part of each
        sentence: how the value follows from the steps
    """
    rows: Rows[Any]
    sentence: str


class Hit(NamedTuple):
    """A step of T2I_AP and P_tol: a span that the user finds.

    Attributes:
        rank: the rank of the item from which the user finds it
        document: its document
        start, end: the span, in the document's unit
        waste: the effort wasted on the way to it, since the item's start or the span before
        hits: how many items up to this rank are hits
        precision: hits / rank
        adds: the part of the measure's value that the span is
    """
    rank: int
    document: str
    start: float
    end: float
    waste: float
    hits: int
    precision: float
    adds: float


class Find(NamedTuple):
    """A step of a measure of this user: a span that the user finds.

    Attributes:
        rank: the rank of the item from which the user finds it
        document: its document
        start, end: the span, in the document's unit
        waste: the effort wasted on the way to it, since the item's start or the span before
        timeouts: how often the tolerance has run out before it is found
    """
    rank: int
    document: str
    start: float
    end: float
    waste: float
    timeouts: int


class UserValue(NamedTuple):
    """The value of a measure for one user of a population.

    Attributes:
        tau: the tolerance of the user
        value: the value for this user
        adds: its part of the mean
    """
    tau: float
    value: float
    adds: float


class WatchedStretch(NamedTuple):
    """A step of AiSP and iSP: a stretch of new relevant content that the user watches.

    Attributes:
        rank: the rank of the item that shows the stretch
        document: its document
        start, end: the stretch, in the document's unit
        V: the relevant time seen until its end
        W: the time watched until its end
        recall: V / T_rel
        precision: V / W
        levels: at how many recall levels this precision is the interpolated one
        adds: the part of the measure's value that the stretch is
    """
    rank: int
    document: str
    start: float
    end: float
    V: float
    W: float
    recall: float
    precision: float
    levels: int
    adds: float


class SpanMeeting(NamedTuple):
    """A step of ASP: a relevant span, at the first item that shares content with it.

    Attributes:
        rank: the rank of this item
        document: its document
        start, end: the span, in the document's unit
        V: the relevant time seen after the item
        W: the time watched after the item
        precision: V / W
        adds: the part of the measure's value that the span is
    """
    rank: int
    document: str
    start: float
    end: float
    V: float
    W: float
    precision: float
    adds: float


class RankedDocument(NamedTuple):
    """A step of AgP and its company: a retrieved document with relevant content.

    Attributes:
        rank: the rank of its first item
        document: its id
        document_rank: its rank in the ranking of documents
        P, R, F: its scores
        gP: generalised precision there
        gain: by how much generalised recall grows there
        adds: the part of the measure's value that the document is
    """
    rank: int
    document: str
    document_rank: int
    P: float
    R: float
    F: float
    gP: float
    gain: float
    adds: float


class EnteredDocument(NamedTuple):
    """A step of the measures of best in context: a retrieved document with relevant content.

    Attributes:
        rank: the rank of its first item
        document: its id
        document_rank: its rank in the ranking of documents
        entry: where the list enters it; NaN where only items without a passage do
        bep: its best entry point
        score: its score
        gP: generalised precision there
        gain: by how much generalised recall grows there
        adds: the part of the measure's value that the document is
    """
    rank: int
    document: str
    document_rank: int
    entry: float
    bep: float
    score: float
    gP: float
    gain: float
    adds: float


class ReadDocument(NamedTuple):
    """A step of the measures of reading effort: a retrieved document with relevant content.

    Attributes:
        rank: the rank of its first item
        document: its id
        document_rank: its rank in the ranking of documents
        score: the share of what is read of it that is relevant
        gP: generalised precision there
        gain: by how much generalised recall grows there
        adds: the part of the measure's value that the document is
    """
    rank: int
    document: str
    document_rank: int
    score: float
    gP: float
    gain: float
    adds: float


class RetrievedItem(NamedTuple):
    """A step of AiP and iP: an item with relevant content that no earlier item has.

    Attributes:
        rank: the rank of the item
        document: its document
        start, end: the item, in the document's unit
        relevant: the relevant content retrieved until then
        retrieved: all content retrieved until then
        recall: relevant / T_rel
        precision: relevant / retrieved
        levels: at how many recall levels this precision is the interpolated one
        adds: the part of the measure's value that the item is
    """
    rank: int
    document: str
    start: float
    end: float
    relevant: float
    retrieved: float
    recall: float
    precision: float
    levels: int
    adds: float


class RelevantItem(NamedTuple):
    """A step of a measure of relevant items.

    Attributes:
        rank: the rank of the item
        document: its document
        start, end: the item, in the document's unit
        hits: how many items up to this rank are relevant
        precision: hits / rank
        adds: the part of the measure's value that the item is
    """
    rank: int
    document: str
    start: float
    end: float
    hits: int
    precision: float
    adds: float


class BinsOfItem(NamedTuple):
    """A step of a measure of bins: consecutive relevant bins that an item brings into the ranking of bins.

    Attributes:
        rank: the rank of the item
        document: its document
        start, end: where the bins begin and end, in the document's unit
        bin_rank: the rank of the first of them in the ranking of bins
        bins: how many they are
        hits: how many bins up to the last of them are relevant
        adds: the part of the measure's value that they are
    """
    rank: int
    document: str
    start: float
    end: float
    bin_rank: int
    bins: int
    hits: int
    adds: float


def make_steps(kind: type[Any], rows: Iterable[tuple[Any, ...]], sentence: str) -> Steps:
    """The steps of one kind, from their fields."""
    return Steps(Rows.from_rows(kind, rows), sentence)


def relevant_items(topic: Topic, ranks: Sequence[int], adds: Sequence[float], sentence: str) -> Steps:
    """The items at these ranks, which are the relevant ones, as steps."""
    ranking = topic.ranking
    return make_steps(RelevantItem, [
        (rank, topic.document_id(rank), ranking.start[rank - 1], ranking.end[rank - 1], hits, hits / rank, part)
        for hits, (rank, part) in enumerate(zip(ranks, adds), 1)], sentence)
