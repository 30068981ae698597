"""Importing the package leaves the program that imports it, and the host packages, as they were."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import signal
import {module}

try:
    signal.raise_signal(signal.SIGINT)
    print('never')
except KeyboardInterrupt:
    print('caught')
finally:
    print('tidied up')
"""

# What importing a module changes: in ir_measures and its default pipeline, in Python's own settings.
CHANGES = """
import contextlib, gc, json, signal, sys, threading, warnings
import ir_measures, ir_measures.util, numpy
from ir_measures import measures, providers
with contextlib.suppress(ImportError):
    import pandas  # six, which it may need, adds a hook

def state():
    pipeline = ir_measures.DefaultPipeline
    return {
        'the class of the pipeline': f'{type(pipeline).__module__}.{type(pipeline).__qualname__}',
        'providers': [provider.NAME for provider in pipeline.providers],
        'registered providers': list(providers.registry),
        'registered measures': list(measures.registry),
        'their classes': [type(measure).__module__ for measure in measures.registry.values()],
        'attributes of ir_measures': attributes(ir_measures),
        'attributes of ir_measures.util': attributes(ir_measures.util),
        'attributes of the pipeline': attributes(pipeline, 'providers'),
        'attributes of classes': {cls.__name__: attributes(cls) for cls in classes},
        'signals': [str(signal.getsignal(number)) for number in signal.valid_signals()],
        'imports': [list(map(repr, hooks)) for hooks in (sys.meta_path, sys.path_hooks)] + [sys.path],
        'the rest of Python': [str(hook) for hook in (
            sys.excepthook, sys.displayhook, threading.excepthook, warnings.showwarning, gc.isenabled(),
            gc.get_threshold(), sys.getrecursionlimit(), sys.getswitchinterval())] + [str(numpy.geterr())],
    }

def attributes(thing, *others):
    modules = (type(sys),)
    return {name: id(value) for name, value in vars(thing).items()
            if name not in others and not isinstance(value, modules)  # submodules that are imported later
            and not name.startswith(('__', '_abc_'))}

classes = [ir_measures.Measure, ir_measures.Provider, ir_measures.Evaluator,
           *map(type, [ir_measures.DefaultPipeline, *ir_measures.DefaultPipeline.providers])]
# Providers look for their packages when somebody asks, and remember what they found.
for provider in ir_measures.DefaultPipeline.providers:
    provider.is_available()
before = state()
__import__(sys.argv[1])
print(json.dumps([before, state()]))
"""


@pytest.mark.skipif(os.name == 'nt', reason='needs signals')
@pytest.mark.parametrize('module', ['ir_segmeasures', 'ir_segmeasures.commands', 'ir_segmeasures.datasets',
                                    'pyterrier'])
def test_a_program_is_interrupted_as_ever(module: str, tmp_path: Path) -> None:
    if module != 'ir_segmeasures':
        pytest.importorskip('pyterrier' if module == 'pyterrier' else 'ir_datasets')
    package = tmp_path / 'myproj'
    package.mkdir()
    (package / '__init__.py').write_text(f'import {module}\n')
    (package / 'cli.py').write_text(PROGRAM.format(module=module))
    path = os.pathsep.join([str(tmp_path), os.environ.get('PYTHONPATH', '')])
    found = subprocess.run([sys.executable, '-m', 'myproj.cli'], capture_output=True, text=True, cwd=tmp_path,
                           env={**os.environ, 'PYTHONPATH': path})
    assert (found.returncode, found.stdout) == (0, 'caught\ntidied up\n'), found.stderr


@pytest.mark.parametrize('module', ['ir_segmeasures', 'pyterrier'])
def test_importing_appends_providers_and_measures_alone(module: str) -> None:
    pytest.importorskip(module)
    found = subprocess.run([sys.executable, '-W', 'ignore', '-c', CHANGES, module], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    before, after = json.loads(found.stdout.splitlines()[-1])
    ours = after['providers'][len(before['providers']):]
    assert 'segmeasures' in ours, 'PyTerrier has not loaded our entry point'
    for name, added in (('providers', ours), ('registered providers', sorted(ours)), ('registered measures', None),
                        ('their classes', None)):
        old, new = before.pop(name), after.pop(name)
        assert new[:len(old)] == old
        assert added is None or sorted(new[len(old):]) == sorted(added)
        if name == 'their classes':
            assert all(cls.startswith('ir_segmeasures.measures.') for cls in new[len(old):])
    util, changed = before.pop('attributes of ir_measures.util'), after.pop('attributes of ir_measures.util')
    # ir_measures 0.4.3 reads values of measures with what Python 3.14 no longer has.
    mended = {'_ast_to_value'} if sys.version_info >= (3, 14) else set()
    assert {name for name in util | changed if util.get(name) != changed.get(name)} <= mended
    assert after == before


@pytest.mark.parametrize('room, host', [('pt', 'pyterrier'), ('pt.bounds', 'pyterrier'), ('datasets', 'ir_datasets')])
def test_a_room_says_how_to_install_its_host(room: str, host: str) -> None:
    program = f'import sys; sys.modules[{host!r}] = None; import ir_segmeasures.{room}'
    found = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
    sentence = found.stderr.splitlines()[-1]
    assert sentence.startswith('ImportError: the ') and 'python -m pip install ' in sentence and host in sentence
