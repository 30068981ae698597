"""Measures as arguments of a command: the measures, the names that somebody wrote, and what is wrong with them."""

import argparse
import ast
import os
import sys
from collections.abc import Iterable

import ir_measures
from ir_measures import Measure

from ir_segmeasures.commands.argument_parser import UsageError, complete, similar_names
from ir_segmeasures.commands.trec_eval_limits import refuse_parameters
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.quoting import short

__all__ = ['add_measures', 'complete_measures', 'named_measures']

_FORM = 'a measure is written as Name(parameter=value)@value, such as T2I_AP(tau=15)@10'


def add_measures(parser: argparse.ArgumentParser, help: str = 'one or more measures', required: bool = True) -> None:
    """Adds ``-m`` to a command."""
    action = parser.add_argument('-m', '--measure', action='extend', nargs='+', dest='measures', metavar='MEASURE',
                                 required=required, help=help)
    complete_measures(action)


def complete_measures(action: argparse.Action) -> None:
    """Lets the shell complete the names of measures there, with argcomplete."""
    complete(action, lambda: ir_measures.measures.registry)


def named_measures(texts: Iterable[str], check: bool = True) -> dict[Measure, str]:
    """The measures of some texts, each once, and the text that each is called by.

    Args:
        texts: with one or more measures each, between blanks
        check: whether no required parameter may be missing

    Raises:
        UsageError: a text is no measure
    """
    found: dict[Measure, str] = {}
    errors = []
    for text in (measure for several in texts for measure in _each(several)):
        try:
            measure = _parsed(text)
            if check:
                if not isinstance(measure, SegmentMeasure):
                    refuse_parameters(measure)
                measure.validate_params()
        except NameError:
            errors.append(_unknown(text))
        except (ValueError, AssertionError, TypeError) as error:
            if os.path.isfile(text):
                errors.append(f'{text} is a file, and no measure: ir_segmeasures compare QRELS RUN RUN … -m MEASURE … '
                              'measures several runs')
            else:
                errors.append(f'{short(text).encode(errors="backslashreplace").decode()}: {error}')
        except AttributeError:
            if sys.version_info < (3, 14):
                raise
            # The host reads them with what Python 3.14 has no more.
            errors.append(f'{text}: this release of ir_measures cannot read parameters on Python {sys.version_info[0]}.'
                          f'{sys.version_info[1]}: use Python 3.13 or a newer ir_measures')
        else:
            found.setdefault(measure, text)
    if not found and not errors:
        errors.append('there is no measure: name one or more')
    if errors:
        raise UsageError('; '.join(errors))
    return found


def _each(text: str) -> list[str]:
    """The measures in a text, between blanks; those inside the parentheses of one belong to it."""
    if text.count('(') != text.count(')'):
        return text.split()
    found = ['']
    depth = 0
    for sign in text:
        depth += (sign == '(') - (sign == ')')
        if sign.isspace() and depth == 0:
            found.append('')
        else:
            found[-1] += sign
    return [measure for measure in found if measure]


def _parsed(text: str) -> Measure:
    try:
        return ir_measures.parse_measure(text)
    except UnicodeEncodeError:  # as Python names what the shell gave
        raise ValueError(f'it holds bytes that are not UTF-8: {_FORM}') from None
    except (MemoryError, RecursionError):
        raise ValueError(f'it has too many signs or brackets, one in the other: {_FORM}') from None
    except (TypeError, ValueError):
        # The host's sentence is about the syntax of Python. What somebody meant says more.
        return _meant(text)


def _meant(text: str) -> Measure:
    """The measure where its values are plain, such as -5; else ValueError says which value is not."""
    node: ast.expr
    try:
        node = ast.parse(text, mode='eval').body
    except SyntaxError:
        raise ValueError(f'{_what_is_open(text)}: {_FORM}') from None
    values: dict[str, ast.expr] = {}
    at = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at, node = node.right, node.left
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise ValueError(f'a value has no name of a parameter: {_FORM}')
        values = {str(keyword.arg): keyword.value for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise ValueError(f'this is no measure: {_FORM}')
    if node.id not in ir_measures.measures.registry:
        raise NameError(node.id)
    known = ir_measures.measures.registry[node.id]
    if at is not None:
        values[known.AT_PARAM] = at
    params = {}
    for name, value in values.items():
        try:
            params[name] = ast.literal_eval(value)
        except ValueError:
            written = short(ast.unparse(value))
            raise ValueError(f"{name}={written} is neither a number nor a text in quotes: write {name}='{written}' "
                             'if it is a text, and the whole measure in the quotes of the shell') from None
    return known(**params)


def _what_is_open(text: str) -> str:
    if text.count('(') != text.count(')'):
        return 'there are more "(" than ")"' if text.count('(') > text.count(')') else 'there are more ")" than "("'
    if text.count("'") % 2 or text.count('"') % 2:
        return 'a quote is not closed'
    return 'there is no value after "@"' if text.endswith('@') else 'it cannot be read'


def _unknown(text: str) -> str:
    name = text.partition('(')[0].partition('@')[0]
    like = similar_names(name, ir_measures.measures.registry)
    rest = f'did you mean {" or ".join(like)}?' if like else '(ir_segmeasures measures lists those of segments)'
    return f'unknown measure: {short(text)}{":" if like else ""} {rest}'
