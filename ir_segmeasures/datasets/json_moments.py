"""MAD, MedVidQA, MomentSeeker and DiDeMo: sentences and questions about videos, with their windows, in one JSON file.

Their files are obtained by people: those of MAD behind an agreement, those of MedVidQA in a repository of OSF and from
TREC, those of MomentSeeker on Hugging Face. The files of MomentSeeker do not tell how long its videos are. People list
that in ``durations.txt``, and documents are made of the list: the videos, and their chunks. The files of DiDeMo, with
the windows of 5-second chunks that several people marked, are downloaded.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import msgspec
from ir_datasets.formats import TrecQrel

from ir_segmeasures.datasets.base import CampaignDocs, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.list_formats import DOCS_FORMATS, QUERIES_FORMATS
from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, checked_window
from ir_segmeasures.formats.moments import MomentQuery, MomentVideo
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.transcript import seconds, ticks
from ir_segmeasures.texts.cutting import windows

__all__ = ['MomentChunk', 'register_all']

_LIST_DURATIONS = ('for v in *.mp4; do echo "${v%.mp4} $(ffprobe -v error -show_entries format=duration -of csv=p=0 '
                   '"$v")"; done > durations.txt')
_DIDEMO_CHUNK = 5  # seconds
_DIDEMO_SOURCE = 'https://github.com/LisaAnne/LocalizingMoments'
_DIDEMO_RAW = 'https://raw.githubusercontent.com/LisaAnne/LocalizingMoments/b6a555c8134581305d0ed4716fbc192860e0b88c/data'
_DIDEMO = {'val': ('bf8218b4421b74642214ab3e84423b15', {'queries': 4180, 'qrels': 7679}),
           'test': ('309072a37a329ee45d66e44b1b55e1e6', {'queries': 4021, 'qrels': 7361})}


class MomentChunk(NamedTuple):
    """A chunk of a video, which systems rank.

    Attributes:
        doc_id: the id of the segment, such as ``ego_79#t=0,30``
        video: the id of the video, as judgements have it
        start, end: in seconds
    """
    doc_id: str
    video: str
    start: float
    end: float


class _Sentence(NamedTuple):
    """A query, and its windows in a video; ``text`` is ``''`` and ``duration`` None where the file does not tell."""
    query_id: str
    video: str
    text: str
    duration: Number | None
    windows: Sequence[Sequence[Number]]


_Read = Callable[[StrPath], list[_Sentence]]


class _Mad(msgspec.Struct):
    movie: Id
    sentence: str
    movie_duration: Duration
    ext_timestamps: tuple[Number, Number]


class _MedVidQa(msgspec.Struct):
    sample_id: int | Id
    video_id: Id
    question: str
    video_length: Duration
    answer_start_second: Number
    answer_end_second: Number


class _Answers(msgspec.Struct):
    answer_start_seconds: list[Number]
    answer_end_seconds: list[Number]


class _MomentSeeker(msgspec.Struct):
    src_video_path: Id
    qry_text: str
    answering_time_interval: list[tuple[Number, Number]]


def _windows(query: str, video: str, found: _Answers) -> list[tuple[Number, Number]]:
    starts, ends = found.answer_start_seconds, found.answer_end_seconds
    if len(starts) != len(ends):
        raise ValueError(f'video {quoted(video)} of query {quoted(query)} has {len(starts)} starts and {len(ends)} '
                         'ends, but every answer has both: correct it')
    return list(zip(starts, ends))


def _mad(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the sentences of MAD', lambda content: [
        _Sentence(query, found.movie, found.sentence, found.movie_duration, [found.ext_timestamps])
        for query, found in content.items()], dict[str, _Mad])


def _medvidqa(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the questions of MedVidQA', lambda content: [
        _Sentence(str(found.sample_id), found.video_id, found.question, found.video_length,
                  [(found.answer_start_second, found.answer_end_second)]) for found in content], list[_MedVidQa])


def _trec(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the judged answers of MedVidQA', lambda content: [
        _Sentence(query, video, '', None, _windows(query, video, found))
        for query, videos in content.items() for video, found in videos.items()], dict[str, dict[str, _Answers]])


def _momentseeker(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the queries of MomentSeeker', lambda content: [
        _Sentence(str(place), PurePosixPath(found.src_video_path).stem, found.qry_text, None,
                  found.answering_time_interval) for place, found in enumerate(content)], list[_MomentSeeker])


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    _register_didemo()
    for part in ('val', 'test'):
        source = 'https://github.com/Soldelli/MAD'
        how = f'ask for access as {source} says, and take MAD_{part}.json from annotations.tar.xz'
        _register(f'mad/{part}', f'MAD_{part}.json', _mad, 'the audio description says it', how)
        source = 'https://doi.org/10.17605/OSF.IO/PC594'
        how = f'get {part}.json of MedVidQA from {source}'
        _register(f'medvidqa/{part}', f'{part}.json', _medvidqa, 'shows the answer', how)
    source = 'https://github.com/deepaknlp/MedVidQA2024'
    how = 'get the judgements of visual answers and the topics from TREC 2024'
    _register('medvidqa/trec-2024', 'trec-2024-answers.json', _trec, 'an answer, definitely or possibly', how,
              topics='trec-2024-topics.txt')
    _register_momentseeker()


def _register_momentseeker() -> None:
    source = 'https://huggingface.co/datasets/avery00/MomentSeeker'
    listing = (f'get the videos from {source}, list the name and the seconds of each with ffprobe, in their folder, by '
               f'`{_LIST_DURATIONS}`, and put durations.txt into the folder momentseeker of the ir_datasets home')
    durations = CampaignFile('momentseeker', 'durations.txt', how=listing)
    for part in ('t2v', 'ti2v', 'tv2v'):
        _register(f'momentseeker/{part}', f'{part}.json', _momentseeker, 'answers it',
                  f'get {part}.json from {source}', durations=durations)
    for length in (30, 10):
        register_dataset(f'momentseeker/chunks/{length}', CampaignDocs(
            partial(_chunks, length=length), [durations], MomentChunk, namespace='momentseeker'))


def _register(id: str, name: str, read: _Read, meaning: str, how: str, topics: str = '',
              durations: CampaignFile | None = None) -> None:
    """Registers a dataset; ``topics`` is the file of its queries where they stand in another than the windows, and
    ``durations`` that of its videos."""
    folder = id.partition('/')[0]
    files = [CampaignFile(folder, name, how=how)]
    handlers: list[Any] = []
    if read in (_mad, _medvidqa):
        handlers.append(CampaignDocs(partial(_videos, read), files, MomentVideo, namespace=folder))
    elif durations:
        handlers.append(CampaignDocs(_listed_videos, [durations], MomentVideo, namespace=folder))
    if topics:
        tsv = QUERIES_FORMATS['tsv']
        handlers.append(CampaignQueries(tsv.read, [CampaignFile(folder, topics, how=how)], tsv.cls, 'en', folder))
    else:
        handlers.append(CampaignQueries(partial(_queries, read), files, MomentQuery, 'en', folder))
    register_dataset(id, *handlers, CampaignQrels(
        partial(_qrels, read), files, TrecQrel, {1: meaning}, 'trec' if topics else 'moments'))


def _queries(read: _Read, path: StrPath) -> list[MomentQuery]:
    return [MomentQuery(found.query_id, found.text.strip()) for found in read(path)]


def _qrels(read: _Read, path: StrPath) -> list[TrecQrel]:
    rows = []
    with errors_in(path):
        for found in read(path):
            for window in found.windows:
                start, end = checked_window(window, clip=True)
                rows.append(TrecQrel(found.query_id, format_segment(Segment(found.video, max(start, 0), end, 't')), 1,
                                     '0'))
    return rows


def _videos(read: _Read, path: StrPath) -> list[MomentVideo]:
    return list(dict.fromkeys(MomentVideo(found.video, found.duration or 0) for found in read(path)))


def _listed_videos(path: StrPath) -> list[MomentVideo]:
    return list(map(MomentVideo._make, DOCS_FORMATS['durations'].read(path)))


def _chunks(path: StrPath, length: int) -> list[MomentChunk]:
    """The chunks of all listed videos; ``length`` is in seconds."""
    def chunk(video: str, start: float, end: float) -> MomentChunk:
        return MomentChunk(format_segment(Segment(video, start, end, 't')), video, start, end)
    with errors_in(path):  # a name may be none that an id can have
        return [chunk(video, *map(seconds, window)) for video, duration in _listed_videos(path)
                for window in windows(ticks(duration), ticks(length), ticks(length))]


def _register_didemo() -> None:
    for part, (md5, counts) in _DIDEMO.items():
        name = f'{part}_data.json'
        how = f'get {name} from {_DIDEMO_SOURCE}, below data'
        files = [CampaignFile('didemo', name, md5, f'{_DIDEMO_RAW}/{name}', how)]
        register_dataset(
            f'didemo/{part}',
            CampaignQueries(_didemo_queries, files, MomentQuery, 'en', 'didemo'),
            CampaignQrels(_didemo_qrels, files, TrecQrel, {
                number: f'{number} marked it' for number in range(1, 8)}, 'moments'),
            counts=counts)


class _DiDeMo(msgspec.Struct):
    annotation_id: int
    description: str
    video: str
    times: list[tuple[int, int]]  # first chunk, last chunk


def _didemo_queries(path: StrPath) -> list[MomentQuery]:
    return read_object(path, 'the sentences of DiDeMo', lambda content: [
        MomentQuery(str(found.annotation_id), found.description.strip()) for found in content], list[_DiDeMo])


def _didemo_qrels(path: StrPath) -> list[TrecQrel]:
    def parse(content: list[_DiDeMo]) -> list[TrecQrel]:
        rows = []
        for found in content:
            for (first, last), number in sorted(Counter(found.times).items()):
                if not 0 <= first <= last:
                    raise ValueError(f"[{first}, {last}] stands in 'times' of sentence {found.annotation_id}, but a "
                                     'window is [first chunk, last chunk], numbered from 0: correct it')
                window = Segment(found.video, first * _DIDEMO_CHUNK, (last + 1) * _DIDEMO_CHUNK, 't')
                rows.append(TrecQrel(str(found.annotation_id), format_segment(window), number, '0'))
        return rows
    return read_object(path, 'the sentences of DiDeMo', parse, list[_DiDeMo])
