"""A run beside the qrels: where the rows of one stand in the other, and names of queries and documents that differ only
in what tools add and lose: folder, extension, capitals, percent-encoding, invisible characters, the form of Unicode.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise, repeat
from unicodedata import normalize
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.segments.basics import Caching, Ints, end_repair, quoted
from ir_segmeasures.segments.segment import RECORDINGS, UNITS
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable

_EXTENSION = re.compile(r'(?<=[^\n])\.[a-z][a-z0-9]{0,4}\n')
_FOLDS = re.compile(r'[A-Z%/\\.\x80-\U0010ffff]')  # what names have that are not the same when folded
_INVISIBLE = dict.fromkeys((0xad, *range(0x200b, 0x2010), *range(0x202a, 0x202f), *range(0x2060, 0x2065), 0xfeff))
# Extensions of recordings and of their transcripts; README and README.md may be two documents.
_OF_RECORDING = re.compile(rf'(\.[a-z]{{2}})?\.({RECORDINGS}|vtt|srt|trs|[cs]tm)$', re.IGNORECASE)
_LOOKED_AT = 5000  # names of each side, to find out whether any differ like this
_ENOUGH = 3  # pairs with a folder or another extension on one side, since a/README and README may be two documents


class QrelsIndex(Caching):
    """Indices of the queries and documents of qrels, made once for one run after the other. What functions find in the
    qrels alone serves every run, too (:meth:`cached`).

    Attributes:
        qrels: the table
        queries, documents: the position of each id in ``query_ids`` or ``document_ids`` of the qrels
    """

    def __init__(self, qrels: SegmentTable):
        self.qrels = qrels
        self.queries, self.documents = (dict(zip(ids, range(len(ids)))) for ids in (
            qrels.query_ids, qrels.document_ids))

    @cached_property
    def repeated(self) -> list[tuple[int, int]]:
        """Pairs of rows that judge one segment of a query, the earlier row first."""
        qrels = self.qrels
        # Equal rows have equal sums, and rows with equal sums are nearly always equal: one sort of numbers finds them.
        number = (qrels.query * 1.6180339887 + qrels.document * 1.3247179572 + qrels.start * 0.7548776662
                  + qrels.end * 0.5698402910)
        ordered = np.sort(number)  # several times as fast as the order, which is seldom needed
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        rows = np.flatnonzero(np.isin(number, again)) if len(again) else np.zeros(0, np.intp)  # sums may be equal
        columns = qrels.query, qrels.document, qrels.start, qrels.end
        rows = rows[np.lexsort([column[rows] for column in columns[::-1]])].tolist()
        return [(one, other) for one, other in pairwise(rows) if all(column[one] == column[other] for column in columns)
                and (qrels.paths is None or qrels.paths[one] == qrels.paths[other])]


class Match(Caching):
    """The rows of a run with the queries and documents of the qrels.

    Args:
        qrels, run: the tables; ranks are those of the rows of the run, so that it is in rank order
        index: the index of the qrels; not given: it is made here

    Attributes:
        query_places, document_places: for each id of the run, its position in the qrels, or -1
        query, document: for each row, the position of its query or of its document in the qrels, or -1; both are -1
            in a query that is not judged
        key: for each row, a number for the document of its query in the qrels, or -1

    Raises:
        RowError: a segment of the run is in another unit than the judgements of its document
    """

    def __init__(self, qrels: SegmentTable, run: SegmentTable, index: QrelsIndex | None = None):
        self.qrels, self.run = qrels, run
        self.index = index or QrelsIndex(qrels)
        self.query_places, self.document_places = (
            np.fromiter(map(places.get, ids, repeat(-1)), np.intp, len(ids)) for places, ids in (
                (self.index.queries, run.query_ids), (self.index.documents, run.document_ids)))
        self.query = self.query_places[run.query]
        self.document = np.where(self.query < 0, -1, self.document_places[run.document])
        self.key = np.where(self.document < 0, -1, document_key(qrels, self.query, self.document))
        self._check_units()

    def _check_units(self) -> None:
        if len(self.qrels.units() | self.run.units()) < 2:
            return
        known = self.qrels.unit != NO_UNIT
        keys = document_key(self.qrels, self.qrels.query, self.qrels.document)[known]
        judged = dict(zip(keys.tolist(), self.qrels.unit[known].tolist()))
        for row in np.flatnonzero((self.key >= 0) & (self.run.unit != NO_UNIT)).tolist():
            unit, other = int(self.run.unit[row]), judged.get(int(self.key[row]), NO_UNIT)
            if other not in (unit, NO_UNIT):
                raise self.run.error(row, f'it is in {quoted(UNITS[unit])}, but the judgements of the document are in '
                                          f'{quoted(UNITS[other])}: give both in one unit')

    @cached_property
    def _bounds(self) -> Ints:
        """Tells where the rows of each query of the run begin, and those of the last one end."""
        return np.searchsorted(self.run.query, np.arange(len(self.run.query_ids) + 1))

    @cached_property
    def rankings(self) -> tuple[Ints, Ints]:
        """The judged queries that have results, and where the rows of each begin and end, as two columns."""
        low, high = self._bounds[:-1], self._bounds[1:]
        judged = (self.query_places >= 0) & (low < high)
        return self.query_places[judged], np.column_stack([low[judged], high[judged]])

    def check_ends(self) -> None:
        """Raises a RowError for a row of a judged query whose end is not known."""
        self.run.refuse(np.isinf(self.run.end) & (self.query >= 0), lambda row: (
            "it runs to the document's end, which is not known and which measures of content need: "
            f'{end_repair("run", self.run.document_ids[self.run.document[row]])}'))

    @cached_property
    def rank(self) -> Ints:
        """The rank of each row, from 1."""
        return np.arange(1, len(self.run) + 1) - self._bounds[self.run.query]

    @cached_property
    def document_rank(self) -> Ints:
        """The number of different documents among the rows of a query up to each row: at the first item of a document,
        the rank of the document. In a query whose rows begin at ``low``, it is ``len(set(document[low:row + 1]))``.
        """
        # A stable sort by document leaves each document's rows in rank order; on short integers it is a radix sort.
        document, query = self.run.document, self.run.query
        order = np.argsort(document.astype(np.min_scalar_type(len(self.run.document_ids))), kind='stable')
        document, query = document[order], query[order]
        first = np.ones(len(order), np.intp)
        first[order[1:]] = (document[1:] != document[:-1]) | (query[1:] != query[:-1])
        rank = np.cumsum(first)
        return rank - (rank - first)[self._bounds[self.run.query]]


def document_key(qrels: SegmentTable, query: Ints, document: Ints) -> Ints:
    """A number for each document of a query of the qrels."""
    return query * max(1, len(qrels.document_ids)) + document


def ids_of(match: Match, what: str) -> tuple[list[str], list[str], Ints]:
    """The ``'queries'`` or ``'documents'`` of the run and of the qrels, and where those of the run stand in the
    qrels."""
    if what == 'queries':
        return match.run.query_ids, match.qrels.query_ids, match.query_places
    return match.run.document_ids, match.qrels.document_ids, match.document_places


def folded_names(ids: Sequence[str]) -> list[str]:
    """Names without what tools add and lose: folder, extension, capitals, percent-encoding, invisible characters and
    the form of Unicode. Ids hold no line feeds."""
    text = '\n'.join(ids)
    if not _FOLDS.search(text):
        return list(ids)
    if '%' in text or not text.isascii():
        text = '\n'.join(map(_plain, ids))
    text = text.casefold().replace('\\', '/') + '\n'
    if '/' in text:
        text = '\n'.join([name.rpartition('/')[2] or name for name in text.split('\n')])
    while '.' in text and (shorter := _EXTENSION.sub('\n', text)) != text:
        text = shorter
    return text[:-1].split('\n')


def _plain(name: str) -> str:
    """A name without percent-encoding and invisible characters, in the composed form of Unicode."""
    return normalize('NFKC', unquote(name)).translate(_INVISIBLE).replace('\n', ' ').replace('\\', '/')


def other_names(match: Match, what: str) -> str | None:
    """Some names differ in extension, folder, case or Unicode form, and both sides together have only these two."""
    ids, known, places = ids_of(match, what)
    alone = np.flatnonzero(places < 0), np.flatnonzero(np.bincount(places + 1, minlength=len(known) + 1)[1:] == 0)
    # Names stand in the order of the queries, so that those of a part are in the first ones of both sides.
    names = [[side[place] for place in some[:_LOOKED_AT].tolist()] for side, some in zip((ids, known), alone)]
    if not any(_FOLDS.search('\n'.join(side)) for side in names) or (
            set(folded_names(names[1])).isdisjoint(folded_names(names[0]))):
        return None
    folded = [folded_names(side) for side in (ids, known)]
    counts = [Counter(side) for side in folded]
    here, there = ({folded[side][place]: names[place] for place in alone[side].tolist()}
                   for side, names in enumerate((ids, known)))
    pairs = [(here[name], there[name]) for name in there if name in here and counts[0][name] == counts[1][name] == 1]
    case = any(len(set(map(str.casefold, side))) == len(side) for side in (ids, known))  # which tells none apart
    sure = dict.fromkeys(pair for pair in pairs if _is_sure(*pair, case))
    # What is folded may tell two names of a side apart; then only what is sure is another name.
    told = list(sure) if any(len(count) < len(side) for count, side in zip(counts, folded)) else [
        pair for pair in pairs if pair in sure or _is_part(*pair)]
    if not sure and len(told) < _ENOUGH:
        return None
    id, other = [*sure, *told][0]
    repair = ', names by quote_id() of ir_segmeasures' if unquote(id) == unquote(other) else ''
    return (f'{len(told)} of the {len(known)} judged {what} are in the run by another name alone, such as '
            f'{quoted(other)} as {quoted(id)}{in_code_points(id, other)}, so that their items count as those of other '
            f'{what}: give both the same ids{repair}')


def _is_sure(id: str, other: str, case: bool) -> bool:
    """Tells whether two names differ only in their form, in ``case``, or in an extension of recordings."""
    one, two = (_OF_RECORDING.sub('', _plain(name)) for name in (id, other))
    return one == two or (case and one.casefold() == two.casefold())


def _is_part(id: str, other: str) -> bool:
    """Tells whether one name is the other with a folder before it or an extension behind it."""
    shorter, longer = sorted((_plain(name).casefold() for name in (id, other)), key=len)
    return bool(re.fullmatch(rf'(.*/)?{re.escape(shorter)}(\.[a-z][a-z0-9]{{0,4}})*', longer))


def in_code_points(id: str, other: str) -> str:
    """The code points in which two names differ that look alike, as the continuation of a sentence; else nothing."""
    alike = len(id) == len(other) and not any(one != two and (one + two).isascii() for one, two in zip(id, other))
    if not (alike or _plain(id) == _plain(other)) or unquote(id) == unquote(other):
        return ''
    while id[:1] == other[:1]:
        id, other = id[1:], other[1:]
    while id[-1:] == other[-1:] != '':
        id, other = id[:-1], other[:-1]
    one, two = (' '.join(f'U+{ord(sign):04X}' for sign in name) or 'nothing' for name in (other, id))
    return f' ({one} in the qrels, {two} in the run)'
