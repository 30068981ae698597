"""Readers of the assessments of the INEX ad hoc track in XML (2002–07): elements, and highlighted passages.

The attributes of elements changed their names by year. Elements keep the paths that the files have, in ids such as
``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``, to which :func:`~ir_segmeasures.resolve` adds offsets.

Source: no file of these years is at hand. What they hold is what the program that wrote them writes, X-Rai of Benjamin
Piwowarski (``download_pools.php``, its versions of 2004, of October 2005 and of September 2006, with their DTDs); for
2002 and 2003, what a program that reads them takes (``INEXieee_assessments_to_ANT.c`` of ATIRE). Passages do not
overlap, an end is the position behind the last character, and a path without offset is a whole element. X-Rai counts
bytes of UTF-8, so that offsets beyond ASCII are (unsure).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from ir_segmeasures.formats.files.fields import finite_number, id_of
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in, files_of
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.files.xml import XmlElement, read_xml
from ir_segmeasures.formats.inex.passages import InexQrel
from ir_segmeasures.formats.inex.topics import XML_RUN, element_id, number_of, path_id, place_of
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment

# Of 2002: too large, too small, exact. With relevance as exhaustivity the quantisations 'strict' and 'gen' are then the
# strict and the generalised ones of Gövert & Kazai 2002 (not checked against it), whatever L and S are between 0 and 3.
COVERAGE: Mapping[str, Number] = {'N': 0, 'L': 1, 'S': 2, 'E': 3}

_GRADES = {str(grade): grade for grade in range(4)}
_TOO_SMALL, _NOT_ASSESSED = '?', 'U'
_ASSESSED = ('exhaustivity', 'exhaustiveness', 'relevance', 'specificity', 'rsize')
_TOPIC = ('topic', 'topic-id', 'topic_id', 'query', 'query-id', 'query_id')
_NO_TOPIC = {'pool', 'version', 'whitespace-text-node'}  # what else the root has

Ids = tuple[str, str]  # topic and document
Row = TypeVar('Row', bound=tuple[Any, ...])


class InexElement(NamedTuple):
    """An assessed element.

    Attributes:
        query_id: the topic
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``
        relevance: the exhaustivity, if the specificity is above 0, else 0; of an element without exhaustivity 1, if it
            holds relevant text; in 2002 the file's own
        iteration: always ``'0'``; the files have no such column
        exhaustivity: from 0 to 3, from 2005 on to 2, and 2 wherever text is highlighted from 2006 on; None if the file
            does not tell
        specificity: from 0 to 3 (2002 to 2004), or the share of the element's text that is relevant, from 0 to 1 (from
            the autumn of 2005 on), 0 for an element without text; None if the file does not tell
        size, relevant_size: of the element and of the relevant text in it, in characters; None before 2005
        too_small: whether the exhaustivity is ``?``, an element too small to judge. It counts as 0 here, which no
            source at hand settles.
        coverage: of 2002, as in the file; else None
    """

    query_id: str
    doc_id: str
    relevance: Number
    iteration: str = '0'
    exhaustivity: Number | None = None
    specificity: Number | None = None
    size: int | None = None
    relevant_size: int | None = None
    too_small: bool = False
    coverage: str | None = None


class ElementQrel(NamedTuple):
    """A judged element of a dataset."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    exhaustivity: float
    specificity: float


def read_qrels(path: StrPath, collections: bool = False) -> list[InexElement]:
    """Reads assessments of elements, in file order.

    Every element with an attribute ``path`` is an assessed one, except best entry points. It has

    - ``relevance`` and ``coverage`` (2002), which are the exhaustivity and the specificity (:data:`COVERAGE`),
    - ``exhaustiveness`` or ``exhaustivity`` and ``specificity``, grades from 0 to 3 (2003 and 2004); a ``<path>`` with
      ``U``, or without both, was not assessed, and left out,
    - ``exhaustivity``, which may be ``?``, and a ``specificity`` from 0 to 1, in ``<element>`` (the first files of
      2005), or
    - ``size``, ``rsize`` and mostly ``exhaustivity`` (from the autumn of 2005 on).

    The document is the ``name`` or ``file`` of the ``<file>`` around it, or its own ``file``; the topic is the
    ``topic``, ``topic-id`` or ``query`` of an element around it, or the only attribute of ``<assessments>`` (2002 and
    2003). Passages are left to :func:`read_highlighted`.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz``, in folders inside too,
            are read by name
        collections: whether the document is named with its collection, ``ieee/co/2001/r7022``. Without that, a topic
            may have a file's name in one collection only, and other topics in others

    Raises:
        FormatError: the XML is malformed, declares entities or holds no assessments; an assessed element lacks an
            attribute, or one cannot be read; an element is assessed twice; a document or topic is not told; a file of
            one name is in two collections
        OSError: a file cannot be opened
    """
    homes: dict[Ids, str] = {}

    def assessed(element: XmlElement) -> list[InexElement]:
        if element.name in ('file', 'best-entry-point') or _is_open(element):
            return []
        if 'path' in element.attributes:
            topic, document = _ids(element, homes, collections)
            return [_assessed(element, InexElement(topic, element_id(document, element.attributes['path'].strip()), 0))]
        if element.name != 'passage' and any(key in element.attributes for key in _ASSESSED):
            raise ValueError(f"<{element.name}> is assessed and has no attribute 'path': add it")
        return []
    return _read(path, assessed)


