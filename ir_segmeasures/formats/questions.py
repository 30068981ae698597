"""Questions with the spans of texts, in characters, that answer them: the files of two benchmarks of chunks.

Sources: LegalBench-RAG (https://github.com/zeroentropy-ai/legalbenchrag, ``benchmarks/*.json``), Chunking Evaluation
(https://github.com/brandonstarxel/chunking_evaluation, ``questions_df.csv``).
"""

import csv
import io
from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.json_files import converted, read_object
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE, Segment, format_segment, quote_id

__all__ = ['Answer', 'CHUNKING_EVALUATION', 'LEGALBENCH_RAG', 'Question', 'read_chunking_evaluation',
           'read_legalbench_rag']


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


_Id = Annotated[str, msgspec.Meta(min_length=1)]
_Place = Annotated[int, msgspec.Meta(ge=0, lt=TOO_LARGE)]


class _Snippet(msgspec.Struct):
    file_path: _Id
    span: tuple[_Place, _Place]
    answer: str


class _Test(msgspec.Struct):
    query: str
    snippets: list[_Snippet]


class _Benchmark(msgspec.Struct):
    tests: Annotated[list[_Test], msgspec.Meta(min_length=1)]


class _Row(msgspec.Struct):
    question: str
    corpus_id: _Id
    references: str


class _Reference(msgspec.Struct):
    start_index: _Place
    end_index: _Place
    content: str


def read_legalbench_rag(path: StrPath) -> list[Question]:
    """Reads ``{"tests": [{"query", "snippets": [{"file_path", "span": [start, end], "answer"}]}]}``, in file order.

    Raises:
        FormatError: the file is no such JSON, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    return read_object(path, 'the tests of LegalBench-RAG', lambda content: [
        Question(test.query, [_answer(found.file_path, found.span[0], found.span[1], found.answer)
                              for found in test.snippets]) for test in content.tests], _Benchmark)


def read_chunking_evaluation(path: StrPath) -> list[Question]:
    """Reads a table in CSV with the columns ``question``, ``corpus_id`` and ``references``, which is a JSON list of
    ``{"start_index", "end_index", "content"}``, in file order.

    Raises:
        FormatError: the file is no such table, it has no question, or a span is no two whole numbers
            from 0 on, the second one larger
        OSError: the file cannot be opened
    """
    rows = csv.DictReader(io.StringIO(read_utf8(path).removeprefix('\ufeff'), newline=''), restkey='', strict=True)
    questions: list[Question] = []
    try:
        for row in rows:
            found = converted(row, _Row, 'a row')
            references = converted(loads(found.references), list[_Reference], "'references'")
            questions.append(Question(found.question, [
                _answer(found.corpus_id, span.start_index, span.end_index, span.content) for span in references]))
        if not questions:
            raise ValueError('the file has no question: get it once more, or check that it is of the right kind')
    except (ValueError, csv.Error) as error:
        raise FormatError(f'behind {len(questions)} questions, {error}', path, rows.line_num or None) from None
    return questions


def _answer(name: str, start: int, end: int, content: str) -> Answer:
    if start >= end:
        raise ValueError(f'{start} to {end} of {quoted(name)} is not a span of characters of a text: correct it')
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
