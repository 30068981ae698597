"""Segmented corpora, which have the offsets of segments, such as that of MS MARCO v2.1, which TREC RAG uses: lines of
JSON with a segment's id, and its start and end in its document.
"""

import os
import zlib
from collections.abc import Collection, Iterable, Mapping
from glob import glob
from gzip import BadGzipFile, open as gzip_open
from typing import Annotated, Any

import msgspec

from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment

Offsets = tuple[str, int, int]


# The fields in which documents have their length, and its unit.
_LENGTHS = {'duration': 't', 'length': 'char'}


def lengths_and_unit(dataset: Any) -> tuple[dict[str, float], str] | None:
    """Document → its length, and the unit of the lengths; None where the documents tell none.

    Args:
        dataset: of ir_datasets, or one of PyTerrier that is made of such a one

    Raises:
        OSError: the documents are not here and cannot be downloaded
    """
    dataset = dataset.irds_ref() if hasattr(dataset, 'irds_ref') else dataset
    fields = dataset.docs_cls()._fields if dataset.has_docs() else ()
    field = next((field for field in _LENGTHS if field in fields), None)
    if field is None:
        return None
    return {row.doc_id: getattr(row, field) for row in dataset.docs_iter()}, _LENGTHS[field]


def document_extents(dataset: Any) -> dict[str, Segment]:
    """Document → the whole of it, as a segment, for a dataset as :func:`lengths_and_unit` takes it.

    Raises:
        ValueError: the documents do not tell their length
        OSError: the documents are not here and cannot be downloaded
    """
    found = lengths_and_unit(dataset)
    if found is None:
        raise ValueError('the documents of the dataset do not tell their length, as duration or length: give a table')
    lengths, unit = found
    return {document: Segment(document, 0, length, unit) for document, length in lengths.items()}


def offsets_of(needed: Collection[str], corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
               fields: Mapping[str, str | None]) -> dict[str, Offsets]:
    """The offsets of segments in their documents: id → (document, start, end), without ids that the corpus lacks. The
    files are read once, from front to back, and only until all are found.

    Args:
        needed: the ids
        corpus: a pattern such as ``'segments/*.json.gz'``, or files; each has lines of JSON, ``.gz`` by suffix
        fields: ``id``, ``start``, ``end`` and maybe ``doc`` → the names of these fields in a line

    Raises:
        ValueError: a line that is not of this form, or an id that stands twice with other offsets
        FileNotFoundError: a pattern that no file has
    """
    names = {field: name for field, name in fields.items() if name is not None}
    place = Annotated[int, msgspec.Meta(ge=0)]
    types = {'id': str | int, 'start': place, 'end': place, 'doc': str | int}
    decode = msgspec.json.Decoder(msgspec.defstruct('Line', [(field, types[field]) for field in names],
                                                    rename=names)).decode
    missing, found = set(needed), dict[str, Offsets]()
    for file in _files(corpus):
        if len(found) == len(missing):
            break
        with (gzip_open if file.endswith('.gz') else open)(file, 'rb') as opened:
            try:
                for number, line in enumerate(opened, 1):
                    try:
                        row: Any = None if line.isspace() else decode(line)
                        if row and (id := str(row.id)) in missing:
                            offsets = _document(row, id), row.start, row.end
                            if found.setdefault(id, offsets) != offsets:
                                raise ValueError(f'segment {quoted(id)} stands twice, with the offsets {found[id]} and '
                                                 f'{offsets}: correct the corpus')
                    except (RecursionError, ValueError) as error:
                        repair = ': give lines of JSON, one for each segment, and name the fields with id=…, start=…, '\
                            'end=… and doc=…' if isinstance(error, msgspec.MsgspecError | RecursionError) else ''
                        raise ValueError(f'{file}, line {number}: {error}{repair}') from None
            except (BadGzipFile, EOFError, zlib.error) as error:
                raise ValueError(f'{file}: it is not a whole gzip file ({error}): get it once more') from None
    return found


def _document(row: Any, id: str) -> str:
    """The document of a segment. Raises a ValueError with a sentence."""
    if row.end < row.start:
        raise ValueError(f'segment {quoted(id)} goes from {row.start} to {row.end}, but offsets rise: correct the line')
    document, mark, _ = id.partition('#')
    if hasattr(row, 'doc'):
        return str(row.doc)
    if not mark:
        raise ValueError(f"the id {quoted(id)} has no '#' behind its document: name the document's field with doc=…")
    return document


def _files(corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    if not isinstance(corpus, str | os.PathLike):
        return [os.fspath(file) for file in corpus]
    name = os.fspath(corpus)
    files = [name] if os.path.isfile(name) else sorted(filter(os.path.isfile, glob(name, recursive=True)))
    if not files:
        raise FileNotFoundError(f'no file is named as {quoted(name)}: give the corpus, such as segments/*.json.gz')
    return files
