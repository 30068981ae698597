"""Questions with the spans of texts, in characters, that answer them: the files of two benchmarks of chunks.

Sources: LegalBench-RAG (https://github.com/zeroentropy-ai/legalbenchrag, ``benchmarks/*.json``), Chunking Evaluation
(https://github.com/brandonstarxel/chunking_evaluation, ``questions_df.csv``).
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from typing import Any, NamedTuple, TextIO

from ir_measures import Qrel

from ir_segmeasures.formats.files.reading import FormatError, StrPath, open_bytes, read_utf8
from ir_segmeasures.segments.json_objects import list_items, loads
from ir_segmeasures.segments.quoting import truncated
from ir_segmeasures.segments.segment import TOO_LARGE, Segment, format_segment, quote_id

__all__ = ['Answer', 'Question', 'qrels', 'read_chunking_evaluation', 'read_legalbench_rag', 'walk_chunking_evaluation',
           'walk_legalbench_rag']


class Answer(NamedTuple):
    """A span that answers a question.

    Attributes:
        name: of its text
        start, end: characters of the text, from 0, half-open
        content: the characters of this span
    """

    name: str
    start: int
    end: int
    content: str


class Question(NamedTuple):
    """A question and the spans that answer it."""

    text: str
    answers: list[Answer]


def read_legalbench_rag(path: StrPath) -> list[Question]:
    """Reads ``{"tests": [{"query", "snippets": [{"file_path", "span": [start, end], "answer"}]}]}``, in file order.

    Raises:
        FormatError: the file is no such JSON, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    return list(walk_legalbench_rag(path))


def walk_legalbench_rag(path: StrPath) -> Iterator[Question]:
    """The questions of :func:`read_legalbench_rag` one by one. It raises the error about one after those before it."""
    def tests(file: TextIO) -> Iterator[tuple[Any, Iterable[Any]]]:
        for test in _tests(file, path):
            yield test['query'], ((snippet['file_path'], *snippet['span'], snippet['answer'])
                                  for snippet in test['snippets'])
    return _walk(path, tests, 'benchmark of LegalBench-RAG',
                 '{"tests": [{"query", "snippets": [{"file_path", "span": [start, end], "answer"}]}]}')


def read_chunking_evaluation(path: StrPath) -> list[Question]:
    """Reads a table in CSV with the columns ``question``, ``corpus_id`` and ``references``, which is a JSON list of
    ``{"start_index", "end_index", "content"}``, in file order.

    Raises:
        FormatError: the file is no such table, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    return list(walk_chunking_evaluation(path))


def walk_chunking_evaluation(path: StrPath) -> Iterator[Question]:
    """The questions of :func:`read_chunking_evaluation` one by one. It raises the error about one after those before
    it."""
    def rows(file: TextIO) -> Iterator[tuple[Any, Iterable[Any]]]:
        for row in csv.DictReader(file, strict=True):
            name = row['corpus_id']
            yield row['question'], ((name, found['start_index'], found['end_index'], found['content'])
                                    for found in loads(row['references']))
    return _walk(path, rows, 'table of Chunking Evaluation', 'CSV with the columns question, corpus_id and references, '
                 'a JSON list of {"start_index", "end_index", "content"}')


def qrels(questions: Iterable[Any]) -> list[Qrel]:
    """The spans of questions as judgements with relevance 1. The id of a question is its place, from 0."""
    return [Qrel(str(number), format_segment(Segment(quote_id(answer.name), answer.start, answer.end, 'char')), 1)
            for number, question in enumerate(questions) for answer in question.answers]


def _tests(file: TextIO, path: StrPath) -> Iterator[Any]:
    count = 0
    try:
        for test in list_items(file, 'tests'):
            yield test
            count += 1
    except ValueError:  # it is wrong, or has another form
        yield from loads(read_utf8(path).removeprefix('\ufeff'))['tests'][count:]


def _walk(path: StrPath, questions: Callable[[TextIO], Iterator[tuple[Any, Iterable[Any]]]], what: str,
          form: str) -> Iterator[Question]:
    count = 0
    try:
        with open_bytes(path) as file:
            for question, answers in questions(TextIOWrapper(file, 'utf-8-sig', newline='')):
                found = Question(_string(question), [Answer(_name(name), *_span(start, end), _string(content))
                                                     for name, start, end, content in answers])
                count += 1
                yield found
        if not count:
            raise ValueError('it has no question')
    except FormatError:
        raise
    except (ValueError, LookupError, TypeError, RecursionError, csv.Error) as error:
        read_utf8(path)  # for its error
        raise FormatError(f'the file is no {what} (behind {count} questions, '
                          f'{type(error).__name__}: {truncated(str(error))}), which is {form}: get it once more',
                          path) from None


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f'{value!r} is no text')
    return value


def _name(value: Any) -> str:
    name = _string(value)
    if not name:
        raise ValueError('a span has no name of its text')
    return name


def _span(start: Any, end: Any) -> tuple[int, int]:
    if type(start) is not int or type(end) is not int or not 0 <= start < end < TOO_LARGE:
        raise ValueError(f'{start!r} to {end!r} is no span of characters')
    return start, end
