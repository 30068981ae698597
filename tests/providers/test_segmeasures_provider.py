"""The provider inside ir-measures: routing, every shape of input, every judged query, beside other providers."""

import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pandas as pd
import pytest
from ir_measures import AP, ERR, Judged, P, Qrel, ScoredDoc, nDCG

import ir_segmeasures
from ir_segmeasures import (
    ESL,
    ESLRF,
    I3_R,
    T2I_AP,
    T2I_MAP,
    AgP,
    AiSP,
    IoU_R,
    MAiSP,
    SegmentTable,
    formats,
    gP,
    iSP,
    segmeasures,
    with_ids,
)
from ir_segmeasures.measures import SegmentMeasure

QRELS = [('q1', 'v1', 15, 25, 1), ('q1', 'v1', 30, 35, 2), ('q1', 'v2', 0, 9, 0), ('q2', 'v1', 0, 10, 1),
         ('q3', 'v3', 5, 6, 0)]
RUN = [('q1', 'v1', 0, 20, 3.0), ('q1', 'v1', 20, 40, 2.0), ('q1', 'v9', 0, 5, 2.0), ('q2', 'v1', 5, 8, 0.5),
       ('q2', 'v1', 5, 8, 0.25), ('q3', 'v3', 5, 6, 1.0), ('q4', 'v1', 0, 9, 1.0)]
MEASURES = [T2I_AP(tau=15), ESL(D=1000)@1, ESLRF(D=1000), AiSP, AiSP(user='ret'), AgP, AgP(beta=0.25), gP@1,
            T2I_AP(rel=2)]


class TimedQrel(NamedTuple):
    query_id: str
    doc_id: str
    start: float
    end: float
    relevance: int
    iteration: str = '0'


class TimedDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float
    start: float
    length: float


def id_qrels() -> list[Qrel]:
    return [Qrel(query, f'{document}#t={start},{end}', relevance) for query, document, start, end, relevance in QRELS]


def id_run() -> list[ScoredDoc]:
    return [ScoredDoc(query, f'{document}#t={start},{end}', score) for query, document, start, end, score in RUN]


def nested(rows: list[Any], field: str) -> dict[str, dict[str, Any]]:
    result: dict[str, dict[str, Any]] = {}
    for row in rows:
        result.setdefault(row.query_id, {})[row.doc_id] = getattr(row, field)
    return result


COLUMNS = ['query_id', 'doc_id', 'start', 'end']
QRELS_SHAPES: dict[str, Callable[[], Any]] = {
    'named tuples with ids': id_qrels,
    'iterator with ids': lambda: iter(id_qrels()),
    'named tuples with times': lambda: [TimedQrel(*row) for row in QRELS],
    'frame with ids': lambda: pd.DataFrame(id_qrels()),
    'frame with times': lambda: pd.DataFrame(QRELS, columns=[*COLUMNS, 'relevance']),
    'dicts': lambda: nested(id_qrels(), 'relevance'),
    'table': lambda: SegmentTable.from_qrels(id_qrels()),
}
RUN_SHAPES: dict[str, Callable[[], Any]] = {
    'named tuples with ids': id_run,
    'generator with ids': lambda: (row for row in id_run()),
    'named tuples with times': lambda: [TimedDoc(q, d, score, s, e - s) for q, d, s, e, score in RUN],
    'frame with ids': lambda: pd.DataFrame(id_run()),
    'frame with times': lambda: pd.DataFrame(RUN, columns=[*COLUMNS, 'score']),
    'frame with narrow numbers': lambda: pd.DataFrame(RUN, columns=[*COLUMNS, 'score']).astype(
        {'start': 'int16', 'end': 'float32', 'score': 'float32', 'doc_id': 'category', 'query_id': object}),
    'table': lambda: SegmentTable.from_run(id_run()),
}


def results(qrels: Any, run: Any, measures: list[Any] = MEASURES, source: Any = ir_measures) -> dict[Any, float]:
    return {(metric.query_id, metric.measure): metric.value for metric in source.iter_calc(measures, qrels, run)}


