"""``ir_segmeasures cut``: transcripts as documents that any engine can index, one for each window."""

import os
from dataclasses import replace

from ir_segmeasures.commands import options, streams
from ir_segmeasures.commands.parser import UsageError, argument, option

_seconds = options.written_as(r'(?=.*[1-9])[0-9]*\.?[0-9]{0,6}', float,
                              'a number of seconds above 0, such as 60 or 12.5')


class Cut(options.Writing):
    """Cut transcripts (.srt, .vtt, .ttml, .ass, .json of speech recognisers and YouTube) into windows of equal length
    that start at equal distances. Each window in which somebody speaks becomes a line of JSON with docno (the segment
    id, such as talk#t=30,90), start and end in seconds, and text.

    Args:
        files: transcripts, their folder, or patterns such as 'talks/*.vtt'; the docno begins with the file's name
            without the suffix
        length: the length of a window
        stride: the time from the start of a window to the start of the next
        out: the file to write (packed if it ends in .gz; standard output as -)
        by: the lines (or words) of a window: those that start in it (start, the default), or all that overlap
            it (overlap)
        skip_bad_cues: leave out lines whose times cannot be read or are reversed, and say how many
        restarts: the clock of the transcripts restarts every 30 seconds, as that of some pipelines of speech
            recognisers
    """
    EXAMPLE = "cut 'talks/*.vtt' --length 60 --stride 30 --out segments.jsonl"
    files: tuple[str, ...] = argument(nargs='+', metavar='FILES')
    length: float = option(metavar='SECONDS', type=_seconds, required=True)
    stride: float = option(metavar='SECONDS', type=_seconds, required=True)
    by: str = option('start', choices=('start', 'overlap'))
    skip_bad_cues: bool = option(False)
    restarts: bool = option(False)
    out: str = options.out()

    def run(self) -> None:
        if '-' in self.files and not os.path.lexists('-'):
            raise UsageError('- is standard input, but transcripts have their kind from their names: give files')
        from ir_segmeasures.formats.transcripts import paths_of, window_lines
        found = replace(self, files=tuple(paths_of(self.files)))  # type: ignore[call-arg]
        streams.refuse_to_replace(found, 'out', streams.begins(r'\{"docno": ".*", "start": .*, "end": '))
        streams.write_lines(window_lines(self.files, self.length, self.stride, self.by, self.skip_bad_cues,
                                         self.restarts), self.out)
