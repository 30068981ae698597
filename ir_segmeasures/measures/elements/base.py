"""The base of the measures of judged elements."""


from typing import Any

from ir_segmeasures.measures.base import RowMeasure, RowTopic
from ir_segmeasures.measures.elements.quantisation import OF_2005, OF_GRADES, QUANT, element_forest
from ir_segmeasures.measures.elements.trees import Forest
from ir_segmeasures.segments.quoting import quoted

__all__ = ['ElementMeasure']


class ElementMeasure(RowMeasure):
    """A measure of elements that are judged by exhaustivity and specificity."""
    NEEDS: tuple[str, ...] = ('exhaustivity', 'specificity')

    def __init__(self, **params: Any):
        quant = params.get('quant')
        if isinstance(quant, str):
            params = {**params, 'quant': QUANT.aliases.get(quant, quant)}
        super().__init__(**params)
        if self.params.get('ideal') == 'given':
            self.NEEDS = (*self.NEEDS, 'ideal')

    def check(self) -> None:
        if 'quant' in self.SUPPORTED_PARAMS and self['quant'] in OF_GRADES and self['specificity'] == 'share':
            raise ValueError(f"{self.NAME} has specificity='share' with quant={quoted(self['quant'])}, which is for "
                             "grades: take quant='product', 'binary' or one of your own")
        if 'quant' in self.SUPPORTED_PARAMS and self['quant'] in OF_2005 and self['specificity'] == 'grades':
            raise ValueError(f"{self.NAME} has quant={quoted(self['quant'])} with specificity='grades', but it is for "
                             "shares: give it specificity='share' too")

    def _forest(self, topic: RowTopic) -> Forest:
        return element_forest(topic, self['specificity'], self['quant'] if 'quant' in self.SUPPORTED_PARAMS else None)

    def _cutoff(self, topic: RowTopic) -> int:
        return int(min(self.cutoff, len(topic.retrieved)))
