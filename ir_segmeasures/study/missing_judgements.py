"""Missing and other judgements: what measures, the order of the systems and significance become where judgements have
holes, and the orders of systems by two sets of judgements, such as those of people and of a language model.

Sources: Buckley & Voorhees. Retrieval Evaluation with Incomplete Information. SIGIR 2004 (samples of the judgements);
Zobel. How Reliable are the Results of Large-Scale Information Retrieval Experiments? SIGIR 1998 (one team's
contributions left out); Voorhees. Variations in Relevance Judgments and the Measurement of Retrieval Effectiveness.
SIGIR 1998 (Kendall's tau); Yilmaz, Aslam & Robertson. A New Rank Correlation Coefficient for Information Retrieval.
SIGIR 2008 (tau_ap).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ir_segmeasures.measures.base import SpanMeasure
from ir_segmeasures.segments.basics import Bools, Floats, Ints, needed, quoted
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import collected_warnings
from ir_segmeasures.study import scores, statistics
from ir_segmeasures.study.statistics import check_setting, kendall, mean

__all__ = ['SHARES', 'HoleEffect', 'OrderAgreement', 'holes', 'order_agreement']

SHARES = tuple(tenth / 10 for tenth in range(1, 10))


class HoleEffect(NamedTuple):
    """The effect of holes in the judgements on a measure: means over all samples with these holes.

    Attributes:
        measure: the measure
        dropped: the share of the judgements that was dropped, in [0, 1]; 0 where nothing was
        left_out: the team whose contributions were dropped; None where judgements were drawn
        judgements: the number of judgements that are left
        mean: the mean of the measure over systems and queries
        change: the mean less that with all judgements
        kendall: Kendall's tau (tau-b) between the means of the systems with holes and without; None where either gives
            all systems one mean
        lowest: the lowest tau of a sample
        separated: the share of the pairs of systems that a paired test separates, in [0, 1]
        kept: of the pairs that it separates with all judgements, the share that still is, with the same system ahead;
            None where there is no such pair
        reversed: of these pairs, the share that it separates with the other system ahead
        ranks_lost: the ranks that a run of the team lost, at most; None where judgements were drawn
    """
    measure: Measure
    dropped: float
    left_out: str | None
    judgements: float
    mean: float
    change: float
    kendall: float | None
    lowest: float | None
    separated: float
    kept: float | None
    reversed: float | None
    ranks_lost: int | None


class _Values(NamedTuple):
    """The values of a measure on some judgements: of each system its mean; of each pair of systems -1 or 1 where the
    first or the second is ahead and the test separates them, else 0.
    """
    means: Floats
    ahead: Floats


def _values(measures: list[Measure], qrels: Any, runs: Mapping[str, Any], rel: float, test: str, level: float,
            seed: int, rows: Sequence[int] | None = None) -> list[_Values]:
    """The values of each measure on all judgements, or on those of some rows."""
    if rows is not None:
        qrels = (qrels.in_order(np.array(rows, np.intp)) if isinstance(qrels, SegmentTable) else
                 adapter_of(qrels, 'qrels').take(rows).rows)
    # Evaluation without holes gives the warnings.
    with nullcontext() if rows is None else collected_warnings(wanted=False):
        found = scores.relevant_scores(measures, qrels, runs, rel, 2)
    answer = []
    for systems in found.values():
        means = np.array([mean(values.values()) for values in systems.values()])
        first, second = np.triu_indices(len(means), 1)
        p = np.array(statistics.p_values(test, combinations(systems.values(), 2), seed))
        answer.append(_Values(means, np.where(p < level, np.sign(means[second] - means[first]), 0)))
    return answer


def holes(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Mapping[str, Any],
          drop: Iterable[float] | str = SHARES, repeats: int = 20, teams: Mapping[str, str] | None = None,
          depth: int | None = None, test: str = 't', level: float = 0.05, rel: float = 1, seed: int = 0,
          n_jobs: int | None = None, progress: bool = False) -> list[HoleEffect]:
    """The effect of holes in the judgements on each measure: on its values, the order of the systems and significance.

    Drawn samples drop the same share of the relevant judgements of a query and of the others, and leave each query one
    relevant judgement at least. Where a team is left out, the judgements that share content with its results and with
    no other team's are dropped, as if the team had not taken part. Queries that so lose their last relevant judgement
    are left out.

    Args:
        measures: one or more
        qrels, runs: in any shape of ir-measures; two runs or more, by name
        drop: shares of the judgements, each in (0, 1); or ``'teams'``, which leaves out one team after the other
        repeats: how many samples are drawn for each share
        teams: name of a run → its team; a run that is not named is a team of its own
        depth: how many results of a run for each query went into the pool; not given: all
        test, level: the paired test, and the p below which it separates two systems, as for
            :func:`~ir_segmeasures.study.power`
        rel: judgements of this relevance or more are relevant
        seed: of the samples
        n_jobs: how many processes evaluate samples at the same time, -1 for one on each core; not given: this one
        progress: whether to show a bar on a terminal while it takes long, where there is one process

    Returns:
        a row without holes for each measure, then one for each share or team

    Raises:
        ValueError: fewer than two runs, another test, level, share, depth or number of samples, or no query with a
            relevant judgement
        ImportError: SciPy, or joblib for ``n_jobs``, is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import holes
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> for row in holes(['MAiSP', 'bpref_seg'], qrels, runs, drop=[0.5, 0.9], repeats=5):
        ...     print(row.measure, row.dropped, round(row.mean, 2), round(row.kendall, 2))
        MAiSP 0.0 0.45 1.0
        MAiSP 0.5 0.36 1.0
        MAiSP 0.9 0.29 1.0
        bpref_seg 0.0 0.56 1.0
        bpref_seg 0.5 0.61 0.0
        bpref_seg 0.9 0.72 -1.0
    """
    measures = scores.parse_measures(measures)
    shares = drop if isinstance(drop, str) else list(drop)
    if shares != 'teams' and (isinstance(shares, str) or not shares or not all(0 < share < 1 for share in shares)):
        raise ValueError(f"drop={quoted(shares)}: give shares of the judgements in (0, 1), such as 0.5, or 'teams'")
    for name, value in (('repeats', repeats), ('depth', depth)):
        check_setting(name, value, value is None or value >= 1, 'a whole number from 1 up')
    statistics.check_choice('test', test, statistics.TESTS)
    statistics.check_level('level', level, 0.05)
    qrels, _ = scores.relevant_queries(from_pyterrier(qrels), rel)
    table = SegmentTable.from_qrels(qrels)
    runs = {name: from_pyterrier(runs[name]) for name in runs}
    if all(isinstance(measure, SpanMeasure) for measure in measures):  # ids are read once
        qrels, runs = table, {name: SegmentTable.from_run(run) for name, run in runs.items()}
    values_of = partial(_values, measures, qrels, runs, rel, test, level, seed)
    whole = values_of()
    # The share, the team, the rows of each sample, and which runs are the team's.
    settings: list[tuple[float, str | None, list[Ints], Bools | None]] = [(0., None, [np.arange(len(table))], None)]
    if isinstance(shares, str):
        team_of = [(teams or {}).get(name, name) for name in runs]
        brought = np.array([_contributions(table, run, depth) for run in runs.values()])
        for team in dict.fromkeys(team_of):
            members = np.array([name == team for name in team_of])
            left = ~brought[members].any(axis=0) | brought[~members].any(axis=0)  # what another brought, stays
            settings.append((1 - int(left.sum()) / len(table), team, [np.flatnonzero(left)], members))
    else:
        random = np.random.default_rng(seed)
        settings += [(share, None, [_drawn(table, share, rel, random) for _ in range(repeats)], None)
                     for share in shares]
    samples = [(rows if qrels is table else table.row[rows]).tolist()
               for _, _, kept, _ in settings[1:] for rows in map(np.sort, kept)]
    if n_jobs is None:
        found = iter([values_of(rows) for rows in scores.with_progress(samples, progress, 'sample')])
    else:
        joblib = needed('joblib', 'samples are evaluated side by side with joblib', 'scale')
        found = iter(joblib.Parallel(n_jobs)(joblib.delayed(values_of)(rows) for rows in samples))
    values = [[whole], *([next(found) for _ in kept] for _, _, kept, _ in settings[1:])]
    return [_effect(measure, share, team, list(map(len, kept)), whole[place],
                    [sample[place] for sample in of_samples], mine) for place, measure in enumerate(measures)
            for (share, team, kept, mine), of_samples in zip(settings, values)]


def _drawn(table: SegmentTable, share: float, rel: float, random: np.random.Generator) -> Ints:
    """The rows of a sample without a share of the judgements, drawn query by query among relevant ones and others."""
    relevant = table.value >= rel
    stratum = table.query * 2 + relevant
    order = np.lexsort((random.random(len(table)), stratum))
    first = np.searchsorted(stratum[order], stratum[order])
    size = np.bincount(stratum)[stratum[order]]
    # Fractions are rounded up as often as their size says, so that the means over samples have the share.
    up = random.random(2 * len(table.query_ids))[stratum[order]]
    left = np.maximum(np.floor(size * (1 - share) + up), relevant[order])
    rows: Ints = order[np.arange(len(order)) - first < left]
    return rows


def _contributions(table: SegmentTable, run: Any, depth: int | None) -> Bools:
    """Tells whether each judgement shares content with a result of a run. Entry points stand for what is behind."""
    run, results = SegmentTable.from_run(run), defaultdict[tuple[str, str], list[tuple[float, float]]](list)
    rank = np.arange(len(run)) - np.searchsorted(run.query, run.query)
    for row, (query, document, start, end, _) in zip(rank.tolist(), run.segments()):
        if depth is None or row < depth:
            results[query, document].append((start, end))
    return np.array([any(low < end and (high > start or low == high == start) for low, high in results[query, document])
                     for query, document, start, end, _ in table.segments()], bool)


def _effect(measure: Measure, dropped: float, left_out: str | None, left: Sequence[int], whole: _Values,
            samples: Sequence[_Values], mine: Bools | None) -> HoleEffect:
    """The means over samples; ``mine`` says which runs are the team's."""
    taus = [tau for values in samples if (tau := kendall(whole.means.tolist(), values.means.tolist())) is not None]
    means, ahead = (np.array([values[place] for values in samples]) for place in (0, 1))
    apart = np.flatnonzero(whole.ahead)
    kept, turned = (float((sign * ahead[:, apart] * whole.ahead[apart] > 0).mean()) if len(apart) else None
                    for sign in (1, -1))
    sign = 1 if scores.lower_is_better(measure) else -1
    lost = np.subtract(*(np.argsort(np.argsort(sign * values.means, kind='stable')) for values in (samples[0], whole)))
    return HoleEffect(measure, dropped, left_out, mean(left), float(means.mean()),
                      float(means.mean() - whole.means.mean()), mean(taus) if taus else None, min(taus, default=None),
                      float(abs(ahead).mean()), kept, turned, None if mine is None else int(lost[mine].max()))


