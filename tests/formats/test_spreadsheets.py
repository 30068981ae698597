"""Spreadsheets: columns, separators, numbers and times as people write them, and errors that name the line."""

import pickle
import re
import zipfile
from collections.abc import Callable
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import checks, formats, sample
from ir_segmeasures.formats import FormatError, SegmentQrel
from ir_segmeasures.formats.files.sheets import read_sheets
from ir_segmeasures.formats.spreadsheets import is_header

QRELS = 'query,file,start,end,grade\n'
RUN = 'query,file,start,end,score\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = 'sheet.csv', encoding: str = 'utf-8') -> Path:
        (tmp_path / name).write_text(text, encoding=encoding)
        return tmp_path / name
    return write


class TestWhatPeopleWrite:
    @pytest.mark.parametrize('text', [
        'query,file,start,end,grade\nq1,talk,31,62.5,2\n',
        'Topic;Video;From;To;Relevance;Remark\nq1;talk;0:31;1:02,5;2,0;"one; two\nthree"\n\n;;;;;\n',
        'sep=;\nqid;doc;begin;stop;label\nq1;talk;31;62,5;2\n',
        'Grade\tDuration (s)\tStart (s)\tDoc ID\tQuery-ID\n2\t31.5\t31\ttalk\tq1\n',
        '\ufeffquery_id|query|docno|start|end|length|relevance\nq1|bees and hives|talk|00:00:31|00:01:02.5|7200|2\n',
        'query,file,start,end,grade\nq1,talk,31,"62,5",2,,\n', 'Query,Episode,Start,End,Grade\nq1,talk.mp3,31,62.5,2\n',
    ])
    @pytest.mark.parametrize('name', ['sheet.csv', 'sheet.CSV', 'sheet.tsv'])
    def test_judgements(self, write: Any, text: str, name: str) -> None:
        assert formats.read_qrels(write(text, name)) == [SegmentQrel('q1', 'talk', 31, 62.5, 2)]

    @pytest.mark.parametrize('header', ['question,query id', 'Query,qid', 'topic,topic_id', 'query_text,query'])
    def test_texts_of_queries(self, write: Any, header: str) -> None:
        read = formats.FORMATS['csv'].qrels.texts
        assert read is not None
        assert read(write(f'{header},file,grade\nHow  do bees?,q1,a,1\n,q2,a,1\n')) == {
            'q1': 'How do bees?', 'q2': ''}
        assert read(write('query,file,grade\nq1,a,1\n')) == {}

    def test_unicode_text_of_excel(self, write: Any) -> None:
        path = write('Frage\tquery\tfile\tstart\tend\tgrade\nä\tq1\tMärz\t1\t2\t1\n', 'sheet.txt', 'utf-16')
        assert formats.read_qrels(path, 'tsv') == [SegmentQrel('q1', 'März', 1, 2, 1)]

    def test_runs_have_a_score_or_a_rank(self, write: Any) -> None:
        rows = formats.read_run(write('query,file,start,end,rank\nq1,b,0,9,2\nq1,a,0,9,1\n'))
        assert rows == [('q1', 'b', 0, 9, -2), ('q1', 'a', 0, 9, -1)]
        rows = formats.read_run(write('rank,score,query,file,start,end\n1,1,q1,b,0,9\n2,3,q1,a,0,9\n'))
        assert [row.score for row in rows] == [1, 3]
        for given in (rows, list(rows)):  # workers of loky and dask are given either
            assert pickle.loads(pickle.dumps(given)) == given and type(rows[0]).__name__ == 'TableRow'

    def test_ids_of_segments(self, write: Any) -> None:
        # As a frame of PyTerrier is saved: the id is the truth, and docid is a number of the index.
        path = write('qid,docid,docno,rank,score,query,start,end\nq1,7,"talk#t=1,2",0,2.5,bees,1,2\n')
        assert formats.read_run(path) == [ScoredDoc('q1', 'talk#t=1,2', 2.5)]
        assert formats.read_qrels(write('query,doc,grade\nq1,doc7,0\nq1,My doc#t=5,1\n')) == [
            Qrel('q1', 'doc7', 0), Qrel('q1', 'My%20doc#t=5', 1)]

    def test_names_are_those_of_the_cutter(self, write: Any) -> None:
        names = 'Lecture 01', 'Lecture%2001', 'a:b', 'doc#7', '50% of "it"'
        rows = formats.read_qrels(write(QRELS.replace('file', 'doc') + ''.join(
            f'q1,"{name.replace(chr(34), chr(34) * 2)}",0,9,1\n' for name in names)))
        assert [row.doc_id for row in rows] == [
            'Lecture%2001', 'Lecture%2001', 'a:b', 'doc#7', '50%25%20of%20%22it%22']

    def test_extensions_of_recordings(self, write: Any) -> None:
        text = QRELS + 'q1,talk 1.mp4,0,9,1\nq1,talk 2.MOV,0,9,1\nq1,src/a.py,0,9,1\nq1,show.s01e01,0,9,1\n'
        rows = formats.read_qrels(write(text))
        assert [row.doc_id for row in rows] == ['talk%201', 'talk%202', 'src/a.py', 'show.s01e01']
        kept = formats.read_qrels(write(text.replace('file', 'doc_id')))
        assert [row.doc_id for row in kept][:2] == ['talk%201.mp4', 'talk%202.MOV']

    def test_files_of_trec_are_those_of_trec(self, write: Any) -> None:
        for name in ('qrels.tsv', 'qrels.csv'):
            assert formats.read_qrels(write('q1\t0\ttalk\t1\n', name)) == [Qrel('q1', 'talk', 1)]
            for line in ('q1 0 talk 1', 'q1 0 talk#t=20,40 1', 'q1 Q0 talk#t=20,40 1 0.5 mine'):
                assert formats.format_at(write(f'{line}\n', name)) == 'trec'
        assert formats.format_at(write('q1,my talk of 2,0:10\n', 'qrels.csv')) == 'csv'
        assert formats.format_at('missing.csv') == 'csv'



