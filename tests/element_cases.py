"""What the tests of element measures share: the article of the paper, small trees, and how a case is given to us."""

from fractions import Fraction
from typing import Any, NamedTuple

import ir_measures
from element_reference import Case, Element, Number
from hypothesis import strategies as st
from ir_measures import Measure, ScoredDoc


class ElementQrel(NamedTuple):
    """A judged element, as readers of INEX assessments give it."""
    query_id: str
    doc_id: str
    exhaustivity: Any
    specificity: Any
    relevance: int = 0  # never read


# Kazai 2005, Figure 1: topic 163, co/2001/r7022. The sizes are the paper's, where the elements begin is invented.
ARTICLE = 'co/2001/r7022'
A, BDY = '/article[1]', '/article[1]/bdy[1]'
SEC4, SEC6 = f'{BDY}/sec[4]', f'{BDY}/sec[6]'
IP4, P4, Q4 = f'{SEC4}/ip1[2]', f'{SEC4}/p[1]', f'{SEC4}/p[2]'
IP6, P6, Q6 = f'{SEC6}/ip1[2]', f'{SEC6}/p[1]', f'{SEC6}/p[2]'
FIGURE_1: dict[str, tuple[int, int, int, int]] = {  # start, size, e, s
    A: (0, 2028, 3, 1), BDY: (17, 2011, 3, 1),
    SEC4: (700, 266, 2, 2), IP4: (720, 108, 2, 3), P4: (828, 38, 2, 3), Q4: (870, 87, 1, 2),
    SEC6: (1200, 360, 3, 3), IP6: (1210, 125, 2, 3), P6: (1335, 148, 2, 3), Q6: (1490, 65, 2, 3),
}
# Table 3.
FRB = [SEC6, IP4, P4, IP6, P6, Q6, SEC4, A, BDY, Q4]
IRB = [SEC6, SEC4]
REVERSED = [SEC4, SEC6]
LO = [IP6, P6, Q6, IP4, P4, Q4]


def article(ranking: list[str]) -> Case:
    """The article of Figure 1 and a ranking of its elements."""
    return Case({(ARTICLE, path): (start, start + size) for path, (start, size, _, _) in FIGURE_1.items()},
                {(ARTICLE, path): (e, s) for path, (_, _, e, s) in FIGURE_1.items()},
                [(ARTICLE, path) for path in ranking])


def tree(judged: dict[str, Any], ranking: list[str], extents: dict[str, tuple[int, int]] | None = None,
         ) -> Case:
    """A document 'F' of elements; without extents only their paths are known."""
    return Case({('F', path): extent for path, extent in (extents or {}).items()},
                {('F', path): pair for path, pair in judged.items()}, [('F', path) for path in ranking])


def id_of(case: Case, element: Element, ids: str = 'both') -> str:
    """The id of an element, with its path, its offsets, or both where they are known."""
    document, path = element
    offsets = 'char={},{}'.format(*case.extents[element]) if element in case.extents and ids != 'paths' else ''
    parts = [f'xpath={path}'] * (ids != 'offsets') + [offsets] * bool(offsets)
    return f'{document}#{"&".join(parts)}'


def as_qrels(case: Case, ids: str = 'both') -> list[ElementQrel]:
    """The judgements, and one that is not relevant, so that the query is always judged."""
    return [*(ElementQrel('q', id_of(case, element, ids), e, s) for element, (e, s) in case.judged.items()),
            ElementQrel('q', 'elsewhere', 0, 0)]


def as_run(case: Case, ids: str = 'both') -> list[ScoredDoc]:
    return [ScoredDoc('q', id_of(case, element, ids), -rank) for rank, element in enumerate(case.ranking)]


def values(measures: list[Measure | str], case: Case, ids: str = 'both') -> list[float]:
    """The values of several measures for a case, computed together."""
    parsed = [ir_measures.parse_measure(measure) for measure in measures]
    got = {metric.measure: metric.value
           for metric in ir_measures.iter_calc(parsed, as_qrels(case, ids), as_run(case, ids))}
    return [got[measure] for measure in parsed]


def value(measure: Measure | str, case: Case, ids: str = 'both') -> float:
    return values([measure], case, ids)[0]


# Kazai 2005, Figure 2: the paths of the nodes by their numbers, and their (e, s).
_A = {1: '/a[1]', 2: '/a[1]/bdy[1]', 3: '/a[1]/bdy[1]/sec[1]'}
TREES = {
    'a': (_A, {1: (3, 1), 2: (3, 1), 3: (3, 3)}),
    'b': (_A | {4: '/a[1]/bdy[1]/sec[2]', 5: '/a[1]/bdy[1]/sec[2]/p[1]'},
          {1: (3, 1), 2: (3, 2), 3: (2, 3), 4: (1, 1), 5: (1, 2)}),
    'c': (_A | {3 + i: f'/a[1]/bdy[1]/sec[1]/p[{i}]' for i in range(1, 7)},
          {1: (3, 1), 2: (3, 1), 3: (3, 3), **{3 + i: (3, 3) if i == 5 else (1, 3) for i in range(1, 7)}}),
}


def figure_2(name: str) -> Case:
    paths, pairs = TREES[name]
    return tree({paths[number]: pairs[number] for number in paths}, [])


def printed(got: float | Fraction, text: str) -> bool:
    """Whether a value is less than one unit of the last printed digit away."""
    return abs(Fraction(got) - Fraction(text)) < Fraction(1, 10 ** len(text.partition('.')[2]))


GRADES = st.sampled_from([(0, 0), (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (3, 3)])
SHARES = st.one_of(st.just((0, 0)), st.tuples(st.integers(1, 3), st.sampled_from([.1, .25, .3, .5, .9, 1])))

SHARES_2005 = st.one_of(st.just((0, 0)), st.tuples(st.integers(0, 2), st.sampled_from([.1, .25, .3, .5, 1, 1])))


@st.composite
def cases(draw: st.DrawFn, pairs: st.SearchStrategy[tuple[int, Number]] = GRADES, size: int = 8,
          most: int = 9) -> Case:
    """One or two documents of elements with text of their own or without, most of them judged, and a ranking that
    repeats some; with at most so many elements judged.
    """
    extents: dict[Element, tuple[int, int]] = {}

    def grow(document: str, path: str, start: int, depth: int) -> int:
        place = len(extents)
        extents[document, path] = start, start
        end = start + draw(st.integers(0, 2))
        for child in range(draw(st.integers(0, 3 if depth < 3 else 0)) if len(extents) < most else 0):
            end = grow(document, f'{path}/p[{child + 1}]', end, depth + 1) + draw(st.integers(0, 2))
        extents[document, path] = start, max(end, start + 1)
        assert list(extents)[place] == (document, path)
        return extents[document, path][1]

    for document in draw(st.sampled_from([('F',), ('F', 'G')])):
        grow(document, '/a[1]', draw(st.integers(0, 3)), 1)
    elements = list(extents)
    judged = {element: draw(pairs) for element in elements if draw(st.integers(0, 5))}
    ranking = draw(st.lists(st.sampled_from(elements), max_size=size))
    return Case(extents, judged, ranking)


def insert_again(ranking: list[Any], data: st.DataObject) -> list[Any]:
    """The ranking with one of its elements once more, at a later rank."""
    if not ranking:
        return ranking
    first = data.draw(st.integers(0, len(ranking) - 1))
    again = data.draw(st.integers(first + 1, len(ranking)))
    return [*ranking[:again], ranking[first], *ranking[again:]]
