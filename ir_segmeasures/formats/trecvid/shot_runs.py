"""Runs of TRECVID in XML, shots by topic: of Ad hoc Video Search (AVS), and of search, instance and known-item search.

Source: the document types ``videoAdhocSearchRunResult`` (2016 on) and ``videoSearchRunResult`` (2002–15) of the
campaign, such as https://www-nlpir.nist.gov/projects/tv2016/dtds/videoSearchRunResult.dtd.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from operator import attrgetter
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import nine_digits, refuse_again
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.writing import left_out, ranked, ranked_lines, run_of, word, write_text
from ir_segmeasures.formats.files.xml import XmlElement, attribute, read_xml, xml_attributes
from ir_segmeasures.formats.trecvid.judged_shots import SHOT_IDS, SHOTS, STRATA, shot_id
from ir_segmeasures.formats.trecvid.topics import qrels_topic
from ir_segmeasures.segments.quoting import quoted

__all__ = ['AVS', 'SEARCH', 'ShotScoredDoc', 'item_rank', 'qrels_topic', 'read_avs_run', 'read_shot_run', 'run_topic',
           'write_avs_run', 'write_shot_run']

MOST_ITEMS = 1000  # of a topic

# The elements of a run, from the root down
_TAGS = ['videoAdhocSearchResults', 'videoAdhocSearchRunResult', 'videoAdhocSearchTopicResult', 'item']
_SEARCH_TAGS = ['videoSearchResults', 'videoSearchRunResult', 'videoSearchTopicResult', 'item']
# Attributes of a run that its document type wants, in all years that are known.
_AVS_WANTED = [(name,) for name in ('trType', 'class', 'pid', 'priority', 'desc')]
_SEARCH_WANTED = [('pType',), ('pid', 'sysId'), ('priority',), ('desc',)]
_NAMES = ('pid', 'sysId')  # of a run; the second until 2013


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
        raise ValueError(f'topic {quoted(topic)} would be read as {quoted(qrels_topic(topic))}, since topics of three '
                         'digits are written without the 1 that the judgements put before them: write the topic as '
                         'they do')
    return topic[1:] if len(topic) == 4 and topic[0] == '1' and nine_digits(topic) else topic


def read_avs_run(path: StrPath, topic: Callable[[str], str] = qrels_topic) -> list[ShotScoredDoc]:
    """Reads a run of AVS in XML: in ``videoAdhocSearchResults`` a ``videoAdhocSearchRunResult`` with a
    ``videoAdhocSearchTopicResult tNum`` for each topic, which has an ``item seqNum shotId`` for each shot.

    Rows come in the order of the topics, within each by ``seqNum``: whole numbers from 0 up, in any order and with
    gaps.

    Args:
        path: the file, ``.gz`` by suffix
        topic: makes a row's topic of ``tNum``; ``str`` leaves it as it is written

    Raises:
        FormatError: the XML is malformed, or has other elements than these; an attribute is missing; a topic is there
            twice, repeats a ``seqNum`` or has more than 1,000 items; there are several runs
        OSError: the file cannot be opened
    """
    return _read(path, _TAGS, topic)


def read_shot_run(path: StrPath, topic: Callable[[str], str] = str) -> list[ShotScoredDoc]:
    """Reads a run of search, instance or known-item search in XML, as :func:`read_avs_run`: its elements are
    ``videoSearchResults``, ``videoSearchRunResult``, ``videoSearchTopicResult tNum`` and ``item seqNum shotId``.

    Args, Raises:
        as there; topics stay as they are written if ``topic`` is not given
    """
    return _read(path, _SEARCH_TAGS, topic)


def _read(path: StrPath, tags: list[str], topic: Callable[[str], str]) -> list[ShotScoredDoc]:
    topics: dict[str, dict[int, ShotScoredDoc]] = {}
    run: XmlElement | None = None
    query_id = ''
    for element in read_xml(path).iter():
        with errors_in(path, element.line):
            depth = len(list(element.around))  # the document is 1 deep
            if element.name != tags[min(depth, len(tags)) - 1] or depth > len(tags):
                raise ValueError(f'<{element.name}> is in the place of <{tags[min(depth, len(tags)) - 1]}>, but a '
                                 f'run is {" / ".join(tags)}: check that the file is of the kind that is being read')
            if depth == 2 and run is not None:
                raise ValueError('this is the second run of the file, but only one can be evaluated at a time: make a '
                                 'file of each')
            if depth == 2:
                run = element
            elif depth == 3:
                query_id = intern(topic(attribute(element.attributes, 'tNum', element.name)))
                refuse_again(query_id, topics, 'all items of a topic stand together: join the two')
                topics[query_id] = {}
            elif depth == 4 and run is not None:
                items = topics[query_id]
                rank = item_rank(attribute(element.attributes, 'seqNum', element.name), query_id, items)
                if len(items) == MOST_ITEMS:
                    raise ValueError(f'topic {quoted(query_id)} has more than {MOST_ITEMS} items, but no run may: '
                                     'cut it off there')
                name = next((run.attributes[key] for key in _NAMES if key in run.attributes), None)
                items[rank] = ShotScoredDoc(query_id, attribute(element.attributes, 'shotId', element.name), -rank,
                rank, name)
    return [row for items in topics.values() for row in sorted(items.values(), key=attrgetter('rank'))]


def write_avs_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, *,
                  topic: Callable[[str], str] = run_topic, attributes: Mapping[str, str] | None = None) -> list[str]:
    """Writes a run of AVS in XML, with ``seqNum`` from 1 in the order by ``score``.

    Args:
        rows, path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`, with at most 1,000 rows a topic
        topic: makes ``tNum`` of a row's topic
        attributes: of the run, such as ``trType``, ``class``, ``pid``, ``priority`` and ``desc``: a submission needs
            what no row has; not given: the rows' run as ``pid`` alone

    Returns, Raises:
        as :class:`~ir_segmeasures.formats.files.format.Writer`
    """
    return _write(rows, path, _TAGS, topic, attributes)


def write_shot_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, *,
                   topic: Callable[[str], str] = str, attributes: Mapping[str, str] | None = None) -> list[str]:
    """Writes a run of search, instance or known-item search in XML, as :func:`write_avs_run`.

    Args, Returns, Raises:
        as there; topics stay as they are if ``topic`` is not given, and ``attributes`` are such as ``pType``, ``pid``
        (``sysId`` until 2013), ``priority``, ``exampleSet`` and ``desc``
    """
    return _write(rows, path, _SEARCH_TAGS, topic, attributes)


def _write(rows: Sequence[Any], path: StrPath, elements: list[str], topic: Callable[[str], str],
           attributes: Mapping[str, str] | None) -> list[str]:
    names = {run_of(row) for row in rows}
    tags: dict[str, str] = {}

    def line(row: Any, rank: int) -> str:
        if rank > MOST_ITEMS:
            raise ValueError(f'this is item {rank} of its topic, but no topic of a run has more than {MOST_ITEMS}: cut '
                             'it off there')
        if len(names) > 1:
            raise ValueError(f'the rows have {len(names)} names of runs, such as {", ".join(sorted(names)[:3])}, but a '
                             'file has one run: make a file of each')
        xml_attributes({'pid': next(iter(names))})
        tags[row.query_id] = xml_attributes({'tNum': topic(word(row.query_id, 'topic'))})
        return f'   <item{xml_attributes({"seqNum": str(rank), "shotId": shot_id(row)})}/>'
    items = iter(ranked_lines(rows, line))
    run = xml_attributes({'pid': next(iter(names), None)} if attributes is None else attributes)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{elements[0]}>', f' <{elements[1]}{run}>']
    for query_id, positions in ranked(rows).items():
        lines += [f'  <{elements[2]}{tags[query_id]}>', *(next(items) for _ in positions), f'  </{elements[2]}>']
    write_text([*lines, f' </{elements[1]}>', f'</{elements[0]}>'], path)
    return left_out(rows, ('run',))


def _lacks(path: StrPath, tags: list[str], wanted: Sequence[tuple[str, ...]]) -> list[str]:
    """The attributes of its run and of its topics that a submission needs and the file has not, in sentences."""
    lacks: dict[str, None] = {}
    for element in read_xml(path).iter():
        choices = wanted if element.name == tags[1] else [('elapsedTime',)] if element.name == tags[2] else []
        names = [' or '.join(map(repr, names)) for names in choices
                 if not any(element.attributes.get(key, '').strip() for key in names)]
        if names:
            lacks[f'<{element.name}> has no {", ".join(names)}, but the document type of the campaign wants it: add '
                  'it'] = None
    return list(lacks)


def item_rank(text: str, query_id: str, items: Container[int]) -> int:
    """The ``seqNum`` of an item. Raises ``ValueError`` for one that other items of the topic have, or no number."""
    rank: int | None = nine_digits(text)
    if rank is None:
        raise ValueError(f'seqNum {quoted(text)} is not a whole number from 0 up, but items are ordered by it: number '
                         'the items of a topic 1, 2, 3 and so on')
    if rank in items:
        raise ValueError(f'seqNum {rank} of topic {quoted(query_id)} is already there, but every item of a topic has a '
                         'number of its own: number the items 1, 2, 3 and so on')
    return rank


_RULES = Rules(('retrieved_once', 'known_query'), ('with_attributes', 'judged_query', 'answered_queries'), ids=SHOT_IDS,
               measured=False)
AVS = Format(
    'trecvid-avs', 'TRECVID AVS: runs of shots in XML, judgements as in trecvid-strata', None, STRATA.qrels,
    Files(read_avs_run, write_avs_run, rules=_RULES, order='rank',
          lacks=partial(_lacks, tags=_TAGS, wanted=_AVS_WANTED)),
    dataset_row=STRATA.dataset_row, lists=STRATA.lists, read_queries=STRATA.read_queries)
SEARCH = Format(
    'trecvid-search', 'TRECVID search, instance and known-item search: runs of shots in XML, judgements as in '
    'trecvid-shots', None, SHOTS.qrels,
    Files(read_shot_run, write_shot_run, rules=_RULES, order='rank',
          lacks=partial(_lacks, tags=_SEARCH_TAGS, wanted=_SEARCH_WANTED)),
    lists=SHOTS.lists, read_queries=SHOTS.read_queries)
