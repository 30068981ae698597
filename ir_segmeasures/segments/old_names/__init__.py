"""Names of the last release that are called otherwise now. They stay importable for one release, with a
DeprecationWarning at the line of the import.

The table is the only place where old names stand. A module that moved has a file in this folder, which the ``__path__``
of its former package names too; ``python tests/test_old_names.py`` writes these files. A module that is still there,
but whose names are called otherwise or are elsewhere now, has ``__getattr__ = renamed(__name__)``.
"""

from __future__ import annotations

import runpy
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

__all__ = ['NEW_NAMES', 'moved', 'renamed']

# Modules, and names in modules, below ir_segmeasures: as they were → as they are.
NEW_NAMES = {
    'chunks': 'texts.chunks',
    'formats.files.large': 'formats.files.parts',
    'formats.inex.ends': 'formats.inex.end_column',
    'formats.inex.places': 'formats.inex.open_elements',
    'formats.mediaeval.format_time': 'formats.mediaeval.times.format_minutes',
    'formats.mediaeval.parse_time': 'formats.mediaeval.times.parse_minutes',
    'formats.moments.checked_window': 'formats.moment_windows.checked_window',
    'formats.moments.plain': 'segments.spans.plain_number',
    'formats.trecvid.read_search_run': 'formats.trecvid.shot_runs.read_shot_run',
    'formats.trecvid.write_search_run': 'formats.trecvid.shot_runs.write_shot_run',
    'measures.base.TOLERANCE': 'measures.rounding.TOLERANCE',
    'measures.base.of_documents': 'measures.host_measures.measure_of_documents',
    'measures.base.register': 'measures.base.register_measure',
    'measures.base.round_down': 'measures.rounding.round_down',
    'measures.base.round_up': 'measures.rounding.round_up',
    'measures.descriptions': 'measures.documentation',
    'measures.descriptions.descriptions': 'measures.documentation.describe_all',
    'measures.elements.functions': 'measures.elements.named_functions',
    'measures.inex.AgP_bep': 'measures.best_in_context.AgP_bep',
    'measures.inex.AgP_reading': 'measures.reading_effort.AgP_reading',
    'measures.inex.BEPD': 'measures.best_in_context.BEPD',
    'measures.inex.gP_bep': 'measures.best_in_context.gP_bep',
    'measures.inex.gP_reading': 'measures.reading_effort.gP_reading',
    'measures.meetings': 'measures.first_meetings',
    'measures.search': 'measures.search_length',
    'pt.base.descending': 'ids.ties.descending',
    'pt.base.number': 'pt.base.check_number',
    'pt.cutter': 'pt.cutter_base',
    'pt.cutting': 'pt.cutters',
    'pt.moving': 'pt.bounds',
    'pt.reshaping': 'pt.rankings',
    'segments.columns': 'segments.tables.columns',
    'segments.contradictions': 'segments.tables.contradictions',
    'segments.doubts': 'segments.tables.warnings',
    'segments.editing': 'segments.tables.adapters',
    'segments.foreign': 'segments.other_ids',
    'segments.match': 'segments.tables.matching',
    'segments.objects': 'segments.json_objects',
    'segments.pieces': 'segments.tables.text_columns',
    'segments.places': 'segments.tables.positions',
    'segments.rows': 'segments.tables.rows',
    'segments.shapes': 'segments.tables.id_columns',
    'segments.shown': 'segments.quoting',
    'segments.table': 'segments.tables.table',
    'selftest': 'commands.selftest',
    'study.averages': 'study.micro_averages',
    'study.element_runs': 'study.simulation.element_runs',
    'study.hosts.for_hosts': 'study.scores.for_ir_measures',
    'study.orders': 'study.simulation.fidelity_tests',
    'study.orders.fidelity_run': 'study.simulation.passage_runs.fidelity_run',
    'study.plots.queries': 'study.plots.query_differences',
    'study.power': 'study.separation',
    'study.progress.watched': 'study.progress.with_progress',
    'study.runs.evaluating': 'study.runs.parallel_evaluation',
    'study.runs.keeping': 'study.runs.score_file',
    'study.runs.keeping.Kept': 'study.runs.score_file.ScoreFile',
    'study.runs.sources': 'study.runs.tasks',
    'study.runs.sources.located': 'study.runs.tasks.with_place',
    'study.runs.sources.read': 'study.runs.tasks.read_task',
    'study.runs.working': 'study.runs.worker',
    'study.scores.kendall': 'study.statistics.kendall',
    'study.scores.mean': 'study.statistics.mean',
    'study.scores.parsed': 'study.scores.parse_measures',
    'study.scores.pearson': 'study.statistics.pearson',
    'study.scores.same': 'study.statistics.nearly_equal',
    'study.scores.scores': 'study.scores.query_scores',
    'study.scores.statistics': 'study.statistics.scipy_stats',
    'study.simulation.Elements': 'study.simulation.passage_runs.Elements',
    'study.simulation.RunName': 'study.simulation.passage_runs.RunName',
    'study.simulation.Simulation': 'study.simulation.passage_runs.Simulation',
    'study.simulation.known': 'study.statistics.check_choice',
    'study.tables.Beside': 'study.comparison.Beside',
    'study.tables.SystemComparison': 'study.comparison.SystemComparison',
    'study.tables.top_lines': 'study.comparison.top_lines',
    'view': 'study.view',
    'view.explain': 'study.explanations',
    'view.explain.Find': 'measures.steps.Find',
    'view.model': 'study.view.page_data',
    'view.model.Data': 'study.view.page_data.PageData',
    'view.model.JudgedSpan': 'study.view.timelines.JudgedSpan',
    'view.model.read': 'study.view.page_data.read_page_data',
    'view.page': 'study.view.html_page',
    'view.texts': 'study.view.texts',
    'view.texts.Texts': 'study.view.texts.DocumentTexts',
    'view.timeline': 'study.view.pictures',
}
_PACKAGE, _, _FOLDER = __name__.partition('.')


