"""The transformer that finds retrieved chunks in the texts of their documents."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ir_segmeasures.ids.resolving import is_segment
from ir_segmeasures.pt.base import SegmentTransformer, with_queries
from ir_segmeasures.pt.ids import renamed_items
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import unquote_id
from ir_segmeasures.texts.chunks import rows
from ir_segmeasures.texts.locating.collection import check_unlocated

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
        if self.document is not None and self.document not in frame.columns:
            raise ValueError(f'the frame has no column {quoted(self.document)} with documents: name it with document=…'
                             ', or search all texts with document=None')
        frame = with_queries(frame)
        ids: list[str | None] = [str(id) for id in frame['docno']]
        queries = frame['qid'] if 'qid' in frame.columns else [''] * len(ids)
        names = [None] * len(ids) if self.document is None else frame[self.document].map(str)
        wanted: dict[str, dict[int, dict[str, Any]]] = {}  # query → row → its chunk
        for row, (query, name, text) in enumerate(zip(queries, names, frame['text'])):
            known = name if name is None or name in self.texts else unquote_id(name)
            if known in self.texts or not is_segment(ids[row]):
                wanted.setdefault(str(query), {})[row] = {'doc_id': known, 'text': text}
                ids[row] = None
        places = {query: list(chunks) for query, chunks in wanted.items()}
        for chunk in rows({query: list(chunks.values()) for query, chunks in wanted.items()}, self.texts,
                          unlocated=self.unlocated):
            ids[places[chunk.query_id][int(-chunk.score) - 1]] = chunk.doc_id
        kept = [row for row, id in enumerate(ids) if id is not None]
        located = pd.Series([ids[row] for row in kept], frame.index[kept], str)
        return renamed_items(frame.iloc[kept].assign(docno=located))
