"""Windows in models' answers: the plain forms, from windows to answers and back, and everything else as unread."""

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import windows_in

Windows = list[tuple[float, float]]

ONE: Windows = [(12.3, 15.6)]
WHOLE: Windows = [(65, 80)]
TWO: Windows = [(12.3, 15.6), (20, 25.5)]


@pytest.mark.parametrize('program', ['charades', 'timelens'])
def test_the_generated_answers_are_read_as_they_are_meant(program: str, shared_data: Path) -> None:
    folder = shared_data / 'moments' / 'programs'
    meant = json.loads(gzip.decompress((folder / 'answers-figures.json.gz').read_bytes()))['meant'].values()
    answers = json.loads(gzip.decompress((folder / f'{program}-answers.json.gz').read_bytes())).values()
    found = [[list(window) for window in windows_in(answer)] for answer in answers]
    assert len(found) == 1200
    assert sum(windows == true for windows, true in zip(found, meant)) >= 0.99 * 1200
    assert not [windows for windows, true in zip(found, meant) if windows and windows != true]


def test_answers_in_other_styles_are_read_right_or_not_at_all() -> None:
    lines = (Path(__file__).parent / 'answers.jsonl').read_text(encoding='utf-8').splitlines()
    records = [json.loads(line) for line in lines]
    found = [[list(window) for window in windows_in(record['answer'])] for record in records]
    assert [(record['answer'], windows) for record, windows in zip(records, found)
            if windows and windows != record['meant']] == []
    assert sum(map(bool, found)) >= 60


@pytest.mark.parametrize('answer', [
    '12.3 - 15.6', '12.3-15.6', '12.3–15.6 s', '12.3s—15.6s', '12.3 to 15.6', 'From 12.3 to 15.6.', '12.3 ~ 15.6',
    'between 12.3 and 15.6 seconds', 'from 12.3s until 15.6s', '12.3 → 15.6', '12.3...15.6', '15.6 - 12.3 seconds',
    '12.3 seconds through 15.6 seconds', 'from about 12.3 up to roughly 15.6 seconds', 'from ~12.3s to ~15.6s',
    't = 12.3 to t = 15.6', '12300 ms to 15600 ms', 'start：12.3，end：15.6', '00:12.3 - 00:15.6', '[12.3,15.6]',
    '00:00:12.300 --> 00:00:15.600', '00:00:12,300 --> 00:00:15,600', '12,300 --> 15,600', '[12.3, 15.6]',
    '(12.3, 15.6)', '[[12.3, 15.6]]', "['12.3s', '15.6s']", '[12.3 - 15.6]', '[[12.3, 15.6, 0.93]]',
    '<12.3> to <15.6>', '**12.3** – **15.6**', '[\n  12.3,\n  15.6\n]', '{"start": 12.3, "end": 15.6}',
    "{'start_time': '12.3s', 'end_time': '15.6s', 'score': 0.9}", '{"from": 12.3, "to": 15.6}',
    'start=12.3; end=15.6', '<window start="12.3" end="15.6"/>', '<start>12.3</start><end>15.6</end>',
    '```json\n{"timestamp": [12.3, 15.6], "confidence": 0.87}\n```', 'Start: 12.3 s\nEnd: 15.6 s',
    '**Start Time:** 12.3 s\n**End Time:** 15.6 s', 'It starts at 12.3 seconds. It ends at 15.6 seconds.',
    'starts at 12.3 s, when men sit down, and ends at 15.6 s', '<answer>12.3 to 15.6</answer>',
    '<think>From 3 to 8? No.</think>\nIt is 12.3 - 15.6.', 'From 3 to 8 he sits. Final answer: 12.3 - 15.6',
    r'The answer is \boxed{12.3 - 15.6}.', 'Query: "3 to 4 dogs run". 12.3 - 15.6 s.', '- 12.3s to 15.6s',
    'There are 2 people. The event happens in 12.3 - 15.6 seconds, which is near the end.',
    "The event 'person #1 takes 2 - 3 cups' happens in 12.3 - 15.6 seconds.", '1. 12.3 - 15.6',
    'A specific example is : 20.8 - 30.0 seconds. The event starts 12.3 to 15.6.', 'Event 1: 12.3 - 15.6',
    'The video is 60.0 seconds long. The event takes place between 12.3s and 15.6s.', 'From 12.3 to 15.6, 2 men dance.',
    '12.3 - 15.6 (confidence: 0.92)', 'From 12.3 s to 15.6 s, lasting 3.3 seconds.', 'from 12.3 to 15.6 (12.3 - 15.6)'])
