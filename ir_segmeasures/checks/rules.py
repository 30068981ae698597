"""The rules of the campaigns, one small function a rule.

A rule takes a file that was read as far as possible and yields the rows that break it, each with a sentence; None in
the place of the row means the file as a whole. Formats name the rules of their files, and say which breach is a
violation and which a warning (:class:`~ir_segmeasures.formats.files.format.Rules`).
"""

import re
from collections.abc import Callable, Iterator
from math import inf

import numpy as np

from ir_segmeasures.checks.checked_file import CheckedFile, Item, first_rows, overlapping_rows, previous_rows
from ir_segmeasures.formats.trecvid.judged_shots import contradiction
from ir_segmeasures.segments.arrays import Bools, Ints
from ir_segmeasures.segments.other_ids import intended_segment
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.positions import NO_UNIT
from ir_segmeasures.segments.warnings import example_document, tie_sentence

__all__ = ['Found', 'RULES', 'Rule']

SHORTEST_TARGET, LONGEST_TARGET = 10, 120  # seconds
STEP = 60  # seconds between the starts of podcasts' segments
EXAMPLES = 3
REL = 1  # from which grade on measures take a judgement as relevant, unless they are told another
_DIGITS = re.compile(r'[0-9]{1,15}')

Found = Iterator[tuple[int | None, str]]
Rule = Callable[[CheckedFile], Found]


def _items(file: CheckedFile, rows: Bools) -> Iterator[tuple[int, Item]]:
    return ((row, file.item(row)) for row in np.flatnonzero(rows).tolist())


def target_length(file: CheckedFile) -> Found:
    """Targets are 10 to 120 s long. Source: MediaEval Search and Hyperlinking and TRECVID Video Hyperlinking, linking
    task."""
    length = file.places.end - file.places.start
    for row, item in _items(file, (length < SHORTEST_TARGET) | (length > LONGEST_TARGET)):
        yield row, (f'{item} is {format_number(length[row])} s long, but targets of links are {SHORTEST_TARGET} to '
                    f'{LONGEST_TARGET} s long: move its start or end')


def apart_from_the_anchor(file: CheckedFile) -> Found:
    """No target overlaps its anchor. Source: MediaEval Search and Hyperlinking, linking task."""
    for row, query in enumerate(file.query_ids() if file.anchors else ()):
        anchor, item = file.anchors.get(query), file.item(row)
        if (anchor is not None and anchor.doc_id == item.segment.document and item.segment.start < anchor.end
                and anchor.start < item.segment.end):
            times = f'{item.shown(anchor.start)}-{item.shown(anchor.end)}'
            yield row, (f'{item} overlaps the anchor {quoted(query)}, {times}, but a link leads away from its anchor: '
                        'take the target out, or cut it')


def apart_from_earlier_ones(file: CheckedFile) -> Found:
    """No item overlaps an earlier one of the query in the same video. Source: MediaEval Search and Hyperlinking, search
    and linking task."""
    for row, earlier, same in overlapping_rows(file):
        yield row, (f'{file.item(row)} {_overlaps(file.item(earlier), same)}, but no item of a query overlaps an '
                    'earlier one: take it out, or cut it')


def apart_in_focused_runs(file: CheckedFile) -> Found:
    """No item overlaps an earlier one of the topic in the same document, in runs for focused retrieval and relevant in
    context. Source: inex_eval, which rejects such runs (-f, -r, -i) and takes them as thorough ones (-t)."""
    for row, earlier, same in overlapping_rows(file):
        yield row, (f'{file.item(row)} {_overlaps(file.item(earlier), same)}, but items of focused and of '
                    'relevant-in-context runs do not overlap an earlier one: take it out, or cut it; thorough runs may '
                    'have it')


def documents_together(file: CheckedFile) -> Found:
    """The items of a document stand together, in runs for relevant in context. Source: inex_eval, which rejects other
    runs (-r, -i)."""
    for row, last, before in _come_back(file.codes('document'), file.query):
        yield row, (f'{file.item(row).document} comes back after {quoted(file.item(before).segment.document)}, its '
                    f'last item was{file.item(last).there}, but the items of a document stand together in '
                    'relevant-in-context runs: put them together; focused and thorough runs may have them apart')


def one_item_a_document(file: CheckedFile) -> Found:
    """A document has one item, in runs for best in context. Source: inex_eval, which rejects other runs (-b)."""
    for row, earlier in _repeated(file.codes('document')):
        yield row, (f'{file.item(row).document} already has an item{file.item(earlier).there}, but a document has one '
                    'in best-in-context runs, its entry point: take one of the two out')


