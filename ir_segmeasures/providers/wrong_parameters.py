"""The last provider of ir-measures' default pipeline, which computes nothing: it says what is wrong with a measure of
this package that no other provider supports.

The pipeline asks a provider that is not available only when it evaluates a measure, and leaves it out when it is asked
whether a measure is supported. So the one is an error with its sentence, and the other is answered with False.
"""

from ir_measures import Measure, Provider

from ir_segmeasures.measures import SegmentMeasure

__all__ = ['WrongParameters', 'wrong_parameters']


class WrongParameters(Provider):
    """A provider that is never available, and that raises the error of wrong parameters when it is asked."""
    NAME = 'segmeasures_wrong_parameters'

    def supports(self, measure: Measure) -> bool:
        """False.

        Raises:
            ValueError: a measure of this package has wrong parameters
        """
        if isinstance(measure, SegmentMeasure):
            measure.check_params()
        return False

    def is_available(self) -> bool:
        return False


wrong_parameters = WrongParameters()  # not registered, since nobody can choose it
