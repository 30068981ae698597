"""The rules of the campaigns, one small function a rule.

A rule takes a file that was read as far as possible and yields the rows that break it, each with a sentence; None in
the place of the row means the file as a whole. Formats name the rules of their files, and say which breach is a
violation and which a warning (:class:`~ir_segmeasures.formats.files.format.Rules`). What the reader of a format or an
evaluation refuses needs no rule.
"""

import re
from collections.abc import Callable, Collection, Iterator
from math import inf

import numpy as np

from ir_segmeasures.checks.checked_file import CheckedFile, Item, first_rows, overlapping_rows, previous_rows
from ir_segmeasures.formats.files.lines import places_in_queries
from ir_segmeasures.segments.basics import Bools, Ints, format_number, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.matching import folded_names
from ir_segmeasures.segments.tables.positions import NO_UNIT
from ir_segmeasures.segments.warnings import tie_sentence

SHORTEST_TARGET, LONGEST_TARGET = 10, 120  # seconds
STEP = 60  # seconds between the starts of podcasts' segments
EXAMPLES = 3
REL = 1  # from which grade on measures take a judgement as relevant, unless they are told another
_DIGITS = re.compile(r'[0-9]{1,15}')

Found = Iterator[tuple[int | None, str]]
Rule = Callable[[CheckedFile], Found]


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
        document, start, end = item.segment[:3]
        if anchor is not None and anchor.doc_id == document and start < anchor.end and anchor.start < end:
            yield row, (f'{item} overlaps the anchor {quoted(query)}, {item.shown(anchor.start)}-'
                        f'{item.shown(anchor.end)}, but a link leads away from it: take the target out, or cut it')


def apart_from_earlier_ones(file: CheckedFile) -> Found:
    """No item overlaps an earlier one of the query in the same video. Source: MediaEval Search and Hyperlinking, search
    and linking task."""
    return _overlaps(file, 'but no item of a query overlaps an earlier one: take it out, or cut it')


def apart_in_focused_runs(file: CheckedFile) -> Found:
    """No item overlaps an earlier one of the topic in the same document, in runs for focused retrieval and relevant in
    context. Source: inex_eval, which rejects such runs (-f, -r, -i) and takes them as thorough ones (-t)."""
    return _overlaps(file, 'but only items of thorough runs overlap an earlier one: take it out, or cut it')


def overlap(file: CheckedFile) -> Found:
    """Segments of one query that overlap without being the same. Source: none; pools and systems have them, and
    measures differ in what they make of them."""
    return _overlaps(file, 'which is of the same query', same_too=False)


def documents_together(file: CheckedFile) -> Found:
    """The items of a document stand together, in runs for relevant in context. Source: inex_eval, which rejects other
    runs (-r, -i)."""
    for row, last, before in _come_back(file.codes('document'), file.query):
        yield row, (f'{file.item(row).document} comes back after {quoted(file.item(before).segment.document)}, its '
                    f'last item was{file.item(last).there}; relevant-in-context runs have its items together')


def lines_together(file: CheckedFile) -> Found:
    """The lines of a query stand together. Source: MediaEval Search and Hyperlinking, search and linking task; for
    INEX inex_eval, which fails for some runs that have them apart, and reads no ranks."""
    ids = file.query_ids()
    for row, last, before in _come_back(file.query, np.zeros(len(file), int)):
        yield row, (f'{quoted(ids[row])} goes on after lines of {quoted(ids[before])}, its last line was '
                    f'{file.item(last).line}, but all lines of a query stand together: put them together')


def one_item_a_document(file: CheckedFile) -> Found:
    """A document has one item, in runs for best in context. Source: inex_eval, which rejects other runs (-b)."""
    for row, item, earlier in _repeated(file, file.codes('document')):
        yield row, f'{item.document} already has an item{earlier.there}, but one in best-in-context runs: take one out'


def retrieved_once(file: CheckedFile) -> Found:
    """No segment is retrieved twice for a query. Source: trec_eval, which refuses such runs."""
    for row, item, earlier in _repeated(file, file.codes('segment')):
        yield row, (f'{item} is already retrieved for {item.query}{earlier.there}, but an item counts once: take one '
                    'of the two out')


def judged_once(file: CheckedFile) -> Found:
    """No segment is judged twice the same for a query. Source: the campaigns' judgements, where such lines come from
    joined files."""
    for row, item, earlier in _repeated(file, file.codes('segment', 'relevance')):
        yield row, f'{item} is already judged {item.row.relevance} for {item.query}{earlier.there}: take one out'


