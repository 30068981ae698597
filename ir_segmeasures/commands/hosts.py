"""``ir_segmeasures hosts``: what the commands and loaders of ir_measures, ir_datasets and PyTerrier know of segments.

The hosts load no plugins yet (see the page "upstream"). ``hosts --on`` writes one line to a ``.pth`` file of this
environment, by which Python imports this package behind ir_measures or ir_datasets.
"""

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ir_segmeasures.commands.parser import Command, option

FILE = 'ir_segmeasures_hosts.pth'

# The line runs whenever Python starts, so it makes one function alone. This waits for the import of a host and runs the
# rest, by which the host imports this package, which takes NumPy's time, for the first name that it does not know.
REST = """
def found(name):
    from importlib.util import find_spec
    hosts.remove(name)  # or this would find itself
    spec = find_spec(name)
    hosts.append(name)  # python -m looks twice, and imports the second
    if spec is not None and spec.loader is not None:
        run = spec.loader.exec_module
        def exec_module(host):
            run(host)
            if name != 'ir_datasets':
                host.registry = sys.modules[name + '.base'].registry = Names(host.registry, 'ir_segmeasures')
            elif hasattr(host.registry, '_registered'):  # as in its releases so far
                host.registry._registered = Names(host.registry._registered, 'ir_segmeasures.datasets')
        spec.loader.exec_module = exec_module
    return spec
class Names(dict):
    def __init__(self, names, module):
        dict.__init__(self, names)
        self.module = module
    def __contains__(self, name):
        return dict.__contains__(self, name) or dict.__contains__(self.loaded(), name)
    def keys(self):
        return dict.keys(self.loaded())
    def loaded(self):
        try:
            __import__(self.module)
        except Exception as error:
            import warnings
            warnings.warn(f'{self.module} cannot be imported ({error}): mend that, or delete {file}')
        return self
"""
LINE = """import sys; sys.meta_path.insert(0, type(sys.implementation)(find_spec=lambda name, path=None, target=None, \
known={{'sys': sys, 'file': {!r}, 'hosts': ['ir_measures.measures', 'ir_measures.providers', 'ir_datasets']}}: \
exec({!r}, known) or known['found'](name) if name in known['hosts'] else None))
"""

# The questions to a fresh Python about each host.
QUESTIONS = (
    ('ir-measures', "ir_measures' command and parse_measure know the measures of segments",
     "import ir_measures; ir_measures.parse_measure('T2I_AP')"),
    ('ir-datasets', "ir_datasets' command and load know the collections of segments",
     "import ir_datasets; ir_datasets.load('mediaeval-sh/2014')"),
    ('python-terrier', 'PyTerrier has pt.segments', 'import pyterrier; pyterrier.segments.T2I_AP'))


class Hosts(Command):
    """Say what ir_measures, ir_datasets and PyTerrier of this environment know of segments. With --on, the commands and
    loaders of ir_measures and ir_datasets know this package whenever they run, as PyTerrier does; --off takes that
    back.

    Args:
        on: write one line, by which Python imports this package after it has imported ir_measures or
            ir_datasets; the line and its file are shown
        off: remove this line
    """
    EXAMPLE = 'hosts --on'
    on: bool = option(False, either='switch')
    off: bool = option(False, either='switch')

    def run(self) -> None:
        path = os.path.join(sysconfig.get_path('purelib'), FILE)
        if self.on or self.off:
            _switch(path, self.on)
        for host, knowledge, question in QUESTIONS:
            try:
                named = f'{host} {version(host)}'
            except PackageNotFoundError:
                print(f'{host} is not installed')
                continue
            asked = subprocess.run([sys.executable, '-c', question], capture_output=True, check=False)
            print(f'{named}: {knowledge}: {"no" if asked.returncode else "yes"}')


def _switch(path: str, on: bool) -> None:
    line = LINE.format(path, REST)
    try:
        if on:
            Path(path).write_text(line, encoding='utf-8')
        else:
            Path(path).unlink(missing_ok=True)
    except OSError as error:
        raise OSError(f'{path} cannot be {"written" if on else "deleted"} ({error.strerror}): ask who may write there, '
                      'or use a virtual environment of yours (python -m venv)') from error
    print(f'{path}: {line}' if on else f'{path} is not there any more')
