"""Judgements and runs of TRECVID's shot tasks, and of the Video Browser Showdown (VBS) where it judges shots.

What is judged are shots, ``shotV_N``: ids without times. A table of shots makes segments of them
(:mod:`ir_segmeasures.formats.trecvid.shot_tables`).
Source: the judgements and submission rules of Ad hoc Video Search (AVS),
https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html.
"""

import functools
import os
import re
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import attrgetter
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.reading import (
    FormatError,
    Rows,
    StrPath,
    TrecQrel,
    line_of_row,
    read_rows,
    wrong_fields,
)
from ir_segmeasures.formats.files.writing import (
    NAMELESS,
    grade,
    judged_lines,
    left_out,
    ranked,
    ranked_lines,
    word,
    write_text,
    xml_attributes,
)
from ir_segmeasures.segments.segment import parse_segment

__all__ = ['ShotQrel', 'ShotScoredDoc', 'once', 'parse_sampled', 'parse_stratum', 'qrels_topic', 'read_avs_run',
           'read_shots', 'read_strata', 'run_topic', 'write_avs_run', 'write_shots', 'write_strata']

SHOT_FIELDS = 'topic 0 shot relevance'
STRATA_FIELDS = 'topic 0 shot stratum relevance'
MOST_ITEMS = 1000  # of a topic

# The elements of a run, from the root down
_AVS = ['videoAdhocSearchResults', 'videoAdhocSearchRunResult', 'videoAdhocSearchTopicResult', 'item']
_INTEGER = re.compile(r'-?[0-9]{1,9}')
_DIGITS = re.compile(r'[0-9]{1,9}')


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


class ShotScoredDoc(NamedTuple):
    """A retrieved shot.

    Attributes:
        query_id: the topic, as the judgements write it
        doc_id: the shot
        score: minus the rank
        rank: ``seqNum`` of the file
        run: the team, ``pid`` of the file; None if there is none
    """

    query_id: str
    doc_id: str
    score: float
    rank: int
    run: str | None


def read_shots(path: StrPath) -> Sequence[TrecQrel]:
    """Reads judgements, one a line: ``topic 0 shot relevance`` (search 2003–09, instance search), in file order.

    Lines that are repeated exactly count once.

    Raises:
        FormatError: a line does not have 4 fields; the relevance is not a whole number from -1 up; two lines contradict
            each other
        OSError: the file cannot be opened
    """
    return once(path, read_rows(path, _shot, _shots))


def read_strata(path: StrPath) -> Sequence[ShotQrel]:
    """Reads judgements, one a line: ``topic 0 shot stratum relevance`` (AVS from 2016 on, VBS), in file order.

    Lines that are repeated exactly count once, as thousands are in those of the VBS.

    Raises:
        FormatError: a line does not have 5 fields; the stratum is not a whole number from 0 up; the relevance is not
            -1, 0 or 1; two lines contradict each other
        OSError: the file cannot be opened
    """
    return once(path, read_rows(path, _stratum, _strata))


