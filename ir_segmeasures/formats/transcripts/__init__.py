"""Transcripts as tools write them: captions (SRT, WebVTT, TTML, ASS), and the JSON of speech recognisers and of
YouTube.

A file becomes lines, :class:`~ir_segmeasures.segments.segment.Line`. Where it has the times of words, each word
is a line, so that windows divide where they say and not at the next caption.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob
from itertools import islice
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath, files_of, stem
from ir_segmeasures.formats.transcripts import captions, recognised
from ir_segmeasures.formats.transcripts.captions import FoundLines, warn_of_lines
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Line, parse_segment, quote_id
from ir_segmeasures.texts.cutting import segments_of, slide_transcript

__all__ = ['SUFFIXES', 'paths_of', 'read_transcript', 'read_transcripts', 'window_lines']

_AT_ONCE = 1000  # windows in memory

_READERS: dict[str, Callable[[FoundLines], None]] = {
    '.srt': captions.read_srt, '.vtt': captions.read_vtt, '.ttml': captions.read_ttml, '.dfxp': captions.read_ttml,
    '.ass': captions.read_ass, '.ssa': captions.read_ass, '.json': recognised.read_json}
SUFFIXES = tuple(_READERS)


def read_transcript(path: StrPath, skip_bad_cues: bool = False, restarts: bool = False) -> list[Line]:
    """The lines of a transcript, in order of their starts; ``.gz`` by suffix.

    ================================  =============================================================================
    ``.srt``                          captions; hours may have any number of digits
    ``.ass``, ``.ssa``                captions with the speaker's name
    ``.ttml``, ``.dfxp``              captions, ``p`` with ``begin`` and ``end`` or ``dur``, not in frames or ticks
    ``.vtt``                          cues, with ``<v Speaker>``; words where they have times (``<00:05.200>``). Lines
                                      that roll up, as YouTube's do, come once
    ``.json``                         openai-whisper, OpenAI's API, faster-whisper and whisperX (``segments``,
                                      ``words``), Hugging Face pipelines (``chunks`` with ``timestamp``), YouTube
                                      (``start``, ``duration``; its own json3)
    ================================  =============================================================================

    A line without text is left out. A word without times, as whisperX has numbers, joins the word before it.

    Args:
        path: of the file
        skip_bad_cues: whether lines whose times cannot be read, or whose end stands before their start, are left out;
            they are an error otherwise
        restarts: whether the clock restarts every 30 seconds, as pipelines of speech recognisers have it: a line that
            starts before the one that stands before it begins a new window

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import formats
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'talk.json'
        >>> _ = path.write_text('{"segments": [{"start": 0, "end": 2.5, "text": "Good morning."}]}')
        >>> formats.read_transcript(path)
        [Line(start=0, end=2.5, text='Good morning.', speaker=None)]

    Warns:
        UserWarning: once for the file, with the numbers of lines that overlap the one before by more than a second,
            stand before an earlier one, have no end or cannot be read, and of words without times

    Raises:
        FormatError: another suffix, or contents that are none of these (with the line, where the format has lines)
    """
    lines, notes = _read(path, skip_bad_cues, restarts)
    warn_of_lines(notes, len(lines))
    return lines


def _read(path: StrPath, skip_bad_cues: bool, restarts: bool) -> tuple[list[Line], list[tuple[str, str]]]:
    name = os.fspath(path).lower().removesuffix('.gz')
    suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)
    if suffix is None:
        raise FormatError(f'its name is not that of a transcript: give a file that ends in {", ".join(SUFFIXES)}', path)
    found = FoundLines(path, skip_bad_cues, restarts)
    _READERS[suffix](found)
    return found.in_order(), found.notes


def read_transcripts(paths: StrPath | Iterable[StrPath], docno: Callable[[str], str] | None = None,
                     skip_bad_cues: bool = False, restarts: bool = False) -> Iterator[dict[str, Any]]:
    """The documents of transcripts, one for each file and one at a time: ``docno``, ``transcript`` (its lines) and
    ``text`` (all of them, joined by blanks).

    Args:
        paths: a folder, a file, a pattern such as ``'talks/*.vtt'`` or ``'talks/**/*.json'`` (in the order of the
            names), or several of these
        docno: a function, path → docno; if it is not given, the file's name without its suffix, with white space,
            ``"``, ``#``, ``%`` and ``:`` percent-encoded
        skip_bad_cues, restarts: as for :func:`read_transcript`, whose warning comes once, behind the last document

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import formats
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'talk.json'
        >>> _ = path.write_text('{"segments": [{"start": 0, "end": 2.5, "text": "Good morning."}]}')
        >>> [(row['docno'], row['text']) for row in formats.read_transcripts(path)]
        [('talk', 'Good morning.')]

    Raises:
        FormatError: as :func:`read_transcript`, two files of one docno, or a folder without transcripts
        FileNotFoundError: a pattern that no file has
    """
    before: dict[str, str] = {}
    notes: list[tuple[str, str]] = []
    count = 0
    for path in paths_of(paths):
        name = quote_id(stem(path, SUFFIXES)) if docno is None else docno(path)
        if name in before:
            raise FormatError(f'its docno is {quoted(name)}, as that of {before[name]}: give docno=…, a function that '
                              'tells them apart, or other names', path)
        before[name] = path
        lines, those = _read(path, skip_bad_cues, restarts)
        notes += those
        count += len(lines)
        yield {'docno': name, 'transcript': lines, 'text': ' '.join(line.text for line in lines)}
    warn_of_lines(notes, count)


def paths_of(paths: StrPath | Iterable[StrPath]) -> Iterator[str]:
    """The files that patterns name, or that are named themselves, in their order; of a folder, its transcripts.

    Raises:
        FileNotFoundError: a pattern that no file has
        FormatError: a folder without transcripts
    """
    for pattern in [paths] if isinstance(paths, str | os.PathLike) else paths:
        name = os.fspath(pattern)
        if os.path.lexists(name):  # a name may hold the signs of patterns
            found = list(map(str, files_of(name, SUFFIXES)))
        else:
            found = sorted(path for path in glob(name, recursive=True) if os.path.isfile(path))
        if not found:
            raise FileNotFoundError(f'no file is named as {quoted(name)}: give a folder, a file or a pattern such as '
                                    'talks/*.vtt')
        yield from found


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
