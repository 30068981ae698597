"""A format is one module with one object, and one line in the table: everything else follows from these."""

import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import checks, formats
from ir_segmeasures.commands import main
from ir_segmeasures.formats import ColumnFile, Format, FormatError, SegmentQrel, SegmentScoredDoc, walk_rows
from ir_segmeasures.formats.files import blocks, parts
from ir_segmeasures.formats.files.fields import interned, parse_score
from ir_segmeasures.formats.files.writing import segment_of
from ir_segmeasures.segments.tables.rows import Rows

words = st.text(st.sampled_from('ab#é語'), min_size=1, max_size=10)


def judged(query: Any, video: Any, start: Any, end: Any) -> SegmentQrel:
    return SegmentQrel(interned(query), interned(video), parse_score(start), parse_score(end), 1)


def retrieved(query: Any, video: Any, start: Any, end: Any, score: Any) -> SegmentScoredDoc:
    found = parse_score(score)
    return SegmentScoredDoc(interned(query), interned(video), parse_score(start), parse_score(end), found, 1, found,
                            None, None)


def judged_line(row: Any, unit: str | None) -> str:
    video, start, end = segment_of(row, unit, 't', 'mine')[:3]
    return f'{row.query_id} {video} {start} {end}'


def retrieved_line(row: Any, unit: str | None, rank: int) -> str:
    return f'{judged_line(row, unit)} {row.score}'


RUN = ColumnFile('mine', 'query video start end score', (5,), retrieved, retrieved_line, ranked=True)
MINE = Format(
    'mine', 'a format of a test', 't', ColumnFile('mine', 'query video start end', (4,), judged, judged_line).files(),
    RUN.files(unread=('colours',)), lists=('videos', 'queries'))


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType('a_format_of_mine')
    module.MINE = MINE  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(formats.MODULES, 'mine', 'a_format_of_mine:MINE')


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, found = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q v 10 20\n')
    found.write_text('q v 10 20 2\nq w 0 5 1\n')
    return qrels, found


def test_is_read_and_written(files: tuple[Path, Path], tmp_path: Path) -> None:
    assert 'mine' in formats.FORMATS and '  mine                 a format of a test' in formats.described()
    rows = formats.read_qrels(files[0], 'mine')
    assert rows == [SegmentQrel('q', 'v', 10, 20, 1)]
    assert formats.write_qrels(rows, tmp_path / 'again', 'mine') == []
    assert formats.read_qrels(tmp_path / 'again', 'mine') == rows
    with pytest.raises(FormatError, match='the line has 5 fields, but a line of mine has 4'):
        formats.read_qrels(files[1], 'mine')


@given(st.lists(st.tuples(words, words, *[st.integers(0, 99) | st.floats(0, 99)] * 2, st.floats(allow_nan=False,
       allow_infinity=False)), min_size=1), st.sampled_from([' ', '\t', '  ']), st.sampled_from(['\n', '\r\n', '\n\n']),
       st.integers(1, 50))
def test_columns_are_what_lines_are(tmp_path_factory: Any, rows: list[Any], blank: str, end: str, block: int) -> None:
    """Read by columns, in blocks of any size, and line by line, in parts too."""
    path = tmp_path_factory.mktemp('mine') / 'run'
    path.write_bytes(end.join(blank.join(map(str, row)) for row in rows).encode())
    expected = [retrieved(*map(str, row)) for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, 'BLOCK', block)
        patch.setattr(parts, 'BLOCK', block)
        found = formats.read_run(path, 'mine')
        assert found == expected and isinstance(found, Rows)
        assert [type(value) for value in found[0]] == list(map(type, expected[0]))
        assert list(walk_rows(path, MINE, 'run')) == expected
        with suppress(ValueError):
            assert [row for part in parts.rows_by_query(path, RUN.parse_fields) for row in part] == expected


def test_is_checked(files: tuple[Path, Path]) -> None:
    assert checks.check(files[1], 'mine', qrels=files[0]) == []
    with files[1].open('a') as file:
        file.write('q v 10 20 1\n')
    (finding,) = checks.check(files[1], 'mine')
    assert finding.line == 3 and 'is already retrieved' in finding.sentence
    with pytest.raises(ValueError, match='anchors does not go with format mine, but with trec, sh-linking'):
        checks.check(files[1], 'mine', anchors='a')


def test_is_evaluated(files: tuple[Path, Path], capsys: Any) -> None:
    given = ['evaluate', *map(str, files), 'T2I_AP', '--qrels-format', 'mine', '--run-format', 'mine']
    main(given)
    assert capsys.readouterr().out == 'T2I_AP\t1.0000\n'
    files[1].write_text('q v 10 20 2\n\nq w 5 0 1\n')
    with pytest.raises(SystemExit) as stop:
        main(given)
    assert f'{files[1]}, line 3: ' in str(stop.value)


def test_is_converted(files: tuple[Path, Path], tmp_path: Path, capsys: Any) -> None:
    main(['convert', str(files[1]), str(tmp_path / 'trec'), '--from', 'mine', '--to', 'trec'])
    assert (tmp_path / 'trec').read_text().splitlines()[0] == 'q Q0 v#t=10,20 1 2.0 ir_segmeasures'
    assert capsys.readouterr().err == f'ir_segmeasures: left out of {tmp_path / "trec"}: colours\n'


def test_is_the_format_of_a_dataset(files: tuple[Path, Path]) -> None:
    reading = pytest.importorskip('ir_segmeasures.datasets.reading', reason='needs ir_datasets')
    assert [row[:3] for row in reading.SegmentQrels('mine')(files[0])] == [('q', 'v#t=10,20', 1)]


def test_the_table_has_the_names_of_its_objects() -> None:
    assert all(name == format.name for name, format in formats.FORMATS.items())
