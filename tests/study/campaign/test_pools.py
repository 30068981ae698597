"""Pools: every moment of the first results is judged, nothing twice, and nobody can tell which run returned it."""

from typing import Any

import pytest
from hypothesis import given, strategies as st
from ir_measures import Qrel, ScoredDoc
from strategies import examples

from ir_segmeasures import SegmentWarning
from ir_segmeasures.segments.segment import Line, parse_segment
from ir_segmeasures.study import JUDGING_UNITS, Pool, pool, pool_text

Interval = tuple[str, str, int, int]  # query, document, start, end
A = [ScoredDoc('q', 'd#t=10,30', 3), ScoredDoc('q', 'd#t=20,50', 2), ScoredDoc('q', 'e#t=0,8', 1)]
B = [ScoredDoc('q', 'd#t=40,60', 2), ScoredDoc('q', 'd#t=10,30', 1)]

intervals = st.tuples(st.sampled_from('pq'), st.sampled_from('de'), st.integers(0, 20), st.integers(1, 9)).map(
    lambda drawn: (*drawn[:3], drawn[2] + drawn[3]))
runs = st.dictionaries(st.sampled_from('abc'), st.lists(intervals, max_size=6, unique=True), min_size=1)
judged_intervals = st.lists(intervals, max_size=3)


def scored(run: list[Interval]) -> list[ScoredDoc]:
    return [ScoredDoc(query, f'{document}#t={start},{end}', -place)
            for place, (query, document, start, end) in enumerate(run)]


def qrels(judged: list[Interval]) -> list[Qrel]:
    return [Qrel(query, f'{document}#t={start},{end}', 0) for query, document, start, end in judged]


def top(run: list[Interval], depth: int) -> list[Interval]:
    return [item for query in 'pq' for item in [item for item in run if item[0] == query][:depth]]


def seconds(content: list[Interval]) -> set[tuple[str, str, int]]:
    """The seconds of intervals, whose starts and ends are whole."""
    return {(query, document, second) for query, document, start, end in content for second in range(start, end)}


def units_of(found: Pool) -> list[Interval]:
    return [(unit.query_id, parse_segment(unit.doc_id).document, int(unit.start), int(unit.end)) for unit in found]


class TestProperties:
    @examples(5)
    @given(runs, st.integers(1, 4), st.sampled_from(JUDGING_UNITS), judged_intervals, st.integers(0, 4))
    def test_every_result_is_covered_and_nothing_is_judged_again(
            self, runs: dict[str, list[Interval]], depth: int, units: str, judged: list[Interval],
            margin: int) -> None:
        found = pool({name: scored(run) for name, run in runs.items()}, depth, units, margin=margin,
                     judged=qrels(judged))
        wanted = seconds([item for run in runs.values() for item in top(run, depth)])
        assert seconds(units_of(found)) == wanted - seconds(judged)
        for unit in found:
            assert (unit.context_start, unit.context_end) == (max(0, unit.start - margin), unit.end + margin)

    @examples(5)
    @given(runs, st.integers(1, 4), st.sampled_from(JUDGING_UNITS))
    def test_each_unit_knows_who_returned_it(self, runs: dict[str, list[Interval]], depth: int, units: str) -> None:
        found = pool({name: scored(run) for name, run in runs.items()}, depth, units)
        for unit, interval in zip(found, units_of(found)):
            ranks: dict[str, list[int]] = {}
            for name, run in runs.items():
                for query in 'pq':
                    for rank, item in enumerate(top([item for item in run if item[0] == query], depth), 1):
                        if item == interval if units == 'as-returned' else seconds([item]) & seconds([interval]):
                            ranks.setdefault(name, []).append(rank)
            assert unit.ranks == ranks

    @examples(5)
    @given(runs, st.integers(1, 4), st.sampled_from(JUDGING_UNITS), st.integers(0, 3))
    def test_the_order_of_runs_and_their_names_change_nothing(
            self, runs: dict[str, list[Interval]], depth: int, units: str, seed: int) -> None:
        given_runs = {name: scored(run) for name, run in runs.items()}
        other = {f'x{name}': run for name, run in reversed(given_runs.items())}
        first, second = (pool(these, depth, units, seed=seed) for these in (given_runs, other))
        assert pool_text(first, 'trec') == pool_text(second, 'trec')

    @examples(5)
    @given(runs, st.integers(1, 4), st.sampled_from(['rrf', 'rbp']), st.integers(1, 3))
    def test_a_budget_takes_the_best_units(self, runs: dict[str, list[Interval]], depth: int, by: str,
                                           number: int) -> None:
        given_runs = {name: scored(run) for name, run in runs.items()}
        everything, found = pool(given_runs, depth), pool(given_runs, depth, by=by, segments=number)

        def weight(unit: Any) -> float:
            best = [min(ranks) for ranks in unit.ranks.values()]
            return sum(1 / (60 + rank) if by == 'rrf' else .2 * .8 ** (rank - 1) for rank in best)
        for query in 'pq':
            weights = sorted((weight(unit) for unit in everything if unit.query_id == query), reverse=True)
            assert sorted((weight(unit) for unit in found if unit.query_id == query),
                          reverse=True) == pytest.approx(weights[:number])


