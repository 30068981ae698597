"""Files of judging tasks: tasks of Label Studio.

Runs and ranks do not go into these files, since assessors must not see them.
"""

import json
import mimetypes
from collections.abc import Sequence
from typing import Any

from ir_segmeasures.formats.annotations.marks import UNJUDGED
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.study.campaign.judging_tasks import JudgingTask

__all__ = ['TASK_FORMATS', 'tasks_text']


def tasks_text(tasks: Sequence[JudgingTask], format: str) -> str:
    """The text of a file with judging tasks, in their order.

    Args:
        tasks: from :func:`~ir_segmeasures.study.campaign.judging_tasks.tasks_of_units`
        format: ``'label-studio'``, tasks with the audio, the video or the text of the context, and the unit as a
            prediction

    Raises:
        ValueError: a unit lacks its text or its recording, or counts something else than the format does

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool
        >>> from ir_segmeasures.study.campaign.judging_tasks import tasks_of_units
        >>> from ir_segmeasures.study.campaign.task_files import tasks_text
        >>> units = pool({'a': [ScoredDoc('q', 'd#char=5,10', 1)]}, depth=1, margin=5)
        >>> tasks = tasks_of_units(units, {'q': 'bees'}, {'d': 'Bees dance.'})
        >>> import json
        >>> json.loads(tasks_text(tasks, 'label-studio'))[0]['data']['text']
        'Bees dance.'
    """
    return _TEXTS[format](tasks)


def _label_studio(tasks: Sequence[JudgingTask]) -> str:
    records = []
    for number, task in enumerate(tasks, 1):
        data, shift = _data(task), 0
        if task.segment.unit == 't':
            if task.media is None:
                raise ValueError(f'the unit {quoted(task.unit)} is a part of a recording: say where recordings are, '
                                 'with media')
            kind = (mimetypes.guess_type(task.media)[0] or '').partition('/')[0]
            name = 'video' if kind == 'video' else 'audio'
            data[name] = task.media
            to_name = 'audio'  # of a video its sound, as in the template for timelines
        else:
            name = to_name = 'text'
            data[name], shift = _context(task), int(task.context.start)
        value: dict[str, Any] = {'start': task.segment.start - shift, 'end': task.segment.end - shift,
                                 'labels': [UNJUDGED]}
        if name == 'text':
            value['text'] = task.text
        result = {'id': f'unit-{number}', 'from_name': 'grade', 'to_name': to_name, 'type': 'labels', 'value': value}
        records.append({'data': data, 'predictions': [{'model_version': 'pool', 'result': [result]}]})
    return json.dumps(records, ensure_ascii=False, indent=1) + '\n'


def _data(task: JudgingTask) -> dict[str, Any]:
    """The fields that lead from an export back to the unit."""
    return {'query_id': task.query_id, 'query': task.query, 'unit': task.unit, 'offset': task.context.start}


def _text(task: JudgingTask) -> str:
    if task.text is None:
        raise ValueError(f'the unit {quoted(task.unit)} has no text: give the texts or transcripts of the documents')
    return task.text


def _context(task: JudgingTask) -> str:
    _text(task)
    if task.segment.unit != 'char':
        raise ValueError(f'the unit {quoted(task.unit)} does not count characters, as annotations of texts do: pool '
                         'runs with characters')
    return task.context_text or ''


_TEXTS = {'label-studio': _label_studio}
TASK_FORMATS = tuple(_TEXTS)
