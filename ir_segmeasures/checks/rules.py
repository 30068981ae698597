"""The rules of the campaigns, one small function a rule.

A rule takes a file that was read as far as possible and yields the places that break it, each with a sentence. Whether
that is a violation or a warning says the table of :mod:`ir_segmeasures.checks`.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple

from ir_segmeasures.checks.checked_lines import CheckedLine, Item, Lengths
from ir_segmeasures.checks.earlier_items import overlapping_items, repeated_items, segment_key
from ir_segmeasures.formats.inex.end_column import maybe_ends, surely_ends
from ir_segmeasures.formats.mediaeval.lists import Anchor
from ir_segmeasures.formats.trecvid.judged_shots import contradiction
from ir_segmeasures.segments.quoting import format_number, quoted

__all__ = ['File', 'Found', 'Rule', 'readable', 'target_length', 'apart_from_the_anchor', 'apart_from_earlier_ones',
           'apart_in_focused_runs', 'documents_together', 'one_item_a_document', 'overlap', 'retrieved_once',
           'judged_once', 'judged_without_contradiction', 'sampled_once', 'sampled_without_contradiction',
           'single_frame', 'on_the_minute', 'consecutive_ranks', 'lines_together', 'one_line_a_query',
           'one_line_a_document', 'known_query', 'judged_query', 'known_video', 'within_the_document',
           'jump_in_within_the_item', 'lengths_and_no_ends']

SHORTEST_TARGET, LONGEST_TARGET = 10, 120  # seconds
STEP = 60  # seconds between the starts of podcasts' segments


class File(NamedTuple):
    """The file that is checked: its lines, their items in file order, and what the other files say.

    Attributes:
        lines, items: of the file
        queries: the ids of all queries or anchors, and in which file they are; None if that is not known
        judged: the same for those that have judgements
        videos: the ids of all videos, and in which file they are; None if that is not known
        lengths: of documents, as far as known
        anchors: the segments of the anchors, as far as known
        units: (query, document) → the unit of its judgements, as far as known
        lacks: what a submission needs and the file has not, in sentences
        answered: the queries of all lines
        size, tied: how many items the file has, and how many of them have the score of another item of their query;
            of a file that is known by its lines in question, where ``lines`` and ``items`` are not all
    """

    lines: list[CheckedLine]
    items: list[Item]
    queries: tuple[Collection[str], str] | None
    judged: tuple[Collection[str], str] | None
    videos: tuple[Collection[str], str] | None
    lengths: Lengths
    anchors: Mapping[str, Anchor]
    units: Mapping[tuple[str, str], str] = {}
    lacks: Sequence[str] = ()
    answered: Collection[str] = ()
    size: int | None = None
    tied: int = 0


Found = Iterator[tuple[Item | CheckedLine, str]]
Rule = Callable[[File], Found]


def readable(file: File) -> Found:
    """Every line is one of the format. Source: the format's reader, whose sentence it is; where it has one sentence for
    all lines, the file is of another format, and the first line stands for them."""
    wrong = [line for line in file.lines if line.error is not None]
    if len(file.lines) == len(wrong) > 3 and len({line.error for line in wrong}) == 1:
        yield wrong[0], f'{wrong[0].error}; so are all {len(wrong)} lines'
        return
    for line in wrong:
        yield line, line.error or ''


def doubtful(file: File) -> Found:
    """No line has what its reader takes with a warning. Source: the format's reader, whose sentence it is."""
    for line in file.lines:
        if line.doubt is not None:
            yield line, line.doubt


def target_length(file: File) -> Found:
    """Targets are 10 to 120 s long. Source: MediaEval Search and Hyperlinking and TRECVID Video Hyperlinking, linking
    task."""
    for item in file.items:
        length = item.segment.end - item.segment.start
        if not SHORTEST_TARGET <= length <= LONGEST_TARGET:
            yield item, (f'{item} is {format_number(length)} s long, but targets of links are {SHORTEST_TARGET} to '
                         f'{LONGEST_TARGET} s long: move its start or end')


