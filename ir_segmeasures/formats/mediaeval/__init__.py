"""Files of MediaEval Search & Hyperlinking (2013-15) and TRECVID Video Hyperlinking (2015-17).

Times in these files are ``minutes.seconds``, not decimal numbers: ``17.5`` is 17 min 5 s. Rows have seconds.
Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the judgements and runs it comes with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.mediaeval.judgements import (
    ANCHORS,
    JUDGED,
    KNOWN_ITEMS,
    read_anchor_qrels,
    read_known_items,
    read_qrels,
    write_anchor_qrels,
    write_known_items,
    write_qrels,
)
from ir_segmeasures.formats.mediaeval.runs import (
    ANCHORING_RUN,
    LINKING_RUN,
    SEARCH_RUN,
    read_anchoring_run,
    read_linking_run,
    read_search_run,
    write_anchoring_run,
    write_linking_run,
    write_search_run,
)
from ir_segmeasures.formats.mediaeval.times import format_minutes, parse_minutes

if TYPE_CHECKING:
    from ir_segmeasures.formats.mediaeval.lists import (
        Anchor,
        SearchQuery,
        Video,
        read_anchors,
        read_queries,
        read_videos,
    )

__all__ = ['ANCHORING', 'KNOWN_ITEM', 'LINKING', 'SEARCH', 'Anchor', 'SearchQuery', 'Video', 'format_minutes',
           'parse_minutes', 'read_anchor_qrels', 'read_anchoring_run', 'read_anchors', 'read_known_items',
           'read_linking_run', 'read_qrels', 'read_queries', 'read_search_run', 'read_videos', 'write_anchor_qrels',
           'write_anchoring_run', 'write_known_items', 'write_linking_run', 'write_qrels', 'write_search_run']


def __getattr__(name: str) -> Any:
    if name in __all__:  # judgements and runs have no need of the lists beside them
        from ir_segmeasures.formats.mediaeval import lists
        return getattr(lists, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def _shown(seconds: float) -> str:
    return format_minutes(int(seconds))


_JUDGED = JUDGED.files(read_qrels, write_qrels)

SEARCH = Format(
    'sh-search', 'MediaEval Search & Hyperlinking, search: times in minutes.seconds, runs with jump-in points', 't',
    _JUDGED, SEARCH_RUN.files(read_search_run, write_search_run), lists=('queries', 'videos'), shown=_shown)
LINKING = Format(
    'sh-linking', 'MediaEval and TRECVID hyperlinking: times in minutes.seconds, runs without jump-in points', 't',
    _JUDGED, LINKING_RUN.files(read_linking_run, write_linking_run), lists=('queries', 'anchors', 'videos'),
    shown=_shown)
KNOWN_ITEM = Format(
    'sh-known-item', 'MediaEval Search & Hyperlinking 2013, known items: 4-column judgements, no runs', 't',
    KNOWN_ITEMS.files(read_known_items, write_known_items), lists=('queries', 'videos'), shown=_shown)
ANCHORING = Format(
    'sh-anchoring', 'MediaEval 2015, anchors of a video, which is the query: times in minutes.seconds', 't',
    ANCHORS.files(read_anchor_qrels, write_anchor_qrels),
    ANCHORING_RUN.files(read_anchoring_run, write_anchoring_run), lists=('videos',), shown=_shown)
