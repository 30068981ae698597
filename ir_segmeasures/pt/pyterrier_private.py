"""A private name of PyTerrier: without it, ``pt.datasets.list_datasets()`` shows no part of ours."""

from __future__ import annotations

import pyterrier as pt

__all__ = ['ListedDataset']


class ListedDataset(pt.datasets.Dataset):
    """A dataset that is listed with its parts.

    PyTerrier asks ``Dataset._describe_component`` for them. The public way that is missing is a method of that class
    which datasets of other packages may override.
    """

    def parts(self, component: str) -> bool | list[str] | None:
        """Says of ``'topics'``, ``'qrels'``, ``'corpus'``, ``'index'`` … whether the dataset has it: True, its
        variants, or None."""
        raise NotImplementedError

    def _describe_component(self, component: str) -> bool | list[str] | None:
        return self.parts(component)