def overlap(file: CheckedFile) -> Found:
    """Segments of one query that overlap without being the same. Source: none; pools and systems have them, and
    measures differ in what they make of them."""
    for row, earlier, same in overlapping_rows(file):
        if not same:
            yield row, f'{file.item(row)} {_overlaps(file.item(earlier), same)}, which is of the same query'


def retrieved_once(file: CheckedFile) -> Found:
    """No segment is retrieved twice for a query. Source: trec_eval, which refuses such runs."""
    for row, earlier in _repeated(file.codes('segment')):
        item = file.item(row)
        yield row, (f'{item} is already retrieved for {quoted(item.row.query_id)}{file.item(earlier).there}, but an '
                    'item counts once: take one of the two out')


def judged_once(file: CheckedFile) -> Found:
    """No segment is judged twice the same for a query. Source: the campaigns' judgements, where such lines come from
    joined files."""
    for row, earlier in _repeated(file.codes('segment', 'relevance')):
        item = file.item(row)
        yield row, (f'{item} is already judged {item.row.relevance} for {quoted(item.row.query_id)}'
                    f'{file.item(earlier).there}: take one of the two out')


def judged_without_contradiction(file: CheckedFile) -> Found:
    """No segment is judged twice differently for a query. Source: trec_eval and the campaigns' tools, for which one
    judgement silently replaces the other."""
    grades = file.rows.columns['relevance']
    for row, earlier in _repeated(file.codes('segment')):
        if grades[row] != grades[earlier]:
            item, other = file.item(row), file.item(earlier)
            yield row, (f'{item} is judged {item.row.relevance} for {quoted(item.row.query_id)}, but '
                        f'{other.row.relevance}{other.there}, and only one can be meant: take the wrong one out')


def sampled_once(file: CheckedFile) -> Found:
    """No judgement is repeated exactly. Source: the VBS's judgements of 2022, of which thousands are: they count
    once."""
    for row, earlier in _repeated(file.codes('segment', *list(file.rows.columns)[2:])):
        item = file.item(row)
        yield row, (f'{item} is already judged the same for {quoted(item.row.query_id)}{file.item(earlier).there}: '
                    'take one of the two out')


def sampled_without_contradiction(file: CheckedFile) -> Found:
    """No shot is judged twice with another relevance, stratum or second column. Source: the reader of TRECVID's
    judgements, since the strata are a partition of the pool."""
    for row, earlier in _repeated(file.codes('segment')):
        if file.rows[row] != file.rows[earlier]:
            yield row, contradiction(file.rows[row], file.rows[earlier], file.item(earlier).there.strip())


def single_frame(file: CheckedFile) -> Found:
    """Judged parts of videos that start where they end. Source: the VBS's judgements, where they are single frames."""
    for row, item in _items(file, file.places.start == file.places.end):
        yield row, (f'{item} is a single frame, whose length takes the frame rate of the video: give '
                    'formats.vbs.read_dres the frame_rate, or take the line out')


def on_the_minute(file: CheckedFile) -> Found:
    """Segments start at full minutes. Source: TREC Podcasts, where a new segment starts every 60 s; all judged ones
    do."""
    for row, item in _items(file, file.places.start % STEP != 0):
        yield row, (f'{item} starts at {format_number(item.segment.start)} s, but segments of the track start every '
                    f'{STEP} s, so that no judgement can be of it')


def consecutive_ranks(file: CheckedFile) -> Found:
    """A query's ranks are 1, 2, 3 … in the order of the file. Source: MediaEval Search and Hyperlinking, search and
    linking task."""
    ranks, lines = file.rows.columns['rank'], file.rows.lines
    before = previous_rows(file.query)
    again = dict(_repeated(file.codes('rank')))
    wanted = np.where(before < 0, 1, ranks[before] + 1)
    wrong = ranks != wanted
    wrong[list(again)] = True
    for row in np.flatnonzero(wrong).tolist():
        item, last = file.item(row), int(before[row])
        query = quoted(item.row.query_id)
        if row in again:
            yield row, (f'rank {ranks[row]} of {query} is already{file.item(again[row]).there}, but every item of a '
                        'query has a rank of its own: number the items 1, 2, 3 and so on')
        elif lines is None or not any((lines[last] if last >= 0 else 0) < fault < lines[row] for fault in file.faults):
            follows = 'is its first' if last < 0 else f'follows rank {ranks[last]}{file.item(last).there}'
            yield row, (f'rank {ranks[row]} of {query} {follows}, but {wanted[row]} is next: number the items 1, 2, 3 '
                        'and so on, in this order')


