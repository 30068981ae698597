"""INEX' text files: what the readers give for good files, what they say about bad ones, and what is written."""

import gzip
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from refusals import message

from ir_segmeasures import formats
from ir_segmeasures.formats import (
    GenomicsQrel,
    InexQrel,
    InexScoredDoc,
    TrecQrel,
    TrecScoredDoc,
    WriteError,
)
from ir_segmeasures.formats.inex import passages as inex
from ir_segmeasures.ids.documents import to_documents
from ir_segmeasures.segments.tables.table import SegmentTable

WHOLE = 'is not a whole number from 0 to 999999999'

ids = st.sampled_from(['1', '20', 'q1', '2010003', 'x:y', '007', 'é'])
positions = st.integers(0, 60)


@pytest.fixture(scope='module')
def file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | bytes], Path]:
    """Writes a small file, always the same one, and returns its path."""
    path = tmp_path_factory.mktemp('inex') / 'file'

    def write(content: str | bytes) -> Path:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path
    return write


def refusal(rows: Sequence[Any], path: Path, kind: str = 'qrels', unit: str | None = None) -> str:
    """What the writer says about the last of the rows; there is no file afterwards."""
    path.unlink(missing_ok=True)
    with pytest.raises(WriteError) as caught:
        getattr(formats, f'write_{kind}')(rows, path, 'inex-fol', unit)
    assert caught.value.row == len(rows) - 1 and not path.exists()
    return caught.value.sentence


class TestJudgements:
    def test_rows(self, file: Any) -> None:
        rows = inex.read_qrels(file('1 Q0 d 8 20 4 15:5 2:3 \r\n1\tQ0\te  0 7\t\r\n2 Q0 d 0 0\r\n'))
        assert rows == [
            InexQrel('1', 'd', 2, 5, 1, 'Q0', 20, 4),
            InexQrel('1', 'd', 15, 20, 1, 'Q0', 20, 4),
            InexQrel('1', 'e', 0, 7, 0, 'Q0', 7, None),
            InexQrel('2', 'd', 0, 0, 0, 'Q0', 0, None),
        ]
        assert all(type(value) in (str, int, type(None)) for row in rows for value in row)
        assert inex.read_qrels(file('')) == inex.read_qrels(file('\n \n')) == []
        table = SegmentTable.from_qrels(rows)
        assert table.extra['doc_size'].tolist() == [20, 20, 7, 0]
        assert table.extra['bep'][:2].tolist() == [4, 4] and not (table.extra['bep'][2:] >= 0).any()

