"""What argparse read ends at the door of a command: behind it there are values and typed requests."""

import io
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from ir_segmeasures import evaluate_runs, sample

QRELS, GOOD = sample.path('qrels.txt'), sample.path('good.run')
POOLED = 'query_id,doc_id,start,end,context_start,context_end,runs\nq1,"a#t=0,9",0,9,0,9,a:1\n'


class TestErrors:
    @pytest.mark.parametrize(('lines', 'sentence'), [
        (('q1 Q0 d_100-200 1 3 x', 'q1 Q0 d_9-5 2 2 x'), "the id 'd_9-5' ends before it starts"),
        (('q1 Q0 d#t=1,2 1 3 x', 'q1 Q0 d_1-5 2 2 x'), "query 'q1', document 'd': the segments of one document"),
    ])
    def test_a_row_whose_id_was_looked_up_has_its_line(self, run: Any, tmp_path: Path, lines: tuple[str, ...],
                                                       sentence: str) -> None:
        path = tmp_path / 'run'
        path.write_text('\n'.join(lines))
        found = run('evaluate', QRELS, path, 'SegP', '--ids', '{doc}_{start}-{end}')
        assert (found.code, found.out) == (1, '')
        assert found.err.startswith(f'ir_segmeasures: {path}, line 2: {sentence}')

    @pytest.mark.parametrize('arguments', [
        ('evaluate', QRELS, '-', 'SegP', '--ids', '{doc}_{start}-{end}'), ('evaluate', QRELS, '-', 'SegP'),
        ('convert', '-', '-', '--from', 'trec', '--to', 'sh-search'), ('compare', QRELS, '-', GOOD, '-m', 'SegP'),
        ('check', '-', '--format', 'trec'), ('check', '-', '--format', 'sh-search')])
    def test_standard_input_is_named(self, run: Any, monkeypatch: pytest.MonkeyPatch,
                                     arguments: tuple[str, ...]) -> None:
        monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(b'q1 Q0 d#t=5,1 1 3 x\n')))
        found = run(*arguments)
        assert found.code in (1, 2)
        assert 'standard input' in found.out + found.err
        assert '/input' not in found.out + found.err

    def test_the_parser_tells_what_is_wrong_with_the_command_line(self, run: Any) -> None:
        found = run('compare', QRELS, GOOD, '-m', 'SegP', '--top', '0')
        assert (found.code, found.out) == (2, '')
        assert found.err == "ir_segmeasures compare: error: argument --top: '0' is not a number from 1 up\n"


@pytest.mark.parametrize('command, sentence', [
    ('compare q a b --basline a -m MAP', 'compare: error: there is no option --basline: did you mean --baseline?'),
    ('evaluate q a --qrel-format csv', 'no option --qrel-format: did you mean --qrels-format or --run-format?'),
    ('compare q a b --mesure MAP', 'compare: error: there is no option --mesure: did you mean --measure?'),
    ('compare q a b --output_fromat=csv -m MAP',
     'compare: error: there is no option --output-fromat: did you mean --output-format?'),
    ('study agreement q a b --ovre systems -m MAP',
     'agreement: error: there is no option --ovre: did you mean --over?'),
    ('evaluate q a MAP --run-fromat trec',
     'evaluate: error: there is no option --run-fromat: did you mean --run-format'),
    ('--verson', 'did you mean --version?'),
    ('evaluate q a MAP --zzzz', 'ir_segmeasures evaluate: error: unrecognized arguments: --zzzz'),
])
def test_misspelt_options(run: Any, command: str, sentence: str) -> None:
    result = run(*command.split())
    assert (result.code, result.out) == (2, '')
    assert sentence in result.err
    assert len(result.err.splitlines()) == 1


