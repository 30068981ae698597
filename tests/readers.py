"""The readers of all files, by a name, each with the name of a file that it takes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ir_segmeasures.datasets import local
from ir_segmeasures.datasets.trecvid import read_avs_queries, read_frame_rates
from ir_segmeasures.formats import FORMATS, mediaeval as lists, read_transcript
from ir_segmeasures.formats.evidence import read_evidence
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.formats.inex import assessments, topics
from ir_segmeasures.formats.moments import read_queries, read_videos
from ir_segmeasures.formats.podcasts import read_topics
from ir_segmeasures.formats.texts import read_collection, read_sizes
from ir_segmeasures.formats.trecvid import shot_tables, vbs
from ir_segmeasures.segments.segment import Segment
from ir_segmeasures.study.campaign.pool_files import read_pool

# A document, two of its elements and a text node.
HIGHLIGHTED = {id: Segment('f', start, end, 'char') for id, start, end in (
    ('f', 0, 20), ('f#xpath=/a[1]', 0, 20), ('f#xpath=/a[1]/b[1]', 5, 9), ('f#xpath=/a[1]/text()[1]', 0, 5))}
READERS: dict[str, tuple[Callable[..., Any], str]] = {
    'moment-queries': (read_queries, 'file'), 'moment-videos': (read_videos, 'file'),
    'sh-queries': (lists.read_queries, 'file.xml'), 'sh-anchors': (lists.read_anchors, 'file.xml'),
    'sh-videos': (lists.read_videos, 'file'), 'inex-topics': (topics.read_topics, 'file.xml'),
    'extents': (read_extents, 'file'),
    'inex-highlighted': (partial(assessments.read_highlighted, table=HIGHLIGHTED), 'file.xml'),
    'inex-2002': (assessments.read_qrels, 'file.xml'),
    'v3c': (partial(shot_tables.read_v3c, frame_rate=25), '00009.tsv'),
    'iacc': (partial(shot_tables.read_iacc, frame_rate='30000/1001'), '9.msb'),
    'mpeg7': (shot_tables.read_mpeg7, 'file.mp7.xml'), 'eastenders': (shot_tables.read_eastenders, 'file.txt'),
    'dres-rates': (partial(vbs.read_dres, frame_rate=25), 'file'),
    'podcasts-topics': (read_topics, 'file.xml'), 'vbs-tasks': (vbs.read_vbs_tasks, 'file'),
    **{name: (partial(read_evidence, format=name), 'file') for name in ('legalbench-rag', 'chunking-evaluation')},
    'sizes': (read_sizes, 'file'),
    'server-tasks': (vbs.read_server_tasks, 'file'),
    'server-items': (partial(vbs.read_server_items, frame_rate=25), 'file'),
    'avs-queries': (read_avs_queries, 'file'), 'frame-rates': (read_frame_rates, 'file'),
    'pool': (read_pool, 'file.jsonl'), 'collection': (read_collection, 'file'),
    'gzip': (FORMATS['trec'].qrels.read, 'packed.gz'),
    **{f'docs-{name}': (local.DOCS_FORMATS[name].read, 'file') for name in ('tsv', 'durations', 'lengths')},
}
READERS.update({f'transcript-{suffix}': (read_transcript, f'file.{suffix}')
                for suffix in ('srt', 'vtt', 'ttml', 'ass', 'json')})
