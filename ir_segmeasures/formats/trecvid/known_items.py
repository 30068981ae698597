"""TREC-10 Video Track (2001): topics that hold their known items, and runs, both XML with parts of videos.

The collection's file names differ in case between the files of the track, so that ids are read in lower case. Times
such as ``0h12m51s`` are sums of their parts; rows have seconds. An item of a run that stops where it starts is an entry
point.
Source: the track's document type ``videoSearchResult`` and its topics.
"""

from sys import intern
from typing import Any

from ir_segmeasures.formats.files.fields import refuse_backwards, refuse_empty
from ir_segmeasures.formats.files.format import JUDGED, Files, Format, Rules
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in, files_of
from ir_segmeasures.formats.files.row_types import Number, SegmentQrel, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import segment_of, word
from ir_segmeasures.formats.files.xml import XmlElement, read_xml
from ir_segmeasures.formats.trecvid import XmlRuns
from ir_segmeasures.formats.trecvid.topics import format_hms, parse_hms, read_topics
from ir_segmeasures.segments.quoting import quoted


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
        for item in items:
            with errors_in(file, item.line):
                numbers = (element.attributes.get('num') for element in (item, *item.around))
                query_id = next((number.strip() for number in numbers if number), '')
                if not query_id:
                    raise ValueError("<knownItem> is in no element with the attribute 'num' of its topic: add it")
                video, start, stop = _extent(item)
                refuse_empty(start == stop)
                rows.append(SegmentQrel(query_id, video, start, stop, 1))
    return rows


def _extent(item: XmlElement) -> tuple[str, Number, Number]:
    source, first, last = (item.attribute(key) for key in ('src', 'start', 'stop'))
    start, stop = parse_hms(first), parse_hms(last)
    refuse_backwards(stop < start, first, last)
    return intern(source.lower()), start, stop


def _retrieved(query_id: str, rank: int, item: XmlElement, run: str | None) -> SegmentScoredDoc:
    return SegmentScoredDoc(query_id, *_extent(item), -rank, rank, -rank, None, run)


def _attributes(row: Any, unit: str | None) -> dict[str, str]:
    segment = segment_of(row, unit, 't', 'TREC-10 Video')
    source = word(segment.document, 'video')
    if source != source.lower():
        raise ValueError(f'video {quoted(source)} would be read as {quoted(source.lower())}, since ids are compared '
                         'without case: write it in lower case')
    return {'src': source, 'start': format_hms(segment.start), 'stop': format_hms(segment.end)}


_RESULT = 'videoSearchResult'
_RUNS = XmlRuns(_RESULT, _RESULT, _retrieved, _attributes,
                {_RESULT: {('pType',): ('A', 'I'), ('sType',): ('G', 'K'), ('sysId',): ()}})
read_run, write_run = _RUNS.read, _RUNS.write

KNOWN_ITEMS = Format(
    'trecvid-2001', 'TREC-10 Video Track (2001): topics with their known items, runs, both XML', 't',
    Files(read_qrels, rules=Rules(('judged_once', 'known_query', 'known_video'), JUDGED.warnings)),
    # Coverage of known items is what is measured, which repeats do not change.
    _RUNS.files(Rules(('known_query', 'known_video'), (
        'one_run', 'retrieved_once', 'judged_query', 'answered_queries', 'overlap', 'within_the_document'))),
    folders=True, lists=('queries', 'videos'),
    read_queries=read_topics, read_video=str.lower)
