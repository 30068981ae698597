"""The transformers that reshape runs of segments: by hand, against slow references, behind PyTerrier's operators."""

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from ir_measures import RR
from strategies import Qrels, Run, budgets, cases, decimals, examples, runs

from ir_segmeasures import AgP, SegF, SegP, SegR, formats
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError

pt = pytest.importorskip('pyterrier')
S = pt.segments

os.environ['PT_TEST_TRANSFORMER_REPORTS'] = '0'  # else each class warns that it has run

QRELS = pd.DataFrame([('q', 'v#t=3,6', 1), ('q', 'v#t=12,30', 2)], columns=['qid', 'docno', 'label'])
DURATIONS = {'v': 100, 'w': 50.5, 'v1': 50, 'v2': 60, 'v3': 300}
BOUNDARIES = {'v': (0, 10, 20, 30), 'w': (5, 15), 'v1': (30, 20, 70), 'v2': (), 'v3': (0.5,)}
TABLE = {'shot1': ('v', 0, 4.2), 'v': ('v', 0, 100)}

TRANSFORMERS: dict[str, Callable[[], Any]] = {
    'break_ties': lambda: S.break_ties(),
    'no_overlap': lambda: S.no_overlap(),
    'no_overlap_trim': lambda: S.no_overlap('trim'),
    'merge': lambda: S.merge(2),
    'in_context': lambda: S.in_context(),
    'cut_effort': lambda: S.cut_effort(15),
    'cut_effort_drop': lambda: S.cut_effort(15, last='drop'),
    'expand': lambda: S.expand(1, 2.5),
    'expand_within': lambda: S.expand(before=1, durations=DURATIONS),
    'snap': lambda: S.snap(BOUNDARIES),
    'entry_points': lambda: S.entry_points(),
    'encode': lambda: S.encode(),
    'decode': lambda: S.decode(),
    'resolve': lambda: S.resolve(TABLE, missing='keep'),
    'align': lambda: S.align(QRELS),
    'to_documents': lambda: S.to_documents(),
}
SAME_CONTENT = {'break_ties', 'no_overlap', 'in_context', 'cut_effort_drop', 'encode', 'decode', 'resolve'}
every = pytest.mark.parametrize('name', TRANSFORMERS)
# decode() only adds columns.
reshaping = pytest.mark.parametrize('name', [name for name in TRANSFORMERS if name != 'decode'])


def frame(*ids: str, qid: Any = 'q', scores: Sequence[float] | None = None, **columns: Any) -> pd.DataFrame:
    """Results of one query, in this order by score where none are given."""
    scores = [float(len(ids) - rank) for rank in range(len(ids))] if scores is None else scores
    return pt.model.add_ranks(pd.DataFrame({'qid': qid, 'query': f'about {qid}', 'docno': pd.Series(ids, dtype=str),
                                            'score': pd.Series(scores, dtype=float), **columns}))


def frame_of(run: Run, qid: Any = 'q', scores: Sequence[float] | None = None) -> pd.DataFrame:
    """The same for a generated ranking."""
    return frame(*(format_segment(Segment(*item, 't')) for item in run), qid=qid, scores=scores)


def ids(result: pd.DataFrame, qid: Any = 'q') -> list[str]:
    """The ids that came out for a query."""
    return result[result.qid == qid].docno.tolist()


def segments(result: pd.DataFrame) -> list[tuple[str, float, float]]:
    """The segments that came out."""
    return [parse_segment(id)[:3] for id in result.docno]


def check_result(result: pd.DataFrame) -> None:
    """No id twice in a query, queries together and complete, ranks that count from 0 and say what the scores say."""
    assert not result.duplicated(['qid', 'docno']).any()
    assert list(result.index) == list(range(len(result)))
    assert sum(one != other for one, other in pairwise(result.qid)) == max(0, result.qid.nunique() - 1)
    for qid, rows in result.groupby('qid', sort=False):
        assert rows['rank'].tolist() == list(range(len(rows)))
        assert (np.diff(rows['score']) <= 0).all()
        assert (rows['query'] == f'about {qid}').all()