def write_shots(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements of shots without strata, in the order of the rows.

    Args:
        rows: of any reader; ids that are no segments, with whole grades from -1 up
        path: packed if it ends in ``.gz``
        unit: of starts and ends; not used, as rows with them are refused

    Returns:
        what the rows have and the file has not, in words

    Raises:
        WriteError: a row cannot be held, or contradicts another
        OSError: the file cannot be written
    """
    return _write_judged(rows, path, strata=False)


def write_strata(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements of shots with strata, in the order of the rows.

    Args, Returns, Raises:
        as :func:`write_shots`; every row has a stratum, and its relevance is -1, 0 or 1
    """
    return _write_judged(rows, path, strata=True)


def qrels_topic(number: str) -> str:
    """The topic of a run in XML as AVS's judgements and runs in TREC's format write it: with a 1 before three digits,
    so that 661 is 1661. Anything else stays as it is. All 20 topics of 2021 are named like this; that those of other
    years are is this project's assumption."""
    return f'1{number}' if len(number) == 3 and _DIGITS.fullmatch(number) else number


def run_topic(topic: str) -> str:
    """The opposite of :func:`qrels_topic`: 1661 is 661. Raises ``ValueError`` for three digits, which would be read as
    another topic."""
    if qrels_topic(topic) != topic:
        raise ValueError(f'topic {topic!r} would be read as {qrels_topic(topic)!r}, since topics of three digits are '
                         'written without the 1 that the judgements put before them (write the topic as they do)')
    return topic[1:] if len(topic) == 4 and topic[0] == '1' and _DIGITS.fullmatch(topic) else topic


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
    from ir_segmeasures.formats.files.xml import attribute, walk  # the others have no need of it
    names: list[str] = []
    topics: dict[str, dict[int, ShotScoredDoc]] = {}
    query_id, runs = '', list[str | None]()

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal query_id
        names.append(name)
        if names != _AVS[:len(names)]:
            raise ValueError(f'<{name}> is in the place of <{_AVS[min(len(names), len(_AVS)) - 1]}>, but a run is '
                             f'{" / ".join(_AVS)} (check that the file is of the kind that is being read)')
        if len(names) == 2:
            if runs:
                raise ValueError('this is the second run of the file, but only one can be evaluated at a time (make a '
                                 'file of each)')
            runs.append(attributes.get('pid'))
        elif len(names) == 3:
            query_id = intern(topic(attribute(attributes, 'tNum', name)))
            if query_id in topics:
                raise ValueError(f'topic {query_id!r} is already there, but all items of a topic stand together (join '
                                 'the two)')
            topics[query_id] = {}
        elif len(names) == 4:
            rank, items = _rank(attribute(attributes, 'seqNum', name)), topics[query_id]
            if rank in items:
                raise ValueError(f'seqNum {rank} of topic {query_id!r} is already there, but every item of a topic has '
                                 'a number of its own (number the items 1, 2, 3 and so on)')
            if len(items) == MOST_ITEMS:
                raise ValueError(f'topic {query_id!r} has more than {MOST_ITEMS} items, but no run may (cut it off '
                                 'there)')
            items[rank] = ShotScoredDoc(query_id, attribute(attributes, 'shotId', name), -rank, rank, runs[0])

    def leave(*_: str) -> None:
        names.pop()

    walk(path, enter, leave)
    return [row for items in topics.values() for row in sorted(items.values(), key=attrgetter('rank'))]


def write_avs_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, *,
                  topic: Callable[[str], str] = run_topic, attributes: Mapping[str, str] | None = None) -> list[str]:
    """Writes a run of AVS in XML, with ``seqNum`` from 1 in the order by ``score``.

    Args:
        rows, path, unit: as in :func:`write_shots`, with at most 1,000 rows a topic
        topic: makes ``tNum`` of a row's topic
        attributes: of the run, such as ``trType``, ``class``, ``pid``, ``priority`` and ``desc``: a submission needs
            what no row has; not given: the rows' run as ``pid`` alone

    Returns, Raises:
        as :func:`write_shots`
    """
    names = {getattr(row, 'run', None) or NAMELESS for row in rows}
    tags: dict[str, str] = {}

    def line(row: Any, rank: int) -> str:
        if rank > MOST_ITEMS:
            raise ValueError(f'this is item {rank} of its topic, but no topic of a run has more than {MOST_ITEMS} (cut '
                             'it off there)')
        if len(names) > 1:
            raise ValueError(f'the rows have {len(names)} names of runs, such as {", ".join(sorted(names)[:3])}, but a '
                             'file has one run (make a file of each)')
        xml_attributes({'pid': next(iter(names))})
        tags[row.query_id] = xml_attributes({'tNum': topic(word(row.query_id, 'topic'))})
        return f'   <item{xml_attributes({"seqNum": str(rank), "shotId": _shot_id(row)})}/>'
    items = iter(ranked_lines(rows, line))
    run = xml_attributes({'pid': next(iter(names), None)} if attributes is None else attributes)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{_AVS[0]}>', f' <{_AVS[1]}{run}>']
    for query_id, positions in ranked(rows).items():
        lines += [f'  <{_AVS[2]}{tags[query_id]}>', *(next(items) for _ in positions), f'  </{_AVS[2]}>']
    write_text([*lines, f' </{_AVS[1]}>', f'</{_AVS[0]}>'], path)
    return left_out(rows, ('run',))


def once(path: StrPath, rows: Sequence[Any], numbers: list[int] | None = None, judged: int = 2) -> Sequence[Any]:
    """The rows of a reader without exact repeats, of whose number a warning tells.

    Args:
        path: of the file
        rows: in file order
        numbers: of their lines, if they are known
        judged: how many fields of a row say what is judged: two rows with the same ones are the same row

    Raises:
        FormatError: two rows contradict each other
    """
    if isinstance(rows, Rows):  # columns are only taken where there are no repeats
        return rows
    first: dict[Hashable, int] = {}
    kept = []
    for position, row in enumerate(rows):
        earlier = first.setdefault(row[:judged], position)
        if earlier == position:
            kept.append(row)
        elif rows[earlier] != row:
            before, line = (numbers[place] if numbers else line_of_row(path, place) for place in (earlier, position))
            contradicting = sum(rows[first[other[:judged]]] != other for other in rows[position:]
                                if other[:judged] in first)
            sentence = _contradiction(row, rows[earlier], f'in line {before}')
            more = f'; {contradicting} lines contradict an earlier one' if contradicting > 1 else ''
            raise FormatError(f'{sentence}{more}', path, line)
    if len(kept) < len(rows):
        warnings.warn(f'{os.fspath(path)}: {len(rows) - len(kept)} of {len(rows)} lines repeat an earlier one exactly, '
                      'and count once', stacklevel=2)
    return kept


