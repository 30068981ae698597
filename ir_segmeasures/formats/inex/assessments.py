"""Readers of the assessments of the INEX ad hoc track in XML (2002–07): elements, and highlighted passages.

The attributes of elements changed their names by year. Elements keep the paths that the files have, in ids such as
``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``, to which :func:`~ir_segmeasures.resolve` adds offsets.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ir_segmeasures.formats.files.reading import FormatError, Number, StrPath, files_of
from ir_segmeasures.formats.files.xml import attribute, walk
from ir_segmeasures.formats.inex.fields import XML_RUN, id_of, number_of, whole_number
from ir_segmeasures.formats.inex.paths import checked_path, element_id
from ir_segmeasures.segments.shown import shown

__all__ = ['ElementQrel', 'InexElement', 'InexPassage', 'read_passages', 'read_qrels']

_GRADES = {str(grade): grade for grade in range(4)}
_TOO_SMALL = '?'


class InexElement(NamedTuple):
    """An assessed element.

    Attributes:
        query_id: the topic
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``
        relevance: the exhaustivity, if the specificity is above 0, else 0; of an element without exhaustivity 1, if it
            holds relevant text; in 2002 the file's own
        iteration: always ``'0'``; the files have no such column
        exhaustivity: from 0 to 3, in 2005 to 2; None if the file does not tell
        specificity: from 0 to 3 (2003 and 2004), or the share of the element's text that is relevant, from 0 to 1 (from
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


class InexPassage(NamedTuple):
    """A highlighted passage, from the autumn of 2005 on. Its ends are positions in text nodes of the XML, and no source
    at hand tells whether the last is part of it: offsets in the document's text need the document.

    Attributes:
        query_id: the topic
        doc_id: the file
        start_path, end_path: paths, mostly of text nodes, such as ``/article[1]/bdy[1]/p[2]/text()[1]``
        start_offset, end_offset: characters from the beginning of these
        size: of the passage, in characters
        best_entry_point: path of the file's best entry point, as it is in the file; None if it has none
    """

    query_id: str
    doc_id: str
    start_path: str
    start_offset: int
    end_path: str
    end_offset: int
    size: int
    best_entry_point: str | None


def read_qrels(path: StrPath, query_id: str | None = None,
               coverage: Mapping[str, Number] | None = None) -> list[InexElement]:
    """Reads assessments of elements, in file order.

    Every element with an attribute ``path`` is an assessed one, except best entry points. It has ``relevance`` and
    ``coverage`` (2002); ``exhaustiveness`` or ``exhaustivity`` and ``specificity``, grades from 0 to 3 (2003 and 2004);
    or ``size``, ``rsize`` and mostly ``exhaustivity``, which may be ``?`` (from the autumn of 2005 on). The document is
    the ``name`` or ``file`` of the ``<file>`` around it, or its own ``file``; the topic is the ``topic`` or
    ``topic-id`` of an element around it. Passages are left to :func:`read_passages`. The ``collection`` of a file is
    not part of the document, since runs do not name it, so that a file's name may be there with one collection only.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz`` are read by name
        query_id: the topic of a file that does not tell
        coverage: of 2002: coverage → specificity; with it the relevance is the exhaustivity. No mapping is official, so
            without it both are None.

    Raises:
        FormatError: the XML is malformed, declares entities or holds no assessments; an assessed element lacks an
            attribute, or one cannot be read; an element is assessed twice; a document or topic is not told; a file of
            one name is in two collections
        OSError: a file cannot be opened
    """
    rows: list[InexElement] = []
    homes: dict[tuple[str, str], StrPath] = {}
    collections: dict[str, tuple[str, StrPath]] = {}
    for file in files_of(path, ('.xml',)):
        rows += _read_assessed(_Place(file, query_id, collections), coverage, homes)
    return rows


def read_passages(path: StrPath, query_id: str | None = None) -> list[InexPassage]:
    """Reads the passages of assessments from the autumn of 2005 on: ``<file name>``, in it ``<passage start end size>``
    and maybe ``<best-entry-point path>``.

    Args, Raises:
        as :func:`read_qrels`, for passages
    """
    collections: dict[str, tuple[str, StrPath]] = {}
    return [passage for file in files_of(path, ('.xml',))
            for passage in _read_highlighted(_Place(file, query_id, collections))]


