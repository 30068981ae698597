"""INCEpTION: exports in WebAnno TSV 3, with spans of text.

A layer of spans has the features ``query`` and ``grade`` (or ``relevance``). Positions count in units of UTF-16.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import grade_of, mark_of, qrel
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, files_of, read_utf8, stem
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, quote_id

__all__ = ['INCEPTION', 'read_qrels']

_SUFFIXES = ('.tsv',)
_TEXTS = ('.txt', '.html', '.xml', '.pdf', '.tsv')  # endings of documents, which ids of documents leave out
_QUERY, _GRADES = ('query', 'query_id'), ('grade', 'relevance', 'value')
_NUMBERED = re.compile(r'(.*)\[(\d+)\]', re.DOTALL)
_ESCAPED = re.compile(r'\\(.)')


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of a file, or of a folder and all folders inside.

    Args:
        path: of files ``.tsv``. In an export of a project, the folder of a file is its document, and the name of the
            file the assessor; the name of a file that stands alone is the document

    Raises:
        FormatError: a file is no WebAnno TSV 3, has no layer with a query, or a label that is no grade
        OSError: a file cannot be opened
    """
    rows: list[Qrel] = []
    for file in files_of(path, _SUFFIXES, deep=True):
        inside = os.path.isdir(path) and os.path.dirname(os.path.relpath(file, path))
        name = stem(file, _SUFFIXES)
        document, assessor = (os.path.basename(inside), name) if inside else (name, '0')
        rows += _rows(file, quote_id(stem(document, _TEXTS)), assessor)
    return rows


def _rows(path: StrPath, document: str, assessor: str) -> Iterator[Qrel]:
    lines = read_utf8(path).removeprefix('\ufeff').split('\n')
    if not lines[0].startswith('#FORMAT=WebAnno TSV 3'):
        raise FormatError('the file does not begin with #FORMAT=WebAnno TSV 3: export it as WebAnno TSV', path, 1)
    query, grade = _columns(lines, path)
    spans: dict[tuple[str, int | str], list[Any]] = {}  # annotation → start, end, query, grade, line
    before = after = 0  # characters before and after the token that UTF-16 counts twice
    for number, text in enumerate(lines, 1):
        fields = text.rstrip('\r').split('\t')
        if text.startswith('#') or len(fields) < 3:
            continue
        try:
            start, end = map(int, fields[1].split('-'))
            queries, grades = (_values(fields[place]) if place is not None else [] for place in (query, grade))
        except (ValueError, IndexError):
            raise FormatError('the line is no token with its place and its columns: export the file once more', path,
                              number) from None
        twice = sum(ord(sign) > 0xffff for sign in fields[2])
        if '.' not in fields[0]:  # no part of the token before
            before, after = after, after + twice
        for place, (value, id) in enumerate(queries):
            key = ('all', id) if id else (fields[0], place)
            found = spans.setdefault(key, [start - before, 0, value, '', number])
            found[1] = end - before - twice
            found[3] = grades[place][0] if place < len(grades) else ''
    for start, end, id, label, number in spans.values():
        try:
            mark = mark_of(start, end, grade_of(label))
            if not id or id.split() != [id]:
                raise ValueError(f'the query {quoted(id)} is no id, which has no white space: correct it')
        except ValueError as error:
            raise FormatError(str(error), path, number) from None
        if mark.grade is not None:
            yield qrel(id, Segment(document, mark.start, mark.end, 'char'), mark.grade, assessor)


def _columns(lines: list[str], path: StrPath) -> tuple[int, int | None]:
    """The columns of the query and of the grade, which is None without one."""
    column, found = 3, dict[str, int]()
    for line in lines:
        if line.startswith('#T_'):
            kind, _, layer = line.rstrip('\r').partition('=')
            features = layer.split('|')[1:]
            found |= {feature: column + place for place, feature in enumerate(features) if kind == '#T_SP'}
            # A layer without features has a column; one of relations has one more, for where they come from.
            column += len(features) or 1
    query = next((found[name] for name in _QUERY if name in found), None)
    if query is None:
        raise FormatError('no layer of spans has the feature "query", which says what a span is relevant for: add it '
                          'to the layer', path)
    return query, next((found[name] for name in _GRADES if name in found), None)


def _values(field: str) -> list[tuple[str, str]]:
    """The values of a column, each with the number of its annotation where it has several tokens."""
    if field == '_':
        return []
    values = []
    for value in re.split(r'(?<!\\)\|', field):
        numbered = _NUMBERED.fullmatch(value)
        text, id = numbered.groups() if numbered else (value, '')
        values.append(('' if text == '*' else _ESCAPED.sub(r'\1', text), id))
    return values


INCEPTION = Format('inception', 'INCEpTION: WebAnno TSV 3, spans with the features query and grade', None,
                   Files(read_qrels), folders=True)
