"""The transformers that reshape runs of segments: by hand, against slow references, behind PyTerrier's operators."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, nDCG
from strategies import Qrels, Run, budgets, cases, decimals, examples, runs

from ir_segmeasures import AgP, SegF, SegP, SegR, formats, sample
from ir_segmeasures.ids.documents import align, to_documents
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError
from ir_segmeasures.texts.elements import Elements

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

for _name, _make in TRANSFORMERS.items():
    globals()[f'Test_{_name}'] = pt.testing.transformer_test_class(_make)


def frame(*ids: str, qid: Any = 'q', scores: Sequence[float] | None = None, **columns: Any) -> pd.DataFrame:
    """Results of one query, in this order by score where none are given."""
    scores = [float(len(ids) - rank) for rank in range(len(ids))] if scores is None else scores
    return pt.model.add_ranks(pd.DataFrame({'qid': qid, 'query': f'about {qid}', 'docno': pd.Series(ids, dtype=str),
                                            'score': pd.Series(scores, dtype=float), **columns}))


def frame_of(run: Run, qid: Any = 'q', scores: Sequence[float] | None = None) -> pd.DataFrame:
    """The same for a generated ranking."""
    return frame(*(format_segment(Segment(*item, 't')) for item in run), qid=qid, scores=scores)


def ids(result: pd.DataFrame, qid: Any = 'q') -> list[str]:
    """What came out for a query."""
    return result[result.qid == qid].docno.tolist()


def segments(result: pd.DataFrame) -> list[tuple[str, float, float]]:
    """What came out, parsed."""
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
    """What all of them have in common."""

    @pytest.mark.parametrize('extra', ['', 'query rank', 'query text docid title', 'start end length features'])
    @every
    def test_no_rows_and_the_same_columns_as_with_rows(self, name: str, extra: str) -> None:
        needed = ['qid', 'docno', 'score', *(['start', 'end'] if name == 'encode' else [])]
        columns = list(dict.fromkeys([*needed, *extra.split()]))
        values = {'qid': 'q', 'docno': 'v#t=1,9', 'score': 1.5, 'start': 1, 'end': 9, 'length': 8}
        transformer = TRANSFORMERS[name]()
        full = transformer(pd.DataFrame([[values.get(column, column) for column in columns]], columns=columns))
        empty = transformer(pd.DataFrame(columns=columns))
        assert (len(full), len(empty)) == (1, 0)
        assert list(full.columns) == list(empty.columns) == transformer.transform_outputs(columns)
        assert {'qid', 'docno', 'score'} <= set(full.columns)
        stay = {'text', 'docid', 'title', 'features'} & set(columns)
        assert stay & set(full.columns) == (stay if name in SAME_CONTENT else stay - {'text', 'docid'})
        if name != 'decode':
            assert (empty['score'].dtype, empty['rank'].dtype) == (float, np.int64)

    @every
    def test_the_frame_that_came_in_stays_as_it_is(self, name: str) -> None:
        rows = frame('v#t=0,10', 'v#t=5,20', 'w#t=1,2', start=[9, 9, 9], end=[nan, 3, 4], text='x')
        before = rows.copy()
        TRANSFORMERS[name]()(rows)
        pd.testing.assert_frame_equal(rows, before)

    @every
    def test_missing_columns_are_named(self, name: str) -> None:
        transformer = TRANSFORMERS[name]()
        with pytest.raises(pt.validate.InputValidationError, match=r'(?s)transformer \w+\(.*docno'):
            transformer(pd.DataFrame({'qid': ['q'], 'query': ['x']}))
        with pytest.raises(pt.validate.InputValidationError, match='docno'):
            transformer.transform_outputs(['qid', 'query'])

    @every
    def test_told_apart_by_parameters(self, name: str) -> None:
        one, other = TRANSFORMERS[name](), TRANSFORMERS[name]()
        assert one == other == pickle.loads(pickle.dumps(one)) == pt.inspect.transformer_apply_attributes(one)
        assert hash(one) == hash(other) == hash(pickle.loads(pickle.dumps(one)))
        assert [make for make in TRANSFORMERS if TRANSFORMERS[make]() == one] == [name]
        assert one != name

    def test_other_parameters_are_another_transformer(self) -> None:
        assert S.no_overlap() == S.no_overlap(policy='drop')
        assert S.expand(1) != S.expand(0, 1)
        assert S.snap({'v': [1]}) != S.snap({'v': [2]})
        assert S.snap({'v': [1]}) != S.snap({'w': [1]})
        assert S.snap({'v': np.array([1, 2])}) == S.snap({'v': np.array([1, 2])})
        assert S.align(QRELS) == S.align(QRELS.copy())
        assert S.align(QRELS) != S.align(QRELS.iloc[:1])
        assert S.align(QRELS) != S.align([]) != S.align(QRELS)
        assert len({S.merge(), S.merge(0.0), S.merge(1)}) == 2

    def test_repr_is_the_call(self) -> None:
        assert repr(S.merge()) == 'merge()'
        assert repr(S.expand(1, durations={'v': 3})) == "expand(before=1, durations={'v': 3})"
        assert repr(S.expand(durations=dict.fromkeys('abcdefghij', 1))) == 'expand(durations=<dict of 10>)'
        assert repr(S.align(QRELS, 'iou', 0.5)) == "align(qrels=<frame of 2 rows>, by='iou', threshold=0.5)"
        assert repr(S.snap(len)) == 'snap(boundaries=len)'

    @every
    def test_drawn_without_the_network(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*args: Any) -> None:
            raise AssertionError('drawing looked for a page of documentation')

        monkeypatch.setattr(pt.documentation, 'url_for_class', refuse)
        schematic = pt.schematic.transformer_schematic(TRANSFORMERS[name]())
        assert schematic['label'] == name.removesuffix('_trim').removesuffix('_drop').removesuffix('_within')
        assert schematic['label'] in pt.schematic.draw(TRANSFORMERS[name]())
        assert all(len(str(value)) < 80 for value in schematic['settings'].values())

    @every
    def test_rows_as_dicts(self, name: str) -> None:
        rows, transformer = frame('v#t=0,10', 'v#t=5,20', start=1, end=2), TRANSFORMERS[name]()
        assert transformer(rows.to_dict('records')) == transformer(rows).to_dict('records')
        assert transformer([]) == []

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

    @pytest.mark.parametrize('name', ['expand', 'snap', 'entry_points', 'decode', 'resolve'])
    def test_results_without_scores(self, name: str) -> None:
        rows = frame('v#t=10,20', 'w#t=1,2', 'v#t=12,18').drop(columns=['score', 'rank'])
        with_scores = TRANSFORMERS[name]()(frame('v#t=10,20', 'w#t=1,2', 'v#t=12,18'))
        pd.testing.assert_frame_equal(TRANSFORMERS[name]()(rows), with_scores.drop(columns=['score', 'rank']))

    @pytest.mark.parametrize('name', ['encode', 'decode', 'resolve'])
    def test_documents_to_be_indexed(self, name: str) -> None:
        documents = pd.DataFrame({'docno': ['v#t=10,20', 'v'], 'text': ['x', 'y'], 'start': 0, 'end': inf})
        result = TRANSFORMERS[name]()(documents[:1])
        assert result.docno.tolist() == ['v#t=10,20']
        assert result.text.tolist() == ['x']
        assert 'rank' not in result.columns

    @pytest.mark.parametrize('name', ['no_overlap', 'merge', 'expand', 'decode', 'to_documents'])
    def test_bare_documents_with_times_are_refused(self, name: str) -> None:
        rows = frame('w', 'v', start=[0, 5], end=[inf, 10])
        with pytest.raises(RowError, match=r"row 1 of the run: query 'q', document 'v': the docno has no fragment, but "
                                           r"a column 'start' beside it, 5.*pt\.segments\.encode\(\)"):
            TRANSFORMERS[name]()(rows)

    def test_whole_documents_beside_segments_may_have_empty_or_whole_times(self) -> None:
        rows = frame('u', 'v#t=5,9', 'w', start=[nan, 5, 0], end=[nan, 9, inf])  # as + leaves them
        assert S.in_context()(rows)[['start', 'end']].values.tolist() == [[0, inf], [5, 9], [0, inf]]

    def test_a_score_that_is_missing_is_an_error(self) -> None:
        with pytest.raises(RowError, match=r'row 1 of the run.*score is missing'):
            S.no_overlap()(frame('v#t=0,1', 'v#t=1,2').assign(score=[1, nan]))

    def test_names_are_no_measures(self) -> None:
        from ir_segmeasures import measures
        from ir_segmeasures import pt as module
        assert not set(module._TRANSFORMERS) & {*measures.__all__, *vars(ir_measures)}
        assert set(module._TRANSFORMERS) <= {*module.__all__} & {*dir(module)}
        with pytest.raises(AttributeError, match=r"'ir_segmeasures\.pt' has no attribute 'no_such'"):
            S.no_such  # noqa: B018


def seen_at(run: Run) -> list[tuple[str, set[int]]]:
    """The hundredths of each item."""
    return [(document, set(range(round(start * 100), round(end * 100)))) for document, start, end in run]


def stretches(instants: set[int]) -> list[tuple[float, float]]:
    """Hundredths as intervals."""
    starts = sorted(i for i in instants if i - 1 not in instants)
    ends = sorted(i + 1 for i in instants if i + 1 not in instants)
    return [(start / 100, end / 100) for start, end in zip(starts, ends)]


class TestNoOverlap:
    def test_by_hand(self) -> None:
        rows = frame('v#t=10,20', 'v#t=15,30', 'v#t=20,25', 'w#t=10,20', 'v#t=0,100', 'v#t=12,13')
        assert ids(S.no_overlap()(rows)) == ['v#t=10,20', 'v#t=20,25', 'w#t=10,20']
        assert ids(S.no_overlap('trim')(rows)) == ['v#t=10,20', 'v#t=20,30', 'w#t=10,20', 'v#t=0,10', 'v#t=30,100']

    def test_pieces_keep_their_place(self) -> None:
        rows = frame('v#t=10,20', 'v#t=0,30', 'w#t=0,9', 'u#t=0,9', scores=[5, 4, 4, 3])
        result = S.no_overlap('trim')(rows)
        assert ids(result) == ['v#t=10,20', 'v#t=0,10', 'v#t=20,30', 'w#t=0,9', 'u#t=0,9']
        assert result.score.tolist()[:2] == [5, 4]
        assert result.score.tolist()[4] == 3
        assert (np.diff(result.score.astype(np.float32))[1:] < 0).all()  # what trec_eval sees
        assert result.score.tolist()[2:4] == pytest.approx([4, 4], abs=1e-6)

    def test_entry_points(self) -> None:
        rows = frame('v#t=5,5', 'v#t=0,10', 'v#t=5,5.0', 'v#t=0,0', 'v#t=10,10', 'v#t=0:05,5', 'v#t=7,7')
        for policy in 'drop', 'trim':
            assert ids(S.no_overlap(policy)(rows)) == ['v#t=5,5', 'v#t=0,10', 'v#t=10,10']
            assert ids(S.no_overlap(policy)(frame('v#t=5,5', 'v#t=0:05,5', 'w#t=5,5'))) == ['v#t=5,5', 'w#t=5,5']

    def test_whole_documents_and_open_ends(self) -> None:
        rows = frame('v#t=10,20', 'v', 'v#t=50', 'd#char=5,9', 'd#char=2,')
        assert ids(S.no_overlap()(rows)) == ['v#t=10,20', 'v#t=50', 'd#char=5,9']
        assert ids(S.no_overlap('trim')(rows)) == ['v#t=10,20', 'v#t=0,10', 'v#t=20', 'd#char=5,9', 'd#char=2,5',
                                                   'd#char=9,']
        assert ids(S.no_overlap('trim')(frame('v', 'v#t=1,2', 'w'))) == ['v', 'w']
        assert ids(S.no_overlap('trim')(frame('d#char=0,9', 'd'))) == ['d#char=0,9', 'd#char=9,']

    def test_no_piece_is_too_short_for_an_id(self) -> None:
        assert ids(S.no_overlap('trim')(frame('v#t=0,10.0000001', 'v#t=5,10.0000002'))) == ['v#t=0,10.0000001']

    def test_only_whole_elements_keep_their_path(self) -> None:
        rows = frame('a#xpath=/s[1]/p[1]&char=10,20', 'a#xpath=/s[1]&char=0,30', 'a#xpath=/s[2]&char=30,40')
        assert ids(S.no_overlap('trim')(rows)) == ['a#xpath=/s[1]/p[1]&char=10,20', 'a#char=0,10', 'a#char=20,30',
                                                   'a#xpath=/s[2]&char=30,40']

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
    def test_by_hand(self) -> None:
        rows = frame('v#t=10,20', 'w#t=0,5', 'v#t=40,50', 'v#t=20,30', 'v#t=33,35', 'w#t=2,3')
        assert ids(S.merge()(rows)) == ['v#t=10,30', 'w#t=0,5', 'v#t=40,50', 'v#t=33,35']
        assert ids(S.merge(3)(rows)) == ['v#t=10,35', 'w#t=0,5', 'v#t=40,50']
        assert ids(S.merge(gap=5)(rows)) == ['v#t=10,50', 'w#t=0,5']
        assert ids(S.merge()(frame('v#t=20,25', 'v#t=5,10', 'v#t=0,30'))) == ['v#t=0,30']

    def test_the_best_rank_its_score_and_columns(self) -> None:
        rows = frame('w#t=0,5', 'v#t=40,50', 'v#t=45,60', scores=[3, 2.5, 2], title=['a', 'b', 'c'])
        assert S.merge()(rows).drop(columns='query').values.tolist() == [
            ['q', 'w#t=0,5', 3, 'a', 0], ['q', 'v#t=40,60', 2.5, 'b', 1]]

    def test_decimals_as_written(self) -> None:
        assert ids(S.merge(0.7)(frame('v#t=0,0.1', 'v#t=0.8,1'))) == ['v#t=0,1']  # in floats 0.8 - 0.1 > 0.7
        assert ids(S.merge(0.7)(frame('v#t=0,0.1', 'v#t=0.800001,1'))) == ['v#t=0,0.1', 'v#t=0.800001,1']

    def test_the_id_of_the_one_that_is_the_whole(self) -> None:
        rows = frame('a#xpath=/s[1]/p[1]&char=10,20', 'a#xpath=/s[1]&char=0,30', 'b#char=5,9', 'b', 'c#t=0:10,0:20')
        assert ids(S.merge()(rows)) == ['a#xpath=/s[1]&char=0,30', 'b', 'c#t=0:10,0:20']

    def test_entry_points_and_open_ends(self) -> None:
        rows = frame('v#t=5,5', 'v#t=8,8', 'w#t=10', 'w#t=2,10', 'v#t=5,6')
        assert ids(S.merge()(rows)) == ['v#t=5,6', 'v#t=8,8', 'w#t=2']
        assert ids(S.merge(2)(rows)) == ['v#t=5,8', 'w#t=2']

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
    def test_by_hand(self) -> None:
        rows = frame('v#t=50,60', 'w#t=5,9', 'v#t=10,20', 'u#t=0,1', 'v#t=10,15', 'w#t=1,2',
                     scores=[9, 8, 7, 6, 5, 4], text=list('abcdef'))
        result = S.in_context()(rows)
        assert ids(result) == ['v#t=10,15', 'v#t=10,20', 'v#t=50,60', 'w#t=1,2', 'w#t=5,9', 'u#t=0,1']
        assert result.text.tolist() == list('ecafbd')
        assert result.score.tolist() == pytest.approx([9, 9, 9, 8, 8, 6], abs=1e-5)
        assert result.score.tolist()[0::3] == [9, 8]
        assert (np.diff(result.score.astype(np.float32)) < 0).all()

    def test_documents_of_equal_score_stay_equal_and_in_order(self) -> None:
        result = S.in_context()(frame('v#t=5,6', 'u#t=5,6', 'w#t=0,1', scores=[2, 2, 2]))
        assert ids(result) == ['v#t=5,6', 'u#t=5,6', 'w#t=0,1']
        assert result.score.tolist() == [2, 2, 2]

    @given(cases)
    def test_against_sorting_and_the_measures_see_no_difference(self, case: tuple[Qrels, Run]) -> None:
        qrels, run = case
        run = list(dict.fromkeys(run))
        result = S.in_context()(frame_of(run))
        order = list(dict.fromkeys(document for document, _, _ in run))
        assert segments(result) == sorted(run, key=lambda item: (order.index(item[0]), *item[1:]))
        assert figures([AgP, AgP(score='P'), SegF], qrels, result) == pytest.approx(
            figures([AgP, AgP(score='P'), SegF], qrels, frame_of(run)), nan_ok=True)

    @given(st.lists(st.tuples(st.floats(width=32), st.booleans()).filter(lambda pair: pair[0] == pair[0])))
    def test_scores_that_reproduce_an_order(self, rows: list[tuple[float, bool]]) -> None:
        from ir_segmeasures.ids.ties import descending
        score, follows = [value for value, _ in rows], [follow for _, follow in rows]
        result = descending([1] * len(rows), score, follows)
        single = np.array(result, np.float32)
        assert all(new <= old for new, old in zip(result, score))
        for i, (one, other) in enumerate(pairwise(single.tolist()), 1):
            tie = score[i] == score[i - 1] == result[i - 1] and not follows[i]
            assert other < one or tie or one <= float(np.finfo(np.float32).min)  # nothing is lower
        assert descending([1] * len(rows), sorted(score, reverse=True), [False] * len(rows)) == sorted(score)[::-1]
        assert descending(range(len(rows)), score, follows) == score
        below = float(np.nextafter(np.float32(5), np.float32(0)))
        lowered = descending([1, 1, 1], [5, 5, below], [False, True, False])
        assert lowered[:2] == [5, below]
        assert lowered[2] < below


def figures(measures: list[Any], qrels: Qrels, run: pd.DataFrame) -> dict[str, float]:
    """What the measures say on a result."""
    judged = [ir_measures.Qrel('q', format_segment(Segment(document, start, end, 't')), relevance)
              for document, start, end, relevance in qrels]
    values = ir_measures.calc_aggregate(measures, judged, pt.model.to_ir_measures(run))
    return {str(measure): value for measure, value in values.items()}


class TestCutEffort:
    def test_by_hand(self) -> None:
        rows = frame('v#t=0,10', 'v#t=3,3', 'w#t=5,12', 'v#t=0,5', 'u#t=1,2')
        assert ids(S.cut_effort(10)(rows)) == ['v#t=0,10']
        assert ids(S.cut_effort(14)(rows)) == ['v#t=0,10', 'v#t=3,3', 'w#t=5,9']
        assert ids(S.cut_effort(21.5)(rows)) == ['v#t=0,10', 'v#t=3,3', 'w#t=5,12', 'v#t=0,4.5']
        assert ids(S.cut_effort(21.5, last='drop')(rows)) == ['v#t=0,10', 'v#t=3,3', 'w#t=5,12']
        assert len(S.cut_effort(100)(rows)) == 5

    def test_every_query_has_its_own(self) -> None:
        rows = pd.concat([frame('v#t=0,10', 'w#t=0,10', qid='b'), frame('d#char=0,12', qid='a'), frame('u#t=1,2')])
        result = S.cut_effort(11)(rows)
        assert [ids(result, qid) for qid in 'baq'] == [['v#t=0,10', 'w#t=0,1'], ['d#char=0,11'], ['u#t=1,2']]

    def test_decimals_as_written(self) -> None:
        assert ids(S.cut_effort(0.3)(frame('v#t=0,0.1', 'v#t=0.1,0.3', 'w#t=0,1'))) == ['v#t=0,0.1', 'v#t=0.1,0.3']
        assert ids(S.cut_effort(0.7, last='drop')(frame('v#t=0.1,0.8'))) == ['v#t=0.1,0.8']

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

    def test_expand_by_hand(self) -> None:
        rows = frame('v#t=5,20', 'v#t=1,2.5', 'w#t=40,50', 'w', 'v#t=60', 'w#t=3,3', 'd#char=4,5')
        assert ids(S.expand(2.5, 1)(rows[:6])) == ['v#t=2.5,21', 'v#t=0,3.5', 'w#t=37.5,51', 'w', 'v#t=57.5',
                                                   'w#t=0.5,4']
        assert ids(S.expand(after=1, durations=DURATIONS)(rows[:6])) == ['v#t=5,21', 'v#t=1,3.5', 'w#t=40,50.5', 'w',
                                                                         'v#t=60', 'w#t=3,4']
        assert ids(S.expand(1, 1)(rows[6:])) == ['d#char=3,6']
        assert ids(S.expand(0.1, 0.2)(frame('v#t=0.3,0.7'))) == ['v#t=0.2,0.9']

    def test_what_a_duration_does_not_cut(self) -> None:
        rows = frame('v#t=60,70', 'v#t=40,60')
        assert ids(S.expand(after=5, durations={'v': 50})(rows)) == ids(rows)

    def test_items_that_become_the_same(self) -> None:
        rows = frame('v#t=3,3', 'v#t=2,3', 'v#t=0:01,0:03', 'v#t=3,3', title=list('abcd'))
        result = S.expand(before=5)(rows)
        assert ids(result) == ['v#t=0,3']
        assert result.title.tolist() == ['a']

    def test_paths_stay_with_their_elements(self) -> None:
        rows = frame('a#xpath=/s[1]&char=10,20', 'a#xpath=/s[1]/p[1]&char=10,20')
        assert ids(S.expand()(rows)) == ids(rows)
        assert ids(S.expand(1)(rows)) == ['a#char=9,20']
        assert ids(S.entry_points()(rows)) == ['a#char=10,10']

    def test_snap_to_spans(self) -> None:
        for spans in ([(0, 5), (5, 10)], ((5, 10), [0, 5]), np.array([[0, 5], [5, 10]])):
            assert ids(S.snap({'v': spans})(frame('v#t=1,6', 'v#t=6,7'))) == ['v#t=0,10', 'v#t=5,10']

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

    @given(runs())
    def test_entry_points(self, run: Run) -> None:
        assert segments(S.entry_points()(frame_of(run))) == list(dict.fromkeys(
            (document, start, start) for document, start, _ in run))

    @pytest.mark.parametrize(('make', 'sentence'), [
        (lambda: S.entry_points(), 'row 1 .*a whole document has no unit'),
        (lambda: S.expand(1, durations={'v': 3}), "row 1 .*document 'w': there is no duration"),
        (lambda: S.expand(1, durations={'v': nan}), r"durations\['v'\]=nan: the length of a document, a number of 0"),
        (lambda: S.expand(1, durations={'v': '3'}), r"durations\['v'\]='3'"),
        (lambda: S.snap({'w': [1]}), "row 0 .*document 'v': there are no boundaries"),
        (lambda: S.snap({'v': [3, -1], 'w': []}), 'row 0 .*a boundary of this document is -1.0'),
        (lambda: S.snap({'v': [inf]}), 'a boundary of this document is inf'),
        (lambda: S.snap({'v': None}), 'the boundaries of this document are None: give a list of positions, or of '),
        (lambda: S.snap({'v': ['a']}), r"the boundaries of this document are \['a'\]"),
        (lambda: S.snap({'v': [(5, 0)]}), r'the boundaries of this document are \[\(5, 0\)\]'),
        (lambda: S.snap(lambda document: [(0, 5), 7]), r'the boundaries of this document are \[\(0, 5\), 7\]'),
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

    def test_decode_says_infinity_and_whole_numbers_where_all_are(self) -> None:
        assert S.decode()(frame('v', 'v#t=3', 'v#t=1,2'))[['start', 'end']].values.tolist() == [
            [0, inf], [3, inf], [1, 2]]
        assert 'text'[slice(*S.decode()(frame('d#char=1,3')).loc[0, ['start', 'end']])] == 'ex'

    def test_rows_with_the_same_id(self) -> None:
        rows = frame('v', 'v', start=1, end=2, scores=[1, 2], title=['a', 'b'])
        assert S.encode()(rows).title.tolist() == ['b']
        judged = rows.drop(columns=['score', 'rank', 'query']).assign(label=[0, 1])
        assert S.encode()(judged).to_dict('records') == [
            {'qid': 'q', 'docno': 'v#t=1,2', 'title': 'a', 'label': 0},
            {'qid': 'q', 'docno': 'v#t=1,2', 'title': 'b', 'label': 1}]

    def test_elements_of_documents_that_are_read_when_asked_for(self, tmp_path: Path) -> None:
        (tmp_path / 'a.xml').write_text('<a><s>01234</s></a>')
        (tmp_path / 'broken.xml').write_text('<a>')
        resolve = S.resolve(Elements(tmp_path))
        assert ids(resolve(frame('a#xpath=/a[1]/s[1]'))) == ['a#xpath=/a[1]/s[1]&char=0,5']
        # Nothing else is read, whatever a pipeline asks about the transformer.
        assert resolve == S.resolve(Elements(tmp_path)) != S.resolve(Elements(tmp_path / 'x'))
        assert repr(resolve) == f'resolve(table=Elements({str(tmp_path)!r}))' and len({resolve, resolve}) == 1
        assert 'Elements' in str(resolve.schematic())

    def test_resolve(self) -> None:
        rows = frame('v', 'shot1', 'v#t=0,4.2', 'v#t=50', 'w', text='x')
        result = S.resolve(TABLE, missing='keep')(rows)
        assert ids(result) == ['v#t=0,100', 'v#t=0,4.2', 'v#t=50,100', 'w']
        assert result.text.tolist() == ['x'] * 4
        with pytest.raises(ValueError, match=r"1 of 5 ids are not in the table, such as 'w'"):
            S.resolve(TABLE)(rows)
        elements = S.resolve({'a#xpath=/s[1]': Segment('a', 5, 9, 'char', '/s[1]')})(frame('a#xpath=/s[1]'))
        assert ids(elements) == ['a#xpath=/s[1]&char=5,9']

    def test_resolve_warns(self) -> None:
        with pytest.warns(UserWarning, match="1 of 1 ids are not in the table, such as 'w': they stay"):
            assert ids(S.resolve(TABLE, missing='warn')(frame('w'))) == ['w']

    def test_resolve_by_a_pattern(self) -> None:
        result = S.resolve(ids='{doc}_{start}-{end}-{}')(frame('d_10-20-0', 'd_30-40-1', 'e#char=1,2'))
        assert ids(result) == ['d#char=10,20', 'd#char=30,40', 'e#char=1,2']
        assert ids(S.resolve(ids='{doc}_{start}-{end}', unit='t')(frame('d_1-2'))) == ['d#t=1,2']
        with pytest.raises(ValueError, match='1 of 1 ids are not of the form'):
            S.resolve(ids='{doc}_{start}-{end}')(frame('w'))
        for wrong in ({}, {'table': TABLE, 'ids': '{doc}_{start}-{end}'}, {'ids': '{doc}'}, {'ids': 'x', 'unit': 'ft'}):
            with pytest.raises(ValueError):
                S.resolve(**wrong)

    def test_resolve_by_a_corpus(self, tmp_path: Path) -> None:
        (tmp_path / 'a.jsonl').write_text('{"n": "d#1", "from": 5, "to": 9}\n{"n": "d#2", "from": 8, "to": 12}\n')
        by_corpus = S.resolve(corpus=tmp_path / '*.jsonl', id='n', start='from', end='to', missing='keep')
        assert ids(by_corpus(frame('d#2', 'd#3', 'd#1'))) == ['d#char=8,12', 'd#3', 'd#char=5,9']
        assert by_corpus == eval(repr(by_corpus), {'resolve': S.resolve, 'PosixPath': Path, 'WindowsPath': Path})
        with pytest.raises(FileNotFoundError):
            S.resolve(corpus=str(tmp_path / '*.gz'))

    @pytest.mark.parametrize('extent', [('z', 5), 'z', 'abc', ('z', 'a', 5), ('z', 5, None), (1, 2, 3), True])
    def test_a_bad_extent_is_named(self, extent: Any) -> None:
        with pytest.raises(ValueError) as caught:
            S.resolve({'x': extent})(frame('x'))
        assert str(caught.value) == f"the table has {extent!r} for 'x': give (document, start, end), a Segment, or " \
                                    'the length of a document'
        with pytest.raises(ValueError, match=r"the table has \('z', 5, 3\) for 'x': .*"):
            S.resolve({'x': ('z', 5, 3)})(frame('x'))

    def test_encode_beside_segment_ids(self) -> None:
        rows = frame('v', 'w#t=3,4', 'v', start=[1, nan, 7], end=[2.5, nan, 9])
        assert ids(S.encode()(rows)) == ['v#t=1,2.5', 'w#t=3,4', 'v#t=7,9']
        with pytest.raises(RowError, match=r"^row 2 .*document 'v': start 9.0 and end 8.0 are no segment"):
            S.encode()(rows.assign(start=[1, nan, 9], end=[2.5, nan, 8]))

    def test_end_and_length_must_agree(self) -> None:
        rows = frame('w#t=3,4', 'v', 'v', start=[nan, 0.1, 4], end=[nan, 0.3, 6], length=[nan, 0.2, nan])
        assert ids(S.encode()(rows)) == ['w#t=3,4', 'v#t=0.1,0.3', 'v#t=4,6']
        with pytest.raises(RowError, match=r'^row 2 .*start 4 and length 3 do not end at 6: correct one of them'):
            S.encode()(rows.assign(length=[nan, 0.2, 3]))

    def test_columns_follow_the_ids(self) -> None:
        rows = frame('shot1', 'v#t=8,9', start=[nan, 70], length=[3, 4])
        result = S.resolve(TABLE)(rows)
        assert result[['start', 'length']].values.tolist() == [[0, 4.2], [8, 1]]


class TestDocuments:
    """align and to_documents: the plain functions, in pipelines."""

    def judged(self, qrels: Qrels) -> pd.DataFrame:
        return pd.DataFrame([('q', format_segment(Segment(*judged[:3], 't')), judged[3]) for judged in qrels],
                            columns=['qid', 'docno', 'label'])

    @given(cases, st.sampled_from((None, 0.3)))
    def test_align_as_the_function(self, case: tuple[Qrels, Run], threshold: float | None) -> None:
        qrels, run = self.judged(case[0]), frame_of(list(dict.fromkeys(case[1])))
        how: dict[str, Any] = {} if threshold is None else {'by': 'iou', 'threshold': threshold}
        expected = align(pt.model.to_ir_measures(run), pt.model.to_ir_measures(qrels), **how)
        result = S.align(qrels, **how)(run)
        assert ids(result) == expected.doc_id.tolist()
        assert result.score.tolist() == run.score.tolist()

    @given(runs(), st.sampled_from(('max', 'sum', 'mean', 'first')))
    def test_to_documents_as_the_function(self, run: Run, agg: str) -> None:
        rows = frame_of(run)  # where an id that stands twice counts once
        expected = to_documents(pt.model.to_ir_measures(rows.drop_duplicates('docno')), agg)
        result = S.to_documents(agg)(rows)
        assert ids(result) == expected.doc_id.tolist()
        assert result.score.tolist() == expected.score.tolist()

    def test_columns_of_the_best_item(self) -> None:
        rows = frame('w#t=1,2', 'v#t=3,4', 'w#t=0,1', title=list('abc'), text='x', start=0, end=0)
        assert S.to_documents('sum')(rows).drop(columns=['qid', 'query']).values.tolist() == [
            ['w', 4, 'a', 0, inf, 0], ['v', 2, 'b', 0, inf, 1]]

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

    @pytest.mark.parametrize(('make', 'name', 'value', 'sentence'), [
        (lambda: S.no_overlap(), 'policy', 'foo', "policy='foo'"),
        (lambda: S.cut_effort(5), 'last', 'foo', "last='foo'"),
        (lambda: S.cut_effort(5), 'budget', -3, 'budget=-3'),
        (lambda: S.merge(), 'gap', -3, 'gap=-3'),
        (lambda: S.expand(), 'before', -3, 'before=-3'),
        (lambda: S.expand(), 'after', None, 'after=None'),
        (lambda: S.expand(), 'durations', [3], r'durations=\[3\]: give a mapping'),
        (lambda: S.snap({}), 'boundaries', None, 'boundaries are a NoneType'),
        (lambda: S.encode(), 'unit', 's', "unit='s'"),
        (lambda: S.resolve({}), 'unit', 's', "unit='s'"),
        (lambda: S.resolve({}), 'table', None, 'offsets come from one place: give a table'),
        (lambda: S.align(QRELS), 'by', 'dice', "by='dice'"),
        (lambda: S.to_documents(), 'agg', 'best', "agg='best'"),
    ])
    def test_parameters_that_are_set_are_checked(self, make: Callable[[], Any], name: str, value: Any,
                                                 sentence: str) -> None:
        transformer = make()
        transformer.set_parameter(name, value)
        for rows in (frame('v#t=1,2'), frame('v#t=1,2')[:0]):
            with pytest.raises(ValueError, match=sentence):
                transformer(rows)

    def test_errors_before_anything_runs(self) -> None:
        for make, sentence in (
            (lambda: S.align(QRELS, by='dice'), "by='dice'"),
            (lambda: S.align(QRELS.assign(docno='v', start=1, end=2)), r'qrels = pt\.segments\.encode\(\)\(qrels\)'),
            (lambda: S.align(QRELS, 'iou'), 'threshold=None'),
            (lambda: S.to_documents('best'), "agg='best'"),
            (lambda: S.resolve({}, missing='drop'), "missing='drop'"),
            (lambda: S.encode('s'), "unit='s'"),
            (lambda: S.resolve([1]), 'the table is a list: give a mapping from ids'),
            (lambda: S.no_overlap('cut'), "policy='cut'"),
            (lambda: S.merge(-1), 'gap=-1: the largest distance .* a number of 0 or more'),
            (lambda: S.merge(True), 'gap=True'),
            (lambda: S.expand(inf), 'before=inf'),
            (lambda: S.expand(0, '3'), "after='3'"),
            (lambda: S.snap([1, 2]), 'boundaries are a list'),
            (lambda: S.cut_effort(0), 'budget=0: what is read of each query, a number above 0'),
            (lambda: S.cut_effort(5, last='keep'), "last='keep'"),
        ):
            with pytest.raises(ValueError, match=sentence):
                make()


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

    def test_gaps_after_plus_are_filled_where_rows_stay(self) -> None:
        one, other = (Counted(rows) for rows in (self.LEFT, self.RIGHT))
        merged = (one >> S.decode()) + other
        assert merged(self.TOPICS)[['query', 'document', 'start']].isna().any().all()
        for follows in (S.decode(), S.get_text({name: [(0, 50, 'said')] for name in 'uvw'}), S.no_overlap()):
            result = (merged >> follows)(self.TOPICS)
            assert result['query'].tolist() == ['about ' + qid for qid in result.qid]
            assert result[['document', 'start', 'end']].values.tolist() == [list(row) for row in segments(result)]

    def test_after_or_and_and(self) -> None:
        one, other = self.systems()
        result = ((one | other) >> S.expand(1))(self.TOPICS)
        assert sorted(ids(result)) == ['u#t=0,2', 'v#t=0,10', 'v#t=14,30', 'v#t=4,20', 'w#t=0,9']
        assert result.start.notna().all()
        with pytest.raises(pt.validate.InputValidationError, match='score'):
            ((one | other) >> S.no_overlap())(self.TOPICS)
        assert ids(((one & other) >> S.decode())(self.TOPICS)) == ['v#t=5,20']

    def test_before_plus_and_cutoffs(self) -> None:
        one, other = self.systems()
        left, right = one >> S.no_overlap('trim'), other >> S.no_overlap('trim')
        fused = (left + right)(self.TOPICS)
        assert not fused.duplicated(['qid', 'docno']).any()
        assert len(fused) == len(set(zip(*map(pd.concat([left(self.TOPICS), right(self.TOPICS)]).get,
                                              ('qid', 'docno')))))
        assert ids(((one >> S.no_overlap('trim')) % 2)(self.TOPICS)) == ['v#t=0,10', 'v#t=10,20']
        assert ids((((one % 1) >> S.expand(after=1)) ^ other)(self.TOPICS)) == [
            'v#t=0,11', 'v#t=15,30', 'v#t=5,20', 'u#t=1,2']
        assert ids((2 * other >> S.in_context())(self.TOPICS)) == ['v#t=5,20', 'v#t=15,30', 'u#t=1,2']

    def test_features(self) -> None:
        one, _ = self.systems()
        features = one >> (pt.Transformer.identity() ** (pt.Transformer.identity() * 2))
        result = (features >> S.no_overlap())(self.TOPICS)
        assert [feature.tolist() for feature in result[result.qid == 'q'].features] == [[3, 6], [1, 2]]
        reranked = one >> S.no_overlap() >> (pt.Transformer.identity() ** (pt.Transformer.identity() * 2))
        assert [feature.tolist() for feature in reranked(self.TOPICS)[:2].features] == [[3, 6], [1, 2]]

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

    def test_run_files_keep_the_order(self, tmp_path: Path) -> None:
        result = S.in_context()(pd.concat([self.LEFT, frame('u#t=5,9', 'u#t=1,2', qid='p', scores=[1e-3, 1e-4])]))
        pt.io.write_results(result, str(tmp_path / 'run'), format='trec')
        written = formats.read_run(tmp_path / 'run')
        assert [(row.query_id, row.doc_id) for row in written] == list(zip(result.qid, result.docno))
        again = S.in_context()(pt.io.read_results(str(tmp_path / 'run')))
        assert again.docno.tolist() == result.docno.tolist()

    def test_tuning(self) -> None:
        merge = S.merge()
        qrels = pd.DataFrame([('q', 'v#t=0,20', 1), ('q', 'v#t=30,40', 1)], columns=['qid', 'docno', 'label'])
        table = pt.GridScan(Counted(frame('v#t=0,10', 'v#t=15,25', 'v#t=38,40')) >> merge,
                            {merge: {'gap': [0, 5, 20]}}, self.TOPICS[:1], qrels, [SegR, SegP])
        assert table['tran_0_gap'].tolist() == [0, 5, 20]
        assert table['SegR'].tolist() == pytest.approx([17 / 30, 22 / 30, 1])
        assert table['SegP'].tolist() == pytest.approx([17 / 22, 22 / 27, 30 / 40])

    def test_real_retrieval(self, tmp_path: Path) -> None:
        pisa = pytest.importorskip('pyterrier_pisa')
        index = pisa.PisaIndex(str(tmp_path / 'index'))
        index.index([{'docno': format_segment(Segment(line.doc_id, line.start, line.end, 't')), 'text': line.text}
                     for line in sample.transcripts()])
        topics = pd.DataFrame([(query.query_id, query.text) for query in sample.queries()], columns=['qid', 'query'])
        qrels = pt.model.from_ir_measures(pd.DataFrame(formats.read_qrels(sample.path('qrels.txt'))))
        sentences = index.bm25(num_results=20)
        passages = sentences >> S.merge(gap=15) >> S.expand(before=5)
        table = pt.Experiment([sentences, passages, passages >> S.no_overlap('trim') >> S.in_context()], topics, qrels,
                              [SegR, AgP], names=['sentences', 'passages', 'trimmed']).set_index('name')
        assert table.loc['sentences', 'SegR'] < table.loc['passages', 'SegR'] == pytest.approx(
            table.loc['trimmed', 'SegR'])
        assert table.loc['passages', 'AgP'] == pytest.approx(table.loc['trimmed', 'AgP'])
        aligned = pt.Experiment([passages, passages >> S.align(qrels)], topics, qrels, [nDCG @ 10])['nDCG@10']
        assert aligned[0] < 0.05 < 0.3 < aligned[1]


def test_import() -> None:
    """`import pyterrier` loads no transformer and no ir_datasets; either import may come first."""
    code = ('import pyterrier as pt, sys; '
            'assert not {"ir_datasets", "ir_segmeasures.pt.base", "ir_segmeasures.ids.documents"} & {*sys.modules}; '
            'assert pt.segments.no_overlap("trim").policy == "trim"; '
            'assert "ir_datasets" not in sys.modules')
    subprocess.run([sys.executable, '-c', code], check=True)
    code = 'from ir_segmeasures.pt import merge, MAiSP; import pyterrier as pt; assert merge is pt.segments.merge'
    subprocess.run([sys.executable, '-c', code], check=True)
