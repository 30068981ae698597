"""Tables of shots, and judged shots made judged segments with them."""

import gzip
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from refusals import message

from ir_segmeasures import T2I_AP, SegmentTable, formats, resolve
from ir_segmeasures.formats import ShotQrel
from ir_segmeasures.formats.trecvid import shot_tables as shots
from ir_segmeasures.formats.trecvid.shot_tables import Shots

# Many files repeat lines; the tests of this warning ask for it.
pytestmark = pytest.mark.filterwarnings('ignore:.* repeat an earlier one exactly')

FILE_NAME = '00009.tsv'

HEADER = 'startframe\tstarttime\tendframe\tendtime\r\n'


class TestV3C:
    TABLE = HEADER + '144\t6.041\t871\t36.333\r\n873\t36.375\t873\t36.375\r\n2491\t103.0\t3222\t134.25\r\n'

    def test_rows_count_from_1_or_as_the_caller_says(self, write: Callable[..., Path]) -> None:
        path = write(self.TABLE)
        table = shots.read_v3c(path)
        assert table == {'shot00009_1': ('00009', 6.041, 36.333), 'shot00009_3': ('00009', 103, 134.25)}
        assert table.skipped == {'shot00009_2': 'a single frame, whose length needs the frame rate'}
        assert list(shots.read_v3c(path, first=0)) == ['shot00009_0', 'shot00009_2']
        with pytest.raises(ValueError, match=r'^first=2: the first row is shot 1, as NIST counts, or 0, as the VBS'):
            shots.read_v3c(path, first=2)

    def test_single_frames(self, write: Callable[..., Path]) -> None:
        path = write(self.TABLE)
        for rate in (Fraction(25), {'00009': '25'}):
            table = shots.read_v3c(path, frame_rate=rate)
            assert table['shot00009_2'] == ('00009', 36.375, 36.415)
            assert table['shot00009_1'] == ('00009', 6.041, 36.333)  # the times of the file
            assert not table.skipped
        assert list(shots.read_v3c(path, frame_rate={'00010': 25}).skipped) == ['shot00009_2']
        with pytest.raises(ValueError, match=r'^frame rate 0 is not a number above 0'):
            shots.read_v3c(path, frame_rate=0)

    def test_folders_and_lists(self, write: Callable[..., Path], tmp_path: Path) -> None:
        paths = [write(gzip.compress(self.TABLE.encode()), '00010.tsv.gz'), write(self.TABLE, '00002.TSV')]
        for name in ('._00002.tsv', 'readme.txt'):
            write('something else', name)
        table = shots.read_v3c(tmp_path)
        assert list(table) == ['shot00002_1', 'shot00002_3', 'shot00010_1', 'shot00010_3']
        assert list(table.skipped) == ['shot00002_2', 'shot00010_2']
        assert shots.read_v3c(paths) == table
        copy = pickle.loads(pickle.dumps(table))
        assert (copy, copy.skipped) == (table, table.skipped)
        write(self.TABLE, '00010.tsv')
        with pytest.raises(formats.FormatError, match=r"shot 'shot00010_1' is already in .*00010\.tsv"):
            shots.read_v3c(tmp_path)

    @pytest.mark.parametrize('content, keyword', [
        ('144\t6.041\t871\t36.333\n', 'is not the first line'), ('', 'is not the first line'),
        (HEADER + '1 2 3\n', 'line 2: the line has 3 fields'), (HEADER + '\n1 0:02 3 4\n', "line 3: time '0:02'"),
        (HEADER + '1 2 3 1.5\n', "line 2: end '1.5' is before"), (HEADER + '1 -2 3 1.5\n', "line 2: time '-2'")])
    def test_errors(self, write: Callable[..., Path], content: str, keyword: str) -> None:
        assert keyword in message(shots.read_v3c, write(content))


class TestIACC:
    TABLE = 'Shots of "Über 7"\n12 of 34\n0 87\n88 88\n\n89 120\n'

    def test_frames_are_inclusive_and_from_0(self, write: Callable[..., Path]) -> None:
        path = write(self.TABLE.encode('latin-1'), '7.msb')
        assert shots.read_iacc(path, 25) == {
            'shot7_1': ('7', 0, 3.52), 'shot7_2': ('7', 3.52, 3.56), 'shot7_3': ('7', 3.56, 4.84)}
        ntsc = shots.read_iacc(path, '30000/1001', 0)
        assert ntsc['shot7_2'] == ('7', 89 * 1001 / 30000, 121 * 1001 / 30000)
        assert ntsc['shot7_1'][1] == ntsc['shot7_0'][2]
        assert shots.read_iacc([path], {'7': 29.97})['shot7_1'][2] == 8800 / 2997  # 29.97 as it is written

    def test_the_frame_rate_is_never_assumed(self, write: Callable[..., Path]) -> None:
        path = write(self.TABLE, '7.sb')
        with pytest.raises(TypeError, match='frame_rate'):
            shots.read_iacc(path)  # type: ignore[call-arg]
        with pytest.raises(ValueError, match=r"^there is no frame rate for video '7' of .*7\.sb: add it to"):
            shots.read_iacc(path, {'8': 25})

    def test_a_folder(self, write: Callable[..., Path], tmp_path: Path) -> None:
        write('0 1\n', '1.msb')
        write('0 1\n', '2.sb')
        assert shots.read_iacc(tmp_path, {'1': 1, '2': 2}) == {'shot1_1': ('1', 0, 2), 'shot2_1': ('2', 0, 1)}

    @pytest.mark.parametrize('content, keyword', [
        ('some text\n', "msb: there is no line 'begin end'"), ('text\n0 5\n6 x\n', "line 3: the line '6 x' is not"),
        ('0 5\n9 8\n', "line 2: end '8' is before start '9'")])
    def test_errors(self, write: Callable[..., Path], content: str, keyword: str) -> None:
        assert keyword in message(shots.read_iacc, write(content, '7.msb'), 25)