def lines_together(file: CheckedFile) -> Found:
    """The lines of a query stand together. Source: MediaEval Search and Hyperlinking, search and linking task; for
    INEX inex_eval, which fails for some runs that have them apart, and reads no ranks."""
    ids = file.query_ids()
    for row, last, before in _come_back(file.query, np.zeros(len(file), int)):
        yield row, (f'{quoted(ids[row])} goes on after lines of {quoted(ids[before])}, its last line was '
                    f'{file.item(last).line}, but all lines of a query stand together: put them together')


def one_line_a_document(file: CheckedFile) -> Found:
    """A document has one line for a topic. Source: the judgements of INEX."""
    for row, earlier in _on_other_lines(file, file.codes('document')):
        item = file.item(row)
        yield row, (f'document {quoted(item.segment.document)} of topic {quoted(item.row.query_id)} is already judged '
                    f'in line {file.item(earlier).line}, but all of its passages stand on one line: join the two, or '
                    'take one out')


def known_query(file: CheckedFile) -> Found:
    """Every query is one of the task. Source: all campaigns, whose tools leave out others."""
    if file.queries is not None:
        ids, source = file.queries
        for row, query in enumerate(file.query_ids()):
            if query not in ids:
                yield row, f'{quoted(query)} is not among the ids of {source}: correct it'


def judged_query(file: CheckedFile) -> Found:
    """Queries without judgements: unjudged, as 6 of the 36 of 2014, or misspelt, which the list of all queries would
    tell. Said once a query. Source: all campaigns, whose tools leave them out."""
    if file.judged is not None and file.queries is None:
        ids, source = file.judged
        for row in np.unique(first_rows(file.query)).tolist():
            query = file.query_ids()[row]
            if query not in ids:
                yield row, f'{quoted(query)} has no judgements in {source}: it is not judged, or misspelt'


def answered_queries(file: CheckedFile) -> Found:
    """Every query of the task, or every judged one, has items. Source: the submission rules of TREC and TRECVID; most
    programs give such a query the value 0, that of MediaEval leaves it out of the mean."""
    known = file.queries or file.judged
    if known is None or not file.answered:
        return
    ids, source = known
    left = sorted(set(ids).difference(file.answered))
    if left and (file.queries is not None or len(left) < len(set(ids))):  # that none is in common is said elsewhere
        examples = ', '.join(map(repr, left[:EXAMPLES]))
        yield None, (f'{len(left):,} of {len(set(ids)):,} queries of {source} have no items, such as {examples} (an '
                     'evaluation gives them 0: add items, unless none was found)')


def known_video(file: CheckedFile) -> Found:
    """Every video is one of the collection. Source: MediaEval Search and Hyperlinking."""
    if file.videos is not None:
        ids, source = file.videos
        for row, item in _items(file, _of_documents(file, lambda document: document not in ids)):
            yield row, f'{item.document} is not among the ids of {source}: correct it'


def within_the_document(file: CheckedFile) -> Found:
    """No segment starts or ends after its document's end. Source: MediaEval Search and Hyperlinking, whose own
    judgements of 2014 have such segments, since the listed durations are not exact; inex_eval, for which what lies
    there is not relevant."""
    for unit in sorted({unit for _, unit in file.lengths}):
        ends = np.array([file.lengths.get((document, unit), inf) for document in file.places.document_ids], float)
        end = ends[file.places.document] if len(ends) else np.zeros(0)
        late = (file.places.end > end) & (file.places.end < inf) | (file.places.start > end)
        for row, item in _items(file, late & (file.places.unit == UNITS.index(unit))):
            what, units = ('video', ' s') if unit == 't' else ('document', ' characters')
            length = file.lengths[item.segment.document, unit]
            shown = item.shown(length) + (units if file.format.shown is format_number else '')
            verb = 'starts' if item.segment.start > length else 'ends'
            yield row, f'{item} {verb} after the end of the {what}, which is {shown} long'


def jump_in_within_the_item(file: CheckedFile) -> Found:
    """The jump-in point of an item, where playback starts, lies in it, its end included. Source: none, and the reader
    accepts others; they come from segments that were moved or cut after the point was set."""
    point = file.rows.columns['jump_in']
    for row, item in _items(file, (point < file.places.start) | (point > file.places.end)):
        yield row, (f'the jump-in point {item.shown(int(point[row]))} lies outside its item, {item}: move it into the '
                    'item, such as to its start')


