"""Comparisons of systems, and how they are shown: as text, CSV, Markdown, LaTeX (booktabs), JSON, HTML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.study.scores import ByQuery, lower_is_better, same

if TYPE_CHECKING:
    import pandas as pd

__all__ = ['Beside', 'SystemComparison', 'FORMATS', 'html', 'as_csv', 'as_json', 'latex', 'markdown',
           'shade', 'text', 'top_lines']

SIGNIFICANT = 0.05
_HEADS = ('system', 'mean', 'difference', 'p', 'p corrected', 'wins', 'losses', 'ties')
_NOTE = f'* p < {SIGNIFICANT} after the correction'
_LATEX = str.maketrans({'\\': r'\textbackslash{}', '~': r'\textasciitilde{}', '^': r'\textasciicircum{}',
                        **{sign: f'\\{sign}' for sign in '&%$#_{}'},
                        '[': '{[}'})  # it would be a length after the end of a row
_MARKDOWN = str.maketrans({sign: f'\\{sign}' for sign in '\\`*_|<>[]'})


class Beside(NamedTuple):
    """A system beside the baseline, by one measure. For the baseline itself all from ``difference`` to ``ties`` is
    None.

    Attributes:
        system: its name
        measure: the measure
        mean: over all judged queries
        difference: this mean less the baseline's
        p: of the paired test, two-sided, in [0, 1]
        p_corrected: the same, corrected for the number of systems that are tested by this measure
        wins, losses, ties: numbers of queries for which the system is better, worse, and neither; for measures of
            effort the lower value is the better one. Values that differ by no more than rounding are ties.
        low, high: the bootstrap interval of the mean; None unless asked for
    """
    system: str
    measure: Measure
    mean: float
    difference: float | None = None
    p: float | None = None
    p_corrected: float | None = None
    wins: int | None = None
    losses: int | None = None
    ties: int | None = None
    low: float | None = None
    high: float | None = None

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.p_corrected is not None and self.p_corrected < SIGNIFICANT


class SystemComparison:
    """Systems beside a baseline. In a notebook it shows itself as a table.

    Attributes:
        rows: a :class:`Beside` for each system and measure, measure by measure, systems in the order of the runs
        measures, systems: in this order
        baseline: the system that the others are compared to
        by_query: system → measure → query → value
        names: measure → its name, as it was asked for
    """

    def __init__(self, rows: Sequence[Beside], baseline: str, by_query: Mapping[str, Mapping[Measure, ByQuery]],
                 names: Mapping[Measure, str]):
        self.rows, self.baseline, self.by_query, self.names = list(rows), baseline, by_query, names
        self.systems = list(by_query)
        self.measures = list(names)

    def row(self, system: str, measure: Measure) -> Beside:
        """The row of a system and a measure."""
        return next(row for row in self.rows if (row.system, row.measure) == (system, measure))

    def best(self, measure: Measure) -> list[str]:
        """The systems with the best mean; more than one where they differ by no more than rounding."""
        means = {row.system: row.mean for row in self.rows if row.measure == measure and row.mean == row.mean}
        if not means:
            return []
        best = (min if lower_is_better(measure) else max)(means.values())
        return [system for system, value in means.items() if same(value, best)]

    def top(self, number: int) -> list[tuple[Measure, str, str, float, float]]:
        """The queries for which systems differ most from the baseline: for each measure and system so many, by the size
        of the difference, ties in the order of the qrels: measure, system, query, the system's value, the baseline's.
        Queries without a difference are left out.
        """
        found = []
        for measure in self.measures:
            base = self.by_query[self.baseline][measure]
            for system in self.systems:
                if system != self.baseline:
                    values = self.by_query[system][measure]
                    differing = [query for query in base if not same(values[query], base[query])]
                    differing.sort(key=lambda query: -abs(values[query] - base[query]))
                    found += [(measure, system, query, values[query], base[query]) for query in differing[:number]]
        return found

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a frame, a column for each field of :class:`Beside`, measures as text."""
        import pandas as pd
        rows = [(row.system, self.names[row.measure], *row[2:]) for row in self.rows]
        return pd.DataFrame(rows, columns=Beside._fields)

    @property
    def query_frame(self) -> pd.DataFrame:
        """The value of each system, measure and query as a frame: ``system, measure, query_id, value``."""
        import pandas as pd
        return pd.DataFrame([(system, self.names[measure], query, value) for system, found in self.by_query.items()
                             for measure, values in found.items() for query, value in values.items()],
                            columns=['system', 'measure', 'query_id', 'value'])

    def __repr__(self) -> str:
        return f'<{type(self).__name__} of {len(self.systems)} systems to {self.baseline!r} by ' \
               f'{", ".join(self.names.values())}>'

    def _repr_html_(self) -> str:
        return html(self)


def for_latex(cell: str) -> str:
    """The text with what LaTeX reads as a command escaped."""
    return cell.translate(_LATEX)


def for_markdown(cell: str) -> str:
    """The text with what Markdown reads as a sign escaped."""
    return cell.translate(_MARKDOWN)


