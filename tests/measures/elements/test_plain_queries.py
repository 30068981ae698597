"""Elements of all queries at once, beside the trees of one query after the other: the same values, the same errors."""

from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Measure, ScoredDoc
from strategies import examples

from ir_segmeasures import I3_P, I3_R, PRUM, XCG, EffortP, GainR, I2_Precall, MAep, MAnXCG, iMAep, nXCG
from ir_segmeasures.measures.elements import plain_queries

MEASURES: list[list[Any]] = [
    [XCG, XCG@2, nXCG@3, MAnXCG@4, GainR, EffortP@.5, MAep, iMAep(points=3)],
    [XCG(alpha=alpha, quant=quant, ideal=ideal)@k for alpha, quant, ideal, k in (
        (.5, 'gen', 'kazai', 3), (0, 'sog', 'full', 5), (.9, 'strict', 'piwowarski', 9), (1, 'product', 'full', 4))],
    [I2_Precall, I2_Precall@.3, I3_R, I3_P, I3_R@2, I3_P@3, I2_Precall(cutoff=2)],
    [PRUM, PRUM@.4, PRUM(quant='binary', ideal='piwowarski'), PRUM(cutoff=3), PRUM(collection=500)],
    [XCG(ideal='focused'), PRUM(ideal='focused'), I3_R@1],
    [one(quant=quant, specificity='share')@3 for quant in ('product', 'gen2005', 'lifted2005') for one in (XCG, nXCG)]]


class Judged(NamedTuple):
    """A judged element, as readers of INEX assessments give it."""
    query_id: str
    doc_id: str
    exhaustivity: float
    specificity: float
    relevance: int = 0


@st.composite
def inputs(draw: st.DrawFn, shares: bool) -> tuple[list[Judged], list[ScoredDoc]]:
    """A few queries over the elements of small articles, now and then with something in them that is wrong."""
    paths, thirds = draw(st.booleans()), draw(st.booleans())
    parts = {'/a[1]': (0, 24), '/a[1]/b[1]': (0, 12), '/a[1]/b[2]': (12, 24), '/a[1]/b[1]/p[1]': (0, 6),
             '/a[1]/b[1]/p[2]': (6, 10), '/a[1]/b[2]/p[1]': (12, 24), '/a[1]/b[2]/p[1]/i[1]': (14, 20)}
    odd = draw(st.sampled_from([*[None] * 20, *(
        (path, span) for path, span in (('/a[1]/b[1]', (5, 15)), ('/a[1]/c[1]', (6, 18)), ('/a[1]/b[2]/p[9]', (1, 2)),
                                        ('/a[1]/d[1]', (7, 7)), ('/a[1]/b[1]/p[1]/q[1]', (0, 12)), ('/e[1]', (12, 24))
                                        ))]))

    def id_of(document: str, part: tuple[str, tuple[int, int]]) -> str:
        path, (start, end) = part
        start, end = (round(at / 3, 2) if thirds else at for at in (start, end))
        return f'{document}#{f"xpath={path}&" * paths}char={start},{end}' if not thirds else (
            f'{document}#{f"xpath={path}&" * paths}t={start},{end}')
    choices = st.sampled_from([*parts.items(), *([odd] if odd else [])])
    documents = st.sampled_from('FFFG')
    grade = st.sampled_from([0, 1, 2, 2, 3, 3])
    specificity = st.sampled_from([0, .3, 1]) if shares else grade
    exhaustivity = st.sampled_from([0, 1, 2, 2, 2, 2, 3]) if shares and draw(st.booleans()) else (
        st.sampled_from([0, 1, 2]) if shares else grade)
    qrels, run, twice = [], [], draw(st.integers(0, 9)) == 0
    for query in 'pqr'[:draw(st.integers(1, 3))]:
        ids = draw(st.lists(st.builds(id_of, documents, choices), min_size=1, max_size=8))
        qrels += [Judged(query, id, draw(exhaustivity), draw(specificity))
                  for id in (ids if twice else dict.fromkeys(ids))]
        run += [ScoredDoc(query, id, -rank) for rank, id in enumerate(
            draw(st.lists(st.builds(id_of, st.sampled_from('FFFGI'), choices), max_size=10)))]
    if draw(st.integers(0, 9)) == 0:
        qrels.append(Judged('p', 'whole', 0, 0))
    return qrels, run


def outcome(measures: list[Measure], qrels: Any, run: Any) -> Any:
    """The values, or the sentence of the error."""
    try:
        return {(metric.query_id, metric.measure): metric.value
                for metric in ir_measures.iter_calc(measures, qrels, run)}
    except ValueError as error:
        return str(error)


CASES = st.sampled_from(MEASURES).flatmap(
    lambda measures: st.tuples(inputs('share' in str(measures)), st.just(measures)))


@given(CASES)
@examples(5)
def test_values_and_errors_are_those_of_the_trees(case_and_measures: Any) -> None:
    case, measures = case_and_measures
    found = outcome(measures, *case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_queries._Rows, 'fit', lambda rows: np.zeros(len(rows.query), bool))  # none is plain
        expected = outcome(measures, *case)
    if isinstance(expected, str):
        assert found == expected
    else:
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
