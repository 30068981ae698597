"""Parallel evaluation of many runs, in memory or in files, on all cores or on a cluster, by joblib. The answer is one
frame.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import ir_measures
from ir_measures import Evaluator, Measure

from ir_segmeasures import formats
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.host_measures import values_of_measures
from ir_segmeasures.segments.basics import needed, quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.user_warnings import SegmentWarning, collected_warnings, warn, warn_user, with_run_name
from ir_segmeasures.study.runs.score_file import ScoreFile, Values, digest_of_qrels, digest_of_run, paths_of
from ir_segmeasures.study.scores import for_ir_measures, parse_measures, with_progress

if TYPE_CHECKING:
    import pandas

# Controls, line ends among them, and characters that Python makes of bytes that are not UTF-8.
_UNWRITTEN = re.compile('[\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_AT_ONCE = 200  # runs, where a backend gives the answers of all of them together


class BrokenRuns(ValueError):
    """Some runs cannot be evaluated.

    Attributes:
        errors: the name of each → the sentence of its error: the file, the line, the rule, the repair
        scores: the answer for all other runs
    """

    def __init__(self, errors: dict[str, str], scores: pandas.DataFrame):
        super().__init__(errors, scores)  # both, for pickle
        self.errors, self.scores = errors, scores

    def __str__(self) -> str:
        return '\n'.join([f'{len(self.errors)} run{"s" * (len(self.errors) != 1)} cannot be evaluated:',
                          *(f'  {name}: {error}' for name, error in self.errors.items())])


def evaluate_runs(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Any, *, by_query: bool = False,
                  n_jobs: int | None = None, backend: str | None = None,
                  out: str | os.PathLike[str] | None = None, progress: bool | None = None, errors: str = 'raise',
                  format: str | None = None) -> pandas.DataFrame:
    """The values of measures for many runs, one row each.

    Args:
        measures: of this package or of ir-measures, or their names; a measure of ir-measures sees ids alone
        qrels: in any shape that :meth:`SegmentTable.from_qrels <ir_segmeasures.SegmentTable.from_qrels>` takes
        runs: a mapping of names and runs, pairs of both, files, or a pattern such as ``'runs/*.txt'``. A run is in any
            shape, a table, a file, or a folder of Parquet files, which are one run. A file is named as it is without
            its suffix
        by_query: whether to give the value of each query instead of the mean
        n_jobs, backend: as joblib takes them: -1 for all cores; ``'loky'``, ``'threading'``, ``'dask'``, ``'ray'``. One
            process if neither is given, nor set by :class:`joblib.parallel_config`
        out: a CSV file that keeps each run as soon as it is finished. Runs that stand in it with their name and content
            are not evaluated again. Its columns ``qrels``, ``digest`` and ``release`` tell judgements, contents and
            releases of this package apart. Several processes may write into one file
        progress: whether to show a bar; if not given, on a terminal, from the second second on
        errors: how runs that cannot be evaluated are reported at the end: ``'raise'`` an error, or ``'report'``, which
            warns
        format: of files, one of :data:`ir_segmeasures.formats.FORMATS`; ``'parquet'`` by suffix, else ``'trec'``

    Returns:
        a frame with the columns ``run``, ``query_id`` (with ``by_query``), ``measure`` and ``value``, in the order of
        the runs, of the qrels, and of the measures

    Warns:
        SegmentWarning: a run and the qrels do not seem to speak of the same segments; the warning names the run. Where
            the filter of warnings makes it an error, the run counts as one that cannot be evaluated
        UserWarning: runs in ``out`` had another content or were measured by another release, and are evaluated anew

    Raises:
        BrokenRuns: some runs cannot be evaluated, and ``errors`` is ``'raise'``; it has the scores of the others
        ValueError: there is no measure, no such file, or ``out`` holds scores of other measures or qrels, or none
        RowError, TypeError: the qrels cannot be used
        OSError: ``out`` cannot be written
        ImportError: joblib, pandas or, for ``out``, filelock is not installed

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import MAiSP, T2I_MAP, evaluate_runs
        >>> qrels = [Qrel('q1', 'talk#t=10,20', 1), Qrel('q2', 'talk#t=50,80', 1)]
        >>> runs = {'bm25': [ScoredDoc('q1', 'talk#t=12,18', 2.), ScoredDoc('q2', 'talk#t=0,60', 1.)],
        ...         'dense': [ScoredDoc('q1', 'talk#t=0,30', 2.)]}
        >>> scores = evaluate_runs([T2I_MAP, MAiSP], qrels, runs)
        >>> scores.round(3).to_dict('split')['data']
        [['bm25', 'T2I_MAP', 0.5], ['bm25', 'MAiSP', 0.588], ['dense', 'T2I_MAP', 0.5], ['dense', 'MAiSP', 0.25]]
    """
    if errors not in ('raise', 'report'):
        raise ValueError(f"errors is {quoted(errors)}, but it is 'raise' or 'report': give one of them")
    for package in ('joblib', 'pandas', *(['tqdm'] if progress else [])):
        needed(package, f'many runs are evaluated with {package}', 'scale')
    job = _Job(parse_measures(measures), qrels, by_query, format)
    job.evaluator  # noqa: B018 -- an error of measures or qrels is raised here, once
    file = None if out is None else ScoreFile(out, job.measures, by_query, digest_of_qrels(job.qrels))
    # Runs that are made one by one may be larger than memory together.
    pairs: Any = named_runs(runs) if isinstance(runs, Iterator) else list(named_runs(runs))
    values: dict[str, Values] = {}  # in the order in which runs came; empty until a run is finished
    digests, broken, failures, said = dict[str, str](), dict[str, str](), list[Exception](), set[str]()

    def unfinished() -> Iterator[tuple[str, Any]]:
        """The runs that are to be evaluated. joblib asks for them as workers are free, and cannot pass on an error."""
        try:
            for name, run in pairs:
                values[name] = {}
                if file is not None:
                    run = list(run) if isinstance(run, Iterator) else run  # read twice
                    try:
                        digests[name] = digest_of_run(run, format)
                    except (OSError, ValueError) as error:
                        broken[name] = str(error)
                        continue
                    values[name] = file.finished(name, digests[name])
                if not values[name]:
                    yield name, run
        except Exception as error:
            failures.append(error)
    with closing(_results(job, unfinished(), n_jobs, backend)) as results:
        for done in with_progress(results, progress is not False, always=bool(progress),
                                  total=len(pairs) if isinstance(pairs, list) else None):
            error = done.error or _told(done, said)
            if error is not None:
                broken[done.run] = error
            else:
                values[done.run] = done.values
                if file is not None:
                    file.add(done.run, digests[done.run], done.values)
    if file is not None:
        file.tell_changed()
    if failures:
        raise failures[0]
    import pandas
    names = list(map(str, job.measures))
    rows = [(run, query, name, value) for run, found in values.items() for query, row in found.items()
            for name, value in zip(names, row) if value is not None]
    frame = pandas.DataFrame(rows, columns=['run', 'query_id', 'measure', 'value']).astype({'value': float})
    frame = frame if by_query else frame.drop(columns='query_id')
    all_broken = BrokenRuns({name: broken[name] for name in values if name in broken}, frame)
    if broken and errors == 'raise':
        raise all_broken
    if broken:
        warn_user(str(all_broken))
    return frame


class _Done(NamedTuple):
    """The answer about a run: its values, or the sentence of its error, and the warnings about it and the qrels."""
    run: str
    values: Values
    error: str | None
    warnings: list[str]


class _Job:
    """The measures and qrels of a call.

    Attributes:
        measures: each once
        qrels: a table, if all measures are of segments
        by_query: whether the value of each query is asked for, or the mean
        format: of files
    """

    def __init__(self, measures: list[Measure], qrels: Any, by_query: bool, format: str | None):
        self.measures, self.by_query, self.format = measures, by_query, format
        self._tables = all(isinstance(measure, SegmentMeasure) for measure in measures)
        self._elements = any(isinstance(measure, RowMeasure) for measure in measures)
        self.qrels = SegmentTable.from_qrels(qrels, self._elements) if self._tables else for_ir_measures(
            list(qrels) if hasattr(qrels, '__next__') else qrels, 'qrels', measures)

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator. To build it raises the errors of the measures and the qrels."""
        return ir_measures.evaluator(self.measures, self.qrels)

    def __getstate__(self) -> dict[str, Any]:  # evaluators of a host need not pickle, and ours are quick to build
        return {name: value for name, value in self.__dict__.items() if name != 'evaluator'}

    def evaluate(self, name: str, source: Any) -> _Done:
        """The answer about a run, in any shape or the path of its file."""
        with collected_warnings() as warnings:
            try:
                return _Done(name, self._values(source), None, warnings)
            except (OSError, ValueError, TypeError, ImportError) as error:
                sentence = str(in_source(error, source, self.format))
            except Exception as error:  # of a host's measure, say: it must not cost the other runs
                sentence = f'{type(error).__name__}: {error}'
            return _Done(name, {}, sentence, warnings)

    def _values(self, source: Any) -> Values:
        run = _rows_of_file(source, self.format) if isinstance(source, (str, os.PathLike)) else source
        if self._tables:
            run = SegmentTable.from_run(run, self._elements)
        place = {measure: i for i, measure in enumerate(self.measures)}
        means = [measure.aggregator() for measure in self.measures]
        values: Values = {}
        run = for_ir_measures(run, 'run', self.measures)
        for metric in values_of_measures(self.measures, self.evaluator.iter_calc(run)):
            values.setdefault(metric.query_id, [None] * len(place))[place[metric.measure]] = metric.value
            means[place[metric.measure]].add(metric.value)
        return values if self.by_query else {None: [mean.result() for mean in means]}


