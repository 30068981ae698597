"""The worker: it unpacks measures and qrels once, and evaluates one task after the other."""

import pickle
import signal
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import ir_measures
import numpy as np
from ir_measures import Evaluator, Measure

from ir_segmeasures.formats.files.parts import NotByQuery
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.host_measures import values_of_measures
from ir_segmeasures.segments.arrays import Array
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.warnings import collected_warnings, warn
from ir_segmeasures.study.runs.tasks import Task, read_task, tables_by_query, with_place
from ir_segmeasures.study.scores import for_ir_measures

__all__ = ['Done', 'Job', 'Values', 'common_doubts', 'ignore_interrupts', 'work']

# Query → the value of each measure, None where a host's measure has none; the query None is the mean over all.
Values = dict[str | None, list[float | None]]


class Done(NamedTuple):
    """The answer of a worker to a task.

    Attributes:
        task: without its source, unless it is a file
        values: of a part, those of its judged queries; of a whole run, those that the job asks for
        queries: all queries of a part, judged or not
        error: the sentence of the error, where there are no values
        doubts: the warnings about the run and the qrels
    """
    task: Task
    values: Values
    queries: list[str]
    error: str | None = None
    doubts: Sequence[str] = ()


class Job:
    """The measures and qrels of a call.

    Attributes:
        measures: each once
        by_query: whether the value of each query is asked for, or the mean
        tables: whether all measures are of segments, so that runs can be made tables
    """

    def __init__(self, measures: list[Measure], qrels: Any, by_query: bool):
        self.measures, self.by_query = measures, by_query
        self.tables = all(isinstance(measure, SegmentMeasure) for measure in measures)
        self.elements = any(isinstance(measure, RowMeasure) for measure in measures)
        self.qrels = SegmentTable.from_qrels(qrels, self.elements) if self.tables else (
            for_ir_measures(_again(qrels), 'qrels', measures))
        self._evaluator: Evaluator | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, '_evaluator': None}  # those of a host need not pickle, and ours are quick to build

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of all queries. To build it raises the errors of the measures and the qrels."""
        if self._evaluator is None:
            self._evaluator = ir_measures.evaluator(self.measures, self.qrels)
        return self._evaluator

    @property
    def judged(self) -> list[str]:
        """The queries of the qrels, in their order; with a measure of ir-measures, in the order of its values."""
        if self.tables:
            return self.qrels.query_ids
        with collected_warnings(wanted=False):  # no run is empty
            return [query for query in self.values([]) if query is not None]

    def packed(self) -> Array[np.uint8]:
        """The job as an array: joblib's backends give large arrays to a worker once, each in its own way."""
        return np.frombuffer(pickle.dumps(self, pickle.HIGHEST_PROTOCOL), np.uint8)

    def values(self, run: Any, queries: Iterable[str] | None = None) -> Values:
        """The values of the judged queries, or of those among ``queries``, in the order of the qrels."""
        evaluator = self.evaluator
        if queries is not None:
            queries = set(queries)
            if self.tables:  # a part must not cost what the queries of all others do
                qrels = self.qrels.of_queries(queries)
                if not qrels.query_ids:
                    return {}
                evaluator = ir_measures.evaluator(self.measures, qrels)
        place = {measure: i for i, measure in enumerate(self.measures)}
        values: Values = {}
        for metric in values_of_measures(
                self.measures, evaluator.iter_calc(for_ir_measures(run, 'run', self.measures))):
            if queries is None or metric.query_id in queries:
                row = values.setdefault(metric.query_id, [None] * len(place))
                row[place[metric.measure]] = metric.value
        return values

    def values_by_query(self, tables: Iterable[SegmentTable], part: bool = False) -> tuple[Values, list[str]]:
        """The values of the judged queries of a run in several tables, each query whole in one, and all queries of the
        tables. Warns where every table gives a warning.

        Args:
            tables: the tables
            part: whether the tables are a part of the run, so that the other queries have no value
        """
        found: Values = {}
        queries: list[str] = []
        doubts: list[list[str]] = []
        for table in tables:
            with collected_warnings(all(doubts)) as sentences:  # else common_doubts has none
                values = self.values(table, table.query_ids)
            if values:
                doubts.append(sentences)
            found.update(values)
            queries += table.query_ids
        without = [] if part else [query for query in self.judged if query not in found]
        with collected_warnings() as sentences:
            if without:  # they have what an empty ranking has
                found.update(self.values([], without))
        warn(common_doubts(doubts or [sentences]))
        return {query: found[query] for query in self.judged if query in found}, queries

    def asked(self, values: Values) -> Values:
        """The values of all queries as they are, or their means."""
        if self.by_query:
            return values
        means = [measure.aggregator() for measure in self.measures]
        for row in values.values():
            for mean, value in zip(means, row):
                if value is not None:
                    mean.add(value)
        return {None: [mean.result() for mean in means]}

    def evaluate(self, task: Task) -> Done:
        """The answer to a task: its values, or the sentence of its error."""
        with collected_warnings() as doubts:
            return self._evaluate(task)._replace(doubts=doubts)

    def _evaluate(self, task: Task) -> Done:
        bare = task if task.format else task._replace(source=None)
        try:
            part = task.parts is not None
            tables = tables_by_query(task.source, task.format) if self.tables and task.format is not None else None
            if tables is not None:
                with suppress(NotByQuery, ValueError):  # reading the whole file gives the error with its place
                    values, queries = self.values_by_query(tables, part)
                    return Done(bare, values if part else self.asked(values), queries if part else [])
            run = read_task(task, self.tables, self.elements)
            if not part:
                return Done(bare, self.asked(self.values(run)), [])
            queries = run.query_ids if self.tables else [*dict.fromkeys(run.columns['query_id'])]
            return Done(bare, self.values(run, queries), queries)
        except RowError as error:
            return Done(bare, {}, [], str(with_place(error, task)))
        except (OSError, ValueError, TypeError, ImportError) as error:
            return Done(bare, {}, [], str(error))
        except Exception as error:  # of a host's measure, say: it must not cost the other runs
            return Done(bare, {}, [], f'{type(error).__name__}: {error}')


def common_doubts(doubts: Sequence[Sequence[str]]) -> Sequence[str]:
    """The warnings about a run, from those about its parts: those of the first part, if every part has some."""
    return doubts[0] if doubts and all(doubts) else ()


def _again(qrels: Any) -> Any:
    """Qrels that can be read more than once."""
    return list(qrels) if hasattr(qrels, '__next__') else qrels


class _Done:
    """The last job of a worker. A process may serve several calls, and threads share it."""
    lock = threading.Lock()
    key = ''
    job: Job | None = None


def work(key: str, packed: Array[np.uint8], task: Task) -> Done:
    """The answer to a task.

    Args:
        key: the name of the job; a worker that has this job already does not unpack it again
        packed: the job, from :meth:`Job.packed`
        task: the task
    """
    with _Done.lock:
        if _Done.key != key or _Done.job is None:
            _Done.key, _Done.job = key, pickle.loads(packed.tobytes())
            _Done.job.evaluator  # noqa: B018 -- built once, not by several threads at a time
        job = _Done.job
    return job.evaluate(task)


def ignore_interrupts() -> None:
    """Leaves Ctrl-C to the process that started this one, where there is such a process, which ends this one."""
    from multiprocessing import parent_process
    if parent_process() is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
