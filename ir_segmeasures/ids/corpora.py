"""Segmented corpora, which have the offsets of segments, such as that of MS MARCO v2.1, which TREC RAG uses: lines of
JSON with a segment's id, and its start and end in its document.
"""

import json
import os
import re
import zlib
from collections.abc import Collection, Iterable, Mapping
from glob import glob
from gzip import BadGzipFile
from gzip import open as gzip_open
from typing import Any

from ir_segmeasures.segments.json_objects import TwiceError, loads
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.segment import Segment

__all__ = ['CorpusFields', 'document_extents', 'lengths_and_unit', 'offsets_of']

Offsets = tuple[str, int, int]
_LONGEST = 1 << 26  # bytes of a line


# The fields in which documents tell their length, and its unit.
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
        raise ValueError('the documents of the dataset do not tell their length, as duration or length: give a table '
                         'of the lengths')
    lengths, unit = found
    return {document: Segment(document, 0, length, unit) for document, length in lengths.items()}


class CorpusFields:
    """The names of a corpus' fields: of a segment's id, its start and end, and maybe of its document's id."""

    def __init__(self, id: str = 'docid', start: str = 'start_char', end: str = 'end_char', doc: str | None = None):
        self.id, self.start, self.end, self.doc = id, start, end, doc
        # Most lines are of no segment that is needed, and to read all of their JSON would take most of the time.
        self._key = re.compile(rf'{re.escape(json.dumps(id))}\s*:\s*"([^"\\]*)"'.encode())

    def quick_id(self, line: bytes) -> str | None:
        """The id of a line, without its JSON being read; None where that cannot be done."""
        match = self._key.search(line)
        return match[1].decode(errors='replace') if match else None

    def read(self, line: bytes) -> tuple[str, Offsets]:
        """The id and the offsets of a line. Raises ValueError with a sentence."""
        try:
            row = loads(line)
        except TwiceError as error:
            raise ValueError(str(error)) from None
        except ValueError as error:
            raise ValueError(f'it is no JSON ({error}): give lines of JSON, one for each segment') from None
        names = [name for name in (self.id, self.start, self.end, self.doc) if name is not None]
        lacking = [name for name in names if name not in row] if isinstance(row, Mapping) else names
        if lacking:
            there = joined(row) if isinstance(row, Mapping) else type(row).__name__
            raise ValueError(f'it has {there}, but not {" and ".join(lacking)}: name the fields with id=…, start=…, '
                             'end=… and doc=…')
        id, start, end = str(row[self.id]), row[self.start], row[self.end]
        whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (start, end))
        if not whole or not 0 <= start <= end:
            raise ValueError(f'segment {quoted(id)} goes from {quoted(start)} to {quoted(end)}, but offsets are whole '
                             'numbers from 0, in order: correct the line')
        document, mark, _ = id.partition('#') if self.doc is None else (str(row[self.doc]), '#', '')
        if not mark:
            raise ValueError(f"the id {quoted(id)} has no '#' behind its document: name the field with the document's "
                             'id with doc=…')
        return id, (document, start, end)


def offsets_of(needed: Collection[str], corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
               fields: CorpusFields) -> dict[str, Offsets]:
    """The offsets of segments in their documents: id → (document, start, end), without ids that the corpus lacks. The
    files are read once, from front to back, and only until all are found.

    Args:
        needed: the ids
        corpus: a pattern such as ``'segments/*.json.gz'``, or files; each has lines of JSON, ``.gz`` by suffix
        fields: the names of the fields of a line

    Raises:
        ValueError: a line that is needed and is not of this form, or an id that stands twice with other offsets
        FileNotFoundError: a pattern that no file has
    """
    missing, found = set(needed), dict[str, Offsets]()
    for file in _files(corpus):
        if len(found) == len(missing):
            break
        with (gzip_open if file.endswith('.gz') else open)(file, 'rb') as opened:
            try:
                for number, line in enumerate(iter(lambda: opened.readline(_LONGEST), b''), 1):
                    if len(line) == _LONGEST:
                        raise ValueError(f'{file}, line {number}: it has {_LONGEST >> 20} MiB or more, as no segment '
                                         'has: give the files of the segmented corpus, with a line for each segment')
                    quick = fields.quick_id(line)
                    if (quick is not None and quick not in missing) or line.isspace():
                        continue
                    try:
                        id, offsets = fields.read(line)
                    except ValueError as error:
                        raise ValueError(f'{file}, line {number}: {error}') from None
                    if id in missing and found.setdefault(id, offsets) != offsets:
                        raise ValueError(f'{file}, line {number}: segment {quoted(id)} stands twice, with the offsets '
                                         f'{found[id]} and {offsets}: correct the corpus')
            except (BadGzipFile, EOFError, zlib.error) as error:
                raise ValueError(f'{file}: it is no whole gzip file ({error}): get it once more') from None
    return found


def _files(corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    if not isinstance(corpus, str | os.PathLike):
        return [os.fspath(file) for file in corpus]
    name = os.fspath(corpus)
    files = [name] if os.path.isfile(name) else sorted(filter(os.path.isfile, glob(name, recursive=True)))
    if not files:
        raise FileNotFoundError(f'no file is named as {quoted(name)}: give the files of the segmented corpus, such as '
                                'segments/*.json.gz')
    return files
