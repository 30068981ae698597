"""The judgements of the Video Browser Showdown (VBS) that are parts of videos with times, its files ``…_dres.txt``.

Source: the judgements of the VBS's ad hoc tasks of 2022, which come with the strata of TRECVID's.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.fields import interned, refuse_backwards, seconds
from ir_segmeasures.formats.files.format import Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.row_types import FileRows, Number, StrPath
from ir_segmeasures.formats.trecvid import ShotQrel, sampled, strata, without_repeats
from ir_segmeasures.formats.trecvid.shot_tables import RATES_NEEDED, FrameRate, frames_of

DRES_FIELDS = 'taskName junk item start_fr start_s end_fr end_s stratum judgement'


class DresQrel(NamedTuple):
    """A judged part of a video of the VBS.

    Attributes:
        query_id: the task
        doc_id: the bare video
        start, end: seconds from its beginning, half-open
        relevance, iteration, stratum: as in :class:`~ir_segmeasures.formats.trecvid.ShotQrel`
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: int
    iteration: str
    stratum: int



def read_dres(path: StrPath, frame_rate: FrameRate | Mapping[str, FrameRate] | None = None,
              repair: str = RATES_NEEDED) -> Sequence[DresQrel]:
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
    rows = _DRES.read(path)
    if not isinstance(rows, FileRows):  # there are none
        return rows
    videos, starts, ends = (rows.columns[name] for name in ('doc_id', 'start', 'end'))
    ends = rows.columns['end'] = ends.astype(float)
    single = np.flatnonzero(starts == ends).tolist()
    assert rows.lines is not None
    frames = frames_of(path, [(int(rows.lines[place]), videos[place]) for place in single], frame_rate, repair)
    for place in single:
        ends[place] = float(Fraction(str(starts[place])) + frames[videos[place]])
    return without_repeats(path, rows, judged=4)


def _judgement(task: Any, junk: Any, item: Any, start_fr: Any, start_s: Any, end_fr: Any, end_s: Any, stratum: Any,
               judgement: Any) -> DresQrel:
    start, end = seconds(start_s), seconds(end_s)
    refuse_backwards((end < start).any(), start_s[0], end_s[0])
    return DresQrel(interned(task), interned(item), start, end, sampled(judgement),  # type: ignore[arg-type]
                    interned(junk), strata(stratum))  # type: ignore[arg-type]


_DRES = Lines("the VBS's judgements with times", DRES_FIELDS, _judgement, header=True)
DRES = Format(
    'vbs-dres', 'Video Browser Showdown: judgements with times and strata, no runs', 't',
    _DRES.files(read_dres, rules=Rules(('known_video',), ('overlap', 'within_the_document'), measured=False)),
    dataset_row=ShotQrel, lists=('videos',))
