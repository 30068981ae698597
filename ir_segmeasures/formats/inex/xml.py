"""Readers of the INEX ad hoc track's XML files (2002–10): runs and topics.

Elements keep the paths that the files have, in ids such as ``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``. Element
measures take these as they are; measures of text need offsets, which a table of the collection's elements adds:
:func:`~ir_segmeasures.resolve`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ir_segmeasures.formats.files.reading import FormatError, StrPath, files_of, parse_score
from ir_segmeasures.formats.files.xml import attribute, walk
from ir_segmeasures.formats.inex.passages import whole_number
from ir_segmeasures.formats.inex.paths import InexPathScoredDoc, element_id
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['InexTopic', 'id_of', 'number_of', 'read_run', 'read_topics']

RUN = 'inex-submission'
_TEXTS = ('file', 'path', 'rank', 'rsv')  # of results
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


def read_run(path: StrPath) -> list[InexPathScoredDoc]:
    """Reads a run: ``<inex-submission run-id>``, in it ``<topic topic-id>``, in these ``<result>`` with ``<file>``,
    ``<path>`` or ``<fol offset length/>``, and ``<rank>`` or ``<rsv>``.

    Rows come in the official order: topics as in the file, within each by rank, or by descending rsv if no result of
    the topic has a rank, ties in file order. A result with several paths, as 2006 had them, is an item for each, in
    file order. Paths become ids such as ``file#xpath=/article[1]/bdy[1]``, offset and length ids such as
    ``file#char=10,20``. Other elements are ignored.

    Raises:
        FormatError: the XML is malformed, declares entities or is no run; a topic is there twice or has results with
            and without ranks; a result has no file, no place or neither rank nor rsv; one of these cannot be read
        OSError: the file cannot be opened
    """
    rows: list[InexPathScoredDoc] = []
    topics: dict[str, list[_Result]] = {}
    texts: dict[str, list[str]] = {}
    places: list[str | tuple[int, int]] = []
    run: str | None = None
    topic: str | None = None
    inside = in_result = False

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal run, topic, inside, in_result
        if not inside:
            if name != RUN:
                raise ValueError(f'the root is <{name}>, but that of a run is <{RUN}> (check that the file is of the '
                                 'kind that is being read)')
            inside, run = True, attributes.get('run-id', '').strip() or None
        elif name == 'topic':
            topic = id_of(attribute(attributes, 'topic-id', name), 'topic-id')
            if topic in topics:
                raise ValueError(f'topic {topic!r} is already there, but its results stand together (join the two)')
            topics[topic] = []
        elif name == 'result':
            in_result = True
            texts.clear()
            places.clear()
        elif name == 'fol' and in_result:
            start, length = (number_of(attributes, key, name) for key in ('offset', 'length'))
            places.append((start, start + length))

    def leave(name: str, text: str) -> None:
        nonlocal topic, in_result
        if name == 'result':
            in_result = False
            if topic is None:
                raise ValueError('<result> is in no <topic>, but every result answers one (put it into its topic)')
            topics[topic].append(_result(texts, places))
        elif name == 'topic' and topic is not None:
            rows.extend(_ranked(topic, topics[topic], run))
            topic = None
        elif in_result and name == 'path':
            places.append(text)
        elif in_result:
            texts.setdefault(name, [])
            if name in _TEXTS:
                texts[name].append(text)

    walk(path, enter, leave, keep=lambda name: in_result and name in _TEXTS)
    return rows


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


class _Result(NamedTuple):
    ids: list[str]
    rank: int | None
    score: float | None


def _result(texts: dict[str, list[str]], places: Sequence[str | tuple[int, int]]) -> _Result:
    file = _only(texts, 'file')
    if file is None:
        raise ValueError('<result> has no <file>, but every result is in one (add it)')
    if not places:
        has = ', '.join(f'<{name}>' for name in texts)
        raise ValueError(f'<result> has neither <path> nor <fol> (it has {has}), but one of them says what is '
                         'retrieved (add it)')
    rank, score = _only(texts, 'rank'), _only(texts, 'rsv')
    if rank is None and score is None:
        raise ValueError('<result> has neither <rank> nor <rsv>, but results are ordered by them (add one)')
    id_of(file, '<file>')
    return _Result([element_id(file, place) if isinstance(place, str) else
                    format_segment(Segment(file, *place, 'char')) for place in places],
                   None if rank is None else whole_number(rank, 'rank', 'the text of <rank>'),
                   None if score is None else parse_score(score))


def _ranked(topic: str, results: list[_Result], run: str | None) -> list[InexPathScoredDoc]:
    ranks = [result.rank for result in results if result.rank is not None]
    if ranks and len(ranks) < len(results):
        raise ValueError(f'topic {topic!r} has {len(results)} results, of which {len(ranks)} have a <rank>, which '
                         'leaves their order open (give all of them a rank, or none)')
    results = sorted(results, key=lambda result: result.rank or 0) if ranks else sorted(
        results, key=lambda result: -(result.score or 0))
    items = [(id, result) for result in results for id in result.ids]
    return [InexPathScoredDoc(topic, id, -position, position if result.rank is None else result.rank,
                              -position if result.score is None else result.score, run)
            for position, (id, result) in enumerate(items, 1)]


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
                raise ValueError(f'topic {topic!r} is already there, but every topic has an id of its own (correct it)')

    def leave(name: str, text: str) -> None:
        nonlocal topic
        if name in TOPIC_FIELDS:
            texts.setdefault(name, []).append(text)
        elif name in TOPIC_NAMES and topic is not None:
            fields = [_only(texts, field) for field in TOPIC_FIELDS]
            if fields[0] is None:
                raise ValueError(f'<{name}> {topic!r} has no <title>, but every topic needs one (add it, or check that '
                                 'the file is of the kind that is being read)')
            topics[topic] = InexTopic(topic, *(field or '' for field in fields))
            topic = None

    walk(path, enter, leave, keep=lambda name: topic is not None and name in TOPIC_FIELDS)
    if len(topics) == before:
        raise FormatError('there is no <topic> (check that the file is of the kind that is being read)', path)


def _only(texts: Mapping[str, list[str]], name: str) -> str | None:
    """The text of the one child of this name; None if there is none."""
    found = texts.get(name, [])
    if len(set(found)) > 1:
        raise ValueError(f'<{name}> is there with {found[0]!r} and with {found[1]!r}, but only one can be meant (take '
                         'the wrong one out)')
    return found[0] if found else None


def id_of(text: str, what: str) -> str:
    """The text, if it is an id. Raises ``ValueError`` if not."""
    if text.split() != [text]:
        raise ValueError(f'{what} is {text!r}, but an id has at least one character and no white space (correct it)')
    return text


def number_of(attributes: Mapping[str, str], key: str, name: str) -> int:
    """The whole number in an attribute. Raises ``ValueError`` if there is none."""
    return whole_number(attribute(attributes, key, name), key, f'an attribute of <{name}>')
