"""The evaluators of the providers, which are imported with the first qrels: of measures by their definitions, of
sh_eval, which sees a query in its own way, in whole seconds, and of inex_eval, which takes some runs only. Where a
program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Evaluator, Measure, Metric, Qrel

from ir_segmeasures.evaluation.evaluators import RowEvaluator, RowTopic, SpanEvaluator
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
from ir_segmeasures.measures import RowMeasure, SegmentMeasure, SpanMeasure
from ir_segmeasures.measures.host_measures import measure_of_documents, refuse_rows
from ir_segmeasures.segments.basics import Bools
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import is_listened_to, warn

Span = tuple[int, int]
Judgement = tuple[str, int, int, float]  # video, start, end, relevance (relevant if > 0)

_MOST_BINS = 10 ** 7  # of the items of a query


def evaluator_of(measures: list[Any], qrels: Any, asked: Collection[Measure]) -> Evaluator:
    """The evaluator of measures of spans and of rows by their definitions.

    Where the call has others too, these are among those ``asked`` for."""
    of_documents, judged = measure_of_documents(asked), list[Qrel]()
    of_rows = [measure for measure in measures if isinstance(measure, RowMeasure)]
    spans = [measure for measure in measures if isinstance(measure, SpanMeasure)]
    if of_documents:
        qrels = adapter_of(qrels, 'qrels')
        judged = list(map(Qrel, *map(qrels.values, ('query_id', 'doc_id', 'relevance'))))
        refuse_rows(judged, 'qrels', list(asked))  # a host that cannot take them does not say which row it is
    if of_rows:  # once for all evaluators, and for what can be read only once
        qrels = SegmentTable.from_qrels(qrels, elements=True)
    evaluators: list[Evaluator] = [SpanEvaluator(spans, qrels)] if spans or not of_rows else []
    evaluators += [RowEvaluator(of_rows, qrels, warns=not spans)] if of_rows else []
    return _Together(evaluators, of_documents, judged) if of_documents or len(evaluators) > 1 else evaluators[0]


class _Together(Evaluator):
    """The evaluators of the measures of spans and of the measures of rows together. Where the call has a measure of
    documents too, it warns that this measure is 0 on segments of a system, by the judged rows."""

    def __init__(self, evaluators: list[Evaluator], of_documents: Measure | None, judged: list[Qrel]):
        super().__init__([measure for evaluator in evaluators for measure in evaluator.measures],
                         evaluators[0].qrel_qids)
        self._evaluators, self._of_documents, self._judged = evaluators, of_documents, judged

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The values of the measures of segments, after the warning."""
        if self._of_documents:
            from ir_segmeasures.ids.documents import document_measure_warning  # imported when it is needed
            run = adapter_of(run, 'run')
            if is_listened_to():
                pairs = zip(*map(run.values, ('query_id', 'doc_id')))
                warn([document_measure_warning(str(self._of_documents), self._judged, pairs)], of_batch=True)
        if len(self._evaluators) > 1:
            run = SegmentTable.from_run(run, elements=True)
        for evaluator in self._evaluators:
            yield from evaluator.iter_calc(run)


class Flags(NamedTuple):
    """The flags that the tool gives the ranks of a ranking.

    Attributes:
        relevant: whether each rank counts as relevant (the tool's ``num_rel_ret`` is their number)
        judged: whether each rank counts as relevant or is judged not relevant
        R: what average precision divides by (``num_rel``)
    """
    relevant: list[bool]
    judged: list[bool]
    R: int

    def average_precision(self) -> float:
        """The figure ``map``: the precisions at the relevant ranks over ``R``, 0 without relevant content.

        Quirk: the relevant ranks may outnumber ``R``, so it can exceed 1.
        """
        ranks = [rank for rank, relevant in enumerate(self.relevant, 1) if relevant]
        return sum(hits / rank for hits, rank in enumerate(ranks, 1)) / self.R if self.R else 0.

    def precision(self, k: int) -> float:
        """The figure ``P_k``, however long the ranking is."""
        return sum(self.relevant[:k]) / k

    def judged_share(self, k: int) -> float:
        """The figure ``Judged_k``, however long the ranking is."""
        return sum(self.judged[:k]) / k


class SegmentPrecision(NamedTuple):
    """The figures of the MAiSP family.

    Attributes:
        isp: interpolated precisions at the recall points that were reached, without the one at recall 0
        maisp: their mean over all recall points
        ret, rel_ret: seconds watched, and relevant seconds found
    """
    isp: list[float]
    maisp: float
    ret: int
    rel_ret: int

    def at(self, percent: int) -> float:
        """The figure ``maisp_0.05`` for 5 percent, and so on; 0 if so many recall points were not reached.

        Quirks: it is ``isp[5]``, where ``isp[0]`` belongs to the first recall point after 0, so it is one point late;
        and points are hundredths of the relevant content only roughly, or whole seconds.
        """
        return self.isp[percent] if percent < len(self.isp) else 0.


