"""Windows of transcripts as lines of JSON, one for each document that an engine indexes."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice

from ir_segmeasures.formats.transcripts import read_transcripts
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.texts.cutting import segments_of, slide_transcript

__all__ = ['window_lines']

_AT_ONCE = 1000  # windows in memory


def window_lines(paths: Sequence[str], length: float, stride: float, by: str, skip_bad_cues: bool = False,
                 restarts: bool = False) -> Iterator[bytes]:
    """The lines of JSON for the windows in which somebody speaks: ``docno``, ``start``, ``end``, ``text``.

    Args:
        paths: transcripts, or patterns of files
        skip_bad_cues, restarts: as for :func:`~ir_segmeasures.formats.read_transcripts`
        length, stride, by: as for :func:`~ir_segmeasures.texts.cutting.slide_transcript`

    Raises:
        FormatError, OSError: as :func:`~ir_segmeasures.formats.read_transcripts`
    """
    for document in read_transcripts(paths, skip_bad_cues=skip_bad_cues, restarts=restarts):
        pieces = slide_transcript(document['transcript'], length, stride, by)
        while found := segments_of(document['docno'], 't', islice(pieces, _AT_ONCE)):
            for id, text in found:
                segment = parse_segment(id)
                row = {'docno': id, 'start': segment.start, 'end': segment.end, 'text': text}
                yield f'{json.dumps(row, ensure_ascii=False)}\n'.encode()
