r"""Notations and phrases of an answer in the words that later rules know: *is over* is *ends*, ``\boxed{3}`` is 3.

A new way to write a time, or to say that something starts or ends, is a line in one of the tables: strings of which a
text with the phrase has one, so that most texts need not be searched for it, the phrase, and what it means.
"""

import re
from collections.abc import Callable

__all__ = ['MEDIA', 'in_known_phrases']

MEDIA = '(?:video|clip|footage|recording|film|movie)'
_TIME = r'[0-9][0-9:.]{0,12}(?<!\.)(?:\s?s(?:ec(?:ond)?s?)?)?'
_SEEN = r'(?:appear|appearance|appears|heard|noticed|observed|seen|shown|visible)\b'
_PLACE = '(?:frame|moment|second) (?:in which|of it|that|when|where) '
_NO = r'\b(?:do|does|did)(?: not|n[\'’]t)'
_ISNT = r'\b(?:is|are|was|were)(?: not|n[\'’]t)'
_STARTING = '(?:appear|begin|come|get|happen|occur|set|start)'
_UNTIL = r'(?:until|till|before)\b'
_EDGE = '(?:start|begin|end|stop)'
_Meaning = str | Callable[[re.Match[str]], str]

_WORDS: tuple[tuple[str, str, _Meaning], ...] = (
    ('ca.|appr|c.', r'\b(?:ca|approx|appr)\.|\bc\. ?(?=[0-9])', 'about '),
    ('give or take', r',? give or take (?:an?|one|a couple of|a few)? ?(?:bit|frames?|moments?|seconds?)\b', ''),
    ('close to the', r'\bclose to the\b', 'near the'), ('into view', r'\b(?:comes?|came) into view\b', 'starts'),
    ('minutes |seconds ', r'\b(minutes|seconds) ([0-9.]{1,9}) (and|to|through|until) ([0-9.]{1,9})\b(?! ?[smh])',
     r'\2 \1 \3 \4 \1'),
    (', or ', rf'(?<=[0-9]), or ({_TIME}|[0-9.]{{1,9}} seconds)(?:,|(?=\.))', r' (\1)'),
    ('it takes', r'\bit takes (?!place)(?:\w+ ){1,3}(?=between)', 'it takes '),
    ('start of|beginning of', rf'(?:^|(?<=[.!?:\n] ))(?:the )?(?:start|beginning) of (?:the |this )?{MEDIA} '
     '(?=(?:to|until|till|through) )', '0 s '),
    ('th second|st second|nd second|rd second', r'(?<=[0-9])((?:st|nd|rd|th) second\b[^.!?\n]{0,120}\bthe [0-9]{1,4}'
     r'(?:st|nd|rd|th))(?=[.,;!?\n)]|$)', r'\1 second'),
    (' before the| after the', r', (?:just|long|right|shortly|well) (?:before|after) the [^.,;!?\n]*', ''),
    ('for instance', r'\bfor instance\b', 'for example'),
    ('example', r'\b(?:another|best|clear|clearest|first|last|other|second|third) examples?\b', 'moment'),
    ('end of the', rf'\b(?:the )?(?:very )?end of the (?:\w+ )?{MEDIA}\b', ' the point '),
    ('ends|stops|finishes|concludes', rf'\b{MEDIA} (?:ends|stops|finishes|concludes)\b(?! (?:about|around|at|by) )',
     ' the point '),
    ('not|than|of|opposed', r'\b(?:and not|rather than|instead of|as opposed to)\b', ', not'),
    (' than', r'\b(?:no|not) (?:earlier|sooner|before) than\b', 'from'),
    ('later than', r'\b(?:no|not) later than\b', 'until'),
    ('within', rf'\bwithin (?:the )?(?={_TIME} and {_TIME})', 'between '),
    ('after', rf'\bafter ({_TIME}) (?:and|but) before (?={_TIME})', r'from \1 to '),
    ('the last', rf'\b(first {_PLACE}[^.!?\n0-9]{{0,80}}{_TIME}[,.;]? (?:and )?the last )(?:one )?(?=is )',
     r'\1moment when '),
    ('first', rf'\bfirst (?:be |hear |notice |see |spot |{_PLACE}|{_SEEN})', 'starts '),
    ('last ', rf'\blast (?:{_PLACE}|{_SEEN})', 'ends '),
    ('no longer|view|over|complete| to a| up|away|down|off|out', rf'\b(?:no longer (?:{_SEEN}(?: after)?|\w+ after)'
     '|(?:goes|is|moves) out of view'
     r'|(?:d(?:ie|ying)|(?:fad|phas)(?:e|ing)|(?:tail|trail|wind)(?:ing)?)s? (?:away|down|off|out)'
     r'|(?:is |was |(?<=[\'’]s )|(?<=and ))(?:over|complete)|(?:come|came|coming)s? to an? (?:close|end|halt|stop)'
     r'|wrap(?:s|ped|ping)? (?:it |this )?up)\b', 'ends'),
    ('bound|endpoints', rf'\b(?:bounds|boundaries|endpoints) (?:are|as|at|to) ({_TIME}) and ', r'bounds from \1 to '),
    (' by', r'\b(?:bounded|bracketed|delimited|framed) by\b', 'between'),
    ('switched|turned', r'\bis (?:switched|turned) off(?= at)', 'ends'),
    ('doubt', r'\b(?:there (?:is|can be) )?(?:beyond|no|without)(?: an?y?)? doubt\b(?: that)?', 'surely'),
    ('nothing', r'\bnothing (?:else|similar)\b[^.!?\n0-9]{0,40}', ''),
    ('no', r'\bno more\b(?! than)', ''), ('no.', r'(?<=[a-z] )no\. ?(?=[0-9])', '#'),
    ('without', r'\bnot without\b', 'with'),
    ('/|out of', r'\b(?:certain|confiden|rat(?:e|ing)|rank|scor)\w*[^.!?\n0-9]{0,40}[0-9.]{1,4} ?(?:/|out of) ?'
     r'[0-9]{1,3}\b', ''),
    ('certain|sure', r"\b(?:(?:can|could)(?: ?not|n?['’]?t)|am not|i['’]m not|unable to) (?:be |say )?(?:[\w%]+ )?"
     r'(?:certain|sure)\b', 'probably'),
    ('until|till|before', rf'(?:{_NO} {_STARTING}(?: \w+){{0,2}}|{_ISNT} \w+ing|\bnothing (?:\w+ )?(?:happens|occurs)) '
     f'{_UNTIL}', 'starts at'),
    ('until|till|before', rf'{_NO} \w+ {_UNTIL}', 'ends at'),
    ('final|last', rf'\b(until|till|to|through) (?:the )?(?:very )?(?:final|last) (?:frame|moment|second)'
     rf'(?:,| \(|:| at)? ?(?={_TIME})', r'\1 '))
