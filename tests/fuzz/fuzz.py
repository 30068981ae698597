"""A coverage-guided fuzzer (atheris) of all that takes text from files: ``python tests/fuzz/fuzz.py --seconds 60``.

The time is spread over the targets, each of which starts from the inputs in ``inputs.jsonl``. An input that fails is
printed as a line for that file, where the tests run it from then on, and the exit code is 1.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

HERE = Path(__file__).parent
INPUTS = HERE / 'inputs.jsonl'


def kept() -> dict[str, list[bytes]]:
    """Target → its inputs."""
    inputs: dict[str, list[bytes]] = {}
    for line in INPUTS.read_text(encoding='utf-8').splitlines():
        name, text = json.loads(line)
        inputs.setdefault(name, []).append(text.encode('latin-1'))
    return inputs


def line_of(name: str, data: bytes) -> str:
    """A line of the file of inputs: the bytes as characters of ISO-8859-1."""
    return json.dumps([name, data.decode('latin-1')])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seconds', type=int, default=60, help='of all targets together, a second each at least')
    parser.add_argument('--runs', type=int, help='inputs of each target, instead of a time')
    parser.add_argument('--seed', type=int, default=0, help='with --runs: the same inputs each time, as in CI')
    parser.add_argument('--folder', type=Path, help='keep what was found interesting here, a folder a target')
    parser.add_argument('targets', nargs='*', help='some targets (default: all)')
    args = parser.parse_args()
    try:
        import atheris
    except ImportError:
        print('the fuzzer needs atheris, which is not here (pip install atheris; there is none for Python 3.13)')
        return 0
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    with atheris.instrument_imports(include=['ir_segmeasures']), redirect_stderr(StringIO()):  # it names each module
        from targets import TARGETS
    inputs = kept()
    names = args.targets or list(TARGETS)
    seconds = max(args.seconds // len(names), 1)
    limit = f'-runs={args.runs}' if args.runs else f'-max_total_time={seconds}'
    failed = 0
    place = args.folder or Path(tempfile.mkdtemp())  # a process that ends early would take a TemporaryDirectory with it
    for name in names:
        folder, found, log = place / name, place / f'{name}.failed', place / f'{name}.log'
        folder.mkdir(parents=True, exist_ok=True)
        found.unlink(missing_ok=True)
        for number, data in enumerate(inputs.get(name, [])):
            (folder / f'kept-{number}').write_bytes(data)
        pid = os.fork()
        if not pid:
            said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            atheris.Setup([name, limit, f'-seed={args.seed}', '-timeout=10', '-rss_limit_mb=4096', '-max_len=2048',
                           '-print_final_stats=1', f'-exact_artifact_path={found}', str(folder)], TARGETS[name])
            atheris.Fuzz()  # ends the process
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
            failed += 1
            lines = log.read_text(errors='replace').splitlines()
            print(f'{name} failed:', *[line for line in lines if not line.startswith(('#', 'INFO'))][:40], sep='\n    ')
            if found.exists():
                print(line_of(name, found.read_bytes()), flush=True)
    if place != args.folder:
        shutil.rmtree(place)
    print(f'{len(names)} targets, {failed} failed')
    return int(failed > 0)


if __name__ == '__main__':
    sys.exit(main())
