"""Windows in models' answers: every way to say them, from windows to answers and back, and what is no window."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import windows_in

Windows = list[tuple[float, float]]

ONE: Windows = [(12.3, 15.6)]
WHOLE: Windows = [(65, 80)]
TWO: Windows = [(12.3, 15.6), (20, 25.5)]


def test_the_generated_answers_are_read_as_they_are_meant(shared_data: Path) -> None:
    folder = shared_data / 'moments' / 'programs'
    meant = json.loads(gzip.decompress((folder / 'answers-figures.json.gz').read_bytes()))['meant']
    answers = json.loads(gzip.decompress((folder / 'charades-answers.json.gz').read_bytes()))
    found = {key: [list(window) for window in windows_in(answer)] for key, answer in answers.items()}
    assert len(found) == 1200
    assert {key: windows for key, windows in found.items() if windows != meant[key]} == {}


def test_answers_in_many_styles_are_read_as_they_are_meant() -> None:
    lines = (Path(__file__).parent / 'answers.jsonl').read_text(encoding='utf-8').splitlines()
    wrong, unread = [], []
    for record in map(json.loads, lines):
        found = [list(window) for window in windows_in(record['answer'])]
        if found != record['meant']:
            (wrong if found else unread).append(record['answer'])
    assert len(lines) == 4137
    assert wrong == []
    assert len(unread) <= 0.01 * len(lines), unread


@pytest.mark.parametrize('answer', [
    '12.3 - 15.6', '12.3-15.6', '12.3–15.6 s', '12.3s—15.6s', '12.3 to 15.6', 'From 12.3 to 15.6.', '12.3 ~ 15.6',
    'between 12.3 and 15.6 seconds', 'from 12.3s until 15.6s', '12.3 sec. to 15.6 sec.', '12.3 → 15.6',
    '12.3...15.6', '12.3 seconds through 15.6 seconds', 'from about 12.3 up to roughly 15.6 seconds',
    'from ~12.3s to ~15.6s', 'It happens from 12.3 seconds into the video to 15.6 seconds into the video.',
    't = 12.3 to t = 15.6', 'from 12.3 s (when he comes in) to 15.6 s (when he leaves)', '15.6 - 12.3 seconds',
    '12300 ms to 15600 ms', '12,3 s - 15,6 s', 'from 12,3 to 15,6', '０:１２.３～０:１５.６', 'start：12.3，end：15.6',
    '12.3&nbsp;&ndash;&nbsp;15.6 s', '从12.3秒到15.6秒', '00:12.3 - 00:15.6', '00:00:12.300 --> 00:00:15.600',
    '00:00:12,300 --> 00:00:15,600', '[12.3, 15.6]', '(12.3, 15.6)', '[[12.3, 15.6]]', "['12.3s', '15.6s']",
    '[12.3 - 15.6]', '[[12.3, 15.6, 0.93]]', '12.3, 15.6', '12.3\n15.6', '<12.3> to <15.6>', '**12.3** – **15.6**',
    '`12.3 - 15.6`', '[\n  12.3,\n  15.6\n]', '{"start": 12.3, "end": 15.6}',
    "{'start_time': '12.3s', 'end_time': '15.6s', 'score': 0.9}", '{"from": 12.3, "to": 15.6}',
    '{"end": 15.6, "start": 12.3}', '{"fps": 30, "start": 12.3, "end": 15.6, "duration": 3.3}',
    'start=12.3; end=15.6', '{"reasoning": "he walks from 1 to 2 s", "answer": {"start": 12.3, "end": 15.6}}',
    '<window start="12.3" end="15.6"/>', '<start>12.3</start><end>15.6</end>',
    '```json\n{"timestamp": [12.3, 15.6], "confidence": 0.87}\n```', 'Start: 12.3 s\nEnd: 15.6 s',
    '**Start Time:** 12.3 s\n**End Time:** 15.6 s', 'Start - 12.3\nEnd - 15.6',
    'It starts at 12.3 seconds. It ends at 15.6 seconds.', 'Ending time: 15.6 s\nStarting time: 12.3 s',
    'starts at 12.3 s, when 2 men sit down, and ends at 15.6 s', 'starts at 12.3 and continues until 15.6',
    'The event starts at 12.3 seconds and lasts for 3.3 seconds.', 'Start: 12.3s, Duration: 3.3s',
    '| Start | End |\n|---|---|\n| 12.3 | 15.6 |', 'start,end\n12.3,15.6',
    '| 1 | 12.3 - 15.6 | a man opens 2 doors |', '<answer>12.3 to 15.6</answer>',
    '<think>From 3 to 8? No.</think><answer>12.3 to 15.6</answer>',
    '<think>From 3 to 8? No.</think>\nIt is 12.3 - 15.6.', 'From 3 to 8 he sits. Final answer: 12.3 - 15.6',
    'At first I thought 3 - 8, but it is actually 12.3 - 15.6.', 'Not 3 - 8, but 12.3 - 15.6.',
    r'The answer is \boxed{12.3 - 15.6}.', '12.3 - 15.6. Explanation: from 12.5 to 13.5 he opens the door.',
    'There are 2 people. The event happens in 12.3 - 15.6 seconds, which is near the end.',
    "The event 'person #1 takes 2 - 3 cups' happens in 12.3 - 15.6 seconds.",
    'Query: "3 to 4 dogs run". 12.3 - 15.6 s.',
    'A specific example is : 20.8 - 30.0 seconds. The event starts 12.3 to 15.6.', 'Event 1: 12.3 - 15.6',
    'In the 45-second video, 2 to 3 men dance from 12.3 to 15.6.', '1. 12.3 - 15.6', '- 12.3s to 15.6s',
    'The video is 60.0 seconds long. The event takes place between 12.3s and 15.6s.',
    '12.3 - 15.6 (confidence: 0.92)', 'From 12.3 s to 15.6 s, lasting 3.3 seconds.',
    'frame 369 (12.3 s) to frame 468 (15.6 s)', "'The event happens in 12.3 - 15.6 seconds'.",
    'The event happens in the 12.3 - 15.6 seonds.', 'from 12.3 to 15.6 (12.3 - 15.6)',
    '<|im_start|>assistant\n12.3 - 15.6<|im_end|>',
    '0:12.3s to 0:15.6s', '{"startSeconds": 12.3, "endSeconds": 15.6}', 'Hmm, 3 - 8? No, more like 12.3 - 15.6.',
    'Start frame: 369 (12.3 s), end frame: 468 (15.6 s)',
    'The video has 2 men. The start and end times are 12.3s and 15.6s.', 'Final: 12.3 - 15.6 s',
    '12.3 second mark-15.6 second mark',
    'At 12.3 s, the event starts, and it ends at 15.6 s.',
    'At about 12.3 seconds he starts to sing, and at 15.6 seconds he stops.',
    'It kicks off at 12.3s and wraps up at 15.6s.', 'It is first seen at 12.3 s and last seen at 15.6 s.',
    'It starts at 12.3 seconds in, and is done by 15.6 seconds.', '{"st": 12.3, "ed": 15.6}', '12.3s ⟶ 15.6s',
    '__12.3s – 15.6s__', 'With 95% confidence: 12.3 - 15.6 s', 'von 12.3 bis 15.6 Sekunden', 'Time stamps: 12.3, 15.6',
    'The timestamps are 12.3 and 15.6.', 'Boundaries: 12.3 s and 15.6 s'])
def test_ways_to_say_one_window(answer: str) -> None:
    assert windows_in(answer) == [pytest.approx(ONE[0])]


@pytest.mark.parametrize('answer', [
    '65 - 80', '1:05 - 1:20', '01:05 to 01:20', '00:01:05-00:01:20', 'between 1:05 and 1:20', '1m05s - 1m20s',
    'from 1 minute 5 seconds to 1 minute 20 seconds', '1 minute and 5 seconds – 1 minute and 20 seconds',
    '1m5s to 80 s', '1\'05" – 1\'20"', '1:05 (65 seconds) to 1:20 (80 seconds)',
    'from the 65th second to the 80th second', 'between the 65- and the 80-second mark',
    'from second 65 to second 80', '65-th second to 80-th second', '["1:05", "1:20"]', '65 to 80 s',
    '1 min 5 sec until 1 min 20 sec',
    'starts at 1:05 and ends at 1:20', '**1:05–1:20**: a man opens 2 doors'])
def test_minutes_and_seconds(answer: str) -> None:
    assert windows_in(answer) == WHOLE


@pytest.mark.parametrize('answer', [
    '12.3 - 15.6 and 20 - 25.5', '[[12.3, 15.6], [20, 25.5]]', '[(12.3, 15.6), (20, 25.5)]',
    '1. 12.3 - 15.6\n2. 20 - 25.5', '(1) 12.3 - 15.6; (2) 20 - 25.5', 'from 12.3 to 15.6, and again from 20 to 25.5',
    '12.3-15.6, 20-25.5', '{"windows": [[12.3, 15.6], [20, 25.5]], "scores": [0.9, 0.4]}',
    'between 12.3 and 15.6 and between 20 and 25.5', '[{"start": 12.3, "end": 15.6}, {"start": 20, "end": 25.5}]',
    'The event occurs twice: 12.3 - 15.6 and 20 - 25.5 seconds.',
    'The first starts at 12.3 s and ends at 15.6 s; the second starts at 20 s and ends at 25.5 s.',
    '| # | Start | End |\n|---|---|---|\n| 1 | 12.3 | 15.6 |\n| 2 | 20 | 25.5 |',
    '0:12.3 – 0:15.6: he cooks 3 eggs\n0:20 – 0:25.5: he eats', '12.3,15.6\n20.0,25.5', '12.3\t15.6\n20.0\t25.5',
    '12.3 15.6\n20.0 25.5\n'])
def test_several_windows(answer: str) -> None:
    assert windows_in(answer) == TWO


@pytest.mark.parametrize('answer, end', [
    ('in the first 10 seconds', 10), ('the first ten seconds', 10), ('From the beginning of the video to 8.5 s.', 8.5),
    ('from the start until 0:07', 7), ('from zero to twenty-five seconds', 25), ('0 - 1 minute', 60),
    ('1.5 to 0 minutes', 90)])
def test_windows_at_the_beginning(answer: str, end: float) -> None:
    assert windows_in(answer) == [(0, end)]


@pytest.mark.parametrize('answer', [
    '', 'I cannot find this event in the video.', 'None', 'N/A', '[]', '[[]]', '{"start": null, "end": null}',
    '[-1, -1]', 'There are 2 people and 3 dogs.', 'I can see 2 to 3 people.', 'The man opens 2-3 drawers.',
    'It happens 5 to 10 times.', 'In 1990 - 1995 the band played.', 'about 20 to 30 years old', 'verses 5 to 9',
    'scenes 2 to 4', 'Option 2', 'the score is 3-2', 'at 12.3 seconds', 'starts at 12.3', 'ends at 15.6', '12.3',
    '12.3s, 15.6s, 20s', '[1, 2, 3, 4]', '1 - 2 - 3', '2024-01-15', 'At 5 seconds he sits, at 10 seconds he stands.',
    'from 12.3 seconds to the end of the video', 'the last 10 seconds', 'frames 120-180',
    'from frame 120 to frame 180', '120 to 180 frames', '10-30%', 'from 10% to 30%',
    '{"start_frame": 3, "end_frame": 9}', 'Confidence: 0.8 - 0.9', '1920x1080, 30 fps', 'GPT-4 version 1.2.3',
    'https://example.org/v/12-15', '5:75 - 6:80', '00:00:12:05 - 00:00:15:10', 'either 3 - 5 or 8 - 10',
    'The start time is 0:00 - 0:03, and the end time is 0:04 - 0:07.', 'it takes 5-10 seconds',
    '2 to 3 minutes long', 'starts between 3 and 5 and ends between 8 and 10',
    'The event does not occur between 3 and 8.', 'There is no such event from 0 to 30 s.',
    'The video runs from 0 to 60 seconds.', 'For example, it happens in the 24.3 - 30.4 seonds.',
    '<think>from 3 to 8', '<answer></answer>', 'From 3 to 8 he sits. Answer: 12.3', '0:12/0:30',
    'from 1 minute to 2', '-1 to -1',
    'It costs $20 - $30.', 'The event lasts between 5 and 10 seconds.', 'It might take 20-30 minutes.',
    'At 5 seconds he sits and starts at 9 seconds.', 'I give no times such as 10 - 20 seconds.',
    'The text "14 - 19" appears.', 'about 5-10 minutes of cooking', 'The clock shows 10:15 to 10:20.',
    'On the wall clock it is 3:05 to 3:10.', 'The dough rests 20-30 minutes.', 'The sign reads 24-7.',
    '12,3\n15,6\n18,9', 'The start and end times are 3, 5 and 9.',
    'Nothing happens between 3 and 8 s.', 'Neither at 3-5 s nor at 8-9 s.', "I don't think it happens from 3 to 8."])
def test_what_is_no_window_or_can_be_two(answer: str) -> None:
    assert windows_in(answer) == []


def clock(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{int(minutes)}:{seconds:04.1f}'


def spoken(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{minutes:.0f} minutes and {seconds:.1f} seconds' if minutes else f'{seconds:.1f} seconds'


def compact(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{minutes:.0f}m{seconds:.1f}s'


TIMES: list[Callable[[float], str]] = [
    '{:.1f}'.format, '{:.2f}s'.format, '{:.1f} s'.format, '{:.1f} seconds'.format, 'about {:.1f} sec'.format, clock,
    lambda time: f'00:0{clock(time)}' if time < 600 else clock(time), spoken, compact,
    lambda time: f'{time:.1f}'.replace('.', ',')]
SAID = ['{} - {}', '{}–{}', '{} to {}', 'from {} to {}', 'between {} and {}', 'from {} until {}', '({} - {})',
        '**{}** → **{}**', 'starts at {} and ends at {}', 'begins at {}, when 2 men sit down, and finishes at {}',
        'Start: {}\nEnd: {}', 'The start time is {}. The end time is {}.', '{{"start": "{}", "end": "{}"}}',
        '[["{}", "{}"]]']
BETWEEN = [' and ', '; ', '\n', ', then ']
BEFORE = ['', 'The event happens in ', "The event 'a man lifts 20 - 30 kg' happens in ", 'There are 3 people. It is ',
          'Answer: ', '<think>From 1 to 2 s? Or 3 - 4?</think><answer>',
          'At first I thought of 1 - 2 s. Actually, it is ',
          'A specific example is : 20.8 - 30.0 seconds. The event: ', 'The video is 90 seconds long. It ', '- ']
AFTER = ['', '.', '</answer>', ' in the video, which is near the end.', '.\nThere are 2 to 3 people.',
         ' (confidence: 0.9)', ', where he opens 2 doors.', '\n\nExplanation: he opens the door from 1 to 2 s.']

MOMENTS = st.lists(st.integers(50, 9000), min_size=2, max_size=6, unique=True).map(sorted).map(
    lambda tenths: [(start / 10, end / 10) for start, end in zip(tenths[::2], tenths[1::2])])


@given(MOMENTS, st.sampled_from(TIMES), st.sampled_from(SAID), st.sampled_from(BETWEEN), st.sampled_from(BEFORE),
       st.sampled_from(AFTER))
def test_from_windows_to_answers_and_back(windows: Windows, time: Callable[[float], str], said: str, between: str,
                                          before: str, after: str) -> None:
    answer = before + between.join(said.format(time(start), time(end)) for start, end in windows) + after
    assert windows_in(answer) == [pytest.approx(window) for window in windows]


# A start and an end that are named in other places, or by other words, than beside each other.
APART = ['{} is when it starts and {} is when it ends.', 'At about {} the event starts, and by {} it is over.',
         'Right at {} it begins. It does not end until {}.', 'The answer is {} as the start and {} as the end.',
         'A man enters at {}. He leaves at {}.', 'From {} on he sings, and this lasts up to {}.',
         'No earlier than {} and no later than {}.', '| | Seconds |\n|---|---|\n| Start | {} |\n| End | {} |',
         '| Time | Note |\n|---|---|\n| {} | action starts |\n| {} | action ends |', 'seen at {}, until {}',
         'Start: {} | Conclusion: {}', '<time>{}</time><time>{}</time>', '1. Start: {}\n2. End: {}', '{} ≤ t ≤ {}',
         'begin/end: {}/{}', '{{"query": "he lifts 2 cups", "span": {{"from_s": "{}", "to_s": "{}"}}}}',
         '{{"tStart": "{}", "tEnd": "{}"}}', '⏱️ {} ➡️ {}']
COUPLES = [('first', 'last'), ('earliest', 'latest'), ('initial', 'final'), ('lower', 'upper'), ('left', 'right'),
           ('entry', 'exit')]
COUPLED = ['{} frame: {}\n{} frame: {}', 'The {} one is at {}, the {} one at {}.',
           '{} timestamp = {}, {} timestamp = {}', 'The {} moment is {}; the {} moment is {}.']
LISTED = ['Start: {}\nEnd: {}', 'starts = [{}]; ends = [{}]', '{{"start": [{}], "end": [{}]}}',
          'Start times: {}; end times: {}.']
AROUND = ['There are 3 people in the video.', 'Sure, here it is!', 'The video is 900 seconds long.',
          'Query: a man picks up 2 cups.', 'The man wears shirt number 7.', 'Confidence: 0.85.']
CLOCK_OR_SECONDS = st.sampled_from([clock, '{:.1f} s'.format, '{:.1f}s'.format])
ONE_MOMENT = MOMENTS.map(lambda windows: windows[:1])


@given(ONE_MOMENT, CLOCK_OR_SECONDS, st.one_of(
    st.sampled_from(APART), st.tuples(st.sampled_from(COUPLES), st.sampled_from(COUPLED)).map(
        lambda drawn: drawn[1].format(drawn[0][0], '{}', drawn[0][1], '{}'))), st.sampled_from(AROUND), st.booleans())
def test_starts_and_ends_wherever_they_stand(windows: Windows, time: Callable[[float], str], said: str, note: str,
                                             note_first: bool) -> None:
    answer = said.format(*map(time, windows[0]))
    for text in (answer, f'{note}\n\n{answer}' if note_first else f'{answer}\n\n{note}'):
        assert windows_in(text) == [pytest.approx(windows[0])]


@given(MOMENTS.filter(lambda windows: len(windows) > 1), CLOCK_OR_SECONDS, st.sampled_from(LISTED))
def test_starts_and_ends_in_lists(windows: Windows, time: Callable[[float], str], said: str) -> None:
    answer = said.format(*(', '.join(map(time, times)) for times in zip(*windows)))
    assert windows_in(answer.replace('[', '["').replace(']', '"]').replace(', ', '", "') if '{' in answer
                      else answer) == [pytest.approx(window) for window in windows]


@given(ONE_MOMENT, st.sampled_from([
    'I looked at {}-{} s but found nothing.', 'For instance, you might write "{} - {} seconds".',
    'She waits {}-{} seconds before she moves.', 'The light stays red for between {} and {} seconds.',
    'I would need the frames between {} s and {} s.', 'From {} s to {} s the screen is black, so I cannot answer.',
    'bbox: ({}, {}), ({}, {})', 'No matching moment was found. (Searched {} - {} s.)',
    'Person 1 enters at {} s; person 2 leaves at {} s.', 'The model was trained on clips of {} to {} seconds.',
    'Between {} and {} per cent of the frames show it.', 'Please upload the video; a clip of {}-{} seconds is best.',
    'The video does not contain this. It only shows a man from {} to {} seconds.']))
def test_times_of_something_else_are_no_windows(windows: Windows, said: str) -> None:
    (start, end), = windows
    assert windows_in(said.format(start, end, start, end)) == []


@given(MOMENTS)
def test_json_and_back(windows: Windows) -> None:
    for answer in (windows, {'windows': windows}, [{'start': start, 'end': end} for start, end in windows],
                   [{'id': place, 'timestamps': list(map(clock, window))} for place, window in enumerate(windows)]):
        text = json.dumps(answer)
        for written in (text, json.dumps(answer, indent=2), f'```json\n{text}\n```', repr(answer)):
            assert windows_in(written) == [pytest.approx(window) for window in windows]


@given(st.text(), st.lists(st.sampled_from(
    ['1', '2.5', '0:07', '-', ' - ', 'to', ' to ', 'from', ' ', '\n', 'start', 'end', '[', ']', '(', ')', '{',
     '}', '"', "'", ',',
     ':', 's', ' seconds', '<think>', '</think>', '<answer>', 'first', 'or', 'not', '|', 'frame', '%', '１', 'answer:',
     'and'])))
def test_any_text_has_windows_in_order_or_none(text: str, pieces: list[str]) -> None:
    for answer in (text, ''.join(pieces), ' '.join(pieces), text.join(pieces)):
        for start, end in windows_in(answer):
            assert 0 <= start <= end


@pytest.mark.parametrize('piece', [
    '1', '1.', '1:', '1,', '1 ', '(', '[[1],', '{1', '"a b" ', '<a', 'a-', '1 to ', '1 minute ', 'start 1 ', '\n', ' ',
    '<think>', 'answer: ', 'so the ', 'nobody ', "isn't ",
    'sits at 1 s, ', 'at 1 s he sits. ', 'two and a half minutes ',
    'secnods 1 ', '<a>1</a><b>2</b>', '/* ',  '1. ', '- 1\n', '<s>1</s>', 'starts at 1 s, ',
    'no event ', 'last 1:00 ', '\n\n1 s', '&lt;', '|start|end|\n', '1(2)', '- ',
    'but that is the ', '1-2 s, not it. ', 'he never sits, ',
    '"frame": 1, '])
def test_long_texts_end(piece: str) -> None:
    text = piece * (5 * 10 ** 4 // len(piece))  # quadratic time would be minutes
    assert windows_in(text + '. The event happens from 12.3 to 15.6 seconds.') in ([], ONE)


@pytest.mark.parametrize('answer', [
    'In: 12.3 Out: 15.6', 'in 12.3, out 15.6', '{"s": 12.3, "e": 15.6}', 'T1 = 12.3, T2 = 15.6', 'left=12.3 right=15.6',
    'lower bound 12.3, upper bound 15.6', 'Timestamp range: 12.3,15.6', 'window: 12.3, 15.6',
    'The score changes from 2 to 3 between 12.3 s and 15.6 s.', 'I first thought 3-5s, but it is 12.3-15.6s.',
    'He counts from 1 to 10 between 12.3s and 15.6s.', '0.2 - 0.26 of the video, so 12.3 s to 15.6 s'])
def test_other_names_of_start_and_end(answer: str) -> None:
    assert windows_in(answer) == [(12.3, 15.6)]


@pytest.mark.parametrize('answer', [
    'The score changes from 2 to 3.', 'The level increases from 3 to 4.', 'The counter goes from 10 to 20.',
    'His heart rate goes from 80 to 120.', 'The price dropped from 50 to 40.', 'The game ends 21 to 19.',
    'The number of players increases from 5 to 7.', 'The train moves from platform 3 to 4.',
    '0.1 - 0.3 of the video length', 'Around 0.2-0.4 in normalized time', '[0.2, 0.4] (normalised)',
    'In relative time, the event spans 0.25 to 0.5.', 'He counts from 1 to 10.', 'The ratio is 3 to 4.',
    'The odds are 3 to 1.', 'The elevator goes from 1 to 5.', 'The phone number is 555-1234.'])
def test_quantities_and_parts_of_the_duration_are_no_windows(answer: str) -> None:
    assert windows_in(answer) == []


@pytest.mark.parametrize('answer', [
    'The camera moves from 2 to 3.', 'The event goes from 2 to 3.', 'The score changes from 2 s to 3 s.',
    'The score is shown from 2 to 3 seconds.'])
def test_verbs_of_motion_leave_windows(answer: str) -> None:
    assert windows_in(answer) == [(2, 3)]
