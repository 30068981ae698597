"""Many runs at once, on every backend, give what ir-measures gives for one after the other."""

import json
import math
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
from ir_measures import AP, Qrel, ScoredDoc

import ir_segmeasures
from ir_segmeasures import T2I_AP, AgP, I2_Precall, MAiSP, SegmentTable, SegmentWarning, evaluate_runs, xinfAP
from ir_segmeasures.study.runs import BrokenRuns, parallel_evaluation, worker

pytest.importorskip('joblib', reason="joblib is not installed: pip install 'ir_segmeasures[scale]'")
pytest.importorskip('pyarrow', reason="pyarrow is not installed: pip install 'ir_segmeasures[scale]'")

MEASURES = [T2I_AP, MAiSP, T2I_AP(tau=5)@3]
QRELS = [Qrel(f'q{q}', f'v{d}#t={10 * d},{10 * d + 15}', 1) for q in range(4) for d in range(3)]


def made(seed: int, queries: int = 4) -> list[ScoredDoc]:
    draw = random.Random(seed)
    return [ScoredDoc(f'q{q}', f'v{draw.randrange(4)}#t={(start := draw.randrange(40))},{start + 7}', draw.random())
            for q in range(queries) for _ in range(12)]


LOKY = {'n_jobs': 2, 'backend': 'loky'}  # without its name, so few runs start no processes
BACKENDS = [{}, LOKY, {'n_jobs': 2, 'backend': 'threading'}]
RUNS = {f'system {seed}': made(seed) for seed in range(6)}


def expected(runs: Any = RUNS, measures: Any = MEASURES) -> list[tuple[str, str, float]]:
    evaluator = ir_measures.evaluator(measures, QRELS)
    return [(name, str(measure), evaluator.calc_aggregate(run)[measure]) for name, run in runs.items()
            for measure in measures]


def names_in(folder: Path) -> list[str]:
    """The files that a user sees; the lock of a file of scores is hidden."""
    return sorted(name for name in os.listdir(folder) if not name.endswith('.lock'))


