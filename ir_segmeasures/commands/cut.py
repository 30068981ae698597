"""``ir_segmeasures cut``: transcripts as documents that any engine can index, one for each window."""

import argparse
import gzip
import json
import os
import sys
from collections.abc import Iterator
from math import inf
from typing import IO, Any


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'cut', help='cut transcripts into segments, for an index',
        description='Cut transcripts (.srt, .vtt, .ttml, .ass, .json of speech recognisers and of YouTube) into '
                    'windows of one length at equal distances, and write a line of JSON for each in which somebody '
                    'speaks: docno (the segment id, such as talk#t=30,90), start and end in seconds, text.')
    parser.add_argument('files', metavar='FILES', nargs='+', help="transcripts, or patterns such as 'talks/*.vtt'; the "
                                                                  "docno is the file's name without the suffix")
    parser.add_argument('--length', metavar='SECONDS', type=_seconds, required=True, help='of the windows')
    parser.add_argument('--stride', metavar='SECONDS', type=_seconds, required=True,
                        help='from the start of a window to that of the next')
    parser.add_argument('--by', choices=('start', 'overlap'), default='start',
                        help='the lines (or words) of a window are those that start in it (the default), or all with '
                             'which it shares a moment')
    parser.add_argument('--out', metavar='FILE', required=True, help='the file to write (.gz is packed; - is standard '
                                                                     'output)')
    parser.set_defaults(command=cut, parser=parser)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1e-6 <= seconds < inf:
        raise ValueError(text)
    return seconds


_seconds.__name__ = 'number of seconds above 0'  # in argparse's sentence


def cut(args: argparse.Namespace) -> None:
    if '-' in args.files and not os.path.lexists('-'):
        args.parser.error('- is standard input, but a transcript has its kind and its docno from its name: give files')
    if args.out == '-':
        for line in _lines(args):
            sys.stdout.buffer.write(line)
        return
    from ir_segmeasures.formats.files.writing import whole_file
    from ir_segmeasures.formats.transcripts import paths_of
    if os.path.exists(args.out) and any(os.path.samefile(path, args.out) for path in paths_of(args.files)
                                        if os.path.exists(path)):
        args.parser.error(f'--out is {args.out}, which is one of the transcripts: name another file')
    with whole_file(args.out) as file:
        packed: IO[bytes] | None = None
        if args.out.endswith('.gz'):
            packed = gzip.GzipFile('', 'wb', fileobj=file, mtime=0)  # type: ignore[assignment]
        for line in _lines(args):
            (packed or file).write(line)
        if packed is not None:
            packed.close()


def _lines(args: argparse.Namespace) -> Iterator[bytes]:
    from ir_segmeasures import formats
    from ir_segmeasures.segments.segment import parse_segment
    from ir_segmeasures.texts.cutting import segments_of, slide_transcript
    for document in formats.read_transcripts(args.files):
        pieces = slide_transcript(document['transcript'], args.length, args.stride, args.by)
        for id, text in segments_of(document['docno'], 't', pieces):
            segment = parse_segment(id)
            row = {'docno': id, 'start': segment.start, 'end': segment.end, 'text': text}
            yield f'{json.dumps(row, ensure_ascii=False)}\n'.encode()
