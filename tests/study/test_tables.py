"""The renderer of tables: one rule for each format, whatever the result is."""

import csv
import io
import json
from typing import Any

import pytest

from ir_segmeasures.study.tables import Cell, Column, Report, Table, render

RECORDS = [{'name': 'a_b', 'value': .12345, 'n': 3, 'p': .00001, 'curve': [.5, float('nan')]},
           {'name': '[c]*', 'value': None, 'n': 10, 'p': None, 'curve': []},
           {'name': 'd<e>&', 'value': -.00001, 'n': -1, 'p': .0312, 'curve': []}]
FLAT = [{name: value for name, value in record.items() if name != 'curve'} for record in RECORDS]


def test_numbers_are_on_the_right_and_zero_has_no_sign() -> None:
    assert render(FLAT) == (
        'name    value   n         p\n'
        'a_b    0.1235   3  < 0.0001\n'
        '[c]*           10\n'
        'd<e>&  0.0000  -1    0.0312\n')
    assert render(FLAT, 'markdown', 2) == (
        '| name | value | n | p |\n'
        '|---|---:|---:|---:|\n'
        '| a\\_b | 0.12 | 3 | \\< 0.0001 |\n'
        '| \\[c\\]\\* |  | 10 |  |\n'
        '| d\\<e\\>& | 0.00 | -1 | 0.0312 |\n')
    assert render(FLAT, 'latex') == (
        '\\begin{tabular}{lrrr}\n\\toprule\nname & value & n & p \\\\\n\\midrule\n'
        'a\\_b & 0.1235 & 3 & $<$ 0.0001 \\\\\n'
        '{[}c]* &  & 10 &  \\\\\n'
        'd<e>\\& & 0.0000 & $-$1 & 0.0312 \\\\\n'
        '\\bottomrule\n\\end{tabular}\n')


def test_csv_and_json_hold_the_numbers_as_they_are() -> None:
    assert [list(map(str, ('' if value is None else value for value in record.values()))) for record in FLAT] == list(
        csv.reader(io.StringIO(render(FLAT, 'csv'))))[1:]
    found = json.loads(render(RECORDS, 'json'))
    assert [record['value'] for record in found] == [.12345, None, -.00001]
    assert found[0]['curve'] == [.5, None]
    assert json.loads(render(RECORDS, 'json', places=3))[0]['value'] == .123
    assert render([{'a': .5, 'b': float('nan')}], 'csv', places=2) == 'a,b\n0.50,\n'


def test_best_values_stars_and_what_follows() -> None:
    class Both(Report):
        table = Table([Column('system', text=True), Column('p', starred=True)],
                      [[Cell('a'), Cell('1', best=True)], [Cell('b'), Cell('-2', star=True)]], 'title', '* a note')

        def records(self) -> Any:
            return []

        def tables(self, places: int, wide: bool) -> list[Table]:
            cells = [[Cell('a'), Cell('1', best=True, star=True, rest=' (-3)')]]
            return [self.table._replace(rows=cells)] if wide else [self.table, self.table]
    text = 'title\nsystem   p\na        <1>\nb       -2*\n\n* a note'
    assert render(Both(), bold='<{}>'.format) == f'{text}\n\n{text}\n'
    assert '| a | **1**\\* (-3) |\n\n\\* a note\n' in render(Both(), 'markdown')
    assert 'a & \\textbf{1}$^{*}$ ($-$3) \\\\\n' in render(Both(), 'latex')
    assert (render(Both(), 'csv'), render(Both(), 'json')) == ('', '[]\n')


def test_formats_that_are_none() -> None:
    with pytest.raises(ValueError, match=r"^format='tex' is not a format of tables: take 'text', 'csv', 'markdown', "):
        render(FLAT, 'tex')
