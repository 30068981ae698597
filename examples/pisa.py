"""What the examples with retrieval share: an index of PISA, an engine without Java (pip install pyterrier-pisa)."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyterrier as pt
from pyterrier_pisa import PisaIndex


@contextmanager
def quiet() -> Iterator[None]:
    """PISA reports its progress to the file descriptors themselves, so that sys.stdout cannot be used to silence it."""
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    with open(os.devnull, 'w') as nowhere:
        for descriptor in (1, 2):
            os.dup2(nowhere.fileno(), descriptor)
    try:
        yield
    finally:
        for descriptor, before in zip((1, 2), kept):
            os.dup2(before, descriptor)
            os.close(before)


def bm25(folder: str, name: str, documents: list[dict[str, Any]]) -> pt.Transformer:
    """Retrieval with BM25 from an index of the documents, which is made in the folder."""
    index = PisaIndex(os.path.join(folder, name), text_field='text')
    index.index(documents)
    # PISA's indexer prints errors and goes on; this is how one finds out.
    assert index.num_docs() == len(documents)
    return index.bm25(num_results=500)
