"""RTTM: turns of speakers, or other events, of recordings, as judgements or as a run; the name is the query.

A line is ``SPEAKER file channel start duration <NA> <NA> name <NA> <NA>``, times in seconds. Judgements have the grade
1; runs have no scores, so that their order is that of the lines.
Source: NIST, Rich Transcription, https://www.nist.gov/itl/iad/mig/rich-transcription-evaluation.
"""

from functools import partial
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import all_whole, converter, interned, positions, seconds
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.lines import Lines, in_file_order
from ir_segmeasures.formats.files.row_types import SegmentQrel, SegmentScoredDoc
from ir_segmeasures.segments.basics import quoted

_FIELDS = 'type file channel start duration orthography subtype name confidence lookahead'


def _above_0(texts: list[str]) -> Any:
    found = positions(texts)
    if not found.all():
        raise ValueError
    return found


_durations = converter(_above_0, 'the duration {} is not a number above 0, but turns take time: correct the line')


def _turns(type: Any, file: Any, channel: Any, start: Any, duration: Any, orthography: Any, subtype: Any, name: Any,
           confidence: Any, lookahead: Any, *, run: bool) -> SegmentQrel | SegmentScoredDoc:
    if set(type) != {'SPEAKER'}:
        raise ValueError(f'the line is of the type {quoted(type[0])}, but only those of SPEAKER are turns: take it out')
    first, length = seconds(start), _durations(duration)
    place: Any = interned(name), interned(file), first, all_whole(np.round(first + length, 6))
    return SegmentScoredDoc._make((*place, 0, 0, None, None, None)) if run else SegmentQrel._make((*place, 1, '0'))


_LINES = Lines('RTTM', _FIELDS, partial(_turns, run=False), optional=1)
RTTM = Format('rttm', 'RTTM: turns of speakers or other events of recordings; the name is the query', 't',
              _LINES.files(), Lines('RTTM', _FIELDS, partial(_turns, run=True), optional=1, finish=in_file_order).files(
                  order='line'))
