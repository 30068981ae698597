"""Pictures of measures and systems for a paper: precision against recall, scores against a parameter, queries of two
runs, the timeline of one query.

Each function draws on the Axes that it is given, or on new ones that fit a column of a two-column paper (85 mm, 8 pt),
and returns them. matplotlib, of the extra ``plots``, is imported when it is first needed. Systems differ in colour
(Okabe and Ito's, which colour-blind readers tell apart) and in the shape of their line, so that print in grey will do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import Measure

from ir_segmeasures.segments.quoting import shortened, shown
from ir_segmeasures.segments.segment import COUNTED, UNITS
from ir_segmeasures.segments.spans import merge
from ir_segmeasures.segments.tables.columns import of_pyterrier
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable
from ir_segmeasures.study.parameters import sensitivity
from ir_segmeasures.study.scores import lower_is_better, mean, parsed, relevant_queries, scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ['parameter', 'precision_recall', 'queries', 'timeline']

_COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000')
_LINES = ('-', '--', '-.', ':')
_MARKS = ('o', 's', '^', 'D', 'v')
_NEW, _AGAIN, _REST = '#009E73', '#E69F00', '#BBBBBB'
_WIDTH, _HEIGHT = 3.35, 2.4  # inches
_BESIDE = 14  # characters of a document's name that have room beside its lane
_BELOW: dict[str, Any] = {'loc': 'upper center', 'bbox_to_anchor': (.5, 0), 'borderaxespad': 4.2}  # of the axis' label
_IN_AXES = 6  # systems whose legend has room between the lines


def precision_recall(measure: Measure | str, qrels: Any, runs: Mapping[str, Any],
                     levels: Iterable[float] | None = None, rel: float = 1, ax: Axes | None = None) -> Axes:
    """Interpolated precision at each level of recall, a line a system, means over the queries with relevant content. Of
    ``Precall`` this is the graph of P(Rel|Retr) of de Vries et al. 2004 (Eq. 5), of ``igP`` Figure 4 of Pehcevski &
    Thom 2007.

    Args:
        measure: ``iSP``, ``igP``, ``iP``, ``Precall`` or another one whose ``@`` is a recall level, maybe with other
            parameters, such as ``'Precall(D=5000)'``
        qrels, runs: in any shape of ir-measures; runs by name
        levels: of recall; not given: 0, 0.1, … 1 (without 0 where the measure does not have it)
        rel: queries without a judgement of this relevance or more are left out
        ax: where to draw

    Raises:
        ValueError: a measure without a recall level, no run, or no query with a relevant judgement
        ImportError: matplotlib is not installed
    """
    default, = parsed(measure)
    info = getattr(default, 'SUPPORTED_PARAMS', {}).get(default.AT_PARAM)
    if info is None or getattr(info, 'high', None) != 1:
        raise ValueError(f'{default} is not measured at levels of recall: take one that is, such as iSP, igP, iP or '
                         'Precall')
    levels = [level / 10 for level in range(11)] if levels is None else list(levels)
    levels = [level for level in levels if level > 0 or info.validate(0)]
    measures = {level: default(**{default.AT_PARAM: level}) for level in levels}
    qrels, judged = _judged(qrels, runs, rel)
    found = scores(list(measures.values()), qrels, runs)
    with _axes(ax, len(runs)) as ax:
        for name, style in zip(runs, _styles()):
            ax.plot(levels, [mean(found[name][measures[level]][query] for query in judged) for level in levels],
                    label=shortened(str(name), 40), clip_on=False, **style)  # 0 is on the axis
        ax.set(xlabel='recall', xlim=(0, 1), ylim=(0, None))
        _finish(ax, default, str(measure).partition('@')[0], len(runs))  # not at one level
    return ax


def parameter(measure: Measure | str, name: str, values: Sequence[Any], qrels: Any, runs: Mapping[str, Any],
              rel: float = 1, ax: Axes | None = None) -> Axes:
    """The mean of each system over a range of one parameter, a line a system.

    Args:
        measure: such as ``T2I_MAP`` or ``'AP_bin'``
        name, values: what varies, such as ``'tau'`` and ``range(5, 65, 5)``
        qrels, runs, rel, ax: as for :func:`precision_recall`

    Raises:
        ValueError: as :func:`~ir_segmeasures.study.sensitivity`
        ImportError: matplotlib or SciPy is not installed
    """
    settings = sensitivity(measure, name, values, qrels, runs, rel)
    with _axes(ax, len(runs)) as ax:
        for system, style in zip(runs, _styles()):
            ax.plot([setting.value for setting in settings], [setting.means[system] for setting in settings],
                    label=shortened(str(system), 40), **style)
        ax.set(xlabel=name)
        _finish(ax, parsed(measure)[0], measure, len(runs))
    return ax


def queries(measure: Measure | str, qrels: Any, runs: Mapping[str, Any], rel: float = 1,
            ax: Axes | None = None) -> Axes:
    """What each query gains or loses by the second of two runs, in the order of the difference: a bar a query, upwards
    where the second run is better.

    Args:
        measure: one measure
        qrels, rel, ax: as for :func:`precision_recall`
        runs: the two runs, by name

    Raises:
        ValueError: not two runs, or no query with a relevant judgement
        ImportError: matplotlib is not installed
    """
    if len(runs) != 2:
        raise ValueError(f'{len(runs)} runs were given, but the queries of two are compared: give two')
    only, = parsed(measure)
    qrels, judged = _judged(qrels, runs, rel)
    first, second = (found[only] for found in scores([only], qrels, runs).values())
    sign = -1 if lower_is_better(only) else 1
    differences = sorted(((second[query] - first[query]) * sign, query) for query in judged)[::-1]
    labels = [shortened(query, 14) for _, query in differences]
    with _axes(ax) as ax:
        ax.bar(range(len(differences)), [difference for difference, _ in differences], tick_label=labels,
               color=[_COLOURS[0] if difference > 0 else _COLOURS[1] for difference, _ in differences])
        ax.axhline(0, color='black', linewidth=.8)
        a, b = (shortened(str(name), 36) for name in runs)
        ax.set(xlabel='query', ylabel=f'gain in {measure}')
        _fit(ax)
        ax.set_title(f'{b} over {a}' if len(a + b) < 34 else f'{b}\nover {a}', fontsize='medium')
        if len(differences) > 40:
            ax.set_xticks([])
        elif len(labels) + sum(map(len, labels)) > 40:  # as large as fits beside each other
            ax.tick_params(axis='x', rotation=90, labelsize=min(6, 160 / len(labels)))
    return ax


def timeline(qrels: Any, run: Any, query: str, documents: int = 3, items: int = 10, rel: float = 1,
             unit: str | None = None, ax: Axes | None = None) -> Axes:
    """The judged spans and the results of one query in time: a lane for each document's spans and one for each of its
    results, by rank, new relevant content, repeated relevant content and the rest in three colours.

    Args:
        qrels, run: in any shape of ir-measures
        query: its id
        documents: how many, in the order of their first result; those without a result after them
        items: how many results, from the first rank
        rel: minimum relevance of a judged segment
        unit: of bare columns, ``'t'`` (seconds), ``'char'``, ``'word'`` …, for the label of the axis
        ax: where to draw

    Raises:
        ValueError: the qrels have no relevant judgement for the query, or a result or span runs to an end that is not
            known
        ImportError: matplotlib is not installed
    """
    spans, known = _spans(SegmentTable.from_qrels(of_pyterrier(qrels)), query, rel)
    unit = known or unit
    results = _results(SegmentTable.from_run(of_pyterrier(run)), query, items)
    drawn = list(dict.fromkeys([document for _, document, *_ in results] + list(spans)))[:documents]
    if not all(isfinite(end) for document in drawn for _, end in spans.get(document, ())) or \
            not all(isfinite(end) for _, document, _, end in results if document in drawn):
        raise ValueError(f'query {shown(query)} has segments that run to an end that is not known: resolve() them with '
                         'a table of the documents')
    with _axes(ax) as ax:
        ticks: list[str] = []
        for document in drawn:
            beside = len(document) <= _BESIDE
            if not beside:
                ax.axhspan(len(ticks) - .5, len(ticks) + .5, color='#f2f2f2', zorder=0)
                ax.text(.01, len(ticks), shortened(document, 60), transform=ax.get_yaxis_transform(), va='center',
                        fontsize='x-small')
                ticks.append('')
            ax.axhspan(len(ticks) - .5, len(ticks) + .5, color='#f2f2f2', zorder=0)
            seen: list[tuple[float, float]] = []
            _bars(ax, len(ticks), spans.get(document, []), '#555555')
            ticks.append(document if beside else '')
            for rank, other, start, end in results:
                if other == document:
                    relevant = _common([(start, end)], spans.get(document, []))
                    _bars(ax, len(ticks), [(start, end)], _REST)
                    _bars(ax, len(ticks), relevant, _NEW)
                    _bars(ax, len(ticks), _common(relevant, seen), _AGAIN)
                    if start == end:
                        ax.plot([start], [len(ticks)], marker='|', color='black')
                    seen.append((start, end))
                    ticks.append(str(rank))
        ax.set(yticks=range(len(ticks)), yticklabels=ticks, xlabel=COUNTED.get(unit or '', 'position'))
        ax.set_title(shortened(query, 50), fontsize='medium')
        ax.tick_params(axis='y', length=0, labelsize=min(7, 100 / len(ticks)))
        ax.set_xlim(left=0)
        ax.invert_yaxis()
        _key(ax)
    return ax


def _spans(table: SegmentTable, query: str, rel: float) -> tuple[dict[str, list[tuple[float, float]]], str | None]:
    """The relevant spans of a query by document, and their unit, None of bare columns."""
    code = table.query_ids.index(query) if query in table.query_ids else -1
    rows = np.flatnonzero((table.query == code) & (table.value >= rel))
    if not rows.size:
        raise ValueError(f'query {shown(query)} has no judgement of relevance {shown(rel)} or more: name one that has')
    spans: dict[str, list[tuple[float, float]]] = {}
    for document, start, end in zip(*(column.tolist() for column in
                                      merge(table.document[rows], table.start[rows], table.end[rows]))):
        spans.setdefault(table.document_ids[document], []).append((start, end))
    unit = int(table.unit[rows[0]])
    return spans, None if unit == NO_UNIT else UNITS[unit]


def _results(table: SegmentTable, query: str, items: int) -> list[tuple[int, str, float, float]]:
    """The first results of a query: rank, document, start, end."""
    code = table.query_ids.index(query) if query in table.query_ids else -1
    rows = np.flatnonzero(table.query == code)[:items]
    return [(rank, table.document_ids[document], start, end) for rank, (document, start, end) in enumerate(
        zip(table.document[rows].tolist(), table.start[rows].tolist(), table.end[rows].tolist()), 1)]


def _common(intervals: Iterable[tuple[float, float]],
            others: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(max(start, low), min(end, high)) for start, end in intervals for low, high in others
            if max(start, low) < min(end, high)]


def _bars(ax: Axes, lane: int, intervals: Iterable[tuple[float, float]], colour: str) -> None:
    ax.broken_barh([(start, end - start) for start, end in intervals], (lane - .35, .7), facecolors=colour)


def _key(ax: Axes) -> None:
    patches = import_module('matplotlib.patches')
    ax.legend(handles=[patches.Patch(color=colour, label=label) for colour, label in (
        ('#555555', 'relevant'), (_NEW, 'found'), (_AGAIN, 'found again'), (_REST, 'not relevant'))],
        ncols=4, columnspacing=.9, handlelength=.9, handletextpad=.5, frameon=False, **_BELOW)


def _finish(ax: Axes, measure: Measure, asked: Measure | str, systems: int) -> None:
    """The label of the measure, and the legend: below where there is no room for so many systems."""
    ax.set_ylabel(f'{asked}\n(lower is better)' if lower_is_better(measure) else str(asked))
    _fit(ax)
    ax.legend(**{'ncols': 2, **_BELOW} if systems > _IN_AXES else {})


def _fit(ax: Axes) -> None:
    """The name of a measure as large as fits beside its axis."""
    label = ax.yaxis.label
    longest = max(map(len, label.get_text().splitlines()))
    label.set_fontsize(min(label.get_fontsize(), 8 * 26 / longest))


def _judged(qrels: Any, runs: Mapping[str, Any], rel: float) -> tuple[Any, list[str]]:
    if not runs:
        raise ValueError('there is no run to draw: give at least one')
    return relevant_queries(qrels, rel)


def _styles() -> Iterator[dict[str, Any]]:
    for colour, line, mark in zip(cycle(_COLOURS), cycle(_LINES), cycle(_MARKS)):
        yield {'color': colour, 'linestyle': line, 'linewidth': 1.2, 'marker': mark, 'markersize': 2.5}


@contextmanager
def _axes(ax: Axes | None, systems: int = 1) -> Iterator[Axes]:
    """The Axes, or new ones in the size and type of a paper's column, higher where a legend of systems stands below."""
    try:
        pyplot, matplotlib = import_module('matplotlib.pyplot'), import_module('matplotlib')
    except ImportError as error:
        raise ImportError(f"plots need matplotlib, which cannot be imported ({error}): install "
                          "'ir_segmeasures[plots]'") from error
    if ax is not None:
        yield ax
        return
    with matplotlib.rc_context({'font.size': 8, 'legend.fontsize': 7, 'legend.frameon': False, 'pdf.fonttype': 42,
                                'svg.fonttype': 'none', 'axes.spines.top': False, 'axes.spines.right': False}):
        height = _HEIGHT + (.07 * systems if systems > _IN_AXES else 0)
        yield pyplot.subplots(figsize=(_WIDTH, height), layout='constrained')[1]
