"""Answers with cited passages as runs: of ALCE, of LongBench-Cite and of TREC's RAG track.

The part of their programs that asks a language model whether a citation supports its sentence is left out: cited spans
are measured against judged evidence. Sources: https://github.com/princeton-nlp/ALCE (Gao et al. 2023),
https://github.com/THUDM/LongCite (Zhang et al. 2024), https://trec-rag.github.io (2024 and 2025).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ir_segmeasures.formats.evidence import EVIDENCE, json_values
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.files.row_types import TrecScoredDoc
from ir_segmeasures.formats.texts import read_collection
from ir_segmeasures.segments.quoting import quoted, truncated
from ir_segmeasures.segments.segment import quote_id
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.texts.chunks import located_rows
from ir_segmeasures.texts.locating.collection import UnlocatedWarning

__all__ = ['ALCE', 'CitedAnswer', 'LONGBENCH_CITE', 'TREC_RAG', 'read_citations']


class CitedAnswer(NamedTuple):
    """An answer and the passages that its sentences cite.

    Attributes:
        id: of the question; None where the file has none
        sentences: for each sentence, what it cites: ids of documents or of segments, or dicts as
            :func:`~ir_segmeasures.texts.chunks.rows` takes them
        unknown: a clause for each citation of what the answer was not given
    """
    id: str | None
    sentences: list[list[Any]]
    unknown: Sequence[str] = ()


def _alce(record: Any) -> CitedAnswer:
    passages = record['docs']
    sentences: list[list[Any]] = []
    unknown = []
    for sentence in re.split(r'(?<=[.!?])\s+(?!\[)', record['output'].strip().split('\n')[0]):
        sentences.append(found := [])
        for number in map(int, re.findall(r'\[(\d+)', sentence)):
            if 0 < number <= len(passages):
                passage = passages[number - 1]
                found.append({'doc_id': str(passage.get('id', passage['title'])), 'text': passage['text']})
            else:
                unknown.append(f'{quoted(sentence)} cites [{number}], but there are {len(passages)} docs')
    return CitedAnswer(_id(record, 'sample_id', 'id', 'question_id'), sentences, unknown)


def _longbench_cite(record: Any) -> CitedAnswer:
    id = str(record['idx'])
    return CitedAnswer(id, [[{'doc_id': id, 'start': cited['start_char'], 'end': cited['end_char']}
                             for cited in statement['citation']] for statement in record['statements']])


def _trec_rag(record: Any) -> CitedAnswer:
    references = record['references']
    if not all(isinstance(reference, str) for reference in references):
        raise TypeError(f'{quoted(references)} are no ids')
    sentences: list[list[Any]] = []
    unknown = []
    for sentence in record['answer']:
        sentences.append(found := [])
        for cited in sentence['citations']:
            if isinstance(cited, str):
                found.append(cited)
            elif type(cited) is int and 0 <= cited < len(references):
                found.append(references[cited])
            else:
                unknown.append(f'the citation {quoted(cited)} is no place among the {len(references)} references, '
                               'from 0')
    return CitedAnswer(_id(record.get('metadata', record), 'topic_id', 'narrative_id'), sentences, unknown)


def _id(record: Mapping[str, Any], *keys: str) -> str | None:
    return next((str(record[key]) for key in keys if key in record), None)


_DECLARATIONS: dict[str, tuple[str, Callable[[Any], CitedAnswer]]] = {
    'alce': ('{"data": [{"question", "output": "… [1][2].", "docs": [{"id", "title", "text"}]}]}', _alce),
    'longbench-cite': ('[{"idx", "statements": [{"statement", "citation": [{"start_char", "end_char"}]}]}]',
                       _longbench_cite),
    'trec-rag': ('JSON lines {"topic_id", "references": [segment, …], "answer": [{"text", "citations": [0, …]}]}',
                 _trec_rag),
}


def read_citations(path: StrPath, format: str, texts: Mapping[str, str] | StrPath | None = None,
                   unlocated: str = 'error', by_sentence: bool = False) -> list[TrecScoredDoc]:
    """The run of what answers cite, in the order in which it is first cited.

    Items of ALCE are passages of their documents where the texts are given, and else whole documents; those of
    LongBench-Cite are sentences of the context, the document whose name is ``idx``, in characters; those of TREC RAG
    are the ids of segments, which :func:`ir_segmeasures.resolve` gives their offsets.

    Args:
        path: of the file
        format: ``'alce'``, whose program reads the first line of an output, ``'longbench-cite'`` or ``'trec-rag'``
        texts: document → text, or the path that :func:`~ir_segmeasures.formats.texts.read_collection` takes
        unlocated: as for :func:`~ir_segmeasures.texts.chunks.rows`; also for citations of what the answer was not
            given, such as ``[6]`` of five passages
        by_sentence: whether each sentence with citations is a query of its own, such as ``q1/0``

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.citations import read_citations
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'answers.jsonl'
        >>> _ = path.write_text('{"topic_id": "q1", "references": ["d#char=0,9", "d#char=9,20"], "answer": ['
        ...                     '{"text": "Bees.", "citations": [1]}, {"text": "So.", "citations": [1, 0]}]}')
        >>> [(row.query_id, row.doc_id) for row in read_citations(path, 'trec-rag')]
        [('q1', 'd#char=9,20'), ('q1', 'd#char=0,9')]
        >>> [(row.query_id, row.doc_id) for row in read_citations(path, 'trec-rag', by_sentence=True)]
        [('q1/0', 'd#char=9,20'), ('q1/1', 'd#char=9,20'), ('q1/1', 'd#char=0,9')]

    Raises:
        FormatError: the file is of another form, or a passage has no single place
        OSError: a file cannot be opened
    """
    form, parse = _DECLARATIONS[format]
    cited: dict[str, list[Any]] = {}
    try:
        values = json_values(read_utf8(path).removeprefix('\ufeff'))
        if format == 'alce' and len(values) == 1 and 'data' in values[0]:
            values = values[0]['data']
        if format == 'longbench-cite':
            values = [record for record in values if 'scores' not in record]  # the means, which its program adds
        unknown: list[str] = []
        for number, record in enumerate(values):
            answer = parse(record)
            id = str(number) if answer.id is None else answer.id
            if id in cited:
                raise ValueError(f'{quoted(id)} has two answers')
            cited[id] = []
            unknown += [f'query {quoted(id)}: {clause}' for clause in answer.unknown]
            for place, sentence in enumerate(answer.sentences):
                cited.setdefault(f'{id}/{place}' if by_sentence else id, []).extend(sentence)
        if unknown and unlocated == 'error':
            raise ValueError(f"{unknown[0]}; with unlocated='warn' such citations are left out")
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise FormatError(f'the file has no answers of {format} (behind {len(cited)} answers, {type(error).__name__}: '
                          f'{truncated(str(error))}), which are {form}: correct it, or name its format', path) from None
    if unknown:
        warn_user(UnlocatedWarning(f'{len(unknown)} citations are of what their answer was not given ({unknown[0]} …): '
                                   'they are left out', unknown))
    if texts is not None and not isinstance(texts, Mapping):
        texts = read_collection(texts)
    try:
        return _run(cited, texts, unlocated)
    except (TypeError, ValueError) as error:
        raise FormatError(str(error), path) from None


def _run(cited: Mapping[str, list[Any]], texts: Mapping[str, str] | None, unlocated: str) -> list[TrecScoredDoc]:
    run = []
    for query, items in cited.items():
        located: Iterable[str]
        if all(isinstance(item, str) for item in items):
            located = items
        elif texts is None and any('start' not in item for item in items):
            located = [quote_id(item['doc_id']) for item in items]
        else:
            located = [row.doc_id for row in located_rows({query: items}, texts, unlocated=unlocated, noun='citation')]
        run += [TrecScoredDoc(query, id, -rank) for rank, id in enumerate(dict.fromkeys(located), 1)]
    return run


def _format(name: str, description: str, *options: str) -> Format:
    def read(path: StrPath, texts: Mapping[str, str] | StrPath | None = None,
             unlocated: str = 'error') -> list[TrecScoredDoc]:
        return read_citations(path, name, texts, unlocated)
    return Format(name, description, None, EVIDENCE.qrels, Files(read, options=options))


ALCE = _format('alce', 'answers of ALCE, which cite passages as [1]; with --texts they become spans', 'texts',
               'unlocated')
LONGBENCH_CITE = _format('longbench-cite', 'answers of LongBench-Cite, which cite sentences of their context')
TREC_RAG = _format('trec-rag', 'answers of TREC RAG, which cite segments', 'unlocated')
