"""The words and marks around times in an answer, and what they say of the times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from ir_segmeasures.texts.answers.tokens import UNITS, Token

__all__ = ['ABBREVIATIONS', 'AND', 'BETWEEN', 'CHANGES', 'CHOICES', 'CLAUSE_END', 'CLOSING', 'COMES', 'DISPLAYS',
           'ENDS', 'EXAMPLE', 'FILLERS', 'FOLLOWING', 'GOES', 'HAS', 'HEDGES', 'LASTING', 'LATER', 'LESSER', 'LISTED',
           'MARKS', 'MAYBE', 'MEASURED', 'MONEY', 'NONE', 'NUMBERED', 'OPENING', 'READING', 'REFUSING', 'RELATIVE',
           'RESTATING', 'SEGMENTS', 'SENTENCE_END', 'VIDEO', 'denies', 'edge', 'label', 'later_role', 'link', 'role']


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What a word says of the time behind it.
_LABELS = {
    'none': _set('age aged ages confidence conf fps frame frames id idx index iou prob probability rate resolution '
                 'score scores'),
    'start': _set('beg began begin beginning begins begun commence commenced commences commencing initiated initiates '
                  'onset st start started starting starts'),
    'from': _set('from since'),
    'end': _set('cease ceases completed completes conclude concluded concludes concluding disappears done ed end ended '
                'ending ends finish finished finishes finishing gone offset stop stopped stopping stops terminate '
                'terminates til till until'),
    'length': _set('each every lasted lasting lasts per take takes took'),
    'duration': _set('duration length')}
_KINDS = {word: kind for kind, words in _LABELS.items() for word in words}
_PARTS = re.compile('(?:start|begin|end)(?=frame|ms|offset|point|sec|stamp|time)|[a-z]+')

_TO = _set('through thru til till to until')
AND = _set('and &')
LISTED = _set(', ; |') | {'\n'}
_FIRST = _set('first initial opening')
_LAST = _set('final last remaining')
HEDGES = _set('a about an another approximately around nearly roughly the ~')
_NOT = _set('cannot never not outside thought unlike')

BETWEEN = 'between'
OPENING, CLOSING = _set('( [ { < 【'), _set(') ] } > 】')
MARKS = OPENING | CLOSING | _set('" \' ` * _ $ \\ = : ~ ≈ # “ ” ‘ ’ 「 」 /')
# What someone does first, and last, in the picture.
COMES, GOES = _set('appears arrives comes emerges enters'), _set('departs disappears exits goes leaves vanishes')
SENTENCE_END = _set('. ! ? 。') | {'\n'}
VIDEO = _set('clip footage video')
# Words that can stand beside a time without saying anything of it.
FILLERS = VIDEO | set(UNITS) | _set(
    'a about again all almost an answer appears as but approx approximately are around at by continues continuing '
    'correct covers estimate estimated event exactly for found goes going guess happens hh in interval into is it '
    'mark marker marks mm moment nearly occurs of on plus point precisely roughly running runs say segment shows spans '
    'ss t place the then this time times timestamp timestamps up was way well window windows')
# Words behind a number that are not what it counts.
FOLLOWING = FILLERS | _LABELS['start'] | _LABELS['from'] | _LABELS['end'] | _TO | AND | {BETWEEN} | _set(
    'after as because before but during has he her his i if its or out she so that they when where which while who '
    'with within')
NUMBERED = {word + plural for plural in ('', 's') for word in _set(
    'action activity case chapter clip event figure instance interval item no number occurrence option page part '
    'person platform query round scene segment shot step verse window floor gate lane lap level room')} | {'#'}
# What says that a thing has a number.
HAS = _set('are displays goes indicates is of reads says shows was were')
ABBREVIATIONS = _set('art ch fig no nos p pp tel vol')
# What is between a window and the same one in other words.
RESTATING = _set('( = ≈ i.e i.e. or')
MONEY = _set('$ € £')
MEASURED = MONEY | _set('times mm ° ℃')
LATER = _set('later long')
# What says that someone cannot answer, that a window is not meant, or that another one is meant rather.
REFUSING = _set("can't cannot can’t unable")
NONE = _set('apart except exclude excluding ignore ignoring incorrect irrelevant neither no nobody none nor nothing '
            'unlikely unrelated wrong ❌ ✗ ✘')
LESSER = _set('alternative alternatively although considered earlier guess initially less lesser may maybe might other '
              'others perhaps possible possibly previously though weaker')
MAYBE = _set('alternatively either from maybe or perhaps possibly ,') | {BETWEEN}
ENDS = _set('bounds boundaries endpoints interval part period portion range span stamps times timestamps window')
# What says that a quantity goes from one number to another.
CHANGES = _set('accelerates change changed changes changing climbs count counting counts decrease decreased decreases '
               'decreasing improved improves increase increased increases increasing turns')
# What has numbers that can be read in the picture, and what says that it has them.
DISPLAYS = _set(
    'banner billboard board caption captions clock clocks display headline inscription jersey label lettering letters '
    'plate poster screen shirt sign slide sticker stopwatch subtitle subtitles text timer title watch')
READING = _set(
    'advances displaying displays goes indicates is it jumps labeled labelled moves read reading reads said say saying '
    'says showed showing shows runs states ticks titled')
# What says that times are parts of the duration.
RELATIVE = _set('fraction fractions normalised normalized proportion proportions ratio relative')
CHOICES = _set('candidates choices option options possibilities')
CLAUSE_END = _set(', ; : but however')
EXAMPLE = _set('e.g e.g. example examples')


LASTING = HEDGES | _set(', and for following in it lasting lasts mark next')
# What can have a length, as in: a 10-second segment.
SEGMENTS = _set('event interval moment scene segment shot span stretch window')
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
    dash = texts.index('-') if '-' in texts else None
    if 'more' in kinds or (dash is not None and CLOSING.isdisjoint(texts) and (  # Event 1 - [12 s, 15 s]
            texts[dash - 1:dash] == [':'] or not OPENING.isdisjoint(texts[dash:]))):
        return ''
    if texts == ['a']:  # de 12 s a 15 s
        return 'to'
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
    return next((kind for kind, those in (('to', _TO), ('and', AND), ('list', LISTED), ('bracket', OPENING | CLOSING),
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
    before = [token.text for token in gap if token.text not in HEDGES | OPENING | {'*', '-'}]
    opens = not before or before[-1] in LISTED | {'.'}  # 12 s: start, 15 s: end
    if not opens and (before[-1] not in ('at', 'by') or (len(before) > 1
                                                         and before[-2] not in AND | LISTED | {'.', 'then'})):
        return ''
    if opens:
        following = list(takewhile(lambda token: token.text not in SENTENCE_END, following))
    if before[-2:-1] == [','] and [token.text for token in following[:1]] == [',']:  # starts when he sits, at 12 s,
        return ''
    for place, token in enumerate(following):
        kind = label(token.text)
        if kind in ('start', 'end'):
            beyond = following[place + 1].text if place + 1 < len(following) else ''
            return '' if beyond in _AT or beyond == ':' or token.text in _TO else kind
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
        beside = beside and (text in HEDGES or text in ('next', 'following'))
        kind = label(text)
        takes_place = kind == 'length' and texts[place + 1:place + 2] == ['place']
        is_indent = text == '\n' and bool(texts[:place]) and texts[place - 1] in OPENING
        if text == '-' or text in MARKS or text in FILLERS or takes_place or is_indent:
            continue
        if near and text == BETWEEN and texts[:place]:
            near_before = texts[max(0, place - 3):place]  # it takes him between 5 and 10 seconds
            return 'length' if 'length' in map(label, near_before) and 'place' not in near_before else text
        if near and (text == BETWEEN or text in _FIRST):
            return text if text == BETWEEN else 'first'
        if near and text in _LAST and {':', 'answer'}.isdisjoint(texts[place:]):
            return 'none'
        if near and kind != 'end' and text in _TO | AND:
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
