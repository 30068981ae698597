"""Topics of TRECVID's search tasks and of the TREC-10 Video Track, a text and examples by reference; and judgements of
shots, of TRECVID and of the Video Browser Showdown (VBS).

What is judged are shots, ``shotV_N``: ids without times. A table of shots makes segments of them
(:mod:`ir_segmeasures.formats.trecvid.shot_tables`). Lines that are repeated exactly count once, as thousands are in
those of the VBS.

Sources: https://trecvid.nist.gov/topics/all/all.topics (2001),
https://www-nlpir.nist.gov/projects/tv2008/pastdata/topics/topics.2008.xml (search), the elements and attributes of
``ins.auto.topics.2019.xml`` (instance search), and ``tv22.avs.topics.txt`` (ad hoc video search); the judgements of ad
hoc video search (AVS), https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html.
"""

import os
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files import fields, reading, writing
from ir_segmeasures.formats.files.format import Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows, Number, TrecQrel
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.segments.basics import joined, plain_number, quoted
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.segments.user_warnings import warn_user

_TOPICS = ('videoTopic', 'videoInstanceTopic')
_EXAMPLES = {'imageExample': 'image', 'videoExample': 'video', 'audioExample': 'audio'}
_NUMBER = re.compile(r'\S*[0-9]\S*')
KNOWN_ITEMS, GENERAL = 'known items', 'general'
# Times are sums of their parts, such as 0h12m51s.
_PART = re.compile(r'([0-9]{1,9}(?:\.[0-9]{0,20})?)(ms|h|m|s)')
_TIME = re.compile(f'(?:{_PART.pattern})+')
_SECONDS: dict[str, Fraction | int] = {'h': 3600, 'm': 60, 's': 1, 'ms': Fraction(1, 1000)}


class TopicExample(NamedTuple):
    """An example in a topic: a picture, video or sound, by reference.

    Attributes:
        kind: ``'image'``, ``'video'`` or ``'audio'``
        source: the file or address, as the topic has it
        start, end: of its part that is meant, in seconds; None where all of it is
        shot: the shot that an image is taken from; empty if the topic does not say
        description: a note of the campaign; often empty
    """

    kind: str
    source: str
    start: Number | None
    end: Number | None
    shot: str
    description: str


class VideoTopic(NamedTuple):
    """A topic.

    Attributes:
        query_id: the topic, as the judgements write it
        text: what is looked for
        type: of instance search such as ``'PERSON'``; of 2001 ``'known items'`` or ``'general'``; else empty
        examples: in the order of the file; none in lists of texts
    """

    query_id: str
    text: str
    type: str = ''
    examples: tuple[TopicExample, ...] = ()

    def default_text(self) -> str:
        """The text of the query, under the name that ir_datasets and PyTerrier ask for."""
        return self.text


def qrels_topic(number: str) -> str:
    """The topic of a run in XML as AVS's judgements and runs in TREC's format write it: with a 1 before three digits,
    so that 661 is 1661. Anything else stays as it is. All 20 topics of 2021 are named like this; that those of other
    years are is this project's assumption."""
    return f'1{number}' if len(number) == 3 and fields.nine_digits(number) is not None else number


def read_topics(path: StrPath, topic: Callable[[str], str] = str) -> list[VideoTopic]:
    """Reads topics, in XML if the file begins with ``<``, else one a line.

    In XML they are every ``<videoTopic num>`` with its ``<textDescription text>`` (2001, and search), and every
    ``<videoInstanceTopic num text type>``; of each the ``imageExample``, ``videoExample`` and ``audioExample``. Several
    documents may stand in one file, one after the other, and document types may be malformed, as in 2001. White space
    in texts is reduced to single blanks. Other elements are ignored, and nothing that a file names is fetched.

    A line is a number or name with a digit in it, white space, and a text (ad hoc and known-item search, VBS).

    Args:
        path: a file, ``.gz`` by suffix, or a folder with ``.xml`` files, which are read in the order of their names
        topic: makes the id of the number, such as :func:`qrels_topic` for ad hoc video search

    Raises:
        FormatError: the XML is malformed behind its document type, or declares entities; a topic lacks its number or
            text, or is there twice; an example has no source, or a time that cannot be read; a line is not a number and
            text; there is no topic
        OSError: a file cannot be opened
    """
    if os.path.isdir(path) or reading.read_bytes(path, 1024).lstrip(b'\xef\xbb\xbf \t\r\n').startswith(b'<'):
        return read_records(path, partial(_topic, topic=topic), *_TOPICS, any_doctype=True)
    topics: dict[str, VideoTopic] = {}

    def row(cells: list[str]) -> None:
        if len(cells) != 2 or not _NUMBER.fullmatch(cells[0]):
            raise ValueError(f'{quoted(" ".join(cells))} is not a topic, but each line is a number and a text: '
                             'write it as 661 Find shots of a horse')
        query_id = topic(cells[0])
        fields.refuse_again(query_id, topics)
        topics[query_id] = VideoTopic(query_id, ' '.join(cells[1].split()))
    reading.numbered_rows(path, row, lambda line: line.split(None, 1))
    if not topics:
        raise FormatError(f'there is no topic: {WRONG_KIND}', path)
    return list(topics.values())


def _topic(element: XmlElement, topic: Callable[[str], str]) -> VideoTopic:
    query_id, examples = topic(element.attribute('num')), tuple(map(_example, element.all(*_EXAMPLES)))
    words = ' '.join(next(element.all('textDescription'), element).attributes.get('text', '').split())
    if not words:
        raise ValueError(f'topic {quoted(query_id)} has no text of what is looked for: add it to '
                         f'<{"textDescription" if element.name == _TOPICS[0] else element.name}>')
    # The answer of 2001 is yes or no, and its first letter, such as Y-K.
    given = element.attributes.get('knownItems', '')
    type = KNOWN_ITEMS if given.startswith('Y') or any(element.all('knownItem')) else (
        element.attributes.get('type') or (given and GENERAL))
    return VideoTopic(query_id, words, intern(type), examples)


