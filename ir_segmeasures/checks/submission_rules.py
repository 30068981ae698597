"""Rules of submissions, which organisers ask of a run as a whole, whatever its segments are.

Functions in the plural form of a rule, such as :func:`at_most`, make one of a campaign's own number or form of ids.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import pairwise
from operator import itemgetter

from ir_segmeasures.checks.checked_lines import CheckedLine, Item
from ir_segmeasures.checks.rules import File, Found, Rule
from ir_segmeasures.segments.quoting import format_number
from ir_segmeasures.segments.warnings import tie_sentence

__all__ = ['answered_queries', 'at_most', 'ids_like', 'one_run', 'scores_follow_ranks', 'tied_scores',
           'with_attributes']

EXAMPLES = 3
_DIGITS = re.compile(r'[0-9]{1,15}')


def one_run(file: File) -> Found:
    """All lines have one name of the run. Source: the submission rules of TREC, INEX and MediaEval, which take one run
    a file."""
    first: Item | None = None
    names: Counter[str] = Counter()
    for line, item in _items(file):
        name = line.columns.get('run', getattr(item.row, 'run', None))
        if name is None:
            continue
        first = first or item
        if not names:
            usual = name
        elif name not in names:
            yield item, (f'the run is called {name!r}, but {usual!r}{first.there}, and a file has one run: name all '
                         'lines alike, or make a file of each')
        names[name] += 1


def scores_follow_ranks(file: File) -> Found:
    """Where lines have ranks and scores, no score is higher than that of a better rank of the query. Said once a query.
    Source: none; some programs go by the one and some by the other, such as trec_eval by scores and the tool of
    MediaEval by ranks."""
    ranked: dict[str, list[tuple[int, float, Item]]] = {}
    for line, item in _items(file):
        # A reader may make the rank of the score, or the score of the rank: what the file has counts.
        score = getattr(item.row, 'run_score', None)
        rank = line.columns.get('rank', None if score is None or item.rank is None else str(item.rank))
        if rank is not None and _DIGITS.fullmatch(rank):
            ranked.setdefault(item.query_id, []).append((int(rank), item.row.score if score is None else score, item))
    for query_id, items in ranked.items():
        items.sort(key=itemgetter(0))
        for (better, lower, before), (worse, higher, after) in pairwise(items):
            if better < worse and lower < higher:
                there = '' if before.line is None else f' in line {before.line}'
                yield after, (f'rank {worse} of {query_id!r} has the score {format_number(higher)}, but rank {better}'
                              f'{there} has {format_number(lower)}, and programs go by the one or the other: number '
                              'the items in the order of their scores')
                break


def tied_scores(file: File) -> Found:
    """The items of a query have scores that differ. Said once. Source: none; between items of one score some programs
    go by the order of the lines, and others, such as trec_eval, by the ids."""
    scores = [(item, (item.query_id, score)) for item in file.items
              if (score := getattr(item.row, 'score', None)) is not None]
    count = Counter(key for _, key in scores)
    tied = [(item, key) for item, key in scores if count[key] > 1]
    if tied:
        item, (query_id, score) = tied[0]
        number, items = (len(tied), len(file.items)) if file.size is None else (file.tied, file.size)
        yield item, f'{tie_sentence(number, items, score, query_id)}: give scores that differ'


def answered_queries(file: File) -> Found:
    """Every query of the task, or every judged one, has items. Source: the submission rules of TREC and TRECVID; most
    programs give such a query the value 0, that of MediaEval leaves it out of the mean."""
    known = file.queries or file.judged
    if known is None or not file.answered:
        return
    ids, source = known
    left = sorted(set(ids).difference(file.answered))
    if left and (file.queries is not None or len(left) < len(set(ids))):  # that none is in common is said elsewhere
        examples = ', '.join(map(repr, left[:EXAMPLES]))
        yield CheckedLine(None, '', []), (
            f'{len(left):,} of {len(set(ids)):,} queries of {source} have no items, such as {examples} (an evaluation '
            'gives them 0: add items, unless none was found)')


def at_most(number: int) -> Rule:
    """The rule that a query has no more items than a number. Said once a query.

    Args:
        number: of the items that the campaign takes
    """
    def at_most_so_many(file: File) -> Found:
        counts: Counter[str] = Counter()
        for _, item in _items(file):
            counts[item.query_id] += 1
            if counts[item.query_id] == number + 1:
                yield item, (f'{item} is item {number + 1:,} of {item.query_id!r}, but the campaign takes {number:,} '
                             'of a query at most: cut the query off before it')
    return at_most_so_many


def ids_like(form: str, example: str) -> Rule:
    """The rule that documents have ids of the campaign's form. Said once a document.

    Args:
        form: a regular expression
        example: an id of this form
    """
    pattern = re.compile(form)

    def ids_of_the_campaign(file: File) -> Found:
        seen: set[Hashable] = set()
        for item in file.items:
            document = item.segment.document
            if document not in seen and not pattern.fullmatch(document):
                yield item, (f'{item.document} is no id of this campaign, which are such as {example}: write it as the '
                             'judgements do')
            seen.add(document)
    return ids_of_the_campaign


def with_attributes(file: File) -> Found:
    """The elements of a run in XML have all attributes that the campaign's document type wants. Source: the document
    types of TRECVID, which refuses what is not valid."""
    for sentence in file.lacks:
        yield CheckedLine(None, '', []), sentence


def _items(file: File) -> Iterator[tuple[CheckedLine, Item]]:
    for line in file.lines:
        for item in line.items:
            yield line, item