class TestRuns:
    def test_the_order_is_that_of_the_lines(self, file: Any) -> None:
        path = file('1 Q0 d 2 0.5 r 5 10 \r\n2\tQ0\td\t1\t-1e3\tr\t0\t0\r\n1 Q0 d 1 9 r X X\r\n1 Q0 e 0 9 r -1 -7\r\n')
        rows = inex.read_run(path)
        assert rows == [
            InexScoredDoc('1', 'd', 5, 15, -1, 2, 0.5, 'r', False),
            InexScoredDoc('2', 'd', 0, 0, -2, 1, -1000.0, 'r', False),
            InexScoredDoc('1', 'd', 0, 0, -3, 1, 9.0, 'r', True),
            InexScoredDoc('1', 'e', 0, 0, -4, 0, 9.0, 'r', True),
        ]
        assert [type(value) for value in rows[0]] == [str, str, int, int, int, int, float, str, bool]
        table = SegmentTable.from_run(rows)
        assert table.extra['no_passage'].tolist() == [0, 1, 1, 0] and table.query.tolist() == [0, 0, 0, 1]
        assert inex.read_run(file('')) == inex.read_run(file(' ')) == []

    def test_what_else_the_last_column_can_be(self, file: Any) -> None:
        path = file('1 Q0 d 1 9 r 5 10\n1 Q0 d 2 8 r X 3\n')
        assert [row[2:4] for row in inex.read_run(path, last='end')] == [(5, 10), (0, 0)]
        assert 'line 1: the line has 8 fields' in message(inex.read_run, path, last='bep')
        path = file('1 Q0 d 1 9 r 5\n1 Q0 d 2 8 r X\n')
        assert [(*row[2:5], row.no_passage) for row in inex.read_run(path, last='bep')] == [
            (5, 5, -1, False), (0, 0, -2, True)]
        assert "line 1: end '4' is before" in message(inex.read_run, file('1 Q0 d 1 9 r 5 4\n'), last='end')
        with pytest.raises(ValueError, match="'length', 'end', 'bep' or 'path'"):
            inex.read_run(path, last='paths')

    def test_paths(self, file: Any) -> None:
        path = file('1 Q0 9996 7 0.5 r /article[1]/bdy[1]/sec[2] \n1 Q0 x#y one nan r /a:é-b.c[12]\n'
                    '1 Q0 d 1 9 r /a[1]/p[1] /a[1]/p[2]\n')
        assert [tuple(row) for row in inex.read_run(path, last='path')] == [
            ('1', '9996#xpath=/article[1]/bdy[1]/sec[2]', -1, 7, 0.5, 'r'),
            ('1', 'x#y#xpath=/a:é-b.c[12]', -2, None, None, 'r'), ('1', 'd#xpath=/a[1]/p[1],/a[1]/p[2]', -3, 1, 9, 'r')]
        assert "offset '/a[1]' is an element's path" in message(inex.read_run, file('1 Q0 d 1 9 r /a[1] 5\n'))
        for line, sentence in (('1 Q0 d 1 9 r', 'the line has 6 fields'), ('1 Q0 "d" 1 9 r /a[1]', 'quotation mark'),
                               ('1 Q0 d 1 9 r /article/bdy', "cannot be read from '/article/bdy' on")):
            assert sentence in message(inex.read_run, file(line), last='path')

    def test_columns_that_nothing_reads(self, file: Any, tmp_path: Path) -> None:
        texts = [('one', 'nan'), ('0.5', 'inf'), ('-3', '1_0'), ('1' * 10, 'x'), ('7', '1e2')]
        lines = [f'1 Q0 d{number} {rank} {score} r 5 10' for number, (rank, score) in enumerate(texts)]
        expected = [InexScoredDoc('1', f'd{number}', 5, 15, -1 - number, *own, 'r')
                    for number, own in enumerate([(None, None)] * 4 + [(7, 100.0)])]
        rows = inex.read_run(file('\n'.join(lines)))
        assert rows == expected and [type(row.rank) for row in rows] == [type(row[5]) for row in expected]
        assert pickle.loads(pickle.dumps(rows)) == expected
        for format, place in (('inex-fol', 3), ('genomics', 2)):
            formats.write_run(rows, tmp_path / 'x', format)
            written = [line.split()[place:place + 2] for line in (tmp_path / 'x').read_text().splitlines()]
            assert written == [['1', '-1'], ['2', '-2'], ['3', '-3'], ['4', '-4'], ['5', '100.0']]
            assert len(formats.read_run(tmp_path / 'x', format)) == 5
        assert [row.rank for row in to_documents(rows)] == [7, 8, 9, 10, 11]


