"""Readers of highlighted passages in the assessments of the INEX ad hoc track (2005–07): as the files have them, and as
characters of the documents' texts.

Source: X-Rai of Benjamin Piwowarski, which wrote the files (``download_pools.php`` of September 2006): passages do not
overlap, an end is the position behind the last character, a path without offset is a whole element, and ``size`` counts
white space in a row once. It counts bytes of UTF-8, so that offsets beyond ASCII are (unsure).
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ir_segmeasures.formats.files.folders import files_of
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.xml import XmlElement, attribute
from ir_segmeasures.formats.inex.fields import number_of
from ir_segmeasures.formats.inex.judgements import InexQrel
from ir_segmeasures.formats.inex.open_elements import Homes, placed_elements
from ir_segmeasures.formats.inex.paths import place_of
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['InexPassage', 'read_highlighted', 'read_passages']


class InexPassage(NamedTuple):
    """A highlighted passage, from the autumn of 2005 on. Its ends are positions in text nodes of the XML, half-open:
    offsets in the document's text need the document, see :func:`read_highlighted`.

    Attributes:
        query_id: the topic
        doc_id: the file
        start_path, end_path: paths, mostly of text nodes, such as ``/article[1]/bdy[1]/p[2]/text()[1]``
        start_offset, end_offset: characters from the beginning of these; None where the passage starts or ends with an
            element as a whole, whose path this is
        size: of the passage, in characters, where white space in a row counts as one
        best_entry_point: path of the file's best entry point, as it is in the file; None if it has none
    """

    query_id: str
    doc_id: str
    start_path: str
    start_offset: int | None
    end_path: str
    end_offset: int | None
    size: int
    best_entry_point: str | None


class _AssessedFile(NamedTuple):
    """An assessed file: where, its best entry point, its passages, and whether it has elements with relevant text."""
    query_id: str
    doc_id: str
    best_entry_point: str | None
    passages: list[InexPassage]
    relevant: bool


def read_passages(path: StrPath, query_id: str | None = None, collections: bool = False) -> list[InexPassage]:
    """Reads the passages of assessments from the autumn of 2005 on: ``<file name>``, in it ``<passage start end size>``
    and maybe ``<best-entry-point path>``.

    Args, Raises:
        as :func:`~ir_segmeasures.formats.inex.assessments.read_qrels`, for passages
    """
    return [passage._replace(best_entry_point=file.best_entry_point)
            for _, files in _read(path, query_id, collections) for file in files for passage in file.passages]


def read_highlighted(path: StrPath, table: Mapping[str, Segment], query_id: str | None = None,
                     collections: bool = False) -> list[InexQrel]:
    """Reads the same as judgements of the documents' texts, as INEX has them from 2008 on: a row for every passage, and
    one of relevance 0 for every file without.

    Args:
        path, query_id, collections: as for :func:`read_passages`
        table: id → its characters, of documents, elements and text nodes, such as
            :class:`ir_segmeasures.texts.elements.Elements`. A document that is not relevant, and not in the table, has
            no size, and is empty

    Raises:
        FormatError: as for :func:`read_passages`; the table lacks something, a passage is empty, overlaps another or
            ends after its document
        OSError: a file cannot be opened
        ValueError: the table's own
    """
    rows: list[InexQrel] = []
    judged: dict[tuple[str, str], StrPath] = {}
    for home, files in _read(path, query_id, collections):
        for file in files:
            if judged.setdefault(file[:2], home) != home:
                raise FormatError(f'document {quoted(file.doc_id)} of topic {quoted(file.query_id)} is already judged '
                                  f'in {judged[file[:2]]}, but a document is judged once: take one of the two '
                                  'out', home)
            with errors_in(home):
                rows += _placed(file, table)
    return rows


def _placed(file: _AssessedFile, table: Mapping[str, Segment]) -> list[InexQrel]:
    whole = table.get(file.doc_id)
    size = None if whole is None else int(whole.end)
    if file.relevant and not file.passages:
        raise ValueError(f'{quoted(file.doc_id)} has elements with relevant text for topic {quoted(file.query_id)}, '
                         'and no passage that says where it is: read the elements, with read_qrels, or take a later '
                         'version of the assessments')
    if not file.passages:
        return [InexQrel(file.query_id, file.doc_id, 0, size or 0, 0, 'Q0', size)]
    if size is None:
        raise ValueError(f'the table lacks the document {quoted(file.doc_id)}, in which passages are highlighted for '
                         f'topic {quoted(file.query_id)}: add it')
    entry = file.best_entry_point
    bep = None if entry is None else _position(file.doc_id, *place_of(entry), table, False)
    rows, last = [], 0
    for start, end in sorted((_position(file.doc_id, passage.start_path, passage.start_offset, table, False),
                              _position(file.doc_id, passage.end_path, passage.end_offset, table, True))
                             for passage in file.passages):
        if not last <= start < end <= size:
            raise ValueError(f'the passage from {start} to {end} of {quoted(file.doc_id)} for topic '
                             f'{quoted(file.query_id)} is empty, overlaps another or ends after the document, and no '
                             'passage does: check that the documents are those of the assessments')
        rows.append(InexQrel(file.query_id, file.doc_id, start, end, 1, 'Q0', size, bep))
        last = end
    return rows


def _position(document: str, path: str, offset: int | None, table: Mapping[str, Segment], end: bool) -> int:
    id = format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]
    found = table.get(id)
    if found is None:
        raise ValueError(f'the table lacks {quoted(id)}, where a passage starts or ends or which is a best entry '
                         'point: add it, or check that the documents are those of the assessments')
    return int(found.end if end and offset is None else found.start + (offset or 0))


def _read(path: StrPath, query_id: str | None, collections: bool) -> Iterator[tuple[StrPath, list[_AssessedFile]]]:
    """The assessed files of each file of assessments."""
    homes: Homes = {}
    for home in files_of(path, ('.xml',), deep=True):
        files = []
        for place in placed_elements(home, query_id, homes, collections):
            with errors_in(home, place.element.line):
                if place.element.name == 'passage':
                    place.ids()
                if place.element.name == 'file':
                    files.append(_assessed_file(home, *place.ids(), place.element))
        yield home, files


def _assessed_file(home: StrPath, query_id: str, doc_id: str, file: XmlElement) -> _AssessedFile:
    passages = []
    entry: str | None = None
    for element in file.all('passage', 'best-entry-point'):
        with errors_in(home, element.line):
            if element.name == 'best-entry-point':
                entry = attribute(element.attributes, 'path', element.name)
                place_of(entry)
                continue
            start, end = (_end(element.attributes, key) for key in ('start', 'end'))
            size = number_of(element.attributes, 'size', 'passage')
            passages.append(InexPassage(query_id, doc_id, *start, *end, size, None))
    relevant = any(element.attributes.get('rsize', '0').strip('0') for element in file.all('element'))
    return _AssessedFile(query_id, doc_id, entry, passages, relevant)


def _end(attributes: Mapping[str, str], key: str) -> tuple[str, int | None]:
    text = attribute(attributes, key, 'passage')
    if not text.startswith('/'):
        raise ValueError(f'{key} {quoted(text)} is not a path and an offset, but passages start and end in text nodes, '
                         'such as /article[1]/bdy[1]/p[2]/text()[1].15: correct it')
    return place_of(text, f'the offset of the {key}')
