"""Files of BEIR, MTEB, ranx and MS MARCO: rows, errors, and what is written is read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import checks, formats, sample
from ir_segmeasures.formats import FormatError

RUN = {'q1': {'talk#t=60,90': 2.5, 'talk#t=0,9': 1}, 'q2': {}}
ROWS = [ScoredDoc('q1', 'talk#t=60,90', 2.5), ScoredDoc('q1', 'talk#t=0,9', 1.0)]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(content: Any, name: str = 'file') -> Path:
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return tmp_path / name
    return write


class TestReading:
    def test_runs_in_json(self, write: Any) -> None:
        for format in ('beir', 'ranx'):
            assert formats.read_run(write(RUN), format) == ROWS
            assert formats.read_run(write({'mteb_model_meta': {'model_name': 'm'}, 'default': {'test': RUN}}),
                                    format) == ROWS
        assert formats.read_run(write('q1 Q0 talk 1 2.5 beir\n'), 'beir') == [ScoredDoc('q1', 'talk', 2.5)]

    def test_qrels(self, write: Any) -> None:
        path = write('query-id\tcorpus-id\tscore\nq1\ttalk#t=60,90\t1\n', 'test.tsv')
        assert formats.read_qrels(path, 'beir') == formats.read_qrels(path) == [Qrel('q1', 'talk#t=60,90', 1)]
        assert formats.read_qrels(write({'q1': {'talk': 2, 'walk': 0.5}}), 'ranx') == [
            Qrel('q1', 'talk', 2), Qrel('q1', 'walk', 0.5)]

    def test_msmarco(self, write: Any) -> None:
        assert formats.read_run(write('q1\td7\t1\nq1\td3\t2\n'), 'msmarco') == [
            ScoredDoc('q1', 'd7', -1.0), ScoredDoc('q1', 'd3', -2.0)]
        assert formats.read_qrels(write('q1\t0\td7\t1\n'), 'msmarco') == [Qrel('q1', 'd7', 1)]

    def test_ids_become_segments_by_a_pattern(self, write: Any) -> None:
        rows = formats.read_run(write({'q1': {'doc7_100-460': 1}}), 'ranx', ids='{doc}_{start}-{end}')
        assert rows[0].doc_id == 'doc7#char=100,460'

    def test_a_file_without_its_format_is_recognised(self, run: Any, write: Any) -> None:
        found = run('evaluate', sample.path('qrels.txt'), write(RUN), 'MAgP')
        assert found.err.endswith('it looks like beir: add --run-format beir\n')


class TestErrors:
    def test_lists_that_are_too_deep(self, write: Any) -> None:
        path = write('[' * 100_000)
        with pytest.raises(FormatError, match='the file cannot be read as JSON: its lists are too deep') as caught:
            formats.read_run(path, 'ranx')
        assert checks.check(path, 'ranx')[0].sentence == caught.value.sentence

    def test_twice_in_one_object(self, tmp_path: Path) -> None:
        with pytest.raises(formats.WriteError, match='it is there twice for its query, but an object'):
            formats.write_run([ScoredDoc('q', 'd', 1), ScoredDoc('q', 'd', 2)], tmp_path / 'x', 'ranx')
        assert not (tmp_path / 'x').exists()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    judged = [Qrel('q1', 'talk#t=60,90', 1), Qrel('q2', 'd', 0)]
    for format in ('beir', 'ranx', 'msmarco'):
        assert formats.write_qrels(judged, tmp_path / 'qrels', format) == []
        assert formats.read_qrels(tmp_path / 'qrels', format) == judged
        assert formats.write_run(ROWS, tmp_path / 'run', format) == []
        assert [row[:2] for row in formats.read_run(tmp_path / 'run', format)] == [row[:2] for row in ROWS]
    moved = [formats.SegmentQrel('q', 'v', 1 / 3, 1, 1)]
    assert formats.write_qrels(moved, tmp_path / 'x', 'beir', 't') == ['decimals of times after the 6th']


class TestTexts:
    def test_of_a_dataset(self, write: Any, run: Any) -> None:
        pytest.importorskip('ir_datasets')
        from ir_segmeasures.datasets import DOCS_FORMATS, QUERIES_FORMATS
        path = write('{"_id": "1", "text": "bees", "title": "B", "metadata": {}}\n{"_id": "2", "text": ""}\n')
        assert [tuple(row) for row in QUERIES_FORMATS['beir'].read(path)] == [('1', 'bees'), ('2', '')]
        assert [tuple(row) for row in DOCS_FORMATS['beir'].read(path)] == [('1', 'bees', 'B'), ('2', '', '')]
