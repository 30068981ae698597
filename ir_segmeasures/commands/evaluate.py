"""``ir_segmeasures evaluate``: what the command ``ir_measures`` does, for segments and the campaigns' own files."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import ir_measures
from ir_measures import Measure, Metric, Qrel

from ir_segmeasures.commands import options
from ir_segmeasures.commands.inputs import Source, read_qrels
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, measure_groups, named_measures, naming_files, warning_once, words_of
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.measures import RowMeasure, SegmentMeasure, ideal_recall_base
from ir_segmeasures.measures.host_measures import values_of_measures
from ir_segmeasures.segments.quoting import cell_of
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import about_ties, collected_warnings, warn

Row = tuple[str, str, float, str]  # the query or 'all', the measure, its value and that as it is printed
_ideal = options.written_as('(kazai|piwowarski|focused|given)(:share)?', lambda text: {
    'ideal': text.partition(':')[0], **({'quant': 'product', 'specificity': 'share'} if ':' in text else {})},
    'a rule: write kazai, piwowarski, focused or given, and :share behind it where specificity is from 0 to 1')
# From where on ties move a figure, so that 0.001 is more, whatever its rounding; and of a small mean, its hundredth.
_MOVED, _SHARE = 0.00099, 0.01


@dataclass(frozen=True, kw_only=True)
class Evaluate(options.Reading, options.Aligning):
    """Measure a run against qrels. Measures are written as in ir_measures, such as T2I_AP(tau=15)@10, MAgP or
    MAiSP(user='ret'), and all measures of ir_measures are there too.

    Args:
        words: the judgements, a file (.gz too; - is standard input) or the id of a dataset; the run; measures
        by_query: print the value of each query as well
        no_summary: with -q: do not print the means
        average: the mean of the values of queries (macro, the default), or sums over all queries (micro), for ratios of
            content such as SegP and SegR
        micro: the same as --average micro
        provider: compute all measures with this provider
        ideal: take in the place of judged elements those of their ideal recall base, of which none contains another:
            kazai, piwowarski, focused or given; with :share behind it where specificity is from 0 to 1
    """
    EXAMPLE = "evaluate qrels.txt my.run 'T2I_MAP(tau=15)@10' MAgP MAiSP"
    words: tuple[str, ...] = argument((), nargs='*', metavar='QRELS RUN MEASURE')
    measures: tuple[str, ...] = options.measures()
    by_query: bool = option(False, names=('--by-query', '-q'))
    no_summary: bool = option(False, names=('--no-summary', '-n'), needs='by_query')
    places: int = options.places(default=4, help='decimal places (0 to 100), -1 for all (default: %(default)s)')
    output_format: str = options.table(default='tsv', choices=('tsv', 'csv', 'jsonl'))
    average: str = option('macro', choices=('macro', 'micro'), either='average')
    micro: bool = option(False, either='average')
    provider: str | None = option(metavar='PROVIDER', choices=ir_measures.providers.registry)
    ideal: Mapping[str, str] | None = option(type=_ideal, metavar='RULE')
    strict: bool = options.strict()

    def run(self) -> None:
        (qrels_path, *run_paths), texts = words_of(self.words, self.measures, 2)
        if len(run_paths) > 1:
            raise UsageError(f'{run_paths[1]} is one file too many: evaluate measures one run, and compare several')
        names = named_measures(texts, qrels=qrels_path)
        micro = self.micro or self.average == 'micro'
        if micro and (self.by_query or self.provider or self.align):
            raise UsageError('--average micro prints sums over all queries: leave out --by-query, --provider and '
                             '--align')
        provider = _provider(self.provider, names) if self.provider else ir_measures
        measure_groups(names, self.align)  # for its error
        judgements, (request,) = self.requests(qrels_path, run_paths)
        with warning_once(self.strict):
            # All values before any output, so that an error leaves no half of it.
            qrels = read_qrels(judgements)
            if self.ideal is not None:
                with naming_files(qrels):
                    qrels = qrels._replace(rows=[
                        Qrel(row.query_id, row.doc_id, row.relevance)
                        for row in ideal_recall_base(qrels.rows, **self.ideal)])
            metrics = _micro(names, qrels, request) if micro else computed(
                names, qrels, request, self.figures, provider, self.align)
        head, first = ['query_id', 'measure', 'value'], 0 if self.by_query else 1
        if self.output_format == 'jsonl' and self.places != 4:
            sys.stderr.write('--places is ignored when using --output-format jsonl\n')
        elif self.output_format == 'csv':
            csv.writer(sys.stdout, lineterminator='\n').writerow(head[first:])
        for query, name, value, text in self.figures(names, metrics):
            if self.output_format == 'jsonl':  # JSON has no NaN
                print(json.dumps(dict(zip(head[first:], (query, name, None if isnan(value) else value)[first:]))))
            elif self.output_format == 'csv':
                csv.writer(sys.stdout, lineterminator='\n').writerow([*map(cell_of, (query, name)), text][first:])
            else:
                print(*(query, name, text)[first:], sep='\t')

    def figures(self, names: Mapping[Measure, str], metrics: Iterable[Metric]) -> list[Row]:
        """The printed rows of the values of measures, which have names, for all queries."""
        means = {measure: measure.aggregator() for measure in names}
        queries: dict[str, dict[Measure, float]] = {}
        for metric in metrics:
            if metric.measure in names:
                means[metric.measure].add(metric.value)
                queries.setdefault(metric.query_id, {})[metric.measure] = metric.value
        shown = list(queries.items()) if self.by_query else []
        if not self.no_summary:
            shown.append(('all', {measure: mean.result() for measure, mean in means.items()}))
        return [(query, names[measure], values[measure],
                 str(values[measure]) if self.places == -1 else f'{values[measure]:.{self.places}f}')
                for query, values in shown for measure in names if measure in values]


def _micro(names: Mapping[Measure, str], qrels: Source, request: ReadRequest) -> list[Metric]:
    """The micro average of each measure."""
    from ir_segmeasures.study import micro
    runs = Runs([request], names, qrels, None)
    with naming_files(runs):
        (found,) = runs.values()
        return [Metric('all', measure, value)
                for measure, value in micro(list(names), runs.judgements, found).items()]


def _provider(name: str, names: Mapping[Measure, str]) -> Any:
    """The provider of a name, which has to compute all measures."""
    provider = ir_measures.providers.registry[name]
    for measure, written in names.items():
        if not provider.supports(measure):
            conflict = (measure.conflict(name)
                        if isinstance(measure, SegmentMeasure) and name in measure.TOOLS else None)
            raise UsageError(f'the provider {name} does not compute {written}' + (f': {conflict}' if conflict else ''))
    return provider


def computed(names: Mapping[Measure, str], qrels: Source, request: ReadRequest, figures: Callable[..., list[Row]],
             provider: Any = ir_measures, align: Mapping[str, Any] | None = None) -> list[Metric]:
    """The values of measures for a run.

    Args:
        names: measure → what it is called
        qrels, request: the judgements, and the request to read the run
        figures: makes of names and values those that are shown, of which a warning says whether the order of ties moves
            one
        provider: computes the values
        align: how the run is aligned for measures of documents; None: not at all
    """
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


def _moved_by_ties(names: Mapping[Measure, str], judged: Any, found: Any, provider: Any,
                   figures: Callable[..., list[Row]], metrics: Iterable[Metric]) -> str | None:
    """How many items of a run are tied, if their opposite order moves a printed figure of a measure of segments by
    0.001 or more, or a mean by a hundredth; in others, the ids decide between them."""
    from ir_segmeasures.study.scores import opposite_ties
    table = SegmentTable.from_run(found, any(isinstance(measure, RowMeasure) for measure in names))
    other_order = opposite_ties(table)
    if other_order is None:
        return None
    with collected_warnings(wanted=False):
        others = figures(names, provider.iter_calc(list(names), judged, other_order))
    for (query, name, _, text), (*_, other) in zip(figures(names, metrics), others):
        least = min(_MOVED, _SHARE * abs(float(text))) if query == 'all' else _MOVED
        if text != other and abs(float(text) - float(other)) >= least:
            return (f'{about_ties(table)}: another order gives {"" if query == "all" else f"{query} "}{name} {other} '
                    f'in the place of {text}; give scores that differ, or say with --ties what decides')
    return None
