"""Experiments and tuning: what is doubtful is said once and of which system, any measure may be tuned on."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest

from ir_segmeasures import ESL, ESLRF, T2I_MAP, MAgP, MAiSP, SegmentTable, SegmentWarning, SegR, formats, sample

pt = pytest.importorskip('pyterrier')
S = pt.segments

TOPICS = S.read_topics(sample.path('queries.tsv'))
QRELS = S.read_qrels(sample.path('qrels.txt'))
GOOD, POOR = (S.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor'))
RENAMED = GOOD.assign(docno=GOOD.docno.str.replace('#', '.mp4#'))
WRONG = GOOD.assign(docno=GOOD.docno.where(GOOD.index != 5, 'bees-01#t=9,3'))


def said(call: Callable[[], Any]) -> tuple[Any, list[str]]:
    """The result of a call and the sentences of all warnings about segments."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        result = call()
    return result, [str(warning.message) for warning in found if issubclass(warning.category, SegmentWarning)]


def pipelines(**runs: pd.DataFrame) -> dict[str, Any]:
    return {name: pt.Transformer.from_df(run) for name, run in runs.items()}


@pytest.mark.parametrize('plan', ['linear', 'tree'])
@pytest.mark.parametrize('topics', [TOPICS, TOPICS[2:], TOPICS.sort_values('query')], ids=['all', 'some', 'mixed'])
def test_a_doubt_comes_once_for_a_system_of_the_host_s_experiment(plan: str, topics: pd.DataFrame) -> None:
    judged = QRELS[~QRELS.qid.isin(['q4'])]
    systems = list(pipelines(first=RENAMED, good=GOOD, second=RENAMED[::2]).values())
    pt.Evaluate(GOOD, QRELS, [MAiSP])  # all queries, then batches
    for _ in range(2):
        _, sentences = said(lambda: pt.Experiment(
            systems, topics, judged, [MAiSP], batch_size=1, plan=plan, verbose=False))
        assert len(sentences) == 2
        assert all('documents of the run is among' in sentence for sentence in sentences)


@pytest.mark.parametrize('batch_size', [None, 1, 3])
@pytest.mark.parametrize('frames', [False, True])
def test_a_doubt_comes_once_with_its_system(batch_size: int | None, frames: bool) -> None:
    systems = {'good': GOOD, 'bad': RENAMED} if frames else pipelines(good=GOOD, bad=RENAMED)
    table, sentences = said(lambda: S.experiment(systems, TOPICS, QRELS, [MAiSP], batch_size=batch_size))
    sentence, = sentences
    assert sentence.startswith("run 'bad': none of the 19 documents of the run is among the 20 of the qrels")
    assert table.MAiSP.tolist() == pt.Experiment(systems, TOPICS, QRELS, [MAiSP]).MAiSP.tolist()


@pytest.mark.parametrize('plan', ['linear', 'tree'])
@pytest.mark.parametrize('batch_size', [None, 2])
def test_measures_of_documents_beside_ours_are_warned_of(plan: str, batch_size: int | None) -> None:
    systems = {**pipelines(poor=POOR), 'aligned': pt.Transformer.from_df(POOR) >> S.align(QRELS)}
    table, sentences = said(lambda: pt.Experiment(
        systems, TOPICS, QRELS, ['map', MAiSP], plan=plan, batch_size=batch_size, verbose=False))
    assert table['map'][0] == 0 < table['map'][1]
    sentence, = sentences
    assert re.match(r"run 'poor': AP compares ids, and none of the \d+ items .* with align\(\)", sentence)
    assert said(lambda: pt.Experiment(systems, TOPICS, QRELS, ['num_ret', MAiSP], verbose=False))[1] == []


