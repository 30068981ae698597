"""The numbers of the official S&H tool (robinaly/sh_eval): its own output for two real runs, and its quirks by hand."""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import AP_bin
from ir_segmeasures.formats import SegmentQrel, SegmentScoredDoc, read_qrels, read_run
from ir_segmeasures.providers import sh_eval_walks as tool
from ir_segmeasures.providers.sh_eval_figures import (
    FIGURES,
    flagged_precision,
    judged_share,
    mean_of_precisions,
    precision_at_recall,
)
from ir_segmeasures.providers.sh_eval_judged import QueryItems, QueryJudgements, _recall_points
from ir_segmeasures.providers.sh_eval_walks import Flags, SegmentPrecision

Judged = list[tuple[str, int, int, int]]
Items = list[tuple[str, int, int]]


def over(judged: Judged, items: Items) -> Flags:
    return tool.over(QueryJudgements(judged), QueryItems.from_items(items))


def tolerance(judged: Judged, items: Items, tol: int = 15) -> Flags:
    return tool.tolerance(QueryJudgements(judged), QueryItems.from_items(items), tol)


def segment_precision(judged: Judged, items: Items) -> SegmentPrecision:
    return tool.segment_precision(QueryJudgements(judged), QueryItems.from_items(items))


# What the tool prints beside its measures: settings, and counts that none of them needs.
SETTINGS = {'runid', 'size_bin', 'tol_len', 'mark_relevant', 'mark_non_relevant', 'mark_relevant_seen',
            'mark_non-relevant_seen', 'mark_unjudged'}
COUNTS = {'videos_ret', 'videos_rel', 'avglength_ret', 'avglength_rel'}

HALF_A_DIGIT = 5.1e-13  # 12 decimals are printed


def binned(judged: Judged, items: Items, width: int = 300) -> Flags:
    """A flag for each rank that is in the ranges."""
    return tool.binned(QueryJudgements(judged), QueryItems.from_items(items), width)


def figures(judged: Judged, items: Items) -> dict[str, float]:
    """All measures of one query under the names that the tool prints."""
    values: dict[str, float] = {}
    for suffix, measure in (('', over), ('_bin', binned), ('_tol', tolerance)):
        flags = measure(judged, items)
        values |= {f'num_rel{suffix}': flags.R, f'num_ret{suffix}': len(flags.relevant),
                   f'num_rel_ret{suffix}': sum(flags.relevant),
                   f'map{suffix}': mean_of_precisions(flags.relevant, flags.R)}
        values |= {f'P_{k}{suffix}': flagged_precision(flags.relevant, k) for k in (5, 10, 20)}
        values |= {f'Judged_{k}{suffix}': judged_share(flags.judged, k) for k in (10, 20, 30)}
    query = tool.JudgedQuery(QueryJudgements(judged), QueryItems.from_items(items))
    assert FIGURES['AP_bin'].compute(query, AP_bin) == values['map_bin']
    secs = segment_precision(judged, items)
    values |= {f'maisp_{x / 100:.2f}': precision_at_recall(secs.isp, x) for x in (5, 10, 20)}
    return values | {'maisp': secs.maisp, 'num_rel_secs': secs.num_rel_secs, 'num_ret_secs': secs.num_ret_secs,
                     'num_rel_ret_secs': secs.num_rel_ret_secs}


@pytest.fixture(scope='module')
def judged(shared_data: Path) -> dict[str, Judged]:
    rows = read_qrels(shared_data / 'mediaeval-sh-2014' / 'me14sh_search_testSet.qrel', 'sh-search')
    queries: dict[str, Judged] = defaultdict(list)
    for row in cast(Sequence[SegmentQrel], rows):
        queries[row.query_id].append((row.doc_id, int(row.start), int(row.end), int(row.relevance)))
    return dict(queries)


@pytest.fixture(scope='module', params=['180-60-over', '180-60-noover'])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope='module')
def values(shared_data: Path, judged: dict[str, Judged], name: str) -> dict[str, dict[str, float]]:
    rows = read_run(shared_data / 'mediaeval-sh-2014' / f'run-{name}.txt.gz', 'sh-search')
    queries: dict[str, Items] = defaultdict(list)
    for row in cast(Sequence[SegmentScoredDoc], rows):
        queries[row.query_id].append((row.doc_id, int(row.start), int(row.end)))
    return {query: figures(judged[query], items) for query, items in queries.items() if query in judged}


