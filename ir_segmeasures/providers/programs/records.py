"""Objects in the files of programs, as the programs read them, with a sentence for what is missing or of another kind.
"""

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from ir_segmeasures.formats.json_files import converted
from ir_segmeasures.segments.quoting import joined, quoted

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
