"""Systems beside a baseline: the figures of pt.Experiment, tests by enumeration, tables."""

import csv
import itertools
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, Qrel, ScoredDoc

from ir_segmeasures import ESL, T2I_AP, MAgP, MAiSP, formats, sample
from ir_segmeasures.study import SystemComparison, compare, statistics, tables
from ir_segmeasures.study.comparison import compare_scores, top_lines
from ir_segmeasures.study.statistics import corrected_p, p_value, p_values
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

    def test_the_baseline_has_a_mean_only(self, comparison: SystemComparison) -> None:
        row = comparison.row('good', T2I_AP)
        assert row[3:9] == (None,) * 6 and row.low < row.mean < row.high  # type: ignore[operator]

    def test_less_effort_wins(self, comparison: SystemComparison) -> None:
        measure = ESL(D=5000)@1
        values = {name: comparison.by_query[name][measure] for name in ('good', 'poor')}
        better = sum(values['poor'][query] < values['good'][query] for query in values['good'])
        row = comparison.row('poor', measure)
        assert row.difference is not None and row.difference > 0 and row.wins == better < row.losses  # type: ignore
        means = {row.system: row.mean for row in comparison.rows if row.measure == measure}
        assert comparison.best(measure) == [min(means, key=means.__getitem__)]

    def test_wins_losses_and_ties_are_all_queries(self, comparison: SystemComparison) -> None:
        assert {row.wins + row.losses + row.ties for row in comparison.rows if row.wins is not None} == {10}

    def test_another_baseline(self, qrels: Any) -> None:
        here, there = (compare('MAgP', qrels, sample_runs(), baseline=name) for name in ('good', 'poor'))
        assert here.row('poor', MAgP).difference == pytest.approx(-there.row('good', MAgP).difference)
        assert here.row('poor', MAgP).wins == there.row('good', MAgP).losses

    def test_measures_keep_the_names_that_were_asked_for(self, comparison: SystemComparison) -> None:
        assert list(comparison.names.values()) == ['T2I_MAP', 'MAgP', 'MAiSP', 'ESL(D=5000)@1']

    def test_frames_of_both_hosts(self, qrels: Any) -> None:
        pd = pytest.importorskip('pandas')
        hosts = {'query_id': 'qid', 'doc_id': 'docno', 'relevance': 'label'}
        judged, runs = pd.DataFrame(qrels), {name: pd.DataFrame(run) for name, run in sample_runs().items()}
        expected = compare('MAiSP', qrels, sample_runs()).rows
        assert compare('MAiSP', judged, runs).rows == expected
        assert compare('MAiSP', judged.rename(columns=hosts),
                       {name: run.rename(columns=hosts) for name, run in runs.items()}).rows == expected

    def test_names_that_are_numbers(self, qrels: Any) -> None:
        found = compare('MAiSP', qrels, {.5: sample_runs()['good'], .7: sample_runs()['poor']})
        for format in (*tables.FORMATS, 'html'):
            assert '0.7' in render(found, format)
        assert render(found, bold='<{}>'.format).splitlines()[1] == '0.5    <0.6131>'

    def test_measures_of_documents(self) -> None:
        qrels = [Qrel('q', 'd1', 1), Qrel('q', 'd2', 0)]
        runs = {'a': [ScoredDoc('q', 'd2', 2.), ScoredDoc('q', 'd1', 1.)], 'b': [ScoredDoc('q', 'd1', 2.)]}
        assert compare(AP, qrels, runs).row('b', AP).difference == .5


