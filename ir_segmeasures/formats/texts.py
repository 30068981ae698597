"""The texts and transcripts of a folder, by the documents that its files are named as."""

import os
from collections.abc import Sequence
from typing import Any

from ir_segmeasures.formats.files.reading import read_utf8, stem
from ir_segmeasures.formats.transcripts import SUFFIXES, read_transcript
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import quote_id

__all__ = ['FolderTexts']


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
