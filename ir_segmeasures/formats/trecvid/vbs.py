"""The judgements of the Video Browser Showdown (VBS) that are parts of videos with times, its files ``…_dres.txt``.

Starts and ends are the seconds of the file; its frames are not used. In the file of 2022, nearly every shot that
follows another starts one frame after its end; whether the end is meant to include that frame, the file does not say.

Source: the judgements of the VBS's ad hoc tasks of 2022, which come with the strata of TRECVID's.
"""

from functools import partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import interned, refuse_backwards, refuse_empty, seconds
from ir_segmeasures.formats.files.format import Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.trecvid.judged_shots import ShotQrel, sampled, strata, without_repeats

__all__ = ['DRES', 'DresQrel', 'read_dres']


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


def _judgement(task: Any, junk: Any, item: Any, start_fr: Any, start_s: Any, end_fr: Any, end_s: Any, stratum: Any,
               judgement: Any) -> DresQrel:
    start, end = seconds(start_s), seconds(end_s)
    refuse_backwards((end < start).any(), start_s[0], end_s[0])
    refuse_empty((end == start).any())  # a single frame, whose length the file does not tell
    return DresQrel(interned(task), interned(item), start, end, sampled(judgement),  # type: ignore[arg-type]
                    interned(junk), strata(stratum))  # type: ignore[arg-type]


_DRES = Lines("the VBS's judgements with times",
              'taskName junk item start_fr start_s end_fr end_s stratum judgement', _judgement, header=True,
              finish=partial(without_repeats, judged=4))
read_dres = _DRES.read
DRES = Format(
    'vbs-dres', 'Video Browser Showdown: judgements with times and strata, no runs', 't',
    _DRES.files(rules=Rules(('known_video',), ('overlap', 'within_the_document'), measured=False)),
    dataset_row=ShotQrel, lists=('videos',))
