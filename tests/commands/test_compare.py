"""The command compare: the figures of the library in every format, systems by their files, measures as asked."""

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from ir_segmeasures import align, formats, sample

pytest.importorskip('scipy')

QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))
MEASURES = ('T2I_MAP', "MAiSP(user='ret')", 'MAP')


def of_library(**settings: Any) -> Any:
    from ir_segmeasures.study import compare
    return compare(MEASURES, formats.read_qrels(QRELS), {'good': formats.read_run(GOOD),
                                                         'poor': formats.read_run(POOR)}, **settings)


class TestFigures:
    def test_settings_reach_the_library(self, run: Any) -> None:
        settings = {'baseline': 'poor', 'test': 'randomisation', 'correction': 'none', 'confidence': .9}
        options = [text for name, value in settings.items() for text in (f'--{name}', value)]
        rows = json.loads(run('compare', QRELS, GOOD, POOR, '-m', *MEASURES, '-o', 'json', *options).out)
        assert [list(row.values())[2:] for row in rows] == [list(row)[2:] for row in of_library(**settings).rows]

    def test_jobs_change_nothing(self, run: Any) -> None:
        pytest.importorskip('joblib')
        for measures in (MEASURES, MEASURES[:2]):
            command = ('compare', QRELS, GOOD, POOR, '-o', 'json', '-m', *measures)
            assert run(*command, '--jobs', 1) == run(*command)

    @pytest.mark.parametrize('format', ['text', 'csv', 'markdown', 'latex'])
    def test_tables_are_those_of_the_library(self, run: Any, format: str) -> None:
        from ir_segmeasures.study.tables import render
        command = ('compare', QRELS, GOOD, POOR, '-m', *MEASURES, '-o', format)
        assert run(*command)[:2] == (0, render(of_library(), format, note=of_library().method))
        assert run(*command, '--places', 2).out == render(of_library(), format, places=2, note=of_library().method)
        if format == 'csv':
            assert len(list(csv.DictReader(io.StringIO(run(*command).out)))) == 6

    def test_top_queries(self, run: Any) -> None:
        out = run('compare', QRELS, GOOD, POOR, '-m', 'MAiSP', '--top', 2).out
        assert [line.split()[2] for line in out.splitlines()[-2:]] == ['q5', 'q7']

    @pytest.mark.parametrize('others', [(), ('AP',), ('--jobs', 2)], ids=str)
    def test_ties_that_move_a_mean_are_told(self, run: Any, tmp_path: Path, others: tuple[Any, ...]) -> None:
        (tmp_path / 'qrels').write_text('q 0 a#t=0,9 1\n')
        (tmp_path / 'base').write_text('q Q0 a#t=0,9 1 2 x\nq Q0 b#t=0,9 2 1 x\n')
        (tmp_path / 'tied').write_text('q Q0 a#t=0,9 1 1 x\nq Q0 b#t=0,9 2 1 x\n')
        err = run('compare', *(tmp_path / name for name in ('qrels', 'base', 'tied')), '-m', 'AP_over', *others).err
        assert 'in the opposite order AP_over of tied is 0.5000' in err and 'base is' not in err

    def test_bold_is_for_terminals(self, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv('NO_COLOR', raising=False)
        assert '\033' not in run('compare', QRELS, GOOD, POOR, '-m', 'MAiSP').out
        monkeypatch.setattr(type(sys.stdout), 'isatty', lambda self: True, raising=False)
        assert '\033[1m0.6131\033[0m' in run('compare', QRELS, GOOD, POOR, '-m', 'MAiSP').out


@pytest.mark.parametrize(('options', 'code', 'said'), [
    (('--min', 'MAiSP=0.25', 'T2I_MAP=.1'), 0, 'nothing falls short of MAiSP=0.25'),
    (('--min', 'MAiSP=.5'), 1, 'poor falls short by MAiSP: 0.2774 is below 0.5'),
    (('--min', 'MAiSP=.5', '--fail-if-worse', 'MAiSP'), 1, 'poor is worse by MAiSP: '),
    (('--min', 'MAgP=.5'), 2, 'MAgP is none of the measures'), (('--min', 'MAiSP'), 2, 'write both as MAiSP=0.5')])
def test_least_values(run: Any, tmp_path: Path, options: tuple[str, ...], code: int, said: str) -> None:
    found = run('compare', *options, '--summary', tmp_path / 'x.md', '--', QRELS, GOOD, POOR, 'MAiSP', 'T2I_MAP')
    assert found.code == code and said in found.err
    assert code == 2 or said in (tmp_path / 'x.md').read_text()
    alone = run('compare', QRELS, GOOD, '--min', 'SegR(budget=2000)=0.85')
    assert alone.code == 1 and 'good falls short by SegR(budget=2000): 0.7469 is below 0.85' in alone.err


def test_files_end_the_values_of_an_option(run: Any, tmp_path: Path) -> None:
    expected = run('compare', QRELS, GOOD, POOR, 'MAiSP', '--names', 'b', 'a', '--fail-if-worse')
    assert expected.code == 1 and 'a is worse by MAiSP' in expected.err
    for options in (('--fail-if-worse', '--names', 'b', 'a'), ('--names', 'b', 'a', '--fail-if-worse', 'MAiSP')):
        assert run('compare', *options, QRELS, GOOD, POOR, 'MAiSP') == expected


def test_warnings_stand_in_the_summary(run: Any, tmp_path: Path) -> None:
    (tmp_path / 'a.run').write_text('')
    assert "- run 'a': the run is empty" in run(
        'compare', QRELS, GOOD, tmp_path / 'a.run', '-m', 'MAiSP', '--summary', '-').out


class TestWhereMeasuresStand:
    @pytest.mark.parametrize('words', [
        ('-m', 'MAgP', '-m', 'MAiSP', QRELS, GOOD, POOR), ('-m', 'MAgP', 'MAiSP', QRELS, GOOD, POOR),
        (QRELS, GOOD, POOR, 'MAgP', 'MAiSP'), ('-m', 'MAgP', QRELS, GOOD, POOR, 'MAiSP'),
        (QRELS, '-m', 'MAgP', 'MAiSP', '--', GOOD, POOR), ('--measure=MAgP', 'MAiSP', QRELS, GOOD, POOR),
        (QRELS, GOOD, POOR, '--meas', 'MAgP MAiSP')])
    def test_before_and_behind_the_files(self, run: Any, words: tuple[str, ...]) -> None:
        expected = run('compare', QRELS, GOOD, POOR, '-o', 'csv', '-m', 'MAgP', 'MAiSP')
        assert expected.code == 0
        found = run('compare', '-o', 'csv', *words)
        assert sorted(found.out.splitlines()) == sorted(expected.out.splitlines()), found.err


    def test_a_measure_is_needed(self, run: Any) -> None:
        assert run('compare', QRELS, GOOD, POOR).code == 2


class TestFiles:
    def test_systems_are_unique(self, run: Any, tmp_path: Path) -> None:
        for name in ('a.txt', 'a.run'):
            (tmp_path / name).write_bytes(Path(GOOD).read_bytes())
        out = run('compare', QRELS, tmp_path / 'a.txt', tmp_path / 'a.run', '-m', 'MAiSP', '-o', 'json').out
        rows = json.loads(out)
        assert [row['system'] for row in rows] == ['a.txt', 'a.run']
        assert rows[1]['ties'] == 10
        assert run('compare', QRELS, GOOD, GOOD, '-m', 'MAiSP').err.startswith(
            f'ir_segmeasures: {GOOD} is named twice')

    def test_the_baseline_by_its_file(self, run: Any) -> None:
        outs = {run('compare', QRELS, GOOD, POOR, '-m', 'MAiSP', '--baseline', called).out
                for called in ('poor', 'poor.run', POOR)}
        assert len(outs) == 1 and '+0.3357' in outs.pop()

    def test_what_is_doubtful_about_a_run_names_it(self, run: Any, tmp_path: Path) -> None:
        for name in ('a', 'b'):
            (tmp_path / f'{name}.run').write_text('')
        said = [f"ir_segmeasures: warning: run '{name}': the run is empty" for name in 'ab']
        for options in ((), ('--jobs', 1), ('--jobs', 2)):
            err = run('compare', QRELS, GOOD, tmp_path / 'a.run', tmp_path / 'b.run', '-m', 'MAiSP', *options).err
            assert [line.partition(',')[0] for line in sorted(err.splitlines())] == said

    def test_a_run_that_lacks_judged_queries(self, run: Any, tmp_path: Path) -> None:
        lines = Path(GOOD).read_text().splitlines(keepends=True)
        (tmp_path / 'part.run').write_text(''.join(line for line in lines if not line.startswith('q2 ')))
        assert run('compare', QRELS, GOOD, tmp_path / 'part.run', '-m', 'MAiSP').err == (
            "ir_segmeasures: note: run 'part': the run has nothing for 1 of the 10 judged queries that 'good' answers, "
            "such as 'q2', and counts 0 there: check that its file is whole\n")

    @pytest.mark.parametrize('items', [60, 3600])  # some 100 kB and more than 4 MB
    def test_large_runs_have_the_warnings_of_small_ones(self, run: Any, tmp_path: Path, items: int) -> None:
        pytest.importorskip('joblib')
        path, few = tmp_path / 'tied.run', tmp_path / 'few.run'
        lines = [f'{{}} Q0 bees-01#t={place}.25,{place + 20}.5 {place + 1} {{}} a-system' for place in range(items)]
        path.write_text('\n'.join(line.format(f'q{query}', 1 - place // 9 / items) for query in range(1, 26)
                                  for place, line in enumerate(lines)))
        few.write_text('\n'.join(line.format('q1', place) for place, line in enumerate(lines)))
        assert (path.stat().st_size > 4e6) == (items > 60)
        for command, sentence in (((QRELS, path, '--strict'), 'have the score of another item of their query'),
                                  ((QRELS, few, '--strict'), 'the ranks contradict the scores'),
                                  ((QRELS, few), 'the run has 1 of the 10 judged queries')):
            result = run('evaluate', *command, 'MAiSP', 'P_tol@5')
            assert sentence in result.err and result.code == ('--strict' in command)
        for jobs in ((), ('--jobs', 2)):
            for strict in ((), ('--strict',)):
                result = run('compare', QRELS, GOOD, few, '-m', 'MAiSP', *jobs, *strict)
                assert 'contradict the scores' in result.err and result.code == len(strict)

    def test_measures_of_documents_asked_of_segments(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'other.run'
        path.write_text(Path(POOR).read_text().replace('#t=', '#t=0'))
        for options in ((), ('--jobs', 1)):
            err = run('compare', QRELS, GOOD, path, '-m', 'MAiSP', 'AP', *options).err
            said = [line.partition(' items')[0] for line in sorted(err.splitlines())]
            assert said == [f'ir_segmeasures: warning: run {name}: AP compares ids, and {count}' for name, count in (
                ("'good'", '7 of the 189'), ("'other'", 'none of the 200'))]

    def test_measures_of_documents_on_aligned_runs(self, run: Any) -> None:
        command = 'compare', QRELS, GOOD, POOR, '-m', 'nDCG@10', 'MAiSP', '-o', 'csv', '-p', 4
        qrels, good = formats.read_qrels(QRELS), formats.read_run(GOOD)
        for options, expected in ((('--align',), align(good, qrels)),
                                  (('--align-iou', 0.5), align(good, qrels, 'iou', 0.5))):
            value = ir_measures.nDCG(cutoff=10).calc_aggregate(qrels, expected)
            for jobs in ((), ('--jobs', 1)):
                done = run(*command, *options, *jobs)
                assert (done.code, done.err) == (0, '')
                assert f'good,nDCG@10,{value:.4f},' in done.out
                assert 'good,MAiSP,0.6131,' in done.out
            done = run('evaluate', QRELS, GOOD, 'nDCG@10', 'MAiSP', *options, '--strict')
            assert done == (0, f'nDCG@10\t{value:.4f}\nMAiSP\t0.6131\n', '')
        assert '--align is for measures of documents, such as nDCG@10, not MAiSP' in run(
            'evaluate', QRELS, GOOD, 'MAiSP', '--align').err
        assert "'2' is not an intersection over union" in run('compare', QRELS, GOOD, '-m', 'AP', '--align-iou', 2).err
        assert run('evaluate', QRELS, GOOD, 'nDCG@10', '--strict').code == 1

    def test_events_are_matched_optimally_for_sets(self, run: Any, tmp_path: Path) -> None:
        truth, found = tmp_path / 'truth.tsv', tmp_path / 'found.tsv'
        truth.write_text('file\tstart\tend\tquery\tgrade\nclip1\t0\t10\tDog\t1\nclip1\t4\t14\tDog\t1\n')
        found.write_text('query\tstart\tend\tfile\tscore\nDog\t3\t13\tclip1\t1\nDog\t5\t15\tclip1\t0.9\n')
        done = run('evaluate', truth, found, 'SetF', 'SegF', 'AP', '--align-iou', .5)  # sed_eval, DCASE; greedy in AP
        assert done.out == 'SetF\t1.0000\nSegF\t0.8462\nAP\t0.5000\n'

    def test_a_row_that_cannot_be_measured(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'bad.run'
        path.write_text('q1 Q0 town-meeting#t=1,9 1 2.5 x\n\nq1 Q0 v#t=9,1 2 3.5 x\n')
        for options in ((), ('--jobs', 1)):
            result = run('compare', QRELS, GOOD, path, '-m', 'MAiSP', *options)
            assert (result.code, result.out) == (1, '')
            assert result.err.count('\n') == 1
            assert f'{path}, line 3: ' in result.err

    @pytest.mark.parametrize(('args', 'sentence'), [
        (['-m', 'MAiPS'], 'unknown measure: MAiPS: did you mean '),
        (['-m', 'MAiSP', '--baseline', 'best'], "no run 'best'; there is good, poor"),
        (['-m', 'MAiSP', '--top', 2, '-o', 'csv'], '--top only goes with'),
        (['-m', 'MAiSP', '--jobs', 0], "--jobs: '0' is not a number of processes"),
        (['-m', 'MAiSP', '-o', 'tex'], "'tex' (did you mean text or latex?)"),
        (['-m', 'MAiSP', '-o', 'latx'], "'latx' (did you mean latex?)"), ([], 'there is no measure'),
    ])
    def test_wrong_command_lines(self, run: Any, args: list[str], sentence: str) -> None:
        result = run('compare', QRELS, GOOD, POOR, *args)
        assert (result.code, result.out, result.err.count('\n')) == (2, '', 1)
        assert sentence in result.err


class TestHabits:
    def test_blanks_in_a_measure_belong_to_it(self, run: Any) -> None:
        asked = ("T2I_MAP( tau = 10, keepviewing=True )@5  MAiSP(user = 'ret')", 'MAgP')
        lines = run('evaluate', QRELS, GOOD, *asked).out.splitlines()
        assert [line.partition('\t')[0] for line in lines] == [
            'T2I_MAP( tau = 10, keepviewing=True )@5', "MAiSP(user = 'ret')", 'MAgP']
        plain = run('evaluate', QRELS, GOOD, 'T2I_MAP(tau=10,keepviewing=True)@5', "MAiSP(user='ret')", 'MAgP').out
        assert [line.partition('\t')[2] for line in lines] == [
            line.partition('\t')[2] for line in plain.splitlines()]
