"""Lines that are counted from 1 and to the last one: options, ids, names of columns, and what the commands say."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ir_segmeasures import formats, with_ids

GOLD = 'query,file,start,end,grade\nf,src/a.py,10,19,1\nf,src/b.py,1,5,1\n'
PREDICTED = 'query,file,start,end,score\nf,src/a.py,15,24,2\nf,src/b.py,5,5,1\n'
LINES = '--lines-from', 1, '--inclusive'
IDS = ('f 0 src/a.py#L10-L19 1\nf 0 src/b.py:1-5 1\n', 'f Q0 src/a.py:15-24 1 2 x\nf Q0 src/b.py#L5 2 1 x\n')


@pytest.mark.parametrize(('qrels', 'found', 'options'), [
    (GOLD, PREDICTED, LINES), (IDS[0], IDS[1], ()), (IDS[0], PREDICTED, LINES), (GOLD, IDS[1], LINES),
    (GOLD.replace('start', 'start_line').replace('end', 'end_line'),
     PREDICTED.replace('start', 'lineStart').replace('end', 'lineEnd'), LINES),
    (GOLD.replace('19,', '20,').replace('5,', '6,'), PREDICTED.replace('24,', '25,').replace('5,5', '5,6'), LINES[:2]),
    (GOLD.replace('10,', '9,').replace('1,5', '0,4').replace('19', '18'),
     PREDICTED.replace('15,24', '14,23').replace('5,5', '4,4'), ('--lines-from', 0, '--inclusive')),
    (*(text.replace('src/a.py:', 'Make:').replace('src/a.py#L', 'Make:').replace('-L', '-').replace('py#L5', 'py:5-5')
       for text in IDS), (*LINES, '--ids', '{doc}:{start}-{end}')),
    (*(text.replace('#L10-L19', '#line=10,19').replace(':15-24', '#line=15,24') for text in IDS), LINES)])
def test_figures(qrels: str, found: str, options: tuple[Any, ...], tmp_path: Path, run: Any) -> None:
    paths = [tmp_path / f'{name}.{"csv" if text.startswith("query") else "txt"}' for name, text in (
        ('qrels', qrels), ('run', found))]
    for path, text in zip(paths, (qrels, found)):
        path.write_text(text)
    result = run('evaluate', '-p', 6, *paths, 'SegR', 'SegP', 'AP', '--align', *options)
    assert (result.out, result.err) == ('SegR\t0.400000\nSegP\t0.545455\nAP\t1.000000\n', '')


def test_other_commands(tmp_path: Path, run: Any) -> None:
    qrels, found, out = tmp_path / 'gold.csv', tmp_path / 'pred.csv', tmp_path / 'out.run'
    qrels.write_text(GOLD)
    found.write_text(PREDICTED)
    run('convert', found, out, '--to', 'trec', *LINES)
    assert [line.split()[2] for line in out.read_text().splitlines()] == ['src/a.py#line=14,24', 'src/b.py#line=4,5']
    assert run('compare', qrels, found, out, '-m', 'SegR', *LINES[2:], '--lines-from', 0).code == 0
    assert run('check', found, '--qrels', qrels, *LINES).out == 'no violations\n'
    qrels.write_text(GOLD.replace('1,5', '0,5'))
    for command in (('check', '--kind', 'qrels', qrels), ('evaluate', qrels, found, 'SegR')):
        result = run(*command, *LINES)
        assert 'line 3: ' in result.out + result.err and 'counted from 1' in result.out + result.err
    frame = pd.DataFrame({'query_id': ['f'], 'doc_id': ['a'], 'score': [1], 'start': [7], 'end': [7]})
    assert with_ids(frame, 'char', inclusive=True)['doc_id'].tolist() == ['a#char=7,8']
    with pytest.raises(ValueError, match='seconds are not counted'):
        with_ids(frame, inclusive=True)
    with pytest.raises(ValueError, match=r'main\.py#L19-L40'):
        formats.read_run(found, table={}, lines_from=1)


def test_what_is_said(tmp_path: Path, run: Any) -> None:
    qrels, found = tmp_path / 'gold.csv', tmp_path / 'pred.csv'
    qrels.write_text(GOLD)
    found.write_text(PREDICTED)
    assert '1 of the 2 items of the run in judged queries end where they start' in run(
        'evaluate', qrels, found, 'SegR').err
    qrels.write_text(GOLD.replace('10,19', '10,10'))
    assert 'no content' in (error := run('evaluate', qrels, found, 'SegR').err) and '--inclusive' in error
    qrels.write_text(GOLD.replace('start', 'start_line').replace('end', 'end_line'))
    assert '--lines-from 1' in run('evaluate', qrels, found, 'SegR').err


def test_context_bench(shared_data: Path, run: Any) -> None:
    folder = shared_data / 'field' / '08-lines'
    result = run('evaluate', '-p', 12, *(folder / f'contextbench-{name}.csv' for name in ('gold', 'predictions')),
                 'SegR', 'SegP', *LINES)
    assert result.out == 'SegR\t0.499262597735\nSegP\t0.600540313528\n'
