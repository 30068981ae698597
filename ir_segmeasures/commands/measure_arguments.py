"""Measures as arguments of a command: the measures, the names that somebody wrote, and what is wrong with them."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures.commands.moment_names import measure_of_moments
from ir_segmeasures.commands.parser import UsageError, option, similar_names
from ir_segmeasures.commands.streams import note
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.host_measures import parse_measure
from ir_segmeasures.segments.quoting import joined, quoted, truncated

__all__ = ['files_and_measures', 'measure_groups', 'measures', 'named_measures']

_FORM = re.compile(r'([A-Za-z_]\w*)(\(.*\))?(@\S+)?', re.DOTALL)
_WORD = re.compile(r'(?:\((?:[^()]|\([^()]*\))*\)|\S)+')  # blanks inside parentheses belong to the measure
_LARGEST, _LONGEST = 10_000, 10 ** 9  # grades, each of which trec_eval counts, and rankings
Group = tuple[dict[Measure, str], Mapping[str, Any] | None]


def _is_measure(word: str) -> bool:
    """Tells whether a word behind a measure is another one, and not a file or a dataset."""
    return not os.path.exists(word) and (_FORM.fullmatch(word.strip()) is not None or ' ' in word.strip()
                                         or measure_of_moments(word) is not None)


measures: Callable[..., Any] = partial(
    option, default=(), names=('-m', '--measure'), metavar='MEASURE', more=_is_measure,
    complete=lambda: ir_measures.measures.registry, help='a measure, such as T2I_MAP@10; may be given several times')


def files_and_measures(words: Sequence[str], asked: Sequence[str], files: int) -> tuple[list[str], list[str]]:
    """The files and the measures among the words of a command line, of which ``asked`` are measures by ``-m``. A word
    that is not a file and is called as a measure is one, once there are so many ``files``.

    Raises:
        UsageError: there are fewer files, or no measures
    """
    found: list[str] = []
    measures = list(asked)
    for word in words:
        form = _FORM.match(word)
        is_known = form is not None and form[1] in ir_measures.measures.registry
        if os.path.exists(word) or word == '-' or (not is_known and (len(found) < files or not _is_measure(word))):
            found.append(word)
        else:
            measures.append(word)
    if len(found) < files:
        raise UsageError(f'the {"judgements and a run are" if not found else "run is"} missing: name the files QRELS '
                         'RUN, and the measures behind them')
    if not measures:
        raise UsageError('there is no measure: name one or more, such as T2I_MAP MAgP MAiSP')
    return found, measures


def measure_groups(names: Mapping[Measure, str], align: Mapping[str, Any] | None) -> list[Group]:
    """The measures that take one run, each group with how the run is aligned: measures of segments take it as it is,
    those of documents aligned, if that is asked for.

    Args:
        names: measure → what it is called
        align: the arguments of :func:`~ir_segmeasures.ids.documents.align`, None where nobody asks for it
    """
    if align is None:
        return [(dict(names), None)]
    of_segments, of_documents = (
        {measure: name for measure, name in names.items() if isinstance(measure, SegmentMeasure) == segments}
        for segments in (True, False))
    if not of_documents:
        raise UsageError(f'--align is for measures of documents, such as nDCG@10, but {joined(names.values())} '
                         f'{"is" if len(names) == 1 else "are"} of segments: leave it out')
    groups: list[Group] = [(of_segments, None), (of_documents, align)]
    return [group for group in groups if group[0]]


def named_measures(texts: Iterable[str], check: bool = True, qrels: str = '') -> dict[Measure, str]:
    """The measures of some texts, each once, and the text that each is called by.

    Args:
        texts: with one or more measures each, between blanks
        check: whether no required parameter may be missing
        qrels: the path of the judgements; where it is no file, but the id of a dataset, measures take from there the
            length of all documents that they need, which is said

    Raises:
        UsageError: a text is not a measure
    """
    found: dict[Measure, str] = {}
    errors = []
    for text in (text for several in texts for text in (
            [several] if measure_of_moments(several) else _WORD.findall(several))):
        try:
            measure = parse_measure(text)
            if check and isinstance(measure, SegmentMeasure):
                known = measure.SUPPORTED_PARAMS.get('D')
                if known and known.required and 'D' not in measure.params and qrels and not os.path.exists(qrels):
                    measure = measure(D=qrels)
                    note(f'{text} takes D, the length of all documents, from the dataset {qrels}')
                measure.check_params()
            elif check:
                measure.validate_params()
                _refuse_unprovided(measure)
            found.setdefault(measure, text)
        except NameError:
            name = text.partition('(')[0].partition('@')[0]
            like = similar_names(name, ir_measures.measures.registry)
            errors.append(f'unknown measure: {truncated(text)}' + (
                f': {moments}' if (moments := measure_of_moments(text)) else
                f': did you mean {" or ".join(like)}?' if like else
                ' (ir_segmeasures measures lists those of segments)'))
        except (ValueError, AssertionError, TypeError) as error:
            said = measure_of_moments(text) or (
                'this is a file, and not a measure: ir_segmeasures compare QRELS RUN RUN … -m MEASURE … measures '
                'several runs' if os.path.isfile(text) else error)
            errors.append(f'{truncated(text).encode(errors="backslashreplace").decode()}: {said}')
    if errors or not found:
        raise UsageError('; '.join(errors) or 'there is no measure: name one or more')
    return found


def _refuse_unprovided(measure: Measure) -> None:
    """Raises ``ValueError`` for a measure of ir-measures that nothing here computes, with what would, or one with a
    parameter at which trec_eval takes all memory."""
    given = measure.params
    gains = given['gains'].items() if isinstance(given.get('gains'), dict) else ()
    for name, least, most, values in (('cutoff', 1, _LONGEST, [given.get('cutoff', 1)]),
                                      ('rel', 1, _LARGEST, [given.get('rel', 1)]),
                                      ('gains', -1, _LARGEST, [value for pair in gains for value in pair])):
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise ValueError(f'{measure.NAME} has {name}={quoted(value)}: {name} is a whole number from {least} to '
                                 f'{most:,}')
    providers = ir_measures.providers.registry.values()
    if any(provider.supports(measure) and provider.is_available() for provider in providers):
        return
    forms = [f'{provider.NAME} has {re.sub("REQUIRED|ANY|NOT_PROVIDED", "…", str(form))}'
             + ('' if provider.is_available() else f' ({provider.install_instructions() or "not installed"})')
             for provider in providers for form in provider.SUPPORTED_MEASURES if form.NAME == measure.NAME]
    raise ValueError(f'nothing that is installed computes {measure} in this form' + (
        f', but {"; ".join(forms)}: write the measure so, with what it needs installed' if forms else
        ': take another measure'))

