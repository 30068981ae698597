"""Windows in tables with columns of starts and ends, as Markdown, CSV or with tabs."""

import re

from ir_segmeasures.texts.answers.tokens import time_of
from ir_segmeasures.texts.answers.words import label

__all__ = ['table_windows']

_SEPARATORS = ('|', '\t', ';', ',')
_EDGES = {'from': 'start', 'to': 'end', 'in': 'start', 'out': 'end'}
_GAP = re.compile('(?<=[^ ]) {2,}(?=[^ ])')
_MOST = 30  # characters of a column's name


def table_windows(text: str) -> list[tuple[float, float]] | None:
    """The windows of a table's rows, or None where no table has a row with a time in the columns of start and end.

    Examples:
        >>> from ir_segmeasures.texts.answers.tables import table_windows
        >>> table_windows('| event | start | end |\\n|---|---|---|\\n| 1 | 0:12 | 0:15 |')
        [(12.0, 15.0)]
    """
    text = text if '  ' not in text else _GAP.sub('\t', text)
    for separator in _SEPARATORS:
        columns, unit, windows = None, '', []
        for line in text.split('\n'):
            if separator not in line:
                continue
            cells = line.split(separator)
            if columns is None:
                columns = _columns(cells)
                unit = _unit(cells[columns[0]]) if columns else ''
            elif len(cells) > max(columns):
                times = [cells[column].strip(' *`\t') for column in columns]
                start, end = (time_of(time + unit) or time_of(time) for time in times)
                if start is not None and end is not None:
                    windows.append((start, end))
        if windows:
            return windows
    return _rows_of_two(text)


def _rows_of_two(text: str) -> list[tuple[float, float]] | None:
    """The windows of two or more lines with nothing but two times in each."""
    rows = [line.split(',') if ',' in line else line.split() for line in text.split('\n') if line.strip()]
    if len(rows) < 2 or any(len(row) != 2 or ('.' in row[0]) + (':' in row[0]) != 1 for row in rows):
        return None  # 12,3 can be one number
    times = [(time_of(start), time_of(end)) for start, end in rows]
    return [(start, end) for start, end in times if start is not None and end is not None] or None


def _columns(cells: list[str]) -> tuple[int, int] | None:
    """The columns of start and end, if these cells name them."""
    labels = [_label(cell) for cell in cells]
    return (labels.index('start'), labels.index('end')) if {'start', 'end'} <= set(labels) else None


def _unit(cell: str) -> str:
    """The unit that the name of a column says: Start (ms)."""
    return next((word for word in re.findall('[a-z]+', cell) if time_of(f'1 {word}') is not None), '')


def _label(cell: str) -> str:
    words = [word.strip('"*`') for word in cell.split()] if len(cell) <= _MOST else []
    found = {_EDGES.get(word) or label(word) for word in words} - {''}
    return found.pop() if len(found) == 1 and not any(map(str.isdigit, cell)) else ''
