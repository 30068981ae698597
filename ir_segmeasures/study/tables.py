"""Tables of results as text, CSV, Markdown, LaTeX (booktabs) and JSON: :func:`render` writes all of them.

CSV and JSON hold the records: every column, numbers as they are. The other formats are for people: numbers have four
decimals unless others are asked for, the best value is bold, and a star marks what is significant.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan
from typing import Any, NamedTuple

from ir_segmeasures.segments.basics import cell_of

FORMATS = ('text', 'csv', 'markdown', 'latex', 'json')
_PLACES = 4
LATEX = str.maketrans({'\\': r'\textbackslash{}', '~': r'\textasciitilde{}', '^': r'\textasciicircum{}',
                       **{sign: f'\\{sign}' for sign in '&%$#_{}'},
                       '[': '{[}'})  # it would be a length after the end of a row
MARKDOWN = str.maketrans({sign: f'\\{sign}' for sign in '\\`*_|<>[]'})

Records = Sequence[Mapping[str, Any]]  # with the same names in each


class Column(NamedTuple):
    """A column for people: its head, whether it holds text (else numbers, aligned to the right), and whether its
    cells may have stars.
    """
    head: str
    text: bool = False
    starred: bool = False


class Cell(NamedTuple):
    """A cell for people.

    Attributes:
        value: the text that is aligned
        best: whether the value is bold
        star: whether a star stands behind the value
        rest: further text behind both
    """
    value: str
    best: bool = False
    star: bool = False
    rest: str = ''


class Table(NamedTuple):
    """A table for people.

    Attributes:
        columns: the columns
        rows: a cell for each column
        title: a line above the table as text
        note: a line below the table
    """
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ''
    note: str = ''


class Report:
    """A result that :func:`render` writes, and that a notebook shows as a table."""

    def records(self) -> Records:
        """The result as records, for CSV and JSON."""
        raise NotImplementedError

    def tables(self, places: int, wide: bool) -> list[Table]:
        """The tables for people, of text or, where they are to be wide, of Markdown and LaTeX; if a result has none of
        its own, the records as a table.
        """
        return [_of_records(self.records(), places)]

    def _repr_markdown_(self) -> str:
        return render(self, 'markdown')

    def __repr__(self) -> str:
        return render(self)


def render(result: Report | Records, format: str = 'text', places: int | None = None,
           bold: Callable[[str], str] = str, note: str = '') -> str:
    """The result of a study as a table in one of the formats.

    Args:
        result: what :func:`~ir_segmeasures.study.compare` or :func:`~ir_segmeasures.study.fidelity` returns, or
            mappings with the same names, a row each
        format: ``'text'``, ``'csv'``, ``'markdown'``, ``'latex'`` or ``'json'``
        places: decimals of numbers, -1 for all; not given: all in CSV and JSON, else 4. P-values for people have at
            least four
        bold: makes a text bold where the format is text, as a terminal can
        note: stands below the tables for people, behind their own notes

    Raises:
        ValueError: another format

    Examples:
        >>> from ir_segmeasures.study.tables import render
        >>> rows = [{'system': 'good', 'MAiSP': 0.61314}, {'system': 'poor', 'MAiSP': 0.27744}]
        >>> print(render(rows), end='')
        system   MAiSP
        good    0.6131
        poor    0.2774
        >>> print(render(rows, 'markdown', places=2), end='')
        | system | MAiSP |
        |---|---:|
        | good | 0.61 |
        | poor | 0.28 |
    """
    if format in _OF_RECORDS:
        records = result.records() if isinstance(result, Report) else result
        return _OF_RECORDS[format](records, -1 if places is None else places)
    if format not in FORMATS:
        raise ValueError(f'format={format!r} is not a format of tables: take {", ".join(map(repr, FORMATS))}')
    places = _PLACES if places is None else places
    *tables, last = (result.tables(places, format != 'text') if isinstance(result, Report) else
                     [_of_records(result, places)])
    tables.append(last._replace(note='; '.join(filter(None, (last.note, note)))))
    if format == 'text':
        return '\n\n'.join(_text(table, bold) for table in tables) + '\n'
    return '\n'.join(map(_OF_TABLES[format], tables))


def figure(value: Any, places: int = -1, sign: bool = False) -> str:
    """A number as text, with so many decimals (-1: all) and, if asked for, with a plus sign. None is empty."""
    if value is None:
        return ''
    if not isinstance(value, float):
        return str(value)
    if places >= 0:
        value = round(value, places) + 0.  # not -0
    return f'{value:{"+" if sign and not isnan(value) else ""}{"" if places < 0 else f".{places}f"}}'


def p_figure(value: float | None, places: int = _PLACES) -> str:
    """A p-value as text: no p-value is 0, and at least four decimals are there."""
    if value is None or places < 0:
        return figure(value)
    places = max(places, _PLACES)
    least = 10 ** -places
    return f'< {least:.{places}f}' if value < least / 2 else figure(float(value), places)


def interval_figure(row: Any, places: int) -> str:
    """The interval of a row from its ``low`` to its ``high`` as text; empty where it has none."""
    return '' if row.low is None else f'[{figure(row.low, places)}, {figure(row.high, places)}]'


def _of_records(records: Records, places: int) -> Table:
    names = list(records[0]) if records else []
    columns = [Column(name, any(isinstance(record[name], str) for record in records)) for name in names]
    return Table(columns, [[Cell((p_figure if name == 'p' else figure)(value, places))
                            for name, value in record.items()] for record in records])


def _text(table: Table, bold: Callable[[str], str]) -> str:
    widths = [max(len(cell) for cell in (column.head, *(row[place].value for row in table.rows)))
              for place, column in enumerate(table.columns)]

    def line(row: Sequence[Cell]) -> str:
        cells = []
        for cell, column, width in zip(row, table.columns, widths):
            padding = ' ' * (width - len(cell.value))
            value = bold(cell.value) if cell.best else cell.value
            cells.append((value + padding if column.text else padding + value)
                         + ('*' if cell.star else ' ' if column.starred else '') + cell.rest)
        return '  '.join(cells).rstrip()
    lines = [line([Cell(column.head) for column in table.columns]), *map(line, table.rows)]
    return '\n'.join([*([table.title] if table.title else []), *lines, *(['', table.note] if table.note else [])])


def _markdown(table: Table) -> str:
    def cell(cell: Cell) -> str:
        value = cell.value.translate(MARKDOWN)
        return (f'**{value}**' if cell.best else value) + r'\*' * cell.star + cell.rest
    lines = [[column.head.translate(MARKDOWN) for column in table.columns], *(map(cell, row) for row in table.rows)]
    head, *rows = ['| ' + ' | '.join(line) + ' |\n' for line in lines]
    rule = ''.join('---|' if column.text else '---:|' for column in table.columns)
    return ''.join([head, f'|{rule}\n', *rows, *(['\n' + table.note.replace('*', r'\*') + '\n'] if table.note else [])])


def _latex(table: Table) -> str:
    def cell(cell: Cell, column: Column) -> str:
        if column.text:
            return cell.value.translate(LATEX)
        value, rest = (text.replace('-', '$-$').replace('<', '$<$') for text in (cell.value, cell.rest))
        return (rf'\textbf{{{value}}}' if cell.best else value) + '$^{*}$' * cell.star + rest
    lines = [[column.head.translate(LATEX) for column in table.columns],
             *(map(cell, row, table.columns) for row in table.rows)]
    head, *rows = [' & '.join(line) + ' \\\\\n' for line in lines]
    columns = ''.join('l' if column.text else 'r' for column in table.columns)
    note = table.note.translate(LATEX).replace('*', '$^{*}$').replace('<', '$<$')
    return ''.join([f'\\begin{{tabular}}{{{columns}}}\n\\toprule\n', head, '\\midrule\n', *rows,
                    '\\bottomrule\n\\end{tabular}\n',
                    *([f'\n\\smallskip\n{{\\footnotesize {note}\\par}}\n'] if note else [])])


def _csv(records: Records, places: int) -> str:
    def cell(value: Any) -> str:
        return '' if isinstance(value, float) and isnan(value) else cell_of(figure(value, places))
    lines = io.StringIO()
    csv.writer(lines, lineterminator='\n').writerows(
        [*([list(map(cell_of, records[0]))] if records else []), *(map(cell, record.values()) for record in records)])
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


_OF_RECORDS: dict[str, Callable[[Records, int], str]] = {'csv': _csv, 'json': _json}
_OF_TABLES: dict[str, Callable[[Table], str]] = {'markdown': _markdown, 'latex': _latex}
