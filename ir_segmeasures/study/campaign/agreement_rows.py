"""Rows of an agreement of assessors: coefficients and disagreements, and their tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ir_segmeasures.study.tables import Cell, Column, Table, figure, render

__all__ = ['COEFFICIENTS', 'AssessorAgreement', 'Coefficient', 'Disagreement']

COEFFICIENTS = ('F1', 'kappa', 'IoU', 'start_shift', 'end_shift', 'start_distance', 'end_distance', 'alpha', 'gamma')


class Coefficient(NamedTuple):
    """The value of a coefficient of agreement.

    Attributes:
        name: one of :data:`COEFFICIENTS`
        assessors: those that are compared: two, or all
        query_id: the query; None for the mean over the queries
        value: None where it is not defined, such as the F1 of two assessors who find nothing relevant
        low, high: the bootstrap interval of the mean; None for a query, and where only one has a value
        queries: the number of queries that have a value
    """
    name: str
    assessors: tuple[str, ...]
    query_id: str | None
    value: float | None
    low: float | None
    high: float | None
    queries: int


class Disagreement(NamedTuple):
    """A stretch on which assessors disagree.

    Attributes:
        query_id: the query
        doc_id: the id of the stretch as a segment; of bare columns, which have no unit, the id of the document
        start, end: half-open, in the unit of the judgements
        grades: name of an assessor → the grade, None where the assessor did not judge it
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    grades: Mapping[str, float | None]


class AssessorAgreement:
    """The agreement of assessors. A notebook shows it as a table, and :func:`~ir_segmeasures.study.tables.render`
    writes it in every format of tables.

    Attributes:
        assessors: their names
        rows: the coefficients of each pair, then those of all assessors; of each first the mean over the queries, then
            the value of each query
        disagreements: where they disagree, query by query and document by document
    """

    def __init__(self, assessors: Sequence[str], rows: Sequence[Coefficient], disagreements: Sequence[Disagreement]):
        self.assessors, self.rows, self.disagreements = list(assessors), list(rows), list(disagreements)

    def row(self, name: str, assessors: Iterable[str] | None = None, query_id: str | None = None) -> Coefficient:
        """The row of a coefficient: of all assessors if none are named, and the mean if no query is named."""
        wanted = (name, tuple(self.assessors if assessors is None else assessors), query_id)
        return next(row for row in self.rows if row[:3] == wanted)

    def __repr__(self) -> str:
        return f'<{type(self).__name__} of {", ".join(self.assessors)}>'

    def _repr_markdown_(self) -> str:
        return render(self, 'markdown')

    def records(self) -> list[dict[str, Any]]:
        """A record for each row; assessors are joined by commas, and the mean has no query."""
        return [{**row._asdict(), 'assessors': ', '.join(row.assessors)} for row in self.rows]

    def details(self, places: int) -> list[Table]:
        """A table of means for each pair of assessors, and one for all of them."""
        columns = [Column('value'), Column('interval'), Column('queries')]
        return [Table([Column(', '.join(assessors), text=True), *columns],
                      [[Cell(row.name), Cell(figure(row.value, places)), Cell(_interval(row, places)),
                        Cell(str(row.queries))] for row in rows.values()])
                for assessors, rows in self._means().items()]

    def overview(self, places: int) -> Table:
        """A table with a row for each pair of assessors and for all of them, and a column for each coefficient."""
        def cell(row: Coefficient | None) -> Cell:
            return Cell('') if row is None else Cell(figure(row.value, places),
                                                     rest=f' {_interval(row, places)}'.rstrip())
        names = [name for name in COEFFICIENTS if any(row.name == name for row in self.rows)]
        return Table([Column('assessors', text=True), *map(Column, names)],
                     [[Cell(', '.join(assessors)), *(cell(rows.get(name)) for name in names)]
                      for assessors, rows in self._means().items()])

    def _means(self) -> dict[tuple[str, ...], dict[str, Coefficient]]:
        means: dict[tuple[str, ...], dict[str, Coefficient]] = {}
        for row in self.rows:
            if row.query_id is None:
                means.setdefault(row.assessors, {})[row.name] = row
        return means


def _interval(row: Coefficient, places: int) -> str:
    return '' if row.low is None else f'[{figure(row.low, places)}, {figure(row.high, places)}]'
