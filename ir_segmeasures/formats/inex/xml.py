"""Runs of the INEX ad hoc track in XML (2002–10), and the format that they are in.

Elements keep the paths that the files have, in ids such as ``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``. Element
measures take these as they are; measures of text need offsets, which a table of the collection's elements adds:
:func:`~ir_segmeasures.resolve`.
"""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.files.xml import XmlElement, each, read_xml, xml_attributes, xml_text
from ir_segmeasures.formats.inex import topics
from ir_segmeasures.formats.inex.assessments import ElementQrel, read_qrels
from ir_segmeasures.formats.inex.passages import InexPathScoredDoc, passage_of
from ir_segmeasures.formats.inex.topics import TASKS, XML_RUN, checked_path, only_text, place_of
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment


def read_run(path: StrPath, collections: bool = False) -> Sequence[InexPathScoredDoc]:
    """Reads a run: ``<inex-submission run-id>``, in it ``<topic topic-id>``, in these ``<result>`` with ``<file>``,
    ``<path>``, ``<passage start end/>`` or ``<fol offset length/>``, and ``<rank>`` or ``<rsv>``.

    Rows come in the official order: topics as in the file, within each by rank, or by descending rsv if no result of
    the topic has a rank, ties in file order. A result with several paths, as 2006 had them, is an item for each, in
    file order. Paths become ids such as ``file#xpath=/article[1]/bdy[1]``, offset and length ids such as
    ``file#char=10,20``. Passages, which 2007 had, arbitrary ones as well as ranges of elements, start and end as those
    of assessments do (not checked against a real run), and become ids of
    :func:`~ir_segmeasures.formats.inex.topics.range_id`. Other elements are ignored.

    Args:
        path: of the file
        collections: whether the document is named with its collection, ``ieee/co/2001/r7022``, as
            :func:`~ir_segmeasures.formats.inex.assessments.read_qrels` does: that of ``<in>``, or the only
            ``<collection>`` of the run

    Raises:
        FormatError: the XML is malformed, declares entities or is not a run; a topic is there twice or has results with
            and without ranks; a result has no file, no place or neither rank nor rsv, or with ``collections`` no
            collection; one of these cannot be read
        OSError: the file cannot be opened
    """
    root = read_xml(path)
    if root.name != XML_RUN:
        raise FormatError(f'the root is <{root.name}>, but that of a run is <{XML_RUN}>: {WRONG_KIND}', path, root.line)
    run = root.attributes.get('run-id', '').strip() or None
    rows: dict[str, list[InexPathScoredDoc]] = {}
    named = [element.content for element in root.all('collection')] if collections else None
    for element in root.all('topic', 'result'):
        with errors_in(path, element.line):
            if element.name == 'result':
                if all(outer.name != 'topic' for outer in element.around):
                    raise ValueError('<result> is in no <topic>: put it into its topic')
                continue
            topic = fields.id_of(element.attribute('topic-id'), 'topic-id')
            fields.refuse_again(topic, rows, 'its results stand together: join the two')
            results = list(each(path, element.all('result'), partial(_result, collections=named)))
            ranked = sum(rank is not None for _, rank, _ in results)
            if 0 < ranked < len(results):
                raise ValueError(f'topic {quoted(topic)} has {len(results)} results, of which {ranked} have a <rank>: '
                                 'give all of them a rank, or none')
            results.sort(key=lambda result: -(result[2] or 0) if result[1] is None else result[1])
            items = enumerate(((id, rank, score) for ids, rank, score in results for id in ids), 1)
            rows[topic] = [InexPathScoredDoc(topic, id, -position, position if rank is None else rank,
                                             -position if score is None else score, run)
                           for position, (id, rank, score) in items]
    return FileRows.of(InexPathScoredDoc, [row for found in rows.values() for row in found])


