"""Names that a run and its qrels give to one thing in two forms: with and without an extension or a folder, in
capitals, with blanks, with zeros in front of a number, percent-encoded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.segments.tables.matching import Match

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


def folded_names(ids: list[str]) -> list[str]:
    """Names without what tools add and lose: folder, extension, capitals, blanks around, zeros in front of a number,
    percent-encoding. Ids hold no line feeds."""
    return [_ZEROS.sub('', ' '.join(name.split())) for name in _short_names(ids)]


def _short_names(ids: list[str], without: str = '') -> list[str]:
    """The names of :func:`folded_names` before their blanks and zeros are looked at, without a sign."""
    text = '\n'.join(ids)
    if '%' in text:  # what it decodes to may be a line feed
        text = '\n'.join(' '.join(unquote(id).split('\n')) for id in ids)
    text = text.casefold().replace('_', ' ')
    if '/' in text or '\\' in text:
        text = _FOLDER.sub('', text)
    if '.' in text:
        text = _EXTENSION.sub('', text)
    return (text.replace(' ', '').replace(without, '') if without else text).split('\n')


def near_name_warnings(match: Match) -> Iterator[str]:
    """The warnings about judged queries and documents that the run has by a near name alone, in sentences."""
    run, qrels = match.run, match.qrels
    for what, ids, known, places in (
            ('queries', run.query_ids, qrels.query_ids, match.query_places),
            ('documents', run.document_ids, qrels.document_ids, match.document_places)):
        if len(ids) and (places < 0).any():
            missing = np.ones(len(known), bool)
            missing[places[places >= 0]] = False
            sentence = _near(what, [ids[place] for place in np.flatnonzero(places < 0).tolist()],
                             [known[place] for place in np.flatnonzero(missing).tolist()], len(known))
            if sentence:
                yield sentence


def _near(what: str, ids: list[str], known: list[str], count: int) -> str | None:
    """The sentence about ids of which some have a near one among those known; None if there are none."""
    if not known:
        return None
    missing = len(known)
    # Most names are told apart without a look at their zeros and blanks, which takes several times as long.
    of_ids, of_known = _short_names(ids, '0'), _short_names(known, '0')
    both = set(of_ids).intersection(of_known)
    if not both:
        return None
    ids, known = ([id for id, name in zip(all_ids, names) if name in both]
                  for all_ids, names in ((ids, of_ids), (known, of_known)))
    of_ids, of_known = folded_names(ids), folded_names(known)
    both = set(of_ids).intersection(of_known)
    here, there = _once(ids, of_ids, both), _once(known, of_known, both)
    kinds = [(here[name], there[name], kind) for name in of_known if name in here and name in there
             and (kind := _kind(here[name], there[name])) is not None]
    sure = [pair for pair in kinds if pair[2] not in ('folder', 'extension')]
    enough = sure or len(kinds) >= _ENOUGH or len(kinds) == _ENOUGH - 1 > missing // 2
    if not enough or len(kinds) * _SHARE < missing:
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
