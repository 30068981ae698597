"""Comparisons as tables: text, CSV, Markdown, LaTeX (booktabs), JSON, HTML."""

from __future__ import annotations

import csv
import html as markup
import io
import json
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

from ir_measures import Measure

from ir_segmeasures.study.comparison import SIGNIFICANT, Beside, SystemComparison

__all__ = ['FORMATS', 'html', 'as_csv', 'as_json', 'latex', 'markdown', 'text', 'top_lines']

_HEADS = ('system', 'mean', 'difference', 'p', 'p corrected', 'wins', 'losses', 'ties')
_NOTE = f'* p < {SIGNIFICANT} after the correction'
_LATEX = str.maketrans({'\\': r'\textbackslash{}', '~': r'\textasciitilde{}', '^': r'\textasciicircum{}',
                        **{sign: f'\\{sign}' for sign in '&%$#_{}'}})
_MARKDOWN = str.maketrans({sign: f'\\{sign}' for sign in '\\`*_|<>[]'})


def text(comparison: SystemComparison, places: int = 4, bold: Callable[[str], str] = str) -> str:
    """A table a measure; ``bold`` marks the best mean, as a terminal can."""
    return '\n\n'.join('\n'.join(_aligned(comparison.names[measure], _cells(comparison, measure, places),
                                          comparison.best(measure), bold)) for measure in comparison.measures) + '\n'


def _cells(comparison: SystemComparison, measure: Measure, places: int) -> list[list[str]]:
    rows = [comparison.row(system, measure) for system in comparison.systems]
    intervals = any(row.low is not None for row in rows)
    heads = [_HEADS[0], _HEADS[1], *(['interval'] if intervals else []), *_HEADS[2:]]
    return [heads, *([row.system, _number(row.mean, places), *([_interval(row, places)] if intervals else []),
                      _number(row.difference, places, sign=True), _p(row.p),
                      _p(row.p_corrected) + '*' * row.significant,
                      *(_number(count) for count in (row.wins, row.losses, row.ties))] for row in rows)]


def _aligned(title: str, cells: Sequence[Sequence[str]], best: Sequence[str], bold: Callable[[str], str]) -> list[str]:
    cells = [[title, *cells[0][1:]], *cells[1:]]
    widths = [max(len(row[column].rstrip('*')) for row in cells) for column in range(len(cells[0]))]
    lines = []
    for row in cells:
        marked = []
        for column, (cell, width) in enumerate(zip(row, widths)):
            stars = cell[len(cell.rstrip('*')):] if column else ''
            plain = cell[:len(cell) - len(stars)]
            shown = plain.ljust(width) if column == 0 else plain.rjust(width)
            if column == 1 and row[0] in best and row is not cells[0]:
                shown = shown.replace(plain, bold(plain))
            marked.append(shown + stars.ljust(column == 5))
        lines.append('  '.join(marked).rstrip())
    return lines


def markdown(comparison: SystemComparison, places: int = 4) -> str:
    """Systems × measures: means, the best in bold, the difference to the baseline behind each."""
    rows = _matrix(comparison, places, lambda cell: f'**{cell}**', lambda name: name.translate(_MARKDOWN), '\\*')
    lines = ['| ' + ' | '.join(row) + ' |' for row in rows]
    rule = '|---' + '|---:' * len(comparison.measures) + '|'
    note = [f'\n\\{_NOTE}'] if any(row.significant for row in comparison.rows) else []
    return '\n'.join([lines[0], rule, *lines[1:], *note]) + '\n'


def latex(comparison: SystemComparison, places: int = 4) -> str:
    """The same for LaTeX with the package booktabs."""
    rows = _matrix(comparison, places, lambda cell: f'\\textbf{{{cell}}}', lambda name: name.translate(_LATEX),
                   '$^{*}$')
    lines = [' & '.join(row).replace('−', '$-$') + r' \\' for row in rows]
    note = [f'% {_NOTE}'] if any(row.significant for row in comparison.rows) else []
    return '\n'.join([f'\\begin{{tabular}}{{l{"r" * len(comparison.measures)}}}', r'\toprule', lines[0], r'\midrule',
                      *lines[1:], r'\bottomrule', r'\end{tabular}', *note]) + '\n'