def moved(old: str) -> None:
    """Lets a module of this folder, which calls this while it is imported, be the module that it is now. If names of
    it, or modules below it, are elsewhere now, the module stays and sends each name on. ``python -m`` runs what it is
    now."""
    if old == '__main__':
        key = sys.modules[old].__spec__.name.partition('.')[2]  # type: ignore[union-attr]
        runpy.run_module(f'{_PACKAGE}.{NEW_NAMES[key]}', run_name=old)
        return
    key = old.partition('.')[2].removeprefix(f'{_FOLDER}.')
    module = None
    if key in NEW_NAMES:
        new = f'{_PACKAGE}.{NEW_NAMES[key]}'
        _warn(old, new, 4)
        module = import_module(new)
    elsewhere = [name.removeprefix(f'{key}.') for name in NEW_NAMES if name.startswith(f'{key}.')]
    parent, _, last = old.rpartition('.')
    function = getattr(sys.modules[parent], last, None)
    if module is not None and not elsewhere and not isinstance(function, FunctionType):
        sys.modules[old] = module
        return

    def look_up(name: str) -> Any:
        if module is not None and not name.startswith('__') and hasattr(module, name):
            return getattr(module, name)
        return _renamed(f'{_PACKAGE}.{key}', name, 4)

    vars(sys.modules[old]).update(__getattr__=look_up, __all__=getattr(module, '__all__', elsewhere))
    if isinstance(function, FunctionType):  # in whose place the import system puts this module
        sys.modules[old].__class__ = type('module', (ModuleType,), {'__call__': staticmethod(function)})


def renamed(module: str, level: int = 4) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module whose names are called otherwise, or are elsewhere, now. A module that calls it
    in a ``__getattr__`` of its own gives the ``level`` 5 to warn at the line of the import."""
    return lambda name: _renamed(module, name, level)


def _renamed(module: str, name: str, level: int) -> Any:
    new = NEW_NAMES.get(f'{module}.{name}'.partition('.')[2])
    if new is None:
        raise AttributeError(f'module {module!r} has no attribute {name!r}')
    place, _, attribute = f'{_PACKAGE}.{new}'.rpartition('.')
    _warn(f'{module}.{name}', f'{place}.{attribute}', level)
    return getattr(import_module(place), attribute)


def _warn(old: str, new: str, level: int) -> None:
    warnings.warn(f'{old} is {new} now, and the old name goes with the next release: import the new one',
                  DeprecationWarning, stacklevel=level)
