"""Windows in models' answers that no words for a start and an end mark: two instants, an instant and a length, and what
an answer denies or sets aside."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import windows_in

Windows = list[tuple[float, float]]


def clock(time: float) -> str:
    minutes, seconds = divmod(round(time, 1), 60)
    return f'{int(minutes)}:{seconds:04.1f}'


CLOCK_OR_SECONDS = st.sampled_from([clock, '{:.1f} s'.format, '{:.1f}s'.format])


def moments(number: int) -> st.SearchStrategy[Windows]:
    """Windows in order, none of which touches another."""
    return st.lists(st.integers(50, 9000), min_size=2 * number, max_size=2 * number, unique=True).map(sorted).map(
        lambda tenths: [(start / 10, end / 10) for start, end in zip(tenths[::2], tenths[1::2])])


# Two instants, an instant and a length, and denials, in words that no rule of starts and ends knows.
INSTANTS = ['The arrow is released at {} and caught at {}.', 'The curtain opens at {}. It drops again at {}.',
            'It takes off at {}, and touches down at {}.', 'By {1} the house is built; the first stone is laid at {0}.',
            'At {} the whistle blows. At {} the ball is in the goal.', 'appears_at: {}, vanishes_at: {}',
            'Curtain up: {}. Curtain down: {}.', '{} she picks up the pan\n{} she puts it on the shelf',
            'Around {} he mounts the horse, and around {} he dismounts.', 'The light turns green at {}, red by {}.',
            '<sync><t_in>{}</t_in><t_out>{}</t_out></sync>', 'He gets the rope (at {}) and loses it (at {}).',
            'It is {} when the race is on and {} when it is decided.', '| name | lift | landing |\n| dog | {} | {} |']
ONCE = ['He sneezes at {} and at {}.', 'It flashes at {}, then at {}.', 'Goals are scored at {} and, later, at {}.',
        'He blinks at {}. He blinks again at {}.', 'The first shot is at {}, the second shot at {}.',
        'It strikes once at {} and once at {}.', 'A dog comes at {}; another dog comes at {}.',
        'The two moments are {} and {} respectively.', 'It happens twice, at {} and {}.']
DENIED = ['You suggested {0} to {1}, but no onions are chopped there or at any other time.',
          'From {0} to {1} she only sits; the door is never opened.',
          'The claim that she sings from {0} to {1} is false.',
          'The range you mention ({0} to {1}) is outside the video.',
          'Your question supposes that it is at {0} - {1}. In fact, it does not happen at any point in this video.',
          'It looks so from {0} to {1}, but there is no such thing anywhere in the clip.']
SET_ASIDE = ["From {0} to {1} it is another man, so it doesn't count.", 'Ruling out {0} - {1} (too dark), I go on:',
             'I discard {0} - {1}.', 'Scratch my previous answer of {0} to {1}.',
             'From {0} to {1} it is a cat, not a dog.',
             "At {0} - {1} a boy waves, but he isn't the one."]


@given(moments(1), CLOCK_OR_SECONDS, st.sampled_from(INSTANTS))
def test_two_instants_of_which_each_says_something_else_are_a_window(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    answer = said.format(*map(time, windows[0]))
    assert windows_in(answer) == [pytest.approx(windows[0])]


@given(moments(1), st.sampled_from([
    'It starts at {start} and goes on for {length}.', 'The fuse is lit at {start} and burns for {length}.',
    'He throws it at {start} and catches it {length} later.',
    'The ball leaves his hand at {start}; it is back {length} afterwards.',
    'It is made from {start} on and is over {length} after that.',
    'It ends at {end}, having taken {length}.',
    'It stops at {end} after {length} of rain.', 'It ends at {end} and was {length} long.',
    'Start: {start}, duration: {length}', 'Duration: {length}. End: {end}',
    'It ends at {end}; it began {length} earlier.',
    '| Begin | Duration |\n|---|---|\n| {start} | {length} |']))
def test_an_instant_and_a_length_are_a_window(windows: Windows, said: str) -> None:
    (start, end), = windows
    answer = said.format(start=clock(start), end=clock(end), length=f'{end - start:.1f} seconds')
    assert windows_in(answer) == [pytest.approx((start, end))]


@given(moments(1), CLOCK_OR_SECONDS, st.sampled_from(ONCE + DENIED))
def test_instants_of_one_kind_and_what_is_denied_are_no_windows(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    assert windows_in(said.format(*map(time, windows[0]))) == []


@given(moments(2), CLOCK_OR_SECONDS, st.sampled_from(SET_ASIDE))
def test_a_candidate_that_is_set_aside_does_not_count(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    aside, meant = windows
    answer = f'{said.format(*map(time, aside))} He waves from {time(meant[0])} to {time(meant[1])}.'
    assert windows_in(answer) == [pytest.approx(meant)]


@given(moments(2), CLOCK_OR_SECONDS, st.sampled_from([
    'Initially he waves from {} to {}, finally from {} to {}.', 'First from {} to {}, second from {} to {}.',
    'To begin with, he waves from {} to {}. Later on he waves from {} to {}.',
    'He lifts it at {} and drops it at {}.\nHe lifts it once more at {} and drops it at {}.',
    'The first rocket is lit at {} and explodes at {}. The second rocket is lit at {} and explodes at {}.']))
def test_windows_in_the_order_of_a_story_all_count(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    answer = said.format(*(time(moment) for window in windows for moment in window))
    assert windows_in(answer) == [pytest.approx(window) for window in windows]


@given(moments(2), CLOCK_OR_SECONDS, st.sampled_from([
    'The door opens at {}. It closes at {}. It opens again at {}. It closes at {}.',
    'The lamp comes on at {}. It goes out at {}. Later, it comes on once more at {}, going out at {}.',
    'The light turns red at {}. It goes back to green at {}. The next red phase sets in at {}. That one is over at {}.',
    'The cat comes in at {} and leaves at {}. It is back at {}, and gone at {}.']))
def test_instants_in_turn_are_windows_where_a_new_occurrence_is_marked(
        windows: Windows, time: Callable[[float], str], said: str) -> None:
    answer = said.format(*(time(moment) for window in windows for moment in window))
    assert windows_in(answer) == [pytest.approx(window) for window in windows]


@pytest.mark.parametrize('answer, meant', [
    ('He claps at 3 s. He claps again at 5 s. He claps once more at 8 s. He claps again at 10 s.', []),
    ('The bell rings at 3 s. A dog barks at 5 s. The bell rings again at 9 s. A cat meows at 12 s.', []),
    ('He enters at 3 s. He sits at 5 s. He eats at 8 s. He leaves at 10 s.', []),
    ('The puppy tugs at 26.5 s. Nobody wins, and they both let go at 34.0 s.', [(26.5, 34)]),
    ('It takes her 4 seconds to cross the road, and she starts at 20.0 s.', [(20, 24)]),
    ('Beginning at 1:10, the drum rolls for a full twenty seconds.', [(70, 90)]),
    ('It starts at 0:30 and the next 12 seconds are all dancing.', [(30, 42)])])
def test_instants_lengths_and_occurrences(answer: str, meant: Windows) -> None:
    assert windows_in(answer) == meant
