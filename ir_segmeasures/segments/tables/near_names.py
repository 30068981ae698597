"""Names that a run and its qrels give to one thing in two forms: with and without an extension, a folder or something
else in front or behind, in capitals, with other blanks, dashes or quotes, with zeros in front of a number, encoded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import compress, pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.segments.tables.matching import Match

__all__ = ['folded_names', 'near_name_warnings']

_FOLDER = re.compile(r'(?m)^.*[/\\](?=.)')
_ZEROS = re.compile(r'(?<![0-9.])0+(?=[0-9])')
_EXTENSION = re.compile(r'(?m)\.(?<=[^\n.]\.)[a-z][a-z0-9]{0,4}(?:\.[a-z][a-z0-9]{0,4})? *$')
_DASHES = re.compile('[\u2010-\u2015\u2212]')
_BLANKS = str.maketrans('_-', '  ')
_QUOTES = str.maketrans('', '', '"\',;')  # of tables and lists
# Extensions of recordings and of their transcripts; README and README.md may be two documents.
_OF_RECORDINGS = {'mp4', 'm4v', 'mkv', 'avi', 'mov', 'webm', 'mpg', 'mpeg', 'ogv', 'flv', 'wmv', 'mp3', 'wav', 'm4a',
                  'ogg', 'flac', 'aac', 'opus', 'vtt', 'srt', 'trs', 'ctm', 'stm'}
# Pairs with a folder or another extension on one side, since a/README and README may be two documents; one less will do
# where hardly any other name is missing.
_ENOUGH = 3
_SHARE = 200  # of how many names that are only on one side one has a near one; real collections have none
_FLAT = 10  # names of each side, among which one with a folder is alone with it
_LOWER = bytes(range(256)).lower()  # of ASCII, and nothing else
_LONG = 6  # signs, of which a name is near to no other by chance
_BESIDE = 4  # of how many names with one addition, one may stand beside its name without it, as two documents
_LOOKED_AT = 128  # names of each side, which show whether any have additions
_DIGITS = re.compile('[0-9]+')


def folded_names(ids: list[str]) -> list[str]:
    """Names without what tools add and lose: folder, extension, capitals, blanks around, quotes, zeros in front of a
    number, encodings. Ids hold no line feeds."""
    return [_ZEROS.sub('', ' '.join(name.split())) for name in _without_ends(ids).translate(_BLANKS).split('\n')]


def _decoded(id: str) -> str:
    """A name without percent-encoding, of HTML and of URLs, also twice, and of UTF-8 that was read as Latin-1."""
    if '%' in id or '&' in id:
        from html import unescape  # seldom needed, and slow to import
        id = ' '.join(unquote(unquote(unescape(id))).split('\n'))
    if not id.isascii():
        with suppress(UnicodeError):
            id = id.encode('latin-1').decode()
        id = _DASHES.sub('-', normalize('NFKC', id))
    return id


def _without_ends(ids: list[str]) -> str:
    """The names without folder, extension, capitals, quotes and encodings, one a line."""
    text = '\n'.join(ids)
    if '%' in text or '&' in text or not text.isascii():
        text = '\n'.join(map(_decoded, ids))
    text = text.casefold().translate(_QUOTES)
    if '/' in text or '\\' in text:
        text = _FOLDER.sub('', text)
    return _EXTENSION.sub('', text) if '.' in text else text


def _short_names(ids: list[str]) -> list[bytes]:
    """The names without all blanks and zeros, too: names that are near have one short name, and hardly any others."""
    text = '\n'.join(ids)
    if not text.isascii() or any(sign in text for sign in '%&/\\."\',;'):
        text = _without_ends(ids)
    return text.encode('utf-8', 'surrogatepass').translate(_LOWER, b' _-0').split(b'\n')


def _numbers(ids: list[str]) -> bool:
    """Whether all ids are numbers without a zero in front, so that none is near to another."""
    text = '\n' + '\n'.join(ids)
    return '\n0' not in text and text.isascii() and not text.encode().translate(None, b'0123456789\n')


def near_name_warnings(match: Match) -> Iterator[str]:
    """The warnings about judged queries and documents that the run has by a near name alone, in sentences."""
    run, qrels = match.run, match.qrels
    for ids, known, places in ((run.query_ids, qrels.query_ids, match.query_places),
                               (run.document_ids, qrels.document_ids, match.document_places)):
        is_missing = np.ones(len(known) + 1, bool)
        is_missing[places] = False  # the last is that of names that are not judged
        missing, unjudged = np.flatnonzero(is_missing[:-1]).tolist(), np.flatnonzero(places < 0).tolist()
        if not missing or not unjudged:
            continue
        missed = [known[place] for place in missing]
        if (are_numbers := _numbers(missed)) and _numbers(ids):
            continue
        others = [ids[place] for place in unjudged]
        # Most names are told apart without a look at their zeros and blanks, which takes several times as long.
        short, short_known = _short_names(others), _short_names(missed)
        both = set(short_known).intersection(short)
        pairs: list[tuple[str, str]] = []
        if both:
            near = [list(compress(names, map(both.__contains__, short_names)))
                    for names, short_names in ((others, short), (missed, short_known))]
            pairs = _near(near[0], near[1], len(missed), [ids, known])
        if are_numbers:
            others = [id for id in others if not id.isdigit()]  # other numbers
        some_ids, some_known = (names[::1 + len(names) // _LOOKED_AT] for names in (others, missed))
        if not pairs and _with_addition(some_ids, some_known, [ids, known], 1):
            pairs = _with_addition(others, missed, [ids, known], _ENOUGH)
        if pairs:
            id, other = pairs[0]
            what = 'queries' if known is qrels.query_ids else 'documents'
            repair = ', names by quote_id() of ir_segmeasures' if unquote(id) == unquote(other) else ''
            yield (f'{len(pairs)} of the {len(known)} judged {what} are in the run by another name alone, such as '
                   f'{quoted(other)} as {quoted(id)}, so that their items count as those of other {what}: give both '
                   f'the same ids{repair}')


def _near(ids: list[str], known: list[str], missing: int, every: list[list[str]]) -> list[tuple[str, str]]:
    """The pairs of ids and of those known, of which so many are missing, that are near; none where they are few.
    ``every`` are all ids of the run, and of the qrels."""
    names, judged = folded_names(ids), folded_names(known)
    both = set(names).intersection(judged)
    here, there = _once(ids, names, both), _once(known, judged, both)
    case_tells = all(len(set(map(str.casefold, names))) < len(set(names)) for names in every)
    kinds = [(here[name], there[name], kind) for name in judged if name in here and name in there
             and not (case_tells and here[name].casefold() == there[name].casefold())
             and (kind := _kind(here[name], there[name])) is not None]
    sure = [pair for pair in kinds if pair[2] not in ('folder', 'extension')]
    enough = sure or len(kinds) >= _ENOUGH or len(kinds) == _ENOUGH - 1 > missing // 2
    if kinds and not enough and min(map(len, every)) >= _FLAT:
        # A folder that no other name has is foreign, and its file has a name that nothing else has.
        sure = [pair for pair in kinds if pair[2] == 'folder']
        enough = len(sure) == sum('/' in name or '\\' in name for name in every[0] + every[1])
    if not enough or (len(kinds) * _SHARE < missing and not any(len(id) >= _LONG for id, _, _ in sure)):
        return []
    return [(id, other) for id, other, _ in sorted(kinds, key=lambda pair: pair not in sure)]


def _with_addition(ids: list[str], known: list[str], every: list[list[str]], least: int) -> list[tuple[str, str]]:
    """The pairs of ids and of missing ones that are the same but for one addition to many of either, in front or
    behind, which differs in digits at most, or that were cut at one length; none where they are fewer.

    Numbers and words that go on are other names, and so are names that stand beside those with the addition.
    """
    pairs: dict[tuple[int, str], dict[str, str]] = {}  # of each addition, or length
    judged = set(known)
    for step in (1, -1):  # from the first sign of each name on, or from the last
        names = sorted([*ids, *known] if step > 0 else [name[::step] for name in (*ids, *known)])
        for short, long in compress(pairwise(names), map(str.startswith, names[1:], names)):
            id, other, added = long[::step], short[::step], long[len(short):]
            if (is_cut := id in judged) == (other in judged):
                continue
            if is_cut:
                id, other = other, id
            if not _goes_on(short[-1:], added[:1]):
                pairs.setdefault((step, _DIGITS.sub('0', added)), {})[id] = other
            elif is_cut and step > 0 and len(short) >= 2 * _LONG and not added.isdigit():
                pairs.setdefault((len(short), ''), {})[id] = other
    (step, added), found = max(pairs.items(), key=lambda item: len(item[1]), default=((0, ''), {}))
    if len(found) < least or len(found) * _SHARE < len(known) * least / _ENOUGH:
        return []
    if added:
        like = re.compile(re.escape(added[::step]).replace('0', '[0-9]+') + '$' * (step > 0))
        find = like.search if step > 0 else like.match
        for side in map(set, every):
            beside = sum(name[:part.start()] + name[part.end():] in side for name in side if (part := find(name)))
            if beside * _BESIDE > len(found):
                return []
    return list(found.items())


def _goes_on(last: str, next: str) -> bool:
    """Whether a number, or a word, goes on with the next sign."""
    return (last.isdigit() and next.isdigit()) or (last.isalpha() and next.isalpha())


def _once(ids: list[str], names: list[str], wanted: set[str]) -> dict[str, str]:
    """Folded name → the only id that has it."""
    found = [(name, id) for id, name in zip(ids, names) if name in wanted]
    counts = Counter(name for name, _ in found)
    return {name: id for name, id in found if counts[name] == 1}


def _kind(id: str, other: str) -> str | None:
    """The difference of two near names: ``'folder'``, ``'extension'``, or ``'form'``; None in two folders."""
    one, two = (unquote(name).strip().casefold().replace('\\', '/') for name in (id, other))
    folders = [name.rpartition('/')[0].strip('/') for name in (one, two)]
    if folders[0] != folders[1]:
        longer, shorter = sorted(folders, key=len, reverse=True)
        return 'folder' if not shorter or longer.endswith(f'/{shorter}') else None
    suffixes = [found[0] if (found := _EXTENSION.search(name)) else '' for name in (one, two)]
    of_recordings = _OF_RECORDINGS.intersection('.'.join(suffixes).split('.'))
    return 'form' if suffixes[0] == suffixes[1] or of_recordings else 'extension'
