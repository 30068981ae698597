"""Files whose ids are not segments yet, windows beyond their videos, and errors with the file and the line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import MAiSP, SegP, formats, sample
from ir_segmeasures.formats import (
    FormatError,
    ReadRequest,
    TrecQrel,
    TrecScoredDoc,
    read_qrels,
    read_run,
    write_qrels,
    write_run,
)
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.segments.tables.table import RowError
from ir_segmeasures.study import merged_judgements, pool

RUN = 'q1 Q0 d_100-200 1 3 x\n\nq1 Q0 d#char=1,5 2 2 x\nq1 Q0 e_0-50 3 1 x\n'
PATTERN = '{doc}_{start}-{end}'


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, str], Path]:
    def put(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path
    return put


class TestIds:
    def test_a_pattern(self, put: Any) -> None:
        path = put('run', RUN)
        assert read_run(path, ids=PATTERN) == [TrecScoredDoc('q1', 'd#char=100,200', 3),
                                               TrecScoredDoc('q1', 'd#char=1,5', 2),
                                               TrecScoredDoc('q1', 'e#char=0,50', 1)]

    @pytest.mark.parametrize('kind', ['file', 'mapping of tuples', 'segments'])
    def test_a_table(self, put: Any, kind: str) -> None:
        path = put('qrels', 'q1 0 shot1_2 1\nq1 0 v#t=5,6 2\n')
        table: Any = put('table', 'shot1_1 v 0 20\nshot1_2 v 20 40\n')
        if kind != 'file':
            table = {'shot1_2': ('v', 20, 40)} if kind.endswith('tuples') else read_extents(table)
        assert read_qrels(path, table=table) == [TrecQrel('q1', 'v#t=20,40', 1), TrecQrel('q1', 'v#t=5,6', 2)]

    def test_the_unit_of_a_table(self, put: Any) -> None:
        path = put('run', 'q1 Q0 a 1 3 x\n')
        for table in ({'a': ('d', 3, 9)}, put('table', 'a d 3 9')):
            assert [read_run(path, table=table, unit=unit)[0].doc_id for unit in (None, 'line')] == [
                'd#t=3,9', 'd#line=3,9']

    def test_elements_of_a_folder(self, put: Any, tmp_path: Path) -> None:
        pytest.importorskip('lxml')
        (tmp_path / 'xml').mkdir()
        (tmp_path / 'xml' / 'a.xml').write_text('<a><s>01234</s><s>56789</s></a>')
        path = put('run', 'q1 Q0 a#xpath=/a[1]/s[2] 1 3 x\n')
        assert read_run(path, table=tmp_path / 'xml')[0].doc_id == 'a#xpath=/a[1]/s[2]&char=5,10'
        with pytest.raises(ValueError, match="unit='char': elements of XML documents have"):
            read_run(path, table=tmp_path / 'xml', unit='char')
        put('run', 'q1 Q0 a#xpath=/a[1]/s[3] 1 3 x\n')
        with pytest.raises(FormatError, match=rf'\(a has no such element\): add them to {tmp_path / "xml"}$'):
            read_run(path, table=tmp_path / 'xml')

    def test_passages_are_not_looked_up(self) -> None:
        request = ReadRequest('x', 'run', 'moments', table={})
        rows = [formats.SegmentScoredDoc('q', 'v', 0, 5, 1, 1, 1, None, None)]
        assert request.with_segment_ids(rows) == rows


class TestErrors:
    @pytest.mark.parametrize(('text', 'options', 'place', 'sentence'), [
        ('q Q0 a 1 3\n', {'ids': PATTERN}, ', line 1', 'the line has 5 fields'),
        ('q Q0 d_1-2 1 3 x\n\nq Q0 d_9-5 2 2 x\n', {'ids': PATTERN}, ', line 3', "the id 'd_9-5' ends before it"),
        ('q Q0 d_1-2 1 3 x\nq Q0 d_9 2 2 x\n', {'ids': PATTERN}, ', line 2', '1 of 2 ids are not of the form'),
        ('q Q0 a 1 3 x\nq Q0 b 2 2 x\n', {'table': {'a': ('d', 0, 1)}}, ', line 2',
         "1 of 2 ids are not in the table, such as 'b': add them to it"),
        ('q Q0 a 1 3 x\nq Q0 d#t=9, 2 2 x\n', {'table': {'a': ('d', 0, 1), 'd': ('d', 0, 5)}}, ', line 2',
         "'d#t=9,' starts at 9, after the end of its document at 5"),
        # What an evaluation would say, at a row whose id was looked up.
        ('q Q0 d#t=1,5 1 3 x\nq Q0 d_1-2 2 2 x\n', {'ids': PATTERN}, ', line 2',
         "query 'q', document 'd': the segments of one document of a query are in 'char' and in 't'"),
        ('q Q0 d#t=1,5 1 3 x\n\nq Q0 d#t=9,5 2 2 x\n', {'segments': True}, ', line 3',
         "segment id 'd#t=9,5' ends before it starts"),
    ])
    def test_they_name_the_file_and_the_line(self, put: Any, text: str, options: Any, place: str,
                                             sentence: str) -> None:
        path = put('run', text)
        with pytest.raises(FormatError) as caught:
            read_run(path, **options)
        assert str(caught.value).startswith(f'{path}{place}: {sentence}')
        assert caught.value.line == (int(place[-1]) if place else None)

    def test_those_of_judgements(self, put: Any) -> None:
        path = put('qrels', 'q 0 d_1-2 1\nq 0 d_5-3 0\n')
        with pytest.raises(FormatError, match=rf"^{path}, line 2: the id 'd_5-3' ends before"):
            read_qrels(path, ids=PATTERN)
        put('qrels', 'q 0 d#t=1,2 1\nq 0 d#t=x 0\n')
        assert len(read_qrels(path)) == 2
        with pytest.raises(FormatError, match=rf'^{path}, line 2: '):
            read_qrels(path, segments=True)

    def test_of_a_measure_have_a_line_too(self, put: Any) -> None:
        path = put('qrels', '\nq 0 shot1 0\nq 0 shot2 1\n')
        rows = read_qrels(path, table={'shot1': ('v', 0, 5), 'shot2': ('v', 7, 7)})
        with pytest.raises(RowError) as caught:
            SegP.calc_aggregate(rows, [TrecScoredDoc('q', 'v#t=0,1', 1.)])
        assert str(formats.in_file(caught.value, path, formats.FORMATS['trec'], rows)).startswith(f'{path}, line 3: ')

    def test_a_table_that_is_wrong(self, put: Any) -> None:
        path, table = put('run', RUN), put('table', 'a d 1 2\nb d 1\n')
        with pytest.raises(FormatError, match=rf'^{table}, line 2: the line has 3 fields'):
            read_run(path, table=table)

    def test_options_that_do_not_go_together(self, put: Any) -> None:
        path = put('run', RUN)
        with pytest.raises(ValueError, match='extents come from one place'):
            read_run(path, ids=PATTERN, table={})
        with pytest.raises(ValueError, match=r'^the pattern of ids .* has the fields doc: '):
            read_run(path, ids='{doc}')
        with pytest.raises(ValueError, match=r"runs of format 'trec' have no option 'clip' \(formats with it: mom"):
            read_run(path, durations={})
        with pytest.raises(ValueError, match="format 'vbs-dres' has judgements only"):
            read_run(path, 'vbs-dres', ids=PATTERN)


class TestTasksAndWindows:
    WINDOWS = '{"qid": 1, "vid": "v", "pred_relevant_windows": [[-0.5, 4, 2], [20, 31.5, 1]]}\n'

    @pytest.mark.parametrize(('durations', 'windows'), [
        ({'v': 30}, [(0, 4), (20, 30)]), ({}, [(0, 4), (20, 31.5)]), ({'w': 5}, [(0, 4), (20, 31.5)])])
    def test_windows_are_cut_off(self, put: Any, durations: dict[str, float], windows: list[Any]) -> None:
        path = put('windows', self.WINDOWS)
        assert [(row.start, row.end) for row in read_run(path, 'moments', durations=durations)] == windows

    def test_without_durations_they_stay_or_are_refused(self, put: Any) -> None:
        path = put('windows', self.WINDOWS)
        assert [row.start for row in read_run(path, 'moments', clip=True)] == [-0.5, 20]
        with pytest.raises(FormatError, match=rf'^{path}, line 1: .* starts before 0'):
            read_run(path, 'moments')


def test_frames_of_pyterrier(put: Any) -> None:
    segments = pytest.importorskip('pyterrier').segments
    path = put('run', RUN)
    assert segments.read_run(path, ids=PATTERN)['docno'].tolist() == ['d#char=100,200', 'd#char=1,5', 'e#char=0,50']
    judged = put('qrels', 'q1 0 a 1\n')
    assert segments.read_qrels(judged, table={'a': ('d', 0, 5)})['docno'].tolist() == ['d#t=0,5']
    with pytest.raises(FormatError, match=f'^{path}, line 4: 1 of 3 ids are not in the table'):
        segments.read_run(path, table={'d_100-200': ('d', 0, 1), 'e_0-50x': ('e', 0, 1)})
    with pytest.raises(TypeError, match='ids goes with the path of a file'):
        segments.read_run(read_run(path), ids=PATTERN)


def test_what_is_read_is_measured(put: Any) -> None:
    """The same values as from files with segment ids."""
    qrels, run = ([*read(sample.path(name))] for read, name in ((read_qrels, 'qrels.txt'), (read_run, 'good.run')))
    ids = {row.doc_id: f'x{number}' for number, row in enumerate([*qrels, *run])}
    table = put('table', ''.join(f'{id} {segment}\n' for segment, id in ids.items()))
    judged = put('qrels', ''.join(f'{row.query_id} 0 {ids[row.doc_id]} {row.relevance}\n' for row in qrels))
    found = put('run', ''.join(f'{row.query_id} Q0 {ids[row.doc_id]} 1 {row.score!r} x\n' for row in run))
    assert MAiSP.calc_aggregate(read_qrels(judged, table=table), read_run(found, table=table)) == (
        MAiSP.calc_aggregate(qrels, run))


SHAPES = {
    'frame': lambda rows: pd.DataFrame(rows),
    'PyTerrier': lambda rows: pd.DataFrame(rows).rename(columns={'query_id': 'qid', 'doc_id': 'docno',
                                                                 'relevance': 'label'}),
    'PyTerrier in Arrow': lambda rows: pytest.importorskip('pyarrow').Table.from_pandas(SHAPES['PyTerrier'](rows)),
    'columns': lambda rows: pd.DataFrame(rows).to_dict('list'), 'dicts': lambda rows: [row._asdict() for row in rows],
    'iterator': iter, 'list': list}


@pytest.mark.parametrize('shape', SHAPES.values(), ids=SHAPES)
def test_rows_of_all_shapes_are_written(shape: Any, tmp_path: Path) -> None:
    run, qrels = tmp_path / 'run', tmp_path / 'qrels'
    assert write_run(shape([ScoredDoc('q', 'v#t=0,5', 2.5), ScoredDoc('q', 'w', 1.)]), run) == []
    assert write_qrels(shape([Qrel('q', 'v#t=0,5', 1)]), qrels) == []
    assert run.read_text() == 'q Q0 v#t=0,5 1 2.5 ir_segmeasures\nq Q0 w 2 1.0 ir_segmeasures\n'
    assert qrels.read_text() == 'q 0 v#t=0,5 1\n'


def test_rows_of_studies_and_columns_of_times_are_written(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    judged = [Qrel('q', 'v#t=0,5', 1), Qrel('q', 'v#t=5,9', 0)]
    for rows in (merged_judgements({'a': judged, 'b': judged}), pool({'a': [ScoredDoc('q', 'v#t=0,5', 1.)]},
                                                                     depth=1).judgements()):
        write_qrels(rows, path)
        assert path.read_text().startswith('q 0 v#t=0,5 ')
    frame = pd.DataFrame({'query_id': ['q'], 'doc_id': ['v'], 'start': [0.5], 'length': [10], 'score': [1.],
                          'class': 2})
    write_run(frame, path)
    assert path.read_text().startswith('q Q0 v#t=0.5,10.5 1 ')
    with pytest.raises(ValueError, match="the run lacks 'score'"):
        write_run(frame.drop(columns='score'), path)
