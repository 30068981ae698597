"""Figures of a paper: their size, their type, the styles of systems, the files that they are written to; and timelines
of a query: lanes of judged spans and of the items of runs, document by document.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from math import ceil, inf, log10
from pathlib import Path
from textwrap import fill
from typing import IO, TYPE_CHECKING, Any

from ir_measures import Measure

from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.segments.basics import abbreviated, needed, quoted
from ir_segmeasures.segments.segment import COUNTED, unquote_id
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.scores import lower_is_better
from ir_segmeasures.study.view.timelines import LEGEND, DocumentTimeline, build_timelines, stack, stretches

if TYPE_CHECKING:
    from matplotlib.axes import Axes


COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000')
COLUMN, INCH = 85, 25.4  # millimetres
BELOW: dict[str, Any] = {'loc': 'upper center', 'bbox_to_anchor': (.5, 0), 'borderaxespad': 4.2}  # of the axis' label
_IN_AXES = 6  # systems whose legend has room between the lines
FILE_FORMATS = ('pdf', 'png', 'svg', 'pgf')
# TrueType in PDF: publishers refuse Type 3, matplotlib's default. Both hold when a figure is written, not when it is
# made.
_WRITTEN = {'pdf.fonttype': 42, 'ps.fonttype': 42, 'svg.fonttype': 'none', 'hatch.linewidth': .6}


def save(ax: Axes, file: StrPath | IO[bytes], format: str | None = None) -> None:
    """Writes the figure of the Axes to a file: a PDF has TrueType fonts, which publishers take, and a PNG 300 dots per
    inch. PGF is matplotlib's own, which needs LaTeX.

    Args:
        ax: of the figure
        file: the path of the file, or an open binary file
        format: ``'pdf'``, ``'png'``, ``'svg'`` or ``'pgf'``; not given: the ending of the path

    Raises:
        ValueError: another format, or no LaTeX for a PGF

    Examples:
        >>> import io
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('poor', 'good')}
        >>> written = io.BytesIO()
        >>> plots.save(plots.query_differences('MAiSP', qrels, runs), written, 'pdf')
        >>> written.getvalue()[:4], b'/FontFile2' in written.getvalue()
        (b'%PDF', True)
    """
    if format is None:
        format = '' if hasattr(file, 'write') else Path(file).suffix[1:].lower()
    if format not in FILE_FORMATS:
        raise ValueError(f'format={quoted(format)} is not a format of figures: take {" or ".join(FILE_FORMATS)}')
    figure: Any = ax.figure
    content = io.BytesIO()
    with import_module('matplotlib').rc_context(_WRITTEN):
        try:
            figure.savefig(content, format=format, **({'dpi': 300} if format == 'png' else {}))
        except (OSError, RuntimeError) as error:  # of matplotlib's own PGF, which asks LaTeX for the size of text
            if format != 'pgf':
                raise
            raise ValueError(f'LaTeX, by which matplotlib measures the text of a .pgf, cannot be run ({error}): '
                             'install TeX Live, or draw a .pdf') from None
    write = file.write if hasattr(file, 'write') else Path(file).write_bytes
    write(content.getvalue())


@contextmanager
def new_axes(ax: Axes | None, systems: int = 1, width: float = COLUMN, height: float = 2.4,
             panels: int = 1) -> Iterator[Axes]:
    """The Axes, or new ones in the type of a paper's column.

    Args:
        ax: where to draw; not given: new ones
        systems: where there are many, their legend stands below, and the figure is higher
        width: of the figure, in millimetres
        height: of the figure without such a legend, in inches
        panels: how many Axes stand one below the other, with one axis; the first is given
    """
    pyplot = needed('matplotlib.pyplot', 'plots need matplotlib', 'plots')
    matplotlib = import_module('matplotlib')
    if ax is not None:
        yield ax
        return
    with matplotlib.rc_context({'font.size': 8, 'legend.fontsize': 7, 'legend.frameon': False,
                                'axes.spines.top': False, 'axes.spines.right': False, **_WRITTEN}):
        height += .07 * systems if systems > _IN_AXES else 0
        yield pyplot.subplots(panels, figsize=(width / INCH, height), layout='constrained', sharex=True,
                              squeeze=False)[1][0, 0]


def finish(ax: Axes, measure: Measure, asked: Measure | str, systems: int) -> None:
    """Gives the Axes the label of the measure, and the legend: below where there is no room for so many systems."""
    ax.set_ylabel(fill(str(asked), 32) + ('\n(lower is better)' if lower_is_better(measure) else ''))
    ax.legend(**{'ncols': 2, **BELOW} if systems > _IN_AXES else {})


def styles(systems: Iterable[Any], labels: Mapping[Any, str] | None = None) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The systems, or what else has a line each, with the label and the style of its line."""
    for name, colour, line, mark in zip(systems, cycle(COLOURS), cycle(('-', '--', '-.', ':')), cycle('os^Dv')):
        yield name, {'label': abbreviated(str((labels or {}).get(name, name)), 40), 'color': colour, 'linestyle': line,
                     'linewidth': 1.2, 'marker': mark, 'markersize': 2.5}


