"""Judgements, runs and topics of the TREC Podcasts Track (2020–21): segments of two minutes, named by where they start.

``spotify:episode:<id>_2220.0`` is the part of an episode from 2220 s to 2340 s. A new segment starts every minute, so
that neighbours overlap. Rows have the bare episode with start and end in seconds. Runs have TREC's format with these
ids: the ranking is by score, ties in file order, and ``rank`` is the position in it, as the rank column is not read.
Written scores of tied items are lowered as little as trec_eval sees, so that it keeps this order.
Source: the track's judgements, https://trecpodcasts.github.io/resources.html.
"""

from typing import Any, NamedTuple

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import Format, Rules
from ir_segmeasures.formats.files.lines import Lines, ranks_by_score
from ir_segmeasures.formats.files.row_types import FileRows, SegmentQrel, SegmentScoredDoc, StrPath, column_of
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.segments.segment import TOO_LARGE

QRELS_FIELDS = 'topic 0 episode_start grade'
RUN_FIELDS = 'topic Q0 episode_start rank score run'
LENGTH = 120  # seconds

_NAME = 'podcasts'


class PodcastTopic(NamedTuple):
    """A topic of the track.

    Attributes:
        query_id: its number
        query: in a few words
        type: ``'topical'``, ``'refinding'`` or ``'known item'``; empty where the file has none
        description: what is wanted
    """

    query_id: str
    query: str
    type: str
    description: str

    def default_text(self) -> str:
        """The text of the query, under the name that ir_datasets and PyTerrier ask for."""
        return self.query


def read_topics(path: StrPath) -> list[PodcastTopic]:
    """Reads topics from XML: ``num``, ``query``, ``type`` (which some files do not have) and ``description``, white
    space in them reduced to single blanks.

    Other children are ignored, and the name of the element around them does not matter.

    Raises:
        FormatError: the XML is malformed or declares entities; a topic lacks its number, query or description, or is
            there twice
        OSError: the file cannot be opened
    """
    def topic(record: XmlElement) -> PodcastTopic:
        type = record.text('type') if any(child.name == 'type' for child in record.children) else ''
        return PodcastTopic(record.id('num'), record.text('query'), type, record.text('description'))
    return read_records(path, topic)


def _judged(row: Any, unit: str | None) -> list[str]:
    relevance = writing.grade(row, _NAME)
    _grades([relevance])
    return [row.query_id, row.iteration, _id(row, unit), relevance]


def _retrieved(row: Any, unit: str | None, rank: int) -> list[str]:
    return [row.query_id, 'Q0', _id(row, unit), str(rank), writing.decimal(row.score, 'score'), writing.run_of(row)]


def _id(row: Any, unit: str | None) -> str:
    segment = writing.segment_of(row, unit, 't', _NAME)
    length = round(segment.end - segment.start, 6)  # so that 0.1 to 120.1 is 120 s long
    if length != LENGTH:
        raise ValueError(f'the segment is {writing.decimal(length, "length")} s long, but every segment of {_NAME} has '
                         f'{LENGTH} s, and only its start is written: cut it to that length')
    return f'{segment.document}_{writing.decimal(float(segment.start), "start")}'


def _qrel(topic: Any, iteration: Any, id: Any, relevance: Any) -> SegmentQrel:
    return SegmentQrel._make((fields.interned(topic), *_segments(id), _grades(relevance), fields.interned(iteration)))


def _scored_doc(topic: Any, _: Any, id: Any, rank: Any, score: Any, run: Any) -> SegmentScoredDoc:
    score = fields.scores(score)
    return SegmentScoredDoc._make((fields.interned(topic), *_segments(id), score, 0, score, None, fields.interned(run)))


def _places(ids: list[str]) -> tuple[Any, Any, Any]:
    """Episodes, starts and ends of ids."""
    episodes, _, texts = map(list, zip(*(id.rpartition('_') for id in ids)))
    start = fields.positions(texts)
    if not all(episodes) or start.max() >= TOO_LARGE:
        raise ValueError
    return fields.interned(episodes), start, column_of([round(first + LENGTH, 9) for first in start.tolist()])


_segments = fields.converter(_places, '{} is not a segment, but ids are an episode, _ and its start in seconds: write '
                                      'it as spotify:episode:0BrvXC9DNmicnpCtHmFltv_2220.0')
_grades = fields.whole_numbers('grade', f'a line is {QRELS_FIELDS}', most=4)


def _ranked(path: StrPath, rows: FileRows[SegmentScoredDoc]) -> FileRows[SegmentScoredDoc]:
    """The rows with their places in the order by score, ties in the order of the file."""
    rows.columns['rank'] = ranks_by_score(rows.columns['query_id'], rows.columns['score'])
    return rows


_QRELS = Lines('judgements of podcasts', QRELS_FIELDS, _qrel, _judged, held=('iteration',))
_RUN = Lines('a run of podcasts', RUN_FIELDS, _scored_doc, _retrieved, beside=('rank', 'run'), held=('run',),
             ranked='score', finish=_ranked)
read_qrels, write_qrels, read_run, write_run = _QRELS.read, _QRELS.write, _RUN.read, _RUN.write

_EPISODES = ('spotify:episode:[0-9A-Za-z]{22}', 'spotify:episode:0BrvXC9DNmicnpCtHmFltv')
_OF_RUNS = ('tied_scores', 'one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries', 'on_the_minute')
PODCASTS = Format(
    'podcasts', 'TREC Podcasts 2020: segments of 120 s as episode_start, grades 0-4, 6-column runs', 't',
    # Neighbours overlap.
    _QRELS.files(rules=Rules(('judged_once', 'judged_without_contradiction', 'known_query'), ('on_the_minute',),
                             ids=_EPISODES)),
    _RUN.files(mended={'score': 'score', 'rank': 'rank'}, rules=Rules(
        ('retrieved_once', 'known_query'), _OF_RUNS, most=1000, ids=_EPISODES)),
    lists=('queries',), read_queries=read_topics)