def _apart(query_ids: Sequence[str], doc_ids: Sequence[str]) -> None:
    """Raises ``ValueError`` if a shot is judged twice for a topic."""
    if len(set(zip(query_ids, doc_ids))) < len(query_ids):
        raise ValueError


def _contradiction(row: Any, other: Any, place: str) -> str:
    fields = [f'{name} {getattr(row, field)} is {getattr(other, field)} {place}'
              for field, name in (('relevance', 'relevance'), ('stratum', 'stratum'), ('iteration', 'second column'))
              if getattr(row, field, None) != getattr(other, field, None)]
    return (f'{row.doc_id!r} is judged for {row.query_id!r} twice, and {", ".join(fields)}, but only one can be meant '
            '(take the wrong one out)')


def _write_judged(rows: Sequence[Any], path: StrPath, strata: bool) -> list[str]:
    first: dict[Hashable, Any] = {}
    name = 'trecvid-strata' if strata else 'trecvid-shots'

    def line(row: Any) -> str:
        stratum = getattr(row, 'stratum', None)
        if strata and stratum is None:
            raise ValueError(f'the judgement has no stratum, but every one of {name} has (write it as trecvid-shots)')
        fields = [word(row.query_id, 'topic'), word(row.iteration, 'second column'), _shot_id(row)]
        if strata:
            fields.append(str(parse_stratum(str(grade(stratum, name)))))
        relevance = grade(row.relevance, name)
        fields.append(str(parse_sampled(str(relevance)) if strata else _relevance(str(relevance))))
        earlier = first.setdefault((row.query_id, row.doc_id), row)
        if any(getattr(earlier, field, None) != getattr(row, field, None)
               for field in ('relevance', 'iteration', *(('stratum',) if strata else ()))):
            raise ValueError(_contradiction(row, earlier, 'in a row before'))
        return ' '.join(fields)
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('iteration', 'stratum') if strata else ('iteration',))


def _shot_id(row: Any) -> str:
    if hasattr(row, 'end') or parse_segment(word(row.doc_id, 'shot')).unit is not None:
        raise ValueError('this is a segment, but what has ids of shots holds no times (choose a format that does, such '
                         'as trec)')
    return word(row.doc_id, 'shot')


def _shot(fields: list[str]) -> TrecQrel:
    if len(fields) != 4:
        raise wrong_fields(fields, 'judgements of shots without strata', SHOT_FIELDS, '4')
    query_id, iteration, doc_id, relevance = fields
    return TrecQrel(intern(query_id), doc_id, _relevance(relevance), iteration)


def _stratum(fields: list[str]) -> ShotQrel:
    if len(fields) != 5:
        raise wrong_fields(fields, 'judgements of shots with strata', STRATA_FIELDS, '5')
    query_id, iteration, doc_id, stratum, relevance = fields
    return ShotQrel(intern(query_id), doc_id, parse_sampled(relevance), intern(iteration), parse_stratum(stratum))


def _shots(columns: list[list[str]]) -> Rows[TrecQrel]:
    query_ids, iterations, doc_ids, relevances = columns
    _apart(query_ids, doc_ids)
    return Rows(TrecQrel, (query_ids, doc_ids, list(map(_relevance, relevances)), iterations))


def _strata(columns: list[list[str]]) -> Rows[ShotQrel]:
    query_ids, iterations, doc_ids, strata, relevances = columns
    _apart(query_ids, doc_ids)
    return Rows(ShotQrel, (query_ids, doc_ids, list(map(parse_sampled, relevances)), iterations,
                           list(map(parse_stratum, strata))))


@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> int:
    if not _INTEGER.fullmatch(text) or int(text) < -1:
        raise ValueError(f'relevance {text!r} is not a whole number from -1 up, but judgements of shots are grades, or '
                         '-1 for what was not sampled (such as 0 or 1)')
    return int(text)


@functools.lru_cache(maxsize=1024)
def parse_sampled(text: str) -> int:
    """1, 0 or -1. Raises ``ValueError`` for anything else."""
    if text not in ('-1', '0', '1'):
        raise ValueError(f'relevance {text!r} is not 1 (relevant), 0 (not relevant) or -1 (in the pool, but not in the '
                         f'sample), which judgements of strata are (a line is {STRATA_FIELDS})')
    return int(text)


@functools.lru_cache(maxsize=1024)
def parse_stratum(text: str) -> int:
    """A whole number from 0 up. Raises ``ValueError`` for anything else."""
    if not _DIGITS.fullmatch(text):
        raise ValueError(f'stratum {text!r} is not a whole number from 0 up, but strata are numbered (a line is '
                         f'{STRATA_FIELDS})')
    return int(text)


def _rank(text: str) -> int:
    if not _DIGITS.fullmatch(text):
        raise ValueError(f'seqNum {text!r} is not a whole number from 0 up, but items are ordered by it (number the '
                         'items of a topic 1, 2, 3 and so on)')
    return int(text)
