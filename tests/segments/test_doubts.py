"""What can be measured and will hardly mean what it should is said, once, and nothing is said of what is right."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ir_segmeasures import T2I_AP, AP_over, formats, segmeasures
from ir_segmeasures.segments.doubts import SegmentWarning

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


@pytest.mark.parametrize('id, judged', [
    ('rec.mp4#t=12,18', 'rec'), ('videos/rec#t=12,18', 'rec'), ('REC#t=12,18', 'rec'), ('new#t=1,2', 'rec')])
def test_no_document_in_common(id: str, judged: str) -> None:
    sentence, = said(QRELS[:2], [('q', id, 1)])
    assert sentence.startswith(f'none of the 1 documents of the run is among the 1 of the qrels (such as '
                               f'{id.split("#")[0]!r} and {judged!r})')


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
    assert sentence.startswith("3 of the 6 items of the run repeat the one before, with the same score, such as 'rec' "
                               "from 12 to 18 of query 'q'")


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
    assert 'warning: AP compares ids, and none of the 1 segments of the run is a judged one by its id' in done.err
    done = run('evaluate', qrels, items, 'AP', '--strict')
    assert (done.code, done.out) == (1, '')
    items.write_text('q Q0 rec#t=10,20 1 3 x\n')
    assert run('evaluate', qrels, items, 'AP') == (0, 'AP\t1.0000\n', '')


REAL = [('mediaeval-sh-2014/me14sh_search_testSet.qrel', 'mediaeval-sh-2014/run-180-60-over.txt.gz', 'sh-search'),
        ('mediaeval-sh-2014/me14sh_search_testSet.qrel', 'mediaeval-sh-2014/run-180-60-noover.txt.gz', 'sh-search'),
        *(('inex-2010/inex2010.qrels.gz', f'inex-2010/run-{name}.txt.gz', 'inex-fol')
          for name in ('noisy', 'mixed', 'overlap', 'bep')),
        *(('trec-genomics-2007/gold-standard-07.txt.gz', f'trec-genomics-2007/run-ga-{name}.txt.gz', 'genomics')
          for name in ('01', '03')),
        ('qvhighlights/val-windows.jsonl.gz', 'qvhighlights/predictions.jsonl.gz', 'moments')]


@pytest.mark.parametrize('qrels, run, format', REAL)
def test_nothing_is_said_of_real_runs(qrels: str, run: str, format: str, shared_data: Path) -> None:
    judged = formats.read_qrels(shared_data / qrels, format)
    items = formats.read_run(shared_data / run, format)
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        assert segmeasures.calc_aggregate([T2I_AP, AP_over], judged, items)
