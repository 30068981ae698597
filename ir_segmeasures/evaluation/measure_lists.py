"""Lists of measures as callers give them: checked, and each measure once."""

from collections.abc import Iterable

from ir_measures import Measure

from ir_segmeasures.segments.quoting import quoted


def distinct_measures(measures: Iterable[Measure]) -> list[Measure]:
    """Each measure once, in the order given. The host gives a set, which has another order in every process: measures
    of a set are sorted by their names, so that tables are the same each time.

    Raises:
        TypeError: a measure as text
    """
    measures = measures if isinstance(measures, set) else list(measures)
    for measure in measures:
        if isinstance(measure, str):
            raise TypeError(f'the measure {quoted(measure)} is text, and evaluation takes measures: give '
                            f'ir_measures.parse_measure({quoted(measure)})')
    return sorted(measures, key=str) if isinstance(measures, set) else list(dict.fromkeys(measures))