def test_options_are_abbreviated_and_values_are_no_options(run: Any) -> None:
    files = [QRELS, GOOD, sample.path('poor.run')]
    expected = run('compare', *files, '-m', 'MAgP', '--baseline', 'poor')
    assert expected.code == 0
    assert run('compare', *files, '--meas', 'MAgP', '--base', 'poor') == expected
    assert run('compare', '-m', 'MAgP', '--base=poor', '--', *files) == expected
    assert 'basline' in run('compare', '-m', 'MAgP', '--', '--basline', *files).err


class TestSentences:
    """The error of an output or of a measure says what it is about."""

    def test_measures_that_nothing_computes(self, run: Any) -> None:
        assert 'computes ERR in this form, but gdeval has ERR@…' in run('evaluate', 'q', 'r', 'ERR').err
        if not ir_measures.cwl_eval.is_available():
            assert 'pip install ir-measures[cwl_eval]' in run('evaluate', 'q', 'r', 'RBP(p=0.8)').err
        assert 'computes' not in run('evaluate', 'q', 'r', 'AP').err

    def test_a_line_end_in_the_name_of_a_file(self, run: Any, tmp_path: Path) -> None:
        found = run('evaluate', tmp_path / 'a\nb', tmp_path / 'r', 'AP')
        assert found.code == 1 and len(found.err.splitlines()) == 1
        qrels, wrong, right = (tmp_path / name for name in ('q\nq', 'w\rw', 'r\nr.run'))
        qrels.write_text('q 0 v#t=0,1 1\n')
        right.write_text('q Q0 v#t=0,1 1 1 x\n')
        wrong.write_text('q Q0\n')
        assert len(run('check', wrong, '--format', 'trec').out.splitlines()) == 2
        assert run('compare', qrels, right, '-m', 'MAiSP').out.splitlines()[1].startswith('r r ')

    @pytest.mark.skipif(not os.path.exists('/dev/full'), reason='there is no /dev/full')
    def test_a_full_disk_is_named(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'r'
        path.write_text('q Q0 v#t=0,1 1 1 x\n')
        found = run('convert', path, '/dev/full', '--from', 'trec', '--to', 'trec')
        assert found.err == 'ir_segmeasures: /dev/full: No space left on device\n'

    @pytest.mark.skipif(not os.path.exists('/dev/full'), reason='there is no /dev/full')
    @pytest.mark.parametrize('args', [('measures',), ('--version',), ('--cite',), ('demo',)], ids=str)
    def test_standard_output_on_a_full_disk_is_named(self, args: tuple[str, ...], run: Any,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
        full = open('/dev/full', 'w')  # noqa: SIM115 -- closing it would write once more
        monkeypatch.setattr('sys.stdout', full)
        found = run(*args)
        assert (found.code, found.err) == (1, 'ir_segmeasures: standard output: No space left on device\n')
        with suppress(OSError):
            full.close()

    @pytest.mark.skipif(not os.path.exists('/sys'), reason='there is no folder that nobody can write to')
    def test_a_folder_that_cannot_be_written(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'r'
        path.write_text('q Q0 v#t=0,1 1 1 x\n')
        found = run('convert', path, '/sys/x', '--from', 'trec', '--to', 'trec')
        assert '/sys/x: this must not be read or written: change its permissions' in found.err
        assert '/sys/new: ' in run('demo', '--save', '/sys/new').err

    def test_cells_that_a_spreadsheet_would_run(self, run: Any, tmp_path: Path) -> None:
        qrels, path, other = (tmp_path / name for name in ('qrels', '=HYPERLINK("x").run', '-1.run'))
        qrels.write_text('=cmd|x 0 v#t=0,1 1\n')
        for file in (path, other):
            file.write_text('=cmd|x Q0 v#t=0,1 1 1 x\n')
        assert "\n'=cmd|x,MAiSP,1.0\n" in run('evaluate', qrels, path, 'MAiSP', '-q', '-o', 'csv', '-p', '1').out
        found = run('compare', qrels, path, other, '-m', 'MAiSP', '-o', 'csv').out.splitlines()
        assert found[1].startswith('"\'=HYPERLINK(""x"")",MAiSP,') and found[2].startswith('-1,MAiSP,')


class TestWindowsOfModels:
    FORMATS = ('--qrels-format', 'moments', '--run-format', 'moments')

    @pytest.fixture
    def windows(self, tmp_path: Path) -> Path:
        path = tmp_path / 'windows'
        path.write_text('{"qid": 1, "vid": "v", "duration": 150, "relevant_windows": [[10, 40]]}\n')
        return path

    @staticmethod
    def predicted(folder: Path, windows: str) -> Path:
        path = folder / 'predicted'
        path.write_text(f'{{"qid": 1, "vid": "v", "pred_relevant_windows": {windows}}}\n')
        return path

    @pytest.mark.parametrize('predictions, value, sentence', [
        ('[[40, 10]]', '1.0000', 'their times are put in order'),
        ('[["0:10", "0:25"], [NaN, 3]]', '0.5000', 'where a time or its score stands'),
        ('[[10, 160], [0, 150]]', '0.2000', '1 of 2 windows of '),
    ])
    def test_what_is_odd_is_said_and_refused_with_strict(
            self, run: Any, windows: Path, predictions: str, value: str, sentence: str) -> None:
        arguments = ('evaluate', windows, self.predicted(windows.parent, predictions), 'mIoU@1', *self.FORMATS)
        found = run(*arguments)
        assert (found.code, found.out) == (0, f'mIoU@1\t{value}\n')
        assert sentence in found.err
        strict = run(*arguments, '--strict')
        assert (strict.code, strict.out) == (1, '')
        assert sentence in strict.err

    def test_what_is_meant_is_said_and_passes_strict(self, run: Any, windows: Path) -> None:
        windows.write_text(windows.read_text() + '{"qid": 2, "vid": "w", "relevant_windows": []}\n'
                           '{"qid": 3, "vid": "w", "relevant_windows": [[0, 0]]}\n')
        predicted = self.predicted(windows.parent, '[[10, 40]]')
        found = run('evaluate', windows, predicted, 'mIoU@1', *self.FORMATS, '--strict')
        assert (found.code, found.out) == (0, 'mIoU@1\t0.3333\n')
        assert '1 queries have no true windows' in found.err and 'take their lines out for means' in found.err
        found = run('evaluate', windows, predicted, 'mIoU(silence=True)@1', *self.FORMATS, '--strict')
        assert (found.code, found.out) == (0, 'mIoU(silence=True)@1\t1.0000\n')
        assert 'no true windows' not in found.err and '1 windows end where they start' in found.err

    def test_normalised_times(self, run: Any, windows: Path) -> None:
        path = self.predicted(windows.parent, '[[0.1, 0.2]]')
        found = run('evaluate', windows, path, 'mIoU@1', *self.FORMATS, '--normalised')
        assert found.out == 'mIoU@1\t0.5000\n'  # 15 to 30
        assert found.err.endswith(f'times of {path} are taken as parts of the duration, from 0 to 1\n')
        found = run('convert', path, '-', '--from', 'moments', '--to', 'trec', '--normalised')
        assert "the line has no 'duration'" in found.err
        found = run('convert', path, '-', '--from', 'trec', '--to', 'moments', '--normalised')
        assert '--normalised is not for run of trec' in found.err


def test_measures_of_gdeval_take_rows_with_ranks_and_numbered_queries(run: Any, tmp_path: Path) -> None:
    pytest.importorskip('ir_measures.providers.gdeval_provider')
    if not ir_measures.providers.registry['gdeval'].is_available():
        pytest.skip('there is no Perl here')
    judged, found = tmp_path / 'qrels.csv', tmp_path / 'run.csv'
    for query, code, out, words in (('1', 0, 'ERR@10\t0.0625\nMAiSP\t1.0000\n', ''),
                                    ('q1', 1, '', f"{judged}, line 2: the query is 'q1', and gdeval")):
        judged.write_text(f'qid,docno,start,end,relevance\n{query},v,0,10,1\n')
        found.write_text(f'qid,docno,start,end,score\n{query},v,0,10,1\n')
        result = run('evaluate', judged, found, 'ERR@10', 'MAiSP')
        assert (result.code, result.out) == (code, out) and words in result.err


@pytest.mark.parametrize('measure', ['nDCG@10', 'nDCG(dcg="exp-log2")@10', 'P@5'])
def test_grades_that_measures_of_documents_do_not_take(run: Any, tmp_path: Path, measure: str) -> None:
    pytest.importorskip('joblib')
    qrels = [ir_measures.Qrel('1', 'v#t=0,10', 2), ir_measures.Qrel('1', 'v#t=20,30', 2.5)]
    with pytest.raises(ValueError, match=r'the relevance 2\.5 is not a whole number from -1 to 10,000, and '):
        evaluate_runs(measure, qrels, {'a': [ir_measures.ScoredDoc('1', 'v#t=0,10', 1.)]})
    (tmp_path / 'q.csv').write_text('qid,docno,start,end,relevance\n1,v,0,10,2\n1,v,20,30,2.5\n')
    assert f'{tmp_path / "q.csv"}, line 3: the relevance 2.5 is not' in run('evaluate', tmp_path / 'q.csv', GOOD,
                                                                          measure).err


@pytest.mark.parametrize('line', [
    'convert RUN RUN --to trec', 'check RUN --fix RUN', 'view QRELS RUN --out QRELS', 'pool RUN --depth 3 --out RUN',
    'plot queries QRELS SVG OTHER -m MAiSP --out SVG', 'compare QRELS RUN OTHER -m MAiSP --summary QRELS',
    'agree QRELS OTHER --disagreements OTHER', 'cut VTT --length 9 --stride 9 --out VTT'])
def test_no_output_replaces_an_input(run: Any, tmp_path: Path, line: str) -> None:
    pytest.importorskip('scipy')
    paths = {name: tmp_path / f'a.{name.lower()}' for name in ('RUN', 'OTHER', 'QRELS', 'SVG', 'VTT')}
    for name, path in paths.items():
        shutil.copyfile(QRELS if name in ('QRELS', 'VTT') or line.startswith('agree') else GOOD, path)
    before = {name: path.read_bytes() for name, path in paths.items()}
    result = run(*(paths.get(word, word) for word in line.split()))
    assert result.code == 2 and ' is one of the inputs, and would be replaced' in result.err
    assert {name: path.read_bytes() for name, path in paths.items()} == before


def test_swapped_files_are_told(run: Any) -> None:
    qrels, good = sample.path('qrels.txt'), sample.path('good.run')
    said = run('evaluate', good, qrels, 'MAgP')
    assert said.code == 1 and 'looks like a run: are the two swapped? Name the judgements first' in said.err
    said = run('compare', qrels, good, qrels, '-m', 'MAgP')
    assert said.code == 1 and 'looks like judgements: are the two swapped?' in said.err


@pytest.mark.parametrize('command', [('convert', sample.path('good.run'), 'OUT', '--to', 'trec'), (
    'view', sample.path('qrels.txt'), sample.path('good.run'), '--out', 'OUT'), (
    'pool', sample.path('good.run'), '--depth', '2', '--to', 'csv', '--out', 'OUT')])
def test_files_of_other_kinds_are_replaced_by_force_alone(command: Sequence[str], run: Any, tmp_path: Path) -> None:
    path = tmp_path / 'notes.txt'
    path.write_text('my notes\n')
    words = [str(path) if word == 'OUT' else word for word in command]
    said = run(*words)
    assert said.code == 2 and 'of another kind' in said.err and path.read_text() == 'my notes\n'
    assert run(*words, '--force').code == 0
    assert run(*words).code == 0  # it is of this kind now


@pytest.mark.parametrize(('line', 'name', 'content'), [
    ('pool RUN --depth 2 --out OUT', 'c.csv', 'query_id,doc_id,start,end,score\nq1,bees-01,0,9,2\n'),
    ('pool RUN --depth 2 --out OUT', 'c.txt', 'q1 0 bees-01#t=0,9 1\n'),
    ('pool RUN --depth 2 --out OUT', 'c.jsonl', '{"docno": "a", "start": 0, "end": 9, "text": "bees"}\n'),
    ('agree QRELS OTHER --disagreements OUT', 'pool.csv', POOLED),
    ('agree QRELS OTHER --merge union --out OUT', 'pool.csv', POOLED),
    ('agree QRELS OTHER --merge union --out OUT', 'c.csv', 'query_id,doc_id,start,end,score\nq1,bees-01,0,9,2\n'),
    ('agree QRELS OTHER --merge union --out OUT', 'pool.txt', 'q1 0 bees-01#t=0,9 -1\n'),
    ('convert RUN OUT', 'pool.csv', POOLED), ('check RUN --fix OUT', 'my.qrels', 'q1 0 bees-01#t=0,9 1\n'),
    ('view QRELS RUN --out OUT', 'mine.html', '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>mine</title>\n'),
    ('compare QRELS RUN RUN2 -m MAiSP --summary OUT', 'README.md', '# My project\n'),
    ('cut VTT --length 9 --stride 9 --out OUT', 'docs.jsonl', '{"doc_id": "a", "text": "bees"}\n')])
def test_files_of_like_kinds_are_kept(run: Any, tmp_path: Path, line: str, name: str, content: str) -> None:
    for package in ('scipy', 'jinja2'):
        pytest.importorskip(package)
    (tmp_path / 'a.vtt').write_text('WEBVTT\n\n00:00.000 --> 00:10.000\nGood night.\n')
    shutil.copyfile(QRELS, tmp_path / 'other')
    (tmp_path / name).write_text(content)
    paths = {'RUN': GOOD, 'RUN2': sample.path('poor.run'), 'QRELS': QRELS, 'OTHER': tmp_path / 'other',
             'VTT': tmp_path / 'a.vtt', 'OUT': tmp_path / name}
    words = [paths.get(word, word) for word in line.split()]
    said = run(*words)
    assert said.code == 2 and 'of another kind' in said.err and (tmp_path / name).read_text() == content
    assert run(*words, '--force').code == 0
    assert run(*words).code == 0  # it is of this kind now


@pytest.mark.parametrize('judged', ['q 0 x.mp4#t=10,20 1\nq 0 y%20z.mp4#t=30,40 1\n', 'file', 'doc_id'])
@pytest.mark.parametrize('found', ['q Q0 x.mp4#t=10,20 1 2 r\nq Q0 y%20z.mp4#t=30,40 2 1 r\n', 'video', 'doc_id'])
def test_sheets_and_files_of_trec_call_recordings_alike(judged: str, found: str, run: Any, tmp_path: Path) -> None:
    paths = []
    for name, text, value in (('qrels', judged, 'grade'), ('run', found, 'score')):
        paths.append(tmp_path / f'{name}.{"txt" if " " in text else "csv"}')
        paths[-1].write_text(text if ' ' in text else f'query,{text},start,end,{value}\nq,x.mp4,10,20,2\n'
                             'q,y z.mp4,30,40,1\n')
    assert run('evaluate', *paths, 'SegR', 'AP', '--align') == (0, 'SegR\t1.0000\nAP\t1.0000\n', '')


def test_a_folder_in_the_place_of_runs(run: Any, tmp_path: Path) -> None:
    result = run('compare', QRELS, tmp_path, 'MAgP')
    assert result.code == 1 and f'where a file is wanted: name a file, or several as {tmp_path}/*' in result.err
