"""The figures of the programs of two benchmarks of chunks for language models.

Sources: chunking_evaluation, https://github.com/brandonstarxel/chunking_evaluation (Smith & Troynikov 2024);
legalbenchrag, https://github.com/zeroentropy-ai/legalbenchrag (Pipitone & Alami 2024).
"""

from functools import partial
from typing import Annotated, Any

import msgspec
from ir_measures import ScoredDoc

from ir_segmeasures.formats.json_files import converted
from ir_segmeasures.measures import SegIoU, SegP, SegP_omega, SegR
from ir_segmeasures.providers.programs import program
from ir_segmeasures.providers.programs.program import JSON, FigureValues, Number, values_by_query
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment, quote_id

_CHUNKING = {name: measure(tool='chunking_evaluation') for name, measure in (
    ('recall', SegR), ('precision', SegP), ('iou', SegIoU))}
_OMEGA = {'precision_omega': SegP_omega(tool='chunking_evaluation')}
_LEGAL = {'precision': SegP(tool='legalbenchrag'), 'recall': SegR(tool='legalbenchrag')}
_Place = Annotated[int, msgspec.Meta(ge=0)]


class _Chunking(msgspec.Struct):
    chunks: list[tuple[str, Annotated[float, msgspec.Meta(ge=0)], Number]]
    retrieved: list[list[_Place]]


def chunking_by_question(qrels: Any, chunking: Any) -> dict[str, FigureValues]:
    """``recall``, ``precision``, ``iou`` and ``precision_omega`` of each question, whose id is its place from 0.

    Args:
        qrels: the references as segments of the texts, in characters
        chunking: ``{'chunks': [[text, start, end], …], 'retrieved': [[place of a chunk, …], …]}``, with a list of
            places for each question, the best first

    Raises:
        ValueError: a value is missing or of another kind; there is another number of lists than of questions; a place
            is beyond the chunks
    """
    where, questions = 'the file of chunks', program.rows_by_query(qrels)
    read = converted(chunking, _Chunking, where)
    if len(read.retrieved) != len(questions):
        raise ValueError(f"{where} has {len(read.retrieved)} lists in 'retrieved' for {len(questions)} questions, but "
                         'every question has one: correct it')
    texts = [quote_id(text) for text, _, _ in read.chunks]
    ids = [format_segment(Segment(text, start, end, 'char')) for text, (_, start, end) in zip(texts, read.chunks)]
    beyond = max((place for places in read.retrieved for place in places), default=-1)
    if beyond >= len(ids):
        raise ValueError(f"{where} has the chunk {beyond} in 'retrieved', but its {len(ids)} chunks are numbered from "
                         '0: correct it')
    found = values_by_query(_CHUNKING, qrels, [
        ScoredDoc(query, ids[place], -rank) for query, places in zip(questions, read.retrieved)
        for rank, place in enumerate(places)])
    every = [ScoredDoc(query, id, 0) for query, rows in questions.items()
             for asked in {parse_segment(row.doc_id).document for row in rows}
             for text, id in zip(texts, ids) if text == asked]
    for query, figures in values_by_query(_OMEGA, qrels, every).items():
        found[query].update(figures)
    return found


CHUNKING_EVALUATION = program.Program(
    'chunking_evaluation', "Chroma's study of chunking 2024, chunking_evaluation "
    '(https://github.com/brandonstarxel/chunking_evaluation)', 'questions_df.csv: question, references, corpus_id',
    'JSON: {"chunks": [[text, start, end], …], "retrieved": [[place of a chunk, …] of each question, …]}',
    'chunking-evaluation', (JSON,), chunking_by_question)
LEGALBENCHRAG = program.Program(
    'legalbenchrag', 'LegalBench-RAG 2024, legalbenchrag (https://github.com/zeroentropy-ai/legalbenchrag)',
    'JSON: tests with query and snippets (file_path, span)',
    'a run: place of the query from 0, Q0, file_path#char=start,end, rank, score, run; names of files percent-encoded',
    'legalbench-rag', ('trec',), partial(values_by_query, _LEGAL))