class _Place:
    """Where in a file of assessments a reader is: the topics and files of the open elements, from the outside in; and
    of all files that were assessed the collection, and where it was told."""

    def __init__(self, path: StrPath, query_id: str | None, collections: dict[str, tuple[str, StrPath]]):
        self.path, self._query_id, self._collections = path, query_id, collections
        self._open: list[tuple[str | None, str | None]] = []
        self.found = False  # whether there is a file or an assessed element at all

    def enter(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._open and name == XML_RUN:
            raise ValueError(f'the root is <{XML_RUN}>, which is a run, but assessments are being read (read it as a '
                             'run)')
        topic, file = self._open[-1] if self._open else (self._query_id, None)
        own_topic = next((attributes[key] for key in ('topic', 'topic-id') if key in attributes), None)
        self.found = self.found or name == 'file'
        if name == 'file':
            file = attributes.get('name', attributes.get('file'))
            if file is not None and 'collection' in attributes:
                self._hold(file.strip(), attributes['collection'].strip())
        elif 'path' in attributes:
            file = attributes.get('file', file)
        self._open.append((topic if own_topic is None else own_topic, file))

    def _hold(self, file: str, collection: str) -> None:
        known, home = self._collections.setdefault(file, (collection, self.path))
        if known != collection:
            raise ValueError(f'file {shown(file)} is of the collection {shown(collection)}, but before of '
                             f'{shown(known)}{"" if home == self.path else f" in {home}"}, and runs name files without '
                             'their collection, so that the two could not be told apart (read the assessments of each '
                             'collection by themselves, or give the files different names)')

    def leave(self) -> None:
        self._open.pop()

    def ids(self, name: str) -> tuple[str, str]:
        """Topic and document here. Raises ``ValueError`` if one is not told."""
        topic, file = self._open[-1]
        if topic is None:
            raise ValueError(f"<{name}> is in no element with the attribute 'topic' or 'topic-id', but it is assessed "
                             'for one (add it, or in Python, give the reader in formats.inex_assessments a '
                             'query_id)')
        if file is None:
            raise ValueError(f"<{name}> is in no <file> with the attribute 'name' or 'file', but it is in a document "
                             '(add it)')
        return id_of(topic.strip(), 'the topic'), id_of(file.strip(), 'the file')

    def close(self) -> None:
        if not self.found:
            raise FormatError('there is neither a <file> nor an element with a path and an assessment (check that the '
                              'file is of the kind that is being read)', self.path)


def _read_assessed(place: _Place, coverage: Mapping[str, Number] | None,
                   homes: dict[tuple[str, str], StrPath]) -> list[InexElement]:
    path = place.path
    rows: list[InexElement] = []

    def enter(name: str, attributes: dict[str, str]) -> None:
        place.enter(name, attributes)
        if 'path' not in attributes or name in ('file', 'best-entry-point'):
            return
        place.found = True
        topic, file = place.ids(name)
        id = element_id(file, attributes['path'].strip())
        if (topic, id) in homes:
            home = homes[topic, id]
            raise ValueError(f'{shown(id)} is already assessed for topic '
                             f'{shown(topic)}{"" if home == path else f" in {home}"}, but an element is assessed once '
                             '(take one of the two out)')
        homes[topic, id] = path
        rows.append(_assessed(name, attributes, InexElement(topic, id, 0), coverage))

    walk(path, enter, lambda name, text: place.leave())
    place.close()
    return rows


def _assessed(name: str, attributes: Mapping[str, str], row: InexElement,
              coverage: Mapping[str, Number] | None) -> InexElement:
    if 'relevance' in attributes:
        relevance, covers = _grade(name, attributes, 'relevance'), attribute(attributes, 'coverage', name)
        row = row._replace(relevance=relevance, coverage=covers)
        if coverage is None:
            return row
        if covers not in coverage:
            raise ValueError(f'coverage {shown(covers)} is none of {", ".join(map(repr, coverage))} (add it to the '
                             'mapping from coverage to specificity)')
        return row._replace(exhaustivity=relevance, specificity=coverage[covers])
    exhaustive = [key for key in ('exhaustivity', 'exhaustiveness') if key in attributes]
    if len(exhaustive) > 1 or not {*exhaustive, 'size', 'rsize'} & set(attributes):
        raise ValueError(f'<{name}> has the attributes {", ".join(attributes)}, but an assessed element has relevance '
                         'and coverage, exhaustiveness or exhaustivity and specificity, or size, rsize and maybe '
                         'exhaustivity (correct them)')
    exhaustivity = None
    too_small = bool(exhaustive) and attributes[exhaustive[0]].strip() == _TOO_SMALL
    if exhaustive:
        exhaustivity = 0 if too_small else _grade(name, attributes, exhaustive[0])
    row = row._replace(exhaustivity=exhaustivity, too_small=too_small)
    if 'specificity' in attributes and exhaustivity is not None:
        specificity = _grade(name, attributes, 'specificity')
        return row._replace(relevance=exhaustivity if specificity else 0, specificity=specificity)
    size, relevant = (number_of(attributes, key, name) for key in ('size', 'rsize'))
    if relevant > size:
        raise ValueError(f'rsize is {relevant}, but size is {size}, and relevant text is part of the text (correct one '
                         'of the two)')
    worth = 1 if exhaustivity is None else exhaustivity
    return row._replace(relevance=worth if relevant else 0, specificity=relevant / size if size else 0.0, size=size,
                        relevant_size=relevant)


def _grade(name: str, attributes: Mapping[str, str], key: str) -> int:
    text = attribute(attributes, key, name)
    if text not in _GRADES:
        raise ValueError(f'{key} {shown(text)} of <{name}> is not one of the grades 0, 1, 2 and 3 (correct it)')
    return _GRADES[text]


def _read_highlighted(place: _Place) -> list[InexPassage]:
    rows: list[InexPassage] = []
    of_file: list[InexPassage] = []
    entry: str | None = None

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal entry
        place.enter(name, attributes)
        if name == 'file':
            entry = None
            of_file.clear()
        elif name == 'best-entry-point':
            entry = attribute(attributes, 'path', name)
            position, _, offset = entry.rpartition('.')  # names may hold dots, too
            checked_path(position if offset.isdigit() else entry, text=True)
        elif name == 'passage':
            of_file.append(InexPassage(*place.ids(name), *_position(attributes, 'start'), *_position(attributes, 'end'),
                                       number_of(attributes, 'size', name), None))

    def leave(name: str, _: str) -> None:
        place.leave()
        if name == 'file':  # its best entry point may come last
            rows.extend(passage._replace(best_entry_point=entry) for passage in of_file)

    walk(place.path, enter, leave)
    place.close()
    return rows


def _position(attributes: Mapping[str, str], key: str) -> tuple[str, int]:
    text = attribute(attributes, key, 'passage')
    path, _, offset = text.rpartition('.')
    if not path.startswith('/'):
        raise ValueError(f'{key} {shown(text)} is not a path and an offset, but passages start and end in text nodes, '
                         'such as /article[1]/bdy[1]/p[2]/text()[1].15 (correct it)')
    return checked_path(path, text=True), whole_number(offset, f'the offset of the {key}', 'such as text()[1].15')
