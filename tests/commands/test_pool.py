"""The command pool: what the library pools, its costs first, and errors with the file and line."""

from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats, sample
from ir_segmeasures.study import pool, pool_text

QRELS, GOOD, POOR, SIZES = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run', 'recordings.tsv'))
RUNS = {'good': formats.read_run(GOOD), 'poor': formats.read_run(POOR)}


@pytest.mark.parametrize(('name', 'format'), [('pool.csv', 'csv'), ('pool.txt', 'trec'), ('pool.jsonl', 'jsonl')])
def test_files_are_those_of_the_library(run: Any, tmp_path: Path, name: str, format: str) -> None:
    settings = {'units': 'atoms', 'by': 'rrf', 'segments': 4, 'margin': 10, 'seed': 3}
    options = [text for key, value in settings.items() for text in (f'--{key}', value)]
    found = run('pool', GOOD, POOR, '--depth', 5, *options, '--judged', QRELS, '--out', tmp_path / name)
    judged = formats.read_qrels(QRELS)
    assert (found.code, found.err) == (0, '')
    assert (tmp_path / name).read_text() == pool_text(pool(RUNS, 5, judged=judged, **settings), format)


def test_costs_come_first(run: Any) -> None:
    found = run('pool', GOOD, POOR, '--depth', 3, '--sizes', SIZES, '--out', '-', '-o', 'trec')
    assert [line.split() for line in found.err.splitlines()[:4]] == [
        ['run', 'units', 'alone', 'length', 'hours', 'share'], ['all', 'runs', '38', '2705.5000', '0.7515', '0.0919'],
        ['good', '23', '15', '1251.1000', '0.3475', '0.0425'], ['poor', '23', '15', '2285.9000', '0.6350', '0.0776']]
    assert len(found.out.splitlines()) == 38
    assert found == run('pool', POOR, GOOD, '--depth', 3, '--sizes', SIZES, '--out', '-', '-o', 'trec')._replace(
        err=found.err)


def test_the_share_is_of_each_file_once(run: Any, tmp_path: Path) -> None:
    for name in 'ab':
        (tmp_path / f'{name}.vtt').write_text('WEBVTT\n\n00:00.000 --> 10:00.000\nGood night.\n')
    (tmp_path / 'mine').write_text('q Q0 a#t=0,60 1 2 x\nq Q0 b#t=0,60 2 1 x\n')
    out = run('pool', tmp_path / 'mine', '--depth', 5, '--lengths', tmp_path, '--out', tmp_path / 'pool.csv').out
    assert out.splitlines()[1].split() == ['all', 'runs', '2', '120', '0.0333', '0.1000']
    assert out.endswith('\nshare: of the collection, once for each query: 0.33 hours\n')


def test_columns_become_segments(run: Any, tmp_path: Path) -> None:
    path = tmp_path / 'sh.run'
    path.write_text('query_1 Q0 v1 0.05 0.45 0.05 1 3.5\n')
    found = run('pool', path, '--depth', 1, '--run-format', 'sh-search', '--out', '-', '-o', 'trec')
    assert found.out == 'query_1 0 v1#t=5,45 -1\n'


def test_cuts_between_sentences(run: Any, tmp_path: Path) -> None:
    (tmp_path / 'd.srt').write_text('1\n00:00:00,000 --> 00:00:12,000\nOne.\n\n'
                                    '2\n00:00:14,000 --> 00:00:29,000\nTwo.\n')
    (tmp_path / 'a.run').write_text('q Q0 d#t=0,30 1 2 a\n')
    found = run('pool', tmp_path / 'a.run', '--depth', 1, '--longest', 20, '--transcripts', tmp_path / 'd.srt', '--out',
                '-', '-o', 'trec')
    assert sorted(found.out.splitlines()) == ['q 0 d#t=0,13 -1', 'q 0 d#t=13,30 -1']


class TestErrors:
    @pytest.mark.parametrize(('line', 'sentence'), [
        ('q Q0 d#t=5,5 1 2 a', 'line 2: query '), ('q Q0 d 1 2 a', 'line 2: query '),
        ('q Q0 d#t=9,5 1 2 a', 'line 2: ')])
    def test_rows_are_named(self, run: Any, tmp_path: Path, line: str, sentence: str) -> None:
        path, out = tmp_path / 'a.run', tmp_path / 'pool.csv'
        path.write_text(f'q Q0 d#t=0,5 1 3 a\n{line}\n')
        found = run('pool', GOOD, path, '--depth', 5, '--out', out)
        assert (found.code, found.out, out.exists()) == (1, '', False)
        assert found.err.startswith(f'ir_segmeasures: {path}, {sentence}')

    @pytest.mark.parametrize(('options', 'sentence'), [
        (('--depth', 3, '--transcripts', 'a.vtt'), '--transcripts only goes with --longest'),
        (('--depth', 3, '--seed', -1), "'-1' is not a seed"),
        (('--depth', 3, '--judged', '-'), '- is standard input, and one file')])
    def test_options(self, run: Any, options: tuple[Any, ...], sentence: str) -> None:
        found = run('pool', '-', *options, '--out', '-')
        assert found.code == 2
        assert sentence in found.err
