"""The files of the TREC Genomics Track: what the readers give for good files, and what they say about bad ones."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import message

from ir_segmeasures import formats
from ir_segmeasures.formats import GenomicsQrel, SegmentScoredDoc, genomics

FILE_NAME = 'file.txt'
FILE_ENCODING = 'latin-1'



class TestGoldStandard:
    def test_passages(self, write: Callable[..., Path]) -> None:
        path = write('200\t14747618\t64716\t19412\tICAM-1|CD 14\n\n200\t1\t0\t1\t\n201\t2 \t 5\t6\n')
        assert genomics.read_qrels(path) == [
            GenomicsQrel('200', '14747618', 64716, 84128, 1, '0', 'ICAM-1|CD 14'),
            GenomicsQrel('200', '1', 0, 1),
            GenomicsQrel('201', '2', 5, 11),
        ]

    def test_latin_1(self, write: Callable[..., Path]) -> None:
        assert genomics.read_qrels(write('200\t1\t0\t1\tNF-κB'.encode('iso-8859-7')))[0].aspects == 'NF-êB'
        assert genomics.read_qrels(write('200\t1\t0\t1\tµ'))[0].aspects == 'µ'
        assert genomics.read_qrels(write(gzip.compress('200\t1\t0\t1\tµ'.encode('latin-1')), 'a.gz'))[0].aspects == 'µ'

    def test_a_byte_order_mark_says_that_it_is_utf_8(self, write: Callable[..., Path]) -> None:
        path = write('200\t1\t0\t1\tNF-κB\r\n'.encode('utf-8-sig'))
        assert genomics.read_qrels(path) == [GenomicsQrel('200', '1', 0, 1, aspects='NF-κB')]

    @pytest.mark.parametrize('line, keyword', [
        ('200 1 0 1 a', 'the line has 1 field'), ('200\t1\t-1\t1\ta', "offset '-1' is not a whole"),
        ('200\t1\t1.0\t1\ta', "offset '1.0' is not"), ('200\t1\t0\t-1\ta', "length '-1' is not"),
        (f'200\t1\t0\t{"9" * 5000}\ta', "length '999"), ('200\t1\t7\t0\ta', 'a relevant judgement needs content'),
        ('200\t1 2\t7\t1\ta', "pmid '1 2' is empty or holds"), ('\t1\t7\t1\ta', "topic '' is empty")])
    def test_errors(self, write: Callable[..., Path], line: str, keyword: str) -> None:
        said = message(genomics.read_qrels, write(f'200\t1\t0\t1\tµ\n\n{line}\n'))
        assert said.startswith(f'file.txt, line 3: {keyword}')


class TestRuns:
    def test_fields(self, write: Callable[..., Path]) -> None:
        assert genomics.read_run(write('200 1 5 48.63 28426 295 york\n200\t2\t6\t-1e3\t0\t0\tyork\n')) == [
            SegmentScoredDoc('200', '1', 28426, 28721, -1, 5, 48.63, None, 'york'),
            SegmentScoredDoc('200', '2', 0, 0, -2, 6, -1000.0, None, 'york'),
        ]

    def test_the_official_order_is_rank_document_as_text_offset_length(self, write: Callable[..., Path]) -> None:
        lines = ['7 10 3 9', '7 9 2 9', '7 9 3 9', '7 9 2 1', '5 99 0 4', '7 a 0 4', '8 1 0 4']
        path = write(
            ''.join('200 {1} {0} 1 {2} {3} x\n'.format(*line.split()) for line in lines[::-1]) + '9 1 1 1 1 1 x\n'
        )
        rows = genomics.read_run(path)
        assert [(row.query_id, row.rank, row.doc_id, row.start, row.end - row.start, row.score) for row in rows] == [
            ('200', 5, '99', 0, 4, -1),
            ('200', 7, '10', 3, 9, -2),
            ('200', 7, '9', 2, 1, -3),
            ('200', 7, '9', 2, 9, -4),
            ('200', 7, '9', 3, 9, -5),
            ('200', 7, 'a', 0, 4, -6),
            ('200', 8, '1', 0, 4, -7),
            ('9', 1, '1', 1, 1, -1),
        ]

    @pytest.mark.parametrize('line, keyword', [
        ('200 1 1 1 1 1', 'the line has 6 fields'), ('200 1 first 1 1 1 x', "rank 'first' is not"),
        ('200 1 1 1 -1 1 x', "offset '-1' is not"), ('200 1 1 1 1 1.5 x', "length '1.5' is not"),
        ('200 1 1 nan 1 1 x', "score 'nan' is not a finite number")])
    def test_errors(self, write: Callable[..., Path], line: str, keyword: str) -> None:
        said = message(genomics.read_run, write(f'200 1 1 1 1 1 x\n{line}\n'))
        assert said.startswith(f'file.txt, line 2: {keyword}')


class TestRealFiles:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'trec-genomics-2007'

    def test_gold_standard(self, folder: Path) -> None:
        qrels = formats.read_qrels(folder / 'gold-standard-07.txt.gz', 'genomics')
        assert len(qrels) == 4492
        assert len({qrel.query_id for qrel in qrels}) == 36
        assert qrels[0] == GenomicsQrel(
            '200', '14747618', 64716, 84128, aspects='ICAM-1|TNF-ALPHA|CD14|E-SELECTIN'
        )
        assert all(qrel.start < qrel.end and qrel.aspects for qrel in qrels)
        assert sum(not qrel.aspects.isascii() for qrel in qrels) > 0

    @pytest.mark.parametrize('name', ['run-ga-01.txt.gz', 'run-ga-03.txt.gz'])
    def test_runs(self, folder: Path, name: str) -> None:
        run = formats.read_run(folder / name, 'genomics')
        assert len(run) == 36000
        assert len({row.query_id for row in run}) == 36
        assert all(row.score == -row.rank and row.start < row.end and row.run == 'yorkuga1' for row in run)
