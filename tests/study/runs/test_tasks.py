"""Runs as folders of Parquet files: written a block at a time, evaluated as the run that they are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import AP_bin, MAiSP, evaluate_runs, formats
from ir_segmeasures.commands import main
from ir_segmeasures.formats import parquet as format

parquet = pytest.importorskip('pyarrow.parquet', reason="pyarrow is not installed: pip install 'ir_segmeasures[scale]'")
pytest.importorskip('joblib', reason="joblib is not installed: pip install 'ir_segmeasures[scale]'")

TREC = 'q1 Q0 v1#t=1,5 1 3 x\nq2 Q0 v1#t=2,5 1 2.5 x\n\nq1 Q0 v2#t=1,9 2 3 x\nq3 Q0 v1#t=3,4 1 1e-3 x\n'


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*arguments: Any) -> str:
        with pytest.raises(SystemExit) as caught:
            main(['convert', *map(str, arguments)])
            raise SystemExit(0)
        return f'{caught.value.code} {capsys.readouterr().err}'
    return run


class TestConvert:
    """The command makes such folders."""

    @pytest.mark.parametrize('block', [1, 2, 100])
    def test_each_query_is_whole_in_one_file(self, block: int, command: Callable[..., str], tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(format, '_BLOCK', block)
        path, out = tmp_path / 'run.txt', tmp_path / 'parts'
        path.write_text(TREC)
        assert command(path, out, '--from', 'trec', '--to', 'parquet', '--parts', 2).startswith('0 ')
        assert sorted(file.name for file in tmp_path.iterdir()) == ['parts', 'run.txt']
        found = {file.name: parquet.read_table(file).to_pylist() for file in out.iterdir()}
        rows = [{'query_id': row.query_id, 'doc_id': row.doc_id, 'score': row.score} for row in formats.read_run(path)]
        assert found == {'0.parquet': [row for row in rows if row['query_id'] != 'q2'], '1.parquet': [rows[1]]}

    def test_a_real_run(self, command: Callable[..., str], tmp_path: Path, shared_data: Path) -> None:
        folder, out = shared_data / 'mediaeval-sh-2014', tmp_path / 'run-180-60-over'
        path = folder / 'run-180-60-over.txt.gz'
        assert 'left out of' in command(path, out, '--from', 'sh-search', '--to', 'parquet', '--parts', 5)
        qrels = formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search')
        whole = evaluate_runs([AP_bin, MAiSP], qrels, path, format='sh-search')
        assert len(list(out.iterdir())) == 5
        assert evaluate_runs([AP_bin, MAiSP], qrels, out).equals(whole)

    @pytest.mark.parametrize(('format', 'lines', 'sentence'), [
        ('sh-search', 'q Q0 v 1.00 2.00 1.00 1 9\nq Q0 w 1.00 2.00 1.00 1 8\n', "rank 1 of 'q' is already in line 1"),
        ('sh-linking', 'q Q0 v 1.00 2.00 1 9 x\nq Q0 w 1.00 2.00 1 8 x\n', "rank 1 of 'q' is already in line 1"),
        ('moments', 2 * '{"qid": 1, "vid": "v", "pred_relevant_windows": [[0, 5, 1]]}\n',
         "query '1' is already in line 1"),
    ])
    def test_what_lines_say_together_is_refused_too(self, format: str, lines: str, sentence: str,
                                                    command: Callable[..., str], tmp_path: Path) -> None:
        path = tmp_path / 'run'
        path.write_text(lines)
        for target in ('trec', 'parquet'):
            assert f'{path}, line 2: {sentence}' in command(path, tmp_path / 'out', '--from', format, '--to', target)
        assert [file.name for file in tmp_path.iterdir()] == ['run']

    def test_a_name_with_a_slash_beside_a_folder_of_parts(self, command: Callable[..., str], tmp_path: Path) -> None:
        path, out = tmp_path / 'run.txt', tmp_path / 'parts'
        path.write_text(TREC)
        (tmp_path / 'parts.part').mkdir()  # of somebody else
        assert command(path, f'{out}/', '--from', 'trec', '--to', 'parquet', '--parts', 2).startswith('0 ')
        assert {file.suffix for file in out.iterdir()} == {'.parquet'}
        assert sorted(file.name for file in tmp_path.iterdir()) == ['parts', 'parts.part', 'run.txt']

    def test_errors_leave_nothing(self, command: Callable[..., str], tmp_path: Path) -> None:
        path, out = tmp_path / 'run.txt', tmp_path / 'parts'
        path.write_text(TREC + 'q1 Q0 v 1 x\n')
        how = ('--from', 'trec', '--to', 'parquet', '--parts', 2)
        assert command(path, out, *how).startswith(f'ir_segmeasures: {path}, line 6: the line has 5 ')
        path.write_bytes(TREC.encode() + b'q\xe9 Q0 v 1 1 x\n')
        assert 'byte 0xE9 is not UTF-8' in command(path, out, *how)
        assert [file.name for file in tmp_path.iterdir()] == ['run.txt']
        out.mkdir()
        assert f'{out} exists, but parts' in command(path, out, *how)
        assert '--parts is 0, but' in command(path, out, *how, '--parts', 0)
        assert '--parts is for --to parquet' in command(path, out, '--from', 'trec', '--to', 'trec', '--parts', 2)
        assert '--parts, which are for runs' in command(path, out, *how, '--kind', 'qrels')
        assert '--round does not go with --parts' in command(path, out, *how, '--round')
        assert 'name a folder' in command(path, '-', *how)
