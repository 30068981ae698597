"""Patterns of ids of other tools that have their offsets in them, such as ``822086267_6698-7277-0-579``."""

import re
from itertools import pairwise
from string import Formatter

from ir_segmeasures.segments.basics import format_number, joined, quoted
from ir_segmeasures.segments.segment import TOO_LARGE, Segment

_LONGEST = 1000  # characters of an id, which several fields are sought in
_FIELDS = {'doc': r'(?P<doc>\S+)', 'start': r'(?P<start>[0-9]+(?:\.[0-9]+)?)', 'end': r'(?P<end>[0-9]+(?:\.[0-9]+)?)',
           'length': r'(?P<length>[0-9]+(?:\.[0-9]+)?)', '': r'\S+?'}


class IdPattern:
    """The pattern by which the ids of a tool are read as segments.

    Args:
        pattern: ``{doc}``, ``{start}``, and ``{end}`` or ``{length}``, each once, with at least one character
            between them; ``{}`` is anything. ``{doc}`` is as long as it can be. Braces themselves are ``{{`` and
            ``}}``.
        unit: the unit of the numbers

    Raises:
        ValueError: a pattern of another form

    Examples:
        >>> from ir_segmeasures.ids.patterns import IdPattern
        >>> IdPattern('{doc}_{start}-{end}-{}-{}', 'char').segment('822086267_6698-7277-0-579')
        Segment(document='822086267', start=6698, end=7277, unit='char', path=None)
    """

    def __init__(self, pattern: str, unit: str) -> None:
        self.pattern, self.unit = pattern, unit
        rule = "write it like '{doc}_{start}-{end}-{}', with {doc}, {start} and {end} (or {length}) once each"
        try:
            parts = list(Formatter().parse(pattern))
        except (TypeError, ValueError) as error:
            raise ValueError(f'the pattern of ids {quoted(pattern)} cannot be read ({error}): {rule}') from None
        names = [name for _, name, _, _ in parts if name]
        wrong = any(name not in _FIELDS or form or turn for _, name, form, turn in parts if name is not None)
        if wrong or sorted(names) not in (['doc', 'end', 'start'], ['doc', 'length', 'start']):
            raise ValueError(f'the pattern of ids {quoted(pattern)} has the fields {joined(names) or "none"}: {rule}')
        if any(not text and None not in (name, before) for (_, before, _, _), (text, name, _, _) in pairwise(parts)):
            raise ValueError(f'the pattern of ids {quoted(pattern)} has two fields with nothing between them, so that '
                             f'nobody can tell where one ends: {rule}')
        regex, free = '', ''
        for place, (text, name, _, _) in enumerate(parts):
            if free and name in ('', 'doc'):  # it ends at the first such text, so that long ids take no long time
                regex += f'(?=(?P<free{place}>{free}{re.escape(text)}))(?P=free{place})'
            else:
                regex += free + re.escape(text)
            free = _FIELDS[''] if name == '' else ''
            regex += _FIELDS[name] if name else ''
        self._regex = re.compile(regex + free)

    def segment(self, id: str) -> Segment | None:
        """The segment that an id stands for, or None for an id of another form.

        Raises:
            ValueError: it ends before it starts, or not below 10^15, or it is too long
        """
        if len(id) > _LONGEST:
            raise ValueError(f'the id {quoted(id)} has {len(id):,} characters, but a pattern reads ids of at most '
                             f'{_LONGEST:,}: give a table of the ids')
        match = self._regex.fullmatch(id)
        if match is None:
            return None
        found = match.groupdict()
        start = _number(found['start'])
        end = _number(found['end']) if 'end' in found else start + _number(found['length'])
        if end < start:
            raise ValueError(f'the id {quoted(id)} ends before it starts ({format_number(end)} < '
                             f'{format_number(start)}), but a segment cannot: correct it, or the pattern')
        if end >= TOO_LARGE:
            raise ValueError(f'the id {quoted(id)} ends at {quoted(end)}, but positions are below 10^15: correct it')
        return Segment(found['doc'], start, end, self.unit)


def _number(text: str) -> float:
    return float(text) if '.' in text or len(text) > 300 else int(text)  # more digits than floats have