def segment(id: str, point: str | None, duration: str | None, inside: str = '') -> str:
    time = '' if point is None else f'<MediaTimePoint> {point}\n</MediaTimePoint>'
    time += '' if duration is None else f'<MediaDuration>{duration}</MediaDuration>'
    return f'<VideoSegment id="{id}"><MediaTime>{time}</MediaTime>{inside}</VideoSegment>\n'


def mpeg7(*segments: str) -> str:
    return ('<?xml version="1.0"?>\n<Mpeg7 xmlns="urn:mpeg:mpeg7:schema:2001"><Description><Video><MediaTime>'
            '<MediaTimePoint>T00:00:00:0F25</MediaTimePoint></MediaTime><TemporalDecomposition>\n'
            f'{"".join(segments)}</TemporalDecomposition></Video></Description></Mpeg7>\n')


class TestMpeg7:
    def test_points_and_durations(self, write: Callable[..., Path]) -> None:
        key_frame = segment('shot7_1_RKF', 'T00:00:08:0F30000', None)
        path = write(mpeg7(
            segment('shot7_1', 'T00:00:00:0F30000', 'PT16S4484N30000F', f'<Temporal>{key_frame}</Temporal>'),
            segment('shot7_2', 'T00:00:16:4484F30000', 'PT1H2M'),
            segment('shot7_3', 'T02:16:1F2', 'PT1N2F'),
            segment('shot7_4', 'T16:1F4', 'PT5S'),
            segment('shot7_5', None, 'PT5S'), segment('shot7_6', 'T16:1F4', None), '<VideoSegment id="shot7_7"/>',
            segment('shot7_8', 'T16:1F4', 'PT0S0N25F'), segment('whole', 'T00:00:00:0F25', 'PT9H'),
        ), '7.mp7.xml')
        table = shots.read_mpeg7(path)
        assert table == {
            'shot7_1': ('7', 0, float(16 + Fraction(4484, 30000))),
            'shot7_2': ('7', float(16 + Fraction(4484, 30000)), float(3736 + Fraction(4484, 30000))),
            'shot7_3': ('7', 136.5, 137),
            'shot7_4': ('7', 16.25, 21.25),
        }
        assert table.skipped == {
            'shot7_5': 'without MediaTimePoint', 'shot7_6': 'without MediaDuration',
            'shot7_7': 'without MediaTimePoint', 'shot7_8': 'of duration 0'}

    def test_prefixes_and_folders(self, write: Callable[..., Path], tmp_path: Path) -> None:
        plain = segment('shot2_1', 'T00:00:01:0F25', 'PT1S')
        prefixed = plain.replace('shot2', 'shot1').replace('</', '</m:').replace('<V', '<m:V').replace('<M', '<m:M')
        write(f'<m:Mpeg7 xmlns:m="urn:mpeg">{prefixed}</m:Mpeg7>', '1.mp7.xml')
        write(gzip.compress(mpeg7(plain).encode()), '2.mp7.xml.gz')
        write('<collection/>', 'collection.xml')
        assert shots.read_mpeg7(tmp_path) == {'shot1_1': ('1', 1, 2), 'shot2_1': ('2', 1, 2)}

    @given(parts=st.lists(st.integers(1, 10**6), min_size=1, max_size=6), base=st.sampled_from([25, 1000, 30000]))
    def test_neighbours_share_their_boundary(
        self, tmp_path_factory: pytest.TempPathFactory, parts: list[int], base: int
    ) -> None:
        """Points and durations are two ways to write one boundary: exact sums make them one number."""
        path = tmp_path_factory.getbasetemp() / 'neighbours.mp7.xml'
        start, rows = 0, []
        for number, length in enumerate(parts):
            seconds, rest = divmod(start, base)
            rows.append(segment(f'shot1_{number}', f'T{seconds}:{rest}F{base}',
                                f'PT{length // base}S{length % base}N{base}F'))
            start += length
        path.write_text(mpeg7(*rows))
        table = list(shots.read_mpeg7(path).values())
        assert [first[2] for first in table[:-1]] == [second[1] for second in table[1:]]
        assert table[-1][2] == start / base

    @pytest.mark.parametrize('content, keyword', [
        *((mpeg7(segment('shot7_1', point, 'PT1S')), f'line 3: time {point!r} cannot be read')
          for point in ('00:00:16', 'T00:00:16:1F0')),
        *((mpeg7(segment('shot7_1', 'T0:0F1', duration)), f'line 4: duration {duration!r} cannot be read')
          for duration in ('PT', 'PT1S5N', 'PT1N0F')),
        (mpeg7(*[segment('shot7_1', 'T0:0F1', 'PT1S')] * 2), "line 5: shot 'shot7_1' is already in")])
    def test_errors(self, write: Callable[..., Path], content: str, keyword: str) -> None:
        assert f'7.mp7.xml, {keyword}' in message(shots.read_mpeg7, write(content, '7.mp7.xml'))