class TestErrors:
    @pytest.mark.parametrize('row, sentence', [
        ('q1,talk,1,2,x', "grade 'x' is not a number"), ('q1,talk,1,2,', 'the cell of the grade is empty'),
        (',talk,1,2,1', 'the cell of the query is empty'), ('q1,,1,2,1', 'the cell of the document is empty'),
        ('q1,talk,9,2,1', "'talk' ends at '2', before it starts at '9'"),
        ('q1,talk,0:75,200,1', "start has the clock time '0:75', but minutes and seconds"),
        ('q1,talk,"1,234",2000,1', "start '1,234' is either 1234 or 1.234"),
        ('q1,talk,-1,2,1', "start '-1' is outside"), ('q1,talk,nan,2,1', "start 'nan' is not a number"),
        ('q1,"talk#t=1,2",1,2,1', 'is a segment with a start and an end beside it'),
        ('q1,talk,0h0m0s,2,1', "start '0h0m0s' is a text with units"), ('q1,talk,0,10 s,1', "end '10 s' is a text"),
        ('q1,talk,00:00:00:00,2,1', 'is a timecode with frames'), ('q1,talk,12:00 AM,2,1', 'is a time of day'),
        ('q1,talk,2024-05-01T10:00:00,2,1', 'is a date, but times are seconds'), ('q1,talk,0,1,95%', 'is a percentage'),
        ('q1,talk,0,1 234.5,1', 'is a number in groups of three'), ('q1,talk,-0:05,2,1', "start '-0:05' is below 0"),
    ])
    def test_of_a_row(self, write: Any, row: str, sentence: str) -> None:
        path = write(f'{QRELS}q0,talk,0,1,1\n\n{row}\nq9,talk,5,4,1\n')
        with pytest.raises(FormatError) as caught:
            formats.read_qrels(path)
        assert caught.value.line == 4
        found = checks.check(path, 'csv', 'qrels')
        assert [(finding.line, finding.is_warning) for finding in found] == [(4, False), (5, False)]
        assert found[0].sentence == caught.value.sentence and sentence in found[0].sentence

    @pytest.mark.parametrize('text, line, sentence', [
        ('query,file,from,grade\n', 1, 'the first line names a column of starts and none of ends'),
        ('query,file,end,grade\n', 1, 'the first line names a column of ends and none of starts'),
        ('query,file,start_ms,end_ms,grade\n', 1, "the column 'start_ms' is not in seconds"),
        ('\nq1,talk,1,2,1\n', 2, "the first line does not name columns (it is 'q1'"),
        ('query,query,doc,grade\n', 1, "two columns are called 'query'"),
        (f'{QRELS}q1,talk,1,2,1,and, more\n', 2, 'the line has 7 cells, but the first line names 5 columns'),
        (f'{QRELS}q1,"talk,1,2,1\n', 2, 'the line is not CSV (unexpected end of data)'),
        (f'{QRELS}q1,talk\n', 2, 'the cell of the start is empty'),
    ])
    def test_of_the_sheet(self, write: Any, text: str, line: int, sentence: str) -> None:
        with pytest.raises(FormatError) as caught:
            formats.read_qrels(write(text))
        assert (caught.value.line, caught.value.sentence[:len(sentence)]) == (line, sentence)
        assert checks.check(write(text), 'csv', 'qrels')[0].sentence == caught.value.sentence

    def test_csv_given_as_trec(self, run: Any, write: Any) -> None:
        path = write(QRELS + 'q1,talk,1,2,1\n' * 20, 'judgements.txt')
        result = run('check', path, '--format', 'trec', '--kind', 'qrels')
        assert result.code == 1 and len(result.out.splitlines()) == 2
        assert f'{path}, line 1: the line is CSV, but ' in result.out and 'so are all 21 lines' in result.out
        result = run('evaluate', path, sample.path('good.run'), 'MAgP')
        assert 'it looks like csv: add' in result.err