class TestWriting:
    @given(st.data())
    def test_judgements_are_read_back(self, file: Any, data: Any) -> None:
        rows = []
        for query, document in data.draw(st.lists(st.tuples(ids, ids), unique=True, max_size=5)):
            cuts = data.draw(st.lists(st.integers(0, 40), unique=True, max_size=8).map(sorted))
            size = data.draw(st.integers(cuts[-1] if cuts else 0, 50))
            bep = data.draw(st.integers(0, size))
            passages = [*zip(cuts[::2], cuts[1::2])]
            rows += [InexQrel(query, document, *passage, 1, 'Q0', size, bep) for passage in passages] or [
                InexQrel(query, document, 0, size, 0, '0', size)]
        shuffled = data.draw(st.permutations(rows))
        path = file('')
        assert formats.write_qrels(shuffled, path, 'inex-fol') == []
        found = inex.read_qrels(path)
        order = list(dict.fromkeys(row[:2] for row in shuffled))
        assert found == sorted(rows, key=lambda row: (order.index(row[:2]), row.start))
        assert formats.write_qrels(found, path, 'inex-fol') == [] and inex.read_qrels(path) == found

    @given(rows=st.lists(st.builds(InexScoredDoc, ids, ids, positions, positions, st.integers(-4, 4), positions,
                                   st.floats(allow_nan=False, allow_infinity=False), st.just('mine'), st.booleans())))
    def test_runs_are_read_back(self, file: Any, rows: list[InexScoredDoc]) -> None:
        rows = [row._replace(start=0, end=0) if row.no_passage else row._replace(end=row.start + row.end)
                for row in rows]
        path = file('')
        assert formats.write_run(rows, path, 'inex-fol') == []
        found = list(inex.read_run(path))
        order = list(dict.fromkeys(row.query_id for row in rows))
        ranking = sorted(rows, key=lambda row: (order.index(row.query_id), -row.score))
        assert [row[:4] + row[6:] for row in found] == [row[:4] + row[6:] for row in ranking]
        assert [row.score for row in found] == list(range(-1, -len(rows) - 1, -1))
        assert formats.write_run(found, path, 'inex-fol') == [] and inex.read_run(path) == found

    def test_lines(self, file: Any) -> None:
        path = file('')
        rows = [TrecScoredDoc('q', 'd#xpath=/a[1]&char=5,9', 0.25), TrecScoredDoc('q', 'e#char=7', 2.0)]
        assert formats.write_run(rows, path, 'inex-fol') == ["the elements' paths"]
        assert path.read_text() == 'q Q0 e 1 2.0 ir_segmeasures 7 0\nq Q0 d 2 0.25 ir_segmeasures 5 4\n'
        run = inex.read_run(file('1 Q0 d 1 9 r X X\n1 Q0 d 2 8 r 5 10\n'))
        assert formats.write_run(run, path, 'trec', 'char') == [
            'run_score', 'no_passage']
        assert path.read_text() == '1 Q0 d#char=0,0 1 -1 r\n1 Q0 d#char=5,15 2 -2 r\n'
        rows = inex.read_qrels(file('1 Q0 d 8 20 4 15:5 2:3\n'))
        assert formats.write_qrels(rows, path, 'genomics') == ['doc_size', 'bep']
        assert path.read_text() == '1\td\t2\t3\t\n1\td\t15\t5\t\n'

    JUDGED = InexQrel('q', 'd', 1, 4, doc_size=9, bep=1)
    WHOLE = InexQrel('q', 'd', 0, 9, 0, doc_size=9)
    ITEM = InexScoredDoc('q', 'd', 0, 0, -1, 1, 2.0, 'r', True)

    @pytest.mark.parametrize('rows, sentence', [
        ([JUDGED._replace(relevance=2)], 'relevance 2, doc_size 9 and bep 1 cannot be those'),
        ([GenomicsQrel('q', 'd', 1, 2)], 'doc_size None and bep None cannot be those'),
        ([TrecQrel('q', 'd#char=1,2', 1)], "query 'q', 'd#char=1,2': relevance 1, doc_size None and bep None"),
        ([TrecQrel('q', 'd', 1)], 'this is a whole document, but inex-fol holds segments'),
        ([JUDGED._replace(bep=None)], 'doc_size 9 and bep None cannot be those'),
        ([JUDGED._replace(end=10)], 'a passage ends at 10 and bep is 1, but docsize is 9'),
        ([JUDGED._replace(bep=10)], 'a passage ends at 4 and bep is 10, but docsize is 9'),
        ([JUDGED._replace(end=1)], 'a relevant judgement needs content'),
        ([JUDGED._replace(start=.5)], 'start 0.5 cannot be written, since inex-fol has whole'),
        ([WHOLE._replace(end=8)], 'relevance 0, doc_size 9 and bep None cannot be those'),
        *((rows, 'rows of this document before have') for rows in ([WHOLE] * 2, [WHOLE, JUDGED], [
            JUDGED, JUDGED._replace(start=4, end=5, doc_size=8)])),
        ([JUDGED, JUDGED._replace(start=6, end=8), JUDGED._replace(end=7)], 'overlap: join the two'),
        ([JUDGED] * 2, 'the passages from 1 and up to 4 overlap')])
    def test_judgements_that_the_file_cannot_hold(self, file: Any, rows: list[Any], sentence: str) -> None:
        assert sentence in refusal(rows, file(''))

    @pytest.mark.parametrize('row, unit, sentence', [
        (ITEM._replace(end=5), None, "'no_passage' is set beside a passage"),
        (ITEM, 't', "the unit is 't', but segments of inex-fol are in 'char'"),
        (ITEM._replace(run_score=float('inf')), None, 'score inf is not a finite number'),
        (TrecScoredDoc('q', 'd', 1.0), None, 'this is a whole document, but inex-fol holds segments')])
    def test_items_that_the_file_cannot_hold(self, file: Any, row: Any, unit: Any, sentence: str) -> None:
        assert sentence in refusal([row], file(''), 'run', unit)


