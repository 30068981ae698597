"""Files of columns: what is read by columns is what is read line by line, rows and errors, in every format."""

import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ir_segmeasures import formats
from ir_segmeasures.formats import inex_paths
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.formats.files import blocks, columns
from ir_segmeasures.formats.inex import judgements

ID = 'spotify:episode:0BrvXC9DNmicnpCtHmFltv'
# Of each format some lines that are right, and fields for the same places that may be right.
HEAD = {'vbs-dres-qrels': ['taskName junk item start_fr start_s end_fr end_s stratum judgement']}
LINES = {
    'trec-run': ['q1 Q0 v1#t=0,10 1 2.5 me', 'q2 Q0 v2#t=1.5,10 2 -1 me', 'é 0 v3#char=1,2 x 1e3 x'],
    'trec-qrels': ['q1 0 v1#t=0,10 1', 'q1 Q0 v2 0.5', 'q2 0 v2 -1'],
    'genomics-run': ['200 1 1 2.5 10 20 r', '200 02 1 2.5 0 0 r', '201 x 0 -1e3 7 8 t'],
    'genomics-qrels': ['200\t1\t10\t20\tGENES, of a kind|X', '200\t2\t0\t1\t', '201\té\t000\t9'],
    'sh-search-run': ['q1 Q0 v1 1.05 2.00 1.30 1 2.5 me', 'q1 Q0 v2 0.0 0.59 0.0 2 -1',
                      'q2 Q0 v1 100.5 100.05 7.7 0 1 x'],
    'sh-search-qrels': ['q1 Q0 v1 1.05 2.00 1', 'q1 0 v1 1.5 1.05 0', 'q2 0 v2 0.0 0.1 -3'],
    'sh-linking-run': ['a1 Q0 v1 1.05 2.00 1 2.5 me', 'a1 Q0 v2 0.0 0.59 2 -1 me', 'a2 Q0 v1 100.5 100.05 0 1 x'],
    'sh-known-item-qrels': ['i1 v1 1.05 2.00', 'i2 v1 1.5 1.06', 'i2 v2 0.0 0.1'],
    'sh-anchoring-run': ['v1 Q0 1.05 2.00 1 2.5 me', 'v1 Q0 0.0 0.59 2 -1 me', 'v2 Q0 100.5 100.05 0 1 x'],
    'sh-anchoring-qrels': ['v1 1.05 2.00 1', 'v1 1.5 1.05 0', 'v2 0.0 0.1 -3'],
    'podcasts-run': [f'1 Q0 {ID}_60.0 1 2.5 me', '1 Q0 a_b_0.5 2 2.5 me', '2 Q0 a_1e2 x -1 me'],
    'podcasts-qrels': [f'1 0 {ID}_60.0 1', '1 0 a_0.1 4', '2 Q0 a_120 0'],
    'trecvid-shots-qrels': ['9000 0 shot1_2 1', '9000 0 shot1_3 -1', '9001 Q0 shot1_2 007'],
    'trecvid-strata-qrels': ['1661\t0\tshot1_2\t1\t1', '1661 0 shot1_3 2 -1', '1662 0 shot1_2 03 0'],
    'vbs-dres-qrels': ['v-1 0 00009 1 0.04 2 2.5 1 1', 'v-1 0 00009 3 7 9 7 2 -1', 'v-2 0 00010 x 1e1 y 20.0 1 0'],
    'inex-fol-run': ['1 Q0 d1 1 9.5 me 0 10', '1 Q0 d2 x nan me X X', '2 Q0 d1 1 9 me 0007 5'],
    'inex-fol-qrels': ['1 Q0 d1 30 100 5 10:20 40:10', '1 Q0 d2 0 80', '2 Q0 d1 1 9 0 3:0 0:1'],
    'inex-paths-run': ['1 Q0 d1 1 9.5 me /article[1]/bdy[1]', '1 Q0 d#2 x nan me /a[1]', '1 Q0 d 1 9 me /a[1] /a[2]'],
    'extents': ['s1 v1 0 10.5', 's2 v1#t=3,4', 's3 v2 007 1e3'],
}
ODD = ['0', '-0', '1', '17.05', '17.60', '17.', '.5', '1.005', '0.59', '100', 'nan', 'inf', '1_0', '1e400', '9' * 10,
       '9' * 17, '0' * 12, '0000000000.5', '1.2.3', '-', '.', '٣', 'x', '', 'X', '-1', '3:4', '/', '_', '_5', '#',
       'v#t=1', 'a\xa0b', 'a\x1cb', '\ufeffa']


