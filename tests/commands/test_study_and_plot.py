"""The commands study and plot: the library's figures, and files that are pictures; power beside a plain reference."""

import json
import re
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats, sample

stats = pytest.importorskip('scipy.stats')

QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))


@pytest.fixture(autouse=True)
def close() -> Iterator[None]:
    """A command draws one figure, and its process ends."""
    yield
    if 'matplotlib.pyplot' in sys.modules:
        sys.modules['matplotlib.pyplot'].close('all')


def rows(run: Any, kind: str, *options: Any) -> Any:
    result = run('study', kind, QRELS, GOOD, POOR, '-o', 'json', *options)
    assert (result.code, result.err) == (0, '')
    return json.loads(result.out)


def test_power_is_that_of_the_definition(run: Any) -> None:
    import ir_measures

    from ir_segmeasures import MAgP, MAiSP
    from ir_segmeasures.study import power
    qrels, runs = formats.read_qrels(QRELS), {'good': formats.read_run(GOOD), 'poor': formats.read_run(POOR)}
    runs['half'] = [row for row in runs['good'] if row.query_id in ('q1', 'q2', 'q3', 'q4', 'q5', 'q6')]
    for measure, found in zip((MAiSP, MAgP), power((MAiSP, MAgP), qrels, runs)):
        values = [{metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, items)}
                  for items in runs.values()]
        p = [stats.ttest_rel(list(a.values()), [b[query] for query in a]).pvalue for a, b in combinations(values, 2)]
        assert found.asl == pytest.approx(sorted(p, reverse=True))
        assert (found.separated, found.pairs) == (sum(value < .05 for value in p), 3)
        assert found.share == pytest.approx(found.separated / 3)
    with pytest.raises(ValueError, match='fewer runs than 2'):
        power(MAiSP, qrels, {'one': runs['good']})


def test_studies(run: Any) -> None:
    row, = rows(run, 'agreement', '-m', 'MAiSP', 'MAgP')
    assert (row['first'], row['second'], row['n']) == ('MAiSP', 'MAgP', 20)
    found = rows(run, 'sensitivity', '-m', 'T2I_MAP', '--vary', 'tau=5:15:5')
    assert [row['tau'] for row in found] == [5, 10, 15]
    assert found[2]['good'] == pytest.approx(.4790, abs=5e-5)
    row, = rows(run, 'power', '-m', 'MAiSP')
    assert (row['separated'], row['pairs'], row['share']) == (1, 1, 1.)
    for format in ('text', 'csv', 'markdown', 'latex'):
        result = run('study', 'power', QRELS, GOOD, POOR, '-m', 'MAiSP', '-o', format)
        assert (result.code, result.err) == (0, '')
        assert 'MAiSP' in result.out
    assert run('study', 'sensitivity', QRELS, GOOD, '-m', 'T2I_MAP', '--vary', 'tau=5:1:5').code == 2


def test_holes(run: Any, tmp_path: Path) -> None:
    picture = tmp_path / 'holes.svg'
    found = rows(run, 'holes', '-m', 'MAiSP', '--drop', '0.5', '--repeats', '2', '--plot', str(picture))
    assert [(row['measure'], row['dropped']) for row in found] == [('MAiSP', 0), ('MAiSP', .5)]
    assert picture.read_text().startswith('<?xml')
    found = rows(run, 'holes', '-m', 'MAiSP', '--leave-out-teams', '--team', '^.', '--depth', '5')
    assert [row['left_out'] for row in found] == [None, 'g', 'p']
    for options in (['--depth', '5'], ['--jobs', '0'], ['--seed', '-1'], ['--plot', 'a.doc'], [
            '--leave-out-teams', '--team', '(']):
        assert run('study', 'holes', QRELS, GOOD, POOR, '-m', 'MAiSP', *options).code == 2


def test_fidelity(run: Any, tmp_path: Path) -> None:
    from ir_segmeasures.study import fidelity
    path = tmp_path / 'a.qrels'
    path.write_text('1 Q0 d 30 900 40 50:20 10:10\n1 Q0 e 0 700\n2 Q0 d 50 900 40 50:50\n2 Q0 f 0 700\n')
    result = run('study', 'fidelity', path, '-m', 'MAgP', '--qrels-format', 'inex-fol', '-o', 'json')
    assert (result.code, result.err) == (0, '')
    report = fidelity('MAgP', formats.read_qrels(path, 'inex-fol'))
    expected = report.comparisons
    assert [(row['first'], row['second'], row['difference'], row['verdict']) for row in json.loads(result.out)] == [
        (' '.join(row.first), ' '.join(row.second), row.difference, row.verdict) for row in expected]
    separated, pairs = report.significant(expected[0].measure)
    assert {(row['separated'], row['pairs']) for row in json.loads(result.out)} == {(separated, pairs)}
    text = run('study', 'fidelity', path, '-m', 'MAgP', '--qrels-format', 'inex-fol').out.splitlines()
    assert 'separated' not in text[0]
    assert text[-1] == f'MAgP: {separated} of {pairs} pairs of runs differ significantly (paired t-test, p < 0.05)'
    assert [line.rsplit(maxsplit=1) for line in text[-10:-2]] == [
        [' '.join(name), f'{mean:.4f}'] for name, (mean,) in zip(report.means, map(dict.values, report.means.values()))]
    (tmp_path / 'table').write_text(''.join(
        f'{id}1 {id} 0 {size}\n{id}2 {id} {start} {size - 5}\n' for id, size, start in (
            ('d', 900, 5), ('e', 700, 2), ('f', 700, 3))))
    wide = run('study', 'fidelity', path, '-m', 'MAgP', '--qrels-format', 'inex-fol', '--elements', tmp_path / 'table')
    assert wide.code == 0 and 'S_L R_SI' in wide.out and len(fidelity('MAgP', formats.read_qrels(
        path, 'inex-fol'), elements={'d': [(0, 900), (5, 895)], 'e': [(0, 700)], 'f': [(0, 700)]}).means) == 20


