"""Measures as arguments of a command: the measures, the names that somebody wrote, and what is wrong with them."""

import argparse
import os
import re
from collections.abc import Iterable

import ir_measures
from ir_measures import Measure

from ir_segmeasures.commands.argument_parser import Parser, UsageError, complete, similar_names
from ir_segmeasures.commands.moment_names import measure_of_moments
from ir_segmeasures.commands.trec_eval_limits import refuse_parameters
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.notation import parse_measure
from ir_segmeasures.segments.quoting import truncated

__all__ = ['add_measures', 'complete_measures', 'named_measures']


def add_measures(parser: Parser, help: str = 'one or more measures; -- may stand for -m',
                 required: bool = True) -> None:
    """Adds ``-m`` to a command. Where measures are required, they may stand after ``--`` as well."""
    parser.separates_measures = required
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
            measure = parse_measure(text)
            if check:
                if isinstance(measure, SegmentMeasure):
                    measure.check_params()
                else:
                    refuse_parameters(measure)
                    measure.validate_params()
                    _refuse_unprovided(measure)
        except NameError:
            errors.append(_unknown(text))
        except (ValueError, AssertionError, TypeError) as error:
            moments = measure_of_moments(text)
            if moments:
                errors.append(f'{truncated(text)}: {moments}')
            elif os.path.isfile(text):
                errors.append(f'{text} is a file, and no measure: ir_segmeasures compare QRELS RUN RUN … -m MEASURE … '
                              'measures several runs')
            else:
                errors.append(f'{truncated(text).encode(errors="backslashreplace").decode()}: {error}')
        else:
            found.setdefault(measure, text)
    if not found and not errors:
        errors.append('there is no measure: name one or more')
    if errors:
        raise UsageError('; '.join(errors))
    return found


def _refuse_unprovided(measure: Measure) -> None:
    """Raises ``ValueError`` for a measure of ir-measures that nothing here computes, with what would."""
    providers = ir_measures.providers.registry.values()
    if any(provider.supports(measure) and provider.is_available() for provider in providers):
        return
    having = [(provider, form) for provider in providers for form in provider.SUPPORTED_MEASURES
              if form.NAME == measure.NAME]
    forms = [f'{provider.NAME} has {re.sub("REQUIRED|ANY|NOT_PROVIDED", "…", str(form))}'
             + ('' if provider.is_available() else f' ({provider.install_instructions() or "not installed"})')
             for provider, form in having]
    install = '' if all(provider.is_available() for provider, _ in having) else 'install that, or '
    raise ValueError(f'nothing that is installed computes {measure} in this form'
                     + (f', but {"; ".join(forms)}: {install}write the measure so' if forms else
                        ': take another measure'))


def _each(text: str) -> list[str]:
    """The measures in a text, between blanks; those inside the parentheses of one belong to it, and those inside a name
    of papers."""
    if measure_of_moments(text):
        return [text]
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


def _unknown(text: str) -> str:
    moments = measure_of_moments(text)
    if moments:
        return f'unknown measure: {truncated(text)}: {moments}'
    name = text.partition('(')[0].partition('@')[0]
    like = similar_names(name, ir_measures.measures.registry)
    rest = f'did you mean {" or ".join(like)}?' if like else '(ir_segmeasures measures lists those of segments)'
    return f'unknown measure: {truncated(text)}{":" if like else ""} {rest}'
