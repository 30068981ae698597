"""Plots of measures and systems for a paper: precision against recall, scores against a parameter, differences of two
runs by query, the timeline of one query.

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

from ir_measures import Measure

from ir_segmeasures.segments.old_names import renamed
from ir_segmeasures.segments.quoting import abbreviated, quoted
from ir_segmeasures.segments.segment import COUNTED
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.comparison import compare
from ir_segmeasures.study.diagnosis import diagnose
from ir_segmeasures.study.parameters import sensitivity
from ir_segmeasures.study.scores import lower_is_better, parse_measures, query_scores, relevant_queries
from ir_segmeasures.study.statistics import mean
from ir_segmeasures.study.view.timelines import LEGEND, build_timelines, stack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ['group_means', 'parameter', 'precision_recall', 'query_differences', 'timeline']

_COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000')
_LINES = ('-', '--', '-.', ':')
_MARKS = ('o', 's', '^', 'D', 'v')
_WIDTH, _HEIGHT = 3.35, 2.4  # inches
_BESIDE = 14  # characters of a document's name that have room beside its lane
_BELOW: dict[str, Any] = {'loc': 'upper center', 'bbox_to_anchor': (.5, 0), 'borderaxespad': 4.2}  # of the axis' label
_IN_AXES = 6  # systems whose legend has room between the lines
_LANE_WIDTH, _RANK_WIDTH = 200, 3  # of a timeline, in points: the whole lane, and a digit of a rank
_ROWS, _ROW_HEIGHT = 9, .15  # rows of a timeline that have room in the usual height, and inches for each further row


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

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> axes = plots.precision_recall('iSP', qrels, runs)
        >>> axes.get_xlabel(), axes.get_ylabel(), len(axes.lines[0].get_xdata())
        ('recall', 'iSP', 11)
    """
    default, = parse_measures(measure)
    info = getattr(default, 'SUPPORTED_PARAMS', {}).get(default.AT_PARAM)
    if info is None or getattr(info, 'high', None) != 1:
        raise ValueError(f'{default} is not measured at levels of recall: take one that is, such as iSP, igP, iP or '
                         'Precall')
    levels = [level / 10 for level in range(11)] if levels is None else list(levels)
    levels = [level for level in levels if level > 0 or info.validate(0)]
    measures = {level: default(**{default.AT_PARAM: level}) for level in levels}
    qrels, judged = _judged(qrels, runs, rel)
    found = query_scores(list(measures.values()), qrels, runs)
    with _axes(ax, len(runs)) as ax:
        for name, style in zip(runs, _styles()):
            ax.plot(levels, [mean(found[name][measures[level]][query] for query in judged) for level in levels],
                    label=abbreviated(str(name), 40), clip_on=False, **style)  # 0 is on the axis
        ax.set(xlabel='recall', xlim=(0, 1), ylim=(0, None))
        _finish(ax, default, str(measure).partition('@')[0], len(runs))  # not at one level
    return ax


def parameter(measure: Measure | str, name: str, values: Sequence[Any], qrels: Any, runs: Mapping[str, Any],
              rel: float = 1, ax: Axes | None = None) -> Axes:
    """The mean of each system over a range of one parameter, a line a system.

    Args:
        measure: such as ``T2I_MAP`` or ``'AP_bin'``
        name, values: the parameter that varies and its values, such as ``'tau'`` and ``range(5, 65, 5)``
        qrels, runs, rel, ax: as for :func:`precision_recall`

    Raises:
        ValueError: see :func:`~ir_segmeasures.study.sensitivity`
        ImportError: matplotlib or SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> axes = plots.parameter('T2I_MAP', 'tau', [5, 15, 30], qrels, runs)
        >>> axes.get_xlabel(), axes.get_ylabel(), [line.get_label() for line in axes.lines]
        ('tau', 'T2I_MAP', ['good', 'poor'])
    """
    settings = sensitivity(measure, name, values, qrels, runs, rel)
    with _axes(ax, len(runs)) as ax:
        for system, style in zip(runs, _styles()):
            ax.plot([setting.value for setting in settings], [setting.means[system] for setting in settings],
                    label=abbreviated(str(system), 40), **style)
        ax.set(xlabel=name)
        _finish(ax, parse_measures(measure)[0], measure, len(runs))
    return ax


