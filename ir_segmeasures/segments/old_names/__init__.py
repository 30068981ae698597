"""Names of the last release that are called otherwise now. They stay importable for one release, with a
DeprecationWarning at the line of the import.

The table is the only place where old names stand. A module that moved has a file in this folder, which the ``__path__``
of its former package names too; ``python tests/test_old_names.py`` writes these files. A module whose names are called
otherwise has ``__getattr__ = renamed(__name__)``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ['NEW_NAMES', 'moved', 'renamed']

# Modules, and names in modules, below ir_segmeasures: as they were → as they are.
NEW_NAMES = {
    'chunks': 'texts.chunks',
    'pt.base.number': 'pt.base.check_number',
    'pt.cutter': 'pt.cutter_base',
    'pt.cutting': 'pt.cutters',
    'pt.moving': 'pt.bounds',
    'pt.reshaping': 'pt.rankings',
    'segments.columns': 'segments.tables.columns',
    'segments.contradictions': 'segments.tables.contradictions',
    'segments.doubts': 'segments.tables.warnings',
    'segments.editing': 'segments.tables.editing',
    'segments.foreign': 'segments.other_ids',
    'segments.match': 'segments.tables.pairing',
    'segments.objects': 'segments.json_objects',
    'segments.pieces': 'segments.tables.text_columns',
    'segments.places': 'segments.tables.positions',
    'segments.rows': 'segments.tables.rows',
    'segments.shapes': 'segments.tables.shapes',
    'segments.shown': 'segments.quoting',
    'segments.table': 'segments.tables.table',
    'view': 'study.view',
    'view.explain': 'study.view.explain',
    'view.model': 'study.view.model',
    'view.page': 'study.view.page',
    'view.texts': 'study.view.texts',
    'view.timeline': 'study.view.timeline',
}
_PACKAGE, _, _FOLDER = __name__.partition('.')


def moved(old: str) -> None:
    """Lets a module of this folder, which calls this while it is imported, be the module that it is now."""
    new = f'{_PACKAGE}.{NEW_NAMES[old.partition(".")[2].removeprefix(f"{_FOLDER}.")]}'
    _warn(old, new, 4)
    module = import_module(new)
    if hasattr(module, '__path__'):  # a package, whose modules are below its old name, too
        sys.modules[old].__dict__.update(__getattr__=lambda name: getattr(module, name),
                                         __all__=getattr(module, '__all__', ()))
    else:
        sys.modules[old] = module


def renamed(module: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module of which names are called otherwise now."""
    def look_up(name: str) -> Any:
        old = f'{module}.{name}'
        new = NEW_NAMES.get(old.partition('.')[2])
        if new is None:
            raise AttributeError(f'module {module!r} has no attribute {name!r}')
        place, _, name = f'{_PACKAGE}.{new}'.rpartition('.')
        _warn(old, f'{place}.{name}', 3)
        return getattr(import_module(place), name)
    return look_up


def _warn(old: str, new: str, level: int) -> None:
    warnings.warn(f'{old} is {new} now, and the old name goes with the next release: import the new one',
                  DeprecationWarning, stacklevel=level)
