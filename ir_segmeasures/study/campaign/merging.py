"""Merged judgements: one grade for each moment of the content that several assessors judged."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.spans import plain_numbers
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.study.campaign.judged_content import judged_by
from ir_segmeasures.study.campaign.layers import Judgement, stretches
from ir_segmeasures.study.statistics import check_choice

__all__ = ['MERGERS', 'merged_judgements']


def merged_judgements(judgements: Mapping[str, Any], by: str = 'majority', extent: Any = None,
                      lengths: Mapping[str, float] | None = None) -> Rows[Judgement]:
    """The judgements of several assessors as one: for each moment that someone judged a grade, over those who judged
    it.

    Args:
        judgements: name of an assessor → qrels, in any shape of ir-measures
        by: ``'majority'``, the highest grade that more than half of them give or exceed; ``'union'``, the highest
            grade; ``'intersection'``, the lowest; ``'mean'``, the mean, which may be no whole number
        extent: the content that all were asked to judge, as a pool or as qrels; what an assessor does not name there
            has grade 0, and what lies outside is left out
        lengths: document → length, for judgements that run to a document's end

    Returns:
        qrels, query by query and document by document: stretches of one grade, which do not overlap, those of grade 0
        too

    Raises:
        ValueError: no assessor, or another ``by``
        RowError: rows that are no segments

    Examples:
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures.study import merged_judgements
        >>> ann = [Qrel('q1', 'talk#t=0,20', 1), Qrel('q1', 'talk#t=20,60', 0)]
        >>> ben = [Qrel('q1', 'talk#t=0,5', 0), Qrel('q1', 'talk#t=5,25', 2), Qrel('q1', 'talk#t=25,60', 0)]
        >>> for by in ('majority', 'union', 'mean'):
        ...     print([(row.doc_id, row.relevance) for row in merged_judgements({'ann': ann, 'ben': ben}, by)])
        [('talk#t=0,5', 0), ('talk#t=5,20', 1), ('talk#t=20,60', 0)]
        [('talk#t=0,5', 1), ('talk#t=5,25', 2), ('talk#t=25,60', 0)]
        [('talk#t=0,5', 0.5), ('talk#t=5,20', 1.5), ('talk#t=20,25', 1), ('talk#t=25,60', 0)]
    """
    if not judgements:
        raise ValueError('there is no assessor: give the judgements of at least one')
    check_choice('by', by, MERGERS)
    judged = judged_by(judgements, 'judged' if extent is None else extent, lengths=lengths)
    grade = MERGERS[by](judged.grade)
    spans, first = stretches(judged.spans, grade)
    groups = judged.groups
    return Rows(Judgement, [[groups.query_ids[query] for query in groups.query[spans.group].tolist()],
                            groups.ids(*spans), *map(plain_numbers, (spans.start, spans.end, grade[first]))])


def _majority(grade: Floats) -> Floats:
    """The highest grade of each column that more than half of its numbers reach."""
    ordered = -np.sort(-grade, axis=0)  # from the highest; what is missing comes last
    number = (~np.isnan(grade)).sum(0)
    return ordered[number // 2, np.arange(grade.shape[1])]


def _mean(grade: Floats) -> Floats:
    return np.asarray(np.nanmean(grade, axis=0).round(9))


MERGERS = {'majority': _majority, 'union': lambda grade: np.nanmax(grade, axis=0),
           'intersection': lambda grade: np.nanmin(grade, axis=0), 'mean': _mean}
