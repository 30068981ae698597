"""Names of queries and documents that differ only in what tools add and lose: folder, extension, capitals,
percent-encoding, invisible characters, the form of Unicode.
"""

import re
from collections import Counter
from collections.abc import Sequence
from unicodedata import normalize
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.matching import Match

_EXTENSION = re.compile(r'(?<=[^\n])\.[a-z][a-z0-9]{0,4}\n')
_FOLDS = re.compile(r'[A-Z%/\\.\x80-\U0010ffff]')  # what names have that are not the same when folded
_INVISIBLE = dict.fromkeys((0xad, *range(0x200b, 0x2010), *range(0x202a, 0x202f), *range(0x2060, 0x2065), 0xfeff))
# Extensions of recordings and of their transcripts; README and README.md may be two documents.
_OF_RECORDING = re.compile(r'(\.[a-z]{2})?\.(mp[34]|m4[av]|mkv|avi|mov|webm|mpe?g|og[gv]|flv|wmv|wav|flac|aac|opus|vtt'
                           r'|srt|trs|[cs]tm)$', re.IGNORECASE)
_LOOKED_AT = 5000  # names of each side, to find out whether any differ like this
_ENOUGH = 3  # pairs with a folder or another extension on one side, since a/README and README may be two documents


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
    is_missing = np.ones(len(known) + 1, bool)
    is_missing[places] = False  # the last is that of names that are not judged
    # Names stand in the order of the queries, so that those of a part are in the first ones of both sides.
    names = [[side[place] for place in np.flatnonzero(alone)[:_LOOKED_AT].tolist()]
             for side, alone in ((ids, places < 0), (known, is_missing[:-1]))]
    if not any(_FOLDS.search('\n'.join(side)) for side in names) or (
            set(folded_names(names[1])).isdisjoint(folded_names(names[0]))):
        return None
    folded = [folded_names(side) for side in (ids, known)]
    counts = [Counter(side) for side in folded]
    here = {name: id for name, id, place in zip(folded[0], ids, places.tolist())
            if place < 0 and counts[0][name] == counts[1][name] == 1}
    pairs = [(here[name], other) for name, other, missing in zip(folded[1], known, is_missing.tolist())
             if missing and name in here]
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