@pytest.fixture(scope='module')
def expected(shared_data: Path, name: str) -> dict[str, dict[str, str]]:
    queries: dict[str, dict[str, str]] = defaultdict(dict)
    for line in (shared_data / 'mediaeval-sh-2014' / f'expected-{name}.tsv').read_text().splitlines():
        figure, query, value = map(str.strip, line.split('\t'))
        queries[query][figure] = value
    return dict(queries)


class TestOfficialFigures:
    """The tool's output for two runs of 2014, every query, every measure."""

    def test_every_query(self, values: dict[str, dict[str, float]], expected: dict[str, dict[str, str]]) -> None:
        assert len(values) == 30
        assert set(values) == set(expected) - {'all'}
        for query, own in values.items():
            printed = {figure: float(value) for figure, value in expected[query].items() if figure not in COUNTS}
            assert own == pytest.approx(printed, rel=0, abs=HALF_A_DIGIT), query

    def test_means_and_sums_over_the_answered_queries(self, values: dict[str, dict[str, float]],
                                                      expected: dict[str, dict[str, str]]) -> None:
        printed = {figure: float(value) for figure, value in expected['all'].items()
                   if figure not in SETTINGS | COUNTS}
        assert printed.pop('num_q') == len(values)
        for figure, value in printed.items():
            own = [query[figure] for query in values.values()]
            total = sum(own) if figure.startswith('num_') else statistics.fmean(own)
            assert total == pytest.approx(value, rel=0, abs=HALF_A_DIGIT), figure


class TestOver:
    def test_overlap_is_inclusive(self) -> None:
        items = [('v', 20, 30), ('v', 21, 30), ('v', 0, 10), ('v', 0, 9), ('v', 12, 13), ('v', 0, 90), ('w', 10, 20)]
        flags = over([('v', 10, 20, 1)], items)
        assert flags.relevant == [True, False, True, False, True, True, False]
        assert flags.judged == flags.relevant

    def test_entry_points(self) -> None:
        assert over([('v', 10, 20, 1)], [('v', 9, 9), ('v', 10, 10), ('v', 20, 20), ('v', 21, 21)]).relevant == [
            False, True, True, False]

    def test_touching_segments_merge(self) -> None:
        assert over([('v', 10, 20, 1), ('v', 0, 10, 2)], []).R == 1
        assert over([('v', 0, 10, 1), ('v', 11, 20, 1)], []).R == 2
        assert over([('v', 0, 10, 1), ('w', 10, 20, 1)], []).R == 2
        # the running end is that of the longest one so far
        assert over([('v', 0, 30, 1), ('v', 5, 10, 1), ('v', 20, 40, 1)], []).R == 1

    def test_the_kinds_merge_among_themselves(self) -> None:
        judged = [('v', 0, 10, 1), ('v', 10, 20, 0), ('v', 20, 30, 1), ('v', 40, 50, -1)]
        flags = over(judged, [('v', 15, 16), ('v', 45, 46), ('v', 35, 36), ('v', 5, 6)])
        assert flags == Flags([False, False, False, True], [True, True, False, True], 2)

    def test_repetition_pays(self) -> None:
        flags = over([('v', 0, 10, 1)], [('v', 0, 10)] * 3)
        assert mean_of_precisions(flags.relevant, flags.R) == 3


