"""Basics of all rooms: the types of NumPy's arrays, for annotations (``numpy.typing`` has them too, but takes longer to
import); spans of one document, as lists of starts and ends; values that are computed once and kept; values as texts of
one line, for sentences; JSON whose objects have each key once, where Python's own reader keeps the last of two;
packages of extras, which are imported where they are needed; and, for errors, ids of segments in the forms of other
tools: what they look like, and how they become segment ids.
"""

import json
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

Number = TypeVar('Number', bound=np.generic)

Array = np.ndarray[Any, np.dtype[Number]]
Bools = Array[np.bool_]
Floats = Array[np.float64]
Ints = Array[np.intp]


def cut_out(starts: list[Any], ends: list[Any], start: float, end: float) -> list[tuple[float, float]]:
    """Cuts ``[start, end)`` out of the spans of one document, which change in place; gives the pieces that were cut
    out, in order.

    Examples:
        >>> from ir_segmeasures.segments.basics import cut_out
        >>> starts, ends = [0, 20], [10, 30]
        >>> cut_out(starts, ends, 5, 25), starts, ends
        ([(5, 10), (20, 25)], [0, 25], [5, 30])
    """
    i = bisect_right(ends, start)
    j = bisect_left(starts, end, i)
    if i == j or start == end:
        return []
    left, right = starts[i], ends[j - 1]
    pieces = list(zip(starts[i:j], ends[i:j]))
    pieces[0] = (max(left, start), pieces[0][1])
    pieces[-1] = (pieces[-1][0], min(right, end))
    starts[i:j] = [left] * (left < start) + [end] * (right > end)
    ends[i:j] = [start] * (left < start) + [right] * (right > end)
    return pieces


def lies_within(starts: list[float], ends: list[float], start: float, end: float) -> bool:
    """Tells whether ``[start, end)``, or an entry point, lies in one of the spans of a document."""
    i = bisect_right(ends, start)
    return i < len(ends) and starts[i] <= start and end <= ends[i]


def plain_number(value: float) -> int | float:
    """The value as a number of Python, a whole one as an integer."""
    value = float(value)
    return int(value) if value.is_integer() else value


def plain_numbers(values: Floats) -> list[int | float]:
    """The values as numbers of Python, whole ones as integers."""
    return [*map(plain_number, values.tolist())]


T = TypeVar('T')


