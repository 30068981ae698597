"""The kinds of bars on timelines: their labels and colours."""

from typing import NamedTuple

__all__ = ['LEGEND', 'LegendEntry']


class LegendEntry(NamedTuple):
    """The label and the colour of a kind of bar, for a light and a dark ground."""
    label: str
    colour: str


LEGEND = {
    'relevant': LegendEntry('judged relevant', '#5f6c82'),
    'irrelevant': LegendEntry('judged not relevant', '#d3d7de'),
    'new': LegendEntry('relevant and new', '#17997a'),
    'continued': LegendEntry('new, span seen before', '#7fc8b3'),
    'repeated': LegendEntry('relevant, seen before', '#d9a02c'),
    'rest': LegendEntry('not relevant', '#b4bac5'),
}  # the first two are judged spans, the others parts of items
