"""A name that a run has in another form than the qrels is told with counts, an example and the repair, also where it is
one among others that are right; names that are two things are silent.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest

import ir_segmeasures
from ir_segmeasures import MAiSP, SegmentWarning, formats, quote_id
from ir_segmeasures.segments.warnings import folded_names


def said(judged: list[str], found: list[str], queries: tuple[list[str], list[str]] = ([], [])) -> list[str]:
    """The sentences about a run of these documents, or of these queries."""
    known, asked = queries
    qrels = pd.DataFrame({'query_id': known or ['q'] * len(judged), 'doc_id': judged, 'start': 10., 'end': 20.,
                          'relevance': 1})
    run = pd.DataFrame({'query_id': asked or ['q'] * len(found), 'doc_id': found, 'start': 12., 'end': 18.,
                        'score': range(len(found), 0, -1)})
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter('always')
        ir_measures.calc_aggregate([MAiSP], qrels, run)
    assert all(warning.category is SegmentWarning for warning in heard)
    return [str(warning.message) for warning in heard]


@pytest.mark.parametrize('name, judged', [
    ('b.mp4', 'b'), ('B', 'b'), ('b%20', 'b'), ('rec 7', 'rec 007'), ('a%2Db', 'a-b'), ('talk.vtt', 'talk.mp4'),
    ('TALK.MP4', 'talk')])
@pytest.mark.parametrize('swapped', [False, True])
def test_one_near_name_among_right_ones(name: str, judged: str, swapped: bool) -> None:
    if swapped:
        name, judged = judged, name
    name, judged = quote_id(name) if ' ' in name else name, quote_id(judged) if ' ' in judged else judged
    sentence, = said(['x', 'y', judged], ['x', 'y', 'z', name])
    assert sentence.startswith(f'1 of the 3 judged documents are in the run by another name alone, such as {judged!r} '
                               f'as {name!r}, so that their items count as those of other documents: give both the')


def test_folders_and_other_extensions_take_more_than_one() -> None:
    assert said(['x', 'a', 'b', 'c'], ['x', 'dir/a', 'dir/b', 'dir/c'])[0].startswith('3 of the 4 judged documents')
    assert said(['x', 'y', 'a', 'b', 'other'], ['x', 'y', 'a.txt', 'b.txt'])[0].startswith('2 of the 5 ')
    assert said(['x', 'README'], ['x', 'README.md']) == []
    assert said(['x', 'README'], ['x', 'src/README']) == []


def test_names_that_differ_in_case_alone_in_both_files() -> None:
    assert said(['A', 'a', 'bees', 'WASPS'], ['A', 'a', 'BEES', 'wasps']) == []
    assert said(['A', 'a', 'bees'], ['A', 'BEES'])[0].startswith('1 of the 3 judged documents are in the run by ')


def test_one_folder_that_no_other_name_has() -> None:
    flat = [f'talk{k}' for k in range(12)]
    sentence, = said([*flat, 'bees'], [*flat, 'videos/bees'])
    assert sentence.startswith("1 of the 13 judged documents are in the run by another name alone, such as 'bees' as ")
    assert said([*flat, 'a/bees'], [*flat, 'bees'])[0].startswith('1 of the 13 judged documents')
    assert said([*flat, 'bees'], [*flat, 'src/wasps', 'videos/bees']) == []


def test_names_of_other_documents() -> None:
    assert said(['x', 'b'], ['x', 'b', 'b.mp4']) == []  # the run has it under its name as well
    assert said(['x', 'b'], ['x', 'B', 'b.mp4']) == []  # one of two
    assert said(['x', '1/a', '1/b', '1/c'], ['x', '2/a', '2/b', '2/c']) == []
    assert said(['x', 'vid_1.05'], ['x', 'vid_1.5']) == []
    assert said(['x', 'a10'], ['x', 'a1']) == []
    # One of hundreds is chance.
    others = [f'only here {k}x' for k in range(300)]
    assert said(['x', 'b', *others], ['x', 'B']) == []


@pytest.mark.parametrize('form', [
    '{}_v2', 'bbc:{}', '{}_0003', '{}@1', 'https://videos.org/watch?v={}', 'C:\\videos\\{}.mp4', '{}-' + 'b' * 9])
@pytest.mark.parametrize('swapped', [False, True])
def test_an_addition_to_some_names(form: str, swapped: bool) -> None:
    names = [f'the_talk_{k}x{k * k}' for k in range(12)]
    others = [form.format(name) if k % 3 else name for k, name in enumerate(names)]
    sentence, = said(others, names) if swapped else said(names, others)
    assert sentence.startswith('8 of the 12 judged documents are in the run by another name alone, such as ')


def test_names_that_were_cut() -> None:
    names = [f'a long name, no {k} of {"many" * (1 + k % 3)}' for k in range(12)]
    assert said(names, [name[:len(names[0]) - 2] if k % 2 else name for k, name in enumerate(names)])


def test_additions_that_make_other_names() -> None:
    names = [f'talk{k}' for k in range(1, 9)]
    assert said(['x', *names], ['x', *(f'{name}0' for name in names)]) == []  # other numbers
    assert said(['x', *names], ['x', *(f'{name}a' for name in names[:2])]) == []  # few
    parts = [f'{name}_2' for name in names]
    assert said(['x', *names], ['x', *names[:4], *parts]) == []  # each talk has a second part


@pytest.mark.parametrize('name, judged', [
    ('Caf%C3%A9%2520one', 'Caf\u00e9 one'), ('Cafe\u0301', 'Caf\u00e9'), ('M\u00c3\u00bcller', 'M\u00fcller'),
    ('a\u2013bees', 'a-bees'), ('a-bees', 'a_bees'), ('R&amp;B', 'R&B'), ('"bees"', 'bees'), ('bees,', 'bees')])
def test_encodings_and_signs(name: str, judged: str) -> None:
    assert set(folded_names([name])) == set(folded_names([judged]))


def test_queries() -> None:
    sentence, = said(['x', 'x'], ['x', 'x'], (['q1', 'q2'], ['q1', 'Q02']))
    assert sentence.startswith("1 of the 2 judged queries are in the run by another name alone, such as 'q2' as 'Q02', "
                               'so that their items count as those of other queries: ')


def test_names_in_columns_are_those_of_ids() -> None:
    qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['Lecture 01', 'b'], 'start': 10., 'end': 20., 'relevance': 1})
    run = {'q': {'Lecture%2001#t=10,20': 2., 'b#t=10,20': 1.}}
    assert ir_measures.calc_aggregate([MAiSP], qrels, run) == {MAiSP: 1}
    sentence, = said(['x', 'a:b'], ['x', 'a%3Ab'])
    assert sentence.endswith(': give both the same ids, names by quote_id() of ir_segmeasures')
    assert ir_segmeasures.quote_id('a:b') == 'a%3Ab'


def test_folded_names() -> None:
    assert folded_names(['a/B c.en.vtt', ' Lecture%2001', '07_x', 'v_60.0_9.50', '.x', 'a%0Ab']) == [
        'b c', 'lecture 1', '7 x', 'v 60.0 9.50', '.x', 'a b']


@pytest.mark.parametrize('change', [lambda id: f'{id}.mp4', str.swapcase, lambda id: f'videos/{id}'])
@pytest.mark.parametrize('step', [2, 10])
def test_a_part_of_a_real_run(change: Callable[[str], str], step: int, shared_data: Path) -> None:
    folder = shared_data / 'mediaeval-sh-2014'
    qrels = pd.DataFrame(formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search'))
    run = pd.DataFrame(formats.read_run(folder / 'run-180-60-noover.txt.gz', 'sh-search'))
    renamed = sorted(set(run.doc_id))[::step]
    run['doc_id'] = [change(id) if id in renamed else id for id in run.doc_id]
    judged = len(set(renamed) & set(qrels.doc_id))
    with pytest.warns(SegmentWarning, match=f'^{judged} of the {qrels.doc_id.nunique()} judged documents '):
        ir_measures.calc_aggregate([MAiSP], qrels, run[run.start < run.end])


def test_the_command(run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q 0 a#t=10,20 1\nq 0 b#t=10,20 1\n')
    items.write_text('q Q0 a#t=12,18 1 3 x\nq Q0 b.mp4#t=12,18 2 2 x\n')
    sentence = "1 of the 2 judged documents are in the run by another name alone, such as 'b' as 'b.mp4'"
    assert f'warning: {sentence}' in run('evaluate', qrels, items, 'MAiSP').err
    assert sentence in run('check', items, '--format', 'trec', '--qrels', qrels).out
    strict = run('evaluate', qrels, items, 'MAiSP', '--strict')
    assert strict.code == 1 and strict.err.startswith(f'ir_segmeasures: {sentence}')
