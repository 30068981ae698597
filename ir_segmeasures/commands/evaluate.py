"""``ir_segmeasures evaluate``: what the command ``ir_measures`` does, for segments and the campaigns' own files."""

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import ir_measures
import numpy as np
from ir_measures import Measure, Metric

from ir_segmeasures.commands import options
from ir_segmeasures.commands.inputs import Source, read_qrels
from ir_segmeasures.commands.measure_arguments import files_and_measures, measure_groups, measures, named_measures
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, naming_files, warning_once
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.host_measures import values_of_measures
from ir_segmeasures.segments.quoting import cell_of
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import about_ties, collected_warnings, warn

__all__ = ['Figures', 'computed']

SUMMARY_QID = 'all'
Rows = Sequence[tuple[Sequence[str], str, float]]  # the query, if queries are printed, the measure and the value
_MOVED = 0.00099  # of a figure, so that 0.001 is more, whatever its rounding


@dataclass(frozen=True)
class Figures:
    """The figures that are printed of the values of measures for all queries.

    Args:
        by_query: whether the values of queries are
        summary: whether the means are
        places: decimals, -1 for all
    """
    by_query: bool = False
    summary: bool = True
    places: int = 4

    def rows(self, names: Mapping[Measure, str], metrics: Iterable[Metric]) -> Rows:
        """The figures of measures, which have names, of their values for all queries."""
        means = {measure: measure.aggregator() for measure in names}
        queries: dict[str, dict[Measure, float]] = {}
        for metric in metrics:
            if metric.measure in names:
                means[metric.measure].add(metric.value)
                queries.setdefault(metric.query_id, {})[metric.measure] = metric.value
        rows = [([query], names[measure], values[measure]) for query, values in queries.items() if self.by_query
                for measure in names if measure in values]
        query = [SUMMARY_QID] if self.by_query else []
        return rows + [(query, names[measure], mean.result()) for measure, mean in means.items() if self.summary]

    def text(self, value: float) -> str:
        """A value with the decimals that are printed."""
        return str(value) if self.places == -1 else f'{value:.{self.places}f}'


@dataclass(frozen=True, kw_only=True)
class Evaluate(options.Reading, options.Aligning):
    """Measure a run against qrels. Measures are written as in ir_measures, such as T2I_AP(tau=15)@10, MAgP or
    MAiSP(user='ret'), and all measures of ir_measures are there too.

    Args:
        words: the judgements, a file (.gz too; - is standard input) or the id of a dataset; the run; measures
        by_query: print the value of each query as well
        no_summary: with -q: do not print the means
        provider: compute all measures with this provider
    """
    EXAMPLE = "evaluate qrels.txt my.run 'T2I_MAP(tau=15)@10' MAgP MAiSP"
    words: tuple[str, ...] = argument((), nargs='*', metavar='QRELS RUN MEASURE')
    measures: tuple[str, ...] = measures()
    by_query: bool = option(False, names=('--by-query', '-q'))
    no_summary: bool = option(False, names=('--no-summary', '-n'), needs='by_query')
    places: int = options.places(default=4, help='decimal places (0 to 100), -1 for all (default: %(default)s)')
    output_format: str = options.table(default='tsv', choices=('tsv', 'csv', 'jsonl'))
    provider: str | None = option(metavar='PROVIDER', choices=ir_measures.providers.registry)
    strict: bool = options.strict()

    def run(self) -> None:
        (qrels_path, *run_paths), texts = files_and_measures(self.words, self.measures, 2)
        if len(run_paths) > 1:
            raise UsageError(f'{run_paths[1]} is one file too many: evaluate measures one run, and compare several')
        names = named_measures(texts)
        provider = _provider(self.provider, names) if self.provider else ir_measures
        measure_groups(names, self.align)  # for its error
        judgements, (request,) = self.requests(qrels_path, run_paths)
        figures = Figures(self.by_query, not self.no_summary, self.places)
        with warning_once(self.strict):
            # All values before any output, so that an error leaves no half of it.
            metrics = computed(names, read_qrels(judgements), request, figures, provider, self.align)
        rows, query = figures.rows(names, metrics), ['query_id'] if self.by_query else []
        if self.output_format == 'jsonl':
            if self.places != 4:
                sys.stderr.write('--places is ignored when using --output-format jsonl\n')
            for ids, name, value in rows:  # JSON has no NaN
                print(json.dumps({**dict(zip(query, ids)), 'measure': name, 'value': None if isnan(value) else value}))
        elif self.output_format == 'csv':
            csv.writer(sys.stdout, lineterminator='\n').writerows(
                [[*query, 'measure', 'value'],
                 *([*map(cell_of, [*ids, name]), figures.text(value)] for ids, name, value in rows)])
        else:
            for ids, name, value in rows:
                print(*ids, name, figures.text(value), sep='\t')


def _provider(name: str, names: Mapping[Measure, str]) -> Any:
    """The provider of a name, which has to compute all measures."""
    provider = ir_measures.providers.registry[name]
    for measure, written in names.items():
        if not provider.supports(measure):
            conflict = (measure.conflict(name)
                        if isinstance(measure, SegmentMeasure) and name in measure.TOOLS else None)
            raise UsageError(f'the provider {name} does not compute {written}' + (f': {conflict}' if conflict else ''))
    return provider


def computed(names: Mapping[Measure, str], qrels: Source, request: ReadRequest, figures: Figures,
             provider: Any = ir_measures, align: Mapping[str, Any] | None = None) -> list[Metric]:
    """The values of measures for a run. ``names`` says what each measure is called; ``figures`` are those that are
    shown, of which a warning says whether the order of ties moves one; ``align`` says how the run is aligned for
    measures of documents, and None that it is not."""
    metrics: list[Metric] = []
    for group, by in measure_groups(names, align):
        runs = Runs([request], group, qrels, by)
        with naming_files(runs):
            judged, (found,) = runs.judgements, runs.values()
            metrics += values_of_measures(list(group), provider.iter_calc(list(group), judged, found))
            ours: dict[Measure, str] = {
                measure: name for measure, name in group.items() if isinstance(measure, SegmentMeasure)}
            if ours:
                warn([_moved_by_ties(ours, judged, found, provider, figures, metrics)])
    return metrics


def _moved_by_ties(names: Mapping[Measure, str], judged: Any, found: Any, provider: Any, figures: Figures,
                   metrics: Iterable[Metric]) -> str | None:
    """How many items of a run are tied, if another order of ties moves a printed figure of a measure of segments by
    0.001 or more; in others, the ids decide between them."""
    table = SegmentTable.from_run(found, any(isinstance(measure, RowMeasure) for measure in names))
    sentence = about_ties(table)
    if sentence is None:
        return None
    from ir_segmeasures.ids.ties import with_ties_by
    shown = figures.rows(names, metrics)
    for key in (-np.arange(len(table)), np.random.default_rng(0).random(len(table))):
        with collected_warnings(wanted=False):
            others = figures.rows(names, provider.iter_calc(list(names), judged, with_ties_by(table, key)))
        for (query, name, value), (*_, other) in zip(shown, others):
            if abs(float(figures.text(value)) - float(figures.text(other))) >= _MOVED:
                return (f'{sentence}: another order gives {" ".join([*query, name, figures.text(other)])} in the place '
                        f'of {figures.text(value)}; give scores that differ, or say with --ties what decides')
    return None
