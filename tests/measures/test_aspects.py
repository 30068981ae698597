"""Measures of aspects and nuggets: the official scorer's figures, pyndeval's, AutoNuggetizer's, cases by hand, and a
plain reference, for which content is a set of characters."""

from math import inf, log2
from random import Random
from typing import Any

import ir_measures
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import ir_segmeasures
from ir_segmeasures import AspectAP, NuggetRecall, alpha_nDCG_seg

Judged = list[tuple[str, int, int, str, int]]


def value(measure: Any, judged: Judged, run: list[tuple[str, int, int]]) -> float:
    qrels = pd.DataFrame([('q', f'{document}#char={start},{end}', relevance, aspects)
                          for document, start, end, aspects, relevance in judged],
                         columns=['query_id', 'doc_id', 'relevance', 'aspects'])
    found = [ir_measures.ScoredDoc('q', f'{document}#char={start},{end}', -rank)
             for rank, (document, start, end) in enumerate(run)]
    result: float = measure.calc_aggregate(qrels, found)
    return result


def ranked(number: int) -> tuple[Judged, list[tuple[str, int, int]]]:
    """Judged segments that do not overlap, with one or several of five aspects, and a ranking with others."""
    random = Random(number)
    segments = [(f'd{random.randrange(6)}', 10 * place, 10 * place + 9) for place in range(30)]
    # Of equally good ones pyndeval takes the last id, the measure the first judgement.
    judged = [(*segment, '|'.join(sorted({random.choice('vwxyz') for _ in range(random.randrange(1, 4))})), 1)
              for segment in sorted(segments[:20], key=lambda found: '{}#char={},{}'.format(*found), reverse=True)]
    random.shuffle(segments)
    return judged, segments[:25]


# alpha-nDCG of pyndeval 0.0.8 at 5, 10 and 20, with alpha 0.5, of the first three rankings.
PRINTED = [[0.5565168823872046, 0.6730962475873974, 0.7263404969233649],
           [0.9259501999051395, 0.9363394210450012, 0.9366497279931967],
           [0.7129743184312765, 0.7150770266096423, 0.7786325822055864]]


@pytest.mark.parametrize('number', range(3))
def test_what_pyndeval_printed(number: int) -> None:
    judged, run = ranked(number)
    assert [value(alpha_nDCG_seg @ k, judged, run) for k in (5, 10, 20)] == pytest.approx(PRINTED[number], rel=1e-12)


def test_the_column() -> None:
    qrels = {'q': {'d#char=0,9': 1}}
    with pytest.raises(ValueError, match="the qrels lack the column 'aspects'"):
        AspectAP.calc_aggregate(qrels, {'q': {'d#char=0,9': 1}})
    wrong = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#char=0,9'], 'relevance': [1], 'aspects': [3]})
    with pytest.raises(ValueError, match='the aspects 3 are not text'):
        AspectAP.calc_aggregate(wrong, {'q': {'d#char=0,9': 1}})
    assert str(ir_measures.parse_measure('NuggetRecall(strict=True)@5')) == 'NuggetRecall(strict=True)@5'
    assert ir_segmeasures.measures.AspectAP.NEEDS == ('aspects',)


# A plain reference, and any judgements and rankings of three queries at once


def characters(segment: Any) -> set[tuple[str, int]]:
    return {(segment[0], place) for place in range(segment[1], segment[2])}


def names(judged: Any) -> set[str]:
    return set(judged[3].split('|')) - {''}


def every(judged: Judged) -> set[str]:
    return set[str]().union(*map(names, judged))


def plain_aspect_ap(judged: Judged, run: list[Any], k: float) -> float:
    found, total = set[str](), 0.0
    n = d = 0
    for item in run[:min(k, len(run))]:
        aspects = next((names(one) for one in judged if characters(one) & characters(item)), set())
        if aspects and aspects <= found:
            continue
        d += 1
        if aspects:
            n += 1
            total += len(aspects - found) * n / d
            found |= aspects
    return total / len(every(judged)) if every(judged) else 0.0


