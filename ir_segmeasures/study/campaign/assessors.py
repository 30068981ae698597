"""Agreement of assessors who judged the same content, where they disagree, and one set of judgements from several.

A moment of a document counts by its length, so that it does not matter how assessors cut what they judged. Judgements
of negative relevance are none, as in pools.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import ceil
from operator import attrgetter
from statistics import median_low
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import plain_number, quoted
from ir_segmeasures.segments.segment import seconds as position, ticks
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn
from ir_segmeasures.study.campaign import layers
from ir_segmeasures.study.campaign.layers import Judgement, Layer, Piece, joined, lay, pieces
from ir_segmeasures.study.campaign.pools import Pool
from ir_segmeasures.study.statistics import bootstrap_interval, check_choice, check_level, check_setting, mean
from ir_segmeasures.study.tables import Cell, Column, Report, Table, figure, interval_figure

__all__ = ['COEFFICIENTS', 'MERGERS', 'AssessorAgreement', 'Coefficient', 'Disagreement', 'agreement_of',
           'merged_judgements']

Grade = float | None
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
        note: what length each did not judge, which stands below the tables; empty where all judged all
    """

    def __init__(self, assessors: Sequence[str], rows: Sequence[Coefficient], disagreements: Sequence[Disagreement],
                 note: str = ''):
        self.assessors, self.rows, self.disagreements, self.note = [*assessors], [*rows], [*disagreements], note

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
                       for row in self.rows if row.query_id is None and row.assessors == assessors],
                      note=self.note if assessors == self.rows[-1].assessors else '')
                for assessors in dict.fromkeys(row.assessors for row in self.rows)]


def agreement_of(judgements: Mapping[str, Any], coefficients: str | Iterable[str] = COEFFICIENTS[:7], rel: float = 1,
                 grades: bool = False, extent: Any = None, step: float = 1, confidence: float = 0.95,
                 lengths: Mapping[str, float] | None = None, seed: int = 0) -> AssessorAgreement:
    """The agreement of assessors on the content that they all judged.

    ==============================  ===============================================================================
    ``F1``                          of the content that one finds relevant against the other's
    ``kappa``                       Cohen's, of the length of the content that both judged; nominal
    ``IoU``                         of the best one-to-one matching of their relevant spans: the sum over the pairs,
                                    over the number of pairs and of spans without a partner
    ``start_shift, end_shift``      how much later the second one's spans start and end, mean over the matched pairs
    ``start_distance, …``           the same without the sign
    ``alpha``                       Krippendorff's, of units of length ``step`` of the content that two or more judged,
                                    each with the grade at its middle; needs krippendorff
    ``gamma``                       of the relevant spans of all on the content that all judged, documents one after
                                    the other; needs pygamma-agreement, and takes seconds for each query
    ==============================  ===============================================================================

    Full agreement is 1, of shifts and distances 0. Relevant spans are merged where they overlap or touch. ``alpha`` and
    ``gamma`` are of all assessors, the others of each pair.

    Args:
        judgements: name of an assessor → qrels, in any shape of ir-measures
        coefficients: names, see above
        rel: the relevance from which content is relevant
        grades: whether ``kappa``, ``alpha`` (then ordinal) and ``gamma`` (whose categories they are then) compare
            grades instead of relevant and not relevant
        extent: the content that all were asked to judge, as a pool or as qrels; what an assessor does not name there
            has grade 0, and what lies outside does not count. Not given: the content that each judged, which needs
            judgements below ``rel``. ``'judged'`` takes that without asking for them
        step: the length of the equal units of ``alpha``
        confidence: the level of the bootstrap interval of each mean (percentiles of 9,999 samples of the queries)
        lengths: document → length, for judgements that run to a document's end
        seed: of the samples, and of ``gamma``

    Raises:
        ValueError: fewer than two assessors, an unknown coefficient, a setting that cannot be, or an assessor without a
            judgement below ``rel`` where no extent is given
        RowError: rows that are not segments
        ImportError: a package that a coefficient needs is not installed

    Examples:
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures.study import agreement_of
        >>> found = agreement_of({
        ...     'ann': [Qrel('q1', 'talk#t=0,20', 1), Qrel('q1', 'talk#t=20,60', 0)],
        ...     'ben': [Qrel('q1', 'talk#t=0,5', 0), Qrel('q1', 'talk#t=5,25', 1), Qrel('q1', 'talk#t=25,60', 0)]})
        >>> for name in ('F1', 'kappa', 'IoU', 'start_shift', 'end_shift'):
        ...     print(name, round(found.row(name).value, 3))
        F1 0.75
        kappa 0.625
        IoU 0.6
        start_shift 5.0
        end_shift 5.0
        >>> [(row.doc_id, dict(row.grades)) for row in found.disagreements]
        [('talk#t=0,5', {'ann': 1, 'ben': 0}), ('talk#t=20,25', {'ann': 0, 'ben': 1})]
    """
    names, asked = list(judgements), [coefficients] if isinstance(coefficients, str) else list(coefficients)
    if len(names) < 2:
        raise ValueError(f'{"there is no assessor" if not names else f"the only assessor is {quoted(names[0])}"}, and '
                         'agreement is between two: give the judgements of two or more')
    for name in asked:
        check_choice('coefficients', name, COEFFICIENTS)
    check_setting('step', step, step > 0, 'a length of units, a number above 0')
    check_level('confidence', confidence, 0.95)
    judged, queries, note = _judged_by(judgements, extent, rel, lengths)
    if not any(sum(grade is not None for grade in piece.grades) > 1 for piece in judged):
        warn(['no content was judged by two assessors, so that there is no agreement to compute: check that the files '
              'have the same queries and documents'])

    def label(grade: Grade) -> Grade:
        return grade if grades or grade is None else float(grade >= rel)
    labelled = [piece._replace(grades=list(map(label, piece.grades))) for piece in judged]

    def rows(name: str, values: Mapping[str, Grade], compared: tuple[str, ...]) -> Iterator[Coefficient]:
        by_query = [values.get(query) for query in queries]
        known = [value for value in by_query if value is not None]
        low, high = bootstrap_interval(known, confidence, seed) if len(known) > 1 else (None, None)
        yield Coefficient(name, compared, None, mean(known) if known else None, low, high, len(known))
        yield from (Coefficient(name, compared, query, value, None, None, int(value is not None))
                    for query, value in zip(queries, by_query))
    found: list[Coefficient] = []
    of_pairs = [name for name in asked if name not in ('alpha', 'gamma')]
    for pair in combinations(range(len(names)), 2) if of_pairs else ():
        both = [piece._replace(grades=[piece.grades[place] for place in pair]) for piece in judged]
        both = [piece for piece in both if None not in piece.grades]
        values = {query: layers.pair_coefficients(of_query, rel, label)
                  for query, of_query in groupby(both, lambda piece: piece.group.query_id)}
        for name in of_pairs:
            found += rows(name, {query: of_query[name] for query, of_query in values.items()},
                          tuple(names[place] for place in pair))
    if 'alpha' in asked:
        found += rows('alpha', _alphas(labelled, step, 'ordinal' if grades else 'nominal'), tuple(names))
    if 'gamma' in asked:
        found += rows('gamma', _gammas(labelled, len(names), seed), tuple(names))
    differing = [piece for piece, labels in zip(judged, labelled) if len(set(labels.grades) - {None}) > 1]
    return AssessorAgreement(names, found, [
        Disagreement._make([*group.stretch(start, end), {
            name: None if grade is None else plain_number(grade) for name, grade in zip(names, of_all)}])
        for group, parts in groupby(differing, attrgetter('group'))
            for start, end, of_all in joined(part[1:] for part in parts)], note)


