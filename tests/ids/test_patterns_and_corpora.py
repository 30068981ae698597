"""Ids of other tools: offsets read by a pattern, or from the segmented corpus."""

import gzip
import json
import re
import time
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import AiSP, SegP, resolve
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
                                         '{doc}_{start}-{end}-{more}', '{}{doc}_{start}-{end}',
                                         '{doc}_{start}-{end}{}'])
    def test_other_patterns(self, pattern: str) -> None:
        with pytest.raises(ValueError, match=re.escape(f'the pattern of ids {pattern!r}')):
            resolve([], ids=pattern)

    @pytest.mark.parametrize('pattern', ['{}_{doc}_{}_{start}_{}-{end}', '{}_{}_{}_{doc}_{start}-{end}'])
    def test_long_ids(self, pattern: str) -> None:
        begin = time.perf_counter()
        found = IdPattern(pattern, 't')
        assert [found.segment(part * 120 + 'x') for part in ('a_', 'a_1_')] == [None, None]
        assert time.perf_counter() - begin < 5
        with pytest.raises(ValueError, match='at most 1,000: give a table'):
            found.segment('a_' * 5000)

    def test_rows(self) -> None:
        rows = [Row('q', 'd_5-9-0-4'), Row('q', 'd#char=1,2'), Row('q', 'd_7-9-0-4')]
        assert ids_of(resolve(rows, ids=MTRAG)) == ['d#char=5,9', 'd#char=1,2', 'd#char=7,9']
        assert resolve({'q': {'d_5-9-0-4': 1}}, ids=MTRAG, unit='word') == {'q': {'d#word=5,9': 1}}
        assert resolve({'q': {'a.py:3-9': 1}}, ids='{doc}:{start}-{end}', unit='line') == {'q': {'a.py#line=3,9': 1}}
        for unit in ('lines', '', 3):
            with pytest.raises(ValueError, match=f"unit={unit!r} is not a unit of segments: there are 't'"):
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
        with pytest.raises(ValueError, match=r'segmented_1.*it is not a whole gzip file'):
            resolve([Row('q', id_of(9))], corpus=corpus)

    def test_other_fields(self, tmp_path: Path) -> None:
        path = tmp_path / 'a.jsonl'
        path.write_text('\n'.join(json.dumps({'id': id, 'of': 'd', 'from': 3, 'to': 5}) for id in ('x', 'ü"', 'y\\')))
        resolved = resolve([Row('q', 'x'), Row('q', 'y\\')], corpus=[path], id='id', start='from', end='to', doc='of',
                           unit='word')
        assert ids_of(resolved) == ['d#word=3,5', 'd#word=3,5']

    @pytest.mark.parametrize('content, sentence', [
        ('{"docid": "x', 'line 1: Input data was truncated: give lines of JSON'),
        ('\n{"docid": "x", "start_char": 1}', 'line 2: Object missing required field `end_char`: give lines of JSON'),
        (json.dumps({'docid': 'x', 'start_char': 5, 'end_char': 1}), "line 1: segment 'x' goes from 5 to 1"),
        (json.dumps({'docid': 'x', 'start_char': -1, 'end_char': 1}), '`int` >= 0 - at `$.start_char`'),
        (json.dumps({'docid': 'x', 'start_char': 0, 'end_char': 1}), "the id 'x' has no '#' behind its document"),
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


class TestErrorsThatMeetSuchIds:
    MARCO = 'msmarco_v2.1_doc_00_125364462#6_229054655'

    @pytest.mark.parametrize('judged, found, sentence', [
        (MARCO, MARCO, 'a segment of MS MARCO, read its offsets from the segmented corpus with resolve(qrels, corpus='),
        ('d#char=1,2', 'd_5-9-0-4', f'as in MTRAG, read them with resolve(run, ids={MTRAG!r}'),
        ('d', 'd', 'write the end into the id or resolve() the qrels with a table of the documents'),
    ])
    def test_they_say_what_to_do(self, judged: str, found: str, sentence: str) -> None:
        measure = AiSP if judged == 'd' else SegP  # which counts whole documents
        with pytest.raises(RowError, match=re.escape(sentence)):
            ir_measures.calc_aggregate([measure], [Judgement('q', judged)], [Row('q', found)])


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
