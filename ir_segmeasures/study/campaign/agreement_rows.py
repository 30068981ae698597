"""Rows of an agreement of assessors: coefficients and disagreements, and their tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ir_segmeasures.study.tables import Cell, Column, Report, Table, figure, interval_figure

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


class AssessorAgreement(Report):
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

    def records(self) -> list[dict[str, Any]]:
        """A record for each row; assessors are joined by commas, and the mean has no query."""
        return [{**row._asdict(), 'assessors': ', '.join(row.assessors)} for row in self.rows]

    def tables(self, places: int, wide: bool) -> list[Table]:
        """A table of means for each pair of assessors, and one for all of them."""
        columns = [Column('value'), Column('interval'), Column('queries')]
        return [Table([Column(', '.join(assessors), text=True), *columns],
                      [[Cell(row.name), Cell(figure(row.value, places)), Cell(interval_figure(row, places)),
                        Cell(str(row.queries))]
                       for row in self.rows if row.query_id is None and row.assessors == assessors])
                for assessors in dict.fromkeys(row.assessors for row in self.rows)]
