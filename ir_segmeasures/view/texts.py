"""The texts of documents, of which a page shows passages."""

from __future__ import annotations

import os
from typing import Any, Protocol

__all__ = ['DatasetTexts', 'FolderTexts', 'Texts']


class Texts(Protocol):
    """Texts by the ids of documents, such as a dict."""

    def get(self, document: str, /) -> str | None:
        """The text of a document, or None."""


class FolderTexts:
    """
    The text files of a folder (UTF-8), by their names, with or without the ending.

    Raises:
        ValueError: two files that differ in the ending alone
        OSError: there is no such folder
    """

    def __init__(self, folder: str):
        # Ids come from judgements and runs: they are looked up in a list of files, and never made into a path.
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
        self._paths: dict[str, str] = {}
        for name in names:
            stem = os.path.splitext(name)[0]
            if stem in self._paths and stem not in names:
                raise ValueError(f'{folder} has {os.path.basename(self._paths[stem])} and {name}, so that the text of '
                                 f'{stem!r} is not clear: keep one of them')
            self._paths.setdefault(stem, os.path.join(folder, name))
        self._paths |= {name: os.path.join(folder, name) for name in names}

    def get(self, document: str, /) -> str | None:
        """The text of a document, or None. Raises a ValueError for a file that is not UTF-8."""
        path = self._paths.get(document)
        if path is None:
            return None
        try:
            with open(path, encoding='utf-8', newline='') as file:  # positions count every character of it
                return file.read()
        except UnicodeDecodeError as error:
            raise ValueError(f'{path} is not UTF-8 at byte {error.start}: convert it') from None


class DatasetTexts:
    """The texts of the documents of a dataset of ir_datasets."""

    def __init__(self, dataset: Any):
        self._store = dataset.docs_store()

    def get(self, document: str, /) -> str | None:
        """The field ``text`` of a document, which positions count in, else its default text; or None."""
        try:
            found = self._store.get(document)
        except KeyError:
            return None
        return found.text if hasattr(found, 'text') else str(found.default_text())
