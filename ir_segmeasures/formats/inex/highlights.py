"""Reader of highlighted passages in the assessments of the INEX ad hoc track (2005–07), as characters of the documents'
texts.

Source: X-Rai of Benjamin Piwowarski, which wrote the files (``download_pools.php`` of September 2006): passages do not
overlap, an end is the position behind the last character, and a path without offset is a whole element. It counts bytes
of UTF-8, so that offsets beyond ASCII are (unsure).
"""

from collections.abc import Mapping

from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.xml import XmlElement, attribute
from ir_segmeasures.formats.inex.open_elements import Assessments
from ir_segmeasures.formats.inex.passages import InexQrel
from ir_segmeasures.formats.inex.paths import place_of
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['read_highlighted']


def read_highlighted(path: StrPath, table: Mapping[str, Segment], query_id: str | None = None,
                     collections: bool = False) -> list[InexQrel]:
    """Reads the passages of assessments from the autumn of 2005 on, ``<file name>`` and in it ``<passage start end>``
    and maybe ``<best-entry-point path>``, as judgements of the documents' texts, as INEX has them from 2008 on: a row
    for every passage, and one of relevance 0 for every file without.

    Args:
        path, query_id, collections: as for :func:`~ir_segmeasures.formats.inex.assessments.read_qrels`
        table: id → its characters, of documents, elements and text nodes, such as
            :class:`ir_segmeasures.texts.elements.Elements`. A document that is not relevant, and not in the table, has
            no size, and is empty

    Raises:
        FormatError: as for :func:`~ir_segmeasures.formats.inex.assessments.read_qrels`; the table lacks something, a
            passage is empty, overlaps another or ends after its document
        OSError: a file cannot be opened
        ValueError: the table's own
    """
    rows: list[InexQrel] = []
    judged: dict[tuple[str, str], StrPath] = {}
    assessments = Assessments(path, query_id, collections)
    for home, element in assessments.elements():
        with errors_in(home, element.line):
            if element.name in ('file', 'passage'):
                ids = assessments.ids(element)
            if element.name == 'file':
                if ids in judged:
                    raise ValueError(f'document {quoted(ids[1])} of topic {quoted(ids[0])} is already judged in '
                                     f'{judged[ids]}, but a document is judged once: take one of the two out')
                judged[ids] = home
                rows += _judgements(element, *ids, table)
    return rows


def _judgements(file: XmlElement, query_id: str, doc_id: str, table: Mapping[str, Segment]) -> list[InexQrel]:
    whole, passages = table.get(doc_id), list(file.all('passage'))
    size = None if whole is None else int(whole.end)
    if not passages:
        if any(element.attributes.get('rsize', '0').strip('0') for element in file.all('element')):
            raise ValueError(f'{quoted(doc_id)} has elements with relevant text for topic {quoted(query_id)}, and no '
                             'passage that says where it is: read the elements, with read_qrels, or take a later '
                             'version of the assessments')
        return [InexQrel(query_id, doc_id, 0, size or 0, 0, 'Q0', size)]
    if size is None:
        raise ValueError(f'the table lacks the document {quoted(doc_id)}, in which passages are highlighted for topic '
                         f'{quoted(query_id)}: add it')
    entries = [_position(doc_id, element, 'path', table) for element in file.all('best-entry-point')]
    rows, last = [], 0
    for start, end in sorted((_position(doc_id, passage, 'start', table), _position(doc_id, passage, 'end', table))
                             for passage in passages):
        if not last <= start < end <= size:
            raise ValueError(f'the passage from {start} to {end} of {quoted(doc_id)} for topic {quoted(query_id)} is '
                             'empty, overlaps another or ends after the document, and no passage does: check that the '
                             'documents are those of the assessments')
        rows.append(InexQrel(query_id, doc_id, start, end, 1, 'Q0', size, entries[-1] if entries else None))
        last = end
    return rows


def _position(document: str, element: XmlElement, key: str, table: Mapping[str, Segment]) -> int:
    """The character of the document that an attribute names."""
    path, offset = place_of(attribute(element.attributes, key, element.name), f'the offset of the {key}')
    id = format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]
    found = table.get(id)
    if found is None:
        raise ValueError(f'the table lacks {quoted(id)}, where a passage starts or ends or which is a best entry '
                         'point: add it, or check that the documents are those of the assessments')
    return int(found.end if key == 'end' and offset is None else found.start + (offset or 0))
