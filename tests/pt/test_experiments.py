"""The measures in PyTerrier: in pt.measures and pt.segments after `import pyterrier`, in any experiment."""

import re
import warnings
from typing import Any

import ir_measures
import pandas as pd
import pytest

from ir_segmeasures import ESLRF, T2I_MAP, MAgP, MAiSP, SegmentWarning, formats, sample

pt = pytest.importorskip('pyterrier')

D = 2945  # seconds of the sample collection
MEASURES = [T2I_MAP(tau=15), MAgP, MAiSP, ESLRF(D=D)@5]
NAMES = [str(measure) for measure in MEASURES]


def frame(rows: list[Any]) -> pd.DataFrame:
    return pt.model.from_ir_measures(pd.DataFrame(rows))


@pytest.fixture(scope='module')
def topics() -> pd.DataFrame:
    return pd.DataFrame([(query.query_id, query.text) for query in sample.queries()], columns=['qid', 'query'])


@pytest.fixture(scope='module')
def qrels() -> pd.DataFrame:
    return frame(formats.read_qrels(sample.path('qrels.txt')))


@pytest.fixture(scope='module')
def runs() -> dict[str, pd.DataFrame]:
    return {name: frame(formats.read_run(sample.path(f'{name}.run'))) for name in ('good', 'poor')}


@pytest.fixture(scope='module')
def expected(qrels: pd.DataFrame, runs: dict[str, pd.DataFrame]) -> dict[str, dict[str, float]]:
    return {name: {str(measure): mean for measure, mean in ir_measures.calc_aggregate(
        MEASURES, formats.read_qrels(sample.path('qrels.txt')),
        formats.read_run(sample.path(f'{name}.run'))).items()} for name in runs}


def pipelines(runs: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Transformers that give the runs, with what a pipeline leaves in a frame."""
    return {name: pt.Transformer.from_df(run.assign(rank=0, extra='x')) for name, run in runs.items()}


def check(table: pd.DataFrame, expected: dict[str, dict[str, float]]) -> None:
    for row in table.to_dict('records'):
        for name in NAMES:
            assert row[name] == pytest.approx(expected[row['name']][name])


class TestExperiment:
    @pytest.mark.parametrize('plan', ['linear', 'tree'])
    @pytest.mark.parametrize('batch_size', [None, 3])
    def test_on_pipelines(self, topics: Any, qrels: Any, runs: Any, expected: Any, plan: str, batch_size: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            table = pt.Experiment(pipelines(runs), topics, qrels, MEASURES, plan=plan, batch_size=batch_size,
                                  validate='error')
        check(table, expected)

    @pytest.mark.parametrize('plan', ['linear', 'tree'])
    def test_per_query(self, topics: Any, qrels: Any, runs: Any, plan: str) -> None:
        table = pt.Experiment(pipelines(runs), topics, qrels, MEASURES, perquery=True, plan=plan)
        assert len(table) == len(runs) * len(topics) * len(MEASURES)
        run = formats.read_run(sample.path('good.run'))
        values = {(m.query_id, str(m.measure)): m.value for m in
                  ir_measures.iter_calc(MEASURES, formats.read_qrels(sample.path('qrels.txt')), run)}
        for row in table[table['name'] == 'good'].to_dict('records'):
            assert row['value'] == pytest.approx(values[row['qid'], row['measure']])

class TestEntryPoint:
    def test_measures_are_there_after_importing_pyterrier(self) -> None:
        assert pt.segments.MAiSP is pt.measures.MAiSP is MAiSP
        assert pt.measures.T2I_MAP(tau=15) == T2I_MAP(tau=15)
        assert {'T2I_MAP', 'ESL', 'MAgP', 'MAiSP', 'igP'} <= set(pt.segments.__all__)


def documents_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Whole documents in the place of segments, each once."""
    return frame.assign(docno=frame.docno.str.partition('#')[0]).drop_duplicates(['qid', 'docno'])


class TestMeasuresOfDocuments:
    """They compare ids, which segments of a system hardly share with the judged ones."""

    def sentences(self, systems: Any, topics: Any, qrels: Any, measures: list[Any]) -> list[str]:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter('always')
            for system in systems:
                pt.segments.check_measures(measures, qrels, system(topics))
        return [str(warning.message) for warning in found if issubclass(warning.category, SegmentWarning)]

    @pytest.mark.parametrize('measures', [['map'], [MAiSP, 'map', 'ndcg'], [ir_measures.AP], [ir_measures.P@5, MAgP]])
    def test_they_are_warned_of(self, topics: Any, qrels: Any, runs: Any, measures: list[Any]) -> None:
        sentences = self.sentences(pipelines(runs).values(), topics, qrels, measures)
        # Of the good run's items in judged documents, more than 1 in 20 is a judged segment.
        near, sentence = sorted(sentences)
        assert 'compares ids, and 7 of the 189 items of the run are nearly a judged segment (' in near
        assert re.match(r"(AP|P@5) compares ids, and none of the 200 items of the run is a judged one by its id, such "
                        r"as 'bees-01#t=0,90', so that it is 0: .* align\(\) .*, or measure documents with "
                        r"to_documents\(\)$", sentence)

    def test_the_repairs_need_none(self, topics: Any, qrels: Any, runs: Any) -> None:
        for repair, judged in ((pt.segments.align(qrels), qrels), (pt.segments.to_documents(), documents_of(qrels))):
            systems = [pipeline >> repair for pipeline in pipelines(runs).values()]
            assert self.sentences(systems, topics, judged, ['map', 'ndcg']) == []

    def test_what_cannot_be_checked(self, qrels: Any, runs: Any) -> None:
        with pytest.raises(ValueError, match="the measure 'mapp' has no name of trec_eval: give a measure of ir-meas"):
            pt.segments.check_measures(['mapp'], qrels, runs['good'])
        with pytest.raises(pt.validate.InputValidationError, match='docno'):
            pt.segments.check_measures(['map'], qrels, runs['good'].drop(columns='docno'))