class TestReadingsOfAColumn:
    @pytest.mark.parametrize('rows, keyword', [
        ('q,v,12:30,25:30:00,1', 'either minutes and seconds'), ('q,v,"62,5",70.5,1\nq,v,"1,5",2,1', None),
        ('q,v,"1,5",2,1\nq,v,1.5,2,1', 'decimal comma, and'), ('q,v,"1,234","1,567",1', 'is either 1234 or 1.234'),
        ('q,v,1,2,"1,234.5"\nq,v,1,2,"1,234"', None), ('q,v,59:30,1:00:10,1', None),
        ('q,v,12:30,13:00,1\nq,v,25:30:00,26:00:00,1\nq,v,1:00:10,1:10:10,1', 'either minutes and seconds'),
        ('q,v,25:30:00,26:00:00,1', "the minutes and seconds '25:30'"), ('q,v,25:30:10,26:00:00,1', None),
        ('q,v,1.000,"1.010,5",1', "start '1.000' is either 1000 or 1.000"), ('q,v,1.234,9,"0,5"', 'either 1234 or'),
        ('q,v,"1,000","1,234.5",1', "start '1,000' is either"), ('q,v,"1,234","1,3",1', None),
        ('q,v,1.30,0:31,1', "'0:31' and '1.30', and '1.30' is either seconds, or '1:30'"), ('q,v,0:31,1:02.5,1', None),
        ('q,v,0:31,0:32,1\nq,v,"1,3","2,05",1', "and '1,3' is either seconds, or '1:30'"), ('q,v,0:31,90.125,1', None)])
    def test_there_is_one(self, write: Any, rows: str, keyword: str | None) -> None:
        path = write(f'{QRELS}{rows}\n')
        if keyword is None:
            assert len(formats.read_qrels(path)) == rows.count('\n') + 1
        else:
            with pytest.raises(FormatError, match=keyword):
                formats.read_qrels(path)

    @pytest.mark.parametrize('cell, sentence', [
        ('12:xx', "end '12:xx' is not a number, but times"), ('1:75', "end has the clock time '1:75'"),
        ('3:15', "the times have '3:15' and '9.5', and '9.5' is either"), ('"95,5"', "end '95,5' has a decimal comma")])
    def test_an_odd_cell_has_its_line_and_others_are_checked(self, write: Any, cell: str, sentence: str) -> None:
        path = write(f'{QRELS}q,v,0,55.2,1\nq,v,30,{cell},1\nq,w,9.5,2.5,1\nq,w,100,112.5,1\n')
        first, second = checks.check(path, 'csv', 'qrels')
        assert (first.line, second.line) == (3, 4) and sentence in first.sentence and "ends at '2.5'" in second.sentence

    def test_thousands_are_told_by_the_column(self, write: Any) -> None:
        found = formats.read_qrels(write(f'{QRELS}q,v,1,2,"1,234.5"\nq,v,1,2,"1,234"\n'))
        assert [row.relevance for row in found] == [1234.5, 1234]
        found = formats.read_run(write('query;file;start;end;score\nq;v;0;1;1.000,5\nq;v;1;2;0,5\n'))
        assert [row.score for row in found] == [1000.5, .5]


