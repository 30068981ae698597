"""The datasets of TRECVID, TREC Podcasts, TREC Genomics and INEX: real counts and figures, and what files may lack."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ir_datasets = pytest.importorskip('ir_datasets')

from ir_segmeasures import datasets, formats, parse_segment  # noqa: E402
from ir_segmeasures.datasets import trecvid  # noqa: E402


def put(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(source, target))


def written(target: Path, text: str) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return target


def test_tables_of_a_collection_serve_all_its_years(home: Path) -> None:
    header = 'startframe\tstarttime\tendframe\tendtime\n'
    for year in (2019, 2020, 2022, 2024):
        written(home / 'trecvid-avs' / str(year) / f'avs.qrels.main.tv{year % 100}', '1661 0 shot00001_1 1 1\n')
    written(home / 'trecvid-shots' / 'v3c1' / 'shots' / '00001.tsv', f'{header}0\t0\t50\t2\n')
    for year in (2019, 2020):
        assert next(datasets.load(f'trecvid-avs/{year}/segments').qrels_iter()).doc_id == '00001#t=0,2'
    with pytest.raises(OSError, match='has no tables of shots'):
        list(datasets.load('trecvid-avs/2022/segments').qrels_iter())
    written(home / 'trecvid-shots' / 'v3c2' / 'shots' / '00001.tsv', f'{header}0\t0\t50\t4\n')
    for year in (2022, 2024):
        assert next(datasets.load(f'trecvid-avs/{year}/segments').qrels_iter()).doc_id == '00001#t=0,4'
    # Its own tables come first.
    written(home / 'trecvid-avs' / '2020' / 'shots' / '00001.tsv', f'{header}0\t0\t75\t3\n')
    assert next(datasets.load('trecvid-avs/2020/segments').qrels_iter()).doc_id == '00001#t=0,3'


def test_queries_of_ad_hoc_video_search(home: Path) -> None:
    path = written(home / 'trecvid-avs' / '2021' / 'tv21.avs.topics.txt', '661 Find shots of a horse\n\n662 A  b \n')
    for id in ('trecvid-avs/2021', 'trecvid-avs/2021/segments'):
        assert list(datasets.load(id).queries_iter()) == [('1661', 'Find shots of a horse'), ('1662', 'A b')]
    path.write_text('661\n')
    with pytest.raises(formats.FormatError, match="line 1: '661' is not a topic, but each line is a number and a text"):
        list(datasets.load('trecvid-avs/2021').queries_iter())


class TestStrata:
    """Ad hoc video search, with its sampled strata."""

    @pytest.fixture
    def judged(self, home: Path, shared_data: Path) -> Path:
        return put(shared_data / 'trecvid' / 'avs.qrels.main.tv21.gz',
                   home / 'trecvid-avs' / '2021' / 'avs.qrels.main.tv21.gz')

    def test_counts(self, judged: Path) -> None:
        dataset = ir_datasets.load('trecvid-avs/2021')
        rows = list(dataset.qrels_iter())
        assert len(rows) == dataset.qrels_count() == 124_431
        assert rows == list(formats.read_qrels(judged, 'trecvid-strata'))
        assert Counter(row.relevance for row in rows) == {-1: 66_013, 0: 42_769, 1: 15_649}
        assert len({row.query_id for row in rows}) == 20
        assert rows[0]._fields == ('query_id', 'doc_id', 'relevance', 'iteration', 'stratum')

    @pytest.mark.filterwarnings('ignore:1 of 3 judgements are left out')
    def test_shots_become_segments(self, home: Path, run: Callable[..., Any]) -> None:
        folder = home / 'trecvid-avs' / '2020'
        written(folder / 'avs.qrels.main.tv20', '1641 0 shot7_1 1 1\n1641 0 shot7_2 2 -1\n1641 0 shot7_3 2 0\n')
        written(folder / 'shots' / '7.tsv', 'startframe\tstarttime\tendframe\tendtime\n'
                '0\t0\t100\t4.2\n101\t4.24\t150\t6\n')
        handler = ir_datasets.load('trecvid-avs/2020/segments').qrels_handler()
        with pytest.raises(ValueError, match="1 of 3 ids are not in the table, such as 'shot7_3'"):
            list(handler.qrels_iter())
        handler.missing = 'keep'
        with pytest.warns(UserWarning, match='shot7_3'):
            rows = list(handler.qrels_iter())
        assert [tuple(row) for row in rows] == [
            ('1641', '7#t=0,4.2', 1, '0', 1), ('1641', '7#t=4.24,6', -1, '0', 2), ('1641', 'shot7_3', 0, '0', 2)]
        handler.missing = 'drop'
        result = run('datasets', 'export', 'trecvid-avs/2020/segments', 'qrels')
        handler.missing = 'error'
        assert result.out.splitlines() == ['1641 0 7#t=0,4.2 1', '1641 0 7#t=4.24,6 -1']
        assert 'left out, since TREC qrels have no place for it: stratum\n' in result.err and 'shot7_3' in result.err
        shown = run('datasets', 'show', 'trecvid-avs/2020/segments')
        assert 'qrels: cannot be read (query_id, doc_id, relevance, iteration, stratum): 1 of 3 ids' in shown.out

    @pytest.mark.parametrize('name, table, rates, segments', [
        ('shots.mp7.xml', '<x><VideoSegment id="shot7_1"><MediaTime><MediaTimePoint>T00:00:01:5F10</MediaTimePoint>'
                          '<MediaDuration>PT2S</MediaDuration></MediaTime></VideoSegment></x>', '', '7#t=1.5,3.5'),
        ('7.msb', 'shots of 7\n0 49\n', '7 25\n', '7#t=0,2'),
        ('shots.txt', '7 shot7_1 T00:00:00:00F25 T00:00:01:24F25\n', '', '7#t=0,2'),
    ])
    def test_every_kind_of_table(self, home: Path, name: str, table: str, rates: str, segments: str) -> None:
        folder = home / 'trecvid-ins' / '2014'
        written(folder / 'qrels.txt', '9099 0 shot7_1 1\n')
        written(folder / 'shots' / name, table)
        dataset = ir_datasets.load('trecvid-ins/2014/segments')
        if rates:
            with pytest.raises(ValueError, match="no frame rate for video '7'"):
                list(dataset.qrels_iter())
            written(folder / trecvid.FRAME_RATES, rates)
        assert [row.doc_id for row in dataset.qrels_iter()] == [segments]


class TestVideoBrowserShowdown:
    def test_real_judgements_with_times(self, home: Path, shared_data: Path) -> None:
        put(shared_data / 'trecvid' / 'avs.vbs2022_dres.txt.gz', home / 'vbs-avs' / '2022' / 'avs.vbs2022_dres.txt.gz')
        with pytest.warns(UserWarning, match='7655 of 17784 lines repeat an earlier one exactly, and count once'):
            rows = list(ir_datasets.load('vbs-avs/2022/segments').qrels_iter())
        assert len(rows) == 10_129
        assert len({row.query_id for row in rows}) == 8
        assert tuple(rows[0]) == ('vbs22-avs-01', '00009#t=103.833,134.25', -1, '0', 1)

    def test_single_frames_need_the_frame_rate(self, home: Path) -> None:
        folder = home / 'vbs-avs' / '2023'
        written(folder / 'avs.vbs2023_dres.txt', 'taskName junk item start_fr start_s end_fr end_s stratum judgement\n'
                'a 0 00009 50 2 50 2 1 1\na 0 00009 60 2.4 75 3 1 0\n')
        dataset = ir_datasets.load('vbs-avs/2023/segments')
        with pytest.raises(ValueError, match=r"1 of 1 items in frames .* such as '00009': .*frame_rates.t"):
            list(dataset.qrels_iter())
        written(folder / trecvid.FRAME_RATES, '00009 25\n')
        assert [row.doc_id for row in dataset.qrels_iter()] == ['00009#t=2,2.04', '00009#t=2.4,3']

    def test_queries_and_judgements_of_the_archive(self, home: Path, run: Callable[..., Any]) -> None:
        folder = home / 'vbs-avs' / '2023'
        written(folder / 'avs.vbs2023.topics.txt', 'vbs23-avs1\tFind shots of a bar chart.\n')
        written(folder / 'avs.vbs2023.txt', 'vbs23-avs1\t0\tshot00009_0\t1\t1\r\n')
        for id in ('vbs-avs/2023', 'vbs-avs/2023/segments'):
            assert list(datasets.load(id).queries_iter()) == [('vbs23-avs1', 'Find shots of a bar chart.')]
        assert [tuple(row) for row in datasets.load('vbs-avs/2023').qrels_iter()] == [
            ('vbs23-avs1', 'shot00009_0', 1, '0', 1)]
        tasks = [{'query_name': 'Textual2019-10', 'hints': ['A bridge.', 'A bridge. It is red.'], 'answer': '04408',
                  'videorange': {'start': 107000, 'end': 126960}, 'fps': 25}]
        written(home / 'vbs-kis' / 'VBS_TextualQueries_19-24.json', json.dumps(tasks))
        dataset = datasets.load('vbs-kis/textual')
        assert [tuple(row) for row in dataset.qrels_iter()] == [('Textual2019-10', '04408#t=107,126.96', 1, '0')]
        assert run('datasets', 'export', 'vbs-kis/textual', 'queries').out == (
            'Textual2019-10\tA bridge. It is red.\t\tA bridge.\tA bridge. It is red.\n')
        found = written(home / 'run', 'Textual2019-10 Q0 04408#t=120,130 1 1 me\n')
        assert run('evaluate', 'vbs-kis/textual', found, 'RR_over').out == 'RR_over\t1.0000\n'

    def test_tasks_and_answers_of_the_server(self, home: Path) -> None:
        folder, header = home / 'vbs-server' / '2018', (
            'taskId;name;startTime;maxSearchTime;type;videoNumber;startFrame;endFrame;text1;text2;text3;trecvidId;avsText')
        written(folder / 'tasks.csv', f'{header}\n1;KIS Visual 1;x;300;KIS_Visual;36071;25;49;;;;\n'
                '2;AVS 1*;x;300;AVS;;;;;;;531;Find food\n')
        written(folder / 'submissions.csv', 'taskId;taskType;expert/novice;teamNumber;teamName;videoNumber;shotNumber;'
                'frameNumber;searchTime;judged;correct;iseq\n1;KIS_Visual;expert;2;X;36071;1;30;16.3;kis;true;a;b\n'
                '2;AVS;expert;6;Y;39654;20;35;25.06;judge_W;true;0;K(4)\n2;AVS;expert;6;Y;36216;3;5;29;judge_W;false;0\n')
        for id in ('vbs-avs/2018', 'vbs-avs/2018/segments'):
            assert [query[:2] for query in datasets.load(id).queries_iter()] == [('2', 'Find food')]
        assert [tuple(row) for row in datasets.load('vbs-avs/2018').qrels_iter()] == [
            ('2', 'shot39654_20', 1, '0'), ('2', 'shot36216_3', 0, '0')]
        with pytest.raises(OSError, match=r'vbs-server/2018/shots has no tables of shots'):
            list(datasets.load('vbs-avs/2018/segments').qrels_iter())
        items = datasets.load('vbs-kis/2018')
        assert [query.query_id for query in items.queries_iter()] == ['1']
        with pytest.raises(ValueError, match=r'tasks.csv, line 2: 1 of 1 items .* put their frame rates into '):
            list(items.qrels_iter())
        written(folder / trecvid.FRAME_RATES, '36071 25\n')
        assert [tuple(row) for row in items.qrels_iter()] == [('1', '36071#t=1,2', 1, '0')]


class TestOthers:
    def test_hyperlinking(self, home: Path) -> None:
        written(home / 'trecvid-lnk' / '2017' / 'anchors.xml', '<anchors><anchor><anchorId>a1</anchorId><video>vid00001'
                '</video><startTime>0.10</startTime><endTime>1.00</endTime></anchor></anchors>')
        written(home / 'trecvid-lnk' / '2017' / 'linking.qrel', 'a1 Q0 vid00002 0.10 0.40 1\n')
        dataset = ir_datasets.load('trecvid-lnk/2017')
        assert [tuple(row) for row in dataset.queries_iter()] == [('a1', 'vid00001', 10, 60)]
        assert [tuple(row) for row in dataset.qrels_iter()] == [('a1', 'vid00002#t=10,40', 1, 'Q0')]

    def test_all_topics_of_2001(self, home: Path) -> None:
        text = '<textDescription text="Boats"/><imageExample src="b.jpg"/>'
        written(home / 'trecvid' / '2001' / 'all.topics', ''.join(
            f'<!DUCTYPE videoTopic SYSTEM "videoTopic.dtd">\n<videoTopic num="{number}" knownItems="{known}">{text}'
            f'{item}</videoTopic>' for number, known, item in (
                ('001', 'Y-K', '<knownItem src="NAD28.MPG" start="57s" stop="1m1.5s"/>'), ('002', 'N-K', ''))))
        known, general = (datasets.load(f'trecvid/2001/{task}') for task in ('known-item', 'general'))
        assert [(query.query_id, query.type) for query in known.queries_iter()] == [('001', 'known items')]
        assert [tuple(row) for row in known.qrels_iter()] == [('001', 'nad28.mpg#t=57,61.5', 1, '0')]
        assert [(query.query_id, query.type) for query in general.queries_iter()] == [('002', 'general')]

    def test_topics_of_search_and_instances(self, home: Path, run: Callable[..., Any]) -> None:
        written(home / 'trecvid-search' / '2008' / 'topics.2008.xml', '<videoTopics><videoTopic num="0221">'
                '<textDescription text="A gate"/><videoExample src="B.mpg" start="1s" stop="2s" desc="x"/></videoTopic>'
                '</videoTopics>')
        written(home / 'trecvid-ins' / '2014' / 'ins.auto.topics.2014.xml', '<x><videoInstanceTopic num="9099" '
                'text="cap" type="OBJECT"><imageExample src="a.png" shotID="shot1_2"/></videoInstanceTopic></x>')
        for id in ('trecvid-search/2008', 'trecvid-search/2008/segments'):
            assert run('datasets', 'export', id, 'queries').out == '0221\tA gate\t\n'
            topic, = datasets.load(id).queries_iter()
            assert topic.examples == (('video', 'B.mpg', 1, 2, '', 'x'),)
        topic, = datasets.load('trecvid-ins/2014').queries_iter()
        assert (topic.query_id, topic.text, topic.type, topic.examples[0].shot) == ('9099', 'cap', 'OBJECT', 'shot1_2')

    def test_podcasts(self, home: Path, shared_data: Path) -> None:
        put(shared_data / 'trec-podcasts-2020' / '2020_test_qrels.list.gz',
            home / 'trec-podcasts' / '2020' / '2020_test_qrels.list.gz')
        rows = list(ir_datasets.load('trec-podcasts/2020/test').qrels_iter())
        assert len(rows) == 9426
        assert rows[0].doc_id.startswith('spotify:episode:')
        assert rows[0].doc_id.endswith('#t=2220,2340')

    def test_genomics(self, home: Path, shared_data: Path) -> None:
        data = shared_data / 'trec-genomics-2007'
        put(data / 'gold-standard-07.txt.gz', home / 'trec-genomics-2007' / 'gold-standard-07.txt.gz')
        dataset = ir_datasets.load('trec-genomics-2007/gold')
        assert len(list(dataset.qrels_iter())) == dataset.qrels_count() == 4492
        assert (dataset.queries_count(), dataset.docs_count()) == (36, 162_259)


class TestInex:
    def test_real_judgements(self, home: Path, shared_data: Path) -> None:
        for name in ('inex2010.qrels.gz', 'topics.xml'):
            put(shared_data / 'inex-2010' / name, home / 'inex' / '2010' / name)
        dataset = ir_datasets.load('inex/2010/adhoc')
        rows = list(dataset.qrels_iter())
        assert len(rows) == dataset.qrels_count() == 46_714
        pairs = {(row.query_id, document(row.doc_id)) for row in rows}
        relevant = {(row.query_id, document(row.doc_id)) for row in rows if row.relevance}
        assert (len(pairs), len(relevant), len({query for query, _ in pairs})) == (39_031, 5_471, 52)
        assert tuple(rows[0]) == ('2010003', '19243417#char=491,2399', 1, 'Q0', 3901, 3901)
        assert len(list(dataset.docs_iter())) == dataset.docs_count() == 37_788
        assert dataset.docs.lookup('19243417').doc_size == 3901
        topics = {topic.query_id: topic for topic in dataset.queries_iter()}
        assert len(topics) == 107
        assert topics['2010001'].title == 'landslide malaysia'
        with pytest.raises(ValueError, match='do not tell their length'):
            datasets.length('inex/2010/adhoc')


def document(id: str) -> str:
    return parse_segment(id).document


class TestInexElements:
    """Small files of the forms that X-Rai wrote; no real ones of these years are at hand."""

    TOPICS = {
        2004: ("<inex_topic topic_id='127' query_type='CAS' ct_no='1'><title>//article[about(., bees)]</title>"
               '<description>d</description><narrative/><keywords>k</keywords></inex_topic>',
               "<inex_topic topic_id='163' query_type='CO' ct_no='2'><title>honey +bees</title><description/>"
               '<narrative/></inex_topic>'),
        2006: ('<inex_topic topic_id="289" query_type="CO+S" ct_no="1"><title>bees</title><castitle>//p[about(., '
               'bees)]</castitle><description/><narrative/><ontopic_keywords>k</ontopic_keywords></inex_topic>',),
    }

    def put(self, home: Path, year: int, assessments: dict[str, str], documents: dict[str, str] | None = None) -> None:
        for number, topic in enumerate(self.TOPICS[year]):
            written(home / f'inex/{year}/topics/{number}.xml', topic)
        for folder, files in ('assessments', assessments), ('documents', documents or {}):
            for name, content in files.items():
                written(home / f'inex/{year}/{folder}/{name}.xml', content)

    def test_graded_elements(self, home: Path, run: Callable[..., Any], tmp_path: Path) -> None:
        assessed = ("<assessments pool='{0}' topic='{0}'><file file='co/a'><path path='/a[1]' exhaustiveness='3' "
                    "specificity='3'/><path path='/a[1]/b[1]' exhaustiveness='{1}' specificity='3'/></file>"
                    '</assessments>')
        self.put(home, 2004, {'done/CO/topic-163/pool-1': assessed.format(163, 1),
                              'done/CAS/topic-127/pool-2': assessed.format(127, 2)})
        rows = [('127', 'co/a#xpath=/a[1]', 3, '0', 3, 3), ('127', 'co/a#xpath=/a[1]/b[1]', 2, '0', 2, 3),
                ('163', 'co/a#xpath=/a[1]', 3, '0', 3, 3), ('163', 'co/a#xpath=/a[1]/b[1]', 1, '0', 1, 3)]
        for name, queries, judged in (('', ['127', '163'], rows), ('/co', ['163'], rows[2:]),
                                      ('/cas', ['127'], rows[:2])):
            dataset = ir_datasets.load(f'inex/2004/adhoc{name}')
            assert [topic.query_id for topic in dataset.queries_iter()] == queries
            assert [tuple(row) for row in dataset.qrels_iter()] == judged and dataset.qrels_count() == len(judged)
        topic, = dataset.queries_iter()
        assert topic.title == topic.castitle == '//article[about(., bees)]' and topic.query_type == 'CAS'
        results = ''.join(f'<result><file>co/a</file><path>{path}</path><rank>{rank}</rank></result>'
                          for rank, path in enumerate(('/a[1]/b[1]', '/a[1]'), 1))
        path = written(tmp_path / 'run.xml', f'<inex-submission run-id="r" task="CO"><topic topic-id="163">{results}'
                                             '</topic></inex-submission>')
        found = run('evaluate', 'inex/2004/adhoc/co', path, "I2_Precall(quant='strict')@1",
                    "I2_Precall(quant='gen')@1", '--run-format', 'inex-xml')
        assert found.err == ''
        # strict: one element of worth 1, after one of 0; gen: worths .5 and 1, all found, .5 of what was viewed is not.
        assert found.out.split()[1::2] == ['0.5000', '0.7500']

    def test_highlighted_passages(self, home: Path, run: Callable[..., Any], tmp_path: Path) -> None:
        assessed = """<assessments pool="7" topic="289" version="2"><inex_topic topic_id="289"/>
            <file collection="wikipedia" name="12"><best-entry-point path="/a[1]/p[2]/text()[1].0"/>
            <passage start="/a[1]/p[2]/text()[1].0" end="/a[1]/p[2]/text()[1].5" size="5"/>
            <element path="/a[1]" exhaustivity="2" size="20" rsize="5"/>
            <element path="/a[1]/p[2]" exhaustivity="2" size="10" rsize="5"/></file>
            <file collection="wikipedia" name="13"/></assessments>"""
        self.put(home, 2006, {'done/CO+S/main/topic-289/pool-7': assessed},
                 {'part-1/12': '<a><p>0123456789</p><p>abcdefghij</p></a>', 'part-2/13': '<a>0</a>'})
        elements = ir_datasets.load('inex/2006/adhoc')
        assert [tuple(row) for row in elements.qrels_iter()] == [
            ('289', '12#xpath=/a[1]', 2, '0', 2, .25), ('289', '12#xpath=/a[1]/p[2]', 2, '0', 2, .5)]
        passages = ir_datasets.load('inex/2006/adhoc/passages')
        assert [tuple(row) for row in passages.qrels_iter()] == [
            ('289', '12#char=10,15', 1, 'Q0', 20, 10), ('289', '13#char=0,1', 0, 'Q0', 1, None)]
        assert [tuple(document) for document in passages.docs_iter()] == [('12', 20), ('13', 1)]
        path = written(tmp_path / 'run.xml', '<inex-submission run-id="r"><topic topic-id="289"><result><file>12</file>'
                                             '<path>/a[1]/p[2]</path><rank>1</rank></result></topic></inex-submission>')
        options = '--run-format', 'inex-xml', '--table', home / 'inex/2006/documents'
        found = run('evaluate', 'inex/2006/adhoc/passages', path, 'SegP@10', 'SegR@1500', 'AgP', 'AgP_bep', *options)
        assert found.out.split()[1::2] == ['0.5000', '1.0000', '0.6667', '1.0000']
        found = run('evaluate', 'inex/2006/adhoc', path, "nXCG(quant='gen2005',specificity='share')@10", *options)
        assert found.out.split()[1] == '1.0000'

    def test_what_is_missing_is_said(self, home: Path) -> None:
        with pytest.raises(FileNotFoundError, match=r'inex/2003/assessments does not exist: no official place offers'):
            list(ir_datasets.load('inex/2003/adhoc').qrels_iter())

    def test_topics_in_pyterrier(self, home: Path) -> None:
        pt = pytest.importorskip('pyterrier')
        self.put(home, 2006, {})
        dataset = pt.get_dataset('segments:inex/2006/adhoc')
        topics = dataset.get_topics()
        assert topics[['qid', 'query', 'castitle', 'keywords', 'query_type']].values.tolist() == [
            ['289', 'bees', '//p[about(., bees)]', 'k', 'CO+S']]
        assert dataset.get_topics('castitle').values.tolist() == [['289', '//p[about(., bees)]']]
        frame = pt.segments.read_topics(home / 'inex/2006/topics', 'inex-topics')
        assert frame.values.tolist() == [['289', 'bees']]
