"""Rows of named values as a table: text, CSV, Markdown, LaTeX (booktabs), JSON."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from ir_segmeasures.study.tables import for_latex, for_markdown

__all__ = ['FORMATS']

Records = Sequence[Mapping[str, Any]]  # with the same names in each


def _cells(records: Records, places: int) -> list[list[str]]:
    def cell(value: Any) -> str:
        if value is None:
            return ''
        return f'{value:.{places}f}' if isinstance(value, float) and places >= 0 else str(value)
    return [list(records[0]), *([cell(value) for value in record.values()] for record in records)]


def _read_cells(records: Records, places: int) -> list[list[str]]:
    """The cells as people read them: no p-value is 0."""
    cells = _cells(records, places)
    least = 10 ** -max(places, 0) / 2
    for column in (place for place, name in enumerate(cells[0]) if name == 'p' and places > 0):
        for row, record in zip(cells[1:], records):
            if record['p'] is not None and record['p'] < least:
                row[column] = f'< {2 * least:.{places}f}'
    return cells


def _text(records: Records, places: int) -> str:
    cells = _read_cells(records, places)
    widths = [max(map(len, column)) for column in zip(*cells)]
    left = [isinstance(value, str) for value in records[0].values()]
    return ''.join('  '.join(cell.ljust(width) if text else cell.rjust(width) for cell, width, text in
                             zip(row, widths, left)).rstrip() + '\n' for row in cells)


def _markdown(records: Records, places: int) -> str:
    rows = ['| ' + ' | '.join(map(for_markdown, row)) + ' |\n' for row in _read_cells(records, places)]
    return ''.join([rows[0], '|' + '---|' * len(records[0]) + '\n', *rows[1:]])


def _latex(records: Records, places: int) -> str:
    head, *body = _read_cells(records, places)
    texts = [isinstance(value, str) for value in records[0].values()]
    rows = [' & '.join(row) + ' \\\\\n' for row in [map(for_latex, head), *(
        [for_latex(cell) if text else cell.replace('-', '$-$').replace('<', '$<$') for cell, text in zip(row, texts)]
        for row in body)]]
    columns = ''.join('l' if text else 'r' for text in texts)
    return (f'\\begin{{tabular}}{{{columns}}}\n\\toprule\n{rows[0]}\\midrule\n{"".join(rows[1:])}\\bottomrule\n'
            '\\end{tabular}\n')


def _csv(records: Records, places: int) -> str:
    lines = io.StringIO()
    csv.writer(lines, lineterminator='\n').writerows(_cells(records, places))
    return lines.getvalue()


def _json(records: Records, places: int) -> str:
    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(part) for part in value]
        if isinstance(value, float):
            return None if not isfinite(value) else round(value, places) if places >= 0 else value
        return value
    rows = [{name: plain(value) for name, value in record.items()} for record in records]
    return json.dumps(rows, indent=1, ensure_ascii=False, allow_nan=False) + '\n'


FORMATS: dict[str, Callable[[Records, int], str]] = {'text': _text, 'csv': _csv, 'markdown': _markdown,
                                                     'latex': _latex, 'json': _json}
