"""Mistakes that can be measured are told, with counts, an example and the repair; nothing is said of right data."""

import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ir_segmeasures import ESL, T2I_AP, MAgP, MAiSP, SegFallout, SegmentWarning, formats, sample, segmeasures, xinfAP
from ir_segmeasures.ids.documents import document_measure_warning

Tables = tuple[pd.DataFrame, pd.DataFrame]


def said(qrels: Any, run: Any, measure: Any = MAiSP) -> list[str]:
    """The sentences about qrels and a run of (query, id or document, maybe start and end, value), or frames."""
    tables = []
    for rows, value in ((qrels, 'relevance'), (run, 'score')):
        times = ['start', 'end'] if isinstance(rows, list) and rows and len(rows[0]) > 3 else []
        tables.append(pd.DataFrame(rows, columns=['query_id', 'doc_id', *times, value]) if isinstance(rows, list)
                      else rows)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter('always')
        segmeasures.calc_aggregate([measure], *tables)
    assert all(warning.category is SegmentWarning for warning in heard)
    return [str(warning.message) for warning in heard]


QRELS = [('q', 'rec#t=10,20', 1), ('q', 'rec#t=30,40', 0), ('q', 'other#t=5,9', 1)]
RUN = [('q', 'rec#t=12,18', 3), ('q', 'other#t=1,4', 2), ('q', 'rec#t=50,60', 1)]
JUDGED = {'query_id': ['q'], 'doc_id': ['rec'], 'start': [10.], 'end': [20.], 'relevance': [1]}
FOUND = {'query_id': ['q'], 'doc_id': ['rec'], 'start': [11.], 'end': [15.], 'score': [1]}
CHARS = [('q', 'rec#char=10,20', 1)]
MISTAKES: dict[str, tuple[Any, ...]] = {  # qrels, run, beginning of the sentence, and maybe the measure
    'other queries': (QRELS, [('Q', 'rec#t=12,18', 3)], "none of the 1 queries of the run is among the 1 of the qrels "
                      "(such as 'Q' and 'q')"),
    **{f'another document, {id}': (QRELS[:2], [('q', f'{id}#t=12,18', 1)], 'none of the 1 documents of the run is '
                                   f"among the 1 of the qrels (such as {id!r} and 'rec')")
       for id in ('rec.mp4', 'videos/rec', 'REC', 'new')},
    'a near name of one': (QRELS[:2], [*(('q', f'other{k}#t=1,2', -k) for k in range(30)), ('q', 'a/REC.mp4#t=1,2', -99)
                                       ], "none of the 31 documents of the run is among the 1 of the qrels (such as "
                           "'a/REC.mp4' and 'rec')"),
    **{f'no segments, {id}': (QRELS, [('q', id, 1)], 'the qrels have segments, but the 1 rows of the run are whole '
                              f"documents, such as {id!r}, which may be 'rec#t=18,35'", T2I_AP)
       for id in ('rec_18_35', 'rec?t=18,35', 'rec#T=18,35', 'rec#track=1&t=18,35', 'rec%23t=18,35')},
    'documents': (QRELS, [('q', 'rec', 1)], "the qrels have segments, but the 1 rows of the run are whole documents, "
                  "such as 'rec': write", T2I_AP),
    'documents judged': ([('q', 'rec', 0)], RUN, 'the run has segments, but the 1 rows of the qrels are whole'),
    'an empty run': (QRELS, [], 'the run is empty'),
    'a run twice': (QRELS, [*RUN, *RUN], "3 of the 6 items of the run repeat an earlier one of their query, such as "
                    "'rec' from 12 to 18 of query 'q'"),
    'qrels twice': ([*QRELS, *QRELS], RUN, "2 of the 6 judgements repeat an earlier one, such as 'rec' from 10 to 20"),
    'two grades': ([*QRELS, ('q', 'rec#t=10,20', 0)], RUN, '1 of the 4 judgements are of a segment that is judged with '
                   "another grade too, such as 'rec' from 10 to 20 of query 'q' with 1 and 0, and the higher one"),
    'low grades': (QRELS, RUN, 'none of the 3 judgements has a relevance of 2 or more (the highest is 1)',
                   T2I_AP(rel=2)),
    'a short collection': (QRELS, RUN, 'the 2 judged documents have at least 49 together', ESL(D=48)),
    'no length': (QRELS, [('q', 'rec#t=12,12', 3)], "all 1 items of the run in judged queries have no length, such as "
                  "'rec' from 12 to 12"),
    'times beside characters': (CHARS, pd.DataFrame({**FOUND, 'start': [11.5]}), '1 of the 1 rows of the run have '
                                "fractions, such as 'rec' from 11.5 to 15"),
    'columns against ids': (QRELS, pd.DataFrame({
        'query_id': ['q'] * 2, 'doc_id': ['rec#t=11,15', 'rec#t=1,5'], 'start': [11, 2.], 'end': [15, 5.],
        'score': [2, 1]}), "1 of the 2 segment ids of the run contradict the columns beside them, such as 'rec#t=1,5' "
        'beside start 2 and end 5, and the ids count'),
    'unread columns': (pd.DataFrame(JUDGED), pd.DataFrame({
        'query_id': ['q'], 'doc_id': ['rec'], 'start_time': [1], 'end time': [2], 'score': [1]}), 'the documents of '
        "the run stand beside columns 'start_time' and 'end time', which nothing reads", T2I_AP),
    'few answers': ([(f'q{k}', 'rec#t=1,5', 1) for k in range(9)], [('q3', 'rec#t=1,5', 1)], 'the run has 1 of the 9 '
                    "judged queries and none for 8, such as 'q0'"),
    'elements in elements': ([('q', f'rec#xpath={path}&t={times}', grade) for path, times, grade in (
        ('/a[1]', '0,90', 1), ('/a[1]/b[1]', '10,20', 1), ('/a[1]/b[10]', '40,50', 0), ('/a[10]', '95,99', 1))], RUN,
        "1 of the 3 relevant judgements lie in another one, such as '/a[1]/b[1]' in '/a[1]' of query 'q'"),
    **{f'{factor:.3g} times': (QRELS, [('q', f'rec#t={12 * factor:.6f},{18 * factor:.6f}', 1)], 'no item of the run '
                               'shares content with a judged segment') for factor in (1000, 1 / 1000, 60, 1 / 60)},
}


