"""Bins beyond number: AP_bin and its kin, and T2I_P, in ranges, beside their definitions."""

from math import fsum

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import T2I_P, AP_bin, Judged_bin, P_bin
from ir_segmeasures.evaluation.run_items import AllItems
from ir_segmeasures.measures import bin_ranges
from ir_segmeasures.measures.harmonic import harmonic_difference

RANGES = st.lists(st.tuples(st.sampled_from('ab'), st.builds(lambda first, n: range(first, first + n),
                                                             st.integers(0, 30), st.integers(0, 9))), max_size=8)


@given(RANGES, RANGES, st.integers(1, 40))
def test_ranges_are_bins_one_by_one(items: list[bin_ranges.DocumentBins], judged: list[bin_ranges.DocumentBins],
                                    cutoff: int) -> None:
    wanted = {(document, i) for document, some in judged for i in some}
    ranking = list(dict.fromkeys((document, i) for document, some in items for i in some))
    places = [rank for rank, place in enumerate(ranking, 1) if place in wanted]
    union = bin_ranges.united_bins(judged)
    assert bin_ranges.count_bins(union) == len(wanted)
    found = bin_ranges.bin_ranks(items, union)
    ranks = found.ranks
    assert found.n == len(ranking)
    assert [rank for some in ranks for rank in some] == places
    assert bin_ranges.count_ranks(ranks, cutoff) == sum(place <= cutoff for place in places)
    assert bin_ranges.summed_precision(ranks, cutoff) == pytest.approx(
        fsum(hits / place for hits, place in enumerate(places, 1) if place <= cutoff), rel=1e-12)


ITEMS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 20), st.integers(0, 6)), max_size=12)


@given(ITEMS, ITEMS)
def test_bins_of_all_queries_are_those_of_each(items: list[tuple[int, ...]], judged: list[tuple[int, ...]]) -> None:
    groups = sorted({(query, document) for query, document, *_ in judged})
    items.sort(key=lambda item: item[0])
    query, document, first, count = np.array(items, np.intp).reshape(-1, 4).T
    group = np.array([groups.index(item[:2]) if item[:2] in groups else -1 for item in items], np.intp)
    wanted = [(groups.index((query, document)), first, first + n + 1) for query, document, first, n in judged]
    bounds = np.searchsorted(query, np.arange(4)).tolist()
    every = AllItems(query, document, group, first.astype(float), first.astype(float), bounds)
    of, low, high = np.array(wanted, np.intp).reshape(-1, 3).T
    ranks = [bin_ranges.bin_ranks_of_run(
        every, bin_ranges.BinRanges(first.astype(kind), (first + count).astype(kind)), of,
        bin_ranges.BinRanges(low.astype(kind), high.astype(kind)), len(groups), keep=True)
        for kind in (float, object)]  # Python's numbers are walked in ranges
    assert len(ranks[0]) == 3
    for one_by_one, in_ranges in zip(*ranks):
        assert one_by_one.n == in_ranges.n
        assert [rank for some in one_by_one.ranks for rank in some] == [
            rank for some in in_ranges.ranks for rank in some]
        assert bin_ranges.found_bins(one_by_one) == bin_ranges.found_bins(in_ranges)


@pytest.mark.parametrize('before', [0, 7, 10 ** 6])
@pytest.mark.parametrize('count', [1001, 30_000])
def test_many_terms_at_once(before: int, count: int) -> None:
    ranks = [range(before + 1, before + count + 1), range(before + count + 10, before + 2 * count)]
    places = [rank for some in ranks for rank in some]
    exact = fsum(hits / place for hits, place in enumerate(places, 1))
    assert bin_ranges.summed_precision(ranks) == pytest.approx(exact, rel=1e-12)


def test_a_difference_far_out() -> None:
    assert harmonic_difference(10 ** 20, 100) == pytest.approx(1e-18, rel=1e-12)


@pytest.mark.parametrize('end', ['500000000000', '999999999999'])  # 10^19 bins are more than len() can say
@pytest.mark.parametrize('tool', [{}, {'tool': 'sh_eval'}])
def test_bins_beyond_number(tool: dict[str, str], end: str) -> None:
    qrels = [Qrel('q', f'v#t=0,{end}', 1)]
    run = [ScoredDoc('q', 'v#t=0,999999999999', 1)]
    width = 1 if tool else 1e-7
    measures = [AP_bin(bin=width, **tool), P_bin(bin=width, **tool) @ 10, Judged_bin(bin=width, **tool) @ 10]
    values = ir_measures.calc_aggregate(measures, qrels, run)
    assert list(values.values()) == [1, 1, 1]


def test_half_of_the_bins_come_late() -> None:
    # 10^12 bins that are not relevant, then as many that are: Σ i / (n + i) / n is 1 - log 2.
    qrels = [Qrel('q', 'v#t=0,1000000', 1)]
    run = [ScoredDoc('q', 'w#t=0,1000000', 2), ScoredDoc('q', 'v#t=0,1000000', 1)]
    value = ir_measures.calc_aggregate([AP_bin(bin=1e-6)], qrels, run)[AP_bin(bin=1e-6)]
    assert value == pytest.approx(1 - 0.6931471805599453, rel=1e-11)


@pytest.mark.parametrize('measure', [AP_bin(bin=1e-300), P_bin(bin=5e-324) @ 1, T2I_P(tau=1e-300) @ 1])
def test_nothing_is_finer_than_positions(measure: ir_measures.Measure) -> None:
    with pytest.raises(ValueError, match='>= 1e-09'):
        measure.check_params()


@pytest.mark.parametrize('norm', ['items', 'effort'])
def test_timeouts_beyond_number(norm: str) -> None:
    qrels = [Qrel('q', 'v#t=10,20', 1), Qrel('q', 'v#t=5000,5010', 1)]
    run = [ScoredDoc('q', f'v#t={start},6000', -start) for start in (0, 9.9999, 4000, 4999.9999)]
    # A timeout at rank 1, a span at rank 2, a timeout at rank 3, a span at rank 4.
    steps = 20_000
    found = [0, 1, *[2] * (steps - 2)]
    some, many = T2I_P(tau=1e-3, norm=norm) @ 20, T2I_P(tau=1e-3, norm=norm) @ 1e12
    values = ir_measures.calc_aggregate([some, many], qrels, run)
    assert values[some] == pytest.approx(
        fsum(f / (t + (f if norm == 'items' else 0)) for t, f in enumerate(found, 1)) / steps, rel=1e-12)
    assert values[many] == pytest.approx(2 * 34.5 / 1e15, rel=0.05)  # 2 · log(10^15) and a little
