"""Answers that say that the event is not in the video, whatever else they say of it."""

import re
from itertools import pairwise

__all__ = ['MEDIA', 'says_absent']

MEDIA = '(?:video|clip|footage|recording|film|movie)'
_THING = '(?:action|activity|clip|event|evidence|instance|match|moment|occurrence|one|part|query|scene|segment)s?'
_CAN = r'(?:can|could|did|do)(?:not| not|n?[\'’]t)'
_DOES = r'(?:appear|contain|depict|exist|feature|happen|include|occur|show|takes? place)'
_SIGHT = r'(?:depicted|detected|found|identified|present|seen|shown|visible)'
_REFUSAL = re.compile(r'\b(?:' + '|'.join((
    rf'(?:no|not any) (?:\w+ ){{0,2}}{_THING}\b[^.!?\n0-9]{{0,40}}\b(?:exists?|occurs?|{_SIGHT})',
    rf'(?:{MEDIA}|{_THING}|it|this|that)(?: \w+)? do(?:es)?(?: not|n[\'’]t) (?:\w+ )?{_DOES}\b'
    '(?! (?:until|till|before))',
    rf'{_THING}(?: is| was| are)?(?: absent|(?: not|n[\'’]t) (?:\w+ )?(?:{_SIGHT}|in the {MEDIA}))',
    rf'i {_CAN} (?:\w+ )?(?:detect|find|identify|locate|see|spot) '
    rf'(?:any|it|such|that|this|the (?:\w+ )?{_THING})')) + r')\b')
_TURN = re.compile(r'\b(?:but|however|although|though|actually|wait|instead|best|closest|nearest|most|similar|rather'
                   r'|perhaps|possibl[ey]|maybe|answers?|estimate|guess)\b')
# A refusal at the end, after what else is in the video.
_LATE_REFUSAL = re.compile(r'\b(?:' + '|'.join((
    rf'(?:{_THING}|description)\b[^.!?\n0-9]{{0,80}} (?:do(?:es)?(?: not|n[\'’]t)|never) (?:\w+ )?{_DOES}s?',
    rf'no (?:matching|relevant|such) {_THING}[^.!?\n0-9]{{0,40}}',
    rf'i {_CAN} (?:find|locate|see) (?!his|her|its|their|wh)[^.!?\n0-9]{{1,80}} (?:anywhere|in (?:the|this) {MEDIA})'
)) + rf')(?: anywhere)?(?: in (?:the|this) {MEDIA})?(?: at all)?[.!\s]*$')
_TIME_LIKE = re.compile('[0-9]')
_NOTHING = re.compile(r'\W*(?:not (?:found|present|shown|visible)|none|null|n/a|unknown)\b')
_NOT = r'(?:\bnot|n[\'’]t)\b'
_VERB = r'(?:do|does|did|is|are|was|were|has|have)'
_ANYWHERE = (r'(?:at all|anywhere|elsewhere|at any (?:other )?(?:moment|point|time)'
             rf'|(?:in|throughout) (?:any|that|(?:the|this)(?: (?:entire|full|whole))?) (?:part|other|{MEDIA})'
             r'|in (?:any|either)\b)')
# A clause without times, behind all times, that says that something does not happen in the video.
_NOWHERE = re.compile('|'.join((
    r'\bat no (?:moment|point|time)\b', r'\bnowhere\b', r'\b(?:is|are) (?:absent|missing)\b',
    rf'\b(?:no|no one|nobody|none|nothing|nor)\b.{{0,200}}\b{_ANYWHERE}', rf'{_NOT}.{{0,200}}\b{_ANYWHERE}',
    rf'^i {_CAN} (?:\w+ )?(?:confirm|detect|find|identify|locate|see|spot)\b(?! (?:his|her|its|their|wh))')))
# The same, if no window has been said to be the event's.
_ABSENCE = re.compile('|'.join((
    r'\bnever (?!again|ends|mind|stops)\w+', rf'\b{_VERB} ?{_NOT} (?:\w+ )?(?:any|present)\b',
    rf'\b(?:do|does|did) ?{_NOT} (?!count|end|last|matter|move|stop)\w+(?: place| up)?$',
    r'^no \w+(?: \w+)? (?:is|are|was|were|has|have|can) \w+', r'^(?:nobody|no one|none|nothing)\b',
    r'\b(?:contains?|shows?) no \w+(?: \w+)?$')))
_AFFIRMED = re.compile(r'(?<!what )\b(?:answer|event|happens|moment|occurs|segment|takes place|window)\b')
# What a clause says of the rest of the video only, unless it says it of the window as well: there or anywhere else.
_REST = re.compile(r'\b(?:additional|after\w*|again|another|before\w*|else|elsewhere|further|more|other|otherwise'
                   r'|remaining|rest|similar)\b')
_REMAINING = re.compile(r'\b(?:otherwise|remaining|rest)\b')  # in the remaining time, nobody sits
_THERE_TOO = re.compile(r'\b(?:here|there|then|(?:that|this) part),? (?:and|nor|or)\b')
_RELATIVE = re.compile(r'(?:in )?(?:which|who|where|when|while|whose)\b')
_CLAUSE_ENDS = re.compile(r'[.!?;:,\n]+\s*(?:(?:and|but|so|yet)\s)?|\s(?:and|but|so|yet)\s')
_BEYOND = re.compile(rf'\b(?:is|are|lies?|would be) (?:\w+ )?(?:beyond|outside|past) (?:of )?(?:the end of )?'
                     rf'\s?(?:the|this) (?:point|{MEDIA})')
_NO_MATCH = re.compile(r'\b(?:has|have|there(?: is|[\'’]s)) no match(?:es)?\b')


def says_absent(part: str) -> bool:
    """Whether a part of an answer, in lower case, says that the event is not in the video.

    Examples:
        >>> from ir_segmeasures.texts.answers.refusals import says_absent
        >>> says_absent('from 0 to 9 s he sits; he never stands up.'), says_absent('he stands up from 9 to 12 s.')
        (True, False)
    """
    refusal = _REFUSAL.search(part)
    if _NOTHING.match(part) or _LATE_REFUSAL.search(part) or _BEYOND.search(part) or (
            refusal and not _TIME_LIKE.search(part, 0, refusal.start()) and not _TURN.search(part, refusal.end())):
        return True
    no_match = _NO_MATCH.search(part)
    if no_match and not _TURN.search(part, no_match.end()):
        return True
    *_, last = [0, *(time.end() for time in _TIME_LIKE.finditer(part))]
    is_affirmed = _AFFIRMED.search(part, 0, last) is not None
    return last > 0 and any(
        _NOWHERE.search(clause) or (not is_affirmed and _ABSENCE.search(clause))
        for before, clause in pairwise(_CLAUSE_ENDS.split(part[last:]))
        if not _RELATIVE.match(clause) and not _REMAINING.search(before)
        and (not _REST.search(clause) or _THERE_TOO.search(clause)))
