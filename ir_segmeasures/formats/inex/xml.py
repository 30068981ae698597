"""Runs of the INEX ad hoc track in XML (2002–10), and the format that they are in.

Elements keep the paths that the files have, in ids such as ``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``. Element
measures take these as they are; measures of text need offsets, which a table of the collection's elements adds:
:func:`~ir_segmeasures.resolve`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import refuse_again, scores
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.files.xml import XmlElement, attribute, read_xml
from ir_segmeasures.formats.inex.assessments import ElementQrel, read_qrels
from ir_segmeasures.formats.inex.fields import TASKS, XML_RUN, id_of, number_of, only_text, whole_number
from ir_segmeasures.formats.inex.paths import InexPathScoredDoc, element_id, range_id
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics
from ir_segmeasures.formats.inex.writing import write_xml_run
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['XML', 'InexTopic', 'read_run', 'read_topics']

_NAMES = ('file', 'path', 'rank', 'rsv', XML_RUN, 'topic', 'topic-id', 'result', 'fol', 'offset', 'length', 'passage',
          'start', 'end', 'run-id')
Place = str | tuple[int, int] | tuple[str, str]  # a path, characters, or the ends of a passage


def read_run(path: StrPath, collections: bool = False) -> Sequence[InexPathScoredDoc]:
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
    root = read_xml(path, _NAMES)
    if root.name != XML_RUN:
        raise FormatError(f'the root is <{root.name}>, but that of a run is <{XML_RUN}>: check that the file is of the '
                          'kind that is being read', path, root.line)
    run = root.attributes.get('run-id', '').strip() or None
    rows: list[InexPathScoredDoc] = []
    known: set[str] = set()
    named: list[str] | None = [] if collections else None  # the run's collections
    inside: set[int] = set()  # results in topics
    for element in root.all('topic', 'collection', 'result'):
        with errors_in(path, element.line):
            if element.name == 'result' and id(element) not in inside:
                raise ValueError('<result> is in no <topic>, but every result answers one: put it into its topic')
            if element.name == 'collection' and named is not None and not known:
                named.append(element.content)
            if element.name == 'topic':
                topic = id_of(attribute(element.attributes, 'topic-id', 'topic'), 'topic-id')
                refuse_again(topic, known, 'its results stand together: join the two')
                known.add(topic)
                elements = list(element.all('result'))
                inside.update(map(id, elements))
                results = []
                for found in elements:
                    with errors_in(path, found.line):
                        results.append(_result(found, named))
                rows += _ranked(topic, results, run)
    return FileRows.of(InexPathScoredDoc, rows)


class _Result(NamedTuple):
    ids: list[str]
    rank: int | None
    score: float | None


def _result(element: XmlElement, collections: Sequence[str] | None) -> _Result:
    texts: dict[str, list[str]] = {}
    places: list[Place] = []
    for part in element.all():
        if part.name == 'path':
            places.append(part.content)
        elif part.name == 'fol':
            start, length = (number_of(part.attributes, key, 'fol') for key in ('offset', 'length'))
            places.append((start, start + length))
        elif part.name == 'passage':
            start_path, end_path = (attribute(part.attributes, key, 'passage') for key in ('start', 'end'))
            places.append((start_path, end_path))
        else:
            texts.setdefault(part.name, []).append(part.content)
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
                   None if score is None else scores([score])[0].item())


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
    Files(read_qrels, rules=Rules(('known_query',))),  # the reader refuses what is there twice
    Files(read_run, write_xml_run, order='rank', rules=Rules(
        ('known_query',), ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries',
                           'apart_in_focused_runs', 'documents_together'), TASKS, most=1500)),
    folders=True, elements=True, dataset_row=ElementQrel, lists=('queries',), read_queries=read_topics)
