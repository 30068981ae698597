"""Readers of models' answers: in text, each of which is read as a list of windows; and with citations of segments, of
TREC's RAG track, JSON lines ``{"topic_id", "references": [segment, …], "answer": [{"text", "citations": [0, …]}]}``.

The part of TREC's programs that asks a language model whether a citation supports its sentence is left out: cited
segments are measured against judged evidence.

Sources of the objects and of the logs: lmms-eval, https://github.com/EvolvingLMMs-Lab/lmms-eval; https://trec-rag.github.io
(2024 and 2025).
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from json import JSONDecodeError
from math import inf
from typing import Any, NamedTuple

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.evidence import EVIDENCE
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, read_text, read_utf8, refuse_twice
from ir_segmeasures.formats.files.row_types import FileRows, SegmentScoredDoc, TrecScoredDoc
from ir_segmeasures.formats.json_files import converted, json_lines, json_value, json_values
from ir_segmeasures.formats.moment_windows import MomentQrel
from ir_segmeasures.formats.moments import TRUE
from ir_segmeasures.segments.basics import joined, loads, quoted
from ir_segmeasures.segments.records import true_windows
from ir_segmeasures.segments.user_warnings import warn
from ir_segmeasures.texts.answers import stated_windows, windows_in

_SEPARATOR = '>>>'
_QUERY = ('qid', 'query_id', 'desc_id', 'question_id', 'doc_id')
_VIDEO = ('vid', 'video_id', 'vid_name', 'video')
_ANSWER = ('pred', 'prediction', 'response', 'output', 'filtered_resps', 'resps', 'answer')  # a last one may be true


class ModelAnswer(NamedTuple):
    """The answer of a model to a query.

    Attributes:
        line: its number in the file, from 1; of an object of answers, the place of the answer
        query_id: ``qid`` as text; of an object, the key
        doc_id: the video; ``''`` if the file names none
        text: of the answer
    """
    line: int
    query_id: str
    doc_id: str
    text: str


class AnswerFailure(NamedTuple):
    """An answer that a model hardly meant as it stands.

    Attributes:
        what: ``'unread'``, ``'reversed'`` or ``'beyond the end'``
        answer: the answer
    """
    what: str
    answer: ModelAnswer


def read_answers(path: StrPath) -> list[ModelAnswer]:
    """Reads the answers of a file, in file order: an object of lmms-eval, whose keys join video, query and true window,
    or JSON lines with ``qid`` (or ``doc_id``, as in lmms-eval's log of samples), an answer (``answer``,
    ``prediction``, ``response``, ``filtered_resps`` …) and maybe ``vid``.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.answers import read_answers
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'answers.jsonl'
        >>> _ = path.write_text('{"qid": 7, "vid": "v", "answer": "From 0:12 to 0:15."}')
        >>> read_answers(path)
        [ModelAnswer(line=1, query_id='7', doc_id='v', text='From 0:12 to 0:15.')]

    Raises:
        FormatError: the file is neither; an answer is not text; a query is there twice
        OSError: the file cannot be opened
    """
    text = read_text(path)
    found = _object(text, path)
    if found is not None:
        return [ModelAnswer(place, key, key.partition(_SEPARATOR)[0], answer)
                for place, (key, answer) in enumerate(found.items(), 1)]
    lines = json_lines(path, _of_line, text)
    refuse_twice(path, (number for number, _ in lines), (answer.query_id for _, answer in lines), 'query')
    return [answer._replace(line=number) for number, answer in lines]


def failed_answers(path: StrPath, durations: Mapping[str, float] | None = None) -> Iterator[AnswerFailure]:
    """The answers of a file in which no window can be read, or in which one is reversed or goes beyond the end of its
    video, in file order.

    Args:
        path: of the file
        durations: video → its length in seconds, for answers that name their video

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.answers import failed_answers
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'answers.json'
        >>> _ = path.write_text('{"v>>>a man runs>>>[0, 5]": "4 to 0 s.", "v>>>he sits>>>[7, 9]": "I cannot say."}')
        >>> [(failure.what, failure.answer.line, failure.answer.text) for failure in failed_answers(path)]
        [('reversed', 1, '4 to 0 s.'), ('unread', 2, 'I cannot say.')]

    Raises:
        as :func:`read_answers`
    """
    for answer in read_answers(path):
        windows, duration = stated_windows(answer.text), (durations or {}).get(answer.doc_id, inf)
        failures = {'unread': not windows, 'reversed': any(end < start for start, end in windows),
                    'beyond the end': any(max(window) > duration for window in windows)}
        yield from (AnswerFailure(what, answer) for what, is_so in failures.items() if is_so)


def read_run(path: StrPath, clip: bool = False, videos: Mapping[str, str] | None = None) -> Sequence[SegmentScoredDoc]:
    """Reads the windows in the answers of a file, as :func:`~ir_segmeasures.windows_in` finds them, in the order in
    which they stand: ``score`` is minus the rank. A :class:`~ir_segmeasures.SegmentWarning` says how many answers
    have no window that can be read, and in which lines.

    Args:
        path: of the file
        clip: whether windows may start before 0; none that is read does
        videos: query → its video, for answers without one; those of other queries are left out, with a warning

    Raises:
        FormatError: as for :func:`read_answers`; without ``videos``, an answer names no video
        OSError: the file cannot be opened
    """
    rows: list[list[SegmentScoredDoc]] = []
    lines: list[int] = []
    unread, unplaced = [], []
    answers = read_answers(path)
    of_lines = bool(answers) and _SEPARATOR not in answers[0].query_id
    for answer in answers:
        windows, video = windows_in(answer.text), answer.doc_id or (videos or {}).get(answer.query_id)
        if not windows:
            unread.append(answer.line)
        elif video is None and not videos:
            raise FormatError(f'the answer to query {quoted(answer.query_id)} is of no video, but windows are parts of '
                              "one: add the key 'vid', or read the file beside judgements", path, answer.line)
        elif video is None:
            unplaced.append(answer.query_id)
        else:
            rows.append(moment_windows.ranked_windows(answer.query_id, video, windows))
            lines += [answer.line] * len(windows)
    name = os.fspath(path)
    warn([f'{name}: no window can be read in {len(unread)} of {len(answers)} answers '
          f'({"line" if of_lines else "answer"} {joined(unread)}), and their queries have no items: look at these '
          'answers' if unread else None,
          f'{name}: {len(unplaced)} answers name no video, and no judgements of their queries (such as '
          f"{quoted(unplaced[0])}) do; they are left out: add the key 'vid'" if unplaced else None])
    return moment_windows.rows_of(SegmentScoredDoc, rows, lines if of_lines else None)


def read_qrels(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows that stand in the keys of an object of answers; or those of the format ``moments``.

    Raises:
        FormatError: a key does not end in a window; or as in the format ``moments``
        OSError: the file cannot be opened
    """
    text = read_text(path)
    found = _object(text, path)
    if found is None:
        return TRUE.read(path, text=text)
    rows: list[MomentQrel] = []
    notes: moment_windows.Notes = []
    with errors_in(path):
        for key in found:
            rows += moment_windows.judged_windows(key, key.partition(_SEPARATOR)[0], true_windows(key), None, notes)
    moment_windows.warn_of(path, notes)
    return FileRows.of(MomentQrel, rows)


