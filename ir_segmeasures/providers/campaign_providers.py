"""The providers of two campaigns' tools, their quirks included: ``sample_eval``, inferred AP over strata as TRECVID's
own tool has it, and ``sh_eval``, the measures that the tool of MediaEval Search & Hyperlinking computes.

Source of the former: sample_eval.pl, https://www-nlpir.nist.gov/projects/trecvid/trecvid.tools/sample_eval/ (Yilmaz,
Kanoulas, Aslam. SIGIR 2008).
"""

from __future__ import annotations

from collections import defaultdict
from math import inf, log2
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_measures import Evaluator, providers

from ir_segmeasures import measures
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.measures.samples import inferred, pool_sample
from ir_segmeasures.providers.base import NO_PARAMETER, WHOLE, Figure, ToolProvider
from ir_segmeasures.segments.basics import format_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ir_segmeasures.evaluation.evaluators import Row, RowTopic
    from ir_segmeasures.measures import SegmentMeasure
    from ir_segmeasures.providers.evaluators import Flags, ShEvalQuery

LIMIT = 1000


class InferredNumbers(NamedTuple):
    """The numbers that the tool infers for a query.

    Attributes:
        ap, ndcg: ``infAP`` and ``infNDCG``
        found: the relevant items that are inferred among the first 1, 2, 3 … items
        relevant: those of the pool
    """
    ap: float
    ndcg: float
    found: list[float]
    relevant: float

    def precision(self, rank: int) -> float:
        """The inferred precision at a rank, which may be beyond the last item."""
        return (self.found[:rank] or [0.0])[-1] / rank


def inferred_numbers(topic: RowTopic) -> InferredNumbers:
    """The numbers of the first 1,000 items of a query.

    ``DCG = Σ over strata c of d_c · G_c / s_c``, with d_c items of c, s_c of them sampled, and G_c the sum of
    grade / log2(rank + 1) over the relevant ones; that of the best ranking has the inferred number of each grade.
    """
    stratum, weight, R = topic.cached(pool_sample, 1)
    relevance = topic.judged.values
    ap, found = _inferred(topic)
    counts: dict[float, list[float]] = defaultdict(lambda: [0, 0, 0.0])  # d_c, s_c, G_c
    for rank, place in enumerate(_ranking(topic), 1):
        if place >= 0:
            grade, stratum_counts = relevance[place], counts[stratum[place]]
            for column, value in enumerate((1, grade >= 0, max(grade, 0) / log2(rank + 1))):
                stratum_counts[column] += value
    grades: dict[float, float] = defaultdict(float)
    for place, grade in enumerate(relevance):
        if grade > 0 and topic.first_equal[place] == place:
            grades[grade] += weight[place]
    ideal = _ideal_gain(grades)
    gain = sum(d * gains / s for d, s, gains in counts.values() if s)
    return InferredNumbers(ap, gain / ideal if ideal else 0.0, found, R)


def _ideal_gain(grades: dict[float, float]) -> float:
    """The gain of the best ranking, of so many items of each grade.

    Quirk: numbers need not be whole, and the ranks of the next grade go on from there.
    """
    before = total = 0.0
    for grade in sorted(grades, key=format_number, reverse=True):
        rank = before + 1
        while rank <= before + grades[grade]:
            total += grade / log2(rank + 1)
            if rank >= LIMIT:
                break
            rank += 1
        before += grades[grade]
    return total


def interpolated_precisions(found: Sequence[float], relevant: float) -> list[float]:
    """The interpolated inferred precision at the recall levels 0, 0.1, … 1.

    Quirk: the best precision of a level includes the item before the one with which the level is reached.

    Args:
        found: the relevant items that are inferred among the first 1, 2, 3 … items
        relevant: those of the pool
    """
    precisions = [0.0] * 11
    wanted = [place / 10 * relevant for place in range(11)]
    place = max(place for place in range(-1, 11) if place < 0 or wanted[place] <= found[-1])
    best = 0.0
    for rank in range(len(found), 0, -1):
        best = max(best, found[rank - 1] / rank)
        if place >= 0 and wanted[place] > found[rank - 1]:
            precisions[place] = best
            place -= 1
    precisions[:place + 1] = [best] * (place + 1)
    return precisions


def _inferred(topic: RowTopic) -> tuple[float, list[float]]:
    ap, found = inferred(topic, _ranking(topic), 1)
    return ap * max(1, topic.cached(pool_sample, 1).R / LIMIT), found


def _ranking(topic: RowTopic) -> list[int]:
    """For each of the first items in the tool's order, its place among the judgements, or -1."""
    rows, score = topic.retrieved.rows, topic.retrieved.values
    if len(set(rows)) < len(rows):
        again = next(rank for rank, row in enumerate(rows) if row in rows[:rank])
        raise topic.retrieved.error(again, 'it stands in the ranking twice, and what sample_eval makes of that is not '
                                           'known: leave one out, or compute the measure by its definition')
    order = sorted(range(len(rows)), key=lambda rank: (score[rank], _id(rows[rank])), reverse=True)
    return [topic.found[rank] for rank in order[:LIMIT]]


