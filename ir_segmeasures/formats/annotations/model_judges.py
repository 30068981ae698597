"""umbrela and Auto-Judge: judgements of language models, of passages that have no ids, or the MD5 of their texts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import md5
from typing import Any, NamedTuple

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import grade_of, qrel, unit_at
from ir_segmeasures.formats.files.fields import wrong_fields
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, numbered_rows
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.formats.moment_lines import whole_line
from ir_segmeasures.segments.json_objects import value_of
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['AUTO_JUDGE', 'UMBRELA', 'read_auto_judge', 'read_umbrela']


def read_umbrela(path: StrPath, texts: StrPath | None = None) -> list[Qrel]:
    """Reads the judgements of a file that ``umbrela judge`` wrote, which has queries and passages, but no ids.

    Args:
        path: of its file, ``.gz`` by suffix
        texts: the prompts that were judged, as ``pool`` wrote them, which have the units

    Raises:
        FormatError: a line of either file is of another form, or judges what no prompt asks for
        OSError: a file cannot be opened

    Warns:
        UserWarning: answers of the model in which umbrela found no grade; they are left out
    """
    units: dict[tuple[str, str], list[tuple[str, Any]]] = defaultdict(list)
    for prompt in _prompts(path, texts):
        units[prompt.query, prompt.passage].append((prompt.query_id, prompt.unit))
    left = {key: iter(asked) for key, asked in units.items()}
    rows = numbered_rows(path, lambda fields: _row(json_value(fields[0]), left), whole_line)[1]
    failed = sum(row is None for row in rows)
    if failed:
        warn_user(f'{path}: {failed} of {len(rows)} answers of the model have no grade, and are left out')
    return [row for row in rows if row is not None]


def read_auto_judge(path: StrPath, texts: StrPath | None = None) -> list[Qrel]:
    """Reads the judgements of a file that a judge of Auto-Judge wrote: qrels of TREC whose ids are the MD5 of the text
    that was judged, in hexadecimal, maybe behind ``md5:``. All units of a query with this text are judged.

    Args:
        path: of the file, ``.gz`` by suffix
        texts: the prompts, as ``pool`` wrote them, which have the texts of the units

    Raises:
        FormatError: a line of either file is of another form, or judges a text that no prompt has
        OSError: a file cannot be opened
    """
    units: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for prompt in _prompts(path, texts):
        code = md5(prompt.passage.encode(errors='surrogatepass'), usedforsecurity=False).hexdigest()
        units[prompt.query_id, code].append(prompt.unit)

    def judgements(fields: Sequence[str]) -> list[Qrel]:
        if len(fields) != 4:
            raise wrong_fields(fields, 'qrels', 'a query, a judge, the MD5 of a text and a grade', '4')
        query_id, judge, code, grade = fields
        found = units.get((query_id, code.removeprefix('md5:').lower()))
        if found is None:
            raise ValueError(f'no prompt of query {quoted(query_id)} has a text with the MD5 {quoted(code)}: give the '
                             "prompts that were judged, or read units' own ids as trec")
        return [qrel(query_id, unit_at(unit), grade_of(grade) or 0, judge) for unit in found]

    return [row for rows in numbered_rows(path, judgements)[1] for row in rows]


class _Prompt(NamedTuple):
    """A prompt: the query and its id, the passage that is judged, and the unit that it is."""
    query_id: str
    query: str
    passage: str
    unit: Any


def _prompts(path: StrPath, texts: StrPath | None) -> list[_Prompt]:
    if texts is None:
        raise FormatError('its lines have no ids of units, which the prompts of pool have: give their file with '
                          '--texts (texts=…)', path)
    asked = numbered_rows(texts, lambda fields: _candidates(json_value(fields[0])), whole_line)[1]
    return [prompt for prompts in asked for prompt in prompts]


def _candidates(prompt: Any) -> list[_Prompt]:
    query = value_of(prompt, 'query', dict, 'an object', 'the prompt')
    text, id = (value_of(query, name, str, 'a text', 'the query') for name in ('text', 'qid'))
    return [_Prompt(id, text, value_of(value_of(candidate, 'doc', dict, 'an object', 'the candidate'), 'segment', str,
                                       'a text', 'the candidate'), candidate.get('docid'))
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
                 None, Files(read_umbrela, options=('texts',)))
AUTO_JUDGE = Format('auto-judge', 'Auto-Judge: qrels of language models by MD5 of the text; the prompts of pool with '
                    '--texts', None, Files(read_auto_judge, options=('texts',)))
