"""Mending of files line by line: what can be put right without a decision, each kind with its count."""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import unquote

from ir_segmeasures import formats
from ir_segmeasures.formats.files.format import Lines
from ir_segmeasures.formats.files.reading import StrPath, decode_text, read_bytes
from ir_segmeasures.formats.trec import DECIMALS
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import format_segment, parse_segment

__all__ = ['MENDS', 'Mended', 'mend']

MENDS = ('byte order mark', 'line ends', 'blank lines', 'white space', 'decimal commas', 'percent-encoded ids',
         'decimals of ids', 'repeated lines', 'order', 'ranks')

_IRREGULAR = re.compile(r'^\s|\s$|\s\s|[^\S \t]')
_COMMA = re.compile(r'([+-]?\d+),(\d{1,2}|\d{4,})')  # with three digits it may separate thousands
_MANY_DECIMALS = re.compile(rf'\.\d{{{DECIMALS + 1},}}')


class _Fields(NamedTuple):
    """The places of the fields of a line that are mended; None where a format has none, or another way to write it."""
    number: int | None = None
    id: int | None = None
    rank: int | None = None


_FIELDS = {('trec', 'run'): _Fields(4, 2, 3), ('trec', 'qrels'): _Fields(3, 2),
           ('podcasts', 'run'): _Fields(number=4, rank=3),
           ('sh-search', 'run'): _Fields(rank=6), ('sh-linking', 'run'): _Fields(rank=6)}


class Mended(NamedTuple):
    """A file that is mended.

    Attributes:
        lines: its lines
        encoding: in which it is written
        counts: kind, of :data:`MENDS` → how many lines were mended so; a byte order mark counts once
    """
    lines: list[str]
    encoding: str
    counts: Mapping[str, int]


def mend(path: StrPath, format: str, kind: str = 'run') -> Mended:
    """The lines of a file with everything mended that needs no decision; what else is wrong stays as it is.

    In every format of lines with fields these are: a byte order mark, line ends of Windows, blank lines, white space at
    the ends of a line and more than one between fields, and lines that repeat another one. In runs and judgements of
    TREC, decimal commas of scores and grades (``0,5``; ``0,500`` may be a thousand), percent-encoded ids that are
    segments once they are decoded, and positions with more than six decimals, too. In runs of TREC and podcasts, which
    are ordered by score, and in those of Search & Hyperlinking, which are ordered by rank, the order of the lines,
    query by query, and ranks from 1. Equal scores stay in the order of the lines; equal ranks stay an error.

    Args:
        path: the file, ``.gz`` by suffix
        format: of the file, one of ``formats.FORMATS``
        kind: ``'run'`` or ``'qrels'``

    Examples:
        >>> import os, tempfile
        >>> from ir_segmeasures.checks import mend
        >>> path = os.path.join(tempfile.mkdtemp(), 'a.run')
        >>> with open(path, 'w') as file:
        ...     _ = file.write('q1 Q0  v#t=0,10 1 0,5 me\\nq1 Q0 v%23t%3D10,20 2 0.7 me\\n')
        >>> mended = mend(path, 'trec')
        >>> mended.lines
        ['q1 Q0 v#t=10,20 1 0.7 me', 'q1 Q0 v#t=0,10 2 0.5 me']
        >>> dict(mended.counts)
        {'white space': 1, 'decimal commas': 1, 'percent-encoded ids': 1, 'order': 2, 'ranks': 2}

    Raises:
        FormatError: the file is no text
        ValueError: files of this format are not mended, since their lines have no fields
        OSError: the file cannot be opened
    """
    files = formats.format_of(format).files(kind)
    if files is None or files.lines is None or len(files.lines.split('a b\tc')) == 1:  # such as JSON lines
        raise ValueError(f'{kind} of format {quoted(format)} have no lines with fields, which could be mended: correct '
                         'what check says by hand')
    lines, places = files.lines, _FIELDS.get((format, kind), _Fields())
    data, counts = read_bytes(path), Counter[str]()
    counts['byte order mark'] = int(data.startswith(BOM_UTF8))
    counts['line ends'] = data.count(b'\r')
    found: dict[str, str] = {}  # the first of the lines that repeat each other
    *whole, last = decode_text(data, path, lines.encoding).split('\n')
    for line in [*whole, last] if last else whole:
        fields = lines.split(line)
        if not fields:
            counts['blank lines'] += 1
            continue
        line = _spaced(line, fields, lines, counts)
        if len(fields) > max(place or 0 for place in places):
            line = _with_fields(line, fields, places, counts)
        # A repeated line of a run has another rank.
        key = line if places.rank is None else ' '.join(fields[:places.rank] + fields[places.rank + 1:])
        if key in found:
            counts['repeated lines'] += 1
        else:
            found[key] = line
    answer = list(found.values())
    if places.rank is not None:
        answer = _ranked(answer, lines, places, counts)
    return Mended(answer, lines.encoding, {name: counts[name] for name in MENDS if counts[name]})