class TestTablesOfEvents:
    @pytest.mark.parametrize('text', [
        'filename\tonset\toffset\tevent_label\nclip1.wav\t0.0\t10.0\tDog\nclip2.wav\t\t\t\n',
        'Selection\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tBegin File\tSpecies\n1\t0\t10\t0\tclip1.wav\tDog\n',
        'Selection\tView\tBegin Time (s)\tEnd Time (s)\tBegin Path\tFile Offset (s)\tAnnotation\n'
        '1\tWaveform 1\t3600\t3610\tC:\\a\\clip1.wav\t0\tDog\n1\tSpectrogram 1\t3600\t3610\tC:\\a\\clip1.wav\t0\tDog\n',
        'INDIR\tIN FILE\tOFFSET\tDURATION\tcommon_name\n/data\tclip1.wav\t0\t10\tDog\n',
        'segment_id\tstart_time_seconds\tend_time_seconds\tlabel\nclip1\t0.0\t10.0\tDog\n',
        'episode\tonset\toffset\tlabel\nclip1\t0\t10\tDog\n',
        'start_timestamp\tstop_timestamp\tvideo_id\tnarration\n00:00:00.0\t00:00:10.0\tclip1\tDog\n'])
    @pytest.mark.parametrize('name', ['events.tsv', 'events.selections.txt'])
    def test_their_names_are_known(self, write: Any, text: str, name: str) -> None:
        path = write(text, name)
        with pytest.warns(UserWarning, match='no column of grades, so that each row has the grade 1'):
            assert formats.read_qrels(path) == [SegmentQrel('Dog', 'clip1', 0, 10, 1)]
        with pytest.warns(UserWarning, match='no column of scores or ranks, so that the order of the rows counts'):
            assert formats.read_run(path) == [('Dog', 'clip1', 0, 10, 0)]

    def test_files_are_known_by_their_names(self, write: Any) -> None:
        text = 'Start (s),End (s),Common name,Confidence,File\n0,3,Loon,0.9,/data/a/m.wav\n3,6,Loon,0.8,/data/{}.wav\n'
        assert formats.read_run(write(text.format('a/m'))) == [('Loon', 'm', 0, 3, .9), ('Loon', 'm', 3, 6, .8)]
        with pytest.raises(FormatError, match=r"'/data/a/m.wav' and '/data/b/m.wav' have one name"):
            formats.read_run(write(text.format('b/m')))

    def test_clips_without_events_are_queries_without_an_answer(self, write: Any) -> None:
        text = 'query,file,start,end,grade\nq1,a,0,10,1\nq2,b,,,0\n,c,,,\n'
        with pytest.warns(UserWarning, match=r'1 rows have no times \(such as line 3\), so that nothing there is'):
            assert [row[:5] for row in formats.read_qrels(write(text))] == [('q1', 'a', 0, 10, 1), ('q2', 'b', 0, 0, 0)]
        with pytest.warns(UserWarning, match='so that they retrieve nothing'):
            assert len(formats.read_run(write(text.replace('grade', 'score')))) == 1
        with pytest.raises(FormatError, match='the cell of the start is empty'):
            formats.read_qrels(write(text.replace('b,,,0', 'b,,,1')))

    @pytest.mark.parametrize('text', [
        'Selection\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tCall\n', 'video\tstart\tend\tlabel\nv\t0\t1\t1\n'])
    def test_columns_that_are_there_are_listed(self, write: Any, text: str) -> None:
        with pytest.raises(FormatError, match='|'.join(text.partition('\n')[0].split('\t')[-1:])):
            formats.read_qrels(write(text, 'events.txt'))

    @pytest.mark.parametrize('names', ['t1,t2', ',', 'begins,ends'])
    def test_unknown_names_of_times_are_told(self, write: Any, names: str) -> None:
        with pytest.warns(UserWarning, match=f"no column is called start or end .*'{names.split(',')[0]}'"):
            formats.read_qrels(write(f'query,file,{names},grade\nq,v,0,10,1\n'))

    @pytest.mark.parametrize('names', ['start_line,end_line', 'first_line,last_line', 'lines'])
    def test_lines_of_code_are_ids(self, write: Any, names: str) -> None:
        with pytest.raises(FormatError, match=r'is not in seconds as its name tells, .*#L19-L40'):
            formats.read_qrels(write(f'query,file,{names},grade\nq,a.py,1,10,1\n'))

    def test_other_units_are_refused(self, write: Any) -> None:
        assert len(formats.read_qrels(write('query,file,start,end,grade,unit\nq,v,0,10,1,s\nq,v,10,20,1,3\n'))) == 2
        with pytest.raises(FormatError, match=r'the column of units has char, but .* are seconds'):
            formats.read_qrels(write('query,file,start,end,unit,grade\nq,v,0,10,chars,1\n'))

    def test_other_names_are_listed(self, write: Any) -> None:
        with pytest.raises(FormatError, match=r'clip.*begins.*ends.*what'):
            formats.read_qrels(write('clip\tbegins\tends\twhat\nc\t0\t1\tDog\n', 'events.tsv'))


