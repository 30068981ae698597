"""What a command imports: itself and what it needs, whatever others need."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import commands

NOT_NEEDED = ['numpy.ma', 'pandas', 'pyarrow', 'scipy', 'ir_datasets', 'pyterrier', 'joblib', 'argcomplete']


def test_evaluate_imports_nothing_for_others(tmp_path: Path) -> None:
    qrels, run = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q 0 v#t=0,10 1\nq 0 w#t=0,10 0\n')
    run.write_text('q Q0 v#t=0,10 1 2 r\nq Q0 v#t=10,20 2 1.5 r\n')
    others = [*NOT_NEEDED, *(f'ir_segmeasures.commands.{name}' for name in commands.COMMANDS
                             if name not in ('evaluate', 'measures', 'formats'))]
    program = ('import sys\nfrom ir_segmeasures.commands import main\nmain()\n'
               f'print([name for name in {others} if name in sys.modules])')
    found = subprocess.run([sys.executable, '-c', program, 'evaluate', qrels, run, 'T2I_AP', 'MAiSP', 'AgP', 'AP_bin'],
                           capture_output=True, text=True)
    assert found.stdout.splitlines()[-1:] == ['[]'], found


@pytest.mark.parametrize('args', [[], ['--help'], ['-h', 'cut']])
def test_help_lists_all_commands(args: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit):
        commands.main(args)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if re.match(r' {2}\w', line)] == list(commands.COMMANDS)


@pytest.mark.parametrize('name', commands.COMMANDS)
def test_each_command_has_its_own_help(name: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as end:
        commands.main([name, '--help'])
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert (f'ir_segmeasures {name} ' in out and 'example: ' in out) or name == 'study'
    assert out.count('\n') <= 60


def test_an_unknown_command(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        commands.main(['evalute'])
    assert 'did you mean evaluate?' in capsys.readouterr().err
