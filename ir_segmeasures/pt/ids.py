"""Transformers that give rows another ``docno``: the id of a segment, of a judged segment, or of a document.

:mod:`ir_segmeasures.pt.base` says what all transformers take and give. The functions
:func:`~ir_segmeasures.ids.encoding.with_ids`, :func:`~ir_segmeasures.ids.resolving.resolve`,
:func:`~ir_segmeasures.ids.documents.align` and :func:`~ir_segmeasures.ids.documents.to_documents` do the work; the
rules stand there.
"""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ir_segmeasures.ids import documents
from ir_segmeasures.ids.encoding import check_unit, with_ids
from ir_segmeasures.ids.resolving import is_segment, resolve as resolve_ids
from ir_segmeasures.pt.base import SegmentTransformer, as_run, emit, read_items, with_queries, with_times
from ir_segmeasures.pt.bounds import extents_of, is_dataset
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import parse_segment, unquote_id
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.texts.chunks import rows
from ir_segmeasures.texts.locating.collection import check_unlocated

__all__ = ['encode', 'decode', 'resolve', 'align', 'to_documents', 'locate']

_TIMES = ('start', 'end', 'length')


class encode(SegmentTransformer):
    """Writes the columns ``start`` and ``end`` (or ``start`` and ``length``) into the ``docno``, and leaves them out.
    Pipelines of segments begin with it, since operators need a ``docno`` that distinguishes the segments of a document.

    It takes results, judgements, and documents that are going to be indexed: ``pt.segments.encode('char') >> indexer``.

    Args:
        unit: the unit of the columns: ``'t'`` (seconds), ``'char'``, ``'word'``, ``'line'`` or ``'page'``

    A ``docno`` that is a segment id already stays. Where there are both, ``end`` and ``length`` must agree. Of rows of
    a query with the same id the best ranked stays; rows without a score that have a ``label`` (judgements) all stay.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1', 'v1']]).assign(start=[0, 30], end=[60, 90])
        >>> pt.segments.encode()(results)['docno'].tolist()
        ['v1#t=0,60', 'v1#t=30,90']
    """
    FRAMES = (('result', ('start', 'end')), ('result', ('start', 'length')),
              ('document', ('start', 'end')), ('document', ('start', 'length')))

    def __init__(self, unit: str = 't'):
        self.unit = unit
        self.check_parameters()

    def check_parameters(self) -> None:
        check_unit(self.unit)

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        times = [name for name in _TIMES if name in frame.columns]
        run = as_run(frame).assign(**{name: frame[name] for name in times})
        ids = with_ids(run, self.unit, kind='run')['doc_id'].tolist()
        encoded = frame.drop(columns=times).assign(docno=pd.Series(ids, frame.index, str))
        if 'label' in frame.columns and 'score' not in frame.columns:
            return encoded
        return renamed_items(encoded)


class decode(SegmentTransformer):
    """Writes the parts of the ``docno`` into columns: ``document``, ``start`` and ``end``. Rows, and their order, stay
    as they are, but for the gaps that ``+`` leaves (:mod:`ir_segmeasures.pt.base`).

    Args:
        bare: whether the document's id takes the place of the segment's, so that there is no column ``document``. This
            undoes :class:`encode`. Then ids stand several times in a query, which no operator takes: use it at the end
            of a pipeline, before a transformer that knows whole documents only.

    Columns of these names are replaced. The end of a whole document, and an open end, is infinity.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1#t=0,60', 'v1#t=30,90']])
        >>> pt.segments.decode()(results)[['docno', 'document', 'start', 'end']]
                docno document  start  end
        0   v1#t=0,60       v1      0   60
        1  v1#t=30,90       v1     30   90
    """
    FRAMES = (('result', ()), ('document', ()))

    def __init__(self, bare: bool = False):
        self.bare = bare

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        read_items(frame.drop(columns=[name for name in ('score',) if name in frame.columns]))  # for its errors
        result = with_times(with_queries(frame), ('start', 'end'))
        names = [parse_segment(str(id)).document for id in frame['docno']]
        return result.assign(**{'docno' if self.bare else 'document': pd.Series(names, frame.index, str)})


