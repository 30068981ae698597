"""The texts of documents, and the transcripts of recordings, of which a page shows passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

__all__ = ['DatasetTexts', 'Texts', 'text_of']


class Texts(Protocol):
    """Texts by the ids of documents, such as a dict; of recordings the lines of their transcripts."""

    def get(self, document: str, /) -> str | Sequence[Any] | None:
        """The text of a document, or lines (start, end, text) in seconds, or None."""


class DatasetTexts:
    """The texts of the documents of a dataset of ir_datasets."""

    def __init__(self, dataset: Any):
        self._store = dataset.docs_store()

    def get(self, document: str, /) -> str | None:
        """The text of a document, or None."""
        try:
            return text_of(self._store.get(document))
        except KeyError:
            return None


def text_of(row: Any) -> str | None:
    """The field ``text`` of a document or a query, which positions count in, else its default text; None where it has
    neither, as a video or an anchor."""
    if hasattr(row, 'text'):
        return str(row.text)
    return str(row.default_text()) if hasattr(row, 'default_text') else None