EXPECTED = results(id_qrels(), id_run())


class TestShapes:
    @pytest.mark.parametrize('run', RUN_SHAPES)
    @pytest.mark.parametrize('qrels', QRELS_SHAPES)
    def test_equal_numbers_from_all_shapes(self, qrels: str, run: str) -> None:
        assert results(QRELS_SHAPES[qrels](), RUN_SHAPES[run]()) == EXPECTED


class TestEveryJudgedQuery:
    @pytest.mark.parametrize('run', ['empty', 'partial', 'full'])
    @pytest.mark.parametrize('qrels', ['empty', 'partial', 'full'])
    @pytest.mark.parametrize('shape', ['tuples', 'frame', 'dicts'])
    @pytest.mark.parametrize('source', [ir_measures, segmeasures])
    def test_matrix(self, qrels: str, run: str, shape: str, source: Any) -> None:
        queries = {'empty': [], 'partial': ['q1'], 'full': ['q1', 'q2', 'q3']}
        some_qrels = [row for row in id_qrels() if row.query_id in queries[qrels]]
        some_run = [row for row in id_run() if row.query_id in queries[run]]
        given: tuple[Any, Any] = (some_qrels, some_run)
        if shape == 'frame':
            given = (pd.DataFrame(some_qrels, columns=Qrel._fields), pd.DataFrame(some_run, columns=ScoredDoc._fields))
        elif shape == 'dicts':
            given = (nested(some_qrels, 'relevance'), nested(some_run, 'score'))
        got = results(*given, [T2I_AP, AgP, ESL(D=1000)], source)
        assert set(got) == {(query, measure) for query in queries[qrels] for measure in (T2I_AP, AgP, ESL(D=1000))}
        for query in set(queries[qrels]) - set(queries[run]):
            assert got[query, AgP] == 0
            assert (got[query, ESL(D=1000)] > 100 / 15) == (query != 'q3')
        aggregated = source.calc_aggregate([T2I_AP, AgP], *given)
        for measure, mean in aggregated.items():
            if qrels == 'empty':
                assert isnan(mean)
            else:
                assert mean == pytest.approx(sum(got[q, measure] for q in queries[qrels]) / len(queries[qrels]))

    def test_a_judged_query_of_an_empty_dict_is_yielded(self) -> None:
        assert results({'q1': {}, 'q2': {'v#t=0,1': 1}}, {}, [AgP]) == {('q1', AgP): 0, ('q2', AgP): 0}

    def test_beside_other_providers(self) -> None:
        both = results(id_qrels(), id_run(), [AiSP, AP, nDCG@10, Judged@10, T2I_AP(tau=15)])
        assert {key: both[key] for key in both if key[1] in MEASURES} == {
            key: EXPECTED[key] for key in EXPECTED if key[1] in (AiSP, T2I_AP(tau=15))}
        assert {query for query, measure in both if measure == AP} == {'q1', 'q2', 'q3'}
        assert results(iter(id_qrels()), iter(id_run()), [AiSP, P@1])['q1', AiSP] == EXPECTED['q1', AiSP]

    def test_an_evaluator_takes_run_after_run(self) -> None:
        evaluator = ir_measures.evaluator(MEASURES, iter(id_qrels()))
        for _ in range(2):
            assert {(m.query_id, m.measure): m.value for m in evaluator.iter_calc(id_run())} == EXPECTED
            assert all(metric.value == 0 for metric in evaluator.iter_calc([]) if metric.measure == AiSP)
        assert evaluator.calc(id_run()).per_query == list(evaluator.iter_calc(id_run()))


