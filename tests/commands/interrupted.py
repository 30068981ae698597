"""A command that is stopped, again and again, each time one step later: what it leaves behind.

Run with a folder and lines of JSON on standard input: ``args`` of a command, ``how`` it is stopped (the name of a
signal, or ``full`` for a disk that is full from so many bytes on). The command runs in a copy of the folder, in a
process of its own. A line of JSON is printed for each: exit codes and files as they were, as the command leaves them
when nothing stops it, and after each stop.
"""

import json
import os
import resource
import shutil
import signal
import sys
from pathlib import Path

import ir_segmeasures.datasets  # its import registers what the home has: a child gets that anew
from ir_segmeasures import __main__, commands  # noqa: F401  # loaded before, so that a child starts at once

STEPS = ('open', 'os.', 'shutil.')
SIZES = (0, 1, 10, 100, 1000, 5000, 20000, 50000)


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes().hex()[:4000] + str(path.stat().st_size)
            for path in sorted(folder.rglob('*')) if path.is_file()}


def child(work, args, stop):
    os.chdir(work)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    os.environ['IR_DATASETS_HOME'] = os.environ['IR_DATASETS_TMP'] = str(work / 'home')
    ir_segmeasures.datasets.register()
    stop()
    sys.argv = ['ir_segmeasures', *args]
    __main__.run()


def at_step(number, wanted, work):
    steps = 0

    def hook(event, arguments):
        nonlocal steps
        if event.startswith(STEPS) and any(str(work) in str(one) for one in arguments):
            steps += 1
            if steps == wanted:
                os.kill(os.getpid(), number)
    sys.addaudithook(hook)


def run(folder, args, stop):
    work = folder.with_name('work')
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(folder, work)
    args = [argument.replace('WORK', str(work)) for argument in args]
    pid = os.fork()
    if not pid:
        code = 70
        try:
            child(work, args, lambda: stop(work))
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException:
            code = 99
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code, files(work)


def stopped(folder, args, how):
    left = [run(folder, args, lambda work: None)]
    if how == 'full':
        for size in SIZES:
            left.append(run(folder, args,
                            lambda work, size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))
    else:
        number = getattr(signal, how)
        stride = (1 if how == 'SIGTERM' else 4) * (1 if 'CI' in os.environ else 3)  # the ways out are the same
        for step in range(1, 200, stride):
            left.append(run(folder, args, lambda work, step=step: at_step(number, step, work)))
            if left[-1][0] == 0:
                break
    return [(0, files(folder)), *left]


for line in sys.stdin:
    task = json.loads(line)
    print(json.dumps(stopped(Path(sys.argv[1]), task['args'], task['how'])), flush=True)
