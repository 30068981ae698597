"""A format is one module with one object, and one line in the table: everything else follows from these."""

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import checks, formats
from ir_segmeasures.commands import main
from ir_segmeasures.formats import FileRows, FormatError, SegmentQrel, registry
from ir_segmeasures.formats.files import lines

MODULE = """
from ir_segmeasures.formats import Format, Lines, SegmentQrel, SegmentScoredDoc
from ir_segmeasures.formats.files.fields import interned, positions, scores
from ir_segmeasures.formats.files.writing import segment_of


def judged(query, video, start, end):
    return SegmentQrel(interned(query), interned(video), positions(start), positions(end), 1)


def retrieved(query, video, start, end, score):
    found = scores(score)
    return SegmentScoredDoc(interned(query), interned(video), positions(start), positions(end), found, 1, found, None,
                            None)


def judged_line(row, unit):
    video, start, end = segment_of(row, unit, 't', 'mine')[:3]
    return [row.query_id, video, str(start), str(end)]


def retrieved_line(row, unit, rank):
    return [*judged_line(row, unit), str(row.score)]


MINE = Format(
    'mine', 'a format of a test', 't', Lines('mine', 'query video start end', judged, judged_line).files(),
    Lines('mine', 'query video start end score', retrieved, retrieved_line, ranked='rank').files(),
    lists=('videos', 'queries'))
"""
words = st.text(st.sampled_from('ab#é語'), min_size=1, max_size=10).filter(lambda word: word != '#')  # a comment


@pytest.fixture(autouse=True, scope='module')
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A package of somebody else, as pip installs it."""
    folder = tmp_path_factory.mktemp('site')
    (folder / 'a_format_of_mine.py').write_text(MODULE)
    info = folder / 'mine-1.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: mine\nVersion: 1\n')
    (info / 'entry_points.txt').write_text('[ir_segmeasures.formats]\nmine = a_format_of_mine:MINE\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        registry._of_others.cache_clear()
        yield
        sys.modules.pop('a_format_of_mine', None)
    registry._of_others.cache_clear()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, found = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text('q v 10 20\n')
    found.write_text('q v 10 20 2\nq w 0 5 1\n')
    return qrels, found


def test_is_read_and_written(files: tuple[Path, Path], tmp_path: Path) -> None:
    assert 'mine' in formats.FORMATS and 'mine' in list(formats.FORMATS) and 'a format of a test' in formats.described()
    rows = formats.read_qrels(files[0], 'mine')
    assert rows == [SegmentQrel('q', 'v', 10, 20, 1)]
    assert formats.write_qrels(rows, tmp_path / 'again', 'mine') == []
    assert formats.read_qrels(tmp_path / 'again', 'mine') == rows
    with pytest.raises(FormatError, match='the line has 5 fields, but a line of mine has 4'):
        formats.read_qrels(files[1], 'mine')


@given(st.lists(st.tuples(words, words, *[st.integers(0, 99) | st.floats(0, 99)] * 2, st.floats(allow_nan=False,
       allow_infinity=False)), min_size=1), st.sampled_from([' ', '\t', '  ']), st.sampled_from(['\n', '\r\n', '\n\n']),
       st.integers(1, 50), st.data())
def test_blocks_of_any_size(tmp_path_factory: Any, rows: list[Any], blank: str, end: str, block: int,
                            data: Any) -> None:
    """Rows are those of the lines, and the first wrong line is named."""
    path = tmp_path_factory.mktemp('mine') / 'run'
    texts = [blank.join(map(str, row)) for row in rows]
    path.write_bytes(end.join(texts).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, '_BLOCK', block)
        found = formats.read_run(path, 'mine')
        assert isinstance(found, FileRows)
        assert [(*row[:4], row.score) for row in found] == rows
        step = 2 if end == '\n\n' else 1
        assert found.lines is not None and found.lines.tolist() == list(range(1, step * len(rows) + 1, step))
        wrong = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
        path.write_bytes(end.join(f'{text} x' if place in wrong else text for place, text in enumerate(texts)).encode())
        with pytest.raises(FormatError) as caught:
            formats.read_run(path, 'mine')
        assert caught.value.line == step * min(wrong) + 1
        files = formats.FORMATS['mine'].run
        assert files is not None and files.check is not None
        good, faults = files.check(path)
        assert [fault.line for fault in faults] == [step * place + 1 for place in sorted(wrong)]
        assert len(good) == len(rows) - len(wrong)


def test_is_checked(files: tuple[Path, Path]) -> None:
    assert checks.check(files[1], 'mine', qrels=files[0]) == []
    with files[1].open('a') as file:
        file.write('q v 10 20 1\n')
    finding, *_ = checks.check(files[1], 'mine')
    assert finding.line == 3 and 'is already retrieved' in finding.sentence
    with pytest.raises(ValueError, match='anchors does not go with format mine, but with trec, '):
        checks.check(files[1], 'mine', anchors='a')


def test_is_evaluated(files: tuple[Path, Path], capsys: Any) -> None:
    given = ['evaluate', *map(str, files), 'T2I_AP', '--qrels-format', 'mine', '--run-format', 'mine']
    main(given)
    assert capsys.readouterr().out == 'T2I_AP\t1.0000\n'
    files[1].write_text('q v 10 20 2\n\nq w 5 0 1\n')
    with pytest.raises(SystemExit):
        main(given)
    assert f'{files[1]}, line 3: ' in capsys.readouterr().err


def test_is_converted(files: tuple[Path, Path], tmp_path: Path, capsys: Any) -> None:
    main(['convert', str(files[1]), str(tmp_path / 'trec'), '--from', 'mine', '--to', 'trec'])
    assert (tmp_path / 'trec').read_text().splitlines()[0] == 'q Q0 v#t=10,20 1 2.0 ir_segmeasures'
    assert capsys.readouterr().err == ''
