"""The texts and transcripts of a folder, by the documents that its files are named as, and texts in one file."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ir_segmeasures.formats.files.folders import stem
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.transcripts import SUFFIXES, read_transcript
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import quote_id

__all__ = ['FolderTexts', 'read_collection']

_ID = ('doc_id', 'docno', '_id', 'id')


class FolderTexts:
    """The text files of a folder (UTF-8, ``.gz`` by suffix) and the transcripts (``.vtt``, ``.srt``, ``.json`` …, as
    :func:`~ir_segmeasures.formats.read_transcript` reads them), by their names, with or without the ending; the names
    may be percent-encoded, as in ids.

    Raises:
        ValueError: two files that differ in the ending alone
        OSError: there is no such folder
    """

    def __init__(self, folder: str):
        # Ids come from judgements and runs: they are looked up in a list of files, and never made into a path.
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
        self._paths: dict[str, str] = {}
        for name in names:
            bare = stem(name, SUFFIXES)
            bare = os.path.splitext(name.removesuffix('.gz'))[0] if bare == name else bare
            if bare in self._paths and bare not in names:
                raise ValueError(f'{folder} has {os.path.basename(self._paths[bare])} and {name}, so that the text of '
                                 f'{quoted(bare)} is not clear: keep one of them')
            self._paths.setdefault(bare, os.path.join(folder, name))
        self._paths |= {name.removesuffix('.gz'): os.path.join(folder, name) for name in names}
        self._paths |= {name: os.path.join(folder, name) for name in names}
        for name, path in list(self._paths.items()):
            self._paths.setdefault(quote_id(name), path)

    def get(self, document: str, /) -> str | Sequence[Any] | None:
        """The text of a document, the lines of a transcript, or None. Raises a FormatError for a file that is not
        UTF-8, or no transcript."""
        path = self._paths.get(document)
        if path is None:
            return None
        if stem(path, SUFFIXES) != os.path.basename(path):
            return read_transcript(path)
        return read_utf8(path)

    def lengths(self) -> dict[str, float]:
        """The seconds until the last line of each transcript ends, by each name of its document."""
        found: dict[str, float] = {}
        for path in dict.fromkeys(self._paths.values()):
            if stem(path, SUFFIXES) != os.path.basename(path):
                found[path] = max((line.end for line in read_transcript(path)), default=0)
        return {name: found[path] for name, path in self._paths.items() if found.get(path)}


def read_collection(path: StrPath) -> dict[str, str]:
    """The texts in which quotes are looked for, document → text: those of a folder with all folders below it, by their
    paths there, such as ``terms/a.txt``; or of a file of JSON lines with ``doc_id`` (or ``docno``, ``_id``, ``id``) and
    ``text``, as corpora of BEIR are.

    Raises:
        FormatError: a file of a folder is not UTF-8; a line is no JSON object with an id and a text; an id is there
            twice
        OSError: there is no such folder or file
    """
    if os.path.isdir(path):
        files = sorted(file for file in Path(path).rglob('*') if file.is_file() and not file.name.startswith('.'))
        return {file.relative_to(path).as_posix(): read_utf8(file) for file in files}
    texts: dict[str, str] = {}
    for number, line in enumerate(read_utf8(path).split('\n'), 1):
        if line.strip():
            id, text = _text(line, path, number)
            if id in texts:
                raise FormatError(f'the document {quoted(id)} is already there, but each has one text: take one of the '
                                  'two out', path, number)
            texts[id] = text
    return texts


def _text(line: str, path: StrPath, number: int) -> tuple[str, str]:
    try:
        record = loads(line)
        id = next(record[key] for key in _ID if key in record)
        if isinstance(id, str | int) and isinstance(record['text'], str):
            return str(id), record['text']
    except (LookupError, StopIteration, TypeError, ValueError):
        pass
    raise FormatError('the line is no JSON object with "doc_id" and "text", but texts are a folder of files, or such '
                      'lines: correct it', path, number)
