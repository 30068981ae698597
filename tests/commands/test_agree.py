"""The command agree: the figures of the library, disagreements and merged judgements as files, errors with lines."""

import base64
import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from ir_measures import ScoredDoc

from ir_segmeasures import formats
from ir_segmeasures.study import agreement_of, merged_judgements, pool, pool_text
from ir_segmeasures.study.tables import render

pytest.importorskip('scipy')

ANN = 'q1 0 talk#t=0,20 1\nq1 0 talk#t=20,60 0\nq2 0 talk#t=0,60 0\nq2 0 talk#t=10,20 2\n'
BEN = 'q1 0 talk#t=0,5 0\nq1 0 talk#t=5,25 1\nq1 0 talk#t=25,60 0\nq2 0 talk#t=0,60 0\nq2 0 talk#t=10,30 1\n'


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    found = [tmp_path / 'ann.qrels', tmp_path / 'ben.qrels']
    for path, text in zip(found, (ANN, BEN)):
        path.write_text(text)
    return found


def judgements(paths: list[Path]) -> dict[str, Any]:
    return {path.stem: formats.read_qrels(path) for path in paths}


@pytest.mark.parametrize('format', ['text', 'csv', 'markdown', 'latex', 'json'])
def test_tables_are_those_of_the_library(run: Any, paths: list[Path], format: str) -> None:
    assert run('agree', *paths, '-o', format) == (0, render(agreement_of(judgements(paths)), format), '')


def test_settings_reach_the_library(run: Any, paths: list[Path]) -> None:
    found = run('agree', *paths, '-c', 'F1', 'kappa', '--rel', 2, '--grades', '--seed', 4, '--extent',
                'judged', '-o', 'json')
    expected = agreement_of(judgements(paths), ['F1', 'kappa'], 2, True, 'judged', seed=4)
    assert json.loads(found.out) == json.loads(render(expected, 'json'))


def test_disagreements_and_one_file_of_both(run: Any, paths: list[Path], tmp_path: Path) -> None:
    table, merged = tmp_path / 'disagreements.csv', tmp_path / 'merged.qrels'
    found = run('agree', *paths, '--disagreements', table, '--merge', 'union', '--out', merged)
    assert (found.code, found.err) == (0, '')
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [(row['query_id'], row['doc_id'], row['ann'], row['ben']) for row in rows] == [
        ('q1', 'talk#t=0,5', '1', '0'), ('q1', 'talk#t=20,25', '0', '1'), ('q2', 'talk#t=20,30', '0', '1')]
    assert [(row.query_id, row.doc_id, row.relevance) for row in formats.read_qrels(merged)] == [
        (row.query_id, row.doc_id, row.relevance) for row in merged_judgements(judgements(paths), 'union')]


@pytest.mark.parametrize(('format', 'name'), [('trec', 'pool.txt'), ('csv', 'pool.csv'), ('jsonl', 'pool.jsonl')])
def test_a_pool_as_the_extent(run: Any, paths: list[Path], tmp_path: Path, format: str, name: str) -> None:
    (tmp_path / name).write_text(pool_text(pool({'a': [ScoredDoc('q1', 'talk#t=0,30', 1)]}, 1), format))
    found = run('agree', *paths, '--extent', tmp_path / name, '-c', 'F1', '-o', 'csv')
    assert found.out.splitlines()[1].startswith('F1,"ann, ben",,0.75,')


def test_saved_files_stand_beside_those_of_trec(run: Any, paths: list[Path], tmp_path: Path) -> None:
    saved, empty = tmp_path / 'judgements-ben.json', tmp_path / 'judgements-cy.json'
    empty.write_text('{"assessor": "Cy", "judgements": []}')
    saved.write_text(json.dumps({'assessor': 'Ben Li', 'judgements': [
        {'query_id': 'q1', 'unit': 'talk#t=0,60', 'grade': 0, 'marks': [{'start': 5, 'end': 25, 'grade': 1}]}]}))
    found = run('agree', paths[0], saved, '-c', 'F1', '-o', 'csv')
    assert (found.code, found.err) == (0, '') and 'F1,"ann, Ben Li",q1,0.75,' in found.out
    (tmp_path / 'pool.txt').write_text('q1 0 talk#t=0,60 -1\nq2 0 talk#t=0,60 -1\n')
    for options, kept in (((), 'is left out'), (('--extent', tmp_path / 'pool.txt'), 'counts as not relevant')):
        out = run('agree', paths[0], saved, '-c', 'F1', *options).out
        assert out.endswith(f'\n\nBen Li did not judge 60 of 120 in length, which {kept}\n')
    assert "'judgements-cy' holds no judgements: leave it out, or" in run('agree', saved, empty).err
    said = run('agree', paths[0], saved, '--from', 'judgements').err
    assert 'ann.qrels, line 1' in said and 'looks like trec: convert it, or' in said
    assert run('convert', saved, tmp_path / 'ben.txt', '--to', 'trec').code == 0


