"""umbrela: judgements of language models, as JSON lines with the query and the passage, but without ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import grade_of, qrel, unit_at
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, numbered_rows
from ir_segmeasures.formats.json_files import value_of
from ir_segmeasures.formats.moment_lines import value_of_line, whole_line
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['UMBRELA', 'read_qrels']


def read_qrels(path: StrPath, texts: StrPath | None = None) -> list[Qrel]:
    """Reads the judgements of a file that ``umbrela judge`` wrote.

    Args:
        path: of its file, ``.gz`` by suffix
        texts: the prompts that were judged, as ``pool`` wrote them, which have the units

    Raises:
        FormatError: a line of either file is of another form, or judges what no prompt asks for
        OSError: a file cannot be opened

    Warns:
        UserWarning: answers of the model in which umbrela found no grade; they are left out
    """
    if texts is None:
        raise FormatError('its lines have no ids, which the prompts of pool have: give their file with --texts '
                          '(texts=…)', path)
    units: dict[tuple[str, str], list[tuple[str, Any]]] = defaultdict(list)
    for asked in numbered_rows(texts, lambda fields: _prompts(value_of_line(fields[0])), whole_line)[1]:
        for key, unit in asked:
            units[key].append(unit)
    left = {key: iter(asked) for key, asked in units.items()}
    rows = numbered_rows(path, lambda fields: _row(value_of_line(fields[0]), left), whole_line)[1]
    failed = sum(row is None for row in rows)
    if failed:
        warn_user(f'{path}: {failed} of {len(rows)} answers of the model have no grade, and are left out')
    return [row for row in rows if row is not None]


def _prompts(prompt: Any) -> list[tuple[tuple[str, str], tuple[str, Any]]]:
    """The query and the passage of each candidate, and the query's id and the unit that they stand for."""
    query = value_of(prompt, 'query', dict, 'an object', 'the prompt')
    text, id = (value_of(query, name, str, 'a text', 'the query') for name in ('text', 'qid'))
    return [((text, value_of(value_of(candidate, 'doc', dict, 'an object', 'the candidate'), 'segment', str, 'a text',
                             'the candidate')), (id, candidate.get('docid')))
            for candidate in value_of(prompt, 'candidates', list, 'a list', 'the prompt')]


def _row(record: Any, left: Mapping[tuple[str, str], Iterator[tuple[str, Any]]]) -> Qrel | None:
    """The judgement of a line, of the next unit that has its query and its passage; None without a grade."""
    query, passage = (value_of(record, name, str, 'a text', 'the line') for name in ('query', 'passage'))
    query_id, id = next(left.get((query, passage), iter(())), (None, None))
    if query_id is None:
        raise ValueError(f'no prompt asks, or asks so often, for the passage {quoted(passage)} of the query '
                         f'{quoted(query)}: give the prompts that were judged')
    if record.get('result_status', 1) == 0:
        return None
    grade = grade_of(value_of(record, 'judgment', (int, float), 'a grade', 'the line'))
    return qrel(query_id, unit_at(id), grade or 0, str(record.get('model', '0')))


UMBRELA = Format('umbrela', 'umbrela: judgements of language models (JSON lines); the prompts of pool with --texts',
                 None, Files(read_qrels, options=('texts',)))
