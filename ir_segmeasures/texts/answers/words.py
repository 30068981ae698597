"""The words and marks around times in an answer, and what they say of the times."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from ir_segmeasures.texts.answers.tokens import MONEY, UNITS, Token

__all__ = ['ABBREVIATIONS', 'ADDING', 'AND', 'BETWEEN', 'CHANGES', 'CHOICES', 'CLAUSE_EDGES', 'CLAUSE_END', 'CLOCKS',
           'CLOSING', 'DISPLAYS', 'ENDS', 'EXACTLY', 'EXAMPLE', 'FILLERS', 'FLAWS', 'FOLLOWING', 'HAS', 'HEDGES',
           'LASTING', 'LATER', 'LESSER', 'LISTED', 'MARKS', 'MAYBE', 'MEASURED', 'MOVES', 'NONE', 'NUMBERED', 'OF_DAYS',
           'OPENING', 'OTHER_TIMES', 'READING', 'REFUSING', 'REJECTS', 'RELATIVE', 'RESTATING', 'SAYS', 'SEARCHED',
           'SEGMENTS', 'SENTENCE_END', 'TAKEN', 'THOUGHT', 'UNTIL', 'VIDEO', 'couples', 'denies', 'edge', 'label',
           'labelled', 'later_role', 'link', 'offset_role', 'role']


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What a word says of the time behind it.
_LABELS = {
    'none': _set('age aged ages bbox bboxes boxes coordinate coordinates confidence conf fps frame frames height '
                 'id idx index iou polygon polygons prob probability rate resolution score scores width x'),
    'start': _set('beg began begin beginning begins begun commence commenced commences commencing initiated initiates '
                  'introduced launched onset st start started starting starts underway'),
    'from': _set('from since'),
    'end': _set('cease ceases completed completes completion conclude concluded concludes concluding disappears done '
                'ed end ended ending ends finish finished finishes finishing gone halt halted halts offset stop '
                'stopped stopping stops terminate terminates til till until'),
    'length': _set('each every lasted lasting lasts pause pauses rests take takes took wait waits'),
    'duration': _set('dur duration length')}
_KINDS = {word: kind for kind, words in _LABELS.items() for word in words}
_IN_KEYS = {'from': 'start', 'in': 'start', 'lower': 'start', 'min': 'start', 'to': 'end', 'out': 'end', 'upper': 'end',
            'max': 'end'}  # from_s, max_time
_PARTS = re.compile('(?:start|begin|end)(?=frame|ms|offset|point|punkt|sec|sek|stamp|tijd|time|zeit)|[a-z]+')

UNTIL = _set('til till until')
_TO = UNTIL | _set('through thru to')
AND = _set('and &')
LISTED = _set(', ; |') | {'\n'}
_FIRST = _set('first initial opening')
_LAST = _set('final last remaining')
HEDGES = _set('a about an another approximately around maybe nearly perhaps possibly probably roughly the ~')
EXACTLY = _set('exactly following full further good just next only precisely some')  # for the next 5 s
_NOT = _set('cannot never not thought unlike')

BETWEEN = 'between'
OPENING, CLOSING = _set('( [ { < 【'), _set(') ] } > 】')
MARKS = OPENING | CLOSING | _set('" \' ` * _ $ \\ = : ~ ≈ # “ ” ‘ ’ 「 」 /')
SENTENCE_END = _set('. ! ? 。') | {'\n'}
VIDEO = _set('clip footage video')
# Words that can stand beside a time without saying anything of it.
FILLERS = VIDEO | set(UNITS) | _set(
    'a about again all almost an answer appears as but approx approximately are around at by continues continuing '
    'correct covers estimate estimated event exactly for found goes going guess happens hence hh in including '
    'inclusive interval into is it mark marker marks mm moment nearly occurs of on plus point precisely roughly '
    'running runs say segment show shows spans ss t place the then therefore this thus time times timestamp '
    'timestamps up was way well window windows')
# What is a start and an end only beside each other.
_COUPLES = {'earliest': 'latest', 'entry': 'exit', 'low': 'high', 'first': 'last', 'in': 'out', 'initial': 'final',
            'left': 'right',
            'lower': 'upper', 'min': 'max', 'opening': 'closing', 's': 'e', 'st': 'et', 't0': 't1', 't1': 't2',
            'ts': 'te'}
# Words behind a number that are not what it counts.
FOLLOWING = FILLERS | set(_COUPLES.values()) | _LABELS['start'] | _LABELS['from'] | _LABELS['end'] | _TO | AND | _set(
    'after as because before but during has he her his i if its or out she so that they when where which while who '
    'with within between')
NUMBERED = {word + plural for plural in ('', 's') for word in _set(
    'action activity case chapter clip event figure instance interval item no number occurrence option page part '
    'person platform query round scene segment shot step verse window floor gate lane lap level room')} | {'#'}
# What says that a thing has a number.
HAS = _set('are displays goes indicates is of reads says shows was were')
ABBREVIATIONS = _set('art ch fig no nos p pp tel vol')
# What is between a window and the same one in other words.
RESTATING = _set('( = ≈ i.e i.e. or')
MEASURED = MONEY | _set('times mm')
LATER = _set('later long')
# What says that someone cannot answer, that a window is not meant, or that another one is meant rather.
REFUSING = _set("can't cannot can’t unable upload")
FLAWS = _set('false impossible incorrect irrelevant mistaken unlikely unrelated untrue wrong')
NONE = FLAWS | _set('apart except exclude excluding ignore ignoring neither no nobody none nor nothing ❌ ✗ ✘')
REJECTS = ('discard', 'dismiss', 'disregard', 'forget', 'reject', 'ruled', 'ruling', 'scratch', 'aside')
THOUGHT = _set('answered considered guess guessed i my said thought')
LESSER = _set('alternative alternatively although considered earlier guess initially less lesser may maybe might other '
              'perhaps possible possibly previously though weaker')
MAYBE = _set('alternatively either from maybe or perhaps possibly ,') | {BETWEEN}
ENDS = _set('bounds boundaries endpoints interval part period portion range span stamps times timestamps window')
# What says that a quantity goes from one number to another.
CHANGES = _set('accelerates change changed changes changing count countdown counting counts decrease decreased '
               'decreases decreasing improved improves increase increased increases increasing leads loses lost turns '
               'win wins won')
# What may say so, unless it has an object: The price falls from 8 to 5, but he climbs the stairs from 8 to 10.
MOVES = _set('climbs drops dropped falls fell rises rose')
# What has numbers that can be read in the picture, and what says that it has them.
DISPLAYS = _set(
    'banner billboard board caption captions clock clocks counter digits display headline inscription jersey label '
    'lettering letters numbers plaque plate poster screen shirt sign slide sticker stopwatch subtitle subtitles text '
    'timer title watch')
READING = _set(
    'advances displaying displays goes indicates is it jumps labeled labelled moves read reading reads said say saying '
    'says showed showing shows run runs states ticks titled')
# What says that another window counts as well.
ADDING = _set('again also anew another finally lastly later more next once second secondly then third')
CLOCKS = _set('clock clocks overlay schedule scoreboard stopwatch timer timers timetable')
OTHER_TIMES = _set('game local match play real wall')
# What says that times are parts of the duration.
RELATIVE = _set('fraction fractions normalised normalized proportion proportions ratio relative')
CHOICES = _set('candidates choices option options possibilities')
CLAUSE_END = _set(', ; : but however')
SEARCHED = _set('checked examined inspected looked reviewed scanned searched watched')
SAYS = _set('read reading reads said say saying says states')
# What says that clock times are those of a day.
OF_DAYS = _set("daily noon o'clock schedule scheduled weekday weekdays weekend weekends")
EXAMPLE = _set('e.g e.g. example examples')


LASTING = HEDGES | _set(', and for following in it lasting lasts mark next')
# What can have a length, as in: a 10-second segment.
SEGMENTS = _set('event interval moment scene segment shot span stretch window')
_OBJECTS = _set('her him it me them us')
_ORDER = _set('closing earliest final first initial last latest opening')
_BESIDE_COUPLES = FILLERS | MARKS | HEDGES | _set(
    'bound boundary edge frame limit one point showing shown temporal timing value when with')
TAKEN = _set('off out over part place up')  # what takes place takes no time
_OF_START = _set('from the')
_AT = _set('about approximately around at by from near on ~')
_IS = _set(': = (')
_THAT = _set('it that this')
_BEFORE_TIMES = HEDGES | MARKS - {':', '='} | {'approx', '.'}
_RELATIVE_TO = _set('after before from of prior since')  # 2 s before it ends
CLAUSE_EDGES = SENTENCE_END | LISTED | AND | _set('but then whereas while')


@lru_cache(maxsize=1024)
def label(word: str) -> str:
    """The kind of a word, or of a key such as ``start_time``, that says what the time behind it is.

    Returns:
        ``'start'``, ``'from'``, ``'end'``, ``'length'`` (of a verb: how long something takes), ``'duration'``,
        ``'none'`` (it is no time), or ``''`` for other words
    """
    parts = _PARTS.findall(word)
    edges = [*parts[:len(parts) > 1], *parts[-1:] * ('_' in word)]  # in_time, t_in
    kinds = {_KINDS[part] for part in parts if part in _KINDS} or {_IN_KEYS[part] for part in edges if part in _IN_KEYS}
    return next((kind for kind in _LABELS if kind in kinds and (kind != 'length' or len(parts) == 1)), '')  # take-off


def denies(word: str) -> bool:
    """Whether a word denies what stands behind it."""
    return word in _NOT or word.endswith("n't")


def link(gap: Sequence[Token], behind_unit: bool = True) -> str:
    """The way in which two times follow each other, by the tokens between them, the first with a unit or without.

    Returns:
        ``'to'`` if they are the ends of a range, ``'and'`` or ``'list'`` if they are only joined, ``''`` if more is
        said
    """
    texts = _without_asides(gap)
    if behind_unit and texts[:1] == ['.'] and texts[1:2] and texts[1] in _TO | {'-'}:  # 12 sec. to 15 sec.
        del texts[0]
    kinds = {_link_kind(text) for text in texts}
    dash = texts.index('-') if '-' in texts else None
    if 'more' in kinds or (dash is not None and CLOSING.isdisjoint(texts) and (  # Event 1 - [12 s, 15 s]
            texts[dash - 1:dash] == [':'] or not OPENING.isdisjoint(texts[dash:]))):
        return ''
    if texts == ['a']:  # de 12 s a 15 s
        return 'to'
    alone = set(texts) == {'-', '\n'} and texts[-1] == '\n'  # 12 -, and 15 in the next line
    if 'to' in kinds or alone or ('-' in kinds and kinds.isdisjoint(('\n', 'list'))):
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
    texts = [token.text for token in gap]
    return next((kind for place in reversed(range(len(texts))) for kind in [label(texts[place])]
                 if kind in ('start', 'end')
                 and texts[max(0, place - 2):place] not in (['at', 'the'], ['near', 'the'])), '')


def later_role(gap: Sequence[Token], time: Token, following: Sequence[Token], last: bool) -> tuple[str, int]:
    """The kind of a time by the words behind it, in the same clause: *At 12 s, he starts to sing*.

    Args:
        gap: the tokens before the time, from the time before on
        following: those behind it, up to the next time
        last: whether there is no next time

    Returns:
        ``'start'``, ``'end'`` or ``''``, and how many of the following tokens say so
    """
    texts = _without_asides(gap)
    begin = max((place + 1 for place, text in enumerate(texts) if text in CLAUSE_EDGES), default=0)
    before, behind = texts[begin:], [token.text for token in following]
    beside = next((place for place, text in enumerate(behind) if text not in FILLERS), 0)
    aside = behind[:1] == texts[:begin][-1:] == [','] and any(map(label, texts[:begin]))
    if (aside or any(  # starts when he sits, at 12 s, and
            text in _TO or text == BETWEEN or text in _FIRST or label(text) for text in before)
            or not (time.unit or not _AT.isdisjoint(before[-1:]) or not _IS.isdisjoint(behind[:1]))):
        return '', 0
    for place, text in enumerate(behind):
        if (text in CLAUSE_EDGES and (text not in ',|' or place != beside)) or text in _RELATIVE_TO:
            break
        kind = label(text)
        if kind in ('start', 'end'):
            beyond = behind[place + 1:]
            is_label = beyond[:1] == [':'] and FILLERS.union(MARKS, LISTED, HEDGES).issuperset(beyond)  # starts: 3 s
            belongs_to_next = text in _TO or is_label or not _AT.isdisjoint(beyond[:1]) or (
                not last and CLAUSE_EDGES.isdisjoint(beyond))
            other = 'end' if kind == 'start' else 'start'
            both = other in map(label, takewhile(lambda text: text not in CLAUSE_EDGES, beyond))
            return ('', 0) if belongs_to_next or both else (kind, place + 1)
    return '', 0


def offset_role(following: Sequence[Token]) -> str:
    """``'length'`` of a time that is counted from an earlier one on, by the words behind it: *12 s later, 12 s after
    that*; ``'none'`` of one that is counted back; ``''`` of others."""
    first, second, third, *_ = [*(token.text for token in following[:3]), '', '', '']
    counted_from = first in ('after', 'before') and second in _THAT
    if first == 'earlier' or (counted_from and (first == 'before' or label(third) == 'start')):
        return 'none'
    return 'length' if counted_from or first in ('afterwards', 'afterward', 'later') else ''


def labelled(texts: Sequence[str]) -> bool:
    """Whether the words and marks before a time end in a label: *Start: about*."""
    return next((text in (':', '=') for text in reversed(texts)
                 if text not in _BEFORE_TIMES), False)


def couples(gap: Sequence[Token], other: Sequence[Token]) -> bool:
    """Whether the words near two times, in the tokens before each, are a start and an end beside each other: *First
    frame: 3 s, last frame: 5 s*."""
    near = {text for text in _near_words(other) if text in _COUPLES.values()}
    return bool(near) and any(_COUPLES.get(text) in near for text in _near_words(gap))


def _near_words(gap: Sequence[Token]) -> Iterator[str]:
    """The words before a time that only words of place stand between, the nearest first."""
    beside = True
    for token in reversed(gap):
        if not (beside and token.text in _ORDER):  # the first 5 s are no start
            yield token.text
        beside = beside and token.text in HEDGES
        if token.text not in _BESIDE_COUPLES or token.text in SENTENCE_END:
            break


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
        beside = beside and (text in HEDGES or text in EXACTLY)
        if text in _OBJECTS and place and label(texts[place - 1]) == 'length':  # it takes him 5 s
            continue
        if text == 'next' and texts[place - 1:] == ['the', text]:  # the next 5 s
            return 'length'
        kind = label(text)
        takes_place = kind == 'length' and not set(texts[place + 1:place + 2]).isdisjoint(TAKEN)
        is_indent = text == '\n' and bool(texts[:place]) and texts[place - 1] in OPENING
        waits = kind == 'length' and ':' in texts[place:]  # he waits: 5 to 10 s
        if text == '-' or text in MARKS or text in FILLERS or takes_place or waits or is_indent:
            continue
        if near and text == BETWEEN and texts[:place]:
            near_before = texts[max(0, place - 3):place]  # it takes him, or stays for, between 5 and 10 seconds
            said = [label(near) or near for near in near_before]
            is_length = 'length' in said and (TAKEN | {'a', 'the'}).isdisjoint(said[said.index('length'):])
            return 'length' if is_length or near_before[-1] == 'for' else text
        if near and (text == BETWEEN or text in _FIRST):
            return text if text == BETWEEN else '' if 'at' in texts[place:] else 'first'
        if near and text in _LAST and {':', 'answer'}.isdisjoint(texts[place:]):
            return 'none'
        beyond = texts[max(0, place - 2):place]
        if near and kind != 'end' and text in _TO | AND and beyond and beyond[0] not in _OF_START and (
                label(beyond[-1]) in ('start', 'end')):  # termine à 5 s, but from the start to 5 s
            continue
        if near and kind != 'end' and text in _TO | AND:
            return 'to' if text in _TO else 'and'
        if kind in ('start', 'from', 'end') or (near and kind):
            return kind
        near = False
    return ''


def _without_asides(gap: Sequence[Token]) -> list[str]:
    """The texts of the tokens, without what stands in round brackets."""
    everything = [token.text for token in gap]
    if '(' not in everything:
        return everything
    texts: list[str] = []
    opened: list[int] = []
    for text in everything:
        if text == '(':
            opened.append(len(texts))
        if text == ')' and opened:
            del texts[opened.pop():]
        else:
            texts.append(text)
    return texts
