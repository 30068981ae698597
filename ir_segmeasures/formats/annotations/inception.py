"""INCEpTION: exports in WebAnno TSV 3, UIMA CAS JSON and UIMA CAS XMI, with spans of text, and packed as ``.zip``.

A layer of spans has the features ``query`` and ``grade`` (or ``relevance``). Positions count in units of UTF-16.
"""

import os
import re
from collections.abc import Iterator
from typing import Any

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import AnnotatedText, Mark, checked_query, grade_of, mark_of, qrel
from ir_segmeasures.formats.annotations.uima import GRADES, QUERIES, read_cas_json, read_cas_xmi
from ir_segmeasures.formats.files.archives import zip_parts
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import ZIP, FormatError, StrPath, decode_text, read_bytes
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, quote_id
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['INCEPTION', 'read_qrels']

_SUFFIXES = ('.tsv', '.json', '.xmi')
_TEXTS = ('.txt', '.html', '.xml', '.pdf', '.tsv')  # endings of documents, which ids of documents leave out
_ANNOTATION = 'annotation/'  # of the export of a project: what assessors annotated, beside sources and curation
_BEGIN = 64  # bytes in which a file shows what it is
_INITIAL = 'INITIAL_CAS'  # of INCEpTION, which has what nobody annotated
_NUMBERED = re.compile(r'(.*)\[(\d+)\]', re.DOTALL)
_ESCAPED = re.compile(r'\\(.)')


def read_qrels(path: StrPath) -> list[Qrel]:
    """Reads the judgements of a file, or of a folder or a ``.zip`` and all folders and ``.zip`` inside.

    Args:
        path: of files ``.tsv``, ``.json`` or ``.xmi``, the last two of which name the document and the assessor. In an
            export of a project, of which the folder ``annotation`` is read, the folder of a file is its document, and
            the name of the file the assessor; the name of a file that stands alone is the document

    Raises:
        FormatError: a file is none of the three, has no layer with a query, or a label that is no grade
        OSError: a file cannot be opened

    Warns:
        UserWarning: a file ``.json`` or ``.xmi`` has no annotation with a query
    """
    rows: list[Qrel] = []
    for file, data in _exports(path):
        inside = os.path.dirname(os.path.relpath(file, path))
        name = stem(file, _SUFFIXES)
        found = _text_of(file, data)
        document = found.document or (os.path.basename(inside) if inside else name)
        assessor = found.assessor or (name if inside else '0')
        if not found.layers and assessor != _INITIAL:
            warn_user(f'{file}: no annotation has the feature "query", which says what a span is relevant for')
        id = quote_id(stem(document, _TEXTS))
        if not id:
            raise FormatError(f'the document {quoted(document)} ends at a slash, where its name stands: correct the '
                              'document title', file)
        rows += [qrel(query, Segment(id, mark.start, mark.end, 'char'), mark.grade, assessor)
                 for query, mark in found.marks if mark.grade is not None]
    return rows


def _exports(path: StrPath) -> Iterator[tuple[str, bytes]]:
    """The path and the bytes of each export in a file or folder, or in a ``.zip``, of which the path is a part."""
    folder = os.path.join(path, _ANNOTATION)
    for file in files_of(folder if os.path.isdir(folder) else path, (*_SUFFIXES, '.zip'), deep=True):
        data = read_bytes(file)
        if not data.startswith(ZIP):
            yield os.fspath(file), data
            continue
        parts = list(zip_parts(data, file, _SUFFIXES))
        if not parts:
            raise FormatError(f'the .zip has no file whose name ends in {" or ".join(_SUFFIXES)}: export the '
                              'annotations', file)
        project = any(name.startswith(_ANNOTATION) for name, _ in parts)
        yield from ((os.path.join(file, name), part) for name, part in parts
                    if name.startswith(_ANNOTATION) or not project)


def _text_of(path: StrPath, data: bytes) -> AnnotatedText:
    begin = data[:_BEGIN].lstrip(b'\xef\xbb\xbf\xff\xfe\0 \r\n\t')[:1]
    if begin in (b'{', b'<'):
        return (read_cas_json if begin == b'{' else read_cas_xmi)(path, data)
    return AnnotatedText('', '', _marks(path, data), True)


def _marks(path: StrPath, data: bytes) -> list[tuple[str, Mark]]:
    lines = decode_text(data, path).split('\n')
    if not lines[0].startswith('#FORMAT=WebAnno TSV 3'):
        raise FormatError('the file does not begin with #FORMAT=WebAnno TSV 3: export it as WebAnno '
                          'TSV, UIMA CAS JSON or UIMA CAS XMI', path, 1)
    layers = _layers(lines, path)
    spans: dict[tuple[int, str, int], list[Any]] = {}  # annotation → start, end, query, grade, line
    before = after = 0  # characters before and after the token that UTF-16 counts twice
    for number, text in enumerate(lines, 1):
        fields = text.rstrip('\r').split('\t')
        if text.startswith('#') or len(fields) < 3:
            continue
        try:
            start, end = map(int, fields[1].split('-'))
            given = [[_values(fields[place]) if place is not None else [] for place in layer] for layer in layers]
        except (ValueError, IndexError):
            raise FormatError('the line is no token with its place and its columns: export the file once more', path,
                              number) from None
        twice = sum(ord(sign) > 0xffff for sign in fields[2])
        if '.' not in fields[0]:  # no part of the token before
            before, after = after, after + twice
        for (column, _), (queries, grades) in zip(layers, given):
            for place, (value, id) in enumerate(queries):
                key = (column, id, -1) if id else (column, fields[0], place)
                found = spans.setdefault(key, [start - before, 0, value, '', number])
                found[1] = end - before - twice
                found[3] = grades[place][0] if place < len(grades) else ''
    marks = []
    for start, end, id, label, number in spans.values():
        try:
            marks.append((checked_query(id), mark_of(start, end, grade_of(label))))
        except ValueError as error:
            raise FormatError(str(error), path, number) from None
    return marks


def _layers(lines: list[str], path: StrPath) -> list[tuple[int, int | None]]:
    """The columns of the query and of the grade, which is None without one, of each layer that has a query."""
    column, layers = 3, []
    for line in lines:
        if line.startswith('#T_'):
            kind, _, layer = line.rstrip('\r').partition('=')
            features = layer.split('|')[1:]
            query, grade = (next((column + features.index(name) for name in names if name in features), None)
                            for names in (QUERIES, GRADES))
            if query is not None and kind == '#T_SP':
                layers.append((query, grade))
            # A layer without features has a column; one of relations has one more, for where they come from.
            column += len(features) or 1
    if not layers:
        raise FormatError('no layer of spans has the feature "query", which says what a span is relevant for: add it '
                          'to the layer', path)
    return layers


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


INCEPTION = Format('inception', 'INCEpTION: WebAnno TSV 3, UIMA CAS JSON and XMI, spans with the features query '
                   'and grade', None, Files(read_qrels), folders=True)
