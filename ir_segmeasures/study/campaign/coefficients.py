"""Coefficients of agreement: content F1, Cohen's kappa of lengths, Krippendorff's alpha, gamma, and the best one-to-one
matching of spans.

Sources: Cohen 1960 (kappa); Krippendorff, Content Analysis, chapter 11 (alpha), by the package ``krippendorff``;
Mathet, Widlöcher & Métivier, Computational Linguistics 41(3), 2015 (gamma), by ``pygamma-agreement``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any

import numpy as np

from ir_segmeasures.segments.extras import needed
from ir_segmeasures.segments.transcript import seconds as position
from ir_segmeasures.study.campaign.layers import Piece, joined
from ir_segmeasures.study.statistics import mean, scipy_module

_PRECISION = 0.05  # of gamma: the error of the expected disorder, as its authors' program has it


def pair_coefficients(pieces: Iterable[Piece], rel: float, label: Callable[[float], float]) -> dict[str, float | None]:
    """The coefficients of two assessors for a query, None where one is not defined.

    Args:
        pieces: the content that both judged, document by document
        rel: the relevance from which content is relevant
        label: grade → what kappa compares
    """
    labels, relevant = defaultdict[Any, float](float), defaultdict[Any, float](float)  # by both → a length
    matched, spans = list[tuple[float, Any, Any]](), 0
    for _, of_document in groupby(pieces, key=lambda piece: piece.group):
        sides: list[list[Any]] = [[], []]
        for piece in of_document:
            length, flags = position(piece.end - piece.start), tuple(grade >= rel for grade in piece.grades)
            labels[tuple(map(label, piece.grades))] += length
            relevant[flags] += length
            for side, flag in zip(sides, flags):
                side += [(piece.start, piece.end, True)] if flag else []
        first, second = map(joined, sides)
        matched += matching(first, second)
        spans += len(first) + len(second)
    found = 2 * relevant[True, True] + relevant[True, False] + relevant[False, True]
    values = {'F1': 2 * relevant[True, True] / found if found else None, 'kappa': kappa(labels),
              'IoU': sum(iou for iou, _, _ in matched) / (spans - len(matched)) if spans else None}
    for place, end in enumerate(('start', 'end')):
        shifts = [position(second[place] - first[place]) for _, first, second in matched]
        values[f'{end}_shift'] = mean(shifts) if shifts else None
        values[f'{end}_distance'] = mean(map(abs, shifts)) if shifts else None
    return values


def kappa(lengths: Mapping[Any, float]) -> float | None:
    """Cohen's kappa, in [-1, 1]; None where both say one and the same of everything, so that chance agrees fully too.

    Args:
        lengths: the grades by both assessors → the length of the content to which they give them
    """
    total = sum(lengths.values())
    sides = [defaultdict[Any, float](float), defaultdict[Any, float](float)]
    for pair, length in lengths.items():
        for side, grade in zip(sides, pair):
            side[grade] += length
    expected = sum(length * sides[1][grade] for grade, length in sides[0].items()) / total ** 2
    if expected >= 1 - 1e-12:
        return None
    observed = sum(length for (one, other), length in lengths.items() if one == other) / total
    return (observed - expected) / (1 - expected)


def matching(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[float, Any, Any]]:
    """The best one-to-one matching of spans (start, end, …) in one document: the one with the greatest sum of IoU.
    Spans without common content do not match.

    Returns:
        the IoU of each pair, and the pair

    Raises:
        ImportError: SciPy is not installed
    """
    shared = np.array([[max(0, min(one[1], other[1]) - max(one[0], other[0])) for other in second] for one in first])
    if not shared.any():
        return []
    length = np.array([[one[1] - one[0] + other[1] - other[0] for other in second] for one in first])
    iou = shared / (length - shared)
    chosen = scipy_module('optimize').linear_sum_assignment(iou, maximize=True)
    return [(float(iou[one, other]), first[one], second[other])
            for one, other in zip(*(side.tolist() for side in chosen)) if iou[one, other] > 0]


def alpha(units: Sequence[Sequence[float | None]], level: str) -> float | None:
    """Krippendorff's alpha, at most 1; None where only one grade is used, or no unit was judged twice.

    Args:
        units: for each unit the grade by each assessor, or None
        level: ``'nominal'`` or ``'ordinal'``

    Raises:
        ImportError: krippendorff is not installed
    """
    package = needed('krippendorff', "the coefficient 'alpha' needs krippendorff", 'agreement')
    given = [[grade for grade in unit if grade is not None] for unit in units]
    given = [grades for grades in given if len(grades) > 1]
    used = sorted({grade for grades in given for grade in grades})
    if len(used) < 2:
        return None
    counts = np.array([[grades.count(grade) for grade in used] for grades in given])
    return float(package.alpha(value_counts=counts, value_domain=np.array(used), level_of_measurement=level))


def gamma(assessors: Sequence[Sequence[tuple[float, float, Any]]], seed: int = 0) -> float | None:
    """Gamma, at most 1; None where no assessor has a span.

    The dissimilarity of two spans is the positional one, plus 1 where their categories differ. Chance is sampled as the
    paper has it, by shifting what each assessor marked.

    Args:
        assessors: the spans (start, end, category) of each assessor on one line
        seed: of the samples

    Raises:
        ImportError: pygamma-agreement is not installed
    """
    if not any(assessors):
        return None
    package = needed('pygamma_agreement', "the coefficient 'gamma' needs pygamma-agreement", 'agreement')
    segment = import_module('pyannote.core').Segment
    continuum = package.Continuum()
    for number, spans in enumerate(assessors):
        name = f'{number:06d}'
        continuum.add_annotator(name)
        for start, end, kind in spans:
            continuum.add(name, segment(start, end), str(kind))
    import_module('cvxopt.glpk').options['msg_lev'] = 'GLP_MSG_OFF'  # the solver writes to the standard output
    state = np.random.get_state()
    np.random.seed(seed)  # pygamma-agreement draws from NumPy's global generator
    try:
        result = continuum.compute_gamma(package.CombinedCategoricalDissimilarity(alpha=1, beta=1),
                                         precision_level=_PRECISION,
                                         sampler=package.ShuffleContinuumSampler('float_pivot'))
    finally:
        np.random.set_state(state)
    return float(result.gamma)