@pytest.mark.parametrize('case', MISTAKES)
def test_mistakes(case: str) -> None:
    qrels, run, begin, *measure = MISTAKES[case]
    heard = said(qrels, run, *measure)
    assert heard[0].startswith(begin)
    assert len(heard) == 1 or case == 'documents judged'  # of which none is relevant


RIGHT: dict[str, tuple[Any, ...]] = {
    'all': (QRELS, RUN), 'nothing found': (QRELS, RUN[2:]), 'documents that are not judged': (
        QRELS, [('q', 'rec#t=12,18', 3), ('else', 'new#t=1,4', 2)]),
    'a batch that finds no document': (QRELS[:2], [('q', f'other{k}#t=1,2', -k) for k in range(30)]),
    'some items twice': (QRELS, [*RUN, *(('q', f'rec#t={k},{k + 3}', 0) for k in range(9)), *RUN[:2]]),
    'a segment of two queries': ([*QRELS, ('p', 'rec#t=10,20', 0)], RUN),
    'a long collection': (QRELS, RUN, ESL(D=49)),
    'whole characters': (CHARS, pd.DataFrame(FOUND)),
    'an end beside an open id': (QRELS, pd.DataFrame({**FOUND, 'doc_id': ['rec#t=11,15'], 'end': [None]})),
    'other columns': (QRELS, pd.DataFrame({**FOUND, 'doc_id': ['rec#t=11,15'], 'start': ['none']})),
    'elements beside elements': ([('q', f'rec#xpath=/a[{k}]/b[1]&t={k},{k + 1}', 1) for k in (1, 11)], [
        ('q', 'rec#t=1,2', 1)]),
    'many grades beside one score': ([('q', f'rec#t={k},{k + 1}', 1 + 37 * k % 100) for k in range(100)],
                                     [('q', f'rec#t={k},{k + 2}', 1) for k in range(30)]),
}


