"""Runs of TRECVID in XML; and the known items of the TREC-10 Video Track (2001), which its topics hold.

Runs are in XML, item by item in elements of their topics: of Ad hoc Video Search (AVS), of search, instance and
known-item search, and of the TREC-10 Video Track. Rows come in the order of the topics, within each by ``seqNum``:
whole numbers from 0 up, in any order and with gaps. Runs are written with ``seqNum`` from 1 in the order by ``score``.

In 2001, what is judged and retrieved are parts of videos. The collection's file names differ in case between the files
of the track, so that ids are read in lower case. Times such as ``0h12m51s`` are sums of their parts; rows have seconds.
An item of a run that stops where it starts is an entry point.
Source: the document types ``videoAdhocSearchRunResult`` (2016 on), ``videoSearchRunResult`` (2002–15) and
``videoSearchResult`` (2001) of the campaign, such as
https://www-nlpir.nist.gov/projects/tv2016/dtds/videoSearchRunResult.dtd; the topics of 2001.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import JUDGED, Files, Format, Rules
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in, files_of
from ir_segmeasures.formats.files.row_types import Number, SegmentQrel, SegmentScoredDoc, without_rank
from ir_segmeasures.formats.files.xml import XmlElement, each, read_xml, xml_attributes
from ir_segmeasures.formats.trecvid import judgements
from ir_segmeasures.formats.trecvid.judgements import format_hms, parse_hms, qrels_topic, read_topics, shot_id
from ir_segmeasures.segments.basics import joined, quoted


@without_rank
class ShotScoredDoc(NamedTuple):
    """A retrieved shot.

    Attributes:
        query_id: the topic, as the judgements write it
        doc_id: the shot
        score: minus the rank
        rank: ``seqNum`` of the file
        run: the team or system, ``pid`` or ``sysId`` of the file; None if there is none
    """

    query_id: str
    doc_id: str
    score: float
    rank: int
    run: str | None


def run_topic(topic: str) -> str:
    """The opposite of :func:`qrels_topic`: 1661 is 661. Raises ``ValueError`` for three digits, which would be read as
    another topic."""
    if qrels_topic(topic) != topic:
        raise ValueError(f'topic {quoted(topic)} would be read as {quoted(qrels_topic(topic))}: write the topic with '
                         'the 1 that judgements put before three digits')
    return topic[1:] if len(topic) == 4 and topic[0] == '1' and fields.nine_digits(topic) else topic


@dataclass(frozen=True)
class XmlRuns:
    """The declaration of runs in XML.

    Attributes:
        run, topic: the elements of a run, and of the items of a topic, which may be one
        row: topic, rank, ``<item>``, name of the run → the row; raises ``ValueError`` with a sentence
        item: row, unit → the attributes of ``<item>`` beside ``seqNum``; raises ``ValueError`` with a sentence
        wanted: element → its attributes that the document type wants, each by one name or more, and their values where
            these are fixed
        outer: the element around runs; empty where a file has one topic of one run
        read_topic, written_topic: ``tNum`` → topic of the rows, and back
    """

    run: str
    topic: str
    row: Callable[[str, int, XmlElement, str | None], Any]
    item: Callable[[Any, str | None], Mapping[str, str]]
    wanted: Mapping[str, Mapping[tuple[str, ...], tuple[str, ...]]]
    outer: str = ''
    read_topic: Callable[[str], str] = str
    written_topic: Callable[[str], str] = str

    def read(self, path: StrPath) -> list[Any]:
        """Reads a run.

        Args:
            path: the file, ``.gz`` by suffix, or a folder with ``.xml`` files

        Raises:
            FormatError: the XML is malformed or declares entities; there is no run, or a second one; an attribute is
                missing; a topic is there twice or repeats a ``seqNum``; an item is in no topic
            OSError: a file cannot be opened
        """
        topics: dict[str, dict[int, Any]] = {}
        for file in files_of(path, ('.xml',)):
            root = read_xml(file, ('tNum', 'seqNum', 'item', self.run, self.topic), any_doctype=True)
            runs = list(root.iter(self.run))
            if not runs and root.name != self.outer:
                raise FormatError(f'there is no <{self.run}>, so there is no run: {WRONG_KIND}', file)
            if self.outer and len(runs) > 1:
                raise FormatError('this is the second run of the file, but only one can be evaluated at a time: make a '
                                  'file of each', file, runs[1].line)
            for item in root.iter('item'):
                if item.parent is None or item.parent.name != self.topic:
                    raise FormatError(f'<item> is not in <{self.topic}>, which has its topic: {WRONG_KIND}', file,
                                      item.line)
            for run, topic in ((outer, topic) for outer in runs for topic in outer.iter(self.topic)):
                if not topic.attributes and not topic.children:
                    continue  # a run without items
                with errors_in(file, topic.line):
                    query_id = intern(self.read_topic(topic.attribute('tNum')))
                    fields.refuse_again(query_id, topics, 'all items of a topic stand together: join the two, or read '
                                                          'one run at a time')
                items = topics[query_id] = {}
                for item in topic.children:
                    with errors_in(file, item.line):
                        rank = fields.whole_number(item.attribute('seqNum'), 'seqNum', 'such as 1, 2, 3 and so on')
                        if rank in items:
                            raise ValueError(f"seqNum '{rank}' is already there, but every item of topic "
                                             f'{quoted(query_id)} has its own: number them 1, 2, 3 and so on')
                        items[rank] = self.row(query_id, rank, item, run.attributes.get(
                            'pid', run.attributes.get('sysId')))
        return [row for items in topics.values() for _, row in sorted(items.items())]

    def write(self, rows: Sequence[Any], path: StrPath, unit: str | None = None, *,
              attributes: Mapping[str, str] | None = None) -> list[str]:
        """Writes a run.

        Args:
            rows, path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
            attributes: of the run, such as ``trType``, ``class``, ``pid``, ``priority`` and ``desc``: a submission
                needs what no row has; not given: the rows' run alone

        Returns, Raises:
            as there
        """
        rows = list(rows)
        names = {writing.run_of(row) for row in rows}
        queries = {row.query_id for row in rows}
        found: dict[str, list[str]] = {} if rows or self.outer else {'': []}

        def line(row: Any, rank: int) -> None:
            if len(names) > 1 or (not self.outer and len(queries) > 1):
                raise ValueError(f'the rows are of {len(names)} runs, such as {joined(sorted(names)[:3])}, but a file '
                                 f'has one run{"" if self.outer else " of one topic"}: make a file of each')
            number = xml_attributes({'tNum': self.written_topic(writing.word(row.query_id, 'topic'))})
            xml_attributes({'name of the run': writing.run_of(row)})  # for its error
            item = xml_attributes({'seqNum': str(rank), **self.item(row, unit)})
            found.setdefault(number, []).append(f'   <item{item}/>')
        writing.ranked_lines(rows, line)
        run = xml_attributes({'pid' if self.outer else 'sysId': next(iter(names), None)}
                             if attributes is None else attributes)
        blanks, own = ('  ', '') if self.outer else ('', run)
        lines = [line for number, items in found.items()
                 for line in (f'{blanks}<{self.topic}{number}{own}>', *items, f'{blanks}</{self.topic}>')]
        if self.outer:
            lines = [f'<{self.outer}>', f' <{self.run}{run}>', *lines, f' </{self.run}>', f'</{self.outer}>']
        writing.write_text(['<?xml version="1.0" encoding="UTF-8"?>', *lines], path)
        return writing.left_out(rows, ('run',))

    def lacks(self, path: StrPath) -> list[str]:
        """The attributes that a submission needs and the file has not, in sentences."""
        found: dict[str, None] = {}
        for file in files_of(path, ('.xml',)):
            for element in read_xml(file, any_doctype=True).iter(*self.wanted):
                for names, values in self.wanted[element.name].items():
                    texts = [element.attributes.get(name, '').strip() for name in names]
                    if not any(text in values if values else text for text in texts):
                        what = ' or '.join(map(repr, names)) + (f' of {" or ".join(values)}' if values else '')
                        found[f'<{element.name}> has no {what}, which the campaign wants: add it'] = None
        return list(found)

    def files(self, rules: Rules) -> Files:
        """All that commands, checks and datasets ask about these runs."""
        return Files(self.read, self.write, rules=rules, order='rank', lacks=self.lacks)


def _retrieved_shot(query_id: str, rank: int, item: XmlElement, run: str | None) -> ShotScoredDoc:
    return ShotScoredDoc(query_id, item.attribute('shotId'), -rank, rank, run)


def _shots(kind: str, wanted: Sequence[tuple[str, ...]], **topics: Any) -> XmlRuns:
    run, topic = f'{kind}RunResult', f'{kind}TopicResult'
    return XmlRuns(run, topic, _retrieved_shot, lambda row, unit: {'shotId': shot_id(row)},
                   {run: dict.fromkeys(wanted, ()), topic: {('elapsedTime',): ()}}, f'{kind}Results', **topics)


_AVS = _shots('videoAdhocSearch', [('trType',), ('class',), ('pid',), ('priority',), ('desc',)],
              read_topic=qrels_topic, written_topic=run_topic)
_SEARCH = _shots('videoSearch', [('pType',), ('pid', 'sysId'), ('priority',), ('desc',)])  # sysId until 2013
read_avs_run, write_avs_run, read_shot_run, write_shot_run = _AVS.read, _AVS.write, _SEARCH.read, _SEARCH.write

_OF_RUNS = Rules(('retrieved_once', 'known_query'), ('judged_query', 'answered_queries'), most=1000,
                 ids=judgements.SHOT_IDS, measured=False)
TRECVID_AVS = replace(
    judgements.TRECVID_STRATA, name='trecvid-avs', run=_AVS.files(_OF_RUNS),
    description='TRECVID AVS: runs of shots in XML, judgements as in trecvid-strata')
TRECVID_SEARCH = replace(
    judgements.TRECVID_SHOTS, name='trecvid-search', run=_SEARCH.files(_OF_RUNS), description='TRECVID search, '
    'instance and known-item search: runs of shots in XML, judgements as in trecvid-shots')


def read_qrels(path: StrPath) -> list[SegmentQrel]:
    """Reads the known items of topics, every ``<knownItem src="NAD28.MPG" start="00m57s" stop="00m59s"/>``.

    Each has relevance 1; its topic is the attribute ``num`` of an element around it. A topic without known items has no
    rows. What else a topic holds is not read, malformed document types are passed over, several documents may stand in
    one file (as in the track's ``all.topics``), and nothing that a file names is fetched.

    Args:
        path: a file, ``.gz`` by suffix, or a folder with ``.xml`` files, which are read in the order of their names

    Raises:
        FormatError: the XML is malformed behind its document type, or declares entities; an item has no topic or lacks
            an attribute; a time cannot be read; an item stops where it starts or before; a folder has no such file
        OSError: a file cannot be opened
    """
    rows: list[SegmentQrel] = []
    for file in files_of(path, ('.xml',)):
        root = read_xml(file, ('knownItem', 'num', 'src', 'start', 'stop'), any_doctype=True)
        items = list(root.iter('knownItem'))
        if not items and not any('num' in element.attributes for element in root.iter()):
            raise FormatError(f"there is neither a <knownItem> nor an element with the attribute 'num': {WRONG_KIND}",
                              file)
        rows += each(file, items, _known_item)
    return rows


def _known_item(item: XmlElement) -> SegmentQrel:
    topic = next((element for element in (item, *item.around) if element.attributes.get('num')), item)
    query_id, (video, start, stop) = topic.attribute('num'), _extent(item)
    fields.refuse_empty(start == stop)
    return SegmentQrel(query_id, video, start, stop, 1)


def _extent(item: XmlElement) -> tuple[str, Number, Number]:
    source, first, last = (item.attribute(key) for key in ('src', 'start', 'stop'))
    start, stop = parse_hms(first), parse_hms(last)
    fields.refuse_backwards(stop < start, first, last)
    return intern(source.lower()), start, stop


def _retrieved(query_id: str, rank: int, item: XmlElement, run: str | None) -> SegmentScoredDoc:
    return SegmentScoredDoc(query_id, *_extent(item), -rank, rank, -rank, None, run)


def _attributes(row: Any, unit: str | None) -> dict[str, str]:
    segment = writing.segment_of(row, unit, 't', 'TREC-10 Video')
    source = writing.word(segment.document, 'video')
    if source != source.lower():
        raise ValueError(f'video {quoted(source)} would be read as {quoted(source.lower())}, since ids are compared '
                         'without case: write it in lower case')
    return {'src': source, 'start': format_hms(segment.start), 'stop': format_hms(segment.end)}


_RESULT = 'videoSearchResult'
_PARTS = XmlRuns(_RESULT, _RESULT, _retrieved, _attributes,
                {_RESULT: {('pType',): ('A', 'I'), ('sType',): ('G', 'K'), ('sysId',): ()}})
read_run, write_run = _PARTS.read, _PARTS.write

TRECVID_2001 = Format(
    'trecvid-2001', 'TREC-10 Video Track (2001): topics with their known items, runs, both XML', 't',
    Files(read_qrels, rules=Rules(('judged_once', 'known_query', 'known_video'), JUDGED.warnings)),
    # Coverage of known items is what is measured, which repeats do not change.
    _PARTS.files(Rules(('known_query', 'known_video'), (
        'one_run', 'retrieved_once', 'judged_query', 'answered_queries', 'overlap', 'within_the_document'))),
    folders=True, lists=('queries', 'videos'),
    read_queries=read_topics, read_video=str.lower)