def _id(row: Row) -> str:
    # As it is written, but for the unit, which is the same in all.
    if row.start == 0 and row.end == inf and row.path is None:
        return row.document
    end = '' if row.end == inf else format_number(row.end)
    return f'{row.document}#{"" if row.path is None else row.path}&={format_number(row.start)},{end}'


class SampleEvalProvider(ToolProvider):
    """sample_eval, TRECVID's tool for judgements of sampled strata. The xinfAP figures of Ad-hoc Video Search come from
    it: ``xinfAP(tool='sample_eval')`` in any pipeline, or ``ir_segmeasures.sample_eval.calc_aggregate([xinfAP], …)``.

    Its numbers differ from the definition in known ways, all kept:

    - items with the same score stand in the order of their ids, the last in the alphabet first;
    - it looks at the first 1,000 items, and at no others;
    - where more than 1,000 relevant rows are inferred for a query, it multiplies the value by this number / 1,000, so
      that it can exceed 1.

    What it does with an item that stands in a ranking twice is not known: that is an error here. The values of the
    queries are those of the program; the mean, as everywhere in ir-measures, is over all judged queries.
    """
    NAME = 'sample_eval'
    figures = Figure(measures.xinfAP, lambda topic, _: _inferred(topic)[0],
                     {'cutoff': NO_PARAMETER, 'rel': Only(1)}),

    def _evaluator_of(self, measures: list[Any], qrels: Any) -> Evaluator:
        from ir_segmeasures.evaluation.evaluators import RowEvaluator  # imported when it is needed
        return RowEvaluator(measures, qrels, self._value)


sample_eval = providers.register(SampleEvalProvider())


_REL = {'rel': Only(1)}
_LIST = {'cutoff': NO_PARAMETER, **_REL}  # the tool has no averages of cut lists
_BIN = {'bin': WHOLE, 'expand': Only(True)}
_TOL = {'tau': WHOLE, 'keepviewing': Only(False), 'init': Only(0)}
_MAISP = {**_LIST, 'user': Only('rel')}


def _of_flags(flags: Callable[[ShEvalQuery, Any], Flags], average: SegmentMeasure, precision: SegmentMeasure,
              judged: SegmentMeasure, limits: Mapping[str, Only]) -> tuple[Figure, Figure, Figure]:
    """The three figures that the tool reads off the flags of a ranking."""
    of_judged = {name: only for name, only in limits.items() if name in judged.SUPPORTED_PARAMS}
    return (Figure(average, lambda q, m: flags(q, m).average_precision(), {**limits, **_LIST}),
            Figure(precision, lambda q, m: flags(q, m).precision(m['cutoff']), {**limits, **_REL}),
            Figure(judged, lambda q, m: flags(q, m).judged_share(m['cutoff']), of_judged))


class ShEvalProvider(ToolProvider):
    """robinaly/sh_eval, the official tool of MediaEval Search & Hyperlinking 2014-15 and TRECVID Video Hyperlinking
    2015-16. Published MAP-over, MAP-bin, MAP-tol and MAiSP figures come from it: ``MAiSP(tool='sh_eval')`` in any
    pipeline, or all measures of a call with ``--provider sh_eval`` and ``ir_segmeasures.sh_eval.calc_aggregate(…)``.

    Its numbers differ from the definitions in known ways, all kept:

    - a segment that ends where another starts overlaps it (``over``, MAiSP);
    - an item in tolerance is checked against what was seen as a whole, not from its start (``tol``);
    - MAiSP has the constant 1 at recall 0, a last recall point that can lie beyond the relevant content, loses a second
      where a span is cut, and moves on by too much after an item's second span;
    - it knows whole seconds: times with fractions are an error;
    - it averages over the queries that a run answers. The values of the queries are those of the tool; the mean, as
      everywhere in ir-measures, is over all judged queries.
    """
    NAME = 'sh_eval'
    figures = (
        *_of_flags(lambda q, _: q.over, measures.AP_over, measures.P_over, measures.Judged_over, {}),
        *_of_flags(lambda q, m: q.binned(m['bin']), measures.AP_bin, measures.P_bin, measures.Judged_bin, _BIN),
        *_of_flags(lambda q, m: q.tolerance(m['tau']), measures.T2I_AP, measures.P_tol, measures.Judged_tol, _TOL),
        Figure(measures.AiSP, lambda q, _: q.segment_precision.maisp, {**_MAISP, 'points': Only(101)}),
        Figure(measures.iSP, lambda q, m: q.segment_precision.at(round(100 * m['recall'])),
               {'recall': Only(0.05, 0.1, 0.2), **_MAISP}))

    def _evaluator_of(self, measures: list[Any], qrels: Any) -> Evaluator:
        from ir_segmeasures.providers.evaluators import ShEvalEvaluator  # imported when it is needed
        return ShEvalEvaluator(measures, qrels, self._value)


sh_eval = providers.register(ShEvalProvider())
