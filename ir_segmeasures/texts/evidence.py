"""Quoted evidence as judgements: quotes that answer a question become the spans of the texts in which they stand."""

from collections.abc import Mapping
from typing import Any

from ir_measures import Qrel

from ir_segmeasures.texts.chunks import rows


def evidence_qrels(evidence: Mapping[str, Any], texts: Mapping[str, str] | None = None, *,
                   unlocated: str = 'error') -> list[Qrel]:
    """The judgements that quotes stand for, each with relevance 1; a span that is quoted twice is judged once.

    Args:
        evidence: query → its quotes, in the forms that :func:`~ir_segmeasures.texts.chunks.rows` takes: strings, dicts
            with ``doc_id`` and ``text``, or with ``start`` and ``end`` as well
        texts: document → its text; quotes without offsets are looked for there, those without a document in all of them
        unlocated: ``'error'`` refuses quotes that stand nowhere in the texts or at several places; ``'warn'`` leaves
            them out, with a warning; ``'first'`` does so, but takes the first of several places. All count them and
            list the first ones.

    Examples:
        >>> from ir_segmeasures.texts.evidence import evidence_qrels
        >>> texts = {'bees': 'In the hive, bees "dance".'}
        >>> evidence_qrels({'q1': ['bees “dance”.', {'doc_id': 'bees', 'start': 13, 'end': 26}]}, texts)
        [Qrel(query_id='q1', doc_id='bees#char=13,26', relevance=1, iteration='0')]

    Raises:
        ValueError, TypeError: as for :func:`~ir_segmeasures.texts.chunks.rows`
    """
    return list(dict.fromkeys(Qrel(row.query_id, row.doc_id, 1)
                              for row in rows(evidence, texts, unlocated=unlocated, noun='quote')))
