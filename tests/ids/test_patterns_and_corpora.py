"""Ids of other tools: offsets read by a pattern, or from the segmented corpus."""

import gzip
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import SegP, checks, resolve
from ir_segmeasures.commands import main
from ir_segmeasures.formats import FormatError
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.ids.patterns import IdPattern
from ir_segmeasures.segments.segment import Segment
from ir_segmeasures.segments.tables.table import RowError

MTRAG = '{doc}_{start}-{end}-{}-{}'


class Row(NamedTuple):
    query_id: str
    doc_id: str
    score: float = 1


class Judgement(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int = 1


def ids_of(rows: Any) -> list[str]:
    return [row.doc_id for row in rows]


class TestPatterns:
    @pytest.mark.parametrize('pattern, id, segment', [
        (MTRAG, '822086267_6698-7277-0-579', ('822086267', 6698, 7277)),
        (MTRAG, 'ibmcld_16817_7-2310-0-9', ('ibmcld_16817', 7, 2310)),
        ('{doc}#{start}_{length}', 'a#b#3_4', ('a#b', 3, 7)),
        ('{start}:{end}@{doc}', '1.5:2@v', ('v', 1.5, 2)),
        ('{{{doc}}}.{start}+{end}', '{x}.1+2', ('x', 1, 2)),
    ])
    def test_forms(self, pattern: str, id: str, segment: tuple[str, float, float]) -> None:
        assert IdPattern(pattern, 't').segment(id) == Segment(*segment, 't')
        assert IdPattern(pattern, 't').segment(f'{id} ') is None

    @given(st.text('ab_-#1', min_size=1), st.integers(0, 10**9), st.integers(0, 10**9))
    def test_what_was_formatted(self, doc: str, start: int, length: int) -> None:
        id = f'{doc}_{start}-{start + length}-0-{length}'
        assert IdPattern(MTRAG, 'char').segment(id) == Segment(doc, start, start + length, 'char')

    @pytest.mark.parametrize('pattern', ['{doc}_{start}', '{start}-{end}', '{doc}{doc}_{start}-{end}', 'x', '{doc',
                                         '{doc}_{start}-{end}-{length}', '{doc}_{start:d}-{end}', '{doc!r}{start}{end}',
                                         '{doc}_{start}-{end}-{more}'])
    def test_other_patterns(self, pattern: str) -> None:
        with pytest.raises(ValueError, match=re.escape(f'the pattern of ids {pattern!r}')):
            resolve([], ids=pattern)

    def test_rows(self) -> None:
        rows = [Row('q', 'd_5-9-0-4'), Row('q', 'd#char=1,2'), Row('q', 'd_7-9-0-4')]
        assert ids_of(resolve(rows, ids=MTRAG)) == ['d#char=5,9', 'd#char=1,2', 'd#char=7,9']
        assert resolve({'q': {'d_5-9-0-4': 1}}, ids=MTRAG, unit='word') == {'q': {'d#word=5,9': 1}}
        assert resolve({'q': {'a.py:3-9': 1}}, ids='{doc}:{start}-{end}', unit='line') == {'q': {'a.py#line=3,9': 1}}
        for unit in ('lines', '', 3):
            with pytest.raises(ValueError, match=f"unit={unit!r} is no unit of segments: there are 't'"):
                resolve(rows, ids=MTRAG, unit=unit)  # type: ignore[arg-type]

    def test_each_id_must_match(self) -> None:
        rows = [Row('q', 'd_5-9-0-4'), Row('q', 'x'), Row('q', 'y_1-2')]
        with pytest.raises(ValueError, match=re.escape(
                f"2 of 3 ids are not of the form {MTRAG!r}, such as 'x', 'y_1-2': give the pattern of all ids, or keep "
                "them with missing='keep'")):
            resolve(rows, ids=MTRAG)
        assert ids_of(resolve(rows, ids=MTRAG, missing='keep')) == ['d#char=5,9', 'x', 'y_1-2']
        with pytest.raises(ValueError, match=re.escape(
                "the id 'd_9-5-0-4' ends before it starts (5 < 9), but a segment cannot: correct it, or the pattern")):
            resolve([Row('q', 'd_9-5-0-4')], ids=MTRAG)
        with pytest.raises(ValueError, match=r'ends at 9+, but positions are below 10\^15: correct it'):
            resolve([Row('q', f'd_9-{"9" * 16}-0-4')], ids=MTRAG)

    def test_one_source(self) -> None:
        for sources in ({}, {'table': {}, 'ids': MTRAG}, {'ids': MTRAG, 'corpus': 'x'}):
            with pytest.raises(ValueError, match='offsets come from one place'):
                resolve([], **sources)


def id_of(number: int, document: int = 7) -> str:
    return f'msmarco_v2.1_doc_00_{document}#{number}_{1000 + number}'


def line(number: int, document: int = 7, **fields: Any) -> dict[str, Any]:
    return {'docid': id_of(number, document), 'url': 'http://x', 'title': 'a "docid": "x"', 'headings': '',
            'segment': 'text', 'start_char': number * 10, 'end_char': number * 10 + 15, **fields}


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    for part in (0, 1):
        rows = [line(number, 7 + part) for number in range(5)]
        (tmp_path / f'segmented_{part}.jsonl.gz').write_bytes(gzip.compress(
            '\n'.join(map(json.dumps, rows)).encode()))
    return str(tmp_path / 'segmented_*.jsonl.gz')


class TestCorpora:
    def test_offsets(self, corpus: str) -> None:
        rows = [Row('q', id_of(3)), Row('q', id_of(1, 8)), Row('r', id_of(3)), Row('q', 'd#char=1,2')]
        assert ids_of(resolve(rows, corpus=corpus)) == [
            'msmarco_v2.1_doc_00_7#char=30,45', 'msmarco_v2.1_doc_00_8#char=10,25',
            'msmarco_v2.1_doc_00_7#char=30,45', 'd#char=1,2']

    def test_it_is_read_to_the_last_id_that_is_needed(self, corpus: str, tmp_path: Path) -> None:
        (tmp_path / 'segmented_1.jsonl.gz').write_bytes(b'broken')
        assert ids_of(resolve([Row('q', id_of(4))], corpus=corpus)) == ['msmarco_v2.1_doc_00_7#char=40,55']
        with pytest.raises(ValueError, match=r'segmented_1.*it is no whole gzip file'):
            resolve([Row('q', id_of(9))], corpus=corpus)

    def test_damaged_in_the_middle(self, corpus: str, tmp_path: Path) -> None:
        path = tmp_path / 'segmented_0.jsonl.gz'
        packed = path.read_bytes()
        path.write_bytes(packed[:20] + b'\xff' * 8 + packed[28:])
        with pytest.raises(ValueError, match=r'segmented_0.*no whole gzip file \(Error -3 .*\): get it once more'):
            resolve([Row('q', id_of(9))], corpus=corpus)

    def test_ids_that_it_lacks(self, corpus: str) -> None:
        with pytest.raises(ValueError, match=r"1 of 2 ids are not in the corpus, such as 'nothing': give all of "
                                             r"its files, or keep them with missing='keep'"):
            resolve([Row('q', id_of(1)), Row('q', 'nothing')], corpus=corpus)

    def test_other_fields(self, tmp_path: Path) -> None:
        path = tmp_path / 'a.jsonl'
        path.write_text('\n'.join(json.dumps({'id': id, 'of': 'd', 'from': 3, 'to': 5}) for id in ('x', 'ü"', 'y\\')))
        resolved = resolve([Row('q', 'x'), Row('q', 'y\\')], corpus=[path], id='id', start='from', end='to', doc='of',
                           unit='word')
        assert ids_of(resolved) == ['d#word=3,5', 'd#word=3,5']

    @pytest.mark.parametrize('content, sentence', [
        ('{"docid": "x', 'line 1: it is no JSON'),
        ('\n{"docid": "x", "start_char": 1}', 'line 2: it has docid, start_char, but not end_char: name the fields'),
        (json.dumps({'docid': 'x', 'start_char': 5, 'end_char': 1}), "line 1: segment 'x' goes from 5 to 1"),
        (json.dumps({'docid': 'x', 'start_char': -1, 'end_char': 1}), "segment 'x' goes from -1 to 1"),
        (json.dumps({'docid': 'x', 'start_char': 0.5, 'end_char': 1}), "segment 'x' goes from 0.5 to 1"),
        (json.dumps({'docid': 'x', 'start_char': 0, 'end_char': 1}), "the id 'x' has no '#' behind its document"),
        ('{"docid": "x", "start_char": 0, "start_char": 1}', "line 1: the key 'start_char' is there twice"),
        ('3', 'line 1: it has int, but not docid and start_char and end_char'),
    ])
    def test_lines_of_another_form(self, tmp_path: Path, content: str, sentence: str) -> None:
        path = tmp_path / 'a.jsonl'
        path.write_text(content)
        with pytest.raises(ValueError, match=re.escape(sentence)):
            resolve([Row('q', 'x')], corpus=path)

    def test_an_id_with_two_places(self, tmp_path: Path) -> None:
        path = tmp_path / 'a.jsonl'
        path.write_text('\n'.join(map(json.dumps, (line(1), line(1, start_char=0), line(2)))))
        with pytest.raises(ValueError, match=r'line 2: segment .* stands twice'):
            resolve([Row('q', id_of(1)), Row('q', id_of(2))], corpus=path)

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match='give the files of the segmented corpus'):
            resolve([Row('q', 'x')], corpus=str(tmp_path / '*.gz'))