_BESIDE = 14  # characters of a name that have room beside its lane
_NAMES = 60  # points beside the lanes
_AROUND, _ROW, _LINE = .75, .17, .1  # inches: title and axis, a row, and a line of the legend or the title
_CUT = .03  # of the longest lane: the gap where something is cut out
_WIDE = 75  # millimetres from which on entries of the legend have room beside each other
# White on colour, so that print in grey tells the parts apart.
_HATCHES = {'new': '//////', 'continued': r'\\\\\\', 'repeated': '|||||'}
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000, 86400)  # seconds between times
_TICK, _DIGIT, _LETTER = 26, 3.6, 4.8  # points between times, and of a digit of one and a letter of the title
_RULER = 6  # points of the times, in whose middle the position is
_CLOCK = 120  # seconds from which on times are those of a clock


def timeline(qrels: Any, run: Any, query: str, documents: int = 3, items: int = 10, rel: float = 1,
             unit: str | None = None, ax: Axes | None = None, width: float = COLUMN,
             lengths: Mapping[str, float] | None = None, text: str = '', start: float = 0, end: float = inf) -> Axes:
    """The judged spans and the items of one query in time, as the page and :func:`ir_segmeasures.show` draw them: for
    each document a lane of judged spans, and below it the items of each run with their ranks. Parts of items that are
    relevant and new, relevant but seen before, and not relevant differ in colour and hatching. Where nothing is judged
    or retrieved, the lane is cut, which a gap shows.

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
        lengths: document → its length, where a lane ends at the latest
        text: of the query, for the title
        start, end: what is drawn of each document, in the unit of positions, without cuts; not given: all, with cuts

    Raises:
        ValueError: the query is not judged, no run, or the end is not after the start
        ImportError: matplotlib is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import plots
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('poor', 'good')}
        >>> axes = plots.timeline(qrels, runs['good'], 'q1', documents=2)
        >>> axes.get_title().splitlines(), [label.get_text() for label in axes.get_yticklabels()]
        (['query q1, ranks 1–10 of 20', 'in 2 of 3 documents'], ['bees-01', 'bees-03'])
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
    if not 0 <= start < end:
        raise ValueError(f'nothing lies from {quoted(start)} to {quoted(end)}: give an end after the start')
    only, = timelines.queries
    drawn, left_out = only.documents(documents, items)
    number, whole = len(drawn) + left_out, (start, end) == (0, inf)
    drawn = [document for document in drawn if whole or document.extent > start]
    shown = [stretches(document) if whole else [(start, min(end, document.extent))] for document in drawn]
    gap = _CUT * max((sum(high - low for low, high in mine) for mine in shown), default=1)
    drawn = [_cut(document, mine, gap) for document, mine in zip(drawn, shown)]
    reach, points = max((document.extent for document in drawn), default=0) or 1, width / INCH * 72 - _NAMES
    units = {timelines.units[document.document] for document in drawn}
    counted = (units.pop() or '') if len(units) == 1 else ''
    bars: list[tuple[float, float, str, list[Any]]] = []  # where, how high, of which kind, from start to end
    texts: list[tuple[float, float, str, float]] = []  # where, and how large
    names, top, last = dict[float, str](), 0., max((mine[-1][1] for mine in shown), default=0)
    for document, mine in zip(drawn, shown):
        name = unquote_id(timelines.documents[document.document])
        if len(name) > _BESIDE:
            texts.append((0, top + .3, abbreviated(name, int(60 / COLUMN * width)), 7))
            top += 1
        else:
            names[top] = name
        places = _places(mine, gap)
        bars += [(top - .5, 1, '', [(low + shift, high + shift) for low, high, shift in places]),
                 (top - .35, .5, 'relevant', [span[1:3] for span in document.relevant]),
                 (top + .25, .15, 'irrelevant', [span[1:3] for span in document.judged if not span.relevant])]
        texts += [(low + shift - .8 * gap, top + .3, '//', 5) for low, _, shift in places[1:]]
        top += 1
        for run_name, of_run, ranked in zip(runs, document.runs, only.ranked):
            texts += [(0, top + .35, 'no results', 6.5)] if len(runs) > 1 and not len(ranked.document) else []
            placed = stack(of_run, reach, points)
            names |= {top: abbreviated(run_name, _BESIDE)} if len(runs) > 1 else {}
            for item, row, label in placed:
                texts.append((label * reach / points, top + row, str(item.rank), 5))
                bars.append((top + row + .05, .4, 'rest', [item[1:3]]))
                bars += [(top + row + .05, .4, part.kind, [part[1:3]]) for part in item.parts]
            top += max((row + 1 for _, row, _ in placed), default=int(len(runs) > 1))
        texts += [(x, top, position, _RULER) for x, position in _ruler(places, counted, last, reach / points)]
        top += 1.1

    title = fill(_title(list(runs), query, text, items, [len(ranked.document) for ranked in only.ranked]),
                 int((points + 16) / _LETTER))
    title += f'\nin {len(drawn)} of {number} documents' if len(drawn) < number else ''
    columns = 3 if width > _WIDE else 1
    height = _AROUND + _ROW * top + _LINE * (len(LEGEND) // columns + title.count('\n'))
    with new_axes(ax, width=width, height=height) as ax:
        for low, high, kind, spans in bars:
            ax.broken_barh([(first, stop - first) for first, stop in spans], (low, high), **_style(kind))
            if kind == 'rest' and spans[0][0] == spans[0][1]:
                ax.plot(spans[0][0], low + .2, marker='|', color='black')
            elif kind == 'rest':
                ax.plot([spans[0][0]] * 2, [low, low + high], color='white', linewidth=.6)  # between items that touch
        for x, y, shown_text, size in texts:
            ax.text(x, y, shown_text, fontsize=size, va='bottom', ha='center' if size == _RULER else 'left')
        ax.set_yticks(list(names), list(names.values()))
        ax.tick_params(length=0, labelsize=7)
        ax.set_xticks([])
        ax.spines[:].set_visible(False)
        ax.set(xlim=(-.01 * reach, reach * 1.02), ylim=(top - .9, -.6), xlabel=_axis_label(counted, last))
        ax.set_title(title, fontsize='medium')
        kinds = {kind for _, _, kind, spans in bars if spans}
        patch = import_module('matplotlib.patches').Patch
        ax.legend(handles=[patch(label=entry.label, **_style(kind)) for kind, entry in LEGEND.items() if kind in kinds],
                  ncols=columns, columnspacing=.9, handlelength=1.4, handletextpad=.5, fontsize=6,
                  **{**BELOW, 'borderaxespad': 3.2})
    return ax


def _several(run: Any) -> bool:
    """Tells whether this is several runs by name, and not one run as ir-measures takes it, query → document → score."""
    if not isinstance(run, Mapping):
        return False
    if not run:
        raise ValueError('there is no run to draw: give at least one')
    first = next(iter(run.values()))
    return not isinstance(first, Mapping) or any(isinstance(scores, Mapping) for scores in first.values())


def _places(shown: Sequence[tuple[float, float]], gap: float) -> list[tuple[float, float, float]]:
    """The stretches with what is added to a position there to have its place on the lane."""
    found, end = [], -gap
    for low, high in shown:
        found.append((low, high, end + gap - low))
        end += gap + high - low
    return found


def _cut(document: DocumentTimeline, shown: Sequence[tuple[float, float]], gap: float) -> DocumentTimeline:
    """The document as some stretches of it show it: positions are places on the lane."""
    def moved(things: Sequence[Any]) -> list[Any]:
        return [thing._replace(start=max(thing.start, low) + shift, end=min(thing.end, high) + shift)
                for thing in things for low, high, shift in places
                if (thing.start < high and thing.end > low) or low <= thing.start == thing.end <= high]
    places = _places(shown, gap)
    return document._replace(extent=sum(places[-1][1:]), judged=moved(document.judged), runs=[
        [item._replace(parts=moved(item.parts)) for item in moved(items)] for items in document.runs])


def _title(names: Sequence[str], query: str, text: str, items: int, retrieved: Sequence[int]) -> str:
    """The system where there is one and it has a name, the query, and the ranks that are drawn."""
    most, last = max(retrieved), min(items, max(retrieved))
    total = f' of {most}' if min(retrieved) == most else f' of at most {most}' if items < most else ''
    return (f'{f"{names[0]}, " if len(names) == 1 and names[0] else ""}query {query}{text and f" “{text}”"}, '
            + (f'rank{"s 1–" if last > 1 else " "}{last}{total}' if most else 'nothing retrieved'))


def _ruler(places: Sequence[tuple[float, float, float]], unit: str, last: float,
           scale: float) -> list[tuple[float, str]]:
    """The places on a lane where positions stand, and these, one at least for each stretch that has room for it."""
    least = _TICK * scale
    size = 10 ** ceil(log10(least))
    step = next(step for step in (*(_STEPS if unit == 't' else (size / 5, size / 2)), size) if step >= least)
    found: list[tuple[float, str]] = []
    for low, high, shift in sorted(places, key=lambda place: place[0] == place[1]):  # a start or an end, where room is
        within = [step * number for number in range(ceil(low / step), int(high / step) + 1)]
        for position in within or [min(high, ceil(low))]:
            text = _clock(position) if unit == 't' and last >= _CLOCK else f'{position:.9g}'
            x, digit = position + shift, _DIGIT * scale
            if all(x + digit * (len(text) + 1) <= at or at + digit * (len(other) + 1) <= x for at, other in found):
                found.append((x, text))
    return found


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f'{minutes // 60}:{minutes % 60:02}:{seconds:02}' if minutes >= 60 else f'{minutes}:{seconds:02}'


def _axis_label(unit: str, last: float) -> str:
    if unit != 't' or last < _CLOCK:
        return COUNTED.get(unit, 'position')
    return f'time ({"hours:" if last >= 3600 else ""}minutes:seconds)'


def _style(kind: str) -> dict[str, Any]:
    colour = LEGEND[kind].colour if kind else '#f2f2f2'
    return {'facecolor': colour, 'hatch': _HATCHES.get(kind), 'edgecolor': 'white', 'linewidth': 0}