def with_field(line: str, place: int, field: str) -> str:
    separator = '\t' if '\t' in line else ' '
    fields = line.split(separator)
    fields[place % len(fields)] = field
    return separator.join(fields)


def any_line(lines: list[str]) -> st.SearchStrategy[str]:
    """A line, most often a right one, with a field of another in it."""
    fields = [field for line in lines for field in line.replace('\t', ' ').split(' ')]
    one = st.builds(with_field, st.sampled_from(lines), st.integers(0, 9), st.sampled_from(fields))
    return st.sampled_from(lines) | one | st.sampled_from(['', ' ', '\t', 'x', lines[0] + ' ', ' ' + lines[0]])


def reader(name: str) -> Callable[[Path], Any]:
    if name == 'extents':
        return read_extents
    if name == 'inex-paths-run':
        return inex_paths.read_run
    format, _, kind = name.rpartition('-')
    if format == 'vbs-dres':
        return partial(formats.FORMATS[format].read_qrels, frame_rate=25)
    files = formats.FORMATS[format].files(kind)
    assert files is not None
    return files.read


def read(name: str, path: Path) -> tuple[Any, list[str]]:
    """The rows, or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        try:
            found = reader(name)(path)
            rows = dict(found) if name == 'extents' else [(row, list(map(type, row))) for row in found]
        except formats.FormatError as error:
            rows = str(error)
    return rows, [str(warning.message) for warning in caught]


def refuse(*_: object) -> None:
    raise ValueError


def check_same(name: str, path: Path, lines: list[str], end: str = '\n', block: int = 1 << 20) -> None:
    path.write_bytes(''.join(line + end for line in HEAD.get(name, []) + lines).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, 'BLOCK', block)
        by_columns = read(name, path)
        patch.setattr(columns, 'read_blocks', refuse)
        patch.setattr(judgements, '_qrels', refuse)
        by_lines = read(name, path)
    if not isinstance(by_lines[0], list):
        assert by_columns == by_lines
        return
    assert by_columns[1] == by_lines[1]
    assert [row for row, _ in by_columns[0]] == [row for row, _ in by_lines[0]]
    for (_, types), (_, others) in zip(by_columns[0], by_lines[0]):  # 5.0 may stand for 5 beside 5.5
        assert all(one is other or {one, other} == {int, float} for one, other in zip(types, others))


@pytest.mark.parametrize('name', LINES)
def test_any_lines(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp('columns') / 'file'

    @given(st.lists(any_line(LINES[name]), max_size=6), st.sampled_from(['\n', '\r\n', ' \n']),
           st.sampled_from([1, 40, 1 << 20]))
    @example(LINES[name][:2], '\n', 1 << 20)
    @example(LINES[name], '\n', 40)
    @example([], '\n', 40)
    def same(lines: list[str], end: str, block: int) -> None:
        check_same(name, path, lines, end, block)
    same()


@pytest.mark.parametrize('name', LINES)
def test_odd_fields(name: str, tmp_path: Path) -> None:
    for place in range(len(LINES[name][0].split())):
        for field in ODD:
            check_same(name, tmp_path / 'file', [LINES[name][0], with_field(LINES[name][0], place, field)])


@pytest.mark.parametrize('name', LINES)
def test_right_lines_are_read_by_columns(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / 'file'
    path.write_text('\n'.join(HEAD.get(name, []) + LINES[name][:1]))
    for module in (columns, judgements):
        monkeypatch.setattr(module, 'numbered_rows_of', pytest.fail)
    assert len(reader(name)(path)) == (2 if name == 'inex-fol-qrels' else 1)


