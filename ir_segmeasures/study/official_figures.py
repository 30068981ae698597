"""The figures of benchmarks' own programs, of files as they are."""

import os
from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_text
from ir_segmeasures.formats.json_files import json_lines, json_value
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.programs.answers import CHARADES_STA, CHUNKING_EVALUATION, LEGALBENCHRAG, TIMELENS
from ir_segmeasures.providers.programs.campaigns import ANCHORING, INEX_EVAL, SAMPLE_EVAL, SH_EVAL, TRECGEN2007
from ir_segmeasures.providers.programs.moments import ACTIVITYNET, EGO4D_NLQ, TVR, TVR_RANKING
from ir_segmeasures.providers.programs.program import JSON, JSON_LINES, FigureValues, Program, means
from ir_segmeasures.providers.programs.qvhighlights import CASTELLA, QVHIGHLIGHTS, SOCCER_GMR
from ir_segmeasures.segments.basics import quoted

PROGRAMS = {program.name: program for program in (
    QVHIGHLIGHTS, CASTELLA, CHARADES_STA, TIMELENS, EGO4D_NLQ, ACTIVITYNET, SOCCER_GMR, TVR, TVR_RANKING, SH_EVAL,
    ANCHORING, INEX_EVAL, TRECGEN2007, SAMPLE_EVAL, CHUNKING_EVALUATION, LEGALBENCHRAG)}


def official(name: str, truth: Any, predictions: Any) -> dict[str, float]:
    """Every figure that a campaign's or benchmark's own program prints, by its name there, unrounded.

    Args:
        name: of the program; ``ir_segmeasures official --help`` lists them
        truth: the path of the file of truth, ``.gz`` by suffix, or the id of its dataset; or the content of the file,
            as lists and objects. Programs that read the truth in the predictions take None
        predictions: the path of the file of predictions, or its content

    Raises:
        FormatError: a file is not as the program reads it
        ValueError: no program has this name; the program cannot make figures of these files
        OSError: a file cannot be opened

    Examples:
        >>> from ir_segmeasures import official
        >>> figures = official('qvhighlights', [{'qid': 1, 'relevant_windows': [[0, 10]]}],
        ...                    [{'qid': 1, 'pred_relevant_windows': [[0, 8, .9]]}])
        >>> figures['MR-full-R1@0.7'], figures['MR-full-mAP']
        (100.0, 70.0)
    """
    program = _program(name)
    contents = _contents(program, truth, predictions)
    return program.figures(*contents) if program.figures else means(official_by_query(name, *contents))


def official_by_query(name: str, truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """The figures of each query that a program prints; of ActivityNet's, those of each class.

    Args, Raises:
        as for :func:`official`; also ``ValueError`` for programs that print means alone
    """
    program = _program(name)
    if program.by_query is None:
        raise ValueError(f'the program of {name} prints no figures of single queries: leave them out')
    return program.by_query(*_contents(program, truth, predictions))


def described_programs() -> str:
    """The programs with their campaigns and files, for the help of commands."""
    found = []
    for name, program in PROGRAMS.items():
        lines = [program.campaign, f'TRUTH: {program.truth}', f'PREDICTIONS: {program.predictions}',
                 *([f'left open by the program: {program.ties}'] if program.ties else [])]
        found += [f'  {name}', *(wrapped for line in lines for wrapped in wrap(
            line, 100, initial_indent=' ' * 4, subsequent_indent=' ' * 6, break_on_hyphens=False,
            break_long_words=False))]
    return '\n'.join(found)


def _program(name: str) -> Program:
    if name not in PROGRAMS:
        raise ValueError(f'{quoted(name)} is not a program whose figures are known: take {", ".join(PROGRAMS)}')
    return PROGRAMS[name]


def _contents(program: Program, truth: Any, predictions: Any) -> tuple[Any, Any]:
    return (_truth(program, truth) if program.truth_format and isinstance(truth, str | os.PathLike) else truth,
            _predictions(program, predictions) if isinstance(predictions, str | os.PathLike) else predictions)


def _truth(program: Program, path: StrPath) -> Any:
    read = _READERS.get(program.truth_format, partial(formats.read_qrels, format=program.truth_format))
    if os.path.exists(path):
        return read(path)
    try:
        id = os.fspath(path).removeprefix('irds:').removeprefix('segments:')  # as PyTerrier calls them
        judgements = SegmentMeasure.find_datasets().load(id.removeprefix('moments/')).qrels_handler()
    except (ImportError, ValueError) as error:
        raise ValueError(f'{os.fspath(path)} is not a file, and {error}') from None
    format = getattr(getattr(judgements, 'read', None), 'format', None)
    known = program.truth_format in (*_READERS, getattr(format, 'name', ''))  # these rows have more than a dataset's
    return read(judgements.qrels_path()) if known else list(judgements.qrels_iter())


def _predictions(program: Program, path: StrPath) -> Any:
    if program.tasks:
        format, = program.prediction_formats
        there = _READERS[JSON](path)
        return {task: formats.read_run(path, format, task=task) for task in program.tasks if task in there}
    errors = []
    for format in program.prediction_formats:
        try:
            return _READERS[format](path) if format in _READERS else formats.read_run(path, format)
        except FormatError as error:
            errors.append(error)
    raise errors[0]


_WANTED = 'the program reads JSON: correct it, or check that this is the right file'
_READERS: dict[str, Callable[[StrPath], Any]] = {
    JSON: lambda path: json_value(read_text(path), _WANTED, path),
    JSON_LINES: lambda path: [record for _, record in json_lines(path, lambda line: json_value(line, _WANTED))]}
