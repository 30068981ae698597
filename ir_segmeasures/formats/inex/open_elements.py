"""The elements of INEX' assessments with the topic and the file of the collection that they are in."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.xml import XmlElement, read_xml
from ir_segmeasures.formats.inex.fields import XML_RUN, id_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['Homes', 'PlacedElement', 'placed_elements']

_TOPIC = ('topic', 'topic-id', 'topic_id', 'query', 'query-id', 'query_id')
_ASSESSMENTS = 'assessments'  # the root
_NO_TOPIC = {'pool', 'version', 'whitespace-text-node'}  # what else it has

Homes = dict[tuple[str | None, str], tuple[str, StrPath]]


class PlacedElement(NamedTuple):
    """An element of assessments, and the topic and the file that it is in, None where it is in none."""
    element: XmlElement
    topic: str | None
    file: str | None

    def ids(self) -> tuple[str, str]:
        """Topic and document. Raises ``ValueError`` if one is not told."""
        name = self.element.name
        if self.topic is None:
            raise ValueError(f"<{name}> is in no element with the attribute 'topic' or 'topic-id', but it is assessed "
                             'for one: add it, or in Python, give the reader in formats.inex_assessments a query_id')
        if self.file is None:
            raise ValueError(f"<{name}> is in no <file> with the attribute 'name' or 'file', but it is in a document: "
                             'add it')
        return id_of(self.topic.strip(), 'the topic'), id_of(self.file.strip(), 'the file')


def placed_elements(path: StrPath, query_id: str | None, homes: Homes, collections: bool,
                    names: tuple[str, ...] = ()) -> Iterator[PlacedElement]:
    """All elements of a file of assessments, in their order.

    Args:
        path: of the file
        query_id: the topic of a file that does not tell
        homes: of all (topic, file) that were assessed the collection, and where it was told
        collections: whether files are named with their collection, ``ieee/co/2001/r7022``
        names: as for :func:`~ir_segmeasures.formats.files.xml.read_xml`

    Raises:
        FormatError: the file is no assessments, or a file is of two collections
        OSError: the file cannot be opened
    """
    root = read_xml(path, names)
    if root.name == XML_RUN:
        raise FormatError(f'the root is <{XML_RUN}>, which is a run, but assessments are being read: read it as a run',
                          path, root.line)
    waiting: list[tuple[XmlElement, str | None, str | None]] = [(root, query_id, None)]
    found = False
    while waiting:
        element, topic, file = waiting.pop()
        own = _topic(element)
        topic = topic if own is None else own
        if element.name == 'file':
            file = element.attributes.get('name', element.attributes.get('file'))
            if file is not None and 'collection' in element.attributes:
                with errors_in(path, element.line):
                    file = _of_collection(path, topic, file.strip(), element.attributes['collection'].strip(), homes,
                                          collections)
        elif 'path' in element.attributes:
            file = element.attributes.get('file', file)
        found = found or element.name == 'file' or (
            'path' in element.attributes and element.name != 'best-entry-point')
        yield PlacedElement(element, topic, file)
        waiting += [(child, topic, file) for child in reversed(element.children)]
    if not found:
        raise FormatError('there is neither a <file> nor an element with a path and an assessment: check that the '
                          'file is of the kind that is being read', path)


def _of_collection(path: StrPath, topic: str | None, file: str, collection: str, homes: Homes, named: bool) -> str:
    if named:
        return f'{collection}/{file}'
    known, home = homes.setdefault((topic, file), (collection, path))
    if known != collection:
        raise ValueError(f'file {quoted(file)} is of the collection {quoted(collection)}, but before of '
                         f'{quoted(known)}{"" if home == path else f" in {home}"}, and in one topic the two could not '
                         'be told apart (in Python, give the reader in formats.inex_assessments collections=True, and '
                         'that of the run too; or read the assessments of each collection by themselves)')
    return file


def _topic(element: XmlElement) -> str | None:
    attributes: Mapping[str, str] = element.attributes
    topic = next((attributes[key] for key in _TOPIC if key in attributes), None)
    if topic is None and element.name == _ASSESSMENTS:
        # In 2002 and 2003 the root has the topic in an attribute of another name, its only one.
        others = [value for key, value in attributes.items() if key not in _NO_TOPIC and ':' not in key]
        return others[0] if len(others) == 1 else None
    return topic
