"""Datasets in ir_datasets: the files of campaigns, anybody's own, and what is said of missing and damaged ones."""

import gzip
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ir_measures
import pytest

ir_datasets = pytest.importorskip('ir_datasets')

from ir_segmeasures import ESL, SegGenerality, datasets, formats, sample  # noqa: E402
from ir_segmeasures.datasets import base, local  # noqa: E402

SEARCH = 'mediaeval-sh/2014/search'


@pytest.fixture
def mediaeval_2014(home: Path, shared_data: Path) -> Path:
    """The real files of 2014 where a user has them, one of them packed."""
    folder = home / 'mediaeval-sh'
    (folder / '2014').mkdir(parents=True)
    source = shared_data / 'mediaeval-sh-2014'
    for name in ('me14sh_search_testSet_queries.xml', 'me14sh_linking_testSet_anchors.xml',
                 'me14sh_search_testSet.qrel'):
        shutil.copy(source / name, folder)
    (folder / 'cAXES.txt').write_bytes(gzip.decompress((source / 'videos.txt.gz').read_bytes()))
    shutil.copy(source / 'run-180-60-noover.txt.gz', folder / '2014')
    return folder


class TestRegistration:
    def test_ids_are_known_once_the_package_is_imported(self) -> None:
        dataset = ir_datasets.load(SEARCH)
        assert all(dataset.has(kind) for kind in ('docs', 'queries', 'qrels', 'scoreddocs'))
        datasets.register()  # again
        assert ir_datasets.load(SEARCH) is dataset
        assert ir_datasets.docs_parent_id(SEARCH) == 'mediaeval-sh/2014'

    def test_nothing_is_opened_or_downloaded(self, home: Path) -> None:
        code = ('import builtins, socket, ir_segmeasures.datasets as d\n'
                'builtins.open = socket.socket = None\n'
                'd.register(); print([d.load(id) for id in d.DATASETS][0])')
        result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, '')
        assert not any(home.rglob('*.*'))

    @pytest.mark.parametrize('id', datasets.DATASETS)
    def test_every_dataset_is_documented(self, id: str) -> None:
        dataset = ir_datasets.load(id)
        assert re.fullmatch(r'[a-z0-9./_-]+', id)
        entry = dataset.documentation()
        assert {'pretty_name', 'desc', 'source', 'licence', 'data_access', 'citation'} <= set(entry)
        for text in entry.get('official_measures', ()):
            measure = ir_measures.parse_measure(text)
            assert ir_measures.DefaultPipeline.supports(measure)
        if dataset.has_qrels():
            # Nobody published figures of the first; the measures of the second are those of its passages.
            assert ('official_measures' in entry) != (id.endswith('/segments') or id == 'inex/2007/adhoc')
            assert all(type in (str, int, float) for type in dataset.qrels_cls().__annotations__.values())

    def test_unknown_ids(self) -> None:
        with pytest.raises(ValueError, match="no dataset 'mediaeval-sh/2014/serch': similar ids are mediaeval-sh/20"):
            datasets.load('mediaeval-sh/2014/serch')
        with pytest.raises(ValueError, match="'ir_segmeasures datasets' lists those of segments"):
            datasets.load('????')


