"""Names that a run and its qrels give to one thing in two forms: with and without an extension or a folder, in
capitals, with blanks, with zeros in front of a number, percent-encoded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.segments.tables.matching import Match, QrelsIndex

__all__ = ['folded_names', 'near_name_warnings']

_FOLDER = re.compile(r'(?m)^.*[/\\](?=.)')
_ZEROS = re.compile(r'(?<![0-9.])0+(?=[0-9])')
_EXTENSION = re.compile(r'(?m)\.(?<=[^\n.]\.)[a-z][a-z0-9]{0,4}(?:\.[a-z][a-z0-9]{0,4})? *$')
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


def folded_names(ids: list[str]) -> list[str]:
    """Names without what tools add and lose: folder, extension, capitals, blanks around, zeros in front of a number,
    percent-encoding. Ids hold no line feeds."""
    return [_ZEROS.sub('', ' '.join(name.split())) for name in _without_ends(ids).replace('_', ' ').split('\n')]


def _without_ends(ids: list[str]) -> str:
    """The names without folder, extension, capitals and percent-encoding, one a line."""
    text = '\n'.join(ids)
    if '%' in text:  # what it decodes to may be a line feed
        text = '\n'.join(' '.join(unquote(id).split('\n')) for id in ids)
    text = text.casefold()
    if '/' in text or '\\' in text:
        text = _FOLDER.sub('', text)
    return _EXTENSION.sub('', text) if '.' in text else text


def _short_names(ids: list[str]) -> list[bytes]:
    """The names without all blanks and zeros, too: names that are near have one short name, and hardly any others."""
    text = '\n'.join(ids)
    if not (text.isascii() and not any(sign in text for sign in '%/\\.')):
        text = _without_ends(ids)
    return text.encode('utf-8', 'surrogatepass').translate(_LOWER, b' _0').split(b'\n')


class _KnownNames:
    """Names of judged queries or documents.

    Attributes:
        numbers: whether all are numbers, as :func:`_numbers` says
        short: their short names, which are computed when somebody looks at them
    """

    def __init__(self, index: QrelsIndex, what: str):
        self._ids: list[str] = getattr(index.qrels, what)
        self.numbers = _numbers(self._ids)

    @cached_property
    def short(self) -> list[bytes]:
        return _short_names(self._ids)


def _numbers(ids: list[str]) -> bool:
    """Whether all ids are numbers without a zero in front, so that none is near to another."""
    text = '\n' + '\n'.join(ids)
    return '\n0' not in text and text.isascii() and not text.encode().translate(None, b'0123456789\n')


def near_name_warnings(match: Match) -> Iterator[str]:
    """The warnings about judged queries and documents that the run has by a near name alone, in sentences."""
    run, qrels = match.run, match.qrels
    for name, ids, known, places in (
            ('query_ids', run.query_ids, qrels.query_ids, match.query_places),
            ('document_ids', run.document_ids, qrels.document_ids, match.document_places)):
        is_missing = np.ones(len(known) + 1, bool)
        is_missing[places] = False  # the last is that of names that are not judged
        missing, unjudged = np.flatnonzero(is_missing[:-1]).tolist(), np.flatnonzero(places < 0).tolist()
        if not missing or not unjudged:
            continue
        others, names = [ids[place] for place in unjudged], match.index.cached(_KnownNames, name)
        if names.numbers and _numbers(others):
            continue
        # Most names are told apart without a look at their zeros and blanks, which takes several times as long.
        short, short_known = _short_names(others), [names.short[place] for place in missing]
        both = set(short_known).intersection(short)
        if both:
            near = [list(compress(names, map(both.__contains__, short_names)))
                    for names, short_names in ((others, short), ([known[place] for place in missing], short_known))]
            what = 'queries' if known is qrels.query_ids else 'documents'
            sentence = _near(what, near[0], near[1], len(short_known), len(known), [ids, known])
            if sentence:
                yield sentence


def _near(what: str, ids: list[str], known: list[str], missing: int, count: int, every: list[list[str]]) -> str | None:
    """The sentence about ids of which some have a near one among those known, of which so many are missing; None if
    there are none. ``every`` are all ids of the run, and of the qrels."""
    names, judged = folded_names(ids), folded_names(known)
    both = set(names).intersection(judged)
    here, there = _once(ids, names, both), _once(known, judged, both)
    kinds = [(here[name], there[name], kind) for name in judged if name in here and name in there
             and (kind := _kind(here[name], there[name])) is not None]
    sure = [pair for pair in kinds if pair[2] not in ('folder', 'extension')]
    enough = sure or len(kinds) >= _ENOUGH or len(kinds) == _ENOUGH - 1 > missing // 2
    if kinds and not enough and min(map(len, every)) >= _FLAT:
        # A folder that no other name has is foreign, and its file has a name that nothing else has.
        sure = [pair for pair in kinds if pair[2] == 'folder']
        enough = len(sure) == sum('/' in name or '\\' in name for name in every[0] + every[1])
    if not enough or (len(kinds) * _SHARE < missing and not any(len(id) >= _LONG for id, _, _ in sure)):
        return None
    id, other, _ = (sure or kinds)[0]
    repair = ('give both the same ids, names by quote_id() of ir_segmeasures' if unquote(id) == unquote(other) else
              'give both the same ids')
    return (f'{len(kinds)} of the {count} judged {what} are in the run by another name alone, such as {quoted(other)} '
            f'as {quoted(id)}, so that their items count as those of other {what}: {repair}')


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
