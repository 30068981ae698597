"""The rules of the campaigns for runs and judgements, one small function a rule, and which rules a format has.

A rule takes a file that was read as far as possible and yields the lines that break it, each with a sentence. Whether
that is a violation or a warning says the table ``RULES``. What a format's own reader refuses is a violation too: its
line parsers are used here, in a walk that goes on after a bad line.
"""

import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures import formats
from ir_segmeasures.formats import genomics, mediaeval, moments, trec
from ir_segmeasures.formats.base import LATIN_1, UTF_8, Number, StrPath, numbered_rows
from ir_segmeasures.segment import Segment, format_number, parse_segment

__all__ = ['Finding', 'check']

SHORTEST_TARGET, LONGEST_TARGET = 10, 120  # seconds


class Finding(NamedTuple):
    """A line that breaks a rule.

    Attributes:
        line: its number, from 1
        sentence: what is wrong, the rule and the repair
        is_warning: whether it is no violation, but may be a mistake
    """

    line: int
    sentence: str
    is_warning: bool


class Item(NamedTuple):
    """A retrieved or judged segment.

    Attributes:
        line: number of its line, from 1
        query_id: the query, anchor or topic
        segment: what is retrieved or judged
        rank: as in the file; None where the format has none that counts
        relevance: of a judgement; None in runs
        clock: whether times are shown in ``minutes.seconds``
    """

    line: int
    query_id: str
    segment: Segment
    rank: int | None
    relevance: Number | None
    clock: bool

    def __str__(self) -> str:
        document, _, _, unit, path = self.segment
        if unit is None:
            return repr(document)
        element = '' if path is None else f'{path} in '
        return f'{self.times} of {element}{document!r}'

    @property
    def times(self) -> str:
        """Start and end, as the format writes them."""
        return f'{self.shown(self.segment.start)}-{self.shown(self.segment.end)}'

    def shown(self, position: Number) -> str:
        """A position, as the format writes it."""
        if position == inf:
            return 'the end'
        return mediaeval.format_time(int(position)) if self.clock else format_number(position)


class Line(NamedTuple):
    """A line that is not blank. One that the reader refuses has an ``error`` and no ``items``, and its ``query_id`` is
    what stands in the place of one."""

    number: int
    query_id: str
    items: list[Item]
    error: str | None


class File(NamedTuple):
    """What is checked: the lines, their items in file order, and what the other files say.

    Attributes:
        lines, items: of the file
        queries: the ids of all queries or anchors, and in which file they are; None if that is not known
        judged: the same for those that have judgements
        videos: the ids of all videos, and in which file they are; None if that is not known
        durations: of videos, as far as known
        anchors: the segments of the anchors, as far as known
    """

    lines: list[Line]
    items: list[Item]
    queries: tuple[Collection[str], str] | None
    judged: tuple[Collection[str], str] | None
    videos: tuple[Collection[str], str] | None
    durations: Mapping[str, Number]
    anchors: Mapping[str, mediaeval.Anchor]


Found = Iterator[tuple[int, str]]
Rule = Callable[[File], Found]


def readable(file: File) -> Found:
    """Every line is one of the format. Source: the format's reader, whose sentence it is."""
    for line in file.lines:
        if line.error is not None:
            yield line.number, line.error


def target_length(file: File) -> Found:
    """Targets are 10 to 120 s long. Source: MediaEval Search and Hyperlinking and TRECVID Video Hyperlinking, linking
    task."""
    for item in file.items:
        length = item.segment.end - item.segment.start
        if not SHORTEST_TARGET <= length <= LONGEST_TARGET:
            yield item.line, (f'{item} is {format_number(length)} s long, but targets of links are {SHORTEST_TARGET} '
                              f'to {LONGEST_TARGET} s long (move its start or end)')


def apart_from_the_anchor(file: File) -> Found:
    """No target overlaps its anchor. Source: MediaEval Search and Hyperlinking, linking task."""
    for item in file.items:
        anchor = file.anchors.get(item.query_id)
        if (anchor is not None and anchor.doc_id == item.segment.document and item.segment.start < anchor.end
                and anchor.start < item.segment.end):
            times = f'{item.shown(anchor.start)}-{item.shown(anchor.end)}'
            yield item.line, (f'{item} overlaps the anchor {item.query_id!r}, {times}, but a link leads away from its '
                              'anchor (take the target out, or cut it)')


def apart_from_earlier_ones(file: File) -> Found:
    """No item overlaps an earlier one of the query in the same video. Source: MediaEval Search and Hyperlinking, search
    and linking task."""
    for item, earlier, same in _overlaps(file.items):
        how = 'is the same segment as that of' if same else f'overlaps {earlier.times} in'
        yield item.line, (f'{item} {how} line {earlier.line}, but no item of a query overlaps an earlier one (take it '
                          'out, or cut it)')