def judged_without_contradiction(file: CheckedFile) -> Found:
    """No segment is judged twice differently for a query. Source: trec_eval and the campaigns' tools, for which one
    judgement silently replaces the other."""
    for row, item, earlier in _repeated(file, file.codes('segment')):
        if item.row.relevance != earlier.row.relevance:
            yield row, (f'{item} is judged {item.row.relevance} for {item.query}, but '
                        f'{earlier.row.relevance}{earlier.there}, and only one can be meant: take the wrong one out')


def on_the_minute(file: CheckedFile) -> Found:
    """Segments start at full minutes. Source: TREC Podcasts, where a new segment starts every 60 s; all judged ones
    do."""
    for row, item in _items(file, file.places.start % STEP != 0):
        yield row, f'{item} cannot be judged, since segments of the track start every {STEP} s: move its start'


def consecutive_ranks(file: CheckedFile) -> Found:
    """A query's ranks are 1, 2, 3 … in the order of the file. Source: MediaEval Search and Hyperlinking, search and
    linking task."""
    ranks, before = file.rows.columns['rank'], previous_rows(file.query)
    wanted = np.where(before < 0, 1, ranks[before] + 1)
    # A line that cannot be read may have the rank that is missing.
    for row, item in _items(file, ranks != wanted) if file.is_complete else ():
        last = before[row]
        fault = 'is its first' if last < 0 else f'follows rank {ranks[last]}{file.item(int(last)).there}'
        yield row, (f'rank {ranks[row]} of {item.query} {fault}, but {wanted[row]} is next: number the '
                    'items 1, 2, 3 and so on, in this order')


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
    ids, source = file.queries or file.judged or ((), '')
    left = sorted(set(ids).difference(file.answered)) if file.answered else []
    if left and (file.queries is not None or len(left) < len(set(ids))):  # that none is in common is said elsewhere
        examples = ', '.join(map(repr, left[:EXAMPLES]))
        yield None, (f'{len(left):,} of {len(set(ids)):,} queries of {source} have no items, such as {examples} (an '
                     'evaluation gives them 0: add items, unless none was found)')


def known_video(file: CheckedFile) -> Found:
    """Every video is one of the collection. Source: MediaEval Search and Hyperlinking."""
    if file.videos is not None:
        ids, source = file.videos
        for row, item, meant in _others(file, ids, np.ones(len(file), bool)):
            yield row, f'{item.document} is not among the ids of {source}: correct it{meant}'


def known_length(file: CheckedFile) -> Found:
    """Every document has a length, where lengths are given. Said once a document. Source: none; a document without one
    is often misspelt."""
    if file.sized:
        first = first_rows(file.places.document) == np.arange(len(file))
        for row, item, meant in _others(file, file.sized, first):
            yield row, f'{item.document} is not among the documents of the lengths: add it there, or correct it{meant}'


def within_the_document(file: CheckedFile) -> Found:
    """No segment starts or ends after its document's end. Source: MediaEval Search and Hyperlinking, whose own
    judgements of 2014 have such segments, since the listed durations are not exact; inex_eval, for which what lies
    there is not relevant."""
    for unit in sorted({unit for _, unit in file.lengths}):
        ends = [file.lengths.get((document, unit), inf) for document in file.places.document_ids]
        end = np.array(ends, float)[file.places.document]
        late = (file.places.end > end) & (file.places.end < inf) | (file.places.start > end)
        for row, item in _items(file, late & (file.places.unit == UNITS.index(unit))):
            what, units = ('video', ' s') if unit == 't' else ('document', ' characters')
            length = file.lengths[item.segment.document, unit]
            shown = item.shown(length) + (units if file.format.shown is format_number else '')
            verb = 'starts' if item.segment.start > length else 'ends'
            yield row, f'{item} {verb} after the end of the {what}, which is {shown} long'


def one_run(file: CheckedFile) -> Found:
    """All lines have one name of the run. Source: the submission rules of TREC, INEX and MediaEval, which take one run
    a file."""
    first: dict[str, int] = {}
    for row, name in enumerate({**file.rows.beside, **file.rows.columns}.get('run', ())):
        if name is not None and first.setdefault(name, row) == row and len(first) > 1:
            usual, place = next(iter(first.items()))
            yield row, f'the run is called {name!r}, but {usual!r}{file.item(place).there}: name all lines alike'