def read_highlighted(path: StrPath, table: Mapping[str, Segment], collections: bool = False) -> list[InexQrel]:
    """Reads the passages of assessments from the autumn of 2005 on, ``<file name>`` and in it ``<passage start end>``
    and maybe ``<best-entry-point path>``, as judgements of the documents' texts, as INEX has them from 2008 on: a row
    for every passage, and one of relevance 0 for every file without.

    Args:
        path, collections: as for :func:`read_qrels`
        table: id → its characters, of documents, elements and text nodes, such as
            :class:`ir_segmeasures.texts.elements.Elements`. A document that is not relevant, and not in the table, has
            no size, and is empty

    Raises:
        FormatError: as for :func:`read_qrels`; the table lacks something, a
            passage is empty, overlaps another or ends after its document
        OSError: a file cannot be opened
        ValueError: the table's own
    """
    homes: dict[Ids, str] = {}

    def judged(element: XmlElement) -> list[InexQrel]:
        ids = _ids(element, homes, collections) if element.name in ('file', 'passage') else ('', '')
        return _judgements(element, *ids, table) if element.name == 'file' else []
    return _read(path, judged)


def _read(path: StrPath, rows_of: Callable[[XmlElement], list[Row]]) -> list[Row]:
    """The rows of all elements of the files in their order. Raises ``FormatError`` for a file without assessments, and
    for an element or a document that is assessed twice."""
    rows: list[Row] = []
    known: dict[Ids, StrPath] = {}
    for file in files_of(path, ('.xml',), deep=True):
        root = read_xml(file)
        elements = list(root.iter())
        if root.name == XML_RUN or not any(element.name == 'file' or (
                'path' in element.attributes and element.name != 'best-entry-point') for element in elements):
            raise FormatError(f'<{root.name}> has no assessments, a <file> or elements with a path: {WRONG_KIND}', file)
        for element in elements:
            with errors_in(file, element.line):
                found = rows_of(element)
                for topic, id in {row[:2] for row in found}:
                    if (topic, id) in known:
                        raise ValueError(f'{quoted(id)} is already assessed for topic {quoted(topic)} in '
                                         f'{known[topic, id]}: take one of the two out')
                    known[topic, id] = file
                rows += found
    return rows


def _ids(element: XmlElement, homes: dict[Ids, str], collections: bool) -> Ids:
    """The topic and the document of an element. Raises ``ValueError`` if one is not told, or where ``homes``, the
    collections of files, tell that a file of one name is of two."""
    around = [element, *element.around]
    topic = next((topic for one in around if (topic := _topic(one)) is not None), None)
    home = next((one.attributes for one in around if one.name == 'file' or 'file' in one.attributes), {})
    file = home.get('name', home.get('file'))
    if topic is None or file is None:
        lack = "element with the attribute 'topic' or 'topic-id'" if topic is None else (
            "<file> with the attribute 'name' or 'file'")
        raise ValueError(f'<{element.name}> is in no {lack}, but it is assessed for a topic in a document: add it')
    ids = id_of(topic.strip(), 'the topic'), id_of(file.strip(), 'the file')
    collection = home.get('collection', '').strip()
    if collections and collection:
        return ids[0], f'{collection}/{ids[1]}'
    if homes.setdefault(ids, collection) != collection:
        raise ValueError(f'file {quoted(ids[1])} is of the collection {quoted(collection)}, but before of '
                         f'{quoted(homes[ids])}: in Python, read judgements and run with collections=True')
    return ids


def _topic(element: XmlElement) -> str | None:
    attributes = element.attributes
    others = [value for key, value in attributes.items() if key not in _NO_TOPIC and ':' not in key]
    # In 2002 and 2003 the root has the topic in an attribute of another name, its only one.
    return next((attributes[key] for key in _TOPIC if key in attributes),
                others[0] if element.name == 'assessments' and len(others) == 1 else None)


