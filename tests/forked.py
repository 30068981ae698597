"""Scripts, each run in a fork of one process that has imported the hosts: what takes them seconds is done once.

Run with lines of JSON on standard input: ``argv`` of a script, the folder ``cwd`` and what the environment has beside.
A line of JSON is printed for each: the exit code, standard output and standard error.
"""

import json
import os
import runpy
import sys
import tempfile
from contextlib import suppress
from importlib import import_module


def child(argv, cwd, environment, out, err):
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    os.chdir(cwd)
    os.environ.update(environment)
    sys.argv = argv
    sys.path[0] = os.path.dirname(argv[0])
    runpy.run_path(argv[0], run_name='__main__')
    sys.exit()


for host in ('pandas', 'scipy.stats', 'ir_datasets', 'pyterrier', 'pyterrier_pisa', 'statsmodels.api',
             'matplotlib.pyplot'):
    with suppress(ImportError):
        import_module(host)
for line in sys.stdin:
    with tempfile.TemporaryFile('w+', encoding='utf-8') as out, tempfile.TemporaryFile('w+', encoding='utf-8') as err:
        process = os.fork()
        if not process:
            child(**json.loads(line), out=out, err=err)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        out.seek(0)
        err.seek(0)
        print(json.dumps({'code': code, 'out': out.read(), 'err': err.read()}), flush=True)