def plain_gains(judged: Judged, items: list[Any], alpha: float, k: float) -> float:
    times, met, total = dict.fromkeys(every(judged), 0), set[int](), 0.0
    for rank, item in enumerate(items[:min(k, len(items))], 1):
        here = {i for i, one in enumerate(judged) if characters(one) & characters(item)} - met
        aspects = set[str]().union(*(names(judged[i]) for i in here))
        total += sum((1 - alpha) ** times[aspect] for aspect in sorted(aspects)) / log2(rank + 1)
        times |= {aspect: times[aspect] + 1 for aspect in aspects}
        met |= here
    return total


def plain_alpha_ndcg(judged: Judged, run: list[Any], alpha: float, k: float) -> float:
    times, ideal = dict.fromkeys(every(judged), 0), list[Any]()
    rest = {one[:3]: set[str]().union(*(names(other) for other in judged if other[:3] == one[:3])) for one in judged}
    while rest:
        gains = {place: sum((1 - alpha) ** times[name] for name in sorted(rest[place])) for place in rest}
        ideal.append(max(gains, key=lambda place: gains[place]))
        for name in rest.pop(ideal[-1]):
            times[name] += 1
    best = plain_gains(judged, ideal, alpha, k)
    return plain_gains(judged, run, alpha, k) / best if best else 0.0


def plain_nugget_recall(judged: Judged, run: list[Any], strict: bool, okay: float, k: float) -> float:
    read = set[tuple[str, int]]().union(*map(characters, run[:min(k, len(run))]))
    weights, supports = dict[str, float](), dict[str, float]()
    for nugget in every(judged):
        its = [one for one in judged if nugget in names(one)]
        weights[nugget] = 1 if any(one[4] >= 2 for one in its) else okay
        supports[nugget] = 1 if any(characters(one) <= read for one in its) else (
            .5 if not strict and any(characters(one) & read for one in its) else 0)
    total = sum(weights.values())
    return sum(weights[nugget] * supports[nugget] for nugget in weights) / total if total else 0.0


SEGMENT = st.tuples(st.sampled_from('de'), st.integers(0, 8), st.integers(0, 5)).map(
    lambda drawn: (drawn[0], drawn[1], drawn[1] + drawn[2]))
JUDGED = st.tuples(SEGMENT.filter(lambda segment: segment[1] < segment[2]),
                   st.sets(st.sampled_from('vwxyz'), max_size=3).map(lambda drawn: '|'.join(sorted(drawn))),
                   st.sampled_from((1, 2))).map(lambda drawn: (*drawn[0], *drawn[1:]))
QUERIES = st.sampled_from('pqr')


@given(st.lists(st.tuples(QUERIES, JUDGED), min_size=1, max_size=12),
       st.lists(st.tuples(QUERIES, SEGMENT), max_size=15),
       st.sampled_from((None, 1, 2, 5)), st.sampled_from((0, .3, .5, 1)), st.booleans())
def test_the_reference(judged: list[Any], run: list[Any], cutoff: int | None, alpha: float, strict: bool) -> None:
    qrels = pd.DataFrame([(query, '{}#char={},{}'.format(*one), one[4], one[3]) for query, one in judged],
                         columns=['query_id', 'doc_id', 'relevance', 'aspects'])
    items = [ir_measures.ScoredDoc(query, '{}#char={},{}'.format(*one), -rank)
             for rank, (query, one) in enumerate(run)]
    at = {} if cutoff is None else {'cutoff': cutoff}
    ap, ndcg, recall = AspectAP(**at), alpha_nDCG_seg(alpha=alpha, **at), NuggetRecall(strict=strict, okay=alpha, **at)
    values = {(metric.query_id, metric.measure): metric.value
              for metric in ir_measures.iter_calc([ap, ndcg, recall], qrels, items)}
    for query in {query for query, _ in judged}:
        of_query = [one for name, one in judged if name == query], [one for name, one in run if name == query]
        k = cutoff or inf
        assert values[query, ap] == pytest.approx(plain_aspect_ap(*of_query, k), rel=1e-12)
        assert values[query, ndcg] == pytest.approx(plain_alpha_ndcg(*of_query, alpha, k), rel=1e-12)
        assert values[query, recall] == pytest.approx(plain_nugget_recall(*of_query, strict, alpha, k), rel=1e-12)
