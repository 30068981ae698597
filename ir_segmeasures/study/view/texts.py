"""Texts of documents and transcripts of recordings, of which a page shows passages."""

from collections.abc import Sequence
from typing import Any, Protocol

__all__ = ['DatasetTexts', 'DocumentTexts', 'text_of']


class DocumentTexts(Protocol):
    """Texts by the ids of documents, such as a dict; for recordings the lines of their transcripts."""

    def get(self, document: str, /) -> str | Sequence[Any] | None:
        """The text of a document, or lines (start, end, text) in seconds, or None."""


class DatasetTexts:
    """The texts of the documents of a dataset of ir_datasets, for :func:`~ir_segmeasures.study.view.page`.

    Args:
        dataset: the dataset, which has documents

    Examples:
        >>> from ir_segmeasures import sample
        >>> from ir_segmeasures.study.view import DatasetTexts
        >>> class Dataset:  # as ir_datasets.load() returns one
        ...     def docs_store(self):
        ...         return self
        ...     def get(self, doc_id):
        ...         return {article.doc_id: article for article in sample.articles()}[doc_id]
        >>> DatasetTexts(Dataset()).get(sample.articles()[0].doc_id)[:30]
        'The Brennick Canal leaves the '
    """

    def __init__(self, dataset: Any):
        self._store = dataset.docs_store()

    def get(self, document: str, /) -> str | None:
        """The text of a document, or None."""
        try:
            return text_of(self._store.get(document))
        except KeyError:
            return None


def text_of(row: Any) -> str | None:
    """The text of a document or a query of ir_datasets: its field ``text``, in which positions count, else its default
    text; None where it has neither, as a video or an anchor.

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures import sample
        >>> from ir_segmeasures.study.view import text_of
        >>> text_of(sample.queries()[0])
        'how to stop bees from swarming'
        >>> text_of(ScoredDoc('q1', 'd1', 1.)) is None
        True
    """
    if hasattr(row, 'text'):
        return str(row.text)
    return str(row.default_text()) if hasattr(row, 'default_text') else None
