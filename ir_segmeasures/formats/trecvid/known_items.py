"""TREC-10 Video Track (2001): topics that hold their known items, and runs, both XML with parts of videos.

The collection's file names differ in case between the files of the track, so that ids are read in lower case. Times
such as ``0h12m51s`` are sums of their parts; rows have seconds.
Source: the track's document type ``videoSearchResult`` and its topics.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from sys import intern
from typing import Any

from ir_segmeasures.formats.files.fields import refuse_again
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.format import JUDGED, RETRIEVED, Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import Number, SegmentQrel, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import left_out, ranked_lines, run_of, segment_of, word, write_text
from ir_segmeasures.formats.files.xml import attribute, read_xml, xml_attributes
from ir_segmeasures.formats.trecvid.shot_runs import item_rank
from ir_segmeasures.formats.trecvid.times import format_hms, parse_hms
from ir_segmeasures.formats.trecvid.topics import read_topics
from ir_segmeasures.segments.quoting import quoted

__all__ = ['KNOWN_ITEMS', 'format_hms', 'parse_hms', 'read_qrels', 'read_run', 'write_run']

_NAME = 'TREC-10 Video'
_SUFFIXES = ('.xml',)
_RESULT = 'videoSearchResult'
_NAMES = ('knownItem', 'num', _RESULT, 'tNum', 'item', 'seqNum', 'src', 'start', 'stop')


def read_qrels(path: StrPath, topic: str | Callable[[str], str] | None = None) -> list[SegmentQrel]:
    """Reads the known items of topics, every ``<knownItem src="NAD28.MPG" start="00m57s" stop="00m59s"/>``.

    Each has relevance 1. A topic without known items has no rows. What else a topic holds is not read, malformed
    document types are passed over, several documents may stand in one file (as in the track's ``all.topics``), and
    nothing that a file names is fetched.

    Args:
        path: a file, ``.gz`` by suffix, or a folder with ``.xml`` files, which are read in the order of their names
        topic: the id of the topic; that of the attribute ``num`` of an element around the item if it is not given, or
            what a function makes of the file's name without suffix

    Raises:
        FormatError: the XML is malformed behind its document type, or declares entities; an item has no topic or lacks
            an attribute; a time cannot be read; an item stops where it starts or before; a folder has no such file
        OSError: a file cannot be opened
    """
    return [row for file in files_of(path, _SUFFIXES) for row in _known_items(file, topic)]


def read_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads a run: ``<videoSearchResult tNum pType sType sysId>`` for each topic, with an ``<item seqNum src start
    stop/>`` for each part of a video.

    Rows come in the order of the topics, within each by ``seqNum``: whole numbers from 0 up, in any order and with
    gaps. An item that stops where it starts is an entry point. The run's name is ``sysId``; ``pType`` and ``sType`` are
    not kept.

    Args:
        path: a file with one ``videoSearchResult``, or several in one element; or a folder with ``.xml`` files

    Raises:
        FormatError: the XML is malformed behind its document type, or declares entities; an attribute is missing; a
            time cannot be read; an item stops before it starts; a topic is there twice or repeats a ``seqNum``; an item
            is in no topic; a folder has no such file
        OSError: a file cannot be opened
    """
    topics: dict[str, dict[int, SegmentScoredDoc]] = {}
    for file in files_of(path, _SUFFIXES):
        _results(file, topics)
    return [row for items in topics.values() for row in sorted(items.values(), key=attrgetter('rank'))]


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, *, p_type: str | None = None,
              s_type: str | None = None) -> list[str]:
    """Writes a run of one topic, as the document type wants it, with ``seqNum`` from 1 in the order by ``score``.

    Args:
        rows: of any reader, in seconds
        path: packed if it ends in ``.gz``
        unit: of the rows' ``start`` and ``end``, where these are not in the ids
        p_type: ``'A'`` (automatic) or ``'I'`` (interactive)
        s_type: ``'G'`` (general) or ``'K'`` (known items); the document type wants both, and no row has them

    Returns:
        what the rows have and the file has not, in words

    Raises:
        WriteError: a row cannot be held, or is of another topic than the first
        OSError: the file cannot be written
    """
    first = next(iter(rows), None)
    topic = None if first is None else first.query_id
    run = None if first is None else run_of(first)

    def line(row: Any, rank: int) -> str:
        if (row.query_id, run_of(row)) != (topic, run):
            raise ValueError(f'the first row is of topic {quoted(topic)} and run {quoted(run)}, but a file has one '
                             'topic of one run: make a file of each')
        xml_attributes({'tNum': word(row.query_id, 'topic'), 'sysId': run})
        segment = segment_of(row, unit, 't', _NAME)
        source = word(segment.document, 'video')
        if source != source.lower():
            raise ValueError(f'video {quoted(source)} would be read as {quoted(source.lower())}, since ids are '
                             'compared without case: write it in lower case')
        return ' <item{}/>'.format(xml_attributes({
            'seqNum': str(rank), 'src': source, 'start': format_hms(segment.start), 'stop': format_hms(segment.end)}))
    items = ranked_lines(rows, line)
    head = xml_attributes({'tNum': topic, 'pType': p_type, 'sType': s_type, 'sysId': run})
    write_text(['<?xml version="1.0" encoding="UTF-8"?>', f'<videoSearchResult{head}>', *items,
                '</videoSearchResult>'], path)
    return left_out(rows, ('run',))


