"""Readers of highlighted passages in the assessments of the INEX ad hoc track (2005–07): as the files have them, and as
characters of the documents' texts.

Source: X-Rai of Benjamin Piwowarski, which wrote the files (``download_pools.php`` of September 2006): passages do not
overlap, an end is the position behind the last character, a path without offset is a whole element, and ``size`` counts
white space in a row once. It counts bytes of UTF-8, so that offsets beyond ASCII are (unsure).
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.xml import attribute
from ir_segmeasures.formats.inex.fields import number_of
from ir_segmeasures.formats.inex.open_elements import Assessments
from ir_segmeasures.formats.inex.passages import InexQrel
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


def read_passages(path: StrPath, query_id: str | None = None, collections: bool = False) -> list[InexPassage]:
    """Reads the passages of assessments from the autumn of 2005 on: ``<file name>``, in it ``<passage start end size>``
    and maybe ``<best-entry-point path>``.

    Args, Raises:
        as :func:`~ir_segmeasures.formats.inex.assessments.read_qrels`, for passages
    """
    return [passage for _, _, _, passages in _assessed_files(path, query_id, collections) for passage in passages]


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
    for home, ids, relevant, passages in _assessed_files(path, query_id, collections):
        with errors_in(home):
            if ids in judged:
                raise ValueError(f'document {quoted(ids[1])} of topic {quoted(ids[0])} is already judged in '
                                 f'{judged[ids]}, but a document is judged once: take one of the two out')
            judged[ids] = home
            if relevant and not passages:
                raise ValueError(f'{quoted(ids[1])} has elements with relevant text for topic {quoted(ids[0])}, and no '
                                 'passage that says where it is: read the elements, with read_qrels, or take a later '
                                 'version of the assessments')
            whole = table.get(ids[1])
            size = None if whole is None else int(whole.end)
            if not passages:
                rows.append(InexQrel(*ids, 0, size or 0, 0, 'Q0', size))
            elif size is None:
                raise ValueError(f'the table lacks the document {quoted(ids[1])}, in which passages are highlighted '
                                 f'for topic {quoted(ids[0])}: add it')
            else:
                rows += _placed(passages, size, table)
    return rows


def _placed(passages: list[InexPassage], size: int, table: Mapping[str, Segment]) -> Iterator[InexQrel]:
    query_id, doc_id, entry = passages[0].query_id, passages[0].doc_id, passages[0].best_entry_point
    bep = None if entry is None else _position(doc_id, *place_of(entry), table, False)
    last = 0
    for start, end in sorted((_position(doc_id, passage.start_path, passage.start_offset, table, False),
                              _position(doc_id, passage.end_path, passage.end_offset, table, True))
                             for passage in passages):
        if not last <= start < end <= size:
            raise ValueError(f'the passage from {start} to {end} of {quoted(doc_id)} for topic {quoted(query_id)} is '
                             'empty, overlaps another or ends after the document, and no passage does: check that the '
                             'documents are those of the assessments')
        yield InexQrel(query_id, doc_id, start, end, 1, 'Q0', size, bep)
        last = end


def _position(document: str, path: str, offset: int | None, table: Mapping[str, Segment], end: bool) -> int:
    id = format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]
    found = table.get(id)
    if found is None:
        raise ValueError(f'the table lacks {quoted(id)}, where a passage starts or ends or which is a best entry '
                         'point: add it, or check that the documents are those of the assessments')
    return int(found.end if end and offset is None else found.start + (offset or 0))


def _assessed_files(path: StrPath, query_id: str | None, collections: bool
                    ) -> Iterator[tuple[StrPath, tuple[str, str], bool, list[InexPassage]]]:
    """Each assessed file: where, its topic and name, whether it has elements with relevant text, and its passages."""
    assessments = Assessments(path, query_id, collections)
    for home, file in assessments.elements():
        with errors_in(home, file.line):
            if file.name == 'passage':
                assessments.ids(file)
            if file.name != 'file':
                continue
            ids = assessments.ids(file)
        entry: str | None = None
        for element in file.all('best-entry-point'):
            with errors_in(home, element.line):
                entry = attribute(element.attributes, 'path', element.name)
                place_of(entry)
        passages = []
        for element in file.all('passage'):
            with errors_in(home, element.line):
                start, end = (_end(element.attributes, key) for key in ('start', 'end'))
                size = number_of(element.attributes, 'size', 'passage')
                passages.append(InexPassage(*ids, *start, *end, size, entry))
        relevant = any(element.attributes.get('rsize', '0').strip('0') for element in file.all('element'))
        yield home, ids, relevant, passages


def _end(attributes: Mapping[str, str], key: str) -> tuple[str, int | None]:
    return place_of(attribute(attributes, key, 'passage'), f'the offset of the {key}')
