"""A format is one module with one object, and one line in the table: everything else follows from these."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ir_segmeasures import checks, formats
from ir_segmeasures.commands import main
from ir_segmeasures.formats import Files, Format, FormatError, Lines, SegmentQrel, SegmentScoredDoc, one_row
from ir_segmeasures.formats.files.reading import StrPath, read_rows, wrong_fields
from ir_segmeasures.formats.files.writing import judged_lines, left_out, segment_of, write_text


def judged(fields: list[str]) -> SegmentQrel:
    if len(fields) != 4:
        raise wrong_fields(fields, 'mine', 'query video start end', '4')
    return SegmentQrel(fields[0], fields[1], float(fields[2]), float(fields[3]), 1)


def retrieved(fields: list[str]) -> SegmentScoredDoc:
    query, video, start, end, score = fields
    return SegmentScoredDoc(query, video, float(start), float(end), float(score), 1, float(score), None, None)


def writer(value: Callable[[Any], str]) -> formats.files.format.Writer:
    def write(rows: Any, path: StrPath, unit: str | None = None) -> list[str]:
        def line(row: Any) -> str:
            video, start, end = segment_of(row, unit, 't', 'mine')[:3]
            return f'{row.query_id} {video} {start} {end}{value(row)}'
        write_text(judged_lines(rows, line), path)
        return left_out(rows, ())
    return write


MINE = Format(
    'mine', 'a format of a test', 't',
    Files(lambda path: read_rows(path, judged), writer(lambda row: ''), Lines(one_row(judged))),
    Files(lambda path: read_rows(path, retrieved), writer(lambda row: f' {row.score}'), Lines(one_row(retrieved)),
          unread=('colours',)),
    lists=('videos', 'queries'))


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
    assert 'mine' in formats.FORMATS and '  mine            a format of a test' in formats.described()
    rows = formats.read_qrels(files[0], 'mine')
    assert rows == [SegmentQrel('q', 'v', 10, 20, 1)]
    assert formats.write_qrels(rows, tmp_path / 'again', 'mine') == []
    assert formats.read_qrels(tmp_path / 'again', 'mine') == rows
    with pytest.raises(FormatError, match='the line has 5 fields, but a line of mine has 4'):
        formats.read_qrels(files[1], 'mine')


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
