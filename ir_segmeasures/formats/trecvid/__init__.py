"""Judgements and runs of TRECVID's shot tasks, and judgements of the Video Browser Showdown (VBS) of shots.

What is judged are shots, ``shotV_N``: ids without times. A table of shots makes segments of them
(:mod:`ir_segmeasures.formats.trecvid.shot_tables`). Lines that are repeated exactly count once, as thousands are in
those of the VBS.

Runs are in XML, item by item in elements of their topics: of Ad hoc Video Search (AVS), of search, instance and
known-item search, and of the TREC-10 Video Track. Rows come in the order of the topics, within each by ``seqNum``:
whole numbers from 0 up, in any order and with gaps. Runs are written with ``seqNum`` from 1 in the order by ``score``.
Source: the judgements of AVS, https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html, and the document types
``videoAdhocSearchRunResult`` (2016 on), ``videoSearchRunResult`` (2002–15) and ``videoSearchResult`` (2001) of the
campaign, such as https://www-nlpir.nist.gov/projects/tv2016/dtds/videoSearchRunResult.dtd.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import interned, nine_digits, refuse_again, whole_number, whole_numbers
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, errors_in, files_of
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel, without_rank
from ir_segmeasures.formats.files.writing import grade, left_out, ranked_lines, run_of, whole, word, write_text
from ir_segmeasures.formats.files.xml import XmlElement, read_xml, xml_attributes
from ir_segmeasures.formats.trecvid.topics import qrels_topic, read_topics
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.segments.user_warnings import warn_user

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
    cells = [row.query_id, row.iteration, shot_id(row), grade(row, 'a file of shots')]
    (sampled if of_strata else _relevance)(cells[-1:])
    if of_strata:
        if getattr(row, 'stratum', None) is None:
            raise ValueError('the judgement has no stratum, but every one of trecvid-strata has: write it as '
                             'trecvid-shots')
        cells.insert(3, str(whole(row.stratum, 'stratum', 'trecvid-strata')))
    return cells


def shot_id(row: Any) -> str:
    """The id of a row's shot. Raises ``ValueError`` for a segment."""
    if hasattr(row, 'end') or parse_segment(word(row.doc_id, 'shot')).unit is not None:
        raise ValueError('this is a segment, but what has ids of shots holds no times: choose a format that does, such '
                         'as trec')
    return word(row.doc_id, 'shot')


_relevance = whole_numbers('relevance', 'a grade, or -1 for what was not sampled', -1)
sampled = whole_numbers('relevance', f'-1 for what was not sampled; a line is {STRATA_FIELDS}', -1, 1)
strata = whole_numbers('stratum', f'a line is {STRATA_FIELDS}')


def _shot(topic: Any, iteration: Any, shot: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(topic), interned(shot), _relevance(relevance), interned(iteration))  # type: ignore[arg-type]


def _sampled_shot(topic: Any, iteration: Any, shot: Any, stratum: Any, relevance: Any) -> ShotQrel:
    return ShotQrel(interned(topic), interned(shot), sampled(relevance), interned(iteration),  # type: ignore[arg-type]
                    strata(stratum))


SHOT_IDS = (r'shot\S+_[0-9]+', 'shot00009_1, shot 1 of the video 00009')
_RULES = Rules(('known_query',), ids=SHOT_IDS, measured=False)
SHOTS = Format(
    'trecvid-shots', 'TRECVID search, instance and known-item search: 4-column judgements (runs: trec, trecvid-search)',
    None, Lines('judgements of shots without strata', 'topic 0 shot relevance', _shot, partial(_line, of_strata=False),
                held=('iteration',), finish=without_repeats).files(rules=_RULES),
    lists=('queries',), read_queries=read_topics)
