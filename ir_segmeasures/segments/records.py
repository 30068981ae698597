"""Values of JSON as records of declared types, which msgspec makes; its errors name the place."""

import re
from typing import Annotated, Any

import msgspec

from ir_segmeasures.segments.basics import joined, loads, quoted, shown_value
from ir_segmeasures.segments.segment import TOO_LARGE

Time = Annotated[int, msgspec.Meta(ge=0, lt=TOO_LARGE)] | Annotated[float, msgspec.Meta(ge=0, lt=float(TOO_LARGE))]
_KIND = 'correct it, or check that the file is of the kind that is being read'
_STEP = re.compile(r'\.(\w+)|\[(\d+|\.\.\.)\]')


def converted(value: Any, kind: Any, where: str, strict: bool = True) -> Any:
    """A value of JSON as a record of a type; unless ``strict``, texts may stand for numbers. Raises ``ValueError`` with
    the place and the value that is of another type."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except UnicodeEncodeError as error:
        raise ValueError(f'{quoted(error.object)} holds half a character, which no text has: {_KIND}') from None
    except msgspec.ValidationError as error:
        rule, _, path = str(error).partition(' - at `')  # and maybe: key` in `
    place, found = '', value
    for name, index in _STEP.findall(path.partition('$')[2]):
        if index == '...':  # msgspec leaves out which key of an object that has any
            name = _failing_key(value, found, kind)
        place += f'[{index}]' if not name else f'.{name}' if place else name
        found = found[name if name else int(index)]
    place = ('a key of ' if path.startswith('key') else '') + (f'{quoted(place)} of {where}' if place else where)
    if rule.startswith('Object missing required field'):
        there = joined(map(repr, found)) or 'no key at all'
        raise ValueError(f"{place} has no '{rule.split('`')[1]}' (there is {there}), but it has to be there: add it, "
                         'or check that the file is of the kind that is being read')
    is_list = value and value is found and rule.endswith('got `array`') and not where.startswith('the file')
    raise ValueError(f'{place} is {shown_value(found)}: {rule[0].lower()}{rule[1:]}: '
                     + ('write the objects of the array one a line' if is_list else _KIND))


def _failing_key(value: Any, found: dict[str, Any], kind: Any) -> str:
    """The first key of an object inside of a value whose value alone makes this fail; the others are taken out."""
    items = dict(found)
    for key, item in items.items():
        found.clear()
        found[key] = item
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            return key
    raise AssertionError('one of the values fails')


def true_windows(key: str) -> list[tuple[float, float]]:
    """The true windows [start, end] behind the last ``>>>`` of the key of an answer, as lmms-eval writes it. Raises
    ``ValueError`` for another key.

    Examples:
        >>> from ir_segmeasures.segments.records import true_windows
        >>> true_windows('v>>>a man runs>>>[[0, 5], [8, 9.5]]')
        [(0, 5), (8, 9.5)]
    """
    try:
        windows = loads(key.rpartition('>>>')[2])
        return converted(windows if isinstance(windows[0], list) else [windows], list[tuple[Time, Time]], '')
    except (LookupError, TypeError, ValueError):
        raise ValueError(f'the key {quoted(key)} does not end in a window, but [start, end] stands behind the last >>> '
                         'of each key: correct it') from None