def text(comparison: SystemComparison, places: int = 4, bold: Callable[[str], str] = str) -> str:
    """A table a measure; ``bold`` marks the best mean, as a terminal can."""
    found = ['\n'.join(_aligned(comparison.names[measure], _cells(comparison, measure, places),
                                list(map(str, comparison.best(measure))), bold)) for measure in comparison.measures]
    return '\n\n'.join(found + _notes(comparison, _NOTE)) + '\n'


def _notes(comparison: SystemComparison, note: str) -> list[str]:
    return [note] if any(row.significant for row in comparison.rows) else []


def _cells(comparison: SystemComparison, measure: Measure, places: int) -> list[list[str]]:
    rows = [comparison.row(system, measure) for system in comparison.systems]
    intervals = any(row.low is not None for row in rows)
    heads = [_HEADS[0], _HEADS[1], *(['interval'] if intervals else []), *_HEADS[2:]]
    return [heads, *([str(row.system), _number(row.mean, places), *([_interval(row, places)] if intervals else []),
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
            marked.append(shown + stars.ljust(cells[0][column] == 'p corrected'))
        lines.append('  '.join(marked).rstrip())
    return lines


def markdown(comparison: SystemComparison, places: int = 4) -> str:
    """Systems × measures: means, the best in bold, the difference to the baseline behind each."""
    rows = _matrix(comparison, places, lambda cell: f'**{cell}**', for_markdown, '\\*')
    lines = ['| ' + ' | '.join(row) + ' |' for row in rows]
    rule = '|---' + '|---:' * len(comparison.measures) + '|'
    return '\n'.join([lines[0], rule, *lines[1:], *_notes(comparison, f'\n\\{_NOTE}')]) + '\n'


def latex(comparison: SystemComparison, places: int = 4) -> str:
    """The same for LaTeX with the package booktabs."""
    rows = _matrix(comparison, places, lambda cell: f'\\textbf{{{cell}}}', for_latex, '$^{*}$')
    lines = [' & '.join([name, *(cell.replace('-', '$-$') for cell in cells)]) + r' \\' for name, *cells in rows[1:]]
    return '\n'.join([f'\\begin{{tabular}}{{l{"r" * len(comparison.measures)}}}', r'\toprule',
                      ' & '.join(rows[0]) + r' \\', r'\midrule', *lines, r'\bottomrule', r'\end{tabular}',
                      *_notes(comparison, f'% {_NOTE}')]) + '\n'


def html(comparison: SystemComparison, places: int = 4) -> str:
    """The same for a notebook, in colour: better and worse than the baseline, strong where that is significant. The
    test, wins, losses and ties of a cell are told where one points at it."""
    from html import escape as escape_html  # only for whoever looks
    rows = _matrix(comparison, places, lambda cell: f'<b>{cell}</b>', escape_html, '*')
    head = ''.join(f'<th>{cell}</th>' for cell in rows[0])
    body = ''
    for system, (name, *cells) in zip(comparison.systems, rows[1:]):
        body += f'<tr><td style="text-align:left">{name}</td>'
        for measure, cell in zip(comparison.measures, cells):
            row = comparison.row(system, measure)
            better = None if not row.wins and not row.losses else (
                (row.difference or 0) < 0) == lower_is_better(measure)
            told = '' if row.difference is None else (
                f' title="p {_p(row.p)}, corrected {_p(row.p_corrected)}; {row.wins} wins, {row.losses} losses, '
                f'{row.ties} ties"').replace('<', '&lt;')
            body += f'<td style="text-align:right{shade(better, row.significant)}"{told}>{cell}</td>'
        body += '</tr>'
    note = ''.join(_notes(comparison, f'<p>{_NOTE}</p>'))
    return f'<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}'


def shade(better: bool | None, strong: bool) -> str:
    """The colour behind a cell, as the end of its style: green or red, thin over a light or dark page; None is none."""
    if better is None:
        return ''
    return f';background:rgba({"11,138,106" if better else "179,48,111"},{".4" if strong else ".14"})'


def _matrix(comparison: SystemComparison, places: int, bold: Callable[[str], str], escape: Callable[[str], str],
            star: str) -> list[list[str]]:
    rows = [['system', *(escape(name) for name in comparison.names.values())]]
    best = {measure: comparison.best(measure) for measure in comparison.measures}
    for system in comparison.systems:
        cells = [escape(str(system))]
        for measure in comparison.measures:
            row = comparison.row(system, measure)
            cell = _number(row.mean, places)
            cell = bold(cell) if system in best[measure] else cell
            difference = '' if row.difference is None else f' ({_number(row.difference, places, sign=True)})'
            interval = '' if row.low is None else f' {_interval(row, places)}'
            cells.append(cell + star * row.significant + interval + difference)
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
    if places >= 0:
        value = round(value, places) + 0.  # not -0
    return f'{value:{"+" if sign and value == value else ""}{"" if places < 0 else f".{places}f"}}'


def _p(value: float | None) -> str:
    return '' if value is None else '< 0.0001' if value < 0.00005 else f'{value:.4f}'


def _interval(row: Beside, places: int) -> str:
    return f'[{_number(row.low, places)}, {_number(row.high, places)}]'


FORMATS: dict[str, Callable[..., str]] = {'text': text, 'csv': as_csv, 'markdown': markdown, 'latex': latex,
                                          'json': as_json}