@pytest.mark.parametrize('case', RIGHT)
def test_what_is_right(case: str) -> None:
    assert said(*RIGHT[case]) == []


def windows(draw: random.Random) -> tuple[list[Any], list[Any]]:
    """Windows of some queries, each in a video of its own, like those of QVHighlights or of Charades."""
    charades, count = draw.random() < .5, draw.choice((1, 3, 20, 60))

    def window(length: float) -> tuple[float, float]:
        if charades:
            start = draw.uniform(0, length - 2)
            return round(start, 1), round(min(length, start + draw.uniform(1.5, 20)), 1)
        clip = draw.randrange(74)
        return 2. * clip, min(150., 2. * (clip + draw.randint(1, draw.choice((5, 30, 75)))))
    qrels, run = [], []
    for query in range(count):
        video, length = f'vid_{draw.randrange(10 ** 6)}_60.0', draw.uniform(10, 60) if charades else 150
        found = [window(length) for _ in range(draw.choice((1, 5, 10)))]
        judged = {window(length) for _ in range(1 if charades else draw.randint(1, 4))}
        qrels += [(f'{query}', video, *times, 1) for times in judged]
        run += [(f'{query}', video, *times, round(draw.random(), 4)) for times in found]
    return qrels, run


def tiny(draw: random.Random) -> tuple[list[Any], list[Any]]:
    """A few judgements and a system that knows nothing, in two to five documents of up to an hour."""
    lengths = {f'd{k}': draw.choice((60, 300, 3600)) for k in range(draw.randint(2, 5))}

    def segment() -> tuple[str, float, float]:
        document = draw.choice(list(lengths))
        start = round(draw.uniform(0, lengths[document] - 5), 1)
        return document, start, start + draw.choice((5, 30, 120))
    queries = range(draw.randint(1, 8))
    judged = {(f'q{query}', *segment()): draw.choice((1, 1, 2)) for query in queries for _ in range(4)}
    return [(*row, grade) for row, grade in judged.items()], [
        (f'q{query}', *segment(), draw.random()) for query in queries for _ in range(draw.choice((3, 10, 20)))]


@pytest.mark.parametrize('kind, sets', [(windows, 120), (tiny, 40)])
def test_generated_sets_are_silent(kind: Callable[[random.Random], tuple[list[Any], list[Any]]], sets: int) -> None:
    assert {seed: heard for seed in range(sets) if (heard := said(*kind(random.Random(seed))))} == {}


def named(judged: list[str], found: list[str], queries: bool = False) -> list[str]:
    """The sentences about a run of these documents, or of these queries."""
    both = [[(name, 'x') if queries else ('q', name) for name in names] for names in (judged, found)]
    return said([(*row, 10., 20., 1) for row in both[0]], [(*row, 12., 18., -k) for k, row in enumerate(both[1])])


@pytest.mark.parametrize('name, judged', [
    ('b.mp4', 'b'), ('B', 'b'), ('a%2Db', 'a-b'), ('talk.vtt', 'talk.mp4'), ('TALK.en.vtt', 'talk'),
    ('Zu\u0308rich', 'Z\u00fcrich'), ('tal\u200bk', 'talk')])
