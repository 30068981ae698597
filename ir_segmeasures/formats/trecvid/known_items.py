"""TREC-10 Video Track (2001): topics that hold their known items, and runs, both XML with parts of videos.

The collection's file names differ in case between the files of the track, so that ids are read in lower case. Times
such as ``0h12m51s`` are sums of their parts; rows have seconds. An item of a run that stops where it starts is an entry
point.
Source: the track's document type ``videoSearchResult`` and its topics.
"""

import re
from dataclasses import replace
from fractions import Fraction
from sys import intern

from ir_segmeasures.formats.files.fields import refuse_backwards, refuse_empty
from ir_segmeasures.formats.files.format import JUDGED, RETRIEVED, Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, files_of
from ir_segmeasures.formats.files.row_types import Number, SegmentQrel, SegmentScoredDoc
from ir_segmeasures.formats.files.xml import XmlElement, attribute, read_xml
from ir_segmeasures.formats.trecvid.shot_runs import XmlRuns
from ir_segmeasures.formats.trecvid.topics import read_topics
from ir_segmeasures.segments.quoting import quoted

__all__ = ['KNOWN_ITEMS', 'parse_hms', 'read_qrels', 'read_run']

_PART = re.compile(r'([0-9]{1,9}(?:\.[0-9]{0,20})?)(ms|h|m|s)')
_TIME = re.compile(f'(?:{_PART.pattern})+')
_SECONDS = {'h': Fraction(3600), 'm': Fraction(60), 's': Fraction(1), 'ms': Fraction(1, 1000)}


def parse_hms(text: str) -> Number:
    """Reads a time in its parts, numbers followed by ``h``, ``m``, ``s`` or ``ms``, as seconds: ``1m1.5s`` is 61.5.

    Raises:
        ValueError: not of this form, or a unit is there twice
    """
    parts = _PART.findall(text) if _TIME.fullmatch(text) else []
    units = [unit for _, unit in parts]
    if not units or len(set(units)) < len(units):
        raise ValueError(f'time {quoted(text)} cannot be read, but times are numbers with units of which each is there '
                         'once: h, m, s or ms (12 minutes 51.5 seconds is 12m51.5s)')
    exact = sum(Fraction(number) * _SECONDS[unit] for number, unit in parts)
    return exact.numerator if exact.denominator == 1 else float(exact)


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
        root = read_xml(file, any_doctype=True)
        items = list(root.iter('knownItem'))
        if not items and not any('num' in element.attributes for element in root.iter()):
            raise FormatError("there is neither a <knownItem> nor an element with the attribute 'num', as topics have "
                              'it: check that the file is of the kind that is being read', file)
        for item in items:
            with errors_in(file, item.line):
                numbers = (element.attributes.get('num') for element in (item, *item.around))
                query_id = next((number.strip() for number in numbers if number), '')
                if not query_id:
                    raise ValueError("<knownItem> is in no element with the attribute 'num', so that its topic is not "
                                     'known: add it')
                video, start, stop = _extent(item)
                refuse_empty(start == stop)
                rows.append(SegmentQrel(query_id, video, start, stop, 1))
    return rows


def _extent(item: XmlElement) -> tuple[str, Number, Number]:
    source, first, last = (attribute(item.attributes, key, item.name) for key in ('src', 'start', 'stop'))
    start, stop = parse_hms(first), parse_hms(last)
    refuse_backwards(stop < start, first, last)
    return intern(source.lower()), start, stop


def _retrieved(query_id: str, rank: int, item: XmlElement, run: str | None) -> SegmentScoredDoc:
    return SegmentScoredDoc(query_id, *_extent(item), -rank, rank, -rank, None, run)


_RESULT = 'videoSearchResult'
_RUNS = XmlRuns(_RESULT, _RESULT, _retrieved, name='sysId')
read_run = _RUNS.read

KNOWN_ITEMS = Format(
    'trecvid-2001', 'TREC-10 Video Track (2001): topics with their known items, runs, both XML', 't',
    Files(read_qrels, rules=replace(JUDGED, violations=('judged_once', 'known_query', 'known_video'))),
    # Coverage of known items is what is measured, which repeats do not change.
    _RUNS.files(replace(
        RETRIEVED, violations=('known_query', 'known_video'),
        warnings=('one_run', 'retrieved_once', 'judged_query', 'answered_queries', 'overlap',
                  'within_the_document'))), folders=True, lists=('queries', 'videos'),
    read_queries=read_topics, read_video=str.lower)
