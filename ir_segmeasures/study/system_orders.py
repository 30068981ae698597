"""Orders of systems by two sets of judgements, such as those of people and of a language model.

Sources: Voorhees. Variations in Relevance Judgments and the Measurement of Retrieval Effectiveness. SIGIR 1998
(Kendall's tau); Yilmaz, Aslam & Robertson. A New Rank Correlation Coefficient for Information Retrieval. SIGIR 2008
(tau_ap).
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ir_segmeasures.segments.basics import Floats, quoted
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.scores import lower_is_better, parse_measures, query_scores
from ir_segmeasures.study.statistics import RESAMPLES

__all__ = ['OrderAgreement', 'order_agreement']

_AT_ONCE = 2_000_000  # differences of systems in samples


class OrderAgreement(NamedTuple):
    """The agreement of two sets of judgements on the order of the systems by a measure.

    Attributes:
        measure: the measure
        kendall: Kendall's tau (tau-b) between the means of the systems, in [-1, 1]; None where either set of judgements
            gives all systems one mean
        kendall_low, kendall_high: its bootstrap interval; None likewise, and where there is one query
        tau_ap: the rank correlation that counts the first ranks most, in [-1, 1]; None as above
        tau_ap_low, tau_ap_high: its bootstrap interval
        systems, queries: how many were compared
    """
    measure: Measure
    kendall: float | None
    kendall_low: float | None
    kendall_high: float | None
    tau_ap: float | None
    tau_ap_low: float | None
    tau_ap_high: float | None
    systems: int
    queries: int


def order_agreement(measures: Iterable[Measure | str] | Measure | str, qrels: Any, other: Any,
                    runs: Mapping[str, Any], rel: float = 1, confidence: float = 0.95, seed: int = 0,
                    progress: bool = False) -> list[OrderAgreement]:
    """The agreement of two sets of judgements on the order of the systems, measure by measure.

    ``tau_ap = 2/(N-1) · Σ_{i=2..N} C(i)/(i-1) - 1``, where C(i) is the number of systems above rank i in the order by
    ``other`` that are above this system by ``qrels``, too. A tie in one of the two orders counts half.

    Args:
        measures: one or more
        qrels: the judgements whose order is the true one, in any shape of ir-measures
        other: judgements of the same queries
        runs: name of a system → its run; two or more
        rel: queries without a judgement of this relevance or more in both sets are left out, since all systems score 0,
            and so are those that one set alone judges
        confidence: the level of the bootstrap intervals (percentiles of 9,999 samples of the queries)
        seed: of the samples
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: fewer than two runs, or no query that is left

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import order_agreement
        >>> people = formats.read_qrels(sample.path('qrels.txt'))
        >>> model = [row for row in people if row.doc_id != 'bees-01#t=0,22.7']
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> row, = order_agreement('MAiSP', people, model, runs)
        >>> row.kendall, row.tau_ap, row.systems, row.queries
        (1.0, 1.0, 2, 10)
    """
    measures = parse_measures(measures)
    if len(runs) < 2:
        raise ValueError('there is no order of fewer than two systems: give the runs of two or more')
    first, second = (SegmentTable.from_qrels(from_pyterrier(each)) for each in (qrels, other))
    relevant = {table.query_ids[query] for table in (first, second)
                for query in table.query[table.value >= rel].tolist()}
    relevant.intersection_update(second.query_ids)
    queries = [query for query in first.query_ids if query in relevant]
    if not queries:
        raise ValueError(f'no query is in both sets of judgements with a relevance of {quoted(rel)} or more: give '
                         'judgements of the same queries, or a lower rel')
    found = [query_scores(measures, each, runs, progress) for each in (qrels, other)]
    answer = []
    for measure in measures:
        values, others = (np.array([[scores[name][measure][query] for query in queries] for name in runs])
                          for scores in found)
        answer.append(_agreement(measure, values, others, confidence, seed))
    return answer


def _agreement(measure: Measure, first: Floats, second: Floats, confidence: float, seed: int) -> OrderAgreement:
    """The agreement on the order by two arrays of values, systems × queries."""
    if lower_is_better(measure):
        first, second = -first, -second
    systems, queries = first.shape
    whole = [np.atleast_1d(found) for found in _correlations(first.mean(1)[None], second.mean(1)[None])]
    samples: list[list[Floats]] = [[], []]
    rng, batch = np.random.default_rng(seed), max(1, _AT_ONCE // systems ** 2)
    for done in range(0, RESAMPLES if queries > 1 else 0, batch):
        # How often each query is in each sample.
        times = rng.multinomial(queries, [1 / queries] * queries, min(batch, RESAMPLES - done)) / queries
        for kept, part in zip(samples, _correlations(times @ first.T, times @ second.T)):
            kept.append(part)
    columns: list[float | None] = []
    for value, parts in zip(whole, samples):
        drawn = np.concatenate([part[~np.isnan(part)] for part in parts]) if parts else np.array([])
        low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2]) if len(drawn) else (None, None)
        defined = not np.isnan(value[0])
        columns += [float(each) if defined and each is not None else None for each in (value[0], low, high)]
    return OrderAgreement._make([measure, *columns, systems, queries])


def _correlations(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Kendall's tau-b and tau_ap of each row, which has the means of the systems; NaN where a row is constant."""
    order = np.argsort(-second, axis=1, kind='stable')
    above, below = np.triu_indices(first.shape[1], 1)  # ranks from 0 in the order of the second means
    one, other = (_signs(means[:, above], means[:, below]) for means in (
        np.take_along_axis(means, order, 1) for means in (first, second)))
    with np.errstate(invalid='ignore', divide='ignore'):
        kendall = (one * other).sum(1) / np.sqrt(abs(one).sum(1) * abs(other).sum(1))
    agreeing = (np.where((one == 0) & (other == 0), 1, (1 + one * other) / 2) / below).sum(1)
    return kendall, np.where(np.isnan(kendall), np.nan, 2 / (first.shape[1] - 1) * agreeing - 1)


def _signs(means: Floats, mean: Floats) -> Floats:
    """The signs of differences; values that differ by rounding are a tie."""
    difference = means - mean
    return np.where(abs(difference) <= 1e-10 * np.maximum(abs(means), abs(mean)) + 1e-12, 0, np.sign(difference))
