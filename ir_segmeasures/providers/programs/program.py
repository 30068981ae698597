"""The declaration of a benchmark's program: its figures, its files, and where both come from; figures that are
measures, for each query and as means over queries; and objects in the files of programs, as the programs read them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

import ir_measures
import msgspec
from ir_measures import Measure

from ir_segmeasures.segments.basics import joined, quoted
from ir_segmeasures.segments.records import converted

JSON, JSON_LINES = 'json', 'json-lines'

FigureValues = dict[str, float]
"""name of a figure → its value"""


class Program(NamedTuple):
    """A program of a benchmark, which makes figures of the truth and of predictions.

    Attributes:
        name: short, as in ``official NAME``
        campaign: the benchmark, with the year and the source of its program
        truth: its file of what is true
        predictions: its file of predictions
        truth_format: of the file of truth: :data:`JSON`, whose content is its value, :data:`JSON_LINES`, whose content
            is the list of its values, or a format of ``ir_segmeasures.formats``, whose content is its rows; ``''``
            where the program reads no such file
        prediction_formats: those that the file of predictions can have
        by_query: (content of the file of truth, content of the file of predictions) → the figures of each query, by
            their names, in the program's order, unrounded; None if the program has means alone
        figures: (the two contents) → the figures of all queries; None where they are the means of those of the queries
        decimals: how many the program prints; None if it prints all
        ties: where the program leaves open what it prints; empty if it does not
        tasks: of a format that has several; the content of the file of predictions is then task → rows
    """
    name: str
    campaign: str
    truth: str
    predictions: str
    truth_format: str
    prediction_formats: tuple[str, ...]
    by_query: Callable[[Any, Any], dict[str, FigureValues]] | None = None
    figures: Callable[[Any, Any], FigureValues] | None = None
    decimals: int | None = None
    ties: str = ''
    tasks: tuple[str, ...] = ()


def values_by_query(measures: Mapping[str, Measure], qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The values of measures for each judged query, in the order of the measures.

    Args:
        measures: name of the figure → its measure, with the program as its tool where the two differ
        qrels, run: as ir_measures takes them

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import RR_over
        >>> from ir_segmeasures.providers.programs.program import values_by_query
        >>> values_by_query({'MRR': RR_over}, [Qrel('q', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=5,10', 1)])
        {'q': {'MRR': 1.0}}
    """
    found: dict[str, FigureValues] = {}
    values: dict[tuple[str, Measure], float] = {}
    for metric in ir_measures.iter_calc(measures.values(), qrels, run):
        values[metric.query_id, metric.measure] = metric.value
        found.setdefault(metric.query_id, {})
    return {query: {name: values[query, measure] for name, measure in measures.items()} for query in found}


def rows_by_query(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """The rows of each query, in their order."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row.query_id, []).append(row)
    return found


def answered(queries: Mapping[str, FigureValues], run: Iterable[Any]) -> dict[str, FigureValues]:
    """The figures of the queries that a run answers, in their order."""
    having = {row.query_id for row in run}
    return {query: figures for query, figures in queries.items() if query in having}


def means(queries: Mapping[str, FigureValues]) -> FigureValues:
    """The mean of each figure over queries.

    Raises:
        ValueError: there is no query
    """
    if not queries:
        raise ValueError('no query is left, but the figures are means over queries: check that the queries of both '
                         'files are the same')
    names = next(iter(queries.values()))
    return {name: sum(figures[name] for figures in queries.values()) / len(queries) for name in names}


Number = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]  # neither NaN nor infinite
Moment = TypeVar('Moment', bound='MomentTruth | MomentPrediction')


class Window(NamedTuple):
    """A window ``[start, end]`` or ``[start, end, score]``, in either order."""
    start: Number
    end: Number
    score: Number = 0.


class MomentTruth(msgspec.Struct):
    """A query of a file of moments: its true windows, and for highlights its relevant clips, with the scores of three
    workers for each."""
    qid: int | str
    relevant_windows: list[Window] = []
    duration: Annotated[float, msgspec.Meta(ge=0, le=10 ** 6)] = 0  # seconds, all of whose clips have a row
    relevant_clip_ids: list[Annotated[int, msgspec.Meta(ge=0)]] = []
    saliency_scores: list[tuple[Number, Number, Number]] = []


class MomentPrediction(msgspec.Struct):
    """A query of a file of predictions: windows as they are listed, scores of clips, and whether it has an answer."""
    qid: int | str
    pred_relevant_windows: list[Window] | None = None
    pred_saliency_scores: Annotated[list[Number], msgspec.Meta(min_length=1)] | None = None
    pred_exist_score: Number | None = None


def records_by_query(kind: type[Moment], records: Iterable[Any], name: str) -> dict[int | str, Moment]:
    """The objects of a file of JSON lines by their ``qid``, in the order of the file.

    Raises:
        ValueError: an object is of another kind, or has the ``qid`` of an object before
    """
    found: dict[int | str, Moment] = {}
    for place, record in enumerate(records, 1):
        read: Moment = converted(record, kind, f'object {place} of the {name}')
        if read.qid in found:
            raise ValueError(f'object {place} of the {name} has the query {quoted(read.qid)}, which has one before, '
                             'but a query has one object: take one of the two out')
        found[read.qid] = read
    return found


def same_queries(truth: Iterable[Any], predictions: Iterable[Any]) -> None:
    """Refuses predictions for other queries than those of the truth.

    Raises:
        ValueError: a query is in one of the two alone
    """
    true, predicted = set(truth), set(predictions)
    for queries, has, lacks in ((true - predicted, 'truth', 'predictions'), (predicted - true, 'predictions', 'truth')):
        if queries:
            raise ValueError(f'{len(queries)} queries of the {has} are not in the {lacks} (such as '
                             f'{joined(sorted(map(repr, queries))[:3])}), but the program takes both for the same '
                             'queries, text and numbers apart: add them (with [] where there is no window), take them '
                             'out, or write them as there')
