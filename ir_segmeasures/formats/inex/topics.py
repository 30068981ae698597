"""Reader of the topics of the INEX ad hoc track, XML."""

from typing import NamedTuple

from ir_segmeasures.formats.files.reading import FormatError, StrPath, files_of
from ir_segmeasures.formats.files.xml import attribute, walk
from ir_segmeasures.formats.inex.fields import id_of, only_text
from ir_segmeasures.segments.shown import shown

__all__ = ['InexTopic', 'read_topics']

TOPIC_NAMES = ('topic', 'inex_topic')
TOPIC_FIELDS = ('title', 'castitle', 'phrasetitle', 'description', 'narrative')


class InexTopic(NamedTuple):
    """A topic. Fields that its year did not have are empty.

    Attributes:
        query_id: the topic
        title: the query in words
        castitle: the query with structure, in NEXI
        phrasetitle: the query in phrases
        description: one sentence
        narrative: what is relevant, and why it is wanted
    """

    query_id: str
    title: str
    castitle: str
    phrasetitle: str
    description: str
    narrative: str


def read_topics(path: StrPath) -> list[InexTopic]:
    """Reads topics, ``<topic id>`` (2009 and 2010) or ``<inex_topic topic_id>``, with title, castitle, phrasetitle,
    description and narrative, white space in them reduced to single blanks. Other elements are ignored.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz`` are read by name

    Raises:
        FormatError: the XML is malformed, declares entities or has no topic; a topic lacks its id or its title, is
            there twice, or has two different texts for a field
        OSError: a file cannot be opened
    """
    topics: dict[str, InexTopic] = {}
    for file in files_of(path, ('.xml',)):
        _read_topics(file, topics)
    return list(topics.values())


def _read_topics(path: StrPath, topics: dict[str, InexTopic]) -> None:
    topic: str | None = None
    texts: dict[str, list[str]] = {}
    before = len(topics)

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal topic
        if name in TOPIC_NAMES:
            key = next((key for key in ('id', 'topic_id', 'topic-id') if key in attributes), 'id')
            topic = id_of(attribute(attributes, key, name), key)
            texts.clear()
            if topic in topics:
                raise ValueError(f'topic {shown(topic)} is already there, but every topic has an id of its own '
                                 '(correct it)')

    def leave(name: str, text: str) -> None:
        nonlocal topic
        if name in TOPIC_FIELDS:
            texts.setdefault(name, []).append(text)
        elif name in TOPIC_NAMES and topic is not None:
            fields = [only_text(texts, field) for field in TOPIC_FIELDS]
            if fields[0] is None:
                raise ValueError(f'<{name}> {shown(topic)} has no <title>, but every topic needs one (add it, or check '
                                 'that the file is of the kind that is being read)')
            topics[topic] = InexTopic(topic, *(field or '' for field in fields))
            topic = None

    walk(path, enter, leave, keep=lambda name: topic is not None and name in TOPIC_FIELDS)
    if len(topics) == before:
        raise FormatError('there is no <topic> (check that the file is of the kind that is being read)', path)
