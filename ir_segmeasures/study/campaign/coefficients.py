"""Coefficients of agreement: content F1, Cohen's kappa of lengths, Krippendorff's alpha, gamma, and the best one-to-one
matching of spans.

Sources: Cohen 1960 (kappa); Krippendorff, Content Analysis, chapter 11 (alpha), by the package ``krippendorff``;
Mathet, Widlöcher & Métivier, Computational Linguistics 41(3), 2015 (gamma), by ``pygamma-agreement``.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from logging import NullHandler, getLogger
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Array, Floats, Ints
from ir_segmeasures.segments.spans import Spans, first_ending_after, first_starting_from, range_pairs
from ir_segmeasures.study.statistics import scipy_module

__all__ = ['Matching', 'alpha', 'content_f1', 'gamma', 'kappa', 'matching']

_PRECISION = 0.05  # of gamma: the error of the expected disorder, as its authors' program has it


def content_f1(shared: float, first: float, second: float) -> float | None:
    """The F1 of one assessor's relevant content against the other's, in [0, 1]; None where neither has any.

    Args:
        shared: the length of what both find relevant
        first, second: the length of what each finds relevant
    """
    return 2 * shared / (first + second) if first + second else None


def kappa(lengths: Array[Any]) -> float | None:
    """Cohen's kappa, in [-1, 1]; None where both say one and the same of everything, so that chance agrees fully too.

    Args:
        lengths: the length of the content to which the first assessor gives the grade of the row and the second that of
            the column
    """
    total = lengths.sum()
    expected = (lengths.sum(0) * lengths.sum(1)).sum() / total ** 2 if total else 1
    if expected >= 1 - 1e-12:
        return None
    observed = np.trace(lengths) / total
    return float((observed - expected) / (1 - expected))


class Matching(NamedTuple):
    """The best one-to-one matching of spans: the one with the greatest sum of IoU. Spans without common content do not
    match.

    Attributes:
        first, second: the places of the spans that match, pair by pair
        iou: of each pair, in (0, 1]
    """
    first: Ints
    second: Ints
    iou: Floats


def matching(first: Spans, second: Spans) -> Matching:
    """The best one-to-one matching of the spans of two assessors, each sorted and disjoint.

    Raises:
        ImportError: SciPy is not installed
    """
    low = first_ending_after(second, first.group, first.start)
    one, other = range_pairs(low, np.maximum(first_starting_from(second, first.group, first.end) - low, 0))
    shared = np.minimum(first.end[one], second.end[other]) - np.maximum(first.start[one], second.start[other])
    length = first.end[one] - first.start[one] + second.end[other] - second.start[other]
    iou = shared / (length - shared)
    kept: list[int] = []
    # Pairs stand in the order of both sides, so a component ends where neither side has been met before.
    begins = np.ones(len(one), bool)
    begins[1:] = (one[1:] != one[:-1]) & (other[1:] != other[:-1])
    for low_at, high_at in pairwise([*np.flatnonzero(begins).tolist(), len(one)]):
        if high_at - low_at == 1:
            kept.append(low_at)
            continue
        rows, columns = one[low_at:high_at] - one[low_at], other[low_at:high_at] - other[low_at]
        worth = np.zeros((rows[-1] + 1, columns[-1] + 1))
        worth[rows, columns] = iou[low_at:high_at]
        place = dict(zip(zip(rows.tolist(), columns.tolist()), range(low_at, high_at)))
        chosen = scipy_module('optimize').linear_sum_assignment(worth, maximize=True)
        kept += [place[pair] for pair in zip(*(side.tolist() for side in chosen)) if pair in place]
    return Matching(one[kept], other[kept], iou[kept])


def alpha(counts: Array[Any], grades: Sequence[float], level: str) -> float | None:
    """Krippendorff's alpha, at most 1; None where only one grade is used, or no unit was judged twice.

    Args:
        counts: how many assessors gave each unit each grade: units × grades
        grades: in order
        level: ``'nominal'`` or ``'ordinal'``

    Raises:
        ImportError: krippendorff is not installed
    """
    package = _needed('krippendorff', 'alpha')
    counts = counts[counts.sum(1) > 1]
    used = counts.any(0)
    if used.sum() < 2:
        return None
    return float(package.alpha(value_counts=counts[:, used], value_domain=np.array(grades)[used],
                               level_of_measurement=level))


def gamma(assessors: Sequence[Sequence[tuple[float, float, Any]]], seed: int = 0, position: float = 1,
          category: float = 1) -> float | None:
    """Gamma, at most 1; None where no assessor has a span.

    The dissimilarity of two spans is ``position`` times the positional one, plus ``category`` where their categories
    differ. Chance is sampled as the paper has it, by shifting what each assessor marked.

    Args:
        assessors: the spans (start, end, category) of each assessor on one line
        seed: of the samples
        position, category: the weights, alpha and beta of the paper

    Raises:
        ImportError: pygamma-agreement is not installed
    """
    if not any(assessors):
        return None
    package = _needed('pygamma_agreement', 'gamma')
    segment = import_module('pyannote.core').Segment
    continuum = package.Continuum()
    for number, spans in enumerate(assessors):
        name = f'{number:06d}'
        continuum.add_annotator(name)
        for start, end, kind in spans:
            continuum.add(name, segment(start, end), str(kind))
    dissimilarity = package.CombinedCategoricalDissimilarity(alpha=position, beta=category)
    with _quiet(), _seeded(seed):
        result = continuum.compute_gamma(dissimilarity, precision_level=_PRECISION,
                                         sampler=package.ShuffleContinuumSampler('float_pivot'))
    return float(result.gamma)


def _needed(package: str, coefficient: str) -> Any:
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f"the coefficient {coefficient!r} needs {package.replace('_', '-')}, which cannot be "
                          f"imported ({error}): install 'ir_segmeasures[agreement]'") from error


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """NumPy's global generator, from which pygamma-agreement draws, with a seed, and afterwards as it was."""
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)


@contextmanager
def _quiet() -> Iterator[None]:
    """No word on the standard streams of the solver that pygamma-agreement takes, nor of which one it takes."""
    options, root, handler = import_module('cvxopt.glpk').options, getLogger(), NullHandler()
    before = dict(options)
    options['msg_lev'] = 'GLP_MSG_OFF'
    root.addFilter(_no_solver)
    root.addHandler(handler)  # without one, a warning would configure the logging of the whole process
    try:
        yield
    finally:
        options.clear()
        options.update(before)
        root.removeFilter(_no_solver)
        root.removeHandler(handler)


def _no_solver(record: Any) -> bool:
    return 'CBC solver' not in record.getMessage()