class TestErrorsThatMeetSuchIds:
    MARCO = 'msmarco_v2.1_doc_00_125364462#6_229054655'

    @pytest.mark.parametrize('judged, found, sentence', [
        (MARCO, MARCO, 'it looks like a segment of MS MARCO, read its offsets from the segmented corpus with '
                       'resolve(qrels, corpus='),
        ('d#char=1,2', MARCO, 'a segment of MS MARCO, read its offsets from the segmented corpus with resolve(run'),
        ('d#char=1,2', 'd_5-9-0-4', f'as in MTRAG, read them with resolve(run, ids={MTRAG!r}'),
        ('d', 'd', 'write the end into the id or resolve() the qrels with a table of the documents'),
    ])
    def test_they_say_what_to_do(self, judged: str, found: str, sentence: str) -> None:
        with pytest.raises(RowError, match=re.escape(sentence)):
            ir_measures.calc_aggregate([SegP], [Judgement('q', judged)], [Row('q', found)])


class TestCommands:
    @pytest.fixture
    def files(self, tmp_path: Path) -> Path:
        (tmp_path / 'run').write_text('q Q0 d_100-200-0-100 1 3 x\nq Q0 d_150-250-0-100 2 2 x\n')
        (tmp_path / 'qrels').write_text('q 0 d#char=120,180 1\n')
        return tmp_path

    def run(self, *arguments: object) -> Any:
        with pytest.raises(SystemExit) as caught:
            main([*map(str, arguments)])
            raise SystemExit(0)
        return caught.value.code

    def test_evaluate(self, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run('evaluate', files / 'qrels', files / 'run', 'SegP', '--ids', MTRAG) == 0
        assert capsys.readouterr().out == 'SegP\t0.4000\n'  # 60 of the 150 characters that are read

    def test_an_id_of_another_form(self, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run('evaluate', files / 'qrels', files / 'run', 'SegP', '--ids', '{doc}:{start}-{end}') == 1
        assert capsys.readouterr().err == (
                        f"ir_segmeasures: {files / 'run'}: 2 of 2 ids are not of the form '{{doc}}:{{start}}-{{end}}', "
                        "such as 'd_100-200-0-100', 'd_150-250-0-100': give the pattern of all ids with --ids\n")


class TestTables:
    """Element ids, shots … looked up by a table, from the command line."""

    @pytest.fixture
    def files(self, write: Any, tmp_path: Path) -> Path:
        write('q1 Q0 shot1_2 1 3 x\nq1 Q0 shot1_1 2 2 x\nq1 Q0 v#t=50,60 3 1 x\n', 'run')
        write('q1 0 shot1_1 1\nq1 0 v#t=30,40 1\n', 'qrels')
        write('shot1_1 v 0 20\nshot1_2\tv#t=20,40\n\nshot1_2 v#t=20,40\n', 'table')
        return tmp_path

    def test_evaluate(self, run: Any, files: Path) -> None:
        found = run('evaluate', files / 'qrels', files / 'run', 'SegP', 'SegR', '--table', files / 'table')
        assert (found.code, found.out) == (0, 'SegP\t0.6000\nSegR\t1.0000\n')  # 30 of 50 s, 30 of 30

    def test_convert(self, run: Any, files: Path) -> None:
        for options, unit in ((), 't'), (('--ids-unit', 'word'), 'word'):
            found = run('convert', files / 'qrels', files / 'out', '--from', 'trec', '--to', 'trec', '--kind', 'qrels',
                        '--table', files / 'table', *options)
            assert found.code == 0
            assert (files / 'out').read_text() == f'q1 0 v#{unit}=0,20 1\nq1 0 v#t=30,40 1\n'

    def test_check(self, run: Any, files: Path, write: Any) -> None:
        path = write('q1 Q0 shot1_1 1 3 x\nq1 Q0 v#t=10,30 2 2 x\nq1 Q0 shot9_9 3 1 x\n', 'other')
        found = run('check', path, '--format', 'trec', '--table', files / 'table')
        assert [line.removeprefix(f'{path}, ') for line in found.out.splitlines()] == [
            "line 2: warning: 10-30 of 'v' overlaps 0-20 in line 1, which is of the same query",
            "line 3: the id 'shot9_9' is not in the table, but all ids are, unless they are segments: add it to the "
            'table, or correct it',
            '1 violation, 1 warning']
        with pytest.raises(ValueError, match='extents come from one place'):
            checks.check(path, 'trec', ids='{doc}_{start}-{end}', table={})

    def test_elements_of_xml(self, run: Any, write: Any, tmp_path: Path) -> None:
        documents = tmp_path / 'xml' / 'co'
        documents.mkdir(parents=True)
        (documents / 'a.xml').write_text('<a><s>01234<b>56789</b></s><s>abcde</s></a>')
        qrels = write('<assessments topic="1"><file name="co/a"><element path="/a[1]/s[1]" size="10" rsize="10" '
                      'exhaustivity="2"/></file></assessments>', 'qrels.xml')
        results = ''.join(f'<result><file>co/a</file><path>{path}</path><rank>{rank}</rank></result>'
                          for rank, path in enumerate(('/a[1]/s[1]/b[1]', '/a[1]/s[2]'), 1))
        runs = write(f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>', 'run.xml')
        options = '--run-format', 'inex-xml', '--table', tmp_path / 'xml'
        found = run('evaluate', qrels, runs, 'SegP', 'SegR', "I3_P(specificity='share')", '--qrels-format', 'inex-xml',
                    *options)
        assert (found.code, found.out) == (0, "SegP\t0.5000\nSegR\t0.5000\nI3_P(specificity='share')\t0.0000\n")
        assert run('convert', runs, tmp_path / 'out', '--from', 'inex-xml', '--to', 'trec', '--table',
                   tmp_path / 'xml').code == 0
        assert [line.split()[2] for line in (tmp_path / 'out').read_text().splitlines()] == [
            'co/a#xpath=/a[1]/s[1]/b[1]&char=5,10', 'co/a#xpath=/a[1]/s[2]&char=10,15']
        runs.write_text(runs.read_text().replace('/a[1]/s[2]', '/a[1]/s[3]'))
        found = run('evaluate', qrels, runs, 'SegP', '--qrels-format', 'inex-xml', *options)
        assert found.err == (
            f"ir_segmeasures: {runs}: 1 of 2 ids are not in the table, such as 'co/a#xpath=/a[1]/s[3]' (co/a has no "
            f"such element): add them to {tmp_path / 'xml'}\n")
        found = run('check', runs, '--format', 'inex-xml', '--table', tmp_path / 'xml')
        assert "'co/a#xpath=/a[1]/s[3]' is not in the table: co/a has no such element, but all" in found.out

    def test_options_that_do_not_go_together(self, run: Any, files: Path, tmp_path: Path) -> None:
        both = run('evaluate', files / 'qrels', files / 'run', 'SegP', '--table', files / 'table', '--ids', MTRAG)
        assert both.code == 2 and 'not allowed with argument' in both.err
        unit = run('evaluate', files / 'qrels', files / 'run', 'SegP', '--table', tmp_path, '--ids-unit', 'char')
        assert unit.code == 2 and 'is not for a --table of XML documents' in unit.err

    @pytest.mark.parametrize('line, sentence', [
        ('a d 1', 'the line has 3 fields, but a line of a table of segments has 4, or 2: id document start end; id'),
        ('a d', "'d' has no offsets, but a table tells where ids lie"),
        ('a d 2 1', "'a' ends at 1, before its start at 2: write the smaller position first"),
        ('a d 1 x', "'x' is no position, but start and end are numbers from 0 up"),
        ('a d -1 2', "'-1' is no position"),
        ('shot1_1 v 0 21', "'shot1_1' stands on line 1 with another extent, but an id has one"),
    ])
    def test_bad_tables(self, files: Path, line: str, sentence: str) -> None:
        path = files / 'table'
        path.write_text(path.read_text() + line)
        with pytest.raises(FormatError) as caught:
            read_extents(path)
        assert str(caught.value).startswith(f'{path}, line 5: {sentence}')
