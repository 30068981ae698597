"""Transformers that retrieve documents first and then segments within them, and that combine the scores of both.

Documents and segments have different ids, by which ``+`` and other operators cannot join them: these transformers know
the document of each segment. Both hold a pipeline, and ``pt.GridScan`` can tune their settings.

**Scores** become ``(1 - weight) · segment + weight · document``. With ``normalise='min-max'`` both are brought to the
range from 0 to 1 first, in each query: those of the segments over the segments that stay, those of the documents over
all that were retrieved; if all are equal, they are 1. A document that was retrieved several times, or by its segments,
has its best score. Segments whose scores become equal stay in the order that they had.
"""

from collections.abc import Sequence
from math import isfinite
from numbers import Real

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_segmeasures.pt.base import Items, SegmentTransformer, check_choice, check_number, emit, read_items, setting
from ir_segmeasures.segments.basics import Floats, quoted

__all__ = ['within', 'with_document_score']

_Scores = dict[tuple[str, str], float]  # (query, document) → score


class _Combining(SegmentTransformer):
    """The base of both transformers: a pipeline, and the scores of segments and of documents."""
    pipeline: pt.Transformer
    weight: float
    normalise: str | None

    def check_parameters(self) -> None:
        if not isinstance(self.pipeline, pt.Transformer):
            raise ValueError(f'pipeline={setting(self.pipeline)}: give a transformer; results in a frame become one '
                             'with pt.Transformer.from_df')
        check_number('weight', self.weight, "the share of the document's score")
        if self.weight > 1:
            raise ValueError(f"weight={quoted(self.weight)}: the share of the document's score is at most 1")
        check_choice('normalise', self.normalise, (None, 'min-max'), 'how scores are brought to one range')

    def _results(self, given: pd.DataFrame) -> Items:
        """The results of the pipeline for queries, or for documents."""
        found = self.pipeline(given) if len(given) else pd.DataFrame(
            columns=pt.inspect.transformer_outputs(self.pipeline, list(given.columns)))
        pt.validate.result_frame(found, ['score'], context=f'results of the pipeline of {type(self).__name__}')
        return read_items(found)

    def _document_scores(self, items: Items) -> _Scores:
        """The score of each document, that of its best item, normalised."""
        rows = {key: row for row, key in reversed(list(enumerate(_keys(items))))}
        return dict(zip(rows, self._normalised(items, list(rows.values())).tolist()))

    def _combined(self, segments: Items, rows: list[int], documents: Sequence[float],
                  queries: Sequence[str]) -> pd.DataFrame:
        """The frame that comes out, by the combined scores.

        Args:
            segments: the segments that were retrieved
            rows: the rows of the segments that stay
            documents: for each of these rows, the score of its document
            queries: the queries in the order in which they came in
        """
        score = self._normalised(segments, rows)
        if self.weight:
            score = (1 - self.weight) * score + self.weight * np.array(documents, float)
        place = {query: at for at, query in enumerate(queries)}
        query = np.array([place[segments.table.query_ids[code]] for code in segments.table.query[rows].tolist()], int)
        order = np.lexsort((-score, query))
        return emit(segments.frame, np.array(rows, int)[order], score=score[order], changed=False)

    def _normalised(self, items: Items, rows: list[int]) -> Floats:
        score = pd.Series(items.table.value[rows])
        infinite = ~np.isfinite(score)
        if infinite.any() and (self.weight or self.normalise):
            raise items.table.error(rows[int(np.argmax(infinite))], 'the score is infinite, so that no share of it can '
                                                                    'be taken: give it a number')
        if self.normalise is None:
            return score.to_numpy()
        low, high = (score.groupby(items.table.query[rows]).transform(of) for of in ('min', 'max'))
        return ((score - low) / (high - low)).where(high > low, 1.0).to_numpy()