def _told(done: _Done, said: set[str]) -> str | None:
    """Warns of a run, once for each sentence. Returns the sentence where such a warning is an error."""
    for warning in done.warnings:
        sentence = with_run_name(warning, done.run)
        try:
            warn([sentence] if sentence not in said else [])
        except SegmentWarning:
            return warning
        said.add(sentence)
    return None


def _results(job: _Job, runs: Iterable[tuple[str, Any]], n_jobs: int | None, backend: str | None,
             ) -> Generator[_Done, None, None]:
    """The answers about the runs, as they are finished."""
    joblib = needed('joblib', 'many runs are evaluated with joblib', 'scale')
    if backend == 'ray':
        needed('ray.util.joblib', 'this backend needs ray', 'scale').register_ray()
    calls = (joblib.delayed(job.evaluate)(name, source) for name, source in runs)
    settings = {name: value for name, value in (('backend', backend), ('n_jobs', n_jobs)) if value is not None}
    with joblib.parallel_config(**settings) if settings else nullcontext():
        try:
            yield from joblib.Parallel(return_as='generator_unordered')(calls)
        except ValueError:  # some backends, such as that of ray, give nothing but lists
            while block := list(islice(calls, _AT_ONCE)):
                yield from joblib.Parallel()(block)


def named_runs(runs: Any) -> Iterator[tuple[str, Any]]:
    """The runs with their names: the items of a mapping, pairs, or files. A file gives its name without the suffix.

    Raises:
        ValueError: no file matches a pattern, or two runs have one name
        TypeError: a run has no name and is not a file
    """
    if isinstance(runs, (str, os.PathLike)):
        path = os.fspath(runs)
        pattern = glob.has_magic(path) and not os.path.exists(path)
        runs = sorted(glob.glob(path, recursive=True)) if pattern else [path]
        if not runs:
            raise ValueError(f'no file matches {quoted(path)}: check the pattern')
    elif isinstance(runs, Mapping):
        runs = runs.items()
    elif not isinstance(runs, Iterable) or hasattr(runs, 'itertuples'):
        raise TypeError(f'the runs are a {type(runs).__name__}: give a mapping of names and runs, files, or a pattern '
                        "such as 'runs/*.txt'")
    repair = 'give a mapping of names and runs'
    seen: set[str] = set()
    for name, run in map(_pair, runs):
        if _UNWRITTEN.search(name):
            raise ValueError(f'a run is named {quoted(name)}, which no line of text holds: rename its file or the run')
        if name in seen:
            raise ValueError(f'two runs are named {quoted(name)}, but scores are told apart by the names: {repair}')
        seen.add(name)
        yield name, run


