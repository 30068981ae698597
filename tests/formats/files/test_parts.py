"""Large TREC runs are read by columns, and in parts; values and errors are those of the lines, word for word."""

import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from ir_measures import ScoredDoc

from ir_segmeasures import T2I_AP, MAiSP, evaluate_runs, formats
from ir_segmeasures.commands import main
from ir_segmeasures.formats import trec
from ir_segmeasures.formats.files import blocks, columns, parts
from ir_segmeasures.segments.tables.id_columns import ArrowTexts
from ir_segmeasures.segments.tables.table import SegmentTable

Write = Callable[..., Path]
LINES = [f'q{q} Q0 v{d}#t={10 * d + q / 10:g},{10 * d + 20} {d + 1} {9 - d}.5 sys' for q in range(40) for d in range(8)]


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, '_LARGE', 1)
    for module in (blocks, parts):
        monkeypatch.setattr(module, 'BLOCK', 1000)


def plainly(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ScoredDoc] | str:
    """What is read line by line, or the error."""
    with monkeypatch.context() as patch:
        patch.setattr(columns, 'read_blocks', refuse)
        return read(path)


def refuse(*_: object) -> None:
    raise ValueError


def read(path: Path) -> list[ScoredDoc] | str:
    try:
        return list(formats.read_run(path))  # type: ignore[arg-type]
    except formats.FormatError as error:
        return str(error)


def test_rows_and_tables_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / 'run.gz'
    path.write_bytes(gzip.compress(('\n'.join(LINES) + '\n').encode()))
    rows = formats.read_run(path)
    expected = plainly(path, monkeypatch)
    assert list(rows) == expected
    assert rows[7] == expected[7]
    table, other = SegmentTable.from_run(rows), SegmentTable.from_run(expected)
    assert table.query_ids == other.query_ids
    assert table.document_ids == other.document_ids
    for name in ('query', 'document', 'start', 'end', 'unit', 'value', 'row'):
        assert getattr(table, name).tolist() == getattr(other, name).tolist()


@pytest.mark.parametrize('ids', [
    ['v#t=5'], ['v#t=1e1,20'], ['v#t=1,2,3'], ['v,1#t=2'], ['a#t=1,2#t=3,4'], ['v#T=1,2', 'v#t=1,2'], ['v', 'w'],
    ['v#t=2,1'], ['v#char=1,2'], ['v#char=1.5,2'], ['v#t=.5,1'], ['v#t=nan,2'], ['v"#t=1,2'], ['#t=1,2'], ['v#t=1,']])
def test_ids_are_read_as_one_by_one(ids: list[str]) -> None:
    pa = pytest.importorskip('pyarrow')
    ids = [*ids, 'w#t=3,4']

    def table(column: object) -> object:
        try:
            table = SegmentTable.from_run({'query_id': ['q'] * len(ids), 'doc_id': column, 'score': [1.] * len(ids)})
        except ValueError as error:
            return str(error)
        return [table.document_ids, *(getattr(table, name).tolist() for name in ('document', 'start', 'end', 'unit'))]
    assert table(ArrowTexts(pa.array(ids))) == table(ids)


@pytest.mark.parametrize('line', [
    'q1 Q0 v#t=1,2 1 2.5', 'q1 Q0 v#t=1,2 1 2.5 sys x', 'q1 Q0 v#t=1,2 1 nan sys', 'q1 Q0 v#t=1,2 1 x sys',
    'q1  Q0 v#t=1,2 1 2.5', 'q1 Q0 v#t=1,2 1 2.5 ', ' q1 Q0 v#t=1,2 1 2.5', 'q1\tQ0 v#t=1,2 1 2.5 sys', '  ', '',
    'q1 Q0 v#t=1,2 1 1_0 sys', 'q1 Q0 v#t=1,2 1 inf sys', 'q1 Q0 "v#t=1,2 1 2.5 sys', 'q1 Q0 v#t=1,2 1 2.5 \0',
    'q1 Q0 v\x1cw 1 2.5 sys', 'q1 Q0 vid\u00e9o#t=1,2 1 2.5 sys', 'q1 Q0 v\u00a0w 1 2.5 s', 'q1 Q0 NA 1 +2.5e1 sys'])
@pytest.mark.parametrize('place', [0, 200, 320])
def test_what_is_not_plain_is_read_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str,
                                                place: int) -> None:
    path = tmp_path / 'run'
    path.write_text('\n'.join([*LINES[:place], line, *LINES[place:]]) + '\n', encoding='utf-8')
    assert read(path) == plainly(path, monkeypatch)


@pytest.mark.parametrize('end', ['', '\n'])
def test_parts_hold_queries_whole(tmp_path: Path, end: str) -> None:
    path = tmp_path / 'run'
    path.write_text('\n'.join(LINES) + end)
    found = [list(part) for part in trec.read_run_by_query(path)]
    assert len(found) > 5
    assert [row for part in found for row in part] == list(formats.read_run(path))
    queries = [{row.query_id for row in part} for part in found]
    assert sum(map(len, queries)) == 40


@pytest.mark.parametrize('order', ['sorted', 'interleaved'])
def test_the_command_gives_the_same_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str], order: str) -> None:
    draw = random.Random(1)
    qrels = tmp_path / 'qrels'
    qrels.write_text(''.join(f'q{q} 0 v{draw.randrange(9)}#t={draw.randrange(90)},95 1\n' for q in range(45)))
    path = tmp_path / 'run'
    lines = LINES if order == 'sorted' else sorted(LINES, key=lambda line: line.split()[3])
    path.write_text('\n'.join(lines) + '\n')
    outputs = []
    for least in (1, 10 ** 12):
        monkeypatch.setattr(parts, '_LARGE', least)
        main(['evaluate', str(qrels), str(path), 'T2I_AP', 'MAiSP', '-q', '-p', '-1'])
        outputs.append(capsys.readouterr())
    assert outputs[0].out == outputs[1].out
    assert ('is read whole' in outputs[0].err) == (order == 'interleaved')
    monkeypatch.setattr(parts, '_LARGE', 1)
    frame = evaluate_runs([T2I_AP, MAiSP], formats.read_qrels(qrels), {'run': path})
    printed = [float(line.split('\t')[2]) for line in outputs[1].out.splitlines()[-2:]]
    assert frame['value'].tolist() == pytest.approx(printed, rel=1e-12)


def test_an_error_of_a_late_line_names_it(tmp_path: Path) -> None:
    qrels, path = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q1 0 v1#t=0,50 1\n')
    path.write_text('\n'.join([*LINES, 'q99 Q0 v1#t=9,3 1 1 sys']) + '\n')
    with pytest.raises(SystemExit, match='line 321'):
        main(['evaluate', str(qrels), str(path), 'T2I_AP'])
