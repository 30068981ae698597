"""Plots of measures and systems for a paper: precision against recall, scores against a parameter, differences of two
runs by query, means over groups of queries, the timeline of one query, what holes in the judgements do.

Each function draws on the Axes that it is given, or on new ones that fit a column of a two-column paper (85 mm, 8 pt),
and returns them; :func:`save` writes their figure to a file. matplotlib, of the extra ``plots``, is imported when it is
first needed. Systems differ in colour (Okabe and Ito's, which colour-blind readers tell apart) and in the shape of
their line, and parts of a timeline in their hatching, so that print in grey will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import nan
from numbers import Real
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ir_measures import Measure

from ir_segmeasures.segments.basics import abbreviated
from ir_segmeasures.segments.segment import COUNTED, UNITS
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.comparison import compare
from ir_segmeasures.study.explanations import diagnose
from ir_segmeasures.study.measure_studies import sensitivity
from ir_segmeasures.study.missing_judgements import HoleEffect
from ir_segmeasures.study.plots.figures import COLOURS, COLUMN, finish, new_axes, save, styles, timeline
from ir_segmeasures.study.scores import lower_is_better, parse_measures, relevant_queries, relevant_scores
from ir_segmeasures.study.statistics import mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ['group_means', 'hole_effects', 'parameter', 'precision_recall', 'query_differences', 'save', 'timeline']


def precision_recall(measure: Measure | str, qrels: Any, runs: Mapping[str, Any],
                     levels: Iterable[float] | None = None, rel: float = 1, ax: Axes | None = None,
                     width: float = COLUMN) -> Axes:
    """Interpolated precision at each level of recall, a line a system, means over the queries with relevant content. Of
    ``Precall`` this is the graph of P(Rel|Retr) of de Vries et al. 2004 (Eq. 5), of ``igP`` Figure 4 of Pehcevski &
    Thom 2007, and of ``I3_P`` Figure 3 of Kazai 2005.

    Args:
        measure: ``iSP``, ``igP``, ``iP``, ``Precall``, ``I3_P`` or another one with a parameter that is a recall level,
            maybe with other parameters, such as ``'Precall(D=5000)'``
        qrels, runs: in any shape of ir-measures; runs by name
        levels: of recall; not given: 0, 0.1, … 1 (without 0 where the measure does not have it)
        rel: queries without a judgement of this relevance or more are left out
        ax: where to draw; not given: new Axes
        width: of new ones, in millimetres

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
    params = getattr(default, 'SUPPORTED_PARAMS', {})
    level, info = next(((name, params[name]) for name in ('level', 'recall') if name in params), ('', None))
    if info is None or info.dtype is str:  # recall='length' is not a level
        raise ValueError(f'{default} is not measured at levels of recall: take one that is, such as iSP, iP or Precall')
    levels = [place for place in ([tenth / 10 for tenth in range(11)] if levels is None else levels)
              if place > 0 or info.validate(0)]
    found = relevant_scores([default(**{level: place}) for place in levels], qrels, runs, rel)
    with new_axes(ax, len(runs), width=width) as ax:
        for name, style in styles(runs):
            ax.plot(levels, [mean(systems[name].values()) for systems in found.values()],
                    clip_on=False, **style)  # 0 is on the axis
        ax.set(xlabel='recall', xlim=(0, 1), ylim=(0, None))
        finish(ax, default, str(measure).partition('@')[0] if level == default.AT_PARAM else str(measure), len(runs))
    return ax


