"""
Collections with segment judgements in ir_datasets. Importing this registers them: ``ir_datasets.load(id)`` then takes
their ids, as ``D`` of the effort measures does.

Nothing is opened or downloaded by that. ``ir_segmeasures datasets`` lists what there is.
"""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Any

import ir_datasets

from ir_segmeasures.datasets import genomics, inex, local, mediaeval, podcasts, trecvid
from ir_segmeasures.datasets.base import DATASETS
from ir_segmeasures.datasets.local import add, remove

__all__ = ['DATASETS', 'add', 'length', 'load', 'register', 'remove']


def register() -> None:
    """Register what is not registered yet; importing the package has done so."""
    for campaign in (mediaeval, trecvid, podcasts, genomics, inex, local):
        campaign.register_all()


def load(id: str) -> Any:
    """
    The dataset, as ``ir_datasets.load`` has it.

    Raises:
        ValueError: there is no such dataset; the sentence names those with similar ids
    """
    try:
        return ir_datasets.load(id)
    except KeyError:
        near = difflib.get_close_matches(id, list(ir_datasets.registry), n=3)
        similar = f'similar ids are {", ".join(near)}' if near else "'ir_segmeasures datasets' lists those of segments"
        raise ValueError(f'there is no dataset {id!r}: {similar}') from None


def length(id: str) -> float:
    """
    The length of all documents of a dataset that knows it, in the unit of its segments: what ``D`` is.

    Raises:
        ValueError: there is no such dataset, or its documents have no ``duration`` (seconds) or ``length`` (characters)
        OSError: its documents are not here and cannot be downloaded
    """
    return _length(id, str(ir_datasets.util.home_path()))


@lru_cache(maxsize=64)
def _length(id: str, home: str) -> float:
    dataset = load(id)
    fields = dataset.docs_cls()._fields if dataset.has_docs() else ()
    field = next((field for field in ('duration', 'length') if field in fields), None)
    if field is None:
        raise ValueError(f'the documents of {id!r} do not tell their length, so that it cannot stand for D: give a '
                         'number')
    return sum(getattr(document, field) for document in dataset.docs_iter())


register()
