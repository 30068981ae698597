"""Bars: what each query gains from one run to another, and means over groups of queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ir_measures import Measure

from ir_segmeasures.segments.quoting import abbreviated
from ir_segmeasures.study.comparison import compare
from ir_segmeasures.study.diagnosis import diagnose
from ir_segmeasures.study.plots.figures import COLOURS, COLUMN, finish, fit_measure, judged_queries, new_axes, styles
from ir_segmeasures.study.scores import lower_is_better, parse_measures, query_scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ['group_means', 'query_differences']


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
    qrels, judged = judged_queries(qrels, runs, rel)
    first, second = (found[only] for found in query_scores([only], qrels, runs).values())
    turned = lower_is_better(only)
    sign = -1 if turned else 1
    differences = sorted(((second[query] - first[query]) * sign, query) for query in judged)[::-1]
    labels = [abbreviated(query, 14) for _, query in differences]
    with new_axes(ax, width=width) as ax:
        ax.bar(range(len(differences)), [difference for difference, _ in differences], tick_label=labels,
               color=[COLOURS[0] if difference > 0 else COLOURS[1] for difference, _ in differences])
        ax.axhline(0, color='black', linewidth=.8)
        a, b = (abbreviated(str(name), 36) for name in runs)
        ax.set(xlabel='query', ylabel=f'gain in {measure}' + ('\n(sign turned: lower is better)' if turned else ''))
        fit_measure(ax)
        ax.set_title(f'{b} over {a}' if len(a + b) < 34 else f'{b}\nover {a}', fontsize='medium')
        if len(differences) > 40:
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
    qrels, _ = judged_queries(qrels, runs, rel)
    found = diagnose(compare([only], qrels, runs), qrels, durations, rel)
    groups = list(dict.fromkeys((row.by, row.group, row.queries) for row in found.rows))
    kinds = list(dict.fromkeys(by for by, _, _ in groups))
    places = {group: number + kinds.index(group[0]) * .6 for number, group in enumerate(groups)}  # kinds stand apart
    bar = .8 / len(runs)
    with new_axes(ax, len(runs), extra=.7, width=width) as ax:
        for number, (system, style) in enumerate(zip(runs, styles())):
            bars = {places[row[:3]] + (number - (len(runs) - 1) / 2) * bar: row.mean
                    for row in found.rows if row.system == system}
            ax.bar(list(bars), list(bars.values()), bar, color=style['color'], label=abbreviated(str(system), 40))
        ax.set_xticks(list(places.values()), [f'{name} ({count})' for _, name, count in groups], rotation=45,
                      ha='right', rotation_mode='anchor')
        for kind in kinds:
            there = [place for (by, _, _), place in places.items() if by == kind]
            ax.text(sum(there) / len(there), 1.02, kind, transform=ax.get_xaxis_transform(), ha='center')
        ax.set_xlabel('true moments (number of queries)')
        finish(ax, only, measure, len(runs))
        ax.legend(ncols=2, loc='lower center', bbox_to_anchor=(.5, 1.1))
    return ax