class TestCommands:
    def test_evaluate_and_convert(self, run: Any, shared_data: Path, tmp_path: Path) -> None:
        micro = shared_data / 'inex-2010' / 'micro'
        options = ('--qrels-format', 'inex-fol', '--run-format', 'inex-fol')
        found = run('evaluate', micro / 'q.txt', micro / 'perfect.run', 'AgP', '-q', *options)
        assert found.out.split('\n')[0].split('\t') == ['T1', 'AgP', '1.0000']
        found = run('convert', micro / 'xoff.run', tmp_path / 'x', '--from', 'inex-fol', '--to', 'inex-fol')
        assert found == (0, '', '')
        assert (tmp_path / 'x').read_text() == 'T1 Q0 A 1 9.0 r X X\nT1 Q0 B 2 8.0 r 0 50\n'
        found = run('convert', micro / 'q.txt', tmp_path / 'y', '--from', 'inex-fol', '--to', 'trec', '--kind', 'qrels')
        assert (found.code, found.err) == (
            0, f'ir_segmeasures: left out of {tmp_path}/y: doc_size, bep\n')


class TestRealFiles:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'inex-2010'

    def test_judgements_are_written_as_they_were(self, folder: Path, tmp_path: Path) -> None:
        path = folder / 'inex2010.qrels.gz'
        qrels = inex.read_qrels(path)
        assert len({row[:2] for row in qrels}) == 39031
        formats.write_qrels(qrels, tmp_path / 'x', 'inex-fol')
        lines = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
        ordered = [line[:6] + sorted(line[6:], key=lambda passage: int(passage.split(':')[0])) for line in lines]
        assert (tmp_path / 'x').read_text().splitlines() == [' '.join(line) for line in ordered]

    @pytest.mark.parametrize('name', ['mixed', 'overlap', 'bep'])
    def test_runs(self, folder: Path, tmp_path: Path, name: str) -> None:
        path = folder / f'run-{name}.txt.gz'
        rows = inex.read_run(path)
        fields = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
        assert [(row.query_id, row.doc_id, row.start, row.end, row.no_passage) for row in rows] == [
            (line[0], line[2], 0, 0, True) if line[6] in ('X', '-1') else
            (line[0], line[2], int(line[6]), int(line[6]) + int(line[7]), False) for line in fields]
        formats.write_run(rows, tmp_path / 'x', 'inex-fol')
        assert inex.read_run(tmp_path / 'x') == rows  # their ranks are 1, 2, 3 … and topics stand together

    def test_the_tiny_runs_are_read_or_refused_as_the_tool_does(self, folder: Path) -> None:
        lines = (folder / 'micro' / 'expected.txt').read_text().splitlines()
        assert Counter(line.split()[0] for line in lines if 'negative passage size' in line) == {'neg': 5}
        for path in sorted((folder / 'micro').glob('*.run')):
            if path.stem == 'neg':
                assert f"neg.run, line 1: length '-5' {WHOLE}" in message(inex.read_run, path)
            else:
                assert len(inex.read_run(path)) == len(path.read_text().splitlines())
        in_order, unsorted = (inex.read_qrels(folder / 'micro' / name) for name in ('q.txt', 'q_unsorted.txt'))
        assert in_order[:3] == unsorted


def test_judged_passages_without_content(tmp_path: Path) -> None:
    (tmp_path / 'qrels').write_text('1 Q0 a 10 40000 5 29583:0 5:10\n1 Q0 b 0 9\n1 Q0 c 3 9 1 2:0 1:3\n')
    with pytest.warns(UserWarning, match=r"qrels: 2 passages have no content.* \(such as '29583:0'\)"):
        rows = formats.read_qrels(tmp_path / 'qrels', 'inex-fol')
    assert [row[1:5] for row in rows] == [('a', 5, 15, 1), ('b', 0, 9, 0), ('c', 1, 4, 1)]