class resolve(SegmentTransformer):
    """Replaces ids of other kinds (of whole documents, shots, elements, passages …) by segment ids, from a table; by a
    pattern, where ids have their offsets in them; or from a segmented corpus (:func:`ir_segmeasures.resolve`).

    For MTRAG: ``pt.segments.resolve(ids='{doc}_{start}-{end}-{}-{}')``; for TREC RAG:
    ``pt.segments.resolve(corpus='msmarco_v2.1_doc_segmented/*.json.gz')``.

    Args:
        table: a :class:`~ir_segmeasures.pt.artifacts.SegmentTable`; or id → (document, start, end) in ``unit``, or →
            :class:`~ir_segmeasures.segments.segment.Segment` in its unit; or document → its length in ``unit``; or a
            file of such lines (:func:`~ir_segmeasures.formats.extents.read_extents`); or a dataset whose documents have
            a length; or none, and one of ``ids`` and ``corpus``
        unit: ``'t'`` (seconds), ``'char'``, ``'word'``, ``'line'`` or ``'page'``; not given: seconds for a table,
            characters for the others
        missing: ``'error'`` refuses ids that the table or the corpus lacks, or that the pattern does not fit,
            ``'keep'`` leaves them as they are, and ``'warn'`` does so with a warning that has their number and
            examples
        ids: a pattern with ``{doc}``, ``{start}``, and ``{end}`` or ``{length}``; ``{}`` is anything
        corpus: a pattern of files, or files, with lines of JSON, one for each segment; ``.gz`` by suffix. They are read
            once, until all ids are found. Or a mapping or a dataset, as for ``table``
        id, start, end, doc: the fields of these lines. Without ``doc``, the document is the segment's id up to ``#``

    Segment ids stay as they are, but for one with an open end, which takes the end of its document from the table. Two
    items of a query that are the same segment are one, the better ranked.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['shot1_2', 'shot1_1']])
        >>> pt.segments.resolve({'shot1_1': ('v1', 0, 4.2), 'shot1_2': ('v1', 4.2, 9.8)})(results)['docno'].tolist()
        ['v1#t=4.2,9.8', 'v1#t=0,4.2']

        Whole documents become segments with their lengths, a baseline for what finds parts of them:

        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v2', 'v1']])
        >>> pt.segments.resolve({'v1': 50, 'v2': 60.5})(results)['docno'].tolist()
        ['v2#t=0,60.5', 'v1#t=0,50']

        Ids that contain their offsets:

        >>> results = pt.new.ranked_documents([[1]], docno=[['d1_120-180']])
        >>> pt.segments.resolve(ids='{doc}_{start}-{end}')(results)['docno'].tolist()
        ['d1#char=120,180']
    """
    FRAMES = (('result', ()), ('document', ()))

    def __init__(self, table: Any = None, unit: str | None = None,
                 missing: str = 'error', *, ids: str | None = None, corpus: Any = None, id: str = 'docid',
                 start: str = 'start_char', end: str = 'end_char', doc: str | None = None):
        self.table, self.unit, self.missing = table, unit, missing
        self.ids, self.corpus, self.id, self.start, self.end, self.doc = ids, corpus, id, start, end, doc
        self.check_parameters()

    def check_parameters(self) -> None:
        if self.unit is not None:
            check_unit(self.unit)
        self._resolved([], {} if is_dataset(self.corpus) or isinstance(self.table, str | os.PathLike)
                       or is_dataset(self.table) else None)  # for its errors; files and datasets are read at work

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        ids = self._resolved(frame[['docno']].rename(columns={'docno': 'doc_id'}))['doc_id']
        return renamed_items(frame.assign(docno=pd.Series(ids.tolist(), frame.index, str)))

    def _resolved(self, rows: Any, table: Any = None) -> Any:
        corpus = self.corpus
        if self.table is not None:
            table = extents_of(self, self.table, self.unit) if table is None else table
        elif is_dataset(corpus):
            table, corpus = extents_of(self, corpus, self.unit) if table is None else table, None
        return resolve_ids(rows, table, self.unit, self.missing, ids=self.ids, corpus=corpus, id=self.id,
                           start=self.start, end=self.end, doc=self.doc)


