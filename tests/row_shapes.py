"""The shapes of other libraries in which people have runs and qrels, made of a frame of pandas."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest


class Reply:
    """A row as SQL libraries have it: it makes a dict of itself."""

    def __init__(self, **values: Any):
        self._values = values

    def _asdict(self) -> dict[str, Any]:
        return self._values


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict('records')


def arrow(frame: pd.DataFrame) -> Any:
    return pytest.importorskip('pyarrow').table({name: frame[name].tolist() for name in frame})


def coded(frame: pd.DataFrame) -> Any:
    """Dictionaries in another order than the rows, with texts that no row has, one for each of two blocks."""
    pyarrow = pytest.importorskip('pyarrow')

    def block(part: pd.DataFrame) -> Any:
        columns = {name: pyarrow.array(part[name].tolist()) for name in part if name not in ('query_id', 'doc_id')}
        for name in ('query_id', 'doc_id'):
            texts = ['nobody', *sorted(set(part[name]), reverse=True)]
            codes = pyarrow.array([texts.index(text) for text in part[name]], pyarrow.int8())
            columns[name] = pyarrow.DictionaryArray.from_arrays(codes, texts)
        return pyarrow.table(columns)
    return pyarrow.concat_tables([block(frame[:1]), block(frame[1:])])


def hugging_face(frame: pd.DataFrame) -> Any:
    try:  # without the package, the name finds the folder tests/datasets
        from datasets import Dataset
    except ImportError:
        pytest.skip('needs the package datasets of Hugging Face')
    return Dataset.from_list(records(frame))


def structured(frame: pd.DataFrame) -> Any:
    texts = frame.assign(**{name: frame[name].astype(object) for name in frame if frame[name].dtype.kind not in 'if'})
    return texts.to_records(index=False)


SHAPES: dict[str, Callable[[pd.DataFrame], Any]] = {
    'dicts': records,
    'dict of columns': lambda frame: {name: frame[name].tolist() for name in frame},
    'dict of arrays': lambda frame: {name: frame[name].to_numpy() for name in frame},
    'dict of series of polars': lambda frame: pytest.importorskip('polars').DataFrame(records(frame)).to_dict(),
    'dict of arrays of Arrow': lambda frame: {name: pytest.importorskip('pyarrow').array(frame[name].tolist())
                                              for name in frame},
    'rows that make dicts': lambda frame: [Reply(**row) for row in records(frame)],
    'records': structured,
    'array of records': lambda frame: np.array(structured(frame)),
    'pyarrow': arrow,
    'pyarrow, coded': coded,
    'pyarrow, batch': lambda frame: arrow(frame).to_batches()[0],
    'pyarrow, reader': lambda frame: arrow(frame).to_reader(),
    'polars': lambda frame: pytest.importorskip('polars').DataFrame(records(frame)),
    'datasets': hugging_face,
}
