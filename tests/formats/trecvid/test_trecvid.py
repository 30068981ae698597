"""The files of TRECVID's shot tasks and of the VBS: what the readers give, what they refuse, what is written."""

import gzip
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from refusals import message

from ir_segmeasures import T2I_AP, formats
from ir_segmeasures.formats import (
    DresQrel,
    ShotQrel,
    ShotScoredDoc,
    TrecQrel,
    TrecScoredDoc,
    WriteError,
    trecvid,
)
from ir_segmeasures.formats.trecvid import vbs
from ir_segmeasures.segments.tables.rows import Rows

# Many files repeat lines; the tests of this warning ask for it.
pytestmark = pytest.mark.filterwarnings('ignore:.* repeat an earlier one exactly')

HEADER = 'taskName junk item start_fr start_s end_fr end_s stratum judgement'
ROOT, RUN, TOPIC = 'videoAdhocSearchResults', 'videoAdhocSearchRunResult', 'videoAdhocSearchTopicResult'


@pytest.fixture(scope='module')
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that the examples of hypothesis write again and again."""
    return tmp_path_factory.mktemp('round') / 'file'


class TestShots:
    def test_with_and_without_strata(self, write: Callable[..., Path]) -> None:
        shots = [TrecQrel('101', 'shot1_2', 1), TrecQrel('101', 'shot1_3', -1), TrecQrel('101', 'shot1_4', 2, 'x')]
        path = write('101 0 shot1_2 1\n\n101 0 shot1_3 -1\n101 x shot1_4 2')
        assert formats.read_qrels(path, 'trecvid-shots') == shots
        strata = [ShotQrel('1661', 'shot00008_16', -1, '0', 3), ShotQrel('1661', 'shot00008_17', 1, '0', 1)]
        path = write('1661 0 shot00008_16 3 -1\n1661 0 shot00008_17 1 1\n')
        assert formats.read_qrels(path, 'trecvid-strata') == strata
        assert formats.read_qrels(path, 'trecvid-avs') == strata

    def test_tabs_line_ends_and_repeats_of_the_vbs(self, write: Callable[..., Path]) -> None:
        path = write(gzip.compress(b'v-01\t0\tshot00009_0\t1\t1\r\n' * 2 + b'v-02\t0\tshot00009_0\t1\t-1\r\n'), 'a.gz')
        assert formats.read_qrels(path, 'trecvid-strata') == [
            ShotQrel('v-01', 'shot00009_0', 1, '0', 1), ShotQrel('v-02', 'shot00009_0', -1, '0', 1)]
        path = write('1 0 a 1\n1 0 b 0\n1 0 a 1\n')
        assert formats.read_qrels(path, 'trecvid-shots') == [TrecQrel('1', 'a', 1), TrecQrel('1', 'b', 0)]

    @pytest.mark.parametrize('line', ['1 0 a 1 0', '1 0 a 2 1', '1 x a 2 -1'])
    def test_contradictions(self, write: Callable[..., Path], line: str) -> None:
        said = message(formats.read_qrels, write(f'1 0 a 1 1\n\n2 0 a 1 0\n{line}\n'), 'trecvid-strata')
        assert said.startswith("file, line 4: 'a' is judged for '1' in line 1 too, as ")

    @pytest.mark.parametrize('format, line, keyword', [
        ('trecvid-strata', '1 0 a 1', 'the line has 4 fields'),
        *(('trecvid-strata', f'1 0 a {stratum} 1', f'stratum {stratum!r} is not') for stratum in ('one', '-1')),
        *(('trecvid-strata', f'1 0 a 1 {grade}', f'relevance {grade!r} is not') for grade in ('2', '-2', '1.0', 'x')),
        ('trecvid-shots', '1 0 a 1 1', 'the line has 5 fields'),
        *(('trecvid-shots', f'1 0 a {grade}', f'relevance {grade!r} is not') for grade in ('-2', '0.5'))])
    def test_errors(self, write: Callable[..., Path], format: str, line: str, keyword: str) -> None:
        path = write(f'1 0 b {"1 " if format == "trecvid-strata" else ""}1\n{line}\n')
        assert message(formats.read_qrels, path, format).startswith(f'file, line 2: {keyword}')

    @given(rows=st.dictionaries(
        st.tuples(st.sampled_from(['1661', 'é']), st.integers(0, 30).map('shot1_{}'.format)),
        st.tuples(st.sampled_from([-1, 0, 1]), st.sampled_from(['0', 'x']), st.integers(0, 3)), max_size=8))
    def test_round_trips(self, path: Path, rows: dict[Any, Any]) -> None:
        judged = [ShotQrel(*key, *value) for key, value in rows.items()]
        assert formats.write_qrels(judged, path, 'trecvid-strata') == []
        assert formats.read_qrels(path, 'trecvid-strata') == judged
        path.write_bytes(path.read_bytes() * 2)  # the same lines again
        assert formats.read_qrels(path, 'trecvid-strata') == judged
        assert formats.write_qrels(judged, path, 'trecvid-shots') == (['stratum'] if judged else [])
        assert formats.read_qrels(path, 'trecvid-shots') == [
            TrecQrel(row.query_id, row.doc_id, row.relevance, row.iteration) for row in judged]

    @pytest.mark.parametrize('format, rows, sentence', [
        ('trecvid-strata', [TrecQrel('1', 'a', 1)], "'a': the judgement has no stratum, but every one of "
                                                    'trecvid-strata has: write it as trecvid-shots'),
        ('trecvid-strata', [ShotQrel('1', 'a', 2, '0', 1)], "'a': relevance '2' is not a whole number from -1 to 1"),
        ('trecvid-shots', [TrecQrel('1', 'a', 0.5)], "'a': relevance 0.5 cannot be written, since a file of shots has"),
        ('trecvid-shots', [TrecQrel('1', 'a', -2)], "'a': relevance '-2' is not a whole number from -1 to"),
        ('trecvid-shots', [TrecQrel('1', 'v#t=1,2', 1)], "'v#t=1,2': this is a segment, but what has ids of shots "
                                                         'holds no times: choose a format that does, such as trec'),
        ('trecvid-strata', [DresQrel('1', 'v', 1, 2, 1, '0', 1)], "'v' from 1 to 2: this is a segment, but"),
        ('trecvid-shots', [TrecQrel('1', 'a b', 1)], "'a b': shot 'a b' is empty or holds white space"),
    ])
    def test_rows_that_cannot_be_written(
        self, tmp_path: Path, format: str, rows: list[Any], sentence: str
    ) -> None:
        with pytest.raises(WriteError) as caught:
            formats.write_qrels(rows, tmp_path / 'x', format)
        assert caught.value.sentence.startswith(f"query '1', {sentence}")
        assert list(tmp_path.iterdir()) == []


class TestDres:
    def line(self, start: str = '4', end: str = '6.5', judgement: str = '1', stratum: str = '1') -> str:
        return '\t'.join(['v-01', '0', '00009', '100', start, '162', end, stratum, judgement]) + '\r\n'

    def test_fields(self, write: Callable[..., Path]) -> None:
        header = HEADER.replace(' ', '\t') + '\r\n'
        path = write(header + self.line() + self.line('0.0', '4.0', '-1', '2') + self.line())
        assert formats.read_qrels(path, 'vbs-dres') == [
            DresQrel('v-01', '00009', 4, 6.5, 1, '0', 1), DresQrel('v-01', '00009', 0, 4, -1, '0', 2)]

    def test_single_frames_need_the_frame_rate(self, write: Callable[..., Path]) -> None:
        path = write(f'{HEADER}\n' + self.line() + self.line('5', '5') + self.line('118.5', '118.500'))
        for rate in (None, {'00010': 25}):
            said = message(lambda path, rate=rate: vbs.read_dres(path, rate), path)
            assert said.startswith('file, line 3: 2 of 2 items in frames are of videos whose')
        for rate in (25, '25', Fraction(25), {'00009': 25}):
            rows = vbs.read_dres(path, rate)  # type: ignore[arg-type]
            # Only the single frames get another end: the others keep that of the file.
            assert [(row.start, row.end) for row in rows] == [(4, 6.5), (5, 5.04), (118.5, 118.54)]
        assert vbs.read_dres(path, '30000/1001')[1].end == float(5 + Fraction(1001, 30000))
        with pytest.raises(ValueError, match=r'frame rate .* is not a number above 0, but it is in frames per'):
            vbs.read_dres(path, 'pal')

    def test_contradictions_name_the_lines(self, write: Callable[..., Path]) -> None:
        path = write(f'{HEADER}\n\n' + self.line() + self.line('5', '6', '0') + self.line(judgement='0'))
        assert "file, line 5: '00009' is judged for 'v-01' in line 3 too" in message(vbs.read_dres, path)

    @pytest.mark.parametrize('content', ['', 'v-01 0 00009 1 1 2 2 1 1\n'])
    def test_the_header(self, write: Callable[..., Path], content: str) -> None:
        said = message(vbs.read_dres, write(content))
        assert said.startswith(f"file, line 1: the header '{HEADER}' is not the first")

    @pytest.mark.parametrize('line, keyword', [
        ('v-01 0 00009 1 1 2 2 1', 'the line has 8 fields'), ('v-01 0 00009 1 1s 2 2 1 1', "time '1s' is not a number"),
        ('v-01 0 00009 1 1 2 -2 1 1', "time '-2' is not"), ('v-01 0 00009 1 3 2 2.5 1 1', "end '2.5' is before"),
        ('v-01 0 00009 1 1 2 2 top 1', "stratum 'top' is not"), ('v-01 0 00009 1 1 2 2 1 2', "relevance '2' is not")])
    def test_errors(self, write: Callable[..., Path], line: str, keyword: str) -> None:
        said = message(vbs.read_dres, write(f'{HEADER}\n{self.line()}{line}\n'))
        assert said.startswith(f'file, line 3: {keyword}')

    def test_it_is_not_written(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"^format 'vbs-dres' can be read, but not written$"):
            formats.write_qrels([], tmp_path / 'x', 'vbs-dres')


def xml(*items: str, topic: str = '661', before: str = '', more: str = '') -> str:
    return (f'{before}<{ROOT}>\n<{RUN} trType="F" class="M" pid="Team" priority="1" desc="a &amp; b">\n'
            f'<{TOPIC} tNum="{topic}" elapsedTime="2.5">\n' + '\n'.join(items)
            + f'\n</{TOPIC}>{more}\n</{RUN}>\n</{ROOT}>\n')


def item(number: Any = 1, shot: str = 'shot00009_1') -> str:
    return f'<item seqNum="{number}" shotId="{shot}"/>'


class TestAvsRuns:
    def test_fields_and_order(self, write: Callable[..., Path]) -> None:
        more = f'<{TOPIC} tNum="1662">{item(0, "c")}</{TOPIC}>'
        before = '<?xml version="1.0"?>\n<!DOCTYPE videoAdhocSearchResults SYSTEM "http://127.0.0.1:1/no.dtd">\n'
        path = write(xml(item(7, 'b'), item(2, 'a'), before=before, more=more))
        assert formats.read_run(path, 'trecvid-avs') == [
            ShotScoredDoc('1661', 'a', -2, 2, 'Team'), ShotScoredDoc('1661', 'b', -7, 7, 'Team'),
            ShotScoredDoc('1662', 'c', 0, 0, 'Team')]
        assert trecvid.read_avs_run(write(f'<{ROOT}/>')) == []

    @pytest.mark.parametrize('written, read', [('661', '1661'), ('501', '1501'), ('1661', '1661'), ('61', '61'),
                                               ('x61', 'x61')])
    def test_topics_are_those_of_the_judgements(self, write: Callable[..., Path], written: str, read: str) -> None:
        path = write(xml(item(), topic=written))
        assert [row.query_id for row in trecvid.read_avs_run(path)] == [read]
        assert trecvid.qrels_topic(trecvid.run_topic(read)) == read

    @pytest.mark.parametrize('content, keyword', [
        (xml(item(3), item(3, 'b')), "line 5: seqNum '3' is already there"),
        (xml(item('first')), "line 4: seqNum 'first' is not a whole number"),
        (xml('<item seqNum="1"/>'), "line 4: the attribute 'shotId' of <item> is missing"),
        (xml('<item seqNum=" " shotId="a"/>'), "line 4: the attribute 'seqNum' of <item> is empty"),
        (xml(more=f'<{TOPIC} tNum="1661"/>'), "line 5: topic '1661' is already there"),
        (f'<{ROOT}><{RUN}/>\n<{RUN}/></{ROOT}>', 'line 2: this is the second run of the file'),
        (f'<{ROOT}>\n{item()}</{ROOT}>', f'line 2: <item> is not in <{TOPIC}>'),
        ('<videoSearchResult/>', f'there is no <{RUN}>')])
    def test_errors(self, write: Callable[..., Path], content: str, keyword: str) -> None:
        assert keyword in message(trecvid.read_avs_run, write(content))

    @given(rows=st.lists(st.builds(
        ShotScoredDoc, st.sampled_from(['1661', '1662', 'a<&">', '61']), st.sampled_from(['shot1_1', 'é', "'&amp;']"]),
        st.integers(-3, 3), st.just(0), st.just('a<b"c'))))
    def test_round_trips(self, path: Path, rows: list[ShotScoredDoc]) -> None:
        assert formats.write_run(rows, path, 'trecvid-avs') == []
        back = formats.read_run(path, 'trecvid-avs')
        order = list(dict.fromkeys(row.query_id for row in rows))
        ranked = sorted(rows, key=lambda row: (order.index(row.query_id), -row.score))
        assert [(row.query_id, row.doc_id, row.run) for row in back] == [
            (row.query_id, row.doc_id, row.run) for row in ranked]
        assert all(row.score == -row.rank for row in back)
        formats.write_run(back, path, 'trecvid-avs')
        assert formats.read_run(path, 'trecvid-avs') == back

    def test_runs_of_search(self, write: Callable[..., Path], tmp_path: Path) -> None:
        before = '<!DOCTYPE videoSearchResults SYSTEM "http://www-nlpir.nist.gov/projects/tv2014/dtds/x.dtd">\n'
        content = xml(item(2, 'shot1_2'), item(1, 'shot7_9'), before=before, topic='149').replace('Adhoc', '')
        path = write(content)
        rows = [ShotScoredDoc('149', 'shot7_9', -1, 1, 'Team'), ShotScoredDoc('149', 'shot1_2', -2, 2, 'Team')]
        assert formats.read_run(path, 'trecvid-search') == rows
        # Until 2013 the name of a run is sysId.
        assert trecvid.read_shot_run(write(content.replace('pid=', 'sysId='))) == rows
        assert 'there is no <videoSearchRunResult>' in message(trecvid.read_shot_run, write(f'<{ROOT}/>'))
        assert formats.write_run(rows, tmp_path / 'x', 'trecvid-search') == []
        assert formats.read_run(tmp_path / 'x', 'trecvid-search') == rows
        trecvid.write_shot_run(rows, tmp_path / 'x', attributes={'pType': 'F', 'sysId': 'me'})
        assert '<videoSearchRunResult pType="F" sysId="me">' in (tmp_path / 'x').read_text()

    def test_what_is_written(self, tmp_path: Path) -> None:
        rows = [TrecScoredDoc('1661', 'shot1_2', 0.5), TrecScoredDoc('1661', 'shot1_1', 2.5)]
        assert trecvid.write_avs_run(rows, tmp_path / 'x', attributes={'trType': 'F', 'desc': 'a "b"'}) == []
        assert (tmp_path / 'x').read_text() == (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<{ROOT}>\n <{RUN} trType="F" desc="a &quot;b&quot;">\n'
            f'  <{TOPIC} tNum="661">\n   <item seqNum="1" shotId="shot1_1"/>\n'
            f'   <item seqNum="2" shotId="shot1_2"/>\n  </{TOPIC}>\n </{RUN}>\n</{ROOT}>\n')
        trecvid.write_avs_run(rows, tmp_path / 'x')
        assert f'<{RUN} pid="ir_segmeasures">' in (tmp_path / 'x').read_text()

    @pytest.mark.parametrize('rows, sentence', [
        ([ShotScoredDoc('661', 'a', 1, 1, None)], "topic '661' would be read as '1661'"),
        ([ShotScoredDoc('1', 'a', 1, 1, 'x'), ShotScoredDoc('1', 'b', 0, 2, 'y')], 'are of 2 runs, such as x'),
        ([ShotScoredDoc('1', 'v#t=1,2', 1, 1, None)], 'this is a segment, but what has ids of shots'),
        ([ShotScoredDoc('1', 'a\x01', 1, 1, None)], "segment id 'a\\x01' holds a control"),
        ([ShotScoredDoc('1', 'a', 1, 1, '\x02')], 'which XML does not have')])
    def test_rows_that_cannot_be_written(self, tmp_path: Path, rows: list[Any], sentence: str) -> None:
        with pytest.raises(WriteError) as caught:
            formats.write_run(rows, tmp_path / 'x', 'trecvid-avs')
        assert sentence in caught.value.sentence
        assert list(tmp_path.iterdir()) == []


class TestRealFiles:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'trecvid'

    def test_judgements_with_strata(self, run: Any, folder: Path, tmp_path: Path) -> None:
        path = folder / 'avs.qrels.main.tv21.gz'
        qrels = formats.read_qrels(path, 'trecvid-strata')
        assert isinstance(qrels, Rows)  # read by columns, as nothing is judged twice
        assert len(qrels) == 124431
        assert {row.query_id for row in qrels} == {str(topic) for topic in range(1661, 1681)}
        assert Counter(row.relevance for row in qrels) == {-1: 66013, 0: 42769, 1: 15649}
        assert Counter(row.stratum for row in qrels if row.relevance == -1) == {3: 66013}
        args = '--from', 'trecvid-strata', '--to', 'trecvid-strata', '--kind', 'qrels'
        assert run('convert', path, tmp_path / 'x', *args) == (0, '', '')
        assert (tmp_path / 'x').read_bytes() == gzip.decompress(path.read_bytes())

    def test_a_run_as_xml_has_the_same_values(self, run: Any, folder: Path, tmp_path: Path) -> None:
        source, path = folder / 'run-avs-tv21.txt.gz', tmp_path / 'run.xml'
        assert run('convert', source, path, '--from', 'trec', '--to', 'trecvid-avs').code == 0
        assert '<videoAdhocSearchTopicResult tNum="661">' in path.read_text()
        args = 'evaluate', folder / 'avs.qrels.main.tv21.gz'
        measures = 'AP', 'P@10', '-q', '--qrels-format', 'trecvid-strata'
        before = run(*args, source, *measures)
        after = run(*args, path, *measures, '--run-format', 'trecvid-avs')
        assert before.out.count('\n') == 42
        assert sorted(after.out.splitlines()) == sorted(before.out.splitlines())

    def test_judgements_with_times(self, folder: Path) -> None:
        path = folder / 'avs.vbs2022_dres.txt.gz'
        lines = gzip.decompress(path.read_bytes()).decode().split('\r\n')[1:-1]
        assert (len(lines), len(set(lines))) == (17784, 10129)
        assert sum(count > 1 for count in Counter(lines).values()) == 3607  # lines that are repeated
        qrels = vbs.read_dres(path)
        assert len(qrels) == 10129
        assert Counter(row.relevance for row in qrels) == {1: 7542, 0: 2277, -1: 310}
        assert qrels[0] == DresQrel('vbs22-avs-01', '00009', 103.833, 134.25, -1, '0', 1)
        # None starts where it ends in seconds. Two do in frames, and their seconds are one frame apart.
        same_frame = [line.split('\t') for line in lines if line.split('\t')[3] == line.split('\t')[5]]
        assert [(fields[2], fields[4], fields[6]) for fields in same_frame] == [
            ('16685', '468.7', '468.733'), ('08141', '118.5', '118.533')]
        found = [TrecScoredDoc('vbs22-avs-01', '00136#t=413,427.28', 1.0)]
        assert T2I_AP(tau=15).calc_aggregate(qrels, found) > 0
