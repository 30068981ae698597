"""The benchmarks of chunks as datasets: every span is what its text has there, and names are ids."""

import gzip
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pytest

ir_datasets = pytest.importorskip('ir_datasets', reason='ir_datasets, of the extra datasets, is not installed')

from ir_measures import ScoredDoc  # noqa: E402

from ir_segmeasures import SegR, datasets, parse_segment  # noqa: E402
from ir_segmeasures.formats import FormatError  # noqa: E402
from ir_segmeasures.segments.segment import unquote_id  # noqa: E402

TICK = 'privacy_qa/TickTick%3A%20To%20Do%20List%20with%20Reminder,%20Day%20Planner.txt'


@pytest.fixture
def legal(home: Path, shared_data: Path) -> Path:
    folder, source = home / 'legalbench-rag', shared_data / 'chunks' / 'legalbench-rag'
    (folder / 'benchmarks').mkdir(parents=True)
    for part in ('contractnli', 'privacy_qa'):
        shutil.copy(source / f'{part}.json.gz', folder / 'benchmarks')
    with tarfile.open(source / 'corpus.tar.gz') as texts:
        texts.extractall(folder, filter='data')
    return folder


@pytest.fixture
def chroma(home: Path, shared_data: Path) -> Path:
    return Path(shutil.copytree(shared_data / 'chunks' / 'chunking-evaluation', home / 'chunking-evaluation'))


def check_spans(id: str, answers: list[str]) -> None:
    dataset = datasets.load(id)
    texts = {document.doc_id: document.text for document in dataset.docs_iter()}
    qrels = list(dataset.qrels_iter())
    assert len(qrels) == dataset.qrels_count() == len(answers)
    for qrel, answer in zip(qrels, answers):
        segment = parse_segment(qrel.doc_id)
        assert (segment.unit, texts[segment.document][int(segment.start):int(segment.end)]) == ('char', answer)
    assert len(list(dataset.queries_iter())) == dataset.queries_count() == len({qrel.query_id for qrel in qrels})
    assert datasets.length(id) == sum(map(len, texts.values()))


@pytest.mark.parametrize(('part', 'count'), [('contractnli', 1_389), ('privacy_qa', 453)])
def test_legalbench_rag(part: str, count: int, legal: Path) -> None:
    tests = json.loads(gzip.decompress((legal / 'benchmarks' / f'{part}.json.gz').read_bytes()))['tests']
    answers = [snippet['answer'] for test in tests for snippet in test['snippets']]
    assert len(answers) == count
    check_spans(f'legalbench-rag/{part}', answers)
    names = {unquote_id(document.doc_id) for document in datasets.load(f'legalbench-rag/{part}').docs_iter()}
    assert names >= {snippet['file_path'] for test in tests for snippet in test['snippets']}


def test_names_with_colons_and_blanks(legal: Path) -> None:
    dataset = datasets.load('legalbench-rag/privacy_qa')
    qrels = [qrel for qrel in dataset.qrels_iter() if qrel.doc_id.startswith(f'{TICK}#char=')]
    assert len(qrels) == 25
    assert dataset.docs_store().get(TICK).text.startswith(
        (legal / 'corpus' / 'privacy_qa' / 'TickTick_ To Do List with Reminder, Day Planner.txt').read_text()[:100])
    run = [ScoredDoc(qrel.query_id, qrel.doc_id, 1) for qrel in dataset.qrels_iter()]
    assert ir_measures.calc_aggregate([SegR], dataset.qrels_iter(), run) == {SegR: 1}


def test_chunking_evaluation(chroma: Path) -> None:
    from csv import DictReader
    with open(chroma / 'questions_df.csv', encoding='utf-8', newline='') as file:
        answers = [reference['content'] for row in DictReader(file) for reference in json.loads(row['references'])]
    assert len(answers) == 790
    check_spans('chunking-evaluation', answers)
    assert datasets.load('chunking-evaluation').docs_count() == 5


@pytest.mark.parametrize('part', ['cuad', 'maud'])
def test_what_is_missing_is_named(part: str, home: Path) -> None:
    with pytest.raises(OSError, match=rf'{part}\.json does not exist: download the benchmark from the link at https:'):
        list(datasets.load(f'legalbench-rag/{part}').qrels_iter())


@pytest.mark.parametrize(('change', 'sentence'), [
    (lambda test: test['snippets'][0].update(span=[1, 6]), "question 0: the span 1 to 6 of 'cuad/a: b.txt' is not what "
     'the text has there'),
    (lambda test: test['snippets'][0].update(file_path='cuad/c.txt'), 'is of a text that is not there'),
    (lambda test: test.pop('snippets'),
     r"'tests\[0\]' of record 1 has no 'snippets'"),
])
def test_what_does_not_agree(home: Path, change: Callable[[Any], Any], sentence: str) -> None:
    folder = home / 'legalbench-rag'
    for name in ('benchmarks', 'corpus/cuad'):
        (folder / name).mkdir(parents=True)
    (folder / 'corpus' / 'cuad' / 'a_ b.txt').write_text('Terms of use')
    test = {'query': 'What?', 'snippets': [{'file_path': 'cuad/a: b.txt', 'span': [0, 5], 'answer': 'Terms'}]}
    path = folder / 'benchmarks' / 'cuad.json'
    path.write_text(json.dumps({'tests': [test]}))
    dataset = datasets.load('legalbench-rag/cuad')
    assert [tuple(qrel) for qrel in dataset.qrels_iter()] == [('0', 'cuad/a%3A%20b.txt#char=0,5', 1, '0')]
    change(test)
    path.write_text(json.dumps({'tests': [test]}))
    with pytest.raises(FormatError, match=sentence):
        list(dataset.qrels_iter())


def test_texts_in_pyterrier(legal: Path) -> None:
    pt = pytest.importorskip('pyterrier')
    results = pt.new.ranked_documents([[1.0]]).assign(docno=TICK)
    text = (legal / 'corpus' / unquote_id(TICK).replace(': ', '_ ')).read_bytes().decode()
    for provider in ('irds', 'segments'):
        dataset = pt.get_dataset(f'{provider}:legalbench-rag/privacy_qa')
        for loader in (dataset.text_loader(), dataset.text_loader(fields='text'), pt.text.get_text(dataset, 'text')):
            assert loader(results)['text'].tolist() == [text]
