"""``ir_segmeasures evaluate``: what the command ``ir_measures`` does, for segments and the campaigns' own files."""

import csv
import json
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import isnan
from typing import Any

import ir_measures
from ir_measures import Measure, Qrel

from ir_segmeasures.commands import inputs, options
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, measure_groups, named_measures, naming_files, words_of
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.measures import SegmentMeasure, ideal_recall_base
from ir_segmeasures.segments.basics import cell_of
from ir_segmeasures.segments.user_warnings import collected_warnings, warn
from ir_segmeasures.segments.warnings import about_ties

Values = Mapping[Measure, dict[str, float]]  # measure → query → value
Row = tuple[str, str, float, str]  # the query or 'all', the measure, its value and that as it is printed
_ideal = options.written_as('(kazai|piwowarski|focused|given)(:share)?', lambda text: {
    'ideal': text.partition(':')[0], **({'quant': 'product', 'specificity': 'share'} if ':' in text else {})},
    'a rule: write kazai, piwowarski, focused or given, and :share behind it where specificity is from 0 to 1')
# From where on ties move a figure, so that 0.001 is more, whatever its rounding; and of a small mean, its hundredth.
_MOVED, _SHARE = 0.00099, 0.01


class Scoring(options.Strict, options.Reading, options.Aligning):
    """Options of commands that measure runs, whose arguments are files and measures in any order."""
    words: tuple[str, ...] = argument((), nargs='*', metavar='QRELS RUN MEASURE')
    measures: tuple[str, ...] = options.measures()

    def asked(self) -> tuple[str, list[str], dict[Measure, str]]:
        """The judgements, the runs, and the measures with their names; the last have errors of alignment, too."""
        (qrels, *runs), texts = words_of(self.words, self.measures)
        names = named_measures(texts, qrels=qrels)
        measure_groups(names, self.align)  # for its error
        return qrels, runs, names

    def judged(self, request: ReadRequest, names: Iterable[Measure]) -> inputs.Source:
        """The judgements, without the note on queries that have nothing to find where all measures reward silence."""
        with warnings.catch_warnings():
            if all(measure.params.get('silence') for measure in names):
                warnings.filterwarnings('ignore', '.* without silence=True')
            return inputs.read_qrels(request)


