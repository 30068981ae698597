"""Evidence given as quotes or spans of texts, in the files of those who collected it, as judged spans; and retrieved
chunks in JSON, as frameworks and stores dump them, as a run. Each of both is compared with the text of its document, or
located there (:func:`ir_segmeasures.texts.chunks.rows`).

Sources of the layouts: ragas (https://docs.ragas.io); SQuAD, Rajpurkar et al. 2016; LegalBench-RAG
(https://github.com/zeroentropy-ai/legalbenchrag, ``benchmarks/*.json``); Chunking Evaluation
(https://github.com/brandonstarxel/chunking_evaluation, ``questions_df.csv``).
"""

import ast
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Annotated, Any, NamedTuple

import msgspec
from ir_measures import Qrel

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.json_files import converted, json_values
from ir_segmeasures.formats.moment_windows import Id
from ir_segmeasures.formats.texts import read_collection
from ir_segmeasures.segments.basics import loads, quoted
from ir_segmeasures.segments.segment import TOO_LARGE, quote_id
from ir_segmeasures.segments.user_warnings import warn
from ir_segmeasures.texts.chunks import Chunk, rows
from ir_segmeasures.texts.retrieved_shapes import ANSWERS

_ID = ('query_id', 'qid', 'question_id', 'id', '_id')
_QUESTION = ('question', 'query', 'user_input')
_DOCUMENT = ('document', 'doc_id', 'docno', 'source', 'file_path')
_HOP = re.compile(r'\A<\d+-hop>\s+')  # before the contexts of ragas' questions that need several
_QUERY = ('query_id', 'qid', 'question_id', 'topic_id')  # of chunks
_QUOTES = ('quotes', 'reference_contexts', 'evidence', 'quote')

Asked = tuple[str, str, list[Any], str | None]  # the id of a question, its text, its quotes, and its document


class EvidenceFile(NamedTuple):
    """The questions of a file, and the texts that it has itself.

    Attributes:
        questions: id → question; one without an id has its place among all questions, from 0
        texts: document → text, of the documents whose texts are in the file
        evidence: id → quotes
        documents: id → document, of questions whose document is known
    """
    questions: dict[str, str]
    texts: dict[str, str]
    evidence: dict[str, list[Any]]
    documents: dict[str, str]


_Place = Annotated[int, msgspec.Meta(ge=0, lt=TOO_LARGE)]


class _Answer(msgspec.Struct):
    text: str
    answer_start: _Place


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


class _Snippet(msgspec.Struct):
    file_path: Id
    span: tuple[_Place, _Place]
    answer: str


class _Test(msgspec.Struct):
    query: str
    snippets: list[_Snippet]


class _Tests(msgspec.Struct):
    tests: list[_Test]


class _Row(msgspec.Struct):
    question: str
    corpus_id: Id
    references: str


class _Reference(msgspec.Struct):
    start_index: _Place
    end_index: _Place
    content: str


def read_evidence(path: StrPath, format: str = 'evidence') -> EvidenceFile:
    """The questions, texts and quotes of a file of evidence, in file order; those of one question are joined. A
    document of SQuAD is a paragraph, ``Title/0``.

    Args:
        path: of the file, ``.gz`` by suffix
        format: ``'evidence'``, ``'squad'``, ``'legalbench-rag'`` or ``'chunking-evaluation'``

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.evidence import read_evidence
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'asked.json'
        >>> _ = path.write_text('{"user_input": "Who dances?", "reference_contexts": ["Bees dance."]}')
        >>> read_evidence(path)
        EvidenceFile(questions={'0': 'Who dances?'}, texts={}, evidence={'0': ['Bees dance.']}, documents={})

    Raises:
        FormatError: the file is of another form, or has no question
        OSError: the file cannot be opened
    """
    text, file = read_utf8(path).removeprefix('\ufeff'), EvidenceFile({}, {}, {}, {})
    rows = None if text.lstrip()[:1] in ('[', '{') else csv.DictReader(
        io.StringIO(text, newline=''), restkey='', strict=True)
    try:
        kind, asked = _READERS[format]
        records = (converted(record, kind, f'record {number}') for number, record in enumerate(
            json_values(text) if rows is None else rows, 1))
        for id, question, quotes, document in asked(records, file.texts):
            if id.split() != [id]:
                raise ValueError(f'{quoted(id)} is not an id, which is a text without white space')
            file.questions.setdefault(id, question)
            file.evidence.setdefault(id, []).extend(quotes)
            if document is not None:
                file.documents.setdefault(id, document)
        if not file.questions:
            raise ValueError('the file has no question')
    except (RecursionError, SyntaxError, TypeError, ValueError, csv.Error) as error:
        raise FormatError(f'behind {len(file.questions)} questions, {error}: get the file once more, or name its '
                          f'format, if it is not {format}', path, rows.line_num or None if rows else None) from None
    return file