class TestErrors:
    @pytest.mark.parametrize('place', [0, 1])
    def test_rows_are_named(self, run: Any, paths: list[Path], place: int, tmp_path: Path) -> None:
        with paths[place].open('a') as file:
            file.write('q2 0 speech 1\n')
        (tmp_path / 'pool.txt').write_text('q1 0 talk#t=0,30 -1\n')
        for options in ((), ('--extent', tmp_path / 'pool.txt')):
            found = run('agree', *paths, *options, '--disagreements', tmp_path / 'none.csv')
            assert (found.code, found.out, (tmp_path / 'none.csv').exists()) == (1, '', False)
            assert found.err.startswith(f'ir_segmeasures: {paths[place]}, line {5 + place}: ')
            assert "runs to the document's end, which is not known" in found.err

    def test_the_extent_is_named(self, run: Any, paths: list[Path], tmp_path: Path) -> None:
        (tmp_path / 'pool.txt').write_text('q1 0 talk#t=0,30 -1\nq2 0 talk -1\n')
        found = run('agree', *paths, '--extent', tmp_path / 'pool.txt')
        assert found.err.startswith(f'ir_segmeasures: {tmp_path / "pool.txt"}, line 2: ')

    def test_options(self, run: Any, paths: list[Path]) -> None:
        for arguments, sentence in (((paths[0],), 'agreement is between two'),
                                    ((*paths, '--merge', 'union'), '--merge only goes with --out'),
                                    ((*paths, '--out', 'x'), '--out only goes with --merge'),
                                    ((*paths, '--seed', -1), "'-1' is not a seed")):
            found = run('agree', *arguments)
            assert found.code == 2
            assert sentence in found.err


def test_a_mean_may_be_no_whole_number(run: Any, paths: list[Path], tmp_path: Path) -> None:
    found = run('agree', *paths, '--merge', 'mean', '--out', tmp_path / 'merged.qrels')
    assert (found.code, found.err) == (0, '')
    assert (tmp_path / 'merged.qrels').read_text().splitlines()[:2] == ['q1 0 talk#t=0,5 0.5', 'q1 0 talk#t=5,20 1']


def test_one_file_of_all_assessors(run: Any, paths: list[Path], tmp_path: Path) -> None:
    path = tmp_path / 'both.qrels'
    path.write_text(ANN.replace(' 0 talk', ' ann talk') + BEN.replace(' 0 talk', ' ben talk'))
    assert run('agree', path) == run('agree', *paths)
    path.write_text(ANN + BEN.replace('5,25', '25,5'))
    found = run('agree', path)
    assert (found.code, found.err.startswith(f'ir_segmeasures: {path}, line 6: ')) == (1, True)
    assert run('agree', paths[0]).code == 2


def test_a_page_with_a_lane_for_each_assessor(run: Any, paths: list[Path], tmp_path: Path) -> None:
    pytest.importorskip('jinja2')
    (tmp_path / 'nobody.qrels').write_text('q1 0 talk#t=0,60 0\n')
    (tmp_path / 'topics.tsv').write_text('q1\tthe first\nq2\tthe second\n')
    found = run('agree', *paths, tmp_path / 'nobody.qrels', '--page', tmp_path / 'page.html', '--names', 'Ann', 'Ben',
                'nobody', '--queries', tmp_path / 'topics.tsv')
    html = (tmp_path / 'page.html').read_text()
    assert (found.code, found.err) == (0, '')
    packed, = re.findall('id="data">([^<]*)<', html)
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert data['head']['runs'] == ['Ann', 'Ben', 'nobody'] and found.out.startswith('Ann, Ben ')
    assert data['head']['texts'] == ['the first', 'the second']
    assert '<title>Assessors</title>' in html
