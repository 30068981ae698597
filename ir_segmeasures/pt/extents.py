"""Tables of extents that transformers take: a mapping, a file, or a dataset whose documents tell their length."""

import os
from collections.abc import Mapping
from typing import Any

import pyterrier as pt

from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.ids.corpora import document_extents


def is_dataset(source: Any) -> bool:
    """Tells a dataset of ir_datasets or of PyTerrier."""
    return hasattr(source, 'docs_iter') or hasattr(source, 'irds_ref')


def extents_of(transformer: pt.Transformer, source: Any, unit: str | None) -> Any:
    """The table that a parameter of a transformer stands for. A file or a dataset is read once.

    Args:
        transformer: keeps what was read
        source: a mapping, which is the table; a path, which :func:`~ir_segmeasures.formats.extents.read_extents` takes;
            or a dataset. Anything else is given back, for the errors of whoever needs a table.
        unit: of numbers in a file
    """
    if isinstance(source, Mapping) or not (is_dataset(source) or isinstance(source, str | os.PathLike)):
        return source
    kept = transformer.__dict__.get('_extents')
    if kept is None or kept[0] is not source or kept[1] != unit:
        read = document_extents(source) if is_dataset(source) else read_extents(source, unit)
        kept = transformer.__dict__['_extents'] = source, unit, read
    return kept[2]