def query_differences(measure: Measure | str, qrels: Any, runs: Mapping[str, Any], rel: float = 1,
                      ax: Axes | None = None) -> Axes:
    """The difference between two runs for each query, in the order of the difference: a bar a query, upwards where the
    second run is better.

    Args:
        measure: one measure
        qrels, rel, ax: as for :func:`precision_recall`
        runs: the two runs, by name

    Raises:
        ValueError: not two runs, or no query with a relevant judgement
        ImportError: matplotlib is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('poor', 'good')}
        >>> axes = plots.query_differences('MAiSP', qrels, runs)
        >>> axes.get_title(), len(axes.patches)
        ('good over poor', 10)
    """
    if len(runs) != 2:
        raise ValueError(f'{len(runs)} runs were given, but the queries of two are compared: give two')
    only, = parse_measures(measure)
    qrels, judged = _judged(qrels, runs, rel)
    first, second = (found[only] for found in query_scores([only], qrels, runs).values())
    sign = -1 if lower_is_better(only) else 1
    differences = sorted(((second[query] - first[query]) * sign, query) for query in judged)[::-1]
    labels = [abbreviated(query, 14) for _, query in differences]
    with _axes(ax) as ax:
        ax.bar(range(len(differences)), [difference for difference, _ in differences], tick_label=labels,
               color=[_COLOURS[0] if difference > 0 else _COLOURS[1] for difference, _ in differences])
        ax.axhline(0, color='black', linewidth=.8)
        a, b = (abbreviated(str(name), 36) for name in runs)
        ax.set(xlabel='query', ylabel=f'gain in {measure}')
        _fit(ax)
        ax.set_title(f'{b} over {a}' if len(a + b) < 34 else f'{b}\nover {a}', fontsize='medium')
        if len(differences) > 40:
            ax.set_xticks([])
        elif len(labels) + sum(map(len, labels)) > 40:  # as large as fits beside each other
            ax.tick_params(axis='x', rotation=90, labelsize=min(6, 160 / len(labels)))
    return ax


def group_means(measure: Measure | str, qrels: Any, runs: Mapping[str, Any],
                durations: Mapping[str, float] | None = None, rel: float = 1, ax: Axes | None = None) -> Axes:
    """The mean of each system over groups of queries: by the length of the true moment, its place in the video, and the
    number of true moments (:func:`~ir_segmeasures.study.diagnose`); a bar a system, and the number of queries below.

    Args:
        measure: one measure
        qrels, runs, rel, ax: as for :func:`precision_recall`
        durations: document → its length in seconds, for the place

    Raises:
        ValueError: see :func:`~ir_segmeasures.study.diagnose`; no run
        ImportError: matplotlib or SciPy is not installed

    Examples:
        >>> from ir_segmeasures.study import plots
        >>> qrels = {'q': {'v#t=0,8': 1}, 'r': {'v#t=20,60': 1}}
        >>> axes = plots.group_means('mIoU@1', qrels, {'mine': {'q': {'v#t=0,8': 1}}})
        >>> [label.get_text() for label in axes.get_xticklabels()]
        ['up to 10 s (1)', 'above 30 s (1)', '1 (2)']
    """
    only, = parse_measures(measure)
    qrels, _ = _judged(qrels, runs, rel)
    found = diagnose(compare([only], qrels, runs), qrels, durations, rel)
    groups = list(dict.fromkeys((row.by, row.group, row.queries) for row in found.rows))
    kinds = list(dict.fromkeys(by for by, _, _ in groups))
    places = {group: number + kinds.index(group[0]) * .6 for number, group in enumerate(groups)}  # kinds stand apart
    width = .8 / len(runs)
    with _axes(ax, len(runs), extra=.7) as ax:
        for number, (system, style) in enumerate(zip(runs, _styles())):
            bars = {places[row[:3]] + (number - (len(runs) - 1) / 2) * width: row.mean
                    for row in found.rows if row.system == system}
            ax.bar(list(bars), list(bars.values()), width, color=style['color'], label=abbreviated(str(system), 40))
        ax.set_xticks(list(places.values()), [f'{name} ({count})' for _, name, count in groups], rotation=45,
                      ha='right', rotation_mode='anchor')
        for kind in kinds:
            there = [place for (by, _, _), place in places.items() if by == kind]
            ax.text(sum(there) / len(there), 1.02, kind, transform=ax.get_xaxis_transform(), ha='center')
        _finish(ax, only, measure, len(runs))
        ax.legend(ncols=2, loc='lower center', bbox_to_anchor=(.5, 1.1))
    return ax


