"""Questions with the spans of texts, in characters, that answer them: the files of two benchmarks of chunks.

Sources: LegalBench-RAG (https://github.com/zeroentropy-ai/legalbenchrag, ``benchmarks/*.json``), Chunking Evaluation
(https://github.com/brandonstarxel/chunking_evaluation, ``questions_df.csv``).
"""

import csv
import io
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, read_utf8
from ir_segmeasures.formats.json_files import converted, read_object
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE, Segment, format_segment, quote_id

__all__ = ['Answer', 'CHUNKING_EVALUATION', 'LEGALBENCH_RAG', 'Question', 'read_chunking_evaluation',
           'read_legalbench_rag']

_COLUMNS = ('question', 'corpus_id', 'references')


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


class _Snippet(msgspec.Struct):
    file_path: str
    span: tuple[int, int]
    answer: str


class _Test(msgspec.Struct):
    query: str
    snippets: list[_Snippet]


class _Benchmark(msgspec.Struct):
    tests: list[_Test]


class _Reference(msgspec.Struct):
    start_index: int
    end_index: int
    content: str


def read_legalbench_rag(path: StrPath) -> list[Question]:
    """Reads ``{"tests": [{"query", "snippets": [{"file_path", "span": [start, end], "answer"}]}]}``, in file order.

    Raises:
        FormatError: the file is no such JSON, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    return _some(path, read_object(path, 'the tests of LegalBench-RAG', lambda content: [
        Question(test.query, [_answer(found.file_path, found.span[0], found.span[1], found.answer)
                              for found in test.snippets]) for test in content.tests], _Benchmark))


def read_chunking_evaluation(path: StrPath) -> list[Question]:
    """Reads a table in CSV with the columns ``question``, ``corpus_id`` and ``references``, which is a JSON list of
    ``{"start_index", "end_index", "content"}``, in file order.

    Raises:
        FormatError: the file is no such table, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    rows = csv.DictReader(io.StringIO(read_utf8(path).removeprefix('\ufeff'), newline=''), strict=True)
    questions = []
    try:
        for row in rows:
            if any(row.get(name) is None for name in _COLUMNS):
                raise ValueError(f'a row has not all of the columns {", ".join(_COLUMNS)}: get the file once more')
            references = converted(loads(row['references']), list[_Reference], "'references'")
            questions.append(Question(row['question'], [
                _answer(row['corpus_id'], found.start_index, found.end_index, found.content) for found in references]))
    except (ValueError, csv.Error) as error:
        raise FormatError(f'behind {len(questions)} questions, {error}', path, rows.line_num or None) from None
    return _some(path, questions)


def _some(path: StrPath, questions: list[Question]) -> list[Question]:
    with errors_in(path):
        if not questions:
            raise ValueError('the file has no question: get it once more, or check that it is of the kind that is '
                             'being read')
    return questions


def _answer(name: str, start: int, end: int, content: str) -> Answer:
    if not (name and 0 <= start < end < TOO_LARGE):
        raise ValueError(f'{start} to {end} of {quoted(name)} is no span of characters of a text: correct it')
    return Answer(name, start, end, content)


def _qrels(questions: Iterable[Question]) -> list[Qrel]:
    """The spans of questions as judgements with relevance 1. The id of a question is its place, from 0."""
    return [Qrel(str(number), format_segment(Segment(quote_id(answer.name), answer.start, answer.end, 'char')), 1)
            for number, question in enumerate(questions) for answer in question.answers]


CHUNKING_EVALUATION = Format(
    'chunking-evaluation', 'questions_df.csv of Chunking Evaluation: references', None,
    Files(lambda path: _qrels(read_chunking_evaluation(path)), rules=Rules()))
LEGALBENCH_RAG = Format(
    'legalbench-rag', 'LegalBench-RAG: snippets with their spans', None,
    Files(lambda path: _qrels(read_legalbench_rag(path)), rules=Rules()))