def _result(result: XmlElement, collections: Sequence[str] | None) -> tuple[list[str], int | None, float | None]:
    """The ids, the rank and the score of a result."""
    texts = {name: [element.content for element in result.all(name)] for name in ('rank', 'rsv', 'in')}
    rank, score, collection = (only_text(texts, name) for name in texts)
    if rank is None and score is None:
        raise ValueError('<result> has neither <rank> nor <rsv>, which order results: add one')
    file = result.id('file')
    if collections is not None:
        if collection is None and len(set(collections)) != 1:
            raise ValueError(f'<result> has no <in>, and the run has {len(set(collections))} collections: add <in>, or '
                             'the <collection> of the run')
        file = fields.id_of(f'{collection or collections[0]}/{file}', 'the collection with <file>')
    ids = [_id(file, element) for element in result.all('path', 'passage', 'fol')]
    if not ids:
        raise ValueError('<result> has neither <path>, <passage> nor <fol>, which say what is retrieved: add one')
    return (ids, None if rank is None else fields.whole_number(rank, 'rank', 'the text of <rank>'),
            None if score is None else fields.scores([score])[0].item())


def _id(file: str, place: XmlElement) -> str:
    if place.name == 'path':
        return topics.element_id(file, place.content)
    if place.name == 'passage':
        return topics.range_id(file, *(place.attribute(key) for key in ('start', 'end')))
    start, length = (topics.number_of(place, key) for key in ('offset', 'length'))
    return format_segment(Segment(file, float(start), float(start + length), 'char'))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a run in XML, topic by topic, with ranks from 1 in the order by ``score``: elements by their paths,
    without offsets, and passages as offset and length.

    Args, Returns, Raises:
        as :class:`~ir_segmeasures.formats.files.format.Writer`, with the fields of
        :class:`InexPathScoredDoc`; all rows are of one run
    """
    rows = list(rows)
    run = writing.run_of(next(iter(rows), None))

    def result(row: Any, rank: int) -> tuple[str, str]:
        xml_attributes({'run-id': writing.word(run, 'name of the run')})  # refuses what XML does not have
        if writing.run_of(row) != run:
            raise ValueError(f'the first row is of run {quoted(run)}, but a file has one run: make a file of each')
        element = None if hasattr(row, 'end') else parse_segment(row.doc_id, elements=True)
        if element is not None and element.path is not None:
            document, place = element.document, _place(element.path)
        else:
            document, start, end = passage_of(row, unit)
            place = f'<fol offset="{start}" length="{end - start}"/>'
        xml_attributes({'file': document})
        topic = f'<topic{xml_attributes({"topic-id": writing.word(row.query_id, "topic")})}>'
        return topic, (f'<result><file>{xml_text(writing.word(document, "file"))}</file>{place}<rank>{rank}</rank>'
                       f'<rsv>{writing.decimal(writing.own_score(row), "score")}</rsv></result>')
    by_topic = groupby(writing.ranked_lines(rows, result), itemgetter(0))
    writing.write_text(['<?xml version="1.0" encoding="UTF-8"?>', f'<inex-submission{xml_attributes({"run-id": run})}>',
                *(line for topic, results in by_topic for line in (topic, *(text for _, text in results), '</topic>')),
                '</inex-submission>'], path)
    return writing.left_out(rows, ('run', 'run_score'), paths=True)


def _place(path: str) -> str:
    """The element of a path, or what lies between the two ends of a range."""
    start, is_range, end = path.partition(',')
    if is_range:
        place_of(start)
        place_of(end)
        return f'<passage{xml_attributes({"start": start, "end": end})}/>'
    return f'<path>{xml_text(checked_path(path))}</path>'


INEX_XML = Format(
    'inex-xml', 'INEX 2002 to 2008, ad hoc: XML files with paths of elements', None,
    Files(read_qrels, rules=Rules(('known_query',))),  # the reader refuses what is there twice
    Files(read_run, write_run, order='rank', rules=Rules(
        ('known_query',), ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries',
                           'apart_in_focused_runs', 'documents_together'), TASKS, most=1500)),
    folders=True, elements=True, dataset_row=ElementQrel, lists=('queries',), read_queries=topics.read_topics)