def test_rows_with_ranks_reach_gdeval(tmp_path: Path) -> None:
    if not ir_measures.providers.registry['gdeval'].is_available():
        pytest.skip('gdeval needs Perl, and there is none here')
    (tmp_path / 'run').write_text('{"qid": 1, "vid": "v", "pred_relevant_windows": [[0, 10, 2], [20, 30, 1]]}\n')
    run = with_ids(formats.read_run(tmp_path / 'run', 'moments'))
    qrels = [Qrel('1', 'v#t=20,30', 1)]
    assert run[0].rank == 1
    assert ir_measures.calc_aggregate([ERR@10, nDCG(dcg='exp-log2')@10], qrels, run) == pytest.approx({
        ERR@10: 1 / 32, nDCG(dcg='exp-log2')@10: .63093})
    with pytest.raises(ValueError, match="row 0 of the qrels: the query is 'q1', and gdeval"):
        ir_measures.calc_aggregate([ERR@10, AiSP], [Qrel('q1', 'v#t=20,30', 1)], run)


class TestRanking:
    def test_ties_keep_the_order_of_the_input(self) -> None:
        qrels = [Qrel('q', 'v#t=0,10', 1)]
        first = [ScoredDoc('q', 'z#t=0,10', 1.0), ScoredDoc('q', 'v#t=0,10', 1.0)]
        assert results(qrels, first, [T2I_AP]) == {('q', T2I_AP): 0.5}
        assert results(qrels, first[::-1], [T2I_AP]) == {('q', T2I_AP): 1.0}


class TestRouting:
    def test_registered_once(self) -> None:
        names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
        assert names.count('segmeasures') == 1
        assert ir_measures.providers.registry['segmeasures'] is segmeasures
        assert all(name in ir_measures.measures.registry for name in ir_segmeasures.measures.__all__
                   if isinstance(getattr(ir_segmeasures, name, None), SegmentMeasure))

    @pytest.mark.parametrize(('alias', 'name'), [
        ('T2I_MAP', 'T2I_AP'), ('AP_tol', 'T2I_AP'), ('MAP_tol', 'T2I_AP'), ('MAiSP', 'AiSP'), ('MAgP', 'AgP')])
    def test_aliases(self, alias: str, name: str) -> None:
        assert ir_measures.parse_measure(f'{alias}@5') == ir_measures.parse_measure(f'{name}@5')
        assert getattr(ir_segmeasures, alias) == getattr(ir_segmeasures, name)
        parsed = ir_measures.parse_measure(f'{alias}@5')
        for asked in (parsed, pickle.loads(pickle.dumps(parsed)), getattr(ir_segmeasures, alias)@5):
            assert str(asked) == repr(asked) == f'{alias}@5'

    def test_every_measure_is_supported_by_the_pipeline(self) -> None:
        for measure in segmeasures.SUPPORTED_MEASURES:
            required = {name: 0.5 if name in ('recall', 'level', 'iou') else 30
                        for name, info in measure.SUPPORTED_PARAMS.items() if info.required}
            assert ir_measures.DefaultPipeline.supports(measure(**required))
            assert set(ir_measures.run_inputs([measure(**required)])) == {'query_id', 'doc_id', 'score'}

    @pytest.mark.parametrize('measure', [MAiSP(user='zzz'), MAiSP(users='ret'), iSP, MAiSP(tool='inex_eval'),
                                         MAiSP(tool='sh_eval', user='ret'), IoU_R(tool='tvr', iou=2)@1, I3_R(rel=1)])
    def test_evaluating_says_why_parameters_are_wrong(self, measure: SegmentMeasure) -> None:
        with pytest.raises(ValueError) as found:
            measure.check_params()
        for compute in (lambda: ir_measures.evaluator([measure, AP], id_qrels()),
                        lambda: ir_measures.calc_aggregate([AP, MAiSP, measure], id_qrels(), id_run()),
                        lambda: measure.calc_aggregate(id_qrels(), id_run()),
                        lambda: list(measure.iter_calc(id_qrels(), id_run()))):
            with pytest.raises(ValueError, match=re.escape(str(found.value))):
                compute()

    def test_the_provider_alone_refuses_what_it_cannot_do(self) -> None:
        with pytest.raises(ValueError, match='unsupported measure AP'):
            segmeasures.calc_aggregate([AP], id_qrels(), id_run())
        with pytest.raises(ValueError, match='T2I_AP has tau=-1'):
            segmeasures.calc_aggregate([T2I_AP(tau=-1)], id_qrels(), id_run())

    def test_importing_it_needs_no_other_host(self) -> None:
        code = ('import sys, ir_segmeasures, ir_segmeasures.commands\n'
                'print([name for name in ("pandas", "ir_datasets", "pyterrier", "scipy") if name in sys.modules])')
        out = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
        assert out.stdout == '[]\n'

    def test_importing_it_needs_nothing_of_evaluation(self) -> None:
        code = ('import sys, ir_segmeasures\n'
                'print(sorted(name for name in sys.modules if name.startswith("ir_segmeasures.")\n'
                '             and name.endswith((".segment", ".table", ".topic", ".warnings", "_evaluator",\n'
                '                                "_walks"))))')
        out = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
        assert out.stdout == '[]\n'