class Caching:
    """An object that keeps what functions compute of it, so that one walk serves all measures that are read off it."""

    @cached_property
    def _values(self) -> dict[Any, Any]:
        return {}

    def cached(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return ``function(self, *arguments)``, which is computed at the first such call and kept for the next."""
        key = (function, *arguments)
        if key not in self._values:
            self._values[key] = function(self, *arguments)
        return self._values[key]


_MOST = 80
_FORMULAS = ('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠')  # how they begin in spreadsheets


def quoted(value: Any) -> str:
    """A value as Python writes it, for sentences: in one line, of at most 80 characters, with ``…`` for the rest."""
    if isinstance(value, str):
        return repr(truncated(value))
    if isinstance(value, bytes):
        return repr(value[:_MOST])
    try:
        return truncated(' '.join(repr(value).split()))
    except Exception:  # whole numbers of thousands of digits, lists in lists, values that fail to say what they are
        return f'<{type(value).__name__}>'


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may have meant, the likeliest first: those that are written like it, else those that it
    begins. Case does not count."""
    from difflib import get_close_matches
    folded = {known.casefold(): known for known in reversed(list(names))}
    text = name.casefold()
    like = get_close_matches(text, folded, cutoff=.7) or [known for known in folded if text and known.startswith(text)]
    return [folded[match] for match in like]


def joined(names: Iterable[Any]) -> str:
    """Names with commas between them, for sentences: in one line, of at most 80 characters, with ``…`` for the rest."""
    return truncated(' '.join(', '.join(map(str, names)).split()))


def truncated(text: str) -> str:
    """A text of at most 80 characters: the beginning of a longer one, with ``…`` for the rest."""
    return text if len(text) <= _MOST else f'{text[:_MOST - 1]}…'


def format_number(value: float) -> str:
    """The shortest decimal form of a position: no exponent, at most 6 decimals, no ``.0``.

    Examples:
        >>> from ir_segmeasures.segments.basics import format_number
        >>> format_number(12.50), format_number(60.0), format_number(1e-7)
        ('12.5', '60', '0')
    """
    if isinstance(value, int):
        return str(value)
    return f'{float(value) + 0.0:.6f}'.rstrip('0').rstrip('.')  # -0.0 + 0.0 is 0.0


def abbreviated(name: str, length: int) -> str:
    """A name of at most ``length`` characters, for pictures: the beginning and the last eight of a longer name."""
    return name if len(name) <= length else f'{name[:length - 9]}…{name[-8:]}'


def cell_of(text: str) -> str:
    """A text as a cell of a table for spreadsheets: with ``'`` before it where these would run it as a formula.

    Examples:
        >>> from ir_segmeasures.segments.basics import cell_of
        >>> cell_of('=1+1'), cell_of('-0.5'), cell_of('q1')
        ("'=1+1", '-0.5', 'q1')
    """
    if not text.lstrip("'").startswith(_FORMULAS):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def bare_cell(cell: str) -> str:
    """The text of a cell of :func:`cell_of`."""
    return cell[1:] if cell[:1] == "'" and cell_of(cell[1:]) == cell else cell


class TwiceError(ValueError):
    """An object has a key twice; the sentence says which."""


def loads(text: str | bytes) -> Any:
    """The value of a JSON text in which no object has a key twice.

    Raises:
        TwiceError: an object has a key twice
        json.JSONDecodeError: as :func:`json.loads`
        ValueError: lists are too deep or a number is too long for Python
    """
    try:
        if isinstance(text, str) and not text.startswith('\ufeff'):
            return _DECODER.decode(text)
        return json.loads(text, object_pairs_hook=_once)
    except (RecursionError, ValueError) as error:
        if isinstance(error, TwiceError | UnicodeDecodeError | json.JSONDecodeError):
            raise
        raise ValueError('its lists are too deep or a number is too long') from None  # Python names its own settings


def is_number(value: Any) -> bool:
    """Tells whether a value of JSON is a finite number."""
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < _LONGEST
    return isinstance(value, float) and math.isfinite(value)


def shown_value(value: Any) -> str:
    """A value as in the file, cut where it is long."""
    return truncated(json.dumps(value, ensure_ascii=False))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise TwiceError(f'the key {quoted(key)} is there twice in one JSON object, but only one value can be meant: '
                         'take one of the two out')
    return found


_LONGEST = 10 ** 300  # a longer number is not a float
_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def needed(package: str, use: str, extra: str) -> Any:
    """Import a package, or a module of one.

    Args:
        package: of the extra
        use: begins the sentence about a missing one, such as ``'Parquet files are read with pyarrow'``
        extra: the extra of this package that has it

    Raises:
        ImportError: the package cannot be imported; the sentence says how to install it
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f'{use}, which cannot be imported ({error}): {install_command(extra)}') from error


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, as the metadata of this package names them."""
    found = dict.fromkeys(_packages(extra))
    return ' '.join(['python -m pip install', *(f"'{package}'" for package in found or [f'.[{extra}]'])])


def _packages(extra: str) -> list[str]:
    from importlib.metadata import PackageNotFoundError, requires  # most calls miss no package
    try:
        wanted = requires('ir_segmeasures') or []
    except PackageNotFoundError:  # it is run from a checkout
        return []
    found: list[str] = []
    for requirement in wanted:
        package, _, condition = requirement.partition(';')
        if re.search(f'extra == .{extra}.', condition):
            within = re.fullmatch(r'ir[_-]segmeasures\[(\w+)\]', package.strip())
            found += _packages(within[1]) if within else [package.strip()]
    return found


# The repair of segments that end where they start, since they are read as half-open.
LINES = "lines with --lines-from 1 --inclusive, which with_ids(…, 'line', lines_from=1, inclusive=True) does in Python"
# Ids that were meant as segments: rec_18_35, rec?t=18,35, rec#T=18,35, rec#track=1&t=9,21, rec%23t=9,21.
_NEAR = re.compile(r'(.+?)(?:_|\?t=|#T=|#.*[&]t=|%23t=)(\d+(?:\.\d+)?)[_,](\d+(?:\.\d+)?)')
_SHAPES = (
    (re.compile(r'msmarco_v2\.\d_doc_\d+_\d+#\d+_\d+'), 'a segment of MS MARCO',
     "read its offsets from the segmented corpus with resolve({kind}, corpus='…/*.json.gz')"),
    (re.compile(r'.+_\d+-\d+-\d+-\d+'), 'a passage whose id tells its characters, as in MTRAG',
     "read them with resolve({kind}, ids='{{doc}}_{{start}}-{{end}}-{{}}-{{}}', unit='char'), or --ids in a command"),
)


def end_repair(kind: str, document: str) -> str:
    """The repair for a document whose end is not known, as the end of an error's sentence.

    Args:
        kind: ``'run'`` or ``'qrels'``
        document: the id, which may look like that of a segment of another tool
    """
    for regex, what, repair in _SHAPES:
        if regex.fullmatch(document):
            return f'it looks like {what}, {repair.format(kind=kind)}'
    near = intended_segment(document)
    write = 'write the end into the id' if near is None else f'write it as {quoted(near)} if that is meant,'
    return f'{write} or resolve() the {kind} with a table of the documents'


def is_of_other_tool(document: str) -> bool:
    """Tells an id that is that of a segment in another tool, and not that of a whole document."""
    return any(regex.fullmatch(document) for regex, _, _ in _SHAPES)


def intended_segment(id: str) -> str | None:
    """The segment id that an id may be meant as, if it looks like one, else None.

    Examples:
        >>> from ir_segmeasures.segments.basics import intended_segment
        >>> intended_segment('rec_18_35')
        'rec#t=18,35'
    """
    found = _NEAR.fullmatch(id)
    return f'{found[1]}#t={found[2]},{found[3]}' if found and float(found[2]) < float(found[3]) else None
