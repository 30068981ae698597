"""Questions with the spans of texts, in characters, that answer them: the files of two benchmarks of chunks.

Sources: LegalBench-RAG (https://github.com/zeroentropy-ai/legalbenchrag, ``benchmarks/*.json``), Chunking Evaluation
(https://github.com/brandonstarxel/chunking_evaluation, ``questions_df.csv``).
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import truncated

__all__ = ['Answer', 'Question', 'read_chunking_evaluation', 'read_legalbench_rag']


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
    def tests(text: str) -> Iterator[tuple[Any, Iterable[Any]]]:
        for test in loads(text)['tests']:
            yield test['query'], ((snippet['file_path'], *snippet['span'], snippet['answer'])
                                  for snippet in test['snippets'])
    return _read(path, tests, 'benchmark of LegalBench-RAG',
                 '{"tests": [{"query", "snippets": [{"file_path", "span": [start, end], "answer"}]}]}')


def read_chunking_evaluation(path: StrPath) -> list[Question]:
    """Reads a table in CSV with the columns ``question``, ``corpus_id`` and ``references``, which is a JSON list of
    ``{"start_index", "end_index", "content"}``, in file order.

    Raises:
        FormatError: the file is no such table, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    def rows(text: str) -> Iterator[tuple[Any, Iterable[Any]]]:
        for row in csv.DictReader(io.StringIO(text, newline=''), strict=True):
            name = row['corpus_id']
            yield row['question'], ((name, found['start_index'], found['end_index'], found['content'])
                                    for found in loads(row['references']))
    return _read(path, rows, 'table of Chunking Evaluation', 'CSV with the columns question, corpus_id and references, '
                 'a JSON list of {"start_index", "end_index", "content"}')


def _read(path: StrPath, questions: Callable[[str], Iterator[tuple[Any, Iterable[Any]]]], what: str,
          form: str) -> list[Question]:
    text, found = read_utf8(path).removeprefix('\ufeff'), list[Question]()
    try:
        for question, answers in questions(text):
            found.append(Question(_string(question), [Answer(_string(name), *_span(start, end), _string(content))
                                                      for name, start, end, content in answers]))
        if not found:
            raise ValueError('it has no question')
    except (ValueError, LookupError, TypeError, RecursionError, csv.Error) as error:
        raise FormatError(f'the file is no {what} (behind {len(found)} questions, '
                          f'{type(error).__name__}: {truncated(str(error))}), which is {form}: get it once more',
                          path) from None
    return found


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f'{value!r} is no text')
    return value


def _span(start: Any, end: Any) -> tuple[int, int]:
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        raise ValueError(f'{start!r} to {end!r} is no span of characters')
    return start, end
