"""Windows in tables with columns of starts and ends, as Markdown, CSV or with tabs."""

import re

from ir_segmeasures.texts.answers.tokens import time_of
from ir_segmeasures.texts.answers.words import label

__all__ = ['table_windows']

_SEPARATORS = ('|', '\t', ';', ',', None)
_EDGES = {'from': 'start', 'to': 'end', 'in': 'start', 'out': 'end'}
_GAP = re.compile('(?<=[^ ]) {2,}(?=[^ ])')
_RULE = re.compile(r'[-:\s]*')  # between the names of a Markdown table and its rows
_TIME = re.compile(r'[0-9]{1,3}(?::[0-9]{2}){1,2}(?:\.[0-9]+)?|[0-9]{1,6}(?:\.[0-9]+)? ?s(?:ec(?:ond)?s?)?')
_NAME = re.compile('^[^0-9]*[a-z][^0-9]*$')
_MOST = 30  # characters of a column's name


def table_windows(text: str) -> list[tuple[float, float]] | None:
    """The windows of a table's rows, or None where no table has a row with a time in the columns of start and end.

    Examples:
        >>> from ir_segmeasures.texts.answers.tables import table_windows
        >>> table_windows('| event | start | end |\\n|---|---|---|\\n| 1 | 0:12 | 0:15 |')
        [(12.0, 15.0)]
    """
    if '\n' not in text.strip('\n'):
        return None
    text = text if '  ' not in text else _GAP.sub('\t', text)
    for separator in _SEPARATORS:
        rows = [line.strip('#').split(separator) for line in text.split('\n') if separator is None or separator in line]
        windows = _windows_of_rows(rows) if separator or len(set(map(len, rows))) == 1 else []
        if windows:
            return windows
    return _rows_of_two(text)


def _windows_of_rows(rows: list[list[str]]) -> list[tuple[float, float]]:
    """The windows of rows behind one that names the columns."""
    header = next((place for place, cells in enumerate(rows) if _columns(cells)), None)
    if header is None:
        return _windows_of_two_columns(rows)
    start, end, is_length = _columns(rows[header]) or (0, 0, False)
    unit, windows = _unit(rows[header][start]), []
    for cells in rows[header + 1:]:
        times = [time_of(cell + unit) or time_of(cell) for cell in (
            cell.strip(' *`\t') for cell in (cells[start], cells[end]))] if len(cells) > max(start, end) else []
        if times and times[0] is not None and times[1] is not None:
            windows.append((times[0], times[0] + times[1] if is_length else times[1]))
    return windows


def _windows_of_two_columns(rows: list[list[str]]) -> list[tuple[float, float]]:
    """The windows of a table in which two columns have clock times or times with a unit, and no other column has any:
    first seen, last seen."""
    cells = [[cell.strip(' *`\t') for cell in row] for row in rows if not _RULE.fullmatch(''.join(row))]
    timed = [[place for place, cell in enumerate(row) if _TIME.fullmatch(cell)] for row in cells[1:]]
    if not timed or timed[0][2:] or any(places != timed[0] for places in timed) or len(timed[0]) != 2 or (
            len(set(map(len, cells))) != 1):
        return []
    named = [cells[0][place] for place in timed[0]]
    if not all(_NAME.search(name) and _label(name) not in ('length', 'duration') for name in named):
        return []
    times = [[time_of(row[place]) for place in timed[0]] for row in cells[1:]]
    return [(start, end) for start, end in times if start is not None and end is not None and start < end]


def _rows_of_two(text: str) -> list[tuple[float, float]] | None:
    """The windows of two or more lines with nothing but two times in each."""
    rows = [line.split(',') if ',' in line else line.split() for line in text.split('\n') if line.strip()]
    if len(rows) < 2 or any(len(row) != 2 or ('.' in row[0]) + (':' in row[0]) != 1 for row in rows):
        return None  # 12,3 can be one number
    times = [(time_of(start), time_of(end)) for start, end in rows]
    return [(start, end) for start, end in times if start is not None and end is not None] or None


def _columns(cells: list[str]) -> tuple[int, int, bool] | None:
    """The columns of start and end, or of start and length, if these cells name them; and whether it is the length."""
    labels = [_label(cell) for cell in cells]
    end = next((label for label in ('end', 'duration', 'length') if label in labels), None)
    return (labels.index('start'), labels.index(end), end != 'end') if end and 'start' in labels else None


def _unit(cell: str) -> str:
    """The unit that the name of a column says: Start (ms)."""
    return next((word for word in re.findall('[a-z]+', cell) if time_of(f'1 {word}') is not None), '')


def _label(cell: str) -> str:
    words = [word.strip('"*`') for word in cell.split()] if len(cell) <= _MOST else []
    found = {_EDGES.get(word) or label(word) for word in words} - {''}
    return found.pop() if len(found) == 1 and not any(map(str.isdigit, cell)) else ''