def _meet(spans: Iterable[Span], start: int, end: int) -> bool:
    """Tells whether any span has a whole second in common with ``[start, end)``. Quirk: an end of 0 stands for a
    missing end, so that the second at the start counts."""
    return any(max(first, start) < min(last or first + 1, end or start + 1) for first, last in spans)


def _merged(judged: Iterable[Judgement], relevant: bool) -> dict[str, list[Span]]:
    """The segments of one kind by video, merged where they overlap or touch, in order."""
    merged: dict[str, list[Span]] = {}
    for video, start, end, relevance in sorted(judged):
        if (relevance > 0) == relevant:
            spans = merged.setdefault(video, [])
            if spans and start <= spans[-1][1]:
                start, last = spans.pop()
                end = max(end, last)
            spans.append((start, end))
    return merged


class ShEvalEvaluator(RowEvaluator):
    """The tool's values for each judged query, which ``compute`` makes of (measure, the query as the tool sees it)."""
    ROWS = False

    def __init__(self, measures: list[Any], qrels: Any, compute: Callable[[Any, Any], float] | None = None):
        super().__init__(measures, _in_seconds(SegmentTable.from_qrels(qrels)), compute)

    def topics(self, run: Any) -> Iterator[tuple[str, ShEvalQuery]]:
        for query_id, topic in super().topics(_in_seconds(SegmentTable.from_run(run))):
            yield query_id, ShEvalQuery(topic)


def _in_seconds(table: SegmentTable) -> SegmentTable:
    return _check_whole(table, table.fractions() | np.isinf(table.end), 'sh_eval')


class ShEvalQuery:
    """A query as the tool sees it.

    Attributes:
        judged: its judgements
        items: (video, start, end) of a run by rank
        relevant, others: the spans that are relevant, and those that are judged not relevant, by video
        R: the number of relevant spans
        rel_secs: their length
    """

    def __init__(self, topic: RowTopic):
        judged, self.items = ([(row.document, int(row.start), int(row.end)) for row in listed.rows]
                              for listed in (topic.judged, topic.retrieved))
        self.judged = [(*item, relevance) for item, relevance in zip(judged, topic.judged.values)]
        self.relevant, self.others = _merged(self.judged, True), _merged(self.judged, False)
        spans = [span for found in self.relevant.values() for span in found]
        self.R, self.rel_secs = len(spans), sum(end - start for start, end in spans)
        self.binned, self.tolerance = cache(self._binned), cache(self._tolerance)

    @cached_property
    def over(self) -> Flags:
        """The flags of ``map``, ``P_n``, ``Judged_n``: an item is relevant if it overlaps a relevant span, again and
        again.

        Quirk: overlap is inclusive, so touching is enough.
        """
        relevant, others = ([any(first <= end and start <= last for first, last in kind.get(video, ()))
                             for video, start, end in self.items] for kind in (self.relevant, self.others))
        return Flags(relevant, [any(kinds) for kinds in zip(relevant, others)], self.R)

    def _binned(self, width: int) -> Flags:
        """The flags of ``map_bin``, ``P_n_bin``, ``Judged_n_bin``: the ranking is the list of distinct bins, ``width``
        seconds each.

        Every bin of an item stands where it first appears, so ranks are bins, not items. An item without content has
        the bin that it lies in, or none at the edge between two.

        Raises:
            ValueError: the items of the query lie in more than 10^7 bins
        """
        if sum(max(0, end - start) // width for _, start, end in [*(row[:3] for row in self.judged), *self.items]
               ) > _MOST_BINS:
            raise ValueError(f'the segments of a query lie in more than {_MOST_BINS:,} bins of {width} s, and each bin '
                             'is looked at: give a longer bin')
        relevant, known = ({bin for video, start, end, relevance in self.judged if relevance > lowest
                            for bin in _bins(video, start, end, width)} for lowest in (0, -inf))
        ranking = dict.fromkeys(bin for item in self.items for bin in _bins(*item, width))
        return Flags([bin in relevant for bin in ranking], [bin in known for bin in ranking], len(relevant))

    def _tolerance(self, tol: int) -> Flags:
        """The flags of ``map_tol``, ``P_n_tol``, ``Judged_n_tol``: an item is relevant if a relevant span that was not
        seen before starts less than ``tol`` seconds after it or holds its start.

        Quirks: whether it was seen, and whether it meets what is judged not relevant, is decided by the item's whole
        interval, not by where the user starts; an item without content is never seen; of an interval that ends at 0
        counts the second at its start.
        """
        seen: dict[str, list[Span]] = {}
        flags = Flags([], [], self.R)
        for video, start, end in self.items:
            met = [span for span in self.relevant.get(video, ()) if _meet([span], start, start + tol)]
            past = seen.setdefault(video, [])
            flags.relevant.append(bool(met) and not _meet(past, start, end))
            flags.judged.append(bool(met) or _meet(self.others.get(video, ()), start, end))
            if flags.relevant[-1]:
                past.append((start, max(start + tol, *(last for _, last in met))))
        return flags

    @cached_property
    def segment_precision(self) -> SegmentPrecision:
        """The figures of ``maisp``: the user watches every item, and on to the end of the unseen spans that it
        overlaps.

        Quirks: overlap is inclusive; of a span that is cut, the second before the cut is lost; after each span of an
        item the position moves on by all that was watched of the item, not by the span's share; a constant 1 stands for
        recall 0.
        """
        unseen = dict(self.relevant)
        points, recorded = _recall_points(self.rel_secs), list[float]()
        ret = rel_ret = 0
        for video, start, end in self.items:
            position, watched, left = start, 0, list[Span]()
            for first, last in unseen.get(video, ()):
                if not (first <= position <= last or position <= first <= end):
                    left.append((first, last))
                    continue
                begin = max(first, position)
                gain = max(last - begin, 0)
                rel_ret += gain
                watched += (begin - position) + gain
                while len(recorded) + 1 < len(points) and points[len(recorded) + 1] <= rel_ret:
                    point = points[len(recorded) + 1]
                    recorded.append(point / (ret + watched - (rel_ret - point)))
                if first < begin - 1:
                    left.append((first, begin - 1))
                position += watched
            if video in unseen:
                unseen[video] = left
            ret += max(watched, end - start)
        isp = list(accumulate(reversed(recorded), max))[::-1]
        return SegmentPrecision(isp, (1 + sum(isp)) / len(points) if isp else 0., ret, rel_ret)


