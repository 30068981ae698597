"""Topics of the INEX ad hoc track in XML, and the fields of its files: numbers, ids and paths, in a line of text or in
XML.

Source: the topics of 2010; for 2003 to 2006 the DTDs of topics in X-Rai, which wrote the assessments
(``download_pools.php``), and topic 177 of 2004 in its examples; the elements of 2002 are those of
its guidelines, and not checked against a real file.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import id_of, whole_number
from ir_segmeasures.formats.files.reading import WRONG_KIND, StrPath
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

XML_RUN = 'inex-submission'  # the root

# The tasks of INEX and what inex_eval rejects their runs for.
TASKS: dict[str, tuple[str, ...]] = {
    'focused': ('apart_in_focused_runs',),
    'thorough': (),
    'relevant-in-context': ('apart_in_focused_runs', 'documents_together'),
    'best-in-context': ('one_item_a_document',)}

# A step has a name of XML 1.0 and an index, which counts from 1.
_INDEX = r'\[[1-9][0-9]*\]'
_ELEMENT = re.compile(rf'(?:/[^\W\d][\w:.\-]*{_INDEX})+')
_TEXT = re.compile(rf'/text\(\){_INDEX}')


def number_of(element: XmlElement, key: str) -> int:
    """The whole number in an attribute. Raises ``ValueError`` if there is none."""
    return whole_number(element.attribute(key), key, f'an attribute of <{element.name}>')


def only_text(texts: Mapping[str, list[str]], name: str) -> str | None:
    """The text of the one child of this name; None if there is none."""
    found = list(dict.fromkeys(texts.get(name, ())))
    if len(found) > 1:
        raise ValueError(f'<{name}> is there with {quoted(found[0])} and {quoted(found[1])}: take the wrong one out')
    return found[0] if found else None


def element_id(document: str, path: str) -> str:
    """The id of an element, as ``co/2001/r7022#xpath=/article[1]/bdy[1]``, to be resolved with a table of offsets.

    Raises:
        ValueError: the path is not made of steps ``/name[index]``, or the document's id is empty or holds a quotation
            mark or white space
    """
    return path_id(document, checked_path(path))


def range_id(document: str, first: str, last: str) -> str:
    """The id of what lies between two places, such as ``co/2001/r7022#xpath=/article[1]/p[2],/article[1]/p[4]``: from
    the start of the first to the end of the last. A place is the path of an element, or of a text node with an offset
    in it, ``/article[1]/p[2]/text()[1].15``. :func:`~ir_segmeasures.resolve` makes a segment of it.

    Raises:
        ValueError: as :func:`element_id`; an offset is not a whole number
    """
    _, offset = place_of(first, 'the offset of the start')
    place_of(last, 'the offset of the end')
    return path_id(document, first if first == last and offset is None else f'{first},{last}')


def place_of(text: str, what: str = 'the offset') -> tuple[str, int | None]:
    """Path and offset of a place in a document; names may hold dots too, and indices end in a bracket."""
    path, dot, offset = text.rpartition('.')
    if not dot or text.endswith(']'):
        return checked_path(text, text=True), None
    return checked_path(path, text=True), whole_number(offset, what, 'such as text()[1].15')


def path_id(document: str, path: str) -> str:
    """The id of what has a path in a document. Raises ``ValueError`` for a document that ids cannot hold."""
    return format_segment(Segment(document, 0, 0, 'char', path)).rpartition('&')[0]


def checked_path(path: str, text: bool = False) -> str:
    """The path, if it is one of an element, such as ``/article[1]/bdy[1]``, or with ``text`` also of a text node in
    one, ``/article[1]/text()[1]``. Raises ``ValueError`` if not, since an element has one path only."""
    match = _ELEMENT.match(path)
    rest = path if match is None else path[match.end():]
    if match is None or (rest and not (text and _TEXT.fullmatch(rest))):
        raise ValueError(f'path {quoted(path)} cannot be read from {quoted(rest)} on: write each step from the root '
                         'with its name and its index from 1, as in /article[1]/bdy[1]/sec[2]')
    return path


_TOPICS = ('topic', 'inex_topic', 'inex-topic')
_FIELDS = ('title', 'castitle', 'phrasetitle', 'description', 'narrative', 'keywords', 'parent')
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
    # In 2002 names are written with capitals and hyphens: <INEX-Topic topic-id query-type>.
    named = {key.lower().replace('-', '_'): key for key in element.attributes}
    key = named.get('id') or named.get('topic_id', 'id')
    topic = id_of(element.attribute(key), key)
    texts: dict[str, list[str]] = {}
    for part in element.all():
        field, content = part.name.lower().removeprefix('ontopic_'), part.content
        parts = [(inner.name.lower(), inner.content) for inner in part.all() if inner.name.lower() in _PARTS]
        if field == 'title' and parts:
            texts.setdefault('castitle', []).append(' '.join(f'<{name}>{text}</{name}>' for name, text in parts))
            content = ' '.join(text for name, text in parts if name == 'cw')
        texts.setdefault(field, []).append(content)
    if 'castitle' not in texts and texts.get('title', [''])[0].startswith('/'):
        texts['castitle'] = texts['title']
    if not {'title', 'castitle'} & set(texts):
        raise ValueError(f'<{element.name.lower()}> {quoted(topic)} has no <title>: add it, or {WRONG_KIND}')
    kind = element.attributes.get(named.get('query_type', ''), '')
    return InexTopic(topic, query_type=kind.strip(), **{field: only_text(texts, field) or '' for field in _FIELDS})
