"""The transformer that finds retrieved chunks in the texts of their documents."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from ir_segmeasures.ids.resolving import is_segment
from ir_segmeasures.pt.base import SegmentTransformer, with_queries
from ir_segmeasures.pt.ids import renamed_items
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, quote_id, unquote_id
from ir_segmeasures.texts.locating.collection import ChunkText, check_unlocated, located_rankings, placed

__all__ = ['locate']


class locate(SegmentTransformer):
    """Gives retrieved chunks without offsets the segment of their document at which their ``text`` stands, as
    :func:`ir_segmeasures.chunks.rows` finds it.

    Args:
        texts: document → its text
        document: the column with the document of a chunk, or None: all texts are searched
        unlocated: ``'error'`` refuses chunks that stand nowhere in the texts or at several places; ``'warn'`` leaves
            them out, with a warning that has their number and lists the first ones; ``'first'`` does so, but takes
            the first of several places

    Segment ids stay as they are, and so does the ``text``. Two items of a query that are the same segment are one, the
    better ranked.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[1]], docno=[['d1']], text=[['Bees dance.']])
        >>> pt.segments.locate({'d1': 'Look: **Bees** dance.'})(results)['docno'].tolist()
        ['d1#char=8,21']
    """
    FRAMES = (('result', ('text',)), ('document', ('text',)))

    def __init__(self, texts: Mapping[str, str], document: str | None = 'docno', unlocated: str = 'error'):
        self.texts, self.document, self.unlocated = texts, document, unlocated
        self.check_parameters()

    def check_parameters(self) -> None:
        check_unlocated(self.unlocated)
        if not isinstance(self.texts, Mapping):
            raise TypeError(f'texts={quoted(self.texts)}: give a mapping from documents to their texts')

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        frame = with_queries(frame)
        queries = frame['qid'] if 'qid' in frame.columns else pd.Series('', frame.index, str)
        rankings: dict[Any, dict[int, ChunkText]] = {}  # query → row → its chunk
        for row, (query, chunk) in enumerate(zip(queries, self._chunks(frame))):
            if chunk is not None:
                rankings.setdefault(query, {})[row] = chunk
        places = located_rankings([list(ranking.values()) for ranking in rankings.values()], self.texts)
        found = [(f'row {row}' + f' (query {quoted(query)})' * ('qid' in frame.columns), row, chunk, place)
                 for (query, ranking), answers in zip(rankings.items(), places)
                 for (row, chunk), place in zip(ranking.items(), answers)]
        settled = placed([(name, chunk, answer) for name, _, chunk, answer in found], self.unlocated)
        ids: list[str | None] = [str(id) for id in frame['docno']]
        for (_, row, _, _), place in zip(found, settled):
            ids[row] = None if place is None else format_segment(Segment(quote_id(place[0]), *place[1:], 'char'))
        kept = [row for row, id in enumerate(ids) if id is not None]
        located = pd.Series([ids[row] for row in kept], frame.index[kept], str)
        return renamed_items(frame.iloc[kept].assign(docno=located))

    def _chunks(self, frame: pd.DataFrame) -> Iterator[ChunkText | None]:
        """The chunk of each row, or None for a segment id."""
        if self.document is not None and self.document not in frame.columns:
            raise ValueError(f'the frame has no column {quoted(self.document)} with documents: name it with document=…'
                             ', or search all texts with document=None')
        names = [None] * len(frame) if self.document is None else frame[self.document].map(str)
        for id, name, text in zip(frame['docno'].map(str), names, frame['text']):
            if not isinstance(text, str):
                raise ValueError(f'{quoted(id)} has the text {quoted(text)}, which is not a string: give the chunk as '
                                 'it was retrieved')
            known = name if name is None or name in self.texts else unquote_id(name)
            if known is None or known in self.texts:
                yield None if known is None and is_segment(id) else ChunkText(known, text)
            elif is_segment(id):
                yield None
            else:
                raise ValueError(f'{quoted(id)} is a chunk of {quoted(name)}, which the texts lack: add it to them, or '
                                 'name the column of its document with document=…')