class TestEvery:
    """All of them have this in common."""

    @reshaping
    @examples(.4)
    @given(first=runs(), second=runs(), seed=st.integers(0, 99))
    def test_whatever_comes_in(self, name: str, first: Run, second: Run, seed: int) -> None:
        """Ties, repeats, entry points, columns that contradict the ids, queries in any order."""
        transformer = TRANSFORMERS[name]()
        rows = pd.concat([frame_of(run, qid, [float(-rank // 3) for rank in range(len(run))])
                          for qid, run in (('b', first), ('a', second))], ignore_index=True)
        rows = rows.assign(start=5.0, end=nan)
        result = transformer(rows)
        check_result(result)
        queries = [qid for qid, run in (('b', first), ('a', second)) if run]
        assert list(result.qid.unique()) == [qid for qid in queries if name != 'cut_effort_drop' or len(
            ids(result, qid))]
        if name != 'encode':
            assert result.start.tolist() == [start for _, start, _ in segments(result)]
            assert result.end.tolist() == [end for _, _, end in segments(result)]
        left = [list(range(len(rows)))[len(first):], list(range(len(first)))]
        shuffled = np.random.default_rng(seed).permutation(np.repeat([0, 1], [len(second), len(first)]))
        mixed = transformer(rows.iloc[[left[query].pop(0) for query in shuffled.tolist()]])
        check_result(mixed)
        for qid in 'ab':
            pd.testing.assert_frame_equal(mixed[mixed.qid == qid].reset_index(drop=True), check_dtype=False,
                                          right=result[result.qid == qid].reset_index(drop=True))

    @pytest.mark.parametrize('name', ['no_overlap', 'merge', 'expand', 'decode', 'to_documents'])
    def test_bare_documents_with_times_are_refused(self, name: str) -> None:
        rows = frame('w', 'v', start=[0, 5], end=[inf, 10])
        with pytest.raises(RowError, match=r"row 1 of the run: query 'q', document 'v': the docno has no fragment, but "
                                           r"a column 'start' beside it, 5.*pt\.segments\.encode\(\)"):
            TRANSFORMERS[name]()(rows)

    def test_a_score_that_is_missing_is_an_error(self) -> None:
        with pytest.raises(RowError, match=r'row 1 of the run.*score is missing'):
            S.no_overlap()(frame('v#t=0,1', 'v#t=1,2').assign(score=[1, nan]))

def seen_at(run: Run) -> list[tuple[str, set[int]]]:
    """The hundredths of each item."""
    return [(document, set(range(round(start * 100), round(end * 100)))) for document, start, end in run]


def stretches(instants: set[int]) -> list[tuple[float, float]]:
    """Hundredths as intervals."""
    starts = sorted(i for i in instants if i - 1 not in instants)
    ends = sorted(i + 1 for i in instants if i + 1 not in instants)
    return [(start / 100, end / 100) for start, end in zip(starts, ends)]


class TestNoOverlap:
    def test_whole_documents_and_open_ends(self) -> None:
        rows = frame('v#t=10,20', 'v', 'v#t=50', 'd#char=5,9', 'd#char=2,')
        assert ids(S.no_overlap()(rows)) == ['v#t=10,20', 'v#t=50', 'd#char=5,9']
        assert ids(S.no_overlap('trim')(rows)) == ['v#t=10,20', 'v#t=0,10', 'v#t=20', 'd#char=5,9', 'd#char=2,5',
                                                   'd#char=9,']
        assert ids(S.no_overlap('trim')(frame('v', 'v#t=1,2', 'w'))) == ['v', 'w']
        assert ids(S.no_overlap('trim')(frame('d#char=0,9', 'd'))) == ['d#char=0,9', 'd#char=9,']

    @given(runs())
    def test_drop_against_instants(self, run: Run) -> None:
        kept: list[int] = []
        items = seen_at(run)
        for i, (document, instants) in enumerate(items):
            point = round(run[i][1] * 100)
            if not any(document == items[j][0] and (instants & items[j][1] or (not instants and (
                    point in items[j][1] or run[j] == run[i]))) for j in kept):
                kept.append(i)
        assert segments(S.no_overlap()(frame_of(run))) == [run[i] for i in kept]

    @given(runs())
    def test_trim_against_instants(self, run: Run) -> None:
        seen: dict[str, set[int]] = {}
        expected: list[tuple[str, float, float]] = []
        for (document, instants), item in zip(seen_at(run), run):
            so_far = seen.setdefault(document, set())
            if not instants and round(item[1] * 100) not in so_far and item not in expected:
                expected.append(item)
            expected += [(document, *stretch) for stretch in stretches(instants - so_far)]
            so_far |= instants
        result = S.no_overlap('trim')(frame_of(run))
        assert segments(result) == expected
        assert S.no_overlap('trim')(result).equals(result)
        assert S.no_overlap('drop')(result).equals(result)

    def test_the_real_run_without_overlap(self, shared_data: Path) -> None:
        """The run of 2014 that its makers freed from overlap comes out, to the second in which they wrote it."""
        with_overlap, without = (S.encode()(pt.model.from_ir_measures(pd.DataFrame(formats.read_run(
            shared_data / 'mediaeval-sh-2014' / f'run-180-60-{name}.txt.gz', 'sh-search'))))
            for name in ('over', 'noover'))
        result = S.no_overlap()(with_overlap)
        assert len(result) == len(without) == 15825
        assert result[['qid', 'rank', 'run_score']].equals(without[['qid', 'rank', 'run_score']])
        ours, theirs = segments(result), segments(without)
        assert sum(one == other for one, other in zip(ours, theirs)) == 15684
        for one, other in zip(ours, theirs):
            assert one[0] == other[0]
            assert one[1:] == pytest.approx(other[1:], abs=1)


class TestMerge:
    @given(runs(), decimals(0, 30))
    def test_against_joining_pairs(self, run: Run, gap: float) -> None:
        clusters = [(rank, document, round(start * 100), round(end * 100))
                    for rank, (document, start, end) in enumerate(run)]
        while pair := next(((one, other) for one in clusters for other in clusters if one < other
                            and one[1] == other[1] and max(one[2], other[2]) - min(one[3], other[3])
                            <= round(gap * 100)), None):
            one, other = pair
            clusters = [cluster for cluster in clusters if cluster not in pair]
            clusters.append((one[0], one[1], min(one[2], other[2]), max(one[3], other[3])))
        assert segments(S.merge(gap)(frame_of(run))) == [
            (document, start / 100, end / 100) for _, document, start, end in sorted(clusters)]


class TestInContext:
    @given(cases)
    def test_against_sorting_and_the_measures_see_no_difference(self, case: tuple[Qrels, Run]) -> None:
        qrels, run = case
        run = list(dict.fromkeys(run))
        result = S.in_context()(frame_of(run))
        order = list(dict.fromkeys(document for document, _, _ in run))
        assert segments(result) == sorted(run, key=lambda item: (order.index(item[0]), *item[1:]))
        assert figures([AgP, AgP(score='P'), SegF], qrels, result) == pytest.approx(
            figures([AgP, AgP(score='P'), SegF], qrels, frame_of(run)), nan_ok=True)

def figures(measures: list[Any], qrels: Qrels, run: pd.DataFrame) -> dict[str, float]:
    """The values of the measures on a result."""
    judged = [ir_measures.Qrel('q', format_segment(Segment(document, start, end, 't')), relevance)
              for document, start, end, relevance in qrels]
    values = ir_measures.calc_aggregate(measures, judged, pt.model.to_ir_measures(run))
    return {str(measure): value for measure, value in values.items()}


class TestCutEffort:
    def test_what_has_no_length_is_an_error_where_it_is_read(self) -> None:
        rows = frame('v#t=0,10', 'w', 'd#char=0,4')
        assert ids(S.cut_effort(10)(rows)) == ['v#t=0,10']
        with pytest.raises(RowError, match=r"row 1 .*'w' is not known, since its end is not"):
            S.cut_effort(10.5)(rows)
        with pytest.raises(RowError, match=r"row 1 .*on 't' and on 'char'"):
            S.cut_effort(10.5)(frame('v#t=0,10', 'd#char=0,4'))
        with pytest.raises(RowError, match=r'from 0 to 2\.5, but .*whole characters'):
            S.cut_effort(2.5)(frame('d#char=0,4'))

    @given(cases, budgets)
    def test_as_the_measures_with_a_budget(self, case: tuple[Qrels, Run], budget: float) -> None:
        qrels, run = case
        whole = figures([SegP(budget=budget), SegR(budget=budget)], qrels, frame_of(run))
        cut = figures([SegP, SegR], qrels, S.cut_effort(budget)(frame_of(run)))
        assert list(cut.values()) == pytest.approx(list(whole.values()), nan_ok=True)


class TestMoving:
    """expand, snap and entry_points."""

    def test_snap_by_hand(self) -> None:
        rows = frame('v#t=10,20', 'v#t=9.5,11', 'v#t=25,40', 'w#t=1,2', 'v#t=30,30', 'v#t=12,12', 'w', 'v#t=22')
        assert ids(S.snap(BOUNDARIES)(rows)) == ['v#t=10,20', 'v#t=0,20', 'v#t=20,40', 'w#t=0,5', 'v#t=30,30', 'w',
                                                 'v#t=20']
        assert ids(S.snap(BOUNDARIES.__getitem__)(rows)) == ids(S.snap(BOUNDARIES)(rows))
        assert ids(S.snap(lambda document: iter([0.3]))(frame('v#t=0.3,0.4', 'v#t=0.1,0.29'))) == ['v#t=0.3,0.4',
                                                                                                   'v#t=0,0.3']
        rows = frame('v#t=0.3,0.5', 'v#t=0.1,0.3000001')
        assert ids(S.snap({'v': [0.1 + 0.2, 1]})(rows)) == ['v#t=0.3,1', 'v#t=0,0.3']

    @given(runs(), st.lists(decimals(0, 130)))
    def test_snap_against_looking_at_every_boundary(self, run: Run, boundaries: list[float]) -> None:
        expected = []
        for document, start, end in run:
            start = max((boundary for boundary in boundaries if boundary <= start), default=0)
            end = min((boundary for boundary in boundaries if boundary >= end), default=end)
            expected.append((document, start, end))
        assert segments(S.snap(lambda document: boundaries)(frame_of(run))) == list(dict.fromkeys(expected))

    @pytest.mark.parametrize(('make', 'sentence'), [
        (lambda: S.entry_points(), 'row 1 .*a whole document has no unit'),
        (lambda: S.expand(1, durations={'v': 3}), "row 1 .*document 'w': there is no duration"),
        (lambda: S.expand(1, durations={'v': nan}), r"durations\['v'\]=nan: the length of a document, a number of 0"),
        (lambda: S.snap({'w': [1]}), "row 0 .*document 'v': the boundaries of this document are None"),
        (lambda: S.snap({'v': [3, -1], 'w': []}), r'row 0 .*of this document are \[3, -1\]: .*of 0 or more'),
        (lambda: S.snap({'v': [(5, 0)]}), r'the boundaries of this document are \[\(5, 0\)\]'),
    ])
    def test_what_is_missing_or_wrong(self, make: Callable[[], Any], sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            make()(frame('v#t=1,2', 'w'))


class TestIds:
    """encode, decode and resolve."""

    def test_there_and_back(self) -> None:
        bare = frame('v', 'v', 'w', start=[1, 2.5, 3], end=[2, 2.5, 4], text='x')
        encoded = S.encode()(bare)
        assert ids(encoded) == ['v#t=1,2', 'v#t=2.5,2.5', 'w#t=3,4']
        assert list(encoded.columns) == ['qid', 'query', 'docno', 'score', 'text', 'rank']
        pd.testing.assert_frame_equal(S.decode(bare=True)(encoded)[bare.columns], bare)
        assert S.decode()(encoded)[['document', 'docno', 'start', 'end']].values.tolist() == [
            ['v', 'v#t=1,2', 1, 2], ['v', 'v#t=2.5,2.5', 2.5, 2.5], ['w', 'w#t=3,4', 3, 4]]
        assert ids(S.encode('char')(frame('v', start=5, length=3))) == ['v#char=5,8']
        assert ids(S.encode()(frame('v#char=1,2', start=5, end=7))) == ['v#char=1,2']

    def test_resolve(self) -> None:
        rows = frame('v', 'shot1', 'v#t=0,4.2', 'v#t=50', 'w', text='x')
        result = S.resolve(TABLE, missing='keep')(rows)
        assert ids(result) == ['v#t=0,100', 'v#t=0,4.2', 'v#t=50,100', 'w']
        assert result.text.tolist() == ['x'] * 4
        with pytest.raises(ValueError, match=r"1 of 5 ids are not in the table, such as 'w'"):
            S.resolve(TABLE)(rows)
        elements = S.resolve({'a#xpath=/s[1]': Segment('a', 5, 9, 'char', '/s[1]')})(frame('a#xpath=/s[1]'))
        assert ids(elements) == ['a#xpath=/s[1]&char=5,9']


class TestDocuments:
    """align and to_documents: the plain functions, in pipelines."""

    def test_judgements_become_those_of_documents(self) -> None:
        qrels = pd.DataFrame([('q', 'w#t=0,9', 0), ('q', 'v#t=3,6', 1), ('p', 'v#t=3,6', -1), ('q', 'v#t=12,30', 2)],
                             columns=['qid', 'docno', 'label'])
        judged = S.to_documents('sum')(qrels)
        assert judged.values.tolist() == [['q', 'w', 0], ['q', 'v', 2], ['p', 'v', -1]]
        assert pt.inspect.transformer_inputs(S.to_documents()) == [['qid', 'docno', 'score'], ['qid', 'docno', 'label']]
        run = pt.Transformer.from_df(frame('w#t=0,9', 'v#t=4,5', 'v#t=12,13'))
        table = pt.Experiment([run >> S.to_documents()], pd.DataFrame({'qid': ['q'], 'query': ['x']}),
                              judged[judged.qid == 'q'], ['map', 'ndcg_cut_10'])
        assert table['map'].tolist() == [0.5]
        assert table['ndcg_cut_10'].tolist() == pytest.approx([1 / np.log2(3)])

class Counted(pt.Transformer):
    """Results that count how often they are asked for."""

    def __init__(self, rows: pd.DataFrame):
        self.rows, self.calls = rows, 0

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        pt.validate.query_frame(inp, ['query'], context=self)
        self.calls += len(inp) > 0
        return inp.merge(self.rows.drop(columns='query'), on='qid')


class TestPipelines:
    """Behind and before PyTerrier's operators."""
    TOPICS = pd.DataFrame({'qid': ['q', 'p'], 'query': ['about q', 'about p']})
    LEFT = pd.concat([frame('v#t=0,10', 'v#t=5,20', 'w#t=0,9', start=[0, 5, 0], end=[10, 20, 9], text='left'),
                      frame('u#t=0,10', qid='p', start=0, end=10, text='left')])
    RIGHT = pd.concat([frame('v#t=15,30', 'v#t=5,20', 'u#t=1,2', scores=[2.5, 2, 1.5]),
                       frame('u#t=8,12', 'w#t=3,4', qid='p', scores=[2, 0.5])])

    def systems(self) -> tuple[Counted, Counted]:
        return Counted(self.LEFT), Counted(self.RIGHT)

    def test_after_plus(self) -> None:
        one, other = self.systems()
        merged = (one + other)(self.TOPICS)
        assert merged['start'].isna().any()
        assert merged['query'].isna().any()  # what + leaves where only the right side has a row
        for reshape, expected in (
            (S.no_overlap(), {'q': ['v#t=5,20', 'u#t=1,2', 'w#t=0,9'], 'p': ['u#t=8,12', 'w#t=3,4']}),
            (S.no_overlap('trim'), {'q': ['v#t=5,20', 'v#t=0,5', 'v#t=20,30', 'u#t=1,2', 'w#t=0,9'],
                                    'p': ['u#t=8,12', 'u#t=0,8', 'w#t=3,4']}),
            (S.merge(), {'q': ['v#t=0,30', 'u#t=1,2', 'w#t=0,9'], 'p': ['u#t=0,12', 'w#t=3,4']}),
        ):
            result = ((one + other) >> reshape)(self.TOPICS)
            check_result(result)
            assert {qid: ids(result, qid) for qid in 'qp'} == expected
            assert result.start.tolist() == [start for _, start, _ in segments(result)]

    @pytest.mark.parametrize('plan', ['linear', 'tree'])
    def test_experiments_share_what_pipelines_begin_with(self, plan: str) -> None:
        one, _ = self.systems()
        pipelines = [one >> S.no_overlap() >> S.expand(1), one >> S.no_overlap() >> S.expand(2)]
        qrels = pd.DataFrame([('q', 'v#t=0,11', 1), ('p', 'u#t=0,12', 1)], columns=['qid', 'docno', 'label'])
        table = pt.Experiment([pipe >> S.align(qrels) for pipe in pipelines], self.TOPICS, qrels, [AgP, RR],
                              validate='error', plan=plan)
        assert one.calls == {'linear': 2, 'tree': 1}[plan]
        assert table['RR'].tolist() == [1, 1]
        assert 0 < table['AgP'][0] <= 1