class TestBinned:
    def test_bins_of_an_item(self) -> None:
        judged = [('v', 300, 600, 1)]
        assert binned(judged, [('v', 0, 300)]) == Flags([False], [False], 1)
        assert binned(judged, [('v', 0, 301)]) == Flags([False, True], [False, True], 1)
        assert binned(judged, [('v', 599, 601)]).relevant == [True, False]
        assert binned(judged, [('w', 300, 600)]).relevant == [False]

    def test_a_bin_stands_where_it_first_appears(self) -> None:
        judged = [('v', 300, 310, 1), ('v', 900, 1300, 0)]
        flags = binned(judged, [('v', 600, 900), ('v', 0, 900), ('v', 300, 601), ('w', 300, 600), ('v', 899, 901)])
        # bins 2, 0, 1 of v, 1 of w, 3 of v
        assert flags.relevant == [False, False, True, False, False]
        assert flags.judged == [False, False, True, False, True]

    def test_items_without_content_have_the_bin_that_they_lie_in(self) -> None:
        judged = [('v', 0, 900, 1)]
        assert binned(judged, [('v', 0, 0), ('v', 600, 600)]).relevant == []
        assert binned(judged, [('v', 450, 450), ('v', 450, 400), ('v', 1, 1)]).relevant == [True, True]
        assert binned([('v', 0, 0, 0), ('v', 450, 450, 0)], [('v', 0, 600)]).judged == [False, True]

    def test_relevant_bins_are_counted_once(self) -> None:
        assert binned([('v', 0, 10, 1), ('v', 20, 30, 1), ('v', 290, 310, 2), ('v', 0, 900, 0)], []).R == 2

    def test_a_bin_with_both_kinds_is_relevant(self) -> None:
        assert binned([('v', 0, 10, 0), ('v', 20, 30, 1)], [('v', 100, 110)]) == Flags([True], [True], 1)

    def test_width(self) -> None:
        assert binned([('v', 0, 10, 1)], [('v', 0, 11)], width=5).relevant == [True, True, False]


class TestTolerance:
    @pytest.mark.parametrize('start, relevant', [(85, False), (86, True), (100, True), (150, True), (199, True),
                                                 (200, False)])
    def test_where_an_item_may_start(self, start: int, relevant: bool) -> None:
        assert tolerance([('v', 100, 200, 1)], [('v', start, start + 1)]) == Flags([relevant], [relevant], 1)

    def test_tol(self) -> None:
        assert tolerance([('v', 100, 200, 1)], [('v', 97, 120), ('v', 98, 120)], tol=3).relevant == [False, True]
        assert tolerance([('v', 0, 200, 1)], [('v', 10, 20), ('v', 0, 20)], tol=0).relevant == [False, True]

    def test_seen_to_the_end_of_the_span(self) -> None:
        flags = tolerance([('v', 100, 200, 1)], [('v', 90, 120), ('v', 150, 160), ('v', 200, 210), ('w', 100, 110)])
        assert flags == Flags([True, False, False, False], [True, True, False, False], 1)

    def test_seen_to_the_latest_end_of_the_spans_met(self) -> None:
        judged = [('v', 100, 101, 1), ('v', 105, 200, 1), ('v', 300, 400, 1)]
        assert tolerance(judged, [('v', 95, 96), ('v', 199, 200), ('v', 300, 301)]).relevant == [True, False, True]

    def test_seen_for_the_whole_tolerance(self) -> None:
        # seen is [90, 105), more than the span that was found
        judged = [('v', 100, 101, 1), ('v', 110, 111, 1)]
        assert tolerance(judged, [('v', 90, 91), ('v', 104, 106), ('v', 105, 106)]).relevant == [True, False, True]

    def test_seen_is_decided_by_the_whole_item(self) -> None:
        # The second item starts at a span that nobody has seen, but goes on to one that was.
        judged = [('v', 100, 200, 1), ('v', 300, 400, 1)]
        flags = tolerance(judged, [('v', 300, 310), ('v', 100, 320), ('v', 100, 300)])
        assert flags == Flags([True, False, True], [True, True, True], 2)

    def test_seen_is_not_decided_by_the_tolerance(self) -> None:
        # [105, 120) reaches what was seen, [105, 110) does not: the same span pays again.
        flags = tolerance([('v', 100, 200, 1)], [('v', 110, 120), ('v', 105, 110), ('v', 100, 106)])
        assert flags.relevant == [True, True, False]
        assert mean_of_precisions(flags.relevant, flags.R) == 2

    def test_what_was_seen_already_does_not_join_the_seen_list(self) -> None:
        judged = [('v', 100, 110, 1), ('v', 120, 130, 1)]
        assert tolerance(judged, [('v', 100, 105), ('v', 112, 125), ('v', 120, 125)]).relevant == [True, False, True]

    def test_judged_by_the_whole_item(self) -> None:
        judged = [('v', 40, 60, 0), ('v', 100, 200, 1)]
        items = [('v', 0, 41), ('v', 0, 40), ('v', 39, 40), ('v', 59, 61), ('v', 60, 61), ('v', 50, 150)]
        assert tolerance(judged, items) == Flags([False] * 6, [True, False, False, True, False, True], 1)

    def test_entry_points_are_never_seen(self) -> None:
        flags = tolerance([('v', 100, 200, 1), ('v', 40, 60, 0)], [('v', 100, 100), ('v', 100, 100), ('v', 50, 50)])
        assert flags == Flags([True, True, False], [True, True, False], 1)

    def test_an_end_of_0_is_the_second_at_the_start(self) -> None:
        assert tolerance([('v', 0, 10, 1)], [('v', 0, 0), ('v', 0, 0)]).relevant == [True, False]
        assert tolerance([('v', 1, 10, 1)], [('v', 1, 1), ('v', 1, 1)]).relevant == [True, True]
        assert tolerance([('v', 7, 10, 1)], [('v', 7, 0), ('v', 7, 0)]).relevant == [True, False]
        assert tolerance([('v', 0, 0, 0), ('v', 5, 5, 0)], [('v', 0, 1), ('v', 5, 6)]).judged == [True, False]
        assert tolerance([('v', 0, 0, 1), ('v', 5, 5, 1)], [('v', 0, 1), ('v', 5, 6)]) == Flags(
            [True, False], [True, False], 2)


