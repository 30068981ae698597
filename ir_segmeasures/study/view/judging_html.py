"""The judging page: one HTML file in which an assessor plays, marks and grades the units of a pool.

It holds no names of runs and no ranks. What is judged stays in the browser, and is saved to a file in the format
``judgements``.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from ir_segmeasures.segments.segment import Segment
from ir_segmeasures.segments.transcript import Line
from ir_segmeasures.study.campaign.pool_files import JudgingTask, tasks_of_units
from ir_segmeasures.study.campaign.pools import JudgingUnit
from ir_segmeasures.study.view.html import check_media, embedded, page_templates, rendered_page
from ir_segmeasures.texts.cutting import cut_text, transcript_lines

GRADES = ('not relevant', 'relevant', 'highly relevant')
_MEDIA_SOURCES = 'file: http: https: data: blob:'
_WORD = re.compile(r'\S+\s*|\s+')

Part = tuple[float, float, str]


def judging_page(units: Sequence[JudgingUnit], queries: Mapping[str, str], docs: Any = None, media: str | None = None,
                 grades: Sequence[str] = GRADES, title: str = 'Judging') -> str:
    """A self-contained HTML page to judge the units of a pool, in their order, with the keyboard alone or without it.

    Args:
        units: of a pool, such as :func:`~ir_segmeasures.study.read_pool` reads
        queries: query → its text
        docs: document → its text, or the lines of its transcript, by a method ``get``
        media: where the recordings are, a URL that holds ``{document}``
        grades: what the grades from 0 on are called, at most ten
        title: of the page

    Raises:
        ValueError: no unit, a unit without query or text, no grade or more than ten, or a ``media`` that is no such URL
        ImportError: Jinja2 is not installed

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool
        >>> from ir_segmeasures.study.view import judging_page
        >>> units = pool({'a': [ScoredDoc('q', 'talk#t=5,10', 1)]}, depth=1, margin=5)
        >>> html = judging_page(units, {'q': 'bees'}, media='talks/{document}.mp3', title='Bees')
        >>> html.count('<title>Bees</title>')
        1
    """
    templates = page_templates()
    if not 2 <= len(grades) <= 10:
        raise ValueError(f'there are {len(grades)} grades, but each has a key from 0 to 9: name 2 to 10')
    if not units:
        raise ValueError('there is no unit to judge: give a pool with units')
    if media is not None:
        check_media(media)
    texts = SimpleNamespace(get=cache(lambda document: None if docs is None else docs.get(document)))  # read once
    tasks = [_task(task, texts.get(task.segment.document))
             for task in tasks_of_units(units, queries, None if docs is None else texts, media)]
    # The units, and not what is shown of them: texts may come later.
    key = hashlib.sha256('\n'.join(f'{task["query_id"]} {task["unit"]}' for task in tasks).encode()).hexdigest()[:16]
    return rendered_page(templates, 'judging', title, ['judging'], _MEDIA_SOURCES,
                         data=embedded({'pool': key, 'grades': list(grades), 'tasks': tasks}))


def _task(task: JudgingTask, value: Any) -> dict[str, Any]:
    """A task as the page has it, with the text or the transcript of its document, or None."""
    return {'query_id': task.query_id, 'query': task.query, 'unit': task.unit, 'document': task.segment.document,
            'counted': task.segment.unit, 'start': task.segment.start, 'end': task.segment.end,
            'from': task.context.start, 'to': task.context.end, 'media': task.media,
            'parts': _parts(value, task.context)}


def _parts(value: Any, context: Segment) -> list[Part]:
    """The lines or the words of a context, with their positions in the document."""
    if value is None:
        return []
    if not isinstance(value, str):
        lines: list[Line] = transcript_lines(value)
        return [(line.start, line.end, line.text) for line in lines
                if line.start < context.end and context.start < max(line.end, line.start + 1e-6)]
    low, high = int(context.start), int(context.end)
    if context.unit == 'char':
        return [(low + word.start(), low + word.end(), word[0]) for word in _WORD.finditer(value[low:high])]
    pieces = cut_text(value, [(place, place + 1) for place in range(low, high)], context.unit or '')
    return [(piece.start, piece.end, f'{piece.text} ' if context.unit == 'word' else piece.text) for piece in pieces]