def test_columns_are_built_once_for_a_system(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    read = SegmentTable.from_columns
    monkeypatch.setattr(SegmentTable, 'from_columns', lambda columns, *args: built.append(columns.kind) or read(
        columns, *args))
    pt.Experiment(pipelines(good=GOOD, poor=POOR), TOPICS, QRELS, [MAiSP, SegR, ESLRF(D=2945)@5], verbose=False)
    assert sorted(built) == ['qrels', 'qrels', 'run', 'run']


@pytest.mark.parametrize('plan', ['linear', 'tree'])
@pytest.mark.parametrize('batch_size', [None, 2])
def test_a_bad_row_is_reported_with_its_system(plan: str, batch_size: int | None) -> None:
    systems = list(pipelines(a=GOOD, b=WRONG).values())
    with pytest.raises(ValueError, match=r"row \d+ of the run: run 'b': segment id 'bees-01#t=9,3' ends before it"):
        S.experiment(systems, TOPICS, QRELS, [MAiSP], names=['a', 'b'], plan=plan, batch_size=batch_size, verbose=False)


def test_every_name_of_a_measure_is_known() -> None:
    measures = ['MAiSP', "MAiSP(user='ret')", 'ndcg_cut_10', 'MAP_bin']
    table = S.experiment([GOOD], TOPICS, QRELS, measures, names=['good'], round={'MAiSP': 2, 'MAP_bin': 1})
    assert set(table.columns) == {'name', 'ndcg_cut_10', 'MAP_bin', "MAiSP(user='ret')", 'MAiSP'}
    value = MAiSP.calc_aggregate(*map(pt.model.to_ir_measures, (QRELS, GOOD)))
    assert table.MAiSP[0] == round(value, 2) != value
    with pytest.raises(ValueError, match="nor trec_eval knows the measure 'MAiSPP': did you mean MAiSP"):
        S.experiment([GOOD], TOPICS, QRELS, ['MAiSPP'])
    with pytest.raises(ValueError, match="knows the measure 'xyz': give one"):
        S.experiment([GOOD], TOPICS, QRELS, 'xyz')


def test_the_settings_of_an_experiment(tmp_path: Path) -> None:
    systems = pipelines(good=GOOD, poor=POOR)
    measures = [MAiSP, ESLRF(D=2945)@5]
    for settings in ({'baseline': 'poor'}, {'perquery': True}, {'dataframe': False}):
        ours, theirs = (run(systems, TOPICS, QRELS, measures, **settings) for run in (S.experiment, pt.Experiment))
        assert ours.equals(theirs) if isinstance(ours, pd.DataFrame) else ours == theirs
    for _ in range(2):  # the second time, the results are read from the files
        table = S.experiment(systems, TOPICS, QRELS, measures, save_dir=str(tmp_path), save_mode='reuse')
        assert table.equals(pt.Experiment(systems, TOPICS, QRELS, measures))


def test_topics_with_documents_are_named_as_the_cause() -> None:
    topics = TOPICS.assign(doc_id='bees-01', start=0, end=9)  # as ir_datasets has anchors
    with pytest.raises(ValueError, match=r"the run has several columns 'doc_id', as where topics that have it too, "
                       r"such as the anchors of irds:, were merged with results: give .*get_dataset\('segments:…'\)"):
        pt.Experiment(pipelines(good=GOOD), topics, QRELS, [MAiSP])


# The results of one query, which gaps join more and more of.
MERGED = pd.DataFrame([('q', 'v#t=0,20', 3, 0), ('q', 'v#t=30,40', 2, 1), ('q', 'v#t=60,80', 1, 2)],
                      columns=['qid', 'docno', 'score', 'rank'])
ONE_TOPIC = pd.DataFrame([('q', 'bees')], columns=['qid', 'query'])
JUDGED = pd.DataFrame([('q', 'v#t=25,45', 1)], columns=['qid', 'docno', 'label'])


class TestGridSearch:
    def search(self, measure: Any, **settings: Any) -> tuple[Any, Any]:
        merge = S.merge(gap=5)
        pipeline = pt.Transformer.from_df(MERGED) >> merge
        return merge, S.grid_search(pipeline, {merge: {'gap': [10, 0, 20]}}, ONE_TOPIC, JUDGED, measure, **settings)

    # 0-80 covers all that is relevant, and 30-40 alone starts near it. No id is a judged one: the first value stays.
    @pytest.mark.parametrize('measure, gap', [
        (SegR, 20), ('SegR', 20), (ESL(D=1000)@1, 0), (ESLRF(D=1000)@1, 0), ('P_1', 10), (ir_measures.P@1, 10)])
    def test_the_best_is_set(self, measure: Any, gap: int) -> None:
        merge, tuned = self.search(measure)
        assert merge.gap == gap
        assert tuned(ONE_TOPIC).equals((pt.Transformer.from_df(MERGED) >> S.merge(gap=gap))(ONE_TOPIC))

    def test_settings_that_change_nothing(self) -> None:
        other = S.merge()
        with pytest.warns(SegmentWarning, match=re.escape('all 2 settings of merge() have the same mean of SegR')):
            S.grid_search(pt.Transformer.from_df(MERGED), {other: {'gap': [0, 20]}}, ONE_TOPIC, JUDGED, SegR)

    def test_what_comes_back(self) -> None:
        merge, (value, setting) = self.search(SegR, return_type='best_setting')
        assert (merge.gap, value, setting) == (5, 1., [(merge, 'gap', 20)])
        merge, (pipeline, value, setting) = self.search(SegR, return_type='both', batch_size=1)
        assert (merge.gap, value, setting) == (20, 1., [(merge, 'gap', 20)])
        assert isinstance(pipeline, pt.Transformer)

    def test_what_is_refused_leaves_the_pipeline_as_it_was(self) -> None:
        merge = S.merge(gap=5)
        pipeline = pt.Transformer.from_df(MERGED) >> merge
        for params, measure, settings, sentence in (
                ({merge: {'gap': [0, -1]}}, SegR, {}, 'gap=-1: the largest distance'),
                ({merge: {'gaps': [0]}}, SegR, {}, 'gaps'),
                *(({of: given}, SegR, {}, 'parameters with a list of values each') for of, given in (
                    (merge, {'gap': 5}), (merge, {'gap': '5'}), (merge, {'gap': []}), (merge, [5]),
                    ('merge', {'gap': [5]}))),
                ({merge: {'gap': [0]}}, [SegR], {}, 'is not one measure with one mean: tune on one'),
                ({merge: {'gap': [0]}}, 'mrt', {}, "'mrt' is not one measure with one mean"),
                ({merge: {'gap': [0]}}, SegR, {'return_type': 'all'}, "return_type='all': what comes back is")):
            with pytest.raises(ValueError, match=re.escape(sentence)):
                S.grid_search(pipeline, params, ONE_TOPIC, JUDGED, measure, **settings)
            assert merge.gap == 5


@pytest.mark.parametrize('plan', ['linear', 'tree'])
@pytest.mark.parametrize('batch_size', [None, 3])
def test_values_are_those_of_ir_measures(plan: str, batch_size: int | None) -> None:
    measures = [T2I_MAP(tau=15), MAgP, pt.segments.MAiSP, ESLRF(D=2945)@5]
    systems = pipelines(good=GOOD.assign(extra='x'), poor=POOR)
    table = pt.Experiment(systems, TOPICS, QRELS, measures, perquery=True, plan=plan, batch_size=batch_size,
                          validate='error', verbose=False)
    assert len(table) == 2 * 10 * 4
    for name in systems:
        expected = {(m.query_id, str(m.measure)): m.value for m in ir_measures.iter_calc(
            measures, formats.read_qrels(sample.path('qrels.txt')), formats.read_run(sample.path(f'{name}.run')))}
        rows = table[table['name'] == name]
        assert dict(zip(zip(rows.qid, rows.measure), rows.value)) == pytest.approx(expected)


class TestCheckMeasures:
    @pytest.mark.parametrize('measures', [['map'], [MAiSP, 'map', 'ndcg'], [ir_measures.P@5, MAgP]])
    def test_segments_of_a_system_are_warned_of(self, measures: list[Any]) -> None:
        _, sentences = said(lambda: [S.check_measures(measures, QRELS, run) for run in (GOOD, POOR)])
        # More than 1 in 20 of the good run's items in judged documents is a judged segment.
        near, sentence = sorted(sentences)
        assert 'compares ids, and 7 of the 189 items of the run are nearly a judged segment (' in near
        assert re.match(r"(AP|P@5) compares ids, and none of the 200 items .* such as 'bees-01#t=0,90', so that it is "
                        r'0: .* align\(\) .*, or measure documents with to_documents\(\)$', sentence)

    def test_the_repairs_need_none(self) -> None:
        documents = S.to_documents()
        for repair, judged in ((S.align(QRELS), QRELS), (documents, documents(QRELS))):
            _, sentences = said(lambda: S.check_measures(['map', 'ndcg'], judged, repair(POOR)))  # noqa: B023
            assert sentences == []
