"""Mending of files line by line: what can be put right without a decision, each kind with its count.

Edits are edits of fields, whose values no other field shares.
"""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures import formats
from ir_segmeasures.formats.files.fields import codes_of_column
from ir_segmeasures.formats.files.lines import Lines, places_in_queries
from ir_segmeasures.formats.files.reading import UTF_8, StrPath, decode_text, read_bytes

MENDS = ('byte order mark', 'line ends', 'blank lines', 'white space', 'decimal commas', 'repeated lines', 'order',
         'ranks')

_IRREGULAR = re.compile(r'^\s|\s$|\s\s|[^\S \t]')
_COMMA = re.compile(r'([+-]?\d+),(\d{1,2}|\d{4,})')  # with three digits it may separate thousands


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
    the ends of a line and more than one between fields, and lines that repeat another one. What a format names as
    mended is put right too: decimal commas of scores and grades (``0,5``; ``0,500`` may be a thousand), the order of
    the lines, query by query, and ranks from 1. Ids stay as they are. Equal scores stay in the order of the lines;
    equal ranks stay an error.

    Args:
        path: the file, ``.gz`` by suffix
        format: of the file, one of ``formats.FORMATS``
        kind: ``'run'`` or ``'qrels'``

    Examples:
        >>> import os, tempfile
        >>> from ir_segmeasures.checks import mend
        >>> path = os.path.join(tempfile.mkdtemp(), 'a.run')
        >>> with open(path, 'w') as file:
        ...     _ = file.write('q1 Q0  v#t=0,10 1 0,5 me\\nq1 Q0 v#t=10,20 2 0.7 me\\n')
        >>> mended = mend(path, 'trec')
        >>> mended.lines
        ['q1 Q0 v#t=10,20 1 0.7 me', 'q1 Q0 v#t=0,10 2 0.5 me']
        >>> dict(mended.counts)
        {'white space': 1, 'decimal commas': 1, 'order': 2, 'ranks': 2}

    Raises:
        FormatError: the file is not text
        ValueError: files of this format are not mended, since their lines have no fields
        OSError: the file cannot be opened
    """
    files = formats.format_of(format).files(kind)
    if files is None or files.lines is None:
        repaired = (name for name, entry in formats.FORMATS.items() if getattr(entry.files(kind), 'lines', None))
        raise ValueError(f'--fix repairs lines of fields, in the formats {", ".join(repaired)}, and not {format}: '
                         'correct by hand what check says')
    lines, names = files.lines, files.lines.fields.split()
    rank, number = (names.index(files.mended[what]) if what in files.mended else None for what in ('rank', 'score'))
    data, counts = read_bytes(path), Counter[str]()
    marked = data.startswith(BOM_UTF8)
    kept = marked and lines.encoding != UTF_8  # since the mark tells that the file is UTF-8
    counts['byte order mark'] = marked - kept
    counts['line ends'] = data.count(b'\r')
    found: dict[tuple[str, ...], list[str]] = {}  # the first of the lines that repeat each other
    texts: list[str] = []
    for line in decode_text(data, path, lines.encoding).removesuffix('\n').split('\n'):
        fields = lines.split(line)
        if not fields:
            counts['blank lines'] += 1
            continue
        joined = [separator.join(fields) for separator in (' ', '\t')] if _IRREGULAR.search(line) else []
        text = next((text for text in joined if lines.split(text) == fields), line)
        counts['white space'] += text != line
        if number is not None and len(fields) == len(names) and (comma := _COMMA.fullmatch(fields[number])):
            fields[number] = f'{comma[1]}.{comma[2]}'
            text = _joined(text, fields)
            counts['decimal commas'] += 1
        # A repeated line of a run has another rank.
        key = tuple(field for place, field in enumerate(fields) if place != rank)
        counts['repeated lines'] += key in found
        if found.setdefault(key, fields) is fields:
            texts.append(text)
    if rank is not None:
        texts = _ranked(texts, list(found.values()), lines, rank, files.order, counts)
    encoding = 'utf-8-sig' if kept else lines.encoding
    return Mended(texts, encoding, {name: counts[name] for name in MENDS if counts[name]})


def _joined(text: str, fields: list[str]) -> str:
    return ('\t' if '\t' in text else ' ').join(fields)


def _ranked(texts: list[str], fields: list[list[str]], lines: Lines, rank: int, order: str,
            counts: Counter[str]) -> list[str]:
    """The lines query by query in their order, with ranks from 1; as they are where one cannot be read, or where two of
    a query have one rank that orders them.
    """
    try:
        rows: Any = lines.rows_of(texts)
    except ValueError:
        return texts
    query, score = rows.columns['query_id'], np.asarray(rows.columns['score'], float)
    if order == 'rank' and len(set(zip(query, score))) < len(rows):
        return texts
    codes = codes_of_column(query)
    places = np.lexsort((-score, codes))
    for place, (old, number) in enumerate(zip(places.tolist(), places_in_queries(codes[places]).tolist())):
        counts['order'] += place != old
        if fields[old][rank] != str(number):
            counts['ranks'] += 1
            fields[old][rank] = str(number)
            texts[old] = _joined(texts[old], fields[old])
    return [texts[old] for old in places]
