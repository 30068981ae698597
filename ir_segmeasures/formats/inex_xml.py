"""Readers of the INEX ad hoc track's XML files (2002–10): runs, assessments and topics.

Elements keep the paths that the files have, in ids such as ``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``. Element
measures take these as they are; measures of text need offsets, which a table of the collection's elements adds:
:func:`~ir_segmeasures.resolve`.
Source: the files of the track, whose attributes changed names by year.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ir_segmeasures.formats.base import FormatError, Number, StrPath, files_of, parse_score
from ir_segmeasures.formats.inex import InexPathScoredDoc, element_id, whole_number
from ir_segmeasures.formats.xmlrecords import attribute, walk
from ir_segmeasures.segment import Segment, format_segment

__all__ = ['InexElement', 'InexPassage', 'InexTopic', 'read_passages', 'read_qrels', 'read_run', 'read_topics']

RUN = 'inex-submission'
TOPIC_NAMES = ('topic', 'inex_topic')
TOPIC_FIELDS = ('title', 'castitle', 'phrasetitle', 'description', 'narrative')

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


class InexPassage(NamedTuple):
    """A highlighted passage, from the autumn of 2005 on. Its ends are positions in text nodes of the XML, and no source
    at hand tells whether the last is part of it: offsets in the document's text need the document.

    Attributes:
        query_id: the topic
        doc_id: the file
        start_path, end_path: paths of text nodes, such as ``/article[1]/bdy[1]/p[2]/text()[1]``
        start_offset, end_offset: characters from the beginning of these
        size: of the passage, in characters
        best_entry_point: path of the file's best entry point; None if it has none
    """

    query_id: str
    doc_id: str
    start_path: str
    start_offset: int
    end_path: str
    end_offset: int
    size: int
    best_entry_point: str | None


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
    file order. Paths become ids as :func:`~ir_segmeasures.formats.inex.element_id` makes them, offset and length ids
    such as ``file#char=10,20``. Other elements are ignored.

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
    inside = False

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal run, topic, inside
        if not inside:
            if name != RUN:
                raise ValueError(f'the root is <{name}>, but that of a run is <{RUN}> (check that the file is of the '
                                 'kind that is being read)')
            inside, run = True, attributes.get('run-id', '').strip() or None
        elif name == 'topic':
            topic = _id(attribute(attributes, 'topic-id', name), 'topic-id')
            if topic in topics:
                raise ValueError(f'topic {topic!r} is already there, but its results stand together (join the two)')
            topics[topic] = []
        elif name == 'result':
            texts.clear()
            places.clear()
        elif name == 'fol':
            start, length = (whole_number(attribute(attributes, key, name), key, '<fol offset length/>')
                             for key in ('offset', 'length'))
            places.append((start, start + length))

    def leave(name: str, text: str) -> None:
        nonlocal topic
        if name == 'path':
            places.append(text)
        elif name == 'result':
            if topic is None:
                raise ValueError('<result> is in no <topic>, but every result answers one (put it into its topic)')
            topics[topic].append(_result(texts, places))
        elif name == 'topic' and topic is not None:
            rows.extend(_ranked(topic, topics[topic], run))
            topic = None
        else:
            texts.setdefault(name, []).append(text)

    walk(path, enter, leave)
    return rows


def read_qrels(path: StrPath, query_id: str | None = None,
               coverage: Mapping[str, Number] | None = None) -> list[InexElement]:
    """Reads assessments of elements, in file order.

    Every element with an attribute ``path`` is an assessed one, except best entry points. It has ``relevance`` and
    ``coverage`` (2002); ``exhaustiveness`` or ``exhaustivity`` and ``specificity``, grades from 0 to 3 (2003 and 2004);
    or ``size``, ``rsize`` and mostly ``exhaustivity``, which may be ``?`` (from the autumn of 2005 on). The document is
    the ``name`` or ``file`` of the ``<file>`` around it, or its own ``file``; the topic is the ``topic`` or
    ``topic-id`` of an element around it. Passages are left to :func:`read_passages`.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz`` are read by name
        query_id: the topic of a file that does not tell
        coverage: of 2002: coverage → specificity; with it the relevance is the exhaustivity. No mapping is official, so
            without it both are None.

    Raises:
        FormatError: the XML is malformed, declares entities or holds no assessments; an assessed element lacks an
            attribute, or one cannot be read; an element is assessed twice; a document or topic is not told
        OSError: a file cannot be opened
    """
    rows: list[InexElement] = []
    homes: dict[tuple[str, str], StrPath] = {}
    for file in files_of(path, ('.xml',)):
        for row in _read_assessed(file, query_id, coverage, homes):
            rows.append(row)
    return rows


def read_passages(path: StrPath, query_id: str | None = None) -> list[InexPassage]:
    """Reads the passages of assessments from the autumn of 2005 on: ``<file name>``, in it ``<passage start end size>``
    and maybe ``<best-entry-point path>``.

    Args, Raises:
        as :func:`read_qrels`, for passages
    """
    return [passage for file in files_of(path, ('.xml',)) for passage in _read_highlighted(file, query_id)]


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
        raise ValueError(f'<result> has neither <path> nor <fol> (it has {_listed(texts)}), but one of them says what '
                         'is retrieved (add it; passages with ends in text nodes need the document, for offsets)')
    rank, score = _only(texts, 'rank'), _only(texts, 'rsv')
    if rank is None and score is None:
        raise ValueError('<result> has neither <rank> nor <rsv>, but results are ordered by them (add one)')
    _id(file, '<file>')
    return _Result([element_id(file, place) if isinstance(place, str) else
                    format_segment(Segment(file, *place, 'char')) for place in places],
                   None if rank is None else whole_number(rank, 'rank', '<rank>'),
                   None if score is None else parse_score(score))


def _ranked(topic: str, results: list[_Result], run: str | None) -> list[InexPathScoredDoc]:
    ranks = [result.rank for result in results if result.rank is not None]
    if ranks and len(ranks) < len(results):
        raise ValueError(f'topic {topic!r} has {len(ranks)} results with <rank> and {len(results) - len(ranks)} without,'
                         ' which leaves their order open (give all of them a rank, or none)')
    results = sorted(results, key=lambda result: result.rank or 0) if ranks else sorted(
        results, key=lambda result: -(result.score or 0))
    items = [(id, result) for result in results for id in result.ids]
    return [InexPathScoredDoc(topic, id, -position, position if result.rank is None else result.rank,
                              -position if result.score is None else result.score, run)
            for position, (id, result) in enumerate(items, 1)]


class _Place:
    """Where in a file of assessments a reader is: the topics and files of the open elements, from the outside in."""

    def __init__(self, path: StrPath, query_id: str | None):
        self._path, self._query_id = path, query_id
        self._open: list[tuple[str | None, str | None]] = []
        self.found = False  # whether there is a file or an assessed element at all

    def enter(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._open and name == RUN:
            raise ValueError(f'the root is <{RUN}>, which is a run, but assessments are being read (read it as a run)')
        topic, file = self._open[-1] if self._open else (self._query_id, None)
        own_topic = next((attributes[key] for key in ('topic', 'topic-id') if key in attributes), None)
        own_file = next((attributes[key] for key in ('name', 'file') if key in attributes), None)
        if own_file is not None and (name == 'file' or 'path' in attributes):
            file = own_file.strip()
        self.found = self.found or name == 'file'
        self._open.append((topic if own_topic is None else own_topic.strip(), file))

    def leave(self) -> None:
        self._open.pop()

    def ids(self, name: str) -> tuple[str, str]:
        """Topic and document here. Raises ``ValueError`` if one is not told."""
        topic, file = self._open[-1]
        if topic is None:
            raise ValueError(f"<{name}> is in no element with the attribute 'topic' or 'topic-id', but it is assessed "
                             'for one (add it, or read the file with formats.inex_xml.read_qrels(path, query_id=…))')
        if file is None:
            raise ValueError(f"<{name}> is in no <file> with the attribute 'name' or 'file', but it is in a document "
                             '(add it)')
        return _id(topic, 'the topic'), _id(file, 'the file')

    def close(self) -> None:
        if not self.found:
            raise FormatError('there is neither a <file> nor an element with a path and an assessment (check that the '
                              'file is of the kind that is being read)', self._path)


def _read_assessed(path: StrPath, query_id: str | None, coverage: Mapping[str, Number] | None,
                   homes: dict[tuple[str, str], StrPath]) -> list[InexElement]:
    rows: list[InexElement] = []
    place = _Place(path, query_id)

    def enter(name: str, attributes: dict[str, str]) -> None:
        place.enter(name, attributes)
        if 'path' not in attributes or name in ('file', 'best-entry-point'):
            return
        place.found = True
        topic, file = place.ids(name)
        id = element_id(file, attributes['path'].strip())
        home = homes.setdefault((topic, id), path)
        if len(homes) == count[0]:
            elsewhere = '' if home == path else f' in {home}'
            raise ValueError(f'{id!r} is already assessed for topic {topic!r}{elsewhere}, but it is assessed once (take '
                             'one of the two out)')
        count[0] = len(homes)
        rows.append(_assessed(name, attributes, InexElement(topic, id, 0), coverage))

    count = [len(homes)]
    walk(path, enter, lambda name, text: place.leave())
    place.close()
    return rows
