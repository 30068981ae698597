"""Private ground of ir-measures: the measures of a whole call, of which each provider is given its own alone.

The public way that is missing is an argument of ``Provider.evaluator``; until then the variable ``orig_measures`` of
the pipeline of providers is looked up.
"""

from collections.abc import Collection
from inspect import currentframe

from ir_measures import Measure
from ir_measures.providers import FallbackProvider


def measures_of_call() -> Collection[Measure]:
    """All measures that ir-measures is asked for in the call that reached this line; none outside of one."""
    frame = currentframe()
    while frame is not None and frame.f_code is not FallbackProvider._evaluator.__code__:
        frame = frame.f_back
    return () if frame is None else frame.f_locals.get('orig_measures', ())
