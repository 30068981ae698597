"""Windows that an answer names and takes back before it comes to another one: another's claim, what only looks so, an
example of the notation, or a mistake.

What is taken back counts only if a later window is left, so that a list of windows keeps its first ones.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.sentences import StatedWindow, sentence_after, sentence_before
from ir_segmeasures.texts.answers.tokens import Token

__all__ = ['revised_one', 'without_taken_back']

_CONTRASTS = frozenset(('but', 'however', 'yet', 'though', 'although', 'while', 'whereas', 'instead'))
_JOINS = _CONTRASTS | {'and', 'so', 'hence', 'therefore', 'thus', 'then'}
_STOP = re.compile('[.;]')
_LONGEST = 120  # tokens between two windows that are looked at


def _pattern(*ways: str) -> re.Pattern[str]:
    return re.compile('|'.join(f'(?:{way})' for way in ways))


# In these patterns @ is the window, and words and marks have one space between them.
_BE = r"(?:be|is|are|was|were|\w+['’]s)"
_NOT = r"(?:not|never|hardly|\w+n['’]t)"
_THIS = '(?:that|this|those|these|which)'
_MERELY = '(?:just|only|merely|simply)'
_MODAL = '(?:can|could|may|might|should|would|will|must)'
_THINK = (r'(?:answer|assume|believe|be (?:\w+ )?(?:tempted|misled|fooled|mistaken|confused)|choose|confuse|expect'
          '|guess|look|mistake|pick|say|seem|suppose|suspect|take|think)')
_OUT = ('(?:ruled out|set aside|left out|discarded|discounted|dismissed|disregarded|dropped|eliminated|excluded'
        '|ignored|rejected|skipped)')
_CLAIM = (r'(?:say|said|suggest|claim|assum|impl|stat|mention|propos|expect|hint|speak|spoke|gave|give|think|thought'
          r'|believ|put|guess|suppos|refer|point)(?:s|es|d|ed|y|ies|ied)?\b')
_ASKING = '(?:question|query|prompt|hint|user|premise|instruction|task|asker)s?'
_TELLING = '(?:annotation|caption|description|label|subtitle|summary|title)s?'
_GUESS = '(?:answer|claim|estimate|guess|hint|interval|premise|proposal|range|suggestion|time|window)s?'
_FLAW = ('(?:wrong|incorrect|inaccurate|mistaken|misleading|irrelevant|unrelated|false|untrue|invalid|implausible'
         r'|too (?:early|late|long|short|wide|broad|narrow)'
         r'|an? (?:\w+ )?(?:decoy|error|false \w+|herring|mismatch|misreading|mistake|slip|trap|typo))')
_LESSER = '(?:preview|replay|repeat|repetition|rerun|rehearsal|trailer|teaser|flashback|dream|recap|warm-up)'
_OBEYS = '(?:apply|correspond|count|fit|hold|match|meet|qualify|satisfy|suit|work)'
_NOT_IT = _pattern(  # a verdict on the window, behind it
    r'^@ ,? ?nothing\b', rf'\b{_BE} (?:\w+ )?{_FLAW}\b', rf'[(\[] (?:\w+ )?{_FLAW} [)\]]',
    rf"(?:but|yet|though|although|however|;|-) ,? ?{_THIS}(?: {_BE}|['’]s) (?:\w+ )?(?:an?|the|when|where)\b",
    rf'^@ \W*{_BE} (?:\w+ )?off\b',
    rf'\b{_MODAL} (?:\w+ )?be (?:\w+ )?{_OUT}\b', rf'^@ \W*(?:s |seconds )?{_BE} (?:\w+ )?{_OUT}\b',
    r'\bi (?:\w+ )?(?:rule|exclude|reject|dismiss|discard|disagree|discount)',
    rf'\b(?:do|does|did|can|could|would|will) {_NOT} (?:\w+ )?{_OBEYS}\b', rf"\b\w+n['’]t (?:\w+ )?{_OBEYS}\b",
    rf'\bfails? to {_OBEYS}\b',
    rf'[.!?\n-] (?:\W*(?:but|no|hmm+|well|oh|ah|and|wait|hold on) ?\W* )?{_THIS}\b[^.!?\n]* {_NOT}\b',
    rf"(?:\b{_THIS}(?: {_BE}|['’]s)|^@ \W*(?:\w+ )?{_BE}) (?:\w+ )?{_MERELY} (?:an?|the|some|another)\b",
    rf"\b(?:he|she|they|it|who|{_THIS})(?: {_BE}|['’]s) (?:\w+ )?"
    r'(?:another|(?:an?|the) (?:different|other)|some(?:body|one|thing) else)\b',
    rf'^@ \W*{_BE} (?:\w+ ){{0,3}}{_LESSER}\b',
    rf'\b{_NOT} (?:quite )?(?:it|right|correct|accurate|valid|what (?:we|you|i|the)|the (?:right|correct|one|event'
    r'|moment|answer|action|window|target))\b')
_REVISION = _pattern(  # between two windows, of which the later one counts
    r'(?:^@|[.!?\n;:,-]) \W*(?:hmm+|wait|hold on|hang on|oops|sorry|correction|scratch|nope|on second thoughts?)\b',
    r'\blet me (?:\w+ )?(?:re\b|re-|re[a-z]|correct|fix|adjust|revise|amend|look again|try again)',
    r'\bi (?:\w+ ){1,3}(?:correct|fix|revise|amend|rectify)\b', r'\bi (?:was|am|stand) (?:wrong|mistaken|corrected)\b',
    r'\bi (?:had )?(?:misread|miscounted|mixed|misjudged|misspoke|made an? (?:\w+ )?(?:mistake|error))\b',
    r'(?:^@|[.!?\n;:,-]) \W*(?:an? |the |my )?(?:updated?|revised|corrected|fixed|adjusted|improved|refined|better) '
    r'(?:\w+ )?(?:\W|one|answer|estimate|window|match|fit|choice|range|version|interval|span|time)')
_REVISED_ONE = re.compile(r'\b(?:actually|apologies|correction|mistake|no|oops|sorry|wait)\b\W*(?:\w+ ){0,2}?'
                          r'(?:the|that|my) '
                          r'(first|second|third|last|latter|final) (?:one |interval |occurrence |time |window )?'
                          r'(?:goes|is|must|runs|should|was|:)')
_PLACES = {'first': 0, 'second': 1, 'third': 2, 'last': -1, 'latter': -1, 'final': -1}
_OTHERS = _pattern(  # another's claim, or what one might think, before the window
    rf'\b(?<!as )(?:one|you|someone|somebody|people|many|others?|it|this|that|viewers?|readers?|observers?) '
    rf'(?:\w+ )?{_MODAL} (?:\w+ )?{_THINK}\b', rf'\b(?:easy|hasty|incorrect|mistaken?|premature|tempt\w+|wrong) to '
    rf'(?:\w+ )?{_THINK}\b',
    rf'\b(?<!as )(?:you|(?:the|your|this) (?:\w+ )?{_ASKING}|(?:some|any)one(?: else)?|others|people|many'
    rf'|most|viewers|readers)(?:[\'’]s)? (?:\w+ )?{_CLAIM}',
    rf'\b(?<!as )(?:the|your|this) (?:\w+ )?{_TELLING} (?:claim|suggest|impl|assum|state|promis)\w*',
    rf'\b{_TELLING} (?:give|list|place|put|say|show)s? (?:it|that|this)\b',
    r'\b(?:at|on) (?:a |the )?first (?:glance|look|sight|viewing)\b|\b(?:supposed|alleged|ostensib|superficial)ly\b',
    rf'\baccording to (?:the|your) (?:\w+ )?(?:{_ASKING}|{_TELLING})\b',
    rf'\b(?:your|user[\'’]s|question[\'’]s|(?:first|initial) thought) (?:\w+ )?{_GUESS}\b')
_AGAINST = re.compile(r'\b(?:contrary to|counter to|unlike|opposed to|in contrast to|despite|instead of|rather than'
                      r'|confuse \w+ with|mistake \w+ for|i(?: am|[\'’]m|[\'’]ve| have)? (?:\w+ )?'
                      r'(?:discard|dismiss|disregard|drop|eliminat|exclud|ignor|reject|rul|skip)\w*)\b[^,;]*$')
_NOTATION = re.compile(r'\b(?:sample|template|notation|placeholder|illustration|something like|such as|as in'
                       r'|(?:output|answer|given|requested|required) format|(?:in|by|per|of) (?:the|your) instructions?'
                       r'|instructions? (?:give|read|say|show|use)s?(?! out))\b[^:]*$')
_LIKENESS = re.compile(r'\b(?:similar|comparable|alike|(?:nearly|almost) identical|look-?alike|close to|resembl\w+'
                       r'|pretend\w*|mistaken for|confused with|look(?:s|ed)? (?:like|similar|as if|as though)'
                       r'|seems? (?:to|like)|appears? to)\b')
_LESS = re.compile(rf'\b(?:{_MERELY}|still|already|also|same|{_LESSER}|{_NOT}|while|although|though|whereas)\b')
_ALSO = re.compile(r'^@ [)\]]? ?also \w+')  # the trailer (3 - 5 s) also has a car, but the race
_TURNS_BACK = re.compile(r', (?:but|however|yet|whereas|while) the\b')
_REAL = re.compile(r'\b(?:(?:the|its|his|her|their) (?:real|actual|true|proper|genuine|original)'
                   r'|really|actually|itself|himself|herself|themselves|proper|in question|in reality)\b')


def without_taken_back(read: Sequence[Token], windows: Sequence[StatedWindow]) -> list[StatedWindow]:
    """The windows without those that the answer takes back before it comes to one that it does not.

    Examples:
        >>> from ir_segmeasures.texts.answers.polarity import without_taken_back
        >>> from ir_segmeasures.texts.answers.sentences import StatedWindow
        >>> from ir_segmeasures.texts.answers.tokens import tokenized
        >>> read = tokenized('one might say 3 s to 5 s, but this is just a rehearsal. the play is on from 8 s to 9 s.')
        >>> without_taken_back(read, [StatedWindow(3, 5, 3, 5), StatedWindow(8, 9, 18, 20)])
        [StatedWindow(start=8, end=9, place=18, last=20, timed=True)]
    """
    kept: list[StatedWindow] = []
    moved: list[tuple[int, StatedWindow]] = []
    lead = ' '.join(reversed(sentence_before(read, windows[0].place))) if len(windows) > 1 else ''
    for window, following in pairwise(windows):
        gap = [token.text for token in read[window.last + 1:following.place]][-_LONGEST:]
        cut = _cut(gap)
        tail, head = ' '.join(gap[:cut]), ' '.join(gap[cut:])
        is_contrast = not _CONTRASTS.isdisjoint([*lead.split(), *gap, *sentence_after(read, following.last)])
        if not (_says_something(gap) or '.' in gap) or not _is_taken_back(lead, tail, head, is_contrast):
            kept.append(window)
        elif _REVISION.search(f'@ {tail} {head}'):
            one = revised_one(f'{tail} {head}')
            if one is None:
                kept.clear()  # all that has been said
            elif 0 <= one < len(kept):
                kept.append(window)
                moved.append((one, following))  # the first one is rather from 3 to 5 s
        lead = head
    kept += windows[-1:]
    for place, window in moved:
        if window in kept[place + 1:]:
            kept.remove(window)
            kept[place] = window
    return kept


def revised_one(text: str, begin: int = 0) -> int | None:
    """The place of the window that a correction revises, -1 for the last one; None if it revises all before it.

    Examples:
        >>> from ir_segmeasures.texts.answers.polarity import revised_one
        >>> revised_one('correction, the last one is from'), revised_one('correction: from')
        (-1, None)
    """
    said = _REVISED_ONE.search(text, begin, begin + _LONGEST)
    return _PLACES[said[1]] if said else None


def _cut(gap: Sequence[str]) -> int:
    """The place between two windows up to which something is said of the first one."""
    for ends in (words.SENTENCE_END | {':', ';'}, _JOINS, (',', '-')):
        places = [place for place, text in enumerate(gap) if text in ends and _says_something(gap[place + 1:])]
        if places:
            return places[-1]
    return 0


def _says_something(texts: Sequence[str]) -> bool:
    """Whether there is a word that is more than a link of a list."""
    return any(text[:1].isalpha() and text not in words.FILLERS | words.AND | {'from', 'between'} for text in texts)


def _is_taken_back(lead: str, tail: str, head: str, is_contrast: bool) -> bool:
    """Whether a window is taken back by what stands before it, behind it and before the next one, which can be said to
    be in contrast to it."""
    behind = f'@ {tail}'
    if (_NOT_IT.search(behind) or _REVISION.search(f'{behind} {head}') or _AGAINST.search(lead)
            or _NOTATION.search(lead) or (_OTHERS.search(lead) and (is_contrast or _STOP.search(f'{behind} {head}')))):
        return True
    around = f'{lead} {behind}'
    if _ALSO.search(behind) and _TURNS_BACK.search(f'{tail} {head}'):
        return True
    is_like = _LIKENESS.search(around) is not None
    if is_like and is_contrast and words.SENTENCE_END.isdisjoint(tail.split()):
        return True
    is_real = _REAL.search(head) is not None and _REAL.search(around) is None
    return is_real and (is_like or _LESS.search(around) is not None)