def apart_from_the_anchor(file: File) -> Found:
    """No target overlaps its anchor. Source: MediaEval Search and Hyperlinking, linking task."""
    for item in file.items:
        anchor = file.anchors.get(item.query_id)
        if (anchor is not None and anchor.doc_id == item.segment.document and item.segment.start < anchor.end
                and anchor.start < item.segment.end):
            times = f'{item.shown(anchor.start)}-{item.shown(anchor.end)}'
            yield item, (f'{item} overlaps the anchor {quoted(item.query_id)}, {times}, but a link leads away from its '
                         'anchor: take the target out, or cut it')


def apart_from_earlier_ones(file: File) -> Found:
    """No item overlaps an earlier one of the query in the same video. Source: MediaEval Search and Hyperlinking, search
    and linking task."""
    for item, earlier, same in overlapping_items(file.items):
        yield item, (f'{item} {_overlaps(earlier, same)}, but no item of a query overlaps an earlier one: take it out, '
                     'or cut it')


def apart_in_focused_runs(file: File) -> Found:
    """No item overlaps an earlier one of the topic in the same document, in runs for focused retrieval and relevant in
    context. Source: inex_eval, which rejects such runs (-f, -r, -i) and takes them as thorough ones (-t)."""
    for item, earlier, same in overlapping_items(file.items):
        yield item, (f'{item} {_overlaps(earlier, same)}, but items of focused and of relevant-in-context runs do not '
                     'overlap an earlier one: take it out, or cut it; thorough runs may have it')


def documents_together(file: File) -> Found:
    """The items of a document stand together, in runs for relevant in context. Source: inex_eval, which rejects other
    runs (-r, -i)."""
    def document(item: Item) -> str:
        return item.segment.document
    for item, last, before in _come_back(file.items, document, attrgetter('query_id')):
        yield item, (f'{item.document} comes back after {quoted(before.segment.document)}, its last item '
                     f'was{last.there}, but the items of a document stand together in relevant-in-context runs: put '
                     'them together; focused and thorough runs may have them apart')


def one_item_a_document(file: File) -> Found:
    """A document has one item, in runs for best in context. Source: inex_eval, which rejects other runs (-b)."""
    first: dict[Hashable, Item] = {}
    for item in file.items:
        earlier = first.setdefault((item.query_id, item.segment.document), item)
        if earlier is not item:
            yield item, (f'{item.document} already has an item{earlier.there}, but a document has one in '
                         'best-in-context runs, its entry point: take one of the two out')


def overlap(file: File) -> Found:
    """Segments of one query that overlap without being the same. Source: none; pools and systems have them, and
    measures differ in what they make of them."""
    for item, earlier, same in overlapping_items(file.items):
        if not same:
            yield item, f'{item} {_overlaps(earlier, same)}, which is of the same query'


def retrieved_once(file: File) -> Found:
    """No segment is retrieved twice for a query. Source: trec_eval, which refuses such runs."""
    for item, earlier in repeated_items(file.items, lambda item: None):
        yield item, (f'{item} is already retrieved for {quoted(item.query_id)}{earlier.there}, but an item counts '
                     'once: take one of the two out')


def judged_once(file: File) -> Found:
    """No segment is judged twice the same for a query. Source: the campaigns' judgements, where such lines come from
    joined files."""
    for item, earlier in repeated_items(file.items, lambda item: item.row.relevance):
        yield item, (f'{item} is already judged {item.row.relevance} for {quoted(item.query_id)}{earlier.there}: take '
                     'one of the two out')


def judged_without_contradiction(file: File) -> Found:
    """No segment is judged twice differently for a query. Source: trec_eval and the campaigns' tools, for which one
    judgement silently replaces the other."""
    judgements: dict[Hashable, list[Item]] = {}
    for item in file.items:
        relevance = item.row.relevance
        earlier = judgements.setdefault(segment_key(item), [])
        other = next((judged for judged in earlier if judged.row.relevance != relevance), None)
        if other is not None:
            yield item, (f'{item} is judged {relevance} for {quoted(item.query_id)}, but '
                         f'{other.row.relevance}{other.there}, and only one can be meant: take the wrong one out')
        if all(judged.row.relevance != relevance for judged in earlier):  # one of each keeps the list short
            earlier.append(item)


