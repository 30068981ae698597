"""Judgements of moments in one JSON object, video → its windows: of ActivityNet Captions, whose form Charades-CG and
YouCook2 have too, and of NExT-GQA.

Sources: https://cs.stanford.edu/people/ranjaykrishna/densevid (Krishna et al. 2017),
https://github.com/doc-doc/NExT-GQA (Xiao et al. 2024).
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Notes, Window, judged_windows, warn_of
from ir_segmeasures.formats.moments import MomentQuery
from ir_segmeasures.segments.quoting import quoted

__all__ = ['ACTIVITYNET_CAPTIONS', 'NEXT_GQA', 'read_captions', 'read_grounded_answers', 'read_sentences']


class _Captions(msgspec.Struct):
    timestamps: list[Window]
    sentences: list[str]
    duration: Duration | None = None

    def windows(self) -> Iterator[tuple[str, list[Window]]]:
        if len(self.timestamps) != len(self.sentences):
            raise ValueError(f'{len(self.timestamps)} timestamps stand beside {len(self.sentences)} sentences, but '
                             'each sentence has one: correct it')
        return ((str(place), [window]) for place, window in enumerate(self.timestamps))


class _Located(msgspec.Struct):
    location: dict[str, list[Window]]
    duration: Duration | None = None

    def windows(self) -> Iterator[tuple[str, list[Window]]]:
        return iter(self.location.items())


def read_captions(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows of sentences, in file order: ``{video: {"duration", "timestamps": [[start, end], …],
    "sentences": [sentence, …]}}``. The query is ``video_place``, with the place of the sentence from 0.

    Raises:
        FormatError: the file is no such object; a window is not two numbers, ends before it starts, or starts before 0
        OSError: the file cannot be opened
    """
    return _read(path, 'the sentences of ActivityNet Captions', _Captions)


def read_grounded_answers(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows of questions, in file order: ``{video: {"duration", "location": {question: [[start, end],
    …]}}}``. The query is ``video_question``.

    Raises:
        as :func:`read_captions`
    """
    return _read(path, 'the grounded answers of NExT-GQA', _Located)


def read_sentences(path: StrPath) -> list[MomentQuery]:
    """Reads the sentences of the file of :func:`read_captions`, with the ids of its queries."""
    return read_object(path, 'the sentences of ActivityNet Captions', lambda content: [
        MomentQuery(f'{video}_{place}', sentence.strip()) for video, record in content.items()
        for place, sentence in enumerate(record.sentences)], dict[Id, _Captions])


def _read(path: StrPath, name: str, kind: Any) -> Sequence[MomentQrel]:
    notes: Notes = []

    def parse(content: dict[str, Any]) -> list[MomentQrel]:
        rows = []
        for video, record in content.items():
            try:
                for query, windows in record.windows():
                    rows += judged_windows(f'{video}_{query}', video, windows, record.duration, notes)
            except ValueError as error:
                raise ValueError(f'video {quoted(video)}: {error}') from None
        return rows
    rows = FileRows.of(MomentQrel, read_object(path, name, parse, dict[Id, kind]))
    warn_of(os.fspath(path), notes)
    return rows


ACTIVITYNET_CAPTIONS = Format(
    'activitynet-captions', 'ActivityNet Captions, Charades-CG, YouCook2: one JSON object, video → timestamps and '
    'sentences', 't', Files(read_captions), lists=('queries', 'videos'), read_queries=read_sentences)
NEXT_GQA = Format('next-gqa', 'NExT-GQA: one JSON object, video → the windows of its questions', 't',
                  Files(read_grounded_answers), lists=('videos',))
