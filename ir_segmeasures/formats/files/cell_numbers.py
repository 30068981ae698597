"""Numbers and times in the cells of spreadsheets, whose reading is decided for each column."""

import re
from collections.abc import Collection, Mapping
from functools import partial

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import clock_seconds

TIMES = ('start', 'end', 'length')

_THOUSANDS = re.compile(r'[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}')  # or three decimals
_COMMA = re.compile(r'[+-]?(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+')
_DOT = re.compile(r'[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)\.[0-9]+|[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}')
_CLOCK = re.compile(r'[0-9]+:[0-9]{2}(?:[.,][0-9]+)?')  # without hours
_WHOLE_MINUTES = re.compile(r'[0-9]+:[0-9]{2}:00(?:[.,]0+)?')
_LATE = re.compile('(?:[0-9]{3,}|2[4-9]|[3-9][0-9]):')  # more hours than a day has
# Other things that people write where numbers belong, and their repair.
_OTHERS = (
    (re.compile(r'[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{4}.*'), 'a date',
     'subtract that of the beginning'),
    (re.compile(r'[0-9:. ]+[ap]\.?m\.?', re.IGNORECASE), 'a time of day', 'subtract that of the beginning'),
    (re.compile(r'[0-9]+:[0-9]+:[0-9]+[:;][0-9]+'), 'a timecode with frames',
     'divide the frames by those of a second, and write decimals'),
    (re.compile(r'-?[0-9.,]+ ?%'), 'a percentage', 'write a decimal, such as 0.95 for 95%'),
    (re.compile(r"[0-9]+(?:[.' \u2019][0-9]{3})+(?:[.,][0-9]+)?"), 'a number in groups of three digits',
     'write the digits without signs between'),
    (re.compile(r'-[0-9:.,]+'), 'below 0', 'correct it'),
    (re.compile(r'[0-9].*[^\W0-9].*|P.*T.*[0-9].*', re.IGNORECASE), 'a text with units',
     'write the number alone, of times in seconds'))
_LARGEST = 10 ** 15  # as in segment ids


def given(what: str, text: str) -> str:
    """The text of a cell. Raises ValueError for an empty one."""
    if not text:
        raise ValueError(f'the cell of the {what} is empty, but each row has one: fill it in, in rows below another '
                         'too')
    return text


def readings(columns: Mapping[str, list[str]], comma: bool, minutes: Collection[str]) -> dict[str, partial[float]]:
    """The converter of each column: name of the column, text → the number.

    Args:
        columns: name, of times as in :data:`TIMES` → texts, which all decide on the reading
        comma: whether cells are separated by semicolons, as where commas are decimal
        minutes: the times that Excel holds as hours and minutes, though they look like minutes and seconds

    Raises:
        ValueError: a column has two readings
    """
    times = [text for name in TIMES for text in columns.get(name, ())]
    short = next((text for text in times if text in minutes), None) or next(filter(_CLOCK.fullmatch, times), None)
    long = [text for text in times if text.count(':') == 2]
    late = [text for text in long if _LATE.match(text)]  # Excel makes 25:30:00 of the minutes and seconds 25:30
    other = late if all(map(_WHOLE_MINUTES.fullmatch, late)) and (short or len(late) == len(long)) else []
    if short and not other and (short in minutes or all(map(_WHOLE_MINUTES.fullmatch, long))):
        other = long
    if short and other:
        raise ValueError(f'the times have {quoted(short)} and {quoted(other[0])}, so that {quoted(short)} is either '
                         f'minutes and seconds, or hours and minutes as {quoted(f"{short}:00")}: write all times of '
                         'the clock with hours, minutes and seconds')
    if other:
        raise ValueError(f'the time {quoted(other[0])} is either hours and minutes, or the minutes and seconds '
                         f'{quoted(other[0].rpartition(":")[0])}, of which Excel makes it: write seconds, such as 1530')
    return {name: partial(_time if name in TIMES else _number, name, sign)
            for name, sign in _decimal_signs(columns, comma).items()}


def _decimal_signs(columns: Mapping[str, list[str]], comma: bool) -> dict[str, str | None]:
    """The sign before the decimals of each column, ``','`` or ``'.'``; None where nothing tells, and ``''`` where other
    columns have both. Raises ValueError for a column with both."""
    found: dict[str, str | None] = dict.fromkeys(columns)
    if not any(',' in text for texts in columns.values() for text in texts):
        return found
    for name, texts in columns.items():
        with_comma, with_dot = (next((text for text in texts if pattern.fullmatch(text) and not (
            sign == ',' and _THOUSANDS.fullmatch(text))), None) for sign, pattern in ((',', _COMMA), ('.', _DOT)))
        if with_comma and with_dot:
            raise ValueError(f'the column of {name}s has {quoted(with_comma)}, with a decimal comma, and '
                             f'{quoted(with_dot)}, with a decimal dot: write all of them alike')
        found[name] = ',' if with_comma else '.' if any(
            _DOT.fullmatch(text) and not _THOUSANDS.fullmatch(text) for text in texts) else None
    clear = {*found.values()}
    for name in (name for name, sign in found.items() if sign is None):
        if clear >= {',', '.'}:
            found[name] = ''
        elif ',' in clear or (comma and '.' not in clear and not any(map(_DOT.fullmatch, columns[name]))):
            found[name] = ','
    return found


def _number(what: str, sign: str | None, text: str) -> float:
    if _THOUSANDS.fullmatch(text) and (sign == '' or ('.' in text if sign == ',' else ',' in text and sign is None)):
        raise ValueError(f'{what} {quoted(text)} is either {re.sub("[.,]", "", text)} or {text.replace(",", ".")}: '
                         'write it without a sign of thousands, and decimals of all numbers alike')
    plain = text
    if sign == ',' and _COMMA.fullmatch(text):
        plain = text.replace('.', '').replace(',', '.')
    elif sign == '.' and (_DOT.fullmatch(text) or _THOUSANDS.fullmatch(text)):
        plain = text.replace(',', '')
    found = finite_number(plain)
    if found is None:
        kind, repair = next(((kind, repair) for pattern, kind, repair in _OTHERS if pattern.fullmatch(text)), (
            'not a number', 'write digits, such as 1 or 12.5'))
        rule = 'times are seconds, or those of a clock' if what in TIMES else 'each row has a number'
        raise ValueError(f'{what} {quoted(given(what, text))} is {kind}, but {rule}: {repair}')
    return found


def _time(what: str, sign: str | None, text: str) -> float:
    try:
        clock = clock_seconds(text.replace(',', '.'))
    except ValueError as error:
        raise ValueError(f'{what} has the {error}') from None
    found = _number(what, sign, text) if clock is None else clock
    if not 0 <= found < _LARGEST:
        raise ValueError(f'{what} {quoted(text)} is outside of the recording, but times are seconds from its '
                         'beginning, below 10^15: correct it')
    return found