def test_ways_to_say_one_window(answer: str) -> None:
    assert windows_in(answer) == [pytest.approx(ONE[0])]


@pytest.mark.parametrize('answer', [
    '65 - 80', '1:05 - 1:20', '00:01:05-00:01:20', 'between 1:05 and 1:20', '1m05s - 1m20s', '["1:05", "1:20"]',
    'from 1 minute 5 seconds to 1 minute 20 seconds', '1 minute and 5 seconds – 1 minute and 20 seconds',
    'from one minute and five seconds to one minute and twenty seconds', '1m5s to 80 s', 'starts at 1:05, ends at 1:20',
    'from sixty-five seconds to eighty seconds', 'from second 65 to second 80', '**1:05–1:20**: a man opens 2 doors'])
def test_minutes_and_seconds(answer: str) -> None:
    assert windows_in(answer) == WHOLE


@pytest.mark.parametrize(('answer', 'meant'), [
    ('1,250 s to 1,310.5 s', [(1250, 1310.5)]), ('from 1,250 to 1,310 seconds', []), ('12,500 - 15,250', []),
    ('[1,250 s, 1,310 s]', []), ('0,500 s to 1,500 s', []), ('1250,500 s to 1300,250 s', []), ('(12,500)', []),
    ('12,500 --> 15,250', [(12.5, 15.25)]), ('[5,250]', [(5, 250)])])
def test_thousands_and_decimals(answer: str, meant: Windows) -> None:
    assert windows_in(answer) == meant


@pytest.mark.parametrize('answer', [
    '12.3 - 15.6 and 20 - 25.5', '[[12.3, 15.6], [20, 25.5]]', '[(12.3, 15.6), (20, 25.5)]',
    '1. 12.3 - 15.6\n2. 20 - 25.5', '(1) 12.3 - 15.6; (2) 20 - 25.5', 'from 12.3 to 15.6, and again from 20 to 25.5',
    '{"windows": [[12.3, 15.6], [20, 25.5]], "scores": [0.9, 0.4]}', '12.3-15.6, 20-25.5',
    'between 12.3 and 15.6 and between 20 and 25.5', '[{"start": 12.3, "end": 15.6}, {"start": 20, "end": 25.5}]',
    'The first starts at 12.3 s and ends at 15.6 s; the second starts at 20 s and ends at 25.5 s.'])
def test_several_windows(answer: str) -> None:
    assert windows_in(answer) == TWO


@pytest.mark.parametrize('answer', [
    # refusals, and numbers that are no times
    '', 'I cannot find this event in the video.', 'N/A', '[[]]', '{"start": null, "end": null}', '[-1, -1]', '-1 to -1',
    '{"start": -1, "end": -1}', 'There are 2 people and 3 dogs.', 'The man opens 2-3 drawers.', 'the score is 3-2',
    'It happens 5 to 10 times.', 'In 1990 - 1995 the band played.', 'verses 5 to 9', '[1, 2, 3, 4]', '1 - 2 - 3',
    '2024-01-15', 'frames 120-180', '120 to 180 frames', 'from 10% to 30%', '{"start_frame": 3, "end_frame": 9}',
    'Confidence: 0.8 - 0.9', '1920x1080, 30 fps', 'https://example.org/v/12-15', '00:00:12:05 - 00:00:15:10',
    'It costs $20 - $30.', 'She won the match 6-4, 3-6, 7-5.', '9 - 5 = 4 seconds', 'The text "14 - 19" appears.',
    # lengths, denials, examples, alternatives, thoughts without an end
    'it takes 5-10 seconds', '2 to 3 minutes long', 'The event lasts between 5 and 10 seconds.', '0:12/0:30',
    'The video runs from 0 to 60 seconds.', 'The event does not occur between 3 and 8.', 'either 3 - 5 or 8 - 10',
    'Nothing happens between 3 and 8 s.', 'For example, it happens in the 24.3 - 30.4 seonds.', '<think>from 3 to 8',
    'At first I thought 3 - 8, but it is actually 12.3 - 15.6.', 'The clock shows 10:15 to 10:20.',
    # one time, more than a window, and units that do not agree
    'at 12.3 seconds', 'starts at 12.3', '12.3s, 15.6s, 20s', 'At 5 seconds he sits, at 10 seconds he stands.',
    'The start time is 0:00 - 0:03, and the end time is 0:04 - 0:07.', 'from 1 minute to 2', '5 to 10 minutes',
    'starts between 3 and 5 and ends between 8 and 10', 'from 5 to 9 s he sits, from 12 to 15 s he runs',
    # other languages
    'von 12,5 bis 15 Sekunden', '从12秒到15秒', 'de 12 à 15 secondes'])