def _object(text: str, path: StrPath) -> dict[str, str] | None:
    """The object of answers that a file is; None for JSON lines."""
    with errors_in(path), suppress(JSONDecodeError):  # of lines
        found = loads(text) if _SEPARATOR in text else None
        if isinstance(found, dict) and all(_SEPARATOR in key for key in found):
            return converted(found, dict[str, str], 'the file, whose answers are text')
    return None


def _of_line(line: str) -> ModelAnswer:
    record = converted(json_value(line, 'each line is one JSON object {"qid": …, "vid": …, "answer": …}, or the file '
                                        'is one object {"video>>>query>>>[start, end]": answer}: correct it'),
                       dict[str, Any], 'the line')
    query = _first(record, _QUERY, (int, str))
    if query is None:
        raise ValueError(f"the line has no 'qid' with a number or text (nor {joined(_QUERY[1:])}), but every answer is "
                         'to a query: add it')
    inner = record.get('doc')  # in the log of samples
    video = _first(record, _VIDEO, (str,)) or (_first(inner, _VIDEO, (str,)) if isinstance(inner, dict) else None)
    for key in _ANSWER:
        value = record.get(key)
        while isinstance(value, list) and value:  # of several answers, the first
            value = value[0]
        if isinstance(value, str):
            return ModelAnswer(0, str(query), video or '', value)
    raise ValueError(f"the line has no 'answer' in text (nor {joined(_ANSWER[:-1])}), but windows are read there: "
                     "add it")


