"""Measures of ir-measures beside those of segments, and the notation that both have."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from numbers import Integral, Real
from typing import Any

import ir_measures
from ir_measures import Measure, Metric

from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.segments.basics import quoted, similar_names, truncated

LARGEST_GRADE = 10_000  # trec_eval counts the items of each grade, which takes time

_COUNTS = ('NumQ', 'NumRel', 'NumRet')  # they compare nothing


def measure_of_documents(measures: Iterable[Measure]) -> Measure | None:
    """One of the measures that compare document ids, or None. Measures that :func:`ir_measures.define` made are left
    out, since nobody knows what they compare.
    """
    found = [measure for measure in measures if not isinstance(measure, SegmentMeasure)
             and measure.NAME not in _COUNTS and not hasattr(measure, 'runtime_impl')]
    return min(found, key=str, default=None)


def similar_measures(text: str) -> list[str]:
    """The names of measures that somebody may have meant who wrote a measure whose name is unknown."""
    return similar_names(re.split('[(@]', text)[0], ir_measures.measures.registry)


def values_of_measures(measures: Collection[Measure], values: Iterable[Metric]) -> Iterator[Metric]:
    """The values that an evaluator gives for measures, as they come.

    Raises:
        ValueError: a measure of ir-measures divides by 0, as Accuracy does without items that are not relevant
    """
    try:
        yield from values
    except ArithmeticError as error:
        of_host = sorted(str(measure) for measure in measures if not isinstance(measure, SegmentMeasure))
        if not of_host:
            raise
        raise ValueError(f'{" or ".join(of_host)} of ir_measures has no value for a query of the run, since it ends in '
                         f'{type(error).__name__} ({error}): leave the measure out') from error


def refuse_rows(rows: Any, kind: str, measures: Sequence[Measure]) -> None:
    """Raises RowError for a row that trec_eval or gdeval cannot take, where it computes one of the measures.

    Args:
        rows: named tuples, or a frame of pandas
        kind: ``'run'`` or ``'qrels'``
        measures: what is measured
    """
    from ir_segmeasures.segments.tables.columns import RowError  # importing the package does without

    def measure_of(program: str) -> Measure | None:
        provider = ir_measures.providers.registry[program]
        return next((measure for measure in measures if not isinstance(measure, SegmentMeasure)
                     and all(name in measure.params for name, param in measure.SUPPORTED_PARAMS.items()
                             if param.required) and provider.supports(measure)), None)
    of_gdeval = measure_of('gdeval')
    whole = measure_of('pytrec_eval') or of_gdeval
    if of_gdeval is None and (whole is None or kind == 'run'):
        return
    wrong: list[tuple[bool, int, Any]] = []
    for number, row in enumerate(rows.itertuples() if hasattr(rows, 'itertuples') else rows):
        if of_gdeval is not None and not (row.query_id.isascii() and row.query_id.isdigit()):
            raise RowError(kind, number, f'the query is {quoted(row.query_id)}, and gdeval, which computes '
                                         f'{of_gdeval}, takes whole numbers: number them, or leave the measure out')
        if kind == 'qrels' and not (isinstance(row.relevance, Integral) and -1 <= int(row.relevance) <= LARGEST_GRADE):
            wrong.append((isinstance(row.relevance, Real) and row.relevance % 1 == 0, number, row.relevance))
    for _, number, grade in sorted(wrong)[:1]:  # a column of grades such as 2.5 has 2 as 2.0, too
        raise RowError(kind, number, f'the relevance {quoted(grade)} is not a whole number from -1 to '
                                     f'{LARGEST_GRADE:,}, and {whole} takes these alone: round it, or measure segments')


_FORM = ('a measure is written as Name(parameter=value)@value, such as T2I_AP(tau=15)@10, where values are numbers '
         "from 0 on, texts in quotes, True or False, and the shell's quotes stand around the whole")


def parse_measure(text: str) -> Measure:
    """The measure that a text names, as ir-measures reads it.

    Raises:
        NameError: no measure is registered under the name
        ValueError: the text is not a measure, or gives a parameter twice

    Examples:
        >>> from ir_segmeasures.measures.host_measures import parse_measure
        >>> parse_measure("MAiSP(user='ret')@10")
        MAiSP(user='ret')@10
    """
    try:
        measure = ir_measures.parse_measure(text.strip())
        node = ast.parse(text.strip(), mode='eval').body
    except NameError as error:
        raise NameError(f'there is no measure {truncated(str(error).rpartition(" ")[2])}: give one of ir_measures, or '
                        "of those that 'ir_segmeasures measures' lists") from None
    except (ValueError, TypeError, AttributeError, MemoryError, RecursionError):
        brackets = f'has {text.count("(")} "(" and {text.count(")")} ")"' if text.count('(') != text.count(')') else (
            'cannot be read')
        raise ValueError(f'it {brackets}: {_FORM}') from None
    given = [keyword.arg for call in ast.walk(node) if isinstance(call, ast.Call) for keyword in call.keywords]
    if isinstance(node, ast.BinOp):
        given.append(measure.AT_PARAM)
    for name in given:
        if name is None or given.count(name) > 1:
            raise ValueError(f'{name} is given twice, or has no name: write each parameter once')
    return measure