class TestWriting:
    def test_no_cell_is_a_formula(self, tmp_path: Path) -> None:
        path = tmp_path / 'x.csv'
        rows = [SegmentQrel(query, 'v', 0, 1, -1) for query in ("=cmd|'/C'!A0", '-2', '@a', "'=b", "'a", '+1 a', '＝c')]
        formats.write_qrels(rows, path, 'csv')
        assert not re.search('^"?[=@+＝]', path.read_text(), re.MULTILINE)
        assert formats.read_qrels(path) == rows

    def test_columns_and_ids(self, tmp_path: Path) -> None:
        path = tmp_path / 'x.csv'
        assert formats.write_qrels([SegmentQrel('q, 1', 'v', 0.25, 3, 2)], path, 'csv') == []
        assert path.read_text() == 'query_id,doc_id,start,end,relevance\n"q, 1",v,0.25,3,2\n'
        assert formats.read_qrels(path) == [SegmentQrel('q, 1', 'v', 0.25, 3, 2)]
        formats.write_run([ScoredDoc('q', 'v#char=1,2', .5)], path, 'tsv')
        assert path.read_text() == 'query_id\tdoc_id\tscore\nq\tv#char=1,2\t0.5\n'

    def test_no_text_in_a_file_of_excel(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r'x\.xlsx would be a file of Excel, .*: let its name end in \.csv'):
            formats.write_run([], tmp_path / 'x.xlsx', 'csv')


