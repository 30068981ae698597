"""The files of moment retrieval: what the readers give for good files, and what they say about bad ones."""

from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import message

from ir_segmeasures import SegmentWarning, formats, mIoU
from ir_segmeasures.formats import FormatError, MomentQrel, ReadRequest, SegmentScoredDoc, moments

FILE_NAME = 'file.jsonl'


def true_windows(windows: str, rest: str = '') -> str:
    return f'{{"qid": 1, "vid": "v", "relevant_windows": {windows}{rest}}}'


def predictions(windows: str, rest: str = '') -> str:
    return f'{{"qid": 1, "vid": "v", "pred_relevant_windows": {windows}{rest}}}'


class TestTrueWindows:
    def test_windows(self, write: Callable[..., Path]) -> None:
        path = write(
            '{"qid": 2579, "vid": "N_210.0", "duration": 150, "relevant_windows": [[82, 150], [0, 1.5]], "x": "a"}\n'
            '\n{"qid": "007", "vid": "é v", "relevant_windows": [[0, 2]]}\r\n'
        )
        assert moments.TRUE.read(path) == [
            MomentQrel('2579', 'N_210.0', 82, 150, 1, '0', 150),
            MomentQrel('2579', 'N_210.0', 0, 1.5, duration=150),
            MomentQrel('007', 'é v', 0, 2),
        ]

    def test_a_query_without_windows_counts_0(self, write: Callable[..., Path]) -> None:
        content = f'{true_windows("[]")}\n{true_windows("[[0, 1]]").replace("1", "2", 1)}\n'
        with pytest.warns(SegmentWarning, match=r"1 queries have no true windows, and count 0 .* '1' in line 1\)"):
            qrels = moments.TRUE.read(path := write(content))
        assert [row[:5] for row in qrels] == [('1', 'v', 0, 0, 0), ('2', 'v', 0, 1, 1)]
        first = predictions('[[0, 1]]')
        run = moments.MOMENTS.run.read(write('\n'.join([first, first.replace('1', '2', 1)])))
        assert (mIoU@1).calc_aggregate(qrels, run) == .5
        assert formats.write_qrels(qrels, path, 'moments') == [] and path.read_text() == content
        assert moments.MOMENTS.run.read(write(predictions('[]'))) == []

    def test_windows_without_content_are_judged_0(self, write: Callable[..., Path], tmp_path: Path) -> None:
        path = write(true_windows('[[2, 2.0], [4, 5]]') + '\n{"qid": 2, "vid": "v", "relevant_windows": [[0, 0]]}')
        with pytest.warns(SegmentWarning, match=r"2 windows end where they start, .*\[2, 2.0\] of query '1' in line 1"):
            qrels = moments.TRUE.read(path)
        assert [row.relevance for row in qrels] == [0, 1, 0]
        assert formats.write_qrels(qrels, tmp_path / 'again', 'moments') == []
        with pytest.warns(SegmentWarning):
            assert moments.TRUE.read(tmp_path / 'again') == qrels
        run = [SegmentScoredDoc('1', 'v', 4, 5, 1, 1, 1, None, None)]
        assert (mIoU@1).calc_aggregate(qrels, run) == 0.5

    @pytest.mark.parametrize('qid', ['1', '"1"'])
    def test_a_query_on_two_lines(self, write: Callable[..., Path], qid: str) -> None:
        path = write(true_windows('[[0, 1]]') + f'\n\n{{"qid": {qid}, "vid": "w", "relevant_windows": []}}\n')
        assert message(moments.TRUE.read, path).startswith("file.jsonl, line 3: query '1' is already in line 1")


class TestPredictions:
    def test_rows_are_as_listed_with_ranks_by_score_and_ties_as_listed(self, write: Callable[..., Path]) -> None:
        path = write(predictions('[[0.0, 4.5, 0.5], [2, 2, 0.9], [6, 9, 0.5], [1, 3, 1]]', ', "duration": -1'))
        assert moments.MOMENTS.run.read(path) == [
            SegmentScoredDoc('1', 'v', 0, 4.5, 0.5, 3, 0.5, None, None),
            SegmentScoredDoc('1', 'v', 2, 2, 0.9, 2, 0.9, None, None),
            SegmentScoredDoc('1', 'v', 6, 9, 0.5, 4, 0.5, None, None),
            SegmentScoredDoc('1', 'v', 1, 3, 1, 1, 1, None, None),
        ]


