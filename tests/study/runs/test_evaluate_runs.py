"""Many runs at once, on every backend, give what ir-measures gives for one after the other."""

import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
from ir_measures import AP, Qrel, ScoredDoc

from ir_segmeasures import T2I_AP, AgP, MAiSP, SegmentTable, SegmentWarning, evaluate_runs
from ir_segmeasures.study.runs import BrokenRuns, evaluation

pytest.importorskip('joblib', reason="joblib is not installed: pip install '.[scale]'")
pytest.importorskip('pyarrow', reason="pyarrow is not installed: pip install '.[scale]'")

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


def write_qrels(path: Path) -> Path:
    path.write_text(''.join(f'{row.query_id} 0 {row.doc_id} {row.relevance}\n' for row in QRELS))
    return path


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

    def test_by_query(self) -> None:
        frame = evaluate_runs(MEASURES, QRELS, RUNS, by_query=True, n_jobs=2, backend='threading')
        found = {(run, query, measure): value for run, query, measure, value in rows(frame)}
        assert len(found) == len(frame) == 6 * 4 * 3
        for name, run in RUNS.items():
            for metric in ir_measures.iter_calc(MEASURES, QRELS, run):
                assert found[name, metric.query_id, str(metric.measure)] == metric.value
        assert frame['query_id'][:12].tolist() == [f'q{q}' for q in range(4) for _ in MEASURES]

    def test_shapes(self) -> None:
        run = RUNS['system 0']
        for shape in (run, iter(run), pd.DataFrame(run), SegmentTable.from_run(run)):
            assert rows(evaluate_runs(MEASURES, iter(QRELS), {'a': shape})) == expected({'a': run})


class TestFiles:
    """Runs in files."""
    def test_a_pattern(self, tmp_path: Path) -> None:
        for name, run in RUNS.items():
            write(run, tmp_path / f'{name}.txt')
        assert rows(evaluate_runs(MEASURES, QRELS, f'{tmp_path}/*.txt', n_jobs=2)) == expected()
        assert rows(evaluate_runs(MEASURES, QRELS, sorted(tmp_path.iterdir()))) == expected()
        assert rows(evaluate_runs(MEASURES, QRELS, tmp_path / 'system 3.txt')) == expected(
            {'system 3': RUNS['system 3']})


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


@contextmanager
def evaluated() -> Iterator[list[str]]:
    """The names of the runs that are evaluated in the context, in this process."""
    names: list[str] = []
    evaluate = evaluation._Job.evaluate

    def spy(job: Any, name: str, source: Any) -> Any:
        names.append(name)
        return evaluate(job, name, source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation._Job, 'evaluate', spy)
        yield names


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / 'scores.csv'


def stored(out: Path) -> list[tuple[Any, ...]]:
    frame = pd.read_csv(out, converters={'value': float})
    return rows(frame.drop(columns=['rows', 'qrels', 'digest', 'release']))


