"""Measures as ir-measures reads them, ``Name(parameter=value)@value``, with sentences about measures for its errors."""

import ast

import ir_measures
from ir_measures import Measure

from ir_segmeasures.segments.quoting import truncated

__all__ = ['parse_measure']

_FORM = ('a measure is written as Name(parameter=value)@value, such as T2I_AP(tau=15)@10, where values are numbers '
         "from 0 on, texts in quotes, True or False, and the shell's quotes stand around the whole")


def parse_measure(text: str) -> Measure:
    """The measure that a text names, as ir-measures reads it.

    Raises:
        NameError: no measure is registered under the name
        ValueError: the text is not a measure, or gives a parameter twice

    Examples:
        >>> from ir_segmeasures.measures.notation import parse_measure
        >>> parse_measure("MAiSP(user='ret')@10")
        MAiSP(user='ret')@10
    """
    try:
        measure = ir_measures.parse_measure(text.strip())
        node = ast.parse(text.strip(), mode='eval').body
    except NameError as error:
        raise NameError(f'there is no measure {truncated(str(error).rpartition(" ")[2])}: give one of ir_measures, or '
                        "of those that 'ir_segmeasures measures' lists") from None
    except (ValueError, TypeError, AttributeError, MemoryError, RecursionError):
        brackets = f'has {text.count("(")} "(" and {text.count(")")} ")"' if text.count('(') != text.count(')') else (
            'cannot be read')
        raise ValueError(f'it {brackets}: {_FORM}') from None
    given = [keyword.arg for call in ast.walk(node) if isinstance(call, ast.Call) for keyword in call.keywords]
    if isinstance(node, ast.BinOp):
        given.append(measure.AT_PARAM)
    for name in given:
        if name is None or given.count(name) > 1:
            raise ValueError(f'{name} is given twice, or has no name: write each parameter once')
    return measure
