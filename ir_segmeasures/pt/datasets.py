"""Our datasets in PyTerrier: ``pt.get_dataset('segments:mediaeval-sh/2014/search')``, after nothing but its import."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
import pyterrier as pt
from pyterrier.datasets._irds import IRDSDataset

from ir_segmeasures import datasets
from ir_segmeasures.pt.files import query_of

__all__ = ['SegmentDataset', 'SegmentDatasets']


class SegmentDatasets(pt.datasets.DatasetProvider):
    """The provider ``segments``. Once it is loaded, ``irds:`` knows the same ids."""

    def get_dataset(self, name: str) -> SegmentDataset:
        try:
            datasets.load(name)
        except ValueError as error:
            raise KeyError(str(error)) from None
        return SegmentDataset(name)

    def list_dataset_names(self) -> Iterable[str]:
        return list(datasets.DATASETS)


class SegmentDataset(IRDSDataset):
    """A dataset of ir_datasets, with the segment ids of its judgements as ``docno``."""

    def get_topics(self, variant: str | None = None) -> pd.DataFrame:
        """The topics; an anchor of linking has the id of its segment as ``query``, a topic of several fields its title,
        beside all of them, unless ``variant`` names another."""
        rows = list(self.irds_ref().queries_iter()) if self.irds_ref().has_queries() else []
        if variant is None and rows and {'doc_id', 'start', 'end'} <= set(rows[0]._fields):
            # Without the times: as columns of results they would be taken for those of a result.
            return pd.DataFrame({'qid': [row.query_id for row in rows], 'query': list(map(query_of, rows))})
        if variant is None and rows and len(rows[0]._fields) > 2 and hasattr(rows[0], 'default_text'):
            return pd.DataFrame(rows).rename(columns={'query_id': 'qid'}).assign(query=list(map(query_of, rows)))
        return super().get_topics(variant)

    def info_url(self) -> str:
        return self.irds_ref().documentation().get('source', '')

    def __repr__(self) -> str:
        return f'SegmentDataset({self._irds_id!r})'

    def _describe_component(self, component: str) -> Any:
        if component == 'topics' and self.irds_ref().has_queries():
            return True
        return super()._describe_component(component)