class TestWindowsOfModels:
    """Windows without scores, reversed, without numbers, and with times as text."""

    def test_times_as_text(self, write: Callable[..., Path]) -> None:
        path = write(predictions('[["01:05", "1:15.5"], ["1:00:00", "01:00:02"], [5, "9.5"], ["3 s", "4s"]]'))
        assert [(row.start, row.end) for row in moments.MOMENTS.run.read(path)] == [
            (65, 75.5), (3600, 3602), (5, 9.5), (3, 4)]

    def test_reversed_windows_are_put_in_order_with_one_warning(self, write: Callable[..., Path]) -> None:
        path = write(predictions('[[20, 10, 0.5], [0, 1, 0.9], ["0:09", 7, 0.1]]'))
        with pytest.warns(SegmentWarning) as said:
            rows = moments.MOMENTS.run.read(path)
        assert [(row.start, row.end, row.rank) for row in rows] == [(10, 20, 2), (0, 1, 1), (7, 9, 3)]
        assert [str(one.message).partition('file.jsonl: ')[2] for one in said] == [
            '2 windows end before they start, and their times are put in order (such as [20, 10, 0.5] in line 1): '
            'check that this is meant']

    @pytest.mark.parametrize('window', ['[]', '[NaN, 3, 1]', '[1, NaN, 1]', '[1, 3, NaN]', '[null, null, 1]'])
    def test_windows_without_numbers_are_left_out_with_a_warning(self, write: Callable[..., Path], window: str) -> None:
        path = write(predictions(f'[{window}, [0, 1, 0.9]]'))
        with pytest.warns(SegmentWarning, match=r'file\.jsonl: 1 windows have no number .* left out .* in line 1'):
            assert moments.MOMENTS.run.read(path) == [SegmentScoredDoc('1', 'v', 0, 1, 0.9, 1, 0.9, None, None)]

    def test_the_check_goes_on_behind_a_line(self, write: Callable[..., Path]) -> None:
        path = write(f'{predictions("[[1, 2, 3]]")}\nx\n{predictions("[[2, 3, 3]]")}\n{predictions("[[-1, 3, 3]]")}')
        rows, errors = moments.MOMENTS.run.check(path)
        assert [row.start for row in rows] == [1] and [error.line for error in errors] == [2, 3, 4]

    @pytest.mark.parametrize('whole', [1, 100])
    def test_normalised_times(self, write: Callable[..., Path], whole: int) -> None:
        path = write(predictions(f'[[{0.08 * whole}, {0.2 * whole}], [0.3, {whole}]]', ', "duration": 150'))
        for durations in (None, {'v': 150}):
            rows = formats.read_run(path, 'moments', normalised=True, durations=durations)
            assert [(row.start, row.end) for row in rows] == [(12, 30), (45 / whole, 150)]
        rows = formats.read_run(path, 'moments', normalised=True, durations={'v': 300})
        assert rows[0].end == 60

    @pytest.mark.parametrize('windows, durations, sentence', [
        ('[[0.1, 0.2], [0.5, 0.9], [0.1, 1.02]]', {'v': 9},
         "window 0.1-1.02 of video 'v' goes beyond 1, but normalised"),
        ('[[0, 53], [50, 101]]', {'v': 9}, "window 50-101 of video 'v' goes beyond 100"),
        ('[[0.1, 0.2]]', {'w': 9}, "window 0.1-0.2 of video 'v' is a part of its duration, which is not known"),
        ('[[0.1, 0.2]]', {}, "the line has no 'duration'")])
    def test_normalised_times_without_a_duration_or_beyond_it(
            self, write: Callable[..., Path], windows: str, durations: dict[str, float], sentence: str) -> None:
        with pytest.raises(FormatError) as caught:
            request = ReadRequest(write(predictions(windows)), 'run', 'moments', normalised=True)
            request.in_seconds(request.read(), durations)
        assert caught.value.sentence.startswith(sentence)
        assert caught.value.line == 1


TVR_LINE = ('{"vid_name": "castle_01", "duration": 61.46, "ts": [16.48, 33.87], "desc": " Castle sits. ", "type": "v", '
            '"desc_id": 90200}')


class TestLinesOfTVR:
    def test_a_moment(self, write: Callable[..., Path]) -> None:
        path = write(f'{TVR_LINE}\n')
        assert moments.TRUE.read(path) == [MomentQrel('90200', 'castle_01', 16.48, 33.87, duration=61.46)]
        assert moments.read_queries(path) == [('90200', 'Castle sits.')]
        assert moments.read_videos(path) == [('castle_01', 61.46)]

    def test_a_video_has_one_duration(self, write: Callable[..., Path]) -> None:
        path = write(f'{TVR_LINE}\n{TVR_LINE.replace("61.46", "60").replace("90200", "90201")}\n')
        assert "line 2: video 'castle_01' has the duration 60 here and 61.46 before" in message(
            moments.read_videos, path)
        path = write(TVR_LINE.replace('"duration": 61.46, ', ''))
        assert "the line has no 'duration'" in message(moments.read_videos, path)
