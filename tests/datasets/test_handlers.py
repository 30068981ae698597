"""Handlers as ir_datasets has its own: rows as they are read, nothing parsed twice, pickled, documented."""

import gzip
import os
import pickle
import re
import shutil
import tarfile
import types
from pathlib import Path
from typing import Any

import pytest

ir_datasets = pytest.importorskip('ir_datasets')

from ir_segmeasures import datasets, formats  # noqa: E402
from ir_segmeasures.datasets import base  # noqa: E402
from ir_segmeasures.datasets.papers import Paper  # noqa: E402

# Where the real judgements are, and where people have them.
REAL = {
    'trecvid-avs/2021': ('trecvid/avs.qrels.main.tv21.gz', 'trecvid-avs/2021/avs.qrels.main.tv21.gz'),
    'vbs-avs/2022/segments': ('trecvid/avs.vbs2022_dres.txt.gz', 'vbs-avs/2022/avs.vbs2022_dres.txt.gz'),
    'mediaeval-sh/2014/search': ('mediaeval-sh-2014/me14sh_search_testSet.qrel',
                                 'mediaeval-sh/me14sh_search_testSet.qrel'),
    'inex/2010/adhoc': ('inex-2010/inex2010.qrels.gz', 'inex/2010/inex2010.qrels.gz'),
    'trec-podcasts/2020/test': ('trec-podcasts-2020/2020_test_qrels.list.gz',
                                'trec-podcasts/2020/2020_test_qrels.list.gz'),
    'trec-genomics-2007/gold': ('trec-genomics-2007/gold-standard-07.txt.gz',
                                'trec-genomics-2007/gold-standard-07.txt.gz'),
    'qvhighlights/val': ('moments/qvhighlights-val.jsonl.gz', 'qvhighlights/highlight_val_release.jsonl.gz'),
    'castella/test': ('moments/castella-test.jsonl.gz', 'castella/castella_test_release.jsonl.gz'),
    'tvr/val': ('moments/tvr-val.jsonl.gz', 'tvr/tvr_val_release.jsonl.gz'),
    'legalbench-rag/privacy_qa': ('chunks/legalbench-rag/privacy_qa.json.gz',
                                  'legalbench-rag/benchmarks/privacy_qa.json.gz'),
}


@pytest.fixture
def real(home: Path, shared_data: Path) -> Path:
    for source, target in REAL.values():
        (home / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(shared_data / source, home / target)
    with tarfile.open(shared_data / 'chunks' / 'legalbench-rag' / 'corpus.tar.gz') as texts:
        texts.extractall(home / 'legalbench-rag', filter='data')
    return home


def put(home: Path, id: str, content: str) -> Any:
    """The handler of a dataset with judgements of this content."""
    handler = datasets.load(id).qrels_handler()
    path = home / handler.files[0].folder / handler.files[0].name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return handler


class TestRowsAsTheyAreRead:
    @pytest.mark.filterwarnings('ignore:.*repeat an earlier one')
    def test_rows_are_those_of_the_whole_file(self, real: Path) -> None:
        for id in REAL:
            handler = datasets.load(id).qrels_handler()
            rows = handler.qrels_iter()
            assert isinstance(rows, types.GeneratorType)
            assert list(rows) == list(handler.rows()), id

    def test_what_is_there_twice(self, home: Path) -> None:
        lines = [f'1501 0 shot{number % 900}_1 1 1\n' for number in range(1000)]
        handler = put(home, 'trecvid-avs/2016', ''.join(lines))
        with pytest.warns(UserWarning, match=r'100 of 1000 lines repeat an earlier one exactly'):
            assert len(list(handler.qrels_iter())) == 900
        lines[-1] = lines[-1].replace(' 1 1\n', ' 1 0\n')
        put(home, 'trecvid-avs/2016', ''.join(lines))
        with pytest.raises(formats.FormatError, match=r'line 1000: .* is judged for .1501. twice'):
            list(handler.qrels_iter())


ONE = '{"qid": 1, "vid": "v", "relevant_windows": [[1, 2]]}\n'
DRES = ('taskName junk item start_fr start_s end_fr end_s stratum judgement\n'
        'a 0 7 0 0.5 25 1.5 1 1\nb 0 7 0 0 9 0.36 1 0\n')
CLIPS = '{"qid": 1, "vid": "v", "duration": 4, "relevant_clip_ids": [1], "saliency_scores": [[2, 3, 4]]}\n'
TREC = 'q1 0 v1#t=60,90 1\nq1 0 v2 0\nq2 0 v1#t=0,1 2\n'


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


def test_rows_of_a_pickled_handler(home: Path) -> None:
    handler = put(home, 'mediaeval-sh/2015/search', 'item_1 0 v1 1.00 2.00 1\n')
    assert handler.qrels_count() == 1
    again = pickle.loads(pickle.dumps(handler))
    assert list(again.qrels_iter()) == list(handler.qrels_iter())


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

    def test_paper(self) -> None:
        paper = Paper('A. Gövert, B. Fuhr et al.', 'Why measure? The answer', 'INEX 2002', 2002, 'https://x.org')
        assert paper.citation == 'A. Gövert, B. Fuhr et al.: Why measure? The answer. INEX 2002. https://x.org'
        assert paper.bibtex == (
            '@inproceedings{Govert2002Measure,\n  author = {A. Gövert and B. Fuhr and others},\n'
            '  title = {{Why measure? The answer}},\n  booktitle = {INEX 2002},\n  year = {2002},\n'
            '  url = {https://x.org},\n}\n')


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

    def test_a_download_that_fails_leaves_no_folder(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Nothing:
            def __init__(self, *_: Any, **__: Any):
                pass

            def path(self) -> str:
                raise OSError('no network')
        monkeypatch.setattr('ir_segmeasures.datasets.files.Download', Nothing)
        file = base.CampaignFile('campaign/2020', 'videos.txt', url='https://example.org/videos.txt')
        with pytest.raises(OSError, match='cannot be downloaded'):
            file.path()
        assert not (home / 'campaign').exists()

    def test_packed_files_are_found(self, home: Path) -> None:
        place = home / 'campaign' / 'videos.txt.gz'
        place.parent.mkdir(parents=True)
        file = base.CampaignFile('campaign', 'videos.txt', how='ask')
        assert not file.exists()
        place.write_bytes(gzip.compress(b'v1'))
        assert (file.exists(), str(file.location), file.path()) == (True, str(place), str(place))