def one_run(file: CheckedFile) -> Found:
    """All lines have one name of the run. Source: the submission rules of TREC, INEX and MediaEval, which take one run
    a file."""
    names = file.column('run')
    if names is None:
        return
    first: dict[str, int] = {}
    for row, name in enumerate(names):
        if name is not None and first.setdefault(name, row) == row and len(first) > 1:
            usual, place = next(iter(first.items()))
            yield row, (f'the run is called {name!r}, but {usual!r}{file.item(place).there}, and a file has one run: '
                        'name all lines alike, or make a file of each')


def scores_follow_ranks(file: CheckedFile) -> Found:
    """Where lines have ranks and scores, no score is higher than that of a better rank of the query. Said once a query.
    Source: none; some programs go by the one and some by the other, such as trec_eval by scores and the tool of
    MediaEval by ranks."""
    # A reader may make the rank of the score, or the score of the rank: what the file has counts.
    own, found = file.rows.columns.get('run_score'), file.rows.beside.get('rank')
    ranks = found if found is not None else file.rows.columns.get('rank') if own is not None else None
    if ranks is None:
        return
    texts = [str(rank) for rank in ranks]
    rank = np.array([int(text) if _DIGITS.fullmatch(text) else -1 for text in texts])
    score = np.array([np.nan if value is None else value for value in (
        file.rows.columns['score'] if own is None else own)], float)
    order = np.lexsort((rank, file.query))
    order = order[rank[order] >= 0]
    before, after = order[:-1], order[1:]
    against = (file.query[before] == file.query[after]) & (rank[before] < rank[after]) & (score[before] < score[after])
    said: set[int] = set()
    for better, row in zip(before[against].tolist(), after[against].tolist()):
        if file.query[row] not in said:
            said.add(int(file.query[row]))
            item = file.item(better)
            there = '' if item.line is None else item.there
            yield row, (f'rank {rank[row]} of {quoted(item.row.query_id)} has the score {format_number(score[row])}, '
                        f'but rank {rank[better]}{there} has {format_number(score[better])}, and programs go by the '
                        'one or the other: number the items in the order of their scores')


def tied_scores(file: CheckedFile) -> Found:
    """The items of a query have scores that differ. Said once. Source: none; between items of one score some programs
    go by the order of the lines, and others, such as trec_eval, by the ids."""
    code = file.codes('score')
    tied = np.flatnonzero(np.bincount(code)[code] > 1) if len(code) else code
    if len(tied):
        row = file.rows[int(tied[0])]
        yield int(tied[0]), (f'{tie_sentence(len(tied), len(file), row.score, row.query_id)}: give scores that differ')


def most_items(file: CheckedFile) -> Found:
    """A query has no more items than the campaign takes. Said once a query."""
    most = file.rules.most
    if most is not None:
        order = np.argsort(file.query, kind='stable')
        first = np.searchsorted(file.query[order], np.arange(file.query.max(initial=0) + 1))
        place = np.empty(len(file), int)
        place[order] = np.arange(len(file)) - first[file.query[order]]
        for row, item in _items(file, place == most):
            yield row, (f'{item} is item {most + 1:,} of {quoted(item.row.query_id)}, but the campaign takes {most:,} '
                        'of a query at most: cut the query off before it')


def ids_of_the_campaign(file: CheckedFile) -> Found:
    """Documents have ids of the campaign's form. Said once a document."""
    if file.rules.ids is not None:
        form, example = file.rules.ids
        other = _of_documents(file, lambda document: re.fullmatch(form, document) is None)
        for row, item in _items(file, other & (first_rows(file.places.document) == np.arange(len(file)))):
            yield row, (f'{item.document} is no id of this campaign, which are such as {example}: write it as the '
                        'judgements do')


def with_attributes(file: CheckedFile) -> Found:
    """The elements of a run in XML have all attributes that the campaign's document type wants. Source: the document
    types of TRECVID, which refuses what is not valid."""
    for sentence in file.lacks:
        yield None, sentence


def judged_with_content(file: CheckedFile) -> Found:
    """Every relevant segment has content, and its end is known. Source: evaluation, which refuses other judgements."""
    relevant, whole = np.asarray(file.rows.columns['relevance'], float) >= REL, _whole(file)
    if relevant.any() and whole.all():
        ids = [file.places.document_ids[document] for document in file.places.document[relevant]]
        yield int(np.argmax(relevant)), (
            f'all {len(file)} judgements are of whole documents, such as {example_document(ids)}, of which no end is '
            'known, so that measures of segments refuse them: write segments as DOCUMENT#t=START,END; measures of '
            'documents take them')
        return
    open_end = (file.places.end == inf) & (whole | (file.places.unit != NO_UNIT))
    for row, item in _items(file, relevant & ((file.places.start == file.places.end) | open_end)):
        yield row, (f"{item} is judged relevant up to the document's end, which is not known: write the end into the id"
                    if open_end[row] else
                    f'{item} is judged relevant and has no content: give the judgement an end after its start')