def _pair(run: Any) -> tuple[str, Any]:
    if isinstance(run, (str, os.PathLike)):
        name = os.path.basename(os.path.normpath(os.fspath(run)))
        return os.path.splitext(name[:-3] if name.lower().endswith('.gz') else name)[0], run
    if isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], str):
        return run
    raise TypeError(f'a {type(run).__name__} among the runs has no name: give a mapping of names and runs, or pairs')


def in_source(error: Exception, source: Any, format: str | None) -> Exception:
    """The error with the file of the run, and with the line where it is about a row; as it is without a file."""
    if not (isinstance(source, (str, os.PathLike)) and isinstance(error, (TypeError, ValueError))) or isinstance(
            error, formats.FormatError) or (isinstance(error, RowError) and error.kind != 'run'):
        return error
    if not isinstance(error, RowError) or len(paths_of(source)) > 1:
        return formats.FormatError(str(error), source)
    name = formats.format_at(source, format or 'trec')
    return formats.in_file(error, os.fspath(source), formats.format_of(name), _rows_of_file(source, format))


def _rows_of_file(source: Any, format: str | None) -> Any:
    rows = [formats.read_run(path, format or 'trec') for path in paths_of(source)]
    return rows[0] if len(rows) == 1 else [row for part in rows for row in part]
