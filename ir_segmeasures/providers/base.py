"""What the providers of official programs' numbers share: which measures they take, and the sentences about others."""

from collections.abc import Iterable
from typing import Any

from ir_measures import Evaluator, Measure, Provider

from ir_segmeasures.evaluation.by_spans import in_order
from ir_segmeasures.measures import SegmentMeasure

__all__ = ['ToolProvider']


class ToolProvider(Provider):
    """A provider of the numbers of the official program ``NAME``, for the measures whose ``TOOLS`` have it."""

    def supports(self, measure: Measure) -> bool:
        measure.validate_params()
        return (isinstance(measure, SegmentMeasure) and self.NAME in measure.TOOLS
                and measure.params.get('tool', self.NAME) == self.NAME and measure.conflict(self.NAME) is None)

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        ours: list[SegmentMeasure] = []
        for measure in in_order(measures):
            if not isinstance(measure, SegmentMeasure) or self.NAME not in measure.TOOLS:
                raise ValueError(f'unsupported measure {measure}')
            measure.validate_params()
            conflict = measure.conflict(self.NAME)
            if conflict:
                raise ValueError(conflict)
            ours.append(measure)
        return self._tool_evaluator(ours, qrels)

    def _tool_evaluator(self, measures: list[SegmentMeasure], qrels: Any) -> Evaluator:
        """The evaluator of measures that the program computes."""
        raise NotImplementedError
