"""Evidence given as quotes in texts, in the files of those who collected it, as judged spans.

Source of the layout of quotes: ragas (https://docs.ragas.io); of SQuAD: Rajpurkar et al. 2016.
"""

import ast
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.json_files import converted, json_values
from ir_segmeasures.formats.texts import read_collection
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import quoted, truncated
from ir_segmeasures.texts.evidence import evidence_qrels

__all__ = ['EVIDENCE', 'EvidenceFile', 'SQUAD', 'read_evidence']

_ID = ('query_id', 'qid', 'question_id', 'id', '_id')
_QUESTION = ('question', 'query', 'user_input')
_DOCUMENT = ('document', 'doc_id', 'docno', 'source', 'file_path')
_HOP = re.compile(r'\A<\d+-hop>\s+')  # before the contexts of ragas' questions that need several
_QUOTES = ('quotes', 'reference_contexts', 'evidence', 'quote')


class EvidenceFile(NamedTuple):
    """The questions of a file, and the texts that it has itself.

    Attributes:
        questions: id → question; one without an id has its place among all questions, from 0
        texts: document → text, of the documents whose texts are in the file
        evidence: id → quotes
    """
    questions: dict[str, str]
    texts: dict[str, str]
    evidence: dict[str, list[Any]]


class _Answer(msgspec.Struct):
    text: str
    answer_start: int


class _Asked(msgspec.Struct):
    id: str
    question: str
    answers: list[_Answer]


class _Paragraph(msgspec.Struct):
    context: str
    qas: list[_Asked]


class _Article(msgspec.Struct):
    title: str
    paragraphs: list[_Paragraph]


class _Squad(msgspec.Struct):
    data: list[_Article]


_FORMS = {
    'evidence': 'evidence, JSON, JSON lines or CSV with "question", "document" and "quotes" (of ragas "user_input" and '
                '"reference_contexts")',
    'squad': 'a file of SQuAD, {"data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "answers": '
             '[{"text", "answer_start"}]}]}]}]}'}


def read_evidence(path: StrPath, format: str = 'evidence') -> EvidenceFile:
    """The questions, texts and quotes of a file of evidence, in file order; those of one question are joined. A
    document of SQuAD is a paragraph, ``Title/0``.

    Args:
        path: of the file, ``.gz`` by suffix
        format: ``'evidence'`` or ``'squad'``

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.evidence import read_evidence
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'asked.json'
        >>> _ = path.write_text('{"user_input": "Who dances?", "reference_contexts": ["Bees dance."]}')
        >>> read_evidence(path)
        EvidenceFile(questions={'0': 'Who dances?'}, texts={}, evidence={'0': ['Bees dance.']})

    Raises:
        FormatError: the file is of another form
        OSError: the file cannot be opened
    """
    text, file = read_utf8(path).removeprefix('\ufeff'), EvidenceFile({}, {}, {})
    try:
        for id, question, quotes in _of_squad(text, file.texts) if format == 'squad' else _of_quotes(text):
            if id.split() != [id]:
                raise ValueError(f'{quoted(id)} is not an id, which is a text without white space')
            file.questions.setdefault(id, question)
            file.evidence.setdefault(id, []).extend(quotes)
    except (RecursionError, SyntaxError, TypeError, ValueError, csv.Error) as error:
        raise FormatError(f'the file is not {_FORMS[format]} (behind {len(file.questions)} questions, '
                          f'{truncated(str(error))}): get it once more, or name its format', path) from None
    return file


def _of_squad(text: str, texts: dict[str, str]) -> Iterator[tuple[str, str, list[Any]]]:
    """The id of each question, its text and its answers as quotes; adds the paragraphs to the texts."""
    for value in json_values(text):
        for article in converted(value, _Squad, 'the file').data:
            for place, paragraph in enumerate(article.paragraphs):
                name = f'{article.title}/{place}'
                if texts.setdefault(name, paragraph.context) != paragraph.context:
                    raise ValueError(f'{quoted(name)} has two texts')
                for asked in paragraph.qas:
                    yield asked.id, asked.question, [
                        {'doc_id': name, 'start': answer.answer_start, 'text': answer.text} for answer in asked.answers]