def _is_open(element: XmlElement) -> bool:
    """Tells whether an element was in the pool and nobody has assessed it."""
    judged = {key: text.strip() for key, text in element.attributes.items() if key in _ASSESSED or key == 'coverage'}
    return element.name == 'path' and 'path' in element.attributes and all(
        text == _NOT_ASSESSED and key not in ('rsize', 'coverage') for key, text in judged.items())


def _assessed(element: XmlElement, row: InexElement) -> InexElement:
    attributes = element.attributes
    if 'relevance' in attributes:
        relevance, coverage = _grade(element, 'relevance'), element.attribute('coverage')
        if coverage not in COVERAGE:
            raise ValueError(f'coverage {quoted(coverage)} is none of {", ".join(map(repr, COVERAGE))}: correct it')
        return row._replace(relevance=relevance, coverage=coverage, exhaustivity=relevance,
                            specificity=COVERAGE[coverage])
    exhaustive = [key for key in ('exhaustivity', 'exhaustiveness') if key in attributes]
    if len(exhaustive) > 1 or not {*exhaustive, 'size', 'rsize'} & set(attributes):
        raise ValueError(f'<{element.name}> has the attributes {", ".join(attributes)}, not relevance and coverage, '
                         'exhaustiveness or exhaustivity and specificity, or size and rsize: correct them')
    too_small = bool(exhaustive) and attributes[exhaustive[0]].strip() == _TOO_SMALL
    exhaustivity = 0 if too_small else _grade(element, exhaustive[0]) if exhaustive else None
    row = row._replace(exhaustivity=exhaustivity, too_small=too_small)
    if 'specificity' in attributes and exhaustivity is not None:
        specificity = _grade(element, 'specificity', is_share=element.name == 'element')
        return row._replace(relevance=exhaustivity if specificity else 0, specificity=specificity)
    size, relevant = (number_of(element, key) for key in ('size', 'rsize'))
    if relevant > size:
        raise ValueError(f'rsize is {relevant}, but size, of which it is a part, is {size}: correct one of the two')
    worth = 1 if exhaustivity is None else exhaustivity
    return row._replace(relevance=worth if relevant else 0, specificity=relevant / size if size else 0.0, size=size,
                        relevant_size=relevant)


def _grade(element: XmlElement, key: str, is_share: bool = False) -> Number:
    """A grade, or the share of the text of an element that is relevant."""
    text = element.attribute(key)
    number = finite_number(text) if is_share else _GRADES.get(text)
    if number is None or not 0 <= number <= (1 if is_share else 3):
        form = 'a number from 0 to 1, the share of its text' if is_share else 'one of the grades 0, 1, 2 and 3'
        raise ValueError(f'{key} {quoted(text)} of <{element.name}> is not {form}: correct it')
    return number


def _judgements(file: XmlElement, query_id: str, doc_id: str, table: Mapping[str, Segment]) -> list[InexQrel]:
    whole, passages = table.get(doc_id), list(file.all('passage'))
    size = None if whole is None else int(whole.end)
    if not passages:
        if any(element.attributes.get('rsize', '0').strip('0') for element in file.all('element')):
            raise ValueError(f'{quoted(doc_id)} has elements with relevant text for topic {quoted(query_id)}, and no '
                             'passage: read the elements, with read_qrels, or take a later version of the assessments')
        return [InexQrel(query_id, doc_id, 0, size or 0, 0, 'Q0', size)]
    if size is None:
        raise ValueError(f'the table lacks the document {quoted(doc_id)}, in which passages are highlighted: add it')
    entries = [_position(doc_id, element, 'path', table) for element in file.all('best-entry-point')]
    rows, last = [], 0
    for start, end in sorted((_position(doc_id, passage, 'start', table), _position(doc_id, passage, 'end', table))
                             for passage in passages):
        if not last <= start < end <= size:
            raise ValueError(f'the passage from {start} to {end} of {quoted(doc_id)} is empty, overlaps another or '
                             'ends after the document: check that the documents are those of the assessments')
        rows.append(InexQrel(query_id, doc_id, start, end, 1, 'Q0', size, entries[-1] if entries else None))
        last = end
    return rows


def _position(document: str, element: XmlElement, key: str, table: Mapping[str, Segment]) -> int:
    """The character of the document that an attribute names."""
    path, offset = place_of(element.attribute(key), f'the offset of the {key}')
    id = path_id(document, path)
    found = table.get(id)
    if found is None:
        raise ValueError(f'the table lacks {quoted(id)}, where a passage starts or ends or which is a best entry '
                         'point: add it, or check that the documents are those of the assessments')
    return int(found.end if key == 'end' and offset is None else found.start + (offset or 0))