OTHERS = 2, 7.5, .125, 30, True, 'ret', 'length', 'P', 'error'
TOOLS = [ir_measures.providers.registry[name] for name in (
    'sh_eval', 'inex_eval', 'sample_eval', 'chunking_evaluation', 'legalbenchrag', 'tvr', 'qvhighlights',
    'tvr_ranking')]


def refused(tool: Any) -> Iterator[SegmentMeasure]:
    """Measures that are right but for one parameter that the tool has not."""
    for measure in tool.SUPPORTED_MEASURES:
        needed = {name: 1 if info.validate(1) else .1 for name, info in measure.SUPPORTED_PARAMS.items()
                  if info.required}
        found = [measure(**{**needed, name: value}) for name in measure.TOOLS[tool.NAME] for value in OTHERS]
        yield from (one for one in found if one.has_valid_params() and one.conflict(tool.NAME))


@pytest.mark.parametrize('tool', TOOLS, ids=lambda tool: tool.NAME)
def test_what_a_tool_does_not_have(tool: Any) -> None:
    measures = list(refused(tool))
    assert measures
    for measure in measures:
        assert not tool.supports(measure)
        sentence = rf'^{measure.NAME} has \w+=.*, but {tool.NAME} has (only|no such parameter).*: (take|leave)'
        with pytest.raises(ValueError, match=sentence):
            tool.calc_aggregate([measure], id_qrels(), id_run())
    with pytest.raises(ValueError, match=r"AiSP has tool='tvr': tool .* is 'sh_eval'"):
        MAiSP(tool='tvr').check_params()


class TestPickling:
    @pytest.mark.parametrize('thing', [T2I_MAP(tau=20)@10, *MEASURES, segmeasures],
                             ids=[*map(str, [T2I_MAP(tau=20)@10, *MEASURES]), 'segmeasures'])
    def test_measures_and_provider(self, thing: Any) -> None:
        copy = pickle.loads(pickle.dumps(thing))
        assert type(copy) is type(thing)
        if thing is not segmeasures:
            assert copy == thing
            assert results(id_qrels(), id_run(), [copy]) == results(id_qrels(), id_run(), [thing])

    def test_evaluators(self) -> None:
        evaluator = pickle.loads(pickle.dumps(ir_measures.evaluator(MEASURES, id_qrels())))
        assert {(m.query_id, m.measure): m.value for m in evaluator.iter_calc(id_run())} == EXPECTED


class TestUnits:
    def test_units_never_mix_between_run_and_qrels(self) -> None:
        run = [ScoredDoc('q1', 'v1#char=0,20', 1)]
        with pytest.raises(ValueError, match=r"row 0 of the run: .*'char', but the judgements .* in 't': give both"):
            results(id_qrels(), run)


def test_measures_as_text() -> None:
    with pytest.raises(TypeError, match=r"^the measure 'MAiSP' is text, and evaluation takes measures: give "
                                        r"ir_measures\.parse_measure\('MAiSP'\)$"):
        segmeasures.calc_aggregate(['MAiSP'], [], [])