def _of_quotes(text: str) -> Iterator[tuple[str, str, list[Any]]]:
    """The id of each question, its text and its quotes."""
    is_json = text.lstrip()[:1] in ('[', '{')
    places: dict[str, str] = {}  # question without an id → its place
    for record in json_values(text) if is_json else csv.DictReader(io.StringIO(text, newline=''), strict=True):
        if not isinstance(record, dict):
            raise TypeError(f'{quoted(record)} is not an object')
        id, question, document, found = (
            next((record[key] for key in keys if record.get(key) not in (None, '')), None)
            for keys in (_ID, _QUESTION, _DOCUMENT, _QUOTES))
        if question is None and id is None:
            raise ValueError(f'{quoted(record)} has no {" or ".join(map(repr, _QUESTION))}')
        if isinstance(found, str) and found.lstrip().startswith('['):  # CSV, as JSON or as pandas writes it
            try:
                found = loads(found)
            except ValueError:
                found = ast.literal_eval(found)
        quotes = converted([found] if isinstance(found, str | dict) else found or [], list[str | dict[str, Any]],
                           f'the quotes of {quoted(question)}')
        quotes = [_HOP.sub('', quote) if isinstance(quote, str) else quote for quote in quotes]
        if document is not None:
            quotes = [{'doc_id': document} | ({'text': quote} if isinstance(quote, str) else quote) for quote in quotes]
        question = converted(question or '', str, 'the question')
        yield places.setdefault(question, str(len(places))) if id is None else str(id), question, quotes


def _reader(format: str) -> Callable[..., list[Qrel]]:
    def read(path: StrPath, texts: Mapping[str, str] | StrPath | None = None, unlocated: str = 'error') -> list[Qrel]:
        """Reads the spans of a file of evidence, in characters, each with relevance 1.

        Args:
            path: of the file
            texts: document → text, or the path that :func:`~ir_segmeasures.formats.texts.read_collection` takes; needed
                for quotes whose texts are not in the file
            unlocated: as for :func:`~ir_segmeasures.texts.evidence.evidence_qrels`

        Raises:
            FormatError: the file is of another form, or a quote has no single place
            OSError: a file cannot be opened
        """
        file = read_evidence(path, format)
        if texts is None:
            found = file.texts
        else:
            found = dict(texts) if isinstance(texts, Mapping) else _named(read_collection(texts), file)
        quotes = [quote for those in file.evidence.values() for quote in those]
        if not found and any(isinstance(quote, str) or 'start' not in quote for quote in quotes):
            raise FormatError('the quotes have no offsets, but they are looked for in their texts: give their texts '
                              'with --texts (texts=…)', path)
        try:
            return evidence_qrels(file.evidence, found or None, unlocated=unlocated)
        except (TypeError, ValueError) as error:
            raise FormatError(str(error), path) from None
    return read


def _named(texts: dict[str, str], file: EvidenceFile) -> dict[str, str]:
    """The texts, one of a file named as the evidence names it where that leaves out its ending."""
    wanted = {quote['doc_id'] for quotes in file.evidence.values() for quote in quotes if isinstance(quote, dict)
              and isinstance(quote.get('doc_id'), str)} - texts.keys()
    bare = {name: name.rpartition('.')[0] for name in texts}
    return {bare[name] if bare[name] in wanted else name: text for name, text in texts.items()}


EVIDENCE = Format(
    'evidence', 'question, document, quotes (or reference_contexts, of ragas) as JSON, JSON lines or CSV; quotes are '
    'looked for in --texts', None, Files(_reader('evidence'), options=('texts', 'unlocated'), rules=Rules()))
SQUAD = Format('squad', 'SQuAD: answers with answer_start; documents are paragraphs, Title/0 …', None,
               Files(_reader('squad'), options=('unlocated',), rules=Rules()))
