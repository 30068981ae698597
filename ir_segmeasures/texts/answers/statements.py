"""The parts of an answer that can state windows, without wrappers, thoughts, quotations and links."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice

from ir_segmeasures.texts.answers.amounts import with_plain_amounts
from ir_segmeasures.texts.answers.phrases import MEDIA, in_known_phrases
from ir_segmeasures.texts.answers.polarity import revised_one
from ir_segmeasures.texts.answers.refusals import says_absent
from ir_segmeasures.texts.answers.tokens import SPELLED, time_of
from ir_segmeasures.texts.answers.words import DISPLAYS, FOLLOWING, READING

__all__ = ['stating_parts']

_LONGEST = 100_000  # characters; of a longer answer, only its end is read
_FROM_START = re.compile(r'\b(from|at|between) the (?:very )?'
                         r'(?:beginning|(?:first|opening) (?:frame|moment|second)|onset|opening(?= of| to| un?till?)'
                         '|outset|start)'
                         rf'(?: of th(?:e|is) (?:\w+ )?{MEDIA})?\b(?! of| time| point|(?:,| \()? ?[0-9])')
# Comments in JSON, a full stop of an abbreviated unit, and signs around a formula.
_COMMENT = re.compile(r'/\*[^*]{0,500}\*/|(?:(?<=[,{}\[\]\n])|^)[ \t]*//[^\n]*')
_FULL_STOP = re.compile(r'(?<=[0-9] )(hrs?|mins?|secs?)\.(?= ?(?:[0-9–—-]|to |and |until ))')
_FORMULA = re.compile(r'\$(?=[^\s$])([^$\n]{0,120}[^\s$])\$(?![0-9])|\$(?=[\[(\\])|(?<=[\])}])\$')
# A link to a part of a video, and the number of a frame beside a time in an object of JSON.
_LINK = re.compile(r'(?:#t=(?:npt:)?|[?&](?:start|from|begin)=)([0-9:.]{1,12})s?(?:,|&(?:end|to|stop)=)([0-9:.]{1,12})')
_FRAME_KEY = re.compile(r'["\']frame(?:_?(?:id|idx|index|no|number))?["\']\s?:\s?["\']?[0-9]{1,9}["\']?\s?,?')
_VULGAR = re.compile('(?<=[0-9])(?=[¼½¾⅓⅔])')
_HUMP = re.compile('(?<=[a-z])(?=[A-Z][a-z])')  # startTime
_ISO_8601 = re.compile(r'(/)?\b(?:pt(?=[0-9])|t(?=[0-9]{2}:))')
_YAML_LIST = re.compile(r'(\w: *)\n *- *([0-9.:]{1,9}) *\n *- *([0-9.:]{1,9}) *(?=\n|\Z)')
_LIST_MARK = re.compile(r'^[ \t]*(?:[-*•◦▪‣]|\(?(?P<number>[0-9]{1,2})[.)])[ \t]+(?=\S)', re.MULTILINE)
_VALUE = r'(?:"[^"\n]{0,120}"|\'[^\'\n]{0,120}\'|\{[^{}]{0,120}\}|\[[^\n\]]{0,120}\]+)'
# An example, or how to answer; the length of the video, and the end of the video as that of a window.
_PATTERN_GIVEN = re.compile(
    r'\((?:e\.g\.|i\.e\.,? like|for example|like|such as)[^()]{0,120}\)'
    r'|\b(?:for )?(?:(?:example|sample)s?(?: (?:answer|format|output|response))?(?: (?:from|in|of) (?:the|your) \w+)?'
    r'(?: is| would be)?'
    r'|format (?:is|should be|must be|would be)(?: like)?'
    r'|(?:answer|format|output|json|looks?)(?: (?:should|must|would) (?:be|look)| looks?)? like)\W{0,3}'
    rf'{_VALUE}'
    rf'|\bin (?:an?|the|this) (?:form|format|style)(?: of|,? such as|,? like)? {_VALUE}')
_LENGTH = re.compile(rf'\b{MEDIA}(?:, which)? (?:is|lasts|runs|has a (?:length|duration) of)(?: for)? '
                     r'(?:about |only )?(?P<length>[0-9.:]{1,9}(?: ?s(?:ec(?:ond)?s?)?| ?m(?:in(?:ute)?s?)?)?)')
# The same as an adjective: this 150-second video.
_LONG = re.compile(rf'\b(?P<length>[0-9.]{{1,6}}[- ](?:second|minute))(?:-long)? {MEDIA}\b')
_LAST = re.compile(r'\b(?:the |its )?(?:last|final) (?P<length>[0-9.]{1,6}) ?s(?:ec(?:ond)?s?)? (?:of|in) ')
_TO_END = re.compile(rf'\b(till|to|through|until) (?:the )?(?:very )?(?:end|(?:final|last) (?:frame|moment|second))'
                     rf'(?: of th(?:e|is) (?:[\w-]+ )?{MEDIA})?'
                     r'(?: *, which is [^,.\n]{1,20} long)?(?= *[.,;!)\n]| *$)')
_BUTTONS = str.maketrans({'▶': ' start: ', '⏹': ' end: ', '⏸': ' end: '})
_PICTURE = re.compile('[\u200b-\u200f\u2060\ufe0e\ufe0f\u231a\u231b\u23e9-\u23fa\u2705\u2714\U0001f300-\U0001faff]+')
# What is struck out, tolerances, the sign between thousands, and what a clock in the picture shows.
_ASIDE = re.compile(r'(?<!~)~~(?!~)[^~]{0,200}~~|<(?:del|strike)>[^<>]{0,200}</'
                    r'|\(?\s?(?:±|\+/?-|give or take|plus or minus)\s?[0-9.]{1,9}(?:\s?s(?:ec(?:ond)?s?)?\b)?\s?\)?'
                    r'|(?<=[0-9])[, ](?=[0-9]{3} ?(?:ms|msecs?|milliseconds?)\b)'
                    r'|\b[0-9][0-9:]{0,7}(?:\s?[-–]\s?[0-9:]{1,8})? on the (?!video)(?:\w+ )?(?:clock|scoreboard'
                    r'|stopwatch)\b')
_ASIDE_SIGN = re.compile('[~<±+]| m|give or|minus| on the |[0-9],')  # what each of these has
# Tokens of models that write a time digit by digit.
_DIGIT = re.compile(rf'<t(?:ime_)?(?:([0-9])|({"|".join(SPELLED)})|dot)>')
_FRAME = re.compile(r"""
    \s?\((?:frame|image)s?\ \#?[0-9]{1,9}\ ?(?:[-–]|to|through|and)\ ?\#?[0-9]{1,9}
         (?:,?\ (?:at\ )?[0-9.]{1,6}\ ?(?:fps|frames\ (?:per|a)\ second))?\)
    | (?<=[0-9s])\s?[(/=,@]\s?(?:at\ )?(?:frame|image)s?\s?\#?[0-9]{1,9}\b\)?
    | \b(?:frame|image)\s?\#?[0-9]{1,9}\s?(?:at|[/=,@→])\s?(?=[0-9.]{1,9}\s?s|[0-9]{1,2}:[0-9])
    """, re.VERBOSE)
_THOUGHT = re.compile('</?(?:think|thinking|thought|reasoning|reflection|analysis)>|◁/?think▷')
_ANSWER = re.compile(r'<answer>|(?:^|[?\n]) ?a:|\\boxed\b|\bassistant\s*:|(?<!spatial )\banswer\W{0,6}[:=]'
                     r'|\banswer to (?:the|your) question[^.:\n]{0,60}:'
                     r'|\banswers?\s+(?:is|are|would be|should be)\b|(?:^|\n)[*# ]*(?:[a-z]+ )?answer[* ]*\n')
# The last repetition of an answer, cut off within its window.
_CUT_OFF = re.compile(r'(?<=\s)(\w+: ?)[0-9][0-9.:]{0,9} ?(?:-|to|,)?\s*\Z')
# What a model asks itself once it has answered.
_NEXT_QUESTION = re.compile(r'\n\W*(?:human|instruction|user|(?:q|question)(?=[^\n]*\?))\W{0,3}:')
_CONCLUSION = re.compile(r'\b(?:' + '|'.join((
    'therefore|thus|hence|i conclude|in conclusion|to conclude|in summary|overall|to answer (?:the|your) question',
    r'final(?= ?[:=*]| (?:\w+ )?(?:answer|boundar|estimate|interval|output|predict|range|result|segment|span|time'
    '|window))',
    r'actually|in (?:fact|reality)|correction|wait(?=\s?[^\w\s]|\s+(?:i|let|no|that)\b)'
    r'|no(?=\s?[,;:!–—]|\.\s+[^\d|])|however',
    'on (?:second thought|reflection)|revised|refined',
    'specifically|sorry|apologies|oops|my mistake|i mean|make that|scratch that|let me correct|rather|instead',
    'more (?:accurately|exactly|precisely|specifically)|to be precise',
    '(?:correct|right) (?:answer|choice|interval|one|option|segment|time|timestamp|window)s?',
    r'(?:upon|after|on) (?:a )?(?:careful|closer|further|second) \w+|looking (?:again|closer|more closely)',
    r'(?:double|re)-?(?:check|consider|evaluat|examin|view|watch)ing',
    r'so(?= ?:)|so,? (?:the|it|i|my) (?:\w+ ){0,4}(?:are|be|from|happens?|is|must|occurs?|runs?|should|spans?|starts?'
    '|takes?|was|would)')) + r')\b')
# The same behind an explanation.
_PROVEN = re.compile(r'\b(?:therefore|thus|hence|in conclusion|in summary),? (?:the|my) (?:\w+ ){0,2}(?:answer|event'
                     r'|interval|moment|query|segment|start|window)\b')
_ASKED = re.compile(r'(?<!not )\bthe (?:\w+ ){1,3}in question\b|\byou (?:asked|want)\b'
                    r'|\bthe (?:exact|precise) (?:interval|segment|time|window)s? (?:is|are)\b'
                    r'|\bthe best (?:answer|candidate|choice|estimate|fit|guess|interval|match|moment|option|time'
                    r'|window)'
                    r'|(?<!if )\bthe (?:event is|asked|described|given|matching|queried|query|question'
                    r'|relevant|requested|target)\b')
_EXPLANATION = re.compile(r"\b(?:reasoning|explanation|rationale|justification|breakdown|for comparison|notes?(?=:)"
                          r"|(?:the|my) reasons?|this is because|here(?:'s| is) (?:why|how|my))\b")
_TAG = re.compile(r'</?([a-z_]+)[^<>0-9]{0,40}>|<\|[^<>|]{0,40}\|>|```[a-z]*|~~~[a-z]*|https?://\S+|\\(?:text|mathrm|[,;!])')
_KEPT_TAGS = ('start', 'begin', 'end', 'finish')
# An object without objects in it; a list of lists.
_JSON = re.compile(r'\{[^{}0-9]*[0-9][^{}]*\}|\[\s*\[[^\[\]0-9]*[0-9][^\[\]]*\](?:\s*,\s*\[[^\[\]]*\])*\s*\]')
# A list of lists of two numbers, with its key.
_ITEM = r'\s*["\']?[0-9][0-9.:]{0,12}["\']?\s*'
_LISTS = re.compile(rf'["\']?\b[a-z_]*["\']?[ :=]{{0,3}}\[\s*(?:[\[(]{_ITEM},{_ITEM}[\])]\s*(?:,\s*)?)+\]')
_COUPLE = re.compile(rf'\[{_ITEM},{_ITEM}\]')
_START_KEY = re.compile('["\'](?:start|begin|from)')
_QUOTE = re.compile(r"""(?P<open>(?<!\w)["'](?=\w)|[“‘«「])|(?P<close>(?<=[\w.!?])["'’](?!\w)|[”»」])""")
_CLOSING = {'"': '"', "'": "'", '“': '”', '‘': '’', '«': '»', '「': '」'}
_WORD = re.compile(r'[^\W\d_]+')
_IN_VIDEO = ('in', 'the', 'clip', 'video')
_BEFORE = 40  # characters before a quotation that can say what it is


def stating_parts(answer: str) -> Iterator[tuple[str, bool]]:
    """The parts of an answer that can state its windows, in lower case, in the order in which to read them.

    Thoughts between tags are left out. What ``<answer>``, ``Answer:`` or ``\\boxed`` lead to comes first, the whole
    text after it. Of both come first the objects and lists of JSON, then what stands behind words such as
    *therefore* or *actually*, each time without sentences in quotation marks, which repeat the query, and without an
    explanation at the end. What a sign or a clock says in quotation marks is left out of all of them.

    Returns:
        for each part its text, and whether it is all that is marked as the answer, so that nothing else counts
    """
    text = html.unescape(answer).replace('″', '"').replace('\\n', '\n').replace('\\"', '"')
    text = text if text.isascii() else unicodedata.normalize('NFKC', _VULGAR.sub(' ', text.translate(_BUTTONS)))
    text = _HUMP.sub('_', text).lower()[-_LONGEST:]
    if '{' in text or '[' in text:
        text = _FRAME_KEY.sub('', _COMMENT.sub('', text))
    if '=' in text:
        text = _LINK.sub(r' from \1 to \2 ', text)
    text = _without_thoughts(text)
    text = _FULL_STOP.sub(r'\1 ', text)
    text = _FORMULA.sub(r'\1', text) if '$' in text else text
    text = _YAML_LIST.sub(r'\1[\2, \3]', text)
    text = _without_list_marks(text if text.isascii() else _PICTURE.sub(' ', text))
    text = _PATTERN_GIVEN.sub(' ', _FROM_START.sub(r'\1 0s ', text))
    length = _LENGTH.search(text) or _LONG.search(text)
    if length:
        text = _with_last_part(text, length['length'])
        text = _TO_END.sub(rf'\1 {length["length"]}', text).replace(f'{length["length"]} long', 'long')
    if _ASIDE_SIGN.search(text):
        text = _ASIDE.sub(lambda aside: ' ' * (len(aside[0]) > 1), text)
    text = _DIGIT.sub(lambda digit: digit[1] or (f'{SPELLED[digit[2]]:g}' if digit[2] else '.'), text)
    text = _FRAME.sub(' ', text) if 'frame' in text or 'image' in text else text
    text = with_plain_amounts(text)
    text = _ISO_8601.sub(lambda match: ' to ' if match[1] else ' ', in_known_phrases(text))
    text = _unquoted(text, _is_read_off)
    parts = [_plain(text)]
    cut_off = _CUT_OFF.search(text)
    whole = cut_off.start() if cut_off and text.count(cut_off[1]) > 1 else len(text)
    *_, mark = [None, *_ANSWER.finditer(text, 0, whole)]
    if mark is not None and not _stands_beside_start(text, mark.start()):
        parts.insert(0, _plain(text[mark.end():].partition('</answer>')[0]))
    next_question = _NEXT_QUESTION.search(text)
    if next_question:
        parts.insert(0, _plain(text[:next_question.start()]))
    for part in parts:
        unquoted = _unquoted(part, _says_more)
        if says_absent(part) or (unquoted != part and says_absent(unquoted)):
            return
        if '[' in unquoted or '{' in unquoted:
            lists = _LISTS.findall(unquoted)
            if lists and not _START_KEY.search(unquoted) and not _COUPLE.search(_LISTS.sub('', unquoted)):
                yield '\n'.join(lists), False  # whatever else is counted beside them
            yield '\n'.join(_JSON.findall(unquoted)), False
        *_, proven = [None, *_PROVEN.finditer(unquoted)]
        if proven is not None:
            yield unquoted[proven.start():], False
        for reading in (_EXPLANATION.split(unquoted, maxsplit=1)[0], unquoted):
            *_, conclusion = [None, *_CONCLUSION.finditer(reading)]
            if conclusion is not None and revised_one(reading, conclusion.start()) is None:
                yield reading[conclusion.start():], False
            *_, asked = [None, *islice(_ASKED.finditer(reading), 1)]
            if asked is not None:
                yield reading[max(reading.rfind(mark, 0, asked.start()) for mark in '.!?,;\n') + 1:], False
            yield reading, False
        yield part, part is not parts[-1]


def _with_last_part(text: str, length: str) -> str:
    """The text with the last seconds of a video of a length as a range: *the last 10 seconds of the 60-second video*.
    """
    end = time_of(length.replace('-', ' '))

    def as_range(last: re.Match[str]) -> str:
        start = (end or 0) - float(last['length'])
        return f'from {start:g} s to {end:g} s of ' if end and start > 0 else last[0]

    return _LAST.sub(as_range, text)


def _without_list_marks(text: str) -> str:
    """The text without the bullets and the numbers of a list's lines, which count 1, 2, 3."""
    last = 0

    def without(mark: re.Match[str]) -> str:
        nonlocal last
        number = int(mark['number'] or last + 1)
        if number != last + 1:
            return mark[0]
        last += mark['number'] is not None
        return ''

    return _LIST_MARK.sub(without, text)


def _stands_beside_start(text: str, place: int) -> bool:
    """Whether an object of JSON that is open at a place has a start: {"start": 3, "end": 5, "answer": "He sits"}."""
    opening = text.rfind('{', 0, place)
    return opening > text.rfind('}', 0, place) and _START_KEY.search(text, opening, place) is not None


def _without_thoughts(text: str) -> str:
    *_, tag = [None, *_THOUGHT.finditer(text)]
    if tag is None:
        return text
    closed = '/' in tag[0] or '<answer>' in text[tag.end():]
    return text[tag.end():] if closed else text[:tag.start()]


def _plain(text: str) -> str:
    """The text without links and tags, but for tags that name a start or an end or have numbers."""
    return _TAG.sub(lambda tag: tag[0] if (tag[1] or '').startswith(_KEPT_TAGS) else ' ', text)


def _unquoted(text: str, is_left_out: Callable[[str, int, int], bool]) -> str:
    """The text without the quotations that are left out: (text, the bounds of a quotation in it) → whether one is."""
    kept, done, begin, closing = [], 0, 0, ''
    for quote in _QUOTE.finditer(text):
        if quote['close'] and quote[0] == closing:
            if is_left_out(text, begin, quote.end()):
                kept.append(text[done:begin])
                done = quote.end()
            closing = ''
        elif quote['open']:
            begin, closing = quote.start(), _CLOSING[quote[0]]
    return ' '.join([*kept, text[done:]])


def _says_more(text: str, begin: int, end: int) -> bool:
    """Whether a quotation has words that say more than a time."""
    return sum(word not in FOLLOWING for word in _WORD.findall(text, begin, end)) > 1


def _is_read_off(text: str, begin: int, _: int) -> bool:
    """Whether a quotation is what something in the picture says: The sign reads "24-7"."""
    before = text[max(0, begin - _BEFORE):begin].rstrip()
    said = _WORD.findall(before) if before[-1:].isalpha() else []
    while len(said) > 1 and (said[-1] in READING or said[-1] in _IN_VIDEO):
        said.pop()
    return bool(said) and said[-1] in DISPLAYS
