"""Tables of extents in every form that resolve and expand take, streams of results, boundaries of the other kind."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pandas as pd
import pytest

from ir_segmeasures import Segment

pt = pytest.importorskip('pyterrier')
S = pt.segments

WHOLE = pd.DataFrame([('q', 'v', 2., 0), ('q', 'w', 1., 1)], columns=['qid', 'docno', 'score', 'rank'])
PARTS = WHOLE.assign(docno=['v#t=80,90', 'w#t=40,50'])


class Video(NamedTuple):
    doc_id: str
    duration: float


class Dataset:
    """The part of a dataset of ir_datasets that is needed, which counts how often it is read."""
    reads: ClassVar[int] = 0

    def __init__(self, kind: Any = Video):
        self.kind = kind

    def has_docs(self) -> bool:
        return True

    def docs_cls(self) -> Any:
        return self.kind

    def docs_iter(self) -> Any:
        type(self).reads += 1
        return iter([self.kind('v', 100), self.kind('w', 50)])


class OfPyTerrier:
    def irds_ref(self) -> Dataset:
        return Dataset()


def tables(folder: Path) -> Iterator[Any]:
    """All forms of a table by which v has 100 seconds, and w 50."""
    lengths, extents = folder / 'lengths.tsv', folder / 'extents.tsv'
    lengths.write_text('v\t100\nw\t50\n')
    extents.write_text('v v 0 100\nw w#t=0,50\n')
    yield from ({'v': 100, 'w': 50}, {'v': ('v', 0, 100), 'w': Segment('w', 0, 50, 't')}, lengths, str(extents),
                Dataset(), OfPyTerrier())


def test_resolve_and_expand_take_the_same(tmp_path: Path) -> None:
    for table in tables(tmp_path):
        assert S.resolve(table)(WHOLE).docno.tolist() == ['v#t=0,100', 'w#t=0,50'], table
        assert S.expand(after=15, durations=table)(PARTS).docno.tolist() == ['v#t=80,100', 'w#t=40,50'], table
        if not isinstance(table, str | Path):  # files of a corpus are lines of JSON
            assert S.resolve(corpus=table)(WHOLE).docno.tolist() == ['v#t=0,100', 'w#t=0,50'], table


def test_a_dataset_is_read_once_and_at_work() -> None:
    Dataset.reads = 0
    transformer = S.resolve(corpus=Dataset())
    assert Dataset.reads == 0
    for _ in range(3):
        transformer(WHOLE)
    assert Dataset.reads == 1
    assert pickle.loads(pickle.dumps(transformer))(WHOLE).equals(transformer(WHOLE))