def rows(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    return list(frame.itertuples(index=False, name=None))


def write(run: list[ScoredDoc], path: Path) -> Path:
    path.write_text(''.join(f'{row.query_id} Q0 {row.doc_id} 0 {row.score!r} x\n' for row in run))
    return path


class TestValues:
    """The answer is that of one run after the other, whoever computes it."""

    @pytest.mark.parametrize('options', [
        {}, {'n_jobs': 2}, {'n_jobs': 2, 'backend': 'loky'}, {'n_jobs': 3, 'backend': 'threading'},
    ], ids=str)
    def test_backends(self, options: dict[str, Any]) -> None:
        frame = evaluate_runs(MEASURES, QRELS, RUNS, **options)
        assert frame.columns.tolist() == ['run', 'measure', 'value']
        assert rows(frame) == expected()

    def test_dask(self) -> None:
        distributed = pytest.importorskip('distributed',
                                          reason="dask is not installed: pip install 'ir_segmeasures[dask]'")
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
                distributed.Client(cluster):
            assert rows(evaluate_runs(MEASURES, QRELS, RUNS, backend='dask')) == expected()

    def test_ray(self) -> None:
        ray = pytest.importorskip('ray', reason='ray is not installed: pip install ray')
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            assert rows(evaluate_runs(MEASURES, QRELS, RUNS, backend='ray')) == expected()
        finally:
            ray.shutdown()

    @pytest.mark.parametrize('at_once', [1, 4, 200])
    def test_backends_that_give_lists_alone(self, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
        from joblib._parallel_backends import ThreadingBackend
        monkeypatch.setattr(parallel_evaluation, '_AT_ONCE', at_once)
        monkeypatch.setattr(ThreadingBackend, 'supports_return_generator', False)  # as that of ray
        frame = evaluate_runs(MEASURES, QRELS, iter(RUNS.items()), n_jobs=2, backend='threading')
        assert rows(frame) == expected()

    def test_by_query(self) -> None:
        frame = evaluate_runs(MEASURES, QRELS, RUNS, by_query=True, n_jobs=2, backend='threading')
        found = {(run, query, measure): value for run, query, measure, value in rows(frame)}
        assert len(found) == len(frame) == 6 * 4 * 3
        for name, run in RUNS.items():
            for metric in ir_measures.iter_calc(MEASURES, QRELS, run):
                assert found[name, metric.query_id, str(metric.measure)] == metric.value
        assert frame['query_id'][:12].tolist() == [f'q{q}' for q in range(4) for _ in MEASURES]

    @pytest.mark.skipif(os.name != 'posix', reason='signals are those of POSIX')
    def test_ctrl_c_is_for_this_process_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Processes that begin where the workers do have nothing to say of it, from their first line on."""
        heard = []

        def begin(calls: Iterator[Any]) -> Iterator[Any]:
            code = 'import signal; print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)'
            heard.append(subprocess.run([sys.executable, '-Sc', code], capture_output=True, text=True).stdout)
            return (call for call in ())
        monkeypatch.setattr('joblib.Parallel', lambda **_: begin)
        before = signal.getsignal(signal.SIGINT)
        evaluate_runs(MEASURES, QRELS, RUNS)
        assert heard == ['True\n'] and signal.getsignal(signal.SIGINT) is before

    def test_shapes(self) -> None:
        run = RUNS['system 0']
        for shape in (run, iter(run), pd.DataFrame(run), SegmentTable.from_run(run)):
            assert rows(evaluate_runs(MEASURES, iter(QRELS), {'a': shape})) == expected({'a': run})

    def test_runs_may_be_made_one_by_one(self) -> None:
        assert rows(evaluate_runs(MEASURES, QRELS, ((name, run) for name, run in RUNS.items()))) == expected()

    def test_measures_of_documents_too(self) -> None:
        measures = [AP, MAiSP]
        assert rows(evaluate_runs(measures, QRELS, RUNS, n_jobs=2, backend='threading')) == expected(RUNS, measures)

    def test_names_of_measures(self) -> None:
        assert rows(evaluate_runs('MAiSP', QRELS, RUNS)) == expected(RUNS, [MAiSP])
        assert rows(evaluate_runs(list(map(str, MEASURES)), QRELS, RUNS)) == expected()

    def test_measures_of_rows_and_of_spans(self) -> None:
        qrels = pd.DataFrame(QRELS).assign(stratum=1)
        evaluator = ir_measures.evaluator([xinfAP, MAiSP], qrels)
        assert evaluate_runs([xinfAP, MAiSP], qrels, RUNS)['value'].tolist() == [
            evaluator.calc_aggregate(run)[measure] for run in RUNS.values() for measure in (xinfAP, MAiSP)]

    def test_elements_without_offsets(self) -> None:
        qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]', 'd#xpath=/a[1]/b[1]'], 'relevance': 1,
                              'exhaustivity': [3, 2], 'specificity': 3})
        run = [ScoredDoc('q', 'd#xpath=/a[1]/b[1]', 2), ScoredDoc('q', 'd#xpath=/a[1]', 1)]
        value = I2_Precall.calc_aggregate(qrels, run)
        assert 0 < value < 1
        assert evaluate_runs([I2_Precall], qrels, {'a': run})['value'].tolist() == [value]

    def test_no_run(self) -> None:
        assert evaluate_runs(MEASURES, QRELS, {}).columns.tolist() == ['run', 'measure', 'value']

    def test_it_is_exported(self) -> None:
        assert 'evaluate_runs' in ir_segmeasures.__all__


class Counted:
    """Qrels that leave a line in a file whenever a process unpacks them."""

    def __init__(self, path: str):
        self.path = path

    def __iter__(self) -> Iterator[Qrel]:
        return iter(QRELS)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        with open(self.path, 'a') as file:
            file.write(f'{os.getpid()}\n')


class TestSmallRuns:
    """Processes start where they make it faster."""

    @pytest.mark.parametrize(('start', 'runs', 'sent'), [
        (3600., RUNS, 0), (-1., RUNS, len(RUNS) - 2), (-1., list(RUNS.items()), len(RUNS) - 2),
        (-1., iter(RUNS.items()), len(RUNS) - 2), (3600., iter(RUNS.items()), 0)])
    def test_what_is_sent(self, start: float, runs: Any, sent: int, monkeypatch: pytest.MonkeyPatch) -> None:
        calls = []

        def parallel(these: Iterator[Any]) -> Iterator[Any]:
            calls.extend(these)
            return (function(*args, **options) for function, args, options in calls)
        monkeypatch.setattr('joblib.Parallel', lambda **_: parallel)
        monkeypatch.setattr(parallel_evaluation, '_START', start)
        monkeypatch.setattr(parallel_evaluation, '_MEASURED', 0.)
        assert rows(evaluate_runs(MEASURES, QRELS, runs, n_jobs=2)) == expected()
        assert len(calls) == sent


class TestOnce:
    """The qrels go to a worker once."""

    @pytest.mark.parametrize('backend', ['loky', 'threading'])
    def test_qrels_are_unpacked_once_a_process(self, backend: str, tmp_path: Path) -> None:
        path = tmp_path / 'processes'
        runs = {str(k): RUNS['system 0'] for k in range(12)}
        evaluate_runs([AP], Counted(str(path)), runs, n_jobs=2, backend=backend)
        processes = path.read_text().split()
        assert processes and len(processes) == len(set(processes)) <= 2


class TestFiles:
    """Runs in files."""

    def test_a_pattern(self, tmp_path: Path) -> None:
        for name, run in RUNS.items():
            write(run, tmp_path / f'{name}.txt')
        assert rows(evaluate_runs(MEASURES, QRELS, f'{tmp_path}/*.txt', n_jobs=2)) == expected()
        assert rows(evaluate_runs(MEASURES, QRELS, sorted(tmp_path.iterdir()))) == expected()
        assert rows(evaluate_runs(MEASURES, QRELS, tmp_path / 'system 3.txt')) == expected(
            {'system 3': RUNS['system 3']})

    def test_a_format(self, shared_data: Path) -> None:
        folder = shared_data / 'mediaeval-sh-2014'
        qrels = ir_segmeasures.formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search')
        path = folder / 'run-180-60-over.txt.gz'
        value = ir_measures.calc_aggregate([MAiSP], qrels, ir_segmeasures.formats.read_run(path, 'sh-search'))[MAiSP]
        assert rows(evaluate_runs(['MAiSP'], qrels, path, format='sh-search')) == [('run-180-60-over', 'MAiSP', value)]

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"no file matches '.*\*\.run': check the pattern"):
            evaluate_runs(MEASURES, QRELS, f'{tmp_path}/*.run')
        with pytest.raises(BrokenRuns, match='No such file'):
            evaluate_runs(MEASURES, QRELS, [tmp_path / 'none.run'])


class TestBroken:
    """A broken run does not cost the others."""

    @pytest.mark.parametrize('options', [{}, LOKY], ids=str)
    def test_file_and_line(self, options: dict[str, Any], tmp_path: Path) -> None:
        good, bad = write(RUNS['system 0'], tmp_path / 'good.txt'), write(RUNS['system 1'], tmp_path / 'bad.txt')
        bad.write_text(bad.read_text().replace('\n', '\nq0 Q0 v1#t=9,2 0 1 x\n', 1))
        with pytest.raises(BrokenRuns) as caught:
            evaluate_runs(MEASURES, QRELS, [bad, good], **options)
        assert list(caught.value.errors) == ['bad']
        assert f'bad: {bad}, line 2: ' in str(caught.value) and str(caught.value).startswith('1 run cannot be')
        assert rows(caught.value.scores) == expected({'good': RUNS['system 0']})
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)

    def test_a_report(self) -> None:
        runs = {'a': [ScoredDoc('q0', 'v#t=2,1', 1)], **RUNS, 'z': 5}
        with pytest.warns(UserWarning, match=r'2 runs cannot be evaluated:\n  a: row 0 of the run: .*\n  z: the run'):
            assert rows(evaluate_runs(MEASURES, QRELS, runs, errors='report')) == expected()

    def test_arguments(self) -> None:
        for measures, runs, sentence in (
            (MEASURES, 5, 'the runs are a int'), (MEASURES, [RUNS['system 0']], 'has no name'),
            (MEASURES, [('a', []), ('a', [])], "two runs are named 'a'"), ([], RUNS, 'no measure'),
        ):
            with pytest.raises((TypeError, ValueError), match=sentence):
                evaluate_runs(measures, QRELS, runs)
        with pytest.raises(ValueError, match="errors is 'ignore'"):
            evaluate_runs(MEASURES, QRELS, RUNS, errors='ignore')

    def test_an_error_of_who_makes_the_runs(self) -> None:
        def runs() -> Iterator[tuple[str, Any]]:
            yield from RUNS.items()
            raise OSError('the disk is gone')
        with pytest.raises(OSError, match='the disk is gone'):
            evaluate_runs(MEASURES, QRELS, runs(), n_jobs=2, backend='threading')


class TestDoubts:
    RUNS = {'good': made(1), 'upper': [ScoredDoc('q0', 'V1#t=1,2', 1.)], 'empty': []}

    @pytest.mark.parametrize('options', BACKENDS, ids=str)
    def test_each_names_its_run_on_every_backend(self, options: dict[str, Any], tmp_path: Path) -> None:
        paths = [write(run, tmp_path / f'{name}.txt') for name, run in self.RUNS.items()]
        for runs in (self.RUNS, paths):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter('always')
                evaluate_runs(MEASURES, QRELS, runs, **options)
            sentences = sorted(str(warning.message) for warning in said if warning.category is SegmentWarning)
            assert len(sentences) == 2
            assert sentences[0].startswith("run 'empty': the run is empty")
            assert sentences[1].startswith("run 'upper': none of the 1 documents of the run is among")

    @pytest.mark.parametrize('options', BACKENDS, ids=str)
    def test_they_can_be_errors(self, options: dict[str, Any]) -> None:
        with warnings.catch_warnings(), pytest.raises(BrokenRuns) as error:
            warnings.simplefilter('error', SegmentWarning)
            evaluate_runs(MEASURES, QRELS, self.RUNS, **options)
        assert list(error.value.errors) == ['upper', 'empty']
        assert error.value.errors['empty'].startswith('the run is empty')
        assert set(error.value.scores['run']) == {'good'}

    def test_what_is_doubtful_about_the_qrels_is_said_once(self) -> None:
        qrels = [row._replace(relevance=0) for row in QRELS]
        with pytest.warns(SegmentWarning) as said:
            evaluate_runs([T2I_AP], qrels, RUNS)
        sentence, = (str(warning.message) for warning in said)
        assert sentence.startswith('none of the 12 judgements has a relevance of 1 or more')

    def test_a_part_that_lacks_queries_is_not_empty(self, tmp_path: Path) -> None:
        for query in range(3):
            pd.DataFrame([row for row in made(1) if row.query_id == f'q{query}']).to_parquet(
                tmp_path / f'{query}.parquet')
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            evaluate_runs(MEASURES, QRELS, [('parts', tmp_path)])
            evaluate_runs([*MEASURES, AP], QRELS, [('parts', tmp_path)])

    @pytest.mark.parametrize('options', BACKENDS, ids=str)
    def test_an_item_that_cannot_be_measured_has_its_line(self, options: dict[str, Any], tmp_path: Path) -> None:
        path = write([ScoredDoc('q0', 'v1#t=1,2', 2.), ScoredDoc('q0', 'v1', 1.)], tmp_path / 'whole.txt')
        with pytest.raises(BrokenRuns, match=f"whole: {path}, line 2: query 'q0', document 'v1': it runs to"):
            evaluate_runs(MEASURES, QRELS, [path], **options)


@contextmanager
def evaluated() -> Iterator[list[str]]:
    """The names of the runs that are evaluated in the context, in this process."""
    names: list[str] = []

    def work(key: str, packed: Any, task: Any) -> Any:
        names.append(task.run)
        return worker.work(key, packed, task)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel_evaluation, 'work', work)
        yield names


@pytest.mark.parametrize('suffix', ['csv', 'parquet'])
class TestOut:
    """The file keeps what is finished."""

    def test_it_is_the_answer(self, suffix: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'
        for by_query in (False, True):
            frame = evaluate_runs(MEASURES, QRELS, RUNS, out=out, n_jobs=2, backend='threading', by_query=by_query)
            stored = pd.read_csv(out, converters={'value': float}) if suffix == 'csv' else pd.read_parquet(out)
            assert rows(stored.drop(columns=['qrels', 'digest'])) == rows(frame)
            assert names_in(tmp_path) == [out.name]
            out.unlink()

    def test_finished_runs_are_not_evaluated_again(self, suffix: str, tmp_path: Path) -> None:
        out, runs = tmp_path / f'scores.{suffix}', dict(RUNS)
        last = runs.popitem()
        evaluate_runs(MEASURES, QRELS, runs, out=out)
        again = {last[0]: last[1], **runs}
        with evaluated() as names:
            assert rows(evaluate_runs(MEASURES, QRELS, again, out=out)) == expected(again)
        assert names == [last[0]]
        with evaluated() as names:
            # iterators and frames of the rows are the run as well
            shapes = {name: iter(run) if k % 2 else pd.DataFrame(run) for k, (name, run) in enumerate(RUNS.items())}
            assert rows(evaluate_runs(MEASURES, QRELS, shapes, out=out)) == expected()
        assert names == []

    def test_a_run_with_another_content_is_evaluated_anew(self, suffix: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'
        runs = dict(RUNS)
        paths = {name: write(run, tmp_path / f'{name}.txt') for name, run in runs.items()}
        for given in (runs, paths):
            evaluate_runs(MEASURES, QRELS, given, out=out)
            changed = made(99)
            other = {**given, 'system 3': write(changed, paths['system 3']) if given is paths else changed}
            with evaluated() as names, pytest.warns(UserWarning, match='1 run had another .*: system 3') as said:
                found = evaluate_runs(MEASURES, QRELS, other, out=out)
            assert rows(found) == expected({**RUNS, 'system 3': changed})
            assert names == ['system 3']
            assert {warning.filename for warning in said} == {__file__}
            with warnings.catch_warnings():
                warnings.simplefilter('error')
                evaluate_runs(MEASURES, QRELS, other, out=out)
            out.unlink()

    def test_two_arrays_of_jobs(self, suffix: str, tmp_path: Path) -> None:
        """Sixteen processes, two of them for each run, and one file: nothing is lost, nothing stands there twice."""
        if 'fork' not in multiprocessing.get_all_start_methods():
            pytest.skip('processes are forked here')
        out, context = tmp_path / f'scores.{suffix}', multiprocessing.get_context('fork')
        runs = {f'run {seed}': made(seed) for seed in range(24)}
        names = list(runs)
        jobs = [context.Process(target=evaluate_runs, args=(MEASURES, QRELS, {name: runs[name] for name in part}),
                                kwargs={'out': out})
                for part in ([names[k::8] for k in range(8)] + [names[3 * k:3 * k + 3] for k in range(8)])]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join(60)
        assert [job.exitcode for job in jobs] == [0] * 16
        assert names_in(tmp_path) == [out.name]
        stored = pd.read_csv(out, converters={'value': float}) if suffix == 'csv' else pd.read_parquet(out)
        assert sorted(rows(stored[['run', 'measure', 'value']])) == sorted(expected(runs))

    def test_others_begin_the_file_with_other_measures(self, suffix: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'

        def runs() -> Iterator[tuple[str, Any]]:
            evaluate_runs([MAiSP], QRELS, RUNS, out=out)  # while the file is open here
            yield from RUNS.items()
        with pytest.raises(ValueError, match='the file has scores of MAiSP, not of'):
            evaluate_runs(MEASURES, QRELS, runs(), out=out)
        assert rows(evaluate_runs([MAiSP], QRELS, RUNS, out=out)) == expected(measures=[MAiSP])

    @pytest.mark.parametrize('change, sentence', [
        (lambda frame: frame.assign(value=frame['value'].where(frame.index != 4, math.nan)),
         "row 5: the value of MAiSP for query 'q1' is nan, but values of this measure are finite numbers"),
        (lambda frame: frame.assign(value=frame['value'].where(frame.index != 4, math.inf)), 'is inf, but values'),
        (lambda frame: frame.assign(value=frame['value'].where(frame.index != 4, 1.5)),
         'is 1.5, but values of this measure lie between 0 and 1'),
        (lambda frame: frame.assign(value=frame['value'].where(frame.index != 4, -0.5)), 'is -0.5, but values'),
        (lambda frame: pd.concat([frame, frame[4:5]]), "row 73: the value of MAiSP for query 'q1' stands there twice"),
        (lambda frame: frame.drop(index=4), "there is no value of MAiSP for query 'q1'"),
        (lambda frame: frame[frame['query_id'] != 'q1'], "there is no value of T2I_AP for query 'q1'"),
    ], ids=['nan', 'inf', 'above', 'below', 'twice', 'no value', 'no query'])
    def test_what_stands_there_is_checked(self, suffix: str, change: Any, sentence: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'
        evaluate_runs(MEASURES, QRELS, RUNS, out=out, by_query=True)
        frame = change(pd.read_csv(out) if suffix == 'csv' else pd.read_parquet(out))
        frame.to_csv(out, index=False, na_rep='nan') if suffix == 'csv' else frame.to_parquet(out, index=False)
        before = out.read_bytes()
        with pytest.raises(ValueError, match=sentence) as caught:
            evaluate_runs(MEASURES, QRELS, RUNS, out=out, by_query=True)
        assert str(caught.value).startswith(f"{out}, run 'system 0', ")
        assert str(caught.value).endswith(': take out all lines of this run, and it is evaluated anew')
        assert out.read_bytes() == before

    def test_nan_is_a_value_of_some_programs(self, suffix: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'
        measure, qrels = AgP(tool='inex_eval'), [Qrel('q', 'd#char=0,10', 1), Qrel('r', 'd#char=0,10', 0)]
        runs = {'a': [ScoredDoc('q', 'd#char=0,10', 1.), ScoredDoc('r', 'd#char=0,10', 1.)]}
        for _ in range(2):
            values = evaluate_runs([measure], qrels, runs, out=out, by_query=True)['value'].tolist()
            assert values[0] == 1 and math.isnan(values[1])

    @pytest.mark.filterwarnings('ignore:.*tasks (have been|which were):UserWarning')  # joblib's, of the others
    def test_ctrl_c_keeps_what_is_finished(self, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from ir_segmeasures.study.runs import score_file
        out, add, kept = tmp_path / f'scores.{suffix}', score_file.ScoreFile.add, []

        def add_and_stop(self: Any, run: str, *values: Any) -> None:
            add(self, run, *values)
            kept.append(run)
            if len(kept) == 3:
                raise KeyboardInterrupt
        monkeypatch.setattr(score_file.ScoreFile, 'add', add_and_stop)
        with pytest.raises(KeyboardInterrupt):
            evaluate_runs(MEASURES, QRELS, RUNS, out=out, n_jobs=2, backend='threading')
        monkeypatch.undo()
        assert names_in(tmp_path) == [out.name]
        with evaluated() as names:
            assert rows(evaluate_runs(MEASURES, QRELS, RUNS, out=out)) == expected()
        assert sorted(names + kept) == list(RUNS)

    def test_what_a_killed_process_left(self, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from ir_segmeasures.study.runs import score_file
        out, journal = tmp_path / f'scores.{suffix}', tmp_path / f'scores.{suffix}.journal'
        monkeypatch.setattr(score_file.ScoreFile, 'finish', lambda *_: None)
        evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        monkeypatch.undo()
        lines = journal.read_text().splitlines(keepends=True)
        assert [json.loads(line)[3] for line in lines] == list(RUNS) and not out.exists()
        journal.write_text(''.join(lines[:3]) + lines[3][:40])
        with evaluated() as names:
            assert rows(evaluate_runs(MEASURES, QRELS, RUNS, out=out)) == expected()
        assert names == list(RUNS)[3:]
        assert names_in(tmp_path) == [out.name]

    @pytest.mark.parametrize('change, sentence', [
        ({'qrels': QRELS[:-1]}, r'scores of other qrels, .* or the qrels that the file was begun with'),
        ({'measures': MEASURES[:2]}, r'scores of T2I_AP, MAiSP, T2I_AP\(tau=5\)@3, not of T2I_AP, MAiSP, but'),
        ({'by_query': True}, 'scores over all queries, and by_query is True'),
    ], ids=['qrels', 'measures', 'by_query'])
    def test_changes_are_errors(self, suffix: str, change: Any, sentence: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'
        evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        before = out.read_bytes()
        with pytest.raises(ValueError, match=sentence):
            evaluate_runs(**{'measures': MEASURES, 'qrels': QRELS, 'runs': RUNS, 'out': out, **change})
        assert out.read_bytes() == before

    def test_other_files(self, suffix: str, tmp_path: Path) -> None:
        out, frame = tmp_path / f'scores.{suffix}', pd.DataFrame({'run': ['a']})
        frame.to_csv(out) if suffix == 'csv' else frame.to_parquet(out)
        with pytest.raises(ValueError, match="lacks 'measure', 'value', 'qrels'"):
            evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        with pytest.raises(ValueError, match=r'neither \.csv nor \.parquet'):
            evaluate_runs(MEASURES, QRELS, RUNS, out=tmp_path / 'scores.txt')
        folder = tmp_path / f'a.{suffix}'
        folder.mkdir()
        for place, sentence in ((tmp_path / 'none' / out.name, 'there is no folder'), (folder, 'it is a folder')):
            with pytest.raises(ValueError, match=f'cannot be written, since {sentence}.*: give another name'):
                evaluate_runs(MEASURES, QRELS, RUNS, out=place)

    @pytest.mark.parametrize('content', [
        '', '"a', 'run,measure,value,qrels\nx,AiSP,y,z\n', '\ufeff{}', '[' * 5000, '9' * 5000, '[1, 2, 3, 4, 5]', '{}',
        '["x", ["AiSP"], false, "a", [["q", [1, 2]]]]', '["x", ["AiSP"], false, "a", [["q", ["y"]]]]',
        '["x", [], false, "a", [["q", []]]]', f'["x", ["AiSP"], false, "a", [["q", [{10 ** 400}]]]]'])
    def test_damaged_files(self, suffix: str, content: str, tmp_path: Path) -> None:
        out = tmp_path / f'scores.{suffix}'
        journal = tmp_path / f'{out.name}.journal'
        for file in (out, journal):
            file.write_text(f'{content}\n' if content else '')
            if content or file == out:  # a process may be killed before it has written
                sentence = f"{file.name}: the file (holds no scores that can be read|lacks 'run')"
                with pytest.raises(ValueError, match=sentence) as caught:
                    evaluate_runs(MEASURES, QRELS, RUNS, out=out)
                assert '\n' not in str(caught.value)
                assert names_in(tmp_path) == [file.name]
            file.unlink()

    def test_a_protected_file_is_found_out_before_the_work(self, suffix: str, tmp_path: Path,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
        out = tmp_path / f'scores.{suffix}'
        evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        for place in (out, tmp_path):
            monkeypatch.setattr(os, 'access', lambda path, mode, place=place: str(path) != str(place))
            with pytest.raises(PermissionError) as caught:
                evaluate_runs(MEASURES, QRELS, (pytest.fail('evaluated') for _ in range(1)), out=out)
            assert caught.value.filename == str(place)

    def test_a_link_stays_one(self, suffix: str, tmp_path: Path) -> None:
        out = tmp_path / f'link.{suffix}'
        out.symlink_to(tmp_path / f'scores.{suffix}')
        for runs in ({}, RUNS):
            evaluate_runs(MEASURES, QRELS, runs, out=out)
            assert out.is_symlink() and names_in(tmp_path) == [out.name, f'scores.{suffix}']

    def test_a_full_disk(self, suffix: str, tmp_path: Path) -> None:
        """The error is that of the disk, and what is finished is read by the next."""
        resource = pytest.importorskip('resource', reason='files have no limit here')
        out, (soft, hard) = tmp_path / f'scores.{suffix}', resource.getrlimit(resource.RLIMIT_FSIZE)
        evaluate_runs(MEASURES, QRELS, {'system 0': RUNS['system 0']}, out=out)
        before = out.read_bytes()
        for size in (0, 100, 400, 700, 1000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
            try:
                with pytest.raises(OSError, match='File too large: '):
                    evaluate_runs(MEASURES, QRELS, RUNS, out=out)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert out.read_bytes() == before
            assert set(names_in(tmp_path)) <= {out.name, f'{out.name}.journal'}
        assert rows(evaluate_runs(MEASURES, QRELS, RUNS, out=out)) == expected()


class TestProgress:
    """A bar on request, none where nobody looks."""

    def test_it_is_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        evaluate_runs(MEASURES, QRELS, RUNS)
        assert capsys.readouterr().err == ''
        evaluate_runs(MEASURES, QRELS, RUNS, progress=True)
        assert '6/6' in capsys.readouterr().err


class TestParts:
    """One run in a folder of Parquet files."""

    def folder(self, path: Path, parts: int = 3, queries: int = 3) -> Path:
        path.mkdir()
        frame = pd.DataFrame(made(9, queries))
        for k in range(parts):
            frame[frame['query_id'].str[1:].astype(int) % parts == k].to_parquet(path / f'{k}.parquet')
        return path

    @pytest.mark.parametrize('options', [{}, LOKY], ids=str)
    @pytest.mark.parametrize('queries', [3, 6])  # one judged query without a result, and two that are not judged
    def test_parts_are_the_run(self, queries: int, options: dict[str, Any], tmp_path: Path) -> None:
        folder, run = self.folder(tmp_path / 'large', queries=queries), made(9, queries)
        assert rows(evaluate_runs(MEASURES, QRELS, folder, **options)) == expected({'large': run})
        mixed = evaluate_runs([AP, MAiSP], QRELS, [folder])['value'].tolist()
        assert mixed == pytest.approx([value for *_, value in expected({'large': run}, [AP, MAiSP])])
        by_query = evaluate_runs(MEASURES, QRELS, {'large': folder}, by_query=True, **options)
        assert rows(by_query) == rows(evaluate_runs(MEASURES, QRELS, {'large': run}, by_query=True))

    def test_a_query_in_two_files(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path / 'large')
        pd.DataFrame(made(8, 2)[-1:]).to_parquet(folder / '3.parquet')
        with pytest.raises(BrokenRuns, match=r"3\.parquet: the query 'q1' stands in .*1\.parquet too, but each"):
            evaluate_runs(MEASURES, QRELS, folder, n_jobs=2, backend='threading')

    def test_broken_parts(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path / 'large')
        part, frame = folder / '1.parquet', pd.read_parquet(folder / '1.parquet')
        for write_part, sentence in (
            (lambda: frame.assign(score=None).to_parquet(part), r'1\.parquet: row 1: .* the score is missing'),
            (lambda: part.write_bytes(b'PAR1'), 'this is no complete Parquet file'),
            (lambda: frame[['query_id', 'doc_id']].to_parquet(part), "the run lacks 'score' .it has query_id"),
        ):
            write_part()
            with pytest.raises(BrokenRuns, match=sentence) as caught:
                evaluate_runs(MEASURES, QRELS, {'large': folder, **RUNS})
            assert rows(caught.value.scores) == expected()

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(BrokenRuns, match=r'the folder has no file whose name ends in \.parquet'):
            evaluate_runs(MEASURES, QRELS, tmp_path)

    def test_columns_beside_documents(self, tmp_path: Path) -> None:
        run = pd.DataFrame({'query_id': ['q0', 'q0'], 'doc_id': ['v0', 'v1'], 'score': [1., 2.], 'start': [0., 12.],
                            'end': [7., 20.]})
        run.to_parquet(tmp_path / 'run.parquet')
        assert rows(evaluate_runs(MEASURES, QRELS, tmp_path / 'run.parquet')) == expected({'run': run})
