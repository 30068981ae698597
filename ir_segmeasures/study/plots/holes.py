"""Plots of what holes in the judgements do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import nan
from typing import TYPE_CHECKING

from ir_measures import Measure

from ir_segmeasures.segments.quoting import abbreviated
from ir_segmeasures.study.plots.figures import new_axes, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ir_segmeasures.study.missing_judgements import HoleEffect

__all__ = ['hole_effects']


def hole_effects(effects: Iterable[HoleEffect], names: Mapping[Measure, str] | None = None,
                 ax: Axes | None = None) -> Axes:
    """The order of the systems against the share of the judgements that is missing, or the team that is left out: for
    each measure Kendall's tau (a line, or filled marks), the share of the significant differences that stay (dashed, or
    hollow), and the mean as a share of that with all judgements (dotted, or bars).

    Args:
        effects: what :func:`~ir_segmeasures.study.holes` returns
        names: what measures are called; not given: by their own names
        ax: where to draw

    Raises:
        ImportError: matplotlib is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import holes
        >>> from ir_segmeasures.study.plots import hole_effects
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> axes = hole_effects(holes('MAiSP', qrels, runs, drop=[.3, .6], repeats=2))
        >>> axes.get_xlabel(), [len(line.get_xdata()) for line in axes.lines]
        ('share of the judgements dropped', [3, 3, 3])
    """
    by_measure: dict[Measure, list[HoleEffect]] = {}
    for effect in effects:
        by_measure.setdefault(effect.measure, []).append(effect)
    teams = [row.left_out for rows in list(by_measure.values())[:1] for row in rows if row.left_out is not None]
    with new_axes(ax, len(by_measure), extra=.5) as ax:
        for number, ((measure, rows), style) in enumerate(zip(by_measure.items(), styles())):
            beside = .6 * ((number + .5) / len(by_measure) - .5)  # equal values would hide each other
            at = [place + beside for place in range(len(rows))] if teams else [row.dropped for row in rows]
            curves = {'-': [row.kendall for row in rows], '--': [row.kept for row in rows],
                      ':': [row.mean / rows[0].mean if rows[0].mean else None for row in rows]}
            for (line, values), mark in zip(curves.items(), (style['marker'], style['marker'] if teams else '', '_')):
                ax.plot(at, [nan if value is None else value for value in values], **style | {
                    'linestyle': '' if teams else line, 'marker': mark if teams or line != ':' else '',
                    'markerfacecolor': 'none' if line == '--' else style['color'], 'markersize': 4 if teams else 2.5,
                    'label': abbreviated((names or {}).get(measure, str(measure)), 40) if line == '-' else None})
        if teams:
            ax.set_xticks(range(len(teams) + 1), ['none', *(abbreviated(team, 14) for team in teams)], rotation=90)
        looks = ('filled', 'hollow', 'bar') if teams else ('-', '- -', '···')
        ax.set(xlabel='team left out' if teams else 'share of the judgements dropped', ylabel=(
            "Kendall's tau ({})\nsignificant as before ({})\nmean ({})".format(*looks)))
        ax.legend(loc='lower center', bbox_to_anchor=(.5, 1), ncols=2)
    return ax
