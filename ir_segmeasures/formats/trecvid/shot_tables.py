"""Tables of shots: which part of which video a shot id stands for.

All tables are mappings of shot id → (video, start, end) in seconds, half-open: with one, :func:`ir_segmeasures.resolve`
makes segments of judged (or retrieved) shots; all other fields stay, such as the stratum. Ids are those of TRECVID's
judgements, ``shotV_N``: shot N of video V. Fractions are exact until the last step. Source: the shot boundary
references of TRECVID, https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html, and of the Vimeo Creative Commons
Collection (V3C).
"""

import os
import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from ir_segmeasures.formats.files import reading
from ir_segmeasures.formats.files.fields import each_text, interned, nine_digits, refuse_backwards, seconds
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import WRONG_KIND, FormatError, StrPath, files_of, stem
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.files.xml import each, read_xml
from ir_segmeasures.segments.basics import plain_number, quoted

# Frames per second: 25, '30000/1001' or Fraction(30000, 1001)
FrameRate = Number | Fraction | str
Rates = FrameRate | Mapping[str, FrameRate]  # of all videos, or of each
RATES_NEEDED = 'give the reader the frame_rate of these videos, in frames per second'

_SHOT = re.compile(r'shot(\S+)_[0-9]+')
# MPEG-7: n in F of a second after the last colon. Durations name their parts, any of which may be missing.
_POINT = re.compile(r'T(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,9}):([0-9]{1,15})F([0-9]{1,15})')
_DURATION = re.compile(
    r'PT(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?(?:([0-9]{1,15})N([0-9]{1,15})F)?')

# The line of a shot, its id, and its video, start and end, or why it has none.
_Found = Iterator[tuple[int | None, str, tuple[str, Fraction, Fraction] | str]]


class Shots(dict[str, tuple[str, Number, Number]]):
    """Shot id → (video, start, end), in seconds from the video's beginning, half-open.

    Attributes:
        skipped: the shots of the files that have no times, id → why; their number is that of shots without times
    """

    def __init__(self) -> None:
        super().__init__()
        self.skipped: dict[str, str] = {}


def read_v3c(path: StrPath | Iterable[StrPath], first: int = 1, frame_rate: Rates | None = None) -> Shots:
    """Reads tables of V3C, one file a video, with a header: ``startframe starttime endframe endtime``.

    The video is the file's name without the suffix: ``00009.tsv`` is ``00009``. Row k is shot k. Starts and ends are
    the seconds of the file. A shot that starts where it ends is a single frame: it becomes one frame long if
    ``frame_rate`` is given and is else among ``skipped``.

    Args:
        path: a file, a folder with ``.tsv`` files, or a list of files; ``.gz`` by suffix
        first: the number of the first shot: 1 for NIST's judgements, 0 for the "ownshots" judgements of the VBS
        frame_rate: frames per second, or those of each video; needed for single frames alone

    Raises:
        FormatError: the header is missing; a line does not have 4 fields; a time is not a number from 0 up; a shot ends
            before it starts; a shot is in two files, or a folder has none
        ValueError: ``first`` is not 0 or 1, or a frame rate is not above 0
        OSError: a file cannot be opened
    """
    def shots(file: StrPath, video: str) -> _Found:
        frame = one_frame(frame_rate, video)
        for number, times in enumerate(_V3C.read(file), first):
            start, end = (Fraction(str(time)) for time in times)
            single = start == end
            yield None, f'shot{video}_{number}', 'a single frame, whose length needs the frame rate' if (
                single and frame is None) else (video, start, start + (frame or 0) if single else end)
    return _read(path, ('.tsv',), shots, first)


