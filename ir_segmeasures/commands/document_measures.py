"""Measures of documents, which compare ids, beside measures of segments in one command."""

from collections.abc import Mapping, Sequence
from typing import Any

from ir_measures import Measure

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.host_measures import measure_of_documents
from ir_segmeasures.segments.quoting import joined

__all__ = ['aligned', 'measure_groups', 'warning_about_ids']


def aligned(rows: Sequence[Any], judgements: Sequence[Any], by: Mapping[str, Any]) -> Sequence[Any]:
    """The rows of a run with the ids of the judged segments that they meet, by arguments of
    :func:`~ir_segmeasures.ids.documents.align`."""
    from ir_segmeasures.ids.documents import align  # measures of segments do without
    found: Sequence[Any] = align(rows, judgements, **by)
    return found


def measure_groups(names: Mapping[Measure, str], align: Mapping[str, Any] | None) -> list[
        tuple[dict[Measure, str], Mapping[str, Any] | None]]:
    """The measures that take one run, each group with how the run is aligned: measures of segments take it as it is,
    those of documents aligned, if that is asked for.

    Args:
        names: measure → what it is called
        align: the arguments of :func:`~ir_segmeasures.ids.documents.align`, None where nobody asks for it
    """
    if align is None:
        return [(dict(names), None)]
    of_segments: dict[Measure, str] = {
        measure: name for measure, name in names.items() if isinstance(measure, SegmentMeasure)}
    of_documents = {measure: name for measure, name in names.items() if measure not in of_segments}
    if not of_documents:
        raise UsageError(f'--align is for measures of documents, such as nDCG@10, but {joined(names.values())} '
                         f'{"is" if len(names) == 1 else "are"} of segments: leave it out')
    first: list[tuple[dict[Measure, str], Mapping[str, Any] | None]] = [(of_segments, None)] if of_segments else []
    return [*first, (of_documents, align)]


def warning_about_ids(names: Mapping[Measure, str], qrels: Sequence[Any], run: Sequence[Any]) -> str | None:
    """A sentence about ids that seem to be wrong for measures of documents, if one is among the measures; ``names``
    says what each measure is called."""
    measure = measure_of_documents(names)
    if measure is None:
        return None
    from ir_segmeasures.ids.documents import document_measure_warning  # measures of segments do without
    return document_measure_warning(names[measure], ((row.query_id, row.doc_id, row.relevance) for row in qrels),
                                    ((row.query_id, row.doc_id) for row in run))
