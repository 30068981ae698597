"""The figures of the programs of two benchmarks of chunks for language models.

Sources: chunking_evaluation, https://github.com/brandonstarxel/chunking_evaluation (Smith & Troynikov 2024);
legalbenchrag, https://github.com/zeroentropy-ai/legalbenchrag (Pipitone & Alami 2024).
"""

from typing import Annotated, Any

import msgspec
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures.measures import SegIoU, SegP, SegP_omega, SegR
from ir_segmeasures.providers.programs.program import (
    CHUNKING_QUESTIONS,
    JSON,
    LEGAL_QUESTIONS,
    FigureValues,
    Program,
    means,
    values_by_query,
)
from ir_segmeasures.providers.programs.records import Number, record_as
from ir_segmeasures.segments.segment import Segment, format_segment, quote_id

__all__ = ['CHUNKING_EVALUATION', 'LEGALBENCHRAG', 'chunking_by_question', 'legal_by_question']

_CHUNKING = {name: measure(tool='chunking_evaluation') for name, measure in (
    ('recall', SegR), ('precision', SegP), ('iou', SegIoU))}
_OMEGA = {'precision_omega': SegP_omega(tool='chunking_evaluation')}
_LEGAL = {'precision': SegP(tool='legalbenchrag'), 'recall': SegR(tool='legalbenchrag')}


class _Chunking(msgspec.Struct):
    chunks: list[tuple[str, Annotated[float, msgspec.Meta(ge=0)], Number]]
    retrieved: list[list[Annotated[int, msgspec.Meta(ge=0)]]]


def _id(text: str, start: float, end: float) -> str:
    return format_segment(Segment(quote_id(text), start, end, 'char'))


def _qrels(questions: Any) -> list[Qrel]:
    return [Qrel(str(number), _id(answer.name, answer.start, answer.end), 1)
            for number, question in enumerate(questions) for answer in question.answers]


def chunking_by_question(questions: Any, chunking: Any) -> dict[str, FigureValues]:
    """``recall``, ``precision``, ``iou`` and ``precision_omega`` of each question, whose id is its place from 0.

    Args:
        questions: with ``answers``, which have ``name``, ``start`` and ``end``
        chunking: ``{'chunks': [[text, start, end], …], 'retrieved': [[place of a chunk, …], …]}``, with a list of
            places for each question, the best first

    Raises:
        ValueError: a value is missing or of another kind; there is another number of lists than of questions; a place
            is beyond the chunks
    """
    where = 'the file of chunks'
    read = record_as(_Chunking, chunking, where)
    for place, (_, start, end) in enumerate(read.chunks):
        if end < start:
            raise ValueError(f'chunk {place} of {where} goes from {start} to {end}, but a chunk ends at or after its '
                             'start: correct it')
    if len(read.retrieved) != len(questions):
        raise ValueError(f"{where} has {len(read.retrieved)} lists in 'retrieved' for {len(questions)} questions, but "
                         'every question has one: correct it')
    ids, run = [_id(*chunk) for chunk in read.chunks], []
    for number, places in enumerate(read.retrieved):
        if max(places, default=0) >= len(ids):
            raise ValueError(f'{where} has the chunk {max(places)} for question {number}, but its {len(ids)} chunks '
                             'are numbered from 0: correct it')
        run += [ScoredDoc(str(number), ids[place], -rank) for rank, place in enumerate(places)]
    found = values_by_query(_CHUNKING, _qrels(questions), run)
    every = [ScoredDoc(str(number), id, 0) for number, question in enumerate(questions)
             for text in {answer.name for answer in question.answers}
             for (name, *_), id in zip(read.chunks, ids) if name == text]
    for query, figures in values_by_query(_OMEGA, _qrels(questions), every).items():
        found[query].update(figures)
    return found


def legal_by_question(questions: Any, run: Any) -> dict[str, FigureValues]:
    """``precision`` and ``recall`` of each query, whose id is its place from 0.

    Args:
        questions: as for :func:`chunking_by_question`
        run: chunks as segments of the texts, in characters
    """
    return values_by_query(_LEGAL, _qrels(questions), run)


CHUNKING_EVALUATION = Program(
    'chunking_evaluation', "Chroma's study of chunking 2024, chunking_evaluation "
    '(https://github.com/brandonstarxel/chunking_evaluation)', 'questions_df.csv: question, references, corpus_id',
    'JSON: {"chunks": [[text, start, end], …], "retrieved": [[place of a chunk, …] of each question, …]}',
    CHUNKING_QUESTIONS, (JSON,), lambda questions, chunking: means(chunking_by_question(questions, chunking)),
    by_query=chunking_by_question)
LEGALBENCHRAG = Program(
    'legalbenchrag', 'LegalBench-RAG 2024, legalbenchrag (https://github.com/zeroentropy-ai/legalbenchrag)',
    'JSON: tests with query and snippets (file_path, span)',
    'a run: place of the query from 0, Q0, file_path#char=start,end, rank, score, run; names of files percent-encoded',
    LEGAL_QUESTIONS, ('trec',), lambda questions, run: means(legal_by_question(questions, run)),
    by_query=legal_by_question)
