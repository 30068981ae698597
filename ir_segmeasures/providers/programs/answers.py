"""Figures of models' answers in text, shared by the programs of lmms-eval that read a window in each answer."""

from collections.abc import Callable
from typing import Any

from ir_segmeasures.providers.programs.detection import Window, hull_iou
from ir_segmeasures.providers.programs.records import window
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import quoted

__all__ = ['answer_figures', 'last_of_key']

_IOUS = (.3, .5, .7)


def last_of_key(key: str) -> Any:
    """The truth in a key that joins video, query and truth, read as JSON.

    Raises:
        ValueError: it is none
    """
    try:
        return loads(key.rpartition('>>>')[2])
    except ValueError:
        raise ValueError(f'the key {quoted(key)} does not end in a list, but the truth stands behind the last >>> of '
                         'each key: correct it') from None


def answer_figures(answers: Any, true_window: Callable[[str], Any],
                   read: Callable[[str, Window], Window | None]) -> dict[str, float]:
    """``IOU@3``, ``IOU@5`` and ``IOU@7`` (the share of answers with an IoU of at least 0.3, 0.5, 0.7) and ``mIOU``, in
    per cent, unrounded.

    Args:
        answers: ``{key: answer}``
        true_window: of a key
        read: (answer, true window) → the window in the answer, or None, which counts 0

    Raises:
        ValueError: there is no answer, or one that is no text; a key has no window
    """
    if not isinstance(answers, dict) or not answers:
        raise ValueError('the file has no object of answers, but the program reads {"video>>>query>>>window": answer}: '
                         'check that this is the right file')
    ious = []
    for key, answer in answers.items():
        if not isinstance(answer, str):
            raise ValueError(f'the answer of {quoted(key)} is {quoted(answer)}, but the program reads text: correct it')
        true = window(true_window(key), f'the key {quoted(key)}')
        found = read(answer, true)
        ious.append(0.0 if found is None else hull_iou(true, found))
    total = 0.0
    for iou in ious:  # in order: sum() is more precise from Python 3.12 on
        total += iou
    return {**{f'IOU@{iou * 10:.0f}': sum(one >= iou for one in ious) * 100 / len(ious) for iou in _IOUS},
            'mIOU': total * 100 / len(ious)}
