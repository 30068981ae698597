"""Windows that a model's answer takes back before it comes to another one, and lists of windows, which all count."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import windows_in

Windows = list[tuple[float, float]]


def clock(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{int(minutes)}:{seconds:04.1f}'


CLOCK_OR_SECONDS = st.sampled_from([clock, '{:.1f} s'.format, '{:.1f}s'.format, '{:.1f} seconds'.format])


def moments(fewest: int, most: int) -> st.SearchStrategy[Windows]:
    """Windows in order, none of which touches another."""
    return st.lists(st.integers(50, 9000), min_size=2 * fewest, max_size=2 * most + 1, unique=True).map(sorted).map(
        lambda tenths: [(start / 10, end / 10) for start, end in zip(tenths[::2], tenths[1::2])])


TAKEN_BACK = [
    'One could think that it is from {} to {}, but that is just the warm-up.',
    'A hurried reader might say {} - {}, which is wrong.', 'There is a similar jump at {} - {}, but it is too low.',
    'The stretch {} - {} can be ruled out (it shows a cat).', 'The part from {} to {} does not count.',
    'While the trailer ({} to {}) has the same car, it is a still picture; the real one passes by.',
    'Contrary to the hint that the song is at {} - {}, I hear it later.', 'Your guess of {} to {} is too early.',
    'You say that it is from {} to {}, but I see something else.', 'It was {} to {}. Hmm, that is not right.',
    '[{}, {}] -> I need to correct myself.', 'From {} to {}. Let me re-evaluate this.',
    'At {} - {} it is only a replay.', 'People often point to {} - {}, yet that is the practice round.',
    'The {} to {} bit is a red herring.', 'It would be wrong to say {} to {}.', 'I am discarding {} - {} as too dark.',
    'The subtitles put it at {} - {};', '{} - {} (incorrect).',
    'At first glance {} to {} fits, but he only sits there.', 'The question claims {} - {}.',
    'From {} to {} he merely pretends to fall, however.', 'The sample in the instructions reads "{} to {}".']
AFFIRMED = ['The boy falls from {} to {}.', 'Updated: {} - {}', 'The real fall is at {} to {}.',
            'The fall itself goes from {} to {}.', 'He really falls between {} and {}.', 'So the answer is {} to {}.']
STORIES = ['he sits from {} to {}', 'the same dog runs from {} to {}', 'a similar dog barks from {} to {}',
           'he only eats from {} to {}', 'she makes a mistake from {} to {}', 'it looks like rain from {} to {}',
           'he takes the wrong bus from {} to {}', 'you can see the sea from {} to {}', 'she sings from {} to {}',
           'the teacher says it is easy from {} to {}', 'they wait from {} to {} and do not speak loudly']
LINKS = [', and ', ', then ', '. ', '\n', '; ', ', and later on ']


@given(moments(2, 2), CLOCK_OR_SECONDS, st.sampled_from(TAKEN_BACK), st.sampled_from(AFFIRMED))
def test_a_window_that_is_taken_back_before_one_that_is_affirmed_does_not_count(
        windows: Windows, time: Callable[[float], str], back: str, affirmed: str) -> None:
    aside, meant = windows
    answer = f'{back.format(*map(time, aside))} {affirmed.format(*map(time, meant))}'
    assert windows_in(answer) == [pytest.approx(meant)]


@given(moments(2, 4), CLOCK_OR_SECONDS, st.lists(st.sampled_from(STORIES), min_size=4, max_size=4),
       st.sampled_from(LINKS))
def test_the_windows_of_a_list_all_count(
        windows: Windows, time: Callable[[float], str], stories: list[str], link: str) -> None:
    answer = link.join(story.format(*map(time, window)) for story, window in zip(stories, windows)) + '.'
    assert windows_in(answer) == [pytest.approx(window) for window in windows]


@given(moments(1, 1), CLOCK_OR_SECONDS, st.sampled_from(TAKEN_BACK[:4]))
def test_a_window_that_is_taken_back_before_two_instants_does_not_count(
        windows: Windows, time: Callable[[float], str], back: str) -> None:
    (start, end), = windows
    answer = f'{back.format(time(start), time(end))} He dives in at {time(start + 1)} and is out at {time(end + 1)}.'
    assert windows_in(answer) == [pytest.approx((start + 1, end + 1))]


@given(moments(1, 1), CLOCK_OR_SECONDS, st.sampled_from([
    'The event "a man closes the gate" does not happen. What one sees is a man walking from {} to {}.',
    'I could not find a helicopter. The sky is visible from {} to {}, but there is nothing in it.',
    'No, she never puts on the gloves. She merely holds them between {} and {}.',
    "There's no zebra in this clip. Horses graze from {} to {}.", 'I see no boat. I see a plane from {} to {}.',
    'Sorry, nobody plays the flute. A woman plays the violin from {} to {}.',
    'The couple does not kiss anywhere. They hug from {} to {}.', 'No eagle. Only pigeons, from {} to {}.',
    'I watched closely: the magician never shows the card. He shuffles from {} to {}.',
    "I'm sorry, there is no goal in the clip, just a save from {} to {}.",
    'The scene you describe is missing. What is there: a train leaving, {} - {}.',
    "Such an action can't be found here. Between {} and {} someone vacuums."]))
def test_what_else_is_seen_is_no_window_of_an_event_that_is_denied(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    assert windows_in(said.format(*map(time, windows[0]))) == []


@given(moments(1, 1), CLOCK_OR_SECONDS, st.sampled_from([
    'He does not open it right away. He opens it from {} to {}.', 'No problem! The goat climbs up from {} to {}.',
    'Nobody could miss it: {} to {}.', 'There is no sound at first. The bell rings from {} to {}.',
    'She does not stop talking while she peels the apple from {} to {}.',
    'It is not the woman but the man who sings from {} to {}.']))
def test_a_denial_of_something_beside_the_event_leaves_its_window(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    assert windows_in(said.format(*map(time, windows[0]))) == [pytest.approx(windows[0])]


@pytest.mark.parametrize('answer', [
    "{'t0': 12.3, 't1': 15.6}", 'https://example.org/a.mp4#t=12.3,15.6', 'a.mp4#t=12.3,15.6',
    '{"start": {"frame": 369, "time": "12.3s"}, "end": {"frame": 468, "time": "15.6s"}}',
    'The market opens at 12.3 s of the video and closes at 15.6 s.', 'Arrival 12.3 s, departure 15.6 s',
    'The clock says 10:10 when he comes in at 12.3 s of the video; he goes out at 15.6 s.',
    'At 12.3 s he sits down. The rest is dull. Then, at 15.6 s, he gets up.', 'frm 12.3s to15.6s',
    'Salta a los 12,3 segundos y aterriza a los 15,6 segundos.',
    'Not without effort he lifts it from 12.3 s to 15.6 s.',
    'He comes in at 12.3 s, is still there at 14 s and leaves at 15.6 s.',
    'From 12.3 to 15.6 s. My confidence in this answer is 7/10.', 'From 12.3 s +0 s to 15.6 s.',
    'Following the given format, e.g. [0.0, 5.0], the window is [12.3, 15.6].', 'no later than 15.6 s, from 12.3 s on'])
def test_two_times_beside_other_numbers_are_a_window(answer: str) -> None:
    assert windows_in(answer) == [(12.3, 15.6)]


@pytest.mark.parametrize('answer', [
    'The painting dates from 1503–1506.', 'The castle was built 1180-1220.', 'Goals: 5:12, 19:40',
    'The oven is set to 10 seconds, then to 20 seconds.'])
def test_years_and_settings_are_no_windows(answer: str) -> None:
    assert windows_in(answer) == []


def test_captions_count_whatever_they_say() -> None:
    assert windows_in('[0, 5] Nobody is seen\n[5, 12] They hug each other\n[12, 15] He takes the wrong bus') == [
        (0, 5), (5, 12), (12, 15)]
    assert windows_in('0-5 s: nothing\n5-12 s: the dog') == [(5, 12)]
    assert windows_in('2 tbsp of oil from 9 s to 12 s; salt before that, from 3 s to 5 s.') == [(9, 12), (3, 5)]


@pytest.mark.parametrize('answer, meant', [
    ('He sings 3-5 s, 8-10 s and 20-25 s. Wait, the last one is 21-25 s.', [(3, 5), (8, 10), (21, 25)]),
    ('He sings from 3 s to 5 s and from 8 s to 10 s. Sorry, the first window should be 2 s to 5 s.', [(2, 5), (8, 10)]),
    ('Matches: 0:03-0:05, 0:10-0:12. Non-matches: 0:20-0:30.', [(3, 5), (10, 12)]),
    ('Relevant: 0:03-0:05\nNot relevant: 0:20-0:30', [(3, 5)]), ('Not sure: 3 s to 5 s.', [(3, 5)]),
    ('Option A (0:02-0:08) is wrong. Option B (0:12-0:18) is right.', [(12, 18)]),
    ("The first boy jumps from 3 s to 5 s, the second from 8 s to 9 s, and the third doesn't jump.", [(3, 5), (8, 9)]),
    ("For Anna it's 3 s to 5 s; for the best friend it's 8 s to 9 s.", [(3, 5), (8, 9)]),
    ('There is no part where he cooks. (He eats from 0:10 to 0:20, but that is something else.)', []),
    ('She does not wear a hat. She dances from 3 to 9 s.', [(3, 9)]),
    ('No, he does not sit. He runs from 3 to 9 s.', []),
    ('I watched 0:00-3:30 closely and there is not one bird.', []),
    ('I checked the clip: he paints from 3 s to 5 s, not a second longer.', [(3, 5)])])
def test_what_is_taken_back_in_part(answer: str, meant: Windows) -> None:
    assert windows_in(answer) == meant


@pytest.mark.parametrize('answer, meant', [
    ('{"found": true, "num": 3, "segments": [["0:05", "0:09"], ["0:13", "0:17"]], "total": 8}', [(5, 9), (13, 17)]),
    ('{"boxes": [[10, 20], [30, 40]], "start": 3.5, "end": 6}', [(3.5, 6)]), ('[16, 28] -> 0.88', [(16, 28)]),
    ('[12, 15] - [20, 25]', [(12, 15), (20, 25)]), ('[12.5] - [15.5]', [(12.5, 15.5)]),
    ('Goal | Window | Score\n---|---|---\nA | 0:20-0:28 | 1-1\nB | 1:14-1:25 | 1-2', [(20, 28), (74, 85)]),
    ('They won 21-15, 18-21, 15-22.', []), ('Start ........ 0:12\nEnd .......... 0:19', [(12, 19)]),
    (r'$12.5 \leq t \leq 15$', [(12.5, 15)]), ('12 s to 15 s (frames 360-450, 30 fps)', [(12, 15)]),
    ('from 2 1/4 min to 2½ min', [(135, 150)]), ('from twenty five to one hundred and five seconds', [(25, 105)]),
    ('from a minute and ten seconds to a minute and a half', [(70, 90)]), ('1:20-ish to 1:26ish', [(80, 86)]),
    ('between second twelve and second twenty', [(12, 20)]), ('from 0:30 to the very last second (0:45)', [(30, 45)]),
    ('About the one-minute mark (0:58) he scores.', []), ('No vídeo, o gato salta entre 12 s e 15 s.', [(12, 15)])])
def test_data_and_numbers_of_all_kinds(answer: str, meant: Windows) -> None:
    assert windows_in(answer) == meant


def test_many_windows_take_little_time() -> None:
    begin = time.process_time()
    assert windows_in('\n'.join(['[1, 2]'] * 7000)) == [(1, 2)]
    assert time.process_time() - begin < 10  # about 2 s; where each window is compared with each other one, 50 s
