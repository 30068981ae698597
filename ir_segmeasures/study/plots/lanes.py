"""Timelines of a query: lanes of judged spans and of the items of runs, document by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_segmeasures.segments.quoting import abbreviated, quoted
from ir_segmeasures.segments.segment import COUNTED
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.plots.figures import BELOW, COLUMN, INCH, new_axes
from ir_segmeasures.study.view.colours import LEGEND
from ir_segmeasures.study.view.timelines import DocumentTimeline, TimelineItem, build_timelines, stack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ['timeline']

_BESIDE = 14  # characters of a name that have room beside its lane
_NAMES, _RANK_WIDTH = 60, 3.4  # points: beside the lanes, and a digit of a rank
_AROUND, _ROW, _LINE = .75, .17, .1  # inches: title and axis, a row, and a line of the legend or the title
_GAP = .3  # rows between documents
_WIDE = 75  # millimetres from which on entries of the legend have room beside each other
# White on colour, so that print in grey tells the parts apart.
_HATCHES = {'new': '//////', 'continued': r'\\\\\\', 'repeated': '|||||'}
_CLOCK = 120  # seconds from which on times are those of a clock
_STEPS = (15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000, 86400)  # seconds between two of these
_TICK, _LETTER = 32, 4.8  # points that a time needs, and a letter of the title


def timeline(qrels: Any, run: Any, query: str, documents: int = 3, items: int = 10, rel: float = 1,
             unit: str | None = None, ax: Axes | None = None, width: float = COLUMN,
             lengths: Mapping[str, float] | None = None) -> Axes:
    """The judged spans and the items of one query in time, as the page and :func:`ir_segmeasures.show` draw them: for
    each document a lane of judged spans, and below it the items of each run with their ranks. Parts of items that are
    relevant and new, relevant but seen before, and not relevant differ in colour and hatching.

    Args:
        qrels: in any shape of ir-measures
        run: in any shape of ir-measures, or several runs by name, which stand one below the other
        query: its id
        documents: how many at most, in the order of their first item, then those without an item; those with relevant
            spans have room first
        items: how many items of each run, from the first rank
        rel: minimum relevance of a judged segment
        unit: of bare columns, ``'t'`` (seconds), ``'char'``, ``'word'`` …, for the label of the axis
        ax: where to draw; not given: new Axes, as high as the lanes need
        width: of new ones, in millimetres
        lengths: document → its length; a lane ends there, or, where it is not known, at the last segment

    Raises:
        ValueError: the query is not judged, or no run
        ImportError: matplotlib is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('poor', 'good')}
        >>> axes = plots.timeline(qrels, runs['good'], 'q1', documents=2)
        >>> axes.get_title(), [label.get_text() for label in axes.get_yticklabels()]
        ('query q1, ranks 1–10 of 20', ['bees-01', 'bees-03'])
        >>> axes = plots.timeline(qrels, runs, 'q1', documents=1)
        >>> [label.get_text() for label in axes.get_yticklabels()]
        ['bees-01', 'poor', 'good']
    """
    judged = SegmentTable.from_qrels(from_pyterrier(qrels))
    runs = {name: SegmentTable.from_run(from_pyterrier(each)).of_queries([query])
            for name, each in (run.items() if _several(run) else [('', run)])}
    timelines = build_timelines(judged.of_queries([query]), runs.items(), rel, unit, lengths)
    if not timelines.queries:
        raise ValueError(f'the qrels have no judgement of query {quoted(query)}: give the id of a judged query')
    only, = timelines.queries
    drawn, _ = only.picture(documents, items)
    points = width / INCH * 72 - _NAMES
    longest = max((document.extent for document in drawn), default=0) or 1
    lanes = _lanes(drawn, timelines.documents, list(runs), points, longest)
    columns = 3 if width > _WIDE else 1
    rows = sum(lane.rows for lane in lanes) + _GAP * (len(drawn) - 1)
    title = _title(list(runs), query, items, [len(ranked.document) for ranked in only.ranked],
                   int((points + 16) / _LETTER))
    lines = len(LEGEND) // columns + title.count('\n')
    with new_axes(ax, width=width, height=_AROUND + _ROW * rows + _LINE * lines) as ax:
        top, ticks, kinds = -_GAP, {}, {'relevant'}
        for lane in lanes:
            top += _GAP if lane.placed is None else 0
            high = len(lane.name) > _BESIDE
            if high:
                ax.text(.01, top, abbreviated(lane.name, int(60 / COLUMN * width)), va='center', fontsize='x-small',
                        transform=ax.get_yaxis_transform())
            elif lane.name:
                ticks[top] = lane
            kinds |= lane.draw(ax, top + high)
            top += lane.rows
        ax.set_yticks(list(ticks), [lane.name for lane in ticks.values()])
        for label, lane in zip(ax.get_yticklabels(), ticks.values()):
            label.set_fontstyle('normal' if lane.placed is None else 'italic')
        ax.tick_params(axis='y', length=0, labelsize=7)
        units = {timelines.units[document.document] for document in drawn}
        _label_axis(ax, (units.pop() or '') if len(units) == 1 else '', longest, int(points / _TICK))
        ax.set(xlim=(0, longest * 1.02), ylim=(top - .4, -.6))
        ax.set_title(title, fontsize='medium')
        patch = import_module('matplotlib.patches').Patch
        ax.legend(handles=[patch(label=entry.label, **_style(kind)) for kind, entry in LEGEND.items() if kind in kinds],
                  ncols=columns, columnspacing=.9, handlelength=1.4, handletextpad=.5, fontsize=6,
                  **{**BELOW, 'borderaxespad': 5})
    return ax


class _Lane(NamedTuple):
    """A lane: the judged spans of a document, or the items of a run in it.

    Attributes:
        name: the document; the run, where there are several
        document: what it is a lane of
        placed: the items with their rows and the positions of their ranks, as :func:`stack` returns them; None for
            judged spans
        rows: the height of the lane, with that of a name above it
        scale: units for each point
    """
    name: str
    document: DocumentTimeline
    placed: Sequence[tuple[TimelineItem, int, float]] | None
    rows: int
    scale: float

    def draw(self, ax: Axes, top: float) -> set[str]:
        """Draws the lane, and returns the kinds of its bars; ``top`` is the middle of its first row."""
        bars: list[tuple[float, float, str, Sequence[Any]]] = []  # where, how high, of which kind, from start to end
        if self.placed is None:
            ax.broken_barh([(0, self.document.extent)], (top - .5, 1), facecolors='#f2f2f2', zorder=0)
            bars = [(top - .35, .5, 'relevant', self.document.relevant),
                    (top + .25, .15, 'irrelevant', [span for span in self.document.judged if not span.relevant])]
        for item, row, label in self.placed or ():
            low = top + row
            ax.text(label * self.scale, low + .02, str(item.rank), fontsize=5, va='bottom')
            bars.append((low + .05, .4, 'rest', [item._replace(end=min(item.end, self.document.extent))]))
            bars += [(low + .05, .4, kind, [part for part in item.parts if part.kind == kind])
                     for kind in sorted({part.kind for part in item.parts})]
            if item.start == item.end:
                ax.plot([item.start], [low + .25], marker='|', color='black')
        for low, height, kind, spans in bars:
            ax.broken_barh([(bar.start, bar.end - bar.start) for bar in spans], (low, height), **_style(kind))
        return {kind for *_, kind, spans in bars if spans}


def _several(run: Any) -> bool:
    """Tells whether this is several runs by name, and not one run as ir-measures takes it, query → document → score."""
    if not isinstance(run, Mapping):
        return False
    if not run:
        raise ValueError('there is no run to draw: give at least one')
    first = next(iter(run.values()))
    return not isinstance(first, Mapping) or any(isinstance(scores, Mapping) for scores in first.values())


def _lanes(drawn: Sequence[DocumentTimeline], documents: Sequence[str], names: Sequence[str], points: float,
           longest: float) -> list[_Lane]:
    """The lanes from top to bottom: for each document its judged spans, then each run's items, in as many rows as they
    need; a lane of several is there even if it is empty.
    """
    lanes = []
    for document in drawn:
        name = documents[document.document]
        lanes.append(_Lane(name, document, None, 1 + (len(name) > _BESIDE), longest / points))
        for run, items in zip(names, document.runs):
            placed = stack(items, longest, points, _RANK_WIDTH)
            rows = max((row + 1 for _, row, _ in placed), default=int(len(names) > 1))
            if len(names) > 1 or rows:
                shown = abbreviated(run, _BESIDE) if len(names) > 1 else ''
                lanes.append(_Lane(shown, document, placed, rows, longest / points))
    return lanes


def _title(names: Sequence[str], query: str, items: int, retrieved: Sequence[int], room: int) -> str:
    """The system where there is one and it has a name, the query, and the ranks that are drawn, in lines of so many
    letters.
    """
    most = max(retrieved)
    total = f'{"" if min(retrieved) == most else "at most "}{most}'
    ranks = f'ranks 1–{min(items, most)} of {total}' if most else 'nothing retrieved'
    system = f'{names[0]}, ' if len(names) == 1 and names[0] else ''
    return fill(f'{system}query {query}, {ranks}', room)


def _label_axis(ax: Axes, unit: str, longest: float, room: int) -> None:
    """Says what the axis counts; times from two minutes on are minutes and seconds, at most ``room`` of them."""
    if unit != 't' or longest < _CLOCK:
        ax.set_xlabel(COUNTED.get(unit, 'position'))
        return
    step = next((step for step in _STEPS if longest / step <= room), longest / room)
    ax.xaxis.set_major_locator(import_module('matplotlib.ticker').MultipleLocator(step))
    ax.xaxis.set_major_formatter(lambda time, _: f'{round(time) // 60}:{round(time) % 60:02}')
    ax.set_xlabel('time (minutes:seconds)')


def _style(kind: str) -> dict[str, Any]:
    return {'facecolor': LEGEND[kind].colour, 'hatch': _HATCHES.get(kind), 'edgecolor': 'white', 'linewidth': 0}