class TestOut:
    """The file keeps what is finished."""
    @pytest.mark.parametrize('by_query', [False, True])
    def test_it_is_the_answer(self, by_query: bool, out: Path) -> None:
        frame = evaluate_runs(MEASURES, QRELS, RUNS, out=out, n_jobs=2, backend='threading', by_query=by_query)
        assert sorted(stored(out)) == sorted(rows(frame))
        assert names_in(out.parent) == [out.name]
        with evaluated() as names:
            assert evaluate_runs(MEASURES, QRELS, RUNS, out=out, by_query=by_query).equals(frame)
        assert names == []

    def test_finished_runs_are_not_evaluated_again(self, out: Path) -> None:
        runs = dict(RUNS)
        last = runs.popitem()
        evaluate_runs(MEASURES, QRELS, runs, out=out)
        again = {last[0]: last[1], **runs}
        with evaluated() as names:
            assert rows(evaluate_runs(MEASURES, QRELS, again, out=out)) == expected(again)
        assert names == [last[0]]
        with evaluated() as names:
            # iterators and frames of the rows are the run as well, and so are judgements in another order and shape
            columns = pd.DataFrame([(f'q{q}', f'v{d}', 10 * d, 10 * d + 15, 1) for q in range(4) for d in range(3)],
                                   columns=['query_id', 'doc_id', 'start', 'end', 'relevance'])
            for qrels in (pd.DataFrame(QRELS[::-1]), columns):
                shapes = {name: iter(run) if k % 2 else pd.DataFrame(run) for k, (name, run) in enumerate(RUNS.items())}
                assert rows(evaluate_runs(MEASURES, qrels, shapes, out=out)) == expected()
        assert names == []

    @pytest.mark.parametrize('in_files', [False, True])
    def test_a_run_with_another_content_is_evaluated_anew(self, in_files: bool, out: Path) -> None:
        changed = made(99)
        given: dict[str, Any] = {**RUNS}
        if in_files:
            given = {name: write(run, out.with_name(f'{name}.txt')) for name, run in RUNS.items()}
        evaluate_runs(MEASURES, QRELS, given, out=out)
        other = {**given, 'system 3': write(changed, given['system 3']) if in_files else changed}
        with evaluated() as names, pytest.warns(UserWarning, match='1 of the runs had another .*: system 3') as said:
            found = evaluate_runs(MEASURES, QRELS, other, out=out)
        assert rows(found) == expected({**RUNS, 'system 3': changed})
        assert names == ['system 3'] and sorted(stored(out)) == sorted(rows(found))
        assert {warning.filename for warning in said} == {__file__}

    def test_two_arrays_of_jobs(self, out: Path) -> None:
        """Sixteen processes, two of them for each run, and one file: nothing is lost, nothing stands there twice."""
        if 'fork' not in multiprocessing.get_all_start_methods():
            pytest.skip('processes are forked here')
        context, runs = multiprocessing.get_context('fork'), {f'run {seed}': made(seed) for seed in range(24)}
        names = list(runs)
        jobs = [context.Process(target=evaluate_runs, args=(MEASURES, QRELS, {name: runs[name] for name in part}),
                                kwargs={'out': out})
                for part in ([names[k::8] for k in range(8)] + [names[3 * k:3 * k + 3] for k in range(8)])]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join(60)
        assert [job.exitcode for job in jobs] == [0] * 16
        assert names_in(out.parent) == [out.name]
        assert sorted(stored(out)) == sorted(expected(runs))

    @pytest.mark.parametrize('bytes_lost', [1, 30, 60, 90, 300])
    def test_a_killed_process_leaves_half_a_run(self, bytes_lost: int, out: Path) -> None:
        evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        out.write_bytes(out.read_bytes()[:-bytes_lost])
        with evaluated() as names, warnings.catch_warnings():
            warnings.simplefilter('error')
            found = evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        assert rows(found) == expected() and sorted(stored(out)) == sorted(rows(found))
        assert names == list(RUNS)[-len(names):] and 0 < len(names) < 3

    def test_a_process_is_killed(self, out: Path) -> None:
        paths = [write(made(seed), out.with_name(f'{seed}.txt')) for seed in range(40)]
        qrels = write_qrels(out.with_name('qrels'))
        script = ('import sys; from ir_segmeasures import evaluate_runs, formats; '
                  'evaluate_runs("MAiSP", formats.read_qrels(sys.argv[1]), sys.argv[3:], out=sys.argv[2])')
        process = subprocess.Popen([sys.executable, '-c', script, qrels, out, *paths])
        while not out.exists() or out.read_text().count('\n') < 3:
            time.sleep(.001)
        process.kill()
        process.wait()
        assert rows(evaluate_runs('MAiSP', QRELS, paths, out=out)) == expected(
            {str(seed): made(seed) for seed in range(40)}, [MAiSP])
        assert len(stored(out)) == 40

    @pytest.mark.parametrize('change, sentence', [
        ({'qrels': QRELS[:-1]}, r'run .system 0.: the scores are of other qrels: give .* qrels and'),
        ({'measures': MEASURES[:2]}, r'scores are of T2I_AP, M?AiSP, T2I_AP\(tau=5\)@3, not of T2I_AP, M?AiSP:'),
        ({'measures': [*MEASURES, AgP]}, r'scores are of .*, not of T2I_AP, M?AiSP, T2I_AP\(tau=5\)@3, AgP:'),
        ({'by_query': True}, 'the columns are .*, but those of scores are run, query_id, .* by_query'),
    ], ids=['qrels', 'fewer measures', 'more measures', 'by_query'])
    def test_changes_are_errors(self, change: Any, sentence: str, out: Path) -> None:
        evaluate_runs(MEASURES, QRELS, RUNS, out=out)
        before = out.read_bytes()
        with pytest.raises(ValueError, match=sentence):
            evaluate_runs(**{'measures': MEASURES, 'qrels': QRELS, 'runs': RUNS, 'out': out, **change})
        assert out.read_bytes() == before

    def test_names_of_files(self, out: Path) -> None:
        with pytest.raises(ValueError, match=r'does not end in \.csv'):
            evaluate_runs(MEASURES, QRELS, RUNS, out=out.with_suffix('.txt'))
        folder = out.with_name('a.csv')
        folder.mkdir()
        for place in (out.parent / 'none' / out.name, folder):
            with pytest.raises(OSError, match=str(place)):  # before the work
                evaluate_runs(MEASURES, QRELS, (pytest.fail('evaluated') for _ in range(1)), out=place)
        link = out.with_name('link.csv')
        link.symlink_to(out)
        for runs in ({}, RUNS):
            evaluate_runs(MEASURES, QRELS, runs, out=link)
            assert link.is_symlink()
        assert len(stored(out)) == len(RUNS) * len(MEASURES)

    def test_a_full_disk(self, out: Path) -> None:
        """The error is that of the disk, and what is finished is read by the next."""
        resource = pytest.importorskip('resource', reason='files have no limit here')
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        evaluate_runs(MEASURES, QRELS, {'system 0': RUNS['system 0']}, out=out)
        before = out.read_bytes()
        for size in (len(before), len(before) + 100, len(before) + 400):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
            try:
                with pytest.raises(OSError, match=r'File too large: .*scores.csv'):
                    evaluate_runs(MEASURES, QRELS, RUNS, out=out)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert out.read_bytes().startswith(before) and out.read_bytes().endswith(b'\n')
        assert rows(evaluate_runs(MEASURES, QRELS, RUNS, out=out)) == expected()


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