_AT_ONCE = 2_000_000  # differences of systems in samples


class OrderAgreement(NamedTuple):
    """The agreement of two sets of judgements on the order of the systems by a measure.

    Attributes:
        measure: the measure
        kendall: Kendall's tau (tau-b) between the means of the systems, in [-1, 1]; None where either set of judgements
            gives all systems one mean
        kendall_low: the least value of its bootstrap interval; None likewise, and where there is one query
        kendall_high: the greatest value of this interval
        tau_ap: the rank correlation that counts the first ranks most, in [-1, 1]; None as above
        tau_ap_low: the least value of its bootstrap interval
        tau_ap_high: the greatest value of this interval
        systems: how many systems were compared
        queries: how many queries they were compared on
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
    measures = scores.parse_measures(measures)
    if len(runs) < 2:
        raise ValueError('there is no order of fewer than two systems: give the runs of two or more')
    first, second = (SegmentTable.from_qrels(from_pyterrier(each)) for each in (qrels, other))
    relevant = {row[0] for table in (first, second) for row in table.segments() if row[4] >= rel} & {*second.query_ids}
    queries = [query for query in first.query_ids if query in relevant]
    if not queries:
        raise ValueError(f'no query is in both sets of judgements with a relevance of {quoted(rel)} or more: give '
                         'judgements of the same queries, or a lower rel')
    found = [scores.query_scores(measures, each, runs, progress) for each in (qrels, other)]
    return [_agreement(measure, [np.array([[of_one[name][measure][query] for query in queries] for name in runs])
                                 for of_one in found], confidence, seed) for measure in measures]


def _agreement(measure: Measure, values: Sequence[Floats], confidence: float, seed: int) -> OrderAgreement:
    """The agreement on the order by two arrays of values, systems × queries."""
    first, second = (-each if scores.lower_is_better(measure) else each for each in values)
    systems, queries = first.shape
    samples = [np.empty((2, 0))]
    rng, batch = np.random.default_rng(seed), max(1, _AT_ONCE // systems ** 2)
    for done in range(0, statistics.RESAMPLES if queries > 1 else 0, batch):
        # How often each query is in each sample.
        times = rng.multinomial(queries, [1 / queries] * queries, min(batch, statistics.RESAMPLES - done)) / queries
        samples.append(_correlations(times @ first.T, times @ second.T))
    columns: list[float | None] = []
    for value, drawn in zip(_correlations(first.mean(1)[None], second.mean(1)[None])[:, 0], np.hstack(samples)):
        drawn = drawn[~np.isnan(drawn)]
        interval = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2]) if len(drawn) else (None, None)
        columns += [None if each is None or np.isnan(value) else float(each) for each in (value, *interval)]
    return OrderAgreement._make([measure, *columns, systems, queries])


def _correlations(first: Floats, second: Floats) -> Floats:
    """Kendall's tau-b and tau_ap of each row, which has the means of the systems; NaN where a row is constant."""
    order = np.argsort(-second, axis=1, kind='stable')
    above, below = np.triu_indices(first.shape[1], 1)  # ranks from 0 in the order of the second means
    one, other = (_signs(means[:, above], means[:, below]) for means in (
        np.take_along_axis(means, order, 1) for means in (first, second)))
    with np.errstate(invalid='ignore', divide='ignore'):
        kendall = (one * other).sum(1) / np.sqrt(abs(one).sum(1) * abs(other).sum(1))
    agreeing = (np.where((one == 0) & (other == 0), 1, (1 + one * other) / 2) / below).sum(1)
    return np.array([kendall, np.where(np.isnan(kendall), np.nan, 2 / (first.shape[1] - 1) * agreeing - 1)])


def _signs(means: Floats, mean: Floats) -> Floats:
    """The signs of differences; values that differ by rounding are a tie."""
    difference = means - mean
    return np.where(abs(difference) <= 1e-10 * np.maximum(abs(means), abs(mean)) + 1e-12, 0, np.sign(difference))
