"""The figures of campaigns' programs under their own names: every one that was printed, of each query and of all."""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import official
from ir_segmeasures.segments.warnings import SegmentWarning
from ir_segmeasures.study.official_figures import official_by_query

Lines = Iterator[tuple[str, str, str]]  # the figure, the query or 'all', and what was printed


def fields(path: Path) -> Iterator[list[str]]:
    with (gzip.open if path.suffix == '.gz' else open)(path, 'rt') as file:
        return iter([line.split() for line in file])


def compared(name: str, truth: Path, predictions: Path, printed: Lines, places: int) -> tuple[int, set[str]]:
    """How many figures are equal as far as they were printed; and the names of those that are not computed."""
    queries, means = official_by_query(name, truth, predictions), official(name, truth, predictions)
    n, others = 0, set()
    for figure, query, value in printed:
        found = means if query == 'all' else queries.get(query, {})
        if figure not in found:
            others.add(figure)
            continue
        assert found[figure] == pytest.approx(float(value), rel=1e-12, abs=.5001 * 10 ** -places, nan_ok=True), (
            figure, query)
        n += 1
    return n, others


@pytest.mark.parametrize('qrels, run, figures, places, number', [
    ('me14sh_search_testSet.qrel', 'run-180-60-over.txt.gz', 'expected-180-60-over.tsv', 12, 1272),
    ('me14sh_search_testSet.qrel', 'run-180-60-noover.txt.gz', 'expected-180-60-noover.tsv', 12, 1272),
    ('edge/qrels.txt.gz', 'edge/run.txt.gz', 'edge/expected.tsv.gz', 15, 6192)])
@pytest.mark.filterwarnings('ignore::ir_segmeasures.SegmentWarning')
def test_sh_eval(shared_data: Path, qrels: str, run: str, figures: str, places: int, number: int) -> None:
    folder = shared_data / 'mediaeval-sh-2014'
    lines = ((line[0], line[1], line[2]) for line in fields(folder / figures) if len(line) == 3)
    n, others = compared('sh_eval', folder / qrels, folder / run, lines, places)
    assert n == number
    assert {name.partition('_')[0] for name in others} <= {'runid', 'size', 'tol', 'mark', 'relString'}


def test_anchoring(shared_data: Path) -> None:
    folder = shared_data / 'mediaeval-sh-2015-anchoring'
    lines = ((name, video, value) for name, video, value in fields(folder / 'expected.txt'))
    assert compared('anchoring', folder / 'anchors.qrel', folder / 'anchors.run', lines, 12) == (67, set())


@pytest.mark.parametrize('gold, run, figures, places, number', [
    ('gold-standard-07.txt.gz', 'run-ga-01.txt.gz', 'expected-ga-01.tsv', 8, 148),
    ('gold-standard-07.txt.gz', 'run-ga-03.txt.gz', 'expected-ga-03.tsv', 8, 148),
    ('edge/gold.txt.gz', 'edge/run.txt.gz', 'edge/expected.tsv.gz', 15, 644)])
def test_trecgen2007(shared_data: Path, gold: str, run: str, figures: str, places: int, number: int) -> None:
    folder = shared_data / 'trec-genomics-2007'
    lines = ((name, 'all' if topic == 'MAP' else topic, value)
             for _, name, topic, value in list(fields(folder / figures))[1:])
    assert compared('trecgen2007', folder / gold, folder / run, lines, places) == (number, set())


def test_sample_eval(shared_data: Path) -> None:
    folder = shared_data / 'trecvid'
    lines = ((name, topic, value) for name, topic, value in fields(folder / 'expected-sample_eval.tsv'))
    n, others = compared('sample_eval', folder / 'avs.qrels.main.tv21.gz', folder / 'run-avs-tv21.txt.gz', lines, 4)
    assert (n, others) == (200, set())


@pytest.mark.parametrize('run', ['mixed', 'noisy', 'overlap', 'bep'])
@pytest.mark.filterwarnings('ignore::ir_segmeasures.SegmentWarning')
def test_inex_eval(shared_data: Path, run: str) -> None:
    folder = shared_data / 'inex-2010'
    lines, number = [], 0
    for path in sorted(folder.glob(f'expected-{run}-*.tsv')):
        with open(path, newline='') as file:
            lines += [(f'-{path.stem[-1]} {figure}', query, value) for figure, query, value in csv.reader(
                file, delimiter='\t')]
    files = folder / 'inex2010.qrels.gz', folder / f'run-{run}.txt.gz'
    number, others = compared('inex_eval', *files, iter(lines), 12)
    assert (number, others) == (len(lines), set()) and number > 250


def test_tasks_that_refuse_a_run_are_left_out(shared_data: Path) -> None:
    folder = shared_data / 'inex-2010' / 'micro'
    with pytest.warns(SegmentWarning, match='inex_eval does not accept the run for -f, whose figures are left out: '):
        found = official('inex_eval', folder / 'q.txt', folder / 'contained.run')
    assert {name.partition(' ')[0] for name in found} == {'-t'}
    assert found['-t MAiP'] == pytest.approx(0.24356435643564373)


