"""The figures of Charades-STA's program in lmms-eval, which reads the windows in models' answers its own way.

Source: lmms_eval/tasks/charades_sta/eval_tvg.py, https://github.com/EvolvingLMMs-Lab/lmms-eval, after TimeChat
(Ren et al. CVPR 2024). For a reader of any answer, see :func:`ir_segmeasures.windows_in`.
"""

import re
from typing import Any

from ir_segmeasures.providers.programs.answers import answer_figures, last_of_key
from ir_segmeasures.providers.programs.detection import Window
from ir_segmeasures.providers.programs.program import JSON, Program

__all__ = ['CHARADES_STA', 'charades_sta_figures', 'charades_sta_window']

_EXAMPLE = 'a specific example is : 20.8 - 30.0 seconds'
_SENTENCE_END = re.compile(r'[!?\n]')
# The look-behind keeps long runs of digits linear; it changes no match.
_NUMBER = r'(?<!\d)(\d+(?:\.\d+)?)'
_PAIR = re.compile(rf'{_NUMBER}\s*[–-]\s*(\d+(?:\.\d+)?)')
_PAIR_OF_SECONDS = re.compile(rf'{_NUMBER}\s*(?:s\s*)?[–-]\s*(\d+(?:\.\d+)?)')
_ALONE = re.compile(rf'\b{_NUMBER}\b')


def charades_sta_figures(truth: Any, answers: Any) -> dict[str, float]:
    """``IOU@3``, ``IOU@5``, ``IOU@7`` and ``mIOU``, in per cent, unrounded.

    Args:
        truth: not looked at: the true windows stand in the keys of the answers
        answers: ``{'video>>>query>>>[start, end]': answer}``

    Raises:
        ValueError: there is no answer, or one that is no text; a key has no window

    Examples:
        >>> from ir_segmeasures.providers.programs.charades_sta import charades_sta_figures
        >>> charades_sta_figures(None, {'v>>>a person runs.>>>[0.0, 6.9]': 'It starts at 0.0 - 5.0'})['IOU@7']
        100.0
    """
    return answer_figures(answers, last_of_key, charades_sta_window)


def charades_sta_window(answer: str, true: Window) -> Window:
    """The window that the program reads in an answer, the lower number first.

    Quirks: every ``to`` becomes ``-``, in words too; no full stop ends a sentence; only sentences with start, end or
    happen count, in words too; of clock times, pairs of their parts are read. Without a window, a window 10 seconds
    after the true one is taken.

    Examples:
        >>> from ir_segmeasures.providers.programs.charades_sta import charades_sta_window
        >>> charades_sta_window('It starts at 17.5 and, near the end, at 20 to 21', (0, 9))
        (20.0, 21.0)
    """
    text = answer.lower().replace(_EXAMPLE, '').replace('to', '-')
    sentences = [sentence for sentence in _SENTENCE_END.split(text)
                 if any(word in sentence for word in ('start', 'end', 'happen'))]
    # The program looks for H:M:S behind the single numbers, which have them all: it never comes so far.
    start, end = (_first_pair(_PAIR, sentences) or _alone(sentences) or _first_pair(_PAIR_OF_SECONDS, sentences)
                  or (true[1] + 10, true[1] + 20))
    return min(start, end), max(start, end)


def _first_pair(pattern: re.Pattern[str], sentences: list[str]) -> Window | None:
    for match in filter(None, map(pattern.search, sentences)):
        return float(match[1]), float(match[2])
    return None


def _alone(sentences: list[str]) -> Window | None:
    numbers = [float(match[1]) for match in map(_ALONE.search, sentences) if match]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else None


CHARADES_STA = Program(
    'charades_sta', 'Charades-STA 2017, eval_tvg.py of lmms-eval (https://github.com/EvolvingLMMs-Lab/lmms-eval)',
    'none of its own: the window in each key of the answers', 'JSON: {"video>>>query>>>[start, end]": answer, …}',
    '', (JSON,), charades_sta_figures)
