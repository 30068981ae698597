"""A check for experiments with measures of documents. These compare ids, and the segments of a system hardly have the
ids of judged segments.

ir-measures gives these measures to its own providers, so that no provider of ours sees both the measure and the ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd
import pyterrier as pt
from ir_measures import Measure, parse_trec_measure

from ir_segmeasures.measures.base import measure_of_documents
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.warnings import document_measure_warning, warn

__all__ = ['check_measures']


def check_measures(measures: Iterable[str | Measure], qrels: pd.DataFrame, results: pd.DataFrame) -> None:
    """Warns where a measure of documents, such as AP or nDCG, says little of segments, since it compares ids and the
    results hardly have the ids of judged segments. The command ``ir_segmeasures evaluate`` has the same warning.

    Args:
        measures: as for an experiment, measures of ir-measures and names of trec_eval
        qrels: judgements, with ``qid`` and ``docno``
        results: the results of a system, with ``qid`` and ``docno``

    Warns:
        SegmentWarning: one sentence, with counts, an example and the repair

    Raises:
        ValueError: a measure that is unknown, or a column that is missing

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> qrels = pd.DataFrame([('q', 'v#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        >>> results = pd.DataFrame([('q', 'v#t=10,40', 2.5)], columns=['qid', 'docno', 'score'])
        >>> import warnings
        >>> with warnings.catch_warnings(record=True) as found:
        ...     warnings.simplefilter('always')
        ...     pt.segments.check_measures(['map', pt.segments.MAiSP], qrels, results)
        >>> print(str(found[0].message).partition(',')[0])
        AP compares ids

        Aligned with the judgements, the results have their ids:

        >>> pt.segments.check_measures(['map'], qrels, pt.segments.align(qrels)(results))
    """
    measure = measure_of_documents(measure for given in measures for measure in _parsed(given))
    if measure is not None:
        warn([document_measure_warning(str(measure), _pairs(qrels, 'qrels'), _pairs(results, 'results'))])


def _parsed(measure: str | Measure) -> Sequence[Measure]:
    if isinstance(measure, Measure):
        return [measure]
    if measure == 'mrt':  # the time that a query takes, which PyTerrier measures itself
        return []
    try:
        return parse_trec_measure(measure)
    except ValueError:
        raise ValueError(f'the measure {quoted(measure)} has no name of trec_eval: give a measure of ir-measures, such '
                         'as pt.measures.AP, or a name such as map') from None


def _pairs(frame: pd.DataFrame, name: str) -> list[tuple[str, str]]:
    frame = pt.model.from_ir_measures(frame)
    missing = [column for column in ('qid', 'docno') if column not in frame.columns]
    if missing:
        raise ValueError(f'the {name} have no column {quoted(missing[0])} (they have '
                         f'{", ".join(map(str, frame.columns))}): give a frame with qid and docno')
    return list(zip(map(str, frame['qid']), map(str, frame['docno'])))
