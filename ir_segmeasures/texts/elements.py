"""The elements of a folder of XML documents, looked up by their ids. Needs lxml."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from ir_segmeasures.segments.basics import truncated
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.texts.xml import read_elements

_KEPT = 256  # documents whose elements are in memory
_SUFFIX = '.xml'

Extents = dict[str | None, tuple[int, int]]  # path → start, end; of the document itself without a path


class Elements(Mapping[str, Segment]):
    """A table for :func:`~ir_segmeasures.resolve`: the id of an element, ``co/2001/r7022#xpath=/article[1]/bdy[1]``, or
    of a whole document → the segment with its characters. A document is read when something in it is first asked for.

    Args:
        folder: of the documents. ``co/2001/r7022`` is the file ``co/2001/r7022.xml`` in it, or else the only file of
            that name in any folder inside, however deep

    Offsets count the characters of a document's plain text, its text without tags
    (:mod:`ir_segmeasures.texts.xml`). Paths of text nodes, such as ``/article[1]/p[2]/text()[1]``, are known too.

    Attributes:
        folder, path: of the documents
        skipped: ids that were asked for, in documents that are there → why the table lacks them

    Raises:
        ValueError: a document is not XML that can be read; the sentence names the file
        OSError: a file cannot be opened
    """

    def __init__(self, folder: str | os.PathLike[str]):
        self.folder = self.path = Path(folder)  # tables of files have a path too
        self.skipped: dict[str, str] = {}
        self._read: dict[str, Extents | None] = {}

    def __getitem__(self, id: str) -> Segment:
        segment = None
        with suppress(ValueError):
            segment = parse_segment(id, elements=True)
        if segment is None or segment.unit is not None:
            raise KeyError(id)
        extents = self._extents(segment.document)
        if extents is None or segment.path not in extents:
            if extents is not None:
                self.skipped[id] = f'{truncated(segment.document)} has no such element'
            raise KeyError(id)
        return Segment(segment.document, *extents[segment.path], 'char', segment.path)

    def __iter__(self) -> Iterator[str]:
        for path in sorted(self.folder.rglob(f'*{_SUFFIX}')):
            document = path.relative_to(self.folder).as_posix().removesuffix(_SUFFIX)
            for xpath in self._extents(document) or ():
                yield document if xpath is None else format_segment(
                    Segment(document, 0, 0, 'char', xpath)).rpartition('&')[0]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({str(self.folder)!r})'

    def __eq__(self, other: object) -> bool:
        # By the folder: to compare all elements, every document would be read.
        return self.folder == other.folder if isinstance(other, Elements) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.folder)

    def _extents(self, document: str) -> Extents | None:
        if document not in self._read:
            path = self._path(document)
            if len(self._read) >= _KEPT:
                self._read.clear()
            self._read[document] = None if path is None else _extents_of(path)
        return self._read[document]

    def _path(self, document: str) -> Path | None:
        path = self.folder / f'{document}{_SUFFIX}'
        with suppress(OSError, ValueError):  # a name that no file can have
            if path.is_file() and path.resolve().is_relative_to(self.folder.resolve()):
                return path
        return self._by_name.get(f'{document}{_SUFFIX}')

    @cached_property
    def _by_name(self) -> dict[str, Path | None]:
        found: dict[str, Path | None] = {}
        for path in self.folder.rglob(f'*{_SUFFIX}'):
            found[path.name] = None if path.name in found else path
        return found


def _extents_of(path: Path) -> Extents:
    try:
        text, elements = read_elements(path.read_bytes(), texts=True)
    except ValueError as error:
        raise ValueError(f'{path}: {error}') from None
    return {None: (0, len(text)), **{element.path: (element.start, element.end) for element in elements}}
