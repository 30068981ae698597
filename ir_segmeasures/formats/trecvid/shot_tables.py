"""Tables of shots: which part of which video a shot id stands for.

All tables are mappings of shot id → (video, start, end) in seconds, half-open: with one, :func:`ir_segmeasures.resolve`
makes segments of judged (or retrieved) shots; all other fields stay, such as the stratum. Ids are those of TRECVID's
judgements, ``shotV_N``: shot N of video V. Fractions are exact until the last step. Source: the shot boundary
references of TRECVID, https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html, and of the Vimeo Creative Commons
Collection (V3C).
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from ir_segmeasures.formats.files.fields import finite_number, wrong_fields
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.reading import LATIN_1, FormatError, StrPath, errors_in, numbered_rows
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.segments.quoting import quoted

__all__ = ['FrameRate', 'Shots', 'one_frame', 'read_eastenders', 'read_iacc', 'read_mpeg7', 'read_v3c']

V3C_FIELDS = 'startframe starttime endframe endtime'
IACC_FIELDS = 'begin end'
EASTENDERS_FIELDS = 'video shot begin end'

# Frames per second: 25, '30000/1001' or Fraction(30000, 1001)
FrameRate = Number | Fraction | str
Video = str | Callable[[str], str] | None

_DIGITS = re.compile(r'[0-9]{1,15}')
_SHOT = re.compile(r'shot(\S+)_[0-9]+')
# MPEG-7: n in F of a second after the last colon. Durations name their parts, any of which may be missing.
_POINT = re.compile(r'T(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,9}):([0-9]{1,15})F([0-9]{1,15})')
_DURATION = re.compile(
    r'PT(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?(?:([0-9]{1,15})N([0-9]{1,15})F)?')


class Shots(dict[str, tuple[str, Number, Number]]):
    """Shot id → (video, start, end), in seconds from the video's beginning, half-open.

    Attributes:
        skipped: the shots of the files that have no times, id → why; their number is that of shots without times
    """

    def __init__(self) -> None:
        super().__init__()
        self.skipped: dict[str, str] = {}


def read_v3c(path: StrPath | Iterable[StrPath], video: Video = None, first: int = 1,
             frame_rate: FrameRate | Mapping[str, FrameRate] | None = None) -> Shots:
    """Reads tables of V3C, one file a video, with a header: ``startframe starttime endframe endtime``.

    Row k is shot k. Starts and ends are the seconds of the file. A shot that starts where it ends is a single frame: it
    becomes one frame long if ``frame_rate`` is given and is else among ``skipped``.

    Args:
        path: a file, a folder with ``.tsv`` files, or a list of files; ``.gz`` by suffix
        video: its id; the file's name without that suffix if it is not given (``00009.tsv`` is ``00009``), or what a
            function makes of that name
        first: the number of the first shot: 1 for NIST's judgements, 0 for the "ownshots" judgements of the VBS
        frame_rate: frames per second, or those of each video; needed for single frames alone

    Raises:
        FormatError: the header is missing; a line does not have 4 fields; a time is not a number from 0 up; a shot ends
            before it starts; a shot is in two files, or a folder has none
        ValueError: ``first`` is not 0 or 1, a frame rate is not above 0, or several files have one name for ``video``
        OSError: a file cannot be opened
    """
    _check_first(first)

    def read(path: StrPath, name: str) -> Shots:
        shots, frame = Shots(), None if frame_rate is None else one_frame(frame_rate, name)
        rows = numbered_rows(path, _v3c_row)[1]
        if not rows or rows[0] is not None or None in rows[1:]:
            raise FormatError(f'the header {V3C_FIELDS!r} is not the first line alone, but tables of V3C begin with '
                              'it: add it, or check that the file is of the kind that is being read', path)
        for number, row in enumerate(rows[1:], first):
            assert row is not None
            start, end = row
            if start < end:
                shots[f'shot{name}_{number}'] = name, _number(start), _number(end)
            elif frame is not None:
                shots[f'shot{name}_{number}'] = name, _number(start), _number(start + frame)
            else:
                shots.skipped[f'shot{name}_{number}'] = 'a single frame, whose length needs the frame rate'
        return shots
    return _read(path, ('.tsv',), read, video)


def read_iacc(path: StrPath | Iterable[StrPath], frame_rate: FrameRate | Mapping[str, FrameRate], video: Video = None,
              first: int = 1) -> Shots:
    """Reads tables of IACC, ``.msb`` or ``.sb``, one file a video: lines of text, then ``begin end`` in frames from 0.

    The last frame is part of its shot: the shot ends where that frame ends.

    Args:
        path, video, first: as in :func:`read_v3c`; a folder has ``.msb`` and ``.sb`` files
        frame_rate: frames per second, or those of each video; the files do not tell, so it has to be given

    Raises:
        FormatError: there are no shots; a line behind the first shot is not two whole numbers; a shot ends before it
            begins; a shot is in two files, or a folder has none
        ValueError: as in :func:`read_v3c`, or a video has no frame rate
        OSError: a file cannot be opened
    """
    _check_first(first)

    def read(path: StrPath, name: str) -> Shots:
        shots, frame = Shots(), one_frame(frame_rate, name)
        if frame is None:
            raise ValueError(f'there is no frame rate for video {quoted(name)}, but the file {os.fspath(path)} has '
                             'frames without one: add it to frame_rate')
        for line, fields in zip(*numbered_rows(path, list, encoding=LATIN_1)):
            if len(fields) != 2 or not all(map(_DIGITS.fullmatch, fields)):
                if not shots and not all(word[0].isdigit() for word in ' '.join(fields).replace(',', ' ').split()):
                    continue  # the text before
                place = 'it comes after the first shot' if shots else 'the text before the first shot has words'
                raise FormatError(f'the line {quoted(" ".join(fields))} is not {IACC_FIELDS!r} in whole frames, but '
                                  f'{place}: correct it, or take it out', path, line)
            begin, end = map(int, fields)
            if end < begin:
                raise FormatError(f'the shot ends with frame {end} before it begins with frame {begin}: swap the two, '
                                  'or correct one', path, line)
            shots[f'shot{name}_{first + len(shots)}'] = name, _number(begin * frame), _number((end + 1) * frame)
        if not shots:
            raise FormatError(f'there is no line {IACC_FIELDS!r} with two whole numbers of frames, so there are no '
                              'shots: check that the file is of the kind that is being read', path)
        return shots
    return _read(path, ('.msb', '.sb'), read, video)


def read_mpeg7(path: StrPath | Iterable[StrPath]) -> Shots:
    """Reads MPEG-7: every ``VideoSegment id="shotN_M"`` with its ``MediaTimePoint`` and ``MediaDuration``.

    Segments with other ids, such as those of key frames, are no shots. A shot that lacks one of the two times, or whose
    duration is 0, is among ``skipped``. The video of ``shotN_M`` is N.

    Args:
        path: a file, a folder with ``.mp7.xml`` files, or a list of files; ``.gz`` by suffix

    Raises:
        FormatError: the XML is malformed or declares entities; a time cannot be read; a shot is there twice; a folder
            has no such file
        OSError: a file cannot be opened
    """
    def read(path: StrPath, _: str) -> Shots:
        from ir_segmeasures.formats.files.xml import read_xml  # the others have no need of it
        shots = Shots()
        for segment in read_xml(path).iter():
            shot = _SHOT.fullmatch(segment.attributes.get('id', '')) if _local(segment.name) == 'VideoSegment' else None
            if shot is None:
                continue
            times: dict[str, Fraction] = {}
            for part in segment.all():
                name, around = _local(part.name), list(part.around)[:2]
                if name in _TIMES and _local(around[0].name) == 'MediaTime' and around[1] is segment:
                    with errors_in(path, part.line):
                        times.setdefault(name, _TIMES[name](part.content))
            if shot[0] in shots or shot[0] in shots.skipped:
                raise FormatError(f'shot {quoted(shot[0])} is already in this file, but a shot has one place: take one '
                                  'of the two out', path, segment.line)
            lacks = [name for name in _TIMES if name not in times]
            if lacks or not times['MediaDuration']:
                shots.skipped[shot[0]] = f'without {lacks[0]}' if lacks else 'of duration 0'
                continue
            start = times['MediaTimePoint']
            shots[shot[0]] = shot[1], _number(start), _number(start + times['MediaDuration'])
        return shots
    return _read(path, ('.mp7.xml',), read)


def read_eastenders(path: StrPath | Iterable[StrPath]) -> Shots:
    """Reads the table of the BBC EastEnders collection, one shot a line: ``video shot begin end``.

    Times are ``T00:00:00:25F25``, hours, minutes, seconds and frames at 25 a second. The last frame is part of its
    shot: the shot ends where that frame ends. A number as shot is made an id with the video, anything else is the id.

    Raises:
        FormatError: a line does not have 4 fields; a time cannot be read; a shot ends before it begins, or is there
            twice
        OSError: the file cannot be opened
    """
    def read(path: StrPath, _: str) -> Shots:
        shots = Shots()
        for line, (id, extent) in zip(*numbered_rows(path, _eastenders_row)):
            if id in shots:
                raise FormatError(f'shot {quoted(id)} is already in this file, but a shot has one place: take one of '
                                  'the two out', path, line)
            shots[id] = extent
        return shots
    return _read(path, ('.txt',), read)


def one_frame(frame_rate: FrameRate | Mapping[str, FrameRate], video: str) -> Fraction | None:
    """How long a frame of a video is, in seconds; None where the mapping does not have the video.

    Decimals count as written: 29.97 is 2997/100.

    Raises:
        ValueError: a frame rate that is not a number above 0
    """
    rate: Any = frame_rate.get(video) if isinstance(frame_rate, Mapping) else frame_rate
    if rate is None:
        return None
    try:
        exact = Fraction(0 if isinstance(rate, bool) else str(rate))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if exact <= 0:
        raise ValueError(f'frame rate {quoted(rate)} is not a number above 0, but it is in frames per second: '
                         "write it as 25 or '30000/1001'")
    return 1 / exact


def _read(path: StrPath | Iterable[StrPath], suffixes: tuple[str, ...], read: Callable[[StrPath, str], Shots],
          video: Video = None) -> Shots:
    """The shots of all files, of each what ``read`` makes of it and of its video."""
    paths = files_of(path, suffixes)
    if isinstance(video, str) and len(paths) > 1:
        raise ValueError(f'video={quoted(video)} names one video, but there are {len(paths)} files, one a video: leave '
                         "it out, or give a function that makes a video's id of a file's name")
    shots = Shots()
    homes: dict[str, StrPath] = {}
    for file in paths:
        name = stem(file, suffixes)
        found = read(file, video if isinstance(video, str) else name if video is None else video(name))
        for id in (*found, *found.skipped):
            if id in homes:
                raise FormatError(f'shot {quoted(id)} is already in {os.fspath(homes[id])}, but a shot has one place: '
                                  'take one of the two files out', file)
        homes.update(dict.fromkeys((*found, *found.skipped), file))
        shots.update(found)
        shots.skipped.update(found.skipped)
    return shots


def _check_first(first: int) -> None:
    if first not in (0, 1):
        raise ValueError(f"first={quoted(first)}: the first row is shot 1, as NIST counts, or 0, as the VBS's own "
                         'shots are counted')


def _v3c_row(fields: list[str]) -> tuple[Fraction, Fraction] | None:
    if fields == V3C_FIELDS.split():
        return None
    if len(fields) != 4:
        raise wrong_fields(fields, 'a shot table of V3C', V3C_FIELDS, '4')
    start, end = _decimal(fields[1]), _decimal(fields[3])
    if end < start:
        raise ValueError(f'endtime {quoted(fields[3])} is before starttime {quoted(fields[1])}, but a shot cannot end '
                         'before it starts: swap the two, or correct one')
    return start, end


def _decimal(text: str) -> Fraction:
    if (number := finite_number(text)) is None or number < 0:
        raise ValueError(f'time {quoted(text)} is not a number from 0 up, but times are seconds from the beginning of '
                         f'the video: a line is {V3C_FIELDS}')
    return Fraction(text)


def _eastenders_row(fields: list[str]) -> tuple[str, tuple[str, Number, Number]]:
    if len(fields) != 4:
        raise wrong_fields(fields, 'a shot table of EastEnders', EASTENDERS_FIELDS, '4')
    video, shot, begin, end = fields
    start, last = _point(begin), _point(end)
    if last < start:
        raise ValueError(f'end {quoted(end)} is before begin {quoted(begin)}, but a shot cannot end before it begins: '
                         'swap the two, or correct one')
    return (f'shot{video}_{shot}' if _DIGITS.fullmatch(shot) else shot), (
        video, _number(start), _number(last + Fraction(1, int(end.rpartition('F')[2]))))


def _point(text: str) -> Fraction:
    match = _POINT.fullmatch(text)
    if (not match or not 0 < int(match[5]) >= int(match[4]) or (match[2] and int(match[3]) > 59)
            or (match[1] and int(match[2]) > 59)):
        raise ValueError(f'time {quoted(text)} cannot be read, but times are hours:minutes:seconds:nFm, where n '
                         'of m parts of a second follow: write 16 and 4484/30000 seconds as T00:00:16:4484F30000')
    return _clock(*match.groups())


def _duration(text: str) -> Fraction:
    match = _DURATION.fullmatch(text)
    if not match or (match[5] and not int(match[5])):
        raise ValueError(f'duration {quoted(text)} cannot be read, but durations are hours, minutes, seconds and parts '
                         'of a second: write 16 and 4484/30000 seconds as PT16S4484N30000F')
    return _clock(*match.groups())


def _clock(hours: str | None, minutes: str | None, seconds: str | None, parts: str | None,
           in_second: str | None) -> Fraction:
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return whole + Fraction(int(parts or 0), int(in_second or 1))


_TIMES = {'MediaTimePoint': _point, 'MediaDuration': _duration}


def _local(name: str) -> str:
    return name.rpartition(':')[2]


def _number(exact: Fraction) -> Number:
    return exact.numerator if exact.denominator == 1 else float(exact)