class TestSegmentPrecision:
    def test_every_second_is_a_recall_point(self) -> None:
        secs = segment_precision([('v', 15, 25, 1), ('v', 30, 35, 1)], [('v', 0, 20), ('v', 20, 40)])
        # p/(15 + p) to the 10th second, p/(25 + p) to the 15th; watched: 25, then 20
        assert secs.isp == [10 / 25] * 10 + [15 / 40] * 5
        assert secs.maisp == pytest.approx((1 + 10 * 10 / 25 + 5 * 15 / 40) / 16)
        assert secs[2:] == (15, 45, 15)

    def test_the_constant_1_for_recall_0(self) -> None:
        secs = segment_precision([('v', 90, 100, 1)], [('v', 0, 100)])
        assert secs.isp == [10 / 100] * 10
        assert secs.maisp == pytest.approx((1 + 1) / 11)

    def test_nothing_recorded_is_0(self) -> None:
        assert segment_precision([('v', 90, 100, 1)], []) == SegmentPrecision([], 0, 10, 0, 0)
        assert segment_precision([('v', 90, 100, 1)], [('v', 0, 80)]) == SegmentPrecision([], 0, 10, 80, 0)
        assert segment_precision([('v', 90, 100, 0)], [('v', 90, 99)]) == SegmentPrecision([], 0, 0, 9, 0)
        assert segment_precision([], [('v', 90, 99)]) == SegmentPrecision([], 0, 0, 9, 0)

    def test_other_videos(self) -> None:
        judged = [('v', 0, 10, 1), ('w', 0, 10, 0)]
        secs = segment_precision(judged, [('u', 0, 10), ('w', 10, 30), ('u', 10, 5), ('v', 0, 10)])
        assert secs.isp == [10 / 40] * 10
        assert secs[2:] == (10, 40, 10)

    @pytest.mark.parametrize('rel_secs, number, last, next_to_last', [
        (2, 3, 2, 1),
        (100, 101, 100, 99),  # the last one with a point per second
        (101, 101, 101, 99),
        (150, 150, 199, 148),  # a remainder of 50 is rounded down
        (151, 76, 201, 148),  # one of 51 up
        (199, 100, 297, 196),
        (200, 100, 198, 196),
        (250, 125, 298, 246),
        (9109, 101, 9109, 9009),
    ])
    def test_recall_points(self, rel_secs: int, number: int, last: int, next_to_last: int) -> None:
        points = _recall_points(rel_secs)
        assert (points[0], points[-2], points[-1], len(points)) == (0, next_to_last, last, number)

    def test_recall_points_without_relevant_content(self) -> None:
        assert list(_recall_points(0)) == [0]

    def test_a_last_recall_point_out_of_reach(self) -> None:
        secs = segment_precision([('v', 0, 150, 1)], [('v', 0, 150)])
        assert secs == SegmentPrecision([1] * 148, (1 + 148) / 150, 150, 150, 150)

    def test_precision_within_a_span(self) -> None:
        # points 0, 2, … 198; the first half is watched after 200 other seconds, the rest to the span's end
        secs = segment_precision([('v', 0, 200, 1)], [('u', 0, 200), ('v', 100, 120), ('u', 0, 10)])
        assert secs.isp == [100 / 300] * 50
        assert secs.maisp == pytest.approx((1 + 50 / 3) / 100)
        assert secs[2:] == (200, 310, 100)

    def test_interpolation_looks_ahead(self) -> None:
        secs = segment_precision([('v', 0, 2, 1), ('w', 0, 6, 1)], [('u', 0, 2), ('v', 0, 2), ('w', 0, 1), ('u', 0, 9)])
        assert secs.isp == [8 / 10] * 8

    def test_a_second_is_lost_at_a_cut(self) -> None:
        judged = [('v', 0, 50, 1)]
        secs = segment_precision(judged, [('v', 30, 40), ('v', 0, 10)])
        assert secs[2:] == (50, 49, 49)
        assert len(secs.isp) == 49
        # what is left ends at 29, so that 29 touches it, and 30 does not
        assert segment_precision(judged, [('v', 30, 40), ('v', 29, 30), ('v', 0, 10)])[2:] == (50, 20 + 1 + 28, 48)
        assert segment_precision(judged, [('v', 30, 40), ('v', 30, 31), ('v', 0, 10)])[2:] == (50, 20 + 1 + 29, 49)

    def test_a_window_without_length_goes(self) -> None:
        judged = [('v', 0, 50, 1)]
        assert segment_precision(judged, [('v', 1, 2), ('v', 0, 1)]).num_rel_ret_secs == 49
        assert segment_precision(judged, [('v', 2, 3), ('v', 0, 1)]).num_rel_ret_secs == 48 + 1

    def test_overlap_is_inclusive(self) -> None:
        # up to the span's start: the user goes on to its end
        assert segment_precision([('v', 10, 20, 1)], [('v', 0, 10)])[2:] == (10, 20, 10)
        assert segment_precision([('v', 10, 20, 1)], [('v', 0, 9)])[2:] == (10, 9, 0)
        # from the span's end: nothing found, but it loses its last second
        assert segment_precision([('v', 10, 20, 1)], [('v', 20, 30), ('v', 10, 11)])[2:] == (10, 10 + 9, 9)
        assert segment_precision([('v', 10, 20, 1)], [('v', 21, 30), ('v', 10, 11)])[2:] == (10, 9 + 10, 10)

    def test_entry_points(self) -> None:
        assert segment_precision([('v', 10, 20, 1)], [('v', 15, 15), ('v', 5, 5), ('v', 10, 10)])[2:] == (10, 9, 9)

    def test_the_position_moves_on_by_all_that_was_watched(self) -> None:
        # After the second span the position is 10 + 30 instead of 30: 5 seconds of the third are missed, one is lost.
        judged = [('v', 0, 10, 1), ('v', 20, 30, 1), ('v', 35, 45, 1)]
        secs = segment_precision(judged, [('v', 0, 45), ('v', 35, 36)])
        assert secs[2:] == (30, 45 + 4, 25 + 4)
        # to 20 after 10 + 20, to 25 after 35 (not 45), to 29 after 45 + 4
        assert secs.isp == [1] * 10 + [25 / 35] * 15 + [29 / 49] * 4

    def test_a_span_behind_the_position_stays(self) -> None:
        # The position is 40 after the second span, so the third one is left out, and the fourth found from its start.
        judged = [('v', 0, 10, 1), ('v', 20, 30, 1), ('v', 33, 36, 1), ('v', 45, 50, 1)]
        assert segment_precision(judged, [('v', 0, 60)])[2:] == (28, 60, 25)
        assert segment_precision(judged, [('v', 0, 60), ('v', 33, 36)])[2:] == (28, 63, 28)

    def test_at_a_recall(self) -> None:
        isp = [x / 100 for x in range(100, 79, -1)]
        assert [precision_at_recall(isp, x) for x in (5, 10, 20, 21)] == [0.95, 0.9, 0.8, 0]
        assert precision_at_recall([], 5) == 0