def _known_items(path: StrPath, topic: str | Callable[[str], str] | None) -> list[SegmentQrel]:
    rows: list[SegmentQrel] = []
    given = topic(stem(path, _SUFFIXES)) if callable(topic) else topic
    root = read_xml(path, _NAMES, any_doctype=True)
    for item in root.iter('knownItem'):
        with errors_in(path, item.line):
            numbers = (element.attributes.get('num') for element in (item, *item.around))
            query_id = given or next((number.strip() for number in numbers if number), '')
            if not query_id:
                raise ValueError("<knownItem> is in no element with the attribute 'num', so that its topic is not "
                                 "known: "
                                 'add it, or give read_qrels the topic')
            video, start, stop = _extent('knownItem', item.attributes)
            if start == stop:
                raise ValueError(f'the item starts and stops at {quoted(item.attributes["start"])}, but a relevant '
                                 'judgement needs content: move its stop, or take it out')
            rows.append(SegmentQrel(query_id, video, start, stop, 1))
    if not (rows or any('num' in element.attributes for element in root.iter())):
        raise FormatError("there is neither a <knownItem> nor an element with the attribute 'num', as topics have it: "
                          'check that the file is of the kind that is being read', path)
    return rows


def _results(path: StrPath, topics: dict[str, dict[int, SegmentScoredDoc]]) -> None:
    """Adds the items of a file to those of the topics."""
    root = read_xml(path, _NAMES, any_doctype=True)
    for element in root.iter(_RESULT, 'item'):
        with errors_in(path, element.line):
            result = element if element.name == _RESULT else next(
                (outer for outer in element.around if outer.name == _RESULT), None)
            if result is None:
                raise ValueError(f'<item> is not in <{_RESULT}>, which has its topic: check that the file is of the '
                                 'kind that is being read')
            if element is result and not {'tNum', 'sysId'} & result.attributes.keys():
                continue  # a run without items has none
            query_id, run = (intern(attribute(result.attributes, key, _RESULT)) for key in ('tNum', 'sysId'))
            if element is result:
                refuse_again(query_id, topics, 'all items of a topic stand together: join the two, or read one run at '
                                               'a time')
                topics[query_id] = {}
            else:
                rank = item_rank(attribute(element.attributes, 'seqNum', 'item'), query_id, topics[query_id])
                topics[query_id][rank] = SegmentScoredDoc(query_id, *_extent('item', element.attributes), -rank, rank,
                                                          -rank, None, run)
    if not any(root.iter(_RESULT)):
        raise FormatError(f'there is no <{_RESULT}>, so there is no run: check that the file is of the kind that is '
                          'being read', path)


def _lacks(path: StrPath) -> list[str]:
    """The attributes that the document type of runs wants beside those that are read, and a file has not."""
    return list(dict.fromkeys(
        f'<{_RESULT}> has {key} {result.attributes.get(key)!r}, but the document type of the track wants '
        f'{" or ".join(values)}: correct it'
        for file in files_of(path, _SUFFIXES) for result in read_xml(file, any_doctype=True).iter(_RESULT)
        for key, values in (('pType', ('A', 'I')), ('sType', ('G', 'K'))) if result.attributes.get(key) not in values))


def _extent(name: str, attributes: dict[str, str]) -> tuple[str, Number, Number]:
    source, first, last = (attribute(attributes, key, name) for key in ('src', 'start', 'stop'))
    start, stop = parse_hms(first), parse_hms(last)
    if stop < start:
        raise ValueError(f'stop {quoted(last)} is before start {quoted(first)}, but a segment cannot end before it '
                         'starts: swap the two, or correct one')
    return intern(source.lower()), start, stop


KNOWN_ITEMS = Format(
    'trecvid-2001', 'TREC-10 Video Track (2001): topics with their known items, runs, both XML', 't',
    Files(read_qrels, rules=replace(JUDGED, violations=('judged_once', 'known_query', 'known_video'))),
    # Coverage of known items is what is measured, which repeats do not change.
    Files(read_run, write_run, lacks=_lacks, order='rank', rules=replace(
        RETRIEVED, violations=('known_query', 'known_video'),
        warnings=('with_attributes', 'one_run', 'retrieved_once', 'judged_query', 'answered_queries', 'overlap',
                  'within_the_document'))), folders=True, lists=('queries', 'videos'),
    read_queries=read_topics, read_video=str.lower)
