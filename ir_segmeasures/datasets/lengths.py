"""How long the documents of a dataset are together: ``D`` of the effort measures."""

from functools import lru_cache

import ir_datasets

from ir_segmeasures.datasets.base import load
from ir_segmeasures.ids.corpora import lengths_and_unit
from ir_segmeasures.segments.quoting import quoted


def length(id: str) -> float:
    """The length of all documents of a dataset, in the unit of its segments.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import datasets
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'durations'
        >>> _ = path.write_text('talk 1800\\nlecture 2700.5\\n')
        >>> mine = datasets.add('my/talks', docs=path, docs_format='durations')
        >>> datasets.length('my/talks')
        4500.5
        >>> datasets.remove('my/talks')

    Raises:
        ValueError: there is no such dataset, or its documents have no ``duration`` (seconds) or ``length`` (characters)
        OSError: its documents are not here and cannot be downloaded
    """
    return _length(id, str(ir_datasets.util.home_path()))


@lru_cache(maxsize=64)
def _length(id: str, home: str) -> float:
    found = lengths_and_unit(load(id))
    if found is None:
        raise ValueError(f'the documents of {quoted(id)} do not tell their length, so that it cannot stand for D: give '
                         'a number')
    return sum(found[0].values())


def forget() -> None:
    """Lengths are computed anew from now on: for a dataset that has changed."""
    _length.cache_clear()