class TestMediaEval:
    def test_counts_and_rows(self, mediaeval_2014: Path) -> None:
        dataset = ir_datasets.load(SEARCH)
        assert len(list(dataset.docs_iter())) == 3520
        assert len(list(dataset.queries_iter())) == 36
        qrels = list(dataset.qrels_iter())
        assert len(qrels) == 9615
        assert Counter(qrel.relevance > 0 for qrel in qrels)[True] == 3177
        assert len({qrel.query_id for qrel in qrels}) == 30
        assert qrels[0] == ('query_10', 'v20080514_153000_bbctwo_ready_steady_cook#t=720,810', 0, 'Q0')
        assert dataset.docs.lookup('v20080512_001000_bbcone_weatherview').duration == 354
        assert [doc.duration for doc in dataset.docs_iter()[:2]] == [354, 1769]
        anchors = list(ir_datasets.load('mediaeval-sh/2014/linking').queries_iter())
        assert len(anchors) == 48
        assert anchors[0]._fields == ('query_id', 'doc_id', 'start', 'end')

    def test_the_length_of_the_collection_is_D(self, mediaeval_2014: Path) -> None:
        dataset = ir_datasets.load(SEARCH)
        total = sum(doc.duration for doc in dataset.docs_iter())
        by_id, by_number = ESL(D='mediaeval-sh/2014')@1, ESL(D=total)@1
        assert ir_measures.parse_measure(str(by_id)) == by_id
        assert pickle.loads(pickle.dumps(by_id)) == by_id
        values = ir_measures.calc_aggregate([by_id, by_number, SegGenerality(D='mediaeval-sh/2014/linking')],
                                            dataset.qrels_iter(), dataset.scoreddocs_iter())
        assert values[by_id] == values[by_number] > 0
        with pytest.raises(ValueError, match='do not tell their length'):
            ESL(D='vaswani').calc_aggregate(dataset.qrels_iter(), [])

    def test_commands(self, mediaeval_2014: Path, run: Callable[..., Any], shared_data: Path) -> None:
        published = shared_data / 'mediaeval-sh-2014' / 'run-180-60-noover.txt.gz'
        result = run('evaluate', SEARCH, published, 'MAiSP', '--run-format', 'sh-search', '--provider', 'sh_eval')
        assert result == (0, 'MAiSP\t0.4577\n', '')
        out = run('datasets').out
        assert re.search(rf'^{SEARCH} +docs queries qrels scoreddocs +here$', out, re.M)
        assert re.search(r'^mediaeval-sh/2014/linking .* 2 here, 1 downloaded when first read$', out, re.M)
        out = run('datasets', 'show', SEARCH).out
        assert 'qrels: 9615 (query_id, doc_id, relevance, iteration)' in out
        assert "official measures: MAiSP(tool='sh_eval')" in out
        lines = run('datasets', 'export', SEARCH, 'qrels').out.splitlines()
        assert len(lines) == 9615
        assert lines[0] == 'query_10 Q0 v20080514_153000_bbctwo_ready_steady_cook#t=720,810 0'
        assert len(run('datasets', 'export', 'mediaeval-sh/2014', 'docs').out.splitlines()) == 3520
        assert 'has no qrels (it has docs)' in run('datasets', 'export', 'mediaeval-sh/2014', 'qrels').err
        assert 'similar ids are mediaeval-sh/2014/search' in run('datasets', 'show', 'mediaeval-sh/2014/serch').err
        assert 'and there is no dataset' in run('evaluate', 'qrles', published, 'MAiSP').err

    def test_experiment(self, mediaeval_2014: Path) -> None:
        pt = pytest.importorskip('pyterrier')
        dataset = pt.get_dataset(f'segments:{SEARCH}')
        assert list(dataset.get_topics().columns) == ['qid', 'query']
        published = pt.Transformer.from_df(dataset.get_results().drop(columns='query'))
        table = pt.Experiment([published], dataset.get_topics(), dataset.get_qrels(),
                              [pt.segments.MAiSP(tool='sh_eval'), pt.segments.MAgP], names=['published'])
        assert table["MAiSP(tool='sh_eval')"][0] == pytest.approx(0.457728921718)
        theirs = pt.get_dataset(f'irds:{SEARCH}')
        assert dataset.get_results().equals(theirs.get_results())
        anchors = pt.get_dataset('segments:mediaeval-sh/2014/linking').get_topics()
        assert list(anchors.columns) == ['qid', 'query']
        assert anchors['query'][0].startswith('v20080629_184000_bbctwo_killer_whales_in_the#t=')
        with pytest.raises(ValueError, match="no dataset 'mediaeval-sh/2014/serch': similar ids are mediaeval-"):
            pt.get_dataset('segments:mediaeval-sh/2014/serch')