def parameter(measure: Measure | str, name: str, values: Sequence[Any], qrels: Any, runs: Mapping[str, Any],
              rel: float = 1, ax: Axes | None = None, width: float = COLUMN, unit: str | None = None) -> Axes:
    """The mean of each system over a range of one parameter, a line a system, or only marks where the values are
    not numbers.

    Args:
        measure: such as ``T2I_MAP`` or ``'AP_bin'``
        name, values: the parameter that varies and its values, such as ``'tau'`` and ``range(5, 65, 5)``
        qrels, runs, rel, ax, width: as for :func:`precision_recall`
        unit: of bare columns, ``'t'`` (seconds), ``'char'``, ``'word'`` …, for the label of the axis

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
        ('tau (seconds)', 'T2I_MAP', ['good', 'poor'])
    """
    settings, (default,) = sensitivity(measure, name, values, qrels, runs, rel), parse_measures(measure)
    ordered = all(isinstance(value, Real) and not isinstance(value, bool) for value in values)
    if ordered:
        settings.sort(key=lambda setting: setting.value)
    with new_axes(ax, len(runs), width=width) as ax:
        for system, style in styles(runs):
            ax.plot([setting.value if ordered else str(setting.value) for setting in settings],
                    [setting.means[system] for setting in settings],
                    **style if ordered else {**style, 'linestyle': 'none', 'markersize': 4})
        counted = _counted(default, name, qrels, unit)
        ax.set(xlabel=f'{name} ({counted})' if counted else name)
        if all(0 <= value <= 1 for setting in settings for value in setting.means.values()):
            ax.set_ylim(0, None)
        finish(ax, default, measure, len(runs))
    return ax


def _counted(measure: Measure, name: str, qrels: Any, unit: str | None) -> str | None:
    """The things that a parameter of a measure counts, such as seconds; None where it has no unit, or where the
    judgements do not tell one.
    """
    info = getattr(measure, 'SUPPORTED_PARAMS', {}).get(name)
    if 'in the unit of ' not in getattr(info, 'desc', ''):  # of the medium, or of tau, which is the same
        return None
    units = [UNITS[code] for code in SegmentTable.from_qrels(from_pyterrier(qrels)).units()] or [unit or '']
    return COUNTED.get(units[0]) if len(units) == 1 else None


def query_differences(measure: Measure | str, qrels: Any, runs: Mapping[str, Any], rel: float = 1,
                      ax: Axes | None = None, width: float = COLUMN) -> Axes:
    """The difference between two runs for each query, in the order of the difference: a bar a query, upwards where the
    second run is better; where lower is better, the label says that the sign was turned.

    Args:
        measure: one measure
        qrels, rel, ax, width: as for :func:`~ir_segmeasures.study.plots.precision_recall`
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
    first, second = relevant_scores([only], qrels, runs, rel)[only].values()
    sign, turned = (-1, '\n(sign turned: lower is better)') if lower_is_better(only) else (1, '')
    gains, ordered = zip(*sorted(((second[query] - first[query]) * sign, query) for query in first)[::-1])
    labels = [abbreviated(query, 14) for query in ordered]
    with new_axes(ax, width=width) as ax:
        ax.bar(range(len(gains)), gains, tick_label=labels, color=[COLOURS[gain <= 0] for gain in gains])
        ax.axhline(0, color='black', linewidth=.8)
        a, b = (abbreviated(str(name), 36) for name in runs)
        ax.set(xlabel='query', ylabel=fill(f'gain in {measure}', 32) + turned)
        ax.set_title(f'{b} over {a}' if len(a + b) < 34 else f'{b}\nover {a}', fontsize='medium')
        if len(gains) > 40:
            ax.set_xticks([])
        elif len(labels) + sum(map(len, labels)) > 40 / COLUMN * width:  # as large as fits beside each other
            ax.tick_params(axis='x', rotation=90, labelsize=min(6, 160 / COLUMN * width / len(labels)))
    return ax


def group_means(measure: Measure | str, qrels: Any, runs: Mapping[str, Any],
                durations: Mapping[str, float] | None = None, rel: float = 1, ax: Axes | None = None,
                width: float = COLUMN) -> Axes:
    """The mean of each system over groups of queries: by the length of the true moment, its place in the video, and the
    number of true moments (:func:`~ir_segmeasures.study.diagnose`); a bar a system, and the number of queries below.

    Args:
        measure: one measure
        qrels, runs, rel, ax, width: as for :func:`~ir_segmeasures.study.plots.precision_recall`
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
    qrels, _ = relevant_queries(qrels, rel)
    found = diagnose(compare([only], qrels, runs), qrels, durations, rel)
    groups = list(dict.fromkeys((row.by, row.group, row.queries) for row in found.rows))
    kinds = list(dict.fromkeys(by for by, _, _ in groups))
    places = {group: number + kinds.index(group[0]) * .6 for number, group in enumerate(groups)}  # kinds stand apart
    bar = .8 / len(runs)
    with new_axes(ax, len(runs), width=width, height=3.1) as ax:
        for number, (system, style) in enumerate(styles(runs)):
            bars = {places[row[:3]] + (number - (len(runs) - 1) / 2) * bar: row.mean
                    for row in found.rows if row.system == system}
            ax.bar(list(bars), list(bars.values()), bar, color=style['color'], label=style['label'])
        ax.set_xticks(list(places.values()), [f'{name} ({count})' for _, name, count in groups], rotation=45,
                      ha='right', rotation_mode='anchor')
        for kind in kinds:
            there = [place for (by, _, _), place in places.items() if by == kind]
            ax.text(sum(there) / len(there), 1.02, kind, transform=ax.get_xaxis_transform(), ha='center')
        ax.set_xlabel('true moments (number of queries)')
        finish(ax, only, measure, len(runs))
        ax.legend(ncols=2, loc='lower center', bbox_to_anchor=(.5, 1.1))
    return ax