def sampled_once(file: File) -> Found:
    """No judgement is repeated exactly. Source: the VBS's judgements of 2022, of which thousands are: they count
    once."""
    for item, earlier in repeated_items(file.items, lambda item: item.row):
        yield item, (f'{item} is already judged the same for {quoted(item.query_id)}{earlier.there}: take one of the '
                     'two out')


def sampled_without_contradiction(file: File) -> Found:
    """No shot is judged twice with another relevance, stratum or second column. Source: the reader of TRECVID's
    judgements, since the strata are a partition of the pool."""
    first: dict[Hashable, Item] = {}
    for item in file.items:
        earlier = first.setdefault(segment_key(item), item)
        if earlier.row != item.row:
            yield item, contradiction(item.row, earlier.row, earlier.there.strip())


def single_frame(file: File) -> Found:
    """Judged parts of videos that start where they end. Source: the VBS's judgements, where they are single frames."""
    for item in file.items:
        if item.segment.start == item.segment.end:
            yield item, (f'{item} is a single frame, whose length takes the frame rate of the video: give '
                         'formats.vbs.read_dres the frame_rate, or take the line out')


def on_the_minute(file: File) -> Found:
    """Segments start at full minutes. Source: TREC Podcasts, where a new segment starts every 60 s; all judged ones
    do."""
    for item in file.items:
        start = item.segment.start
        if start % STEP:
            yield item, (f'{item} starts at {format_number(start)} s, but segments of the track start every {STEP} s, '
                         'so that no judgement can be of it')


def consecutive_ranks(file: File) -> Found:
    """A query's ranks are 1, 2, 3 … in the order of the file. Source: MediaEval Search and Hyperlinking, search and
    linking task."""
    last: dict[str, Item | None] = {}  # None where a line that cannot be read leaves it open
    first: dict[tuple[str, int], Item] = {}
    for line in file.lines:
        if line.error is not None:
            last[line.query_id] = None
        for item in line.items:
            rank = item.rank
            assert rank is not None
            before = last.get(item.query_id)
            unknown = before is None and item.query_id in last
            wanted = 1 if before is None or before.rank is None else before.rank + 1
            place = first.setdefault((item.query_id, rank), item)
            if place is not item:
                yield item, (f'rank {rank} of {quoted(item.query_id)} is already{place.there}, but every item of a '
                             'query has a rank of its own: number the items 1, 2, 3 and so on')
            elif rank != wanted and not unknown:
                follows = 'is its first' if before is None else f'follows rank {before.rank}{before.there}'
                yield item, (f'rank {rank} of {quoted(item.query_id)} {follows}, but {wanted} is next: number the '
                             'items 1, 2, 3 and so on, in this order')
            last[item.query_id] = item


def lines_together(file: File) -> Found:
    """The lines of a query stand together. Source: MediaEval Search and Hyperlinking, search and linking task; for
    INEX inex_eval, which fails for some runs that have them apart, and reads no ranks."""
    for item, last, before in _come_back(file.items, attrgetter('query_id'), lambda item: None):
        yield item, (f'{quoted(item.query_id)} goes on after lines of {quoted(before.query_id)}, its last line was '
                     f'{last.line}, but all lines of a query stand together: put them together')


def one_line_a_query(file: File) -> Found:
    """A query has one line. Source: QVHighlights, whose program takes one object a query."""
    first: dict[str, CheckedLine] = {}
    for line in file.lines:
        if line.error is None and first.setdefault(line.query_id, line) is not line:
            yield line, (f'query {quoted(line.query_id)} is already in line {first[line.query_id].line}, but all '
                         'windows of a query stand on one line: join the two')


