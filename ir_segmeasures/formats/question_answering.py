"""The evidence of question answering benchmarks, in the layouts of their own files and of Hugging Face's datasets.

Sources: SQuAD (Rajpurkar et al. 2016), HotpotQA (Yang et al. 2018), QASPER (Dasigi et al. 2021), KILT (Petroni et al.
2021), FinanceBench (Islam et al. 2023).
"""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures.segments.segment import Segment

__all__ = ['EvidenceQuestion', 'financebench', 'hotpotqa', 'hotpotqa_texts', 'kilt', 'qasper', 'qasper_texts', 'squad',
           'squad_texts']


class EvidenceQuestion(NamedTuple):
    """A question and its evidence.

    Attributes:
        id: of the question; None where the file has none
        text: of the question
        quotes: as :func:`~ir_segmeasures.texts.evidence.evidence_qrels` takes them, or segments in other units
    """
    id: str | None
    text: str
    quotes: list[Any]


def squad(value: Any) -> Iterator[EvidenceQuestion]:
    """The answers of SQuAD."""
    for name, paragraph in _squad_paragraphs(value):
        for asked in paragraph['qas']:
            yield EvidenceQuestion(asked['id'], asked['question'], [
                {'doc_id': name, 'start': answer['answer_start'], 'text': answer['text']}
                for answer in _records(asked['answers'])])


def squad_texts(value: Any) -> Iterator[tuple[str, str]]:
    """The paragraphs of SQuAD."""
    return ((name, paragraph['context']) for name, paragraph in _squad_paragraphs(value))


def _squad_paragraphs(value: Any) -> Iterator[tuple[str, Any]]:
    rows: dict[str, dict[str, list[Any]]] = {}  # title → context → questions
    for record in value:
        if 'data' not in record:
            rows.setdefault(record['title'], {}).setdefault(record['context'], []).append(record)
            continue
        for article in record['data']:
            for number, paragraph in enumerate(article['paragraphs']):
                yield f'{article["title"]}/{number}', paragraph
    for title, contexts in rows.items():
        for number, (context, asked) in enumerate(contexts.items()):
            yield f'{title}/{number}', {'context': context, 'qas': asked}


def _records(value: Any) -> Any:
    """A list of objects, which Hugging Face's datasets have as an object of lists."""
    if not isinstance(value, Mapping):
        return value
    return [dict(zip(value, fields)) for fields in zip(*value.values(), strict=True)]


def hotpotqa(value: Any) -> Iterator[EvidenceQuestion]:
    """The supporting facts of HotpotQA."""
    contexts = _contexts(value)
    for record in value:
        found = []
        for title, number in _pairs(record['supporting_facts'], 'sent_id'):
            ends = [0, *accumulate(map(len, contexts.get(title, ())))]
            found.append({'doc_id': title, 'start': ends[number], 'end': ends[number + 1]} if number + 1 < len(ends)
                         else {'doc_id': title, 'text': f'(sentence {number}, which is in no context)'})
        yield EvidenceQuestion(record['_id' if '_id' in record else 'id'], record['question'], found)


def hotpotqa_texts(value: Any) -> Iterator[tuple[str, str]]:
    """The contexts of HotpotQA, and an empty text where a supporting fact is of no context."""
    contexts = _contexts(value)
    titles = (title for record in value for title, _ in _pairs(record['supporting_facts'], 'sent_id'))
    for title in dict.fromkeys([*contexts, *titles]):
        yield title, ''.join(contexts.get(title, ()))


def _contexts(value: Any) -> dict[str, list[str]]:
    return {title: sentences for record in value for title, sentences in _pairs(record['context'], 'sentences')}


def _pairs(value: Any, second: str) -> Any:
    return zip(value['title'], value[second], strict=True) if isinstance(value, Mapping) else value


def qasper(value: Any) -> Iterator[EvidenceQuestion]:
    """The evidence of QASPER."""
    for name, paper in _papers(value):
        pieces = _qasper_pieces(paper)
        starts = dict(zip(reversed(pieces), reversed([0, *accumulate(len(piece) + 1 for piece in pieces)][:-1])))
        for asked in _records(paper['qas']):
            quotes = [text.removeprefix('FLOAT SELECTED: ') for answer in _records(asked['answers'])
                      if not answer['answer']['unanswerable'] for text in answer['answer']['evidence'] if text]
            yield EvidenceQuestion(asked['question_id'], asked['question'], [
                {'doc_id': name, 'text': quote, **({'start': starts[quote]} if pieces.count(quote) == 1 else {})}
                for quote in quotes])


def qasper_texts(value: Any) -> Iterator[tuple[str, str]]:
    """The papers of QASPER: title, abstract, names of sections, paragraphs and captions in lines."""
    return ((name, '\n'.join(_qasper_pieces(paper))) for name, paper in _papers(value))


def _papers(value: Any) -> Iterator[tuple[str, Any]]:
    for record in value:
        yield from [(record['id'], record)] if 'full_text' in record else record.items()


def _qasper_pieces(paper: Any) -> list[str]:
    pieces = [paper['title'], paper['abstract']]
    for section in _records(paper['full_text']):
        pieces += [section['section_name'] or '', *section['paragraphs']]
    return [*pieces, *(float['caption'] for float in _records(paper.get('figures_and_tables', ())))]


def kilt(value: Any) -> Iterator[EvidenceQuestion]:
    """The provenance of KILT."""
    for record in value:
        yield EvidenceQuestion(str(record['id']), record.get('input', ''), [
            Segment(str(found['wikipedia_id']), *_paragraphs(found))
            for output in record['output'] for found in output.get('provenance') or ()])


def _paragraphs(found: Mapping[str, Any]) -> tuple[int, float, str | None]:
    first, last = (-1 if found.get(f'{key}_paragraph_id') is None else int(found[f'{key}_paragraph_id'])
                   for key in ('start', 'end'))
    if first < 0:  # Hugging Face's datasets have -1 where there is none
        return 0, inf, None  # the whole page
    return first, (first if last < 0 else last) + 1, 'line'


def financebench(value: Any) -> Iterator[EvidenceQuestion]:
    """The pages of FinanceBench, from 0 in its file."""
    for record in value:
        yield EvidenceQuestion(record['financebench_id'], record['question'], [
            Segment(found['doc_name'], page + 1, page + 2, 'page') for found in record['evidence']
            for page in [found['evidence_page_num']]])