def _bins(video: str, start: int, end: int, width: int) -> list[tuple[str, int]]:
    return [(video, place) for place in range(start // width, (end - 1) // width + 1)]


def _recall_points(rel_secs: int) -> Sequence[int]:
    """Every hundredth of the relevant seconds, roughly; every second if there are no more than 100.

    Quirk: the remainder goes to the last point, which may so lie beyond ``rel_secs``, out of reach.
    """
    if rel_secs <= 100:
        return range(rel_secs + 1)
    floor, rest = divmod(rel_secs, 100)
    points = list(range(0, rel_secs, floor if rest <= 50 else floor + 1))
    points[-1] += rest
    return points


def _check_whole(table: SegmentTable, wrong: Bools, tool: str) -> SegmentTable:
    """The table. Raises a RowError for the first row that is wrong, since its start or end is not a whole number."""
    if wrong.any():
        row = int(wrong.argmax())
        raise table.error(row, f'start {table.start[row]:g} and end {table.end[row]:g} are not whole numbers, and '
                               f'{tool} knows no others: round them, or compute the measure by its definition')
    return table


class InexEvalEvaluator(SpanEvaluator):
    """The program's values for each judged topic, which are those of its figures."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any, compute: Callable[[Any, RunOnAxis], Any],
                 figures: Mapping[str, Any]):
        self._figures = figures
        table = SegmentTable.from_qrels(qrels)
        super().__init__(measures, _check_whole(table, table.fractions(), 'inex_eval'), compute)

    def without_content(self, measure: Any, run: RunOnAxis) -> Any:
        # The program prints no topic that the run does not answer.
        return np.where(run.answered, self._figures[measure.NAME].empty, 0)

    def _match(self, run: Any) -> Match:
        match = super()._match(run)
        rows = match.query >= 0
        found = _rejected_rows(_check_whole(match.run, rows & match.run.fractions(), 'inex_eval'), rows)
        for kind, (modes, reason, repair) in _REJECTED.items():
            for measure in self.measures:
                if kind in found and self._mode(measure) in modes:
                    other = '' if measure.params.get('overlap') else ', or compute the measure by its definition'
                    raise match.run.error(found[kind], f'{reason}, and inex_eval does not accept that for {measure}: '
                                                       f'{repair}{other}')
        return match

    def _mode(self, measure: Any) -> str:
        """The program's option for a measure; thorough (-t) is focused (-f) where overlap is an error."""
        return '-f' if measure.params.get('overlap') == 'error' else self._figures[measure.NAME].mode


_REJECTED = {
    'second': (('-b',), 'its document has an item before', 'keep one item of each document'),
    'overlap': (('-f', '-r', '-i'), 'it overlaps an earlier item of its document', 'cut the overlap out'),
    'return': (('-b', '-r', '-i'), 'its document has items before, with another document in between',
               'put the items of a document together'),
}


def _rejected_rows(run: SegmentTable, rows: Bools) -> dict[str, int]:
    """The first row of each kind: of the document of the row before, of one of the rows before that, and a row that
    shares content with an earlier one of its document, or lies inside it as a place, or around it if that is a place.
    """
    found, before, earlier = dict[str, int](), None, dict[tuple[int, int], list[tuple[float, float]]]()
    columns = (column[rows].tolist() for column in (run.query, run.document, run.start, run.end))
    for row, query, document, start, end in zip(np.flatnonzero(rows).tolist(), *columns):
        if (query, document) == before:
            found.setdefault('second', row)
        elif (query, document) in earlier:
            found.setdefault('return', row)
        before = query, document
        spans = earlier.setdefault(before, [])
        place = bisect(spans, (start, end))  # only its neighbours can meet it, while none meet each other
        if any(start < last and first < end for first, last in spans[max(place - 1, 0):place + 1]):
            found.setdefault('overlap', row)
        spans.insert(place, (start, end))
    return found
