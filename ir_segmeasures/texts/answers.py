"""The windows of time that a model's answer states, in plain forms only.

An answer is read as tokens (times, words and marks), and a window is two times that are joined in one of a few forms.
An answer that says more is unread, since a wrong window is worse than none.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ir_segmeasures.segments.basics import quoted

Window = tuple[float, float]

_LONGEST = 100_000  # characters of an answer
_NEAR, _FAR, _LONG = 3, 14, 100  # tokens between a word and its number, a start and its end, and in a sentence
_words = str.split

# Full-width characters, blanks, dashes, arrows and quotation marks as their plain ones.
_CHARACTERS = ({code: chr(code - 0xfee0) for code in range(0xff01, 0xff5e)}
               | dict.fromkeys(map(ord, '\u00a0\u2009\u202f'), ' ')
               | dict.fromkeys(map(ord, '‐‑‒–—―−〜～→⟶'), '-')
               | dict(zip(map(ord, '‘’“”'), '\'\'""')))
_NUMERALS = _words('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen '
                   'sixteen seventeen eighteen nineteen')
_TENS = {name: 10 * number for number, name in enumerate(
    _words('twenty thirty forty fifty sixty seventy eighty ninety'), 2)}
_SPELLED = re.compile(rf'\b(?:({"|".join(_TENS)})(?:[ -]({"|".join(_NUMERALS[1:10])}))?|({"|".join(_NUMERALS)}))'
                      r'(?=[ -](?:second|minute)s?\b)')
_TAG = re.compile(r'<(?:/\w{1,20}|([a-z][^<>\n]{0,80}?)/?)>')
_QUOTATION = re.compile(r'(?:"([^"\n]{1,300})"|(?<!\w)\'([^\'\n]{1,300})\'(?!\w))(\s?:)?')
_TOKEN = re.compile(r"""
    (?P<clock> (?P<time>(?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d(?:[.,]\d{1,9})?) (?:[ ]?s(?:ec(?:ond)?s?)?)?
        (?![\w%/]|[:.,]\d) )
  | (?P<number> (?:\d{1,3}(?:,\d{3})+|\d{1,12})\.\d{1,9} (?!\.\d) | \d{1,12}(?:,\d{1,9})? (?![.,]\d) )
    (?![\d:%/]|[ ]%)
    (?: [ -]?(?: (?P<ms>ms|milliseconds?) | (?P<s>s(?:ec(?:ond)?s?)?) | (?P<m>m(?:in(?:ute)?s?)?) | (?P<h>h(?:ours?)?) )
        (?![^\W\d]) | (?!\w) )
  | (?P<junk> \d[\w.,:/%]* )
  | (?P<word> [^\W\d]\w* (?:'[^\W\d]+)? )
  | (?P<to> \.{2,3} | -{1,3}>? | ~ )
  | (?P<mark> \n | [^\w\s] )""", re.VERBOSE | re.ASCII)
_THOUSANDS = re.compile(r'[1-9]\d{0,2}(?:,\d{3})+')
_UNITS = {'ms': 0.001, 's': 1.0, 'm': 60.0, 'h': 3600.0}

_BEGINNING = re.compile(r'\W*(?:(?:in|during|within) )?the first (\d{1,6}(?:\.\d{1,9})?) ?s(?:ec(?:ond)?s?)?\W*')
_SENTENCE_END = {'.', '!', '?', ';', '\n'}
_TO = {'-', 'to', 'until', 'till', 'through'}
_BESIDE = {*',:=(){}<>*`', *_words('about approximately around at mark roughly second seconds t the time timestamp '
                                'timestep up')}
# Words before which, and among which, a window stands.
_LEADING = set(_words(
    'about again also and answer approximately are around at begins between cover covers during event from happening '
    'happens in interval intervals is it moment moments occurrence occurring occurs of over pred query range ranges '
    'relevant roughly second seconds segment segments seen shown shows span spanning spans start starting starts t the '
    'then time times timestamp timestamps timestep visible was window windows within'))
_PLAIN = _LEADING | _TO | set(_words(
    "a action actions an as boxed can clip does early end ending ends final first following given happened here i i'd "
    "its moment's near occur occurred on one person predicted s say so soon such sure target that there these they "
    "this thus third time's twice two video which you"))
# An answer with one of them says more than a window, or denies one.
_REFUSED = set(_words(
    'actually after afterward afterwards ago apart before beyond but cannot clock clocks correction could dozen each '
    'either else every everything example except excluding explanation fails false fig format frame frames half hour '
    'hours however hundred if impossible incorrect initially instead later likely may maybe might minus minute minutes '
    'mistake ms neither never no nobody none nor normalised normalized not nothing only or outside percent percentage '
    'pp probably quarter rather ratio relative should sorry stopwatch style takes than think though thought thousand '
    'timer took unable unclear unless without would wrong $ € £ ° ± ≈ / |'))
_ROLE = re.compile(r'(?:\A|_)(?:(?P<start>start|begin|onset)|(?P<end>end|finish|stop|until|offset))')
_WHOLE = {'duration', 'last', 'lasted', 'lasting', 'lasts', 'length', 'long', 'runs', 'total'}
_SCORES = {'confidence', 'probability', 'saliency', 'score', 'scores'}
_YEARS = range(1900, 2101)


class _Token(NamedTuple):
    """A word, a mark or a number; ``seconds`` is None for what is not a time, ``unit`` 0 for a time without one."""
    text: str
    is_number: bool = False
    seconds: float | None = None
    unit: float = 0


class _Found(NamedTuple):
    """A window, with the places of its tokens."""
    start: float
    end: float
    first: int
    last: int


class _UnreadError(Exception):
    """An answer is not of the plain forms."""


def windows_in(text: str) -> list[Window]:
    """The windows of time that a model's answer states, in seconds, in the order in which they stand.

    These forms are read: JSON and Python lists (``[[12, 15], [20, 25]]``), keys, labels and tags (``"start": 12, "end":
    15``), ranges (``12.3 - 15.6``, ``0:12 to 0:15``, *between 12 and 15 s*), *starts at … and ends at …*. A time is a
    number with or without the unit of seconds, a clock time, or minutes and seconds in words. ``1,250 s`` are 1250 s,
    and ``12,500 -->`` in a caption is 12.5 s. An answer in tags, or behind thoughts or *answer:*, counts alone. A
    window whose end stands first is put in order; one that is stated twice is there once.

    Everything else is unread: refusals, denials, alternatives, stories of several windows, lengths, frames,
    percentages, other languages, and numbers that can be understood in two ways.

    Returns:
        (start, end) of each window, start <= end; none where the answer is unread

    Examples:
        >>> from ir_segmeasures import windows_in
        >>> windows_in('The event "2 men sit" starts at 00:18 and ends at 00:23.5.')
        [(18.0, 23.5)]
        >>> windows_in('<think>3 - 8? No.</think> [[11, 20], [31.5, 40]]')
        [(11.0, 20.0), (31.5, 40.0)]
        >>> windows_in('I see 2 people, but not the event.')
        []
    """
    if not isinstance(text, str):
        raise TypeError(f"the answer is {quoted(text)}, and not text: give '' where the model gave none")
    return list(dict.fromkeys((min(window), max(window)) for window in stated_windows(text)))


def stated_windows(text: str) -> list[Window]:
    """The windows of :func:`windows_in` with their times in the order of the answer, in which the end may stand first.
    """
    answer = _answer(text.lower().translate(_CHARACTERS)) if len(text) <= _LONGEST else ''
    beginning = _BEGINNING.fullmatch(answer)
    if beginning:
        return [(0., float(beginning[1]))]
    try:
        return [(found.start, found.end) for found in _windows(_tokens(answer))]
    except _UnreadError:
        return []


def time_of(text: str) -> float | None:
    """The seconds of a text that is one time, None if it is anything else.

    Examples:
        >>> from ir_segmeasures.texts.answers import time_of
        >>> time_of('1:05'), time_of('12.5 s'), time_of('frame 12')
        (65.0, 12.5, None)
    """
    tokens = _tokens(text.strip().lower()[:_LONGEST])
    return tokens[0].seconds if len(tokens) == 1 else None


def _answer(text: str) -> str:
    """The part of an answer that counts, with words for tags and without quotations such as the query."""
    text = text.rpartition('</think>')[2]
    if '<think>' in text or text.count('<answer>') > 1:  # thoughts that were cut off, or several answers
        return ''
    if '<answer>' in text:
        text = text.partition('<answer>')[2].partition('</answer>')[0]
    text = text.rpartition('answer:')[2].replace('takes place', 'happens').replace('<|', ' ').replace('|>', ' ')
    text = re.sub(r'a specific example is : [\d.]{1,9} - [\d.]{1,9} seconds', '', text)  # of Charades-STA's prompt
    text = _TAG.sub(lambda match: f' {match[1] or ""} ', re.sub(r'(?<=\s)~(?=\d)', '', text))
    if '-->' not in text:  # [3,8] is a list, and its comma does not belong to a number
        pieces = re.split(r'([\[\]])', text)
        text = ''.join(piece.replace(',', ', ').replace('\n', ' ') if before == '[' else piece
                       for before, piece in zip(['', *pieces], pieces))
    return _SPELLED.sub(lambda match: str(_TENS.get(match[1], 0) + _NUMERALS.index(match[2] or match[3] or 'zero')),
                        _QUOTATION.sub(_unquoted, text))


def _unquoted(match: re.Match[str]) -> str:
    """A quotation of a key, of times or of plain words, without its marks; a blank for every other one."""
    content = match[1] or match[2]
    is_plain = (match[3] and ' ' not in content) or _PLAIN.issuperset(
        part for token in _tokens(content) for part in _parts(token) if part not in '-:,.')
    return f' {content} {match[3] or ""}' if is_plain else ' '


def _tokens(text: str) -> list[_Token]:
    """The tokens of a text in lower case; an amount of hours, minutes and seconds is one of them."""
    tokens: list[_Token] = []
    is_caption = '-->' in text
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in ('mark', 'word'):
            tokens.append(_Token(match[0]))
        elif kind == 'to':
            is_sign = text[match.end():match.end() + 1].isdigit() and not (
                tokens and (tokens[-1].is_number or tokens[-1].text.isalpha()))
            tokens.append(_Token('minus' if is_sign else '-'))
        elif match['clock']:
            parts = reversed(match['time'].replace(',', '.').split(':'))
            tokens.append(_Token('', True, sum(float(part) * 60 ** place for place, part in enumerate(parts)), 1))
        elif match['number']:
            unit = next((_UNITS[name] for name in _UNITS if match[name]), 0.0)
            number = _number(match['number'], unit, is_caption)
            token = _Token('', True, None if number is None else round(number * (unit or 1), 9), unit)
            before = -2 if len(tokens) > 1 and tokens[-1].text in ('and', ',') else -1
            if tokens and token.seconds is not None and 0 < unit < tokens[before].unit and tokens[before].unit >= 60:
                token = token._replace(seconds=token.seconds + (tokens[before].seconds or 0))  # 2 minutes and 5 seconds
                del tokens[before:]
            tokens.append(token)
        else:
            tokens.append(_Token('', True))
    return tokens


def _number(text: str, unit: float, is_caption: bool) -> float | None:
    """The number that digits with a point and commas are; None where a comma may be either."""
    if ',' not in text or '.' in text or (unit and not is_caption and _THOUSANDS.fullmatch(text)):
        return float(text.replace(',', ''))
    return float(text.replace(',', '.')) if is_caption else None


def _windows(tokens: Sequence[_Token]) -> list[_Found]:
    """The windows that tokens state.

    Raises:
        _UnreadError: there is a word of denial or doubt, a time beside the windows, or text between them
    """
    if any(not _REFUSED.isdisjoint(_parts(token)) or token.text.endswith("n't") for token in tokens):
        raise _UnreadError
    places = [place for place, token in enumerate(tokens) if token.is_number]
    found: list[_Found] = []
    others: list[int] = []
    for previous, first, last in zip([-1, *places], places, [*places[1:], len(tokens)]):
        taken = found[-1].last if found else -1
        if first > taken:
            window = _window(tokens, previous, first, last, taken)
            found += [window] if window else []
            others += [] if window else [first]
    lengths = {round(abs(window.end - window.start), 6) for window in found}
    if any(_is_time(tokens, place, lengths) for place in others):
        raise _UnreadError
    for before, behind in pairwise(found):
        gap = tokens[before.last + 1:behind.first]
        if before[:2] != behind[:2] and not (before.start <= before.end and behind.start <= behind.end and all(
                token.is_number or not token.text[0].isalpha() or _PLAIN.issuperset(_parts(token)) for token in gap)):
            raise _UnreadError
    return found


def _parts(token: _Token) -> list[str]:
    """The words in a word such as ``start_time``; a mark as it is."""
    return [part for part in token.text.split('_') if part]


def _window(tokens: Sequence[_Token], previous: int, first: int, last: int, taken: int) -> _Found | None:
    """The window of two numbers that follow each other, or None if they only count something.

    Args:
        previous: the place of the number before them, or -1
        first, last: their places; the last one is the number of tokens if only one number is left
        taken: the last place of the window before them, or -1
    """
    if last == len(tokens) or tokens[first].seconds is None or tokens[last].seconds is None:
        return None
    start, end = tokens[first], tokens[last]
    window = _Found(start.seconds or 0, end.seconds or 0, first, last)
    before, words = _sentence(tokens, first, taken), [token.text for token in tokens[first + 1:last]]
    near = tokens[max(previous + 1, first - _FAR):first]
    if words == [','] and first and tokens[first - 1].text in ('[', '('):
        window = window._replace(last=_end_of_list(tokens, last))
        is_window = window.last > 0 and not any(map(_role, near[-_NEAR:]))
    elif sum(word in _TO for word in words) == 1 and _BESIDE.union(_TO).issuperset(words):
        is_chain = 0 <= previous == first - 2 and tokens[first - 1].text == '-'  # 2024-01-15
        following = [token.text for token in tokens[last + 1:last + 3]]
        is_window = not is_chain and following[:1] != ['='] and following != ['-', '']
    elif words.count('and') == 1 and _BESIDE.union(['and']).issuperset(words) and 'between' in before[-_NEAR:]:
        is_window = True
    else:
        roles = [role for role in map(_role, near) if role]
        is_window = roles[-1:] == ['start'] and len(words) <= _FAR and 'end' in map(_role, tokens[first + 1:last])
        return window if is_window else None
    label, behind = _sentence(tokens, first, previous), [token.text for token in tokens[last + 1:last + 3]]
    is_bare = not start.unit and not end.unit
    if is_bare and _SCORES.intersection(label):
        return None
    if is_window and _is_time_span(start, end) and _WHOLE.isdisjoint([*label, *behind[:1]]) and (
            'end' not in map(_role, map(_Token, before)) and _is_said(before, behind, is_bare)):
        return window
    if is_bare and 'from' not in before and not window.start % 1 and not window.end % 1 and (
            behind and behind[0].isalpha() and behind[0] not in _PLAIN):
        return None  # 2-3 people
    raise _UnreadError


def _is_time_span(start: _Token, end: _Token) -> bool:
    """Tells whether two numbers of a range are times, of units that agree, and not years."""
    if all(token.seconds in _YEARS and (not token.unit or not (token.seconds or 0) % 10) for token in (start, end)):
        return False
    return start.unit == end.unit or (start.unit, end.unit) == (0, 1) or 0 < min(start.unit, end.unit)


def _is_said(before: Sequence[str], behind: Sequence[str], is_bare: bool) -> bool:
    """Tells whether the words around a range let it be a window: without units, all words before it."""
    if not is_bare:
        return (not before or before[-1] in _LEADING) and (behind[:1] != ['of'] or behind == ['of', 'the'])
    return _PLAIN.issuperset(before) and not (
        behind and behind[0].isalpha() and behind[0] not in _PLAIN - {'of', 'times'})


def _sentence(tokens: Sequence[_Token], place: int, taken: int) -> list[str]:
    """The words before a place in its sentence, those behind another place; an error in a long sentence."""
    least = max(taken + 1, place - _LONG - 1)
    first = next((at + 1 for at in range(place - 1, least - 1, -1) if tokens[at].text in _SENTENCE_END), least)
    if place - first > _LONG:
        raise _UnreadError
    return [part for token in tokens[first:place] for part in _parts(token) if part[0].isalpha()]


def _end_of_list(tokens: Sequence[_Token], last: int) -> int:
    """The place of the last number in a list of a start, an end, and maybe a score; 0 in another list."""
    following = [token.text for token in tokens[last + 1:last + 4]]
    if following[:1] in ([']'], [')']):
        return last
    score = tokens[last + 2].seconds if following[:2] == [',', ''] else None
    return last + 2 if score is not None and score <= 1 and following[2:] in ([']'], [')']) else 0


def _role(token: _Token) -> str:
    """'start' or 'end' of a word that names one, else an empty string."""
    match = _ROLE.search(token.text)
    return (match and match.lastgroup) or ''


def _is_time(tokens: Sequence[_Token], place: int, lengths: set[float]) -> bool:
    """Tells whether a number of no window may be a time: with a unit or decimals, or beside another number.

    The length of a window, of the whole video, and a score are none.
    """
    seconds, unit = tokens[place].seconds, tokens[place].unit
    if place and tokens[place - 1].is_number:
        return True
    near = {part for token in tokens[max(0, place - _NEAR):place + _NEAR] for part in _parts(token)}
    if seconds is None or seconds in lengths or near & (_SCORES | _WHOLE | {'clip', 'video'}):
        return False
    return unit > 0 or (seconds > 1 and seconds != int(seconds)) or any(
        map(_role, tokens[max(0, place - _NEAR):place]))