def _of_squad(records: Iterable[_Squad], texts: dict[str, str]) -> Iterator[Asked]:
    """The questions of SQuAD; adds the paragraphs to the texts."""
    paragraphs = ((f'{article.title}/{place}', paragraph) for content in records for article in content.data
                  for place, paragraph in enumerate(article.paragraphs))
    for name, paragraph in paragraphs:
        if texts.setdefault(name, paragraph.context) != paragraph.context:
            raise ValueError(f'{quoted(name)} has two texts')
        for asked in paragraph.qas:
            yield asked.id, asked.question, [
                {'doc_id': name, 'start': answer.answer_start, 'text': answer.text} for answer in asked.answers], name


def _of_tests(records: Iterable[_Tests], texts: dict[str, str]) -> Iterator[Asked]:
    for number, test in enumerate(test for content in records for test in content.tests):
        yield str(number), test.query, [
            _span(found.file_path, *found.span, found.answer) for found in test.snippets], None


def _of_rows(records: Iterable[_Row], texts: dict[str, str]) -> Iterator[Asked]:
    for number, row in enumerate(records):
        yield str(number), row.question, [
            _span(row.corpus_id, found.start_index, found.end_index, found.content)
            for found in converted(loads(row.references), list[_Reference], "'references'")], row.corpus_id


def _span(name: str, start: int, end: int, text: str) -> dict[str, Any]:
    if start >= end:
        raise ValueError(f'{start} to {end} of {quoted(name)} is not a span of characters of a text: correct it')
    return {'doc_id': name, 'start': start, 'end': end, 'text': text}


def _of_quotes(records: Iterable[dict[str, Any]], texts: dict[str, str]) -> Iterator[Asked]:
    places: dict[str, str] = {}  # question without an id → its place
    for record in records:
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
        yield places.setdefault(question, str(len(places))) if id is None else str(id), question, quotes, document


_READERS: dict[str, tuple[Any, Callable[[Iterable[Any], dict[str, str]], Iterator[Asked]]]] = {
    'evidence': (dict[str, Any], _of_quotes), 'chunks': (dict[str, Any], _of_quotes), 'squad': (_Squad, _of_squad),
    'legalbench-rag': (_Tests, _of_tests), 'chunking-evaluation': (_Row, _of_rows)}


def _read(path: StrPath, texts: Mapping[str, str] | StrPath | None = None, unlocated: str = 'error', *,
          format: str) -> list[Qrel]:
    """Reads the spans of a file of evidence, in characters, each with relevance 1. A question without quotes has one
    row without content, with relevance 0, so that it counts.

    Args:
        path: of the file
        texts: document → text, or the path that :func:`~ir_segmeasures.formats.texts.read_collection` takes; needed
            for quotes whose texts are not in the file
        unlocated: as for :func:`~ir_segmeasures.texts.chunks.rows`

    Raises:
        FormatError: the file is of another form, or a quote has no single place
        OSError: a file cannot be opened
    """
    file = read_evidence(path, format)
    found = file.texts if texts is None else dict(texts) if isinstance(texts, Mapping) else _named(
        read_collection(texts), file.evidence)
    quotes = [quote for those in file.evidence.values() for quote in those]
    if not found and any(isinstance(quote, str) or 'start' not in quote for quote in quotes):
        raise FormatError('the quotes have no offsets, but they are looked for in their texts: give their texts '
                          'with --docs (texts=…)', path)
    evidence = file.evidence if found else {  # a span needs no text then
        id: [{'doc_id': quote['doc_id'], 'start': quote['start'], 'end': quote['end']}
             if isinstance(quote, dict) and {'doc_id', 'end'} <= quote.keys() else quote for quote in those]
        for id, those in file.evidence.items()}
    some = next(iter((*found, *(quote['doc_id'] for quote in quotes if isinstance(quote, dict) and 'doc_id' in quote))),
                None)  # a document for questions whose own one is not known
    empty = [Qrel(id, f'{quote_id(document)}#char=0,0', 0) for id, those in file.evidence.items()
             if not those and (document := file.documents.get(id, some)) is not None]
    warn([f'{path}: {len(empty)} questions have no quotes, and count 0 in measures without silence=True (such as '
          f'{quoted(empty[0].query_id)}): take them out for means without them' if empty else None])
    try:
        return list(dict.fromkeys(Qrel(row.query_id, row.doc_id, 1) for row in rows(
            evidence, found or None, unlocated=unlocated, noun='quote'))) + empty
    except (TypeError, ValueError) as error:
        raise FormatError(str(error), path) from None