class TestPyTerrier:
    def test_after_nothing_but_its_import(self) -> None:
        pytest.importorskip('pyterrier')
        code = ('import sys, pyterrier as pt\nassert "ir_datasets" not in sys.modules\n'
                f'assert pt.get_dataset("segments:{SEARCH}").irds_ref().has_qrels()\n'
                f'assert pt.get_dataset("irds:{SEARCH}").irds_ref().has_qrels()')
        result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, '')

    def test_it_lists_the_parts(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pt = pytest.importorskip('pyterrier')
        datasets.add('parts', sample.path('qrels.txt'))
        # All others would be loaded, too.
        monkeypatch.setattr('pyterrier.datasets._core.datasets', lambda: ['segments:parts'])
        row, = pt.datasets.list_datasets(en_only=False).to_dict('records')
        datasets.remove('parts')
        assert [row[part] for part in ('topics', 'qrels', 'corpus', 'index')] == [None, True, None, None]


class TestFiles:
    """A file that is missing, damaged or cannot be downloaded."""

    CONTENT = b'a 00:00:05\n'
    MD5 = '36c906e60514adcd04fc5a0423eabaa4'

    def test_wrong_checksum(self, home: Path) -> None:
        file = base.CampaignFile('campaign', 'videos.txt', self.MD5, how='ask the organisers')
        with pytest.raises(OSError, match=r'(?s)campaign/videos.txt does not exist.*ask the organisers'):
            file.path()
        place = home / 'campaign' / 'videos.txt'
        place.parent.mkdir()
        place.write_bytes(self.CONTENT * 2)
        with pytest.raises(OSError, match=r'videos.txt: the md5 of the file is [0-9a-f]{32}, but that of the campaign '
                                          rf'is {self.MD5}, .* replace it \(ask the organisers\)'):
            file.path()
        place.unlink()
        packed = place.with_name('videos.txt.gz')
        packed.write_bytes(gzip.compress(self.CONTENT))
        assert file.path() == str(packed)  # the checksum is that of the unpacked file
        packed.write_bytes(gzip.compress(self.CONTENT)[:-9])
        with pytest.raises(formats.FormatError, match='not a complete gzip file'):
            file.path()

    def test_a_damaged_file_of_a_dataset(self, mediaeval_2014: Path, run: Callable[..., Any]) -> None:
        with open(mediaeval_2014 / 'me14sh_search_testSet.qrel', 'a') as file:
            file.write('query_10 Q0 v1 0.0 1.0 1\n')
        result = run('datasets', 'export', SEARCH, 'qrels')
        assert (result.code, result.out) == (1, '')
        assert 'the md5 of the file is' in result.err
        assert 'remove it, and it is downloaded again' in result.err


class TestOwn:
    """Anybody's files."""

    FILES = ('--qrels', sample.path('qrels.txt'), '--queries', sample.path('queries.tsv'))

    @pytest.fixture(autouse=True)
    def clean(self, home: Path) -> Iterator[None]:
        yield
        for name in list(local._added()):
            local.remove(name)

    def test_from_the_command_line(self, run: Callable[..., Any], tmp_path: Path) -> None:
        durations = tmp_path / 'durations.txt'
        durations.write_text(''.join(f'{doc.doc_id} {doc.duration}\n' for doc in sample.recordings()))
        refused = run('datasets', 'add', 'mine/sample', *self.FILES, '--docs', durations)
        assert refused.code == 1 and 'take --docs-format durations (seconds)' in refused.err
        refused = run('datasets', 'add', 'mine/sample', '--docs', tmp_path)
        assert refused.code == 2 and 'is a folder: name a file of tsv, videos' in refused.err
        result = run('datasets', 'add', 'mine/sample', *self.FILES, '--docs', durations, '--docs-format', 'durations')
        assert result == (0, 'added mine/sample: 20 docs, 10 queries, 95 qrels; for PyTerrier it is '
                          "pt.get_dataset('segments:mine/sample')\n", '')
        D = sum(doc.duration for doc in sample.recordings())
        by_id, by_number = (run('evaluate', qrels, sample.path('good.run'), f'ESL(D={D})@1', 'MAgP', '-o', 'jsonl').out
                            for qrels, D in (('mine/sample', "'mine/sample'"), (sample.path('qrels.txt'), D)))
        assert by_id.replace("'mine/sample'", str(D)) == by_number
        assert re.search(r'^mine/sample +docs queries qrels +here$', run('datasets').out, re.M)
        assert run('datasets', 'list') == run('datasets') and run('formats', 'list') == run('formats')
        # Another process finds it.
        code = "import ir_segmeasures.datasets as d; print(len(list(d.load('mine/sample').qrels_iter())))"
        assert subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True).stdout == '95\n'
        assert run('datasets', 'remove', 'mine/sample') == (0, '', '')
        assert 'no dataset' in run('datasets', 'show', 'mine/sample').err

    def test_in_any_format(self, tmp_path: Path) -> None:
        judged = tmp_path / 'judged.qrel'
        judged.write_text('query_1 Q0 v1 0.10 0.40 1\n')
        dataset = datasets.add('mine', judged, qrels_format='sh-search')
        assert [tuple(qrel) for qrel in dataset.qrels_iter()] == [('query_1', 'v1#t=10,40', 1, 'Q0')]
        texts = tmp_path / 'texts.tsv.gz'
        texts.write_bytes(gzip.compress(b'd1\tsome text\nd2\tother\ttext\n'))
        dataset = datasets.add('mine', docs=texts, replace=True)
        assert dataset.has_qrels()  # what is not given stays
        assert [doc.text for doc in dataset.docs_iter()] == ['some text', 'other\ttext']
        assert ir_datasets.load('mine') is dataset

    @pytest.mark.parametrize('name, text', [
        ('topics.csv', 'Title;Query ID\nhow, and when;q1\n;q2\n'),
        ('topics.tsv', 'qid\tquery\nq1\thow, and when\nq2\t\n')])
    def test_topics_with_names_above_them(self, name: str, text: str, write: Callable[..., Path]) -> None:
        dataset = datasets.add('mine', queries=write(text, name), replace=True)
        assert [tuple(query) for query in dataset.queries_iter()] == [('q1', 'how, and when'), ('q2', '')]

    @pytest.mark.parametrize('arguments, sentence', [
        (['My data', *FILES], "'My data' is not a name of a dataset"),
        (['vaswani', *FILES], "'vaswani' is a dataset that comes with a package"),
        (['mediaeval-sh/2014', *FILES], 'comes with a package'),
        (['new', '--qrels', sample.path('queries.tsv')], 'queries.tsv, line 1: '),
        (['new', '--queries', sample.path('qrels.txt')], 'ids has 2'),
        (['new', '--qrels', 'nowhere'], 'nowhere: there is no such file or folder'),
        (['new', '--docs', sample.path('queries.tsv'), '--docs-format', 'durations'], 'ids has 2'),
        (['there', *FILES], "there is a dataset 'there' already"),
    ])
    def test_what_cannot_be_added(self, run: Callable[..., Any], home: Path, arguments: list[str],
                                  sentence: str) -> None:
        run('datasets', 'add', 'there', *self.FILES)
        before = sorted(home.rglob('*'))
        result = run('datasets', 'add', *arguments)
        assert (result.code, result.out) == (1, '')
        assert sentence in result.err
        assert sorted(home.rglob('*')) == before
        assert run('datasets', 'add', 'nothing').code == 1

    def test_damaged_settings_are_said(self, home: Path) -> None:
        datasets.add('mine', sample.path('qrels.txt'))
        settings = home / 'ir_segmeasures' / 'datasets.json'
        code = 'import ir_segmeasures.datasets as d; print([name for name in d.DATASETS if name.startswith("mine")])'
        right = settings.read_text()
        for damage in ('{"mine"', '{"mine": {"qrels": ["x", "none"]}}'):
            settings.write_text(damage)
            result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
            assert result.stdout == '[]\n'
            assert f'{settings} is damaged, which says what datasets were added' in result.stderr
            with pytest.raises(ValueError, match='is damaged'):
                datasets.add('mine', sample.path('qrels.txt'), replace=True)
        settings.write_text(right)

    def test_replaced_and_removed(self, run: Any, home: Path, tmp_path: Path) -> None:
        durations = tmp_path / 'durations.txt'
        durations.write_text('v1 100\nv2 50\n')
        datasets.add('mine', sample.path('qrels.txt'), docs=durations, docs_format='durations')
        assert datasets.length('mine') == 150
        datasets.add('mine', sample.path('qrels.txt'), replace=True)
        assert datasets.length('mine') == 150  # what is not given stays
        durations.write_text('v1 1000\nv2 50\n')
        datasets.add('mine', docs=durations, docs_format='durations', replace=True)
        assert datasets.length('mine') == 1050
        out = run('evaluate', 'mine', sample.path('good.run'), 'ESL@3')
        assert 'ESL@3 takes D, the length of all documents, from the dataset mine' in out.err
        given = run('evaluate', sample.path('qrels.txt'), sample.path('good.run'), 'ESL(D=1050)@3').out
        assert out.out == given.replace('(D=1050)', '')
        durations.unlink()
        with pytest.raises(OSError, match=r'durations.txt does not exist: put it there again, or add mine once more'):
            list(datasets.load('mine').docs_iter())
        datasets.add('mine/qrels', sample.path('qrels.txt'))  # a name within another's
        datasets.remove('mine')
        assert len(list(datasets.load('mine/qrels').qrels_iter())) == 95
        datasets.remove('mine/qrels')
        assert [path.name for path in (home / 'ir_segmeasures').iterdir()] == ['datasets.json']

    @pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='there are no pipes here')
    def test_folders_of_files(self, tmp_path: Path) -> None:
        topics = tmp_path / 'topics'
        topics.mkdir()
        for number in '12':
            (topics / f't{number}.xml').write_text(
                f'<topic num="{number}"><knownItem src="A.MPG" start="1s" stop="2s"/></topic>')
        dataset = datasets.add('mine', topics, qrels_format='trecvid-2001')
        assert [tuple(row)[:2] for row in dataset.qrels_iter()] == [('1', 'a.mpg#t=1,2'), ('2', 'a.mpg#t=1,2')]
        os.mkfifo(topics / 't3.xml')
        with pytest.raises(ValueError, match=r't3\.xml: this is not a file, but its name is .*: take it out'):
            datasets.add('mine', topics, qrels_format='trecvid-2001', replace=True)

    def test_wrong_rows_have_their_line(self, run: Callable[..., Any], tmp_path: Path, home: Path) -> None:
        judged = tmp_path / 'judged'
        for text, sentence in (('q1 0 d1#t=0,5 1\nq1 0 d1#t=10,5 1\n', f'{judged}, line 2: segment id'),
                               ('', f'{judged} has no qrels'),
                               ('q1 0 d1#t=1,1 1\n', 'it is judged relevant and has no content')):
            judged.write_text(text)
            result = run('datasets', 'add', 'new', '--qrels', judged)
            assert (result.code, result.out) == (1, '')
            assert sentence in result.err
            assert not list(home.rglob('new*'))


def test_an_id_that_is_taken_is_left_to_the_other() -> None:
    code = ("import ir_datasets\nir_datasets.registry.register('trec-podcasts/2020/test', ir_datasets.Dataset())\n"
            "import ir_segmeasures.datasets as d\nprint(len(d.DATASETS) > 50, 'trec-podcasts/2020/test' in d.DATASETS)")
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert result.stdout == 'True False\n'
    assert "ir_datasets has a dataset 'trec-podcasts/2020/test' from elsewhere" in result.stderr


def test_commands_without_ir_datasets() -> None:
    code = ('import sys; sys.modules["ir_datasets"] = None\nfrom ir_segmeasures.commands import main\n'
            'main(["datasets", *sys.argv[1:]])')
    result = subprocess.run([sys.executable, '-c', code, 'show', 'x'], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (1, '')
    assert result.stderr.startswith('ir_segmeasures: the datasets need ir_datasets') and 'pip install' in result.stderr
