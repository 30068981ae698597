"""Runs of TRECVID in XML, item by item in elements of their topics: of Ad hoc Video Search (AVS), of search, instance
and known-item search, and of the TREC-10 Video Track.

Rows come in the order of the topics, within each by ``seqNum``: whole numbers from 0 up, in any order and with gaps.
Runs are written with ``seqNum`` from 1 in the order by ``score``.
Source: the document types ``videoAdhocSearchRunResult`` (2016 on), ``videoSearchRunResult`` (2002–15) and
``videoSearchResult`` (2001) of the campaign, such as
https://www-nlpir.nist.gov/projects/tv2016/dtds/videoSearchRunResult.dtd.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import nine_digits, refuse_again
from ir_segmeasures.formats.files.format import Files, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, files_of
from ir_segmeasures.formats.files.writing import left_out, ranked_lines, run_of, word, write_text
from ir_segmeasures.formats.files.xml import XmlElement, attribute, read_xml, xml_attributes
from ir_segmeasures.formats.trecvid.judged_shots import SHOT_IDS, SHOTS, STRATA, shot_id
from ir_segmeasures.formats.trecvid.topics import qrels_topic
from ir_segmeasures.segments.quoting import quoted

__all__ = ['AVS', 'SEARCH', 'ShotScoredDoc', 'XmlRuns', 'read_avs_run', 'run_topic', 'write_avs_run']

_KIND = 'check that the file is of the kind that is being read'


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


@dataclass(frozen=True)
class XmlRuns:
    """The declaration of runs in XML.

    Attributes:
        run, topic: the elements of a run, and of the items of a topic, which may be one
        row: topic, rank, ``<item>``, name of the run → the row; raises ``ValueError`` with a sentence
        outer: the element around runs; empty where a file has one topic of one run
        name: the attribute with the name of a run
        most: items that a topic may have
        read_topic: ``tNum`` → topic of the rows
    """

    run: str
    topic: str
    row: Callable[[str, int, XmlElement, str | None], Any]
    outer: str = ''
    name: str = 'pid'
    most: int = 10 ** 9
    read_topic: Callable[[str], str] = str

    def read(self, path: StrPath) -> list[Any]:
        """Reads a run.

        Args:
            path: the file, ``.gz`` by suffix, or a folder with ``.xml`` files

        Raises:
            FormatError: the XML is malformed or declares entities; there is no run, or a second one; an attribute is
                missing; a topic is there twice, repeats a ``seqNum`` or has too many items; an item is in no topic
            OSError: a file cannot be opened
        """
        topics: dict[str, dict[int, Any]] = {}
        for file in files_of(path, ('.xml',)):
            root = read_xml(file, any_doctype=True)
            runs = list(root.iter(self.run))
            if not runs and root.name != self.outer:
                raise FormatError(f'there is no <{self.run}>, so there is no run: {_KIND}', file)
            if self.outer and len(runs) > 1:
                raise FormatError('this is the second run of the file, but only one can be evaluated at a time: make a '
                                  'file of each', file, runs[1].line)
            for item in root.iter('item'):
                if item.parent is None or item.parent.name != self.topic:
                    raise FormatError(f'<item> is not in <{self.topic}>, which has its topic: {_KIND}', file, item.line)
            for run, topic in ((outer, topic) for outer in runs for topic in outer.iter(self.topic)):
                with errors_in(file, topic.line):
                    if topic is run and not topic.attributes and not topic.children:
                        continue  # a run without items
                    name = run.attributes.get('pid', run.attributes.get('sysId')) if self.outer else attribute(
                        run.attributes, self.name, self.run)
                    query_id = intern(self.read_topic(attribute(topic.attributes, 'tNum', self.topic)))
                    refuse_again(query_id, topics, 'all items of a topic stand together: join the two, or read one run '
                                                   'at a time')
                    topics[query_id] = {}
                for item in topic.children:
                    with errors_in(file, item.line):
                        self._add(query_id, item, name, topics[query_id])
        return [row for items in topics.values() for row in sorted(items.values(), key=attrgetter('rank'))]

    def _add(self, query_id: str, item: XmlElement, run: str | None, items: dict[int, Any]) -> None:
        text = attribute(item.attributes, 'seqNum', 'item')
        rank = nine_digits(text)
        if rank is None or rank in items:
            fault = 'is not a whole number from 0 up' if rank is None else 'is already there'
            raise ValueError(f'seqNum {quoted(text)} {fault}, but every item of topic {quoted(query_id)} has a number '
                             'of its own: number the items 1, 2, 3 and so on')
        if len(items) == self.most:
            raise ValueError(f'topic {quoted(query_id)} has more than {self.most} items, but no run may: cut it off '
                             'there')
        items[rank] = self.row(query_id, rank, item, run)

    def files(self, rules: Rules, write: Any = None) -> Files:
        """All that commands, checks and datasets ask about these runs."""
        return Files(self.read, write, rules=rules, order='rank')


def _shot(query_id: str, rank: int, item: XmlElement, run: str | None) -> ShotScoredDoc:
    return ShotScoredDoc(query_id, attribute(item.attributes, 'shotId', 'item'), -rank, rank, run)


def _shots(kind: str, **topics: Any) -> XmlRuns:
    return XmlRuns(f'{kind}RunResult', f'{kind}TopicResult', _shot, outer=f'{kind}Results', most=MOST, **topics)


def write_avs_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, *,
                  attributes: Mapping[str, str] | None = None, kind: str = 'videoAdhocSearch',
                  topic: Callable[[str], str] = run_topic) -> list[str]:
    """Writes a run of shots.

    Args:
        rows, path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        attributes: of the run, such as ``trType``, ``class``, ``pid``, ``priority`` and ``desc``: a submission needs
            what no row has; not given: the rows' run alone
        kind: the beginning of the elements' names
        topic: topic of the rows → ``tNum``

    Returns, Raises:
        as there
    """
    rows = list(rows)
    names = {run_of(row) for row in rows}
    found: dict[str, list[str]] = {}

    def line(row: Any, rank: int) -> None:
        if rank > MOST:
            raise ValueError(f'this is item {rank} of its topic, but no topic of a run has more than {MOST}: cut it '
                             'off there')
        if len(names) > 1:
            raise ValueError(f'the rows are of {len(names)} runs, such as {", ".join(sorted(names)[:3])}, but a file '
                             'has one: make a file of each')
        item = xml_attributes({'seqNum': str(rank), 'shotId': shot_id(row)})
        xml_attributes({'name of the run': run_of(row)})  # for its error
        found.setdefault(xml_attributes({'tNum': topic(word(row.query_id, 'topic'))}), []).append(f'   <item{item}/>')
    ranked_lines(rows, line)
    run = xml_attributes({'pid': next(iter(names), None)} if attributes is None else attributes)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{kind}Results>', f' <{kind}RunResult{run}>']
    for number, items in found.items():
        lines += [f'  <{kind}TopicResult{number}>', *items, f'  </{kind}TopicResult>']
    write_text([*lines, f' </{kind}RunResult>', f'</{kind}Results>'], path)
    return left_out(rows, ('run',))


MOST = 1000  # items of a topic
_AVS, _SEARCH = _shots('videoAdhocSearch', read_topic=qrels_topic), _shots('videoSearch')
read_avs_run = _AVS.read
_RULES = Rules(('retrieved_once', 'known_query'), ('judged_query', 'answered_queries'), ids=SHOT_IDS,
               measured=False)
AVS = replace(STRATA, name='trecvid-avs', run=_AVS.files(_RULES, write_avs_run),
              description='TRECVID AVS: runs of shots in XML, judgements as in trecvid-strata')
SEARCH = replace(
    SHOTS, name='trecvid-search', run=_SEARCH.files(_RULES, partial(write_avs_run, kind='videoSearch', topic=str)),
    description='TRECVID search, instance and known-item search: runs of shots in XML, judgements as in trecvid-shots')