def overlap(file: File) -> Found:
    """Segments of one query that overlap without being the same. Source: none; pools and systems have them, and
    measures differ in what they make of them."""
    for item, earlier, same in _overlaps(file.items):
        if not same:
            yield item.line, f'{item} overlaps {earlier.times} in line {earlier.line}, which is of the same query'


def retrieved_once(file: File) -> Found:
    """No segment is retrieved twice for a query. Source: trec_eval, which refuses such runs."""
    for item, earlier in _repeated(file.items, lambda item: None):
        yield item.line, (f'{item} is already retrieved for {item.query_id!r} in line {earlier.line}, but an item '
                          'counts once (take one of the two out)')


def judged_once(file: File) -> Found:
    """No segment is judged twice the same for a query. Source: the campaigns' judgements, where such lines come from
    joined files."""
    for item, earlier in _repeated(file.items, lambda item: item.relevance):
        yield item.line, (f'{item} is already judged {earlier.relevance} for {item.query_id!r} in line {earlier.line} '
                          '(take one of the two out)')


def judged_without_contradiction(file: File) -> Found:
    """No segment is judged twice differently for a query. Source: trec_eval and the campaigns' tools, for which one
    judgement silently replaces the other."""
    judgements: dict[Hashable, list[Item]] = {}
    for item in file.items:
        earlier = judgements.setdefault(_identity(item), [])
        other = next((judged for judged in earlier if judged.relevance != item.relevance), None)
        if other is not None:
            yield item.line, (f'{item} is judged {item.relevance} for {item.query_id!r}, but {other.relevance} in line '
                              f'{other.line}, and only one can be meant (take the wrong one out)')
        if all(judged.relevance != item.relevance for judged in earlier):  # one of each keeps the list short
            earlier.append(item)


def consecutive_ranks(file: File) -> Found:
    """A query's ranks are 1, 2, 3 … in the order of the file. Source: MediaEval Search and Hyperlinking, search and
    linking task."""
    last: dict[str, Item | None] = {}  # None where a line that cannot be read leaves it open
    first: dict[tuple[str, int], int] = {}
    for line in file.lines:
        if line.error is not None:
            last[line.query_id] = None
        for item in line.items:
            rank = item.rank
            assert rank is not None
            before = last.get(item.query_id)
            unknown = before is None and item.query_id in last
            wanted = 1 if before is None or before.rank is None else before.rank + 1
            place = first.setdefault((item.query_id, rank), item.line)
            if place != item.line:
                yield item.line, (f'rank {rank} of {item.query_id!r} is already in line {place}, but every item of a '
                                  'query has a rank of its own (number the items 1, 2, 3 and so on)')
            elif rank != wanted and not unknown:
                follows = 'is its first' if before is None else f'follows rank {before.rank} in line {before.line}'
                yield item.line, (f'rank {rank} of {item.query_id!r} {follows}, but {wanted} is next (number the items '
                                  '1, 2, 3 and so on, in this order)')
            last[item.query_id] = item


def lines_together(file: File) -> Found:
    """The lines of a query stand together. Source: MediaEval Search and Hyperlinking, search and linking task."""
    last: dict[str, int] = {}
    before: Item | None = None
    for item in file.items:
        if before is not None and before.query_id != item.query_id and item.query_id in last:
            yield item.line, (f'{item.query_id!r} goes on after lines of {before.query_id!r}, its last line was '
                              f'{last[item.query_id]}, but all lines of a query stand together (sort the file by '
                              'query and rank)')
        last[item.query_id] = item.line
        before = item


def one_line_a_query(file: File) -> Found:
    """A query has one line. Source: QVHighlights, whose program takes one object a query."""
    first: dict[str, int] = {}
    for line in file.lines:
        if line.error is None and first.setdefault(line.query_id, line.number) != line.number:
            yield line.number, (f'query {line.query_id!r} is already in line {first[line.query_id]}, but all windows '
                                'of a query stand on one line (join the two)')


def known_query(file: File) -> Found:
    """Every query is one of the task. Source: all campaigns, whose tools leave out others."""
    if file.queries is not None:
        ids, source = file.queries
        for line in file.lines:
            if line.error is None and line.query_id not in ids:
                yield line.number, f'{line.query_id!r} is not among the ids of {source} (correct it)'


def judged_query(file: File) -> Found:
    """Queries without judgements: unjudged, as 6 of the 36 of 2014, or misspelt, which the list of all queries would
    tell. Said once a query. Source: all campaigns, whose tools leave them out."""
    if file.judged is not None and file.queries is None:
        ids, source = file.judged
        for query_id, number in {line.query_id: line.number for line in reversed(file.lines)
                                 if line.error is None}.items():
            if query_id not in ids:
                yield number, f'{query_id!r} has no judgements in {source}: it is not judged, or misspelt'


