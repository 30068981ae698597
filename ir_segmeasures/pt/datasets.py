"""The datasets of this package in PyTerrier, such as ``pt.get_dataset('segments:mediaeval-sh/2014/search')``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_segmeasures import datasets
from ir_segmeasures.pt.files import query_of
from ir_segmeasures.pt.pyterrier_private import ListedDataset

__all__ = ['SegmentDataset', 'SegmentDatasets']

_NO_VARIANTS = ('query_id', 'doc_id', 'iteration')


class SegmentDatasets(pt.datasets.DatasetProvider):
    """The provider ``segments``. Once it is loaded, ``irds:`` knows the same ids."""

    def get_dataset(self, name: str) -> SegmentDataset:
        datasets.load(name)  # for its error, which names similar ids; of a KeyError, PyTerrier would leave that out
        return SegmentDataset(name)

    def list_dataset_names(self) -> Iterable[str]:
        return list(datasets.DATASETS)


class SegmentDataset(ListedDataset):
    """A dataset of ir_datasets, with the segment ids of its judgements as ``docno``. PyTerrier has the same dataset
    under ``irds:`` and its id, with other topics."""

    def __init__(self, id: str):
        self._id = id
        self._dataset = pt.get_dataset(f'irds:{id}')

    def __reduce__(self) -> Any:  # PyTerrier's own cannot be pickled
        return pt.get_dataset, (f'segments:{self._id}',)

    def irds_ref(self) -> Any:
        """The dataset as ir_datasets has it."""
        return self._dataset.irds_ref()

    def get_corpus_iter(self, verbose: bool = True, start: int = 0, count: int | None = None) -> Any:
        return self._dataset.get_corpus_iter(verbose=verbose, start=start, count=count)

    def get_corpus_lang(self) -> str | None:
        return self._dataset.get_corpus_lang()

    def text_loader(self, fields: Any = '*', *, verbose: bool = False) -> pt.Transformer:
        return self._dataset.text_loader(fields, verbose=verbose)

    def get_topics(self, variant: str | None = None) -> pd.DataFrame:
        """The topics; an anchor of linking has the id of its segment as ``query``, a topic of several fields its title,
        beside all of them, unless ``variant`` names another."""
        rows = list(self.irds_ref().queries_iter()) if self.irds_ref().has_queries() else []
        if variant is None and rows and {'doc_id', 'start', 'end'} <= set(rows[0]._fields):
            # Without the times: as columns of results they would be taken for those of a result.
            return pd.DataFrame({'qid': [row.query_id for row in rows], 'query': list(map(query_of, rows))})
        if variant is None and rows and len(rows[0]._fields) > 2 and hasattr(rows[0], 'default_text'):
            return pd.DataFrame(rows).rename(columns={'query_id': 'qid'}).assign(query=list(map(query_of, rows)))
        return self._dataset.get_topics(variant)

    def get_topics_lang(self) -> str | None:
        return self._dataset.get_topics_lang()

    def get_qrels(self, variant: str | None = None) -> pd.DataFrame:
        return self._dataset.get_qrels(variant)

    def get_results(self, variant: str | None = None) -> pd.DataFrame:
        """The run that comes with the dataset, as results for the topics of :meth:`get_topics`."""
        if not self.irds_ref().has_scoreddocs():
            return super().get_results(variant)
        results = pd.DataFrame(self.irds_ref().scoreddocs_iter()).rename(columns={'query_id': 'qid', 'doc_id': 'docno'})
        results = results.sort_values(['qid', 'score', 'docno'], ascending=[True, False, True])
        return results.merge(self.get_topics(variant), how='left', on='qid')

    def info_url(self) -> str:
        return self.irds_ref().documentation().get('source', '')

    def parts(self, component: str) -> bool | list[str] | None:
        dataset = self.irds_ref()
        if component == 'topics':
            return dataset.has_queries() or None
        if component == 'qrels' and dataset.has_qrels():
            variants = [name for name in dataset.qrels_cls()._fields if name not in _NO_VARIANTS]
            return variants if len(variants) > 1 else True
        there = {'corpus': dataset.has_docs, 'results': dataset.has_scoreddocs}
        return (component in there and there[component]()) or None

    def __repr__(self) -> str:
        return f'SegmentDataset({self._id!r})'