def timeline(qrels: Any, run: Any, query: str, documents: int = 3, items: int = 10, rel: float = 1,
             unit: str | None = None, ax: Axes | None = None) -> Axes:
    """The judged spans and the items of one query in time, as the page and :func:`ir_segmeasures.show` draw them: for
    each document a lane of judged spans, and below it the items with their ranks. Parts of items that are relevant and
    new, relevant but seen before, and not relevant have three colours.

    Args:
        qrels, run: in any shape of ir-measures
        query: its id
        documents: how many at most, in the order of their first item, then those without an item; those with relevant
            spans have room first
        items: how many items, from the first rank
        rel: minimum relevance of a judged segment
        unit: of bare columns, ``'t'`` (seconds), ``'char'``, ``'word'`` …, for the label of the axis
        ax: where to draw

    Raises:
        ValueError: the qrels have no relevant judgement for the query, or an item or span runs to an end that is not
            known
        ImportError: matplotlib is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> axes = plots.timeline(qrels, formats.read_run(sample.path('good.run')), 'q1', documents=2)
        >>> [label.get_text() for label in axes.get_yticklabels()]
        ['bees-01', 'bees-03']
    """
    judged, table = SegmentTable.from_qrels(from_pyterrier(qrels)), SegmentTable.from_run(from_pyterrier(run))
    timelines = build_timelines(judged.of_queries([query]), {'': table.of_queries([query])}, rel, unit)
    if not timelines.queries or not timelines.queries[0].R:
        raise ValueError(f'query {quoted(query)} has no judgement of relevance {quoted(rel)} or more: name one that '
                         'has')
    drawn, _ = timelines.queries[0].picture(documents, items)
    ends = [bar.end for document in drawn for bars in (document.judged, document.runs[0]) for bar in bars]
    if not all(map(isfinite, ends)):
        raise ValueError(f'query {quoted(query)} has segments that run to an end that is not known: resolve() them '
                         'with a table of the documents')
    longest = max(document.extent for document in drawn) or 1
    lanes = [(timelines.documents[document.document], document,
              stack(document.runs[0], longest, _LANE_WIDTH, _RANK_WIDTH)) for document in drawn]
    rows = sum(1 + (len(name) > _BESIDE) + max((row + 1 for _, row, _ in placed), default=0)
               for name, _, placed in lanes)
    with _axes(ax, extra=max(0, rows - _ROWS) * _ROW_HEIGHT) as ax:
        top, ticks = 0, {}
        for name, document, placed in lanes:
            if len(name) > _BESIDE:
                ax.text(.01, top, abbreviated(name, 60), transform=ax.get_yaxis_transform(), va='center',
                        fontsize='x-small')
                top += 1
            else:
                ticks[top] = name
            ax.broken_barh([(0, document.extent)], (top - .5, 1), facecolors='#f2f2f2', zorder=0)
            _bars(ax, top - .35, .5, 'relevant', document.relevant)
            _bars(ax, top + .25, .15, 'irrelevant', [span for span in document.judged if not span.relevant])
            for item, row, label in placed:
                low = top + row + 1
                ax.text(label / _LANE_WIDTH * longest, low + .02, str(item.rank), fontsize=4.5, va='bottom')
                _bars(ax, low + .05, .4, 'rest', [item])
                _bars(ax, low + .05, .4, 'new', [part for part in item.parts if part.new])
                _bars(ax, low + .05, .4, 'repeated', [part for part in item.parts if not part.new])
                if item.start == item.end:
                    ax.plot([item.start], [low + .25], marker='|', color='black')
            top += 1 + max((row + 1 for _, row, _ in placed), default=0)
        units = {timelines.units[document.document] for document in drawn}
        ax.set(yticks=list(ticks), yticklabels=list(ticks.values()),
               xlabel=COUNTED.get(units.pop() or '' if len(units) == 1 else '', 'position'))
        ax.set_title(abbreviated(query, 50), fontsize='medium')
        ax.tick_params(axis='y', length=0, labelsize=7)
        ax.set(xlim=(0, longest * 1.02), ylim=(top - .4, -.6))
        _legend(ax)
    return ax


def _bars(ax: Axes, low: float, height: float, kind: str, bars: Iterable[Any]) -> None:
    """Bars of one kind from the starts to the ends of spans, items or parts."""
    ax.broken_barh([(bar.start, bar.end - bar.start) for bar in bars], (low, height), facecolors=LEGEND[kind].colour)


def _legend(ax: Axes) -> None:
    patches = import_module('matplotlib.patches')
    ax.legend(handles=[patches.Patch(color=colour, label=label) for label, colour in LEGEND.values()], ncols=3,
              columnspacing=.9, handlelength=.9, handletextpad=.5, frameon=False, fontsize=6,
              **{**_BELOW, 'borderaxespad': 5})


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
def _axes(ax: Axes | None, systems: int = 1, extra: float = 0) -> Iterator[Axes]:
    """The Axes, or new ones in the size and type of a paper's column, higher where a legend of systems stands below,
    or by some extra inches.
    """
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
        height = _HEIGHT + (.07 * systems if systems > _IN_AXES else 0) + extra
        yield pyplot.subplots(figsize=(_WIDTH, height), layout='constrained')[1]


if not TYPE_CHECKING:
    __getattr__ = renamed(__name__)