def known_video(file: File) -> Found:
    """Every video is one of the collection. Source: MediaEval Search and Hyperlinking."""
    if file.videos is not None:
        ids, source = file.videos
        for item in file.items:
            if item.segment.document not in ids:
                yield item.line, f'{item.segment.document!r} is not among the ids of {source} (correct it)'


def within_the_video(file: File) -> Found:
    """No segment starts or ends after its video's end. Source: MediaEval Search and Hyperlinking, whose own judgements
    of 2014 have such segments, since the listed durations are not exact."""
    for item in file.items:
        duration = file.durations.get(item.segment.document)
        if duration is None or item.segment.unit != 't':
            continue
        length = item.shown(duration) if item.clock else f'{item.shown(duration)} s'
        if item.segment.start > duration:
            yield item.line, f'{item} starts after the end of the video, which is {length} long'
        elif duration < item.segment.end < inf:
            yield item.line, f'{item} ends after the end of the video, which is {length} long'


class Rules(NamedTuple):
    """The rules of a kind of file: those whose breach is a violation, and those whose breach is a warning."""

    violations: tuple[Rule, ...]
    warnings: tuple[Rule, ...]


_SEARCH = (readable, apart_from_earlier_ones, consecutive_ranks, lines_together, known_query, known_video)
_QRELS = Rules((readable, judged_once, judged_without_contradiction, known_query, known_video),
               (overlap, within_the_video))
_WARNINGS = (judged_query, overlap, within_the_video)

RULES: dict[tuple[str, str], Rules] = {
    ('trec', 'run'): Rules((readable, retrieved_once, known_query, known_video), _WARNINGS),
    ('trec', 'qrels'): _QRELS,
    ('sh-search', 'run'): Rules(_SEARCH, (judged_query, within_the_video)),
    ('sh-search', 'qrels'): _QRELS,
    ('sh-linking', 'run'): Rules((*_SEARCH, target_length, apart_from_the_anchor), (judged_query, within_the_video)),
    ('sh-linking', 'qrels'): _QRELS,
    ('sh-known-item', 'qrels'): _QRELS,
    # Their programs take what is retrieved twice, and real predictions of moments have it.
    ('genomics', 'run'): Rules((readable, known_query), (judged_query, retrieved_once, overlap)),
    ('genomics', 'qrels'): _QRELS,
    ('moments', 'run'): Rules((readable, one_line_a_query, known_query, known_video), (retrieved_once, *_WARNINGS)),
    ('moments', 'qrels'): Rules((one_line_a_query, *_QRELS.violations), _QRELS.warnings),
}


def check(path: StrPath, format: str, kind: str = 'run', *, qrels: StrPath | None = None,
          videos: StrPath | None = None, queries: StrPath | None = None,
          anchors: StrPath | None = None) -> list[Finding]:
    """Checks a file against the rules of its campaign. A rule that needs a file that is not given is left out.

    Args:
        path: the file, ``.gz`` by suffix
        format: of the file, one of ``formats.FORMATS``
        kind: ``'run'`` or ``'qrels'``
        qrels: the judgements of a run, in its format
        videos: the list of all videos, ``id HH:MM:SS``
        queries, anchors: the list of all queries or anchors, XML

    Returns:
        in the order of the lines, violations of a line before warnings

    Raises:
        FormatError: the file is no text, or one of the others breaks a rule of its format
        ValueError: there is no such format, or none of this kind
        OSError: a file cannot be opened
    """
    if (format, kind) not in RULES:
        raise ValueError(f'there are no rules for {kind} of format {format!r}')
    lines, durations = _read(path, format, kind)
    everything = judged = listed = None
    places: dict[str, mediaeval.Anchor] = {}
    if qrels is not None:
        rows: Sequence[Any] = formats.read_qrels(qrels, format)
        judged = {row.query_id for row in rows}, os.fspath(qrels)
        durations.update(_durations(rows))
    if queries is not None:
        everything = {query.query_id for query in mediaeval.read_queries(queries)}, os.fspath(queries)
    if anchors is not None:
        places = {anchor.query_id: anchor for anchor in mediaeval.read_anchors(anchors)}
        everything = set(places), os.fspath(anchors)
    if videos is not None:
        lengths = dict(mediaeval.read_videos(videos))
        durations.update(lengths)
        listed = set(lengths), os.fspath(videos)
    file = File(lines, [item for line in lines for item in line.items], everything, judged, listed, durations, places)
    rules = RULES[format, kind]
    found = [Finding(*place, group is rules.warnings) for group in rules for rule in group for place in rule(file)]
    return sorted(found, key=lambda finding: finding.line)