def hole_effects(effects: Iterable[HoleEffect], names: Mapping[Measure, str] | None = None) -> Axes:
    """Three panels against the share of the judgements that is missing, or the team that is left out, a line a measure:
    Kendall's tau of the order of the systems, the share of the significant differences that stay, and the mean as a
    share of that with all judgements.

    Args:
        effects: what :func:`~ir_segmeasures.study.holes` returns
        names: what measures are called; not given: by their own names

    Returns:
        the Axes of the first panel

    Raises:
        ImportError: matplotlib is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import holes
        >>> from ir_segmeasures.study.plots import hole_effects
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> axes = hole_effects(holes('MAiSP', qrels, runs, drop=[.3, .6], repeats=2))
        >>> [panel.get_title() for panel in axes.figure.axes]
        ["Kendall's tau", 'significant as before', 'mean, as a share of the one without holes']
    """
    effects = list(effects)
    by_measure = {measure: [row for row in effects if row.measure == measure]
                  for measure in dict.fromkeys(row.measure for row in effects)}
    teams = list(dict.fromkeys(row.left_out for row in effects if row.left_out is not None))
    panels: dict[str, Callable[[HoleEffect, HoleEffect], float | None]] = {
        "Kendall's tau": lambda row, whole: row.kendall, 'significant as before': lambda row, whole: row.kept,
        'mean, as a share of the one without holes': lambda row, whole: row.mean / whole.mean if whole.mean else None}
    with new_axes(None, height=4.2, panels=3) as first:
        for ax, (title, value), lowest in zip(first.figure.axes, panels.items(), (-1.1, -.05, 0)):
            for measure, style in styles(by_measure, names):
                rows = by_measure[measure]
                found = [value(row, rows[0]) for row in rows]
                ax.plot(['none', *(abbreviated(team, 14) for team in teams)] if teams else
                        [row.dropped for row in rows], [nan if each is None else each for each in found], **style)
            ax.set_title(title, fontsize='medium')
            ax.set_ylim(lowest, 1.1 if lowest else None)
            ax.tick_params(axis='x', rotation=90 if teams else 0)
        ax.set_xlabel('team left out' if teams else 'share of the judgements dropped')
        figure: Any = first.figure
        figure.legend(*ax.get_legend_handles_labels(), loc='outside lower center', ncols=2)
    return first
