"""A coverage-guided fuzzer (atheris) of all that takes text from files: ``python tests/fuzz/fuzz.py --seconds 60``.

The time is spread over the targets, each of which starts from the inputs in ``inputs.jsonl`` and the words in them. An
input that fails is printed as a line for that file, where the tests run it from then on, and the exit code is 1.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from contextlib import redirect_stderr, suppress
from fnmatch import fnmatchcase
from functools import cache
from io import StringIO
from pathlib import Path

HERE = Path(__file__).parent
INPUTS = HERE / 'inputs.jsonl'
LONG = 1 << 15  # bytes, more than readers look at together at first
RARE = (b'nan', b'inf', b'-1', b'-0', b'1e999', b'1e-320', b'9' * 20, b'0x1', b'1_0', b'null', b'true', b'[]', b'{}',
        b'""', b'\0', b'\r', b'\x85', b'\xa0', b'\xff', b'\xef\xbb\xbf', b'\xed\xa0\x80', b'\xc2\xa0', b'\xe2\x80\xa8',
        b'\xd9\xa1', b'%2', b'%23', b'#t=', b'&amp;', b'&#0;', b'\\ud800', b'a#t=1,2',
        b'<!DOCTYPE a [<!ENTITY b "c">]>', b'\x1f\x8b')


@cache
def kept() -> list[tuple[str, bytes]]:
    """The inputs, each with the name of its target, which may be a pattern: ``write-*-run``."""
    lines = INPUTS.read_text(encoding='utf-8').splitlines()
    return [(name, text.encode('latin-1')) for name, text in map(json.loads, lines)]


def inputs_of(target: str) -> list[bytes]:
    """What a target starts from."""
    return [data for name, data in kept() if fnmatchcase(target, name)]


def line_of(name: str, data: bytes) -> str:
    """A line of the file of inputs: the bytes as characters of ISO-8859-1."""
    return json.dumps([name, data.decode('latin-1')])


def words(inputs: list[bytes]) -> set[bytes]:
    """Names, numbers and signs of the inputs, and what is rare, for the fuzzer to put where they were not."""
    found = {word for data in inputs for word in re.findall(rb'[\w:.-]+|[^\w\s]+|\s', data) if len(word) < 64}
    return found | {*RARE}


def _lines(data: bytes) -> bytes:
    return data if data.endswith(b'\n') else data + b'\n'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seconds', type=int, default=60, help='of all targets together, a second each at least')
    parser.add_argument('--runs', type=int, help='inputs of each target, instead of a time')
    parser.add_argument('--seed', type=int, default=0, help='with --runs: the same inputs each time, as in CI')
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
    names = args.targets or list(TARGETS)
    seconds = max(args.seconds // len(names), 1)
    # Nothing that a clock decides: with --runs the inputs are the same on a slow machine, too.
    limits = [f'-runs={args.runs}', '-reload=0'] if args.runs else [f'-max_total_time={seconds}']
    failed = 0
    place = Path(tempfile.mkdtemp())  # a process that ends early would take a TemporaryDirectory with it
    for name in names:
        folder, found, log = place / name, place / f'{name}.failed', place / f'{name}.log'
        folder.mkdir(parents=True, exist_ok=True)
        found.unlink(missing_ok=True)
        inputs, listed = inputs_of(name), place / f'{name}.words'
        for number, data in enumerate(inputs):
            (folder / f'kept-{number}').write_bytes(data)
            # More than one block of a file is read, once more than the lines that are read alone.
            (folder / f'kept-{number}-long').write_bytes(_lines(data) * (1 + LONG // len(_lines(data))))
        escaped = [''.join(f'\\x{byte:02x}' for byte in word) for word in sorted(words(inputs))]
        listed.write_text(''.join(f'"{word}"\n' for word in escaped), encoding='ascii')
        pid = os.fork()
        if not pid:
            said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            with suppress(Exception):
                TARGETS[name](inputs[0])  # what is read once takes longer than an input may
            atheris.Setup([name, *limits, f'-seed={args.seed}', f'-max_len={2 * LONG}', '-timeout=10',
                           '-rss_limit_mb=4096', '-print_final_stats=1', f'-dict={listed}',
                           f'-exact_artifact_path={found}', str(folder)], TARGETS[name])
            atheris.Fuzz()  # ends the process
        if code := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
            failed += 1
            lines = log.read_text(errors='replace').splitlines()
            told = [line for line in lines if not line.startswith(('#', 'INFO'))]
            print(f'{name} failed ({code}):', *told[:40], sep='\n    ')
            if found.exists():
                print(line_of(name, found.read_bytes()), flush=True)
    shutil.rmtree(place)
    print(f'{len(names)} targets, {failed} failed')
    return int(failed > 0)


if __name__ == '__main__':
    sys.exit(main())