def _spaced(line: str, fields: list[str], lines: Lines, counts: Counter[str]) -> str:
    if not _IRREGULAR.search(line):
        return line
    for separator in (' ', '\t'):
        joined = separator.join(fields)
        if lines.split(joined) == fields and joined != line:
            counts['white space'] += 1
            return joined
    return line


def _with_fields(line: str, fields: list[str], places: _Fields, counts: Counter[str]) -> str:
    """The line with its number and its id mended; ``fields`` change, too."""
    before = list(fields)
    if places.number is not None and (number := _COMMA.fullmatch(fields[places.number])):
        fields[places.number] = f'{number[1]}.{number[2]}'
        counts['decimal commas'] += 1
    if places.id is not None:
        id = fields[places.id]
        if '%' in id and not _is_segment(id) and _is_segment(unquote(id)):
            id = unquote(id)
            counts['percent-encoded ids'] += 1
        if _MANY_DECIMALS.search(id) and _is_segment(id):
            segment = parse_segment(id)
            shorter = format_segment(segment)
            if (parse_segment(shorter).end > parse_segment(shorter).start) == (segment.end > segment.start):
                counts['decimals of ids'] += shorter != id
                id = shorter
        fields[places.id] = id
    for old, new in zip(before, fields):
        if old != new:
            line = line.replace(old, new, 1)
    return line


def _is_segment(id: str) -> bool:
    """Whether an id names a segment, and can stand in a field."""
    with suppress(ValueError):
        return parse_segment(id).unit is not None and not re.search(r'\s', id)
    return False


def _ranked(found: list[str], lines: Lines, places: _Fields, counts: Counter[str]) -> list[str]:
    """The lines query by query in their order, with ranks from 1; as they are where one cannot be read, or where two of
    a query have one rank that orders them.
    """
    assert places.rank is not None
    rank, rows = places.rank, list[Any]()
    for line in found:
        try:
            _, parsed = lines.parse(lines.split(line))
        except ValueError:
            return found
        if len(parsed) != 1:  # a header
            return found
        rows.append(parsed[0])
    if places.number is None and len({(row.query_id, row.score) for row in rows}) < len(rows):
        return found
    queries = {query: place for place, query in enumerate(dict.fromkeys(row.query_id for row in rows))}
    order = sorted(range(len(rows)), key=lambda place: (queries[rows[place].query_id], -rows[place].score))
    answer, number, last = [], 0, None
    for place, old in enumerate(order):
        counts['order'] += place != old
        row, fields = rows[old], lines.split(found[old])
        number, last = number + 1 if row.query_id == last else 1, row.query_id
        if fields[rank] != str(number):
            counts['ranks'] += 1
            fields[rank] = str(number)
            answer.append(('\t' if '\t' in found[old] else ' ').join(fields))
        else:
            answer.append(found[old])
    return answer