class within(_Combining):
    """Retrieves segments within the documents that were retrieved before: of the segments that a pipeline retrieves,
    those of other documents are left out.

    In a pipeline: ``documents.bm25(num_results=20) >> pt.segments.within(windows.bm25(num_results=5000))``, or
    ``documents.bm25() >> get_text >> pt.segments.within(pt.segments.sliding(200, 100, 'word') >> scorer, weight=0.3,
    takes='documents')``.

    Args:
        pipeline: a pipeline that retrieves segments for queries, and enough of them, since segments below its cut-off
            cannot be chosen; or, with ``takes='documents'``, one that makes and scores segments of the documents
        weight: the share of the document's score in the score of the segment, from 0 (the segment's score alone) to 1
        normalise: None, or ``'min-max'``; see above (:mod:`ir_segmeasures.pt.retrieval`)
        takes: the input of the pipeline: ``'queries'``, the queries of the documents, each once, or ``'documents'``,
            the rows that come in

    The columns that come out are those of the pipeline. Items that come in may be segments themselves, and stand for
    their documents. They need scores only where ``weight`` is above 0.

    Examples:
        >>> import pyterrier as pt
        >>> documents = pt.new.ranked_documents([[2]], docno=[['v1']]).assign(query='bees')
        >>> windows = pt.new.ranked_documents([[9, 7, 5]], docno=[['v2#t=0,60', 'v1#t=0,60', 'v1#t=30,90']])
        >>> pt.segments.within(pt.Transformer.from_df(windows))(documents)['docno'].tolist()
        ['v1#t=0,60', 'v1#t=30,90']
    """
    LABEL = 'Within documents'

    def __init__(self, pipeline: pt.Transformer, weight: float = 0, normalise: str | None = None,
                 takes: str = 'queries'):
        self.pipeline, self.weight, self.normalise, self.takes = pipeline, weight, normalise, takes
        self.check_parameters()

    def check_parameters(self) -> None:
        super().check_parameters()
        check_choice('takes', self.takes, ('queries', 'documents'), 'what the pipeline is given')

    def check(self, columns: pd.DataFrame | Sequence[str]) -> None:
        score = ['score'] if self.weight else []
        with pt.validate.any(columns, context=self) as frame:
            frame.result_frame(['query', *score])
            frame.result_frame(score)

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        documents = read_items(frame)
        found = self._results(documents.frame if self.takes == 'documents' else _queries(documents))
        scores = self._document_scores(documents) if self.weight else dict.fromkeys(_keys(documents), 0.0)
        keys = _keys(found)
        rows = [row for row, key in enumerate(keys) if key in scores]
        return self._combined(found, rows, [scores[keys[row]] for row in rows], documents.table.query_ids)


class with_document_score(_Combining):
    """Scores segments together with their documents: each score becomes ``(1 - weight) · segment + weight · document``.

    In a pipeline that is tuned: ``both = pt.segments.with_document_score(documents.bm25(), normalise='min-max')``, then
    ``pt.GridScan(windows.bm25() >> both, {both: {'weight': [0, 0.25, 0.5]}}, topics, qrels, [pt.segments.MAiSP])``.

    Args:
        pipeline: a pipeline that retrieves documents for the queries of the segments
        weight: the share of the document's score, from 0 to 1
        normalise: None, or ``'min-max'``; see above (:mod:`ir_segmeasures.pt.retrieval`)
        missing: the score of documents that the pipeline does not retrieve: ``'least'``, the least that it gave for the
            query (0 if it is normalised, or if there is none); a number, on the scale of the normalised scores if they
            are normalised, such as 0, which ``+`` takes; or ``'drop'``, to leave their segments out

    Examples:
        >>> import pyterrier as pt
        >>> segments = pt.new.ranked_documents([[4, 2]], docno=[['v1#t=0,60', 'v2#t=0,60']]).assign(query='bees')
        >>> documents = pt.Transformer.from_df(pt.new.ranked_documents([[6, 1]], docno=[['v2', 'v1']]))
        >>> both = pt.segments.with_document_score(documents, weight=0.5)(segments)
        >>> dict(zip(both['docno'], both['score']))
        {'v2#t=0,60': 4.0, 'v1#t=0,60': 2.5}
    """
    LABEL = 'With document score'
    FRAMES = (('result', ('query', 'score')), ('result', ('score',)))

    def __init__(self, pipeline: pt.Transformer, weight: float = 0.5, normalise: str | None = None,
                 missing: str | float = 'least'):
        self.pipeline, self.weight, self.normalise, self.missing = pipeline, weight, normalise, missing
        self.check_parameters()

    def check_parameters(self) -> None:
        super().check_parameters()
        is_number = isinstance(self.missing, Real) and not isinstance(self.missing, bool) and isfinite(self.missing)
        if not is_number and self.missing not in ('least', 'drop'):
            raise ValueError(f"missing={quoted(self.missing)}: documents that were not retrieved have the 'least' "
                             "score of those that were, or a number, or their segments 'drop' out")

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        segments = read_items(frame)
        rows = list(range(len(segments.ids)))
        found = self._results(_queries(segments)) if rows else segments
        scores = self._document_scores(found)
        falling = [] if self.normalise or self.missing != 'least' else sorted(scores.items(), key=lambda one: -one[1])
        least = {query: score for (query, _), score in falling}
        other = 0. if isinstance(self.missing, str) else float(self.missing)
        keys = _keys(segments)
        if self.missing == 'drop':
            rows = [row for row in rows if keys[row] in scores]
        documents = [scores.get(keys[row], least.get(keys[row][0], other)) for row in rows]
        return self._combined(segments, rows, documents, segments.table.query_ids)

def _queries(items: Items) -> pd.DataFrame:
    """The queries of results, each once, in the order in which they came."""
    names = set(pt.model.query_columns(items.frame))
    frame = items.frame[[name for name in items.frame.columns if name in names]]
    return frame.drop_duplicates('qid').reset_index(drop=True)


def _keys(items: Items) -> list[tuple[str, str]]:
    """Query and document of each item."""
    table = items.table
    return [(table.query_ids[query], table.document_ids[document])
            for query, document in zip(table.query.tolist(), table.document.tolist())]
