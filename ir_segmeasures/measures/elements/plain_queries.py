"""Elements of all queries at once, on arrays, where trees.py need not build a tree for each query.

A query is plain where all rows, judged and retrieved, have offsets and content, where all or none of the table's have
paths, where those of a document nest, and where trees.py finds no error in them. Then what has been seen of an element
is the content of the rows before it. The other queries are left to trees.py.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from math import inf, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.elements.quantisation import OF_2005, value_of_grades
from ir_segmeasures.measures.rounding import lowest_reaching
from ir_segmeasures.measures.unread_content import unread_pieces
from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.spans import clusters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ir_segmeasures.evaluation.run_rows import JudgedRows, RunRows
    from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['PlainJudged', 'PlainRetrieved', 'ancestors', 'plain_judged', 'plain_retrieved']


class PlainJudged(NamedTuple):
    """The judged rows of all queries as elements.

    Attributes:
        is_plain: for each query, whether its judgements allow it to be plain
        exhaustivity, specificity: of each row, as judged
        relevant: whether each row is a relevant element, and no earlier row is the same element
        worth: of each relevant element, by the quantisation; 0 for other rows
        parent: for each relevant element, the row of the next relevant one around it, or -1
    """
    is_plain: Bools
    exhaustivity: Floats
    specificity: Floats
    relevant: Bools
    worth: Floats
    parent: Ints


def plain_judged(judged: JudgedRows, specificity: str, quant: str | None = None) -> PlainJudged:
    """The judged elements; the quantisation says which of them are relevant, and what they are worth."""
    e, s, first = judged.beside('exhaustivity'), judged.beside('specificity'), judged.first_equal
    grades, elements = np.array([0, 1, 2, 3]), _judged_rows(judged)
    fits = np.isin(s, grades) if specificity == 'grades' else (s >= 0) & (s <= 1)
    fits &= np.isin(e, grades) & elements.fit() & (e == e[first]) & (s == s[first])
    if quant in OF_2005:
        fits &= e <= 2
    is_plain = np.ones(len(judged.table.query_ids), bool)
    is_plain[judged.query[~fits]] = False
    relevant = is_plain[judged.query] & (s > 0) & ((e > 0) | (quant == 'lifted2005')) & (first == np.arange(len(first)))
    rows, worth, parent = np.flatnonzero(relevant), np.zeros(len(relevant)), np.full(len(relevant), -1)
    if quant is not None:
        worth[rows] = worths(quant, specificity, e[rows], s[rows])
        is_plain[judged.query[np.isnan(worth)]] = False
    around = _nested(elements.at(rows))[0]
    parent[rows[around >= 0]] = rows[around[around >= 0]]
    return PlainJudged(is_plain, e, s, relevant, worth, parent)


class _Rows(NamedTuple):
    """Rows as elements.

    Attributes:
        query: the place of the query in the qrels
        group: a number for the document of the query
        start, end: the offsets
        depth: how deep in the document the path goes; -1 where there is none and another row of the table has one
    """
    query: Ints
    group: Ints
    start: Floats
    end: Floats
    depth: Ints

    def at(self, rows: Ints) -> _Rows:
        """Some of the rows."""
        return _Rows._make(column[rows] for column in self)

    def fit(self) -> Bools:
        """Whether each row allows its query to be plain."""
        return (self.start < self.end) & (self.end < inf) & (self.depth >= 0)


def _judged_rows(judged: JudgedRows) -> _Rows:
    return _rows(judged.table, judged.place, judged.query, judged.key)


def _rows(table: SegmentTable, places: Ints, query: Ints, group: Ints) -> _Rows:
    depth = np.zeros(len(places), np.intp) if table.paths is None else np.array(
        [-1 if path is None else path.count('/') for path in table.paths_of(places)], np.intp)
    return _Rows(query, group, table.start[places], table.end[places], depth)


def _nested(elements: _Rows) -> tuple[Ints, list[int]]:
    """For each element, the next one around it in its document, or -1, of equal ones the deepest; and those that
    overlap another one, of which neither contains the other.
    """
    _, group, start, end, depth = elements
    parent, crossing = np.full(len(group), -1), []
    cluster = clusters(group, start, end)
    linked = np.flatnonzero(np.bincount(cluster)[cluster] > 1)
    linked = linked[np.lexsort((depth[linked], -end[linked], start[linked], cluster[linked]))]
    open: list[tuple[int, float, int]] = []
    found = []
    for place, number, first, last in zip(linked.tolist(), cluster[linked].tolist(), start[linked].tolist(),
                                          end[linked].tolist()):
        while open and (open[-1][0] != number or open[-1][1] <= first):
            open.pop()
        if open and open[-1][1] < last:
            crossing.append(place)
        found.append(open[-1][2] if open else -1)
        open.append((number, last, place))
    parent[linked] = found
    return parent, crossing


def ancestors(parent: Ints, elements: Ints) -> Iterator[tuple[Ints, Ints]]:
    """The parents of some elements, then the parents of these, and so on: the places of the elements that have one, and
    it."""
    at, around = np.arange(len(elements)), parent[elements]
    while len(at):
        at, around = at[around >= 0], around[around >= 0]
        yield at, around
        around = parent[around]


def _disagreeing(paths: Iterable[str], elements: _Rows, parent: Ints) -> Bools:
    """Whether the path of each element says of its place in the tree what the offsets do not say."""
    _, group, start, end, _ = elements
    codes: dict[str, int] = {}
    above: list[int] = []  # the code of the path above each

    def code_of(path: str) -> int:
        if path not in codes:
            upper = path.rpartition('/')[0]
            number = code_of(upper) if upper else -1
            codes[path] = len(above)
            above.append(number)
        return codes[path]
    code = np.array([*map(code_of, paths)], np.intp)
    up = np.append(np.array(above, np.intp), -1)
    # A path has one interval in a document, and lies in that of the next path above it that is there.
    known, first, of_known = np.unique(group * len(up) + code, return_index=True, return_inverse=True)
    wrong = (start != start[first[of_known]]) | (end != end[first[of_known]])
    rows, upper = np.arange(len(code)), up[code]
    while len(rows := rows[upper >= 0]):
        upper = upper[upper >= 0]
        wanted = group[rows] * len(up) + upper
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        there, around = known[place] == wanted, first[place]
        wrong[rows[there & ((start[rows] < start[around]) | (end[rows] > end[around]))]] = True
        rows, upper = rows[~there], up[upper[~there]]
    # The element around it has a path above it, or is the same element.
    rows = np.flatnonzero(parent >= 0)
    upper, wanted = code[rows], code[parent[rows]]
    while len(rows := rows[upper != wanted]):
        upper, wanted = up[upper[upper != wanted]], wanted[upper != wanted]
        wrong[rows[upper < 0]] = True
        rows, upper, wanted = rows[upper >= 0], upper[upper >= 0], wanted[upper >= 0]
    return wrong


def worths(quant: str, specificity: str, exhaustivity: Floats, specificities: Floats) -> list[float]:
    """The worth of relevant elements; NaN where the quantisation has none, which is an error."""
    @cache
    def worth(e: float, s: float) -> float:
        try:
            return value_of_grades(quant, specificity, e, s)
        except ValueError:
            return nan
    return [*map(worth, exhaustivity.tolist(), specificities.tolist())]


class PlainRetrieved(NamedTuple):
    """The retrieved rows of all queries as elements.

    Attributes:
        is_plain: for each query, whether it is plain
        judged: for each row, the judged row that is the same element, or -1
        around: for each row, the relevant judged element that it is, or else the next one around it, or -1
        size: of each element
        new: how much of it no row before it has
        covered: for each judged row, the first of the retrieved rows around it; the number of all rows where none is
    """
    is_plain: Bools
    judged: Ints
    around: Ints
    size: Floats
    new: Floats
    covered: Ints

    def first_rows(self) -> Ints:
        """The rows of judged elements that stand at no row before, in order."""
        judged, rows = np.unique(self.judged, return_index=True)
        return np.sort(rows[judged >= 0])


def plain_retrieved(run: RunRows, specificity: str, quant: str | None = None) -> PlainRetrieved:
    """The retrieved elements; the arguments are those of :func:`plain_judged`."""
    judged, table = run.judged, run.table
    judgements = judged.cached(plain_judged, specificity, quant)
    is_plain = judgements.is_plain & ((table.paths is None) == (judged.table.paths is None))
    rows = np.flatnonzero(run.query >= 0)
    retrieved = _rows(table, rows, run.query[rows], run.key[rows])
    is_plain[retrieved.query[~retrieved.fit()]] = False
    before = np.flatnonzero(is_plain[judged.query])
    here = np.flatnonzero(is_plain[retrieved.query])
    rows, retrieved = rows[here], retrieved.at(here)
    elements = _Rows._make(map(np.append, _judged_rows(judged).at(before), retrieved))
    parent, crossing = _nested(elements)
    is_plain[elements.query[crossing]] = False
    if table.paths is not None:
        paths = chain(judged.table.paths_of(judged.place[before]), table.paths_of(rows))
        is_plain[elements.query[_disagreeing(filter(None, paths), elements, parent)]] = False
    itself = np.append(np.where(judgements.relevant[before], before, -1), np.full(len(rows), -1))
    row = np.append(np.full(len(before), len(table)), rows)
    nearest, first_cover = itself.copy(), np.full(len(row), len(table))
    for at, up in ancestors(parent, np.arange(len(row))):
        nearest[at] = np.where(nearest[at] < 0, itself[up], nearest[at])
        first_cover[at] = np.minimum(first_cover[at], row[up])
    around, covered = np.full(len(table), -1), np.full(len(judged.place), len(table))
    around[rows], covered[before] = nearest[len(before):], first_cover[:len(before)]
    size, new = table.end - table.start, np.zeros(len(table))
    unread = unread_pieces(retrieved.group, retrieved.start, retrieved.end)
    new[rows] = np.bincount(unread.item, unread.end - unread.start, len(rows))
    new[size - new >= lowest_reaching(size)] = 0
    return PlainRetrieved(is_plain, run.found, around, size, new, covered)