def read_iacc(path: StrPath | Iterable[StrPath], frame_rate: Rates, first: int = 1) -> Shots:
    """Reads tables of IACC, ``.msb`` or ``.sb``, one file a video: lines of text, then ``begin end`` in frames from 0.

    The last frame is part of its shot: the shot ends where that frame ends.

    Args:
        path, first: as in :func:`read_v3c`; a folder has ``.msb`` and ``.sb`` files
        frame_rate: frames per second, or those of each video; the files do not tell, so it has to be given

    Raises:
        FormatError: there are no shots; a line behind the first shot is not two whole numbers; a shot ends before it
            begins; a shot is in two files, or a folder has none
        ValueError: as in :func:`read_v3c`, or a video has no frame rate
        OSError: a file cannot be opened
    """
    def shots(file: StrPath, video: str) -> _Found:
        frame = one_frame(frame_rate, video)
        if frame is None:
            raise ValueError(f'there is no frame rate for video {quoted(video)} of {os.fspath(file)}: add it to '
                             'frame_rate')
        found: list[tuple[int, int]] = []

        def add(fields: list[str]) -> None:
            frames = [number for number in map(nine_digits, fields) if number is not None]
            if len(frames) == len(fields) == 2:
                refuse_backwards(frames[1] < frames[0], *fields)
                found.append((frames[0], frames[1]))
            elif found or all(word[0].isdigit() for word in ' '.join(fields).replace(',', ' ').split()):
                raise ValueError(f"the line {quoted(' '.join(fields))} is not 'begin end' in whole frames, but lines "
                                 'from the first shot on are: correct it, or take it out')
        reading.numbered_rows(file, add, encoding=reading.LATIN_1)
        if not found:
            raise FormatError(f"there is no line 'begin end' with two whole numbers of frames: {WRONG_KIND}", file)
        for number, (begin, end) in enumerate(found, first):
            yield None, f'shot{video}_{number}', (video, begin * frame, (end + 1) * frame)
    return _read(path, ('.msb', '.sb'), shots, first)


def read_mpeg7(path: StrPath | Iterable[StrPath]) -> Shots:
    """Reads MPEG-7: every ``VideoSegment id="shotN_M"`` with its ``MediaTimePoint`` and ``MediaDuration``.

    Segments with other ids, such as those of key frames, are not shots. A shot that lacks one of the two times, or
    whose duration is 0, is among ``skipped``. The video of ``shotN_M`` is N.

    Args:
        path: a file, a folder with ``.mp7.xml`` files, or a list of files; ``.gz`` by suffix

    Raises:
        FormatError: the XML is malformed or declares entities; a time cannot be read; a shot is there twice; a folder
            has no such file
        OSError: a file cannot be opened
    """
    def shots(file: StrPath, _: str) -> _Found:
        for segment in read_xml(file).iter():
            shot = _SHOT.fullmatch(segment.attributes.get('id', ''))
            if shot is None or segment.local != 'VideoSegment':
                continue
            parts = [part for child in segment.children if child.local == 'MediaTime'
                     for part in child.children if part.local in _TIMES]
            found = list(each(file, parts, lambda part: (part.local, _clock(part.content, *_TIMES[part.local]))))
            times = dict(found[::-1])  # the first of each name counts
            lacks = [f'without {name}' for name in _TIMES if name not in times]
            start, duration = (times.get(name, Fraction(0)) for name in _TIMES)
            yield segment.line, shot[0], lacks[0] if lacks else (
                shot[1], start, start + duration) if duration else 'of duration 0'
    return _read(path, ('.mp7.xml',), shots)


def read_eastenders(path: StrPath | Iterable[StrPath]) -> Shots:
    """Reads the table of the BBC EastEnders collection, one shot a line: ``video shot begin end``.

    Times are ``T00:00:00:25F25``, hours, minutes, seconds and frames at 25 a second. The last frame is part of its
    shot: the shot ends where that frame ends. A number as shot is made an id with the video, anything else is the id.

    Raises:
        FormatError: a line does not have 4 fields; a time cannot be read; a shot ends before it begins, or is there
            twice
        OSError: the file cannot be opened
    """
    def shots(file: StrPath, _: str) -> _Found:
        rows: Any = _EASTENDERS.read(file)
        for place, (video, shot, begin, end) in enumerate(rows):
            id = f'shot{video}_{shot}' if nine_digits(shot) is not None else shot
            yield int(rows.lines[place]), id, (video, begin, end)
    return _read(path, ('.txt',), shots)


