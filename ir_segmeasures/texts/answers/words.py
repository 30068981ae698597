"""The words and marks around times in an answer, and what they say of the times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ir_segmeasures.texts.answers.tokens import Token

__all__ = ['BETWEEN', 'CHANGES', 'CLOSING', 'COUNTED', 'DISPLAYS', 'ENDS', 'EXAMPLE', 'FILLERS', 'FIND', 'FOLLOWING',
           'LATER', 'LISTED', 'MARKS', 'MAYBE', 'MONEY', 'NONE', 'NUMBERED', 'OPENING', 'READING', 'RELATIVE', 'SCALES',
           'SENTENCE_END', 'VIDEO', 'denies', 'edge', 'label', 'later_role', 'link', 'role']


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What a word says of the time behind it.
_LABELS = {
    'none': _set('confidence conf fps frame frames id idx index iou prob probability rate resolution score scores'),
    'start': _set('began begin beginning begins begun commence commenced commences commencing kicks onset st start '
                  'started starting starts 开始'),
    'from': _set('desde from since von 从'),
    'end': _set('cease ceases conclude concluded concludes concluding disappears done ed end ended ending ends finish '
                'finished finishes finishing offset stop stopped stopping stops terminate terminates til till until '
                'wraps 结束'),
    'length': _set('each every lasted lasting lasts per take takes took'),
    'duration': _set('duration length')}
_KINDS = {word: kind for kind, words in _LABELS.items() for word in words}
_PARTS = re.compile('(?:start|begin|end)(?=frame|ms|sec|stamp|time)|[a-z]+|开始|结束|从')

_TO = _set('bis hasta through thru til till to until 到 至')
_AND = _set('and &')
LISTED = _set(', ; |') | {'\n'}
_TAKE_PLACE = (('take', 'place'), ('takes', 'place'))
_LAST = _set('final last remaining')
_HEDGES = _set('a about another approximately around nearly roughly the ~')
_NOT = _set('cannot instead never not outside rather thought unlike')

BETWEEN = 'between'
OPENING, CLOSING = _set('( [ { <'), _set(') ] } >')
MARKS = OPENING | CLOSING | _set('" \' ` * _ $ \\ = : ~ ≈ # “ ” ‘ ’ 「 」 /')
SENTENCE_END = _set('. ! ? 。') | {'\n'}
VIDEO = _set('clip footage video')
# Words that can stand beside a time without saying anything of it.
FILLERS = VIDEO | _set(
    'a about again all almost an answer appears approx approximately are around at by continues continuing '
    'correct covers estimate estimated event exactly for found goes going guess happens hh in interval into is it '
    'mark marker marks min mins minute minutes mm moment nearly occurs of on point precisely roughly running runs '
    's say sec second seconds secs segment shows spans ss t place the then this time times timestamp timestamps '
    'up was way window windows 时间 秒')
# Words behind a number that are not what it counts.
FOLLOWING = FILLERS | _LABELS['start'] | _LABELS['from'] | _LABELS['end'] | _TO | _AND | {BETWEEN} | _set(
    'after as because before but during has he her his i if its or out she so that they when where which while who '
    'with within')
COUNTED = _set('children cm dollars euros feet g inch kg km lb lbs men meter metre people percent persons times women '
               'years')
NUMBERED = {word + plural for plural in ('', 's') for word in _set(
    'action activity case chapter clip event figure instance interval item no number occurrence option page part '
    'person platform query round scene segment shot step verse window floor gate lane lap level room')} | {'#'}
MONEY = _set('$ € £')
LATER = _set('later long')
FIND = _set('able appear appears believe contain detect determine find found identify locate occur present see seen '
            'show shown think visible')
NONE = _set('neither no nobody none nor nothing unable')
MAYBE = _set('alternatively either from maybe or perhaps possibly ,') | {BETWEEN}
ENDS = _set('bounds boundaries endpoints interval range span stamps times timestamps window')
# What goes from one number to another, and what says that something does.
SCALES = _set('count counter counting counts elevator level odds phone price rate ratio score scoreboard speed '
              'temperature timer volume weight')
CHANGES = _set('change changed changes changing decrease decreased decreases decreasing increase increased increases '
               'increasing')
# What has numbers that can be read in the picture, and what says that it has them.
DISPLAYS = _set(
    'banner billboard board caption captions clock clocks display headline inscription jersey label lettering letters '
    'plate poster screen shirt sign slide sticker stopwatch subtitle subtitles text timer title watch')
READING = _set(
    'advances displaying displays goes indicates is it jumps labeled labelled moves read reading reads said say saying '
    'says showed showing shows runs states ticks titled')
# What says that times are parts of the duration.
RELATIVE = _set('fraction fractions normalised normalized proportion proportions ratio relative')
EXAMPLE = _set('e.g e.g. example examples')


_AT = _set('about approximately around at by from near on ~')


@lru_cache(maxsize=1024)
def label(word: str) -> str:
    """The kind of a word, or of a key such as ``start_time``, that says what the time behind it is.

    Returns:
        ``'start'``, ``'from'``, ``'end'``, ``'length'`` (of a verb: how long something takes), ``'duration'``,
        ``'none'`` (it is no time), or ``''`` for other words
    """
    kinds = {_KINDS[part] for part in _PARTS.findall(word) if part in _KINDS}
    return next((kind for kind in _LABELS if kind in kinds), '')


def denies(word: str) -> bool:
    """Whether a word denies what stands behind it."""
    return word in _NOT or word.endswith("n't")


def link(gap: Sequence[Token]) -> str:
    """The way in which two times follow each other, by the tokens between them.

    Returns:
        ``'to'`` if they are the ends of a range, ``'and'`` or ``'list'`` if they are only joined, ``''`` if more is
        said
    """
    texts = _without_asides(gap)
    if texts[:1] == ['.'] and texts[1:2] and texts[1] in _TO | {'-'}:  # 12 sec. to 15 sec.
        del texts[0]
    kinds = {_link_kind(text) for text in texts}
    if 'more' in kinds:
        return ''
    if 'to' in kinds or ('-' in kinds and kinds.isdisjoint(('\n', 'list'))):
        return 'to'
    if 'and' in kinds:
        return 'and'
    if not kinds.isdisjoint(('-', 'bracket')):
        return ''
    if kinds.isdisjoint(('\n', 'list')):
        return 'to' if '~' in kinds else '' if texts else 'list'
    return 'list'


def _link_kind(text: str) -> str:
    if text in ('-', '~', '\n'):
        return text
    return next((kind for kind, those in (('to', _TO), ('and', _AND), ('list', LISTED), ('bracket', OPENING | CLOSING),
                                          ('', MARKS | FILLERS)) if text in those), 'more')


def edge(gap: Sequence[Token]) -> str:
    """The last of the words for a start or an end before a time: ``'start'``, ``'end'`` or ``''``."""
    return next((kind for token in reversed(gap) for kind in [label(token.text)] if kind in ('start', 'end')), '')


def later_role(gap: Sequence[Token], following: Sequence[Token]) -> str:
    """The kind of a time by the words behind it: *At 12 s, he starts to sing*.

    Args:
        gap: the tokens before the time, from the time before on
        following: those behind it, up to the next time

    Returns:
        ``'start'``, ``'end'`` or ``''``
    """
    before = [token.text for token in gap if token.text not in _HEDGES]
    if before[-1:] != ['at'] or (len(before) > 1 and before[-2] not in _AND | LISTED | {'.', 'then'}):
        return ''
    for place, token in enumerate(following):
        kind = label(token.text)
        if kind in ('start', 'end'):
            beyond = following[place + 1].text if place + 1 < len(following) else ''
            return '' if beyond in _AT or beyond == ':' else kind
    return ''


def role(gap: Sequence[Token]) -> str:
    """The nearest of the words before a time that say what it is.

    Returns:
        a kind of :func:`label`, or ``'first'``, ``'between'``, ``'to'`` or ``'and'``; kinds other than start, from
        and end only if nothing else stands between the word and the time; ``''`` without such a word
    """
    near = beside = True
    texts = _without_asides(gap)
    for place in reversed(range(len(texts))):
        text = texts[place]
        if beside and text == 'for':
            return 'length'
        beside = beside and text in _HEDGES
        if text == '-' or text in MARKS or text in FILLERS or (text, *texts[place + 1:place + 2]) in _TAKE_PLACE:
            continue
        kind = label(text)
        if near and text == BETWEEN and texts[:place]:
            kind = label(texts[place - 1])  # lasts between 5 and 10 seconds
            return 'length' if kind == 'length' else text
        if near and text in ('first', BETWEEN):
            return text
        if near and text in _LAST and {':', 'answer'}.isdisjoint(texts[place:]):
            return 'none'
        if near and kind != 'end' and text in _TO | _AND:
            return 'to' if text in _TO else 'and'
        if kind in ('start', 'from', 'end') or (near and kind):
            return kind
        near = False
    return ''


def _without_asides(gap: Sequence[Token]) -> list[str]:
    """The texts of the tokens, without what stands in round brackets."""
    texts: list[str] = []
    opened: list[int] = []
    for token in gap:
        if token.text == '(':
            opened.append(len(texts))
        if token.text == ')' and opened:
            del texts[opened.pop():]
        else:
            texts.append(token.text)
    return texts