class TestExcel:
    @pytest.fixture
    def workbook(self, tmp_path: Path) -> Callable[..., Path]:
        openpyxl = pytest.importorskip('openpyxl')

        def workbook(*rows: list[Any], form: str = 'mm:ss') -> Path:
            book = openpyxl.Workbook()
            for row in rows:
                book.active.append(row)
            for cells in book.active.iter_rows():
                for cell in cells:
                    if isinstance(cell.value, time | timedelta):
                        cell.number_format = form
            book.save(tmp_path / 'sheet.xlsx')
            return tmp_path / 'sheet.xlsx'
        return workbook

    def test_cells_are_what_is_shown(self, workbook: Any) -> None:
        path = workbook(['Query', 'File', 'From', 'To', 'Grade', 'When'], [],
                        [7, 'talk 1', time(0, 0, 31), time(0, 1, 2, 500000), 2, datetime(2024, 1, 1)],
                        ['q8', 'talk 2', 90, 1.5e2, 1.0, None])
        assert formats.read_qrels(path) == [
            SegmentQrel('7', 'talk%201', 31, 62.5, 2), SegmentQrel('q8', 'talk%202', 90, 150, 1)]
        with pytest.raises(FormatError, match='line 2: grade'):
            formats.read_qrels(workbook(['query', 'file', 'grade'], ['q', 'talk', 'good']))

    def test_a_time_of_hours_and_minutes_is_what_it_looks_like(self, workbook: Any) -> None:
        rows = ['query', 'file', 'start', 'end', 'score'], ['q', 'talk', time(0, 31), timedelta(hours=26, minutes=3), 1]
        assert formats.read_run(workbook(*rows, form='[h]:mm'))[0][2:4] == (31, 26 * 60 + 3)
        assert formats.read_run(workbook(*rows, form='[h]:mm:ss'))[0][2:4] == (31 * 60, 26 * 3600 + 180)

    @pytest.mark.parametrize('form', ['h:mm', '[$-en-US]h:mm AM/PM;@', '[$-es-ES]h:mm', 'h:mm "hours"'])
    def test_words_in_formats_are_no_seconds(self, workbook: Any, form: str) -> None:
        header = ['query', 'file', 'start', 'end', 'score']
        rows = formats.read_run(workbook(header, ['q', 'a', time(12, 30), time(13, 0), 1], form=form))
        assert rows[0][2:4] == (750, 780)
        with pytest.raises(FormatError, match="line 2: the cell C2 shows '0:01', but holds '0:01:30'"):
            formats.read_run(workbook(header, ['q', 'a', time(0, 1, 30), time(13, 0), 1], form=form))

    @pytest.mark.parametrize('start, end, form, both', [
        ('12:30', timedelta(hours=25, minutes=30), '[h]:mm:ss', "'12:30' and '25:30:00'"),
        (time(9, 30), timedelta(hours=9, minutes=30, seconds=10), 'h:mm', "D2 shows '9:30', but holds '9:30:10'"),
        (time(9, 30), '9:30:10', 'h:mm', "'9:30' and '9:30:10'"),
        (time(12, 30), time(12, 31), 'mm:ss', "C2 shows '0:30:00', but holds '12:30:00'"),
        (time(1, 0), timedelta(hours=25, minutes=30), 'h:mm', "D2 shows '1:30', but holds '25:30'"),
        (time(0, 0, 31), 1.3, 'mm:ss', "'0:00:31' and '1.3', and '1.3' is either seconds, or '1:30'"),
        (time(0, 0, 5), timedelta(seconds=-5), '[h]:mm:ss', "end '-0:00:05' is below 0")])
    def test_mixed_and_hidden_times(self, workbook: Any, start: Any, end: Any, form: str, both: str) -> None:
        path = workbook(['query', 'file', 'start', 'end', 'grade', 'at', 'twice'],
                        ['q', 'a', start, end, 1, time(14, 5, 9), '=2*E2'], form=form)  # two columns that nobody reads
        with pytest.raises(FormatError, match=re.escape(both)):
            formats.read_qrels(path)

    def test_formats_of_numbers(self, workbook: Any) -> None:
        path = workbook(['query', 'file', 'start', 'end', 'grade', 'at'],
                        [7, datetime(2024, 5, 1), 0, 1, 1, time(1, 2, 3)])
        openpyxl = pytest.importorskip('openpyxl')
        book = openpyxl.load_workbook(path)
        book.active['A2'].number_format, book.active['F2'].number_format = '000', 'h:mm'
        book.active['C2'], book.active['C2'].number_format = time(0, 0, 2), 'mm:ss_s'
        book.active['D2'], book.active['D2'].number_format = time(0, 1, 2), '[$-F400]h:mm:ss;@'
        book.save(path)
        assert formats.read_qrels(path) == [SegmentQrel('007', '2024-05-01', 2, 62, 1)]

    def test_a_formula_may_give_no_text(self, workbook: Any, tmp_path: Path) -> None:
        path = workbook(['query', 'file', 'grade', 'what'], ['q', 'a', 1, '=""'])
        with zipfile.ZipFile(path) as file:
            parts = {name: file.read(name) for name in file.namelist()}
        sheet = parts['xl/worksheets/sheet1.xml'].replace(b'<c r="D2"><f>', b'<c r="D2" t="str"><f>')
        with zipfile.ZipFile(tmp_path / 'b.xlsx', 'w') as file:
            for name, data in (parts | {'xl/worksheets/sheet1.xml': sheet}).items():
                file.writestr(name, data)
        with pytest.warns(UserWarning, match='no column is called start'):
            assert len(formats.read_qrels(tmp_path / 'b.xlsx')) == 1

    def test_visible_sheets_are_read_and_formulas_need_values(self, workbook: Any) -> None:
        openpyxl = pytest.importorskip('openpyxl')
        header = ['query', 'file', 'start', 'end', 'grade']
        path = workbook(header, ['q1', 'a', 0, 10, 1])
        book = openpyxl.load_workbook(path)
        for name, state in (('new', 'visible'), ('old', 'hidden'), ('notes', 'visible')):
            sheet = book.create_sheet(name)
            sheet.sheet_state = state
            for row in (header if name != 'notes' else ['remarks'], [f'q-{name}', 'b', 0, 10, 1]):
                sheet.append(row)
        book['new']['XFD1048576'].font = openpyxl.styles.Font(bold=True)  # a far cell, blank
        book.save(path)
        assert [row.query_id for row in formats.read_qrels(path)] == ['q1', 'q-new']
        book['new']['E2'] = 'good'
        book.save(path)
        with pytest.raises(FormatError, match=r"sheet\.xlsx, sheet new, line 2: grade 'good'"):
            formats.read_qrels(path)
        book['new']['E2'] = '=1+1'
        book.save(path)
        with pytest.raises(FormatError, match=r'sheet new, line 2: the cell E2 is the formula .=1\+1. without a value'):
            formats.read_qrels(path)
        book['notes'].append(header)
        book.save(path)
        with pytest.raises(FormatError, match='sheet notes, line 3: the names of the columns are not in the first'):
            formats.read_qrels(path)

    def test_damaged_files(self, workbook: Any, tmp_path: Path) -> None:
        path = workbook(['query', 'file', 'grade'])
        path.write_bytes(path.read_bytes()[:2000])
        with pytest.raises(FormatError, match='this is not a complete file of Excel'):
            formats.read_qrels(path)

    def test_older_files_and_no_openpyxl(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / 'sheet.xlsx'
        path.write_bytes(b'\xd0\xcf\x11\xe0 and so on')
        with pytest.raises(FormatError, match='a file of Excel before 2007, which is not read: save it as'):
            formats.read_qrels(path)
        path.write_bytes(b'PK\x03\x04 and so on')
        monkeypatch.setitem(__import__('sys').modules, 'openpyxl', None)
        with pytest.raises(ImportError, match='unless saved as CSV, are read with openpyxl'):
            formats.read_qrels(path)


def test_lines_of_a_sheet(tmp_path: Path) -> None:
    path = tmp_path / 'x'
    path.write_text('\nquery;file\n"a\nb";c\n\nd;e\n')
    sheet, = read_sheets(path, is_header, 'query,file')
    assert sheet.separator == ';'
    assert sheet.lines == [(2, ['query', 'file']), (3, ['a\nb', 'c']), (6, ['d', 'e'])]
