"""Measures as ir-measures writes them, ``Name(parameter=value)@value``, where the values are literals of Python."""

import ast

import ir_measures
from ir_measures import Measure

from ir_segmeasures.segments.quoting import truncated

__all__ = ['parse_measure']

_FORM = 'a measure is written as Name(parameter=value)@value, such as T2I_AP(tau=15)@10'


def parse_measure(text: str) -> Measure:
    """The measure that a text names, as the function of ir-measures with this name gives it. Values may be negative,
    and the errors are about measures, not about the syntax of Python.

    Raises:
        NameError: no measure is registered under the name
        ValueError: the text is no measure

    Examples:
        >>> from ir_segmeasures.measures.notation import parse_measure
        >>> parse_measure("MAiSP(user='ret')@10")
        AiSP(user='ret')@10
        >>> parse_measure('AP(rel=2)')
        AP(rel=2)
    """
    node, values = _call(text)
    if not isinstance(node, ast.Name):
        raise ValueError(f'this is no measure: {_FORM}')
    known = ir_measures.measures.registry.get(node.id)
    if known is None:
        raise NameError(f'there is no measure {truncated(node.id)}: give one of ir_measures, or of those that '
                        "'ir_segmeasures measures' lists")
    if '' in values and known.AT_PARAM in values:
        raise ValueError(f'{known.AT_PARAM} is given twice, by its name and behind @: write it once')
    return known(**{name or known.AT_PARAM: _literal(name or known.AT_PARAM, value) for name, value in values.items()})


def _call(text: str) -> tuple[ast.expr, dict[str, ast.expr]]:
    """The name before the parentheses, and the values in them by parameter; the value after ``@`` is that of ''."""
    node: ast.expr
    try:
        node = ast.parse(text.strip(), mode='eval').body
    except UnicodeEncodeError:  # as Python names what the shell gave
        raise ValueError(f'it holds bytes that are not UTF-8: {_FORM}') from None
    except (MemoryError, RecursionError):
        raise ValueError(f'it has too many signs or brackets, one in the other: {_FORM}') from None
    except (SyntaxError, ValueError):
        raise ValueError(f'{_what_is_open(text)}: {_FORM}') from None
    values: dict[str, ast.expr] = {}
    at = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at, node = node.right, node.left
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise ValueError(f'a value has no name of a parameter: {_FORM}')
        for keyword in node.keywords:
            if str(keyword.arg) in values:
                raise ValueError(f'{truncated(str(keyword.arg))} is given twice: write it once')
            values[str(keyword.arg)] = keyword.value
        node = node.func
    return node, values if at is None else {**values, '': at}


def _literal(name: str, value: ast.expr) -> object:
    try:
        return ast.literal_eval(value)
    except (MemoryError, RecursionError):
        raise ValueError(f'the value of {name} has too many signs or brackets, one in the other: {_FORM}') from None
    except (TypeError, ValueError):
        written = truncated(ast.unparse(value))
        raise ValueError(f"{name}={written} is neither a number nor a text in quotes: write {name}='{written}' "
                         'if it is a text, and the whole measure in the quotes of the shell') from None


def _what_is_open(text: str) -> str:
    if text.count('(') != text.count(')'):
        return 'there are more "(" than ")"' if text.count('(') > text.count(')') else 'there are more ")" than "("'
    if text.count("'") % 2 or text.count('"') % 2:
        return 'a quote is not closed'
    return 'there is no value after "@"' if text.endswith('@') else 'it cannot be read'
