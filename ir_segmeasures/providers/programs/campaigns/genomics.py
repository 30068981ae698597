"""The figures of the program that scored the TREC Genomics Track of 2007: of documents, passages and aspects.

Source: trecgen2007_score.py, https://trec.nist.gov/data/t2007_genomics.html (Hersh, Cohen, Ruslen, Roberts. TREC 2007
Genomics Track Overview).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ir_measures import AP, Qrel, ScoredDoc

from ir_segmeasures import measures
from ir_segmeasures.providers.programs.campaigns.measured import means, values_by_query
from ir_segmeasures.providers.programs.program import FigureValues, Program

__all__ = ['TRECGEN2007', 'aspect_average_precision', 'genomics_figures']


class Passage(NamedTuple):
    """A passage: of the gold standard with its aspects, or of a run without."""
    document: str
    start: float
    end: float
    aspects: frozenset[str] = frozenset()


def aspect_average_precision(gold: Sequence[Passage], items: Iterable[Passage]) -> float:
    """The average precision of aspects: an item has the aspects of the first passage of the gold standard that it
    shares characters with. One with new aspects adds precision once for each of these; one with known aspects alone is
    skipped.

    Args:
        gold: of a topic, in the order of the file
        items: of a run, the best first

    Examples:
        >>> from ir_segmeasures.providers.programs.campaigns.genomics import Passage, aspect_average_precision
        >>> gold = [Passage('d', 0, 9, frozenset({'x', 'y'})), Passage('e', 0, 9, frozenset({'z'}))]
        >>> aspect_average_precision(gold, [Passage('d', 5, 9), Passage('d', 0, 5), Passage('f', 0, 5)])
        0.6666666666666666
    """
    everything = frozenset[str]().union(*(passage.aspects for passage in gold))
    passages: dict[str, list[Passage]] = {}
    for passage in gold:
        passages.setdefault(passage.document, []).append(passage)
    found: set[str] = set()
    n = d = 0
    total = 0.0
    for item in items:
        aspects = next((passage.aspects for passage in passages.get(item.document, ())
                        if min(item.end, passage.end) > max(item.start, passage.start)), None)
        new = (aspects or frozenset()) - found
        if new or not aspects:
            n, d = n + bool(new), d + 1
            total += len(new) * n / d
            found |= new
    return total / len(everything) if everything else 0.0


def genomics_by_query(gold: Any, run: Any) -> dict[str, FigureValues]:
    """``DOCUMENT``, ``PASSAGE``, ``PASSAGE2`` and ``ASPECT`` of each topic of the gold standard."""
    documents = values_by_query(
        {'DOCUMENT': AP}, list(dict.fromkeys(Qrel(row.query_id, row.doc_id, 1) for row in gold)), _documents(run))
    passages = values_by_query({'PASSAGE': measures.PassageAP, 'PASSAGE2': measures.CharAP}, gold, run)
    judged: dict[str, list[Passage]] = {query: [] for query in documents}
    found: dict[str, list[Passage]] = {query: [] for query in documents}
    for row in gold:
        aspects = frozenset(filter(None, getattr(row, 'aspects', '').split('|')))
        judged[row.query_id].append(Passage(row.doc_id, row.start, row.end, aspects))
    for row in sorted(run, key=lambda row: -row.score):
        if row.query_id in found:
            found[row.query_id].append(Passage(row.doc_id, row.start, row.end))
    return {query: {**documents[query], **passages[query],
                    'ASPECT': aspect_average_precision(judged[query], found[query])} for query in documents}


def _documents(run: Any) -> list[ScoredDoc]:
    """The documents of a run, each at its first passage."""
    firsts: dict[tuple[str, str], float] = {}
    for row in sorted(run, key=lambda row: -row.score):
        firsts.setdefault((row.query_id, row.doc_id), -float(len(firsts)))
    return [ScoredDoc(*key, score) for key, score in firsts.items()]


def genomics_figures(gold: Any, run: Any) -> FigureValues:
    """The means of the four figures over the topics of the gold standard."""
    return means(genomics_by_query(gold, run))


TRECGEN2007 = Program(
    'trecgen2007', 'TREC Genomics 2007, trecgen2007_score (https://trec.nist.gov/data/t2007_genomics.html)',
    'the gold standard: topic, PubMed id, offset, length, aspects with | between them',
    'a run: topic, PubMed id, rank, score, offset, length, run', 'genomics', ('genomics',), genomics_figures, 8,
    by_query=genomics_by_query)