def merged_judgements(judgements: Mapping[str, Any], by: str = 'majority', extent: Any = None,
                      lengths: Mapping[str, float] | None = None) -> list[Judgement]:
    """The judgements of several assessors as one: for each moment that someone judged a grade, over those who judged
    it.

    Args:
        judgements: name of an assessor → qrels, in any shape of ir-measures
        by: ``'majority'``, the highest grade that more than half of them give or exceed; ``'union'``, the highest
            grade; ``'intersection'``, the lowest; ``'mean'``, the mean, which need not be a whole number
        extent: the content that all were asked to judge, as a pool or as qrels; what an assessor does not name there
            has grade 0, and what lies outside is left out
        lengths: document → length, for judgements that run to a document's end

    Returns:
        qrels, query by query and document by document, with stretches of one grade, which do not overlap, those of
        grade 0 too

    Raises:
        ValueError: no assessor, or another ``by``
        RowError: rows that are not segments

    Examples:
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures.study import merged_judgements
        >>> ann = [Qrel('q1', 'talk#t=0,20', 1), Qrel('q1', 'talk#t=20,60', 0)]
        >>> ben = [Qrel('q1', 'talk#t=0,5', 0), Qrel('q1', 'talk#t=5,25', 2), Qrel('q1', 'talk#t=25,60', 0)]
        >>> for by in ('majority', 'union', 'mean'):
        ...     print([(row.doc_id, row.relevance) for row in merged_judgements({'ann': ann, 'ben': ben}, by)])
        [('talk#t=0,5', 0), ('talk#t=5,20', 1), ('talk#t=20,60', 0)]
        [('talk#t=0,5', 1), ('talk#t=5,25', 2), ('talk#t=25,60', 0)]
        [('talk#t=0,5', 0.5), ('talk#t=5,20', 1.5), ('talk#t=20,25', 1), ('talk#t=25,60', 0)]
    """
    if not judgements:
        raise ValueError('there is no assessor: give the judgements of at least one')
    check_choice('by', by, MERGERS)
    judged = [piece._replace(grades=plain_number(MERGERS[by]([grade for grade in piece.grades if grade is not None])))
              for piece in _judged_by(judgements, 'judged' if extent is None else extent, lengths=lengths)[0]]
    return [Judgement._make([*group.stretch(start, end), grade])
            for group, parts in groupby(judged, attrgetter('group'))
            for start, end, grade in joined(part[1:] for part in parts)]


