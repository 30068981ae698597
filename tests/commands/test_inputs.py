"""What argparse read ends at the door of a command: behind it there are values and typed requests."""

import ast
import io
import os
import sys
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from ir_segmeasures import commands, sample

FOLDER = Path(commands.__file__).parent
QRELS, GOOD = sample.path('qrels.txt'), sample.path('good.run')


def test_one_function_of_a_command_sees_its_arguments() -> None:
    doors: dict[str, list[str]] = {}
    for path in FOLDER.glob('*.py'):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
                if any(argument.annotation is not None and 'Namespace' in ast.unparse(argument.annotation)
                       for argument in given):
                    doors.setdefault(path.stem, []).append(function.name)
    # ``requests_of`` makes the typed requests of them, for all commands.
    assert doors == {**{name: ['_run'] for name in commands.COMMANDS}, 'options': ['requests_of']}


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

    def test_windows_of_standard_input(self, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        window = b'{"qid": 1, "vid": "v", "pred_relevant_windows": [[-0.5, 4, 2]]}\n'
        monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(window)))
        found = run('convert', '-', '-', '--from', 'moments', '--to', 'trec', '--clip')
        assert (found.code, found.out) == (0, '1 Q0 v#t=0,4 1 2 ir_segmeasures\n')
        assert found.err.startswith('ir_segmeasures: 1 of 1 windows of standard input are cut off at 0')

    def test_the_parser_tells_what_is_wrong_with_the_command_line(self, run: Any) -> None:
        found = run('compare', QRELS, GOOD, '-m', 'SegP', '--top', '0')
        assert (found.code, found.out) == (2, '')
        assert found.err == 'ir_segmeasures compare: error: --top is 0, but it is a number of queries from 1 up\n'


@pytest.mark.parametrize('command, sentence', [
    ('compare q a b --basline a -m MAP', 'compare: error: there is no option --basline: did you mean --baseline?'),
    ('compare q a b --mesure MAP', 'compare: error: there is no option --mesure: did you mean --measure?'),
    ('compare q a b --output_fromat=csv -m MAP',
     'compare: error: there is no option --output-fromat: did you mean --output-format?'),
    ('study agreement q a b --ovre systems -m MAP',
     'agreement: error: there is no option --ovre: did you mean --over?'),
    ('evaluate q a MAP --run-fromat trec',
     'evaluate: error: there is no option --run-fromat: did you mean --run-format'),
    ('--verson', 'ir_segmeasures: error: there is no option --verson: did you mean --version?'),
    ('evaluate q a MAP --zzzz', 'ir_segmeasures: error: unrecognized arguments: --zzzz'),
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

    @pytest.mark.skipif(not os.path.exists('/dev/full'), reason='there is no /dev/full')
    def test_a_full_disk_is_named(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'r'
        path.write_text('q Q0 v#t=0,1 1 1 x\n')
        found = run('convert', path, '/dev/full', '--from', 'trec', '--to', 'trec')
        assert found.err == 'ir_segmeasures: /dev/full: No space left on device\n'

    @pytest.mark.skipif(not os.path.exists('/sys'), reason='there is no folder that nobody can write to')
    @pytest.mark.parametrize('options', [('--to', 'trec'), ('--to', 'parquet', '--parts', '2')], ids=str)
    def test_a_folder_that_cannot_be_written(self, run: Any, options: tuple[str, ...], tmp_path: Path) -> None:
        path = tmp_path / 'r'
        path.write_text('q Q0 v#t=0,1 1 1 x\n')
        found = run('convert', path, '/sys/x', '--from', 'trec', *options)
        assert found.err == ('ir_segmeasures: /sys: no file can be made in this folder: change its permissions, or '
                             'name another\n')