def scores_follow_ranks(file: CheckedFile) -> Found:
    """No score is higher than that of a better rank of the query, in lines with both. Said once a query.
    Source: none; some programs go by the one and some by the other, such as trec_eval by scores and the tool of
    MediaEval by ranks."""
    # A reader may make the rank of the score, or the score of the rank: what the file has counts.
    own, found = file.rows.columns.get('run_score'), file.rows.beside.get('rank')
    ranks = file.rows.columns.get('rank') if found is None and own is not None else found
    if ranks is None:
        return
    rank = np.array([int(text) if _DIGITS.fullmatch(text) else -1 for text in map(str, ranks)])
    score = np.array([np.nan if value is None else value for value in (
        file.rows.columns['score'] if own is None else own)], float)
    order = np.lexsort((rank, file.query))
    order = order[rank[order] >= 0]
    before, after = order[:-1], order[1:]
    against = (file.query[before] == file.query[after]) & (rank[before] < rank[after]) & (score[before] < score[after])
    _, said = np.unique(file.query[after[against]], return_index=True)
    for better, row in zip(before[against][said].tolist(), after[against][said].tolist()):
        item = file.item(better)
        best, worse = format_number(score[row]), format_number(score[better])
        yield row, (f'rank {rank[row]} of {item.query} has the score {best}, but rank {rank[better]}'
                    f'{item.there if item.line else ""} has {worse}: number the items in the order of their scores')


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
    most = file.rules.most or 0
    order = np.argsort(file.query, kind='stable')
    for row, item in _items(file, places_in_queries(file.query[order])[np.argsort(order)] == most + 1):
        yield row, f'{item} is item {most + 1:,} of {item.query}, but the campaign takes {most:,} of a query at most'


def ids_of_the_campaign(file: CheckedFile) -> Found:
    """Documents have ids of the campaign's form. Said once a document."""
    form, example = file.rules.ids or ('', '')
    other = _of_documents(file, lambda document: re.fullmatch(form, document) is None)
    for row, item in _items(file, other & (first_rows(file.places.document) == np.arange(len(file)))):
        yield row, f'{item.document} is not an id of this campaign, such as {example}: write it as the judgements do'


def known_end(file: CheckedFile) -> Found:
    """The ends of segments are known. Source: evaluation, in which measures of content refuse other runs. A file of
    whole documents or shots is right."""
    whole = (file.places.unit == NO_UNIT) & np.array(
        [path is None for path in file.places.paths or [None] * len(file)], bool)
    if not whole.all():
        for row, item in _items(file, (file.places.end == inf) & (whole | (file.places.unit != NO_UNIT))):
            yield row, f"{item} runs to the document's end, which is not known: measures of content need it in the id"


def _items(file: CheckedFile, rows: Bools) -> Iterator[tuple[int, Item]]:
    return ((row, file.item(row)) for row in np.flatnonzero(rows).tolist())


def _of_documents(file: CheckedFile, test: Callable[[str], bool]) -> Bools:
    """For each row, whether a test holds of its document."""
    return np.array(list(map(test, file.places.document_ids)), bool)[file.places.document]


def _others(file: CheckedFile, ids: Collection[str], rows: Bools) -> Iterator[tuple[int, Item, str]]:
    """Each of some rows whose document is none of these, its item, and the one that may be meant, for the end of a
    sentence."""
    ordered, documents = sorted(ids, key=len, reverse=True), file.places.document_ids
    known = dict(zip(folded_names(ordered), ordered))
    meant = {document: f' (did you mean {quoted(known[name])}?)' for document, name in zip(
        documents, folded_names(documents)) if name in known}
    for row, item in _items(file, rows & _of_documents(file, lambda document: document not in ids)):
        yield row, item, meant.get(item.segment.document, '')


def _overlaps(file: CheckedFile, rule: str, same_too: bool = True) -> Found:
    for row, place, same in overlapping_rows(file):
        if same_too or not same:
            earlier = file.item(place)
            what = 'is the same segment as that' if same else f'overlaps {earlier.times}'
            yield row, f'{file.item(row)} {what}{earlier.there}, {rule}'


def _repeated(file: CheckedFile, codes: Ints) -> Iterator[tuple[int, Item, Item]]:
    """Each row that has the code of an earlier one, its item, and that of the first row that has it."""
    first = first_rows(codes)
    return ((row, item, file.item(int(first[row]))) for row, item in _items(file, first < np.arange(len(codes))))


def _come_back(group: Ints, within: Ints) -> Iterator[tuple[int, int, int]]:
    """Rows of a group that was left, the last row before of the group, and the row before, which is of another; all
    three of what they are looked at within."""
    last, before = previous_rows(group), previous_rows(within)
    for row in np.flatnonzero((last >= 0) & (last < before)).tolist():
        yield row, int(last[row]), int(before[row])


RULES: dict[str, Rule] = {name: rule for name, rule in list(globals().items())
                          if getattr(rule, '__module__', '') == __name__ and not name.startswith('_')}
