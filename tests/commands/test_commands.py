"""The command line: output as ir_measures', messages that name file and line, exit codes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import ir_measures
import pytest

import ir_segmeasures
from ir_segmeasures import formats, sample
from ir_segmeasures.measures import SegmentMeasure

QRELS, GOOD = sample.path('qrels.txt'), sample.path('good.run')


class TestEvaluate:
    def test_the_same_as_the_library(self, run: Any) -> None:
        result = run('evaluate', QRELS, GOOD, 'T2I_MAP(tau=15)', 'MAgP', "MAiSP(user='ret')")
        measures = [ir_measures.parse_measure(m) for m in ('T2I_MAP(tau=15)', 'MAgP', "MAiSP(user='ret')")]
        means = ir_measures.calc_aggregate(measures, formats.read_qrels(QRELS), formats.read_run(GOOD))
        names = ('T2I_MAP(tau=15)', 'MAgP', "MAiSP(user='ret')")  # as they were asked for
        assert result == (0, ''.join(f'{name}\t{means[measure]:.4f}\n' for name, measure in zip(names, measures)), '')

    def test_the_same_as_the_command_of_the_host(self, run: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        from ir_measures.__main__ import main_cli
        for flags in ([], ['-p', '2'], ['-p', '-1'], ['-o', 'jsonl'], ['-q'], ['-q', '-n'], ['-qno', 'jsonl']):
            ours = run('evaluate', QRELS, GOOD, 'AP AP P@5', 'AiSP', *flags)
            monkeypatch.setattr(sys, 'argv', ['ir_measures', QRELS, GOOD, 'AP AP P@5', 'AiSP', *flags])
            main_cli()
            theirs = capsys.readouterr()
            assert ours.code == 0
            assert sorted(ours.out.splitlines()) == sorted(theirs.out.splitlines()), flags

    def test_provider(self, run: Any) -> None:
        assert run('evaluate', QRELS, GOOD, 'AgP', '--provider', 'segmeasures').out == run(
            'evaluate', QRELS, GOOD, 'AgP').out
        for provider, measure in (('segmeasures', 'AP'), ('pytrec_eval', 'AgP')):
            result = run('evaluate', QRELS, GOOD, measure, '--provider', provider)
            assert (result.code, result.out) == (2, '')
            assert f'the provider {provider} does not compute {measure}\n' in result.err
        for measure, reason in (
            ('iP@0.005', 'iP has recall=0.005, but inex_eval has only 0, 0.01, … 1: take one of these, or'),
            ('AgP@3', 'AgP has cutoff=3, but inex_eval has no such parameter: leave it out, or'),
        ):
            result = run('evaluate', QRELS, GOOD, measure, '--provider', 'inex_eval')
            assert (result.code, result.out) == (2, '')
            assert f'the provider inex_eval does not compute {measure}: {reason}' in result.err

    @pytest.mark.parametrize(('format', 'line'), [
        ('text', 'measure   value'), ('markdown', '| MAiSP | 0.6131 |'), ('latex', r'MAiSP & 0.6131 \\'),
        ('json', '  "value": 0.6130601001111919')])
    def test_tables(self, run: Any, format: str, line: str) -> None:
        assert line in run('evaluate', QRELS, GOOD, 'MAiSP', '-o', format).out.splitlines()

    def test_as_a_module(self) -> None:
        out = subprocess.run([sys.executable, '-m', 'ir_segmeasures', 'evaluate', QRELS, GOOD, 'MAiSP', '-o', 'jsonl'],
                             capture_output=True, text=True, check=True).stdout
        value = ir_segmeasures.MAiSP.calc_aggregate(formats.read_qrels(QRELS), formats.read_run(GOOD))
        assert json.loads(out) == {'measure': 'MAiSP', 'value': pytest.approx(value)}

    def test_a_reader_that_has_seen_enough(self) -> None:
        shell = f'"{sys.executable}" -m ir_segmeasures evaluate "{QRELS}" "{GOOD}" MAiSP -q | head -n 1'
        result = subprocess.run(['sh', '-c', shell], capture_output=True, text=True, check=False)
        assert result.stderr == ''
        assert result.stdout.count('\n') == 1

    def test_a_dataset_of_ir_datasets(self, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        ir_datasets = pytest.importorskip('ir_datasets')
        import ir_segmeasures.datasets  # noqa: F401  # which loads some itself

        class Dataset:
            def has_qrels(self) -> bool:
                return True

            def qrels_iter(self) -> Any:
                return iter(formats.read_qrels(QRELS))

            def qrels_handler(self) -> Any:
                return self

        def load(name: str) -> Dataset:
            if name != 'sample/x':
                raise KeyError(name)
            return Dataset()
        monkeypatch.setattr(ir_datasets, 'load', load)
        for id in ('sample/x', 'irds:sample/x', 'segments:sample/x'):  # the last two as in PyTerrier
            assert run('evaluate', id, GOOD, 'MAiSP') == run('evaluate', QRELS, GOOD, 'MAiSP')
        found = run('evaluate', 'sample/y', GOOD, 'MAiSP')
        assert found.code == 1 and "sample/y is not a file, and there is no dataset 'sample/y'" in found.err


class TestIdealElements:
    QRELS = ('<assessments topic="1"><file collection="ieee" name="f"><path path="/a[1]" exhaustivity="3" '
             'specificity="1"/><path path="/a[1]/s[1]" exhaustivity="2" specificity="3"/></file></assessments>')
    RUN = '1 Q0 f#xpath=/a[1] 1 2 x\n1 Q0 f#xpath=/a[1]/s[1] 2 1 x\n'

    def test_elements_that_contain_others_leave_the_judgements(self, run: Any, tmp_path: Path) -> None:
        for name, text in (('q.xml', self.QRELS), ('a.run', self.RUN)):
            (tmp_path / name).write_text(text)
        line = ('evaluate', tmp_path / 'q.xml', tmp_path / 'a.run', 'AP', '--qrels-format', 'inex-xml')
        assert run(*line).out == 'AP\t1.0000\n'
        assert run(*line, '--ideal', 'kazai') == (0, 'AP\t0.5000\n', '')
        assert 'the specificity is 3, but a share' in run(*line, '--ideal', 'kazai:share').err
        assert "the qrels lack the column 'ideal'" in run(*line, '--ideal', 'given').err
        assert run(*line, '--ideal', 'best').code == 2


class TestOtherFormats:
    STRATA = '1661 0 shot1_1 1 1\n1661 0 shot1_2 1 -1\n1661 0 shot1_3 2 0\n1661 0 shot1_4 2 1\n1661 0 shot1_5 2 -1\n'
    AVS = '1661 Q0 shot1_2 1 9 r\n1661 Q0 shot1_1 2 8 r\n1661 Q0 shot1_3 3 7 r\n1661 Q0 shot1_4 4 6 r\n'
    INEX = '1 Q0 d 30 900 40 50:20 10:10\n1 Q0 e 0 700\n1 Q0 f 9 90 1 1:9\n'
    PASSAGES = '1 Q0 d 1 9 r 10 10\n1 Q0 e 2 8 r 0 700\n1 Q0 f 3 7 r 20 5\n1 Q0 g 4 6 r X X\n'

    @pytest.mark.parametrize(('format', 'run_format', 'qrels', 'items', 'of_segments', 'of_documents'), [
        ('trecvid-strata', 'trec', STRATA, AVS, ('xinfAP', "xinfAP(tool='sample_eval')", 'xinfAP@3'), ('AP', 'P@3')),
        ('inex-fol', 'inex-fol', INEX, PASSAGES,
         ('AgP_bep', 'AgP_reading', "AiP(tool='inex_eval')", "AgP(beta=0.25,tool='inex_eval')", 'AgP'), ('AP', 'P@3')),
    ])
    def test_measures_of_documents_beside_measures_with_columns(
        self, run: Any, tmp_path: Path, format: str, run_format: str, qrels: str, items: str,
        of_segments: tuple[str, ...], of_documents: tuple[str, ...]
    ) -> None:
        (tmp_path / 'qrels').write_text(qrels)
        (tmp_path / 'run').write_text(items)

        def evaluate(*measures: str) -> list[str]:
            result = run('evaluate', tmp_path / 'qrels', tmp_path / 'run', *measures, '-p', '-1', '--qrels-format',
                         format, '--run-format', run_format)
            assert (result.code, result.err) == (0, '')
            return result.out.splitlines()
        assert evaluate(*of_segments, *of_documents) == evaluate(*of_segments) + evaluate(*of_documents)
        assert all(float(line.split()[1]) > 0 for line in evaluate(*of_segments))
        values = dict(line.split() for line in evaluate(*of_documents))
        if format == 'trecvid-strata':  # what was not sampled is not relevant: it is right at ranks 2 and 4
            assert float(values['AP']) == pytest.approx((1 / 2 + 2 / 4) / 2)
        else:  # the whole of a passage is retrieved at rank 1, of three
            assert float(values['AP']) == pytest.approx(1 / 3)

    @pytest.mark.parametrize(('format', 'qrels', 'items', 'measure', 'place'), [
        ('inex-fol', INEX, '1 Q0 d 1 9 r 0 9\n\n1 Q0 d 2 8 r 4 5\n', 'AiP(overlap="error")', 'run, line 3'),
        ('sh-linking', 'q Q0 v 0.10 0.40 1\n', 'q Q0 v 0.15 0.50 2 1 r\nq Q0 v 0.10 0.20 1 9 r\n',
         'AiP(overlap="error")', 'run, line 1'),
        ('inex-xml', '<a topic="1"><file name="f"><element path="/a[1]" size="9" rsize="3"/></file></a>',
         '<inex-submission><topic topic-id="1"><result><file>f</file><path>/a[1]</path><rank>1</rank></result></topic>'
         '</inex-submission>', 'MAiSP', 'qrels: row 1'),
        ('trecvid-avs', STRATA.replace('shot1_5', 'shot1_4', 1).replace('2 -1', '2 1') + '1661 0 v#t=5 1 1\n',
         '<videoAdhocSearchResults/>', 'MAiSP', 'qrels, line 1'),
    ])
    def test_rows_that_cannot_be_measured(
        self, run: Any, tmp_path: Path, format: str, qrels: str, items: str, measure: str, place: str
    ) -> None:
        (tmp_path / 'qrels').write_text(qrels)
        (tmp_path / 'run').write_text(items)
        result = run('evaluate', tmp_path / 'qrels', tmp_path / 'run', measure, '--qrels-format', format,
                     '--run-format', format)
        assert (result.code, result.out) == (1, '')
        assert result.err.splitlines()[-1].startswith(f'ir_segmeasures: {tmp_path}/{place}: ')

    def test_a_run_that_is_not_in_trec_s_format(self, run: Any, home: Path, tmp_path: Path) -> None:
        pytest.importorskip('ir_datasets')
        qrels, path = home / 'trecvid-lnk' / '2017' / 'linking.qrel', tmp_path / 'a.run'
        qrels.parent.mkdir(parents=True)
        qrels.write_text('q Q0 v 0.10 0.40 1\nq Q0 w 0.10 0.40 1\n')
        path.write_text('q Q0 v 0.10 0.40 1 1 r\n')
        result = run('evaluate', 'trecvid-lnk/2017', path, 'SegP', 'AP')
        assert (result.code, result.out) == (1, '')
        assert result.err.startswith(f'ir_segmeasures: {path}, line 1: the line has 8 fields, but a line of a TREC run')
        assert result.err.endswith('; it looks like sh-linking: add --run-format sh-linking\n')
        assert run('evaluate', 'trecvid-lnk/2017', path, 'SegP', 'AP', '--run-format', 'sh-linking') == (
            0, 'SegP\t1.0000\nAP\t0.5000\n', '')
        assert run('evaluate', qrels, path, 'SegP', '--qrels-format', 'sh-linking').err.endswith(
            '; it looks like sh-linking: add --run-format sh-linking\n')
        path.write_text('q Q0 v#t=10,40 1 nan r\n')  # whatever this is, it is not of linking
        assert '--run-format' not in run('evaluate', 'trecvid-lnk/2017', path, 'SegP').err


class TestErrors:
    @pytest.mark.parametrize(('id', 'sentence'), [
        ('v1#t=60,12', "line 3: segment id 'v1#t=60,12' ends before it starts (12 < 60): write the smaller"),
        ('v1#t=1m,2m', "line 3: segment id 'v1#t=1m,2m' has '1m' as a position, but 't=' takes START,END in seconds"),
        ('v1#t=7', "line 3: query 'q', document 'v1': it runs to the document's end, which is not known"),
        ('v1', "line 3: query 'q', document 'v1': it runs to the document's end"),
        ('v1#char=0,9', "line 3: query 'q', document 'v1': it is in 'char', but the judgements of the document are"),
    ])
    def test_segment_ids_in_trec_runs(self, run: Any, tmp_path: Path, id: str, sentence: str) -> None:
        qrels, path = tmp_path / 'a.qrels', tmp_path / 'a.run'
        qrels.write_text('q 0 v1#t=0,10 1\n')
        path.write_text(f'q Q0 v2#t=0,10 1 2.5 x\n\nq Q0 {id} 2 3.5 x\n')
        result = run('evaluate', str(qrels), str(path), 'MAiSP')
        assert (result.code, result.out) == (1, '')
        assert result.err.startswith(f'ir_segmeasures: {path}, {sentence}')

    @pytest.mark.parametrize(('args', 'sentence'), [
        (['MAiPS'], 'unknown measure: MAiPS'),
        (['T2I_MAP(tau=-5)'], 'T2I_MAP(tau=-5): '),
        (['T2I_MAP(tau=0.5)', 'T2I_P(tau=0)@10'], 'T2I_P has tau=0'),
        (['ESL'], 'ESL lacks D'),
        (['AiSP(users="ret")'], "AiSP has no parameter 'users'"),
        (['AgP(beta=1e200)'], 'AgP has beta='),
        (['MAiSP', '-p', '-2'], 'argument --places/-p: '),
        (['MAiSP', '-n'], '--no-summary/-n only goes with --by-query/-q'),
        ([], 'measure'),
    ])
    def test_wrong_command_lines(self, run: Any, args: list[str], sentence: str) -> None:
        result = run('evaluate', QRELS, GOOD, *args)
        assert (result.code, result.out) == (2, '')
        assert sentence in result.err

    def test_a_measure_of_ir_measures_that_divides_by_0(self, run: Any, tmp_path: Path) -> None:
        qrels, path, other = (tmp_path / name for name in ('a.qrels', 'a.run', 'b.run'))
        qrels.write_text('q 0 d 1\n')
        path.write_text('q Q0 d 1 1 x\n')  # Accuracy needs an item that is not relevant
        other.write_text('q Q0 d 1 2 y\n')
        for args in (['evaluate', qrels, path], ['compare', qrels, path, other, '-m'],
                     ['compare', qrels, path, other, '--jobs', '1', '-m']):
            result = run(*args, 'Accuracy@5')
            assert (result.code, result.out) == (1, '')
            assert 'Accuracy@5 of ir_measures has no value for a query of the run, since it ends in Z' in result.err


class TestMeasures:
    def test_all_of_them(self, run: Any) -> None:
        out = run('measures').out
        names = {measure.NAME for measure in vars(ir_segmeasures).values() if isinstance(measure, SegmentMeasure)}
        assert {line.partition('(')[0] for line in out.splitlines() if not line.startswith(' ')} == names
        assert "AiSP(user='rel',points=101,rel=1,condensed=False,silence=False,[tool])@[cutoff] (also MAiSP)" in out

    @pytest.mark.parametrize('measure', [
        measure for measure in vars(ir_segmeasures).values() if isinstance(measure, SegmentMeasure)], ids=str)
    def test_every_page(self, run: Any, measure: SegmentMeasure) -> None:
        page = run('measures', measure.NAME).out
        for word in ('Range ', 'Source:', 'Parameters:', measure.PRETTY_NAME, *measure.SUPPORTED_PARAMS):
            assert word in page
        assert '``' in page  # the formula

    def test_an_unknown_name(self, run: Any) -> None:
        result = run('measures', 'MAiPS')
        assert result.code == 2
        assert "no measure of segments is called 'MAiPS': did you mean " in result.err and ' MAiSP ' in result.err
        assert result.err.count('\n') == 1
        near = run('measures', 'qqqqqq').err.strip().rsplit('choose from ', 1)[1]
        assert {'MAiSP', 'ESL', 'xinfAP'} < set(near.rstrip(')').split(', '))  # all of them


class TestFormats:
    def test_one_of_them(self, run: Any) -> None:
        lines = run('formats', 'sh-search').out.splitlines()
        assert lines[0].startswith('sh-search: MediaEval') and lines[2] == (
            'run: read and written, lines of query Q0 video start end jump-in rank score run')
        assert run('formats', 'squad').out.splitlines()[1:] == ['qrels: read']
        assert "no format is called 'sh-serch': did you mean sh-search" in run('formats', 'sh-serch').err


class TestVersion:
    @pytest.mark.parametrize('command', [[sys.executable, '-m', 'ir_segmeasures'], ['ir_segmeasures']])
    def test_it_is_the_package_s(self, command: list[str]) -> None:
        if shutil.which(command[0]) is None:
            pytest.skip('the package is not installed')
        found = subprocess.run([*command, '--version'], capture_output=True, text=True)
        assert (found.returncode, found.stdout) == (0, f'ir_segmeasures {ir_segmeasures.__version__}\n')


class TestDemo:
    def test_it_shows_what_the_library_computes(self, run: Any, tmp_path: Path) -> None:
        result = run('demo', '--save', str(tmp_path / 'sample'))
        assert (result.code, result.err) == (0, '')
        qrels = formats.read_qrels(QRELS)
        for name in ('T2I_MAP(tau=15)', 'MAiSP', 'MAgP', 'ESL(D=2945)@1'):
            measure = ir_measures.parse_measure(name)
            row = next(line for line in result.out.splitlines() if line.split()[:1] == [name])
            means = [measure.calc_aggregate(qrels, formats.read_run(sample.path(f'{name}.run')))
                     for name in ('good', 'poor')]
            assert row.split()[1:3] == [f'{mean:.4f}' for mean in means]
        for name in sample.FILES:
            assert (tmp_path / 'sample' / name).read_bytes() == Path(sample.path(name)).read_bytes()
        (tmp_path / 'sample' / 'poor.run').write_text('q Q0 v#t=0,5 1 2 mine')
        result = run('demo', '--save', str(tmp_path / 'sample'))
        assert result.code == 2 and 'poor.run is there with another content' in result.err