def one_line_a_document(file: File) -> Found:
    """A document has one line for a topic. Source: the judgements of INEX."""
    first: dict[Hashable, CheckedLine] = {}
    for line in file.lines:
        for item in line.items[:1]:
            earlier = first.setdefault((item.query_id, item.segment.document), line)
            if earlier is not line:
                yield line, (f'document {quoted(item.segment.document)} of topic {quoted(item.query_id)} is already '
                             f'judged in line {earlier.line}, but all of its passages stand on one line: join the two, '
                             'or take one out')


def known_query(file: File) -> Found:
    """Every query is one of the task. Source: all campaigns, whose tools leave out others."""
    if file.queries is not None:
        ids, source = file.queries
        for line in file.lines:
            if line.error is None and line.query_id not in ids:
                yield line, f'{quoted(line.query_id)} is not among the ids of {source}: correct it'


def judged_query(file: File) -> Found:
    """Queries without judgements: unjudged, as 6 of the 36 of 2014, or misspelt, which the list of all queries would
    tell. Said once a query. Source: all campaigns, whose tools leave them out."""
    if file.judged is not None and file.queries is None:
        ids, source = file.judged
        for query_id, line in {line.query_id: line for line in reversed(file.lines) if line.error is None}.items():
            if query_id not in ids:
                yield line, f'{quoted(query_id)} has no judgements in {source}: it is not judged, or misspelt'


def known_video(file: File) -> Found:
    """Every video is one of the collection. Source: MediaEval Search and Hyperlinking."""
    if file.videos is not None:
        ids, source = file.videos
        for item in file.items:
            if item.segment.document not in ids:
                yield item, f'{item.document} is not among the ids of {source}: correct it'


def within_the_document(file: File) -> Found:
    """No segment starts or ends after its document's end. Source: MediaEval Search and Hyperlinking, whose own
    judgements of 2014 have such segments, since the listed durations are not exact; inex_eval, for which what lies
    there is not relevant."""
    for item in file.items:
        unit = item.segment.unit
        length = file.lengths.get((item.segment.document, unit)) if unit else None
        if length is None:
            continue
        what, units = ('video', ' s') if unit == 't' else ('document', ' characters')
        shown = item.shown(length) + (units if item.show is format_number else '')
        if item.segment.start > length:
            yield item, f'{item} starts after the end of the {what}, which is {shown} long'
        elif length < item.segment.end < inf:
            yield item, f'{item} ends after the end of the {what}, which is {shown} long'


def jump_in_within_the_item(file: File) -> Found:
    """The jump-in point of an item, where playback starts, lies in it, its end included. Source: none, and the reader
    accepts others; they come from segments that were moved or cut after the point was set."""
    for item in file.items:
        point = item.row.jump_in
        if point is not None and not item.segment.start <= point <= item.segment.end:
            yield item, (f'the jump-in point {item.shown(point)} lies outside its item, {item}: move it into the item, '
                         'such as to its start')


def lengths_and_no_ends(file: File) -> Found:
    """A last column that may be the end, where it should be the length. Source: the reader, which warns; what it
    refuses is not said again."""
    columns = {'start': [item.segment.start for item in file.items], 'end': [item.segment.end for item in file.items]}
    suspicion = maybe_ends(columns)
    if suspicion is not None and not surely_ends(dict(
            columns, query_id=[item.query_id for item in file.items],
            doc_id=[item.segment.document for item in file.items])):
        yield CheckedLine(None, '', []), suspicion


def _overlaps(earlier: Item, same: bool) -> str:
    return f'is the same segment as that{earlier.there}' if same else f'overlaps {earlier.times}{earlier.there}'


def _come_back(items: list[Item], group: Callable[[Item], Hashable],
               within: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item, Item]]:
    """Items of a group that was left, the last before of the group, and the item before, which is of another; all three
    of what they are looked at within."""
    last: dict[Hashable, Item] = {}
    before: dict[Hashable, Item] = {}
    for item in items:
        key, place = (within(item), group(item)), within(item)
        if place in before and group(before[place]) != key[1] and key in last:
            yield item, last[key], before[place]
        last[key] = before[place] = item
