"""The figures of the program that scored the TREC Genomics Track of 2007: of documents, passages and aspects.

Source: trecgen2007_score.py, https://trec.nist.gov/data/t2007_genomics.html (Hersh, Cohen, Ruslen, Roberts. TREC 2007
Genomics Track Overview).
"""

from typing import Any

from ir_measures import AP, Qrel, ScoredDoc

from ir_segmeasures import measures
from ir_segmeasures.providers.programs.program import FigureValues, Program, means, values_by_query


def genomics_by_query(gold: Any, run: Any) -> dict[str, FigureValues]:
    """``DOCUMENT``, ``PASSAGE``, ``PASSAGE2`` and ``ASPECT`` of each topic of the gold standard."""
    documents = values_by_query(
        {'DOCUMENT': AP}, list(dict.fromkeys(Qrel(row.query_id, row.doc_id, 1) for row in gold)), _documents(run))
    passages = values_by_query({'PASSAGE': measures.PassageAP, 'PASSAGE2': measures.CharAP,
                                'ASPECT': measures.AspectAP}, gold, run)
    return {query: {**figures, **passages[query]} for query, figures in documents.items()}


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