class TestWorkedExamples:
    @pytest.mark.parametrize(('units', 'expected'), [
        ('joined', {'d#t=10,60': {'a': [1, 2], 'b': [1, 2]}, 'e#t=0,8': {'a': [3]}}),
        ('atoms', {'d#t=10,20': {'a': [1], 'b': [2]}, 'd#t=20,30': {'a': [1, 2], 'b': [2]}, 'd#t=30,40': {'a': [2]},
                   'd#t=40,50': {'a': [2], 'b': [1]}, 'd#t=50,60': {'b': [1]}, 'e#t=0,8': {'a': [3]}}),
        ('as-returned', {'d#t=10,30': {'a': [1], 'b': [2]}, 'd#t=20,50': {'a': [2]}, 'd#t=40,60': {'b': [1]},
                         'e#t=0,8': {'a': [3]}})])
    def test_units(self, units: str, expected: dict[str, Any]) -> None:
        assert {unit.doc_id: unit.ranks for unit in pool({'a': A, 'b': B}, 3, units)} == expected

    def test_a_late_run_brings_what_is_new(self) -> None:
        first = pool({'a': A}, 3)
        late = pool({'b': B}, 3, judged=first.judgements(0))
        assert [(unit.doc_id, unit.ranks) for unit in late] == [('d#t=50,60', {'b': [1]})]
        assert len(pool({'b': B}, 3, judged=first.judgements())) == 2  # -1 is not a judgement

    def test_costs(self) -> None:
        found = pool({'a': A, 'b': B}, 3, lengths={'d': 100, 'e': 16, 'f': 84})
        assert [tuple(cost) for cost in found.costs()] == [
            (None, 2, None, 58, 58 / 3600, 58 / 200), ('a', 2, 1, 58, 58 / 3600, 58 / 200),
            ('b', 1, 0, 50, 50 / 3600, 50 / 200)]

    def test_lengths_that_are_none_of_the_documents(self) -> None:
        run = [ScoredDoc('q', 'd#t=0,9', 2), ScoredDoc('q', 'e#t=0,9', 1)]
        with pytest.warns(SegmentWarning, match="1 of 2 units are in a document without a length.*document 'e' of"):
            assert pool({'a': run}, 2, lengths={'d': 20}).costs()[0].share is None
        with pytest.warns(SegmentWarning, match="1 of 2 units end after their document does, such as in document 'd'"):
            assert pool({'a': run}, 2, lengths={'d': 5, 'e': 31}).costs()[0].share == .5

    def test_entry_points(self) -> None:
        run = [ScoredDoc('q', 'd#t=30,30', 1)]
        assert pool({'a': run}, 1, point=60)[0].doc_id == 'd#t=30,90'
        with pytest.raises(ValueError, match='entry point, which has no content to judge: give point='):
            pool({'a': run}, 1)

    def test_a_budget_in_seconds(self) -> None:
        found = pool({'a': A, 'b': B}, 3, 'atoms', 'rrf', budget=25)
        assert {unit.doc_id for unit in found} < {'d#t=10,20', 'd#t=20,30', 'd#t=40,50'}  # those of both runs
        assert len(found) == 2
        with pytest.raises(ValueError, match='50 long, more than the budget of 9: give longest='):
            pool({'a': A, 'b': B}, 3, by='rrf', budget=9)

    @pytest.mark.parametrize(('transcripts', 'expected'), [
        (None, ['d#t=0,30', 'd#t=30,60', 'd#t=60,90']),
        ({'d': [Line(0, 18, 'One.'), Line(20, 33, 'Two'), Line(38, 54, 'goes on.'), Line(56, 90, 'Three.')]},
         ['d#t=0,19', 'd#t=19,55', 'd#t=55,90'])])
    def test_long_units_are_cut_where_nobody_speaks(self, transcripts: Any, expected: list[str]) -> None:
        found = pool({'a': [ScoredDoc('q', 'd#t=0,90', 1)]}, 1, longest=36, transcripts=transcripts)
        assert sorted(unit.doc_id for unit in found) == expected


class TestErrors:
    @pytest.mark.parametrize(('settings', 'sentence'), [
        ({'depth': 0}, 'depth=0 cannot be: give a whole number from 1 up'),
        ({'depth': 1, 'units': 'shots'}, "units='shots' is none of those that there are: take 'joined' or"),
        ({'depth': 1, 'by': 'rrf'}, "by='rrf' has no budget: give segments= or budget="),
        ({'depth': 1, 'segments': 3}, "by='depth' takes all units: give segments= or budget= with by='rrf'"),
        ({'depth': 1, 'margin': float('nan')}, 'margin=nan cannot be: give a number from 0'),
        ({'depth': 1, 'by': 'rbp', 'segments': 1, 'p': 1}, 'p=1 cannot be'),
        ({'depth': 1, 'longest': 5, 'units': 'atoms'}, "longest=5 cuts joined stretches, but units='atoms'")])
    def test_settings(self, settings: dict[str, Any], sentence: str) -> None:
        with pytest.raises(ValueError) as error:
            pool({'a': A}, **settings)
        assert str(error.value).startswith(sentence)

    def test_two_units(self) -> None:
        with pytest.raises(ValueError, match="document 'd' of query 'q' is in 't' in 'a' and in 'char' in 'b': give"):
            pool({'a': A, 'b': [ScoredDoc('q', 'd#char=0,9', 1)]}, 1)