class Evaluate(Scoring):
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
    by_query: bool = option(False, names=('--by-query', '-q'))
    no_summary: bool = option(False, names=('--no-summary', '-n'), needs='by_query')
    places: int = options.places(default=4, help='decimal places (0 to 100), -1 for all (default: %(default)s)')
    output_format: str = options.table(default='tsv', choices=('tsv', 'csv', 'jsonl'))
    average: str = option('macro', choices=('macro', 'micro'), either='average')
    micro: bool = option(False, either='average')
    provider: str | None = option(metavar='PROVIDER', choices=ir_measures.providers.registry)
    ideal: Mapping[str, str] | None = option(type=_ideal, metavar='RULE')

    def run(self) -> None:
        path, run_paths, names = self.asked()
        if len(run_paths) > 1:
            raise UsageError(f'{run_paths[1]} is one file too many: evaluate measures one run, and compare several')
        micro = self.micro or self.average == 'micro'
        if micro and (self.by_query or self.provider or self.align):
            raise UsageError('--average micro is over all queries: leave out --by-query, --provider and --align')
        provider = _provider(self.provider, names) if self.provider else ir_measures
        judgements, (request,) = self.requests(path, run_paths)
        # All values before any output, so that an error leaves no half of it.
        qrels = self.judged(judgements, names)
        if self.ideal is not None:
            with naming_files(qrels):
                qrels = qrels._replace(rows=[Qrel(row.query_id, row.doc_id, row.relevance)
                                             for row in ideal_recall_base(qrels.rows, **self.ideal)])
        rows = self.figures(names, self.values(names, qrels, request, provider, micro))
        first, write = 0 if self.by_query else 1, csv.writer(sys.stdout, lineterminator='\n').writerow
        head = ('query_id', 'measure', 'value')[first:]
        if self.output_format == 'jsonl' and self.places != 4:
            sys.stderr.write('--places is ignored when using --output-format jsonl\n')
        elif self.output_format == 'csv':
            write(head)
        for query, name, value, text in rows:
            if self.output_format == 'jsonl':  # JSON has no NaN
                print(json.dumps(dict(zip(head, (query, name, None if isnan(value) else value)[first:]))))
            elif self.output_format == 'csv':
                write([*map(cell_of, (query, name)), text][first:])
            else:
                print(*(query, name, text)[first:], sep='\t')

    def values(self, names: Mapping[Measure, str], qrels: inputs.Source, request: ReadRequest,
               provider: Any = ir_measures, micro: bool = False) -> Values:
        """The values of measures for a run; with ``micro``, their averages over all queries. A warning says whether the
        opposite order of tied items moves a figure that is shown by 0.001 or more, or a mean by a hundredth."""
        from ir_segmeasures.study.scores import query_scores
        score = _micro_averages if micro else partial(query_scores, provider=provider)
        scores, tied = scored([request], names, qrels, self.align, score)
        (values,) = scores.values()
        for sentence, opposite in tied.values():
            moved = [f'{sentence}: another order gives {"" if query == "all" else query + " "}{measure} '
                     f'{other} in the place of {text}; give scores that differ, or say with --ties what decides'
                     for (query, measure, _, text), (*_, other) in zip(
                         self.figures(names, values), self.figures(names, opposite))
                     if text != other and abs(float(text) - float(other)) >= (
                         min(_MOVED, _SHARE * abs(float(text))) if query == 'all' else _MOVED)]
            warn(moved[:1])
        return values

    def figures(self, names: Mapping[Measure, str], values: Values) -> list[Row]:
        """The printed rows of the values of measures, which have names, for all queries."""
        shown: dict[str, dict[Measure, float]] = {}
        means = {measure: measure.aggregator() for measure in names}
        for measure, mean in means.items():
            for query, value in values[measure].items():
                mean.add(value)
                shown.setdefault(query, {})[measure] = value
        rows = list(shown.items()) if self.by_query else []
        rows += [] if self.no_summary else [('all', {measure: mean.result() for measure, mean in means.items()})]
        return [(query, names[measure], value, str(value) if self.places == -1 else f'{value:.{self.places}f}')
                for query, found in rows for measure, value in found.items()]


def scored(requests: Sequence[ReadRequest], names: Mapping[Measure, str], qrels: inputs.Source,
           align: Mapping[str, Any] | None, score: Callable[..., Any], called: Sequence[str] | None = None) -> (
        tuple[dict[str, Values], dict[str, tuple[str, Values]]]):
    """The values of measures for runs, system → measure → query → value; for each system with tied items a sentence
    about these and the values by their opposite order, which moves measures of segments alone.

    Args:
        requests, qrels: the requests to read the runs, and the judgements
        names: measure → what it is called
        align: how runs are aligned for measures of documents; None: not at all
        score: measures, judgements, runs by name → system → measure → query → value
        called: the names of the runs; not given: those of the files
    """
    scores: dict[str, Any] = {}
    tied: dict[str, Any] = {}
    for group, by in measure_groups(names, align):
        runs = Runs(requests, group, qrels, by, called, ties=True)
        with naming_files(runs):
            for name, values in score(list(group), runs.judgements, runs).items():
                scores.setdefault(name, {}).update(values)
            with collected_warnings(wanted=False):
                for name, values in score(runs.ours, runs.judgements, runs.tied).items() if runs.tied else ():
                    tied[name] = about_ties(runs.tied[name]), values
    return scores, {name: (sentence, {**scores[name], **values}) for name, (sentence, values) in tied.items()}


def _micro_averages(measures: Sequence[Measure], qrels: Any, runs: Mapping[str, Any]) -> dict[str, Values]:
    """The micro average of each measure for each run, as the value of one query."""
    from ir_segmeasures.study import micro
    return {name: {measure: {'all': value} for measure, value in micro(measures, qrels, run).items()}
            for name, run in runs.items()}


def _provider(name: str, names: Mapping[Measure, str]) -> Any:
    """The provider of a name, which has to compute all measures."""
    provider = ir_measures.providers.registry[name]
    for measure, written in names.items():
        if not provider.supports(measure):
            why = measure.conflict(name) if isinstance(measure, SegmentMeasure) and name in measure.TOOLS else None
            raise UsageError(f'the provider {name} does not compute {written}' + (f': {why}' if why else ''))
    return provider
