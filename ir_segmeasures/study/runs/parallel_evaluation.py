"""Parallel evaluation of many runs, on all cores or on a cluster. The answer is one frame."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ir_measures import Measure

from ir_segmeasures.formats.files.parts import is_large
from ir_segmeasures.segments.quoting import joined as joined_names
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.warnings import SegmentWarning, collected_warnings, warn, with_run_name
from ir_segmeasures.study.progress import progress_bar
from ir_segmeasures.study.runs.score_file import KeptRun, ScoreFile, frame_of
from ir_segmeasures.study.runs.tasks import Task, digest_of, named_runs, tasks_of
from ir_segmeasures.study.runs.worker import Done, Job, Values, common_doubts, ignore_interrupts, work
from ir_segmeasures.study.scores import parse_measures

if TYPE_CHECKING:
    import os

    import pandas

__all__ = ['BrokenRuns', 'evaluate_runs']

_MEASURED = .2  # seconds after which it is known how long tasks take
_START = 3.  # seconds that processes take to start on a busy machine
_AT_ONCE = 200  # tasks, where a backend gives the answers of all of them together


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
        return _error_lines(self.errors)


def evaluate_runs(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Any, *, by_query: bool = False,
                  n_jobs: int | None = None, backend: str | None = None,
                  out: str | os.PathLike[str] | None = None, progress: bool | None = None, errors: str = 'raise',
                  format: str | None = None) -> pandas.DataFrame:
    """The values of measures for many runs, one row each.

    Args:
        measures: of this package or of ir-measures, or their names; a measure of ir-measures sees ids alone
        qrels: in any shape that :meth:`SegmentTable.from_qrels <ir_segmeasures.SegmentTable.from_qrels>` takes
        runs: a mapping of names and runs, pairs of both, files, or a pattern such as ``'runs/*.txt'``. A run is in any
            shape, a table, a file, or a folder of Parquet files, each query whole in one of them, which are evaluated
            side by side and joined. A file is named as it is without its suffix
        by_query: whether to give the value of each query instead of the mean
        n_jobs, backend: as joblib takes them: -1 for all cores; ``'loky'``, ``'threading'``, ``'dask'``, ``'ray'``. One
            process if neither is given, nor set by :class:`joblib.parallel_config`. Small runs, with no ``backend``
            named, are evaluated in this process as long as more processes would not make it faster
        out: a file, ``.csv`` or ``.parquet``, that keeps the finished runs, whatever happens. Runs that stand in it
            with their name and content are not evaluated again. Its columns ``qrels`` and ``digest`` tell qrels and
            contents apart. Several processes may write into one file
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
        UserWarning: runs in ``out`` had another content, and are evaluated anew

    Raises:
        BrokenRuns: some runs cannot be evaluated, and ``errors`` is ``'raise'``; it has the scores of the others
        ValueError: there is no measure, no such file, or ``out`` holds scores of other measures or qrels, or values
            that cannot be true: not finite, out of the range of their measure, missing, or there twice
        RowError, TypeError: the qrels cannot be used
        OSError: ``out`` cannot be written
        ImportError: joblib, pandas or, for ``out``, filelock is not installed

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import MAiSP, T2I_AP, evaluate_runs
        >>> qrels = [Qrel('q1', 'talk#t=10,20', 1), Qrel('q2', 'talk#t=50,80', 1)]
        >>> runs = {'bm25': [ScoredDoc('q1', 'talk#t=12,18', 2.), ScoredDoc('q2', 'talk#t=0,60', 1.)],
        ...         'dense': [ScoredDoc('q1', 'talk#t=0,30', 2.)]}
        >>> scores = evaluate_runs([T2I_AP, MAiSP], qrels, runs)
        >>> scores.round(3).to_dict('split')['data']
        [['bm25', 'T2I_AP', 0.5], ['bm25', 'MAiSP', 0.588], ['dense', 'T2I_AP', 0.5], ['dense', 'MAiSP', 0.25]]
    """
    if errors not in ('raise', 'report'):
        raise ValueError(f"errors is {quoted(errors)}, but it is 'raise' or 'report': give one of them")
    joblib = _needed('joblib')
    _needed('pandas')
    job = Job(parse_measures(measures), qrels, by_query)
    job.evaluator  # noqa: B018 -- an error of measures or qrels is raised here, once
    names = [str(measure) for measure in job.measures]
    pairs = named_runs(runs)
    kept = None if out is None else ScoreFile(out, job, joblib.hash(job.qrels))
    values: dict[str, Values] = {}
    order: list[str] = []
    broken: dict[str, str] = {}
    walk = _Walk(pairs, None if kept is None else kept.kept, format, order, values, broken)
    joined: dict[str, list[Done]] = {}
    doubted: set[str] = set()
    results = _results(joblib, job, walk, n_jobs, backend)
    try:
        with _bar(progress, len(pairs) if isinstance(pairs, list) else None) as bar:
            for done in results:
                name, parts = done.task.run, joined.setdefault(done.task.run, [])
                parts.append(done)
                if len(parts) < (done.task.parts or 1):
                    continue
                del joined[name]
                scores, error = _join(job, parts)
                of_parts = [part.doubts for part in parts if part.values or part.task.parts is None]
                doubt = _doubted(name, common_doubts(of_parts), doubted)
                error = error or doubt
                if error is not None:
                    broken[name] = error
                else:
                    values[name] = scores
                    if kept is not None:
                        kept.add(name, walk.digests[name], scores)
                if bar is not None:
                    bar.update()
        walk.check()
    finally:
        results.close()  # at Ctrl-C: the workers need not go on
        if kept is not None:
            kept.finish(order)
            if walk.changed:
                runs_of = f'{len(walk.changed)} runs' if len(walk.changed) > 1 else '1 run'
                warn_user(f'{kept.path}: {runs_of} had another content when the file was written, and the values '
                          f'are computed anew: {joined_names(walk.changed)}')
    frame = frame_of({name: values[name] for name in order if name in values}, names, by_query)
    if broken:
        broken = {name: broken[name] for name in order if name in broken}
        if errors == 'raise':
            raise BrokenRuns(broken, frame)
        warn_user(_error_lines(broken))
    return frame


class _Walk:
    """The tasks of runs that are not finished. joblib walks them as workers are free, and cannot pass on an error.

    Attributes:
        digests: run → the digest of its content, where finished runs are kept
        changed: the runs that were kept with another content
    """

    def __init__(self, pairs: Iterable[tuple[str, Any]], kept: dict[str, KeptRun] | None, format: str | None,
                 order: list[str], values: dict[str, Values], broken: dict[str, str]):
        self._count = len(pairs) if isinstance(pairs, list) else None
        self._pairs, self._kept, self._format = pairs, None if kept is None else dict(kept), format
        self._order, self._values, self._broken = order, values, broken
        self._error: Exception | None = None
        self.digests: dict[str, str] = {}
        self.changed: list[str] = []

    def __iter__(self) -> Iterator[Task]:
        try:
            for name, run in self._pairs:
                self._order.append(name)
                try:
                    if self._kept is not None and isinstance(run, Iterator):
                        run = list(run)  # read twice
                    tasks = tasks_of(name, run, self._format)
                    finished = self._kept is not None and self._is_kept(name, digest_of(run, tasks))
                except (OSError, ValueError) as error:
                    self._broken[name] = str(error)
                else:
                    if not finished:
                        yield from tasks
        except Exception as error:
            self._error = error

    def _is_kept(self, name: str, digest: str) -> bool:
        """Whether the run is finished, with this content; its values are those that were kept."""
        assert self._kept is not None
        self.digests[name] = digest
        if name not in self._kept:
            return False
        if not digest or digest != self._kept[name].digest:
            self.changed.append(name)
            return False
        self._values[name] = self._kept[name].values
        return True

    @property
    def left(self) -> int | None:
        """How many runs are to come at most; None if that is not known."""
        return None if self._count is None else self._count - len(self._order)

    def check(self) -> None:
        """Raise what ended the walk before its end."""
        if self._error is not None:
            raise self._error


def _join(job: Job, parts: list[Done]) -> tuple[Values, str | None]:
    """The values of a run from those of its parts, or the sentence of its error."""
    parts = sorted(parts, key=lambda done: done.task.part)
    if parts[0].error is not None or parts[0].task.parts is None:
        return parts[0].values, parts[0].error
    place: dict[str, Task] = {}
    values: Values = {}
    for done in parts:
        if done.error is not None:
            return {}, done.error
        for query in done.queries:
            if query in place:
                return {}, (f'{done.task.source}: the query {quoted(query)} stands in {place[query].source} too, but '
                            'each query of a run is whole in one file: write the parts again')
            place[query] = done.task
        values.update(done.values)
    judged = job.judged
    without = [query for query in judged if query not in place]
    if without:  # their values are those of an empty ranking
        with collected_warnings(wanted=False):  # no run is empty
            values.update(job.values([], without))
    return job.asked({query: values[query] for query in judged if query in values}), None


def _doubted(name: str, doubts: Iterable[str], known: set[str]) -> str | None:
    """Warns of a run, once for each sentence. Returns the sentence where such a warning is an error."""
    for doubt in doubts:
        sentence = with_run_name(doubt, name)
        try:
            warn([sentence] if sentence not in known else [])
        except SegmentWarning:
            return doubt
        known.add(sentence)
    return None


def _backend(joblib: Any, n_jobs: int | None, backend: str | None) -> Any:
    if backend == 'ray':
        _needed('ray.util.joblib').register_ray()
    if backend == 'dask':
        with suppress(ValueError):  # joblib says that there is no client
            _needed('distributed').default_client().run(ignore_interrupts)
    if backend is None:
        return nullcontext() if n_jobs is None else joblib.parallel_config(n_jobs=n_jobs)
    return joblib.parallel_config(backend, **({} if n_jobs is None else {'n_jobs': n_jobs}))


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A context without Ctrl-C: processes that begin there leave it to this one for ever, and have nothing to say."""
    if threading.current_thread() is not threading.main_thread():  # which alone has signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _results(joblib: Any, job: Job, walk: _Walk, n_jobs: int | None, backend: str | None,
             ) -> Generator[Done, None, None]:
    """The answers to the tasks, as they are finished."""
    tasks = iter(walk)
    if backend is None:
        with _backend(joblib, n_jobs, backend):
            workers = joblib.effective_n_jobs(n_jobs)
            are_processes = type(joblib.parallel.get_active_backend()[0]).__name__ == 'LokyBackend'
        if are_processes and workers > 1:
            left = yield from _small_tasks(job, tasks, walk, workers)
            if left is None:  # for which joblib would start a process, too
                return
            tasks = left
    packed, key = job.packed(), uuid4().hex
    calls = (joblib.delayed(work)(key, packed, task) for task in tasks)
    with _backend(joblib, n_jobs, backend), _without_interrupts():
        try:
            # Arrays from 10 kB on are given to a process once, as a file; the job is one.
            results = joblib.Parallel(return_as='generator_unordered', max_nbytes=10_000)(calls)
        except ValueError:  # some backends, such as that of ray, give nothing but lists
            results = _in_blocks(joblib.Parallel(), calls)
    try:
        yield from results
    finally:
        results.close()


