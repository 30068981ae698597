"""``ir_segmeasures plot``: pictures of measures and systems for a paper."""

import argparse
import io
import re
from collections.abc import Callable
from importlib import import_module
from math import inf
from typing import Any

from ir_segmeasures.commands import inputs, options, streams
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, measure_groups, named_measures, naming_files
from ir_segmeasures.segments.basics import install_command, quoted
from ir_segmeasures.study.plots.figures import FILE_FORMATS

figure_path = options.written_as(rf'(?i).+\.({"|".join(FILE_FORMATS)})', str, (
    f'a figure that can be drawn: end it in .{", .".join(FILE_FORMATS)}'))
KINDS = ('precision-recall', 'parameter', 'queries', 'groups', 'timeline')
WIDTHS = {'mm': 1, 'cm': 10, 'in': 25.4, 'pt': 25.4 / 72.27}  # in millimetres; points are those of TeX


def _width(text: str) -> float:
    """A width in millimetres."""
    found = re.fullmatch(r'(\d{1,4}(?:\.\d*)?) ?(mm|cm|in|pt)?', text)
    width = float(found[1]) * WIDTHS[found[2] or 'mm'] if found else 0
    if not 40 <= width <= 1000:
        raise argparse.ArgumentTypeError(f'{quoted(text)} is not a width from 40mm to 1000mm: write it as 85mm, 8.5cm, '
                                         '3.35in or 240pt')
    return width


def write_figure(draw: Callable[[Any], Any], path: str) -> None:
    """Write the figure of the Axes that ``draw`` gives, a function of the module of plots.

    Raises:
        ValueError: matplotlib or SciPy is not installed, or the file cannot be written
    """
    try:
        import matplotlib
        matplotlib.use('Agg')
        plots: Any = import_module('ir_segmeasures.study.plots')
        content = io.BytesIO()
        plots.save(draw(plots), content, path.rpartition('.')[2].lower())
    except ImportError as error:
        raise ValueError(f'plots need matplotlib and SciPy ({error}): {install_command("plots")}') from None
    streams.write_out(content.getvalue(), path)


class Plot(options.Named, options.Queried, options.Sized, options.Reading, options.Aligning):
    r"""Draw a figure as wide as a column of a paper. precision-recall: precision against recall. parameter: means over
    the values of a parameter (--vary). queries: what each query gains from the first run to the second. groups: means
    over queries by the length of their true moment, its third of the video, and the number of true moments. timeline:
    the judged segments and the first 10 results of one query (--query), one run below the other, in 3 documents.

    Args:
        kind: %(choices)s
        measures: the measure; a timeline has none
        out: the file to write: .pdf (with TrueType fonts), .png, .svg or .pgf (for LaTeX)
        width: the width of the figure: 85mm (the default, one column), 17.5cm, 3.35in, or 240pt as LaTeX's
            \the\columnwidth tells it
        query: for timeline: the query
        queries: for timeline: the texts of the queries (default: those of the dataset, or of the judgements)
        start: for timeline: draw each document from here on, in seconds or what else it counts, without cuts
        end: for timeline: up to here
        lengths: for timeline: where documents end
    """
    EXAMPLE = 'plot timeline qrels.txt a.run b.run --query q1 --out q1.pdf'
    kind: str = argument(choices=KINDS, metavar='KIND')
    qrels: str = options.qrels()
    runs: tuple[str, ...] = options.runs()
    measures: tuple[str, ...] = options.measures()
    out: str = options.out(type=figure_path, writes=None)
    width: float = option(85.0, type=_width, metavar='WIDTH')
    vary: tuple[str, list[Any]] | None = options.vary()
    query: str | None = option(metavar='ID')
    start: float = option(0.0, metavar='POSITION', needs='query')
    end: float = option(inf, metavar='POSITION', needs='query')

    def run(self) -> None:
        timeline = self.kind == 'timeline'
        for name, example, given, wanted in (
                ('--measure', 'T2I_MAP', self.measures, not timeline), ('--query', 'q1', self.query, timeline),
                ('--vary', 'tau=5:60:5', self.vary, self.kind == 'parameter'),
                ('--lengths', '', self.lengths, timeline and bool(self.lengths))):
            if bool(given) != wanted:
                raise UsageError(f'{self.kind} needs {name}: add it, such as {name} {example}' if wanted else
                                 f'{self.kind} has no use for {name}: leave it out')
        checked = self.kind not in ('precision-recall', 'parameter')
        measures = {} if timeline else named_measures(self.measures, checked)
        if len(measures) > 1:
            raise UsageError('a figure is of one measure: give one')
        runs = self.runs_beside(self.qrels, self.runs, measures, measure_groups(measures, self.align)[0][1], self.names)
        with naming_files(runs):
            write_figure(lambda plots: self._axes(plots, runs, *measures.values()), self.out)

    def _axes(self, plots: Any, runs: Runs, *measures: str) -> Any:
        judged, unit = runs.judgements, inputs.unit_of(runs.qrels, runs.format)
        durations = inputs.durations_of(runs.qrels)
        if self.kind == 'timeline':
            return plots.timeline(judged, dict(runs), self.query, unit=unit, width=self.width,
                                  lengths={**durations, **inputs.lengths_of(self.lengths, runs.qrels)},
                                  text=inputs.page_texts(runs.qrels, self.queries, None)[0].get(self.query or '', ''),
                                  start=self.start, end=self.end)
        if self.vary is not None:
            return plots.parameter(*measures, *self.vary, judged, runs, unit=unit, width=self.width)
        if self.kind == 'groups':
            return plots.group_means(*measures, judged, runs, durations, width=self.width)
        of_kind = plots.query_differences if self.kind == 'queries' else plots.precision_recall
        return of_kind(*measures, judged, runs, width=self.width)
