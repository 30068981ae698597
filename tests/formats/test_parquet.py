"""Parquet as any other format: read, written, refused with the file and the row; by its ending, or as a folder."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import SegmentTable, break_ties, checks, formats
from ir_segmeasures.formats import FormatError, SegmentQrel, SegmentScoredDoc, WriteError

pa = pytest.importorskip('pyarrow', reason="pyarrow is not installed: pip install '.[scale]'")
parquet = pytest.importorskip('pyarrow.parquet')
format = pytest.importorskip('ir_segmeasures.formats.parquet')

QRELS = pd.DataFrame([('q1', 'v', 10., 20., 1), ('q1', 'w', 0., 5., 0), ('q2', 'v', 5., 9.5, 2)],
                     columns=['query_id', 'doc_id', 'start', 'end', 'relevance'])
RUN = pd.DataFrame([('q1', 'v', 12., 25., 2.5), ('q1', 'w', 0., 5., 2.5), ('q2', 'v', 0., 6., -1.),
                    ('q2', 'w', 1., 2., 3.)],
                   columns=['query_id', 'doc_id', 'start', 'end', 'score'])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / 'qrels.parquet', tmp_path / 'run.parquet'
    QRELS.to_parquet(qrels)
    RUN.to_parquet(run)
    return qrels, run


@pytest.fixture
def ids(tmp_path: Path) -> tuple[Path, Path]:
    """The same as files of TREC."""
    for name, frame, line in (('qrels', QRELS, '{0} 0 {1}#t={2:g},{3:g} {4}'),
                              ('run', RUN, '{0} Q0 {1}#t={2:g},{3:g} 1 {4} x')):
        (tmp_path / f'{name}.txt').write_text(''.join(
            line.format(*row) + '\n' for row in frame.itertuples(index=False)))
    return tmp_path / 'qrels.txt', tmp_path / 'run.txt'


@pytest.fixture
def said(run: Any) -> Callable[..., str]:
    """The output of a command, or its error."""
    def said(*words: Any) -> str:
        result = run(*words)
        return str(result.out or result.err)
    return said


def folder_of(path: Path, frame: pd.DataFrame) -> Path:
    path.mkdir()
    for number, (_, rows) in enumerate(frame.groupby('query_id')):
        rows.to_parquet(path / f'{number}.parquet')
    (path / '_SUCCESS').touch()  # what other programs leave there
    return path


class TestReading:
    def test_rows(self, files: tuple[Path, Path]) -> None:
        qrels, run = formats.read_qrels(files[0], 'parquet'), formats.read_run(files[1], 'parquet')
        assert list(qrels) == [SegmentQrel(*row) for row in QRELS.itertuples(index=False)]
        assert list(map(tuple, run)) == list(RUN.itertuples(index=False, name=None))
        assert run[0]._fields == ('query_id', 'doc_id', 'start', 'end', 'score')
        assert {type(row.relevance) for row in qrels} == {int}
        assert formats.read_run(files[1]) == run

    @pytest.mark.parametrize('change', [
        lambda frame: frame.astype({'query_id': 'category', 'doc_id': 'category'}),
        lambda frame: frame.astype({'start': 'float32', 'end': 'float32'}),
        lambda frame: frame.astype({'start': 'Int64'}),
        lambda frame: frame.assign(length=frame['end'] - frame['start']).drop(columns='end'),
        lambda frame: frame.assign(text='x', rank=1).sample(frac=1, axis=1, random_state=1),
    ])
    def test_types_and_order_of_columns(self, change: Any, files: tuple[Path, Path]) -> None:
        expected = formats.read_run(files[1])
        change(RUN).to_parquet(files[1])
        assert list(formats.read_run(files[1])) == list(expected)

    def test_ids_that_tell(self, tmp_path: Path) -> None:
        frame = pd.DataFrame({'query_id': [1, 1], 'doc_id': ['v#t=1,2', 'w#char=1,2'], 'score': [1, 2], 'start': None,
                              'end': np.nan})
        for columns in (frame, frame[['query_id', 'doc_id', 'score']]):
            columns.to_parquet(tmp_path / 'run.parquet')
            assert list(formats.read_run(tmp_path / 'run.parquet')) == [
                ScoredDoc('1', 'v#t=1,2', 1.), ScoredDoc('1', 'w#char=1,2', 2.)]
        frame.assign(relevance=[1, 0.5]).to_parquet(tmp_path / 'qrels.parquet')
        assert list(formats.read_qrels(tmp_path / 'qrels.parquet')) == [
            Qrel('1', 'v#t=1,2', 1), Qrel('1', 'w#char=1,2', 0.5)]

    def test_what_measures_need_beside(self, tmp_path: Path) -> None:
        QRELS.assign(bep=[1., None, 3.], stratum=1, colour='red').to_parquet(tmp_path / 'qrels.parquet')
        rows = formats.read_qrels(tmp_path / 'qrels.parquet')
        assert rows[0]._fields == (*SegmentQrel._fields, 'bep', 'stratum')
        assert [row.bep for row in rows] == [1, None, 3]  # type: ignore[union-attr]
        assert SegmentTable.from_qrels(rows).beside('stratum').tolist() == [1, 1, 1]
        formats.write_qrels(rows, tmp_path / 'again.parquet')
        assert list(formats.read_qrels(tmp_path / 'again.parquet')) == list(rows)

    def test_a_folder(self, tmp_path: Path, files: tuple[Path, Path]) -> None:
        assert formats.read_run(folder_of(tmp_path / 'run', RUN)) == formats.read_run(files[1])
        assert formats.read_qrels(folder_of(tmp_path / 'qrels', QRELS)) == formats.read_qrels(files[0])


class TestErrors:
    """They name the file, the row and the value."""

    @pytest.mark.parametrize('change, sentence', [
        (lambda frame: frame.drop(columns='score'), "the run lacks 'score' (it has query_id, doc_id, start, end): "),
        (lambda frame: frame.drop(columns='end'), "the document has 'start' beside it, but a segment takes"),
        (lambda frame: frame.assign(score=[1, 2, None, 4]), "row 3: query 'q2', document 'v': the score is missing"),
        (lambda frame: frame.assign(score=[1, np.inf, 3, 4]), "row 2: query 'q1', document 'w': the score is"),
        (lambda frame: frame.assign(score=['1', 'x', '3', '4']), "row 2: the score 'x' is not a number: give "),
        (lambda frame: frame.assign(start=['1', 'x', '3', '4']), "row 2: the start 'x' is not a number: give "),
        (lambda frame: frame.assign(query_id=['q', None, 'q', 'q']), 'row 2: the query_id None is not a string: give '),
        (lambda frame: frame.assign(doc_id=[1.5, 2., 3., 4.]), 'row 1: the doc_id 1.5 is not a string: give every'),
        (lambda frame: frame.assign(doc_id=[{'a': 1}] * 4), "row 1: the doc_id {'a': 1} is not a string: give every"),
        (lambda frame: frame.assign(no_passage=['no', 1, 0, 0]).astype({'no_passage': str}),
         "row 1: the no_passage 'no' is not a number: give "),
    ])
    def test_of_the_reader(self, change: Any, sentence: str, files: tuple[Path, Path]) -> None:
        change(RUN).to_parquet(files[1])
        with pytest.raises(FormatError) as caught:
            formats.read_run(files[1])
        assert str(caught.value).startswith(f'{files[1]}: {sentence}')
        (finding,) = checks.check(files[1], 'parquet')
        assert (finding.path, finding.sentence.startswith(sentence)) == (str(files[1]), True)

    def test_no_parquet(self, tmp_path: Path, files: tuple[Path, Path], said: Callable[..., str]) -> None:
        content = files[1].read_bytes()
        for bytes, sentence in ((b'', 'this is not a Parquet file, which begins with PAR1: name its own format'),
                                (b'q Q0 d 1 1 x\n', 'this is not a Parquet file'),
                                (content[:40], 'this is not a complete'),
                                (content[:-40] + content[-30:], 'this is not a complete Parquet file (')):
            files[1].write_bytes(bytes)
            with pytest.raises(FormatError) as caught:
                formats.read_run(files[1], 'parquet')
            assert caught.value.sentence.startswith(sentence)
        (tmp_path / 'run').write_bytes(content)
        assert 'it looks like parquet: add --' in said('evaluate', files[0], tmp_path / 'run', 'T2I_AP')
        with pytest.raises(FileNotFoundError):
            formats.read_run(tmp_path / 'no.parquet')

    def test_texts_and_codes_of_a_damaged_file(self, tmp_path: Path) -> None:
        """Arrow reads what is not a UTF-8, and codes that its dictionary lacks."""
        path = tmp_path / 'run.parquet'
        ids = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], np.int32).tobytes()),
                                                     pa.py_buffer(b'\xffd')])
        columns = {'query_id': ['q', 'r'], 'doc_id': ['a', 'b'], 'score': [2., 1.]}
        for name in ('doc_id', 'query_id'):
            parquet.write_table(pa.table({**columns, name: ids}), path)
            with pytest.raises(FormatError, match=r'not a complete Parquet file \(.*Invalid UTF8 .*\): write it'):
                formats.read_run(path)
        parquet.write_table(pa.table(columns), path)
        whole, numbers = path.read_bytes(), np.random.default_rng(3)
        for place, byte in zip(numbers.integers(4, len(whole), 300), numbers.integers(0, 256, 300)):
            path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1:])
            with suppress(FormatError):  # of no other kind
                SegmentTable.from_run(list(formats.read_run(path)))

    def test_a_column_twice(self, tmp_path: Path) -> None:
        path = tmp_path / 'run.parquet'
        parquet.write_table(pa.Table.from_arrays([pa.array(['q']), pa.array(['q']), pa.array(['d']), pa.array([1.])],
                                                 names=['query_id', 'query_id', 'doc_id', 'score']), path)
        with pytest.raises(FormatError, match="the run has several columns 'query_id': give each"):
            formats.read_run(path)

    def test_of_a_folder(self, tmp_path: Path, files: tuple[Path, Path]) -> None:
        folder = folder_of(tmp_path / 'run', RUN)
        RUN[:1].drop(columns=['start', 'end']).to_parquet(folder / '2.parquet')
        with pytest.raises(FormatError, match=r'2\.parquet: here are the columns query_id, doc_id, score, but'):
            formats.read_run(folder)
        RUN[:1].assign(query_id='q3', score='5 of 7').to_parquet(folder / '2.parquet')
        with pytest.raises(FormatError, match=r"2\.parquet: row 1: the score '5 of 7' is not a number"):
            formats.read_run(folder)
        (tmp_path / 'none').mkdir()
        with pytest.raises(FormatError, match=r'the folder has no file whose name ends in \.parquet'):
            formats.read_run(tmp_path / 'none', 'parquet')

    def test_without_pyarrow(self, files: tuple[Path, Path], ids: tuple[Path, Path], said: Callable[..., str],
                             monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, 'pyarrow', None)
        for found in (said('evaluate', *files, 'T2I_AP'),
                      said('convert', *ids, '--force', '--from', 'trec', '--to', 'parquet', '--kind', 'qrels')):
            assert 'with pyarrow, which cannot be imported' in found and 'python -m pip install ' in found


class TestWriting:
    @given(rows=st.lists(st.tuples(st.sampled_from(('q1', 'ü')), st.sampled_from('vw'), st.integers(0, 10 ** 9),
                                   st.floats(0, 1e5), st.floats(allow_nan=False, allow_infinity=False))))
    def test_round_trips(self, rows: list[tuple[Any, ...]], tmp_path_factory: pytest.TempPathFactory) -> None:
        path = tmp_path_factory.getbasetemp() / 'round.parquet'
        run = [SegmentScoredDoc(query, document, start, start + length, score, 1, score, None, None)
               for query, document, start, length, score in rows]
        assert formats.write_run(run, path) == []
        fields = ('query_id', 'doc_id', *(('start', 'end') if run else ()), 'score')
        assert [tuple(row) for row in formats.read_run(path)] == [
            tuple(getattr(row, name) for name in fields) for row in run]

    @pytest.mark.parametrize('row, sentence', [
        (SegmentQrel('q', 'd', 5, 4, 1), 'a segment starts at 0 or later and ends at or after its start: correct'),
        (SegmentQrel('q', 'd', 5, 6, float('nan')), 'relevance nan is not a finite number: correct it'),
        (SegmentQrel('q', 'd', 5, 6, 'x'), "relevance 'x' is not a finite number: correct"),  # type: ignore[arg-type]
        (SegmentQrel('\ud800', 'd', 5, 6, 1), "query '\\ud800' holds '\\ud800', but the file is in UTF-8, which does "),
    ])
    def test_what_it_cannot_hold(self, row: SegmentQrel, sentence: str, tmp_path: Path) -> None:
        with pytest.raises(WriteError) as caught:
            formats.write_qrels([SegmentQrel('q', 'd', 5, 6, 1), row], tmp_path / 'x.parquet')
        assert sentence in str(caught.value) and str(caught.value).startswith('row 2: query ')
        assert not list(tmp_path.iterdir())



class TestCommands:
    """A Parquet file stands wherever a file of TREC does."""

    MEASURES = ('T2I_AP', 'MAiSP', 'AP')

    def test_evaluate(self, tmp_path: Path, files: tuple[Path, Path], ids: tuple[Path, Path],
                      said: Callable[..., str]) -> None:
        expected = said('evaluate', *ids, *self.MEASURES, '-q')
        assert expected.count('\n') == 9
        folders = folder_of(tmp_path / 'qrels', QRELS), folder_of(tmp_path / 'run', RUN)
        for qrels in (files[0], ids[0], folders[0]):
            for run in (files[1], ids[1], folders[1]):
                assert said('evaluate', qrels, run, *self.MEASURES, '-q') == expected
        bare = tmp_path / 'bare'
        bare.write_bytes(files[1].read_bytes())
        assert said('evaluate', files[0], bare, *self.MEASURES, '-q', '--run-format', 'parquet') == expected

    def test_check(self, files: tuple[Path, Path], ids: tuple[Path, Path], said: Callable[..., str]) -> None:
        for format in ('parquet', 'trec'):
            for qrels in (files[0], ids[0]):
                found = said('check', files[1], '--format', format, '--qrels', qrels, '-m', 'SegR')
                assert found == 'no violations\n'
        pd.concat([RUN, RUN[:1]]).to_parquet(files[1])
        assert f"{files[1]}: 12-25 of 'v' ('q1') is already retrieved for 'q1'" in said(
            'check', files[1], '--format', 'parquet')
        assert said('check', files[0], '--format', 'parquet', '--kind', 'qrels') == 'no violations\n'

    def test_convert(self, tmp_path: Path, files: tuple[Path, Path], ids: tuple[Path, Path],
                     said: Callable[..., str]) -> None:
        for path, name, kind in zip(files, ids, ('qrels', 'run')):
            said('convert', path, tmp_path / kind, '--from', 'parquet', '--to', 'trec', '--kind', kind)
            read = getattr(formats, f'read_{kind}')
            rows = read(name)
            assert list(read(tmp_path / kind)) == list(break_ties(rows, 'order') if kind == 'run' else rows)
            said('convert', path, tmp_path / f'{kind}.parquet', '--from', 'parquet', '--to', 'parquet', '--kind', kind)
            assert list(read(tmp_path / f'{kind}.parquet')) == list(read(path))
