"""Runs of the INEX ad hoc track in XML (2002–10), and the format that they are in.

Elements keep the paths that the files have, in ids such as ``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``. Element
measures take these as they are; measures of text need offsets, which a table of the collection's elements adds:
:func:`~ir_segmeasures.resolve`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import parse_score, refuse_again
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.xml import attribute, walk
from ir_segmeasures.formats.inex.assessments import ElementQrel, read_qrels
from ir_segmeasures.formats.inex.fields import XML_RUN, id_of, number_of, only_text, whole_number
from ir_segmeasures.formats.inex.paths import InexPathScoredDoc, element_id, range_id
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics
from ir_segmeasures.formats.inex.writing import write_xml_run
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['XML', 'InexTopic', 'read_run', 'read_topics']

_TEXTS = ('file', 'path', 'rank', 'rsv')  # of results
_NAMES = (*_TEXTS, XML_RUN, 'topic', 'topic-id', 'result', 'fol', 'offset', 'length', 'passage', 'start', 'end',
          'run-id')
Place = str | tuple[int, int] | tuple[str, str]  # a path, characters, or the ends of a passage


def read_run(path: StrPath, collections: bool = False) -> list[InexPathScoredDoc]:
    """Reads a run: ``<inex-submission run-id>``, in it ``<topic topic-id>``, in these ``<result>`` with ``<file>``,
    ``<path>``, ``<passage start end/>`` or ``<fol offset length/>``, and ``<rank>`` or ``<rsv>``.

    Rows come in the official order: topics as in the file, within each by rank, or by descending rsv if no result of
    the topic has a rank, ties in file order. A result with several paths, as 2006 had them, is an item for each, in
    file order. Paths become ids such as ``file#xpath=/article[1]/bdy[1]``, offset and length ids such as
    ``file#char=10,20``. Passages, which 2007 had, arbitrary ones as well as ranges of elements, start and end as those
    of assessments do (not checked against a real run), and become ids of
    :func:`~ir_segmeasures.formats.inex.paths.range_id`. Other elements are ignored.

    Args:
        path: of the file
        collections: whether the document is named with its collection, ``ieee/co/2001/r7022``, as
            :func:`~ir_segmeasures.formats.inex.assessments.read_qrels` does: that of ``<in>``, or the only
            ``<collection>`` of the run

    Raises:
        FormatError: the XML is malformed, declares entities or is no run; a topic is there twice or has results with
            and without ranks; a result has no file, no place or neither rank nor rsv, or with ``collections`` no
            collection; one of these cannot be read
        OSError: the file cannot be opened
    """
    rows: list[InexPathScoredDoc] = []
    topics: dict[str, list[_Result]] = {}
    texts: dict[str, list[str]] = {}
    places: list[Place] = []
    named: list[str] = []  # the run's collections
    run: str | None = None
    topic: str | None = None
    inside = in_result = False

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal run, topic, inside, in_result
        if not inside:
            if name != XML_RUN:
                raise ValueError(f'the root is <{name}>, but that of a run is <{XML_RUN}>: check that the file is of '
                                 'the kind that is being read')
            inside, run = True, attributes.get('run-id', '').strip() or None
        elif name == 'topic':
            topic = id_of(attribute(attributes, 'topic-id', name), 'topic-id')
            refuse_again(topic, topics, 'its results stand together: join the two')
            topics[topic] = []
        elif name == 'result':
            in_result = True
            texts.clear()
            places.clear()
        elif name == 'fol' and in_result:
            start, length = (number_of(attributes, key, name) for key in ('offset', 'length'))
            places.append((start, start + length))
        elif name == 'passage' and in_result:
            places.append((attribute(attributes, 'start', name).strip(), attribute(attributes, 'end', name).strip()))

    def leave(name: str, text: str) -> None:
        nonlocal topic, in_result
        if name == 'result':
            in_result = False
            if topic is None:
                raise ValueError('<result> is in no <topic>, but every result answers one: put it into its topic')
            topics[topic].append(_result(texts, places, named if collections else None))
        elif name == 'topic' and topic is not None:
            rows.extend(_ranked(topic, topics[topic], run))
            topic = None
        elif name == 'collection' and not topics:
            named.append(text)
        elif in_result and name == 'path':
            places.append(text)
        elif in_result:
            texts.setdefault(name, [])
            if keep(name):
                texts[name].append(text)

    def keep(name: str) -> bool:
        if in_result:
            return name in _TEXTS or (collections and name == 'in')
        return collections and name == 'collection' and not topics

    walk(path, enter, leave, keep=keep, names=_NAMES)
    return rows


class _Result(NamedTuple):
    ids: list[str]
    rank: int | None
    score: float | None


def _result(texts: dict[str, list[str]], places: Sequence[Place], collections: Sequence[str] | None) -> _Result:
    file = only_text(texts, 'file')
    if file is None:
        raise ValueError('<result> has no <file>, but every result is in one: add it')
    if not places:
        has = ', '.join(f'<{name}>' for name in texts)
        raise ValueError(f'<result> has neither <path>, <passage> nor <fol> (it has {has}), but one of them says '
                         'what is retrieved: add it')
    rank, score = only_text(texts, 'rank'), only_text(texts, 'rsv')
    if rank is None and score is None:
        raise ValueError('<result> has neither <rank> nor <rsv>, but results are ordered by them: add one')
    id_of(file, '<file>')
    if collections is not None:
        collection = only_text(texts, 'in')
        if collection is None and len(set(collections)) != 1:
            raise ValueError(f'<result> has no <in>, and the run has {len(set(collections))} collections, but its file '
                             'is in one of them: add <in>, or the <collection> of the run')
        file = f'{collection or collections[0]}/{file}'
        id_of(file, 'the collection with <file>')
    return _Result([_id(file, place) for place in places],
                   None if rank is None else whole_number(rank, 'rank', 'the text of <rank>'),
                   None if score is None else parse_score(score))


def _id(file: str, place: Place) -> str:
    if isinstance(place, str):
        return element_id(file, place)
    start, end = place
    if isinstance(start, str) and isinstance(end, str):
        return range_id(file, start, end)
    return format_segment(Segment(file, float(start), float(end), 'char'))


def _ranked(topic: str, results: list[_Result], run: str | None) -> list[InexPathScoredDoc]:
    ranks = [result.rank for result in results if result.rank is not None]
    if ranks and len(ranks) < len(results):
        raise ValueError(f'topic {quoted(topic)} has {len(results)} results, of which {len(ranks)} have a <rank>, '
                         'which leaves their order open: give all of them a rank, or none')
    results = sorted(results, key=lambda result: result.rank or 0) if ranks else sorted(
        results, key=lambda result: -(result.score or 0))
    items = [(id, result) for result in results for id in result.ids]
    return [InexPathScoredDoc(topic, id, -position, position if result.rank is None else result.rank,
                              -position if result.score is None else result.score, run)
            for position, (id, result) in enumerate(items, 1)]


XML = Format(
    'inex-xml', 'INEX 2002 to 2008, ad hoc: XML files with paths of elements', None,
    Files(read_qrels), Files(read_run, write_xml_run), folders=True, elements=True, dataset_row=ElementQrel,
    lists=('queries',), read_queries=read_topics)
