"""Agreement of assessors who judged the same content: coefficients by query and overall, and where they disagree."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import Spans, first_ending_after, merged_spans, plain_number, range_pairs
from ir_segmeasures.segments.warnings import warn
from ir_segmeasures.study.campaign import coefficients as formulas
from ir_segmeasures.study.campaign.agreement_rows import COEFFICIENTS, AssessorAgreement, Coefficient, Disagreement
from ir_segmeasures.study.campaign.judged_content import Judged, judged_by
from ir_segmeasures.study.campaign.layers import spans_at, stretches
from ir_segmeasures.study.statistics import bootstrap_interval, check_level, mean

__all__ = ['agreement_of']

_OF_ALL = ('alpha', 'gamma')
_OF_MATCHES = ('IoU', 'start_shift', 'end_shift', 'start_distance', 'end_distance')


def agreement_of(judgements: Mapping[str, Any], coefficients: str | Iterable[str] = COEFFICIENTS[:7], rel: float = 1,
                 grades: bool = False, extent: Any = None, step: float = 1, confidence: float = 0.95,
                 lengths: Mapping[str, float] | None = None, seed: int = 0) -> AssessorAgreement:
    """The agreement of assessors on the content that they all judged.

    ==============================  ===============================================================================
    ``F1``                          of the content that one finds relevant against the other's
    ``kappa``                       Cohen's, of the length of the content that both judged; nominal
    ``IoU``                         of the best one-to-one matching of their relevant spans: the sum over the pairs,
                                    over the number of pairs and of spans without a partner
    ``start_shift, end_shift``      how much later the second one's spans start and end, mean over the matched pairs
    ``start_distance, …``           the same without the sign
    ``alpha``                       Krippendorff's, of units of length ``step`` of the content that two or more judged,
                                    each with the grade at its middle; needs krippendorff
    ``gamma``                       of the relevant spans of all on the content that all judged, documents one after
                                    the other; needs pygamma-agreement, and takes seconds for each query
    ==============================  ===============================================================================

    Full agreement is 1, of shifts and distances 0. Relevant spans are merged where they overlap or touch. ``alpha`` and
    ``gamma`` are of all assessors, the others of each pair.

    Args:
        judgements: name of an assessor → qrels, in any shape of ir-measures
        coefficients: names, see above
        rel: the relevance from which content is relevant
        grades: whether ``kappa``, ``alpha`` (then ordinal) and ``gamma`` (whose categories they are then) compare
            grades instead of relevant and not relevant
        extent: the content that all were asked to judge, as a pool or as qrels; what an assessor does not name there
            has grade 0, and what lies outside does not count. Not given: the content that each judged, which needs
            judgements below ``rel``. ``'judged'`` takes that without asking for them
        step: the length of the equal units of ``alpha``
        confidence: the level of the bootstrap interval of each mean (percentiles of 9,999 samples of the queries)
        lengths: document → length, for judgements that run to a document's end
        seed: of the samples, and of ``gamma``

    Raises:
        ValueError: fewer than two assessors, an unknown coefficient, a setting that is none, or an assessor without a
            judgement below ``rel`` where no extent is given
        RowError: rows that are no segments
        ImportError: a package that a coefficient needs is not installed

    Examples:
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures.study import agreement_of
        >>> found = agreement_of({
        ...     'ann': [Qrel('q1', 'talk#t=0,20', 1), Qrel('q1', 'talk#t=20,60', 0)],
        ...     'ben': [Qrel('q1', 'talk#t=0,5', 0), Qrel('q1', 'talk#t=5,25', 1), Qrel('q1', 'talk#t=25,60', 0)]})
        >>> for name in ('F1', 'kappa', 'IoU', 'start_shift', 'end_shift'):
        ...     print(name, round(found.row(name).value, 3))
        F1 0.75
        kappa 0.625
        IoU 0.6
        start_shift 5.0
        end_shift 5.0
        >>> [(row.doc_id, dict(row.grades)) for row in found.disagreements]
        [('talk#t=0,5', {'ann': 1, 'ben': 0}), ('talk#t=20,25', {'ann': 0, 'ben': 1})]
    """
    names, asked = list(judgements), [coefficients] if isinstance(coefficients, str) else list(coefficients)
    _check(names, asked, step, confidence)
    judged = judged_by(judgements, extent, rel, lengths)
    if not ((~np.isnan(judged.grade)).sum(0) > 1).any():
        warn(['no content was judged by two assessors, so that there is no agreement to compute: check that the files '
              'have the same queries and documents'])
    label = np.where(np.isnan(judged.grade), -1., judged.grade if grades else judged.grade >= rel)
    kinds = sorted(set(label[label >= 0].tolist()))
    rows: list[Coefficient] = []
    for pair in combinations(range(len(names)), 2) if set(asked) - set(_OF_ALL) else ():
        values = _of_pair(judged, pair, rel, label, kinds, asked)
        rows += _rows(values, judged, tuple(names[place] for place in pair), confidence, seed)
    values = {}
    if 'alpha' in asked:
        values['alpha'] = _alphas(judged, label, kinds, step, 'ordinal' if grades else 'nominal')
    if 'gamma' in asked:
        values['gamma'] = _gammas(judged, label, seed)
    rows += _rows({name: values[name] for name in asked if name in values}, judged, tuple(names), confidence, seed)
    return AssessorAgreement(names, rows, _disagreements(judged, names, label))


def _check(names: Sequence[str], asked: Sequence[str], step: Any, confidence: Any) -> None:
    if len(names) < 2:
        raise ValueError(f'{"there is no assessor" if not names else f"the only assessor is {quoted(names[0])}"}, and '
                         'agreement is between two: give the judgements of two or more')
    for name in asked:
        if name not in COEFFICIENTS:
            raise ValueError(f'{quoted(name)} is no coefficient of agreement: take {", ".join(COEFFICIENTS)}')
    if not isinstance(step, int | float | np.number) or not step > 0:
        raise ValueError(f'step={quoted(step)} is no length of units: give a number above 0')
    check_level('confidence', confidence, 0.95)


def _of_pair(judged: Judged, pair: tuple[int, int], rel: float, label: Floats, kinds: Sequence[float],
             asked: Sequence[str]) -> dict[str, list[float | None]]:
    """The value of each coefficient for each query."""
    queries = len(judged.groups.query_ids)
    one, other = pair
    both = np.flatnonzero(~np.isnan(judged.grade[[one, other]]).any(0))
    spans, query = spans_at(judged.spans, both), judged.query[both]
    length = spans.end - spans.start
    relevant = judged.grade[[one, other]][:, both] >= rel
    values: dict[str, list[float | None]] = {}
    if 'F1' in asked:
        sums = (np.bincount(query, length * which, queries).tolist() for which in (relevant.all(0), *relevant))
        values['F1'] = [formulas.content_f1(*each) for each in zip(*sums)]
    if 'kappa' in asked:
        place = np.searchsorted(kinds, label[[one, other]][:, both])
        number = (query * len(kinds) + place[0]) * len(kinds) + place[1]
        tables = np.bincount(number, length, queries * len(kinds) ** 2).reshape(queries, len(kinds), len(kinds))
        values['kappa'] = [formulas.kappa(table) for table in tables]
    if set(asked) & set(_OF_MATCHES):
        values.update(_of_matches(judged, *(merged_spans(*spans_at(spans, which)) for which in relevant)))
    return {name: values[name] for name in asked if name in values}


def _of_matches(judged: Judged, first: Spans, second: Spans) -> dict[str, list[float | None]]:
    """The coefficients of the best matching of the relevant spans of two assessors."""
    of_group = judged.groups.query
    queries = len(judged.groups.query_ids)
    match = formulas.matching(first, second)
    query = of_group[first.group[match.first]]
    pairs = np.bincount(query, minlength=queries)
    alone = sum(np.bincount(of_group[spans.group], minlength=queries) for spans in (first, second)) - 2 * pairs
    start = second.start[match.second] - first.start[match.first]
    end = second.end[match.second] - first.end[match.first]

    def means(values: Floats, number: Ints) -> list[float | None]:
        sums = np.bincount(query, values, queries)
        return [total / count if count else None for total, count in zip(sums.tolist(), number.tolist())]
    return {'IoU': means(match.iou, pairs + alone), 'start_shift': means(start, pairs), 'end_shift': means(end, pairs),
            'start_distance': means(np.abs(start), pairs), 'end_distance': means(np.abs(end), pairs)}


def _alphas(judged: Judged, label: Floats, kinds: Sequence[float], step: float, level: str) -> list[float | None]:
    spans = judged.spans
    several = (label >= 0).sum(0) > 1
    whole = merged_spans(*spans_at(spans, several))
    number = np.maximum(1, np.ceil((whole.end - whole.start) / step * (1 - 1e-12))).astype(np.intp)
    one, place = range_pairs(np.zeros(len(number), np.intp), number)
    low = whole.start[one] + place * step
    group, middle = whole.group[one], (low + np.minimum(low + step, whole.end[one])) / 2
    given = label[:, first_ending_after(spans, group, middle)]
    counts = np.stack([(given == kind).sum(0) for kind in kinds], axis=1) if kinds else np.empty((0, 0))
    bounds = np.searchsorted(judged.groups.query[group], np.arange(len(judged.groups.query_ids) + 1))
    return [formulas.alpha(counts[low:high], kinds, level) for low, high in zip(bounds.tolist(), bounds[1:].tolist())]


def _gammas(judged: Judged, label: Floats, seed: int) -> list[float | None]:
    """Gamma of each query, of the stretches whose label is above 0, on one line."""
    common = np.flatnonzero((label >= 0).all(0))
    spans, label = spans_at(judged.spans, common), label[:, common]
    marked = []
    for mine in label:
        found = np.flatnonzero(mine > 0)
        joined, first = stretches(spans_at(spans, found), mine[found])
        marked.append((*joined, mine[found[first]]))
    # Documents follow each other at a distance at which no two spans are taken for one.
    longest = max((float((end - start).max(initial=0)) for _, start, end, _ in marked), default=0.)
    begin, reach = (np.full(len(judged.groups.query), value) for value in (np.inf, 0.))
    np.minimum.at(begin, spans.group, spans.start)
    np.maximum.at(reach, spans.group, spans.end)
    values = []
    for query in range(len(judged.groups.query_ids)):
        line, offset = 0., {}
        for group in np.flatnonzero((judged.groups.query == query) & np.isfinite(begin)).tolist():
            offset[group] = line - float(begin[group])
            line += float(reach[group] - begin[group]) + longest
        values.append(formulas.gamma([[(low + offset[group], high + offset[group], kind)
                                       for group, low, high, kind in zip(*(column.tolist() for column in mine))
                                       if group in offset] for mine in marked], seed))
    return values


def _rows(values: Mapping[str, Sequence[float | None]], judged: Judged, names: tuple[str, ...], confidence: float,
          seed: int) -> list[Coefficient]:
    rows = []
    for name, by_query in values.items():
        known = [value for value in by_query if value is not None]
        low, high = bootstrap_interval(known, confidence, seed) if len(known) > 1 else (None, None)
        rows.append(Coefficient(name, names, None, mean(known) if known else None, low, high, len(known)))
        rows += [Coefficient(name, names, query_id, value, None, None, int(value is not None))
                 for query_id, value in zip(judged.groups.query_ids, by_query)]
    return rows


def _disagreements(judged: Judged, names: Sequence[str], label: Floats) -> list[Disagreement]:
    highest, lowest = label.max(0), np.where(label < 0, np.inf, label).min(0)
    which = np.flatnonzero(lowest < highest)
    grade = np.nan_to_num(judged.grade[:, which], nan=-1.)
    spans, first = stretches(spans_at(judged.spans, which), *grade)
    groups = judged.groups
    columns = (groups.query[spans.group].tolist(), groups.ids(*spans), spans.start.tolist(), spans.end.tolist(),
               grade[:, first].T.tolist())
    return [Disagreement(groups.query_ids[query], id, low, high, {
        name: None if given < 0 else plain_number(given) for name, given in zip(names, said)})
        for query, id, low, high, said in zip(*columns)]