class TestEastEnders:
    def test_the_last_frame_is_part_of_the_shot(self, write: Callable[..., Path]) -> None:
        path = write('0 1 T00:00:00:00F25 T00:00:00:25F25\n0 shot0_2 T00:00:01:01F25 T01:02:03:04F25\n', 'table.txt')
        assert shots.read_eastenders(path) == {
            'shot0_1': ('0', 0, 1.04), 'shot0_2': ('0', 1.04, 3723.2)}

    @pytest.mark.parametrize('line, keyword', [
        ('0 2 T00:00:01:01F25', 'the line has 3 fields'), ('0 2 T00:00:01:01F25 5.0', "time '5.0' cannot be read"),
        ('0 2 T00:00:01:01F25 T00:00:01:00F25', "end 'T00:00:01:00F25' is before start"),
        ('0 1 T00:00:01:01F25 T00:00:01:02F25', "shot 'shot0_1' is already in")])
    def test_errors(self, write: Callable[..., Path], line: str, keyword: str) -> None:
        path = write(f'0 1 T00:00:00:00F25 T00:00:00:25F25\n{line}\n', 'table.txt')
        assert f'line 2: {keyword}' in message(shots.read_eastenders, path)


class TestAsSegments:
    TABLE = Shots()
    TABLE.update({'shot7_1': ('7', 0, 3.52), 'shot7_2': ('7', 3.52, 4), 'shot8_1': ('7', 0, 3.52)})
    TABLE.skipped['shot7_3'] = 'a single frame, whose length needs the frame rate'
    QRELS = [ShotQrel('1', 'shot7_1', 1, '0', 1), ShotQrel('1', 'shot7_2', -1, '0', 2),
             ShotQrel('1', 'shot8_1', 0, '0', 3)]

    def test_the_other_fields_stay_and_each_judgement_too(self) -> None:
        found = resolve(self.QRELS, self.TABLE)
        assert found == [
            ShotQrel('1', '7#t=0,3.52', 1, '0', 1), ShotQrel('1', '7#t=3.52,4', -1, '0', 2),
            ShotQrel('1', '7#t=0,3.52', 0, '0', 3)]
        assert SegmentTable.from_qrels(found).extra['stratum'].tolist() == [1, 2, 3]
        assert T2I_AP(tau=15).calc_aggregate(found, resolve({'1': {'shot7_1': 1.0}}, self.TABLE)) == 1

    def test_shots_that_the_table_lacks(self) -> None:
        unknown = [ShotQrel('1', f'shot{video}_3', 1, '0', 1) for video in (7, 9, 7, 10, 11)]
        with pytest.raises(ValueError, match=r"^4 of 7 ids are not in the table, such as 'shot7_3' \(a single frame"):
            resolve([*self.QRELS, *unknown], self.TABLE)


class TestRealFiles:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'trecvid'

    def test_tables_have_the_times_of_the_judgements_of_the_vbs(self, folder: Path) -> None:
        table = shots.read_v3c(folder / 'shots')
        assert len(table) == 14
        assert not table.skipped
        assert table['shot00009_1'] == ('00009', 6.041, 36.333)
        assert table['shot00136_8'] == ('00136', 1200.72, 1201.4)
        judged = {(row.doc_id, row.start, row.end)
                  for row in formats.vbs.read_dres(folder / 'avs.vbs2022_dres.txt.gz')}
        assert set(table.values()) <= judged
        assert set(shots.read_v3c(folder / 'shots', first=0)) - set(table) == {'shot00009_0', 'shot00136_0'}

    def test_judgements_that_the_tables_lack(self, folder: Path) -> None:
        qrels = formats.read_qrels(folder / 'avs.qrels.main.tv21.gz', 'trecvid-strata')
        with pytest.raises(ValueError, match=r"^113074 of 113074 ids are not in the table, such as 'shot00008_16', "):
            resolve(qrels, shots.read_v3c(folder / 'shots'))
        qrels = qrels[:20_000]
        table = {row.doc_id: (row.doc_id[4:9], 10 * number, 10 * number + 5) for number, row in enumerate(qrels)}
        found = resolve(qrels, table)
        assert len(found) == len(qrels)
        assert [(row.relevance, row.stratum) for row in found] == [(row.relevance, row.stratum) for row in qrels]
