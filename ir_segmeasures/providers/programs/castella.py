"""The figures of CASTELLA's program: QVHighlights' without bands of length, for windows in audio.

Source: lighthouse, training/standalone_eval/eval.py, https://github.com/line/lighthouse.
"""

from collections.abc import Iterable
from typing import Any

from ir_segmeasures.providers.programs.program import JSON_LINES, Program
from ir_segmeasures.providers.programs.qvhighlights import QVHIGHLIGHTS, Band, moment_detr_figures

__all__ = ['CASTELLA', 'castella_figures']

_BANDS = (Band('full', 0, 1500),)


def castella_figures(truth: Iterable[dict[str, Any]], predictions: Iterable[dict[str, Any]]) -> dict[str, float]:
    """All figures of the program, in per cent, unrounded, as
    :func:`~ir_segmeasures.providers.programs.qvhighlights.qvhighlights_figures` has them.

    Quirk: ``full`` has true windows of at most 1500 seconds; a query without one is left out.

    Args, Raises:
        as there

    Examples:
        >>> from ir_segmeasures.providers.programs.castella import castella_figures
        >>> castella_figures([{'qid': 'a', 'relevant_windows': [[27, 28]]}],
        ...                  [{'qid': 'a', 'pred_relevant_windows': [[27, 28.25, .7]]}])['MR-full-R1@0.7']
        100.0
    """
    return moment_detr_figures(truth, predictions, _BANDS)


CASTELLA = Program(
    'castella', 'CASTELLA 2025, lighthouse standalone_eval (https://github.com/line/lighthouse)', QVHIGHLIGHTS.truth,
    QVHIGHLIGHTS.predictions, JSON_LINES, (JSON_LINES,), castella_figures, 2, QVHIGHLIGHTS.ties)
