"""Answers that say that the event is not in the video, whatever else they say of it."""

import re
from itertools import pairwise

from ir_segmeasures.texts.answers.phrases import MEDIA

__all__ = ['says_absent']

_THING = '(?:action|activity|clip|event|evidence|instance|match|moment|occurrence|one|part|query|scene|segment)s?'
_CAN = r'(?:can|could|did|do)(?:not| not|n?[\'’]t)'
_DOES = r'(?:appear|contain|depict|exist|feature|happen|include|occur|show|takes? place)'
_SIGHT = r'(?:depicted|detected|found|identified|present|seen|shown|visible)'
_REFUSAL = re.compile(r'\b(?:' + '|'.join((
    rf'(?:no|not any) (?:\w+ ){{0,2}}{_THING}\b[^.!?\n0-9]{{0,40}}\b(?:exists?|occurs?|{_SIGHT})',
    rf'(?:{MEDIA}|{_THING}|it|this|that)(?: \w+)? do(?:es)?(?: not|n[\'’]t) (?:\w+ )?{_DOES}\b'
    '(?! (?:until|till|before))',
    rf'{_THING}(?: is| was| are)?(?: absent|(?: not|n[\'’]t) (?:\w+ )?(?:{_SIGHT}|in (?:the|this) {MEDIA}))',
    rf'there(?: is|[\'’]s) no [^.!?;\n0-9]{{1,40}} in (?:the|this) {MEDIA}',
    rf'i {_CAN} (?:\w+ )?(?:detect|find|identify|locate|see|spot) '
    rf'(?:any|it|such|that|this|the (?:\w+ )?{_THING})')) + r')\b')
_TURN = re.compile(r'\b(?:but|however|although|though|actually|wait|(?<!seen )(?<!shown )instead|best|most|rather'
                   r'|perhaps|possibl[ey]|maybe|answers?|estimate|guess)\b')
# A refusal at the end, after what else is in the video.
_LATE_REFUSAL = re.compile(r'\b(?:' + '|'.join((
    rf'(?:{_THING}|description)\b[^.!?\n0-9]{{0,80}} (?:do(?:es)?(?: not|n[\'’]t)|never) (?:\w+ )?{_DOES}s?',
    rf'no (?:matching|relevant|such) {_THING}[^.!?\n0-9]{{0,40}}',
    rf'i {_CAN} (?:find|locate|see) (?!his|her|its|their|wh)[^.!?\n0-9]{{1,80}} (?:anywhere|in (?:the|this) {MEDIA})'
)) + rf')(?: anywhere)?(?: in (?:the|this) {MEDIA})?(?: at all)?[.!\s]*$')
# What each of these has: most answers have none of it, and need not be searched any further.
_DENIAL = re.compile(r'\bno|\bnegative'
                     r'|\bn/a|\bnull\b|n[\'’]t\b|never|cannot|absent|beyond|missing|outside|past|unable|unknown')
_TIME_LIKE = re.compile('[0-9]')
_NOTHING = re.compile(r'\W*(?:not (?:found|present|shown|visible)|none|null|n/a|negative|unknown)\b')
_NOT = r'(?:\bnot|n[\'’]t)\b'
_VERB = r'(?:do|does|did|is|are|was|were|has|have)'
_ANYWHERE = (r'(?:at all|anywhere|elsewhere|at any (?:other )?(?:moment|point|time)'
             rf'|(?:in|throughout) (?:any|that|(?:the|this)(?: (?:entire|full|whole))?) (?:part|other|{MEDIA})'
             r'|in (?:any|either|it)\b)')
# A clause without times, behind all times, that says that something does not happen in the video.
_NOWHERE = re.compile('|'.join((
    r'\b(?:start|end|query)\b.{0,60}\bnot (?:applicable|provided)\b',
    r'\bnot provide any information about the (?:start|end)\b',
    r'\bat no (?:moment|point|time)\b', r'\bnowhere\b', r'\b(?:is|are) (?:absent|missing)\b',
    rf'\b(?:no|no one|nobody|none|nothing|nor)\b.{{0,200}}\b{_ANYWHERE}', rf'{_NOT}.{{0,200}}\b{_ANYWHERE}',
    rf'^i {_CAN} (?:\w+ )?(?:confirm|detect|find|identify|locate|see|spot)\b(?! (?:his|her|its|their|wh))')))
# The same, if no window has been said to be the event's.
_ABSENCE = re.compile('|'.join((
    r'\bnever (?!again|ends|mind|stops)\w+', rf'\b{_VERB} ?{_NOT} (?:\w+ )?(?:any|present)\b',
    rf'\b(?:do|does|did) ?{_NOT} (?!count|end|last|matter|move|stop)\w+(?: place| up)?$',
    r'^no \w+(?: \w+)? (?:is|are|was|were|has|have|can) \w+', r'^(?:nobody|no one|none|nothing)\b',
    r'\b(?:contains?|shows?) no \w+(?: \w+)?$')))