class TestTests:
    @given(st.lists(st.integers(-4, 4), min_size=1, max_size=7))
    def test_randomisation_against_all_signs(self, differences: list[int]) -> None:
        total = abs(sum(differences))
        signs = list(itertools.product((1, -1), repeat=len(differences)))
        extreme = sum(abs(sum(sign * d for sign, d in zip(some, differences))) >= total for some in signs)
        expected = Fraction(extreme, len(signs)) if any(differences) else 1
        values = {str(place): float(value) for place, value in enumerate(differences)}
        found = p_value('randomisation', values, dict.fromkeys(values, 0.), 0)
        assert found == pytest.approx(float(expected), abs=1e-12)

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

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
    def test_corrections_against_their_definitions(self, p: list[float]) -> None:
        n = len(p)
        assert corrected_p(p, 'none') == p
        assert corrected_p(p, 'bonferroni') == [min(1, n * value) for value in p]
        ranked = sorted(range(n), key=p.__getitem__)
        for place, system in enumerate(ranked):
            expected = max(min(1, (n - before) * p[ranked[before]]) for before in range(place + 1))
            assert corrected_p(p, 'holm')[system] == pytest.approx(expected)

    def test_equal_runs_are_not_told_apart(self, qrels: Any) -> None:
        runs = {'a': sample_runs()['good'], 'b': sample_runs()['good']}
        for test in ('t', 'randomisation'):
            row = compare('MAiSP', qrels, runs, test=test).row('b', MAiSP)
            assert row[3:9] == (0, 1, 1, 0, 0, 10)

    def test_batches_of_resamples_change_no_figure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        values = {str(place): place % 7 / 7 - .4 for place in range(40)}
        found = []
        for at_once in (1_000, 10 ** 9):
            monkeypatch.setattr(statistics, '_AT_ONCE', at_once)
            found.append((p_value('randomisation', values, dict.fromkeys(values, 0.), 1),
                          statistics.bootstrap_interval([*values.values()], .9, 1)))
        assert found[0] == found[1]
        assert 0 < found[0][0] < 1

    def test_the_same_figures_again(self, qrels: Any) -> None:
        first, again = (compare('MAiSP', qrels, sample_runs(), test='randomisation', confidence=.9).rows
                        for _ in range(2))
        assert first == again


def by_query(values: dict[str, list[float]]) -> Any:
    """What compare_scores takes, of one measure: system → its values."""
    return {system: {MAiSP: {str(place): value for place, value in enumerate(found)}}
            for system, found in values.items()}


class TestFiguresWithoutAnAnswer:
    @pytest.mark.filterwarnings('error')
    @pytest.mark.parametrize('test', ['t', 'randomisation'])
    def test_nan_is_neither_better_nor_worse(self, test: str) -> None:
        found = compare_scores(MAiSP, by_query({'a': [.5, float('nan'), .2], 'b': [.6, .1, .1]}), test=test,
                               confidence=.9)
        row = found.row('b', MAiSP)
        assert (row.wins, row.losses, row.ties) == (1, 1, 1)
        assert row.p != row.p and row.p_corrected != row.p_corrected and not row.significant
        assert found.row('a', MAiSP).low != found.row('a', MAiSP).low
        assert json.loads(render(found, 'json'))[1]['p'] is None
        assert render(found).splitlines()[1].split() == ['a', 'nan', '[nan,', 'nan]']

    @pytest.mark.filterwarnings('error')
    def test_one_query_and_equal_differences(self) -> None:
        row = compare_scores(MAiSP, by_query({'a': [.5], 'b': [.6]})).row('b', MAiSP)
        assert row.p != row.p and row.wins == 1
        row = compare_scores(MAiSP, by_query({'a': [.5, .3], 'b': [.6, .4]})).row('b', MAiSP)
        assert row.p != row.p and not row.significant  # it would divide by 0


