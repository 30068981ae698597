"""Evidence given as quotes, sentences, paragraphs or pages, in the files of those who collected it, as judged spans.

Each kind of file is one declaration: how its value becomes questions, and where their texts are. Source of the layout
of quotes: ragas (https://docs.ragas.io).
"""

import ast
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ir_measures import Qrel

from ir_segmeasures.formats import question_answering as benchmarks
from ir_segmeasures.formats import questions
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.question_answering import EvidenceQuestion
from ir_segmeasures.formats.texts import read_collection
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import quoted, truncated
from ir_segmeasures.segments.segment import Segment, format_segment, quote_id
from ir_segmeasures.texts.evidence import evidence_qrels

__all__ = ['CHUNKING_EVALUATION', 'EVIDENCE', 'EVIDENCE_FORMATS', 'EvidenceFile', 'FINANCEBENCH', 'HOTPOTQA', 'KILT',
           'LEGALBENCH_RAG', 'QASPER', 'SQUAD', 'json_values', 'read_evidence']

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


class _Declaration(NamedTuple):
    """How a kind of file has its evidence.

    Attributes:
        title: what the file is, in words
        form: its form
        read: (text of the file) → its value
        questions: value → questions
        texts: value → (document, text), where the file has them
    """
    title: str
    form: str
    read: Callable[[str], Any]
    questions: Callable[[Any], Iterable[EvidenceQuestion]]
    texts: Callable[[Any], Iterable[tuple[str, str]]] = lambda value: ()


def _json_lines(text: str) -> list[Any]:
    return [loads(line) for line in text.split('\n') if line.strip()]


def _records(text: str) -> list[Any]:
    """The records of JSON, of JSON lines or of CSV, whichever the text is."""
    if text.lstrip()[:1] not in ('[', '{'):
        return list(csv.DictReader(io.StringIO(text, newline=''), strict=True))
    return json_values(text)


def json_values(text: str) -> list[Any]:
    """The values of JSON, a list or one value, or of JSON lines.

    Examples:
        >>> from ir_segmeasures.formats.evidence import json_values
        >>> json_values('[1, 2]'), json_values('1'), json_values('1\\n2\\n')
        ([1, 2], [1], [1, 2])

    Raises:
        ValueError: the text is neither
    """
    try:
        value = loads(text)
    except ValueError:
        return _json_lines(text)
    return value if isinstance(value, list) else [value]


def _value(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) not in (None, '')), None)


def _quotes(record: Mapping[str, Any]) -> Iterator[EvidenceQuestion]:
    id, question, document, found = (_value(record, keys) for keys in (_ID, _QUESTION, _DOCUMENT, _QUOTES))
    if question is None and id is None:
        raise ValueError(f'{quoted(record)} has no {" or ".join(map(repr, _QUESTION))}')
    if isinstance(found, str) and found.lstrip().startswith('['):  # a cell of CSV, as JSON or as pandas writes lists
        try:
            found = loads(found)
        except ValueError:
            found = ast.literal_eval(found)
    found = [found] if isinstance(found, str | dict) else found or []
    if not all(isinstance(quote, str | dict) for quote in found):
        raise TypeError(f'{quoted(found)} are no quotes')
    found = [_HOP.sub('', quote) if isinstance(quote, str) else quote for quote in found]
    yield EvidenceQuestion(None if id is None else str(id), _string(question or ''), [
        quote if document is None else {'doc_id': document, **({'text': quote} if isinstance(quote, str) else quote)}
        for quote in found])


_DECLARATIONS = {
    'evidence': _Declaration(
        'evidence', 'JSON, JSON lines or CSV with "question", "document" and "quotes" (of ragas "user_input" and '
        '"reference_contexts")', _records, lambda value: (asked for record in value for asked in _quotes(record))),
    'squad': _Declaration(
        'file of SQuAD', '{"data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "answers": '
        '[{"text", "answer_start"}]}]}]}]}', json_values, benchmarks.squad, benchmarks.squad_texts),
    'hotpotqa': _Declaration(
        'file of HotpotQA', '[{"_id", "question", "supporting_facts": [[title, sentence]], "context": [[title, '
        '[sentences]]]}]', json_values, benchmarks.hotpotqa, benchmarks.hotpotqa_texts),
    'qasper': _Declaration(
        'file of QASPER', '{paper: {"title", "abstract", "full_text", "qas": [{"question_id", "question", "answers": '
        '[{"answer": {"evidence"}}]}]}}', json_values, benchmarks.qasper, benchmarks.qasper_texts),
    'kilt': _Declaration(
        'file of KILT', 'JSON lines {"id", "input", "output": [{"provenance": [{"wikipedia_id", "start_paragraph_id", '
        '"end_paragraph_id"}]}]}', _json_lines, benchmarks.kilt),
    'financebench': _Declaration(
        'file of FinanceBench', 'JSON lines {"financebench_id", "question", "evidence": [{"doc_name", '
        '"evidence_page_num"}]}', _json_lines, benchmarks.financebench),
}

EVIDENCE_FORMATS = tuple(_DECLARATIONS)


