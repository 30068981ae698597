"""The documentation of each measure, taken from its declaration, for the README and the pages."""

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import NamedTuple

from ir_segmeasures.measures.base import NAMES, SegmentMeasure
from ir_segmeasures.measures.parameters import Param


class Description(NamedTuple):
    """A row of the table of measures. Its texts are those of the class of the measure, in reStructuredText, on one line
    each.

    Attributes:
        name: the name that ir-measures parses
        aliases: its other names
        title: its name in words
        summary: a sentence that says what it measures
        formula: ``name = …`` and its explanation, without the marks of code
        range: its range, such as ``[0, 1], higher is better``
        unit: the sentence about units, or nothing where they cancel out
        source: paper and equation
        params: name → parameter, in order
        at: the parameter that ``@`` sets
        needs: the columns that the qrels must have beside the segments
        tools: the official programs that compute it too
        lower_is_better: whether 0 is the best value
    """
    name: str
    aliases: list[str]
    title: str
    summary: str
    formula: str
    range: str
    unit: str
    source: str
    params: dict[str, Param]
    at: str
    needs: tuple[str, ...]
    tools: list[str]
    lower_is_better: bool


def aliases_of(measure: SegmentMeasure) -> list[str]:
    """The other names of a measure."""
    return [name for name, other in NAMES.items() if type(other) is type(measure) and name != measure.NAME]


def describe(measure: SegmentMeasure) -> Description:
    """The description of a measure.

    Raises:
        ValueError: its class says no formula, range or source
    """
    text = cleandoc(type(measure).__doc__ or '')
    formula = re.search(rf'``({measure.NAME}\b[^`=]*(?:\([^`)]*\)[^`=]*)? = [^`]*)``', text)
    paragraphs = [' '.join(paragraph.split()) for paragraph in text.split('\n\n')]
    facts = next((paragraph for paragraph in paragraphs if paragraph.startswith('Range ')), '')
    if not (formula and facts and 'Source: ' in facts):
        raise ValueError(f'the class of {measure.NAME} has no formula (``{measure.NAME} = …``), no paragraph that '
                         "begins with 'Range ' or no 'Source: ' in it: write them into its docstring")
    facts, _, source = facts.partition('Source: ')
    sentences = re.split(r'(?<=[.;]) ', facts.removeprefix('Range ').strip())
    units = [sentence for sentence in sentences[1:] if re.search(r'\b[Uu]nit (of|is)\b', sentence)]
    return Description(
        measure.NAME, aliases_of(measure), measure.PRETTY_NAME, measure.SHORT_DESC,
        ' '.join(formula[1].split()), sentences[0].rstrip('.;'), ' '.join(units), source.rstrip('.'),
        dict(measure.SUPPORTED_PARAMS), measure.AT_PARAM, measure.NEEDS, list(measure.TOOLS), measure.LOWER_IS_BETTER)


def describe_all() -> Iterator[Description]:
    """The descriptions of all measures that are declared, in the order of their declarations."""
    return map(describe, dict.fromkeys(NAMES.values()))
