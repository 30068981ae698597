"""The figures of TimeLens' program in lmms-eval, which reads the windows in models' answers its own way.

Source: lmms_eval/tasks/timelens/utils.py, https://github.com/EvolvingLMMs-Lab/lmms-eval, after
https://github.com/TencentARC/TimeLens. For a reader of any answer, see :func:`ir_segmeasures.windows_in`.
"""

import re
from typing import Any

from ir_segmeasures.providers.programs.answers import answer_figures, last_of_key
from ir_segmeasures.providers.programs.detection import Window
from ir_segmeasures.providers.programs.program import JSON, Program

__all__ = ['TIMELENS', 'timelens_figures', 'timelens_window']

_CLOCK = re.compile(r'\b(?:(\d{1,2}):(?=\d\d:))?(\d{1,2}):(\d{2}(?:\.\d+)?)\b')
# The look-behind keeps long runs of digits linear; it changes no match.
_NUMBER, _SECOND = r'(?<!\d)(\d+(?:\.\d*)?)', r'(\d+(?:\.\d*)?)'
_RANGES = (re.compile(rf'{_NUMBER}\s*-\s*{_SECOND}'), re.compile(rf'{_NUMBER}\s+to\s+{_SECOND}'))
_ALONE = re.compile(rf'\b{_NUMBER}\b')


def timelens_figures(truth: Any, answers: Any) -> dict[str, float]:
    """``IOU@3``, ``IOU@5``, ``IOU@7`` and ``mIOU``, in per cent, unrounded.

    Args:
        truth: not looked at: the true windows stand in the keys of the answers
        answers: ``{'video>>>query>>>[[start, end]]': answer}``

    Raises:
        ValueError: there is no answer, or one that is no text; a key has no window

    Examples:
        >>> from ir_segmeasures.providers.programs.timelens import timelens_figures
        >>> timelens_figures(None, {'v>>>a person runs.>>>[[0.0, 6.9]]': 'From 00:00 to 00:05.'})['IOU@7']
        100.0
    """
    return answer_figures(answers, _true_window, lambda answer, _: timelens_window(answer))


def timelens_window(answer: str) -> Window | None:
    """The window that the program reads in an answer, in the order in which it stands, or None.

    Quirks: all clock times are paired as they come, else all numbers are, counts and repeated queries too; of
    ``1:2:30``, whose minutes have one digit, ``2:30`` is read.

    Examples:
        >>> from ir_segmeasures.providers.programs.timelens import timelens_window
        >>> timelens_window('2 people, at 17.5')
        (2.0, 17.5)
    """
    text = answer.lower()
    clocks = [int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
              for hours, minutes, seconds in _CLOCK.findall(text)]
    if len(clocks) > 1:
        return clocks[0], clocks[1]
    for pattern in _RANGES:
        match = pattern.search(text)
        if match:
            return float(match[1]), float(match[2])
    numbers = [float(match[1]) for match, _ in zip(_ALONE.finditer(text), range(2))]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else None


def _true_window(key: str) -> Any:
    windows = last_of_key(key)
    return windows[0] if isinstance(windows, list) and windows else windows


TIMELENS = Program(
    'timelens', 'TimeLens 2025, utils.py of lmms-eval (https://github.com/EvolvingLMMs-Lab/lmms-eval)',
    'none of its own: the windows in each key of the answers', 'JSON: {"video>>>query>>>[[start, end]]": answer, …}',
    '', (JSON,), timelens_figures)
