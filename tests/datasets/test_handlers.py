"""Handlers as ir_datasets has its own: rows as they are read, nothing parsed twice, pickled, documented."""

import os
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

ir_datasets = pytest.importorskip('ir_datasets')

from ir_segmeasures import datasets  # noqa: E402
from ir_segmeasures.datasets import base  # noqa: E402


def put(home: Path, id: str, content: str) -> Any:
    """The handler of a dataset with judgements of this content."""
    handler = datasets.load(id).qrels_handler()
    path = home / handler.files[0].folder / handler.files[0].name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return handler


@pytest.mark.parametrize('id', list(datasets.DATASETS))
def test_all_pickle(id: str) -> None:
    dataset = datasets.DATASETS[id]
    again = pickle.loads(pickle.dumps(dataset))
    assert again.documentation() == dataset.documentation()
    assert again.dataset_id() == id
    for kind in ('docs', 'queries', 'qrels', 'scoreddocs'):
        if dataset.has(kind):
            getattr(again, kind)  # which ir_datasets' own have lost
            handler = getattr(dataset, f'{kind}_handler')()
            assert type(pickle.loads(pickle.dumps(handler))) is type(handler)


def test_datasets_of_pyterrier_pickle(home: Path) -> None:
    pt = pytest.importorskip('pyterrier')
    put(home, 'mediaeval-sh/2015/search', 'item_1 0 v1 1.00 2.00 1\n')
    dataset = pt.get_dataset('segments:mediaeval-sh/2015/search')
    again = pickle.loads(pickle.dumps(dataset))
    assert repr(again) == repr(dataset)
    assert again.get_qrels().equals(dataset.get_qrels())


class TestDocumentation:
    def test_papers_in_bibtex(self) -> None:
        entries: dict[str, str] = {}
        for id, dataset in datasets.DATASETS.items():
            if id.startswith('mine/'):
                continue
            found = dataset.documentation()
            key, = found['bibtex_ids']
            assert re.match(rf'@[a-z]+{{{key},\n  author = {{.+}},\n  title = {{{{.+}}}},\n', found['bibtex']), id
            assert found['bibtex'].count('{') == found['bibtex'].count('}')
            assert entries.setdefault(key, found['bibtex']) == found['bibtex']
            assert re.fullmatch(r'[A-Z][a-z]+[0-9]{4}[A-Z][A-Za-z]+', key)
        assert len(entries) == 34


class TestMissingFiles:
    def test_the_year_is_named_and_no_folder_is_made(self, home: Path) -> None:
        looked_at = 0
        for id, dataset in datasets.DATASETS.items():
            year = re.search('(19|20)[0-9]{2}', id)
            for kind in ('docs', 'queries', 'qrels', 'scoreddocs'):
                handler = getattr(dataset, f'{kind}_handler')() if dataset.has(kind) else None
                if not isinstance(handler, base._Handler) or getattr(handler.files[0], 'url', None):
                    continue
                with pytest.raises(OSError, match='does not exist') as error:
                    list(getattr(handler, f'{kind}_iter')())
                assert year is None or year[0] in str(error.value).partition('does not exist')[2], id
                looked_at += 1
        assert looked_at > 90
        ours = {id.partition('/')[0] for id in datasets.DATASETS}
        assert not ours & set(os.listdir(home) if home.exists() else ())
