"""The command release: the folder, the dataset that it becomes, and what is refused with nothing written."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures.commands.inputs import query_texts
from ir_segmeasures.formats import FormatError

pytest.importorskip('ir_datasets')
pytest.importorskip('scipy')

QRELS = 'q1 0 talk#t=0,20 1\nq1 0 talk#t=20,60 0\nq2 0 talk#t=30,50 2\n'


@pytest.fixture
def release(run: Any, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command on files that may be given, and gives its result and the folder."""
    monkeypatch.chdir(tmp_path)

    def release(*options: str, **contents: str) -> tuple[Any, Path]:
        for name, content in {'qrels': QRELS, 'topics': 'q1\tbees\nq2\tbeer\nq3\tbread\n',
                              'lengths': 'talk 300\nchat 100\n', **contents}.items():
            (tmp_path / name).write_text(content)
        given = {'--qrels': 'qrels', '--topics': 'topics', '--lengths': 'lengths', '--out': 'out'}
        files = (word for pair in given.items() for word in pair)
        return run('release', 'my/track', *files, *options), tmp_path / 'out'
    return release


def test_the_folder_is_a_dataset(run: Any, release: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    result, folder = release('--pool', 'pool', '--assessors', 'qrels', 'other', '--formats', 'trec', 'sh-search',
                             pool='q1 0 talk#t=0,60 -1\nq2 0 talk#t=0,80 -1\n',
                             other=QRELS.replace('0,20 1', '0,20 0'))
    names = ['qrels.trec', 'qrels.sh-search', 'topics.tsv', 'documents.txt', 'README.md', 'SHA256SUMS']
    assert (result.code, result.err) == (0, '')
    assert result.out.splitlines() == [os.path.join('out', name) for name in names]
    assert sorted(os.listdir(folder)) == sorted(names)
    assert {*os.listdir()} - {'home'} == {'lengths', 'other', 'out', 'pool', 'qrels', 'topics'}
    assert (folder / 'SHA256SUMS').read_text().splitlines() == [
        f'{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}' for name in names[:-1]]
    assert (folder / 'qrels.trec').read_text() == QRELS
    readme = (folder / 'README.md').read_text()
    assert 'kappa is of the length of the content that the pool has, where what an assessor does not' in readme
    for line in ('| judged topics | 2 |', '| documents | 2 |', '| judgements | 3 |',
                 '| judgements of grade 0 | 1 |', '| relevant spans | 2 |', '| length of the documents | 0.11 hours |',
                 '| units | 2 |', '| qrels, other |'):
        assert line in readme
    command, = (line.split() for line in readme.splitlines() if line.startswith('    '))
    monkeypatch.chdir(folder)
    assert run(*command[1:]).out.startswith('added my/track: 2 docs, 3 queries, 3 qrels;')
    assert run('datasets', 'remove', 'my/track').code == 0  # or later tests knew it
    result = run('check', 'qrels.trec', '--format', 'trec', '--kind', 'qrels')
    assert (result.code, result.out) == (0, 'no violations\n')


def test_assessors_are_called_as_their_saved_files_say(release: Any) -> None:
    saved = ('{"assessor": "Ann Lee", "judgements": [{"query_id": "q1", "unit": "talk#t=0,60", "grade": 0, "marks": '
             '[{"start": 0, "end": 20, "grade": 1}]}]}')
    options = ('--pool', 'pool', '--assessors', 'ann.json', 'qrels')
    contents = {'pool': 'q1 0 talk#t=0,60 -1\nq2 0 talk#t=30,50 -1\n', 'ann.json': saved}
    result, folder = release(*options, **contents)
    assert (result.code, result.err) == (0, '')
    readme = (folder / 'README.md').read_text()
    assert '| Ann Lee, qrels |' in readme
    assert '\nAnn Lee did not judge 20 of 80 in length, which counts as not relevant\n' in readme
    result, folder = release(*options, '--names', 'A', 'B', '--to', 'trec', '--out', 'other', **contents)
    assert result.code == 0 and '| A, B |' in (folder.parent / 'other' / 'README.md').read_text()


@pytest.mark.parametrize(('name', 'content'), [
    ('a.csv', 'Recording;Length (s)\nMy talk 1.mp4;1:40\n'), ('a', 'My talk 1\t100\n'),
    ('a.tsv', 'doc_id\tlength\nMy talk 1\t100\n'), ('a', 'doc_id duration\nMy%20talk%201 100\n')])
def test_names_with_blanks_and_sheets(run: Any, tmp_path: Path, name: str, content: str) -> None:
    for file, text in {name: content, 'qrels.csv': 'query,file,start,end\nq1,My talk 1.mp4,0,20\n',
                       'topics.csv': 'qid,query\nq1,bees\n',
                       'run.csv': 'query,file,start,end\nq1,My talk 1.mp4,90,120\nq2,My talk 1.mp4,0,20\n'}.items():
        (tmp_path / file).write_text(text)
    result = run('release', 'my/track', '--qrels', tmp_path / 'qrels.csv', '--queries', tmp_path / 'topics.csv',
                 '--lengths', tmp_path / name, '--out', tmp_path / 'out')
    assert result.code == 0, result.err
    assert (tmp_path / 'out' / 'documents.txt').read_text() == 'My%20talk%201 100\n'
    assert (tmp_path / 'out' / 'qrels.trec').read_text() == 'q1 0 My%20talk%201#t=0,20 1\n'
    result = run('check', tmp_path / 'run.csv', '--lengths', tmp_path / name, '--queries', tmp_path / 'topics.csv')
    assert 'which is 100 s long' in result.out and "line 3: 'q2' is not among the ids of" in result.out


def test_lengths_of_transcripts(release: Any, tmp_path: Path) -> None:
    (tmp_path / 'texts').mkdir()
    for name, end in (('talk', 5), ('a b', 1)):
        (tmp_path / 'texts' / f'{name}.vtt').write_text(f'WEBVTT\n\n00:00.000 --> 0{end}:00.000\nBees.\n')
    result, folder = release('--lengths', 'texts')
    assert (result.code, result.err) == (0, '')
    assert sorted((folder / 'documents.txt').read_text().splitlines()) == ['a%20b 60', 'talk 300']
    result, folder = release('--lengths', 'texts', '--out', 'longer', qrels=QRELS.replace('30,50', '30,300.4'))
    assert "1 documents are judged beyond their listed end, such as 'talk'" in result.err  # whose recording goes on
    assert 'talk 300.4' in (tmp_path / 'longer' / 'documents.txt').read_text()


@pytest.mark.parametrize(('contents', 'sentence'), [
    ({'topics': 'q1\tbees\n'}, "query 'q2' is judged, but no topic has this id: add its topic"),
    ({'lengths': 'chat 9\n'}, "qrels, line 1: query 'q1', document 'talk': the length of this document is not given"),
    ({'lengths': 'talk 55\n'}, "qrels, line 2: query 'q1', document 'talk': it is judged up to 60, but the length"),
    ({'qrels': QRELS + 'q1 0 talk#t=10,30 1\n'}, 'check finds something in qrels.trec, line 4: warning: 10-30 of'),
    ({'qrels': 'q1 0 talk#t=0,20\n'}, 'qrels, line 1: ')])
def test_nothing_is_written(release: Any, contents: dict[str, str], sentence: str) -> None:
    result, folder = release(**contents)
    assert (result.code, result.out) == (1, '')
    assert sentence in result.err
    assert not folder.exists()
    assert {*os.listdir()} - {'home'} == {'lengths', 'qrels', 'topics'}


def test_saved_judgements_of_assessors_beside_merged_qrels(release: Any) -> None:
    saved = [json.dumps({'assessor': name, 'judgements': [
        {'query_id': 'q1', 'unit': 'talk#t=0,20', 'grade': grade, 'marks': []}]})
        for name, grade in (('Ann', 1), ('Ben', 0))]
    result, folder = release('--from', 'judgements', '--qrels-format', 'trec', '--assessors', 'ann', 'ben',
                             ann=saved[0], ben=saved[1])
    assert (result.code, result.err) == (0, '')
    assert '| Ann, Ben |' in (folder / 'README.md').read_text()


def test_wrong_command_lines(run: Any, release: Any, tmp_path: Path) -> None:
    assert release('--assessors', 'qrels')[0].code == 2
    (tmp_path / 'out').mkdir()
    assert release()[0].code == 2
    assert run('release', 'My Track', '--qrels', 'a', '--topics', 'b', '--lengths', 'c', '--out', 'd').code == 2


def test_texts_of_queries(tmp_path: Path) -> None:
    path = tmp_path / 'queries.tsv'
    path.write_text('q1\tbees\n\nq2\thives\n')
    assert query_texts(str(path)) == {'q1': 'bees', 'q2': 'hives'}
    for lines, sentence in (('q1\tbees\nq1\thives\n', "line 2: query 'q1' is already in line 1"),
                            ('\tbees\n', 'line 1: .* is empty or holds white space')):
        path.write_text(lines)
        with pytest.raises(FormatError, match=sentence):
            query_texts(str(path))
