"""The gate: what is worse fails, what is equal seldom does, and the command says why."""

import re
from pathlib import Path
from typing import Any

import pytest
from ir_measures import Measure, Qrel, ScoredDoc

from ir_segmeasures import ESL, MAiSP, sample

pytest.importorskip('scipy')

from ir_segmeasures.study.comparison import SystemComparison, compare, compare_scores
from ir_segmeasures.study.gate import least_value, regressions, shortfalls, summary

QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))


def compared(measure: Measure, base: list[float], *others: list[float], **settings: Any) -> SystemComparison:
    systems = {'base': base, **{f'new{number or ""}': values for number, values in enumerate(others)}}
    return compare_scores([measure], {name: {measure: dict(enumerate(map(float, values)))}
                                      for name, values in systems.items()}, **settings)


LOW, HIGH = [.1, .2, .15, .3, .1, .25, .2, .1], [.4, .5, .5, .6, .3, .5, .6, .5]


class TestWhatIsWorse:
    def test_significantly(self) -> None:
        found, = regressions(compared(MAiSP, HIGH, LOW))
        assert (found.system, found.measure, found.reason[:2]) == ('new', 'MAiSP', 'p ') and found.p < .001
        assert regressions(compared(MAiSP, LOW, HIGH)) == regressions(compared(MAiSP, LOW, LOW)) == []

    def test_effort_is_turned(self) -> None:
        esl = ESL(D=100)
        assert len(regressions(compared(esl, LOW, HIGH))) == 1
        assert regressions(compared(esl, HIGH, LOW)) == []

    def test_all_queries_by_the_same(self) -> None:
        values = [.5, .75, .25, 1, .5, .25, .75, .5]
        found, = regressions(compared(MAiSP, values, [value - .125 for value in values]))
        assert found.p == pytest.approx(2 / 2 ** 8)
        assert regressions(compared(MAiSP, [1], [0])) == []  # nobody can say by one query
        assert len(regressions(compared(MAiSP, [1], [0]), tolerance=.5)) == 1

    def test_p_is_corrected_for_all_that_counts(self) -> None:
        base = [.5, .6, .4, .7, .5, .3]
        lower = [value - loss for value, loss in zip(base, (.1, .2, .0, .1, .2, .05))]
        one, = regressions(compared(MAiSP, base, lower))
        assert .01 < one.p < .05 / 2
        many = compared(MAiSP, base, lower, *[base] * 3)
        assert regressions(many) == []
        assert [found.p for found in regressions(many, correction='none')] == [one.p]
        assert regressions(compared(MAiSP, base, lower), alpha=.01) == []

    @pytest.mark.parametrize('settings, sentence', [
        ({'alpha': 0}, 'alpha=0 cannot be'), ({'tolerance': -1}, 'tolerance=-1 cannot be: give a difference'),
        ({'measures': ['T2I_AP']}, 'T2I_AP is none of the measures that are compared'),
    ])
    def test_errors(self, settings: Any, sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            regressions(compared(MAiSP, HIGH, LOW), **settings)
        with pytest.raises(ValueError, match='is NaN for new, so that nobody can say'):
            regressions(compared(MAiSP, HIGH, [float('nan'), *LOW[1:]]))


class TestCommand:
    COMMAND = ('compare', QRELS, GOOD, POOR, '-m', 'T2I_MAP', 'MAiSP', '--fail-if-worse')

    def test_what_is_worse_is_1(self, run: Any) -> None:
        result = run(*self.COMMAND)
        assert result.code == 1 and result.out == run(*self.COMMAND[:-1]).out
        assert result.err == ('ir_segmeasures: poor is worse by T2I_MAP: 0.1548 after 0.4790 (-0.3242, p 0.0062 < 0.05)'
                              '; poor is worse by MAiSP: 0.2774 after 0.6131 (-0.3357, p 0.0016 < 0.05)\n')
        assert run(*self.COMMAND, 'MAiSP').err.count('worse') == 1
        assert run(*self.COMMAND, 'T2I_MAP', '--alpha', '0.001').code == 0
        assert run(*self.COMMAND, 'T2I_MAP', '--alpha', '0.001', '--tolerance', '0.3').code == 1

    @pytest.mark.parametrize('arguments, sentence', [
        (('--fail-if-worse', 'MAgP'), 'MAgP is none of the measures that are compared: add it'),
        (('--alpha', '.1'), '--alpha only goes with --fail-if-worse'),
        (('--fail-if-worse', '--alpha', '2'), 'alpha=2.0 cannot be: give a number between'),
        (('--fail-if-worse', '--qrels-format', 'genomics'), 'a line of '),
    ])
    def test_what_is_wrong_is_2(self, run: Any, arguments: Any, sentence: str) -> None:
        result = run(*self.COMMAND[:-1], *arguments)
        assert (result.code, result.out) == (2, '') and sentence in result.err
        assert run('compare', QRELS, GOOD, '-m', 'MAiSP', '--fail-if-worse').code == 2
        assert run('compare', QRELS, GOOD, GOOD + 'x', '-m', 'MAiSP', '--fail-if-worse').code == 2
        assert run('compare', QRELS, GOOD, GOOD + 'x', '-m', 'MAiSP').code == 1


    @pytest.mark.parametrize('change', [('.qrels', r' \d+$', ' 0'), ('.run', '#t=', '_x#t='), ('.run', '^q', 'Q'),
                                        ('.run', '.*\n', '')])
    @pytest.mark.parametrize('measure', ['MAiSP', 'ESL(D=3000)', 'AP'])
    def test_where_nothing_was_measured(self, run: Any, tmp_path: Path, change: Any, measure: str) -> None:
        paths = []
        for path, ending in ((QRELS, '.qrels'), (GOOD, '.run'), (POOR, '.run')):
            paths.append(tmp_path / f'{Path(path).stem}{ending}')
            text = Path(path).read_text()
            paths[-1].write_text(re.sub(*change[1:], text, flags=re.M) if ending == change[0] else text)
        result = run('compare', *paths, '-m', measure, '--fail-if-worse', '--summary', tmp_path / 'x.md')
        assert result.code == 2 and f'nothing was measured: {measure} is ' in result.err
        summary = (tmp_path / 'x.md').read_text()
        assert (summary.startswith('**nothing was measured: ') and '\n- ' in summary) or change[0] == '.qrels'
        assert run('compare', *paths, '--min', f'{measure}=0.5').code == 2


JUDGED = [Qrel('q', 'v#t=0,10', 1), Qrel('r', 'v#t=0,10', 1)]
FOUND, NOTHING = ([ScoredDoc(query, id, 1.) for query in 'qr'] for id in ('v#t=0,10', 'v#t=50,60'))


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize(('qrels', 'baseline', 'run'), [
    ([row._replace(relevance=0) for row in JUDGED], FOUND, FOUND), (JUDGED, [], []), (JUDGED, [], FOUND),
    (JUDGED, NOTHING, NOTHING)])
@pytest.mark.parametrize('measure', ['MAiSP', 'SegR'])
def test_nothing_was_measured(qrels: Any, baseline: Any, run: Any, measure: str) -> None:
    with pytest.raises(ValueError, match=f'^nothing was measured: {measure} is 0 for base in all queries'):
        regressions(compare(measure, qrels, {'base': baseline, 'run': run}))


@pytest.mark.filterwarnings('ignore')
def test_a_system_that_finds_nothing_is_worse() -> None:
    worse, = regressions(compare('MAiSP', JUDGED, {'base': FOUND, 'run': []}))
    assert 'it finds nothing' in str(worse)


def test_least_values() -> None:
    comparison = compare(['SegR', 'SegP'], JUDGED, {'base': NOTHING, 'run': FOUND})
    assert shortfalls(comparison, {'SegR': 1, 'SegP': .99}) == []
    only = compare(['SegR', 'ESL(D=500)'], JUDGED, {'run': [*FOUND[:1], *NOTHING[1:]]})
    assert list(map(str, shortfalls(only, {'SegR': .85}))) == ['run falls short by SegR: 0.5000 is below 0.85']
    for least, sentence in (({'ESL(D=500)': 1}, 'has no least value, since lower'), ({'SegP': 1}, 'add it to them')):
        with pytest.raises(ValueError, match=sentence):
            shortfalls(only, least)
    for text in ('SegR', 'SegR=high', '=1', 'SegR=nan'):
        with pytest.raises(ValueError, match='is not a measure and its least value'):
            least_value(text)
    assert summary(comparison, warnings=['the run is *empty*']).startswith('- the run is \\*empty\\*\n\n| system |')