_AFFIRMED = re.compile(r'(?<!what )\b(?:answer|event|happens|moment|occurs|segment|takes place'
                       r'|(?<!an )(?<!a )window)\b'
                       r'|\bstart(?:[ _]time)?\W{1,9}[0-9][^\w\n]?[0-9.: s"]*\W{1,12}end(?:[ _]time)?\W{1,9}[0-9]')
# What a clause says of the rest of the video only, unless it says it of the window as well: there or anywhere else.
_REST = re.compile(r'\b(?:additional|after\w*|again|another|before\w*|else|elsewhere|fourth|further|more|others?'
                   r'|otherwise|remaining|rest|similar|third)\b')
_REMAINING = re.compile(r'\b(?:otherwise|remaining|rest)\b')  # in the remaining time, nobody sits
_THERE_TOO = re.compile(r'\b(?:here|there|then|(?:that|this) part),? (?:and|nor|or)\b')
# It denies what is said of the event, not that it happens.
_OF_WORDING = re.compile(r'\b(?:(?:direct|exact|explicit|specific)(?:ly)?|described|mention(?:ed|s)?)\b')
_INFERS = re.compile(r'\bi (?:\w+ )?(?:assume|estimate|guess|infer|predict)\w*')
_RELATIVE = re.compile(r'(?:in )?(?:which|who|where|when|while|whose)\b')
_CLAUSE_ENDS = re.compile(r'[.!?;:,\n]+\s*(?:(?:and|but|so|yet)\s)?|\s(?:and|but|so|yet)\s')
_BEYOND = re.compile(rf'\b(?:is|are|lies?|would be) (?:\w+ )?(?:beyond|outside|past) (?:of )?(?:the end of )?'
                     rf'\s?(?:the|this) (?:point|{MEDIA})')
_UNDECIDED = re.compile(r'\b(?:can(?: ?not|[\'’]t)|(?:not|un)[ -]?able to) (?:decide|determine|say|tell)\b'
                        r'[^.!?\n0-9]{0,20}\b(?:between|which)\b')
_NO_MATCH = re.compile(r'\b(?:has|have|there(?: is|[\'’]s)) no match(?:es)?\b')
# An answer that opens with a denial: its first sentence without times, what is denied in it, and what makes the denial
# one of a part of the video or of something beside the event.
_OPENING = re.compile(r'\W*(?:(?:[\w\'’]+ ){0,2}(?:afraid|answer|no|nope|result|sorry|unfortunately)[,.:!]+\s)?'
                      r'(?:(?:after|having|i|looking|we)\b[^.!?;:,\n0-9]+[.:,] )?(?P<said>[^.!?;:\n0-9]+)'
                      r'(?:[.!?;:\n]|, (?:instead|just|merely|only|rather|where|which|\w+ing) )')
_FIND = '(?:detect|find|hear|identify|locate|observe|see|spot)'
_FOUND = '(?:detected|found|heard|identified|observed|saw|spotted)'
_DENIED = re.compile('|'.join((
    r'\bnever (\w+)', rf'\b(?:do|does|did|has|have) ?{_NOT} (?:(?:actually|ever|really) )?(\w+)',
    rf'\b(?:is|are|was|were) ?{_NOT} (?:\w+ )?(\w+(?:ed|ing)|shown|seen|found|part|present|here|there)\b',
    r'\bthere(?: is|[\'’]s| are| was| were) no(?:thing)? (\w+)', r'\b(?:is|are|was|were) (absent|lacking|missing)\b',
    rf'\b(?:i|we) (?:(?:can |could )?{_FIND}|{_FOUND}) no(?:thing)? (\w+)',
    rf'\b(?:i|we) (?:{_CAN}|(?:am|was|were) unable to) {_FIND} (?:(?:an?|any|such|that|the|this) )?(\w+)',
    r'^no (?:matching|relevant|such) (\w+)',
    r'^(?:none of|nobody|nothing|no one|no) (?:(?:the|these|those) )?(\w+)(?= \w|$)',
    rf'\b(?:could ?{_NOT}|can(?: ?not|[\'’]t)) be (\w+)')))
_OF_PART = re.compile(
    r'\b(?:again|alone|always|any ?more|any longer|any (?:doubt|sound)|as|at (?:first|once)|audio|because|before'
    r'|begin\w*|but|certain|clear|clearly|doubt|during|easy|else|exact|exactly|first|idea|if|immediately|initial\w*'
    r'|instant\w*|just|know|longer|more|need|only|other|precise|problem|right away|since|sound|specif\w*|start\w*'
    r'|stop|sure|than|think|till|too|until|when|which|while|who|whose|without|worr\w+|yet)\b')
