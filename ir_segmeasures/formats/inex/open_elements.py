"""The elements of INEX' assessments with the topic and the file of the collection that they are in."""

from collections.abc import Iterator
from itertools import chain

from ir_segmeasures.formats.files.folders import files_of
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.xml import XmlElement, read_xml
from ir_segmeasures.formats.inex.fields import XML_RUN, id_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['Assessments']

_TOPIC = ('topic', 'topic-id', 'topic_id', 'query', 'query-id', 'query_id')
_ASSESSMENTS = 'assessments'  # the root
_NO_TOPIC = {'pool', 'version', 'whitespace-text-node'}  # what else it has


class Assessments:
    """Files of assessments.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz``, in folders inside too,
            are read by name
        query_id: the topic of a file that does not tell
        collections: whether files are named with their collection, ``ieee/co/2001/r7022``
        names: as for :func:`~ir_segmeasures.formats.files.xml.read_xml`
    """

    def __init__(self, path: StrPath, query_id: str | None, collections: bool, names: tuple[str, ...] = ()) -> None:
        self._path, self._query_id, self._named, self._names = path, query_id, collections, names
        self._homes: dict[tuple[str, str], str] = {}  # topic and file → the collection that the file is of

    def elements(self) -> Iterator[tuple[StrPath, XmlElement]]:
        """All elements in their order, each with its file.

        Raises:
            FormatError: a file is no assessments
            OSError: a file cannot be opened
        """
        for path in files_of(self._path, ('.xml',), deep=True):
            root = read_xml(path, self._names)
            if root.name == XML_RUN:
                raise FormatError(f'the root is <{XML_RUN}>, which is a run, but assessments are being read: read it '
                                  'as a run', path, root.line)
            elements = list(root.iter())
            if not any(element.name == 'file' or ('path' in element.attributes and element.name != 'best-entry-point')
                       for element in elements):
                raise FormatError('there is neither a <file> nor an element with a path and an assessment: check that '
                                  'the file is of the kind that is being read', path)
            yield from ((path, element) for element in elements)

    def ids(self, element: XmlElement) -> tuple[str, str]:
        """Topic and document of an element. Raises ``ValueError`` if one is not told, or a file of one name is of two
        collections."""
        name, around = element.name, list(chain([element], element.around))
        topic = next((topic for one in around if (topic := _topic(one)) is not None), self._query_id)
        if topic is None:
            raise ValueError(f"<{name}> is in no element with the attribute 'topic' or 'topic-id', but it is assessed "
                             'for one: add it, or in Python, give the reader in formats.inex_assessments a query_id')
        home = next((one for one in around if one.name == 'file' or 'file' in one.attributes), None)
        file = None if home is None else home.attributes.get('name', home.attributes.get('file'))
        if home is None or file is None:
            raise ValueError(f"<{name}> is in no <file> with the attribute 'name' or 'file', but it is in a document: "
                             'add it')
        topic, file = id_of(topic.strip(), 'the topic'), id_of(file.strip(), 'the file')
        collection = home.attributes.get('collection', '').strip()
        if self._named and collection:
            return topic, f'{collection}/{file}'
        known = self._homes.setdefault((topic, file), collection)
        if known != collection:
            raise ValueError(f'file {quoted(file)} is of the collection {quoted(collection)}, but before of '
                             f'{quoted(known)}, and in one topic the two could not be told apart (in Python, give the '
                             'reader in formats.inex_assessments collections=True, and that of the run too; or read '
                             'the assessments of each collection by themselves)')
        return topic, file


def _topic(element: XmlElement) -> str | None:
    attributes = element.attributes
    others = [value for key, value in attributes.items() if key not in _NO_TOPIC and ':' not in key]
    # In 2002 and 2003 the root has the topic in an attribute of another name, its only one.
    return next((attributes[key] for key in _TOPIC if key in attributes),
                others[0] if element.name == _ASSESSMENTS and len(others) == 1 else None)