class TestShared:
    def test_average_precision(self) -> None:
        assert mean_of_precisions([True, False, True], 4) == pytest.approx((1 + 2 / 3) / 4)
        assert mean_of_precisions([False], 4) == 0
        assert mean_of_precisions([], 4) == 0
        assert mean_of_precisions([], 0) == 0

    def test_short_lists_are_divided_by_k(self) -> None:
        assert flagged_precision([True, False, True], 2) == 1 / 2
        assert flagged_precision([True, False, True], 5) == 2 / 5
        assert judged_share([True, False, True], 10) == 2 / 10


SECOND = st.integers(0, 60)
VIDEO = st.sampled_from('vvvw')
SEGMENT = st.tuples(SECOND, st.integers(0, 15)).map(lambda pair: (pair[0], pair[0] + pair[1]))
JUDGED = st.lists(st.tuples(VIDEO, SEGMENT, st.sampled_from([0, 1, 1])).map(lambda row: (row[0], *row[1], row[2])),
                  max_size=15)
ITEMS = st.lists(st.tuples(VIDEO, SECOND, SECOND) | st.tuples(VIDEO, SEGMENT).map(lambda row: (row[0], *row[1])),
                 max_size=15)


class TestToTheLetter:
    """The description of the tool line by line, without any search in sorted lists."""

    @given(JUDGED, ITEMS)
    def test_over(self, judged: Judged, items: Items) -> None:
        spans, others = merged(judged, True), merged(judged, False)
        relevant = [any(inclusive(span, (video, s, e)) for span in spans) for video, s, e in items]
        known = [any(inclusive(span, (video, s, e)) for span in spans + others) for video, s, e in items]
        assert over(judged, items) == Flags(relevant, known, len(spans))

    @given(JUDGED, ITEMS, st.integers(0, 15))
    def test_tolerance(self, judged: Judged, items: Items, tol: int) -> None:
        spans, others = merged(judged, True), merged(judged, False)
        seen: Items = []
        flags = Flags([], [], len(spans))
        for video, s, e in items:
            met = [span[2] for span in spans if meet(span, (video, s, s + tol))]
            new = bool(met) and not any(meet(span, (video, s, e)) for span in seen)
            if new:
                seen.append((video, s, max(s + tol, *met)))
            flags.relevant.append(new)
            flags.judged.append(bool(met) or any(meet(span, (video, s, e)) for span in others))
        assert tolerance(judged, items, tol) == flags

    @given(JUDGED, ITEMS)
    def test_segment_precision(self, judged: Judged, items: Items) -> None:
        unseen = merged(judged, True)
        videos = {video for video, _, _ in unseen}
        rel_secs = sum(f - b for _, b, f in unseen)
        points = _recall_points(rel_secs)
        recorded: list[float] = []
        ret = rel_ret = 0
        for video, s, e in items:
            if video not in videos:
                ret += max(e - s, 0)
                continue
            w0, c, left = s, 0, []
            for window in unseen:
                if not inclusive(window, (video, w0, e)):
                    left.append(window)
                    continue
                _, b, f = window
                o = max(b, w0)
                gain = max(f - o, 0)
                rel_ret += gain
                c += (o - w0) + gain
                for p in points[len(recorded) + 1:]:
                    if p <= rel_ret:
                        recorded.append(p / (ret + c - (rel_ret - p)))
                if b < o and o - 1 - b >= 0.01:
                    left.append((video, b, o - 1))
                w0 += c
            unseen = left
            ret += max(c, e - s)
        isp = [max(recorded[i:]) for i in range(len(recorded))]
        maisp = (1 + sum(isp)) / len(points) if isp else 0
        assert segment_precision(judged, items) == SegmentPrecision(isp, maisp, rel_secs, ret, rel_ret)


def merged(judged: Judged, relevant: bool) -> Items:
    spans: Items = []
    for video, s, e, relevance in sorted(judged):
        if (relevance > 0) == relevant:
            if spans and spans[-1][0] == video and s <= spans[-1][2]:
                spans[-1] = video, spans[-1][1], max(spans[-1][2], e)
            else:
                spans.append((video, s, e))
    return spans


def inclusive(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and (one[1] <= other[1] <= one[2] or other[1] <= one[1] <= other[2])


def meet(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    seconds = [set(range(s, e) if e != 0 else [s]) for _, s, e in (one, other)]
    return one[0] == other[0] and not seconds[0].isdisjoint(seconds[1])
