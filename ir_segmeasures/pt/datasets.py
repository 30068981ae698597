"""The datasets of this package in PyTerrier, such as ``pt.get_dataset('segments:mediaeval-sh/2014/search')``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_segmeasures import datasets
from ir_segmeasures.pt.files import query_of
from ir_segmeasures.pt.irds_private import IRDSDataset


class SegmentDatasets(pt.datasets.DatasetProvider):
    """The provider ``segments``. Once it is loaded, ``irds:`` knows the same ids."""

    def get_dataset(self, name: str) -> SegmentDataset:
        datasets.load(name)  # for its error, which names similar ids; of a KeyError, PyTerrier would leave that out
        return SegmentDataset(name)

    def list_dataset_names(self) -> Iterable[str]:
        return list(datasets.DATASETS)


class SegmentDataset(IRDSDataset):
    """A dataset of ir_datasets, with the segment ids of its judgements as ``docno``. PyTerrier has the same dataset
    under ``irds:`` and its id, with other topics."""

    def __init__(self, id: str):
        super().__init__(id)
        self._id = id

    def __reduce__(self) -> Any:  # PyTerrier's own cannot be pickled
        return pt.get_dataset, (f'segments:{self._id}',)

    def get_topics(self, variant: str | None = None) -> pd.DataFrame:
        """The topics; an anchor of linking has the id of its segment as ``query``, a topic of several fields its title,
        beside all of them, unless ``variant`` names another."""
        rows = list(self.irds_ref().queries_iter()) if variant is None and self.irds_ref().has_queries() else []
        if rows and {'doc_id', 'start', 'end'} <= set(rows[0]._fields):
            # Without the times: as columns of results they would be taken for those of a result.
            return pd.DataFrame({'qid': [row.query_id for row in rows], 'query': list(map(query_of, rows))})
        if rows and len(rows[0]._fields) > 2 and hasattr(rows[0], 'default_text'):
            return pd.DataFrame(rows).rename(columns={'query_id': 'qid'}).assign(query=list(map(query_of, rows)))
        return super().get_topics(variant)

    def info_url(self) -> str:
        return self.irds_ref().documentation().get('source', '')

    def __repr__(self) -> str:
        return f'SegmentDataset({self._id!r})'
