"""``ir_segmeasures hosts``: what the commands and loaders of ir_measures, ir_datasets and PyTerrier know of segments.

The hosts load no plugins yet (see the page "upstream"). ``hosts --on`` writes one line to a ``.pth`` file of this
environment, by which Python imports this package behind ir_measures or ir_datasets.
"""

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version

from ir_segmeasures.commands.parser import Command, option

FILE = 'ir_segmeasures_hosts.pth'

# Python runs this when it starts. It waits for the import of a host. Behind ir_datasets it imports our collections; in
# ir_measures, where NumPy would take longer than all else, it waits for the first name that the host does not know.
FINDER = """
class SegmeasuresHosts:
    hosts = ['ir_measures.measures', 'ir_datasets']
    def find_spec(self, name, path=None, target=None):
        if name not in self.hosts:
            return None
        self.hosts.remove(name)  # or this would find itself
        from importlib.util import find_spec
        spec = find_spec(name)
        self.hosts.append(name)  # python -m looks twice, and imports the second
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module
            def exec_module(host):
                run(host)
                if name == 'ir_datasets':
                    self.load('ir_segmeasures.datasets')
                else:
                    host.registry = sys.modules[name + '.base'].registry = SegmeasuresRegistry(host.registry)
            spec.loader.exec_module = exec_module
        return spec
    @staticmethod
    def load(module):
        try:
            __import__(module)
        except ImportError as error:
            import warnings
            warnings.warn(f'{module} cannot be imported ({error}): take it out by ir_segmeasures hosts --off')
class SegmeasuresRegistry(dict):
    def __contains__(self, name):
        if not dict.__contains__(self, name) and 'ir_segmeasures' not in sys.modules:
            SegmeasuresHosts.load('ir_segmeasures')
        return dict.__contains__(self, name)
sys.meta_path.insert(0, SegmeasuresHosts())
"""
LINE = f'import sys; exec({FINDER!r}, dict(sys=sys))\n'

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
    if on:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(LINE)
    elif os.path.exists(path):
        os.remove(path)
    print(f'{path}: {LINE}' if on else f'{path} is not there any more')