def test_everything_else_is_unread(answer: str) -> None:
    assert windows_in(answer) == []


def clock(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{int(minutes)}:{seconds:04.1f}'


def spoken(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{minutes:.0f} minutes and {seconds:.1f} seconds' if minutes else f'{seconds:.1f} seconds'


TIMES: list[Callable[[float], str]] = ['{:.2f}s'.format, '{:.1f} s'.format, '{:.1f} seconds'.format,
                                       '{:.1f} sec'.format, clock, spoken]
SAID = ['{} - {}', '{}–{}', '{} to {}', 'from {} to {}', 'between {} and {}', 'from {} until {}', '({} - {})',
        'starts at {} and ends at {}', 'Start: {}\nEnd: {}', '{{"start": "{}", "end": "{}"}}', '[["{}", "{}"]]']
BEFORE = ['', 'The event happens in ', "The event 'a man lifts 20 - 30 kg' happens in ", 'There are 3 people. It is ',
          'Answer: ', '<think>From 1 to 2 s? Or 3 - 4?</think><answer>', 'The video is 90 seconds long. It ', '- ']
AFTER = ['', '.', '</answer>', ' in the video, which is near the end.', '.\nThere are 2 to 3 people.',
         ' (confidence: 0.9)']
MOMENTS = st.lists(st.integers(50, 9000), min_size=2, max_size=6, unique=True).map(sorted).map(
    lambda tenths: [(start / 10, end / 10) for start, end in zip(tenths[::2], tenths[1::2])])


@given(MOMENTS, st.sampled_from(TIMES), st.sampled_from(SAID), st.sampled_from([' and ', '; ', '\n', ', then ']),
       st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_from_windows_to_answers_and_back(windows: Windows, time: Callable[[float], str], said: str, between: str,
                                          before: str, after: str) -> None:
    answer = before + between.join(said.format(time(start), time(end)) for start, end in windows) + after
    assert windows_in(answer) == [pytest.approx(window) for window in windows]


@given(st.text(), st.lists(st.sampled_from(
    ['1', '2.5', '0:07', '-', ' - ', ' to ', 'from', ' ', '\n', 'start', 'end', '[', ']', '(', ')', '{', '}', '"', "'",
     ',', ':', 's', ' seconds', '<think>', '</think>', '<answer>', 'or', 'not', '|', '%', '１', 'answer:', 'and'])))
def test_any_text_has_windows_in_order_or_none(text: str, pieces: list[str]) -> None:
    for answer in (text, ''.join(pieces), ' '.join(pieces), text.join(pieces)):
        for start, end in windows_in(answer):
            assert 0 <= start <= end


@pytest.mark.parametrize('piece', [
    '1', '1.', '1:', '1,', '1 ', '(', '[[1],', '{1', '"a b" ', '<a', 'a-', '1 to ', '1 minute ', 'start 1 ', '\n', ' ',
    '"', "'", '[', '- 1\n', '1 - 2\n', '<s>1</s>', 'starts at 1 s, ', 'at 1 s he sits. ', '1(2)', 'a_', 'between '])
def test_the_time_grows_with_the_length(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece)) + ' From 12 to 15.'
        times = []
        for _ in range(3):
            began = time.process_time()
            windows_in(text)
            times.append(time.process_time() - began)
        return min(times)

    assert seconds(80_000) < 16 * seconds(20_000) + 0.01  # quadratic time would be 16 times, and seconds
    assert seconds(80_000) < 3