class align(SegmentTransformer):
    """Gives items that meet a judged segment the id of that segment, so that every measure of ir-measures, graded nDCG
    included, has its meaning (:func:`ir_segmeasures.ids.documents.align`).

    In an experiment: ``pt.Experiment([system >> pt.segments.align(qrels) for system in systems], topics, qrels,
    ['ndcg_cut_10', 'recip_rank'])``.

    Args:
        qrels: judged segments with their ids in ``docno``, as for an experiment (or in a shape of ir-measures)
        by: ``'overlap'`` (any content in common) or ``'iou'``
        threshold: for ``by='iou'`` alone, and required there: the least IoU, above 0 and at most 1
        matching: ``'greedy'``, or for ``by='iou'`` and measures of sets ``'optimal'``, the most pairs that can be

    Items in rank order each take the judged segment of their document with which they share most, each of these once;
    those that meet none keep their own id. It is for evaluation only, since a pipeline that goes on would know the
    answers.

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> qrels = pd.DataFrame([('1', 'v1#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1#t=10,40', 'v1#t=60,90']])
        >>> pt.segments.align(qrels)(results)['docno'].tolist()
        ['v1#t=0,60', 'v1#t=60,90']
    """

    def __init__(self, qrels: Any, by: str = 'overlap', threshold: float | None = None, matching: str = 'greedy'):
        self.qrels, self.by, self.threshold, self.matching = qrels, by, threshold, matching
        self.check_parameters()
        self._aligned(pd.DataFrame(columns=['qid', 'docno', 'score']))  # for its errors

    def check_parameters(self) -> None:
        documents.align([], [], self.by, self.threshold, matching=self.matching)  # for its errors; qrels are read later

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        ids = self._aligned(items.frame) if items.ids else []
        return emit(items.frame, range(len(ids)), ids)

    def _aligned(self, frame: pd.DataFrame) -> list[str]:
        aligned = documents.align(as_run(frame), from_pyterrier(self.qrels), self.by, self.threshold,
                                  matching=self.matching)
        return aligned['doc_id'].tolist()


class to_documents(SegmentTransformer):
    """Replaces segments by their documents, one row for each document of a query
    (:func:`ir_segmeasures.ids.documents.to_documents`).

    Args:
        agg: the score of a document, from its retrieved segments: ``'max'`` (MaxP), ``'sum'`` (SumP, of scores of 0 or
            more), ``'mean'``, or ``'first'`` (the score of the segment that starts first in the document)

    An id that stands several times in a query counts once, where it is ranked best. Documents of equal score stand in
    the order of their best items, whose other columns they have, but for those that hold the content of a segment.

    Rows without a score that have a ``label`` (judgements) become judgements of documents, whatever ``agg`` is: the
    highest label of each, in order of appearance.

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[3, 2, 2]], docno=[['v1#t=0,60', 'v2#t=0,60', 'v2#t=60,90']])
        >>> pt.segments.to_documents()(results)['docno'].tolist()
        ['v1', 'v2']
        >>> pt.segments.to_documents('sum')(results)['docno'].tolist()
        ['v2', 'v1']

        Judgements of documents, for an experiment with such results:

        >>> qrels = pd.DataFrame([('1', 'v1#t=0,60', 1), ('1', 'v1#t=80,90', 2)], columns=['qid', 'docno', 'label'])
        >>> pt.segments.to_documents()(qrels)[['qid', 'docno', 'label']].values.tolist()
        [['1', 'v1', 2]]
    """
    FRAMES = (('result', ('score',)), ('result', ('label',)))

    def __init__(self, agg: str = 'max'):
        self.agg = agg
        self.check_parameters()

    def check_parameters(self) -> None:
        documents.to_documents([], self.agg)  # for its errors

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        rows = as_run(items.frame).assign(row=np.arange(len(items.frame)))
        if 'score' in frame.columns:
            rows, kind = rows.drop_duplicates(['query_id', 'doc_id']), 'run'
        else:
            rows, kind = rows.drop(columns='score').assign(relevance=items.frame['label']), 'qrels'
        found = documents.to_documents(rows, self.agg, kind=kind)
        return emit(items.frame, found['row'].tolist(), found['doc_id'].tolist(), found.get('score'))


def renamed_items(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame that comes out, of rows whose ids are called otherwise but mean the same segments."""
    items = read_items(frame)
    return emit(items.frame, range(len(items.ids)), changed=False)


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