def _small_tasks(job: Job, tasks: Iterator[Task], walk: _Walk, workers: int,
                 ) -> Generator[Done, None, Iterator[Task] | None]:
    """The answers to the first tasks, those that are there before processes would have started. Returns the tasks that
    so many workers finish earlier, or None if none are left."""
    begin, done = 0., -1  # without the first task, which imports what all need
    for task in tasks:
        spent = time.monotonic() - begin
        to_come = walk.left if walk.left is not None else done  # as many again, if that is not known
        is_long = done > 0 and spent > _MEASURED and spent / done * to_come * (1 - 1 / workers) > _START
        if is_long or task.parts is not None or (task.format is not None and is_large(task.source)):
            return chain([task], tasks)
        yield job.evaluate(task)
        begin, done = begin or time.monotonic(), done + 1
    return None


def _in_blocks(parallel: Any, calls: Iterator[Any]) -> Iterator[Any]:
    with parallel:
        while block := list(islice(calls, _AT_ONCE)):
            yield from parallel(block)


def _bar(progress: bool | None, total: int | None) -> Any:
    """A bar, or a context that gives None. Raises ``ImportError`` where a bar is asked for and cannot be shown."""
    if progress:
        _needed('tqdm')
    bar = None if progress is False else progress_bar(total, always=bool(progress))
    return nullcontext() if bar is None else bar


def _needed(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f'many runs are evaluated with {package}, which cannot be imported ({error}): install '
                          "'ir_segmeasures[scale]'") from error


def _error_lines(errors: dict[str, str]) -> str:
    runs = '1 run' if len(errors) == 1 else f'{len(errors)} runs'
    return '\n'.join([f'{runs} cannot be evaluated:', *(f'  {name}: {error}' for name, error in errors.items())])