def html(comparison: SystemComparison, places: int = 4) -> str:
    """The same for a notebook."""
    rows = _matrix(comparison, places, lambda cell: f'<b>{cell}</b>', markup.escape, '*')
    head = ''.join(f'<th>{cell}</th>' for cell in rows[0])
    body = ''.join('<tr>' + ''.join(f'<td style="text-align:{"right" if column else "left"}">{cell}</td>'
                                    for column, cell in enumerate(row)) + '</tr>' for row in rows[1:])
    note = f'<p>{_NOTE}</p>' if any(row.significant for row in comparison.rows) else ''
    return f'<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}'


def _matrix(comparison: SystemComparison, places: int, bold: Callable[[str], str], escape: Callable[[str], str],
            star: str) -> list[list[str]]:
    rows = [['system', *(escape(name) for name in comparison.names.values())]]
    best = {measure: comparison.best(measure) for measure in comparison.measures}
    for system in comparison.systems:
        cells = [escape(system)]
        for measure in comparison.measures:
            row = comparison.row(system, measure)
            cell = _number(row.mean, places)
            cell = bold(cell) if system in best[measure] else cell
            difference = '' if row.difference is None else f' ({_number(row.difference, places, sign=True)})'
            cells.append(cell + star * row.significant + difference)
        rows.append(cells)
    return rows


def as_csv(comparison: SystemComparison, places: int = -1) -> str:
    """A line a system and measure, all columns; empty where there is no value."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator='\n')
    writer.writerow(_fields(comparison))
    writer.writerows([['' if value is None else value for value in values.values()]
                      for values in _records(comparison, places)])
    return lines.getvalue()


def as_json(comparison: SystemComparison, places: int = -1) -> str:
    """A list of objects, one a system and measure; null where there is no value, as for the baseline's difference."""
    return json.dumps(_records(comparison, places), indent=1, allow_nan=False, ensure_ascii=False) + '\n'


def _fields(comparison: SystemComparison) -> list[str]:
    intervals = any(row.low is not None for row in comparison.rows)
    return [name for name in Beside._fields if intervals or name not in ('low', 'high')]


def _records(comparison: SystemComparison, places: int) -> list[dict[str, Any]]:
    def plain(value: Any) -> Any:
        if isinstance(value, Measure):
            return comparison.names[value]
        if isinstance(value, float):
            return None if not isfinite(value) else value if places < 0 else round(value, places)
        return value
    return [{name: plain(getattr(row, name)) for name in _fields(comparison)} for row in comparison.rows]


def top_lines(comparison: SystemComparison, number: int, places: int = 4) -> Iterable[str]:
    """The queries that differ most from the baseline, as lines of text."""
    last: Any = None
    for measure, system, query, value, base in comparison.top(number):
        if (measure, system) != last:
            yield f'\n{comparison.names[measure]}: {system} beside {comparison.baseline}'
            last = measure, system
        yield f'  {query}  {_number(value - base, places, sign=True)}  ({_number(value, places)}, ' \
              f'{_number(base, places)})'


def _number(value: float | None, places: int = -1, sign: bool = False) -> str:
    if value is None:
        return ''
    if isinstance(value, int):
        return str(value)
    return f'{value:{"+" if sign else ""}{"" if places < 0 else f".{places}f"}}'


def _p(value: float | None) -> str:
    return '' if value is None else '< 0.0001' if value < 0.00005 else f'{value:.4f}'


def _interval(row: Beside, places: int) -> str:
    return f'[{_number(row.low, places)}, {_number(row.high, places)}]'


FORMATS: dict[str, Callable[..., str]] = {'text': text, 'csv': as_csv, 'markdown': markdown, 'latex': latex,
                                          'json': as_json}
