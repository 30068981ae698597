"""``ir_segmeasures cut``: transcripts as documents that any engine can index, one for each window."""

import argparse
import gzip
import os
import sys
from math import inf
from typing import IO, Any

from ir_segmeasures.commands.argument_parser import UsageError


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'cut', help=help,
        description='Cut transcripts (.srt, .vtt, .ttml, .ass, .json of speech recognisers and of YouTube) into '
                    'windows of equal length that start at equal distances. Each window in which somebody speaks '
                    'becomes a line of JSON with docno (the segment id, such as talk#t=30,90), start and end in '
                    'seconds, and text.')
    parser.add_argument('files', metavar='FILES', nargs='+', help="transcripts, or patterns such as 'talks/*.vtt'; the "
                                                                  "docno begins with the file's name without the "
                                                                  'suffix')
    parser.add_argument('--length', metavar='SECONDS', type=_seconds, required=True, help='the length of a window')
    parser.add_argument('--stride', metavar='SECONDS', type=_seconds, required=True,
                        help='the time from the start of a window to the start of the next')
    parser.add_argument('--by', choices=('start', 'overlap'), default='start',
                        help='which lines (or words) a window has: those that start in it (start, the default), or '
                             'all that overlap it (overlap)')
    parser.add_argument('--skip-bad-cues', action='store_true',
                        help='leave out lines whose times cannot be read or are reversed, and say how many')
    parser.add_argument('--restarts', action='store_true',
                        help='the clock of the transcripts restarts every 30 seconds, as that of some pipelines of '
                             'speech recognisers')
    parser.add_argument('--out', metavar='FILE', required=True,
                        help='the file to write (packed if it ends in .gz; standard output as -)')
    parser.set_defaults(command=_run, parser=parser)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1e-6 <= seconds < inf:
        raise ValueError(text)
    return seconds


_seconds.__name__ = 'number of seconds above 0'  # in argparse's sentence


def _run(args: argparse.Namespace) -> None:
    if '-' in args.files and not os.path.lexists('-'):
        raise UsageError('- is standard input, but a transcript has its kind and its docno from its name: give files')
    from ir_segmeasures.formats.transcripts.windows import window_lines
    lines = window_lines(args.files, args.length, args.stride, args.by, args.skip_bad_cues, args.restarts)
    if args.out == '-':
        for line in lines:
            sys.stdout.buffer.write(line)
        return
    from ir_segmeasures.formats.files.replacement import whole_file
    from ir_segmeasures.formats.transcripts import paths_of
    if os.path.exists(args.out) and any(os.path.samefile(path, args.out) for path in paths_of(args.files)
                                        if os.path.exists(path)):
        raise UsageError(f'--out is {args.out}, which is one of the transcripts: name another file')
    with whole_file(args.out) as file:
        packed: IO[bytes] | None = None
        if args.out.endswith('.gz'):
            packed = gzip.GzipFile('', 'wb', fileobj=file, mtime=0)  # type: ignore[assignment]
        for line in lines:
            (packed or file).write(line)
        if packed is not None:
            packed.close()
