"""Reader of the topics of the INEX ad hoc track, XML.

Source: the topics of 2010; for 2003 to 2006 the DTDs of topics in X-Rai, which wrote the assessments
(``download_pools.php``), and topic 177 of 2004 in its examples; the elements of 2002 are those of
its guidelines, and not checked against a real file.
"""

from typing import NamedTuple

from ir_segmeasures.formats.files.reading import WRONG_KIND, StrPath
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.formats.inex.fields import id_of, only_text
from ir_segmeasures.segments.quoting import quoted

# In 2002 names are written with capitals and hyphens: <INEX-Topic topic-id query-type>.
_TOPICS = ('topic', 'inex_topic', 'inex-topic')
_IDS = ('id', 'topic_id', 'topic-id')
_TYPES = ('query_type', 'query-type')
_FIELDS = ('title', 'castitle', 'phrasetitle', 'description', 'narrative', 'keywords', 'parent')
_OTHER_NAMES = {'ontopic_keywords': 'keywords'}
_PARTS = ('te', 'cw', 'ce')  # of titles of 2002: the target element, words, and the elements that they are to be in


class InexTopic(NamedTuple):
    """A topic. Fields that its year did not have are empty.

    Attributes:
        query_id: the topic
        title: the query in words; of content-and-structure topics of 2003 and 2004, which have but this title, the
            query with structure
        castitle: the query with structure: in NEXI (from 2004 on), in XPath with ``about`` (2003), or the elements
            ``<te>``, ``<cw>`` and ``<ce>`` of the title (2002)
        phrasetitle: the query in phrases (2009 and 2010)
        description: one sentence
        narrative: what is relevant, and why it is wanted
        keywords: words and phrases about the topic (2002 to 2006)
        query_type: ``CO`` (content only), ``CAS`` (content and structure) or ``CO+S`` (both), as in the file
        parent: of a topic of 2005 with structure, the topic that it is made of
    """

    query_id: str
    title: str
    castitle: str
    phrasetitle: str
    description: str
    narrative: str
    keywords: str = ''
    query_type: str = ''
    parent: str = ''

    def default_text(self) -> str:
        """The title, which ir_datasets takes for the query; the castitle of a topic without."""
        return self.title or self.castitle


def read_topics(path: StrPath) -> list[InexTopic]:
    """Reads topics, ``<INEX-Topic topic-id>`` (2002), ``<inex_topic topic_id>`` (2003 to 2006) or ``<topic id>`` (from
    2007 on), with their fields, white space in them reduced to single blanks. Other elements are ignored.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz``, in folders inside too,
            are read by name

    Raises:
        FormatError: the XML is malformed, declares entities or has no topic; a topic lacks its id, or both titles, is
            there twice, or has two different texts for a field
        OSError: a file cannot be opened
    """
    return read_records(path, _topic, *_TOPICS)


def _topic(element: XmlElement) -> InexTopic:
    named = {key.lower(): key for key in element.attributes}
    key = next((named[key] for key in _IDS if key in named), _IDS[0])
    topic = id_of(element.attribute(key), key)
    texts: dict[str, list[str]] = {}
    for part in element.all():
        field, content = _OTHER_NAMES.get(part.name.lower(), part.name.lower()), part.content
        parts = [(inner.name.lower(), inner.content) for inner in part.all() if inner.name.lower() in _PARTS]
        if field == 'title' and parts:
            texts.setdefault('castitle', []).append(' '.join(f'<{name}>{text}</{name}>' for name, text in parts))
            content = ' '.join(text for name, text in parts if name == 'cw')
        texts.setdefault(field, []).append(content)
    if 'castitle' not in texts and texts.get('title', [''])[0].startswith('/'):
        texts['castitle'] = texts['title']
    if not {'title', 'castitle'} & set(texts):
        raise ValueError(f'<{element.name.lower()}> {quoted(topic)} has no <title>: add it, or {WRONG_KIND}')
    kind = next((element.attributes[named[key]].strip() for key in _TYPES if key in named), '')
    return InexTopic(topic, query_type=kind, **{field: only_text(texts, field) or '' for field in _FIELDS})