STRATA = Format(
    'trecvid-strata', 'TRECVID AVS and VBS: 5-column judgements of shots with strata (runs: trec, trecvid-avs)', None,
    Lines('judgements of shots with strata', STRATA_FIELDS, _sampled_shot, partial(_line, of_strata=True),
          held=('iteration', 'stratum'), finish=without_repeats).files(rules=_RULES),
    dataset_row=ShotQrel, lists=('queries',), read_queries=partial(read_topics, topic=qrels_topic))


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
    return topic[1:] if len(topic) == 4 and topic[0] == '1' and nine_digits(topic) else topic


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
                    refuse_again(query_id, topics, 'all items of a topic stand together: join the two, or read one run '
                                                   'at a time')
                items = topics[query_id] = {}
                for item in topic.children:
                    with errors_in(file, item.line):
                        rank = whole_number(item.attribute('seqNum'), 'seqNum', 'such as 1, 2, 3 and so on')
                        if rank in items:
                            raise ValueError(f"seqNum '{rank}' is already there, but every item of topic "
                                             f'{quoted(query_id)} has its own: number them 1, 2, 3 and so on')
                        items[rank] = self.row(query_id, rank, item, run.attributes.get(
                            'pid', run.attributes.get('sysId')))
        return [row for items in topics.values() for row in sorted(items.values(), key=attrgetter('rank'))]

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
        names = {run_of(row) for row in rows}
        queries = {row.query_id for row in rows}
        found: dict[str, list[str]] = {} if rows or self.outer else {'': []}

        def line(row: Any, rank: int) -> None:
            if len(names) > 1 or (not self.outer and len(queries) > 1):
                raise ValueError(f'the rows are of {len(names)} runs, such as {joined(sorted(names)[:3])}, but a file '
                                 f'has one run{"" if self.outer else " of one topic"}: make a file of each')
            number = xml_attributes({'tNum': self.written_topic(word(row.query_id, 'topic'))})
            xml_attributes({'name of the run': run_of(row)})  # for its error
            item = xml_attributes({'seqNum': str(rank), **self.item(row, unit)})
            found.setdefault(number, []).append(f'   <item{item}/>')
        ranked_lines(rows, line)
        run = xml_attributes({'pid' if self.outer else 'sysId': next(iter(names), None)}
                             if attributes is None else attributes)
        blanks, own = ('  ', '') if self.outer else ('', run)
        lines = [line for number, items in found.items()
                 for line in (f'{blanks}<{self.topic}{number}{own}>', *items, f'{blanks}</{self.topic}>')]
        if self.outer:
            lines = [f'<{self.outer}>', f' <{self.run}{run}>', *lines, f' </{self.run}>', f'</{self.outer}>']
        write_text(['<?xml version="1.0" encoding="UTF-8"?>', *lines], path)
        return left_out(rows, ('run',))

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


def _retrieved(query_id: str, rank: int, item: XmlElement, run: str | None) -> ShotScoredDoc:
    return ShotScoredDoc(query_id, item.attribute('shotId'), -rank, rank, run)


def _shots(kind: str, wanted: Sequence[tuple[str, ...]], **topics: Any) -> XmlRuns:
    run, topic = f'{kind}RunResult', f'{kind}TopicResult'
    return XmlRuns(run, topic, _retrieved, lambda row, unit: {'shotId': shot_id(row)},
                   {run: dict.fromkeys(wanted, ()), topic: {('elapsedTime',): ()}}, f'{kind}Results', **topics)


_AVS = _shots('videoAdhocSearch', [('trType',), ('class',), ('pid',), ('priority',), ('desc',)],
              read_topic=qrels_topic, written_topic=run_topic)
_SEARCH = _shots('videoSearch', [('pType',), ('pid', 'sysId'), ('priority',), ('desc',)])  # sysId until 2013
read_avs_run, write_avs_run, read_shot_run, write_shot_run = _AVS.read, _AVS.write, _SEARCH.read, _SEARCH.write

_OF_RUNS = Rules(('retrieved_once', 'known_query'), ('judged_query', 'answered_queries'), most=1000, ids=SHOT_IDS,
               measured=False)
AVS = replace(STRATA, name='trecvid-avs', run=_AVS.files(_OF_RUNS), description='TRECVID AVS: runs of shots in XML, '
              'judgements as in trecvid-strata')
SEARCH = replace(SHOTS, name='trecvid-search', run=_SEARCH.files(_OF_RUNS), description='TRECVID search, instance and '
                 'known-item search: runs of shots in XML, judgements as in trecvid-shots')