def read_evidence(path: StrPath, format: str = 'evidence') -> EvidenceFile:
    """The questions, texts and quotes of a file of evidence, in file order; those of one question are joined.

    A document of SQuAD is a paragraph, ``Title/0``; one of HotpotQA is the joined sentences of a context; one of QASPER
    is a paper, its title, abstract, names of sections, paragraphs and captions in lines. Evidence of KILT is
    paragraphs, which are the lines of their page, and that of FinanceBench pages. The rows of Hugging Face's datasets
    of SQuAD, HotpotQA, QASPER and KILT are read, too, as JSON or JSON lines.

    Args:
        path: of the file, ``.gz`` by suffix
        format: ``'evidence'``, ``'squad'``, ``'hotpotqa'``, ``'qasper'``, ``'kilt'`` or ``'financebench'``

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
    declared = _DECLARATIONS[format]
    text, file = read_utf8(path).removeprefix('\ufeff'), EvidenceFile({}, {}, {})
    places: dict[str, str] = {}  # question without an id → its place
    try:
        value = declared.read(text)
        for asked in declared.questions(value):
            id = asked.id if asked.id is not None else places.setdefault(asked.text, str(len(places)))
            file.questions.setdefault(_string(id, is_id=True), _string(asked.text))
            file.evidence.setdefault(id, []).extend(asked.quotes)
        for document, content in declared.texts(value):
            if file.texts.setdefault(_string(document), _string(content)) != content:
                raise ValueError(f'{quoted(document)} has two texts')
    except (ArithmeticError, AttributeError, ValueError, LookupError, TypeError, RecursionError, SyntaxError,
            csv.Error) as error:
        raise FormatError(f'the file is no {declared.title} (behind {len(file.questions)} questions, '
                          f'{type(error).__name__}: {truncated(str(error))}), which is {declared.form}: get it once '
                          'more, or name its format', path) from None
    return file


def _reader(format: str) -> Callable[..., list[Qrel]]:
    def read(path: StrPath, texts: Mapping[str, str] | StrPath | None = None, unlocated: str = 'error') -> list[Qrel]:
        """Reads the spans of a file of evidence, in characters, lines or pages, each with relevance 1.

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
        try:
            return _qrels(file.evidence, found, unlocated)
        except (TypeError, ValueError) as error:
            raise FormatError(str(error), path) from None
    return read


def _qrels(evidence: Mapping[str, list[Any]], texts: dict[str, str], unlocated: str) -> list[Qrel]:
    quotes = [quote for found in evidence.values() for quote in found]
    if any(isinstance(quote, Segment) for quote in quotes):
        return list(dict.fromkeys(Qrel(query, format_segment(quote._replace(document=quote_id(quote.document))), 1)
                                  for query, found in evidence.items() for quote in found))
    if not texts and any(isinstance(quote, str) or 'start' not in quote for quote in quotes):
        raise ValueError('the quotes have no offsets, but they are looked for in their texts: give their texts with '
                         '--texts (texts=…)')
    return evidence_qrels(evidence, texts or None, unlocated=unlocated)


def _named(texts: dict[str, str], file: EvidenceFile) -> dict[str, str]:
    """The texts, one of a file named as the evidence names it where that leaves out its ending."""
    wanted = {quote['doc_id'] for quotes in file.evidence.values() for quote in quotes if isinstance(quote, dict)
              and isinstance(quote.get('doc_id'), str)} - texts.keys()
    bare = {name: name.rpartition('.')[0] for name in texts}
    return {bare[name] if bare[name] in wanted else name: text for name, text in texts.items()}


def _string(value: Any, is_id: bool = False) -> str:
    if not isinstance(value, str) or (is_id and value.split() != [value]):
        raise TypeError(f'{quoted(value)} is no {"id, which is a text without white space" if is_id else "text"}')
    return value


def _format(name: str, description: str, *options: str) -> Format:
    return Format(name, description, None, Files(_reader(name), options=options))


def _of_questions(name: str, description: str, read: Callable[[StrPath], list[questions.Question]]) -> Format:
    return Format(name, description, None, Files(lambda path: questions.qrels(read(path))))


EVIDENCE = _format('evidence', 'question, document, quotes (or reference_contexts, of ragas) as JSON, JSON lines or '
                   'CSV; quotes are looked for in --texts', 'texts', 'unlocated')
SQUAD = _format('squad', 'SQuAD: answers with answer_start; documents are paragraphs, Title/0 …', 'unlocated')
HOTPOTQA = _format('hotpotqa', 'HotpotQA: supporting facts, sentences of the contexts', 'unlocated')
QASPER = _format('qasper', 'QASPER: evidence, paragraphs and captions of papers', 'unlocated')
KILT = _format('kilt', 'KILT: provenance, paragraphs as lines of Wikipedia pages')
FINANCEBENCH = _format('financebench', 'FinanceBench: evidence, pages of documents')
CHUNKING_EVALUATION = _of_questions('chunking-evaluation', 'questions_df.csv of Chunking Evaluation: references',
                                    questions.read_chunking_evaluation)
LEGALBENCH_RAG = _of_questions('legalbench-rag', 'LegalBench-RAG: snippets with their spans',
                               questions.read_legalbench_rag)