def _named(texts: dict[str, str], found: Any) -> dict[str, str]:
    """The texts, one of a file named as quotes or chunks name it where these leave out its ending."""
    named = {*_strings(found)}
    bare = {name: stem for name in texts if name not in named and (stem := name.rpartition('.')[0]) in named}
    return {bare.get(name, name): text for name, text in texts.items()}


def _strings(value: Any) -> Iterator[str]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    yield from [value] if isinstance(value, str) else chain.from_iterable(map(_strings, inner))


def _format(name: str, description: str, *options: str) -> Format:
    return Format(name, description, None, Files(partial(_read, format=name), options=options, rules=Rules()))


EVIDENCE = _format('evidence', 'question, document, quotes (or reference_contexts, of ragas) as JSON, JSON lines or '
                               'CSV; quotes are looked for in --docs', 'texts', 'unlocated')
SQUAD = _format('squad', 'SQuAD: answers with answer_start; documents are paragraphs, Title/0 …', 'unlocated')
LEGALBENCH_RAG = _format('legalbench-rag', 'LegalBench-RAG: snippets with their spans', 'texts', 'unlocated')
CHUNKING_EVALUATION = _format(
    'chunking-evaluation', 'questions_df.csv of Chunking Evaluation: references', 'texts', 'unlocated')


def read_chunks(path: StrPath, texts: Mapping[str, str] | StrPath | None = None,
                unlocated: str = 'error') -> list[Chunk]:
    """Reads the chunks of each query, the best first, as they stand in the file: an object ``{query: [chunk, …]}``, or
    lines (or a list) of answers with an id of the query and their chunks, or of single chunks, such as ``{"query_id":
    "q1", "page_content": …, "metadata": {"source": …, "start_index": …}}``.

    Args:
        path: of the file, ``.gz`` by suffix
        texts: document → text, or the path that :func:`~ir_segmeasures.formats.texts.read_collection` takes
        unlocated: as for :func:`~ir_segmeasures.texts.chunks.rows`

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats import read_run
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'found.jsonl'
        >>> _ = path.write_text('{"qid": "q1", "page_content": "Yes.", "metadata": {"source": "a", "start_index": 4}}')
        >>> read_run(path, 'chunks')
        [Chunk(query_id='q1', doc_id='a#char=4,8', score=-1, run_score=None)]

    Raises:
        FormatError: the file is of another form, or a chunk has no single place
        OSError: a file cannot be opened
    """
    results: dict[str, Any] = {}
    try:
        for record in json_values(read_utf8(path)):
            if not isinstance(record, dict):
                raise TypeError(f'{quoted(record)} is not an object')
            inner = record.get('metadata')
            id = next((layer[key] for layer in (record, inner) if isinstance(layer, dict) for key in _QUERY
                       if isinstance(layer.get(key), str | int)), None)
            if id is None and not {*record} & {*ANSWERS} and all(
                    isinstance(value, list | dict) for value in record.values()):
                results |= record
            elif id is None:
                raise ValueError(f"{quoted(record)} has no 'query_id' of the query for which it was retrieved: add it")
            elif any(isinstance(record.get(key), list) for key in ANSWERS):
                if str(id) in results:
                    raise ValueError(f'query {quoted(id)} has an answer before: join the two')
                results[str(id)] = record
            else:
                results.setdefault(str(id), []).append(record)
        known = texts if texts is None or isinstance(texts, Mapping) else _named(
            read_collection(texts), results)
        return rows(results, known, unlocated=unlocated)
    except (AttributeError, TypeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        place = '' if str(error).startswith('query ') else f'behind the chunks of {len(results)} queries, '
        raise FormatError(f'{place}{error}', path) from None


CHUNKS = Format(
    'chunks', 'JSON or JSON lines of retrieved chunks, as LangChain, LlamaIndex, Haystack or a store has them, with '
    'query_id; qrels as in evidence', None, EVIDENCE.qrels,
    Files(read_chunks, options=('texts', 'unlocated'), rules=Rules(), order='line'))
