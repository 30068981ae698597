"""Where in a file of INEX' assessments a reader is: the topic, the file of the collection, the collection."""

from collections.abc import Mapping

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.inex.fields import XML_RUN, id_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['OpenElements']

_TOPIC = ('topic', 'topic-id', 'topic_id', 'query', 'query-id', 'query_id')
_ASSESSMENTS = 'assessments'  # the root
_NO_TOPIC = {'pool', 'version', 'whitespace-text-node'}  # what else it has

Homes = dict[tuple[str | None, str], tuple[str, StrPath]]


class OpenElements:
    """The topics and files of the open elements, from the outside in.

    Args:
        path: of the file of assessments
        query_id: the topic of a file that does not tell
        homes: of all (topic, file) that were assessed the collection, and where it was told
        collections: whether files are named with their collection, ``ieee/co/2001/r7022``

    Attributes:
        path: as above
        found: whether there is a file or an assessed element at all
    """

    def __init__(self, path: StrPath, query_id: str | None, homes: Homes, collections: bool):
        self.path, self._query_id, self._homes, self._collections = path, query_id, homes, collections
        self._open: list[tuple[str | None, str | None]] = []
        self.found = False

    def enter(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins. Raises ``ValueError`` for a file that is of two collections."""
        if not self._open and name == XML_RUN:
            raise ValueError(f'the root is <{XML_RUN}>, which is a run, but assessments are being read: read it as a '
                             'run')
        topic, file = self._open[-1] if self._open else (self._query_id, None)
        own_topic = _topic(name, attributes)
        topic = topic if own_topic is None else own_topic
        self.found = self.found or name == 'file'
        if name == 'file':
            file = attributes.get('name', attributes.get('file'))
            if file is not None and 'collection' in attributes:
                file = self._of(topic, file.strip(), attributes['collection'].strip())
        elif 'path' in attributes:
            file = attributes.get('file', file)
        self._open.append((topic, file))

    def _of(self, topic: str | None, file: str, collection: str) -> str:
        if self._collections:
            return f'{collection}/{file}'
        known, home = self._homes.setdefault((topic, file), (collection, self.path))
        if known != collection:
            raise ValueError(f'file {quoted(file)} is of the collection {quoted(collection)}, but before of '
                             f'{quoted(known)}{"" if home == self.path else f" in {home}"}, and in one topic the two '
                             'could not be told apart (in Python, give the reader in formats.inex_assessments '
                             'collections=True, and that of the run too; or read the assessments of each collection by '
                             'themselves)')
        return file

    def leave(self) -> None:
        """The element ends."""
        self._open.pop()

    def ids(self, name: str) -> tuple[str, str]:
        """Topic and document here. Raises ``ValueError`` if one is not told."""
        topic, file = self._open[-1]
        if topic is None:
            raise ValueError(f"<{name}> is in no element with the attribute 'topic' or 'topic-id', but it is assessed "
                             'for one: add it, or in Python, give the reader in formats.inex_assessments a '
                             'query_id')
        if file is None:
            raise ValueError(f"<{name}> is in no <file> with the attribute 'name' or 'file', but it is in a document: "
                             'add it')
        return id_of(topic.strip(), 'the topic'), id_of(file.strip(), 'the file')

    def close(self) -> None:
        """The file ends. Raises :class:`FormatError` if nothing in it is an assessment."""
        if not self.found:
            raise FormatError('there is neither a <file> nor an element with a path and an assessment: check that the '
                              'file is of the kind that is being read', self.path)


def _topic(name: str, attributes: Mapping[str, str]) -> str | None:
    topic = next((attributes[key] for key in _TOPIC if key in attributes), None)
    if topic is None and name == _ASSESSMENTS:
        # In 2002 and 2003 the root has the topic in an attribute of another name, its only one.
        others = [value for key, value in attributes.items() if key not in _NO_TOPIC and ':' not in key]
        return others[0] if len(others) == 1 else None
    return topic
