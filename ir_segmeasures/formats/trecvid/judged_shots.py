"""Judgements of TRECVID's shot tasks, and of the Video Browser Showdown (VBS) where it judges shots.

What is judged are shots, ``shotV_N``: ids without times. A table of shots makes segments of them
(:mod:`ir_segmeasures.formats.trecvid.shot_tables`). Lines that are repeated exactly count once, as thousands are in
those of the VBS.
Source: the judgements of Ad hoc Video Search (AVS), https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html.
"""

import os
from functools import partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import converter, integers_between, interned, whole_numbers
from ir_segmeasures.formats.files.format import Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel
from ir_segmeasures.formats.files.writing import grade, whole, word
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
    kept, fields = [], list(zip(*(column.tolist() for column in rows.columns.values())))
    for place, row in enumerate(fields):
        if (other := first.setdefault(row[:judged], place)) == place:
            kept.append(place)
        elif fields[other] != row:
            assert rows.lines is not None
            raise FormatError(f'{quoted(row[1])} is judged for {quoted(row[0])} in line {rows.lines[other]} too, as '
                              f'{joined(fields[other][judged:])} and here as {joined(row[judged:])}, but only one can '
                              'be meant: take the wrong one out', path, int(rows.lines[place]))
    if len(kept) < len(rows):
        warn_user(f'{os.fspath(path)}: {len(rows) - len(kept)} of {len(rows)} lines repeat an earlier one exactly, and '
                  'count once')
    return rows.taken(kept) if len(kept) < len(rows) else rows


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


_relevance = converter(integers_between(-1, 10 ** 9), 'relevance {} is not a whole number from -1 up, but judgements '
                       'of shots are grades, or -1 for what was not sampled: write it as 0 or 1')
sampled = converter(integers_between(-1, 1), 'relevance {} is not 1 (relevant), 0 (not relevant) or -1 (in the pool, '
                    f'but not in the sample), which judgements of strata are: a line is {STRATA_FIELDS}')
strata = converter(whole_numbers, 'stratum {} is not a whole number from 0 up, but strata are numbered: a line is '
                                  f'{STRATA_FIELDS}')


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