@pytest.mark.parametrize('queries', [False, True])
@pytest.mark.parametrize('swapped', [False, True])
def test_one_near_name_among_right_ones(name: str, judged: str, queries: bool, swapped: bool) -> None:
    name, judged = (judged, name) if swapped else (name, judged)
    sentence, = named(['x', 'y', judged], ['x', 'y', 'z', name], queries)
    assert sentence.startswith(f'1 of the 3 judged {"queries" if queries else "documents"} are in the run by another '
                               f'name alone, such as {judged!r} as {name!r}')


def test_names_that_look_alike_show_their_code_points() -> None:
    pair = "such as 'Z\u00fcrich' as 'Zu\u0308rich' (U+00FC in the qrels, U+0075 U+0308 in the run), so that"
    assert pair in named(['x', 'Z\u00fcrich'], ['x', 'Zu\u0308rich'])[0]
    assert '(nothing in the qrels, U+200B in the run)' in named(['talk'], ['talk\u200b'])[0]
    assert '(U+0441 in the qrels, U+0063 in the run)' in named(['\u0441ase'], ['case'])[0]  # Cyrillic
    assert named(['x', 'a:b'], ['x', 'a%3Ab'])[0].endswith(': give both the same ids, names by quote_id() of '
                                                           'ir_segmeasures')


@pytest.mark.parametrize('judged, found, told', [
    (['x', 'a', 'b', 'c'], ['x', 'dir/a', 'dir/b', 'dir/c'], 3),
    (['x', 'a', 'b', 'c'], ['x', 'a.txt', 'b.txt', 'c.txt'], 3),
    (['x', 'README'], ['x', 'README.md'], 0), (['x', 'README'], ['x', 'src/README'], 0),
    (['x', '1/a', '1/b', '1/c'], ['x', '2/a', '2/b', '2/c'], 0),  # in two folders
    (['x', 'a.c', 'b.c', 'c.c'], ['x', 'a.h', 'b.h', 'c.h'], 0),
    (['x.py', 'a', 'b', 'c', 'd'], ['x.py', 'x.md', 'a.md', 'b.md', 'c.md'], 0),  # where the extension tells two apart
    (['A', 'a', 'bees', 'WASPS'], ['A', 'a', 'BEES', 'wasps'], 0), (['A', 'a', 'bees'], ['A', 'BEES'], 1),
    (['x', 'b'], ['x', 'b', 'b.mp4'], 0), (['x', 'b'], ['x', 'B', 'b.mp4'], 0),
    (['x', 'vid_1.05'], ['x', 'vid_1.5'], 0), (['x', 'a10'], ['x', 'a1'], 0),
    (['x.mp4'], ['x.mp4', 'y.mkv'], 0), (['src/a.py', 'src/b.py'], ['src/a.py', 'README.md', 'src/b.py'], 0)])
def test_names_that_may_be_two_documents(judged: list[str], found: list[str], told: int) -> None:
    assert [int(sentence.split()[0]) for sentence in named(judged, found)] == [told] * bool(told)


