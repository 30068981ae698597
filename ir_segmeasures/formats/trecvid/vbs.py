"""The judgements of the Video Browser Showdown (VBS) that are parts of videos with times, its files ``…_dres.txt``.

Source: the judgements of the VBS's ad hoc tasks of 2022, which come with the strata of TRECVID's.
"""

from collections.abc import Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_segmeasures.formats.files.format import Files, Format, Lines
from ir_segmeasures.formats.files.reading import (
    FormatError,
    Number,
    StrPath,
    finite_number,
    numbered_rows,
    wrong_fields,
)
from ir_segmeasures.formats.trecvid.judged_shots import ShotQrel, once, parse_sampled, parse_stratum
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.formats.trecvid.shot_tables import FrameRate

__all__ = ['DRES', 'DresQrel', 'read_dres']

DRES_FIELDS = 'taskName junk item start_fr start_s end_fr end_s stratum judgement'


class DresQrel(NamedTuple):
    """A judged part of a video of the VBS.

    Attributes:
        query_id: the task
        doc_id: the bare video
        start, end: seconds from its beginning, half-open
        relevance, iteration, stratum: as in :class:`~ir_segmeasures.formats.trecvid.judged_shots.ShotQrel`
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: int
    iteration: str
    stratum: int


_RATES_NEEDED = 'give read_dres the frame_rate of these videos, in frames per second'


def read_dres(path: StrPath, frame_rate: 'FrameRate | Mapping[str, FrameRate] | None' = None,
              repair: str = _RATES_NEEDED) -> Sequence[DresQrel]:
    """Reads the VBS's judgements with times, in file order, which have a header: ``taskName junk item start_fr start_s
    end_fr end_s stratum judgement``.

    Starts and ends are the seconds of the file; its frames are not used. A row that starts where it ends is a single
    frame: it becomes one frame long. The other ends stay: in the file of 2022, nearly every shot that follows another
    starts one frame after its end, but whether the end is meant to include that frame, the file does not say.

    Lines that are repeated exactly count once.

    Args:
        path: the file, ``.gz`` by suffix
        frame_rate: frames per second, or those of each video; needed for single frames alone
        repair: what the error for single frames without one tells people to do

    Raises:
        FormatError: the header is missing; a line does not have 9 fields, or one that cannot be read; a row ends before
            it starts; two lines contradict each other; there are single frames whose frame rate is not given
        ValueError: a frame rate is not above 0
        OSError: the file cannot be opened
    """
    numbers, rows = numbered_rows(path, _dres)
    _refuse_headers(path, [[] if row is None else [row] for row in rows])
    judged = [row for row in rows if row is not None]
    single = [position for position, row in enumerate(judged) if row.start == row.end]
    if single:
        from fractions import Fraction  # only needed for these

        from ir_segmeasures.formats.trecvid.shot_tables import one_frame
        rated = {row.doc_id: None if frame_rate is None else one_frame(frame_rate, row.doc_id)
                 for row in map(judged.__getitem__, single)}
        left = [position for position in single if rated[judged[position].doc_id] is None]
        if left:
            examples = ', '.join(f'{quoted(judged[position].doc_id)} at {judged[position].start} '
                                 's' for position in left[:3])
            raise FormatError(
                f'{len(left)} of {len(judged)} rows start where they end, such as {examples}: each is a single frame, '
                f'but a segment needs a length: {repair}, or take the rows out', path, numbers[1 + left[0]])
        for position in single:
            row = judged[position]
            judged[position] = row._replace(end=float(Fraction(str(row.start)) + (rated[row.doc_id] or 0)))
    return once(path, judged, numbers[1:], judged=4)


def _refuse_headers(path: StrPath, lines: Sequence[Sequence[Any] | None]) -> None:
    """Raises ``FormatError`` if the header, a line without rows, is not the first line alone."""
    if [number for number, rows in enumerate(lines) if rows is not None and not rows] != [0]:
        raise FormatError(f'the header {DRES_FIELDS!r} is not the first line alone, but judgements of the VBS with '
                          'times begin with it: add it, or check that the file is of the kind that is being read',
                          path)


def _line(fields: list[str]) -> tuple[str, list[DresQrel]]:
    row = _dres(fields)
    return ('', []) if row is None else (row.query_id, [row])


def _dres(fields: list[str]) -> DresQrel | None:
    """The row, or None for the header."""
    if fields == DRES_FIELDS.split():
        return None
    if len(fields) != 9:
        raise wrong_fields(fields, "the VBS's judgements with times", DRES_FIELDS, '9')
    query_id, iteration, doc_id, _, start_s, _, end_s, stratum, judgement = fields
    start, end = _seconds(start_s), _seconds(end_s)
    if end < start:
        raise ValueError(f'end_s {quoted(end_s)} is before start_s {quoted(start_s)}, but a segment cannot end before '
                         'it starts: swap the two, or correct one')
    return DresQrel(intern(query_id), intern(doc_id), start, end, parse_sampled(judgement), intern(iteration),
                    parse_stratum(stratum))


def _seconds(text: str) -> Number:
    number = finite_number(text)
    if number is None or number < 0:
        raise ValueError(f'time {quoted(text)} is not a number from 0 up, but times are seconds from the beginning of '
                         f'the video: a line is {DRES_FIELDS}')
    return int(number) if number.is_integer() else number


DRES = Format(
    'vbs-dres', 'Video Browser Showdown: judgements with times and strata, no runs', 't',
    Files(read_dres, lines=Lines(_line, refuse=_refuse_headers)), dataset_row=ShotQrel, lists=('videos',))
