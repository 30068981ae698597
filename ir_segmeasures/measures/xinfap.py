"""Inferred AP over strata: Yilmaz, Kanoulas, Aslam. A Simple and Efficient Sampling Method for Estimating AP and NDCG.
SIGIR 2008. The smoothing is that of TRECVID's tool.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ir_segmeasures.measures.base import CUTOFF, REL, Number, RowMeasure, register

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import Judgements, RowTopic

__all__ = ['xinfAP']

EPSILON = 0.00001
NOT_SAMPLED = -1  # the relevance of what was pooled, and that nobody looked at


class Sample(NamedTuple):
    """What the judgements of a query say.

    Attributes:
        stratum: of each judged row
        weight: for each stratum with sampled rows, how many pooled rows each of them stands for: N_c / n_c
        R: the relevant rows in the pool, as inferred
    """
    stratum: list[float]
    weight: dict[float, float]
    R: float


def sample(judgements: 'Judgements', rel: float) -> Sample:
    """The sample that the judgements are. Raises a RowError for a row judged in two ways, or in none that is known."""
    stratum, relevance = judgements.beside('stratum'), judgements.relevance
    # A row that repeats another is the same row.
    once = [(stratum[i], relevance[i]) for i, first in enumerate(judgements.first) if i == first]
    if len(once) < len(stratum):
        _check_repeats(judgements, stratum)
    rows = Counter(once)
    pooled, sampled, relevant = Counter[float](), Counter[float](), Counter[float]()
    for (c, grade), number in rows.items():
        if grade < 0 and grade != NOT_SAMPLED:
            raise judgements.error(relevance.index(grade), f'the relevance {grade:g} says nothing of the sample: it is '
                                   '-1 for what was pooled and not sampled, and 0 or more for what was judged')
        pooled[c] += number
        sampled[c] += number * (grade >= 0)
        relevant[c] += number * (grade >= rel)
    weight = {c: pooled[c] / n for c, n in sampled.items() if n}
    return Sample(stratum, weight, sum(weight[c] * r for c, r in relevant.items() if r))


def _check_repeats(judgements: 'Judgements', stratum: list[float]) -> None:
    relevance = judgements.relevance
    for place, first in enumerate(judgements.first):
        if (stratum[place], relevance[place]) != (stratum[first], relevance[first]):
            raise judgements.error(place, f'it is judged {relevance[place]:g} in stratum {stratum[place]:g}, and an '
                                   f'earlier row has {relevance[first]:g} in stratum {stratum[first]:g}: give it one '
                                   'judgement')


def inferred(topic: 'RowTopic', ranking: Iterable[int], rel: float) -> float:
    """AP as the sample lets one infer it; ``ranking`` has the places of the rows among the judgements, -1 for none."""
    stratum, weight, R = topic.judgements.once(sample, rel)
    relevance = topic.relevance
    total = 0.0
    counts: dict[float, tuple[int, int, int]] = {}  # d_c, s_c, q_c
    expected: dict[float, float] = {}  # of the rows so far, how many are relevant
    seen = {-1}
    for rank, place in enumerate(ranking, 1):
        if place in seen:
            continue
        seen.add(place)
        c, grade = stratum[place], relevance[place]
        if grade >= rel:
            total += weight[c] * (1 + sum(expected.values())) / rank
        d, s, q = counts.get(c, (0, 0, 0))
        counts[c] = d, s, q = d + 1, s + (grade >= 0), q + (grade >= rel)
        expected[c] = d * (q + EPSILON) / (s + 3 * EPSILON)
    return total / R if R else 0.0


class _xinfAP(RowMeasure):
    """Inferred average precision over sampled strata: AP of a pool of which only a sample was judged, more of it at the
    top of the runs than further down. The qrels tell the stratum of each row in a column ``stratum``; a relevance of
    -1 is for rows that were pooled and not sampled.

    In stratum c, N_c rows are pooled, n_c sampled (relevance >= 0), r_c relevant (>= ``rel``), so that
    ``R_c = r_c · N_c / n_c`` are inferred, ``R = Σ R_c``. A relevant item at rank k, before which d_c rows of c stand
    in the list, s_c of them sampled, q_c relevant, has the precision
    ``p = 1/k + Σ_c d_c/k · (q_c + ε) / (s_c + 3ε)``, ε = 0.00001. ``xinfAP = Σ_c R_c/R · Σ p / r_c``; 0 where R is 0.

    Range [0, 1], higher is better. Items are judged rows if document, start, end and path are equal: shots by their
    ids, segments by their times. An item that is not in the pool, or was in the list before, is not relevant. What is
    ranked before anything of its stratum was sampled counts as a third of a relevant item; strata of which nothing was
    sampled have R_c = 0. Where all was sampled, it is AP (up to 2ε). Source: Yilmaz et al. 2008; smoothing: TRECVID's
    tool, which knows 1,000 items: ``xinfAP@1000``, or ``xinfAP(tool='sample_eval')`` for its own number.
    """
    __name__ = 'xinfAP'
    NAME = __name__
    PRETTY_NAME = 'Inferred Average Precision over strata'
    SHORT_DESC = 'AP as inferred from judgements of samples, some strata of the pool sampled more than others.'
    NEEDS = ('stratum',)
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        'rel': Number(REL.desc, low=0, default=1),
    }

    def compute(self, topic: 'RowTopic') -> float:
        return inferred(topic, islice(topic.found, self.params.get('cutoff')), self['rel'])


xinfAP = register(_xinfAP())