def _identity(item: Item) -> Hashable:
    return item.query_id, item.segment


def _repeated(items: list[Item], what: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item]]:
    """Items whose segment was there before for the query, with the same of what is asked for, and the first such."""
    first: dict[Hashable, Item] = {}
    for item in items:
        earlier = first.setdefault((_identity(item), what(item)), item)
        if earlier is not item:
            yield item, earlier


def _overlaps(items: list[Item]) -> Iterator[tuple[Item, Item, bool]]:
    """Items that have content in common with an earlier one of the query and document, one such earlier item, and
    whether the two are the same segment."""
    first: dict[Hashable, Item] = {}
    # What is covered so far, in disjoint pieces in order, each of the latest item there: it takes the place of those
    # that it covers, so that a piece comes and goes once.
    covered: dict[Hashable, tuple[list[Number], list[Number], list[Item]]] = {}
    for item in items:
        earlier = first.setdefault(_identity(item), item)
        if earlier is not item:
            yield item, earlier, True
            continue
        document, start, end, unit, _ = item.segment
        if start == end:
            continue  # it has no content
        starts, ends, owners = covered.setdefault((item.query_id, document, unit), ([], [], []))
        i = bisect_right(ends, start)
        j = bisect_left(starts, end, i)
        pieces: list[tuple[Number, Number, Item]] = [(start, end, item)]
        if i < j:
            yield item, owners[i], False
            if starts[i] < start:
                pieces.insert(0, (starts[i], start, owners[i]))
            if end < ends[j - 1]:
                pieces.append((end, ends[j - 1], owners[j - 1]))
        starts[i:j], ends[i:j], owners[i:j] = map(list, zip(*pieces))


# The readers' own line parsers, how they split a line, and the encoding. Those of moments are not to be had one by one.
_PARSERS: dict[tuple[str, str], tuple[Callable[[list[str]], Any], Callable[[str], list[str]], str]] = {
    ('trec', 'run'): (trec._scored_doc, str.split, UTF_8),
    ('trec', 'qrels'): (trec._qrel, str.split, UTF_8),
    ('sh-search', 'run'): (mediaeval._search_result, str.split, UTF_8),
    ('sh-search', 'qrels'): (mediaeval._qrel, str.split, UTF_8),
    ('sh-linking', 'run'): (mediaeval._linking_result, str.split, UTF_8),
    ('sh-linking', 'qrels'): (mediaeval._qrel, str.split, UTF_8),
    ('sh-known-item', 'qrels'): (mediaeval._known_item, str.split, UTF_8),
    ('genomics', 'run'): (genomics._scored_doc, str.split, LATIN_1),
    ('genomics', 'qrels'): (genomics._qrel, genomics._tabs, LATIN_1),
    ('moments', 'run'): (moments._results, moments._whole_line, UTF_8),
    ('moments', 'qrels'): (moments._qrels, moments._whole_line, UTF_8),
}


def _read(path: StrPath, format: str, kind: str) -> tuple[list[Line], dict[str, Number]]:
    """All lines of the file, and the durations that it tells."""
    unit, clock = formats.FORMATS[format].unit, format.startswith('sh-')
    durations: dict[str, Number] = {}

    def item_of(row: Any) -> Item:  # its line is not known yet
        segment = Segment(row.doc_id, row.start, row.end, unit) if hasattr(row, 'end') else parse_segment(row.doc_id)
        return Item(0, row.query_id, segment, getattr(row, 'rank', None), getattr(row, 'relevance', None), clock)

    def walk(parse: Callable[[list[str]], tuple[str, Sequence[Any]]], split: Callable[[str], list[str]],
             encoding: str) -> list[Line]:
        def attempt(fields: list[str]) -> Line:
            try:
                query_id, rows = parse(fields)
                items = list(map(item_of, rows))
            except ValueError as error:
                return Line(0, fields[0].strip(), [], str(error))
            durations.update(_durations(rows))
            return Line(0, query_id, items, None)
        return [Line(number, line.query_id, [item._replace(line=number) for item in line.items], line.error)
                for number, line in zip(*numbered_rows(path, attempt, split, encoding))]

    parse, split, encoding = _PARSERS[format, kind]

    def one_row(fields: list[str]) -> tuple[str, Sequence[Any]]:
        row = parse(fields)
        return row.query_id, [row]
    # A line of moments is a query with all its windows, which may be none.
    return walk(parse if format == 'moments' else one_row, split, encoding), durations


def _durations(rows: Sequence[Any]) -> dict[str, Number]:
    return {row.doc_id: row.duration for row in rows if getattr(row, 'duration', None) is not None}
