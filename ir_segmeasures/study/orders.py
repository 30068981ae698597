"""Fidelity: do measures of retrieval in context order simulated runs as they should? Source: Pehcevski & Thom.
Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval, section 4 (Figures 2 and 3, Tables 1 and
2); the number of significant differences, section 5.

The runs are those of :mod:`ir_segmeasures.study.simulation`. Which of them should be better is read off Table 2, whose
36 rows are all steps of Figure 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ir_measures import Measure, ScoredDoc

from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.study.comparison import p_value
from ir_segmeasures.study.progress import watched
from ir_segmeasures.study.scores import ByQuery, lower_is_better, mean, parsed, same, scores, statistics
from ir_segmeasures.study.simulation import (
    RANKINGS,
    SEGMENTS,
    Elements,
    RunName,
    SimulatedItem,
    Simulation,
    fidelity_run,
    known,
)
from ir_segmeasures.study.tables import shade

__all__ = ['Comparison', 'Fidelity', 'expected_orderings', 'fidelity', 'fidelity_run']

# What should be worse than each, directly or through others: the rows of Table 2.
_WORSE = {
    'S': ('S_L', 'S_LD', 'S_S', 'S_ST'), 'S_L': ('S_LD',), 'S_S': ('S_ST',),
    'R': ('R_S', 'R_I', 'R_SI'), 'R_S': ('R_SI',), 'R_I': ('R_SI',),
}


class Comparison(NamedTuple):
    """What a measure says of two runs of which the first should be better, or as good: a row of Table 2.

    Attributes:
        measure: the measure
        first, second: the runs, each as (parts, ranking)
        better, equal, worse: number of queries where the first is better than, as good as, or worse than the second
        difference: mean advantage of the first, in the measure's own unit; also where lower values are better, more
            than 0 is as expected
        p: of a paired t-test, two-sided; None where it is not defined: one query only, or the same difference in all
    """
    measure: Measure
    first: RunName
    second: RunName
    better: int
    equal: int
    worse: int
    difference: float
    p: float | None

    @property
    def verdict(self) -> str:
        """``'kept'`` or ``'broken'``, by the mean; ``'level'`` where it is 0: the measure does not order the runs."""
        return 'level' if not self.difference else 'kept' if self.difference > 0 else 'broken'


class Fidelity(NamedTuple):
    """Which expected orderings measures keep. ``str()`` gives the report as text, and a notebook shows it as a
    table in colour.

    Attributes:
        means: (parts, ranking) → measure → mean over the queries with relevant content, as in Table 1
        comparisons: each ordering by each measure, as in Table 2
        p: measure → the p-value of a paired t-test for each pair of the runs, whether an order is expected or not
        names: measure → its name, as it was asked for
    """
    means: dict[RunName, dict[Measure, float]]
    comparisons: list[Comparison]
    p: dict[Measure, list[float]]
    names: dict[Measure, str]

    def of(self, measure: Measure, verdict: str | None = None) -> list[Comparison]:
        """The orderings by one measure, all of them or those with one verdict."""
        return [row for row in self.comparisons if row.measure == measure and verdict in (None, row.verdict)]

    def significant(self, measure: Measure, level: float = 0.05) -> tuple[int, int]:
        """For how many pairs of runs the difference is significant, and how many pairs there are: the more a measure
        tells apart, the better (section 5, after Kamps, Lalmas & Pehcevski)."""
        return sum(p < level for p in self.p[measure]), len(self.p[measure])

    def _repr_html_(self) -> str:
        from html import escape  # only for whoever looks
        measures = list(self.p)
        head = ''.join(f'<th>{escape(self.names[measure])}</th>' for measure in measures)
        counts = ''.join('<td style="text-align:right">{} of {}</td>'.format(*self.significant(measure))
                         for measure in measures)
        body = ''
        for rows in zip(*map(self.of, measures)):
            body += f'<tr><td style="text-align:left">{" ".join(rows[0].first)} → {" ".join(rows[0].second)}</td>'
            for row in rows:
                better = None if row.verdict == 'level' else row.verdict == 'kept'
                strong = row.p is None or row.p < 0.05
                body += (f'<td style="text-align:right{shade(better, strong)}" title="better in {row.better}, equal in '
                         f'{row.equal}, worse in {row.worse} queries">{row.difference:+.4f}</td>')
            body += '</tr>'
        return (f'<table><thead><tr><th>ordering</th>{head}</tr></thead><tbody>{body}<tr><td style="text-align:left">'
                f'pairs that differ significantly</td>{counts}</tr></tbody></table>')

    def __str__(self) -> str:
        lines = []
        for measure in dict.fromkeys(row.measure for row in self.comparisons):
            rows = self.of(measure)
            counts = ', '.join(f'{len(self.of(measure, verdict))} {verdict}' for verdict in ('kept', 'level', 'broken'))
            separated, pairs = self.significant(measure)
            lines += [f'{self.names[measure]}: {counts}; {separated} of {pairs} pairs of runs differ significantly '
                      '(p < 0.05)',
                      f'{"ordering":24}{"difference":>12}{"better":>8}{"equal":>7}{"worse":>7}{"p":>10}  verdict']
            for row in rows:
                ordering = f'{" ".join(row.first)} → {" ".join(row.second)}'
                p = '' if row.p is None else f'{row.p:.2g}'
                lines.append(f'{ordering:24}{row.difference:>+12.4f}{row.better:>8}{row.equal:>7}{row.worse:>7}'
                             f'{p:>10}  {row.verdict}')
            lines.append('')
        return '\n'.join(lines)


def expected_orderings(segments: Iterable[str] = SEGMENTS,
                       rankings: Iterable[str] = RANKINGS) -> list[tuple[RunName, RunName]]:
    """The pairs of runs of which the first should be at least as good as the second, for these parts and rankings; all
    of them give the 36 rows of Table 2. What follows from others is left out: ``S`` and ``S_LD`` are a pair of their
    own only without ``S_L``. Different parts come first, then different rankings.

    Raises:
        ValueError: a name that is none of ``SEGMENTS`` or ``RANKINGS``
    """
    segments = [known('segments', name, SEGMENTS) for name in dict.fromkeys(segments)]
    rankings = [known('ranking', name, RANKINGS) for name in dict.fromkeys(rankings)]
    return ([((better, ranking), (worse, ranking)) for ranking in rankings for better, worse in _steps(segments)]
            + [((parts, better), (parts, worse)) for parts in segments for better, worse in _steps(rankings)])


def fidelity(measures: Iterable[Measure | str] | Measure | str, qrels: Any,
             orderings: Iterable[tuple[RunName, RunName]] | None = None, *, elements: Elements | None = None,
             sizes: Mapping[str, float] | None = None, irrelevant: Mapping[str, str] | None = None, seed: int = 0,
             rel: float = 1, progress: bool = False) -> Fidelity:
    """Which expected orderings of simulated runs measures keep, query by query and in the mean over the queries with
    relevant content.

    Args:
        measures: measures, or strings that ir-measures parses. Those that are not of this package, such as AP, are
            computed on documents: each at its rank, with the highest relevance judged in it (the paper's MAP)
        orderings: pairs of runs, the first of which should be the better one, each as (parts, ranking); not given:
            :func:`expected_orderings` of all runs, or without ``elements`` of those with ``S`` and ``S_LD``
        qrels, elements, sizes, irrelevant, seed, rel: see :func:`fidelity_run`
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError, RowError: see :func:`fidelity_run`; no ordering or no measure
        ImportError: SciPy is not installed
    """
    asked = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    measures = parsed(asked)
    simulation = Simulation(qrels, elements, sizes, irrelevant, seed, rel)
    pairs = list(expected_orderings(SEGMENTS if elements is not None else ('S', 'S_LD')) if orderings is None
                 else orderings)
    if not pairs:
        raise ValueError('there is no ordering to look at: give pairs of runs, such as expected_orderings() has')
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    runs = {name: simulation.run(name) for name in watched(names, progress)}
    found = scores([measure for measure in measures if isinstance(measure, SegmentMeasure)], simulation.table, runs,
                   progress)
    documents = scores([measure for measure in measures if not isinstance(measure, SegmentMeasure)],
                       simulation.judged_documents(), {name: _documents(run) for name, run in runs.items()}, progress)
    queries = list(simulation.topics)
    values = {name: {measure: {query: (found[name] | documents[name])[measure][query] for query in queries}
                     for measure in measures} for name in runs}
    means = {name: {measure: mean(values[name][measure].values()) for measure in measures} for name in runs}
    return Fidelity(means, [_comparison(measure, first, second, values[first][measure], values[second][measure])
                            for measure in measures for first, second in pairs],
                    {measure: [p_value('t', values[first][measure], values[second][measure], 0)
                               for first, second in combinations(names, 2)] for measure in measures},
                    {parsed(measure)[0]: str(measure) for measure in reversed(asked)})


def _comparison(measure: Measure, first: RunName, second: RunName, a: ByQuery, b: ByQuery) -> Comparison:
    sign = -1 if lower_is_better(measure) else 1
    gains = [0. if same(a[query], b[query]) else sign * (a[query] - b[query]) for query in a]
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    difference = mean(gains)
    if abs(difference) <= 1e-12 * max(map(abs, gains)):  # gains and losses that cancel out but for rounding
        difference = 0.
    p = None if same(min(gains), max(gains)) else float(statistics().ttest_1samp(gains, 0).pvalue)
    return Comparison(measure, first, second, better, len(gains) - better - worse, worse, difference, p)


def _steps(names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of these names of which the first should be better, with none of them between."""
    return [(better, worse) for better in names for worse in names if worse in _WORSE.get(better, ())
            and not any(name in _WORSE[better] and worse in _WORSE.get(name, ()) for name in names)]


def _documents(run: Rows[SimulatedItem]) -> list[ScoredDoc]:
    """The run with each document once, at its first item."""
    rows: dict[tuple[str, str], ScoredDoc] = {}
    for item in run:
        rows.setdefault((item.query_id, item.doc_id), ScoredDoc(item.query_id, item.doc_id, item.score))
    return list(rows.values())


