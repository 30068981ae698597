"""Systems beside a baseline: the figures of pt.Experiment, tests by enumeration, tables."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import T2I_AP, MAgP, MAiSP, SegmentTable, formats, sample
from ir_segmeasures.study import SystemComparison, compare
from ir_segmeasures.study.scores import opposite_ties
from ir_segmeasures.study.statistics import p_value, p_values
from ir_segmeasures.study.tables import render

pytest.importorskip('scipy')


def sample_runs() -> dict[str, Any]:
    runs = {name: list(formats.read_run(sample.path(f'{name}.run'))) for name in ('good', 'poor')}
    # A third system between them: the good one's first half.
    return {**runs, 'half': runs['good'][::2]}


@pytest.fixture(scope='module')
def qrels() -> Any:
    return list(formats.read_qrels(sample.path('qrels.txt')))


@pytest.fixture(scope='module')
def comparison(qrels: Any) -> SystemComparison:
    return compare(['T2I_MAP', 'MAgP', 'MAiSP', 'ESL(D=5000)@1'], qrels, sample_runs(), confidence=.95)


class TestFigures:
    def test_those_of_an_experiment(self, qrels: Any) -> None:
        pt = pytest.importorskip('pyterrier', reason='PyTerrier, whose figures these are, is not installed')
        pd = pytest.importorskip('pandas')
        runs, measures = sample_runs(), [T2I_AP, MAgP, MAiSP]
        frames = {name: pt.model.from_ir_measures(pd.DataFrame(rows)) for name, rows in runs.items()}
        topics = pd.DataFrame([(query.query_id, query.text) for query in sample.queries()], columns=['qid', 'query'])
        expected = pt.Experiment(frames, topics, pt.model.from_ir_measures(pd.DataFrame(qrels)), measures, baseline=0,
                                 correction='holm').set_index('name')
        found = compare(measures, qrels, runs)
        for row in found.rows:
            figures, name = expected.loc[row.system], str(row.measure)
            assert row.mean == pytest.approx(figures[name], abs=1e-12)
            if row.system != 'good':
                assert (row.wins, row.losses) == (figures[f'{name} +'], figures[f'{name} -'])
                assert row.p == pytest.approx(figures[f'{name} p-value'], abs=1e-12)
                assert row.p_corrected == pytest.approx(figures[f'{name} p-value corrected'], abs=1e-12)


class TestTests:
    @pytest.mark.parametrize('queries', [3, 14, 101])  # exact, by chance, in two batches
    def test_randomisation_is_that_of_scipy(self, queries: int) -> None:
        from scipy.stats import permutation_test
        drawn = np.random.default_rng(queries).integers(0, 4, (4, queries)) / 3  # many sums are equal
        systems = [dict(zip(map(str, range(queries)), values)) for values in drawn.tolist()]
        expected = [permutation_test((one - other,), np.mean, permutation_type='samples', vectorized=True, batch=100,
                                     rng=np.random.default_rng(5)).pvalue
                    for one, other in itertools.combinations(drawn, 2)]
        assert p_values('randomisation', itertools.combinations(systems, 2), 5) == expected

    def test_equal_differences_have_no_t_test(self) -> None:
        """The test divides by the spread of the differences, which is 0."""
        values = {'a': 0.9, 'b': 0.6, 'c': 0.7}
        base = {query: value - 0.5 for query, value in values.items()}
        assert p_value('t', values, base, 0) == 0  # as SciPy says
        assert p_value('randomisation', values, base, 0) == 2 / 8
        qrels = [Qrel(query, 'v#t=0,10', 1) for query in values]
        runs = {'good': [ScoredDoc(query, 'v#t=0,10', 1.) for query in values],
                'late': [ScoredDoc(query, id, score) for query in values
                         for id, score in (('v#t=0,10', 1.), ('u#t=0,10', 2.))]}
        found = compare('T2I_AP', qrels, runs)
        row = found.row('late', found.measures[0])
        assert row.difference == -0.5 and math.isnan(row.p) and not row.significant
        assert 'p is nan where the t-test cannot be computed' in render(found, 'text')


@pytest.mark.parametrize(('arguments', 'sentence'), [
    ({'baseline': 'best'}, "baseline='best' is none of those that there are: take 'good' or 'poor' or 'half'"),
    ({'test': 'z'}, "test='z' is none of those that there are: take 't' or 'randomisation'"),
    ({'correction': 'hs'}, "correction='hs' is none of those that there are: take 'holm' or 'bonferroni' or 'none'"),
    ({'confidence': 95}, 'confidence=95 cannot be: give a number between 0 and 1, such as 0.95'),
])
def test_what_cannot_be_asked(qrels: Any, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        compare('MAiSP', qrels, sample_runs(), **arguments)
    assert str(caught.value) == sentence


class TestTop:
    def test_the_queries_that_differ_most(self, comparison: SystemComparison) -> None:
        differences = [abs(row['difference']) for row in comparison.top(3)
                       if (row['measure'], row['system']) == ('T2I_MAP', 'poor')]
        everything = sorted((abs(comparison.by_query['poor'][T2I_AP][query] - value)
                             for query, value in comparison.by_query['good'][T2I_AP].items()), reverse=True)
        assert differences == everything[:3]


class TestTables:
    def test_json(self, comparison: SystemComparison, qrels: Any) -> None:
        plain = json.loads(render(compare('MAgP', qrels, sample_runs()), 'json'))
        assert [list(row) for row in plain] == [['system', 'measure', 'mean', 'difference', 'p', 'p_corrected', 'wins',
                                                 'losses', 'ties']] * 3
        assert plain[0]['difference'] is plain[0]['p'] is plain[0]['wins'] is None
        assert plain[1]['mean'] == comparison.row('poor', MAgP).mean
        assert {'low', 'high'} < json.loads(render(comparison, 'json'))[0].keys()

    def test_text(self, comparison: SystemComparison) -> None:
        shown = render(comparison, places=3, bold=lambda text: f'<{text}>')
        head, good, poor, _ = shown.split('\n\n')[0].splitlines()
        assert shown.endswith('\n\n* p < 0.05 after the correction\n')
        assert head.split() == ['T2I_MAP', 'mean', 'interval', 'difference', '%', 'p', 'p', 'corrected', 'wins',
                                'losses', 'ties']
        assert good.split()[:2] == ['good', '<0.479>'] and '-0.324  -67.7' in poor and '*' in poor

    def test_markdown_and_latex(self, qrels: Any) -> None:
        comparison = compare(['T2I_MAP', 'MAgP', 'MAiSP', 'ESL(D=5000)@1'], qrels, sample_runs())
        markdown, latex = render(comparison, 'markdown', 3), render(comparison, 'latex', 3)
        assert markdown.startswith('| system | T2I\\_MAP | MAgP | MAiSP | ESL(D=5000)@1 |\n|---|---:|---:|---:|---:|\n')
        assert '| good | **0.479** |' in markdown and '0.155\\* (-0.324)' in markdown
        assert r'\begin{tabular}{lrrrr}' in latex and r'system & T2I\_MAP & MAgP' in latex
        assert r'good & \textbf{0.479} &' in latex and latex.count(r'\\') == 4
        assert latex.endswith('\n\\smallskip\n{\\footnotesize $^{*}$ p $<$ 0.05 after the correction\\par}\n')
        assert '($-$0.324)' in latex and '(+26.382)' in latex  # a hyphen is not a minus


class TestPaper:
    def test_the_method_is_named(self, qrels: Any) -> None:
        runs = {name: sample_runs()[name] for name in ('good', 'poor')}
        two = compare('MAgP', qrels, runs)
        assert two.method == ('baseline good; two-sided paired t-test over 10 queries, p corrected for 1 system (Holm: '
                              'no change)')
        bare = compare('MAgP', qrels, runs, correction='none')
        assert render(bare, note=bare.method).endswith(', p not corrected\n') and 'after' not in render(bare)
        three = compare('MAgP', qrels, {**runs, 'again': runs['good']}, 'poor', 'randomisation', 'bonferroni')
        assert three.method == ('baseline poor; two-sided randomisation test over 10 queries, p corrected for 2 '
                                'systems (Bonferroni)')
        assert render(three, 'markdown', note=three.method).endswith(f'after the correction; {three.method}\n')

    def test_ties_that_move_a_mean(self) -> None:
        qrels = [Qrel('q', 'a#t=0,9', 1), Qrel('r', 'a#t=0,9', 1)]
        run = [ScoredDoc('q', 'a#t=0,9', 1.), ScoredDoc('q', 'b#t=0,9', 1.), ScoredDoc('r', 'a#t=0,9', 1.)]
        assert opposite_ties(SegmentTable.from_run(run[::2])) is None
        other = opposite_ties(SegmentTable.from_run(run))
        found = [compare('AP_over', qrels, {'base': run[:1], 'mine': mine}) for mine in (run, other)]
        assert found[0].moved(found[1], 2) == ['AP_over of mine is 0.75 (p 0.7952) instead of 1.00 (p 0.5000)']
        assert found[0].moved(found[0], 2) == []
