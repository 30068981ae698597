"""The figures of programs for language models: two of lmms-eval that read a window in each answer of a model, each in
its own way, and those of two benchmarks of chunks.

Sources: https://github.com/EvolvingLMMs-Lab/lmms-eval, lmms_eval/tasks/charades_sta/eval_tvg.py, after TimeChat (Ren et
al. CVPR 2024), and lmms_eval/tasks/timelens/utils.py, after https://github.com/TencentARC/TimeLens (for a reader of any
answer, see :func:`ir_segmeasures.windows_in`); chunking_evaluation, https://github.com/brandonstarxel/chunking_evaluation
(Smith & Troynikov 2024); legalbenchrag, https://github.com/zeroentropy-ai/legalbenchrag (Pipitone & Alami 2024).
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any

import msgspec
from ir_measures import ScoredDoc

from ir_segmeasures.measures import SegIoU, SegP, SegP_omega, SegR
from ir_segmeasures.providers.programs import program
from ir_segmeasures.providers.programs.detection import hull_iou
from ir_segmeasures.segments.records import converted, true_windows
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment, quote_id

_Window = tuple[float, ...]
_SOURCE = 'of lmms-eval (https://github.com/EvolvingLMMs-Lab/lmms-eval)'
_IOUS = (.3, .5, .7)
_EXAMPLE = 'a specific example is : 20.8 - 30.0 seconds'
_SENTENCE_END = re.compile(r'[!?\n]')
# The look-behind keeps long runs of digits linear; it changes no match.
_NUMBER = r'(?<!\d)(\d+(?:\.\d+)?)'
_PAIR = re.compile(rf'{_NUMBER}\s*[–-]\s*(\d+(?:\.\d+)?)')
_PAIR_OF_SECONDS = re.compile(rf'{_NUMBER}\s*(?:s\s*)?[–-]\s*(\d+(?:\.\d+)?)')
_ALONE = re.compile(rf'\b{_NUMBER}\b')
_CLOCK = re.compile(r'\b(?:(\d{1,2}):(?=\d\d:))?(\d{1,2}):(\d{2}(?:\.\d+)?)\b')
_OPEN_NUMBER, _SECOND = r'(?<!\d)(\d+(?:\.\d*)?)', r'(\d+(?:\.\d*)?)'
_RANGES = (re.compile(rf'{_OPEN_NUMBER}\s*-\s*{_SECOND}'), re.compile(rf'{_OPEN_NUMBER}\s+to\s+{_SECOND}'))
_OPEN_ALONE = re.compile(rf'\b{_OPEN_NUMBER}\b')


def _by_answer(answers: Any, read: Callable[[str, _Window], _Window | None]) -> dict[str, program.FigureValues]:
    """``IOU@3``, ``IOU@5`` and ``IOU@7`` (whether an answer has an IoU of at least 0.3, 0.5, 0.7) and ``mIOU`` of each
    answer, in per cent.

    Args:
        answers: ``{'video>>>query>>>window': answer}``, where the true window is a list or the first of a list
        read: (answer, true window) → the window in the answer, or None, which counts 0

    Raises:
        ValueError: an answer is not text; a key has no window

    Examples:
        >>> from ir_segmeasures import official
        >>> official('charades_sta', None, {'v>>>a person runs.>>>[0.0, 6.9]': 'It starts at 0.0 - 5.0'})['IOU@7']
        100.0
    """
    found = {}
    for key, answer in converted(answers, dict[str, str], 'the file of answers').items():
        true = true_windows(key)[0]
        window = read(answer, true)
        iou = 0.0 if window is None else hull_iou(true, window)
        found[key] = {**{f'IOU@{least * 10:.0f}': 100. * (iou >= least) for least in _IOUS}, 'mIOU': 100 * iou}
    return found


def charades_sta_window(answer: str, true: _Window) -> _Window:
    """The window that the program reads in an answer, the lower number first.

    Quirks: every ``to`` becomes ``-``, in words too; no full stop ends a sentence; only sentences with start, end or
    happen count, in words too; of clock times, pairs of their parts are read. Without a window, a window 10 seconds
    after the true one is taken.

    Examples:
        >>> from ir_segmeasures.providers.programs.answers import charades_sta_window
        >>> charades_sta_window('It starts at 17.5 and, near the end, at 20 to 21', (0, 9))
        (20.0, 21.0)
    """
    text = answer.lower().replace(_EXAMPLE, '').replace('to', '-')
    sentences = [sentence for sentence in _SENTENCE_END.split(text)
                 if any(word in sentence for word in ('start', 'end', 'happen'))]
    # The program looks for H:M:S behind the single numbers, which have them all: it never comes so far.
    alone = sum(_numbers(_ALONE, sentences), ())[:2]
    start, end = [*_numbers(_PAIR, sentences), *[alone] * (len(alone) > 1), *_numbers(_PAIR_OF_SECONDS, sentences),
                  (true[1] + 10, true[1] + 20)][0]
    return min(start, end), max(start, end)


def _numbers(pattern: re.Pattern[str], texts: Iterable[str]) -> list[_Window]:
    """The numbers of the first match in each text that has one."""
    return [tuple(map(float, match.groups())) for match in map(pattern.search, texts) if match]


def timelens_window(answer: str) -> _Window | None:
    """The window that the program reads in an answer, in the order in which it stands, or None.

    Quirks: all clock times are paired as they come, else all numbers are, counts and repeated queries too; of
    ``1:2:30``, whose minutes have one digit, ``2:30`` is read.

    Examples:
        >>> from ir_segmeasures.providers.programs.answers import timelens_window
        >>> timelens_window('2 people, at 17.5')
        (2.0, 17.5)
    """
    text = answer.lower()
    clocks = [int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
              for hours, minutes, seconds in _CLOCK.findall(text)]
    ranges = [window for pattern in _RANGES for window in _numbers(pattern, [text])]
    found = (clocks, *ranges, list(map(float, _OPEN_ALONE.findall(text)[:2])))
    return next(((numbers[0], numbers[1]) for numbers in found if len(numbers) > 1), None)


CHARADES_STA = program.Program(
    'charades_sta', f'Charades-STA 2017, eval_tvg.py {_SOURCE}',
    'none of its own: the window in each key of the answers', 'JSON: {"video>>>query>>>[start, end]": answer, …}',
    '', (program.JSON,), lambda _, answers: _by_answer(answers, charades_sta_window))
TIMELENS = program.Program(
    'timelens', f'TimeLens 2025, utils.py {_SOURCE}',
    'none of its own: the windows in each key of the answers', 'JSON: {"video>>>query>>>[[start, end]]": answer, …}',
    '', (program.JSON,), lambda _, answers: _by_answer(answers, lambda answer, _: timelens_window(answer)))


_CHUNKING = {name: measure(tool='chunking_evaluation') for name, measure in (
    ('recall', SegR), ('precision', SegP), ('iou', SegIoU))}
_OMEGA = {'precision_omega': SegP_omega(tool='chunking_evaluation')}
_LEGAL = {'precision': SegP(tool='legalbenchrag'), 'recall': SegR(tool='legalbenchrag')}
_Place = Annotated[int, msgspec.Meta(ge=0)]


class _Chunking(msgspec.Struct):
    chunks: list[tuple[str, Annotated[float, msgspec.Meta(ge=0)], program.Number]]
    retrieved: list[list[_Place]]


def chunking_by_question(qrels: Any, chunking: Any) -> dict[str, program.FigureValues]:
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
    found = program.values_by_query(_CHUNKING, qrels, [
        ScoredDoc(query, ids[place], -rank) for query, places in zip(questions, read.retrieved)
        for rank, place in enumerate(places)])
    every = [ScoredDoc(query, id, 0) for query, rows in questions.items()
             for asked in {parse_segment(row.doc_id).document for row in rows}
             for text, id in zip(texts, ids) if text == asked]
    for query, figures in program.values_by_query(_OMEGA, qrels, every).items():
        found[query].update(figures)
    return found


CHUNKING_EVALUATION = program.Program(
    'chunking_evaluation', "Chroma's study of chunking 2024, chunking_evaluation "
    '(https://github.com/brandonstarxel/chunking_evaluation)', 'questions_df.csv: question, references, corpus_id',
    'JSON: {"chunks": [[text, start, end], …], "retrieved": [[place of a chunk, …] of each question, …]}',
    'chunking-evaluation', (program.JSON,), chunking_by_question)
LEGALBENCHRAG = program.Program(
    'legalbenchrag', 'LegalBench-RAG 2024, legalbenchrag (https://github.com/zeroentropy-ai/legalbenchrag)',
    'JSON: tests with query and snippets (file_path, span)',
    'a run: place of the query from 0, Q0, file_path#char=start,end, rank, score, run; names of files percent-encoded',
    'legalbench-rag', ('trec',), partial(program.values_by_query, _LEGAL))