# The highest grade that more than half of the assessors reach is the lower one of the two in the middle.
MERGERS: dict[str, Callable[[list[float]], float]] = {
    'majority': median_low, 'union': max, 'intersection': min, 'mean': lambda grades: round(mean(grades), 9)}


def _judged_by(judgements: Mapping[str, Any], extent: Any = None, rel: float = 1,
               lengths: Mapping[str, float] | None = None) -> tuple[list[Piece], list[str], str]:
    """The content that assessors judged, in pieces, the queries that they speak of, and the sentence about what some
    of them did not judge. The arguments are those of :func:`agreement_of`.
    """
    asked = not (extent is None or (isinstance(extent, str) and extent == 'judged'))
    groups = lay(_layers(judgements, extent, asked, rel), lengths)
    found = [Piece(group, start, end, grades[:len(judgements)])
             for group, intervals in groups.items() for start, end, grades in pieces(
                 intervals, len(judgements) + asked) if not asked or grades[-1] is not None]
    lacks = {name: sum(piece.end - piece.start for piece in found if piece.grades[place] is None)
             for place, name in enumerate(judgements)}
    note = ', '.join(f'{name} did not judge {position(lack):.12g}' for name, lack in lacks.items() if lack)
    judged = [piece._replace(grades=[grade or 0. for grade in piece.grades]) for piece in found] if asked else found
    return judged, list(dict.fromkeys(group.query_id for group in groups)), note and (
        f'{note} of {position(sum(piece.end - piece.start for piece in found)):.12g} in length, which '
        + ('counts as not relevant' if asked else 'is left out'))


def _layers(judgements: Mapping[str, Any], extent: Any, asked: bool, rel: float) -> Iterator[Layer]:
    """The judgements of each assessor, and the extent last, if it is asked for."""
    for name in judgements:
        table = SegmentTable.from_qrels(from_pyterrier(judgements[name]))
        grades = table.value.tolist()
        if extent is None and max(grades, default=-1) < 0:
            raise ValueError(f'{quoted(name)} holds no judgements: leave it out, or give a pool as --extent (extent=)')
        if extent is None and not any(0 <= grade < rel for grade in grades):
            raise ValueError(f'{quoted(name)} has no judgement below relevance {quoted(rel)}, so that what was '
                             'looked at and found not relevant is not known: give the pool as the extent (--extent, '
                             "extent=), or 'judged' if all content that was looked at is in the judgements")
        rows = [segment[:4] for segment in table.segments()]
        first = dict(zip(reversed(rows), reversed(grades)))
        other = sum(first[row] != grade for row, grade in zip(rows, grades))
        warn([f'{name}: {other} of the {len(rows)} judgements are of a segment that is judged with another grade too, '
              'and the higher one counts: leave one of them' if other else None])
        yield name, table, {row: grade for row, grade in enumerate(grades) if grade >= 0}
    if asked:
        table = SegmentTable.from_qrels(extent.judgements() if isinstance(extent, Pool) else from_pyterrier(extent))
        yield 'the extent', table, dict.fromkeys(range(len(table)), 0.)


def _alphas(labelled: Sequence[Piece], step: float, level: str) -> dict[str, Grade]:
    """Alpha of each query, of units of one length within the stretches that two or more judged."""
    units: dict[str, list[list[Grade]]] = {piece.group.query_id: [] for piece in labelled}
    judged = [piece for piece in labelled if sum(grade is not None for grade in piece.grades) > 1]
    for group, of_group in groupby(judged, attrgetter('group')):
        parts = list(of_group)
        for start, end, _ in joined((part.start, part.end, None) for part in parts):
            for number in range(max(1, ceil((end - start) / ticks(step) * (1 - 1e-12)))):
                low = start + number * ticks(step)
                middle = (low + min(low + ticks(step), end)) / 2
                units[group.query_id].append(parts[bisect_right(parts, middle, key=attrgetter('end'))].grades)
    return {query: layers.alpha(of_query, level) for query, of_query in units.items()}


def _gammas(labelled: Sequence[Piece], assessors: int, seed: int) -> dict[str, Grade]:
    """Gamma of each query, of the stretches whose label is above 0, with its documents on one line."""
    common = [piece for piece in labelled if None not in piece.grades]
    inside = {group: list(parts) for group, parts in groupby(common, attrgetter('group'))}
    marked = {group: [joined((part.start, part.end, part.grades[place]) for part in parts if part.grades[place] > 0)
                      for place in range(assessors)] for group, parts in inside.items()}
    # Documents follow each other at a distance at which no two spans are taken for one.
    longest = max((end - start for each in marked.values() for mine in each for start, end, _ in mine), default=0)
    values: dict[str, Grade] = {}
    for query in dict.fromkeys(piece.group.query_id for piece in labelled):
        line, spans = 0, [list[tuple[float, float, Any]]() for _ in range(assessors)]
        for group in [group for group in marked if group.query_id == query]:
            offset = line - inside[group][0].start
            line = inside[group][-1].end + offset + longest
            for mine, of_group in zip(spans, marked[group]):
                mine += [(position(start + offset), position(end + offset), kind) for start, end, kind in of_group]
        values[query] = layers.gamma(spans, seed)
    return values
