"""Judgements of moments in one JSON object, video → its windows: of ActivityNet Captions, whose form Charades-CG and
YouCook2 have too, and of NExT-GQA.

Sources: https://cs.stanford.edu/people/ranjaykrishna/densevid (Krishna et al. 2017),
https://github.com/doc-doc/NExT-GQA (Xiao et al. 2024).
"""

from collections.abc import Iterator, Sequence

import msgspec

from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Window, Windows, read_windows
from ir_segmeasures.formats.moments import MomentQuery
from ir_segmeasures.segments.quoting import quoted

__all__ = ['ACTIVITYNET_CAPTIONS', 'NEXT_GQA', 'read_captions', 'read_grounded_answers', 'read_sentences']

_CAPTIONS = 'the sentences of ActivityNet Captions'


class _Captions(msgspec.Struct):
    timestamps: list[Window]
    sentences: list[str]
    duration: Duration | None = None


class _Located(msgspec.Struct):
    location: dict[str, list[Window]]
    duration: Duration | None = None


def read_captions(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows of sentences, in file order: ``{video: {"duration", "timestamps": [[start, end], …],
    "sentences": [sentence, …]}}``. The query is ``video_place``, with the place of the sentence from 0.

    Raises:
        FormatError: the file is no such object; a window is not two numbers, ends before it starts, or starts before 0
        OSError: the file cannot be opened
    """
    def windows(content: dict[str, _Captions]) -> Iterator[Windows]:
        for video, record in content.items():
            if len(record.timestamps) != len(record.sentences):
                raise ValueError(f'video {quoted(video)} has {len(record.timestamps)} timestamps beside '
                                 f'{len(record.sentences)} sentences, but each sentence has one: correct it')
            for place, window in enumerate(record.timestamps):
                yield f'{video}_{place}', video, [window], record.duration
    return read_windows(path, _CAPTIONS, dict[Id, _Captions], windows)


def read_grounded_answers(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows of questions, in file order: ``{video: {"duration", "location": {question: [[start, end],
    …]}}}``. The query is ``video_question``.

    Raises:
        as :func:`read_captions`
    """
    return read_windows(path, 'the grounded answers of NExT-GQA', dict[Id, _Located], lambda content: (
        (f'{video}_{question}', video, windows, record.duration)
        for video, record in content.items() for question, windows in record.location.items()))


def read_sentences(path: StrPath) -> list[MomentQuery]:
    """Reads the sentences of the file of :func:`read_captions`, with the ids of its queries."""
    return read_object(path, _CAPTIONS, lambda content: [
        MomentQuery(f'{video}_{place}', sentence.strip()) for video, record in content.items()
        for place, sentence in enumerate(record.sentences)], dict[Id, _Captions])


ACTIVITYNET_CAPTIONS = Format(
    'activitynet-captions', 'ActivityNet Captions, Charades-CG, YouCook2: one JSON object, video → timestamps and '
    'sentences', 't', Files(read_captions), lists=('queries', 'videos'), read_queries=read_sentences)
NEXT_GQA = Format('next-gqa', 'NExT-GQA: one JSON object, video → the windows of its questions', 't',
                  Files(read_grounded_answers), lists=('videos',))
