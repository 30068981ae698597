"""What can be measured and will hardly mean what it should is said, once, and nothing is said of what is right."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ir_segmeasures import (
    ESL,
    T2I_AP,
    AP_bin,
    MAgP,
    MAiSP,
    SegFallout,
    SegmentWarning,
    formats,
    sample,
    segmeasures,
    sh_eval,
    xinfAP,
)
from ir_segmeasures.ids.documents import document_measure_warning
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import collected_warnings

QRELS = [('q', 'rec#t=10,20', 1), ('q', 'rec#t=30,40', 0), ('q', 'other#t=5,9', 1)]
RUN = [('q', 'rec#t=12,18', 3), ('q', 'other#t=1,4', 2), ('q', 'rec#t=50,60', 1)]


def said(qrels: Any, run: Any, measure: Any = T2I_AP) -> list[str]:
    """The sentences of all warnings of an evaluation."""
    judged = pd.DataFrame(qrels, columns=['query_id', 'doc_id', 'relevance'])
    items = pd.DataFrame(run, columns=['query_id', 'doc_id', 'score'])
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        segmeasures.calc_aggregate([measure], judged, items)
    assert all(warning.category is SegmentWarning for warning in found)
    return [str(warning.message) for warning in found]


def test_nothing_is_said_of_what_is_right() -> None:
    assert said(QRELS, RUN) == []
    assert said(QRELS, RUN[2:]) == []  # what finds nothing may be a bad system
    assert said(QRELS, [('q', 'rec#t=12,18', 3), ('else', 'new#t=1,4', 2)]) == []


def test_what_nobody_wants_is_not_looked_for() -> None:
    evaluator = segmeasures.evaluator([T2I_AP], {'q': {'rec#t=10,20': 1}})
    run = SegmentTable.from_run({'q': {'rec.mp4#t=12,18': 1.}})
    for wanted in (False, True):  # and what was not looked for is not remembered as nothing
        with collected_warnings() as outside, collected_warnings(wanted) as found:
            evaluator.calc_aggregate(run)
        assert (len(found), outside) == (wanted, [])


@pytest.mark.parametrize('id, judged', [
    ('rec.mp4#t=12,18', 'rec'), ('videos/rec#t=12,18', 'rec'), ('REC#t=12,18', 'rec'), ('new#t=1,2', 'rec')])
def test_no_document_in_common(id: str, judged: str) -> None:
    sentence, = said(QRELS[:2], [('q', id, 1)])
    assert sentence.startswith(f'none of the 1 documents of the run is among the 1 of the qrels (such as '
                               f'{id.split("#")[0]!r} and {judged!r})')


def test_a_batch_of_one_query() -> None:
    # A system may miss the few judged documents of a query, unless they are there by another name.
    run = [('q', f'other{k}#t=1,2', -k) for k in range(30)]
    assert said(QRELS[:2], run) == []
    assert len(said([*QRELS[:2], ('p', 'rec#t=1,2', 1)], run)) == 1
    assert len(said(QRELS[:2], [*run, ('q', 'videos/REC.mp4#t=1,2', -99)])) == 1


def test_no_query_in_common() -> None:
    sentence, = said(QRELS, [('Q', 'rec#t=12,18', 3)])
    assert sentence.startswith("none of the 1 queries of the run is among the 1 of the qrels (such as 'Q' and 'q')")


@pytest.mark.parametrize('factor, unit', [(1000, 'of the run are milli'), (0.001, 'of the qrels are milli'),
                                          (60, 'of the qrels are minutes'), (1 / 60, 'of the run are minutes')])
def test_another_scale(factor: float, unit: str) -> None:
    run = [(query, f'rec#t={start * factor:.6f},{(start + 6) * factor:.6f}', score)
           for query, start, score in (('q', 12, 3), ('q', 50, 2))]
    sentence, = said(QRELS, run)
    assert sentence.startswith('no item of the run shares content with a judged segment, and the positions of the ')
    assert unit in sentence
    assert f'by a factor of {1000 if factor in (1000, 0.001) else 60} ' in sentence


@pytest.mark.parametrize('side', ['run', 'qrels'])
@pytest.mark.parametrize('change, factor', [
    (lambda times: times * 1000, 1000), (lambda times: times / 60, 60),
    (lambda times: times // 60 + times % 60 / 100, 60)])  # minutes and seconds as M.S, read as decimals
def test_another_scale_of_real_files(change: Any, factor: int, side: str, shared_data: Path) -> None:
    folder = shared_data / 'mediaeval-sh-2014'
    tables = {'qrels': pd.DataFrame(formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search')),
              'run': pd.DataFrame(formats.read_run(folder / 'run-180-60-over.txt.gz', 'sh-search'))}
    tables[side] = tables[side].assign(start=change(tables[side].start), end=change(tables[side].end))
    sentence, = said_of_columns(tables['qrels'], tables['run'][tables['run'].start < tables['run'].end])
    assert sentence.startswith('only ') and f'by a factor of {factor} ' in sentence


@pytest.mark.parametrize('id', ['rec_18_35', 'rec?t=18,35', 'rec#T=18,35', 'rec#track=1&t=18,35', 'rec%23t=18,35'])
def test_ids_that_were_meant_as_segments(id: str) -> None:
    sentence, = said(QRELS, [('q', id, 1)])
    assert sentence.startswith("the qrels have segments, but the 1 rows of the run are whole documents, such as "
                               f"{id!r}, which may be 'rec#t=18,35'")


def test_whole_documents() -> None:
    sentence, = said(QRELS, [('q', 'rec', 1)])
    assert "the 1 rows of the run are whole documents, such as 'rec': write" in sentence
    sentence = said([('q', 'rec', 0)], RUN)[0]
    assert sentence.startswith("the run has segments, but the 1 rows of the qrels are whole documents, such as 'rec'")


def test_a_run_joined_with_itself() -> None:
    sentence, = said(QRELS, [*RUN, *RUN])
    assert sentence.startswith("3 of the 6 items of the run repeat an earlier one of their query, such as 'rec' from "
                               "12 to 18 of query 'q'")
    tied = [(query, id, 1) for query, id, _ in RUN]  # the second of each follows behind the last of the first
    assert said(QRELS, [*tied, *tied]) == [sentence]
    assert said(QRELS, [*RUN, *RUN[:1]]) != []
    assert said(QRELS, [*RUN, *(('q', f'rec#t={k},{k + 3}', 0) for k in range(9)), *RUN[:2]]) == []


def test_a_long_run_joined_with_itself() -> None:
    run = [(f'q{k % 7}', f'rec#t={k},{k + 1}', -k) for k in range(3000)]
    assert said([('q0', 'rec#t=5,9', 1)], run) == []
    sentence, = said([('q0', 'rec#t=5,9', 1)], [*run, *run])
    assert sentence.startswith('3000 of the 6000 items of the run repeat')


def test_nothing_is_relevant() -> None:
    sentence, = said(QRELS, RUN, T2I_AP(rel=2))
    assert sentence.startswith('none of the 3 judgements has a relevance of 2 or more (the highest is 1), so that')


def test_nothing_at_all() -> None:
    assert said(QRELS, [])[0].startswith('the run is empty')
    assert said([], RUN)[0].startswith('the qrels are empty')


def test_as_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        with pytest.raises(SegmentWarning, match='none of the 1 documents'):
            segmeasures.calc_aggregate([T2I_AP], {'q': {'a#t=1,2': 1}}, {'q': {'b#t=1,2': 1}})


def test_the_tool_doubts_what_the_definition_doubts(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / 'qrels').write_text('q 0 v#t=0,10 1\nq 0 v#t=20,30 1\n')
    (tmp_path / 'run').write_text('q Q0 v.mp4#t=0,10 1 1 r\n')
    result = run('evaluate', tmp_path / 'qrels', tmp_path / 'run', "AP_bin(tool='sh_eval')", 'AP_bin', 'AgP_bep')
    assert result.err.count('none of the 1 documents of the run') == 1
    only = {'q': {'v#t=0,10': 0}}, {'q': {'v#t=0,10': 1.}}
    with pytest.warns(SegmentWarning, match='none of the 1 judgements has a relevance of 1 or more'):
        sh_eval.calc_aggregate([AP_bin(tool='sh_eval')], *only)


def test_the_command(run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q 0 rec#t=10,20 1\n')
    items.write_text('q Q0 rec.mp4#t=12,18 1 3 x\n')
    done = run('evaluate', qrels, items, 'T2I_AP', 'AP_over')
    assert (done.code, done.out) == (0, 'T2I_AP\t0.0000\nAP_over\t0.0000\n')
    assert done.err.count('warning: none of the 1 documents of the run') == 1
    done = run('evaluate', qrels, items, 'T2I_AP', '--strict')
    assert (done.code, done.out) == (1, '')
    assert done.err.startswith('ir_segmeasures: none of the 1 documents of the run')


def test_measures_of_documents_asked_of_segments(run: Callable[..., Any], tmp_path: Path) -> None:
    qrels, items = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q 0 rec#t=10,20 1\n')
    items.write_text('q Q0 rec#t=12,18 1 3 x\n')
    done = run('evaluate', qrels, items, 'AP', 'AP_over')
    assert (done.code, done.out) == (0, 'AP\t0.0000\nAP_over\t1.0000\n')
    assert 'warning: AP compares ids, and none of the 1 items of the run is a judged one by its id' in done.err
    done = run('evaluate', qrels, items, 'AP', '--strict')
    assert (done.code, done.out) == (1, '')
    assert run('evaluate', qrels, items, 'NumRet', 'AP_over').err == ''
    items.write_text('q Q0 rec#t=10,20 1 3 x\n')
    assert run('evaluate', qrels, items, 'AP') == (0, 'AP\t1.0000\n', '')
    items.write_text('q Q0 rec 1 3 x\n')
    assert "such as 'rec', so that it is 0" in run('evaluate', qrels, items, 'nDCG@10').err
    qrels.write_text('q 0 other 1\n')
    assert run('evaluate', qrels, items, 'nDCG@10').err == ''  # documents, and none of them found


def test_measures_of_documents_asked_of_a_few_judged_segments() -> None:
    # Of real runs, a handful of segments are judged ones; where all systems return the same segments, many are.
    judged = [('q', f'rec#t={k},{k + 5}') for k in range(50)]
    found = [('q', f'rec#t={k}.5,{k + 2}') for k in range(100)]
    sentence = document_measure_warning('nDCG@10', judged, [*found, *judged[:5]]) or ''
    assert sentence.startswith('nDCG@10 compares ids, and only 5 of the 105 items of the run in judged documents are '
                               "judged ones by their id, such as 'rec#t=0.5,2', so that it says little: ")
    assert document_measure_warning('nDCG@10', judged, [*found, *judged[:6]]) is None
    near = document_measure_warning('nDCG@10', judged, [*found, *judged[:6], ('q', 'rec#t=10.5,15')]) or ''
    assert ' 1 of the 107 items of the run are nearly a judged segment (intersection over union of 0.75 or ' in near
    assert "such as 'rec#t=10.5,15' for 'rec#t=10,15', so that it takes them as not judged: " in near
    assert document_measure_warning('nDCG@10', judged, [*((query, f'x{id}') for query, id in found), judged[0]]) is None


def said_of_columns(qrels: Any, run: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        segmeasures.calc_aggregate([T2I_AP], pd.DataFrame(qrels), pd.DataFrame(run))
    return [str(warning.message) for warning in found]


JUDGED = {'query_id': ['q'], 'doc_id': ['rec'], 'start': [10.], 'end': [20.], 'relevance': [1]}


def test_columns_of_other_names() -> None:
    sentence, = said_of_columns(JUDGED, {'query_id': ['q'], 'doc_id': ['rec'], 'start_time': [11], 'end_time': [15],
                                         'score': [1]})
    assert sentence == ("the documents of the run stand beside columns 'start_time' and 'end_time', which nothing "
                        "reads, so that they are whole documents: name the columns 'start' and 'end'")


def test_columns_of_other_names_beside_the_judgements() -> None:
    # Whole documents that are judged are an error, of which this is the cause.
    judged = {'query_id': ['q'], 'doc_id': ['rec'], 'begin': [10], 'end time': [20], 'relevance': [1]}
    with pytest.warns(SegmentWarning, match="the qrels stand beside columns 'begin' and 'end time', which"), \
            pytest.raises(ValueError, match=r"row 0 of the qrels: .* up to the document's end"):
        segmeasures.calc_aggregate([T2I_AP], judged, {'q': {'rec#t=1,2': 1}})


def test_columns_that_contradict_ids() -> None:
    run = {'query_id': ['q'] * 2, 'doc_id': ['rec#t=11,15', 'rec#t=1,5'], 'start': [11, 2.], 'end': [15, 5.],
           'score': [2, 1]}
    qrels = {'query_id': ['q'], 'doc_id': ['rec#t=10,20'], 'relevance': [1]}
    sentence, = said_of_columns(qrels, run)
    assert sentence.startswith("1 of the 2 segment ids of the run contradict the columns beside them, such as "
                               "'rec#t=1,5' beside start 2 and end 5, and the ids count: ")
    assert said_of_columns(qrels, {**run, 'start': [11, 1.]}) == []
    assert said_of_columns(qrels, {**run, 'start': [11, None]}) == []
    assert said_of_columns(qrels, {**run, 'start': ['no', 'times']}) == []


def test_an_end_that_contradicts_the_length() -> None:
    run = {'query_id': ['q'], 'doc_id': ['rec'], 'start': [11], 'end': [15], 'length': [15], 'score': [2]}
    sentence, = said_of_columns(JUDGED, run)
    assert sentence.startswith('the length of 1 of the 1 rows of the run is not that from start to end, such as 15 '
                               'from 11 to 15 in row 0, and the end counts: ')
    assert said_of_columns(JUDGED, {**run, 'length': [4]}) == []


def test_times_beside_characters() -> None:
    qrels = {'query_id': ['q'], 'doc_id': ['rec#char=10,20'], 'relevance': [1]}
    run = {'query_id': ['q'], 'doc_id': ['rec'], 'start': [11.5], 'end': [15], 'score': [2]}
    sentence, = said_of_columns(qrels, run)
    assert sentence.startswith("1 of the 1 rows of the run have fractions, such as 11.5 to 15 of 'rec', but the qrels "
                               "have 'char' positions, which are whole numbers, so ")
    assert said_of_columns(qrels, {**run, 'start': [11.]}) == []


def test_a_segment_with_two_grades() -> None:
    sentence, = said([*QRELS, ('q', 'rec#t=10,20', 0)], RUN)
    assert sentence.startswith("1 of the 4 judgements are of a segment that is judged with another grade too, such as "
                               "'rec' from 10 to 20 of query 'q' with 1 and 0, and the higher one counts: ")
    assert said([*QRELS, ('other', 'rec#t=10,20', 0)], RUN) == []


def test_a_collection_that_is_too_short() -> None:
    sentence, = said(QRELS, RUN, ESL(D=48))  # 40 of rec, and 9 of other
    assert sentence.startswith('the 2 judged documents have at least 49 together, up to the last judged segment of '
                               'each, but in ESL(D=48) the whole collection is D=48: ')
    assert said(QRELS, RUN, ESL(D=49)) == []


def test_measures_of_rows() -> None:
    qrels = pd.DataFrame([('q', 'shot1', 1, 1), ('q', 'shot2', 0, 1)],
                         columns=['query_id', 'doc_id', 'relevance', 'stratum'])
    for id, measure, start in (('other', xinfAP, 'none of the 1 documents of the run is among the 2 of the qrels'),
                               ('shot1', xinfAP(rel=2), 'none of the 2 judgements has a relevance of 2 or more')):
        with pytest.warns(SegmentWarning, match=start) as found:
            segmeasures.calc_aggregate([measure], qrels, {'q': {id: 1.}})
        assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        segmeasures.calc_aggregate([xinfAP], qrels, {'q': {'shot1': 1.}})


REAL = [('mediaeval-sh-2014/me14sh_search_testSet.qrel', 'mediaeval-sh-2014/run-180-60-over.txt.gz', 'sh-search'),
        ('mediaeval-sh-2014/me14sh_search_testSet.qrel', 'mediaeval-sh-2014/run-180-60-noover.txt.gz', 'sh-search'),
        *(('inex-2010/inex2010.qrels.gz', f'inex-2010/run-{name}.txt.gz', 'inex-fol')
          for name in ('noisy', 'mixed', 'overlap', 'bep')),
        *(('trec-genomics-2007/gold-standard-07.txt.gz', f'trec-genomics-2007/run-ga-{name}.txt.gz', 'genomics')
          for name in ('01', '03')),
        ('trec-genomics-2007/gold-standard-07.txt.gz', None, 'genomics'),
        ('trec-podcasts-2020/2020_test_qrels.list.gz', None, 'podcasts'),
        *((f'moments/{name}.jsonl.gz', None, 'moments') for name in (
            'activitynet-val', 'tacos-test', 'castella-test', 'charades-test', 'qvhighlights-val')),
        ('qvhighlights/val-windows.jsonl.gz', 'qvhighlights/predictions.jsonl.gz', 'moments')]


@pytest.mark.parametrize('qrels, run, format', REAL)
def test_nothing_is_said_of_real_runs(qrels: str, run: str | None, format: str, shared_data: Path) -> None:
    judged = formats.read_qrels(shared_data / qrels, format)
    # What is judged is what is retrieved where there is no run.
    items = formats.read_run(shared_data / run, format) if run else pd.DataFrame(judged).assign(score=1.)
    unit = formats.FORMATS[format].unit
    D = 10 * pd.DataFrame(judged).groupby('doc_id').end.max().sum()
    # What is said depends on the collection's size, and otherwise on the rows alone.
    measures = [T2I_AP] if run == 'inex-2010/run-bep.txt.gz' else [T2I_AP, ESL(D=D), SegFallout(D=D)]
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        assert unit and segmeasures.calc_aggregate(measures, judged, items)


def test_nothing_is_said_of_shots(shared_data: Path) -> None:
    qrels = formats.read_qrels(shared_data / 'trecvid' / 'avs.qrels.main.tv21.gz', 'trecvid-strata')
    run = formats.read_run(shared_data / 'trecvid' / 'run-avs-tv21.txt.gz')
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        assert segmeasures.calc_aggregate([xinfAP], qrels, run)


@pytest.mark.parametrize('name', ['good.run', 'poor.run'])
def test_nothing_is_said_of_the_sample(name: str) -> None:
    qrels, run = formats.read_qrels(sample.path('qrels.txt'), 'trec'), formats.read_run(sample.path(name), 'trec')
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        assert segmeasures.calc_aggregate([T2I_AP, MAgP, MAiSP], qrels, run)
