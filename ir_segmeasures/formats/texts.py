"""The texts and transcripts of a folder, by the documents that its files are named as, and texts in one file."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ir_segmeasures.formats.files.fields import id_of
from ir_segmeasures.formats.files.lines import pairs_of_lines
from ir_segmeasures.formats.files.reading import StrPath, errors_in, has_suffix, read_utf8, refuse_twice, stem
from ir_segmeasures.formats.files.sheets import read_sheets
from ir_segmeasures.formats.json_files import json_lines, record_of
from ir_segmeasures.formats.spreadsheets import DOCUMENT, document_in, folded
from ir_segmeasures.formats.transcripts import SUFFIXES, read_transcript
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import RECORDINGS, parse_segment, quote_id

# Names of columns, without blanks and signs; of several that are there, the first in this order.
_IDS = ('queryid', 'qid', 'topicid', 'docid', 'docno', 'id')
_TEXTS = ('text', 'query', 'question', 'topic', 'title')
_LENGTHS = ('length', 'duration', 'size')
_RECORDING = re.compile(rf'\.(?:{RECORDINGS})')


class _Record(msgspec.Struct):
    text: str
    title: str | None = None
    doc_id: int | str | None = None
    docno: int | str | None = None
    _id: int | str | None = None
    id: int | str | None = None


class TextLine(NamedTuple):
    """A query or a document in a line; queries have no title."""
    id: str
    text: str
    title: str = ''


class FolderTexts:
    """The text files of a folder and those below it (UTF-8, ``.gz`` by suffix) and the transcripts (``.vtt``, ``.srt``,
    ``.json`` …, as :func:`~ir_segmeasures.formats.read_transcript` reads them), by their paths there, with or without
    the ending; these may be percent-encoded, as in ids. Recordings beside them are left alone.

    Attributes:
        paths: each name of a document → its file

    Raises:
        ValueError: two files that differ in the ending alone
        OSError: there is no such folder
    """

    def __init__(self, folder: str):
        # Ids come from judgements and runs: they are looked up in a list of files, and never made into a path.
        os.listdir(folder)  # for its error
        names = sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob('*')
                       if path.is_file() and not _RECORDING.fullmatch(path.suffix.lower()))
        bare: dict[str, str] = {}
        for name in names:
            tail = os.path.basename(name)
            known = name.removesuffix(tail) + stem(tail, SUFFIXES)
            known = os.path.splitext(name.removesuffix('.gz'))[0] if known == name else known
            if bare.setdefault(known, name) != name and known not in names:
                raise ValueError(f'{folder} has {bare[known]} and {name}, so that the text of {quoted(known)} is not '
                                 'clear: keep one of them')
        files = bare | {name.removesuffix('.gz'): name for name in names} | {name: name for name in names}
        self.paths = {id: os.path.join(folder, file) for name, file in files.items() for id in (quote_id(name), name)}

    def get(self, document: str, /) -> str | Sequence[Any] | None:
        """The text of a document, the lines of a transcript, or None. Raises a FormatError for a file that is not
        UTF-8, or no transcript."""
        path = self.paths.get(document)
        return path and (read_transcript(path) if has_suffix(path, SUFFIXES) else read_utf8(path))

    def lengths(self) -> dict[str, float]:
        """The seconds until the last line of each transcript ends, by each name of its document."""
        found = {path: max((line.end for line in read_transcript(path)), default=0)
                 for path in dict.fromkeys(self.paths.values()) if has_suffix(path, SUFFIXES)}
        return {name: found[path] for name, path in self.paths.items() if found.get(path)}


def read_collection(path: StrPath) -> dict[str, str]:
    """The texts in which quotes are looked for, document → text: those of a folder with all folders below it, by their
    paths there, such as ``terms/a.txt``; or of a file of JSON lines with ``doc_id`` (or ``docno``, ``_id``, ``id``) and
    ``text``, as corpora of BEIR are.

    Raises:
        FormatError: a file of a folder is not UTF-8; a line is not a JSON object with an id and a text; an id is there
            twice
        OSError: there is no such folder or file
    """
    if os.path.isdir(path):
        files = sorted(file for file in Path(path).rglob('*') if file.is_file() and not file.name.startswith('.'))
        return {file.relative_to(path).as_posix(): read_utf8(file) for file in files}
    return {found.id: found.text for found in read_texts(path)}


def read_texts(path: StrPath) -> list[TextLine]:
    """Reads queries or documents of BEIR and others, JSON lines with ``_id``, ``doc_id``, ``docno`` or ``id``, with
    ``text`` and maybe ``title``.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.texts import read_texts
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'queries.jsonl'
        >>> _ = path.write_text('{"_id": "q1", "text": "swarming", "metadata": {}}')
        >>> read_texts(path)
        [TextLine(id='q1', text='swarming', title='')]

    Raises:
        FormatError: a line is not such an object, or an id is there twice
        OSError: the file cannot be opened
    """
    found = json_lines(path, _text)
    refuse_twice(path, (number for number, _ in found), (line.id for _, line in found), 'the document',
                 'each has one text: take one of the two out')
    return [line for _, line in found]


def read_tabs(path: StrPath, what: str) -> list[tuple[str, str]]:
    """Reads the ids and texts of queries or documents, which ``what`` calls them: lines of an id, a tab and a text, or
    a spreadsheet (``.csv``, ``.xlsx``) with named columns, such as ``qid`` and ``query``. Lines may have names above.

    Raises:
        FormatError: a line has no tab, its id is empty or holds white space, an id is there twice, or the columns of a
            spreadsheet have no names
        OSError: the file cannot be opened
    """
    if not has_suffix(path, ('.csv', '.xlsx')):
        pairs = pairs_of_lines(path, what, 'id, a tab and its text', str,
                               lambda line: line.split('\t', 1) if line.strip() else [])
        return pairs[1:] if pairs and _names(pairs[0], _IDS, _TEXTS) else pairs
    return _of_sheet(path, what, 'qid,query', _IDS, _TEXTS, lambda _, text: id_of(text, f'the {what}'), str)


def read_sizes(path: StrPath) -> dict[str, float]:
    """Reads the lengths of documents, document → length: lines ``document length``, maybe with other fields behind,
    with tabs between where names have blanks, or a spreadsheet with named columns, such as ``doc_id`` and ``length``.
    Names are percent-encoded where they are no ids, as in spreadsheets; a line ``doc_id …`` is a head. The path of a
    folder gives the lengths of the transcripts there.

    Raises:
        FormatError: a line has no length, or a document is there twice
        OSError: the file cannot be opened
    """
    if os.path.isdir(path):
        return FolderTexts(os.fspath(path)).lengths()
    if has_suffix(path, ('.csv', '.xlsx')) or _names(
            read_utf8(path).partition('\n')[0].split('\t'), DOCUMENT, _LENGTHS):
        return dict(_of_sheet(path, 'document', 'doc_id,length', DOCUMENT, _LENGTHS, document_in, _size))

    def fields(line: str) -> list[str]:
        document, *others = line.split('\t') if '\t' in line.strip() else line.split() or ['']
        return [] if document.startswith('doc_id') or not document.strip() else [
            document_in('', document.strip()), *others[:1]]
    return dict(pairs_of_lines(path, 'document', 'document length', _size, fields))


def _size(text: str) -> float:
    try:
        return parse_segment(f'd#t=0,{text.strip()}').end
    except ValueError:
        raise ValueError(f'{quoted(text)} is not the length of a document: write a number, or hh:mm:ss, with a tab '
                         'before it if names of documents have blanks') from None


def _of_sheet(path: StrPath, what: str, such_as: str, ids: Sequence[str], values: Sequence[str],
              id: Callable[[str, str], str], value: Callable[[str], Any]) -> list[tuple[str, Any]]:
    """Ids, made of the name of their column and the cell, and values of a spreadsheet, in columns of some names."""
    sheet = read_sheets(path, lambda cells: _names(cells, ids, values), such_as)[0]
    names = [folded(name) for name in sheet.lines[0][1]] if sheet.lines else []
    first, second = (next(filter(names.__contains__, known), '') for known in (ids, values))
    found = []
    for number, cells in sheet.lines[1:]:
        row = dict(zip(names, cells))
        with errors_in(sheet.name, number):
            found.append((id(first, row.get(first, '')), value(row.get(second, ''))))
    refuse_twice(path, (number for number, _ in sheet.lines[1:]), (id for id, _ in found), f'the {what}')
    return found


def _names(cells: Sequence[str], *known: Sequence[str]) -> bool:
    """Tells whether the cells of a line name columns of each kind."""
    names = {*map(folded, cells)}
    return all(names & {*kind} for kind in known)


def _text(line: str) -> TextLine:
    record = record_of(line, _Record)
    id = next((id for id in (record.doc_id, record.docno, record._id, record.id) if id is not None), None)
    if id is None:
        raise ValueError('the line has no "doc_id" (nor "docno", "_id", "id"), but each text has one: add it')
    return TextLine(str(id), record.text, record.title or '')