def one_frame(frame_rate: Rates | None, video: str) -> Fraction | None:
    """How long a frame of a video is, in seconds; None where the mapping does not have the video, or no rate is given.

    Decimals count as written: 29.97 is 2997/100.

    Raises:
        ValueError: a frame rate that is not a number above 0
    """
    rate: Any = frame_rate.get(video) if isinstance(frame_rate, Mapping) else frame_rate
    if rate is None:
        return None
    try:
        exact = Fraction(str(rate))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if exact <= 0:
        raise ValueError(f'frame rate {quoted(rate)} is not a number above 0, but it is in frames per second: '
                         "write it as 25 or '30000/1001'")
    return 1 / exact


def frames_of(path: StrPath, places: Sequence[tuple[int, str]], frame_rate: Rates | None,
              repair: str) -> dict[str, Fraction]:
    """How long the frames of videos are, which stand in lines of a file. Raises ``FormatError``, with the repair, where
    a frame rate is not known."""
    frames = {video: one_frame(frame_rate, video) for _, video in places}
    left = [(line, video) for line, video in places if frames[video] is None]
    if left:
        raise FormatError(f'{len(left)} of {len(places)} items in frames are of videos whose frame rate is not known, '
                          f'such as {quoted(left[0][1])}: {repair}', path, left[0][0])
    return {video: frame for video, frame in frames.items() if frame is not None}


def _read(path: StrPath | Iterable[StrPath], suffixes: tuple[str, ...], shots_of: Callable[[StrPath, str], _Found],
          first: int = 1) -> Shots:
    """The shots of all files; ``shots_of`` gives those of a file and of its video."""
    if first not in (0, 1):
        raise ValueError(f'first={quoted(first)}: the first row is shot 1, as NIST counts, or 0, as the VBS does')
    shots, homes = Shots(), dict[str, str]()
    for file in files_of(path, suffixes):
        for line, id, place in shots_of(file, stem(file, suffixes)):
            if id in homes:
                raise FormatError(f'shot {quoted(id)} is already in {homes[id]}: take one of the two out', file, line)
            homes[id] = os.fspath(file)
            if isinstance(place, str):
                shots.skipped[id] = place
            else:
                video, start, end = place
                shots[id] = video, plain_number(float(start)), plain_number(float(end))
    return shots


def _clock(text: str, form: re.Pattern[str], what: str, forms: str) -> Fraction:
    match = form.fullmatch(text)
    hours, minutes, seconds, parts, whole = (int(part or 0) for part in match.groups()) if match else (0, 0, 0, 0, 0)
    if match is None or (match[5] and not whole) or (form is _POINT and (
            parts > whole or (match[2] and seconds > 59) or (match[1] and minutes > 59))):
        raise ValueError(f'{what} {quoted(text)} cannot be read, but {what}s are {forms}')
    return (hours * 60 + minutes) * 60 + seconds + Fraction(parts, whole or 1)


_TIMES = {'MediaTimePoint': (_POINT, 'time', 'hours:minutes:seconds:nFm, where n of m parts of a second follow: write '
                                            '16 and 4484/30000 seconds as T00:00:16:4484F30000'),
          'MediaDuration': (_DURATION, 'duration', 'hours, minutes, seconds and parts of a second: write 16 and '
                                                   '4484/30000 seconds as PT16S4484N30000F')}


_Times = namedtuple('_Times', 'start end')
_Shot = namedtuple('_Shot', 'video shot begin end')


def _times(start_frame: Any, start: list[str], end_frame: Any, end: list[str]) -> _Times:
    times = _Times(seconds(start), seconds(end))
    refuse_backwards((times.end < times.start).any(), start[0], end[0])
    return times


def _shot(video: list[str], shot: list[str], begin: list[str], end: list[str]) -> _Shot:
    point = each_text(partial(_clock, form=_POINT, what='time', forms=_TIMES['MediaTimePoint'][2]))
    starts, lasts = point(begin), point(end)
    refuse_backwards((lasts < starts).any(), begin[0], end[0])
    return _Shot(interned(video), shot, starts, [last + Fraction(1, int(text.rpartition('F')[2]))
                                                 for text, last in zip(end, lasts)])


_V3C = Lines('a shot table of V3C', 'startframe starttime endframe endtime', _times, header=True)
_EASTENDERS = Lines('a shot table of EastEnders', 'video shot begin end', _shot)
