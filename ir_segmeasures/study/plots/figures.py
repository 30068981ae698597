"""Figures of a paper: their size, their type, the styles of systems, and the files that they are written to."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from textwrap import fill
from typing import IO, TYPE_CHECKING, Any

from ir_measures import Measure

from ir_segmeasures.segments.basics import needed, quoted
from ir_segmeasures.study.scores import lower_is_better

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000')
_LINES = ('-', '--', '-.', ':')
_MARKS = ('o', 's', '^', 'D', 'v')
COLUMN, INCH = 85, 25.4  # millimetres
_HEIGHT = 2.4  # inches
BELOW: dict[str, Any] = {'loc': 'upper center', 'bbox_to_anchor': (.5, 0), 'borderaxespad': 4.2}  # of the axis' label
_IN_AXES = 6  # systems whose legend has room between the lines
FILE_FORMATS = ('pdf', 'png', 'svg', 'pgf')
# TrueType in PDF: publishers refuse Type 3, matplotlib's default. Both hold when a figure is written, not when it is
# made.
_WRITTEN = {'pdf.fonttype': 42, 'ps.fonttype': 42, 'svg.fonttype': 'none', 'hatch.linewidth': .6}


def save(ax: Axes, file: str | os.PathLike[str] | IO[bytes], format: str | None = None) -> None:
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
        format = '' if hasattr(file, 'write') else os.path.splitext(os.fspath(file))[1][1:].lower()
    if format not in FILE_FORMATS:
        raise ValueError(f'format={quoted(format)} is no format of figures: take {", ".join(FILE_FORMATS[:-1])} or '
                         f'{FILE_FORMATS[-1]}')
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
    if hasattr(file, 'write'):
        file.write(content.getvalue())
    else:
        with open(file, 'wb') as opened:
            opened.write(content.getvalue())


@contextmanager
def new_axes(ax: Axes | None, systems: int = 1, extra: float = 0, width: float = COLUMN,
             height: float = _HEIGHT, panels: int = 1) -> Iterator[Axes]:
    """The Axes, or new ones in the type of a paper's column.

    Args:
        ax: where to draw; not given: new ones
        systems: where there are many, their legend stands below, and the figure is higher
        extra: inches by which it is higher, too
        width: of the figure, in millimetres
        height: of the figure, in inches
        panels: how many Axes stand one below the other, with one axis; the first is given
    """
    pyplot = needed('matplotlib.pyplot', 'plots need matplotlib', 'plots')
    matplotlib = import_module('matplotlib')
    if ax is not None:
        yield ax
        return
    with matplotlib.rc_context({'font.size': 8, 'legend.fontsize': 7, 'legend.frameon': False,
                                'axes.spines.top': False, 'axes.spines.right': False, **_WRITTEN}):
        height += (.07 * systems if systems > _IN_AXES else 0) + extra
        yield pyplot.subplots(panels, figsize=(width / INCH, height), layout='constrained', sharex=True,
                              squeeze=False)[1][0, 0]


def finish(ax: Axes, measure: Measure, asked: Measure | str, systems: int) -> None:
    """Gives the Axes the label of the measure, and the legend: below where there is no room for so many systems."""
    ax.set_ylabel(fill(str(asked), 32) + ('\n(lower is better)' if lower_is_better(measure) else ''))
    ax.legend(**{'ncols': 2, **BELOW} if systems > _IN_AXES else {})


def styles() -> Iterator[dict[str, Any]]:
    """The styles of systems' lines, without end."""
    for colour, line, mark in zip(cycle(COLOURS), cycle(_LINES), cycle(_MARKS)):
        yield {'color': colour, 'linestyle': line, 'linewidth': 1.2, 'marker': mark, 'markersize': 2.5}