def test_micro_averages(run: Any) -> None:
    from ir_segmeasures.study import micro
    values = micro(['SegP', 'SegR'], formats.read_qrels(QRELS), formats.read_run(GOOD))
    for option in (['--micro'], ['--average', 'micro']):
        assert run('evaluate', QRELS, GOOD, 'SegP', 'SegR', *option).out.split()[1::2] == [
            f'{value:.4f}' for value in values.values()]
    assert 'no micro average' in run('evaluate', QRELS, GOOD, 'MAiSP', '--micro').err
    assert run('evaluate', QRELS, GOOD, 'SegP', '--micro', '-q').code == 2


class TestSizes:
    """Of the documents of simulated runs."""
    SIZES = sample.path('recordings.tsv')

    def test_documents_judged_beyond_their_end(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'sizes.txt'
        lines = [line.split('\t')[:2] for line in Path(self.SIZES).read_text().splitlines()[1:]]
        path.write_text(''.join(f'{document} {50 if document == "bees-01" else size}\n' for document, size in lines))
        result = run('study', 'fidelity', QRELS, '-m', 'MAgP', '--sizes', path)
        assert result.code == 0
        assert result.err == ('ir_segmeasures: warning: 1 documents are judged beyond their listed end, such as '
                              "'bees-01': they are taken to end with what is judged\n")

    def test_what_tells_no_sizes(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'sizes.txt'
        path.write_text('bees-01 00:02:07\nbees-02 long\n')
        for options, sentence in (
            ((), 'sizes={document: size}'),
            (('--sizes', path), f"{path}, line 2: 'long' is not the length of a document"),
            (('--sizes', 'nix'), 'nix is not a file, and '),
        ):
            result = run('study', 'fidelity', QRELS, '-m', 'MAgP', *options)
            assert (result.code, result.out) == (1, '') and sentence in result.err


def test_systems_that_are_called_as_a_column(run: Any, tmp_path: Path) -> None:
    for name in ('tau', 'kendall'):
        (tmp_path / f'{name}.run').write_bytes(Path(GOOD).read_bytes())
    row, = json.loads(run('study', 'sensitivity', QRELS, tmp_path / 'tau.run', tmp_path / 'kendall.run', '-m',
                          'T2I_MAP', '--vary', 'tau=15', '-o', 'json').out)
    assert row['tau'] == 15 and row['tau (run)'] == row['kendall (run)'] == pytest.approx(.4790, abs=5e-5)


@pytest.mark.parametrize(('kind', 'files', 'options'), [
    ('precision-recall', 2, ('-m', 'iSP')), ('precision-recall', 2, ('-m', 'IPrec', '--align')),
    ('parameter', 2, ('-m', 'T2I_MAP', '--vary', 'tau=5:15:5')),
    ('queries', 2, ('-m', 'MAiSP')), ('timeline', 1, ('--query', 'q1')),
])
def test_plots(run: Any, tmp_path: Path, kind: str, files: int, options: Any) -> None:
    pytest.importorskip('matplotlib')
    for suffix, magic in (('pdf', b'%PDF'), ('png', b'\x89PNG'), ('svg', b'<?xml')):
        out = tmp_path / f'a.{suffix}'
        assert run('plot', kind, QRELS, *(GOOD, POOR)[:files], *options, '--out', out) == (0, '', '')
        assert out.read_bytes().startswith(magic) and b'/Type3' not in out.read_bytes()
    assert run('plot', kind, QRELS, GOOD, *options, '--out', tmp_path / 'a.gif').code == 2
    assert f'{kind} needs --' in run('plot', kind, QRELS, GOOD, '--out', out).err


class TestTimelines:
    def titles(self, run: Any, path: Path, *options: Any) -> list[str]:
        """The texts of the picture, as SVG has them, with its width in points first."""
        pytest.importorskip('matplotlib')
        path = path.with_suffix('.svg')
        result = run('plot', 'timeline', QRELS, *options, '--query', 'q1', '--out', path)
        assert result == (0, '', '')
        text = path.read_text()
        return [*re.findall('<svg.* width="([0-9.]+)pt"', text), *re.findall('<text[^>]*>([^<]*)</text>', text)]

    def test_runs_names_and_width(self, run: Any, tmp_path: Path) -> None:
        width, *texts = self.titles(run, tmp_path / 'a', GOOD, POOR, '--names', 'Ours', 'Baseline', '--width', '120mm')
        assert float(width) == pytest.approx(120 / 25.4 * 72)
        assert texts.count('Ours') == texts.count('Baseline') == 3
        assert {'query q1, ranks 1–10 of 20', 'in 3 of 6 documents'} <= set(texts)
        width, *texts = self.titles(run, tmp_path / 'a', GOOD, '--width', '240pt')
        assert float(width) == pytest.approx(240 / 72.27 * 72)
        assert 'good, query q1, ranks 1–10 of 20' in texts

    def test_lengths_of_a_file_and_of_transcripts(self, run: Any, tmp_path: Path) -> None:
        sizes, talks = tmp_path / 'sizes', tmp_path / 'talks'
        sizes.write_text('bees-01 12:00\n')
        talks.mkdir()
        (talks / 'bees-01.vtt').write_text('WEBVTT\n\n11:30.000 --> 12:00.000\nGood night.\n')
        (talks / 'notes.txt').write_text('no transcript')
        expected = self.titles(run, tmp_path / 'a', GOOD, '--sizes', sizes)
        assert '12:00' in expected and '12:00' not in self.titles(run, tmp_path / 'a', GOOD)
        assert self.titles(run, tmp_path / 'a', GOOD, '--sizes', talks) == expected
        sizes.write_text('Bees-01 12:00\n')
        arguments = 'plot', 'timeline', QRELS, GOOD, '--query', 'q1', '--sizes', sizes, '--out', tmp_path / 'a.pdf'
        assert "has none of the 20 judged documents, such as 'bees-01', but 'Bees-01'" in run(*arguments).err
        (talks / 'bees-01.vtt').unlink()
        result = run('plot', 'timeline', QRELS, GOOD, '--query', 'q1', '--sizes', talks, '--out', tmp_path / 'a.pdf')
        assert result.code == 2 and 'has no transcript (.vtt, .srt, .json …)' in result.err

    def test_the_text_of_the_query_and_a_stretch(self, tmp_path: Path, run: Any) -> None:
        truth, predictions, queries = (tmp_path / name for name in ('truth.jsonl', 'mine.jsonl', 'queries.tsv'))
        line = '{"qid": 1, "vid": "v%201", "query": "a dog", '
        truth.write_text(line + '"relevant_windows": [[2000, 2030]], "duration": 5400}')
        predictions.write_text(line + '"pred_relevant_windows": [[2010, 2040, 1]]}')
        queries.write_text('1\ta cat\n')

        def texts(*options: Any) -> str:
            out = tmp_path / 'a.svg'
            command = 'plot', 'timeline', truth, predictions, '--from', 'moments', '--query', '1', '--out', out
            assert run(*command, *options).code == 0
            return out.read_text()
        assert 'query 1 “a dog”' in texts() and '>v 1<' in texts() and '>1:30:00<' in texts()
        assert 'query 1 “a cat”' in texts('--queries', queries)
        assert '>33:20<' in texts('--start', 1990, '--end', 2050) and '1:30:00' not in texts('--start', 1990)[:0]

    def test_errors_name_the_file(self, run: Any, tmp_path: Path) -> None:
        pytest.importorskip('matplotlib')
        wrong, out = tmp_path / 'wrong.run', tmp_path / 'a.pdf'
        wrong.write_text('q1 Q0 bees-01#char=0,90 1 1 x\n')
        for files in ((wrong, GOOD), (GOOD, wrong)):
            result = run('plot', 'timeline', QRELS, *files, '--query', 'q1', '--out', out)
            assert result.code == 1 and f"{wrong}, line 1: run 'wrong': query 'q1', document " in result.err
        assert not out.exists()

    @pytest.mark.parametrize(('options', 'sentence'), [
        (('--names', 'A', 'B'), "--names: 1 runs have the names 'A', 'B': give each its own"),
        (('--width', '3'), "'3' is not a width from 40mm to 1000mm: write it as 85mm, 8.5cm, 3.35in or 240pt"),
        (('--width', '9px'), "'9px' is not a width "), (('--format', 'gif'), "invalid choice: 'gif'"),
        (('--out', 'a.gif'), "--out: 'a.gif' is not a figure that can be drawn: end it in .pdf, .png, .svg, .pgf")])
    def test_options_that_cannot_be(self, run: Any, tmp_path: Path, options: Any, sentence: str) -> None:
        result = run('plot', 'timeline', QRELS, GOOD, '--query', 'q1', '--out', tmp_path / 'a.pdf', *options)
        assert result.code == 2 and sentence in result.err