def test_tvr(shared_data: Path) -> None:
    folder = shared_data / 'moments'
    printed = json.loads((folder / 'tvr-figures.json').read_text())
    found = official('tvr', folder / 'tvr-queries.jsonl.gz', folder / 'tvr-predictions.json.gz')
    assert {name: round(value, 2) for name, value in found.items() if '_by_type' not in name} == {
        f'{task}-{name}': value for task, figures in printed.items() for name, value in figures.items()}
    lines = gzip.decompress((folder / 'tvr-queries.jsonl.gz').read_bytes()).splitlines()
    types = Counter(json.loads(line)['type'] for line in lines)
    assert [name for name in found if '_by_type' in name][:2] == ['VCMR_by_type-v-0.5-r1', 'VCMR_by_type-v-0.5-r5']
    for name in ('VCMR-0.5-r5', 'SVMR-0.7-r1', 'VR-r10'):  # the figure of all is the mean of those of the types
        task, _, figure = name.partition('-')
        assert found[name] * sum(types.values()) == pytest.approx(sum(
            found[f'{task}_by_type-{type}-{figure}'] * number for type, number in types.items()))

    with pytest.raises(ValueError, match='the file of predictions has none of VCMR, SVMR and VR'):
        official('tvr', folder / 'tvr-queries.jsonl.gz', {})


@pytest.mark.parametrize('chunking', ['recursive_400_200', 'token_200_0'])
def test_chunking_evaluation(shared_data: Path, chunking: str) -> None:
    folder = shared_data / 'chunks' / 'chunking-evaluation'
    program = json.loads(gzip.decompress((folder / 'figures.json.gz').read_bytes()))[chunking]
    found = official_by_query('chunking_evaluation', folder / 'questions_df.csv', program)
    expected = program['per_question']
    assert len(found) == len(expected) == 472
    for query, figures in found.items():
        assert figures == pytest.approx(expected[int(query)], abs=1e-12)
    assert official('chunking_evaluation', folder / 'questions_df.csv', program) == pytest.approx(
        program['mean'], abs=1e-9)


@pytest.mark.parametrize('chunking, sentence', [
    ({}, "the file of chunks has no 'chunks'"), ({'chunks': [['t', 0]], 'retrieved': []}, "'chunks[0]' of the file"),
    ({'chunks': [], 'retrieved': []}, "the file of chunks has 0 lists in 'retrieved' for 472 questions"),
    ({'chunks': [], 'retrieved': [[0]] * 472}, "the file of chunks has the chunk 0 in 'retrieved'"),
    ({'chunks': [], 'retrieved': [0] * 472}, "'retrieved[0]' of the file of chunks is 0"),
    ({'chunks': [['t', 5, 0]], 'retrieved': [[]] * 472}, "Segment(document='t', start=5.0, end=0.0")])
def test_chunks_that_the_program_cannot_read(shared_data: Path, chunking: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        official('chunking_evaluation', shared_data / 'chunks' / 'chunking-evaluation' / 'questions_df.csv', chunking)
    assert str(error.value).startswith(sentence)


def test_legalbenchrag(tmp_path: Path) -> None:
    snippets = [{'file_path': 'a b.txt', 'span': [10, 20], 'answer': 'x' * 10}]
    (tmp_path / 'tests.json').write_text(json.dumps({'tests': [{'query': 'q', 'snippets': snippets}]}))
    (tmp_path / 'run').write_text('0 Q0 a%20b.txt#char=0,15 1 2 me\n0 Q0 a%20b.txt#char=10,20 2 1 me\n')
    found = official('legalbenchrag', tmp_path / 'tests.json', tmp_path / 'run')
    assert found == pytest.approx({'precision': 15 / 25, 'recall': 15 / 10})


@pytest.mark.parametrize('name', ['soccer-gmr', 'tvr-ranking'])
@pytest.mark.filterwarnings('ignore::ir_segmeasures.SegmentWarning')
def test_moments_with_grades_and_queries_without_an_answer(name: str, shared_data: Path) -> None:
    folder, ending = shared_data / 'moments' / 'programs', 'jsonl.gz' if name == 'soccer-gmr' else 'json.gz'
    found = official(name.replace('-', '_'), folder / f'{name}-truth.{ending}', folder / f'{name}-predictions.{ending}')
    printed = json.loads((folder / f'{name}-figures.json').read_text())
    assert list(found) == list(printed)
    assert found == pytest.approx(printed, rel=1e-13)


@pytest.mark.parametrize(('name', 'truth', 'predictions', 'sentence'), [
    ('soccer_gmr', [{'qid': 1, 'duration': 9, 'relevant_windows': []}], [{'qid': 1, 'pred_relevant_windows': []}],
     'compares queries with and without'),
    ('tvr_ranking', {}, {'q': []}, 'is not in the truth'), ('tvr_ranking', [], {}, 'the file of the truth is')])
def test_files_without_figures(name: str, truth: Any, predictions: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        official(name, truth, predictions)