@pytest.mark.parametrize(('arguments', 'sentence'), [
    ({'baseline': 'best'}, "baseline='best' is none of those that there are: take 'good' or 'poor' or 'half'"),
    ({'test': 'z'}, "test='z' is none of those that there are: take 't' or 'randomisation'"),
    ({'correction': 'hs'}, "correction='hs' is none of those that there are: take 'holm' or 'bonferroni' or 'none'"),
    ({'confidence': 95}, 'confidence=95 is no level: take a number between 0 and 1, such as 0.95'),
])
def test_what_cannot_be_asked(qrels: Any, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        compare('MAiSP', qrels, sample_runs(), **arguments)
    assert str(caught.value) == sentence


class TestTop:
    def test_the_queries_that_differ_most(self, comparison: SystemComparison) -> None:
        found = [row for row in comparison.top(3) if row[:2] == (T2I_AP, 'poor')]
        differences = [abs(value - base) for *_, value, base in found]
        everything = sorted((abs(comparison.by_query['poor'][T2I_AP][query] - value)
                             for query, value in comparison.by_query['good'][T2I_AP].items()), reverse=True)
        assert differences == everything[:3]
        assert '\nT2I_MAP: poor beside good' in list(top_lines(comparison, 3))


class TestTables:
    def test_json(self, comparison: SystemComparison, qrels: Any) -> None:
        plain = json.loads(render(compare('MAgP', qrels, sample_runs()), 'json'))
        assert [list(row) for row in plain] == [['system', 'measure', 'mean', 'difference', 'p', 'p_corrected', 'wins',
                                                 'losses', 'ties']] * 3
        assert plain[0]['difference'] is plain[0]['p'] is plain[0]['wins'] is None
        assert plain[1]['mean'] == comparison.row('poor', MAgP).mean
        assert {'low', 'high'} < json.loads(render(comparison, 'json'))[0].keys()

    def test_csv(self, comparison: SystemComparison) -> None:
        rows = list(csv.DictReader(render(comparison, 'csv').splitlines()))
        assert len(rows) == 12 and rows[0]['measure'] == 'T2I_MAP' and rows[0]['p'] == ''
        assert float(rows[1]['mean']) == comparison.row('poor', T2I_AP).mean

    def test_text(self, comparison: SystemComparison) -> None:
        shown = render(comparison, places=3, bold=lambda text: f'<{text}>')
        head, good, poor, _ = shown.split('\n\n')[0].splitlines()
        assert shown.endswith('\n\n* p < 0.05 after the correction\n')
        assert head.split() == ['T2I_MAP', 'mean', 'interval', 'difference', 'p', 'p', 'corrected', 'wins', 'losses',
                                'ties']
        assert good.split()[:2] == ['good', '<0.479>'] and '-0.324' in poor and '*' in poor

    @pytest.mark.parametrize('confidence', [None, .9])
    def test_columns_of_text_are_aligned(self, qrels: Any, confidence: float | None) -> None:
        for table in render(compare(['MAiSP', 'ESL(D=5000)@1'], qrels, sample_runs(),
                                    confidence=confidence)).split('\n\n')[:2]:
            head, _, *rows = table.splitlines()
            for row in rows:
                for column in ('difference', 'wins', 'losses', 'ties'):
                    end = head.index(column) + len(column)
                    assert row[end - 1].isdigit() and row[end:end + 1] in ('', ' '), row

    def test_markdown_and_latex(self, qrels: Any) -> None:
        comparison = compare(['T2I_MAP', 'MAgP', 'MAiSP', 'ESL(D=5000)@1'], qrels, sample_runs())
        markdown, latex = render(comparison, 'markdown', 3), render(comparison, 'latex', 3)
        assert markdown.startswith('| system | T2I\\_MAP | MAgP | MAiSP | ESL(D=5000)@1 |\n|---|---:|---:|---:|---:|\n')
        assert '| good | **0.479** |' in markdown and '0.155\\* (-0.324)' in markdown
        assert r'\begin{tabular}{lrrrr}' in latex and r'system & T2I\_MAP & MAgP' in latex
        assert r'good & \textbf{0.479} &' in latex and latex.count(r'\\') == 4
        assert latex.endswith('\n\\smallskip\n{\\footnotesize $^{*}$ p $<$ 0.05 after the correction\\par}\n')
        assert '($-$0.324)' in latex and '(+26.382)' in latex  # a hyphen is no minus

    def test_intervals_are_in_every_table(self, comparison: SystemComparison) -> None:
        row = comparison.row('poor', MAgP)
        for format in ('markdown', 'latex', 'html'):
            assert f' [{row.low:.2f}, {row.high:.2f}] (' in render(comparison, format, 2)

    def test_names_are_text(self, qrels: Any) -> None:
        found = compare('MAgP', qrels, {'a<b>&_|': sample_runs()['good']})
        assert '<td style="text-align:left">a&lt;b&gt;&amp;_|</td>' in found._repr_html_()
        assert r'{[}5] & ' in render(compare('MAgP', qrels, {'[5]': sample_runs()['good']}), 'latex')
        assert r'a\<b\>&\_\|' in render(found, 'markdown') and r'a<b>\&\_|' in render(found, 'latex')

    def test_colours(self, comparison: SystemComparison, qrels: Any) -> None:
        import re
        shown = re.findall(r'<td style="text-align:right(.*?)"(?: title="(.*?)")?>', comparison._repr_html_())
        rows = [comparison.row(system, measure) for system in comparison.systems for measure in comparison.measures]
        assert len(shown) == len(rows) == 12
        for (style, title), row in zip(shown, rows):
            assert (title == '') == (row.difference is None)
            if row.wins is None or not row.wins + (row.losses or 0):
                assert style == ''
                continue
            better = (row.difference or 0) * (-1 if row.measure.NAME == 'ESL' else 1) > 0
            assert style == tables.shade(better, row.significant) != tables.shade(not better, row.significant)
            assert f'{row.wins} wins, {row.losses} losses' in title
        assert tables.shade(True, True) != tables.shade(True, False)

    def test_frames(self, comparison: SystemComparison) -> None:
        pytest.importorskip('pandas')
        assert comparison.frame.shape == (12, 11) and list(comparison.frame.measure[:3]) == ['T2I_MAP'] * 3
        means = comparison.query_frame.groupby(['system', 'measure']).value.mean()
        assert means['poor', 'MAgP'] == pytest.approx(comparison.row('poor', MAgP).mean)