def _first(record: dict[str, Any], keys: tuple[str, ...], kinds: tuple[type, ...]) -> Any:
    return next((record[key] for key in keys if type(record.get(key)) in kinds and record[key] != ''), None)


ANSWERS = Format(
    'answers', "models' answers in text: one JSON object of them (lmms-eval), or JSON lines, qid and answer", 't',
    Files(read_qrels, rules=Rules()),
    Files(read_run, options=('clip', 'videos', 'normalised'), rules=Rules(), order='line', queries=lambda path: {
        answer.query_id: answer.doc_id for answer in read_answers(path) if answer.doc_id}))


class _Sentence(msgspec.Struct):
    citations: list[int | str]  # places among the references, or references


class _Metadata(msgspec.Struct):
    topic_id: int | str | None = None
    narrative_id: int | str | None = None


class _Answer(_Metadata, kw_only=True):
    references: list[str]
    answer: list[_Sentence]
    metadata: _Metadata | None = None


def read_citations(path: StrPath) -> list[TrecScoredDoc]:
    """The run of what answers cite, in the order in which it is first cited. Items are the ids of segments, which
    :func:`ir_segmeasures.resolve` gives their offsets. Citations of what the answer has no reference for are left out,
    and a :class:`~ir_segmeasures.SegmentWarning` counts them.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.answers import read_citations
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'answers.jsonl'
        >>> _ = path.write_text('{"topic_id": "q1", "references": ["d#char=0,9", "d#char=9,20"], "answer": ['
        ...                     '{"text": "Bees.", "citations": [1]}, {"text": "So.", "citations": [1, 0]}]}')
        >>> [(row.query_id, row.doc_id) for row in read_citations(path)]
        [('q1', 'd#char=9,20'), ('q1', 'd#char=0,9')]

    Raises:
        FormatError: the file is of another form, or a query has two answers
        OSError: the file cannot be opened
    """
    cited: dict[str, dict[str, None]] = {}
    unknown: list[str] = []
    with errors_in(path):
        for number, value in enumerate(json_values(read_utf8(path))):
            answer = converted(value, _Answer, f'answer {number + 1}')
            named = answer.metadata or answer
            query = str(next((id for id in (named.topic_id, named.narrative_id) if id is not None), number))
            if query in cited:
                raise ValueError(f'{quoted(query)} has two answers: take one of the two out')
            references: dict[int | str, str] = dict(enumerate(answer.references))
            found = [references.get(place, place) for sentence in answer.answer for place in sentence.citations]
            cited[query] = {id: None for id in found if isinstance(id, str)}
            unknown += [f'{id} in query {quoted(query)}' for id in found if not isinstance(id, str)]
    moment_windows.warn_of(path, [('citations are not places among the references of their answer, which count from 0, '
                                   'and are left out', example) for example in unknown])
    return [TrecScoredDoc(query, id, -rank) for query, ids in cited.items() for rank, id in enumerate(ids, 1)]


TREC_RAG = Format('trec-rag', 'answers of TREC RAG, which cite segments', None, EVIDENCE.qrels,
                  Files(read_citations, rules=Rules()))
