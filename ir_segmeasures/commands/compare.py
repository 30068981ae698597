"""``ir_segmeasures compare``: which system is better, by which measure, for which queries, and how sure one can be."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ir_measures import Measure

from ir_segmeasures.commands import options
from ir_segmeasures.commands.inputs import durations_of, read_qrels
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, measure_groups, named_measures, naming_files, words_of
from ir_segmeasures.commands.streams import begins, bold, note, refuse_to_replace, write_out
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import collected_warnings
from ir_segmeasures.study import comparison, tables
from ir_segmeasures.study.gate import least_value, regressions, shortfalls, summary
from ir_segmeasures.study.scores import lower_is_better, opposite_ties, query_scores
from ir_segmeasures.study.statistics import CORRECTIONS, TESTS

GATE = 'gate for pull requests'
Scores = dict[str, dict[Measure, dict[str, float]]]


class _Tied(Runs):
    """Runs of which each that has tied items is kept, once it is read, with these in the opposite order.

    Attributes:
        ours: the measures of segments; others have a rule of their own for ties
        opposite: name → the run in this order
    """

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.ours = [measure for measure in self.measures if isinstance(measure, SegmentMeasure)]
        self.opposite: dict[str, SegmentTable] = {}

    def __getitem__(self, name: str) -> Any:
        run = super().__getitem__(name)
        if self.ours:
            with collected_warnings(wanted=False):
                table = opposite_ties(SegmentTable.from_run(
                    run, any(isinstance(measure, RowMeasure) for measure in self.ours)))
            if table is not None:
                self.opposite[name] = table
        return run


@dataclass(frozen=True, kw_only=True)
class Compare(options.Reading, options.Aligning, options.Writing):
    """Compare systems with a baseline, the first run unless --baseline names another: for each measure the mean, its
    difference, the p-value of a paired test over the queries, also corrected for the number of systems, and for how
    many queries a system wins, loses and ties.

    Args:
        words: the judgements, a file (- is standard input) or a dataset; runs; measures
        baseline: the system that the others are compared with, by its name or file
        test: t (Student's, paired; the default) or randomisation
        correction: of the p-values of a measure: holm (the default), bonferroni or none
        confidence: add the bootstrap interval of each mean at this level, such as 0.95
        top: with -o text: list the N queries that differ most from the baseline
        diagnose: print means by the length, third of the video and number of true moments
        fail_if_worse: exit with 1 if a system is worse by one of these measures (default: all), significantly or by
            more than --tolerance, and with 2 for errors
        min: exit with 1 if the mean of a system beside the baseline is below
        alpha: the level of significance (default: 0.05)
        tolerance: fail also if a mean is worse by more than this
        summary: write the result as Markdown (standard output as -)
    """
    EXAMPLE = 'compare qrels.txt baseline.run new.run -m MAiSP -m T2I_MAP'
    words: tuple[str, ...] = argument((), nargs='*', metavar='QRELS RUN')
    measures: tuple[str, ...] = options.measures()
    baseline: str | None = option(metavar='NAME')
    names: tuple[str, ...] | None = options.names()
    test: str = option('t', choices=TESTS, metavar='HOW')
    correction: str = option('holm', choices=CORRECTIONS, metavar='HOW')
    confidence: float | None = option(metavar='LEVEL')
    top: int | None = option(metavar='N')
    diagnose: bool = option(False)
    output_format: str = options.table()
    places: int | None = options.places()
    jobs: int | None = options.jobs()
    strict: bool = options.strict()
    fail_if_worse: tuple[str, ...] | None = option(nargs='*', metavar='MEASURE', group=GATE)
    min: tuple[str, ...] = option((), more=lambda word: '=' in word, metavar='MEASURE=VALUE', group=GATE)
    alpha: float = option(0.05, metavar='LEVEL', group=GATE, needs='fail_if_worse')
    tolerance: float | None = option(metavar='DIFFERENCE', group=GATE, needs='fail_if_worse')
    summary: str | None = option(metavar='FILE', group=GATE)

    @property
    def ERROR_CODE(self) -> int:  # type: ignore[override]  # 1 is for systems that are worse
        return 1 if self.fail_if_worse is None and not self.min else 2

    def run(self) -> int:
        least: dict[Measure | str, float] = dict(map(least_value, self.min))
        (path, *run_paths), texts = words_of(self.words, (*map(str, least), *self.measures), 1)
        names = named_measures(texts[len(least):] or texts, qrels=path)
        if not run_paths:
            raise UsageError('the runs are missing: name them behind the judgements')
        if self.top is not None and (self.top < 1 or self.output_format != 'text'):
            raise UsageError(f'--top is {self.top}, but it is a number of queries from 1 up' if self.top < 1 else
                             '--top only goes with -o text, since the other formats are one table')
        if self.fail_if_worse is not None and len(run_paths) < 2:
            raise UsageError('--fail-if-worse takes two runs or more, the baseline and others: name them')
        refuse_to_replace(self, 'summary', begins('|', '#', '*'))
        named_measures(self.fail_if_worse or names.values())  # for its error, as the next line
        groups = measure_groups(names, self.align)
        judgements, requests = self.requests(path, run_paths)
        qrels = read_qrels(judgements)
        all_runs = [_Tied(requests, group, qrels, align, self.names) for group, align in groups]
        settings: dict[str, Any] = {'baseline': self.baseline and _baseline(self.baseline, all_runs[0]),
                                    'test': self.test, 'correction': self.correction, 'confidence': self.confidence}
        comparison.checked_baseline(all_runs[0], **settings)  # before the work
        scores: Scores = {name: {} for name in all_runs[0]}
        warnings: list[str] = []
        for runs in all_runs:
            with naming_files(runs, self.strict) as said:
                found = (query_scores(list(runs.measures), runs.judgements, runs, progress=True) if self.jobs is None
                         else _side_by_side(runs, self.jobs))
            warnings += said
            for name, values in found.items():
                scores[name].update(values)
        compared = comparison.compare_scores(names.values(), scores, **settings)
        self._tell_ties(compared, all_runs, scores, settings)
        worse: list[Any] = []
        passed: list[str] = []
        try:
            if self.fail_if_worse is not None:
                worse += regressions(compared, self.fail_if_worse, self.alpha, self.tolerance, self.correction,
                                     _of_nothing(all_runs, compared.baseline))
                gated = ', '.join(self.fail_if_worse or names.values())
                passed.append(f'nothing is worse than {compared.baseline} by {gated}')
            if self.min:
                worse += shortfalls(compared, least)
                passed.append(f'nothing falls short of {", ".join(self.min)}')
        except ValueError as error:
            if self.summary is not None:
                write_out(summary(compared, str(error), self.places, warnings=warnings), self.summary)
            raise
        verdict = '; '.join(map(str, worse or passed))
        if not self.diagnose or self.output_format == 'text':
            print(tables.render(compared, self.output_format, self.places, bold, compared.method), end='')
        if self.diagnose:
            from ir_segmeasures.study.diagnosis import diagnose
            with naming_files(all_runs[0]):
                diagnosis = diagnose(compared, all_runs[0].judgements, durations_of(qrels))
            print('\n' * (self.output_format == 'text')
                  + tables.render(diagnosis, self.output_format, self.places, bold), end='')
        if self.top is not None:
            print('\n' + tables.render(compared.top(self.top), 'text', self.places), end='')
        if self.summary is not None:
            write_out(summary(compared, verdict, self.places, warnings=warnings), self.summary)
        if verdict:
            sys.stdout.flush()  # the reason stands last
            note(verdict)
        return 1 if worse else 0

    def _tell_ties(self, compared: Any, all_runs: Sequence[_Tied], scores: Scores, settings: Mapping[str, Any]) -> None:
        """Say which means and p-values the order of tied items moves."""
        if not any(runs.opposite for runs in all_runs):
            return
        other = {name: dict(values) for name, values in scores.items()}
        for runs in all_runs:
            with collected_warnings(wanted=False):
                for name, values in query_scores(runs.ours, runs.judgements, runs.opposite).items():
                    other[name].update(values)
        opposite = comparison.compare_scores(compared.names.values(), other, **{**settings, 'confidence': None})
        moved = compared.moved(opposite, 4 if self.places is None else self.places)
        if moved:
            more = f' and {len(moved) - 4} more' if len(moved) > 4 else ''
            note(f'with tied items in the opposite order {"; ".join(moved[:4])}{more}: --ties says what decides')


def _of_nothing(all_runs: Sequence[Runs], baseline: str) -> dict[Measure, Any]:
    """The values that the baseline would have in other documents, for measures of which lower values are better."""
    found: dict[Measure, Any] = {}
    for runs in all_runs:
        if lower := list(filter(lower_is_better, runs.measures)):
            with collected_warnings(wanted=False):
                table = SegmentTable.from_run(runs[baseline], elements=True)
                elsewhere = replace(table, document_ids=[f'{id}#elsewhere' for id in table.document_ids])
                found |= query_scores(lower, runs.judgements, {'': elsewhere})['']
    return found


def _baseline(text: str, runs: Runs) -> str:
    """The name of the run that somebody calls by its name, path or file."""
    files = {file: name for name, request in runs.requests.items()
             for file in (request.path, os.path.basename(request.path))}
    found = text if text in runs else files.get(text, text)
    if found not in runs:
        raise UsageError(f'--baseline: there is no run {quoted(text)}; there is {", ".join(runs)}')
    return found


def _side_by_side(runs: Runs, jobs: int) -> Scores:
    """The values of the runs, evaluated in several processes."""
    from ir_segmeasures.study.runs import BrokenRuns, evaluate_runs
    try:
        frame = evaluate_runs(list(runs.measures), runs.judgements, runs.items(), by_query=True, n_jobs=jobs)
    except BrokenRuns as error:
        raise ValueError('; '.join(error.errors.values())) from None
    called = {str(measure): measure for measure in runs.measures}
    found: Scores = {name: {measure: {} for measure in runs.measures} for name in runs}
    for name, query, measure, value in frame.itertuples(index=False):
        found[name][called[measure]][query] = float(value)
    return found