def test_the_commands(run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q 0 a#t=10,20 1\nq 0 b#t=10,20 1\n')
    items.write_text('q Q0 a#t=12,18 1 3 x\nq Q0 b.mp4#t=12,18 2 2 x\n')
    sentence = "1 of the 2 judged documents are in the run by another name alone, such as 'b' as 'b.mp4'"
    done = run('evaluate', qrels, items, 'MAiSP', 'AP_over')
    assert (done.code, done.err.count(f'warning: {sentence}')) == (0, 1)
    assert sentence in run('check', items, '--format', 'trec', '--qrels', qrels).out
    strict = run('evaluate', qrels, items, 'MAiSP', '--strict')
    assert (strict.code, strict.out) == (1, '') and strict.err.startswith(f'ir_segmeasures: {sentence}')
    items.write_text(items.read_text().replace('.mp4', ''))
    items.write_text(''.join(f'q Q0 a#t={rank * 10},{rank * 10 + 5} {rank} 0.{rank:02} x\n' for rank in range(12)))
    assert 'the ranks contradict the scores in 1 of the 1 queries' in run('evaluate', qrels, items, 'T2I_AP').err
    items.write_text(items.read_text().replace(' 0.', ' -0.'))
    assert run('evaluate', qrels, items, 'T2I_AP').err == ''


def test_measures_of_rows() -> None:
    qrels = pd.DataFrame([('q', 'shot1', 1, 1), ('q', 'shot2', 0, 1)],
                         columns=['query_id', 'doc_id', 'relevance', 'stratum'])
    for id, measure, start in (('other', xinfAP, 'none of the 1 documents of the run is among the 2 of the qrels'),
                               ('shot1', xinfAP(rel=2), 'none of the 2 judgements has a relevance of 2 or more')):
        sentence, = said(qrels, [('q', id, 1.)], measure)
        assert sentence.startswith(start)
    assert said(qrels, [('q', 'shot1', 1.)], xinfAP) == []


def test_measures_of_documents_asked_of_segments(run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q 0 rec#t=10,20 1\nq 0 rec#t=60,90 0\n')
    for ids, told in ((['rec#t=12,18'], 'AP compares ids, and none of the 1 items of the run is a judged one by its '
                       "id, such as 'rec#t=12,18', so that it is 0"), (['rec'], "such as 'rec', so that it is 0"),
                      (['rec.mp4#t=10,20'], 'none of the 1 documents of the run is among the 1 of the qrels'),
                      (['rec#t=10,20'], ''), (['rec#t=30,60'], ''), (['rec#t=60,80'], ''),
                      (['rec#t=10,20', 'rec#t=10,18'], ''), (['new', 'rec#t=10,20'], '')):
        items.write_text(''.join(f'q Q0 {id} {rank} {-rank} x\n' for rank, id in enumerate(ids)))
        heard = run('evaluate', qrels, items, 'AP').err
        assert told in heard and bool(told) == bool(heard) and 'repeat[' not in heard
        assert run('evaluate', qrels, items, 'AP', '--strict').code == bool(told)
        assert run('evaluate', qrels, items, 'NumRet').err == ''


def test_measures_of_documents_lose_something() -> None:
    assert 'with_ids()' in (document_measure_warning('AP', [('q', 'v', 1)], [('q', 'v')] * 2) or '')
    assert document_measure_warning('AP', [('q', 'v', 1)], [('q', 'v'), ('q', 'w')]) is None
    judged = [('q', f'rec#t={k * 10},{k * 10 + 10}', 1) for k in range(50)]
    units = [('q', id) for _, id, _ in judged]
    own = [('q', f'rec#t={k * 2},{k * 2 + 1}') for k in range(100)]
    sentence = document_measure_warning('nDCG@10', judged, [*own, *units[:5]]) or ''
    assert sentence.startswith('nDCG@10 compares ids, and only 5 of the 105 items of the run in judged documents are '
                               "judged ones by their id, such as 'rec#t=")
    near = document_measure_warning('nDCG@10', judged, [*units[1:], ('q', 'rec#t=1,10'), ('q', 'rec#t=1,10')]) or ''
    assert ' 1 of the 51 items of the run are nearly a judged segment (intersection over union of 0.75 or ' in near
    assert "such as 'rec#t=1,10' for 'rec#t=0,10', so that it takes them as not judged: " in near
    assert document_measure_warning('nDCG@10', judged, [*units, *own]) is None  # all are there by their ids
    fixed = [('q', f'rec#t={k * 10},{k * 10 + 10}') for k in range(60, 2000)]
    assert document_measure_warning('nDCG@10', judged, [*units[:2], *fixed]) is None  # windows that are judged whole
    assert document_measure_warning('nDCG@10', [(q, id, 0) for q, id, _ in judged], own) is None


def collection(shared_data: Path, folder: str, qrels: str, run: str | None, format: str) -> Tables:
    """The qrels and the run of a collection; what is judged is what is retrieved where there is no run."""
    judged = pd.DataFrame(formats.read_qrels(shared_data / folder / qrels, format))
    return judged, judged.assign(score=1.) if run is None else pd.DataFrame(
        formats.read_run(shared_data / folder / run, format))


REAL = [*(('mediaeval-sh-2014', 'me14sh_search_testSet.qrel', f'run-180-60-{name}.txt.gz', 'sh-search')
          for name in ('noover', 'over')),
        *(('inex-2010', 'inex2010.qrels.gz', f'run-{name}.txt.gz', 'inex-fol')
          for name in ('noisy', 'mixed', 'overlap', 'bep')),
        *(('trec-genomics-2007', 'gold-standard-07.txt.gz', run, 'genomics')
          for run in ('run-ga-01.txt.gz', 'run-ga-03.txt.gz', None)),
        ('trec-podcasts-2020', '2020_test_qrels.list.gz', None, 'podcasts'),
        *(('moments', f'{name}.jsonl.gz', None, 'moments') for name in (
            'activitynet-val', 'tacos-test', 'castella-test', 'charades-test', 'qvhighlights-val')),
        ('qvhighlights', 'val-windows.jsonl.gz', 'predictions.jsonl.gz', 'moments')]


@pytest.mark.parametrize('files', REAL)
def test_nothing_is_said_of_real_runs(files: Any, shared_data: Path) -> None:
    judged, items = collection(shared_data, *files)
    D = 10 * judged.groupby('doc_id').end.max().sum()
    for measure in [T2I_AP] if 'run-bep.txt.gz' in files else [T2I_AP, ESL(D=D), SegFallout(D=D)]:
        assert said(judged, items, measure) == []


def test_nothing_is_said_of_shots(shared_data: Path) -> None:
    qrels = formats.read_qrels(shared_data / 'trecvid' / 'avs.qrels.main.tv21.gz', 'trecvid-strata')
    run = formats.read_run(shared_data / 'trecvid' / 'run-avs-tv21.txt.gz')
    assert said(pd.DataFrame(qrels), pd.DataFrame(run), xinfAP) == []


@pytest.mark.parametrize('name', ['good.run', 'poor.run'])
def test_nothing_is_said_of_the_sample(name: str) -> None:
    qrels, run = formats.read_qrels(sample.path('qrels.txt'), 'trec'), formats.read_run(sample.path(name), 'trec')
    for measure in (T2I_AP, MAgP, MAiSP):
        assert said(pd.DataFrame(qrels), pd.DataFrame(run), measure) == []


@pytest.fixture(scope='module', params=[REAL[0], REAL[6], REAL[-1]], ids=lambda files: files[0])
def tables(request: pytest.FixtureRequest, shared_data: Path) -> Tables:
    """The qrels and the run of a real collection."""
    qrels, run = collection(shared_data, *request.param)
    return qrels.astype({'start': float, 'end': float}), run[run.start < run.end].astype({'start': float, 'end': float})


def scaled(table: pd.DataFrame, factor: float) -> pd.DataFrame:
    return table.assign(start=table.start * factor, end=table.end * factor)


@pytest.mark.parametrize('side', [0, 1])
@pytest.mark.parametrize('factor', [1000, 1 / 1000, 60, 1 / 60, 24, 25, 30])
def test_another_unit_of_a_whole_side(factor: float, side: int, tables: Tables) -> None:
    if tables[0].start.max() > 1e5:
        pytest.skip('characters have one unit')
    both = list(tables)
    both[side] = scaled(both[side], factor)
    sentence, = said(*both)
    assert 'give both in one unit, by a factor of ' in sentence
    assert factor < 60 or f'by a factor of {factor:g} ' in sentence
    assert said(*(scaled(table, factor) for table in tables)) == []  # in one unit


def test_other_extents_are_no_other_unit(tables: Tables) -> None:
    qrels, run = tables
    for part in (scaled(run, 2), scaled(run, 1 / 3), run.assign(start=0., end=run.end.clip(upper=40))):
        assert said(qrels, part.drop_duplicates(['query_id', 'doc_id', 'start', 'end'])) == []
    for limit in (30, 120):
        cut = qrels[qrels.start < limit - 10].assign(end=lambda rows, limit=limit: rows.end.clip(upper=limit))
        if len(cut) and not cut.end.max() < 10:
            heard = said(cut.drop_duplicates(['query_id', 'doc_id', 'start', 'end']), run)
            assert not any('unit' in sentence for sentence in heard)


@pytest.mark.parametrize('change', [lambda id: f'{id}.mp4', str.swapcase, lambda id: f'videos/{id}'])
@pytest.mark.parametrize('step', [2, 10])
def test_names_of_a_part(change: Callable[[str], str], step: int, shared_data: Path) -> None:
    qrels, run = collection(shared_data, *REAL[0])
    renamed = sorted(set(run.doc_id))[::step]
    run['doc_id'] = [change(id) if id in renamed else id for id in run.doc_id]
    sentence, = said(qrels, run)
    assert sentence.startswith(f'{len(set(renamed) & set(qrels.doc_id))} of the {qrels.doc_id.nunique()} judged docu')


def test_rankings_upside_down(tables: Tables) -> None:
    qrels, run = tables
    distinct = run.score + run.groupby('query_id').score.rank(method='first') / 1e6
    run = run.drop(columns='rank').assign(score=distinct)
    assert said(qrels, run[::-1]) == said(qrels, run.sample(frac=1, random_state=1)) == []
    distances = run.assign(score=1 / (2 + run.score - run.score.min()))
    ranks = run.assign(score=run.groupby('query_id', sort=False).cumcount() + 1)
    for wrong in (distances, distances.sample(frac=1, random_state=5), ranks, ranks[::-1]):
        sentence, = said(qrels, wrong)
        assert ' queries of the run that were looked at are upside down, such as from ' in sentence
    for seed in range(3):  # systems that know nothing
        chance = pd.Series(range(len(run)), run.index).sample(frac=1, random_state=seed).to_numpy()
        assert said(qrels, run.assign(score=chance)) == []


def test_ranks_against_scores(tables: Tables) -> None:
    qrels, run = tables
    run = run.assign(rank=run.groupby('query_id', sort=False).score.rank(method='first', ascending=False))
    run = run.sample(frac=1, random_state=1)
    assert said(qrels, run) == said(qrels, run.assign(rank='none')) == said(qrels, run.assign(rank=None)) == []
    distances = 1 / (2 + run.score - run.score.min())
    assert said(qrels, run.assign(score=distances))[0].startswith('the ranks of the run contradict the scores in ')
    anew = pd.Series(range(len(run))).sample(frac=1, random_state=2).to_numpy()  # by a later step
    assert not any('ranks' in sentence for sentence in said(qrels, run.assign(score=anew)))


def test_other_mistakes_of_whole_files(tables: Tables) -> None:
    qrels, run = tables
    queries, count = sorted(set(qrels.query_id) & set(run.query_id)), qrels.query_id.nunique()
    assert said(qrels, run[run.query_id.isin(queries[:3])])[0].startswith(f'the run has 3 of the {count} judged quer')
    assert said(qrels, run[run.query_id.isin(queries[:count // 2 + 1])]) == []
    assert any(f' of the {2 * len(run)} items of the run repeat' in sentence for sentence in said(
        qrels, pd.concat([run, run], ignore_index=True)))
    judged = run.assign(relevance=run.groupby('query_id').score.rank()).drop(columns='score')
    found = qrels.assign(score=qrels.relevance.clip(upper=3)).drop(columns='relevance')
    assert any('the run and the qrels seem to be swapped' in sentence for sentence in said(judged, found)) == (
        judged.relevance.nunique() >= 20)