_BESIDE = re.compile(rf'(he|she|they) {_VERB} ?{_NOT}')
# It is denied of a part of the video only: it does not happen at the start.
_IN_PART = re.compile(' (?:at|during|from|in|near) (?:its |the )?(?:very )?(?:0s|beginning|end|first|opening|start)')
_MERELY = r'(?:\w+ )?(?:instead|just|merely|only|rather|simply)\b'
# There is no segment in which he sits: this denies the sitting.
_NO_PART = re.compile(rf'\bno {_THING} (?:(?:in|during|at) which|that|when|where)\b')
_LEADS_ON = re.compile(r':\W*(?:(?:at|between|from) )?[0-9]'  # nobody could miss it: 3 - 5 s
                       r'(?![^.!?\n]*\b(?:just|merely|only)\b)')
_NONE_SUCH = re.compile(rf'\W*no (?:matching|relevant|such) {_THING}[.!]')
_CONTENT = re.compile(r'\b[a-z]{4,}')
_ELSEWHERE = re.compile(f'(?:anywhere|ever|here|that|this|with|from|into|{MEDIA})$')
_PRONOUN = re.compile(r'\b(?:it|them|him)\b')
_NEAR = 80  # characters behind a denial that can say what is denied
_STEM = 4  # letters that words of one stem share


def _opens_with_denial(part: str) -> bool:
    """Whether the first sentence denies something, and what follows neither speaks of that nor turns to the event."""
    opening = _OPENING.match(part)
    denied = opening and _DENIED.search(opening['said'])
    if not opening or not denied or _OF_PART.search(_NO_PART.sub('', opening['said'])):
        return False
    rest = part[opening.end('said'):]
    beside = _BESIDE.match(part.lstrip())
    if beside and re.match(rf'[.;] {beside[1]} (?!{_MERELY})', rest):
        return False  # She does not wear a hat. She dances from 3 to 9 s.
    *_, last = [0, *(time.end() for time in _TIME_LIKE.finditer(rest))]
    thing = denied[denied.lastindex or 0]
    others = [word for word in _CONTENT.findall(opening['said'], denied.end(), denied.end() + _NEAR)
              if not _ELSEWHERE.match(word)]
    is_named = re.search(rf'\b{re.escape(thing[:_STEM])}', rest) is not None and (
        _PRONOUN.search(rest) is not None or all(word[:_STEM] in rest for word in others))
    return not (_LEADS_ON.match(rest) or is_named or _TURN.search(rest, 0, last)
                or _AFFIRMED.search(rest, 0, last))


def _turns(part: str, place: int) -> bool:
    """Whether an answer turns to something else behind a place, and comes to times then."""
    turn = _TURN.search(part, place)
    return turn is not None and _TIME_LIKE.search(part, turn.end()) is not None


def says_absent(part: str) -> bool:
    """Whether a part of an answer, in lower case, says that the event is not in the video.

    Examples:
        >>> from ir_segmeasures.texts.answers.refusals import says_absent
        >>> says_absent('from 0 to 9 s he sits; he never stands up.'), says_absent('he stands up from 9 to 12 s.')
        (True, False)
    """
    if not _DENIAL.search(part):
        return False
    refusal = _REFUSAL.search(part)
    undecided = _UNDECIDED.search(part)
    if undecided and not _TIME_LIKE.search(part, undecided.end()):
        return True
    if _NOTHING.match(part) or _NONE_SUCH.match(part) or _LATE_REFUSAL.search(part) or _BEYOND.search(part) or (
            refusal and not _TIME_LIKE.search(part, 0, refusal.start()) and not _turns(part, refusal.end())
            and not _IN_PART.match(part, refusal.end())) or (
            _opens_with_denial(part)):
        return True
    no_match = _NO_MATCH.search(part)
    if no_match and not _turns(part, no_match.end()):
        return True
    *_, last = [0, *(time.end() for time in _TIME_LIKE.finditer(part))]
    if _INFERS.search(part, last):
        return False
    is_affirmed = _AFFIRMED.search(part, 0, last) is not None
    return last > 0 and any(
        _NOWHERE.search(clause) or (not (is_affirmed or _RELATIVE.match(clause)) and _ABSENCE.search(clause))
        for before, clause in pairwise(_CLAUSE_ENDS.split(part[last:]))
        if not (_OF_WORDING.search(clause) or _REMAINING.search(before))
        and (not _REST.search(clause) or _THERE_TOO.search(clause)))