_LANGUAGES: tuple[tuple[str, str, _Meaning], ...] = (
    # 50-й секунде, 7. saniye, ke-45
    ('-|.', r'(?<=[0-9])(?:-[йяюе]\b|\.(?= (?:sekund|saniye|секунд)))|\bke-(?=[0-9])', ''),
    ('od ', rf'\bod ({_TIME}) do (?=[0-9])', r'from \1 to '),
    ('en ', r'\ben (?=(?:el|las?|los|una?)\b)', 'in '),
    ('no ', r'\bno (?=(?:clipe|começo|final(?=,| d[aeo]\b)|fim|início|instante|intervalo|meio|minuto'
     r'|momento|período|segundo|trecho|vídeo)\b)', 'at '))
_SIGNS: tuple[tuple[str, str, _Meaning], ...] = (
    ('to', r'(?<=[0-9s])to(?=[0-9])', ' to '),
    ('to|and|from|between|until|at', r'(?<![a-z])(to|and|from|between|until|at)(?=[0-9])', r'\1 '),
    ('to|and|until', r'(?<=[0-9])(to|and|until)(?= [0-9])', r' \1'), ('@', r'@ ?(?=[0-9])', ' at '),
    (' : ', r'(?<=[0-9]s) : (?=[0-9])', ' to '), ('+', r'\+\s?0(?:\.0{1,3})?\s?s(?:ec(?:ond)?s?)?\b', ''),
    (' m ', r'(?<=[0-9]) m (?=[0-9]{1,2}(?:\.[0-9]{1,6})? ?s\b)', ' min '), ('t+', r'\bt\+(?=[0-9])', ''),
    ('t =|t=', r'\bt ?= ?([0-9.]{1,8}[0-9]|[0-9])'
     r'(?![0-9.:-]| ?(?:h|ms?|s|min|sec)\b| ?(?:minute|second|sec|min)s)', r'\1 s'),
    ('ish', r'(?<=[0-9s])[- ]?ish\b', ''), ('..|··|__', rf'(?<=[a-z)]) ?[.·_]{{4,}} ?(?={_TIME})', ': '),
    ('-second|-minute', r'(?<=[a-z])-(?=second|minute)|(?<=-minute)-(?=[0-9]{1,2}-second)', ' '),
    ('(s)', r'(?<=[a-z])\(s\)', ''), ('_', r'\b_([0-9][^_\n]{0,20})_(?!\w)', r'\1'),
    ('{', r'\bseconds?\{([0-9.]{1,9})\}', r'\1 s'),
    ('min', r"""\{["']min(?:ute)?s?["']: ?([0-9]{1,4}), ?["']sec(?:ond)?s?["']: ?([0-9.]{1,9})\}""",
     r'\1 minutes \2 seconds'),
    ('min.', r'\bmin\. (?=[0-9]{1,2}:[0-9]{2})', ''),
    ('start_|end_', r'\b(start|end)_[0-9]{1,2}(?=["\']?\s?[:=])', r'\1'),
    (',', rf'\A\s*[\w-]*[a-z][\w-]*\s?,\s?({_TIME})\s?,\s?({_TIME})\s*\Z', r'[\1, \2]'),  # a row of a table
    ('\\', r'\\(?:text|textbf|mathrm|mathbf)\{([^{}]{0,40})\}', r'\1'),
    ('{:}', r'(?<=[0-9])\{:\}(?=[0-9])', ':'),
    ('boxed', rf'\\boxed\{{\s?({_TIME})\s?\}}', r'\1'),
    ('<|≤|\\le', rf'\b({_TIME})\s?(?:<=?|≤|\\leq?)\s?(?:t|time|x)\s?(?:<=?|≤|\\leq?)\s?(?=[0-9])', r'from \1 to '),
    ('frame of|moment of|second of', r'\b(frame|moment|second) of (?:the )?\w+(?=\s?[:=])', r'\1'),
    # 12.3 s (start), (end) 15.6 s
    ('(|[', rf'({_TIME})\s?[(\[]({_EDGE})[)\]]', r'\2: \1'), ('(|[', rf'[(\[]({_EDGE})[)\]]\s?(?=[0-9])', r'\1: '),
    # Tags around each time, around both, and between them.
    ('<|', rf'<\|\w+\|>\s?({_TIME}), ?({_TIME})\s?<\|\w+\|>', r'[\1, \2] '),
    ('<|', rf'<\| ?({_TIME}) ?\|>', r' \1 '), ('<sep>', r'(?<=[0-9]) ?<sep> ?(?=[0-9])', ' - '),
    ('<', rf'<\|?(?:time_?)?(?:start|begin)(?:_?time)?\|?>\s?({_TIME})\s?<\|?(?:time_?)?end(?:_?time)?\|?>\s?({_TIME})',
     r'\1 - \2'),
    ('</answer>', r'</answer>\s{0,9}<answer>', ' \n '),
    ('</', rf'<(\w{{1,12}})>\s?({_TIME}), ?({_TIME})\s?</\1>', r'[\2, \3] '),
    ('</', rf'<(\w{{1,12}})>\s?({_TIME})\s?</\1>[\s,-]{{0,3}}<\1>\s?({_TIME})\s?</\1>'
     r'((?:[ ,-]{0,3}<\1>[^<]{0,20}</\1>)*)',
     lambda tags: tags[0] if tags[4] else f'{tags[2]} to {tags[3]} '),
    ('</', rf'<(?P<one>[a-z_]{{1,20}})>\s?({_TIME})\s?</(?P=one)>\s{{0,9}}'
     rf'<(?P<other>(?!(?P=one)>)[a-z_]{{1,20}})>\s?({_TIME})\s?</(?P=other)>', r' \1: \2 \3: \4 '))
_PHRASES = tuple((signs.split('|'), re.compile(phrase), meant)
                 for signs, phrase, meant in (*_WORDS, *_LANGUAGES, *_SIGNS))


def in_known_phrases(text: str) -> str:
    r"""A text in lower case with its phrases in the words and marks that later rules know.

    Examples:
        >>> from ir_segmeasures.texts.answers.phrases import in_known_phrases
        >>> in_known_phrases('it is over by 5 s'), in_known_phrases('from \\boxed{3} to \\boxed{5}')
        ('it ends by 5 s', 'from 3 to 5')
    """
    for signs, pattern, meant in _PHRASES:
        for sign in signs:
            if sign in text:
                text = pattern.sub(meant, text)
                break
    return text