def known_end(file: CheckedFile) -> Found:
    """The ends of segments are known. Source: evaluation, in which measures of content refuse other runs. A file of
    whole documents or shots is right, unless their ids look like those of segments."""
    whole = _whole(file)
    if len(file) and whole.all():
        if all(map(intended_segment, file.places.document_ids)):
            yield 0, (f'all {len(file)} items are whole documents, such as {example_document(file.places.document_ids)}'
                      ', of which no end is known, so that measures of content refuse them: write segments as '
                      'DOCUMENT#t=START,END')
        return
    for row, item in _items(file, (file.places.end == inf) & (whole | (file.places.unit != NO_UNIT))):
        yield row, (f"{item} runs to the document's end, which is not known, so that measures of content refuse it: "
                    'write the end into the id')


def one_unit(file: CheckedFile) -> Found:
    """All segments of a document of a query are in one unit. Source: evaluation, which refuses others."""
    units = file.places.unit
    if len(np.unique(units)) > 1:
        known: dict[int, int] = {}
        for row, (group, unit) in enumerate(zip(file.codes('document').tolist(), units.tolist())):
            if unit != NO_UNIT and known.setdefault(group, unit) != unit:
                item = file.item(row)
                yield row, (f'{item} is in {UNITS[unit]!r}, but an earlier segment of this document of '
                            f'{item.row.query_id!r} in {UNITS[known[group]]!r}: give all of them in one unit')


def unit_of_the_judgements(file: CheckedFile) -> Found:
    """Segments are in the unit of their document's judgements. Source: evaluation, which refuses others."""
    units = {UNITS[unit] for unit in np.unique(file.places.unit) if unit != NO_UNIT}
    if not file.units or len(units.union(file.units.values())) < 2:
        return
    for row, item in _items(file, file.places.unit != NO_UNIT):
        known = file.units.get((item.row.query_id, item.segment.document), item.segment.unit)
        if known != item.segment.unit:
            yield row, (f'{item} is in {item.segment.unit!r}, but the judgements of this document of '
                        f'{item.row.query_id!r} are in {known!r}: give both in one unit')


def _whole(file: CheckedFile) -> Bools:
    return (file.places.unit == NO_UNIT) & np.array(
        [path is None for path in file.places.paths or [None] * len(file)], bool)


def _of_documents(file: CheckedFile, test: Callable[[str], bool]) -> Bools:
    """Whether a test holds of the document of each row."""
    found = np.array(list(map(test, file.places.document_ids)), bool)
    return found[file.places.document]


def _overlaps(earlier: Item, same: bool) -> str:
    return f'is the same segment as that{earlier.there}' if same else f'overlaps {earlier.times}{earlier.there}'


def _repeated(codes: Ints) -> Iterator[tuple[int, int]]:
    """Each row that has the code of an earlier one, and the first row that has it."""
    first = first_rows(codes)
    return ((row, int(first[row])) for row in np.flatnonzero(first < np.arange(len(codes))).tolist())


def _on_other_lines(file: CheckedFile, codes: Ints) -> Iterator[tuple[int, int]]:
    lines = file.rows.lines
    return ((row, first) for row, first in _repeated(codes) if lines is not None and lines[row] != lines[first])


def _come_back(group: Ints, within: Ints) -> Iterator[tuple[int, int, int]]:
    """Rows of a group that was left, the last row before of the group, and the row before, which is of another; all
    three of what they are looked at within."""
    last, before = previous_rows(group), previous_rows(within)
    for row in np.flatnonzero((last >= 0) & (last < before)).tolist():
        yield row, int(last[row]), int(before[row])


RULES: dict[str, Rule] = {rule.__name__: rule for rule in (
    target_length, apart_from_the_anchor, apart_from_earlier_ones, apart_in_focused_runs, documents_together,
    one_item_a_document, overlap, retrieved_once, judged_once, judged_without_contradiction, sampled_once,
    sampled_without_contradiction, single_frame, on_the_minute, consecutive_ranks, lines_together,
    one_line_a_document, known_query, judged_query, answered_queries, known_video, within_the_document,
    jump_in_within_the_item, one_run, scores_follow_ranks, tied_scores, most_items, ids_of_the_campaign,
    with_attributes, judged_with_content, known_end, one_unit, unit_of_the_judgements)}
