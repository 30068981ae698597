"""Curves of systems: precision at levels of recall, and means over the values of a parameter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from ir_measures import Measure

from ir_segmeasures.measures.base import Number
from ir_segmeasures.segments.quoting import abbreviated
from ir_segmeasures.segments.segment import COUNTED, UNITS
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable
from ir_segmeasures.study.parameters import sensitivity
from ir_segmeasures.study.plots.figures import COLUMN, finish, judged_queries, new_axes, styles
from ir_segmeasures.study.scores import parse_measures, query_scores
from ir_segmeasures.study.statistics import mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ['parameter', 'precision_recall']


def precision_recall(measure: Measure | str, qrels: Any, runs: Mapping[str, Any],
                     levels: Iterable[float] | None = None, rel: float = 1, ax: Axes | None = None,
                     width: float = COLUMN) -> Axes:
    """Interpolated precision at each level of recall, a line a system, means over the queries with relevant content. Of
    ``Precall`` this is the graph of P(Rel|Retr) of de Vries et al. 2004 (Eq. 5), of ``igP`` Figure 4 of Pehcevski &
    Thom 2007.

    Args:
        measure: ``iSP``, ``igP``, ``iP``, ``Precall``, ``I3_P`` or another one that has a recall level, maybe with
            other parameters, such as ``'Precall(D=5000)'``
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
    known = getattr(default, 'SUPPORTED_PARAMS', {})
    param = 'recall' if isinstance(known.get('recall'), Number) else default.AT_PARAM
    info = known.get(param)
    if info is None or getattr(info, 'high', None) != 1:
        raise ValueError(f'{default} is not measured at levels of recall: take one that is, such as iSP, igP, iP or '
                         'Precall')
    levels = [level / 10 for level in range(11)] if levels is None else list(levels)
    levels = [level for level in levels if level > 0 or info.validate(0)]
    measures = {level: default(**{param: level}) for level in levels}
    qrels, judged = judged_queries(qrels, runs, rel)
    found = query_scores(list(measures.values()), qrels, runs)
    with new_axes(ax, len(runs), width=width) as ax:
        for name, style in zip(runs, styles()):
            ax.plot(levels, [mean(found[name][measures[level]][query] for query in judged) for level in levels],
                    label=abbreviated(str(name), 40), clip_on=False, **style)  # 0 is on the axis
        ax.set(xlabel='recall', xlim=(0, 1), ylim=(0, None))
        finish(ax, default, str(measure).partition('@')[0], len(runs))  # not at one level
    return ax


def parameter(measure: Measure | str, name: str, values: Sequence[Any], qrels: Any, runs: Mapping[str, Any],
              rel: float = 1, ax: Axes | None = None, width: float = COLUMN, unit: str | None = None) -> Axes:
    """The mean of each system over a range of one parameter, a line a system, or only marks where the values are no
    numbers.

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
    settings = sensitivity(measure, name, values, qrels, runs, rel)
    ordered = all(isinstance(value, Real) and not isinstance(value, bool) for value in values)
    if ordered:
        settings.sort(key=lambda setting: setting.value)
    places = [setting.value if ordered else place for place, setting in enumerate(settings)]
    means = [setting.means for setting in settings]
    with new_axes(ax, len(runs), width=width) as ax:
        for system, style in zip(runs, styles()):
            ax.plot(places, [by_system[system] for by_system in means], label=abbreviated(str(system), 40),
                    **style if ordered else {**style, 'linestyle': 'none', 'markersize': 4})
        if not ordered:  # nothing lies between two of the values
            ax.set_xticks(places, [str(setting.value) for setting in settings])
            ax.set_xlim(-.5, len(places) - .5)
        default, = parse_measures(measure)
        counted = _counted(default, name, qrels, unit)
        ax.set(xlabel=f'{name} ({counted})' if counted else name)
        if all(0 <= value <= 1 for by_system in means for value in by_system.values()):
            ax.set_ylim(0, None)
        finish(ax, default, measure, len(runs))
        if not ordered:  # among marks, those of the legend would look like values
            ax.legend(ncols=2, loc='lower center', bbox_to_anchor=(.5, 1))
    return ax


def _counted(measure: Measure, name: str, qrels: Any, unit: str | None) -> str | None:
    """The things that a parameter of a measure counts, such as seconds; None where it has no unit, or where the
    judgements do not tell one.
    """
    info = getattr(measure, 'SUPPORTED_PARAMS', {}).get(name)
    if 'in the unit of ' not in getattr(info, 'desc', ''):  # of the medium, or of tau, which is the same
        return None
    table = SegmentTable.from_qrels(from_pyterrier(qrels))
    units = {UNITS[code] for code in set(table.unit.tolist()) if code != NO_UNIT} or {unit}
    return COUNTED.get(units.pop() or '') if len(units) == 1 else None