def _example(part: XmlElement) -> TopicExample:
    start, end = (parse_hms(part.attributes[key]) if part.attributes.get(key) else None for key in ('start', 'stop'))
    return TopicExample(_EXAMPLES[part.name], part.attribute('src'), start, end,
                        part.attributes.get('shotID', ''), ' '.join(part.attributes.get('desc', '').split()))


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
    return plain_number(float(sum(Fraction(number) * _SECONDS[unit] for number, unit in parts)))


def format_hms(seconds: Number) -> str:
    """Writes seconds, 0 or more, as a time of one part: 61.5 is ``61.5s``.

    Raises:
        ValueError: from 10^9 seconds on, or more than 20 decimals
    """
    text = f'{Decimal(str(seconds)):f}'.removesuffix('.0') + 's'
    if not _PART.fullmatch(text):
        raise ValueError(f'time {seconds} cannot be written, since times are below 10^9 seconds and have at most 20 '
                         'decimals: round or correct it')
    return text


STRATA_FIELDS = 'topic 0 shot stratum relevance'


class ShotQrel(NamedTuple):
    """A judged shot of a pool that was sampled by strata.

    Attributes:
        query_id: the topic
        doc_id: the shot
        relevance: 1 relevant, 0 not relevant, -1 in the pool, but not in the sample: nobody has looked at it
        iteration: the second column of the file
        stratum: of the pool, 1 for its top
    """

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    stratum: int


def without_repeats(path: StrPath, rows: FileRows[Any], judged: int = 2) -> FileRows[Any]:
    """The rows of a file without exact repeats, of whose number a warning tells.

    Args:
        path: of the file
        rows: in the order of the lines
        judged: how many fields of a row say what is judged: two rows with the same ones are the same row

    Raises:
        FormatError: two rows contradict each other
    """
    first: dict[tuple[Any, ...], int] = {}
    for place, row in enumerate(rows):
        if (other := first.setdefault(row[:judged], place)) != place and rows[other] != row:
            assert rows.lines is not None
            raise FormatError(f'{quoted(row[1])} is judged for {quoted(row[0])} in line {rows.lines[other]} too, as '
                              f'{joined(rows[other][judged:])} and here as {joined(row[judged:])}: take the wrong one '
                              'out', path, int(rows.lines[place]))
    if len(first) == len(rows):
        return rows
    warn_user(f'{os.fspath(path)}: {len(rows) - len(first)} of {len(rows)} lines repeat an earlier one exactly, and '
              'count once')
    return rows.taken(list(first.values()))


def _line(row: Any, unit: str | None, of_strata: bool) -> list[str]:
    cells = [row.query_id, row.iteration, shot_id(row), writing.grade(row, 'a file of shots')]
    (sampled if of_strata else _relevance)(cells[-1:])
    if of_strata:
        if getattr(row, 'stratum', None) is None:
            raise ValueError('the judgement has no stratum, but every one of trecvid-strata has: write it as '
                             'trecvid-shots')
        cells.insert(3, str(writing.whole(row.stratum, 'stratum', 'trecvid-strata')))
    return cells


def shot_id(row: Any) -> str:
    """The id of a row's shot. Raises ``ValueError`` for a segment."""
    if hasattr(row, 'end') or parse_segment(writing.word(row.doc_id, 'shot')).unit is not None:
        raise ValueError('this is a segment, but what has ids of shots holds no times: choose a format that does, such '
                         'as trec')
    return writing.word(row.doc_id, 'shot')


_relevance = fields.whole_numbers('relevance', 'a grade, or -1 for what was not sampled', -1)
sampled = fields.whole_numbers('relevance', f'-1 for what was not sampled; a line is {STRATA_FIELDS}', -1, 1)
strata = fields.whole_numbers('stratum', f'a line is {STRATA_FIELDS}')


def _shot(topic: Any, iteration: Any, shot: Any, relevance: Any, graded: Callable[[Any], Any] = _relevance) -> TrecQrel:
    return TrecQrel._make((*map(fields.interned, (topic, shot)), graded(relevance), fields.interned(iteration)))


def _sampled_shot(topic: Any, iteration: Any, shot: Any, stratum: Any, relevance: Any) -> ShotQrel:
    return ShotQrel(*_shot(topic, iteration, shot, relevance, sampled), strata(stratum))


SHOT_IDS = (r'shot\S+_[0-9]+', 'shot00009_1, shot 1 of the video 00009')
_RULES = Rules(('known_query',), ids=SHOT_IDS, measured=False)
TRECVID_SHOTS = Format(
    'trecvid-shots', 'TRECVID search, instance and known-item search: 4-column judgements (runs: trec, trecvid-search)',
    None, Lines('judgements of shots without strata', 'topic 0 shot relevance', _shot, partial(_line, of_strata=False),
                held=('iteration',), finish=without_repeats).files(rules=_RULES),
    lists=('queries',), read_queries=read_topics)
TRECVID_STRATA = Format(
    'trecvid-strata', 'TRECVID AVS and VBS: 5-column judgements of shots with strata (runs: trec, trecvid-avs)', None,
    Lines('judgements of shots with strata', STRATA_FIELDS, _sampled_shot, partial(_line, of_strata=True),
          held=('iteration', 'stratum'), finish=without_repeats).files(rules=_RULES),
    dataset_row=ShotQrel, lists=('queries',), read_queries=partial(read_topics, topic=qrels_topic))
